"""Arrays without axes against NumPy itself: every maker × every question; NumPy's scalars are another thing."""
from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2s
from s2s.errors import UnsupportedError

MAKERS = (
    "x", "np.array(x)", "np.asarray(x)", "np.asanyarray(x)", "np.copy(x)", "np.array(x).copy()", "np.array(x).astype(np.float32)", "np.zeros(())", "np.full((), x)",
    "np.zeros_like(x)", "np.where(x > 0, x, 2.0)", "np.broadcast_to(x, ())", "np.reshape(x, ())", "np.squeeze(x)", "np.array(x).T", "np.array(x).real", "np.array(x)[...]",
    "np.array(x)[()]", "v[0]", "v[0, ...]", "v[:1].reshape(())", "v[:1].squeeze()", "np.sum(v)", "v.sum()", "np.sin(x)", "np.asarray(x) + 1.0", "v @ v", "np.dot(v, v)",
    "np.mean(v)", "np.max(v)", "np.array(2.5)", "np.float64(2.5)", "Y", "Z", "OUTER.array", "OUTER.scalar", "(np.array(x), 1.0)[0]", "[np.float64(x)][0]",
    "{'a': np.asarray(x)}['a']", "made(x)", "np.tensordot(v, v, 1)", "-np.array(x)", "np.array(x).sum()", "np.array(x).reshape(())", "np.float64(x).reshape(())", "np.float64(x)[...]",
    "np.float64(x).copy()", "np.roll(np.array(x), 1)", "np.interp(x, v[::-1], v)", "np.clip(np.array(x), 0.0, 1.0)", "np.real(np.array(x))", "v.reshape(2, 1)[1, 0, ...]",
)  # fmt: skip
QUESTIONS = (
    "isinstance(y, np.ndarray)", "isinstance(y, (float, np.floating))", "isinstance(y, np.generic)", "isinstance(y, float)", "type(y) is np.ndarray", "type(y) is np.float64", "np.isscalar(y)",
    "hasattr(y, '__len__')", "hasattr(y, 'shape')", "np.ndim(y)", "np.shape(y)", "y * 2.0 if isinstance(y, np.ndarray) else y * 3.0", "ask(y)",
)  # fmt: skip


class Holder:
    array, scalar = np.array(4.0), np.float64(5.0)


Y, Z, OUTER = np.array(2.0), np.float64(3.0), Holder()


def made(x: Any) -> Any:
    return np.array(x)


def ask(y: Any) -> Any:
    return y * 5.0 if isinstance(y, np.ndarray) else y * 7.0


def function(tmp_path: Any, text: str) -> Callable[..., Any]:
    """A function of the text, with this module's names, in a file of its own."""
    path = tmp_path / "asked.py"
    path.write_text(text)
    names = {**globals(), "__name__": "asked"}
    exec(compile(text, str(path), "exec"), names)  # noqa: S102 - our own text
    return names["f"]


def same(got: Any, want: Any) -> bool:
    if isinstance(want, tuple):
        return isinstance(got, tuple) and len(got) == len(want) and all(map(same, got, want))
    return type(got) is type(want) and bool(np.all(got == want))


def compared(fun: Callable[..., Any], *args: Any) -> None:
    want = fun(*copy.deepcopy(args))
    got = s2s.jit(fun, target="numpy")(*copy.deepcopy(args))
    assert same(got, want), f"{got!r}, NumPy: {want!r}"


ARGUMENTS = {"number": 1.5, "scalar": np.float64(1.5), "array": np.array(1.5)}


@pytest.mark.parametrize("argument", ARGUMENTS)
@pytest.mark.parametrize("part", range(4))
def test_every_maker_and_question(tmp_path: Any, argument: str, part: int) -> None:
    faults = []
    for maker in MAKERS[part::4]:
        if argument == "number" and maker == "np.float64(x).copy()":
            continue
        asked = [question for question in QUESTIONS if not (maker == "x" and argument == "number" and "np.s" in question)]
        fun = function(tmp_path, f"def f(x, v):\n    y = {maker}\n    return {', '.join(asked)}\n")
        x, v = ARGUMENTS[argument], np.array([1.5, 0.5])
        want, got = fun(x, v), s2s.jit(fun, target="numpy")(x, v)
        faults += [f"{maker}: {question} is {mine!r}, NumPy: {theirs!r}" for question, mine, theirs in zip(asked, got, want, strict=True) if mine != theirs]
    assert not faults, "\n".join(faults)


def test_the_same_function_for_arrays_and_scalars() -> None:
    fun = s2s.jit(lambda x: 5.0 if isinstance(x, np.ndarray) else 7.0, target="numpy")
    assert [fun(x) for x in (np.array(1.0), np.float64(1.0), 1.0, np.array(1), np.int64(1), np.array(True), np.bool_(True), np.array(1.0))] == [5.0, 7.0, 7.0, 5.0, 7.0, 5.0, 7.0, 5.0]


def test_a_known_truth_has_what_arrays_have() -> None:
    compared(lambda x: (np.array(True).shape, np.array(True).ndim, np.array(True).size, np.bool_(True).shape, x if np.asarray(False) else -x), 2.0)


def test_globals_that_change(tmp_path: Any) -> None:
    fun = function(tmp_path, "def f(x):\n    return x * 5.0 if isinstance(Y, np.ndarray) else x * 7.0\n")
    jitted = s2s.jit(fun, target="numpy")
    for Y in (np.array(2.0), np.float64(2.0), 2.0, np.array(3.0)):
        fun.__globals__["Y"] = Y
        assert jitted(1.0) == fun(1.0)


def stores(x: Any, v: Any) -> Any:
    a = np.zeros(())
    b = a
    b += x
    c = np.zeros(())
    c[()] = x
    c += 1
    c[...] = c * 2
    d = np.float64(x)
    e = d
    e += 1
    part = v[1, ...]
    part += 10.0
    copied = v[np.array(0), ...]
    copied += 1.0
    items = [a, c]
    items[0] *= 3.0
    return a * 1.0, c * 1.0, d, e, v


def steps(v: Any) -> Any:
    total, product = np.array(0.0), np.array(1.0)
    for k in range(len(v)):
        total = total + v[k]
        product *= v[k]
    if v[0] > 0:
        total = np.array(v[1])
    return total + 1.0, product * 1.0


def positions(v: Any) -> Any:
    k = np.array(1)
    lengths = (3, 4, 5)
    return v[k], lengths[k], float(np.array(v[0])), np.zeros(k + 1), np.asarray(True).dtype == np.bool_, np.array(3).shape, -np.array(v[0]), abs(np.array(v[0]))


def test_stores_and_loops() -> None:
    for x in ARGUMENTS.values():
        compared(stores, x, np.array([1.0, 2.0, 3.0]))
    compared(steps, np.array([1.0, 2.0, 3.0]))
    compared(steps, np.array([-1.0, 2.0, 3.0]))
    compared(positions, np.array([1.5, 2.0, 3.0]))


def test_results_are_arrays() -> None:
    for fun in (lambda x: np.asarray(x), lambda x: (np.where(x > 0, x, 0.0), x * 2), lambda x: {"a": np.zeros(())}["a"]):
        for x in ARGUMENTS.values():
            compared(fun, x)


def of_a_loop(v: Any) -> Any:
    total = np.array(0.0)
    for k in range(len(v)):
        total = total + v[k]
    return 1.0 if isinstance(total, np.ndarray) else 2.0


def of_some_trips(v: Any) -> Any:
    return of_a_loop(v[: int(v[0])])


def of_a_path(v: Any) -> Any:
    total = np.array(v[0]) if v[0] > 0 else v[1]
    return hasattr(total, "__len__") * v[0]


def stored(x: Any) -> Any:
    x += 1.0
    return x * 1.0


@pytest.mark.parametrize(("fun", "arg"), [(of_some_trips, np.ones(3)), (of_a_path, np.ones(3)), (stored, np.array(1.0))])
def test_what_is_not_known_is_refused(fun: Callable[..., Any], arg: Any) -> None:
    with pytest.raises(UnsupportedError, match="without axes"):
        s2s.jit(fun, target="numpy")(arg)


@pytest.mark.parametrize("name", ["ndim", "shape", "dtype", "T", "sum", "astype", "item"])
@pytest.mark.parametrize("number", [2.0, 2, 2j])
def test_numbers_of_python_have_no_attributes_of_arrays(tmp_path: Any, name: str, number: Any) -> None:
    fun = function(tmp_path, f"def f(x):\n    return x.{name}\n")
    with pytest.raises(AttributeError) as wanted:
        fun(number)
    with pytest.raises(AttributeError) as found:
        s2s.jit(fun, target="numpy")(number)
    assert str(found.value).startswith(str(wanted.value))


def test_derivatives() -> None:
    def fun(x: Any) -> Any:
        y = np.array(x)
        y *= x
        return np.where(y > 0, y, -y) * Y

    for x in ARGUMENTS.values():
        assert s2s.grad(fun)(x) == 4.0 * 1.5
        assert s2s.jvp(fun, (x,), (1.0,))[1] == 6.0
        assert s2s.hessian(fun)(x) == 4.0


@pytest.mark.parametrize("fun", [lambda y: len(np.array(y)), lambda y: [k for k in np.array(y)]])  # noqa: C416 - the loop is what is asked
def test_what_has_no_length(fun: Callable[..., Any]) -> None:
    with pytest.raises(TypeError) as wanted:
        fun(1.0)
    with pytest.raises(TypeError) as found:
        s2s.jit(fun, target="numpy")(1.0)
    assert str(wanted.value) in str(found.value)


# ---- growing lists ---------------------------------------------------------------------------------------------------------------

LISTS = {
    "appended": "a = []\n    for k in range(len(v)):\n        a.append({item})\n",
    "on one path": "a = []\n    for k in range(len(v)):\n        if v[k] > 0:\n            a.append({item})\n",
    "comprehension": "a = [{item} for k in range(len(v))]\n",
    "comprehension with a test": "a = [{item} for k in range(len(v)) if v[k] > 0]\n",
    "repeated": "k = 0\n    a = [{item}] * len(v)\n",
    "while": "a, k = [], 0\n    while k < len(v):\n        a.append({item})\n        k += 1\n",
}
TAKEN = ("ask(a[0])", "ask(a[-1])", "ask(a.pop())", "sum([ask(y) for y in a])", "type(a[0]) is np.ndarray", "ask(sum(a))", "ask(a[1] * 2.0)")


@pytest.mark.parametrize("made", LISTS)
def test_items_of_lists_that_grow(tmp_path: Any, made: str) -> None:
    v = np.array([3.0, 1.0, 2.0])
    for item in ("v[k]", "np.array(v[k])", "np.sin(np.array(v[k]))", "np.asarray(v[k])"):
        fun = function(tmp_path, f"def f(v):\n    {LISTS[made].format(item=item)}    return {', '.join(TAKEN)}\n")
        assert s2s.jit(fun, target="numpy")(v) == pytest.approx(fun(v), rel=1e-15)


@pytest.mark.parametrize("taken", ["ask(a[0])", "ask(max(a))", "ask(a[1:][0])"])
def test_items_of_two_kinds_are_refused(tmp_path: Any, taken: str) -> None:
    fun = function(tmp_path, f"def f(v):\n    a = [v[0]]\n    for k in range(len(v)):\n        a.append(np.array(v[k]))\n    return {taken}\n")
    with pytest.raises(UnsupportedError, match="without axes"):
        s2s.jit(lambda v: fun(v[: int(v[0])]), target="numpy")(np.ones(3))


# ---- functions inside transformations -------------------------------------------------------------------------------------------


@s2s.custom_jvp
def ruled(y: Any) -> Any:
    return ask(y)


@ruled.defjvp
def _(primals: Any, tangents: Any) -> Any:
    return ask(primals[0]), tangents[0] * ask(primals[0]) / primals[0]


NESTED = (
    "s2s.grad(ask)(y)", "s2s.grad(lambda u: ask(u))(y)", "s2s.value_and_grad(ask)(y)[1]", "s2s.jvp(ask, (y,), (1.0,))[1]", "s2s.vjp(ask, y)[1](1.0)[0]", "s2s.linearize(ask, y)[1](1.0)",
    "s2s.jit(ask)(y) / y", "s2s.jacrev(ask)(y)", "s2s.jacfwd(ask)(y)", "s2s.hessian(lambda u: ask(u) * u)(y) / 2.0", "s2s.grad(s2s.checkpoint(ask))(y)", "s2s.grad(s2s.jit(ask))(y)",
    "s2s.grad(lambda p: ask(p['a'][0]))({'a': (y, x)})['a'][0]", "s2s.grad(ruled)(y)", "s2s.grad(lambda u: s2s.grad(lambda w: ask(w) * w)(u))(y) / 2.0", "s2s.linear_transpose(ask, y)(1.0)[0]",
)  # fmt: skip


@pytest.mark.parametrize("nested", NESTED)
def test_arguments_of_nested_transformations(tmp_path: Any, nested: str) -> None:
    for maker, slope in (("np.array(x)", 5.0), ("np.float64(x)", 7.0), ("x * 1.0", 7.0)):
        fun = function(tmp_path, f"def f(x):\n    y = {maker}\n    return {nested}\n")
        assert s2s.jit(fun, target="numpy")(np.float64(1.5)) == pytest.approx(slope, rel=1e-15), maker
    fun = function(tmp_path, f"def f(x):\n    y = np.array(x) if x > 0 else x\n    return {nested}\n")
    with pytest.raises(UnsupportedError, match="without axes"):
        s2s.jit(fun, target="numpy")(np.float64(1.5))


@pytest.mark.parametrize("made", ["s2s.jit(made)(x)", "s2s.checkpoint(made)(x)", "s2s.jvp(made, (x,), (1.0,))[0]", "s2s.vjp(made, x)[0]", "s2s.value_and_grad(lambda u: made(u))(x)[0]"])
def test_results_of_nested_transformations(tmp_path: Any, made: str) -> None:
    fun = function(tmp_path, f"def f(x):\n    return ask({made})\n")
    assert s2s.jit(fun, target="numpy")(1.5) == 1.5 * 5.0


# ---- what may be either ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", ["y += 1.0", "items[0] *= 2.0", "y[...] = 1.0", "np.add(y, 1.0, out=y)"])
def test_changes_in_place_are_refused(tmp_path: Any, change: str) -> None:
    fun = function(tmp_path, f"def f(x):\n    y = np.array(x) if x > 0 else x\n    z, items = y, [y]\n    {change}\n    return z * 1.0\n")
    with pytest.raises(UnsupportedError):
        s2s.jit(fun, target="numpy")(np.float64(1.5))


@pytest.mark.parametrize("made", ["y.copy()", "y.astype(np.float32)", "np.real(y)", "y.T", "max(y, 1.0)", "max(np.array(x), x + 1.0)", "[y][0]"])
def test_what_is_made_of_it_is_refused(tmp_path: Any, made: str) -> None:
    fun = function(tmp_path, f"def f(x):\n    y = np.array(x) if x > 0 else x\n    return ask({made})\n")
    with pytest.raises(UnsupportedError, match="without axes"):
        s2s.jit(fun, target="numpy")(np.float64(1.5))


# ---- questions about dtypes -----------------------------------------------------------------------------------------------------

DTYPES = (np.bool_, np.int32, np.int64, np.float32, np.float64, np.complex64, np.complex128, True, False)
OPERANDS = ("x", "s", "v", "np.array(s)", "1", "2.5", "1j", "True", "len(v)", "np.int32", "'f4'", "float", "v.dtype", "s.dtype", "float(x)", "None", "(x, 1)", "(1, 2)", "[x, 1]", "(x,)", "[1.0]", "'no'")


@pytest.mark.parametrize("name", ["result_type", "can_cast", "promote_types"])
def test_questions_about_dtypes(tmp_path: Any, name: str) -> None:
    """NumPy's answer; where it has none, an error; a refusal where that is not known while reading."""
    x, s, v = np.float64(1.5), np.float32(2.0), np.array([1, 2])
    answered = 0
    for one in OPERANDS:
        for two in ("np.float32", "x", "2.5", "s", "(x, 1)"):
            fun = function(tmp_path, f"def f(x, s, v):\n    found = np.{name}({one}, {two})\n    return [found is each or found == each for each in DTYPES].index(True)\n")
            try:
                got = s2s.jit(fun, target="numpy")(x, s, v)
            except (UnsupportedError, TypeError, ValueError):
                continue
            assert got == fun(x, s, v), f"np.{name}({one}, {two})"
            answered += 1
    assert answered >= 4


@pytest.mark.parametrize("program", [lambda x: np.array(x), lambda x: (np.asarray(3.0), x * 2.0), lambda x: [(np.ones(2) * x).tolist(), np.where(x > 0, x, 0.0)]])
def test_tangents_are_arrays_where_their_values_are(program):
    for x in (1.5, np.float64(1.5)):
        value, tangent = s2s.jvp(program, (x,), (x,))
        assert s2s.tree.map(type, tangent) == s2s.tree.map(type, value) == s2s.tree.map(type, program(x))
        value, push = s2s.linearize(program, x) if not isinstance(value, list) else (value, lambda x, tangent=tangent: tangent)
        assert s2s.tree.map(type, push(x)) == s2s.tree.map(type, value)


@pytest.mark.parametrize("program", [
    lambda x: ~np.asarray(False)[()], lambda x: ~np.asarray(False), lambda x: np.array(True) + np.array(True), lambda x: np.array(True) * 3, lambda x: np.asarray(True)[()] + x, lambda x: ~np.zeros((), bool),
    lambda x: ~np.asarray(x > 2), lambda x: np.array(True).item() is True, lambda x: isinstance(np.asarray(True)[()], bool), lambda x: np.array(True) ^ np.array(True), lambda x: f"{np.array(3) > 2}",
    lambda x: ~(len("abc") > 2), lambda x: {True: 1}[bool(np.array(True))],
])  # fmt: skip
def test_bools_that_are_known_are_numpys(program):
    for x in (1.0, np.float64(3.0)):
        found, wanted = s2s.jit(program, target="numpy")(x), program(x)
        assert type(found) is type(wanted)
        assert found == wanted
