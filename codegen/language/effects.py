"""What statements read and write, found once for each statement: they don't change, and most passes keep most of them."""
from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from s2s.codegen.language.expressions import Expr, Length, Load, Name, Op, names_read
from s2s.codegen.language.expressions import walk as walk_expr
from s2s.codegen.language.operations import ADD, NEGATE, SUBTRACT, added, apply
from s2s.codegen.language.statements import Alloc, Assign, Body, CallKernel, Loop, Raise, Return, Statement, Store, expressions
from s2s.records import cached_property, dataclass, field

Key = TypeVar("Key")
Answer = TypeVar("Answer")


class Remembered(Generic[Key, Answer]):
    """What a function says of values that don't change: kept with each of them, as to compare them takes as long as to ask."""

    def __init__(self, function: Callable[[Key], Answer]) -> None:
        self.function = function
        self.name = f"<{function.__module__}.{function.__qualname__}>"

    def __call__(self, value: Key) -> Answer:
        known: dict[str, Answer] = vars(value)
        try:
            return known[self.name]
        except KeyError:
            answer = known[self.name] = self.function(value)
            return answer

    def remember(self, value: Key, answer: Answer) -> None:
        """Note what the function says of a value, where that is known otherwise."""
        vars(value)[self.name] = answer


@dataclass
class Effects:
    """What statements read and write: scalars by name, arrays with the indices of every access. Not to be changed: it is shared."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    loads: dict[str, list[tuple[Expr, ...]]] = field(default_factory=dict)
    stores: dict[str, list[tuple[Expr, ...]]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    """Arrays that are read, or stored otherwise than by adding to an element."""
    indices: set[str] = field(default_factory=set)
    """Of the loops among them."""
    raises: bool = False
    opaque: bool = False
    """Calls, allocations and moves of arrays: never joined."""
    grows: bool = False
    """It is of what is being put together (`grown`), and nobody else's: the one that may be changed."""

    @cached_property
    def touched(self) -> frozenset[str]:
        return frozenset(self.reads | self.writes | set(self.loads) | set(self.stores))

    @cached_property
    def changed(self) -> frozenset[str]:
        return frozenset(self.writes | set(self.stores))

    @cached_property
    def accessed(self) -> frozenset[str]:
        """The arrays of which elements are loaded or stored."""
        return frozenset(self.loads.keys() | self.stores.keys())


def effects(statements: Iterable[Statement]) -> Effects:
    """The effects of statements together."""
    parts = [effects_of(statement) for statement in statements]
    return parts[0] if len(parts) == 1 else together(parts)


def together(parts: Iterable[Effects]) -> Effects:
    """Several effects as those of one statement."""
    found = Effects()
    for part in parts:
        _add(found, part)
    return found


def grown(found: Effects, more: Effects) -> Effects:
    """The effects of statements and of more behind them, whose own are added to what the statements' were before: of those nobody may ask any more."""
    if not found.grows:
        found = together((found,))
        found.grows = True
    _add(found, more)
    for name in _FOUND:
        vars(found).pop(name, None)
    return found


_FOUND = ("touched", "changed", "accessed")
"""What is found when it is asked for, and then kept."""


def _add(found: Effects, part: Effects) -> None:
    found.reads |= part.reads
    found.writes |= part.writes
    found.used |= part.used
    found.indices |= part.indices
    found.raises |= part.raises
    found.opaque |= part.opaque
    for mine, theirs in ((found.loads, part.loads), (found.stores, part.stores)):
        for array, places in theirs.items():
            if array in mine:
                mine[array] += places
            else:
                mine[array] = [*places]


def _effects_of(statement: Statement) -> Effects:
    blocks = statement.bodies
    found = together([effects_of(inner) for body in blocks for inner in body]) if blocks else Effects()
    _add_expressions(found, statement)
    match statement:
        case Assign():
            found.writes.update(statement.targets)
            found.opaque |= statement.move
        case Store():
            found.stores.setdefault(statement.array, []).append(statement.index)
            if statement.op:
                found.loads.setdefault(statement.array, []).append(statement.index)
            if statement.op not in (ADD, SUBTRACT) and _added_to(statement) is None:
                found.used.add(statement.array)
        case Loop():
            found.indices.add(statement.index)
            found.reads.discard(statement.index)
        case Alloc():
            found.writes.add(statement.name)
        case CallKernel():
            found.opaque = found.raises = True
            found.writes.update((*statement.targets, *statement.writes))
        case Raise() | Return():
            found.raises = True
        case _:
            pass
    return found


effects_of = Remembered(_effects_of)
"""The effects of one statement, those of its blocks among them."""


def raises_in_loops(statement: Statement) -> bool:
    """Whether a loop among the statement and its blocks may raise."""
    found = effects_of(statement)
    return found.raises and bool(found.indices)


def _effects_within(loop: Loop) -> Effects:
    return effects(loop.body)


effects_within = Remembered(_effects_within)
"""The effects of a loop's body."""


def _add_expressions(found: Effects, statement: Statement) -> None:
    """What the statement's own expressions read."""
    added_to = _added_to(statement)
    for expr in expressions(statement):
        for part in walk_expr(expr):
            if type(part) is Name:
                found.reads.add(part.id)
            elif type(part) is Load:
                found.loads.setdefault(part.array, []).append(part.index)
                if part is not added_to:
                    found.used.add(part.array)
            elif type(part) is Length:
                found.reads.add(part.array)


def _added_to(statement: Statement) -> Expr | None:
    """The element that `array[index] = array[index] + value` adds to, as it is read there."""
    if not isinstance(statement, Store) or statement.op is not None or added(statement.value, Load(statement.array, statement.index)) is None:
        return None
    assert isinstance(statement.value, Op)
    first, second = statement.value.operands
    return first if statement.array not in names_read(second) else None


def term_added(statement: Statement) -> Expr | None:
    """What a store adds to its element."""
    if not isinstance(statement, Store):
        return None
    value = statement.value
    if statement.op is None:
        return added(value, Load(statement.array, statement.index))
    return value if statement.op is ADD else apply(NEGATE, value) if statement.op is SUBTRACT else None


def depends(first: Effects, second: Effects, *, free: bool = False) -> bool:
    """Whether the order of two pieces of a program matters. `free`: the order in which they add to elements does not."""
    both = first.changed & second.touched | second.changed & first.touched
    return bool(both - (first.stores.keys() & second.stores.keys()) | both & (first.used | second.used | first.writes | second.writes) if free else both)


@dataclass
class _Index:
    """A body, and the numbers of its statements by name: which access an array's elements, which change what a name or an array holds."""

    body: Body
    users: dict[str, list[int]] = field(default_factory=dict)
    changers: dict[str, list[int]] = field(default_factory=dict)
    binders: dict[str, int] = field(default_factory=dict)


class Users:
    """Which statements of a body access the elements of an array, which bind or change a name. Each body is gone through once, however
    many arrays are asked for, and not again where a few of its statements are replaced (`with_replaced`).
    """

    def __init__(self) -> None:
        self.known: dict[int, _Index] = {}

    def _of(self, body: Body) -> _Index:
        if id(body) not in self.known:
            index = self.known[id(body)] = _Index(body)  # the body is kept, so that its id stays its own
            for number, statement in enumerate(body):
                found = effects_of(statement)
                for name in found.accessed:
                    index.users.setdefault(name, []).append(number)
                for name in found.changed | found.indices:
                    index.changers.setdefault(name, []).append(number)
                for name in found.writes:
                    index.binders.setdefault(name, number)
        return self.known[id(body)]

    def users(self, body: Body, name: str) -> list[int]:
        """The numbers of the statements that load or store elements of the array."""
        return self._of(body).users.get(name, [])

    def binder(self, body: Body, name: str) -> int | None:
        """The number of the first statement that binds the name, in its blocks too."""
        return self._of(body).binders.get(name)

    def changes(self, body: Body, name: str, first: int, last: int) -> bool:
        """Whether one of the statements from `first` to `last` changes what the name or the array holds, or is a loop over it."""
        found = self._of(body).changers.get(name, [])
        return bisect_left(found, first) < bisect_right(found, last)

    def with_replaced(self, body: Body, new: dict[int, Statement]) -> Body:
        """The body with some statements replaced, none of which binds more than before. The old one must not be asked of again."""
        index = self._of(body)
        changed = list(body)
        for number, statement in new.items():
            before, after = effects_of(body[number]), effects_of(statement)
            _renumber(index.users, before.accessed, after.accessed, number)
            _renumber(index.changers, before.changed | before.indices, after.changed | after.indices, number)
            changed[number] = statement
        del self.known[id(body)]
        index.body = tuple(changed)
        self.known[id(index.body)] = index
        return index.body


def _renumber(numbers: dict[str, list[int]], before: frozenset[str] | set[str], after: frozenset[str] | set[str], number: int) -> None:
    for name in before - after:
        numbers[name].remove(number)
    for name in after - before:
        insort(numbers.setdefault(name, []), number)


def accesses(statements: Iterable[Statement], name: str) -> Iterator[tuple[Expr, ...]]:
    """The index of every store into the array `name` and every load of it."""
    for statement in statements:
        if name not in effects_of(statement).accessed:
            continue
        if isinstance(statement, Store) and statement.array == name:
            yield statement.index
        parts = (part for expr in expressions(statement) for part in walk_expr(expr))
        yield from (part.index for part in parts if isinstance(part, Load) and part.array == name)
        for body in statement.bodies:
            yield from accesses(body, name)


def touches(statement: Statement, name: str) -> bool:
    """Whether an element of the array `name` is loaded or stored."""
    return name in effects_of(statement).accessed
