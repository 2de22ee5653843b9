"""Python's own syntax tree of a function as libcst's nodes, which are what rules read and rewritings put together.

libcst's parser keeps every space, and where a node stands must be found by printing the tree again. Neither is needed to read a function: Python's
parser says where everything is. What is written here has libcst's default layout and no parentheses; a text's value, not its quotes; an f-string's
`{x=}` as Python takes it apart. Private names stand as Python's compiler takes them: `self.__mass` in a class `Body` is `self._Body__mass`.
"""
from __future__ import annotations

import ast
import functools
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING
from typing import Any

import libcst as cst

from s2s.records import fields

Place = tuple[int, int, int, int]
"""The line (from 1) and column (in bytes, from 0) of a start, and those of an end."""
Places = dict[cst.CSTNode, "ast.AST | Place"]
"""Where nodes stand: where a node of Python's does, or numbers."""


def converted(found: ast.AST, around: str) -> tuple[Any, Places]:
    """A function or lambda, and where its nodes stand. `around`: the class in whose body it stands, or ""."""
    conversion = _Conversion(around)
    return conversion.node(found), conversion.places


def place_of(at: ast.AST | Place) -> Place:
    """The numbers of a place."""
    if isinstance(at, tuple):
        return at
    return at.lineno, at.col_offset, at.end_lineno, at.end_col_offset  # type: ignore[attr-defined]


class _Conversion:
    """What is converted so far."""

    def __init__(self, around: str) -> None:
        self.places: Places = {}
        self.owner = around.lstrip("_")
        """The class whose private names are meant, without its leading underscores."""

    def node(self, found: Any) -> Any:
        """A node of Python's."""
        kind = type(found)
        simple = _SIMPLE.get(kind)
        if simple is None:
            return _CONVERTED[kind](self, found)
        made, parts = simple
        given = {}
        for name, theirs in parts:
            part = getattr(found, theirs)
            if part is not None:
                given[name] = self.node(part)
        return self.made(made, found, **given)

    def nodes(self, found: Sequence[Any]) -> list[Any]:
        return [self.node(each) for each in found]

    def made(self, kind: type, at: Any, **given: Any) -> Any:
        """A node of libcst's, without its checks."""
        node: Any = object.__new__(kind)
        for put, name, default in _layout_of(kind):
            put(node, given.get(name, default))
        self.places[node] = at
        return node

    def name(self, text: str, at: Any) -> Any:
        """A name, as Python's compiler takes it."""
        if self.owner and text.startswith("__") and _PRIVATE.fullmatch(text):
            text = f"_{self.owner}{text}"
        return self.made(cst.Name, at, value=text)

    def optional(self, text: str | None, at: Any) -> Any:
        return None if text is None else self.name(text, at)

    def as_name(self, text: str | None, at: Any) -> Any:
        """The target of an `as`."""
        return None if text is None else self.made(cst.AsName, at, name=self.name(text, at))

    def suite(self, statements: Sequence[ast.stmt]) -> Any:
        return self.made(cst.IndentedBlock, _from_to(statements[0], statements[-1]), body=[self.statement(each) for each in statements])

    def statement(self, found: ast.stmt) -> Any:
        made = self.node(found)
        return self.made(cst.SimpleStatementLine, found, body=[made]) if isinstance(found, _SMALL) else made

    def orelse(self, statements: Sequence[ast.stmt]) -> Any:
        return self.made(cst.Else, statements[0], body=self.suite(statements)) if statements else None


# ---- layout ----------------------------------------------------------------------------------------------------------------


@functools.cache
def _layout_of(kind: type) -> tuple[tuple[Callable[[Any, Any], None], str, Any], ...]:
    """How each field of a kind of node is set, its name, and what it holds where nothing is said: white space is one node for all."""
    return tuple((getattr(kind, each.name).__set__, each.name, _default(each)) for each in fields(kind))


def _default(field: Any) -> Any:
    if field.default is not MISSING:
        return field.default
    return None if field.default_factory is MISSING else field.default_factory()


def _from_to(first: ast.AST, last: ast.AST) -> Place:
    return (*place_of(first)[:2], *place_of(last)[2:])


_PRIVATE = re.compile(r"__\w*(?<!__)")
_SMALL = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Raise, ast.Expr, ast.Pass, ast.Break, ast.Continue, ast.Delete, ast.Global, ast.Nonlocal,
          ast.Assert, ast.Import, ast.ImportFrom)  # fmt: skip
_OPERATORS: dict[type, cst.CSTNode] = {
    ast.Add: cst.Add(), ast.Sub: cst.Subtract(), ast.Mult: cst.Multiply(), ast.Div: cst.Divide(), ast.FloorDiv: cst.FloorDivide(), ast.Mod: cst.Modulo(),
    ast.Pow: cst.Power(), ast.MatMult: cst.MatrixMultiply(), ast.BitAnd: cst.BitAnd(), ast.BitOr: cst.BitOr(), ast.BitXor: cst.BitXor(),
    ast.LShift: cst.LeftShift(), ast.RShift: cst.RightShift(), ast.And: cst.And(), ast.Or: cst.Or(),
    ast.USub: cst.Minus(), ast.UAdd: cst.Plus(), ast.Invert: cst.BitInvert(), ast.Not: cst.Not(),
    ast.Eq: cst.Equal(), ast.NotEq: cst.NotEqual(), ast.Lt: cst.LessThan(), ast.LtE: cst.LessThanEqual(), ast.Gt: cst.GreaterThan(),
    ast.GtE: cst.GreaterThanEqual(), ast.Is: cst.Is(), ast.IsNot: cst.IsNot(), ast.In: cst.In(), ast.NotIn: cst.NotIn(),
}  # fmt: skip
_AUGMENTED: dict[type, cst.CSTNode] = {
    ast.Add: cst.AddAssign(), ast.Sub: cst.SubtractAssign(), ast.Mult: cst.MultiplyAssign(), ast.Div: cst.DivideAssign(), ast.FloorDiv: cst.FloorDivideAssign(),
    ast.Mod: cst.ModuloAssign(), ast.Pow: cst.PowerAssign(), ast.MatMult: cst.MatrixMultiplyAssign(), ast.BitAnd: cst.BitAndAssign(),
    ast.BitOr: cst.BitOrAssign(), ast.BitXor: cst.BitXorAssign(), ast.LShift: cst.LeftShiftAssign(), ast.RShift: cst.RightShiftAssign(),
}  # fmt: skip
"""Operators are layout to those who ask where a node stands, and need not be told apart."""
_COMMA = cst.Comma()
_ASYNCHRONOUS = cst.Asynchronous()


# ---- expressions -------------------------------------------------------------------------------------------------------------


def _name(to: _Conversion, found: ast.Name) -> Any:
    return to.name(found.id, found)


def _constant(to: _Conversion, found: ast.Constant) -> Any:
    value: Any = found.value
    kind = type(value)
    if kind is str or kind is bytes:
        return to.made(cst.SimpleString, found, value=repr(value))
    if value is ...:
        return to.made(cst.Ellipsis, found)
    if kind is int:
        return to.made(cst.Integer, found, value=repr(value) if value.bit_length() < 1000 else hex(value))  # Python writes no long ones in tens
    if kind is float or kind is complex:
        return to.made(cst.Float if kind is float else cst.Imaginary, found, value=repr(value).replace("inf", "1e999"))
    return to.made(cst.Name, found, value=repr(value))  # None, True, False


def _attribute(to: _Conversion, found: ast.Attribute) -> Any:
    return to.made(cst.Attribute, found, value=to.node(found.value), attr=to.name(found.attr, found))


def _binary(to: _Conversion, found: ast.BinOp) -> Any:
    return to.made(cst.BinaryOperation, found, left=to.node(found.left), operator=_OPERATORS[type(found.op)], right=to.node(found.right))


def _unary(to: _Conversion, found: ast.UnaryOp) -> Any:
    return to.made(cst.UnaryOperation, found, operator=_OPERATORS[type(found.op)], expression=to.node(found.operand))


def _boolean(to: _Conversion, found: ast.BoolOp) -> Any:
    """a and b and c: libcst's have two sides."""
    first, *others = found.values
    result = to.node(first)
    for each in others:
        result = to.made(cst.BooleanOperation, _from_to(first, each), left=result, operator=_OPERATORS[type(found.op)], right=to.node(each))
    return result


def _comparison(to: _Conversion, found: ast.Compare) -> Any:
    left = to.node(found.left)
    pairs = zip(found.ops, found.comparators, strict=True)
    targets = [to.made(cst.ComparisonTarget, each, operator=_OPERATORS[type(operator)], comparator=to.node(each)) for operator, each in pairs]
    return to.made(cst.Comparison, found, left=left, comparisons=targets)


def _call(to: _Conversion, found: ast.Call) -> Any:
    return to.made(cst.Call, found, func=to.node(found.func), args=_arguments(to, found.args, found.keywords))


def _arguments(to: _Conversion, args: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> list[Any]:
    """Arguments as they are written: one behind * may follow one with a name."""
    given: list[ast.expr | ast.keyword] = [*args, *keywords]
    if keywords and any(isinstance(each, ast.Starred) for each in args):
        given.sort(key=lambda each: (each.lineno, each.col_offset))
    return [_argument(to, each) for each in given]


def _argument(to: _Conversion, found: Any) -> Any:
    kind = type(found)
    if kind is ast.Starred:
        return to.made(cst.Arg, found, value=to.node(found.value), star="*")
    if kind is not ast.keyword:
        return to.made(cst.Arg, found, value=to.node(found))
    if found.arg is None:
        return to.made(cst.Arg, found, value=to.node(found.value), star="**")
    return to.made(cst.Arg, found, value=to.node(found.value), keyword=to.made(cst.Name, found, value=found.arg))  # Python leaves this name as it is


def _subscript(to: _Conversion, found: ast.Subscript) -> Any:
    key = found.slice
    several = isinstance(key, ast.Tuple) and bool(key.elts)
    parts = key.elts if several else [key]  # type: ignore[attr-defined]
    made = [to.made(cst.SubscriptElement, each, slice=_index(to, each)) for each in parts]
    if several and len(made) == 1:  # x[1,]
        made = [to.made(cst.SubscriptElement, parts[0], slice=made[0].slice, comma=_COMMA)]
    return to.made(cst.Subscript, found, value=to.node(found.value), slice=made)


def _index(to: _Conversion, found: ast.expr) -> Any:
    if isinstance(found, ast.Slice):
        return to.node(found)
    if isinstance(found, ast.Starred):
        return to.made(cst.Index, found, value=to.node(found.value), star="*")
    return to.made(cst.Index, found, value=to.node(found))


def _display(kind: type) -> Callable[[_Conversion, Any], Any]:
    """A tuple, list or set."""
    return lambda to, found: to.made(kind, found, elements=[_element(to, each) for each in found.elts])


def _element(to: _Conversion, found: ast.expr) -> Any:
    if isinstance(found, ast.Starred):
        return to.made(cst.StarredElement, found, value=to.node(found.value))
    return to.made(cst.Element, found, value=to.node(found))


def _dict(to: _Conversion, found: ast.Dict) -> Any:
    made = []
    for key, value in zip(found.keys, found.values, strict=True):
        if key is None:
            made.append(to.made(cst.StarredDictElement, value, value=to.node(value)))
        else:
            made.append(to.made(cst.DictElement, _from_to(key, value), key=to.node(key), value=to.node(value)))
    return to.made(cst.Dict, found, elements=made)


def _comprehension(kind: type) -> Callable[[_Conversion, Any], Any]:
    return lambda to, found: to.made(kind, found, elt=to.node(found.elt), for_in=_loops(to, found.generators))


def _dict_comprehension(to: _Conversion, found: ast.DictComp) -> Any:
    return to.made(cst.DictComp, found, key=to.node(found.key), value=to.node(found.value), for_in=_loops(to, found.generators))


def _loops(to: _Conversion, generators: Sequence[ast.comprehension]) -> Any:
    """`for … in … if …`, each inside of the one before."""
    first, *others = generators
    inner = _loops(to, others) if others else None
    ifs = [to.made(cst.CompIf, each, test=to.node(each)) for each in first.ifs]
    given = {"target": to.node(first.target), "iter": to.node(first.iter), "ifs": ifs, "inner_for_in": inner, "asynchronous": _ASYNCHRONOUS if first.is_async else None}
    return to.made(cst.CompFor, _from_to(first.target, first.ifs[-1] if first.ifs else first.iter), **given)


def _lambda(to: _Conversion, found: ast.Lambda) -> Any:
    return to.made(cst.Lambda, found, params=_parameters(to, found.args, found), body=to.node(found.body))


def _yield_from(to: _Conversion, found: ast.YieldFrom) -> Any:
    return to.made(cst.Yield, found, value=to.made(cst.From, found.value, item=to.node(found.value)))


def _f_string(to: _Conversion, found: ast.JoinedStr) -> Any:
    return to.made(cst.FormattedString, found, start="f'", parts=list(_parts(to, found)), end="'")


def _parts(to: _Conversion, found: Any) -> Iterator[Any]:
    """What an f-string, or the format of one of its expressions, is put together of."""
    for each in found.values:
        if isinstance(each, ast.FormattedValue):
            spec = None if each.format_spec is None else list(_parts(to, each.format_spec))
            conversion = None if each.conversion < 0 else chr(each.conversion)
            yield to.made(cst.FormattedStringExpression, each, expression=to.node(each.value), conversion=conversion, format_spec=spec)
        else:
            inside = repr('"' + each.value)[2:-1]  # so that it stands between single quotes, whatever is in it
            yield to.made(cst.FormattedStringText, each, value=inside.replace("{", "{{").replace("}", "}}"))


# ---- statements -----------------------------------------------------------------------------------------------------------------


def _assign(to: _Conversion, found: ast.Assign) -> Any:
    targets = [to.made(cst.AssignTarget, each, target=to.node(each)) for each in found.targets]
    return to.made(cst.Assign, found, targets=targets, value=to.node(found.value))


def _augmented(to: _Conversion, found: ast.AugAssign) -> Any:
    return to.made(cst.AugAssign, found, target=to.node(found.target), operator=_AUGMENTED[type(found.op)], value=to.node(found.value))


def _annotated(to: _Conversion, found: ast.AnnAssign) -> Any:
    value = None if found.value is None else to.node(found.value)
    return to.made(cst.AnnAssign, found, target=to.node(found.target), annotation=_annotation(to, found.annotation), value=value)


def _annotation(to: _Conversion, found: ast.expr | None) -> Any:
    return None if found is None else to.made(cst.Annotation, found, annotation=to.node(found))


def _raise(to: _Conversion, found: ast.Raise) -> Any:
    cause = None if found.cause is None else to.made(cst.From, found.cause, item=to.node(found.cause))
    return to.made(cst.Raise, found, exc=None if found.exc is None else to.node(found.exc), cause=cause)


def _delete(to: _Conversion, found: ast.Delete) -> Any:
    if len(found.targets) == 1:
        return to.made(cst.Del, found, target=to.node(found.targets[0]))
    elements = [_element(to, each) for each in found.targets]
    return to.made(cst.Del, found, target=to.made(cst.Tuple, _from_to(found.targets[0], found.targets[-1]), elements=elements))


def _declared(kind: type) -> Callable[[_Conversion, Any], Any]:
    """global, nonlocal."""
    return lambda to, found: to.made(kind, found, names=[to.made(cst.NameItem, found, name=to.name(each, found)) for each in found.names])


def _import(to: _Conversion, found: ast.Import) -> Any:
    return to.made(cst.Import, found, names=[_alias(to, each) for each in found.names])


def _import_from(to: _Conversion, found: ast.ImportFrom) -> Any:
    names = cst.ImportStar() if found.names[0].name == "*" else [_alias(to, each) for each in found.names]
    module = None if found.module is None else _dotted(to, found.module, found)
    return to.made(cst.ImportFrom, found, module=module, names=names, relative=[cst.Dot() for _ in range(found.level)])


def _alias(to: _Conversion, found: ast.alias) -> Any:
    return to.made(cst.ImportAlias, found, name=_dotted(to, found.name, found), asname=to.as_name(found.asname, found))


def _dotted(to: _Conversion, path: str, at: ast.AST) -> Any:
    first, *others = path.split(".")
    made = to.name(first, at)
    for each in others:
        made = to.made(cst.Attribute, at, value=made, attr=to.name(each, at))
    return made


def _if(to: _Conversion, found: ast.If) -> Any:
    is_elif = len(found.orelse) == 1 and isinstance(found.orelse[0], ast.If)
    orelse = to.node(found.orelse[0]) if is_elif else to.orelse(found.orelse)
    return to.made(cst.If, found, test=to.node(found.test), body=to.suite(found.body), orelse=orelse)


def _for(to: _Conversion, found: ast.For | ast.AsyncFor) -> Any:
    given = {"target": to.node(found.target), "iter": to.node(found.iter), "body": to.suite(found.body), "orelse": to.orelse(found.orelse)}
    return to.made(cst.For, found, asynchronous=_ASYNCHRONOUS if isinstance(found, ast.AsyncFor) else None, **given)


def _while(to: _Conversion, found: ast.While) -> Any:
    return to.made(cst.While, found, test=to.node(found.test), body=to.suite(found.body), orelse=to.orelse(found.orelse))


def _with(to: _Conversion, found: ast.With | ast.AsyncWith) -> Any:
    items = []
    for each in found.items:
        target = each.optional_vars
        asname = None if target is None else to.made(cst.AsName, target, name=to.node(target))
        items.append(to.made(cst.WithItem, each.context_expr, item=to.node(each.context_expr), asname=asname))
    return to.made(cst.With, found, items=items, body=to.suite(found.body), asynchronous=_ASYNCHRONOUS if isinstance(found, ast.AsyncWith) else None)


def _try(kind: type, handler: type) -> Callable[[_Conversion, Any], Any]:
    """try with `except` or `except*`."""

    def made(to: _Conversion, found: Any) -> Any:
        handlers = [
            to.made(handler, each, type=None if each.type is None else to.node(each.type), name=to.as_name(each.name, each), body=to.suite(each.body))
            for each in found.handlers
        ]
        last = to.made(cst.Finally, found.finalbody[0], body=to.suite(found.finalbody)) if found.finalbody else None
        return to.made(kind, found, body=to.suite(found.body), handlers=handlers, orelse=to.orelse(found.orelse), finalbody=last)

    return made


def _function(to: _Conversion, found: ast.FunctionDef | ast.AsyncFunctionDef) -> Any:
    given = {
        "name": to.name(found.name, found), "params": _parameters(to, found.args, found), "body": to.suite(found.body),
        "decorators": _decorators(to, found.decorator_list), "returns": _annotation(to, found.returns),
    }  # fmt: skip
    return to.made(cst.FunctionDef, found, asynchronous=_ASYNCHRONOUS if isinstance(found, ast.AsyncFunctionDef) else None, **given)


def _decorators(to: _Conversion, found: Sequence[ast.expr]) -> list[Any]:
    return [to.made(cst.Decorator, each, decorator=to.node(each)) for each in found]


def _parameters(to: _Conversion, found: ast.arguments, at: ast.AST) -> Any:
    plain = [*found.posonlyargs, *found.args]
    defaults = [*[None] * (len(plain) - len(found.defaults)), *found.defaults]
    made = [_parameter(to, each, default) for each, default in zip(plain, defaults, strict=True)]
    only = [_parameter(to, each, default) for each, default in zip(found.kwonlyargs, found.kw_defaults, strict=True)]
    star: Any = to.made(cst.ParamStar, at) if only else cst.MaybeSentinel.DEFAULT
    if found.vararg is not None:
        star = _parameter(to, found.vararg, star="*")
    others = None if found.kwarg is None else _parameter(to, found.kwarg, star="**")
    first = len(found.posonlyargs)
    return to.made(cst.Parameters, at, posonly_params=made[:first], params=made[first:], star_arg=star, kwonly_params=only, star_kwarg=others)


def _parameter(to: _Conversion, found: ast.arg, default: ast.expr | None = None, star: str = "") -> Any:
    value = None if default is None else to.node(default)
    return to.made(cst.Param, found, name=to.name(found.arg, found), annotation=_annotation(to, found.annotation), default=value, star=star)


def _class(to: _Conversion, found: ast.ClassDef) -> Any:
    args = _arguments(to, found.bases, found.keywords)
    bases, keywords = [each for each in args if each.keyword is None], [each for each in args if each.keyword is not None]
    given = {"name": to.name(found.name, found), "bases": bases, "keywords": keywords, "decorators": _decorators(to, found.decorator_list)}
    around, to.owner = to.owner, found.name.lstrip("_")
    body = to.suite(found.body)
    to.owner = around
    return to.made(cst.ClassDef, found, body=body, **given)


# ---- match ------------------------------------------------------------------------------------------------------------------------


def _match(to: _Conversion, found: ast.Match) -> Any:
    cases = []
    for each in found.cases:
        guard = None if each.guard is None else to.node(each.guard)
        at = _from_to(each.pattern, each.body[-1])
        cases.append(to.made(cst.MatchCase, at, pattern=to.node(each.pattern), guard=guard, body=to.suite(each.body)))
    return to.made(cst.Match, found, subject=to.node(found.subject), cases=cases)


def _match_singleton(to: _Conversion, found: ast.MatchSingleton) -> Any:
    return to.made(cst.MatchSingleton, found, value=to.made(cst.Name, found, value=repr(found.value)))


def _match_sequence(to: _Conversion, found: ast.MatchSequence) -> Any:
    brackets = {"lbracket": cst.LeftSquareBracket(), "rbracket": cst.RightSquareBracket()}
    return to.made(cst.MatchList, found, patterns=_match_elements(to, found.patterns), **brackets)


def _match_elements(to: _Conversion, found: Sequence[ast.pattern]) -> list[Any]:
    return [to.node(each) if isinstance(each, ast.MatchStar) else to.made(cst.MatchSequenceElement, each, value=to.node(each)) for each in found]


def _match_star(to: _Conversion, found: ast.MatchStar) -> Any:
    return to.made(cst.MatchStar, found, name=to.optional(found.name, found))


def _match_mapping(to: _Conversion, found: ast.MatchMapping) -> Any:
    pairs = zip(found.keys, found.patterns, strict=True)
    elements = [to.made(cst.MatchMappingElement, _from_to(key, pattern), key=to.node(key), pattern=to.node(pattern)) for key, pattern in pairs]
    return to.made(cst.MatchMapping, found, elements=elements, rest=to.optional(found.rest, found))


def _match_class(to: _Conversion, found: ast.MatchClass) -> Any:
    pairs = zip(found.kwd_attrs, found.kwd_patterns, strict=True)
    named = [to.made(cst.MatchKeywordElement, pattern, key=to.name(key, pattern), pattern=to.node(pattern)) for key, pattern in pairs]
    return to.made(cst.MatchClass, found, cls=to.node(found.cls), patterns=_match_elements(to, found.patterns), kwds=named)


def _match_as(to: _Conversion, found: ast.MatchAs) -> Any:
    pattern = None if found.pattern is None else to.node(found.pattern)
    return to.made(cst.MatchAs, found, pattern=pattern, name=to.optional(found.name, found))


def _match_or(to: _Conversion, found: ast.MatchOr) -> Any:
    return to.made(cst.MatchOr, found, patterns=[to.made(cst.MatchOrElement, each, pattern=to.node(each)) for each in found.patterns])


# ---- tables -----------------------------------------------------------------------------------------------------------------------

_SIMPLE: dict[type, tuple[type, tuple[tuple[str, str], ...]]] = {
    ast.IfExp: (cst.IfExp, (("test", "test"), ("body", "body"), ("orelse", "orelse"))),
    ast.NamedExpr: (cst.NamedExpr, (("target", "target"), ("value", "value"))),
    ast.Await: (cst.Await, (("expression", "value"),)),
    ast.Yield: (cst.Yield, (("value", "value"),)),
    ast.Slice: (cst.Slice, (("lower", "lower"), ("upper", "upper"), ("step", "step"))),
    ast.Expr: (cst.Expr, (("value", "value"),)),
    ast.Return: (cst.Return, (("value", "value"),)),
    ast.Assert: (cst.Assert, (("test", "test"), ("msg", "msg"))),
    ast.Pass: (cst.Pass, ()),
    ast.Break: (cst.Break, ()),
    ast.Continue: (cst.Continue, ()),
    ast.MatchValue: (cst.MatchValue, (("value", "value"),)),
}
"""Nodes that are put together of the same parts: libcst's kind, and its names of them with Python's."""
_CONVERTED: dict[type, Callable[[_Conversion, Any], Any]] = {
    ast.Name: _name, ast.Constant: _constant, ast.Attribute: _attribute, ast.BinOp: _binary, ast.UnaryOp: _unary, ast.BoolOp: _boolean,
    ast.Compare: _comparison, ast.Call: _call, ast.Subscript: _subscript, ast.Tuple: _display(cst.Tuple), ast.List: _display(cst.List),
    ast.Set: _display(cst.Set), ast.Dict: _dict, ast.ListComp: _comprehension(cst.ListComp), ast.SetComp: _comprehension(cst.SetComp),
    ast.GeneratorExp: _comprehension(cst.GeneratorExp), ast.DictComp: _dict_comprehension, ast.Lambda: _lambda, ast.YieldFrom: _yield_from,
    ast.JoinedStr: _f_string, ast.Starred: _element,
    ast.Assign: _assign, ast.AugAssign: _augmented, ast.AnnAssign: _annotated, ast.Raise: _raise, ast.Delete: _delete, ast.Global: _declared(cst.Global),
    ast.Nonlocal: _declared(cst.Nonlocal), ast.Import: _import, ast.ImportFrom: _import_from, ast.If: _if, ast.For: _for, ast.AsyncFor: _for,
    ast.While: _while, ast.With: _with, ast.AsyncWith: _with, ast.Try: _try(cst.Try, cst.ExceptHandler), ast.TryStar: _try(cst.TryStar, cst.ExceptStarHandler),
    ast.FunctionDef: _function, ast.AsyncFunctionDef: _function, ast.ClassDef: _class,
    ast.Match: _match, ast.MatchSingleton: _match_singleton, ast.MatchSequence: _match_sequence, ast.MatchStar: _match_star,
    ast.MatchMapping: _match_mapping, ast.MatchClass: _match_class, ast.MatchAs: _match_as, ast.MatchOr: _match_or,
}  # fmt: skip
if sys.version_info >= (3, 12):
    _SIMPLE[ast.TypeAlias] = cst.TypeAlias, (("name", "name"), ("value", "value"))

__all__ = ["Place", "Places", "converted", "place_of"]
