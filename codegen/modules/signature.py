"""The head of a public function: its parameters' names, and the docstring that tells their types and the result's."""
from __future__ import annotations

import builtins
from collections.abc import Iterator

import numpy as np

from s2s.codegen.language.expressions import Number
from s2s.codegen.language.lines import WIDTH
from s2s.codegen.language.names import OWN_FUNCTIONS
from s2s.codegen.lowering.kernel import table
from s2s.codegen.modules import trees
from s2s.codegen.modules.given import Given
from s2s.hidden import fetch
from s2s.transforms.ir.staged import Hidden, Own, Parameter, Result, Staged
from s2s.types import Array, Var

_OWN = "s2s.transforms.read.composed."
"""Where functions of our own are whose tables belong to no user."""

MODULE_NAMES = frozenset({"np", "scipy", "njit", "prange", "index", *OWN_FUNCTIONS, *dir(builtins)})
"""Names that the public function uses or that would confuse a reader: no local variable is called so."""


def signature_names(staged: Staged) -> tuple[str, ...]:
    """The public function's parameter names, one for each Parameter, then one for each hidden input: the user's, but for
    those that would hide a name which the function uses (max, np).
    """
    names = trees.Names(set(MODULE_NAMES))
    return tuple(names.fresh(name) for name in (*(p.name for p in staged.parameters), *(h.param.name for h in staged.hidden)))


def apart_in_memory(staged: Staged) -> list[tuple[Var, Var]]:
    """(one, other) for array parameters that must not share memory, each pair once: the function writes into the first."""
    arrays = list(dict.fromkeys(var for var in staged.function.params if var.type.ndim))
    written = list(dict.fromkeys(var for var, _ in staged.mutated if var in arrays))
    pairs = [(one, other) for number, one in enumerate(written) for other in arrays if other not in written[: number + 1]]
    return [*pairs, *(pair for pair in staged.separate if pair not in pairs and set(pair) <= set(arrays))]


def argument_names_in_order(staged: Staged) -> tuple[tuple[str, str], ...]:
    """(public name, kind) of each Parameter: how a call hands them over."""
    return tuple((name, parameter.kind) for name, parameter in zip(signature_names(staged), staged.parameters, strict=False))


def parameter_list(staged: Staged, signature: tuple[str, ...]) -> list[str]:
    """The items between the parentheses of the def."""
    items: list[str] = []
    keyword = False
    for name, parameter in zip(signature, staged.parameters, strict=False):
        if parameter.kind in ("keyword", "starstar") and not keyword:
            items, keyword = [*items, "*"], True
        items.append(name)
    hidden = [f"{name}={name}" if own_table(each) is not None else name for name, each in _hidden(staged, signature)]
    return [*items, *(["*"] if hidden and not keyword else []), *hidden]


def tables(staged: Staged) -> Iterator[str]:
    """The lines that make the tables which functions of our own read: the module brings them along, as its function's defaults."""
    for name, hidden in _hidden(staged, signature_names(staged)):
        held = own_table(hidden)
        if held is not None:
            yield from table(name, list(map(Number, held.ravel().tolist())), held.shape, held.dtype)


def own_table(hidden: Hidden) -> np.ndarray | None:
    """What a hidden input holds, where it is a table of a function of our own."""
    (kind, base), *_ = hidden.access.steps
    if kind != "object" or not str(getattr(base, "__module__", "")).startswith(_OWN):
        return None
    found = fetch(None, hidden.access)
    return found if isinstance(found, np.ndarray) else None


def _hidden(staged: Staged, signature: tuple[str, ...]) -> Iterator[tuple[str, Hidden]]:
    return zip(signature[len(staged.parameters) :], staged.hidden, strict=True)


def docstring(staged: Staged, signature: tuple[str, ...]) -> list[str]:
    """The docstring: the arguments' types and the result's, on one line where it fits."""
    dims = _DimNames(staged.function.params)

    def var_type(var: Var) -> str:
        if var in staged.columns:
            return f"{trees.type_text(var.type.with_shape(var.type.shape[::-1]), dims)} in Fortran order"
        return trees.type_text(var.type, dims)

    hidden = [Parameter(h.param.name, h.param) for h in staged.hidden]
    arguments = [
        f"{name}: {trees.tree_text(parameter.tree, var_type)}"
        for name, parameter in zip(signature, (*staged.parameters, *hidden), strict=True)
    ]
    results = trees.tree_text(staged.result, lambda result: _result_doc(staged, result, dims))
    text = [_in_docstring(part) for part in (*arguments, f"-> {results}")]
    line = f'    """{", ".join(text[:-1])} {text[-1]}"""'
    if len(line) <= WIDTH and not text[-1].endswith('"'):
        return [line]
    return [f'    """{text[0]}', *(f"    {part}" for part in text[1:]), '    """']


def _result_doc(staged: Staged, result: Result | Given | Own, dims: _DimNames) -> str:
    if isinstance(result, Own):
        return "a container of the arguments"
    if isinstance(result, Given):
        return trees.type_text(result.type, dims)
    atom = staged.function.body.results[result.number]
    text = trees.type_text(atom.type, dims)
    if result.options:
        return " | ".join(dict.fromkeys(trees.tree_text(option, str) for option in result.options))
    if result.listed == "lists" or result.listed == "tolist" and atom.type.ndim > 1:
        return f"list of lists of {trees.type_text(Array(atom.type.dtype, atom.type.shape[2:], result.listed == 'tolist'), dims)}"
    if result.listed:
        return f"list of {trees.type_text(Array(atom.type.dtype, atom.type.shape[1:], result.listed == 'tolist'), dims)}"
    return f"{atom.name}: {text}" if isinstance(atom, Var) and atom.name.endswith(("_bar", "_dot")) else text


class _DimNames:
    """Dimensions' names in a docstring: distinct Vars have distinct names."""

    def __init__(self, params: tuple[Var, ...]) -> None:
        self.names: dict[Var, str] = {}
        self.scope = trees.Names({param.name for param in params if param.type.ndim})

    def __call__(self, dim: int | Var) -> str:
        if isinstance(dim, int):
            return str(dim)
        if dim not in self.names:
            self.names[dim] = self.scope.fresh(dim.name)
        return self.names[dim]


def _in_docstring(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', "'''")
