"""Transformations in any order, and collectives with their derivatives, drawn: JAX's numbers, stored (JAX 0.10.2, 64-bit numbers).

`python tests/test_orders.py` writes the stored numbers anew; it needs JAX.
"""
from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from order_programs import in_order, meeting, order

import s2s
import s2s.numpy
from s2s import lax

STORED = Path(__file__).parent / "order_expected.json"
ORDERS, MEETINGS, OFTEN = 80, 60, 16
"""How many are stored, and how many of each run every time."""


def of_each(count):
    return [pytest.param(seed, marks=() if seed < OFTEN else pytest.mark.slow) for seed in range(count)]


def compared(found, wanted):
    assert len(found) == len(wanted)
    for number, (one, two) in enumerate(zip(found, wanted, strict=True)):
        assert np.shape(one) == np.shape(two)
        np.testing.assert_allclose(one, two, rtol=1e-9, atol=1e-11, err_msg=f"result {number}")


@pytest.mark.parametrize("seed", of_each(ORDERS))
def test_any_order(seed):
    with s2s.disable_jit():
        found = s2s.tree_util.tree_leaves(in_order(seed, s2s, s2s.numpy, lax))
    compared(found, json.loads(STORED.read_text(encoding="utf-8"))["orders"][seed])


@pytest.mark.parametrize("seed", of_each(MEETINGS))
def test_collectives(seed):
    wanted = json.loads(STORED.read_text(encoding="utf-8"))["meetings"][seed]
    if wanted is None:
        pytest.skip("JAX has no number for it")
    with s2s.disable_jit():
        compared(s2s.tree_util.tree_leaves(meeting(seed, s2s, s2s.numpy, lax)), wanted)


def test_all_transformations_are_drawn():
    drawn = {kind for seed in range(ORDERS) for kind in order(seed)[1]}
    assert len(drawn) == 15


def by_jax():
    import jax

    jax.config.update("jax_enable_x64", True)

    def leaves(program, seed):
        try:
            return [np.asarray(leaf).tolist() for leaf in jax.tree_util.tree_leaves(program(seed, jax, jax.numpy, jax.lax))]
        except (AssertionError, TypeError, NotImplementedError):  # of several names, of groups: JAX's own limits
            return None

    return {"orders": [leaves(in_order, seed) for seed in range(ORDERS)], "meetings": [leaves(meeting, seed) for seed in range(MEETINGS)]}


if __name__ == "__main__":
    STORED.write_text(json.dumps(by_jax()), encoding="utf-8")
