"""Drawn calls of lax's functions (`lax_draws.py`): values and pulled back cotangents are JAX 0.10.2's, stored, and live where it is installed.

`python tests/test_lax_draws.py` writes the stored numbers anew; it needs JAX.
"""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lax_draws import CASES, DRAWS, call_of

STORED = Path(__file__).parent / "lax_draws_expected.json"


def weights(found: list[Any]) -> list[Any]:
    """Cotangents of results."""
    return [np.cos(np.arange(x.size)).reshape(x.shape) for x in found]


def noted(x: Any) -> list[Any]:
    """An array as the stored file has it."""
    return [list(x.shape), [float(f"{each:.13g}") for each in np.asarray(x, np.float64).ravel()]]


def is_smooth(arrays: tuple[Any, ...], found: list[Any]) -> bool:
    """Whether cotangents are compared: floats alone, and no nan."""
    return all(x.dtype.kind == "f" and not np.isnan(x).any() for x in (*arrays, *found))


def same(x: Any, wanted: Any) -> None:
    assert list(np.shape(x)) == wanted[0]
    np.testing.assert_allclose(np.ravel(np.asarray(x, np.float64)), wanted[1], rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(("name", "number"), CASES)
def test_values_and_cotangents_are_jax_s(name: str, number: int) -> None:
    import s2s
    from s2s import lax

    arrays, call = call_of(name, number)
    wanted = json.loads(STORED.read_text(encoding="utf-8"))[f"{name} {number}"]
    found = s2s.tree.leaves(call(lax, *arrays))
    for x, each in zip(found, wanted["values"], strict=True):
        same(x, each)
    if number == 0:
        for x, each in zip(s2s.tree.leaves(s2s.jit(lambda *arrays: call(lax, *arrays), target="numpy")(*arrays)), wanted["values"], strict=True):
            same(x, each)
    if number == 1 and wanted["slopes"]:
        with s2s.disable_jit():
            out, pull = s2s.vjp(lambda *arrays: call(lax, *arrays), *arrays)
            slopes = pull(s2s.tree.unflatten(s2s.tree.structure(out), weights([np.asarray(x) for x in s2s.tree.leaves(out)])))
        for x, each in zip(slopes, wanted["slopes"], strict=True):
            same(x, each)


def test_every_draw_has_its_numbers() -> None:
    assert {key.split()[0] for key in json.loads(STORED.read_text(encoding="utf-8"))} == set(DRAWS)


def by_jax() -> dict[str, Any]:
    import jax

    jax.config.update("jax_enable_x64", True)
    found = {}
    for name, number in CASES:
        arrays, call = call_of(name, number)
        out = call(jax.lax, *map(jax.numpy.asarray, arrays))
        leaves = [np.asarray(x) for x in jax.tree.leaves(out)]
        slopes: Any = []
        if number == 1 and is_smooth(arrays, leaves):
            try:
                pull = jax.vjp(lambda *arrays: call(jax.lax, *arrays), *arrays)[1]  # noqa: B023 - used at once
                slopes = pull(jax.tree.unflatten(jax.tree.structure(out), [jax.numpy.asarray(x) for x in weights(leaves)]))
            except (ValueError, NotImplementedError):
                slopes = []  # JAX has no reverse mode for it
        found[f"{name} {number}"] = {"values": [noted(x) for x in leaves], "slopes": [noted(np.asarray(x)) for x in slopes]}
    return found


def test_stored_numbers_are_those_of_the_installed_jax() -> None:
    pytest.importorskip("jax")
    assert json.dumps(by_jax()) == json.dumps(json.loads(STORED.read_text(encoding="utf-8")))  # nan is none


if __name__ == "__main__":
    STORED.write_text(json.dumps(by_jax()) + "\n", encoding="utf-8")
