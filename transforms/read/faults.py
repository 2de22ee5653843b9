"""Whose an exception is that is met while reading: what Python and NumPy raise for the program's known values is the program's, what our own code raises by a slip is an `InternalError`.

The program's is what a rule raises in so many words, what comes from code outside of s2s and out of a call with the user's arguments (`function(*args)`), and what comes out of a function that is
marked `asks_python`: it computes with known values as Python does, so that a subscript, an operator or an attribute in it is one of the program's.
"""
from __future__ import annotations

import dis
import os
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import TypeVar

_Function = TypeVar("_Function", bound=Callable[..., object])

_ROOT = str(Path(__file__).parents[2]) + os.sep
_COMPOSED = str(Path("transforms", "read", "composed")) + os.sep
_ASKING: set[CodeType] = set()

_OF_ANYTHING = frozenset({"RAISE_VARARGS", "RERAISE", "CALL_FUNCTION_EX"})
"""Where the program's exceptions come from in any function: what is raised in words, and calls with the user's arguments."""


def asks_python(function: _Function) -> _Function:
    """Mark a function that computes with known values of the program as Python does: what is raised in it is the program's."""
    _note(function.__code__)
    return function


def _note(code: CodeType) -> None:
    _ASKING.add(code)
    for each in code.co_consts:
        if isinstance(each, CodeType):  # its comprehensions, and functions in it
            _note(each)


def is_slip(error: BaseException) -> bool:
    """Whether it is a slip of ours: one that no value of the program's made."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or not _is_of_ours(trace.tb_frame.f_code) or trace.tb_frame.f_code in _ASKING:
        return False
    return dis.opname[trace.tb_frame.f_code.co_code[trace.tb_lasti]] not in _OF_ANYTHING


def _is_of_ours(code: CodeType) -> bool:
    """Whether it is code of s2s; functions that s2s brings along as plain NumPy are run as the program's own."""
    return code.co_filename.startswith(_ROOT) and _COMPOSED not in code.co_filename
