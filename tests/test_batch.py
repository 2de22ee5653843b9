"""Batching: the batched program is the stack of the examples' results; what is the same for all examples is computed once."""
import numpy as np
import pytest

import s2s
from s2s.errors import UnsupportedError
from s2s.transforms.batching.batch import batch
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import Equation, walk
from s2s.transforms.ir.verify import verify

RNG = np.random.default_rng(0)
SIZE = 4


def straight(A, x, s):
    return np.sin(A @ x) * s, np.sum(x), A * 2.0


def loop(A, x, s):
    y = np.zeros(len(x))
    total = 0.0
    for i in range(len(x)):
        total = total * s + x[i]
        y[i] = total * A[0, i]
    return y, total


def branch(A, x, s):
    if A[0, 0] > 0.0:
        y = x * s
    else:
        y = np.zeros(len(x))
    return y


def while_loop(A, x, s):
    k = 0
    y = x * 1.0
    while k < 3:
        y[1:] = y[:-1] * s + A[k, 1:]
        k += 1
    return y, k


def helper(x, s):
    total = 0.0
    for i in range(len(x)):
        total += x[i] * s
    return total, s * 2.0


def calls(A, x, s):
    one, two = helper(x, s)
    three, four = helper(A[0], s)
    return one + two * three, four, helper(A[1], 2.0)[0]


def slices(A, x, s):
    return x[1:], x[::-1], np.concatenate([x, A[0]]), A[:, 1] + s


FUNCTIONS = [straight, loop, branch, while_loop, calls, slices]
MASKS = [(True, False, False), (False, True, False), (False, False, True), (True, True, True)]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("mask", MASKS, ids=str)
def test_the_batch_is_the_stack_of_the_examples(function, mask):
    example = (RNG.normal(size=(3, 3)), RNG.normal(size=3), 0.5)
    program = s2s.jit(function, target="numpy").program(*example)
    assert [param.name for param in program.params] == ["A", "x", "s"]
    many = tuple(RNG.normal(size=(SIZE, *np.shape(arg))) if on else arg for arg, on in zip(example, mask, strict=True))
    if function is branch and mask[0]:
        with pytest.raises(UnsupportedError, match="differs from example to example") as caught:
            batch(program, mask)
        assert caught.value.where.line
        return
    batched, on = batch(program, mask)
    verify(batched)
    found = interpret(batched, *many)
    each = [interpret(program, *(arg[k] if is_on else arg for arg, is_on in zip(many, mask, strict=True))) for k in range(SIZE)]
    for number, (result, is_on) in enumerate(zip(found, on, strict=True)):
        if is_on:
            np.testing.assert_allclose(result, np.stack([results[number] for results in each]), rtol=1e-12)
        else:
            for results in each:
                np.testing.assert_allclose(result, results[number], rtol=1e-12)


def test_what_is_the_same_for_all_examples_is_computed_once():
    program = s2s.jit(straight, target="numpy").program(np.ones((3, 3)), np.ones(3), 0.5)
    batched, on = batch(program, (False, False, True))
    assert on == (True, False, False)
    assert all(node.outs[0].type.ndim <= 2 for node in walk(batched.body) if isinstance(node, Equation))
    (product,) = (node for node in walk(batched.body) if isinstance(node, Equation) and node.primitive.name == "contract")
    assert product.outs[0].type.ndim == 1


def test_a_product_of_a_matrix_with_a_batched_vector_is_one_product():
    program = s2s.jit(straight, target="numpy").program(np.ones((3, 3)), np.ones(3), 0.5)
    batched, _ = batch(program, (False, True, False))
    (product,) = (node for node in walk(batched.body) if isinstance(node, Equation) and node.primitive.name == "contract")
    assert product.outs[0].type.ndim == 2


def test_helpers_are_batched_once_for_the_same_arguments():
    def twice(A, x, s):
        return helper(x, s)[0] * helper(x + 1.0, s)[0]

    program = s2s.jit(twice, target="numpy").program(np.ones((3, 3)), np.ones(3), 0.5)
    batched, _ = batch(program, (False, True, False))
    called = [node.function for node in walk(batched.body) if hasattr(node, "function")]
    assert len(called) == 2
    assert called[0] is called[1]


def test_a_fixed_number_of_examples():
    program = s2s.jit(straight, target="numpy").program(np.ones((3, 3)), np.ones(3), 0.5)
    batched, _ = batch(program, (False, True, False), size=SIZE)
    assert batched.params[1].type.shape[0] == SIZE
    assert interpret(batched, np.eye(3), RNG.normal(size=(SIZE, 3)), 1.0)[0].shape == (SIZE, 3)
