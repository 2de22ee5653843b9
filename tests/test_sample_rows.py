"""SciPy's tests of samples along an axis of several, or along several, with `nan_policy` and `keepdims`: against SciPy itself."""
from __future__ import annotations

from functools import partial

import agreement
import numpy as np
import pytest
import scipy.stats
from turns import in_turn

import s2s

RNG = np.random.default_rng(8)
STATS = scipy.stats
WIDE, OTHER, THIRD = RNG.normal(size=(3, 12)), RNG.normal(size=(3, 12)), np.round(RNG.normal(size=(3, 12)))
HOLED = np.where(RNG.random((3, 12)) < 0.15, np.nan, WIDE)
LINE = RNG.normal(size=12)

ONE = ("skewtest", "normaltest", "jarque_bera", "wilcoxon", "shapiro", "differential_entropy", "kstat", "theilslopes")
TWO = ("kruskal", "levene", "bartlett", "brunnermunzel", "mood", "ansari", "ranksums", "kendalltau", "linregress", "wilcoxon", "ks_2samp", "mannwhitneyu", "siegelslopes", "pointbiserialr", "ttest_ind", "ttest_rel", "alexandergovern")
WORDS = ({"axis": 1}, {"axis": 1, "nan_policy": "omit"}, {"axis": None, "nan_policy": "omit"}, {"axis": (0, 1), "keepdims": True}, {"axis": -1, "nan_policy": "raise"})


def numbers(found):
    if hasattr(found, "intercept_stderr"):
        return found.slope, found.intercept, found.rvalue, found.pvalue, found.stderr, found.intercept_stderr
    if not hasattr(found, "statistic"):
        return tuple(np.atleast_1d(each) for each in found) if isinstance(found, tuple) else (np.atleast_1d(found),)
    return found.statistic, found.pvalue


agree = partial(agreement.agree, atol=1e-9)


@pytest.mark.parametrize("case", in_turn([(name, words) for name in ONE for words in WORDS], 4), ids=str)
def test_one_sample(case):
    name, words = case
    function = getattr(STATS, name)
    agree(lambda x: numbers(function(x, **words)), HOLED)


@pytest.mark.parametrize("case", in_turn([(name, words) for name in TWO for words in WORDS], 4), ids=str)
def test_two_samples(case):
    name, words = case
    function = getattr(STATS, name)
    agree(lambda x, y: numbers(function(x, y, **words)), HOLED if words.get("nan_policy") else THIRD, OTHER)


@pytest.mark.parametrize("name", ["kruskal", "fligner", "friedmanchisquare", "f_oneway"])
def test_three_samples(name):
    function = getattr(STATS, name)
    agree(lambda x, y, z: numbers(function(x, y, z, axis=1, nan_policy="omit")), HOLED, OTHER, THIRD)
    agree(lambda x, y, z: numbers(function(x, y, z, keepdims=True)), LINE, OTHER[0], THIRD[0])


@pytest.mark.parametrize("name", ["mannwhitneyu", "linregress", "kruskal"])
def test_compiled(name):
    function = getattr(STATS, name)
    agree(lambda x, y: numbers(function(x, y, axis=1, nan_policy="omit")), HOLED, OTHER, target="cpu")


def test_samples_that_are_too_small_are_nan():
    for call in (lambda x: numbers(STATS.skewtest(x)), lambda x: numbers(STATS.kurtosistest(x[:4])), lambda x: numbers(STATS.shapiro(x[:2])), lambda x: numbers(STATS.mood(x[:1], x[1:2])), lambda x: numbers(STATS.linregress(x[:1], x[1:2])), lambda x: numbers(STATS.kruskal(x * 0, x * 0))):
        agree(call, LINE[:7])


def test_wilcoxons_test_of_nan():
    agree(lambda x, y: numbers(STATS.wilcoxon(x, y)), HOLED[0], LINE)


def test_derivatives_along_an_axis():
    s2s.test_util.check_grads(s2s.jit(lambda x, y: np.sum(STATS.linregress(x, y, axis=1).pvalue), target="numpy"), (WIDE, OTHER), order=1)
