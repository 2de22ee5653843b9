"""What is refused of a dict or set for its keys, and may be read if it is made as one whose keys only the run knows (`flow/keyed.py`)."""
from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from s2s.errors import UnsupportedError
from s2s.transforms.read.composed import keyed
from s2s.transforms.read.failures import RunTimeKeys
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, DictRef, ObjectRef, Pooled, is_some_text


@contextmanager
def keys_of(reader: Reader, ref: Abstract) -> Iterator[None]:
    """Where a dict or set is asked for a key: what is refused there may be read, if it is made as one of run-time keys."""
    try:
        yield
    except UnsupportedError as error:
        if type(error) is not UnsupportedError or not isinstance(ref, DictRef) or not _can_be(reader, ref, reader.heap[ref]):
            raise
        raise RunTimeKeys(error, frozenset((ref.origin,))) from None


def _can_be(reader: Reader, ref: DictRef, keys: Any) -> bool:
    return ref.origin is not None and not _calls_itself(reader) and ref.origin not in reader.session.keyed and not reader.unrollable and _are_keys(keys)


def _calls_itself(reader: Reader) -> bool:
    """Whether a function is being read that calls itself: what a table of run-time keys has is not known there, and each call would be read."""
    met: set[Any] = set()
    frame: Any = reader.frame
    while frame is not None:
        own = frame.tree.node, frame.name
        if frame.tree.at is None and own in met:
            return True
        met.add(own)
        frame = frame.caller
    return False


def _is_whole(key: Any) -> bool:
    return isinstance(key, int) or type(key) is tuple and all(isinstance(part, int) for part in key)


def _are_keys(keys: Any) -> bool:
    """Whether tables of run-time keys hold such ones: integers, or texts."""
    return all(map(_is_whole, keys)) or all(isinstance(key, str) for key in keys)


def refuse_growth(reader: Reader, ref: Abstract, keys: Any, error: UnsupportedError) -> UnsupportedError:
    """What is raised where a dict gets keys on one path or in a loop: it may be read, if it is made as one of run-time keys."""
    if isinstance(ref, DictRef) and _can_be(reader, ref, reader.heap[ref]) and _are_keys(keys):
        return RunTimeKeys(error, frozenset((ref.origin,)))
    return error


def places_of(reader: Reader, *dicts: tuple[Abstract, Any]) -> frozenset[Hashable]:
    """Where dicts or sets are made of which a name stands for one, or for another of other keys; each with what it holds. It may be read, if those of
    known keys among them are made as such of run-time keys; nothing where they can't be.
    """
    made = [(ref, keys) for ref, keys in dicts if isinstance(ref, DictRef)]
    if len({type(ref) for ref, _ in made}) == 1 and all(_can_be(reader, ref, keys) for ref, keys in made):
        return frozenset(ref.origin for ref, _ in made)
    return frozenset()


def must_be(reader: Reader, error: UnsupportedError) -> UnsupportedError:
    """What is raised where the keys of what is made here are known only at run time."""
    where = reader.builder.where
    if reader.unrollable or where in reader.session.keyed or reader.frame.tree.at is not None:
        return error
    return RunTimeKeys(error, frozenset((where,)))


def may_begin(reader: Reader) -> bool:
    """Whether what is made here may be of run-time keys from now on in this reading: it was nothing else so far, and nothing around is read otherwise where that is refused."""
    session, where = reader.session, reader.builder.where
    return not (reader.unrollable or session.on_trial or where in session.of_known_keys or reader.frame.tree.at is not None)


__all__ = ["keys_of", "may_begin", "must_be", "places_of", "refuse_growth"]


def is_keyed(value: Abstract) -> bool:
    """Whether it is a dict or set of run-time keys."""
    return isinstance(value, ObjectRef) and issubclass(value.kind, keyed.Keys) or isinstance(value, Pooled) and issubclass(value.pool.kind, keyed.Keys)


def is_text_for(key: Abstract, container: Abstract) -> bool:
    """Whether it is a text of which only the run knows which one, beside a dict or set of run-time keys: that compares texts by their numbers."""
    return is_some_text(key) and is_keyed(container)
