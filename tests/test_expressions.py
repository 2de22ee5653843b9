"""The loop language's expressions: printed as Python would print them, read from rows' notation, compared and ordered as values."""
from __future__ import annotations

import ast
import math

import numpy as np
import pytest
from statement_texts import position, value

from s2s.codegen.language import operations
from s2s.codegen.language.expressions import (
    Constant,
    Expr,
    Filled,
    Formatted,
    Invoke,
    Length,
    Load,
    Name,
    Number,
    Op,
    Pace,
    Part,
    Slice,
    Sum,
    Tuple,
    Type,
    names_read,
    order,
    total,
    walk,
)
from s2s.codegen.language.notation import operation
from s2s.codegen.language.operations import (
    ADD,
    CHOOSE,
    DIVIDE,
    EQUAL,
    MULTIPLY,
    NEGATE,
    NOT_EQUAL,
    OPERATORS,
    SUBTRACT,
    apply,
    conversion,
    function,
    negated,
    restored,
    single,
    vectorised,
)
from s2s.codegen.language.printing import text
from s2s.codegen.language.searching import identifiers, substitute
from s2s.errors import InternalError
from s2s.transforms.primitives.row import Elementwise
from s2s.transforms.primitives.table import TABLE
from s2s.types import FLOAT32, FLOAT64

# ---- printing ---------------------------------------------------------------------------------------------------------

FORMULAS = [operation("a if a > b or a != a else b"), operation("not -b <= a < b"), operation("(a == b) * a"), operation("b @ a.T")]
ARITY = {NEGATE: 1, operations.POSITIVE: 1, operations.INVERT: 1, operations.NOT: 1, CHOOSE: 3}


def drawn(rng: np.random.Generator, depth: int) -> Expr:
    """An expression with anything in it."""
    if depth == 0:
        return [Name("x"), Number(2), Number(-1.5), Number(math.inf), Number(-math.inf), Load("u", (Name("i"),)), Length("u", 0)][rng.integers(7)]

    def inner() -> Expr:
        return drawn(rng, depth - 1)

    match rng.integers(8):
        case 0:
            return total((inner(), int(rng.integers(-2, 3))), (inner(), int(rng.integers(-2, 3))), constant=int(rng.integers(-2, 3)))
        case 1:
            return Op(FORMULAS[rng.integers(len(FORMULAS))], (inner(), inner()))
        case 2:
            return Op([function("sqrt"), operations.method("conjugate"), operations.attribute("real")][rng.integers(3)], (inner(),))
        case 3:
            return Part(Invoke("np.sum", (inner(),), (("axis", Tuple((inner(),))),)), (Slice(inner(), None, -1), Constant(None)))
        case _:
            chosen = OPERATORS[rng.integers(len(OPERATORS))]
            return Op(chosen, tuple(inner() for _ in range(ARITY.get(chosen, 2))))


@pytest.mark.parametrize("seed", range(400))
def test_texts_are_pythons(seed: int) -> None:
    """What is printed is what `ast.unparse` writes: no parenthesis more or less."""
    shown = text(drawn(np.random.default_rng(seed), 1 + seed % 4))
    assert shown == ast.unparse(ast.parse(shown, mode="eval"))


def test_texts_say_the_structure() -> None:
    """Each operator inside of each, on each side: what Python reads is what was meant."""
    for outer in OPERATORS:
        for inner in OPERATORS:
            for place in range(ARITY.get(outer, 2)):
                part = Op(inner, tuple(map(Name, "xyz"[: ARITY.get(inner, 2)])))
                whole = Op(outer, tuple(part if k == place else Name("uvw"[k]) for k in range(ARITY.get(outer, 2))))
                found = value(text(whole))
                assert found == whole or _flat(found) == _flat(whole), text(whole)


def _flat(expr: Expr) -> str:
    """a and (b and c) is one chain for Python, and the same."""
    return text(expr).replace("(", "").replace(")", "")


CASES = [
    (total((Name("n"), -1), constant=-3), "-3 - n"), (total((Name("n"), -2)), "-(2 * n)"), (total((Name("n"), 2), (Name("m"), -1), constant=1), "2 * n - m + 1"),
    (Op(MULTIPLY, (total((Name("n"), 1), constant=-1), Name("m"))), "(n - 1) * m"), (Op(NEGATE, (Number(-1.0),)), "--1.0"),
    (Op(operations.POWER, (Name("x"), Number(-1))), "x ** (-1)"), (Op(operations.POWER, (Number(-2), Number(2))), "(-2) ** 2"),
    (Op(operations.attribute("real"), (Number(1),)), "1 .real"), (Part(Name("x"), (Tuple(()),)), "x[()]"),
    (Part(Name("x"), (Tuple((Name("i"), Slice(None, Name("n")))),)), "x[i, :n]"), (Tuple((Name("n"),)), "(n,)"), (Number(1 - 2j), "complex(1.0, -2.0)"),
    (Number(math.nan), "np.nan"), (Constant(...), "..."), (Constant("it's"), '"it\'s"'), (Type(np.dtype(bool)), "np.bool_"),
    (Formatted("{:.2f} of {{{}}}", (Name("x"), Op(ADD, (Name("y"), Number(1))))), "f'{x:.2f} of {{{y + 1}}}'"),
    (Formatted("{1} is not {0}", (Name("x"), Name("y"))), "f'{y} is not {x}'"),
    (Filled("f\"it's {{{}:.2f}}\", np.float64({}), {{}}, code={}", (Name("x"), Op(ADD, (Name("y"), Number(1))), Name("n"))), "f\"it's {x:.2f}\", np.float64(y + 1), {}, code=n"),
    (Invoke("np.argsort", (Name("x"),), (("axis", Number(0)), ("kind", Constant("stable")))), "np.argsort(x, axis=0, kind='stable')"),
]  # fmt: skip


@pytest.mark.parametrize(("expr", "shown"), CASES, ids=[shown for _, shown in CASES])
def test_texts(expr: Expr, shown: str) -> None:
    assert text(expr) == shown


# ---- values -----------------------------------------------------------------------------------------------------------


def test_numbers_are_compared_as_they_are_written() -> None:
    different = [Number(0), Number(0.0), Number(-0.0), Number(False), Number(0j), Number(1), Number(True), Number(math.nan)]
    assert len(set(different)) == len(different)
    assert Number(math.nan) == Number(math.nan)


def test_sums_have_one_form() -> None:
    assert position("i + n - 1") == position("n - 1 + i") == position("2 * n + i - n - 1")
    assert position("i - i + 3") == Number(3)
    assert isinstance(position("i + 1"), Sum)


def test_the_order_of_expressions_is_total() -> None:
    """Whatever stands in a sum can be sorted, and what differs has another place."""
    exprs = list(dict.fromkeys(drawn(np.random.default_rng(seed), 3) for seed in range(60)))
    places = [order(expr) for expr in exprs]
    assert len(sorted(map(repr, places))) == len(set(map(repr, places)))
    sorted(order(value(each)) for each in ("x", "y[i]", "y[j]", "y.shape[0]", "max(n, m)", "n * m", "n // m"))


def test_substitution_and_names() -> None:
    expr = value("exp(x[i]) + n * y[j, k]")
    assert names_read(expr) == {"x", "i", "n", "y", "j", "k"}
    assert identifiers(expr) == names_read(expr) | {"exp"}
    assert text(substitute(expr, {Name("i"): position("i + 1"), Name("y"): Name("z")})) == "exp(x[i + 1]) + n * z[j, k]"


SIGNS = {
    "x + -y": (ADD, "x", "-y", "x - y"), "x - -y": (SUBTRACT, "x", "-y", "x + y"), "-x + y": (ADD, "-x", "y", "y - x"),
    "-x * y": (MULTIPLY, "-x", "y", "-(x * y)"), "-x / -y": (DIVIDE, "-x", "-y", "x / y"), "x + -2.0 * y": (ADD, "x", "-2.0 * y", "x - 2.0 * y"),
    "-x + -2.0": (ADD, "-x", "-2.0", "-x - 2.0"),
}  # fmt: skip


@pytest.mark.parametrize("case", SIGNS)
def test_signs_are_drawn_out(case: str) -> None:
    done, first, second, shown = SIGNS[case]
    assert text(apply(done, value(first), value(second))) == shown


# ---- operations -------------------------------------------------------------------------------------------------------


def test_each_operation_is_one_object() -> None:
    for each in OPERATORS:
        assert operation(each.name) is each, each
    assert operation("sqrt(a)") is function("sqrt")
    assert operation("dtype(a)", {"dtype": FLOAT32}) is conversion(FLOAT32)
    assert operation("a if a > b or a != a else b") is operation("a if a > b or a != a else b")
    assert operation("max(a, b)") is operations.LARGEST


def test_facts() -> None:
    extreme = operation("a if a > b or a != a else b")
    assert extreme.compares and extreme.repeated == {0, 1} and extreme.pace is Pace.DEAR and not extreme.functions
    assert operation("b / a + sqrt(a)").raises and operation("b / a + sqrt(a)").functions == {"sqrt"}
    assert conversion(FLOAT64).pace is Pace.LIGHT and restored(FLOAT64).pace is Pace.NONE and restored(FLOAT64) is not conversion(FLOAT64)
    assert {each for each in OPERATORS if each.raises} == {operation(each) for each in ("a / b", "a // b", "a % b", "a << b", "a >> b")}


def test_functions_for_vectors() -> None:
    squashed = operation("1.0 / (1.0 + exp(-a))")
    assert text(Op(vectorised(squashed), (Name("x"),))) == "1.0 / (1.0 + array_exp(-x))"
    assert text(Op(single(vectorised(squashed)), (Name("x"),))) == text(Op(squashed, (Name("x"),)))
    assert vectorised(function("exp")) is function("array_exp") and single(function("array_exp")) is function("exp")
    assert vectorised(ADD) is ADD


def test_opposites() -> None:
    test = value("x == y")
    assert negated(test) == value("x != y") and negated(negated(test)) == test
    assert negated(value("x < y")) == value("not x < y") and negated(value("not x < y")) == value("x < y")
    assert isinstance(test, Op) and test.operation is EQUAL and NOT_EQUAL.compares


def test_what_operations_are_not_made_of() -> None:
    with pytest.raises(InternalError, match="nothing that operations"):
        operation("[a for a in b]")


@pytest.mark.parametrize("row", [row for row in TABLE if isinstance(row.emission, Elementwise)], ids=lambda row: row.name)
def test_rows_in_notation_mean_what_they_say(row) -> None:  # type: ignore[no-untyped-def]
    """A row's text is read into a structure that is printed as Python would print the text."""
    params = row.samples[0].params
    for shown in filter(None, (row.emission.array, row.emission.scalar, row.emission.complex)):
        wanted = ast.parse(shown, mode="eval").body
        used = {node.id for node in ast.walk(wanted) if isinstance(node, ast.Name)} & set("abcd")
        names = [Name(f"x{number}") for number in range(len(used))]
        found = text(Op(operation(shown, params), tuple(names)))
        by = {**dict(zip("abcd", (name.id for name in names), strict=False)), **{key: text(_constant(given)) for key, given in params.items()}}
        for node in ast.walk(wanted):
            if isinstance(node, ast.Name):
                node.id = by.get(node.id, node.id)
        assert found == ast.unparse(wanted)


def _constant(given: object) -> Expr:
    return Type(given) if isinstance(given, np.dtype) else Number(given)  # type: ignore[arg-type]


def test_what_an_expression_holds_is_found_once():
    expr = Load("x", (total((Name("i"), 1), (Op(MULTIPLY, (Name("n"), Length("y", 0))), 1)),))
    assert expr.inside is expr.inside
    assert [*walk(expr)] == [expr, *expr.inside]
    assert names_read(expr) == {"x", "i", "n", "y"}
    assert names_read(substitute(expr, {Name("i"): Name("j")})) == {"x", "j", "n", "y"}
    assert Load("x", (Name("i"),)) == Load("x", (Name("i"),))
