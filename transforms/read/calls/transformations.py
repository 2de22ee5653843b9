"""s2s's own functions inside the user's code: grad(f)(x), jvp(f, (x,), (x_dot,)), vjp(f, x), tree_util.tree_map.

    s2s.grad(loss)(params, x)      ->   a call of the gradient's program, as of any helper function
    out, pull = s2s.vjp(f, x)      ->   a call of the forward half; pull(out_bar), a call of the other half with what the first one kept

`CALLED` says what is done for each kind of transformation, `HANDLERS` for other functions of s2s, `OBJECTS` for calls of s2s's own callable objects that have no program
of their own (`stage`).
"""
from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

from s2s.errors import ArgumentTypeError
from s2s.hidden import is_transformed
from s2s.transformation import Calling, Transformation
from s2s.transforms.ir.staged import Staged
from s2s.transforms.read.callables import FUNCTIONS, Applied, Derived, SecondHalf, half_of
from s2s.transforms.read.calls import callbacks, custom_batching, host, naming, shapes, trees, vectorized
from s2s.transforms.read.calls.helpers import append_call, unpacked
from s2s.transforms.read.calls.hidden import residuals_of, whole
from s2s.transforms.read.calls.lifted import Lifted, Passed, name_of
from s2s.transforms.read.calls.numba_functions import ELEMENTWISE, call_elementwise
from s2s.transforms.read.calls.signatures import Signature
from s2s.transforms.read.calls.staged_calls import (
    append,
    call_staged,
    helper_of,
    holds_passed,
    key_of_staged,
    passed,
    placed,
    prepare,
    snapshots,
)
from s2s.transforms.read.describing import describe
from s2s.transforms.read.flow import matching
from s2s.transforms.read.names import Table
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.rules import custom
from s2s.transforms.read.rules.checkpoint import call_checkpoint_name
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.values import (
    Abstract,
    DictRef,
    ListRef,
    ObjectRef,
    Outside,
    SetRef,
    Steps,
    View,
    is_number,
    is_runtime,
    number_literal,
    remake,
)
from s2s.types import is_float

Handler = Callable[[Reader, Any, tuple[Abstract, ...], dict[str, Abstract]], Abstract]


def is_transformation(function: Any) -> bool:
    """Whether a function is one of s2s's that may be called in the user's code."""
    module = _module_of(function)
    return module.startswith("s2s.") and (_handler_of(function) is not None or module.startswith("s2s.api.") and isinstance(function, FunctionType))


def _module_of(function: Any) -> str:
    """Where a function was defined: what `functools.wraps` makes has the `__module__` and the name of what it wraps."""
    return str((function.__globals__.get("__name__") if isinstance(function, FunctionType) else getattr(function, "__module__", "")) or "")


def _handler_of(function: Any) -> Handler | None:
    transformation = getattr(function, "transformation", None)
    if isinstance(transformation, Transformation):
        return CALLED[transformation.calling]
    return HANDLERS.get(function)


def call_transformation(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """function(*args, **kwargs) for such a function."""
    handler = _handler_of(function)
    if handler is None:
        raise reader.unsupported(f"s2s.{function.__name__} inside a function that is read", "call it outside of the function")
    return handler(reader, function, args, kwargs)


def handler_of_object(thing: Any) -> Handler | None:
    """What calls an object of one of s2s's classes, or one that numba.vectorize made; None for other objects."""
    cls = type(thing)
    return OBJECTS.get(cls.__name__) if cls.__module__.startswith("s2s.") or cls.__module__ == ELEMENTWISE else None


# ---- functions made of functions -----------------------------------------------------------------------------------------


def make(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """jit(f, …), grad(f, …), …: a function; without f (jit, checkpoint) a decorator."""
    fun, args, kwargs = _function_first(reader, function, args, kwargs)
    if fun is None:
        return Applied(function, (), kwargs)
    args, kwargs = tuple(static(reader, function, arg) for arg in args), {key: static(reader, function, arg) for key, arg in kwargs.items()}
    thing, steps = thing_of(reader, fun)
    with placed(reader):
        made = function(thing, *args, **kwargs)
    if isinstance(getattr(made, "root", thing), Lifted):
        return Derived(function, args, kwargs, fun)
    return Outside(made, steps)  # what grad(f) reaches, f reaches


def _function_first(
    reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]
) -> tuple[Abstract, tuple[Abstract, ...], dict[str, Abstract]]:
    """The function that is transformed (None: not given yet), and the other arguments."""
    if args:
        fun, args = args[0], args[1:]
    else:
        kwargs = dict(kwargs)
        fun = kwargs.pop("fun", kwargs.pop("f", None))
    if fun is None and next(iter(inspect.signature(function).parameters.values())).default is not None:
        raise TypeError(f"{function.__name__}() missing 1 required positional argument: 'fun'")
    if fun is not None and not is_function(fun):
        raise ArgumentTypeError(f"Expected a callable value, got {describe(reader, fun)}", where=reader.builder.where, why=f"it is given to s2s.{function.__name__}")
    return fun, args, kwargs


def is_function(value: Abstract) -> bool:
    """Whether it can be called."""
    if isinstance(value, FUNCTIONS):
        return True
    if isinstance(value, ObjectRef):
        return call_method(value.kind) is not None
    return callable(value.object if isinstance(value, Outside) else value) and not is_runtime(value)


def call_method(cls: type) -> Any:
    """What a user's class defines as `__call__`; None if it does not."""
    method = inspect.getattr_static(cls, "__call__", None)
    return method if isinstance(method, FunctionType) else None


def static(reader: Reader, function: Any, value: Abstract) -> Any:
    """An option of a transformation as a Python object: it must be known while reading."""
    if isinstance(value, ListRef):
        return [static(reader, function, item) for item in reader.heap[value]]
    if isinstance(value, tuple):
        return remake(value, [static(reader, function, item) for item in value])
    if isinstance(value, DictRef):
        return {key: static(reader, function, item) for key, item in reader.heap[value].items()}
    if is_runtime(value):
        raise reader.unsupported(f"an option of s2s.{function.__name__} that is known only at run time", "a constant")
    return whole(reader, value)


def thing_of(reader: Reader, fun: Abstract) -> tuple[Any, Steps | None]:
    """A Python object that can be staged for a function, and the steps to it."""
    if isinstance(fun, Derived):
        return fun.maker(thing_of(reader, fun.function)[0], *fun.args, **fun.kwargs), ()
    if isinstance(fun, Outside) and (is_transformed(fun.object) or hasattr(fun.object, "__code__")):
        return fun.object, (("object", fun.object),) if fun.steps is None else fun.steps
    return Lifted(reader, fun), ()


def call_derived(reader: Reader, function: Derived, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of grad(f), jit(f), … of a function that exists only while reading."""
    thing, steps = thing_of(reader, function)
    return _call_thing(reader, thing, steps, args, kwargs)


def call_made(reader: Reader, function: Outside, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of jit(f), grad(f), … of a function outside."""
    args = tuple(passed(reader, arg, nodes=True) for arg in args)
    kwargs = {key: passed(reader, arg, nodes=True) for key, arg in kwargs.items()}
    made = function.object
    if holds_passed((*args, *kwargs.values())):  # a function with values of this program: all must be read as part of it
        made = _remade(made, Lifted(reader, Outside(made.root, function.steps)))
        return _call_thing(reader, made, (), args, kwargs)
    return _call_thing(reader, made, function.steps, args, kwargs)


def _remade(made: Any, root: Lifted) -> Any:
    """The same transformations of another function."""
    inner = root if made.inner is None else _remade(made.inner, root)
    return type(made)(inner, made.rewrite, made.options)


def _call_thing(reader: Reader, made: Any, steps: Steps | None, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    args = tuple(passed(reader, arg, nodes=True) for arg in args)
    kwargs = {key: passed(reader, arg, nodes=True) for key, arg in kwargs.items()}
    marked, named = made.mark_static(args, kwargs, made.static_names) if getattr(made, "static_names", ()) else (args, kwargs)
    args = tuple(_argument(reader, made, arg, other is not arg) for arg, other in zip(args, marked, strict=True))
    kwargs = {key: _argument(reader, made, arg, named[key] is not arg) for key, arg in kwargs.items()}
    return call_staged(reader, made, steps, args, kwargs)


def _argument(reader: Reader, made: Any, value: Abstract, is_static: bool) -> Abstract:
    if not is_static:
        return with_atoms(reader, value)
    if is_runtime(value):
        raise ArgumentTypeError(
            f"a static argument of {made.name} is {describe(reader, value)}", where=reader.builder.where,
            why="the program is built on its value, so it must be known while the function around is read", instead="make it no static argument",
        )  # fmt: skip
    return value


def with_atoms(reader: Reader, value: Abstract) -> Abstract:
    """Floats known while reading as run-time ones: derivatives are taken with respect to them. Containers stay what they are and hold such ones."""
    if isinstance(value, tuple):
        return remake(value, [with_atoms(reader, item) for item in value])
    if isinstance(value, ListRef) and isinstance(content := reader.heap[value], tuple):
        reader.heap[value] = tuple(with_atoms(reader, item) for item in content)
    elif isinstance(value, DictRef | ObjectRef) and not isinstance(value, SetRef):
        reader.heap[value] = {key: with_atoms(reader, item) for key, item in reader.heap[value].items()}
    return number_literal(value) if is_number(value) and is_float(number_literal(value).type.dtype) else value


# ---- jvp, vjp ----------------------------------------------------------------------------------------------------------------


def _primal(reader: Reader, value: Abstract) -> Abstract:
    found = passed(reader, value)
    if isinstance(found, Passed) and isinstance(found.value, ObjectRef):
        raise reader.unsupported(f"{describe(reader, found.value)} as an argument of jvp, vjp, linearize or linear_transpose inside of a function", "a tuple or dict of its arrays, or grad or jacfwd")
    return with_atoms(reader, found)


def call_jvp(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """jvp(f, primals, tangents) is a call of f's jvp program with the primals, then the tangents."""
    fun, args, kwargs = _function_first(reader, function, args, kwargs)
    given = dict(zip(("primals", "tangents", "has_aux"), args, strict=False)) | kwargs
    has_aux = bool(static(reader, function, given.get("has_aux", False)))
    primals, tangents = (_items(reader, given.get(name)) for name in ("primals", "tangents"))
    thing, steps = thing_of(reader, fun)
    made = function.of(thing, has_aux=has_aux)
    primals = tuple(_primal(reader, primal) for primal in primals)

    def stage(params: Any, real: tuple[Any, ...], named: dict[str, Any]) -> tuple[Staged, None]:
        return made.stage(params, (*real, *real), named), None

    prepared, leaves = prepare(reader, made, steps, primals, {}, key_of_staged(made), stage)
    own_trees = tuple(parameter.tree for parameter in prepared.staged.parameters[len(primals) :])
    matched = matching.leaves(reader, matching.JVP, own_trees, tangents, matching.shapes_of(reader, leaves))
    return append(reader, prepared, [*leaves, *matched], made)


def _items(reader: Reader, sequence: Abstract) -> tuple[Abstract, ...]:
    if isinstance(sequence, ListRef):
        return tuple(reader.heap[sequence])
    if isinstance(sequence, tuple):
        return sequence
    raise ArgumentTypeError(
        f"primal and tangent arguments to s2s.jvp must be tuples or lists; found {describe(reader, sequence)}.", where=reader.builder.where
    )


def call_apart(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """vjp(f, *primals), linearize(f, *primals): the first half is called here, the second half is a function that holds what the first kept."""
    fun, args, kwargs = _function_first(reader, function, args, kwargs)
    has_aux = bool(static(reader, function, kwargs.pop("has_aux", False)))
    if kwargs:
        raise ArgumentTypeError(f"s2s.{function.__name__}() got an unexpected keyword argument {next(iter(kwargs))!r}", where=reader.builder.where)
    thing, steps = thing_of(reader, fun)
    primals = tuple(_primal(reader, arg) for arg in args)

    def stage(params: Any, real: tuple[Any, ...], named: dict[str, Any]) -> tuple[Staged, Staged]:
        return function.transformation.apart(stage_primal(reader, thing, params, real, named), has_aux)

    key = (function.__name__, has_aux, key_of_staged(thing))
    prepared, leaves = prepare(reader, thing, steps, primals, {}, key, stage)
    assert prepared.second is not None
    out, kept, *aux = append(reader, prepared, leaves, thing)
    like = leaves if function.transformation.calling is Calling.LINEARIZED else runtime_leaves(reader, out)
    return out, SecondHalf(function, prepared.second, kept, matching.shapes_of(reader, like)), *aux


def runtime_leaves(reader: Reader, value: Abstract) -> list[Abstract]:
    """The arrays and run-time scalars in a value."""
    signature = Signature(reader)
    signature.key(with_atoms(reader, value))
    return signature.leaves


def call_linear_transpose(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """linear_transpose(f, *primals): a function that holds the arguments' sizes, and what f reads besides them."""
    fun, args, kwargs = _function_first(reader, function, args, kwargs)
    if kwargs:
        raise ArgumentTypeError(f"s2s.linear_transpose() got an unexpected keyword argument {next(iter(kwargs))!r}", where=reader.builder.where)
    thing, steps = thing_of(reader, fun)
    made = function.of(thing)
    primals = tuple(_primal(reader, arg) for arg in args)
    prepared, leaves = prepare(reader, made, steps, primals, {}, key_of_staged(made), lambda *given: (made.stage(*given), None))
    lengths = [load(reader, leaf).shape if isinstance(leaf, View) else () for leaf in leaves]
    sizes = {own: dim for param, shape in zip(prepared.params, lengths, strict=True) for own, dim in zip(param.type.shape, shape, strict=True)}
    return SecondHalf(function, prepared.staged, tuple(sizes[var] for var in prepared.staged.parameters[0].tree), None, snapshots(reader, prepared, made))


def stage_primal(reader: Reader, thing: Any, params: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Staged:
    """The program of the function itself."""
    return thing.stage(params, args, kwargs) if is_transformed(thing) else reader.rules.program(thing, params, args, kwargs)


def call_second_half(reader: Reader, function: SecondHalf, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of a pullback or of a linearized function."""
    program = function.program
    rest = program.parameters[1:]
    if kwargs or len(args) != len(rest):
        raise ArgumentTypeError(
            f"the function that s2s.{function.maker.__name__} returned takes {len(rest)} positional arguments, but was called with "
            f"{len(args) + len(kwargs)}", where=reader.builder.where,
        )  # fmt: skip
    bars = matching.leaves(reader, matching.RULES[function.maker.transformation.calling], tuple(parameter.tree for parameter in rest), args, function.shapes)
    helper = helper_of(program, (), (), len(program.function.params))
    if not program.function.body.nodes and not program.function.body.results:
        return unpacked(reader, helper.result, [])
    return append_call(reader, helper, [*function.kept, *bars, *function.hidden])


def call_outside_half(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of what s2s.vjp or s2s.linearize returned outside of the function that is read: its residuals are hidden inputs."""
    return call_second_half(reader, half_of(function.object, residuals_of(reader, function)), args, kwargs)


def call_compiled(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of what `jit(f).lower(…).compile()` gave: JAX's TypeError."""
    raise ArgumentTypeError(
        "Cannot apply s2s's transformations to a function lowered and compiled for a particular signature.", where=reader.builder.where, instead="a call of the jitted function itself",
    )  # fmt: skip


# ---- tables ------------------------------------------------------------------------------------------------------------------

HANDLERS: Table[Handler] = Table({
    **callbacks.HANDLERS, **naming.HANDLERS, **host.HANDLERS, **custom.HANDLERS, **custom_batching.HANDLERS, **shapes.HANDLERS, **trees.HANDLERS, "s2s.numpy.vectorize": vectorized.vectorize, "s2s.api.vectorize.applied": partial(vectorized.call, make),
    "s2s.checkpoint": make, "s2s.ad_checkpoint.checkpoint_name": call_checkpoint_name,
})  # fmt: skip
"""What a call of a function of s2s does in the code that is read: handler(reader, function, args, kwargs)."""

CALLED: dict[Calling, Handler] = {
    Calling.SAME: make, Calling.ALONG: call_jvp, Calling.PULLED: call_apart, Calling.LINEARIZED: call_apart, Calling.TRANSPOSED: call_linear_transpose,
}  # fmt: skip
"""What a call of a transformation does, by how it is called."""

OBJECTS: dict[str, Handler] = {**custom.OBJECTS, **custom_batching.OBJECTS, "Vectorized": partial(vectorized.call_object, make), "DUFunc": partial(call_elementwise, make), "SecondHalf": call_outside_half, "Compiled": call_compiled}
"""What a call of an object of s2s's (by its class's name) does: handler(reader, Outside(object), args, kwargs)."""

__all__ = ["HANDLERS", "OBJECTS", "call_derived", "call_made", "call_second_half", "call_transformation", "is_transformation", "name_of"]
