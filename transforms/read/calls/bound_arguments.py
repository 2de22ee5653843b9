"""inspect.signature(f).bind and .bind_partial of what only the run knows: `composed/bound_arguments.py` stands for what they give."""
from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from s2s.transforms.read.calls.hidden import whole
from s2s.transforms.read.composed.bound_arguments import BoundArguments
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.known import entered
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, Outside

_BINDING = (inspect.Signature.bind, inspect.Signature.bind_partial)
_STARS: dict[Any, int] = {inspect.Parameter.VAR_POSITIONAL: 1, inspect.Parameter.VAR_KEYWORD: 2}
_BY_NAME = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)


def binding(function: Any, args: tuple[Abstract, ...]) -> tuple[Any, Abstract, tuple[Abstract, ...]] | None:
    """Of a call of `bind` or `bind_partial`: the function, the signature and the arguments."""
    owner: Abstract
    if isinstance(getattr(function, "__self__", None), inspect.Signature):
        function, owner = function.__func__, function.__self__
    elif function in _BINDING and args:
        owner, *rest = args
        args = tuple(rest)
    else:
        return None
    return (function, owner, args) if function in _BINDING and isinstance(owner.object if isinstance(owner, Outside) else owner, inspect.Signature) else None


@asks_python
def call_bind(reader: Reader, found: tuple[Any, Abstract, tuple[Abstract, ...]], kwargs: dict[str, Abstract]) -> Abstract:
    """The arguments by parameter; raises TypeError in Python's own words."""
    function, owner, args = found
    signature: inspect.Signature = whole(reader, owner)
    bound = function(signature, *args, **kwargs)
    parameters = signature.parameters.values()
    defaults = {each.name: each.default for each in parameters if each.default is not each.empty}
    if any(isinstance(each, np.ndarray | list | dict | set) for each in defaults.values()):
        raise reader.unsupported(f"{function.__qualname__} of a function with a default that can be changed", "None as the default, and the value inside")
    places = tuple((each.name, _STARS.get(each.kind, 0), each.kind in _BY_NAME) for each in parameters)
    arguments = {name: reader.new_dict(each) if type(each) is dict else each for name, each in bound.arguments.items()}  # a dict: what ** takes
    return reader.rules.call(BoundArguments, (signature, reader.new_dict(arguments), places, reader.new_dict({name: entered(reader, each) for name, each in defaults.items()})))


__all__ = ["binding", "call_bind"]
