"""What is known of NumPy's sets, histograms, polynomials, choices, stores and small functions, for `calls_table`."""
from __future__ import annotations

import numpy as np

from .calls_arrays import Kind
from .calls_library import _of

_TWO_SETS = "ar1:vector ar2:vector"
REST = {
    "np.unique": "ar:array return_index:flag return_inverse:flag return_counts:flag axis:axis equal_nan:flag sorted:yes",
    "np.union1d": _TWO_SETS, "np.intersect1d": f"{_TWO_SETS} assume_unique:no return_indices:flag", "np.setdiff1d": f"{_TWO_SETS} assume_unique:no",
    "np.setxor1d": f"{_TWO_SETS} assume_unique:no", "np.isin": "element:array test_elements:vector assume_unique:no invert:flag kind:none",
    "np.histogram": "a:array bins:binsof range:ends_of density:flag weights:same", "np.histogram_bin_edges": "a:array bins:binsof range:ends_of weights:same",
    "np.histogram2d": "x:vector y:same bins:binsof range:none density:flag weights:none", "np.histogramdd": "sample:matrix bins:few range:none density:flag weights:none",
    "np.polyadd": "a1:vector a2:vector", "np.polysub": "a1:vector a2:vector", "np.polymul": "a1:vector a2:vector", "np.polydiv": "u:vector v:vector_of_two",
    "np.polyder": "p:vector m:small_count", "np.polyint": "p:vector m:small_count k:none", "np.poly": "seq_of_zeros:reals",
    "np.polyfit": "x:samples y:samples deg:one rcond:none full:flag w:none cov:flag", "np.trim_zeros": "filt:array trim:ends axis:axis",
    "np.choose": "a:counts choices:alike out:none mode:takemode", "np.extract": "condition:maskarray arr:same", "np.piecewise": "x:vector condlist:masks funclist:functions *args:nothing",
    "np.delete": "arr:array obj:int axis:axis", "np.insert": "arr:array obj:inserted values:number axis:axis", "np.resize": "a:array new_shape:grid",
    "np.apply_along_axis": "func1d:reducer axis:axis arr:array *args:nothing", "np.apply_over_axes": "func:reducer a:array axes:axis",
    **{f"np.{name}": "M:count" for name in ("bartlett", "blackman", "hamming", "hanning")},
    **{f"np.{name}": "x:array" for name in ("iscomplex",)}, "np.isneginf": "x:array out:none", "np.isposinf": "x:array out:none",
    "np.real_if_close": "a:array tol:none_or_hundred",
    "np.partition": "a:vector_of_two kth:zero_or_one axis:last kind:introselect order:none", "np.argpartition": "a:vector_of_two kth:zero_or_one axis:last kind:introselect order:none",
    "np.diagflat": "v:array k:offset", "np.diag_indices_from": "arr:square", "np.dsplit": "ary:array indices_or_sections:sections",
    "np.geomspace": "start:number stop:number num:count endpoint:flag dtype:dtype axis:axis", "np.asarray_chkfinite": "a:special dtype:dtype order:order",
    "np.astype": "x:array dtype:dtype copy:yes device:none", "np.nanargmax": "a:special axis:axis out:none keepdims:flag", "np.nanargmin": "a:special axis:axis out:none keepdims:flag",
    "np.nanmedian": "a:special axis:axes out:none overwrite_input:no keepdims:flag",
    "np.nanquantile": "a:special q:level axis:axes out:none overwrite_input:no method:method keepdims:flag weights:weights",
    "np.nanpercentile": "a:special q:percent axis:axes out:none overwrite_input:no method:method keepdims:flag weights:weights",
    "np.unstack": "x:array axis:axis", "np.asfortranarray": "a:array dtype:dtype like:none", "np.require": "a:array dtype:dtype requirements:orders like:none",
    "np.lib.stride_tricks.sliding_window_view": "x:array window_shape:window_lengths axis:axes subok:no writeable:no",
    "np.lib.stride_tricks.as_strided": "x:vector_of_two shape:small_shape strides:bytes_apart subok:no writeable:yes", "np.packbits": "a:integers axis:axis bitorder:bitorder", "np.unpackbits": "a:bytes axis:axis count:bitcount bitorder:bitorder",
    **({"np.row_stack": "tup:parts dtype:dtype casting:casting"} if hasattr(np, "row_stack") else {}),  # until NumPy 2.4
    **{f"np.{name}": "x:array axis:axis dtype:dtype out:none include_initial:flag" for name in ("cumulative_sum", "cumulative_prod")},
    **{f"np.{name}": "*x:samples" for name in ("unique_all", "unique_counts", "unique_inverse")}, "np.array_equiv": "a1:array a2:near", "np.common_type": "*arrays:arrays", "np.iterable": "y:array",
    **{f"np.lib.scimath.{name}": "x:nonnegative" for name in ("sqrt", "log", "log2", "log10")}, **{f"np.lib.scimath.{name}": "x:within_one" for name in ("arccos", "arcsin", "arctanh")},
    "np.lib.scimath.logn": "n:base x:nonnegative", "np.lib.scimath.power": "x:nonnegative p:whole_power",
    "np.i0": "x:array", "np.kaiser": "M:count beta:number", "np.sort_complex": "a:array", "np.roots": "p:complex_line",
    "np.pad": "array:array pad_width:widths mode:padmode **constant_values:number **end_values:number **stat_length:small_count **reflect_type:reflection",
    "np.linalg.cross": "x1:triple x2:same axis:axis", "np.linalg.diagonal": "x:matrix offset:offset", "np.linalg.matmul": "x1:matrix x2:factor",
    "np.linalg.matrix_norm": "x:matrix keepdims:flag ord:matrixnorm", "np.linalg.outer": "x1:vector x2:vector", "np.linalg.tensordot": "x1:matrix x2:factor axes:contracted",
    "np.linalg.trace": "x:matrix offset:offset dtype:dtype", "np.linalg.vector_norm": "x:array axis:axis keepdims:flag ord:ord",
}  # fmt: skip
REST_UFUNCS = {
    "np.spacing": "x:array", "np.matvec": "x1:matrix x2:factor", "np.vecmat": "x1:vector x2:matrix",
    "np.modf": "x:array", "np.frexp": "x:array", "np.ldexp": "x1:array x2:integers", "np.gcd": "x1:integers x2:integers", "np.lcm": "x1:integers x2:integers", "np.bitwise_count": "x:array",
}  # fmt: skip
REST_UPDATES = {
    "np.place": "arr:target mask:samemask vals:vector", "np.putmask": "a:target mask:samemask values:vector", "np.put": "a:target ind:indices v:vector mode:takemode",
    "np.put_along_axis": "arr:target indices:along values:number axis:axis",
}  # fmt: skip
REST_KINDS: dict[str, Kind] = {
    "binsof": _of("1", "3", "5", "'auto'", "'sturges'", "'fd'", "'doane'", "'scott'", "'rice'", "'sqrt'", "'no'", "[-1.0, 0.0, 0.5, 2.0]", "np.array([0.0, 1.0])", "0"), "small_count": _of("0", "1", "2"), "ends": _of("'fb'", "'f'", "'b'"), "ends_of": _of("None", "None", "(-1.0, 2.0)", "(0, 3)", "(1.0, 1.0)", "(2.0, -1.0)"), "inserted": _of("0", "1", "-1", "3", "[0, 1]", "[1]", "slice(0, 2)", "slice(None, None, 2)", "np.array([True, False])"), "method_of_view": _of("np.int64", "np.int32", "'f4'", "float", "complex", "np.uint8"),
    "functions": _of("[np.sin, 2.0]", "[0.0]", "[np.square, np.cos, 1.0]", "[1.0, np.exp, lambda t: t - 1.0]"), "reducer": _of("np.sum", "np.max", "np.mean"),
    "two": lambda draw: draw.argument(draw.data((2,), draw.dtype("bif"))),
    "complex_line": lambda draw: draw.argument(draw.rng.normal(size=(n := draw.pick((2, 3, 4, 6)))) + 1j * draw.rng.normal(size=n), "C"), "reflection": _of("'even'", "'odd'"),
    "small_shape": _of("(1, 1)", "(2, 1)", "(1, 0)", "(1, 2)"), "bytes_apart": _of("(0, 0)"), "bitorder": _of("'big'", "'little'", "'no'"), "bitcount": _of("None", "0", "3", "11", "-2", "-400"),
    "bytes": lambda draw: draw.argument(draw.rng.integers(0, 256, draw.pick(((3,), (2, 2), (0,), ())), dtype="u1")),
    "nonnegative": lambda draw: draw.argument(abs(draw.data(draw.shape(draw.rank((0, 1, 2))), draw.dtype(("float64", "float32", "int64"))))), "within_one": lambda draw: draw.argument(draw.rng.uniform(-1.0, 1.0, draw.shape(draw.rank((0, 1, 2))))), "base": _of("2", "3.5"), "whole_power": _of("0", "2", "-1", "0.5"),
    "nothing": _of(""), "orders": _of("None", "['C']", "'F'", "['C', 'A']", "['F', 'C']", "['W']", "['ALIGNED']"), "window_lengths": _of("1", "2", "3", "(2,)", "(2, 1)", "[2]", "0", "-1", "5"), "none_or_hundred": _of("100"), "introselect": _of("'introselect'"),
}  # fmt: skip
