"""Sizes that a check has found equal are one from there on: programs of helpers, slices and sums of arrays whose sizes fit, or don't, do what NumPy does."""
import importlib.util
import linecache

import numpy as np
import pytest

import s2s
from s2s.errors import S2SError, ShapeError, UnsupportedError

HELPERS = 3
HEAD = "import numpy as np\n"


class Drawn:
    """A module of helpers that take three arrays, and `whole`, which calls them; `rank`: of all arrays."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.rank = int(self.rng.integers(1, 3))

    def text(self) -> str:
        return HEAD + "".join(self.helper(number) for number in range(HELPERS)) + self.whole()

    def slice(self, name: str) -> str:
        """Part of an array."""
        ends = self.rng.choice(["1:", ":-1", "1:-1", "2:", ":", "::2"], size=self.rank)
        return f"{name}[{', '.join(ends)}]"

    def value(self, names: list[str]) -> str:
        name = str(self.rng.choice(names))
        return str(self.rng.choice([name, name, self.slice(name), f"np.sin({name})", f"2.0 * {self.slice(name)}"]))

    def statements(self, names: list[str], count: int, functions: list[str]) -> list[str]:
        lines = []
        for number in range(count):
            kind = self.rng.choice(["sum", "sum", "call", "branch", "loop", "store"] if functions else ["sum", "sum", "product", "branch", "store"])
            a, b, c = (self.value(names) for _ in range(3))
            new = f"t{number}"
            if kind == "call":
                lines += [f"{new}, u{number} = {self.rng.choice(functions)}({a}, {b}, {c})"]
                names.append(f"u{number}")
            elif kind == "branch":
                lines += [f"if np.sum({a}) > 0.5:", f"    {new} = np.sum({a} + {b}) * {c}", "else:", f"    {new} = {c} + 1.0"]
            elif kind == "loop":
                lines += [f"{new} = np.zeros_like({a})", "for k in range(2):", f"    {new} = {new} + {a} * {b}"]
            elif kind == "store":
                lines += [f"{new} = np.array({a})", f"{new}[...] = {new} + {b}"]
            else:
                lines += [f"{new} = {a} {'+' if kind == 'sum' else '*'} {b}"]
            names.append(new)
        return lines

    def helper(self, number: int) -> str:
        names = ["x", "y", "z"]
        lines = self.statements(names, int(self.rng.integers(1, 4)), [f"helper_{k}" for k in range(number)])
        found = self.rng.choice(names, size=2)
        return f"\n\ndef helper_{number}(x, y, z):\n" + "".join(f"    {line}\n" for line in lines) + f"    return {found[0]} + 0.0, {found[1]} * 1.0\n"

    def whole(self) -> str:
        names = ["x", "y", "z"]
        lines = self.statements(names, 4, [f"helper_{k}" for k in range(HELPERS)])
        totals = " + ".join(f"np.sum({name} * {name})" for name in dict.fromkeys(names))
        return "\n\ndef whole(x, y, z):\n" + "".join(f"    {line}\n" for line in lines) + f"    return {totals}\n"

    def arguments(self) -> tuple[np.ndarray, ...]:
        """Of one shape mostly; else one of them is longer, or of length 1."""
        shape = list(self.rng.choice([0, 1, 2, 3, 5, 7], size=self.rank))
        shapes = [list(shape) for _ in range(3)]
        if self.rng.random() < 0.4:
            shapes[self.rng.integers(3)][self.rng.integers(self.rank)] = int(self.rng.choice([1, 2, 6]))
        return tuple(self.rng.uniform(0.1, 1.0, each) for each in shapes)


def outcome(call, args):
    """The value, or the class and the words of the exception; None for what is refused: sizes of 1 that are stretched on some paths only, and a
    branch that fails by its sizes wherever it is taken (docs/design.md: an error when the function is read).
    """
    try:
        return call(*args)
    except ShapeError as error:
        line = linecache.getline(error.where.file, error.where.line)
        if line.startswith(" " * 8) and "np.sum(" in line:
            return None
        return ValueError, str(error).partition(" (")[0]  # of sizes that it has no numbers for yet
    except UnsupportedError as error:
        assert "broadcast against each other in some trips" in str(error), error
        return None
    except (ValueError, IndexError) as error:
        return type(error), str(error).splitlines()[0]


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 40))])
@pytest.mark.parametrize("target", ["cpu", "numpy"])
def test_programs_of_helpers(tmp_path, seed, target):
    drawn = Drawn(seed)
    path = tmp_path / f"drawn_{seed}_{target}.py"
    path.write_text(drawn.text())
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    jitted, slopes = s2s.jit(module.whole, target=target), s2s.jit(s2s.grad(module.whole, argnums=(0, 1, 2)), target=target)
    for _ in range(6):
        args = drawn.arguments()
        wanted = outcome(module.whole, args)
        found = outcome(jitted, args)
        if found is None:
            continue
        if isinstance(wanted, tuple):
            assert isinstance(found, tuple), (wanted, found)
            assert issubclass(found[0], wanted[0])
            with pytest.raises((ValueError, IndexError, S2SError)):
                slopes(*args)
            continue
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
        tangents = tuple(np.random.default_rng(seed).uniform(-1.0, 1.0, arg.shape) for arg in args)
        bars = slopes(*args)
        along = s2s.jvp(module.whole, args, tangents)[1]
        np.testing.assert_allclose(sum(np.sum(bar * tangent) for bar, tangent in zip(bars, tangents, strict=True)), along, rtol=1e-10, atol=1e-12)


# ---- sizes that a caller and its helper know differently ------------------------------------------------------------------------


def rows_below(a, b):
    return np.r_[a, b]


def square_of(levels):
    count = len(levels)
    return np.zeros((count * count, count))


def shifted(n):
    return square_of([2] * n) + 1.0


def nothing(n, rows):
    return np.zeros((rows, n))


def design(n):
    """The rows of one helper's result are n or 0, those of another's n: a third one puts them together."""
    return rows_below(shifted(n), nothing(n, 4))


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_a_size_that_two_helpers_tell_differently(target):
    for n in (3, 1, 0):
        np.testing.assert_array_equal(s2s.jit(design, target=target)(n), design(n))
