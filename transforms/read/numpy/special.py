"""scipy.special's functions of one element; results have the dtypes of SciPy's own loops (`ufuncs.ufunc`, by_loop)."""
from __future__ import annotations

from collections.abc import Callable

from s2s.transforms.primitives import elementwise, rows, special_of_scipy
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.names import within
from s2s.transforms.read.numpy.building import Operand, unsupported
from s2s.transforms.read.numpy.common import aligned, lift


def special(row: Primitive) -> Callable[..., Value]:
    """The function of a row that is defined for real floats."""

    def apply(*operands: Operand) -> Value:
        values = [lift(operand) for operand in operands]
        if any(value.dtype.kind == "c" for value in values):
            raise unsupported(f"scipy.special's {row.name} of complex numbers is not supported", instead="a formula of your own, or s2s.register")
        return row(*aligned(*values))

    return apply


SPECIAL: dict[str, Callable[..., Value]] = within(
    "scipy.special", erf=special(rows.erf), erfc=special(rows.erfc), expit=special(rows.expit), logit=special(rows.logit), gamma=special(rows.gamma),
    gammaln=special(rows.gammaln), digamma=special(rows.digamma), psi=special(rows.digamma), xlogy=special(rows.xlogy), xlog1py=special(rows.xlog1py), entr=special(rows.entr),
    **{name: special(row) for name, row in special_of_scipy.FUNCTIONS.items()},
    expm1=special(elementwise.expm1), log1p=special(elementwise.log1p), cbrt=special(elementwise.cbrt), exp2=special(elementwise.exp2),
)  # fmt: skip
"""Qualified name -> the function of Values."""
