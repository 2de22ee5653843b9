"""Whether a text of `debug.print` has a field for each value."""
from __future__ import annotations

from string import Formatter

from s2s.errors import ArgumentTypeError, ArgumentValueError


def check_format(fmt: str, count: int, names: tuple[str, ...], skip: bool) -> None:
    """Raise what JAX raises for values that no field shows; too few are str.format's own errors.

    >>> check_format("{} {n}", 1, ("n",), False)
    >>> check_format("{}", 2, (), False)
    Traceback (most recent call last):
    s2s.errors.ArgumentValueError: Unused positional arguments to `s2s.debug.print`: 1
    """
    if not isinstance(fmt, str):
        raise ArgumentTypeError(f"expected str, got {type(fmt).__name__}", why="the first argument of debug.print is a text with fields")
    if skip:
        return
    fields = [name.partition(".")[0].partition("[")[0] for _, name, _, _ in Formatter().parse(fmt) if name is not None]
    if "" in fields and any(name.isdigit() for name in fields):
        return  # str.format's own error
    shown = {int(name) for name in fields if name.isdigit()} | set(range(fields.count("")))
    unused = [name for name in names if name not in fields]
    if count > len(shown & set(range(count))):
        raise ArgumentValueError(f"Unused positional arguments to `s2s.debug.print`: {count - len(shown & set(range(count)))}")
    if unused:
        raise ArgumentValueError(
            f'Unused keyword arguments to `s2s.debug.print`: {unused}. You may be passing an f-string (i.e, `f"{{x}}"`) into `s2s.debug.print` and instead should pass in a regular string.'
        )


__all__ = ["check_format"]
