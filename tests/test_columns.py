"""Arguments in Fortran order: read as they lie where loops allow it, with the numbers, stores and identities of arrays in C order."""
from __future__ import annotations

import numpy as np
import pytest

import s2s
from s2s.tree_util import tree_leaves, tree_map

RNG = np.random.default_rng(3)


def weighted(x, y):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            s += x[i, j] * y[i, j]
    return s + np.sum(np.sin(x))


def layer(params, x):
    return np.tanh(x @ params["w"] + params["b"])


def slices(x):
    return x[1] + x[:, 0].sum() + np.einsum("ijk->kj", x).mean()


def by_rows(x):
    return np.array([row.max() for row in x])


def turned(x):
    return x.T.sum(axis=0), np.sort(x, axis=0)


def relaxed(a, b):
    for _ in range(3):
        for i in range(len(b)):
            b[i] = 0.5 * b[i] + a[i] @ b
    return b


def stored(x, y):
    x[0, 1] = 5.0
    x[1:, 0] += y[0, 0]
    return x.sum()


def given_back(x):
    return x, x @ x


def read_alone(x):
    return x * 2.0


X, Y, Z, W = RNG.normal(size=(3, 4)), RNG.normal(size=(3, 4)), RNG.normal(size=(3, 4, 5)), RNG.normal(size=(4, 4))
READ = [(weighted, (X, Y)), (layer, ({"w": W, "b": Y[0]}, X)), (slices, (Z,)), (by_rows, (X,)), (turned, (Z,))]
COPIED = [(relaxed, (W, Y[0])), (stored, (X, Y[:1])), (given_back, (W,))]


def in_columns(tree):
    return tree_map(lambda leaf: np.array(leaf, order="F"), tree)


def compared(found, wanted):
    for one, other in zip(tree_leaves(found), tree_leaves(wanted), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize(("function", "args"), [*READ, *COPIED], ids=lambda each: getattr(each, "__name__", ""))
def test_numbers_and_stores(function, args):
    f, given = s2s.jit(function), in_columns(args)
    expected = in_columns(args)
    wanted = function(*expected)
    compared(f(*given), wanted)
    compared(given, expected)  # what is stored into is the caller's
    assert all(not leaf.flags.c_contiguous for leaf in tree_leaves(given) if leaf.ndim > 1 and min(leaf.shape) > 1)
    for layout in (args, tree_map(lambda leaf: leaf[::-1][::-1], args)):
        compared(f(*tree_map(np.array, layout)), function(*tree_map(np.array, layout)))


@pytest.mark.parametrize(("function", "args"), READ, ids=lambda each: getattr(each, "__name__", ""))
def test_they_are_not_copied(function, args):
    f = s2s.jit(function)
    f(*in_columns(args))
    found = f.lasting
    assert found.columns
    assert found.enter(tuple(in_columns(args)), {}) is not NotImplemented  # the quick way, without a look at their layout by Python
    assert "in Fortran order" in f.source(*in_columns(args))


@pytest.mark.parametrize(("function", "args"), COPIED, ids=lambda each: getattr(each, "__name__", ""))
def test_what_is_stored_into_or_read_again_is_copied(function, args):
    assert "Fortran" not in s2s.jit(function).source(*in_columns(args))


def test_an_array_that_is_given_back_is_the_caller_s():
    w = in_columns(W)
    assert s2s.jit(given_back)(w)[0] is w


def test_what_a_derivative_keeps_of_it_is_named_by_it(capsys):
    s2s.print_saved_residuals(lambda x, w: np.sum(np.tanh(x @ w)), in_columns(X), W)
    assert "f8[3, 4] from the argument x" in capsys.readouterr().out


def test_read_only_ones():
    x = in_columns(X)
    x.flags.writeable = False
    np.testing.assert_array_equal(s2s.jit(read_alone)(x), 2.0 * X)


def test_derivatives():
    def loss(x, y):
        return weighted(x, y) + np.sum((x @ W) ** 2)

    on_numpy = s2s.jit(loss, target="numpy")
    for of in (s2s.grad, s2s.jacfwd, s2s.value_and_grad):
        compared(of(loss)(*in_columns((X, Y))), of(on_numpy)(X, Y))
    compared(s2s.vjp(loss, *in_columns((X, Y)))[1](1.0), s2s.vjp(on_numpy, X, Y)[1](1.0))
    compared(s2s.jvp(loss, in_columns((X, Y)), (Y, in_columns(X))), s2s.jvp(on_numpy, (X, Y), (Y, X)))
    compared(s2s.vmap(lambda z: z @ W[:, 0])(in_columns(Z.swapaxes(1, 2))), Z.swapaxes(1, 2) @ W[:, 0])
