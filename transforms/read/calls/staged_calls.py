"""Calls of transformed functions: their staged programs are functions of the program that is read."""
from __future__ import annotations

import dataclasses
import inspect
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from s2s import tree_nodes
from s2s.containers import attributes_of
from s2s.errors import S2SError
from s2s.hidden import fetch
from s2s.outside import Access
from s2s.records import dataclass, replace
from s2s.transforms.ir.jitted import Jitted, are_kept, kept_apart, python_name
from s2s.transforms.ir.program import dims_of
from s2s.transforms.ir.staged import Cut, NoTangent, Result, Rows, Staged, refuse_changes, refuse_objects, refuse_stores, renumbered
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.read.callables import FUNCTIONS
from s2s.transforms.read.calls.helpers import Container, Helper, append_call, hidden_value
from s2s.transforms.read.calls.hidden import enter, whole
from s2s.transforms.read.calls.lifted import Lifted, Passed
from s2s.transforms.read.calls.signatures import Copier, Same, Signature
from s2s.transforms.read.describing import describe
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import is_contiguous, load, may_share, new_array
from s2s.transforms.read.storage.cells import note_made_of
from s2s.transforms.read.storage.views import in_order
from s2s.transforms.read.values import Abstract, DictRef, ListRef, ObjectRef, Pooled, Steps, View, dict_kind, remake
from s2s.tree_util import tree_leaves
from s2s.types import FLOAT0, Atom, Var

_DEPTH: ContextVar[int] = ContextVar("s2s_staged_calls", default=0)
_DEPTH_LIMIT = 20
"""Transformed functions inside transformed functions, before it is called a recursion that does not end."""


@dataclass(frozen=True, eq=False)
class Prepared:
    """A staged program and the helper that calls it. `params`: what stood for the call's leaves. `second`: the pullback, or
    linear map, that goes with it.
    """

    staged: Staged
    helper: Helper
    params: tuple[Var, ...]
    second: Staged | None = None


Stage = Callable[[tuple[Var, ...], tuple[Any, ...], dict[str, Any]], tuple[Staged, Staged | None]]


def call_staged(reader: Reader, thing: Any, steps: Steps | None, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of jit(f), grad(f), …: its staged program is called."""
    prepared, leaves = prepare(reader, thing, steps, args, kwargs, key_of_staged(thing), lambda *given: (thing.stage(*given), None))
    if prepared.staged.changes:  # jit changes them as the function does
        return reader.rules.call(enter(reader, thing.fun, (("object", thing.fun),)), args, kwargs)
    result = append(reader, prepared, leaves, thing)
    if prepared.staged.aliased:
        _note_aliases(reader, result, leaves)
    return result


def _note_aliases(reader: Reader, result: Abstract, leaves: list[Abstract]) -> None:
    """A jitted or checkpointed function is the function itself to Python: what it returns may share storage with its arguments."""
    own = {leaf.cell for leaf in leaves if isinstance(leaf, View)}
    signature = Signature(reader)
    signature.key(result)
    for made in signature.leaves:
        for leaf in leaves:
            if isinstance(made, View) and isinstance(leaf, View) and made.cell not in own:
                note_made_of(reader, made.cell, leaf.cell)


def append(reader: Reader, prepared: Prepared, leaves: list[Abstract], thing: Any) -> Abstract:
    """Append the call of a prepared program with these leaves."""
    root = getattr(thing, "root", thing)
    captured = root.leaves if isinstance(root, Lifted) else {}
    staged, helper = prepared.staged, prepared.helper
    given = dict(zip(prepared.params, leaves, strict=False))
    given.update((hidden.param, hidden_value(reader, access, captured)) for hidden, access in zip(staged.hidden, helper.hidden, strict=True))
    if any(_may_share(reader, given.get(one), given.get(two)) for one, two in staged.separate):
        raise reader.unsupported(
            "the derivative of a function that writes into an argument, called with the same array for another one", "a copy of one of them",
            "it treats them as separate variables",
        )  # fmt: skip
    if any(_may_share(reader, given.get(one), given.get(two)) for one, two in staged.distinct):
        raise reader.unsupported("a transformed function that asks whether two arrays are one, called with the same array for both", "a copy of one of them", "its program treats them as two")
    for written, _ in staged.mutated:
        if any(_may_share(reader, given[written], other) for var, other in given.items() if var is not written):
            raise reader.unsupported(
                "a transformed function that writes into an argument, called with the same array for another one", "a copy of one of them",
                "its program treats them as separate arrays",
            )  # fmt: skip
    for var in staged.in_order:
        if not (is_contiguous(reader, given[var]) or in_order(reader, given[var], needed=True)):
            raise reader.unsupported(
                "a transformed function that stores through a reshape of an argument, called with an array whose order in memory is not known", "a copy of it",
            )  # fmt: skip
    return append_call(reader, helper, leaves, captured)


def _may_share(reader: Reader, one: Abstract, two: Abstract) -> bool:
    """Whether these are, or may be, arrays in the same storage."""
    return isinstance(one, View) and isinstance(two, View) and may_share(reader, one.cell, two.cell)


def snapshots(reader: Reader, prepared: Prepared, thing: Any) -> tuple[Abstract, ...]:
    """What a prepared program's hidden inputs are now, whatever is stored into them later."""
    root = getattr(thing, "root", thing)
    captured = root.leaves if isinstance(root, Lifted) else {}
    found = [hidden_value(reader, access, captured) for access in prepared.helper.hidden]
    return tuple(new_array(reader, load(reader, value).atom) if isinstance(value, View) else value for value in found)


def prepare(
    reader: Reader, thing: Any, steps: Steps | None, args: tuple[Abstract, ...], kwargs: dict[str, Abstract], key: Any, stage: Stage
) -> tuple[Prepared, list[Abstract]]:
    """The staged program for a call of `thing` (found by `steps`), and the call's leaves; made once for equal signatures."""
    signature = Signature(reader)
    question = (key, steps, tuple(signature.key(arg) for arg in args), tuple((name, signature.key(arg)) for name, arg in kwargs.items()))
    leaves = signature.leaves
    if isinstance(getattr(thing, "root", thing), Lifted):  # what it captures may have changed
        return _prepare(reader, thing, steps, args, kwargs, stage), leaves
    functions = reader.session.functions
    if question not in functions:
        functions[question] = _prepare(reader, thing, steps, args, kwargs, stage)
    return functions[question], leaves


def key_of_staged(thing: Any) -> Any:
    """Equal for transformations that do the same to the same function."""
    rewrite = getattr(thing, "rewrite", None)
    if rewrite is None:
        return Same(thing)
    return (rewrite.name, repr(sorted(rewrite.params.items())), repr(thing.options), key_of_staged(thing.fun))


def _prepare(reader: Reader, thing: Any, steps: Steps | None, args: tuple[Abstract, ...], kwargs: dict[str, Abstract], stage: Stage) -> Prepared:
    inner = reader.nested(reader.frame, new_builder())
    copier = Copier(reader, inner)
    real_args = tuple(_real(inner, copier.copy(arg, name)) for arg, name in zip(args, _argument_names(thing, len(args)), strict=True))
    real_kwargs = {key: _real(inner, copier.copy(arg, key)) for key, arg in kwargs.items()}
    jitted = are_kept() and _is_jitted(thing)
    with _one_deeper(reader), kept_apart(are_kept() and _is_shown(thing)):
        staged, second = stage(tuple(copier.params), real_args, real_kwargs)
    if jitted and not thing.inline and not staged.mutated:
        staged = replace(staged, function=replace(staged.function, rule=_jitted(thing, staged, copier.params, (real_args, real_kwargs))))
    refuse_stores(staged, "a call of a transformed function")
    if isinstance(getattr(thing, "fun", None), Lifted) or not _is_jitted(thing):
        refuse_changes(staged, "a call of a transformed function")
    refuse_objects(staged, "a call of a transformed function")
    steps = (("object", thing),) if steps is None else steps
    for guard in staged.guards:
        reader.session.guard((*steps, *guard.access.steps), guard.value)
    accesses = tuple(_access_from(reader, thing, steps, each.access) for each in staged.hidden)
    mutated = tuple((staged.function.params.index(var), number) for var, number in staged.mutated)
    return Prepared(staged, helper_of(staged, mutated, accesses, len(copier.params)), tuple(copier.params), second)


def _is_jitted(thing: Any) -> bool:
    """Whether it is what jit made, of functions that jit made: no derivative is taken."""
    return getattr(thing, "rewrite", None) is not None and thing.rewrite.is_jit and (thing.inner is None or _is_jitted(thing.inner))


def _is_shown(thing: Any) -> bool:
    """Whether a jaxpr shows all that it is made by as calls: jit and pmap."""
    return getattr(thing, "rewrite", None) is not None and thing.rewrite.is_shown and (thing.inner is None or _is_shown(thing.inner))


def _jitted(thing: Any, staged: Staged, params: list[Var], args: Any) -> Jitted:
    """The mark of a jitted function, whose arguments' leaves stand in order (the keys of dicts sorted)."""
    own = {param: number for number, param in enumerate(params)}
    order = dict.fromkeys(own[leaf] for leaf in tree_leaves(args) if isinstance(leaf, Var) and leaf in own)
    return Jitted(python_name(thing.root), tuple(order), tuple(range(len(params), len(staged.function.params))))


def _argument_names(thing: Any, count: int) -> list[str]:
    """The parameters' names of the user's function, as far as it has any (jvp's tangents come behind them)."""
    try:
        signature = getattr(thing, "signature", None) or inspect.signature(thing)
    except (TypeError, ValueError):  # a built-in without one
        signature = inspect.Signature()
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [each.name for each in signature.parameters.values() if each.kind in kinds]
    return [*names, *(f"x{number}" for number in range(len(names), count))][:count]


@contextmanager
def _one_deeper(reader: Reader) -> Iterator[None]:
    """Refuse endless nesting."""
    if _DEPTH.get() >= _DEPTH_LIMIT:
        raise reader.unsupported(
            "a transformed function that calls a transformation of itself without an end that is known while reading", "a loop",
            "a recursion whose depth depends on run-time values has no fixed program",
        )
    token = _DEPTH.set(_DEPTH.get() + 1)
    try:
        with placed(reader):
            yield
    finally:
        _DEPTH.reset(token)


@contextmanager
def placed(reader: Reader) -> Iterator[None]:
    """Give errors that know no place the one that is read."""
    try:
        yield
    except S2SError as error:
        if not error.where.line:
            error.where = reader.builder.where
        raise


def _access_from(reader: Reader, thing: Any, steps: Steps, access: Access) -> Access:
    """The access from the function that is read, where `thing` was found by `steps`."""
    if access.steps[0][0] == "captured":
        return access
    path = access if access.steps[0][0] == "object" else Access((*steps, *access.steps))
    if path not in reader.session.hidden_types:
        reader.session.hidden_types[path] = fetch(thing, access)
    return path


def helper_of(staged: Staged, mutated: tuple[tuple[int, int], ...], hidden: tuple[Access, ...], arrays: int) -> Helper:
    """The helper that calls a staged program. A program of its own need not return the sizes of its results; a call binds
    them, so they become results too, before all that have them.
    """
    function = staged.function
    body = function.body
    known = {dim for param in function.params for dim in (param, *dims_of((param,)))}
    sizes = dict.fromkeys(dim for dim in dims_of(body.results) if dim not in known)
    order: tuple[Atom, ...] = (*sizes, *(atom for atom in body.results if atom not in sizes))
    if order != body.results:
        function = replace(function, body=replace(body, results=order))
    size_places = {size: number for number, size in enumerate(sizes)}
    rest = itertools.count(len(sizes))
    places = tuple(size_places[atom] if isinstance(atom, Var) and atom in sizes else next(rest) for atom in body.results)
    result = entered(staged.result, places)
    written = tuple((param, places[number]) for param, number in mutated)
    return Helper(function, result, written, hidden, size_places, function.params, arrays, renumbered(staged.origins, places))


def passed(reader: Reader, value: Abstract, *, nodes: bool = False) -> Abstract:
    """An argument with its functions, and objects that are no containers, wrapped: they are captured, not taken apart. `nodes`: of the user's registered
    classes those are containers that hold no float that is known: it may be of their data.
    """
    if isinstance(value, tuple):
        return remake(value, [passed(reader, item, nodes=nodes) for item in value])
    if nodes and isinstance(value, Pooled):
        raise reader.unsupported(f"{describe(reader, value)} of which only the run knows which one it is, as an argument of a function that is transformed", "arrays")
    plain = isinstance(value, ObjectRef) and not (dataclasses.is_dataclass(value.kind) or nodes and tree_nodes.is_node_class(value.kind) and not _holds_known_floats(reader, value))
    return Passed(value) if plain or isinstance(value, FUNCTIONS) else value


def _holds_known_floats(reader: Reader, value: Abstract) -> bool:
    content = reader.heap[value] if isinstance(value, ListRef | DictRef | ObjectRef) else value
    items = content.values() if isinstance(content, dict) else content if isinstance(content, tuple) else ()
    return isinstance(value, float) or any(_holds_known_floats(reader, item) for item in items)


def _is_container(kind: type) -> bool:
    """Whether objects of a class are containers of arrays, as arguments and results of transformed functions are."""
    return dataclasses.is_dataclass(kind) or tree_nodes.is_node_class(kind)


def holds_passed(value: Abstract) -> bool:
    """Whether anything in it was wrapped."""
    return any(holds_passed(item) for item in value) if isinstance(value, tuple) else isinstance(value, Passed)


def _real(inner: Reader, value: Abstract) -> Any:
    """An abstract value as a real container of Vars."""
    if isinstance(value, View):
        return inner.heap[value.cell]
    if isinstance(value, tuple):
        return remake(value, [_real(inner, item) for item in value])
    if isinstance(value, ListRef):
        return [_real(inner, item) for item in inner.heap[value]]
    if isinstance(value, DictRef):
        return value.kind({key: _real(inner, item) for key, item in inner.heap[value].items()})
    if isinstance(value, ObjectRef) and _is_container(value.kind):
        made: Any = object.__new__(value.kind)
        for key, item in inner.heap[value].items():
            object.__setattr__(made, key, _real(inner, item))
        return made
    return whole(inner, value)


def entered(tree: Any, places: tuple[int, ...]) -> Abstract:
    """A staged result tree as `helpers.unpacked` takes it; `places`: where the helper returns each result."""
    if isinstance(tree, Result):
        return replace(tree, number=places[tree.number])
    if isinstance(tree, tuple):
        return remake(tree, [entered(item, places) for item in tree])
    if isinstance(tree, list):
        return Container(ListRef(), [entered(item, places) for item in tree])
    if isinstance(tree, dict):
        return Container(DictRef(kind=dict_kind(tree)), {key: entered(item, places) for key, item in tree.items()})
    if isinstance(tree, NoTangent):
        return np.zeros((), FLOAT0)
    if isinstance(tree, Rows | Cut):
        return tree
    if _is_container(type(tree)):
        return Container(ObjectRef(kind=type(tree)), {key: entered(item, places) for key, item in attributes_of(tree).items()})
    return tree


__all__ = ["append", "call_staged", "helper_of", "holds_passed", "passed", "placed", "prepare"]
