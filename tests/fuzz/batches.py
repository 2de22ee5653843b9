"""One random program as a batch: the loop over its examples decides, bit for bit where the program is interpreted.

vmap               vmap(f) = f for each example, stacked; arrays that f changes, too
vmap of grad       vmap(grad(loss)) = grad(loss) for each example
grad of vmap       the gradient of a weighted sum of vmap(loss) = the weighted sum of the gradients
vmap of jvp        vmap(jvp(loss)) along directions that have examples, too
vmap of vjp        vmap(vjp(loss)) with cotangents that have examples, too
vmap of jacobian   vmap(jacfwd(loss)) = the gradients
vmap of hessian    vmap(hessian(loss)) by one argument, for each example
vmap of vmap       vmap(vmap(loss)), the examples of examples

Each argument has its examples along an axis of its own (0, 1, -1), or is shared; there are 3 of them, 1 or none. Interpreted, and emitted for the targets that are named; those modes that need
a call from outside are emitted, at least for NumPy.
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

WRT = (0, 1, 2, 3)


def examine_batch(text: str, seed: int, *, modes: tuple[str, ...] = (), targets: tuple[str, ...] = ()) -> Outcome:
    """Run the checks on a program, at points drawn with `seed`; without `modes`: the value, and another mode by the seed."""
    examination = Examination(seed, modes or ("vmap", MODES[1 + seed % (len(MODES) - 1)]), targets)
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
        size = int(rng.choice([3, 3, 3, 1, 0]))
        with np.errstate(all="ignore"):
            examples = [_point(module, self.seed + number) for number in range(max(size, 1))]
            made = batch_of(examples, _axes(rng, examples[0]))
            checked = Checked(module, made, [run_python(module.f, copy.deepcopy(made.example(number))) for number in range(made.size)], size == 0)
            for mode in self.modes:
                for target in (None, *self.targets):
                    self.stage = mode if target is None else f"{mode}, emitted {target}"
                    CHECKS[mode](checked, target)


def _axes(rng: np.random.Generator, example: tuple[Any, ...]) -> tuple[int | None, ...]:
    """Where each argument has its examples; one has at least."""
    def drawn(arg: Any) -> int:
        return int(rng.choice([0, 0, -1, 1] if np.ndim(arg) else [0, -1]))

    found = [drawn(arg) if rng.uniform() < 0.5 else None for arg in example]
    if all(axis is None for axis in found):
        number = int(rng.integers(len(found)))
        found[number] = drawn(example[number])
    return tuple(found)


def _point(module: Any, seed: int) -> tuple[Any, ...]:
    kind = kind_of(module)
    return point(seed, 5, 5) if kind.startswith("square") else typed(point(seed, 6, 4), kind, seed)


@dataclass
class Checked:
    """A program and a batch for it. `plain`: what Python gives for each example, and the arguments afterwards; `emptied`: the batch is one of no examples, made of these."""

    module: Any
    full: Batch
    plain: list[tuple[Any, Any]]
    emptied: bool

    @property
    def made(self) -> Batch:
        """The batch to run, which the run may write into."""
        found: Batch = copy.deepcopy(self.full)
        return found.without_examples() if self.emptied else found

    def cut(self, results: Any) -> Any:
        """Of the results of all examples those of the batch."""
        return tree_util.tree_map(lambda leaf: leaf[:0], results) if self.emptied else results

    @property
    def size(self) -> int:
        return 0 if self.emptied else self.full.size

    @cached_property
    def coarse(self) -> float:
        return 1e7 if "single" in kind_of(self.module) else 1.0

    @cached_property
    def gradients(self) -> tuple[Any, ...]:
        """Of the loss with respect to its first four arguments, for each example, interpreted and stacked."""
        return self.looped_gradients(self.full)

    def looped_gradients(self, batch: Batch) -> tuple[Any, ...]:
        found: tuple[Any, ...] = looped(self.module.loss, copy.deepcopy(batch), (), partial(derive.grad, argnums=WRT))
        for leaf in found:
            if not np.all(np.isfinite(leaf)) or np.max(np.abs(leaf), initial=0.0) > 1e10:
                raise Skip("big derivatives")
        return found

    def moved(self) -> float:
        """How much the gradients move when the arguments move by an ulp."""
        def run(args: tuple[Any, ...]) -> Any:
            return self.looped_gradients(Batch(tuple(args), self.full.axes, self.full.size))

        return max(movement(run, self.full.args))

    # ---- the checks -----------------------------------------------------------------------------------------------------

    def value(self, target: str | None) -> None:
        """The function itself."""
        fun = self.module.f
        exact = kind_of(self.module).startswith(("square", "mixed"))  # in the others Python's type of a number may depend on the path
        one, loop = self.made, copy.deepcopy(self.full)
        if target is None:
            found = run_batch(fun, one.in_axes, one.args)
            equal(found, self.cut(looped(fun, loop)), "vmap(f)", exactly=one.in_front, dtypes=exact)
            equal(one.args, (loop.without_examples() if self.emptied else loop).args, "arguments afterwards", exactly=one.in_front)
            return
        found = s2s.vmap(s2s.jit(fun, target=target), one.in_axes)(*one.args)
        wanted = tree_util.tree_map(lambda *leaves: np.stack(leaves), *(result for result, _ in self.plain))
        after = batch_of([args for _, args in self.plain], one.axes)
        self.near(found, self.cut(wanted), "vmap(f)", lambda: self.plain_moved(0), dtypes=exact)
        self.near(one.args, (after.without_examples() if self.emptied else after).args, "arguments afterwards", lambda: self.plain_moved(1))

    def plain_moved(self, part: int) -> float:
        return max(max(movement(lambda near: run_python(self.module.f, near)[part], self.full.example(number)), default=0.0) for number in range(self.full.size))

    def vmap_of_grad(self, target: str | None) -> None:
        one = self.made
        if target is None:
            found = run_batch(self.module.loss, one.in_axes, one.args, (), partial(derive.grad, argnums=WRT))
            if one.in_front:
                equal(found, self.cut(self.gradients), "vmap(grad(loss))")
            else:
                self.near(found, self.cut(self.gradients), "vmap(grad(loss))", self.moved)
            return
        found = s2s.vmap(s2s.grad(s2s.jit(self.module.loss, target=target), argnums=WRT), one.in_axes)(*one.args)
        self.near(found, self.cut(self.gradients), "vmap(grad(loss))", self.moved)

    def grad_of_vmap(self, target: str | None) -> None:
        """Reverse mode through the batch."""
        weights = np.cos(np.arange(float(self.size)))
        target = target or "numpy"
        one = self.made
        batched = s2s.vmap(s2s.jit(self.module.loss, target=target), one.in_axes)
        total = s2s.jit(lambda *args: np.sum(batched(*args) * weights), target=target)
        found = s2s.grad(total, argnums=WRT)(*one.args)
        each = tuple(part * weights.reshape(-1, *(1,) * (np.ndim(part) - 1)) for part in self.cut(self.gradients))
        wanted = tuple(part.sum(axis=0) if axis is None else np.moveaxis(part, 0, axis) for part, axis in zip(each, one.axes, strict=False))
        self.near(found, wanted, "grad of vmap(loss)", self.moved, dtypes=False)

    def vmap_of_jvp(self, target: str | None) -> None:
        loss, one = self.outside(target), self.made
        dots = tuple(np.cos(np.arange(np.size(part)) + k).reshape(np.shape(part)).astype(np.asarray(part).dtype) for k, part in enumerate(self.gradients))

        def along(args: Any, dots: Any) -> Any:
            return s2s.jvp(lambda *first: loss(*first, args[4]), args[:4], dots)[1]

        found = s2s.vmap(along, (one.in_axes, 0))(one.args, self.cut(dots))
        terms = [np.real(grad * dot).reshape(self.full.size, -1) for grad, dot in zip(self.gradients, dots, strict=True)]
        wanted = sum(term.sum(axis=1) for term in terms)
        self.near(found, self.cut(wanted), "vmap(jvp(loss))", lambda: self.moved() * max(term.shape[1] for term in terms), dtypes=False)

    def vmap_of_vjp(self, target: str | None) -> None:
        loss, one = self.outside(target), self.made
        bars = np.cos(np.arange(self.full.size)).astype(np.asarray(self.plain_losses).dtype)

        def back(args: Any, bar: Any) -> Any:
            return s2s.vjp(lambda *first: loss(*first, args[4]), *args[:4])[1](bar)

        found = s2s.vmap(back, (one.in_axes, 0))(one.args, self.cut(bars))
        wanted = tuple(grad * bars.reshape(-1, *(1,) * (np.ndim(grad) - 1)) for grad in self.gradients)
        self.near(found, self.cut(wanted), "vmap(vjp(loss))", self.moved, dtypes=False)

    def vmap_of_jacobian(self, target: str | None) -> None:
        if "complex" in kind_of(self.module):
            raise Skip("columns by complex arguments")
        one = self.made
        found = s2s.vmap(s2s.jacfwd(self.outside(target), argnums=WRT), one.in_axes)(*one.args)
        self.near(found, self.cut(self.gradients), "vmap(jacfwd(loss))", self.moved, dtypes=False)

    def vmap_of_hessian(self, target: str | None) -> None:
        if "complex" in kind_of(self.module):
            raise Skip("columns by complex arguments")
        one, number = self.made, self.full.size % 2
        hessian = s2s.hessian(self.outside(target), argnums=number)

        def run(args: tuple[Any, ...]) -> Any:
            each = Batch(tuple(args), self.full.axes, self.full.size)
            return np.stack([hessian(*copy.deepcopy(each.example(k))) for k in range(each.size)])

        wanted = run(self.full.args)
        if not np.all(np.isfinite(wanted)) or np.max(np.abs(wanted), initial=0.0) > 1e10:
            raise Skip("big derivatives")
        self.near(s2s.vmap(hessian, one.in_axes)(*one.args), self.cut(wanted), "vmap(hessian(loss))", lambda: max(movement(run, self.full.args)))

    def vmap_of_vmap(self, target: str | None) -> None:
        """The batch twice, the second time with its examples' order turned; and again over half of the arguments."""
        loss, one = self.outside(target), self.made
        batched = s2s.vmap(s2s.vmap(loss, one.in_axes), tuple(None if axis is None else 0 for axis in one.axes))
        turned = one.each(lambda leaf, axis: np.flip(leaf, axis))
        both = tuple(arg if axis is None else np.stack((arg, other)) for arg, other, axis in zip(one.args, turned, one.axes, strict=True))
        wanted = self.plain_losses
        self.near(batched(*both), np.stack((self.cut(wanted), self.cut(wanted[::-1]))), "vmap(vmap(loss))", self.losses_moved, dtypes=False)

    @cached_property
    def plain_losses(self) -> Any:
        """The loss of each example, by Python."""
        return np.stack([run_python(self.module.loss, copy.deepcopy(self.full.example(number)))[0] for number in range(self.full.size)])

    def losses_moved(self) -> float:
        return max(max(movement(lambda near: run_python(self.module.loss, near)[0], self.full.example(number)), default=0.0) for number in range(self.full.size))

    def outside(self, target: str | None) -> Any:
        return s2s.jit(self.module.loss, target=target or "numpy")

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


CHECKS: dict[str, Callable[[Checked, str | None], None]] = {
    "vmap": Checked.value, "vmap of grad": Checked.vmap_of_grad, "grad of vmap": Checked.grad_of_vmap, "vmap of jvp": Checked.vmap_of_jvp, "vmap of vjp": Checked.vmap_of_vjp,
    "vmap of jacobian": Checked.vmap_of_jacobian, "vmap of hessian": Checked.vmap_of_hessian, "vmap of vmap": Checked.vmap_of_vmap,
}  # fmt: skip
MODES = tuple(CHECKS)


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
