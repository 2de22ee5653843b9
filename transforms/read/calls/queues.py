"""collections.deque and heapq: what they hold may be of run time, what comes first is then compared.

    q = deque([a, b], maxlen=3); q.append(c)       a list that drops items at its other end
    heapq.heappush(h, x); heapq.heappop(h)         a list that is kept in order, so that the least comes first

Of a length of run time a deque is a growing array of which it is also known where its first item stands, and a heap is kept as CPython does it
(`composed/lists.py`).
"""
from __future__ import annotations

import collections
import heapq
from collections.abc import Callable
from typing import Any

from s2s.errors import ArgumentTypeError
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.arithmetic import greater_equal
from s2s.transforms.read.calls.item_functions import sorted_items
from s2s.transforms.read.composed import lists
from s2s.transforms.read.composed.pooled_lists import PooledList
from s2s.transforms.read.describing import describe
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow import once
from s2s.transforms.read.flow.items import as_python_int, items_of
from s2s.transforms.read.known import is_known, plain
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import tables
from s2s.transforms.read.storage.changes import writable
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.storage.plans import refused
from s2s.transforms.read.storage.tables import any_length
from s2s.transforms.read.values import Abstract, DequeRef, IteratorRef, ListRef, OneOf, Pooled, View, is_atom, is_number
from s2s.transforms.read.wrapping import as_size
from s2s.types import Literal, is_whole, size_literal

Args = tuple[Abstract, ...]


# ---- deque -------------------------------------------------------------------------------------------------------------------


@asks_python
def deque(reader: Reader, iterable: Abstract = (), maxlen: Abstract = None) -> DequeRef:
    """collections.deque(iterable, maxlen)."""
    if is_atom(maxlen) and not isinstance(maxlen, Literal) and is_whole(maxlen.type.dtype):
        _check_most(reader, maxlen)
        maxlen = as_python_int(reader, as_size(reader, maxlen))
    elif is_known(reader, maxlen):
        maxlen = collections.deque(maxlen=plain(reader, maxlen)).maxlen
    else:
        raise reader.unsupported(f"a deque whose maxlen is {describe(reader, maxlen)}", "an integer or None")
    ref = DequeRef(maxlen=maxlen)
    reader.heap[ref] = ()
    iteration = reader.rules.iterate(iterable)
    if iteration.items is None and iteration.static is None and not isinstance(iterable, View):
        reader.rules.call(lists.extend, (ref, iterable))
        return ref
    _hold(reader, ref, list(items_of(reader, iterable)), from_left=False)
    if is_atom(maxlen) and reader.heap[ref]:
        _drop_first(reader, _grown_to(reader, ref), maxlen)
    return ref


def _check_most(reader: Reader, maxlen: Any) -> None:
    with building(reader.builder):
        fits = greater_equal(reader.value(maxlen), reader.value(Literal(0, maxlen.type)))
    reader.builder.check(fits.atom, "ValueError", "maxlen must be non-negative")


def _grown_to(reader: Reader, ref: DequeRef) -> Grown:
    """What it holds, as of a length that only the run knows: how many items may stay only the run knows."""
    if not any_length(reader, ref):
        raise reader.unsupported("a deque of items of several kinds whose maxlen is known only at run time", "a constant")
    content: Grown = reader.heap[ref]
    return content


def _hold(reader: Reader, ref: DequeRef, items: list[Abstract], *, from_left: bool) -> None:
    """What a deque holds now: no more than it may, what is too much falls out at the end to which nothing was added."""
    if isinstance(ref.maxlen, int) and len(items) > ref.maxlen:
        items = items[: ref.maxlen] if from_left else items[len(items) - ref.maxlen :]
    reader.heap[ref] = tuple(items)


_ADDING = ("append", "appendleft", "extend", "extendleft", "insert")
_CHANGES = ("append", "appendleft", "extend", "extendleft", "insert", "reverse", "clear", "rotate", "pop", "popleft")


@asks_python
def deque_method(reader: Reader, ref: DequeRef, name: str, args: Args) -> tuple[Abstract] | None:
    """(ref.name(*args),) where a deque's method does other things than a list's."""
    content = reader.heap[ref]
    if name not in _CHANGES:
        return None
    writable(reader, ref)
    is_of_run_time = name in ("extend", "extendleft") and any(isinstance(arg, IteratorRef) and not once.is_pullable(reader, arg) for arg in args)
    if (is_atom(ref.maxlen) or is_of_run_time) and name in _ADDING and not isinstance(content, Grown):
        if not content and name in ("append", "appendleft"):
            reader.heap[ref] = args
            _drop_first(reader, _grown_to(reader, ref), ref.maxlen)
            return (None,)
        if not content:
            reader.rules.call(lists.extend if name == "extend" else lists.extend_left, (ref, *args))
            return (None,)
        content = _grown_to(reader, ref)
    if isinstance(content, Grown):
        return (_growing_deque(reader, ref, content, name, args),)
    items = list(content)
    if name == "insert" and ref.maxlen is not None and len(items) >= ref.maxlen:
        raise IndexError("deque already at its maximum size")
    if name in ("insert", "rotate") and not is_known(reader, args[:1]):
        raise reader.unsupported(f"deque.{name} by a number known only at run time", "an array, and positions")
    if name in ("pop", "popleft") and not items:
        raise IndexError("pop from an empty deque")
    queue = collections.deque(items)
    given = tuple(plain(reader, arg) for arg in args[:1]) + args[1:] if name in ("insert", "rotate") else args
    if name in ("extend", "extendleft"):
        given = (items_of(reader, args[0]),)
    result = getattr(queue, name)(*given)
    _hold(reader, ref, list(queue), from_left=name in ("appendleft", "extendleft"))
    return (result,)


def _growing_deque(reader: Reader, ref: DequeRef, content: Grown, name: str, args: Args) -> Abstract:
    """A method of a deque whose length is known only at run time."""
    if content.first is None:
        raise reader.unsupported(f"deque.{name} of a deque that is another one on another path", "one deque, or a list")
    result: Abstract = None
    if name == "append":
        tables.append(reader, content, args[0])
    elif name in ("pop", "popleft"):
        _check_filled(reader, content)
        result = tables.pop(reader, content) if name == "pop" else tables.pop_first(reader, content)
    elif name == "clear":
        reader.heap[content.counter] = content.start
    elif name == "extendleft":
        reader.rules.call(lists.extend_left, (ref, args[0]))
    elif ref.maxlen is not None and name in _LIMITED:
        reader.rules.call(_LIMITED[name], (ref, *args, ref.maxlen))
    else:
        given = (ref, 0, *args) if name == "appendleft" else (ref, *args)
        reader.rules.call(_MOVING["insert" if name == "appendleft" else name], given)
    if ref.maxlen is not None and name == "append":
        _drop_first(reader, content, ref.maxlen)
    return result


_MOVING = {"insert": lists.insert, "extend": lists.extend, "reverse": lists.reverse, "rotate": lists.rotate}
_LIMITED = {"appendleft": lists.appendleft, "insert": lists.insert_below}
"""Of a deque with a maxlen: what is appended to it in between must not make its first item fall out."""


def _check_filled(reader: Reader, content: Grown) -> None:
    if not reader.builder.proves_at_least(content.length, 1):
        (filled,) = reader.builder.equation(greater_equal, (content.length, size_literal(1)))
        reader.builder.check(filled, "IndexError", "pop from an empty deque")


def _drop_first(reader: Reader, content: Grown, most: Abstract) -> None:
    """Let items fall out at the front."""
    assert content.first is not None
    kept = most if isinstance(most, int) else as_size(reader, most)
    reader.heap[content.first] = sizes.larger(reader.builder, content.start, sizes.minus(reader.builder, content.end, kept))


# ---- heapq -------------------------------------------------------------------------------------------------------------------


def _check_heap(reader: Reader, heap: Abstract) -> None:
    if isinstance(heap, Pooled) and heap.pool.kind is PooledList:
        return
    if not isinstance(heap, ListRef) or isinstance(heap, DequeRef):
        raise ArgumentTypeError(f"heap argument must be a list, not {type(heap).__name__ if not isinstance(heap, DequeRef) else 'deque'}", where=reader.builder.where)
    writable(reader, heap)


def _is_growing(reader: Reader, heap: Abstract) -> bool:
    """Whether it is a list of run-time length; one with items that only the run knows becomes one, whose items stand where CPython has them."""
    _check_heap(reader, heap)
    if isinstance(heap, Pooled) or isinstance(reader.heap[heap], Grown):
        return True
    content = _heap(reader, heap)
    asked = any(map(_has_pooled, content)) or not is_known(reader, tuple(content))
    return asked and any_length(reader, heap)


def _has_pooled(item: Abstract) -> bool:
    return isinstance(item, Pooled) or isinstance(item, tuple) and any(map(_has_pooled, item))


def _heap(reader: Reader, heap: Abstract) -> list[Abstract]:
    _check_heap(reader, heap)
    return list(reader.heap[heap])


class _Item:
    """An item of a heap of known things, which Python compares as the object that it is."""

    def __init__(self, reader: Reader, value: Abstract) -> None:
        self.value, self.known = value, plain(reader, value)

    def __lt__(self, other: _Item) -> bool:
        return bool(self.known < other.known)


@asks_python
def _by_python(reader: Reader, function: Callable[..., Any], heap: Abstract, *items: Abstract) -> tuple[Abstract] | None:
    """(its value,) where all is known: by Python, the heap is what Python makes of it, of the same items."""
    content = _heap(reader, heap)
    if not is_known(reader, (*content, *items)):
        return None
    held = [_Item(reader, item) for item in content]
    result = function(held, *(_Item(reader, item) for item in items))
    reader.heap[heap] = tuple(item.value for item in held)
    return (result.value if isinstance(result, _Item) else result,)


def _ordered(reader: Reader, heap: Abstract, items: list[Abstract]) -> None:
    """Of run-time values that are of several types the whole list is in order: what heappop and heap[0] give is the same, its other items stand elsewhere."""
    if not all(map(_is_plain, items)):
        refusal = reader.unsupported("a heap of other things than numbers and tuples of numbers, whose order only the run knows", "(number, index) pairs")
        raise refused(reader, refusal, *items)
    reader.heap[heap] = tuple(sorted_items(reader, items, items, reverse=False))
    if len(items) > 2:
        reader.session.heaps.add(heap)


def _is_plain(item: Abstract) -> bool:
    return all(map(_is_number, item if isinstance(item, tuple) and type(item).__lt__ is tuple.__lt__ else (item,)))


def _is_number(value: Abstract) -> bool:
    is_text = isinstance(value, str) or isinstance(value, OneOf) and all(isinstance(option, str) for option in value.options)
    return is_text or is_atom(value) or is_number(value)


def _heapify(reader: Reader, heap: Abstract) -> Abstract:
    if _is_growing(reader, heap):
        return reader.rules.call(lists.heapify, (heap,))
    if _by_python(reader, heapq.heapify, heap) is None:
        _ordered(reader, heap, _heap(reader, heap))
    return None


def _push(reader: Reader, heap: Abstract, item: Abstract) -> Abstract:
    if _is_growing(reader, heap):
        return reader.rules.call(lists.heappush, (heap, item))
    if not _is_plain(item) and not _heap(reader, heap):  # which of them comes first is asked when there are two
        reader.heap[heap] = (item,)
        return None
    if _by_python(reader, heapq.heappush, heap, item) is None:
        _ordered(reader, heap, [*_heap(reader, heap), item])
    return None


def _pop(reader: Reader, heap: Abstract) -> Abstract:
    if _is_growing(reader, heap):
        return reader.rules.call(lists.heappop, (heap,))
    items = _heap(reader, heap)
    if not items:
        raise IndexError("index out of range")
    if (found := _by_python(reader, heapq.heappop, heap)) is not None:
        return found[0]
    _ordered(reader, heap, items)
    first, *rest = reader.heap[heap]
    reader.heap[heap] = tuple(rest)
    return first


def _push_pop(reader: Reader, heap: Abstract, item: Abstract) -> Abstract:
    if _is_growing(reader, heap):
        return reader.rules.call(lists.heappushpop, (heap, item))
    _push(reader, heap, item)
    return _pop(reader, heap)


def _replace(reader: Reader, heap: Abstract, item: Abstract) -> Abstract:
    if _is_growing(reader, heap):
        return reader.rules.call(lists.heapreplace, (heap, item))
    first = _pop(reader, heap)
    _push(reader, heap, item)
    return first


def _best(*, largest: bool) -> Callable[..., Abstract]:
    def rule(reader: Reader, n: Abstract, iterable: Abstract, key: Abstract = None) -> Abstract:
        """heapq.nsmallest, nlargest: sorted(iterable)[:n]."""
        ordered = reader.rules.call(sorted, (iterable,), {"key": key, "reverse": largest})
        return reader.rules.item(ordered, slice(None, reader.rules.call(max, (n, 0))))

    return rule


def _merge(reader: Reader, *iterables: Abstract, **kwargs: Abstract) -> Abstract:
    """heapq.merge(*iterables, key=None, reverse=False)."""
    return reader.rules.call(lists.merge, iterables, kwargs)


QUEUES: dict[str, Callable[..., Abstract]] = {
    "collections.deque": deque, "heapq.heapify": _heapify, "heapq.heappush": _push, "heapq.heappop": _pop, "heapq.heappushpop": _push_pop, "heapq.heapreplace": _replace,
    "heapq.nsmallest": _best(largest=False), "heapq.nlargest": _best(largest=True), "heapq.merge": _merge,
}  # fmt: skip

__all__ = ["QUEUES", "deque_method"]
