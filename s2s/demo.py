"""`s2s demo`: runs the examples with a progress display, then prints each function, its emitted gradient and the figures."""
from __future__ import annotations

import importlib
import inspect
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.syntax import Syntax
from rich.table import Table

from s2s.calls.making import CACHE
from s2s.calls.transformed import Transformed
from s2s.errors import ArgumentValueError

EXAMPLES = ("iris", "heat", "orbit", "text")
LINES = 60
"""How much of an emitted module is shown."""


def run(names: Sequence[str], *, show_source: bool) -> None:
    """Run the named examples and print what they found."""
    folder = Path(__file__).resolve().parent.parent / "examples"
    if not folder.is_dir():
        raise ArgumentValueError(f"no examples in {folder.parent}", why="they are part of the repository, not of the wheel", instead="clone it, then pip install -e .")
    sys.path.insert(0, str(folder))
    console = Console()
    rows: list[tuple[str, dict[str, Any], float, list[str]]] = []
    modules: list[ModuleType] = []
    columns = (SpinnerColumn(finished_text="[green]done[/]"), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        tasks = {name: progress.add_task(f"{name:8}", total=1, start=False) for name in names}
        for name in names:
            progress.start_task(tasks[name])
            reports: list[str] = []
            start = time.perf_counter()
            modules.append(importlib.import_module(name))
            figures = modules[-1].main(reports.append)
            rows.append((name, figures, time.perf_counter() - start, reports))
            progress.update(tasks[name], completed=1, description=f"{name:8} {_summary(modules[-1])}")
    if show_source:
        for module in modules:
            _print_sources(console, module)
    for _, _, _, reports in rows:
        for report in reports:
            console.print(report)
    console.print(_table(rows))


def _summary(module: ModuleType) -> str:
    return (module.__doc__ or "").split("\n")[0]


def _print_sources(console: Console, module: ModuleType) -> None:
    """Each function of the example that was transformed, and the module emitted for it (its beginning, where it is long)."""
    for name, function in list(vars(module).items()):
        for transformed in _transformed(function):
            for text in transformed.emitted()[:1] if transformed.root is function else ():
                _print_code(console, f"{module.__name__}.py, {name}: what you write", inspect.getsource(function))
                _print_code(console, f"{transformed.public_name}: what s2s emits", text)


def _print_code(console: Console, title: str, text: str) -> None:
    lines = text.rstrip().split("\n")
    shown, left = lines[:LINES], len(lines) - LINES
    console.rule(title, align="left", style="dim")
    code = "\n".join(shown)
    console.print(Syntax(code, "python", background_color="default") if console.is_terminal else code, soft_wrap=True, markup=False, highlight=False)
    if left > 0:
        console.print(f"… {left} more lines", style="dim")


def _transformed(function: Any) -> Iterator[Transformed]:
    made = getattr(function, CACHE, None) if inspect.isfunction(function) else None
    yield from (made or {}).values()


def _table(rows: list[tuple[str, dict[str, Any], float, list[str]]]) -> Table:
    table = Table("example", "loss before", "after", "gradient against differences", "seconds, compiling included")
    for name, figures, seconds, _ in rows:
        table.add_row(name, f"{figures['before']:.4g}", f"{figures['after']:.4g}", f"{figures['gradient_error']:.1e}", f"{seconds:.1f}")
    return table
