"""scipy.special's functions of one element; results have the dtypes of SciPy's own loops (`ufuncs.ufunc`, by_loop)."""
from __future__ import annotations

from collections.abc import Callable

from s2s.transforms.primitives.value import Value
from s2s.transforms.read.names import within
from s2s.transforms.read.numpy.building import Operand, row, unsupported
from s2s.transforms.read.numpy.common import aligned, lift


def special(name: str) -> Callable[..., Value]:
    """The function of a row that is defined for real floats."""

    def apply(*operands: Operand) -> Value:
        values = [lift(operand) for operand in operands]
        if any(value.dtype.kind == "c" for value in values):
            raise unsupported(f"scipy.special's {name} of complex numbers is not supported", instead="a formula of your own, or s2s.register")
        return row(name)(*aligned(*values))

    return apply


SPECIAL: dict[str, Callable[..., Value]] = within(
    "scipy.special", erf=special("erf"), erfc=special("erfc"), expit=special("expit"), logit=special("log_odds"), gamma=special("gamma_function"),
    gammaln=special("gammaln"), digamma=special("digamma"), psi=special("digamma"), xlogy=special("xlogy"), xlog1py=special("xlog1py"), entr=special("entr"),
)  # fmt: skip
"""Qualified name -> the function of Values."""
