"""Functions that return texts with numbers of the run in them: the text that Python makes, from every function that is called rather than differentiated."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2s
from s2s.errors import UnsupportedError
from s2s.numpy import ndarray

DTYPES = (np.float64, np.float32, np.float16, np.int64, np.uint8, np.bool_, np.complex128)


class Point:
    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return f"Point({self.value:.2f})"


def alone(x):
    return f"{x[0]:.3f} {x[1]:>10.2e} {len(x)} {{}} it's \"q\" \\ \n"


def in_containers(x):
    return {"text": str(x.max()), "n": x.size, "percent": "%d %5.1f" % (x.size, x[0]), "format": ("{0} {0!r} {1}".format(x[0], x.size),)}  # noqa: UP030, UP031, UP032 - they are to be read


def on_one_path(x):
    if x[0] > 0:
        return f"{x[0]} is positive"
    return "negative"


def in_a_loop(x):
    lines = [f"n = {len(x)}"]
    for i, v in enumerate(x):
        lines.append(f"{i:3d} {'*' if v > 0 else '-'} {v:8.3f}")  # noqa: PERF401 - one by one, as it is to be read
    return "\n".join(lines)


def of_objects(x):
    return str(Point(x[0])), [f"{Point(x[1])}", repr(Point(x[0]))]


def of_arrays(x):
    return str(x), repr(x), f"{x[:2]} {x > 0}"


def beside_numbers(x):
    return x * 2, f"{x.max()}", x.min()


PROGRAMS = (alone, in_containers, on_one_path, in_a_loop, of_objects, of_arrays, beside_numbers)


def same(want: Any, got: Any) -> bool:
    if isinstance(want, np.ndarray):
        return isinstance(got, ndarray) and want.dtype == got.dtype and np.array_equal(want, got)
    if isinstance(want, dict):
        return list(want) == list(got) and all(same(want[key], got[key]) for key in want)
    if isinstance(want, tuple | list):
        return type(want) is type(got) and len(want) == len(got) and all(map(same, want, got))
    return type(want) is type(got) and want == got


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_texts_are_pythons(f, target):
    jitted = s2s.jit(f, target=target)
    for seed in range(4):
        x = np.random.default_rng(seed).normal(size=3 + seed)
        assert same(f(x), jitted(x))


def of_a_scalar(x):
    return f"{x[0]} {x[1]!s} {x[0]!r}", str(x[1]), repr(x[1])


def of_a_scalar_alone(x):
    return f"{x} {x!s} {x!r}", str(x), repr(x)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_looks_as_in_python(dtype):
    x = (np.array([0.1, 3.0, 1e-7]) * (1 + 2j if dtype is np.complex128 else 1)).astype(dtype)
    if dtype is np.complex128 or dtype is np.bool_:
        def shown(x):
            return f"{x[0]} {x[1]!s}", str(x[1])

        assert s2s.jit(shown, target="numpy")(x) == shown(x)
        return
    assert s2s.jit(of_a_scalar, target="numpy")(x) == of_a_scalar(x)
    assert s2s.jit(of_a_scalar_alone, target="numpy")(x[1]) == of_a_scalar_alone(x[1])


@pytest.mark.parametrize("value", [7, 7.5, True, np.int64(7), np.float32(0.1), np.float64(0.1)])
def test_numbers_known_and_unknown(value):
    assert s2s.jit(of_a_scalar_alone, target="numpy")(value) == of_a_scalar_alone(value)

    def padded(x):
        return f"{x:>9}", f"{x!s:>9}"

    assert s2s.jit(padded, target="numpy")(value) == padded(value)


def test_a_known_number_of_numpys_stands_in_a_module_without_arrays():
    def padded(x):
        return f"{x!r:>14}"

    assert s2s.jit(padded, target="numpy")(np.int64(7)) == padded(np.int64(7))


def test_reprs_of_short_floats_are_printed_as_short(capsys):
    def shown(x):
        print([x[0]], f"{x[1]!r}")
        return x.sum()

    x = np.array([0.1, 0.2], np.float32)
    shown(x)
    want = capsys.readouterr().out
    for target in ("numpy", "cpu"):
        s2s.jit(shown, target=target)(x)
        assert capsys.readouterr().out == want


def test_beside_a_derivative():
    x = np.array([1.5, -2.0])
    slope, text = s2s.grad(lambda x: (x @ x, on_one_path(x)), has_aux=True)(x)
    assert np.array_equal(slope, 2 * x) and text == "1.5 is positive"


@pytest.mark.parametrize("ask", [
    lambda x: s2s.vmap(alone)(x[None]), lambda x: s2s.jvp(alone, (x,), (x,)), lambda x: s2s.vjp(alone, x), lambda x: s2s.jacfwd(alone)(x), lambda x: s2s.linearize(alone, x),
    lambda x: s2s.eval_shape(alone, x), lambda x: s2s.grad(alone)(x),
])  # fmt: skip
def test_nothing_else_is_made_of_a_text(ask):
    with pytest.raises(UnsupportedError, match="text"):
        ask(np.array([1.5, -2.0, 3.0]))


def test_what_is_emitted():
    text = s2s.jit(alone, target="numpy").lower(np.ones(3)).as_text()
    assert '"""x: float64[n] -> str"""' in text
    assert ":.3f}" in text and ":>10.2e}" in text


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("text", [np.str_("a"), np.bytes_(b"a")])
def test_numpys_own_texts_are_no_numbers(text, target):
    _, found = s2s.jit(lambda x: (x, text), target=target)(np.ones(2))
    assert type(found) is type(text) and found == text


def in_a_while(x):
    lines, v, step = [], x[0] * x[0] + 9.0, 0
    while v > 1:
        lines.append(f"step {step}: {v:.3f}")
        v /= 2
        step += 1
    return lines, len(lines)


def printed_again(x):
    lines = []
    for i in range(len(x)):
        if x[i] > 0:
            lines.append(f"{i}: {x[i]!r} {x[i]}")
    for line in lines:
        print(line)
    return lines, [(i, f"{v:.1f}") for i, v in enumerate(x)]


def of_two_forms(x):
    lines = []
    for i in range(len(x)):
        lines.append(f"up {i}" if x[i] > 0 else f"down {i} by {x[i]:.2f}")  # noqa: PERF401 - one by one, as it is to be read
    return lines


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("f", [in_a_while, printed_again, of_two_forms])
def test_lists_of_texts(f, target, capsys):
    jitted = s2s.jit(f, target=target)
    for seed in range(4):
        x = np.random.default_rng(seed).normal(size=3 + seed).astype(np.float32 if seed == 3 else np.float64)
        wanted = f(x), capsys.readouterr().out
        assert (jitted(x), capsys.readouterr().out) == wanted
