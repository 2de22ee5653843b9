"""Texts of a list whose length only the run knows, joined: what a function gives back as one text."""
from __future__ import annotations

import numpy as np
import pytest

import s2s
from s2s.errors import UnsupportedError


def of_lines(x, n):
    lines = []
    for k in range(n):
        lines.append(f"{k}: {x[k]:.2f}")
    return "\n".join(lines)


def with_a_header(x, n):
    lines = ["name  value"]
    for k in range(n):
        lines.append(f"x[{k}]  {x[k]:.3f}")
        if x[k] < 0:
            lines.append("  (negative)")
    return "\n".join(lines), n


def on_one_path(x, n):
    found = []
    if x[0] > 0:
        found.append(f"{x[0]}")
    if n > 2:
        found.append("many")
    return {"text": "; ".join(found), "count": len(found)}


def of_a_comprehension(x, n):
    return ", ".join([f"{v:.1f}" for v in x[:n]])


def of_a_generator(x, n):
    return " | ".join(f"{v:+.1f}" for v in x)


def of_numbers(x, n):
    return ",".join(str(k * n) for k in range(n))


def of_known_texts(x, n):
    return "".join(["up" if v > 0 else "down" for v in x])


def before_it_changes(x, n):
    words = ["a"] * n
    text = "-".join(words)
    words.append("b")
    return text, "{}'\"\\".join(words)


def in_a_helper(x, n):
    return report([f"{v:.2e}" for v in x[:n]]), x.sum()


def report(lines):
    return "\n".join(lines)


def of_nothing(x, n):
    return ",".join([f"{v}" for v in x[:0]])


PROGRAMS = [of_lines, with_a_header, on_one_path, of_a_comprehension, of_a_generator, of_numbers, of_known_texts, before_it_changes, in_a_helper, of_nothing]
X = np.array([0.5, -1.25, 2.0, 0.75])


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("fun", PROGRAMS)
def test_as_in_python(fun, target):
    compiled = s2s.jit(fun, target=target)
    for x, n in ((X, 3), (-X, 1), (X, 0), (X[::-1].copy(), 4)):
        assert compiled(x, n) == fun(x, n)


def of_those_above_zero(x):
    lines = ["above zero:"]
    for k in range(len(x)):
        if x[k] > 0:
            lines.append(f"{k}: {x[k]:.2f}")
    text = "\n".join(lines)
    lines.append("end")
    return text, "; ".join(lines)


def of_all(x):
    return ", ".join(f"{v:.1f}" for v in x), ",".join([str(int(v)) for v in x])


def in_lists(x):
    lines = [f"{v:.1f}" for v in x]
    lines.append("end")
    return lines, [f"{v:+.2f} ({k})" for k, v in enumerate(x) if v > 0], {k: f"{v}" for k, v in enumerate(x)}


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("fun", [of_those_above_zero, of_all, in_lists])
def test_of_any_size(fun, target):
    compiled = s2s.jit(fun, target=target)
    assert "x: float64[n] -> (" in compiled.source(X)
    for x in (X, -X, X[:1], X[:0]):
        assert compiled(x) == fun(x)


@pytest.mark.parametrize("fun", [
    lambda x, n: ",".join([v for v in x[:n]]), lambda x, n: len(of_lines(x, n)), lambda x, n: of_lines(x, n) + "!", lambda x, n: print(of_lines(x, n)),
    lambda x, n: of_lines(x, n) == "", lambda x, n: f"<{of_lines(x, n)}>", lambda x, n: [of_lines(x, n)] * n, lambda x, n: of_lines(x, n).upper(),
    lambda x, n: of_lines(x, int(x[2])) + "!", lambda x, n: len(of_lines(x, int(x[2]))), lambda x, n: f"<{of_lines(x, int(x[2]))}>", lambda x, n: print(of_lines(x, int(x[2]))),
    lambda x, n: of_lines(x, int(x[2])) == "0: 0.50", lambda x, n: hash(of_lines(x, int(x[2]))), lambda x, n: {of_lines(x, int(x[2])): 1}, lambda x, n: of_lines(x, int(x[2])) if x[0] > 0 else "none",
])  # fmt: skip
def test_right_or_refused(fun, capsys):
    """What else is done with such a text: where the number of lines is known to the call, all that Python does."""
    try:
        found = s2s.jit(fun, target="numpy")(X, 3)
    except (UnsupportedError, TypeError) as error:
        assert "test_joined_texts.py" in str(error)
    else:
        printed = capsys.readouterr().out
        assert found == fun(X, 3) and printed == capsys.readouterr().out


def test_beside_what_is_differentiated():
    value, text = s2s.grad(lambda x, n: (np.sum(x[:n] ** 2), of_lines(x, n)), has_aux=True)(X, 2)
    np.testing.assert_allclose(value, [1.0, -2.5, 0.0, 0.0])
    assert text == of_lines(X, 2)
    for transformed in (s2s.grad(of_lines), lambda *args: s2s.eval_shape(of_lines, *args)):
        with pytest.raises(UnsupportedError, match="text|run-time length|size of a result"):
            transformed(X, 2)
