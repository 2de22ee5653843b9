"""Calls of transformed functions: their staged programs are functions of the program that is read."""
from __future__ import annotations

import dataclasses
from typing import Any

from s2s.transforms.build import Builder
from s2s.transforms.program import Function
from s2s.transforms.read.helpers import Container, Helper, append_call
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.signatures import Copier, Signature
from s2s.transforms.read.values import (
    Abstract, DictRef, ListRef, ObjectRef, Outside, Steps, View, remake,
)
from s2s.transforms.staged import Access, Result
from s2s.types import Var


def call_staged(reader: Reader, thing: Any, steps: Steps | None, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of jit(f), grad(f), …: its staged program is called."""
    from s2s.transforms.read.lifted import Lifted  # it reads functions too

    signature = Signature(reader)
    key = (_key_of_staged(thing), steps, tuple(signature.key(arg) for arg in args), tuple((name, signature.key(arg)) for name, arg in kwargs.items()))
    lifted = getattr(thing, "root", None)
    if isinstance(lifted, Lifted):
        helper = _staged_helper(reader, thing, steps, args, kwargs, len(signature.leaves))
        return append_call(reader, helper, signature.leaves, lifted.captured_by(reader))
    functions = reader.session.functions
    if key not in functions:
        functions[key] = _staged_helper(reader, thing, steps, args, kwargs, len(signature.leaves))
    return append_call(reader, functions[key], signature.leaves)


def _key_of_staged(thing: Any) -> Any:
    """Equal for transformations that do the same to the same function."""
    rewrite = getattr(thing, "rewrite", None)
    if rewrite is None:
        return thing
    return (rewrite.name, repr(sorted(rewrite.params.items())), repr(thing.options), _key_of_staged(thing.fun))


def _staged_helper(
    reader: Reader, thing: Any, steps: Steps | None, args: tuple[Abstract, ...], kwargs: dict[str, Abstract], count: int
) -> Helper:
    inner = Reader(reader.session, Builder(), reader.frame, is_helper=True)
    copier = Copier(reader, inner)
    real_args = tuple(_real(inner, copier.copy(arg, f"x{number}")) for number, arg in enumerate(args))
    real_kwargs = {key: _real(inner, copier.copy(arg, key)) for key, arg in kwargs.items()}
    if count != len(copier.params):
        raise reader.unsupported("an argument that shares sizes with another in a nested transformation", "pass arrays only")
    staged = thing.stage(tuple(copier.params), real_args, real_kwargs)
    for guard in staged.guards:
        reader.session.guard(None if steps is None else (*steps, *guard.access.steps), guard.value)
    accesses = tuple(_access_from(reader, thing, steps, each.access) for each in staged.hidden)
    mutated = tuple((copier.params.index(var), number) for var, number in staged.mutated)
    return Helper(staged.function, _entered(staged.result), mutated, accesses, _sizes_of(staged.function), staged.function.params, len(copier.params))


def _access_from(reader: Reader, thing: Any, steps: Steps | None, access: Access) -> Access:
    """The access from the function that is read, where `thing` was found by `steps`."""
    if access.steps[0][0] == "captured":
        return access
    if steps is None:
        raise reader.unsupported("a nested transformation that reads arrays from outside", "pass them as arguments")
    whole = Access((*steps, *access.steps))
    if whole not in reader.session.hidden_types:
        from s2s.hidden import fetch

        reader.session.hidden_types[whole] = fetch(thing, access)
    return whole


def _sizes_of(function: Function) -> dict[Var, int]:
    """The results that are dimensions of later results."""
    dims = {dim for atom in function.body.results for dim in atom.type.shape if isinstance(dim, Var)}
    known = {dim for param in function.params for dim in (param, *param.type.shape) if isinstance(dim, Var)}
    return {atom: number for number, atom in enumerate(function.body.results) if isinstance(atom, Var) and atom in dims and atom not in known}


def _real(inner: Reader, value: Abstract) -> Any:
    """An abstract value as a real container of Vars."""
    if isinstance(value, View):
        return inner.heap[value.cell]
    if isinstance(value, tuple):
        return remake(value, [_real(inner, item) for item in value])
    if isinstance(value, ListRef):
        return [_real(inner, item) for item in inner.heap[value]]
    if isinstance(value, DictRef):
        return {key: _real(inner, item) for key, item in inner.heap[value].items()}
    if isinstance(value, ObjectRef) and dataclasses.is_dataclass(value.kind):
        return value.kind(**{key: _real(inner, item) for key, item in inner.heap[value].items()})
    return value.object if isinstance(value, Outside) else value


def _entered(tree: Any) -> Abstract:
    """A staged result tree as this module unpacks it."""
    if isinstance(tree, tuple):
        return remake(tree, [_entered(item) for item in tree])
    if isinstance(tree, list):
        return Container(ListRef(), [_entered(item) for item in tree])
    if isinstance(tree, dict):
        return Container(DictRef(kind=type(tree)), {key: _entered(item) for key, item in tree.items()})
    if dataclasses.is_dataclass(tree) and not isinstance(tree, type | Result):
        return Container(ObjectRef(kind=type(tree)), {key: _entered(item) for key, item in vars(tree).items()})
    return tree
