"""Axes, shapes and counts in every form that NumPy takes, indexed objects, iterators: right as in Python, or refused in the user's words."""
from __future__ import annotations

import copy
import functools
import itertools
import linecache
import math
import operator
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2s
from s2s.errors import UnsupportedError

pytestmark = pytest.mark.filterwarnings("ignore")

_ARGUMENTS = {
    "x": np.arange(6.0).reshape(2, 3) + 0.5, "t": np.random.default_rng(0).normal(size=(2, 3, 4)), "v": np.array([1.0, 2.0, 3.0, 4.0]),
    "i": np.array([2, 0, 1]), "n": 3, "m": 2, "s": 1.5, "k": 1,
}  # fmt: skip
_INTERNAL = re.compile(r"\b(Var|View|ListRef|DictRef|ObjectRef|Cell|Value|Closure|RunRange|Iteration|Endless|Literal)\b")
_numbers = itertools.count()


def function_of(text: str) -> tuple[Callable[..., Any], list[Any]]:
    """The function that gives an expression, and the arguments that the expression names."""
    names = [name for name in _ARGUMENTS if re.search(rf"(?<![\w.']){name}(?![\w'])", text)] or ["s"]
    source = f"def f({', '.join(names)}):\n    return {text}\n"
    file = f"<arguments {next(_numbers)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    scope = {"np": np, "math": math, "itertools": itertools, "functools": functools, "operator": operator}
    exec(compile(source, file, "exec"), scope)  # noqa: S102 - the source is made above
    return scope["f"], [copy.deepcopy(_ARGUMENTS[name]) for name in names]


def assert_same(found: Any, wanted: Any, text: str) -> None:
    """Equal in structure, dtype, shape and value; arrays of no axes are NumPy's scalars here."""
    if isinstance(wanted, list | tuple):
        assert type(found) is type(wanted) and len(found) == len(wanted), (text, found, wanted)
        for one, other in zip(found, wanted, strict=True):
            assert_same(one, other, text)
        return
    if isinstance(wanted, np.ndarray | np.generic):
        assert isinstance(found, np.ndarray | np.generic), (text, found, wanted)
        assert found.dtype == wanted.dtype and found.shape == wanted.shape, (text, found, wanted)
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12, err_msg=text)
        return
    assert type(found) is type(wanted), (text, found, wanted)
    assert found == wanted or math.isclose(found, wanted, rel_tol=1e-12), (text, found, wanted)


def check(text: str, *, may_refuse: bool = False) -> bool:
    """Right, an exception of the class that Python raises, or (where it may) refused in the user's words; whether it was refused."""
    function, arguments = function_of(text)
    try:
        wanted, error = function(*copy.deepcopy(arguments)), None
    except Exception as raised:  # noqa: BLE001 - whatever Python raises is what is wanted
        wanted, error = None, raised
    try:
        found = s2s.jit(function, target="numpy")(*arguments)
    except UnsupportedError as refusal:
        assert may_refuse, (text, str(refusal))
        assert not _INTERNAL.search(str(refusal)), str(refusal)
        return True
    except Exception as raised:
        if error is None or not isinstance(raised, type(error)):
            raise AssertionError(f"{text}: {raised!r}, in Python {error or wanted!r}") from raised
        assert not _INTERNAL.search(str(raised)), str(raised)
        return False
    assert error is None, (text, found, error)
    assert_same(found, wanted, text)
    return False


# ---- axes, shapes, counts --------------------------------------------------------------------------------------------------


def forms(numbers: tuple[int, ...], rng: np.random.Generator) -> str:
    """A tuple of integers as some text that NumPy may take for it."""
    items = [f"np.int64({number})" if rng.random() < 0.2 else str(number) for number in numbers]
    inside = ", ".join(items)
    match rng.integers(5):
        case 0:
            return f"({inside},)"
        case 1:
            return f"[{inside}]"
        case 2:
            return f"np.array([{inside}])"
        case 3:
            return f"tuple([{inside}])"
        case _:
            return items[0] if len(items) == 1 else f"({inside})"


_OF_AXES = (
    "np.transpose(t, {abc})", "np.transpose(t, axes={abc})", "t.transpose({abc})", "np.moveaxis(t, {ab}, {cd})", "np.moveaxis(t, source={a}, destination={c})",
    "np.sum(t, axis={ab})", "np.mean(t, {ab}, keepdims=True)", "np.max(t, axis={a})", "t.min(axis={ab})", "np.prod(t, axis={abc})", "np.std(t, axis={ab}, ddof=1)",
    "np.any(t > 0, {ab})", "np.argmax(t, axis={a})", "np.cumsum(t, {a})", "np.median(t, axis={ab})", "np.quantile(t, [0.2, 0.7], axis={ab})",
    "np.percentile(t, 30, axis={ab}, keepdims=True)", "np.average(t, axis={ab})", "np.flip(t, {ab})", "np.expand_dims(x, {ab})", "np.roll(t, {ab}, axis={cd})",
    "np.rot90(t, 1, {ab})", "np.swapaxes(t, {a}, {b})", "np.rollaxis(t, {a}, {b})", "np.take(t, [1, 0], axis={a})", "np.sort(t, axis={a})", "np.diff(t, axis={a})",
    "np.gradient(x, axis={a})", "np.concatenate([t, t], axis={a})", "np.stack([x, x], axis={a})", "np.linalg.norm(t, axis={ab})", "np.trapezoid(t, axis={a})",
    "np.count_nonzero(t > 0, axis={ab})", "np.size(t, {ab})", "np.squeeze(t[:1, :, :1], axis={ab})", "np.diagonal(t, 0, {a}, {b})", "np.ptp(t, {a})",
    "np.nansum(t, axis={ab})", "np.nanmax(t, axis={a})", "np.add.reduce(t, axis={ab})", "np.tensordot(t, t, axes=({ab}, {ab}))", "np.tensordot(x, t, axes=[{a}, {b}])",
)  # fmt: skip


@pytest.mark.parametrize("template", _OF_AXES)
def test_axes_in_every_form(template: str) -> None:
    rng = np.random.default_rng(len(template))
    for _ in range(12):
        a, b, c, d, e = (int(axis) for axis in rng.integers(-3, 3, size=5))
        if rng.random() < 0.7:
            a, b, e = (int(axis) for axis in rng.permutation(3))
        drawn = {"a": (a,), "b": (b,), "c": (c,), "ab": (a, b), "cd": (c, d), "abc": (a, b, e)}
        text = template.format(**{name: forms(numbers, rng) for name, numbers in drawn.items()})
        if "expand_dims" in text and "np.array(" in text:  # NumPy takes an array of axes here and not there
            continue
        check(text)


_OF_SHAPES = (
    "np.zeros({nm})", "np.full({nm}, s)", "np.ones(shape={nm}, dtype=int)", "np.reshape(x, {mn})", "x.reshape({mn})", "np.zeros_like(x, shape={nm})",
    "np.broadcast_to(s, {nm})", "np.tile(x, {nm})", "np.tile(v, {k})", "np.repeat(v, {k})", "np.pad(x, {nm})", "np.pad(x, [({k0}), (0, 1)])", "np.eye({k0})",
    "np.eye({k0}, k={k0})", "np.indices({nm})", "np.roll(v, {k})", "np.array_split(v, [1, {k0}])", "np.split(v, {places})", "np.tri({k0}, k={k0})",
    "np.empty({nm}).shape", "np.ndarray({nm}).shape", "np.linspace(0, s, {k0})", "np.broadcast_shapes({nm}, (1,))", "np.unravel_index(k, {nm})",
    "np.ravel_multi_index((1, k), {nm})", "[p for p in np.ndindex({known})]", "np.vander([1, s], {k0})", "np.identity({k0})",
)  # fmt: skip
_SIZES = {
    "nm": ("(n, m)", "[n, m]", "(3, 2)", "np.array([3, 2])", "np.array((n, m))", "x.T.shape", "list(x.T.shape)", "np.array(x.T.shape)", "(np.int64(3), m)", "tuple([n, 2])"),
    "mn": ("(n, m)", "[n, -1]", "(np.int64(3), -1)", "x.T.shape", "np.array([3, 2])", "-1", "(4, 2)", "[m, n]", "np.array(x.T.shape)"),
    "k": ("2", "np.int64(2)", "m", "(2,)", "[2]", "0"), "k0": ("2", "np.int64(1)", "m", "k", "3"),
    "places": ("[1, 3]", "(1, 3)", "np.array([1, 3])", "2", "np.int64(2)", "[k, n]", "[]", "3"), "known": ("2, 3", "(2, 3)", "[2, 3]", "2", "()"),
}  # fmt: skip


@pytest.mark.parametrize("template", _OF_SHAPES)
def test_shapes_and_counts_in_every_form(template: str) -> None:
    rng = np.random.default_rng(len(template))
    for _ in range(8):
        text = re.sub(r"\{(\w+)\}", lambda found: str(rng.choice(_SIZES[found.group(1)])), template)
        check(text, may_refuse="split" in text or "tri(" in text or "vander" in text)


def test_what_is_known_only_at_run_time_is_refused_in_the_users_words() -> None:
    """Whole numbers of the call, and of its small arrays, are known where they must be; what floats decide is not."""
    for text in (
        "np.transpose(t, (k, 0, 2))", "np.sum(t, axis=k)", "np.moveaxis(t, k, 0)", "np.rot90(x, k)", "np.diff(v, n=k)", "np.expand_dims(x, k)", "np.swapaxes(t, k, 0)",
        "list(itertools.islice([v, s], k))",
    ):  # fmt: skip
        assert not check(text), text
        assert check(re.sub(r"\bk\b", "int(abs(s))", text), may_refuse=True), text
    for text in ("np.zeros(i)", "np.reshape(x, i[:2])", "np.roll(x, i, axis=0)", "np.transpose(t, i)"):
        assert not check(text), text
    for text in ("np.array(map(float, [s]))", "np.sum(zip([s], [n]))"):
        assert check(text, may_refuse=True), text
    function, arguments = function_of("[q for q in itertools.count(n)]")
    with pytest.raises(UnsupportedError, match="no end"):
        s2s.jit(function, target="numpy")(*arguments)


def test_arguments_that_numpy_does_not_take_raise_its_type_error() -> None:
    for text in ("np.sum(x, foo=1)", "np.mean(x, 1, None, None, True, 3, 4)", "np.sum(t, axis=1.0)", "np.zeros((2.0, 3))", "np.zeros(s)", "np.linspace(0, 1, 3.0)"):
        function, arguments = function_of(text)
        with pytest.raises(TypeError):
            s2s.jit(function, target="numpy")(*arguments)


# ---- objects that are indexed, positions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [
    "np.r_[1, 2, s]", "np.r_[v, 0, v]", "np.r_[0:n]", "np.r_[0:1:5j, s]", "np.r_[-1:1:0.5]", "np.r_['0,2', v, v]", "np.r_['1', x, x]", "np.r_[[1, 2], (3, s)]",
    "np.r_['0,2,0', v, v]", "np.r_[n:0:-1, v]", "np.r_[np.float32(1), 2.5]", "np.c_[v, v]", "np.c_[1, 2, s]", "np.c_[x, x]", "np.c_[[1, 2], [3, s]]", "np.c_[0:n, i]",
    "np.mgrid[0:n]", "np.mgrid[0:n, 0:m]", "np.mgrid[0:1:3j, 0:s:4j]", "np.mgrid[0:s:0.5, 0:2]", "np.mgrid[n:0:-1, 1:8:3]", "np.mgrid[0:1:1j, 0:2]",
    "np.ogrid[0:n, 0:m]", "np.ogrid[0:1:3j]", "x[np.s_[k:, 0]]", "x[np.s_[0:1, ::2]]", "x[np.index_exp[..., k]]", "x[np.ix_([k, 0], i)]",
    "np.unravel_index(np.argmax(x), x.shape)", "np.unravel_index(i, x.shape)", "np.unravel_index(n, shape=(n, m))", "np.unravel_index(n, (1, 2))",
    "np.unravel_index(-k, (3, 2))", "np.ravel_multi_index((k, 2), x.shape)", "np.ravel_multi_index(([0, 1], [2, 0]), (m, 3))", "np.ravel_multi_index((k, 5), x.shape, mode='clip')",
    "np.ravel_multi_index((k, -1), x.shape, mode='wrap')", "np.ravel_multi_index((n, 2), x.shape)", "sum(x[p] for p in np.ndindex(x.shape))",
    "sum(p * q for p, q in np.ndindex(n, m))", "sum(q * p[0] for p, q in np.ndenumerate(x))", "np.fromfunction(lambda a, b: a + b * s, (n, m))",
    "np.fromfunction(lambda a: a * s, (3,), dtype=int)", "np.fromiter((k * q for q in range(3)), float)", "np.fromiter((q * s for q in v), dtype=float)",
    "np.fromiter([s, n], int)", "np.fromiter(range(n), int)", "np.array(range(n))", "np.sum(range(n))", "np.prod(x.shape)", "np.array(x.shape) * 2", "np.max([s, n, 2])",
    "np.array([range(3), [n, n, n]])", "np.mean([s, n, v[0]])", "x.item(4)", "x.item(1, 2)", "x.item((0, k))", "np.compress([1, 0, 1, 1], v)",
])  # fmt: skip
def test_indexed_objects_and_positions(text: str) -> None:
    check(text)


# ---- iterators -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [
    "list(itertools.starmap(lambda a, b: a * b, [(1, s), (2, n)]))", "list(itertools.starmap(pow, [(s, 2), (n, 1)]))", "sum([q for q in itertools.starmap(lambda a, b: a * b, zip(v, v))])",
    "list(itertools.product([1, s], repeat=2))", "sum(a * b for a, b in itertools.product(range(n), range(m)))", "sum(a * b for a, b in itertools.product(v, range(1, n)))",
    "list(itertools.chain.from_iterable([[1, s], (2, n)]))", "list(itertools.islice(itertools.count(1, 2), 3))", "list(itertools.islice(itertools.count(s), 3))",
    "list(itertools.islice(itertools.cycle([s, 2]), 5))", "list(itertools.islice([1, 2, s, n], 1, None, 2))", "sum([q for q in itertools.islice(v, 1, 3)])", "list(itertools.repeat(s, 3))",
    "sum([q for q in itertools.repeat(s, n)])", "list(itertools.takewhile(lambda q: q < 3, itertools.count()))", "list(itertools.dropwhile(lambda q: q < 3, [1, 2, 3, 1]))",
    "list(itertools.filterfalse(lambda q: q % 2, [1, 2, 3]))", "list(itertools.compress([s, n, 1], [True, False, True]))", "list(itertools.accumulate([1, s, n]))",
    "list(itertools.accumulate([1, s, n], operator.mul, initial=10))", "[(a, list(b)) for a, b in itertools.groupby([1, 1, 2])]", "[list(q) for q in itertools.tee([1, s])]",
    "list(zip(itertools.count(), [s, n]))", "sum(a * b for a, b in zip(itertools.count(n), v))", "list(map(lambda a, b: a + b, itertools.count(), [s, n]))",
    "list(itertools.zip_longest([1, s], [n], fillvalue=0))", "list(itertools.permutations([1, s]))", "list(itertools.combinations([1, s, n], 2))", "math.prod(x.shape)",
    "math.prod([s, n], start=2)", "math.prod(v)", "math.prod([])", "math.dist([s, 1.0], [0.0, 0.0])", "list(itertools.islice([1, s], -1))", "np.array(list(map(float, [s, n])))",
])  # fmt: skip
def test_iterators(text: str) -> None:
    check(text)


# ---- quantiles and averages ------------------------------------------------------------------------------------------------

_METHODS = (
    "linear", "lower", "higher", "nearest", "midpoint", "hazen", "weibull", "median_unbiased", "normal_unbiased", "inverted_cdf", "averaged_inverted_cdf",
    "closest_observation", "interpolated_inverted_cdf",
)  # fmt: skip
_LEVELS = ("0", "1", "0.5", "0.3", "[0.1, 0.9]", "(0.25, 0.5)", "np.array([[0.1, 0.2], [1.0, 0.0]])", "np.float32(0.3)", "s / 2", "[s / 2, 0.1]", "[0, 1]", "s", "-0.1")


@pytest.mark.parametrize("method", _METHODS)
def test_quantiles(method: str) -> None:
    rng = np.random.default_rng(len(method))
    for _ in range(6):
        array, level = rng.choice(["x", "v", "i", "t", "np.float32(v)", "x * np.nan"]), rng.choice(_LEVELS)
        check(f"np.quantile({array}, {level}, axis={rng.choice(['None', '0', '-1', '[0]'])}, method={method!r}, keepdims={bool(rng.integers(2))})")


@pytest.mark.parametrize("text", [
    "np.percentile(x, [25, 75])", "np.percentile(t, [10, 20, 30], axis=(0, 1))", "np.percentile(x, 101)", "np.quantile(v, 0.3, method='foo')", "np.quantile(x > 1, 0.5)",
    "np.average(x, weights=[[1., 2., 3.], [4., 5., 6.]], returned=True)", "np.average(x, axis=1, returned=True)", "np.average(t, axis=(2, 1), weights=np.ones((4, 3)))",
    "np.average(t, axis=1, weights=[1., 2., s], returned=True)", "np.average(x, axis=0, weights=[0., 0.])", "np.average(x, weights=v)", "np.average(x, axis=1, weights=v)",
    "np.average(i, weights=[1, 2, s])", "np.isclose([s, np.nan], [s, np.nan], equal_nan=True)", "np.allclose(x, x)", "np.array_equal([1, 2], [1, n])", "all([s, n])",
    "np.add(s > 1, s > 1)", "np.negative(s > 1)", "np.count_nonzero(x)", "np.rollaxis(t, 2, 1)", "np.matrix_transpose(t)",
])  # fmt: skip
def test_statistics_and_types(text: str) -> None:
    check(text)


@pytest.mark.parametrize("text", [
    "np.add(x, 1, dtype=np.float32)", "np.add(x, 1, dtype=int)", "np.sqrt(i, dtype=np.float32)", "np.less(x, 1, dtype=bool)", "np.less(x, 1, dtype=float)",
    "np.add(x, 1, order='C', subok=False)", "np.add(x, 1, order='X')", "np.add(i, 1.5, casting='equiv')", "np.divmod(i, 2, dtype=float)", "np.add(x)",
    "np.maximum.reduce(x, dtype=np.int64)", "np.maximum.outer(np.float32(v), 1.5)", "np.add.reduce(s)", "np.min(s, axis=0)", "np.min(s, axis=1)", "np.mean(s, axis=0)",
    "np.mean(x, dtype=int)", "np.max(i, initial=2)", "np.std([s], ddof=k)", "np.var(x, ddof=1, correction=1)", "np.where(x > 1, 2)",
])  # fmt: skip
def test_options_of_ufuncs_and_reductions(text: str) -> None:
    check(text)


def test_options_known_only_at_run_time_and_casts_of_initial_values_are_refused() -> None:
    for text in ("np.sum(x, keepdims=s > 1)", "np.sum(i, initial=1.5)", "np.sum(x, where=None)", "np.add(x, 1, where=x > 1)"):
        assert check(text, may_refuse=True), text


def test_the_deviation_of_single_numbers_has_a_derivative() -> None:
    with s2s.disable_jit():
        assert s2s.grad(deviation_of_a_number)(1.5) == 0.0
        np.testing.assert_array_equal(s2s.grad(deviation_of_rows)(np.ones((3, 1))), np.zeros((3, 1)))


def deviation_of_a_number(x: float) -> Any:
    return np.std(x) * 2.0


def deviation_of_rows(x: Any) -> Any:
    return np.sum(np.std(x, axis=1))


def test_bools_are_numbers_for_take_and_scalars_get_an_axis():
    x, mask = np.array([5.0, 6.0]), np.array([True, False, True])
    cases = [
        (lambda x, m: x.take(m), (x, mask)), (lambda x, m: np.take(x, [True, False], axis=0), (x, mask)),
        (lambda x, m: np.ascontiguousarray(x[0]), (x, mask)), (lambda x, m: np.ascontiguousarray(x), (np.array(2.0), mask)),
        (lambda x, m: np.ascontiguousarray(x), (2.0, mask)), (lambda x, m: np.ascontiguousarray(x), (x, mask)),
    ]
    for function, arguments in cases:
        want, got = function(*arguments), s2s.jit(function, target="numpy")(*arguments)
        assert type(got) is type(want) and got.dtype == want.dtype
        np.testing.assert_array_equal(got, want, strict=True)


def stored_behind_a_copy(x):
    y = np.reshape(x, (-1,), copy=True)
    y[...] = 7.0
    return y, x


FOUND_BY_DRAWN_CALLS = {
    "nanstd of complex numbers": (np.nanstd, [np.array([[1 + 2j, np.nan, 3 - 1j]])]),
    "nanmean of complex numbers": (np.nanmean, [np.array([[1 + 2j, np.nan, 3 - 1j]])]),
    "nanvar along an axis": (lambda x: np.nanvar(x, axis=1), [np.array([[1 + 2j, np.nan, 3 - 1j]])]),
    "nanstd of one number": (np.nanstd, [np.array([1.5])]),
    "reshape with copy=True": (stored_behind_a_copy, [np.arange(3.0)]),
    "vecdot of bools": (np.vecdot, [np.ones((2, 3), bool), np.zeros((2, 3), bool)]),
    "vecdot of int32": (np.linalg.vecdot, [np.ones((2, 3), np.int32), np.arange(6, dtype=np.int32).reshape(2, 3)]),
    "compress with out": (lambda x, m, out: x.compress(m, out=out), [np.array([2, -4, 0], np.int32), np.array([False, True, True]), np.zeros(2, np.int32)]),
}


@pytest.mark.parametrize("case", FOUND_BY_DRAWN_CALLS)
def test_found_by_drawn_calls(case):
    function, arguments = FOUND_BY_DRAWN_CALLS[case]
    want, got = (run(*copy.deepcopy(arguments)) for run in (function, s2s.jit(function, target="numpy")))
    for one, other in zip(got if isinstance(got, tuple) else (got,), want if isinstance(want, tuple) else (want,), strict=True):
        assert type(one) is type(other) and one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-14, strict=True)


def test_the_deviation_of_one_number_has_a_derivative():
    np.testing.assert_array_equal(s2s.grad(lambda x: np.nanstd(x))(np.array([1.5])), [0.0])


@pytest.mark.parametrize("axis", [0, 1])
def test_axes_that_a_branch_decides_are_squeezed(axis: int) -> None:
    def products(x: Any, axis: int) -> Any:
        columns = x[:, None] if axis == 0 else x[None]
        return np.squeeze(columns.T @ columns)

    x = np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(s2s.jit(products, target="numpy")(x, axis), products(x, axis))


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_arrangements_of_as_many_as_the_call_says(count: int) -> None:
    def arranged(n: int) -> Any:
        ways = itertools.combinations_with_replacement, itertools.combinations, itertools.permutations
        return [[list(each) for each in way(range(3), n)] for way in ways], [list(each) for each in itertools.combinations(range(3), r=n)], sum(sum(each) for each in itertools.product((1, 2), repeat=n))

    assert s2s.jit(arranged, target="numpy")(count) == arranged(count)


def test_weights_are_real_and_flags_have_both_names() -> None:
    with pytest.raises(TypeError, match="Cannot cast array data from dtype"):
        s2s.jit(lambda w: np.bincount(np.array([0, 1]), weights=w), target="numpy")(np.array([1j, 2.0]))
    for x in (np.ones((2, 3)), np.ones(3), np.ones((1, 3))):
        assert s2s.jit(lambda x: (x.flags.fortran, x.T.flags.fortran), target="numpy")(x) == (x.flags.fortran, x.T.flags.fortran)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_ranges_are_indices(target: str) -> None:
    def picked(x: Any, n: int) -> Any:
        chosen, labels = range(n), np.array([0, 2])
        x[range(n), range(n)] += 2.0
        x[:, range(n - 1, -1, -1)] *= 3.0
        return x[chosen], x[chosen, 0], x[chosen, labels], x[range(x.shape[0])], x[range(0)], x[np.ix_(chosen, chosen)]

    x = np.random.default_rng(8).normal(size=(3, 4))
    ours, theirs = x.copy(), x.copy()
    assert_same(s2s.jit(picked, target=target)(ours, 2), picked(theirs, 2), "picked")
    np.testing.assert_array_equal(ours, theirs)


def test_what_may_be_an_index_is_not_taken_for_none_inside_of_a_try() -> None:
    def has_zeros(x: Any) -> bool:
        try:
            if not (x[range(x.shape[0]), range(x.shape[0])] == 0).all():
                raise ValueError("not zero")  # noqa: TRY301 - it is what is tested
        except Exception:  # noqa: BLE001
            return False
        return True

    try:
        found = s2s.jit(has_zeros, target="numpy")(np.zeros((3, 3)))
    except UnsupportedError:
        return
    assert found


@pytest.mark.parametrize("rank", [0, 1, 3])
def test_positions_of_as_many_axes_as_the_call_says(rank: int) -> None:
    assert_same(s2s.jit(lambda n: np.indices([2] * n), target="numpy")(rank), np.indices([2] * rank), "indices")


@pytest.mark.parametrize("widths", [[1, 2], [[1, 0], [0, 2]], [1], [[2], [1]]])
def test_widths_in_an_array_of_the_call(widths: Any) -> None:
    def padded(x: Any, widths: Any) -> Any:
        return np.pad(x, widths), np.pad(x, widths + 1, mode="edge")

    x = np.arange(4.0).reshape(2, 2)
    assert_same(s2s.jit(padded, target="numpy")(x, np.array(widths)), padded(x, np.array(widths)), "padded")
