"""Functions of np.linalg and scipy.linalg inside of a `try` that catches their LinAlgError: the matrix is looked at before, and another one is given to them where it is none of theirs."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import LINALG_ERROR
from s2s.transforms.read.calls.composed import call_part
from s2s.transforms.read.calls.numpy_calls import numpy_call
from s2s.transforms.read.composed import linalg
from s2s.transforms.read.flow.caught import catches
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load, shape_of
from s2s.transforms.read.values import Abstract, View
from s2s.transforms.read.wrapping import as_atom, weak_dim, wrap
from s2s.types import BOOL, FLOAT64, Array, Atom, Literal

TESTS: dict[Any, tuple[Callable[..., Any], str]] = {
    np.linalg.cholesky: (linalg.is_positive_definite, "Matrix is not positive definite"),
    np.linalg.inv: (linalg.is_regular, "Singular matrix"), np.linalg.solve: (linalg.is_regular, "Singular matrix"),
}  # fmt: skip
_FACTORS = ("cholesky", "cho_factor")
"""Of scipy.linalg."""
_SCIPYS_TESTS: dict[str, tuple[Callable[..., Any], str]] = {
    **dict.fromkeys(("inv", "solve"), (linalg.irregular, "A singular matrix detected: slice(s) [0] are singular.")),
    "solve_triangular": (linalg.zero_on_diagonal, "singular matrix: resolution failed at diagonal {}"),
}
"""Of scipy.linalg: which place is at fault, -1 where none is, and what it says."""
_OTHER_WAYS = {"inv": ("assume_a", "lower"), "solve": ("assume_a", "lower"), "solve_triangular": ("unit_diagonal",)}
"""With these arguments a matrix fails otherwise."""


def tested(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[Abstract, ...]:
    """The arguments of such a call, with a matrix that it surely takes."""
    name = getattr(function, "__name__", "")
    is_scipys = (name in _FACTORS or name in _SCIPYS_TESTS or name == "lu_solve") and (getattr(function, "__module__", None) or "").startswith("scipy.linalg.")
    if not reader.catching or not is_scipys and function not in TESTS or not catches(reader, np.linalg.LinAlgError):
        return args
    if is_scipys and name == "lu_solve":
        raise reader.unsupported("scipy.linalg.lu_solve inside of a `try` that catches a LinAlgError", "scipy.linalg.solve", "of a singular matrix it gives infinities")
    matrix = args[0] if args else None
    if not isinstance(matrix, View) or len(shape_of(reader, matrix)) != 2 or load(reader, matrix).dtype != FLOAT64:
        return args
    if is_scipys and name in _SCIPYS_TESTS:
        if len(args) > 2 or any(word in kwargs for word in _OTHER_WAYS[name]):
            return args
        fits = _check_place(reader, *_SCIPYS_TESTS[name], (matrix,), -1)
    elif is_scipys:
        is_lower = bool(args[1] if len(args) > 1 else kwargs.get("lower", False))
        fits = _check_place(reader, linalg.failing_minor_of_scipy, "{}-th leading minor of the array is not positive definite", (matrix if is_lower else reader.rules.attribute(matrix, "T"),), 0)
    else:
        test, words = TESTS[function]
        found = truth_of(reader, call_part(reader, test, (matrix,), {}))
        fits = Literal(found, Array(BOOL)) if isinstance(found, bool) else found
        reader.builder.check(fits, LINALG_ERROR, words)
    other = numpy_call(reader, np.eye, (weak_dim(reader, shape_of(reader, matrix)[0]),), {})
    safe = numpy_call(reader, np.where, (fits, matrix, other), {})
    reader.session.safe.add(load(reader, safe).atom)
    return (safe, *args[1:])


def _check_place(reader: Reader, test: Callable[..., Any], words: str, args: tuple[Abstract, ...], none: int) -> Atom:
    """The test that SciPy takes a matrix, by the place at fault that `test` finds (or `none`), checked in SciPy's words."""
    failing = call_part(reader, test, args, {})
    with building(reader.builder):
        fits = wrap(reader, failing).equals(none).atom
    reader.builder.check(fits, LINALG_ERROR, words, *[as_atom(reader, failing)] * words.count("{}"))
    return fits


__all__ = ["tested"]
