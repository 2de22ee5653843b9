"""scipy.spatial.transform: rotations beside SciPy's own, with derivatives, batches and the errors."""
from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

import s2s

RNG = np.random.default_rng(3)
VECTORS = RNG.normal(size=(5, 3))
QUATS = RNG.normal(size=(5, 4))
MATRICES = Rotation.from_quat(QUATS).as_matrix()
OUTSIDE = Rotation.from_rotvec([0.1, -0.4, 0.3])
TURNS = np.array([[0.0, 0.0, 0.0], [1e-9, 0.0, 0.0], [1e-5, 2e-5, 0.0], [0.3, -0.2, 0.1], [3.0, 0.5, 0.2], [0.0, 4.0, 0.0]])

PROGRAMS = {
    "vectors": (lambda v: Rotation.from_rotvec(v).as_matrix(), TURNS), "a vector": (lambda v: Rotation.from_rotvec(v).apply(VECTORS), TURNS[3]),
    "degrees": (lambda v: Rotation.from_rotvec(v * 90.0, degrees=True).as_rotvec(degrees=True), TURNS[3:]), "there and back": (lambda v: Rotation.from_rotvec(v).as_rotvec(), TURNS),
    "one angle": (lambda v: Rotation.from_euler("z", v[0]).apply(VECTORS), VECTORS[0]), "one angle each": (lambda v: Rotation.from_euler("y", v[:, :1]).as_matrix(), VECTORS),
    "two angles": (lambda v: Rotation.from_euler("XY", v[:2], degrees=True).as_quat(), VECTORS[0] * 50.0), "quaternions": (lambda q: Rotation.from_quat(q).as_quat(canonical=True), QUATS),
    "scalar first": (lambda q: Rotation.from_quat(q, scalar_first=True).as_quat(scalar_first=True), QUATS), "matrices": (lambda m: Rotation.from_matrix(m).as_quat(canonical=True), MATRICES),
    "nearly": (lambda m: Rotation.from_matrix(m).as_rotvec(), MATRICES + 0.05 * RNG.normal(size=(5, 3, 3))), "as they are": (lambda m: Rotation.from_matrix(m, assume_valid=True).as_matrix(), MATRICES),
    "products": (lambda v: (Rotation.from_rotvec(v) * Rotation.from_euler("xyz", v[::-1])).as_matrix(), VECTORS), "one by many": (lambda v: (Rotation.from_rotvec(v[0]) * Rotation.from_rotvec(v)).as_matrix(), VECTORS),
    "inverse": (lambda v: Rotation.from_rotvec(v).inv().apply(v[::-1]), VECTORS), "applied inversely": (lambda v: Rotation.from_rotvec(v).apply(v[::-1], inverse=True), VECTORS),
    "one of many": (lambda v: Rotation.from_rotvec(v)[2].apply(v), VECTORS), "some": (lambda v: Rotation.from_rotvec(v)[1:3].as_matrix(), VECTORS), "power": (lambda v: (Rotation.from_rotvec(v) ** 0.5).as_rotvec(), VECTORS),
    "magnitude": (lambda v: Rotation.from_rotvec(v).magnitude(), VECTORS), "a magnitude": (lambda v: Rotation.from_rotvec(v[0]).magnitude(), VECTORS), "outside": (lambda v: OUTSIDE.apply(v) @ (OUTSIDE * Rotation.from_rotvec(v[0])).as_matrix(), VECTORS),
    "mean": (lambda v: Rotation.from_rotvec(0.3 * v).mean().as_matrix(), VECTORS), "weighed": (lambda v: Rotation.from_rotvec(0.3 * v).mean([1.0, 2.0, 0.5, 1.0, 0.1]).as_matrix(), VECTORS),
    "identity": (lambda v: (Rotation.identity() * Rotation.from_rotvec(v[0])).as_matrix() + Rotation.identity(2).as_matrix(), VECTORS), "aligned": (lambda v: Rotation.align_vectors(v, VECTORS[::-1])[0].as_matrix(), VECTORS + 0.1),
    "how far off": (lambda v: Rotation.align_vectors(v, VECTORS[::-1], [1.0, 2.0, 0.5, 1.0, 0.1])[1], VECTORS + 0.1), "together": (lambda v: Rotation.concatenate([Rotation.from_rotvec(v[0]), Rotation.from_rotvec(v)]).as_matrix(), VECTORS),
    "between": (lambda v: Slerp([0.0, 1.0, 2.5], Rotation.from_rotvec(v[:3]))(np.array([0.0, 0.3, 1.0, 2.2, 2.5])).as_matrix(), VECTORS), "at one time": (lambda v: Slerp([0.0, 1.0], Rotation.from_rotvec(v[:2]))(v[0, 0] * 0.0 + 0.4).as_rotvec(), VECTORS),
}  # fmt: skip
SEQUENCES = ["".join(each) for each in itertools.product("xyz", repeat=3) if each[0] != each[1] != each[2]]


def run(function, *args, target="numpy"):
    return s2s.jit(function, target=target)(*args)


@pytest.mark.parametrize("name", PROGRAMS)
def test_values(name):
    function, x = PROGRAMS[name]
    found, wanted = run(function, x), function(x)
    np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-12)
    assert np.shape(found) == np.shape(wanted)
    assert np.asarray(found).dtype == np.asarray(wanted).dtype


@pytest.mark.parametrize("name", PROGRAMS)
def test_derivatives(name):
    function, x = PROGRAMS[name]
    x = x[3:] if name in ("vectors", "there and back") else x
    s2s.check_grads(s2s.jit(function, target="numpy"), (x,), order=1, modes=("fwd", "rev"))


def test_derivatives_without_a_turn():
    """At no rotation at all the vector's length has no slope, the matrix has."""
    x = np.zeros(3)
    s2s.check_grads(s2s.jit(lambda v: Rotation.from_rotvec(v).as_matrix(), target="numpy"), (x,), order=2, modes=("fwd", "rev"))
    s2s.check_grads(s2s.jit(lambda v: Rotation.from_rotvec(v).as_rotvec(), target="numpy"), (x,), order=1, modes=("fwd", "rev"))


@pytest.mark.parametrize("seq", [*SEQUENCES, *(each.upper() for each in SEQUENCES)])
@pytest.mark.filterwarnings("ignore")
def test_angles(seq):
    """Of any sequence, and where the first and the last axis are the same."""
    locked = np.array([[0.3, 0.0, -0.4], [0.3, np.pi / 2, -0.4], [0.3, np.pi, 0.2], [0.3, -np.pi / 2, -0.4], [3.0, 0.2, 2.5]])
    given = np.concatenate((VECTORS, locked))

    def function(angles):
        turned = Rotation.from_euler(seq, angles)
        return turned.as_quat(), turned.as_euler(seq)

    found, wanted = run(function, given), function(given)
    np.testing.assert_allclose(found[0], wanted[0], atol=1e-14)
    np.testing.assert_allclose(found[1], wanted[1], atol=1e-7)


def test_angles_of_quaternions():
    function = lambda q: Rotation.from_quat(q).as_euler("ZYX", degrees=True)  # noqa: E731
    np.testing.assert_allclose(run(function, QUATS), function(QUATS), rtol=1e-11)
    s2s.check_grads(s2s.jit(lambda q: Rotation.from_quat(q).as_euler("ZYX"), target="numpy"), (QUATS,), order=1, modes=("fwd", "rev"))


@pytest.mark.parametrize("function", [
    lambda v: Rotation.from_rotvec(v[:, :2]), lambda v: Rotation.from_quat(v), lambda v: Rotation.from_quat(np.zeros((2, 4)) * v[0, 0]), lambda v: Rotation.from_matrix(-np.eye(3) + 0.0 * v[0, 0]),
    lambda v: Rotation.from_euler("xy", v), lambda v: Rotation.from_euler("xx", v[:, :2]), lambda v: Rotation.from_euler("xY", v[:, :2]), lambda v: Rotation.from_euler("xyzx", v), lambda v: Rotation.from_rotvec(v).as_euler("xy"),
    lambda v: Rotation.from_rotvec(v[0]).apply(v[:, :2]), lambda v: Slerp([0.0, 1.0], Rotation.from_rotvec(v[:2]))(v[0] * 0.0 + 2.0), lambda v: Slerp([1.0, 1.0], Rotation.from_rotvec(v[:2])), lambda v: Rotation.from_rotvec(v[0])[0],
    lambda v: len(Rotation.from_rotvec(v[0])),
])  # fmt: skip
def test_errors(function):
    with pytest.raises((ValueError, TypeError)) as wanted:
        function(VECTORS)
    with pytest.raises(wanted.type) as found:
        run(function, VECTORS)
    assert str(found.value).split("\n")[0][:25] == str(wanted.value)[:25]


def test_what_is_refused():
    for function in (lambda v: Rotation.from_rotvec(v).as_mrp(), lambda v: Rotation.from_rotvec(v).as_davenport(np.eye(3), "extrinsic")):
        with pytest.raises(s2s.UnsupportedError):
            run(function, VECTORS[0])


def test_given_back_and_compiled():
    def program(v, points):
        turn = Rotation.from_rotvec(v) * Rotation.from_euler("zyx", points[0])
        return turn, turn.apply(points), turn.as_euler("xyz"), np.sum(turn.apply(points) ** 3)

    found, wanted = s2s.jit(program)(VECTORS[0], VECTORS), program(VECTORS[0], VECTORS)
    assert isinstance(found[0], Rotation)
    np.testing.assert_allclose(found[0].as_quat(), wanted[0].as_quat(), atol=1e-14)
    for one, other in zip(found[1:], wanted[1:], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-11)
    slope = s2s.grad(lambda v, points: program(v, points)[3])(VECTORS[0], VECTORS)
    np.testing.assert_allclose(slope, s2s.grad(s2s.jit(lambda v, points: program(v, points)[3], target="numpy"))(VECTORS[0], VECTORS), rtol=1e-10)
    batched = s2s.vmap(lambda v: Rotation.from_rotvec(v).apply(VECTORS))(VECTORS)
    np.testing.assert_allclose(batched, [Rotation.from_rotvec(v).apply(VECTORS) for v in VECTORS], rtol=1e-11)
