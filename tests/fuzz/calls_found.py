"""Calls in which the fuzzer once found a fault, made small: the function's text and its arguments. They stay as in NumPy."""
from __future__ import annotations

FOUND = (
    # diagonals whose number is known at run time, of matrices that are not square, and beyond their corners
    ("return np.diagonal(x0, x1)", "np.ones((2, 3)), 1"), ("return np.diagonal(x0, x1)", "np.ones((2, 3)), -1"),
    ("return np.diagonal(x0, x1)", "np.ones((2, 3)), 7"), ("return np.diag(x0, x1)", "np.arange(6.0).reshape(2, 3), -2"),
    ("return np.diag(x0, k=x1)", "np.arange(3.0), 2"), ("return np.diag(x0, k=x1)", "np.arange(3.0), -1"),
    ("return np.trace(x0, x1)", "np.arange(6.0).reshape(3, 2), -2"), ("return x0.diagonal(x1)", "np.arange(6.0).reshape(3, 2), -5"),
    ("return np.diagonal(x0, 0, 1, 1)", "np.ones((2, 3))"),
    # bins that fall, points that don't rise, nan
    ("return np.digitize(x0, x1)", "np.array([0.5, 2.0, 3.0]), np.array([3.0, 2.0, 1.0])"),
    ("return np.digitize(x0, x1, right=True)", "np.array([0.5, 2.0, 3.0]), np.array([3.0, 2.0, 1.0])"),
    ("return np.digitize(x0, x1)", "np.array([0.5]), np.array([3.0, 4.0, 1.0])"), ("return np.digitize(x0, [2, 1, 0])", "np.array([0.5, 1.0])"),
    ("return np.digitize(x0, [0, 2, 1])", "np.array([0.5, 1.0])"),
    ("return np.searchsorted(x0, x1)", "np.array([3.0, 1.0, 2.0, 2.0, 0.0]), np.array([2.0, 0.5, 2.0, np.nan])"),
    ("return np.searchsorted(x0, x1, 'right')", "np.array([1.0, 2.0, np.nan, np.nan]), np.array([np.nan, 2.0])"),
    ("return np.searchsorted(x0, x1, sorter=x2)", "np.array([3.0, 1.0, 2.0]), 2.5, np.array([1, 2, 0])"),
    ("return np.searchsorted(x0, x1, side='middle')", "np.arange(3.0), 1.0"), ("return np.searchsorted(x0, 1.0)", "np.ones((2, 2))"),
    ("return np.interp(x0, x1, x2)", "1.5, np.array([1.0, 2.0]), np.array([1.0, 2.0, 3.0])"),
    ("return np.interp(x0, x1, x2)", "1.5, np.zeros(0), np.zeros(0)"),
    ("return np.lexsort((x0, x1))", "np.array([3.0, 1.0, 2.0, 0.0]), np.array([1, 0, 1, 0])"),
    ("return np.lexsort([x0])", "np.array([3.0, 1.0, 2.0, 0.0])"),
    ("return np.tile(x0, (3, 1, x1, x2))", "np.arange(6.0).reshape(3, 2), 2, 2"), ("return np.tile(x0, (2, 1, 3, 2, 2))", "np.arange(3.0)"),
    ("return np.compress(x0, x1)", "np.array([True, False, True]), np.ones((2, 3))"), ("return x0.compress(condition=x1)", "np.ones(2), np.array([True])"),
    ("return np.compress(x0, x1, axis=1)", "np.array([True, False, True]), np.ones((2, 2))"),
    ("return np.hstack([x0, x1], dtype=bool)", "np.ones(2), np.ones(2)"), ("return np.concatenate([x0, x1], casting='no')", "np.ones(2), np.ones(2, np.float32)"),
    # views of an argument that is given by its name
    ("y = np.squeeze(a=x0)\n    y[...] = 7\n    return y, x0", "np.arange(3.0)"), ("y = np.flipud(m=x0)\n    y[...] = 7\n    return y, x0", "np.ones((2, 3))"),
    ("y = np.ravel(a=x0)\n    y[...] = 7\n    return y, x0", "np.ones((2, 3))"), ("np.copyto(dst=x0, src=x1)\n    return x0", "np.zeros(3), 2.0"),
    ("np.fill_diagonal(a=x0, val=2.0)\n    return x0", "np.zeros((3, 3))"),
    # who sees a store: views of each argument, arrays given back as they are, copies in another layout
    ("y, z = np.atleast_1d(x0, x1)\n    y[...] = 7\n    return y, z, x0", "np.arange(3.0), 2.0"), ("y, z = np.atleast_2d(2.0, x0)\n    x0[...] = 7\n    return y, z", "np.arange(3.0)"),
    ("y, z = np.ix_(x0, x0)\n    y[0] = 7\n    return y, z, x0", "np.arange(3)"), ("y = np.linalg.matrix_transpose(x0)\n    y[0] = 7\n    return y, x0", "np.ones((2, 3))"),
    ("y = np.einsum('ij->ji', x0)\n    y[0] = 7\n    return y, x0", "np.ones((2, 3))"), ("y = np.einsum('ij->j', x0)\n    y[0] = 7\n    return y, x0", "np.ones((2, 3))"),
    ("y = np.diff(x0, n=0)\n    y[0] = 7\n    return y, x0", "np.ones(3)"), ("y = np.linalg.matrix_power(x0, 1)\n    y[0] = 7\n    return y, x0", "np.ones((2, 2))"),
    ("y = np.squeeze(x0)\n    y[...] = 7\n    return y, x0", "np.ones(1, np.complex64)"), ("return np.ascontiguousarray(x0)", "np.ones((4, 6))[::2, ::2]"),
    ("return np.ascontiguousarray(x0)", "np.ones(6)[::2]"), ("return np.ascontiguousarray(x0)", "np.ones((4, 6))"),
    # what depends on sizes: the order of products, no observations
    ("return np.linalg.multi_dot([x0, x1, x2])", "np.ones((2, 3)), np.ones((3, 1)), np.full((1, 2), -np.inf)"), ("return np.linalg.multi_dot([x0, x1, x2])", "np.ones(3), np.ones((3, 3)), np.ones(3)"),
    ("return np.linalg.multi_dot([x0, x1, x2, x0])", "np.ones((3, 3)), np.eye(3), np.full((3, 3), 2.0)"), ("return np.cov(x0)", "np.zeros(0, np.int64)"),
    ("return np.cov(x0, ddof=x1)", "np.arange(3.0), 2"), ("return np.block(x0)", "2.5"), ("return np.var(x0, axis=1, dtype='float32')", "np.arange(12.0).reshape(3, 4) ** 2"),
    ("return np.var(x0, dtype=complex)", "np.arange(4.0)"), ("return np.std(x0, ddof=1.5, where=x1)", "np.arange(4.0, dtype=np.float32), np.array([True, True, False, True])"),
    ("return scipy.linalg.lu(x0)", "np.array([[1 + 1j]])"), ("return scipy.special.log_softmax(x0, 0), scipy.special.softmax(x0, -1)", "-3.5"),
    ("np.put(x0, x1, v=x2)\n    return x0", "np.array([False, True, True]), np.array([True, True, True]), np.array([True])"),
    ("return np.hypot.reduce(x0, axis=1)", "np.array([[4], [-2], [3]])"),
    # places that wrap or stop at the ends, arrays without elements, of singular matrices, diagonals filled from more or fewer numbers
    ("return np.take(x0, x1, 1, mode='wrap'), np.take(x0, x1, mode='clip')", "np.arange(12.0).reshape(3, 4), np.array([5, -7, 2])"), ("return x0.take(x1, 0)", "np.float64(2.5), np.array([0, -1, 0])"),
    ("return np.linalg.cond(x0, 1)", "np.array([[[1.0, 2.0], [3.0, 4.0]], [[1.0, 1.0], [1.0, 1.0]]])"), ("return np.linalg.cond(x0, 'fro')", "np.zeros((2, 2))"),
    ("return np.nanmedian(x0, axis=1), np.nanquantile(x0, 0.3, axis=1)", "np.zeros((2, 0))"), ("return np.logical_xor.reduce(x0)", "np.zeros((2, 0))"), ("return np.apply_along_axis(np.sum, -1, x0)", "np.zeros(0)"),
    ("np.fill_diagonal(x0, x1)\n    return x0", "np.ones((3, 3)), np.array([[7.0, 8.0]])"), ("np.fill_diagonal(x0, x1)\n    return x0", "np.ones((2, 3)), np.arange(5.0)"), ("return np.power.outer(True, x0)", "2 + 1j"),
    # a function for vectors in what a kernel returns, powers of single precision's matrices, transforms of numbers, one column of another precision
    ("return np.take(scipy.stats.laplace.logcdf(x0), 0)", "np.array([-0.1, -0.8, 0.39])"), ("return scipy.linalg.fractional_matrix_power(x0, -0.3)", "np.array([[2.1596882343292236]], np.float32)"),
    ("return scipy.fft.rfftn(x0)", "1.5"), ("return scipy.signal.fftconvolve(x0, x1)", "np.ones((3, 4), np.float32) / 3, np.array([[1.447]])"),
    ("return np.ldexp(2.0, x0)", "np.array([1, 3])"),
    # an element of float32 as a Python number
    ("v = x0.item()\n    return np.flip(v), np.exp(v), np.array([v, v]), np.sum(v), np.float32(1) * v", "np.array([1.7], np.float32)"), ("return x0.item(1, 0), np.asarray(x0.item(0))", "np.ones((2, 3), np.int32)"),
    ("return x0.tolist()", "np.array([1, 2], np.int32)"), ("return np.geomspace(x0, 1, 1)", "-1.5"), ("return x0.tolist()", "np.array(2, np.int32)"), ("return [t + 1 for t in x0.tolist()]", "np.zeros(0)"),
    # infinite numbers beyond the ends of a window, Python's max of nan, lists without items
    ("return np.convolve(x0, x1)", "np.array([1.0, 2.0, 3.0]), np.array([np.inf, 1.0])"), ("return np.convolve(x0, x1, 'same')", "np.arange(4.0), np.array([np.nan, 1.0, 2.0])"),
    ("return np.correlate(x0, x1, 'full')", "np.arange(4.0), np.array([np.inf, 1.0])"), ("return max(x0), min(x0)", "np.array([1.0, np.nan, 0.5])"),
    ("return max(x0), min(x0)", "np.array([np.nan, 1.0])"), ("return max(x0)", "np.zeros(0)"), ("return np.stack([2 * t for t in x0])", "np.zeros((0, 3))"),
    ("return np.corrcoef(x0)", "np.ones((2, 1))"), ("return np.argsort(x0, kind='stable')", "3.0"), ("return x0[[]]", "np.ones(3)"), ("return np.zeros_like(x0, order='X')", "np.ones(3)"),
    ("return np.finfo(x0).eps", "np.ones(3)"), ("return np.isscalar(element=x0)", "2.0"), ("return x0.clip(x1, out=x2)", "np.arange(3.0), 1.0, np.zeros(3)"),
    ("return np.sign(x0)", "np.array([np.inf + 1j, -np.inf, 1 - np.inf * 1j, complex(np.inf, np.inf), complex(np.nan, np.inf), complex(np.nan, 1), 0j, 3 + 4j])"),
    ("return [[x0], [2.0]] - np.complex128(1j)", "1.5"), ("return np.float64(2.0) * [x0, x1]", "1.5, 2"),
    ("return np.linspace(x0, 0, x1)", "np.float32(1.5), np.int64(4)"), ("return np.logspace(x0, 0, x1, base=2)", "np.float32(1.5), np.int64(3)"),
    ("return np.pad(x0, 1)", "2.5"),
    ("return x0 in [2.5, x1]", "np.float64(2.5), 1.0"), ("return x0 not in x1", "2.5, np.arange(3.0)"), ("return x0 in [-2.5]", "np.float64(1.0)"),
    ("return x0.item((0,))", "np.arange(6.0).reshape(2, 3)"), ("return x0.item((1, 2))", "np.arange(6.0).reshape(2, 3)"), ("return x0.item(0, 1, 0)", "np.ones((2, 3))"),
    ("return x0.item(4)", "np.arange(6.0).reshape(2, 3)"),
    ("return np.linspace(x0, 1, 3, retstep=True)", "2.5"),
    ("return np.linspace(x0, 1, x1, retstep=True)", "np.ones(2), 3"),
    ("return np.pad(x0, 2, mode='reflect')", "np.arange(3.0)"), ("return np.pad(x0, (1, 2), mode='edge')", "np.arange(2.0)"), ("return np.pad(x0, 1, mode='wrap')", "np.zeros(0)"),
    ("return np.linalg.norm(x0, 1, axis=(1, 0))", "np.arange(6.0).reshape(2, 3)"), ("return np.linalg.norm(x0, np.inf, axis=(2, 0), keepdims=True)", "np.arange(12.0).reshape(2, 3, 2)"),
    ("return np.logspace(x0, 1, 3)", "np.complex64(0.5 + 1j)"), ("return np.linspace(x0, x1, 3)", "np.ones(2, np.complex64), np.float64(2.0)"),
    ("return np.meshgrid(x0, x1, copy=False, sparse=True)", "np.arange(3.0), np.arange(2.0)"),
    # beside an infinite value, one point, nan, periods
    ("return np.interp(x0, x1, x2)", "np.array([0.0, 0.25, 1.0, 1.5, 2.0, np.nan]), np.array([0.0, 1.0, 2.0]), np.array([-np.inf, 1.0, np.inf])"),
    ("return np.interp(x0, x1, x2)", "np.array([0.5, np.nan, -np.inf]), np.array([-np.inf, 1.0]), np.array([np.inf, np.inf])"),
    ("return np.interp(x0, x1, x2)", "np.array([0.5, np.nan]), np.array([1.0]), np.array([2.0])"), ("return np.interp(x0, x1, x2)", "np.array([0.5, np.nan]), np.array([0.0, 1.0]), np.array([2j, 1.0])"),
    ("return np.interp(x0, x1, x2, period=x3)", "np.array([-180.0, 4.0, 185.0, 365.0]), np.array([190.0, -190.0, 350.0, -350.0]), np.array([5.0, 10.0, 3.0, 4.0]), -360"),
    ("return np.interp(x0, x1, x2, period=x3)", "1.0, np.array([0.0, 1.0]), np.array([0.0, 1.0]), 0.0"),
    # conversions without a copy and with more axes
    ("y = np.array(x0, copy=False, ndmin=3)\n    y[0] = 7\n    return y, x0", "np.ones((2, 3))"), ("y = np.array(x0, copy=None, ndmin=3, subok=True)\n    y[0] = 7\n    return y, x0", "np.ones((2, 3))[:, ::2]"),
    # beyond the cuts of complex functions
    ("return np.arccos(x0, dtype=complex), np.arcsin(x0, dtype=complex)", "np.array([2.0, -3.0, 0.5])"), ("return np.arccosh(x0), np.arccos(x0)", "np.array([complex(-2.0, -0.0), complex(2.0, -0.0)])"),
    ("return np.arcsinh(x0)", "np.array([complex(-0.0, 2.0), complex(0.0, -3.0)])"), ("return x0.conj(), x0.conjugate()", "np.array([True, False])"), ("return x0.conjugate()", "True"),
    # integers from floats, one vector of ix_, products in NumPy's order, what only some functions take
    ("return np.arange(x0, stop=x1, dtype='<i4')", "np.float64(-1.178), True"), ("y = np.ix_(x0)\n    x0[...] = 0\n    return y, x0", "np.array([4, 2])"),
    ("return np.linalg.matrix_power(x0, 5)", "np.array([[0.5, 0.25], [1.0, -np.inf]])"), ("return x0.__abs__()", "True"), ("return (math.isnan(x0)).T", "2.5"),
    ("return np.copy(x0, order='X')", "np.ones(3)"), ("return np.average(x0, weights=x0, keepdims='no')", "np.ones(3)"), ("return np.gradient(x0)", "[True, False, True]"),
    ("return np.rollaxis(a=x0, axis=0)", "[[0.5], [1.5]]"), ("return np.linalg.norm(x0, axis=())", "np.ones(3)"), ("return np.dot(x0, x1, out=x2)", "np.ones((2, 2)), np.ones(2), np.ones((2, 2))"),
    # two arguments of a constructor, what only arrays or only functions take, outs of another shape, masks and values of several axes
    ("return np.complex128(x0, x1)", "1.5, 2"), ("return np.bincount(x0, minlength=x1)", "np.array([1]), -1"), ("return np.interp(x0, x1, x1)", "np.ones(2) + 1j, np.arange(3.0)"),
    ("return x0.repeat(3, 0)", "np.float32(2.5)"), ("return x0.clip(x1, max=x2, out=x3)", "np.arange(4.0), 1, 2, np.zeros(4)"), ("return x0.compress(condition=[1, 0, 1], out=x1)", "np.arange(4.0), np.zeros(2)"),
    ("return np.compress([True, False], x0, out=x1)", "np.arange(4.0), np.zeros(1)"), ("return x0.take(x1, out=x2)", "np.arange(4.0), np.array([0, 1]), np.zeros((2, 2))"),
    ("return np.concatenate([x0, x0], out=x1, dtype=float)", "np.arange(4.0), np.zeros(8)"), ("x0[x1] = x0\n    return x0", "np.ones((2, 2)), np.ones((2, 2), bool)"),
    ("return x0.var(), x0.var(mean=1.0)", "np.arange(4.0)"), ("return x0 ** np.int64(-1)", "np.complex128(complex(np.inf, 0.5))"),
    ("return np.linalg.norm(np.linalg.pinv(x0))", "np.array([[3.5, -0.5, 0.5]])"),
    # a loop that is not there, tests of integers that are used as NumPy's bools
    ("return np.take(x0, [], axis=0)", "np.arange(3.0)"),
    ("return np.hypot.reduce(x0, dtype='i4')", "np.arange(3.0)"), ("return np.bitwise_and.accumulate(x0, dtype=np.float64)", "np.arange(3)"),
    ("return np.add.reduce(x0, [])", "np.ones((2, 2))"), ("return np.fmin.reduceat(x0, x1)", "np.arange(3.0), np.array([0, 1], np.uint64)"), ("x0.fill(x1)\n    return x0", "np.ones(2), np.ones(2)"),
    ("return np.isnan(x0 != x1).any(), np.isfinite(x0 > x1)", "np.array(1.5), np.array(2.5)"), ("y = np.ndarray(x0, order='A')\n    y[...] = 1\n    return y", "3"),
    # weights of the array's own shape, methods that are lambdas in a table
    ("return np.average(x0, axis=0, weights=x1)", "np.arange(6.0).reshape(3, 2), np.array([[1.0, 2.0], [3.0, 1.0], [1.0, 1.0]])"), ("return np.average(x0, 1, x1)", "np.ones((3, 2)), np.ones((2, 3))"),
    ("return np.nanquantile(x0, 0.75, method='hazen'), np.nanpercentile(x0, 30, method='higher')", "np.array([1.0, 2.0, np.nan, 4.0])"),
    # constants of another dtype than the array's that they fill; a view with an axis of an array without
    ("return np.ones_like(x0).astype(float), np.ones(x0.shape, bool) * 1.0, np.full(x0.shape, 3).astype(float)", "np.array([True, False])"),
    ("z = np.zeros(())\n    y = np.ascontiguousarray(z)\n    y[0] = x0\n    return z, y", "1.5"),
    # integers: reciprocals, angles
    ("return np.reciprocal(x0), np.reciprocal(x0.astype(np.int8)), np.reciprocal(x0.astype(np.uint16)), np.reciprocal(x0 > 1), np.unwrap(x0)", "np.array([1, -1, 2, -5, 7])"),
    # Fortran order
    ("a = np.zeros((2, 3), order='F')\n    a[0, 1] = x0[0, 0]\n    return a, np.ones((2, 3), np.float32, 'F'), np.full(x0.shape, 2.5, order='F') + x0, np.zeros(3, order='F')", "np.ones((2, 3))"),
    ("return np.sin(x0, order='F'), np.divmod(x0, 2.0, order='F'), np.sqrt(x0[0, 1], order='F'), np.add(x0, 1, order='F').T", "np.ones((2, 3))"),
    # what a Python number may be stored into, an axis that is not there
    ("np.copyto(x0, x1)\n    return x0", "np.ones(1, np.int64), 0.5"), ("np.copyto(x0, x1)\n    return x0", "np.ones(1, np.bool_), 3"), ("np.copyto(x0, x1)\n    return x0", "np.ones(1, np.uint8), np.array([3])"),
    ("np.put_along_axis(x0, x1, 2.0, -2)\n    return x0", "np.zeros(3), np.array([2, 0])"),
    # half precision: of np.fft's real results, not of scipy.fft's
    ("return np.fft.hfft(x0), np.fft.irfft(x0, 5), np.fft.irfftn(x0), np.fft.irfftn(x0, axes=(1,)), scipy.fft.irfft(x0), scipy.fft.hfft(x0), scipy.fft.irfftn(x0)", "np.arange(8, dtype=np.float16).reshape(2, 4)"),
)
"""(body of f(x0, x1, …), its arguments)"""
