"""jit."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from s2s.calls import making
from s2s.calls.checked import Checked
from s2s.calls.request import positional_names
from s2s.calls.transformations import JIT, offered
from s2s.calls.transformed import Transformed
from s2s.placement import check_arguments, check_placed, shardings_of
from s2s.tree_util import PyTreeDef, tree_flatten, tree_unflatten

Numbers = int | Iterable[int] | None
Strings = str | Iterable[str] | None


class Jitted(Transformed):
    """What `jit` makes: called like the function, and shown step by step."""

    donated: frozenset[str] = frozenset()
    """The parameters that may be given up, as far as the user is concerned."""
    inline: bool = False
    """Whether a jaxpr shows its calls as what they do."""

    def trace(self, *args: Any, **kwargs: Any) -> Any:
        """The function read for arguments of these types (arrays or ShapeDtypeStructs): `s2s.stages.Traced`."""
        from s2s import stages  # with all that reads

        return stages.trace(self, args, kwargs)

    def lower(self, *args: Any, **kwargs: Any) -> Any:
        """The module that is emitted for arguments of these types: `s2s.stages.Lowered`."""
        return self.trace(*args, **kwargs).lower()

    def eval_shape(self, *args: Any, **kwargs: Any) -> Any:
        """The result's container with a ShapeDtypeStruct for each array or number; nothing is computed."""
        return self.trace(*args, **kwargs).out_info


class Placed(Jitted):
    """What `jit` makes that is told how arrays shall lie: calls are checked for it."""

    shardings: tuple[PyTreeDef, tuple[Any, ...]]
    """The container (in_shardings, out_shardings) and its leaves."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._check_arguments(args, kwargs)
        result = super().__call__(*args, **kwargs)
        wanted = self._shardings()[1]
        if wanted is not None:
            check_placed("results of jit", result, wanted)
        return result

    def check_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Raise what JAX would raise for unusable arguments."""
        self._check_arguments(args, kwargs)
        super().check_call(args, kwargs)

    def _shardings(self) -> tuple[Any, Any]:
        given: tuple[Any, Any] = tree_unflatten(*self.shardings)
        return given

    def _check_arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        wanted = self._shardings()[0]
        if wanted is not None:
            names = positional_names(self.signature, len(args))
            free = {name: value for name, value in kwargs.items() if name not in self.static_names}
            check_arguments(wanted, tuple(arg for name, arg in zip(names, args, strict=True) if name not in self.static_names), free)


def _told_shardings(in_shardings: Any, out_shardings: Any) -> tuple[PyTreeDef, tuple[Any, ...]]:
    leaves, treedef = tree_flatten((shardings_of("jit", "in_shardings", in_shardings), shardings_of("jit", "out_shardings", out_shardings)), lambda leaf: leaf is None)
    return treedef, tuple(leaves)


@offered(JIT)
def jit(
    fun: Callable[..., Any] | None = None,
    /,
    *,
    in_shardings: Any = None,
    out_shardings: Any = None,
    static_argnums: Numbers = None,
    static_argnames: Strings = None,
    donate_argnums: Numbers = None,
    donate_argnames: Strings = None,
    keep_unused: bool = False,
    device: Any = None,
    backend: str | None = None,
    inline: bool = False,
    compiler_options: dict[str, Any] | None = None,
    target: str | None = None,
    compile: str | None = None,  # noqa: A002 (what it is about)
) -> Any:
    """A function that runs the Python that s2s emits for `fun`, compiled.

    Parameters
    ----------
    fun
        A NumPy function; its source is read when it is first called. Without it, jit makes a decorator.
    static_argnums, static_argnames
        Arguments on whose values the program is built (hashable; another value, another module). Of a method the object, `self`, is one
        without being named (unless its class is a container): its attributes are looked up at each call, and may change.
    donate_argnums, donate_argnames, keep_unused, inline
        What JAX may do, and need not: checked, and without effect. Arguments are used where they are, and stay valid.
    in_shardings, out_shardings
        Shardings (`s2s.sharding.NamedSharding`; or `PartitionSpec`s in the mesh of `set_mesh`) for the arguments and results, or containers of them that begin like these. Checked
        as in JAX, and without effect: arrays are whole and in one place.
    device, backend, compiler_options
        JAX's; anything but a CPU's device (backend="cpu") raises UnsupportedError.
    target
        "cpu" (loops, compiled by Numba) or "numpy" (array expressions, run as they are).
    compile
        "foreground": a first call waits for the compiler. "background": another process compiles, and NumPy runs the calls until it is
        done; derivatives of the function follow. Without it what the environment variable S2S_COMPILE says, else "foreground".

    Returns
    -------
    A function like `fun`: the same results, dtypes, exceptions and changes of its arguments. A new shape does not compile again.

    Raises
    ------
    SourceError, UnsupportedError
        When it is called: the source can't be found, or uses what s2s does not read (docs/supported.md).
    ArgumentTypeError, ArgumentValueError
        When it is called: an argument is no array, number or container of them; a static argument can't be hashed.

    >>> import numpy as np
    >>> @jit
    ... def total(x):
    ...     s = 0.0
    ...     for i in range(len(x)):
    ...         s += x[i] ** 2
    ...     return s
    >>> total(np.array([1.0, 2.0]))
    np.float64(5.0)
    """
    if fun is None:
        given = {name: value for name, value in locals().items() if name != "fun"}
        return lambda function: jit(function, **given)
    if isinstance(fun, Checked):
        given = {name: value for name, value in locals().items() if name != "fun"}
        return fun.jitted(lambda function: jit(function, **given))
    making.check_placement(device, backend, compiler_options)
    chosen = making.options(fun, target, static_argnums, static_argnames, compile)
    told: dict[str, Any] = {"inline": bool(inline)}
    kind: type[Jitted] = Jitted
    if in_shardings is not None or out_shardings is not None:
        kind, told["shardings"] = Placed, _told_shardings(in_shardings, out_shardings)
    if donate_argnums is not None or donate_argnames is not None:
        told["donated"] = making.donated(fun, donate_argnums, donate_argnames, chosen)
    return making.transformed(fun, JIT.made(), chosen, kind, told)
