"""What docs/kinks.md says of programs is so: these are read and give Python's results, those are refused or raise what the page says."""
from __future__ import annotations

import collections
import copy
import functools
import heapq
import math
import operator
from typing import Any

import numpy as np
import pytest
import scipy.fft
import scipy.linalg
import scipy.ndimage
import scipy.signal

import s2s
from s2s.errors import UnsupportedError

X = np.arange(6.0)
READ = {
    # What shares memory
    "a part's ravel": lambda x: _stored(x, x[1:].ravel()), "the diagonal of einsum": lambda x: _stored(x.reshape(2, 3), np.einsum("ii->i", x.reshape(2, 3)[:, 1:])),
    # Exceptions
    "padded far": lambda x: (np.pad(x[:3], 8, mode="wrap"), np.pad(x[:3], 8, mode="reflect")),
    "a longer kernel": lambda x: (np.convolve(x[:2], x, "same"), np.correlate(x[:2], x, "valid")), "points that fall": lambda x: np.searchsorted(-x, -2.5),
    # Numbers, texts and containers
    "rounded decimally": lambda x: round(x.item(1) * 2.345, 2), "counters added": lambda x: collections.Counter(int(v) for v in x) + collections.Counter([1]),
    "values of several kinds": lambda x: {int(v): 1.0 if v > 2 else "a" for v in x}, "sizes of elements": lambda k: np.zeros(k[:2]).shape,
    "an iterator's rest": lambda x: _rest(iter(x)), "pairs": lambda x: list(zip(*[iter(x)] * 2)), "a truth in containers": lambda x: (x[0] in (x[0], 1.0), [x[1]] == [x[1]]),  # noqa: B905
    # The rest of NumPy and SciPy
    "folds of powers": lambda x: (np.power.accumulate(x[1:4] + 1.5), np.arctan2.accumulate(x)), "unique rows": lambda x: np.unique(x.reshape(3, 2) // 4, axis=0), "bins of its own": lambda x: np.histogram(x, "auto"),
    "inserted at masks": lambda x: np.insert(x, x > 3, 5.0), "lower quantiles": lambda x: np.nanquantile(x, 0.3, method="lower"), "other cosines": lambda x: (scipy.fft.dct(x, type=1), scipy.fft.dct(x, type=4)),
    "no singular matrix": lambda x: scipy.linalg.lu(np.zeros((2, 2)) * x[0]), "stacks": lambda x: scipy.linalg.expm(np.stack([np.eye(2), np.ones((2, 2))]) * x[1]),
    "an image of integers": lambda k: scipy.ndimage.gaussian_filter(k, 1.0), "convolved images": lambda x: scipy.signal.convolve(x.reshape(2, 3), x.reshape(3, 2), method="direct"),
}  # fmt: skip
"""Of floats x, or of integers k."""


def _stored(whole: Any, part: Any) -> Any:
    part[0] = 9.0
    return whole.sum()


def _rest(it: Any) -> Any:
    for v in it:
        if v > 1:
            break
    return next(it)


def read_by_generators(x):
    def walk(n):
        with np.errstate(all="ignore"):
            for i in range(n):
                try:
                    yield x[i]
                except ValueError:
                    yield -1.0

    it = walk(4)
    return next(it) + next(it)


def found_while(x):
    i = 0
    try:
        while x[i] < 10.0:
            i += 1
    except IndexError:
        return -i
    return i


class _Filter:
    def __init__(self, size):
        self.seen = np.array([[None] * size]).T
        self.x = np.zeros((size, 1))

    def checked(self):
        for name in ("seen", "x"):
            if self.__getattribute__(name) is None:
                raise ValueError(name)
        self.__setattr__("x", self.x + 1.0)  # noqa: PLC2801 - as it is written
        return self

    def update(self, v):
        if v is None:
            self.seen = np.array([[None] * len(self.x)]).T
            return
        self.x = 0.5 * self.x + v
        self.seen = np.array([[v]] * len(self.x))


def nothing_seen_yet(x):
    held = _Filter(2).checked()
    shape, first = held.seen.shape, held.seen[0, 0] is None
    for v in x:
        held.update(v)
    return held.x, held.seen, shape, first, _Filter(3).x


def pipelines(x):
    w = [v for v in x if v > 1]
    w = (v * 2 for v in w)
    w = (v + 1 for v in w if v > 5)
    return sum(w for w in w)


def which_text(x):
    try:
        if x[0] < 5.0:
            raise ValueError("small")  # noqa: TRY301 - the program raises where it catches
        return str(x[int(x[0])])
    except (ValueError, IndexError) as error:
        return str(error)


def heaped(x):
    heap: list[Any] = []
    for i, v in enumerate(x):
        if v > 1:
            heapq.heappush(heap, (-v, i))
    return heapq.heappop(heap)


def same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, tuple | list):
        return type(found) is type(wanted) and len(found) == len(wanted) and all(map(same, found, wanted))
    if isinstance(wanted, dict | str):
        return bool(type(found) is type(wanted) and found == wanted)
    return np.asarray(found).dtype == np.asarray(wanted).dtype and bool(np.allclose(found, wanted, rtol=1e-9, atol=1e-12))


def list_in_a_text(x):
    return f"{[int(v) for v in x if v > 1]}"


FUNCTIONS = {**READ, **{each.__name__: each for each in (read_by_generators, found_while, nothing_seen_yet, pipelines, which_text, heaped, list_in_a_text)}}


def test_powers_are_folded_from_the_left() -> None:
    """NumPy itself gives x[0]**x[-1] where it has AVX-512."""
    x = np.array([2.5, 1.5, 1.25, 0.9])
    powers, angles = s2s.jit(lambda x: (np.power.reduce(x), np.arctan2.reduce(x)), target="numpy")(x)
    assert np.isclose(powers, functools.reduce(operator.pow, x), rtol=1e-15) and np.isclose(angles, functools.reduce(np.arctan2, x), rtol=1e-15)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_is_read(name: str) -> None:
    function = FUNCTIONS[name]
    for given in [np.arange(2, 8)] if function.__code__.co_varnames[0] == "k" else [X, X + 3.0]:
        wanted, found = function(given.copy()), s2s.jit(function, target="numpy")(given.copy())
        assert same(found, wanted), (found, wanted)


def store_in_windows(x):
    windows = np.lib.stride_tricks.sliding_window_view(x, 2)
    x[0] = 9.0
    return windows.sum()


def store_in_a_mesh(x):
    mesh, _ = np.meshgrid(x, x, copy=False)
    mesh[0, 0] = 9.0
    return mesh


def class_of_one_path(x):
    s = np.array(0.0)
    for v in x:
        if v > 1:
            s = s + v
    return isinstance(s, np.ndarray)


def part_of_arrays_without_axes(x):
    return [np.array(v) for v in x if v > 0][1:]


def asked_on_one_path(x):
    def counted():
        t = 0.0
        while True:
            yield t
            t += 1.5

    it, s = counted(), 0.0
    for v in x:
        if v > 1:
            s += next(it) * v
    return s


def thrown(x):
    def waits():
        while True:
            try:
                yield 1
            except ValueError:
                yield 2

    it = waits()
    next(it)
    return it.throw(ValueError)


def keys_of_several_types(x):
    return {int(v) if v > 2 else v: 1.0 for v in x}


def order_of_a_set(x):
    return list({float(v) for v in x})


def grown_text(x):
    s = ""
    while len(s) < x[1]:
        s += "a"
    return s


def dict_in_a_text(x):
    return f"{ {int(v): v for v in x if v > 1} }"


def longer_beside_zip(x):
    items = list(x)
    for v, _ in zip(items, x, strict=False):
        if v < 20:
            items.append(v)
    return items


def array_of_none(x):
    return np.array([None, None])


def stored_beside_none(x):
    held = np.array([None, None])
    held[0] = x[0]
    return held[0]


def iterators_in_a_loop(x):
    g = iter(x)
    for _ in range(int(x[2])):
        g = (v * 2 for v in g)
    return sum(g)


REFUSED = [
    array_of_none, stored_beside_none, iterators_in_a_loop,
    store_in_windows, store_in_a_mesh, class_of_one_path, part_of_arrays_without_axes, asked_on_one_path, thrown, keys_of_several_types, order_of_a_set, grown_text, dict_in_a_text,
    longer_beside_zip,
]  # fmt: skip


@pytest.mark.parametrize("function", REFUSED)
def test_is_refused(function: Any) -> None:
    with pytest.raises(UnsupportedError):
        s2s.jit(function, target="numpy")(X.copy())


def changed_in_a_heap(x):
    heap: list[Any] = []
    for v in x:
        if v > 1:
            heapq.heappush(heap, [v, 1])
    heap[0][1] = 7
    return heap


def test_an_item_of_a_heap_that_is_changed() -> None:
    assert s2s.jit(changed_in_a_heap, target="numpy")(X.copy()) == changed_in_a_heap(X.copy())


def rooted(x, n):
    try:
        return math.sqrt(x[n])
    finally:
        x[0] = 7.0


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize(("n", "kind"), [(9, IndexError), (1, ValueError), (2, None)])
def test_finally_is_run_behind_what_nothing_catches(n: int, kind: Any, target: Any) -> None:
    x = np.array([1.0, -1.0, 4.0])
    wanted, found = copy.copy(x), copy.copy(x)
    for run, each in ((rooted, wanted), (s2s.jit(rooted, target=target), found)):
        if kind is None:
            assert run(each, n) == 2.0
        else:
            with pytest.raises(kind):
                run(each, n)
    np.testing.assert_array_equal(found, wanted)
