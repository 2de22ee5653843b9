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
