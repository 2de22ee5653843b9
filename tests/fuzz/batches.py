"""One random program as a batch: the loop over its examples decides, bit for bit where the program is interpreted.

vmap            vmap(f) = f for each example, stacked; arrays that f changes, too
vmap of grad    vmap(grad(loss)) = grad(loss) for each example
grad of vmap    the gradient of a weighted sum of vmap(loss) = the weighted sum of the gradients

Interpreted, and emitted for the targets that are named (a gradient of a batch always: at least for NumPy).
"""
from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from batches import Batch, batch_of, looped, run_batch

import s2s
from s2s import tree_util
from s2s.transforms.derivatives import derive

from .check import Outcome, judged, load, run_python
from .compare import Fault, Skip, movement
from .points import kind_of, point, typed

SIZE = 3
WRT = (0, 1, 2, 3)
MODES = ("vmap", "vmap of grad", "grad of vmap")


def examine_batch(text: str, seed: int, *, modes: tuple[str, ...] = MODES, targets: tuple[str, ...] = ()) -> Outcome:
    """Run the checks on a program, at points drawn with `seed`."""
    examination = Examination(seed, modes, targets)
    return judged(examination, text, compiled="cpu" in targets)


@dataclass
class Examination:
    """All checks of one program; `stage` says which of them is going on."""

    seed: int
    modes: tuple[str, ...]
    targets: tuple[str, ...]
    stage: str = "value"

    def run(self, text: str) -> None:
        module = load(text)
        rng = np.random.default_rng(self.seed)
        mapped = tuple(k for k in range(5) if rng.uniform() < 0.5) or (int(rng.integers(5)),)
        with np.errstate(all="ignore"):
            examples = [_point(module, self.seed + number) for number in range(SIZE)]
            made = batch_of(examples, mapped, int(rng.choice([0, -1])))
            checked = Checked(module, made, [run_python(module.f, copy.deepcopy(made.example(number))) for number in range(SIZE)])
            for mode in self.modes:
                for target in (None, *self.targets):
                    self.stage = mode if target is None else f"{mode}, emitted {target}"
                    CHECKS[mode](checked, target)


def _point(module: Any, seed: int) -> tuple[Any, ...]:
    kind = kind_of(module)
    return point(seed, 5, 5) if kind.startswith("square") else typed(point(seed, 6, 4), kind, seed)


@dataclass
class Checked:
    """A program and a batch for it. `plain`: what Python gives for each example, and the arguments afterwards."""

    module: Any
    made: Batch
    plain: list[tuple[Any, Any]]

    @cached_property
    def coarse(self) -> float:
        return 1e7 if "single" in kind_of(self.module) else 1.0

    @cached_property
    def one(self) -> Batch:
        """The batch with its examples along axis 0: NumPy's products of strided arrays add in another order."""
        made = self.made
        args = tuple(np.ascontiguousarray(np.moveaxis(arg, made.axis, 0)) if k in made.mapped else arg for k, arg in enumerate(made.args))
        return Batch(args, made.mapped, 0, made.size)

    @cached_property
    def gradients(self) -> tuple[Any, ...]:
        """Of the loss with respect to its first four arguments, for each example, interpreted and stacked."""
        return self.looped_gradients(self.one)

    def looped_gradients(self, batch: Batch) -> tuple[Any, ...]:
        found: tuple[Any, ...] = looped(self.module.loss, copy.deepcopy(batch), (), partial(derive.grad, argnums=WRT))
        for leaf in found:
            if not np.all(np.isfinite(leaf)) or np.max(np.abs(leaf), initial=0.0) > 1e10:
                raise Skip("big derivatives")
        return found

    def moved(self) -> float:
        """How much the gradients move when the arguments move by an ulp."""
        def run(args: tuple[Any, ...]) -> Any:
            return self.looped_gradients(Batch(tuple(args), self.one.mapped, 0, self.one.size))

        return max(movement(run, self.one.args))

    # ---- the checks -----------------------------------------------------------------------------------------------------

    def value(self, target: str | None) -> None:
        """The function itself."""
        fun = self.module.f
        exact = kind_of(self.module).startswith(("square", "mixed"))  # in the others Python's type of a number may depend on the path
        one, loop = copy.deepcopy(self.made), copy.deepcopy(self.made)
        if target is None:
            found = run_batch(fun, one.in_axes, one.args)
            equal(found, looped(fun, loop), "vmap(f)", exactly=self.made.axis == 0, dtypes=exact)
            equal(one.args, loop.args, "arguments afterwards", exactly=self.made.axis == 0)
            return
        found = s2s.vmap(s2s.jit(fun, target=target), one.in_axes)(*one.args)
        wanted = tree_util.tree_map(lambda *leaves: np.stack(leaves), *(result for result, _ in self.plain))
        after = batch_of([args for _, args in self.plain], self.made.mapped, self.made.axis).args
        self.near(found, wanted, "vmap(f)", lambda: self.plain_moved(0), dtypes=exact)
        self.near(one.args, after, "arguments afterwards", lambda: self.plain_moved(1))

    def plain_moved(self, part: int) -> float:
        return max(max(movement(lambda near: run_python(self.module.f, near)[part], self.made.example(number)), default=0.0) for number in range(SIZE))

    def vmap_of_grad(self, target: str | None) -> None:
        one = copy.deepcopy(self.one)
        if target is None:
            equal(run_batch(self.module.loss, one.in_axes, one.args, (), partial(derive.grad, argnums=WRT)), self.gradients, "vmap(grad(loss))")
            return
        found = s2s.vmap(s2s.grad(s2s.jit(self.module.loss, target=target), argnums=WRT), one.in_axes)(*one.args)
        self.near(found, self.gradients, "vmap(grad(loss))", self.moved)

    def grad_of_vmap(self, target: str | None) -> None:
        """Reverse mode through the batch."""
        weights = np.cos(np.arange(float(SIZE)))
        target = target or "numpy"
        batched = s2s.vmap(s2s.jit(self.module.loss, target=target), self.one.in_axes)
        total = s2s.jit(lambda *args: np.sum(batched(*args) * weights), target=target)
        found = s2s.grad(total, argnums=WRT)(*copy.deepcopy(self.one.args))
        each = tuple(part * weights.reshape(-1, *(1,) * (np.ndim(part) - 1)) for part in self.gradients)
        wanted = tuple(part if k in self.one.mapped else part.sum(axis=0) for k, part in enumerate(each))
        self.near(found, wanted, "grad of vmap(loss)", self.moved, dtypes=False)

    def near(self, found: Any, wanted: Any, what: str, moved: Callable[[], float], *, dtypes: bool = True) -> None:
        """The same but for rounding; Skip where the arguments' last digits move them as much."""
        same_structure(found, wanted, what, dtypes=dtypes)
        for one, other in zip(tree_util.tree_leaves(found), tree_util.tree_leaves(wanted), strict=True):
            a, b = np.asarray(one), np.asarray(other)
            size = np.max(np.abs(b), initial=1.0)
            if not np.allclose(a, b, rtol=0.0, atol=1e-10 * self.coarse * size, equal_nan=True):
                if np.max(np.abs(a - b)) <= 100 * moved():
                    raise Skip("moves as much with an ulp in its arguments")
                raise Fault(f"{what}: another value\n{a}\ninstead of\n{b}")


CHECKS: dict[str, Callable[[Checked, str | None], None]] = {"vmap": Checked.value, "vmap of grad": Checked.vmap_of_grad, "grad of vmap": Checked.grad_of_vmap}


def same_structure(found: Any, wanted: Any, what: str, *, dtypes: bool = True) -> None:
    """The same containers, dtypes and shapes."""
    if tree_util.tree_structure(found) != tree_util.tree_structure(wanted):
        raise Fault(f"{what}: another structure: {tree_util.tree_structure(found)} instead of {tree_util.tree_structure(wanted)}")
    for one, other in zip(map(np.asarray, tree_util.tree_leaves(found)), map(np.asarray, tree_util.tree_leaves(wanted)), strict=True):
        if dtypes and one.dtype != other.dtype or one.shape != other.shape:
            raise Fault(f"{what}: another type: {one.dtype}{one.shape} instead of {other.dtype}{other.shape}")


def equal(found: Any, wanted: Any, what: str, *, exactly: bool = True, dtypes: bool = True) -> None:
    """The same structure, dtypes (where `dtypes`; else as near as the narrower one tells) and numbers."""
    same_structure(found, wanted, what, dtypes=dtypes)
    for one, other in zip(map(np.asarray, tree_util.tree_leaves(found)), map(np.asarray, tree_util.tree_leaves(wanted)), strict=True):
        float_ = one.dtype.kind in "fc"
        off = 1e-9 if one.dtype == other.dtype else 1e-5
        near = np.array_equal(one, other, equal_nan=float_) if exactly and one.dtype == other.dtype else np.allclose(one, other, rtol=off, atol=off, equal_nan=float_)
        if not near:
            raise Fault(f"{what}: another value\n{one}\ninstead of\n{other}")
