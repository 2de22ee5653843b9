"""scipy.stats' tests by ranks, of tables and of two samples' distributions, drawn: small samples, ties, all alternatives and methods, beside SciPy's own."""
from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.stats as st

import s2s

ALTERNATIVES = ("two-sided", "less", "greater")


def samples():
    """Without ties, with some and with many."""
    rng = np.random.default_rng(0)
    for _ in range(4):
        x, y, z = rng.normal(size=rng.integers(3, 12)), rng.normal(size=rng.integers(3, 12)) + 0.3, rng.normal(size=20)
        for digits in (9, 1, 0):
            yield np.round(x, digits), np.round(y, digits), np.round(z[: len(x)], digits)


def agree(name, pairs, **options):
    """A test of SciPy's against what s2s makes of it."""
    function = getattr(st, name)
    ours = s2s.jit(lambda x, y: function(x, y, **options), target="numpy")
    for x, y in pairs:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                wanted = function(x, y, **options)
            except ValueError as error:
                with pytest.raises(ValueError, match=str(error)[:20]):
                    ours(x, y)
                continue
            found = ours(x, y)
        assert (type(found.statistic), type(found.pvalue)) == (type(wanted.statistic), type(wanted.pvalue))
        np.testing.assert_allclose([found.statistic, found.pvalue], [wanted.statistic, wanted.pvalue], rtol=1e-8, atol=1e-13)


@pytest.mark.parametrize("method", ["auto", "asymptotic", "exact"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_ranks(alternative, method):
    drawn = list(samples())
    agree("mannwhitneyu", [(x, y) for x, y, _ in drawn], alternative=alternative, method=method)
    agree("kendalltau", [(x, z) for x, _, z in drawn], alternative=alternative, method=method)
    agree("kendalltau", [(x, z) for x, _, z in drawn], alternative=alternative, method=method, variant="c")
    for zero_method in ("wilcox", "pratt", "zsplit"):
        agree("wilcoxon", [(x, z) for x, _, z in drawn], alternative=alternative, method=method, correction=alternative == "less", zero_method=zero_method)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_distributions(alternative):
    """But of as many numbers in both a distance of one step, which SciPy's sum gives .99996 for what is sure."""
    agree("ks_2samp", [(x, y) for x, y, _ in samples() if len(x) != len(y) or st.ks_2samp(x, y).statistic * len(x) > 1.5], alternative=alternative)
    assert s2s.jit(lambda x, y: st.ks_2samp(x, y).pvalue, target="numpy")(np.arange(7.0), np.arange(7.0) + 0.5) == pytest.approx(1.0)
    agree("ks_2samp", [(x, y) for x, y, _ in samples()], alternative=alternative, method="asymp")


def test_where_two_samples_differ_most():
    def f(x, y):
        found = st.ks_2samp(x, y)
        return found.statistic_location, found.statistic_sign, st.ks_2samp(x, y, "less").statistic_location, *found

    for x, y, _ in samples():
        np.testing.assert_allclose(s2s.jit(f, target="numpy")(x, y), f(x, y), rtol=1e-4)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_more_numbers_than_are_counted(target):
    many, few = np.sin(np.arange(12000.0)), np.cos(np.arange(300.0) ** 2) + 0.1
    for alternative in ALTERNATIVES:
        f = s2s.jit(lambda x, y, side=alternative: tuple(st.ks_2samp(x, y, side)), target=target)
        np.testing.assert_allclose(f(many, few), tuple(st.ks_2samp(many, few, alternative)), rtol=1e-8)


def test_tables():
    rng = np.random.default_rng(1)
    for shape in ((2, 2), (2, 3), (4, 3), (1, 3)):
        table = rng.integers(1, 30, shape)
        for correction in (True, False):
            found, wanted = s2s.jit(lambda t, c=correction: st.chi2_contingency(t, correction=c), target="numpy")(table), st.chi2_contingency(table, correction=correction)
            for one, other in zip(found, wanted, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-10)
    for table in (np.array([[1, -2], [3, 4]]), np.array([[0, 0], [3, 4]])):
        with pytest.raises(ValueError, match=r"must be nonnegative|has a zero element"):
            s2s.jit(lambda t: st.chi2_contingency(t).pvalue, target="numpy")(table)


def test_scores():
    x = np.array([1.0, 2.0, 2.0, 3.5, 4.0])
    for kind in ("rank", "strict", "weak", "mean"):
        for score in (2.0, 3, np.array([0.5, 2.0, 9.0]), np.nan):
            found, wanted = s2s.jit(lambda a, s, kind=kind: st.percentileofscore(a, s, kind), target="numpy")(x, score), st.percentileofscore(x, score, kind)
            np.testing.assert_allclose(found, wanted, rtol=1e-14)
            assert type(found) is type(wanted)


def test_compiled():
    def program(x, y):
        found = [st.mannwhitneyu(x, y).pvalue, st.ks_2samp(x, y).pvalue, st.kendalltau(x, y).pvalue, st.wilcoxon(x, y).pvalue, st.percentileofscore(x, y[0])]
        return np.array(found)

    rng = np.random.default_rng(2)
    x, y = rng.normal(size=8), rng.normal(size=8)
    np.testing.assert_allclose(s2s.jit(program)(x, y), program(x, y), rtol=1e-9)


def test_what_is_refused():
    for function in (lambda x: st.mannwhitneyu(x, x, method=st.PermutationMethod()).pvalue, lambda x: st.wilcoxon(x, zero_method="other").pvalue, lambda x: st.kendalltau(x, x, variant="a").pvalue):
        with pytest.raises(s2s.UnsupportedError):
            s2s.jit(function, target="numpy")(np.arange(5.0))
    with pytest.raises(ValueError, match="alternative"):
        s2s.jit(lambda x: st.ks_2samp(x, x, alternative="other").pvalue, target="numpy")(np.arange(5.0))


@pytest.mark.parametrize("call", [
    lambda x, y: st.mannwhitneyu(x, y), lambda x, y: st.mannwhitneyu(x, y, axis=-1, alternative="less"), lambda x, y: st.mannwhitneyu(np.round(x), y, axis=1), lambda x, y: st.mannwhitneyu(x[:1], y, axis=1, method="asymptotic"),
    lambda x, y: st.mannwhitneyu(x, y, axis=None), lambda x, y: st.mannwhitneyu(np.where(x > 1.2, np.nan, np.round(x, 1)), y), lambda x, y: st.mannwhitneyu(np.stack((x, y)), np.stack((y**2, x)), axis=1), lambda x, y: st.mannwhitneyu(x[0], y[0], keepdims=True),
    lambda x, y: st.spearmanrho(x, y, axis=1),
])  # fmt: skip
def test_along_an_axis_of_several(call):
    x, y = np.random.default_rng(5).normal(size=(2, 7, 9))
    found, wanted = s2s.jit(lambda x, y: tuple(call(x, y)), target="numpy")(x, y), call(x, y)
    for one, other in zip(found, wanted, strict=True):
        assert (type(one), np.shape(one)) == (type(other), np.shape(other))
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-15)
