"""Dataclasses of many small values, made as quickly as plain objects.

    @dataclass(frozen=True)        # this module's: the same fields, comparison, hash and text as the library's
    class Name:
        id: str

A first call makes hundreds of thousands of nodes that nobody changes. The guard of a frozen class against it takes two thirds of the time in
which one is made: mypy sees to it that nothing assigns to a field, and the guard is there where S2S_CHECK is set, as in all tests. What a
class needs is put together of closures, and its `__init__` of one that was compiled for that many fields; the library compiles five functions
for each class and writes its signature into its text, which took a fifth of the time that it takes to import what makes a module.

`cached_property` is without the lock that functools' takes (until Python 3.12), `replace` without the search through a class's fields.
"""
from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from dataclasses import MISSING, field, fields
from operator import attrgetter
from reprlib import recursive_repr
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

__all__ = ["cached_property", "dataclass", "field", "fields", "given", "replace"]

_GUARDED = os.environ.get("S2S_CHECK", "0") not in ("", "0")
"""Whether a frozen class refuses assignments."""

if TYPE_CHECKING:
    from dataclasses import dataclass, replace
    from functools import cached_property
else:

    def dataclass(cls: type | None = None, /, *, frozen: bool = False, eq: bool = True, slots: bool = False) -> Any:
        """See `dataclasses.dataclass`."""
        return _decorator(frozen, eq, slots) if cls is None else _decorator(frozen, eq, slots)(cls)

    def replace(value: Any, /, **changes: Any) -> Any:
        """See `dataclasses.replace`."""
        for name in given(type(value)):
            if name not in changes:
                changes[name] = getattr(value, name)
        return type(value)(**changes)

    class cached_property:  # noqa: N801 (the library's name for it)
        """See `functools.cached_property`. Two threads may compute one value twice, as they may since Python 3.12."""

        def __init__(self, function: Callable[[Any], Any]) -> None:
            self.function, self.__doc__ = function, function.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            value = self.function(instance)
            object.__setattr__(instance, self.name, value)
            return value


def _decorator(frozen: bool, eq: bool, slots: bool) -> Callable[[type], type]:
    def decorate(cls: type) -> type:
        own = vars(cls)
        compares, hashes = eq and "__eq__" not in own, frozen and eq and _without_hash(cls)
        guarded = frozen and _GUARDED
        made: Any = _with_fields(cls, guarded, slots)
        key = _key_of(made)
        if "__repr__" not in own:
            made.__repr__ = _text
        if compares:
            made.__eq__ = _equality(key)
        if hashes:
            made.__hash__ = lambda self: hash(key(self))
        elif compares and _without_hash(cls):
            made.__hash__ = None
        return made

    return decorate


def _with_fields(cls: type, guarded: bool, slots: bool) -> Any:
    """The class as the library makes it of its fields, without comparison, hash and text."""
    if guarded or "__init__" in vars(cls) or hasattr(cls, "__post_init__"):
        return dataclasses.dataclass(frozen=guarded, repr=False, eq=False, slots=slots)(cls)
    documented = cls.__doc__
    cls.__doc__ = documented or cls.__name__  # or else the library writes the signature there, which it looks for long
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    made.__doc__, made.__init__ = documented, init_of(made)
    return made


def init_of(cls: type) -> Callable[..., None]:
    """The `__init__` of a class that assigns its fields: that of any class with as many, with other names.

    It was compiled for the names _0, _1, …; what makes a field's value where none is given stands among its globals.
    """
    taken = [each for each in fields(cls) if each.init]
    ordered = sorted(taken, key=attrgetter("kw_only"))
    made = tuple(number for number, each in enumerate(ordered) if each.default_factory is not MISSING)
    keywords = sum(each.kw_only is True for each in ordered)
    code = _template(len(ordered), made)
    names = {f"_{number}": each.name for number, each in enumerate(ordered)}
    code = code.replace(
        co_argcount=code.co_argcount - keywords, co_kwonlyargcount=keywords, co_names=tuple(names.get(name, name) for name in code.co_names),
        co_varnames=tuple(names.get(name, name) for name in code.co_varnames),
    )  # fmt: skip
    init = FunctionType(code, {"missing": MISSING, **{f"make_{number}": ordered[number].default_factory for number in made}}, "__init__")
    defaults = {each.name: MISSING if number in made else each.default for number, each in enumerate(ordered) if number in made or each.default is not MISSING}
    init.__defaults__ = tuple(defaults[each.name] for each in ordered if each.name in defaults and not each.kw_only)
    init.__kwdefaults__ = {each.name: defaults[each.name] for each in ordered if each.name in defaults and each.kw_only}
    init.__module__, init.__qualname__ = cls.__module__, f"{cls.__qualname__}.__init__"
    return init


def _template(count: int, made: tuple[int, ...]) -> CodeType:
    """The code of an `__init__` with so many fields, of which those at some positions are made where they are not given."""
    found = _TEMPLATES.get((count, made))
    if found is None:
        body = [f"self._{number} = make_{number}() if _{number} is missing else _{number}" if number in made else f"self._{number} = _{number}" for number in range(count)]
        head = ", ".join(("self", *(f"_{number}" for number in range(count))))
        own: dict[str, Any] = {}
        exec(f"def __init__({head}):\n " + "\n ".join(body or ["pass"]), own)  # noqa: S102 (our own text)
        found = _TEMPLATES[count, made] = own["__init__"].__code__
    return found


_TEMPLATES: dict[tuple[int, tuple[int, ...]], CodeType] = {}
"""As many as there are counts of fields."""


def _without_hash(cls: type) -> bool:
    """Whether a class says nothing of its hash itself (Python notes None where it says what is equal)."""
    own = vars(cls)
    return "__hash__" not in own or own["__hash__"] is None and "__eq__" in own


def _key_of(cls: Any) -> Callable[[Any], tuple[Any, ...]]:
    """The fields that two values are compared by."""
    names = [each.name for each in fields(cls) if each.compare]
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda self: (getattr(self, names[0]),)) if names else lambda self: ()


def _equality(key: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, object], bool]:
    def __eq__(self: Any, other: object) -> bool:  # noqa: N807 (the library's name for it)
        if self is other:
            return True
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


@recursive_repr()
def _text(self: Any) -> str:
    """C(a=1, b=2)"""
    return f"{type(self).__qualname__}({', '.join(f'{each.name}={getattr(self, each.name)!r}' for each in fields(self) if each.repr)})"


def given(cls: type) -> tuple[str, ...]:
    """The fields that a class is made of."""
    found = _GIVEN.get(cls)
    if found is None:
        found = _GIVEN[cls] = tuple(each.name for each in fields(cls) if each.init)
    return found


_GIVEN: dict[type, tuple[str, ...]] = {}
"""Classes of ours: they live as long as the process."""
