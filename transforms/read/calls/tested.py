"""Functions of np.linalg, and SciPy's Cholesky factors, inside of a `try` that catches their LinAlgError: the matrix is looked at before, and another one is given to them where it is none of theirs."""
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


def tested(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[Abstract, ...]:
    """The arguments of such a call, with a matrix that it surely takes."""
    is_scipys = getattr(function, "__name__", "") in _FACTORS and (getattr(function, "__module__", None) or "").startswith("scipy.linalg.")
    if not reader.catching or not is_scipys and function not in TESTS or not catches(reader, np.linalg.LinAlgError):
        return args
    matrix = args[0] if args else None
    if not isinstance(matrix, View) or len(shape_of(reader, matrix)) != 2 or load(reader, matrix).dtype != FLOAT64:
        return args
    if is_scipys:
        fits = _scipys_check(reader, matrix, is_lower=bool(args[1] if len(args) > 1 else kwargs.get("lower", False)))
    else:
        test, words = TESTS[function]
        found = truth_of(reader, call_part(reader, test, (matrix,), {}))
        fits = Literal(found, Array(BOOL)) if isinstance(found, bool) else found
        reader.builder.check(fits, LINALG_ERROR, words)
    other = numpy_call(reader, np.eye, (weak_dim(reader, shape_of(reader, matrix)[0]),), {})
    safe = numpy_call(reader, np.where, (fits, matrix, other), {})
    reader.session.safe.add(load(reader, safe).atom)
    return (safe, *args[1:])


def _scipys_check(reader: Reader, matrix: Abstract, *, is_lower: bool) -> Atom:
    """The test that SciPy factors a matrix, checked in SciPy's words."""
    failing = call_part(reader, linalg.failing_minor_of_scipy, (matrix if is_lower else reader.rules.attribute(matrix, "T"),), {})
    with building(reader.builder):
        fits = wrap(reader, failing).equals(0).atom
    reader.builder.check(fits, LINALG_ERROR, "{}-th leading minor of the array is not positive definite", as_atom(reader, failing))
    return fits


__all__ = ["tested"]
