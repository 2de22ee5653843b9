"""What is drawn of numpy.linalg's and scipy.linalg's decompositions and of scipy.stats, and the kinds of their parameters."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import scipy.fft
import scipy.stats

from .calls_draw import Draw, choose

_WORK = "overwrite_a:no check_finite:yes"
LINALG = {
    "np.linalg.solve": "a:regular b:right", "np.linalg.inv": "a:regular", "np.linalg.det": "a:invertible", "np.linalg.slogdet": "a:invertible",
    "np.linalg.cholesky": "a:definite upper:flag", "np.linalg.eigh": "a:symmetric UPLO:triangle", "np.linalg.eigvalsh": "a:definite UPLO:triangle",
    "np.linalg.qr": "a:rectangle mode:qrmode", "np.linalg.svd": "a:real_rectangle full_matrices:flag compute_uv:flag hermitian:no",
    "np.linalg.eigvals": "a:apart", "np.linalg.eig": "a:apart", "np.linalg.pinv": "a:rectangle rcond:bit hermitian:flag rtol:absent",
    "np.linalg.lstsq": "a:one_rectangle b:right_of_rows rcond:none", "np.linalg.tensorsolve": "a:one_regular b:right_of_rows axes:none", "np.linalg.tensorinv": "a:one_regular ind:one",
    "scipy.linalg.lu": "a:one_invertible permute_l:flag overwrite_a:no check_finite:yes p_indices:flag", "scipy.linalg.lu_factor": f"a:one_invertible {_WORK}",
    "scipy.linalg.lu_solve": "lu_and_piv:lu_factored b:vector_of_two trans:zero_or_one overwrite_b:no check_finite:yes",
    "scipy.linalg.eigvals": "a:apart b:none overwrite_a:no check_finite:yes homogeneous_eigvals:flag",
    "scipy.linalg.eigvalsh": (
        "a:one_symmetric b:none lower:flag overwrite_a:no overwrite_b:no type:one check_finite:yes subset_by_index:none subset_by_value:none driver:evd"
    ),
    "scipy.linalg.pinv": "a:one_rectangle atol:bit rtol:bit return_rank:flag check_finite:yes",
    "scipy.linalg.norm": "a:one_rectangle ord:matrixnorm axis:none keepdims:flag check_finite:yes",
    "scipy.linalg.lstsq": "a:one_rectangle b:right_of_rows cond:bit overwrite_a:no overwrite_b:no check_finite:yes lapack_driver:least_squares",
    "scipy.linalg.expm": "A:gentle", "scipy.linalg.sqrtm": "A:off_the_cut disp:left_out blocksize:left_out", "scipy.linalg.block_diag": "*arrs:blocks_of",
    "scipy.linalg.toeplitz": "c:line r:line", "scipy.linalg.hankel": "c:line r:line", "scipy.linalg.circulant": "c:line",
    "np.linalg.svdvals": "x:rectangle", "np.linalg.cond": "x:regular p:matrixnorm", "np.linalg.matrix_rank": "A:rectangle tol:bit hermitian:flag rtol:bit",
    "scipy.linalg.solve": "a:one_regular b:right lower:flag overwrite_a:no overwrite_b:no check_finite:yes assume_a:assumed transposed:no",
    "scipy.linalg.solve_triangular": "a:one_regular b:right trans:trans lower:flag unit_diagonal:flag overwrite_b:no check_finite:yes",
    "scipy.linalg.cholesky": f"a:one_definite lower:flag {_WORK}", "scipy.linalg.cho_factor": f"a:one_definite lower:flag {_WORK}",
    "scipy.linalg.cho_solve": "c_and_lower:factored b:right overwrite_b:no check_finite:yes",
    "scipy.linalg.eigh": (
        "a:one_symmetric b:none lower:flag eigvals_only:flag overwrite_a:no overwrite_b:no type:one check_finite:yes subset_by_index:none subset_by_value:none driver:drivers"
    ),
    "scipy.linalg.schur": "a:one_invertible output:schur_output lwork:none overwrite_a:no sort:none check_finite:yes",
    "scipy.linalg.svd": "a:one_real_rectangle full_matrices:flag compute_uv:flag overwrite_a:no check_finite:yes lapack_driver:gesdd",
    "scipy.linalg.svdvals": f"a:one_rectangle {_WORK}", "scipy.linalg.inv": "a:one_regular overwrite_a:no check_finite:yes assume_a:assumed_of_inverse lower:flag", "scipy.linalg.det": "a:one_invertible overwrite_a:no check_finite:yes",
}  # fmt: skip
MATRICES = {
    "scipy.linalg.logm": "A:off_the_cut disp:left_out", "scipy.linalg.fractional_matrix_power": "A:off_the_cut t:power_of", **{f"scipy.linalg.{name}": "A:one_gentle" for name in "cosm sinm tanm coshm sinhm tanhm".split()},
    "scipy.linalg.polar": "a:one_invertible side:side_of", "scipy.linalg.pinvh": "a:one_symmetric atol:none rtol:bit lower:flag return_rank:no check_finite:yes",
    "scipy.linalg.qr": "a:one_rectangle overwrite_a:no lwork:none mode:scipys_qrmode pivoting:flag check_finite:yes", "scipy.linalg.orthogonal_procrustes": "A:one_invertible B:like_base check_finite:yes",
    "scipy.linalg.solve_sylvester": "a:steady b:like_base q:like_base", "scipy.linalg.solve_continuous_lyapunov": "a:steady q:like_base",
    "scipy.linalg.solve_discrete_lyapunov": "a:one_gentle q:like_base method:lyapunov_method", "scipy.linalg.solve_banded": "l_and_u:bands ab:band b:band_right overwrite_ab:no overwrite_b:no check_finite:yes",
    "scipy.linalg.solve_toeplitz": "c_or_cr:long_line b:right check_finite:yes", "scipy.linalg.solve_circulant": "c:long_line b:right singular:left_out tol:none caxis:last baxis:zero outaxis:zero", "scipy.linalg.diagsvd": "s:three_values M:three N:three_or_more",
    "scipy.linalg.solve_continuous_are": "a:steady b:like_base q:definite_like_base r:definite_like_base e:none s:none balanced:left_out", "scipy.linalg.solve_discrete_are": "a:steady b:like_base q:definite_like_base r:definite_like_base e:none s:none balanced:left_out",
    "scipy.linalg.signm": "A:steady disp:left_out", "scipy.linalg.funm": "A:off_the_cut func:of_all disp:left_out", "scipy.linalg.hessenberg": "a:three_rows calc_q:flag overwrite_a:no check_finite:yes",
    "scipy.linalg.khatri_rao": "a:one_rectangle b:one_rectangle", "scipy.linalg.companion": "a:long_line", "scipy.linalg.issymmetric": "a:one_symmetric atol:bit rtol:bit",
    "scipy.linalg.ishermitian": "a:one_symmetric atol:bit rtol:bit",
    "scipy.linalg.expm_frechet": "A:one_gentle E:like_base method:none compute_expm:flag check_finite:yes", "scipy.linalg.subspace_angles": "A:one_rectangle B:like_columns",
    "scipy.linalg.eigvalsh_tridiagonal": "d:diagonal_of_four e:beside_it select:word_a select_range:none check_finite:yes tol:left_out lapack_driver:left_out",
    "scipy.linalg.eigh_tridiagonal": "d:diagonal_of_four e:beside_it *eigvals_only:yes select:word_a select_range:none check_finite:yes tol:left_out lapack_driver:left_out",
    "scipy.linalg.convolution_matrix": "a:line n:few mode:window", "scipy.linalg.leslie": "f:diagonal_of_four s:beside_it", "scipy.linalg.fiedler": "a:line", "scipy.linalg.matmul_toeplitz": "c_or_cr:long_line x:right check_finite:yes workers:none",
    "scipy.linalg.rq": "a:of_full_rank overwrite_a:no lwork:none mode:left_out check_finite:yes",
    "scipy.linalg.orth": "A:one_real_rectangle rcond:none", "scipy.linalg.null_space": "A:whole_rectangle rcond:none *overwrite_a:no check_finite:yes lapack_driver:gesdd",
    "scipy.linalg.eig": "a:apart b:none left:flag right:flag overwrite_a:no overwrite_b:no check_finite:yes homogeneous_eigvals:flag",
}  # fmt: skip
_REAL = "pdf logpdf cdf logcdf sf logsf ppf entropy"
_METHODS = {
    **dict.fromkeys(("norm", "lognorm", "laplace", "logistic", "cauchy", "uniform", "gamma", "chi2", "beta", "t", "expon"), _REAL),
    "poisson": "pmf logpmf cdf logcdf sf logsf", "binom": "pmf logpmf cdf logcdf sf logsf", "bernoulli": "pmf logpmf cdf logcdf sf ppf entropy",
    "geom": "pmf logpmf cdf logcdf sf logsf ppf entropy",
}  # fmt: skip


def _method(name: str, method: str) -> str:
    """By position: the shapes come behind."""
    counts = _METHODS[name] != _REAL
    first = "" if method == "entropy" else "*q:probabilities " if method == "ppf" else "*k:integers " if counts else "*x:reals "
    return f"{first}*args:{'chances' if counts else 'shapes'}{getattr(scipy.stats, name).numargs}"


STATISTICS = {f"scipy.stats.{name}.{method}": _method(name, method) for name, methods in _METHODS.items() for method in methods.split()}
STATISTICS |= {
    **{f"scipy.stats.multivariate_normal.{name}": "x:three_of_each mean:mean_of_three cov:covariance allow_singular:no" for name in ("logpdf", "pdf")}, "scipy.stats.multivariate_normal.entropy": "mean:mean_of_three cov:covariance",
    **{f"scipy.stats.dirichlet.{name}": "*x:parts *alpha:weights_of_three" for name in ("logpdf", "pdf")}, **{f"scipy.stats.dirichlet.{name}": "*alpha:weights_of_three" for name in ("entropy", "mean", "var")},
}  # fmt: skip
SPECIAL = {
    "scipy.special.factorial": "n:vector exact:no extend:word_zero", "scipy.special.comb": "N:reals k:integers exact:no repetition:flag",
    "scipy.special.perm": "N:reals k:integers exact:no", "scipy.special.multigammaln": "a:large d:few", "scipy.special.polygamma": "n:few x:large",
    "scipy.special.zeta": "x:large q:large out:none",
    **{f"scipy.special.{name}": "v:few z:large n:zero_or_one" for name in ("jvp", "yvp", "ivp", "kvp", "h1vp", "h2vp")},
    **{f"scipy.special.spherical_{name}": "n:integers z:large derivative:flag" for name in ("jn", "yn", "in", "kn")}, "scipy.special.lambertw": "z:reals k:integers tol:small_number",
    "scipy.special.assoc_laguerre": "x:reals n:integers k:number", "scipy.special.softplus": "x:array", "scipy.special.diric": "x:reals n:integers",
    "scipy.special.factorial2": "n:integers exact:no extend:word_zero", "scipy.special.factorialk": "n:integers k:few exact:no extend:word_zero",
}  # fmt: skip
_LAST = "overwrite_x:no workers:none plan:none"
FOURIER = {
    **{f"np.fft.{name}": "a:array n:count axis:axis norm:norm out:none" for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")},
    **{f"np.fft.{name}": "a:array s:none axes:axes norm:norm out:none" for name in ("fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2")},
    **{f"scipy.fft.{name}": f"x:array n:count axis:axis norm:norm {_LAST}" for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")},
    **{f"scipy.fft.{name}": f"x:array s:none axes:axes norm:norm {_LAST}" for name in ("fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2", "hfftn", "ihfftn")},
    **{f"scipy.fft.{name}": "target:few real:flag" for name in ("next_fast_len", "prev_fast_len")},
    **{f"scipy.fft.{name}": "x:reals type:cosines n:count axis:axis norm:norm overwrite_x:no workers:none orthogonalize:maybe" for name in ("dct", "idct", "dst", "idst")},
    **{f"scipy.fft.{name}": "x:reals type:cosines s:none axes:axes norm:norm overwrite_x:no workers:none orthogonalize:maybe" for name in ("dctn", "idctn", "dstn", "idstn")},
    **{f"scipy.fft.{name}": "x:array axes:axes" for name in ("fftshift", "ifftshift")}, **{f"scipy.fft.{name}": "n:count d:number *xp:none *device:none" for name in ("fftfreq", "rfftfreq")},
    "np.fft.fftfreq": "n:count d:number device:none", "np.fft.rfftfreq": "n:count d:number device:none", "np.fft.fftshift": "x:array axes:axes", "np.fft.ifftshift": "x:array axes:axes",
}  # fmt: skip
FILTERS = {
    "scipy.signal.convolve": "in1:line in2:line mode:window method:none_of_three", "scipy.signal.lfilter": "b:line a:line x:reals axis:last zi:none",
    "scipy.signal.lfilter_zi": "b:line a:long_line", "scipy.signal.filtfilt": "b:line a:long_line x:long_samples axis:last padtype:padtype padlen:maybe_three method:padded irlen:none",
    "scipy.signal.savgol_filter": "x:long_samples window_length:odd_lengths polyorder:orders_below deriv:zero_or_one delta:number axis:last mode:savgol_mode cval:zero_or_one",
    "scipy.signal.detrend": "data:samples axis:last type:trend bp:zero overwrite_data:no",
    "scipy.spatial.distance.cdist": "XA:image XB:like_image metric:metric *out:none", "scipy.spatial.distance.pdist": "X:image metric:metric *out:none", "scipy.spatial.distance.squareform": "X:distances force:force checks:yes",
    **{f"scipy.ndimage.{name}": "input:samples weights:line axis:last output:none mode:boundary cval:zero_or_one origin:zero" for name in ("correlate1d", "convolve1d")},
    "scipy.ndimage.gaussian_filter1d": "input:samples sigma:width axis:last order:zero output:none mode:boundary cval:zero_or_one truncate:few radius:none",
    "scipy.ndimage.gaussian_filter": "input:samples sigma:width order:zero output:none mode:boundary cval:zero_or_one truncate:few radius:none axes:none",
}
FILTERS |= {
    "scipy.signal.fftconvolve": "in1:image in2:kernel mode:window axes:none", "scipy.signal.convolve2d": "in1:image in2:kernel mode:window boundary:filled fillvalue:zero", "scipy.signal.correlate": "in1:image in2:kernel mode:window method:none_of_three",
    "scipy.signal.oaconvolve": "in1:image in2:kernel mode:window axes:none", "scipy.signal.correlate2d": "in1:image in2:kernel mode:window boundary:edges fillvalue:zero_or_one",
    "scipy.signal.correlation_lags": "in1_len:few in2_len:few mode:window", "scipy.signal.wiener": "im:image mysize:odd_or_none noise:bit",
    "scipy.integrate.romb": "y:halved dx:step axis:last show:no", "scipy.integrate.cumulative_simpson": "y:samples x:none dx:step axis:last initial:zero_or_one",
    **{f"scipy.ndimage.{name}": "input:image weights:kernel output:none mode:boundary cval:zero_or_one origin:zero axes:none" for name in ("correlate", "convolve")},
    "scipy.ndimage.uniform_filter1d": "input:image size:few axis:last output:none mode:boundary cval:zero_or_one origin:zero",
    "scipy.ndimage.uniform_filter": "input:image size:few output:none mode:boundary cval:zero_or_one origin:zero axes:none",
    "scipy.ndimage.laplace": "input:image output:none mode:boundary cval:zero_or_one axes:none", **{f"scipy.ndimage.{name}": "input:image axis:last output:none mode:boundary cval:zero_or_one" for name in ("sobel", "prewitt")},
}
LIBRARY = {**LINALG, **MATRICES, **STATISTICS, **SPECIAL, **FOURIER, **FILTERS}
VECTORS = ("np.linalg.eig", "scipy.linalg.eig", "np.linalg.eigh", "np.linalg.svd", "np.linalg.qr", "scipy.linalg.eigh", "scipy.linalg.svd", "scipy.linalg.qr", "scipy.linalg.schur", "scipy.linalg.orth", "scipy.linalg.null_space")
"""Functions whose vectors have the signs and phases that LAPACK chose (docs/kinks.md)."""

Kind = Callable[[Draw], str]

# ---- kinds -----------------------------------------------------------------------------------------------------------------------

_DTYPES = ("float64", "float64", "float32", "complex128", "int64")


def _drawn(draw: Draw, *shape: int, spread: float, dtypes: tuple[str, ...] = _DTYPES, layout: str | None = None) -> str:
    """Matrices whose singular values lie apart."""
    x = draw.rng.normal(size=shape) + spread * np.eye(shape[-2], shape[-1]) * np.arange(1.0, shape[-1] + 1)
    dtype = np.dtype(draw.pick(dtypes))
    if dtype.kind == "c":
        x = x + 1j * draw.rng.normal(size=shape)
    return draw.argument((4 * x if dtype.kind == "i" else x).astype(dtype), layout)


_STACKS = ((), (), (), (2,), (0,), (1, 3))
_ONE = ((),)


def regular(draw: Draw, stacks: Any = _STACKS) -> str:
    n = draw.pick((2, 3, 5) if stacks is _ONE else (1, 2, 2, 3, 5, 0))
    if draw.chance(0.04):
        return draw.argument(np.zeros((n, n)))
    if draw.chance(0.04):
        return _drawn(draw, n, n + 1, spread=2.0)
    return invertible(draw, stacks, n)


def invertible(draw: Draw, stacks: Any = _STACKS, n: int | None = None) -> str:
    n = draw.pick((1, 2, 2, 3, 5)) if n is None else n
    draw.base = np.zeros((n, n))
    return _drawn(draw, *draw.pick(stacks), n, n, spread=3.0)


def of_full_rank(draw: Draw) -> str:
    """An invertible matrix whose rows surely differ: of equal ones what `rq` gives is rounding."""
    return _drawn(draw, *[draw.pick((1, 2, 2, 3, 5))] * 2, spread=3.0, layout=draw.pick(("C", "F", "strided", "reversed", "read-only", "transposed")))


def three_rows(draw: Draw) -> str:
    """Of `hessenberg`, likewise."""
    return one_gentle(draw, (3, 4), draw.pick(("C", "F", "strided", "reversed", "read-only", "transposed")))


def symmetric(draw: Draw, stacks: Any = _STACKS) -> str:
    """Real: the phases of complex eigenvectors are LAPACK's choice, which has no derivative."""
    return definite(draw, stacks, _DTYPES[:3])


def definite(draw: Draw, stacks: Any = _STACKS, dtypes: tuple[str, ...] = _DTYPES, *, cut: bool = True) -> str:
    """Positive definite, now and then not. `cut`: where complex, too: rounding alone puts its negative eigenvalues above or below the cut of roots and logarithms."""
    n = draw.pick((1, 2, 2, 3, 5, 0))
    x = draw.rng.normal(size=(*draw.pick(stacks), n, n))
    if (dtype := np.dtype(draw.pick(dtypes))).kind == "c":
        x = x + 1j * draw.rng.normal(size=x.shape)
    whole = x @ np.conj(np.swapaxes(x, -1, -2)) + np.diag(np.arange(1.0, n + 1))
    sign = -1 if draw.chance(0.05) and (cut or dtype.kind != "c") else 1
    return draw.argument((sign * (10 * whole if dtype.kind == "i" else whole)).astype(dtype))


def rectangle(draw: Draw, stacks: Any = _STACKS, dtypes: tuple[str, ...] = _DTYPES) -> str:
    return _drawn(draw, *draw.pick(stacks), draw.pick((1, 2, 3, 5)), draw.pick((1, 2, 3, 5)), spread=2.0, dtypes=dtypes)


def real_rectangle(draw: Draw, stacks: Any = _STACKS) -> str:
    """As `symmetric`."""
    return rectangle(draw, stacks, _DTYPES[:3])


def whole_rectangle(draw: Draw) -> str:
    """Of whole numbers, which have no derivative."""
    return rectangle(draw, _ONE, ("int64",))


def right(draw: Draw) -> str:
    n = draw.base.shape[-1] if draw.base is not None and draw.base.ndim else 2
    shape = draw.pick(((n,), (n,), (n, 2), (n, 1), (n + 1,), (2, n, 2), ()))
    return draw.argument(draw.rng.normal(size=shape))


def apart(draw: Draw) -> str:
    """Complex numbers: eigenvalues of real ones are complex here also where all of them are real."""
    n = draw.pick((1, 2, 3, 5))
    return _drawn(draw, n, n, spread=3.0, dtypes=("complex128",))


def gentle(draw: Draw) -> str:
    n = draw.pick((1, 2, 3, 5))
    return draw.argument((0.5 * draw.rng.normal(size=(*draw.pick(_STACKS), n, n))).astype(draw.pick(("float64", "float32", "complex128"))))


def _of_rows(*shape: int) -> Kind:
    return lambda draw: draw.argument(draw.rng.normal(size=((draw.base.shape[0] if draw.base is not None and draw.base.ndim else 2), *shape)))


def three_of_each(draw: Draw) -> str:
    return draw.argument(draw.rng.normal(size=draw.pick(((3,), (3,), (4, 3), (2, 2, 3), (1, 3), (2,)))).astype(draw.pick(("float64", "float64", "float32"))))


def mean_of_three(draw: Draw) -> str:
    return draw.argument(draw.rng.normal(size=3)) if draw.chance(0.85) else draw.pick(("None", "0.5", "[0.1, 0.2, 0.3]"))


def covariance(draw: Draw) -> str:
    x = draw.rng.normal(size=(3, 3))
    return draw.argument(x @ x.T + np.eye(3)) if draw.chance(0.7) else draw.argument(draw.rng.uniform(0.3, 2.0, 3)) if draw.chance(0.6) else draw.pick(("2.5", "1.0"))


def parts(draw: Draw) -> str:
    """Columns of numbers that add up to 1."""
    x = draw.rng.uniform(0.1, 1.0, size=draw.pick(((3,), (3, 4), (3,), (3, 1))))
    x = x / x.sum(axis=0)
    return draw.argument(x[:2] if draw.chance(0.2) else x, "C")


def weights_of_three(draw: Draw) -> str:
    return draw.argument(draw.rng.uniform(0.5, 4.0, size=3)) if draw.chance(0.9) else draw.argument(np.array([1.0, -0.5, 2.0]))


def image(draw: Draw) -> str:
    return draw.argument(draw.rng.normal(size=draw.pick(((4, 3), (5, 5), (3, 2)))).astype(draw.pick(("float64", "float64", "float32"))))


def kernel(draw: Draw) -> str:
    return draw.argument(draw.rng.normal(size=draw.pick(((3, 3), (2, 3), (1, 2), (1, 1)))))


def one_gentle(draw: Draw, sizes: tuple[int, ...] = (1, 2, 3, 5), layout: str | None = None) -> str:
    n = draw.pick(sizes)
    return draw.argument((0.4 * draw.rng.normal(size=(n, n))).astype(draw.pick(("float64", "float32", "complex128"))), layout)


def steady(draw: Draw) -> str:
    """Eigenvalues near 2."""
    n = draw.pick((1, 2, 3, 5))
    x = (0.3 * draw.rng.normal(size=(n, n)) + 2.0 * np.eye(n)).astype(draw.pick(("float64", "float64", "float32")))
    draw.base = x
    return draw.argument(x, "C")


def definite_like_base(draw: Draw) -> str:
    """A positive definite matrix of the first one's shape."""
    n = draw.base.shape[0] if draw.base is not None and draw.base.ndim == 2 else 2
    x = 0.5 * draw.rng.normal(size=(n, n))
    return draw.argument(x @ x.T + np.eye(n))


def like_base(draw: Draw) -> str:
    """A matrix of the first one's shape, now and then of another."""
    shape = draw.base.shape if draw.base is not None and draw.base.ndim == 2 else (2, 2)
    n = shape[0] + (1 if draw.chance(0.05) else 0)
    return draw.argument((0.5 * draw.rng.normal(size=(n, n)) + 2.0 * np.eye(n)).astype(draw.pick(("float64", "float64", "float32"))))


def band(draw: Draw) -> str:
    """A band with a heavy diagonal in the middle."""
    ab = draw.rng.normal(size=(draw.pick((3, 3, 3, 3, 2)), draw.pick((1, 2, 4, 6))))
    ab[len(ab) // 2] += 4.0
    draw.base = ab
    return draw.argument(ab.astype(draw.pick(("float64", "float64", "float32", "complex128"))))


def band_right(draw: Draw) -> str:
    n = draw.base.shape[1] if draw.base is not None and draw.base.ndim == 2 else 2
    return draw.argument(draw.rng.normal(size=draw.pick(((n,), (n, 2), (n + 1,)) if draw.chance(0.1) else ((n,), (n, 2)))))


def long_line(draw: Draw) -> str:
    """The first element is the largest: the matrices made of it are regular."""
    x = draw.rng.normal(size=draw.pick((2, 3, 5)))
    x[0] += 6.0
    draw.base = x
    return draw.argument(x.astype(draw.pick(("float64", "float64", "float32", "complex128"))))


def line(draw: Draw) -> str:
    return draw.argument(draw.rng.normal(size=draw.pick((1, 2, 4))).astype(draw.pick(("float64", "complex128", "float32"))))


def samples(draw: Draw) -> str:
    return draw.argument(draw.rng.normal(size=draw.pick(((1,), (4,), (3, 5), (2, 1)))).astype(draw.pick(("float64", "float64", "float32"))))


def halved(draw: Draw) -> str:
    """1 + 2**k samples, now and then another number."""
    return draw.argument(draw.rng.normal(size=draw.pick(((2,), (5,), (9,), (3, 17), (2, 3), (4,)))).astype(draw.pick(("float64", "float64", "float32", "complex128"))))


def factored(draw: Draw) -> str:
    return f"({definite(draw, _ONE)}, {draw.pick(('True', 'False'))})"


def _rows_of(count: int) -> Kind:
    return lambda draw: draw.argument(draw.rng.normal(size=count + draw.chance(0.05)).astype(draw.pick(("float64", "float64", "float32"))))


def real_columns(draw: Draw) -> str:
    """As many rows as the first argument has."""
    return draw.argument(draw.rng.normal(size=(draw.base.shape[0] if draw.base is not None and draw.base.ndim else 2, draw.pick((1, 2)))))


def _shapes(count: int) -> Kind:
    def shapes(draw: Draw) -> str:
        more = draw.pick((0, 0, 1, 2))
        texts = [draw.number(lambda rng: choose(rng, (0.5, 1.25, 2.0, 3, 0.3, -1.0)), 0.4) for _ in range(count + more)]
        if texts and draw.base is not None and draw.chance(0.2):
            texts[0] = draw.argument(draw.rng.uniform(0.2, 3.0, draw.base.shape))
        return ", ".join(texts)

    return shapes


def reals(draw: Draw) -> str:
    return draw.argument(draw.rng.normal(size=draw.shape(draw.pick((0, 1, 2)))).astype(draw.pick(("float64", "float64", "float32"))))


def probabilities(draw: Draw) -> str:
    return draw.argument(draw.rng.uniform(0.02, 0.98, size=draw.shape(draw.pick((0, 1, 2)))))


def divisors(draw: Draw) -> str:
    return ", ".join(draw.number(lambda rng: choose(rng, (0, 4, 6, -9, 12, 35)), 0.6) for _ in range(draw.pick((1, 2, 2, 3))))


def large(draw: Draw) -> str:
    return draw.argument(draw.rng.uniform(2.5, 6.0, size=draw.shape(draw.pick((0, 1, 2)))))


def integers(draw: Draw) -> str:
    return draw.argument(draw.rng.integers(-2, 7, draw.shape(draw.pick((0, 1, 2)))))


def _chances(count: int) -> Kind:
    """Known ones: where counts are possible is no question of derivatives."""
    return lambda draw: ", ".join((["6"] if count == 2 else []) + [draw.pick(("0.3", "0.7", "0.5", "-1.0", "0.25"))])


def _of(*texts: str) -> Kind:
    return lambda draw: draw.pick(texts)


def long_samples(draw: Draw) -> str:
    return draw.argument(draw.rng.normal(size=draw.pick(((16,), (20,), (3, 17), (13, 2), (4,)))).astype(draw.pick(("float64", "float64", "float32"))))


def like_image(draw: Draw) -> str:
    columns = draw.base.shape[1] if draw.base is not None and draw.base.ndim == 2 else 3
    return draw.argument(draw.rng.normal(size=(draw.pick((1, 3, 4)), columns + draw.chance(0.05))).astype(draw.pick(("float64", "float64", "float32"))))


def distances(draw: Draw) -> str:
    """A vector of as many numbers as there are pairs, mostly, or a symmetric matrix."""
    if draw.chance(0.5):
        return draw.argument(draw.rng.uniform(0.5, 2.0, size=draw.pick((0, 1, 3, 6, 10, 4))))
    x = draw.rng.uniform(0.5, 2.0, size=(n := draw.pick((1, 2, 4)), n))
    return draw.argument((x + x.T) * (1 - np.eye(n)) if draw.chance(0.9) else x)


KINDS = {
    "word_a": _of("'a'"), "edges": _of("'fill'", "'wrap'", "'symm'", "'circular'", "'odd'"), "odd_or_none": _of("None", "3", "(1, 3)", "1"), "halved": halved, "step": _of("1", "0.5", "2", "0.25"), "diagonal_of_four": _rows_of(4), "beside_it": _rows_of(3), "like_columns": real_columns,
    "long_samples": long_samples, "like_image": like_image, "distances": distances, "padtype": _of("'odd'", "'even'", "'constant'", "None", "'no'"), "maybe_three": _of("None", "3", "0"), "padded": _of("'pad'"),
    "odd_lengths": _of("3", "5", "4", "1", "7"), "orders_below": _of("0", "1", "2", "3"), "savgol_mode": _of("'interp'", "'nearest'", "'mirror'", "'wrap'", "'constant'", "'odd'"), "trend": _of("'linear'", "'constant'", "'l'", "'no'"),
    "metric": _of("'euclidean'", "'sqeuclidean'", "'cityblock'", "'chebyshev'", "'minkowski'", "'cosine'", "'correlation'", "'canberra'", "'braycurtis'", "'no'", "'cos'"), "force": _of("'no'", "'no'", "'tomatrix'", "'tovector'"),
    "regular": regular, "definite": definite, "symmetric": symmetric, "invertible": invertible, "real_rectangle": real_rectangle, "rectangle": rectangle, "whole_rectangle": whole_rectangle, "right": right, "factored": factored, **{f"shapes{count}": _shapes(count) for count in range(3)},
    **{f"chances{count}": _chances(count) for count in (1, 2)}, "reals": reals, "probabilities": probabilities, "large": large, "divisors": divisors, "word_zero": _of("'zero'"), "zero": _of("0"), "last": _of("-1", "0"), "none_of_three": _of("'auto'", "'direct'"), "width": _of("0.5", "1.0", "2.5"),
    "boundary": _of("'reflect'", "'mirror'", "'nearest'", "'wrap'", "'constant'"), "samples": samples, "few": _of("1", "2", "3"), "integers": integers,
    **{f"one_{kind.__name__}": partial(kind, stacks=_ONE) for kind in (regular, invertible, definite, symmetric, rectangle, real_rectangle)},
    "off_the_cut": partial(definite, stacks=_ONE, cut=False), "image": image, "kernel": kernel, "filled": _of("'fill'"), "three_of_each": three_of_each, "mean_of_three": mean_of_three, "covariance": covariance, "parts": parts, "weights_of_three": weights_of_three, "one_gentle": one_gentle, "three_rows": three_rows, "of_full_rank": of_full_rank, "steady": steady, "like_base": like_base, "definite_like_base": definite_like_base, "three_values": _of("np.array([3.0, 2.0, 0.5])"), "three": _of("3"), "three_or_more": _of("3", "4", "2"), "of_all": _of("np.exp", "np.sin"), "band": band, "band_right": band_right, "long_line": long_line, "side_of": _of("'right'", "'left'", "'up'"), "bands": _of("(1, 1)"), "power_of": _of("0.5", "2", "-0.3", "1.5"),
    "scipys_qrmode": _of("'economic'", "'r'", "'full'", "'economic'", "'raw'", "'odd'"), "schur_output": _of("'real'", "'complex'", "'c'", "'odd'"), "drivers": _of("None", "'evr'", "'evd'"), "least_squares": _of("None", "None", "'gelsd'", "'gelss'", "'gelsy'", "'odd'"), "lyapunov_method": _of("None", "'direct'"),
    "apart": apart, "gentle": gentle, "line": line, "right_of_rows": _of_rows(), "columns_of_rows": _of_rows(2), "absent": _of("np._NoValue"), "zero_or_one": _of("0", "1"),
    "lu_factored": _of("(np.array([[2.0, 1.0], [0.5, 3.0]]), np.array([1, 1], np.int32))"), "vector_of_two": _of("np.array([1.0, -2.5])"),
    "blocks_of": lambda draw: ", ".join(rectangle(draw, _ONE) for _ in range(draw.pick((1, 2, 3)))), "yes": _of("True"), "small_number": _of("1e-8"), "no": _of("False"), "one": _of("1"), "lower": _of("'L'", "'l'"), "triangle": _of("'L'", "'U'", "'l'", "'X'"), "qrmode": _of("'reduced'", "'r'", "'complete'", "'complete'", "'raw'", "'odd'"),
    "matrixnorm": _of("None", "2", "1", "np.inf", "'fro'", "-2", "-1"), "bit": _of("None", "None", "0.1", "1e-3"), "assumed": _of("None", "'gen'", "'pos'", "'sym'", "'hermitian'", "'tridiagonal'", "'upper triangular'", "'lower triangular'", "'banded'", "'diagonal'"), "assumed_of_inverse": _of("None", "'gen'", "'pos'", "'sym'", "'her'", "'upper triangular'", "'lower triangular'"),
    "trans": _of("0", "1", "2", "'N'", "'T'", "'C'"), "gesdd": _of("'gesdd'"), "evd": _of("'evd'"),
    "norm": _of("None", "'backward'", "'ortho'", "'forward'", "'odd'"), "cosines": _of("2", "3", "1", "4"), "maybe": _of("None", "None", "True", "False"),
}  # fmt: skip
"""By name."""
