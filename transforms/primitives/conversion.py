"""Between dtypes, and between complex numbers and their parts.

Cotangents pair with tangents as Re(sum(bar * dot)), as in JAX: transposes are plain, never conjugated, so the cotangent
of `imag` is -1j * bar, and a gradient of a real loss in complex variables is the conjugate of the steepest ascent.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError
from s2s.records import replace
from s2s.transforms.primitives.arithmetic import TWO
from s2s.transforms.primitives.families import KINDS, REAL, Tangent, batch_elementwise, draw, elementwise, same_types
from s2s.transforms.primitives.row import NEW, Cost, Elementwise, Primitive, Sample
from s2s.transforms.primitives.value import Value, Values, or_zeros, zeros
from s2s.types import COMPLEX64, COMPLEX128, FLOAT16, FLOAT32, FLOAT64, Array, Atom, is_float

TO_REAL: dict[np.dtype, np.dtype] = {COMPLEX64: FLOAT32, COMPLEX128: FLOAT64}
TO_COMPLEX: dict[np.dtype, np.dtype] = {FLOAT16: COMPLEX64, FLOAT32: COMPLEX64, FLOAT64: COMPLEX128}

# ---- convert --------------------------------------------------------------------------------------------------------


def _infer_convert(ins: tuple[Atom, ...], *, dtype: np.dtype, weak: bool = False) -> tuple[Array, ...]:
    if ins[0].type.dtype.kind == "c" and np.dtype(dtype).kind != "c":
        raise ArgumentTypeError(f"{ins[0].type} can't be converted to {dtype}: take its real part first")
    return (replace(ins[0].type.with_dtype(dtype), weak=weak),)


def _jvp_convert(dots: Any, ins: Values, outs: Values, *, dtype: np.dtype, weak: bool = False) -> tuple[Value | None, ...]:
    return (convert(dots[0], dtype=dtype) if dots[0] is not None and is_float(np.dtype(dtype)) else None,)


def _transpose_convert(bars: Any, ins: Values, linear: tuple[bool, ...], **_: Any) -> tuple[Value]:
    (bar,), wanted = bars, ins[0].dtype
    return (converted(real(bar) if bar.dtype.kind == "c" and wanted.kind != "c" else bar, wanted),)


def converted(x: Value, dtype: np.dtype) -> Value:
    """x as dtype; x itself where it is."""
    return x if x.dtype == dtype else convert(x, dtype=np.dtype(dtype))


def _convert_samples() -> tuple[Sample, ...]:
    samples = []
    for source, target in ("ff", "fi", "fb", "fc", "ii", "if", "ib", "ic", "bi", "bf", "bc", "cc"):
        for dtype in {"f": (np.float64, np.float32), "i": (np.int64, np.int32), "b": (np.bool_,), "c": (np.complex128,)}[target]:
            wrt = (0,) if source in "fc" and target in "fc" else ()
            samples += [Sample(draw((REAL,), shape, np.dtype(KINDS[source])), {"dtype": np.dtype(dtype)}, wrt) for shape in ((), (2, 3), (0,))]
    return tuple(samples)


convert = Primitive(
    "convert", infer=_infer_convert, evaluate=lambda x, *, dtype, weak=False: np.asarray(x).astype(dtype), jvp=_jvp_convert,
    transpose=_transpose_convert, batch=batch_elementwise, cost=Cost.CHEAP, emission=Elementwise("a.astype(dtype)", "dtype(a)"), storage=NEW,
    samples=_convert_samples(),
)
"""convert(x; dtype): x.astype(dtype), strong unless `weak`. Of complex numbers only to complex (take `real` first)."""

# ---- parts ----------------------------------------------------------------------------------------------------------


def _infer_real(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    (type_,) = same_types(ins)
    return (replace(type_, dtype=TO_REAL[type_.dtype]),)


def _infer_complex(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    (type_,) = same_types(ins)
    return (replace(type_, dtype=TO_COMPLEX[type_.dtype]),)


def _zeros_like(x: Value) -> Value:
    return zeros(x.builder, x.type)


def _linear_jvp(row: Any) -> Any:
    """The tangent of a row that is linear over the reals: the row of the tangents."""

    def jvp(dots: tuple[Value | None, ...], ins: Values, outs: Values) -> tuple[Value | None, ...]:
        if all(dot is None for dot in dots):
            return (None,)
        return (row()(*(or_zeros(dot, x) for dot, x in zip(dots, ins, strict=True))),)

    return jvp


real: Primitive = elementwise("real", lambda x: np.array(np.real(x)), partials=Tangent(_linear_jvp(lambda: real)), array="+a.real", scalar="a.real", domains=(REAL,),
                   infer=_infer_real, transpose=lambda bars, ins, linear: (complex_(bars[0], _zeros_like(bars[0])),),
                   cost=Cost.CHEAP, dtypes="c")
imag: Primitive = elementwise("imag", lambda x: np.array(np.imag(x)), partials=Tangent(_linear_jvp(lambda: imag)), array="+a.imag", scalar="a.imag", domains=(REAL,),
                   infer=_infer_real, transpose=lambda bars, ins, linear: (complex_(_zeros_like(bars[0]), -bars[0]),),
                   cost=Cost.CHEAP, dtypes="c")
"""The + makes new storage: NumPy's .real and .imag are views."""


def _join(re: Any, im: Any) -> Any:
    result = np.empty(np.shape(re), TO_COMPLEX[np.asarray(re).dtype])
    result.real, result.imag = re, im
    return result


complex_: Primitive = elementwise("complex_", _join, partials=Tangent(_linear_jvp(lambda: complex_)), array="complex_of(a, b)", scalar="complex(a, b)",
                       domains=TWO, infer=_infer_complex, cost=Cost.CHEAP, dtypes="f",
                       transpose=lambda bars, ins, linear: (real(bars[0]) if linear[0] else None, -imag(bars[0]) if linear[1] else None))
"""complex_(re, im): re + i im, of any floats; of these NumPy has no function, and `1j * im` makes nan of an infinite one."""
conj: Primitive = elementwise("conj", np.conj, partials=Tangent(_linear_jvp(lambda: conj)), array="np.conj(a)", scalar="a.conjugate()",
                   domains=(REAL,), transpose=lambda bars, ins, linear: (conj(bars[0]),), cost=Cost.CHEAP, dtypes="c")


def _infer_absolute(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    return _infer_real(ins) if ins[0].type.dtype.kind == "c" else same_types(ins)


def _jvp_absolute(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    """Re(conj(x) * x_dot) / abs(x), zero at a complex zero; +1 at a real zero."""
    (x,), (ans,), (dot,) = ins, outs, dots
    if dot is None:
        return (None,)
    if x.dtype.kind != "c":
        return ((x >= 0.0).where(1.0, x.like(-1.0)) * dot,)
    return (real(conj(x) * dot) / ans.equals(0.0).where(1.0, ans),)


absolute = elementwise("absolute", np.absolute, partials=Tangent(_jvp_absolute), array="np.abs(a)", scalar="abs(a)", complex_scalar="hypot(a.real, a.imag)", domains=(REAL,),
                       infer=_infer_absolute, cost=Cost.CHEAP, dtypes="ifc")
"""Of complex numbers the (real) modulus."""

ROWS: tuple[Primitive, ...] = (convert, real, imag, complex_, conj, absolute)
