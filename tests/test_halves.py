"""What vjp and linearize return is a container of its residuals: in jaxprs, as an argument, taken apart and put together."""
from __future__ import annotations

import numpy as np
import pytest

import s2s
from s2s.tree_util import tree_flatten, tree_map, tree_unflatten

X = np.random.default_rng(3).standard_normal(4)


def f(x):
    return np.sin(x) * x


def text(fun, *args):
    return str(s2s.make_jaxpr(fun)(*args)).splitlines()


def test_jaxprs_of_functions_that_return_pullbacks():
    """As JAX 0.10.2 has them, but for which of the residuals comes first."""
    assert text(lambda x: s2s.vjp(f, x)[1], 3.0) == ["{ lambda ; a:f64[]. let", "    b:f64[] = sin a", "    c:f64[] = cos a", "    _:f64[] = mul b a", "  in (b, a, c) }"]
    assert text(lambda x: s2s.vjp(f, x), 3.0) == ["{ lambda ; a:f64[]. let", "    b:f64[] = sin a", "    c:f64[] = cos a", "    d:f64[] = mul b a", "  in (d, b, a, c) }"]
    assert text(lambda x: s2s.linearize(f, x), 3.0)[-1] == "  in (d, c, a, b) }"
    assert text(lambda x: s2s.vjp(lambda x: x * X, x)[1], X) == ["{ lambda a:f64[4]; b:f64[4]. let _:f64[4] = mul b a in (a,) }"]


def forward_and_backward(fun, *args):
    """print_fwd_bwd of JAX's page on checkpoints."""
    args, in_tree = tree_flatten((args, {}))

    def flat(*args):
        args, kwargs = tree_unflatten(in_tree, args)
        return fun(*args, **kwargs)

    forward = s2s.make_jaxpr(lambda *args: s2s.vjp(flat, *args))(*args)
    y, pullback = s2s.vjp(flat, *args)
    kept, kept_tree = tree_flatten(pullback)

    def back(*args):
        *kept, y = args
        return tree_unflatten(kept_tree, kept)(y)

    return forward, s2s.make_jaxpr(back)(*kept, y), pullback(y), [*kept, y]


@pytest.mark.parametrize("kept", ["all", "none", "dots"])
def test_forward_and_backward_of_layers(kept):
    def layer(w, x):
        return np.sin(w @ x)

    policies = {"none": {}, "dots": {"policy": s2s.checkpoint_policies.dots_with_no_batch_dims_saveable}}
    each = layer if kept == "all" else s2s.checkpoint(layer, **policies[kept])

    def loss(x, first, second):
        return each(second, each(first, x))

    args = (X, np.arange(20.0).reshape(5, 4) / 10, np.ones((6, 5)))
    forward, back, wanted, values = forward_and_backward(loss, *args)
    found = s2s.core.eval_jaxpr(forward.jaxpr, forward.consts, *args)
    np.testing.assert_allclose(found[0], loss(*args))
    for one, other in zip(s2s.core.eval_jaxpr(back.jaxpr, back.consts, *values), wanted, strict=True):
        np.testing.assert_allclose(one, other)
    assert ("remat2[" in str(forward)) == (kept != "all")
    assert "copy" not in str(forward)


def test_halves_are_containers():
    _, pull = s2s.vjp(f, X)
    leaves, treedef = tree_flatten(pull)
    assert all(isinstance(leaf, np.ndarray) for leaf in leaves)
    assert treedef == tree_flatten(s2s.vjp(f, 2 * X)[1])[1]
    assert treedef != tree_flatten(s2s.vjp(np.sin, X)[1])[1]
    doubled = tree_unflatten(treedef, [2 * leaf for leaf in leaves])
    np.testing.assert_array_equal(tree_map(lambda r: 2 * r, pull)(X)[0], doubled(X)[0])
    np.testing.assert_array_equal(tree_flatten(doubled)[0], [2 * leaf for leaf in leaves])
    np.testing.assert_array_equal(tree_unflatten(treedef, leaves)(X)[0], pull(X)[0])
    _, linear = s2s.linearize(lambda x: x * X, X)
    np.testing.assert_allclose(tree_map(lambda r: 2 * r, linear)(X), 2 * linear(X))


def test_halves_are_arguments():
    """One module for pullbacks of one program; they are hidden inputs where they stand outside."""
    first, second, other = s2s.vjp(f, X)[1], s2s.vjp(f, 2 * X)[1], s2s.vjp(np.sin, X)[1]
    called = s2s.jit(lambda pull, y: pull(y)[0], target="numpy")
    for pull in (first, second, other):
        np.testing.assert_array_equal(called(pull, X), pull(X)[0])
    assert len(called.emitted()) == 2
    in_tuple = s2s.jit(lambda pulls, y: [pull(y)[0] for pull in pulls], target="numpy")((first, other), X)
    np.testing.assert_array_equal(in_tuple[1], other(X)[0])
    by_outside = s2s.jit(lambda c, y: first(y)[0] if c > 0 else second(y)[0], target="numpy")
    np.testing.assert_array_equal(by_outside(1.0, X), first(X)[0])
    np.testing.assert_array_equal(by_outside(-1.0, X), second(X)[0])
    np.testing.assert_allclose(s2s.jit(lambda y: tree_flatten(first)[0][0] * y, target="numpy")(X), tree_flatten(first)[0][0] * X)
    bars = s2s.grad(lambda pull, y: np.sum(pull(y)[0]))(first, X)
    assert tree_flatten(bars)[1] == tree_flatten(first)[1]
    scaled = s2s.jit(lambda y: tree_map(lambda r: 3.0 * r, first)(y)[0], target="numpy")
    np.testing.assert_allclose(scaled(X), tree_map(lambda r: 3.0 * r, first)(X)[0])


def test_what_jit_does_not_return():
    with pytest.raises(NotImplementedError, match="a function that returns a function"):
        s2s.jit(lambda x: s2s.vjp(f, x)[1])(X)
