"""Programs in the manner of JAX's documents run after a changed import, with the numbers that JAX gives: stored (JAX 0.10.2, 64-bit numbers), and live where it is installed.

`import s2s as jax; import s2s.numpy as jnp; from s2s import lax`. `python tests/test_jax_programs.py` writes the stored numbers anew; it needs JAX.
"""
from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from jax_library_programs import LIBRARY_PROGRAMS
from jax_more_programs import MORE_PROGRAMS
from jax_programs import PROGRAMS as FIRST
from stored_numbers import by_jax, check_stored

PROGRAMS = (*FIRST, *MORE_PROGRAMS, *LIBRARY_PROGRAMS)
STORED = Path(__file__).parent / "jax_programs_expected.json"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_numbers_are_jax_s(program):
    import s2s
    import s2s.numpy
    from s2s import lax

    found = s2s.tree_util.tree_leaves(program(s2s, s2s.numpy, lax))
    wanted = json.loads(STORED.read_text(encoding="utf-8"))[program.__name__]
    for one, two in zip(found, wanted, strict=True):
        assert np.shape(one) == np.shape(two)
        np.testing.assert_allclose(one, two, rtol=1e-10, atol=1e-12)


def test_stored_numbers_are_those_of_the_installed_jax():
    pytest.importorskip("jax")
    check_stored(STORED, PROGRAMS)


if __name__ == "__main__":
    STORED.write_text(json.dumps(by_jax(PROGRAMS)), encoding="utf-8")
