"""A jitted function's way to machine code, step by step, under the names of jax.stages.

    jit(f).trace(*args)   Traced     the program
    jit(f).lower(*args)   Lowered    the emitted module
    ….compile()           Compiled   the module, ready for arguments of these shapes and dtypes
"""
from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.calls.jaxprs import jaxpr_for
from s2s.calls.leaves import example, has_type, like
from s2s.calls.making import check_placement
from s2s.calls.request import leaf_names, positional_names, request_of
from s2s.calls.shapes import eval_shape, program_for
from s2s.calls.specialisation import Specialisation
from s2s.calls.specialise import building
from s2s.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from s2s.host_devices import CPU
from s2s.not_here import refusing
from s2s.placement import SingleDeviceSharding, parts_of
from s2s.records import dataclass, field
from s2s.transforms.cost import cost_of
from s2s.transforms.jaxprs.syntax import ClosedJaxpr, ShapedArray
from s2s.tree_differences import structure_differences
from s2s.tree_keys import key_paths, keystr
from s2s.tree_util import PyTreeDef, tree_flatten, tree_leaves, tree_map, tree_structure, tree_unflatten
from s2s.types import type_of_value

_MACHINE = {"llvm": "inspect_llvm", "asm": "inspect_asm"}
_XLA = ("hlo", "mhlo", "stablehlo")


@dataclass(frozen=True)
class ArgInfo:
    """What an argument's array is like; `donated`: whether jit was told that it may be given up (it stays valid all the same).

    >>> import s2s
    >>> s2s.jit(np.sin).lower(np.ones(4)).args_info
    ((ArgInfo(shape=(4,), dtype=dtype('float64'), donated=False),), {})
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    donated: bool = False


@dataclass(frozen=True)
class MemoryStats:
    """Bytes that a call takes."""

    argument_size_in_bytes: int
    output_size_in_bytes: int
    temp_size_in_bytes: int = 0
    """Of arrays that the module allocates for the call and does not return. What NumPy's own functions take is not known."""
    alias_size_in_bytes: int = 0
    generated_code_size_in_bytes: int = 0
    host_argument_size_in_bytes: int = 0
    """The host is the device: all is counted above."""
    host_output_size_in_bytes: int = 0
    host_temp_size_in_bytes: int = 0
    host_alias_size_in_bytes: int = 0
    host_generated_code_size_in_bytes: int = 0


def _info(leaf: Any, donated: bool) -> ArgInfo:
    return ArgInfo(np.shape(leaf), np.asarray(leaf).dtype, donated)


def _aval(info: Any) -> ShapedArray:
    return ShapedArray(tuple(info.shape), np.dtype(info.dtype))


def _other_tree(wanted: PyTreeDef, found: PyTreeDef) -> str:
    """What JAX says of arguments of another structure."""
    said = [
        f"    * at {('args', 'kwargs')[path[0].idx]}{keystr(path[1:])}, seen {this} but now given {other}, so {why}"
        for path, this, other, why in structure_differences(wanted, found)
    ]
    listed = "\n".join(said)
    return f"Function compiled with input pytree does not match the input pytree it was called with. There are {len(said)} mismatches, including:\n{listed}"


@dataclass(eq=False)
class Stage:
    """A function and the arguments that the stage is made for: what all stages know."""

    fun: Any = field(repr=False)
    args: tuple[Any, ...] = field(repr=False)
    kwargs: dict[str, Any] = field(repr=False)

    @property
    def args_info(self) -> Any:
        """(args, kwargs) with an ArgInfo for each array or number."""
        args, kwargs = self.dynamic
        names, donated = positional_names(self.fun.signature, len(self.args)), self.fun.donated
        static = self.fun.statics_of(self.args)
        free = [name for name in names if name not in static]
        return (
            tuple(tree_map(lambda leaf, name=name: _info(leaf, name in donated), arg) for name, arg in zip(free, args, strict=True)),
            {name: tree_map(lambda leaf, name=name: _info(leaf, name in donated), arg) for name, arg in kwargs.items()},
        )

    @property
    def dynamic(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments that are not static."""
        static, names = self.fun.statics_of(self.args), positional_names(self.fun.signature, len(self.args))
        return (
            tuple(arg for name, arg in zip(names, self.args, strict=True) if name not in static),
            {name: arg for name, arg in self.kwargs.items() if name not in static},
        )

    @property
    def in_tree(self) -> PyTreeDef:
        """The structure of (args, kwargs), without the static ones."""
        return tree_structure(self.dynamic)

    @property
    def out_info(self) -> Any:
        """The result's container with a ShapeDtypeStruct for each array or number."""
        return eval_shape(self.fun, self.args, self.kwargs)

    @property
    def out_tree(self) -> PyTreeDef:
        """The structure of the result."""
        return tree_structure(self.out_info)

    @property
    def in_avals(self) -> Any:
        """(args, kwargs) with the type of each array or number."""
        return tree_map(_aval, self.args_info)

    @property
    def out_avals(self) -> Any:
        """The result's container with the type of each array or number."""
        return tree_map(_aval, self.out_info)

    @property
    def donate_argnums(self) -> tuple[int, ...]:
        """Which of the arrays and numbers jit was told that may be given up."""
        return tuple(number for number, info in enumerate(tree_leaves(self.args_info)) if info.donated)

    def cost_analysis(self) -> dict[str, float]:
        """What a call does: "flops", "transcendentals" and "bytes accessed", counted from the program as if no array were left out."""
        function, values = program_for(self.fun, self.args, self.kwargs)
        cost = cost_of(function, [np.shape(value) for value in values])
        return {"flops": float(cost.flops), "transcendentals": float(cost.transcendentals), "bytes accessed": float(cost.bytes_accessed)}


class Traced(Stage):
    """A function read for arguments of these types.

    >>> import s2s
    >>> traced = s2s.jit(lambda x: x * 2.0).trace(s2s.ShapeDtypeStruct((3,), "float64"))
    >>> traced.out_info
    ShapeDtypeStruct(shape=(3,), dtype=float64)
    """

    @property
    def fun_name(self) -> str:
        """The function's name."""
        return str(getattr(self.fun, "__name__", self.fun.name))

    @property
    def jaxpr(self) -> ClosedJaxpr:
        """The program in JAX's notation, for exactly these sizes (docs/jaxpr.md)."""
        return jaxpr_for(self.fun.fun, self.fun.options.static_argnums, (), self.args, self.kwargs)[0]

    def as_text(self) -> str:
        """The program."""
        return str(self.fun.program(*self.args, **self.kwargs))

    def lower(self) -> Lowered:
        """The module that is emitted for it."""
        return Lowered(self.fun, self.args, self.kwargs)


class Lowered(Stage):
    """A module emitted for arguments of these types.

    >>> import s2s
    >>> lowered = s2s.jit(lambda x: x @ x).lower(s2s.ShapeDtypeStruct((3,), "float64"))
    >>> lowered.cost_analysis()["flops"], "def lambda__jit(x)" in lowered.as_text()
    (6.0, True)
    """

    def as_text(self, dialect: str | None = None, *, debug_info: bool = False) -> str:
        """The module: "python" (default), the program it was made of: "program", or what its kernels are compiled to: "llvm", "asm".

        `debug_info`: accepted; the user's lines stand in the module as comments.

        Raises
        ------
        ArgumentValueError
            Another dialect, or machine code of a module without kernels (target="numpy").
        """
        del debug_info
        if dialect in (None, "python"):
            text: str = self.fun.source(*self.args, **self.kwargs)
            return text
        if dialect == "program":
            return str(self.fun.program(*self.args, **self.kwargs))
        if dialect in _MACHINE:
            return self.compile().as_text(dialect)
        raise _unknown(dialect, '"python", "program", "llvm" or "asm"')

    def as_hlo_text(self, print_large_constants: bool = False) -> str:
        """The module's text, under the name that XLA's has on what `xla_computation` gives."""
        del print_large_constants
        return self.as_text()

    def compiler_ir(self, dialect: str | None = None) -> Any:
        """What `as_text` prints, as an object: the emitted module's `ast.Module` ("python", default), or the program ("program").

        Raises
        ------
        ArgumentValueError
            Another dialect.
        """
        if dialect in (None, "python"):
            return ast.parse(self.as_text())
        if dialect == "program":
            return self.fun.program(*self.args, **self.kwargs)
        raise _unknown(dialect, '"python" or "program"; as_text gives "llvm" and "asm"')

    def compile(self, compiler_options: Any = None, *, device_assignment: Any = None) -> Compiled:
        """The module, its kernel compiled for arguments of these types. Nothing is run.

        Raises
        ------
        UnsupportedError
            `compiler_options`: Numba's stand in the emitted module. Devices other than the CPU's.
        """
        check_placement(next(iter(device_assignment or ()), None), None, compiler_options)
        compiled = Compiled(self.fun, self.args, self.kwargs)
        compiled.prepare()
        return compiled


class Compiled(Stage):
    """A function for arguments of exactly these shapes and dtypes.

    >>> import s2s
    >>> compiled = s2s.jit(lambda x: x * 2.0, target="numpy").lower(np.zeros(2)).compile()
    >>> compiled(np.array([1.0, 2.0]))
    array([2., 4.])
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function's result.

        Raises
        ------
        ArgumentTypeError
            A TypeError: another structure, or arrays of other shapes or dtypes than it was compiled for.
        """
        leaves, treedef = tree_flatten((args, kwargs))
        if treedef != self.in_tree:
            raise ArgumentTypeError(_other_tree(self.in_tree, treedef))
        wanted = tree_leaves(self.dynamic)
        static, positional = self.fun.statics_of(self.args), positional_names(self.fun.signature, len(self.args))
        free = [name for name in positional if name not in static]
        names = [(free[path[1].idx] if path[0].idx == 0 else str(path[1].key)) + keystr(path[2:]) for path in key_paths(treedef)]
        wrong = [
            f"Argument {name!r} compiled with {type_of_value(one)} and called with {type_of_value(two)}" for name, one, two in zip(names, wanted, leaves, strict=True) if type_of_value(one) != type_of_value(two)
        ]
        if wrong:
            raise ArgumentTypeError(f"Argument types differ from the types for which this computation was compiled. The mismatches are:\n{chr(10).join(wrong)}")
        given = iter(args)
        every = [arg if name in static else next(given) for name, arg in zip(positional, self.args, strict=True)]
        return self.fun(*every, **{name: arg for name, arg in self.kwargs.items() if name in static}, **kwargs)

    def as_text(self, dialect: str = "asm") -> str:
        """What the kernels are compiled to: "asm" or "llvm"."""
        if dialect not in _MACHINE:
            raise _unknown(dialect, '"asm" or "llvm"')
        kernels = self._kernels()
        if not kernels:
            raise ArgumentValueError(f"{dialect} of a module without kernels", why="NumPy runs its array expressions", instead='as_text("python") of the Lowered')
        return "\n".join(text for kernel in kernels for text in getattr(kernel, _MACHINE[dialect])().values())

    def prepare(self) -> None:
        """Have the kernel compiled that the module's public function calls, unless it is."""
        fun, (args, kwargs) = self.fun, tree_map(like, (self.args, self.kwargs))
        request = request_of(fun, args, kwargs)
        found = fun.specialisation(request, args)
        if not _kernels_of(found) or any(kernel.signatures for kernel in _kernels_of(found)):
            return
        from s2s.calls.first_kernel import first_kernel  # with Numba

        called = first_kernel(found, request)
        if called is not None:
            vars(found.module)[called[0]].compile(called[1])

    def _kernels(self) -> list[Any]:
        """The compiled kernels of the module."""
        self.prepare()
        fun, args, kwargs = self.fun, self.args, self.kwargs
        return [kernel for kernel in _kernels_of(fun.specialisation(request_of(fun, args, kwargs), args)) if kernel.signatures]

    @property
    def input_shardings(self) -> Any:
        """(args, kwargs) with what jit was told of each array, or the one device that there is."""
        told, (args, kwargs) = self._told()[0], self.args_info
        return _laid(told, args), _laid(None, kwargs)

    @property
    def output_shardings(self) -> Any:
        """The result's container with the same."""
        return _laid(self._told()[1], self.out_info)

    def _told(self) -> tuple[Any, Any]:
        told: tuple[Any, Any] = tree_unflatten(*getattr(self.fun, "shardings", (tree_structure((None, None)), ())))
        return told

    def memory_analysis(self) -> MemoryStats:
        """Bytes of the arguments, of the results and of the arrays in between; no argument's memory is used for a result."""
        size = lambda tree: sum(int(np.prod(leaf.shape)) * np.dtype(leaf.dtype).itemsize for leaf in tree_flatten(tree)[0])  # noqa: E731 - of both
        request = request_of(self.fun, self.args, self.kwargs)
        hidden = self.fun.specialisation(request, self.args).look() or ()
        shape = request.shape(leaf_names(self.fun, self.args, request.treedef))
        return MemoryStats(size(self.args_info), size(self.out_info), building().temporary_bytes(self.fun, shape, request.leaves, hidden))

    def runtime_executable(self) -> Callable[..., Any]:
        """The emitted module's public function."""
        found = self.fun.specialisation(request_of(self.fun, self.args, self.kwargs), self.args)
        public: Callable[..., Any] = getattr(found.module, self.fun.public_name)
        return public


def _kernels_of(found: Specialisation) -> list[Any]:
    return [each for name, each in vars(found.module).items() if name.startswith("_") and hasattr(each, "inspect_asm")]


def _laid(told: Any, tree: Any) -> Any:
    """A container with the sharding of each array."""
    here = SingleDeviceSharding(CPU)
    if told is None:
        return tree_map(lambda _: here, tree)
    given, parts = parts_of("jit", tree, told)
    each = [sharding or here for sharding, part in zip(given, parts, strict=True) for _ in tree_leaves(part)]
    return tree_unflatten(tree_structure(tree), each)


def _unknown(dialect: str | None, instead: str) -> ArgumentValueError:
    return ArgumentValueError(f"unknown dialect: {dialect}", why="what a function is lowered to is Python, compiled by Numba: there is no XLA" if dialect in _XLA else "", instead=instead)


def trace(fun: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Traced:
    """jit(f).trace(*args): the function read for arguments of these types."""
    args, kwargs = tree_map(example, (args, kwargs), is_leaf=has_type)
    fun.check_call(args, kwargs)
    try:
        eval_shape(fun, args, kwargs)
    except UnsupportedError:
        program_for(fun, args, kwargs)  # what can't be read says so here; a size that depends on numbers is none of it
    return Traced(fun, args, kwargs)


__all__ = ["ArgInfo", "Compiled", "Lowered", "Traced"]

__getattr__ = refusing(__name__)
