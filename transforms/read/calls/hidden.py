"""What a function reads from outside: closures, globals, attributes of objects, arguments' containers.

Arrays and floats become hidden parameters (read at each call), everything else is known while reading, under a guard. Each
question that is asked of an object outside is noted with its answer (`Session.guard`), so that a call for which one of them has
another answer is read again.
"""
from __future__ import annotations

import enum
import functools
import os
import random
import types
from collections import defaultdict
from typing import Any

import numpy as np

from s2s import sparse_parts, streams, tree_util
from s2s.containers import attributes_of, is_half, is_object
from s2s.hidden import behaves_as_array, is_transformed, may_be_told, step
from s2s.outside import CONTENT, Access, Itself
from s2s.records import replace
from s2s.transforms.ir.staged import Hidden
from s2s.transforms.read.callables import Applied, Method, half_of
from s2s.transforms.read.calls.libraries import holds_function, is_library, module_of
from s2s.transforms.read.composed.made_outside import MADE_OUTSIDE
from s2s.transforms.read.composed.sparse import from_outside
from s2s.transforms.read.failures import NeedsInline
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.known_sets import SetItems
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.lying import lies_in_c_order
from s2s.transforms.read.values import (
    Abstract,
    Cell,
    DictRef,
    ListRef,
    ObjectRef,
    Outside,
    SetRef,
    Steps,
    View,
    dict_kind,
    is_namedtuple,
    remake,
)
from s2s.transforms.read.wrapping import constant_array
from s2s.types import BOOL, COMPLEX128, FLOAT0, FLOAT64, INT64, SIZE, SUPPORTED_DTYPES, Array, Atom, Var, is_wide

_FIXED = (bool, int, str, bytes, type(None), type, range, slice, types.EllipsisType, types.NotImplementedType, np.dtype, np.ufunc, np.integer, np.bool_, frozenset, tree_util.PyTreeDef)


SPARSE_INSTEAD = "its tocsr()"


_ANOTHER = object()
"""What says that a value is of another kind."""


@asks_python
def enter(reader: Reader, value: Any, steps: Steps | None) -> Abstract:
    """An object from outside as an abstract value; `steps` lead to it (None: it can't be looked up again)."""
    for kind in (_enter_met, _enter_data, _enter_collection):
        if (found := kind(reader, value, steps)) is not _ANOTHER:
            return found
    if steps is None:
        steps = (("object", value if callable(value) and hasattr(value, "__qualname__") else Itself(value)),)
    if (found := _enter_function(reader, value, steps)) is not _ANOTHER:
        return found
    if value is os.environ:
        raise reader.unsupported("os.environ", "what it holds, as an argument", "the next call may find something else")
    if is_object(value) and (_holds_vars(value) or id(value) in reader.session.arguments):
        return half_of(value, [enter(reader, each, None) for each in value.residuals]) if is_half(value) else _enter_object(reader, value)
    reader.session.guard(attribute_steps(steps, "__class__"), type(value))
    reader.session.met[steps] = value
    return Outside(value, steps)


@asks_python
def _enter_met(reader: Reader, value: Any, steps: Steps | None) -> Abstract:
    """What the reader made, or knows already."""
    del steps
    if isinstance(value, Var):
        return enter_var(reader, value)
    if isinstance(value, types.FunctionType) and value in reader.session.made:
        return reader.session.made[value]
    if id(value) in reader.session.taken and not isinstance(value, (type, types.FunctionType)):  # of these only some attributes are taken in
        return taken_ref(reader, value)
    return _ANOTHER


@asks_python
def _enter_data(reader: Reader, value: Any, steps: Steps | None) -> Abstract:
    """Numbers and arrays, constants, library's objects and functions, modules."""
    if isinstance(value, (np.ndarray, np.void)) and value.dtype == FLOAT0:
        reader.session.guard(attribute_steps(steps, "dtype"), value.dtype)
        return np.zeros((), FLOAT0)
    if isinstance(value, enum.Enum):
        return _fixed(reader, value, steps)
    if is_of_nothing(value):
        is_own = not steps or steps[0][0] == "object"  # its .T is another array each time that it is asked for
        return Outside(value, (("object", Itself(value)),) if is_own else steps)
    if isinstance(value, (np.ndarray, float, complex, np.inexact)) and not isinstance(value, np.matrix):
        return _enter_number(reader, value, steps)
    if isinstance(value, sparse_parts.Matrix):
        return reader.rules.call(from_outside, (value.name, value.shape, *(enter(reader, part, None) for part in value.parts)))
    if type(value) in MADE_OUTSIDE:
        return _enter_made(reader, value, (("object", Itself(value)),) if steps is None else steps)
    if isinstance(value, _FIXED) or (callable(value) and is_library(module_of(value)) and not holds_function(value)):
        return number_type(_fixed(reader, value, steps))
    if isinstance(value, types.BuiltinFunctionType) or isinstance(value, tuple) and hasattr(value, "n_sequence_fields"):  # sys.float_info
        return _fixed(reader, value, steps)
    if isinstance(value, types.ModuleType):
        reader.session.guard(steps, value)
        return Outside(value, (("object", value),) if steps is None else steps)
    return _ANOTHER


def is_of_nothing(value: Any) -> bool:
    """Whether it is an array of None, which stands where numbers are not known yet: nobody computes with it."""
    return isinstance(value, np.ndarray) and value.dtype == object and value.size > 0 and all(item is None for item in value.flat)


@asks_python
def _enter_collection(reader: Reader, value: Any, steps: Steps | None) -> Abstract:
    """Tuples, lists, dicts, sets, random generators."""
    if type(value).__module__.startswith("scipy.sparse."):
        raise reader.unsupported(f"a scipy.sparse {type(value).__name__} from outside of the function", SPARSE_INSTEAD)  # dok: a dict too
    if isinstance(value, (tuple, list, dict)):
        return _enter_container(reader, value, steps)
    if type(value) is set and steps and all(map(_is_static, value)):
        return _enter_set(reader, value, steps)
    if isinstance(value, streams.Stream) or streams.class_name(value):
        return enter_generator(reader, value, steps)
    return _ANOTHER


@asks_python
def _enter_function(reader: Reader, value: Any, steps: Steps) -> Abstract:
    """Functions, methods, partials."""
    if isinstance(value, types.MethodType):
        reader.session.guard(attribute_steps(steps, "__class__"), type(value))
        return Method(enter(reader, value.__func__, attribute_steps(steps, "__func__")), enter(reader, value.__self__, attribute_steps(steps, "__self__")))
    if isinstance(value, functools.partial):
        return _enter_partial(reader, value, steps)
    if isinstance(value, types.FunctionType) or is_transformed(value):
        reader.session.guard(steps, value)
        if isinstance(value, types.FunctionType):
            ask(reader, value, steps, "attribute", "__code__")
        return Outside(value, steps)
    return _ANOTHER


@asks_python
def _enter_partial(reader: Reader, value: functools.partial[Any], steps: Steps) -> Applied:
    """A partial with what it holds, each entered by its own path."""
    args = attribute_steps(steps, "args")
    keywords = attribute_steps(steps, "keywords")
    reader.session.guard(attribute_steps(steps, "__class__"), type(value))
    ask(reader, value.args, args, "length")
    ask(reader, value.keywords, keywords, "keys")
    applied = Applied(
        enter(reader, value.func, attribute_steps(steps, "func")),
        tuple(enter(reader, arg, _item(args, k)) for k, arg in enumerate(value.args)),
        {key: enter(reader, arg, _item(keywords, key)) for key, arg in value.keywords.items()},
    )
    reader.session.partials[id(applied)] = applied, value, steps
    return applied


def number_type(thing: Any) -> Any:
    """np.float64 for numba.float64, in whose place it stands as a function and as a dtype; everything else as it is."""
    if not type(thing).__module__.startswith("numba.core.types."):
        return thing
    made = getattr(np, str(thing), None)
    return made if isinstance(made, type) and issubclass(made, np.generic) else thing


@asks_python
def _enter_made(reader: Reader, value: Any, steps: Steps) -> Abstract:
    """A library's object that was made outside: what stands for it, made of its attributes."""
    stand = MADE_OUTSIDE[type(value)]
    reader.session.guard(attribute_steps(steps, "__class__"), type(value))
    return reader.rules.call(stand.make, (*stand.first, *(_part_of(reader, value, steps, part) for part in stand.parts)))


def _part_of(reader: Reader, value: Any, steps: Steps, part: tuple[str | int, ...]) -> Abstract:
    """What names and places lead to; None where the object has no attribute of the first name."""
    if not ask(reader, value, steps, "has", part[0]):
        return None
    for key in part:
        kind = "item" if isinstance(key, int) else "attribute"
        value, steps = step(value, kind, key), (*steps, (kind, key))
    return enter(reader, value, steps)


def residuals_of(reader: Reader, half: Outside) -> list[Abstract]:
    """What a pullback or a linearized function from outside holds: hidden inputs."""
    steps = (("object", half.object),) if half.steps is None else half.steps
    for name in ("second", "key", "module"):
        reader.session.guard((*steps, ("attribute", name)), getattr(half.object, name))
    path = (*steps, ("attribute", "residuals"))
    return [enter(reader, value, (*path, ("item", number))) for number, value in enumerate(half.object.residuals)]


def taken_ref(reader: Reader, thing: Any) -> Abstract:
    """What stands for something outside that is stored into (`taken.py`)."""
    ref = reader.session.taken[id(thing)].ref
    if ref not in reader.heap:
        if reader.can_be_inlined:
            raise NeedsInline
        raise reader.unsupported("a use of what is stored into outside of the function, in a function that is read apart", "an argument and a result")
    return ref


def taken_variable(reader: Reader, name: str) -> Abstract:
    """A global, or a variable of a function around, that is stored into; None for others."""
    if not reader.session.taken or (found := reader.frame.cell(name)) is None:
        return taken_global(reader, reader.frame.namespace, name)
    return reader.heap[taken_ref(reader, found[0])][CONTENT] if id(found[0]) in reader.session.taken else None


def taken_global(reader: Reader, namespace: Any, name: str) -> Abstract:
    """A global that is stored into; None for others."""
    taken = reader.session.taken.get(id(namespace))
    return None if taken is None or name not in taken.names else reader.heap[taken_ref(reader, namespace)][name]


@asks_python
def ask(reader: Reader, value: Any, steps: Steps | None, question: str, key: Any = None) -> Any:
    """The answer to a question about an object outside (`s2s.hidden.STEPS`), noted: the program is right while it is the same."""
    answer = step(value, question, key)
    reader.session.guard(None if steps is None else (*steps, (question, key)), answer)
    return answer


@asks_python
def whole(reader: Reader, value: Abstract) -> Any:
    """The object of an Outside as a whole, for Python to compute with; noted, as then nobody sees what is looked at. Others: themselves."""
    if not isinstance(value, Outside):
        return value
    reader.session.guard(value.steps, value.object)
    return value.object


def attribute_steps(steps: Steps | None, attribute: str) -> Steps | None:
    return None if steps is None else (*steps, ("attribute", attribute))


def _item(steps: Steps | None, key: Any) -> Steps | None:
    return None if steps is None else (*steps, ("item", key))


def _fixed(reader: Reader, value: Any, steps: Steps | None) -> Any:
    """A static value; guarded, library functions too: a name of the user's may stand for another one later (activation = np.tanh)."""
    reader.session.guard(steps, value)
    return value


def enter_var(reader: Reader, var: Var) -> Abstract:
    """An argument leaf: arrays get a storage cell that the caller sees."""
    if not var.type.shape and not var.type.boxed:
        return var
    if var in reader.session.entered:
        return reader.session.entered[var]  # two arguments are one array
    cell = Cell(var.name, owner=f"the argument {var.name}", contiguous=False, strides=var.type.strides)
    reader.heap[cell] = var
    cell.contiguous = cell.strides is not None and lies_in_c_order(reader, View(cell))
    reader.session.entered[var] = View(cell)
    return reader.session.entered[var]


@asks_python
def _enter_number(reader: Reader, value: Any, steps: Steps | None) -> Abstract:
    if steps == () or steps is None and not isinstance(value, np.ndarray):
        return value  # a static argument's number: part of the specialisation's key
    if steps is None:
        return constant_array(reader, value)
    return hidden_input(reader, Access(steps), value)


def hidden_input(reader: Reader, access: Access, value: Any) -> Abstract:
    """An extra parameter for the array or float at `access`."""
    if access not in reader.hidden_views:
        if isinstance(value, np.ndarray | np.generic) and value.dtype not in SUPPORTED_DTYPES:
            raise reader.unsupported(f"an array of dtype {value.dtype} ({access})", f"{access}.astype(float)")
        if isinstance(value, np.ndarray) and not behaves_as_array(type(value)):
            raise reader.unsupported(f"{access}, which is a {type(value).__module__}.{type(value).__name__}", f"np.asarray({access})", "its operators are not NumPy's")
        if access.steps[0][0] != "captured":
            ask(reader, value, access.steps, "kind")
        name = _name(access)
        param = reader.hidden[access] = Var(name, hidden_type(value, name))
        if reader.session.sizes_outside and access.steps[0][0] != "captured" and param.type.shape:
            param.type = replace(param.type, shape=ask(reader, value, access.steps, "shape"))
        if access.steps[0][0] != "captured" and may_be_told(value):
            if reader.session.settles:
                param.type = _told_type(reader, value, access.steps, param)
            else:
                reader.session.would_settle = True
        reader.named.add(param)
        for dim in param.type.shape:
            if isinstance(dim, Var):
                root_builder(reader).know_size(dim)
                reader.builder.know_size(dim)
        reader.session.hidden_types[access] = value
        view: Abstract = param
        if param.type.shape or param.type.boxed:
            cell = Cell(name, owner=f"{access}, which lives outside of the function", contiguous=False, initial=param)
            view = View(cell)
        reader.hidden_views[access] = view
    return reader.hidden_views[access]


def truth_outside(reader: Reader, value: Atom) -> bool | None:
    """bool(value) of a float of outside, noted: what a class leaves 0.0 is not given, and what follows of that is not read. None of everything else."""
    if value.type.shape or value.type.dtype.kind not in "fc":
        return None
    access = next((access for access, param in reader.hidden.items() if param is value), None)
    if access is None or access.steps[0][0] == "captured":
        return None
    return bool(ask(reader, reader.session.hidden_types[access], access.steps, "truth"))


def _told_type(reader: Reader, value: np.ndarray, steps: Steps, param: Var) -> Array:
    """The type of an array outside whose elements are known while they stay the same."""
    ask(reader, value, steps, "elements")
    reader.builder.told[param] = value.copy()
    return replace(param.type, shape=value.shape, told=value.tolist())


def root_builder(reader: Reader) -> Any:
    """The builder of the function's own block."""
    builder = reader.builder
    while builder.outer is not None:
        builder = builder.outer
    return builder


def hidden_type(value: Any, name: str) -> Array:
    """The type of a hidden input: sizes are symbols but for 1."""
    if isinstance(value, np.ndarray | np.generic):
        if streams.is_stream(value):
            return Array(value.dtype, value.shape, stream=True)
        shape = tuple(1 if size == 1 else Var(f"{name}_{axis}", Array(SIZE.dtype, (), weak=True)) for axis, size in enumerate(np.shape(value)))
        return Array(value.dtype, shape, boxed=isinstance(value, np.ndarray) and not shape)
    return Array(_DTYPES[type(value)], (), weak=True, wide=is_wide(value))


_DTYPES = {complex: COMPLEX128, float: FLOAT64, int: INT64, bool: BOOL}


def _name(access: Access) -> str:
    """The variable's or attribute's own name; TABLE_2_0 for an item of a container."""
    if access.steps[-1][0] == "handle":
        return "callback"
    if access.steps[-1][0] == "stream":
        return _name(Access(access.steps[:-1])) + ("" if access.steps[-1][1] == "state" else "_left_over")
    keys = [str(key) for _, key in access.steps if not str(key).startswith("__")]
    kept = keys[-1:] if len(access.steps) < 2 or access.steps[-1][0] != "item" else keys[-2:]
    while kept and not kept[0].isidentifier() and len(kept) < len(keys):
        kept = keys[-len(kept) - 1 :]
    name = "_".join("".join(c if c.isalnum() or c == "_" else "_" for c in part) for part in kept)
    return name if name.isidentifier() else f"hidden_{name}" if name else "hidden"


def _holds_vars(value: Any) -> bool:
    if isinstance(value, Var):
        return True
    if isinstance(value, dict):
        return any(_holds_vars(item) for item in value.values())
    if is_half(value):
        return _holds_vars(value.residuals)
    if is_object(value):
        return any(_holds_vars(item) for item in attributes_of(value).values())
    return isinstance(value, tuple | list) and any(_holds_vars(item) for item in value)


@asks_python
def _enter_container(reader: Reader, value: Any, steps: Steps | None) -> Abstract:
    owner = "a container that the caller passed" if steps is None else f"{Access(steps)}, which lives outside of the function" if steps else None
    if steps:
        ask(reader, value, steps, "attribute", "__class__")
        ask(reader, value, steps, "keys" if isinstance(value, dict) else "length")
        if isinstance(value, defaultdict):
            ask(reader, value, steps, "attribute", "default_factory")
    if steps and not isinstance(value, tuple):
        reader.session.met[steps] = value
    steps_to = reader.session.arguments.get(id(value)) if steps is None else steps
    if isinstance(value, dict):
        ref: Any = DictRef(owner, dict_kind(value), is_its_attributes=getattr(value, "__dict__", None) is value)
        if steps_to:
            reader.session.containers[ref] = value, steps_to
        reader.heap[ref] = {key: enter(reader, item, _item(steps, key)) for key, item in value.items()}
        return ref
    items = [enter(reader, item, _item(steps, k)) for k, item in enumerate(value)]
    if isinstance(value, tuple):
        return remake(value, items)
    ref = ListRef(owner)
    if steps_to:
        reader.session.containers[ref] = value, steps_to
    reader.heap[ref] = tuple(items)
    return ref


def _is_static(item: Any) -> bool:
    return all(map(_is_static, item)) if type(item) is tuple else isinstance(item, (*_FIXED, float, complex))


@asks_python
def _enter_set(reader: Reader, value: set[Any], steps: Steps) -> SetRef:
    """A set of what is static; noted in its own order, which another one with these items need not have."""
    ask(reader, value, steps, "attribute", "__class__")
    ask(reader, value, steps, "keys")
    reader.session.met[steps] = value
    ref = SetRef(f"{Access(steps)}, which lives outside of the function")
    reader.heap[ref] = SetItems(value.copy, outside=value)
    return ref


PYTHONS = random.seed.__self__  # type: ignore[attr-defined]
"""Of which the functions of the module random are methods."""


def enter_generator(reader: Reader, value: Any, steps: Steps | None) -> ObjectRef:
    """A random generator: an object that holds its memory as arrays, and the layout of the first."""
    if isinstance(value, streams.Stream):
        parts = dict(zip(streams.PARTS_OF[value.cls], (enter_var(reader, var) for var in value.parts), strict=True))
        return _generator(reader, value.cls, value.layout, parts, "an argument")
    steps = (("object", Itself(value)),) if steps is None else steps
    if value is PYTHONS:  # however the function was named that is a method of it
        if steps[0] not in (("object", random), ("object", Itself(value))):
            reader.session.guard((*steps, ("identity", None)), Itself(value))
        steps = (("object", random), ("attribute", "_inst"))
    reader.session.guard(attribute_steps(steps, "__class__"), type(value))
    try:
        layout, arrays = streams.layout_in(value), streams.parts_of(value)
    except TypeError as error:
        raise reader.unsupported(str(error), "np.random.default_rng(…)") from None
    parts = {name: hidden_input(reader, Access((*steps, ("stream", name))), array) for name, array in arrays.items()}
    return _generator(reader, streams.class_name(value), layout, parts, f"{Access(steps)}, which lives outside of the function")


def _generator(reader: Reader, cls: str, layout: streams.Layout, parts: dict[str, Abstract], owner: str) -> ObjectRef:
    ref = next((ref for ref, held in reader.heap.items() if isinstance(ref, ObjectRef) and held.get("state") is parts["state"]), None)
    if ref is None:
        ref = ObjectRef(owner, streams.class_of(cls))
        reader.heap[ref] = {"layout": layout, **parts}
    return ref


@asks_python
def _enter_object(reader: Reader, value: Any) -> ObjectRef:
    ref = ObjectRef("an object that the caller passed", type(value))
    if id(value) in reader.session.arguments:
        reader.session.containers[ref] = value, reader.session.arguments[id(value)]
    reader.heap[ref] = {key: enter(reader, item, None) for key, item in attributes_of(value).items()}
    return ref


def class_attribute(reader: Reader, cls: type, name: str, instance: Abstract, steps: Steps | None) -> tuple[Abstract] | None:
    """What `instance.name` is where the class has it: a method, a property's value; (value,), or None for plain values.

    `instance` is None for an attribute of the class itself.
    """
    steps = (("object", cls),) if steps is None else steps
    raw = step(cls, "entry", name)
    path = (*steps, ("entry", name))
    if isinstance(raw, staticmethod | classmethod | property):
        reader.session.guard(path, raw)
    if isinstance(raw, staticmethod):
        return (enter(reader, raw.__func__, attribute_steps(path, "__func__")),)
    if isinstance(raw, classmethod):
        return (Method(enter(reader, raw.__func__, attribute_steps(path, "__func__")), cls),)
    if isinstance(raw, types.FunctionType) or hasattr(type(raw), "derivative_rule") or is_transformed(raw):
        function = enter(reader, raw, path)
        return (function,) if instance is None else (Method(function, instance),)
    if isinstance(raw, property) and raw.fget is not None and instance is not None:
        return (reader.rules.call(enter(reader, raw.fget, attribute_steps(path, "fget")), (instance,)),)
    return None


def default(reader: Reader, value: Any, steps: Steps) -> Abstract:
    """A parameter's or field's default: numbers are constants of the function, under a guard; arrays are read at each call."""
    if isinstance(value, int | float | complex | str | type(None)):
        reader.session.guard(steps, value)
        return value
    return enter(reader, value, steps)


def class_function(reader: Reader, cls: type, name: str) -> Abstract:
    """What a class has under the name of a special method, to be called with the object."""
    found = class_attribute(reader, cls, name, None, None)
    return found[0] if found is not None else enter(reader, getattr(cls, name), (("object", cls), ("attribute", name)))


def enter_item(reader: Reader, base: Outside, key: Any) -> Abstract:
    """base[key] of an object outside."""
    return enter(reader, base.object[key], _item(base.steps, key))


def hidden_inputs(reader: Reader) -> tuple[Hidden, ...]:
    """What the function reads from outside, in order of first use."""
    return tuple(Hidden(access, param) for access, param in reader.hidden.items())


__all__ = ["ask", "class_function", "default", "enter", "enter_item", "hidden_input", "hidden_inputs", "is_library", "is_namedtuple", "taken_global", "taken_variable", "truth_outside", "whole"]
