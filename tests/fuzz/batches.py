"""One random program as a batch: the loop over its examples decides, bit for bit.

value        vmap(f), interpreted = f for each example, stacked; arrays that f changes, too
inside       vmap(grad(loss)) = grad(loss) for each example
outside      the gradient of a weighted sum of vmap(loss), emitted for NumPy = the weighted sum of the gradients
"""
from __future__ import annotations

import copy
from functools import partial
from typing import Any

import numpy as np
from batches import Batch, batch_of, looped, run_batch

import s2s
from s2s import tree_util
from s2s.errors import InternalError, S2SError, UnsupportedError
from s2s.transforms.derivatives import derive

from .check import Outcome, _reason, load, run_python
from .compare import Skip
from .points import kind_of, point, typed

SIZE = 3
WRT = (0, 1, 2, 3)


class Differs(Exception):
    """The batch is not the loop."""


def examine_batch(text: str, seed: int, *, derivatives: bool) -> Outcome:
    """Run the checks on a program, at points drawn with `seed`."""
    module = load(text)
    rng = np.random.default_rng(seed)
    mapped = tuple(k for k in range(5) if rng.uniform() < 0.5) or (int(rng.integers(5)),)
    stage = "value"
    try:
        with np.errstate(all="ignore"):
            examples = [_point(module, seed + number) for number in range(SIZE)]
            made = batch_of(examples, mapped, int(rng.choice([0, -1])))
            for number in range(SIZE):
                run_python(module.f, copy.deepcopy(made.example(number)))
            value(module.f, made)
            if not derivatives:
                return Outcome("ok")
            stage = "inside"
            one = _plain(made)
            inside = partial(derive.grad, argnums=WRT)
            equal(run_batch(module.loss, one.in_axes, one.args, (), inside), looped(module.loss, one, (), inside), "vmap(grad(loss))")
            stage = "outside"
            outside(module.loss, one)
    except Skip as skip:
        return Outcome("skipped", str(skip), stage)
    except UnsupportedError as error:
        return Outcome("refused", _reason(error), stage)
    except InternalError as error:
        return Outcome("fault", f"InternalError: {error.what.splitlines()[0]}", stage)
    except S2SError as error:
        return Outcome("fault", f"{type(error).__name__}: {error}", stage)
    except Exception as error:  # noqa: BLE001 whatever it is, it is a fault
        return Outcome("fault", f"{type(error).__name__}: {error}", stage)
    return Outcome("ok")


def _point(module: Any, seed: int) -> tuple[Any, ...]:
    kind = kind_of(module)
    return point(seed, 5, 5) if kind == "square" else typed(point(seed, 6, 4), kind, seed)


def _plain(made: Batch) -> Batch:
    """The batch with its examples along axis 0: NumPy's products of strided arrays add in another order."""
    args = tuple(np.ascontiguousarray(np.moveaxis(arg, made.axis, 0)) if k in made.mapped else arg for k, arg in enumerate(made.args))
    return Batch(args, made.mapped, 0, made.size)


def value(fun: Any, made: Batch) -> None:
    """The function itself."""
    one, loop = copy.deepcopy(made), copy.deepcopy(made)
    found = run_batch(fun, one.in_axes, one.args)
    wanted = looped(fun, loop)
    exactly = made.axis == 0
    equal(found, wanted, "vmap(f)", exactly=exactly)
    equal(one.args, loop.args, "arguments afterwards", exactly=exactly)


def outside(loss: Any, made: Batch) -> None:
    """Reverse mode through the batch."""
    weights = np.cos(np.arange(float(SIZE)))
    batched = s2s.vmap(s2s.jit(loss, target="numpy"), made.in_axes)
    total = s2s.jit(lambda *args: np.sum(batched(*args) * weights), target="numpy")
    found = s2s.grad(total, argnums=WRT)(*copy.deepcopy(made.args))
    parts = looped(loss, made, (), partial(derive.grad, argnums=WRT))
    for k, (bar, part) in enumerate(zip(found, parts, strict=True)):
        each = part * weights.reshape(-1, *(1,) * (np.ndim(part) - 1))
        wanted = each if k in made.mapped else each.sum(axis=0)
        scale = np.abs(each).max(initial=1.0)
        if not np.allclose(bar, wanted, rtol=1e-9, atol=1e-10 * scale, equal_nan=True):
            raise Differs(f"grad of vmap(loss) with respect to argument {k}: {bar} instead of {wanted}")


def equal(found: Any, wanted: Any, what: str, *, exactly: bool = True) -> None:
    """The same structure, dtypes and numbers."""
    if tree_util.tree_structure(found) != tree_util.tree_structure(wanted):
        raise Differs(f"{what}: {tree_util.tree_structure(found)} instead of {tree_util.tree_structure(wanted)}")
    for one, other in zip(map(np.asarray, tree_util.tree_leaves(found)), map(np.asarray, tree_util.tree_leaves(wanted)), strict=True):
        if one.dtype != other.dtype or one.shape != other.shape:
            raise Differs(f"{what}: {one.dtype}{one.shape} instead of {other.dtype}{other.shape}")
        near = np.array_equal(one, other, equal_nan=True) if exactly and one.dtype.kind in "fc" else np.allclose(one, other, rtol=1e-9, atol=1e-9, equal_nan=one.dtype.kind in "fc")
        if not near:
            raise Differs(f"{what}: {one} instead of {other}")
