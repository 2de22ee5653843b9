"""Argument types written as text: `f8[:,:], [(f8[:,:], f8[:])], {'w': f8[:]}, float, rate=f8` (the CLI's --args, annotations).

`f8` is a NumPy scalar, `f8[:,:]` an array (`1` instead of `:` for an axis of length 1), `float`, `int`, `complex` and `bool`
are Python's numbers (`wide_int`: an int of more than 32 bits); quoted strings, numbers, None and True are static values; containers are Python's.
"""
from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.calls.leaves import Kind
from s2s.calls.request import Request
from s2s.codegen.modules.call import Static
from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.records import dataclass
from s2s.tree_util import tree_flatten
from s2s.types import SUPPORTED_DTYPES, short_name

_PYTHON = {"float": "f8*", "int": "i8*", "wide_int": "i8*w", "complex": "c16*", "bool": "b1*"}
_NUMPY = {**{short_name(dtype): short_name(dtype) for dtype in SUPPORTED_DTYPES}, **{dtype.name: short_name(dtype) for dtype in SUPPORTED_DTYPES}}
_NUMPY["bool_"] = "b1"
_EXAMPLE = "for example --args 'f8[:,:], f8[:], int'"


@dataclass(frozen=True)
class TypeLeaf:
    """A leaf of the parsed containers: an array's or number's kind."""

    kind: Kind


def parse_arguments(text: str, namespace: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Positional and keyword arguments, containers of TypeLeafs and static values. Classes are looked up in `namespace`."""
    try:
        call = ast.parse(f"f({text}\n)", mode="eval").body
    except SyntaxError as error:
        raise ArgumentValueError(f"can't read the argument types {text!r}", why=str(error.msg), instead=_EXAMPLE) from None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != "f":
        raise ArgumentValueError(f"can't read the argument types {text!r}", instead=_EXAMPLE)
    if any(keyword.arg is None for keyword in call.keywords):
        raise ArgumentValueError(f"** in the argument types {text!r}", instead=_EXAMPLE)
    args = tuple(_parse(node, namespace) for node in call.args)
    return args, {str(keyword.arg): _parse(keyword.value, namespace) for keyword in call.keywords}


def _parse(node: ast.expr, namespace: dict[str, Any]) -> Any:
    match node:
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="np" | "numpy"), attr=name):
            return TypeLeaf((_kind_name(name), ()))
        case ast.Subscript(value=ast.Name(id="Annotated") | ast.Attribute(attr="Annotated"), slice=ast.Tuple(elts=[_, ast.Constant(value=str(text)), *_])):
            return _parse_one(text, namespace)
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(value=ast.Name(id="np" | "numpy"), attr=name), slice=index):
            if name in _PYTHON and name != "bool":
                raise ArgumentValueError(f"an array of {name}", why=f"{name} is a Python number", instead=f"{_PYTHON[name].rstrip('*')}[:]")
            sizes = index.elts if isinstance(index, ast.Tuple) else [index]
            return TypeLeaf((_kind_name(name).rstrip("*"), tuple(_size(size) for size in sizes)))
        case ast.Tuple(elts=items):
            return tuple(_parse(item, namespace) for item in items)
        case ast.List(elts=items):
            return [_parse(item, namespace) for item in items]
        case ast.Dict(keys=keys, values=values) if all(key is not None for key in keys):
            return {_constant(key): _parse(value, namespace) for key, value in zip(keys, values, strict=True) if key is not None}
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if isinstance(namespace.get(name), type):
            return namespace[name](*(_parse(arg, namespace) for arg in args), **{str(k.arg): _parse(k.value, namespace) for k in keywords})
        case ast.Call(func=ast.Attribute(value=ast.Name(id="np" | "numpy"), attr=name), args=[number], keywords=[]) if _kind_name(name):
            return Static(getattr(np, name)(_constant(number)))
        case ast.Constant() | ast.UnaryOp():
            return _literal(node)
    raise ArgumentValueError(f"can't read the argument type {ast.unparse(node)!r}", instead=_EXAMPLE)


def _parse_one(text: str, namespace: dict[str, Any]) -> Any:
    args, kwargs = parse_arguments(text, namespace)
    if len(args) != 1 or kwargs:
        raise ArgumentValueError(f"{text!r} is not one type", instead=_EXAMPLE)
    return args[0]


def _constant(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise ArgumentValueError(f"{ast.unparse(node)!r} is not a constant", instead=_EXAMPLE) from None


def _literal(node: ast.expr) -> Any:
    value = _constant(node)
    return Static(value) if isinstance(value, (bool, int, float, complex)) and not isinstance(node, ast.Name) else value


def _kind_name(name: str) -> str:
    kind = _PYTHON.get(name) or _NUMPY.get(name)
    if kind is None:
        raise ArgumentValueError(f"unknown type {name!r}", why=f"known are {', '.join((*_PYTHON, *map(short_name, SUPPORTED_DTYPES)))}", instead=_EXAMPLE)
    return kind


def _size(node: ast.expr) -> int:
    match node:
        case ast.Slice(lower=None, upper=None, step=None):
            return -1
        case ast.Constant(value=int(size)) if size >= 0 and not isinstance(size, bool):
            return size
    raise ArgumentValueError(f"can't read the size {ast.unparse(node)!r}", instead="`:` for any size, or a number for a fixed one")


def annotated_arguments(function: Callable[..., Any], namespace: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The argument types that a function's annotations give; parameters with a default and no such annotation are left out."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    left_out = False
    for parameter in inspect.signature(function).parameters.values():
        optional = parameter.default is not parameter.empty or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        try:
            leaf = _parse_annotation(parameter, namespace)
        except ArgumentValueError as error:
            if not optional:
                raise ArgumentTypeError(
                    f"no type for the argument {parameter.name} of {function.__name__}", why=error.what, instead="give --args, or annotate it: x: 'f8[:]'"
                ) from None
            left_out = True
            continue
        if left_out or parameter.kind is parameter.KEYWORD_ONLY:
            kwargs[parameter.name] = leaf
        else:
            args.append(leaf)
    return tuple(args), kwargs


def _parse_annotation(parameter: inspect.Parameter, namespace: dict[str, Any]) -> Any:
    annotation = parameter.annotation
    if annotation is parameter.empty:
        raise ArgumentValueError("it has no annotation")
    for extra in getattr(annotation, "__metadata__", ()):
        if isinstance(extra, str):
            return _parse_one(extra, namespace)
    if isinstance(annotation, str):
        text = annotation.strip()
        return _parse_one(text[1:-1] if text[:1] in "'\"" and text[-1:] == text[:1] else text, namespace)
    if isinstance(annotation, type) and (annotation.__name__ in _PYTHON or issubclass(annotation, np.generic)):
        return TypeLeaf((_kind_name(annotation.__name__), ()))
    raise ArgumentValueError(f"its annotation {annotation!r} says neither dtype nor rank")


def request_for(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Request:
    """A request like that of a call with such arguments."""
    leaves, treedef = tree_flatten((args, kwargs))
    return Request(leaves, treedef, [leaf.kind if isinstance(leaf, TypeLeaf) else leaf if isinstance(leaf, Static) else Static(leaf) for leaf in leaves])
