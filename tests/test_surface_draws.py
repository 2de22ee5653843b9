"""lax, nn and random beside JAX: values, dtypes, shapes, exceptions, derivatives and batches of drawn calls. Runs where JAX is installed.

`python tests/test_surface_draws.py SEED COUNT` draws more, and says what differs.
"""
from __future__ import annotations

import sys
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from lax_draws import Draw
from surface_draws import DRAWS

pytest.importorskip("jax")
import jax  # noqa: E402 - it may be missing

import s2s  # noqa: E402

OURS, THEIRS = (SimpleNamespace(lax=each.lax, nn=each.nn, random=each.random) for each in (s2s, jax))
COUNT = 6
"""Draws of each kind."""


WIDER = ("does not accept dtype", "operand must be a floating", "must have every element be nonnegative, got (-1", "is out of bounds for array of dimension 0", "branch outputs must", "branches must have", "while_loop body function carry", "scan body function carry", "requires operand dtype", "operand must have >= 1 dimension", "not compatible with complex", "lower and upper arguments to fori_loop")
"""What JAX refuses and s2s takes (docs/from_jax.md): integers where floats are asked for, another promotion, NumPy's axes of numbers, branches and trips that are known not to be taken."""


def outcome(function: Any, *args: Any) -> Any:
    """What a call gives: its leaves as arrays, or the exception."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return [np.asarray(leaf) for leaf in jax.tree.leaves(function(*args))]
        except Exception as error:  # noqa: BLE001 - it is what is compared
            return error


def difference(found: Any, wanted: Any) -> str:
    """What differs; nothing: ''."""
    if isinstance(wanted, Exception) or isinstance(found, Exception):
        if isinstance(found, NotImplementedError) and not isinstance(wanted, NotImplementedError):
            return f"refused: {str(found).splitlines()[0]}"
        if not isinstance(wanted, Exception):
            return f"raised {type(found).__name__}: {str(found).splitlines()[0]}"
        if not isinstance(found, Exception) or "negative integer powers" in str(found):
            if any(words in str(wanted) for words in WIDER):
                return ""
            return f"accepted; JAX: {type(wanted).__name__}: {str(wanted).splitlines()[0]}"
        if str(wanted) == "list index out of range":  # an accident of JAX's
            return ""
        classes = [each for each in (ValueError, TypeError, IndexError, ZeroDivisionError, OverflowError, NotImplementedError) if isinstance(wanted, each)]
        return "" if any(isinstance(found, each) for each in classes) or not classes else f"raised {type(found).__name__} for JAX's {type(wanted).__name__}: {str(found).splitlines()[0]} / {str(wanted).splitlines()[0]}"
    if len(found) != len(wanted):
        return f"{len(found)} results for {len(wanted)}"
    for one, other in zip(found, wanted, strict=True):
        if one.shape != other.shape:
            return f"shape {one.shape} for {other.shape}"
        if one.dtype != other.dtype and (one.dtype, other.dtype) != (np.int64, np.int32):  # indices that are found are int64
            return f"dtype {one.dtype} for {other.dtype}"
        narrow = "float32" in (str(one.dtype), str(other.dtype)) or "complex64" in (str(one.dtype), str(other.dtype))
        with np.errstate(all="ignore"):
            close = np.isclose(one, other, rtol=2e-4 if narrow else 1e-8, atol=2e-5 if narrow else 1e-9, equal_nan=True) if one.dtype.kind in "fc" else one == other
        if not np.all(close):
            return f"values {np.ravel(one)[~np.ravel(close)][:3]} for {np.ravel(other)[~np.ravel(close)][:3]}"
    return ""


def smooth(arrays: tuple[Any, ...], found: Any) -> bool:
    return bool(arrays) and not isinstance(found, Exception) and all(np.asarray(x).dtype.kind == "f" for x in (*arrays, *found)) and all(np.isfinite(x).all() for x in found)


def tangents(library: Any, call: Any, arrays: tuple[Any, ...]) -> Any:
    along = [np.asarray(np.cos(np.arange(np.size(x))).reshape(np.shape(x)), np.asarray(x).dtype)[()] for x in arrays]
    return library.jvp(call, arrays, tuple(along))[1]


def cotangents(library: Any, call: Any, arrays: tuple[Any, ...]) -> Any:
    out, pull = library.vjp(call, *arrays)
    leaves, treedef = library.tree.flatten(out)
    return pull(library.tree.unflatten(treedef, [np.asarray(np.cos(np.arange(np.size(x))).reshape(np.shape(x)), np.asarray(x).dtype)[()] for x in leaves]))


def compared(name: str, seed: int) -> list[tuple[str, str]]:
    """What differs of a draw: (where, what)."""
    arrays, call = DRAWS[name](Draw(seed))
    arrays = tuple(np.asarray(x) if np.ndim(x) else np.asarray(x)[()] for x in arrays)
    mine, yours = (lambda *given: call(OURS, *given)), (lambda *given: call(THEIRS, *given))
    there = tuple(map(jax.numpy.asarray, arrays))
    wanted = outcome(yours, *there)
    outside = outcome(mine, *arrays)
    jitted = s2s.jit(mine, target="numpy")
    inside = outcome(jitted, *arrays)
    said = [("outside", difference(outside, wanted)), ("inside", difference(inside, wanted))]
    if any(each for _, each in said) or isinstance(wanted, Exception):
        return [each for each in said if each[1]]
    with s2s.disable_jit():
        if smooth(arrays, wanted):
            forward = outcome(tangents, jax, yours, there)
            if not isinstance(forward, Exception):
                said.append(("jvp", difference(outcome(tangents, s2s, mine, arrays), forward)))
            back = outcome(cotangents, jax, yours, there)
            if not isinstance(back, Exception):
                said.append(("vjp", difference(outcome(cotangents, s2s, mine, arrays), back)))
        if arrays:
            batch = [np.stack([x, x[..., ::-1] if np.ndim(x) else x]) for x in arrays]
            several = outcome(jax.vmap(yours), *batch)
            if not isinstance(several, Exception):
                said.append(("vmap", difference(outcome(s2s.vmap(mine), *batch), several)))
    return [each for each in said if each[1]]


@pytest.fixture(autouse=True)
def _wide():
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


@pytest.mark.parametrize("name", DRAWS)
def test_drawn_calls_are_jax_s(name: str) -> None:
    assert not [(seed, found) for seed in range(COUNT) if (found := compared(name, seed))]


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    first, count, *names = sys.argv[1:]
    for chosen in names or DRAWS:
        for number in range(int(first), int(first) + int(count)):
            for where, what in compared(chosen, number):
                print(f"{chosen} {number} {where}: {what[:230]}", flush=True)
