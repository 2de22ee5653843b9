"""`order=` of copies and of arrays like others, and what is asked of their memory behind: NumPy's answer, or a refusal."""
import itertools
import linecache

import numpy as np
import pytest

import s2s

_NUMBERS = itertools.count()

MADE = [
    "x.copy(order='F')", "x.copy('C')", "x.copy('K')", "x.copy('A')", "x.copy()", "np.copy(x, 'F')", "np.copy(x)", "np.copy(x, 'A')", "np.array(x)", "np.array(x, order='F')",
    "np.array(x, order='C')", "np.zeros_like(x)", "np.zeros_like(x, order='F')", "np.ones_like(x, order='C')", "np.full_like(x, 1.0, order='F')", "np.ones_like(x, order='A')",
    "np.zeros(x.shape, order='F')", "np.ones(x.shape, order='F')", "np.full(x.shape, 2.0, order='F')", "np.eye(3, 4, order='F')", "x.astype(np.float32)",
    "x.astype(np.float32, order='F')", "x.astype(np.float64, order='C')", "np.asarray(x, order='F')", "np.asfortranarray(x)", "x.T.copy()", "x.T.copy(order='K')", "x.T.copy('A')", "np.zeros_like(x.T)",
    "x + 1", "x.T + 1", "np.add(x, 1, order='F')", "x.reshape((4, 3), order='F')", "x[::-1].copy('K')", "x[:, ::2].copy('K')", "np.broadcast_to(x, (2, *x.shape)).copy('K')", "x.T[::-1].copy('K')",
]  # fmt: skip
ASKED = ["y.strides", "y.ravel('K')", "y.flags.f_contiguous", "np.zeros_like(y).strides", "y.reshape(-1, order='A')"]
X = np.arange(12.0).reshape(3, 4) - 5
LAYOUTS = {"C": X.copy(), "F": np.asfortranarray(X), "turned": np.arange(12.0).reshape(4, 3).T, "backwards": X[::-1], "strided": np.arange(24.0).reshape(3, 8)[:, ::2]}
SURE = {"C": 24}
"""Of how many of these what is asked must be known for an argument in C order."""


def function_of_text(text):
    """A function that can be read, of its text."""
    file, names = f"<lying {next(_NUMBERS)}>", {"np": np}
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), names)  # noqa: S102
    return names["lying"]


@pytest.mark.parametrize("asked", ASKED)
def test_right_or_refused(asked):
    known = 0
    for made in MADE:
        function = function_of_text(f"def lying(x):\n    y = {made}\n    return {asked}\n")
        compiled = s2s.jit(function, target="numpy")
        for name, x in LAYOUTS.items():
            try:
                got = compiled(x)
            except (NotImplementedError, ValueError):  # refused, or asked for in C order
                continue
            known += name == "C"
            wanted = function(x)
            assert type(got) is type(wanted), (made, name)
            np.testing.assert_array_equal(got, wanted, err_msg=f"{made} of {name}")
    assert known >= SURE["C"]


@pytest.mark.parametrize("made", ["x.copy(order='F')", "np.zeros_like(x, order='F') + x", "np.array(x, order='F')", "x.T.copy('K').T", "x.astype(np.float32, order='F')"])
@pytest.mark.parametrize("shape", [(3, 4), (0, 4), (3, 0), (1, 4), (4, 1), (5,), (2, 3, 4), ()])
def test_results(made, shape):
    """The array itself: values, dtype, what is stored into it, and the gradient."""
    function = function_of_text(f"def lying(x):\n    y = {made}\n    y *= 2.0\n    return y, x\n")
    x = np.random.default_rng(0).normal(size=shape)
    for target in ("numpy", "cpu") if shape == (3, 4) else ("numpy",):
        got, wanted = s2s.jit(function, target=target)(x.copy()), function(x.copy())
        for one, other in zip(got, wanted, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-15, strict=True)
    if shape == (3, 4):
        np.testing.assert_allclose(s2s.grad(lambda x: np.sum(function(x)[0] ** 2))(x), 8 * x, rtol=1e-6)


TAKEN = [
    "np.array(x, copy=None, order='F')", "np.array(x, copy=None, order='C')", "np.array(x, copy=None)", "np.array(x, None, copy=None, order='K')", "x.astype(float, order='F', copy=False)",
    "x.astype(float, order='C', copy=False)", "x.astype(float, 'K', 'unsafe', True, False)", "x.astype(float, 'F', 'safe', True, True)", "x.astype(float, copy=False)", "x.astype(float)",
    "np.asarray(x, order='F')", "np.ascontiguousarray(x)", "np.zeros_like(x, float, 'F', True, (2, 2))", "np.full_like(x, 2, float, 'C', False)", "np.zeros((2, 3), float, 'F')",
]  # fmt: skip


@pytest.mark.parametrize("taken", TAKEN)
def test_the_array_itself_or_a_copy(taken):
    """A store into what a conversion gives is one into its argument where NumPy makes no copy of it, which its layout decides; or it is refused."""
    function = function_of_text(f"def lying(x):\n    y = {taken}\n    y[0, 1] = 5.0\n    return x.sum(), y\n")
    of_turned = function_of_text(f"def lying(z):\n    x = z.T\n    y = {taken}\n    y[0, 1] = 5.0\n    return z.sum(), y\n")
    for each in (function, of_turned):
        compiled = s2s.jit(each, target="numpy")
        for x in (np.ones((2, 3)), np.asfortranarray(np.ones((2, 3)))):
            ours, numpys = x.copy(order="K"), x.copy(order="K")
            try:
                got = compiled(ours)
            except NotImplementedError:
                continue
            for one, other in zip((*got, ours), (*each(numpys), numpys), strict=True):
                np.testing.assert_array_equal(one, other)
