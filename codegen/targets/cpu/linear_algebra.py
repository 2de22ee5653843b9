"""The cpu target's factorisations and solves: a call of a runtime function for each matrix of a stack."""
from __future__ import annotations

from collections.abc import Callable, Sequence

from s2s.codegen.language.expressions import Constant, Expr, Load, Name, Number, Op, integer
from s2s.codegen.language.operations import GREATER_EQUAL, negated
from s2s.codegen.language.statements import CallKernel, IfElse, Raise, Store
from s2s.codegen.lowering.lowered import Slot
from s2s.codegen.runtime import decompositions, eigenvectors, matrix_powers, spectra
from s2s.codegen.runtime.linear_algebra import CALLS
from s2s.codegen.targets.cpu.elements import Index
from s2s.codegen.targets.cpu.products import blas_kind
from s2s.codegen.targets.cpu.target import Cpu
from s2s.errors import LINALG_ERROR
from s2s.transforms.ir.program import Equation, Var
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.general_matrices import UNSQUARED
from s2s.transforms.primitives.lapack import SINGULAR
from s2s.transforms.primitives.matrix_powers import UNDEFINED
from s2s.transforms.primitives.riccati import UNSOLVED
from s2s.transforms.primitives.scipy_functions import IMPORTS
from s2s.transforms.primitives.sylvester import FAILED
from s2s.types import Atom


def _part(array: Expr, index: Index) -> Expr:
    """One matrix (vector) of a stack."""
    if not index:
        return array
    return Load(array.array, (*array.index, *index)) if isinstance(array, Load) else Load(array.id, index)  # type: ignore[union-attr]


def _called(
    low: Cpu, node: Equation, helper: str, operands: Sequence[Atom], flags: Sequence[int], failed: Callable[[Expr], Expr] | None, message: str,
    outs: Sequence[Var] | None = None,
) -> None:
    """helper(kind, *operands, *outs, *flags) for each matrix; `failed`: the test of what it returns, None: it can't fail. `outs`: where they are not all of the row's."""
    needed = (helper, *{**CALLS, **decompositions.CALLS, **eigenvectors.CALLS, **spectra.CALLS, **matrix_powers.CALLS}[helper])
    for name in needed:
        low.module.helpers.setdefault(name)
    if any(name in decompositions.LINKED or name in eigenvectors.LINKED for name in needed):
        low.module.imports.update(IMPORTS)
    arrays = [low.array_argument(atom) for atom in operands]
    made = node.outs if outs is None else outs
    slots: list[Slot] = []
    for out in made:
        slots.append(low.allocate(out))
    kind = blas_kind(operands[0].type.dtype)
    leading = [low.dim(dim) for dim in operands[0].type.shape[:-2]]
    outcome = low.names.fresh("outcome") if failed else ""

    def call(index: Index) -> None:
        parts = [_part(array, index) for array in (*arrays, *(Name(slot.name) for slot in slots))]
        args = (kind, *parts, *(Number(flag) for flag in flags))
        low.out.emit(CallKernel((outcome,) if failed else (), helper, args, low.out.where, tuple(slot.name for slot in slots)))
        if failed:
            raised = Raise(LINALG_ERROR, (Constant(message),), low.out.where, stretch=False, late=False)
            low.out.emit(IfElse(failed(Name(outcome)), (raised,), (), low.out.where))

    low.nest(leading, call)
    for slot, out in zip(slots, made, strict=True):
        slot.written = True
        low.places.occupy(slot, out)


def _values_or_all(low: Cpu, node: Equation, number: int, values: str, whole: str, message: str) -> None:
    """A decomposition whose values, the result of this number, a function finds without vectors, where these are not needed."""
    if any(low.live.after(out) for at, out in enumerate(node.outs) if at != number):
        _called(low, node, whole, node.ins[:1], (), negated, message)
    else:
        _called(low, node, values, node.ins[:1], (), negated, message, node.outs[number : number + 1])


def _eigh(low: Cpu, node: Equation) -> None:
    _values_or_all(low, node, 0, "eigenvalues", "eigen", "Eigenvalues did not converge")


def _svd(whole: str) -> Callable[[Cpu, Equation], None]:
    def lower(low: Cpu, node: Equation) -> None:
        _values_or_all(low, node, 1, "singular_values", whole, "SVD did not converge")

    return lower


def _factors(helper: str, message: str) -> Callable[[Cpu, Equation], None]:
    """A row of one matrix that fails with this message ("": never)."""

    def lower(low: Cpu, node: Equation) -> None:
        _called(low, node, helper, node.ins[:1], (), negated if message else None, message)

    return lower


def _lu_solve(low: Cpu, node: Equation) -> None:
    _called(low, node, "lu_solved_turned" if node.params["transposed"] else "lu_solved", node.ins[1:], (), None, "")


def _triangular_solve(low: Cpu, node: Equation) -> None:
    def is_position(outcome: Expr) -> Expr:
        return Op(GREATER_EQUAL, (outcome, integer(0)))

    flags = [node.params[name] for name in ("lower", "transposed", "unit", "checked")]
    _called(low, node, "triangle_solved", node.ins, flags, is_position if node.params["checked"] else None, "singular matrix: resolution failed at a zero on the diagonal")


def _cholesky_backward(low: Cpu, node: Equation) -> None:
    _called(low, node, "cholesky_reversed", node.ins, (), None, "")


def _slogdet(low: Cpu, node: Equation) -> None:
    for name in ("log_determinant", *CALLS["log_determinant"]):
        low.module.helpers.setdefault(name)
    (a,) = node.ins
    array, kind = low.array_argument(a), blas_kind(a.type.dtype)
    leading = [low.dim(dim) for dim in a.type.shape[:-2]]
    if not leading:
        slots = [low.places.slot(out) for out in node.outs]
        low.out.emit(CallKernel(tuple(slot.name for slot in slots), "log_determinant", (kind, array), low.out.where))
    else:
        slots = [low.allocate(out) for out in node.outs]
        numbers = [low.names.fresh(name) for name in ("sign", "logarithm")]

        def call(index: Index) -> None:
            low.out.emit(CallKernel(tuple(numbers), "log_determinant", (kind, _part(array, index)), low.out.where))
            for slot, number in zip(slots, numbers, strict=True):
                low.out.emit(Store(slot.name, index, Name(number), where=low.out.where))

        low.nest(leading, call)
    for slot, out in zip(slots, node.outs, strict=True):
        slot.written = True
        low.places.occupy(slot, out)


def _eig(low: Cpu, node: Equation) -> None:
    numbers = "complex" if node.ins[0].type.dtype.kind == "c" else "real"
    _values_or_all(low, node, 0, f"eigenvalues_of_{numbers}", f"eigen_of_{numbers}", "Eigenvalues did not converge")


def _pinv(low: Cpu, node: Equation) -> None:
    _called(low, node, "pseudo_inverse", node.ins, (), negated, "SVD did not converge")


def _lstsq(low: Cpu, node: Equation) -> None:
    if low.live.after(node.outs[1]):
        _called(low, node, "least_squares_by_inverse", node.ins[:3], (), negated, UNSQUARED)
    else:
        _called(low, node, "least_squares", node.ins[:3], (), negated, UNSQUARED, node.outs[::2])


def _eigh_by(low: Cpu, node: Equation) -> None:
    if node.params["driver"] == "evr":
        _eigh_part(low, node)
    else:
        _called(low, node, "eigen_upper" if node.params["upper"] else "eigen", node.ins, (), negated, "Eigenvalues did not converge")


def _schur(low: Cpu, node: Equation) -> None:
    helper = "schur_of_complex" if node.ins[0].type.dtype.kind == "c" else "schur_of_real"
    _called(low, node, helper, node.ins, (), negated, "Schur form not found. Possibly ill-conditioned.")


def _sylvester(low: Cpu, node: Equation) -> None:
    helper = "sylvester_of_complex" if node.ins[0].type.dtype.kind == "c" else "sylvester_of_real"
    _called(low, node, helper, node.ins, (), negated, FAILED)


def _riccati(low: Cpu, node: Equation) -> None:
    helper = "riccati_of_complex" if node.ins[0].type.dtype.kind == "c" else "riccati_of_real"
    _called(low, node, helper, node.ins, (), negated, UNSOLVED)


def _gesv(low: Cpu, node: Equation) -> None:
    _called(low, node, "solved", node.ins, (), negated, SINGULAR)


def _powered(helper: str) -> Callable[[Cpu, Equation], None]:
    def lower(low: Cpu, node: Equation) -> None:
        _called(low, node, helper, node.ins, (node.params["logarithm"],), negated, UNDEFINED)

    return lower


def _eigh_part(low: Cpu, node: Equation) -> None:
    helper = "eigen_part_complex" if node.ins[0].type.dtype.kind == "c" else "eigen_part"
    _called(low, node, helper, node.ins, (node.params["upper"], node.params.get("first", 0)), negated, "Eigenvalues did not converge")


def _of_kind(helper: str) -> Callable[[Cpu, Equation], None]:
    """A row of eigenvalues that has a function for real and one for complex numbers."""

    def lower(low: Cpu, node: Equation) -> None:
        _called(low, node, f"{helper}_of_{'complex' if node.ins[0].type.dtype.kind == 'c' else 'real'}", node.ins, (), negated, "Eigenvalues did not converge")

    return lower


LINEAR_ALGEBRA = {
    rows.lu: _factors("lu_factors", "Singular matrix"), rows.lu_solve: _lu_solve, rows.slogdet: _slogdet, rows.triangular_solve: _triangular_solve,
    rows.cholesky: _factors("cholesky_factor", "Matrix is not positive definite"), rows.cholesky_backward: _cholesky_backward, rows.eigh: _eigh,
    rows.eig: _eig, rows.pinv: _pinv, rows.lstsq: _lstsq, rows.qr: _factors("orthogonal", ""), rows.svd: _svd("singular"),
    rows.eigh_by: _eigh_by, rows.lu_any: _factors("lu_of_any", ""), rows.qr_complete: _factors("orthogonal_whole", ""), rows.qr_raw: _factors("reflections", ""), rows.svd_complete: _svd("singular_whole"),
    rows.schur: _schur, rows.sylvester: _sylvester, rows.riccati: _riccati, rows.gesv: _gesv, rows.matrix_power: _powered("powered"), rows.matrix_power_change: _powered("powered_change"), rows.eigh_part: _eigh_part, rows.eig_sides: _of_kind("sides"), rows.eig_pair: _of_kind("pair"), rows.eigvals_pair: _of_kind("pair_values"),
}  # fmt: skip
"""By the row."""
