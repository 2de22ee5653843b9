"""Random generators, NumPy's and Python's, as arrays: a view of the memory in which a generator keeps its state.

    rng.bit_generator        |bitgen_t: state, next_uint64, next_uint32, next_double, next_raw| … |state|
                              ^ 0                                                                 ^ first

What NumPy's C functions draw from is a `bitgen_t`; it lies in the same object as the state to which it points. So an array over that memory is
a value like others: a draw stores into it, a copy of it is a generator of its own that gives the same numbers, once the pointers from the memory
into itself are those of the copy (`Layout.inner`).
A RandomState has a second array: whether there is a normal number left over, and that number.
A random.Random is its own bit generator, whose memory is the place of the next word and 624 words of 32 bits. The normal number that it has left over
is an attribute: its array is filled when it is asked for, and what a module has stored there goes back at its end (`codegen/modules/results.py`).
"""
from __future__ import annotations

import ctypes
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from s2s.records import dataclass

WORD = 8
GENERATOR, RANDOM_STATE, RANDOM = "Generator", "RandomState", "Random"


@cache
def _entropy() -> Any:
    return np.random.default_rng()


def __getattr__(name: str) -> Any:
    """ENTROPY: the generator whose numbers are the seeds of those that are made without one, of this process."""
    if name == "ENTROPY":
        return _entropy()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@dataclass(frozen=True)
class Layout:
    """Where things are in the memory of a kind of bit generator, in words. `first`: where the state starts; `inner`: how many words
    from there on are pointers into the same memory; `words`: its length.
    """

    kind: str
    words: int
    first: int
    inner: int

    def __repr__(self) -> str:
        return self.kind


def class_name(value: Any) -> str:
    """GENERATOR, RANDOM_STATE or RANDOM; "" for what is no random generator of these classes themselves."""
    return type(value).__name__ if is_class(type(value)) else ""


def is_class(cls: type) -> bool:
    """Whether it is random.Random, numpy.random.Generator or RandomState (NumPy loads them when they are first used)."""
    return cls is random.Random or cls.__name__ in (GENERATOR, RANDOM_STATE) and cls.__module__.startswith("numpy.random") and getattr(np.random, cls.__name__) is cls


def class_of(name: str) -> type:
    """A class of generators or of bit generators, by its name."""
    found: type = random.Random if name == RANDOM else getattr(np.random, name)
    return found


def bits_of(generator: Any) -> Any:
    """The bit generator from which a generator draws."""
    if class_name(generator) == RANDOM:
        return generator
    return generator.bit_generator if class_name(generator) == GENERATOR else generator._bit_generator  # noqa: SLF001 - RandomState has no public name for it


@cache
def layout_of(bits: Any) -> Layout:
    """Where a class of bit generators keeps what.

    Raises
    ------
    TypeError
        For a class that is not one of NumPy's, or that NumPy lays out in another way than all of its releases so far.
    """
    if bits is random.Random:
        return _layout_of_pythons()
    if not bits.__module__.startswith("numpy.random"):
        raise TypeError(f"random numbers of {bits.__module__}.{bits.__name__}, which is not one of NumPy's bit generators")
    example = bits(0)
    start, end = _extent(example)
    interface = example.ctypes
    if interface.bit_generator.value != start or not start < interface.state_address < end or start % 16:
        raise TypeError(f"the memory of {bits.__name__} is laid out in another way than this version of s2s knows")
    memory = memory_of(example)
    first, inner = (interface.state_address - start) // WORD, 0
    while first + inner < len(memory) and start <= memory[first + inner] < end:
        inner += 1
    return Layout(bits.__name__, len(memory), first, inner)


_HEAD, _PYTHONS = object.__basicsize__, 313
"""Of a random.Random: the bytes before its place and words, which are as many words of 64 bits."""


def _layout_of_pythons() -> Layout:
    example = random.Random(0)  # noqa: S311 - where its numbers lie
    *words, place = example.getstate()[1]
    if memory_of(example).view(np.uint32)[:-1].tolist() != [place, *words]:
        raise TypeError("the memory of random.Random is laid out in another way than this version of s2s knows")
    return Layout(RANDOM, _PYTHONS, 0, 0)


def _extent(bits: Any) -> tuple[int, int]:
    """From the table of functions to the end of the object; to an address that 16 divides, as of all that is allocated."""
    if type(bits) is random.Random:
        return id(bits) + _HEAD, id(bits) + _HEAD + WORD * _PYTHONS
    start = bits.ctypes.bit_generator.value
    end = id(bits) + type(bits).__basicsize__
    return start, end + -(end - start) % 16


class _Memory:
    """Exports a part of an object's memory, and keeps the object alive; `own`: memory that belongs to it in another way."""

    def __init__(self, owner: Any, address: int, words: int, own: Any = None) -> None:
        self.owner, self.own = owner, own
        self.__array_interface__ = {"data": (address, False), "shape": (words,), "typestr": "<i8", "version": 3}


def memory_of(bits: Any) -> np.ndarray:
    """The memory of a bit generator, as int64s."""
    return _view(bits, bits)


def _view(bits: Any, owner: Any) -> np.ndarray:
    start, end = _extent(bits)
    return np.asarray(_Memory(owner, start, (end - start) // WORD))


_MOST = 100
"""Arrays that are held for generators."""
_VIEWS: dict[int, tuple[Any, Any, np.ndarray]] = {}
"""Views made so far, by the id of their Generator or RandomState: with it, and its bit generator."""


def state_of(generator: Any) -> np.ndarray:
    """The memory of what a generator draws from."""
    bits = bits_of(generator)
    found = _VIEWS.get(id(generator))
    if found is None or found[0] is not generator or found[1] is not bits:
        if len(_VIEWS) > _MOST:
            _VIEWS.clear()
        found = _VIEWS[id(generator)] = generator, bits, _view(bits, generator)
    return found[2]


def left_over(state: Any) -> np.ndarray:
    """The memory of a RandomState that says whether there is a normal number left over, and which."""
    size = type(state).__basicsize__ // WORD
    own = (ctypes.c_int64 * size).from_address(id(state))
    place = next((k for k in range(5, size - 2) if id(state) < own[k] < id(state) + size * WORD), None)
    if place is None:
        raise TypeError("the memory of RandomState is laid out in another way than this version of s2s knows")
    return np.asarray(_Memory(state, id(state) + (place + 1) * WORD, 2))


_LEFT: dict[int, tuple[Any, np.ndarray]] = {}
"""The arrays of `gauss_next`, by the id of their generator: with it."""


def gauss_next(generator: Any) -> np.ndarray:
    """Whether a random.Random has a normal number left over, and its bits; always the same array."""
    found = _LEFT.get(id(generator))
    if found is None or found[0] is not generator:
        if len(_LEFT) > _MOST:
            _LEFT.clear()
        own = ctypes.create_string_buffer(2 * WORD)
        found = _LEFT[id(generator)] = generator, np.asarray(_Memory(generator, ctypes.addressof(own), 2, own))
    left = found[1]
    left[0] = generator.gauss_next is not None
    left.view(np.float64)[1] = generator.gauss_next if left[0] else 0.0
    return left


PARTS: dict[str, Callable[[Any], np.ndarray]] = {"state": state_of, "left_over": left_over, "gauss_next": gauss_next}
"""The arrays of generators, by name."""
PARTS_OF = {GENERATOR: ("state",), RANDOM_STATE: ("state", "left_over"), RANDOM: ("state", "gauss_next")}
"""Which of them a generator has, by class."""


def layout_in(generator: Any) -> Layout:
    """Where things are in the memory of a generator."""
    bits: Any = type(bits_of(generator))
    return layout_of(bits)


def parts_of(generator: Any) -> dict[str, np.ndarray]:
    """The arrays that stand for a generator: views of its memory."""
    layout_in(generator)
    return {name: PARTS[name](generator) for name in PARTS_OF[class_name(generator)]}


def is_stream(array: Any) -> bool:
    """Whether an array is a view of a generator's memory."""
    return type(getattr(array, "base", None)) is _Memory


@dataclass(frozen=True)
class Stream:
    """A generator whose arrays are leaves of another kind (`Var`s, while reading). `bits`: the class of its bit generator."""

    cls: str
    bits: str
    parts: tuple[Any, ...]

    @property
    def layout(self) -> Layout:
        """Where things are in its memory."""
        return layout_of(class_of(self.bits))


Data = tuple[str, str]


def flattened(generator: Any) -> tuple[tuple[Any, ...], Data]:
    """The arrays of a generator or of a Stream, and what else it is."""
    if isinstance(generator, Stream):
        return generator.parts, (generator.cls, generator.bits)
    return tuple(parts_of(generator).values()), (class_name(generator), type(bits_of(generator)).__name__)


def unflattened(data: Data, parts: tuple[Any, ...]) -> Any:
    """The generator whose arrays these are; a Stream of leaves of another kind."""
    return parts[0].base.owner if is_stream(parts[0]) else Stream(*data, tuple(parts))


__all__ = [
    "GENERATOR", "PARTS", "PARTS_OF", "RANDOM", "RANDOM_STATE", "Layout", "Stream", "bits_of", "class_name", "class_of", "flattened", "is_class", "is_stream", "layout_in", "layout_of", "memory_of", "parts_of", "unflattened",
]
