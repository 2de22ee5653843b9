"""Writes docs/supported.md from the tables that the reader and the derivatives use, and from what `tests/fuzz/measured.py` found of each function; `tests/test_docs.py` checks that it is current.

    python docs/make_supported.py
"""
from __future__ import annotations

import inspect
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import s2s
from s2s.transformation import Transformation
from s2s.transforms.read.calls.transformations import HANDLERS
from s2s.transforms.read.composed.functional_updates import UPDATES
from s2s.transforms.read.composed.random_methods import METHODS
from s2s.transforms.read.composed.table import COMPOSED, COMPOSED_METHODS
from s2s.transforms.read.flow.iterators import ITERATORS
from s2s.transforms.read.flow.statements import REFUSED
from s2s.transforms.read.names import short
from s2s.transforms.read.numpy.table import ARRAY_ATTRIBUTES, ARRAY_METHODS, NUMPY_FUNCTIONS

PAGE = Path(__file__).resolve().parent / "supported.md"
FORMS: dict[str, dict[str, Any]] = json.loads((PAGE.parent / "supported_forms.json").read_text(encoding="utf-8"))
"""What `tests/fuzz/measured.py` found of functions, by the names that users write."""
MODULES = ("builtins", "cmath", "math", "numpy", "numpy.fft", "numpy.linalg", "s2s", "s2s.numpy", "s2s.numpy.linalg", "s2s.scipy.signal", "s2s.scipy.sparse.linalg", "s2s.scipy.special", "s2s.debug", "s2s.experimental.checkify", "s2s.image", "s2s.lax", "s2s.lax.linalg", "s2s.nn", "s2s.ops", "s2s.random", "s2s.flatten_util", "scipy.cluster.hierarchy", "scipy.cluster.vq", "scipy.constants", "scipy.fft", "scipy.fftpack", "scipy.integrate", "scipy.interpolate", "scipy.linalg", "scipy.ndimage", "scipy.optimize", "scipy.signal", "scipy.sparse", "scipy.sparse.csgraph", "scipy.spatial", "scipy.spatial.distance", "scipy.special", "scipy.stats", "scipy.stats.contingency", "scipy.stats.qmc")
HEAD = """# What is supported

Made by `python docs/make_supported.py` from the tables themselves; not edited by hand. dtypes: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, complex64, complex128.

`s2s.numpy` and `s2s.scipy` (`fft`, `linalg`, `signal`, `special`, `stats`, …) are NumPy's and SciPy's own objects under one import, but for those of which JAX's take more arguments (below, `s2s.numpy`).

Arguments: arrays of these dtypes in any layout (C or Fortran order, strided, reversed, read-only), numbers, what NumPy takes as an array (objects with `__array__` or NumPy's array interface, memoryviews and arrays of ctypes of doubles), and containers of them. Masked arrays, matrices, structured
arrays, `array.array`, `bytearray`, dates, texts and Python's objects are refused by name.

A function that is listed is read with NumPy's own signature; an argument that is not supported is refused with an error at your line. In the tables, *arguments* are those with which a call gives NumPy's result (of ufuncs `where` goes with `out`),
*dtypes* those of arrays with which it does, where NumPy has a result (int: int64 and uint8, float: float32 and float64), *derivative* says whether it has one ("by x2": with respect to that argument only, "-": it is zero, as of integers, comparisons and rounding), as `python -m tests.fuzz.measured` found by calling each beside NumPy;
a blank was not measured, and is taken with the arguments that are shown.
"""

ITERATED = """{functions}; `np.r_`, `np.c_`, `np.mgrid`, `np.ogrid`, `np.s_`, `np.index_exp`. What itertools decides (`takewhile`, `compress`, `groupby`) must be
known while reading; endless iterators stand beside something that ends (`zip`, `islice`). Axes, shapes and counts may be tuples, lists, arrays and NumPy's
integers where NumPy takes them; axes, and the number of parts or decimals, must be known while reading.
"""

RANDOM = """Methods of `np.random.Generator`: {generator}. Of `np.random.RandomState`, and the old functions of `np.random`: {random_state}. Of `random.Random`, and the functions of Python's module `random`: {python}. The generator may be an argument, a global
or a closure's variable, or be made of a seed (`np.random.default_rng(0)`, `random.Random(0)`); what is drawn and what state it leaves is what NumPy and Python draw and leave ([kinks.md](kinks.md), "Random numbers").
"""

UPDATED = """{updates}: JAX's functional updates of any array, with every index that NumPy has; the array itself stays as it is. Arrays are NumPy's outside of functions
that are read, and have no `.at` there. Modes: [kinks.md](kinks.md), "x.at".
"""

INSIDE = """Of functions of every kind: defined outside or inside, lambdas, methods, objects with `__call__`, `functools.partial`, functions in containers
or made by other functions, decorated ones, NumPy's and `math`'s own; in loops, branches and helpers; transformations of transformations. What they
capture may be run-time values, those that a loop changes too. A pullback or linearized function is a value like others: it holds what it needs, may be
called many times, passed on, returned by a helper or a nested function, and one that was made outside may be called inside. It can't be what the whole
function returns. A function that is transformed can't store into an array, list or variable that it captures.

Lists, dicts and objects of the arguments are changed as the function changes them ([kinks.md](kinks.md), "Stores outside of the function").
"""

STATEMENTS = """Assignments of every form (also in expressions, and in the test of a `while`), `if`, `for` and `while` with `else`, `break`, `continue` and
`return` anywhere, `match`, `try` with `except`, `else` and `finally`, `assert`, `raise` of exceptions that take their message, `del`, nested functions with `nonlocal` (of variables of the function around, too: [kinks.md](kinks.md)), `global` of what is only read, `print` of numbers, texts and arrays, texts with numbers of the run in them as results (joined, too, however many there are), comprehensions, `import`, `with` of contexts that do nothing to numbers, of `contextlib.suppress`, `nullcontext`, `closing` and `ExitStack`, of `threading.Lock()` and `RLock()`, and of your own classes (whose `__exit__` may swallow what was raised); stores into attributes of classes; generators whose state is known while reading, or that are one loop, with `send` and `close`; stars in front of lists of any length; `functools.singledispatch`; functions of `re`, `string`, `textwrap`, `unicodedata` and `inspect`, and of `os.path` but for those that ask the file system, of what is known; subclasses of list and dict; `types.SimpleNamespace`; `for` through iterators of your own classes (`__next__`) and `np.nditer`.
What must be known while reading may come from the sizes and the whole numbers of the call, for which the program is then made ([kinks.md](kinks.md), "What the call decides").

Recursion is read call by call where its depth is known; of a function whose depth only the run knows as a loop with a stack. Refused, with what to write instead: {refused}."""


def page() -> str:
    """The text of the page."""
    parts = [HEAD]
    for module, names in sorted(functions().items()):
        parts += [f"## {module}\n", table(module, names) if module.startswith(("numpy", "scipy")) and module != "scipy.stats" else listed(names)]
    parts += ["## Gone through or indexed\n", ITERATED.format(functions=", ".join(f"`{name}`" for name in sorted(iterators()))) + "\n"]
    drawn = {cls: ", ".join(f"`{name}`" for name in sorted(methods)) for cls, methods in METHODS.items()}
    parts += ["## Random numbers\n", RANDOM.format(generator=drawn["Generator"], random_state=drawn["RandomState"], python=drawn["Random"]) + "\n"]
    parts += ["## Methods of arrays\n", ", ".join(f"`{name}`" for name in sorted({*ARRAY_METHODS, *COMPOSED_METHODS})) + "\n"]
    parts += ["## Attributes of arrays\n", ", ".join(f"`{name}`" for name in sorted(ARRAY_ATTRIBUTES)) + "\n"]
    parts += ["## x.at[index]\n", UPDATED.format(updates=", ".join(f"`{name}`" for name in sorted(UPDATES))) + "\n"]
    parts += ["## s2s, in functions that are read\n", ", ".join(f"`{name}`" for name in sorted({*(name.removeprefix("s2s.").removeprefix("shape_dtype.").removesuffix(".fget") for name in HANDLERS.entries), *transformations()})) + "\n", INSIDE]
    parts += ["## Statements\n", STATEMENTS.format(refused=", ".join(sorted({what for what, _ in REFUSED.values()}))) + "\n"]
    parts += ["What these are made of, with their derivatives: [primitives.md](primitives.md).\n"]
    return "\n".join(parts)


KINDS = {"bool": ("bool",), "int": ("int64", "uint8"), "float16": ("float16",), "float": ("float32", "float64"), "complex": ("complex64", "complex128")}
"""The dtypes that are measured, in groups."""


def table(module: str, names: set[str]) -> str:
    """A line for each function, and behind them the methods of objects."""
    plain = sorted(name for name in names if "." not in name)
    lines = ["| function | arguments | dtypes | derivative | notes |", "| --- | --- | --- | --- | --- |", *(_line(module, name) for name in plain)]
    return "\n".join(lines) + "\n" + (f"\n{_of_objects(methods)}" if (methods := _methods(names - set(plain))) else "")


def _line(module: str, name: str) -> str:
    found = FORMS.get(short(f"{module}.{name}"))
    if found is None:
        return f"| `{name}` | {_shown(_parameters(f'{module}.{name}'))} |  |  |  |"
    refused = [f"`{each}=` refused" for each in found["refused"]] + [f"{each} refused" for each in _kinds(found["refused dtypes"])]
    derivative = {"zero": "-"}.get(found["derivative"], found["derivative"])
    return f"| `{name}` | {_shown(found['arguments'])} | {', '.join(_kinds(found['dtypes']))} | {derivative} | {', '.join(refused)} |"


def _shown(parameters: list[str]) -> str:
    return ", ".join(f"`{each}`" for each in parameters)


def _kinds(dtypes: list[str]) -> list[str]:
    """bool, int, float16, …: the groups, and of those that are not whole the dtypes themselves."""
    whole = [kind for kind, members in KINDS.items() if all(each in dtypes for each in members)]
    return [*whole, *(each for each in dtypes if not any(each in KINDS[kind] for kind in whole))]


def _parameters(name: str) -> list[str]:
    """What the function that stands for a library's takes."""
    entry = COMPOSED.entries.get(name)
    return list(inspect.signature(entry).parameters) if entry is not None else []


def listed(names: list[str]) -> str:
    """Names, and behind each object the methods of it: `norm` (`cdf`, `pdf`)."""
    methods = _methods({name for name in names if name.partition(".")[0] in names})
    alone = [name for name in names if name.partition(".")[0] not in methods]
    plain = ", ".join(f"`{name}`" for name in sorted(alone))
    if len(methods) <= 5:
        return ", ".join(f"`{name}`" for name in sorted(names)) + "\n"
    return (plain + "\n\n" if plain else "") + _of_objects(methods)


def _methods(names: set[str]) -> dict[str, list[str]]:
    """The methods among the names, by their objects."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        owner, _, method = name.partition(".")
        if method:
            found[owner].append(method)
    return found


def _of_objects(methods: dict[str, list[str]]) -> str:
    return "".join(f"- `{owner}`: {', '.join(sorted(methods[owner]))}\n" for owner in sorted(methods))


def transformations() -> set[str]:
    """The public functions that are transformations."""
    return {name for name in s2s.__all__ if isinstance(getattr(getattr(s2s, name), "transformation", None), Transformation)}


def iterators() -> set[str]:
    """The functions of itertools, math and NumPy that go through something."""
    return set(ITERATORS.entries)


def functions() -> dict[str, set[str]]:
    """Module -> the names of its functions that are read."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in {**NUMPY_FUNCTIONS.entries, **COMPOSED.entries}:
        module = max((each for each in MODULES if name.startswith(f"{each}.")), key=len)
        if "._" in name or name.startswith("s2s.transforms."):  # what a function of SciPy's calls, or one of ours
            continue
        found[module].add(name.removeprefix(f"{module}."))
    return found


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
