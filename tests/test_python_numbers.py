"""Python's numbers and NumPy's scalars against Python itself: value, type, exception and its words, or a refusal.

Each expression is put into functions that meet it as an argument, as an element of an array, inside of a loop and inside of a branch, and is called with
numbers of all kinds: nan, infinities, zeros of both signs, subnormal and huge ones, ints, bools, complex numbers, NumPy's scalars.
"""
from __future__ import annotations

import copy
import importlib.util
import itertools
import math
import statistics
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from fuzz.bounds import Tally

import s2s

FLOATS = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -8.0, 1e308, 5e-324, 710.0, -745.5]
INTS = [0, 1, -1, 3, -2, True, False]
PYTHON = [*FLOATS, *INTS, 2 + 1j, 0j]
NUMPY = [
    *(np.float64(x) for x in (math.nan, math.inf, -math.inf, 0.0, -0.0, -8.0, 0.5)), np.int64(0), np.int64(-3), np.int64(5), np.int32(0), np.int32(4), np.float32(0.0), np.float32(-2.5),
    np.bool_(True), np.bool_(False), np.complex128(1j),
]  # fmt: skip

MATH = [
    "exp", "expm1", "exp2", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh",
    "atanh", "floor", "ceil", "trunc", "fabs", "degrees", "radians", "isnan", "isinf", "isfinite",
]  # fmt: skip
OF_ONE = [
    *(f"math.{name}(x)" for name in MATH), "math.pow(x, -1)", "math.pow(2.5, x)", "math.fmod(x, 2.0)", "math.fmod(1.0, x)", "math.atan2(x, 0.0)", "math.copysign(1.0, x)",
    "math.hypot(x, 1e308)", "math.log(x, 2)", "math.log(2.0, x)", "math.isclose(x, 1.0)", "-x", "~x", "not x", "abs(x)", "round(x)", "round(x, 1)", "round(x, -1)",
    "round(x, None)", "int(x)", "float(x)", "bool(x)", "complex(x)", "divmod(x, 2)", "divmod(x, 0)", "divmod(1, x)", "pow(x, 2)", "x ** -1", "x ** 2", "x ** -0.5", "x ** 0.5", "math.pow(x, 0.5)", "x ** 3",
    "2 ** x", "0.0 ** x", "(-8.0) ** x", "x // 0", "x % 0", "x / 0", "1 // x", "1.0 % x", "x << 2", "x << -1", "1 << x", "x >> -1", "sum([x, 1])", "sum([x])", "any([x])",
    "all([x, 1])", "x + True", "True + x", "x * 1j", "isinstance(x, int)", "isinstance(x, float)", "isinstance(x, bool)", "int(x) / 2", "np.float64(x)", "np.int64(x)",
    "np.float32(x)", "np.bool_(x)", "x > 0", "(x > 0) + 1", "(x > 0) + (x < 2)", "~(x > 0)", "x == x", "x.real", "x.conjugate()", "len(x)", "range(x)",
]  # fmt: skip
OF_TWO = ["x + y", "x - y", "x * y", "x / y", "x // y", "x % y", "x ** y", "divmod(x, y)", "x < y", "x == y", "math.pow(x, y)", "math.fmod(x, y)"]
SHIFTS = ["x << y", "x >> y", "x & y", "x | y", "x ^ y"]
SHIFTED = [0, 1, -1, 3, 62, True, False, np.int64(0), np.int64(-3), np.int64(70), np.int32(4), np.bool_(True)]

KNOWN = ("beyond 64 bits",)
"""Words of errors where Python has an integer of more than 64 bits."""


def written(folder: Path, name: str, texts: list[str]) -> ModuleType:
    """A module of functions f0, f1, …"""
    path = folder / f"{name}.py"
    path.write_text("import math\nimport numpy as np\n\n\n" + "\n\n\n".join(f"def f{k}{text}" for k, text in enumerate(texts)) + "\n")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def outcome(function: Any, args: tuple[Any, ...]) -> Any:
    """What it returns, or the exception that it raises."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*copy.deepcopy(args))
        except Exception as error:  # noqa: BLE001 - any: it is compared
            return error


def kind(value: Any) -> Any:
    """The type of a result, with those of its parts."""
    return tuple(map(kind, value)) if isinstance(value, tuple) else (type(value), getattr(value, "dtype", None), np.shape(value))


def equal(a: Any, b: Any) -> bool:
    """Whether two results hold the same numbers, zeros of one sign."""
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, range) or isinstance(a, int) and isinstance(b, int):
        return bool(a == b)
    close = np.allclose(a, b, rtol=1e-14, atol=0, equal_nan=True)
    return bool(close) and bool(np.any(np.isnan(a)) or np.all(np.signbit(np.real(a)) == np.signbit(np.real(b))))


def fault(found: Any, wanted: Any) -> str:
    """What is wrong with an outcome; empty if nothing is: it is Python's own, or a refusal."""
    if isinstance(found, NotImplementedError) or isinstance(found, OverflowError) and any(words in str(found) for words in KNOWN):
        return ""
    if isinstance(found, Exception):
        same = isinstance(wanted, Exception) and (isinstance(found, type(wanted)) or isinstance(wanted, np._core._exceptions.UFuncTypeError))
        return "" if same and str(found).splitlines()[0] == str(wanted) else f"raises {type(found).__name__}: {found}"
    if isinstance(wanted, Exception):
        return f"gives {found!r}"
    if not equal(found, wanted):
        return f"gives {found!r}"
    return "" if kind(found) == kind(wanted) else f"is {kind(found)}"


def faults(folder: Path, name: str, cases: list[tuple[str, list[tuple[Any, ...]]]]) -> list[str]:
    """Every case run by s2s and by Python; what differs."""
    module = written(folder, name, [text for text, _ in cases])
    found, tally = [], Tally("numbers")
    for k, (text, calls) in enumerate(cases):
        function = getattr(module, f"f{k}")
        ours = s2s.jit(function, target="numpy")
        for args in calls:
            wanted, given = outcome(function, args), outcome(ours, args)
            tally.add("refused" if isinstance(given, NotImplementedError) else "right", text)
            if wrong := fault(given, wanted):
                found.append(f"{text!r} of {args!r}: {wrong}, Python: {wanted!r}")
    tally.check()
    return found


def need_none(found: list[str]) -> None:
    """Fail, and show some of what was found."""
    assert not found, f"{len(found)}:\n" + "\n".join(found[:40])


def calls_of(numbers: list[Any]) -> list[tuple[Any, ...]]:
    return [(number,) for number in numbers]


def expected(line: str) -> bool:
    """Python's complex numbers divide and multiply by formulas of their own where a number is subnormal or not finite."""
    return "j)" in line or "0j" in line and "5e-324" in line


@pytest.mark.parametrize("part", range(4))
def test_functions_of_one_number(part: int, tmp_path: Path) -> None:
    cases = [(f"(x):\n    return {text}", calls_of(PYTHON + NUMPY)) for text in OF_ONE[part::4]]
    need_none(faults(tmp_path, f"one_{part}", cases))


@pytest.mark.parametrize("text", OF_TWO)
def test_functions_of_two_numbers(text: str, tmp_path: Path) -> None:
    pairs = list(itertools.product(PYTHON + NUMPY, repeat=2))
    found = faults(tmp_path, "two", [(f"(x, y):\n    return {text}", pairs)])
    need_none([line for line in found if not expected(line)])


def test_shifts_and_bits(tmp_path: Path) -> None:
    pairs = list(itertools.product(SHIFTED, repeat=2))
    need_none(faults(tmp_path, "bits", [(f"(x, y):\n    return {text}", pairs) for text in SHIFTS]))


def test_numbers_known_while_reading(tmp_path: Path) -> None:
    texts = [text for text in OF_ONE if "len" not in text and "range" not in text]
    known = [repr(number) for number in (1.5, 0, 3, True, 1e308, -0.5, 2j)] + ["math.inf", "math.nan"]
    cases = [(f"(x):\n    x = {number}\n    return {text}", [(1.0,)]) for text in texts for number in known]
    cases += [(f"(x):\n    x = 10**400\n    return {text}", [(1.0,)]) for text in texts if text.startswith("math.")]
    need_none(faults(tmp_path, "known", cases))


def places(text: str) -> Iterator[str]:
    """The expression of an element, in a loop, and in a branch."""
    yield f"(v):\n    x = v[0]\n    return {text}"
    yield f"(v):\n    last = 0.0\n    for x in v:\n        last = float({text})\n    return last"
    yield f"(v):\n    for i in range(len(v)):\n        if i > 0:\n            x = v[i]\n            v[i] = {text}\n    return v[-1]"


def test_in_elements_loops_and_branches(tmp_path: Path) -> None:
    texts = [text for text in OF_ONE if text.startswith(("math.", "int(", "round(x)", "x **", "x /", "1 /", "1.0 %")) and "is" not in text]
    vectors = [(np.array([number, number]),) for number in (*FLOATS, 3)] + [(np.array([0.5, number]),) for number in FLOATS]
    cases = [(place, vectors) for text in texts for place in places(text)]
    need_none(faults(tmp_path, "places", cases))


STORED = [math.nan, math.inf, 1e30, -1e30, 1e10, 2.7, -2.7, np.float64(math.nan), np.float64(1e30), np.float32(math.inf), 2**40, np.int64(2**40)]


def test_numbers_stored_as_integers(tmp_path: Path) -> None:
    texts = []
    for dtype in ("np.int64", "np.int32"):
        texts += [
            f"(v):\n    a = np.zeros(2, {dtype})\n    a[0] = v\n    return a", f"(v):\n    a = np.zeros(2, {dtype})\n    a[:] = v\n    return a",
            f"(v):\n    a = np.zeros(2, {dtype})\n    for i in range(2):\n        if v == v:\n            a[i] = v\n    return a",
            f"(v):\n    return np.full(2, v, {dtype})", f"(v):\n    return np.array([v, 1], {dtype})", f"(v):\n    return {dtype}(v)",
        ]
    need_none(faults(tmp_path, "stored", [(text, calls_of(STORED)) for text in texts]))


SHAPES = ["4", "(4,)", "(2, 3)", "(2, -1)", "(4, -1)", "(-1, 0)", "(0, -1)", "(-1, 4)", "(-1, -1)", "n", "(n, 2)", "(n, -1)", "(-1, n)", "(3, -1, 2)", "(x.shape[0], -1)"]


def test_reshape(tmp_path: Path) -> None:
    arrays = (np.arange(6.0), np.arange(6).reshape(2, 3), np.zeros(0))
    cases = [(f"(x, n):\n    return x.reshape({shape})", [(array, n) for array in arrays for n in (3, 0, -1, 4)]) for shape in SHAPES]
    cases += [(f"(x, n):\n    return {text}", [(arrays[0], 0)]) for text in ("x[::0]", "x[::n]", "range(1, 5, n)", "float(x)", "int(x)", "math.exp(x)", "x.item()", "x[n / 2]")]
    need_none(faults(tmp_path, "shapes", cases))


# ---- compiled ------------------------------------------------------------------------------------------------------------------


def roots_and_exponentials(x: Any, h: float, way: int) -> Any:
    """Loops whose errors are raised behind them."""
    y = np.zeros(len(x))
    if way == 0:
        for i in range(len(x)):
            y[i] = math.sqrt(x[i]) + 1.0
    elif way == 1:
        for i in range(len(x)):
            y[i] = math.exp(x[i])
    elif way == 2:
        for i in range(len(x)):
            y[i] = math.log(x[i]) + math.sin(x[i])
    elif way == 3:
        for i in range(len(x) + 1):
            y[i] = math.sqrt(x[i])
    elif way == 4:
        for i in range(len(x)):
            y[i] = int(x[i] * 10)
    elif way == 5:
        for i in range(len(x)):
            h = h ** 2 / 3.0
            y[i] = h
    return y


def test_compiled(tmp_path: Path) -> None:
    ours = s2s.jit(roots_and_exponentials)
    vectors = [np.array(numbers) for numbers in ([0.25, 2.0], [1.0, -1.0], [1.0, math.inf], [800.0, 1.0], [math.nan, 0.5], [1.0, 0.0], [], [1e300])]
    for x, h, way in itertools.product(vectors, (0.5, 1e200, 0.0), range(6)):
        wanted = outcome(roots_and_exponentials, (x, h, way))
        found = outcome(ours, (x, h, way))
        assert fault(found, wanted) == "" or isinstance(wanted, IndexError) and isinstance(found, IndexError), (x, h, way, found, wanted)


def test_derivatives_keep_the_checks() -> None:
    def loss(x: float) -> float:
        return math.exp(x) * math.sqrt(x) + x**2.5

    for derivative in (s2s.grad(loss), s2s.grad(s2s.grad(loss))):
        assert math.isfinite(derivative(2.0))
        for wrong, words in ((-1.0, "math domain error"), (1000.0, "math range error")):
            with pytest.raises((ValueError, OverflowError), match=words):
                derivative(wrong)


# ---- types that depend on the path ------------------------------------------------------------------------------------------------


AFTER = [
    "s / len(x)", "1.0 / s", "1 / s", "s // 2", "s % 1.0", "s ** 2", "s ** -1", "s ** 0.5", "s * x", "s * 2 / 7", "s + np.ones(2, np.float32)", "s * np.float32(0.1)",
    "isinstance(s, float)", "isinstance(s, np.float64)", "isinstance(s, int)", "2.0 ** s", "max(1, s) / 3", "s / max(s, 0.0)", "int(s)", "s == 0", "-s / s",
]  # fmt: skip


def test_numbers_whose_type_depends_on_the_path(tmp_path: Path) -> None:
    vectors = [(np.array(numbers),) for numbers in ([], [1.0, 2.0], [0.0], [-1.0, -2.0])]
    texts = [f"(x):\n    s = {first}\n    for v in x:\n        s += v\n    return {after}" for first in ("0", "0.0", "0.5") for after in AFTER]
    texts += [f"(x):\n    s = {first} if len(x) < 2 else x[0]\n    return {after}" for first in ("0", "0.1") for after in AFTER]
    found = faults(tmp_path, "joined", [(text, vectors) for text in texts])
    need_none([line for line in found if "]: is (" not in line and "),): is (" not in line and "ZeroDivisionError" not in line])


def test_ints_joined_with_floats_keep_their_digits_or_are_refused() -> None:
    def either(c, n):
        return n if c else 0.5

    def in_a_trip(c, n):
        s = 0.5
        for _ in range(2):
            s = n
        return s if c else s + 1.0

    for f in (either, in_a_trip):
        jitted = s2s.jit(f, target="numpy")
        for n in (0, -7, 2**53, -(2**53)):
            assert jitted(True, n) == f(True, n)
        for n in (2**53 + 1, -(2**53) - 1, 2**62):
            with pytest.raises(NotImplementedError, match="an int too large for the float"):
                jitted(True, n)
    assert s2s.jit(either, target="numpy")(False, 2**60 + 1) == 0.5


def test_what_is_stored_into_an_element_is_no_sequence() -> None:
    def store(a, v):
        a[0] = v
        return a

    def store_part(a, v):
        a[0, ...] = v
        return a

    for v in (np.ones(1), np.ones((1, 1)), np.ones(2), [1.0], (1.0,)):
        with pytest.raises(ValueError, match="setting an array element with a sequence"):
            s2s.jit(store, target="numpy")(np.zeros(3), v)
    for v in (np.ones(()), 2.0, np.float64(3.0)):
        assert s2s.jit(store, target="numpy")(np.zeros(3), v)[0] == v
    assert s2s.jit(store_part, target="numpy")(np.zeros(3), np.ones(1))[0] == 1.0


def _chosen(x, c, number):
    return x[0] if c else number


def _smallest(x, c, number):
    for v in x:
        if c and v < number:
            number = v
    return number


def _summed(x, c, number):
    for v in x if c else x[:0]:
        number += v
    return number


def _scaled(x, c, number):
    y = number
    if c:
        y = x[1]
    return y * x


def _in_a_list(x, c, number):
    kept = [x[0], number]
    return kept[int(c)]


@pytest.mark.parametrize("fun", [_chosen, _smallest, _summed, _scaled, _in_a_list])
def test_a_float_beside_float32_keeps_its_digits(fun) -> None:
    """On one path NumPy's float32, on the other Python's float: no digit is lost, in whichever type the result is."""
    x = np.array([1.0, 2.5, 3.1], np.float32)
    jitted = s2s.jit(fun, target="numpy")
    for c in (True, False):
        for number in (2.1, 1e30, -1e-40, 0.1, 0.5, math.inf, math.nan):
            expected = fun(x, c, number)
            np.testing.assert_array_equal(np.asarray(jitted(x, c, number), np.float64), np.asarray(expected, np.float64))
        value, slope = s2s.value_and_grad(lambda x, number, c=c: np.sum(fun(x, c, number)), argnums=(0, 1))(x, 2.1)
        np.testing.assert_array_equal(np.float64(value), np.float64(np.sum(fun(x, c, 2.1))))
        assert np.all(np.isfinite(slope[0])) and np.isfinite(slope[1])


def test_a_float_beside_float32_as_a_literal() -> None:
    def known(x, c):
        return x[0] if c else 2.1

    def exact(x, c):
        s = 0.5
        for v in x if c else x[:0]:
            s += v
        return s

    x = np.array([1.0, 2.5], np.float32)
    assert s2s.jit(known, target="numpy")(x, False) == 2.1
    assert s2s.jit(exact, target="numpy")(x, True) == np.float32(4.0)
    assert s2s.jit(exact, target="numpy")(x, True).dtype == np.float32


def test_what_would_be_float32_on_one_path_only_is_refused() -> None:
    def scaled(x, c):
        y = x[0] if c else 2.1
        return y * 3.0

    with pytest.raises(NotImplementedError, match="the result would be float32 or float64, depending on the path"):
        s2s.jit(lambda x: scaled(x, x[1] > 0.0), target="numpy")(np.ones(2, np.float32))
    for c in (False, True):  # of a flag of the call it is one of them
        assert type(s2s.jit(scaled, target="numpy")(np.ones(2, np.float32), c)) is type(scaled(np.ones(2, np.float32), c))


# ---- derivatives of what is caught --------------------------------------------------------------------------------------------------

CAUGHT = (
    "math.sqrt(x - y)", "math.log(x - y)", "math.asin(3 * x)", "math.acosh(x)", "math.exp(2000 * x) * y", "(x - x) ** -y", "y / (x - x)", "math.pow(x - y, 0.5)", "math.gamma(x - x)",
    "math.fmod(x, y - y)", "(1e200 * x) ** (3 * y)", "math.atanh(3 * x)", "x % (y - y)", "pow(1e200 * x, 3.0 * y)", "math.log(x - y) + math.sqrt(y)", "math.sqrt(math.log(y))",
    "math.log2(x - y) * math.log1p(-2 * y)",
)  # fmt: skip


@pytest.mark.filterwarnings("ignore")
def test_what_raises_and_is_caught_has_no_derivative(tmp_path):
    lines = [f"def f{number}(x, y):\n    s = 0.3\n    try:\n        s += {text}\n    except (ValueError, OverflowError, ZeroDivisionError):\n        s -= 1.0 + y\n    return s\n" for number, text in enumerate(CAUGHT)]
    path = tmp_path / "caught.py"
    path.write_text("import math\n" + "".join(lines))
    spec = importlib.util.spec_from_file_location("caught", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for number, text in enumerate(CAUGHT):
        f = getattr(module, f"f{number}")
        for x, y in ((0.6, 0.7), (0.9, 0.2), (0.5, 1.7)):
            value, slopes = s2s.value_and_grad(s2s.jit(f, target="numpy"), argnums=(0, 1))(x, y)
            differences = [(f(x + 1e-7, y) - f(x - 1e-7, y)) / 2e-7, (f(x, y + 1e-7) - f(x, y - 1e-7)) / 2e-7]
            assert np.isclose(value, f(x, y)), text
            assert np.allclose(slopes, differences, rtol=1e-4, atol=1e-5), text


def _asked_in_a_loop(x, n):
    u, t = 0.5, 0.0
    for _ in range(3):
        t += u if isinstance(u, float) else 7.0
        u = 1
    return t


def _asked_behind_an_inner_loop(x, n):
    u, t = 0.5, 0.0
    for _ in range(3):
        t += u if isinstance(u, float) else 7.0
        for _ in range(2):
            u = 1
    return t


def _asked_behind_an_inner_loop_that_may_not_run(x, n):
    u, t, c = 0.5, 0.0, 0
    while c < 3:
        c += 1
        t += u if isinstance(u, float) else x[0]
        for _ in range(n):
            u = 1
    return t


@pytest.mark.parametrize("f", [_asked_in_a_loop, _asked_behind_an_inner_loop, _asked_behind_an_inner_loop_that_may_not_run])
def test_a_float_that_is_an_int_from_the_second_trip_on(f):
    for n in (0, 1, 2):
        x = np.array([7.5, 1.0])
        assert s2s.jit(f, target="numpy")(x, n) == f(x, n)


@pytest.mark.parametrize("name", ["mean", "variance", "pvariance", "stdev", "pstdev"])
def test_there_are_no_statistics_of_complex_numbers(name):
    def of_complex(x):
        return getattr(statistics, name)([v + 1j for v in x])

    for run in (of_complex, s2s.jit(of_complex, target="numpy")):
        with pytest.raises(TypeError, match="can't convert type 'complex128' to numerator/denominator"):
            run(np.array([0.5, -1.25, 2.0]))
