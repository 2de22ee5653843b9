"""Wright's functions, characteristic values of Mathieu's equation, and others that SciPy's own C has. Source: NIST Digital Library of Mathematical Functions, 10.46."""
from __future__ import annotations

from s2s.transforms.primitives.elementwise import exp
from s2s.transforms.primitives.families import POSITIVE, Domain, Missing
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.scipy_rows import Loops, missing, rows_of, scipy_row, unknown
from s2s.transforms.primitives.special import INSIDE
from s2s.transforms.primitives.value import Value


def _valued(name: str, *domains: Domain) -> Primitive:
    return scipy_row(name, unknown(name), *domains, own_name=f"{name}_function")


def _wright_partials(ans: Value, a: Value, b: Value, x: Value) -> tuple[Missing, Missing, Value]:
    return missing("a", "wright_bessel"), missing("b", "wright_bessel"), wright_bessel(a, a + b, x)


def _log_wright_partials(ans: Value, a: Value, b: Value, x: Value) -> tuple[Missing, Missing, Value]:
    return missing("a", "log_wright_bessel"), missing("b", "log_wright_bessel"), exp(log_wright_bessel(a, a + b, x) - ans)


wright_bessel = scipy_row("wright_bessel", _wright_partials, POSITIVE, POSITIVE, POSITIVE, own_name="wright_bessel_function", only=(2,))
log_wright_bessel = scipy_row("log_wright_bessel", _log_wright_partials, POSITIVE, POSITIVE, POSITIVE, own_name="log_wright_bessel_function", only=(2,))
besselpoly, chdtriv = _valued("besselpoly", POSITIVE, POSITIVE, POSITIVE), _valued("chdtriv", INSIDE, POSITIVE)
mathieu_a, mathieu_b = _valued("mathieu_a", (2.0, 2.0), POSITIVE), _valued("mathieu_b", (2.0, 2.0), POSITIVE)

RARER_SPECIAL: dict[str, Loops] = {
    "wright_bessel": wright_bessel, "log_wright_bessel": log_wright_bessel, "besselpoly": besselpoly, "chdtriv": chdtriv, "mathieu_a": mathieu_a, "mathieu_b": mathieu_b,
}  # fmt: skip
"""By their names in scipy.special."""

ROWS = rows_of(RARER_SPECIAL)
