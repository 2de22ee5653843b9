"""Calls of functions with custom derivative rules: custom_jvp, custom_vjp, custom_gradient, custom_transpose, linear_call.

    @s2s.custom_jvp
    def f(x): …                      y = f(x)   ->   a call of f's program, whose `rule` holds the program of f_jvp
    @f.defjvp
    def f_jvp(primals, tangents): …

A rule may call the function itself: f's program is known before its rule is read. What only the rules read from outside
(global arrays) becomes parameters of f too: the rules are then read once more, with that f. A fault in a rule is kept
for whoever differentiates the function.
"""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

from s2s.errors import ArgumentTypeError, ArgumentValueError, MissingRuleError, S2SError
from s2s.outside import Access
from s2s.records import dataclass, field
from s2s.transforms.ir.program import Function
from s2s.transforms.ir.staged import Result
from s2s.transforms.primitives.structural import stop_gradient
from s2s.transforms.read.callables import FUNCTIONS, Closure, Converted, Method, Ruled, Slot
from s2s.transforms.read.calls.functions import DEPTH_LIMIT
from s2s.transforms.read.calls.helpers import Container, Helper, append_call
from s2s.transforms.read.calls.hidden import enter
from s2s.transforms.read.calls.lifted import Capture, signature_of
from s2s.transforms.read.describing import describe
from s2s.transforms.read.flow.binding import bind_closure, bind_python
from s2s.transforms.read.names import within
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.rules.rule_keys import RuleKey
from s2s.transforms.read.rules.rule_parts import Expected, Packer, Part, children_of, copied, mapped, title
from s2s.transforms.read.rules.rule_readers import READERS, Call
from s2s.transforms.read.storage.access import load, new_array
from s2s.transforms.read.storage.cells import note_made_of
from s2s.transforms.read.values import (
    Abstract,
    DictRef,
    ListRef,
    ObjectRef,
    OneOf,
    Outside,
    Ref,
    View,
    is_atom,
    is_number,
    number_literal,
    remake,
)
from s2s.types import is_float

RULES = {
    "custom_jvp": ("jvp", "jvps"), "custom_vjp": ("fwd", "bwd"), "custom_gradient": (), "custom_transpose": ("transpose",),
    "linear_call": ("transpose",), "custom_solver": ("jvp", "transpose"), "custom_vmap": ("vmap_rule",),
}  # fmt: skip
"""The rules that an object of each class holds."""

PYTHON_ERRORS = (TypeError, ValueError, LookupError, AttributeError, NameError, ArithmeticError)
"""What Python itself would raise in a rule."""


# ---- objects ------------------------------------------------------------------------------------------------------------------


def ruled_of(reader: Reader, function: Outside) -> Ruled:
    """An object from outside, with its functions as the reader sees them; another rule set later is noticed by guards."""
    thing = function.object
    steps = (("object", thing),) if function.steps is None else function.steps
    kind = type(thing).__name__

    def member(name: str) -> Abstract:
        value, path = getattr(thing, name), (*steps, ("attribute", name))
        return enter(reader, value, path)

    for option in ("nondiff_argnums", "symbolic_zeros"):
        if hasattr(thing, option):
            reader.session.guard((*steps, ("attribute", option)), getattr(thing, option))
    rules = {name: member(name) for name in RULES[kind]}
    nondiff, symbolic = getattr(thing, "nondiff_argnums", ()), getattr(thing, "symbolic_zeros", False)
    return Ruled(type(thing), title(function), member("fun"), rules, nondiff, symbolic, outside=True)


def make(reader: Reader, maker: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """custom_jvp(f, …), … in the code that is read."""
    given = dict(zip(("fun", "nondiff_argnums", "nondiff_argnames"), args, strict=False)) | kwargs
    fun = given.get("fun")
    name = title(fun)
    numbers, names = (_static_items(reader, given.get(key)) for key in ("nondiff_argnums", "nondiff_argnames"))
    if names:
        signature = signature_of(fun)
        known = list(signature.parameters) if signature is not None else []
        numbers = (*numbers, *(known.index(each) for each in names))
    return Ruled(maker, name, fun, dict.fromkeys(RULES[maker.__name__]), tuple(sorted(numbers)))


def _static_items(reader: Reader, value: Abstract) -> tuple[Any, ...]:
    if value is None:
        return ()
    items = tuple(reader.heap[value]) if isinstance(value, ListRef) else value if isinstance(value, tuple) else (value,)
    if not all(isinstance(item, int | str) for item in items):
        raise reader.unsupported("nondiff_argnums that are known only at run time", "numbers")
    return items


def attribute(function: Ruled, name: str) -> Abstract:
    """f.defjvp, f.defvjp, … of a function made in the code that is read."""
    if name in ("defjvp", "defjvps", "defvjp", "def_transpose", "def_vmap"):
        if hasattr(function.maker, name):
            return Method(getattr(function.maker, name), function)
        if isinstance(function.fun, Ruled):
            return attribute(function.fun, name)
    raise AttributeError(f"{function.maker.__name__!r} object has no attribute {name!r}")


def define(reader: Reader, method: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """f.defjvp(rule), f.defjvps(…), f.defvjp(fwd, bwd), f.def_transpose(rule), f.def_vmap(rule)."""
    function, *rules = args
    if not isinstance(function, Ruled) or function.outside:
        raise reader.unsupported(f"{method.__name__} of a function outside of the one that is read", "set the rule where the function is defined")
    name = method.__name__
    if name == "defjvps":
        if function.nondiff:
            raise TypeError("Can't use ``defjvps`` with ``nondiff_argnums``.")
        function.rules.update(jvp=None, jvps=tuple(rules))
        return None
    names = {"defjvp": ("jvp", "symbolic_zeros"), "defvjp": ("fwd", "bwd", "symbolic_zeros", "optimize_remat"), "def_transpose": ("transpose",), "def_vmap": ("vmap_rule",)}[name]
    given = dict(zip(names, rules, strict=False)) | kwargs
    function.symbolic = bool(given.pop("symbolic_zeros", False))
    given.pop("optimize_remat", None)
    function.rules.update(given)
    return next(iter(given.values())) if name != "defvjp" else None


def linear_call(reader: Reader, maker: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """The call of `fun`, whose transpose is given with it."""
    given = dict(zip(("fun", "fun_transpose", "residual_args", "linear_args"), args, strict=False)) | kwargs
    fun, transpose = given["fun"], given["fun_transpose"]
    return call_ruled(reader, Ruled(maker, title(fun), fun, {"transpose": transpose}), (given["residual_args"], given["linear_args"]), {})


# ---- calls ----------------------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Made:
    """A function with a rule as read for one signature."""

    helper: Helper
    aliases: list[tuple[int, int]] = field(default_factory=list)


def call_object(reader: Reader, function: Outside, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of a custom_jvp, custom_vjp, … object."""
    return call_ruled(reader, ruled_of(reader, function), args, kwargs)


def call_ruled(reader: Reader, ruled: Ruled, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of a function with custom rules."""
    _check_rules(reader, ruled)
    given = _given(reader, ruled, positional(reader, ruled, args, kwargs))
    scratch = Part(reader, ruled.name)
    copied(scratch, ruled, given)
    key = RuleKey(reader).of(ruled, given)
    session = reader.session
    if key not in session.functions:
        if key in session.reading or len(session.reading) > DEPTH_LIMIT:
            raise reader.unsupported(f"{ruled.name} calls itself without an end that is known while reading", "a loop")
        session.reading.append(key)
        try:
            _make(reader, ruled, given, key)
        finally:
            session.reading.pop()
    made: Made = session.functions[key]
    result = append_call(reader, made.helper, scratch.capture.leaves)
    _note_aliases(reader, made, result, scratch.capture.leaves)
    return result


def _check_rules(reader: Reader, ruled: Ruled) -> None:
    """AttributeError, as in JAX, where no rule was set."""
    if ruled.rules and all(rule is None for rule in ruled.rules.values()):
        what = {"custom_jvp": ("JVP", "defjvp"), "custom_vjp": ("VJP", "defvjp"), "custom_transpose": ("transpose", "def_transpose")}
        kind = ruled.maker.__name__
        rule, method = what[kind]
        raise MissingRuleError(f"No {rule} defined for {kind} function {ruled.name} using {method}.", where=reader.builder.where)


def positional(reader: Reader, ruled: Ruled, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[Abstract, ...]:
    """The arguments by position, a Python function's defaults put in, as JAX resolves them."""
    if ruled.maker.__name__ == "custom_transpose" and len(args) == 3 and not kwargs:
        return args[1:]
    signature = signature_of(ruled.fun)
    try:
        if isinstance(ruled.fun, Closure):
            names = bind_closure(reader, ruled.fun, args, kwargs)
        elif isinstance(ruled.fun, Outside) and isinstance(ruled.fun.object, FunctionType):
            names = bind_python(reader, ruled.fun.object, ruled.fun.steps, args, kwargs)
        elif not kwargs:
            return args
        else:
            bound = None if signature is None else signature.bind(*args, **kwargs)
            if bound is None or bound.kwargs:
                raise _unresolved(reader, ruled, f"keyword arguments could not be resolved to positions: {', '.join(kwargs)}")
            return bound.args
    except TypeError as error:
        raise error if isinstance(error, ArgumentTypeError) else _unresolved(reader, ruled, str(error)) from None
    result: list[Abstract] = []
    for name, parameter in signature.parameters.items() if signature is not None else ():
        if parameter.kind is parameter.VAR_POSITIONAL:
            result += names.get(name, ())
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            result.append(names[name])
        elif name in kwargs or parameter.kind is parameter.VAR_KEYWORD and reader.heap.get(names.get(name)):
            raise _unresolved(reader, ruled, f"keyword arguments could not be resolved to positions: {name}")
    return tuple(result)


def _unresolved(reader: Reader, ruled: Ruled, why: str) -> ArgumentTypeError:
    return ArgumentTypeError(
        f"The input arguments to the {ruled.maker.__name__}-decorated function {ruled.name} could not be resolved to positional-only arguments. "
        f"Binding failed with the error:\n{why}", where=reader.builder.where,
    )  # fmt: skip


def _given(reader: Reader, ruled: Ruled, args: tuple[Abstract, ...]) -> tuple[Abstract, ...]:
    """The arguments: those that are differentiated with run-time floats; to custom_jvp's others no derivative leads."""
    for number in ruled.nondiff:
        if number >= len(args):
            raise ArgumentValueError(
                f"nondiff_argnums names argument {number} of {ruled.name}, which was called with {len(args)} positional arguments", where=reader.builder.where
            )
    stopped = ruled.maker.__name__ == "custom_jvp"
    return tuple(
        mapped(reader, arg, _with_atom) if k not in ruled.nondiff
        else stopped_gradient(reader, arg) if stopped and not isinstance(arg, FUNCTIONS) else arg
        for k, arg in enumerate(args)
    )  # fmt: skip


def _with_atom(leaf: Abstract) -> Abstract:
    return number_literal(leaf) if is_number(leaf) and is_float(number_literal(leaf).type.dtype) else leaf


def _note_aliases(reader: Reader, made: Made, result: Abstract, leaves: list[Abstract]) -> None:
    """An array that the function returned as it was given is the same storage in plain Python: stores into either are refused."""
    cells = {number: leaves[operand].cell for number, operand in made.aliases if isinstance(leaves[operand], View)}
    if not cells:
        return
    for number, leaf in _pairs(reader, made.helper.result, result):
        if number in cells and isinstance(leaf, View):
            note_made_of(reader, leaf.cell, cells[number])


def _pairs(reader: Reader, tree: Any, value: Abstract) -> list[tuple[int, Abstract]]:
    """(result number, leaf) of a packed tree and what it was unpacked to."""
    if isinstance(tree, Result):
        return [(tree.number, value)]
    content = tree.content if isinstance(tree, Container) else tree
    if not isinstance(content, tuple | list | dict):
        return []
    children = dict(children_of(reader, value) or ())
    items = content.items() if isinstance(content, dict) else enumerate(content)
    return [pair for key, item in items for pair in _pairs(reader, item, children[key])]


# ---- reading the function and its rules -------------------------------------------------------------------------------------------


def _make(reader: Reader, ruled: Ruled, given: tuple[Abstract, ...], key: Any) -> None:
    """Read the function, then its rules, until the rules need nothing from outside that the function has no parameter for."""
    functions = reader.session.functions
    body = Part(reader, ruled.name)
    own, args = copied(body, ruled, given)
    fixed = _fixed(reader, ruled, given)
    result = body.read(own.fun, tuple(args))
    if ruled.maker.__name__ == "custom_gradient":
        result = _first_of_pair(body, result)
    packer = Packer(body)
    tree = packer.pack(result)
    expected = Expected.of(body.inner, result, tree, packer)
    accesses: list[Access] = list(body.inner.hidden)
    while True:
        params = (*body.params, *body.hidden_params(accesses))
        rule = ruled.maker.derivative_rule(ruled.name, (*fixed, *(True for _ in accesses)))
        plain = body.function(params, tuple(packer.results))
        function = Function(plain.name, params, plain.body, plain.where, plain.doc, rule, derived=False)
        helper = Helper(function if packer.results else None, tree, (), tuple(accesses), packer.sizes, params, len(body.params))
        functions[key] = Made(helper, packer.aliases)
        known = set(functions)
        try:
            found = READERS[ruled.maker.__name__](Call(reader, ruled, given, fixed, body, expected))
            more = [access for part in found.parts for access in part.inner.hidden if access not in accesses]
        except (S2SError, *PYTHON_ERRORS) as error:
            note = f"while reading the custom derivative rules of {ruled.name}"
            if note not in getattr(error, "__notes__", ()):
                error.add_note(note)
            rule.fail(error)
            return
        if not more:
            found.fill(rule, function, accesses)
            return
        accesses += dict.fromkeys(more)
        for new in set(functions) - known:
            del functions[new]


def _fixed(reader: Reader, ruled: Ruled, given: tuple[Abstract, ...]) -> tuple[bool, ...]:
    """For each parameter whether it has no derivative: what functions capture, and the arguments that nondiff_argnums names."""
    part = Part(reader, ruled.name)
    part.copy(ruled, ruled.name)
    result = [True] * len(part.params)

    def copy(leaf: Abstract, is_fixed: bool) -> None:
        part.copy(leaf, "x")
        result.extend([is_fixed or isinstance(leaf, FUNCTIONS)] * (len(part.params) - len(result)))

    for number, arg in enumerate(given):
        mapped(reader, arg, partial(copy, is_fixed=number in ruled.nondiff))
    return tuple(result)


def _first_of_pair(part: Part, result: Abstract) -> Abstract:
    items = children_of(part.inner, result)
    if items is None or len(items) != 2:
        raise ArgumentTypeError(
            f"a custom_gradient function must return a pair of its value and a function, but {part.name} returned {describe(part.inner, result)}",
            where=part.where,
        )
    return items[0][1]


# ---- stop_gradient, closure_convert --------------------------------------------------------------------------------------------


def call_stop_gradient(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """stop_gradient(x)."""
    del function
    (x,) = (*args, *kwargs.values())
    return stopped_gradient(reader, x)


def stopped_gradient(reader: Reader, value: Abstract) -> Abstract:
    """The value with its floats passed through the `stop_gradient` row."""
    if not isinstance(value, tuple) and children_of(reader, value) is None:
        return _stopped(reader, value)
    return mapped(reader, value, lambda leaf: _stopped(reader, leaf))


def _stopped(reader: Reader, leaf: Abstract) -> Abstract:
    if isinstance(leaf, View):
        value = load(reader, leaf)
        if not is_float(value.dtype):
            return leaf
        new = new_array(reader, stop_gradient(value).atom, leaf.cell.name)
        note_made_of(reader, new.cell, leaf.cell)
        return new
    return stop_gradient(reader.value(leaf)).atom if is_atom(leaf) and is_float(leaf.type.dtype) else leaf


def primal_tree_values(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """The tree with each CustomVJPPrimal replaced by its value."""
    tree = args[0]
    if isinstance(tree, ObjectRef) and tree.kind.__name__ == "CustomVJPPrimal":
        return reader.heap[tree]["value"]
    children = children_of(reader, tree)
    if children is None:
        return tree
    values = iter([primal_tree_values(reader, function, (child,), kwargs) for _, child in children])
    if isinstance(tree, tuple):
        return remake(tree, list(values))
    if isinstance(tree, ListRef):
        return reader.new_list(values)
    made = {key: next(values) for key, _ in children}
    if isinstance(tree, DictRef):
        return reader.new_dict(made, tree.kind)
    ref = ObjectRef(kind=tree.kind)
    reader.heap[ref] = made
    return ref


class _Slots(Capture):
    """Copies a function within its own block, with a Slot in the place of each float that it captures."""

    def __init__(self, reader: Reader) -> None:
        super().__init__(reader, reader)
        self.given: list[Abstract] = []

    def copy(self, value: Abstract, name: str) -> Abstract:
        if is_atom(value) or isinstance(value, View):
            type_ = load(self.caller, value).type if isinstance(value, View) else value.type
            if not is_float(type_.dtype):
                return value
            number = next((k for k, each in enumerate(self.given) if each is value), len(self.given))
            if number == len(self.given):
                self.given.append(value)
            return Slot(number)
        if isinstance(value, ObjectRef) and not self._holds_numbers(value, set()):
            return value
        return super().copy(value, name)

    def _holds_numbers(self, value: Abstract, seen: set[Any]) -> bool:
        """Whether an object holds arrays or numbers of run time, itself or in what it holds."""
        if is_atom(value) or isinstance(value, View | OneOf):
            return True
        if isinstance(value, Ref):
            if value in seen:
                return False
            seen.add(value)
        children = children_of(self.caller, value)
        return isinstance(value, Ref) if children is None else any(self._holds_numbers(item, seen) for _, item in children)


class _Filled(Capture):
    """Copies a function within its own block, with values in the places of its Slots."""

    def __init__(self, reader: Reader, values: tuple[Abstract, ...]) -> None:
        super().__init__(reader, reader)
        self.values = values

    def copy(self, value: Abstract, name: str) -> Abstract:
        if isinstance(value, Slot):
            return self.values[value.number]
        return value if is_atom(value) or isinstance(value, View) else super().copy(value, name)


def closure_convert(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """The function without what it captured, and what that was."""
    del function, kwargs
    slots = _Slots(reader)
    converted = slots.copy(args[0], "function")
    return Converted(converted, len(slots.given)), reader.new_list(slots.given)


def call_converted(reader: Reader, function: Converted, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of what closure_convert made: the captured values come last."""
    if len(args) < function.count:
        raise ArgumentTypeError(f"the function that closure_convert returned needs the {function.count} captured values as its last arguments", where=reader.builder.where)
    count = len(args) - function.count
    return reader.rules.call(_Filled(reader, args[count:]).copy(function.function, "function"), args[:count], kwargs)


Handler = Callable[[Reader, Any, tuple[Abstract, ...], dict[str, Abstract]], Abstract]

HANDLERS: dict[str, Handler] = {
    "s2s.api.custom.custom_solver": make,
    **within("s2s", custom_jvp=make, custom_vjp=make, custom_gradient=make, custom_transpose=make, linear_call=linear_call, stop_gradient=call_stop_gradient,
             closure_convert=closure_convert),
    "s2s.custom_jvp.defjvp": define, "s2s.custom_jvp.defjvps": define, "s2s.custom_vjp.defvjp": define, "s2s.custom_transpose.def_transpose": define,
    "s2s.custom_derivatives.custom_vjp_primal_tree_values": primal_tree_values,
}  # fmt: skip
OBJECTS: dict[str, Handler] = dict.fromkeys(("custom_jvp", "custom_vjp", "custom_gradient", "custom_transpose"), call_object)
