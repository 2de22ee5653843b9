"""Functions of the modules bisect and operator, as Python: they are read like a user's."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

# ---- bisect ----------------------------------------------------------------------------------------------------------------------


def bisect_left(a, x, lo=0, hi=None, *, key=None):
    """bisect.bisect_left: the first place whose item is not smaller."""
    return _halved(a, lo, hi, key, lambda item: item < x)


def bisect_right(a, x, lo=0, hi=None, *, key=None):
    """bisect.bisect_right: the first place whose item is larger."""
    return _halved(a, lo, hi, key, lambda item: not x < item)


def _halved(a, lo, hi, key, stands_before):
    """The first place whose item does not stand before what is looked for, by halving."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi is None:
        hi = len(a)
    while lo < hi:
        middle = (lo + hi) // 2
        item = a[middle]
        if stands_before(item if key is None else key(item)):
            lo = middle + 1
        else:
            hi = middle
    return lo


def insort_left(a, x, lo=0, hi=None, *, key=None):
    """bisect.insort_left."""
    a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


def insort_right(a, x, lo=0, hi=None, *, key=None):
    """bisect.insort_right."""
    a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)


# ---- operator --------------------------------------------------------------------------------------------------------------------


def itemgetter(item, /, *items):
    """operator.itemgetter."""
    if len(items) == 0:
        return lambda thing: thing[item]
    return lambda thing: tuple([thing[key] for key in (item, *items)])


def attrgetter(attr, /, *attrs):
    """operator.attrgetter."""
    if len(attrs) == 0:
        return lambda thing: _attribute(thing, attr)
    return lambda thing: tuple([_attribute(thing, name) for name in (attr, *attrs)])


def _attribute(thing, names):
    for name in names.split("."):
        thing = getattr(thing, name)
    return thing


def methodcaller(name, /, *args, **kwargs):
    """operator.methodcaller."""
    return lambda thing: getattr(thing, name)(*args, **kwargs)


def setitem(a, b, c, /):
    """operator.setitem."""
    a[b] = c


def delitem(a, b, /):
    """operator.delitem."""
    del a[b]


def is_(a, b, /):
    """operator.is_."""
    return a is b


def is_not(a, b, /):
    """operator.is_not."""
    return a is not b


def count_of(a, b, /):
    """operator.countOf."""
    return list(a).count(b)


def index_of(a, b, /):
    """operator.indexOf."""
    items = list(a)
    if b not in items:
        raise ValueError("sequence.index(x): x not in sequence")
    return items.index(b)


def call(obj, /, *args, **kwargs):
    """operator.call."""
    return obj(*args, **kwargs)


def iadd(a, b, /):
    """operator.iadd."""
    a += b
    return a


def isub(a, b, /):
    """operator.isub."""
    a -= b
    return a


def imul(a, b, /):
    """operator.imul."""
    a *= b
    return a


def itruediv(a, b, /):
    """operator.itruediv."""
    a /= b
    return a


def ifloordiv(a, b, /):
    """operator.ifloordiv."""
    a //= b
    return a


def imod(a, b, /):
    """operator.imod."""
    a %= b
    return a


def ipow(a, b, /):
    """operator.ipow."""
    a **= b
    return a


def iand(a, b, /):
    """operator.iand."""
    a &= b
    return a


def ior(a, b, /):
    """operator.ior."""
    a |= b
    return a


def ixor(a, b, /):
    """operator.ixor."""
    a ^= b
    return a


def imatmul(a, b, /):
    """operator.imatmul."""
    a @= b
    return a
