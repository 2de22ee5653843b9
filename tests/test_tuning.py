"""Facts of the machine: each says what it is, and has a program in benchmarks/tuning.py that measures it."""
import dataclasses
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import s2s
from s2s.tuning import TUNING, Tuning

FACTS = {field.name: field for field in dataclasses.fields(Tuning)}


@pytest.fixture(scope="module")
def benchmark():
    folder = Path(__file__).resolve().parent.parent / "benchmarks"
    sys.path.insert(0, str(folder))
    try:
        spec = importlib.util.spec_from_file_location("tuning_benchmark", folder / "tuning.py")
        module = sys.modules["tuning_benchmark"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    return module


def test_each_fact_says_what_it_is():
    for field in FACTS.values():
        assert all(field.metadata[key] for key in ("unit", "decides", "measured")), field.name


def test_each_fact_is_measured_by_a_program(benchmark):
    assert {*benchmark.TRIALS, *benchmark.WITHOUT} == set(FACTS)
    assert not set(benchmark.TRIALS) & set(benchmark.WITHOUT)
    for name, trial in benchmark.TRIALS.items():
        assert len({*trial.values, FACTS[name].default}) > 1, name


def test_the_verdict(benchmark):
    one, other = (1e-6, "one"), (2e-6, "other")
    assert benchmark.verdict({2: one, 4: other}, 2)[1:] == ("2", "2", "pays")
    assert benchmark.verdict({2: one, 4: other}, 4)[2:] == ("2", "100% slower than the best")
    assert benchmark.verdict({2: one, 4: (3e-6, "one")}, 4)[3] == "decides nothing here"


def test_the_programs_are_read(benchmark):
    """Each with its smallest arguments, as NumPy."""
    for trial in benchmark.TRIALS.values():
        if trial.transform == "jit":
            args = [np.array(arg) for arg in trial.arguments[0]]
            np.testing.assert_allclose(s2s.jit(trial.fun, target="numpy")(*args), trial.fun(*args), rtol=1e-9)


def test_a_fact_decides(monkeypatch):
    """The loops of a product are written beside the call of BLAS, from the size that the fact says."""
    monkeypatch.setattr(TUNING, "blas_from", 777)
    assert "777" in s2s.jit(lambda a, b: a @ b[:, :1]).source(np.ones((3, 3)), np.ones((3, 3)))
    monkeypatch.setattr(TUNING, "blas_in_loops", 333)
    assert "333" in s2s.vmap(lambda a, b: a @ b).source(np.ones((2, 3, 3)), np.ones((2, 3, 3)))


def test_the_tapes_of_while_loops_start_with_room(monkeypatch):
    monkeypatch.setattr(TUNING, "tape_entries", 5)

    def halving(x):
        while x > 0.1:
            x = x * 0.5 * np.sin(x)
        return x

    assert "capacity = 5" in s2s.grad(halving).source(1.0)
