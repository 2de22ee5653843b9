"""`checkpoint_name(x, name)` in the user's code: an equation that is x, with the name that policies ask for."""
from __future__ import annotations

from typing import Any

from s2s.errors import ArgumentTypeError
from s2s.transforms.primitives.structural import checkpoint_name
from s2s.transforms.read.describing import describe
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load, new_array
from s2s.transforms.read.storage.cells import note_made_of
from s2s.transforms.read.values import Abstract, DictRef, ListRef, ObjectRef, Text, View, is_atom, remake
from s2s.transforms.read.wrapping import unwrap_atom


def call_checkpoint_name(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """checkpoint_name(x, name): the same container, its arrays and numbers named."""
    given = dict(zip(("x", "name"), args, strict=False)) | kwargs
    if len(args) + len(kwargs) != 2 or set(given) != {"x", "name"}:
        raise TypeError(f"{function.__name__}() takes x and name")
    name = given["name"]
    if not isinstance(name, str):
        what = "a text of run-time values" if isinstance(name, Text) else describe(reader, name)
        raise ArgumentTypeError(f"the name given to s2s.checkpoint_name must be a str, but it is {what}", where=reader.builder.where)
    return _named(reader, given["x"], name)


def _named(reader: Reader, value: Abstract, name: str) -> Abstract:
    if is_atom(value):
        return unwrap_atom(reader, reader.builder.equation(checkpoint_name, (value,), {"name": name}, name=name if name.isidentifier() else "")[0])
    if isinstance(value, View):
        array = load(reader, value).atom
        (out,) = reader.builder.equation(checkpoint_name, (array,), {"name": name}, name=name if name.isidentifier() else "")
        named = new_array(reader, out)
        note_made_of(reader, named.cell, value.cell)  # to Python it is the same array: nothing may be stored into either while both are used
        return named
    if isinstance(value, tuple):
        return remake(value, [_named(reader, item, name) for item in value])
    if isinstance(value, ListRef):
        return reader.new_list([_named(reader, item, name) for item in reader.heap[value]])
    if isinstance(value, DictRef):
        return reader.new_dict({key: _named(reader, item, name) for key, item in reader.heap[value].items()}, value.kind)
    if isinstance(value, ObjectRef):
        ref = ObjectRef(kind=value.kind)
        reader.heap[ref] = {key: _named(reader, item, name) for key, item in reader.heap[value].items()}
        return ref
    return value
