"""What is known of the functions that `calls` draws: for each of them its parameters, and what kind of thing each takes.

    "np.sum": "a:array axis:axes dtype:dtype out:out keepdims:flag initial:number where:mask"

The parameters are NumPy's own, in its order (a test compares them with its signatures); the kinds are those of `calls_kinds.KINDS`.
`*name` takes any number of arguments; a `?` behind a parameter of a function without a signature says that it may be left out.
`FORMS` are what is no call: operators, indexing, stores; each `{kind}` in them is drawn.
"""
from __future__ import annotations

import numpy as np

from .calls_library import LIBRARY
from .calls_rest import REST, REST_UFUNCS, REST_UPDATES

UFUNC_OPTIONS = "out:out where:mask casting:casting order:order dtype:dtype subok:flag"
"""What every ufunc takes by keyword."""

_ONE = (
    "negative positive square absolute fabs sign reciprocal conjugate deg2rad radians rad2deg degrees isnan isinf isfinite signbit cbrt exp exp2 expm1 "
    "log log2 log10 log1p sqrt sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh floor ceil trunc rint logical_not invert"
)
_TWO = (
    "add subtract multiply divide floor_divide remainder fmod divmod power float_power maximum minimum fmax fmin logical_and logical_or logical_xor "
    "bitwise_and bitwise_or bitwise_xor left_shift right_shift less less_equal greater greater_equal equal not_equal heaviside nextafter copysign arctan2 hypot "
    "logaddexp logaddexp2"
)
_SPECIAL_OF_ONE = (
    "erfinv erfcinv erfcx erfi dawsn ndtr ndtri log_ndtr ndtri_exp log_expit rgamma expi exp1 exprel spence ellipk ellipe loggamma gammasgn expm1 log1p cbrt exp2 "
    "i0 i0e i1 i1e j0 j1 y0 y1 k0 k0e k1 k1e"
)
_SPECIAL_OF_TWO = "beta binom rel_entr kl_div betaln gammainc gammaincc gammaincinv gammainccinv stdtr stdtrit poch jv yv iv kv"
_OF_LETTERS = {
    "d": "airy airye bei beip ber berp cosdg cosm1 cotdg ellipkm1 exp10 fresnel kei keip ker kerp kolmogi kolmogorov round shichi sici sindg tandg wofz wrightomega zetac _ufuncs._riemann_zeta",
    "dd": "agm boxcox boxcox1p chdtr chdtrc chdtri ellipeinc ellipj ellipkinc elliprc hankel1 hankel1e hankel2 hankel2e huber hyp0f1 inv_boxcox inv_boxcox1p ive jve kve modstruve owens_t "
          "pdtr pdtrc powm1 pseudo_huber struve tklmbda yve",
    "ddd": "betainccinv chndtr elliprd elliprf elliprg fdtr fdtrc fdtri gdtr gdtrc gdtrix hyp1f1 hyperu lpmv nctdtr radian voigt_profile", "dddd": "elliprj hyp2f1 ncfdtr",
    "ld": "eval_chebyc eval_chebys eval_chebyt eval_chebyu eval_hermite eval_hermitenorm eval_laguerre eval_legendre eval_sh_chebyt eval_sh_chebyu eval_sh_legendre expn kn pdtri smirnov smirnovi yn "
          "_ufuncs._spherical_in _ufuncs._spherical_jn _ufuncs._spherical_kn _ufuncs._spherical_yn",
    "ldd": "eval_gegenbauer eval_genlaguerre", "lddd": "eval_jacobi", "dld": "bdtr bdtrc bdtri", "lld": "nbdtr nbdtrc nbdtri", "dlr": "_ufuncs._lambertw",
}  # fmt: skip
"""scipy.special's by what they take: d floats, l integers, r a small number. No extreme ones, of which some of SciPy's functions never come back."""
_KIND_OF = {"d": "reals", "l": "integers", "r": "small_number"}
UFUNCS = {
    **{f"scipy.special.{name}": " ".join(f"x{k}:{_KIND_OF[letter]}" for k, letter in enumerate(letters, 1)) for letters, names in _OF_LETTERS.items() for name in names.split()},
    **{f"np.{name}": "x:array" for name in _ONE.split()},
    **{f"np.{name}": "x1:array x2:other" for name in _TWO.split()},
    **{f"scipy.special.{name}": "x:array" for name in "erf erfc expit logit gamma gammaln digamma psi entr".split()},
    **{f"scipy.special.{name}": "x:array" for name in _SPECIAL_OF_ONE.split()}, **{f"scipy.special.{name}": "x1:array x2:other" for name in _SPECIAL_OF_TWO.split()},
    **{f"scipy.special.{name}": "x1:array x2:other x3:other" for name in ("betainc", "betaincc", "betaincinv")}, "scipy.special._ufuncs._zeta": "x1:array x2:other",
    "scipy.special.xlogy": "x1:array x2:other", "scipy.special.xlog1py": "x1:array x2:other",
    "np.matmul": "x1:matrix x2:factor", "np.vecdot": "x1:array x2:same axis:axis", **REST_UFUNCS,
}  # fmt: skip
"""Ufuncs: the operands are given by position, `UFUNC_OPTIONS` by keyword."""

_REDUCED = "axis:axes dtype:dtype out:out keepdims:flag"
_OF = {
    "np.where": "condition:maskarray x:same y:other", "np.clip": "a:array a_min:bound a_max:bound out:out min:bound max:bound",
    "np.round": "a:array decimals:decimals out:out", "np.around": "a:array decimals:decimals out:out",
    "np.real": "val:array", "np.imag": "val:array", "np.angle": "z:array deg:flag", "np.sinc": "x:array", "np.isreal": "x:array",
    "np.nan_to_num": "x:special copy:flag nan:number posinf:bound neginf:bound", "np.fix": "x:array out:out",
    "np.sum": f"a:array {_REDUCED} initial:number where:mask", "np.prod": f"a:array {_REDUCED} initial:number where:mask",
    "np.mean": f"a:array {_REDUCED} where:mask", "np.average": "a:array axis:axes weights:weights returned:flag keepdims:flag",
    "np.var": "a:array axis:axes dtype:dtype out:out ddof:ddof keepdims:flag where:mask mean:number correction:ddof",
    "np.std": "a:array axis:axes dtype:dtype out:out ddof:ddof keepdims:flag where:mask mean:number correction:ddof",
    **{f"np.{name}": "a:array axis:axes out:out keepdims:flag initial:number where:mask" for name in ("max", "min", "amax", "amin", "nanmax", "nanmin")},
    "np.ptp": "a:array axis:axes out:out keepdims:flag", "np.any": "a:array axis:axes out:out keepdims:flag where:mask",
    "np.all": "a:array axis:axes out:out keepdims:flag where:mask", "np.count_nonzero": "a:array axis:axes keepdims:flag",
    "np.argmax": "a:array axis:axis out:out keepdims:flag", "np.argmin": "a:array axis:axis out:out keepdims:flag",
    "np.cumsum": "a:array axis:axis dtype:dtype out:out", "np.cumprod": "a:array axis:axis dtype:dtype out:out",
    "np.diff": "a:array n:count axis:axis prepend:edge append:edge", "np.linalg.norm": "x:array ord:ord axis:axes keepdims:flag",
    "np.nansum": f"a:special {_REDUCED} initial:number where:mask", "np.nanprod": f"a:special {_REDUCED} initial:number where:mask",
    "np.nancumsum": "a:special axis:axis dtype:dtype out:out", "np.nancumprod": "a:special axis:axis dtype:dtype out:out",
    "np.ediff1d": "ary:array to_end:other to_begin:other", "np.unwrap": "p:array discont:number axis:axis period:number",
    "np.nanmean": f"a:special {_REDUCED} where:mask",
    "np.nanvar": "a:special axis:axes dtype:dtype out:out ddof:ddof keepdims:flag where:mask mean:number correction:ddof",
    "np.nanstd": "a:special axis:axes dtype:dtype out:out ddof:ddof keepdims:flag where:mask mean:number correction:ddof",
    "np.quantile": "a:array q:level axis:axes out:out overwrite_input:no method:method keepdims:flag weights:weights",
    "np.percentile": "a:array q:percent axis:axes out:out overwrite_input:no method:method keepdims:flag weights:weights",
    "np.median": "a:array axis:axes out:out overwrite_input:no keepdims:flag",
    "np.cov": "m:array y:same rowvar:flag bias:flag ddof:ddof fweights:weights aweights:weights dtype:dtype",
    "np.corrcoef": "x:array y:same rowvar:flag dtype:dtype", "np.bincount": "x:counts weights:weights minlength:count",
    "np.gradient": "f:array *varargs:spacing axis:axes edge_order:count",
    "np.convolve": "a:vector v:vector mode:window", "np.correlate": "a:vector v:vector mode:window",
    "np.dot": "a:matrix b:factor out:out", "np.vdot": "a:array b:same", "np.inner": "a:array b:same", "np.outer": "a:array b:other out:out",
    "np.tensordot": "a:matrix b:factor axes:contracted", "np.einsum": "*operands:einsum out:out optimize:flag",
    "np.trace": "a:matrix offset:offset axis1:axis axis2:axis dtype:dtype out:out", "np.kron": "a:array b:other",
    "np.cross": "a:triple b:same axisa:axis axisb:axis axisc:axis axis:axis",
    "np.linalg.multi_dot": "arrays:chain out:out", "np.linalg.matrix_power": "a:square n:power", "np.linalg.vecdot": "x1:array x2:same axis:axis",
    # shapes
    "np.reshape": "a:array shape:newshape order:order copy:flag", "np.ravel": "a:array order:order", "np.transpose": "a:array axes:permutation",
    "np.permute_dims": "a:array axes:permutation", "np.swapaxes": "a:array axis1:axis axis2:axis", "np.moveaxis": "a:array source:axis destination:axis",
    "np.rollaxis": "a:array axis:axis start:axis", "np.matrix_transpose": "x:matrix", "np.linalg.matrix_transpose": "x:matrix",
    "np.squeeze": "a:thin axis:thinaxis", "np.expand_dims": "a:array axis:newaxes", "np.broadcast_to": "array:array shape:bigger subok:flag",
    "np.broadcast_arrays": "*args:arrays subok:flag", "np.isfortran": "a:array", "np.atleast_1d": "*arys:arrays", "np.atleast_2d": "*arys:arrays", "np.atleast_3d": "*arys:arrays",
    "np.flip": "m:array axis:axes", "np.fliplr": "m:matrix", "np.flipud": "m:matrix", "np.rot90": "m:matrix k:int axes:plane",
    "np.roll": "a:array shift:shift axis:axes", "np.diagonal": "a:matrix offset:offset axis1:axis axis2:axis", "np.diag": "v:array k:offset",
    "np.tril": "m:matrix k:offset", "np.triu": "m:matrix k:offset", "np.repeat": "a:array repeats:repeats axis:axis", "np.tile": "A:array reps:reps",
    # joining
    "np.concatenate": "arrays:parts axis:axis out:out dtype:dtype casting:casting", "np.concat": "arrays:parts axis:axis out:out dtype:dtype casting:casting",
    "np.stack": "arrays:alike axis:axis out:out dtype:dtype casting:casting", "np.hstack": "tup:parts dtype:dtype casting:casting",
    "np.vstack": "tup:parts dtype:dtype casting:casting", "np.dstack": "tup:alike", "np.column_stack": "tup:alike", "np.block": "arrays:blocks",
    "np.append": "arr:array values:same axis:axis", "np.split": "ary:array indices_or_sections:sections axis:axis",
    "np.array_split": "ary:array indices_or_sections:sections axis:axis", "np.hsplit": "ary:array indices_or_sections:sections",
    "np.vsplit": "ary:array indices_or_sections:sections", "np.meshgrid": "*xi:vectors copy:flag sparse:flag indexing:indexing",
    # search
    "np.nonzero": "a:maskarray", "np.flatnonzero": "a:maskarray", "np.argwhere": "a:maskarray", "np.compress": "condition:choice a:array axis:axis out:out",
    "np.take": "a:array indices:indices axis:axis out:out mode:takemode", "np.take_along_axis": "arr:array indices:along axis:axis",
    "np.sort": "a:array axis:axis kind:sortkind order:none stable:flag", "np.argsort": "a:distinct axis:axis kind:sortkind order:none stable:flag",
    "np.lexsort": "keys:keys axis:axis", "np.searchsorted": "a:sorted v:wanted side:side sorter:sorter", "np.digitize": "x:array bins:bins right:flag",
    "scipy.special.logsumexp": "a:array axis:axes b:same keepdims:flag return_sign:flag", "scipy.special.softmax": "x:array axis:axes",
    "scipy.special.log_softmax": "x:array axis:axes",
    "np.interp": "x:array xp:sorted fp:aslong left:number right:number period:period",
    "np.select": "condlist:masks choicelist:choices default:number", "np.isclose": "a:array b:near rtol:small atol:small equal_nan:flag",
    "np.allclose": "a:array b:near rtol:small atol:small equal_nan:flag", "np.array_equal": "a1:array a2:near equal_nan:flag",
    "np.trapezoid": "y:array x:same dx:number axis:axis", "scipy.integrate.trapezoid": "y:array x:same dx:number axis:axis",
    "scipy.integrate.simpson": "y:array x:same *dx:number *axis:axis", "scipy.integrate.cumulative_trapezoid": "y:array x:same dx:number axis:axis initial:zero", "np.polyval": "p:vector x:other", "np.ix_": "*args:grids",
    "np.tril_indices_from": "arr:matrix k:offset", "np.triu_indices_from": "arr:matrix k:offset",
    # creation
    "np.full_like": "a:array fill_value:number dtype:dtype order:order subok:flag shape:shape device:none",
    "np.zeros_like": "a:array dtype:dtype order:order subok:flag shape:shape device:none",
    "np.ones_like": "a:array dtype:dtype order:order subok:flag shape:shape device:none",
    "np.empty_like": "prototype:array dtype:dtype order:order subok:flag shape:shape device:none",
    "np.linspace": "start:number stop:number num:count endpoint:flag retstep:flag dtype:dtype axis:axis device:none",
    "np.logspace": "start:number stop:number num:count endpoint:flag base:number dtype:dtype axis:axis",
    "np.vander": "x:vector N:count increasing:flag", "np.zeros": "shape:shape dtype:dtype order:order device:none like:none",
    "np.ones": "shape:shape dtype:dtype order:order device:none like:none", "np.empty": "shape:shape dtype:dtype order:order device:none like:none",
    "np.full": "shape:shape fill_value:number dtype:dtype order:order device:none like:none",
    "np.array": "object:array dtype:dtype copy:flag order:order subok:flag ndmin:count ndmax:none like:none",
    "np.asarray": "a:array dtype:dtype order:order device:none copy:flag like:none",
    "np.asanyarray": "a:array dtype:dtype order:order device:none copy:flag like:none",
    "np.ascontiguousarray": "a:array dtype:dtype like:none", "np.copy": "a:array order:order subok:flag",
    "np.arange": "start_or_stop:number stop:number step:number dtype:dtype device:none like:none",
    "np.eye": "N:count M:count k:offset dtype:dtype order:order device:none like:none", "np.identity": "n:count dtype:dtype like:none",
    "np.tri": "N:count M:count k:offset dtype:dtype like:none", "np.indices": "dimensions:shape dtype:dtype sparse:flag",
    "np.unravel_index": "indices:counts shape:grid order:order", "np.ravel_multi_index": "multi_index:cells dims:grid mode:takemode order:order",
    "np.broadcast_shapes": "*args:shape", "np.ndarray": "shape:shape dtype:dtype buffer:none offset:none strides:none order:order",
    "np.tril_indices": "n:count k:offset m:count", "np.triu_indices": "n:count k:offset m:count", "np.diag_indices": "n:count ndim:count",
    "np.bool_": "value:scalar", **{f"np.{name}": "value:scalar" for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64")},
    "np.complex64": "real:scalar imag:scalar", "np.complex128": "real:scalar imag:scalar",
    # types
    "np.shape": "a:array", "np.size": "a:array axis:axes", "np.ndim": "a:array", "np.result_type": "*arrays_and_dtypes:arrays",
    "np.iscomplexobj": "x:array", "np.isrealobj": "x:array", "np.isscalar": "element:array",
    "np.finfo": "dtype:array", "np.iinfo": "int_type:array",
    "np.ma.getmask": "a:array", "np.ma.getmaskarray": "arr:array", "np.ma.getdata": "a:array subok:flag", "np.ma.filled": "a:array fill_value:number", "np.ma.isMaskedArray": "x:array", "np.ma.is_masked": "x:array",
}  # fmt: skip

_FOLDED = (
    "add subtract multiply divide floor_divide remainder fmod maximum minimum fmax fmin logical_and logical_or logical_xor bitwise_and bitwise_or "
    "bitwise_xor left_shift right_shift hypot logaddexp logaddexp2 copysign heaviside gcd lcm nextafter"
).split()
_PAIRED = ("power", "float_power", "arctan2")
_COMPARED = ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")
_ALL = (*_FOLDED, *_PAIRED, *_COMPARED)
_BY_LOOPS = (*_FOLDED, *_COMPARED)
"""Of the others NumPy's own numbers depend on the machine."""
_METHODS_OF_UFUNCS = {
    **{f"np.{name}.reduce": "array:array axis:axes dtype:dtype out:out **keepdims:flag **initial:number **where:mask" for name in _BY_LOOPS},
    **{f"np.{name}.accumulate": "array:array axis:axis dtype:dtype out:out" for name in _BY_LOOPS},
    **{f"np.{name}.reduceat": "array:array indices:indices axis:axis dtype:dtype out:out" for name in _BY_LOOPS},
    **{f"np.{name}.outer": "A:array B:other **dtype:dtype **out:out" for name in (*_ALL, "ldexp")}, "np.divmod.outer": "A:array B:other",
}  # fmt: skip

_MATH = (
    "floor ceil trunc fabs degrees radians erf erfc gamma lgamma exp expm1 log1p log2 log10 sqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh cbrt exp2 "
    "isnan isinf isfinite"
)
_PYTHON = {
    "abs": "x:array", "pow": "base:scalar exp:scalar mod:scalar", "divmod": "x:array y:other", "round": "number:array ndigits:decimals",
    "max": "*args:numbers", "min": "*args:numbers", "sum": "iterable:items start:scalar", "all": "iterable:items", "any": "iterable:items",
    "float": "x:real", "int": "x:real", "bool": "x:scalar", "complex": "real:scalar imag:scalar",
    **{f"math.{name}": "x:real" for name in _MATH.split()},
    "math.factorial": "n:count", "math.comb": "n:count k:count", "math.perm": "n:count k:count", "math.gcd": "*integers:divisors", "math.lcm": "*integers:divisors",
    "math.isqrt": "n:count", "math.fsum": "seq:items", "math.log": "x:real base?:real", "math.hypot": "*coordinates:numbers", "math.isclose": "a:real b:real rel_tol:small abs_tol:small",
    "math.pow": "x:real y:real", "math.fmod": "x:real y:real", "math.atan2": "y:real x:real", "math.copysign": "x:real y:real",
    "math.frexp": "x:real", "math.ldexp": "x:real i:count", "math.modf": "x:real", "math.nextafter": "x:real y:real", "math.ulp": "x:real", "math.remainder": "x:real y:real",
}  # fmt: skip

CALLS = {**_OF, **_METHODS_OF_UFUNCS, **_PYTHON, **LIBRARY, **REST}
"""Functions by what a program calls them."""

UPDATES = {
    "np.fill_diagonal": "a:target val:number wrap:flag", "np.copyto": "dst:target src:other casting:casting where:mask",
    **{f"np.{name}.at": "a:target indices:indices b:number" for name in (*_ALL, "ldexp")}, **{f"np.{name}.at": "a:target indices:indices b:left_out" for name in (*_ONE.split(), "spacing", "bitwise_count")},
    **REST_UPDATES,
}  # fmt: skip
"""Functions that write into their first argument."""

METHODS = {
    "sum": f"{_REDUCED} **initial:number **where:mask", "prod": f"{_REDUCED} **initial:number **where:mask", "mean": f"{_REDUCED} **where:mask",
    "var": "axis:axes dtype:dtype out:out ddof:ddof **keepdims:flag **where:mask **mean:number **correction:ddof",
    "std": "axis:axes dtype:dtype out:out ddof:ddof **keepdims:flag **where:mask **mean:number **correction:ddof",
    "max": "axis:axes out:out **keepdims:flag **initial:number **where:mask", "min": "axis:axes out:out **keepdims:flag **initial:number **where:mask",
    "any": "axis:axes out:out keepdims:flag where:mask", "all": "axis:axes out:out keepdims:flag where:mask",
    "argmax": "axis:axis out:out keepdims:flag", "argmin": "axis:axis out:out keepdims:flag", "cumsum": "axis:axis dtype:dtype out:out",
    "cumprod": "axis:axis dtype:dtype out:out", "dot": "other:factor out:out", "trace": "offset:offset axis1:axis axis2:axis dtype:dtype out:out",
    "reshape": "*shape:newshapes order:order copy:flag", "transpose": "*axes:permutations", "swapaxes": "axis1:axis axis2:axis", "ravel": "order:order",
    "flatten": "order:order", "squeeze": "axis:thinaxis", "diagonal": "offset:offset axis1:axis axis2:axis", "repeat": "repeats:repeats axis:axis",
    "copy": "order:order", "astype": "dtype:dtype order:order casting:casting subok:flag copy:flag", "item": "*args:place",
    "clip": "min:bound max:bound out:out", "round": "decimals:decimals out:out", "conj": "", "conjugate": "", "nonzero": "",
    "tolist": "", "take": "indices:indices axis:axis out:out mode:takemode", "argsort": "axis:axis kind:sortkind order:none stable:flag",
    "searchsorted": "v:wanted side:side sorter:sorter", "compress": "condition:choice axis:axis out:out", "is_integer": "", "__len__": "", "__abs__": "", "bit_length": "", "bit_count": "",
    "__float__": "", "put": "ind:indices v:vector mode:takemode", "choose": "*choices:alike out:none mode:takemode", "view": "dtype?:method_of_view", "partition": "kth:zero_or_one axis:last kind:introselect order:none", "argpartition": "kth:zero_or_one axis:last kind:introselect order:none", "fill": "value:number", "sort": "axis:axis kind:sortkind order:none stable:flag",
}  # fmt: skip
"""Methods of arrays; the first argument is drawn as an array (`METHOD_OF` says where another kind is needed)."""

METHOD_OF = {"searchsorted": "sorted", "is_integer": "scalar", "bit_length": "scalar", "bit_count": "scalar", "__float__": "scalar", "dot": "matrix", "trace": "matrix", "diagonal": "matrix",
             "squeeze": "thin", "argsort": "distinct", "fill": "target", "sort": "target", "put": "target", "choose": "counts", "partition": "two", "argpartition": "vector_of_two"}  # fmt: skip

OF_NUMBERS = ("is_integer", "bit_length", "bit_count", "real", "imag", "conjugate", "__abs__", "__float__")
"""What Python's own numbers have, too."""

ATTRIBUTES = ("shape", "ndim", "size", "dtype", "itemsize", "nbytes", "T", "mT", "real", "imag")

_INFIX = ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=")
FORMS = {
    **{f"x {op} y": f"return {{array}} {op} {{other}}" for op in _INFIX},
    **{f"x {op} y of numbers": f"return {{scalar}} {op} {{scalar}}" for op in _INFIX},
    "x @ y": "return {matrix} @ {factor}", "-x": "return -{array}", "+x": "return +{array}", "~x": "return ~{array}", "not x": "return not {scalar}",
    **{f"x {op}= y": f"y = {{target}}\n    y {op}= {{other}}\n    return y" for op in ("+", "-", "*", "/", "//", "%", "**", "&", "|", "<<", ">>", "^")},
    "x @= y": "y = {square}\n    y @= {same}\n    return y", **{f"x[i] {op}= y": f"y = {{target}}\n    y[{{key}}] {op}= {{number}}\n    return y" for op in ("-", "*", "/", "//", "%", "**", "&")},
    "x[i]": "return {array}[{key}]", "x[i][j]": "return {array}[{key}][{key}]", "x[i] = y": "y = {target}\n    y[{key}] = {number}\n    return y",
    "x[i] += y": "y = {target}\n    y[{key}] += {number}\n    return y", "x[i] = x[j]": "y = {target}\n    y[{key}] = y[{key}]\n    return y",
    "x[mask]": "return {array}[{samemask}]", "x[mask] = y": "y = {target}\n    y[{samemask}] = {number}\n    return y",
    "x.flat[i]": "return {array}.flat[{key}]", "x.flat[i] = y": "y = {target}\n    y.flat[{key}] = {number}\n    return y", "x.flat = y": "y = {target}\n    y.flat = {other}\n    return y", "x.flat[:] = y": "y = {target}\n    y.flat[::2] = {vector}\n    return y",
    "for t in x.flat": "s = np.float64(0)\n    for t in {array}.flat:\n        s = s + t\n    return s", "x in y": "return {scalar} in {array}", "len(x)": "return len({array})", "a, b = x": "a, b = {array}\n    return a, b",
    "for t in x": "s = 0.0\n    for t in {vector}:\n        s = s + t\n    return s", "x if c else y": "return {scalar} if {scalar} else {scalar}",
    "x < y < z": "return {scalar} < {scalar} < {scalar}", "isinstance(x, y)": "return isinstance({array}, (float, np.floating)), isinstance({array}, np.ndarray)",
    "np.r_": "return np.r_[{vector}, {vector}]", "np.r_[a:b]": "return np.r_[{int}:{int}, {number}, {vector}]", "np.c_": "return np.c_[{vector}, {other}]",
    "np.mgrid": "return np.mgrid[{int}:{int}, 0:{count}]", "np.ogrid": "return np.ogrid[{int}:{int}, 0:{count}]",
    "np.real_if_close(x)": "return np.real_if_close({array})",
    "enumerate(x)": "s = np.float64(0)\n    for i, t in enumerate({vector}):\n        s = s + i * t\n    return s",
    "zip(x, y)": "s = np.float64(0)\n    for a, b in zip({vector}, {vector}):\n        s = s + a * b\n    return s", "reversed(x)": "return np.array([2 * t for t in reversed({vector})])",
    "[f(t) for t in x]": "return np.array([2 * t for t in {vector}])", "sorted(x)": "return sorted({items})", "items[i]": "return {items}[{int}]",
    "x[k] of trips": "y = {target}\n    for k in range(len(y)):\n        y[k] = y[-k] + 1\n    return y", "x[::-1] = x": "y = {target}\n    y[::-1] = y\n    return y",
    "x[1:] += x[:-1]": "y = {target}\n    y[1:] += y[:-1]\n    return y", "np.fromfunction": "return np.fromfunction(lambda i, j: i + j, {shape})",
    "np.ndindex": "s = 0\n    for i in np.ndindex({shape}):\n        s += i[0]\n    return s", "np.ndenumerate": "s = np.float64(0)\n    for i, t in np.ndenumerate({array}):\n        s = s + t\n    return s",
    "x and y": "return {scalar} and {scalar}", "range": "s = 0\n    for i in range({int}, {int}, {int}):\n        s = 2 * s + i\n    return s",
}  # fmt: skip
"""What is no call of a function, by name."""

OF_PATHS = ("x and y", "x < y < z", "x if c else y", "sorted(x)", "items[i]", "zip(x, y)", "enumerate(x)", "np.ndenumerate", "reversed(x)", "[f(t) for t in x]", "max", "min", "sum", "for t in x", "np.polyval", "np.bincount", "x.tolist()")
"""Results whose type depends on the path taken, or on whether a loop has a trip: one type here, with the right number (docs/kinks.md)."""

OF_VALUES = ("np.linalg.eig", "np.linalg.eigvals", "scipy.linalg.eig", "scipy.linalg.eigvals", "np.percentile", "np.quantile", "np.nanpercentile", "np.nanquantile",
             "scipy.special.factorial", "scipy.special.factorial2", "scipy.special.factorialk")  # fmt: skip
"""Results whose dtype NumPy chooses by their numbers: eigenvalues are real where all are, a quantile of float32 at one level is float32 where it is nan, factorials of
nothing keep its dtype. Here they have one dtype, and the same numbers (docs/kinks.md).
"""

OF_LAYOUTS = ("scipy.linalg.norm",)
"""Results whose dtype goes by how the argument lies in memory: SciPy asks LAPACK where it is contiguous, NumPy otherwise (docs/kinks.md)."""

VIEWED = ("np.transpose", "np.rollaxis", "np.matrix_transpose", "np.swapaxes", "np.moveaxis", "np.reshape", "np.ravel", "np.squeeze", "np.expand_dims", "np.atleast_1d", "np.atleast_2d",
          "np.atleast_3d", "np.asarray", "np.array", "np.ascontiguousarray", "np.flip", "np.fliplr", "np.flipud", "np.rot90", "np.real", "np.imag",
          "np.diagonal", "np.diag", "np.broadcast_to", "np.tril", "np.roll", "np.sort", "np.copy", "np.take", "np.nan_to_num", "np.where")  # fmt: skip
"""Calls into whose result a store is drawn, too: who sees it?"""

SPECIAL_BODY = {"np.finfo": "return {call}.eps", "np.iinfo": "return {call}.max", "np.empty": "y = {call}\n    y[...] = 1\n    return y",
                "np.ndarray": "y = {call}\n    y[...] = 1\n    return y", "np.empty_like": "y = {call}\n    y[...] = 1\n    return y"}  # fmt: skip
"""Calls whose result is not returned as it is."""

assert all(hasattr(np, name) for name in (*_ONE.split(), *_TWO.split()))
