"""Kernels on their own way to machine code: they do what Python does with the same text, and what Numba does where Python differs."""
import ast
import gc
import inspect
import itertools
import os
import platform
import subprocess
import sys
import textwrap

import numba
import numpy as np
import pytest
import scipy.linalg
from numba.core import types
from numba.core.registry import cpu_target

import s2s
from s2s.codegen.lowering import fourier
from s2s.codegen.modules.compile import load_text
from s2s.codegen.native import compiler, plain, starting
from s2s.codegen.native.bounds import Least
from s2s.codegen.native.complex_numbers import BY_C
from s2s.codegen.native.inference import OPERATORS
from s2s.codegen.native.real_numbers import INTRINSICS
from s2s.codegen.native.scopes import Scopes
from s2s.codegen.native.source import Module, Source
from s2s.codegen.runtime import linear_algebra
from s2s.transforms.primitives import draws

pytestmark = pytest.mark.skipif(tuple(map(int, numba.__version__.split(".")[:2])) not in compiler.TESTED, reason="Numba compiles all kernels")
HEAD = """
from math import exp, sqrt

import numpy as np
from numba import njit

f4_3 = np.float32(3.0)
"""


class Taken:
    """Which kernels took their own way, and which Numba compiled."""

    def __init__(self):
        self.natively, self.by_numba = [], []


@pytest.fixture
def taken(monkeypatch):
    from s2s.codegen.native import writing

    found = Taken()
    way, typed = compiler.Compiler.compile_extra, writing.compiled
    monkeypatch.setattr(compiler.Compiler, "compile_extra", lambda self, func: found.by_numba.append(func.__name__) or way(self, func))
    monkeypatch.setattr(writing, "compiled", lambda state, func, types: found.natively.append(func.__name__) or typed(state, func, types))
    return found


def loaded(tmp_path, *functions, name="kernels"):
    text = HEAD + "".join(f'\n@njit(cache=True, error_model="numpy")\n{textwrap.dedent(each).strip()}\n' for each in functions)
    path = tmp_path / f"{name}.py"
    path.write_text(text)
    return load_text(path, text, {})


def same(kernel, *args):
    """What the kernel makes is what Python makes: results and arguments afterwards."""
    mine, python = ([np.array(arg) if isinstance(arg, np.ndarray) else arg for arg in args] for _ in range(2))
    with np.errstate(all="ignore"):
        got, expected = kernel(*mine), kernel.py_func(*python)
    for result, wanted in zip([*(got if isinstance(got, tuple) else (got,)), *mine], [*(expected if isinstance(expected, tuple) else (expected,)), *python], strict=True):
        assert np.shape(result) == np.shape(wanted)
        np.testing.assert_array_equal(result, wanted)
        if isinstance(wanted, np.ndarray):
            assert result.dtype == wanted.dtype


LOOPS = """
def loops(x, y, n, step):
    m, k = x.shape
    for i in range(m):
        for j in range(k):
            y[i, j] = x[i, j] * 2.0
    for i in range(1, m - 1):
        y[i, 0] += x[i - 1, 0] - x[i + 1, k - 1]
    for i in range(m - 1, -1, -1):
        y[i, -1] -= x[i, 0]
    for i in range(0, n, step):
        y[i, 1] = np.float64(i)
    count = 0
    while True:
        count += 1
        if count > 5:
            break
        if count == 3:
            continue
        y[0, 0] += 1.0
    last = -1
    for i in range(n, 0, -step):
        last = i
    if m > 1 and k > 2:
        y[0, 2], y[1, 2] = y[1, 2], y[0, 2]
        y[0, 0], last, y[-1, -1] = y[1, 1], last + 1, 3
    return count, last
"""
ARRAYS = """
def arrays(x, steps):
    n = x.shape[0]
    old = np.empty(n)
    for i in range(n):
        old[i] = x[i]
    for t in range(steps):
        new = np.empty(n)
        for i in range(n):
            new[i] = old[i] + 1.0
        old, new = new, old
    flags = np.empty((n, 2), np.bool_)
    for i in range(n):
        at = np.uint64(i)
        flags[at, 0] = old[at] > 1.0
        flags[i, 1] = not flags[i, 0]
    both = old
    if steps > 1:
        both = np.empty(1)
        both[0] = 7.0
    return old, flags, both
"""
NUMBERS = """
def numbers(a, b, i, z, flag):
    c = np.float32(a) * f4_3
    d = 1.0 if a > b else 0.0 if a == b else -1.0
    e = i // 3 + i % 5 + (i << 2) - (i >> 1) + max(i, 4) * min(i, 4) + abs(-i)
    f = flag and a > 0.0 or not flag
    g = -1 <= i < 7
    h = z * z.conjugate() + complex(a, b)
    k = np.float64(a).view(np.int64) & 255
    return c, d, e, f, g, h.real, h.imag, k, a ** 3, i ** 2, exp(a) + sqrt(abs(b)), max(a, b), np.inf
"""
ROWS = """
def total(x):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i]
    return s
"""
CALLING = """
def calling(x, y):
    same = x.ctypes.data == x.ctypes.data and y.itemsize == 8
    for i in range(x.shape[0]):
        y[i] = total(x[i])
    z = doubled(y)
    unused(z)
    return total(z), same
"""
DOUBLED = """
def doubled(x):
    y = np.empty(x.shape[0])
    for i in range(x.shape[0]):
        y[i] = x[i] + x[i]
    return y
"""
UNUSED = """
def unused(x):
    return x
"""
RAISING = """
def raising(x, n):
    if n < 0:
        raise ValueError("negative")
    if x.shape[0] != n:
        raise IndexError("{} of {}", n, x.shape[0])
    if x[0] == 5.0:
        raise np.linalg.LinAlgError("five")
    return x[n - 1]
"""


def test_the_language_of_kernels(tmp_path, taken):
    module = loaded(tmp_path, LOOPS, ARRAYS, NUMBERS, ROWS, DOUBLED, UNUSED, CALLING)
    rng = np.random.default_rng(0)
    same(module.loops, rng.normal(size=(5, 4)), np.empty((5, 4)), 5, 2)
    same(module.loops, rng.normal(size=(3, 4)), np.empty((3, 4)), 0, 1)
    same(module.arrays, rng.normal(size=6), 3)
    same(module.arrays, rng.normal(size=6), 0)
    same(module.arrays, np.empty(0), 2)
    for a, b, i, flag in ((1.5, -2.0, 6, True), (-0.5, -0.5, 7, False), (0.0, 3.0, -8, True)):
        same(module.numbers, a, b, i, complex(a, -b), flag)
    same(module.calling, rng.normal(size=(4, 3)), np.empty(4))
    assert {"loops", "arrays", "numbers", "calling"} <= set(taken.natively)
    assert not {"loops", "arrays", "numbers", "calling", "total", "doubled", "unused"} & set(taken.by_numba)


def test_memory_is_given_back(tmp_path):
    """What a kernel allocates lives as long as what it returns."""
    from numba.core.runtime import _nrt_python, rtsys

    _nrt_python.memsys_enable_stats()
    module = loaded(tmp_path, ARRAYS, ROWS, DOUBLED, UNUSED, CALLING)
    given = np.ones((2, 3))
    held = sys.getrefcount(given)
    module.calling(given, np.empty(2))
    assert sys.getrefcount(given) == held
    module.arrays(np.ones(4), 3)
    before = rtsys.get_allocation_stats()
    for steps in range(4):
        results = module.arrays(np.ones(4), steps)
        module.calling(np.ones((2, 3)), np.empty(2))
        del results
    after = rtsys.get_allocation_stats()
    assert after.mi_alloc > before.mi_alloc
    assert after.mi_alloc - after.mi_free == before.mi_alloc - before.mi_free
    _nrt_python.memsys_disable_stats()


def test_exceptions(tmp_path, taken):
    module = loaded(tmp_path, RAISING)
    assert module.raising(np.arange(3.0), 3) == 2.0
    with pytest.raises(ValueError, match="negative") as caught:
        module.raising(np.arange(3.0), -1)
    lines = (tmp_path / "kernels.py").read_text().splitlines()
    places = [entry for entry in caught.traceback if str(entry.path).endswith("kernels.py")]
    assert lines[places[-1].lineno].strip() == 'raise ValueError("negative")'
    with pytest.raises(IndexError) as found:
        module.raising(np.arange(3.0), 4)
    assert found.value.args == ("{} of {}", 4, 3)
    with pytest.raises(np.linalg.LinAlgError, match="^five$"):
        module.raising(np.array([5.0]), 1)
    assert not taken.by_numba


OWN = """
def own(x, n):
    m = x.shape[0]
    pair = np.empty(2)
    pair[0], pair[1] = 1.0, 3.0
    total = 0.0
    for t in range(3):
        turned = np.empty((n, m), np.int32)
        for i in range(n):
            for j in range(m):
                turned[i, j] = i + t * j
        for i in range(n):
            total += summed(turned[i]) * pair[i % 2]
        rest = np.empty(n)
        filled(rest, total)
        total += summed(rest) + turned.shape[1] + rest.itemsize
    kept = np.empty(1)
    kept[0] = total
    handed = np.empty(3)
    filled(handed, 2.0)
    back = passed(handed)
    return kept, back[1] + pair[1]


def summed(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i]
    return total


def filled(x, value):
    for i in range(x.shape[0]):
        x[i] = value + i


def passed(x):
    return x
"""


def test_small_arrays_lie_on_the_stack(tmp_path, taken, monkeypatch):
    """What no one else holds needs no memory of Numba's while it is small; what is handed out does."""
    from numba.core.runtime import _nrt_python, rtsys

    from s2s.codegen.native import stack

    found = {}
    monkeypatch.setattr(stack, "own_arrays", lambda typed, way=stack.own_arrays: found.setdefault(typed.source.tree.name, way(typed)))
    module = loaded(tmp_path, *OWN.split("\n\n\n"))
    x = np.arange(5.0)
    for n in (0, 1, 4, 100, 5000):
        got, wanted = module.own(x, n), module.own.py_func(x, n)
        np.testing.assert_allclose(got[0], wanted[0], rtol=1e-12)
        assert got[1] == wanted[1]
    assert found["own"] == {"pair", "turned", "rest"}
    assert "own" not in taken.by_numba
    _nrt_python.memsys_enable_stats()
    for n, allocated in ((4, 3), (5000, 3 + 6)):  # the argument, and what is returned
        before = rtsys.get_allocation_stats()
        module.own(x, n)
        after = rtsys.get_allocation_stats()
        assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free == allocated
    _nrt_python.memsys_disable_stats()
    with pytest.raises(ValueError, match="negative dimensions not allowed"):
        module.own(x, -1)
    with pytest.raises((ValueError, MemoryError)):
        module.own(x, 2**62)


FLAGS = """
def flagged(x, turned, more, scale):
    n = x.shape[0]
    total = 0.0
    if turned and scale > 0.0 or not more:
        total += 1.0
    for i in range(n):
        if not turned:
            total += x[i] * (2.0 if more else 1)
        elif more:
            total -= x[i]
        else:
            return total
    return total
"""
LONG = """
def long(x, more):
    total = 0.0
""" + "    total += x[0] * 2.0\n" * 60 + """
    if more:
        return total
    return -total
"""
FLAGGING = """
def flagging(x, flag):
    a = flagged(x, True, False, 1.0) + flagged(x, False, False, -1.0) * 100.0 + long(x, True)
    b = flagged(x, True, True, -1.0) + flagged(x, False, True, 1.0) * 100.0 + long(x, False)
    return a, b, flagged(x, flag, True, 1.0), flagged(x, not flag, flag, 1.0)
"""


def test_known_flags(tmp_path, taken, monkeypatch):
    """A branch that a call's flags rule out is not written; a long function is not made twice for them."""
    from s2s.codegen.native import lowering

    written = []
    run = lowering.Lowering.run
    monkeypatch.setattr(lowering.Lowering, "run", lambda self, **given: written.append((self.typed.source.tree.name, dict(self.typed.flags))) or run(self, **given))
    module = loaded(tmp_path, FLAGS, LONG, FLAGGING)
    x = np.array([1.0, 2.0, 4.0])
    got = [module.flagging(x, flag) for flag in (True, False)]
    told = list(written)  # Python calls the other kernels one by one
    assert got == [module.flagging.py_func(x, flag) for flag in (True, False)]
    assert not taken.by_numba
    of_flagged = [flags for name, flags in told if name == "flagged"]
    assert {tuple(flags.items()) for flags in of_flagged} == {(("turned", a), ("more", b)) for a in (True, False) for b in (True, False)} | {(("more", True),), ()}
    assert [flags for name, flags in told if name == "long"] == [{}]


def factored(a, b):
    triangle = np.linalg.cholesky(a)
    left, values, _ = np.linalg.svd(b)
    return np.linalg.solve(a, b), triangle, np.linalg.slogdet(a), left * values, np.linalg.eigh(a)[0], np.linalg.qr(b)[1], np.linalg.pinv(b), np.linalg.eigvals(b)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
def test_linear_algebra_is_for_kernels(dtype, taken):
    """No factorisation or solve holds what Numba's own compiler would have to take, which costs seconds."""
    rng = np.random.default_rng(0)
    b = (rng.normal(size=(3, 3)) + (1j * rng.normal(size=(3, 3)) if dtype is np.complex128 else 0)).astype(dtype)
    a = b @ b.conj().T + np.eye(3, dtype=dtype)
    assert s2s.jit(factored)(a, b)[0].shape == (3, 3)
    assert set(taken.by_numba) <= {"complex_mul", "complex_div", "complex_abs", "hypot_impl"}  # how Numba writes numbers' own operations


def test_other_text_is_numbas(tmp_path, taken):
    """A variable of two types, and a function of arrays: Numba's own compiler takes them, and what calls them as well as before."""
    module = loaded(
        tmp_path, "def widened(n):\n    s = 0\n    for i in range(n):\n        s += 0.5\n    return s", "def summed(x):\n    return x.sum()",
        "def caller(x):\n    return summed(x) + 1.0",
    )
    assert module.widened(3) == 1.5
    assert module.caller(np.arange(4.0)) == 7.0
    assert {"widened", "summed"} <= set(taken.by_numba)
    assert taken.natively == ["caller"]


def test_an_unknown_numba_compiles_by_itself(tmp_path, taken, monkeypatch):
    monkeypatch.setattr(compiler.numba, "__version__", "99.1.0rc2")
    assert loaded(tmp_path, "def doubled(x):\n    return 2.0 * x").doubled(1.5) == 3.0
    assert taken.by_numba == ["doubled"]
    assert not taken.natively


def test_integers_are_numbas(tmp_path):
    """Division by zero, wrapping, division of negative numbers: as in Numba's own code."""
    text = "def whole(a, b):\n    return a // b, a % b, a * b, a / b"
    kernel = loaded(tmp_path, text).whole
    space = {}
    exec(text, space)
    plain = numba.njit(error_model="numpy")(space["whole"])
    for a, b in ((7, 2), (-7, 2), (7, -2), (5, 0), (2**62, 8)):
        np.testing.assert_array_equal(kernel(a, b), plain(a, b))


@pytest.mark.parametrize("kind", [np.complex128, np.complex64])
def test_complex_numbers_are_numbas(tmp_path, kind, taken):
    """Products, quotients and moduli, bit for bit: large, small, infinite, nan, zeros of both signs; a division by zero is Numba's."""
    text = "def parts(a, b):\n    return a * b, a / b, abs(a), -a, a + b, a == b, a * b.real"
    kernel = loaded(tmp_path, text).parts
    space = {}
    exec(text, space)
    plain = numba.njit(error_model="numpy")(space["parts"])
    kernel(kind(1), kind(2))
    assert taken.natively == ["parts"]
    assert not taken.by_numba
    numbers = [kind(complex(one, other)) for one, other in itertools.product((0.0, -0.0, 1.5, -3e30, 2e-30, np.inf, np.nan), repeat=2)]
    for a, b in itertools.product(numbers, repeat=2):
        if b != 0:
            assert repr(kernel(a, b)) == repr(plain(a, b))
        else:
            with pytest.raises(ZeroDivisionError, match="complex division by zero"):
                kernel(a, b)


@pytest.mark.parametrize("kind", [np.complex128, np.complex64])
def test_square_roots_of_complex_numbers_are_numpys(tmp_path, kind, taken):
    """Where Numba's own differ (a large number's imaginary part is half of what it is), NumPy's are right."""
    kernel = loaded(tmp_path, "def root(z):\n    return np.sqrt(z)").root
    most = float(np.finfo(kind).max)
    parts = (0.0, -0.0, 1.5, -0.7, -3e30, 2e-30, most, -most, most / 3, np.inf, -np.inf, np.nan)
    for one, other in itertools.product(parts, repeat=2):
        z = np.array(complex(one, other), kind)
        with np.errstate(all="ignore"):
            found, expected = kernel(z[()]), np.sqrt(z)[()]
        np.testing.assert_allclose([found.real, found.imag], [expected.real, expected.imag], rtol=4 * np.finfo(kind).eps)
        assert all(np.isnan(b) or np.signbit(a) == np.signbit(b) for a, b in ((found.real, expected.real), (found.imag, expected.imag)))
    assert not taken.by_numba


@pytest.mark.parametrize("kind", [np.complex128, np.complex64])
def test_functions_of_complex_numbers_are_numpys(tmp_path, kind, taken):
    """Zeros of both signs, tiny, large and infinite numbers, nan: NumPy's numbers, where Numba's own functions differ or divide by zero."""
    kernels = vars(loaded(tmp_path, "\n\n".join(f"def of_{function.__name__}(z):\n    return np.{function.__name__}(z)" for function in BY_C)))
    parts = (0.0, 5e-324, 1e-30, 1e-8, 0.5, 1.0, 88.9, 710.5, 3e30, 1e300, np.inf)
    with np.errstate(all="ignore"):
        numbers = [kind(complex(one, other)) for one, other in itertools.product((*parts, *(-each for each in parts), np.nan), repeat=2)]
        for function in BY_C:
            found, expected = np.array([kernels[f"of_{function.__name__}"](z) for z in numbers], kind), function(np.array(numbers, kind))
            for a, b in ((found.real, expected.real), (found.imag, expected.imag)):
                np.testing.assert_allclose(a, b, rtol=4 * np.finfo(kind).eps, atol=0, err_msg=function.__name__)
                np.testing.assert_array_equal(np.signbit(a[~np.isnan(b)]), np.signbit(b[~np.isnan(b)]), err_msg=function.__name__)
    assert not taken.by_numba


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_functions_of_floats_that_numba_writes_late(tmp_path, kind, taken):
    """They are NumPy's, without Numba's asked."""
    kernel = loaded(tmp_path, "def parts(x, y):\n    return np.floor(x), np.ceil(x), np.trunc(x), np.rint(x), np.exp2(x), np.cbrt(x), np.hypot(x, y), np.conjugate(x), np.arctan2(x, y), np.isnan(x)").parts
    for x, y in itertools.product((0.0, -0.0, 1.5, -2.5, -7.3, 3e30, np.inf, -np.inf, np.nan), repeat=2):
        x, y = kind(x), kind(y)
        with np.errstate(all="ignore"):
            expected = np.floor(x), np.ceil(x), np.trunc(x), np.rint(x), np.exp2(x), np.cbrt(x), np.hypot(x, y), np.conjugate(x), np.arctan2(x, y), np.isnan(x)
        np.testing.assert_allclose(kernel(x, y), expected, rtol=4 * np.finfo(kind).eps)
        assert not np.any(np.signbit(kernel(x, y)[:6]) ^ np.signbit(expected[:6]))
    assert taken.natively == ["parts"]
    assert not taken.by_numba


def test_arrays_of_zeros(tmp_path, taken):
    """On the stack, in memory, with rows, anew in each trip of a loop."""
    kernel = loaded(
        tmp_path,
        """
        def totals(n):
            out = np.empty(3)
            for trip in range(2):
                small, large = np.zeros(4, np.int32), np.zeros((n, 5))
                own = np.zeros(3)
                small[trip] = 2
                large[n - 1, trip] = 3.5
                own[trip] += 1.0
                for k in range(4):
                    out[trip] = small[0] + small[1] + large[n - 1, 0] + large[n - 1, 1] + own[0] + own[1] + large[0, 4]
            out[2] = n
            return out
        """,
    ).totals
    for n in (1, 7, 3000):
        np.testing.assert_array_equal(kernel(n), [6.5, 6.5, n])
    assert taken.natively == ["totals"]
    assert not taken.by_numba


def test_types_of_operations_are_numbas():
    """What is known of operations without asking Numba is what Numba answers."""
    starting.begin(cpu_target.target_context)
    context = cpu_target.typing_context
    kinds = [types.int64, types.uint64, types.int32, types.int8, types.uint8, types.boolean, types.float64, types.float32, types.complex128, types.complex64]
    functions = [*OPERATORS.values(), *plain._MATHEMATICS, *plain._CLASSES, *BY_C, *INTRINSICS, np.cbrt, np.conjugate, complex, abs, max, min]
    found = 0
    for function, number in itertools.product(functions, (1, 2)):
        for operands in itertools.product(kinds, repeat=number):
            known = plain.signature_of(function, operands)
            if known is not None:
                asked = context.resolve_function_type(context.resolve_value_type(function), operands, {})
                assert (known.return_type, known.args) == (asked.return_type, tuple(map(types.unliteral, asked.args))), (function, operands)
                found += 1
    assert found > 400
    for value in (3, -(2**63), 2**63 - 1, 2**63, 2.5, True, 1j, np.float32, np.int8, np.bool_, np.uint16(3), np.float32(2.5), "text", np.pi):
        assert plain.type_of(value) in (None, types.unliteral(context.resolve_value_type(value)))
    for of, name in ((types.float64[:, ::1], "dtype"), (types.int8[::1], "itemsize"), (types.float64[:, ::1], "shape"), (types.float32, "real"), (types.complex64, "imag")):
        assert plain.attribute(of, name) == context.resolve_getattr(of, name)


BOXES = """
def scaled(x, n, factor, negative):
    if n > x.shape[0]:
        raise ValueError("{} of {}, {}, {}", n, x.shape[0], factor, negative)
    return factor * n if not negative else -factor * n
"""


def test_numbers_come_and_go_as_numbas_do(tmp_path, taken):
    """A kernel's arguments, results and exceptions that are numbers: types, values, what is no number."""
    kernel = loaded(tmp_path, BOXES).scaled
    x = np.arange(3.0)
    given = (2**40 + 1, 2.5e300, True)
    for n, factor, negative in itertools.product((-3, 1, 2), (0.5, np.float64(-np.inf), np.nan), (True, False)):
        result = kernel(x, n, factor, negative)
        assert type(result) is float
        np.testing.assert_equal(result, -factor * n if negative else factor * n)
    before = sys.getrefcount(x)
    for _ in range(20):
        with pytest.raises(ValueError, match="of") as found:
            kernel(x, *given)
        assert found.value.args == ("{} of {}, {}, {}", given[0], 3, *given[1:])
        assert list(map(type, found.value.args[1:])) == [int, int, float, bool]
        del found
    gc.collect()  # exceptions and their frames
    assert sys.getrefcount(x) == before
    assert kernel(x, np.int64(2), 3, negative=False) == 6
    assert not taken.by_numba


def test_few_kernels_need_what_numba_loads(tmp_path):
    """A kernel of numbers and arrays is compiled without Numba's registries and without its runtime for memory."""
    text = HEAD + '\n@njit(cache=True, error_model="numpy")\ndef f(x, n):\n    y = np.empty((n, 2), x.dtype)\n    if n > 9:\n        raise ValueError("{}", n)\n    for i in range(n):\n        y[i, 1] = sqrt(abs(x[i])) + 2.0**3\n    return y[3, 1]\n'
    path = tmp_path / "few.py"
    path.write_text(text)
    program = f"""
import sys
import numpy as np
from numba.core.runtime.nrt import rtsys
from s2s.codegen.modules.compile import load_text
module = load_text(__import__("pathlib").Path({str(path)!r}), open({str(path)!r}).read(), {{}})
print(module.f(np.arange(4.0), 4) == np.sqrt(3.0) + 8.0)
print([name for name in ("numba.np.npyimpl", "numba.core.boxing", "numba.core.typing.arraydecl") if name in sys.modules], rtsys._init)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120, env={**os.environ, "S2S_CACHE_DIR": str(tmp_path)})
    assert done.stdout.split("\n")[:2] == ["True", "[] False"]


def test_truths_need_nothing_that_numba_loads(tmp_path):
    """np.bool_ of each kind of number in a process that has compiled nothing else."""
    text = HEAD + '\n@njit(cache=True, error_model="numpy")\ndef f(x, y):\n    for i in range(x.shape[0]):\n        y[i] = np.bool_(x[i])\n'
    path = tmp_path / "truths.py"
    path.write_text(text)
    program = f"""
import sys
import numpy as np
from s2s.codegen.modules.compile import load_text
dtype = np.dtype(sys.argv[1])
x = np.array([0, 1, 2, 3, 255 if dtype.kind in "iu" and dtype.itemsize > 1 else 5]).astype(dtype)
if dtype.kind in "fc":
    x[1:4] = -0.0, np.nan, np.finfo(dtype).tiny
if dtype.kind == "c":
    x[4] = 1j
y = np.zeros(5, np.bool_)
load_text(__import__("pathlib").Path({str(path)!r}), open({str(path)!r}).read(), {{}}).f(x, y)
print((y == x.astype(np.bool_)).all())
"""
    for dtype in ("f8", "f4", "c16", "c8", "i8", "i4", "i2", "i1", "u8", "u1", "?"):
        done = subprocess.run([sys.executable, "-c", program, dtype], capture_output=True, text=True, check=True, timeout=120, env={**os.environ, "S2S_CACHE_DIR": str(tmp_path)})
        assert done.stdout.split() == ["True"], dtype


def test_divisions_by_lengths_are_numbas(tmp_path):
    """What is known of signs shortens a division, and changes no number: negative dividends, rests, and lengths of 0."""
    text = textwrap.dedent("""
    def parts(x, y, k, out):
        m = x.shape[0]
        for i in range(9):
            out[i, 0] = (i * 3 + 1) // m
            out[i, 1] = (i * 3 + 1) % m
            out[i, 2] = (i + k) // m
            out[i, 3] = (i + k) % m
            out[i, 4] = (i + k) // 4
            out[i, 5] = (i + k) % 4
            out[i, 6] = y[(i + k) % 4, i // 3 % 2]
            out[i, 7] = i // k + i % k
    """)
    kernel = loaded(tmp_path, text).parts
    space = {}
    exec(text, space)
    plain = numba.njit(error_model="numpy")(space["parts"])
    y = np.arange(8).reshape(4, 2)
    for m in (0, 1, 3):
        for k in (-11, -4, 0, 1, 5):
            got, wanted = np.empty((9, 8), int), np.empty((9, 8), int)
            kernel(np.empty(m), y, k, got)
            plain(np.empty(m), y, k, wanted)
            np.testing.assert_array_equal(got, wanted)


def test_counts_are_never_negative():
    """What is only ever set to a number from 0 on, and grows."""
    text = textwrap.dedent("""
    def f(n, grown):
        kept, here = 0, 0
        seen = 0
        back = 0
        down = 3
        for i in range(n):
            seen += 1
            back -= 1
            grown += 1
            if i > 2:
                seen = 0
                down = -1
                here += 1
    """)
    least = Least(Source("f", Module(text, "", {}), frozenset(), in_place=False))
    assert {name: least.of(ast.Name(name)) for name in ("seen", "here", "back", "down", "grown")} == {"seen": 0, "here": None, "back": None, "down": None, "grown": None}


def test_variables_without_a_place():
    """A name is a value where every reading sees the last binding of the text; else it lies in memory."""
    tree = ast.parse(textwrap.dedent("""
    def f(x, n, q):
        m = x.shape[0]
        total = 0.0
        q = q + 1
        for i in range(n):
            a = x[i] * m
            total += a
            late = a
        for i in range(n):
            b = a if i > 2 else 0.0
            if b > 0.0:
                c = b
            else:
                c = -b
            d = 1.0
            if c > 0.0:
                d = c
        if n > 3:
            earlier = 1.0
        else:
            earlier = 2.0
        for i in range(n):
            if i > 2:
                total += earlier
                earlier = 0.0
        return total + late + d + q
    """)).body[0]
    assert isinstance(tree, ast.FunctionDef)
    assert Scopes(tree).values() == {"x", "n", "q", "m", "i", "b"}


def test_what_an_earlier_trip_has_bound(tmp_path):
    """Read in the block that binds it, but before."""
    kernel = loaded(tmp_path, """
        def earlier(x, n):
            total = 0.0
            if n > 3:
                last = x[0] * 2.0
            else:
                last = x[1] + 1.0
            for i in range(n):
                if x[i] > 0.0:
                    total += last
                    last = 0.5 * x[i]
            return total
    """).earlier
    for n in (0, 2, 5):
        same(kernel, np.array([1.0, -2.0, 3.0, 4.0, 5.0]), n)


def test_kept_kernels(tmp_path, monkeypatch):
    """A kernel from the disk is the one that was written."""
    first = loaded(tmp_path, ROWS, DOUBLED, UNUSED, CALLING)
    x = np.arange(6.0).reshape(2, 3)
    wanted = first.calling(x, np.empty(2))
    second = load_text(tmp_path / "kernels.py", (tmp_path / "kernels.py").read_text(), {"another": True})
    monkeypatch.setattr(compiler.NativeCompiler, "compile_extra", lambda *_: pytest.fail("compiled again"))
    assert second.calling(x, np.empty(2)) == wanted


def test_kernels_that_look_alike_have_their_own_helpers(tmp_path):
    """The code objects of two modules' kernels are equal where their texts are; what they call is each module's."""
    calling = """
        def calling(x):
            return 1.0 + helper(x)
    """
    plus, minus = (loaded(tmp_path, calling, f"def helper(x):\n    return x {sign} 3.0", name=name) for sign, name in (("+", "plus"), ("-", "minus")))
    assert plus.calling.py_func.__code__ == minus.calling.py_func.__code__
    assert (plus.calling(1.0), minus.calling(1.0)) == (5.0, -1.0)


PUBLIC = """
def public(u, v, w):
    w = w.copy()
    out = np.empty(u.shape[0])
    low, high = np.empty((2, u.shape[0]))
    if u.shape[0] > 3:
        v = v.copy()
    _kernel(u, v, w, out, low, high)
    return out, low, high
"""
KERNEL = """
@njit(cache=True, error_model="numpy")
def _kernel(u, v, w, out, low, high):
    for i in range(u.shape[0]):
        STORED[i] = u[i]
        low[i] = v[i]
        w[i] += _next(u, i)
        high[i] = w[i]
"""
NEXT = """
@njit(cache=True, error_model="numpy")
def _next(u, i):
    return u[i] + 1.0
"""


@pytest.mark.parametrize(("stored", "found"), [("out", {"u", "v", "w", "out", "low", "high"}), ("v", {"w", "out", "low", "high"})])
def test_arrays_that_share_memory_with_no_other(tmp_path, monkeypatch, stored, found):
    """New arrays; where nothing else is written to, the caller's as well: they may share memory with each other only."""
    from s2s.codegen.native import lowering

    seen, way = [], lowering.apart
    monkeypatch.setattr(lowering, "apart", lambda typed: seen.append(way(typed)) or seen[-1])
    path = tmp_path / "kernels.py"
    path.write_text(HEAD + PUBLIC + KERNEL.replace("STORED", stored) + NEXT)
    module = load_text(path, path.read_text(), {})
    x = np.arange(4.0)
    out, low, high = module.public(x, x, x)
    np.testing.assert_array_equal(low, np.arange(4.0))
    np.testing.assert_array_equal(high, 2 * np.arange(4.0) + 1.0)
    assert [each for each in seen if each] == [found]


def test_large_arrays_of_a_kernels_own(tmp_path):
    """From 4 MB on they are asked for in huge pages."""
    rows = """
        def _rows(n, m):
            a = np.empty((n, m))
            b = np.empty(n, np.float32)
            for i in range(n):
                b[i] = 2.0
                for j in range(m):
                    a[i, j] = i + j
            return a, b
    """
    kernel = loaded(tmp_path, rows)._rows
    for shape in ((3, 2), (1023, 513), (2048, 1024), (3_000_000, 1), (0, 5)):
        same(kernel, *shape)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="an option of LLVM for x86")
def test_innermost_loops_are_aligned(tmp_path):
    total = """
        def _total(x):
            s = 0.0
            for i in range(x.shape[0]):
                s = s * 0.5 + x[i]
            return s
    """
    kernel = loaded(tmp_path, total)._total
    same(kernel, np.arange(5.0))
    (text,) = kernel.inspect_asm().values()
    assert ".p2align\t5" in text


def _addressed_last(function: ast.FunctionDef) -> set[str]:
    """The arrays that a function makes and of which nothing but the address is taken in the last statement that names them."""
    made = {
        target.id for node in ast.walk(function) if isinstance(node, ast.Assign) for target in ast.walk(node.targets[0]) if isinstance(target, ast.Name)
        if isinstance(node.value, ast.Call | ast.Tuple) and any(text in ast.unparse(node.value) for text in ("np.empty", "np.zeros", "np.ones"))
    }  # fmt: skip
    last: dict[str, ast.stmt] = {}
    for statement in (node for node in ast.walk(function) if isinstance(node, ast.Assign | ast.Expr | ast.AugAssign | ast.Return)):
        for name in ast.walk(statement):
            if isinstance(name, ast.Name) and name.id in made and (name.id not in last or last[name.id].lineno <= statement.lineno):
                last[name.id] = statement
    return {name for name, statement in last.items() if f"{name}.ctypes.data" in ast.unparse(statement)}


def test_addresses_do_not_outlive_their_arrays():
    """Numba frees an array behind the last statement that names it, also if somebody still has its address."""
    texts = [inspect.getsource(function) for function in (*linear_algebra.LINEAR_ALGEBRA.values(), draws.binomial, draws.integer)]
    texts.append(fourier.TRANSFORM.format(bound="", doc="", outer=1, inner=1, real="np.float64", axis=0, call="call(start)", scale=1.0, forward=1))
    for text in texts:
        function = next(node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef))
        assert not _addressed_last(function), (function.name, _addressed_last(function))


MANY_RESULTS = """
def _parts(x, n):
    plain = np.empty((n, 2))
    flags = np.empty(n, np.bool_)
    numbers = np.empty((2, n, 3), np.complex64)
    for i in range(n):
        plain[i, 0] = x[i]
        plain[i, 1] = -x[i]
        flags[i] = x[i] > 0.5
        for j in range(3):
            numbers[0, i, j] = x[i]
            numbers[1, i, j] = np.complex64(1j) * numbers[0, i, j]
    return plain, n > 1, flags, f4_3, numbers, 1j * n, n
"""
TAKING = """
def taking(x, n):
    plain, several, flags, single, numbers, turned, length = _parts(x, n)
    plain_1, _, flags_1, _, _, _, _ = _parts(x, n)
    for i in range(n):
        plain[i, 0] += plain_1[i, 1]
        flags[i] = flags[i] != flags_1[i]
    return plain, several, flags, single, numbers, turned, length
"""


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_results_of_kernels_by_their_parts(tmp_path, n):
    """Arrays of any rank and numbers of any kind, in one tuple, from a kernel to another and to Python."""
    module = loaded(tmp_path, MANY_RESULTS, TAKING)
    x = np.linspace(0.0, 1.0, n)
    found, wanted = module.taking(x, n), module.taking.py_func(x, n)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)
        assert np.asarray(one).dtype.kind == np.asarray(other).dtype.kind
        if isinstance(other, np.ndarray):
            assert one.dtype == other.dtype
            assert one.strides == other.strides


NEW_ARRAYS = {
    "made and returned": ("a = np.empty(n)\n    b, c = _two(x)\n    a[0] = b[0] + c[0]\n    return a, b, c", {"a", "b", "c"}),
    "a helper's argument": ("a = np.empty(n)\n    b = _same(a)\n    a[0] = 1.0\n    b[0] += 1.0\n    return a, b", {"a"}),
    "one array twice": ("b, c = _twice(x)\n    b[0] = 1.0\n    c[0] += 1.0\n    return b, c", set()),
    "another name": ("a = np.empty(n)\n    b = a\n    a[0] = 1.0\n    b[0] += 1.0\n    return a, b", set()),
    "exchanged": ("a = np.empty(n)\n    b = np.empty(n)\n    c = np.empty(n)\n    a[0] = 1.0\n    b[0] = 2.0\n    c[0] = 0.0\n    for i in range(3):\n        a, b = b, a\n        a[0] += b[0] + c[0]\n    return a, b, c", {"c"}),
    "a row": ("a = np.empty((n, 2))\n    row = a[0]\n    a[0, 0] = 1.0\n    a[0, 1] = 2.0\n    row[0] += 1.0\n    return a, row", set()),
    "bound again": ("a = np.empty(n)\n    a[0] = 1.0\n    b = np.empty(n)\n    b[0] = 1.0\n    if x[0] > 0.0:\n        a = b\n    a[0] += 1.0\n    return a, b", set()),
    "an argument": ("x[0] = 1.0\n    a = np.empty(n)\n    a[0] = x[0]\n    x[0] += a[0]\n    return a, x", {"a"}),
}


@pytest.mark.parametrize("name", NEW_ARRAYS)
def test_new_arrays_of_a_kernel(tmp_path, monkeypatch, name):
    """Those that no other name holds; where one does, it sees what is stored."""
    from s2s.codegen.native import aliasing

    body, expected = NEW_ARRAYS[name]
    two = "def _two(x):\n    one = np.empty(2)\n    other = np.empty(2)\n    one[0] = x[0]\n    other[0] = one[0] + 1.0\n    return one, other"
    twice = "def _twice(x):\n    one = np.empty(2)\n    one[0] = x[0]\n    return one, one"
    seen, way = {}, aliasing.new_arrays
    monkeypatch.setattr(aliasing, "new_arrays", lambda typed, known=None: seen.setdefault(typed.source.tree.name, way(typed, known)))
    module = loaded(tmp_path, two, twice, "def _same(x):\n    return x", f"def kernel(x, n):\n    {body}")
    x = np.array([3.0, 4.0])
    found, wanted = module.kernel(np.array(x), 2), module.kernel.py_func(np.array(x), 2)
    assert seen["kernel"] == expected
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one.ravel()[0], other.ravel()[0])


DECOMPOSED = {
    "solve": lambda x: np.linalg.solve(x, x[0]), "inv": np.linalg.inv, "det": np.linalg.det, "cholesky": lambda x: np.linalg.cholesky(x @ x.T), "qr": np.linalg.qr,
    "svd": np.linalg.svd, "eigh": np.linalg.eigh, "eigh in part": lambda x: scipy.linalg.eigh(x, subset_by_index=[0, 1]), "eigvalsh": np.linalg.eigvalsh,
    "eig": lambda x: np.linalg.eig(x)[0], "eigvals": np.linalg.eigvals, "schur": scipy.linalg.schur, "lstsq": lambda x: np.linalg.lstsq(x, x[0])[0],
    "lu": scipy.linalg.lu, "logm": scipy.linalg.logm, "expm": scipy.linalg.expm, "lyapunov": lambda x: scipy.linalg.solve_continuous_lyapunov(x, x),
}  # fmt: skip


@pytest.mark.parametrize("name", DECOMPOSED)
def test_what_calls_lapack_takes_its_own_way(name, taken, tmp_path, monkeypatch):
    """None of what a module brings along for it is left to Numba, which takes ten times as long."""
    monkeypatch.setenv("S2S_CACHE_DIR", str(tmp_path))
    s2s.jit(DECOMPOSED[name])(np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 5.0]]))
    assert taken.natively
    assert not taken.by_numba
