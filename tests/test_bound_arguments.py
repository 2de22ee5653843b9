"""inspect.signature(f).bind(…) of arrays and numbers that only the run knows, as decorators of libraries use it."""
from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2s
from s2s.errors import UnsupportedError


def of_all_kinds(a: Any, b: Any = 2.0, *rest: Any, c: Any = 3.0, **more: Any) -> Any:
    return a.sum() + b + sum(each.sum() for each in rest) * c + sum(each.sum() for each in more.values())


class Layer:
    def apply(self, x: Any, scale: Any = 1.0) -> Any:
        return x * scale


def with_defaults(x: Any) -> Any:
    bound = inspect.signature(of_all_kinds).bind(x)
    before = tuple(bound.arguments), len(bound.args), tuple(bound.kwargs)
    bound.apply_defaults()
    return before, tuple(bound.arguments), bound.arguments["b"] * x, bound.arguments["rest"], len(bound.args), tuple(bound.kwargs)


def with_stars(x: Any) -> Any:
    bound = inspect.signature(of_all_kinds).bind(x, 1.0, x * 2, x * 3, c=4.0, q=x)
    return of_all_kinds(*bound.args, **bound.kwargs), len(bound.args), tuple(bound.kwargs), tuple(bound.arguments)


def partly(x: Any) -> Any:
    bound = inspect.signature(of_all_kinds).bind_partial(b=x)
    return bound.args == (), bound.kwargs["b"] * 2, tuple(bound.arguments)


def of_a_method(x: Any) -> Any:
    layer = Layer()
    bound = inspect.signature(layer.apply).bind(x, scale=x + 1)
    bound.arguments["scale"] = bound.arguments["scale"] * 2
    return layer.apply(*bound.args, **bound.kwargs), len(bound.args), bound.signature == inspect.signature(layer.apply)


def checked(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator that looks at the arguments by name."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            if np.ndim(value) > 1:
                raise ValueError(name)
        return function(*bound.args, **bound.kwargs)

    return wrapped


@checked
def weighed(u: Any, v: Any = 2.0, *, w: Any = 1.0) -> Any:
    return (u * v * w).sum()


def by_a_decorator(x: Any) -> Any:
    return weighed(x, w=3.0) + weighed(x, x)


def by_a_decorator_inside(x: Any) -> Any:
    @checked
    def product(u: Any, v: Any = 0.5) -> Any:
        return u * v

    return product(x) + product(v=x, u=x)


X = np.array([1.0, -2.0, 3.5])
FUNCTIONS = [with_defaults, with_stars, partly, of_a_method, by_a_decorator, by_a_decorator_inside]


def same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, tuple):
        return isinstance(found, tuple) and len(found) == len(wanted) and all(map(same, found, wanted))
    return bool(np.all(found == wanted))


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_is_bound(function: Any, target: str) -> None:
    assert same(s2s.jit(function, target=target)(X), function(X))


def test_derivatives_and_errors() -> None:
    np.testing.assert_allclose(s2s.grad(by_a_decorator)(X), 6.0 + 2 * X)

    def twice(x: Any) -> Any:
        return inspect.signature(of_all_kinds).bind(x, a=x)

    def too_deep(x: Any) -> Any:
        return weighed(x[None])

    for function, error, text in ((twice, TypeError, "multiple values for argument 'a'"), (too_deep, ValueError, "u")):
        for call in (function, s2s.jit(function, target="numpy")):
            with pytest.raises(error, match=text):
                call(X)


def test_what_is_refused() -> None:
    def given_back(x: Any) -> Any:
        return inspect.signature(of_all_kinds).bind(x)

    def with_a_list(x: Any, seen: Any = []) -> Any:  # noqa: B006 - what is tested
        return x

    def of_a_list(x: Any) -> Any:
        return inspect.signature(with_a_list).bind(x).args[0]

    for function, text in ((given_back, "returns what a signature binds"), (of_a_list, "a default that can be changed")):
        with pytest.raises(UnsupportedError, match=text):
            s2s.jit(function, target="numpy")(X)
