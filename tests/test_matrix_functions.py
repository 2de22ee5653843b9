"""scipy.linalg's functions of matrices and its special systems: called as they stand, as they are read, and differentiated."""
from __future__ import annotations

import inspect

import numpy as np
import pytest
import scipy.linalg
from test_composed import quietly

import s2s
from s2s.transforms.read.composed.matrix_functions import MATRIX_FUNCTIONS
from s2s.transforms.read.names import resolved

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(3, 3)), RNG.normal(size=(3, 3))
Z, T = A + 1j * B, 2.0 * np.eye(3) + A
S, V = A @ A.T + np.eye(3), RNG.normal(size=3)
WIDE, BAND = RNG.normal(size=(2, 3)), RNG.normal(size=(4, 6)) + 3.0 * np.eye(4, 6)
CASES = {
    "logm": [(S,), (100 * S,), (np.eye(3) + 0.3 * Z,), (1e-6 * S,), (np.eye(2),), (np.arange(4).reshape(2, 2) + 3 * np.eye(2, dtype=int),), (WIDE,)],
    "fractional_matrix_power": [(S, 0.5), (S, -1.3), (S, 3)], "cosm": [(A,), (Z,), (3 * A,)], "sinm": [(A,), (Z,)], "tanm": [(0.5 * A,), (0.5 * Z,)],
    "coshm": [(A,), (Z,)], "sinhm": [(A,)], "tanhm": [(A,)], "polar": [(A,), (Z, "left"), (WIDE,), (WIDE.T, "left"), (A, "up")], "pinvh": [(S,), (WIDE.T @ WIDE,), (A + A.T,), (Z + Z.conj().T, None, None, False)],
    "qr": [(A,), (WIDE,), (A, False, None, "r"), (WIDE.T, False, None, "economic"), (Z,), (A, False, None, "odd")], "orthogonal_procrustes": [(A, B), (Z, Z.T), (WIDE, WIDE[::-1]), (A, WIDE)],
    "solve_sylvester": [(T, T.T, B), (Z, A + 0j, B), (A, S[:2, :2] + np.eye(2), WIDE.T)], "solve_continuous_lyapunov": [(T, S), (Z, B)], "solve_discrete_lyapunov": [(0.3 * A, S), (0.3 * Z, B, "direct")],
    "solve_banded": [((1, 2), BAND, BAND[0]), ((2, 1), BAND, BAND[:2].T), ((0, 3), BAND, BAND[0]), ((3, 0), BAND, BAND[0]), ((1, 1), BAND[:3] * (1 + 1j), BAND[0]), ((1, 1), BAND, BAND[0]), ((1, 2), np.zeros((4, 6)), BAND[0])],
    "solve_toeplitz": [(V + 4 * np.eye(3)[0], B), ((V, np.array([9.0, 1.0, 2.0])), V)], "solve_circulant": [(V + 4 * np.eye(3)[0], B), (V + 2j, V)], "khatri_rao": [(A, WIDE), (A, A[:, :2])],
    "companion": [(V,), (np.array([2, 1, 3]),), (V[:1],), (Z[0],), (np.zeros(3),)], "issymmetric": [(A,), (S,), (S + 1e-9 * A, 1e-6, 0.0)], "ishermitian": [(Z,), (Z + Z.conj().T,), (A + A.T,)],
}  # fmt: skip
EACH = [(name, args) for name, cases in CASES.items() for args in cases]


def test_every_function_is_tested():
    assert {f"scipy.linalg.{name}" for name in CASES} == {*MATRIX_FUNCTIONS}


@pytest.mark.parametrize("name", [name for name in CASES if name != "logm"])  # whose `disp` is deprecated
def test_signatures_are_scipys(name):
    assert str(inspect.signature(MATRIX_FUNCTIONS[f"scipy.linalg.{name}"])) == str(inspect.signature(resolved(f"scipy.linalg.{name}")))


def alike(found, wanted):
    if isinstance(wanted, tuple):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            alike(one, other)
    elif isinstance(wanted, bool):
        assert found is wanted
    else:
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(("name", "args"), EACH)
def test_called_as_it_stands_and_as_it_is_read(name, args):
    function = getattr(scipy.linalg, name)
    known = tuple(k for k, arg in enumerate(args) if not isinstance(arg, np.ndarray | tuple))
    f = s2s.jit(lambda *a: function(*(args[k] if k in known or isinstance(args[k], tuple) else a[k] for k in range(len(args)))), static_argnums=known, target="numpy")
    given = [0 if isinstance(arg, tuple) else arg for arg in args]
    try:
        wanted = quietly(function, *args)
    except (ValueError, np.linalg.LinAlgError) as error:
        for call in (lambda: quietly(MATRIX_FUNCTIONS[f"scipy.linalg.{name}"], *args), lambda: quietly(f, *given)):
            with pytest.raises(ValueError if isinstance(error, ValueError) else np.linalg.LinAlgError):
                call()
        return
    alike(quietly(MATRIX_FUNCTIONS[f"scipy.linalg.{name}"], *args), wanted)
    alike(quietly(f, *given), wanted)


@pytest.mark.parametrize("name", [name for name in CASES if name[:2] != "is"])
def test_derivatives(name):
    args = CASES[name][0]
    place = 1 if isinstance(args[0], tuple) else 0
    s2s.check_grads(s2s.jit(lambda x: getattr(scipy.linalg, name)(*args[:place], x, *args[place + 1 :]), target="numpy"), (args[place],), order=2)


def test_compiled_and_batched():
    def f(a, b):
        return scipy.linalg.logm(a), scipy.linalg.solve_banded((1, 1), a, b)

    alike(s2s.jit(f)(S, V), f(S, V))
    alike(s2s.vmap(f)(np.stack([S, 2 * S]), np.stack([V, -V])), tuple(map(np.stack, zip(f(S, V), f(2 * S, -V), strict=True))))


def test_what_has_no_logarithm_stops():
    for a in (-np.eye(2), np.zeros((2, 2)), np.array([[0.0, 1.0], [1.0, 0.0]])):
        with pytest.raises((NotImplementedError, np.linalg.LinAlgError), match="is not supported|Singular"):
            s2s.jit(lambda a: scipy.linalg.logm(a), target="numpy")(a)  # noqa: PLW0108


def test_eigenvectors_of_the_driver_that_numpy_takes():
    f = s2s.jit(lambda a: scipy.linalg.eigh(a, driver="evd"), target="numpy")
    alike(f(S), scipy.linalg.eigh(S, driver="evd"))
    with pytest.raises(s2s.UnsupportedError, match="driver='evr'"):
        s2s.jit(lambda a: scipy.linalg.eigh(a, driver="evx"), target="numpy")(S)


def test_more_right_hand_sides_than_a_matrix_holds():
    with pytest.raises(s2s.UnsupportedError, match="more than two axes"):
        s2s.jit(lambda c, b: scipy.linalg.solve_circulant(c, b), target="numpy")(V, np.ones((3, 3, 3)))  # noqa: PLW0108
