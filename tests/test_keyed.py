"""Dicts and sets whose keys only the run knows, and lists of tuples as results: values, types and order as Python's, both derivatives; or refused at the user's line."""
from __future__ import annotations

import inspect
import zlib

import keyed_programs
import numpy as np
import pytest
from fuzz.aliases import examine_aliases
from fuzz.bounds import Tally
from fuzz.grammar import Seeded
from fuzz.keyed import KeyedProgram
from outcomes import check

import s2s
from s2s.errors import UnsupportedError
from s2s.transforms.read import entry

X = np.array([0.5, -1.25, 2.0, 0.75, -0.3])
ARGUMENTS = ((X, 0.7, 3), (X[::-1].copy() * 1.5, -1.3, 6), (X + 0.1, 1.3, 20))
REFUSED = {"keysret"}
PROGRAMS = [value for value in vars(keyed_programs).values() if inspect.isfunction(value) and list(inspect.signature(value).parameters) == ["x", "y", "n"]]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_right_or_refused(program):
    check(program, "numpy", ARGUMENTS, REFUSED)


def sparse_energy(x, y, n):
    stiffness = {}
    for e in range(n):
        for a in range(2):
            for b in range(2):
                key = e + a, e + b
                stiffness[key] = stiffness.get(key, 0.0) + (1.0 if a == b else -1.0) * (y + x[e % 5] ** 2)
    u = np.sin(np.arange(n + 1.0) * y)
    total = 0.0
    for (i, j), k in stiffness.items():
        total += 0.5 * u[i] * k * u[j]
    table = {}
    for k in range(n):
        table[k * 7 % 4] = table.get(k * 7 % 4, y) * x[k % 5]
    return total + sum(table.values()) + table[0]


def test_derivatives_and_compiled():
    with s2s.disable_jit():
        s2s.check_grads(lambda x, y: sparse_energy(x, y, 9), (X, 0.7), order=2)
    for n in (1, 4, 30):
        assert np.isclose(s2s.jit(sparse_energy)(X, 0.7, n), sparse_energy(X, 0.7, n), rtol=1e-12)
    assert s2s.jit(keyed_programs.count_ints)(X, 0.7, 50) == keyed_programs.count_ints(X, 0.7, 50)
    assert s2s.jit(keyed_programs.dok_accumulate)(X, 0.7, 12).tolist() == keyed_programs.dok_accumulate(X, 0.7, 12).tolist()


def test_a_batch_of_tables():
    ys = np.array([0.7, -0.2, 1.5])
    assert np.allclose(s2s.vmap(lambda y: sparse_energy(X, y, 6))(ys), [sparse_energy(X, y, 6) for y in ys])


def many_keys(n):
    table = {}
    for k in range(n):
        table[k * k * 1_000_003 - k] = k
    found = 0
    for k in range(n):
        found += table[k * k * 1_000_003 - k] * (k % 3)
    return found, len(table), (5 in table)


def test_many_keys_are_found_by_their_hashes():
    run = s2s.jit(many_keys)
    assert run(100_000) == many_keys(100_000)


def test_drawn_programs():
    tally = Tally("keyed")
    for seed in range(80_000, 80_008):
        text = KeyedProgram(Seeded(seed), 1 + seed % 5).text()
        outcome = examine_aliases(text, seed, points=3, gradient=seed % 8 == 0)
        tally.add(outcome.kind, outcome.reason)
        assert outcome.kind != "fault", f"{outcome.label()}\n{outcome.detail}\n{text[text.index('def f('):]}"
    tally.check()


def other_forms(x, y, n):
    ints, pairs, floats = {}, {}, {}
    for k in range(n):
        ints[k] = pairs[k, k] = floats[x[k]] = k + y
    return (0,) in ints, ints.get((0, 1), -1.0), 0 in pairs, (0,) in pairs, pairs.get((0, 0, 0), -1.0), pairs.get((0, 0), -1.0), (x[0],) in floats, (x[0], y) in floats


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_a_tuple_of_one_is_no_number_among_the_keys(target):
    assert s2s.jit(other_forms, target=target)(X, 0.7, 4) == other_forms(X, 0.7, 4)


def same_nan(x, y, n):
    table, seen = {}, set()
    for k in range(n):
        table[y * x[0]] = x[k]
        seen.add((x[k], y))
    return len(table), len(seen)


def counted_floats(x, y, n):
    counts = {}
    for k in range(n):
        counts[x[k] * y] = counts.get(x[k] * y, 0) + 1
    return list(counts.values()), len(counts), (y, 0) in counts


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_nan_among_the_keys(target):
    """Python asks first whether two keys are one object, which tells where both are nan; one nan is no other key."""
    one_nan = np.array([0.5, np.nan, 0.5, 2.0])
    for x, y in ((one_nan, 2.0), (X[:4], -1.0), (np.zeros(4), 1.0)):
        assert s2s.jit(counted_floats, target=target)(x, y, 4) == counted_floats(x, y, 4)
        assert s2s.jit(same_nan, target=target)(x, y, 4) == same_nan(x, y, 4)
    for program, x, y in ((counted_floats, one_nan * np.nan, 1.0), (counted_floats, X, np.nan), (same_nan, X, np.nan)):
        with pytest.raises(NotImplementedError, match="nan is looked for among keys of which one is nan"):
            s2s.jit(program, target=target)(x, y, 4)


def test_integers_and_floats_among_the_keys():
    """A float may be equal to an integer: dicts and sets that hold both are refused."""

    def mixed(x, k):
        d = {}
        d[x] = 1
        d[k] = 2
        return len(d)

    with pytest.raises(NotImplementedError, match="some are integers"):
        s2s.jit(mixed, target="numpy")(1.0, 1)


def test_operators_of_sets_want_sets():
    def ored(k):
        s = set()
        s.add(k)
        return len(s | [1])

    def cut(k):
        s = set()
        s.add(k)
        return len(s.intersection([1])), len(s.difference(iter([2, 1]))), s.issubset([1, 2])

    with pytest.raises((TypeError, NotImplementedError)):
        s2s.jit(ored, target="numpy")(1)
    for k in (1, 2, 3):
        assert s2s.jit(cut, target="numpy")(k) == cut(k)


def test_large_keys():
    def large(k):
        d = {}
        d[-k] = 1
        d[2**40 * k] = 2
        d[-(2**62)] = 3
        d[k] = 4
        return d[k], d[-k], d[2**40 * k], d.get(-(2**62)), 9 in d, len(d)

    for target in ("numpy", "cpu"):
        assert s2s.jit(large, target=target)(3) == large(3)


def test_what_stays_refused_is_not_read_again_and_again(monkeypatch):
    def f(x):
        found = {}
        if x > 0.0:
            found["a"] = x
        for trip in range(3):
            x = x + trip
        return x * zlib.crc32(b"text") + found.get("a", 1.0)

    readings = []
    read = entry._read_with
    monkeypatch.setattr(entry, "_read_with", lambda *args: (readings.append(args), read(*args))[1])
    with pytest.raises(UnsupportedError, match=r"zlib\.crc32 is not supported\n.*test_keyed"):
        s2s.jit(f, target="numpy")(1.0)
    assert len(readings) <= 4  # a second one with run-time keys, and one for each other way to read


def merged(distances, count):
    """The nearest two of the groups become one; the pair is not known before the search for it."""
    groups = {i: [i] for i in range(count)}
    heights = []
    while len(groups) > 2:
        best = (np.inf, None, None)
        for one in sorted(groups):
            for two in sorted(groups):
                if one < two and distances[groups[one][0], groups[two][0]] < best[0]:
                    best = (distances[groups[one][0], groups[two][0]], one, two)
        height, one, two = best
        groups[one] = groups[one] + groups.pop(two)
        heights.append(height)
    return sum(height * (number + 1) for number, height in enumerate(heights))


def asked_for_nothing(distances, count):
    found = {i: distances[0, i] for i in range(count)}
    key = None
    for i in found:
        if found[i] > 2.0:
            key = i
    return found.get(key, 3.0) + found.get(None, 1.0), None in found, found[key] if key in found else -1.0


@pytest.mark.parametrize("fun", [merged, asked_for_nothing])
def test_none_is_no_key_among_integers(fun):
    """An error before: what is a key or None is looked up."""
    distances = np.random.default_rng(3).random((5, 5))
    assert s2s.jit(fun, target="numpy")(distances, 5) == pytest.approx(fun(distances, 5), rel=1e-14)


def test_none_that_is_not_there_is_a_key_error():
    def program(x, n):
        found = {i: x * i for i in range(n)}
        key = None
        for i in found:
            if found[i] > 1.0:
                key = i
        return found[key]

    assert s2s.jit(program, target="numpy")(1.5, 3) == program(1.5, 3)
    with pytest.raises(KeyError):
        s2s.jit(program, target="numpy")(1.5, 0)


def test_the_hash_of_a_key_is_a_function_of_its_own():
    def counted(v):
        found = {}
        for a in v:
            found[a] = found.get(a, 0) + 1
        return sum(k * found[k] for k in found), len(found)

    v = np.array([3, 1, 3, -2**40])
    for target in ("numpy", "cpu"):
        run = s2s.jit(counted, target=target)
        assert run(v) == counted(v)
        assert run.source(v).count("625341585") == 1
        assert s2s.vmap(run)(np.stack([v, v[::-1]]))[1].tolist() == [3, 3]
