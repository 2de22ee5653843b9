"""lax.scan and lax.fori_loop emit the loop that the user would have written: the same text up to names."""
from __future__ import annotations

import io
import keyword
import tokenize

import numpy as np
import pytest
from loop_pairs import PAIRS

import s2s


def canonical(text):
    """The tokens, without comments and docstrings; names numbered in the order in which they stand."""
    names: dict[str, str] = {}
    found = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.COMMENT, tokenize.NL) or token.string.startswith('"""'):
            continue
        if token.type == tokenize.NAME and not keyword.iskeyword(token.string):
            found.append(names.setdefault(token.string, f"name{len(names)}"))
        else:
            found.append(token.string)
    return found


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("name", PAIRS)
def test_same_text(name, target):
    by_hand, by_lax, make = PAIRS[name]
    texts = [s2s.jit(fun, target=target).source(*make(5)) for fun in (by_hand, by_lax)]
    assert canonical(texts[0]) == canonical(texts[1])


@pytest.mark.parametrize("name", [name for name in PAIRS if name != "smoothing"])
def test_gradients_have_as_many_statements(name):
    """What is independent of each other may stand in another order. (The smoothing step copies what it is given, which the loop by hand does once.)"""
    by_hand, by_lax, make = PAIRS[name]
    texts = [s2s.grad(s2s.jit(lambda x, y, fun=fun: total(fun(x, y)))).source(*make(5)) for fun in (by_hand, by_lax)]
    assert len({canonical(text).count("\n") for text in texts}) == 1


def total(tree):
    return s2s.tree_util.tree_reduce(lambda one, two: one + two, s2s.tree_util.tree_map(np.sum, tree))


@pytest.mark.parametrize("name", PAIRS)
def test_same_numbers(name):
    by_hand, by_lax, make = PAIRS[name]
    for n in (0, 1, 7):
        args = make(n)
        for one, two in zip(*(s2s.tree_util.tree_leaves(fun(*args)) for fun in (by_hand, s2s.jit(by_lax, target="numpy"))), strict=True):
            np.testing.assert_allclose(two, one, rtol=1e-15)
