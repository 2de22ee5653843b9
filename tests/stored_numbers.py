"""Numbers that JAX gave for programs, stored: what they are compared with where JAX is not installed, and whether they still are those of the JAX that is."""
from __future__ import annotations

import json
from pathlib import Path

import numpy as np


def by_jax(programs):
    """What each program gives with JAX: the leaves of its result, as lists."""
    import jax
    import jax.flatten_util
    from jax import lax

    jax.config.update("jax_enable_x64", True)
    return {program.__name__: [np.asarray(leaf).tolist() for leaf in jax.tree_util.tree_leaves(program(jax, jax.numpy, lax))] for program in programs}


def check_stored(path: Path, programs):
    """The stored numbers are those of the installed JAX."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    for name, leaves in by_jax(programs).items():
        for one, two in zip(leaves, stored[name], strict=True):
            np.testing.assert_allclose(one, two, rtol=1e-10, atol=1e-12)


def check_found(path: Path, program, found):
    """The leaves of a result are the stored ones of the program."""
    wanted = json.loads(path.read_text(encoding="utf-8"))[program.__name__]
    for number, (one, two) in enumerate(zip(found, wanted, strict=True)):
        np.testing.assert_allclose(one, two, rtol=1e-10, atol=1e-12, err_msg=f"result {number}")
        assert np.shape(one) == np.shape(two)
