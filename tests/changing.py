"""Programs that read something from outside which then becomes something else: every kind of value, seen in every way, at every place.

`draw(count, seed)` gives cases; `check(case, folder)` runs one: before and after each change the answer is NumPy's or a refusal, and what it
would be if the program had never been called before.
"""
from __future__ import annotations

import importlib.util
import itertools
import random
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from fuzz.bounds import Tally

import s2s
from s2s.errors import S2SError

X = np.array([0.5, -1.5, 2.0])


class Thing:
    """An object with attributes and a method."""

    rate = 0.25

    def __init__(self, rate: float | None = None) -> None:
        if rate is not None:
            self.rate = rate

    def scaled(self, x: Any) -> Any:
        return x * self.rate


class Other(Thing):
    """A class with another method, and a length."""

    rate = 4.0

    def scaled(self, x: Any) -> Any:
        return x - self.rate

    def __len__(self) -> int:
        return 2


def doubled(x: Any, factor: float = 2.0) -> Any:
    return x * factor


def shifted(x: Any) -> Any:
    return x + 1.0


KINDS: dict[str, Callable[[], Any]] = {
    "float": lambda: 2.0, "other float": lambda: -0.5, "nan": lambda: float("nan"), "zero": lambda: 0.0, "minus zero": lambda: -0.0,
    "int": lambda: 3, "one": lambda: 1, "float one": lambda: 1.0, "true": lambda: True, "false": lambda: False, "complex": lambda: 1 + 2j,
    "float64": lambda: np.float64(2.0), "float32": lambda: np.float32(0.5), "int64": lambda: np.int64(3), "bool_": lambda: np.bool_(True),
    "rank 0": lambda: np.array(1.5), "vector": lambda: np.array([1.0, 2.0, 3.0]), "vector of one": lambda: np.array([3.0]), "empty": lambda: np.zeros(0),
    "row": lambda: np.array([[1.0, -1.0, 2.0]]), "column": lambda: np.array([[1.0], [2.0]]), "matrix": lambda: np.arange(6.0).reshape(2, 3),
    "rank 3": lambda: np.arange(12.0).reshape(2, 2, 3), "rank 3 of one": lambda: np.array([[[2.0]]]), "ints": lambda: np.array([1, 2, 3]),
    "float32s": lambda: np.array([1, 2, 3], np.float32), "bools": lambda: np.array([True, False, True]), "complexes": lambda: np.array([1j, 2, 3]),
    "none": lambda: None, "text": lambda: "text", "other text": lambda: "t", "tuple": lambda: (1.0, 2.0, 3.0), "pair": lambda: (1, 2.0),
    "list": lambda: [1.0, 2.0, 3.0], "other list": lambda: [3], "empty list": list, "nested": lambda: [[1.0, 2.0], (3.0,)], "arrays": lambda: [np.ones(3), np.ones(1)],
    "dict": lambda: {"a": 1.0, 0: 2.0}, "other dict": lambda: {0: np.ones(3), "rate": 2}, "empty dict": dict, "set": lambda: {1, 2}, "other set": lambda: {1.0, 5},
    "object": Thing, "other object": lambda: Thing(3.0), "object of another class": Other, "namespace": lambda: types.SimpleNamespace(rate=2.0, ndim=4),
    "function": lambda: doubled, "other function": lambda: shifted, "lambda": lambda: np.tanh, "class": lambda: Thing, "dtype": lambda: np.dtype(float),
}  # fmt: skip
USES = (
    "x + @", "np.sum(x + @)", "x * @.ndim", "x * np.ndim(@)", "x * len(np.shape(@))", "x + np.sum(@) * 0 + np.size(@)", "x * len(@)",
    "x if @ is not None else x * 2.0", "x if @ else x * 3.0", "x * (5.0 if isinstance(@, (np.ndarray, np.generic)) else 7.0)", "x * (2.0 if type(@) is float else 3.0)",
    "x * (2.0 if @ is True else 3.0)", "x * (2.0 if isinstance(@, (list, tuple)) else 3.0)", "x * @[0]", "x * @.rate", "@(x)", "@.scaled(x)",
    "x * (2.0 if hasattr(@, 'rate') else 3.0)", "x * getattr(@, 'rate', 9.0)", "x * (2.0 if callable(@) else 3.0)", "x * sum(@.shape)", "x * (2.0 if @ == 1 else 3.0)",
    "x * (2.0 if np.shape(@) == (3,) else 3.0)", "x * (2.0 if np.asarray(@).dtype == np.float64 else 3.0)", "np.maximum(x, 0.0) * np.result_type(@).itemsize",
    "x * np.broadcast_to(@, (2, 3)).shape[0]", "x * (2.0 if 1 in @ else 3.0)", "np.sum(x * np.array([v for v in @]).shape[0])",
)  # fmt: skip
"""`@` stands for the value."""
PLACES = {
    "global": ("Y", "global Y; Y = value"), "closure": ("y", "nonlocal y; y = value"), "attribute": ("box.y", "box.y = value"),
    "class": ("box.z", "type(box).z = value"), "item": ("items[1]", "items[1] = value"), "key": ("table['k']['y']", "table['k']['y'] = value"),
    "module": ("other.y", "other.y = value"), "default": ("d", "f.__defaults__ = (value,)"), "keyword": ("k", "f.__kwdefaults__ = {'k': value}"),
}  # fmt: skip
TEMPLATE = """
import types
import numpy as np

Y = None
other = types.ModuleType("other")

class Box:
    z = None

box, items, table = Box(), [0.0, None], {{"k": {{"y": None}}}}

def make(y=None):
    def f(x{parameter}):
        return {use}

    def change(value):
        {change}

    return f, change
"""


@dataclass(frozen=True)
class Case:
    """One use of a value at one place, and the kinds of value that it becomes."""

    use: str
    place: str
    kinds: tuple[str, ...]


def draw(count: int, seed: int) -> Iterator[Case]:
    """Cases; all pairs of kinds come with every use in the long run."""
    rng = random.Random(seed)
    for _ in range(count):
        yield Case(rng.choice(USES), rng.choice(list(PLACES)), tuple(rng.choices(list(KINDS), k=rng.choice((2, 2, 3)))))


def all_pairs() -> Iterator[Case]:
    """Every use with every pair of kinds, at places in turn."""
    places = itertools.cycle(PLACES)
    for use, old, new in itertools.product(USES, KINDS, KINDS):
        if old != new:
            yield Case(use, next(places), (old, new))


def made(case: Case, folder: Path, name: str) -> tuple[Any, Callable[[Any], None]]:
    """The function, and what changes the value."""
    text, change = PLACES[case.place]
    parameter = {"default": ", d=None", "keyword": ", *, k=None"}.get(case.place, "")
    file = folder / f"changing_{name}.py"
    file.write_text(TEMPLATE.format(parameter=parameter, use=case.use.replace("@", text), change=change), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.make()


def outcome(function: Callable[[Any], Any]) -> Any:
    """What a call gives, or the exception that it raises."""
    try:
        with np.errstate(all="ignore"):
            return function(X.copy())
    except Exception as error:  # noqa: BLE001 - any that Python raises is compared
        return error


def total(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """sum(f(x)), to be differentiated."""
    return lambda x: np.sum(function(x))


def gradient(function: Callable[[Any], Any]) -> Any:
    """By central differences."""
    steps = 1e-6 * np.eye(len(X))
    return np.array([(total(function)(X + each) - total(function)(X - each)) / 2e-6 for each in steps])


def agree(found: Any, wanted: Any, where: str) -> bool:
    """Assert that these are the same number or exception; whether it is a number."""
    if isinstance(wanted, Exception):
        assert isinstance(found, type(wanted) | S2SError), f"{where}: {found!r} for {wanted!r}"
        return False
    assert not isinstance(found, Exception), f"{where}: {found!r} for {wanted!r}"
    assert np.shape(found) == np.shape(wanted), f"{where}: {found!r} for {wanted!r}"
    assert np.asarray(found).dtype == np.asarray(wanted).dtype, f"{where}: {found!r} for {wanted!r}"
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12, err_msg=where)
    return True


def check(case: Case, folder: Path, tally: Tally, number: int = 0) -> int:
    """Run a case; how many calls were answered with a number."""
    function, change = made(case, folder, f"{number}")
    jitted, slope, answers = s2s.jit(function, target="numpy"), s2s.grad(s2s.jit(total(function), target="numpy")), 0
    for turn, kind in enumerate((*case.kinds, case.kinds[0])):
        value = KINDS[kind]()
        change(value)
        where = f"{case}, now {kind}"
        wanted, found = outcome(function), outcome(jitted)
        unseen, change_unseen = made(case, folder, f"{number}_{turn}")
        change_unseen(value)
        agree(found, outcome(s2s.jit(unseen, target="numpy")), f"{where}, called for the first time")
        refused = isinstance(found, S2SError) and not isinstance(wanted, Exception)
        tally.add("refused" if refused else "right", found.what if refused else "")
        if isinstance(wanted, Exception) or isinstance(found, S2SError) or np.asarray(wanted).dtype == object:
            continue
        answers += agree(found, wanted, where)
        if np.asarray(wanted).dtype.kind == "f" and np.all(np.isfinite(wanted)) and not isinstance(steepness := outcome(slope), S2SError):
            np.testing.assert_allclose(steepness, gradient(function), rtol=1e-4, atol=1e-6, err_msg=f"{where}, gradient")
    return answers
