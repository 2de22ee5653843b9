"""Whole numbers that a call decides: the elements of small arrays of them, given, from outside or computed, as axes, counts, shapes and keys."""
from __future__ import annotations

import itertools
import subprocess
import sys

import numpy as np
import pytest
from reading import loaded

import s2s
from s2s.errors import UnsupportedError

X = np.random.default_rng(5).normal(size=(3, 4, 2))
ORDERS = [np.array(order) for order in itertools.permutations(range(3))]


def transposed(x, a):
    return x.transpose(a)


def summed(x, a):
    return np.sum(x, axis=a[0]), np.sum(x, axis=tuple(a[1:]))


def moved(x, a):
    return np.moveaxis(x, a[0], a[1]), np.swapaxes(x, *a[:2])


def parts(x, a):
    return np.array_split(x.ravel(), a[0] + 1)


def one_by_one(x, a):
    return [np.max(x, axis=axis) for axis in a]


def keyed(x, a):
    return {int(k): x[k, 0] * k for k in a}


def by_place(x, a):
    names = ["first", "second", "third"]
    chosen = {"first": np.sum, "second": np.mean, "third": np.max}[names[a[0]]]
    return chosen(x)


def in_a_helper(x, a):
    def along(order):
        return np.cumsum(x.transpose(order), axis=order[0])

    return along(a) + along(a[::-1]).transpose(2, 1, 0)


def computed(x, a):
    order = np.argsort(a)
    order[[0, 2]] = order[[2, 0]]
    return x.transpose(np.roll(order, 1))


def shaped(x, a):
    sizes = a + 1
    return [np.full(sizes, 2.0), x.ravel()[: np.prod(sizes)].reshape(*sizes)]


def layers(x, a):
    sizes, flat, start = a + 1, x.ravel(), 0
    h = np.ones(sizes[0])
    for inputs, outputs in itertools.pairwise(sizes):
        h = np.tanh(h @ flat[start : start + inputs * outputs].reshape(inputs, outputs))
        start += inputs * outputs
    return h


PROGRAMS = [transposed, summed, moved, parts, one_by_one, keyed, by_place, in_a_helper, computed, shaped, layers]


def same(found, wanted):
    if isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(same(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, (tuple, list)):
        return type(found) is type(wanted) and len(found) == len(wanted) and all(map(same, found, wanted))
    return np.shape(found) == np.shape(wanted) and np.allclose(found, wanted, rtol=1e-13)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_of_an_argument(function):
    """Each order gives what Python gives, in calls that follow each other: no program serves a call with other elements."""
    run = s2s.jit(function, target="numpy")
    for order in (*ORDERS, *ORDERS[::-1], ORDERS[2].astype(np.int8)):
        assert same(run(X, order), function(X, order)), order


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_of_an_array_from_outside(function):
    """An array of the closure is told, too, until somebody stores into it."""
    order = ORDERS[3].copy()
    run = s2s.jit(lambda x: function(x, order), target="numpy")
    for changed in ORDERS:
        order[:] = changed
        assert same(run(X), function(X, order)), changed


def test_sizes_of_an_array_from_outside():
    """They are told like those of the arguments, where a function is refused otherwise."""
    table = np.ones((2, 3))

    def f(x):
        given = []
        for each in (x, table):
            if len(each) > 0:
                given.append(each)
        return sum(np.sum(each) * each.ndim for each in given)

    run = s2s.jit(f, target="numpy")
    for shape in ((2, 3), (4, 3), (0, 3), (2, 2, 2), (4, 3)):
        table = np.ones(shape)
        assert run(X[0, 0]) == f(X[0, 0])


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_of_what_is_computed(function):
    run = s2s.jit(lambda x: function(x, np.roll(np.arange(x.ndim), 2)), target="numpy")
    assert same(run(X), function(X, np.array([1, 2, 0])))


@pytest.mark.parametrize("function", [transposed, one_by_one, in_a_helper, layers], ids=lambda function: function.__name__)
def test_derivatives(function):
    """Of the compiled program; forward and reverse agree, and with what the numbers as constants give."""
    order, direction = ORDERS[4], np.cos(np.arange(24.0)).reshape(X.shape)

    def loss(x, a):
        return sum(np.sum(np.sin(each)) for each in function(x, a)) if function is one_by_one else np.sum(np.sin(function(x, a)))

    found = s2s.grad(loss)(X, order)
    _, slope = s2s.jvp(lambda x: loss(x, order), (X,), (direction,))
    step = 1e-6
    difference = (loss(X + step * direction, order) - loss(X - step * direction, order)) / (2 * step)
    assert np.sum(found * direction) == pytest.approx(slope, rel=1e-12)
    assert slope == pytest.approx(difference, rel=1e-6)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_stores_are_seen(target):
    """What is told is what the array holds when the call begins; what the function stores, it and its caller see."""

    def turned(x, a):
        one = np.sum(x, axis=a[0])
        a[0] = 1 - a[0]
        return one, np.sum(x, axis=a[0])

    run = s2s.jit(turned, target=target)
    mine, theirs = np.array([0, 7]), np.array([0, 7])
    for _ in range(4):
        assert same(run(X, mine), turned(X, theirs))
        assert mine.tolist() == theirs.tolist()


def test_each_example_may_have_its_own():
    """Which a batch can't: the program is one for all examples."""
    along = s2s.vmap(lambda x, a: np.sum(x, axis=a[0]))
    with pytest.raises(UnsupportedError, match="axis that is known only at run time"):
        along(np.stack([X, X]), np.array([[0], [1]]))
    found = s2s.vmap(lambda x, a: np.sum(x, axis=a[0]), in_axes=(0, None))(np.stack([X, 2 * X]), np.array([1]))
    assert np.allclose(found, [X.sum(1), 2 * X.sum(1)])


def test_index_arrays_stay_arguments():
    """Where nothing has to be told, nothing is: one program serves all index arrays."""
    run = s2s.jit(lambda x, a: x[a] + np.sum(a), target="numpy")
    for order in ORDERS:
        run(X, order)
    assert len(run._found) == 1


def test_a_written_module_asks():
    """The module of such a call, run by itself, refuses other elements."""
    run = s2s.jit(lambda x, a: transposed(x, a), target="numpy")
    run(X, ORDERS[1])
    (found,) = [each for known in run._found.values() for each in known]
    assert ".tolist() == [0, 2, 1]" in found.text


def test_in_another_process(tmp_path):
    """The index of the cache tells calls apart by their elements."""
    (tmp_path / "told_program.py").write_text("import numpy as np, sys, s2s\n\n\n@s2s.jit(target='numpy')\ndef f(x, a):\n    return x.transpose(a)\n\n\nprint(f(np.zeros((2, 3, 4)), np.array(eval(sys.argv[1]))).shape)\n")
    for order, shape in (("[0, 1, 2]", "(2, 3, 4)"), ("[2, 0, 1]", "(4, 2, 3)"), ("[0, 1, 2]", "(2, 3, 4)")):
        done = subprocess.run([sys.executable, "told_program.py", order], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == shape


NORMS = {
    "vectors": lambda x, p: np.linalg.norm(x[0, 0], p), "along an axis": lambda x, p: np.linalg.norm(x, ord=p, axis=1), "kept": lambda x, p: np.linalg.norm(x, p, -1, keepdims=True),
    "matrices": lambda x, p: np.linalg.norm(x[0], p), "stacks": lambda x, p: np.linalg.norm(x, p, axis=(0, 2)), "vector_norm": lambda x, p: np.linalg.vector_norm(x, ord=p),
}  # fmt: skip


@pytest.mark.parametrize("name", NORMS)
@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "i8"])
def test_norms_whose_order_the_run_reads(name, dtype):
    function, x = NORMS[name], (3 * X).astype(dtype)
    run = s2s.jit(lambda x, p: function(x, p), target="numpy")
    for order in (1.0, 2.0, 0.0, 1.5, 3.0, -1.0, -2.0, np.inf, -np.inf):
        try:
            with np.errstate(divide="ignore"):
                wanted = function(x, order)
        except ValueError as error:
            with pytest.raises(ValueError, match=str(error)):
                run(x, order)
            continue
        with np.errstate(divide="ignore"):
            found = run(x, order)
        assert np.allclose(found, wanted, rtol=1e-5 if dtype == "f4" else 1e-12), order
    assert len(run._found) == 1


def test_the_slope_of_a_norm_whose_order_the_run_reads():
    run, x = s2s.grad(lambda x, p: np.linalg.norm(x, p), argnums=(0, 1)), np.array([1.0, -2.0, 3.0])
    for order in (1.0, 2.0, np.inf, 2.5):
        assert np.allclose(run(x, order)[0], s2s.grad(lambda x, order=order: np.linalg.norm(x, order))(x))
    step = 1e-6
    assert run(x, 2.5)[1] == pytest.approx((np.linalg.norm(x, 2.5 + step) - np.linalg.norm(x, 2.5 - step)) / (2 * step), rel=1e-6)


def along(x, a):
    return np.sum(np.max(x, axis=a[0]) ** 2)


NESTED = {
    "jit": lambda x, a: s2s.jit(along)(x, a), "grad": lambda x, a: s2s.grad(along)(x, a), "of a closure": lambda x, a: s2s.grad(lambda x: along(x, a))(x), "checkpoint": lambda x, a: s2s.checkpoint(along)(x, a),
    "vmap": lambda x, a: s2s.vmap(along, in_axes=(0, None))(np.stack([x, -x]), a), "hessian": lambda x, a: s2s.hessian(lambda x: along(x, a))(x), "helper": lambda x, a: along(x, a) + along(x, 1 - a),
    "linearize": lambda x, a: s2s.linearize(lambda x: along(x, a), x)[1](x), "fori_loop": lambda x, a: s2s.lax.fori_loop(0, 3, lambda i, c: c + along(x, a), 0.0), "map": lambda x, a: s2s.lax.map(lambda k: along(x, np.array([k, 0])), a),
}  # fmt: skip


@pytest.mark.parametrize("name", NESTED)
def test_inside_of_transformations(name):
    """What is known of an array is known in the functions that it is handed to; not of one that a loop changes."""
    function = NESTED[name]
    run = s2s.jit(lambda x, a: function(x, a), target="numpy")
    for a in (np.array([0, 1]), np.array([1, 0]), np.array([0, 1])):
        assert np.allclose(run(X[0], a), function(X[0], a), rtol=1e-13)


def test_what_a_loop_changes_is_not_known_in_it():
    def turned(x, a, n):
        total = np.zeros(2)
        for _ in range(n):
            total = 0.5 * total + np.sum(x, axis=a[0])
            a = 1 - a
        return total, s2s.jit(along)(x, a)

    run, x = s2s.jit(turned, target="numpy"), X[0, :2]
    for a, n in itertools.product((np.array([0, 1]), np.array([1, 0])), (1, 2, 3)):
        for mine, theirs in zip(run(x, a, n), turned(x, a, n), strict=True):
            assert np.allclose(mine, theirs, rtol=1e-13)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("is_boxed", [False, True], ids=["elements", "an array without axes"])
def test_no_program_serves_other_elements(target, is_boxed, tmp_path):
    """Not the one that ran last, nor its module by itself; arrays without axes too."""

    def along(x, a):
        return np.sum(x, axis=int(a) if np.ndim(a) == 0 else a[0])

    one, other = (np.array(1), np.array(0)) if is_boxed else (np.array([1, 5]), np.array([0, 5]))
    run = s2s.jit(along, target=target)
    for a in (one, one, other, one):
        assert np.allclose(run(X[0], a), along(X[0], a))
    (found,) = [each for known in run._found.values() for each in known if f'_fixed("a", a.tolist(), {one.tolist()!r})' in each.text]
    module = loaded(tmp_path / "along.py", found.text)
    assert np.allclose(module.along_jit(X[0], one), along(X[0], one))
    with pytest.raises(ValueError, match="was made for a="):
        module.along_jit(X[0], other)


# ---- sizes that rule a path out -----------------------------------------------------------------------------------------------


def one_or_many(x):
    y = 2 * x
    if x.size == 1:
        if y < 0:
            y = y + 360.0
    else:
        y[y < 0] += 360.0
    return y


def one_or_rows(x):
    if x.shape == (3,):
        return np.sum(x)
    return np.sum(x[:, 0])


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_what_no_array_of_this_size_comes_to_is_not_wrong(target):
    """`if y < 0` of an array and x[:, 0] of one axis are errors only where the call's sizes lead there."""
    x = np.array([1.0, -2.0, 3.0])
    for each in (x, x[1:2]):
        np.testing.assert_array_equal(s2s.jit(one_or_many, target=target)(each), one_or_many(each))
    assert s2s.jit(one_or_rows, target=target)(x) == 2.0
    with pytest.raises(IndexError, match="too many indices for array: array is 1-dimensional, but 2 were indexed"):
        s2s.jit(one_or_rows, target=target)(x[:2])
    np.testing.assert_array_equal(s2s.grad(one_or_rows)(x), np.ones(3))
    np.testing.assert_array_equal(s2s.vmap(one_or_rows)(np.ones((2, 3))), [3.0, 3.0])


LABELS = np.array([0, 1, 0, 1, 2, 2])
SPECIES = np.repeat(np.arange(3), 50)


def means_of_groups(x):
    groups = {label: x[label == LABELS] for label in np.unique(LABELS)}
    return sum((label + 1.0) * group.mean() ** len(group) for label, group in groups.items())


def between_to_within(x):
    classes = {int(label): x[label == SPECIES] for label in np.unique(SPECIES)}
    within = sum((rows - rows.mean(0)).T @ (rows - rows.mean(0)) for rows in classes.values())
    between = sum(len(rows) * np.outer(rows.mean(0) - x.mean(0), rows.mean(0) - x.mean(0)) for rows in classes.values())
    return np.trace(np.linalg.solve(within, between))


def by_name_of_place(x, mask):
    return {f"x{place}": x[place] ** 2 for place in np.flatnonzero(mask)}


@pytest.mark.parametrize("f, shape", [(means_of_groups, (6,)), (between_to_within, (150, 2))])
def test_groups_by_known_labels(f, shape):
    rng = np.random.default_rng(5)
    x, dot = rng.normal(size=shape), rng.normal(size=shape)
    assert s2s.jit(f, target="numpy")(x) == pytest.approx(f(x), rel=1e-12)
    assert np.sum(s2s.grad(f)(x) * dot) == pytest.approx((f(x + 1e-6 * dot) - f(x - 1e-6 * dot)) / 2e-6, rel=1e-6)
    np.testing.assert_allclose(s2s.vmap(f)(np.stack([x, 2.0 * x + dot])), [f(x), f(2.0 * x + dot)], rtol=1e-12)


def test_groups_by_labels_that_change(monkeypatch):
    x = np.linspace(-1.0, 2.0, 6)
    jitted = s2s.jit(means_of_groups, target="numpy")
    for labels in ([0, 1, 0, 1, 2, 2], [3, 3, 3, 3, 3, 3], [0, 1, 2, 3, 4, 5], [0, 1, 0, 1, 2, 2]):
        monkeypatch.setattr(sys.modules[__name__], "LABELS", np.array(labels))
        assert jitted(x) == pytest.approx(means_of_groups(x), rel=1e-12)


def test_places_that_are_true_name_keys():
    x = np.array([1.0, -2.0, 3.0])
    jitted = s2s.jit(by_name_of_place, target="numpy")
    for mask in ([True, False, True], [False, False, False], [False, True, False]):
        assert jitted(x, np.array(mask)) == by_name_of_place(x, np.array(mask))
