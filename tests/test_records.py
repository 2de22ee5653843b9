"""Dicts that get keys on some paths only, with values of several types: what Python has, in its order, or an error where only the run knows the order."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2s
from s2s.errors import UnsupportedError


def integers_and_floats(x):
    r = {"n": len(x), "mean": x.mean()}
    if x[0] > 0:
        r["peak"] = x.max()
    return r


def arrays_and_texts(x):
    r = {"status": "ok", "double": x * 2}
    if x[0] > 0:
        r["positive"] = x[x > 0]
    if x[1] > 0:
        r["warning"] = "second"
    r["n"] = len(x)
    return r


def from_nothing(x):
    r = {}
    if x[0] > 0:
        r["a"] = 1
    r["b"] = 2.5
    return r


def either_of_two(x):
    if x[0] > 0:
        return {"status": "ok", "value": x.sum(), "n": len(x)}
    return {"status": "bad", "reason": "negative", "n": len(x)}


def put_behind_either(x):
    r = {"ok": True, "value": x.sum()} if x[0] > 0 else {"ok": False, "reason": "negative"}
    r["n"] = len(x)
    return r


def in_a_loop(x):
    r = {"count": 0, "items": []}
    for v in x:
        if v > 0:
            r["count"] += 1
            r["items"].append(v)
            r["last"] = v
    return r


def in_a_while(x):
    h = {"x": x, "n": 0}
    while h["n"] < 5:
        h["x"] = h["x"] * 0.5
        if abs(h["x"]).sum() < 1:
            h["small"] = h["n"]
        h["n"] += 1
    return h


def together_in_a_loop(x):
    r = {"name": "run", "n": len(x)}
    for k, v in enumerate(x):
        r["loss"] = v * v
        r["iteration"] = k
    return r


def asked(x):
    r = {"n": 1, "arr": x}
    if x[0] > 0:
        r["m"] = x.mean()
    total = x[0]
    if "m" in r:
        total += r["m"]
    return len(r), "m" in r, "arr" in r, "zz" in r, 3 in r, r.get("zz"), bool(r), total, list(r), list(r.keys()), sorted(r), [key for key in r]  # noqa: C416 - as it is to be read


def changed(x):
    r = {"n": 1, "arr": x}
    if x[0] > 0:
        r["m"] = x.mean()
    s, t = r.copy(), dict(r)
    p = s.pop("m", x[1])
    t.setdefault("m", x[2])
    del t["arr"]
    u = r | {"z": 1}
    u.update(n=2, w="w")
    return r, s, t, p, u, {**r, "y": "y"}, dict(r, v=(1, "v"))


def compared(x):
    r = {"n": 1, "m": 2.5}
    if x[0] > 0:
        r["k"] = "three"
    return r == {"n": 1, "m": 2.5}, r == {"n": 1, "m": 2.5, "k": "three"}, r != {"n": 1}, r == {"n": 1, "k": 2.5}


def nested(x):
    r = {"a": {"n": 1}, "l": []}
    if x[0] > 0:
        r["a"]["m"] = 2.5
        r["l"].append(x[0])
        r["d"] = {"u": x}
    return r


def of_a_helper(x):
    a, b = summary(x), summary(-x)
    return a, b, a.get("spread", x[0]) + b.get("spread", x[1])


def summary(v):
    out = {"n": len(v), "mean": v.mean()}
    if len(v) > 2 and v[0] > 0:
        out["spread"] = v.max() - v.min()
    return out


def emptied(x):
    r = {"n": 1, "m": 2.5}
    if x[0] > 0:
        r["k"] = "k"
        r.clear()
        r["k"] = 4
    return r, len(r)


def updated(x):
    base = {"tol": 1e-3, "n": 10, "name": "a"}
    if x[0] > 0:
        base.update(n=20, extra=x)
    base |= {"z": 1}
    return base


PROGRAMS = (
    integers_and_floats, arrays_and_texts, from_nothing, either_of_two, put_behind_either, in_a_loop, in_a_while, together_in_a_loop, asked, changed, compared, nested, of_a_helper, emptied, updated,
)  # fmt: skip


def drawn() -> list[Any]:
    x = np.array([1.25, -2.5, 3.0])
    return [x, -x, np.abs(x), -np.abs(x), np.array([-1.0, 2.0, 0.5, -3.0])]


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_what_python_has(f, target):
    jitted = s2s.jit(f, target=target)
    for x in drawn():
        assert shown(jitted(x.copy())) == shown(f(x.copy()))


def shown(value: Any) -> str:
    """A result with its types and the order of its keys; sums may differ in the last bits."""
    with np.printoptions(precision=12):
        if isinstance(value, dict):
            return "{" + ", ".join(f"{key!r}: {shown(item)}" for key, item in value.items()) + "}"
        if isinstance(value, tuple | list):
            return f"{type(value).__name__}({', '.join(map(shown, value))})"
        if isinstance(value, float):
            return f"{type(value).__name__}({value:.12g})"
        return repr(value)


def test_missing_keys_are_key_errors():
    def f(x):
        r = {"n": 1, "arr": x}
        if x[0] > 0:
            r["m"] = x.mean()
        return r["m"]

    for target in ("numpy", "cpu"):
        jitted = s2s.jit(f, target=target)
        assert jitted(np.ones(3)) == 1.0
        with pytest.raises(KeyError, match="m"):
            jitted(-np.ones(3))


def test_deleted_keys_are_key_errors():
    def f(x):
        r = {"n": 1, "arr": x}
        if x[0] > 0:
            r["m"] = x.mean()
        del r["m"]
        return r

    jitted = s2s.jit(f, target="numpy")
    assert list(jitted(np.ones(3))) == ["n", "arr"]
    with pytest.raises(KeyError, match="m"):
        jitted(-np.ones(3))


def test_another_order_is_an_error():
    def f(x):
        r = {"arr": x}
        if x[0] > 0:
            r["b"] = 1
        r["a"] = 2.5
        r["b"] = 3
        return r

    jitted = s2s.jit(f, target="numpy")
    assert list(jitted(np.ones(2))) == ["arr", "b", "a"]
    with pytest.raises(NotImplementedError, match="another order"):
        jitted(-np.ones(2))


def test_another_order_on_each_path_is_refused():
    def f(x):
        r = {"arr": x}
        if x[0] > 0:
            r["u"] = 1
            r["v"] = 2.5
        elif x[1] > 0:
            r["v"] = 3.5
            r["u"] = "u"
        return r

    with pytest.raises(UnsupportedError, match="another order"):
        s2s.jit(f, target="numpy")(np.ones(2))


def test_each_path_has_its_own_order():
    def f(x):
        r = {"n": 1}
        if x[0] > 0:
            r["u"] = 1
            r["v"] = 2
        else:
            r["v"] = 3
            r["u"] = 4
        return r

    jitted = s2s.jit(f, target="numpy")
    for x in drawn():
        assert shown(jitted(x)) == shown(f(x))


def test_run_time_keys_have_one_type_still():
    def f(words, x):
        counts = {"total": 0}
        for word in words:
            counts[word] = counts.get(word, 0) + x
        return counts

    words = ["a", "b", "a"]
    assert s2s.jit(f, target="numpy")(words, 0.5) == f(words, 0.5)


def loss(x):
    r = {"n": len(x), "arr": x * 2}
    if x[0] > 0:
        r["m"] = x.mean()
    return (r["arr"] ** 2).sum() + r.get("m", 0.0) * r["n"]


@pytest.mark.parametrize("x", drawn())
def test_derivatives(x):
    differences = [(loss(x + step) - loss(x - step)) / 2e-6 for step in 1e-6 * np.eye(len(x))]
    assert np.allclose(s2s.grad(loss)(x), differences, atol=1e-7)
    assert np.allclose(s2s.jvp(loss, (x,), (np.ones_like(x),))[1], s2s.grad(loss)(x).sum(), rtol=1e-12)
    assert np.allclose(s2s.vmap(loss)(np.stack([x, -x])), [loss(x), loss(-x)], rtol=1e-14)


def test_beside_a_derivative():
    x = np.array([1.25, -2.5, 3.0])
    _, found = s2s.grad(lambda x: (x @ x, arrays_and_texts(x)), has_aux=True)(x)
    assert shown(found) == shown(arrays_and_texts(x))


@pytest.mark.parametrize("ask", [lambda x: s2s.vmap(nested)(x[None]), lambda x: s2s.jvp(nested, (x,), (x,)), lambda x: s2s.vjp(nested, x), lambda x: s2s.eval_shape(updated, x)])
def test_nothing_else_is_made_of_them(ask):
    with pytest.raises(UnsupportedError, match="some paths only|only at run time"):
        ask(np.array([1.5, -2.0, 3.0]))


def test_what_is_emitted():
    text = s2s.jit(integers_and_floats, target="numpy").lower(np.ones(3)).as_text()
    assert "if key_peak_is_set else {})}" in text
    assert '"peak": ?float64' in text


class Holder:
    pass


def test_what_fails_in_a_trip_is_not_taken_for_unset():
    def keys(x, n):
        r = {"s": "ok", "d": 2}
        for _ in range(n):
            if "c" not in r:
                r["c"] = x[0]
            if "c" not in r:
                r["c"] = [1, 2]
            r["d"] = "u"
        return r

    def attributes(x, n):
        r = Holder()
        for _ in range(n):
            if not hasattr(r, "c"):
                r.c = x[0]
            if not hasattr(r, "c"):
                r.c = [1, 2]
        return hasattr(r, "c")

    x = np.array([1.5, -2.0])
    for n in (0, 3):
        assert shown(s2s.jit(keys, target="numpy")(x, n)) == shown(keys(x, n))
        assert s2s.jit(attributes, target="numpy")(x, n) == attributes(x, n)


def test_one_of_two_dicts_gets_keys():
    def f(x, y, n, table):
        d = {"k": x}
        if n > 0:
            d = {k: v for k, v in table.items() if v > y}
        d.update(u=y, new=x)
        return d

    jitted = s2s.jit(f, target="numpy")
    for n in (0, 2):
        for table in ({"a": 1.0, "b": 0.2}, {"a": 0.1, "b": 2.0}):
            assert shown(jitted(1.0, 0.5, n, table)) == shown(f(1.0, 0.5, n, table))
