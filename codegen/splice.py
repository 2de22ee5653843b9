"""Where nothing is compiled, the entry kernel's body can stand in the public function itself: it reads as one function.

    def _loss_grad(w, x):            def loss_grad(w, x):
        z = x @ w             ->         w, x = _array(…), _array(…)
        return 2.0 * (x.T @ z)           z = x @ w
                                         return 2.0 * (x.T @ z)
"""
from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass

from s2s.codegen.kernel import Kernels
from s2s.codegen.lines import separated


@dataclass(frozen=True)
class Spliced:
    """The entry kernel's lines without its def and its return, the texts that it returned and the line where it did, the module's other lines."""

    body: tuple[str, ...]
    returned: tuple[str, ...]
    last: str
    rest: tuple[str, ...]
    names: frozenset[str]


def splice(kernels: Kernels) -> Spliced | None:
    """The entry kernel taken apart; None if it returns anywhere but in its last line."""
    tree = ast.parse(kernels.text)
    entry = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == kernels.entry)
    returns = [node for node in ast.walk(entry) if isinstance(node, ast.Return)]
    last = entry.body[-1]
    if len(returns) > 1 or returns and returns[0] is not last:
        return None
    lines = kernels.lines
    first = next(number for number in range(entry.lineno - 1, len(lines)) if lines[number].rstrip().endswith(":")) + 1
    end = last.lineno - 1 if returns else entry.end_lineno
    rest = tuple(separated([lines[: entry.lineno - 1], lines[(entry.end_lineno or 0) :]]))
    names = frozenset(node.id for node in ast.walk(entry) if isinstance(node, ast.Name)) - set(dir(builtins))
    return Spliced(lines[first:end], _texts(kernels.text, last), lines[last.lineno - 1], rest, names)


def _texts(source: str, node: ast.stmt) -> tuple[str, ...]:
    if not isinstance(node, ast.Return) or node.value is None:
        return ()
    parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    return tuple(ast.get_source_segment(source, part) or ast.unparse(part) for part in parts)
