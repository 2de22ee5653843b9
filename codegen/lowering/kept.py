"""Kernels of functions that did not change, kept by content: after an edit of one helper the others are not lowered again.

A kernel is found by all that it is made of: its function, in which each variable is a number in the order of the text; the kernels that it
calls, by the same; the names that the module had before it; whoever lowers it (`Store.stamp`). What it added to the module is kept with it.
Whatever has no lasting description (a class of the user's, an object of a library) is lowered each time.
"""
from __future__ import annotations

import hashlib
import io
import pickle
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from s2s.codegen.language import operations
from s2s.codegen.language.expressions import Attribute, Called, Chain, Formula, Method, Operation
from s2s.codegen.lowering.lowered import Helper, Lowered, Module, Slot
from s2s.errors import Location, OwnException
from s2s.keeping import NotDescribed, Store
from s2s.records import dataclass, given
from s2s.transforms.ir.program import For, Function, Map, walk
from s2s.transforms.primitives.row import Primitive
from s2s.types import SUPPORTED_DTYPES, Array, Var

_PLAIN = frozenset((str, int, float, bool, complex, bytes, type(None)))


class Content:
    """A function as a text of its content; `variables` in the order of their numbers, `called` in that of their calls. `rows`: the ids of the table's rows.

    Raises
    ------
    NotDescribed
        If it holds something that has none, or tells the number of an example (`passes/examples.py` writes other kernels beside those).
    """

    def __init__(self, function: Function, rows: frozenset[int]) -> None:
        self.rows = rows
        self.words: list[str] = []
        self.variables: list[Var] = []
        self.called: list[Function] = []
        self._seen: dict[int, str] = {}
        self._types: dict[tuple[Any, ...], str] = {}
        self.where = function.where
        for each in (function.name, function.params, function.body, function.where, function.doc, function.rule, function.derived):
            self._add(each)

    def number(self, variable: Var) -> int:
        """A variable's number."""
        found = self._seen.get(id(variable))
        if found is None:
            raise NotDescribed(variable.name)
        return int(found[1:])

    def place(self, where: Location) -> tuple[int, int, int, int] | None:
        """Where something stands in the function's own file, by lines from its first one: a function that is moved is the same."""
        if where.file != self.where.file:
            return None
        return where.line - self.where.line, where.column, where.end_line - where.line, where.end_column

    def moved(self, line: int, column: int, lines: int, end_column: int) -> Location:
        """The place in the file as it is now."""
        line += self.where.line
        return Location(self.where.file, line, column, line + lines, end_column)

    def _add(self, value: Any) -> None:
        kind = type(value)
        if kind is tuple:
            self.words.append(f"({len(value)}")
            for each in value:
                self._add(each)
        elif kind is Var:
            self._variable(value)
        elif kind in _PLAIN:
            self.words.append(f"{kind.__name__} {value!r}")
        elif kind is Location:
            self.words.append(f"at {self.place(value) or value!r}")
        elif kind is Array:
            self._type(value)
        elif kind is Primitive:
            self._row(value)
        elif kind is Function:
            self.words.append("function")
            self.called.append(value)
        elif kind.__module__.startswith("s2s.") and hasattr(kind, "__dataclass_fields__"):
            self.words.append(kind.__qualname__)
            for name in given(kind):
                self._add(getattr(value, name))
        else:
            self._other(value)

    def _row(self, row: Primitive) -> None:
        if id(row) not in self.rows:
            raise NotDescribed(row.name)
        self.words.append(f"row {row.name}")

    def _variable(self, value: Var) -> None:
        found = self._seen.get(id(value))
        if found is None:
            found = self._seen[id(value)] = f"v{len(self.variables)}"
            self.variables.append(value)
            self.words.append(f"{found} {value.name}")
            self._type(value.type)
        else:
            self.words.append(found)

    def _type(self, value: Array) -> None:
        """Many values have the same one, or one that says the same."""
        found = self._seen.get(id(value))
        if found is not None:
            self.words.append(found)
            return
        if value.example:
            raise NotDescribed("the number of an example")
        dtype = value.dtype.str if value.dtype.names is None else str(value.dtype.descr)
        content = dtype, value.weak, value.boxed, value.stream, tuple([dim if type(dim) is int else (id(dim),) for dim in value.shape])
        found = self._types.get(content)
        if found is not None:
            self._seen[id(value)] = found
            self.words.append(found)
            return
        self._seen[id(value)] = self._types[content] = f"t{len(self._types)}"
        self.words.append(f"{dtype} {value.weak} {value.boxed} {value.stream}")
        self._add(value.shape)

    def _other(self, value: Any) -> None:
        if isinstance(value, np.dtype):
            self.words.append(f"dtype {value.str if value.names is None else value.descr}")
        elif type(value) is list:
            self.words.append("list")
            self._add(tuple(value))
        elif type(value) is slice:
            self.words.append("slice")
            self._add((value.start, value.stop, value.step))
        elif isinstance(value, Mapping):
            self.words.append(f"mapping {len(value)}")
            for key, each in value.items():
                self._add(key)
                self._add(each)
        else:
            raise NotDescribed(type(value).__name__)


@dataclass(frozen=True)
class _State:
    """What a module holds."""

    names: frozenset[str]
    imports: frozenset[str]
    constants: tuple[tuple[tuple[str, str], str], ...]
    helpers: tuple[str, ...]
    numba: frozenset[str]
    texts: tuple[tuple[str, Helper], ...]

    @staticmethod
    def of(module: Module) -> _State:
        """As it is now."""
        return _State(
            frozenset(module.names), frozenset(module.imports), tuple(module.constants.items()), tuple(module.helpers), frozenset(module.numba),
            tuple(module.texts.items()),
        )  # fmt: skip

    def words(self) -> str:
        """As a text."""
        return repr((sorted(self.names), sorted(self.imports), self.constants, self.helpers, sorted(self.numba), [(name, each.text) for name, each in self.texts]))

    def enter(self, module: Module) -> None:
        """Let the module hold this."""
        module.names.update(self.names)
        module.imports.update(self.imports)
        module.constants.update(self.constants)
        module.helpers.update(dict.fromkeys(self.helpers))
        module.numba.update(self.numba)
        module.texts.update(self.texts)


class KeptKernels:
    """The kernels of one module on their way, those that are kept among them."""

    def __init__(self, store: Store, module: Module, contents: Mapping[Function, Content]) -> None:
        self.store, self.module, self.contents = store, module, contents
        self.keys: dict[Function, str] = {}

    def made(self, function: Function, name: str, make: Callable[[], Lowered]) -> Lowered:
        """A function's kernel of this name: kept, or made and kept."""
        content, before = self.contents[function], _State.of(self.module)
        words = (self.store.stamp, name, *content.words, *(self.keys[each] for each in content.called), before.words())
        key = self.keys[function] = hashlib.sha256("\0".join(words).encode()).hexdigest()
        found = self.store.get(key)
        if found is not None:
            kernel, after = _Unpickler(io.BytesIO(found), content, function).load()
            after.enter(self.module)
            return kernel
        kernel = make()
        with suppress(NotDescribed, pickle.PicklingError, TypeError):  # it holds a variable or an object of its own: it is lowered each time
            self.store.put(key, _written((kernel, _State.of(self.module)), content, function))
        return kernel

    def is_called(self, function: Function, name: str) -> None:
        """A function's kernel has another name in this module, by which those that are kept of its callers call it."""
        self.keys[function] += name


def kept_kernels(store: Store | None, module: Module, functions: Iterable[Function], entry: Function, rows: frozenset[int]) -> KeptKernels | None:
    """The kernels of the functions that an entry calls, by content; None if that can't be told of one of them, or the entry has examples
    (see `Content`). The entry itself is lowered each time: after an edit anywhere it is another one, or the whole module is found.
    """
    if store is None or any(isinstance(node, For | Map) and node.index.type.example for node in walk(entry.body)):
        return None
    try:
        return KeptKernels(store, module, {function: Content(function, rows) for function in functions})
    except NotDescribed:
        return None


def _written(made: Any, content: Content, function: Function) -> bytes:
    file = io.BytesIO()
    pickler = _Pickler(file, content, function)
    try:
        pickler.dump(made)
    finally:
        pickler.reducers.clear()  # they hold the pickler: no garbage that Python must look for
    return file.getvalue()


class _Pickler(pickle.Pickler):
    """A kernel, without the function that it was made of."""

    def __init__(self, file: io.BytesIO, content: Content, function: Function) -> None:
        super().__init__(file, protocol=5)
        self.content, self.function = content, function
        self.reducers = self.dispatch_table = _Reducers(self)

    def variable(self, value: Var) -> Any:
        """By its number."""
        return _variable, (self.content.number(value),)

    def place(self, value: Location) -> Any:
        """By lines from the function's first one."""
        place = self.content.place(value)
        return (Location, tuple(getattr(value, name) for name in given(Location))) if place is None else (_place, place)

    def own(self, value: Function) -> Any:
        """The function itself."""
        if value is not self.function:
            raise NotDescribed(value.name)
        return _own, ()


class _Reducers(dict[type, Callable[[Any], Any]]):
    """How values of a class are written."""

    def __init__(self, pickler: _Pickler) -> None:
        super().__init__({Var: pickler.variable, Location: pickler.place, Function: pickler.own, Operation: _made_of, Slot: _slots_fields, OwnException: _refused})

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        if not kind.__module__.startswith("s2s.") or not hasattr(kind, "__dataclass_fields__"):
            raise KeyError(kind)  # as Python does it
        names = given(kind)
        self[kind] = found = lambda value: (kind, tuple([getattr(value, name) for name in names]))
        return found


def _refused(value: Any) -> Any:
    raise NotDescribed(type(value).__name__)


_OPERATIONS = {id(value): name for name, value in vars(operations).items() if isinstance(value, Operation)}
"""The operations that have names."""


def _made_of(operation: Operation) -> Any:
    """How an operation is found again: passes ask whether two are the same one."""
    written = operation.written
    if id(operation) in _OPERATIONS:
        return _operation, (_OPERATIONS[id(operation)], None)
    makers: list[tuple[str, tuple[Any, ...]]] = []
    match written:
        case Called():
            makers = [("function", (written.function,)), *((make, (dtype,)) for make in ("conversion", "restored") for dtype in SUPPORTED_DTYPES)]
        case Method():
            makers = [("method", (written.name,))]
        case Attribute():
            makers = [("attribute", (written.name,))]
        case Chain():
            makers = [("comparison", written.symbols)]
        case Formula():
            return Operation, tuple(getattr(operation, name) for name in given(Operation))  # of parts that are found again; nobody asks for the whole
    for make, args in makers:
        if _operation(make, args) is operation:
            return _operation, (make, args)
    raise NotDescribed(operation.name)


def _operation(name: str, args: tuple[Any, ...] | None) -> Operation:
    """What `operations` holds under a name, or makes of arguments."""
    found = getattr(operations, name)
    return found if args is None else found(*args)


def _slots_fields(slot: Slot) -> Any:
    return _slot, (slot.name, slot.type, slot.param, slot.written, slot.rebound, slot.moved, slot.fresh, slot.lost, slot.where, slot.hint)


def _slot(name: str, type_: Array, param: bool, written: bool, rebound: bool, moved: bool, fresh: bool, lost: bool, where: Location, hint: str) -> Slot:
    """A variable of a finished kernel: nobody asks any more what it holds."""
    return Slot(name, type_, param=param, written=written, rebound=rebound, moved=moved, fresh=fresh, lost=lost, where=where, hint=hint)


def _variable(_number: int) -> Var:
    raise AssertionError("the reader's own stands in its place")


def _place(*_numbers: int) -> Location:
    raise AssertionError("the reader's own stands in its place")


def _own() -> Function:
    raise AssertionError("the reader's own stands in its place")


class _Unpickler(pickle.Unpickler):
    """The kernel of another function of the same content."""

    def __init__(self, file: io.BytesIO, content: Content, function: Function) -> None:
        super().__init__(file)
        self.own: dict[str, Callable[..., Any]] = {"_variable": content.variables.__getitem__, "_place": content.moved, "_own": lambda: function}

    def find_class(self, module: str, name: str) -> Any:
        return self.own[name] if module == __name__ and name in self.own else super().find_class(module, name)
