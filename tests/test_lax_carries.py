"""Loops of lax that run as plain Python say what JAX says of a trip that changes what is carried."""
from __future__ import annotations

import numpy as np
import pytest

from s2s import lax

X = np.arange(3.0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1][:2]), (0, X)), r"while_loop body function carry input and carry output must have equal types, but they differ:\n\nThe input carry component c\[1\] has type float64\[3\] but the corresponding output carry component has type float64\[2\], so the shapes do not match"),
        (lambda: lax.while_loop(lambda x: x.sum() < 3, lambda x: (x, x), X[:2]), "must have the same pytree structure, but they differ:\n\nThe input carry x is a pytree leaf but the corresponding component of the carry output is a <class 'tuple'>, so their Python types differ"),
        (lambda: lax.fori_loop(0, 3, lambda i, total: total.astype(np.float32), X), r"fori_loop body function carry input .*\n\nThe input carry total has type float64\[3\] but the corresponding output carry component has type float32\[3\], so the dtypes do not match"),
        (lambda: lax.scan(lambda carry, x: ({"a": carry}, x), 1.0, X), "scan body function carry input and carry output must have the same pytree structure"),
        (lambda: lax.scan(lambda carry, x: (carry + X, x), np.float64(1.0), X), r"the input carry|The input carry carry has type float64\[\] but the corresponding output carry component has type float64\[3\]"),
        (lambda: lax.scan(lambda carry, x: carry + x, 0.0, X), "scan body output must be a pair, got 0.0"),
        (lambda: lax.scan(lambda carry, x: carry + x, 0.0, X[:0]), "scan body output must be a pair"),
    ],
)  # fmt: skip
def test_words(call, words):
    with pytest.raises(TypeError, match=words):
        call()


def test_numbers_of_python_take_the_other_dtype():
    assert lax.scan(lambda total, x: (total + x, total), 0, X)[0] == 3.0
    assert lax.fori_loop(0, 3, lambda i, x: x * 2, 1) == 8
    assert lax.while_loop(lambda x: x < 3, lambda x: x + np.float32(1.0), 0.0) == 3.0
    carry, _ = lax.scan(lambda carry, x: ((carry[0] + 1, carry[1] * x), None), (0, {"a": X}["a"]), X)
    assert carry[0] == 3
