"""The trees that functions are read from: as libcst parses their text, but for layout, and every node where Python's parser says it is."""
from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import libcst as cst
import numpy as np
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

import s2s
from s2s.transforms.read.syntax.converted import converted, place_of
from s2s.transforms.read.syntax.source import parts_of, tree_of

ROOT = Path(__file__).resolve().parent.parent
FILES = [*sorted((ROOT / "tests" / "programs").glob("*.py")), *sorted((ROOT / "tests").glob("*_programs.py"))[::4], *sorted((ROOT / "transforms").rglob("*.py"))[::24]]
ODD = """\
@decorated(  # a comment
    1,
)
async def f(a, /, b: int = 2, *, c=3, **rest) -> "x":  # another
    x = (  a
        + b ); y = [ *a , c ]

    while  not x : pass
    global g, h
    async with a as b, (yield): del x, y[0]
    async for i in z: continue
    else: break
    v = f(*a, k=1, *b, **c) + x[a,] + x[*a, 1] + x[:, ::2, ...] + x[(a, b)] + x[()]
    w = 0x1F + 1_000 + 1e999 + 2j + 1e999j + {**a, 1: 2}[0] + (await q) + "a" 'b'
    import os.path as p, sys
    from ..q import r as s, t
    try:
        raise A from b
    except (B, C) as e: assert a, "b"
    except D: nonlocal n
    else: pass
    finally: u: int; u: int = 3
    try: pass
    except* E: pass
    match x:
        case [a, *_, 1] | {"k": -1, **rest} if a: pass
        case C(1, k=None) as m: pass
        case [] | {}: pass
        case _: pass
    class K(B, metaclass=M):
        "doc"
    if a: pass
    elif b <= c is not d not in e: x @= 2
    else: x **= 2
    return lambda u , *v, w = 1 : ( yield from a ) if (n := u and v or not w) else {i for j in k if a if b async for i in j} \\
        if v else [*(a for a in b), *{k: v for k, v in z}, b"c"]
"""


def shape(node: Any) -> Any:
    """What a node says, without layout: kinds, names, values, stars."""
    kind = type(node)
    if kind is cst.MatchTuple:  # Python's parser does not tell them apart, nor do rules
        kind = cst.MatchList
    if isinstance(node, cst.Integer | cst.Float | cst.Imaginary | cst.SimpleString | cst.ConcatenatedString):
        return ast.literal_eval(cst.Module([]).code_for_node(node))
    if kind is cst.Subscript and len(node.slice) == 1 and not isinstance(node.slice[0].comma, cst.Comma):
        index = getattr(node.slice[0].slice, "value", None)
        if isinstance(index, cst.Tuple) and index.elements:  # x[(a, b)] is x[a, b]
            items = [cst.Index(each.value, star="*") if isinstance(each, cst.StarredElement) else each for each in index.elements]
            return "Subscript", shape(node.value), [shape(each) if isinstance(each, cst.Index) else ("Index", shape(each.value)) for each in items]
    if kind is cst.Subscript:
        return "Subscript", shape(node.value), [("Index", shape(each.slice.value)) if isinstance(each.slice, cst.Index) and not each.slice.star else shape(each.slice) for each in node.slice]
    if kind is cst.If and isinstance(node.orelse, cst.Else) and len(node.orelse.body.body) == 1 and isinstance(node.orelse.body.body[0], cst.If):
        return "If", shape(node.test), shape(node.body), shape(node.orelse.body.body[0])  # else: if …
    if isinstance(node, cst.IndentedBlock | cst.SimpleStatementSuite):
        flat = [small for each in node.body for small in (each.body if isinstance(each, cst.SimpleStatementLine) else [each])]
        return "block", [shape(each) for each in flat]
    own = [getattr(node, name, None) for name in ("value", "star", "conversion")]
    operator = type(getattr(node, "operator", None)).__name__
    said = [each for each in own if isinstance(each, str)]
    flags = [getattr(node, "asynchronous", None) is not None, len(getattr(node, "relative", ()))]
    return kind.__name__, operator, said, flags, [shape(each) for each in parts_of(node)]


def all_of(node: Any) -> Any:
    yield node
    for each in parts_of(node):
        yield from all_of(each)


def has_f_string(node: Any) -> bool:
    return any(isinstance(each, cst.FormattedString) for each in all_of(node))


def has_private_name(node: Any) -> bool:
    """Whether it holds a name that Python's tree has with its class before it."""
    return any(isinstance(each, cst.Name) and each.value.startswith("__") and not each.value.endswith("__") for each in all_of(node))


@pytest.mark.parametrize("text", [ODD, *(path.read_text(encoding="utf-8") for path in FILES)], ids=["odd", *(path.stem for path in FILES)])
def test_trees_are_libcsts(text):
    module = cst.parse_module(text)
    theirs = [each.body[0] if isinstance(each, cst.SimpleStatementLine) else each for each in module.body]
    for mine, their in zip(ast.parse(text).body, theirs, strict=False):
        if not isinstance(their, cst.FunctionDef | cst.ClassDef):
            continue
        node, places = converted(mine, "")
        assert all(each in places for each in all_of(node) if not isinstance(each, cst.ImportStar))
        if not has_f_string(their) and not has_private_name(their):
            assert shape(node) == shape(their)


def test_places_are_pythons():
    """Statements and names stand where libcst's own provider finds them."""
    text = (ROOT / "tests" / "programs" / "physics.py").read_text(encoding="utf-8")
    spans = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True).resolve(PositionProvider)
    kinds = (cst.Name, cst.Assign, cst.Return, cst.BinaryOperation, cst.Call, cst.Subscript)
    theirs = {(type(node).__name__, span.start.line, span.start.column, span.end.line, span.end.column) for node, span in spans.items() if isinstance(node, kinds)}
    for each in ast.parse(text).body:
        if isinstance(each, ast.FunctionDef):
            _, places = converted(each, "")
            mine = {(type(node).__name__, *place_of(at)) for node, at in places.items() if isinstance(node, kinds) and not isinstance(at, ast.Attribute | ast.FunctionDef | ast.keyword)}
            assert mine <= theirs


def test_columns_count_characters():
    def f(x):
        å = "ä"; return len(å) * y  # noqa: E702, F821

    tree = tree_of(f)
    (name,) = (each for each in all_of(tree.node) if isinstance(each, cst.Name) and each.value == "y")
    place = tree.where(name)
    line = Path(__file__).read_text(encoding="utf-8").splitlines()[place.line - 1]
    assert line[place.column : place.end_column] == "y"


class Body:
    __mass = 2.0

    def weighed(self, x):
        def inner(__y):  # noqa: PYI063 (a private name)
            return [__y * self.__mass for _ in range(2)]

        return inner(x) + dict(__mass=[x])["__mass"]


def test_private_names_are_written_out():
    names = {each.value for each in all_of(tree_of(Body.weighed).node) if isinstance(each, cst.Name)}
    assert {"_Body__mass", "_Body__y", "__mass"} <= names
    body = Body()
    assert s2s.jit(lambda x: np.sum(np.array(body.weighed(x))), target="numpy")(1.5) == 7.5


def test_texts_of_f_strings():
    def f(x, n):
        w = 6
        if x > 0:
            raise ValueError(f"a{{b}}'\"\n{n!r:>{w}}" rf"\d{n}" "c" f"{n + 1 = }, { n=:>{w}.2f}, {n = !s}")
        return x

    with pytest.raises(ValueError, match="a") as wanted:
        f(1.0, 3)
    with pytest.raises(ValueError, match="a") as found:
        s2s.jit(f, target="numpy", static_argnums=1)(1.0, 3)
    assert found.value.args == wanted.value.args
