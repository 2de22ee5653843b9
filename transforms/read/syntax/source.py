"""From a Python function to the tree of its source, with absolute locations.

The file is parsed by Python once, and what stands for the function in it is written as libcst's nodes (`converted.py`).
Lambdas, also several on one line, are told apart by `code.co_positions()`.
"""
from __future__ import annotations
import __future__

import ast
import dis
import functools
import inspect
import linecache
import operator
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any, TypeVar

import libcst as cst

from s2s.errors import Location, SourceError
from s2s.own_text import text_of
from s2s.parsed import parsed, statements_in
from s2s.records import dataclass, field, fields
from s2s.transforms.read.syntax.converted import Places, converted, place_of

FunctionNode = cst.FunctionDef | cst.Lambda
Made = TypeVar("Made")


@dataclass(frozen=True, eq=False)
class Tree:
    """A function's tree. `line` and `column` are added to the positions of the parsed text (column: on its first line)."""

    node: FunctionNode
    file: str
    places: Places
    """Where its nodes stand in the text that was parsed."""
    lines: Sequence[str]
    """That text."""
    line: int = 0
    """The line of the file in front of that text."""
    locations: dict[cst.CSTNode, Location] = field(default_factory=dict)
    at: Location | None = None
    """Where all of its nodes are taken to be: the call of a function that is not the user's."""
    anonymous: bool = False
    """Whether its variables name nothing in emitted code (`composed.marks.anonymous`)."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """What names that a rewriting has added stand for (`recursion/loop.py`)."""

    def where(self, node: cst.CSTNode) -> Location:
        """The absolute location of a node of this tree."""
        if self.at is not None:
            return self.at
        found = self.locations.get(node)
        if found is None:
            found = self.locations[node] = self._locate(node)
        return found

    def _locate(self, node: cst.CSTNode) -> Location:
        line, column, end_line, end_column = place_of(self.places[node])
        return Location(self.file, line + self.line, self._characters(line, column), end_line + self.line, self._characters(end_line, end_column))

    def _characters(self, line: int, column: int) -> int:
        """A column of Python's, which counts bytes, in characters."""
        text = self.lines[line - 1]
        return column if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))


def tree_of(function: FunctionType) -> Tree:
    """The tree of a plain Python function or lambda.

    Raises SourceError if its source can't be found.
    """
    return _of_current_text(function, _tree_of_code)


def own_tree(function: FunctionType) -> Tree:
    """The tree of a function of s2s's own. One at the top of its module has its lines to itself: nobody need ask whether its file is what Python runs."""
    code = function.__code__
    if code.co_qualname != code.co_name or not code.co_name.isidentifier():  # a lambda, or a function inside of another one
        return tree_of(function)
    text = text_of(function)
    node, places = converted(ast.parse(text).body[0], "")
    return Tree(node, code.co_filename, places, _lines(text), code.co_firstlineno - 1)


@dataclass(frozen=True, eq=False)
class Source:
    """A function's own lines, the first of which is `line` of its file."""

    file: str
    line: int
    text: str
    node: ast.AST


def source_of(function: FunctionType) -> Source:
    """The lines of a function, or those around a lambda, without a tree of libcst's.

    Raises SourceError as `tree_of` does.
    """
    return _of_current_text(function, _source_of_code)


def _of_current_text(function: FunctionType, make: Callable[[str, CodeType, str], Made]) -> Made:
    """What is made of the text that Python runs."""
    code = function.__code__
    for text in _texts(function):
        try:
            made = make(code.co_filename, code, text)
        except SourceError as error:
            failure = error
        else:
            others = (each for each in _READ.get(code.co_filename, ()) if each != text)
            _READ[code.co_filename] = (text, *others)[:4]
            return made
    raise failure


_READ: dict[str, tuple[str, ...]] = {}
"""The texts of each file as they were when functions of it were read, the latest first."""


def _texts(function: FunctionType) -> Iterator[str]:
    """The text of the function's file as it was when it was read before, when anybody last looked at it, and as it is now. Which
    of them Python runs its code shows.
    """
    file = function.__code__.co_filename
    entry: Any = linecache.cache.get(file, ())
    seen = ["", *_READ.get(file, ()), "".join(entry[2]) if len(entry) > 2 else ""]
    yield from dict.fromkeys(filter(None, seen))
    linecache.checkcache(file)
    own = function.__globals__.get("__file__") if file.startswith("<frozen ") else None  # what Python brings along compiled lies beside its library as a text
    seen.append("".join(linecache.getlines(own or file, function.__globals__)))
    if seen[-1] not in seen[:-1]:
        yield seen[-1]
    if not any(seen):
        raise SourceError(
            f"the source of {function.__qualname__!r} can't be found",
            why=f"it was defined in {file!r}, which can't be read",
            instead="define it in a file, a notebook cell or a module that Python loads from source",
        )


@lru_cache(maxsize=256)
def _tree_of_code(file: str, code: CodeType, text: str) -> Tree:
    """The tree of what Python runs; SourceError if the text says something else. `file`: code objects of two files may be equal."""
    node, places = converted(_found_in(file, code, text), _class_around(code.co_qualname))
    return Tree(node, code.co_filename, places, _lines(text))


def _class_around(qualified: str) -> str:
    """The class in whose body a function stands: `Body` of "Body.step" and of "Body.step.<locals>.<lambda>"; "" if there is none."""
    parts = qualified.split(".")[:-1]
    while parts[-1:] == ["<locals>"]:
        parts = parts[:-2]
    return parts[-1] if parts else ""


@lru_cache(maxsize=256)
def _source_of_code(file: str, code: CodeType, text: str) -> Source:
    found = _found_in(file, code, text)
    return Source(file, code.co_firstlineno, "".join(_lines(text)[code.co_firstlineno - 1 : found.end_lineno]), found)


@lru_cache(maxsize=32)
def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


@lru_cache(maxsize=256)
def _found_in(file: str, code: CodeType, text: str) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda:
    """Where Python's code stands in the text."""
    del file
    try:
        found = _find_lambda(code, _lambdas(text)) if code.co_name == "<lambda>" else _find_def(code, _defs(text))
    except SyntaxError as error:
        raise SourceError(f"{code.co_filename} can't be parsed: {error}") from None
    if found is None or not _is_current(code, text):
        raise SourceError(
            f"the source of {code.co_qualname!r} is not at line {code.co_firstlineno} of {code.co_filename}",
            why="the file has changed since it was imported, or the function was made by exec; Python still runs the old code",
            instead="import the module again (importlib.reload), or start Python again; in the place of a function made by exec, one that stands in a file",
        )
    return found


def _is_current(code: CodeType, text: str) -> bool:
    """Whether the text is what Python runs: it compiles to the same code, at the same place, with the same names and constants."""
    compiled = _compiled(text, code.co_flags & _FUTURE)
    same_place = compiled.get((code.co_firstlineno, code.co_name), [])
    if any(name.startswith("@py_") for name in code.co_varnames):
        return any(_is_beneath(other, code, _assert_lines(text)) for other in same_place)
    return code in same_place


def _is_beneath(plain: CodeType, rewritten: CodeType, asserts: frozenset[int]) -> bool:
    """Whether pytest may have made one code of the other: it rewrites asserts, and leaves all other lines as they are."""
    ours, theirs = (Counter(_operands(code, asserts)) for code in (plain, rewritten))
    return all(count <= theirs[key] for key, count in ours.items())


def _operands(code: CodeType, asserts: frozenset[int]) -> Iterator[tuple[Any, ...]]:
    """The names and constants that the instructions of each line work with, nested functions' too; but for asserts."""
    for each in dis.get_instructions(code):
        line = each.positions.lineno if each.positions else None
        if isinstance(each.argval, CodeType):
            yield from _operands(each.argval, asserts)
        elif each.opcode in _WITH_OPERAND and line not in asserts and each.argval is not None:
            yield line, each.opname, type(each.argval), repr(each.argval)


@lru_cache(maxsize=32)
def _assert_lines(text: str) -> frozenset[int]:
    asserts = (node for node in statements_in(parsed(text)) if isinstance(node, ast.Assert))
    return frozenset(line for node in asserts for line in range(node.lineno, (node.end_lineno or node.lineno) + 1))


_WITH_OPERAND = {*dis.hasconst, *dis.hasname, *dis.haslocal, *dis.hasfree, dis.opmap["BINARY_OP"], dis.opmap["COMPARE_OP"]}
_FUTURE = functools.reduce(operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names))
"""The flags of `from __future__ import …`, which a notebook hands on from cell to cell."""


@lru_cache(maxsize=32)
def _compiled(text: str, flags: int) -> dict[tuple[int, str], list[CodeType]]:
    """The code of a file's functions, by line and name."""
    found: dict[tuple[int, str], list[CodeType]] = {}
    waiting = [compile(text, "<source>", "exec", flags=flags, dont_inherit=True)]
    while waiting:
        code = waiting.pop()
        found.setdefault((code.co_firstlineno, code.co_name), []).append(code)
        waiting.extend(const for const in code.co_consts if isinstance(const, CodeType))
    return found


@lru_cache(maxsize=32)
def _defs(text: str) -> dict[int, list[ast.FunctionDef | ast.AsyncFunctionDef]]:
    """The functions of a file by the line on which their code object starts."""
    index: dict[int, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
    for statement in statements_in(parsed(text)):
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([statement.lineno, *(decorator.lineno for decorator in statement.decorator_list)])
            index.setdefault(first, []).append(statement)
    return index


@lru_cache(maxsize=32)
def _lambdas(text: str) -> dict[int, list[ast.Lambda]]:
    """The lambdas of a file by their lines: every expression is looked at."""
    index: dict[int, list[ast.Lambda]] = {}
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.Lambda):
            index.setdefault(node.lineno, []).append(node)
    return index


def _find_def(code: CodeType, index: dict[int, list[ast.FunctionDef | ast.AsyncFunctionDef]]) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    for node in index.get(code.co_firstlineno, ()):
        if node.name == code.co_name:
            return node
    return None


def _find_lambda(code: CodeType, index: dict[int, list[ast.Lambda]]) -> ast.Lambda | None:
    """The lambda on the code's line whose body spans an instruction's position exactly."""
    candidates = index.get(code.co_firstlineno, [])
    spans = set(code.co_positions())
    exact = [node for node in candidates if _span(node.body) in spans]
    exact = [node for node in exact if len(inspect.getargs(code).args) == len(node.args.posonlyargs + node.args.args + node.args.kwonlyargs)]
    if not exact and len(candidates) == 1:
        return candidates[0]
    if not exact:  # no instruction spans `a if b else c`: the smallest lambda around all instructions
        around = [node for node in candidates if all(_contains(_span(node.body), span) for span in spans if span[3])]
        return max(around, key=lambda node: _span(node.body)[2], default=None)
    return max(exact, key=lambda node: _span(node.body)[2:], default=None) if len(exact) == 1 else _outermost(exact)


def _outermost(nodes: list[ast.Lambda]) -> ast.Lambda | None:
    """Of lambdas whose bodies all match (a nested one's span is an instruction of the outer), the widest."""
    return max(nodes, key=lambda node: (_span(node.body)[1], _span(node.body)[3], -node.col_offset), default=None)


def _contains(outer: tuple[int, int | None, int, int | None], inner: tuple[int | None, ...]) -> bool:
    """Whether an instruction's span (line, end line, column, end column) lies in a body's."""
    line, end_line, column, end_column = inner
    if line is None or end_line is None or column is None or end_column is None:
        return True
    return (outer[0], outer[2]) <= (line, column) and (end_line, end_column) <= (outer[1] or outer[0], outer[3] or 0)


def _span(node: ast.expr) -> tuple[int, int | None, int, int | None]:
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


def parts_of(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The nodes directly inside that say something: no white space, punctuation or operators. libcst's `children` takes ten times as long."""
    for name in _fields_of(type(node)):
        value = getattr(node, name)
        kind = type(value)
        if kind is list or kind is tuple:
            for each in value:
                if _is_node(type(each)):
                    yield each
        elif _is_node(kind):
            yield value


_LAYOUT = frozenset({
    "lpar", "rpar", "lbracket", "rbracket", "lbrace", "rbrace", "comma", "semicolon", "colon", "first_colon", "second_colon", "dot", "equal", "separator",
    "leading_lines", "lines_after_decorators", "lines_after_parameters", "header", "footer", "trailing_whitespace", "indent", "operator", "posonly_ind",
    "asynchronous", "relative",
})  # fmt: skip


_NODES: dict[type, bool] = {}


def _is_node(kind: type) -> bool:
    """Whether it is a class of nodes: libcst's are abstract ones, which take their time to say what belongs to them."""
    known = _NODES.get(kind)
    if known is None:
        known = _NODES[kind] = cst.CSTNode in kind.__mro__
    return known


@functools.cache
def _fields_of(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """The fields of a kind of node that are not about its layout."""
    return tuple(each.name for each in fields(kind) if each.name not in _LAYOUT and not each.name.startswith("whitespace"))


def statements_of(body: cst.BaseSuite) -> Iterator[cst.BaseSmallStatement | cst.BaseCompoundStatement]:
    """The statements of a suite, one by one (`a = 1; b = 2` are two)."""
    for statement in body.body:
        if type(statement) is cst.SimpleStatementLine:  # libcst's classes are abstract ones: each isinstance asks a registry
            yield from statement.body
        else:
            yield statement  # type: ignore[misc]
