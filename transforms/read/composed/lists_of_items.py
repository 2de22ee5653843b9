"""itertools' functions and filter, where only the run knows which items there are: lists of what Python's iterators give one by one."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from s2s.transforms.read.composed.marks import unsupported

# ---- some of the items -------------------------------------------------------------------------------------------------------------


def selected(function, items):
    """filter."""
    found = []
    for item in items:
        if item if function is None else function(item):
            found.append(item)
    return found


def rejected(function, items):
    """itertools.filterfalse."""
    found = []
    for item in items:
        if not (item if function is None else function(item)):
            found.append(item)
    return found


def takewhile(function, items):
    """itertools.takewhile."""
    found = []
    for item in items:
        if not function(item):
            break
        found.append(item)
    return found


def dropwhile(function, items):
    """itertools.dropwhile."""
    found = []
    begun = False
    for item in items:
        if begun or not function(item):
            begun = True
            found.append(item)
    return found


def compress(items, selectors):
    """itertools.compress."""
    found = []
    for item, test in zip(items, selectors):  # noqa: B905
        if test:
            found.append(item)
    return found


def repeat(item, times):
    """itertools.repeat."""
    return [item for _ in range(times)]


def islice(items, *bounds):
    """itertools.islice."""
    part = slice(*bounds)
    for bound in (part.start, part.stop, part.step):
        if bound is not None and bound < 0:
            raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    begin, step = 0 if part.start is None else part.start, 1 if part.step is None else part.step
    found = []
    for place, item in enumerate(items):
        if part.stop is not None and place >= part.stop:
            break
        if place >= begin and (place - begin) % step == 0:
            found.append(item)
    return found


# ---- one after the other -------------------------------------------------------------------------------------------------------------


def chain(*iterables):
    """itertools.chain."""
    found = []
    for items in iterables:
        found.extend(items)
    return found


def accumulate(iterable, func=None, *, initial=None):
    """itertools.accumulate."""
    totals = [] if initial is None else [initial]
    for item in iterable:
        if len(totals) == 0:
            totals.append(item)
        else:
            totals.append(totals[-1] + item if func is None else func(totals[-1], item))
    return totals


def pairwise(iterable):
    """itertools.pairwise."""
    items = list(iterable)
    return [(items[k], items[k + 1]) for k in range(len(items) - 1)]


def zip_longest(*iterables, fillvalue=None):
    """itertools.zip_longest of two."""
    if len(iterables) != 2 or fillvalue is None:
        raise unsupported("itertools.zip_longest of run-time lengths, of other than two, or without a fillvalue", "a loop, and an if")
    one, other = list(iterables[0]), list(iterables[1])
    found = []
    for k in range(max(len(one), len(other))):
        first = one[k] if k < len(one) else fillvalue
        found.append((first, other[k] if k < len(other) else fillvalue))
    return found


# ---- together with each other --------------------------------------------------------------------------------------------------------


def combinations(iterable, r):
    """itertools.combinations of two or three."""
    return _combined(list(iterable), r, 1)


def combinations_with_replacement(iterable, r):
    """itertools.combinations_with_replacement of two or three."""
    return _combined(list(iterable), r, 0)


def _combined(items, r, apart):
    found = []
    if r == 2:
        for j in range(len(items)):
            for k in range(j + apart, len(items)):
                found.append((items[j], items[k]))
    elif r == 3:
        for i in range(len(items)):
            for j in range(i + apart, len(items)):
                for k in range(j + apart, len(items)):
                    found.append((items[i], items[j], items[k]))
    else:
        raise unsupported("combinations of run-time lengths, of other than two or three", "nested loops")
    return found


def permutations(iterable, r=None):
    """itertools.permutations of two."""
    if r != 2:
        raise unsupported("itertools.permutations of run-time lengths, of other than two", "nested loops")
    items = list(iterable)
    found = []
    for j in range(len(items)):
        for k in range(len(items)):
            if j != k:
                found.append((items[j], items[k]))
    return found


def product(*iterables):
    """itertools.product of two or three."""
    found = []
    if len(iterables) == 2:
        for one in iterables[0]:
            for other in iterables[1]:
                found.append((one, other))
    elif len(iterables) == 3:
        for one in iterables[0]:
            for other in iterables[1]:
                for third in iterables[2]:
                    found.append((one, other, third))
    else:
        raise unsupported("itertools.product of run-time lengths, of other than two or three", "nested loops")
    return found


def groupby(iterable, key=None):
    """itertools.groupby, by where the keys change. (A group that is kept for later is empty in Python: such are refused, as no list holds an iterator.)"""
    items = list(iterable)
    keys = items if key is None else [key(item) for item in items]
    starts = [place for place in range(len(items)) if place == 0 or keys[place] != keys[place - 1]]
    ends = [*starts[1:], len(items)]
    return map(lambda start, end: (keys[start], iter(items[start:end])), starts, ends)
