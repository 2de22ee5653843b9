"""Functions whose derivatives are given by rules: custom_jvp, custom_vjp, custom_gradient, linear_call, custom_transpose, closure_convert.

    @s2s.custom_jvp                           the function and its rules are source, read and written out
    def log1pexp(x): …                        like any other: grad(log1pexp) calls what defjvp was given

The signatures and conventions are JAX's. Called as they are, these objects run the plain Python function; inside of
`jit`, `grad`, … they are read (`transforms/read/rules/custom.py`), and their rules answer instead of their bodies
(`transforms/derivatives/custom.py`).
"""
from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from s2s.api.ruled import Ruled
from s2s.errors import MissingRuleError, UnsupportedError
from s2s.tree_util import tree_map

__all__ = [
    "CustomVJPPrimal", "SymbolicZero", "closure_convert", "custom_gradient", "custom_jvp", "custom_transpose", "custom_vjp",
    "custom_vjp_primal_tree_values", "linear_call", "stop_gradient",
]  # fmt: skip


def name_of(function: Any) -> str:
    """A function's name for messages."""
    return getattr(function, "__name__", type(function).__name__)


def _numbers(fun: Callable[..., Any], argnums: Sequence[int], argnames: Sequence[str]) -> tuple[int, ...]:
    """The positions of arguments without a derivative, those given by name too."""
    numbers = {int(number) for number in ((argnums,) if isinstance(argnums, int) else argnums)}
    names = (argnames,) if isinstance(argnames, str) else tuple(argnames)
    if names:
        known = list(inspect.signature(fun).parameters)
        for name in names:
            if name not in known:
                raise ValueError(f"nondiff_argnames names {name!r}, which is no parameter of {name_of(fun)}")
            numbers.add(known.index(name))
    return tuple(sorted(numbers))


@dataclass
class CustomVJPPrimal:
    """An argument's leaf as fwd gets it where `defvjp` was called with symbolic_zeros."""

    value: Any
    perturbed: bool


def _rule(name: str) -> Callable[..., Any]:
    """What makes the rule of a program's function: the class of this name in transforms/derivatives/custom.py."""

    def make(function_name: str, fixed: tuple[bool, ...]) -> Any:
        from s2s.transforms.derivatives import custom  # not needed by a call that the cache answers

        return getattr(custom, name)(function_name, fixed)

    return make


class custom_jvp(Ruled):  # noqa: N801 - JAX's name
    """A function with a rule of its own for forward mode, from which reverse mode follows by transposition.

    Parameters
    ----------
    fun
        The function. Calls of it are differentiated by the rule that `defjvp` or `defjvps` sets.
    nondiff_argnums, nondiff_argnames
        Arguments that are not differentiated: functions, strings, any Python value. The rule gets them first, one by one.

    Raises
    ------
    AttributeError
        The function is called and no rule was set.
    TypeError
        While differentiating: the rule returns something else than a pair of outputs and their tangents, tangents of another
        structure, shape or dtype than the outputs', or (in reverse mode) tangents that are not linear in those that it got.

    Example
    -------
    >>> import numpy as np
    >>> import s2s
    >>> @s2s.custom_jvp
    ... def log1pexp(x):
    ...     return np.log(1.0 + np.exp(x))
    >>> @log1pexp.defjvp
    ... def log1pexp_jvp(primals, tangents):
    ...     x, = primals
    ...     x_dot, = tangents
    ...     return log1pexp(x), (1.0 - 1.0 / (1.0 + np.exp(x))) * x_dot
    >>> print(s2s.grad(log1pexp)(100.0))        # the derivative of the body is inf / inf there
    1.0
    """

    derivative_rule = staticmethod(_rule("CustomJvp"))

    def __init__(self, fun: Callable[..., Any], nondiff_argnums: Sequence[int] = (), nondiff_argnames: Sequence[str] = ()) -> None:
        super().__init__(fun)
        self.nondiff_argnums = _numbers(fun, nondiff_argnums, nondiff_argnames)
        self.jvp: Callable[..., Any] | None = None
        self.jvps: tuple[Callable[..., Any] | None, ...] | None = None
        self.symbolic_zeros = False

    def defjvp(self, jvp: Callable[..., Any], symbolic_zeros: bool = False) -> Callable[..., Any]:
        """Set the rule: jvp(*nondiff arguments, primals, tangents) -> (outputs, their tangents). Returns `jvp`: use it as a decorator.

        `symbolic_zeros` is accepted; tangents that are zero are then arrays of zeros all the same.
        """
        self.jvp, self.jvps, self.symbolic_zeros = jvp, None, symbolic_zeros
        return jvp

    def defjvps(self, *jvps: Callable[..., Any] | None) -> None:
        """Set a rule for each argument: jvp(tangent, output, *primals) -> its share of the output's tangent; None for a share of zero."""
        if self.nondiff_argnums:
            raise TypeError("Can't use ``defjvps`` with ``nondiff_argnums``.")
        self.jvp, self.jvps, self.symbolic_zeros = None, jvps, False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.jvp is None and self.jvps is None:
            raise MissingRuleError(f"No JVP defined for custom_jvp function {name_of(self)} using defjvp.")
        return self.fun(*args, **kwargs)


class custom_vjp(Ruled):  # noqa: N801 - JAX's name
    """A function with rules of its own for reverse mode. Forward mode of it raises TypeError.

    Parameters
    ----------
    fun
        The function. Calls of it are differentiated by the pair of functions that `defvjp` sets.
    nondiff_argnums, nondiff_argnames
        Arguments that are not differentiated. fwd gets them where the function does, bwd gets them first.

    Raises
    ------
    AttributeError
        The function is called and no rules were set.
    TypeError, ValueError
        While differentiating: fwd returns no pair, or outputs of another structure or type than the function's; bwd returns
        something else than a tuple with a cotangent for each differentiated argument, of its structure, shape and dtype.

    Example
    -------
    >>> from functools import partial
    >>> import numpy as np
    >>> import s2s
    >>> @partial(s2s.custom_vjp, nondiff_argnums=(0,))
    ... def clip_gradient(limit, x):
    ...     return x
    >>> def clip_gradient_fwd(limit, x):
    ...     return x, None
    >>> def clip_gradient_bwd(limit, _, g):
    ...     return (np.clip(g, -limit, limit),)
    >>> clip_gradient.defvjp(clip_gradient_fwd, clip_gradient_bwd)
    >>> def loss(x):
    ...     return 100.0 * clip_gradient(0.5, x)
    >>> print(s2s.grad(loss)(1.0))
    0.5
    """

    derivative_rule = staticmethod(_rule("CustomVjp"))
    primal = CustomVJPPrimal

    def __init__(self, fun: Callable[..., Any], nondiff_argnums: Sequence[int] = (), nondiff_argnames: Sequence[str] = ()) -> None:
        super().__init__(fun)
        self.nondiff_argnums = _numbers(fun, nondiff_argnums, nondiff_argnames)
        self.fwd: Callable[..., Any] | None = None
        self.bwd: Callable[..., Any] | None = None
        self.symbolic_zeros = False

    def defvjp(self, fwd: Callable[..., Any], bwd: Callable[..., Any], symbolic_zeros: bool = False, optimize_remat: bool = False) -> None:
        """Set the rules: fwd(*args) -> (output, residuals) and bwd(*nondiff arguments, residuals, output's cotangent) -> a tuple with
        a cotangent for each other argument; None stands for zeros.

        With `symbolic_zeros` fwd gets `CustomVJPPrimal`s, all of them `perturbed`, and cotangents that are zero are arrays of
        zeros all the same. `optimize_remat` is accepted: fwd is never run where the function will do.
        """
        if symbolic_zeros and optimize_remat:
            raise NotImplementedError("remat optimization for custom_vjp does not support symbolic zeros")
        self.fwd, self.bwd, self.symbolic_zeros = fwd, bwd, symbolic_zeros

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.fwd is None or self.bwd is None:
            raise MissingRuleError(f"No VJP defined for custom_vjp function {name_of(self)} using defvjp.")
        return self.fun(*args, **kwargs)


class custom_gradient(Ruled):  # noqa: N801 - JAX's name
    """A function that returns its value and, beside it, the function that pulls a cotangent of the value back.

    The second function may use whatever the first one computed. It returns a tuple of cotangents, or the only one.

    Example:
    -------
    >>> import s2s
    >>> @s2s.custom_gradient
    ... def square(x):
    ...     return x ** 2, lambda g: (g * x,)       # half of the true derivative, to see which is used
    >>> print(square(3.0), s2s.grad(square)(3.0))
    9.0 3.0
    """

    nondiff_argnums = ()
    derivative_rule = staticmethod(_rule("CustomVjp"))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        value, _ = self.fun(*args, **kwargs)
        return value


class custom_transpose(Ruled):  # noqa: N801 - JAX's name
    """A function fun(residuals, linear) that is linear in its second argument, with a function of its own as its transpose.

    `def_transpose(transpose)` sets transpose(residuals, cotangent of the output) -> cotangent of `linear`; it can be used as
    a decorator. Called as f(residuals, linear), or f(out_types, residuals, linear), of which the first is not looked at.

    Example:
    -------
    >>> import s2s
    >>> @s2s.custom_transpose
    ... def divide(r, x):
    ...     return x / r
    >>> @divide.def_transpose
    ... def divide_transpose(r, t):
    ...     return 2.0 * t / r                      # twice the true one, to see which is used
    >>> print(s2s.grad(lambda x: divide(4.0, x))(1.0), s2s.jvp(lambda x: divide(4.0, x), (1.0,), (1.0,))[1])
    0.5 0.25
    """

    derivative_rule = staticmethod(_rule("Linear"))

    def __init__(self, fun: Callable[..., Any]) -> None:
        super().__init__(fun)
        self.transpose: Callable[..., Any] | None = None

    def def_transpose(self, transpose: Callable[..., Any]) -> Callable[..., Any]:
        """Set the transpose; returns it."""
        self.transpose = transpose
        return transpose

    def __call__(self, *args: Any) -> Any:
        if self.transpose is None:
            raise MissingRuleError(f"No transpose defined for custom_transpose function {name_of(self)} using def_transpose.")
        return self.fun(*args[-2:])


def linear_call(fun: Callable[..., Any], fun_transpose: Callable[..., Any], residual_args: Any, linear_args: Any) -> Any:
    """fun(residual_args, linear_args), a function that is linear in `linear_args` and whose transpose is `fun_transpose`.

    fun_transpose(residual_args, cotangent of the output) -> cotangent of `linear_args`. The transpose of the transpose is `fun`.

    Example:
    -------
    >>> import s2s
    >>> def scaled(x):
    ...     return s2s.linear_call(lambda r, x: x / r, lambda r, t: t / r, 4.0, x)
    >>> print(s2s.grad(scaled)(1.0))
    0.25
    """
    del fun_transpose
    return fun(residual_args, linear_args)


class custom_solver(custom_jvp):  # noqa: N801 - as its like
    """A function fun(given, b), linear in b, with a rule for forward mode (`defjvp`), which may call the function of a tangent, and a transpose
    (`def_transpose`), as that of custom_transpose: what `lax.custom_linear_solve` is made of.
    """

    derivative_rule = staticmethod(_rule("Solving"))
    transpose: Callable[..., Any] | None = None
    def_transpose = custom_transpose.def_transpose


linear_call.derivative_rule = custom_transpose.derivative_rule  # type: ignore[attr-defined]


def closure_convert(fun: Callable[..., Any], *example_args: Any) -> tuple[Callable[..., Any], list[Any]]:
    """`fun` without what it captures: (converted, captured), so that converted(*args, *captured) is fun(*args).

    Captured are the run-time floats that `fun` sees of the functions around it: passed as arguments, they can be
    differentiated by custom rules of a function that takes `converted`. In plain Python nothing is captured.

    Example:
    -------
    >>> import s2s
    >>> def twice(f, x):
    ...     converted, captured = s2s.closure_convert(f, x)
    ...     return converted(x, *captured) + converted(x, *captured)
    >>> print(s2s.grad(lambda w: twice(lambda x: w * x, 3.0))(2.0))
    6.0
    """
    del example_args
    return fun, []


def stop_gradient(x: Any) -> Any:
    """`x`, of which derivatives are zero: a container, array or number; integers and all else pass as they are.

    Example:
    -------
    >>> import numpy as np
    >>> import s2s
    >>> def rounded(x):                             # rounds, with the derivative of the identity
    ...     return x + s2s.stop_gradient(np.round(x) - x)
    >>> print(rounded(1.7), s2s.grad(rounded)(1.7))
    2.0 1.0
    """
    return x


class SymbolicZero:
    """JAX's class of zeros without storage. Rules that ask `type(t) is SymbolicZero` are told no: zeros are arrays here."""

    def __init__(self) -> None:
        raise UnsupportedError("a SymbolicZero can't be made", instead="return None from bwd, or zeros")


def custom_vjp_primal_tree_values(tree: Any) -> Any:
    """The tree with each CustomVJPPrimal replaced by its value."""
    return tree_map(lambda leaf: leaf.value, tree, is_leaf=lambda leaf: isinstance(leaf, CustomVJPPrimal))
