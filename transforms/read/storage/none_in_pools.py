"""None as one of a pool's lists or objects: it has the number -1. What asks for it, and what Python raises where it is used as an object."""
from __future__ import annotations

from s2s.records import replace
from s2s.transforms.primitives.arithmetic import less
from s2s.transforms.read.numpy.arithmetic import logical_not
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import marked
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.plans import again
from s2s.transforms.read.storage.pool import Pool
from s2s.transforms.read.values import Pooled
from s2s.types import Atom, Literal, size_literal


def may_be_none(reader: Reader, value: Pooled) -> bool:
    """Whether there may be None in its place."""
    return value.pool.plan.optional and -1 not in reader.excluded.get(value.number, ()) and not reader.builder.proves_at_least(value.number, 0)


def is_there(reader: Reader, value: Pooled) -> bool | Atom:
    """Whether it is not None."""
    if isinstance(value.number, Literal):
        return int(value.number.value) >= 0  # type: ignore[arg-type]
    if not may_be_none(reader, value):
        return True
    found = is_none(reader, value)
    return not found if isinstance(found, bool) else negated_test(reader, found)


def is_none(reader: Reader, value: Pooled) -> bool | Atom:
    """Whether None stands in its place."""
    if isinstance(value.number, Literal):
        return int(value.number.value) < 0  # type: ignore[arg-type]
    if not may_be_none(reader, value):
        return False
    key = ("is none", value.number)
    if key not in reader.builder.numbered:
        (found,) = reader.builder.equation(less, (value.number, size_literal(0)), name="is_none")
        with building(reader.builder):
            test = marked(reader.value(found), weak=True).atom
        reader.builder.numbered[key] = test
        reader.session.tests[test] = ("is", value.number, -1)
    known: Atom = reader.builder.numbered[key]
    return known


def negated_test(reader: Reader, test: Atom) -> Atom:
    """not test."""
    with building(reader.builder):
        made: Atom = marked(logical_not(reader.value(test)), weak=True).atom
    reader.session.tests[made] = ("not", test)
    return made


def check_there(reader: Reader, value: Pooled, kind: type[Exception], words: str) -> None:
    """Raise what Python raises where None is used as an object."""
    there = is_there(reader, value)
    if there is False:
        raise kind(words)
    if there is not True:
        reader.builder.check(there, kind.__name__, words)


def check_attribute(reader: Reader, value: Pooled, name: str) -> None:
    """Raise what Python raises of an attribute of None."""
    check_there(reader, value, AttributeError, f"'NoneType' object has no attribute '{name}'")


def with_none(reader: Reader, pool: Pool) -> Pooled:
    """None as one of the pool."""
    if not pool.plan.optional:
        raise again(reader, f"a {pool.kind.__name__} or None", replace(pool.plan, optional=True))
    return Pooled(pool, size_literal(-1))
