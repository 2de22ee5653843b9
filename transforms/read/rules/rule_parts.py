"""One function of a custom rule, read as a function of the program, and what its results are checked against.

    f_jvp(primals, tangents)   ->   def f_jvp(x: f8[n], x_dot: f8[n]): … return out, out_dot
"""
from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType
from typing import Any

import libcst as cst
import numpy as np

from s2s.errors import Location, S2SError
from s2s.outside import Access
from s2s.records import dataclass
from s2s.transforms.ir.program import Function, free_vars
from s2s.transforms.ir.staged import Result
from s2s.transforms.primitives import structural
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.callables import FUNCTIONS, Closure, Ruled
from s2s.transforms.read.calls.functions import call_inline, doc_of
from s2s.transforms.read.calls.helpers import Container, Kinds, ResultPacker
from s2s.transforms.read.calls.hidden import hidden_input
from s2s.transforms.read.calls.lifted import Capture, name_of, signature_of
from s2s.transforms.read.describing import missing_error
from s2s.transforms.read.failures import NeedsInline, Suppressed, fail_if_errors
from s2s.transforms.read.flow.binding import bind_python
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import agreed, cast, retyped
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load, new_array
from s2s.transforms.read.storage.cells import settle
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.syntax.frame import Frame, scope_for
from s2s.transforms.read.syntax.scope import NONE, Scope
from s2s.transforms.read.syntax.source import tree_of
from s2s.transforms.read.values import (
    Abstract,
    DictRef,
    ListRef,
    Missing,
    ObjectRef,
    Outside,
    View,
    is_atom,
    is_number,
    number_literal,
    remake,
)
from s2s.types import Array, Atom, Dim, Var, is_float, kind_of, type_text

NO_TANGENT = np.zeros((), np.dtype([("float0", np.void, 0)]))
"""The tangent of an integer or bool: it holds nothing."""


def is_nothing(value: Abstract) -> bool:
    """Whether it is such a tangent."""
    return isinstance(value, np.ndarray) and value.dtype.itemsize == 0


class Part:
    """A function being read apart: a reader of its own, into which the values of a call are copied as parameters."""

    def __init__(self, caller: Reader, name: str) -> None:
        root = caller.frame.root()
        self.name = name
        self.where: Location = caller.builder.where
        self.doc = ""
        frame = Frame(root.tree, Scope((), NONE, NONE), name, root.python, root.steps)
        self.inner = caller.nested(frame, new_builder())
        self.inner.builder.where = caller.builder.where
        self.capture = Capture(caller, self.inner)
        self.seeds: list[Var] = []
        """Parameters behind the copied ones: tangents, or cotangents."""

    @property
    def params(self) -> list[Var]:
        """The parameters that are copies of the caller's leaves."""
        return self.capture.params

    def copy(self, value: Abstract, name: str) -> Abstract:
        """A value of the caller as parameters."""
        return self.capture.copy(value, name)

    def seed(self, value: Abstract, suffix: str) -> Abstract:
        """The container of tangents (or cotangents) of a value in this part: a new parameter for each float."""
        return mapped(self.inner, value, lambda leaf: self._seed_of(leaf, suffix))

    def _seed_of(self, leaf: Abstract, suffix: str) -> Abstract:
        if isinstance(leaf, View):
            loaded = load(self.inner, leaf)
            return self.new_seed(f"{leaf.cell.name}{suffix}", loaded.type)
        return self.new_seed(f"{leaf.name if isinstance(leaf, Var) else 'value'}{suffix}", leaf.type) if is_atom(leaf) else NO_TANGENT

    def new_seed(self, name: str, type_: Array) -> Abstract:
        """One such parameter; NO_TANGENT for integers."""
        if not is_float(type_.dtype):
            return NO_TANGENT
        seed = Var(name, type_.strong())
        self.seeds.append(seed)
        self.inner.named.add(seed)
        return new_array(self.inner, seed, name) if type_.shape else seed

    # ---- reading ----------------------------------------------------------------------------------------------------

    def read(self, function: Abstract, args: tuple[Abstract, ...]) -> Abstract:
        """What function(*args) returns; raises what it does wrong."""
        inner = self.inner
        before = dict(inner.heap)
        result: Abstract = None
        try:
            result = self._called(function, args)
        except S2SError as error:
            inner.errors.append(error)
        except Suppressed:
            if not inner.errors:
                raise
        except NeedsInline:
            inner.errors.append(inner.unsupported(f"a change of a list, dict or object of the caller by {self.name}", "a function that returns the new one"))
        note = f"while reading {self.name}, part of a custom derivative rule, called at {self.where}"
        for each in inner.errors:
            if note not in getattr(each, "__notes__", ()):
                each.add_note(note)
        fail_if_errors(inner)
        if inner.raised:
            raise inner.unsupported(f"{self.name}, which always raises, as a function with a custom derivative rule")
        settle(inner)
        for cell in (*self.capture.cells, *(view.cell for view in inner.hidden_views.values() if isinstance(view, View))):
            if cell is not None and inner.heap[cell] is not before.get(cell, cell.initial):
                raise inner.unsupported(f"a store into {cell.name} by {self.name}, part of a custom derivative rule", "a function that returns the new array")
        inner.builder.where = self.where
        return result

    def _called(self, function: Abstract, args: tuple[Abstract, ...]) -> Abstract:
        inner = self.inner
        if isinstance(function, Closure):
            self.where = function.tree.where(function.node)
        if not (isinstance(function, Outside) and isinstance(function.object, FunctionType)):
            return inner.rules.call(function, args)
        python = function.object
        tree = tree_of(python)
        self.where, self.doc = tree.where(tree.node), doc_of(python)
        names = bind_python(inner, python, function.steps, args, {})
        frame = Frame(tree, scope_for(tree.node), python.__name__, python, function.steps)
        frame.names.update(names)
        return call_inline(inner, frame, tree.node, python.__name__)

    # ---- the function -----------------------------------------------------------------------------------------------

    def hidden_params(self, accesses: list[Access]) -> list[Var]:
        """A parameter for each of these hidden inputs."""
        for access in accesses:
            hidden_input(self.inner, access, self.inner.session.hidden_types[access])
        return [self.inner.hidden[access] for access in accesses]

    def function(self, params: tuple[Var, ...], results: tuple[Atom, ...]) -> Function:
        """What was read."""
        name = self.inner.session.function_name(self.name)
        return Function(name, params, self.inner.builder.block(*results), self.where, self.doc, None, derived=False)

    def unbound_sizes(self, params: tuple[Var, ...], results: tuple[Atom, ...]) -> tuple[Var, ...]:
        """The sizes that are read, but are no dimension of a parameter."""
        known = {*params, *(dim for param in params for dim in param.type.shape if isinstance(dim, Var))}
        return tuple(var for var in free_vars(self.inner.builder.block(*results)) if var not in known)


def title(function: Abstract) -> str:
    """A function's name as Python shows it."""
    if isinstance(function, Closure):
        return "<lambda>" if isinstance(function.node, cst.Lambda) else function.name
    return getattr(function.object, "__name__", name_of(function)) if isinstance(function, Outside) else name_of(function)


# ---- containers -----------------------------------------------------------------------------------------------------------


def mapped(reader: Reader, value: Abstract, function: Any) -> Abstract:
    """A new container of function(leaf) for each leaf; None stays None."""
    if value is None:
        return None
    if isinstance(value, tuple):
        return remake(value, [mapped(reader, item, function) for item in value])
    if isinstance(value, ListRef):
        content = reader.heap[value]
        if isinstance(content, Grown):
            raise reader.unsupported("a list whose length is known only at run time, at a function with a custom derivative rule", "an array")
        return reader.new_list([mapped(reader, item, function) for item in content])
    if isinstance(value, DictRef):
        return reader.new_dict({key: mapped(reader, item, function) for key, item in reader.heap[value].items()}, value.kind)
    if isinstance(value, ObjectRef):
        ref = ObjectRef(kind=value.kind)
        reader.heap[ref] = {key: mapped(reader, item, function) for key, item in reader.heap[value].items()}
        return ref
    return function(value)


def flatten(reader: Reader, value: Abstract) -> tuple[list[Abstract], Any]:
    """The leaves, and the structure: equal for containers of the same kinds, lengths and keys."""
    leaves: list[Abstract] = []
    return leaves, _structure(reader, value, leaves)


def _structure(reader: Reader, value: Abstract, leaves: list[Abstract]) -> Any:
    if value is None:
        return None
    children = children_of(reader, value)
    if children is None:
        leaves.append(value)
        return "*"
    kind = type(value) if isinstance(value, tuple) else list if isinstance(value, ListRef) else value.kind
    return (kind, *((key, _structure(reader, child, leaves)) for key, child in children))


def children_of(reader: Reader, value: Abstract) -> list[tuple[Any, Abstract]] | None:
    """The children of a container by key, a dict's in the order of its sorted keys; None for a leaf."""
    if isinstance(value, tuple):
        return list(enumerate(value))
    if isinstance(value, ListRef):
        content = reader.heap[value]
        return None if isinstance(content, Grown) else list(enumerate(content))
    if isinstance(value, DictRef):
        return sorted(reader.heap[value].items(), key=dict_order)
    return list(reader.heap[value].items()) if isinstance(value, ObjectRef) else None


def dict_order(item: tuple[Any, Any]) -> Any:
    """The place of a dict's item among its leaves."""
    return str(type(item[0])), item[0]


def shown(structure: Any) -> str:
    """A structure as text: (*, {'a': *})."""
    return _shown(structure, iter(()))


def shown_types(structure: Any, leaves: list[str]) -> str:
    """A structure as text, with these texts at its leaves."""
    return _shown(structure, iter(leaves))


def _shown(structure: Any, leaves: Iterator[str]) -> str:
    if structure is None:
        return "None"
    if structure == "*":
        return next(leaves, "*")
    kind, *children = structure
    texts = [(key, _shown(child, leaves)) for key, child in children]
    if kind is tuple:
        return f"({', '.join(text for _, text in texts)}{',' if len(children) == 1 else ''})"
    if kind is list:
        return f"[{', '.join(text for _, text in texts)}]"
    if issubclass(kind, dict):
        return "{" + ", ".join(f"{key!r}: {text}" for key, text in texts) + "}"
    return f"{kind.__name__}({', '.join(text for _, text in texts)})"


def side_by_side(reader: Reader, like: Abstract, other: Reader, value: Abstract) -> list[tuple[Abstract, Abstract]] | None:
    """(leaf of `like`, leaf of `value`); None in `value` stands for a whole container or leaf. None for other structures."""
    if value is None:
        return [(leaf, None) for leaf in flatten(reader, like)[0]]
    children, others = children_of(reader, like), children_of(other, value)
    if children is None:
        return [(like, value)] if others is None and like is not None else None
    if others is None or type(like) is not type(value) or getattr(like, "kind", None) is not getattr(value, "kind", None):
        return None
    if [key for key, _ in children] != [key for key, _ in others]:
        return None
    pairs: list[tuple[Abstract, Abstract]] = []
    for (_, child), (_, item) in zip(children, others, strict=True):
        inner = side_by_side(reader, child, other, item)
        if inner is None:
            return None
        pairs += inner
    return pairs


# ---- types ------------------------------------------------------------------------------------------------------------------


def as_atom(reader: Reader, leaf: Abstract) -> Atom | None:
    """A leaf as an atom; None if it is no number or array."""
    if isinstance(leaf, Missing):
        raise missing_error(reader, leaf)
    if isinstance(leaf, View):
        return load(reader, leaf).atom
    if is_number(leaf):
        return number_literal(leaf)
    return leaf if is_atom(leaf) else None


def fits(found: Array, wanted: Array, *, any_float: bool = False) -> bool:
    """Whether a value may stand for one of the wanted type: the same dtype (or any that becomes a float) and rank, no sizes that are
    known to differ.
    """
    kinds = {"f": "f", "c": "fc"}.get(wanted.dtype.kind, kind_of(wanted.dtype))
    same = found.dtype == wanted.dtype or (found.weak and found.ndim == 0 and kind_of(found.dtype) in kinds)
    same = same or any_float and (wanted.dtype.kind == "c" or found.dtype.kind != "c")
    return same and found.ndim == wanted.ndim and not any(
        isinstance(a, int) and isinstance(b, int) and a != b for a, b in zip(found.shape, wanted.shape, strict=True)
    )


def as_type(reader: Reader, atom: Atom, wanted: Array, shape: tuple[Dim | None, ...], message: str) -> Atom:
    """The atom with this dtype, and with these dimensions, which are checked at run time where they are not known to be equal;
    None stands for the atom's own.
    """
    with building(reader.builder):
        value = reader.value(atom)
        if atom.type.weak != wanted.weak or atom.type.dtype != wanted.dtype:
            value = cast(value, wanted.dtype, weak=wanted.weak)
        dims = tuple(
            own if wanted is None else agreed(reader.builder, (wanted, own), message) for own, wanted in zip(value.shape, shape, strict=True)
        )
        return retyped(value, dims).atom


class Packer(ResultPacker):
    """Results of a function with a rule: arrays and containers of their own; floats known while reading are results too."""

    def __init__(self, part: Part) -> None:
        params = {*part.params, *part.inner.hidden.values()}
        super().__init__(part.inner, params, part.capture.cells, {})
        self.part = part
        self.aliases: list[tuple[int, int]] = []
        """(result, parameter) that are the same storage in plain Python."""

    def pack(self, value: Abstract) -> Abstract:
        """The tree with Result leaves."""
        if isinstance(value, View):
            return Result(self._array(value))
        if is_number(value) and is_float(number_literal(value).type.dtype):
            return Result(self.add(number_literal(value)))
        if isinstance(value, Missing):
            raise missing_error(self.reader, value)
        if isinstance(value, FUNCTIONS):
            raise self.reader.unsupported(f"{self.part.name}, which has a custom derivative rule and returns a function", "return arrays and numbers")
        try:
            return super().pack(value)
        except NeedsInline:  # of a function without a rule the kind is found at the place of the call
            what = "an array without axes on one path and a number on another, or an enumeration's member"
            raise self.reader.unsupported(f"{self.part.name}, which has a custom derivative rule and returns {what}", "return a number: x * 1.0, int(x)") from None

    def _array(self, view: View) -> int:
        value: Value = load(self.reader, view)
        if view.cell in self.param_cells or view.cell in self.seen:
            number = self.add(structural.copy(value).atom)
            if view.cell in self.part.capture.cells:
                self.aliases.append((number, self.part.capture.cells.index(view.cell)))
            return number
        self.seen.add(view.cell)
        return self.add(value.atom)

    def _pack_ref(self, ref: Any) -> Abstract:
        if isinstance(ref, ListRef):
            return Container(ref, [self.pack(item) for _, item in children_of(self.reader, ref) or ()])
        return Container(ref, {key: self.pack(item) for key, item in self.reader.heap[ref].items()})


@dataclass(frozen=True)
class Expected:
    """What the function returns, for its rules to agree with. `leaves`: Result or a static value; `types`: of all results;
    `sizes`: the results that are dimensions of others.
    """

    tree: Any
    leaves: tuple[Any, ...]
    structure: Any
    types: tuple[Array, ...]
    sizes: dict[Var, int]

    @staticmethod
    def of(reader: Reader, result: Abstract, tree: Any, packer: Packer) -> Expected:
        """What a function returned, packed as `tree`."""
        leaves = tuple(_packed_leaves(tree))
        if any(isinstance(leaf, Kinds) for leaf in leaves):
            raise reader.unsupported("a function with a rule of its own that returns arrays of several ranks or dtypes", "one kind of array on all paths")
        return Expected(tree, leaves, flatten(reader, result)[1], tuple(atom.type for atom in packer.results), packer.sizes)

    def described(self) -> str:
        """The structure with types at its leaves."""
        return shown_types(self.structure, [type_text(self.types[leaf.number]) if isinstance(leaf, Result) else repr(leaf) for leaf in self.leaves])


def _packed_leaves(tree: Any) -> Iterator[Any]:
    """The leaves of a packed tree, in the order of `flatten`."""
    if tree is None:
        return
    if isinstance(tree, tuple):
        for item in tree:
            yield from _packed_leaves(item)
    elif isinstance(tree, Container):
        items: Any = list(enumerate(tree.content)) if isinstance(tree.content, list) else list(tree.content.items())
        for _, item in sorted(items, key=dict_order) if isinstance(tree.like, DictRef) else items:
            yield from _packed_leaves(item)
    else:
        yield tree


def filled(reader: Reader, tree: Any, leaf: Any) -> Abstract:
    """A container like a packed tree, with leaf(number) for its results."""
    if isinstance(tree, Result):
        return leaf(tree.number)
    if isinstance(tree, tuple):
        return remake(tree, [filled(reader, item, leaf) for item in tree])
    if not isinstance(tree, Container):
        return tree
    if isinstance(tree.like, ListRef):
        return reader.new_list([filled(reader, item, leaf) for item in tree.content])
    ref = type(tree.like)(None, tree.like.kind)
    reader.heap[ref] = {key: filled(reader, item, leaf) for key, item in tree.content.items()}
    return ref


def copied(part: Part, ruled: Ruled, given: tuple[Abstract, ...]) -> tuple[Ruled, list[Abstract]]:
    """The function and its arguments as a part's own; parameters are made in this order everywhere."""
    signature = signature_of(ruled.fun)
    names = [each.name for each in signature.parameters.values() if each.kind is not each.VAR_POSITIONAL] if signature is not None else []
    own = part.copy(ruled, ruled.name)
    return own, [part.copy(arg, names[k] if k < len(names) else f"x{k}" if len(given) > 1 else "x") for k, arg in enumerate(given)]
