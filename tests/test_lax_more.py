"""s2s.lax's gather, scatter, convolutions and bits: equal to what JAX 0.10.2 gives, as plain functions and as they are read, with both derivatives.

`python tests/test_lax_more.py` writes the stored numbers anew; it needs JAX.
"""
from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

STORED = Path(__file__).parent / "lax_more_expected.json"
RNG = np.random.default_rng(0)
X, Y, ROWS, PAIRS, EACH = RNG.normal(size=(4, 5)), RNG.normal(size=(3, 4, 5)), RNG.integers(-2, 6, size=(6, 1)), RNG.integers(-1, 5, size=(3, 2)), RNG.integers(0, 4, size=(3, 2, 1))
IMAGE, KERNEL = RNG.normal(size=(2, 6, 5, 3)), RNG.normal(size=(3, 2, 3, 4))
UPDATES = np.cos(np.arange(30.0)).reshape(6, 5)
ONCE = np.array([[0], [3], [9], [-1]])
BITS, WORDS = np.array([7, 0, -1, 12345678901234]), np.array([7, 0, -1, -8], np.int32)


def cases(lax):
    """Name -> (function, arguments); floats first."""
    gathering, scattering = lax.GatherDimensionNumbers, lax.ScatterDimensionNumbers
    rows, made = scattering((1,), (0,), (0,)), {}
    for mode in (None, "clip", "fill"):
        made[f"gather_rows_{mode}"] = lambda x, mode=mode: lax.gather(x, ROWS, gathering((1,), (0,), (0,)), (1, 5), mode=mode), (X,)
        made[f"gather_windows_{mode}"] = lambda x, mode=mode: lax.gather(x, PAIRS, gathering((1, 2), (), (0, 1)), (2, 3), mode=mode), (X,)
    made["gather_columns"] = lambda x: lax.gather(x, PAIRS, gathering((0,), (0,), (1, 0)), (1, 2)), (X,)
    made["gather_batch"] = lambda x: lax.gather(x, EACH, gathering((2,), (1,), (1,), (0,), (0,)), (1, 1, 5)), (Y,)
    made["gather_integers"] = lambda k: lax.gather(k, ROWS, gathering((), (0,), (0,)), (1,), mode="fill"), (np.arange(5),)
    made["scatter"] = lambda x, u: lax.scatter(x, ONCE, u[:4], rows), (X, UPDATES)
    made["scatter_clip"] = lambda x, u: lax.scatter(x, ONCE[:2], u[:2], rows, mode="clip"), (X, UPDATES)
    for name in ("scatter_add", "scatter_sub", "scatter_mul", "scatter_min", "scatter_max"):
        for mode in (None, "clip"):
            made[f"{name}_{mode}"] = lambda x, u, name=name, mode=mode: getattr(lax, name)(x, ROWS, u, rows, mode=mode), (X, UPDATES)
    made["scatter_add_windows"] = lambda x, u: lax.scatter_add(x, PAIRS, u.reshape(2, 3, 5)[:, :, :3], scattering((0, 1), (), (0, 1))), (X, UPDATES)
    made["scatter_add_batch"] = lambda x, u: lax.scatter_add(x, EACH, u.reshape(3, 2, 5), scattering((2,), (1,), (1,), (0,), (0,))), (Y, UPDATES)
    made["scatter_apply"] = lambda x: lax.scatter_apply(x, ONCE[:2], lax.sin, rows, update_shape=(2, 5)), (X,)
    for padding in ("SAME", "VALID", ((1, 2), (0, 1))):
        made[f"conv_transpose_{padding}"] = lambda x, w, padding=padding: lax.conv_transpose(x, w, (2, 3), padding), (IMAGE, KERNEL)
    made["conv_transpose_kernel"] = lambda x, w: lax.conv_transpose(x, w.transpose(0, 1, 3, 2), (2, 1), "SAME", rhs_dilation=(2, 1), transpose_kernel=True), (IMAGE, KERNEL)
    made["conv_general_dilated_patches"] = lambda x: lax.conv_general_dilated_patches(x, (3, 2), (1, 2), "SAME"), (IMAGE,)
    made["conv_general_dilated_patches_text"] = lambda x: lax.conv_general_dilated_patches(x, (3, 2), (1, 2), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")), (IMAGE,)
    made["conv_with_general_padding"] = lambda x, w: lax.conv_with_general_padding(x.transpose(0, 3, 1, 2), w.transpose(3, 2, 0, 1), (1, 2), [(1, 1), (0, 2)], (1, 2), (2, 1)), (IMAGE, KERNEL)
    made["conv_dimension_numbers"] = lambda k: k + np.array([list(each) for each in lax.conv_dimension_numbers((1, 5, 5, 3), (3, 3, 3, 2), ("NHWC", "HWIO", "NHWC"))]), (np.zeros(1, np.int64),)
    for name, (bits, words) in {"population_count": (BITS, WORDS), "clz": (BITS, WORDS)}.items():
        made[name], made[f"{name}_32"] = (getattr(lax, name), (bits,)), (getattr(lax, name), (words,))
    made["shift_right_logical"] = lax.shift_right_logical, (np.array([7, -8, -1, 5, -5]), np.array([1, 1, 63, 64, 0]))
    made["shift_right_logical_32"] = lax.shift_right_logical, (WORDS, np.array([1, 32, 31, 0], np.int32))
    made["reduce_xor"] = lambda k: lax.reduce_xor(k, (0,)), (np.arange(12).reshape(3, 4),)
    made["reduce_xor_all"] = lambda k: lax.reduce_xor(k, (0, 1)), (np.arange(12).reshape(3, 4),)
    made["reciprocal"] = lax.reciprocal, (X,)
    made["tile"] = lambda x: lax.tile(x, (2, 1)), (X,)
    made["stack"] = lambda x: lax.stack([x, 2.0 * x], 1), (X,)
    made["unstack"] = lambda x: lax.unstack(lax.reshape(x, (4, 5)), 1)[2], (X,)
    made["empty"] = lambda x: lax.empty((2, 3), np.float64) + x[0, 0], (X,)
    made["broadcast_like"] = lambda x: lax.broadcast_like(x[0, 0], x), (X,)
    made["broadcast_to_rank"] = lambda x: lax.broadcast_to_rank(x, 4), (X,)
    made["igamma"], made["igammac"] = (lax.igamma, (np.abs(X) + 0.3, np.abs(X[::-1]) + 0.1)), (lax.igammac, (np.abs(X) + 0.3, np.abs(X[::-1]) + 0.1))
    made["index_take"] = lambda x: lax.index_take(x, (np.array([0, 1, -1]), np.array([2, 0, 3])), (0, 1)), (Y,)
    made["approx_max_k"] = lambda x: lax.approx_max_k(x, 2)[0], (X,)
    made["approx_min_k"] = lambda x: lax.approx_min_k(x, 2)[0], (X,)
    made["platform_dependent"] = lambda x: lax.platform_dependent(x, cpu=lax.sin, default=lax.cos), (X,)
    made["ragged_dot"] = lambda x, y: lax.ragged_dot(x, y[:, :, :3], np.array([2, 0, 1])), (X[:, :4], Y)
    made |= _bits(lax) | _sorted(lax)
    return made


def _bits(lax):
    made = {}
    for source, target in ((X, np.int64), (X.astype(np.float32), np.int32), (BITS, np.float64), (WORDS, np.float32), (X, np.int32), (WORDS.reshape(2, 2), np.float64), (X, np.float64)):
        made[f"bitcast_convert_type_{source.dtype}_{np.dtype(target)}"] = lambda x, target=target: lax.bitcast_convert_type(x, target), (source,)
    odd = np.array([1e-8, 6e-8, 6.2e-5, -0.0, 6e4, 65000.0, 1 / 3, -3e4])
    for exponent, mantissa in ((5, 10), (8, 7), (11, 3), (8, 23)):
        made[f"reduce_precision_{exponent}_{mantissa}"] = lambda x, e=exponent, m=mantissa: lax.reduce_precision(x, e, m), (odd,)
        made[f"reduce_precision_single_{exponent}_{mantissa}"] = lambda x, e=exponent, m=mantissa: lax.reduce_precision(x, e, m).astype(np.float64), (X.astype(np.float32),)
    made["mulhi"] = lax.mulhi, (np.array([2**40, -(2**50), 3, 2**62, -1]), np.array([2**40, 2**40, -5, -(2**62), -1]))
    made["mulhi_32"] = lax.mulhi, (np.array([2**30, -(2**30)], np.int32), np.array([2**30, 2**29], np.int32))
    for kind, given, lengths in (("FFT", X, (5,)), ("IFFT", X + 1j, (4, 5)), ("RFFT", X, (5,)), ("IRFFT", X + 1j, (8,))):
        made[f"fft_{kind}"] = lambda x, kind=kind, lengths=lengths: abs(lax.fft(x, kind, lengths)), (given,)
    shapes, points = np.array([1.5, 0.2, 5.0, 50.0, 50.0, 0.01, 300.0, 2.0]), np.array([2.0, 0.1, 4.0, 52.0, 30.0, 1e-5, 290.0, 80.0])
    made["random_gamma_grad"], made["igamma_grad_a"] = (lax.random_gamma_grad, (shapes, points)), (lax.igamma_grad_a, (shapes[:6], points[:6]))
    return made


def _sorted(lax):
    rough, other = np.round(X), np.round(UPDATES[:4])
    made = {f"sort_{keys}_{axis}": (lambda x, y, keys=keys, axis=axis: lax.sort((x, y, x * y), dimension=axis, num_keys=keys)[2], (rough, other)) for keys in (1, 2, 3) for axis in (0, 1)}
    made["reduce_together"] = lambda x, y: lax.reduce((x, y), (0.0, 1.0), lambda a, b: (a[0] + b[0], a[1] * b[1]), (0,))[1], (X, UPDATES[:4])
    made["conv_batch_groups"] = lambda x, w: lax.conv_general_dilated(x.transpose(0, 3, 1, 2), w.transpose(3, 2, 0, 1), (1, 1), "VALID", batch_group_count=2), (IMAGE, KERNEL)
    made["dot_dimensions"] = lambda x, y: lax.dot(x, y, dimension_numbers=(((1,), (1,)), ((), ()))), (X, UPDATES)
    return made


NAMES = list(json.loads(STORED.read_text(encoding="utf-8"))) if STORED.exists() else []
SLOPES = ("gather_rows_None", "gather_windows_fill", "scatter", "scatter_add_windows", "scatter_mul_None", "scatter_max_clip", "scatter_apply", "conv_transpose_SAME", "reciprocal", "ragged_dot", "conv_batch_groups", "reduce_together")


def ours():
    from s2s import lax

    return cases(lax)


def close(found, wanted):
    assert np.shape(found) == np.shape(wanted)
    np.testing.assert_allclose(np.asarray(found, np.float64), np.asarray(wanted, np.float64), rtol=1e-10, atol=1e-12)


def test_every_function_is_compared():
    from s2s.transforms.read.composed import gamma_slopes, lax_bits, lax_convolutions, lax_more, lax_scatter

    for module in (lax_convolutions, lax_more, lax_scatter, lax_bits, gamma_slopes):
        assert all(any(case.startswith(name) for case in NAMES) for name in module.EXPORTED)


@pytest.mark.parametrize("name", NAMES)
def test_as_jax(name):
    from reading import run

    function, args = ours()[name]
    wanted = json.loads(STORED.read_text(encoding="utf-8"))[name]
    close(function(*args), wanted)
    found = run(function, *args)[0]
    close(found, wanted)
    assert np.asarray(found).dtype == np.asarray(function(*args)).dtype


@pytest.mark.parametrize("name", SLOPES)
def test_derivatives(name):
    import s2s

    function, args = ours()[name]
    f = s2s.jit(lambda *xs: np.sum(np.where(np.isnan(function(*xs)), 0.0, np.sin(function(*xs)))), target="numpy")
    s2s.check_grads(f, args, order=1, modes=("fwd", "rev"))


def test_batches():
    import s2s

    x, u = np.stack([X, 2 * X]), np.stack([UPDATES, -UPDATES])
    for name in ("scatter_add_None", "gather_rows_None"):
        function, args = ours()[name]
        f = s2s.jit(function, target="numpy")
        given = (x, u)[: len(args)]
        np.testing.assert_allclose(s2s.vmap(f)(*given), [function(*(each[k] for each in given)) for k in range(2)], rtol=1e-12)


CONDITIONS = [
    (lambda lax: lax.slice(X, (0, 0), (9, 5)), TypeError, "slice limit_indices must be less than or equal to operand shape"),
    (lambda lax: lax.slice(X, (3, 0), (2, 5)), TypeError, "slice limit_indices must be greater than or equal to start_indices"),
    (lambda lax: lax.dynamic_slice(X, (0, 0), (9, 1)), TypeError, "slice slice_sizes must be less than or equal to operand shape, got slice_size 9"),
    (lambda lax: lax.dynamic_slice(X, (0,), (1, 1)), ValueError, r"Length of slice indices must match number of operand dimensions \(1 vs \(4, 5\)\)"),
    (lambda lax: lax.dynamic_update_slice(X, UPDATES, (0, 0)), TypeError, r"update shape must be smaller than operand shape, got update shape \(6, 5\) for operand shape \(4, 5\)"),
    (lambda lax: lax.top_k(X, 9), ValueError, "k argument to top_k must be no larger than size along axis; got k=9"),
    (lambda lax: lax.top_k(X, -1), ValueError, "k argument to top_k must be nonnegative, got -1"),
    (lambda lax: lax.pad(X, 0.0, ((0, 0, 0),)), ValueError, "length of padding_config must equal the number of axes of operand"),
    (lambda lax: lax.pad(X, 0.0, ((0, 0, -1), (0, 0, 0))), ValueError, "interior padding in padding_config must be nonnegative"),
    (lambda lax: lax.iota(np.float64, -1), TypeError, "iota shape must have every element be nonnegative"),
    (lambda lax: lax.population_count(X), TypeError, "population_count does not accept dtype float64. Accepted dtypes are subtypes of integer."),
    (lambda lax: lax.argmax(X, 1, np.float32), TypeError, "index_dtype must be an integer type, but got float32"),
    (lambda lax: lax.sort((X, X), num_keys=3), ValueError, r"num_keys=3 must be between 1 and len\(operand\)=2"),
    (lambda lax: lax.sort((X, UPDATES)), TypeError, "Arguments to sort must have equal shapes"),
    (lambda lax: lax.select(X, X, X), TypeError, "select `which` must be boolean or integer type, got float64."),
    (lambda lax: lax.concatenate([], 0), ValueError, "concatenate requires a non-empty sequences of arrays"),
    (lambda lax: lax.dot(Y, Y), ValueError, "dimension_numbers must be specified when not performing simple un-batched"),
    (lambda lax: lax.dot_general(X, UPDATES, (((0,), (0,)), ((), ()))), TypeError, "dot_general requires contracting dimensions"),
    (lambda lax: lax.conv(IMAGE.transpose(0, 3, 1, 2), np.ones((4, 2, 3, 2)), (1, 1), "VALID"), ValueError, r"must equal the rhs input feature dimension size, but 3 // 1 != 2."),
    (lambda lax: lax.bitcast_convert_type(WORDS, np.float64), ValueError, "Attempting to convert array of shape"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "words"), CONDITIONS)
def test_conditions_are_jax_s(call, kind, words):
    """What was taken silently, or refused in other words."""
    import s2s

    with pytest.raises(kind, match=words):
        call(s2s.lax)
    with pytest.raises(kind, match=words):
        s2s.jit(lambda: call(s2s.lax), target="numpy")()


def test_tangents_go_through_what_is_rounded():
    import s2s

    f = s2s.jit(lambda x: s2s.lax.reduce_precision(x, 8, 5), target="numpy")
    np.testing.assert_array_equal(s2s.jvp(f, (X,), (np.cos(X),))[1], np.cos(X))
    np.testing.assert_array_equal(s2s.vjp(f, X)[1](np.cos(X))[0], np.cos(X))


SHAPES = [
    lambda lax: lax.padtype_to_pads((7, 8), (3, 2), (2, 3), "SAME"), lambda lax: lax.padtype_to_pads((7, 8), (3, 2), (2, 3), "SAME_LOWER"), lambda lax: lax.padtype_to_pads((7, 8), (3, 2), (2, 3), "VALID"),
    lambda lax: lax.conv_shape_tuple((2, 3, 7, 8), (4, 3, 3, 2), (2, 1), [(1, 1), (0, 0)]), lambda lax: lax.conv_shape_tuple((4, 3, 7, 1), (4, 3, 3, 2), (2, 1), "VALID", 2),
    lambda lax: lax.conv_general_permutations(("NHWC", "HWIO", "NWHC")), lambda lax: lax.conv_general_shape_tuple((2, 7, 8, 3), (3, 2, 3, 4), (2, 1), "SAME", ("NHWC", "HWIO", "NCWH")),
    lambda lax: lax.conv_transpose_shape_tuple((2, 7, 8, 3), (3, 2, 4, 3), (2, 1), "SAME", ("NHWC", "HWOI", "NCHW")), lambda lax: lax.conv_transpose_shape_tuple((2, 7, 8, 3), (3, 2, 3, 4), (2, 1), [(1, 0), (2, 2)], ("NHWC", "HWIO", "NHWC")),
    lambda lax: lax.reduce_window_shape_tuple((7, 8), (3, 2), (2, 1), [(0, 0), (1, 1)], (2, 1), (1, 2)), lambda lax: lax.shape_as_value((2, 3)), lambda lax: lax.dtype(np.zeros(1, np.float32)).name,
    lambda lax: float(lax.composite(lambda x, scale: scale * x, "my.scaled", version=1)(2.0, scale=3.0)),
]  # fmt: skip


@pytest.mark.parametrize("call", SHAPES)
def test_shapes_are_jax_s(call):
    jax = pytest.importorskip("jax")
    import s2s

    assert np.array_equal(np.array(call(s2s.lax)), np.array(call(jax.lax)))


def test_arrays_of_plain_python_have_no_at():
    import s2s
    from s2s import lax

    def loop(n):
        return lax.fori_loop(0, n, lambda i, squares: squares.at[i].set(i * i), np.zeros(4))

    with pytest.raises(AttributeError, match="has no attribute 'at'") as caught:
        loop(4)
    assert "inside of s2s.jit" in caught.value.__notes__[0]
    assert s2s.jit(loop, target="numpy")(4).tolist() == [0.0, 1.0, 4.0, 9.0]


def by_jax():
    import jax
    from jax import lax

    jax.config.update("jax_enable_x64", True)
    return {name: np.round(np.asarray(function(*map(jax.numpy.asarray, args))), 13).tolist() for name, (function, args) in cases(lax).items()}


def test_stored_numbers_are_those_of_the_installed_jax():
    pytest.importorskip("jax")
    for name, wanted in by_jax().items():
        close(wanted, json.loads(STORED.read_text(encoding="utf-8"))[name])


if __name__ == "__main__":
    STORED.write_text(json.dumps(by_jax()), encoding="utf-8")


@pytest.mark.parametrize("source", ["f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1"])
def test_bits_between_all_widths_are_views(source):
    """Narrower ones than 32 bits were cut off."""
    import s2s
    from s2s import lax

    for number, target in enumerate(("f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1")):
        one, two = np.dtype(source), np.dtype(target)
        parts, more = max(two.itemsize // one.itemsize, 1), max(one.itemsize // two.itemsize, 1)
        x = np.frombuffer(np.random.default_rng(number).integers(0, 120, 3 * parts * one.itemsize).astype(np.uint8).tobytes(), one).reshape((3, parts) if parts > 1 else (3,))
        wanted = x.view(two).reshape((3, more) if more > 1 else (3,))
        found = lax.bitcast_convert_type(x, two)
        assert found.dtype == two
        np.testing.assert_array_equal(found, wanted)
        if number % 3 == one.itemsize % 3:
            np.testing.assert_array_equal(s2s.jit(lambda x: lax.bitcast_convert_type(x, two), target="numpy")(x), wanted)  # noqa: B023 - used at once


def test_patches_by_the_numbers_of_axes():
    """As libraries call it (dm_pix): the same as by texts, which are compared with JAX."""
    from functools import partial

    import s2s
    from s2s import lax

    x = np.random.default_rng(0).normal(size=(2, 6, 5, 3))
    for text, axes in ((("NHWC", "HWIO", "NHWC"), ((0, 3, 1, 2), (3, 2, 0, 1), (0, 3, 1, 2))), (("NCHW", "OIHW", "NHWC"), ((0, 1, 2, 3), (0, 1, 2, 3), (0, 3, 1, 2)))):
        wanted = lax.conv_general_dilated_patches(x, (3, 2), (1, 2), "SAME", dimension_numbers=text)
        numbers = lax.ConvDimensionNumbers(*axes)
        by_axes = partial(lax.conv_general_dilated_patches, filter_shape=(3, 2), window_strides=(1, 2), padding="SAME", dimension_numbers=numbers)
        for found in (by_axes(x), s2s.jit(by_axes, target="numpy")(x)):
            np.testing.assert_array_equal(found, wanted)
