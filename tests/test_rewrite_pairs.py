"""Rewrites that make other programs (derivatives, batches, checkpoints), each on a small one: what goes in and what comes out, as text, kept in
tests/golden/rewrites. Those that every program goes through before it is lowered: test_program_passes.py
(but for helpers, which the statements of one kernel don't show).

`S2S_UPDATE_GOLDEN=1 pytest tests/test_rewrite_pairs.py` writes the files again; read the diff. What goes in and what comes out is run,
too: a rewrite that keeps a program's meaning gives the same numbers, a derivative those of differences.
"""
from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from row_batches import batch
from staging import stage

from s2s.transforms.checkpoints.checkpoint import checkpointed
from s2s.transforms.checkpoints.policies import as_policy
from s2s.transforms.checkpoints.snapshots import with_snapshots
from s2s.transforms.derivatives import derive, forward
from s2s.transforms.derivatives.linear import linearized, pullback, pushforward
from s2s.transforms.derivatives.linearize import linear_transpose
from s2s.transforms.derivatives.reverse import adjoint
from s2s.transforms.derivatives.reverse.companions import with_companions
from s2s.transforms.derivatives.reverse.inline import inline_mutating
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import Function
from s2s.transforms.ir.staged import Staged
from s2s.transforms.ir.verify import verify
from s2s.transforms.simplify.simplification import simplify

FOLDER = Path(__file__).parent / "golden" / "rewrites"
U, V, A = np.array([0.5, -1.0, 2.0, 0.25]), np.array([1.0, 0.5, -0.5, 2.0]), np.arange(12.0).reshape(3, 4) / 7

# ---- programs -----------------------------------------------------------------------------------------------------------


def bent(x):
    return x / (1.0 + x * x)


def helped(u):
    return bent(u) - bent(2.0 * u)


def straight(x, y):
    z = x * y
    return np.sin(z) + z * x


def summed(u, c):
    total = 0.0
    for i in range(len(u)):
        total += np.sin(c * u[i])
    return total


def stepped(x, n):
    for _ in range(n):
        x = x * x - 0.5
    return x


def swept(u):
    u = u.copy()
    for i in range(1, len(u)):
        u[i] = u[i] * u[i - 1]
    return u[len(u) - 1]


def chosen(x, y):
    return x * y if x > y else x - np.exp(y)


def halved(x):
    while x > 0.1:
        x = x * np.cos(x)
    return x


def scaled(w, u):
    for i in range(len(w)):
        w[i] = w[i] * u[i]


def through_a_helper(u, v):
    w = u.copy()
    scaled(w, v)
    return np.sum(w * w)


def wave(x):
    return np.sin(x) * x


def weighted(u, v):
    return np.sum(3.0 * u + v * 0.5)


def row_products(a, x):
    return np.sum(a @ x)


# ---- rewrites -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """A rewrite of a program for such arguments. `first`: what is done to the program before; `same`: whether the numbers stay what they are."""

    fun: Callable[..., Any]
    args: tuple[Any, ...]
    rewrite: Callable[[Function], Any]
    first: Callable[[Staged], Function] = lambda staged: staged.function
    same: bool = True


def simple(staged: Staged) -> Function:
    return simplify(staged.function)


def all_of(function: Function) -> tuple[bool, ...]:
    """Every float is differentiated."""
    return tuple(param.type.dtype.kind == "f" for param in function.params)


def reverse(function: Function) -> Function:
    return simplify(adjoint.vjp(function, all_of(function), (True,) * len(function.body.results)))


def both(parts: Any) -> list[Function]:
    return [simplify(parts.forward), simplify(parts.linear)]


def kept_by_name(staged: Staged) -> Function:
    return simplify(derive.grad(checkpointed(staged, as_policy(None))).function)


PAIRS = {
    "simplify_helpers": Pair(helped, (U,), simplify),
    "forward": Pair(straight, (0.3, 0.7), lambda function: simplify(forward.jvp(function, all_of(function))), simple, same=False),
    "forward_loop": Pair(summed, (U, 0.5), lambda function: simplify(forward.jvp(function, all_of(function))), simple, same=False),
    "reverse": Pair(straight, (0.3, 0.7), reverse, simple, same=False),
    "reverse_sum": Pair(summed, (U, 0.5), reverse, simple, same=False),
    "reverse_taped": Pair(stepped, (0.3, 3), reverse, simple, same=False),
    "reverse_rolled_back": Pair(swept, (U,), reverse, simple, same=False),
    "reverse_branch": Pair(chosen, (0.3, 0.7), reverse, simple, same=False),
    "reverse_while": Pair(halved, (0.9,), reverse, simple, same=False),
    "reverse_in_place_helpers": Pair(through_a_helper, (U, V), inline_mutating, simple),
    "reverse_companions": Pair(summed, (U, 0.5), lambda function: with_companions(function, all_of(function), (True,))[0], simple),
    "linear_pushforward": Pair(straight, (0.3, 0.7), lambda function: both(pushforward(function, all_of(function))), simple, same=False),
    "linear_linearized": Pair(summed, (U, 0.5), lambda function: both(linearized(function, all_of(function))), simple, same=False),
    "linear_pullback": Pair(straight, (0.3, 0.7), lambda function: both(pullback(function, all_of(function), (True,))), simple, same=False),
    "batch": Pair(row_products, (A, U), lambda function: batch(function, (False, True))[0], simple, same=False),
    "batch_elementwise": Pair(wave, (0.3,), lambda function: batch(function, (True,))[0], simple, same=False),
    "checkpoint_snapshots": Pair(stepped, (0.3, 3), lambda function: with_snapshots(function, 2), simple),
}


def shown(programs: Any) -> str:
    """Programs as text, without where they come from."""
    programs = programs if isinstance(programs, list) else [programs]
    return "\n\n".join(re.sub(r"  # [^\n]*$", "", str(program), flags=re.MULTILINE) for program in programs)


def before_and_after(pair: Pair) -> tuple[Function, Any]:
    before = pair.first(stage(pair.fun, pair.args))
    verify(before)
    after = pair.rewrite(before)
    for program in after if isinstance(after, list) else [after]:
        verify(program)
    return before, after


def kept(name: str, text: str) -> None:
    path = FOLDER / f"{name}.txt"
    if os.environ.get("S2S_UPDATE_GOLDEN"):
        path.write_text(text)
    assert path.exists(), f"{path.name} is missing: run S2S_UPDATE_GOLDEN=1 pytest {Path(__file__).name}, and read it"
    assert text == path.read_text(), f"{path.name} is not what the rewrite makes now: if the new program is better, run with S2S_UPDATE_GOLDEN=1"


@pytest.mark.parametrize("name", PAIRS)
def test_pair(name):
    pair = PAIRS[name]
    before, after = before_and_after(pair)
    assert shown(before) != shown(after)
    kept(name, f"{shown(before)}\n\n---- becomes\n\n{shown(after)}\n")
    if pair.same:
        args = [*pair.args, 1.0][: len(before.params)]  # a gradient's program has the same parameters
        for got, want in zip(interpret(after, *args), interpret(before, *args), strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-12)


def test_a_transpose():
    """Of a linear function: from the cotangent of its result to that of its arguments."""
    staged = stage(weighted, (U, V))
    transposed = simplify(linear_transpose(staged).function)
    verify(transposed)
    kept("linear_transpose", f"{shown(staged.function)}\n\n---- becomes\n\n{shown(transposed)}\n")


def test_a_checkpoint():
    """Its backward half computes the function again."""
    staged = stage(wave, (0.3,))
    derivative = kept_by_name(staged)
    verify(derivative)
    kept("checkpoint", f"{shown(staged.function)}\n\n---- becomes\n\n{shown(derivative)}\n")


@pytest.mark.parametrize("name", [name for name, pair in PAIRS.items() if pair.rewrite is reverse])
def test_derivatives_are_those_of_differences(name):
    before, after = before_and_after(PAIRS[name])
    args = PAIRS[name].args
    seeds = [1.0]
    bars = iter(interpret(after, *args, *seeds)[len(before.body.results):])
    for number, arg in enumerate(args):
        if isinstance(arg, int):
            continue
        bar, direction = next(bars), np.ones_like(arg)
        ahead, back = ([*args[:number], arg + sign * 1e-6 * direction, *args[number + 1:]] for sign in (1, -1))
        slope = (interpret(before, *ahead)[0] - interpret(before, *back)[0]) / 2e-6
        np.testing.assert_allclose(np.sum(bar * direction), slope, rtol=1e-6)
