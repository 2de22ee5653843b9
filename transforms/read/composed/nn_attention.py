"""s2s.nn.dot_product_attention, by the contract of `jax.nn` (documentation of version 0.10). Scores are made in the arrays' own precision."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import constant
from s2s.transforms.read.composed.nn import logsumexp, softmax


def dot_product_attention(
    query: Any, key: Any, value: Any, bias: Any = None, mask: Any = None, *, scale: Any = None, is_causal: bool = False, query_seq_lengths: Any = None,
    key_value_seq_lengths: Any = None, local_window_size: Any = None, implementation: Any = None, return_residual: bool = False,
) -> Any:  # fmt: skip
    """softmax(query key^T scale + bias) value for each head: query (…, T, N, H), key and value (…, S, K, H), N a multiple of K.

    `scale` is 1 / sqrt(H) unless given; `mask` (…, N, T, S) says which pairs take part, `is_causal` only those up to the query's own place, `local_window_size` those
    so near to it, the lengths (one for each example) those within. `return_residual`: the logarithms of the sums (…, T, N) too, of which no derivative is taken
    (Vaswani et al. 2017).

    >>> dot_product_attention(np.zeros((2, 1, 3)), np.zeros((2, 1, 3)), np.arange(6.0).reshape(2, 1, 3))[0, 0]
    array([1.5, 2.5, 3.5])
    """
    single = np.ndim(query) == 3
    query, key, value = _examples(query), _examples(key), _examples(value)
    _check(query, key, value, mask, implementation)
    groups = query.shape[-2] // key.shape[-2]
    key, value = np.repeat(key, groups, axis=-2), np.repeat(value, groups, axis=-2)
    factor = 1.0 / math.sqrt(query.shape[-1]) if scale is None else scale
    logits = factor * np.einsum("...tnh,...snh->...nts", query, key)
    if bias is not None:
        logits = logits + bias
    rows, columns = np.arange(query.shape[-3])[:, None], np.arange(key.shape[-3])
    if mask is not None:
        logits = np.where(mask, logits, -1e30)
    if is_causal:
        logits = np.where(columns <= rows, logits, -1e30)
    if local_window_size is not None:
        left, right = (local_window_size, local_window_size) if isinstance(local_window_size, int) else local_window_size
        logits = np.where((rows <= columns + left) & (rows >= columns - right), logits, -1e30)
    if query_seq_lengths is not None:
        logits = np.where(rows < query_seq_lengths[..., None, None, None], logits, -1e30)
    if key_value_seq_lengths is not None:
        logits = np.where(columns < key_value_seq_lengths[..., None, None, None], logits, -1e30)
    found = np.einsum("...nts,...snh->...tnh", softmax(logits), value)
    if query_seq_lengths is not None:
        found = np.where(rows[..., None] < query_seq_lengths[..., None, None, None], found, 0.0)
    sums = constant(np.swapaxes(logsumexp(logits, -1), -1, -2)) if return_residual else None
    if single:
        found, sums = found[0], None if sums is None else sums[0]
    return (found, sums) if return_residual else found


def _examples(x: Any) -> Any:
    """With an axis of examples, one where there was none."""
    return x[None] if np.ndim(x) == 3 else x


def _check(query: Any, key: Any, value: Any, mask: Any, implementation: Any) -> None:
    """What does not go together."""
    if implementation not in (None, "xla", "cudnn"):
        raise ValueError(f"Unsupported implementation option: {implementation}")
    if np.shape(value) != np.shape(key):
        raise ValueError(f"value shape should be {np.shape(key)}: but got {np.shape(value)}")
    if np.ndim(query) != np.ndim(key) or np.shape(query)[:-3] != np.shape(key)[:-3] or np.shape(query)[-1] != np.shape(key)[-1]:
        raise ValueError(f"query shape should be that of key, {np.shape(key)}, but for the last but second and third axis: but got {np.shape(query)}")
    if np.shape(query)[-2] % np.shape(key)[-2] != 0:
        raise ValueError(f"The number of query heads must be a multiple of key/value heads, but got {np.shape(query)[-2]} vs {np.shape(key)[-2]}")
    if mask is not None and np.asarray(mask).dtype.kind != "b":
        raise ValueError(f"mask dtype should be bool, but got {np.asarray(mask).dtype}")


EXPORTED = {"dot_product_attention": dot_product_attention}
"""By the names that they have in s2s.nn."""
