"""Derivatives of products whose cotangents repeat: sums in the place of products of matrices, numbers in the place of arrays handed to helpers."""
from __future__ import annotations

import numpy as np
import pytest

import s2s
from s2s.transforms.ir.program import Call, Equation, callees, walk
from s2s.transforms.primitives.contract import contract
from s2s.transforms.primitives.structural import broadcast


def total(a, b):
    return np.sum(a @ b)


def mean(a, b):
    return np.mean(2.0 * (a @ b) * 3.0)


def weighted(a, b, v):
    return np.sum(np.sum(a @ b, axis=0) * v)


def rows(a, b, w):
    return np.sum(np.sum(a @ b, axis=1) * w)


def product(a, b):
    return a @ b * 0.5


def helped(a, b):
    return np.sum(product(a, b)) + np.sum(product(a, b) ** 2)


def batched(a, b):
    return np.sum(np.einsum("bij,bjk->bik", a, b))


def transposed(a, b):
    return np.sum((a @ b).T)


def own_factor(a, b, s):
    return np.sum(a @ b) * s


def of_shown_size(p, q):
    """A product whose operands' equal lengths are a number and a name."""
    return np.sum((p + np.zeros((2, 3))) @ q @ q)


def matrices(*shapes):
    rng = np.random.default_rng(sum(map(sum, shapes)))
    return tuple(rng.normal(size=shape) for shape in shapes)


CASES = [
    (total, matrices((3, 4), (4, 5))), (total, matrices((3, 0), (0, 5))), (total, matrices((0, 4), (4, 5))), (total, matrices((1, 4), (4, 1))),
    (mean, matrices((3, 4), (4, 5))), (weighted, matrices((3, 4), (4, 5), (5,))), (rows, matrices((3, 4), (4, 5), (3,))), (helped, matrices((3, 4), (4, 5))),
    (batched, matrices((2, 3, 4), (2, 4, 5))), (transposed, matrices((3, 4), (4, 5))), (own_factor, (*matrices((3, 4), (4, 5)), 1.5)),
    (of_shown_size, matrices((3,), (3, 3))), (total, tuple(1j * x + x[::-1] for x in matrices((3, 4), (4, 5)))),
]  # fmt: skip


def differences(fun, args, step=1e-6):
    """The gradient by central differences, of each array's real parts."""
    found = []
    for number, array in enumerate(args):
        bar = np.zeros(np.shape(array))
        for at in np.ndindex(np.shape(array)):
            moved = [np.array(each, copy=True) for each in args]
            moved[number][at] += step
            up = np.real(fun(*moved))
            moved[number][at] -= 2 * step
            bar[at] = (up - np.real(fun(*moved))) / (2 * step)
        found.append(bar)
    return found


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize(("fun", "args"), CASES, ids=lambda each: getattr(each, "__name__", ""))
def test_gradients_of_products_with_repeated_cotangents(fun, args, target):
    if target == "cpu" and fun not in (total, helped, weighted):
        return
    gradient = s2s.grad(lambda *args: np.real(fun(*args)), argnums=tuple(range(len(args))))
    with s2s.disable_jit(target == "numpy"):
        found = [np.real(bar) for bar in gradient(*args)]
    for one, two in zip(found, differences(fun, args), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-6, atol=1e-7)


def products(program):
    """Of how many axes the operands of each product are, helpers' included."""
    functions = {program, *callees(program)}
    return [
        tuple(atom.type.ndim for atom in node.ins) for function in functions for node in walk(function.body) if isinstance(node, Equation) and node.primitive is contract
    ]


@pytest.mark.parametrize(("fun", "args"), [case for case in CASES[4:7] + CASES[:1] if case[0] is not helped], ids=lambda each: getattr(each, "__name__", ""))
def test_no_product_of_matrices_is_left(fun, args):
    program = s2s.grad(fun, argnums=(0, 1)).program(*args)
    assert not [ranks for ranks in products(program) if ranks == (2, 2)]


def only_summed(a, b):
    return np.sum(product(a, b))


def test_a_helper_gets_the_number():
    program = s2s.grad(only_summed, argnums=(0, 1)).program(*matrices((3, 4), (4, 5)))
    assert [node for node in walk(program.body) if isinstance(node, Call) and node.outs]
    assert not [node for node in walk(program.body) if isinstance(node, Equation) and node.primitive is broadcast]
    assert (2, 2) not in products(program)


def test_the_users_own_product_with_ones_stays():
    def own(b):
        return np.ones((3, 4)) @ b

    assert (2, 2) in products(s2s.jit(own).program(np.zeros((4, 5))))
