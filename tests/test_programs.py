"""Every test program, through every transformation: nothing may differ from NumPy."""
import copy
import functools
import inspect

import numpy as np
import pytest
from numeric import (
    assert_same,
    difference,
    inner,
    is_differentiable,
    is_single,
    leaves,
    map_leaves,
    pairs,
    random_like,
    structure,
    zero_like,
)
from programs import CASES, REFUSED
from staging import stage_and_differentiate_twice, stage_and_jvp, stage_and_run, stage_and_vjp
from turns import in_turn

import s2s

EVERY = pytest.mark.parametrize("case", CASES, ids=str)
DIFFERENTIABLE = pytest.mark.parametrize("case", [case for case in CASES if case.wrt], ids=str)
FAILING = pytest.mark.parametrize("case", [case for case in CASES if case.fails], ids=str)


def inputs(make):
    """The same arguments for each call."""
    return make(np.random.default_rng(0))


def returns_scalar(case):
    """Whether NumPy's result is one real float."""
    want, _ = numpy_result(case, inputs(case.make))
    return isinstance(want, (float, np.floating)) or (isinstance(want, np.ndarray) and want.ndim == 0 and want.dtype.kind == "f")


def numpy_result(case, args):
    """What NumPy says, and what it leaves in the arguments."""
    with np.errstate(all="ignore"):
        return case.fun(*args), args


@EVERY
def test_interpreted(case):
    """Read and interpreted: values, dtypes, shapes, mutation."""
    for make in (case.make, *case.more):
        args = inputs(make)
        got = stage_and_run(case.fun, args, case.static)
        want, changed = numpy_result(case, inputs(make))
        assert_same(got, want, "result")
        assert_same(args, changed, "arguments afterwards")


@FAILING
def test_interpreted_exceptions(case):
    for make, exception in case.fails:
        args = inputs(make)
        with pytest.raises(exception):
            stage_and_run(case.fun, args, case.static)


def strided(leaf):
    """An array with the same elements and gaps between them."""
    if not isinstance(leaf, np.ndarray) or leaf.ndim == 0:
        return leaf
    wide = np.zeros((*leaf.shape[:-1], 2 * leaf.shape[-1]), leaf.dtype)
    wide[..., ::2] = leaf
    return wide[..., ::2]


@EVERY
@pytest.mark.parametrize("target", ["cpu", "numpy"])
def test_jit(case, target):
    """Emitted and run: as NumPy, for all its inputs, without compiling again."""
    jitted = s2s.jit(case.fun, static_argnums=case.static, target=target)
    for make in (case.make, *case.more):
        for layout in (lambda leaf: leaf, strided):
            args, again = (map_leaves(layout, inputs(make)) for _ in range(2))
            with np.errstate(all="ignore"):  # the numpy target warns where NumPy does
                got = jitted(*args)
            want, changed = numpy_result(case, again)
            assert_same(got, want, "result")
            assert_same(args, changed, "arguments afterwards")


@FAILING
@pytest.mark.parametrize("target", ["cpu", "numpy"])
def test_jit_exceptions(case, target):
    jitted = s2s.jit(case.fun, static_argnums=case.static, target=target)
    for make, exception in case.fails:
        with np.errstate(all="ignore"), pytest.raises(exception):
            jitted(*inputs(make))


SCALAR = [case for case in CASES if case.wrt and returns_scalar(case)]


def differentiated(case, args):
    """The function of the arguments that are not static, those, and which are differentiated: jvp and vjp know no static arguments."""
    if not case.static:
        return case.fun, args, case.wrt
    names = list(inspect.signature(case.fun).parameters)
    if case.static == (0,):
        fun = functools.partial(case.fun, args[0])
    else:
        fun = functools.partial(case.fun, **{names[k]: args[k] for k in case.static})
    dynamic = [k for k in range(len(args)) if k not in case.static]
    return fun, tuple(args[k] for k in dynamic), tuple(dynamic.index(k) for k in case.wrt)


def direction(rng, args, wrt):
    """Random for what is differentiated, zero for the rest."""
    return tuple(map_leaves(lambda leaf: random_like(rng, leaf) if k in wrt else zero_like(leaf), arg) for k, arg in enumerate(args))


def check_derivatives(case, args, wrt, jvp, vjp, fun):
    """Forward equals central differences; reverse equals forward; neither changes its inputs."""
    kept = copy.deepcopy(args)
    rng = np.random.default_rng(1)
    dots = direction(rng, args, wrt)
    value, value_dot = jvp(args, dots)
    want = fun(*copy.deepcopy(args))
    assert_same(value, want, "value of jvp")
    assert_same(args, kept, "inputs after jvp")
    single = is_single((args, want))
    got = [leaf for leaf, of in zip(leaves(value_dot), leaves(want), strict=True) if is_differentiable(of)]
    expected = difference(fun, copy.deepcopy(args), dots, 1e-5)
    scale = max((float(np.max(np.abs(leaf), initial=0.0)) for leaf in expected), default=0.0) + 1e-3
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-3 if single else 1e-5, atol=(1e-3 if single else 2e-7) * scale, err_msg="jvp against differences")

    value, bars, back = vjp(args, lambda out: map_leaves(lambda leaf: random_like(rng, leaf), out))
    assert_same(value, want, "value of vjp")
    assert_same(args, kept, "inputs after vjp")
    assert structure(back) == structure(args)
    forward, reverse = inner(bars, value_dot), inner(back, dots)
    size = sum(float(np.sum(np.abs(np.asarray(a) * np.asarray(b)))) for a, b in pairs(bars, value_dot))
    assert abs(forward - reverse) <= (2e-4 if single else 1e-12) * (size + abs(forward) + 1e-30), f"vjp against jvp: {reverse} and {forward}"


@DIFFERENTIABLE
def test_interpreted_derivatives(case):
    """The derivative programs, interpreted."""
    for make in (case.make, *case.more):
        args = inputs(make)
        fun, dynamic, wrt = differentiated(case, args)
        check_derivatives(
            case, dynamic, wrt, lambda args, dots: stage_and_jvp(fun, args, dots), lambda args, bars_of: stage_and_vjp(fun, args, bars_of), fun
        )


def check_emitted_derivatives(case):
    """jvp and vjp of a program, emitted and run."""
    def vjp(args, bars_of):
        out, pull = s2s.vjp(fun, *args)
        bars = bars_of(out)
        return out, bars, pull(bars)

    for make in (case.make, *case.more):
        fun, args, wrt = differentiated(case, inputs(make))
        check_derivatives(case, args, wrt, lambda args, dots: s2s.jvp(fun, args, dots), vjp, fun)


@DIFFERENTIABLE
def test_derivatives_numpy(case):
    """The derivative programs, emitted as array expressions."""
    with s2s.disable_jit(), np.errstate(all="ignore"):
        check_emitted_derivatives(case)


@pytest.mark.parametrize("case", in_turn([case for case in CASES if case.wrt], 3), ids=str)
def test_derivatives(case):
    """The same, compiled."""
    check_emitted_derivatives(case)


@pytest.mark.parametrize("case", in_turn(SCALAR, 3, 1), ids=str)
def test_grad(case):
    """grad and value_and_grad of the programs with one real float as result equal vjp."""
    fun, args, wrt = differentiated(case, inputs(case.make))
    want = fun(*copy.deepcopy(args))
    kept = copy.deepcopy(args)
    gradient = s2s.grad(fun, argnums=wrt)(*args)
    value, again = s2s.value_and_grad(fun, argnums=wrt)(*args)
    assert_same(value, want, "value of value_and_grad")
    assert_same(again, gradient, "gradients")
    assert_same(args, kept, "inputs")
    _, pull = s2s.vjp(fun, *args)
    bars = pull(np.asarray(want).dtype.type(1))
    for k, bar in zip(wrt, gradient, strict=True):
        for got, expected, of in zip(leaves(bar), leaves(bars[k]), leaves(args[k]), strict=True):
            if is_differentiable(of):
                assert np.asarray(got).dtype == np.asarray(of).dtype
                np.testing.assert_allclose(got, expected, rtol=1e-10 if not is_single(args) else 1e-4, atol=1e-10 if not is_single(args) else 1e-4)


@pytest.mark.parametrize("case", [case for case in SCALAR if not is_single(inputs(case.make))], ids=str)
def test_second_order(case):
    """Interpreted: forward over reverse equals the difference of gradients, and reverse over reverse."""
    fun, args, wrt = differentiated(case, inputs(case.make))
    wrt = tuple(k for k in wrt if all(is_differentiable(leaf) for leaf in leaves(args[k])))
    rng = np.random.default_rng(3)
    dots = direction(rng, args, wrt)

    def bars_of(gradient):
        return map_leaves(lambda leaf: random_like(rng, leaf), gradient)

    _, tangent, bars, back = stage_and_differentiate_twice(fun, args, dots, bars_of, wrt)
    expected = difference(lambda *args: stage_and_differentiate_twice(fun, args, dots, bars_of, wrt)[0], copy.deepcopy(args), dots, 1e-6)
    scale = max((float(np.max(np.abs(leaf), initial=0.0)) for leaf in expected), default=0.0) + 1e-3
    for a, b in zip(leaves(tangent), expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5 * scale)
    size = sum(float(np.sum(np.abs(np.asarray(a) * np.asarray(b)))) for a, b in pairs(bars, tangent))
    assert abs(inner(bars, tangent) - inner(back, dots)) <= 1e-11 * (size + 1e-30)


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_refused(case):
    """What can't be decided soundly is an error at the user's line that says what to write instead."""
    with pytest.raises(s2s.UnsupportedError) as caught:
        s2s.jit(case.fun)(*inputs(case.make))
    error = caught.value.errors[0] if isinstance(caught.value, s2s.UnsupportedErrors) else caught.value
    lines, first = inspect.getsourcelines(case.fun)
    assert error.where.file == inspect.getsourcefile(case.fun)
    assert first <= error.where.line < first + len(lines)
    assert error.instead
