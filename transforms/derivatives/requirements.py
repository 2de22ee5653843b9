"""What differentiation demands of a program's arguments and results, with JAX's errors; what it demands of single values is in `differentiable.py`."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s import tree_util
from s2s.errors import NOWHERE, ArgumentTypeError, Location, UnsupportedError
from s2s.transforms.derivatives.differentiable import check_input_dtype, not_numeric, resolve_argnums
from s2s.transforms.ir.staged import Parameter, Result, Staged, Wording
from s2s.types import Array, Var, type_text


def parameter(staged: Staged, number: int) -> Parameter:
    """The positional parameter of this number."""
    positional = [each for each in staged.parameters if each.kind in ("positional", "star")]
    number = resolve_argnums(number, len(positional))  # type: ignore[assignment]
    return positional[number]


def check_inputs(name: str, of: Parameter, *, allow_int: bool, holomorphic: bool) -> None:
    """ArgumentTypeError unless every leaf of a program's parameter can be differentiated with respect to."""
    for leaf in tree_util.tree_leaves(of.tree):
        if not isinstance(leaf, Var | bool | int):  # ints may be known while the program is read
            raise not_numeric(name, leaf)
        dtype = leaf.type.dtype if isinstance(leaf, Var) else np.asarray(leaf).dtype
        check_input_dtype(name, dtype, allow_int=allow_int, holomorphic=holomorphic)


def refuse_lists(name: str, staged: Staged, output: Any) -> None:
    """Refuse to differentiate a list whose length is known only at run time: what there is of its tangents would be, too. A text has none."""
    worded = any(isinstance(part, Wording) for part in tree_util.tree_leaves(output, is_leaf=lambda part: isinstance(part, Wording)))
    if worded or any(isinstance(leaf, Result) and leaf.options for leaf in tree_util.tree_leaves(output)):
        raise UnsupportedError(f"{name} of a function that returns {'a text' if worded else 'one of several texts or members'}", where=staged.function.where, instead="has_aux, or the number alone")
    if any(isinstance(leaf, Result) and leaf.listed for leaf in tree_util.tree_leaves(output)):
        raise UnsupportedError(
            f"{name} of a function that returns a list whose length is known only at run time", where=staged.function.where,
            instead="return np.array(…) of it",
        )  # fmt: skip


def output_and_aux(name: str, staged: Staged, has_aux: bool) -> tuple[Any, Any]:
    """The result's tree, taken apart with has_aux; ArgumentTypeError unless it then is a pair."""
    result = staged.result
    if not has_aux:
        refuse_lists(name, staged, result)
        return result, None
    if not isinstance(result, tuple | list) or len(result) != 2:
        raise ArgumentTypeError(
            f"{name} with has_aux=True: expected function with aux output to return a two-element tuple, but got {described(staged, result)}",
            where=staged.function.where, instead="return (value, aux)",
        )  # fmt: skip
    output, aux = result
    refuse_lists(name, staged, output)
    return output, aux


def scalar_result(name: str, staged: Staged, output: Any, *, holomorphic: bool) -> int:
    """The number of the one result that is differentiated; ArgumentTypeError unless it is a scalar of the wanted kind."""
    where = staged.function.where
    if not isinstance(output, Result):
        raise ArgumentTypeError(f"Gradient only defined for scalar-output functions. Output was {described(staged, output)}.", where=where)
    type_ = staged.function.body.results[output.number].type
    if type_.ndim:
        shape = ", ".join(str(dim) for dim in type_.shape) + ("," if type_.ndim == 1 else "")
        raise ArgumentTypeError(
            f"Gradient only defined for scalar-output functions. Output had shape: ({shape}).", where=where,
            instead=f"return a scalar, for example np.sum(…); for all derivatives of an array use s2s.jacrev, s2s.vjp or s2s.jvp instead of {name}",
        )  # fmt: skip
    check_output_dtype(name, type_, holomorphic=holomorphic, where=where)
    return output.number


def check_output_dtype(name: str, type_: Array, *, holomorphic: bool, where: Location = NOWHERE) -> None:
    """ArgumentTypeError unless results of this dtype have gradients."""
    kind = type_.dtype.kind
    if holomorphic and kind != "c":
        raise ArgumentTypeError(f"{name} with holomorphic=True requires outputs with complex dtype, but got {type_.dtype}.", where=where)
    if not holomorphic and kind != "f":
        raise ArgumentTypeError(
            f"{name} requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got {type_.dtype}.", where=where,
            instead="for holomorphic differentiation, pass holomorphic=True; for other functions with complex outputs use s2s.vjp" if kind == "c"
            else "return a float; for functions with integer outputs use s2s.vjp",
        )  # fmt: skip


def described(staged: Staged, tree: Any) -> str:
    """A result's containers with the types of what is in them: (float64[], {'a': float64[n]})."""
    types = staged.function.body.results
    return repr(tree_util.tree_map(lambda leaf: _Text(type_text(types[leaf.number].type) if isinstance(leaf, Result) else repr(leaf)), tree))


class _Text:
    """A leaf that is printed as it is."""

    def __init__(self, text: object) -> None:
        self.text = str(text)

    def __repr__(self) -> str:
        return self.text
