"""Python's syntax since 3.12: parameters of functions and classes, aliases of types; and what its library has since 3.12 and 3.13."""
import importlib.util
import sys

import numpy as np
import pytest

import s2s

TEXT = """
type Number = float

class Cell[Kept]:
    def __init__(self, value: Kept):
        self.value = value

def twice[T](value: T) -> T:
    return value * 2.0

def f(x: Number):
    type Local = list[float]
    kept: Local = [twice(x), Cell[float](x * x).value]
    name = "x"
    if x < 0.0:
        raise ValueError(f"negative: {f"{name}"} is {x:.1f}")
    return kept[0] + kept[1]
"""


@pytest.mark.skipif(sys.version_info < (3, 12), reason="syntax of Python 3.12")
def test_parameters_and_aliases_of_types(tmp_path) -> None:
    source = tmp_path / "typed.py"
    source.write_text(TEXT)
    spec = importlib.util.spec_from_file_location("typed", source)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    value, slope = s2s.value_and_grad(s2s.jit(module.f, target="numpy"))(3.0)
    assert value == module.f(3.0) == 15.0
    assert slope == 8.0
    with pytest.raises(ValueError, match=r"negative: x is -3\.0"):
        s2s.jit(module.f, target="numpy")(-3.0)


BATCHED = """
import itertools

import numpy as np

def pairs(x):
    return sum(a * b for a, b in itertools.batched(x, 2))

def rows(x):
    found = []
    for k, (first, *rest) in enumerate(itertools.batched([v * 2.0 for v in x], 3)):
        found.append(first * k + len(rest))
    return found

def pulled(x):
    parts = itertools.batched((v + 1.0 for v in x), 3)
    return next(parts)[0] + sum(next(parts))

def stored(x):
    out = np.zeros((2, 2))
    for i, row in enumerate(itertools.batched(x.tolist(), 2)):
        out[i] = row
    return out

def of_nothing(x):
    return len(list(itertools.batched([], 2))) + [*itertools.batched("abc", 2)].index(("c",)) + x[0]

def by_nothing(x):
    return list(itertools.batched([1, 2], 0)) if x[0] > 0.0 else x
"""
REPLACED = """
import copy
from dataclasses import dataclass
from typing import NamedTuple

@dataclass(frozen=True)
class Layer:
    weight: float
    bias: float = 2.0

class Pair(NamedTuple):
    a: float
    b: float = 1.0

class Box:
    def __init__(self, value):
        self.value = value

    def __replace__(self, /, **changes):
        return Box(changes.get("value", self.value) + 1.0)

def dataclasses(x):
    layer = Layer(x[0])
    other = copy.replace(layer, bias=x[1])
    return layer.bias * other.weight + other.bias

def named(x):
    return copy.replace(Pair(x[0]), b=x[1])

def own(x):
    return copy.replace(Box(x[0]), value=x[2]).value

def of_a_list(x):
    return copy.replace([x[0]], value=x[2])
"""


def functions(tmp_path, text, name):
    source = tmp_path / f"{name}.py"
    source.write_text(text)
    spec = importlib.util.spec_from_file_location(name, source)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [each for each in vars(module).values() if getattr(each, "__module__", "") == name and not isinstance(each, type)]


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize(("text", "name", "since"), [(BATCHED, "batched", (3, 12)), (REPLACED, "replaced", (3, 13))])
def test_what_the_library_has(tmp_path, target, text, name, since) -> None:
    if sys.version_info < since:
        pytest.skip(f"functions of Python {since}")
    for function in functions(tmp_path, text, name):
        x = np.array([0.5, 2.0, 1.5, -1.0])
        try:
            wanted = function(x)
        except (TypeError, ValueError) as error:
            with pytest.raises(type(error), match=str(error).replace("(", r"\(").replace(")", r"\)")):
                s2s.jit(function, target=target)(x)
            continue
        found = s2s.jit(function, target=target)(x)
        assert type(found) is type(wanted), function
        np.testing.assert_array_equal(found, wanted)
