"""Places of a function's text at which lists are made that surely meet: where those of one of them stand in a pool, those of all do, and no reading need find the next one.

    def sort(a):                               a recursion that became a loop: what a parameter is in the next call, what a call gives,
        left = [v for v in a[1:] if v < p]     and what lies on its stacks meanwhile
        return sort(left) + [p] + sort([v for v in a[1:] if v >= p])

    links[a].append(b)                         a dict of run-time keys: what it holds
    links[b].append(a)
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import libcst as cst

from s2s.errors import Location
from s2s.records import dataclass
from s2s.transforms.read.syntax import nodes
from s2s.transforms.read.syntax.source import Tree

_MAKING = (cst.ListComp, cst.List, cst.BinaryOperation, cst.Subscript, cst.StarredElement)
_COPYING = frozenset(("list", "sorted"))


def in_loop(tree: Tree) -> tuple[frozenset[Location], ...]:
    """Of a recursion that became a loop: the places whose lists are carried from call to call under one name, for each of these, where their lengths are others each time."""
    body = tree.node.body
    given = _given(body)
    returned = [each.value.value for each in nodes.inside(body) if isinstance(each, cst.Return) and isinstance(each.value, cst.Name)]
    carried = [param.name.value for param in tree.node.params.params] + returned
    groups: list[frozenset[Location]] = []
    grow: set[Location] = set()
    for name in (*carried, *_stacked(body)):
        found = list(_flowing(given, name))
        groups = _with(groups, frozenset(map(tree.where, found)))
        grow.update(tree.where(each) for each in found if _has_other_lengths(each))
    return tuple(group for group in groups if group & grow)


@dataclass(frozen=True)
class Nodes:
    """Dicts that a recursion which became a loop gives: where they are made; the keys that all have, but for those of one text or None; and the keys of others of them, where a call gives such."""

    places: frozenset[Location]
    keys: frozenset[str]
    of_others: frozenset[str]
    may_be_none: bool


def nodes_in_loop(tree: Tree) -> Nodes | None:
    """The dicts with texts for keys, `{"cut": t, "left": build(…), "right": build(…)}`, that a recursion gives, if it makes such at several places or of others."""
    given = _given(tree.node.body)
    returned = [each.value.value for each in nodes.inside(tree.node.body) if isinstance(each, cst.Return) and isinstance(each.value, cst.Name)]
    made = [each for name in returned for each in _flowing(given, name, (cst.Dict,))]
    displays = [found for each in made if (found := _by_texts(each)) is not None]
    if not displays or len(displays) < len(made):
        return None
    held: dict[str, list[cst.BaseExpression]] = {}
    for display in displays:
        for key, value in display.items():
            held.setdefault(key, []).extend(_ways(value))
    others = frozenset(key for key, values in held.items() if any(isinstance(value, cst.Name) and _flowing(given, value.value, (cst.Dict,)) for value in values))
    fixed = {key for key, values in held.items() if any(isinstance(value, cst.SimpleString) or _is_none(value) for value in values)}
    keys = frozenset(held).intersection(*displays) - (fixed - others)
    return Nodes(frozenset(map(tree.where, made)), keys, others, any(_is_none(value) for key in others for value in held[key]))


def _by_texts(display: cst.BaseExpression) -> dict[str, cst.BaseExpression] | None:
    """The values of a dict display by its keys, where these are texts."""
    if not isinstance(display, cst.Dict) or not display.elements:
        return None
    found = {}
    for each in display.elements:
        if not isinstance(each, cst.DictElement) or not isinstance(each.key, cst.SimpleString):
            return None
        found[str(each.key.evaluated_value)] = each.value
    return found


def _is_none(value: cst.BaseExpression) -> bool:
    return isinstance(value, cst.Name) and value.value == "None"


def is_made_anew(tree: Tree, value: cst.BaseExpression) -> bool:
    """Whether an expression of a function makes a list, not always one of the same length, or is a name for such."""
    given = _given(tree.node.body)
    made = (each for way in _ways(value) for each in (_flowing(given, way.value) if isinstance(way, cst.Name) else (way,)))
    return any(map(_has_other_lengths, made))


def in_dict(tree: Tree, name: str) -> frozenset[Location]:
    """The places of the lists that a dict of this name holds: what is assigned to its items, given as what stands for those that it has not, or made by its factory."""
    found: list[cst.BaseExpression] = []
    for node in nodes.inside(tree.node.body):
        match node:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Subscript(value=cst.Name(value=held)))], value=value) if held == name:
                found.append(value)
            case cst.Call(func=cst.Attribute(value=cst.Name(value=held), attr=cst.Name(value="setdefault" | "get")), args=[_, cst.Arg(value=value)]) if held == name:
                found.append(value)
            case cst.Subscript(value=cst.Name(value=held)) if held == name:
                found.append(node)
    return frozenset(tree.where(each) for each in found if isinstance(each, _MAKING))


def dicts(tree: Tree) -> frozenset[str]:
    """The names of what items are taken of."""
    return frozenset(node.value.value for node in nodes.inside(tree.node.body) if isinstance(node, cst.Subscript | cst.Attribute) and isinstance(node.value, cst.Name))


def _given(body: cst.CSTNode) -> dict[str, list[cst.BaseExpression]]:
    """What is assigned to each name, where it is no item of a stack."""
    found = defaultdict(list)
    for node in nodes.inside(body):
        match node:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value) if not _is_method(value, "pop"):
                found[name].append(value)
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple(elements=names))], value=cst.Tuple(elements=values)) if len(names) == len(values):
                for target, item in zip(names, values, strict=True):
                    if isinstance(target.value, cst.Name) and not isinstance(item, cst.StarredElement):
                        found[target.value.value].append(item.value)
            case cst.StarredElement(value=cst.Name(value=name)):
                found[name].append(node)
    return found


def _is_method(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == name


def _stacked(body: cst.CSTNode) -> Iterator[str]:
    """The names whose values lie on a stack while a call runs."""
    for node in nodes.inside(body):
        match node:
            case cst.Call(func=cst.Attribute(value=cst.Name(value=stack), attr=cst.Name(value="append")), args=[cst.Arg(value=cst.Name(value=name))]) if stack.startswith(f"{name}_stack"):
                yield name


def _flowing(given: dict[str, list[cst.BaseExpression]], name: str, making: tuple[type, ...] = _MAKING) -> list[cst.BaseExpression]:
    """The expressions that make the lists (or dicts) which a name stands for, or another one that is handed on to it."""
    names, found = [name], list[cst.BaseExpression]()
    for each in names:
        for value in given.get(each, ()):
            for way in _ways(value):
                if isinstance(way, cst.Name):
                    names += [way.value] if way.value not in names else []
                elif isinstance(way, making) or making is _MAKING and _copies(way):
                    found.append(way)
    return found


def _ways(value: cst.BaseExpression) -> Iterable[cst.BaseExpression]:
    return (*_ways(value.body), *_ways(value.orelse)) if isinstance(value, cst.IfExp) else (value,)


def _copies(value: cst.BaseExpression) -> bool:
    return isinstance(value, cst.Call) and isinstance(value.func, cst.Name) and value.func.value in _COPYING


def _has_other_lengths(value: cst.BaseExpression) -> bool:
    """Whether an expression makes a list, not always one of the same length."""
    match value:
        case cst.ListComp() | cst.StarredElement():
            return True
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            return any(isinstance(side, cst.List | cst.ListComp) or _has_other_lengths(side) for side in (left, right))
        case _:
            return _copies(value)


def _with(groups: list[frozenset[Location]], new: frozenset[Location]) -> list[frozenset[Location]]:
    """The groups with another one: those that share a place are one."""
    return [*(each for each in groups if not each & new), new.union(*(each for each in groups if each & new))]


__all__ = ["Nodes", "dicts", "in_dict", "in_loop", "is_made_anew", "nodes_in_loop"]
