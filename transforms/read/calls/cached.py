"""functools.cache and lru_cache of functions that are made while reading.

    @cache                                    partial(marks.cached, fib)
    def fib(k): …                             fib(3) once more: what it gave, where that is at hand

A function that is called again gives the same where nothing that it reads has changed; one that changes something itself is refused.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.transforms.read import made_of
from s2s.transforms.read.callables import FUNCTIONS, Applied
from s2s.transforms.read.composed import marks
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.known import is_known, plain, refused_by_python
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, is_atom


def cache(reader: Reader, function: Abstract) -> Abstract:
    """functools.cache(function)."""
    del reader
    return Applied(marks.cached, (function,), {})


def lru_cache(reader: Reader, maxsize: Abstract = 128, typed: Abstract = False) -> Abstract:
    """functools.lru_cache(function), or what makes such of a function: how much is kept changes no number."""
    if isinstance(maxsize, FUNCTIONS):
        return cache(reader, maxsize)
    if not (maxsize is None or isinstance(maxsize, int)) or not isinstance(typed, bool):
        raise reader.unsupported("functools.lru_cache with an option that is known only at run time", "@functools.cache")
    return Applied(marks.cache, (), {})


def call_cached(reader: Reader, function: Abstract, *args: Abstract, **kwargs: Abstract) -> Abstract:
    """A call of such a function."""
    key = ("cached", id(function), *(_key(reader, each) for each in (*args, *kwargs.items())))
    _, seen = reader.session.cached.setdefault(id(function), (function, made_of.seen_by(reader, function)))
    is_known_here = all(part is not None for part in key)
    if is_known_here and key in reader.builder.numbered:
        return reader.builder.numbered[key]
    if made_of.has_changed(reader, seen):
        raise reader.unsupported("a cached function that reads what has changed since it was first called", "an argument of the function, or no cache", "Python gives what it gave before")
    with made_of.effects(reader) as changed:
        found = reader.rules.call(function, args, kwargs)
        if changed():
            raise reader.unsupported("a cached function that changes or prints something", "no cache", "Python runs it for new arguments only")
    if is_known_here:
        reader.builder.numbered[key] = found
    return found


@asks_python
def _key(reader: Reader, value: Abstract) -> Any:
    """What an argument is told apart by; None where only the run knows."""
    if isinstance(value, tuple):
        parts = tuple(_key(reader, each) for each in value)
        return None if any(part is None for part in parts) else (type(value), *parts)
    if is_atom(value):
        return value
    if not is_known(reader, value):
        return None
    known = plain(reader, value)
    refused_by_python(reader, hash, known)
    return (type(known), known)


def managed(reader: Reader, function: Abstract) -> Abstract:
    """contextlib.contextmanager(function), of a function that is made while reading."""
    del reader
    return Applied(marks.managed, (function,), {})


CACHES: dict[str, Callable[..., Abstract]] = {"contextlib.contextmanager": managed, "functools.cache": cache, "functools.lru_cache": lru_cache}

__all__ = ["CACHES", "cache", "call_cached"]
