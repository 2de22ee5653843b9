"""The interpreter: every kind of node, dimensions, checks and dtypes."""
from __future__ import annotations

import nodes
import numpy as np
import pytest

from s2s.errors import InternalError
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.verify import verify
from s2s.transforms.primitives import arithmetic as a
from s2s.transforms.primitives.indexing import at, put
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.value import Value
from s2s.types import BOOL, FLOAT32, FLOAT64, INT64, SIZE, Array, Var, literal, size_literal


def vector(name: str, dim, dtype=FLOAT64) -> Var:
    return Var(name, Array(dtype, (dim,)))


def scalar(name: str, dtype=FLOAT64) -> Var:
    return Var(name, Array(dtype))


def run(params, body, *args):
    function = nodes.Function("f", tuple(params), body)
    verify(function)
    return interpret(function, *args)


def test_dimensions_are_bound_by_the_arguments_and_must_agree():
    n = Var("n", SIZE)
    x, y = vector("x", n), vector("y", n)
    builder = new_builder()
    total = Value(builder, x) + Value(builder, y)
    (result, length) = run((x, y), builder.block(total.atom, n), np.ones(3), np.ones(3))
    assert result.tolist() == [2, 2, 2]
    assert length == 3
    assert length.dtype == INT64
    with pytest.raises(ValueError, match="n is 3"):
        run((x, y), builder.block(total.atom), np.ones(3), np.ones(4))


def test_for_carries_and_stores():
    n = Var("n", SIZE)
    x = vector("x", n)
    index, carry, out = Var("i", SIZE), vector("u", n), vector("out", n)
    body = new_builder()
    value = Value(body, carry)
    stored = put(value, at(value, Value(body, index)) * 2.0, Value(body, index))
    loop = nodes.For((out,), index, size_literal(0), n, size_literal(1), (carry,), (x,), body.block(stored.atom))
    data = np.arange(4.0)
    (result,) = run((x,), nodes.Block((loop,), (out,)), data)
    assert result.tolist() == [0, 2, 4, 6]
    assert data.tolist() == [0, 1, 2, 3]


def test_a_carried_array_may_grow():
    size, tape, i = Var("m", SIZE), None, Var("i", SIZE)
    tape = vector("t", size)
    size1, tape1 = Var("m1", SIZE), None
    tape1 = vector("t1", size1)
    from s2s.transforms.primitives.indexing import grow

    body = new_builder()
    (longer,) = body.equation(a.add, (size, size_literal(2)))
    grown = grow(Value(body, tape), Value(body, longer))
    start = vector("start", 1)
    loop = nodes.For((size1, tape1), i, size_literal(0), size_literal(3), size_literal(1), (size, tape), (size_literal(1), start),
               body.block(longer, grown.atom))
    length, result = run((start,), nodes.Block((loop,), (size1, tape1)), np.array([5.0]))
    assert length == 7
    assert result.tolist() == [5] + [0] * 6


def test_while_if_map_and_call():
    x, carry, out = scalar("x"), scalar("c"), scalar("out")
    test, body = new_builder(), new_builder()
    going = Value(test, carry) < 10.0
    doubled = Value(body, carry) * 2.0
    loop = nodes.While((out,), (carry,), (x,), test.block(going.atom), body.block(doubled.atom))
    double = nodes.Function("double", (x,), nodes.Block((loop,), (out,)))
    assert interpret(double, 3.0) == (12.0,)

    y, called, chosen, flag = scalar("y"), scalar("called"), scalar("chosen"), Var("flag", Array(BOOL))
    then = new_builder()
    negative = -Value(then, called)
    choice = nodes.If((chosen,), flag, then.block(negative.atom), nodes.Block((), (called,)))
    i, mapped = Var("i", SIZE), vector("mapped", 3)
    spread = nodes.Map((mapped,), i, size_literal(3), nodes.Block((), (chosen,)))
    body_ = nodes.Block((nodes.Call((called,), double, (y,)), choice, spread), (mapped,))
    assert run((y, flag), body_, 5.0, True)[0].tolist() == [-10] * 3
    assert run((y, flag), body_, 5.0, False)[0].tolist() == [10] * 3


def test_checks_raise_the_named_exception():
    n = Var("n", SIZE)
    x = vector("x", n)
    builder = new_builder()
    builder.check((Value(builder, n).equals(2)).atom, "ValueError", "shapes ({},) and (2,)", n)
    with pytest.raises(ValueError, match=r"shapes \(3,\) and \(2,\)"):
        run((x,), builder.block(), np.ones(3))
    assert run((x,), builder.block(), np.ones(2)) == ()


def test_results_keep_their_dtype():
    x = scalar("x", FLOAT32)
    builder = new_builder()
    half = Value(builder, x) * 0.5
    (result,) = run((x,), builder.block(half.atom, literal(1, INT64)), np.float32(3))[:1]
    assert isinstance(result, np.float32)


def test_a_wrong_type_is_an_internal_error():
    x, y = scalar("x"), scalar("y", FLOAT32)
    with pytest.raises(InternalError, match="should be f4"):
        interpret(nodes.Function("f", (x,), nodes.Block((nodes.Equation((y,), a.neg, (x,)),), (y,))), 1.0)
