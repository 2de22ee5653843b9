"""From an exception that passes a loaded module to the user's line.

The traceback of an exception that a module raises, compiled or not, holds the emitted line. What that line stems from was
noted when it was printed (`codegen/language/lines.py`), so that nothing is kept or computed for it while the module runs.
"""
from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from types import TracebackType
from typing import Any

from s2s.codegen.language.lines import Place
from s2s.errors import Location
from s2s.parsed import parsed, statements_in


def place_of(error: BaseException, file: str, places: Mapping[int, Place]) -> Place | None:
    """The place of the innermost line of the module in `file` that the exception passed."""
    trace = _last_in(error.__traceback__, file)
    return None if trace is None else places.get(trace.tb_lineno)


def examples_in(error: BaseException, file: str, places: Mapping[int, Place]) -> list[object]:
    """The numbers of the examples, the innermost batch's first, in which the module in `file` stopped; none where it raised itself: its message has them."""
    found: list[object] = []
    last: Place | None = None
    trace = error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        if frame.f_code.co_filename == file and (place := places.get(trace.tb_lineno)) is not None:
            found += [frame.f_locals[name] for name in place.examples if name in frame.f_locals]
            last = place
        trace = trace.tb_next
    return [] if last is None or last.raises else found[::-1]


def explain(error: BaseException, file: str, place: Place) -> None:
    """Put a frame with the user's line into the traceback, behind that of the module's line (and NumPy's own); type and words stay as they are."""
    trace = _last_in(error.__traceback__, file)
    assert trace is not None
    frame = _frame_at(place.of(*_columns(trace)))
    while trace.tb_next is not None and str(trace.tb_next.tb_frame.f_globals.get("__name__")).startswith("numpy."):
        trace = trace.tb_next
    frame.tb_next, trace.tb_next = trace.tb_next, frame


def _last_in(trace: TracebackType | None, file: str) -> TracebackType | None:
    found = None
    while trace is not None:
        found = trace if trace.tb_frame.f_code.co_filename == file else found
        trace = trace.tb_next
    return found


def _columns(trace: TracebackType) -> tuple[int, int]:
    """The bytes of the line at which a frame stopped, as far as Python knows them (compiled code has none)."""
    _, _, start, end = next(islice(trace.tb_frame.f_code.co_positions(), trace.tb_lasti // 2, None), (None,) * 4)
    return (0, sys.maxsize) if start is None or end is None else (start, end)


def _frame_at(where: Location) -> TracebackType:
    """A traceback of one frame that stands at this place of the user's source: a function of that name that raises there was called."""
    lines = linecache.getlines(where.file)
    name, first = _function_at("".join(lines), where.line)
    start, end = (_byte(lines, where.line, where.column), _byte(lines, where.end_line, where.end_column))
    last = where.end_line if (where.end_line, end) > (where.line, start) else where.line
    span = (where.line, start, last, end if last == where.end_line and end > start or last > where.line else start + 1)
    failing = ast.Raise(ast.Name("Exception", ast.Load()), None)
    arguments = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    definition = ast.FunctionDef(name, arguments, [failing], [])
    for node in ast.walk(definition):
        node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = span  # type: ignore[attr-defined]
    definition.lineno = first
    namespace: dict[str, Any] = {"__name__": where.file}
    exec(compile(ast.Module([definition], []), where.file, "exec"), namespace)  # noqa: S102
    try:
        namespace[name]()
    except Exception as raised:  # noqa: BLE001
        trace = raised.__traceback__
    return trace.tb_next  # type: ignore[union-attr,return-value]


def _byte(lines: list[str], line: int, column: int) -> int:
    """Python counts a line's bytes, we its letters."""
    return len(lines[line - 1][:column].encode()) if 0 < line <= len(lines) else column


@lru_cache(maxsize=8)
def _functions(source: str) -> tuple[tuple[int, int, str], ...]:
    """(first line, last line, name) of each function, outer before inner; none where the source is not plain Python (a notebook's magics)."""
    try:
        tree = parsed(source)
    except SyntaxError:
        return ()
    found = [node for node in statements_in(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return tuple((node.lineno, node.end_lineno or node.lineno, node.name) for node in found)


def _function_at(source: str, line: int) -> tuple[str, int]:
    """The name of the innermost function around a line, and its first line."""
    around = [(first, name) for first, last, name in _functions(source) if first <= line <= last]
    return (around[-1][1], around[-1][0]) if around else ("user_code", line)


def to_json(places: Mapping[int, Place]) -> dict[str, Any]:
    """The places as JSON, each file's name once."""
    files: dict[str, int] = {}

    def span(where: Location) -> list[int]:
        return [files.setdefault(where.file, len(files)), where.line, where.column, where.end_line, where.end_column]

    lines = [
        [number, place.stretch, span(place.where), [[start, end, span(where)] for start, end, where in place.parts], place.raises, list(place.examples)]
        for number, place in places.items()
    ]
    return {"files": list(files), "lines": lines}


def from_json(record: Any) -> dict[int, Place]:
    """What to_json made into JSON."""

    def location(span: list[int]) -> Location:
        return Location(record["files"][span[0]], *span[1:])

    return {
        number: Place(location(span), bool(stretch), tuple((start, end, location(part)) for start, end, part in parts), bool(raises), tuple(examples))
        for number, stretch, span, parts, raises, examples in record["lines"]
    }
