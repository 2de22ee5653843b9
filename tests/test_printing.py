"""`print` at run time: what Python prints, each time the function runs, and once whatever derivative is asked for."""
from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pytest
from reading import run, staged

import s2s
from s2s.errors import UnsupportedError

X, Y, N = np.array([0.1, -0.2, 1.3, 0.7]), 0.3, 3


def numbers_and_texts(x, y, n):
    print("start", flush=True)
    s = 0.0
    for i in range(n):
        s += x[i] * y
        print("step", i, f"{s:.3f}", s, sep=", ")
        if s > 0.2:
            print("big {", x[i], "}", end="!\n")
    print("%d %.3f %s" % (n, y, x[0]), "{:>8.2e}".format(y), y + 1j, s > 1, None)  # noqa: UP031, UP032 - they are to be read
    print([1, y], (n, "a"), {"k": 2}, [x[0]], f"{y!r} {n!s} {y=}")
    return s * s


def arrays(x, y, n):
    u = x.copy()
    for i in range(1, n):
        u[i] = u[i - 1] * y + np.sin(u[i])
        print(f"{i}: {u[i]} {u[:i]}")
    print(u)
    u[0] = 3.0
    print(u.reshape(2, 2), u > 1.0, u.astype(np.float32), np.array(y))
    print(np.float32(y), f"{np.float32(y)}", np.int64(n), len(u), str(np.float32(y)))
    return u.sum()


def helper(x, y):
    print("helper", y)
    t = np.tanh(x * y)
    print(t)
    return np.sum(np.sin(t))


def in_helpers(x, y, n):
    k = 0
    while k < n:
        if x[k] > 0:
            print(k, x[k] * 2)
        k += 1

    def inner(v):
        print("inner", v)
        return np.sum(v * v)

    return inner(x) + helper(x, y) + s2s.checkpoint(helper)(x, y * 2)


def nothing_else(x, y, n):
    for i in range(n):
        print(x[i])
        if x[i] > 0:
            print("positive")
    print("end")
    return np.sum(x * x * x) * y


PROGRAMS = (numbers_and_texts, arrays, in_helpers, nothing_else)
DERIVATIVES = {
    "jit": lambda f: f,
    "grad": s2s.grad,
    "value_and_grad": s2s.value_and_grad,
    "jvp": lambda f: lambda x, y, n: s2s.jvp(lambda x: f(x, y, n), (x,), (x,)),
    "linearize": lambda f: lambda x, y, n: s2s.linearize(lambda x: f(x, y, n), x)[1](x),
    "jacfwd": s2s.jacfwd,
    "jacrev": s2s.jacrev,
    "hessian": s2s.hessian,
    "gradient of gradient": lambda f: s2s.grad(lambda x, y, n: np.sum(s2s.grad(f)(x, y, n))),
}


def printed(function, capsys):
    capsys.readouterr()
    function(X.copy(), Y, N)
    return capsys.readouterr().out


@pytest.mark.parametrize("made", DERIVATIVES.values(), ids=DERIVATIVES)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_as_python_and_once(program, made, capsys):
    with s2s.disable_jit():
        wanted = printed(program, capsys)
    assert wanted
    transformed = s2s.jit(made(program), target="numpy")
    for _ in range(2):
        assert printed(transformed, capsys) == wanted


def clamped(u, low, high):
    u = max(low, min(high, u))
    print(f"{u:8.3f} {u:.2e} {u:6.1%}", "%.3f %g" % (u, u), "{:G}".format(u))  # noqa: UP031, UP032
    return 1.0 * u


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("u", [0.3, 7.0, -7.0])
def test_a_float_or_an_int_by_the_path_is_shown_as_both_are(target, u, capsys):
    clamped(u, -2, 3)
    wanted = capsys.readouterr().out
    s2s.jit(clamped, target=target)(u, -2, 3)
    assert capsys.readouterr().out == wanted


def test_interpreted(capsys):
    for program in PROGRAMS[:2]:
        with s2s.disable_jit():
            wanted = printed(program, capsys)
        assert printed(lambda *args, program=program: run(program, *args), capsys) == wanted


def everything(x, y, n):
    return numbers_and_texts(x, y, n) + arrays(x, y, n) + in_helpers(x, y, n) + nothing_else(x, y, n)


def test_compiled(capsys):
    with s2s.disable_jit():
        wanted = printed(everything, capsys)
    assert printed(s2s.jit(everything), capsys) == wanted
    assert printed(s2s.jit(s2s.grad(everything)), capsys) == wanted


def test_before_an_exception(capsys):
    def f(x, y, n):
        for i in range(n):
            print(i)
            if x[i] > 1.0:
                raise ValueError(f"{x[i]} at {i}")
        return y

    for target in ("numpy", "cpu"):
        with pytest.raises(ValueError, match=r"1\.3 at 2"):
            s2s.jit(f, target=target)(X, Y, N)
        assert capsys.readouterr().out == "0\n1\n2\n"


def test_the_text_is_a_plain_print():
    assert "print(f'step, {i}, {s:.3f}, {s}')" in s2s.jit(numbers_and_texts, target="numpy").source(X, Y, N)


def of_two_types(x):
    s = 0
    for v in x:
        s = s + int(v) if v > 5.0 else v
    print(s)


def to_a_file(x):
    with open("f", "w") as file:
        print(x, file=file)


def of_options(x):
    with np.printoptions(precision=3):
        print(x)


@pytest.mark.parametrize(("function", "words"), [(of_two_types, "print of a number that is"), (of_options, "print of an array under np.printoptions that the function sets"), (to_a_file, "open|with")])
def test_refused(function, words):
    with pytest.raises(UnsupportedError, match=words):
        staged(function, X)


def test_examples_print_one_after_the_other(capsys):
    rows = np.arange(6.0).reshape(2, 3)
    for row in rows:
        helper(row, 1.0)
    wanted = set(capsys.readouterr().out.splitlines())
    s2s.vmap(s2s.jit(lambda v: helper(v, 1.0), target="numpy"))(rows)
    said = capsys.readouterr().out.splitlines()
    assert set(said) == wanted
    assert said.count("helper 1.0") == 1  # it is the same for all examples


def test_python_refuses_a_format():
    def f(x):
        print(f"{x:d}")

    with pytest.raises(ValueError, match="Unknown format code 'd'"):
        s2s.jit(f, target="numpy")(1.5)


def test_in_a_jaxpr(capsys):
    made = s2s.make_jaxpr(nothing_else, static_argnums=(1, 2))(X, Y, N)
    with s2s.disable_jit():
        wanted = printed(nothing_else, capsys)
    assert "debug_print[fmt=end]" in str(made)
    s2s.core.eval_jaxpr(made.jaxpr, made.consts, X)
    assert capsys.readouterr().out == wanted


@dataclass
class Signed:
    sign: str
    size: float


def signs(x, k):
    sign = {-1: "-", 1: "+"}[k]
    print("%s %05.2f" % (sign, x), "{} {:.1f}".format(sign, x), f"{sign}{x:.2f}", "|".join([sign, "b", sign]), [sign, x], (sign,))  # noqa: FLY002, UP031, UP032 - they are to be read
    print(Signed(sign, x), f"{Signed(sign, x)}", {"sign": sign}, end=".\n")
    if x > 3.0:
        raise ValueError("%s%s" % (sign, [sign]))  # noqa: UP031
    return x


def test_texts_that_are_one_of_several(capsys):
    """In every way to put texts together: each is printed, or raised, as it would be alone."""
    for jitted in (s2s.jit(signs, target="numpy"), s2s.jit(signs)):
        for k in (1, -1):
            signs(2.5, k)
            wanted = capsys.readouterr().out
            jitted(2.5, k)
            assert capsys.readouterr().out == wanted
            with pytest.raises(ValueError, match=re.escape(f"{'- +'[k + 1]}['{'- +'[k + 1]}']")):
                jitted(4.0, k)
            capsys.readouterr()


def bars(x, n):
    heights, edges = np.histogram(x, bins=3)
    for k in range(3):
        print(f"{edges[k]:5.2f} | {'#' * heights[k]} ({heights[k]})")
    counts = {"few": 0, "many": 0}
    for v in x:
        counts["many" if v > 1.0 else "few"] += n
    for name, count in counts.items():
        print(name + ":", count * "'", "-" * (count - 4) + "|", f"{'=' * (2 * count)}")


def widths(x, n):
    wide = int(x.max() * 6)
    for v in x:
        print(f"{v:>{wide}.2f}|{v:{n + 4}.{n}e}|{wide:0{wide}d}|{n:^{wide}}")


def too_many(x, n):
    count = int(x.max() * 4)
    if count > n:
        raise ValueError(f"too many: {'*' * count} {x[0]:>{count}.1f}")


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("function", [bars, widths, too_many], ids=lambda each: each.__name__)
def test_as_many_characters_as_the_run_says(function, target, capsys):
    """One character times a number, and widths and precisions that are numbers of the run."""

    def shown(f):
        try:
            f(X, N)
        except ValueError as error:
            print(error)
        return capsys.readouterr().out

    assert shown(s2s.jit(function, target=target)) == shown(function)


def lines(x, n):
    print("-=" * int(x.max() * 3))


def test_more_characters_are_refused():
    with pytest.raises(UnsupportedError, match="str '-='"):
        s2s.jit(lines)(X, N)
