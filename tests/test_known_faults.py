"""What Python and NumPy raise for values that are known while reading is the program's own exception: raised where the program comes to it, caught where it catches it."""
from __future__ import annotations

import functools
import itertools
import linecache
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2s

FAULTS = r"""
np.zeros(3, dtype="foo")
x.astype("foo")
x.astype(dtype=5)
np.asarray(x, dtype="zz")
np.fromiter([1, 2], dtype="zz")
np.add(x, 1.0, dtype="zz")
np.add.reduce(x, dtype="zz")
np.arange(0, 1, 0)
np.linspace(0, 1, -3)
np.reshape(x, (2, "a"))
np.concatenate([])
np.stack([x, x], axis=5)
np.sum(x, axis=3)
np.repeat(x, -1)
np.einsum("i->ij", x)
np.fill_diagonal(x, 1.0)
np.fill_diagonal(a=x, val=1.0)
np.pad(x, 1, mode="zzz")
np.moveaxis(x, 0, 4)
np.percentile(x, 200)
np.linalg.inv(x)
np.fft.fft(x, n=0)
(1, 2)[5]
{"a": 1}["b"]
[].pop()
(1,).index(4)
"abc"[7]
int("z")
chr(-1)
len(3)
min([])
divmod(1, 0)
pow(2, -1, 0)
2 ** "a"
math.sqrt(-1)
math.factorial(-1)
range(1, 2, 0)
isinstance(1, 2)
getattr(x, "zz")
"{:d}".format(1.5)
f"{1.5:d}"
f"{x[0]:d}"
format(x[0], "zz")
"%d" % "a"
list(itertools.product([1], repeat=-1))
list(itertools.islice(x, 0, 3, 0))
functools.reduce(lambda a, b: a, [])
operator.itemgetter(5)((1,))
np.random.default_rng(0).normal(scale=-1)
""".strip().splitlines()
FORMS = {
    "uncaught": "def program(x):\n    made = {}\n    return x\n",
    "caught": "def program(x):\n    try:\n        made = {}\n    except Exception as error:\n        return x * 2.0, type(error).__name__\n    return x * 3.0, 'none'\n",
    "on a path": "def program(x):\n    if x[0] > 0:\n        made = {}\n    return x\n",
}
NEVER_BOUND = ("if flag:\n        y = 2.0", "if flag:\n        y = {}\n    if x[1] > 3.0:\n        y['a'] = 2.0", "def inner():\n        return y + 1.0\n    x = x * 2.0", "for k in range(2):\n        x = x + k")
"""What stands before the use of a name that nothing binds."""
X = np.array([1.0, 2.0, 3.0])


def program_of(fault: str, form: str, text: str = "") -> Callable[[np.ndarray], Any]:
    """The program, with a text that can be read."""
    text, file = text or FORMS[form].replace("{}", fault, 1), f"<known fault {form}: {fault}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names: dict[str, Any] = {"np": np, "math": math, "itertools": itertools, "functools": functools, "operator": operator}
    exec(compile(text, file, "exec"), names)
    program: Callable[[np.ndarray], Any] = names["program"]
    return program


def outcome(run: Callable[[np.ndarray], Any]) -> Any:
    """What a call gives or raises."""
    try:
        return run(X.copy())
    except Exception as error:  # noqa: BLE001 - compared
        return error


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("fault", FAULTS)
def test_an_exception_of_a_known_value_is_the_program_s(fault: str, form: str) -> None:
    program = program_of(fault, form)
    wanted, found = outcome(program), outcome(s2s.jit(program, target="numpy"))
    if isinstance(wanted, Exception):
        assert isinstance(found, type(wanted)), (found, wanted)
    else:
        assert found[1] == wanted[1]
        np.testing.assert_array_equal(found[0], wanted[0])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("before", NEVER_BOUND)
def test_a_name_that_nothing_binds_is_an_error_where_it_is_used(before: str, form: str) -> None:
    use = "inner()" if "inner" in before else "y"
    text = FORMS[form].replace("{}", use, 1).replace("(x):\n", f"(x, flag=False):\n    {before}\n", 1)
    if "y = " not in before:
        text = text.replace("    return x\n", "    y = 1.0\n    return x\n")
    for at in (1.0, -1.0):
        program = program_of(f"never bound: {before} {form} {use}", form, text)
        wanted, found = (outcome(lambda x, run=run: run(at * x)) for run in (program, s2s.jit(program, target="numpy")))
        if isinstance(wanted, Exception):
            assert isinstance(found, type(wanted)), (found, wanted)
        elif isinstance(wanted, tuple):
            assert found[1] == wanted[1]
        else:
            np.testing.assert_array_equal(found, wanted)
