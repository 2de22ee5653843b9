"""Names of the function that is read: bound, unbound, shared with nested functions."""
from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import libcst as cst

from s2s.outside import CONTENT
from s2s.transforms.read.describing import missing_error
from s2s.transforms.read.failures import NeedsInline, StoredOutside
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax import nodes
from s2s.transforms.read.syntax.frame import Frame, scope_for
from s2s.transforms.read.syntax.scope import Names, assigned, default_reads, names_read
from s2s.transforms.read.values import Abstract, DictRef, Missing, unset_words
from s2s.types import Var


def bind(reader: Reader, name: str, value: Abstract) -> None:
    """name = value, in this frame or, where the name is declared nonlocal, in the one that it belongs to."""
    frame: Frame | None = reader.frame
    if name in reader.frame.scope.globals:
        _bind_global(reader, name, value)
        return
    while frame is not None and name not in (frame.scope.bound if frame is reader.frame else _scope_inside(frame, name)[0]):
        frame = frame.outer
    if frame is None and reader.frame.cell(name) is not None:
        _bind_cell(reader, name, value)
        return
    if frame is None or (frame is not reader.frame and frame.box is None):
        raise reader.unsupported(
            f"an assignment of {name}, which is not local to the function that is read or transformed", "return the value, and let the caller store it"
        )
    if name in (frame.scope.shared if frame is reader.frame else _scope_inside(frame, name)[1]):
        reader.heap[frame.box] = {**reader.heap[frame.box], name: value}
    else:
        frame.names[name] = value


def _bind_global(reader: Reader, name: str, value: Abstract) -> None:
    namespace = reader.frame.namespace
    taken = reader.session.taken.get(id(namespace))
    if taken is None or name not in taken.names:
        home = reader.frame.root().home
        refusal = reader.unsupported(f"an assignment of the global {name}", "return the value, and let the caller store it")
        raise StoredOutside(refusal, namespace, (("object", reader.frame.root().python),) if home is None else home, name, is_globals=True)
    if taken.ref not in reader.heap:
        raise NeedsInline
    reader.heap[taken.ref] = {**reader.heap[taken.ref], name: value}


def _bind_cell(reader: Reader, name: str, value: Abstract) -> None:
    """nonlocal name of a real function, which shares it with a function around that has been left."""
    cell, steps = reader.frame.cell(name) or (None, ())
    taken = reader.session.taken.get(id(cell))
    if taken is None:
        refusal = reader.unsupported(f"an assignment of {name}, a variable of a function around", "return the value, and let the caller store it")
        raise StoredOutside(refusal, cell, steps, CONTENT)
    if taken.ref not in reader.heap:
        raise NeedsInline
    reader.heap[taken.ref] = {CONTENT: value}


def open_box(reader: Reader) -> None:
    """At the start of a function: put the names that nested functions bind too where all of them find them."""
    frame = reader.frame
    if frame.scope.shared and frame.box is None:
        frame.reader, frame.box = reader, DictRef()
        unset = (Missing(unset_words(name), unset=True) for name in sorted(frame.scope.shared))
        content = dict(zip(sorted(frame.scope.shared), unset, strict=True))
        reader.heap[frame.box] = {name: frame.names.pop(name, value) for name, value in content.items()}


@lru_cache(maxsize=4096)
def free_names(node: Any) -> Names:
    """The names that a nested function reads and does not bind itself."""
    return frozenset(_free(node.body)) - scope_for(node).bound


def _free(node: cst.CSTNode) -> Iterator[str]:
    match node:
        case cst.FunctionDef() | cst.Lambda():
            yield from free_names(node)
            yield from default_reads(node.params)
            for decorator in getattr(node, "decorators", ()):
                yield from _free(decorator)
        case cst.Name():
            yield node.value
        case cst.Attribute() | cst.Arg():
            yield from _free(node.value)
        case cst.ListComp() | cst.SetComp() | cst.DictComp() | cst.GeneratorExp():
            yield from names_read(node)
        case _:
            for child in node.children:
                yield from _free(child)


def is_local(frame: Frame | None, name: str) -> bool:
    """Whether the name is one of this frame or those around, not a global."""
    return frame is not None and (name in frame.scope.bound or is_local_inside(frame.outer, name))


def is_local_inside(frame: Frame | None, name: str) -> bool:
    """The same for a function that sees the frame: what a comprehension that is being read binds is its own."""
    return frame is not None and (name in _scope_inside(frame, name)[0] or is_local_inside(frame.outer, name))


def _scope_inside(frame: Frame, name: str) -> tuple[Names, Names]:
    """The names that a frame binds and that it shares, as far as a function that sees it can tell."""
    hiding = frame.hiding(name)
    return (frame.scope.bound, frame.scope.shared) if hiding is None else (hiding.bound_around, hiding.shared_around)


def raise_unbound(reader: Reader, name: str) -> None:
    """Raise what Python does for a name that is surely not bound: no trip of a loop may have bound it, nor a nested function."""
    frame: Frame | None = reader.frame
    while frame is not None and name not in frame.scope.bound:
        frame = frame.outer
    if frame is None or frame.is_comprehensions or frame.tree.given or name in frame.scope.shared or name in _bound_in_loops(frame.tree.node):
        return
    if frame is reader.frame:
        raise UnboundLocalError(unset_words(name))
    raise NameError(f"cannot access free variable {name!r} where it is not associated with a value in enclosing scope")


@lru_cache(maxsize=1024)
def _bound_in_loops(node: Any) -> Names:
    return assigned(each for each in nodes.inside(node.body) if isinstance(each, cst.For | cst.While))


def usable(reader: Reader, value: Abstract) -> Abstract:
    """A value that is about to be used: a Missing is an error, or a Check where it may be bound."""
    if not isinstance(value, Missing):
        return value
    if value.test is None:
        raise missing_error(reader, value)
    if isinstance(value.unless, Var) and 1 in reader.excluded.get(value.unless, ()):
        return value.value
    reader.builder.check(value.test, value.error, value.what)
    return value.value
