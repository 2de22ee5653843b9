"""docs/kinks.md says what the derivatives at kinks, ties and nan are: its rows are true of s2s, and of JAX where it is installed."""
from __future__ import annotations

import importlib.util
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

import s2s

PAGE = Path(__file__).resolve().parent.parent / "docs" / "kinks.md"
HAS_JAX = importlib.util.find_spec("jax") is not None
NAMES = {"inf": np.inf, "nan": np.nan}


class Row(NamedTuple):
    """A line of the page's tables."""

    function: str
    point: dict[str, Any]
    derivative: str
    jax: str


def rows() -> list[Row]:
    lines = [line.strip("| ").split(" | ") for line in PAGE.read_text(encoding="utf-8").split("\n") if line.startswith("| `")]
    cells = [[cell.strip("` ") for cell in line] for line in lines]
    return [Row(function, eval(f"dict({point})", dict(NAMES)), derivative, jax[0] if jax else derivative) for function, point, derivative, *jax in cells]


ROWS = rows()


def functions(numpy: str, folder: Path) -> ModuleType:
    """A module with the function of each row, f0, f1, …: s2s reads source."""
    texts = [f"def f{k}({', '.join(row.point)}):\n    return {row.function}\n" for k, row in enumerate(ROWS)]
    path = folder / f"kinks_of_{numpy.replace('.', '_')}.py"
    path.write_text("\n".join([f"import {numpy} as np\n", *texts]), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return functions("numpy", tmp_path_factory.mktemp("kinks"))


def arguments(row: Row) -> tuple[Any, ...]:
    return tuple(np.array(value) if isinstance(value, list) else value for value in row.point.values())


def wanted(text: str) -> list[Any]:
    return [np.asarray(value) for value in eval(f"[{text}]", dict(NAMES))]


def agree(found: Any, text: str, what: str) -> None:
    for got, want in zip(found, wanted(text), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6, err_msg=what)


@pytest.mark.parametrize("number", range(len(ROWS)), ids=[f"{row.function} at {row.point}" for row in ROWS])
def test_derivative(ours: ModuleType, number: int) -> None:
    row, function = ROWS[number], getattr(ours, f"f{number}")
    args = arguments(row)
    with s2s.disable_jit(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = s2s.grad(function, argnums=tuple(range(len(args))))(*args)
        agree(found, row.derivative, "reverse mode")
        if number % 4 == 0 and all(isinstance(arg, float) for arg in args) and np.isfinite([*found, *args]).all():
            forward = [s2s.jvp(function, args, tuple(map(float, each)))[1] for each in np.eye(len(args))]
            np.testing.assert_allclose(forward, found, err_msg="forward mode")


@pytest.mark.skipif(not HAS_JAX, reason="JAX is not installed")
def test_the_page_says_what_jax_answers(tmp_path: Path) -> None:
    import jax

    jax.config.update("jax_enable_x64", True)
    module = functions("jax.numpy", tmp_path)
    for number, row in enumerate(ROWS):
        if " if " in row.function:
            continue  # JAX has no branches on values
        args = tuple(map(jax.numpy.asarray, arguments(row)))
        agree(jax.grad(getattr(module, f"f{number}"), argnums=tuple(range(len(args))))(*args), row.jax, f"{row.function} at {row.point}")


def test_where_jax_answers_otherwise_differences_agree_with_ours() -> None:
    cases = [(lambda x: np.arccosh(x), (-1 - 0.5j,)), (lambda x: np.sign(x), (3 + 4j,)), (lambda x, y: np.hypot(x, y), (3e200, 4e200))]
    for function, args in cases:
        dots = tuple(type(arg)(abs(arg) * 0.7) for arg in args)
        with s2s.disable_jit():
            found = s2s.jvp(function, args, dots)[1]
        ahead, behind = (function(*(arg + step * dot for arg, dot in zip(args, dots, strict=True))) for step in (1e-6, -1e-6))
        np.testing.assert_allclose(found, (ahead - behind) / 2e-6, rtol=1e-6)
