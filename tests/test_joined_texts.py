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


class Shown:
    def __init__(self, values):
        self.values = values

    def __str__(self):
        return ", ".join(f"{v:.1f}" for v in self.values)

    def __repr__(self):
        return f"Shown({self.values})"


def as_parts(x):
    values = [v for v in x.tolist() if v > 0.6]
    text = "none"
    if len(values) > 1:
        text = f"{values}"
    before = str(values) + "!"
    for v in x:
        if v > 1:
            values.append(3.0)
    before += f" {values}"
    try:
        if len(values) > 2:
            raise ValueError(f"{len(values)} are too many: {values}")  # noqa: TRY301 it is caught there
    except ValueError as error:
        return text, before, str(error)
    shown = Shown(values)
    return text, before, f"{shown}; {shown!r}"


def of_items(x):
    pairs = [(v, k) for k, v in enumerate(x.tolist()) if v > 0.6]
    return f"{pairs} and {[int(4 * v) for v in x if v > 0]}", "%s: %s" % ("lists", [[v, 2 * v] for v in x.tolist() if v > 0.6]), ["{}".format([v > 1 for v in x.tolist() if v > 0]), "end"]  # noqa: UP031, UP032 they are read too


def printed(x):
    values = []
    for k, v in enumerate(x.tolist()):
        if v > 0.6:
            values.append(v)
            print("up to", k, values, f"of {len(x)}: {x[0]:.2f}", Shown(values), sep="; ", end="!\n")
    print(values)
    print(", ".join(f"{v:{5 + len(x)}.1f}" for v in values))
    return len(values)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("fun", [of_those_above_zero, of_all, in_lists, as_parts, of_items])
def test_of_any_size(fun, target):
    compiled = s2s.jit(fun, target=target)
    assert "x: float64[n] -> (" in compiled.source(X)
    for x in (X, -X, X[:1], X[:0]):
        assert compiled(x) == fun(x)


def letters(x):
    run, last, longest = 0, "", 0
    for c in "".join("+" if v > 0.6 else "-" for v in x):
        run = run + 1 if c == last else 1
        last, longest = c, max(longest, run)
    return longest, [k for k, c in enumerate("".join("b" for v in x if v > 0))]


def test_letters_one_by_one():
    """Where each text is one letter, the text's letters are the list's items."""
    compiled = s2s.jit(letters, target="numpy")
    assert "x: float64[n] -> (" in compiled.source(X)
    for x in (X, -X, X[:1], X[:0]):
        assert compiled(x) == letters(x)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_printed(target, capsys):
    compiled = s2s.jit(printed, target=target)
    for x in (X, -X, X[:1], X[:0]):
        found = compiled(x), capsys.readouterr().out
        assert found == (printed(x), capsys.readouterr().out)


def test_in_an_exception_they_are_counted():
    def refused(x):
        values = [v for v in x if v > 0.6]
        if len(values) > 1:
            raise ValueError(f"too many: {values}, {x[0]}")
        return len(values)

    compiled = s2s.jit(refused, target="numpy")
    assert compiled(X[:1]) == 0
    with pytest.raises(ValueError, match=r"too many: \[<2 items>\], 0\.5"):
        compiled(X)


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
