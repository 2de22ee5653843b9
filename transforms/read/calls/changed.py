"""Containers of the arguments that the function changes: what a call leaves in them at its end.

    params["W"] = params["W"] - rate * slope        an item of a dict
    state.x += state.v                              an attribute of an object
    history.append(loss)                            a list becomes longer

They are taken into the heap at the start (`taken.py`), so that branches, loops and calls follow them as they follow what is made while reading.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from s2s.outside import Change, Itself
from s2s.transforms.read.calls.taken import is_same, packed
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.storage.visibility import reachable
from s2s.transforms.read.syntax.frame import Taken
from s2s.transforms.read.values import Abstract, DictRef, ListRef, Missing, ObjectRef, View

Pack = Callable[[Abstract], Any]


def changes(reader: Reader, pack: Pack, is_certain: Callable[..., bool]) -> tuple[tuple[Change, Any], ...]:
    """What a call changes of the containers of its arguments: where, and the result tree of what."""
    found = [each for taken in reader.session.taken.values() if taken.is_argument for each in _changes(reader, taken)]
    kinds = {change.cls for change, _ in found}
    for steps, thing in reader.session.met.items():  # which the caller must not pass: a call looks at these guards
        if type(thing) in kinds:
            reader.session.guard((*steps, ("identity", None)), Itself(thing))
    own = callers(reader)
    for change, value in found:
        _check_own(reader, change, value, own)
    return tuple((change, packed(reader, pack, _certain(reader, change, is_certain), value)) for change, value in found)


def _certain(reader: Reader, change: Change, is_certain: Callable[..., bool]) -> Callable[[View], bool]:
    before = next(taken.before for taken in reader.session.taken.values() if taken.steps == change.steps)
    stood = before.get(change.key) if isinstance(before, dict) else before[change.key] if change.how == "item" else None
    return lambda view: is_certain(view, stood)


def _changes(reader: Reader, taken: Taken) -> Iterator[tuple[Change, Abstract]]:
    after = reader.heap[taken.ref]
    if isinstance(after, Missing):
        raise reader.unsupported(f"a change of a {type(taken.thing).__name__} of the arguments that only some paths make", "return what is new", after.why)
    how = _of_list if isinstance(taken.ref, ListRef) else _of_dict if isinstance(taken.ref, DictRef) else _of_object
    for kind, key, value in how(reader, taken, after):
        yield Change(taken.steps, type(taken.thing), kind, key), value


_Found = Iterator[tuple[str, Any, Abstract]]


def _of_list(reader: Reader, taken: Taken, after: Any) -> _Found:
    before = taken.before
    if isinstance(after, Grown):
        yield "items", 0, _like(reader, taken.ref)
    elif len(after) == len(before):
        yield from (("item", number, value) for number, value in enumerate(after) if not is_same(before[number], value))
    else:
        same = next((number for number, (old, new) in enumerate(zip(before, after, strict=False)) if not is_same(old, new)), min(len(before), len(after)))
        rest = ListRef()
        reader.heap[rest] = after[same:]
        yield "items", same, rest


def _of_dict(reader: Reader, taken: Taken, after: dict[Any, Abstract]) -> _Found:
    before = taken.before
    left = [key for key in before if key in after]
    if list(after)[: len(left)] != left:  # a key was taken out and came back: it stands last
        yield "items", 0, _like(reader, taken.ref)
        return
    yield from (("del", key, None) for key in before if key not in after)
    yield from (("item", key, value) for key, value in after.items() if key not in before or not is_same(before[key], value))


def _of_object(reader: Reader, taken: Taken, after: dict[str, Abstract]) -> _Found:
    if gone := sorted(taken.before.keys() - after.keys()):
        raise reader.unsupported(f"a `del` of the attribute {gone[0]} of an object of the arguments", "None in its place")
    yield from (("attribute", name, value) for name, value in after.items() if name not in taken.before or not is_same(taken.before[name], value))


def _like(reader: Reader, ref: Any) -> Abstract:
    """A container like one of the caller's, which is left what it is and gets the items of this one."""
    like = DictRef(kind=ref.kind) if isinstance(ref, DictRef) else ListRef()
    reader.heap[like] = reader.heap[ref]
    return like


def callers(reader: Reader) -> dict[Any, Any]:
    """The caller's own containers, by what stands for them: the steps to each from the arguments. They may be put elsewhere in these, as they are."""
    session = reader.session
    found = {ref: steps for ref, (_, steps) in session.containers.items() if steps[0][0] in ("argument", "keyword")}
    return found | {each.ref: each.steps for each in session.taken.values() if each.is_argument}


def _check_own(reader: Reader, change: Change, value: Abstract, own: dict[Any, Any]) -> None:
    """What is stored is the caller's or made anew where it is a container: the caller must not see two where Python has one."""
    theirs = {each.ref for each in reader.session.taken.values()} | reader.session.containers.keys()
    inside = reader.heap[value] if change.how == "items" and isinstance(value, ListRef | DictRef) else value
    parts = [] if isinstance(inside, Grown) else list(inside.values()) if isinstance(inside, dict) else list(inside) if isinstance(inside, tuple) else [inside]
    held = [each for each in reachable(reader, parts) if isinstance(each, ListRef | DictRef | ObjectRef) and each not in own]
    if any(each in theirs or each.owner is not None for each in held):
        raise reader.unsupported(f"a store of a container that the caller has into {change}", "a copy of it")


__all__ = ["callers", "changes"]
