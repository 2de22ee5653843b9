"""What each kind of parameter of `calls_table` takes: axes, shapes, numbers, places, options here, arrays from `calls_arrays`."""
from __future__ import annotations

import numpy as np

from .calls_arrays import (
    Kind,
    alike,
    array,
    arrays,
    aslong,
    bins,
    blocks,
    chain,
    choices,
    counts,
    distinct,
    einsum,
    factor,
    grids,
    items,
    keys,
    maskarray,
    masks,
    matrix,
    near,
    numbers,
    other,
    parts,
    real,
    same,
    samemask,
    scalar,
    sorted_,
    sorter,
    special,
    square,
    target,
    thin,
    triple,
    vector,
    vectors,
    wanted,
    weights,
)
from .calls_draw import NARROW, Draw, between, choose
from .calls_library import KINDS as LIBRARY_KINDS
from .calls_rest import REST_KINDS

# ---- axes and shapes -------------------------------------------------------------------------------------------------------


def _ndim(draw: Draw) -> int:
    return draw.base.ndim if draw.base is not None else 1


def axis(draw: Draw) -> str:
    style, ndim = draw.fixed.random(), _ndim(draw)
    if style < 0.85:
        return str(draw.between(-ndim, max(ndim - 1, 0)))
    if style < 0.90:
        return str(draw.between(-ndim - 1, ndim))
    if style < 0.94:
        return f"np.int64({draw.between(0, max(ndim - 1, 0))})"
    return "None" if style < 0.97 else draw.argument(between(draw.free, 0, max(ndim - 1, 0))) if style < 0.98 else draw.pick(("1.0", "True", "(0,)"))


def axes(draw: Draw) -> str:
    style, ndim = draw.fixed.random(), _ndim(draw)
    if style < 0.55:
        return axis(draw)
    if style < 0.65:
        return "None"
    count = draw.between(0, ndim)
    order = sorted(range(ndim), key=lambda _: draw.fixed.random())[:count]
    found = [k - ndim if draw.chance(0.4) else k for k in order]
    if draw.chance(0.05):
        found.append(0)
    text = ", ".join(map(str, found))
    return f"({text},)" if found and not (style > 0.93) else f"[{text}]" if style > 0.93 else "()"


def permutation(draw: Draw) -> str:
    ndim = _ndim(draw)
    order = sorted(range(ndim), key=lambda _: draw.fixed.random())
    order = [k - ndim if draw.chance(0.3) else k for k in order]
    if draw.chance(0.1):
        order = order[1:] or [0]
    text = ", ".join(map(str, order))
    return draw.pick((f"({text},)" if order else "()", f"[{text}]", f"({text},)" if order else "()", "None"))


def permutations(draw: Draw) -> str:
    return permutation(draw).strip("()").rstrip(",") if draw.chance(0.5) else permutation(draw)


def plane(draw: Draw) -> str:
    return draw.pick(("(0, 1)", "(1, 0)", "(-1, -2)", "[0, 1]", "(0, 0)", "(1, 2)"))


def thinaxis(draw: Draw) -> str:
    ones = [k for k, size in enumerate(draw.base.shape) if size == 1] if draw.base is not None else []
    picked = draw.fixed.random()
    if ones and draw.same_sizes and picked < 0.8:
        return str(ones[0]) if picked < 0.6 else f"({', '.join(map(str, ones))},)"
    return axes(draw)


def newaxes(draw: Draw) -> str:
    ndim = _ndim(draw)
    return draw.pick(("0", "-1", str(ndim), str(ndim + 1), "(0, 1)", f"(0, {ndim + 1})", "[0]", "()", "(0, 0)", "(-1, 0)"))


def _length(draw: Draw, low: int = 0, high: int = 4) -> str:
    return draw.number(lambda rng: between(rng, low, high), 0.5)


def shape(draw: Draw) -> str:
    style = draw.fixed.random()
    if style < 0.3:
        return _length(draw)
    if style < 0.34:
        return "()"
    if style < 0.38:
        return _length(draw, -1, 1)
    if style < 0.42 and draw.base is not None:
        return f"{draw.arguments and 'x0' or '[]'}.shape" if draw.arguments and isinstance(draw.arguments[0].value, np.ndarray) else "(2,)"
    lengths = ", ".join(_length(draw) for _ in range(draw.between(1, 3)))
    return f"({lengths},)" if style < 0.85 else f"[{lengths}]"


def newshape(draw: Draw) -> str:
    """A shape with as many elements as the base, mostly."""
    size = draw.base.size if draw.base is not None else 1
    rank, style = draw.pick((1, 1, 2, 2, 3)), draw.fixed.random()
    dims = list(draw.base.shape)
    if style < 0.3:
        found = [size]
    elif style < 0.6:
        found = [dims[0], size // dims[0]] if dims and dims[0] else [size, 1]
    elif style < 0.75:
        found = dims[::-1]
    else:
        found = [between(draw.free if not draw.same_sizes else draw.fixed, 0, 4) for _ in range(rank)]
    unknown = draw.pick((-1, -1, None, None, None))
    texts = []
    for k, dim in enumerate(found):
        where = draw.fixed.random()
        if unknown is not None and k == len(found) - 1:
            texts.append("-1")
        elif draw.same_sizes and where < 0.6:
            texts.append(str(dim))
        else:
            texts.append(draw.argument(int(dim)) if where < 0.9 else draw.argument(np.int64(dim)))
    if len(texts) == 1 and draw.chance(0.5):
        return texts[0]
    return f"({', '.join(texts)},)" if texts and draw.chance(0.8) else f"[{', '.join(texts)}]"


def newshapes(draw: Draw) -> str:
    text = newshape(draw)
    return text if draw.chance(0.5) or text in ("()", "[]") else text.strip("()[]").rstrip(",")


def bigger(draw: Draw) -> str:
    """A shape that the base can be stretched to, mostly."""
    dims = list(draw.base.shape)
    found = [*[draw.size() for _ in range(draw.pick((0, 1, 1)))], *[draw.size() if dim == 1 else dim for dim in dims]]
    texts = [str(dim) if draw.same_sizes and draw.chance(0.5) else draw.argument(int(dim)) for dim in found]
    return f"({', '.join(texts)},)" if texts else "()"


# ---- numbers ---------------------------------------------------------------------------------------------------------------


def int_(draw: Draw) -> str:
    return draw.number(lambda rng: between(rng, -3, 5))


def offset(draw: Draw) -> str:
    return draw.number(lambda rng: between(rng, -4, 4), 0.4) if draw.chance(0.95) else draw.pick(("1.0", "None", "True", "np.array([1])"))


def count(draw: Draw) -> str:
    return draw.number(lambda rng: choose(rng, (0, 1, 2, 3, 4, 5, 2, 3, -1)), 0.5) if draw.chance(0.95) else draw.pick(("2.0", "None", "True"))


def power(draw: Draw) -> str:
    return draw.number(lambda rng: between(rng, -2, 5), 0.8)


def ddof(draw: Draw) -> str:
    return draw.number(lambda rng: choose(rng, (0, 1, 1, 2, 5)), 0.6) if draw.chance(0.9) else draw.pick(("1.5", "0.5", "-1"))


def decimals(draw: Draw) -> str:
    return draw.number(lambda rng: between(rng, -2, 4), 0.8) if draw.chance(0.9) else "None"


def shift(draw: Draw) -> str:
    if draw.chance(0.8):
        return draw.number(lambda rng: between(rng, -6, 7), 0.4)
    first, second = (draw.number(lambda rng: between(rng, -6, 7), 0.6) for _ in range(2))
    return draw.pick((f"({first}, {second})", f"[{first}, {second}]", f"({first},)"))


def number(draw: Draw) -> str:
    """A number or, seldom, an array."""
    if draw.chance(0.1):
        return other(draw)
    return draw.number(lambda rng: choose(rng, (0, 1, -2, 0.5, -1.5, 3.25, True, 2)), 0.5) if draw.chance(0.6) else scalar(draw)


def bound(draw: Draw) -> str:
    return "None" if draw.chance(0.15) else number(draw)


def small(draw: Draw) -> str:
    return draw.number(lambda rng: choose(rng, (0.0, 1e-8, 1e-3, 0.1)), 0.5)


def period(draw: Draw) -> str:
    return draw.number(lambda rng: choose(rng, (1.0, 2.5, -3.0, 0.0)), 0.5)


def level(draw: Draw) -> str:
    style = draw.fixed.random()
    if style < 0.75:
        return draw.number(lambda rng: choose(rng, (0.0, 0.25, 0.5, 1.0, 0.3, 0.75, 1.2)), 0.5)
    return "[0.25, 0.5]" if style < 0.85 else draw.argument(np.array([0.1, 0.5, 0.9])) if style < 0.95 else draw.pick(("1", "0", "True"))


def percent(draw: Draw) -> str:
    style = draw.fixed.random()
    if style < 0.75:
        return draw.number(lambda rng: choose(rng, (0, 25, 50.0, 100, 30.0, 75, 120, -5.0)), 0.5)
    return "[25, 75]" if style < 0.85 else draw.argument(np.array([10.0, 50.0]))


def repeats(draw: Draw) -> str:
    if draw.chance(0.5):
        return draw.number(lambda rng: choose(rng, (0, 1, 2, 3, 2, -1)), 0.5)
    if draw.chance(0.2):
        return draw.pick(("[1, 2]", "(2,)", "[2]"))
    shape = draw.base.shape
    lengths = (*shape, draw.base.size, draw.base.size, 1)
    return draw.argument(draw.rng.integers(-1 if draw.chance(0.05) else 0, 4, draw.pick(lengths)).astype(draw.pick((np.int64, np.int32, np.uint8))))


def reps(draw: Draw) -> str:
    if draw.chance(0.4):
        return repeats(draw)
    texts = [draw.number(lambda rng: choose(rng, (0, 1, 2, 3, 2)), 0.6) for _ in range(draw.between(1, 4))]
    return f"({', '.join(texts)},)" if draw.chance(0.8) else f"[{', '.join(texts)}]"


def widths(draw: Draw) -> str:
    def one() -> str:
        return draw.number(lambda rng: choose(rng, (0, 1, 2, 3, 1, -1) if rng.random() < 0.1 else (0, 1, 2, 3, 1)), 0.7)

    style, ndim = draw.fixed.random(), _ndim(draw)
    if style < 0.35:
        return one()
    if style < 0.55:
        return f"({one()}, {one()})"
    if style < 0.62:
        return f"({one()},)"
    if style < 0.7:
        return f"(({one()}, {one()}),)"
    return "(" + "".join(f"({one()}, {one()}), " for _ in range(max(ndim, 1))) + ")" if style < 0.95 else f"[[{one()}, {one()}], [{one()}, {one()}]]"


def sections(draw: Draw) -> str:
    style = draw.fixed.random()
    if style < 0.5:
        return draw.number(lambda rng: choose(rng, (1, 2, 3, 4, 5, 0, 1, 2)), 0.85)
    texts = [draw.number(lambda rng: between(rng, -3, 6), 0.7) for _ in range(draw.between(0, 3))]
    return f"[{', '.join(texts)}]" if style < 0.9 else f"({', '.join(texts)}{',' if texts else ''})"


def contracted(draw: Draw) -> str:
    return draw.pick(("0", "1", "2", "([-1], [0])", "(-1, 0)", "((0,), (0,))", "([1], [0])", "([0, 1], [1, 0])", "[[1], [0]]", "([], [])"))


def spacing(draw: Draw) -> str:
    texts = [draw.number(lambda rng: choose(rng, (0.5, 1, 2.0, -1.5)), 0.5) for _ in range(draw.pick((0, 1, 1, 2)))]
    if draw.chance(0.1) and draw.base is not None and draw.base.ndim:
        texts = [draw.argument(np.cumsum(draw.rng.random(draw.base.shape[0])))]
    return ", ".join(texts)


def ord_(draw: Draw) -> str:
    return draw.pick(("None", "1", "2", "np.inf", "-np.inf", "0", "3", "-1", "'fro'", "'nuc'", "-2", "2.5")) if draw.chance(0.9) else draw.number(lambda rng: 2)


def edge(draw: Draw) -> str:
    return number(draw) if draw.chance(0.6) else same(draw)


# ---- places ----------------------------------------------------------------------------------------------------------------


def _limit(draw: Draw) -> int:
    return min(draw.base.shape, default=1) if draw.base is not None else 1


def _positions(draw: Draw, shape_: tuple[int, ...], limit: int) -> np.ndarray:
    out_of_bounds = draw.free.random() < 0.08
    low, high = (-limit, limit) if not out_of_bounds else (-limit - 2, limit + 2)
    if low >= high:
        return np.zeros((0,) * len(shape_) if not out_of_bounds else shape_, np.int64)
    return draw.rng.integers(low, high, shape_)


def indices(draw: Draw) -> str:
    style, limit = draw.fixed.random(), _limit(draw)
    if style < 0.2:
        return draw.number(lambda rng: between(rng, -limit, max(limit - 1, 0)), 0.4)
    if style < 0.3:
        return draw.pick(("[0, 1]", "[0, -1]", "[[0], [1]]", "[]", "(0, 1)"))
    found = _positions(draw, draw.shape(draw.pick((1, 1, 1, 2))), limit)
    return draw.argument(found.astype(draw.index_dtype(("int64",) * 6 + ("int32", "float64", "bool"))))


def along(draw: Draw) -> str:
    """Positions of the base's shape."""
    place, length = draw.between(-_ndim(draw), max(_ndim(draw) - 1, 0)), draw.size()
    dims = list(draw.base.shape)
    if dims and draw.chance(0.8):
        dims[place] = length
    return draw.argument(_positions(draw, tuple(dims), _limit(draw)))


def choice(draw: Draw) -> str:
    """A condition as long as an axis of the base, mostly."""
    longer = choose(draw.free, (0,) * 6 + (1, -1))
    size = max((draw.base.shape[draw.between(0, _ndim(draw) - 1)] if draw.base is not None and draw.base.ndim else draw.size()) + longer, 0)
    return draw.argument(draw.rng.random(size) < 0.5) if draw.chance(0.85) else draw.pick(("[True, False]", "[1, 0, 1]"))


def place(draw: Draw) -> str:
    if draw.chance(0.2):
        return draw.number(lambda rng: between(rng, 0, 2))
    zeros = ", ".join("0" * _ndim(draw))
    return draw.pick(("", "", "0", "-1", zeros, "(0,)", f"({zeros},)" if zeros else "0", "0, 0"))


def _slice(draw: Draw) -> str:
    def part(options: tuple[int, ...]) -> str:
        return "" if draw.chance(0.4) else draw.number(lambda rng: choose(rng, options), 0.6)

    start, stop = part((-6, -2, -1, 0, 1, 2, 4, 7)), part((-6, -2, -1, 0, 1, 2, 4, 7))
    return f"{start}:{stop}" if draw.chance(0.6) else f"{start}:{stop}:{part((1, 2, -1, -2, 3, -1))}"


def _item(draw: Draw, size: int) -> str:
    style = draw.fixed.random()
    if style < 0.35:
        return _slice(draw)
    if style < 0.6:
        return draw.number(lambda rng: between(rng, -max(size, 1), max(size - 1, 0)) if rng.random() < 0.93 else size + 1, 0.5 if draw.same_sizes else 0.25)
    if style < 0.68:
        return "None"
    if style < 0.74:
        return "..."
    if style < 0.88:
        return draw.argument(_positions(draw, draw.shape(draw.pick((1, 1, 2))), size))
    if style < 0.94:
        return draw.argument(draw.rng.random(size) < 0.5)
    return draw.pick(("[0, 0]", "[0, -1]", "[True]", "np.array([0])", "slice(None)", "[]"))


def key(draw: Draw) -> str:
    shape_ = draw.base.shape if draw.base is not None else (2,)
    count_ = draw.between(1, max(len(shape_), 1)) + draw.chance(0.15)
    return ", ".join(_item(draw, shape_[k] if k < len(shape_) else 2) for k in range(count_))


# ---- options ---------------------------------------------------------------------------------------------------------------


def _of(*texts: str) -> Kind:
    return lambda draw: draw.pick(texts)


def flag(draw: Draw) -> str:
    style = draw.fixed.random()
    if style < 0.85:
        return draw.pick(("True", "True", "False"))
    return draw.pick(("1", "0", "np.True_", "None", "'no'")) if style < 0.95 else draw.argument(draw.free.random() < 0.5)


def dtype(draw: Draw) -> str:
    if draw.narrow and draw.chance(0.3):
        return f"np.{choose(draw.widths, NARROW)}"
    return draw.pick(("np.float64", "np.float32", "float", "int", "np.int64", "np.int32", "bool", "complex", "np.complex64", "'float32'", "'f8'", "None",
                      "np.dtype(np.float64)", "np.float16", "np.uint8", "'<i4'", "object"))  # fmt: skip


def mask(draw: Draw) -> str:
    style = draw.fixed.random()
    if style < 0.2:
        return draw.pick(("True", "False", "None"))
    shape_ = draw.base.shape if draw.base is not None else (2,)
    ones = [draw.chance(0.2) for _ in shape_]
    return draw.argument(draw.rng.random(tuple(1 if one else size for one, size in zip(ones, shape_, strict=True))) < 0.6)


def out(draw: Draw) -> str:
    """An array for the result: its shape and dtype are found when all else is drawn."""
    draw.out = len(draw.arguments)
    return draw.argument(None)


KINDS: dict[str, Kind] = {
    **{function.__name__.rstrip("_"): function for function in (
        scalar, real, array, distinct, target, vector, matrix, square, triple, thin, special, same, other, factor, near, sorted_, bins, wanted, sorter, aslong, weights,
        counts, maskarray, samemask, arrays, vectors, grids, numbers, items, alike, parts, blocks, chain, keys, masks, choices, einsum, axis, axes, permutation,
        permutations, plane, thinaxis, newaxes, shape, newshape, newshapes, bigger, int_, offset, count, power, ddof, decimals, shift, number, bound, small,
        period, level, percent, repeats, reps, widths, sections, contracted, spacing, ord_, edge, indices, along, choice, place, key, flag, dtype, mask, out,
    )},
    "order": _of("'C'", "'F'", "'A'", "'K'", "'X'", "None"), "casting": _of("'no'", "'safe'", "'same_kind'", "'unsafe'", "'wild'"),
    "grid": _of("(2, 3)", "[3, 2]", "(4, 1)", "(2, 0)", "(-2, 2)", "np.array([2, 5])"),
    "cells": _of("(1, 0)", "([0, 1], [1, 0])", "(-1, 0)", "(np.array([[1], [3]]), 0)", "(1, 2, 3)"),
    "none": _of("None"), "method": _of("'linear'", "'lower'", "'higher'", "'nearest'", "'midpoint'", "'hazen'", "'odd'"),
    "window": _of("'full'", "'same'", "'valid'", "'other'"), "side": _of("'left'", "'right'", "'middle'"), "indexing": _of("'xy'", "'ij'", "'yx'"),
    "padmode": _of("'constant'", "'edge'", "'wrap'", "'reflect'", "'symmetric'", "'mean'", "'odd'", "'linear_ramp'", "'maximum'", "'minimum'", "'median'"), "takemode": _of("'raise'", "'wrap'", "'clip'", "'odd'"),
    "sortkind": _of("None", "'stable'", "'quicksort'", "'odd'"), **LIBRARY_KINDS, **REST_KINDS,
}  # fmt: skip
"""The kinds of parameters by the names that `calls_table` gives them."""
