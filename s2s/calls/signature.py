"""How a user's function is called: its name, its signature, which of its parameters are static."""
from __future__ import annotations

import inspect
from typing import Any

from s2s import hidden as hidden_inputs
from s2s.calls.request import positional_names
from s2s.errors import ArgumentValueError


def name_of(function: Any) -> str:
    """What emitted functions are named after."""
    plain = hidden_inputs.innermost(function)
    name = getattr(plain, "__name__", type(plain).__name__)
    return name if name.isidentifier() else "lambda_" if name == "<lambda>" else "function"


def code_and_defaults(function: Any) -> tuple[Any, ...]:
    """What a signature is made of."""
    plain = hidden_inputs.innermost(function)
    return tuple(getattr(plain, name, None) for name in ("__code__", "__defaults__", "__kwdefaults__"))


def signature_of(function: Any) -> inspect.Signature | None:
    """Its signature; None for a built-in without one."""
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def names_of_statics(signature: inspect.Signature | None, numbers: tuple[int, ...], names: tuple[str, ...], option: str = "static_arg") -> frozenset[str]:
    """The parameters that are static, by number or by name; or donated (`option`).

    Raises
    ------
    ArgumentValueError
        If the function has no such parameter.
    """
    found = set(names)
    numbered: set[str] = set()
    if numbers:
        rest = signature is not None and any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values())
        count = 0 if signature is None else sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in signature.parameters.values())
        positional = positional_names(signature, max(count, *numbers) + 1 if rest else count)
        for number in numbers:
            if not (-len(positional) <= number < len(positional) and (number >= 0 or not rest)):
                raise ArgumentValueError(f"Jitted function has {option}nums={numbers}, but only accepts {count} positional arguments.")
            numbered.add(positional[number])
    found |= numbered
    known = {*signature.parameters, *numbered} if signature else found
    takes_any = signature is None or any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())
    if not takes_any and (wrong := found - known):
        raise ArgumentValueError(f"Jitted function has invalid argnames {wrong} in {option}names. Function does not take these args.")
    return frozenset(found)
