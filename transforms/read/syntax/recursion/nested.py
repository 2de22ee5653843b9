"""The functions that a function which calls itself makes: they see the names of one of its calls, so they are made anew behind each call of itself after which they are used.

    def area(h):                                 place 1, behind the call:
        def width(t):                                h, found = h_stack.pop(), result
            return h * t                             def width(t):
        if h > 0.5:                                      return h * t
            return area(1 - h) + quad(width, 0, h)   result = found + quad(width, 0, h)
        return quad(width, 0, h)

A call of another depth has other names under it, which the loop keeps in the same variables: such a function is called, or given to a function that is done with it when it
returns (an integral, a root), and goes nowhere else.
"""
from __future__ import annotations

from typing import Any

import libcst as cst

from s2s.transforms.read.syntax import nodes
from s2s.transforms.read.syntax.recursion.steps import Own
from s2s.transforms.read.syntax.scope import Names, Scope, all_params, assigned, default_reads, names_read, scope_of

_KEEPING = frozenset(
    {
        "accumulate", "cache", "checkpoint", "custom_jvp", "custom_vjp", "cycle", "dropwhile", "enumerate", "filter", "filterfalse", "frompyfunc", "grad", "groupby", "hessian", "iter", "jacfwd",
        "jacrev", "jit", "jvp", "linearize", "lru_cache", "map", "partial", "pmap", "reversed", "shard_map", "starmap", "takewhile", "value_and_grad", "vectorize", "vjp", "vmap", "wraps", "zip",
    }
)  # fmt: skip
"""Functions whose result still calls what they are given."""


def made_again(own: Own, scope: Scope, body: list[Any]) -> dict[str, Any]:
    """The statements that make a function which can be made anew, by its name."""
    found: dict[str, Any] = {}
    if len(own.circle) > 1:
        return found
    for number, each in enumerate(body):
        name = _name_of(each)
        if name and name not in own.parameters and _is_made_first(body, number, name) and _is_plain(own, each) and _goes_nowhere(own, scope, body, name):
            found[name] = each
    return found


def _name_of(statement: Any) -> str:
    match statement:
        case cst.FunctionDef(name=cst.Name(value=name)):
            return name
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=cst.Lambda()):
            return name
    return ""


def _is_made_first(body: list[Any], number: int, name: str) -> bool:
    """Whether nothing but this statement binds a name, and nothing before it uses it but other functions."""
    return sum(name in assigned([each]) for each in body) == 1 and not any(name in nodes.names_inside(each) for each in body[:number] if not _name_of(each))


def function_of(statement: Any) -> Any:
    """The function that a statement makes."""
    return statement.value if isinstance(statement, cst.Assign) else statement


def _is_plain(own: Own, statement: Any) -> bool:
    """Whether it is the same function whenever it is made: of no defaults and decorators, and binding no name of another's."""
    function = function_of(statement)
    if isinstance(function, cst.FunctionDef) and (function.decorators or function.asynchronous is not None) or default_reads(function.params):
        return False
    inside = list(nodes.inside(function.body))
    return not own.has_call(function) and not any(isinstance(each, cst.Nonlocal | cst.Global | cst.NamedExpr) for each in inside) and all(param.default is None for param in all_params(function.params))


def _goes_nowhere(own: Own, scope: Scope, body: list[Any], name: str) -> bool:
    """Whether it is only called, or given to what is done with it when it returns."""
    inside = [each for statement in body for each in nodes.inside(statement)]
    imported = _imported(inside)
    done = {each for call in inside if isinstance(call, cst.Call) for each in _looked_at(own, scope, imported, call)}
    own_names = {each.name for each in inside if isinstance(each, cst.FunctionDef)} | {each.target for each in inside if isinstance(each, cst.AssignTarget)}
    others = {each.attr for each in inside if isinstance(each, cst.Attribute)} | {each.keyword for each in inside if isinstance(each, cst.Arg) and each.keyword is not None}
    is_anothers = any(isinstance(each, cst.Param) and each.name.value == name for each in inside)
    return not is_anothers and not any(isinstance(each, cst.Name) and each.value == name and each not in done | own_names | others for each in inside)


def _looked_at(own: Own, scope: Scope, imported: Names, call: cst.Call) -> list[cst.CSTNode]:
    """The functions that a call calls, and those that it is done with when it returns."""
    if own.calls(call):
        return []
    return [call.func, *(arg.value for arg in call.args if not arg.star and _is_done_with(scope, imported, call))]


def _is_done_with(scope: Scope, imported: Names, call: cst.Call) -> bool:
    """Whether a call's function, which is none of those that are made here, is done with a function that it is given when it returns."""
    function: Any = call.func
    last = function.attr.value if isinstance(function, cst.Attribute) else getattr(function, "value", "")
    while isinstance(function, cst.Attribute):
        function = function.value
    return isinstance(function, cst.Name) and function.value not in scope.bound - imported and last not in _KEEPING


def _imported(inside: list[cst.CSTNode]) -> Names:
    return assigned(each for each in inside if isinstance(each, cst.Import | cst.ImportFrom))


def given_to_calls(own: Own, scope: Scope, body: list[Any]) -> set[cst.CSTNode]:
    """The lambdas that stand in the arguments of a call which is done with them when it returns."""
    inside = [each for statement in body for each in nodes.inside(statement)]
    calls, imported = [each for each in inside if isinstance(each, cst.Call) and not own.calls(each)], _imported(inside)
    return {arg.value for call in calls if _is_done_with(scope, imported, call) for arg in call.args if isinstance(arg.value, cst.Lambda) and not arg.star}


def seen_by(functions: dict[str, Any], node: cst.CSTNode) -> Names:
    """The names that the functions see which a node calls, or hands to another."""
    met, waiting, seen = set[str](), list(nodes.names_inside(node) & functions.keys()), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in met:
            met.add(name)
            function = function_of(functions[name])
            read = names_read(function) - scope_of(function).bound
            seen |= read
            waiting += read & functions.keys()
    return frozenset(seen)


__all__ = ["function_of", "given_to_calls", "made_again", "seen_by"]
