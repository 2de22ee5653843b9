"""s2s.lax's functions of arrays: what is read gives what the plain functions give, on both targets, with both derivatives."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from reading import run

import s2s
from s2s import lax
from s2s.transforms.read.composed.table import LAX
from s2s.tree_util import tree_leaves

RNG = np.random.default_rng(11)
X, Y, M, N = RNG.normal(size=6), RNG.normal(size=6), RNG.normal(size=(3, 4)), RNG.normal(size=(4, 5))
K, IMAGE, KERNEL = np.array([3, 1, 2, 1, 0, 2]), RNG.normal(size=(2, 4, 7, 6)), RNG.normal(size=(6, 2, 3, 2))
CASES: dict[str, list[tuple[Callable[..., Any], tuple[Any, ...]]]] = {
    "select": [(lambda x, y: lax.select(x > y, x, y), (X, Y))],
    "select_n": [(lambda k, x, y: lax.select_n(k, x, y, x * y, y - x), (K, X, Y)), (lambda x, y: lax.select_n(x > 0, x, y), (X, Y))],
    "clamp": [(lambda x, y: lax.clamp(-0.5, x, np.abs(y)), (X, Y))],
    "rsqrt": [(lambda x: lax.rsqrt(np.abs(x) + 1.0), (X,))],
    "div": [(lax.div, (X, Y)), (lambda k: lax.div(k - 2, 2), (K,)), (lambda k: lax.div(k, np.array([-2, 2, -3, 3, 1, 5])), (K,))],
    "round": [(lax.round, (4 * X,)), (lambda x: lax.round(x, 1), (4 * X,)), (lax.round, (np.array([0.5, -0.5, 0.49999999999999994, 1e17, -2.5]),))],
    "integer_pow": [(lambda x: lax.integer_pow(x, 3), (X,)), (lambda x: lax.integer_pow(x, -2), (X,))],
    "complex": [(lax.complex, (X, Y))],
    "convert_element_type": [(lambda x: lax.convert_element_type(x, np.float32), (X,)), (lambda x: lax.convert_element_type(x, np.int64), (4 * X,)), (lambda x: lax.convert_element_type(x[0], np.float32), (X,))],
    "optimization_barrier": [(lambda x: lax.optimization_barrier((x, 2.0 * x)), (X,))],
    "iota": [(lambda x: lax.iota(np.float64, len(x)) * x, (X,)), (lambda x: lax.iota(np.int64, 3), (X,))],
    "broadcasted_iota": [(lambda x: lax.broadcasted_iota(np.float64, x.shape, 1) * x, (M,)), (lambda x: lax.broadcasted_iota(np.int64, (2, len(x)), 0), (X,))],
    "full": [(lambda x: lax.full((2, len(x)), x[0]), (X,)), (lambda x: lax.full((2,), 1, np.float32), (X,))],
    "full_like": [(lambda x: lax.full_like(x, x[0]), (X,)), (lambda x: lax.full_like(x, 1, np.int64), (M,)), (lambda x: lax.full_like(x, 1, shape=(2, 2)), (M,))],
    "broadcast": [(lambda x: lax.broadcast(x, (2, 3)), (X,))],
    "broadcast_in_dim": [(lambda x: lax.broadcast_in_dim(x, (2, len(x), 3), (1,)), (X,)), (lambda m: lax.broadcast_in_dim(m, (*m.shape, 2), (0, 1)), (M,))],
    "expand_dims": [(lambda x: lax.expand_dims(x, (0, -1)), (X,))],
    "squeeze": [(lambda x: lax.squeeze(x[None, :, None], (0, 2)), (X,))],
    "reshape": [(lambda x: lax.reshape(x, (4, 3)), (M,)), (lambda x: lax.reshape(x, (2, 6), (1, 0)), (M,))],
    "collapse": [(lambda x: lax.collapse(x, 1, 3), (IMAGE,)), (lambda x: lax.collapse(x, 2), (IMAGE,)), (lambda x: lax.collapse(x, 0, -2), (IMAGE,))],
    "transpose": [(lambda x: lax.transpose(x, (2, 0, 3, 1)), (IMAGE,))],
    "rev": [(lambda x: lax.rev(x, (1,)), (M,)), (lambda x: lax.rev(x, (0, 1)), (M,))],
    "concatenate": [(lambda x, y: lax.concatenate([x, y, x], 0), (X, Y))],
    "split": [(lambda x: lax.split(x, (1, 3), 1), (M,))],
    "pad": [(lambda x: lax.pad(x, 0.5, [(1, 2, 0), (0, 1, 2)]), (M,)), (lambda x: lax.pad(x, 0.0, [(-1, 2, 1), (2, -1, 0)]), (M,)), (lambda x: lax.pad(x, 0.0, [(-2, -3, 0)]), (X,))],
    "slice": [(lambda x: lax.slice(x, (0, 1), (3, 4), (2, 1)), (M,)), (lambda x: lax.slice(x, (1,), (4,)), (X,))],
    "slice_in_dim": [(lambda x: lax.slice_in_dim(x, 1, None, 2, axis=1), (M,)), (lambda x: lax.slice_in_dim(x, 0, 2, axis=-1), (M,))],
    "index_in_dim": [(lambda x: lax.index_in_dim(x, 1, 1), (M,)), (lambda x: lax.index_in_dim(x, -1, keepdims=False), (M,))],
    "dynamic_slice": [(lambda x, k: lax.dynamic_slice(x, (k[1], k[0]), (2, 3)), (M, K)), (lambda x, k: lax.dynamic_slice(x, (k[0] - 5,), (2,)), (X, K))],
    "dynamic_slice_in_dim": [(lambda x, k: lax.dynamic_slice_in_dim(x, k[0], 2, axis=1), (M, K))],
    "dynamic_index_in_dim": [(lambda x, k: lax.dynamic_index_in_dim(x, k[2]), (M, K)), (lambda x, k: lax.dynamic_index_in_dim(x, k[0] + 9, 1, keepdims=False), (M, K))],
    "dynamic_update_slice": [(lambda x, y, k: lax.dynamic_update_slice(x, y[:2], (k[0] + 2,)), (X, Y, K)), (lambda m, y, k: lax.dynamic_update_slice(m, np.outer(y[:2], y[:3]), (k[1], k[4])), (M, Y, K))],
    "dynamic_update_slice_in_dim": [(lambda m, k: lax.dynamic_update_slice_in_dim(m, m[:, :2] * 2.0, k[0], axis=1), (M, K))],
    "dynamic_update_index_in_dim": [(lambda m, y, k: lax.dynamic_update_index_in_dim(m, y[:4], k[1], axis=0), (M, Y, K)), (lambda x, k: lax.dynamic_update_index_in_dim(x, 7.0, k[0], 0), (X, K))],
    "reduce_sum": [(lambda x: lax.reduce_sum(x, (0, 2)), (IMAGE,))], "reduce_prod": [(lambda x: lax.reduce_prod(x, (1,)), (M,))],
    "reduce_max": [(lambda x: lax.reduce_max(x, (0,)), (M,)), (lambda x: np.maximum(lax.reduce_max(x[:0], (0,)), -1.0), (M,)), (lambda k: lax.reduce_max(k[:0], (0,)), (K,))],
    "reduce_min": [(lambda x: lax.reduce_min(x, (0, 1)), (M,)), (lambda x: np.minimum(lax.reduce_min(x[:, :0], (1,)), 1.0), (M,))],
    "reduce_and": [(lambda x: lax.reduce_and(x > -1.0, (0,)), (M,)), (lambda k: lax.reduce_and(k, (0,)), (K,))],
    "reduce_or": [(lambda x: lax.reduce_or(x > 1.0, (1,)), (M,)), (lambda k: lax.reduce_or(k.astype(np.int8), (0,)), (K,))],
    "reduce_xor": [(lambda x: lax.reduce_xor(x > 1.0, (1,)), (M,)), (lambda k: lax.reduce_xor(k, (0,)), (K,))],
    "conj": [(lambda x: lax.conj(x), (X,)), (lambda x: lax.conj(x + 2j), (X,))],
    "reduce": [(lambda x: lax.reduce(x, 1.0, np.multiply, (0,)), (M,)), (lambda x: lax.reduce(x, 0.0, lambda a, b: np.hypot(a, b), (0, 2)), (IMAGE,)), (lambda x: lax.reduce(x, 0.0, lax.add, (0,)), (X,))],
    "reduce_window": [(lambda x: lax.reduce_window(x, -np.inf, np.maximum, (2, 2), (1, 2), "VALID"), (M,)), (lambda x: lax.reduce_window(x, 0.0, np.add, (3,), (2,), "SAME"), (X,)),
                      (lambda x: lax.reduce_window(x, 0.0, lambda a, b: a + b, (2,), (1,), [(1, 0)]), (X,)), (lambda x: lax.reduce_window(x, 0.0, np.add, (2, 2), base_dilation=(2, 1), window_dilation=(1, 2)), (M,))],
    "cumsum": [(lambda x: lax.cumsum(x, 1), (M,)), (lambda x: lax.cumsum(x, reverse=True), (M,))], "cumprod": [(lambda x: lax.cumprod(x, 1, True), (M,))],
    "cummax": [(lambda x: lax.cummax(x, 1), (M,)), (lambda x: lax.cummax(x, reverse=True), (X,))], "cummin": [(lambda x: lax.cummin(x), (M,))],
    "cumlogsumexp": [(lambda x: lax.cumlogsumexp(x, 0), (M,)), (lambda x: lax.cumlogsumexp(x, 0, True), (X,))],
    "argmax": [(lambda x: lax.argmax(x, 1, np.int32), (M,))], "argmin": [(lambda x: lax.argmin(x, 0, np.int64), (M,))],
    "sort": [(lax.sort, (X,)), (lambda x: lax.sort(x, 0), (M,)), (lambda k, x, y: lax.sort((k, x, y)), (K, X, Y)), (lambda k, x, y: lax.sort((k, x, y), num_keys=2), (K, X, Y))],
    "sort_key_val": [(lambda k, x: lax.sort_key_val(k, x), (K, X)), (lambda x, y: lax.sort_key_val(x, y), (X, Y))],
    "top_k": [(lambda x: lax.top_k(x, 3), (X,)), (lambda x: lax.top_k(x, 2), (M,))],
    "dot": [(lax.dot, (X, Y)), (lax.dot, (M, N)), (lambda a, b: lax.dot(a, b, preferred_element_type=np.float32), (M, N))],
    "batch_matmul": [(lambda m: lax.batch_matmul(np.stack([m, m * 2.0]), np.stack([m.T, m.T])), (M,))],
    "dot_general": [(lambda a, b: lax.dot_general(a, b, (((1,), (0,)), ((), ()))), (M, N)), (lambda a: lax.dot_general(a, a, (((3,), (3,)), ((0, 2), (0, 2)))), (IMAGE,)), (lambda a, b: lax.dot_general(a, b, (((), ()), ((), ()))), (X, Y))],
    "conv": [(lambda x, k: lax.conv(x, k[:, :1], (2, 1), "SAME"), (IMAGE[:, :1], KERNEL))],
    "conv_general_dilated": [
        (lambda x, k: lax.conv_general_dilated(x, k, (2, 1), [(1, 0), (0, 2)], feature_group_count=2), (IMAGE, KERNEL)),
        (lambda x, k: lax.conv_general_dilated(x, k, (1, 1), [(0, 0), (0, 0)], lhs_dilation=(1, 2), rhs_dilation=(2, 1), feature_group_count=2), (IMAGE, KERNEL)),
        (lambda x, k: lax.conv_general_dilated(x, k, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC")), (RNG.normal(size=(2, 6, 3)), RNG.normal(size=(3, 3, 2)))),
    ],
}  # fmt: skip
"""Function -> programs that call it, with their arguments."""
EACH = [pytest.param(fun, args, id=f"{name}-{number}") for name, cases in CASES.items() for number, (fun, args) in enumerate(cases)]


def test_every_function_is_tested():
    assert set(CASES) == set(LAX)


def same(found: Any, wanted: Any) -> None:
    for one, two in zip(tree_leaves(found), tree_leaves(wanted), strict=True):
        assert (np.shape(one), np.asarray(one).dtype) == (np.shape(two), np.asarray(two).dtype)
        np.testing.assert_allclose(one, two, rtol=1e-12 if np.asarray(two).dtype.itemsize > 4 else 1e-5, atol=1e-13)


@pytest.mark.parametrize(("fun", "args"), EACH)
def test_read_as_it_stands(fun, args):
    wanted = fun(*args)
    same(run(fun, *args)[0], wanted)
    same(s2s.jit(fun, target="numpy")(*args), wanted)


@pytest.mark.parametrize(("fun", "args"), [each for each in EACH if not each.id.startswith(("argm", "reduce_and", "reduce_or", "reduce_xor", "round"))])
def test_derivatives(fun, args):
    def total(*args: Any) -> Any:
        return sum(np.sum(np.sin(np.real(leaf)) + np.imag(leaf) ** 2) for leaf in tree_leaves(fun(*args)) if leaf.dtype.kind in "fc")

    wrt = tuple(number for number, arg in enumerate(args) if arg.dtype.kind == "f")
    outs = [np.asarray(leaf) for leaf in tree_leaves(fun(*args))]
    if wrt and all(out.dtype in (np.float64, np.complex128, np.int64) for out in outs) and any(out.dtype.kind in "fc" for out in outs):
        rest = {number: arg for number, arg in enumerate(args) if number not in wrt}
        scalar = s2s.jit(lambda *given: total(*(rest.get(number, given[wrt.index(number)] if number in wrt else None) for number in range(len(args)))), target="numpy")
        s2s.check_grads(scalar, tuple(args[number] for number in wrt), order=1, modes=("fwd", "rev"))


def test_against_direct_sums():
    x, k = IMAGE, KERNEL
    found = lax.conv_general_dilated(x, k, (2, 1), [(1, 0), (0, 2)], feature_group_count=2)
    padded = np.pad(x, ((0, 0), (0, 0), (1, 0), (0, 2)))
    for b, o, i, j in np.ndindex(*found.shape):
        group = o // 3
        part = padded[b, 2 * group : 2 * group + 2, 2 * i : 2 * i + 3, j : j + 2]
        assert found[b, o, i, j] == pytest.approx(np.sum(part * k[o]), rel=1e-12)


def test_compiled():
    def f(x, k, image, kernel):
        return lax.top_k(x, 2), lax.dynamic_slice(x, (k[0],), (2,)), lax.conv(image, kernel, (1, 1), "SAME"), lax.sort_key_val(k, x)

    args = (X, K, IMAGE[:, :2], KERNEL)
    same(s2s.jit(f)(*args), f(*args))


@pytest.mark.parametrize("name", ["erf", "lgamma", "digamma", "logistic"])
def test_functions_of_scipy(name):
    if getattr(lax, name) in s2s.transforms.read.numpy.table.NUMPY_FUNCTIONS:  # those that are read
        fun = s2s.jit(lambda x: getattr(lax, name)(x), target="numpy")
        np.testing.assert_allclose(fun(np.abs(X)), getattr(lax, name)(np.abs(X)), rtol=1e-13)


def test_unknown_names_are_no_attributes():
    with pytest.raises(AttributeError, match="no attribute 'frobnicate'"):
        lax.frobnicate
