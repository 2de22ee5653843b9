"""What a loop is taken to carry by its text: reads as if nothing had been guessed, in fewer readings."""
from __future__ import annotations

import importlib.util
import inspect

import numpy as np
import pytest
from programs import CASES

import s2s
from s2s.errors import S2SError
from s2s.transforms.read.flow.loops import guesses
from s2s.transforms.read.flow.loops.carry import Carry
from s2s.transforms.read.flow.loops.last_time import LastTime
from s2s.transforms.read.syntax.changes import NO_CHANGES

X = np.linspace(0.1, 1.2, 7)
N = np.array([3, 1, 2])


def sums(x):
    s, k = 0.0, 0
    for i in range(len(x)):
        for j in range(i):
            s += x[i] * x[j]
        k += 1
    return s, k


def stores(x):
    y = x.copy()
    for i in range(1, len(y)):
        for j in range(1, len(y) - 1):
            y[j] = 0.5 * (y[j - 1] + y[j + 1])
        y[i] -= y[i - 1]
    return y


def fill(q, at, value=0.0):
    q[at] = value


def fill_both(a, b):
    a, c = a, b
    fill(c, 0)
    fill(q=b, at=1)


def helpers_store(x):
    y, z = x.copy(), x.copy()
    for i in range(len(y)):
        fill(y, i, 2.0 * x[i])
        fill_both(y, z)
        z[i] += 1.0
    return y, z


def counted_down(q, k):
    if k > 0:
        q[k] += 1.0
        counted_down(q, k - 1)


def helpers_call_themselves(x):
    y = x.copy()
    for _ in range(3):
        counted_down(y, 2)
    return y


def store_where_asked(q, do):
    if do:
        q[0] += 1.0


def helpers_do_not_store(x):
    y = x.copy()
    s = 0.0
    for i in range(len(y)):
        store_where_asked(y, False)
        s += y[i]
    return s


def own_helpers_store(x):
    def put(q, i):
        q[i] = 1.0

    y = x.copy()
    for i in range(2):
        put(y, i)
    return y


def of_single(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s


def from_an_integer(x):
    s = 0
    for i in range(len(x)):
        s = s + x[i]
    return s


def of_numbers(x):
    s = 1.0
    for i in range(len(x)):
        s = s * 0.5 + i
    return s


def mixed(x, n):
    s = 0.0
    for i in range(len(n)):
        s += n[i]
    t = 0.0
    for i in range(len(x)):
        t = 0.5 * t + n[i % 3]
        t = t * x[i]
    return s, t


def not_reached(x, flag=False):
    s = 0.0
    y = np.zeros(3)
    for i in range(len(x)):
        if flag:
            s += x[i]
            y[0] = s
    return s, y


def reset(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        s = 0.0
    return s


def largest(x):
    best = -1.0
    for i in range(len(x)):
        best = max(best, x[i])
        if x[i] > 0.5:
            best += x[i]
    return best


def until(x):
    s, k = 0.0, 0
    while s < 2.0 and k < len(x):
        s += x[k]
        k += 1
    return s, k


def of_either(x):
    s = 0.0
    for i in range(len(x)):
        s += min(0.0, -x[i] * 2)
    return s


def of_either_in_a_branch(x):
    s, y = 0.0, x.copy()
    for i in range(len(x)):
        d = 2 * y[i]
        if d <= 0 or x[i] < 0.5:
            y[i] *= -1
            s += min(0.0, -d)
    return s, y


def swapped(x):
    a, b = x.copy(), np.zeros_like(x)
    for i in range(len(x) - 1):
        b[i] = a[i + 1]
        a, b = b, a
    return a, b


def rebound(x):
    y = x.copy()
    for i in range(len(x)):
        y[i] = 1.0
        y = y * x
    return y


def by_an_index(x, n):
    s = 0.0
    for i in range(len(n)):
        s += x[n[i]]
    return s


OWN = [
    (by_an_index, (X, N)), (by_an_index, (X.astype(np.float32), N)), (by_an_index, (X.astype(np.float16), N)),
    (sums, (X,)), (stores, (X,)), (of_single, (X.astype(np.float32),)), (of_single, (X,)), (of_single, (N,)), (of_single, (X + 1j,)), (from_an_integer, (X,)),
    (from_an_integer, (N,)), (from_an_integer, (X.astype(np.float32),)), (from_an_integer, (N.astype(np.int8),)), (of_numbers, (X,)), (mixed, (X, N)), (mixed, (X.astype(np.float32), N)),
    (not_reached, (X,)), (reset, (X,)), (largest, (X,)), (largest, (X.astype(np.float32),)), (until, (X,)), (swapped, (X,)), (rebound, (X,)),
    (helpers_store, (X,)), (helpers_call_themselves, (X,)), (helpers_do_not_store, (X,)), (own_helpers_store, (X,)), (of_either, (X,)), (of_either, (X.astype(np.float32),)), (of_either_in_a_branch, (X,)), (of_either_in_a_branch, (X.astype(np.float32),)),
]  # fmt: skip


def module_of(path, text):
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_long_chains_are_asked_once(tmp_path):
    """Each of 800 statements computes from the two before it: what does not have its type of them is not looked for on every way."""
    lines = ["v0 = s * 0.5", "v1 = v0 * s", *(f"v{k} = v{k - 1} * v{k - 2}" for k in range(2, 800)), "s = v799 + x[i]"]
    text = "def chain(x):\n    s = 0.0\n    for i in range(len(x)):\n" + "".join(f"        {line}\n" for line in lines) + "    return s\n"
    module = module_of(tmp_path / "chain.py", text)
    assert s2s.jit(module.chain, target="numpy")(X) == module.chain(X)


TERMS = ("int(x[i] * 3)", "len(x)", "(1 if x[i] > 0.5 else 2)", "int(x[0] > 0.5)", "bool(x[i] > 0.3)", "i", "1", "0.5", "x[i]", "x.argmax()", "np.int64(x[i])", "round(x[i])", "float(i)", "(x[i] > 0.5)", "np.float32(x[i])")
UPDATES = ("m += {0}", "m = m + {0}", "m = {0} + {1} - m", "m = max(m, {0})", "m = m * {0} + {1}", "m = {0} if x[i] > 0.6 else m", "m = m + {0} if x[i] > 0.6 else {1} + m", "m = {0}")


def drawn_sums(path, seed, count):
    """Functions in which a number is computed in a loop from itself and from what is Python's own, NumPy's, or either."""
    rng = np.random.default_rng(seed)
    lines = ["import numpy as np\n"]
    for number in range(count):
        first, update = rng.choice(("0", "1", "0.0", "np.float64(0)", "np.float32(1)", "True")), rng.choice(UPDATES).format(*rng.choice(TERMS, 2))
        step = f"if x[i] > 0.4:\n            {update}" if rng.random() < 0.3 else update
        lines.append(f"\ndef f{number}(x):\n    m = {first}\n    for i in range(len(x)):\n        {step}\n    return m\n")
    module = module_of(path / f"sums_{seed}.py", "".join(lines))
    return [getattr(module, f"f{number}") for number in range(count)]


HEAD = "import numpy as np\n\n\ndef third(x, i):\n    return int(x[i] * 3)\n\n\ndef tripled(v):\n    s = 0\n    for _ in range(3):\n        s = s + v\n    return s\n"
PARTS = ("int(x[i] * 3)", "(1 if x[i] > 0.5 else 2)", "i", "1", "c", "m", "c * 2", "m // 2", "third(x, i)", "tripled(c)", "tripled(m)", "len(x)", "x[i]")
CHANGES = ("m += {0}", "m = m + {0}", "m = {0} + {1} - m", "m = {0} if x[i] > 0.6 else m", "m = {0}", "c += {0}", "c, m = m, {0}", "m = tripled({0})", "c = third(x, i) + {0}", "a[i] += {0}")


def drawn_nests(path, seed, count):
    """Functions with loops in loops and helpers, in which two numbers are computed of each other."""
    rng = np.random.default_rng(seed)

    def statement(depth, margin):
        if depth == 0 or rng.random() < 0.65:
            return margin + rng.choice(CHANGES).format(*rng.choice(PARTS, 2)) + "\n"
        head = rng.choice(("for i in range(len(x)):", "for _ in range(2):", "if x[i] > 0.5:", "if c > 2:"))
        return f"{margin}{head}\n{block(depth - 1, margin + '    ')}"

    def block(depth, margin):
        return "".join(statement(depth, margin) for _ in range(rng.integers(1, 4)))

    functions = (f"\n\ndef f{k}(x):\n    m, c, i, a = {rng.integers(1, 3)}, {rng.integers(1, 3)}, 0, np.zeros(9)\n{block(3, '    ')}{block(3, '    ')}    return m, c, a\n" for k in range(count))
    module = module_of(path / f"nests_{seed}.py", HEAD + "".join(functions))
    return [getattr(module, f"f{number}") for number in range(count)]


def tripled(v):
    s = 0
    for _ in range(3):
        s = s + v
    return s


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_loops_of_a_helper_are_of_the_types_of_its_call(target):
    function = s2s.jit(lambda x: (tripled(x[0]), tripled(int(x[1])), tripled(2), tripled(x), tripled(0.5), tripled(x > 0.5)), target=target)
    for x in (X, X.astype(np.float32), N):
        got, want = function(x), (tripled(x[0]), tripled(int(x[1])), tripled(2), tripled(x), tripled(0.5), tripled(x > 0.5))
        for one, other in zip(got, want, strict=True):
            assert type(one) is type(other)
            np.testing.assert_allclose(one, other, rtol=1e-6)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5))])
def test_what_a_wrong_guess_has_shown_of_the_loops_inside_is_forgotten(seed, tmp_path, monkeypatch):
    functions, args = drawn_nests(tmp_path, seed, 30), ((X,), (N,))
    guessed = {(function, each): program(function, args[each]) for function in functions for each in range(2)}
    monkeypatch.setattr(guesses, "changes_of", lambda loop: NO_CHANGES)
    monkeypatch.setattr(LastTime, "still_carried", lambda self, reader, before: {})
    for (function, each), text in guessed.items():
        assert program(function, args[each]) == text, f"{inspect.getsource(function)} of {args[each]}"


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5))])
@pytest.mark.filterwarnings("ignore")
def test_a_guessed_type_is_that_of_the_program_without_guesses(seed, tmp_path, monkeypatch):
    """A number to which a loop adds Python's integers, computed from an array's elements, is an integer."""
    functions = drawn_sums(tmp_path, seed, 60)
    args = [(X,), (X.astype(np.float32),), (N,), (X > 0.5,)]
    guessed = {(function, each): program(function, args[each]) for function in functions for each in range(len(args))}
    monkeypatch.setattr(guesses, "changes_of", lambda loop: NO_CHANGES)
    for (function, each), text in guessed.items():
        assert program(function, args[each]) == text, f"{inspect.getsource(function)} of {args[each]}"


def program(function, args, static=()):
    """What is read, or the refusal."""
    try:
        return str(s2s.jit(function, static_argnums=static, target="numpy").program(*args))
    except (S2SError, TypeError) as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize(("function", "args"), OWN, ids=lambda each: getattr(each, "__name__", ""))
def test_as_numpy(function, args):
    """Values and types, Python's numbers among them."""
    got, want = s2s.jit(function, target="numpy")(*args), function(*args)
    for one, other in zip(got if isinstance(got, tuple) else (got,), want if isinstance(want, tuple) else (want,), strict=True):
        assert type(one) is type(other)
        np.testing.assert_allclose(one, other, rtol=1e-6 if np.asarray(other).dtype == np.float32 else 1e-12)


@pytest.mark.parametrize("share", range(8))
def test_programs_are_those_without_guesses(share, monkeypatch):
    """The same program, variable by variable."""
    calls = [(case.fun, case.make(np.random.default_rng(0)), case.static) for case in CASES] + [(*each, ()) for each in OWN]
    calls = calls[share::8]
    guessed = [program(*call) for call in calls]
    monkeypatch.setattr(guesses, "changes_of", lambda loop: NO_CHANGES)
    for call, text in zip(calls, guessed, strict=True):
        assert program(*call) == text


@pytest.mark.parametrize(("function", "args", "loops"), [(sums, (X,), 2), (stores, (X,), 2), (until, (X,), 1), (from_an_integer, (X,), 1), (helpers_store, (X,), 1)])
def test_each_body_is_read_once(function, args, loops, monkeypatch):
    """Where the text says all."""
    readings = []
    begin = Carry.begin
    monkeypatch.setattr(Carry, "begin", lambda self, index, **how: readings.append(self) or begin(self, index, **how))
    s2s.jit(function, target="numpy").program(*args)
    assert len(readings) == loops
