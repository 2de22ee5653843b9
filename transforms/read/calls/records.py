"""What the class of dicts with keys on some paths only (`composed/records.py`) asks the reader, and which dicts are made as such.

    found = {"count": n}                       a dict of known keys
    if n: found["mean"] = total / n            gets one on one path: read again, as one of run-time keys, whose values have one type
                                               a float beside the integer: read again, as a `Record`
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.errors import UnsupportedError
from s2s.transforms.read.composed import keyed, marks
from s2s.transforms.read.composed.pooled_dicts import PREFIX
from s2s.transforms.read.composed.records import Record
from s2s.transforms.read.failures import Recorded
from s2s.transforms.read.known import is_known, plain
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.changes import writable
from s2s.transforms.read.storage.grown import Grown, Table
from s2s.transforms.read.storage.shapes_of_items import common
from s2s.transforms.read.unset_attributes import is_doubtful, is_unset, may_be_set
from s2s.transforms.read.values import Abstract, DictRef, ListRef, Missing, ObjectRef, View, is_atom, is_number, scalar_type

_REFUSAL = "a dict of items of several kinds that gets keys known only at run time", "one dict for each kind"


def is_record(value: Abstract) -> bool:
    """Whether it is a dict of which only the run knows whether it has some keys."""
    return isinstance(value, ObjectRef) and value.kind is Record


def record(reader: Reader, ref: DictRef) -> ObjectRef:
    """Such a dict that has what this one has."""
    found = reader.rules.call(Record, ())
    assert isinstance(found, ObjectRef)
    found.sites = frozenset((ref.origin,))
    reader.heap[found] = {PREFIX + key: value for key, value in reader.heap[ref].items()}
    return found


def must_be_record(reader: Reader, ref: DictRef) -> bool:
    """Whether a dict that gets keys on some paths only is made as a record: its keys are texts, and its values no numbers of one type."""
    content = reader.heap[ref]
    if ref.kind is not dict or not all(isinstance(key, str) for key in content):
        return False
    known = reader.session.records.get(ref.origin)
    return (not _are_alike(reader, tuple(content.values()))) if known is None else known


def _are_alike(reader: Reader, items: tuple[Abstract, ...]) -> bool:
    """Whether a list of these has one type, which is each one's own."""
    numbers = {(type_.dtype, type_.weak) if (type_ := _number_type(item)) is not None else None for item in items}
    return len(numbers) <= 1 and (not items or common(reader, items) is not None)


def _number_type(value: Abstract) -> Any:
    return scalar_type(value) if is_atom(value) or is_number(value) else None


def _check_value(reader: Reader, ref: Abstract, key: Abstract, value: Abstract) -> None:
    """Where a text is the key of a value of another type than the others', the dict is read again as a record."""
    if not isinstance(ref, ObjectRef) or ref.kind is not keyed.Keyed or not ref.sites or not isinstance(key, str) or any(site in reader.session.records for site in ref.sites):
        return
    held = reader.heap[ref]["held"]
    if not isinstance(held, ListRef):  # one of several
        return
    content, type_ = reader.heap[held], _number_type(value)
    if isinstance(content, Table):
        fits = type_ is None
    elif isinstance(content, Grown):
        item = content.item_type
        fits = (item.dtype, item.weak, item.shape) == (type_.dtype, type_.weak, ()) if type_ is not None else isinstance(value, View) and bool(item.shape)
    else:
        fits = _are_alike(reader, (*content, value))
    if not fits:
        raise Recorded(reader.unsupported(*_REFUSAL), ref.sites, as_record=True)


# ---- what the class asks ---------------------------------------------------------------------------------------------------------


def _keys_held(reader: Reader, ref: ObjectRef) -> Abstract:
    return tuple(name[len(PREFIX) :] for name in may_be_set(reader.heap[ref]))


def _keys_behind(reader: Reader, ref: ObjectRef, key: Abstract) -> Abstract:
    """The keys that stand behind one that may not be there yet: it would be put behind them."""
    name = PREFIX + _text(reader, ref, key)
    held = reader.heap[ref]
    if name not in held or not (is_unset(held[name]) or is_doubtful(held[name])):
        return ()
    names = list(held)
    behind = tuple(each[len(PREFIX) :] for each in names[names.index(name) + 1 :] if not is_unset(held[each]))
    values = (each.value if isinstance(each, Missing) else each for each in held.values() if not is_unset(each))
    if behind and ref.sites and all(_number_type(value) is not None for value in values):
        raise _other_keys(reader, ref)  # as one of run-time keys it has the order that the run finds, and its numbers are of one type
    return behind


def _hold_key(reader: Reader, ref: ObjectRef, key: Abstract, value: Abstract) -> None:
    writable(reader, ref)
    reader.heap[ref] = {**reader.heap[ref], PREFIX + _text(reader, ref, key): value}


def _is_key_text(reader: Reader, ref: ObjectRef, key: Abstract) -> Abstract:
    if is_known(reader, key):
        return isinstance(plain(reader, key), str)
    raise _other_keys(reader, ref)


def _text(reader: Reader, ref: ObjectRef, key: Abstract) -> str:
    if isinstance(key, str):
        return key
    raise _other_keys(reader, ref)


def _other_keys(reader: Reader, ref: ObjectRef) -> UnsupportedError:
    error = reader.unsupported(*_REFUSAL)
    return Recorded(error, ref.sites, as_record=False) if ref.sites else error


HANDLERS: dict[Any, Callable[..., Any]] = {
    marks.check_value: _check_value, marks.is_record: lambda _, value: is_record(value), marks.keys_held: _keys_held, marks.keys_behind: _keys_behind, marks.hold_key: _hold_key, marks.is_key_text: _is_key_text,
}  # fmt: skip

__all__ = ["HANDLERS", "is_record", "must_be_record", "record"]
