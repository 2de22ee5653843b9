"""Functions of functools and contextlib, and pow of three integers, as Python: they are read like a user's."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from types import SimpleNamespace

from s2s.transforms.read.composed.marks import named_as, unsupported
from s2s.transforms.read.values import STANDS_FOR


def wraps(wrapped, assigned=(), updated=()):
    """functools.wraps: what the function is called is all that is seen of it."""
    return lambda wrapper: named_as(wrapper, wrapped)


def update_wrapper(wrapper, wrapped, assigned=(), updated=()):
    """functools.update_wrapper."""
    return named_as(wrapper, wrapped)


class Compared:
    """What functools.cmp_to_key makes of an item."""

    def __init__(self, mycmp, obj):
        self.mycmp, self.obj = mycmp, obj

    def __lt__(self, other):
        return self.mycmp(self.obj, other.obj) < 0

    def __gt__(self, other):
        return self.mycmp(self.obj, other.obj) > 0


def cmp_to_key(mycmp):
    """functools.cmp_to_key."""
    return lambda obj: Compared(mycmp, obj)


class Namespace:  # noqa: PLW1641 - as Python's it has no hash
    """types.SimpleNamespace."""

    def __init__(self, **attributes):
        for name, value in attributes.items():
            setattr(self, name, value)

    def __given_back__(self):
        return SimpleNamespace(**vars(self))

    def __eq__(self, other):
        return vars(self) == vars(other) if isinstance(other, SimpleNamespace) else NotImplemented

    def __repr__(self):
        return f"namespace({', '.join([f'{name}={value!r}' for name, value in vars(self).items()])})"


setattr(Namespace, STANDS_FOR, SimpleNamespace)
Namespace.__name__ = "SimpleNamespace"


class NullContext:
    """contextlib.nullcontext."""

    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *raised):
        pass


class Closing:
    """contextlib.closing."""

    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *raised):
        self.thing.close()


class Managed:
    """What contextlib.contextmanager gives for a generator that is not read in the place of a `with`."""

    def __init__(self, generator):
        self.generator = generator

    def __enter__(self):
        return next(self.generator)

    def __exit__(self, kind, error, trace):
        if kind is not None:
            unsupported("an exception that is raised in an ExitStack, and thrown into the generator of a contextmanager", "with manager(…) as name:")
        next(self.generator, None)


class ExitStack:
    """contextlib.ExitStack: what was entered or asked for last is left first."""

    def __init__(self):
        self.exits = []

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        if not self.exits:
            return False
        last, swallowed = self.exits.pop(), False
        try:
            swallowed = bool(last(*raised))
        finally:
            swallowed = self.__exit__(*((None, None, None) if swallowed else raised)) or swallowed
        return swallowed and raised[0] is not None

    def enter_context(self, cm):
        entered = cm.__enter__()
        self.exits.append(cm.__exit__)
        return entered

    def push(self, exit):
        self.exits.append(exit.__exit__ if hasattr(exit, "__exit__") else exit)
        return exit

    def callback(self, callback, /, *args, **kwds):
        def leave(*raised):
            callback(*args, **kwds)

        self.exits.append(leave)
        return callback

    def pop_all(self):
        taken = ExitStack()
        taken.exits, self.exits = self.exits, []
        return taken

    def close(self):
        self.__exit__(None, None, None)


def modular_power(base, exp, mod):
    """pow(base, exp, mod) of integers, by squaring."""
    if mod == 0:
        raise ValueError("pow() 3rd argument cannot be 0")
    if exp < 0:
        raise NotImplementedError("pow(base, exp, mod) with a negative exp of run time: s2s has no inverse")
    if mod > 3037000499 or mod < -3037000499:
        raise OverflowError("pow(base, exp, mod) of run-time values with a mod beyond 3037000499: integers of run time have 64 bits in s2s")
    result, square = 1 % mod, base % mod
    while exp > 0:
        if exp % 2 == 1:
            result = result * square % mod
        square = square * square % mod
        exp //= 2
    return result
