"""Functions of np.linalg and scipy.linalg inside of a `try` that catches their LinAlgError: the matrix is looked at before, and another one is given to them where it is none of theirs."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any

import numpy as np

from s2s.errors import LINALG_ERROR
from s2s.transforms.ir.program import Equation, Node
from s2s.transforms.read.calls.composed import call_part
from s2s.transforms.read.calls.numpy_calls import numpy_call
from s2s.transforms.read.composed import linalg
from s2s.transforms.read.flow.caught import catches
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.flow.unwinding import MATRICES
from s2s.transforms.read.installed import NUMPY_2_5, SCIPY_1_18
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.structured import KINDS
from s2s.transforms.read.numpys_words import numpys_words
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load, shape_of
from s2s.transforms.read.values import Abstract, View
from s2s.transforms.read.wrapping import as_atom, weak_dim, wrap
from s2s.types import BOOL, FLOAT32, FLOAT64, Array, Atom, Literal

TESTS: dict[Any, tuple[Callable[..., Any], str]] = {
    np.linalg.cholesky: (linalg.is_positive_definite, "Matrix is not positive definite"),
    np.linalg.inv: (linalg.is_regular, "Singular matrix"), np.linalg.solve: (linalg.is_regular, "Singular matrix"),
    **dict.fromkeys((np.linalg.eig, np.linalg.eigvals), (linalg.is_finite, "Array must not contain infs or NaNs")),
    **dict.fromkeys((np.linalg.eigh, np.linalg.eigvalsh), (linalg.gives_eigenvalues, "Eigenvalues did not converge")),
    **dict.fromkeys((np.linalg.svd, np.linalg.svdvals, np.linalg.pinv, np.linalg.norm), (linalg.is_finite if NUMPY_2_5 else linalg.has_no_nan, "SVD did not converge")),
    np.linalg.lstsq: (linalg.has_no_nan, "SVD did not converge in Linear Least Squares"),
}  # fmt: skip
_OF_STACKS = (np.linalg.inv, np.linalg.solve)
"""Which of several matrices is at fault they do not say."""
_OF_FINITE = (np.linalg.eigh, np.linalg.eigvalsh, np.linalg.svd, np.linalg.pinv, np.linalg.lstsq)
"""What they do with infinities is not known before."""
_FACTORS = ("cholesky", "cho_factor")
"""Of scipy.linalg."""
_OF_FINITE_ONLY = ("eigh", "eigvalsh", "svd", "svdvals", "pinv", "lstsq", "eig", "eigvals", "schur")
"""Of scipy.linalg: ValueError of what is not finite, and steps that end of what is."""
_SOLVES = ("solve", "inv", "solve_triangular")
"""Of scipy.linalg: a matrix is told to have a structure, and what stands outside of that is not read."""
_SINGULAR = "A singular matrix detected: slice(s) [0] are singular."
_SINGULAR_BAND = _SINGULAR if SCIPY_1_18 else "Matrix is singular."
_INDEFINITE = "Internal potrf return info = [{}] for slices [0]." if SCIPY_1_18 else "{}-th leading minor of the array is not positive definite"
_NOT_DEFINITE = "The leading minor of order {} of B is not positive definite. The factorization of B could not be completed and no eigenvalues or eigenvectors were computed."


def tested(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[Abstract, ...]:
    """The arguments of such a call, with a matrix that it surely takes."""
    if not reader.catching or not catches(reader, np.linalg.LinAlgError) or not args:
        return args
    name = getattr(function, "__name__", "")
    is_scipys = (getattr(function, "__module__", None) or "").startswith("scipy.linalg.")
    if is_scipys and name in ("eigh", "eigvalsh") and (len(args) > 1 or "b" in kwargs):
        return _of_two(reader, function, args, kwargs)
    if not (_is_matrix(reader, args[0]) or function in _OF_STACKS and _is_stack(reader, args[0])):
        return args
    if is_scipys and name in _OF_FINITE_ONLY:
        if kwargs.get("check_finite", True) is True and (len(args) == 1 or name == "lstsq"):
            reader.session.safe.add(load(reader, args[0]).atom)
        return args
    if is_scipys and name not in (*_FACTORS, *_SOLVES) or not is_scipys and (function not in TESTS or _fails_otherwise(function, args[1:], kwargs)):
        return args
    _check_shapes(reader, function, args, kwargs)
    fits = _fits_scipy(reader, function, args, kwargs) if is_scipys else _fits_numpy(reader, function, args, kwargs)
    return args if fits is None else (_safe(reader, args[0], fits), *args[1:])


def trust(reader: Reader, nodes: Sequence[Node]) -> None:
    """What such a call made of a matrix that it surely takes does not fail."""
    for node in nodes:
        if isinstance(node, Equation) and node.primitive in MATRICES:
            reader.session.safe.add(node.ins[0])
        for block in node.blocks:
            trust(reader, block.nodes)


def _is_matrix(reader: Reader, value: Abstract) -> bool:
    return isinstance(value, View) and len(shape_of(reader, value)) == 2 and load(reader, value).dtype == FLOAT64


def _is_stack(reader: Reader, value: Abstract) -> bool:
    """Whether it is a matrix of another precision, or several of them."""
    return isinstance(value, View) and len(shape_of(reader, value)) >= 2 and load(reader, value).dtype in (FLOAT32, FLOAT64)


def _unit(reader: Reader, matrix: Abstract) -> Abstract:
    """A matrix of the same shape that all of them take, or a stack of it."""
    shape = tuple(weak_dim(reader, dim) for dim in shape_of(reader, matrix))
    unit = numpy_call(reader, np.eye, shape[-2:], {"dtype": wrap(reader, matrix).dtype})
    if len(shape) > 2:
        unit = numpy_call(reader, np.broadcast_to, (unit, shape), {})
    reader.session.safe.add(load(reader, unit).atom)
    return unit


def _safe(reader: Reader, matrix: Abstract, fits: Atom) -> Abstract:
    """The matrix, or another one where it does not fit."""
    safe = numpy_call(reader, np.where, (fits, matrix, _unit(reader, matrix)), {})
    reader.session.safe.add(load(reader, safe).atom)
    return safe


def _check_shapes(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract], other: Abstract = None) -> None:
    """What is said of shapes, which comes before what is said of elements: of matrices that they surely take; of the result nothing is computed."""
    began = len(reader.builder.nodes)
    with numpys_words(reader, function, args, kwargs):
        numpy_call(reader, function, tuple(_unit(reader, arg) if number == 0 or arg is other else arg for number, arg in enumerate(args)), kwargs)
    trust(reader, reader.builder.nodes[began:])


def _fits_numpy(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Atom:
    matrix = args[0]
    if function in _OF_FINITE and not (function is np.linalg.svd and kwargs.get("compute_uv") is False):
        _check_infinities(reader, function, matrix)
    test, words = TESTS[function]
    found = truth_of(reader, call_part(reader, test, (matrix,), {}))
    fits = Literal(found, Array(BOOL)) if isinstance(found, bool) else found
    reader.builder.check(fits, LINALG_ERROR, words)
    return fits


def _fits_scipy(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Atom | None:
    """Whether a function of scipy.linalg takes its matrix; None where that is not known, or sure."""
    try:
        given = signature(function).bind(*args, **kwargs).arguments
    except TypeError:  # it is raised by the call
        return None
    matrix, lower, structure = given["a"], given.get("lower", False), given.get("assume_a")
    if not isinstance(lower, bool | int) or not (structure is None or structure in KINDS):
        return None
    match function.__name__:
        case "solve" | "inv":
            words = _SINGULAR_BAND if structure == "banded" else _SINGULAR
            return _check_place(reader, linalg.irregular, words, (matrix, "general" if structure is None else KINDS[structure], bool(lower)), -1)
        case "solve_triangular":
            return None if given.get("unit_diagonal", False) else _check_place(reader, linalg.zero_on_diagonal, "singular matrix: resolution failed at diagonal {}", (matrix,), -1)
        case _:
            read = matrix if lower else reader.rules.attribute(matrix, "T")
            return _check_place(reader, linalg.failing_minor_of_scipy, _INDEFINITE, (read,), 0)


def _of_two(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[Abstract, ...]:
    """scipy.linalg.eigh and eigvalsh of two matrices: the second one has a factor, or is another."""
    second, lower = args[1] if len(args) > 1 else None, kwargs.get("lower", True)
    if not _is_matrix(reader, args[0]) or not _is_matrix(reader, second) or not isinstance(lower, bool | int) or kwargs.get("check_finite", True) is not True:
        return args
    _check_shapes(reader, function, args, kwargs, second)
    read = second if lower else reader.rules.attribute(second, "T")
    fits = _check_place(reader, linalg.failing_minor_of_scipy, _NOT_DEFINITE, (read,), 0)
    return (args[0], _safe(reader, second, fits), *args[2:])


def _fails_otherwise(function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> bool:
    """Whether these arguments behind the matrix ask for something that is not in the table."""
    if function is np.linalg.norm:
        order = args[0] if args else kwargs.get("ord")
        return len(args) > 1 or "axis" in kwargs or not isinstance(order, int | str) or order not in (2, -2, "nuc")
    return function in (np.linalg.svd, np.linalg.pinv) and ("hermitian" in kwargs or len(args) > (2 if function is np.linalg.svd else 1))


def _check_infinities(reader: Reader, function: Any, matrix: Abstract) -> None:
    what = f"np.linalg.{function.__name__} inside of a `try` that catches its LinAlgError, of a matrix with an infinity"
    found = truth_of(reader, call_part(reader, linalg.has_no_infinity, (matrix,), {}))
    reader.builder.check(Literal(found, Array(BOOL)) if isinstance(found, bool) else found, "NotImplementedError", f"{what} is not supported")


def _check_place(reader: Reader, test: Callable[..., Any], words: str, args: tuple[Abstract, ...], none: int) -> Atom:
    """The test that SciPy takes a matrix, by the place at fault that `test` finds (or `none`), checked in SciPy's words."""
    failing = call_part(reader, test, args, {})
    with building(reader.builder):
        fits = wrap(reader, failing).equals(none).atom
    reader.builder.check(fits, LINALG_ERROR, words, *[as_atom(reader, failing)] * words.count("{}"))
    return fits


__all__ = ["tested", "trust"]
