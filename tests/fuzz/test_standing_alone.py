"""Modules that stand alone (`s2s emit`), of drawn programs and of each row: NumPy's numbers for whatever they are called with, or an error that says what they were made for."""
from __future__ import annotations

import copy
import re
import shlex
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.integrate
from turns import in_turn

import s2s
from fuzz.aliases import AliasProgram, drawn
from fuzz.calls import NAMES, Call
from fuzz.check import load
from fuzz.grammar import Program, Seeded
from fuzz.loops import LoopProgram
from fuzz.points import point
from fuzz.storage import StorageProgram
from s2s.calls.standalone import emit_text
from s2s.errors import S2SError

MADE_FOR = r"must not share memory|must be contiguous in memory|this module was made for|must have the shape|read-only"
SHARES = 24
OF_THESE_SIZES = frozenset({"np.cross"})
"""Rows that a call reads again for its sizes, which a command tells only where it is asked to."""


def alone(function: Callable[..., Any], args: tuple[Any, ...], target: str = "numpy") -> Callable[..., Any] | None:
    """The function of the module that its command writes for arguments like these; None where s2s does not read it."""
    try:
        source = s2s.jit(function, target=target).source(*copy.deepcopy(args))
        (command,) = [line for line in source.split("\n") if line.startswith("#   s2s emit")]
        words = shlex.split(command.removeprefix("#   "))
        types = words[words.index("--args") + 1] if "--args" in words else "()"
        name, text = emit_text(function, ["jit"], args=types, target=target)
    except S2SError:
        return None
    assert not re.search(r"(import|from) s2s", text)
    found: Callable[..., Any] = getattr(load(text), name)
    return found


def numbers(value: Any) -> list[Any]:
    """The numbers and arrays in a result."""
    return [leaf for leaf in s2s.tree_util.tree_leaves(value) if isinstance(leaf, np.ndarray | np.generic | float | int | complex)]


def same(found: Any, wanted: Any, tolerance: float = 1e-9) -> None:
    found, wanted = numbers(found), numbers(wanted)
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


def lying_otherwise(seed: int, loops: bool) -> Iterator[tuple[Any, ...]]:
    """Arguments of other sizes, and such as share memory or lie there in another way."""
    for n, m in ((5, 5), (6, 4), (1, 3), (0, 2), (2, 1)) if loops else ((5, 5),):
        yield point(seed, n, m)
    a, b, rows, x, k = point(seed, 5, 5)
    memory = np.random.default_rng(seed).normal(size=7)
    yield a, a, rows, x, k
    yield rows[1], b, rows, x, k
    yield memory[:5], memory[2:], rows, x, k
    yield np.repeat(a, 2)[::2], b[::-1], rows.T, x, k
    yield a, b, rows, x, (k + 1) % 5


def once_more(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same arguments in new memory: shared as before."""
    whole: dict[int, np.ndarray] = {}

    def again(array: np.ndarray) -> np.ndarray:
        base = array if array.base is None else array.base
        base = base if base.base is None else base.base
        kept = whole.setdefault(id(base), base.copy())
        offset = array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        return np.ndarray(array.shape, array.dtype, kept, offset, array.strides) if array.size else array.copy()

    return tuple(again(each) if isinstance(each, np.ndarray) else each for each in args)


DRAWN = {
    "grammar": lambda seed: Program(Seeded(seed), 3 + seed % 8).text(), "loops": lambda seed: LoopProgram(Seeded(seed), 3 + seed % 8, "real").text(),
    "storage": lambda seed: StorageProgram(Seeded(seed), 3 + seed % 8).text(), "aliases": lambda seed: AliasProgram(Seeded(seed), 2 + seed % 6).text(),
}  # fmt: skip


@pytest.mark.parametrize("grammar", in_turn(DRAWN, 2, 1))
def test_drawn_programs_called_with_other_arguments(grammar: str) -> None:
    told = right = 0
    for seed in range(70_100, 70_112):
        module = load(DRAWN[grammar](seed))
        calls = [(x := drawn(seed))[:1] * 2 + x[2:], *(drawn(seed + k) for k in range(2))] if grammar == "aliases" else list(lying_otherwise(seed, grammar == "loops"))
        function = alone(module.f, calls[0] if grammar != "aliases" else calls[1])
        for args in calls if function is not None else ():
            given, wanted_given = once_more(args), once_more(args)
            with np.errstate(all="ignore"):
                try:
                    wanted = module.f(*wanted_given)
                except (ArithmeticError, LookupError, ValueError, TypeError):
                    continue  # no program for these
                try:
                    found = function(*given)
                except ValueError as error:
                    assert re.search(MADE_FOR, str(error)), error
                    told += 1
                    continue
            same((found, given), (wanted, wanted_given))
            right += 1
    assert right > 20
    assert told or grammar in ("grammar", "loops")


@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
def test_each_row_without_s2s(share: int) -> None:
    names = sorted(NAMES)[share::SHARES]
    right = 0
    for name in names:
        function, args, wanted = next(accepted(name), (None, (), None))
        own = alone(function, args) if function is not None else None
        if own is not None and name not in OF_THESE_SIZES:
            with np.errstate(all="ignore"):
                same(own(*copy.deepcopy(args)), wanted, 0.0)
            right += 1
    assert right > 0.8 * len(names)


def accepted(name: str) -> Iterator[tuple[Callable[..., Any], tuple[Any, ...], Any]]:
    """Calls of a row that s2s answers, and the answers."""
    for seed in range(1, 9):
        text, arguments = Call(name, seed, plain=True, alone=True).point(0)
        function, args = load(text).f, tuple(each.build() for each in arguments)
        try:
            with np.errstate(all="ignore"):
                yield function, args, s2s.jit(function, target="numpy")(*copy.deepcopy(args))
        except Exception:  # noqa: BLE001, S112 (refused, or NumPy's own words: the drawn calls look at both)
            continue


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_tables_of_our_own_come_along(target: str) -> None:
    def integral(a):
        NODES = np.array([1.0, 0.5])  # noqa: N806 (a table of our own is called so)
        return scipy.integrate.quad(lambda x: np.exp(-a * x * NODES[1]), 0.0, 1.0)[0] * np.sum(NODES)

    found = alone(integral, (2.0,), target)
    assert found is not None
    np.testing.assert_allclose(found(2.0), integral(2.0), rtol=1e-12)


def test_arguments_in_one_memory() -> None:
    def program(state, others):
        state["u"][1:] += others[0][:-1]
        return np.sum(others[1])

    u, v, w = np.arange(4.0), np.ones(4), np.full(4, 2.0)
    function = alone(program, ({"u": u.copy()}, [v, w]))
    assert function is not None
    assert function({"u": u}, [v, v]) == 4.0
    with pytest.raises(ValueError, match=r'state\["u"\], which the function writes into, must not share memory with others_1'):
        function({"u": u}, [v, u])
    assert u.tolist() == [0.0, 2.0, 3.0, 4.0]
