"""Which arguments and dtypes each function of the tables is read with, and whether it has a derivative, found by calling it beside NumPy: docs/supported_forms.json.

    python -m tests.fuzz.measured                    all functions that are drawn (`calls_table.py`): some minutes
    python -m tests.fuzz.measured np.sum np.sort     these

`docs/make_supported.py` writes the page from it; `tests/test_docs.py` measures some of them anew.
"""
from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import s2s

from . import calls, calls_draw, calls_table
from .calls_compare import Different, same
from .check import load

FORMS = Path(__file__).resolve().parents[2] / "docs" / "supported_forms.json"
DTYPES = ("bool", "int64", "uint8", "float16", "float32", "float64", "complex64", "complex128")
INTEGERS = ("bool", "int64", "uint8")
POINTS = tuple((seed, point) for seed in range(1, 13) for point in (0, 1))
"""Where a form is tried, until NumPy gives a result."""


class Plain(calls_draw.Draw):
    """Arrays of one dtype, no further use of the result."""

    forced = "float64"
    counted = False
    """Whether there are positions or counts among the arguments, which are integers whatever the dtype."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.flavour, self.narrow, self.half, self.large = "plain", False, False, False

    def dtype(self, options: Any) -> str:
        if options[0] != "int64" or self.forced in INTEGERS:
            return self.forced
        return self.index_dtype(options)

    def index_dtype(self, options: Any) -> str:
        self.counted = True
        return "int64"

    def measures(self) -> bool:
        """Whether an argument is of the dtype."""
        return not self.counted or any(getattr(argument.value, "dtype", None) == self.forced for argument in self.arguments)


@dataclass(frozen=True)
class Form:
    """A call with the parameters that must be given, and one more."""

    name: str
    dtype: str
    parameter: str = ""

    def texts(self) -> Iterator[tuple[str, list[Any]]]:
        """The function's text and its arguments, at several points; where the parameter is given."""
        by_position = {each.name for each in calls.parameters(self.name) if each.position}
        for seed, point in POINTS:
            text, draw = self._text(seed, point)
            if "dtype=object" in text:  # refused by name, whatever the function
                continue
            if draw.measures() and (not self.parameter or f"{self.parameter}=" in text or self.parameter in by_position):
                yield text, [argument.value for argument in draw.arguments]

    def _text(self, seed: int, point: int) -> tuple[str, Plain]:
        call = calls.Call(self.name, seed, without=frozenset(_others(self.name, self.parameter)), plain=True, alone=True)
        draw = type("Forced", (Plain,), {"forced": self.dtype})(seed, point)
        draw.chance = lambda part: True if self.parameter and part < 1 else calls_draw.Draw.chance(draw, part)  # type: ignore[method-assign]
        body = calls.body_of(call, draw)
        names = ", ".join(f"x{k}" for k in range(len(draw.arguments)))
        return f"import math\n\nimport numpy as np\nimport scipy.fft\nimport scipy.special\nimport scipy.linalg\nimport scipy.signal\nimport scipy.ndimage\n\ndef f({names}):\n    {body}\n", draw

    def points(self) -> Iterator[tuple[Any, list[Any], Any]]:
        """The function, arguments and NumPy's result, where there is one."""
        for text, arguments in self.texts():
            function = load(text).f
            try:
                yield function, arguments, calls.run_numpy(function, _copies(arguments))
            except Exception:  # noqa: BLE001, S112 (whatever NumPy says: it gives no result)
                continue

    def outcome(self) -> str:
        """"right", "refused" or "" (NumPy gives no result either)."""
        seen = ""
        for function, arguments, wanted in self.points():
            if _agrees(function, arguments, wanted):
                return "right"
            seen = "refused"
        return seen

    def _by(self, function: Any, arguments: list[Any]) -> str:
        """Where not all arguments may move: those that may, "by x2", else "refused"."""
        names = [each.name for each in calls.parameters(self.name)][: len(arguments)]
        found = [name for number, name in enumerate(names) if _is_float(arguments[number]) and _moves(function, arguments, number)]
        return f"by {', '.join(found)}" if found else "refused"

    def derivative(self) -> str:
        """"yes", "zero" (of integers and bools, too), "by x2" (no others), "refused", or ""."""
        seen = ""
        for function, arguments, wanted in self.points():
            if not any(map(_moves_something, arguments)) or not any(np.size(each) for each in s2s.tree_util.tree_leaves(wanted)):
                continue
            if not any(map(_is_float, s2s.tree_util.tree_leaves(wanted))):
                return "zero"
            try:
                made = s2s.jvp(s2s.jit(function, target="numpy"), tuple(arguments), _tangents(arguments))[1]
            except NotImplementedError:
                seen = self._by(function, arguments)
            except Exception:  # noqa: BLE001, S112 (what only NumPy takes)
                continue
            else:
                if any(np.any(each != 0) for each in s2s.tree_util.tree_leaves(made) if _is_float(each)):
                    return "yes"
                seen = "zero"  # or there was nothing: at another point there may be
        return seen


def _moves(function: Any, arguments: list[Any], number: int) -> bool:
    """Whether there is a derivative with respect to one argument alone."""
    try:
        s2s.jvp(s2s.jit(lambda x: function(*arguments[:number], x, *arguments[number + 1 :]), target="numpy"), (arguments[number],), (_tangent(arguments[number]),))
    except Exception:  # noqa: BLE001 (a refusal)
        return False
    return True


def _moves_something(argument: Any) -> bool:
    return any(_is_float(each) and np.size(each) for each in s2s.tree_util.tree_leaves(argument))


def _is_float(value: Any) -> bool:
    return np.asarray(value).dtype.kind in "fc"


def _tangent(value: Any, size: float = 0.7) -> Any:
    if not _is_float(value):
        return np.zeros(np.shape(value), s2s.float0)
    return (size * np.cos(np.arange(value.size))).reshape(value.shape).astype(value.dtype) if isinstance(value, np.ndarray) else type(value)(size)


def _tangents(arguments: list[Any]) -> tuple[Any, ...]:
    """Of each argument other ones: equal ones cancel in x1 - x2."""
    return tuple(s2s.tree_util.tree_map(lambda leaf, number=number: _tangent(leaf, 0.7 + number), each) for number, each in enumerate(arguments))


def _copies(arguments: list[Any]) -> list[Any]:
    return [np.array(each) if isinstance(each, np.ndarray) else each for each in arguments]


def _others(name: str, parameter: str) -> list[str]:
    """The parameters that are left out where this one is given: but for those that stand before it by position only."""
    every = calls.parameters(name)
    before = [each.name for each in every if each.name == parameter or each.position]
    kept = before[: before.index(parameter) + 1] if parameter in before else []
    kept += ["axis"] if parameter == "out" else []  # of all elements it would be an array without axes
    return [each.name for each in every if not each.required and each.name not in kept]


def _agrees(function: Any, arguments: list[Any], wanted: Any) -> bool:
    """Whether what is read gives NumPy's result."""
    try:
        same(s2s.jit(function, target="numpy")(*_copies(arguments)), wanted, "result", coarse=True)
    except Different as error:  # a number for an array without axes
        return error.what == "type"
    except Exception:  # noqa: BLE001 (a refusal)
        return False
    return True


def _first(found: Iterable[str]) -> str:
    """The first that says that there is something, else the first that says anything."""
    seen = ""
    for each in found:
        if each in ("right", "yes"):
            return each
        seen = seen or each
    return seen


def measured(name: str) -> dict[str, Any]:
    """What is found of one function."""
    optional = [each.name for each in calls.parameters(name) if not each.required and each.kind != "left_out"]
    outcomes = {parameter: _first(Form(name, dtype, parameter).outcome() for dtype in ("float64", "int64")) for parameter in optional}
    places = [each.name for each in calls.parameters(name) if each.position and each.name in outcomes]
    for each in places[: max((places.index(each) for each in places if outcomes.get(each) == "right"), default=-1) + 1]:
        outcomes[each] = "right"  # np.where(c, x) is none, np.where(c, x, y) is one
    last = places[-1] if places and outcomes[places[-1]] == "right" else ""
    dtypes = {dtype: _first(Form(name, dtype, each).outcome() for each in ("", last)) for dtype in DTYPES}
    return {
        "arguments": [each.name for each in calls.parameters(name) if each.required] + [each for each, found in outcomes.items() if found == "right"],
        "refused": [each for each, found in outcomes.items() if found == "refused"],
        "dtypes": [dtype for dtype, found in dtypes.items() if found == "right"],
        "refused dtypes": [dtype for dtype, found in dtypes.items() if found == "refused"],
        "derivative": _first(Form(name, "float64", each).derivative() for each in (last, *(each for each, found in outcomes.items() if found == "right"))),
    }


def main(names: list[str]) -> None:
    """Measure these functions, or all, and write the file."""
    known = json.loads(FORMS.read_text(encoding="utf-8")) if FORMS.exists() else {}
    every = [name for name in (*calls_table.UFUNCS, *calls_table.CALLS, *calls_table.UPDATES) if name not in ("np.common_type", "np.result_type")]  # they give dtypes
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names or every:
            known[name] = measured(name)
    kept = {name: known[name] for name in sorted(known) if name in every}
    FORMS.write_text("{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(each)}" for name, each in kept.items()) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
