"""Texts with fields written as f-strings."""
from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from string import Formatter


def f_string(message: str, values: Sequence[ast.expr]) -> str:
    """message.format(*values) as an f-string; values by position or in their order, as `str.format` takes them.

    >>> f_string("{:.2f} of {{{}}}", [ast.Name("x"), ast.Name("y")])
    "f'{x:.2f} of {{{y}}}'"

    >>> f_string("{:>{}}", [ast.Name("x"), ast.Name("width")])
    "f'{x:>{width}}'"
    """
    parts: list[ast.expr] = []
    left = iter(values)
    for literal, field, spec, conversion in Formatter().parse(message):
        if literal:
            parts.append(ast.Constant(literal))
        if field is not None:
            value = values[int(field)] if field else next(left)
            parts.append(ast.FormattedValue(value, ord(conversion) if conversion else -1, _spec(spec, left) if spec else None))
    return ast.unparse(ast.JoinedStr(parts))


def _spec(spec: str, left: Iterator[ast.expr]) -> ast.JoinedStr:
    """How a value is shown, with the next values in its own fields."""
    parts: list[ast.expr] = []
    for literal, field, _, _ in Formatter().parse(spec):
        parts += [ast.Constant(literal)] if literal else []
        parts += [] if field is None else [ast.FormattedValue(next(left), -1, None)]
    return ast.JoinedStr(parts)


def fields_in(spec: str | None) -> int:
    """How many values a spec takes for itself."""
    return sum(field is not None for _, field, _, _ in Formatter().parse(spec or ""))
