"""What a public function changes of the containers that it is called with: statements before its return, and the check that no container stands twice in the arguments.

    _distinct(params, state)
    …
    params["W"] = W
    state.step = index(step)
    return loss
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from s2s.codegen.language.lines import fold
from s2s.codegen.modules import trees
from s2s.codegen.modules.public_names import LocalNames, parameter_of
from s2s.containers import Steps
from s2s.transforms.ir.staged import Changing, Own, Staged


def checked(staged: Staged, locals_: LocalNames, helpers: set[str]) -> Iterator[str]:
    """The check, where more than one container could be what is changed."""
    if not isinstance(staged.result, Changing):
        return
    kinds = {change.cls for change in staged.result.changes}
    found = [each for name, parameter in zip(locals_.signature, staged.parameters, strict=False) for each in _containers(name, parameter.tree, kinds, locals_.names)]
    many = {kind for kind, count in Counter(kind for kind, _ in found).items() if count > 1}
    if many:
        helpers.add("_distinct")
        yield from fold("_distinct(", [text for kind, text in found if kind in many], ")")
    if locals_.changed:
        yield f"    {', '.join(locals_.changed.values())} = {', '.join(locals_.changed)}"


def statements(tree: Changing, values: list[str], staged: Staged, locals_: LocalNames) -> Iterator[str]:
    """One for each change, those in a container before those of what holds it: the steps to it lead there until then."""
    for text, name in locals_.own.items():
        yield f"    {name} = {text}"
    for change, value in sorted(zip(tree.changes, values, strict=True), key=lambda pair: -len(pair[0].steps)):
        owner = _at(change.steps, staged, locals_)
        key = "" if change.how in ("attribute", "items") else trees.literal_text(change.key, locals_.names)
        if change.how == "attribute":
            kind: Any = change.cls
            says = kind.__setattr__ is not object.__setattr__  # the class's say was read with the rest of the function
            yield f"    object.__setattr__({owner}, {trees.quoted(change.key)}, {value})" if says else f"    {owner}.{change.key} = {value}"
        elif change.how == "item":
            yield f"    {owner}[{key}] = {value}"
        elif change.how == "del":
            yield f"    del {owner}[{key}]"
        elif issubclass(change.cls, list):
            rest = f"{change.key}:" if change.key else ":"
            yield f"    del {owner}[{rest}]" if value == "[]" else f"    {owner}[{rest}] = {value}"
        else:
            yield f"    {owner}.clear()"
            yield f"    {owner}.update({value})"


def own(leaf: Own, staged: Staged, locals_: LocalNames) -> str:
    """The name of a container of the caller's that is put elsewhere."""
    text = _at(leaf.steps, staged, locals_)
    if text not in locals_.own:
        locals_.own[text] = locals_.names.fresh("".join(character if character.isalnum() else "_" for character in text).strip("_"))
    return locals_.own[text]


def _at(steps: Steps, staged: Staged, locals_: LocalNames) -> str:
    name = locals_.signature[parameter_of(staged, steps)]
    return locals_.changed.get(name, name) + "".join(f".{step}" if how == "attribute" else f"[{trees.literal_text(step, locals_.names)}]" for how, step in steps[1:])


def _containers(text: str, tree: Any, kinds: set[type], names: trees.Names) -> Iterator[tuple[type, str]]:
    """The containers of these classes in an argument, and their texts."""
    if type(tree) in kinds:
        yield type(tree), text
    kind = trees.kind_of(tree)
    if kind in (trees.TUPLE, trees.LIST, trees.NAMED, trees.DICT, trees.DATACLASS):
        for key, child in trees.children(tree):
            part = f"{text}.{key}" if kind in (trees.DATACLASS, trees.NAMED) else f"{text}[{trees.literal_text(key, names)}]"
            yield from _containers(part, child, kinds, names)
