"""What the loop language knows of itself: ranges of integers, names, lines."""
from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from statement_texts import position, statements

from s2s.codegen.language.lines import WIDTH, Line, fold, separated
from s2s.codegen.language.names import Names, legal
from s2s.codegen.language.printing import text
from s2s.codegen.language.ranges import Ranges, places, ranges_of
from s2s.codegen.language.statements import Body, Loop, Store
from s2s.errors import Location

# ---- ranges -----------------------------------------------------------------------------------------------------------

RANGES = {
    "for i in range(n):\n    for j in range(n - 1, i, -1):\n        x[j - i - 1] = 1.0": True,
    "for i in range(n):\n    x[i - 1] = 1.0": False,
    "for i in range(1, n):\n    x[i - 1] = 1.0": True,
    "k = max(n - 2, 0)\nfor i in range(k):\n    x[k - i - 1] = 1.0": True,
    "k = min(n, m)\nfor i in range(k, n):\n    x[i - k] = 1.0": True,
    "k = n - 1\nx[k] = 1.0": False,
    "k = 0\nfor i in range(n):\n    x[k] = 1.0\n    k = k - 1": False,
    "for i in range(n, -1, -1):\n    x[i] = 1.0": True,
    "for i in range(0, n, 2):\n    x[n - i] = 1.0": True,
    "for i in range(0, n, 2):\n    x[n - i - 2] = 1.0": False,
}


@pytest.mark.parametrize("source", RANGES)
def test_positions_that_are_never_negative(source: str) -> None:
    body = statements(source)
    found = [all(map(ranges.nonnegative, each.index)) for each, ranges in places(body, ranges_of(body, frozenset("nm"))) if isinstance(each, Store)]
    assert found == [RANGES[source]]


def told(body: Body, ranges: Ranges, asked: Callable[[Callable[[], bool]], None]) -> None:
    """Have it asked of each loop whether its own stores are at positions that are never negative."""
    for each in body:
        if isinstance(each, Loop):
            inside, stores = ranges.within(each), [store for store in each.body if isinstance(store, Store)]
            asked(lambda inside=inside, stores=stores: all(map(inside.nonnegative, [item for store in stores for item in store.index])))  # type: ignore[misc]
            told(each.body, ranges.within(each), asked)
        ranges.after(each)


@pytest.mark.parametrize("source", RANGES)
def test_what_is_known_in_a_block_is_what_was_known_where_it_began(source: str) -> None:
    """Whether it is asked at once, or when the pass is long behind it, the last block first."""
    body = statements(source + "\nm = n - 9\nfor i in range(m):\n    x[i] = 1.0\nm = m - 9")
    at_once: list[bool] = []
    told(body, ranges_of(body, frozenset("n")), lambda ask: at_once.append(ask()))
    later: list[Callable[[], bool]] = []
    told(body, ranges_of(body, frozenset("n")), later.append)
    assert [ask() for ask in reversed(later)] == at_once[::-1]


@pytest.mark.parametrize("source", [source for source, holds in RANGES.items() if holds])
def test_what_is_proven_is_so(source: str) -> None:
    """Run: no position of an element that is stored is negative."""

    class Watched(dict):  # type: ignore[type-arg]
        def __setitem__(self, place: int, value: float) -> None:
            assert place >= 0

    for n, m in itertools.product(range(5), repeat=2):
        exec(source, {"n": n, "m": m, "x": Watched()})


def test_positions_are_printed_in_one_form() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        terms = [f"{factor} * {name}" for name, factor in zip("ijn", rng.integers(-3, 4, 3), strict=True)]
        sums = {text(position(" + ".join(rng.permutation(terms)).replace("+ -", "- "))) for _ in range(4)}
        assert len(sums) == 1


# ---- names ------------------------------------------------------------------------------------------------------------


def test_names_are_legal_and_new() -> None:
    assert [legal(hint) for hint in ("x", "_x_", "2nd", "a.b", "", "größe")] == ["x", "x", "v2nd", "a_b", "each", "gr__e"]
    names = Names(frozenset({"taken"}))
    assert [names.fresh("x"), names.fresh("x"), names.fresh("taken"), names.fresh("lambda"), names.fresh("np")] == ["x", "x_1", "taken_1", "lambda_1", "np_1"]


def test_indices_are_used_again_after_their_loops() -> None:
    names = Names()
    names.fresh("j")
    assert [names.open_index(), names.open_index(), names.open_index("row"), names.open_index("row")] == ["i", "k", "row", "row_1"]
    names.close_index("k")
    names.close_index("row")
    assert [names.open_index(), names.open_index("row")] == ["k", "row"]
    assert names.fresh("row") == "row_2"  # what was an index is no variable
    assert len({names.open_index() for _ in range(40)}) == 40


# ---- lines ------------------------------------------------------------------------------------------------------------


def test_long_lines_are_folded() -> None:
    items = [f"argument_{number}" for number in range(20)]
    assert fold("f(", items[:3], ")") == ["    f(argument_0, argument_1, argument_2)"]
    folded = fold("f(", items, ")")
    assert all(len(line) <= WIDTH for line in folded) and len(folded) == 5
    namespace: dict[str, object] = {"f": lambda *given: given, **{item: item for item in items}}
    assert eval("\n".join(folded).strip(), namespace) == tuple(items)


def test_definitions_stand_two_lines_apart() -> None:
    assert separated([["", "a", ""], [], ["b", "c"], [""]]) == ["a", "", "", "b", "c"]


def test_a_part_of_a_line_has_its_own_place() -> None:
    here, there = (Location("heat.py", line, 0, line, 5) for line in (3, 7))
    place = Line("    y = x[i] + größe[j] + x[k]", here, spots=(("größe[j]", there), ("x", there))).place()
    assert [part[2] for part in place.parts] == [there]  # x stands there twice
    start = len("    y = x[i] + ")
    assert place.of(start, start + 2) is there and place.of(4, 5) is here
