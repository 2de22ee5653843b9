"""`read_function`: a call of the user's function as a `Staged`."""
from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
import types
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

from s2s import tree_util
from s2s.errors import InternalError, Location, S2SError, SourceError
from s2s.transforms.ir.program import Function, callees, with_callees
from s2s.transforms.ir.staged import Hidden, Parameter, Result, Staged
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.read.calls.functions import ResultPacker, bind_python, doc_of, read_body
from s2s.transforms.read.calls.hidden import ask, enter, hidden_inputs, whole
from s2s.transforms.read.calls.lifted import Lifted
from s2s.transforms.read.calls.transformations import handler_of_object
from s2s.transforms.read.describing import describe, missing_error
from s2s.transforms.read.failures import NeedsInline, OtherItems, Suppressed, fail_if_errors
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import is_zero_dim, load
from s2s.transforms.read.storage.cells import settle
from s2s.transforms.read.storage.grown import Grown, as_array
from s2s.transforms.read.storage.sharing import Sharing
from s2s.transforms.read.syntax.frame import Frame, Session, being_read, reading, scope_for
from s2s.transforms.read.syntax.source import tree_of
from s2s.transforms.read.values import (
    Abstract,
    Cell,
    DictRef,
    ListRef,
    Missing,
    ObjectRef,
    Outside,
    Steps,
    View,
    is_atom,
    is_number,
    number_literal,
    remake,
)
from s2s.transforms.read.wiring import Python
from s2s.transforms.read.zero_dim import is_either
from s2s.types import FLOAT0, SIZE, Array, Var


def read_function(fun: Callable[..., Any], params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Staged:
    """See `s2s.transforms.read.read`."""
    if isinstance(fun, Lifted):
        return fun.read(params, args, kwargs)
    items: dict[Hashable, Array] = {}
    while True:
        try:
            session = Session(items=items, either=set() if (around := being_read()) is None else around.either)
            with reading(session):
                return _read_with(session, fun, params, args, kwargs)
        except OtherItems as error:
            if items.get(error.origin) == error.type:
                raise
            items = {**items, error.origin: error.type}


def _read_with(session: Session, fun: Callable[..., Any], params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Staged:
    function, steps, before, keywords = plain_function(fun)
    handler = handler_of_object(function)  # a function with custom derivative rules is called
    source = function if handler is None else plain_function(function.fun)[0]
    tree = tree_of(source)
    frame = Frame(tree, scope_for(tree.node), source.__name__, source, steps)
    reader = Reader(session, new_builder(), frame, Python)
    reader.builder.where = tree.where(tree.node)
    if source is function:
        ask(reader, function, steps, "attribute", "__code__")
    know_params(reader, params)
    entered = [enter(reader, value, path) for value, path in before]
    entered += [enter(reader, arg, None) for arg in args]
    named = {key: enter(reader, value, path) for key, (value, path) in keywords.items()}
    named.update({key: enter(reader, value, None) for key, value in kwargs.items()})
    arguments = dict(reader.heap)
    if handler is None:
        frame.names.update(bind_python(reader, function, steps, tuple(entered), named))
    result: Abstract = None
    try:
        result = read_body(reader, tree.node) if handler is None else handler(reader, Outside(function, steps), tuple(entered), named)
    except S2SError as error:
        reader.errors.append(error)
    except Suppressed:
        reader.errors.append(InternalError("an expression failed, but no error was reported", where=reader.builder.where))
    except NeedsInline:  # a container of the caller is changed where no call stands between
        raise AssertionError("a container without an owner was refused") from None
    fail_if_errors(reader)
    name = source.__name__ if handler is None else f"{source.__name__}_call"
    return staged_of(reader, fun, name, tree.where(tree.node), params, args, kwargs, result, arguments, (), doc_of(source))


def plain_function(fun: Any) -> tuple[Any, Steps, list[tuple[Any, Steps]], dict[str, tuple[Any, Steps]]]:
    """The Python function (or object with custom rules) behind partials, methods and callable objects, the steps to it, and what they pass first."""
    steps: Steps = ()
    before: list[tuple[Any, Steps]] = []
    keywords: dict[str, tuple[Any, Steps]] = {}
    while not isinstance(fun, types.FunctionType) and handler_of_object(fun) is None:
        if isinstance(fun, functools.partial):
            path = (*steps, ("attribute", "args"))
            before = [*((arg, (*path, ("item", k))) for k, arg in enumerate(fun.args)), *before]
            path = (*steps, ("attribute", "keywords"))
            keywords = {**{key: (value, (*path, ("item", key))) for key, value in fun.keywords.items()}, **keywords}
            fun, steps = fun.func, (*steps, ("attribute", "func"))
        elif isinstance(fun, types.MethodType):
            before = [(fun.__self__, (*steps, ("attribute", "__self__"))), *before]
            fun, steps = fun.__func__, (*steps, ("attribute", "__func__"))
        elif hasattr(fun, "__wrapped__"):
            fun, steps = fun.__wrapped__, (*steps, ("attribute", "__wrapped__"))
        elif isinstance(getattr(type(fun), "__call__", None), types.FunctionType):  # noqa: B004 - the function is needed
            before = [(fun, steps), *before]
            fun, steps = type(fun).__call__, (*steps, ("attribute", "__class__"), ("attribute", "__call__"))
        else:
            name = getattr(fun, "__name__", repr(fun))
            raise SourceError(
                f"{name!r} has no Python source", why=f"it is a {type(fun).__name__}", instead="wrap it in a Python function: lambda x: … or def f(x): …"
            )
    return fun, steps, before, keywords


def know_params(reader: Reader, params: tuple[Var, ...]) -> None:
    """Parameters keep their names; their sizes are Python ints that are never negative."""
    reader.named.update(params)
    for param in params:
        for dim in param.type.shape:
            if isinstance(dim, Var):
                dim.type = Array(SIZE.dtype, (), weak=True)
                reader.builder.know_size(dim)


def staged_of(
    reader: Reader, fun: Any, own_name: str, where: Location, params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any],
    result: Abstract, arguments: dict[Any, Any], captured: tuple[Hidden, ...], doc: str = "",
) -> Staged:  # fmt: skip
    """What was read, as a Staged."""
    settle(reader)
    own = {ref: before for ref, before in arguments.items() if isinstance(ref, Cell)}
    own |= {view.cell: reader.hidden[access] for access, view in reader.hidden_views.items() if isinstance(view, View)}
    packer = _RootPacker(reader, own, (*params, *(each.param for each in (*captured, *hidden_inputs(reader)))))
    packed = packer.pack(result)
    origins = packer.sharing.origins()
    mutated = []
    for ref, before in arguments.items():
        if isinstance(ref, Cell) and reader.heap[ref] is not before:
            mutated.append((before, packer.add(reader.heap[ref])))
            reader.in_order.update({ref: True} if ref in reader.in_order else {})
    for access, view in reader.hidden_views.items():
        if isinstance(view, View) and reader.heap[view.cell] is not reader.hidden[access]:
            mutated.append((reader.hidden[access], packer.add(reader.heap[view.cell])))
            reader.in_order.update({view.cell: True} if view.cell in reader.in_order else {})
    hidden = (*captured, *hidden_inputs(reader))
    body = reader.builder.block(*packer.results)
    name = reader.session.function_name(own_name)
    program = numbered(Function(name, (*params, *(each.param for each in hidden)), body, where, doc, None, derived=False))
    parameters = _parameters(fun, args, kwargs)
    in_order = tuple(own[cell] for cell, needed in reader.in_order.items() if needed)
    return Staged(program, parameters, packed, tuple(mutated), hidden, tuple(reader.session.guards.values()), name, packer.aliased, origins=origins, in_order=in_order)


def numbered(function: Function) -> Function:
    """The program with a name of its own for each function: a helper read for two signatures is `layer` and `layer_2`."""
    order = list(callees(function))
    counts = Counter({function.name: 1})
    names: dict[Function, str] = {function: function.name}
    for each in order[:-1]:
        counts[each.name] += 1
        names[each] = each.name if counts[each.name] == 1 else f"{each.name}_{counts[each.name]}"
    if all(names[each] == each.name for each in order):
        return function
    made: dict[Function, Function] = {}
    for each in order:
        made[each] = replace(each, name=names[each], body=with_callees(each.body, made))
    return made[function]


class _RootPacker(ResultPacker):
    """Results of the whole program: numbers become results too, lists and dicts are real again."""

    def __init__(self, reader: Reader, own: dict[Cell, Any], params: tuple[Var, ...]) -> None:
        super().__init__(reader, set(), [], {})
        self.aliased = False
        self.sharing = Sharing(reader, {cell: var for cell, var in own.items() if isinstance(var, Var)}, params, self.add)

    def pack(self, value: Abstract) -> Abstract:
        if isinstance(value, Missing):
            raise missing_error(self.reader, value)
        if isinstance(value, View):
            self.aliased |= any(cell.owner is not None for cell in (value.cell, *self.reader.aliases.get(value.cell, ())))
            number = self.add(load(self.reader, value).atom)
            if is_zero_dim(self.reader, value):
                return Result(number, boxed=True)
            self.sharing.note(number, value)
            return Result(number)
        if is_atom(value):
            return Result(self.add(value), either=is_either(self.reader, value))
        if isinstance(value, enum.Enum):
            return value
        if is_number(value):
            return Result(self.add(number_literal(value)))
        if isinstance(value, tuple):
            return remake(value, [self.pack(item) for item in value])
        if isinstance(value, ListRef):
            content = self.reader.heap[value]
            if isinstance(content, Missing):
                raise missing_error(self.reader, content)
            if isinstance(content, Grown):
                return self._grown(content)
            return [self.pack(item) for item in content]
        if isinstance(value, DictRef):
            return value.kind({key: self.pack(item) for key, item in self.reader.heap[value].items()})
        if isinstance(value, ObjectRef):
            return self._object(value)
        if isinstance(value, str | type(None) | bytes) or getattr(value, "dtype", None) == FLOAT0:
            return value
        if isinstance(value, Outside):
            return whole(self.reader, value)
        raise self.reader.unsupported(f"a function that returns {describe(self.reader, value)}", "return arrays, numbers and containers of them")

    def _grown(self, content: Grown) -> Result:
        if True in content.kinds:
            raise self.reader.unsupported("a function that returns a list of arrays without axes whose length is known only at run time", "np.float64(…) of its items")
        if content.row is not None:
            raise self.reader.unsupported("a function that returns a list of tuples or lists whose length is known only at run time", "np.array(…) of the list")
        return Result(self.add(as_array(self.reader, content).atom), listed="tolist" if content.weak else "list")

    def _object(self, ref: ObjectRef) -> Any:
        if not dataclasses.is_dataclass(ref.kind) and not tree_util.is_node_class(ref.kind):
            raise self.reader.unsupported(
                f"a function that returns a {ref.kind.__name__}", "return its attributes, make its class a dataclass, or register it (s2s.tree_util.register_pytree_node)"
            )
        result: Any = object.__new__(ref.kind)
        for key, item in self.reader.heap[ref].items():
            object.__setattr__(result, key, self.pack(item))
        return result

    def add(self, atom: Any) -> int:
        self.results.append(atom)
        return len(self.results) - 1


def _parameters(fun: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Parameter, ...]:
    """The public parameters of the call, in the order of the program's parameters."""
    try:
        declared = list(inspect.signature(fun).parameters.values())
    except (TypeError, ValueError):
        declared = []
    positional = [each for each in declared if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    star = next((each.name for each in declared if each.kind is each.VAR_POSITIONAL), "args")
    known = {each.name for each in declared}
    result = []
    for number, arg in enumerate(args):
        if number < len(positional):
            result.append(Parameter(positional[number].name, arg))
        else:
            result.append(Parameter(f"{star}_{number - len(positional)}", arg, "star"))
    for name in sorted(kwargs):
        result.append(Parameter(name, kwargs[name], "keyword" if name in known else "starstar"))
    return tuple(result)


__all__ = ["read_function"]
