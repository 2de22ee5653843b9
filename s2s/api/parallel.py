"""pmap."""
from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterable, Sequence
from math import inf
from typing import Any

from s2s.api.jit import Jitted
from s2s.calls import making
from s2s.calls.signature import signature_of
from s2s.calls.transformations import ALL, PMAP, offered
from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.host_devices import Device


@offered(PMAP)
def pmap(
    fun: Callable[..., Any],
    axis_name: Hashable | None = None,
    *,
    in_axes: Any = 0,
    out_axes: Any = 0,
    static_broadcasted_argnums: int | Iterable[int] = (),
    devices: Sequence[Device] | None = None,
    backend: str | None = None,
    axis_size: int | None = None,
    donate_argnums: int | Iterable[int] = (),
) -> Jitted:
    """`fun` for a batch of arguments, an example for each device: the same numbers as `vmap`, for at most as many examples as there are devices.

    Parameters
    ----------
    fun
        A function of arrays, numbers and containers of them: what each device runs.
    axis_name
        A name for the mapped axis, by which `s2s.lax`'s collectives find it.
    in_axes, out_axes
        As vmap's: which axis of each argument, and of the results, stands for the devices. Keyword arguments are mapped over axis 0.
    static_broadcasted_argnums
        Positional arguments on whose values the program is built: all devices get them.
    devices
        Those that may be used, as `s2s.devices()` gives them. None: all.
    backend
        None or "cpu".
    axis_size
        The number of examples; it must be that of the mapped arguments.
    donate_argnums
        Accepted: emitted code never gives up its caller's arrays.

    Returns
    -------
    A function of the same arguments with the axes added.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError
        in_axes or out_axes are no such specifications; when it is called: nothing is mapped, sizes differ, or there are more examples than devices (`s2s.local_device_count()`).

    >>> import numpy as np
    >>> from s2s import lax
    >>> share = pmap(lambda x: x / lax.psum(x, "i"), axis_name="i")
    >>> share(np.array([2.0]))
    array([1.])
    """
    if devices is not None and not len(devices):
        raise ArgumentValueError("'devices' argument to pmap must be non-empty, or None.")
    if not callable(fun):
        raise ArgumentTypeError(f"Expected a callable value, got {fun!r}")
    _check_backend(backend)
    making.numbers_of("donate_argnums", donate_argnums)
    static = making.numbers_of("static_broadcasted_argnums", static_broadcasted_argnums)
    if any(number < 0 for number in static):
        raise ArgumentValueError(f"static_broadcasted_argnums={static} counts from the end", instead="numbers that count from the front")
    signature = signature_of(fun)
    names = () if signature is None else tuple(signature.parameters)
    rewrite = PMAP.made(
        in_axes=in_axes, out_axes=out_axes, axis_size=axis_size, axis_name=axis_name, names=names, static=static, devices=ALL if devices is None else len(devices)
    )
    there = tuple(number for number in static if signature is None or number < _positional(signature))
    made: Any = making.transformed(fun, rewrite, making.options(fun, static_argnums=there), Jitted)
    return made


def _positional(signature: inspect.Signature) -> float:
    """How many positional arguments a function takes."""
    kinds = [parameter.kind for parameter in signature.parameters.values()]
    return inf if inspect.Parameter.VAR_POSITIONAL in kinds else sum(kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD) for kind in kinds)


def _check_backend(backend: str | None) -> None:
    if backend not in (None, "cpu"):
        raise RuntimeError(f"Unknown backend: {backend!r} requested, but no platforms that are instances of {backend} are present. Platforms present are: cpu")


__all__ = ["pmap"]
