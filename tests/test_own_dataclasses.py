"""Dataclasses of `s2s.records` are the library's: what they are made of, their defaults, errors, comparison, hash and text, with the guard and without."""
from __future__ import annotations

import dataclasses
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

from s2s import records

PLAIN = {"made": {}, "kept": {"eq": False}, "few": {"eq": False, "slots": True}, "frozen": {"frozen": True}, "alone": {"frozen": True, "eq": False}}
CALLS = [
    ((), {}), ((1,), {}), ((1, 2), {}), ((1, 2, 3), {}), ((1, 2, 3, 4), {}), ((1, 2, 3, 4, 5), {}), ((1,), {"b": 2}), ((), {"a": 1, "b": 2, "c": 3}), ((1, 2), {"kind": 4}), ((1, 2), {"a": 4}),
    ((1, 2), {"other": 4}), ((1, 2), {"items": [3]}),
]  # fmt: skip


class Nothing:
    pass


class Two:
    a: int
    b: int


class Defaults:
    """Said of it."""

    a: int
    b: int = 2
    c: int = dataclasses.field(default=3, compare=False)


class Factories:
    a: int
    items: list[int] = dataclasses.field(default_factory=list)
    b: dict[int, int] = dataclasses.field(default_factory=dict, repr=False)


class Keywords:
    a: int
    kind: int = dataclasses.field(default=7, kw_only=True)
    b: int = 2
    items: list[int] = dataclasses.field(default_factory=list, kw_only=True)


class Own:
    a: int

    def __init__(self, b):
        object.__setattr__(self, "a", b + 1)


class After:
    a: int
    b: int = 2

    def __post_init__(self):
        object.__setattr__(self, "a", self.a + 1)


CLASSES = (Nothing, Two, Defaults, Factories, Keywords, Own, After)


def of(decorator, cls, options):
    """A dataclass of these fields."""
    own = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
    return decorator(**options)(type(cls.__name__, (), own))


def outcome(cls, args, kwargs):
    try:
        made = cls(*args, **kwargs)
    except TypeError as error:
        return str(error)
    return [(each.name, getattr(made, each.name)) for each in dataclasses.fields(cls)]


def signature(cls):
    """Names, kinds and defaults; which fields are made."""
    return [(each.name, each.kind, repr(each.default).replace(repr(dataclasses.MISSING), "<factory>")) for each in inspect.signature(cls).parameters.values()]


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("options", PLAIN.values(), ids=PLAIN)
def test_made_as_the_library_makes_them(cls, options):
    mine, theirs = of(records.dataclass, cls, options), of(dataclasses.dataclass, cls, options)
    assert signature(mine) == signature(theirs)
    assert (mine.__match_args__, mine.__name__, mine.__module__) == (theirs.__match_args__, theirs.__name__, theirs.__module__)
    assert mine.__doc__ == cls.__doc__ or cls.__doc__ is None
    for args, kwargs in CALLS:
        assert outcome(mine, args, kwargs) == outcome(theirs, args, kwargs)
    for args, kwargs in CALLS:
        if isinstance(outcome(theirs, args, kwargs), list) and options.get("eq", True):
            one, other = (cls(*args, **kwargs) for cls in (mine, mine))
            assert one == other
            assert repr(one) == repr(theirs(*args, **kwargs))


def test_inheritance():
    for decorator in (records.dataclass, dataclasses.dataclass):
        base = of(decorator, Factories, {})
        derived = decorator(type("Derived", (base,), {"__annotations__": {"c": int, "a": int}, "c": 5, "a": 4}))
        assert [each[1] for each in outcome(derived, (), {})] == [4, [], {}, 5]
        assert outcome(derived, (1, [2]), {"c": 3}) == [("a", 1), ("items", [2]), ("b", {}), ("c", 3)]
        assert derived().items is not derived().items


@pytest.mark.parametrize("guarded", ["0", "1"])
def test_without_the_guard(guarded):
    env = {**os.environ, "S2S_CHECK": guarded, "PYTHONPATH": os.pathsep.join((str(Path(__file__).parent), str(Path(__file__).parents[1])))}
    text = "import test_own_dataclasses as t\nfor c in t.CLASSES:\n for o in t.PLAIN.values(): t.test_made_as_the_library_makes_them(c, o)\nt.test_inheritance()"
    subprocess.run([sys.executable, "-c", text], check=True, env=env)
