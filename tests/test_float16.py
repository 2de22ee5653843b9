"""float16 is computed as NumPy computes it: two bytes in memory, each operation in float32 and rounded."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from agreement import quietly

import s2s
from s2s.cli import main

HALF = np.float16
SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, 65504.0, -65504.0, 6e-8, -6e-8, 6.1e-5, 2049.0], HALF)
SHAPES = ((), (0,), (1,), (2,), (7,), (2, 7), (7, 0), (1, 2, 7), (2, 1, 7, 2))


def drawn(seed: int, *shape: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    found = np.asarray(rng.normal(size=shape) * 10.0 ** rng.integers(-4, 4, shape)).astype(HALF)
    return np.where(rng.random(shape) < 0.1, rng.choice(SPECIAL, shape), found).astype(HALF)


def leaves(found):
    return [leaf for each in found for leaf in leaves(each)] if isinstance(found, tuple) else [found]


def agree(found, wanted, *, ulps: int = 0):
    """Type, dtype, shape; bits, or so many units in the last place."""
    assert len(leaves(found)) == len(leaves(wanted))
    for number, (one, other) in enumerate(zip(leaves(found), leaves(wanted), strict=True)):
        assert (type(one), np.asarray(one).dtype, np.shape(one)) == (type(other), np.asarray(other).dtype, np.shape(other)), number
        if ulps and np.asarray(other).dtype == HALF:
            with np.errstate(all="ignore"):
                np.testing.assert_allclose(np.asarray(one, float), np.asarray(other, float), rtol=ulps * 2.0**-10, atol=ulps * 6e-8, err_msg=str(number))
        else:
            np.testing.assert_array_equal(one, other, err_msg=str(number))
            signed = np.asarray(other).dtype.kind == "f"
            assert not signed or np.array_equal(np.signbit(one)[~np.isnan(one)], np.signbit(other)[~np.isnan(other)]), number


def both(function, *args, ulps: int = 0):
    """The same on both targets as NumPy, arguments afterwards too."""
    for target in ("numpy", "cpu"):
        mine, theirs = [np.copy(arg) if isinstance(arg, np.ndarray) else arg for arg in args], [np.copy(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
        wanted = quietly(function, *theirs)
        agree(quietly(s2s.jit(function, target=target), *mine), wanted, ulps=ulps)
        agree(tuple(mine), tuple(theirs), ulps=ulps)


def arithmetic(x, y):
    return (
        x + y, x - y, x * y, x / y, x // y, x % y, -x, abs(x), x < y, x <= y, x == y, x != y, np.maximum(x, y), np.minimum(x, y), np.fmax(x, y), np.fmod(x, y), np.sqrt(x),
        np.square(x), x * 2, 0.1 + x, x * x * x - y, np.floor(x), np.rint(x), np.sign(x), np.isnan(x), np.signbit(x), np.copysign(x, y), np.nextafter(x, y), np.where(x > 0, x, y),
        np.clip(x, -1, 1), np.heaviside(x, y), x.astype(np.float32), x.astype(np.float64), x + np.float32(1), x + np.int8(3), x + np.int16(3), x * np.float64(0.1),
    )


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_arithmetic(target):
    compiled = s2s.jit(arithmetic, target=target)
    for seed, shape in enumerate(SHAPES):
        x, y = drawn(seed, *shape), drawn(seed + 100, *shape)
        agree(quietly(compiled, x, y), quietly(arithmetic, x, y))
    for one, other in ((drawn(1, 7, 4)[::2, ::-1], drawn(2, 4, 4).T), (np.asfortranarray(drawn(3, 2, 7)), np.broadcast_to(drawn(4, 7), (2, 7)))):
        agree(quietly(compiled, one, other), quietly(arithmetic, one, other))


def functions(x):
    return (
        np.exp(x), np.log(x), np.sin(x), np.cos(x), np.tanh(x), np.arctan(x), np.expm1(x), np.log1p(x), np.cbrt(x), np.exp2(x), np.log2(x), np.log10(x), np.sinh(x), np.arcsinh(x),
        np.hypot(x, x[::-1]), np.arctan2(x, x[::-1]), np.logaddexp(x, x[::-1]), x**3, np.abs(x) ** 2.5, np.power(np.abs(x), x[::-1]),
    )


def test_functions_are_those_of_float32_rounded():
    """Within two units in the last place: NumPy's own functions of float32 are some units off."""
    both(functions, drawn(5, 700), ulps=2)


def test_all_numbers_survive_and_all_are_rounded_to_the_nearest_even_one():
    every = np.arange(1 << 16, dtype=np.uint16).view(HALF)

    def converted(x, y, single, double):
        y[:] = x
        return x.astype(np.float32), x.astype(np.float64), single.astype(np.float16), double.astype(np.float16), x.astype(np.complex64)

    numbers = every.astype(float)
    middle = quietly(lambda: (numbers[:-1] + numbers[1:]) / 2)
    double = np.concatenate([middle * (1 + off) for off in (0.0, 1e-9, -1e-9, 1e-15, -1e-15)] + [[np.inf, 1e300, 65519.99999999, 65520.0, 5e-324, 2.98e-8]])
    both(converted, every, np.zeros_like(every), quietly(double.astype, np.float32), double)


def test_integers():
    """From integers of all widths by way of float32, as NumPy's; to integers cut off as NumPy's C does."""

    def converted(x, y):
        return x.astype(np.float16), y.astype(np.int8), y.astype(np.int16), y.astype(np.int32), y.astype(np.int64), y.astype(np.uint8), y.astype(np.uint16), y.astype(bool)

    numbers = np.concatenate([np.arange(-70_000, 70_000, 37), [2**24 + 1, 2**53 + 1, 2**62, -(2**63)]])
    both(converted, numbers, quietly(np.linspace, -30_000, 30_000, 999).astype(HALF))


def in_place(x, y):
    x += y
    x[1:] *= x[:-1]
    x[0] = 3.1
    part = x[::2]
    part /= 3
    for i in range(len(x)):
        x[i] = x[i] * y[i] + 0.1
    return x


def test_callers_arrays_are_changed_in_place():
    both(in_place, drawn(7, 9), drawn(8, 9))
    whole, theirs, y = drawn(9, 18), drawn(9, 18), drawn(8, 9)
    quietly(s2s.jit(in_place), whole[::2], y)
    quietly(in_place, theirs[::2], y)
    agree(whole, theirs)


def loops(x, y):
    total, row = np.float16(0), np.zeros(len(x), dtype=np.float16)
    largest = x[0]
    for i in range(len(x)):
        total += x[i] * y[i]
        row[i] = total
        largest = max(largest, x[i])
    return total, row, largest, float(x[0]) * 1.1, total + 1, np.finfo(np.float16).eps, np.result_type(x, 1.0) == np.float16


def test_loops_round_every_step():
    both(loops, drawn(11, 50) / HALF(100), drawn(12, 50) / HALF(100))


def sums(x):
    return (
        np.sum(x), np.sum(x, axis=0), np.sum(x, axis=1), np.sum(x, axis=2), np.sum(x, axis=(0, 2)), np.sum(x, axis=(1, 2)), np.sum(x, axis=(0, 1)), np.mean(x), np.mean(x, axis=0),
        np.prod(x, axis=0), np.prod(x, axis=(1, 2)), np.sum(x, initial=2.0, keepdims=True), np.cumsum(x), np.cumsum(x, axis=1), np.max(x, axis=1), np.argmin(x), np.sort(x, axis=0),
        np.sum(x, dtype=np.float32), np.median(x),
    )


@pytest.mark.parametrize("shape", [(2, 7, 1), (5, 7, 11), (1, 1, 2), (40, 3, 9)])
def test_sums_round_where_numpy_rounds(shape):
    both(sums, np.random.default_rng(3).uniform(0.5, 1.5, shape).astype(HALF), ulps=1)


def test_a_sum_along_the_first_axis_stops_where_ones_are_too_small():
    agree(s2s.jit(lambda x: np.sum(x, axis=0))(np.ones((5000, 3), HALF)), np.full(3, 2048, HALF))
    agree(s2s.jit(lambda x: np.sum(x))(np.ones((5000, 3), HALF)), HALF(15000))


def products(a, b, v):
    return a @ b, a @ v, v @ v, np.dot(a, b), np.outer(v, v), np.inner(a, v), np.tensordot(a, b, 1), np.convolve(v, v[:3])


def test_products():
    rng = np.random.default_rng(4)
    both(products, *(rng.normal(size=shape).astype(HALF) for shape in ((6, 5), (5, 3), (5,))), ulps=2)


def loss(x, w):
    hidden = np.tanh(x @ w)
    total = np.float16(0)
    for i in range(len(hidden)):
        total = total + hidden[i] * hidden[i]
    return total + np.mean(x**2) + np.sum(np.exp(w), axis=0) + np.max(x)


def test_derivatives_are_float16():
    rng = np.random.default_rng(6)
    x, w = rng.normal(size=(7, 5)).astype(HALF), rng.normal(size=5).astype(HALF)
    exact = s2s.grad(loss, argnums=(0, 1))(x.astype(float), w.astype(float))
    for target in ("numpy", "cpu"):
        for one, other in zip(s2s.jit(s2s.grad(loss, argnums=(0, 1)), target=target)(x, w), exact, strict=True):
            assert one.dtype == HALF
            np.testing.assert_allclose(one.astype(float), other, atol=8e-3)
    value, slope = s2s.jvp(loss, (x, w), (np.ones_like(x), np.ones_like(w)))
    assert type(value) is type(slope) is HALF
    assert abs(float(slope) - sum(np.sum(each) for each in exact)) < 0.03
    assert s2s.hessian(lambda w: np.sum(np.tanh(w) ** 2))(w).dtype == HALF
    assert type(s2s.grad(lambda x: x * x)(HALF(3))) is HALF
    rows = s2s.jit(s2s.vmap(s2s.grad(lambda a: np.sum(a * w))))(x)
    agree(rows, np.broadcast_to(w, (7, 5)).copy())


def test_names_of_dtypes():
    x = np.ones((2, 3), HALF)
    assert s2s.eval_shape(lambda x: x + 1, x).dtype == HALF
    assert "f16[2,3]" in str(s2s.make_jaxpr(lambda x: x * 2)(x))
    assert "np.float16(x[i] + y[i])" in s2s.jit(lambda x, y: x + y).source(x[0], x[0])
    with pytest.raises(TypeError, match="float16 is unsupported in linalg"):
        s2s.jit(lambda x: np.linalg.inv(x))(np.eye(2, dtype=HALF))


def test_a_module_that_stands_alone_knows_float16(tmp_path, monkeypatch):
    """Numba's CPU target does not know it by itself."""
    (tmp_path / "steps.py").write_text("import numpy as np\n\n\ndef step(u, v):\n    for i in range(1, len(u)):\n        u[i] += v[i] * u[i - 1]\n    return np.sum(u * v)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    main(["emit", "steps.py:step", "--transform", "jit", "--args", "f2[:], f2[:]", "--output", "steps_under.py"], standalone_mode=False)
    program = (
        "import sys\nimport numpy as np\nimport steps, steps_under\nu, v = np.linspace(0, 1, 9).astype('f2'), np.linspace(1, 2, 9).astype('f2')\na, b = u.copy(), u.copy()\n"
        "assert steps_under.step_jit(a, v) == steps.step(b, v) and (a == b).all() and 's2s' not in sys.modules\n"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env={"PATH": "", "NUMBA_CACHE_DIR": str(tmp_path / "cache")}, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr
    assert Path(tmp_path / "steps_under.py").read_text(encoding="utf-8").count("def _know_float16") == 1


def extremes(x, n):
    return max(x[0], 2.1), min(x[1], 1e-9), max(x[0], x[1]), sorted([x[0], x[1]]), max(x[0], float(n) / 3)


def test_extremes_keep_a_python_floats_digits():
    x = np.array([1.0, 0.5], HALF)
    for target in ("numpy", "cpu"):
        for found, wanted in zip(s2s.jit(extremes, target=target)(x, 7), extremes(x, 7), strict=True):
            assert np.array_equal(found, wanted), (found, wanted)
