"""Helpers: lambdas over `np` and arrays, run on Values by the reader's functions, then interpreted."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import nodes
import numpy as np

from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import Function
from s2s.transforms.ir.verify import verify
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy import operators
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.table import ARRAY_ATTRIBUTES, ARRAY_METHODS, NUMPY_FUNCTIONS
from s2s.types import SIZE, Array, Literal, Var, literal


class Traced:
    """A Value with Python's operators and NumPy's methods: lets a lambda be run on Values and on arrays alike."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __getattr__(self, name: str) -> Any:
        if name in ARRAY_ATTRIBUTES:
            return wrap(ARRAY_ATTRIBUTES[name](self.value))
        return lambda *args, **kwargs: wrap(ARRAY_METHODS[name](self.value, *unwrap(args), **unwrap(kwargs)))

    def __getitem__(self, key: Any) -> Any:
        from s2s.transforms.read.numpy.parts import get

        return wrap(get(self.value, unwrap(key)))

    def __neg__(self) -> Any:
        return wrap(operators.unary("-", self.value))

    def __pos__(self) -> Any:
        return wrap(operators.unary("+", self.value))

    def __invert__(self) -> Any:
        return wrap(operators.unary("~", self.value))

    def __iter__(self) -> Any:
        raise TypeError("not iterable")

    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]


def _operator(op: str, reflected: bool) -> Callable[..., Any]:
    call = operators.compare if op in operators.COMPARE else operators.binary
    return lambda self, other: wrap(call(op, *((unwrap(other), self.value) if reflected else (self.value, unwrap(other)))))


for _op, _name in {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul", "&": "and",
                   "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift"}.items():  # fmt: skip
    setattr(Traced, f"__{_name}__", _operator(_op, False))
    setattr(Traced, f"__r{_name}__", _operator(_op, True))
for _op, _name in {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}.items():
    setattr(Traced, f"__{_name}__", _operator(_op, False))


def wrap(result: Any) -> Any:
    if isinstance(result, Value):
        return Traced(result)
    if isinstance(result, tuple | list):
        return type(result)(wrap(item) for item in result)
    return result


def unwrap(tree: Any) -> Any:
    match tree:
        case Traced():
            return tree.value
        case TracedFunction():
            return tree.original
        case tuple() | list():
            return type(tree)(unwrap(item) for item in tree)
        case dict():
            return {key: unwrap(item) for key, item in tree.items()}
        case slice():
            return slice(unwrap(tree.start), unwrap(tree.stop), unwrap(tree.step))
    return tree


class TracedNumPy:
    """`np`, whose functions are those of the table."""

    def __init__(self, module: Any = np) -> None:
        self.module = module

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.module, name)
        if name == "linalg":
            return TracedNumPy(found)
        if isinstance(found, np.ufunc) or callable(found):
            return TracedFunction(found)
        return found


class TracedFunction:
    """A function of the table; as an argument, the function or type itself."""

    def __init__(self, original: Any) -> None:
        self.original = original

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return wrap(NUMPY_FUNCTIONS[self.original](*unwrap(args), **unwrap(kwargs)))


def parameter(name: str, value: Any, static: bool, sizes: dict[str, Var]) -> Var:
    """The Var that the API makes of an argument: a symbol for each length but 1, Python numbers weak."""
    if isinstance(value, np.ndarray):
        dims = tuple(int(n) if static or n == 1 else sizes.setdefault(f"{name}{k}", Var(f"{name}{k}", SIZE)) for k, n in enumerate(value.shape))
        return Var(name, Array(value.dtype, dims))
    if isinstance(value, np.generic):
        return Var(name, Array(value.dtype))
    return Var(name, literal(value).type)


def run(function: Callable[..., Any], *args: Any, static: bool = False) -> list[Any]:
    """function(np, *args) read as a program and interpreted; the results, flat."""
    program = program_of(function, *args, static=static)
    with np.errstate(all="ignore"):
        found = interpret(program, *args)
    return [Typed(value, atom.type) for value, atom in zip(found, program.body.results, strict=True)]


def program_of(function: Callable[..., Any], *args: Any, static: bool = False) -> Function:
    """The program of function(np, *args), verified."""
    builder = new_builder()
    params = tuple(parameter("abcdefghijkl"[k], arg, static, {}) for k, arg in enumerate(args))
    for param in params:
        for dim in param.type.shape:
            if isinstance(dim, Var):
                builder.know_size(dim)
    with building(builder):
        results = flat(unwrap(function(TracedNumPy(), *(Traced(Value(builder, param)) for param in params))))
        atoms = tuple(result.atom if isinstance(result, Value) else static_atom(result) for result in results)
    program = nodes.Function("f", params, builder.block(*atoms))
    verify(program)
    return program


class Typed:
    def __init__(self, value: Any, type_: Array) -> None:
        self.value, self.type = value, type_


def static_atom(result: Any) -> Literal:
    return literal(result.item(), result.dtype) if isinstance(result, np.generic) else literal(result)


def flat(tree: Any) -> list[Any]:
    if isinstance(tree, tuple | list):
        return [leaf for item in tree for leaf in flat(item)]
    return [tree]


def check(function: Callable[..., Any], *args: Any, rtol: float = 1e-13, static: bool | None = None) -> None:
    """function(np, *args) equals what its program computes, in value, dtype, shape and weakness."""
    with np.errstate(all="ignore"):
        expected = flat(function(np, *args))
    for is_static in (False, True) if static is None else (static,):
        found = run(function, *args, static=is_static)
        assert len(found) == len(expected)
        for got, want in zip(found, expected, strict=True):
            array = np.asarray(want)
            assert got.type.dtype == array.dtype, (got.type, array.dtype)
            assert np.shape(got.value) == array.shape, (np.shape(got.value), array.shape)
            if not isinstance(want, complex | bool):  # complex + np.float64 is a Python complex
                assert got.type.weak == (type(want) in (int, float, bool)), (got.type, type(want))
            single = array.dtype in (np.float32, np.complex64)
            size = np.max(np.abs(array), initial=0.0, where=np.isfinite(array)) if single else 0.0  # BLAS adds in an order of its own: what cancels has that error
            tolerance = {"rtol": max(rtol, 2e-5) if single else rtol, "atol": max(1e-300, 1e-7 * float(size))}
            if array.dtype.kind in "fc":
                np.testing.assert_allclose(got.value, array, **tolerance)
            else:
                np.testing.assert_array_equal(got.value, array)
