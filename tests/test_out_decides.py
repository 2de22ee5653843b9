"""Reductions into an out of another dtype: NumPy computes in the out's dtype. Right, or refused."""
import warnings

import numpy as np
import pytest
from fuzz.object_check import differs

import s2s
from s2s.errors import UnsupportedError

FUNCTIONS = {
    "sum": lambda x, out: np.sum(x, axis=0, out=out), "prod": lambda x, out: np.prod(x, 0, None, out), "mean": lambda x, out: np.mean(x, axis=0, out=out),
    "std": lambda x, out: np.std(x, axis=0, out=out), "var": lambda x, out: np.var(x, axis=0, out=out), "reduce": lambda x, out: np.add.reduce(x, 0, out=out),
    "multiply": lambda x, out: np.multiply.reduce(x, out=out), "method": lambda x, out: x.sum(0, out=out), "nansum": lambda x, out: np.nansum(x, 0, out=out),
    "nanmean": lambda x, out: np.nanmean(x, 0, out=out), "subtract": lambda x, out: np.subtract.reduce(x, out=out), "einsum": lambda x, out: np.einsum("ij->j", x, out=out),
    "median": lambda x, out: np.median(x, axis=0, out=out), "max": lambda x, out: np.max(x, axis=0, out=out), "ptp": lambda x, out: np.ptp(x, axis=0, out=out),
    "accumulate": lambda x, out: np.add.accumulate(x[0], 0, out=out), "products": lambda x, out: np.multiply.accumulate(x[0], out=out), "cumsum": lambda x, out: np.cumsum(x[0], out=out),
    "cumprod": lambda x, out: x[1].cumprod(out=out), "cumulative_sum": lambda x, out: np.cumulative_sum(x[0], out=out), "nancumsum": lambda x, out: np.nancumsum(x[0], out=out),
    "with a dtype": lambda x, out: np.sum(x, axis=0, dtype=np.float32, out=out), "percentile": lambda x, out: np.percentile(x, 30, axis=0, out=out),
    "elementwise": lambda x, out: np.add(x[0], x[1], out=out), "matmul": lambda x, out: np.matmul(x, x[0], out=out),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_outs_dtype_is_the_one_it_computes_in(name):
    rng, fun = np.random.default_rng(len(name)), FUNCTIONS[name]
    compiled = s2s.jit(fun, target="numpy")
    for dtype in (np.float32, np.float64, np.int8, np.int32, np.int64, np.bool_, np.complex64):
        for out_dtype in (np.float32, np.float64, np.int64, np.complex128):
            x = (rng.normal(size=(3, 3)) * 90).astype(dtype)
            ours, theirs = np.zeros(3, out_dtype), np.zeros(3, out_dtype)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    wanted = fun(x, theirs)
            except (TypeError, ValueError) as error:
                with pytest.raises((type(error), UnsupportedError)):
                    compiled(x, ours)
                continue
            try:
                found = compiled(x, ours)
            except UnsupportedError:
                continue
            if np.dtype(out_dtype).kind in "fc":
                np.testing.assert_allclose(found, wanted, rtol=1e-6 if out_dtype == np.float32 or name in ("elementwise", "matmul", "max", "with a dtype") else 1e-14, err_msg=f"{dtype} {out_dtype}")
                np.testing.assert_allclose(ours, theirs, rtol=1e-6)
            else:
                assert not differs(found, wanted, f"{dtype} {out_dtype}")


@pytest.mark.parametrize("call", [lambda x: np.average(x, axis=0, out=np.zeros(3)), lambda x: np.count_nonzero(x, axis=0, out=np.zeros(3)), lambda x: np.trapezoid(x, axis=0, out=np.zeros(3))])
def test_functions_without_an_out(call):
    x = np.arange(6.0).reshape(2, 3)
    for f in (call, s2s.jit(call, target="numpy")):
        with pytest.raises(TypeError, match="unexpected keyword argument 'out'"):
            f(x)
