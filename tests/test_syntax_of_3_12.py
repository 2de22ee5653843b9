"""Python's syntax since 3.12: parameters of functions and classes, aliases of types."""
import importlib.util
import sys

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
