"""Methods of iterators: what is sent to a generator, its end, the next item."""
from __future__ import annotations

from s2s.errors import ArgumentTypeError
from s2s.transforms.read.callables import IteratorMethod
from s2s.transforms.read.flow import generators
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract


def call_iterator_method(reader: Reader, function: IteratorMethod, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """iterator.name(*args)."""
    wanted = 1 if function.name == "send" else 0
    if kwargs or len(args) != wanted:
        raise ArgumentTypeError(f"{function.name}() takes {'exactly one argument' if wanted else 'no arguments'} ({len(args) + len(kwargs)} given)", where=reader.builder.where)
    if function.name == "send":
        return generators.send(reader, function.iterator, *args)
    if function.name == "close":
        generators.close(reader, function.iterator)
        return None
    return reader.rules.call(next, (function.iterator,))


__all__ = ["call_iterator_method"]
