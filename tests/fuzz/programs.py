"""Random programs of `generate`: every rewrite keeps the verifier silent and the numbers right."""
from __future__ import annotations

import numpy as np

from s2s.transforms.derivatives.activity import varied_results
from s2s.transforms.derivatives.forward import jvp
from s2s.transforms.derivatives.reverse.adjoint import vjp
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.verify import verify
from s2s.transforms.simplify.simplification import simplify

from .generate import program

SIZE = 6
ACTIVE = (True,) * 4


def point(rng):
    return rng.normal(size=SIZE), rng.normal(size=SIZE), rng.normal(), rng.normal()


def pairing(left, right):
    """⟨left, right⟩ and the size of its terms."""
    terms = [(np.sum(a * b), np.sum(np.abs(a * b))) for a, b in zip(left, right, strict=True)]
    return sum(term for term, _ in terms), sum(size for _, size in terms)


def assert_pair(first, second, tolerance):
    (a, size_a), (b, size_b) = first, second
    assert not np.isfinite(size_a + size_b) or abs(a - b) <= tolerance * (size_a + size_b)


def tangents(function, active, args, dots, results):
    """The tangents of the results that vary, by number."""
    derivative = jvp(function, active)
    verify(derivative)
    varied = [number for number, on in enumerate(varied_results(function, active)) if on]
    return dict(zip(varied, interpret(derivative, *args, *dots)[results:], strict=True))


def check(seed, *, second=False):
    """The program of this seed, simplified and differentiated."""
    function = program(seed, 4 + seed % 16)
    verify(function)
    rng = np.random.default_rng(seed)
    args, dots = point(rng), point(rng)
    want = interpret(function, *args)
    simple = simplify(function)
    verify(simple)
    np.testing.assert_equal(interpret(simple, *args), want)
    out_dots = tangents(simple, ACTIVE, args, dots, 3)
    plain = vjp(simple, ACTIVE, (True,) * 3)
    gradient = simplify(plain)
    seeds = (rng.normal(), rng.normal(size=SIZE), rng.normal(size=SIZE))
    for one in (plain, gradient):
        verify(one)
        got = interpret(one, *args, *seeds)
        np.testing.assert_equal(got[:3], want)
        assert_pair(pairing([seeds[k] for k in out_dots], out_dots.values()), pairing(got[3:], dots), 1e-12)
    if second:
        check_second(gradient, (*args, *seeds), dots, rng)


def check_second(gradient, args, dots, rng):
    """Forward over reverse against reverse over reverse."""
    active = ACTIVE + (False,) * 3
    bar_dots = tangents(gradient, active, args, dots, 7)
    twice = vjp(gradient, active, tuple(number >= 3 for number in range(7)))
    verify(twice)
    weights = dict(zip(range(3, 7), point(rng), strict=True))
    got = interpret(twice, *args, *weights.values())
    used = [number for number in weights if number in bar_dots]
    assert_pair(pairing([weights[k] for k in used], [bar_dots[k] for k in used]), pairing(got[7:], dots), 1e-10)
