"""`s2s verify`: the checks of `check_grads` at random points, as a table."""
from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from s2s.calls.argtypes import TypeLeaf, annotated_arguments, parse_arguments
from s2s.codegen.modules.call import Static
from s2s.errors import ArgumentTypeError, ArgumentValueError, GradientCheckError, KinkError
from s2s.tree_util import tree_flatten, tree_leaves, tree_map, tree_unflatten
from s2s.types import is_integer
from s2s.verification.checking import check_rows
from s2s.verification.gradient_checks import Options, Row

_POINTS = 4
"""How many points are tried where a function is not finite, or has a kink; the later ones are positive."""
Arguments = tuple[tuple[Any, ...], dict[str, Any]]


def verify_functions(
    functions: Sequence[tuple[str, Callable[..., Any]]], *, args: str | None, shapes: str | None, size: int, order: int, options: Options
) -> int:
    """Check each function, print a table for each and what is wrong. 0: all is right; 1: something is wrong.

    Raises
    ------
    ArgumentValueError, ArgumentTypeError
        Argument types or shapes that can't be read, or that the function does not take.
    """
    console = Console(soft_wrap=True)
    wrong = 0
    for name, function in functions:
        types = argument_types(function, args, shapes)
        rows, failure, point = _checked(function, types, size, order, options)
        console.print(_table(name, rows, point))
        if failure is not None:
            wrong += 1
            console.print(str(failure), markup=False, highlight=False)
    console.print(f"{len(functions) - wrong} of {len(functions)} functions verified" if len(functions) > 1 or not wrong else "not verified", style="red" if wrong else "green")
    return 1 if wrong else 0


def _checked(
    function: Callable[..., Any], types: Arguments, size: int, order: int, options: Options
) -> tuple[list[Row], GradientCheckError | None, str]:
    """The checks made at the first point that is fit for them, the first failure, and what the point was."""
    rows: list[Row] = []
    failure: GradientCheckError | None = None
    for number in range(_POINTS):
        positive = number >= _POINTS // 2
        args, kwargs = draw(types, size, np.random.default_rng(options.seed + number), positive=positive)
        rows, failure = [], None
        for row in check_rows(function, args, order, options, kwargs):
            rows.append(row)
            failure = row.failure or failure
            if failure is not None:
                break
        point = f"seed {options.seed + number}, {'positive ' if positive else ''}{_described(args, kwargs)}"
        unfit = isinstance(failure, KinkError) or (failure is not None and not np.isfinite(rows[-1].off))
        if not unfit:
            break
    return rows, failure, point


def _table(name: str, rows: list[Row], point: str) -> Table:
    table = Table(title=f"{escape(name)}  [dim]{escape(point)}[/]", title_justify="left", box=SIMPLE)
    for column, justify in (("check", "left"), ("worst result", "left"), ("off by", "right"), ("allowed", "right"), ("", "left")):
        table.add_column(column, justify=justify)  # type: ignore[arg-type]
    for row in rows:
        status = "[green]ok[/]" if row.failure is None else "[yellow]kink[/]" if isinstance(row.failure, KinkError) else "[red]wrong[/]"
        table.add_row(escape(row.check), escape(row.what), f"{row.off:.1e}", f"{row.allowed:.1e}", status)
    return table


def _described(args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Shapes of what was drawn: x (4,), n=3."""
    texts = [f"{np.asarray(leaf).dtype}{list(np.shape(leaf))}" if np.shape(leaf) else f"{leaf:.4g}" if isinstance(leaf, float) else str(leaf) for leaf in tree_leaves((args, kwargs))]
    return ", ".join(texts[:6]) + (" …" if len(texts) > 6 else "")


# ---- arguments ------------------------------------------------------------------------------------------------------


def argument_types(function: Callable[..., Any], args: str | None, shapes: str | None) -> Arguments:
    """Containers of TypeLeafs: of --args, else of the annotations, else float64 arrays of --shapes."""
    root = getattr(function, "root", function)
    namespace = getattr(root, "__globals__", {})
    try:
        types = annotated_arguments(root, namespace) if args is None else parse_arguments(args, namespace)
    except ArgumentTypeError:  # no annotations
        if shapes is None:
            raise
        return tuple(TypeLeaf(("f8" if shape else "f8*", shape)) for shape in _shapes(shapes)), {}
    return types if shapes is None else _with_shapes(types, _shapes(shapes))


def _shapes(text: str) -> list[tuple[int, ...]]:
    try:
        found = ast.literal_eval(f"[{text}]")
    except (SyntaxError, ValueError):
        found = None
    if isinstance(found, list) and all(isinstance(shape, tuple) and all(type(length) is int and length >= 0 for length in shape) for shape in found):
        return found
    raise ArgumentValueError(f"can't read the shapes {text!r}", instead="tuples with commas between, for example --shapes '(3, 4), (4,), ()'")


def _with_shapes(types: Arguments, shapes: list[tuple[int, ...]]) -> Arguments:
    """The arrays among the types with these sizes, in order."""
    leaves, treedef = tree_flatten(types)
    arrays = [number for number, leaf in enumerate(leaves) if isinstance(leaf, TypeLeaf) and leaf.kind[1]]
    if len(arrays) != len(shapes):
        raise ArgumentValueError(f"{len(shapes)} shapes for {len(arrays)} arrays", instead="one shape for each array of --args, in order")
    for number, shape in zip(arrays, shapes, strict=True):
        kind, sizes = leaves[number].kind
        if len(sizes) != len(shape):
            raise ArgumentValueError(f"the shape {shape} for an array with {len(sizes)} axes")
        leaves[number] = TypeLeaf((kind, shape))
    made: Arguments = tree_unflatten(treedef, leaves)
    return made


def draw(types: Arguments, size: int, rng: np.random.Generator, *, positive: bool = False) -> Arguments:
    """Random values of these types: normal, or between 0.5 and 1.5; `:` stands for `size`; integers are from 1 to 3."""
    made: Arguments = tree_map(lambda leaf: _drawn(leaf, size, rng, positive=positive), types)
    return made


def _drawn(leaf: Any, size: int, rng: np.random.Generator, *, positive: bool) -> Any:
    if isinstance(leaf, Static):
        return leaf.value
    if not isinstance(leaf, TypeLeaf):
        return leaf
    name, sizes = leaf.kind
    dtype = np.dtype(name.rstrip("*"))
    shape = tuple(size if length < 0 else length for length in sizes)
    if dtype.kind == "b":
        array = rng.integers(0, 2, shape).astype(bool)
    elif is_integer(dtype):
        array = rng.integers(1, min(4, size + 1), shape)
    else:
        array = rng.uniform(0.5, 1.5, shape) if positive else rng.normal(size=shape)
        if dtype.kind == "c":
            array = array + 1j * (rng.uniform(0.5, 1.5, shape) if positive else rng.normal(size=shape))
    value = np.asarray(array).astype(dtype)
    return value if shape or sizes else value.item() if name.endswith("*") else value[()]
