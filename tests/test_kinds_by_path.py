"""Values of which only the run knows the kind: None or a number, arrays of another rank or dtype, tuples, lists and texts; used and returned."""
from __future__ import annotations

import bisect
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from reading import check
from scipy import optimize

import s2s


@dataclass
class Pair:
    first: Any
    second: Any


class Layer:
    def __init__(self, weight, bias):
        self.weight, self.bias = weight, bias

    def __call__(self, x):
        y = self.weight * x
        return y if self.bias is None else y + self.bias


# ---- returned ------------------------------------------------------------------------------------------------------------


def number_or_nothing(x, z):  # noqa: RET503 - what is returned where no return is met
    if z > 0:
        return x[0] * 2


def nothing_or_argument(x, z):
    return None if z > 0 else x


def number_or_array(x, z):
    return x[0] if z > 0 else x * 2


def either_rank(x, z):
    return x if z > 0 else x[None, :] * 2


def text_or_array(x, z):
    return "bad" if z > 0 else x + 1


def tuples_of_other_lengths(x, z):
    return (x * 2, x[0]) if z > 0 else (x[1],)


def list_or_nothing(x, z):
    return [x * 2, x[0], 3] if z > 0 else None


def dict_or_nothing(x, z):
    return {"a": x * 2, "b": x[0]} if z > 0 else None


def object_or_nothing(x, z):
    return Pair(x[0] * 2, None) if z > 0 else None


def inside_of_containers(x, z):
    return x[0], (None if z > 0 else x[1]), {"k": "t" if z > 0 else x[2]}


def one_of_three(x, z):
    if z > 0:
        return x[0]
    if z > -2:
        return "middle"
    return None


def found_in_a_loop(x, z):  # noqa: RET503
    for i in range(len(x)):
        if x[i] > z:
            return i, x[i]


def stored_before(x, z):
    if z > 0:
        x[0] = 5.0
        return x
    return None


def two_ranks_or_a_list(x, z):
    if z > 0:
        return x
    elif z > -2:
        return x[None]
    return [x, x]


def seen_in_another_shape(x, z):
    r = x if z < 0 else np.outer(x, x)
    return np.arange(np.size(r)).reshape(np.shape(r))


RETURNED = (
    number_or_nothing, nothing_or_argument, number_or_array, either_rank, text_or_array, tuples_of_other_lengths, list_or_nothing, dict_or_nothing,
    object_or_nothing, inside_of_containers, one_of_three, found_in_a_loop, stored_before, two_ranks_or_a_list,
    seen_in_another_shape,
)  # fmt: skip


def outcome(function, x, z):
    """The result's text and class, whether it is the argument itself, and what the argument holds then."""
    given = x.copy()
    found = function(given, z)
    return repr(found), type(found), found is given, given.tolist()


@pytest.mark.parametrize("function", RETURNED)
def test_a_call_gives_back_whichever_it_is(function):
    called = s2s.jit(function)
    for z in (1.0, -1.0, -3.0, 1.5):
        x = np.array([1.0, 2.0, 0.25])
        assert outcome(called, x, z) == outcome(function, x, z)


def test_axes_that_the_call_knows():
    def total(x, n):
        return np.sum(np.stack([x, x]), axis=tuple(range(n)))

    x = np.array([1.0, 2.0, 0.25])
    for n in (0, 1, 2):
        assert outcome(s2s.jit(total), x, n) == outcome(total, x, n)


def test_transformations_take_the_one_kind_that_has_numbers():
    x = np.array([1.0, 2.0, 0.25])
    assert s2s.grad(number_or_nothing)(x, 1.0).tolist() == [2.0, 0.0, 0.0]
    assert s2s.vmap(number_or_nothing, in_axes=(None, 0))(x, np.array([1.0, 2.0])).tolist() == [2.0, 2.0]
    assert s2s.eval_shape(number_or_nothing, x, 1.0).shape == ()
    s2s.check_grads(number_or_nothing, (x, 1.0), order=1)
    with pytest.raises(NotImplementedError, match="returns None here, and a number or array otherwise"):
        s2s.grad(number_or_nothing)(x, -1.0)
    with pytest.raises(NotImplementedError, match="example 1 of the batch"):
        s2s.vmap(number_or_nothing, in_axes=(None, 0))(x, np.array([1.0, -2.0]))
    with pytest.raises(s2s.UnsupportedError, match="of one kind on some paths"):
        s2s.vmap(tuples_of_other_lengths, in_axes=(None, 0))(x, np.array([1.0, -2.0]))


def test_the_text_says_what_it_returns():
    assert "-> None | (int, float64)" in s2s.jit(found_in_a_loop).source(np.ones(3), 1.0)


# ---- used ----------------------------------------------------------------------------------------------------------------


def sum_of_either_rank(x, z):
    v = x if z > 0 else x[None, :] * 2
    return np.sum(v * 2)


def functions_of_either_dtype(x, z):
    v = x if z > 0 else x.astype(np.float32)
    return np.sqrt(v), v.dtype == np.float64


def integers_or_floats(x, z):
    v = x if z > 0 else np.arange(3)
    v = v * 2
    return v + v


def a_store(x, z):
    v = x if z > 0 else x[None, :]
    v[0] = 9.0
    return v.sum()


def a_store_of_itself(x, z):
    v = x if z > 0 else np.stack([x, x])
    v[...] = v + 1
    return v, x


def what_it_looks_like(x, z):
    v = x if z > 0 else x[None, :] * 2
    return v.shape, v.ndim, len(v), v.size, v.T


def joined_again(x, z):
    v = x if z > 0 else np.stack([x, x * 2])
    if v.ndim == 2:
        v = v.sum(0)
    return v


def made_two_dimensional(x, z):
    a = x if z > 0 else np.atleast_2d(x)
    return np.atleast_2d(a) @ x


def scalars_of_either_precision(x, z):
    s = x[0] if z > 0 else np.float32(x[0])
    return s * 2


def roots(a, z):
    d = a[0] ** 2 - 4 * z
    s = np.sqrt(complex(d)) if d < 0 else np.sqrt(d)
    return (-a[0] + s) / 2, (-a[0] - s) / 2


def in_a_helper(x, z):
    def g(v):
        return np.exp(v).sum(axis=0)

    return g(x if z > 0 else x[:, None])


def an_axis_or_none(x, z):
    return np.sum(np.stack([x, x]), axis=0 if z > 0 else None)


def a_mode(x, z):
    return np.pad(x, 1, mode="edge" if z > 0 else "wrap")


def keywords_of_methods(x, z):
    v = x if z > 0 else np.stack([x, x])
    return v.max(axis=-1, keepdims=True)


def items_of_a_list(x, z):
    v = x if z > 0 else np.stack([x, x])
    return np.concatenate([v, v])


def stored_by_out(x, z):
    v = x.copy() if z > 0 else np.stack([x, x])
    np.multiply(v, 2, out=v)
    v += 1
    return v


def looped_over(x, z):
    v = x if z > 0 else np.stack([x, x])
    s = 0.0
    for r in v:
        s = s + np.sum(r)
    return s


def left_early(x, z):
    v = x if z > 0 else np.stack([x, x * 2])
    for r in v:
        if np.sum(r) > 1.5:
            break
    else:
        return -1.0 * x[0]
    return np.sum(r)


def comprehended(x, z):
    v = x if z > 0 else np.stack([x, x])
    return [float(np.sum(r)) for r in v]


def in_a_dict(x, z):
    d = {"a": x if z > 0 else x[None]}
    d["b"] = np.sqrt(d["a"])
    return d["b"].sum(axis=-1)


def two_at_once(x, z):
    v = x if z > 0 else x[:, None]
    w = x if z > -2 else x[None]
    return np.sum(v * w)


def an_attribute(x, z):
    return Layer(x, x if z > 0 else None)(x).sum()


def chosen_functions(x, z):
    op = np.sin if z > 0 else np.cos
    over = np.sum if z > -2 else np.max
    return over(op(x))


def loops_over_nothing(x, z):
    s = 0.0 * x[0]
    for r in x if z > 0 else None:
        s += r
    return s


USED = (
    sum_of_either_rank, functions_of_either_dtype, integers_or_floats, a_store, what_it_looks_like, joined_again, made_two_dimensional,
    scalars_of_either_precision, roots, in_a_helper, an_axis_or_none, a_mode, keywords_of_methods, items_of_a_list, stored_by_out, looped_over, left_early,
    comprehended, in_a_dict, two_at_once, an_attribute, chosen_functions,
)  # fmt: skip


@pytest.mark.parametrize("function", USED)
def test_what_is_asked_is_asked_of_the_one_that_it_is(function):
    for z in (1.0, -1.0, -3.0):
        check(function, np.array([1.0, 2.0, 0.25]), z)


@pytest.mark.parametrize("function", [a_store_of_itself, looped_over, functions_of_either_dtype, items_of_a_list])
def test_compiled_as_well(function):
    for z in (1.0, -1.0):
        x = np.array([1.0, 4.0, 0.25])
        assert outcome(s2s.jit(function), x, z) == outcome(function, x, z)


@pytest.mark.parametrize("function", [sum_of_either_rank, left_early, two_at_once, an_attribute, chosen_functions, looped_over])
def test_derivatives_go_through_the_one_that_it_is(function):
    x = np.array([1.3, 2.0, 0.3])
    with s2s.disable_jit():
        for z in (1.0, -1.0):
            s2s.check_grads(lambda x, z=z: function(x, z), (x,), order=2)


def test_a_loop_over_nothing_raises_as_in_python():
    x = np.array([1.0, 2.0, 0.25])
    assert s2s.jit(loops_over_nothing)(x, 1.0) == 3.25
    with pytest.raises(TypeError, match="'NoneType' object is not iterable"):
        s2s.jit(loops_over_nothing)(x, -1.0)


def secant_like(x, z):
    """None before the first trip, which never comes to where it is read."""
    last, total = None, 0.0
    for i in range(3):
        if z < 0.0 or i > 1:
            total += x[0] * last
            total += math.sqrt(last) if last > 0.5 else -last
        last = x[i]
    return total


def arrays_of_trips(x, z):
    last, total = None, 0.0
    for i in range(3):
        if z < 0.0 or i > 1:
            total += np.sum(x < last) + np.sum(x * last) * 0.0
        last = x + i
    return total


def test_none_that_is_not_read_before_its_first_value():
    """The run that takes the path raises what Python does."""
    x = np.array([1.3, 2.0, 0.3])
    for target in ("cpu", "numpy"):
        assert s2s.jit(secant_like, target=target)(x, 1.0) == secant_like(x, 1.0)
        with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \*: .* and 'NoneType'"):
            s2s.jit(secant_like, target=target)(x, -1.0)
        assert s2s.jit(arrays_of_trips, target=target)(x, 1.0) == 3.0
        with pytest.raises(TypeError, match=r"'<' not supported between instances of 'float' and 'NoneType'"):
            s2s.jit(arrays_of_trips, target=target)(x, -1.0)
    s2s.check_grads(lambda x: secant_like(x, 1.0), (x,), order=2)
    with pytest.raises(TypeError, match="'NoneType'"):
        s2s.jit(lambda x: x[0] + None)(x)


def put_into(x, z):
    values = [np.float32(x[0]) if z > 0 else x[0], x[1], x[2]]
    bisect.insort(values, 0.5 * x[0])
    return len(values)


def shuffled(x, z):
    values = [x if z > 0 else x[None], x]
    np.random.seed(1)  # noqa: NPY002
    np.random.shuffle(values)  # noqa: NPY002
    return values[0].ndim


def test_a_list_that_a_function_changes_is_no_copy():
    """What is put into a copy that stands for one kind would be lost."""
    x = np.array([1.0, 2.0, 0.25])
    with pytest.raises(s2s.UnsupportedError, match="insert at an index known only at run time"):
        s2s.jit(put_into, target="numpy")(x, 1.0)
    for z in (1.0, -1.0):
        assert s2s.jit(shuffled, target="numpy")(x, z) == shuffled(x, z)


def summed_over_items(v, weights, rates):
    """A number where there are no items, an array where there are."""
    total = 0.0
    for weight, rate in zip(weights, rates):
        total += weight * rate / (1.0 + v * rate)
    return total


def test_derivatives_of_the_kind_that_the_sizes_decide():
    """Results of two kinds that both have numbers: for a derivative or a batch the call's sizes say which it is."""
    v, weights, rates = np.array([0.2, 0.3]), np.array([0.3, 0.7]), np.array([0.5, -0.6])
    slope = sum(-w * r * r / (1.0 + v * r) ** 2 for w, r in zip(weights, rates, strict=True))
    np.testing.assert_allclose(s2s.jvp(summed_over_items, (v, weights, rates), (np.ones(2), np.zeros(2), np.zeros(2)))[1], slope, rtol=1e-14)
    np.testing.assert_allclose(s2s.jacrev(s2s.jit(summed_over_items))(v, weights, rates), np.diag(slope), rtol=1e-14)
    np.testing.assert_allclose(s2s.grad(lambda v: np.sum(summed_over_items(v, weights, rates)))(v), slope, rtol=1e-14)
    np.testing.assert_allclose(s2s.vmap(summed_over_items, in_axes=(0, None, None))(np.stack([v, 2 * v]), weights, rates)[1], summed_over_items(2 * v, weights, rates), rtol=1e-14)
    assert s2s.grad(summed_over_items)(0.2, weights, rates) == pytest.approx(slope[0])
    assert not s2s.jvp(summed_over_items, (v, weights[:0], rates[:0]), (v, weights[:0], rates[:0]))[1]


def limit_of(x, least):
    if x > 3.0:
        return None
    return x * x if least is None else max(x, least)


def with_limits(x, y):
    least = None if y > 1.0 else y
    first = limit_of(x, least)
    if first is None:
        return -1.0
    second = limit_of(first, least)
    return first if second is None else first + 2.0 * second


def size_word(x):
    return "large" if x > 1.5 else "small" if x > 0.5 else None


def by_word(x, y):
    words = size_word(x), size_word(y)
    return {"large": 10.0, "small": 1.0, None: 0.1}[words[0]] * x + (y if words[1] == "large" else 0.0)


@pytest.mark.parametrize("f", [with_limits, by_word])
def test_helpers_are_given_and_return_values_of_several_kinds(f):
    """They are functions of the program, as others are: none is read again at each of its calls."""
    jitted = s2s.jit(f, target="numpy")
    for x in (0.3, 1.2, 1.7, 2.5, 4.0):
        for y in (0.4, 0.9, 1.8):
            assert jitted(x, y) == pytest.approx(f(x, y), rel=1e-14)
            assert s2s.grad(f)(x, y) == pytest.approx((f(x + 1e-6, y) - f(x - 1e-6, y)) / 2e-6, abs=1e-6)
    assert len({name for name in ("_limit_of", "_size_word") if f"def {name}(" in jitted.source(1.0, 1.0)}) == 1


def row_or_whole(x):
    return x[0] if x.shape[0] > 2 else x


def joined_with_it(x):
    return np.r_[row_or_whole(x), x[1]]


def test_what_is_joined_may_be_of_another_rank_on_each_path():
    x = np.arange(12.0).reshape(4, 3)
    np.testing.assert_array_equal(s2s.jit(joined_with_it, target="numpy")(x), joined_with_it(x))
    np.testing.assert_array_equal(s2s.grad(lambda x: (joined_with_it(x) ** 2).sum())(x)[:2], 2 * x[:2])


def test_a_truth_is_no_float_where_a_name_may_hold_both_and_none():
    def f(x, y, n):
        w, items = next((each for each in x if each > y), None), [0.5]
        for _ in range(n):
            if isinstance(w, float):
                items.append(w)
            w = True
        return sum(items)

    x = np.array([2.0, 0.25])
    for y in (1.5, 2.5):
        assert s2s.jit(f, target="numpy")(x, y, 3) == f(x, y, 3)


def best_split(x, y):
    best = (np.inf, None, None)
    for column in range(x.shape[1]):
        for limit in x[:-1, column]:
            left = x[:, column] <= limit
            score = ((y[left] - y[left].mean()) ** 2).sum()
            if left.sum() < len(y) and score < best[0]:
                best = (score, column, limit)
    return best


def split_by_the_best(x, y):
    _, column, limit = best_split(x, y)
    left = x[:, column] <= limit
    return y[left].mean() + x[column, column] * x[0, column]


def stored_by_the_best(x, y):
    _, column, limit = best_split(x, y)
    x = x.copy()
    x[:, column] *= limit
    x[column:, 0] += 1.0
    return x.sum() + x[1, 0]


@pytest.mark.parametrize("f", [split_by_the_best, stored_by_the_best])
@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_an_index_may_be_none_or_a_number(f, target):
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(6, 3)), rng.normal(size=6)
    jitted = s2s.jit(f, target=target)
    assert jitted(x, y) == pytest.approx(f(x, y), rel=1e-14)
    dot = rng.normal(size=x.shape)
    assert np.sum(s2s.jit(s2s.grad(f), target=target)(x, y) * dot) == pytest.approx((f(x + 1e-6 * dot, y) - f(x - 1e-6 * dot, y)) / 2e-6, rel=1e-6)
    with pytest.raises((TypeError, IndexError)):  # None: no column was better
        f(x, y * np.nan)
    with pytest.raises((TypeError, IndexError)):
        jitted(x, y * np.nan)


def changes_of_one(x, k):
    reactions = [(1.0, {"a": -1, "b": 1}), (x[0], {"b": -1, "c": 2}), (2.0, {"c": 1})]
    counts = {"a": 1, "b": 2, "c": 3}
    for name, change in reactions[k][1].items():
        counts[name] += change
    return counts, x[counts["a"]] * reactions[k][0]


def reactions_until(x, rates):
    reactions = [(lambda counts: rates[0] * counts["a"], {"a": -1, "b": 1}), (lambda counts: rates[1] * counts["b"], {"b": -1, "c": 2})]
    counts, time = {"a": 3, "b": 1, "c": 0}, 0.0
    while time < 0.7:
        speeds = np.array([speed(counts) for speed, _ in reactions])
        if speeds.sum() == 0.0:
            break
        time += x[counts["c"] % 4] / speeds.sum()
        for name, change in reactions[np.searchsorted(np.cumsum(speeds), x[counts["a"] % 4] * speeds.sum())][1].items():
            counts[name] += change
    return counts["c"] * time + counts["b"]


def test_dicts_of_other_keys_one_of_which_the_run_picks():
    x = np.array([0.2, 0.9, 0.4, 0.6])
    for k in range(-3, 3):
        got, expected = s2s.jit(changes_of_one, target="numpy")(x, k), changes_of_one(x, k)
        assert got[0] == expected[0] and got[1] == pytest.approx(expected[1], rel=1e-15)
    for rates in ([1.0, 0.3], [0.2, 2.0], [0.0, 0.5]):
        rates = np.array(rates)
        assert s2s.jit(reactions_until, target="numpy")(x, rates) == pytest.approx(reactions_until(x, rates), rel=1e-14)
        assert s2s.grad(reactions_until)(x, rates).shape == x.shape


class Curve:
    def __init__(self):
        self.times, self.values = [0.0], [1.0]

    def __call__(self, time):
        return np.exp(np.interp(time, self.times, np.log(self.values)))

    def with_one_more(self, time, value):
        longer = Curve()
        longer.times, longer.values = [*self.times, time], [*self.values, value]
        return longer


def bootstrapped(rates):
    curve = Curve()
    for count, rate in zip((1, 2, 3), rates, strict=True):
        def worth(value, count=count, rate=rate):
            longer = curve.with_one_more(float(count), value)
            return sum(rate * longer(k) for k in range(1, count + 1)) + longer(count) - 1.0
        curve = curve.with_one_more(float(count), optimize.brentq(worth, 0.3, 1.2))
    return curve(2.5)


def test_roots_of_functions_that_see_objects_with_lists():
    rates = np.array([0.02, 0.03, 0.035])
    assert s2s.jit(bootstrapped, target="numpy")(rates) == pytest.approx(bootstrapped(rates), rel=1e-12)
    slopes = [(bootstrapped(rates + 1e-6 * unit) - bootstrapped(rates - 1e-6 * unit)) / 2e-6 for unit in np.eye(3)]
    np.testing.assert_allclose(s2s.grad(bootstrapped)(rates), slopes, rtol=1e-5)
