"""Sums in normal form, the elimination that proves things of them, what rows say of integers; each against all integers of a small range."""
import itertools

import numpy as np
import pytest

from s2s.transforms.integers.affine import Affine, ends
from s2s.transforms.integers.elimination import infeasible
from s2s.transforms.integers.known import Known
from s2s.transforms.primitives import arithmetic, sizes
from s2s.transforms.primitives.integer_rows import COMPLEMENT, bounds_of, relation_of, sum_of
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


@pytest.mark.parametrize("seed", range(3))
def test_what_was_known_already_is_not_learned(seed):
    rng = np.random.default_rng(seed)
    builder, n, length = new_builder(), Var("n", SIZE), Var("length", SIZE)
    builder.know_size(n)
    facts, lower, upper = builder.facts, builder.form(int(rng.integers(0, 5))), builder.form(n) - int(rng.integers(0, 5))
    facts.know(length, lower=(lower,), upper=(upper,))
    before = facts.learned, facts.bounds[length]
    facts.know(length, lower=(lower,), upper=(upper,))
    assert (facts.learned, facts.bounds[length]) == before
    facts.know(length, upper=(upper - 1,))
    assert facts.learned == before[0] + 1
    assert facts.nonnegative(upper - 1 - builder.form(length))


def test_what_is_known_inside_is_not_known_outside():
    builder, n, m = new_builder(), Var("n", SIZE), Var("m", SIZE)
    inner = builder.inside()
    inner.unify(n, m)
    assert inner.same_size(n, m)
    assert not builder.same_size(n, m)


def system(constant, **factors):
    return Affine(constant, tuple((name, factor) for name, factor in factors.items() if factor))


def value(form, values):
    return form.constant + sum(factor * values[symbol] for symbol, factor in form.terms)


POINTS = dict(zip("ijk", np.meshgrid(*[np.arange(-7, 8)] * 3), strict=True))


def test_systems_without_a_solution():
    assert infeasible([system(0, i=1, j=-1)], [system(-1, i=1, j=-1)])  # i = j and i > j
    assert not infeasible([], [system(0, i=1), system(0, j=1)])
    assert infeasible([system(1, i=2)], [])  # 2 i = -1
    assert infeasible([], [system(-1, i=2), system(1, i=-2)])  # 1 <= 2 i <= 1 has no integer


@pytest.mark.parametrize("seed", range(20))
def test_what_has_a_solution_is_never_called_infeasible(seed):
    rng = np.random.default_rng(seed)
    found = 0
    for _ in range(30):
        rows = [system(int(rng.integers(-6, 7)), **{name: int(rng.integers(-3, 4)) for name in "ijk"}) for _ in range(rng.integers(1, 6))]
        equal = rows[: rng.integers(0, 2)]
        atleast = rows[len(equal):]
        solutions = np.ones((15, 15, 15), bool)
        for row in rows:
            solutions &= value(row, POINTS) == 0 if row in equal else value(row, POINTS) >= 0
        says = infeasible(equal, atleast)
        assert not (says and solutions.any())
        found += says
    assert found


def test_a_sum_is_the_same_in_any_order():
    one, other = system(1, i=2) + system(0, j=1), system(0, j=1) + system(1, i=2)
    assert one == other
    assert hash(one) == hash(other)
    assert one.substitute("i", other) == system(3, i=4, j=3)
    assert not (one - other).terms


@pytest.mark.parametrize("lo, hi, step", [(0, 5, 1), (5, 0, -1), (1, 8, 3), (9, 2, -2)])
def test_ends_of_a_loop(lo, hi, step):
    least, greatest = (end.constant for end in ends(Affine(lo), Affine(hi), step))
    trips = range(lo, hi, step)
    assert all(least <= trip <= greatest for trip in trips)
    assert abs(step) != 1 or {least, greatest} == {min(trips), max(trips)}


ROWS = [getattr(arithmetic, name) for name in ("add", "sub", "mul", "minimum", "maximum", "floor_divide", "mod")]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_what_rows_say_of_integers_holds(row):
    """Of symbols and of numbers, with what is known of them and without."""
    for known in (lambda form: False, lambda form: True):
        for a, b in itertools.product(range(-7, 8) if not known(None) else range(1, 8), repeat=2):
            if row.name in ("floor_divide", "mod") and b == 0:
                continue
            values = {"a": a, "b": b, "out": int(row.evaluate(a, b))}
            for operands in ((system(0, a=1), system(0, b=1)), (system(0, a=1), Affine(b)), (Affine(a), system(0, b=1))):
                total = sum_of(row, operands)
                assert total is None or value(total, values) == values["out"]
                if total is None:
                    assert all(value(bound, values) >= 0 for bound in bounds_of(row, Affine.of("out"), operands, known))


@pytest.mark.parametrize("row", COMPLEMENT, ids=str)
@pytest.mark.parametrize("holds", [True, False])
def test_what_comparisons_say(row, holds):
    for a, b in itertools.product(range(-2, 3), repeat=2):
        says = relation_of(row, Affine.of("a"), Affine.of("b"), holds=holds)
        values = {"a": a, "b": b}
        true = all(value(each, values) == 0 for each in says.equal) and all(value(each, values) >= 0 for each in says.atleast)
        assert (true and all(value(each, values) for each in says.unequal)) == (bool(row.evaluate(a, b)) == holds)


def test_two_bounds_together_prove_what_none_proves_alone():
    known = Known()
    for name in "nij":
        known.facts.know(name)
    known.assume(system(-1, n=1, i=-1))  # i < n
    known.assume(system(0, i=1, j=-2))  # 2 j <= i
    known.assume(system(0, j=1))
    assert known.proves(system(-1, n=1, j=-1))
    assert not known.proves(system(-2, n=1, j=-1))


def test_a_length_that_many_arrays_have_hides_no_proof():
    builder, n, i = new_builder(), Var("n", SIZE), Var("i", SIZE)
    for _ in range(100):
        builder.know_size(n)
    inner = builder.inside()
    inner.know_size(n)
    inner.know_index(i, size_literal(0), n, size_literal(1))
    assert inner.proves_less(i, n)
    assert len(inner.facts.bounds[n]) == 1


@pytest.mark.parametrize("seed", range(20))
def test_what_is_equal_is_one(seed):
    """Equalities noted in any order: what stands for a size is one of its own, met first, and every number that fits them all fits it."""
    rng = np.random.default_rng(seed)
    builder = new_builder()
    dims = [Var(f"n{k}", SIZE) for k in range(6)]
    for dim in dims:
        builder.know_size(dim)
    groups = [rng.integers(3) for _ in dims]
    for _ in range(12):
        one, other = rng.integers(6, size=2)
        if groups[one] == groups[other]:
            builder.unify(dims[one], dims[other])
    for one, other in itertools.product(range(6), repeat=2):
        if builder.same_size(dims[one], dims[other]):
            assert groups[one] == groups[other]
            assert builder.settled(dims[one]) is builder.settled(dims[other])
    for k, dim in enumerate(dims):
        assert dims.index(builder.settled(dim)) <= k


def test_a_size_that_is_a_number_or_a_sum():
    builder, n, m = new_builder(), Var("n", SIZE), Var("m", SIZE)
    less = sizes.minus(builder, n, 1)
    builder.unify(m, less)  # m = n - 1
    assert builder.settled(less) is builder.settled(m)
    assert builder.same_size(sizes.plus(builder, m, 1), n)
    builder.unify(4, n)
    assert (builder.settled(n), builder.settled(m)) == (4, 3)
    builder.unify(n, sizes.minus(builder, n, 1))  # it never holds: nothing is noted
    assert builder.settled(n) == 4


@pytest.mark.parametrize(("first", "second"), list(itertools.product(range(-1, 4), range(4))))
def test_slices_of_slices(first, second):
    """max(max(n - a, 0) - b, 0) is max(n - a - b, 0)."""
    builder, n = new_builder(), Var("n", SIZE)
    builder.know_size(n)
    inner = sizes.larger(builder, sizes.minus(builder, n, first), 0)
    outer = sizes.larger(builder, sizes.minus(builder, inner, second), 0)
    made = {node.outs[0]: node for node in builder.nodes}

    def value(atom, number):
        if atom is n:
            return number
        if not isinstance(atom, Var):
            return int(atom.value)
        return int(made[atom].primitive.evaluate(*(value(each, number) for each in made[atom].ins)))

    for number in range(8):
        assert value(outer, number) == max(max(number - first, 0) - second, 0)
    assert len([node for node in builder.nodes if node.primitive is arithmetic.maximum]) <= 2
