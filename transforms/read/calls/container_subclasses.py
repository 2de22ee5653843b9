"""Subclasses of list, dict, tuple, collections.UserList and UserDict: read as classes that hold one.

    class Stack(list):                       Stack, but with `subclassed.ListBase` for list: its methods are the user's, those
        def push(self, v): self.append(v)    of list are those of a class that holds a list

The class that stands for the user's is made once (`standing_for`); what the user's class and those that it inherits from hold is noted.
"""
from __future__ import annotations

import abc
import types
from typing import Any
from weakref import WeakKeyDictionary

from s2s.transforms.read.classes import is_pythons
from s2s.transforms.read.composed.subclassed import BASES as PLAIN
from s2s.transforms.read.composed.user_containers import USER_BASES
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import STANDS_FOR

BASES = {**PLAIN, **USER_BASES}
_MADE: WeakKeyDictionary[type, tuple[dict[str, Any], type]] = WeakKeyDictionary()
_OF_OBJECTS = ("__dict__", "__weakref__", "__classcell__", "_abc_impl", "__abstractmethods__", "__static_attributes__", "__firstlineno__")
_MAKING = ("__new__", "__init_subclass__", "__class_getitem__", "__slots__")
_MAKING_OF_TUPLES = ("__init_subclass__", "__class_getitem__")


def standing_for(reader: Reader, cls: type) -> type | None:
    """The class that stands for a subclass of list, dict or tuple; None for other classes."""
    if not any(base in BASES for base in cls.__mro__) or STANDS_FOR in vars(cls) or hasattr(cls, "_fields"):
        return None
    making = _MAKING_OF_TUPLES if issubclass(cls, tuple) else _MAKING
    of_abstract = any(base in USER_BASES for base in cls.__mro__)
    own = [each for each in cls.__mro__ if each not in BASES and each is not object and not (of_abstract and each.__module__ == "collections.abc")]
    if not own or any(is_pythons(each) or type(each) is not (abc.ABCMeta if of_abstract else type) or any(name in vars(each) for name in making) for each in own):
        return None
    for each in own:
        for name, value in vars(each).items():
            if name not in _OF_OBJECTS:
                reader.session.guard((("object", each), ("entry", name)), value)
    return _made(cls)


def _made(cls: type) -> type:
    if cls in BASES:
        return BASES[cls]
    if cls is object:
        return cls
    held = dict(vars(cls))
    before, found = _MADE.get(cls, (None, cls))
    bases = tuple(map(_made, cls.__bases__))
    if before == held and found.__bases__ == bases:
        return found
    namespace = {**{name: value for name, value in held.items() if name not in _OF_OBJECTS}, STANDS_FOR: cls}
    made = types.new_class(cls.__name__, bases, {}, lambda space: space.update(namespace))
    _MADE[cls] = held, made
    return made


def made_for(cls: type) -> type:
    """The class that stands for one, where there is such."""
    return _made(cls) if cls in BASES or cls in _MADE else cls


__all__ = ["made_for", "standing_for"]
