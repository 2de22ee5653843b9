"""How arguments of drawn calls come about: what is fixed for a call, and what differs from point to point.

A call's text, the ranks and dtypes of its arguments come from `fixed`, which starts anew at each point: so that one program
serves several points. Values, layouts in memory and (for most calls) sizes come from `free`.
"""
from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

DTYPES = ("float64",) * 9 + ("int64",) * 3 + ("float32",) * 2 + ("complex128",) * 2 + ("bool", "bool", "int32", "int32", "complex64")
NARROW = ("uint8", "uint8", "int8", "int16", "uint16", "uint32", "uint64", "uint64")
"""Integers of other widths, drawn in the place of the others' integers, bools and some of their floats in every fourth call: the other calls stay what they were. float16 is drawn in the place of most floats in every twelfth;
in every eighth, sizes are 0, 1, 2 and 7, and arrays have up to four axes."""
SHARE = {"narrow": 4, "half": 12, "large": 8}
SIZES = (0, 1, 1, 2, 2, 3, 3, 4, 5)
LONG = (9, 17, 40)
"""Lengths of some vectors: loops are unrolled, sums made in blocks."""
LAYOUTS = ("C",) * 8 + ("F", "F", "strided", "strided", "reversed", "read-only", "broadcast", "transposed")
FLAVOURS = ("plain",) * 5 + ("whole", "whole", "special", "zeros")
SPECIAL = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 1e300, -1e-300, 2.5)

Random = random.Random


@dataclass
class Argument:
    """A run-time argument: a number, a list of numbers, or an array in some layout, made anew for each run."""

    value: Any
    layout: str = "C"

    def build(self) -> Any:
        if not isinstance(self.value, np.ndarray):
            return copy.deepcopy(self.value)
        return arranged(self.value, self.layout)

    def text(self) -> str:
        """As a program writes it."""
        value, form = self.value, "{}"
        if isinstance(value, np.generic):
            return f"np.{value.dtype.name if value.dtype != bool else 'bool_'}({_number(value.item())})"
        if isinstance(value, list):
            return _nested(value)
        if not isinstance(value, np.ndarray):
            return _number(value)
        match self.layout:
            case "F" if value.ndim > 1:
                form = "np.asfortranarray({})"
            case "transposed" if value.ndim > 1:
                return f"np.array({_nested(value.T.tolist())}, np.{value.dtype.name if value.dtype != bool else 'bool_'}).reshape{value.T.shape}.T"
            case "strided" | "reversed" if value.ndim:
                form = f"arranged({{}}, {self.layout!r})"
            case "read-only" | "broadcast":
                form = f"arranged({{}}, {self.layout!r})"
        made = f"np.array({_nested(value.tolist())}, np.{value.dtype.name if value.dtype != bool else 'bool_'})"
        return form.format(made if value.size else f"np.zeros({value.shape}, np.{value.dtype.name if value.dtype != bool else 'bool_'})")


def _number(value: Any) -> str:
    text = repr(value)
    return text.replace("nan", "float('nan')").replace("inf", "float('inf')") if isinstance(value, float | complex) else text


def _nested(value: Any) -> str:
    return "[" + ", ".join(map(_nested, value)) + "]" if isinstance(value, list) else repr(value).replace("nan", "np.nan").replace("inf", "np.inf")


def arranged(value: np.ndarray, layout: str) -> np.ndarray:
    """A new array of these values in a layout of memory."""
    if layout == "F":
        return np.array(value, order="F")
    if layout == "transposed":
        return np.array(value.T, order="C").T
    if layout == "strided" and value.ndim:
        whole = np.zeros((*value.shape[:-1], 2 * value.shape[-1] + 1), value.dtype)
        part = whole[..., 1::2]
        part[...] = value
        return part
    if layout == "reversed" and value.ndim:
        back = (slice(None, None, -1),) * value.ndim
        return np.array(value[back], order="C")[back]
    made = np.array(value, order="C")
    if layout == "broadcast" and value.ndim and value.shape[0]:
        made = np.broadcast_to(made[:1], value.shape) if (value == value[:1]).all() else made
    if layout == "read-only":
        made.flags.writeable = False
    return made


@dataclass
class Draw:
    """One point of one call being drawn."""

    seed: int
    point: int
    arguments: list[Argument] = field(default_factory=list)
    base: Any = None
    """The first array of the call, as NumPy has it: what axes, shapes and indices go by."""
    last: Any = None
    """The array drawn last."""
    out: int | None = None
    """Which argument is to be the call's out."""

    def __post_init__(self) -> None:
        self.fixed, self.free = Random(self.seed), Random(self.seed * 1000 + self.point + 1)
        self.sizes = self.fixed if self.fixed.random() < 0.4 else self.free
        self.same_sizes = self.sizes is self.fixed
        self.flavour = "plain" if self.point == 0 else choose(self.free, FLAVOURS)
        self.small = self.point == 0
        self.rng = np.random.default_rng(self.seed * 1000 + self.point)
        self.widths = Random(f"widths of {self.seed}")
        self.narrow = self.widths.random() < 1 / SHARE["narrow"]
        self.half = Random(f"halves of {self.seed}").random() < 1 / SHARE["half"]
        self.axes = Random(f"axes of {self.seed}")
        self.large = self.axes.random() < 1 / SHARE["large"]

    def argument(self, value: Any, layout: str | None = None) -> str:
        """A run-time argument; its name."""
        if isinstance(value, np.ndarray):
            layout = layout or choose(self.free, LAYOUTS)
            layout = "C" if layout == "broadcast" and not self.point else layout  # equal elements are kinks of many derivatives
            if layout == "broadcast" and value.ndim and value.shape[0]:
                value = np.broadcast_to(value[:1], value.shape)
        self.arguments.append(Argument(value, layout or "C"))
        return f"x{len(self.arguments) - 1}"

    # ---- choices of the call's text ------------------------------------------------------------------------------------

    def chance(self, part: float) -> bool:
        return self.fixed.random() < part

    def pick(self, options: Sequence[Any]) -> Any:
        return choose(self.fixed, options)

    def dtype(self, options: Sequence[str]) -> str:
        """A dtype of these, in some calls one of the integers of other widths where there is an integer among them."""
        found = self.narrowed(self.pick(options)) if "int64" in options else self.pick(options)
        return "float16" if self.half and found in ("float64", "float32") and "float32" in options and self.widths.random() < 0.7 else found

    def index_dtype(self, options: Sequence[str]) -> str:
        """A dtype of positions: what they are is no matter of the arrays' dtypes."""
        return self.dtype(options)

    def narrowed(self, dtype: str) -> str:
        """A dtype, or one of other integers in its place."""
        if not self.narrow or self.widths.random() < {"float64": 0.6, "float32": 0.6, "complex128": 0.8, "complex64": 0.8}.get(dtype, 0.1):
            return dtype
        return choose(self.widths, NARROW)

    def between(self, low: int, high: int) -> int:
        return between(self.fixed, low, high)

    def number(self, make: Callable[[Random], Any], literal: float = 0.5) -> str:
        """A number: in the text, or of run time as a Python number, a NumPy scalar or an array without axes."""
        style = self.fixed.random()
        written = make(self.fixed)
        if style < literal:
            return _number(written)
        value, rest = make(self.free), (style - literal) / (1.0 - literal)
        if rest < 0.65:
            return self.argument(value)
        if rest < 0.85:
            return self.argument(np.asarray(value)[()])
        if rest < 0.93:
            return self.argument(np.asarray(value))
        return f"np.{np.asarray(written).dtype.name if not isinstance(written, bool) else 'bool_'}({_number(written)})"

    # ---- sizes and values ------------------------------------------------------------------------------------------------

    def size(self) -> int:
        size = choose(self.sizes, SIZES[3:] if self.small and not self.same_sizes else SIZES)
        return 7 if self.large and size > 2 else size

    def rank(self, options: Sequence[int]) -> int:
        """How many axes an array has; in some calls more than these."""
        rank = self.pick(options)
        return min(rank + between(self.axes, 0, 3), 4) if self.large else rank

    def shape(self, rank: int) -> tuple[int, ...]:
        square = self.chance(0.35)
        if rank == 1 and not self.small and self.sizes.random() < 0.06:
            return (choose(self.sizes, LONG),)
        shape = tuple(self.size() for _ in range(rank))
        return (shape[0],) * rank if square and rank else shape

    def data(self, shape: tuple[int, ...], dtype: str) -> np.ndarray:
        """Numbers of the point's flavour."""
        rng, flavour = self.rng, self.flavour
        if dtype == "bool":
            return rng.random(shape) < 0.5
        if dtype in NARROW:
            return self.integers(shape, dtype)
        if dtype.startswith("int"):
            return rng.integers(-4, 6, shape).astype(dtype)
        if flavour == "plain":
            real = rng.normal(size=shape) * 1.5
        elif flavour == "whole":
            real = rng.integers(-2, 4, shape).astype(float)
        elif flavour == "zeros":
            real = np.where(rng.random(shape) < 0.5, 0.0, rng.integers(-2, 3, shape))
        else:
            real = np.where(rng.random(shape) < 0.6, rng.normal(size=shape), rng.choice(SPECIAL, shape))
        if dtype.startswith("complex"):
            real = real + 1j * rng.normal(size=shape)
        with np.errstate(all="ignore"):
            return np.asarray(real).astype(dtype)


    def integers(self, shape: tuple[int, ...], dtype: str) -> np.ndarray:
        """Small ones; of a special flavour also the smallest and the largest."""
        limits = np.iinfo(dtype)
        small = self.rng.integers(max(-4, limits.min), 6, shape).astype(dtype)
        if self.flavour != "special":
            return small
        ends = np.array([limits.min, limits.max, limits.max - 1, limits.max // 2 + 1], dtype)
        return np.where(self.rng.random(shape) < 0.7, small, ends[self.rng.integers(0, 4, shape)])


def choose(rng: Random, options: Sequence[Any]) -> Any:
    """One of them, for one step of the generator whatever their number is."""
    return options[int(rng.random() * len(options))]


def between(rng: Random, low: int, high: int) -> int:
    """An integer from low to high, both included, for one step of the generator."""
    return low + int(rng.random() * (high - low + 1))
