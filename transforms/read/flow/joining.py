"""Two branches become an If, or a Check where one always raises."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from s2s.transforms.ir.program import If
from s2s.transforms.read.bound_names import usable
from s2s.transforms.read.flow.branches.merge import Merge
from s2s.transforms.read.flow.conditions import add_raising, either, negated
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import Branch
from s2s.transforms.read.syntax.frame import RAISED, RESULT
from s2s.transforms.read.values import Abstract, Missing
from s2s.types import Atom


def absorb(reader: Reader, branch: Branch) -> None:
    """Go on as if the branch had been read in this block."""
    reader.builder.nodes.extend(branch.builder.nodes)
    for mine, theirs in ((reader.builder.normal, branch.builder.normal), (reader.builder.numbered, branch.builder.numbered)):
        mine.maps[0].update(theirs.maps[0])
    reader.builder.facts = branch.builder.facts
    reader.restore(branch.state)


def finish_if(reader: Reader, test: Atom, one: Branch, two: Branch, names: frozenset[str]) -> None:
    """Append the If of two branches that were read; a branch that always raises becomes a Check before it."""
    if one.state.raised or two.state.raised:
        raising, other = (one, two) if one.state.raised else (two, one)
        kept = add_raising(reader, test if raising is one else negated(reader, test), raising)
        if not other.builder.nodes:  # what has been read there would look at what the arrays held before
            other.state.heap.update(kept)
        absorb(reader, other)
        return
    merge = Merge(reader, one, two)
    merge.states(names)
    add_if(reader, test, one, two, merge)


def add_if(reader: Reader, test: Atom, one: Branch, two: Branch, merge: Merge) -> None:
    """Append the If itself, unless both branches do nothing; which arrays are the caller's on which path is noted."""
    merge.choices.tell(test)
    merge.selections.tell(test)
    merge.kinds.tell(test)
    if not one.builder.nodes and not two.builder.nodes and not merge.outs.vars:
        return
    then = one.builder.block(*(pair[0] for pair in merge.outs.pairs))
    orelse = two.builder.block(*(pair[1] for pair in merge.outs.pairs))
    reader.builder.add(If(tuple(merge.outs.vars), test, then, orelse, reader.builder.where))


def add_raising_side(reader: Reader, test: Atom, one: tuple[Branch, Abstract], two: tuple[Branch, Abstract]) -> Abstract:
    """An expression of which one side always raises: a Check, and the other side's value."""
    (first, a), (second, b) = one, two
    if first.state.raised:
        add_raising(reader, test, first)
        absorb(reader, second)
        return b
    add_raising(reader, negated(reader, test), second)
    absorb(reader, first)
    return a


UNBOUND = Missing("a value that was not computed", unset=True)


def choose(reader: Reader, test: Atom, one: Any, two: Any) -> Abstract:
    """The value of the first branch if test holds, else of the second; each a (branch, value)."""
    (first, a), (second, b) = one, two
    if first.state.raised or second.state.raised:
        return add_raising_side(reader, test, one, two)
    left = first.state.names[RAISED] is True, second.state.names[RAISED] is True
    merge = Merge(reader, first, second)
    sides = (UNBOUND if left[0] else a, UNBOUND if left[1] else b)  # a side that raises what is caught has no value
    names = reader.frame.live.union(reader.frame.names, first.state.names, second.state.names)  # a walrus on one side binds a name
    result = merge.states(names, lambda: merge.join(*sides, "value" if left[0] == left[1] else RESULT))
    for out in merge.outs.vars:
        reader.named.discard(out)
    add_if(reader, test, first, second, merge)
    return None if all(left) else usable(reader, result)  # both have raised: the statement ends


def pick(reader: Reader, test: bool | Atom, yes: Abstract, no: Abstract) -> Abstract:
    """yes if test else no."""
    if isinstance(test, bool):
        return yes if test else no
    return choose(reader, test, (reader.fork(), yes), (reader.fork(), no))


def first_of(reader: Reader, tests: Sequence[bool | Atom], values: Sequence[Abstract]) -> Abstract:
    """The value of the first test that holds; one of them does."""
    result = values[-1]
    for test, value in zip(reversed(tests[:-1]), reversed(values[:-1]), strict=True):
        result = pick(reader, test, value, result)
    return result


def unless_left(reader: Reader, signals: Iterable[str], rest: Callable[[], None], live: frozenset[str]) -> None:
    """Read what runs only if none of these flags is set; one of them may be."""
    flags = [signal for signal in signals if not isinstance(reader.frame.names[signal], bool)]
    left = [reader.frame.names[flag] for flag in flags]
    leaving = left[0]
    for flag in flags[1:]:
        leaving = either(reader, leaving, reader.frame.names[flag])
    test = negated(reader, leaving)
    one, two = reader.fork(), reader.fork()
    for flag in flags:
        one.state.names[flag] = False
    if len(flags) == 1:
        two.state.names[flags[0]] = True
    with reader.inside(one):
        reader.excluded = {**reader.excluded, **dict.fromkeys(left, frozenset({1}))}
        rest()
    finish_if(reader, test, one, two, live)
