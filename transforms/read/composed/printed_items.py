"""What `print` does with a text whose length only the run knows."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
# ruff: noqa: T201 - what it is for
from __future__ import annotations


def print_items(items, separator):
    """Print texts with a separator between them.

    >>> print_items(["a", "b"], ", ")
    a, b
    """
    for k, each in enumerate(items):
        if k > 0:
            print(separator, end="")
        print(each, end="")
