"""SciPy's own C functions: scalar texts call them by these names, where a formula of ours would be worse.

`scipy.special.cython_special` offers their addresses. Emitted modules give each a name that the linker knows, so that machine code
which calls it can be cached.
"""
from __future__ import annotations

from s2s.records import dataclass

_NUMBA = {"d": "float64", "l": "intp"}


@dataclass(frozen=True)
class CFunction:
    """A function of numbers.

    Attributes
    ----------
    symbol: Its name in `scipy.special.cython_special`, the variant for these types of those that have several.
    takes: A letter for each operand: d a double, l an integer, D a complex number.
    gives: The letter of the result.
    parts, part: Of one that writes several results to where it is told: how many, and which of them this is.
    optional: Whether it has an argument that may be left out.
    """

    symbol: str
    takes: str
    gives: str = "d"
    parts: int = 0
    part: int = 0
    optional: bool = False

    def text(self, name: str) -> str:
        """The module's function of this name."""
        operands = self._operands()
        if self.parts:
            size, dtype = (16, ", np.complex128") if self.gives == "D" else (8, "")
            places = ", ".join(f"parts.ctypes.data + {size * k}" for k in range(self.parts))
            return f"def {name}({operands}):\n    parts = np.empty({self.parts}{dtype})\n    scipy_{name}({operands}, {places})\n    return parts[{self.part}]"
        rest = "" if self.gives == "D" else ", 0, 0" if self.optional else ", 0"
        return f"def {name}({operands}):\n    return scipy_{name}({operands}{rest})"

    def prelude(self, name: str) -> str:
        """The lines before it: where it is, and what it takes (the last argument is Cython's own; places of results have none)."""
        linked = f"scipy.special.{self.symbol}"
        found = f'add_symbol("{linked}", get_cython_function_address("scipy.special.cython_special", "{self.symbol}"))\n'
        if self.gives == "D":
            operands = ", ".join([self._operands(), *(f"p{k}" for k in range(self.parts))])
            return f'{found}\n\n@intrinsic\ndef scipy_{name}(context, {operands}):\n    return complex_function("{linked}", {operands})'
        own = ["uintp"] * self.parts or (["intc", "uintp"] if self.optional else ["intc"])
        taken = ", ".join(f"types.{each}" for each in (*(_NUMBA[letter] for letter in self.takes), *own))
        return f'{found}scipy_{name} = types.ExternalFunction("{linked}", types.{"void" if self.parts else "float64"}({taken}))'

    def _operands(self) -> str:
        return ", ".join("wxyz"[-len(self.takes) :])


IMPORTS = ("from llvmlite.binding import add_symbol", "from numba.extending import get_cython_function_address")


def _plain(takes: str, *names: str, end: str = "") -> dict[str, CFunction]:
    """Functions that are called here what they are called there; `end`: what is added here."""
    return {name + end: CFunction(name, takes) for name in names}


def _fused(number: str, takes: str, *names: str, before: str = "", end: str = "") -> dict[str, CFunction]:
    """The variants of this number of functions that have several; `before` and `end`: what is added to their names here."""
    return {f"{before}{name}{end}": CFunction(f"__pyx_fuse_{number}{name}", takes, "D" if "D" in takes else "d") for name in names}


def _parts(symbol: str, takes: str, *names: str) -> dict[str, CFunction]:
    """The results of a function that has several."""
    return {name: CFunction(symbol, takes, takes[-1], parts=len(names), part=part) for part, name in enumerate(names)}


def _parts_of_both(symbol: str, *names: str) -> dict[str, CFunction]:
    """Those of the variants for floats and for complex numbers."""
    return {**_parts(f"__pyx_fuse_1{symbol}", "d", *names), **_parts(f"__pyx_fuse_0{symbol}", "D", *(f"complex_{name}" for name in names))}


_POLYNOMIALS = (
    "eval_legendre", "eval_chebyt", "eval_chebyu", "eval_chebyc", "eval_chebys", "eval_laguerre", "eval_sh_legendre", "eval_sh_chebyt", "eval_sh_chebyu",
)  # fmt: skip
_WITH_PARAMETER, _WITH_TWO = ("eval_gegenbauer", "eval_genlaguerre"), ("eval_jacobi",)
_END = "_function"

C_FUNCTIONS: dict[str, CFunction] = {
    **_plain("d", "erfcinv", "ndtri", "ndtri_exp", "ellipk", "ellipe", "ellipkm1", "exprel", "gammasgn", "exp10", "cosm1", "sindg", "cosdg", "tandg", "cotdg"),
    **_plain("dd", "betaln", "gammainc", "gammaincc", "gammaincinv", "gammainccinv", "rel_entr", "kl_div", "ellipkinc", "ellipeinc", "owens_t"),
    **_plain("ddd", "hyperu", "lpmv", "voigt_profile"), **_plain("ld", "eval_hermite", "eval_hermitenorm"),
    **_plain("d", "kolmogorov", "kolmogi", end=_END), **_plain("dd", "chdtr", "chdtrc", "chdtri", "pdtr", "pdtrc", "tklmbda", end=_END),
    **_plain("ddd", "gdtr", "gdtrc", "gdtrix", end=_END),
    **_fused("0", "d", "erfinv", "log_expit"), **_fused("1", "d", "erfcx", "ndtr", "log_ndtr", "dawsn", "exp1", "expi", "spence", "rgamma", "loggamma", "erfi"),
    **_fused("0", "dd", "stdtr", "stdtrit", "powm1"), **_fused("0", "ddd", "betainc", "betaincc", "betaincinv", "betainccinv"),
    **_fused("1", "dd", "elliprc", "hyp0f1"), **_fused("1", "ddd", "elliprd", "elliprf", "elliprg", "hyp1f1"), **_fused("1", "dddd", "elliprj", "hyp2f1"),
    **_fused("0", "dD", "hyp0f1", before="complex_"), **_fused("0", "ddD", "hyp1f1", before="complex_"), **_fused("0", "dddD", "hyp2f1", before="complex_"),
    **_fused("2", "ld", "expn"), **_fused("2", "ld", "smirnov", "smirnovi", "pdtri", end=_END),
    **_fused("0", "ddd", "fdtr", "fdtrc", "fdtri", "chndtr", "nctdtr", end=_END), **_fused("0", "dddd", "ncfdtr", end=_END),
    **_fused("2_1", "ld", *_POLYNOMIALS), **_fused("2_1", "ldd", *_WITH_PARAMETER), **_fused("2_1", "lddd", *_WITH_TWO),
    **_fused("0_1", "dd", *_POLYNOMIALS, before="real_"), **_fused("0_1", "ddd", *_WITH_PARAMETER, before="real_"), **_fused("0_1", "dddd", *_WITH_TWO, before="real_"),
    **_fused("0", "D", "erf", "erfc", "erfcx", "erfi", "dawsn", "ndtr", "log_ndtr", "exp1", "expi", "spence", "rgamma", "loggamma", "log1p", "expm1", before="complex_"),
    **_fused("0", "DD", "xlogy", "xlog1py", before="complex_"),
    **{f"bessel_{name}": CFunction(name, "d") for name in ("i0", "i0e", "i1", "i1e", "j0", "j1", "y0", "y1", "k0", "k0e", "k1", "k1e")},
    **{f"kelvin_{name}": CFunction(name, "d") for name in ("ber", "bei", "ker", "kei", "berp", "beip", "kerp", "keip")},
    **_fused("1", "dd", "iv", "ive", "jv", "jve", "kv", "kve", "yv", "yve", before="bessel_"), **_fused("0", "dD", "iv", "ive", "jv", "jve", "kv", "kve", "yv", "yve", before="complex_bessel_"),
    **_fused("2", "ld", "yn", "kn", before="bessel_"), **{f"bessel_{name}": CFunction(name, "dd") for name in ("struve", "modstruve")},
    **{f"complex_bessel_{name}": CFunction(name, "dD", "D") for name in ("hankel1", "hankel2", "hankel1e", "hankel2e")},
    **{name: CFunction(f"__pyx_fuse_1{name}", "ld", optional=True) for name in ("spherical_jn", "spherical_yn", "spherical_in", "spherical_kn")},
    **_parts_of_both("airy", "airy_ai", "airy_ai_slope", "airy_bi", "airy_bi_slope"),
    **_parts_of_both("airye", "airye_ai", "airye_ai_slope", "airye_bi", "airye_bi_slope"),
    **_parts("ellipj", "dd", "jacobi_sn", "jacobi_cn", "jacobi_dn", "jacobi_amplitude"), **_parts_of_both("sici", "sine_integral", "cosine_integral"),
    **_parts_of_both("shichi", "sinh_integral", "cosh_integral"), **_parts_of_both("fresnel", "fresnel_sine", "fresnel_cosine"),
    **_parts("itj0y0", "d", "integral_of_j0", "integral_of_y0"), **_parts("iti0k0", "d", "integral_of_i0", "integral_of_k0"),
    **_parts("it2j0y0", "d", "second_integral_of_j0", "second_integral_of_y0"), **_parts("it2i0k0", "d", "second_integral_of_i0", "second_integral_of_k0"),
    **_parts("itairy", "d", "integral_of_ai", "integral_of_bi", "integral_of_ai_below", "integral_of_bi_below"),
    "integral_of_struve": CFunction("itstruve0", "d"), "second_integral_of_struve": CFunction("it2struve0", "d"), "integral_of_modstruve": CFunction("itmodstruve0", "d"),
    **_fused("0", "dd", "pdtrik", end=_END), **_fused("0", "ddd", "nctdtrit", "chndtrix", "chndtridf", "chndtrinc", "btdtria", "btdtrib", end=_END), **_fused("0", "dddd", "ncfdtri", end=_END),
    **_plain("dd", "stdtridf", end=_END), **_plain("ddd", "nctdtridf", "nctdtrinc", "gdtria", "gdtrib", "fdtridfd", "bdtrik", "bdtrin", "nbdtrik", "nbdtrin", "nrdtrimn", "nrdtrisd", end=_END),
    **_plain("dddd", "ncfdtridfd", "ncfdtridfn", "ncfdtrinc", end=_END), **_plain("ddd", "wright_bessel", "log_wright_bessel", "besselpoly", end=_END), **_plain("dd", "mathieu_a", "mathieu_b", end=_END),
    **_fused("0", "dd", "chdtriv", end=_END),
    "beta_function": CFunction("beta", "dd"), "binomial": CFunction("binom", "dd"), "pochhammer": CFunction("poch", "dd"),
    "zeta_less_one": CFunction("zetac", "d"), "arithmetic_geometric_mean": CFunction("agm", "dd"), "radians_of_degrees": CFunction("radian", "ddd"),
    "box_cox": CFunction("boxcox", "dd"), "box_cox_1p": CFunction("boxcox1p", "dd"), "inverse_box_cox": CFunction("inv_boxcox", "dd"),
    "inverse_box_cox_1p": CFunction("inv_boxcox1p", "dd"), "huber_loss": CFunction("huber", "dd"), "pseudo_huber_loss": CFunction("pseudo_huber", "dd"),
    "complex_gamma_function": CFunction("__pyx_fuse_0gamma", "D", "D"), "complex_digamma": CFunction("__pyx_fuse_0psi", "D", "D"), "faddeeva": CFunction("wofz", "D", "D"),
    "wright_omega": CFunction("__pyx_fuse_1wrightomega", "d"), "complex_wright_omega": CFunction("__pyx_fuse_0wrightomega", "D", "D"),
    "bdtr_function": CFunction("__pyx_fuse_2bdtr", "dld"), "bdtrc_function": CFunction("__pyx_fuse_2bdtrc", "dld"), "bdtri_function": CFunction("__pyx_fuse_2bdtri", "dld"),
    **_fused("2", "lld", "nbdtr", "nbdtrc", "nbdtri", end=_END),
}  # fmt: skip
"""By the name that scalar texts use: none that a user's variable is likely to have."""
