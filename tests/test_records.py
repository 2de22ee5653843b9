"""Our dataclasses: what the library's do, in processes that check and in those that don't; and the text of our own functions."""
import inspect
import os
import subprocess
import sys
from textwrap import dedent

import pytest

from s2s.codegen.lowering.elementwise import HELPERS, RUNTIME, VECTOR_MATH
from s2s.own_text import text_of
from s2s.transforms.primitives.draws import FUNCTIONS

SAME = dedent("""
    import dataclasses, functools, sys
    from s2s import records

    def family(module):
        @module.dataclass(frozen=True)
        class Point:
            x: float
            y: tuple = ()
            where: int = module.field(default=0, compare=False)
            made: list = module.field(default_factory=list, compare=False, repr=False)

        @module.dataclass(frozen=True)
        class Deep(Point):
            z: int = 3

        @module.dataclass(frozen=True)
        class Text:
            value: float = module.field(compare=False)
            text: str = module.field(init=False, repr=False)

            def __post_init__(self):
                object.__setattr__(self, "text", repr(self.value))

        @module.dataclass(frozen=True, eq=False)
        class Node:
            x: int

        @module.dataclass(frozen=True)
        class Nothing:
            pass

        @module.dataclass
        class Open:
            x: int
            y: int = 2

        @module.dataclass(eq=False, slots=True)
        class Slots:
            x: int

            def __repr__(self):
                return "own"

        return Point, Deep, Text, Node, Nothing, Open, Slots

    ours, theirs = family(records), family(dataclasses)
    nan = float("nan") if sys.version_info < (3, 13) else 0.5  # the library's == does not ask since then whether two are one object

    def values(family):
        point, deep, text, node, nothing, open_, slots = family
        return [point(1), point(1, where=2), point(2, (1,)), deep(1), deep(1, z=4), text(0.0), text(-0.0), text(nan), nothing(), open_(1), open_(1, 2), open_(3), point(nan)]

    mine, others = values(ours), values(theirs)
    for a, b in zip(mine, others, strict=True):
        assert repr(a).replace("family.<locals>.", "") == repr(b).replace("family.<locals>.", ""), (a, b)
        assert (type(a).__hash__ is None) == (type(b).__hash__ is None)
        if type(a).__hash__ is not None:
            assert hash(a) == hash(b)
    assert [[a == b for a in mine] for b in mine] == [[a == b for a in others] for b in others]
    assert [[a == b for a in values(ours)] for b in mine] == [[a == b for a in values(theirs)] for b in others]
    for family in (ours, theirs):
        point, deep, text, node, nothing, open_, slots = family
        assert node(1) != node(1) and len({node(1), node(1)}) == 2
        assert repr(slots(1)) == "own" and slots(1) != slots(1)
    changed = records.replace(ours[1](1, where=5), z=7)
    assert (changed.x, changed.where, changed.z) == (1, 5, 7)

    class Lazy:
        asked = 0

        @records.cached_property
        def value(self):
            self.asked += 1
            return self.asked

    lazy = Lazy()
    assert lazy.value == lazy.value == 1 and isinstance(Lazy.value, records.cached_property)
    try:
        ours[0](1).x = 2
    except dataclasses.FrozenInstanceError:
        print("guarded")
    else:
        print("open")
""")


@pytest.mark.parametrize(("check", "shown"), [("1", "guarded"), ("0", "open")])
def test_they_do_what_the_librarys_do(check, shown):
    done = subprocess.run([sys.executable, "-c", SAME], capture_output=True, text=True, check=False, env={**os.environ, "S2S_CHECK": check})
    assert done.stdout == f"{shown}\n", done.stderr


ALL = dedent("""
    import importlib, pkgutil, s2s
    for module in pkgutil.walk_packages(s2s.__path__, "s2s."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
""")


def test_all_modules_import_without_the_guard():
    """A frozen class of the library's can't inherit from an open one: all of a family are made by the same decorator."""
    done = subprocess.run([sys.executable, "-c", ALL], capture_output=True, text=True, check=False, env={**os.environ, "S2S_CHECK": "0"})
    assert done.returncode == 0, done.stderr


def test_text_of_our_functions():
    for function in (table[name] for table in (HELPERS, VECTOR_MATH, RUNTIME, FUNCTIONS) for name in table):
        assert text_of(function) == inspect.getsource(function)
