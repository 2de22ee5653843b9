"""No local name hides a module that is imported, or a function of its module: who reads a function knows what its names are from its head."""
from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from test_layers import FILES, module_name

LIBRARY = ("s2s.transforms.read.numpy", "s2s.transforms.read.composed")
"""Functions there have the library's parameters, by the library's names."""
ALONE = "s2s.codegen.runtime"
"""Copied function by function into modules, where they hide nothing."""


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.Lambda]:
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda))


def at_the_head(tree: ast.Module) -> set[str]:
    """What a module imports, and its functions."""
    names = {(each.asname or each.name).split(".")[0] for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom) for each in node.names}
    return names | {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def parameters(function: ast.FunctionDef | ast.Lambda) -> set[str]:
    """Those that a function names itself; what is given by keyword alone others name: a row, a call."""
    given = function.args
    return {each.arg for each in (*given.posonlyargs, *given.args, given.vararg, given.kwarg) if each is not None}


def bound(function: ast.FunctionDef | ast.Lambda) -> Iterator[str]:
    """The names that a function binds itself, without its parameters."""
    left: list[ast.AST] = list(function.body) if isinstance(function, ast.FunctionDef) else [function.body]
    while left:
        match left.pop():
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Lambda():
                pass
            case ast.Name(id=name, ctx=ast.Store()) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case node:
                left.extend(ast.iter_child_nodes(node))


@pytest.mark.parametrize("path", [path for path in FILES if not path.is_symlink() and not module_name(path).startswith(ALONE)], ids=module_name)
def test_no_local_name_hides_what_stands_at_the_head(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    head, library = at_the_head(tree), module_name(path).startswith(LIBRARY)
    hidden = set()
    for function in functions(tree):
        own = parameters(function)
        hidden |= {(name, function.lineno) for name in ({*bound(function)} - own if library else {*bound(function)} | own) & head}
    assert not hidden
