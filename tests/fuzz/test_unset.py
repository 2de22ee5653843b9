"""Drawn programs about what only some paths and trips set (`unset`) give what Python gives, raise what it raises, or are refused."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2s
from fuzz import unset
from fuzz.bounds import Tally
from fuzz.check import load
from fuzz.seeds import seeds
from s2s.errors import UnsupportedError

COUNT = 25
ARGUMENTS = ((1.3, 0.4, 3.2), (0.6, 0.9, 1.2), (-0.7, 1.1, 4.3), (2.3, 0.2, 0.4))


def outcome(function: Any, args: tuple[float, ...]) -> Any:
    try:
        return np.array([float(each) for each in function(*args)])
    except UnsupportedError:
        raise
    except Exception as error:  # noqa: BLE001
        return error


@pytest.mark.parametrize("part", range(3))
def test_what_is_not_set_is_as_in_python(part: int) -> None:
    tally = Tally("unset")
    for seed in seeds(part, 3, COUNT):
        module = unset.text(seed)
        f = load(module).f
        wanted = [outcome(f, args) for args in ARGUMENTS]
        if all(isinstance(each, Exception) for each in wanted):
            continue
        try:
            found = [outcome(s2s.jit(f, target="numpy"), args) for args in ARGUMENTS]
        except UnsupportedError as error:
            tally.add("refused", str(error.what))
            continue
        for one, other in zip(found, wanted, strict=True):
            assert isinstance(one, Exception) is isinstance(other, Exception), f"{module}\n{one!r} instead of {other!r}"
            assert isinstance(one, Exception) or np.allclose(one, other, equal_nan=True), f"{module}\n{one} instead of {other}"
        tally.add("right")
    tally.check()
