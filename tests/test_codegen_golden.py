"""Emitted code, kept: `S2S_UPDATE_GOLDEN=1 pytest tests/test_codegen_golden.py` writes the files again; read the diff.

Each file is also linted, imported without s2s, run, and compared with the function that it stems from.
"""
from __future__ import annotations

import copy
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import sources

import s2s

FOLDER = Path(__file__).parent / "golden"
CASES = [
    ("relax", "grad", "cpu"), ("relax", "jit", "numpy"), ("loss", "value_and_grad", "cpu"), ("loss", "value_and_grad", "numpy"),
    ("leaky", "grad", "numpy"), ("root", "grad", "cpu"), ("log_det", "grad", "cpu"), ("network", "grad", "numpy"), ("network", "grad", "cpu"),
    ("smooth", "jit", "cpu"), ("softmax_loss", "jit", "cpu"), ("softmax_loss", "grad", "numpy"), ("nearest", "jit", "cpu"), ("rnn", "grad", "cpu"),
]
TRANSFORMS = {"jit": lambda fun: fun, "grad": s2s.grad, "value_and_grad": s2s.value_and_grad}


def transformed(name: str, transform: str, target: str) -> Any:
    """The transformed function."""
    return s2s.jit(TRANSFORMS[transform](getattr(sources, name)), target=target)


@pytest.mark.parametrize(("name", "transform", "target"), CASES)
def test_golden(name: str, transform: str, target: str) -> None:
    path = FOLDER / f"{name}_{transform}_{target}.py"
    text = transformed(name, transform, target).source(*sources.arguments(name))
    if os.environ.get("S2S_UPDATE_GOLDEN"):
        path.write_text(text)
    assert path.exists(), f"{path.name} is missing: run S2S_UPDATE_GOLDEN=1 pytest {Path(__file__).name}, and read it"
    assert text == path.read_text(), f"{path.name} is not what is emitted now: if the new text is better, run with S2S_UPDATE_GOLDEN=1"
    assert text == transformed(name, transform, target).source(*sources.arguments(name)), "the same input gives other bytes"


@pytest.mark.parametrize(("name", "transform", "target"), CASES)
def test_golden_runs(name: str, transform: str, target: str) -> None:
    """The kept file, imported on its own, gives what the function gives (or its gradient through the other target)."""
    path = FOLDER / f"{name}_{transform}_{target}.py"
    spec = importlib.util.spec_from_file_location(f"golden_{path.stem}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    args = sources.arguments(name)
    got = getattr(module, f"{name}_{transform}")(*copy.deepcopy(args))
    if transform == "jit":
        want = getattr(sources, name)(*copy.deepcopy(args))
    else:
        want = transformed(name, transform, "numpy" if target == "cpu" else "cpu")(*copy.deepcopy(args))
    for first, second in zip(_leaves(got), _leaves(want), strict=True):
        np.testing.assert_allclose(first, second, rtol=1e-12)


def _leaves(tree: Any) -> list[Any]:
    if isinstance(tree, list | tuple):
        return [leaf for item in tree for leaf in _leaves(item)]
    return [tree]


@pytest.mark.skipif(shutil.which("ruff", path=str(Path(sys.executable).parent)) is None, reason="ruff is not installed")
def test_golden_lint() -> None:
    """No undefined or unused names, no syntax errors."""
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent))
    files = [str(FOLDER / f"{'_'.join(case)}.py") for case in CASES]
    done = subprocess.run([str(ruff), "check", "--isolated", "--select", "F,E9", *files], capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout
