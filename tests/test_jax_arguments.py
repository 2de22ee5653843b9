"""s2s.numpy's functions with arguments that only jax.numpy's have: equal to what JAX 0.10.2 gives, as plain functions and as they are read.

`python tests/test_jax_arguments.py` writes the stored results anew; it needs JAX.
"""
from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

STORED = Path(__file__).parent / "jax_arguments_expected.json"
X, M, B, F, T = np.array([3, 1, 1, 2]), np.array([[3, 1], [1, 2], [1, 2]]), np.array([[1, 0], [1, 1]]), np.array([1.0, np.nan, 3.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0])
Q, I1, I2, H, EMPTY = np.array([0, 3, -1, -4]), np.array([1, 2, 3]), np.array([2, 3, 4]), np.array([100, 100], np.int8), np.zeros(0)


def cases(jnp):
    """Name -> call."""
    return {
        "unique_1": lambda: jnp.unique(X, size=5, return_index=True, return_inverse=True, return_counts=True),
        "unique_2": lambda: jnp.unique(X, size=5, fill_value=9, return_counts=True),
        "unique_3": lambda: jnp.unique(X, size=2, return_index=True),
        "unique_4": lambda: jnp.unique(X, return_inverse=True),
        "unique_5": lambda: jnp.unique(M, axis=0, size=4, fill_value=7),
        "unique_6": lambda: jnp.unique(M, axis=0, size=4),
        "unique_7": lambda: jnp.unique(M, axis=1, size=3, fill_value=7),
        "unique_8": lambda: jnp.unique(M, True, True, True, 0, size=3),
        "unique_9": lambda: jnp.unique(EMPTY, size=2, fill_value=3.),
        "unique_10": lambda: jnp.unique(F, size=6),
        "unique_11": lambda: jnp.unique(F, size=6, equal_nan=False, return_counts=True),
        "unique_values_1": lambda: jnp.unique_values(X, size=5),
        "intersect1d_1": lambda: jnp.intersect1d(I1, I2, size=4, return_indices=True),
        "intersect1d_2": lambda: jnp.intersect1d(I1, I2, size=4, fill_value=-1),
        "intersect1d_3": lambda: jnp.intersect1d(I1, I2),
        "intersect1d_4": lambda: jnp.intersect1d(I1, I2 + 9, size=2),
        "setdiff1d_1": lambda: jnp.setdiff1d(I1, I2, size=4),
        "setdiff1d_2": lambda: jnp.setdiff1d(I1, I2, size=4, fill_value=9),
        "setxor1d_1": lambda: jnp.setxor1d(I1, I2, size=4),
        "setxor1d_2": lambda: jnp.setxor1d(I1, I2, size=1),
        "setxor1d_3": lambda: jnp.setxor1d(I1, I1, size=2),
        "union1d_1": lambda: jnp.union1d(I1, I2, size=6),
        "union1d_2": lambda: jnp.union1d(I1, I2, size=3),
        "union1d_3": lambda: jnp.union1d(I1, I2, size=6, fill_value=0),
        "nonzero_1": lambda: jnp.nonzero(B, size=4, fill_value=(7, 8)),
        "nonzero_2": lambda: jnp.nonzero(B, size=2),
        "nonzero_3": lambda: jnp.nonzero(B, size=5, fill_value=-1),
        "nonzero_4": lambda: jnp.nonzero(B),
        "nonzero_5": lambda: jnp.nonzero(EMPTY, size=2),
        "argwhere_1": lambda: jnp.argwhere(B, size=4, fill_value=-1),
        "argwhere_2": lambda: jnp.argwhere(B, size=2),
        "where_1": lambda: jnp.where(X > 1, size=3, fill_value=5),
        "where_2": lambda: jnp.where(X > 1),
        "where_3": lambda: jnp.where(X > 1, X, 0),
        "where_4": lambda: jnp.where(B, size=3),
        "flatnonzero_1": lambda: jnp.flatnonzero(B, size=4),
        "flatnonzero_2": lambda: jnp.flatnonzero(B, size=6, fill_value=B.size),
        "mask_indices_1": lambda: jnp.mask_indices(3, jnp.triu, size=8),
        "mask_indices_2": lambda: jnp.mask_indices(3, jnp.tril, -1),
        "compress_1": lambda: jnp.compress(T > 1, T, size=3),
        "compress_2": lambda: jnp.compress(np.array([True, False]), np.zeros((2, 2)) + 1, axis=1, size=2, fill_value=9),
        "extract_1": lambda: jnp.extract(T != 2, T, size=3, fill_value=5),
        "extract_2": lambda: jnp.extract(T != 2, T),
        "bincount_1": lambda: jnp.bincount(np.array([1, 5, 2]), length=3),
        "bincount_2": lambda: jnp.bincount(np.array([1, 5, 2]), length=8, minlength=2),
        "bincount_3": lambda: jnp.bincount(np.array([-1, 2]), length=3),
        "bincount_4": lambda: jnp.bincount(np.array([1, 1, 2]), T, length=4),
        "repeat_1": lambda: jnp.repeat(I1, I2, total_repeat_length=4),
        "repeat_2": lambda: jnp.repeat(I1, I2, total_repeat_length=12),
        "repeat_3": lambda: jnp.repeat(I1, 2, total_repeat_length=8),
        "repeat_4": lambda: jnp.repeat(M, np.array([2, 1]), axis=1, total_repeat_length=4),
        "repeat_5": lambda: jnp.repeat(M, 2, axis=0),
        "sort_1": lambda: jnp.sort(F, descending=True),
        "sort_2": lambda: jnp.sort(M, axis=0, descending=True),
        "sort_3": lambda: jnp.sort(M, axis=None, descending=True),
        "sort_4": lambda: jnp.sort(M),
        "argsort_1": lambda: jnp.argsort(F, descending=True),
        "argsort_2": lambda: jnp.argsort(np.array([2, 2, 1]), descending=True),
        "argsort_3": lambda: jnp.argsort(M, axis=None, descending=True),
        "argsort_4": lambda: jnp.argsort(M, axis=0, descending=True),
        "argsort_5": lambda: jnp.argsort(F, descending=True, dtype=np.int32),
        "zeros_like_1": lambda: jnp.zeros_like(T, dtype=np.float32),
        "ones_like_1": lambda: jnp.ones_like(M, shape=(2,)),
        "full_like_1": lambda: jnp.full_like(M, 7, dtype=np.int8),
        "empty_like_1": lambda: jnp.empty_like(M, dtype=np.float32).shape,
        "clip_1": lambda: jnp.clip(T, 1.5),
        "clip_2": lambda: jnp.clip(T, max=1.5),
        "clip_3": lambda: jnp.clip(T, None, 2.5),
        "clip_4": lambda: jnp.clip(T, 1.5, 2.5),
        "clip_5": lambda: jnp.clip(T, min=1.5, max=2.5),
        "take_1": lambda: jnp.take(T, Q, mode="fill"),
        "take_2": lambda: jnp.take(T, Q, mode="clip"),
        "take_3": lambda: jnp.take(T, Q, fill_value=7.),
        "take_4": lambda: jnp.take(M, Q, axis=0, mode="fill"),
        "take_5": lambda: jnp.take(M, Q.reshape(2, 2), axis=1, mode="fill"),
        "take_6": lambda: jnp.take(M, Q, mode="fill", fill_value=-5),
        "take_7": lambda: jnp.take(M.astype(np.uint8), Q, axis=0, mode="fill"),
        "take_8": lambda: jnp.take(M > 1, Q, axis=-1, mode="fill"),
        "take_9": lambda: jnp.take(T, 5, mode="fill"),
        "take_10": lambda: jnp.take(T, np.array([0, 2]), unique_indices=True, indices_are_sorted=True),
        "take_along_axis_1": lambda: jnp.take_along_axis(T, Q, axis=0, mode="fill"),
        "take_along_axis_2": lambda: jnp.take_along_axis(T, Q, axis=0, mode="clip"),
        "take_along_axis_3": lambda: jnp.take_along_axis(T, Q, axis=0, fill_value=7.),
        "take_along_axis_4": lambda: jnp.take_along_axis(T, Q, axis=0, mode="fill", wrap_negative_indices=False),
        "take_along_axis_5": lambda: jnp.take_along_axis(M, np.array([[0], [5], [-1]]), axis=1, mode="fill"),
        "take_along_axis_6": lambda: jnp.take_along_axis(M, np.array([[0], [1], [1]]), axis=1),
        "put_1": lambda: jnp.put(np.zeros(3), np.array([0, 2]), 7., inplace=False),
        "put_2": lambda: jnp.put(np.zeros(3), np.array([0, 5]), 7., mode="clip", inplace=False),
        "put_3": lambda: jnp.put(np.zeros(3), np.array([0, 5]), T, mode="wrap", inplace=False),
        "place_1": lambda: jnp.place(np.zeros(3), np.array([1, 0, 1]), np.array([4., 5]), inplace=False),
        "fill_diagonal_1": lambda: jnp.fill_diagonal(np.zeros((2, 2)), 1., inplace=False),
        "put_along_axis_1": lambda: jnp.put_along_axis(np.zeros((2, 2)), np.array([[0], [1]]), 5., axis=1, inplace=False),
        "dot_1": lambda: jnp.dot(H, H, preferred_element_type=jnp.int32),
        "dot_2": lambda: jnp.dot(T, T, precision="highest"),
        "matmul_1": lambda: jnp.matmul(np.zeros((2, 2)) + 1, np.zeros((2, 2)) + 2, precision="high"),
        "matmul_2": lambda: jnp.matmul(np.ones((2, 2), np.float32), np.ones((2, 2), np.float32), preferred_element_type=np.float64),
        "inner_1": lambda: jnp.inner(H, H, preferred_element_type=np.int64),
        "vdot_1": lambda: jnp.vdot(H, H, preferred_element_type=np.int64),
        "vecdot_1": lambda: jnp.vecdot(H, H, preferred_element_type=np.int64),
        "tensordot_1": lambda: jnp.tensordot(M, M, ((0,), (0,)), precision="high", preferred_element_type=np.float64),
        "einsum_1": lambda: jnp.einsum("ij, kj->ik", M, M, preferred_element_type=np.float64),
        "einsum_2": lambda: jnp.einsum("ij, kj->ik", M, M, optimize="optimal", precision="high"),
        "einsum_3": lambda: jnp.einsum(M, [0, 1], M, [2, 1]),
        "convolve_1": lambda: jnp.convolve(H, H, preferred_element_type=np.int32),
        "correlate_1": lambda: jnp.correlate(T, T, mode="full", precision="high"),
        "isin_1": lambda: jnp.isin(X, I2, method="compare_all"),
        "delete_1": lambda: jnp.delete(T, np.array([0, 2]), assume_unique_indices=True),
        "dstack_1": lambda: jnp.dstack([T, T], dtype=np.float32),
        "polyval_1": lambda: jnp.polyval(T, 2., unroll=4),
        "linalg_cholesky_1": lambda: jnp.linalg.cholesky(np.array([[4., 1], [3., 5]]), symmetrize_input=True),
        "linalg_eigvalsh_1": lambda: jnp.linalg.eigvalsh(np.array([[4., 1], [3., 5]]), symmetrize_input=True),
        "linalg_slogdet_1": lambda: jnp.linalg.slogdet(np.array([[4., 1], [3., 5]]), method="qr"),
        "linalg_multi_dot_1": lambda: jnp.linalg.multi_dot([np.zeros((2, 2)) + 1, np.zeros((2, 2)) + 2, np.zeros((2, 2))], precision="high"),
        "linalg_matmul_1": lambda: jnp.linalg.matmul(np.zeros((2, 2)) + 1, np.zeros((2, 2)) + 2, precision="high"),
        "linalg_norm_1": lambda: jnp.linalg.norm(T),
    }  # fmt: skip


CUBE = np.round(np.sin(np.arange(24.0)).reshape(2, 3, 4), 3)
MASK = CUBE > -0.5
AXES = ("sum", "prod", "nansum", "nanprod", "max", "min", "nanmax", "nanmin", "amax", "amin", "ptp", "all", "any", "mean", "nanmean", "var", "std", "nanvar", "nanstd", "average")
LISTED = tuple(name for name in AXES if not name.startswith("nan"))
"""JAX's nan-functions take no lists."""
MASKED = tuple(name for name in AXES if name not in ("ptp", "average"))
FIRST = ("sum", "prod", "nansum", "nanprod", "max", "min", "nanmax", "nanmin", "amax", "amin")
"""Those that have `initial`."""


def reductions(jnp):
    """Name -> call: lists of axes, and what is None."""
    first = {name: {"initial": 0.25} for name in FIRST}
    return {
        **{f"{name}_listed": lambda name=name: getattr(jnp, name)(CUBE, axis=[0, -1], keepdims=True) for name in LISTED},
        **{f"{name}_unmasked": lambda name=name: getattr(jnp, name)(CUBE, axis=(1, 2), where=None) for name in MASKED},
        **{f"{name}_masked": lambda name=name: getattr(jnp, name)(CUBE, axis=(0, 1), where=MASK, **first.get(name, {})) for name in MASKED},
        **{f"{name}_first": lambda name=name: getattr(jnp, name)(CUBE, 1, initial=None) for name in FIRST},
        **{f"{name}_corrected": lambda name=name: getattr(jnp, name)(CUBE, axis=[1], correction=1, mean=None) for name in ("var", "std")},
        **{f"{name}_narrow": lambda name=name: getattr(jnp, name)(H, promote_integers=False) for name in ("sum", "prod")},
        "squeeze_listed": lambda: jnp.squeeze(CUBE[:1, :, :1], axis=[0, 2]),
        "argsort_ties": lambda: jnp.argsort(np.arange(40) % 3),
    }


def leaves(result):
    """The arrays of a result, with their dtypes."""
    return [[np.asarray(each).dtype.name, np.asarray(each).tolist()] for each in (result if isinstance(result, tuple | list) else (result,))]


NAMES = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}


def ours():
    import s2s.numpy

    return {**cases(s2s.numpy), **reductions(s2s.numpy)}


def close(found, wanted):
    assert [dtype for dtype, _ in found] == [dtype for dtype, _ in wanted]
    for (_, one), (_, other) in zip(found, wanted, strict=True):
        assert np.shape(one) == np.shape(other)
        np.testing.assert_allclose(one, other, rtol=1e-14)


def test_every_function_is_compared():
    from s2s.transforms.read.composed import jax_numpy, jax_reductions, sized

    known = {*NAMES, "searchsorted_1", "digitize_1"}  # of JAX's int32
    assert all(any(case.rpartition("_")[0] == name for case in known) for name in (*jax_numpy.EXPORTED, *jax_reductions.EXPORTED, *sized.EXPORTED))
    assert all(f"linalg_{name}_1" in known for name in ("cholesky", "eigvalsh", "slogdet", "multi_dot", "matmul"))


@pytest.mark.parametrize("name", NAMES)
def test_as_jax(name):
    import s2s

    call = ours()[name]
    close(leaves(call()), NAMES[name])
    close(leaves(s2s.jit(call, target="numpy")()), NAMES[name])


def test_scipy():
    import scipy.signal
    import scipy.special

    import s2s
    import s2s.scipy as jsp
    import s2s.scipy.ndimage
    from s2s.scipy.interpolate import RegularGridInterpolator

    masked = np.log(np.exp(1.0) + np.exp(3.0))
    calls = [
        (lambda: jsp.special.logsumexp(T, where=np.array([True, False, True])), masked), (lambda: jsp.special.logsumexp(T), scipy.special.logsumexp(T)),
        (lambda: jsp.special.bessel_jn(T, v=2), np.stack([scipy.special.jv(k, T) for k in range(3)])), (lambda: jsp.signal.convolve(T, T, precision="high"), np.convolve(T, T)),
    ]  # fmt: skip
    for call, wanted in calls:
        np.testing.assert_allclose(call(), wanted, rtol=1e-14)
        np.testing.assert_allclose(s2s.jit(call, target="numpy")(), wanted, rtol=1e-12)
    assert s2s.scipy.ndimage.gaussian_filter is scipy.ndimage.gaussian_filter
    assert RegularGridInterpolator is scipy.interpolate.RegularGridInterpolator


def test_derivatives():
    import s2s
    import s2s.numpy as jnp

    def f(x, w):
        taken = jnp.take(x, np.array([0, 7, -1]), mode="fill", fill_value=0.5) * jnp.sort(x, descending=True)[:3]
        placed = jnp.put(x, np.array([1]), w[0], inplace=False) @ jnp.repeat(x, 2, total_repeat_length=4)
        return jnp.sum(taken) + placed + jnp.dot(x, w, preferred_element_type=np.float64) + jnp.sum(x[jnp.where(x > 0.0, size=4, fill_value=0)[0]])

    s2s.check_grads(f, (np.array([0.3, -0.8, 1.4, 0.1]), np.array([0.7, 0.2, -0.5, 1.1])), order=2)


def test_reductions_of_what_may_be_masked():
    """A loss with an optional mask, as libraries of losses write it."""
    import s2s
    import s2s.numpy as jnp

    def loss(x, where=None):
        return jnp.sum(jnp.mean(x * x, axis=[0, 2], where=where) / jnp.std(x, axis=[0, 2], where=where, correction=None))

    for where in (None, MASK):
        for target in ("numpy", "cpu"):
            np.testing.assert_allclose(s2s.jit(loss, target=target)(CUBE, where), loss(CUBE, where), rtol=1e-14)
        s2s.check_grads(lambda x, where=where: loss(x, where), (CUBE,), order=2)


def test_what_is_not_there_says_why():
    import s2s
    import s2s.numpy as jnp

    with pytest.raises(AttributeError, match="module 's2s.numpy' has no attribute 'bfloat16': NumPy has no such dtype"):
        jnp.bfloat16  # noqa: B018
    for run in (lambda f: f(), lambda f: s2s.jit(f, target="numpy")()):
        with pytest.raises(ValueError, match="fill_value must be specified"):
            run(lambda: jnp.unique(EMPTY, size=2))
        with pytest.raises(IndexError, match="index 3 is out of bounds"):
            run(lambda: jnp.take(T, Q))
    with pytest.raises(NotImplementedError, match="where=None is not supported[^$]*to NumPy it is a mask that is False everywhere"):
        s2s.jit(lambda x: (x * x).sum(0, where=None), target="numpy")(T)
    a = np.zeros(3)
    assert jnp.put(a, np.array([1]), 2.0) is None
    np.testing.assert_array_equal(a, [0.0, 2.0, 0.0])
    assert jnp.float_ is np.float64


def by_jax():
    import jax

    jax.config.update("jax_enable_x64", True)
    return {name: leaves(call()) for name, call in {**cases(jax.numpy), **reductions(jax.numpy)}.items()}


if __name__ == "__main__":
    STORED.write_text("{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(each)}" for name, each in by_jax().items()) + "\n}\n", encoding="utf-8")
