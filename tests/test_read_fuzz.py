"""Random source, read and interpreted, against Python: right, or refused, never wrong."""
from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from fuzz.sources import Source
from reading import check, staged

from s2s.errors import UnsupportedError

SEEDS = 40


def values(seed):
    rng = np.random.default_rng(seed)
    return rng.normal(size=6), rng.normal(size=6), float(rng.normal()), int(rng.integers(0, 5))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_source(seed, tmp_path):
    path = tmp_path / f"program_{seed}.py"
    path.write_text(Source(seed).text())
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        staged(module.f, *values(0))
    except UnsupportedError:
        return
    for inputs in range(3):
        check(module.f, *values(inputs))
