"""Arrays whose elements stand in the user's text: tables of a module where nothing changes them, new arrays everywhere else."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from fuzz.check import load

import s2s
from s2s.calls.standalone import emit_text


def taps(x):
    kernel = np.array([[0.5, 0.25], [0.125, 1.0]])
    weights = np.array([1.5, -0.5])
    total = 0.0
    for k in range(len(x) - 1):
        total += weights[k % 2] * np.sum(kernel @ x[k : k + 2])
    return total


def step(x, h):
    tableau = np.array([[0.0, 0.0], [0.5, 0.0]])
    weights = np.array([0.25, 0.75])
    slopes = np.zeros((2, x.size))
    for stage in range(2):
        slopes[stage] = -np.sin(x + h * (tableau[stage] @ slopes))
    return x + h * (weights @ slopes)


def steps(x, h, n):
    for _ in range(n):
        x = step(x, h)
    return np.sum(x * x)


def turned(x):
    c, s = np.cos(x[0]), np.sin(x[0])
    return np.sum(np.array([[c, -s], [s, c]]) @ x)


def changed(x):
    table = np.array([1.0, 2.0, 3.0])
    other = np.array([[1.0, 2.0], [3.0, 4.0]])
    table[1] += x[0]
    return table, other, other.T[0], np.sum(other)


def chosen(x):
    table = np.array([1.0, 2.0])
    found = table
    if x[0] > 0.0:
        found = x
    return found, table


PROGRAMS = [(taps, (np.arange(5.0),)), (steps, (np.array([0.3, 0.7, 1.0]), 0.1, 4)), (turned, (np.array([0.4, 1.5]),)), (changed, (np.ones(2),)), (chosen, (-np.ones(2),)), (chosen, (np.ones(2),))]


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize(("program", "args"), PROGRAMS)
def test_each_call_has_its_own(program: Any, args: tuple[Any, ...], target: str) -> None:
    """What a caller does with results changes no later call's."""
    call, wanted = s2s.jit(program, target=target), program(*args)
    for _ in range(2):
        found = call(*args)
        for one, other in zip(s2s.tree_util.tree_leaves(found), s2s.tree_util.tree_leaves(wanted), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-13)
        for each in s2s.tree_util.tree_leaves(found):
            if isinstance(each, np.ndarray) and not np.shares_memory(each, args[0]):
                each[...] = 99.0


@pytest.mark.parametrize(("program", "args"), PROGRAMS[:3])
def test_derivatives(program: Any, args: tuple[Any, ...]) -> None:
    gradient = s2s.grad(program)(*args)
    for direction in np.eye(len(args[0])):
        forward = s2s.jvp(lambda x: program(x, *args[1:]), (args[0],), (direction,))[1]
        np.testing.assert_allclose(direction @ gradient, forward, rtol=1e-12)
        ahead, behind = (program(args[0] + h * direction, *args[1:]) for h in (1e-6, -1e-6))
        np.testing.assert_allclose(forward, (ahead - behind) / 2e-6, rtol=1e-6, atol=1e-8)


def counted(table):
    table += 1.0
    return np.float64(table[0])


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_what_python_may_store_into_is_new_in_each_call(target: str) -> None:
    def program(x):
        table = np.array([1.0, 2.0])
        return s2s.pure_callback(counted, s2s.ShapeDtypeStruct((), float), table) + np.sum(table * x)

    def by_helper(x):
        table = np.array([1.0, 2.0])
        return called(table, x) + x

    def called(table, x):
        for _ in range(2):
            x = x * s2s.pure_callback(counted, s2s.ShapeDtypeStruct((), float), table)
        return x

    for each in (program, by_helper):
        call = s2s.jit(each, target=target)
        assert call(2.0) == call(2.0) == each(2.0)


def test_the_module_holds_tables() -> None:
    text = s2s.grad(taps).source(np.arange(5.0))
    assert "\nkernel = np.array(((0.5, 0.25), (0.125, 1.0)))\n" in text
    assert "kernel[0, 0]" not in text
    text = s2s.grad(steps).source(np.ones(3), 0.1, 4)
    assert "tableau_tape" not in text
    assert "weights_tape" not in text


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int8", "complex128", "bool"])
@pytest.mark.parametrize("shape", [(1,), (1, 1), (3,), (2, 1, 2), (4, 2)])
@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_dtypes_and_shapes(dtype: str, shape: tuple[int, ...], target: str) -> None:
    values = (np.arange(np.prod(shape)) % 3 - 1).reshape(shape).astype(dtype)
    program = program_of(f"def f(x, k):\n    table = np.array({values.tolist()}, np.{values.dtype.type.__name__})\n    return table * x, table[k], table.sum()\n")
    for x in (2, 1.5):
        found, wanted = s2s.jit(program, target=target)(x, shape[0] - 1), program(x, shape[0] - 1)
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(one, other)
            assert one.dtype == other.dtype


def test_numbers_that_are_not_finite() -> None:
    def program(x):
        table = np.array([[np.inf, 1.0], [-np.inf, np.nan]])
        return table * x, table[0, 1] * x

    for one, other in zip(s2s.jit(program)(2.0), program(2.0), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", ["error", "gemm", "plus", "matmul", "_array", "f_jit", "f_grad", "_f_grad", "_entry", "types", "njit", "cos", "index", "float64", "x_bar", "args", "hidden", "i", "n", "zeros"])
def test_names_of_tables(name: str) -> None:
    program = program_of(f"""
def f(x, y):
    {name} = np.array([[1.0, 2.0], [3.0, 4.0]])
    for k in range(2):
        y = {name}[k] * np.sum(np.cos(y)) + y @ {name}
    return np.sum(x * ({name} @ y)) * {name}[0, 1]
""")
    x, y = np.array([0.3, 0.2]), np.array([1.0, 0.4])
    np.testing.assert_allclose(s2s.jit(program)(x, y), program(x, y))
    np.testing.assert_allclose(s2s.grad(program)(x, y) @ x, program(x, y))


def test_an_argument_of_the_same_name() -> None:
    def program(table):
        x = table["x"]
        table = np.array([[1.0, 2.0], [3.0, 4.0]])
        return np.sum(table @ x)

    assert s2s.grad(program)({"x": np.ones(2)})["x"].tolist() == [4.0, 6.0]


@pytest.mark.parametrize("transform", ["jit", "grad", "vjp", "linearize"])
def test_modules_that_stand_alone(transform: str) -> None:
    name, text = emit_text(taps, [transform], args="f8[:]")
    module = load(text)
    x = np.arange(5.0)
    found = getattr(module, name)(x)
    if transform == "grad":
        np.testing.assert_allclose(found @ x, taps(x))
    elif transform == "jit":
        np.testing.assert_allclose(found, taps(x))
    else:
        np.testing.assert_allclose(found[0], taps(x))
        np.testing.assert_allclose(found[1](1.0)[0] @ x if transform == "vjp" else found[1](x), taps(x))


def program_of(text: str) -> Any:
    return load(f"import numpy as np\n\n\n{text}").f
