"""Private names as Python's compiler takes them: `self.__mass` in a class `Body` is `self._Body__mass`."""
# ruff: noqa: N802 (libcst finds what to call by these names)
from __future__ import annotations

import re
from types import CodeType

import libcst as cst

_PRIVATE = re.compile(r"\b__\w*(?<!__)\b")


def with_private_names(module: cst.Module, code: CodeType) -> cst.Module:
    """The module of a function's text with its private names, and those of classes in it, written out; itself where it has none."""
    if _PRIVATE.search(module.code) is None:
        return module
    return module.visit(_Mangler(_class_around(code.co_qualname)))


def _class_around(qualified: str) -> str:
    """The class in whose body a function stands: `Body` of "Body.step" and of "Body.step.<locals>.<lambda>"; "" if there is none."""
    parts = qualified.split(".")[:-1]
    while parts[-1:] == ["<locals>"]:
        parts = parts[:-2]
    return parts[-1] if parts else ""


class _Mangler(cst.CSTTransformer):
    def __init__(self, around: str) -> None:
        super().__init__()
        self.classes = [around]

    def visit_ClassDef_body(self, node: cst.ClassDef) -> None:
        self.classes.append(node.name.value)

    def leave_ClassDef_body(self, node: cst.ClassDef) -> None:
        del node
        self.classes.pop()

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        del original_node
        owner = self.classes[-1].lstrip("_")
        return updated_node.with_changes(value=f"_{owner}{updated_node.value}") if owner and _PRIVATE.fullmatch(updated_node.value) else updated_node

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)  # the one name that Python leaves as it is
