"""s2s's own functions inside the user's code: grad(f)(x), jit(f)(x), jvp(f, (x,), (x_dot,)), tree_util.tree_map.

    s2s.grad(loss)(params, x)   ->   a call of the gradient's program, as of any helper function
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s import tree_util
from s2s.transforms.read.lifted import Lifted
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, Closure, DictRef, ListRef, ObjectRef, Outside, number_literal, remake

MAKERS = ("jit", "grad", "value_and_grad")
"""Functions of s2s.api that make a function of a function."""


def is_transformation(function: Any) -> bool:
    """Whether a function is one of s2s's that can be called in the user's code."""
    return function is tree_util.tree_map or getattr(function, "__module__", "") == "s2s.api"


def call_transformation(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """function(*args, **kwargs) for such a function."""
    name = function.__name__
    if function is tree_util.tree_map:
        if kwargs:
            raise reader.unsupported("tree_map with is_leaf", "tree_map(f, tree, *trees)")
        return _tree_map(reader, *args)
    if name not in (*MAKERS, "jvp"):
        raise reader.unsupported(f"s2s.{name} inside a function that is read", "s2s.grad, s2s.value_and_grad or s2s.jvp there, or call it outside")
    if args and isinstance(args[0], Closure):
        args = (Outside(Lifted(reader, args[0]), ()), *args[1:])
    if not args or not isinstance(args[0], Outside):
        raise reader.unsupported(
            f"s2s.{name} of a function that is defined inside of the function that is read",
            "a function defined outside of it, which gets what it needs as arguments",
        )
    fun, steps = args[0].object, args[0].steps
    if name != "jvp":
        return Outside(function(fun, *args[1:], **kwargs), steps)  # what grad(f) reaches, f reaches
    return _jvp(reader, function, Outside(fun, steps), args[1:], kwargs)


def _jvp(reader: Reader, jvp: Any, fun: Outside, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """jvp(f, primals, tangents) is a call of f's jvp program with the primals, then the tangents."""
    primals, tangents = (_items(reader, each) for each in (*args, *(kwargs[key] for key in ("primals", "tangents") if key in kwargs)))
    made = jvp.transformed(fun.object, bool(kwargs.get("has_aux", False)))
    return call_made(reader, Outside(made, fun.steps), (*primals, *tangents), {})


def call_made(reader: Reader, function: Outside, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of jit(f), grad(f), …. Floats known while reading become run-time ones: the derivative is taken with respect to them."""
    from s2s.transforms.read.functions import call_staged  # it reads functions, and so comes back here

    made = function.object
    if not getattr(made, "static_names", ()):
        args, kwargs = tuple(_with_atoms(arg) for arg in args), {key: _with_atoms(arg) for key, arg in kwargs.items()}
    return call_staged(reader, made, function.steps, args, kwargs)


def _with_atoms(value: Abstract) -> Abstract:
    if isinstance(value, tuple):
        return remake(value, [_with_atoms(item) for item in value])
    return number_literal(value) if isinstance(value, float | complex) else value


def _items(reader: Reader, sequence: Abstract) -> tuple[Abstract, ...]:
    if isinstance(sequence, ListRef):
        return tuple(reader.heap[sequence])
    if isinstance(sequence, tuple):
        return sequence
    raise reader.unsupported("s2s.jvp whose primals or tangents are no tuple or list", "s2s.jvp(f, (x,), (x_dot,))")


def _tree_map(reader: Reader, function: Abstract, tree: Abstract, *rest: Abstract) -> Abstract:
    """The same container with function(leaf, *the others' leaves) for each leaf."""
    if tree is None:
        return None
    if isinstance(tree, tuple):
        _check(reader, all(isinstance(other, tuple) and len(other) == len(tree) for other in rest))
        return remake(tree, [_tree_map(reader, function, *parts) for parts in zip(tree, *rest, strict=True)])
    if isinstance(tree, ListRef):
        _check(reader, all(isinstance(other, ListRef) and len(reader.heap[other]) == len(reader.heap[tree]) for other in rest))
        lists = [reader.heap[each] for each in (tree, *rest)]
        return reader.new_list([_tree_map(reader, function, *parts) for parts in zip(*lists, strict=True)])
    if isinstance(tree, DictRef | ObjectRef):
        _check(reader, all(isinstance(other, type(tree)) and other.kind is tree.kind and set(reader.heap[other]) == set(reader.heap[tree]) for other in rest))
        fields = [reader.heap[each] for each in (tree, *rest)]
        made = {key: _tree_map(reader, function, *(each[key] for each in fields)) for key in fields[0]}
        if isinstance(tree, DictRef):
            return reader.new_dict(made, tree.kind)
        ref = ObjectRef(kind=tree.kind)
        reader.heap[ref] = made
        return ref
    return reader.call(function, (tree, *rest))


def _check(reader: Reader, holds: bool) -> None:
    if not holds:
        raise reader.unsupported("tree_map over containers of different structure", "containers of the same structure")
