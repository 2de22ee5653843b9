"""SciPy's functions as programs call them: read against SciPy itself in value, dtype and shape, derivatives against differences."""
from __future__ import annotations

import inspect
import re

import numpy as np
import pytest
import scipy.cluster.hierarchy
import scipy.cluster.vq
import scipy.constants
import scipy.fft
import scipy.fftpack
import scipy.integrate
import scipy.interpolate
import scipy.ndimage
import scipy.optimize
import scipy.signal
import scipy.spatial
import scipy.spatial.distance
import scipy.stats
from agreement import quietly
from turns import in_turn

import s2s
from s2s.transforms.read.composed import normal_scores, normality, spread_tests
from s2s.transforms.read.composed.clusters import CLUSTERS
from s2s.transforms.read.composed.scipy_table import FORMS
from s2s.transforms.read.composed.table import COMPOSED
from s2s.transforms.read.installed import NEWER, SCIPY_1_18
from s2s.transforms.read.names import resolved

RNG = np.random.default_rng(11)
X, Y, W = RNG.normal(size=8), RNG.normal(size=8), RNG.uniform(0.5, 2.0, size=8)
IMAGE = RNG.normal(size=(6, 7))
STATS, IMAGES, SIGNALS, DISTANCE = scipy.stats, scipy.ndimage, scipy.signal, scipy.spatial.distance
TIMES = np.linspace(0.0, 3.5, 8)


def plant(x, y):
    """A linear system's matrices."""
    return np.array([[0.0, 1.0], [-1.0, -0.5]]) + 0.1 * x[:4].reshape(2, 2), y[:2].reshape(2, 1), x[2:4].reshape(1, 2), y[3:4].reshape(1, 1)


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
    "scipy.stats.tmin": [lambda x, y, a: STATS.tmin(x, -0.5), lambda x, y, a: STATS.tmin(a, -1.0, axis=1, inclusive=False, keepdims=True), lambda x, y, a: STATS.tmin(np.round(a).astype(np.int64), -1, axis=None), lambda x, y, a: STATS.tmin(a, np.max(a) - 0.1)],
    "scipy.stats.tmax": [lambda x, y, a: STATS.tmax(x, 0.5), lambda x, y, a: STATS.tmax(a, 1.0, axis=1, inclusive=False), lambda x, y, a: STATS.tmax(np.round(a).astype(np.int64), 1, axis=None)],
    "scipy.stats.tsem": [lambda x, y, a: STATS.tsem(x), lambda x, y, a: STATS.tsem(a, (-1, 1), (True, False), axis=None, ddof=0)],
    "scipy.stats.trimboth": [lambda x, y, a: np.sort(STATS.trimboth(x, 0.2)), lambda x, y, a: np.sort(STATS.trimboth(a, 0.2, axis=1), axis=1), lambda x, y, a: np.sort(STATS.trimboth(a, 0.1, axis=None))],
    "scipy.stats.trim1": [lambda x, y, a: np.sort(STATS.trim1(x, 0.2)), lambda x, y, a: np.sort(STATS.trim1(a, 0.2, "left", axis=1), axis=1)],
    "scipy.stats.sigmaclip": [lambda x, y, a: tuple(STATS.sigmaclip(x, 1.2, 1.5)), lambda x, y, a: STATS.sigmaclip(a, 1.0).lower],
    "scipy.stats.scoreatpercentile": [lambda x, y, a: STATS.scoreatpercentile(x, 30), lambda x, y, a: STATS.scoreatpercentile(a, [10, 50.0, 100], interpolation_method="lower", axis=1), lambda x, y, a: STATS.scoreatpercentile(x, 42.0, (-1, 1), "higher")],
    "scipy.stats.cumfreq": [lambda x, y, a: tuple(STATS.cumfreq(x, 5)), lambda x, y, a: tuple(STATS.cumfreq(a, 4, (-0.5, 1.0)))], "scipy.stats.relfreq": [lambda x, y, a: tuple(STATS.relfreq(x, 5)), lambda x, y, a: STATS.relfreq(x, 4, (-0.5, 1.0), y**2).frequency],
    "scipy.stats.tiecorrect": [lambda x, y, a: (STATS.tiecorrect(np.round(x)), x), lambda x, y, a: STATS.tiecorrect(x)],
    "scipy.stats.binomtest": [*[lambda x, y, a, k=k, side=side: (STATS.binomtest(k, len(x) + 4, 0.3 + 0.05 * np.tanh(y[0]), side).pvalue, STATS.binomtest(k, len(x) + 4).statistic, x) for k in (0, 2, 4, 7, 12) for side in ("two-sided", "less", "greater")], lambda x, y, a: (STATS.binomtest(np.sum(x > 0), len(x)).pvalue, x)],
    "scipy.stats.ecdf": [lambda x, y, a: (STATS.ecdf(x).cdf.quantiles, STATS.ecdf(np.round(x)).cdf.probabilities, STATS.ecdf(np.round(x)).sf.probabilities), lambda x, y, a: (STATS.ecdf(np.round(x)).cdf.evaluate(y), STATS.ecdf(x).sf.evaluate([-np.inf, x[2], np.inf, np.nan]))],
    "scipy.stats.directional_stats": [lambda x, y, a: (STATS.directional_stats(a).mean_direction, STATS.directional_stats(a).mean_resultant_length), lambda x, y, a: STATS.directional_stats(a, axis=1, normalize=False).mean_resultant_length if False else STATS.directional_stats(a, normalize=False).mean_direction],
    "scipy.stats.quantile": [lambda x, y, a: STATS.quantile(x, 0.3), lambda x, y, a: STATS.quantile(a, 0.7, axis=1, method="hazen", keepdims=True), lambda x, y, a: STATS.quantile(x, np.array([0.1, 1.5, 1.0])), lambda x, y, a: STATS.quantile(a, 0.2, axis=None)],
    "scipy.stats.weightedtau": [lambda x, y, a: (STATS.weightedtau(x, y).statistic, x), lambda x, y, a: STATS.weightedtau(np.round(x), np.round(y)).statistic, lambda x, y, a: tuple(STATS.weightedtau(x, y, rank=None, weigher=lambda r: 1.0 / (r + 2.0) ** 2)), lambda x, y, a: STATS.weightedtau(x, y, rank=False, additive=False).correlation, lambda x, y, a: STATS.weightedtau(x, y, rank=[3, 2, 1, 0, 7, 6, 5, 4])[0]],
    "scipy.stats.somersd": [lambda x, y, a: (STATS.somersd(x, y).statistic, STATS.somersd(x, y).pvalue, x), lambda x, y, a: (STATS.somersd(np.round(x), np.round(y), "less").pvalue, STATS.somersd(np.round(x), np.round(y)).table), lambda x, y, a: (STATS.somersd(np.round(np.abs(a) * 3), alternative="greater").pvalue, x)],
    "scipy.stats.iqr": [lambda x, y, a: STATS.iqr(x), lambda x, y, a: STATS.iqr(a, axis=0, interpolation="midpoint"), lambda x, y, a: STATS.iqr(a, axis=1, rng=(10, 60), scale="normal", keepdims=True)],
    "scipy.stats.median_abs_deviation": [lambda x, y, a: STATS.median_abs_deviation(x), lambda x, y, a: STATS.median_abs_deviation(a, axis=1, scale="normal")],
    "scipy.stats.mode": [lambda x, y, a: tuple(STATS.mode(np.round(x))), lambda x, y, a: tuple(STATS.mode(np.round(a), axis=None, keepdims=True)), lambda x, y, a: tuple(STATS.mode(np.round(a), axis=1)), lambda x, y, a: tuple(STATS.mode(np.round(a), keepdims=True))],
    "scipy.stats.kruskal": [lambda x, y, a: tuple(STATS.kruskal(x, y, y + x)), lambda x, y, a: tuple(STATS.kruskal(np.round(x), np.round(y)))],
    "scipy.stats.friedmanchisquare": [lambda x, y, a: tuple(STATS.friedmanchisquare(x, y, y + x)), lambda x, y, a: tuple(STATS.friedmanchisquare(np.round(x), np.round(y), np.round(x + y)))],
    "scipy.stats.brunnermunzel": [lambda x, y, a: tuple(STATS.brunnermunzel(x, 0.5 * y)), lambda x, y, a: tuple(STATS.brunnermunzel(np.round(x), np.round(y), "less", "normal")), lambda x, y, a: STATS.brunnermunzel(x, y, "greater").pvalue],
    "scipy.stats.levene": [lambda x, y, a, c=c: tuple(STATS.levene(x, 2 * y, x + y, center=c)) for c in ("median", "mean", "trimmed")], "scipy.stats.fligner": [lambda x, y, a, c=c: tuple(STATS.fligner(x, 2 * y, x + y, center=c)) for c in ("median", "mean", "trimmed")],
    "scipy.stats.bartlett": [lambda x, y, a: tuple(STATS.bartlett(x, y, x + y))], "scipy.stats.skewtest": [lambda x, y, a, side=side: tuple(STATS.skewtest(x, alternative=side)) for side in ("two-sided", "less", "greater")],
    "scipy.stats.kurtosistest": [lambda x, y, a, side=side: tuple(STATS.kurtosistest(np.concatenate((x, y)), alternative=side)) for side in ("two-sided", "less", "greater")],
    "scipy.stats.normaltest": [lambda x, y, a: tuple(STATS.normaltest(np.concatenate((x, y))))], "scipy.stats.jarque_bera": [lambda x, y, a: tuple(STATS.jarque_bera(x)), lambda x, y, a: STATS.jarque_bera(a).pvalue],
    **{f"scipy.stats.{name}": [lambda x, y, a, name=name, side=side: (*getattr(STATS, name)(x, y[:5], alternative=side), *getattr(STATS, name)(np.round(x), np.round(y), alternative=side), x) for side in ("two-sided", "less", "greater")] for name in ("mood", "ansari", "ranksums")},
    "scipy.stats.median_test": [lambda x, y, a: (*STATS.median_test(x, y, y + x), x), *[lambda x, y, a, t=t: STATS.median_test(np.round(x), np.round(y), ties=t, lambda_=0.5).pvalue for t in ("above", "below")], lambda x, y, a: STATS.median_test(x, y, ties="ignore", correction=False)[2:]],
    "scipy.stats.tukey_hsd": [lambda x, y, a: (lambda found: (found.statistic, found.pvalue))(STATS.tukey_hsd(x, y[:5], x + y)), lambda x, y, a: (lambda found: (found.pvalue, *found.confidence_interval(0.9)))(STATS.tukey_hsd(x, y[:5] + 1.0, equal_var=False))],
    "scipy.stats.alexandergovern": [lambda x, y, a: (STATS.alexandergovern(x, y, y + x).statistic, STATS.alexandergovern(x, y[:5]).pvalue)], "scipy.stats.obrientransform": [lambda x, y, a: STATS.obrientransform(x, y, x * y)],
    "scipy.stats.kstat": [lambda x, y, a, n=n: (STATS.kstat(x, n), STATS.kstat(a, n, axis=1, keepdims=True)) for n in (1, 2, 3, 4)], "scipy.stats.kstatvar": [lambda x, y, a: (STATS.kstatvar(x), STATS.kstatvar(a, 1, axis=0))],
    "scipy.stats.lmoment": [lambda x, y, a: (STATS.lmoment(x), STATS.lmoment(a, [1, 3], axis=1, standardize=False)), lambda x, y, a: (STATS.lmoment(x, 5), STATS.lmoment(np.sort(a, axis=0), sorted=True))],
    "scipy.stats.gzscore": [lambda x, y, a: STATS.gzscore(x**2 + 0.1), lambda x, y, a: STATS.gzscore(a**2 + 0.1, axis=1, ddof=1)],
    "scipy.stats.poisson_means_test": [lambda x, y, a, side=side: (*STATS.poisson_means_test(3, 8.5 + 0.1 * x[0], 7, 12.0, alternative=side), *STATS.poisson_means_test(3, 10, 1, 12, diff=0.1, alternative=side), x) for side in ("two-sided", "less", "greater")],
    "scipy.stats.ttest_ind_from_stats": [lambda x, y, a: tuple(STATS.ttest_ind_from_stats(np.mean(x), np.std(x, ddof=1), 8, y[0], 1.3, 12)), lambda x, y, a: tuple(STATS.ttest_ind_from_stats(0.3, 1.1, 8, 0.7, 2.0, 5, False, "less")) + (x,)],
    "scipy.stats.theilslopes": [lambda x, y, a: tuple(STATS.theilslopes(x, y)), lambda x, y, a: tuple(STATS.theilslopes(np.round(x), np.round(y), 0.1, "joint")), lambda x, y, a: tuple(STATS.theilslopes(y, alpha=0.8))],
    "scipy.stats.siegelslopes": [lambda x, y, a: tuple(STATS.siegelslopes(x, y)), lambda x, y, a: tuple(STATS.siegelslopes(x, y, "separate")), lambda x, y, a: tuple(STATS.siegelslopes(y))],
    "scipy.stats.combine_pvalues": [lambda x, y, a, m=m: tuple(STATS.combine_pvalues(np.abs(np.tanh(x)), m)) for m in ("fisher", "pearson", "tippett", "stouffer", "mudholkar_george")] + [lambda x, y, a: tuple(STATS.combine_pvalues(np.abs(np.tanh(x)), "stouffer", np.abs(y)))],
    "scipy.stats.false_discovery_control": [lambda x, y, a: STATS.false_discovery_control(np.abs(np.tanh(x))), lambda x, y, a: STATS.false_discovery_control(np.abs(np.tanh(a)), axis=None, method="by")],
    "scipy.stats.fisher_exact": [lambda x, y, a, side=side: STATS.fisher_exact(np.round(4 * np.abs(a[:2, :2])).astype(int) + 1, side)[:] for side in (None, "less", "greater")],
    "scipy.stats.rankdata": [lambda x, y, a: tuple([STATS.rankdata(np.round(x), method) for method in ("average", "min", "max", "dense", "ordinal")]), lambda x, y, a: STATS.rankdata(np.round(a), axis=1), lambda x, y, a: STATS.rankdata(a)],
    "scipy.stats.entropy": [lambda x, y, a: STATS.entropy(x**2), lambda x, y, a: STATS.entropy(x**2, y**2), lambda x, y, a: STATS.entropy(a**2, base=2, axis=1)],
    "scipy.stats.describe": [lambda x, y, a: tuple(STATS.describe(x)), lambda x, y, a: tuple(STATS.describe(a, 1, 0, False))],
    "scipy.stats.circmean": [lambda x, y, a: STATS.circmean(x), lambda x, y, a: STATS.circmean(a, 3.0, -3.0, axis=1)],
    "scipy.stats.circvar": [lambda x, y, a: STATS.circvar(x), lambda x, y, a: STATS.circvar(a, axis=0)], "scipy.stats.circstd": [lambda x, y, a: STATS.circstd(x), lambda x, y, a: STATS.circstd(a, 2.0, axis=0, normalize=True)],
    "scipy.stats.pearsonr": [
        lambda x, y, a: tuple(STATS.pearsonr(a, a[::-1] ** 2, axis=1)), lambda x, y, a: tuple(STATS.pearsonr(a, np.exp(a), alternative="greater")), lambda x, y, a: tuple(STATS.pearsonr(a[:, np.newaxis], a[:, :, np.newaxis])), lambda x, y, a: tuple(STATS.pearsonr(a[0], a, axis=-1)),
        lambda x, y, a: tuple(STATS.pearsonr(a[:2], a[2:4])), lambda x, y, a: tuple(STATS.pearsonr(a, np.exp(a), axis=None)), lambda x, y, a: tuple(STATS.pearsonr(a, np.exp(a), axis=1).confidence_interval(0.9)), lambda x, y, a: tuple(STATS.pearsonr(x, y)), lambda x, y, a: STATS.pearsonr(x, y, alternative="less").pvalue, lambda x, y, a: tuple(STATS.pearsonr(x[:2], y[:2]))],
    "scipy.stats.pointbiserialr": [lambda x, y, a: tuple(STATS.pointbiserialr(x, y)), lambda x, y, a: (STATS.pointbiserialr(x > 0, y).correlation, STATS.pearsonr(x, y).correlation)],
    "scipy.stats.power_divergence": [lambda x, y, a: tuple(STATS.power_divergence(x**2 + 1, lambda_=0.5)), *[lambda x, y, a, power=power: tuple(STATS.power_divergence(a**2 + 1, axis=1, lambda_=power)) for power in ("log-likelihood", "mod-log-likelihood", "cressie-read", -2, None)], lambda x, y, a: STATS.power_divergence(x**2 + 1, np.mean(x**2 + 1) * np.ones(8, x.dtype), 1, None, "neyman", keepdims=True).pvalue],
    "scipy.stats.spearmanr": [
        lambda x, y, a: tuple(STATS.spearmanr(np.round(x), y)), lambda x, y, a: STATS.spearmanr(x, y, alternative="greater").statistic, lambda x, y, a: tuple(STATS.spearmanr(a)), lambda x, y, a: tuple(STATS.spearmanr(np.round(a), axis=1, alternative="less")),
        lambda x, y, a: tuple(STATS.spearmanr(a[:, :2])), lambda x, y, a: tuple(STATS.spearmanr(a[:, 0], a[:, 1:4] ** 2)), lambda x, y, a: tuple(STATS.spearmanr(a, -(a**3), axis=None)), lambda x, y, a: tuple(STATS.spearmanr(np.where(a > 1.5, np.nan, a))),
        lambda x, y, a: tuple(STATS.spearmanr(np.stack((x, y, 0 * x, -x), axis=1))),
    ],
    "scipy.stats.contingency.relative_risk": [
        lambda x, y, a: (STATS.contingency.relative_risk(len(x), 12, 5, 19).relative_risk, x), *[lambda x, y, a, k=k, m=m: (*STATS.contingency.relative_risk(k, len(x), m, 19).confidence_interval(0.9), STATS.contingency.relative_risk(k, 12, m, 19).relative_risk) for k, m in ((3, 5), (0, 5), (3, 0), (0, 0))],
    ],
    "scipy.stats.contingency.odds_ratio": [
        lambda x, y, a: (STATS.contingency.odds_ratio(np.round(4 * np.abs(a[:2, :2])).astype(int) + 1).statistic, x),
        *[lambda x, y, a, kind=kind, side=side: (*STATS.contingency.odds_ratio(np.round(4 * np.abs(a[:2, :2])).astype(int) + 1, kind=kind).confidence_interval(0.9, side), x) for kind in ("sample", "conditional") for side in ("two-sided", "less", "greater")],
        *[lambda x, y, a, kind=kind, table=table: 0.0 + STATS.contingency.odds_ratio(np.array(table), kind=kind).statistic for kind in ("sample", "conditional") for table in ([[0, 5], [3, 4]], [[3, 0], [3, 4]], [[0, 0], [3, 4]])],
    ],
    "scipy.stats.contingency.crosstab": [lambda x, y, a: (*STATS.contingency.crosstab(np.round(x), np.round(y)).elements, STATS.contingency.crosstab(np.round(x), np.round(y)).count, x), lambda x, y, a: STATS.contingency.crosstab(x > 0, np.round(y), y > 0)[1]],
    "scipy.stats.linregress": [lambda x, y, a: tuple(STATS.linregress(x, y)), lambda x, y, a: tuple(STATS.linregress(x[:2], y[:2]))],
    "scipy.stats.ttest_1samp": [lambda x, y, a: tuple(STATS.ttest_1samp(x, 0.3)), lambda x, y, a: tuple(STATS.ttest_1samp(a, 0.3, axis=1, alternative="less"))],
    "scipy.stats.ttest_rel": [lambda x, y, a: tuple(STATS.ttest_rel(x, y))], "scipy.stats.ttest_ind": [lambda x, y, a: STATS.ttest_ind(x, y, trim=0.2)[:], lambda x, y, a: (lambda found: (found.statistic, found.pvalue, found.df))(STATS.ttest_ind(x, a[:, 0], trim=0.13, equal_var=False, alternative="less")), lambda x, y, a: STATS.ttest_ind(a, 2 * a, axis=1, trim=0.3).statistic, lambda x, y, a: tuple(STATS.ttest_ind(x, y[:5])), lambda x, y, a: tuple(STATS.ttest_ind(x, y[:5], equal_var=False, alternative="greater"))],
    **{f"scipy.stats.{name}": [lambda x, y, a, name=name: tuple(getattr(STATS, name)(x, y))] for name in ("mannwhitneyu", "ks_2samp", "kendalltau")},
    "scipy.stats.wilcoxon": [lambda x, y, a: STATS.wilcoxon(x, y).pvalue, lambda x, y, a: STATS.wilcoxon(x - y).statistic], "scipy.stats.percentileofscore": [lambda x, y, a: STATS.percentileofscore(x, y), lambda x, y, a: STATS.percentileofscore(x, y[0], "mean")],
    "scipy.stats.chi2_contingency": [lambda x, y, a: tuple(STATS.chi2_contingency(a**2 + 1.0))[:2], lambda x, y, a: STATS.chi2_contingency(a[:2, :2] ** 2 + 1.0).pvalue, *[lambda x, y, a, power=power: tuple(STATS.chi2_contingency(a[:2, :k] ** 2 + 1.0, lambda_=power) for k in (2, 3))[1][:2] for power in ("log-likelihood", 0.5)], lambda x, y, a: STATS.chi2_contingency(a[:2, :2] ** 2 + 1.0, lambda_="neyman").statistic],
    "scipy.stats.f_oneway": [lambda x, y, a: tuple(STATS.f_oneway(x, y[:5], x + y))], "scipy.stats.chisquare": [lambda x, y, a: tuple(STATS.chisquare(x**2 + 1)), lambda x, y, a: STATS.chisquare(x**2 + 1, np.mean(x**2 + 1) * np.ones(8), sum_check=False).statistic],
    "scipy.stats.wasserstein_distance": [lambda x, y, a: STATS.wasserstein_distance(x, y[:5]), lambda x, y, a: STATS.wasserstein_distance(x, y, y**2, x**2)],
    "scipy.stats.energy_distance": [lambda x, y, a: STATS.energy_distance(x, y[:5])],
    "scipy.stats.gaussian_kde": [lambda x, y, a: STATS.gaussian_kde(x)(y), lambda x, y, a: STATS.gaussian_kde(a[:2], "silverman", a[2] ** 2).logpdf(a[3:5]), lambda x, y, a: STATS.gaussian_kde(x, bw_method=0.3).pdf(0.2)],
    "scipy.stats.boxcox": [lambda x, y, a: STATS.boxcox(x**2 + 0.1, 0.5), lambda x, y, a: STATS.boxcox(x**2 + 0.1, 0.0)], "scipy.stats.boxcox_llf": [lambda x, y, a: STATS.boxcox_llf(0.4, x**2 + 0.1), lambda x, y, a: STATS.boxcox_llf(y[0], x**2 + 0.1)],
    "scipy.stats.yeojohnson": [lambda x, y, a: STATS.yeojohnson(x, 0.4), lambda x, y, a: STATS.yeojohnson(x, 0.0), lambda x, y, a: STATS.yeojohnson(a, 2.0)], "scipy.stats.yeojohnson_llf": [lambda x, y, a: STATS.yeojohnson_llf(0.4, x)],
}  # fmt: skip
PLACES = RNG.uniform(-3.0, 9.0, size=(2, 40))
SECTIONS = scipy.signal.butter(3, 0.3, output="sos")
CALLS |= {
    **{f"scipy.spatial.distance.{name}": [lambda x, y, a, name=name: getattr(DISTANCE, name)(x, y), lambda x, y, a, name=name: getattr(DISTANCE, name)(x, y, w=np.abs(a[0, 0]) + x**2)] for name in ("euclidean", "sqeuclidean", "cityblock", "chebyshev", "canberra", "braycurtis", "correlation", "cosine")},
    "scipy.spatial.distance.minkowski": [lambda x, y, a: DISTANCE.minkowski(x, y, 3), lambda x, y, a: DISTANCE.minkowski(x, y, np.inf), lambda x, y, a: DISTANCE.minkowski(x, y, 1.5, x**2)],
    "scipy.spatial.distance.mahalanobis": [lambda x, y, a: DISTANCE.mahalanobis(x[:6], y[:6], a @ a.T)], "scipy.spatial.distance.seuclidean": [lambda x, y, a: DISTANCE.seuclidean(x, y, y**2 + 1)],
    "scipy.spatial.distance.sokalsneath": [lambda x, y, a: (DISTANCE.sokalsneath(x > 0, y > 0), x), lambda x, y, a: DISTANCE.sokalsneath(x > 0, y > 0, x**2)],
    "scipy.spatial.distance.is_valid_dm": [lambda x, y, a: (DISTANCE.is_valid_dm(a), DISTANCE.is_valid_dm(a @ a.T), DISTANCE.is_valid_dm(DISTANCE.cdist(a, a)), DISTANCE.is_valid_dm(np.abs(a @ a.T), 99.0), DISTANCE.is_valid_dm(x), x)], "scipy.spatial.distance.num_obs_dm": [lambda x, y, a: (DISTANCE.num_obs_dm(DISTANCE.cdist(a, a)), x)],
    "scipy.spatial.distance.is_valid_y": [lambda x, y, a: (DISTANCE.is_valid_y(x), DISTANCE.is_valid_y(x[:6]), DISTANCE.is_valid_y(a), DISTANCE.is_valid_y(x[:0]), x)], "scipy.spatial.distance.num_obs_y": [lambda x, y, a: (DISTANCE.num_obs_y(x[:6]), DISTANCE.num_obs_y(x[:1]), x)],
    "scipy.spatial.procrustes": [lambda x, y, a: scipy.spatial.procrustes(a[:, :3], a[::-1, :3] + 0.2 * a[:, 2:5] ** 2)], "scipy.spatial.minkowski_distance_p": [lambda x, y, a: scipy.spatial.minkowski_distance_p(a, a + 0.3 * a**2, 3.0), lambda x, y, a: scipy.spatial.minkowski_distance_p(a, a[0] + 0.3, np.inf)],
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
LONG = np.sin(np.arange(40.0) * 0.7) + 0.3 * RNG.normal(size=40)
OTHER = np.cos(np.arange(40.0) * 0.4) + 0.3 * RNG.normal(size=40)
CROSS = np.array([[False, True, False], [True, True, True], [False, True, False]])
WINDOWS = ("hann", "hamming", "blackman", "nuttall", "blackmanharris", "flattop", "boxcar", "triang", "bartlett", "barthann", "parzen", "bohman", "cosine", "lanczos", "exponential", "tukey")
CALLS |= {
    **{f"scipy.signal.windows.{name}": [lambda x, y, a, name=name: tuple([getattr(SIGNALS.windows, name)(len(x[:n]), sym=sym) for n in (1, 2, 7, 8) for sym in (True, False)]) + (x,)] for name in WINDOWS},
    "scipy.signal.windows.gaussian": [lambda x, y, a: SIGNALS.windows.gaussian(len(x), np.abs(y[0]) + 1, sym=False)], "scipy.signal.windows.general_gaussian": [lambda x, y, a: SIGNALS.windows.general_gaussian(len(x), 1.5, np.abs(y[0]) + 1)],
    "scipy.signal.windows.kaiser": [lambda x, y, a: SIGNALS.windows.kaiser(len(x), np.abs(y[0]) + 1), lambda x, y, a: SIGNALS.windows.kaiser(len(x) - 1, 4.0, False)], "scipy.signal.windows.general_cosine": [lambda x, y, a: SIGNALS.windows.general_cosine(len(x), [0.4, 0.5, 0.1]) * x],
    "scipy.signal.windows.general_hamming": [lambda x, y, a: SIGNALS.windows.general_hamming(len(x), np.abs(y[0]), sym=False)],
    "scipy.signal.get_window": [lambda x, y, a: tuple([SIGNALS.get_window(name, len(x)) for name in ("hann", "triangle", "hamming_symmetric", ("tukey_periodic", 0.3), ("kaiser", 4.0), 5.0, ("gaussian", 2.0))]) + (x,), lambda x, y, a: SIGNALS.get_window("blackman", len(x), False) * x],
    "scipy.signal.welch": [lambda x, y, a: SIGNALS.welch(np.arange(20, dtype=np.uint8), nperseg=8),
        lambda x, y, a: SIGNALS.welch(LONG * x[0], nperseg=8), lambda x, y, a: SIGNALS.welch(LONG * x[0]), lambda x, y, a: SIGNALS.welch(LONG * x[0], 100.0, "hamming", 16, 4, detrend=False), lambda x, y, a: SIGNALS.welch(a, 10.0, nperseg=3, axis=0, scaling="spectrum", nfft=5),
        lambda x, y, a: SIGNALS.welch(LONG * x[0], nperseg=9, average="median", detrend="linear"), lambda x, y, a: SIGNALS.welch(LONG * (1 + 1j) * x[0], nperseg=8), lambda x, y, a: SIGNALS.welch(LONG * x[0], window=np.abs(y) + 0.1),
    ],
    "scipy.signal.periodogram": [lambda x, y, a: SIGNALS.periodogram(x), lambda x, y, a: SIGNALS.periodogram(a, 10.0, "hann", scaling="spectrum", axis=0), lambda x, y, a: SIGNALS.periodogram(x, nfft=5), lambda x, y, a: SIGNALS.periodogram(x, nfft=12, detrend=False)],
    "scipy.signal.csd": [lambda x, y, a: SIGNALS.csd(a, a, nperseg=4), lambda x, y, a: SIGNALS.csd(x, x[::-1], nperseg=4), lambda x, y, a: SIGNALS.csd(np.arange(20, dtype=np.int8), np.arange(20, dtype=np.int8), nperseg=8), lambda x, y, a: SIGNALS.csd(LONG * x[0], OTHER, nperseg=8), lambda x, y, a: SIGNALS.csd(LONG[:30] * x[0], OTHER, nperseg=8, noverlap=2, return_onesided=False), lambda x, y, a: SIGNALS.csd(LONG * x[0], OTHER, nperseg=7, average="median")],
    "scipy.signal.coherence": [lambda x, y, a: SIGNALS.coherence(LONG + x[0] * OTHER, OTHER, 10.0, nperseg=8)], "scipy.signal.spectrogram": [lambda x, y, a: SIGNALS.spectrogram(LONG * x[0], nperseg=8), *[lambda x, y, a, mode=mode: SIGNALS.spectrogram(LONG * x[0], 8.0, nperseg=9, noverlap=4, mode=mode) for mode in ("complex", "magnitude", "angle", "phase")], lambda x, y, a: SIGNALS.spectrogram(a, nperseg=4, axis=0)],
    "scipy.signal.stft": [lambda x, y, a: SIGNALS.stft(LONG * x[0], nperseg=8), lambda x, y, a: SIGNALS.stft(LONG * x[0], 8.0, nperseg=8, noverlap=6, boundary=None, padded=False, scaling="psd"), lambda x, y, a: SIGNALS.stft(a, nperseg=4, axis=0, boundary="even", detrend="constant")],
    "scipy.signal.istft": [lambda x, y, a: SIGNALS.istft(SIGNALS.stft(LONG * x[0], nperseg=8)[2], nperseg=8), lambda x, y, a: SIGNALS.istft(a[:5] + 1j * a[1:], 2.0, nperseg=8, noverlap=6, boundary=False), lambda x, y, a: SIGNALS.istft(a[:5] + 1j * a[1:], input_onesided=False, scaling="psd", window="hamming")],
    "scipy.signal.find_peaks": [
        lambda x, y, a: (SIGNALS.find_peaks(LONG)[0], x), lambda x, y, a: tuple([value for _, value in sorted(SIGNALS.find_peaks(x[0] ** 2 * LONG, height=(-2, 2), threshold=0.01, distance=2, prominence=0.1, width=0.5)[1].items())]),
        lambda x, y, a: (SIGNALS.find_peaks(np.round(LONG), plateau_size=1)[0], SIGNALS.find_peaks(np.round(LONG), plateau_size=(1, 3))[1]["left_edges"]), lambda x, y, a: SIGNALS.find_peaks(LONG, distance=5.5)[0], lambda x, y, a: SIGNALS.find_peaks(LONG, prominence=(0.3, 5), wlen=7)[0],
        lambda x, y, a: SIGNALS.find_peaks(LONG, width=2, rel_height=0.8)[0], lambda x, y, a: SIGNALS.find_peaks(LONG, height=OTHER)[0],
    ],
    "scipy.signal.peak_prominences": [lambda x, y, a: SIGNALS.peak_prominences(x[0] ** 2 * LONG, SIGNALS.find_peaks(LONG)[0]), lambda x, y, a: SIGNALS.peak_prominences(LONG, SIGNALS.find_peaks(LONG)[0], wlen=5)],
    "scipy.signal.peak_widths": [lambda x, y, a: SIGNALS.peak_widths(LONG + 0.1 * x[0] * OTHER, SIGNALS.find_peaks(LONG)[0][:3]), lambda x, y, a: SIGNALS.peak_widths(LONG, SIGNALS.find_peaks(LONG)[0], 0.9, wlen=9)],
    "scipy.signal.argrelextrema": [lambda x, y, a: (SIGNALS.argrelextrema(LONG, np.greater)[0], x), lambda x, y, a: SIGNALS.argrelextrema(a, np.greater_equal, 1, 2, "wrap")], "scipy.signal.argrelmax": [lambda x, y, a: (*SIGNALS.argrelmax(LONG, order=2), x)], "scipy.signal.argrelmin": [lambda x, y, a: (*SIGNALS.argrelmin(a, axis=1), x)],
    "scipy.signal.resample": [lambda x, y, a: x * SIGNALS.resample(x.astype(np.float32), 5, window="hann").itemsize, lambda x, y, a: SIGNALS.resample(x, 5), *[lambda x, y, a, n=n, m=m: (SIGNALS.resample(x[:n], m), SIGNALS.resample(x[:n] * (1 + 2j), m)) for n in (7, 8) for m in (4, 5, 7, 8, 12, 13)], lambda x, y, a: SIGNALS.resample(a, 9, axis=1, window="hamming"), lambda x, y, a: SIGNALS.resample(x, 6, t=np.arange(8.0))],
    "scipy.signal.upfirdn": [lambda x, y, a: SIGNALS.upfirdn(y[:3], x, 2, 3), lambda x, y, a: SIGNALS.upfirdn([1.0, 2.0], a, 3, 2, axis=0), lambda x, y, a: SIGNALS.upfirdn(y, x[:2], 1, 2), *(lambda x, y, a, m=m, n=n: SIGNALS.upfirdn(y, x[:n], 2, 3, mode=m) for m in ("symmetric", "edge", "smooth", "wrap", "reflect", "antisymmetric", "antireflect", "line") for n in (2, 5)), lambda x, y, a: SIGNALS.upfirdn(y, a, 1, 2, mode="constant", cval=1.5)],
    "scipy.signal.resample_poly": [lambda x, y, a: SIGNALS.resample_poly(x, 3, 2), lambda x, y, a: SIGNALS.resample_poly(a, 2, 3, axis=1, padtype="mean"), lambda x, y, a: SIGNALS.resample_poly(x, 2, 4, window="hamming"), lambda x, y, a: SIGNALS.resample_poly(x, 5, 3, window=y[:5]), lambda x, y, a: SIGNALS.resample_poly(x, 2, 2), lambda x, y, a: SIGNALS.resample_poly(a, 3, 2, padtype="line"), lambda x, y, a: SIGNALS.resample_poly(x, 3, 2, padtype="antireflect"), lambda x, y, a: SIGNALS.resample_poly(x, 3, 2, cval=1.5)],
    "scipy.signal.decimate": [lambda x, y, a: SIGNALS.decimate(LONG * x[0], 2), lambda x, y, a: SIGNALS.decimate(x, 3, ftype="fir"), lambda x, y, a: SIGNALS.decimate(a, 2, 4, axis=0, zero_phase=False), lambda x, y, a: SIGNALS.decimate(a, 2, 4, "fir", 0, False)],
    "scipy.signal.freqz": [lambda x, y, a: SIGNALS.freqz(x[:3], y[:3], 8), lambda x, y, a: SIGNALS.freqz(x[:3], worN=9, whole=True, fs=100.0), lambda x, y, a: SIGNALS.freqz(x[:3], [1.0, 0.2], np.abs(y), fs=2.0), lambda x, y, a: SIGNALS.freqz(x[:3], 1, 5, include_nyquist=True)],
    "scipy.signal.freqz_sos": [lambda x, y, a: SIGNALS.freqz_sos(SECTIONS * np.array([x[0], x[1], 1, 1, 1, 1]), 8)], "scipy.signal.sosfreqz": [lambda x, y, a: SIGNALS.sosfreqz(SECTIONS * np.array([x[0], x[1], 1, 1, 1, 1]), worN=8)], "scipy.signal.freqs": [lambda x, y, a: SIGNALS.freqs(x[:2], y[:3], np.array([0.1, 1.0, 2.0])), lambda x, y, a: SIGNALS.freqs([0.5, x[0]], [1.0, 0.1, 2.0 + y[0]], 9)],
    "scipy.signal.findfreqs": [lambda x, y, a: (SIGNALS.findfreqs([0.5, x[0]], [1.0, 0.1, 2.0 + y[0] ** 2], 9), x), lambda x, y, a: SIGNALS.findfreqs([], x[:1] + 1j * y[:1] ** 2, 5, kind="zp")],
    "scipy.signal.freqs_zpk": [lambda x, y, a: SIGNALS.freqs_zpk(x[:2], y[:3], x[4], np.array([0.1, 1.0, 2.0])), lambda x, y, a: SIGNALS.freqs_zpk(x[:2], y[:1], x[4])],
    "scipy.signal.freqz_zpk": [lambda x, y, a: SIGNALS.freqz_zpk(x[:2], y[:3], x[4], 9), lambda x, y, a: SIGNALS.freqz_zpk(x[:1] * 1j, y[:1], 2.0, np.array([0.1, 1.0]), fs=3.0), lambda x, y, a: SIGNALS.freqz_zpk(x[:1], [], 2.0, 5, True)],
    "scipy.signal.tf2ss": [lambda x, y, a: SIGNALS.tf2ss([x[0], 0.5], [2.0, y[0], y[1], 0.3]), lambda x, y, a: SIGNALS.tf2ss([1.0, x[0], 2.0], [1.0, 0.4, y[0]])], "scipy.signal.ss2tf": [lambda x, y, a: SIGNALS.ss2tf(*plant(x, y)), lambda x, y, a: SIGNALS.ss2tf(x[:4].reshape(2, 2), y[:4].reshape(2, 2), x[4:].reshape(2, 2), y[4:].reshape(2, 2), 1)],
    "scipy.signal.lsim": [lambda x, y, a: SIGNALS.lsim(plant(x, y), y, TIMES), lambda x, y, a: SIGNALS.lsim(([1.0], [1.0, 0.5, 1.0]), x, TIMES + 0.5, X0=[0.1, 0.2], interp=False)], "scipy.signal.impulse": [lambda x, y, a: SIGNALS.impulse(plant(x, y), T=TIMES), lambda x, y, a: SIGNALS.impulse(([x[0]], [1.0, 2.0]), T=TIMES), lambda x, y, a: SIGNALS.impulse(([x[0]], [1.0, 2.0]))],
    "scipy.signal.step": [lambda x, y, a: SIGNALS.step(plant(x, y), T=TIMES), lambda x, y, a: SIGNALS.step(([], [-1.0, -2.0], 3.0), T=TIMES) + (x,), lambda x, y, a: SIGNALS.step(plant(x, y)), lambda x, y, a: SIGNALS.step(([], [0.0], x[0]), N=7)], "scipy.signal.freqresp": [lambda x, y, a: SIGNALS.freqresp(([x[0], 1.0], [1.0, y[0] ** 2 + 1, 2.0]), TIMES + 0.1), lambda x, y, a: SIGNALS.freqresp(plant(x, y), TIMES + 0.1)],
    "scipy.signal.bode": [lambda x, y, a: SIGNALS.bode(([x[0] ** 2 + 1], [1.0, y[0] ** 2 + 1, 2.0]), TIMES + 0.1), lambda x, y, a: SIGNALS.bode(([0.5], [-1.0, -2.0], 3.0), TIMES + 0.1) + (x,), lambda x, y, a: SIGNALS.bode(([x[0] ** 2 + 1], [1.0, y[0] ** 2 + 1, 2.0])), lambda x, y, a: SIGNALS.bode(([0.5], [-1.0, -2.0], x[0] ** 2), n=20)],
    "scipy.signal.cont2discrete": [lambda x, y, a: SIGNALS.cont2discrete(plant(x, y), 0.1)[:4], *(lambda x, y, a, m=m: SIGNALS.cont2discrete(plant(x, y), 0.2, m)[:4] for m in ("bilinear", "euler", "backward_diff")), lambda x, y, a: SIGNALS.cont2discrete(([1.0, x[0]], [1.0, 2.0, y[0]]), 0.1, "gbt", 0.3)[:2],
        lambda x, y, a: SIGNALS.cont2discrete(plant(x, y), 0.2, "foh")[:4], lambda x, y, a: SIGNALS.cont2discrete(([x[0]], [1.0, 2.0, y[0]]), 0.1, "impulse")[:2], lambda x, y, a: (SIGNALS.cont2discrete(([-1.0, x[0]], [-1.0, -3.0, -0.2], 2.0), 0.1)[2], x),
    ],
    "scipy.signal.dlsim": [lambda x, y, a: SIGNALS.dlsim((*plant(x, y), 0.5), y), lambda x, y, a: SIGNALS.dlsim(([1.0], [1.0, 0.5], 0.1), x), lambda x, y, a: SIGNALS.dlsim((*plant(x, y), 0.5), y, x0=[0.1, x[0]])[1], lambda x, y, a: SIGNALS.dlsim((*plant(x, y), 0.3), y, np.linspace(0.0, 3.0, 8)), lambda x, y, a: SIGNALS.dlsim(([0.5], [0.1, 0.2], x[0], 0.2), y, [0.0, 1.0, 1.5, 2.0, 2.1, 2.2, 2.3, 2.4])],
    "scipy.signal.dstep": [lambda x, y, a: (SIGNALS.dstep((*plant(x, y), 0.1), n=7)[1][0], x), lambda x, y, a: SIGNALS.dstep(([1.0, x[0]], [1.0, 0.3, 0.2], 0.1))[1]],
    "scipy.signal.dimpulse": [lambda x, y, a: SIGNALS.dimpulse(([1.0, x[0]], [1.0, 0.3, 0.2], 0.1), n=7), lambda x, y, a: (SIGNALS.dimpulse((x[:4].reshape(2, 2), y[:4].reshape(2, 2), np.eye(2), np.zeros((2, 2)), 0.5), t=np.arange(0.0, 3.0))[1]), lambda x, y, a: SIGNALS.dimpulse(([0.5], [0.1, 0.2], x[0], 0.1), [0.1, 0.2], n=4)[0]],
    "scipy.signal.dfreqresp": [lambda x, y, a: SIGNALS.dfreqresp(([1.0, x[0]], [1.0, 0.3, 0.2], 0.1), n=9), lambda x, y, a: SIGNALS.dfreqresp((*plant(x, y), 0.1), TIMES + 0.1), lambda x, y, a: SIGNALS.dfreqresp(([0.5], [0.1, 0.2], x[0], 0.1), n=9, whole=True)],
    "scipy.signal.dbode": [lambda x, y, a: SIGNALS.dbode(([1.0, x[0]], [1.0, 0.3, 0.2], 0.1)), lambda x, y, a: SIGNALS.dbode((*plant(x, y), 0.1), TIMES + 0.1)],
    "scipy.signal.zpk2ss": [lambda x, y, a: SIGNALS.zpk2ss(x[:1], y[:2], x[4])], "scipy.signal.ss2zpk": [lambda x, y, a: (SIGNALS.ss2zpk(*plant(x, y))[2], x), lambda x, y, a: np.sort(np.real(SIGNALS.ss2zpk(*plant(x, y))[1]))],
    "scipy.signal.group_delay": [lambda x, y, a: SIGNALS.group_delay((x[:3], [1.0, 0.3]), 6), lambda x, y, a: SIGNALS.group_delay((x[:3], y[:2]), TIMES + 0.1, fs=20.0)], "scipy.signal.bilinear": [lambda x, y, a: SIGNALS.bilinear(x[:2], [1.0, 2.0, 3.0], 0.7)],
    "scipy.signal.czt": [lambda x, y, a: SIGNALS.czt(x), lambda x, y, a: SIGNALS.czt(a, 5, np.exp(-0.3j), 0.9, axis=0)], "scipy.signal.zoom_fft": [lambda x, y, a: SIGNALS.zoom_fft(x, [0.2, 0.7], 5), lambda x, y, a: SIGNALS.zoom_fft(a, 0.5, fs=3.0, endpoint=True)],
    "scipy.signal.normalize": [lambda x, y, a: SIGNALS.normalize(x[:3], y[:3]), lambda x, y, a: SIGNALS.normalize([0.0, 1e-16, 2.0], [0, 2, 1])],
    "scipy.signal.tf2zpk": [lambda x, y, a: (*[np.sort(each) for each in SIGNALS.tf2zpk([1.0, 0.5 + x[0] ** 2, 3.0 + y[0] ** 2], [2.0, 1.0, 4.0])[:2]], SIGNALS.tf2zpk(x[:3], y[:3])[2])],
    "scipy.signal.zpk2tf": [lambda x, y, a: x * SIGNALS.zpk2tf(x[:3].astype(np.float32), [0.1], 2.0)[0].itemsize, lambda x, y, a: SIGNALS.zpk2tf([1, 2], [3], 2), lambda x, y, a: SIGNALS.zpk2tf(x[:3], y[:2], x[4]), lambda x, y, a: SIGNALS.zpk2tf(np.array([1 + 2j, 1 - 2j]) * x[0], [], 2)],
    "scipy.signal.sos2tf": [lambda x, y, a: SIGNALS.sos2tf(SECTIONS * x[0]), lambda x, y, a: SIGNALS.sos2tf(np.arange(12).reshape(2, 6))], "scipy.signal.sos2zpk": [lambda x, y, a: SIGNALS.sos2zpk(np.array([[1.0, 0.5, 2.0 + x[0] ** 2, 1.0, 0.2, 0.5 + y[0] ** 2]]))],
    **{f"scipy.signal.check_{name}": [lambda x, y, a, name=name: tuple([getattr(SIGNALS, f"check_{name}")(window, 12, overlap) for window in ("boxcar", "hann", ("tukey", 0.25)) for overlap in (0, 1, 6, 8, 9)]) + (x,), lambda x, y, a, name=name: getattr(SIGNALS, f"check_{name}")(x, 8, 3)] for name in ("NOLA", "COLA")},
    "scipy.signal.gauss_spline": [lambda x, y, a: SIGNALS.gauss_spline(x, 3), lambda x, y, a: SIGNALS.gauss_spline(a, 2)], "scipy.signal.hilbert2": [lambda x, y, a: SIGNALS.hilbert2(a), lambda x, y, a: SIGNALS.hilbert2(a, 5), lambda x, y, a: SIGNALS.hilbert2(a, (4, 9), axes=(1, 0))],
    "scipy.signal.lfiltic": [lambda x, y, a: SIGNALS.lfiltic([0.1, 0.2, 0.1], [2.0, 0.3, 0.2], y[:2], x[:2]), lambda x, y, a: SIGNALS.lfiltic(x[:2], [1.0, 0.3, 0.2], y[:1])], "scipy.signal.deconvolve": [lambda x, y, a: SIGNALS.deconvolve(x, y[:3])],
    "scipy.signal.chirp": [lambda x, y, a: SIGNALS.chirp(np.abs(x), 1.0, 2.0, 5.0), *[lambda x, y, a, method=method: SIGNALS.chirp(np.abs(x), 1.0, 2.0, 5.0, method, 20.0, vertex_zero=False) for method in ("quadratic", "log", "hyperbolic")], lambda x, y, a: SIGNALS.chirp(x, 1.0, 2.0, 5.0, complex=True)],
    "scipy.signal.square": [lambda x, y, a: (SIGNALS.square(5 * x, 0.3), x), lambda x, y, a: SIGNALS.square(x, np.abs(y))], "scipy.signal.gausspulse": [lambda x, y, a: SIGNALS.gausspulse(x, fc=5.0), lambda x, y, a: SIGNALS.gausspulse(x, 2.0, 0.4, -5, retquad=True, retenv=True)],
    "scipy.signal.unit_impulse": [lambda x, y, a: SIGNALS.unit_impulse(len(x), 3) * x, lambda x, y, a: SIGNALS.unit_impulse(a.shape, "mid") * a, lambda x, y, a: SIGNALS.unit_impulse((3, 4), (1, 2)) * x[0]],
    "scipy.signal.medfilt": [lambda x, y, a: SIGNALS.medfilt(x, 5), lambda x, y, a: SIGNALS.medfilt(a, (3, 1)), lambda x, y, a: SIGNALS.medfilt(np.round(x).astype(np.int64))], "scipy.signal.medfilt2d": [lambda x, y, a: SIGNALS.medfilt2d(a)], "scipy.signal.order_filter": [lambda x, y, a: SIGNALS.order_filter(x, np.ones(3), 2), lambda x, y, a: SIGNALS.order_filter(a, CROSS, 1)],
    "scipy.ndimage.maximum_filter1d": [lambda x, y, a: IMAGES.maximum_filter1d(x, 3), lambda x, y, a: IMAGES.maximum_filter1d(a, 2, 0, mode="nearest", origin=-1)], "scipy.ndimage.minimum_filter1d": [lambda x, y, a: IMAGES.minimum_filter1d(a, 3, axis=0)],
    "scipy.ndimage.rank_filter": [lambda x, y, a: IMAGES.rank_filter(a, 2, 3), lambda x, y, a: IMAGES.rank_filter(a, -2, footprint=CROSS)], "scipy.ndimage.percentile_filter": [lambda x, y, a: IMAGES.percentile_filter(a, 30, 3), lambda x, y, a: IMAGES.percentile_filter(a, -20, footprint=CROSS), lambda x, y, a: IMAGES.percentile_filter(x, 100, 3)],
    "scipy.ndimage.generic_filter": [lambda x, y, a: IMAGES.generic_filter(a, lambda w: np.max(w) - np.min(w), 3), lambda x, y, a: IMAGES.generic_filter(x, lambda w, k: np.sum(w) * k, 2, mode="wrap", extra_arguments=(2.0,))],
    **{f"scipy.ndimage.{name}": [lambda x, y, a, name=name: getattr(IMAGES, name)(a, 3), lambda x, y, a, name=name: getattr(IMAGES, name)(a, (2, 3), mode="nearest"), lambda x, y, a, name=name: getattr(IMAGES, name)(a, footprint=np.array([[0, 1, 1], [1, 1, 0]]))] for name in ("grey_erosion", "grey_dilation", "grey_opening", "grey_closing", "morphological_gradient", "white_tophat", "black_tophat")},
    "scipy.ndimage.distance_transform_edt": [lambda x, y, a: IMAGES.distance_transform_edt(a > -0.3) * x[0], lambda x, y, a: IMAGES.distance_transform_edt(a > 0, (0.5, 2.0)) + x[0]],
    **{f"scipy.ndimage.{name}": [lambda x, y, a, name=name: (getattr(IMAGES, name)(a > -0.3), x), lambda x, y, a, name=name: getattr(IMAGES, name)(a > 0, np.array([[1, 1, 0], [0, 1, 0]]), 2, border_value=1), lambda x, y, a, name=name: getattr(IMAGES, name)(a > 0, iterations=-1, mask=a > -1) if "o" not in name[7:] else x] for name in ("binary_erosion", "binary_dilation", "binary_opening", "binary_closing")},
    "scipy.ndimage.binary_fill_holes": [lambda x, y, a: (IMAGES.binary_fill_holes(a > -0.5), x)], "scipy.ndimage.label": [lambda x, y, a: (*IMAGES.label(a > 0), x), lambda x, y, a: IMAGES.label(a, np.ones((3, 3)))[1], lambda x, y, a: IMAGES.label(x > 0)[0]],
    **{f"scipy.ndimage.{name}": [lambda x, y, a, name=name: getattr(IMAGES, name)(a), lambda x, y, a, name=name: getattr(IMAGES, name)(a, a > 0), lambda x, y, a, name=name: getattr(IMAGES, name)(a, np.round(a).astype(np.int64), [0, 1, -1]), lambda x, y, a, name=name: getattr(IMAGES, name)(a, (a > 0).astype(np.int64), 1)] for name in ("sum", "sum_labels", "mean", "variance", "standard_deviation", "maximum", "minimum")},
    **{f"scipy.ndimage.{name}": [lambda x, y, a, name=name: (getattr(IMAGES, name)(a), x), lambda x, y, a, name=name: getattr(IMAGES, name)(a, a < 0.5), lambda x, y, a, name=name: getattr(IMAGES, name)(np.round(1e6 * a).astype(np.int64), np.round(a).astype(np.int64), [0, 1, -1]), lambda x, y, a, name=name: getattr(IMAGES, name)(a, (a > 0).astype(np.int64), 1)] for name in ("minimum_position", "maximum_position", "extrema", "median")},
    "scipy.ndimage.histogram": [lambda x, y, a: (IMAGES.histogram(a, -1, 1, 4), x), lambda x, y, a: IMAGES.histogram(a, -1.0, 1.0, 5, a > -0.3), lambda x, y, a: IMAGES.histogram(a, -2, 2, 3, np.round(a).astype(np.int64), 1)],
    "scipy.ndimage.labeled_comprehension": [lambda x, y, a: IMAGES.labeled_comprehension(a, (a > 0).astype(np.int64), [1, 0, 7], np.mean, float, -1), lambda x, y, a: IMAGES.labeled_comprehension(a, a > 0, None, np.sum, float, 0), lambda x, y, a: IMAGES.labeled_comprehension(a, (a > 0).astype(np.int64), 1, lambda v, p: np.max(v) + np.min(p), float, 0, True)],
    "scipy.ndimage.binary_propagation": [lambda x, y, a: (IMAGES.binary_propagation(a > 1, mask=a > -0.5), x), lambda x, y, a: IMAGES.binary_propagation(a > 1, np.ones((3, 3)), a > -0.5)],
    "scipy.ndimage.binary_hit_or_miss": [lambda x, y, a: (IMAGES.binary_hit_or_miss(a > 0, np.array([[1, 0], [0, 1]])), x), lambda x, y, a: IMAGES.binary_hit_or_miss(a > -1), lambda x, y, a: IMAGES.binary_hit_or_miss(a > 0, np.array([[0, 1, 0], [0, 1, 1], [0, 0, 0]]), np.array([[1, 0, 0], [1, 0, 0], [0, 0, 0]]), origin1=(1, 0), origin2=(0, -1))],
    "scipy.ndimage.iterate_structure": [lambda x, y, a: (IMAGES.iterate_structure(a[:3, :3] > -1, 3), x), lambda x, y, a: IMAGES.iterate_structure(a[:3, :3] > -1, 1), lambda x, y, a: IMAGES.iterate_structure(a[:3, :2] > -1, 2, 0)[0]],
    "scipy.ndimage.center_of_mass": [lambda x, y, a: IMAGES.center_of_mass(a**2), lambda x, y, a: IMAGES.center_of_mass(a**2, np.round(a).astype(np.int64), [0, 1])],
    "scipy.ndimage.spline_filter1d": [*[lambda x, y, a, order=order: IMAGES.spline_filter1d(a, order, 0) for order in (3, 2, 4, 5)], *[lambda x, y, a, mode=mode: IMAGES.spline_filter1d(x, mode=mode) for mode in ("reflect", "grid-wrap", "mirror", "nearest")], lambda x, y, a: IMAGES.spline_filter1d(x, 5, mode="nearest")], "scipy.ndimage.spline_filter": [lambda x, y, a: IMAGES.spline_filter(a)],
    "scipy.ndimage.shift": [lambda x, y, a: IMAGES.shift(a, (0.5, -1.2)), lambda x, y, a: IMAGES.shift(a, x[:2], order=1, mode="nearest"), lambda x, y, a: IMAGES.shift(x, 1.3, order=2, mode="mirror")], "scipy.ndimage.zoom": [lambda x, y, a: IMAGES.zoom(a, 2), lambda x, y, a: IMAGES.zoom(a, (0.5, 1.5), order=1), lambda x, y, a: IMAGES.zoom(a, 1.7, order=0)],
    "scipy.ndimage.affine_transform": [lambda x, y, a: IMAGES.affine_transform(a, np.array([[1.0, 0.1], [-0.1, 1.0]]), 0.3), lambda x, y, a: IMAGES.affine_transform(a, a[:2, :2], order=1, mode="nearest"), lambda x, y, a: IMAGES.affine_transform(a, [1.5, 0.7], (0.1, 0.2), (3, 4), order=1), lambda x, y, a: IMAGES.affine_transform(a, np.array([[1.0, 0.1, 0.2], [-0.1, 1.0, 0.3], [0, 0, 1.0]]), order=1)],
    "scipy.ndimage.rotate": [lambda x, y, a: IMAGES.rotate(a, 30.0, reshape=False), lambda x, y, a: IMAGES.rotate(a, 30.0, order=1), lambda x, y, a: IMAGES.rotate(a, 90, order=1), lambda x, y, a: IMAGES.rotate(a, x[0] * 10, reshape=False, order=1, mode="mirror")],
    "scipy.ndimage.geometric_transform": [lambda x, y, a: IMAGES.geometric_transform(a, lambda c: (c[0] - 0.5, c[1] * 0.7), order=1)],
    "scipy.ndimage.map_coordinates": [*CALLS["scipy.ndimage.map_coordinates"], *[lambda x, y, a, order=order, mode=mode: IMAGES.map_coordinates(a, PLACES, order=order, mode=mode, cval=0.3) for order, mode in ((2, "constant"), (3, "nearest"), (3, "reflect"), (4, "mirror"), (5, "grid-wrap"))], lambda x, y, a: IMAGES.map_coordinates(a, PLACES, prefilter=False)],
    "scipy.ndimage.maximum_filter": [*CALLS["scipy.ndimage.maximum_filter"], lambda x, y, a: IMAGES.maximum_filter(a, footprint=CROSS, origin=(1, -1)), lambda x, y, a: IMAGES.maximum_filter(np.round(a * 5).astype(np.int64), footprint=CROSS)],
}  # fmt: skip
"""Of two samples and a table."""
LOW, HIGH = 0.31, 0.47
CALLS |= {  # frequencies of the run, from numbers that y holds
    "scipy.signal.butter": [
        lambda x, y, a: SIGNALS.butter(3, 0.1 + y[0] ** 2 / (1 + y[0] ** 2) / 2), lambda x, y, a: SIGNALS.butter(2, [LOW + 0.01 * y[0], HIGH], "bandpass"), lambda x, y, a: SIGNALS.butter(2, np.array([LOW, HIGH + 0.01 * y[0]]), "bandstop"), lambda x, y, a: SIGNALS.butter(4, 3.0 + y[0], "hp", fs=20.0),
        lambda x, y, a: SIGNALS.butter(3, 3.0 + y[0], analog=True), lambda x, y, a: SIGNALS.butter(3, LOW + 0.01 * y[0], "high", output="zpk"), lambda x, y, a: SIGNALS.filtfilt(*SIGNALS.butter(2, LOW + 0.01 * y[0]), LONG),
    ],
    "scipy.signal.cheby1": [lambda x, y, a: SIGNALS.cheby1(4, 1, LOW + 0.01 * y[0]), lambda x, y, a: SIGNALS.cheby1(3, 0.5, [LOW, HIGH + 0.01 * y[0]], "band")], "scipy.signal.cheby2": [lambda x, y, a: SIGNALS.cheby2(5, 30, LOW + 0.01 * y[0], "high"), lambda x, y, a: SIGNALS.cheby2(3, 30, [LOW, HIGH + 0.01 * y[0]], "stop")],
    "scipy.signal.ellip": [lambda x, y, a: SIGNALS.ellip(4, 1, 30, LOW + 0.01 * y[0])], "scipy.signal.bessel": [lambda x, y, a: SIGNALS.bessel(4, LOW + 0.01 * y[0]), lambda x, y, a: SIGNALS.bessel(3, LOW + 0.01 * y[0], "high", norm="delay")],
    "scipy.signal.iirfilter": [lambda x, y, a: SIGNALS.iirfilter(4, [LOW, HIGH + 0.01 * y[0]], rs=60, ftype="cheby2"), lambda x, y, a: SIGNALS.iirfilter(2, [LOW + 1.0, HIGH + 2.0 + y[0] ** 2], analog=True)],
    "scipy.signal.iirnotch": [lambda x, y, a: SIGNALS.iirnotch(LOW + 0.01 * y[0], 30.0), lambda x, y, a: SIGNALS.iirnotch(3.0, 5.0 + y[0], fs=20)], "scipy.signal.iirpeak": [lambda x, y, a: SIGNALS.iirpeak(LOW + 0.01 * y[0], 30.0)],
    "scipy.signal.kaiser_beta": [lambda x, y, a: tuple([SIGNALS.kaiser_beta(n + y[0]) for n in (10, 30, 60)])], "scipy.signal.kaiser_atten": [lambda x, y, a: SIGNALS.kaiser_atten(20, y[0])],
    "scipy.signal.firwin": [
        lambda x, y, a: SIGNALS.firwin(11, LOW + 0.01 * y[0]), lambda x, y, a: SIGNALS.firwin(11, [LOW, HIGH + 0.01 * y[0]], pass_zero=False), lambda x, y, a: SIGNALS.firwin(11, [LOW, HIGH + 0.01 * y[0]], pass_zero="bandstop", window=("kaiser", 4.0)), lambda x, y, a: SIGNALS.firwin(11, LOW + 0.01 * y[0], pass_zero="highpass"),
        lambda x, y, a: SIGNALS.firwin(10, 3.0 + y[0], width=2.0, fs=20.0), lambda x, y, a: SIGNALS.firwin(10, LOW + 0.01 * y[0], scale=False), lambda x, y, a: SIGNALS.firwin(13, [0.1, LOW, HIGH + 0.01 * y[0]]),
    ],
}  # fmt: skip
CALLS |= {
    f"scipy.spatial.distance.{name}": [
        lambda x, y, a, name=name: getattr(DISTANCE, name)(x > 0, y > 0), lambda x, y, a, name=name: getattr(DISTANCE, name)(x > 0, y > 0, w=[1.0, 2.0, 0.5, 1.0, 3.0, 1.0, 0.0, 1.0]), lambda x, y, a, name=name: DISTANCE.cdist(a > 0, a[:3] > 0.4, name), lambda x, y, a, name=name: DISTANCE.pdist(a > 0, name),
        lambda x, y, a, name=name: getattr(DISTANCE, name)(x > -9, y > -9),
    ]
    for name in ("jaccard", "dice", "rogerstanimoto", "russellrao", "yule")
}  # fmt: skip
CONSTANTS, CODES = scipy.constants, scipy.cluster.vq
CALLS |= {
    "scipy.constants.convert_temperature": [lambda x, y, a: CONSTANTS.convert_temperature(x, "C", "f"), *[lambda x, y, a, old=old, new=new: CONSTANTS.convert_temperature(a, old, new) for old in ("Celsius", "k", "F", "rankine") for new in "crkf"]],
    "scipy.constants.lambda2nu": [lambda x, y, a: CONSTANTS.lambda2nu(x * 1e8)], "scipy.constants.nu2lambda": [lambda x, y, a: CONSTANTS.nu2lambda(x * 1e8)],
    **{f"scipy.signal.{name}": [lambda x, y, a, name=name: getattr(SIGNALS, name)(x[:3], y[:5], 1.5 + np.tanh(x[4])), lambda x, y, a, name=name: getattr(SIGNALS, name)(x[:4].astype(np.float32), y[:2].astype(np.float32))[1].itemsize * x, lambda x, y, a, name=name: getattr(SIGNALS, name)([1, 2, 3], y[:2])] for name in ("lp2lp", "lp2hp", "lp2bp", "lp2bs")},
    **{f"scipy.signal.{name}": [lambda x, y, a, name=name: getattr(SIGNALS, name)(x[:2], y[:3], x[3], 1.5 + np.tanh(x[4])), lambda x, y, a, name=name: getattr(SIGNALS, name)([], y[0] * np.array([1 + 2j, 1 - 2j]), 2, 3)] for name in ("lp2lp_zpk", "lp2hp_zpk", "lp2bp_zpk", "lp2bs_zpk", "bilinear_zpk")},
    "scipy.signal.vectorstrength": [lambda x, y, a: SIGNALS.vectorstrength(x, 2.0 + np.tanh(y[0])), lambda x, y, a: SIGNALS.vectorstrength(x, np.exp(y))], "scipy.signal.sweep_poly": [lambda x, y, a: SIGNALS.sweep_poly(x, y[:3]), lambda x, y, a: SIGNALS.sweep_poly(a, np.poly1d([1.0, 2.0]), 30)],
    "scipy.cluster.vq.kmeans": [*[lambda x, y, a, k=k: scipy.cluster.vq.kmeans(a, k, seed=3)[0] for k in (2, 3)], lambda x, y, a: scipy.cluster.vq.kmeans(a, a[:3])[0], lambda x, y, a: scipy.cluster.vq.kmeans(x, y[:2]), lambda x, y, a: scipy.cluster.vq.kmeans(a, 2, iter=3, rng=np.random.default_rng(3))[0]],
    "scipy.cluster.vq.kmeans2": [lambda x, y, a: scipy.cluster.vq.kmeans2(a, 2, seed=3, minit="points")[0], lambda x, y, a: scipy.cluster.vq.kmeans2(a, a[[0, 2]], minit="matrix")[0], lambda x, y, a: (scipy.cluster.vq.kmeans2(x, y[:2], iter=1), x), lambda x, y, a: scipy.cluster.vq.kmeans2(a, 2, minit="points", rng=np.random.default_rng(3))[0], lambda x, y, a: scipy.cluster.vq.kmeans2(a, 2, minit="random", rng=3)[0], lambda x, y, a: scipy.cluster.vq.kmeans2(a, 2, minit="++", seed=3)[0], lambda x, y, a: scipy.cluster.vq.kmeans2(x, np.array([0.0, 99.0]))[0]],
    "scipy.cluster.vq.whiten": [lambda x, y, a: CODES.whiten(a)], "scipy.cluster.vq.vq": [lambda x, y, a: CODES.vq(a, a[:3] * 1.1 + 0.1), lambda x, y, a: CODES.vq(a, np.concatenate((a[2:4], a[2:4])))],
}  # fmt: skip
CALLS |= {
    "scipy.signal.minimum_phase": [lambda x, y, a: SIGNALS.minimum_phase(np.concatenate((x, x[::-1])), n_fft=64), lambda x, y, a: (SIGNALS.minimum_phase(SIGNALS.firwin(9, 0.3)), SIGNALS.minimum_phase(SIGNALS.firwin(11, 0.4), half=False, n_fft=65), SIGNALS.minimum_phase(SIGNALS.firwin(9, 0.3), "hilbert", 64), x)],
    "scipy.signal.cspline1d": [lambda x, y, a: SIGNALS.cspline1d(x), lambda x, y, a: SIGNALS.cspline1d(a[0] + 1j * a[1])], "scipy.signal.qspline1d": [lambda x, y, a: SIGNALS.qspline1d(x)],
    "scipy.signal.cspline1d_eval": [lambda x, y, a: SIGNALS.cspline1d_eval(x, 3.0 * y, 0.5, 0.1), lambda x, y, a: SIGNALS.cspline1d_eval(SIGNALS.cspline1d(x), np.arange(-3, 30.0))], "scipy.signal.qspline1d_eval": [lambda x, y, a: SIGNALS.qspline1d_eval(x, 20.0 * y)],
    "scipy.ndimage.generic_gradient_magnitude": [lambda x, y, a: IMAGES.generic_gradient_magnitude(a, IMAGES.sobel), lambda x, y, a: IMAGES.generic_gradient_magnitude(a, IMAGES.prewitt, mode=("wrap", "nearest"))],
    "scipy.ndimage.generic_laplace": [lambda x, y, a: IMAGES.generic_laplace(a, lambda z, axis, output, mode, cval: IMAGES.correlate1d(z, [1.0, -2.0, 1.0], axis, output, mode, cval, 0))],
    "scipy.ndimage.morphological_laplace": [lambda x, y, a: IMAGES.morphological_laplace(a, size=3), lambda x, y, a: IMAGES.morphological_laplace(a, footprint=CROSS, mode="nearest")],
    "scipy.ndimage.fourier_gaussian": [lambda x, y, a: IMAGES.fourier_gaussian(np.fft.fft2(a), (1.0, y[0])), lambda x, y, a: (IMAGES.fourier_gaussian(np.fft.rfft(x), 2.0, 8), IMAGES.fourier_gaussian(a, 0.7))],
    "scipy.ndimage.fourier_uniform": [lambda x, y, a: IMAGES.fourier_uniform(a, 3), lambda x, y, a: IMAGES.fourier_uniform(np.fft.rfft2(a), (2, 3), 7)],
    "scipy.ndimage.fourier_shift": [lambda x, y, a: IMAGES.fourier_shift(np.fft.fft2(a), (0.4, y[0])), lambda x, y, a: IMAGES.fourier_shift(np.fft.rfft2(a), 1.3, n=7)],
}  # fmt: skip
TREES = scipy.cluster.hierarchy
CALLS |= {
    "scipy.cluster.hierarchy.linkage": [lambda x, y, a: TREES.linkage(a), *[lambda x, y, a, method=method: (TREES.linkage(a, method), TREES.linkage(x[:, np.newaxis], method)) for method in ("complete", "average", "weighted", "ward", "centroid", "median")], lambda x, y, a: TREES.linkage(np.abs(x[:6]), "average")],
    **{f"scipy.cluster.hierarchy.{name}": [lambda x, y, a, name=name: getattr(TREES, name)(a), lambda x, y, a, name=name: getattr(TREES, name)(DISTANCE.pdist(a, "cityblock"))] for name in ("single", "complete", "average", "weighted", "centroid", "median", "ward")},
    "scipy.cluster.hierarchy.num_obs_linkage": [lambda x, y, a: (TREES.num_obs_linkage(TREES.linkage(a)), x)], "scipy.cluster.hierarchy.is_monotonic": [lambda x, y, a: (TREES.is_monotonic(TREES.ward(a)), x)],
    "scipy.cluster.hierarchy.leaves_list": [lambda x, y, a: (TREES.leaves_list(TREES.average(a)), x)], "scipy.cluster.hierarchy.maxdists": [lambda x, y, a: TREES.maxdists(TREES.average(a))],
    "scipy.cluster.hierarchy.cophenet": [lambda x, y, a: TREES.cophenet(TREES.average(a)), lambda x, y, a: TREES.cophenet(TREES.average(a), DISTANCE.pdist(a))], "scipy.cluster.hierarchy.inconsistent": [lambda x, y, a: TREES.inconsistent(TREES.average(a)), lambda x, y, a: TREES.inconsistent(TREES.ward(a), 3)],
    "scipy.cluster.hierarchy.fcluster": [lambda x, y, a: (TREES.fcluster(TREES.ward(a), 2.0, "distance"), x), lambda x, y, a: (TREES.fcluster(TREES.linkage(a), 1.0), TREES.fcluster(TREES.linkage(a), 1.1, depth=3)), lambda x, y, a: tuple(TREES.fcluster(TREES.average(a), k, "maxclust") for k in range(1, 8)), lambda x, y, a: TREES.fcluster(TREES.average(a), 1.5, "monocrit", monocrit=TREES.maxdists(TREES.average(a)))],
    "scipy.cluster.hierarchy.fclusterdata": [lambda x, y, a: (TREES.fclusterdata(a, 3, "maxclust"), x), lambda x, y, a: TREES.fclusterdata(a, 2.5, "distance", "cityblock", method="average")],
}  # fmt: skip
CALLS["scipy.ndimage.zoom"] += [lambda x, y, a: IMAGES.zoom(a, 1.5, grid_mode=True, mode="nearest"), lambda x, y, a: IMAGES.zoom(a, (0.5, 2.0), np.float32, 1, "reflect", grid_mode=True)]
CALLS["scipy.ndimage.map_coordinates"] += [lambda x, y, a: IMAGES.map_coordinates(a, [np.abs(x), np.abs(y)], np.float32, 2, "nearest")]
CALLS["scipy.ndimage.rotate"] += [lambda x, y, a: IMAGES.rotate(np.arange(12).reshape(3, 4), 20.0, output=float) * x[0]]
COUNTS = np.array([[3, 7, 2], [5, 1, 4]])
CALLS |= {
    "scipy.stats.contingency.margins": [lambda x, y, a: tuple(STATS.contingency.margins(a)), lambda x, y, a: tuple(STATS.contingency.margins(a.reshape(2, 3, 7)))],
    "scipy.stats.contingency.expected_freq": [lambda x, y, a: STATS.contingency.expected_freq(a**2), lambda x, y, a: STATS.contingency.expected_freq((10 * a**2).astype(np.int64).reshape(2, 3, 7)) * x[0]],
    "scipy.stats.contingency.association": [lambda x, y, a: (STATS.contingency.association(COUNTS + np.arange(3)), STATS.contingency.association(COUNTS, "tschuprow"), STATS.contingency.association(COUNTS[:, :2], "pearson", True), x)],
    "scipy.stats.chatterjeexi": [lambda x, y, a: (*STATS.chatterjeexi(x, y), x), lambda x, y, a: STATS.chatterjeexi(x, np.round(y), y_continuous=True).pvalue * x[0]],
    "scipy.stats.bayes_mvs": [lambda x, y, a: (lambda found: (found[0].statistic, *found[0].minmax, found[1].statistic, *found[1].minmax, found[2].statistic, *found[2].minmax))(STATS.bayes_mvs(x)), lambda x, y, a: STATS.bayes_mvs(np.tile(x, 130), 0.5)[2].minmax[0]],
}  # fmt: skip
CALLS |= {
    "scipy.stats.qmc.scale": [lambda x, y, a: STATS.qmc.scale(1.0 / (1.0 + np.exp(a)), -1.0, np.arange(7.0)), lambda x, y, a: STATS.qmc.scale(a, [-9.0], 9.0 + y[0], reverse=True)],
    "scipy.stats.qmc.discrepancy": [*[lambda x, y, a, method=method: STATS.qmc.discrepancy(1.0 / (1.0 + np.exp(a[:, :3])), method=method) for method in ("CD", "WD", "MD", "L2-star")], lambda x, y, a: STATS.qmc.discrepancy(1.0 / (1.0 + np.exp(a)), iterative=True)],
    "scipy.stats.qmc.geometric_discrepancy": [lambda x, y, a: STATS.qmc.geometric_discrepancy(1.0 / (1.0 + np.exp(a))), lambda x, y, a: STATS.qmc.geometric_discrepancy(1.0 / (1.0 + np.exp(a)), metric="cityblock")],
}  # fmt: skip
CALLS |= {
    "scipy.signal.firls": [lambda x, y, a: SIGNALS.firls(7, [0.0, 0.3, 0.5, 1.0], x[:4] ** 2), lambda x, y, a: SIGNALS.firls(9, [0, 3, 5, 7, 8, 10], np.abs(y[:6]), weight=x[:3] ** 2, fs=20), lambda x, y, a: SIGNALS.firls(1, [0.0, 0.3, 0.5, 1.0], x[:4] ** 2)],
    "scipy.signal.firwin2": [lambda x, y, a: SIGNALS.firwin2(9, [0.0, 0.3, 0.5, 1.0], x[:4]), lambda x, y, a: SIGNALS.firwin2(9, [0.0, 0.3, 0.3, 1.0], y[:4], nfreqs=33, window=None), lambda x, y, a: SIGNALS.firwin2(8, [0, 3, 5, 10], np.append(0.0, x[:3]), antisymmetric=True, fs=20), lambda x, y, a: SIGNALS.firwin2(7, [0.0, 0.4, 1.0], np.append(np.append(0.0, x[:1]), 0.0), antisymmetric=True, window="hann")],
    "scipy.signal.abcd_normalize": [lambda x, y, a: SIGNALS.abcd_normalize(x[:4].reshape(2, 2), y[:2].reshape(2, 1), None, x[:3].reshape(3, 1)), lambda x, y, a: SIGNALS.abcd_normalize(None, y[:2].reshape(2, 1), x[:2])],
    "scipy.cluster.hierarchy.maxinconsts": [lambda x, y, a: TREES.maxinconsts(TREES.average(a), TREES.inconsistent(TREES.average(a)))],
    "scipy.cluster.hierarchy.maxRstat": [lambda x, y, a, column=column: TREES.maxRstat(TREES.ward(a), TREES.inconsistent(TREES.ward(a)), column) for column in (0, 1, 2)],
    "scipy.cluster.hierarchy.to_mlab_linkage": [lambda x, y, a: TREES.to_mlab_linkage(TREES.average(a)), lambda x, y, a: TREES.to_mlab_linkage(np.zeros(0)) * x[0]],
    "scipy.cluster.hierarchy.correspond": [lambda x, y, a: (TREES.correspond(TREES.ward(a), DISTANCE.pdist(a)), TREES.correspond(TREES.ward(a), DISTANCE.pdist(a[:3])), x)],
    "scipy.cluster.hierarchy.is_isomorphic": [lambda x, y, a: (TREES.is_isomorphic(np.argsort(x), np.argsort(x) + 3), TREES.is_isomorphic(np.argsort(x) // 2, np.argsort(y) // 2), x)],
    "scipy.cluster.hierarchy.is_valid_linkage": [lambda x, y, a: (TREES.is_valid_linkage(TREES.ward(a)), TREES.is_valid_linkage(a[:, :4] ** 2), TREES.is_valid_linkage(a), TREES.is_valid_linkage(np.arange(3)), x)],
    "scipy.cluster.hierarchy.is_valid_im": [lambda x, y, a: (TREES.is_valid_im(TREES.inconsistent(TREES.ward(a))), TREES.is_valid_im(a[:, :4]), TREES.is_valid_im(a), x)],
}  # fmt: skip
FFT, PACKED = scipy.fft, scipy.fftpack


def together(found):
    """Of partial fractions what does not tell the order of conjugate poles."""
    return np.sum(found[0]), np.sum(np.real(found[0]) * np.real(found[1])), np.sum(found[0] / (found[1] - 2.5)), *found[2:]


CALLS |= {
    "scipy.signal.residue": [lambda x, y, a: together(SIGNALS.residue(x[:2], y[:4])), lambda x, y, a: together(SIGNALS.residue(x[:6], [2.0, 1.0, 3.0, 2.0])), lambda x, y, a: together(SIGNALS.residue([1.0, x[0], y[0]], np.poly([0.5, 0.5, -0.3, 0.1 + 1j, 0.1 - 1j])))],
    "scipy.signal.residuez": [lambda x, y, a: together(SIGNALS.residuez(x[:2], y[:4])), lambda x, y, a: together(SIGNALS.residuez(x[:6], [2.0, 1.0, 3.0, 2.0]))],
    "scipy.signal.invres": [lambda x, y, a: SIGNALS.invres(x[:3], y[:3], []), lambda x, y, a: SIGNALS.invres(x[:4], [0.5, 0.5, 0.5, -1.0], [0.0, y[0], 2.0])],
    "scipy.signal.envelope": [lambda x, y, a: SIGNALS.envelope(x), *[lambda x, y, a, words=words: SIGNALS.envelope(a, **words) for words in ({"bp_in": (None, None), "axis": 0}, {"bp_in": (1, 3), "n_out": 9, "residual": "all"}, {"squared": True, "residual": None}, {"bp_in": (0, 2), "n_out": 4})], lambda x, y, a: SIGNALS.envelope(a + 1j * a**2, (-2, 2))],
    "scipy.fft.fht": [lambda x, y, a: FFT.fht(x, 0.3, 1.5 + 0.1 * y[0], 0.1 * y[1], 0.2), lambda x, y, a: (FFT.fht(a, 0.2, 0.0), FFT.fht(x, 0.3, 1.5, bias=y[0]))], "scipy.fft.ifht": [lambda x, y, a: FFT.ifht(x, 0.3, 1.5 + 0.1 * y[0], 0.1 * y[1], 0.2), lambda x, y, a: FFT.ifht(a, 0.2, 0.5)],
    "scipy.fft.fhtoffset": [lambda x, y, a: FFT.fhtoffset(0.3, 1.5 + 0.1 * y[0], 0.1 * y[1], 0.2)],
    "scipy.fftpack.next_fast_len": [lambda x, y, a: x * PACKED.next_fast_len(1013)],
    **{f"scipy.fftpack.{name}": [lambda x, y, a, name=name: getattr(PACKED, name)(x), lambda x, y, a, name=name: getattr(PACKED, name)(a, n=5, axis=0), lambda x, y, a, name=name: getattr(PACKED, name)(a, n=9)] for name in ("fft", "ifft", "rfft", "irfft", "dct", "idct", "dst", "idst")},
    **{f"scipy.fftpack.{name}": [lambda x, y, a, name=name: getattr(PACKED, name)(a), lambda x, y, a, name=name: getattr(PACKED, name)(a, shape=(4, 8))] for name in ("fft2", "ifft2", "fftn", "ifftn")},
}  # fmt: skip
EACH = [pytest.param(call, id=f"{name}-{number}") for name, calls in CALLS.items() for number, call in enumerate(calls)]
SINGLE = (
    "tf2ss", "ss2tf", "lsim", "impulse", "step", "freqresp", "bode", "cont2discrete", "dlsim", "dstep", "dimpulse", "dfreqresp", "dbode", "zpk2ss", "ss2zpk", "findfreqs", "freqs_zpk", "freqz_zpk", "signal.freqs", "group_delay", "bilinear", "czt", "zoom_fft","minkowski_distance_p", "procrustes", "tf2zpk", "zpk2tf", "sos2zpk", "hilbert2", "pointbiserialr", "scoreatpercentile", "kaiser_beta", "minkowski_distance", "sosfilt_zi", "gaussian_kde", "wasserstein_distance", "energy_distance", "linregress", "windows.kaiser", "freqz", "freqz_sos", "lfiltic", "find_peaks", "peak_prominences", "peak_widths", "spline_filter1d", "spline_filter", "unit_impulse", "resample", "generic_filter", "residue", "residuez", "fft.fht", "bayes_mvs", "chatterjeexi", "fft.ifht", "fhtoffset", "windows.general_gaussian")
"""Computed in double precision."""


def test_every_form_is_tested():
    assert set(CALLS) == {*FORMS, *CLUSTERS}


@pytest.mark.parametrize("name", [*FORMS, *CLUSTERS])
def test_signatures_are_the_library_s(name):
    own, library = (inspect.signature(function).parameters.values() for function in (COMPOSED.entries[name], resolved(name)))
    newer = NEWER.get(name, {})
    assert [each.default for each in library if each.name in newer] == [*newer.values()] * SCIPY_1_18
    one, other = ([(each.name * (each.kind != each.VAR_POSITIONAL), each.kind, each.default) for each in all_of_them if each.name not in newer] for all_of_them in (own, library))
    assert one == other


@pytest.mark.skipif(not SCIPY_1_18, reason="the words came with SciPy 1.18")
@pytest.mark.parametrize("name", NEWER)
def test_newer_words_are_read_where_they_say_what_was(name):
    function, words = resolved(name), NEWER[name]
    args = (X, Y) if name.endswith(("ansari", "transform")) else (IMAGE[:, :2], IMAGE[:, 2], np.zeros((2, 2))) if name.endswith("griddata") else (np.exp(X),)
    given = {"lmbda": 0.3} if name.endswith(("boxcox", "johnson")) else {}
    known = {word: default for word, default in words.items() if not isinstance(default, float)}
    found, wanted = s2s.jit(lambda *x: function(*x, **given, **known), target="numpy")(*args), function(*args, **given)
    same(tuple(found) if isinstance(wanted, tuple) else found, wanted, 1e-6)
    with pytest.raises(s2s.UnsupportedError, match=next(iter(words))):
        s2s.jit(lambda *x: function(*x, **given, **{word: 7 for word in words}), target="numpy")(*args)


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


@pytest.mark.parametrize("name", in_turn([name for name in CALLS if not name.endswith(SINGLE)], 4))
def test_read_in_single_precision(name):
    args = tuple(each.astype(np.float32) for each in (X, Y, IMAGE))
    for call in CALLS[name]:
        same(quietly(s2s.jit(call, target="numpy"), *args), quietly(call, *args), 3e-4)


@pytest.mark.filterwarnings("ignore:.*is deprecated in favor of:DeprecationWarning")
@pytest.mark.parametrize("name", in_turn(CALLS, 3))
def test_derivatives(name):
    for call in CALLS[name][:1]:
        s2s.check_grads(s2s.jit(call, target="numpy"), (X, Y, IMAGE), order=1, modes=("fwd", "rev"))


def test_what_is_not_supported_is_refused_by_name():
    for call, words in ((lambda x: STATS.iqr(x, nan_policy="omit"), "nan_policy='omit'"), (lambda x: STATS.boxcox(x, alpha=0.1), "alpha"), (lambda x: STATS.differential_entropy(x, method="correa"), "correa")):  # noqa: PLW0108
        with pytest.raises(s2s.UnsupportedError, match=words):
            s2s.jit(call, target="numpy")(W)


@pytest.mark.parametrize("f", [lambda x: STATS.boxcox(x**2 + 0.1), lambda x: STATS.yeojohnson(x), lambda x: STATS.yeojohnson(-np.abs(x)), lambda x: STATS.yeojohnson(np.abs(x))])  # noqa: PLW0108
def test_likeliest_powers(f):
    """To half of the digits, as a maximum is known."""
    same(quietly(s2s.jit(f, target="numpy"), X), f(X), 1e-6)
    same(quietly(s2s.jit(f, target="numpy"), X.astype(np.float32)), f(X.astype(np.float32)), 1e-3)
    found, step = s2s.jvp(s2s.jit(f, target="numpy"), (X,), (Y,))[1], 1e-4
    for one, ahead, behind in zip(found, f(X + step * Y), f(X - step * Y), strict=True):
        np.testing.assert_allclose(one, (ahead - behind) / (2 * step), rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("words", [{}, {"method": "vasicek", "base": 2}, {"method": "van es"}, {"method": "ebrahimi", "window_length": 2}])
def test_entropies_of_samples(words):
    f = s2s.jit(lambda x: STATS.differential_entropy(x, **words), target="numpy")
    np.testing.assert_allclose(f(X), STATS.differential_entropy(X, **words), rtol=1e-12)
    s2s.check_grads(f, (X,), order=1, modes=("fwd", "rev"))


@pytest.mark.parametrize("call", [
    lambda x, a: IMAGES.gaussian_filter(a, 1.0, output=np.float32), lambda x, a: IMAGES.gaussian_filter(np.arange(12).reshape(3, 4), 1.3, output=float) * x[0], lambda x, a: IMAGES.gaussian_filter1d(x, 1.0, output="f4"),
    lambda x, a: IMAGES.correlate1d(np.arange(5), [1.0, 0.5], output=np.float64) * x[0], lambda x, a: IMAGES.convolve1d(a, x[:3], 0, np.float32), lambda x, a: IMAGES.gaussian_filter(a, (0.0, 0.0), output=np.float32),
])  # fmt: skip
def test_images_of_another_dtype(call):
    same(s2s.jit(call, target="numpy")(X, IMAGE), call(X, IMAGE), 1e-6)


def test_clusters_of_one():
    f = s2s.jit(lambda a: CODES.kmeans(a, a[:5])[1], target="numpy")
    np.testing.assert_allclose(f(IMAGE), CODES.kmeans(IMAGE, IMAGE[:5])[1], rtol=1e-12)
    s2s.check_grads(f, (IMAGE,), order=1, modes=("fwd", "rev"))


def test_integrals_of_densities():
    def f(x, y):
        one, two, both = STATS.gaussian_kde(x), STATS.gaussian_kde(y, weights=np.abs(x)), STATS.gaussian_kde(np.stack((x, y)))
        return one.integrate_box_1d(-1.0, 0.5), one.integrate_gaussian(0.1, 0.4), one.integrate_kde(two), both.integrate_gaussian([0.1, 0.2], np.eye(2)), two.neff, two.scotts_factor(), both.silverman_factor()

    same(s2s.jit(f, target="numpy")(X, Y), f(X, Y), 1e-10)
    s2s.check_grads(s2s.jit(f, target="numpy"), (X, Y), order=1, modes=("fwd", "rev"))


NORMAL = STATS.norm.cdf if SCIPY_1_18 else "norm"
"""SciPy 1.18 raises a TypeError of its own where it is given by name, with arguments."""
FITS = [
    *[lambda x, y, side=side: (lambda found: (found.statistic, found.pvalue, found.statistic_location, found.statistic_sign))(STATS.ks_1samp(x, STATS.norm.cdf, alternative=side)) for side in ("two-sided", "less", "greater")],
    *[lambda x, y, scale=scale: tuple(STATS.kstest(scale * x, NORMAL, (0.3 * y[0], 1.3))) for scale in (0.01, 0.3, 1.0, 4.0)], lambda x, y: tuple(STATS.kstest(np.concatenate([0.9 * x + 0.05 * k for k in range(20)]), "norm")), lambda x, y: (*STATS.kstest(x, y, alternative="less"), x),
    *[lambda x, y, method=method: STATS.ks_1samp(x, lambda t: 1.0 / (1.0 + np.exp(-t * np.abs(y[0]))), method=method).pvalue for method in ("asymp", "approx", "exact")],
    lambda x, y: (STATS.cramervonmises(x, "norm").pvalue, STATS.cramervonmises(3.0 * x, STATS.logistic.cdf, (y[0],)).statistic), lambda x, y: STATS.cramervonmises(9.0 + x, "norm").pvalue,
    lambda x, y: (STATS.cramervonmises_2samp(x, y[:5]).pvalue, STATS.cramervonmises_2samp(np.round(x), np.round(y), "asymptotic").pvalue, x),
]  # fmt: skip


@pytest.mark.parametrize("call", FITS)
def test_samples_against_distributions(call):
    same(quietly(s2s.jit(call, target="numpy"), X, Y), quietly(call, X, Y), 1e-10)
    s2s.check_grads(s2s.jit(call, target="numpy"), (X, Y), order=1, modes=("fwd", "rev"))


def test_nan_is_not_cut_off_nor_lost():
    def f(x, a):
        return STATS.trim_mean(np.where(x > 0.9, np.nan, x), 0.2), STATS.trim_mean(a, 0.2), STATS.trim_mean(a, 0.25, axis=1, keepdims=True), STATS.moment(a, 0), STATS.quantile(x, [0.3]), STATS.quantile(x, np.array([0.3]), keepdims=True)

    a = np.where(IMAGE > 0.8, np.nan, IMAGE)
    same(quietly(s2s.jit(f, target="numpy"), X, a), quietly(f, X, a), 1e-12)
    with pytest.raises(NotImplementedError, match="all equal"):
        s2s.jit(lambda x: STATS.shapiro(x).pvalue, target="numpy")(np.full(9, 0.1))
    with pytest.raises(s2s.UnsupportedError, match="negative order"):
        s2s.jit(lambda x: STATS.moment(x, -1), target="numpy")(X)


def test_canberra_leaves_nan_out():
    def f(x, y):
        return DISTANCE.canberra(np.where(x > 0.5, np.nan, x), y), DISTANCE.canberra(np.where(x > 0.5, np.nan, x), y, y**2)

    same(s2s.jit(f, target="numpy")(X, Y), f(X, Y), 1e-12)


def test_samples_with_nan_are_nothing_by_chance():
    def f(x, y):
        return tuple(STATS.cramervonmises_2samp(np.where(x > 0, np.nan, x), y, method).pvalue for method in ("exact", "asymptotic"))

    same(quietly(s2s.jit(f, target="numpy"), X, Y), quietly(f, X, Y), 1e-10)


FAMILIES = [
    *[lambda stats, x, n=n: tuple(stats.shapiro(x[:n])) for n in (3, 4, 5, 8)], lambda stats, x: tuple(stats.shapiro(np.concatenate((x, 0.5 * x + 1.0)))),
    *[lambda stats, x, family=family: (*tuple(stats.anderson(x**2, family))[:3], stats.anderson(x**2, family, method="interpolate").pvalue) for family in ("norm", "expon", "gumbel", "gumbel_r", "logistic")],
]  # fmt: skip


@pytest.mark.parametrize("call", FAMILIES)
def test_families_of_samples(call):
    """SciPy's own numbers have half of the digits: its normal quantiles nine, its fits as many as its search finds."""
    same(quietly(s2s.jit(lambda x: call(scipy.stats, x), target="numpy"), X), quietly(call, scipy.stats, X), 2e-6)
    s2s.check_grads(s2s.jit(lambda x: call(normality, x), target="numpy"), (X,), order=1, modes=("fwd", "rev"))


def test_powers_of_straight_probability_plots():
    def f(x):
        return STATS.boxcox_normmax(x**2 + 0.1), STATS.boxcox_normmax(x**2 + 0.1, method="all", brack=(-1.0, 1.0)), STATS.boxcox_normmax(x**2 + 0.1, method="mle"), STATS.yeojohnson_normmax(x), STATS.yeojohnson_normmax(x, (-1.0, 1.0))

    same(s2s.jit(f, target="numpy")(X), f(X), 1e-6)
    s2s.check_grads(s2s.jit(lambda x: normal_scores.boxcox_normmax(x**2 + 0.1), target="numpy"), (X,), order=1, modes=("fwd", "rev"), atol=1e-3, rtol=1e-3)


MORE_CALLS = [
    lambda x, y: (*STATS.probplot(x)[0], *STATS.probplot(x)[1], *STATS.probplot(x, (2.0,), "gamma", fit=False)), lambda x, y: (*STATS.spearmanrho(x, y), x), lambda x, y: STATS.spearmanrho(np.round(x), np.round(y), alternative="less").pvalue,
    *[lambda x, y, words=words: SIGNALS.lombscargle(x, y, np.abs(y) + 0.1, **words) for words in ({}, {"normalize": True}, {"normalize": "amplitude"}, {"floating_mean": True}, {"floating_mean": True, "normalize": True, "weights": W})],
    lambda x, y: scipy.spatial.geometric_slerp(x / np.linalg.norm(x), y / np.linalg.norm(y), x), lambda x, y: (scipy.spatial.geometric_slerp(np.array([1.0, 0.0]), np.array([0.0, 1.0]), x[0]), scipy.spatial.geometric_slerp(np.array([1.0, 0.0]), np.array([1.0, 0.0]), x)),
]  # fmt: skip


@pytest.mark.parametrize("call", MORE_CALLS)
def test_those_whose_signatures_say_types(call):
    same(quietly(s2s.jit(call, target="numpy"), X, Y), quietly(call, X, Y), 1e-10)
    s2s.check_grads(s2s.jit(call, target="numpy"), (X, Y), order=1, modes=("fwd", "rev"))


POINTS = np.array([-2.0, 0.0, 1.0, 1.5, 3.0, 7.0, 9.0, np.nan, np.inf, -np.inf])
CHANCES = np.array([0.0, 0.1, 0.5, 0.77, 1.0, 1.2, -0.1, np.nan])


def of_values(found):
    return found.pmf(POINTS), found.cdf(POINTS), found.ppf(CHANCES), found.sf(POINTS), found.mean(), found.var(), found.std(), found.entropy(), *found.support(), found.median(), found.moment(3), found.expect(lambda k: k**2), found.pmf(1), found.cdf(2)


def of_bins(found):
    return found.pdf(POINTS), found.cdf(POINTS), found.ppf(CHANCES), found.isf(CHANCES), found.mean(), found.var(), found.std(), found.median(), found.entropy(), *found.support(), *found.interval(0.9), found.moment(3)


@pytest.mark.parametrize("call", [
    lambda x: of_bins(STATS.rv_histogram(np.histogram(x, 4))), lambda x: of_bins(STATS.rv_histogram((x[:4] ** 2, np.array([-1.0, 0.0, 0.5, 2.0, 3.0])), density=False)), lambda x: of_values(STATS.rv_discrete(values=([3, 0, 7], [0.2, 0.5, 0.3]))),
    lambda x: of_values(STATS.rv_discrete(name="own", values=(np.arange(4), x[:4] ** 2 / np.sum(x[:4] ** 2)))),
])  # fmt: skip
def test_distributions_of_tables(call):
    same(quietly(s2s.jit(call, target="numpy"), X), quietly(call, X), 1e-10)


def test_distributions_of_tables_have_derivatives():
    def f(x):
        bins, values = STATS.rv_histogram((x[:4] ** 2, np.array([-1.0, 0.0, 0.5, 2.0, 3.0])), density=True), STATS.rv_discrete(values=(np.arange(4), x[:4] ** 2 / np.sum(x[:4] ** 2)))
        return bins.pdf(x), bins.cdf(0.3), bins.ppf(0.4), bins.mean(), bins.entropy(), values.pmf([0, 3]), values.cdf([1, 3]), values.var(), values.entropy()

    s2s.check_grads(s2s.jit(f, target="numpy"), (X,), order=1, modes=("fwd", "rev"))
    for call, words in ((lambda x: STATS.rv_discrete(values=([1, 2], [0.3, 0.7])).rvs(size=3) * x[0], "rvs of a distribution"), (lambda x: STATS.rv_discrete(a=0, b=3).pmf(1) * x, "rv_discrete other than of values")):
        with pytest.raises((s2s.UnsupportedError, s2s.errors.UnsupportedErrors), match=words):
            s2s.jit(call, target="numpy")(X)


@pytest.mark.parametrize(("place", "value"), [((0, 0), -1.0), ((1, 2), -1.0), ((1, 3), -1.0), ((1, 3), 99.0), ((0, 1), 8.0), ((1, 0), 5.0)])
def test_links_that_are_no_tree(place, value):
    links = TREES.ward(IMAGE)
    links[place] = value
    if value == 5.0:
        links[0, 1] = 5.0
    assert s2s.jit(lambda links: TREES.is_valid_linkage(links), target="numpy")(links) == TREES.is_valid_linkage(links)  # noqa: PLW0108
    with pytest.raises(ValueError, match="Linkage 'Z'") as wanted:
        TREES.to_mlab_linkage(links)
    with pytest.raises(ValueError, match=re.escape(str(wanted.value))):
        s2s.jit(lambda links: TREES.to_mlab_linkage(links), target="numpy")(links)  # noqa: PLW0108


@pytest.mark.parametrize("at", [1, 3, 7])
def test_lines_broken_at_a_place_of_run_time(at):
    same(s2s.jit(lambda x, at: SIGNALS.detrend(x, bp=at), target="numpy")(X, at), SIGNALS.detrend(X, bp=at), 1e-10)


@pytest.mark.parametrize("words", [{"axis": 1}, {"axis": None, "scale": "normal"}, {"axis": 0, "keepdims": True}])
def test_deviations_from_another_middle(words):
    call = lambda a: STATS.median_abs_deviation(a, center=np.mean, **words)  # noqa: E731
    same(s2s.jit(call, target="numpy")(IMAGE), call(IMAGE), 1e-10)


AT = np.linspace(0.0, 3.0, 8)
AS_OBJECTS = [
    lambda x, y: (*SIGNALS.lti([1.0, x[0]], [1.0, 2.0, y[0] ** 2 + 2.0]).step(T=AT), *SIGNALS.TransferFunction([x[0]], [2.0, 4.0]).impulse(T=AT), *SIGNALS.TransferFunction([1.0], [1.0, y[0] ** 2]).bode(AT + 0.1)),
    lambda x, y: (SIGNALS.TransferFunction([x[0]], [2.0, 4.0]).num, SIGNALS.TransferFunction([x[0]], [2.0, 4.0]).den, SIGNALS.lti([1.0, 0.3 * x[0] ** 2], [1.0, 4.0, 0.5]).poles.astype(complex), SIGNALS.lti([1.0, 0.3], [1.0, 2.0, 0.5]).to_ss().A * x[0]),
    lambda x, y: (SIGNALS.StateSpace(np.array([[0.0, 1.0], [-2.0, -(x[0] ** 2)]]), np.array([[0.0], [1.0]]), np.array([[1.0, 0.0]]), np.zeros((1, 1))).output(y, AT)[1], SIGNALS.step(SIGNALS.lti([[-1.0]], [[x[0]]], [[1.0]], [[0.0]]), T=AT)[1]),
    lambda x, y: (SIGNALS.lti([[-1.0, 0.0], [1.0, -2.0]], [[x[0]], [1.0]], [[1.0, 2.0]], [[0.5]]).to_tf().den, SIGNALS.lti([[-1.0]], [[x[0]]], [[3.0]], [[0.0]]).C * x[0]),
    lambda x, y: (SIGNALS.ZerosPolesGain([-1.0], [-2.0, -3.0], x[0]).gain, SIGNALS.ZerosPolesGain([-1.0], [-2.0, -3.0], x[0]).to_tf().num, SIGNALS.lti([-1.0], [-2.0, -3.0], x[0]).freqresp(AT)[1], SIGNALS.lsim(SIGNALS.lti([-1.0], [-2.0, -3.0], x[0]), y, AT)[1]),
    lambda x, y: (SIGNALS.dlti([1.0, x[0]], [1.0, 0.3, 0.2], dt=0.3).step(n=5), SIGNALS.dlti([1.0, x[0]], [1.0, 0.3, 0.2]).impulse(n=5)[1], SIGNALS.TransferFunction([1.0, x[0]], [1.0, 0.3, 0.2], dt=0.5).bode(n=6), SIGNALS.dlsim(SIGNALS.dlti([-0.1], [0.2, 0.3], x[0], dt=0.3), y)),
    lambda x, y: (SIGNALS.StateSpace(np.array([[0.0, 1.0], [-0.2, -0.1 * x[0]]]), np.array([[0.0], [1.0]]), np.array([[1.0, 0.0]]), np.zeros((1, 1)), dt=0.2).output(y, AT), SIGNALS.dfreqresp(SIGNALS.StateSpace([[0.1]], [[x[0]]], [[3.0]], [[0.5]], dt=0.1), n=9)),
    lambda x, y: (SIGNALS.TransferFunction([1.0, x[0]], [1.0, 0.3, 0.2]).to_discrete(0.2, "foh").den, SIGNALS.lti([[-1.0]], [[x[0]]], [[3.0]], [[0.0]]).to_discrete(0.1).A, SIGNALS.dlti([1.0, x[0]], [1.0, 0.3, 0.2], dt=0.3).to_ss().A * x[0]),
]  # fmt: skip


@pytest.mark.parametrize("call", AS_OBJECTS)
def test_linear_systems_that_are_objects(call):
    same(quietly(s2s.jit(call, target="numpy"), X, Y), quietly(call, X, Y), 1e-10)
    s2s.check_grads(s2s.jit(call, target="numpy"), (X, Y), order=1, modes=("fwd", "rev"))


@pytest.mark.parametrize(("call", "words"), [(lambda x: SIGNALS.lti([1.0], [1.0, 2.0]).inputs * x, "inputs of a linear system")])
def test_what_linear_systems_are_not_is_refused(call, words):
    with pytest.raises(s2s.UnsupportedError, match=words):
        s2s.jit(call, target="numpy")(X)


def gap(x, y, axis):
    return np.mean(x, axis=axis) - np.mean(y, axis=axis)


def ends(found):
    return (*found.confidence_interval, found.standard_error, found.bootstrap_distribution)


def chances(found):
    return found.statistic, found.pvalue, found.null_distribution


OF_SEVERAL_AXES = [
    *(lambda x, a, axis=axis, more=more: tuple(STATS.ttest_ind(a, x[: a.shape[-1]], axis=axis, keepdims=bool(more), **more)) for axis in (0, 1, -1) for more in ({}, {"equal_var": False}, {"trim": 0.1})), lambda x, a: tuple(STATS.ttest_ind(x, a[np.newaxis], axis=2)),
    lambda x, a: tuple(STATS.ttest_ind(a[:, :1], a, axis=1, equal_var=False, keepdims=True).confidence_interval()), lambda x, a: tuple(STATS.ttest_ind(a, a[::-1], axis=None, keepdims=True)), lambda x, a: STATS.ttest_ind(a, 2 * a, axis=1, keepdims=True).df,
    lambda x, a: tuple(STATS.ttest_rel(a, x[: a.shape[-1]], axis=1)), lambda x, a: tuple(STATS.ttest_rel(x[: a.shape[-1]], a)), lambda x, a: tuple(STATS.ttest_rel(a, a**2, axis=-1, keepdims=True).confidence_interval()), lambda x, a: tuple(STATS.ttest_rel(a, a**2, axis=None, keepdims=True)),
    lambda x, a: tuple(STATS.ttest_1samp(a, x[: a.shape[-1]])), lambda x, a: tuple(STATS.ttest_1samp(a, a[:, :1], axis=1, keepdims=True).confidence_interval()), lambda x, a: tuple(STATS.ttest_1samp(x, x[:1], keepdims=True)), lambda x, a: tuple(STATS.ttest_1samp(a, x[:1], axis=None)),
    lambda x, a: tuple(STATS.f_oneway(a, x[: a.shape[-1]], axis=1)), lambda x, a: tuple(STATS.f_oneway(a, 2 * a[:1], x[: a.shape[-1]], axis=-1, keepdims=True)), lambda x, a: tuple(STATS.f_oneway(a, x, axis=None)),
    lambda x, a: STATS.entropy(a**2, x[: a.shape[-1]] ** 2 + 1.0, axis=1), lambda x, a: STATS.entropy(x[: a.shape[-1]] ** 2, a**2 + 1.0, keepdims=True), lambda x, a: STATS.entropy(x**2, np.array([2.0])),
]  # fmt: skip


@pytest.mark.parametrize("call", OF_SEVERAL_AXES)
def test_samples_of_other_numbers_of_axes_are_stretched(call):
    a = IMAGE[:4, :6] + 0.01 * np.arange(6.0) ** 2
    same(quietly(s2s.jit(call, target="numpy"), X, a), quietly(call, X, a), 1e-9)


@pytest.mark.parametrize("call", [lambda x, a: STATS.ttest_ind(a, x, axis=2).pvalue, lambda x, a: STATS.ttest_1samp(a, x[:3], axis=1).pvalue, lambda x, a: STATS.ttest_1samp(x, x[:2]).pvalue])
def test_samples_that_do_not_fit_raise_scipys_words(call):
    with pytest.raises(ValueError) as expected:
        call(X, IMAGE)
    with pytest.raises(ValueError, match=re.escape(str(expected.value))):
        s2s.jit(call, target="numpy")(X, IMAGE)


DRAWING = np.random.default_rng
RESAMPLED = [
    lambda x, y: chances(STATS.permutation_test((x, y), gap, n_resamples=60, rng=DRAWING(1))), lambda x, y: chances(STATS.permutation_test((x, y[:5]), lambda x, y: np.mean(x) - np.median(y), n_resamples=np.inf, alternative="less")),
    lambda x, y: chances(STATS.permutation_test((x[:3], y[:2], x[3:5]), lambda a, b, c: np.mean(a) * np.std(b) - np.sum(c))), lambda x, y: chances(STATS.permutation_test((x, y), lambda a, b: np.corrcoef(a, b)[0, 1], permutation_type="pairings", n_resamples=40, rng=3, alternative="greater")),
    lambda x, y: chances(STATS.permutation_test((x[:4], y[:4]), lambda a, b: np.sum(a * b**2), permutation_type="pairings")), lambda x, y: chances(STATS.permutation_test((x,), np.mean, permutation_type="samples")),
    lambda x, y: chances(STATS.permutation_test((x, y), gap, permutation_type="samples", n_resamples=30, rng=DRAWING(7))),
    *(lambda x, y, n=n: chances(STATS.permutation_test((np.resize(x, n), np.resize(y, 30)), gap, n_resamples=9, rng=DRAWING(1))) for n in (40, 700)),
    lambda x, y: ends(STATS.bootstrap((x,), np.mean, rng=DRAWING(1), n_resamples=99)), lambda x, y: ends(STATS.bootstrap((x, y), gap, rng=DRAWING(1), n_resamples=99, method="basic")), lambda x, y: ends(STATS.bootstrap((x, y), lambda x, y: np.mean(x) - np.max(y), rng=DRAWING(1), n_resamples=99)),
    lambda x, y: ends(STATS.bootstrap((x, y), lambda a, b: np.corrcoef(a, b)[0, 1], paired=True, rng=2, n_resamples=99, confidence_level=0.8)), lambda x, y: ends(STATS.bootstrap((x,), np.std, rng=DRAWING(1), n_resamples=99, method="percentile", alternative="greater"))[:3],
    lambda x, y: chances(STATS.monte_carlo_test(x, DRAWING(5).normal, np.mean, n_resamples=99)), lambda x, y: chances(STATS.monte_carlo_test((x, y), (DRAWING(5).normal, DRAWING(6).normal), lambda x, y: np.mean(x) - np.max(y), n_resamples=99, alternative="less")),
]  # fmt: skip


@pytest.mark.parametrize("call", RESAMPLED)
def test_statistics_of_what_is_drawn_again(call):
    same(quietly(s2s.jit(call, target="numpy"), X, Y), quietly(call, X, Y), 1e-10)


@pytest.mark.parametrize("call", [RESAMPLED[4], RESAMPLED[7], RESAMPLED[9], RESAMPLED[10], RESAMPLED[12]])
def test_derivatives_of_what_is_drawn_again(call):
    s2s.check_grads(s2s.jit(call, target="numpy"), (X, Y), order=1, modes=("fwd", "rev"))


def test_resampling_with_a_generator_of_its_own_is_refused():
    for call, words in ((lambda x: STATS.bootstrap((x,), np.mean, rng=None).standard_error, "rng=None"), (lambda x: STATS.bootstrap((x,), np.mean, batch=3, rng=1).standard_error, "batch="), (lambda x: STATS.permutation_test((x, x), gap, n_resamples=9, rng=None).pvalue, "rng=None")):
        with pytest.raises(s2s.UnsupportedError, match=words):
            s2s.jit(call, target="numpy")(X)


def test_expectiles():
    def f(x, y):
        return STATS.expectile(x, 0.3), STATS.expectile(x, 0.9, weights=y**2), STATS.expectile(x, 0.0), STATS.expectile(x, 1.0), STATS.expectile(np.round(y).astype(int))

    same(s2s.jit(f, target="numpy")(X, Y), f(X, Y), 1e-7)
    s2s.check_grads(s2s.jit(lambda x, y: spread_tests.expectile(x, 0.3, weights=y**2), target="numpy"), (X, Y), order=1, modes=("fwd", "rev"))


WITH_NAN = np.where(np.abs(X) < 0.2, np.nan, X)
WITHOUT_NAN = [
    *(lambda x, f=f: f(x, nan_policy="omit") for f in (STATS.moment, STATS.skew, STATS.kurtosis, STATS.sem, STATS.variation)),
    *(lambda x, f=f: f(x**2, nan_policy="omit") for f in (STATS.gmean, STATS.hmean, STATS.gstd)), lambda x: STATS.pmean(x**2, 2, nan_policy="omit"), lambda x: np.nan_to_num(STATS.zscore(np.stack((x, 2 * x)), axis=1, nan_policy="omit")),
    lambda x: tuple(STATS.ttest_1samp(x, 0.1, nan_policy="omit")), lambda x: tuple(STATS.ttest_ind(x, Y, nan_policy="omit")), lambda x: tuple(STATS.f_oneway(x, Y, W, nan_policy="omit")),
]  # fmt: skip


@pytest.mark.parametrize("call", WITHOUT_NAN)
def test_what_is_nan_is_left_out(call):
    assert np.any(np.isnan(WITH_NAN))
    same(quietly(s2s.jit(call, target="numpy"), WITH_NAN), quietly(call, WITH_NAN), 1e-10)
    s2s.check_grads(s2s.jit(lambda x: call(np.where(np.abs(X) < 0.2, np.nan, x)), target="numpy"), (X,), order=1, modes=("fwd", "rev"))


def test_a_first_moment_of_nan_is_nan():
    rows = np.stack((WITH_NAN, X), axis=1)
    same(s2s.jit(lambda a: (STATS.moment(a), STATS.moment(a, axis=None)), target="numpy")(rows), (STATS.moment(rows), STATS.moment(rows, axis=None)), 0)


@pytest.mark.parametrize("call", [
    lambda x, y: tuple(STATS.theilslopes(x, y)), lambda x, y: tuple(STATS.theilslopes(y, x)), lambda x, y: tuple(STATS.siegelslopes(x, y)), lambda x, y: tuple(STATS.siegelslopes(y, x)),
    *[lambda x, y, equal=equal: tuple(STATS.ttest_ind(x, y, trim=0.2, equal_var=equal)) for equal in (True, False)],
])  # fmt: skip
def test_what_is_nan_makes_all_nan(call):
    same(quietly(s2s.jit(call, target="numpy"), WITH_NAN, Y), quietly(call, WITH_NAN, Y), 1e-10)


@pytest.mark.parametrize("call", [lambda x: IMAGES.uniform_filter(x, (2, 3)), lambda x: IMAGES.median_filter(x, (2, 3)), lambda x: IMAGES.grey_dilation(x, (2, 3)), lambda x: IMAGES.shift(x, (1.0, 0.5)), lambda x: IMAGES.gaussian_filter(x, (1.0, 2.0))])
def test_sizes_for_other_axes_are_errors(call):
    for f in (call, s2s.jit(call, target="numpy")):
        with pytest.raises(RuntimeError, match="length equal to input rank"):
            f(X)


def test_nan_that_is_raised():
    with pytest.raises(ValueError, match="contains nan"):
        s2s.jit(lambda x: STATS.skew(x, nan_policy="raise"), target="numpy")(WITH_NAN)


@pytest.mark.parametrize("statistic", ["mean", "median", "count", "sum", "std", "min", "max", lambda values: np.sum(values**2)])
def test_values_in_bins(statistic):
    for bins, limits in ((3, None), (4, (-0.5, 1.0)), (np.array([-1.0, 0.0, 0.3, 2.0]), None)):
        def f(x, y, bins=bins, limits=limits):
            return tuple(STATS.binned_statistic(x, y, statistic, bins, limits))

        same(quietly(s2s.jit(f, target="numpy"), X, Y), quietly(f, X, Y), 1e-12)
    s2s.check_grads(s2s.jit(lambda y: STATS.binned_statistic(X, y, statistic, 2).statistic, target="numpy"), (Y,), order=1, modes=("fwd", "rev"))


@pytest.mark.parametrize("statistic", [len, np.sum, np.max, lambda values: np.sum(values) + 1.0, lambda values: values.mean()])
def test_empty_bins(statistic):
    """What the statistic is of an empty list, nan where it has none."""
    def f(x, y):
        return tuple(STATS.binned_statistic(x, y, statistic, 20))

    same(quietly(s2s.jit(f, target="numpy"), X, Y), quietly(f, X, Y), 1e-12)


IN_BINS = [
    *[lambda x, y, kind=kind: tuple(STATS.binned_statistic_2d(x, y, x * y, kind, [2, 3])) for kind in ("mean", "median", "count", "sum", "std", "min", "max", lambda values: np.sum(values**2))],
    lambda x, y: tuple(STATS.binned_statistic_2d(x, y, x * y, bins=[np.array([-1.0, 0.0, 1.0]), 3], range=[[-1, 1], [-2, 1]], expand_binnumbers=True)), lambda x, y: tuple(STATS.binned_statistic_2d(x, y, x * y, "sum", np.array([-1.0, 0.0, 1.0, 2.0]))),
    lambda x, y: (lambda found: (found.statistic, *found.bin_edges, found.binnumber))(STATS.binned_statistic_dd([x, y, x - y], x * y, "sum", 2, expand_binnumbers=True)), lambda x, y: STATS.binned_statistic_dd(np.stack((x, y), axis=1), x * y, "mean", [2, 3]).statistic,
]  # fmt: skip


@pytest.mark.parametrize("call", IN_BINS)
def test_values_in_bins_of_several_axes(call):
    same(quietly(s2s.jit(call, target="numpy"), X, Y), quietly(call, X, Y), 1e-12)


def test_derivatives_of_values_in_bins_of_several_axes():
    s2s.check_grads(s2s.jit(lambda y: STATS.binned_statistic_2d(X, X[::-1], y, "std", 2).statistic, target="numpy"), (Y,), order=1, modes=("fwd", "rev"))


METHODS_OF_RESULTS = [
    *[lambda x, y, a, side=side: tuple(STATS.pearsonr(x, y, alternative=side).confidence_interval(0.9)) for side in ("two-sided", "less", "greater")], lambda x, y, a: tuple(STATS.pearsonr(x[:3], y[:3]).confidence_interval()),
    *[lambda x, y, a, side=side: tuple(STATS.ttest_1samp(a, 0.2, axis=1, alternative=side).confidence_interval(0.9)) for side in ("two-sided", "less", "greater")], lambda x, y, a: tuple(STATS.ttest_rel(x, y).confidence_interval()),
    *[lambda x, y, a, equal=equal: (STATS.ttest_ind(x, y[:5], equal_var=equal).df, *STATS.ttest_ind(x, y[:5], equal_var=equal).confidence_interval(0.8)) for equal in (True, False)], lambda x, y, a: (STATS.ttest_1samp(x, 0.3).df, x),
    *[lambda x, y, a, k=k, side=side, method=method: (*STATS.binomtest(k, len(x) + 4, 0.3, side).proportion_ci(0.9, method), x) for k in (0, 3, 12) for side in ("two-sided", "less", "greater") for method in ("exact", "wilson", "wilsoncc")],
    *[lambda x, y, a, method=method: tuple([(bound.quantiles, bound.probabilities) for kind in (STATS.ecdf(np.round(x)).cdf, STATS.ecdf(np.round(x)).sf) for bound in kind.confidence_interval(0.9, method=method)]) for method in ("linear", "log-log")],
    lambda x, y, a: tuple(STATS.ttest_ind(x, y[:1])), lambda x, y, a: tuple(STATS.ttest_ind(x, y[:1], equal_var=False)), lambda x, y, a: (STATS.linregress(x, y).intercept_stderr, STATS.linregress(x, y)[1], STATS.spearmanr(x, y).correlation, len(STATS.linregress(x, y))),
]  # fmt: skip


@pytest.mark.parametrize("call", METHODS_OF_RESULTS)
def test_results_have_their_methods(call):
    same(quietly(s2s.jit(call, target="numpy"), X, Y, IMAGE), quietly(call, X, Y, IMAGE), 1e-10)
    single = tuple(each.astype(np.float32) for each in (X, Y, IMAGE))
    same(quietly(s2s.jit(call, target="numpy"), *single), quietly(call, *single), 3e-4)


def test_functions_of_what_is_known_are_read():
    def f(x):
        def moved(place):
            return place[0] - x, place[1] * 0.9

        return IMAGES.geometric_transform(np.arange(12.0).reshape(4, 3), moved), IMAGES.generic_filter([1.0, 4.0, 2.0], lambda window: np.max(window) - np.min(window), 2)

    def g():
        return IMAGES.generic_filter([1.0, 4.0, 2.0], lambda window: np.max(window) - np.min(window), 2), IMAGES.geometric_transform(np.arange(5.0), lambda place: (place[0] - 0.5,))

    same(s2s.jit(f, target="numpy")(0.3), f(0.3), 1e-10)
    same(s2s.jit(g, target="numpy")(), g(), 1e-10)


def test_results_are_returned_and_mapped():
    result = s2s.jit(STATS.pearsonr, target="numpy")(X, Y)
    r, chance = result
    assert (r, chance) == (result.statistic, result.pvalue)
    assert result.confidence_interval().low == pytest.approx(STATS.pearsonr(X, Y).confidence_interval().low)
    np.testing.assert_allclose(s2s.vmap(lambda x: STATS.ttest_1samp(x, 0.1))(IMAGE).pvalue, STATS.ttest_1samp(IMAGE, 0.1, axis=1).pvalue)


def test_samples_that_are_nan_are_within_limits():
    x = np.array([1.0, np.nan, 2.0, 9.0])
    for name in ("tmean", "tvar", "tstd", "tsem"):
        assert np.isnan(quietly(s2s.jit(lambda x, name=name: getattr(STATS, name)(x, (0, 5)), target="numpy"), x))
        with pytest.raises(ValueError, match="No array values within given limits"):
            s2s.jit(lambda x, name=name: getattr(STATS, name)(x, (20, 25)), target="numpy")(x[2:])


def test_compiled():
    def f(x, y, a):
        return STATS.zscore(a), STATS.pearsonr(x, y)[0], STATS.gaussian_kde(x)(y)

    same(s2s.jit(f)(X, Y, IMAGE), f(X, Y, IMAGE), 1e-10)


@pytest.mark.parametrize("call", [
    lambda x, y, a: np.fft.fftn(a, s=(-1, -1), axes=(0, 1)), lambda x, y, a: np.fft.ifft2(a, s=(4, -1)), lambda x, y, a: np.fft.irfftn(a, s=(-1, -1), axes=(0, 1)), lambda x, y, a: np.fft.rfftn(a, s=(-1, 5), axes=(1, 0)), lambda x, y, a: SIGNALS.lfilter(x[:3], 1.0, y),
    lambda x, y, a: SIGNALS.lfilter(2.0, x[:3] + 3.0, y), lambda x, y, a: IMAGES.gaussian_filter(a, 0.8, order=(0, 1)), lambda x, y, a: IMAGES.gaussian_filter(a, np.array([0.8, 0.5])), lambda x, y, a: IMAGES.uniform_filter(a, np.array([2, 3])), lambda x, y, a: IMAGES.gaussian_filter(a, 0.8, mode=("wrap", "nearest")), lambda x, y, a: IMAGES.gaussian_filter1d(x, 1.1, order=3, mode="wrap"),
    lambda x, y, a: STATS.combine_pvalues([0.1, 0.2])[1] * x, lambda x, y, a: DISTANCE.cdist(np.concatenate((a.T, a.T**2)), a.T, "mahalanobis"), lambda x, y, a: DISTANCE.pdist(a.T @ a, "seuclidean"), lambda x, y, a: DISTANCE.pdist(a, lambda u, v: np.sum(np.abs(u - v))), lambda x, y, a: DISTANCE.cdist(a, a + 1, DISTANCE.euclidean),
    lambda x, y, a: SIGNALS.freqz(a[:, :3, np.newaxis], 1, 5), lambda x, y, a: SIGNALS.freqz(a[:, :5], x[:5], 5), lambda x, y, a: SIGNALS.freqz(a[:, :1, np.newaxis], a[:2, :1, np.newaxis], np.abs(x)),
    *[lambda x, y, a, name=name: DISTANCE.cdist(np.round(a), np.round(a[:3] + 0.4), name, w=x[:7] ** 2) for name in ("euclidean", "sqeuclidean", "cityblock", "minkowski", "hamming")], lambda x, y, a: DISTANCE.pdist(a, "minkowski", p=3, w=x[:7] ** 2), lambda x, y, a: DISTANCE.cdist(a, a * 2, lambda u, v, k: np.max(np.abs(u - v)) * k, k=x[0]),
    lambda x, y, a: DISTANCE.cdist(a > 0, a[:3] > 0.4, "sokalsneath"), lambda x, y, a: DISTANCE.cdist(np.round(a), np.round(a[:3]), "jaccard"), lambda x, y, a: SIGNALS.detrend(LONG * x[0], bp=[8, 16]), lambda x, y, a: SIGNALS.lfilter([0.1, 0.2], [1.0, 0.3], x, zi=[0.1])[1], lambda x, y, a: SIGNALS.fftconvolve(a, a[:, :3], axes=1), lambda x, y, a: IMAGES.uniform_filter(a, (2, 3), mode=["wrap", "nearest"]),
])  # fmt: skip
def test_further_forms(call):
    same(s2s.jit(call, target="numpy")(X, Y, IMAGE), call(X, Y, IMAGE), 1e-10)


RAISED = np.array([[0.5, 1.0, 0.0], [0.2, -0.3, 0.1]])


@pytest.mark.parametrize("name", ["grey_erosion", "grey_dilation", "grey_opening", "grey_closing", "morphological_gradient", "white_tophat", "black_tophat"])
def test_morphology_by_structures_with_heights(name):
    function = getattr(IMAGES, name)
    for call in (lambda a: function(a, structure=RAISED), lambda a: function(a, structure=RAISED, mode="constant", cval=0.7, origin=(0, 1)), lambda a: function(np.round(3 * a).astype(np.int64), structure=np.ones((3, 3))), lambda a: function(a, footprint=RAISED > 0, structure=RAISED)):
        same(s2s.jit(call, target="numpy")(IMAGE), call(IMAGE), 1e-12)
    s2s.check_grads(s2s.jit(lambda a, s: function(a, structure=s), target="numpy"), (IMAGE, RAISED), order=1, modes=("fwd", "rev"))


def test_extreme_values_of_labelled_integers():
    for call in (lambda a: (IMAGES.maximum(a), IMAGES.minimum(a)), lambda a: (IMAGES.maximum(a, a > 2), IMAGES.minimum(a, a % 3, [0, 2, 1]))):
        same(s2s.jit(call, target="numpy")(WHOLE), call(WHOLE), 0.0)


EMPTY = {
    **{f"{name} {mode} of {'first' if first else 'second'}": lambda x, k, name=name, mode=mode, first=first: getattr(scipy.signal, name)(x[:0] if first else x, k if first else k[:0], mode) for name in ("convolve", "correlate") for mode in ("full", "valid") for first in (True, False)},
    **{f"{name} same": lambda x, k, name=name: getattr(scipy.signal, name)(x[:0], k, "same") for name in ("convolve", "correlate")},
    "lfilter": lambda x, k: scipy.signal.lfilter(k, [1.0, 0.5], x[:0]), "lfilter without feedback": lambda x, k: scipy.signal.lfilter(k, 1.0, x[:0]), "lfilter of nothing": lambda x, k: scipy.signal.lfilter(k[:0], 1.0, x),
    "the state of one coefficient": lambda x, k: scipy.signal.lfilter_zi(x[:1] + 2, k[:1]), "the shorter first": lambda x, k: scipy.signal.convolve(k, x, "valid"),
}


@pytest.mark.parametrize("name", EMPTY)
def test_empty_signals_are_scipys(name):
    x, k = np.arange(7.0), np.arange(1.0, 4.0)
    outcomes = []
    for f in (EMPTY[name], s2s.jit(EMPTY[name], target="numpy")):
        try:
            outcomes.append(f(x, k).tolist())
        except ValueError as error:
            outcomes.append(str(error).partition("\n")[0])
    assert outcomes[0] == outcomes[1]


WHOLE = np.array([[3, -2, 7, 1], [0, 5, -4, 2], [6, 1, 1, -9]])
IMAGE_CALLS = {
    **{f"sigma {sigma}": (lambda x, sigma=sigma: scipy.ndimage.gaussian_filter(x, sigma), 0.3 * WHOLE) for sigma in (0, -1.0, (1.2, 0), [0.0, 0.7])}, "run-time sigma": (lambda x: scipy.ndimage.gaussian_filter(x, x[0, 0]), 0.3 * WHOLE),
    **{f"{name} of {dtype} {mode}": (lambda x, name=name, mode=mode: getattr(scipy.ndimage, name)(x, np.array([[1, -2], [3, 1]]), mode=mode, cval=2), WHOLE.astype(dtype)) for name in ("convolve", "correlate") for dtype in ("int64", "int32", "int8") for mode in ("reflect", "constant", "wrap")},
}


@pytest.mark.parametrize("name", IMAGE_CALLS)
def test_images_are_filtered_as_by_scipy(name):
    f, x = IMAGE_CALLS[name]
    found, wanted = s2s.jit(f, target="numpy")(x), f(x)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


INTO = {
    "uniform_filter": (3,), "uniform_filter1d": (3,), "sobel": (0,), "prewitt": (1,), "laplace": (), "gaussian_filter": (1.0,), "gaussian_filter1d": (1.0,), "gaussian_laplace": (1.0,), "gaussian_gradient_magnitude": (1.0,), "median_filter": (3,), "maximum_filter": (3,),
    "minimum_filter": (3,), "percentile_filter": (30, 3), "rank_filter": (1, 3), "correlate1d": ([1.0, 2.0, 1.0],), "convolve1d": ([1.0, 2.0],), "convolve": (WHOLE[:2, :2] + 0.5,), "correlate": (WHOLE[:2, :2] + 0.5,), "grey_erosion": (3,),
}  # fmt: skip


@pytest.mark.parametrize("name", INTO)
@pytest.mark.parametrize("given", [IMAGE, np.abs(WHOLE).astype(np.uint8), IMAGE.astype(np.float32)], ids=["float64", "uint8", "float32"])
def test_images_are_filtered_into_arrays(name, given):
    """Of floats, or of whole numbers into floats, by an array or by its dtype."""
    order = name.startswith(("m", "p", "r", "grey"))

    def filtered(x):
        found = np.zeros(x.shape, x.dtype if order else np.float64)
        result = getattr(IMAGES, name)(x, *INTO[name], output=found)
        found[0] += 1
        return (found, result) if order else (found, result, getattr(IMAGES, name)(x, *INTO[name], output=float))

    same(s2s.jit(filtered, target="numpy")(given), filtered(given), 1e-12)
    if given is IMAGE:
        s2s.check_grads(s2s.jit(filtered, target="numpy"), (given,), order=1)


def test_images_that_are_filtered_into_arrays_that_do_not_fit():
    for call, words in ((lambda x: IMAGES.sobel(x, output=np.zeros((2, 2))), "output shape not correct"), (lambda x: IMAGES.median_filter(x, 3, output=np.zeros(3)), "output shape not correct")):
        with pytest.raises(RuntimeError, match=words):
            s2s.jit(call, target="numpy")(IMAGE)
    for call in (lambda x: IMAGES.grey_opening(x, 3, output=np.zeros((6, 7))), lambda x: IMAGES.sobel(x, output=np.zeros((6, 7), np.float32)), lambda x: IMAGES.median_filter(x, 3, output=np.zeros((6, 7), np.float32))):
        with pytest.raises(s2s.UnsupportedError, match="output"):
            s2s.jit(call, target="numpy")(IMAGE)


@pytest.mark.parametrize("call", [lambda x, at: IMAGES.median(x), lambda x, at: IMAGES.median(x, at, 2), lambda x, at: IMAGES.median(x, at, [0, 1, 2, 3]), lambda x, at: IMAGES.median(x, at)])
def test_medians_of_what_is_no_number(call):
    for lowest in (0.0, 0.5, 1.0, 9.0):
        x, at = np.where(IMAGE > lowest, np.nan, IMAGE), np.arange(IMAGE.size).reshape(IMAGE.shape) % 4
        np.testing.assert_array_equal(s2s.jit(call, target="numpy")(x, at), call(x, at))


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_a_density_within_a_search(target):
    """The density's own count of its points is a size of its arrays, too, and both are passed."""

    def highest(x):
        density = STATS.gaussian_kde(x)
        return scipy.optimize.minimize_scalar(lambda q: -density(q)[0], bounds=(-0.5, 0.5), method="bounded").x

    np.testing.assert_allclose(s2s.jit(highest, target=target)(X), highest(X), atol=1e-6)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize(
    "function",
    [
        lambda t: scipy.stats.mode(np.round(t * 2.0)).mode, lambda t: scipy.stats.mode(np.round(t * 2.0)).count, lambda t: scipy.interpolate.CubicSpline(t, t**2).integrate(0.1, 0.5),
        lambda t: scipy.interpolate.CubicSpline(t, np.array([0.0, 1.0, 0.0, 2.0, 0.0]), bc_type="periodic").integrate(0.1, 2.5), lambda t: scipy.interpolate.make_interp_spline(t, t**2).integrate(0.1, 0.5),
        lambda t: scipy.optimize.fixed_point(np.cos, t[1]), lambda t: scipy.optimize.fixed_point(np.cos, t[1], method="iteration"),
        lambda t: scipy.optimize.nnls(np.outer(t, t) + np.eye(5), t - 0.5)[1], lambda t: 1.0 + scipy.integrate.quad_vec(lambda s: s * t, 0.0, 1.0)[1],
        lambda t: DISTANCE.euclidean(t, t**2), lambda t: DISTANCE.euclidean(np.arange(3), np.array([2, 2, 2])), lambda t: DISTANCE.euclidean(t, t**2, t), lambda t: DISTANCE.minkowski(t, t**2, 1.5), lambda t: DISTANCE.minkowski(t, t**2),
        lambda t: DISTANCE.minkowski(t, t**2, 1), lambda t: DISTANCE.mahalanobis(t[:2], t[2:4], np.eye(2)), lambda t: DISTANCE.seuclidean(t, t**2, t + 1.0), lambda t: scipy.spatial.KDTree(t[:, None]).query(t[:1] + 0.1)[0],
        lambda t: scipy.spatial.KDTree(t[:, None]).query(t[:1] + 0.1)[1],
    ],
)  # fmt: skip
def test_arrays_without_axes_and_numbers(function, target):
    """What SciPy gives of one number is an array here, a number there."""
    t = np.linspace(0.0, 1.0, 5)
    found, wanted = s2s.jit(function, target=target)(t), function(t)
    assert type(found) is type(wanted)
    np.testing.assert_allclose(found, wanted, rtol=1e-7)
