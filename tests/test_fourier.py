"""numpy.fft and scipy.fft: NumPy's and SciPy's numbers, dtypes and exceptions for all lengths, axes and norms; derivatives of all orders; batches; compiled."""
from __future__ import annotations

import inspect
import re

import numpy as np
import pytest
import scipy.fft

import s2s
from s2s.transforms.read.composed.cosines import COSINES
from s2s.transforms.read.composed.fourier import FOURIER as TRANSFORMS
from s2s.transforms.read.names import resolved

FOURIER = {**TRANSFORMS, **COSINES}
RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(3, 4, 5)), RNG.normal(size=(3, 4, 5))
Z = X + 1j * Y
NORMS = (None, "backward", "ortho", "forward")
ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
SEVERAL = ("fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2")
TRIGONOMETRIC = ("dct", "idct", "dst", "idst")
REAL = ("rfft", "ihfft", "rfftn", "rfft2", "ihfft2", "ihfftn", *TRIGONOMETRIC)


def operand(name, dtype=None):
    return (X if name in REAL else Z).astype(dtype or (np.float64 if name in REAL else np.complex128))


def cases():
    for space in ("numpy.fft", "scipy.fft"):
        for name in ONE:
            x = operand(name)
            for number, (n, axis) in enumerate(((None, -1), (4, 0), (7, 1), (3, 2), (1, -1))):
                yield f"{space}.{name}", (x, n, axis, NORMS[number % 4])
        for name in (*SEVERAL, *(("hfft2", "ihfft2", "hfftn", "ihfftn") if space == "scipy.fft" else ())):
            yield f"{space}.{name}", (operand(name),)
            yield f"{space}.{name}", (operand(name), (3, 6), (0, 2), "ortho")
        for name in ("fft", "rfft"):
            yield f"{space}.{name}", (np.arange(6),)
            yield f"{space}.{name}", (X.astype(np.float32), None, 1)
        yield f"{space}.irfft", (Z.astype(np.complex64), 5)
        yield f"{space}.fftn", (X, None, (1,), "forward")
    for name in TRIGONOMETRIC:
        for type_ in (1, 2, 3, 4):
            for number, (n, axis) in enumerate(((None, -1), (4, 0), (7, 1), (2, -1))):
                yield f"scipy.fft.{name}", (X, type_, n, axis, NORMS[(number + type_) % 4])
            yield f"scipy.fft.{name}", (X, type_, None, 0, "ortho", False, None, False)
            yield f"scipy.fft.{name}", (X, type_, 5, -1, None, False, None, True)
            yield f"scipy.fft.{name}n", (X, type_, (3, 6), (0, 2), NORMS[type_ % 4])
            for n in (40, 53):  # longer than a table of turns
                yield f"scipy.fft.{name}", (X, type_, n, 1)
        yield f"scipy.fft.{name}", (X, 4, 1, -1, "ortho")
        yield f"scipy.fft.{name}n", (np.arange(6).reshape(2, 3),)
        yield f"scipy.fft.{name}", (X.astype(np.float32), 2, None, 1, "ortho")
    for space in ("numpy.fft", "scipy.fft"):
        for name in ("fftfreq", "rfftfreq"):
            for n in (1, 4, 5):
                yield f"{space}.{name}", (n, 0.5)
        for name in ("fftshift", "ifftshift"):
            for axes in (None, 1, (0, 2)):
                yield f"{space}.{name}", (X, axes)


    yield from ((f"scipy.fft.{name}", (n, real)) for name in ("next_fast_len", "prev_fast_len") for n in (7, 97) for real in (False, True))


EACH = list(cases())


def same(found, wanted):
    found, wanted = (np.asarray(each) for each in (found, wanted))
    assert found.dtype == wanted.dtype
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-12 if wanted.dtype in (np.float64, np.complex128) else 1e-4, atol=1e-14 if wanted.dtype in (np.float64, np.complex128) else 3e-6)


def test_every_function_is_tested():
    assert {name for name, _ in EACH} == {*FOURIER}


@pytest.mark.parametrize("name", FOURIER)
def test_signatures_are_the_library_s(name):
    own, library = (list(inspect.signature(function).parameters.values()) for function in (FOURIER[name], resolved(name)))
    assert [(each.name, each.kind, each.default) for each in own] == [(each.name, each.kind, each.default) for each in library]


def test_called_as_they_stand():
    for name, args in EACH:
        same(FOURIER[name](*args), resolved(name)(*args))


@pytest.mark.parametrize("name", FOURIER)
def test_read(name):
    function = resolved(name)
    for args in [args for other, args in EACH if other == name]:
        known = tuple(k for k, arg in enumerate(args) if not isinstance(arg, np.ndarray))
        count = len(args)
        f = s2s.jit(lambda a, b=None, c=None, d=None, e=None, o=None, w=None, g=None: function(*(a, b, c, d, e, o, w, g)[:count]), static_argnums=known, target="numpy")
        same(f(*args), function(*args))


def test_lengths_that_only_the_run_knows():
    def f(x, c, n):
        return np.fft.fft(x, n), np.fft.rfft(x, n), np.fft.irfft(c, n), np.fft.irfft(c), np.fft.fftfreq(n), np.fft.rfftfreq(n, 0.1)

    g = s2s.jit(f, target="numpy")
    for n in (1, 2, 5, 8, 9):
        for found, wanted in zip(g(X[0, 0], Z[0], n), f(X[0, 0], Z[0], n), strict=True):
            same(found, wanted)


def test_compiled():
    def f(x, z, x32, z32):
        one = np.fft.fft(z), np.fft.ifft(z, axis=0), np.fft.rfft(x, axis=1), np.fft.irfft(z, 8, axis=1), np.fft.irfft(z, 7, norm="ortho")
        return (*one, np.fft.fft2(z), np.fft.irfftn(np.fft.rfftn(x)), np.fft.fft(z32, norm="forward"), np.fft.rfft(x32), np.fft.irfft(z32), np.fft.rfft(x[::-1, 0].T, norm="ortho"))

    g = s2s.jit(f)
    for n in (5, 1, 6, 0):
        x, z = RNG.normal(size=(n, 4, 6)), RNG.normal(size=(n, 4, 6)) + 1j
        args = x, z, x.astype(np.float32), z.astype(np.complex64)
        if n == 0:
            with pytest.raises(ValueError, match="Invalid number of FFT data points"):
                g(*args)
            continue
        for found, wanted in zip(g(*args), f(*args), strict=True):
            assert found.dtype == wanted.dtype
            np.testing.assert_allclose(found, wanted, rtol=0, atol=0 if found.dtype in (np.float64, np.complex128) else 3e-6)  # NumPy's own loops


def test_every_length_compiled():
    """The scale lay in memory that was given back before the transform read it: wrong by a factor where its plan took that memory."""
    transforms = s2s.jit(lambda x: (np.fft.rfft(x), np.fft.fft(x + 1j), np.fft.irfft(x, 2 * len(x) - 1)))
    for n in range(1, 41):
        x = RNG.normal(size=n)
        for found, wanted in zip(transforms(x), (np.fft.rfft(x), np.fft.fft(x + 1j), np.fft.irfft(x, 2 * n - 1)), strict=True):
            np.testing.assert_array_equal(found, wanted)


def energy(c):
    return np.sum(np.abs(c) ** 2 * (1.0 + np.arange(c.size).reshape(c.shape))) + np.sum(np.real(c)) ** 3


@pytest.mark.parametrize(
    "f",
    [
        lambda x: energy(np.fft.rfft(x)), lambda x: energy(np.fft.rfft(x, 5, norm="ortho")), lambda x: energy(np.fft.fft(x, axis=0)), lambda x: energy(np.fft.ifft(x * (1 + 2j))),
        lambda x: np.sum(np.fft.irfft(x * (1 + 2j)) ** 3), lambda x: np.sum(np.fft.irfft(x * (2 - 1j), 5) ** 3), lambda x: np.sum(np.fft.irfftn(np.fft.rfftn(x) ** 2) ** 2),
        lambda x: np.sum(scipy.fft.dct(x, norm="ortho") ** 3), lambda x: np.sum(scipy.fft.idct(x) ** 3), lambda x: np.sum(np.fft.hfft(x * (1 + 1j)) ** 3),
        *(lambda x, function=function, kind=kind: np.sum(function(x, kind, norm="ortho") ** 3) for function in (scipy.fft.dct, scipy.fft.idst, scipy.fft.dstn) for kind in (1, 4)),
    ],
)  # fmt: skip
def test_derivatives(f):
    s2s.check_grads(s2s.jit(f, target="numpy"), (X[0, :2, :4],), order=2, modes=("fwd", "rev"))


def test_gradients_by_complex_numbers_and_compiled():
    def f(z):
        return np.sum(np.abs(np.fft.fft(z)) ** 4)

    found = s2s.grad(f)(Z[0, 0])
    step = 1e-6
    for k in range(5):
        unit = step * np.eye(5)[k]
        wanted = (f(Z[0, 0] + unit) - f(Z[0, 0] - unit) - 1j * (f(Z[0, 0] + 1j * unit) - f(Z[0, 0] - 1j * unit))) / (2 * step)
        np.testing.assert_allclose(found[k], wanted, rtol=1e-6)


def test_batches():
    def f(x):
        return np.abs(np.fft.irfft(np.fft.rfft(x) * 2.0, 5)) + np.real(np.fft.fft(x, axis=0))

    same(s2s.vmap(s2s.jit(f, target="numpy"))(X), np.stack([f(x) for x in X]))
    jacobian = s2s.jacrev(s2s.jit(lambda x: np.fft.irfft(np.fft.rfft(x), 5), target="numpy"))(X[0, 0])
    np.testing.assert_allclose(jacobian, np.eye(5), atol=1e-15)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.fft.fft(x, 0), lambda x: np.fft.fft(x, norm="no"), lambda x: np.fft.irfft(x[:, :1]), lambda x: np.fft.fft(x[:0], axis=0),
        lambda x: np.fft.fftn(x, (2, 2), (0,)), lambda x: np.fft.fft(x, axis=3),
    ],
)
def test_exceptions(f):
    x = Z[0]
    with pytest.raises(Exception) as wanted:  # noqa: PT011 - which one, NumPy says
        f(x)
    with pytest.raises(type(wanted.value)) as found:
        s2s.jit(f, target="numpy")(x)
    assert str(found.value).splitlines()[0] == str(wanted.value).splitlines()[0]


@pytest.mark.parametrize("call", [
    lambda x, k: np.fft.ifft(x, axis=k), lambda x, k: np.fft.fftn(x, axes=(k,)), lambda x, k: scipy.fft.dctn(x, axes=(k,)),
])  # fmt: skip
def test_what_must_be_known_is_refused_where_only_the_run_knows_it(call):
    with pytest.raises(s2s.errors.UnsupportedError, match="known only at run time") as caught:
        s2s.jit(lambda x, y: call(x, int(y)), target="numpy")(X, 1.0)
    assert caught.value.where.file == __file__


def test_a_norm_is_no_number():
    with pytest.raises(ValueError, match="Invalid norm value 1; should be"):
        s2s.jit(lambda x, y: np.fft.fft(x, norm=int(y)), target="numpy")(X, 1.0)


def test_a_type_that_only_the_run_knows():
    found = s2s.jit(lambda x, kind: scipy.fft.dct(x, type=kind), target="numpy")
    for kind in (1, 2, 3, 4):
        np.testing.assert_allclose(found(X[0], kind), scipy.fft.dct(X[0], type=kind), atol=1e-13)
    with pytest.raises(ValueError, match="invalid DCT type"):
        found(X[0], 5)


@pytest.mark.parametrize("shift", [np.fft.fftshift, np.fft.ifftshift])
def test_a_shift_over_no_axes_is_a_copy(shift):
    x = np.arange(4.0)
    found = s2s.jit(lambda x: shift(x, ()), target="numpy")(x)
    np.testing.assert_array_equal(found, shift(x, ()))
    assert not np.shares_memory(found, x)
    for fun in (shift, s2s.jit(lambda x: shift(x), target="numpy")):
        with pytest.raises(ValueError, match="not enough values"):
            fun(np.array(2.0))


@pytest.mark.parametrize("name", ["dct", "idct", "dst", "idst"])
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_cosines_and_sines_of_complex_numbers(name, kind):
    function, several = getattr(scipy.fft, name), getattr(scipy.fft, f"{name}n")
    for z in (Z[0], Z[0].astype(np.complex64)):
        found, wanted = s2s.jit(lambda z: (function(z, kind, norm="ortho"), several(z, kind)), target="numpy")(z), (function(z, kind, norm="ortho"), several(z, kind))
        for one, other in zip(found, wanted, strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_allclose(one, other, rtol=0, atol=1e-12 if z.dtype == np.complex128 else 1e-4)
    s2s.check_grads(s2s.jit(lambda x: np.sum(np.abs(function(x * (1 + 2j), kind)) ** 2), target="numpy"), (X[0, 0],), order=1)


@pytest.mark.parametrize("name", ["hfft2", "ihfft2", "hfftn", "ihfftn", "fftn", "rfftn"])
@pytest.mark.parametrize("options", [{}, {"norm": "ortho"}, {"s": (3, 4), "norm": "forward"}, {"axes": -1}, {"s": 3, "axes": 0}], ids=str)
def test_scipys_transforms_along_several_axes(name, options):
    function = getattr(scipy.fft, name)
    x = X[0] if name[:2] == "ih" or name == "rfftn" else Z[0]
    same(s2s.jit(lambda x: function(x, **options), target="numpy")(x), function(x, **options))


def test_fast_lengths():
    def f(x, n):
        return scipy.fft.next_fast_len(n), scipy.fft.next_fast_len(n, real=True), scipy.fft.prev_fast_len(n), scipy.fft.prev_fast_len(n, True), scipy.fft.rfft(x, scipy.fft.next_fast_len(len(x) + n))

    for target in ("numpy", "cpu"):
        g = s2s.jit(f, target=target)
        for n in (0, 1, 7, 13, 1021, 4097):
            found, wanted = g(X[0, 0], n), f(X[0, 0], n)
            assert found[:4] == wanted[:4]
            same(found[4], wanted[4])
    with pytest.raises(ValueError, match="Target length must be positive"):
        g(X[0, 0], -1)


@pytest.mark.parametrize("shape", [(2, 1), (1, 1), (3, 1), (1, 3), (1, 2)])
def test_inverses_of_one_number(shape):
    """Along a last axis of length 1 SciPy's irfftn gives one number, where its irfft raises."""
    import scipy.fft

    x = np.arange(1.0, 1.0 + np.prod(shape)).reshape(shape)
    for axes in (-1, None, (0,), (0, 1), (1, 0)):
        np.testing.assert_allclose(s2s.jit(lambda x, axes=axes: scipy.fft.irfftn(x, axes=axes), target="numpy")(x), scipy.fft.irfftn(x, axes=axes), atol=1e-15)
    for function in (scipy.fft.irfft2, scipy.fft.hfftn, scipy.fft.hfft2):
        np.testing.assert_allclose(s2s.jit(lambda x, function=function: function(x), target="numpy")(x), function(x), atol=1e-15)


@pytest.mark.parametrize("transform", [scipy.fft.fftn, scipy.fft.dctn, np.fft.ifftn, np.fft.fftshift], ids=lambda each: f"{each.__module__}.{each.__name__}")
def test_axes_that_are_a_range_or_an_array(transform):
    a = np.arange(12.0).reshape(3, 4)

    def both(a):
        return transform(a, axes=range(2)), transform(a, axes=np.array([1]))

    for found, wanted in zip(s2s.jit(both, target="numpy")(a), both(a), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_lengths_that_are_an_array(target):
    a = np.arange(12.0).reshape(3, 4)

    def several(a):
        ours = scipy.fft.dctn(a, s=np.array([2, 3]), axes=np.array([0, 1])), scipy.fft.dctn(a, s=np.array([-1, 2])), scipy.fft.idstn(a, s=np.array([2, -1])), scipy.fft.dstn(a, s=np.array([5, 3])), scipy.fft.idctn(a, s=np.array([2]), axes=[-2])
        return *ours, scipy.fft.idstn(a, s=[2, 3], axes=np.array([1, 0]))

    for found, wanted in zip(s2s.jit(several, target=target)(a), several(a), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize("n", [7, 8])
def test_cosines_and_sines_of_short_floats_are_float32(n, kind):
    x = np.arange(n).astype(np.float16)
    for function in (scipy.fft.dct, scipy.fft.idct, scipy.fft.dst, scipy.fft.idst):
        for norm in (None, "ortho"):
            found, wanted = s2s.jit(lambda x, function=function, norm=norm: function(x, kind, norm=norm), target="numpy")(x), function(x, kind, norm=norm)
            np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
            assert found.dtype == wanted.dtype == np.float32


def test_cosines_of_complex_numbers_do_not_hear_of_orthogonalize():
    z = np.arange(12.0).reshape(3, 4) ** 0.5 + 1j
    for orthogonalize in (True, False, None):
        for call in (lambda x, o=orthogonalize: scipy.fft.dct(x, norm="ortho", orthogonalize=o), lambda x, o=orthogonalize: scipy.fft.idstn(x, 3, norm="ortho", orthogonalize=o)):
            np.testing.assert_allclose(s2s.jit(call, target="numpy")(z), call(z), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("options", [
    {"axes": (1, 1)}, {"axes": (2, 0, 2)}, {"s": (6, 4), "axes": (1, 1)}, {"s": (-1, 3), "axes": (0, 1)}, {"s": (2, -1), "axes": (2, 0)}, {"s": (2, 7), "axes": (-1, -2), "norm": "ortho"},
    {"axes": ()}, {"s": (), "axes": ()}, {"s": (3, 0), "axes": (0, 1)}, {"axes": (0, 5)},
], ids=str)  # fmt: skip
@pytest.mark.parametrize("function", [np.fft.fftn, np.fft.rfftn, np.fft.irfftn, scipy.fft.fftn, scipy.fft.irfftn, scipy.fft.dctn, scipy.fft.idstn], ids=lambda each: f"{each.__module__}.{each.__name__}")
def test_lengths_and_axes(function, options):
    x = np.random.default_rng(3).normal(size=(3, 4, 5))

    def transformed(x):
        return function(x, **options)

    try:
        wanted = transformed(x)
    except (ValueError, IndexError) as error:
        with pytest.raises((ValueError, IndexError), match=re.escape(str(error).removeprefix("tuple ").removeprefix("list "))):
            s2s.jit(transformed, target="numpy")(x)
        return
    found = s2s.jit(transformed, target="numpy")(x)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, atol=1e-13)
    dot = np.random.default_rng(4).normal(size=x.shape)
    np.testing.assert_allclose(s2s.jvp(transformed, (x,), (dot,))[1], transformed(dot), atol=1e-13)  # linear
    weights = np.random.default_rng(5).normal(size=wanted.shape)
    gradient = s2s.grad(lambda x: np.sum(weights * np.real(transformed(x))))(x)
    np.testing.assert_allclose(np.sum(gradient * dot), np.sum(weights * np.real(transformed(dot))), rtol=1e-11)
