"""Integer arithmetic on sizes and indices, simplified: equal sums get the same Var, proven minima and maxima vanish."""
from __future__ import annotations

from collections.abc import Callable, Mapping

from s2s.transforms.integers.affine import Affine, product
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives.arithmetic import add, floor_divide, maximum, minimum, mul, sub
from s2s.transforms.primitives.integer_rows import bounds_of
from s2s.transforms.primitives.row import Primitive
from s2s.types import SIZE, Atom, Dim, Literal, Var, atom_dim, dim_atom, size_literal


def plus(builder: Builder, a: Atom | int, b: Atom | int, name: str = "") -> Atom:
    """a + b."""
    return _affine(builder, builder.form(a) + builder.form(b), lambda: (add, a, b), name)


def minus(builder: Builder, a: Atom | int, b: Atom | int, name: str = "") -> Atom:
    """a - b."""
    return _affine(builder, builder.form(a) - builder.form(b), lambda: (sub, a, b), name)


def times(builder: Builder, a: Atom | int, b: Atom | int, name: str = "") -> Atom:
    """a * b."""
    form = product(builder.form(a), builder.form(b))
    if form is not None:
        return _affine(builder, form, lambda: (mul, a, b), name)
    return _numbered(builder, mul, a, b, name)


def smaller(builder: Builder, a: Atom | int, b: Atom | int, name: str = "") -> Atom:
    """min(a, b)."""
    if builder.proves_at_least(b, a):
        return dim_atom(a)
    if builder.proves_at_least(a, b):
        return dim_atom(b)
    return _numbered(builder, minimum, a, b, name)


def larger(builder: Builder, a: Atom | int, b: Atom | int, name: str = "") -> Atom:
    """max(a, b)."""
    if builder.proves_at_least(a, b):
        return dim_atom(a)
    if builder.proves_at_least(b, a):
        return dim_atom(b)
    if (inner := _of_clamped(builder, a, b)) is not None:
        return larger(builder, inner, 0, name)
    out = _numbered(builder, maximum, a, b, name)
    if isinstance(out, Var) and builder.form(b) == Affine(0):
        builder.numbered.setdefault(("clamped", out), dim_atom(a))
    return out


def _of_clamped(builder: Builder, a: Atom | int, b: Atom | int) -> Atom | None:
    """max(n, 0) - 1 is n - 1 where it is not negative, and negative where that is."""
    form = builder.form(a)
    if builder.form(b) != Affine(0) or len(form.terms) != 1 or form.terms[0][1] != 1 or form.constant > 0:
        return None
    inside = builder.numbered.get(("clamped", form.terms[0][0]))
    return None if inside is None else plus(builder, inside, form.constant)


def quotient(builder: Builder, a: Atom | int, b: Atom | int, name: str = "") -> Atom:
    """a // b, rounded down, b not zero."""
    if isinstance(b, int) and b == 1 or isinstance(b, Literal) and b.value == 1:
        return dim_atom(a)
    whole = builder.form(a), builder.form(b)
    if not whole[0].terms and not whole[1].terms:
        return size_literal(whole[0].constant // whole[1].constant)
    return _numbered(builder, floor_divide, a, b, name)


ARITHMETIC: dict[Primitive, Callable[..., Atom]] = {add: plus, sub: minus, mul: times, minimum: smaller, maximum: larger, floor_divide: quotient}
"""How sizes are computed of others."""


def arithmetic(builder: Builder, size: Dim, made: Mapping[Var, Equation], known: Mapping[Var, Dim]) -> Atom | None:
    """A size of another function, computed of this one's: `made` says how it was there, `known` what its variables are here. None where that does not say it."""
    if not isinstance(size, Var):
        return dim_atom(size)
    if size in known:
        return dim_atom(known[size])
    if size not in made:
        return None
    node = made[size]
    if node.primitive is floor_divide and not isinstance(node.ins[1], Literal):
        return None  # a test there may have found that it is not zero
    parts = [arithmetic(builder, atom_dim(atom), made, known) for atom in node.ins]
    return None if None in parts else ARITHMETIC[node.primitive](builder, *parts)


def _affine(builder: Builder, form: Affine, plain: Callable[[], tuple[Primitive, Atom | int, Atom | int]], name: str) -> Atom:
    """The Var (or number) that has this normal form; a new equation if there is none in scope."""
    if not form.terms:
        return size_literal(form.constant)
    if len(form.terms) == 1 and form.constant == 0:
        ((var, coefficient),) = form.terms
        if coefficient == 1:
            return var
    key = ("affine", form)
    if key in builder.numbered:
        return builder.numbered[key]
    primitive, a, b = plain()
    if len(form.terms) == 1:  # n - 1 - 1 reads better as n - 2
        ((var, coefficient),) = form.terms
        if coefficient == 1:
            primitive, a, b = (add, var, form.constant) if form.constant > 0 else (sub, var, -form.constant)
        elif coefficient == -1:
            primitive, a, b = sub, form.constant, var
    (out,) = builder.equation(primitive, (dim_atom(a), dim_atom(b)), name=name or "size")
    assert out.type.strong() == SIZE.strong(), out.type
    builder.normal[out] = form
    builder.numbered[key] = out
    builder.facts.know(out)
    return out


def _numbered(builder: Builder, primitive: Primitive, a: Atom | int, b: Atom | int, name: str) -> Atom:
    forms = builder.form(a), builder.form(b)
    if not forms[0].terms and not forms[1].terms:
        return size_literal(int(primitive.evaluate(forms[0].constant, forms[1].constant)))
    key = (primitive, *forms)
    if key not in builder.numbered:
        (out,) = builder.equation(primitive, (dim_atom(a), dim_atom(b)), name=name or "size")
        products = (Affine.of(out),) if primitive is mul and all(map(builder.proves, forms)) else ()  # Python's: they don't wrap
        builder.facts.know(out, atleast=(*bounds_of(primitive, Affine.of(out), forms, builder.proves), *products))
        builder.numbered[key] = out
    return builder.numbered[key]
