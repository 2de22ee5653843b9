"""Python's search for garbage waits while modules are made, and goes on afterwards, whatever happens in between."""
import gc
import os
import subprocess
import sys

import numpy as np
import pytest

import s2s
from s2s.collection import uncollected


def test_it_waits_and_goes_on():
    assert gc.isenabled()
    with uncollected():
        assert not gc.isenabled()
        with uncollected():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ValueError, match="failed"), uncollected():
        raise ValueError("failed")
    assert gc.isenabled()


def test_blocks_that_end_in_another_order():
    first, second = uncollected(), uncollected()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()


def test_who_turned_it_off_keeps_it_off():
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


_IMPORTS = """
import gc, sys
import numpy as np
import s2s

class Asked:  # which modules are imported while the search may run
    found = []

    def find_spec(self, name, path=None, target=None):
        if gc.isenabled():
            self.found.append(name)

def f(x):
    return np.sum(np.sin(x) ** 2)

x = np.ones(3)
grad = s2s.grad(s2s.jit(f, target={target!r}))
sys.meta_path.insert(0, Asked())
before = set(sys.modules)
grad(x)
assert gc.isenabled()
assert len([each for each in set(sys.modules) - before if each.startswith("s2s.")]) >= int(sys.argv[1])
assert not [each for each in Asked.found if each.startswith(("s2s.transforms", "s2s.codegen", "numba"))], Asked.found
"""


@pytest.mark.parametrize("target", ["cpu", "numpy"])
def test_what_makes_modules_is_imported_without_a_search(target, tmp_path):
    env, program = {**os.environ, "S2S_CACHE_DIR": str(tmp_path)}, tmp_path / "program.py"
    for least in (300, 0):  # the second process finds what the first one made
        program.write_text(_IMPORTS.replace("{target!r}", repr(target)), encoding="utf-8")
        subprocess.run([sys.executable, str(program), str(least)], check=True, env=env)


def _smoothed(u, c):
    out = u.copy()
    for i in range(1, u.shape[0] - 1):
        if u[i] > 0.0:
            out[i] += c * (u[i + 1] - u[i - 1])
        else:
            out[i] = np.sin(u[i])
    return out


def _misfit(u, w):
    u, w = _smoothed(u, 0.1), _smoothed(w, 0.2)
    for _ in range(3):
        u, w = w, u + np.tanh(w)
    return np.sum((u - w) ** 2)


@pytest.mark.parametrize("target", ["cpu", "numpy"])
def test_what_a_call_made_its_text_with_is_no_cyclic_garbage(target):
    """Whoever holds what holds it back lives on with all trees and programs until Python looks for them, a tenth of a second later."""
    x = np.linspace(-1.0, 1.0, 7)
    made = s2s.grad(s2s.jit(_misfit, target=target), argnums=(0, 1))
    made.source(x, x)  # imports
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        s2s.grad(s2s.jit(_misfit, target=target), argnums=0).source(x, x)
        gc.collect()
        found = sorted({type(each).__name__ for each in gc.garbage if type(each).__module__.startswith("s2s.")})
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert not found
