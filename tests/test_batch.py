"""Batching row by row: the batched program is the stack of the examples' results; what is the same for all examples is computed once."""
import numpy as np
import pytest
from row_batches import batch

import s2s
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import Equation, walk
from s2s.transforms.ir.verify import verify

RNG = np.random.default_rng(0)
SIZE = 4


def straight(A, x, s):
    return np.sin(A @ x) * s, np.sum(x), A * 2.0


def slices(A, x, s):
    return x[1:], x[::-1], np.concatenate([x, A[0]]), A[:, 1] + s


FUNCTIONS = [straight, slices]
MASKS = [(True, False, False), (False, True, False), (False, False, True), (True, True, True)]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("mask", MASKS, ids=str)
def test_the_batch_is_the_stack_of_the_examples(function, mask):
    example = (RNG.normal(size=(3, 3)), RNG.normal(size=3), 0.5)
    program = s2s.jit(function, target="numpy").program(*example)
    assert [param.name for param in program.params] == ["A", "x", "s"]
    many = tuple(RNG.normal(size=(SIZE, *np.shape(arg))) if on else arg for arg, on in zip(example, mask, strict=True))
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


def test_a_fixed_number_of_examples():
    program = s2s.jit(straight, target="numpy").program(np.ones((3, 3)), np.ones(3), 0.5)
    batched, _ = batch(program, (False, True, False), size=SIZE)
    assert batched.params[1].type.shape[0] == SIZE
    assert interpret(batched, np.eye(3), RNG.normal(size=(SIZE, 3)), 1.0)[0].shape == (SIZE, 3)
