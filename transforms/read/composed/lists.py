"""Python's lists, deques and heaps, of run-time length: what moves items about, as CPython does it (`Lib/heapq.py`), so that the list is in the same order."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

# ---- heapq -----------------------------------------------------------------------------------------------------------------------


def heappush(heap, item):
    """heapq.heappush."""
    heap.append(item)
    _sift_down(heap, 0, len(heap) - 1)


def heappop(heap):
    """heapq.heappop."""
    if len(heap) == 0:
        raise IndexError("index out of range")
    last = heap.pop()
    found = last
    if len(heap) > 0:
        found = heap[0]
        heap[0] = last
        _sift_up(heap, 0)
    return found


def heapreplace(heap, item):
    """heapq.heapreplace."""
    if len(heap) == 0:
        raise IndexError("index out of range")
    found = heap[0]
    heap[0] = item
    _sift_up(heap, 0)
    return found


def heappushpop(heap, item):
    """heapq.heappushpop."""
    found = item
    if len(heap) > 0 and heap[0] < item:
        found = heap[0]
        heap[0] = item
        _sift_up(heap, 0)
    return found


def merge(*iterables, key=None, reverse=False):
    """heapq.merge: of two items that are equal that of the earlier iterable comes first."""
    merged = []
    for each in iterables:
        merged = _merged(merged, list(each), key, reverse)
    return iter(merged)


def _merged(one, two, key, reverse):
    """The items of two lists in order."""
    merged = []
    i = j = 0
    while i < len(one) or j < len(two):
        if j == len(two) or i < len(one) and not _comes_before(two[j], one[i], key, reverse):
            merged.append(one[i])
            i += 1
        else:
            merged.append(two[j])
            j += 1
    return merged


def _comes_before(a, b, key, reverse):
    a, b = (a, b) if key is None else (key(a), key(b))
    return b < a if reverse else a < b


def heapify(heap):
    """heapq.heapify."""
    for place in range(len(heap) // 2 - 1, -1, -1):
        _sift_up(heap, place)


def _sift_down(heap, start, place):
    """An item that may be too small for its place goes towards the front."""
    item = heap[place]
    while place > start:
        parent = (place - 1) >> 1
        above = heap[parent]
        if not item < above:
            break
        heap[place] = above
        place = parent
    heap[place] = item


def _sift_up(heap, place):
    """An item that may be too large goes to the end, then towards the front: fewer comparisons, as most of them belong to the end."""
    end = len(heap)
    start = place
    item = heap[place]
    child = 2 * place + 1
    while child < end:
        right = child + 1
        if right < end and not heap[child] < heap[right]:
            child = right
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    _sift_down(heap, start, place)


# ---- lists -----------------------------------------------------------------------------------------------------------------------


def append(items, item):
    """list.append."""
    items.append(item)


def insert(items, place, item):
    """list.insert."""
    count = len(items)
    if place < 0:
        place = max(place + count, 0)
    place = min(place, count)
    items.append(item)
    for k in range(count, place, -1):
        items[k] = items[k - 1]
    items[place] = item


def appendleft(items, item, most):
    """deque.appendleft, of a deque with a maxlen: the last item falls out first, where it is full."""
    if most > 0:
        if len(items) == most:
            items.pop()
        insert(items, 0, item)


def insert_below(items, place, item, most):
    """deque.insert, of a deque with a maxlen."""
    if len(items) >= most:
        raise IndexError("deque already at its maximum size")
    insert(items, place, item)


def pop(items, place):
    """list.pop of a place."""
    count = len(items)
    if count == 0:
        raise IndexError("pop from empty list")
    if place < 0:
        place = place + count
    if place < 0 or place >= count:
        raise IndexError("pop index out of range")
    item = items[place]
    for k in range(place, count - 1):
        items[k] = items[k + 1]
    items.pop()
    return item


def delete(items, place):
    """del items[place]."""
    count = len(items)
    if place < 0:
        place = place + count
    if place < 0 or place >= count:
        raise IndexError("list assignment index out of range")
    for k in range(place, count - 1):
        items[k] = items[k + 1]
    items.pop()


def reverse(items):
    """list.reverse."""
    last = len(items) - 1
    for k in range(len(items) // 2):
        item = items[k]
        items[k] = items[last - k]
        items[last - k] = item


def extend(items, others):
    """list.extend."""
    for item in others:
        items.append(item)


def extend_left(queue, others):
    """deque.extendleft."""
    for item in others:
        queue.appendleft(item)


def joined(items, others):
    """items + others of lists."""
    found = items[:]
    for item in others:
        found.append(item)
    return found


def times(items, number):
    """items * number of a list."""
    found = items[:0]
    for _ in range(number):
        for item in items:
            found.append(item)
    return found


def equal(a, b):
    """a == b of lists."""
    same = len(a) == len(b)
    if same:
        for k in range(len(a)):
            if a[k] != b[k]:
                same = False
                break
    return same


def ordered(compare, a, b):
    """a < b of lists, or another order: the first items that are not equal decide, else the lengths."""
    most = min(len(a), len(b))
    place = 0
    while place < most and a[place] == b[place]:
        place += 1
    if place < most:
        return compare(a[place], b[place])
    return compare(len(a), len(b))


def bounds(count, start, stop):
    """Where a part begins and ends, as Python cuts it."""
    begin = 0 if start is None else min(max(start + count, 0), count) if start < 0 else min(start, count)
    end = count if stop is None else min(max(stop + count, 0), count) if stop < 0 else min(stop, count)
    return begin, max(begin, end)


def _bounds_backwards(count, start, stop):
    """Where a part begins and ends that is gone through from its end, as Python cuts it."""
    begin = count - 1 if start is None else max(start + count, -1) if start < 0 else min(start, count - 1)
    end = -1 if stop is None else max(stop + count, -1) if stop < 0 else min(stop, count - 1)
    return begin, end


def delete_part(items, start, stop):
    """del items[start:stop]."""
    count = len(items)
    begin, end = bounds(count, start, stop)
    for k in range(end, count):
        items[begin + k - end] = items[k]
    for _ in range(end - begin):
        items.pop()


def store_part(items, start, stop, values):
    """items[start:stop] = values."""
    count = len(items)
    begin, end = bounds(count, start, stop)
    rest = items[end:]
    for _ in range(count - begin):
        items.pop()
    for value in values:
        items.append(value)
    for value in rest:
        items.append(value)


def store_stepped(items, start, stop, step, values):
    """items[start:stop:step] = values."""
    if step == 0:
        raise ValueError("slice step cannot be zero")
    if step == 1:
        store_part(items, start, stop, values[:])
    else:
        begin, end = bounds(len(items), start, stop) if step > 0 else _bounds_backwards(len(items), start, stop)
        places = range(begin, end, step)
        if len(places) != len(values):
            raise ValueError(f"attempt to assign sequence of size {len(values)} to extended slice of size {len(places)}")
        held = values[:]  # which may be the list itself
        for k in range(len(places)):
            items[begin + k * step] = held[k]


def reduced(function, items, *initial):
    """functools.reduce."""
    if not initial and len(items) == 0:
        raise TypeError("reduce() of empty iterable with no initial value")
    found = initial[0] if initial else items[0]
    for k in range(0 if initial else 1, len(items)):
        found = function(found, items[k])
    return found


def place_of(items, item):
    """Where the first item stands that is equal; -1 where there is none."""
    found = -1
    for place in range(len(items)):
        if items[place] == item:
            found = place
            break
    return found


def place_between(items, item, start, stop=None):
    """Where the first item stands that is equal, of those from start to stop; -1 where there is none."""
    begin, end = bounds(len(items), start, stop)
    found = -1
    for place in range(begin, end):
        if items[place] == item:
            found = place
            break
    return found


def count_of(items, item):
    """list.count."""
    found = 0
    for each in items:
        if each == item:
            found += 1
    return found


def rotate(queue, steps):
    """deque.rotate."""
    if len(queue) > 0:
        for _ in range(-steps % len(queue)):
            queue.append(queue.popleft())


# ---- in order ----------------------------------------------------------------------------------------------------------------------


def places_in_order(keys, backwards):
    """Where the items stand whose keys these are, in order: runs that are in order, merged into longer ones; equal ones stay as they are."""
    count = len(keys)
    places = list(range(count))
    width = 1
    while width < count:
        merged = [0] * count
        for start in range(0, count, 2 * width):
            middle, end = min(start + width, count), min(start + 2 * width, count)
            left, right = start, middle
            for k in range(start, end):
                one, two = min(left, count - 1), min(right, count - 1)
                earlier = right < end and (left >= middle or (keys[places[one]] < keys[places[two]] if backwards else keys[places[two]] < keys[places[one]]))
                merged[k] = places[two] if earlier else places[one]
                if earlier:
                    right += 1
                else:
                    left += 1
        places = merged
        width *= 2
    return places


# ---- the first of the best ---------------------------------------------------------------------------------------------------------


def itself(item):
    """The key where none is given."""
    return item


def first(pair):
    """The key by which pairs are in order of which no two have the same first part."""
    return pair[0]


def or_default(function, items, key, default):
    """min or max of items, default where there are none."""
    if len(items) == 0:
        return default
    return function(items, key=key)


def smallest_of(items, key):
    """The place of min(items, key=key)."""
    if len(items) == 0:
        raise ValueError("min() iterable argument is empty")
    return _best_of(items, key, lambda each, best: each < best)


def largest_of(items, key):
    """The place of max(items, key=key)."""
    if len(items) == 0:
        raise ValueError("max() iterable argument is empty")
    return _best_of(items, key, lambda each, best: each > best)


def _best_of(items, key, is_better):
    """The first place whose key none is better than."""
    place = 0
    best = key(items[0])
    for k in range(1, len(items)):
        each = key(items[k])
        if is_better(each, best):
            place = k
            best = each
    return place


def shortest(rows):
    """How many places all rows have."""
    found = len(rows[0]) if len(rows) > 0 else 0
    for row in rows:
        found = min(found, len(row))
    return found
