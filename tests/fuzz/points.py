"""Arguments for random programs, the program read for them, and the call of it.

A program's module says in `KIND` what its arguments are: "square" (lengths of 5, the rest of `grammar`), or those of `loops`,
whose programs run at any sizes: "real", "single" (float32 throughout) and "complex".
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s import tree_util
from s2s.calls.leaves import exact_kind, kind_of_leaf, make_var
from s2s.hidden import fetch
from s2s.transforms.ir.program import Var
from s2s.transforms.ir.staged import Staged
from s2s.transforms.ir.verify import verify
from s2s.transforms.read import read

SIZES = ((6, 4), (1, 3), (0, 2), (17, 5), (2, 1), (3, 0), (5, 5), (4, 9))
"""Lengths (n, m) of the arguments of programs that run at any: a (n), b (n), P (n, m)."""


def kind_of(module: Any) -> str:
    """The kind of arguments that a program's module asks for."""
    return getattr(module, "KIND", "square")


def points_for(kind: str, seed: int, count: int) -> list[tuple[Any, ...]]:
    """So many points; for programs that run at any sizes, of different ones."""
    if kind == "square":
        return [point(seed + number, 5, 5) for number in range(count)]
    chosen = [SIZES[0], *(SIZES[1 + (seed + 2 * number) % (len(SIZES) - 1)] for number in range(count - 1))]
    return [typed(point(seed + number, *sizes), kind, seed + number) for number, sizes in enumerate(chosen)]


def point(seed: int, n: int, m: int) -> tuple[Any, ...]:
    """a, b of length n, P n by m, a float x, an int k from 0 to 4."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=n), rng.normal(size=n), rng.normal(size=(n, m)) * 0.5, float(rng.normal()), int(rng.integers(0, 5))


def typed(args: tuple[Any, ...], kind: str, seed: int) -> tuple[Any, ...]:
    """The arguments with the dtypes of a kind: x stays a Python number."""
    if kind == "single":
        return (*(value.astype(np.float32) for value in args[:3]), *args[3:])
    if kind == "complex":
        other = point(seed + 1000, len(args[0]), args[2].shape[1])
        return (*(one + 1j * two for one, two in zip(args[:4], other, strict=False)), args[4])
    return args


def read_for(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """What arguments have in common that one program serves: the dimensions that are 1."""
    return tuple(tuple(size == 1 for size in np.shape(value)) for value in args)


def stage(fun: Callable[..., Any], args: tuple[Any, ...], *, exact: bool = False) -> Staged:
    """The function read for arguments like these; `exact`: of just these sizes."""
    params: list[Var] = []

    def variable(leaf: Any) -> Var:
        kind = kind_of_leaf(leaf, "x")
        params.append(make_var(exact_kind(kind, leaf) if exact else kind, "abPxk"[len(params)], lambda: "n"))
        return params[-1]

    tree = tree_util.tree_map(variable, args)
    staged = read(fun, tuple(params), tree, {})
    verify(staged.function)
    return staged


def operands_of(fun: Callable[..., Any], staged: Staged, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments, and what the function reads from outside."""
    return (*args, *(fetch(fun, each.access) for each in staged.hidden))
