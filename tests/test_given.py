"""Texts of what the public function gives back itself: sizes and positions as Python expressions."""
from nodes import Block, Equation, Function

from s2s.codegen.modules.given import Apart, Texts
from s2s.transforms.ir.staged import Staged
from s2s.transforms.primitives.arithmetic import maximum, minimum, mul, sub
from s2s.types import SIZE, Var, size_literal


def text_of(build):
    """An integer's text, of two parameters n and m."""
    n, m = Var("n", SIZE), Var("m", SIZE)
    nodes, operand = build(n, m)
    staged = Staged(Function("f", (n, m), Block(tuple(nodes), ())), (), ())
    apart = Apart(staged, {node.outs[0]: node for node in nodes})
    texts = Texts(apart, lambda var: var.name, str, str, lambda text, where: None)
    return texts._integer(operand)


def test_a_difference_of_two_calls_is_a_sum():
    """`max(n, 1) - min(m, 2)` starts like one call and ends like one."""
    def build(n, m):
        high, low, both, twice = (Var(name, SIZE) for name in ("high", "low", "both", "twice"))
        nodes = [
            Equation((high,), maximum, (n, size_literal(1))), Equation((low,), minimum, (m, size_literal(2))),
            Equation((both,), sub, (high, low)), Equation((twice,), mul, (size_literal(2), both)),
        ]  # fmt: skip
        return nodes, twice

    text = text_of(build)
    assert text == "2 * (max(n, 1) - min(m, 2))"
    assert eval(text, {"n": 5, "m": 1}) == 8
