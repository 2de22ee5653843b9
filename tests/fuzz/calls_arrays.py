"""Arrays of calls, one and several: mostly such as fit the call's first array, now and then others."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .calls_draw import DTYPES, NARROW, Draw, Random, between, choose

Kind = Callable[[Draw], str]

# ---- arrays --------------------------------------------------------------------------------------------------------------

_RANKS = (0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3)
_SCALAR_TYPES = (float, float, float, int, int, bool, complex, np.float64, np.float64, np.int64, np.float32, np.bool_, np.int32, np.complex128)


def _scalar_value(rng: Random, kind: Any, flavour: str) -> Any:
    if kind in (bool, np.bool_):
        return kind(rng.random() < 0.5)
    if kind in (int, np.int64, np.int32):
        return kind(between(rng, -3, 5))
    if issubclass(kind, np.integer):
        return kind(max(between(rng, -3, 5), np.iinfo(kind).min))
    if flavour == "plain":
        number: Any = rng.gauss(0.0, 1.5)
    else:
        number = choose(rng, (0.0, -0.0, 1.0, -1.0, 2.5, -2.5, np.nan, np.inf, -np.inf, 0.5, 7.0))
        number = number if flavour == "special" or np.isfinite(number) else 1.5
    return kind(number + 0.5j) if kind in (complex, np.complex128) else kind(number)


def scalar(draw: Draw) -> str:
    """A number of any type, mostly of run time."""
    kind = draw.pick(_SCALAR_TYPES)
    if kind in (np.int64, np.int32, np.bool_, np.float64):
        kind = np.dtype(draw.narrowed(kind.__name__.rstrip("_"))).type
    literal = draw.chance(0.2)
    value = _scalar_value(draw.fixed if literal else draw.free, kind, "plain" if literal else draw.flavour)
    draw.last = np.asarray(value)
    draw.base = draw.last if draw.base is None else draw.base
    if not literal:
        return draw.argument(value)
    text = repr(value if isinstance(value, int | float | complex) and type(value) in (int, float, complex, bool) else value.item())
    return text if type(value) in (int, float, complex, bool) else f"np.{value.dtype.name if value.dtype != bool else 'bool_'}({text})"


def real(draw: Draw) -> str:
    """A number that is not complex (of NumPy's complex numbers float() takes the real part, with a warning), seldom a Python complex."""
    name = scalar(draw)
    if draw.arguments and draw.last.dtype.kind == "c" and name == f"x{len(draw.arguments) - 1}":
        draw.arguments[-1].value = draw.free.gauss(0.0, 1.5)
    return name if name.startswith("x") or "j" not in name else "0.5"


def _array(draw: Draw, shape: tuple[int, ...], dtype: str | None = None) -> str:
    found = draw.data(shape, dtype or draw.dtype(DTYPES))
    return _noted(draw, found)


def _noted(draw: Draw, found: np.ndarray, layout: str | None = None) -> str:
    name = draw.argument(found, layout)
    draw.last = draw.arguments[-1].value
    draw.base = draw.last if draw.base is None else draw.base
    return name


def array(draw: Draw) -> str:
    """An array, a number, or a list of numbers."""
    style = draw.fixed.random()
    rank = draw.rank(_RANKS)
    if style < 0.84:
        return _array(draw, draw.shape(rank))
    if style < 0.92:
        return scalar(draw)
    return _listed(draw)


def _listed(draw: Draw) -> str:
    """A list of numbers, some of run time, perhaps nested."""
    count = draw.between(1, 3)
    rows = draw.pick((0, 0, 2))
    if draw.chance(0.4):
        shape = (rows, count) if rows else (count,)
        draw.last = draw.data(shape, draw.dtype(("float64", "float64", "int64", "bool")))
        draw.base = draw.last if draw.base is None else draw.base
        return draw.argument(draw.last.tolist())
    items = [draw.number(lambda rng: round(rng.gauss(0, 2), 2) if count < 3 else between(rng, -3, 5), 0.6) for _ in range(count * (rows or 1))]
    draw.last = np.zeros((rows, count) if rows else (count,))
    draw.base = draw.last if draw.base is None else draw.base
    flat = "[" + ", ".join(items[:count]) + "]"
    return f"[{flat}, [{', '.join(items[count:])}]]" if rows else flat


def target(draw: Draw) -> str:
    """An array that is written to."""
    rank = draw.pick((1, 1, 2, 2, 2, 3))
    found = draw.data(draw.shape(rank), draw.dtype(DTYPES))
    return _noted(draw, found, choose(draw.free, ("C", "C", "C", "F", "strided", "reversed", "read-only" if draw.point > 2 else "C")))


def vector(draw: Draw) -> str:
    return _array(draw, (draw.size(),)) if draw.chance(0.85) else array(draw)


def matrix(draw: Draw) -> str:
    return _array(draw, draw.shape(2)) if draw.chance(0.75) else _array(draw, draw.shape(3)) if draw.chance(0.5) else array(draw)


def square(draw: Draw) -> str:
    size = draw.size()
    return _array(draw, (size, size), draw.dtype(("float64", "float64", "int64", "complex128", "float32"))) if draw.chance(0.85) else matrix(draw)


def triple(draw: Draw) -> str:
    """Something whose last axis has three (or two) elements."""
    last = draw.pick((3, 3, 3, 2))
    return _array(draw, (*draw.shape(draw.pick((0, 0, 1, 2))), last))


def thin(draw: Draw) -> str:
    """An array with axes of length 1."""
    ones = [draw.chance(0.5) for _ in range(draw.pick((1, 2, 2, 3)))]
    return _array(draw, tuple(1 if one else draw.size() for one in ones))


def distinct(draw: Draw) -> str:
    """An array whose elements differ: NumPy's argsort is not stable, ours is."""
    shape = draw.shape(draw.pick((1, 1, 2, 2, 3)))
    size = int(np.prod(shape))
    return _noted(draw, (draw.rng.permutation(size).reshape(shape) - size // 2).astype(draw.dtype(("float64", "float64", "int64", "float32", "int32"))))


def special(draw: Draw) -> str:
    """An array, oftener with nan and inf."""
    if draw.point and draw.free.random() < 0.4:
        draw.flavour = "special"
    return array(draw)


def _like(draw: Draw) -> str:
    """A dtype: the base's, or any."""
    own = draw.base.dtype.name if draw.base is not None else ""
    return own if draw.chance(0.5) and own in (*DTYPES, *NARROW) else draw.dtype(DTYPES)


def same(draw: Draw) -> str:
    """An array of the base's shape."""
    if draw.base is None or not draw.chance(0.8):
        return other(draw)
    return _array(draw, draw.base.shape, _like(draw))


def other(draw: Draw) -> str:
    """What broadcasts against the base, mostly."""
    style = draw.fixed.random()
    shape = draw.base.shape if draw.base is not None else (3,)
    ones = [draw.chance(0.3) for _ in shape]
    less = draw.pick((0, 0, 1))
    if style < 0.4:
        return _array(draw, shape, _like(draw))
    if style < 0.7:
        return _array(draw, tuple(1 if one else size for one, size in zip(ones, shape, strict=True))[min(less, len(shape)) :], _like(draw))
    if style < 0.88:
        return scalar(draw)
    if style < 0.93:
        return _array(draw, (draw.size(), *shape)[-3:], _like(draw))
    return array(draw)


def factor(draw: Draw) -> str:
    """What the base can be multiplied with, as matrices are."""
    shape = draw.base.shape
    inner = shape[-1] if shape else 1
    style = draw.fixed.random()
    columns = draw.size()
    if style < 0.3:
        return _array(draw, (inner,), _like(draw))
    if style < 0.8:
        return _array(draw, (inner, columns), _like(draw))
    if style < 0.9 and len(shape) > 2:
        return _array(draw, (*shape[:-2], inner, columns), _like(draw))
    return other(draw)


def near(draw: Draw) -> str:
    """What equals the base, or nearly."""
    if not draw.chance(0.6):
        return other(draw)
    moved = np.array(draw.base)
    if moved.dtype.kind in "fc":
        moved = moved + choose(draw.free, (0.0, 0.0, 1e-9, 1e-3)) * np.ones_like(moved)
    return _noted(draw, moved)


def sorted_(draw: Draw) -> str:
    """A vector: rising mostly, else with repeated, falling or unsorted elements."""
    if not draw.chance(0.95):
        return array(draw)
    found = draw.data((draw.size(),), draw.dtype(("float64", "float64", "float64", "int64", "float32", "int32", "bool")))
    order = choose(draw.free, ("up", "up", "up", "up", "any", "down"))
    found = np.sort(found)[::-1] if order == "down" else np.sort(found) if order == "up" else found
    return _noted(draw, np.array(found))


def bins(draw: Draw) -> str:
    """Edges: rising or falling."""
    if draw.chance(0.15):
        return draw.pick(("[0.0, 1.0, 2.0]", "[2.0, 1.0, -1.0]", "[1.0, 0.0, 2.0]", "[1.0, 1.0]", "[0]", "[]"))
    return sorted_(draw)


def wanted(draw: Draw) -> str:
    """What is looked for."""
    if draw.chance(0.2):
        return scalar(draw)
    found = draw.data(draw.shape(draw.pick((0, 1, 1, 2))), draw.dtype(("float64", "float64", "int64", "float32")))
    if found.size and found.dtype.kind == "f" and draw.last is not None and draw.last.size and draw.last.dtype.kind in "fi":
        found.flat[0] = draw.last.flat[0]  # one that is there
    return _noted(draw, found)


def sorter(draw: Draw) -> str:
    return draw.argument(np.argsort(draw.base, axis=-1) if draw.base is not None and draw.base.ndim else np.zeros(1, np.int64))


def aslong(draw: Draw) -> str:
    """A vector as long as the last array, mostly."""
    size = draw.last.shape[0] if draw.last is not None and draw.last.ndim else 2
    longer = choose(draw.free, (0,) * 8 + (1,))
    return _array(draw, (size + longer,), draw.pick(("float64",) * 5 + ("int64", "float32", "complex128")))


def weights(draw: Draw) -> str:
    style = draw.fixed.random()
    shape = draw.base.shape
    axis = draw.pick((0, -1))
    if style < 0.5:
        found = np.abs(draw.data(shape, draw.dtype(("float64", "float64", "int64", "float32"))))
    elif style < 0.9:
        found = np.abs(draw.data((shape[axis],) if shape else (), draw.dtype(("float64", "float64", "int64"))))
    else:
        return array(draw)
    return draw.argument(found)


def counts(draw: Draw) -> str:
    """Small integers that are not negative, mostly."""
    low = -1 if draw.free.random() < 0.1 else 0
    kind = draw.dtype(("int64", "int64", "int64", "int32", "bool", "float64"))
    found = draw.rng.integers(low, 5, (draw.size(),)).astype(kind)
    return _noted(draw, found) if draw.chance(0.9) else array(draw)


def maskarray(draw: Draw) -> str:
    return _array(draw, draw.shape(draw.pick((0, 1, 1, 2, 2, 3))), draw.pick(("bool", "bool", "float64", "int64"))) if draw.chance(0.85) else array(draw)


def samemask(draw: Draw) -> str:
    shape = draw.base.shape if draw.base is not None else (3,)
    fewer = draw.pick((0, 0, 1))
    return draw.argument(draw.rng.random(shape[: max(len(shape) - fewer, 0)]) < 0.5)


# ---- several arrays --------------------------------------------------------------------------------------------------------


def _several(draw: Draw, kind: Kind, low: int = 1, high: int = 3) -> list[str]:
    count = draw.between(low, high)
    return [kind(draw) for _ in range(count)]


def arrays(draw: Draw) -> str:
    return ", ".join([array(draw), *_several(draw, other, 0, 2)])


def vectors(draw: Draw) -> str:
    return ", ".join(_several(draw, vector))


def grids(draw: Draw) -> str:
    return ", ".join(_several(draw, lambda each: _array(each, (each.size(),), each.pick(("int64", "int64", "bool", "float64")))))


def numbers(draw: Draw) -> str:
    """A few numbers, or one array."""
    return ", ".join(_several(draw, real, 1, 3)) if draw.chance(0.85) else array(draw)


def items(draw: Draw) -> str:
    return vector(draw) if draw.chance(0.5) else "[" + ", ".join(_several(draw, scalar, 0, 3)) + "]"


def _bracketed(draw: Draw, texts: list[str]) -> str:
    return f"[{', '.join(texts)}]" if draw.chance(0.6) else f"({', '.join(texts)},)"


def alike(draw: Draw) -> str:
    return _bracketed(draw, [array(draw), *_several(draw, same, 0, 2)]) if draw.chance(0.92) else matrix(draw)


def parts(draw: Draw) -> str:
    """Arrays that differ along one axis."""
    if draw.chance(0.3):
        return alike(draw)
    shape = draw.shape(draw.pick((1, 1, 2, 2, 3)))
    place = draw.between(0, len(shape) - 1)

    def part(each: Draw) -> str:
        return _array(each, (*shape[:place], each.size(), *shape[place + 1 :]))

    return _bracketed(draw, _several(draw, part))


def blocks(draw: Draw) -> str:
    rows, columns = draw.size(), draw.size()
    depth = draw.between(0, 2)
    if depth == 0:
        return array(draw)
    each = [[_array(draw, (rows, columns), "float64") for _ in range(draw.between(1, 2))]]
    if depth == 1:
        return f"[{', '.join(each[0])}]"
    each.append([_array(draw, (draw.size(), columns), "float64") for _ in each[0]])
    if draw.chance(0.2):
        return f"[{', '.join('[[' + ', '.join(each[0]) + ']]' for _ in range(2))}]"
    return "[" + ", ".join(f"[{', '.join(row)}]" for row in each) + "]"


def chain(draw: Draw) -> str:
    dims = [draw.size() for _ in range(4)]
    count = draw.between(2, 3)
    ends = (draw.chance(0.2), draw.chance(0.2))
    shapes = [(dims[k], dims[k + 1]) for k in range(count)]
    shapes[0] = shapes[0][1:] if ends[0] else shapes[0]
    shapes[-1] = shapes[-1][:1] if ends[1] else shapes[-1]
    return "[" + ", ".join(_array(draw, shape, "float64") for shape in shapes) + "]"


def keys(draw: Draw) -> str:
    """Vectors of one length with repeated elements."""
    shape = (draw.size(),)
    draw.flavour = "whole" if draw.flavour == "plain" else draw.flavour
    return _bracketed(draw, _several(draw, lambda each: _array(each, shape, each.pick(("float64", "int64", "bool")))))


def masks(draw: Draw) -> str:
    shape = draw.shape(draw.pick((0, 1, 1, 2)))
    texts = _several(draw, lambda each: _array(each, shape, "bool"), 1, 3)
    draw.choices = len(texts)  # type: ignore[attr-defined]
    return f"[{', '.join(texts)}]"


def choices(draw: Draw) -> str:
    count = getattr(draw, "choices", 1) + (draw.chance(0.05))
    return f"[{', '.join(other(draw) for _ in range(count))}]"


_SUBSCRIPTS = (("ij,jk->ik", 2, 2), ("ij,j", 2, 1), ("i,i", 1, 1), ("i,j->ij", 1, 1), ("ij->ji", 2), ("ii", 2), ("ii->i", 2), ("ij->", 2),
               ("ij->j", 2), ("ijk,k->ij", 3, 1), ("...j,j", 2, 1), ("...,...", 2, 2), ("ij,ij->i", 2, 2), ("ba", 2), ("i", 1), ("ij,kj,k", 2, 2, 1))  # fmt: skip


def einsum(draw: Draw) -> str:
    """Subscripts and operands whose letters agree in length, mostly."""
    subscripts, *ranks = draw.pick(_SUBSCRIPTS)
    lengths: dict[str, int] = {}
    texts = []
    for letters, rank in zip(subscripts.partition("->")[0].split(","), ranks, strict=True):
        names = letters.replace("...", "?" * (rank - len(letters.replace("...", ""))))
        texts.append(_array(draw, tuple(lengths.setdefault(letter, draw.size()) for letter in names)))
    return ", ".join([repr(subscripts), *texts])
