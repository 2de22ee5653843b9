"""Which values are taped, and that growing tapes cost no more than they hold."""
from __future__ import annotations

import numpy as np
import pytest

import s2s


def root(a):
    x = a
    n = 0
    while abs(x * x - a) > 1e-12 and n < 100:
        x = 0.5 * (x + a / x)
        n += 1
    return x


def up_and_down(x, trips):
    k = 1
    r = 1.0
    for _ in range(trips):
        r = r * x / k
        k += 2
    while k > 3:
        r = r * np.sin(x * k)
        k -= 1
    return r


def on_numpy(function):
    return s2s.jit(function, target="numpy")


def test_counters_are_not_taped():
    program = str(s2s.grad(on_numpy(up_and_down)).program(1.1, 4))
    assert "k_tape" not in program and "convert_tape" not in program
    assert "n_tape" not in str(s2s.grad(s2s.grad(on_numpy(root))).program(2.0))


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_counters_in_derivatives(target):
    function = s2s.jit(up_and_down, target=target)
    gradient = s2s.grad(function, argnums=0)
    for trips in (0, 1, 4, 30):
        assert gradient(1.1, trips) == pytest.approx(s2s.jvp(lambda x, trips=trips: function(x, trips), (1.1,), (1.0,))[1], rel=1e-12, abs=1e-300)
    second = s2s.jvp(lambda x: gradient(x, 4), (1.1,), (1.0,))[1]
    assert s2s.grad(gradient)(1.1, 4) == pytest.approx(second, rel=1e-12)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_cotangents_of_growing_tapes_are_cut_only_where_they_had_grown(target):
    """A copy in every trip would make second derivatives of `while` loops quadratic."""
    second = s2s.grad(s2s.grad(s2s.jit(root, target=target)))
    assert second(2.0) == pytest.approx(-0.25 * 2.0**-1.5, rel=1e-12)
    lines = [line.strip() for line in second.source(2.0).splitlines()]
    cut = next(k for k, line in enumerate(lines) if "shorter_x_tape_bar = np.empty" in line or ".copy()" in line and "x_tape_bar[:" in line)
    assert lines[cut - 1].startswith("if capacity_")


def recurrent(W, inner, idx, xs, h):
    for t in range(len(xs)):
        h = np.tanh(W @ h + inner[idx[t]] * xs[t])
    return h @ h


def test_arrays_that_are_only_read_are_never_taped():
    """Neither matrices nor what is read of them at positions that data chooses: the only tapes are of h, a row a step."""
    program = on_numpy(s2s.grad(recurrent, argnums=(0, 1, 3, 4))).program(np.eye(3), np.ones((4, 3)), np.array([3, 0]), np.ones(2), np.ones(3))
    taped = [line.strip().split(" = ")[0] for line in str(program).splitlines() if "= empty(" in line]
    assert taped == ["h_size_tape: i8[r]", "h_tape: f8[r, m]", "h_tape_1: f8[r, n]"]


def nest(x, sweeps, rows):
    for _ in range(sweeps):
        for i in range(rows, 0, -2):
            for j in range(i):
                x[j] = np.sin(x[j]) * x[i]
    return np.sum(x)


def test_known_trip_counts_give_tapes_of_known_size():
    """One array each, allocated before the outermost loop; nothing grows and nothing is counted."""
    program = str(on_numpy(s2s.grad(nest)).program(np.ones(7), 3, 6))
    before = program.split("\n    for ")[0]
    assert " grow(" not in program and "entries" not in program
    assert "_tape" in before
    assert program.count("_tape") and all("_tape" not in line or "empty(" not in line for line in program[len(before):].splitlines())


def stencil(kappa, u, steps):
    for _ in range(steps):
        flux = np.zeros(len(u))
        for i in range(1, len(u)):
            flux[i] = kappa[i] * (u[i] - u[i - 1])
        for i in range(len(u) - 1):
            u[i] += flux[i + 1] - flux[i]
    return np.sum(u * u)


def test_code_that_is_linear_in_what_varies_tapes_nothing():
    assert "= empty(" not in str(on_numpy(s2s.grad(stencil, argnums=1)).program(np.ones(5), np.ones(5), 3))
    both = str(on_numpy(s2s.grad(stencil, argnums=(0, 1))).program(np.ones(5), np.ones(5), 3))
    assert both.count("= empty(") == 1  # u, of which the conductivities' derivative is made


def attention(xs, w, scale):
    h, steps = xs[0], len(xs)
    for t in range(steps):
        h = np.tanh(h * w / np.sqrt(len(w)) + np.exp(np.sqrt(scale * scale + 1.0)) + (xs[t + 1] if t + 1 < steps else 0.0))
    return np.sum(h * h)


def test_a_number_that_no_trip_changes_has_no_tape():
    args = np.linspace(-0.5, 0.5, 12).reshape(4, 3), np.array([0.4, -0.3, 0.7]), 0.3
    text = s2s.grad(attention, argnums=(0, 1, 2)).source(*args)
    assert "sqrt_tape" not in text and "exp_tape" not in text
    s2s.check_grads(s2s.jit(attention, target="numpy"), args, order=2)


def test_the_number_of_a_branch_is_its_test():
    """Which of two kinds a value is, is asked by the test itself: an index that it bounds needs no check, and no tape holds the number."""
    text = s2s.grad(attention).source(np.ones((4, 3)), np.ones(3), 1.0)
    assert "kind" not in text and "is_it" not in text
    assert text.count("raise IndexError") == 1  # xs[0]


def test_many_numbers_that_hang_on_one_another(tmp_path, monkeypatch):
    """A chain of more numbers in a trip than Python's calls may be deep."""
    lines = ["import numpy as np", "def chained(x):", "    s = 0.0", "    for i in range(len(x)):", "        v0 = x[i] + s"]
    lines += [f"        v{k} = 0.5 * np.sin(v{k - 1}) + 0.3 * v{max(k - 3, 0)} + 0.1 * x[i]" for k in range(1, 200)]
    (tmp_path / "chained_numbers.py").write_text("\n".join([*lines, "        s = s + v199", "    return s", ""]), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    from chained_numbers import chained

    x, step = np.array([0.1, 0.2, 0.3]), 1e-6
    got = s2s.grad(s2s.jit(chained, target="numpy"))(x)
    wanted = [(chained(x + step * row) - chained(x - step * row)) / (2 * step) for row in np.eye(3)]
    np.testing.assert_allclose(got, wanted, rtol=1e-7)
