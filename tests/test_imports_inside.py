"""Imports inside of functions: of a package's own modules, relative to it; and typing.cast, which does nothing."""
from __future__ import annotations

import importlib

import numpy as np
import pytest

import s2s

MODULES = {
    "__init__.py": "",
    "units.py": "import numpy as np\nSCALE = np.array([2.0, 3.0])\n\ndef scaled(x):\n    return x * SCALE\n",
    "deep/__init__.py": "",
    "deep/model.py": """
from typing import cast

import numpy as np


def loss(x):
    from .. import units
    from ..units import scaled as twice
    from . import parts
    return np.sum(twice(x) * units.SCALE) + cast("float", parts.rest(x))
""",
    "deep/parts.py": "def rest(x):\n    from ..units import SCALE\n    return x[0] ** 2 * SCALE[1]\n",
}


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_relative_imports(target, tmp_path, monkeypatch) -> None:
    for name, text in MODULES.items():
        path = tmp_path / "physics_of_it" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    loss = importlib.import_module("physics_of_it.deep.model").loss
    x = np.array([0.5, -1.5])
    np.testing.assert_allclose(s2s.jit(loss, target=target)(x), loss(x), rtol=1e-15)
    np.testing.assert_allclose(s2s.jit(s2s.grad(loss), target=target)(x), [4.0 + 3.0, 9.0], rtol=1e-15)


def through_a_name(x, kind):
    return importlib.import_module("math" if kind else "cmath").cos(x)


class Lazy:
    def __getattr__(self, name):
        return getattr(importlib.import_module("numpy"), name)


LAZY = Lazy()


def through_an_object(x, kind):
    return LAZY.exp(x).sum() if kind else LAZY.cos(x)


def test_modules_that_are_imported_by_their_names() -> None:
    assert s2s.jit(through_a_name, static_argnums=1, target="numpy")(0.5, True) == through_a_name(0.5, True)
    assert s2s.jit(through_a_name, static_argnums=1, target="numpy")(0.5 + 1j, False) == through_a_name(0.5 + 1j, False)
    for kind in (True, False):
        np.testing.assert_array_equal(s2s.jit(through_an_object, static_argnums=1, target="numpy")(np.ones(3), kind), through_an_object(np.ones(3), kind))
    by_value = lambda x: importlib.import_module("math" if x > 1.0 else "cmath").cosh(x)  # noqa: E731
    assert s2s.jit(by_value, target="numpy")(2.0) == by_value(2.0)
