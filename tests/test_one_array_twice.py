"""`is` of arrays that a call may be given twice: as in Python where the program is the function's own, else a clear error."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2s
from s2s.errors import ArgumentValueError, UnsupportedError

SHARED = np.arange(3.0)
ALSO_SHARED = SHARED


def products(x: Any, y: Any = None) -> Any:
    """As kernels and spectra are written: of one series, or of two."""
    if y is None or y is x:
        return np.sum(x * x)
    return 2 * np.sum(x * y)


def asked_while_written(x: Any, y: Any, z: Any) -> Any:
    z[0] = 10.0
    return x is y, y is z, np.asarray(x) is x


def of_containers(x: Any, others: Any) -> Any:
    return [each is x for each in others]


def by_a_helper(x: Any, y: Any) -> Any:
    return products(x, y) + 1.0


def and_outside(x: Any) -> Any:
    return x is SHARED, SHARED is ALSO_SHARED


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("function", [products, by_a_helper, asked_while_written, of_containers])
def test_as_in_python_whichever_call_comes_first(function: Any, target: str) -> None:
    def calls() -> list[tuple[Any, ...]]:
        x, y, z = np.arange(3.0), np.ones(3), np.arange(4.0)
        if function is of_containers:
            return [(x, [x, y]), (x, [y, y]), (x, [x, x])]
        if function is asked_while_written:
            return [(x, y, z), (x, x, z), (x, y, y), (x, x, x)]
        return [(x, y), (x, x), (z[1:], z[:-1]), (x, y), (y, y)]

    for order in (slice(None), slice(None, None, -1)):
        compiled = s2s.jit(function, target=target)
        for ours, theirs in zip(calls()[order], calls()[order], strict=True):
            assert compiled(*ours) == function(*theirs)
            np.testing.assert_equal(ours, theirs)


def test_derivatives_and_batches_treat_them_as_two() -> None:
    x, y = np.arange(3.0), np.ones(3)
    for transformed in (s2s.grad(products), s2s.jit(s2s.grad(products, argnums=(0, 1))), s2s.jacfwd(products)):
        np.testing.assert_allclose(np.ravel(transformed(x, y))[:3], 2 * y)
        with pytest.raises(ArgumentValueError, match="are one array, and the function asks whether they are"):
            transformed(x, x)
    with pytest.raises(UnsupportedError, match="asks whether two arrays are one"):
        s2s.jit(lambda x: s2s.grad(products)(x, x))(x)


def test_arrays_outside() -> None:
    compiled = s2s.jit(and_outside)
    assert compiled(np.arange(3.0)) == (False, True)
    with pytest.raises(ArgumentValueError, match="one array"):
        compiled(SHARED)


def test_a_module_that_stands_alone_checks_it(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import numpy as np\n\n\ndef f(x, y):\n    return x * 2 if y is x else x + y\n", encoding="utf-8")
    command = [sys.executable, "-m", "s2s", "emit", "program.py:f", "--transform", "jit", "--args", "f8[:], f8[:]", "--target", "numpy", "-o", "made.py"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    text = "import numpy as np, made\nx = np.ones(2)\nprint(made.f_jit(x, x + 1))\ntry:\n    made.f_jit(x, x)\nexcept ValueError as error:\n    print(error)\n"
    printed = subprocess.run([sys.executable, "-c", text], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert printed == "[3. 3.]\ny and x must be two arrays: the function asks whether they are one\n"
