"""Snippets of JAX's documents give JAX's numbers after a changed import: stored (JAX 0.10.2, 64-bit numbers), and live where it is installed.

`python tests/test_jax_snippets.py` writes the stored numbers anew; it needs JAX. They run on the numpy target, so that nothing is compiled.
"""
from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from jax_more_snippets import MORE_SNIPPETS
from jax_snippets import SNIPPETS

STORED = Path(__file__).parent / "jax_snippets_expected.json"
ALL = (*SNIPPETS, *MORE_SNIPPETS)


@pytest.fixture
def on_numpy(monkeypatch):
    """Functions that name no target are emitted for NumPy."""
    from s2s.calls import making

    options = making.options
    monkeypatch.setattr(making, "options", lambda fun, target=None, *args, **kwargs: options(fun, target or "numpy", *args, **kwargs))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.usefixtures("on_numpy")
@pytest.mark.parametrize("snippet", ALL, ids=lambda snippet: snippet.__name__)
def test_numbers_are_jax_s(snippet):
    import s2s
    import s2s.numpy
    from s2s import lax

    found = s2s.tree_util.tree_leaves(snippet(s2s, s2s.numpy, lax))
    wanted = json.loads(STORED.read_text(encoding="utf-8"))[snippet.__name__]
    for one, two in zip(found, wanted, strict=True):
        two = np.array(two["real"]) + 1j * np.array(two["imag"]) if isinstance(two, dict) else two
        assert np.shape(one) == np.shape(two)
        np.testing.assert_allclose(one, two, rtol=1e-8, atol=1e-10)


def by_jax():
    import jax
    import jax.ad_checkpoint
    from jax import lax

    jax.config.update("jax_enable_x64", True)
    return {snippet.__name__: [_stored(leaf) for leaf in jax.tree_util.tree_leaves(snippet(jax, jax.numpy, lax))] for snippet in ALL}


def _stored(leaf):
    value = np.asarray(leaf)
    return {"real": value.real.tolist(), "imag": value.imag.tolist()} if value.dtype.kind == "c" else value.tolist()


def test_stored_numbers_are_those_of_the_installed_jax():
    pytest.importorskip("jax")
    assert json.loads(json.dumps(by_jax())) == json.loads(STORED.read_text(encoding="utf-8"))


if __name__ == "__main__":
    STORED.write_text(json.dumps(by_jax()), encoding="utf-8")
