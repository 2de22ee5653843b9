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
    **dict.fromkeys((np.linalg.eig, np.linalg.eigvals), (linalg.is_finite, "Array must not contain infs or NaNs")),
    **dict.fromkeys((np.linalg.eigh, np.linalg.eigvalsh), (linalg.gives_eigenvalues, "Eigenvalues did not converge")),
    **dict.fromkeys((np.linalg.svd, np.linalg.svdvals, np.linalg.pinv, np.linalg.norm), (linalg.has_no_nan, "SVD did not converge")),
    np.linalg.lstsq: (linalg.has_no_nan, "SVD did not converge in Linear Least Squares"),
}  # fmt: skip
_OF_FINITE = (np.linalg.eigh, np.linalg.eigvalsh, np.linalg.svd, np.linalg.pinv, np.linalg.lstsq)
"""What they do with infinities is not known before."""
_FACTORS = ("cholesky", "cho_factor")
"""Of scipy.linalg."""
_OF_FINITE_ONLY = ("eigh", "eigvalsh", "svd", "svdvals", "pinv", "lstsq", "eig", "eigvals", "schur")
"""Of scipy.linalg: ValueError of what is not finite, and steps that end of what is."""
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
    is_scipys = (name in _FACTORS or name in _SCIPYS_TESTS or name in _OF_FINITE_ONLY or name == "lu_solve") and (getattr(function, "__module__", None) or "").startswith("scipy.linalg.")
    if not reader.catching or not is_scipys and function not in TESTS or not catches(reader, np.linalg.LinAlgError):
        return args
    if is_scipys and name == "lu_solve":
        raise reader.unsupported("scipy.linalg.lu_solve inside of a `try` that catches a LinAlgError", "scipy.linalg.solve", "of a singular matrix it gives infinities")
    matrix = args[0] if args else None
    if not isinstance(matrix, View) or len(shape_of(reader, matrix)) != 2 or load(reader, matrix).dtype != FLOAT64:
        return args
    if is_scipys and name in _OF_FINITE_ONLY:
        if kwargs.get("check_finite", True) is True and "b" not in kwargs and (len(args) == 1 or name == "lstsq"):
            reader.session.safe.add(load(reader, matrix).atom)
        return args
    if is_scipys and name in _SCIPYS_TESTS:
        if len(args) > 2 or any(word in kwargs for word in _OTHER_WAYS[name]):
            return args
        fits = _check_place(reader, *_SCIPYS_TESTS[name], (matrix,), -1)
    elif is_scipys:
        is_lower = bool(args[1] if len(args) > 1 else kwargs.get("lower", False))
        fits = _check_place(reader, linalg.failing_minor_of_scipy, "{}-th leading minor of the array is not positive definite", (matrix if is_lower else reader.rules.attribute(matrix, "T"),), 0)
    else:
        if _fails_otherwise(function, args[1:], kwargs):
            return args
        if function in _OF_FINITE and not (function is np.linalg.svd and kwargs.get("compute_uv") is False):
            _check_infinities(reader, function, matrix)
        test, words = TESTS[function]
        found = truth_of(reader, call_part(reader, test, (matrix,), {}))
        fits = Literal(found, Array(BOOL)) if isinstance(found, bool) else found
        reader.builder.check(fits, LINALG_ERROR, words)
    other = numpy_call(reader, np.eye, tuple(weak_dim(reader, dim) for dim in shape_of(reader, matrix)), {})
    safe = numpy_call(reader, np.where, (fits, matrix, other), {})
    reader.session.safe.add(load(reader, safe).atom)
    return (safe, *args[1:])


def _fails_otherwise(function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> bool:
    """Whether these arguments behind the matrix ask for something that is not in the table."""
    if function is np.linalg.norm:
        order = args[0] if args else kwargs.get("ord")
        return len(args) > 1 or "axis" in kwargs or not isinstance(order, int | str) or order not in (2, -2, "nuc")
    return function in (np.linalg.svd, np.linalg.pinv) and ("hermitian" in kwargs or len(args) > (2 if function is np.linalg.svd else 1))


def _check_infinities(reader: Reader, function: Any, matrix: Abstract) -> None:
    what = f"np.linalg.{function.__name__} inside of a `try` that catches its LinAlgError, of a matrix with an infinity"
    if catches(reader, NotImplementedError):
        raise reader.unsupported(what, "an `except np.linalg.LinAlgError`")
    found = truth_of(reader, call_part(reader, linalg.has_no_infinity, (matrix,), {}))
    reader.builder.check(Literal(found, Array(BOOL)) if isinstance(found, bool) else found, "NotImplementedError", f"{what} is not supported")


def _check_place(reader: Reader, test: Callable[..., Any], words: str, args: tuple[Abstract, ...], none: int) -> Atom:
    """The test that SciPy takes a matrix, by the place at fault that `test` finds (or `none`), checked in SciPy's words."""
    failing = call_part(reader, test, args, {})
    with building(reader.builder):
        fits = wrap(reader, failing).equals(none).atom
    reader.builder.check(fits, LINALG_ERROR, words, *[as_atom(reader, failing)] * words.count("{}"))
    return fits


__all__ = ["tested"]
