"""Python's integers in compiled code: the right number, or an OverflowError at the line; and no check where 64 bits surely do."""
import ast
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from reading import loaded

import s2s


def powers(n: int) -> int:
    product = 1
    for i in range(1, n + 20):
        product *= i
    return product


def doubled(n: int) -> int:
    return 2 ** (n + 50)


def shifted(n: int) -> int:
    return (1 << n) + n**3


def fibonacci(n: int) -> int:
    a, b = 0, 1
    for _ in range(n * 8):
        a, b = b, a + b
    return a


def hashed(n: int) -> int:
    h = 17
    for i in range(n):
        h = h * 31 + i
    return h


def of_a_list(n: int) -> int:
    values = [1]
    for _ in range(n):
        values.append(values[-1] * 7 + len(values))
    return values[-1]


def collatz_peak(n: int) -> int:
    peak = n
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        peak = max(peak, n)
    return peak * 2**57


def squares(n: int) -> int:
    total = 0
    for i in range(n * 1000):
        total += i * i * i * i
    return total


GROWING = [powers, doubled, shifted, fibonacci, hashed, of_a_list, collatz_peak, squares]


def bits_of(value: int) -> bool:
    return -(2**63) <= value < 2**63


@pytest.mark.parametrize("function", GROWING, ids=lambda function: str(function.__name__))
def test_an_integer_beyond_64_bits_is_an_error_where_python_goes_on(function: Any) -> None:
    compiled = s2s.jit(function)
    met = set()
    for n in (1, 2, 3, 7, 12, 13, 25, 64, 100):
        wanted = function(n)
        met.add(bits_of(wanted))
        if bits_of(wanted):
            assert compiled(n) == wanted
        else:
            with pytest.raises(OverflowError, match="beyond 64 bits"):
                compiled(n)
    assert met == {True, False}


def test_the_error_shows_the_line_and_the_numbers() -> None:
    with pytest.raises(OverflowError, match=r"beyond 64 bits, of \d+ and 31:") as caught:
        s2s.jit(hashed)(40)
    assert any(entry.path == Path(__file__) and entry.lineno == hashed.__code__.co_firstlineno + 2 for entry in caught.traceback)


def flat(x: np.ndarray, n: int) -> float:
    total = 0.0
    for i in range(n - 1):
        for j in range(n):
            total += x[i * n + j + 1] * i
    return total


def halves(x: np.ndarray, n: int) -> int:
    low, high = 0, len(x) - 1
    while low <= high:
        middle = low + (high - low) // 2
        if x[middle] == n:
            return middle
        if x[middle] < n:
            low = middle + 1
        else:
            high = middle - 1
    return -1


def halves_by_sum(x: np.ndarray, n: int) -> int:
    low, high = 0, len(x)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if x[middle] < n else (low, middle)
    return low


def common_divisor(x: np.ndarray, n: int) -> int:
    a, b = n * 12, 18
    while b:
        a, b = b, a % b
    return a


def modular_power(x: np.ndarray, n: int) -> int:
    result, base, exponent = 1, n + 5, 1000
    base %= 10**9 + 7
    while exponent > 0:
        if exponent & 1:
            result = result * base % (10**9 + 7)
        base = base * base % (10**9 + 7)
        exponent >>= 1
    return result


def congruences(x: np.ndarray, n: int) -> int:
    seed = n
    for _ in range(20):
        seed = (seed * 1103515245 + 12345) % 2**31
    return seed


def counted(x: np.ndarray, n: int) -> int:
    count = total = 0
    for i in range(len(x)):
        for j in range(i):
            count += 1
            if x[i] > x[j]:
                count, total = 0, total + 1
    return count + total


def heap_like(x: np.ndarray, n: int) -> int:
    child, moves = 1, 0
    while child < len(x):
        if child + 1 < len(x) and x[child + 1] > x[child]:
            child += 1
        moves += 1
        child = 2 * child + 1
    return moves


def digits(x: np.ndarray, n: int) -> int:
    total = 0
    while n:
        total += n % 10
        n //= 10
    return total


def least_divisor(x: np.ndarray, n: int) -> int:
    d = 2
    while d * d <= n:
        if n % d == 0:
            return d
        d += 1
    return n


USUAL = [least_divisor, flat, halves, halves_by_sum, common_divisor, modular_power, congruences, counted, heap_like, digits]


@pytest.mark.parametrize("function", USUAL, ids=lambda function: str(function.__name__))
def test_what_surely_fits_has_no_check(function: Any) -> None:
    x, n = np.arange(9.0) ** 2, 3
    assert "OverflowError('an integer" not in s2s.jit(function).source(x, n)
    assert s2s.jit(function)(x, n) == function(x, n)


# ---- arguments of more than 32 bits -----------------------------------------------------------------------------------


@pytest.mark.parametrize("function", USUAL[4:7] + USUAL[-1:], ids=lambda function: str(function.__name__))
def test_large_arguments_have_a_program_of_their_own(function: Any) -> None:
    compiled = s2s.jit(function)
    for n in (7, 2**31, 2**32 + 3, -(2**32), 11):
        wanted = function(np.arange(3.0), abs(n))
        assert compiled(np.arange(3.0), abs(n)) == wanted


def square(n: int) -> int:
    return n * n


FACTOR = 3


def by_a_global(n: int) -> int:
    return n * FACTOR * FACTOR


def test_products_of_large_arguments_are_checked() -> None:
    compiled = s2s.jit(square)
    assert [compiled(n) for n in (2**31 - 1, 2**31, 3_037_000_499, -5)] == [n * n for n in (2**31 - 1, 2**31, 3_037_000_499, -5)]
    with pytest.raises(OverflowError, match=r"beyond 64 bits, of 3037000500\b"):
        compiled(3_037_000_500)


def test_a_global_may_become_large(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = s2s.jit(by_a_global)
    assert compiled(5) == 45
    monkeypatch.setitem(globals(), "FACTOR", 2**31 - 1)
    assert compiled(1) == (2**31 - 1) ** 2
    monkeypatch.setitem(globals(), "FACTOR", 2**33)
    with pytest.raises(OverflowError, match="beyond 64 bits"):
        compiled(5)
    monkeypatch.setitem(globals(), "FACTOR", 4)
    assert compiled(5) == 80


def test_a_module_for_small_arguments_says_so(tmp_path: Path) -> None:
    module = loaded(tmp_path / "emitted_square.py", s2s.jit(square).source(3))
    assert module.square_jit(2**31 - 1) == (2**31 - 1) ** 2
    with pytest.raises(OverflowError, match=r"the argument n = 2147483648 has more than 32 bits.*wide_int"):
        module.square_jit(2**31)
    assert "--args wide_int" in s2s.jit(square).source(2**31)


# ---- known integers of more than 64 bits --------------------------------------------------------------------------------

BESIDE_LARGE = """
def function(n, x):
    return (n < 2**64, n > 10**20, n == 2**63, n != -2**70, -2**64 <= n, min(n, 2**70), max(-2**70, n), n % 2**63, n // 10**20, n // -10**20,
            float(n) * 2**70, x * 2**70, x < 2**70, n * 2.0**70, n in (1, 2**80))


def of_no_sign(n, x):
    return n % 2**64, divmod(n, 2**65), n & 0xFFFFFFFFFFFFFFFF, 2**64 - 1 & n, n & 2**70


def beyond(n, x):
    return n + 2**64
"""


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_integers_of_more_than_64_bits_beside_others(target: Any, tmp_path: Path) -> None:
    module = loaded(tmp_path / f"beside_large_{target}.py", BESIDE_LARGE)
    function, of_no_sign, beyond = (s2s.jit(getattr(module, name), target=target) for name in ("function", "of_no_sign", "beyond"))
    for n in (0, 1, -1, 2**31 + 5, -(2**40), 2**63 - 1, -(2**63)):
        assert function(n, 0.5) == module.function(n, 0.5)
        assert [type(found) for found in function(n, 0.5)] == [type(wanted) for wanted in module.function(n, 0.5)]
        if n >= 0:
            assert of_no_sign(n, 0.5) == module.of_no_sign(n, 0.5)
        else:
            with pytest.raises(OverflowError, match="beyond 64 bits"):
                of_no_sign(n, 0.5)
    if target == "numpy":
        assert beyond(5, 0.5) == 2**64 + 5
    else:
        with pytest.raises(s2s.UnsupportedError, match="the integer 184467440737095516.., which has more than 64 bits"):
            beyond(5, 0.5)


def test_arrays_are_compared_with_integers_of_more_than_64_bits() -> None:
    def function(x: np.ndarray, k: np.ndarray) -> Any:
        return x < 2**70, k < 2**64, k == -(2**70), k.astype(np.uint8) >= 2**63, np.int32(k[0]) > 10**20

    x, k = np.array([1.5, np.inf]), np.array([[1, -1]])
    for found, wanted in zip(s2s.jit(function)(x, k), function(x, k), strict=True):
        np.testing.assert_array_equal(found, wanted)
        assert (type(found), found.dtype) == (type(wanted), wanted.dtype)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_sums_of_lists_and_what_lists_hold(target: Any) -> None:
    def total(n: int, start: int) -> int:
        return sum([i**4 * 2**40 for i in range(n)], start)

    def held(n: int) -> int:
        values = [7]
        for i in range(n):
            values.append(values[-1] * 9 + i)
        return values[n // 2]

    def small(n: int) -> int:
        return sum([i % 7 for i in range(n)]) + sum(int(i > 3) for i in range(n))

    compiled = s2s.jit(total, target=target)
    assert [compiled(n, 2**60) for n in (0, 3, 20)] == [total(n, 2**60) for n in (0, 3, 20)]
    for n, start in ((40, 0), (26, 2**63 - 1)):
        with pytest.raises(OverflowError, match="beyond 64 bits"), np.errstate(over="ignore"):
            compiled(n, start)
    assert s2s.jit(held, target=target)(8) == held(8)
    with pytest.raises(OverflowError, match="beyond 64 bits"), np.errstate(over="ignore"):
        s2s.jit(held, target=target)(30)
    assert "beyond 64" not in s2s.jit(small, target=target).source(5)
    assert s2s.jit(small, target=target)(50) == small(50)


# ---- drawn programs ---------------------------------------------------------------------------------------------------

OPERATIONS = ("{} + {}", "{} - {}", "{} * {}", "{} // {other}", "{} % {other}", "{} & {}", "{} | {}", "{} ^ {}", "min({}, {})", "max({}, {})", "abs({}) + {}", "-{} - {}",
              "({} << {shift}) + {}", "{} + ({} >> {shift})", "({} if {} < {other} else {other})", "{} ** 2 - {}", "({} + {}) // 2")  # fmt: skip


def drawn(seed: int) -> str:
    """A loop over integers that are computed from each other."""
    rng = random.Random(seed)
    names = ["a", "b", "c", "i"]

    def term() -> str:
        return rng.choice([*names, *names, str(rng.choice([1, 2, 3, 7, 1000, 2**31, 2**40]))])

    lines = []
    for _ in range(rng.randint(2, 5)):
        text = rng.choice(OPERATIONS).format(term(), term(), other=rng.choice(["7", "1000003", "2**33", "(1 + abs(c))"]), shift=rng.randint(0, 20))
        target = rng.choice("abc")
        lines.append(f"        {target} = {text}" if rng.random() < 0.7 else f"        if {term()} > {term()}:\n            {target} = {text}")
    return "def function(a, b, n):\n    c = 1\n    for i in range(n):\n" + "\n".join(lines) + "\n    return a, b, c\n"


@pytest.mark.parametrize("seed", range(24))
def test_drawn_programs_of_integers(seed: int, tmp_path: Path) -> None:
    text = drawn(seed)
    function = loaded(tmp_path / f"drawn_{seed}.py", text).function
    compiled = s2s.jit(function)
    rng = random.Random(seed + 1)
    for _ in range(40):
        a, b = (rng.choice([0, 1, -1, 5, -17, 2**20, 2**31 - 1, -(2**31), 2**35 + 1, 2**62, -(2**62)]) for _ in range(2))
        n = rng.choice([0, 1, 2, 3, 6])
        wanted = function(a, b, n)
        try:
            found = compiled(a, b, n)
        except OverflowError:
            assert largest(text, a, b, n) >= 2**63 - 2**10, (text, a, b, n)
        else:
            assert found == wanted, (text, a, b, n)


class Watching(ast.NodeTransformer):
    """Shows the result of each operation to a function."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        inner = super().generic_visit(node)
        return ast.Call(ast.Name("seen", ast.Load()), [inner], []) if isinstance(inner, ast.BinOp | ast.UnaryOp) else inner


def largest(text: str, a: int, b: int, n: int) -> int:
    """How far from zero Python's integers are while the function runs, at most."""
    met = [0]

    def seen(value: int) -> int:
        met.append(abs(value))
        return value

    namespace: dict[str, Any] = {"seen": seen}
    exec(compile(ast.fix_missing_locations(Watching().visit(ast.parse(text))), "watched", "exec"), namespace)  # noqa: S102
    namespace["function"](a, b, n)
    return max(met)


def test_what_the_last_bit_decides() -> None:
    def function(a: int, b: int) -> Any:
        return a + b

    def difference(a: int, b: int) -> Any:
        return a - b

    def opposite(a: int, b: int) -> Any:
        return -a

    def size(a: int, b: int) -> Any:
        return abs(a)

    def quotient(a: int, b: int) -> Any:
        return a // b if b else 0

    ends = (0, 1, -1, 5, 2**31, 2**62, -(2**62), 2**63 - 1, -(2**63), -(2**63) + 1, 2**63 - 2)
    for each in (function, difference, opposite, size, quotient):
        compiled = s2s.jit(each)
        for a in ends:
            for b in ends:
                wanted = each(a, b)
                if bits_of(wanted):
                    assert compiled(a, b) == wanted
                else:
                    with pytest.raises(OverflowError, match="beyond 64 bits"):
                        compiled(a, b)


def test_a_parameter_that_a_loop_binds_anew_is_left_where_there_is_no_trip() -> None:
    def function(x: np.ndarray, a: int, n: int) -> Any:
        total = 0.0
        for _ in range(n):
            a = len(x) - 3
            total += x[a]
        return total, a

    x = np.arange(3.0)
    assert [s2s.jit(function)(x, 7, n) for n in (0, 2)] == [function(x, 7, n) for n in (0, 2)]  # a check of a, before the loop, took its value with it


# ---- NumPy's integers wrap ----------------------------------------------------------------------------------------------


def of_arrays(a: np.ndarray, n: int) -> Any:
    b = a * 6364136223846793005 + 1442695040888963407
    c = a - b
    return b % 1000, b < 0, np.abs(b), b // 7, b > a, c < a, a * a < 0, -b > 0, a**2 >= 0, a // -np.sign(a * a + 1), a // -1


def of_elements(a: np.ndarray, n: int) -> Any:
    state, total = a[0], a[0]
    found = np.zeros(n, np.int64)
    negative = smaller = 0
    for i in range(n):
        state = state * 6364136223846793005 + 7
        if state < 0:
            negative += 1
        if total + a[i % len(a)] < total:
            smaller += 1
        total = total + a[i % len(a)]
        found[i] = state % 10007
    return state, negative, smaller, found


@pytest.mark.parametrize("function", [of_arrays, of_elements])
@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_numpys_integers_begin_again(function: Any, target: Any) -> None:
    rng = np.random.default_rng(3)
    compiled = s2s.jit(function, target=target)
    for a in (rng.integers(-(2**63), 2**63 - 1, 40), rng.integers(2**60, 2**62, 9), rng.integers(0, 9, 7), np.array([2**63 - 1, -(2**63), 0, 1])):
        for found, wanted in zip(compiled(a, 50), function(a, 50), strict=True):
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_items_in_tests_of_loops_and_in_comprehensions(target: Any) -> None:
    def counted(n: int) -> int:
        values, count = [7], 0
        for i in range(n):
            values.append(values[-1] * 9 + i)
        while values[count] * 2**50 > 0 and count < n:
            count += 1
        return count

    def scaled(k: np.ndarray) -> list[int]:
        return [int(v) * 2**40 for v in k]

    assert s2s.jit(counted, target=target)(3) == counted(3)
    assert s2s.jit(scaled, target=target)(np.array([3, -5])) == scaled(np.array([3, -5]))
    for function, argument in ((counted, 10), (scaled, np.array([2**40, 3]))):
        with pytest.raises(OverflowError, match="beyond 64 bits"), np.errstate(over="ignore"):
            s2s.jit(function, target=target)(argument)
