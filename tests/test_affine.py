"""Normal forms and the prover of inequalities."""
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.operators import new_builder
from s2s.types import SIZE, Var, size_literal


def test_equal_sums_are_the_same_var():
    builder, n = new_builder(), Var("n", SIZE)
    first = sizes.minus(builder, n, 1)
    assert sizes.minus(builder, sizes.plus(builder, n, 1), 2) is first
    assert sizes.plus(builder, first, 1) is n


def test_a_slice_inside_a_loop_needs_no_clamping():
    builder, n, i = new_builder(), Var("n", SIZE), Var("i", SIZE)
    builder.know_size(n)
    inner = builder.inside()
    inner.know_index(i, size_literal(0), n, size_literal(1))
    assert sizes.smaller(inner, i, n) is i
    assert inner.proves_at_least(sizes.minus(inner, n, 1), i)
    assert not inner.proves_at_least(sizes.minus(inner, n, 2), i)


def test_what_is_known_inside_is_not_known_outside():
    builder, n, m = new_builder(), Var("n", SIZE), Var("m", SIZE)
    inner = builder.inside()
    inner.unify(n, m)
    assert inner.same_size(n, m)
    assert not builder.same_size(n, m)
