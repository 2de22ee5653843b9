"""What a call gives or raises, and its arrays afterwards: a function's as against Python's own."""
from __future__ import annotations

import contextlib
import copy
import dataclasses
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import pytest

import s2s
from s2s.errors import S2SError, UnsupportedError


def shown(value: Any) -> tuple[type, Any]:
    """A value with the classes in it, in order: (its class, what it holds)."""
    if isinstance(value, dict):
        return type(value), [(shown(key), shown(item)) for key, item in value.items()]
    if isinstance(value, set):
        return set, sorted(map(shown, value), key=str)
    if isinstance(value, tuple | list):
        return type(value), [shown(item) for item in value]
    if isinstance(value, np.ndarray):
        return np.ndarray, [value.dtype, value.tolist()]
    if dataclasses.is_dataclass(value) or hasattr(value, "__dict__"):
        return type(value), shown(vars(value))
    return type(value), value


def outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[tuple[type, Any], list[Any]]:
    """The result as shown, or the class and words of what was raised; the arrays among the arguments afterwards. A refusal is raised."""
    args = copy.deepcopy(args)
    try:
        result = shown(function(*args))
    except UnsupportedError:
        raise
    except Exception as error:  # noqa: BLE001 whatever Python raises, s2s must raise it too
        result = next(cls for cls in type(error).__mro__ if not issubclass(cls, S2SError)), str(getattr(error, "what", error)).strip("'")
    return result, [each.tolist() for each in args if isinstance(each, np.ndarray)]


def same(one: Any, two: Any, *, types: bool = True) -> bool:
    """Whether two outcomes are one, floats to 1e-12. `types`: the classes of numbers, too."""
    if not types and isinstance(one, tuple) and isinstance(one[0], type) and np.isscalar(one[1]) and not isinstance(one[1], str):
        return bool(np.isclose(one[1], two[1], rtol=1e-12))
    if isinstance(one, tuple | list):
        return type(one) is type(two) and len(one) == len(two) and all(same(a, b, types=types) for a, b in zip(one, two, strict=True))
    return one == two or isinstance(one, float) and bool(np.isclose(one, two, rtol=1e-12, equal_nan=True))


def check(program: Callable[..., Any], target: str, arguments: tuple[tuple[Any, ...], ...], refused: Collection[str], other_type: Collection[str] = ()) -> None:
    """A program does as in Python for all arguments; or it is refused at a line of its own file. `other_type`: where a number's class may be another one."""
    run = s2s.jit(program, target=target)
    for args in arguments:
        if program.__name__ in refused:
            with pytest.raises(UnsupportedError) as caught:
                run(*copy.deepcopy(args))
            assert caught.value.where is not None and caught.value.where.file in (program.__code__.co_filename, contextlib.__file__)  # whose decorator is read as any function
            return
        found, wanted = outcome(run, args), outcome(program, args)
        assert same(found, wanted, types=program.__name__ not in other_type), f"{found} instead of {wanted}"
