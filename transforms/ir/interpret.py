"""A NumPy interpreter of the program: what a program means, without compiling it. Tests are built on it.

It checks the dtype and shape of everything that it computes against the types, so that a wrong rule is found where it is used.
"""
from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, MutableMapping
from contextvars import ContextVar
from importlib import import_module
from typing import Any

import numpy as np

from s2s.errors import InternalError, SizesError, exception_class, made, name_example
from s2s.logs import read_back
from s2s.transforms.ir.program import Block, Call, Check, Equation, For, Function, If, Map, Node, Print, While
from s2s.types import Array, Atom, Dim, Literal, Var

Env = MutableMapping[Var, Any]
Watch = Callable[[Node, Callable[[Atom], Any]], None]
"""Called with each node before it runs, and a function that gives an atom's value there."""
_WATCH: ContextVar[Watch | None] = ContextVar("s2s_watch", default=None)


def interpret(function: Function, *args: Any, watch: Watch | None = None) -> tuple[Any, ...]:
    """The results of function(*args): NumPy scalars (rank 0) and arrays of exactly the results' dtypes.

    `watch` is called before each node, in the order of execution, inside of calls, loops and branches too.

    Raises
    ------
    ValueError
        If the arguments' shapes don't fit the parameters' (two parameters disagree on a dimension).
    InternalError
        If an equation's value has not the type that was inferred for it.
    """
    values = tuple(np.asarray(arg, param.type.dtype)[()] for arg, param in zip(args, function.params, strict=True))
    token = _WATCH.set(watch)
    try:
        with np.errstate(all="ignore"):
            return _call(function, values)
    except Exception as error:
        if numbers := vars(error).pop(_NUMBERS, None):
            name_example(error, numbers)
        raise
    finally:
        _WATCH.reset(token)


def _call(function: Function, args: tuple[Any, ...]) -> tuple[Any, ...]:
    env: Env = dict(zip(function.params, args, strict=True))
    for param, arg in zip(function.params, args, strict=True):
        bind_shape(param, np.shape(arg), env)
    return _run(function.body, env)


def bind_shape(param: Var, shape: tuple[int, ...], env: Env) -> None:
    """Bind a parameter's dimensions to those of what it is given; ValueError where one has another size already."""
    if len(shape) != param.type.ndim:
        raise ValueError(f"{param}: {param.type} was given an array of shape {shape}")
    for dim, length in zip(param.type.shape, shape, strict=True):
        known = env.setdefault(dim, np.int64(length)) if isinstance(dim, Var) else dim
        if known != length:
            raise ValueError(f"{param}: {param.type} was given an array of shape {shape}, but {dim} is {known}")


def _run(block: Block, env: Env) -> tuple[Any, ...]:
    watch = _WATCH.get()
    for node in block.nodes:
        if watch is not None:
            watch(node, lambda atom: _value(atom, env))
        _bind(node, node.outs, run_node(node, env), env)
    return tuple(_value(atom, env) for atom in block.results)


def _value(atom: Atom | Dim, env: Env) -> Any:
    if isinstance(atom, int):
        return atom
    if isinstance(atom, Literal):
        return atom.type.dtype.type(atom.value)
    return env[atom]


def _bind(node: Node, variables: tuple[Var, ...], values: tuple[Any, ...], env: Env) -> None:
    """Bind, then check: outs may name each other as dimensions."""
    if len(variables) != len(values):
        raise InternalError(f"{_show(node)} binds {len(variables)} values and yields {len(values)}", where=node.where)
    env.update(zip(variables, values, strict=True))
    for var in variables:
        shape = tuple(int(_value(dim, env)) for dim in var.type.shape)
        found = np.asarray(env[var])
        if found.dtype != var.type.dtype or found.shape != shape:
            raise InternalError(
                f"{_show(node)}: {var} should be {Array(var.type.dtype)}{list(shape)} and is {Array(found.dtype)}{list(found.shape)}",
                where=node.where,
            )


def _show(node: Node) -> str:
    return node.primitive.name if isinstance(node, Equation) else type(node).__name__


def run_node(node: Node, env: Env) -> tuple[Any, ...]:
    """The values of a node's outs, from what is bound."""
    match node:
        case Equation():
            found = node.primitive.evaluate(*(_value(atom, env) for atom in node.ins), **node.params)
            return tuple(np.asarray(value)[()] for value in (found if isinstance(found, tuple) else (found,)))
        case Call():
            return _call(node.function, tuple(_value(atom, env) for atom in node.ins))
        case Check():
            if not _value(node.test, env):
                values = [np.asarray(_value(atom, env)).tolist() for atom in node.values]
                kind = exception_class(node.exception)
                error = made(kind, node.message, values) if node.made else kind(*([node.message.format(*values)] if node.message else []))
                raise SizesError(error) if node.stretch else error
            return ()
        case Print() if node.calls_back:
            path, _, name = node.function.rpartition(".")
            getattr(import_module(path), name)(*(_value(atom, env) for atom in node.values))
            return ()
        case Print():
            shown = [value.item() if atom.type.weak and not atom.type.shape else value for atom, value in ((atom, np.asarray(_value(atom, env))[()]) for atom in node.values)]
            if node.function:
                read_back(node.function)(node.text.format(*shown))
            else:
                print(node.text.format(*shown), end=node.end, flush=node.flush)  # noqa: T201 - the user's own
            return ()
        case If():
            return _run(node.then if _value(node.test, env) else node.orelse, _inside(env))
        case For():
            return _run_for(node, env)
        case While():
            return _run_while(node, env)
        case Map():
            return _run_map(node, env)


_NUMBERS = "_s2s_examples"
"""Where an exception holds the numbers of the examples that it has left, while a program is interpreted."""


def _left(node: For | Map, index: int, error: Exception) -> None:
    """An exception leaves a trip."""
    if node.index.type.example:
        vars(error).setdefault(_NUMBERS, []).append(index)


def _inside(env: Env) -> Env:
    """The scope of a nested block: it sees the outer variables; what it binds is gone afterwards."""
    return ChainMap({}, env)


def _run_for(node: For, env: Env) -> tuple[Any, ...]:
    carried = tuple(_value(atom, env) for atom in node.init)
    for index in range(*(int(_value(atom, env)) for atom in (node.lo, node.hi, node.step))):
        scope = _inside(env)
        scope[node.index] = np.int64(index)
        _bind(node, node.carry, carried, scope)
        try:
            carried = _run(node.body, scope)
        except Exception as error:
            _left(node, index, error)
            raise
    return carried


def _run_while(node: While, env: Env) -> tuple[Any, ...]:
    carried = tuple(_value(atom, env) for atom in node.init)
    while True:
        scope = _inside(env)
        _bind(node, node.carry, carried, scope)
        if not _run(node.test, _inside(scope))[0]:
            return carried
        carried = _run(node.body, scope)


def _run_map(node: Map, env: Env) -> tuple[Any, ...]:
    size = int(_value(node.size, env))
    stacked = [np.empty(tuple(int(_value(dim, env)) for dim in out.type.shape), out.type.dtype) for out in node.outs]
    for index in range(size):
        scope = _inside(env)
        scope[node.index] = np.int64(index)
        try:
            results = _run(node.body, scope)
        except Exception as error:
            _left(node, index, error)
            raise
        for array, value in zip(stacked, results, strict=True):
            array[index] = value
    return tuple(stacked)


__all__ = ["interpret"]
