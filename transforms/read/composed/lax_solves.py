"""s2s.lax's solvers whose derivatives are those of the solution, not of the steps that lead to it. Contracts: those of `jax.lax` (documentation of version 0.10).

    f(x, c) = 0          x_dot = -(f_x)⁻¹ f_c c_dot                    the implicit function theorem
    A(c) x = b           x_dot = A⁻¹ (b_dot - A_dot x),  b_bar = A⁻ᵀ x_bar

`solve` is called for the numbers alone; all derivatives, of any order and mode, are solutions of linear systems.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import operator

from s2s.transforms.read.composed import marks
from s2s.tree_util import tree_map


def custom_root(f, initial_guess, solve, tangent_solve, has_aux=False):
    """The x at which f(x) = 0, as `solve(f, initial_guess)` finds it, with the derivatives of the solution by what f captures.

    `tangent_solve(g, y)` gives the x with g(x) = y for a linear function g: `lambda g, y: y / g(1.0)` for numbers. With `has_aux` solve returns (x, aux).

    >>> def newton(f, x):
    ...     for _ in range(20):
    ...         x = x - f(x) / (2.0 * x)
    ...     return x
    >>> import s2s
    >>> s2s.grad(lambda a: custom_root(lambda x: x * x - a, 1.0, newton, lambda g, y: y / g(1.0)))(4.0)
    0.25
    """
    custom_jvp, linearize, closure_convert = marks.ours("custom_jvp"), marks.ours("linearize"), marks.ours("closure_convert")
    marks.same_structure("f", "initial_guess", marks.types_of(f, initial_guess), initial_guess)
    f, seen = closure_convert(f, initial_guess)
    solve, others = closure_convert(solve, f, initial_guess)

    @custom_jvp
    def root(seen, initial_guess, others):
        found = solve(lambda x: f(x, *seen), initial_guess, *others)
        return _checked("solve", "initial_guess", found, initial_guess, has_aux)

    @root.defjvp
    def root_jvp(primals, tangents):
        seen, initial_guess, others = primals
        found = root(seen, initial_guess, others)
        x = found[0] if has_aux else found
        there = linearize(lambda *seen: f(x, *seen), *seen)[1](*tangents[0]) if seen else marks.no_tangents(x)
        x_dot = tangent_solve(linearize(lambda x: f(x, *seen), x)[1], tree_map(operator.neg, there))
        marks.same_structure("tangent_solve", "x", x_dot, x)
        return found, (x_dot, marks.no_tangents(found[1])) if has_aux else x_dot

    return root(seen, marks.constant(initial_guess), [marks.constant(other) for other in others])


def custom_linear_solve(matvec, b, solve, transpose_solve=None, symmetric=False, has_aux=False):
    """The x with matvec(x) = b, as `solve(matvec, b)` finds it, with the derivatives of the solution by b and by what matvec captures.

    `transpose_solve(vecmat, b)` serves reverse mode; of a `symmetric` system it is `solve`. With `has_aux` solve returns (x, aux).

    >>> import s2s
    >>> s2s.grad(lambda a: custom_linear_solve(lambda x: a * x, 6.0, lambda matvec, b: b / matvec(1.0), symmetric=True))(2.0)
    -1.5
    """
    solver, closure_convert, linear_transpose = marks.ours("custom_solver"), marks.ours("closure_convert"), marks.ours("linear_transpose")
    marks.same_structure("matvec", "b", marks.types_of(matvec, b), b)
    matvec, seen = closure_convert(matvec, b)
    solve, others = closure_convert(solve, matvec, b)
    transpose_solve = solve if symmetric else transpose_solve
    transpose_solve, others_back = (transpose_solve, others) if symmetric or transpose_solve is None else closure_convert(transpose_solve, matvec, b)

    def vecmat(x, *seen):
        return matvec(x, *seen) if symmetric else linear_transpose(lambda z: matvec(z, *seen), x)(x)[0]

    @solver
    def solved(given, b):
        seen, others, _ = given
        return _checked("solve", "b", solve(lambda x: matvec(x, *seen), b, *others), b, has_aux)

    @solver
    def solved_back(given, b):
        seen, _, others = given
        return _checked("transpose_solve", "b", transpose_solve(lambda x: vecmat(x, *seen), b, *others), b, has_aux)

    @solved.defjvp
    def solved_jvp(primals, tangents):
        return _tangent(solved, matvec, primals, tangents, has_aux)

    @solved_back.defjvp
    def solved_back_jvp(primals, tangents):
        return _tangent(solved_back, vecmat, primals, tangents, has_aux)

    if transpose_solve is not None:
        solved.def_transpose(lambda given, bar: _value(solved_back(given, _value(bar, has_aux)), has_aux))
        solved_back.def_transpose(lambda given, bar: _value(solved(given, _value(bar, has_aux)), has_aux))
    return solved((seen, [marks.constant(other) for other in others], [marks.constant(other) for other in others_back]), b)


def _tangent(solved, matvec, primals, tangents, has_aux):
    """The solution, and its tangent: that of the right side without what the matrix's tangent makes of the solution."""
    given, b = primals
    found = solved(given, b)
    x = _value(found, has_aux)
    seen, b_dot = given[0], tangents[1]
    if seen:
        b_dot = tree_map(operator.sub, b_dot, marks.ours("linearize")(lambda *seen: matvec(x, *seen), *seen)[1](*tangents[0][0]))
    x_dot = _value(solved(given, b_dot), has_aux)
    return found, (x_dot, marks.no_tangents(found[1])) if has_aux else x_dot


def _value(found, has_aux):
    return found[0] if has_aux else found


def _checked(name, expected_name, found, expected, has_aux):
    """What `solve` returned: a solution like `expected`, and beside it whatever it likes if has_aux says so."""
    if has_aux:
        marks.with_aux(name, found)
    marks.same_structure(name, expected_name, _value(found, has_aux), expected)
    return found


EXPORTED = {function.__name__: function for function in (custom_linear_solve, custom_root)}
"""By the names that they have in s2s.lax."""
