"""NumPy name by name, parameter by parameter: what programs give now and then. Value, type, dtype, shape and exception are NumPy's, on both targets; derivatives agree with each other and with differences.

`ROWS` are expressions of the names in `ARGUMENTS`; a row with "; " has statements in front. `SMOOTH` are those of floats with a derivative.
"""
from __future__ import annotations

import copy
import inspect
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2s
from s2s.transforms.read.installed import NUMPY_2_5

RNG = np.random.default_rng(7)
A = RNG.normal(size=(4, 4))
ARGUMENTS: dict[str, Any] = {
    "x": RNG.normal(size=(3, 4)), "y": RNG.normal(size=(3, 4)), "v": RNG.normal(size=5), "w": RNG.normal(size=5), "i": np.array([2, 0, 1, 0]), "k": np.array([[1, 2, 3], [4, 0, 6]]),
    "s": 1.5, "n": 3, "m": RNG.random((3, 4)) > 0.4, "A": A, "S": A @ A.T + np.eye(4), "z": RNG.normal(size=(3, 4)) + 1j * RNG.normal(size=(3, 4)),
    "Z": RNG.normal(size=(4, 4)) + 1j * RNG.normal(size=(4, 4)), "u": RNG.integers(0, 2, (3, 4)).astype(np.uint8), "t": RNG.normal(size=(2, 3, 4)),
    "g": np.where(RNG.random((3, 5)) < 0.3, np.nan, RNG.normal(size=(3, 5))), "e": np.zeros((0, 3)), "h": RNG.uniform(0.5, 2.0, size=(3, 4)),
}  # fmt: skip
SMOOTH = """
np.emath.sqrt(x * x + 0.5)
np.block([[[x, x]], [[x, 2.0 * x]]])
np.reshape(x, (4, 3), order='F')
x.reshape(2, -1, order='F')
np.ravel(x, 'F')
x.flatten('F')
x.ravel(order='F')
np.trace(t, 1, 0, 2, dtype=np.float64)
np.clip(x, -0.5, 0.7, dtype=np.float64)
np.clip(x, 0, 1, where=m, out=np.zeros((3, 4)))
np.einsum('ij,kj->ik', x, y, dtype=np.float64)
np.einsum('ij->j', x, casting='safe', order='C')
np.linalg.pinv(S, hermitian=True)
np.linalg.matrix_power(A, -2)
np.linalg.matrix_power(A, n)
np.linalg.matrix_power(np.stack([A, S]), -1)
np.matmul(x.T, A, axes=[(1, 0), (0, 1), (0, 1)])
np.matmul(x, A, axes=[(0, 1), (0, 1), (1, 0)])
np.matvec(A, v[:4], axes=[(1, 0), 0, 0])
np.vecmat(v[:4], A, axes=[0, (1, 0), 0])
np.vecdot(x, y, axes=[0, 0, ()])
np.vecdot(x, y, axis=0, keepdims=True)
np.cov(x, y, rowvar=False, fweights=np.array([1, 2, 1]), aweights=np.array([1., 2, 1]))
np.cov(x, aweights=h[0])
np.cov(x, fweights=i)
np.corrcoef(x, dtype=np.float64)
np.polyfit(v, w, 2, full=True)[0]
np.poly(S)
np.cross(np.stack((v, w), -1), np.stack((w, v * v), -1))
np.cross(np.stack((v, w), -1), np.stack((w, v * v, v), -1))
np.cross(np.stack((v, w, v * w), 0), np.stack((w, v * v), 0), axis=0)
np.insert(v, slice(1, 3), w[:2])
np.insert(v, np.array([True, False, True, False, False]), w[0])
np.nanmean(g, axis=1, where=g > -0.5)
np.nanvar(g, axis=1, where=g > -1.0)
np.nanvar(g, axis=1, mean=np.nanmean(g, axis=1, keepdims=True), ddof=1)
np.nanstd(g, axis=1, correction=0)
np.nanmax(g, axis=1, initial=-0.5)
np.nanmin(g, axis=0, initial=0.3, where=g < 1.0)
np.nanquantile(g, 0.3, axis=1, method='hazen')
np.nanquantile(g, 0.3, axis=1, method='lower')
np.nanquantile(g, [0.2, 0.9], method='median_unbiased')
np.nanquantile(g, 0.3, axis=1, method='midpoint')
np.nanquantile(g, 0.5, axis=0, method='averaged_inverted_cdf')
np.nanpercentile(g, 40, axis=1, method='weibull')
np.nanpercentile(g, 40, axis=1, method='nearest')
np.quantile(x, 0.3, weights=h, method='inverted_cdf')
np.quantile(x, [0.3, 0.8], axis=1, weights=h[0], method='inverted_cdf', keepdims=True)
np.percentile(x, 30, axis=0, weights=h, method='inverted_cdf')
np.nanquantile(g, 0.4, axis=1, weights=np.ones((3, 5)), method='inverted_cdf')
np.nan_to_num(g, nan=v)
np.nan_to_num(g, copy=False)
np.interp(x, np.arange(4.), v[:4], left=-1, right=s)
np.modf(x, out=(np.empty((3, 4)), np.empty((3, 4))))[0]
np.divmod(x, h, out=(np.empty((3, 4)), None))[1]
np.add(x, y, signature='dd->d')
np.maximum(x, y, signature=(np.float64, None, None))
np.multiply.outer(v, w, dtype=np.float64)
np.atan2.outer(v, w)
np.median(x, axis=0, overwrite_input=True)
v[:1].item() * x
np.interp(x, np.arange(4.), h[0], left=0, right=9)
np.vander(v)
np.vander(v, n, increasing=True)
np.tril(v) + np.triu(w, 1)
np.polyfit(v, w, n)
np.unwrap(x * 5, axis=0, period=3.0)
np.vstack(x) + np.stack(x) + np.concatenate(t, axis=1)[:, :4]
np.hstack(t)
np.dstack(x)
np.column_stack(v)
np.concatenate(t, axis=None)
r = [x * a for a in range(n)]; return np.concatenate(r, axis=1)
r = [x * a for a in range(n)]; return np.dstack(r)
r = [x[0] * a for a in range(n)]; return np.column_stack(r)
r = [x[0, 0] * a for a in range(n)]; return np.vstack(r)
p = [0, 1]; return x[*p] + x[*p[:1], 2]
y = x.copy(); p = [0, 1]; y[*p] = 2.0; return y
x.flat[3]
x.flat[2:6]
x.flat[[1, 5]]
y = x.copy(); y.flat[::5] = w; return y
y = x.copy(); y.flat = w; return y
y = x.copy(); y.T.flat[1] = v[0]; return y
y = x.copy(); q = y.flat[2:6]; q[0] = 7.; return y, q
r = 0.0; return sum([a * a for a in x.flat[:]])
y = v.copy(); np.square.at(y, [0, 0, 1]); return y
y = v.copy(); np.sin.at(y, slice(0, 2)); return y
y = x.copy(); np.exp.at(y, (i[:3], i[1:])); return y
y = x.copy(); y.put([1, 2], w[:2]); return y
y = v.copy(); y.partition(2); return y[2]
y = t.copy(); np.fill_diagonal(y[:, :2, :2], w[:2]); return y
y = x.T.copy(); np.fill_diagonal(y, v[:3], wrap=True); return y
i.choose([v[:4], w[:4], v[1:]])
np.linalg.norm(e, 2) + x
np.linalg.norm(e, 1) + np.linalg.norm(e.T, 'nuc') + x
np.linalg.norm(x, 'nuc')
np.linalg.norm(t, -2, axis=(0, 2), keepdims=True)
np.linalg.norm(x, -1)
np.linalg.norm(v, np.inf)
np.linalg.cond(A, 1)
np.linalg.multi_dot([x, A, y.T], out=np.empty((3, 3)))
np.pad(x, ((0, 1), (2, 0)), mode='edge')
np.ndarray.sum(x, axis=0)
y = x.copy(); np.copyto(y, z, casting='unsafe'); return y
np.unique(x, axis=0)
np.abs(np.fft.fft(v, n=7, norm='ortho'))
np.linalg.svdvals(x)
np.linalg.vector_norm(t, axis=(0, 2), ord=3)
np.linalg.matrix_norm(t, ord='nuc')
"""
EXACT = """
np.unravel_index(k, (3, 4), order='F')
r = [v * a for a in range(n)]; return np.stack(r, dtype=np.float32, casting='unsafe')
r = [v * a for a in range(n)]; return np.concatenate(r, axis=1)
r = [v * a for a in range(n - 3)]; return np.dstack(r)
np.concatenate(v)
np.stack(t, axis=4)
np.take_along_axis(x, i[:3], 1)
np.zeros(n, device='cpu'), np.linspace(0, 1, num=n, device='cpu'), np.ones_like(x, device=None), np.full(n, s, device='cpu')
np.zeros(n, device='gpu')
np.mask_indices(n, np.tril, 1)
np.mask_indices(3, lambda a, b: a * 0)
np.set_printoptions(precision=8); return x
np.isin(2, k)
v[:2].item()
np.unwrap(k * 3, period=5)
np.unwrap(k * 3, period=4, discont=3)
np.unwrap(k)
np.tril(i, -1)
np.vander(x, 2)
y = np.vstack(x); y[0, 0] = 9.; return x, y
np.ravel_multi_index((i, i), (3, 4), mode='wrap', order='F')
np.ravel_multi_index((i, i), (3, 4), mode=('wrap', 'clip'), order='F')
np.lexsort(x)
np.lexsort(k, axis=0)
np.lexsort(t)
np.indices((2, 3), sparse=True)
np.indices((2, n), dtype=float, sparse=True)
np.array_equal(g, g, equal_nan=True)
np.array_equal(g, g + 0)
np.array_equal(x, z, equal_nan=True)
np.linalg.matrix_rank(A, hermitian=True)
np.linalg.matrix_rank(S, rtol=.1, hermitian=True)
np.linalg.cond(v)
np.linalg.norm(x, 3)
np.linalg.norm(v, 'fro')
np.linalg.norm(e, -1)
np.unique(u, axis=0)
np.unique(u, axis=1, return_index=True, return_inverse=True, return_counts=True)
np.unique(g, axis=0)
np.unique(u, axis=2)
np.histogram(v, bins='auto')
np.histogram(v, bins='sturges')
np.histogram(x, bins='fd')
np.histogram(x, bins='stone')
np.histogram(x, bins='no')
np.histogram(x, bins='rice', weights=y)
np.histogram(x, bins='sqrt', range=(-1, 1))
np.histogram_bin_edges(x, bins='doane')
np.histogram_bin_edges(k, bins='scott')
np.histogram(v, 3, weights=w + 1j)
np.polyfit(v, w, 2, full=True)[1:]
np.trim_zeros(u)
np.trim_zeros(u, axis=0)
np.trim_zeros(u * 0, 'f')
np.trim_zeros(u, 'b', axis=(0, 1))
np.cov(x, dtype=np.float32)
np.cov(x, fweights=h[0])
np.cov(x, aweights=-h[0])
np.corrcoef(x, dtype=np.float32)
np.clip(x, 0, 1, out=np.empty((3, 4), np.float32), casting='same_kind')
np.clip(k, 1, 3, dtype=np.int32)
np.clip(x, 0, 1, dtype=np.float32)
np.clip(x, 0, 1, dtype=int)
np.einsum('ij->i', x, dtype=np.float32, casting='same_kind')
np.einsum('ij->i', x, dtype=np.float32)
np.trace(k[:, :2], dtype=np.int32)
np.nan_to_num(z, nan=1.0)
np.partition(x, 1, kind='other')
np.sort(x, order='a')
np.divmod(k, 2, out=(np.empty((2, 3)), np.empty((2, 3), int)))
np.frexp(x, np.empty((3, 4)), np.empty((3, 4), np.int32))
np.modf(x, out=(np.empty((3, 4), int), None))
np.add(x, y, sig='ff->f', casting='same_kind')
np.add(x, y, signature='ff->f', casting='safe')
np.gcd(k, 4, dtype=np.int32, casting='same_kind')
np.gcd.reduce(i)
np.lcm.reduce(k + 1, axis=1)
np.gcd.accumulate(i)
np.gcd.outer(i, i)
np.lcm.outer(i, i[:2])
np.gcd.reduceat(i, [0, 2])
np.nextafter.outer(v, w)
np.nextafter.reduce(x)
np.ldexp.outer(v, i)
np.divmod.outer(v, w)
np.less.reduce(m)
np.less.reduce(x)
np.equal.reduce(m, axis=1)
np.equal.reduceat(m, [0, 2])
np.equal.accumulate(m)
np.not_equal.reduce(m, axis=1, keepdims=True)
np.greater_equal.accumulate(m, axis=1)
np.less_equal.reduce(k, dtype=bool)
np.divmod.reduce(x)
np.matmul.reduce(x)
np.vecdot.outer(x, y)
np.sin.reduce(x)
y = i.copy(); np.invert.at(y, [0, 0, 1]); return y
y = v.copy(); np.isnan.at(y, [0]); return y
y = i.copy(); np.sqrt.at(y, [0]); return y
z.view(float)[:, ::2]
y = v.copy(); np.equal.at(y, [0], 1.0); return y
y = i.copy(); np.gcd.at(y, [0], 4); return y
y = v.copy(); np.ldexp.at(y, [0, 1], 2); return y
y = v.copy(); np.divmod.at(y, [0], 4.0); return y
y = m.copy(); np.logical_not.at(y, 0); return y
x.view(np.int64)
x.view('f4')
z.view(float)
x.view(complex)
u.view(np.int8)
k.view('i2')
x[0, 0].view(np.int64)
y = x.copy(); y.view()[0] = 1.; return y
v.argpartition(2)[2]
i.choose([v[:4], w[:4], v[1:]], mode='wrap')
x.device
x.to_device('cpu')
x.to_device('gpu')
x.flat[-1]
x.flat[100] + s
len(x.flat)
list(x.flat)
np.sum(x.flat)
np.matmul(t, A, axis=0)
np.matmul(x, A, keepdims=True)
np.matvec(A, v[:4], axis=0)
w = np.asarray(s); r = np.asarray(w * 2.0); r[w > 0] = 5.0 * w[w > 0]; r[...] = r * w; return r, w[w < 0]
w = np.asarray(-s); r = np.zeros_like(w); r[w > 0] = np.sqrt(w[w > 0]); return r
y = v.copy(); y[s > 0] += w; y[True] *= 2.0; y[False, ...] = 7.0; return y, y[s < 0].shape, x[True, ...], np.float64(s)[s > 0]
v + range(5), range(5) * v, v[:2] @ range(2)
np.lib.stride_tricks.as_strided(v, (2, 2), (8, 8))
np.lib.stride_tricks.as_strided(x, (2, 3, 2, 2), x.strides * 2)
p = np.pad(x, 1); return np.lib.stride_tricks.as_strided(p, (3, 4, 3, 3), p.strides + p.strides).sum((2, 3))
w = x * 2.0; return np.lib.stride_tricks.as_strided(w, (3, 2), w.strides), w.strides
x[1:, ::2].T.strides, z.imag.strides, t[:, 1].strides, x.reshape(4, 3).strides
np.ravel(x, 'K'), x.T.ravel('K'), t.transpose(2, 0, 1).flatten('K'), x[::-1, ::2].ravel('K')
(x.T + 1.0).ravel('K'), np.zeros((2, 3), order='F').strides, np.copy(x.T).strides, x.copy('F').ravel('K')
x.flatten('A'), x.T.ravel('A'), t.T.reshape(6, 4, order='A'), np.reshape(x, (4, 3), 'A'), np.ravel([[1.0, 2.0], [3.0, 4.0]], order='K')
y = x.copy(); r = y.T.ravel('K'); r[1] = 5.0; return y
f = x.flags; return f.c_contiguous, f['F'], f.forc, f.fnc, f['CONTIGUOUS'], x.T.flags['F_CONTIGUOUS'], x.T.flags.c_contiguous, x[:, :2].flags.contiguous
x[::2].flags['C_CONTIGUOUS'], (x + 1.0).flags['C'], x[:0].flags.c_contiguous, v[::2].flags.forc, v.flags.f_contiguous, x[:1].flags['F'], x[:, :1].flags['C']
w = x if x.flags['C_CONTIGUOUS'] else np.ascontiguousarray(x); return w * 2.0
y = np.require(x, float, ['W', 'C']) * 2.0; np.require(y, requirements='W')[0] = 1.0; return y
"""
"""What has no derivative, or is an error."""
REFUSED = """
np.require(x, float, ['O'])
np.sin(x, where=m)
x.view([('a', float), ('b', float)])
x.view(dtype=[('a', x.dtype), ('b', x.dtype)])
x.astype([('a', float)])
np.zeros(3, dtype=[('a', float)])
np.array([(1.0, 2)], np.dtype([('a', float), ('b', int)]))
x.astype('datetime64[D]')
x.flags
x.flags.writeable
x.flags['OWNDATA']
str(x.flags)
x.setflags(write=False); return x
x.flags.writeable = False; return x
x.flags['WRITEABLE'] = False; return x
x.tobytes()
np.nditer(x)
np.set_printoptions(precision=8); print(x); return x
np.char.add('a', 'b')
np.seterr(all='raise'); return x
"""


def _rows(text: str) -> list[str]:
    """The lines, without those of which NumPy has become stricter: products of vectors in a plane (`test_composed` has them)."""
    return [line for line in text.splitlines() if line and not (NUMPY_2_5 and line.startswith("np.cross(np.stack("))]


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Callable[..., Any]]:
    """The function of each row; its parameters are the names that stand in it."""
    lines = ["import numpy as np", ""]
    rows = [*_rows(SMOOTH), *_rows(EXACT), *_rows(REFUSED)]
    for number, row in enumerate(rows):
        *before, last = row.split("; ")
        bare = re.sub(r"'[^']*'|\.\w+|\w+=(?!=)", " ", row)
        names = [name for name in ARGUMENTS if re.search(rf"\b{name}\b", bare) and not (name == "y" and "y = " in row)]
        lines += [f"def f{number}({', '.join(names)}):", *(f"    {each}" for each in before), f"    {last if last.startswith('return') else f'return {last}'}", ""]
    path: Path = tmp_path_factory.mktemp("walk") / "rows.py"
    path.write_text("\n".join(lines), encoding="utf-8")
    own: dict[str, Any] = {"__name__": "rows"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), own)
    return {row: own[f"f{number}"] for number, row in enumerate(rows)}


def arguments(function: Callable[..., Any]) -> list[Any]:
    return [copy.deepcopy(ARGUMENTS[name]) for name in inspect.signature(function).parameters]


def outcome(function: Callable[..., Any], args: list[Any]) -> Any:
    """The result, or the exception."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*args)
        except Exception as error:  # noqa: BLE001 (compared)
            return error


def same(got: Any, want: Any) -> None:
    """Equal in type, dtype, shape and value; of exceptions in class."""
    if isinstance(want, Exception):
        assert isinstance(got, Exception), f"{got!r} instead of {want!r}"
        assert isinstance(got, type(want).__mro__[-3] if isinstance(want, TypeError) else type(want)), f"{got!r} instead of {want!r}"
        return
    assert not isinstance(got, Exception), got
    if isinstance(want, tuple | list):
        assert len(got) == len(want)
        for one, other in zip(got, want, strict=True):
            same(one, other)
        return
    assert type(got) is type(want), f"{type(got)} instead of {type(want)}"
    if isinstance(want, np.ndarray | np.generic):
        assert got.dtype == want.dtype
        assert got.shape == want.shape
        np.testing.assert_allclose(got, want, rtol=2e-5 if want.dtype in (np.float32, np.complex64) else 1e-9, atol=1e-11)
    else:
        assert got == want


@pytest.mark.parametrize("row", [*_rows(SMOOTH), *_rows(EXACT)])
def test_row(functions: dict[str, Callable[..., Any]], row: str) -> None:
    function = functions[row]
    want = outcome(function, arguments(function))
    same(outcome(s2s.jit(function, target="numpy"), arguments(function)), want)


@pytest.mark.slow
@pytest.mark.parametrize("row", [*_rows(SMOOTH), *_rows(EXACT)])
def test_row_compiled(functions: dict[str, Callable[..., Any]], row: str) -> None:
    function = functions[row]
    same(outcome(s2s.jit(function), arguments(function)), outcome(function, arguments(function)))


@pytest.mark.parametrize("row", _rows(SMOOTH))
def test_derivatives(functions: dict[str, Callable[..., Any]], row: str) -> None:
    function = functions[row]
    args = arguments(function)
    places = [k for k, arg in enumerate(args) if isinstance(arg, np.ndarray) and arg.dtype == np.float64 and arg.size]

    def weighed(*floats):
        given = list(args)
        for place, each in zip(places, floats, strict=True):
            given[place] = each
        found = function(*given)
        total = 0.0
        for each in found if isinstance(found, tuple | list) else (found,):
            total = total + np.sum(np.where(np.isnan(each), 0.0, each) * np.cos(np.arange(np.size(each)).reshape(np.shape(each))))
        return total

    primals = tuple(args[place] for place in places)
    direction = tuple(np.where(np.isnan(each), 0.0, np.cos(np.arange(each.size).reshape(each.shape) + 0.3)) for each in primals)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _, forward = s2s.jit(lambda p, d: s2s.jvp(weighed, p, d), target="numpy")(primals, direction)
        reverse = s2s.jit(s2s.grad(weighed, argnums=tuple(range(len(primals)))), target="numpy")(*primals)
        step = 1e-6
        moved = [weighed(*(np.array(each + sign * step * way) for each, way in zip(primals, direction, strict=True))) for sign in (1, -1)]
    along = sum(np.sum(np.where(np.isnan(bar), 0.0, bar) * way) for bar, way in zip(reverse, direction, strict=True))
    np.testing.assert_allclose(along, forward, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(forward, (moved[0] - moved[1]) / (2 * step), rtol=2e-5, atol=1e-7)


@pytest.mark.parametrize("row", _rows(REFUSED))
def test_refused(functions: dict[str, Callable[..., Any]], row: str) -> None:
    function = functions[row]
    with pytest.raises(s2s.errors.UnsupportedError, match=r"rows\.py:\d+") as caught:
        s2s.jit(function, target="numpy")(*arguments(function))
    assert caught.value.instead
