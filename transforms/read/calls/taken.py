"""What the caller has and the function changes: taken into the heap at the start, its changes are stored at the end of each call.

    global count; count += 1        a box that holds `count`
    nonlocal count; count += 1      a box that holds `cell_contents`, where the function around has been left
    self.state = …                  an object like those that are made while reading
    table["n"] += 1                 a dict of the same items

What lives outside of the function is that object, under guards; a container of the arguments (`changed.py`) is another one in each call, found by the
steps to it. That something is stored into is found while reading (`StoredOutside`), and the function read again. Ints among what is stored are inputs of run time.
"""
from __future__ import annotations

from collections.abc import Callable
from types import BuiltinFunctionType, CellType, FunctionType
from typing import Any

import numpy as np

from s2s.containers import attributes_of
from s2s.errors import UnsupportedError
from s2s.outside import CONTENT, Access, Itself, Place
from s2s.transforms.ir.staged import Picked
from s2s.transforms.read.calls.hidden import ask, attribute_steps, enter, hidden_input
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.syntax.frame import Taken
from s2s.transforms.read.values import Abstract, DictRef, ListRef, Missing, ObjectRef, OneOf, Ref, Steps, View, dict_kind, is_text

_LARGEST = 2**63


def take(reader: Reader) -> None:
    """At the start: everything that is stored into stands in the heap, as it is now."""
    taken = reader.session.taken
    for each in taken.values():
        reader.heap[each.ref] = {}
    for each in taken.values():
        reader.heap[each.ref] = each.before = _content(reader, each)


def new_ref(thing: Any, *, is_globals: bool) -> Ref:
    """What stands for a thing that is taken."""
    if is_globals or isinstance(thing, type | FunctionType | CellType):
        return DictRef()
    if isinstance(thing, dict):
        return DictRef(kind=dict_kind(thing), is_its_attributes=getattr(thing, "__dict__", None) is thing)
    return ListRef() if isinstance(thing, list) else ObjectRef(kind=type(thing))


def _content(reader: Reader, taken: Taken) -> Any:
    thing, steps = taken.thing, taken.steps
    if taken.is_argument:
        if isinstance(thing, list):
            return tuple(enter(reader, item, None) for item in thing)
        return {key: enter(reader, item, None) for key, item in (thing if isinstance(thing, dict) else attributes_of(thing)).items()}
    if taken.is_globals:
        return {name: _entered(reader, thing[name], (*steps, ("global", name)), taken) if name in thing else _unbound(name) for name in sorted(taken.names)}
    if isinstance(thing, CellType):
        return {CONTENT: _entered(reader, thing.cell_contents, (*steps[:-1], ("closure", steps[-1][1])), taken, CONTENT)}
    if isinstance(thing, type | FunctionType):
        return {name: _entered(reader, vars(thing)[name], (*steps, ("attribute", name)), taken, name) if name in vars(thing) else _unbound(name) for name in sorted(taken.names)}
    if isinstance(thing, dict | list):
        ask(reader, thing, steps, "attribute", "__class__")
        ask(reader, thing, steps, "keys" if isinstance(thing, dict) else "length")
        if isinstance(thing, dict):
            return {key: _entered(reader, item, (*steps, ("item", key)), taken) for key, item in thing.items()}
        return tuple(_entered(reader, item, (*steps, ("item", k)), taken) for k, item in enumerate(thing))
    reader.session.guard(attribute_steps(steps, "__class__"), type(thing))
    if hasattr(thing, "__dict__"):
        ask(reader, vars(thing), attribute_steps(steps, "__dict__"), "keys")
    return {name: _entered(reader, item, (*steps, ("attribute", name)), taken, name) for name, item in attributes_of(thing).items()}


def _entered(reader: Reader, value: Any, steps: Steps, taken: Taken, name: str | None = None) -> Abstract:
    """What is held now; an int that may be stored is an input of run time, what can't be read is no more than that until it is used."""
    if type(value) in (int, bool) and abs(value) < _LARGEST and (name is None or name in taken.names):
        return hidden_input(reader, Access(steps), value)
    try:
        return enter(reader, value, steps)
    except UnsupportedError as error:
        return Missing(error.what, error.why)


def _unbound(name: str) -> Missing:
    return Missing(f"name {name!r} is not defined", unset=True)


# ---- at the end ------------------------------------------------------------------------------------------------------------------


def stores(reader: Reader, pack: Callable[[Abstract], Any], is_certain: Callable[[View], bool]) -> tuple[tuple[Place, Any], ...]:
    """What a call stores outside: where, and the result tree of what. `is_certain`: whether it is known which array a view is of."""
    seen = [taken for taken in reader.session.taken.values() if not taken.is_argument and taken.ref in reader.heap]  # a function that is read apart has none of them: it may not use them
    found = [(taken, key, value) for taken in seen for key, value in _changed(reader, taken)]
    if found:
        _guard_identities(reader, {id(taken.thing): taken for taken, _, _ in found})
    return tuple((Place(taken.thing, key, not isinstance(taken.thing, dict | list)), packed(reader, pack, is_certain, value)) for taken, key, value in found)


def packed(reader: Reader, pack: Callable[[Abstract], Any], is_certain: Callable[[View], bool], value: Abstract) -> Any:
    """The result tree of what is stored."""
    if isinstance(value, OneOf) and not all(map(is_text, value.options)):
        return Picked(pack(value.place), tuple(packed(reader, pack, is_certain, option) for option in value.options))
    if isinstance(value, View) and not is_certain(value):
        raise reader.unsupported("a store outside of the function of an array that may or may not be another one", "np.copy(…) of it", "which one it is depends on the path taken")
    if isinstance(value, FunctionType | BuiltinFunctionType | np.ufunc | type):
        return value  # what is imported at the first call
    return pack(value)


def _changed(reader: Reader, taken: Taken) -> list[tuple[Any, Abstract]]:
    before, after = taken.before, reader.heap[taken.ref]
    if isinstance(after, Grown | Missing) or len(after) < len(before) or isinstance(after, tuple) and len(after) != len(before):
        what = "a list outside of the function that becomes longer or shorter" if isinstance(taken.ref, ListRef) else f"a `del` in a {type(taken.thing).__name__} outside of the function"
        raise reader.unsupported(what, "return what is new, and let the caller store it")
    items = enumerate(after) if isinstance(after, tuple) else after.items()
    known = dict(enumerate(before)) if isinstance(before, tuple) else before
    if not isinstance(after, tuple) and (gone := known.keys() - after.keys()):
        raise reader.unsupported(f"a `del` of {min(map(str, gone))} outside of the function", "return what is new, and let the caller store it")
    return [(key, value) for key, value in items if key not in known or not is_same(known[key], value)]


def is_same(before: Abstract, after: Abstract) -> bool:
    """Whether a slot holds what it held."""
    if isinstance(before, View) and isinstance(after, View):
        return before.key == after.key
    return before is after or isinstance(before, str | bytes) and type(before) is type(after) and before == after  # a mode that is set again to what it was


def _guard_identities(reader: Reader, stored: dict[int, Taken]) -> None:
    """The program is right while these are the objects that they were, and no other path leads to them."""
    kinds = {type(taken.thing) for taken in stored.values()}
    for taken in stored.values():
        if not taken.is_globals:
            reader.session.guard((*taken.steps, ("identity", None)), Itself(taken.thing))
    for steps, thing in reader.session.met.items():
        if type(thing) in kinds:
            reader.session.guard((*steps, ("identity", None)), Itself(thing))


__all__ = ["is_same", "new_ref", "packed", "stores", "take"]
