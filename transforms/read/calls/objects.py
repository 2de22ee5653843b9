"""Objects of the user's classes while a function is read: their attributes looked up and set, copied. (How they are made: `making.py`.)

    p.x       a property (or another descriptor) of the class, else what the object holds, else what the class has, else __getattr__
    p.x = v   __setattr__, else a property's setter, else the object holds it
"""
from __future__ import annotations

import dataclasses
import enum
import functools
import re
import types
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from s2s.hidden import is_transformed, step
from s2s.outside import Itself
from s2s.transforms.read.bound_names import usable
from s2s.transforms.read.callables import Applied, DispatchedMethod, Method
from s2s.transforms.read.calls import class_slots
from s2s.transforms.read.calls.generators import is_generator, method
from s2s.transforms.read.calls.hidden import ask, attribute_steps, class_attribute, enter, number_type, taken_global
from s2s.transforms.read.calls.libraries import is_library
from s2s.transforms.read.calls.nearest import nearest, with_nearest
from s2s.transforms.read.calls.numpy_calls import numpy_call
from s2s.transforms.read.calls.own_attributes import attributes_of
from s2s.transforms.read.calls.special_methods import special
from s2s.transforms.read.calls.static_calls import refuse_random
from s2s.transforms.read.classes import class_of, find, is_generated, users
from s2s.transforms.read.composed.pooled_lists import PooledList
from s2s.transforms.read.composed.pooled_rows import PooledRow
from s2s.transforms.read.describing import describe
from s2s.transforms.read.failures import StoredOutside
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.sides import pick_of
from s2s.transforms.read.names import short
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import none_in_pools, pools
from s2s.transforms.read.storage.changes import writable
from s2s.transforms.read.storage.grown import Grown, Table
from s2s.transforms.read.unset_attributes import is_doubtful, is_unset, may_be_set, no_attribute, unset
from s2s.transforms.read.values import (
    STANDS_FOR,
    Abstract,
    DequeRef,
    DictRef,
    ListRef,
    ObjectRef,
    OneOf,
    Outside,
    Pooled,
    Steps,
    View,
    is_namedtuple,
    is_runtime,
    moment,
    remake,
)
from s2s.transforms.read.wrapping import as_atom
from s2s.types import Literal

# ---- attributes --------------------------------------------------------------------------------------------------------------


def attribute(reader: Reader, base: ObjectRef | Pooled, name: str) -> Abstract:
    """base.name of an object that is made while reading, or that the caller passed."""
    if isinstance(base, Pooled):
        return _of_pooled(reader, base, name)
    if is_generator(base) and name != "__class__":
        return method(reader, base, name)
    items = reader.heap[base]
    if name == "__dict__" and users(base.kind, "__getattribute__") is None:
        return attributes_of(reader, base)
    if name == "args" and issubclass(base.kind, BaseException):
        return items[name]
    value = items.get(name)
    own = None if name not in items or is_unset(value) else partial(usable, reader, value)
    if not is_doubtful(value) or not _class_has(base.kind, name):
        return _looked_up(reader, base, base.kind, name, own)
    return pick_of(reader, value.test, lambda: _looked_up(reader, base, base.kind, name, lambda: value.value), lambda: _looked_up(reader, base, base.kind, name, None))


def _class_has(kind: type, name: str) -> bool:
    """Whether an object that has not this attribute itself may have it by its class."""
    return has_attribute(kind, name, ()) or users(kind, "__getattr__") is not None


def _looked_up(reader: Reader, base: ObjectRef | Pooled, kind: type, name: str, own: Callable[[], Abstract] | None) -> Abstract:
    """base.name in Python's order: what the class says before the object, its `own` where it has that, what the class says besides."""
    unusual(reader, kind, name)
    if name == "__class__":
        return vars(kind).get(STANDS_FOR, kind)
    found = find(kind, name)
    if found is not None and _is_data(found[1]):
        return of_class(reader, kind, name, found[1], base)
    if own is not None:
        return own()
    if found is not None and not isinstance(found[1], types.MemberDescriptorType):
        return of_class(reader, kind, name, found[1], base)
    held = class_slots.held_by(reader, kind, name)
    return missing(reader, kind, name, base) if held is None else held[0]


def _of_pooled(reader: Reader, base: Pooled, name: str) -> Abstract:
    """base.name of an object of which only the run knows which one it is."""
    none_in_pools.check_attribute(reader, base, name)
    is_own = name in base.pool.names or name in base.pool.known
    own = (lambda: pools.get(reader, base, name)) if is_own else None
    there = pools.is_set(reader, base, name)
    if there is None or not _class_has(base.pool.kind, name):
        return _looked_up(reader, base, base.pool.kind, name, own)
    return pick_of(reader, as_atom(reader, there), lambda: _looked_up(reader, base, base.pool.kind, name, own), lambda: _looked_up(reader, base, base.pool.kind, name, None))


def of_outside(reader: Reader, base: Outside, name: str) -> tuple[Abstract] | None:
    """(base.name,) of an object outside where its class decides; None where the object itself has it."""
    kind = class_of(base)
    if kind is None:
        return None
    if name == "__dict__" and users(kind, "__getattribute__") is None:
        return (attributes_of(reader, base),)
    unusual(reader, kind, name)
    if name == "__class__":
        return (kind,)
    found = find(kind, name)
    if found is not None and _is_data(found[1]):
        return (of_class(reader, kind, name, found[1], base),)
    if name in getattr(base.object, "__dict__", {}):
        return None
    ask(reader, base.object, base.steps, "own", name)
    if found is None or isinstance(found[1], types.MemberDescriptorType):
        if found is None and (added := class_slots.held_by(reader, kind, name)) is not None:
            return added
        held = found is not None and hasattr(base.object, name)
        return None if held else (missing(reader, kind, name, base),)
    if hasattr(type(found[1]), "__get__"):
        return (of_class(reader, kind, name, found[1], base),)
    return class_slots.held_by(reader, kind, name)


def unusual(reader: Reader, kind: type, name: str) -> None:
    """Refuse what is known of no object here."""
    refuse_random(reader, kind)
    if users(kind, "__getattribute__") is not None:
        raise reader.unsupported(f"an attribute of a {kind.__name__}, whose class has a __getattribute__", "properties, or __getattr__")
    if name == "__dict__":
        raise reader.unsupported(f"the __dict__ of a {kind.__name__}", "its attributes by name")


def missing(reader: Reader, kind: type, name: str, base: Abstract) -> Abstract:
    """An attribute that neither the object nor its class has."""
    said = special(reader, base, "__getattr__", name)
    if said is not None:
        return said[0]
    if hasattr(vars(kind).get(STANDS_FOR), name):
        raise reader.unsupported(f"{kind.__name__}.{name} of one whose keys are known only at run time", "a loop over its keys")
    raise no_attribute(kind, name)


def has_attribute(kind: type, name: str, held: Any) -> bool:
    """hasattr of an object of this class that holds attributes of these names."""
    found = find(kind, name)
    return name in held or (found is not None and not isinstance(found[1], types.MemberDescriptorType))


def outside_has(reader: Reader, base: Outside, name: str) -> bool:
    """hasattr of an object outside; that it has the attribute, or has not, is in the guard."""
    kind = class_of(base)
    if kind is not None:
        unusual(reader, kind, name)
        if users(kind, "__getattr__") is not None and not has_attribute(kind, name, getattr(base.object, "__dict__", {})):
            raise reader.unsupported(f"hasattr or getattr with a default of a {kind.__name__}, whose class has a __getattr__", "the attribute itself")
    return bool(ask(reader, base.object, base.steps, "has", name))


def _is_data(raw: Any) -> bool:
    """Whether it comes before what the object itself holds: a property, a descriptor that can be set; not a slot."""
    return hasattr(type(raw), "__set__") and not isinstance(raw, types.MemberDescriptorType)


@asks_python
def of_class(reader: Reader, kind: type, name: str, raw: Any, base: Abstract) -> Abstract:
    """What the class has, as seen from the object."""
    path = (("object", kind), ("attribute", name))
    if (held := class_slots.held_by(reader, kind, name)) is not None:
        return held[0]
    found = class_attribute(reader, kind, name, base, None)
    if found is not None:
        return found[0]
    if isinstance(raw, property):
        raise AttributeError(f"property {name!r} of {kind.__name__!r} object has no getter")  # noqa: TRY004 - as Python does
    if isinstance(raw, functools.cached_property):
        value = reader.rules.call(enter(reader, raw.func, (("object", Itself(raw)), ("attribute", "func"))), (base,))
        if isinstance(base, ObjectRef) and base.owner in (None, "the caller"):
            writable(reader, base)
            reader.heap[base] = {**reader.heap[base], name: value}
        return value
    if isinstance(raw, functools.partialmethod | functools.singledispatchmethod):
        return _made_method(reader, raw, (("object", Itself(raw)),), base)
    if users(type(raw), "__get__") is not None:
        said = special(reader, Outside(raw, (("object", Itself(raw)),)), "__get__", base, kind)
        assert said is not None
        return said[0]
    if isinstance(base, Outside) and isinstance(base.object, re.Pattern | re.Match):
        return getattr(base.object, name)
    if hasattr(type(raw), "__get__") and not isinstance(raw, types.BuiltinFunctionType | type(functools.cache(lambda: None))):
        raise reader.unsupported(f"the attribute .{name} of {kind.__name__}, which is a {type(raw).__name__}", "a plain method, a property or a value")
    return enter(reader, getattr(kind, name), path)


def _made_method(reader: Reader, raw: Any, steps: Steps, base: Abstract) -> Abstract:
    """A method that functools has made of others."""
    if isinstance(raw, functools.singledispatchmethod):
        return DispatchedMethod(raw.dispatcher, (*steps, ("attribute", "dispatcher")), base)
    args = tuple(enter(reader, each, (*steps, ("attribute", "args"), ("item", place))) for place, each in enumerate(raw.args))
    kwargs = {name: enter(reader, each, (*steps, ("attribute", "keywords"), ("item", name))) for name, each in raw.keywords.items()}
    return Applied(Method(enter(reader, raw.func, (*steps, ("attribute", "func"))), base), args, kwargs)


def set_attribute(reader: Reader, base: Abstract, name: str, value: Abstract) -> None:
    """base.name = value of an object: by its class's `__setattr__`, if it has one."""
    kind = class_of(base)
    assert kind is not None
    found = users(kind, "__setattr__")
    if found is not None and not is_generated(found[1]):
        special(reader, base, "__setattr__", name, value)
        return
    if found is not None and (kind is found[0] or name in found[0].__dataclass_fields__):  # type: ignore[attr-defined]
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    store(reader, base, name, value)


@asks_python
def store(reader: Reader, base: Abstract, name: str, value: Abstract) -> None:
    """object.__setattr__(base, name, value)."""
    kind = class_of(base)
    if kind is None:
        raise reader.unsupported(f"a store into .{name} of {describe(reader, base)}", "an object of a class of your own")
    found = find(kind, name)
    if is_namedtuple(base):
        raise AttributeError("can't set attribute" if name in kind._fields else f"{kind.__name__!r} object has no attribute {name!r}")  # type: ignore[attr-defined]
    if found is not None and isinstance(found[1], property):
        if found[1].fset is None:
            raise AttributeError(f"property {name!r} of {kind.__name__!r} object has no setter")
        reader.rules.call(enter(reader, found[1].fset, (("object", kind), ("attribute", name), ("attribute", "fset"))), (base, value))
        return
    if found is not None and _is_data(found[1]):
        if special(reader, Outside(found[1], (("object", Itself(found[1])),)), "__set__", base, value) is None:
            raise reader.unsupported(f"a store into .{name} of a {kind.__name__}, which is a {type(found[1]).__name__} of its class", "a property")
        return
    if isinstance(base, Pooled):
        pools.put(reader, base, name, value, reader.trip_began)
        return
    if not isinstance(base, ObjectRef):
        refusal = reader.unsupported(f"a store into the attribute .{name} of an object outside of the function ({kind.__name__})", "return the new value")
        raise StoredOutside(refusal, base.object, (("object", Itself(base.object)),) if base.steps is None else base.steps, name)
    if not kind.__dictoffset__:
        object.__setattr__(object.__new__(kind), name, None)  # raises what Python raises where no slot has this name
    writable(reader, base)
    reader.heap[base] = {**reader.heap[base], name: value}


def delete(reader: Reader, base: Abstract, name: str) -> None:
    """del base.name, of an object that is made while reading."""
    kind = class_of(base)
    if kind is not None and users(kind, "__delattr__") is not None:
        special(reader, base, "__delattr__", name)
        return
    forget(reader, base, name)


def forget(reader: Reader, base: Abstract, name: str) -> None:
    """object.__delattr__(base, name)."""
    kind = class_of(base)
    found = None if kind is None else find(kind, name)
    if found is not None and isinstance(found[1], property) and found[1].fdel is not None:
        reader.rules.call(enter(reader, found[1].fdel, (("object", kind), ("attribute", name), ("attribute", "fdel"))), (base,))
        return
    if isinstance(base, Pooled) and pools.forget(reader, base, name):
        return
    if not isinstance(base, ObjectRef) or kind is None or found is not None and _is_data(found[1]):
        raise reader.unsupported(f"`del` of .{name} of {describe(reader, base)}", "an object of a class of your own")
    if is_unset(held := reader.heap[base].get(name, unset(kind, name))):
        raise no_attribute(kind, name)
    usable(reader, held)
    writable(reader, base)
    reader.heap[base] = {each: value for each, value in reader.heap[base].items() if each != name}


def sets_specially(base: Abstract, name: str) -> bool:
    """Whether a store into this attribute does more than to hold the value."""
    kind = class_of(base)
    if kind is None:
        return False
    found = find(kind, name)
    return users(kind, "__setattr__") is not None or (found is not None and _is_data(found[1]))


@asks_python
def member_attribute(reader: Reader, member: enum.Enum, name: str) -> Abstract:
    """An attribute of an Enum's member: its value and name, methods and properties of its class."""
    found = class_attribute(reader, type(member), name, member, None) if users(type(member), name) else None
    return found[0] if found is not None else enter(reader, getattr(member, name), (("object", member), ("attribute", name)))


# ---- copies and keys -------------------------------------------------------------------------------------------------------------


def copied(reader: Reader, value: Abstract) -> Abstract:
    """copy.copy of an object."""
    said = special(reader, value, "__copy__")
    if said is not None:
        return said[0]
    _refuse_own_state(reader, value)
    if isinstance(value, Pooled):
        return pools.allocated(reader, value.pool, pools.all_held(reader, value), moment())
    ref = ObjectRef(kind=class_of(value) or object)
    reader.heap[ref] = dict(_held(reader, value))
    return ref


def _held(reader: Reader, value: Abstract) -> dict[str, Abstract]:
    """What an object holds, one that lives outside too."""
    if isinstance(value, ObjectRef):
        return may_be_set(reader.heap[value])
    kind = type(value.object)
    if any("__slots__" in vars(cls) for cls in kind.__mro__) or not hasattr(value.object, "__dict__"):
        raise reader.unsupported(f"a copy of a {kind.__name__} with slots that lives outside of the function", "a new object with its attributes")
    steps = None if value.steps is None else (*value.steps, ("attribute", "__dict__"))
    ask(reader, value.object, value.steps, "attribute", "__class__")
    ask(reader, vars(value.object), steps, "keys")
    return {name: enter_attribute(reader, value, name) for name in vars(value.object)}


def deep_copied(reader: Reader, value: Abstract, known: dict[Any, Abstract]) -> Abstract:
    """copy.deepcopy: what is one object in `value` is one in the copy too."""
    if isinstance(value, tuple):
        items = [deep_copied(reader, each, known) for each in value]
        return value if all(one is other for one, other in zip(items, value, strict=True)) else remake(value, items)
    mark = value.key if isinstance(value, View) else ("outside", id(value.object)) if isinstance(value, Outside) else value
    if isinstance(value, Pooled):
        mark = value.pool, value.number
    if isinstance(value, View | ListRef | DictRef | ObjectRef | Outside | Pooled) and mark in known:
        return known[mark]
    match value:
        case View():
            known[mark] = numpy_call(reader, np.copy, (value,), {})
        case ListRef():
            content = reader.heap[value]
            if isinstance(content, Grown) and not isinstance(content, Table) and not isinstance(value, DequeRef):
                return known.setdefault(value, reader.rules.call(reader.rules.attribute(value, "copy"), ()))  # its items are its own
            if not isinstance(content, tuple):
                raise reader.unsupported("a deepcopy of a list whose length is known only at run time", "np.array(…) of the list")
            made: Any = reader.new_like(value, ())
            known[value] = made
            reader.heap[made] = tuple(deep_copied(reader, each, known) for each in content)
        case DictRef():
            made = known[value] = reader.new_dict({}, value.kind)
            reader.heap[made] = {key: deep_copied(reader, each, known) for key, each in reader.heap[value].items()}
        case ObjectRef() | Outside() if (kind := class_of(value)) is not None:
            if (said := special(reader, value, "__deepcopy__", reader.new_dict({}))) is not None:
                known[mark] = said[0]
                return said[0]
            _refuse_own_state(reader, value)
            made = known[mark] = ObjectRef(kind=kind)
            reader.heap[made] = {}
            reader.heap[made] = {key: deep_copied(reader, each, known) for key, each in _held(reader, value).items()}
        case Pooled() if value.pool.kind in (PooledList, PooledRow) and isinstance(value.number, Literal):
            known[mark] = deep_copied(reader, reader.rules.call(reader.rules.attribute(value, "copy"), ()), known)
        case Pooled():
            raise reader.unsupported(f"a deepcopy of {describe(reader, value)}, of which only the run knows which one it is", "a method that makes the copy")
        case OneOf():
            return OneOf(value.place, tuple(deep_copied(reader, each, known) for each in value.options))
        case _:
            return value
    return known[mark]


def _refuse_own_state(reader: Reader, value: Abstract) -> None:
    """Refuse a copy of an object whose class says how it is copied."""
    kind = class_of(value)
    assert kind is not None
    for name in ("__new__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__", "__getnewargs_ex__"):
        if users(kind, name) is not None:
            raise reader.unsupported(f"a copy of a {kind.__name__}, whose class has a {name}", "a method that makes the copy")


@asks_python
def enter_attribute(reader: Reader, base: Outside, name: str) -> Abstract:
    """base.name of an object outside."""
    owner = base.object
    if isinstance(owner, types.FunctionType) and (held := class_slots.of_function(reader, base, name)) is not None:
        return held[0]
    if isinstance(owner, types.ModuleType) and (found := taken_global(reader, vars(owner), name)) is not None:
        return found
    if isinstance(owner, types.ModuleType) and is_library(owner.__name__):
        try:
            found = getattr(owner, name)
        except AttributeError as error:
            raise with_nearest(error, nearest(f"{short(owner.__name__)}.{name}")) from None
        return Outside(found, (("object", found),)) if isinstance(found, types.ModuleType) or is_transformed(found) else number_type(found)
    if (said := of_outside(reader, base, name)) is not None:
        return said[0]
    if not step(owner, "own", name) and name not in getattr(type(owner), "__slots__", ()):
        found = class_attribute(reader, type(owner), name, base, attribute_steps(base.steps, "__class__"))
        if found is not None:
            ask(reader, owner, base.steps, "own", name)
            return found[0]
    return enter(reader, getattr(owner, name), attribute_steps(base.steps, name))


__all__ = ["attribute", "copied", "deep_copied", "enter_attribute", "forget", "is_runtime", "of_class", "set_attribute", "store"]
