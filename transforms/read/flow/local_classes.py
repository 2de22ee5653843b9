"""Classes made inside of the function: real ones, whose methods are closures that see the frame of the function.

    class Body:                            Body: a class of Python's, made while reading, with an entry for each method
        def __init__(self, x): …           initialiser: a function that is never run; `Session.made` says which closure it stands for

What a class body holds beside methods is computed by Python: it must be known, but for plain attributes (`k = x`), which the reader holds. An object of
such a class stays inside: each call of Python's makes another class.
"""
from __future__ import annotations

import abc
import dataclasses
import enum
import functools
import sys
import types
from collections.abc import Callable
from typing import Any

import libcst as cst

from s2s.errors import Location
from s2s.transforms.read.callables import Closure
from s2s.transforms.read.calls import class_slots
from s2s.transforms.read.describing import describe
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.expressions import closure, evaluate
from s2s.transforms.read.known import is_known, plain
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax.scope import names_read
from s2s.transforms.read.syntax.source import statements_of
from s2s.transforms.read.values import Abstract, Outside, StandIn

_INSTEAD = "define the class at module level"
_WRAPPERS = (property, staticmethod, classmethod, functools.cached_property, abc.abstractmethod)
_OF_PROPERTIES = ("getter", "setter", "deleter")


def define_class(reader: Reader, node: cst.ClassDef) -> None:
    """class Name(bases): …"""
    reader.rules.assign(node.name, _defined(reader, node, f"{reader.frame.root().name}.<locals>"))


def _defined(reader: Reader, node: cst.ClassDef, around: str) -> Abstract:
    """The class of a statement, with what its decorators make of it; `around`: what it stands in."""
    name = node.name.value
    if node.keywords:
        raise reader.unsupported(f"a class made inside of a function with {node.keywords[0].keyword.value}=…", _INSTEAD)  # type: ignore[union-attr]
    bases = tuple(_base(reader, evaluate(reader, each.value)) for each in node.bases)
    path = f"{around}.{name}"
    body = _Body(reader, path, is_plain=types.prepare_class(name, bases)[0] in (type, abc.ABCMeta))
    held = body.read(list(statements_of(node.body)))
    function = reader.frame.root().python
    held["__module__"] = "__main__" if function is None or function.__module__ not in sys.modules else function.__module__
    held["__qualname__"] = path

    def fill(namespace: dict[str, Any]) -> None:
        for key, value in held.items():
            namespace[key] = value  # noqa: PERF403 - one by one, as an Enum's namespace asks

    place = _place(reader, node)
    cls = _made_before(reader, place, bases, held) if body.is_plain and reader.regions == 0 else None
    if cls is None:
        cls = types.new_class(name, bases, {}, fill)
        reader.session.made[cls] = None
        _keep(reader, place, cls)
    for method in body.methods:
        method.method_of = cls
    if body.is_plain:
        class_slots.begin(reader, cls, body.values)
    found: Abstract = cls
    for decorator in reversed(node.decorators):
        found = _decorated(reader, decorator.decorator, found)
    return found


def _made_before(reader: Reader, place: tuple[Location, ...], bases: tuple[Any, ...], held: dict[str, Any]) -> Any:
    """The class that an earlier reading made here, which what it has learnt speaks of, filled anew; None where there is none, or that one is in use."""
    cls = reader.session.classes.get(place)
    if cls is None or cls.__bases__ != (bases or (object,)) or "__slots__" in {*vars(cls), *held} or any("__init_subclass__" in vars(each) for each in cls.__mro__[:-1]):
        return None
    if reader.session.slots.get(cls) in reader.heap:  # two objects' classes that are made by one statement
        return None
    for key in [key for key in vars(cls) if key not in _OF_EACH_CLASS]:
        delattr(cls, key)
    for key, value in held.items():
        setattr(cls, key, value)
        if (named := getattr(type(value), "__set_name__", None)) is not None:
            named(value, cls, key)
    reader.session.made[cls] = None
    reader.session.lasting.add(cls)
    return abc.update_abstractmethods(cls)


_OF_EACH_CLASS = frozenset(("__module__", "__qualname__", "__dict__", "__weakref__", "__doc__", "_abc_impl", "__abstractmethods__"))


def _keep(reader: Reader, place: tuple[Location, ...], cls: Any) -> None:
    """Have the next reading fill this class, where it makes it at all in this way."""
    if reader.regions == 0 and place not in reader.session.classes:
        reader.session.classes[place] = cls
        reader.session.lasting.add(cls)


def _place(reader: Reader, node: cst.ClassDef) -> tuple[Location, ...]:
    """Where a class is made: its statement, and the calls around it."""
    places = [reader.frame.tree.where(node)]
    frame = reader.frame.caller
    while frame is not None:
        places.append(frame.tree.where(frame.read_now))
        frame = frame.caller
    return tuple(places)


def _base(reader: Reader, value: Abstract) -> Any:
    found = plain(reader, value) if is_known(reader, value) else value
    if not isinstance(found, type) and not hasattr(found, "__mro_entries__"):
        raise reader.unsupported(f"a class made inside of a function that inherits from {describe(reader, value)}", _INSTEAD)
    return found


def _decorated(reader: Reader, node: cst.BaseExpression, cls: Abstract) -> Abstract:
    """What a decorator makes of a class."""
    call = node if isinstance(node, cst.Call) else None
    function = evaluate(reader, node if call is None else call.func)
    if function is not dataclasses.dataclass and function is not functools.total_ordering:
        return reader.rules.call(function if call is None else evaluate(reader, call), (cls,))
    if not isinstance(cls, type):
        raise reader.unsupported(f"@{function.__name__} of {describe(reader, cls)}", "the decorator next to the class")
    if function is functools.total_ordering:
        return functools.total_ordering(cls)
    options: dict[str, Any] = {}
    for arg in () if call is None else call.args:
        value = evaluate(reader, arg.value)
        if arg.keyword is None or not is_known(reader, value):
            raise reader.unsupported("this decorator of a class made inside of a function", "@dataclass, with known options")
        options[arg.keyword.value] = plain(reader, value)
    if options.get("slots"):
        raise reader.unsupported("this decorator of a class made inside of a function", "@dataclass")
    return dataclasses.dataclass(**options)(cls)


OF_THE_RUN = StandIn()
"""What stands in a class for a value that only the run knows: the reader holds it (`class_slots`)."""


class _Body:
    """The statements of a class."""

    def __init__(self, reader: Reader, path: str, *, is_plain: bool) -> None:
        self.reader, self.path, self.held, self.is_plain = reader, path, dict[str, Any](), is_plain
        self.values = dict[str, Abstract]()
        """What it binds to values, as the reader holds them."""
        self.methods: list[Closure] = []

    def read(self, statements: list[Any]) -> dict[str, Any]:
        """What the class holds, in order."""
        for statement in statements:
            with self.reader.at(statement):
                self._statement(statement)
        return self.held

    def _statement(self, node: Any) -> None:
        match node:
            case cst.Pass() | cst.Expr(value=cst.SimpleString() | cst.Ellipsis()):
                return
            case cst.FunctionDef(asynchronous=None):
                self._method(node)
            case cst.ClassDef():
                self._inner(node)
            case cst.AnnAssign(target=cst.Name(value=name)):
                self.held.setdefault("__annotations__", {})[name] = cst.Module([]).code_for_node(node.annotation.annotation)
                if node.value is not None:
                    self.held[name] = self._value(node.value, name)
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=cst.Name(value=other)) if isinstance(self.held.get(other), types.FunctionType):
                self.held[name] = self.held[other]  # another name of a method
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))]):
                self.held[name] = self._value(node.value, name, may_be_of_the_run=True)
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple(elements=names))], value=cst.Tuple(elements=values)) if len(names) == len(values):
                for each, value in zip(names, values, strict=True):
                    self._statement(cst.Assign([cst.AssignTarget(cst.ensure_type(each.value, cst.Name))], value.value))
            case _:
                raise self.reader.unsupported("such a statement in a class made inside of a function", "methods, and names with values that are known while reading")

    def _inner(self, node: cst.ClassDef) -> None:
        """A class in the class."""
        if any(names_read(each) & set(self.held) for each in (*node.bases, *node.decorators)):
            raise self.reader.unsupported("a class in a class made inside of a function that inherits from another one of it", _INSTEAD)
        found = _defined(self.reader, node, self.path)
        if not isinstance(found, type):
            raise self.reader.unsupported(f"{describe(self.reader, found)} as a class in a class made inside of a function", _INSTEAD)
        self.held[node.name.value] = found

    @asks_python
    def _value(self, node: cst.BaseExpression, name: str, *, may_be_of_the_run: bool = False) -> Any:
        """A value that the class holds; what stands for it, where only the run knows it."""
        if names_read(node) & set(self.held):
            raise self.reader.unsupported("a value of a class made inside of a function that is computed from another one of the class", _INSTEAD)
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Name | cst.Attribute) and any(evaluate(self.reader, node.func) is each for each in (dataclasses.field, enum.auto)):
            return self._field(node)
        value = evaluate(self.reader, node)
        if not is_known(self.reader, value):
            if may_be_of_the_run and self.is_plain and self.reader.regions == 0 and not name.startswith("__") and not class_slots.is_more_than_a_value(value):
                self.values[name] = value
                return OF_THE_RUN
            raise self.reader.unsupported(
                f"{describe(self.reader, value)} as an attribute of a class made inside of a function", "an attribute of its objects, set in __init__", "it is shared by all of them"
            )
        if not isinstance(value, enum.Enum):
            self.values[name] = value
        return plain(self.reader, value)

    @asks_python
    def _field(self, node: cst.Call) -> Any:
        """dataclasses.field(…), enum.auto()."""
        options = {}
        for arg in node.args:
            value = evaluate(self.reader, arg.value)
            if arg.keyword is None or not is_known(self.reader, value) and not isinstance(value, type):
                raise self.reader.unsupported("such a field of a dataclass made inside of a function", "field(default=…), field(default_factory=list), with what is known while reading")
            options[arg.keyword.value] = plain(self.reader, value)
        found: Callable[..., Any] = evaluate(self.reader, node.func)
        return found(**options)

    def _method(self, node: cst.FunctionDef) -> None:
        if any(isinstance(each, cst.Nonlocal) for each in _parts(node)):
            raise self.reader.unsupported("nonlocal in a method of a class made inside of a function", "an attribute of the object")
        name = node.name.value
        method = closure(self.reader, node, name)
        self.methods.append(method)
        value: Any = class_slots.stand_in(self.reader, method)
        for decorator in reversed(node.decorators):
            value = self._wrapped(decorator.decorator, value)
        self.held[name] = value

    @asks_python
    def _wrapped(self, node: cst.BaseExpression, value: Any) -> Any:
        """What a decorator makes of a method."""
        if isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name) and node.attr.value in _OF_PROPERTIES and isinstance(self.held.get(node.value.value), property):
            return getattr(self.held[node.value.value], node.attr.value)(value)
        found = evaluate(self.reader, node)
        found = found.object if isinstance(found, Outside) else found
        if not any(found is each for each in _WRAPPERS):
            raise self.reader.unsupported("this decorator of a method of a class made inside of a function", "@property, @staticmethod, @classmethod")
        return found(value)


def _parts(node: cst.CSTNode) -> Any:
    for child in node.children:
        yield child
        yield from _parts(child)


__all__ = ["define_class"]
