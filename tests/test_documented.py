"""The examples of NumPy's docstrings give NumPy's numbers, or are refused by name."""
from __future__ import annotations

import contextlib
import importlib
import inspect
import io
from typing import Any

import numpy as np
import pytest
from documented import Example, examples_of

import s2s
from s2s.errors import InternalError, S2SError, UnsupportedError

MODULES = {"numpy": 1100, "numpy.linalg": 140, "numpy.fft": 20}
"""How many results at least are right."""
OTHERWISE = {
    "empty", "empty_like", "ndarray",  # what memory happens to hold
    "eig", "eigvals",  # complex always, as in JAX
    "partition",  # of the partitions of an array NumPy gives another one
    "isscalar",  # of an object of Python's numbers
    "bmat", "busdaycalendar", "concat", "concatenate",  # texts that name variables, dates, masked arrays: errors in Python's words
}  # fmt: skip
"""Functions whose examples give something else, by design or by chance."""
TEXTS = {"cumsum", "cumulative_sum"}
"""Sums of a million numbers that are written out one by one."""


def same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, tuple | list):
        return isinstance(found, tuple | list) and len(found) == len(wanted) and all(map(same, found, wanted))
    if np.shape(found) != np.shape(wanted) or isinstance(wanted, np.ndarray | np.generic) and np.asarray(found).dtype != wanted.dtype:
        return False
    tolerance = {"f2": 1e-2, "f4": 1e-5, "c8": 1e-5}.get(np.asarray(wanted).dtype.str[1:], 1e-9)
    return bool(np.allclose(found, wanted, rtol=tolerance, atol=tolerance, equal_nan=True))


def outcome(example: Example) -> tuple[int, Any]:
    """How many results are right; 0 and what was found or raised otherwise."""
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        try:
            wanted = example.function(*example.copies())
        except Exception as error:  # noqa: BLE001 - it needs what another example prints or draws
            return 0, UnsupportedError(str(error))
        try:
            found = s2s.jit(example.function, target="numpy")(*example.copies())
        except Exception as error:  # noqa: BLE001
            return 0, error
    return (len(wanted), None) if same(found, wanted) else (0, (found, wanted))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODULES)
def test_examples_give_numpys_numbers(name: str) -> None:
    module, right = importlib.import_module(name), 0
    functions = {id(value): (key, value) for key, value in sorted(vars(module).items()) if key in module.__all__ and not inspect.ismodule(value) and not isinstance(value, np.ndarray | float)}
    for key, function in functions.values():
        for whole, parts in examples_of(function, f"import numpy as np\nimport {name}") if key not in TEXTS else ():
            count, _ = outcome(whole)
            right += count
            for part in parts() if count == 0 else ():
                count, found = outcome(part)
                right += count
                is_refused = isinstance(found, S2SError) and not isinstance(found, InternalError)
                assert count or is_refused or key in OTHERWISE, f"{name}.{key}: {found}\n{part.text}"
    assert right >= MODULES[name], right
