"""What targets stand for after an assignment: names, items, attributes, tuples of them; `op=` changes arrays and lists in place."""
from __future__ import annotations

from collections import Counter
from types import FunctionType
from typing import Any

import libcst as cst
import numpy as np

from s2s.errors import ArgumentTypeError
from s2s.transforms.read import classes
from s2s.transforms.read.bound_names import bind
from s2s.transforms.read.callables import Closure
from s2s.transforms.read.calls import class_slots, objects, special_methods
from s2s.transforms.read.calls.container_methods import call_container_method, has_run_time_length
from s2s.transforms.read.describing import describe
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow import float_errors
from s2s.transforms.read.flow.attributes import attribute
from s2s.transforms.read.flow.expressions import evaluate, key_of
from s2s.transforms.read.flow.flat import flat_of, set_of_flat
from s2s.transforms.read.flow.in_front import in_front
from s2s.transforms.read.flow.items import content_of, items_of, refuse_changing
from s2s.transforms.read.flow.keyed import made
from s2s.transforms.read.flow.operations import binary, is_count
from s2s.transforms.read.flow.reshaped_in_place import reshaped_in_place
from s2s.transforms.read.flow.spreading import spreads, spreads_key
from s2s.transforms.read.flow.subscripts import by_index, part_to_update, set_item
from s2s.transforms.read.flow.unpacking import unpacked
from s2s.transforms.read.numpy import operators
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpys_words import numpys_words
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import check_writable, load, store_view
from s2s.transforms.read.storage.changes import writable
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.storage.selected import stored_into_each
from s2s.transforms.read.values import (
    Abstract,
    AnyText,
    DequeRef,
    DictRef,
    IteratorRef,
    ListRef,
    Outside,
    SetRef,
    TupleRef,
    View,
    is_atom,
    is_number,
    join_text,
    moment,
)
from s2s.transforms.read.wrapping import wrap
from s2s.transforms.read.zero_dim import is_either
from s2s.types import Var


def assignment(reader: Reader, node: cst.Assign) -> None:
    """target = … = value."""
    value = evaluate(reader, node.value)
    for target in node.targets:
        assign(reader, target.target, value)


def annotated(reader: Reader, node: cst.AnnAssign) -> None:
    """target: annotation = value."""
    if node.value is not None:
        assign(reader, node.target, evaluate(reader, node.value))


def assign(reader: Reader, target: Any, value: Abstract) -> None:
    """target = value."""
    match target:
        case cst.Name():
            name_value(reader, value, target.value)
            bind(reader, target.value, value)
        case cst.Tuple() | cst.List():
            _unpack(reader, target, value)
        case cst.Subscript():
            base = in_front(reader, target.value)
            key = key_of(reader, target.slice)
            with reader.at(target):
                set_item(reader, base, key, value)
        case cst.Attribute():
            with reader.at(target):
                base = evaluate(reader, target.value)
                if target.attr.value == "shape" and isinstance(base, View):
                    assign(reader, target.value, reshaped_in_place(reader, target.value, base, value))
                else:
                    set_attribute(reader, base, target.attr.value, value)
        case _:
            raise reader.unsupported("this target of an assignment", "a name, an element or an attribute")


def name_value(reader: Reader, value: Abstract, name: str) -> None:
    """Give the user's name to what was made for it."""
    if reader.frame.tree.anonymous:
        return
    if isinstance(value, Var):
        reader.name_var(value, name)
    elif isinstance(value, View) and not value.steps and value.cell.owner is None:
        value.cell.name = value.cell.name or name
        reader.name_var(reader.heap[value.cell], name)


def _unpack(reader: Reader, target: cst.Tuple | cst.List, value: Abstract) -> None:
    elements = target.elements
    starred = next((number for number, element in enumerate(elements) if isinstance(element, cst.StarredElement)), None)
    before = moment()
    for element, item in zip(elements, unpacked(reader, value, len(elements), starred), strict=True):
        if isinstance(element, cst.StarredElement):
            with reader.at(element):  # where the list of the rest is made
                item = made(reader, item, before)
        assign(reader, element.value, item)


@spreads(0)
@asks_python
def set_attribute(reader: Reader, base: Abstract, name: str, value: Abstract) -> None:
    """base.name = value."""
    if classes.class_of(base) is not None:
        objects.set_attribute(reader, base, name, value)
        return
    if isinstance(base, Closure) or isinstance(base, Outside) and isinstance(base.object, FunctionType):
        class_slots.store_of_function(reader, base, name, value)
        return
    if isinstance(base, Outside):
        what = type(base.object).__name__
        raise reader.unsupported(f"a store into the attribute .{name} of an object outside of the function ({what})", "return the new value")
    if isinstance(base, type):
        class_slots.store(reader, base, name, value)
        return
    if isinstance(base, View) and name == "flat":
        set_of_flat(reader, flat_of(reader, base), slice(None), value)
        return
    if isinstance(base, View) and name in ("real", "imag"):
        _set_component(reader, base, name, value)
        return
    if (is_atom(base) or isinstance(base, View)) and not hasattr(example := classes.example_of(reader, base), name):
        setattr(example, name, None)  # raises what Python raises: numbers and arrays have no room for attributes
    raise reader.unsupported(f"a store into .{name} of {describe(reader, base)}", "a new array")


def _set_component(reader: Reader, base: View, name: str, value: Abstract) -> None:
    """base.real = value, base.imag = value."""
    if name == "imag" and reader.heap[base.cell].type.dtype.kind != "c":
        raise ArgumentTypeError("array does not have imaginary part to set", where=reader.builder.where)
    part = reader.rules.attribute(base, name)
    if not (isinstance(value, View) and isinstance(part, View) and value.key == part.key):  # base.real += 1 has been stored by the update
        set_item(reader, part, ..., value)


_AUGMENTED = {
    cst.AddAssign: "+", cst.SubtractAssign: "-", cst.MultiplyAssign: "*", cst.DivideAssign: "/", cst.FloorDivideAssign: "//",
    cst.ModuloAssign: "%", cst.PowerAssign: "**", cst.MatrixMultiplyAssign: "@", cst.BitAndAssign: "&", cst.BitOrAssign: "|",
    cst.BitXorAssign: "^", cst.LeftShiftAssign: "<<", cst.RightShiftAssign: ">>",
}  # fmt: skip


def augmented(reader: Reader, node: cst.AugAssign) -> None:
    """target op= value: arrays change in place, everything else is bound again."""
    op = _AUGMENTED[type(node.operator)]
    match node.target:
        case cst.Name():
            old = evaluate(reader, node.target)
            new = updated(reader, op, old, evaluate(reader, node.value))
            if new is not old:
                assign(reader, node.target, new)
        case cst.Subscript():
            base = in_front(reader, node.target.value)
            _update_item(reader, base, by_index(reader, base, key_of(reader, node.target.slice)), op, node)
        case cst.Attribute():
            base = evaluate(reader, node.target.value)
            old = attribute(reader, base, node.target.attr.value)
            new = updated(reader, op, old, evaluate(reader, node.value))
            if new is not old or objects.sets_specially(base, node.target.attr.value):
                set_attribute(reader, base, node.target.attr.value, new)


@spreads_key(1)
def _update_item(reader: Reader, base: Abstract, key: Abstract, op: str, node: cst.AugAssign) -> None:
    """base[key] op= value."""
    with reader.at(node.target):
        old = part_to_update(reader, base, key)
    new = updated(reader, op, old, evaluate(reader, node.value))
    if not (isinstance(base, View) and new is old and _is_part(old, base)):
        with reader.at(node.target):
            set_item(reader, base, key, new)


def _is_part(part: Abstract, base: View) -> bool:
    """Whether a value is a view of the base's storage (already changed in place)."""
    return isinstance(part, View) and part.cell is base.cell


@spreads(1, 2)
def updated(reader: Reader, op: str, old: Abstract, value: Abstract) -> Abstract:
    """What `old op= value` binds: `old` itself where it changes in place."""
    special = special_methods.inplace(reader, op, old, value)
    if special is not None:
        return special[0]
    if isinstance(old, View):
        return _updated_array(reader, op, old, value)
    if isinstance(old, TupleRef):
        return reader.rules.binary(op, old, value)
    if isinstance(old, ListRef) and (found := _updated_list(reader, op, old, value)) is not None:
        return found
    if isinstance(old, DictRef) and old.kind is Counter:
        raise reader.unsupported(f"`{op}=` of a Counter", f"counter = counter {op} …, Counter.update or Counter.subtract")
    if isinstance(old, SetRef) and op in "|&-^" or isinstance(old, DictRef) and op == "|":
        writable(reader, old)
        change = {"|": "update", "&": "intersection_update", "-": "difference_update", "^": "symmetric_difference_update"}[op]
        call_container_method(reader, old, change, (value,), {})
        return old
    if isinstance(old, AnyText) and isinstance(value, AnyText) and op == "+":
        return join_text([old, value])
    if is_either(reader, old):
        raise reader.unsupported(
            f"`{op}=` of a value that is an array without axes on one path or in some trips, and a NumPy scalar otherwise", f"x = x {op} …",
            "it would change the array for all that hold it, and the scalar for this name only",
        )  # fmt: skip
    return binary(reader, op, old, value)


def _updated_array(reader: Reader, op: str, old: View, value: Abstract) -> View:
    """An array with new elements."""
    if classes.class_of(value) is not None and not is_number(value):
        raise reader.unsupported(f"`{op}=` of an array and {describe(reader, value)}", f"x = x {op} …, or a method")
    check_writable(reader, old.cell)
    float_errors.in_place(reader)
    if old.cell.selected is not None:
        stored_into_each(reader, old, lambda option: updated(reader, op, option, value))
        return old
    with building(reader.builder), numpys_words(reader, operators.INPLACE[op], (old, value)):
        store_view(reader, old, operators.inplace(op, load(reader, old), wrap(reader, value)))
    return old


def _updated_list(reader: Reader, op: str, old: ListRef, value: Abstract) -> Abstract:
    """A list or deque that was made longer in place, or what NumPy's + makes of it; None where this is neither + nor a repetition."""
    if op == "+":
        is_numpys = isinstance(value, View) or is_atom(value) and not value.type.weak or isinstance(value, np.generic)
        return reader.rules.binary(op, old, value) if is_numpys else _extended(reader, old, value)
    if op != "*":
        return None
    if isinstance(old, DequeRef):
        raise reader.unsupported("`*=` of a deque", "a loop that appends")
    if isinstance(value, int) and isinstance(reader.heap[old], tuple):
        writable(reader, old)
        reader.heap[old] = reader.heap[old] * value
        return old
    return _repeated_in_place(reader, old, value) if isinstance(value, int) or is_count(value) else None


def _extended(reader: Reader, old: ListRef, value: Abstract) -> ListRef:
    """old += value of a list or deque."""
    writable(reader, old)
    if isinstance(old, DequeRef) or isinstance(reader.heap[old], Grown) or isinstance(value, ListRef | IteratorRef) and has_run_time_length(reader, value):
        call_container_method(reader, old, "extend", (value,), {})
        return old
    before = content_of(reader, old)
    more = items_of(reader, value)
    refuse_changing(reader, old, value, before)
    reader.heap[old] = (*reader.heap[old], *more)
    return old


def _repeated_in_place(reader: Reader, ref: ListRef, times: Abstract) -> ListRef:
    """items *= times, where only the run knows how long the list is."""
    if not isinstance(times, int):
        raise reader.unsupported("`*=` of a list by a number that only the run knows", "items = items * n")
    if times <= 0:
        call_container_method(reader, ref, "clear", (), {})
        return ref
    items = reader.rules.call(list, (ref,))
    for _ in range(times - 1):
        call_container_method(reader, ref, "extend", (items,), {})
    return ref


__all__ = ["annotated", "assign", "assignment", "augmented", "set_attribute", "updated"]
