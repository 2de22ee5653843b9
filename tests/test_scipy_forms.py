"""SciPy's functions as programs call them: read against SciPy itself in value, dtype and shape, derivatives against differences."""
from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest
import scipy.ndimage
import scipy.signal
import scipy.spatial
import scipy.spatial.distance
import scipy.stats

import s2s
from s2s.transforms.read.composed.table import COMPOSED, FORMS
from s2s.transforms.read.names import resolved

RNG = np.random.default_rng(11)
X, Y, W = RNG.normal(size=8), RNG.normal(size=8), RNG.uniform(0.5, 2.0, size=8)
IMAGE = RNG.normal(size=(6, 7))
STATS, IMAGES, SIGNALS, DISTANCE = scipy.stats, scipy.ndimage, scipy.signal, scipy.spatial.distance
CALLS = {
    "scipy.stats.zscore": [lambda x, y, a: STATS.zscore(x), lambda x, y, a: STATS.zscore(a, axis=1, ddof=1), lambda x, y, a: STATS.zscore(a, axis=None)],
    "scipy.stats.zmap": [lambda x, y, a: STATS.zmap(x, y), lambda x, y, a: STATS.zmap(a, a + a**2, axis=1)],
    "scipy.stats.moment": [lambda x, y, a: STATS.moment(x, 3), lambda x, y, a: STATS.moment(a, 2, axis=None, keepdims=True), lambda x, y, a: STATS.moment(a, 2, center=0.5), lambda x, y, a: STATS.moment(a)],
    "scipy.stats.skew": [lambda x, y, a: STATS.skew(x), lambda x, y, a: STATS.skew(a, axis=1, bias=False, keepdims=True)],
    "scipy.stats.kurtosis": [lambda x, y, a: STATS.kurtosis(x), lambda x, y, a: STATS.kurtosis(a, 1, False, False), lambda x, y, a: STATS.kurtosis(a, None)],
    "scipy.stats.sem": [lambda x, y, a: STATS.sem(x), lambda x, y, a: STATS.sem(a, axis=1, ddof=0)],
    "scipy.stats.variation": [lambda x, y, a: STATS.variation(x), lambda x, y, a: STATS.variation(a, axis=1, ddof=1)],
    "scipy.stats.gmean": [lambda x, y, a: STATS.gmean(x**2), lambda x, y, a: STATS.gmean(a**2, axis=1, weights=a**2 + 1), lambda x, y, a: STATS.gmean(x**2, weights=y**2)],
    "scipy.stats.hmean": [lambda x, y, a: STATS.hmean(x**2), lambda x, y, a: STATS.hmean(a**2, axis=1), lambda x, y, a: STATS.hmean(x)],
    "scipy.stats.pmean": [lambda x, y, a: STATS.pmean(x**2, 2), lambda x, y, a: STATS.pmean(a**2, -1.5, axis=None), lambda x, y, a: STATS.pmean(x**2, 0)],
    "scipy.stats.gstd": [lambda x, y, a: STATS.gstd(x**2 + 0.1), lambda x, y, a: STATS.gstd(a**2 + 0.1, axis=1, ddof=0)],
    "scipy.stats.trim_mean": [lambda x, y, a: STATS.trim_mean(x, 0.2), lambda x, y, a: STATS.trim_mean(a, 0.1, axis=1)],
    "scipy.stats.tmean": [lambda x, y, a: STATS.tmean(x), lambda x, y, a: STATS.tmean(a, (-1, 1)), lambda x, y, a: STATS.tmean(x, (None, 1), (True, False))],
    "scipy.stats.tvar": [lambda x, y, a: STATS.tvar(x), lambda x, y, a: STATS.tvar(x, (-1, None), ddof=0)], "scipy.stats.tstd": [lambda x, y, a: STATS.tstd(x), lambda x, y, a: STATS.tstd(x, (-1, 1), (False, True))],
    "scipy.stats.iqr": [lambda x, y, a: STATS.iqr(x), lambda x, y, a: STATS.iqr(a, axis=1, rng=(10, 60), scale="normal", keepdims=True)],
    "scipy.stats.median_abs_deviation": [lambda x, y, a: STATS.median_abs_deviation(x), lambda x, y, a: STATS.median_abs_deviation(a, axis=1, scale="normal")],
    "scipy.stats.mode": [lambda x, y, a: tuple(STATS.mode(np.round(x))), lambda x, y, a: tuple(STATS.mode(np.round(a), axis=None, keepdims=True))],
    "scipy.stats.rankdata": [lambda x, y, a: tuple([STATS.rankdata(np.round(x), method) for method in ("average", "min", "max", "dense", "ordinal")]), lambda x, y, a: STATS.rankdata(np.round(a), axis=1), lambda x, y, a: STATS.rankdata(a)],
    "scipy.stats.entropy": [lambda x, y, a: STATS.entropy(x**2), lambda x, y, a: STATS.entropy(x**2, y**2), lambda x, y, a: STATS.entropy(a**2, base=2, axis=1)],
    "scipy.stats.describe": [lambda x, y, a: tuple(STATS.describe(x)), lambda x, y, a: tuple(STATS.describe(a, 1, 0, False))],
    "scipy.stats.circmean": [lambda x, y, a: STATS.circmean(x), lambda x, y, a: STATS.circmean(a, 3.0, -3.0, axis=1)],
    "scipy.stats.circvar": [lambda x, y, a: STATS.circvar(x), lambda x, y, a: STATS.circvar(a, axis=0)], "scipy.stats.circstd": [lambda x, y, a: STATS.circstd(x), lambda x, y, a: STATS.circstd(a, 2.0, axis=0, normalize=True)],
    "scipy.stats.pearsonr": [lambda x, y, a: tuple(STATS.pearsonr(x, y)), lambda x, y, a: STATS.pearsonr(x, y, alternative="less").pvalue, lambda x, y, a: tuple(STATS.pearsonr(x[:2], y[:2]))],
    "scipy.stats.spearmanr": [lambda x, y, a: tuple(STATS.spearmanr(np.round(x), y)), lambda x, y, a: STATS.spearmanr(x, y, alternative="greater").statistic],
    "scipy.stats.linregress": [lambda x, y, a: tuple(STATS.linregress(x, y)), lambda x, y, a: tuple(STATS.linregress(x[:2], y[:2]))],
    "scipy.stats.ttest_1samp": [lambda x, y, a: tuple(STATS.ttest_1samp(x, 0.3)), lambda x, y, a: tuple(STATS.ttest_1samp(a, 0.3, axis=1, alternative="less"))],
    "scipy.stats.ttest_rel": [lambda x, y, a: tuple(STATS.ttest_rel(x, y))], "scipy.stats.ttest_ind": [lambda x, y, a: tuple(STATS.ttest_ind(x, y[:5])), lambda x, y, a: tuple(STATS.ttest_ind(x, y[:5], equal_var=False, alternative="greater"))],
    "scipy.stats.f_oneway": [lambda x, y, a: tuple(STATS.f_oneway(x, y[:5], x + y))], "scipy.stats.chisquare": [lambda x, y, a: tuple(STATS.chisquare(x**2 + 1)), lambda x, y, a: STATS.chisquare(x**2 + 1, np.mean(x**2 + 1) * np.ones(8), sum_check=False).statistic],
    "scipy.stats.wasserstein_distance": [lambda x, y, a: STATS.wasserstein_distance(x, y[:5]), lambda x, y, a: STATS.wasserstein_distance(x, y, y**2, x**2)],
    "scipy.stats.energy_distance": [lambda x, y, a: STATS.energy_distance(x, y[:5])],
    "scipy.stats.gaussian_kde": [lambda x, y, a: STATS.gaussian_kde(x)(y), lambda x, y, a: STATS.gaussian_kde(a[:2], "silverman", a[2] ** 2).logpdf(a[3:5]), lambda x, y, a: STATS.gaussian_kde(x, bw_method=0.3).pdf(0.2)],
    "scipy.stats.boxcox": [lambda x, y, a: STATS.boxcox(x**2 + 0.1, 0.5), lambda x, y, a: STATS.boxcox(x**2 + 0.1, 0.0)],
}  # fmt: skip
PLACES = RNG.uniform(-3.0, 9.0, size=(2, 40))
SECTIONS = scipy.signal.butter(3, 0.3, output="sos")
CALLS |= {
    **{f"scipy.spatial.distance.{name}": [lambda x, y, a, name=name: getattr(DISTANCE, name)(x, y), lambda x, y, a, name=name: getattr(DISTANCE, name)(x, y, w=np.abs(a[0, 0]) + x**2)] for name in ("euclidean", "sqeuclidean", "cityblock", "chebyshev", "canberra", "braycurtis", "correlation", "cosine")},
    "scipy.spatial.distance.minkowski": [lambda x, y, a: DISTANCE.minkowski(x, y, 3), lambda x, y, a: DISTANCE.minkowski(x, y, np.inf), lambda x, y, a: DISTANCE.minkowski(x, y, 1.5, x**2)],
    "scipy.spatial.distance.mahalanobis": [lambda x, y, a: DISTANCE.mahalanobis(x[:6], y[:6], a @ a.T)], "scipy.spatial.distance.seuclidean": [lambda x, y, a: DISTANCE.seuclidean(x, y, y**2 + 1)],
    "scipy.spatial.distance.hamming": [lambda x, y, a: DISTANCE.hamming(np.round(x), np.round(y)), lambda x, y, a: DISTANCE.hamming(np.round(x), np.round(y), x**2)],
    "scipy.spatial.distance.jensenshannon": [lambda x, y, a: DISTANCE.jensenshannon(x**2, y**2), lambda x, y, a: DISTANCE.jensenshannon(a**2, a**2 + 1, 2, axis=1, keepdims=True)],
    "scipy.spatial.distance_matrix": [lambda x, y, a: scipy.spatial.distance_matrix(a, a + 0.3), lambda x, y, a: scipy.spatial.distance_matrix(a, a[:2] + 0.3, 1)], "scipy.spatial.minkowski_distance": [lambda x, y, a: scipy.spatial.minkowski_distance(a, a[0] + 0.5)],
    "scipy.ndimage.gaussian_laplace": [lambda x, y, a: IMAGES.gaussian_laplace(a, 0.8), lambda x, y, a: IMAGES.gaussian_laplace(x, 1.2, mode="wrap", truncate=2.0)],
    "scipy.ndimage.gaussian_gradient_magnitude": [lambda x, y, a: IMAGES.gaussian_gradient_magnitude(a, 0.8), lambda x, y, a: IMAGES.gaussian_gradient_magnitude(a, (0.8, 1.1), mode="constant", cval=1.0)],
    "scipy.ndimage.maximum_filter": [lambda x, y, a: IMAGES.maximum_filter(a, 3), lambda x, y, a: IMAGES.maximum_filter(a, (2, 4), mode="constant", cval=0.5)], "scipy.ndimage.minimum_filter": [lambda x, y, a: IMAGES.minimum_filter(x, 3), lambda x, y, a: IMAGES.minimum_filter(a, size=2, mode="mirror")],
    "scipy.ndimage.median_filter": [lambda x, y, a: IMAGES.median_filter(a, 3), lambda x, y, a: IMAGES.median_filter(a, (2, 3), mode="nearest"), lambda x, y, a: IMAGES.median_filter(x, 4)],
    "scipy.ndimage.map_coordinates": [
        lambda x, y, a: IMAGES.map_coordinates(a, PLACES, order=1),
        *[lambda x, y, a, order=order, mode=mode: IMAGES.map_coordinates(a, PLACES, order=order, mode=mode, cval=0.3) for order in (0, 1) for mode in ("constant", "nearest", "reflect", "mirror", "grid-wrap")],
        lambda x, y, a: IMAGES.map_coordinates(a, [np.abs(x), np.abs(y)], order=1),
    ],
    "scipy.signal.hilbert": [lambda x, y, a: SIGNALS.hilbert(x), lambda x, y, a: SIGNALS.hilbert(a, 9, axis=0), lambda x, y, a: np.abs(SIGNALS.hilbert(a))],
    "scipy.signal.sosfilt": [lambda x, y, a: SIGNALS.sosfilt(SECTIONS, x), lambda x, y, a: SIGNALS.sosfilt(SECTIONS, a, axis=0), lambda x, y, a: SIGNALS.sosfilt(SECTIONS, x, zi=y[:4].reshape(2, 2)), lambda x, y, a: SIGNALS.sosfilt(SECTIONS, a, 0, np.ones((2, 2, 7)))],
    "scipy.signal.sosfilt_zi": [lambda x, y, a: SIGNALS.sosfilt_zi(np.stack([np.concatenate((x[:3], np.ones(1), y[:2] * 0.3)), np.concatenate((y[:3], np.ones(1), x[:2] * 0.3))]))],
    "scipy.signal.sosfiltfilt": [lambda x, y, a: SIGNALS.sosfiltfilt(SECTIONS, np.concatenate((x, y, x))), lambda x, y, a: SIGNALS.sosfiltfilt(SECTIONS, a, axis=1, padtype="even", padlen=3)],
    "scipy.signal.sawtooth": [lambda x, y, a: SIGNALS.sawtooth(x * 5.0), lambda x, y, a: SIGNALS.sawtooth(a * 5.0, 0.3), lambda x, y, a: SIGNALS.sawtooth(x * 5.0, 0)],
}  # fmt: skip
"""Of two samples and a table."""
EACH = [pytest.param(call, id=f"{name}-{number}") for name, calls in CALLS.items() for number, call in enumerate(calls)]
SINGLE = ("minkowski_distance", "sosfilt_zi", "gaussian_kde", "wasserstein_distance", "energy_distance", "linregress")
"""Computed in double precision."""


def test_every_form_is_tested():
    assert set(CALLS) == set(FORMS)


@pytest.mark.parametrize("name", FORMS)
def test_signatures_are_the_library_s(name):
    own, library = (inspect.signature(function).parameters for function in (COMPOSED.entries[name], resolved(name)))
    assert [(each.name, each.kind, each.default) for each in own.values()] == [(each.name, each.kind, each.default) for each in library.values()]


def quietly(function, *args):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args)


def same(found, wanted, rtol):
    if isinstance(wanted, tuple):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            same(one, other, rtol)
        return
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_allclose(found, wanted, rtol=rtol, atol=rtol)


@pytest.mark.parametrize("call", EACH)
def test_read(call):
    same(quietly(s2s.jit(call, target="numpy"), X, Y, IMAGE), quietly(call, X, Y, IMAGE), 1e-10)
    behind = (np.repeat(X, 2)[::2], Y[::-1].copy()[::-1], np.asfortranarray(IMAGE))
    same(quietly(s2s.jit(call, target="numpy"), *behind), quietly(call, *behind), 1e-10)


@pytest.mark.parametrize("name", [name for name in CALLS if not name.endswith(SINGLE)])
def test_read_in_single_precision(name):
    args = tuple(each.astype(np.float32) for each in (X, Y, IMAGE))
    for call in CALLS[name]:
        same(quietly(s2s.jit(call, target="numpy"), *args), quietly(call, *args), 3e-4)


@pytest.mark.parametrize("name", CALLS)
def test_derivatives(name):
    for call in CALLS[name][:1]:
        s2s.check_grads(s2s.jit(call, target="numpy"), (X, Y, IMAGE), order=1, modes=("fwd", "rev"))


def test_what_is_not_supported_is_refused_by_name():
    for call, words in ((lambda x: STATS.zscore(x, nan_policy="omit"), "nan_policy='omit'"), (lambda x: STATS.boxcox(x), "without lmbda"), (lambda x: STATS.median_abs_deviation(x, center=np.mean), "center")):  # noqa: PLW0108
        with pytest.raises(s2s.UnsupportedError, match=words):
            s2s.jit(call, target="numpy")(W)


def test_compiled():
    def f(x, y, a):
        return STATS.zscore(a), STATS.pearsonr(x, y)[0], STATS.gaussian_kde(x)(y)

    same(s2s.jit(f)(X, Y, IMAGE), f(X, Y, IMAGE), 1e-10)


@pytest.mark.parametrize("call", [
    lambda x, y, a: np.fft.fftn(a, s=(-1, -1), axes=(0, 1)), lambda x, y, a: np.fft.ifft2(a, s=(4, -1)), lambda x, y, a: np.fft.irfftn(a, s=(-1, -1), axes=(0, 1)), lambda x, y, a: np.fft.rfftn(a, s=(-1, 5), axes=(1, 0)), lambda x, y, a: SIGNALS.lfilter(x[:3], 1.0, y),
    lambda x, y, a: SIGNALS.lfilter(2.0, x[:3] + 3.0, y), lambda x, y, a: IMAGES.gaussian_filter(a, 0.8, order=(0, 1)), lambda x, y, a: IMAGES.gaussian_filter(a, 0.8, mode=("wrap", "nearest")), lambda x, y, a: IMAGES.gaussian_filter1d(x, 1.1, order=3, mode="wrap"),
    lambda x, y, a: STATS.combine_pvalues([0.1, 0.2])[1] * x,
])  # fmt: skip
def test_further_forms(call):
    same(s2s.jit(call, target="numpy")(X, Y, IMAGE), call(X, Y, IMAGE), 1e-10)
