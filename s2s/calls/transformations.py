"""The table of transformations: each is one entry, and the module of `s2s.transforms` that its rewrite calls.

The API, the command line, the names and titles of emitted modules and what a call inside of a user's function does follow from it.
"""
from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from s2s import host_devices
from s2s.calls import checks, making, on_devices
from s2s.calls.rewrite import Rewrite, Stage
from s2s.calls.transformed import Transformed
from s2s.outside import Access, Guard
from s2s.transformation import Calling, Step, Transformation
from s2s.transforms.batching import axes
from s2s.transforms.derivatives.differentiable import check_forward_dtype, resolve_argnums
from s2s.tree_util import tree_leaves

if TYPE_CHECKING:
    from s2s.transforms.ir.staged import Staged
    from s2s.types import Var


ALL = -1
"""Of pmap: all devices of the process."""
COUNT_OF_DEVICES = Access((("object", host_devices), ("attribute", "COUNT")))


def programs() -> Any:
    """The modules of the rewrites: as long to import as all that a call needs which the cache answers, and not needed by it."""
    from s2s.transforms.batching import shards, vmap
    from s2s.transforms.checkpoints import checkpoint, snapshots
    from s2s.transforms.derivatives import custom, derive, jacobian, linearize

    return SimpleNamespace(checkpoint=checkpoint, custom=custom, derive=derive, jacobian=jacobian, linearize=linearize, shards=shards, snapshots=snapshots, vmap=vmap)


# ---- how a step's Rewrite is made ------------------------------------------------------------------------------------------


def _jit(step: Transformation, part: int) -> Rewrite:
    return Rewrite(step, part, {}, None)


def _gradient(step: Transformation, part: int, *, argnums: Any, has_aux: bool, holomorphic: bool, allow_int: bool) -> Rewrite:
    """grad, value_and_grad."""
    numbers = checks.check_argnums(step.name, argnums)

    def check(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        for each in _chosen(numbers, args):
            checks.check_differentiable(step.name, each, allow_int=allow_int, holomorphic=holomorphic)

    def apply(staged: Staged, args: tuple[Any, ...]) -> Staged:
        made: Staged = programs().derive.grad(
            staged, argnums=resolve_argnums(numbers, len(args)), has_aux=has_aux, value=step is VALUE_AND_GRAD, allow_int=allow_int, holomorphic=holomorphic
        )
        return made

    return Rewrite(step, part, {"argnums": numbers, "has_aux": has_aux, "holomorphic": holomorphic, "allow_int": allow_int}, apply, check)


def _jacobian(step: Transformation, part: int, *, argnums: Any, **options: bool) -> Rewrite:
    """jacfwd, jacrev, hessian. Forward mode takes part in all but jacrev, which may be allowed integers."""
    numbers = checks.check_argnums(step.name, argnums)
    forward = "allow_int" not in step.options

    def check(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        for each in _chosen(numbers, args):
            checks.check_differentiable(step.name, each, allow_int=forward or options["allow_int"], holomorphic=options["holomorphic"])
            for leaf in tree_leaves(each) if forward else ():
                check_forward_dtype(step.name, checks.dtype_of(leaf), holomorphic=options["holomorphic"])

    def apply(staged: Staged, args: tuple[Any, ...]) -> Staged:
        made: Staged = getattr(programs().jacobian, step.name)(staged, argnums=resolve_argnums(numbers, len(args)), **options)
        return made

    return Rewrite(step, part, {"argnums": numbers, **options}, apply, check)


def _chosen(argnums: int | tuple[int, ...], args: tuple[Any, ...]) -> list[Any]:
    """The arguments that argnums name."""
    numbers = resolve_argnums(argnums, len(args))
    return [args[number] for number in ((numbers,) if isinstance(numbers, int) else numbers)]


def _jvp(step: Transformation, part: int, *, has_aux: bool) -> Rewrite:
    """Called with primals, then as many tangents."""

    def apply(staged: Staged, args: tuple[Any, ...]) -> Staged:
        made: Staged = programs().derive.jvp(staged, has_aux=has_aux)
        return made

    return Rewrite(step, part, {"has_aux": has_aux}, apply, staged_arguments=lambda args, kwargs: (args[: len(args) // 2], kwargs))


def _half(step: Transformation, part: int, *, has_aux: bool) -> Rewrite:
    """vjp, linearize: the forward sweep (part 0), or the function of its residuals that it is made for."""
    assert step.apart is not None
    apart = step.apart

    def apply(staged: Staged, args: tuple[Any, ...]) -> Staged:
        made: Staged = apart(staged, has_aux)[part]
        return made

    return Rewrite(step, part, {"has_aux": has_aux}, apply, takes_residuals=part == 1)


def _transpose(step: Transformation, part: int) -> Rewrite:
    def apply(staged: Staged, args: tuple[Any, ...]) -> Staged:
        made: Staged = programs().linearize.linear_transpose(staged)
        return made

    return Rewrite(step, part, {}, apply, takes_residuals=True)


def _vjp_apart(staged: Staged, has_aux: bool) -> tuple[Staged, Staged]:
    both: tuple[Staged, Staged] = programs().derive.vjp(staged, has_aux=has_aux)
    return both


def _linearize_apart(staged: Staged, has_aux: bool) -> tuple[Staged, Staged]:
    both: tuple[Staged, Staged] = programs().linearize.linearize(staged, has_aux=has_aux)
    return both


def _vmap(step: Transformation, part: int, *, in_axes: Any, out_axes: Any, axis_size: Any, axis_name: Any, names: tuple[str, ...]) -> Rewrite:
    """`names`: the function's parameters, for messages."""
    hash(axis_name)  # Python's TypeError
    ins, outs, size = axes.in_axes_of(in_axes), axes.out_axes_of(out_axes), axes.axis_size_of(axis_size)

    def check(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        axes.mapped_sizes(args, kwargs, axes.axes_of_arguments(ins, args, kwargs), size, names)

    def around(stage: Stage, params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Staged:
        vmap = programs().vmap
        made: Staged = vmap.vmap(stage, params, args, kwargs, vmap.Options(ins, outs, size, axis_name, names))
        return made

    return Rewrite(step, part, {"in_axes": ins, "out_axes": outs, "axis_size": size, "axis_name": axis_name}, None, check, around=around)


def _pmap(
    step: Transformation, part: int, *, in_axes: Any, out_axes: Any, axis_size: Any, axis_name: Any, names: tuple[str, ...], static: tuple[int, ...] | None, devices: int | None,
) -> Rewrite:
    """`static`: the positional arguments that are no arrays; `devices`: how many may be used, `ALL`: those of the process; None (the command line): any number."""
    hash(axis_name)  # Python's TypeError
    ins, outs, size = axes.axes_of("pmap", "in_axes", in_axes), axes.axes_of("pmap", "out_axes", out_axes), axes.axis_size_of(axis_size)
    statics = static or ()

    def check(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        on_devices.check_call(args, kwargs, ins, size, names, statics, how_many())

    def how_many() -> int | None:
        return host_devices.COUNT if devices == ALL else devices

    def around(stage: Stage, params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Staged:
        vmap = programs().vmap
        made: Staged = vmap.vmap(stage, params, args, kwargs, vmap.Options(ins, outs, size, axis_name, names, statics, how_many()))
        return vmap.guarded(made, Guard(COUNT_OF_DEVICES, how_many())) if devices == ALL else made

    options = {"in_axes": ins, "out_axes": outs, "axis_size": size, "axis_name": axis_name, "static": statics, "devices": devices}
    return Rewrite(step, part, options, None, check, around=around)


def _shard_map(step: Transformation, part: int, *, plan: Any) -> Rewrite:
    """`plan`: a `shards.Plan`."""

    def check(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        on_devices.check_blocks(args, kwargs, plan)

    def around(stage: Stage, params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Staged:
        on_devices.check_blocks(args, kwargs, plan)
        made: Staged = programs().shards.shard_map(stage, params, args, kwargs, plan)
        return made

    return Rewrite(step, part, {"plan": plan}, None, check, around=around)


# ---- the table -------------------------------------------------------------------------------------------------------------

_WRT = ("argnums", "has_aux", "holomorphic")


def _same(name: str, title: str, rewrite: Callable[..., Rewrite], *options: str, takes_objects: bool = True, on_devices: bool = False) -> Transformation:
    """An entry whose T(f) is called as f is."""
    return Transformation(name, (Step(name, title),), Calling.SAME, options, takes_objects, rewrite, None, on_devices)


def _other(name: str, calling: Calling, steps: tuple[Step, ...], rewrite: Callable[..., Rewrite], options: tuple[str, ...] = ("has_aux",), apart: Any = None) -> Transformation:
    return Transformation(name, steps, calling, options, takes_objects=False, rewrite=rewrite, apart=apart)


JIT = _same("jit", "", _jit, takes_objects=False)
GRAD = _same("grad", "Gradient", _gradient, *_WRT, "allow_int")
VALUE_AND_GRAD = _same("value_and_grad", "Value and gradient", _gradient, *_WRT, "allow_int")
JACFWD = _same("jacfwd", "Jacobian (forward mode)", _jacobian, *_WRT)
JACREV = _same("jacrev", "Jacobian (reverse mode)", _jacobian, *_WRT, "allow_int")
HESSIAN = _same("hessian", "Hessian", _jacobian, *_WRT)
JVP = _other("jvp", Calling.ALONG, (Step("jvp", "Value and derivative along tangents (jvp)"),), _jvp)
VJP = _other("vjp", Calling.PULLED, (Step("vjp_forward", "Value and pullback (vjp)"), Step("vjp_pullback", "Pullback (vjp)")), _half, apart=_vjp_apart)
LINEARIZE = _other(
    "linearize", Calling.LINEARIZED, (Step("linearize_forward", "Value and linear part (linearize)"), Step("linearize_pushforward", "Linear part (linearize)")),
    _half, apart=_linearize_apart,
)  # fmt: skip
VMAP = _same("vmap", "Batch", _vmap, "in_axes", "out_axes", "axis_size", "axis_name", "names")
PMAP = _same("pmap", "Parallel batch", _pmap, "in_axes", "out_axes", "axis_size", "axis_name", "names", "static", "devices", on_devices=True)
SHARD_MAP = _same("shard_map", "Blocks on a mesh", _shard_map, "plan")
LINEAR_TRANSPOSE = _other("linear_transpose", Calling.TRANSPOSED, (Step("linear_transpose", "Transpose"),), _transpose, ())

TABLE = {each.name: each for each in (JIT, GRAD, VALUE_AND_GRAD, JACFWD, JACREV, HESSIAN, JVP, VJP, LINEARIZE, LINEAR_TRANSPOSE, VMAP, PMAP)}
"""By name, in the order in which the command line shows them; shard_map, whose mesh is an object, is none of them."""


# ---- what is made of an entry ----------------------------------------------------------------------------------------------


def of(transformation: Transformation, fun: Callable[..., Any], part: int = 0, **options: Any) -> Transformed:
    """The transformed function; of a transformation with two halves one of them."""
    return making.transformed(fun, transformation.made(part, **options), making.options(fun))


def offered(transformation: Transformation) -> Callable[[Callable[..., Any]], Any]:
    """Marks a public function: the reader knows by this what its call inside of a user's function does, and `of` makes what it needs."""

    def mark(function: Any) -> Any:
        function.transformation = transformation
        function.of = partial(of, transformation)
        return function

    return mark


def public(transformation: Transformation) -> Any:
    """The public function of an entry for which none is written: T(fun, argnums=0, has_aux=False, …), as its options say."""
    options = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=0 if name == "argnums" else False) for name in transformation.options]
    signature = inspect.Signature([inspect.Parameter("fun", inspect.Parameter.POSITIONAL_OR_KEYWORD), *options])

    def transform(*args: Any, **kwargs: Any) -> Transformed:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return of(transformation, **bound.arguments)

    transform.__name__ = transform.__qualname__ = transformation.name
    transform.__doc__ = f"{transformation.steps[0].title} of a function."
    transform.__signature__ = signature  # type: ignore[attr-defined]
    return offered(transformation)(transform)
