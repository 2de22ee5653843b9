"""Drawn programs about values that are None on some paths (`optional`) give what Python gives, or are refused."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2s
from fuzz import optional
from fuzz.bounds import Tally
from fuzz.check import load
from fuzz.seeds import seeds
from s2s.errors import UnsupportedError

COUNT = 40
ARGUMENTS = (
    (np.array([0.5, 1.5, 3.0]), 0.75, 1), (np.array([2.0, 0.25, 1.25]), 1.5, 3), (np.array([1.5, 2.5, 0.1]), 2.5, 0), (np.array([0.2, 0.7, 5.0]), 0.9, 2),
)  # fmt: skip


def same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, tuple | list):
        return isinstance(found, tuple | list) and len(found) == len(wanted) and all(map(same, found, wanted))
    if wanted is None or found is None or isinstance(wanted, str):
        return type(found) is type(wanted) and found == wanted
    return np.shape(found) == np.shape(wanted) and np.allclose(found, wanted)


@pytest.mark.parametrize("part", range(4))
def test_none_is_where_python_has_it(part: int) -> None:
    tally = Tally("optional")
    for seed in seeds(part, 4, COUNT):
        module = optional.text(seed)
        f = load(module).f
        call = s2s.jit(f, target="numpy")
        for x, y, n in ARGUMENTS:
            try:
                wanted: Any = f(x.copy(), y, n)
            except Exception:  # noqa: BLE001
                wanted = Exception
            try:
                found: Any = call(x.copy(), y, n)
            except UnsupportedError as error:
                tally.add("refused", str(error.what))
                break
            except Exception as error:  # noqa: BLE001
                assert wanted is Exception, f"{module}\n{(x, y, n)}: {error!r} instead of {wanted}"  # noqa: PT017
                continue
            assert wanted is not Exception and same(found, wanted), f"{module}\n{(x, y, n)}: {found} instead of {wanted}"
        else:
            tally.add("right")
    tally.check()
