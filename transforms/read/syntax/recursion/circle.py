"""Functions that call each other in a circle, as parts of one loop: the names of each are its own, but for the parameters that all of them hand on.

    def even(x, n):                          def even(x, n):
        if n == 0:                               if n == 0:
            return x                                 return x
        return odd(x, n - 1)                     return odd(x, n - 1)

    def odd(y, n):                           def odd(x, n_1):
        if n == 0:                               if n_1 == 0:
            return -y                                return -x
        return even(y, n - 1)                    return even(x, n_1 - 1)
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import libcst as cst

from s2s.errors import Location
from s2s.records import replace
from s2s.transforms.read.syntax import nodes
from s2s.transforms.read.syntax.in_place import Renamed
from s2s.transforms.read.syntax.recursion.steps import Member, NotLooped, positional_of
from s2s.transforms.read.syntax.scope import NONE, Names, all_params, assigned, names_read, parameter_names, scope_of
from s2s.transforms.read.syntax.source import FunctionNode, Tree, statements_of


def body_of(node: FunctionNode) -> list[Any]:
    """The statements of a function; of a lambda its return."""
    return [cst.Return(node.body)] if isinstance(node, cst.Lambda) else list(statements_of(node.body))


def declared(body: list[Any]) -> tuple[list[Any], list[Any]]:
    """What the statements of a function declare global or nonlocal, and the others."""
    found = [each for each in body if isinstance(each, cst.Global | cst.Nonlocal)]
    return found, [each for each in body if each not in found]


def apart(members: tuple[Member, ...], fresh: Callable[[str], str]) -> tuple[Member, ...]:
    """The functions with names of their own; those of the first one stay, but where another one sees something else outside under that name. `fresh` makes a name that nobody has.

    Raises NotLooped where what one of them sees outside is a parameter of the first.
    """
    members = tuple(_without_maps(member, members, fresh) for member in members)
    first, *others = members
    params = parameter_names(first.tree.node.params)
    seen = NONE.union(*map(_outside, others)) & (scope_of(first.tree.node).bound - params)
    names = [{name: fresh(name) for name in sorted(seen)}]
    alike = list(_handed_on(members))
    bound = (scope_of(first.tree.node).bound - seen) | frozenset(names[0].values())
    names += [_names_apart(member, {each[k]: each[0] for each in alike if k in each}, bound, fresh) for k, member in enumerate(others, 1)]
    if not any(names):
        return members
    called = list(zip(members, names, strict=True))
    return tuple(_renamed(member, own, called) for member, own in called)


def _names_apart(member: Member, alike: dict[str, str], bound: Names, fresh: Callable[[str], str]) -> dict[str, str]:
    tree, scope, seen = member.tree, scope_of(member.tree.node), _outside(member)
    if seen & bound:
        raise NotLooped(f"a parameter of a function, {min(seen & bound)}, whose name is another one in a function which it calls", tree.node)
    names = {name: alike[name] if name in alike else fresh(name) for name in sorted(scope.bound)}
    _refuse_keywords(tree.node, names)
    return names


def _outside(member: Member) -> Names:
    """The names that a function sees outside of itself."""
    body = body_of(member.tree.node)
    return NONE.union(*map(names_read, body), *(_said(each) for each in declared(body)[0])) - scope_of(member.tree.node).bound


def mapped(call: cst.Call) -> cst.Name | None:
    """The function that is called by name for each of some items, by `map`."""
    match call:
        case cst.Call(func=cst.Name(value="map"), args=[cst.Arg(value=cst.Name() as function, keyword=None, star=""), cst.Arg(keyword=None, star="")]):
            return function
    return None


class _WithoutMaps(cst.CSTTransformer):
    """map(f, items) of a function of the circle as (f(item) for item in items)."""

    def __init__(self, members: tuple[Member, ...], tree: Tree, fresh: Callable[[str], str]) -> None:
        super().__init__()
        self.names, self.tree, self.fresh = NONE.union(*(each.names for each in members)), tree, fresh
        self.where = dict(tree.locations)

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> Any:
        found = super().on_leave(original_node, updated_node)
        if found is not original_node and (original_node in self.tree.locations or original_node in self.tree.places):
            self.where[found] = self.tree.where(original_node)  # type: ignore[index]
        return found

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 libcst's name
        function = mapped(updated_node)
        if function is None or function.value not in self.names:
            return updated_node
        item = self.fresh("item")
        return cst.GeneratorExp(nodes.call(function, nodes.name(item)), cst.CompFor(nodes.name(item), updated_node.args[1].value))


def _without_maps(member: Member, members: tuple[Member, ...], fresh: Callable[[str], str]) -> Member:
    tree = member.tree
    if "map" not in nodes.names_inside(tree.node) or "map" in scope_of(tree.node).bound:
        return member
    visitor = _WithoutMaps(members, tree, fresh)
    node: Any = tree.node.visit(visitor)
    return replace(member, tree=replace(tree, node=node, locations=visitor.where)) if node is not tree.node else member


class _RenamedCircle(Renamed):
    """The names of one function, and the keywords by which it calls the others: `called`, each with what its names became."""

    def __init__(self, names: dict[str, str], called: list[tuple[Member, dict[str, str]]]) -> None:
        super().__init__(names)
        self.called = called

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 libcst's name
        names = next((names for member, names in self.called if member.is_called(original_node)), {})
        args = [arg.with_changes(keyword=arg.keyword.with_changes(value=names[arg.keyword.value])) if arg.keyword is not None and arg.keyword.value in names else arg for arg in updated_node.args]
        return updated_node.with_changes(args=args)


def _renamed(member: Member, names: dict[str, str], called: list[tuple[Member, dict[str, str]]]) -> Member:
    tree = member.tree
    node: Any = tree.node.visit(_RenamedCircle(names, called))
    where = dict(tree.locations)
    where.update((new, tree.where(old)) for new, old in _located(tree, node))
    return replace(member, tree=replace(tree, node=node, locations=where))


def _located(tree: Tree, node: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    """The nodes of a copy, each with that of the tree which stands in the source."""
    for new, old in zip(nodes.inside(node), nodes.inside(tree.node), strict=True):
        if old in tree.locations or old in tree.places:
            yield new, old


def _said(node: cst.Global | cst.Nonlocal) -> Names:
    return frozenset(each.name.value for each in node.names)


def _refuse_keywords(node: FunctionNode, names: dict[str, str]) -> None:
    """A nested function whose parameter is given by a keyword keeps its name."""
    keywords = {each.keyword.value for each in nodes.inside(node) if isinstance(each, cst.Arg) and each.keyword is not None}
    for each in nodes.inside(node.body):
        if isinstance(each, cst.FunctionDef | cst.Lambda) and parameter_names(each.params) & keywords & set(names):
            raise NotLooped("a nested function with a parameter of the name of another", each)


def _handed_on(members: tuple[Member, ...]) -> Iterator[dict[int, str]]:
    """For each parameter of the first function that all calls in the circle hand on: what each function that has it calls it, by number."""
    calls = [(k, j, _given(callee, call)) for k, caller in enumerate(members) for call in nodes.inside(caller.tree.node.body) for j, callee in enumerate(members) if callee.is_called(call)]
    for name in parameter_names(members[0].tree.node.params):
        found = {0: name}
        changed = True
        while changed:
            changed = False
            for k, j, given in calls:
                if k in found and j not in found and (own := [each for each, value in given.items() if _is_name(value, found[k])]):
                    found[j] = own[0]
                    changed = True
        is_handed_on = all(j not in found or k in found and _is_name(given.get(found[j]), found[k]) for k, j, given in calls)
        if is_handed_on and not any(name in assigned(body_of(members[k].tree.node)) for k, name in found.items()):
            yield found


def _given(callee: Member, call: Any) -> dict[str, cst.BaseExpression]:
    """What a call gives to which parameter, as far as that can be seen."""
    node = callee.tree.node
    params = [param.name.value for param in all_params(node.params)]
    values = [arg.value for arg in call.args if arg.keyword is None]
    if any(arg.star for arg in call.args):
        return {}
    if callee.is_method(call):
        values.insert(0, call.func.value)
    plain = dict(zip(params[: positional_of(node)], values, strict=False))
    return {**plain, **{arg.keyword.value: arg.value for arg in call.args if arg.keyword is not None}}


def _is_name(node: Any, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name


def located(members: tuple[Member, ...]) -> dict[cst.CSTNode, Location]:
    """Where the nodes of all functions but the first stand."""
    found: dict[cst.CSTNode, Location] = {}
    for each in members[1:]:
        found.update(each.tree.locations)
    return found


__all__ = ["apart", "body_of", "declared", "located", "mapped"]
