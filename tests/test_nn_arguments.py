"""Arguments of nn's functions that few use, beside JAX 0.10.2's numbers: what takes part, signs of sums, windows and lengths of attention."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2s
from s2s import nn

M = np.array([[1.0, -2.0, 0.5], [0.0, 3.0, -1.0]])
W = np.array([[True, False, True], [True, True, False]])
NONE = np.array([[True, False, True], [False, False, False]])
RNG = np.random.default_rng(1)
Q, K, V = RNG.normal(size=(2, 4, 4, 3)), RNG.normal(size=(2, 5, 2, 3)), RNG.normal(size=(2, 5, 2, 3))


def both(function: Any, *args: Any) -> Any:
    """What a function gives, as it stands and when it is read."""
    plain, read = function(*args), s2s.jit(function, target="numpy")(*args)
    for one, two in zip(s2s.tree.leaves(plain), s2s.tree.leaves(read), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-13)
    return plain


def test_softmax_of_those_that_take_part() -> None:
    found = both(lambda x: nn.softmax(x, where=NONE), M)
    np.testing.assert_allclose(found, [[0.62245933, 0.0, 0.37754067], [0.0, 0.0, 0.0]], atol=1e-8)
    with s2s.disable_jit():
        slope = s2s.grad(lambda x: np.sum(nn.softmax(x, where=NONE) ** 2))(M)
        np.testing.assert_allclose(slope[1], 0.0)
        s2s.check_grads(lambda x: nn.softmax(x, where=W), (M,), order=2)


def test_signs_of_weighted_sums() -> None:
    found, sign = both(lambda x: nn.logsumexp(x, b=np.array([1.0, -1.0, 2.0]), axis=1, return_sign=True), M)
    np.testing.assert_allclose(found, [1.77162293, 2.90961748], rtol=1e-8)
    assert sign.tolist() == [1.0, -1.0]
    whole, sign = both(lambda x: nn.logsumexp(x, return_sign=True, where=W), M)
    assert whole == pytest.approx(np.log(np.sum(np.exp(M[W]))))
    assert (np.shape(nn.logsumexp(M, axis=0, keepdims=True, return_sign=True)[0]), sign) == ((1, 3), 1.0)
    with s2s.disable_jit():
        s2s.check_grads(lambda x: nn.logsumexp(x, b=np.array([1.0, -2.0, 0.0]), axis=1, return_sign=True)[0], (M,), order=1)


def test_standardize_by_those_that_take_part() -> None:
    found = both(lambda x: nn.standardize(x, where=W), M)
    np.testing.assert_allclose(found, [[0.99992001, -10.99912011, -0.99992001], [-0.99999778, 0.99999778, -1.66666296]], rtol=1e-7)


def test_attention_sees_windows_and_lengths() -> None:
    places = np.arange(4)[:, None], np.arange(5)
    lengths, sizes = np.array([2, 4]), np.array([3, 5])

    def by_mask(mask: Any) -> Any:
        return nn.dot_product_attention(Q, K, V, mask=np.broadcast_to(mask, (2, 4, 4, 5)))

    window = both(lambda q, k, v: nn.dot_product_attention(q, k, v, local_window_size=(2, 0)), Q, K, V)
    np.testing.assert_allclose(window, by_mask((places[0] <= places[1] + 2) & (places[0] >= places[1])))
    np.testing.assert_allclose(nn.dot_product_attention(Q, K, V, local_window_size=1), by_mask(np.abs(places[0] - places[1]) <= 1))
    within = both(lambda q, k, v, n: nn.dot_product_attention(q, k, v, key_value_seq_lengths=n), Q, K, V, sizes)
    np.testing.assert_allclose(within, by_mask(places[1] < sizes[:, None, None, None]))
    found = both(lambda q, k, v, n: nn.dot_product_attention(q, k, v, query_seq_lengths=n), Q, K, V, lengths)
    np.testing.assert_allclose(found[0, :2], by_mask(True)[0, :2])
    np.testing.assert_array_equal(found[0, 2:], 0.0)
    out, residual = both(lambda q, k, v: nn.dot_product_attention(q, k, v, return_residual=True), Q, K, V)
    assert (out.shape, residual.shape) == ((2, 4, 4, 3), (2, 4, 4))
    with s2s.disable_jit():
        s2s.check_grads(lambda q, k, v: nn.dot_product_attention(q, k, v, is_causal=True, query_seq_lengths=lengths), (Q, K, V), order=1)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: nn.dot_product_attention(Q, K, V, implementation="x"), "Unsupported implementation option: x"), (lambda: nn.dot_product_attention(Q, K, V[:, :3]), "value shape should be"),
        (lambda: nn.dot_product_attention(Q[0], K, V), "query shape should be"), (lambda: nn.dot_product_attention(Q[:, :, :3], K, V), "The number of query heads must be a multiple of key/value heads, but got 3 vs 2"),
        (lambda: nn.dot_product_attention(Q, K, V, mask=np.ones((2, 4, 4, 5))), "mask dtype should be bool, but got float64"),
    ],
)  # fmt: skip
def test_conditions_of_attention(call: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


def test_numbers_of_classes() -> None:
    with pytest.raises(TypeError, match="must have every element be nonnegative"):
        nn.one_hot(np.array([0]), -1)
