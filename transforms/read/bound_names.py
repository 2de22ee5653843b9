"""Names of the function that is read: bound, unbound, shared with nested functions."""
from __future__ import annotations

from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax.frame import Frame
from s2s.transforms.read.values import Abstract, DictRef, Missing


def bind(reader: Reader, name: str, value: Abstract) -> None:
    """name = value, in this frame or, where the name is declared nonlocal, in the one that it belongs to."""
    frame: Frame | None = reader.frame
    while frame is not None and name not in frame.scope.bound:
        frame = frame.outer
    if frame is None or (frame is not reader.frame and frame.box is None):
        raise reader.unsupported(
            f"an assignment of {name}, which is not local to the function that is read or transformed", "return the value, and let the caller store it"
        )
    if name in frame.scope.shared:
        reader.heap[frame.box] = {**reader.heap[frame.box], name: value}
    else:
        frame.names[name] = value


def open_box(reader: Reader) -> None:
    """At the start of a function: put the names that nested functions bind too where all of them find them."""
    frame = reader.frame
    if frame.scope.shared and frame.box is None:
        frame.reader, frame.box = reader, DictRef()
        unset = (Missing(f"{name!r} is used before it is assigned", unset=True) for name in sorted(frame.scope.shared))
        content = dict(zip(sorted(frame.scope.shared), unset, strict=True))
        reader.heap[frame.box] = {name: frame.names.pop(name, value) for name, value in content.items()}
