"""Objects of the user's classes are made, and `super()` is asked for what the classes behind one have.

    C(…)                    C.__new__, then __init__ where that gave an object of C; what the user's metaclass does of a call
    C.__init__              the user's, or what @dataclass wrote
    object.__new__(C)       an object that holds nothing yet
    super().name            as found in the classes behind the one whose method is read: of an object, or of the class that a class method got
"""
from __future__ import annotations

import abc
import dataclasses
import inspect
import typing
from typing import Any

from s2s.errors import ArgumentTypeError
from s2s.transforms.read.callables import Method, Parent
from s2s.transforms.read.calls.container_subclasses import made_for, standing_for
from s2s.transforms.read.calls.hidden import attribute_steps, class_attribute, class_function, default, enter
from s2s.transforms.read.calls.objects import forget, of_class, set_attribute, store
from s2s.transforms.read.classes import class_of, class_of_value, find, is_generated, is_pythons, users
from s2s.transforms.read.composed.subclassed import HELD, DictBase, ListBase, TupleBase
from s2s.transforms.read.describing import describe
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.binding import bound_arguments
from s2s.transforms.read.flow.keyed import pooled_list
from s2s.transforms.read.flow.spreading import spread, spreads
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import pools
from s2s.transforms.read.storage.changes import writable
from s2s.transforms.read.storage.visibility import reachable
from s2s.transforms.read.values import Abstract, Arguments, ListRef, MadeError, ObjectRef, OneOf, Outside, Ref, Steps, moment

_PLAIN_BASES = (object, typing.Generic, typing.Protocol, abc.ABC)
"""Classes of Python's that change nothing in how objects are made."""


# ---- making ----------------------------------------------------------------------------------------------------------------


def instance(reader: Reader, cls: type, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """What a call of a user's class gives: what the `__call__` of its metaclass gives, or a new object."""
    called = users(type(cls), "__call__")
    if called is None:
        return made_by_type(reader, cls, *args, **kwargs)
    return reader.rules.call(Method(class_function(reader, called[0], "__call__"), cls), args, kwargs)


def made_by_type(reader: Reader, cls: type, *args: Abstract, **kwargs: Abstract) -> Abstract:
    """type.__call__(cls, …): a new object of a user's class, or what its `__new__` gives."""
    since = moment()
    given, cls = cls, standing_for(reader, cls) or cls
    _refuse_unusual(reader, cls)
    pool = pools.of_kind(reader, cls)
    own = users(cls, "__new__")
    if own is None:
        found: Abstract = initialised(reader, bare(reader, cls, *args, **kwargs), cls, args, kwargs)
    elif pool is None:
        return initialised(reader, reader.rules.call(_users_maker(reader, own[0]), (given, *args), kwargs), cls, args, kwargs)
    else:
        raise reader.unsupported(f"a {cls.__name__} of which only the run knows which one it is, and whose class has a __new__", "__init__, or a function that makes it")
    if pool is None:
        return found
    held = reader.heap[found]
    if any(each is found for ref, content in reader.heap.items() if ref is not found for each in reachable(reader, [content] if isinstance(ref, Ref) else [])):
        raise reader.unsupported(f"a {cls.__name__} whose __init__ gives it to another object", "a function that makes both")
    return pools.allocated(reader, pool, held, reader.trip_began or since, found)


def _users_maker(reader: Reader, owner: type) -> Abstract:
    """The `__new__` that a user's class has."""
    found = class_attribute(reader, owner, "__new__", None, None)
    if found is None:  # functools.cache and the like, which give an earlier object again
        raise reader.unsupported(f"an object of {owner.__name__}, whose __new__ is no plain function", "a __new__ without a decorator, or a function that makes it")
    return found[0]


@asks_python
def bare(reader: Reader, cls: Abstract, *args: Abstract, **kwargs: Abstract) -> ObjectRef:
    """object.__new__(cls)."""
    if not isinstance(cls, type):
        raise ArgumentTypeError(f"object.__new__(X): X is not a type object ({class_of_value(reader, cls).__name__})", where=reader.builder.where)
    cls = standing_for(reader, cls) or cls
    _refuse_unusual(reader, cls)
    object.__new__(cls, *args, **kwargs)  # raises what Python raises: of an abstract class, with arguments that nothing takes
    ref = ObjectRef(kind=cls)
    reader.heap[ref] = {}
    for kind, stands in ((list, ListBase), (dict, DictBase)):
        if issubclass(cls, stands) and users(cls, "__init__") is not None:  # which need not call that of list or dict
            reader.heap[ref] = {HELD: reader.rules.call(kind, (), {})}
    return ref


def bare_tuple(reader: Reader, cls: Abstract, items: Abstract = ()) -> Abstract:
    """tuple.__new__(cls, items)."""
    if cls is tuple:
        return reader.rules.call(tuple, (items,))
    if not isinstance(cls, type) or not issubclass(cls, tuple | TupleBase):
        shown = cls.__name__ if isinstance(cls, type) else class_of_value(reader, cls).__name__
        raise ArgumentTypeError(f"tuple.__new__({shown}): {shown} is not a subtype of tuple", where=reader.builder.where)
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        held: tuple[Abstract, ...] = reader.rules.call(tuple, (items,))
        return tuple.__new__(cls, held)
    cls = standing_for(reader, cls) or cls
    _refuse_unusual(reader, cls)
    return reader.rules.call(TupleBase.__new__, (cls, items))


def bare_named(reader: Reader, kind: type, cls: type, *args: Abstract, **kwargs: Abstract) -> Abstract:
    """kind.__new__(cls, …) as it was written for a NamedTuple."""
    found = next(vars(owner)["__new__"] for owner in kind.__mro__ if "__new__" in vars(owner) and users(owner, "__new__") is None)
    bound = inspect.signature(found.__func__).bind(cls, *args, **kwargs)
    bound.apply_defaults()
    return tuple.__new__(cls, list(bound.arguments.values())[1:])


def of_items(reader: Reader, kind: type, items: Abstract) -> Abstract:
    """kind._make(items) of a NamedTuple."""
    held: tuple[Abstract, ...] = reader.rules.call(tuple, (items,))
    fields = kind._fields  # type: ignore[attr-defined]
    if len(held) != len(fields):
        raise TypeError(f"Expected {len(fields)} arguments, got {len(held)}")
    return tuple.__new__(kind, held)


_OF_NAMED = {"__new__": bare_named, "_make": of_items}


def of_named(kind: type, name: str) -> Parent | None:
    """What makes NamedTuples of this class and is not the user's own: kind._make, kind.__new__."""
    return Parent(kind, kind, _OF_NAMED[name]) if name in _OF_NAMED and hasattr(kind, "_fields") and issubclass(kind, tuple) and users(kind, name) is None else None


def named_tuple(reader: Reader, cls: type, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """What a call of a NamedTuple gives."""
    own = users(cls, "__new__")
    if own is None:
        return bare_named(reader, cls, cls, *args, **kwargs)
    return reader.rules.call(_users_maker(reader, own[0]), (cls, *args), kwargs)


def called_by_type(reader: Reader, cls: Abstract, *args: Abstract, **kwargs: Abstract) -> Abstract:
    """type.__call__(cls, …), whatever the class's own metaclass does."""
    if not isinstance(cls, type):
        raise ArgumentTypeError(f"descriptor '__call__' requires a 'type' object but received a '{class_of_value(reader, cls).__name__}'", where=reader.builder.where)
    return reader.rules.call(cls, args, kwargs) if users(type(cls), "__call__") is None else made_by_type(reader, cls, *args, **kwargs)


@spreads(0)
def initialised(reader: Reader, made: Abstract, cls: type, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """What `__new__` gave, after its `__init__` where it is an object of the class."""
    kind = class_of(made)
    if kind is not None and issubclass(kind, cls) and isinstance(made, ObjectRef | Outside):
        initialise(reader, made, kind, args, kwargs)
    return made


def caught(reader: Reader, error: Abstract) -> Abstract:
    """An exception that is looked at: one that has an `__init__` of the user's is an object."""
    if isinstance(error, OneOf) and any(isinstance(each, MadeError) and _makes_objects(each.kind) for each in error.options):
        return spread(reader, error, lambda each: caught(reader, each))
    if not isinstance(error, MadeError) or not _makes_objects(error.kind):
        return error
    cls = error.kind
    ref = ObjectRef(kind=cls)
    reader.heap[ref] = {"args": error.args}
    kwargs = error.message.kwargs if isinstance(error.message, Arguments) else {}
    initialise(reader, ref, cls, error.args, kwargs)
    return ref


def _makes_objects(cls: type) -> bool:
    """Whether an exception of a class is one that its `__init__` has made."""
    return users(cls, "__init__") is not None and users(cls, "__new__") is None


def _refuse_unusual(reader: Reader, cls: type) -> None:
    """Refuse a class whose objects are not made by `__new__` and `__init__` alone, or are numbers or containers of their own."""
    meta = find(type(cls), "__call__") if users(type(cls), "__call__") is None else None
    foreign = next((base for base in cls.__mro__ if base not in _PLAIN_BASES and is_pythons(base)), None)
    if meta is not None and meta[0] is not type:
        raise reader.unsupported(f"a call of the class {cls.__name__}, whose metaclass {type(cls).__name__} has a __call__", "a plain class")
    made = find(cls, "__new__")
    if made is not None and not is_pythons(made[0]) and users(cls, "__new__") is None:
        raise reader.unsupported(f"an object of {cls.__name__}, whose __new__ is not written in Python", "what it gives, as an argument")
    if foreign is not None:
        raise reader.unsupported(
            f"an object of {cls.__name__}, which inherits from {foreign.__name__}", "a class that holds one in an attribute", "it would be a container or number of its own"
        )


def initialise(reader: Reader, ref: Abstract, cls: type, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> None:
    """What `__init__`, as found from `cls` on, does."""
    found = users(cls, "__init__")
    if found is None:
        if issubclass(cls, BaseException):
            writable(reader, ref)
            reader.heap[ref] = {**reader.heap[ref], "args": args}
        elif users(cls, "__new__") is None:
            object.__new__(cls, *args, **kwargs)  # object.__init__ raises for arguments that no __new__ took
        return
    if is_generated(found[1]):
        _fill_dataclass(reader, ref, found[0], args, kwargs)
        return
    initialiser = class_attribute(reader, cls, "__init__", ref, None)
    if initialiser is None:
        raise reader.unsupported(f"the __init__ of {cls.__name__}, which is a {type(found[1]).__name__}", "a plain method")
    reader.rules.call(initialiser[0], args, kwargs)


def _fill_dataclass(reader: Reader, ref: Abstract, owner: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> None:
    """The `__init__` that @dataclass wrote for `owner`."""
    kind = class_of(ref)
    assert kind is not None
    given = bound_arguments(owner.__init__, ref, *args, **kwargs).arguments
    held = {field.name for field in dataclasses.fields(owner)}
    declared = [field for field in owner.__dataclass_fields__.values() if field.name in held or field.name in given or _is_for_init(owner, field.name)]
    only_for_init = []
    for field in declared:
        if field.init and field.name in given:
            value = given[field.name]
        elif field.default is not dataclasses.MISSING:
            value = default(reader, field.default, (*_field(owner, field), ("attribute", "default")))
        elif field.default_factory is not dataclasses.MISSING:
            value = reader.rules.call(enter(reader, field.default_factory, (*_field(owner, field), ("attribute", "default_factory"))), ())
            value = pooled_list(reader, value, (owner, field.name)) if type(value) is ListRef else value
        else:
            continue
        if field.name not in held:
            only_for_init.append(value)
        elif owner.__dataclass_params__.frozen:
            store(reader, ref, field.name, value)
        else:
            set_attribute(reader, ref, field.name, value)
    after = class_attribute(reader, kind, "__post_init__", ref, None) if find(kind, "__post_init__") else None
    if after is not None:
        reader.rules.call(after[0], tuple(only_for_init))


def _field(cls: type, field: Any) -> Steps:
    """The steps to a dataclass's field."""
    return ("object", cls), ("attribute", "__dataclass_fields__"), ("item", field.name)


def _is_for_init(owner: Any, name: str) -> bool:
    """Whether a field is an InitVar: a parameter of `__init__` that the object does not hold."""
    return name in inspect.signature(owner.__init__).parameters


# ---- super() ---------------------------------------------------------------------------------------------------------------


def parent_of(reader: Reader, *given: Abstract) -> Parent:
    """super(), super(kind, self), super(kind, cls)."""
    if given:
        if len(given) != 2 or class_of(given[1]) is None and not isinstance(given[1], type) or not isinstance(given[0], type):
            raise reader.unsupported("super() with these arguments", "super() in a method")
        return Parent(given[0], given[1])
    if reader.frame.method_of is not None and (params := [*(own := reader.frame.tree.node.params).posonly_params, *own.params]):
        return _parent_in(reader, reader.frame.method_of, reader.frame.find(params[0].name.value))
    frame = reader.frame.root()
    function = frame.python
    names = function.__code__.co_freevars if function is not None else ()
    if function is None or "__class__" not in names or not function.__code__.co_argcount:
        raise reader.unsupported("super() outside of a method", "the class's own name")
    cell = function.__closure__[names.index("__class__")]  # type: ignore[index]
    return _parent_in(reader, cell.cell_contents, frame.find(function.__code__.co_varnames[0]))


def _parent_in(reader: Reader, kind: type, first: Abstract) -> Parent:
    """super() in a method of a class whose first argument this is."""
    if class_of(first) is None and not isinstance(first, type):
        raise reader.unsupported("super() in a method whose first argument is no object of a class of yours", "the class's own name")
    return Parent(kind, first)


def of_parent(reader: Reader, base: Parent, name: str) -> Abstract:
    """super().name: as found in the classes behind this one."""
    if isinstance(base.instance, type) and isinstance(base.instance, base.kind):
        return _of_metaclass(reader, base, base.instance, name)
    is_type = isinstance(base.instance, type)
    kind: Any = base.instance if is_type else class_of(base.instance)
    mro, here = kind.__mro__, base.kind if base.kind in kind.__mro__ else made_for(base.kind)
    owner = next((cls for cls in mro[mro.index(here) + 1 :] if name in vars(cls)), None)
    if owner is None:
        raise AttributeError(f"'super' object has no attribute {name!r}")
    raw = vars(owner)[name]
    if name == "__new__":
        return _maker(reader, owner)
    if name == "__init__" and not is_type:
        return Parent(here, base.instance, owner)
    if owner is object and name == "__setattr__" and not is_type:
        return Parent(base.kind, base.instance, store)
    if owner is object and name == "__delattr__" and not is_type:
        return Parent(base.kind, base.instance, forget)
    if is_pythons(owner) or is_generated(raw):
        raise reader.unsupported(f"super().{name} of {owner.__name__}", "a method of your own")
    if isinstance(raw, classmethod):
        path = (("object", owner), ("entry", name))
        reader.session.guard(path, raw)
        return Method(enter(reader, raw.__func__, attribute_steps(path, "__func__")), kind)
    if is_type:
        found = class_attribute(reader, owner, name, None, None)
        return found[0] if found is not None else enter(reader, getattr(owner, name), (("object", owner), ("attribute", name)))
    return of_class(reader, owner, name, raw, base.instance)


def _of_metaclass(reader: Reader, base: Parent, cls: type, name: str) -> Abstract:
    """super().name in a method of a metaclass, of the class that it got."""
    mro = inspect.getmro(type(cls))
    owner = next((kind for kind in mro[mro.index(base.kind) + 1 :] if name in vars(kind)), None)
    if owner is type and name == "__call__":
        return Parent(base.kind, cls, made_by_type)
    if owner is not None and not is_pythons(owner) and (found := class_attribute(reader, owner, name, cls, None)) is not None:
        return found[0]
    raise reader.unsupported(f"super().{name} of the metaclass {type(cls).__name__}", "super().__call__, or a method of your own")


def _maker(reader: Reader, owner: Any) -> Abstract:
    """super().__new__, which `owner` has."""
    if users(owner, "__new__") is not None:
        return _users_maker(reader, owner)
    return of_named(owner, "__new__") or owner.__new__


@spreads(1)
def initialise_as(reader: Reader, cls: type, ref: Abstract, *args: Abstract, **kwargs: Abstract) -> None:
    """cls.__init__(ref, …), which @dataclass wrote."""
    if class_of(ref) is None:
        raise reader.unsupported(f"{cls.__name__}.__init__ of {describe(reader, ref)}", "an object of the class")
    initialise(reader, ref, cls, args, kwargs)


def call_parent(reader: Reader, function: Parent, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """super().__init__(…), super().__setattr__(name, value), super().__delattr__(name), super().__call__(…) of a metaclass, what makes NamedTuples, and what @dataclass wrote."""
    if function.method in (store, forget, made_by_type, initialise_as, *_OF_NAMED.values()):
        return function.method(reader, function.instance, *args, **kwargs)
    if not isinstance(function.method, type):
        raise reader.unsupported("a call of super()", "super().method(…)")
    if function.method is object and (args or kwargs):
        raise TypeError("object.__init__() takes exactly one argument (the instance to initialize)")
    initialise(reader, function.instance, function.method, args, kwargs)
    return None


__all__ = ["bare", "bare_tuple", "call_parent", "called_by_type", "caught", "initialise_as", "instance", "named_tuple", "of_named", "of_parent", "parent_of"]
