"""Calls that NumPy's and SciPy's own tests make: the arguments that those who know the functions best thought of."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.fft
import scipy.fftpack
import scipy.interpolate
import scipy.ndimage
import scipy.signal
import scipy.sparse.csgraph
import scipy.sparse.linalg
import scipy.spatial
import scipy.stats
from outcomes import check

import s2s

A = np.array


def trace_beside(x, y):
    return np.einsum("aabcb,abc", x, y)


def trace_of_no_square(x):
    return np.einsum("bcb->c", x)


def stretched_diagonal(x, y):
    return np.einsum("bb,b->b", x, y)


def axes_by_numbers(x, one, two):
    return np.einsum(x, [one, two]), np.einsum(x, [one, two], x, [one, 3])


def inserted_at(x, places, values):
    return np.insert(x, places, values), np.insert(x, places, values, axis=0)


def taken_at(x, places, mode):
    return np.take(x, places, mode=mode)


def in_place_products(x, y):
    x @= y
    return x


def stored_products(x, y, out):
    np.matmul(x, y, out=out)
    return out


def stored_dots(x, y, out):
    np.dot(x, y, out=out)
    return out


def stored_sums_of_products(x, y, out):
    np.einsum("ij,jk->ik", x, y, out=out)
    return out


def stored_items(x, out):
    np.take(x, [1, 0], axis=0, out=out)
    return out


def stored_choices(x, out):
    np.choose([0, 1], (x, x), out=out)
    return out


def other_bits(x):
    return x.view(np.int32), x.T.view(np.uint32)


def other_bits_of_parts(x):
    return x[:, ::2].view(np.int32)


def bits_as_large(x):
    return x.view(np.int64), isinstance(x.view(np.int64), np.ndarray)


def among_whole_numbers(number):
    return number in range(5), number in range(9, 0, -3), number in range(int(abs(number)) + 1)


def of_parts(re, im):
    return [(float(z.real), float(z.imag)) for z in (complex(re, im), np.complex128(re, im), np.complex64(re, im))]


def inverse_of_parts(x, im):
    return np.fft.ifft(x) * complex(1.0, im)


def chosen(at, one, two):
    return np.choose(at, (one, two)), np.choose(at, (one, 1))


def resized(x, size):
    return np.resize(x, size)


def near_a_number(x, rtol):
    return np.isclose(x, 2, atol=0, rtol=rtol), np.allclose(x, 2, atol=0, rtol=rtol)


def no_columns(x):
    return np.vander(x, N=0)


def stored_at_no_places(x, at):
    np.put_along_axis(x, at, 7, axis=None)
    return x


def squeezed_lists():
    return np.squeeze([[[1.5]]]), np.squeeze([[[1.5], [2.5]]]), np.reshape([2.5], ())


def compared_with_none(x):
    return x == None, x != None, None == x  # noqa: E711


def covariances_of_lists(x):
    return np.cov(x), np.corrcoef(x)


def beside_a_gap(x, y, at):
    return scipy.interpolate.interp1d(x, y)(at), scipy.interpolate.interp1d(x, y, bounds_error=False, fill_value=(-1.0, 7.0))(at)


def beyond_an_empty_piece(t, c, at):
    return scipy.interpolate.BSpline(t, c, 2)(at)


def in_no_dtype(x):
    return np.asfortranarray(x, dtype="bad dtype")


def a_curve(x, y):
    tck, _ = scipy.interpolate.splprep([x, y], s=0)
    return tck[2], isinstance(tck, list)


def quick_lengths(n):
    return scipy.fft.next_fast_len(n), scipy.fft.prev_fast_len(n), scipy.fftpack.next_fast_len(n)


def counts_of_events(k):
    return tuple(scipy.stats.poisson_means_test(k, 1, 1, 1))


def too_few_points(x, m):
    return scipy.signal.czt(x, m)


def weights_of_reach(x, radius):
    return scipy.ndimage.gaussian_filter1d(x, 1.0, radius=radius)


def of_no_size(x):
    return scipy.ndimage.uniform_filter(x, [0, 3]), scipy.ndimage.uniform_filter(x, [2, 1])


def by_the_edges_of_each_axis(x):
    n, mode = scipy.ndimage, ("reflect", "wrap")
    return [f(x, 1.0, mode=mode) for f in (n.gaussian_laplace, n.gaussian_gradient_magnitude)] + [f(x, mode=mode) for f in (n.laplace, n.sobel, n.prewitt)]


def windows_along_axes(x):
    n = scipy.ndimage
    grown = n.grey_dilation(x, size=(2, 3), axes=(1, 2)), n.grey_erosion(x, size=(2, 3), axes=(0, 2), origin=(-1, 0)), n.grey_opening(x, size=(2, 3), axes=(0, 2))
    return *grown, n.median_filter(x, size=3, axes=(0, -1)), n.minimum_filter(x, 3, mode=["wrap", "nearest", "mirror"]), n.maximum_filter(x, 3, axes=1, mode=["wrap"])


def shapes_along_axes(x, shape):
    return scipy.ndimage.grey_dilation(x, footprint=shape, axes=(1, 2), origin=(-1, 0)), scipy.ndimage.morphological_gradient(x, footprint=shape, axes=(0, 2))


def other_axes(x):
    n = scipy.ndimage
    return n.uniform_filter(x, 3, axes=(1,)), n.uniform_filter(x, (3, 2), axes=(2, -3), origin=(0, -1)), n.laplace(x, axes=(0, 2)), n.laplace(x, axes=1, mode="wrap")


def overwritten_graph(x):
    found = scipy.sparse.csgraph.laplacian(x, copy=False)
    scipy.sparse.csgraph.laplacian(found, normed=x.dtype.kind == "f", copy=False)
    return found, x


def several_moments(x):
    return np.round(scipy.stats.moment(x, [2, 3, 1]), 9), np.round(scipy.stats.moment(x, (4,), axis=1), 9), scipy.stats.describe(x).nobs


def to_one_sample(x):
    return scipy.signal.resample(x, 1), scipy.signal.resample(x + 1j, 1)


def one_section(x):
    return scipy.signal.freqz_sos([1, 0.5, 0, 1, 0.2, 0], worN=4), scipy.signal.sosfilt([1, 0.5, 0, 1, 0.2, 0], x)


def from_one_state(x0):
    return [np.round(each, 9) for each in scipy.signal.lsim(([1.0], [1.0, 2.0]), [1.0, 0.5, 0.0], [0.0, 0.5, 1.0], x0)] + [np.round(scipy.signal.step(([1.0], [1.0, 1.0]), X0=x0)[1], 9)]


def straight_splines(x, y, at):
    return [scipy.interpolate.interp1d(x, y, kind=kind)(at) for kind in ("slinear", 1, "linear")]


def nearest_of_one(x):
    return scipy.spatial.KDTree(x).query(x[1]), scipy.spatial.cKDTree(x).query(x[1])


def numbers_that_are_none(x, tol, v0):
    return scipy.sparse.linalg.svds(x, k=1, tol=tol, v0=v0)[1]


def lengths_of_residuals(a, b):
    return [[type(each) is float for each in f(a, b)[1:5]] for f in (scipy.sparse.linalg.lsqr, scipy.sparse.linalg.lsmr)]


def splines_of_integers(x):
    return scipy.ndimage.spline_filter(x), scipy.ndimage.spline_filter1d(x, 4, axis=0)


def a_curve_of_one_point(x):
    return scipy.interpolate.splprep([x, x])[1]


def axes_that_are_no_integers(x, axis):
    return scipy.ndimage.median_filter(x, size=3, axes=(axis,))


def weighted_truths(u, v, w):
    return scipy.spatial.distance.russellrao(u, v, w)


def widths_by(x, *of_peaks):
    return scipy.signal.peak_widths(x, A([3]), prominence_data=of_peaks)


CASES = [
    (lengths_of_residuals, [(A([[1.0, 2.0], [0.5, 3.0], [4.0, 1.0]]), A([1.0, 2.0, 0.5]))]),
    (splines_of_integers, [(A([[1, 2, 5], [3, 4, -1]], dtype),) for dtype in (np.int8, np.int64, np.float32, bool)]),
    (a_curve_of_one_point, [(np.ones(6),), (np.arange(6.0),)]),
    (axes_that_are_no_integers, [(A([[1.0, 2.0, 5.0], [3.0, 4.0, -1.0]]), 1.0), (A([[1.0, 2.0, 5.0], [3.0, 4.0, -1.0]]), 1)]),
    (weighted_truths, [(A([True, False, True]), A([True, True, False]), w) for w in (None, A([1.0, 2.0, 1.0]))]),
    (widths_by, [(A([0.0, 1.0, 2.0, 5.0, 2.0, 1.0, 0.5, 0.0]), A([4.5]), A([low]), A([high])) for low, high in ((0, 6), (4, 6), (-1, 6), (0, 8))]),
    (widths_by, [(A([0.0, 1.0, 2.0, 5.0, 2.0, 1.0, 0.5, 0.0]), A([4.5, 2.0]), A([0]), A([6]))]),
    (other_axes, [(A([[[1.0, 2.0, 7.0], [3.0, -1.0, 0.5]], [[0.0, 1.0, 4.0], [2.0, 2.0, 9.0]]]),)]),
    (overwritten_graph, [(A([[1.0, 2.0, 0.0], [0.5, 3.0, 4.0], [1.0, 0.0, 2.0]]),), (A([[1, 2], [3, 4]]),)]),
    (several_moments, [(A([[1.0, 2.0, 4.0], [0.5, 3.0, 9.0], [4.0, 1.0, 2.5]]),), (A([[1, 2], [5, 4], [2, 7]]),)]),
    (to_one_sample, [(A([1.0, 3.0]),), (A([1.0, 3.0, 0.5]),)]),
    (one_section, [(A([1.0, 3.0, 0.5]),)]),
    (from_one_state, [(3.0,), (A([3.0]),)]),
    (straight_splines, [(np.arange(3.0), A([1, 3, 2], dtype), A([0.5, 1.5])) for dtype in (np.float32, np.float64, np.complex64)]),
    (nearest_of_one, [(A([[1.0, 2.0], [0.5, 3.0]]),)]),
    (numbers_that_are_none, [(A([[1.0, 2.0], [0.5, 3.0]]), -1.0, None), (A([[1.0, 2.0], [0.5, 3.0]]), 0.0, A([1.0])), (A([[1.0, 2.0], [0.5, 3.0]]), 0.0, A([1.0, 2.0]))]),
    (squeezed_lists, [()]),
    (compared_with_none, [(A([1.0, 2.0]),), (A([[1], [2]]),), (np.zeros((0, 2)),)]),
    (covariances_of_lists, [([[1.0, 2.0, 3.0], [3.0, 1.0, 2.0]],)]),
    (beside_a_gap, [(A([0.0, 1.0, 2.0, 3.0]), A([np.nan, 0.0, 1.0, 5.0]), A([0.0, 1.0, 2.5, 3.0])), ([0, 1, 2], [3, 0, 1], [0, 1, 2]), (A([0.0, 1.0], np.float32), A([3.0, 1.0], np.float32), A([0.5], np.float32))]),
    (beyond_an_empty_piece, [(A([-1.0, -1, 0, 1, 1, 3, 4, 6, 6, 6, 7, 7]), A([0.0, 0.0, 0.25, 0.5, 0.5, 0.75, 0.75, 0.0, 0.0]), A([6.0, 6.5, 7.0]))]),
    (in_no_dtype, [(1.0,), (A([1.0]),)]),
    (a_curve, [(np.arange(5.0), np.arange(5.0) ** 2)]),
    (quick_lengths, [(np.int16(12345),), (17,)]),
    (counts_of_events, [(0.7,), (2.0,), (3,)]),
    (too_few_points, [(np.ones(3), -5), (np.ones(3), 0)]),
    (weights_of_reach, [(np.arange(6.0), 2), (np.arange(6.0), 1.1), (np.arange(6.0), -1)]),
    (of_no_size, [(A([[1.0, 2.0], [4.0, 8.0]]),)]),
    (by_the_edges_of_each_axis, [(A([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 3.0]]),)]),
    (windows_along_axes, [(np.arange(60).reshape(3, 4, 5) * 7 % 11,)]),
    (shapes_along_axes, [(np.arange(60).reshape(3, 4, 5) * 7 % 11, A([[1, 0, 1], [1, 1, 0]]))]),
    (trace_beside, [(np.ones((3, 3, 4, 5, 6)), np.ones((3, 4, 5))), (np.ones((3, 3, 4, 5, 4)), np.ones((3, 4, 5)))]),
    (trace_of_no_square, [(np.ones((4, 5, 6)),), (np.ones((4, 5, 4)),)]),
    (stretched_diagonal, [(np.ones((1, 4)), np.ones(4)), (np.ones((4, 4)), np.arange(4.0))]),
    (axes_by_numbers, [(np.arange(9.0).reshape(3, 3), *each) for each in ((0, 26), (26, 0), (51, 7), (52, 0), (-1, 0))]),
    (inserted_at, [(x, each, values) for x in (np.arange(5), A([[1.0, 2.0], [3.0, 4.0]])) for each in ([2], A([1]), (-2,), [0, 2], [9], [[1]], slice(1, 2)) for values in ([98, 99], [97], 5)]),
    (taken_at, [(np.arange(5.0), A([1, -2, 0], dtype), mode) for dtype in (np.int8, np.float64) for mode in ("raise", "wrap", "clip")]),
    (in_place_products, [(np.ones(first), np.ones(second)) for first, second in (((2,), (2,)), ((2, 2), (2,)), ((2, 2), (2, 1)), ((2, 2), (2, 2)), ((2,), (2, 2)), ((3, 2, 2), (2, 2)), ((2, 2), ()))]),
    (stored_products, [(np.ones(first), np.ones((2, 2)), np.zeros(out, dtype)) for first, out in (((1, 2), (2, 2)), ((2, 2), (2, 2)), ((2, 2), (3, 2, 2)), ((2,), (2,)), ((2,), (1,))) for dtype in (np.float64, np.complex64)]),
    (stored_dots, [(np.ones((1, 2)), np.ones((2, 2)), np.zeros(out)) for out in ((2, 2), (1, 2), (2,))]),
    (stored_sums_of_products, [(np.ones((1, 2)), np.ones((2, 2)), np.zeros(out)) for out in ((2, 2), (1, 2), (3, 2, 2))]),
    (stored_items, [(np.arange(6.0).reshape(3, 2), np.zeros(out, dtype)) for out in ((2, 2), (3, 2)) for dtype in (np.float64, np.float32)] + [(np.arange(6.0).reshape(3, 2), np.zeros((2, 2), np.complex128))]),
    (stored_choices, [(np.arange(4.0).reshape(2, 2), np.zeros(out)) for out in ((2, 2), (3, 2, 2))]),
    (other_bits, [(A([1.0, 2.0]),), (A([[1.0, 2.0], [3.0, 4.0]]),), (np.asfortranarray([[1.0, 2.0], [3.0, 4.0]]),), (np.arange(4.0)[::2],), (np.ones((1, 3)),), (np.ones((3, 1)),)]),
    (other_bits_of_parts, [(np.ones((2, 3)),), (np.ones((2, 1)),), (np.ones((0, 3)),)]),
    (bits_as_large, [(A(2.0),), (np.float64(2.0),), (A([[1.0, 2.0], [3.0, 4.0]]).T,)]),
    (among_whole_numbers, [(each,) for each in (1 + 0j, 3.0, 6 + 0j, 2 + 1j, 2.5 + 0j, np.complex64(3), np.float32(3), True)]),
    (of_parts, [(1.0, np.nan), (1.0, np.inf), (np.nan, 0.0), (-0.0, -0.0), (2.5, -3.0)]),
    (inverse_of_parts, [(np.arange(3.0), 2.0)]),
    (chosen, [(A([0, 1]), 1.1, A([3.0, 4.0], np.float32)), (A([0, 1]), 7, A([1, 2], np.uint8)), (A([0, 1]), True, 2.5)]),
    (resized, [(A([[1, 2], [3, 4]]), np.uint64(3)), (A([1.5, 2.5]), 5)]),
    (no_columns, [(A([1, 2, 3]),), (A([1.5, 2.5]),)]),
    (stored_at_no_places, [(A([[1, 2], [3, 4]]), A([[0], [1]]))]),
    (near_a_number, [(np.float32(1), 0.4999999999999999), (A([1, 2], np.float32), 0.4999999999999999), (A([1.0, 2.0]), 0.4999999999999999)]),
]


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize(("program", "arguments"), CASES, ids=[program.__name__ for program, _ in CASES])
def test_as_the_library(program, arguments, target):
    with np.errstate(all="ignore"):
        check(program, target, arguments, ())


def of_no_signal(x, y):
    s = scipy.signal
    return [*s.periodogram(x), *s.welch(x), *s.csd(x, y), *s.csd(y, x, axis=0)]


@pytest.mark.parametrize("shape", [(0,), (2, 0), (0, 2)])
def test_of_no_signal(shape):
    """Sizes of 0 are found out by the run, where the sizes of the arguments are open."""
    compiled = s2s.jit(of_no_signal, target="numpy")
    for x in (np.ones((3, 2))[: shape[0], -1] if len(shape) == 1 else np.ones(shape), np.zeros(shape)):
        y = np.ones((5,) if shape == (0,) else shape)
        for one, two in zip(compiled(x, y), of_no_signal(x, y), strict=True):
            assert (one.shape, one.dtype) == (two.shape, two.dtype)


def tails(k, drawn):
    d = scipy.stats.hypergeom
    return [f(k, 10000, 3000, drawn) for f in (d.cdf, d.sf, d.logcdf, d.logsf)] + [d.isf(1e-15, 10000, 3000, drawn), d.isf(1e-17, 10000, 3000, drawn)]


def from_trimmed_means(x, y, z):
    return [tuple(f(x, y, z, center="trimmed", proportiontocut=0.2)) for f in (scipy.stats.levene, scipy.stats.fligner)]


def ranks_of_single_precision(x, y):
    return tuple(scipy.stats.chatterjeexi(x, y))


RNG = np.random.default_rng(5)
OF_SCIPY = [
    (tails, (A([125.0, 40.0, 64.0, 70.0, 0.0]), 215), 1e-9), (from_trimmed_means, tuple(RNG.normal(size=(3, 20))), 1e-12),
    (ranks_of_single_precision, tuple(RNG.normal(size=(2, 12)).astype(np.float32)), 1e-6),
]  # fmt: skip


@pytest.mark.parametrize(("program", "args", "rtol"), OF_SCIPY, ids=[program.__name__ for program, _, _ in OF_SCIPY])
def test_as_scipy(program, args, rtol):
    """What is left above a count has its digits, however little; the trimmed mean is where all samples are measured from; float32 of float32."""
    found, wanted = s2s.jit(program, target="numpy")(*args), program(*args)
    for one, two in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, two, rtol=rtol, atol=0.0)
        assert np.asarray(one).dtype == np.asarray(two).dtype
