"""The text of s2s's own functions, which emitted modules bring along: `inspect.getsource` reads it token by token, with the tokens' grammar compiled first."""
from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable
from types import CodeType
from typing import Any


def text_of(function: Callable[..., Any]) -> str:
    """The lines of a function, its decorators among them: as far as its last instruction reaches."""
    code: CodeType = inspect.unwrap(function).__code__
    return "".join(linecache.getlines(code.co_filename)[code.co_firstlineno - 1 : _end(code)])


def _end(code: CodeType) -> int:
    inner = [_end(each) for each in code.co_consts if isinstance(each, CodeType)]
    return max([end for _, end, _, _ in code.co_positions() if end is not None] + inner)
