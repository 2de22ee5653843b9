"""What Python's functions say of a value's class and attributes: isinstance, type, getattr, callable, …"""
from __future__ import annotations

import importlib
from collections.abc import Callable
from types import FunctionType, NoneType
from typing import Any

import numpy as np

from s2s.transforms.read.callables import FUNCTIONS, Closure
from s2s.transforms.read.calls import class_slots, objects
from s2s.transforms.read.calls.hidden import ask, enter, whole
from s2s.transforms.read.calls.libraries import is_library
from s2s.transforms.read.classes import class_of, class_of_value, example_of, find, users
from s2s.transforms.read.composed import polynomial_classes
from s2s.transforms.read.composed.statistical_results import SignificanceResult
from s2s.transforms.read.describing import describe
from s2s.transforms.read.doubts import types_of
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.caught import Unwound, code_of
from s2s.transforms.read.flow.conditions import both
from s2s.transforms.read.flow.sides import pick_of
from s2s.transforms.read.known import refused_by_python, sample
from s2s.transforms.read.names import within
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import none_in_pools, pools
from s2s.transforms.read.syntax.frame import CODE, RAISED
from s2s.transforms.read.unset_attributes import is_doubtful, may_be_set
from s2s.transforms.read.values import STANDS_FOR, Abstract, DictRef, ListRef, ObjectRef, Outside, Pooled, is_atom, is_runtime
from s2s.transforms.read.zero_dim import no_member, which
from s2s.types import Atom, Literal

_COMPOSED = f"{polynomial_classes.__name__.rpartition('.')[0]}."


def _classes(reader: Reader, classes: Abstract) -> Any:
    if isinstance(classes, tuple):
        return tuple(_classes(reader, each) for each in classes)
    found = whole(reader, classes)
    if isinstance(found, type) and not is_library(found.__module__):
        ask(reader, found, (("object", found),), "attribute", "__mro__")
    return found


@asks_python
def _isinstance(reader: Reader, value: Abstract, classes: Abstract) -> Abstract:
    wanted = _classes(reader, classes)
    if isinstance(value, Outside):
        return isinstance(value.object, wanted)
    for cls in wanted if isinstance(wanted, tuple) else (wanted,):
        if users(type(cls), "__instancecheck__") is not None:
            raise reader.unsupported(f"isinstance with {cls.__name__}, whose metaclass has a __instancecheck__", "a test of an attribute")
    no_member(reader, value, "isinstance")
    if is_atom(value):
        answers = {isinstance(example_of(reader, Literal(0, type_)), wanted) for type_ in types_of(reader.builder, value)}
        if value in reader.session.either and answers != {isinstance(np.zeros((), value.type.dtype), wanted)}:
            which(reader, value, "isinstance")
        if len(answers) > 1:
            raise reader.unsupported("isinstance of a number that is Python's own on one path and NumPy's on another", "float(…) or np.float64(…) of it before")
        return answers.pop()
    if is_runtime(value):
        return isinstance(example_of(reader, value), wanted)
    if isinstance(value, ObjectRef) and _is_librarys(value.kind):
        return _is_of_library(reader, value, wanted if isinstance(wanted, tuple) else (wanted,))
    answer = issubclass(class_of_value(reader, value), wanted)
    if isinstance(value, Pooled) and none_in_pools.may_be_none(reader, value) and answer is not issubclass(NoneType, wanted):
        return none_in_pools.is_there(reader, value) if answer else none_in_pools.is_none(reader, value)
    return answer


def _is_librarys(kind: type) -> bool:
    """Whether it is a class of ours that stands for one of a library (`read/composed`)."""
    return kind.__module__.startswith(_COMPOSED) and STANDS_FOR not in vars(kind)


def _is_of_library(reader: Reader, value: ObjectRef, wanted: tuple[type, ...]) -> bool:
    """isinstance of an object of a library's class, for which one of ours stands."""
    if all(each.__module__.startswith(_COMPOSED) for each in wanted):
        return issubclass(value.kind, wanted)
    if issubclass(value.kind, SignificanceResult) and issubclass(tuple, wanted):
        return True  # SciPy's are tuples with further attributes
    kind = _class_in_library(reader, value)
    if kind is None and not all(each.__module__ in ("builtins", "numpy") for each in wanted):
        raise reader.unsupported(f"isinstance of {describe(reader, value)}", "a flag of your own", "another class stands for that of the library")
    return issubclass(value.kind if kind is None else kind, wanted)


def _class_in_library(reader: Reader, value: ObjectRef) -> type | None:
    """The library's class that a polynomial is of; None of what else a library makes."""
    if value.kind.__module__ != polynomial_classes.__name__:
        return None
    return polynomial_classes.in_numpy(value.kind, reader.heap[value])


def _type(reader: Reader, value: Abstract) -> Abstract:
    if isinstance(value, Pooled) and none_in_pools.may_be_none(reader, value):
        raise reader.unsupported(f"the type of {describe(reader, value)} or None", "isinstance, or `is None`")
    found = _class_in_library(reader, value) if isinstance(value, ObjectRef) else None
    return class_of_value(reader, value) if found is None else found


def _getattr(reader: Reader, base: Abstract, name: Abstract, *default: Abstract) -> Abstract:
    if not isinstance(name, str):
        refused_by_python(reader, getattr, base, name)
        raise reader.unsupported("an attribute whose name is known only at run time", "if and elif")
    if default and _asks_class(base, name) and not is_doubtful(reader.heap[base].get(name)):
        found = _asked(reader, base, name)
        return default[0] if found is None else found[0]
    has = _hasattr(reader, base, name) if default else True
    if isinstance(has, bool):
        return reader.rules.attribute(base, name) if has else default[0]
    return pick_of(reader, has, lambda: reader.rules.attribute(base, name), lambda: default[0])


def _asks_class(base: Abstract, name: str) -> bool:
    """Whether the class's __getattr__ says what an attribute of an object is."""
    return isinstance(base, ObjectRef) and users(base.kind, "__getattr__") is not None and name != "__dict__"


def _asked(reader: Reader, base: ObjectRef, name: str) -> tuple[Abstract] | None:
    """(base.name,), None where the class raises AttributeError."""
    before, around, pending = reader.checkpoint(), reader.catching, len(reader.pending)
    reader.catching = (*around, (AttributeError,))
    try:
        found = reader.rules.attribute(base, name)
        lacks = reader.frame.names[RAISED]
    except Unwound:
        lacks = True
    except AttributeError:
        lacks = True
        reader.frame.names[CODE] = code_of(reader, AttributeError, None)
    finally:
        reader.catching = around
    code = reader.frame.names[CODE]
    if lacks is True and isinstance(code, int) and issubclass(reader.session.codes[code].kind, AttributeError):
        reader.rollback(before)
        return None
    if lacks is not False or reader.raised or len(reader.pending) > pending:
        raise reader.unsupported(f"hasattr or getattr with a default of a {base.kind.__name__}, whose __getattr__ raises", "the attribute itself")
    return (found,)


def _hasattr(reader: Reader, base: Abstract, name: Abstract) -> Abstract:
    if not isinstance(name, str):
        raise reader.unsupported("an attribute whose name is known only at run time", "if and elif")
    if (isinstance(base, Closure) or isinstance(base, Outside) and isinstance(base.object, FunctionType)) and class_slots.of_function(reader, base, name) is not None:
        return True
    kind = base if isinstance(base, type) else class_of(base)
    if kind is not None and class_slots.held_by(reader, kind, name) is not None:
        return True
    if isinstance(base, ObjectRef):
        objects.unusual(reader, base.kind, name)
        held = may_be_set(reader.heap[base])
        if is_doubtful(held.get(name)):
            return held[name].test if not objects.has_attribute(base.kind, name, ()) else True
        if _asks_class(base, name) and not objects.has_attribute(base.kind, name, held):
            return _asked(reader, base, name) is not None
        return objects.has_attribute(base.kind, name, held)
    if isinstance(base, Pooled):
        there = None if objects.has_attribute(base.pool.kind, name, ()) else pools.is_set(reader, base, name)
        found = objects.has_attribute(base.pool.kind, name, pools.names_held(reader, base)) if there is None else there
        return _unless_none(reader, base, found) if found is not False and not hasattr(None, name) else found
    if isinstance(base, Outside):
        return objects.outside_has(reader, base, name)
    if isinstance(base, ListRef):
        return hasattr([], name)
    if isinstance(base, DictRef):
        return hasattr(base.kind, name)
    return hasattr(example_of(reader, base), name)


def _unless_none(reader: Reader, value: Pooled, test: bool | Atom) -> bool | Atom:
    """A test that holds where an object of a pool is there."""
    there = none_in_pools.is_there(reader, value)
    if there is True or test is True:
        return test if there is True else there
    return False if there is False or test is False else both(reader, there, test)


def _isscalar(reader: Reader, element: Abstract) -> Abstract:
    return np.isscalar(sample(reader, element))


def _setattr(reader: Reader, base: Abstract, name: Abstract, value: Abstract) -> Abstract:
    reader.rules.set_attribute(base, name, value)
    return None


def _delattr(reader: Reader, base: Abstract, name: Abstract) -> Abstract:
    if not isinstance(name, str):
        raise reader.unsupported("an attribute whose name is known only at run time", "if and elif")
    objects.delete(reader, base, name)
    return None


def _callable(reader: Reader, value: Abstract) -> Abstract:
    if isinstance(value, FUNCTIONS):
        return True
    if isinstance(value, Pooled):
        return _unless_none(reader, value, test=True) if find(value.pool.kind, "__call__") is not None else False
    if isinstance(value, ObjectRef):
        return find(value.kind, "__call__") is not None
    return callable(value.object if isinstance(value, Outside) else value) and not is_runtime(value)


def _import_module(reader: Reader, name: Abstract, package: Abstract = None) -> Abstract:
    """importlib.import_module of a known name, as `import` inside of a function."""
    if not isinstance(name, str) or not isinstance(package, str | None):
        raise reader.unsupported("importlib.import_module of a name that only the run knows", "an if for each module")
    module = importlib.import_module(name, package)
    return enter(reader, module, (("object", module),))


REFLECTION: dict[str, Callable[..., Abstract]] = {
    **within("builtins", isinstance=_isinstance, type=_type, getattr=_getattr, hasattr=_hasattr, setattr=_setattr, delattr=_delattr, callable=_callable),
    "numpy.isscalar": _isscalar, "importlib.import_module": _import_module,
}
"""Qualified name -> rule(reader, *args)."""
