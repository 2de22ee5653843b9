"""`logging` in the user's code: records are logged by the run, each time that it comes by, as `print` writes.

    log.warning("large: %.2f", x)      Print("large: {:.2f}", (x,)), handed to the logger as a text

Whether a record is wanted its logger says when the function runs.
"""
from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

from s2s.errors import ArgumentTypeError
from s2s.logs import LEVELS, written
from s2s.transforms.read.calls.hidden import whole
from s2s.transforms.read.calls.printed import write_text
from s2s.transforms.read.describing import describe
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.texts import percent
from s2s.transforms.read.known import is_known, plain
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, DictRef, Outside, is_runtime


def _of_module(level: int) -> Callable[..., Abstract]:
    """logging.info(message, *args)."""
    return lambda reader, message, *args, **options: _log(reader, None, level, message, args, options)


def _of_logger(level: int) -> Callable[..., Abstract]:
    """log.info(message, *args)."""
    return lambda reader, logger, message, *args, **options: _log(reader, logger, level, message, args, options)


@asks_python
def _at_level(reader: Reader, *args: Abstract, is_module: bool, **options: Abstract) -> Abstract:
    """logging.log(level, message, *args), log.log(level, message, *args)."""
    logger, level, message, *given = (None, *args) if is_module else args
    number = plain(reader, level) if is_known(reader, level) else None
    if number not in LEVELS:
        raise reader.unsupported("a record at a level that is none of Python's own", ", ".join(f"logging.{name.upper()}" for name in LEVELS.values()))
    return _log(reader, logger, number, message, tuple(given), options)


def _log(reader: Reader, logger: Abstract, level: int, message: Abstract, args: tuple[Abstract, ...], options: dict[str, Abstract]) -> Abstract:
    for name, value in options.items():
        if name not in ("exc_info", "extra", "stack_info", "stacklevel"):
            raise ArgumentTypeError(f"Logger._log() got an unexpected keyword argument '{name}'", where=reader.builder.where)
        if name != "stacklevel" and value is not None and value is not False:
            raise reader.unsupported(f"a record that is logged with {name}", "what it is to say as a text")
    if args and not isinstance(message, str):
        raise reader.unsupported("a record with arguments whose message is known only at run time", "an f-string")
    if args:
        is_by_name = len(args) == 1 and isinstance(args[0], DictRef) and reader.heap[args[0]]  # log.info("%(name)s", {"name": x})
        message = percent(reader, message, args[0] if is_by_name else args)
    return write_text(reader, (message,), function=written(_registered(reader, logger), level))


def _exception(reader: Reader, *args: Abstract, **options: Abstract) -> Abstract:
    """log.exception(message): its text is a traceback's, which no run of the module has."""
    del args, options
    raise reader.unsupported("a record that is logged with the traceback of an exception", "log.error(…)")


def _registered(reader: Reader, logger: Abstract) -> logging.Logger | None:
    """The logger, which is found again by its name; None for the module."""
    found = None if logger is None or is_runtime(logger) else whole(reader, logger)
    if logger is not None and not isinstance(found, logging.Logger):
        raise reader.unsupported(f"a record that {describe(reader, logger)} logs", "a logger that is known")
    if found is not None and logging.getLogger(found.name) is not found:
        raise reader.unsupported("a logger that logging.getLogger does not give", "logging.getLogger(name)")
    return found


@asks_python
def _get_logger(reader: Reader, name: Abstract = None) -> Abstract:
    """logging.getLogger(name): the same one each time."""
    if not is_known(reader, name):
        raise reader.unsupported("logging.getLogger of a name that is known only at run time", "a name")
    return Outside(logging.getLogger(plain(reader, name)), None)


LOGGED: dict[str, Callable[..., Abstract]] = {
    "logging.getLogger": _get_logger, "logging.log": partial(_at_level, is_module=True), "logging.Logger.log": partial(_at_level, is_module=False),
    "logging.exception": _exception, "logging.Logger.exception": _exception,
    **{f"logging.{name}": _of_module(level) for level, name in LEVELS.items()}, **{f"logging.Logger.{name}": _of_logger(level) for level, name in LEVELS.items()},
}  # fmt: skip
"""Functions and methods of `logging` -> rule(reader, *args, **kwargs)."""

__all__ = ["LOGGED"]
