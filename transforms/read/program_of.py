"""What was read, as a `Staged`: results, changed arguments, hidden inputs, who shares memory with whom."""
from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from s2s import streams, tree_nodes, tree_util
from s2s.errors import Location
from s2s.outside import Itself
from s2s.records import replace
from s2s.transforms.ir.program import Function, callees, with_callees
from s2s.transforms.ir.staged import (
    Called,
    Cut,
    Doubtful,
    Hidden,
    Item,
    Joined,
    Made,
    Own,
    Parameter,
    Picked,
    Queue,
    Result,
    Rows,
    Staged,
    Wording,
)
from s2s.transforms.primitives.arithmetic import add, mul
from s2s.transforms.primitives.indexing import At, Full, getitem
from s2s.transforms.primitives.traced_order import is_traced_order
from s2s.transforms.read.callables import SecondHalf
from s2s.transforms.read.calls.changed import callers, changes
from s2s.transforms.read.calls.functions import ResultPacker
from s2s.transforms.read.calls.hidden import hidden_inputs, is_of_nothing, whole
from s2s.transforms.read.calls.records import is_record
from s2s.transforms.read.calls.structured_results import data_is_known, node_of
from s2s.transforms.read.calls.taken import stores
from s2s.transforms.read.composed import none_or_object, pooled_lists, pooled_tables
from s2s.transforms.read.composed.array_iterators import Nditer
from s2s.transforms.read.composed.bound_arguments import BoundArguments
from s2s.transforms.read.composed.in_memory import Flags
from s2s.transforms.read.composed.own_attributes import OwnAttributes
from s2s.transforms.read.composed.pooled_dicts import PREFIX, PooledDict
from s2s.transforms.read.composed.pooled_lists import PooledList
from s2s.transforms.read.composed.pooled_rows import PooledRow
from s2s.transforms.read.composed.python_library import Closing, ExitStack, Managed, NullContext
from s2s.transforms.read.composed.subclassed import HELD
from s2s.transforms.read.composed.thread_queues import THREADS
from s2s.transforms.read.composed.user_containers import USER_BASES
from s2s.transforms.read.describing import describe, missing_error
from s2s.transforms.read.failures import fail_if_errors
from s2s.transforms.read.flow.keyed import is_keyed, kind_of, lists_of, refuse_factory
from s2s.transforms.read.flow.options import possible
from s2s.transforms.read.iterations import RunRange
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import cast, converted
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import none_in_pools, pools
from s2s.transforms.read.storage.access import in_pythons_order, is_zero_dim, load, new_array
from s2s.transforms.read.storage.cells import settle
from s2s.transforms.read.storage.grown import Grown, Lengths, Shape, Table, as_array, pools_in
from s2s.transforms.read.storage.kinds_of_items import NOTHING, chosen_among, is_optional, is_several, named
from s2s.transforms.read.storage.pool import Pool
from s2s.transforms.read.storage.pools import refuse_late
from s2s.transforms.read.storage.sharing import Sharing
from s2s.transforms.read.storage.tables import list_of_pooled
from s2s.transforms.read.syntax.frame import Taken
from s2s.transforms.read.unset_attributes import is_doubtful, may_be_set
from s2s.transforms.read.values import (
    STANDS_FOR,
    Abstract,
    Atom,
    Cell,
    DequeRef,
    DictRef,
    JoinedText,
    ListRef,
    Missing,
    ObjectRef,
    OneOf,
    Outside,
    Pooled,
    Text,
    TupleRef,
    View,
    factory_of,
    is_atom,
    is_number,
    is_text,
    number_literal,
    remake,
)  # fmt: skip
from s2s.transforms.read.zero_dim import is_either
from s2s.types import FLOAT0, INT64, SIZE, Array, Var, size_literal

_ONLY_INSIDE = {BoundArguments: "what a signature binds", Flags: "the flags of an array", Nditer: "an np.nditer", **dict.fromkeys((ExitStack, Managed, NullContext, Closing), "a context of contextlib's"), **dict.fromkeys(THREADS, "a queue or a lock")}
"""Classes that stand for others', of which no object is handed out."""


def know_params(reader: Reader, params: tuple[Var, ...]) -> None:
    """Parameters keep their names; their sizes are Python ints that are never negative."""
    reader.named.update(params)
    for param in params:
        if param.type.told is not None:
            reader.builder.told[param] = np.array(param.type.told, param.type.dtype)
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
    stored = stores(reader, packer.pack, packer.sharing.is_certain)
    packer.callers = callers(reader)
    changed = changes(reader, packer.pack, packer.sharing.is_certain)
    origins = packer.sharing.origins()
    del packer.sharing  # it holds the packer, and both would live until Python next looks for cyclic garbage
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
    fail_if_errors(reader)  # code of ours that puts results together is read as well
    return Staged(program, parameters, packed, tuple(mutated), hidden, tuple(reader.session.guards.values()), name, packer.aliased, distinct=tuple(reader.session.distinct), origins=origins, in_order=in_order, stores=stored, changes=changed)


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
        self.callers: dict[Any, Any] = {}
        """While changes of the caller's containers are packed: those that may stand in them, and the steps to each."""
        self.around: list[ObjectRef | Pool] = []
        """The objects that are being packed, which hold what is packed now."""
        # What is computed of an argument when it is taken (a sparse matrix's rows) is none of the caller's arrays.
        self.sharing = Sharing(reader, {cell: var for cell, var in own.items() if isinstance(var, Var) and var in params}, params, self.add)

    def pack(self, value: Abstract) -> Abstract:
        if isinstance(value, ListRef | DictRef | ObjectRef) and value in self.callers:
            return Own(self.callers[value])
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
            if type(value) in self.reader.session.made:
                raise self.reader.unsupported(f"a function that returns a member of {type(value).__name__}, whose class is made in it", "return its value")
            return value
        if is_number(value):
            return Result(self.add(number_literal(value)))
        if isinstance(value, tuple):
            self._refuse_made(type(value))
            return remake(value, [self.pack(item) for item in value])
        if isinstance(value, range | slice | frozenset | RunRange | np.dtype):
            return self._called(value)
        if isinstance(value, DequeRef | TupleRef | ListRef | DictRef):
            return self._items(value)
        if isinstance(value, ObjectRef):
            taken = next((each for each in self.reader.session.taken.values() if each.ref is value), None)
            return self._object(value) if taken is None or taken.is_argument else self._itself(taken)
        if isinstance(value, SecondHalf) and is_traced_order():
            return tuple(self.pack(each) for each in (*value.kept, *value.hidden))  # a jaxpr's results are what the function holds, as in JAX
        if isinstance(value, str | type(None) | bytes) or getattr(value, "dtype", None) == FLOAT0:
            return value
        if isinstance(value, Outside):
            if is_of_nothing(value.object):
                raise self.reader.unsupported("a function that returns an array of None", "None")
            return whole(self.reader, value)
        if isinstance(value, OneOf):
            return self._one_of(value)
        if isinstance(value, Pooled):
            return self._container(value) if value.pool.kind in (PooledList, PooledRow) or is_keyed(value) else self._pooled(value)
        if isinstance(value, Text):
            return Wording(value.template, tuple(map(self.pack, value.values)))
        if isinstance(value, JoinedText):
            return Joined(value.separator, (self.pack(value.items),))
        raise self.reader.unsupported(f"a function that returns {describe(self.reader, value)}", "return arrays, numbers and containers of them")

    def _items(self, value: DequeRef | TupleRef | ListRef | DictRef) -> Abstract:
        """A list, a dict or its like, with what stands in it."""
        if isinstance(value, DequeRef):
            if value.maxlen is not None and not isinstance(value.maxlen, int):
                raise self.reader.unsupported("a function that returns a deque whose maxlen is known only at run time", "list(…) of it")
            return Queue(self.pack(self.reader.rules.call(list, (value,))), value.maxlen)
        if isinstance(value, TupleRef):
            return Rows(Item(Result(0)), (self._grown(self.reader.heap[value]),), tuple)
        if isinstance(value, ListRef):
            in_pythons_order(self.reader, value)
            content = self.reader.heap[value]
            if isinstance(content, Missing):
                raise missing_error(self.reader, content)
            if isinstance(content, Grown):
                return self._grown(content)
            return [self.pack(item) for item in content]
        refuse_factory(self.reader, factory_of(value.kind))
        return value.kind({key: self.pack(item) for key, item in self.reader.heap[value].items()})

    def _called(self, value: range | slice | frozenset[Any] | RunRange | np.dtype[Any]) -> Any:
        """A range, a slice, a frozenset or a dtype: the call that makes it."""
        match value:
            case np.dtype():
                return Called(np.dtype, (value.name,))
            case RunRange():
                return Called(range, tuple(map(self._bound, (value.lo, value.hi, value.step))))
            case range():
                return Called(range, (value.start, value.stop, value.step))
            case slice():
                return Called(slice, tuple(map(self.pack, (value.start, value.stop, value.step))))
        items = tuple(value)
        parts = tuple(map(self.pack, items))
        if any(one is not other for one, other in zip(frozenset(items), items, strict=True)):
            return value  # made again of its items it would have another order
        return Called(frozenset, (parts,) if parts else ())

    def _bound(self, bound: Atom) -> Result:
        """A bound of a range, which is Python's int."""
        with building(self.reader.builder):
            value = self.reader.value(bound)
            return Result(self.add((value if bound.type.weak else converted(value, INT64, weak=True)).atom))

    def _one_of(self, value: OneOf) -> Any:
        """What a function gives is one of several values, of which only the run knows which: known ones, or of different kinds."""
        if all(map(is_text, value.options)):
            return Result(self.add(value.place), options=value.options)
        numbers = possible(self.reader, value)
        if len(numbers) == 1:
            return self.pack(value.options[numbers[0]])
        return Picked(Result(self.add(value.place)), tuple(self.pack(option) if number in numbers else None for number, option in enumerate(value.options)))

    def _grown(self, content: Grown) -> Result | Rows | Cut:
        if isinstance(content, Table):
            return self._arrays(content, content.shape) if content.shape.kind is Lengths else self._table(content)
        if True in content.kinds:
            raise self.reader.unsupported("a function that returns a list of arrays without axes whose length is known only at run time", "np.float64(…) of its items")
        array = as_array(self.reader, content)
        if content.row is None:
            return Result(self.add(array.atom), listed="tolist" if content.weak else "list")
        if not content.row.alike or array.ndim != 2:
            raise self.reader.unsupported("a function that returns a list of tuples or lists of several types whose length is known only at run time", "np.array(…) of the list")
        if content.row.kind == "list":
            return Result(self.add(array.atom), listed="tolist" if content.row.weak else "lists")
        width, listed = array.shape[1], "tolist" if content.row.weak else "list"
        assert isinstance(width, int)
        columns = tuple(Result(self.add(getitem(array, self.reader.value(k), index=(Full(), At())).atom), listed=listed) for k in range(width))
        return Rows(Item(tuple(map(Result, range(width)))), columns)

    def _table(self, content: Table) -> Rows:
        """A list of tuples, objects or other items, of a tree for each column; the two of where arrays of several lengths stand are one."""
        pools_at, lengths_at = dict(pools_in(content.shape)), {shape.parts[0]: shape for shape in _lengths_in(content.shape)}
        columns: list[Any] = []
        places: dict[int, int] = {}
        for number, column in enumerate(content.columns):
            if any(number in shape.parts[1:] for shape in lengths_at.values()):
                continue
            places[number] = len(columns)
            if number in lengths_at:
                columns.append(self._arrays(content, lengths_at[number]))
            else:
                columns.append(self._pooled_column(column, pools_at[number]) if number in pools_at else self._grown(column))
        return Rows(Item(self._item(content.shape, places)), tuple(columns))

    def _arrays(self, content: Table, shape: Shape) -> Cut:
        """Arrays of several sizes, cut out of the long one."""
        assert shape.keys is not None
        columns = (content.columns[number] for number in shape.parts if isinstance(number, int))
        elements, starts, *sizes = (as_array(self.reader, each) for each in (self.reader.heap[shape.keys[0].rows], *columns))
        with building(self.reader.builder):
            ends = add(starts, functools.reduce(mul, sizes))
            items, first, last, *axes = (Result(self.add(each.atom)) for each in (elements, starts, ends, *(sizes if len(sizes) > 1 else ())))
        return Cut(items, first, last, kind=np.ndarray, sizes=tuple(axes))

    def _item(self, shape: int | Shape, places: dict[int, int]) -> Any:
        """What an item of a list looks like, with the numbers of columns at its leaves."""
        if isinstance(shape, int):
            return Result(places[shape])
        if shape.kind in (Pooled, Lengths):
            return self._item(shape.parts[0], places)
        parts = tuple(self._item(part, places) for part in shape.parts)
        if shape == NOTHING:
            return None
        if is_several(shape):
            return Picked(parts[0], chosen_among(self.reader, shape, list(parts[1:])))
        if shape.kind is OneOf:
            return Picked(parts[0], (None, *parts[1:]) if is_optional(shape) else named(self.reader, shape))
        if shape.kind is Text:
            assert shape.keys is not None
            return Wording(shape.keys[0], parts)
        if issubclass(shape.kind, tuple):
            self._refuse_made(shape.kind)
            return shape.kind(*parts) if hasattr(shape.kind, "_fields") else parts
        if shape.keys is None:
            return list(parts)
        return self._of_kind(shape.kind, dict(zip(shape.keys, parts, strict=True)))

    def _pooled_column(self, numbers: Grown, pool: Pool) -> Cut | Result | Rows:
        """A list of arrays, lists or objects of a pool, which has the numbers of these."""
        if pool.kind is np.ndarray:
            rows, places = (new_array(self.reader, as_array(self.reader, each).atom) for each in (self.reader.heap[pool.rows], numbers))
            return Result(self.add(load(self.reader, self.reader.rules.call(np.take, (rows, places, 0))).atom), listed="list")
        ref = ListRef()
        self.reader.heap[ref] = list_of_pooled(self.reader, numbers, pool)
        if pool.kind is PooledList:
            return Cut(*map(self.pack, self.reader.rules.call(pooled_lists.in_a_row, (ref,))))
        if issubclass(pool.kind, pooled_tables.Part):
            return self._tables(ref, pool)
        self._refuse_links(pool)
        columns = [self.pack(self.reader.rules.call(pooled_lists.attributes, (ref, name))) for name in pool.names]
        held = {name: Result(pool.names.index(name)) if name in pool.names else self.pack(pool.known[name]) for name in pool.held or ()}
        return Rows(Item(self._of_kind(pool.kind, held)), tuple(columns))

    def _tables(self, ref: ListRef, pool: Pool) -> Cut:
        """A list of dicts or sets of a pool."""
        if any(each is pool for each in self.around):
            raise self.reader.unsupported(f"a function that returns a {pool.kind.__name__} that may hold others of its kind", "lists of what it holds")
        self.around.append(pool)
        items, starts, ends = map(self.pack, self.reader.rules.call(pooled_tables.in_a_row, (ref,)))
        found = Cut(items, starts, ends, kind_of(self.reader, Pooled(pool, size_literal(0))))
        self.around.pop()
        return found

    def _container(self, value: Pooled) -> Any:
        """A list, dict or set of a pool, or None."""
        there = none_in_pools.is_there(self.reader, value)
        if there is False:
            return None
        found = self._keyed(value) if is_keyed(value) else self.pack(self.reader.rules.call(none_or_object.copied, (value,)))
        if there is True:
            return found
        with building(self.reader.builder):
            number = cast(self.reader.value(there), INT64)
        return Picked(Result(self.add(number.atom)), (None, found))

    def _pooled(self, value: Pooled) -> Any:
        """An object of a pool."""
        self._refuse_links(value.pool)
        return self._of_kind(value.pool.kind, {name: self.pack(pools.get(self.reader, value, name)) for name in pools.names_held(self.reader, value)})

    def _refuse_links(self, pool: Pool) -> None:
        refuse_late(self.reader, pool)
        if pool.plan.optional or any(not target.plan.sites for target in pool.points.values()) or pool.nothing:
            raise self.reader.unsupported(f"a function that returns a {pool.kind.__name__} of which only the run knows which one it is", "arrays, or a list of the numbers in it")

    def _keyed(self, ref: ObjectRef | Pooled) -> Any:
        """A dict or set whose keys only the run knows."""
        kind = kind_of(self.reader, ref)
        lists = lists_of(self.reader, ref)
        if lists is None:
            return kind.copy() if isinstance(kind, defaultdict) else kind()
        items: list[Any] = []
        columns: tuple[Any, ...] = ()
        for each in lists:
            part = self.pack(each)
            items.append(_shifted(part.item.tree if isinstance(part, Rows) else Result(0), len(columns)))
            columns += part.columns if isinstance(part, Rows) else (part,)
        return Rows(Item(items[0] if len(items) == 1 else tuple(items)), columns, kind)

    def _record(self, held: dict[str, Abstract]) -> Any:
        """A dict of which only the run knows whether it has some keys."""
        there = {name[len(PREFIX) :]: value for name, value in may_be_set(held).items()}
        if not any(map(is_doubtful, there.values())):
            return {key: self.pack(value) for key, value in there.items()}
        flags = [Result(self.add(value.test)) if is_doubtful(value) else None for value in there.values()]
        return Doubtful(tuple(there), tuple(self.pack(value.value if is_doubtful(value) else value) for value in there.values()), tuple(flags))

    def _itself(self, taken: Taken) -> Any:
        """An object outside that is stored into, and given back."""
        if dataclasses.is_dataclass(taken.thing) or tree_nodes.is_node(taken.thing):
            raise self.reader.unsupported(f"a function that stores into a {type(taken.thing).__name__} outside, and returns it", "the caller has it")
        self.reader.session.guard((*taken.steps, ("identity", None)), Itself(taken.thing))
        return taken.thing

    def _object(self, ref: ObjectRef) -> Any:
        if is_keyed(ref):
            return self._keyed(ref)
        if is_record(ref):
            return self._record(self.reader.heap[ref])
        if HELD in self.reader.heap[ref] or issubclass(ref.kind, tuple(USER_BASES.values())):
            raise self.reader.unsupported(f"a function that returns a {vars(ref.kind).get(STANDS_FOR, ref.kind).__name__}, which is a list or dict", "list(…) or dict(…) of it")
        if ref.kind is OwnAttributes:
            raise self.reader.unsupported("a function that returns the __dict__ of an object", "dict(vars(…)) of it")
        if ref.kind in _ONLY_INSIDE:
            raise self.reader.unsupported(f"a function that returns {_ONLY_INSIDE[ref.kind]}", "return what they say, or the array")
        if STANDS_FOR in vars(ref.kind) and not hasattr(ref.kind, "__given_back__"):
            raise self.reader.unsupported(f"a function that returns {ref.kind.__name__} of a dict whose keys are known only at run time", "list(…) of it")
        if streams.is_class(ref.kind):
            raise self.reader.unsupported(f"a function that returns a {ref.kind.__name__}", "return what it draws; the caller has the generator")
        if any(each is ref for each in self.around):
            raise self.reader.unsupported(f"a function that returns a {ref.kind.__name__} that holds itself", "return its attributes")
        self._refuse_made(ref.kind)
        self.around.append(ref)
        if tree_nodes.is_registered(ref.kind) and not tree_nodes.holds_more(ref.kind, self.reader.heap[ref]):
            found = node_of(self.reader, ref, self.pack)
        else:
            found = self._of_kind(ref.kind, {key: self.pack(item) for key, item in self.reader.heap[ref].items()})
        self.around.pop()
        return found

    def _of_kind(self, kind: Any, held: dict[Any, Any]) -> Any:
        """A dict or object that holds these trees."""
        self._refuse_made(kind)
        if kind is PooledDict:
            return {name.removeprefix(PREFIX): item for name, item in held.items()}
        if kind is PooledRow:
            return list(held.values())
        if issubclass(kind, dict):
            return kind(held)
        if not dataclasses.is_dataclass(kind) and not tree_nodes.is_node_class(kind):
            return Made(kind, tuple(held), tuple(held.values()))
        result: Any = object.__new__(kind)
        for key, item in held.items():
            object.__setattr__(result, key, item)
        if tree_nodes.is_node_class(kind) and not data_is_known(result):
            raise self.reader.unsupported(f"a function that returns a list of objects of {kind.__name__}, whose data are known only at run time", "return lists of their attributes")
        return result

    def _refuse_made(self, kind: type) -> None:
        if kind in self.reader.session.made:
            instead = "return a plain tuple, or define the class at module level" if issubclass(kind, tuple) else "return its attributes, or define the class at module level"
            raise self.reader.unsupported(f"a function that returns a {kind.__name__}, whose class is made in it", instead)

    def add(self, atom: Any) -> int:
        self.results.append(atom)
        return len(self.results) - 1


def _lengths_in(shape: int | Shape) -> Iterator[Shape]:
    """The parts of a list's items that are arrays of a length of their own."""
    if isinstance(shape, Shape) and shape.kind is Lengths:
        yield shape
    elif isinstance(shape, Shape):
        for part in shape.parts:
            yield from _lengths_in(part)


def _shifted(tree: Any, by: int) -> Any:
    """What an item looks like whose columns stand behind others."""
    return tree_util.tree_map(lambda leaf: Result(leaf.number + by) if isinstance(leaf, Result) else leaf, tree, is_leaf=lambda leaf: isinstance(leaf, Result))


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
