"""What parameters are bound to: Python's own rules for a call's arguments, of functions outside and of nested ones."""
from __future__ import annotations

import inspect
from types import CodeType, FunctionType
from typing import Any

import libcst as cst

from s2s.records import dataclass
from s2s.transforms.read.callables import Closure
from s2s.transforms.read.calls.hidden import default
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax.frame import Frame
from s2s.transforms.read.values import Abstract, StandIn, Steps, TupleRef


@dataclass(frozen=True, eq=False)
class RestOfRun(StandIn):
    """What `*args` takes of a list of run-time length: the last argument by position (`stars.py`)."""

    items: TupleRef


def _rest(value: Any) -> Any:
    """What `*args` is bound to: a tuple of run-time length where its last item stands for one."""
    return value[-1].items if isinstance(value, tuple) and value and isinstance(value[-1], RestOfRun) else value


def bind_python(reader: Reader, function: FunctionType, steps: Steps | None, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> dict[str, Abstract]:
    """The parameters' values for a call of a Python function; raises TypeError as Python does."""
    bound = bound_arguments(function, *args, **kwargs)
    given = set(bound.arguments)
    bound.apply_defaults()
    result: dict[str, Abstract] = {}
    for name, value in bound.arguments.items():
        kind = bound.signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            result[name] = reader.new_dict(value)
        elif name in given or kind is inspect.Parameter.VAR_POSITIONAL:
            result[name] = _rest(value)
        else:
            result[name] = _default(reader, function, steps, name, value)
    return result


def signature_of_code(function: FunctionType) -> inspect.Signature:
    """What the function itself takes, whatever a decorator says of it in `__signature__`."""
    if hasattr(function, "__signature__"):
        plain = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
        plain.__kwdefaults__ = function.__kwdefaults__
        return inspect.signature(plain)
    return inspect.signature(function, follow_wrapped=False)


@asks_python
def bound_arguments(function: FunctionType, /, *args: Abstract, **kwargs: Abstract) -> inspect.BoundArguments:
    """The arguments of a call by parameter; raises TypeError in Python's own words."""
    signature = signature_of_code(function)
    try:
        return signature.bind(*args, **kwargs)
    except TypeError:
        _nothing_like(signature, function.__name__, function.__qualname__)(*args, **kwargs)
        raise


def _nothing_like(signature: inspect.Signature, name: str, qualified: str) -> FunctionType:
    """A function with these parameters and this name that does nothing: Python checks the arguments of a call of it."""
    parameters = signature.parameters.values()
    plain = [each.replace(annotation=each.empty, default=each.empty if each.default is each.empty else None) for each in parameters]
    (code,) = (each for each in compile(f"def f{inspect.Signature(plain)}: pass", "<arguments>", "exec").co_consts if isinstance(each, CodeType))
    defaults = tuple(None for each in plain if each.default is None and each.kind is not each.KEYWORD_ONLY)
    made = FunctionType(code.replace(co_name=name, co_qualname=qualified), {}, None, defaults)
    made.__kwdefaults__ = {each.name: None for each in plain if each.default is None and each.kind is each.KEYWORD_ONLY}
    return made


def _default(reader: Reader, function: FunctionType, steps: Steps | None, name: str, value: Any) -> Abstract:
    """A default: numbers are constants of the function, arrays are read at each call."""
    return default(reader, value, (*((("object", function),) if steps is None else steps), *_place_of_default(function, name)))


def _place_of_default(function: FunctionType, name: str) -> Steps:
    """The steps from a function to a parameter's default; those of __defaults__ are counted from its end, as Python does."""
    if function.__kwdefaults__ and name in function.__kwdefaults__:
        return ("attribute", "__kwdefaults__"), ("item", name)
    positional = function.__code__.co_varnames[: function.__code__.co_argcount]
    return ("attribute", "__defaults__"), ("item", positional.index(name) - len(positional))


def signature_of_closure(function: Closure) -> inspect.Signature:
    """The signature of a nested function or lambda."""
    params: cst.Parameters = function.node.params
    kinds = inspect.Parameter
    declared: list[tuple[cst.Param, Any]] = [(param, kinds.POSITIONAL_ONLY) for param in params.posonly_params]
    declared += [(param, kinds.POSITIONAL_OR_KEYWORD) for param in params.params]
    declared += [(params.star_arg, kinds.VAR_POSITIONAL)] if isinstance(params.star_arg, cst.Param) else []
    declared += [(param, kinds.KEYWORD_ONLY) for param in params.kwonly_params]
    declared += [(params.star_kwarg, kinds.VAR_KEYWORD)] if params.star_kwarg is not None else []
    return inspect.Signature([
        inspect.Parameter(param.name.value, kind, default=function.defaults.get(param.name.value, inspect.Parameter.empty))
        for param, kind in declared
    ])


@asks_python
def bound_to_closure(function: Closure, /, *args: Abstract, **kwargs: Abstract) -> inspect.BoundArguments:
    """The arguments of a call of a nested function by parameter; raises TypeError in Python's own words."""
    signature = signature_of_closure(function)
    try:
        return signature.bind(*args, **kwargs)
    except TypeError:
        _nothing_like(signature, function.name, qualified_name(function))(*args, **kwargs)
        raise


def qualified_name(function: Closure) -> str:
    """What Python calls a nested function with all that it stands in."""
    return _qualified(function.frame, "<lambda>" if isinstance(function.node, cst.Lambda) else function.name, function.method_of)


def _qualified(outer: Frame, name: str, method_of: type | None) -> str:
    if method_of is not None:
        return f"{method_of.__qualname__}.{name}"
    if outer.outer is None:
        around = outer.name if outer.python is None else outer.python.__qualname__
    else:
        around = _qualified(outer.outer, outer.name, outer.method_of)
    return around if outer.is_comprehensions else f"{around}.<locals>.{name}"


def bind_closure(reader: Reader, function: Closure, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> dict[str, Abstract]:
    """The parameters' values for a call of a nested function or lambda; raises TypeError as Python does."""
    bound = bound_to_closure(function, *args, **kwargs)
    bound.apply_defaults()
    signature = bound.signature
    return {
        name: reader.new_dict(value) if signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD else _rest(value)
        for name, value in bound.arguments.items()
    }
