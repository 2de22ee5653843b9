"""Emitted batches, kept: `S2S_UPDATE_GOLDEN=1 pytest tests/test_batch_golden.py` writes the files again; read the diff. Each reads as a person would write it for a batch."""
from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import numba
import numpy as np
import pytest
from golden.batches import batches

import s2s
from s2s import tree_util
from s2s.codegen.native.as_python import callable_functions

FOLDER = Path(__file__).parent / "golden"
BATCHES = batches()


@pytest.mark.parametrize("name", BATCHES)
def test_golden(name: str) -> None:
    function, make, args = BATCHES[name]
    path = FOLDER / f"batch_{name}.py"
    text = make(function).source(*args)
    if os.environ.get("S2S_UPDATE_GOLDEN"):
        path.write_text(text)
    assert path.exists(), f"{path.name} is missing: run S2S_UPDATE_GOLDEN=1 pytest {Path(__file__).name}, and read it"
    assert text == path.read_text(), f"{path.name} is not what is emitted now: if the new text is better, run with S2S_UPDATE_GOLDEN=1"


@pytest.mark.parametrize("name", BATCHES)
def test_golden_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kept file, run as plain Python, gives what the numpy target gives."""
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
    function, make, args = BATCHES[name]
    spec = importlib.util.spec_from_file_location(f"golden_batch_{name}", FOLDER / f"batch_{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    vars(module).update(callable_functions(module))
    found = getattr(module, make(function).public_name)(*args)
    wanted = make(s2s.jit(function, target="numpy"))(*args)
    for one, other in zip(tree_util.tree_leaves(found), tree_util.tree_leaves(wanted), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)
