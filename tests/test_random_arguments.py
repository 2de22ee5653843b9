"""Every argument of s2s.random's functions beside JAX 0.10.2 (64-bit numbers enabled): its numbers and words, stored, and live where it is installed.

`python tests/test_random_arguments.py` writes the stored numbers anew; it needs JAX.
"""
from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2s

STORED = Path(__file__).parent / "random_arguments_expected.json"
COV = np.array([[2.0, 0.5], [0.5, 1.0]])
M = np.arange(12.0).reshape(3, 4)
LOGITS = np.log(np.arange(1.0, 13.0).reshape(3, 4))
P32 = np.array([0.1, 0.5, 0.9], np.float32)

CASES: dict[str, Callable[[Any, Any], Any]] = {
    "bits": lambda r, k: r.bits(k, (3,)), "bits 32": lambda r, k: r.bits(k, (2, 2), np.uint32), "bits 16": lambda r, k: r.bits(k, (5,), np.uint16), "bits 8": lambda r, k: r.bits(k, (5,), np.uint8),
    "bits scalar": lambda r, k: r.bits(k),
    "randint of all": lambda r, k: r.randint(k, (4,), np.iinfo(np.int64).min, np.iinfo(np.int64).max), "randint uint64": lambda r, k: r.randint(k, (4,), -5, 2**62, np.uint64),
    "randint 32 of all": lambda r, k: r.randint(k, (4,), -(2**40), 2**40, np.int32), "randint uint32": lambda r, k: r.randint(k, (4,), 7, 2**32, np.uint32),
    "randint int8": lambda r, k: r.randint(k, (6,), -128, 128, np.int8), "randint uint8": lambda r, k: r.randint(k, (6,), 0, 256, np.uint8), "randint int16": lambda r, k: r.randint(k, (6,), 10, 5, np.int16),
    "randint uint16": lambda r, k: r.randint(k, (6,), 0, 70000, np.uint16), "randint between": lambda r, k: r.randint(k, (2, 3), np.array([0, 10, -7]), np.array([3, 10**12, 8])),
    "randint floats": lambda r, k: r.randint(k, (3,), 0.0, 9.9),
    "bernoulli 32": lambda r, k: r.bernoulli(k, P32), "bernoulli shape": lambda r, k: r.bernoulli(k, P32, (4, 3)), "bernoulli high": lambda r, k: r.bernoulli(k, 0.25, (6,), mode="high"),
    "normal complex": lambda r, k: r.normal(k, (3,), np.complex128), "uniform broadcast": lambda r, k: r.uniform(k, (2, 3), minval=np.arange(3.0), maxval=10.0),
    "permutation each": lambda r, k: r.permutation(k, M, independent=True), "permutation each last": lambda r, k: r.permutation(k, M, 1, independent=True), "permutation last": lambda r, k: r.permutation(k, M, axis=-1),
    "permutation of one": lambda r, k: r.permutation(k, 1), "permutation ints": lambda r, k: r.permutation(k, np.arange(7), independent=True),
    "choice rows": lambda r, k: r.choice(k, M, (2, 2)), "choice columns": lambda r, k: r.choice(k, M, (3,), False, axis=1), "choice p32": lambda r, k: r.choice(k, 3, (5,), p=P32),
    "choice p32 without": lambda r, k: r.choice(k, 3, (2,), False, P32), "choice p ints": lambda r, k: r.choice(k, 3, (5,), p=np.array([1, 5, 1])), "choice none": lambda r, k: r.choice(k, 3, (0,)),
    "categorical axis": lambda r, k: r.categorical(k, LOGITS, 0), "categorical last": lambda r, k: r.categorical(k, LOGITS, axis=1), "categorical shape": lambda r, k: r.categorical(k, LOGITS, shape=(2, 3)),
    "categorical shape axis": lambda r, k: r.categorical(k, LOGITS, 0, shape=(5, 4)), "categorical 32": lambda r, k: r.categorical(k, LOGITS.astype(np.float32)),
    "categorical without": lambda r, k: r.categorical(k, LOGITS, shape=(2, 3), replace=False), "categorical without axis": lambda r, k: r.categorical(k, LOGITS, 0, (3, 4), False),
    "multivariate eigh": lambda r, k: r.multivariate_normal(k, np.zeros(2), COV, (3,), method="eigh"), "multivariate svd": lambda r, k: r.multivariate_normal(k, np.ones(2), COV, method="svd"),
    "multivariate batch": lambda r, k: r.multivariate_normal(k, np.zeros((3, 2)), COV), "multivariate batches": lambda r, k: r.multivariate_normal(k, np.zeros(2), np.stack([COV, 2 * COV]), (3, 2)),
    "truncated arrays": lambda r, k: r.truncated_normal(k, np.array([-1.0, 0.0]), np.array([0.0, np.inf])), "truncated 32": lambda r, k: r.truncated_normal(k, -0.5, 0.5, (3,), np.float32),
    "gumbel 32": lambda r, k: r.gumbel(k, (3,), np.float32), "exponential 32": lambda r, k: r.exponential(k, (3,), np.float32), "laplace 32": lambda r, k: r.laplace(k, (3,), np.float32),
    "gamma 32": lambda r, k: r.gamma(k, np.float32(2.5), (3,), np.float32), "gamma shape": lambda r, k: r.gamma(k, np.array([0.5, 2.0]), (3, 2)), "split shape": lambda r, k: r.key_data(r.split(k, (2, 2))),
    "fold": lambda r, k: r.key_data(r.fold_in(k, 2**31 + 7)), "seed": lambda r, k: r.key_data(r.key(-3)), "seed array": lambda r, k: r.key_data(r.key(np.int64(2**40))),
    "multivariate 32": lambda r, k: r.multivariate_normal(k, np.zeros(2, np.float32), COV.astype(np.float32), (3,)),
}  # fmt: skip
SQUARE = np.eye(3)
WRONG: dict[str, Callable[[Any, Any], Any]] = {
    "bits": lambda r, k: r.bits(k, (2,), np.int32), "uniform": lambda r, k: r.uniform(k, (2,), np.int32), "normal": lambda r, k: r.normal(k, (2,), np.int32), "exponential": lambda r, k: r.exponential(k, (2,), np.int64),
    "gumbel": lambda r, k: r.gumbel(k, (2,), np.int64), "gamma": lambda r, k: r.gamma(k, 2.0, (2,), np.int64), "truncated_normal": lambda r, k: r.truncated_normal(k, 0.0, 1.0, (2,), np.int64),
    "multivariate_normal": lambda r, k: r.multivariate_normal(k, np.zeros(2), COV, dtype=np.int64), "randint": lambda r, k: r.randint(k, (2,), 0, 5, np.float64),
    "batched": lambda r, k: r.normal(r.split(k), (2,)), "batched gamma": lambda r, k: r.gamma(r.split(k, 3), 1.0), "batched split": lambda r, k: r.split(r.split(k)), "batched fold": lambda r, k: r.fold_in(r.split(k), 1),
    "bernoulli": lambda r, k: r.bernoulli(k, 1), "bernoulli mode": lambda r, k: r.bernoulli(k, 0.5, mode="x"),
    "bernoulli shape": lambda r, k: r.bernoulli(k, P32, (3, 4)), "randint shape": lambda r, k: r.randint(k, (2,), np.zeros((2, 2), int), 5),
    "truncated shape": lambda r, k: r.truncated_normal(k, np.zeros(3), 1.0, (4,)), "beta shape": lambda r, k: r.beta(k, np.ones(3), 1.0, (4,)), "gamma shape": lambda r, k: r.gamma(k, np.ones(3), (4,)),
    "categorical shape": lambda r, k: r.categorical(k, LOGITS, shape=(4,)), "too many": lambda r, k: r.categorical(k, LOGITS, shape=(5, 3), replace=False),
    "choice": lambda r, k: r.choice(k, 3, (5,), replace=False), "choice shape": lambda r, k: r.choice(k, 3, 2), "choice p": lambda r, k: r.choice(k, 3, (2,), p=np.ones(4)), "choice of none": lambda r, k: r.choice(k, 0, (2,)),
    "permutation": lambda r, k: r.permutation(k, 2.5), "mean": lambda r, k: r.multivariate_normal(k, 1.0, COV), "cov": lambda r, k: r.multivariate_normal(k, np.zeros(2), np.zeros(2)),
    "cov shape": lambda r, k: r.multivariate_normal(k, np.zeros(2), SQUARE), "method": lambda r, k: r.multivariate_normal(k, np.zeros(2), COV, method="x"),
}  # fmt: skip


def words(text: str) -> str:
    """A message without what only one of the two says: how it shows classes and shapes of one axis."""
    return text.replace("<class 'numpy.", "").replace("'>", "").replace("but was given an array ofshape", "but was given an array of shape").strip()


def found(module: Any, key: Any) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, case in CASES.items():
        x = np.asarray(case(module, key))
        out[name] = [str(x.dtype), list(x.shape), [str(each) for each in x.ravel()]]
    for name, case in WRONG.items():
        with pytest.raises((TypeError, ValueError)) as caught:
            case(module, key)
        kind = TypeError if isinstance(caught.value, TypeError) else ValueError
        out[f"! {name}"] = [kind.__name__, words(str(caught.value).split("\n")[0])]
    return out


def check(name: str, x: Any, wanted: Any) -> None:
    dtype, shape, values = wanted
    x = np.asarray(x)
    assert list(x.shape) == shape
    if dtype == "uint32" and x.dtype == np.int64 and name.split()[0] in ("split", "fold", "seed"):  # keys are int64 arrays here
        dtype = "int64"
    assert str(x.dtype) == dtype or name.startswith("categorical") and dtype == "int32", name
    if x.dtype.kind in "iub":
        assert [str(each) for each in x.ravel()] == values
    else:
        np.testing.assert_allclose(x.ravel(), np.array(values, complex if x.dtype.kind == "c" else float), rtol=3e-6 if x.dtype == np.float32 else 1e-12)


@pytest.mark.parametrize("name", CASES)
def test_numbers_are_jax_s(name: str) -> None:
    import s2s
    from s2s import random

    wanted, case, key = json.loads(STORED.read_text(encoding="utf-8"))[name], CASES[name], random.key(42)
    check(name, case(random, key), wanted)
    if name in list(CASES)[::2]:
        check(name, s2s.jit(lambda k: case(random, k), target="numpy")(key), wanted)


@pytest.mark.parametrize("name", list(CASES)[1::8])
def test_batches_are_the_numbers_of_each_key(name: str) -> None:
    import s2s
    from s2s import random

    keys = random.split(random.key(1), 3)
    with s2s.disable_jit():
        batch = s2s.vmap(lambda k: CASES[name](random, k))(keys)
        np.testing.assert_array_equal(batch, [CASES[name](random, key) for key in keys])


@pytest.mark.parametrize("name", WRONG)
def test_words_are_jax_s(name: str) -> None:
    import s2s
    from s2s import random

    kind, text = json.loads(STORED.read_text(encoding="utf-8"))[f"! {name}"]
    read = [s2s.jit(lambda k: WRONG[name](random, k), target="numpy")] if name in list(WRONG)[::4] else []
    for call in (lambda k: WRONG[name](random, k), *read):
        with pytest.raises({"TypeError": TypeError, "ValueError": ValueError}[kind]) as caught:
            call(random.key(42))
        said = words(str(caught.value).split("\n")[0])
        assert said == text or "shapes for broadcasting" in text and said.startswith(("shape mismatch: objects cannot be broadcast", "operands could not be broadcast"))  # NumPy's words


@pytest.mark.parametrize("key", [3.0, np.zeros(3, int), np.zeros(2), np.int64(4)])
def test_what_is_no_key(key: Any) -> None:
    import s2s
    from s2s import random

    for call in (lambda: random.normal(key, (2,)), lambda: random.split(key), lambda: s2s.jit(lambda k: random.uniform(k, (2,)), target="numpy")(key)):
        with pytest.raises(TypeError, match="needs a random key"):
            call()
    for seed in (1.5, np.array([1, 2])):
        with pytest.raises(TypeError, match="seed"):
            random.key(seed)
    with pytest.raises(ValueError, match="negative dimensions"):
        random.normal(random.key(0), (2, -1))


def by_jax() -> dict[str, Any]:
    import jax

    jax.config.update("jax_enable_x64", True)
    return found(jax.random, jax.random.key(42))


def test_stored_numbers_are_those_of_the_installed_jax() -> None:
    pytest.importorskip("jax")
    stored, live = json.loads(STORED.read_text(encoding="utf-8")), by_jax()
    assert list(stored) == list(live)
    for name, wanted in stored.items():
        assert live[name][:2] == wanted[:2], name


def test_no_dtype_is_the_default() -> None:
    """As `dtype=None` in JAX, also where the default is an integer."""
    key = s2s.random.PRNGKey(0)
    calls = [
        (s2s.random.randint, ((3,), 0, 9)), (s2s.random.poisson, (2.0, (3,))), (s2s.random.rademacher, ((3,),)), (s2s.random.geometric, (0.5, (3,))), (s2s.random.normal, ((3,),)), (s2s.random.bits, ((3,),)),
    ]  # fmt: skip
    for function, args in calls:
        plain, none = function(key, *args), function(key, *args, dtype=None)
        assert plain.dtype == none.dtype
        np.testing.assert_array_equal(plain, none)
    assert s2s.nn.one_hot(np.array([1]), 3, dtype=None).dtype == np.float64


def test_bounds_named_like_a_flag_are_numbers_of_run_time() -> None:
    def f(key: Any, left: Any, right: Any) -> Any:
        return s2s.random.triangular(key, left, 0.5, right, (3,))

    key = s2s.random.PRNGKey(0)
    np.testing.assert_allclose(s2s.jit(f, target="numpy")(key, 0.0, 2.0), f(key, 0.0, 2.0))


if __name__ == "__main__":
    STORED.write_text(json.dumps(by_jax(), indent=0) + "\n", encoding="utf-8")
