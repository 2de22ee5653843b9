"""Random calls: a function of the tables with some of its parameters, and points (arguments) to call it at.

    call = drawn("np.cumsum", 17)        def f(x0, x1): return np.cumsum(x0, axis=-1, out=x1)
    call.point(3)                        the fourth choice of x0 and x1

What takes part in the text is the same at every point, so that one program serves them all.
"""
from __future__ import annotations

import inspect
import math
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import scipy.special

from . import calls_table as table
from .calls_draw import DTYPES, NARROW, Argument, Draw, choose
from .calls_kinds import KINDS
from .calls_uses import used

NAMES: tuple[str, ...] = (
    *table.UFUNCS, *table.CALLS, *table.UPDATES, *(f"x.{name}()" for name in table.METHODS), *(f"x.{name}" for name in table.ATTRIBUTES), *table.FORMS,
)  # fmt: skip
"""All that is drawn."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a function: its kind (of `calls_kinds`), and how it is given."""

    name: str
    kind: str
    required: bool
    keyword: bool = False
    position: bool = False
    star: bool = False


@dataclass(frozen=True)
class Given:
    """An argument of a call as text, with its keyword."""

    parameter: str
    text: str
    keyword: bool

    def __str__(self) -> str:
        return f"{self.parameter}={self.text}" if self.keyword else self.text


@dataclass(frozen=True)
class Call:
    """A drawn call. `without`: parameters that are left out; `plain`: simple arguments; `alone`: its result is not used (all make a failing call small)."""

    name: str
    seed: int
    without: frozenset[str] = frozenset()
    plain: bool = False
    alone: bool = False

    def point(self, number: int) -> tuple[str, list[Argument]]:
        """The text of the function, and the arguments of this point."""
        return _drawn(self, number)

    def smaller(self) -> Iterator[Call]:
        """Calls with one argument less, simpler ones, the call alone."""
        if not self.alone:
            yield replace(self, alone=True)
        if not self.plain:
            yield replace(self, plain=True)
        for parameter in parameters(self.name):
            if not parameter.required and parameter.name not in self.without:
                yield replace(self, without=self.without | {parameter.name})


def function_of(name: str) -> Any:
    """The function that a name of the table means."""
    return eval(name, {"np": np, "math": math, "scipy": scipy})


@cache
def parameters(name: str) -> tuple[Parameter, ...]:
    """A function's parameters, from the table and NumPy's signature."""
    if name in table.UFUNCS:
        operands = [Parameter(*each.split(":"), required=True, position=True) for each in table.UFUNCS[name].split()]
        options = [Parameter(*each.split(":"), required=False, keyword=True) for each in table.UFUNC_OPTIONS.split()]
        operands = [replace(each, required=False, keyword=True, position=False) if each.name == "axis" else each for each in operands]
        return (*operands, *options)
    if name.startswith("x."):
        method = name[2:-2]
        text, function = table.METHODS.get(method, ""), getattr(np.ndarray, method, getattr(np.float64, method, None))
    else:
        text, function = {**table.CALLS, **table.UPDATES}.get(name, ""), function_of(name) if name not in table.FORMS else None
    known = _known(function)
    return tuple(_parameter(each, known) for each in text.split())


def _known(function: Any) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # a builtin without a signature
        return {}


def _parameter(text: str, known: dict[str, inspect.Parameter]) -> Parameter:
    name, kind = text.split(":")
    star, optional = len(name) - len(name.lstrip("*")), name.endswith("?")
    name = name.strip("*?")
    if star:
        return Parameter(name, kind, required=star == 1, keyword=star == 2, position=star == 1, star=star == 1)
    own = known.get(name)
    if own is None:
        return Parameter(name, kind, required=not optional, position=True)
    return Parameter(name, kind, own.default is own.empty, own.kind is own.KEYWORD_ONLY, own.kind is own.POSITIONAL_ONLY)


USED = 0.25
"""How many calls' results are used by another call or a store."""


# ---- drawing ---------------------------------------------------------------------------------------------------------------


def _drawn(call: Call, number: int) -> tuple[str, list[Argument]]:
    draw = Draw(call.seed, number)
    if call.plain:
        draw.flavour = "plain" if draw.flavour == "special" else draw.flavour
    if call.name in table.FORMS:
        body = re.sub(r"\{(\w+)\}", lambda found: KINDS[found[1]](draw), table.FORMS[call.name])
        body = body.replace("y = x0", "y = x0 * 1") if draw.chance(0.5) and "y = x0\n" in body and body.count("\n") else body
    else:
        body = body_of(call, draw)
    if draw.chance(USED) and not call.alone:
        body = used(draw, body)
    names = ", ".join(f"x{k}" for k in range(len(draw.arguments)))
    arguments = [replace(each, layout="C") for each in draw.arguments] if call.plain else draw.arguments
    library = "import scipy.fft\nimport scipy.special\n" if "scipy.fft." in body else "import scipy.special\n" if "scipy." in body else ""
    return f"import math\n\nimport numpy as np\n{library}\n\ndef f({names}):\n    {body}\n", arguments


def body_of(call: Call, draw: Draw) -> str:
    """The call, and what its function gives back."""
    name = call.name
    if name.startswith("x."):
        method = name[2:].removesuffix("()")
        of = KINDS[table.METHOD_OF.get(method, "array")](draw)
        if method not in table.OF_NUMBERS and draw.arguments:  # Python's numbers have few of NumPy's methods
            draw.arguments[0] = replace(draw.arguments[0], value=np.asarray(draw.arguments[0].value)[()])
        of = f"({of})" if not of[0] == "x" else of
        if not name.endswith("()"):
            return f"return {of}.{method}"
        name = f"{of}.{method}"
    given = _given(call, draw)
    if call.name in table.UFUNCS and (draw.out is None or _writes_beside(call.name)):  # where `where` is false nothing is written: what was in memory
        given = [each for each in given if each.parameter != "where"]
    text = f"{name}({', '.join(map(str, given))})"
    if draw.out is not None:
        draw.arguments[draw.out] = Argument(_out_for(draw, f"{name}({', '.join(str(each) for each in given if each.parameter != 'out')})"))
    if call.name in table.UPDATES or call.name in ("x.fill()", "x.sort()", "x.put()", "x.partition()"):
        return f"{text}\n    return x0"
    if call.name in table.VIEWED and draw.chance(0.2) and draw.arguments and np.ndim(draw.arguments[0].value):  # an array without axes is a number here
        return f"y = {text}\n    y[...] = 7\n    return y, x0"
    return table.SPECIAL_BODY.get(call.name, "return {call}").format(call=text)


@cache
def _writes_beside(name: str) -> bool:
    """Whether a ufunc of SciPy writes where `where` is false: SciPy 1.17's loops in C++ move NumPy's pointers, and each run of true ones starts twice as far on."""
    if not name.startswith("scipy."):
        return False
    function, chosen = function_of(name), np.array([True, False, True, False])
    out = tuple(np.full(4, 7.25) for _ in range(function.nout))
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(*[np.array(1.5)] * function.nin, out=out, where=chosen)
    except TypeError:
        return False
    return any((each[~chosen] != 7.25).any() for each in out)


def _given(call: Call, draw: Draw) -> list[Given]:
    share, given, in_place = draw.pick((0.1, 0.3, 0.3, 0.6)), [], True
    share = 0.12 if call.name in table.UFUNCS and share > 0.1 else share
    for parameter in parameters(call.name):
        wanted = (parameter.required or draw.chance(share)) and parameter.kind != "left_out"
        if not wanted or (parameter.position and not in_place):
            in_place = in_place and parameter.keyword
            continue
        before = (list(draw.arguments), draw.out, draw.base, draw.last)
        text = KINDS[parameter.kind](draw)
        keyword = parameter.keyword or not in_place or (not parameter.position and draw.chance(0.25))
        if parameter.name in call.without:
            draw.arguments, draw.out, draw.base, draw.last = before
            in_place = in_place and parameter.keyword
            continue
        in_place = in_place and not keyword
        if parameter.star and not text:
            continue
        given.append(Given(parameter.name, text, keyword))
    return given


def _out_for(draw: Draw, text: str) -> Any:
    """An array like the call's result, now and then another."""
    odd = draw.fixed.random()
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            built = {f"x{k}": each.build() for k, each in enumerate(draw.arguments)}
            result = eval(text, {"np": np, "math": math, **built})
        like = np.zeros_like(np.asarray(result))
    except Exception:  # noqa: BLE001 a call that fails has any out
        like = np.zeros(2)
    if odd < 0.1:
        like = np.zeros(like.shape, draw.pick(("float64", "float32", "int64", "complex128")))
    elif odd < 0.15:
        like = np.zeros((*like.shape, 2))
    return like if like.dtype.name in (*DTYPES, *NARROW) else np.zeros(2)


# ---- running ---------------------------------------------------------------------------------------------------------------


def seeds(seed: int, count: int, names: tuple[str, ...] = NAMES) -> Iterator[Call]:
    """So many calls: all names in turn, in an order of their own for each round."""
    import random

    rng = random.Random(seed)
    made = 0
    while made < count:
        order = sorted(names, key=lambda _: rng.random())
        for name in order[: count - made]:
            yield Call(name, int(choose(rng, range(10**9))))
            made += 1


def run_numpy(function: Callable[..., Any], arguments: list[Any]) -> Any:
    """What NumPy gives."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*arguments)
