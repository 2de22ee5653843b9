"""Text that is broken into lines where it does not fit: groups that stand on one line or break all their breaks.

    group(text("(") + nest(2, brk("") + text("a") + brk() + text("b")) + brk("") + text(")"))   ->   (a b)   or   (
                                                                                                                    a
                                                                                                                    b
                                                                                                                  )
Method: Wadler, "A prettier printer" (2003), in Lindig's strict form; a group is broken if it does not fit with what follows it on its line (as in JAX).
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Union

WIDTH = 80


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Break:
    """`text` on one line, else a new line."""

    text: str


@dataclass(frozen=True)
class Several:
    docs: tuple[Doc, ...]


@dataclass(frozen=True)
class Nest:
    """New lines inside begin this much further to the right."""

    by: int
    doc: Doc


@dataclass(frozen=True)
class Group:
    """All on one line if it fits."""

    doc: Doc


Doc = Union[Text, Break, Several, Nest, Group]


def text(words: str) -> Doc:
    """Words on one line."""
    return Text(words)


def brk(words: str = " ") -> Doc:
    """A place where a line may end."""
    return Break(words)


def concat(*docs: Doc) -> Doc:
    """One behind the other."""
    return Several(docs)


def nest(by: int, *docs: Doc) -> Doc:
    """Lines inside begin further to the right."""
    return Nest(by, Several(docs))


def group(*docs: Doc) -> Doc:
    """On one line if it fits."""
    return Group(Several(docs))


def join(between: Doc, docs: Iterable[Doc]) -> Doc:
    """The docs with something between them."""
    found: list[Doc] = []
    for doc in docs:
        found += [between, doc] if found else [doc]
    return Several(tuple(found))


def laid_out(doc: Doc, width: int = WIDTH) -> str:
    """The text, in lines of at most `width` where that can be."""
    written: list[str] = []
    column = 0
    left: list[tuple[int, bool, Doc]] = [(0, False, Group(doc))]
    while left:
        indent, flat, doc = left.pop()
        match doc:
            case Text():
                written.append(doc.text)
                column += len(doc.text)
            case Break() if flat:
                written.append(doc.text)
                column += len(doc.text)
            case Break():
                written.append("\n" + " " * indent)
                column = indent
            case Several():
                left.extend((indent, flat, each) for each in reversed(doc.docs))
            case Nest():
                left.append((indent + doc.by, flat, doc.doc))
            case Group():
                left.append((indent, flat or _fits(doc.doc, left, width - column), doc.doc))
    return "".join(written)


def _fits(doc: Doc, behind: list[tuple[int, bool, Doc]], room: int) -> bool:
    """Whether it takes no more than this on one line, with what follows up to the next line."""
    left = [(flat, each) for _, flat, each in behind] + [(True, doc)]
    while left and room >= 0:
        flat, doc = left.pop()
        match doc:
            case Break() if not flat:
                return True
            case Text(words) | Break(words):
                room -= len(words)
            case Several(docs):
                left.extend((flat, each) for each in reversed(docs))
            case Nest(_, inner):
                left.append((flat, inner))
            case Group(inner):
                left.append((flat, inner))
    return room >= 0


__all__ = ["Doc", "brk", "concat", "group", "join", "laid_out", "nest", "text"]
