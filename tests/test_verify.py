"""The verifier accepts right programs (every other test) and points at what is wrong in broken ones."""
from __future__ import annotations

import pytest
from nodes import Block, Call, Check, Equation, For, Function, If, Map, While

from s2s.errors import InternalError
from s2s.transforms.ir.verify import verify
from s2s.transforms.primitives import arithmetic as a
from s2s.types import BOOL, FLOAT64, INT32, SIZE, Array, Var, size_literal

F8, N, M = Array(FLOAT64), Var("n", SIZE), Var("m", SIZE)
X = Var("x", Array(FLOAT64, (N,)))
S = Var("s", F8)
FLAG = Var("flag", Array(BOOL))
ZERO, ONE = size_literal(0), size_literal(1)


def var(name="y", type_=F8):
    return Var(name, type_)


def again():
    y = var()
    return (S,), Block((Equation((y,), a.neg, (S,)), Equation((y,), a.neg, (S,))))


def early():
    y = var()
    return (S,), Block((Equation((var("z"),), a.neg, (y,)), Equation((y,), a.neg, (S,))))


def unbound_dimension():
    return (X,), Block((Equation((var("z", Array(FLOAT64, (M,))),), a.neg, (X,)),))


def wrong_dtype():
    return (S,), Block((Equation((var("z", Array(INT32)),), a.neg, (S,)),))


def wrong_operands():
    return (X, S), Block((Equation((var("z"),), a.add, (X, S)),))


def leaks_from_a_branch():
    y = var()
    return (S, FLAG), Block((If((), FLAG, Block((Equation((y,), a.neg, (S,)),)), Block(())),), (y,))


def branches_differ():
    return (S, FLAG, N), Block((If((var("z"),), FLAG, Block((), (S,)), Block((), (N,))),))


def carry_changes_type():
    carry, out = var("c"), var("out")
    return (S, N), Block((For((out,), var("i", SIZE), ZERO, N, ONE, (carry,), (S,), Block((), (N,))),))


def carry_changes_size():
    carry, out = var("c", X.type), var("out", X.type)
    return (X, S, Var("y", Array(FLOAT64, (M,)))), Block((For((out,), var("i", SIZE), ZERO, N, ONE, (carry,), (S,), Block((), (carry,))),))


def no_bool_test():
    return (S,), Block((Check(S, "ValueError", ""),))


def while_without_test():
    carry, out = var("c"), var("out")
    return (S,), Block((While((out,), (carry,), (S,), Block(()), Block((), (carry,))),))


def map_of_wrong_size():
    return (S, N), Block((Map((var("z", Array(FLOAT64, (3,))),), var("i", SIZE), N, Block((), (S,))),))


def call_with_other_dimensions():
    n = var("k", SIZE)
    p, q = var("p", Array(FLOAT64, (n,))), var("q", Array(FLOAT64, (n,)))
    callee = Function("g", (p, q), Block((), (p,)))
    y = Var("y", Array(FLOAT64, (M,)))
    return (X, y), Block((Call((var("z", X.type),), callee, (X, y)),))


CASES = {
    again: "y is bound a second time", early: "y is used before it is bound", unbound_dimension: "z is f8[m], expected f8[n]",
    wrong_dtype: "z is i4, expected f8", wrong_operands: "different shapes", leaks_from_a_branch: "y is used before",
    branches_differ: "n is i8, expected f8", carry_changes_type: "n is i8, expected f8", carry_changes_size: "s is f8, expected f8[n]",
    no_bool_test: "s is f8, expected b1", while_without_test: "0 results of the test", map_of_wrong_size: "expected f8[n]",
    call_with_other_dimensions: "q is f8[k], y is f8[m]",
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_broken(case):
    params, body = case()
    with pytest.raises(InternalError) as caught:
        verify(Function("f", params, body))
    assert CASES[case] in str(caught.value)
    assert "# <-- " in str(caught.value)


def test_the_fault_stands_beside_its_line():
    params, body = early()
    with pytest.raises(InternalError) as caught:
        verify(Function("f", params, body))
    assert "    z: f8 = neg(y)          # <-- y is used before it is bound" in str(caught.value).splitlines()
