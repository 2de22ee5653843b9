"""Texts with fields written as f-strings."""
from __future__ import annotations

import ast
from collections.abc import Sequence
from string import Formatter


def f_string(message: str, values: Sequence[ast.expr]) -> str:
    """message.format(*values) as an f-string; values by position or in their order, as `str.format` takes them.

    >>> f_string("{:.2f} of {{{}}}", [ast.Name("x"), ast.Name("y")])
    "f'{x:.2f} of {{{y}}}'"
    """
    parts: list[ast.expr] = []
    left = iter(values)
    for literal, field, spec, conversion in Formatter().parse(message):
        if literal:
            parts.append(ast.Constant(literal))
        if field is not None:
            value = values[int(field)] if field else next(left)
            parts.append(ast.FormattedValue(value, ord(conversion) if conversion else -1, ast.JoinedStr([ast.Constant(spec)]) if spec else None))
    return ast.unparse(ast.JoinedStr(parts))
