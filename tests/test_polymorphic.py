"""Objects of several classes in one list of run-time length: values, types and identity as Python's, both derivatives, batches, compiled."""
from __future__ import annotations

import inspect

import numpy as np
import polymorphic_programs
import pytest
from outcomes import check
from turns import in_turn

import s2s

ARGUMENTS = ((np.array([0.5, -1.25, 2.25, 0.75, -0.3]), 0.7, 2), (np.array([-1.5, 1.25, 2.5, 0.25, -0.3, 0.9]), 0.3, 1), (np.array([-1.0, -0.1]), 2.1, 0))
PROGRAMS = [each for each in vars(polymorphic_programs).values() if inspect.isfunction(each) and list(inspect.signature(each).parameters) == ["x", "y", "n"]]
REFUSED: set[str] = set()
"""Programs that s2s does not read; the others must be right."""
OTHER_TYPE = {"told_apart", "in_a_queue", "beside_none", "events_of_two_classes"}
"""A number is of one type at a point of the program (docs/design.md)."""
FLOATS = ("appended_on_paths", "beside_numbers", "changed_through_the_list", "told_apart", "in_a_stack", "in_a_heap", "expressions_that_are_built")


@pytest.mark.parametrize("program", in_turn(PROGRAMS, 2), ids=lambda each: each.__name__)
def test_right_or_refused(program):
    check(program, "numpy", ARGUMENTS, REFUSED, OTHER_TYPE)


@pytest.mark.parametrize("name", in_turn(["in_a_stack", "in_a_heap", "events_of_two_classes", "changed_through_the_list"], 4))
def test_compiled(name):
    check(getattr(polymorphic_programs, name), "cpu", ARGUMENTS[:2], REFUSED, OTHER_TYPE)


@pytest.mark.parametrize("name", in_turn(FLOATS, 3, 1))
def test_derivatives(name):
    program = getattr(polymorphic_programs, name)

    def number(x, y):
        found = program(x, y, 1)
        return found[0] if isinstance(found, tuple) else found

    gradient, tangent = s2s.jit(s2s.grad(number), target="numpy"), s2s.jit(lambda x, y, d: s2s.jvp(number, (x, y), (d, 0.0))[1], target="numpy")
    batched = s2s.jit(s2s.vmap(s2s.grad(number), in_axes=(0, None)), target="numpy")
    for x, y, _ in ARGUMENTS[:2]:
        direction, step = np.linspace(0.3, -0.7, len(x)), 1e-6
        expected = (number(x + step * direction, y) - number(x - step * direction, y)) / (2 * step)
        assert np.isclose(tangent(x, y, direction), expected, rtol=1e-6, atol=1e-8)
        assert np.isclose(gradient(x, y) @ direction, tangent(x, y, direction), rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(batched(np.stack([x, -x]), y), [gradient(x, y), gradient(-x, y)], rtol=1e-12, atol=1e-12)
