"""types.SimpleNamespace, made inside of a function: its attributes, what it says and equals, and as a result."""
from __future__ import annotations

import types
from types import SimpleNamespace

import numpy as np
import pytest

import s2s

X = np.array([0.5, -1.25, 2.0])


def changed(x):
    r = SimpleNamespace(a=1, b=x)
    r.c = x * 2
    r.a += 1
    return r


def asked(x):
    r = types.SimpleNamespace(a=x, n=3)
    return r.a * r.n, isinstance(r, SimpleNamespace), hasattr(r, "z"), vars(r)["n"], getattr(r, "z", 2.5)


def in_a_loop(x):
    s = SimpleNamespace(total=0.0, n=0)
    for v in x:
        s.total += v
        s.n += 1
    return s.total / s.n


def compared(x):
    s, t = SimpleNamespace(v=1.5, n=2), SimpleNamespace(v=x[0], n=2)
    return str(s), f"{s}", s == SimpleNamespace(v=1.5, n=2), s != SimpleNamespace(v=1.5), s == t, s == 1.5


def nested(x):
    return [SimpleNamespace(i=i, v=x[i]) for i in range(2)], {"k": SimpleNamespace(q=SimpleNamespace(z=x))}


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("f", [changed, asked, in_a_loop, compared, nested])
def test_as_python(f, target):
    assert repr(s2s.jit(f, target=target)(X)) == repr(f(X))


def test_derivatives():
    assert np.allclose(s2s.grad(in_a_loop)(X), 1 / 3)
    assert np.allclose(s2s.vmap(in_a_loop)(np.stack([X, 2 * X])), [in_a_loop(X), in_a_loop(2 * X)])
