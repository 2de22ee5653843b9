"""base.name of anything: objects, arrays, containers, modules, texts."""
from __future__ import annotations

import operator
from enum import Enum
from types import FunctionType, MemberDescriptorType
from typing import Any

import numpy as np

from s2s.hidden import is_transformed
from s2s.transforms.read import classes
from s2s.transforms.read.callables import Applied, AtPlace, Closure, ContainerMethod, IteratorMethod, Method, Parent, Ruled
from s2s.transforms.read.calls import class_slots, making, objects
from s2s.transforms.read.calls.array_methods import array_attribute
from s2s.transforms.read.calls.functional_updates import update_of
from s2s.transforms.read.calls.hidden import class_attribute, enter
from s2s.transforms.read.calls.libraries import is_library
from s2s.transforms.read.calls.objects import enter_attribute
from s2s.transforms.read.describing import describe
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.caught import UNTOLD
from s2s.transforms.read.flow.spreading import spreads
from s2s.transforms.read.flow.subscripts import get_item
from s2s.transforms.read.known import entered, is_known, sample
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.rules.custom import attribute as rule_attribute
from s2s.transforms.read.values import (
    Abstract,
    DequeRef,
    DictRef,
    DictView,
    IteratorRef,
    ListRef,
    MadeError,
    ObjectRef,
    Outside,
    Pooled,
    SetRef,
    Text,
    View,
    is_dict_of_fields,
    is_namedtuple,
    is_runtime,
)
from s2s.types import Opaque

_SPECIAL: dict[str, Any] = {"__getitem__": operator.getitem, "__len__": len, "__contains__": operator.contains, "__setitem__": operator.setitem}
"""What the special methods of arrays and containers do that are handed on as functions (key=x.__getitem__)."""
_OF_OBJECTS: dict[str, Any] = {"__getattribute__": getattr, "__setattr__": setattr, "__delattr__": delattr}
"""What these methods of objects do, where their class has none of its own."""
_OF_THE_RUN = frozenset(("__cause__", "__context__", "__traceback__", "__suppress_context__", "__notes__", "value", "add_note", "with_traceback"))
"""What a caught exception holds besides its arguments: it is not told here."""


def _is_made_by_dataclass(kind: type, name: str) -> bool:
    found = classes.users(kind, name)
    return found is not None and classes.is_generated(found[1])


@spreads(0)
@asks_python
def attribute(reader: Reader, base: Abstract, name: str) -> Abstract:
    """base.name."""
    base = classes.unparametrised(base) if not name.startswith("__") else base
    if isinstance(base, (View, ListRef, DictRef, tuple, str)) and name in _SPECIAL and not (isinstance(base, tuple) and classes.users(type(base), name)):
        return Applied(_SPECIAL[name], (base,), {})
    if isinstance(base, View) and name == "__array__":
        return Applied(np.asarray, (base,), {})
    if is_runtime(base):
        return array_attribute(reader, base, name)
    if name == "__init__" and isinstance(base, ObjectRef | Outside | Pooled) and (kind := classes.class_of(base)) is not None and _is_made_by_dataclass(kind, name):
        return Parent(kind, base, kind)
    if isinstance(base, Outside):
        return enter_attribute(reader, base, name)
    if isinstance(base, (ObjectRef, Pooled)):
        if name in _OF_OBJECTS and classes.users(classes.class_of(base), name) is None:
            return Applied(_OF_OBJECTS[name], (base,), {})
        return objects.attribute(reader, base, name)
    if isinstance(base, Parent):
        return making.of_parent(reader, base, name)
    if isinstance(base, Enum):
        return objects.member_attribute(reader, base, name)
    if isinstance(base, AtPlace):
        return update_of(base, name)
    if isinstance(base, Ruled):
        return rule_attribute(base, name)
    if isinstance(base, (ListRef, DictRef, DictView, frozenset, Text, range, tuple, str)) and not (isinstance(base, tuple) and _is_field(base, name)):
        return _container_attribute(reader, base, name)
    if isinstance(base, type) and not is_library(base.__module__):
        if (held := class_slots.held_by(reader, base, name)) is not None:
            return held[0]
        if name == "__init__" and _is_made_by_dataclass(base, name):
            return Parent(base, base, making.initialise_as)
        if (maker := making.of_named(base, name)) is not None:
            return maker
        on_class = class_attribute(reader, base, name, None, None)
        return on_class[0] if on_class is not None else enter(reader, getattr(base, name), (("object", base), ("attribute", name)))
    if isinstance(base, IteratorRef) and name in ("send", "close", "__next__"):
        return IteratorMethod(base, name)
    if isinstance(base, MadeError) and (name == "args" and base.message is not UNTOLD or name == "__class__"):
        return base.args if name == "args" else base.kind
    if isinstance(base, MadeError) and base.kind is StopIteration and base.message is not UNTOLD and name == "value":
        return base.args[0] if base.args else None
    if isinstance(base, Closure) and (held := class_slots.of_function(reader, base, name)) is not None:
        return held[0]
    if isinstance(base, Closure) and name == "__name__":
        return base.name
    if isinstance(base, Applied) and name in ("func", "args", "keywords"):
        return base.function if name == "func" else base.args if name == "args" else reader.new_dict(dict(base.kwargs))
    if isinstance(base, ContainerMethod) and name in ("__self__", "__name__"):
        return base.container if name == "__self__" else base.name
    if isinstance(base, Method) and _is_written(base.function) and (name in _OF_METHODS or not name.startswith("__")):
        return base.first if name == "__self__" else base.function if name == "__func__" else attribute(reader, base.function, name)
    if isinstance(base, Opaque | MadeError) or isinstance(base, BaseException) and name in _OF_THE_RUN and not (name == "value" and type(base) is StopIteration):
        raise reader.unsupported(f"the attribute .{name} of {describe(reader, base)}", "the values themselves")
    found = getattr(base, name)
    return Outside(found, (("object", found),)) if is_transformed(found) else found


_OF_METHODS = ("__self__", "__func__", "__name__", "__qualname__", "__module__", "__doc__")


def _is_written(function: Abstract) -> bool:
    """Whether a function of the user's stands here as he wrote it, not what a transformation made of one."""
    return isinstance(function, Closure) or isinstance(function.object if isinstance(function, Outside) else function, FunctionType)


def _is_field(base: tuple[Any, ...], name: str) -> bool:
    """Whether an item of a tuple has this name: of a NamedTuple, of Python's own (sys.float_info)."""
    return name in getattr(base, "_fields", ()) or hasattr(base, "n_fields") and isinstance(vars(type(base)).get(name), MemberDescriptorType)


def _computes(reader: Reader, base: tuple[Any, ...], name: str) -> bool:
    """Whether a property gives this attribute of a tuple that holds what only the run knows (Python's own call of it would compare what stands for that), or a method of a result of SciPy's."""
    found = getattr(type(base), name)
    return isinstance(found, property) and not is_known(reader, base) or is_dict_of_fields(base) and isinstance(found, FunctionType) and found.__module__ != "collections"


@asks_python
def _container_attribute(reader: Reader, base: Abstract, name: str) -> Abstract:
    """base.name of a list, dict, tuple, text: a method of its class is called with what it holds."""
    if name == "__class__":
        return classes.class_of_value(reader, base)
    example = sample(reader, base)
    kind = type(example)
    if not hasattr(kind, name):
        if (item := _item_by_attribute(reader, base, example, name)) is not None:
            return item[0]
        if is_dict_of_fields(example) and not name.startswith("_"):  # what SciPy gives tells more, of its own steps
            there = [each for each in getattr(kind, "NAMES", kind._fields) if hasattr(kind, each)]
            raise reader.unsupported(f"{name} of what SciPy gives here is not supported", ", ".join(there) or "what else it gives")
        raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")
    found = class_attribute(reader, kind, name, base, None) if isinstance(base, tuple) and (classes.users(kind, name) or _computes(reader, base, name)) else None
    if found is not None:
        return found[0]
    if callable(getattr(kind, name)):
        return ContainerMethod(base, name)
    if isinstance(base, DequeRef) and name == "maxlen":
        return base.maxlen
    if isinstance(base, range) or is_namedtuple(base):
        return entered(reader, getattr(base, name))
    raise reader.unsupported(f"the attribute .{name} of {describe(reader, base)}", "a name of its own for what it holds")


def _item_by_attribute(reader: Reader, base: Abstract, example: Any, name: str) -> tuple[Abstract] | None:
    """What base.name is of a dict of the user's class that gives items as attributes: by its __getattr__, or because it is its own __dict__."""
    if not isinstance(base, DictRef) or isinstance(base, SetRef):
        return None
    if base.is_its_attributes:
        return (get_item(reader, base, name),) if name in reader.heap[base] else None
    found = classes.find(type(example), "__getattr__")
    if found is None:
        return None
    if found[1] is dict.__getitem__:
        return (get_item(reader, base, name),)
    own = class_attribute(reader, type(example), "__getattr__", base, None)
    return None if own is None else (reader.rules.call(own[0], (name,)),)


__all__ = ["attribute"]
