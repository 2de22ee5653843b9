"""Items of a list or tuple of numbers at a position that only the run knows: an array of them is made once, where they are known."""
import enum
from typing import Any

import numpy as np
import pytest
from numeric import assert_same, difference, inner, map_leaves, random_like
from outcomes import outcome

import s2s

TARGETS = ("numpy", "cpu")


def pieces(xs: Any, ys: Any, queries: Any) -> Any:
    total = 0.0
    for q in queries:
        k = 0
        while k < len(xs) - 2 and xs[k + 1] <= q:
            k += 1
        step = xs[k + 1] - xs[k]
        total += ys[k] * (xs[k + 1] - q) / step + ys[k + 1] * (q - xs[k]) / step
    return total


def of_outer_trip(x: Any, order: Any) -> Any:
    out = np.zeros(len(x))
    for i in range(len(x)):
        powers = [1.0, x[i], x[i] ** 2, x[i] ** 3, x[i] ** 4, x[i] ** 5]
        for j in range(len(order)):
            out[i] += powers[order[j]]
    return out


def changed_meanwhile(a: Any, b: Any, order: Any) -> Any:
    values = [a, b, a * b, a - b, a / 3.0, 2.0]
    total = 0.0
    for k in order:
        total += values[k] * a
        values = [total, *values[:-1]]
    return total


def in_a_branch(x: Any, order: Any) -> Any:
    total = 0
    for i in range(len(x)):
        if x[i] > 0.0:
            total += (31, 28, 31, 30, 31, 30)[order[i]]
    return total


def made_an_array_of(a: Any, order: Any) -> Any:
    total = np.zeros(5)
    for k in order:
        table = np.array([a, 2.0, 3.0, 4.0, a * a])
        total += table * table[k]
        table[k] = -1.0
        total += table
    return total


def in_a_comprehension(x: Any, order: Any) -> Any:
    weights = (1, 4, 2, 4, 1, 7)
    return sum([weights[k] * v for k, v in zip(order, x)]), [weights[k] for k in order]


def drawn(seed: int) -> dict[Any, tuple[Any, ...]]:
    rng = np.random.default_rng(seed)
    xs = np.cumsum(rng.uniform(0.5, 2.0, int(rng.integers(5, 12))))
    order = rng.integers(-5, 5, 8)
    return {
        pieces: (list(map(float, xs)), list(map(float, rng.normal(size=len(xs)))), rng.uniform(xs[0], xs[-1], 9)),
        of_outer_trip: (rng.uniform(0.5, 1.5, 4), order), changed_meanwhile: (1.5, -0.5, order), in_a_branch: (rng.normal(size=8), order),
        made_an_array_of: (1.5, order), in_a_comprehension: (rng.normal(size=8), order),
    }  # fmt: skip


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("function", drawn(0), ids=lambda function: function.__name__)
def test_items_are_pythons(function: Any, target: str) -> None:
    staged = s2s.jit(function, target=target)
    for seed in range(4):
        args = drawn(seed)[function]
        got, wanted = staged(*args), function(*args)
        assert_same(got, wanted, f"seed {seed}", rtol=1e-13)


@pytest.mark.parametrize("k", [-7, -6, -1, 0, 5, 6])
@pytest.mark.parametrize("items", [[1, 2, 3, 4, 5, 6], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [True, False, True, True, False, False], [1, 2.0, 3, 4, 5, 6.0]], ids=str)
def test_kinds_and_errors_are_pythons(items: Any, k: int) -> None:
    def item(items: Any, k: Any) -> Any:
        return items[k]

    if len({type(each) for each in items}) > 1 and -len(items) <= k < len(items):  # its type would hang on the run
        assert s2s.jit(item, target="numpy")(items, k) == item(items, k)
    else:
        assert outcome(s2s.jit(item, target="numpy"), (items, k)) == outcome(item, (items, k))


@pytest.mark.parametrize("function", [pieces, changed_meanwhile], ids=lambda function: function.__name__)
def test_gradients(function: Any) -> None:
    args = drawn(1)[function]
    rng = np.random.default_rng(2)
    directions = (map_leaves(lambda leaf: random_like(rng, leaf), args[0]),)
    wanted = difference(lambda first: function(first, *args[1:]), args[:1], directions)
    np.testing.assert_allclose(inner(s2s.grad(function)(*args), directions[0]), wanted[0], rtol=1e-6)


def test_the_array_is_made_before_the_loop() -> None:
    args = drawn(1)[pieces]
    text = s2s.jit(pieces, target="numpy").lower(*args).as_text()
    assert text.count("np.array(") == 2
    assert text.rindex("np.array(") < text.index("for ")


def test_what_is_stored_into_is_made_in_each_trip() -> None:
    text = s2s.jit(made_an_array_of, target="numpy").lower(*drawn(1)[made_an_array_of]).as_text()
    assert text.index("for ") < text.index("np.array(")


# ---- texts: by their numbers -------------------------------------------------------------------------------------------


def chosen_texts(names: Any, k: int, n: int) -> Any:
    found = []
    for i in range(n):
        name = names[(k + i) % len(names)]
        found.append(name)
        if name == "low":
            found.append("x")
        print(name, len(name))
    return found, names[k]


def of_pairs(k: int, n: int) -> Any:
    deck = [(rank, suit) for suit in "SHDC" for rank in "A23456789TJQK"]
    hand = [deck[(7 * i + k) % len(deck)] for i in range(n)]
    return hand, sum(1 for rank, suit in hand if suit == "S" and rank != "A")


def summed_by_text(names: Any, values: Any, limit: float) -> Any:
    large = {}
    for k in range(len(values)):
        if values[k] > limit:
            large[names[k % len(names)]] = values[k]
    total: dict[str, Any] = {}
    for key, value in large.items():
        if key in total:
            total[key] += value
        else:
            total[key] = value
    for key, value in large.items():
        total[key] = total.get(key, 0.0) + 2.0 * value
    return total, [key for key in names if key not in total], names.index(min(total, key=lambda key: total[key]))


def many_names(limit: float, more: bool) -> Any:
    found = []
    for k, name in enumerate([f"method {k}" for k in range(40)]):
        if k > limit or more and k < 3:
            found.append(name)
    return found


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("function", "calls"),
    [
        (chosen_texts, [(["low", "high", "low", "mid", "other"], k, 7) for k in (0, 2, -1)]), (of_pairs, [(0, 5), (11, 20), (3, 1)]),
        (summed_by_text, [(["a", "b", "c", "d", "e", "f"], [0.5, 1.5, 2.5, 3.5, 0.25, 9.0, 4.0, 8.0], limit) for limit in (0.1, 1.0, 8.5)]),
        (many_names, [(37.5, False), (30.0, True), (50.0, False)]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)  # fmt: skip
def test_texts_are_told_by_their_numbers(function: Any, calls: Any, target: str, capsys: Any) -> None:
    staged = s2s.jit(function, target=target)
    for args in calls:
        wanted, printed = function(*args), capsys.readouterr().out
        assert staged(*args) == wanted
        assert capsys.readouterr().out == printed


class Mode(str, enum.Enum):  # noqa: UP042 - as users still write it
    LOW = "low"
    HIGH = "high"


class Unlike(str, enum.Enum):  # noqa: UP042
    LOW = "low"
    HIGH = "high"

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = str.__hash__


def mode_or_text(k: int) -> Any:
    value = [Mode.LOW, "low", "other"][k]
    return value, type(value) is str, value == "low"


def unlike_itself(k: int) -> Any:
    modes = [Unlike.LOW, Unlike.HIGH]
    return modes[k] == modes[k], modes[k] == ["low", "high"][k]


@pytest.mark.parametrize(("function", "calls"), [(mode_or_text, (0, 1, 2, -2)), (unlike_itself, (0, 1))])
def test_members_of_enumerations_are_no_texts(function: Any, calls: Any) -> None:
    """A member of a `str, Enum` is equal to its text, but another object, and may compare in its own way."""
    for k in calls:
        assert outcome(s2s.jit(function, target="numpy"), (k,)) == outcome(function, (k,))
