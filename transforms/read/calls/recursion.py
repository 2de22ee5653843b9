"""Functions that call themselves until the run says that it is enough: read as loops with a stack (`syntax/recursion/`).

A recursion whose depth is known is read call by call. One that is not ends the reading (`CallsItself`), and the next one reads that function as a loop.
Where that can't be, the recursion is refused, or, where it may end at a size, the function is read for exactly the sizes of the call.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import libcst as cst

from s2s.errors import Location, UnsupportedErrors
from s2s.records import replace
from s2s.transforms.read.callables import Applied, Closure
from s2s.transforms.read.calls.circles import circle_of_closure, circle_of_function, outside
from s2s.transforms.read.composed import marks
from s2s.transforms.read.failures import CallsItself, NoEnd
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax import meeting, nodes
from s2s.transforms.read.syntax.collecting import can_be_collected
from s2s.transforms.read.syntax.frame import ONE_BY_ONE, Frame
from s2s.transforms.read.syntax.recursion.loop import Looped, Member, NotLooped, looped
from s2s.transforms.read.syntax.source import Tree
from s2s.transforms.read.values import Abstract, ListRef, is_number
from s2s.types import Var

DEPTH_LIMIT = 50
"""Calls inside calls, before it is called a recursion that does not end."""
CALLS_LIMIT = 40
"""Calls of one function inside of itself under tests of run time, before that is said of it."""


def no_end(reader: Reader, tree: Tree, name: str) -> CallsItself | NoEnd:
    """What is raised where a function calls itself without an end that is known: it ends this reading, or refuses the function."""
    place = tree.where(tree.node)
    if place in reader.session.not_looped or place in reader.session.looped:
        return _refused(reader, tree, name)
    return CallsItself(_error(reader, name, ""), place)


def _refused(reader: Reader, tree: Tree, name: str) -> NoEnd:
    refusal = reader.session.not_looped.get(tree.where(tree.node))
    refusal = refusal.errors[0] if isinstance(refusal, UnsupportedErrors) else refusal
    return _error(reader, name, "" if refusal is None else f"; as a loop with a stack it can't be read either: {refusal.what}, line {refusal.where.line}")


def _error(reader: Reader, name: str, told: str) -> NoEnd:
    return NoEnd(
        f"{name} calls itself without an end that is known while reading", where=reader.builder.where, instead="a loop",
        why=f"a recursion whose depth depends on run-time values has no fixed program{told}",
    )  # fmt: skip


def watch(reader: Reader, frame: Frame, name: str) -> None:
    """Before a call is read in place: end the reading where the function is inside of itself under a test of run time."""
    place = frame.tree.where(frame.tree.node) if frame.tree.at is None and not frame.is_apart else None
    frame.regions, frame.place = reader.regions, place
    if place is None:
        return
    if _is_inside(reader.frame, place):
        reader.session.calls_left -= 1
        if reader.session.calls_left < 0:
            raise _error(reader, name, f"; of known arguments it is read call by call, {ONE_BY_ONE} calls at most")
    above: Frame | None = reader.frame
    while above is not None and not (above.place == place and above.regions < reader.regions):
        above = above.caller
    if above is None:
        return
    if place in reader.session.looped:  # its calls of itself are steps of its loop: this one comes by way of another function
        reader.session.not_looped.setdefault(place, reader.unsupported("a function that calls itself by way of others"))
        raise no_end(reader, frame.tree, name)
    if place not in reader.session.not_looped:
        raise no_end(reader, frame.tree, name)
    if _sees_open_number(reader, above):
        error = _refused(reader, frame.tree, name)
        error.may_be_told = True
        raise error
    counts = reader.session.own_calls
    counts[place] = counts.get(place, 0) + 1
    if counts[place] > CALLS_LIMIT:
        raise no_end(reader, frame.tree, name)


def _sees_open_number(reader: Reader, frame: Frame | None) -> bool:
    """Whether a function has a whole number of the call that another reading knows, by which it may end: then that reading is to come first."""
    while frame is not None:
        if any(isinstance(value, Var) and value in reader.session.open_numbers for value in frame.names.values()):
            return True
        frame = frame.outer
    return False


def is_first_call(reader: Reader, tree: Tree, function: FunctionType, names: dict[str, Abstract]) -> bool:
    """Whether a call of a function that is to be a loop, which stands in no other of that function, is read as it stands: a list whose items are known, and
    that is nobody's who makes it here, can't change places with those that the function makes.
    """
    if tree.where(tree.node) not in reader.session.looped or not any(type(each) is ListRef and not each.origins for each in names.values()):
        return False
    frame: Frame | None = reader.frame
    while frame is not None:
        if frame.python is function:
            return False
        frame = frame.caller
    reader.session.has_first_calls = True
    return reader.session.first_calls_apart or any(_are_lists(reader, value) and _is_made_anew(tree, function, name) for name, value in names.items())


def _are_lists(reader: Reader, value: Abstract) -> bool:
    """Whether it is a list of known lists: one of run-time length holds others of its own."""
    return type(value) is ListRef and not value.origins and isinstance(content := reader.heap[value], tuple) and any(type(each) is ListRef for each in content)


def _is_made_anew(tree: Tree, function: FunctionType, name: str) -> bool:
    """Whether a function gives itself another list for this parameter, which it makes for that: `build([rows[k] for k in left], depth - 1)`."""
    place = next((place for place, param in enumerate(tree.node.params.params) if param.name.value == name), None)
    calls = (each for each in nodes.inside(tree.node.body) if isinstance(each, cst.Call) and isinstance(each.func, cst.Name) and each.func.value == function.__name__)
    return place is not None and any(len(call.args) > place and meeting.is_made_anew(tree, call.args[place].value) for call in calls)


def _is_inside(frame: Frame | None, place: Location) -> bool:
    while frame is not None and frame.place != place:
        frame = frame.caller
    return frame is not None


def loop_of_frame(reader: Reader, frame: Frame, tree: Tree) -> Tree | None:
    """The same of a tree that stands for that of the function of a frame; None where it is not known which function that is."""
    if frame.python is not None:
        return loop_of_function(reader, tree, frame.python)
    function = frame.outer.find(frame.name) if frame.outer is not None else None
    return loop_of_closure(reader, function, tree) if isinstance(function, Closure) and function.node is frame.tree.node else None


def loop_of_closure(reader: Reader, function: Closure, tree: Tree | None = None) -> Tree:
    """The tree of a nested function, or the one that stands for it, a loop where an earlier reading found that it must be one."""
    tree = function.own_tree if tree is None else tree
    if not _is_looped(reader, tree):
        return tree

    def steady(name: str) -> bool:
        frame: Any = function.frame
        while frame is not None and name not in frame.scope.bound:
            frame = frame.outer
        return name not in frame.scope.shared if frame is not None else _stays(function.frame.root().python, name)

    made = _made(reader, tree, steady, lambda: circle_of_closure(function, tree))
    return replace(made.tree, given={made.sequence: marks.sequence})


def loop_of_function(reader: Reader, tree: Tree, function: FunctionType) -> Tree:
    """The same of a function outside."""
    if not _is_looped(reader, tree):
        return tree
    *_, owner, _ = ("", "", *function.__qualname__.split("."))
    method = tree.node.name.value if owner not in ("", "<locals>") and isinstance(tree.node, cst.FunctionDef) else ""
    others: dict[FunctionType, Member] = {}

    def found() -> tuple[dict[FunctionType, Member], Member]:
        circle = circle_of_function(function, tree, method)
        others.update(circle[0])
        return circle

    made = _made(reader, tree, lambda name: _stays(function, name), found)
    methods = ((function, method), *((each, member.method) for each, member in others.items()))
    return replace(made.tree, given={made.sequence: marks.sequence, **{name: Applied(marks.receiver, each, {}) for name, each in zip(made.receivers, methods, strict=True)}})


def _is_looped(reader: Reader, tree: Tree) -> bool:
    return bool(reader.session.looped) and tree.where(tree.node) in reader.session.looped and not can_be_collected(tree.node)


def _made(reader: Reader, tree: Tree, steady: Callable[[str], bool], circle: Callable[[], tuple[Mapping[Any, Member], Member]]) -> Looped:
    try:
        others, member = circle()
        return looped(steady, member, *others.values())
    except NotLooped as error:
        reader.builder.where = tree.where(error.node) if error.node in tree.places or error.node in tree.locations else tree.where(tree.node)
        raise reader.unsupported(error.what, "a loop", "the function calls itself until the run says that it is enough") from None


def _stays(function: FunctionType | None, name: str) -> bool:
    """Whether what a name outside stands for is no number, that another function may count up."""
    value = outside(name, function)
    return not is_number(value) and not isinstance(value, str)


__all__ = ["DEPTH_LIMIT", "is_first_call", "loop_of_closure", "loop_of_frame", "loop_of_function", "no_end", "watch"]
