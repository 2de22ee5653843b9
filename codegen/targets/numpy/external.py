"""Calls of functions that s2s can't read: `y = scipy.special.gammaln(x)`."""
from __future__ import annotations

import numpy as np

from s2s.codegen.language.expressions import Constant, Expr, Invoke, Tuple, Type
from s2s.codegen.language.operations import dtype_name
from s2s.codegen.lowering.external import PYTHON_NUMBER, checking, import_module
from s2s.codegen.targets.numpy.target import Arrays
from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives.opaque import External
from s2s.types import kind_of


def numpy_external(low: Arrays, node: Equation) -> None:
    """A call in an expression; ufuncs are known to return what they say."""
    call: External = node.params["call"]
    (out,), operands = node.outs, node.ins[call.ndim:]
    import_module(low.module, call.name)
    value: Expr = Invoke(call.name, tuple(low.whole(atom) for atom in operands))
    if not (isinstance(call.function, np.ufunc) and call.elementwise):
        check = checking(low.module)
        dims = tuple(low.scalar(size) for size in node.ins[: call.ndim])
        value = Invoke(check, (Constant(call.name), value, Type(call.dtype), Tuple(dims)))
        value = value if out.type.shape else Invoke(PYTHON_NUMBER[kind_of(call.dtype)] if call.dtype in (np.float64, np.int64) else dtype_name(call.dtype), (value,))
    low.bind(out, value, low.places.reads(*node.ins), view=False)
