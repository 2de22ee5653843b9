"""s2s.scipy.sparse.linalg's solvers under JAX's signature: solutions, derivatives, containers."""
from __future__ import annotations

import numpy as np
import pytest

import s2s
from s2s.scipy.sparse import linalg

A = np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 2.0]])
B = A + np.array([[0.0, 0.5, 0.0], [0.0, 0.0, 0.0], [0.1, 0.0, 0.0]])
RIGHT = np.array([1.0, 2.0, 3.0])
TREE = {"x": np.array([1.0, 2.0]), "y": (np.array([0.5, 1.0]), 3.0)}
SOLVERS = [("cg", A), ("gmres", A), ("gmres", B), ("bicgstab", B)]


def coupled(v):
    total = np.sum(v["x"]) + v["y"][1]
    return {"x": 4.0 * v["x"] + 0.5 * total, "y": (3.0 * v["y"][0], 5.0 * v["y"][1] + 0.5 * np.sum(v["x"]))}


@pytest.mark.parametrize(("name", "matrix"), SOLVERS)
def test_solutions_and_derivatives(name, matrix):
    solver = getattr(linalg, name)

    def loss(scale, right):
        return np.sum(np.sin(solver(lambda v: scale * (matrix @ v), right, tol=1e-13)[0]))

    def wanted(scale, right):
        return np.sum(np.sin(np.linalg.solve(scale * matrix, right)))

    np.testing.assert_allclose(solver(matrix, RIGHT, tol=1e-13, M=lambda v: v / np.diag(matrix))[0], np.linalg.solve(matrix, RIGHT), rtol=1e-9)
    on_numpy, other = s2s.jit(loss, target="numpy"), s2s.jit(wanted, target="numpy")
    for one, two in zip(s2s.value_and_grad(on_numpy, (0, 1))(1.5, RIGHT)[1], s2s.value_and_grad(other, (0, 1))(1.5, RIGHT)[1], strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-8)
    np.testing.assert_allclose(s2s.vmap(on_numpy, (0, None))(np.array([1.0, 2.0]), RIGHT), [wanted(1.0, RIGHT), wanted(2.0, RIGHT)], rtol=1e-9)


@pytest.mark.parametrize("name", ["cg", "gmres", "bicgstab"])
def test_containers(name):
    solver = getattr(linalg, name)
    for found in (solver(coupled, TREE, tol=1e-12), s2s.jit(lambda tree: solver(coupled, tree, tol=1e-12), target="numpy")(TREE)):
        assert found[1] is None
        for one, two in zip(s2s.tree.leaves(coupled(found[0])), s2s.tree.leaves(TREE), strict=True):
            np.testing.assert_allclose(one, two, rtol=1e-9)


def test_refused():
    with pytest.raises(ValueError, match="linear operator must be a square matrix"):
        linalg.cg(A[:2], RIGHT)
    with pytest.raises(ValueError, match="invalid solve_method exact"):
        linalg.gmres(A, RIGHT, solve_method="exact")
    with pytest.raises(ValueError, match="must have matching shapes"):
        linalg.cg(A, RIGHT, np.zeros(2))
    assert linalg.spsolve.__module__.startswith("scipy")


def test_as_jax():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    theirs = jax.scipy.sparse.linalg
    for name, matrix in SOLVERS:
        np.testing.assert_allclose(getattr(linalg, name)(matrix, RIGHT, tol=1e-12)[0], getattr(theirs, name)(matrix, RIGHT, tol=1e-12)[0], rtol=1e-9)
