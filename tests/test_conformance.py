"""grad, value_and_grad, jvp and vjp beside JAX: signatures, results, kinds of errors.

The cases are in `conformance_cases.py`, `conformance_calls.py` and `conformance_rules.py`, JAX's answers in `conformance_expected.json`, written where JAX is installed by
`python tests/test_conformance.py`. Where it is, a test also compares them with what JAX answers now.
"""
from __future__ import annotations

import importlib.util
import inspect
import json
import re
import types
from pathlib import Path
from typing import Any

import conformance_calls
import conformance_cases
import conformance_rules
import numpy as np
import pytest

import s2s

FOLDER = Path(__file__).parent
MODULES = ("conformance_cases", "conformance_calls", "conformance_rules")
CASES: dict[str, Any] = {**conformance_cases.CASES, **conformance_calls.CASES, **conformance_rules.CASES}
EXPECTED: dict[str, Any] = json.loads((FOLDER / "conformance_expected.json").read_text(encoding="utf-8"))
HAS_JAX = importlib.util.find_spec("jax") is not None
SIGNATURES = ("grad", "value_and_grad", "jvp", "vjp", "jit", "jacfwd", "jacrev", "hessian", "linearize", "linear_transpose", "checkpoint", "closure_convert", "custom_gradient", "disable_jit")


def described(tree: Any) -> Any:
    """Containers as lists, leaves as (dtype, shape, numbers): the same for NumPy's and JAX's, for numbers and arrays of rank 0."""
    if isinstance(tree, dict):
        return {str(key): described(tree[key]) for key in sorted(tree)}
    if isinstance(tree, (list, tuple)):
        return [type(tree).__name__, *map(described, tree)]
    if tree is None or isinstance(tree, str):
        return tree
    if type(tree).__module__.startswith("conformance_"):  # an instance of a registered class
        return [type(tree).__name__, described(vars(tree))]
    array = np.asarray(tree)
    if array.dtype.kind == "V":
        return ["float0", list(array.shape)]
    parts = [array.real, array.imag] if array.dtype.kind == "c" else [array]
    return [array.dtype.name, list(array.shape), *([float(f"{number:.10g}") for number in np.ravel(part)] for part in parts)]


def answer(case: Any) -> Any:
    """What a case gives: its described result, or the kind of its error."""
    try:
        result = case.run()
    except Exception as error:  # noqa: BLE001
        if case.says and not re.search(case.says, str(error).replace("\n", " ")):
            raise
        return {"error": next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")}
    return described(result)


def near(got: Any, want: Any) -> bool:
    """Whether two descriptions agree, numbers to nine digits."""
    if isinstance(want, float) or isinstance(got, float):
        return got == pytest.approx(want, rel=1e-9, abs=1e-12, nan_ok=True)
    if isinstance(want, list) and isinstance(got, list):
        return len(got) == len(want) and all(map(near, got, want))
    if isinstance(want, dict) and isinstance(got, dict):
        return got.keys() == want.keys() and all(near(got[key], want[key]) for key in want)
    return bool(got == want)


@pytest.mark.parametrize("name", CASES)
def test_answers_are_jaxs(name: str) -> None:
    with s2s.disable_jit(), np.errstate(all="ignore"):
        got = answer(CASES[name])
    assert near(got, EXPECTED["answers"][name]), f"{got} instead of JAX's {EXPECTED['answers'][name]}"


def test_no_case_is_forgotten() -> None:
    assert EXPECTED["answers"].keys() == CASES.keys(), "run: python tests/test_conformance.py"


@pytest.mark.parametrize("name", [name for name in SIGNATURES if hasattr(s2s, name)])
def test_signatures_are_jaxs(name: str) -> None:
    """The same parameters of the same kinds in the same order, optional where JAX's are; behind them at most parameters of our own."""
    own = {"jit": {"target", "compile"}, "checkpoint": {"steps"}}.get(name, set())
    got = [each for each in _signature(getattr(s2s, name)) if each[0] not in own]
    want = EXPECTED["signatures"][name]
    if name == "jit":  # keyword-only: the order has no meaning
        got, want = sorted(got), sorted(want)
    assert [each[:2] for each in got] == [each[:2] for each in want]
    assert all(each[2] == default or (default in ("required", "its own") and each[2] != "required") for each, (*_, default) in zip(got, want, strict=True))


def _signature(function: Any) -> list[list[Any]]:
    """[name, kind, default] of each parameter, the default as text, where it is a plain one."""

    def default(parameter: inspect.Parameter) -> str:
        plain = parameter.default is inspect.Parameter.empty or isinstance(parameter.default, (bool, int, str, tuple, type(None)))
        return "required" if parameter.default is inspect.Parameter.empty else repr(parameter.default) if plain else "its own"

    parameters = inspect.signature(function).parameters.values()
    return [[each.name, each.kind.name, default(each)] for each in parameters]


def _answers_of_jax(names: tuple[str, ...] = MODULES) -> dict[str, Any]:
    import jax

    jax.config.update("jax_enable_x64", True)
    import sys

    answers: dict[str, Any] = {}
    for name in names:
        text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
        text = text.replace("import numpy as np\n", "import jax.numpy as np\n").replace("import s2s as ad\n", "import jax as ad\n")
        module = types.ModuleType(f"{name}_of_jax")
        module.__dict__["__file__"] = f"{name}_of_jax.py"
        sys.modules[module.__name__] = module
        exec(compile(text, f"{name}_of_jax.py", "exec"), module.__dict__)
        answers |= {own: answer(case) for own, case in module.CASES.items()}
    return {"signatures": {name: _signature(getattr(jax, name)) for name in SIGNATURES}, "answers": answers}


@pytest.mark.skipif(not HAS_JAX, reason="JAX is not installed")
@pytest.mark.parametrize("name", [MODULES[0], *(pytest.param(name, marks=pytest.mark.slow) for name in MODULES[1:])])
def test_expectations_are_what_jax_answers(name: str) -> None:
    answers = _answers_of_jax((name,))["answers"]
    wrong = [name for name, got in answers.items() if not near(got, EXPECTED["answers"][name])]
    assert not wrong


if __name__ == "__main__":
    (FOLDER / "conformance_expected.json").write_text(json.dumps(_answers_of_jax(), indent=1) + "\n", encoding="utf-8")
