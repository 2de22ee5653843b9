"""Random generators, NumPy's and Python's: an object that holds its memory as an array, into which draws store.

    rng.normal(size=n)         a method of `composed/random.py`, read in place; it asks `drawing.drawn` for numbers
    np.random.randn(n)         the same of NumPy's own RandomState
    np.random.default_rng(0)   a generator made while reading: each run starts from its state
    random.choice(items)       a method of `composed/random_python.py`, of the random.Random that stands behind the module's functions
"""
from __future__ import annotations

import random
from difflib import get_close_matches
from typing import Any

import numpy as np

from s2s import streams
from s2s.transforms.primitives.draws import DRAWS
from s2s.transforms.primitives.indexing import Span, setitem
from s2s.transforms.primitives.random import draw, draw_old
from s2s.transforms.primitives.structural import copy, reshape
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.callables import Method
from s2s.transforms.read.calls.hidden import enter_generator
from s2s.transforms.read.calls.nearest import with_nearest
from s2s.transforms.read.composed.random_methods import METHODS
from s2s.transforms.read.composed.random_seeds import STARTS
from s2s.transforms.read.describing import describe
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.known import is_known, plain
from s2s.transforms.read.numpy.building import building, current_builder
from s2s.transforms.read.numpy.common import cast, lift, product
from s2s.transforms.read.numpy.shapes import broadcast_to
from s2s.transforms.read.numpy.shapes import reshape as to_shape
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load, new_array, store_view
from s2s.transforms.read.values import Abstract, ObjectRef, is_atom
from s2s.transforms.read.wrapping import as_size, unwrap_atom, wrap
from s2s.types import atom_dim, dim_atom, is_integer

MAKERS = ("default_rng", "RandomState", "Generator")
"""Functions of numpy.random that make a generator."""
BITS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64", "SeedSequence")
"""Classes of numpy.random that generators are made of."""
OF_THE_MODULE = ("seed", "ranf", "sample")
"""Functions of NumPy's own RandomState that are no methods of it."""


def is_generator(value: Abstract) -> bool:
    """Whether it is a random generator."""
    return isinstance(value, ObjectRef) and streams.is_class(value.kind)


def method(reader: Reader, rng: ObjectRef, name: str) -> Abstract:
    """rng.name, to be called."""
    cls = rng.kind.__name__
    if name in METHODS[cls]:
        return Method(METHODS[cls][name], rng)
    if not hasattr(rng.kind, name):
        error = AttributeError(f"'{rng.kind.__module__}.{cls}' object has no attribute {name!r}")
        raise with_nearest(error, "".join(f"rng.{each}" for each in get_close_matches(name, METHODS[cls], 1)))
    shown = f"random.{name}" if cls == streams.RANDOM else f"{cls}.{name}"
    raise reader.unsupported(f"{shown} is not supported", _near(cls))


def _near(cls: str) -> str:
    return "numbers drawn before the function is called, or one of " + ", ".join(sorted(METHODS[cls]))


def of_library(function: Any) -> str:
    """The name of a function of numpy.random that draws from NumPy's own RandomState, or makes a generator; "" for others."""
    if streams.class_name(getattr(function, "__self__", None)):
        return str(function.__name__)
    if function is random.Random:
        return streams.RANDOM
    if not (getattr(function, "__module__", None) or "").startswith("numpy.random"):
        return ""
    return next((name for name in (*MAKERS, *BITS, *OF_THE_MODULE) if getattr(np.random, name, None) is function), "")


def call_library(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A function of numpy.random."""
    name = of_library(function)
    if name in MAKERS or function is random.Random:
        return _made(reader, function, args, kwargs)
    if name in BITS:
        reader.session.bit_generators.append(made := _template(reader, function, args, kwargs))
        return made
    numpys = np.random.mtrand._rand  # noqa: SLF001 - NumPy's own, whose methods the old functions are
    owner = numpys if name in OF_THE_MODULE else function.__self__
    is_global = owner is numpys
    steps = (("object", np.random), ("attribute", "mtrand"), ("attribute", "_rand")) if is_global else None
    rng = enter_generator(reader, owner, steps)
    return reader.rules.call(method(reader, rng, name), args, kwargs)


@asks_python
def _made(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A generator of a known seed: what it is made of is read at each call from one that nobody else draws from. Without a seed its seed is drawn when it is made."""
    if function is not np.random.Generator and all(arg is None for arg in (*args, *kwargs.values())):
        args, kwargs = (_drawn_seed(reader, function),), {}
    given = args[0] if args else kwargs.get("seed")
    if isinstance(given, ObjectRef) and is_generator(given) and function is np.random.default_rng:
        return given if given.kind is np.random.Generator else _generator_over(reader, given)
    _take_bits(reader, args)
    seed = _seed_of_the_run(function, args, kwargs)
    theirs = enter_generator(reader, function(0) if seed is not None else _template(reader, function, args, kwargs), None)
    ref = ObjectRef(None, theirs.kind)
    with building(reader.builder):
        arrays = {key: new_array(reader, copy(load(reader, part)).atom, key) for key, part in reader.heap[theirs].items() if key != "layout"}
    reader.heap[ref] = {"layout": reader.heap[theirs]["layout"], **arrays}
    if seed is not None:
        reader.rules.call(STARTS[reader.heap[ref]["layout"].kind], (ref, seed), {})
    return ref


def _drawn_seed(reader: Reader, function: Any) -> Abstract:
    """A seed that nobody knows, another one each time: a number of this process's own generator."""
    rng = enter_generator(reader, streams.ENTROPY, (("object", streams), ("attribute", "ENTROPY")))
    return reader.rules.call(method(reader, rng, "integers"), (2**32 if function is np.random.RandomState else 2**62,), {})


def _generator_over(reader: Reader, old: ObjectRef) -> ObjectRef:
    """A Generator that draws from the memory of a RandomState."""
    ref, held = ObjectRef(None, np.random.Generator), reader.heap[old]
    reader.heap[ref] = {"layout": held["layout"], "state": held["state"]}
    return ref


@asks_python
def _take_bits(reader: Reader, args: tuple[Abstract, ...]) -> None:
    """A bit generator is drawn from by one generator: a second one would go on where the first one is."""
    waiting = reader.session.bit_generators
    for given in (plain(reader, arg) for arg in args if is_known(reader, arg)):
        if isinstance(given, np.random.BitGenerator):
            if not any(given is each for each in waiting):
                raise reader.unsupported(f"a second generator of one {type(given).__name__}, or one of what was made outside of the function", "one generator, as an argument")
            waiting[:] = [each for each in waiting if each is not given]


def _seed_of_the_run(function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract | None:
    """The seed that is the only argument, where that is an integer of run time."""
    given = [*args, *(value for key, value in kwargs.items() if key == "seed")]
    if function is np.random.Generator or len(given) != 1 or len(args) + len(kwargs) != 1 or not is_atom(given[0]) or not is_integer(given[0].type.dtype):
        return None
    return given[0]


@asks_python
def _template(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Any:
    given = (*args, *kwargs.values())
    is_seedless = all(arg is None for arg in given) or function is np.random.SeedSequence and (args[0] if args else kwargs.get("entropy")) is None
    if is_seedless or not all(is_known(reader, arg) for arg in given):
        raise reader.unsupported(
            f"{'' if function is random.Random else 'np.'}random.{function.__name__} of {'no seed' if is_seedless else 'a seed that is known only at run time'}",
            "a generator as an argument, or a seed that is a number", "which numbers it gives would be decided by each run",
        )  # fmt: skip
    return function(*(plain(reader, arg) for arg in args), **{key: plain(reader, arg) for key, arg in kwargs.items()})


def seeded(reader: Reader, rng: ObjectRef, seed: Abstract) -> None:
    """`drawing.seeded`: a generator gets the state of another one, without what else stands in its memory."""
    held = reader.heap[rng]
    theirs = reader.heap[_made(reader, rng.kind, () if seed is None else (seed,), {})]
    layout = held["layout"]
    with building(reader.builder):
        start = layout.first
        new = load(reader, theirs["state"])
        part = reader.rules.item(theirs["state"], slice(start, None))
        changed = setitem(load(reader, held["state"]), wrap(reader, part), new.size(start), new.size(layout.words - start), index=(Span(1),))
        store_view(reader, held["state"], changed)
        second = streams.PARTS_OF[rng.kind.__name__][1]
        store_view(reader, held[second], load(reader, theirs[second]))


def left_over(reader: Reader, rng: Abstract) -> Abstract:
    """`drawing.left_over`."""
    return reader.heap[rng]["gauss_next"]


def drawn(reader: Reader, rng: Abstract, what: str, shape: Abstract, *given: Abstract) -> Abstract:
    """`drawing.drawn`."""
    if not is_generator(rng):
        raise reader.unsupported(f"random numbers from {describe(reader, rng)}", "a np.random.Generator")
    held, found = reader.heap[rng], DRAWS[what]
    with building(reader.builder):
        sizes = [reader.value(as_size(reader, length, "a length")) for length in shape]
        dims = tuple(atom_dim(size.atom) for size in sizes)
        values = [_argument(lift(wrap(reader, each)), np.dtype(letter), dims) for each, letter in zip(given, found.given, strict=True)]
        layout, memory = held["layout"], load(reader, held["state"])
        after, numbers = draw.outs(memory, *sizes, *values, what=what, ndim=len(sizes), first=layout.first, inner=layout.inner)
        store_view(reader, held["state"], after)
    return unwrap_atom(reader, numbers.atom, "drawn")


def _argument(value: Value, dtype: np.dtype, dims: tuple[Any, ...]) -> Value:
    value = cast(value, dtype)
    if not value.ndim or value.shape == dims:
        return value
    return broadcast_to(value, tuple(Value(current_builder(), dim_atom(dim)) for dim in dims))


def old_drawn(reader: Reader, rng: ObjectRef, what: str, shape: Abstract, *given: Abstract) -> Abstract:
    """`drawing.old_drawn`."""
    held = reader.heap[rng]
    layout = held["layout"]
    with building(reader.builder):
        sizes = [reader.value(as_size(reader, length, "a length")) for length in shape]
        dims = tuple(atom_dim(size.atom) for size in sizes)
        count = Value(reader.builder, dim_atom(product(reader.builder, dims)))
        values = [_argument(lift(wrap(reader, each)), np.dtype(letter), dims) for each, letter in zip(given, DRAWS[what].given, strict=True)]
        flat = [to_shape(value, (count if value.ndim else 1,)) for value in values]
        memory, left = load(reader, held["state"]), load(reader, held["left_over"])
        after, kept, numbers = draw_old.outs(memory, left, count, *flat, what=what, first=layout.first, inner=layout.inner)
        store_view(reader, held["state"], after)
        store_view(reader, held["left_over"], kept)
        return unwrap_atom(reader, reshape(numbers, *sizes).atom, "drawn")


__all__ = ["call_library", "drawn", "is_generator", "left_over", "method", "of_library", "old_drawn", "seeded"]
