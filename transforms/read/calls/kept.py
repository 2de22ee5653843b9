"""Helpers that did not change, as they were read: after an edit of one of them the others are not read again.

A helper is found by all that its reading depends on: its own lines, the kinds of its arguments, what the names from outside stand for that stand
in it. That is told only of helpers of arrays and numbers that use nothing from outside but Python's, NumPy's and math's own functions, known numbers
and texts, and floats, which are read in each call; and of readings that leave no trace but the helper and what they asked of the outside, which is asked again. All others are read.
"""
from __future__ import annotations

import ast
import builtins
import cmath
import hashlib
import io
import math
import operator
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from s2s.errors import NOWHERE, Location
from s2s.hidden import MISSING, step
from s2s.keeping import NotDescribed, Store
from s2s.outside import Access
from s2s.records import fields, given, replace
from s2s.registry import NAMES, REGISTERED
from s2s.transforms.ir.named_axes import surroundings
from s2s.transforms.ir.program import Call, Check, Function, Print, walk
from s2s.transforms.ir.verify import checking
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.table import TABLE
from s2s.transforms.primitives.traced_order import is_traced_order
from s2s.transforms.read.calls.helpers import Helper
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax.frame import Session
from s2s.transforms.read.syntax.source import Source, source_of
from s2s.transforms.read.values import Steps

_LIBRARIES: dict[str, ModuleType] = {each.__name__: each for each in (np, math, cmath, operator)}
_REFUSED = frozenset((
    "globals", "locals", "vars", "eval", "exec", "compile", "open", "input", "id", "hash", "dir", "super", "set", "frozenset", "__import__",
    "random", "errstate", "seterr", "seterrcall", "setbufsize", "printoptions", "set_printoptions",
))  # fmt: skip
"""Names by which a program would depend on more than its text: on the process, its memory, the order of hashes, what is set for all of NumPy."""
_KINDS: dict[type, str] = {each: each.__name__ for each in (tuple, bool, int, float, complex, str, bytes, type(None), slice, type(...))}
_FLAT = (bool, int, str, bytes, type(None))
_KIND = (("kind", None),)
_NOT_KEPT = frozenset(("guards", "hidden_types", "helpers", "reading", "would_settle", "own_names", "of_known_keys", "on_trial", "attempts", "remembered", "tests", "left", "store", "asked", "has_known_trips", "told", "looked_at", "not_helpers", "endless", "refused", "entered", "has_first_calls"))
"""What of a session the reading of a helper may change: its questions are kept, the rest is about the helper's own values or a first guess."""
_EMPTY = ("items", "apart", "keyed", "by_turns", "records", "pooled", "texts", "looped", "not_looped", "pools", "taken", "printoptions", "float_errors", "codes", "exceptions", "by_trips", "settles", "sizes_outside", "distinct", "first_calls_apart")
"""What must not have come up: a reading depends on it."""


def kept_helper(reader: Reader, function: FunctionType, steps: Steps | None, signature: Any, read: Callable[[], Helper]) -> Helper:
    """A helper as it was read before, or as `read` makes it now."""
    session = reader.session
    if session.store is None or reader.catching or surroundings() or is_traced_order() or checking() or REGISTERED or any(getattr(session, name) for name in _EMPTY):
        return read()
    source = source_of(function)
    outside = _Outside(reader, function, steps)
    try:
        earlier = [_signature(key[2]) for key in session.functions if key[0] is function]
        key = _key(session.store, function, source, outside.described(source), (*earlier, _signature(signature)))
    except NotDescribed:
        return read()
    found = session.store.get(key)
    if found is not None:
        helper, floats, asked, has_known_trips, would_settle = _Unpickler(found, source).load()
        session.has_known_trips |= has_known_trips
        session.would_settle |= would_settle
        for question in asked:
            outside.ask(question)
        return outside.with_floats(helper, floats)
    return _read_and_kept(session, session.store, key, source, outside, read)


def _read_and_kept(session: Session, store: Store, key: str, source: Source, outside: _Outside, read: Callable[[], Helper]) -> Helper:
    before, around, session.asked = _state(session), session.asked, []
    known_around, session.has_known_trips = session.has_known_trips, False
    settles_around, session.would_settle = session.would_settle, False
    try:
        helper = read()
    finally:
        asked, session.asked = session.asked, around
        if around is not None:
            around += asked
        has_known_trips, would_settle = session.has_known_trips, session.would_settle
        session.has_known_trips |= known_around
        session.would_settle |= settles_around
    with suppress(NotDescribed):
        if _state(session) == before:
            questions, floats = tuple(dict.fromkeys(map(outside.question, asked))), outside.floats(helper)
            _check(helper, source)
            store.put(key, _written((replace(helper, hidden=()), floats, questions, has_known_trips, would_settle), source, helper.function))
    return helper


# ---- what a reading depends on --------------------------------------------------------------------------------------------------


def _key(store: Store, function: FunctionType, source: Source, outside: Iterator[str], signatures: tuple[str, ...]) -> str:
    code = function.__code__
    words = (
        "helper", store.stamp, repr(np.get_printoptions()), repr(np.geterr()), source.file, source.text, function.__name__, function.__qualname__,
        repr(function.__doc__), str(code.co_flags), *signatures, "outside", *outside,
    )  # fmt: skip
    whole = hashlib.sha256()
    for word in words:
        data = word.encode(errors="surrogatepass")
        whole.update(len(data).to_bytes(8, "little"))
        whole.update(data)
    return whole.hexdigest()


def _signature(key: Any) -> str:
    """The kinds of a call's arguments (`signatures.Signature`)."""
    kind = type(key)
    if kind is tuple:
        return f"({' '.join(map(_signature, key))})"
    if kind is type and key in _KINDS:
        return f"type {_KINDS[key]}"
    if kind in _FLAT:
        return f"{kind.__name__} {key!r}"
    raise NotDescribed(kind.__name__)


Dotted = tuple[str, ...]


@lru_cache(maxsize=256)
def _names_in(node: ast.AST) -> tuple[frozenset[str], tuple[Dotted, ...]] | None:
    """The names that stand in a function, and names with the attributes behind them; None if it does what its text does not tell."""
    names: set[str] = set()
    paths: set[Dotted] = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            names.add(each.id)
        elif isinstance(each, ast.Attribute):
            if each.attr in _REFUSED:
                return None
            paths.add(_path(each))
        elif isinstance(each, _DYNAMIC):
            return None
    return None if names & _REFUSED else (frozenset(names), tuple(sorted(paths - {()})))


def _path(node: ast.expr) -> Dotted:
    """("np", "linalg", "solve"); () if it does not begin with a name."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        base = _path(node.value)
        return (*base, node.attr) if base else ()
    return ()


_DYNAMIC = (ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom, ast.Set, ast.SetComp, ast.ClassDef, ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFunctionDef, ast.Try, ast.TryStar)


class _Outside:
    """What a function's names stand for that it does not bind itself."""

    def __init__(self, reader: Reader, function: FunctionType, steps: Steps | None) -> None:
        self.session, self.function = reader.session, function
        home = reader.frame.of_function(function, steps)
        self.home: Steps = (("object", function),) if home is None else home
        self.found: dict[str, Any] = {}

    def described(self, source: Source) -> Iterator[str]:
        """Each name with what it stands for, and what a library has under its attributes: a test may have put another function there."""
        code, known = self.function.__code__, _names_in(source.node)
        if known is None or code.co_freevars:
            raise NotDescribed(self.function.__name__)
        names, paths = known
        for name in sorted(names.difference(code.co_varnames, code.co_cellvars)):
            self.found[name] = step(self.function, "global", name)
            yield f"{name}: {_thing(self.found[name])}"
        for name, *attributes in paths:
            if isinstance(value := self.found.get(name), ModuleType):
                for attribute in attributes:
                    value = step(value, "attribute", attribute)
                yield f"{name}.{'.'.join(attributes)}: {_mark(value)}"

    def question(self, steps: Steps) -> Any:
        """What was asked, told without the way to the function: a name, and the attributes of a library's module behind it; () for whether anything is registered."""
        if steps == NAMES:
            return ()
        own, rest = steps[: len(self.home)], steps[len(self.home) :]
        if own != self.home or not rest or rest[0][0] != "global" or rest[0][1] not in self.found:
            raise NotDescribed("a question about another thing")
        if rest[1:] == _KIND and type(self.found[rest[0][1]]) is float:
            return rest[0][1], None
        attributes = tuple(key for kind, key in rest[1:] if kind == "attribute" and type(key) is str)
        if len(attributes) != len(rest) - 1 or attributes and not isinstance(self.found[rest[0][1]], ModuleType):
            raise NotDescribed("a question about another thing")
        return (rest[0][1], *attributes)

    def ask(self, question: tuple[str | None, ...]) -> None:
        """Ask it again."""
        if not question:
            self.session.guard(NAMES, REGISTERED.names)
            return
        name, *attributes = question
        assert name is not None
        value = self.found[name]
        steps: Steps = self.steps(name)
        for attribute in attributes:
            kind = "kind" if attribute is None else "attribute"
            steps, value = (*steps, (kind, attribute)), step(value, kind, attribute)
        self.session.guard(steps, value)

    def steps(self, name: str) -> Steps:
        """The way to what a name stands for."""
        return (*self.home, ("global", name))

    def floats(self, helper: Helper) -> tuple[str, ...]:
        """The names of the floats that a helper takes from outside; NotDescribed if it takes anything else."""
        ways = {Access(self.steps(name)): name for name, value in self.found.items() if type(value) is float}
        if not ways.keys() >= set(helper.hidden):
            raise NotDescribed("a hidden input")
        return tuple(ways[access] for access in helper.hidden)

    def with_floats(self, helper: Helper, names: tuple[str, ...]) -> Helper:
        """The helper, which takes them by the way that leads to them now."""
        hidden = tuple(Access(self.steps(name)) for name in names)
        self.session.hidden_types.update((access, self.found[name]) for access, name in zip(hidden, names, strict=True))
        return replace(helper, hidden=hidden)


def _mark(value: Any) -> str:
    """What tells a library's own function or number from another one under its name."""
    if isinstance(value, bool | int | float | complex | str):
        return repr(value)
    return f"{type(value).__name__} {getattr(value, '__module__', '')} {getattr(value, '__qualname__', '')} {getattr(value, '__name__', '')}"


def _thing(value: Any) -> str:
    """What a name stands for, if that is the same in every process."""
    if value is MISSING:
        return "nothing"
    if type(value) in _FLAT:
        return f"{type(value).__name__} {value!r}"
    if type(value) is float:
        return "a float"
    if isinstance(value, ModuleType):
        name = value.__name__
        if name.partition(".")[0] in _LIBRARIES and sys.modules.get(name) is value and name.split(".")[1:2] != ["random"]:
            return f"module {name}"
        raise NotDescribed(name)
    own = getattr(value, "__name__", "")
    for module in (builtins, *_LIBRARIES.values()) if type(own) is str and own not in _REFUSED else ():
        if getattr(module, own, MISSING) is value:
            return f"{own} of {module.__name__}"
    raise NotDescribed(type(value).__name__)


# ---- what a reading leaves ------------------------------------------------------------------------------------------------------


def _state(session: Session) -> list[Any]:
    """What a session holds, as far as a helper must not change it: by the identity of all parts."""
    found: list[Any] = []
    for each in fields(type(session)):
        if each.name not in _NOT_KEPT:
            value = getattr(session, each.name)
            parts = [*value.keys(), *value.values()] if isinstance(value, dict) else value if isinstance(value, list | set | frozenset | tuple) else (value,)
            found.append((each.name, sorted(map(id, parts))))
    return found


def _check(helper: Helper, source: Source) -> None:
    """Raise NotDescribed unless a helper is a plain function of its arguments, which says nothing of its place but in its locations."""
    if helper.function is None or helper.origins or helper.function.rule is not None:
        raise NotDescribed("what a helper takes or gives back")
    file = Path(source.file).name
    for node in walk(helper.function.body):
        if isinstance(node, Call) or isinstance(node, Check) and (type(node.exception) is not str or file in node.message) or isinstance(node, Print) and (node.function or file in node.text):
            raise NotDescribed("a node")


# ---- a helper as bytes ----------------------------------------------------------------------------------------------------------


_ROWS = {row.name: row for row in TABLE}
_NAMES = {id(row): name for name, row in _ROWS.items()}


def _written(kept: Any, source: Source, function: Function | None) -> bytes:
    file = io.BytesIO()
    _Pickler(file, source, function).dump(kept)
    return file.getvalue()


class _Pickler(pickle.Pickler):
    """Writes what is told here how to write, and nothing else."""

    def __init__(self, file: io.BytesIO, source: Source, function: Function | None) -> None:
        super().__init__(file, protocol=5)
        self.source, self.function = source, function

    def reducer_override(self, value: Any) -> Any:
        kind = type(value)
        if kind is type:
            return self._class(value)
        if value is _row or value is _place or value is _dtype:
            return NotImplemented
        if kind is Location:
            return self._location(value)
        if kind is Primitive and id(value) in _NAMES:
            return _row, (_NAMES[id(value)],)
        if isinstance(value, np.dtype) and value.names is None and np.dtype(value.str) is value:
            return _dtype, (value.str,)
        if kind is slice:
            return slice, (value.start, value.stop, value.step)
        if kind is not Function or value is self.function:
            return self._record(value)
        raise NotDescribed("another function")

    def _class(self, value: type) -> Any:
        if value is slice or _is_record(value):
            return NotImplemented
        raise NotDescribed(value.__name__)

    def _record(self, value: Any) -> Any:
        kind = type(value)
        if not _is_record(kind):
            raise NotDescribed(kind.__name__)
        return kind, tuple(getattr(value, name) for name in given(kind))

    def _location(self, value: Location) -> Any:
        if value.file == self.source.file:
            line = self.source.line
            return _place, (value.line - line, value.column, value.end_line - line, value.end_column)
        if value != NOWHERE:
            raise NotDescribed(value.file)
        return self._record(value)


def _is_record(kind: type) -> bool:
    """Whether a class is the program's: what the reader makes of values beside it stays with the reader."""
    return kind in (Helper, Location) or kind.__module__.startswith(_PROGRAMS) and hasattr(kind, "__dataclass_fields__")


_PROGRAMS = ("s2s.types", "s2s.transforms.ir.", "s2s.transforms.primitives.")


def _row(name: str) -> Primitive:
    return _ROWS[name]


def _dtype(name: str) -> np.dtype:
    return np.dtype(name)


def _place(*_numbers: int) -> Location:
    raise AssertionError("the function's own stands in its place")


class _Unpickler(pickle.Unpickler):
    """A helper of the same content, wherever it stands in its file now."""

    def __init__(self, content: bytes, source: Source) -> None:
        super().__init__(io.BytesIO(content))
        self.source = source

    def place(self, line: int, column: int, end_line: int, end_column: int) -> Location:
        """Where it is now."""
        return Location(self.source.file, line + self.source.line, column, end_line + self.source.line, end_column)

    def find_class(self, module: str, name: str) -> Any:
        return self.place if module == __name__ and name == "_place" else super().find_class(module, name)


__all__ = ["kept_helper"]
