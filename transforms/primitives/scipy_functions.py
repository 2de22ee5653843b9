"""SciPy's own C functions: scalar texts call them by these names, where a formula of ours would be worse.

`scipy.special.cython_special` offers their addresses. Emitted modules give each a name that the linker knows, so that machine code
which calls it can be cached.
"""
from __future__ import annotations

from s2s.records import dataclass


@dataclass(frozen=True)
class CFunction:
    """A function of doubles. `symbol`: its name in `scipy.special.cython_special`, the variant for doubles of those that have several."""

    symbol: str
    count: int

    def text(self, name: str) -> str:
        """The module's function of this name."""
        operands = ", ".join("xyz"[: self.count])
        return f"def {name}({operands}):\n    return scipy_{name}({operands}, 0)"

    def prelude(self, name: str) -> str:
        """The lines before it: where it is, and what it takes (the last argument is Cython's own)."""
        linked, doubles = f"scipy.special.{self.symbol}", ", ".join(["types.float64"] * self.count)
        return (
            f'add_symbol("{linked}", get_cython_function_address("scipy.special.cython_special", "{self.symbol}"))\n'
            f'scipy_{name} = types.ExternalFunction("{linked}", types.float64({doubles}, types.intc))'
        )


IMPORTS = ("from llvmlite.binding import add_symbol", "from numba.extending import get_cython_function_address")

C_FUNCTIONS: dict[str, CFunction] = {
    **{name: CFunction(name, 1) for name in ("erfcinv", "ndtri", "ndtri_exp", "ellipk", "ellipe", "exprel", "gammasgn")},
    **{f"bessel_{name}": CFunction(name, 1) for name in ("i0", "i0e", "i1", "i1e", "j0", "j1", "y0", "y1", "k0", "k0e", "k1", "k1e")},
    **{name: CFunction(name, 2) for name in ("betaln", "gammainc", "gammaincc", "gammaincinv", "gammainccinv", "rel_entr", "kl_div")},
    "beta_function": CFunction("beta", 2), "binomial": CFunction("binom", 2), "pochhammer": CFunction("poch", 2),
    **{name: CFunction(f"__pyx_fuse_0{name}", 1) for name in ("erfinv", "log_expit")},
    **{name: CFunction(f"__pyx_fuse_1{name}", 1) for name in ("erfcx", "ndtr", "log_ndtr", "dawsn", "exp1", "expi", "spence", "rgamma", "loggamma", "erfi")},
    **{f"bessel_{name}": CFunction(f"__pyx_fuse_1{name}", 2) for name in ("iv", "ive", "jv", "kv", "kve", "yv")},
    **{name: CFunction(f"__pyx_fuse_0{name}", 2) for name in ("stdtr", "stdtrit")},
    **{name: CFunction(f"__pyx_fuse_0{name}", 3) for name in ("betainc", "betaincc", "betaincinv")},
}  # fmt: skip
"""By the name that scalar texts use: none that a user's variable is likely to have."""
