"""The numpy target's factorisations and solves: NumPy's and SciPy's own."""
from __future__ import annotations

from collections.abc import Callable

from s2s.codegen.language.expressions import Constant, Expr, Invoke, Number, Part, integer
from s2s.codegen.language.statements import Assign
from s2s.codegen.lowering.places import Lazy
from s2s.codegen.targets.numpy.target import Arrays
from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.matrix_powers import UNDEFINED
from s2s.transforms.primitives.riccati import UNSOLVED
from s2s.transforms.primitives.sylvester import FAILED

FACTORED = '''
def HELPER(a):
    """a[order] = L U: L without its ones and U in one matrix, and the order of the rows."""
    places, lower, upper = scipy.linalg.lu(a, p_indices=True, check_finite=False)
    if not np.all(np.diagonal(upper, axis1=-2, axis2=-1)):
        raise np.linalg.LinAlgError("Singular matrix")
    return np.tril(lower, -1) + upper, np.argsort(places, axis=-1).reshape(a.shape[:-1])
'''.strip("\n")

YES, NO = Number(True), Number(False)


TRIANGULAR = '''
def HELPER(a, b, **options):
    """SciPy's solve_triangular, of stacks of no matrix, too."""
    return scipy.linalg.solve_triangular(a, b, **options) if b.size else np.empty(b.shape, b.dtype)
'''.strip("\n")


UNCHECKED = '''
def HELPER(a, b, lower=False, trans=0, unit_diagonal=False):
    """What scipy.linalg.solve_triangular gives, with infinities and nan where a zero stands on the diagonal."""
    (solve,) = scipy.linalg.get_blas_funcs(("trsm",), (a, b))
    found = np.empty(b.shape, b.dtype)
    for number in np.ndindex(b.shape[:-2] if b.size else (0,)):
        found[number] = solve(1.0, a[number], b[number], lower=lower, trans_a=trans, diag=unit_diagonal)
    return found
'''.strip("\n")


def _turned(a: Expr, turn: bool) -> Expr:
    return Invoke("np.swapaxes", (a, integer(-1), integer(-2))) if turn else a


Keywords = tuple[tuple[str, Expr], ...]


def _several(call: str, one: dict[int, tuple[str, Keywords]], keywords: Keywords = (), count: int = 1) -> Callable[[Arrays, Equation], None]:
    """A row of several results, of its first operands. `one`: the call that gives the result of this number alone, where no other is needed."""

    def lower(low: Arrays, node: Equation) -> None:
        operands = tuple(low.whole(atom) for atom in node.ins[:count])
        needed = [number for number, out in enumerate(node.outs) if low.live.after(out)]
        if len(needed) == 1 and needed[0] in one:
            function, words = one[needed[0]]
            low.bind(node.outs[needed[0]], Invoke(function, operands, words), low.places.reads(*node.ins), view=False)
            return
        slots = [low.places.slot(out) for out in node.outs]
        low.out.emit(Assign(tuple(slot.name for slot in slots), (Invoke(call, operands, keywords),), low.out.where))
        for slot, out in zip(slots, node.outs, strict=True):
            low.places.occupy(slot, out)

    return lower


def _lu(low: Arrays, node: Equation) -> None:
    """The factors, where something else than `np.linalg.solve` needs them."""
    name = low.module.helper("factored", "factored", FACTORED, imports=frozenset({"import numpy as np", "import scipy.linalg"}))
    for number, out in enumerate(node.outs):
        factors = Part(Invoke(name, (low.whole(node.ins[0]),)), (integer(number),))
        low.places.bind_lazily(Lazy(out, low.out.where, low.places.reads(*node.ins), False, expr=factors))


def _lu_solve(low: Arrays, node: Equation) -> None:
    a, b = low.whole(node.ins[0]), low.whole(node.ins[3])
    low.bind(node.outs[0], Invoke("np.linalg.solve", (_turned(a, node.params["transposed"]), b)), low.places.reads(node.ins[0], node.ins[3]), view=False)


def _triangular_solve(low: Arrays, node: Equation) -> None:
    low.module.imports.add("import scipy.linalg")
    if not node.params["checked"]:
        helper = low.module.helper("unchecked_triangular", "unchecked_triangular", UNCHECKED, imports=frozenset({"import numpy as np"}))
        given = (("lower", node.params["lower"], YES), ("trans", node.params["transposed"], integer(1)), ("unit_diagonal", node.params["unit"], YES))
        low.bind(node.outs[0], Invoke(helper, tuple(low.whole(atom) for atom in node.ins), tuple((name, value) for name, is_given, value in given if is_given)), low.places.reads(*node.ins), view=False)
        return
    solve = "scipy.linalg.solve_triangular" if node.ins[0].type.ndim == 2 else low.module.helper("triangular", "solve_triangular", TRIANGULAR, imports=frozenset({"import numpy as np"}))
    given = (("lower", node.params["lower"], YES), ("trans", node.params["transposed"], Constant("T")), ("unit_diagonal", node.params["unit"], YES))
    words = [(name, value) for name, is_given, value in given if is_given]
    call = Invoke(solve, tuple(low.whole(atom) for atom in node.ins), (*words, ("check_finite", NO)))
    low.bind(node.outs[0], call, low.places.reads(*node.ins), view=False)


def _cholesky(low: Arrays, node: Equation) -> None:
    low.bind(node.outs[0], Invoke("np.linalg.cholesky", (low.whole(node.ins[0]),)), low.places.reads(*node.ins), view=False)


CHOLESKY_BACKWARD = '''
def HELPER(factor, bar):
    """What the cotangent of a Cholesky factor is for the matrix: its lower triangle."""
    turned, halves = np.conj(np.swapaxes(factor, -1, -2)), 1 - 0.5 * np.eye(factor.shape[-1], dtype=factor.dtype)
    part = np.tril(turned @ np.tril(np.conj(bar))) * halves
    found = np.linalg.solve(turned, part + np.conj(np.swapaxes(part, -1, -2)))
    return np.conj(np.tril(np.conj(np.swapaxes(np.linalg.solve(turned, np.conj(np.swapaxes(found, -1, -2))), -1, -2)))) * halves
'''.strip("\n")


def _cholesky_backward(low: Arrays, node: Equation) -> None:
    helper = low.module.helper("cholesky_backward", "cholesky_backward", CHOLESKY_BACKWARD, imports=frozenset({"import numpy as np"}))
    low.bind(node.outs[0], Invoke(helper, tuple(low.whole(atom) for atom in node.ins)), low.places.reads(*node.ins), view=False)


EIGEN = '''
def HELPER(a):
    """np.linalg.eig, whose numbers are real where all of them are, as complex numbers."""
    values, vectors = np.linalg.eig(a)
    dtype = np.result_type(a.dtype, np.complex64)
    return values.astype(dtype, copy=False), vectors.astype(dtype, copy=False)
'''.strip("\n")

PSEUDO_INVERSE = '''
def HELPER(a, cutoff):
    """np.linalg.pinv; `cutoff` has a last axis of length 1."""
    return np.linalg.pinv(a, cutoff[..., 0])
'''.strip("\n")


def _eig(low: Arrays, node: Equation) -> None:
    _several(low.module.helper("eigen", "eigen", EIGEN, imports=frozenset({"import numpy as np"})), {})(low, node)


def _pinv(low: Arrays, node: Equation) -> None:
    helper = low.module.helper("pseudo_inverse", "pseudo_inverse", PSEUDO_INVERSE, imports=frozenset({"import numpy as np"}))
    low.bind(node.outs[0], Invoke(helper, tuple(low.whole(atom) for atom in node.ins)), low.places.reads(*node.ins), view=False)


LEAST_SQUARES = '''
def HELPER(a, cutoff, b):
    """Least squares of stacks of matrices, the pseudo-inverses and the singular values; `cutoff` has a last axis of length 1."""
    try:
        left, values, right = np.linalg.svd(np.conjugate(a), full_matrices=False)
    except np.linalg.LinAlgError as error:
        raise np.linalg.LinAlgError(f"{error} in Linear Least Squares") from None
    large = values > cutoff * values[..., :1]
    scaled = np.divide(1, values, out=np.zeros_like(values), where=large)
    inverse = np.swapaxes(right, -1, -2) @ (scaled[..., None] * np.swapaxes(left, -1, -2))
    return inverse @ b, inverse, values
'''.strip("\n")

SHORTEST = '''
def HELPER(a, cutoff, b):
    """np.linalg.lstsq's solution and the singular values."""
    x, _, _, values = np.linalg.lstsq(a, b, cutoff[0])
    return x, values
'''.strip("\n")


def _lstsq(low: Arrays, node: Equation) -> None:
    """The pseudo-inverse is made where something needs it."""
    imports = frozenset({"import numpy as np"})
    if low.live.after(node.outs[1]) or node.ins[0].type.ndim > 2:
        _several(low.module.helper("least_squares", "least_squares", LEAST_SQUARES, imports=imports), {}, count=3)(low, node)
        return
    slots = [low.places.slot(out) for out in node.outs[::2]]
    call = Invoke(low.module.helper("shortest", "shortest", SHORTEST, imports=imports), tuple(low.whole(atom) for atom in node.ins[:3]))
    low.out.emit(Assign(tuple(slot.name for slot in slots), (call,), low.out.where))
    for slot, out in zip(slots, node.outs[::2], strict=True):
        low.places.occupy(slot, out)


ROBUST = '''
def HELPER(a, lower):
    """scipy.linalg.eigh's eigenvalues and eigenvectors, of stacks of no matrix, too."""
    values, vectors = scipy.linalg.eigh(a, lower=lower, check_finite=False) if a.size else np.linalg.eigh(a)
    return values, np.ascontiguousarray(vectors)
'''.strip("\n")

SCHUR = '''
def HELPER(a):
    """scipy.linalg.schur of a matrix, and of each of a stack."""
    form, vectors = np.empty_like(a), np.empty_like(a)
    for index in np.ndindex(*a.shape[:-2]):
        form[index], vectors[index] = scipy.linalg.schur(a[index], check_finite=False)
    return form, vectors
'''.strip("\n")

PART = '''
def HELPER(a, lower, first, last):
    """scipy.linalg.eigh's eigenvalues from one to another, and their eigenvectors, of a matrix and of each of a stack."""
    values, vectors = np.empty((*a.shape[:-2], last - first + 1), a.real.dtype), np.empty((*a.shape[:-1], last - first + 1), a.dtype)
    for index in np.ndindex(*a.shape[:-2]):
        values[index], vectors[index] = scipy.linalg.eigh(a[index], lower=lower, check_finite=False, subset_by_index=[first, last])
    return values, vectors
'''.strip("\n")

SIDES = '''
def HELPER(*matrices):
    """scipy.linalg.eig's eigenvalues, left and right eigenvectors as complex numbers, of one matrix or two, and of each of stacks."""
    shape, dtype = matrices[0].shape, np.result_type(matrices[0].dtype, np.complex64)
    values, left, right = np.empty(shape[:-1], dtype), np.empty(shape, dtype), np.empty(shape, dtype)
    for index in np.ndindex(*shape[:-2] if matrices[0].size else (0,)):
        values[index], left[index], right[index] = scipy.linalg.eig(*(each[index] for each in matrices), left=True, check_finite=False)
    return values, left, right
'''.strip("\n")

SYLVESTER = '''
def HELPER(a, b, q):
    """The solution of a x + x b = q, of matrices and of each of a stack."""
    x = np.empty_like(q)
    for index in np.ndindex(*q.shape[:-2] if q.size else (0,)):
        (form, left), (other, right) = scipy.linalg.schur(a[index]), scipy.linalg.schur(b[index])
        found, scale, singular = scipy.linalg.get_lapack_funcs("trsyl", (q,))(form, other, np.conj(left.T) @ q[index] @ right)
        if singular:
            raise np.linalg.LinAlgError("FAILED")
        x[index] = left @ (found / scale) @ np.conj(right.T)
    return x
'''.strip("\n").replace("FAILED", FAILED)

RICCATI = '''
def HELPER(a, b, c, d):
    """The solution of c + d v = v a + v b v that makes a + b v stable, of matrices and of each of a stack."""
    v, n = np.empty_like(c), a.shape[-1]
    for index in np.ndindex(*c.shape[:-2] if c.size else (0,)):
        whole, (scales, _) = scipy.linalg.matrix_balance(np.block([[a[index], b[index]], [c[index], d[index]]]), permute=False, separate=True)
        _, vectors, count = scipy.linalg.schur(whole, sort="lhp")
        if count != n or not np.linalg.cond(vectors[:n, :n]) < 1e14:
            raise np.linalg.LinAlgError("UNSOLVED")
        v[index] = np.linalg.solve(vectors[:n, :n].T, vectors[n:, :n].T).T * (scales[n:, None] / scales[:n])
    return v
'''.strip("\n").replace("UNSOLVED", UNSOLVED)

POWERED = '''
def HELPER(a, t, e, logarithm):
    """The logarithm of a matrix, and of each of a stack, or its power of t[..., 0]; with e the derivative in that direction: the block above the diagonal of what is made of [[a, e], [0, a]]."""
    whole = a if e is None else np.concatenate((np.concatenate((a, e), axis=-1), np.concatenate((np.zeros_like(a), a), axis=-1)), axis=-2)
    found, n = np.empty_like(whole), a.shape[-1]
    for index in np.ndindex(*a.shape[:-2] if a.size else (0,)):
        if not np.all(scipy.linalg.eigvals(a[index])):
            raise np.linalg.LinAlgError("UNDEFINED")
        root = scipy.linalg.logm(whole[index])
        found[index] = root if logarithm else scipy.linalg.expm(t[index][0] * root)
    return found if e is None else found[..., :n, n:].copy()
'''.strip("\n").replace("UNDEFINED", UNDEFINED)

FACTORED_ANY = '''
def HELPER(a):
    """a[order] = L U: L without its ones and U in one matrix of a's shape, and the order of the rows."""
    if not a.size:
        return a.copy(), np.broadcast_to(np.arange(a.shape[-2]), a.shape[:-1]).copy()
    places, lower, upper = scipy.linalg.lu(a, p_indices=True)
    factors, short = np.zeros_like(a), min(a.shape[-2:])
    factors[..., :short, :] = upper
    factors[..., :short] += np.tril(lower, -1)
    return factors, np.argsort(places, axis=-1)
'''.strip("\n")

RAW = '''
def HELPER(a):
    """np.linalg.qr(a, mode="raw") in C order."""
    reflections, scales = np.linalg.qr(a, mode="raw")
    return np.ascontiguousarray(reflections), scales
'''.strip("\n")

SCIPYS = frozenset({"import numpy as np", "import scipy.linalg"})


def _eigh_by(low: Arrays, node: Equation) -> None:
    upper = node.params["upper"]
    if node.params["driver"] == "evd":
        given = (("UPLO", Constant("U" if upper else "L")),)
        _several("np.linalg.eigh", {0: ("np.linalg.eigvalsh", given)}, given)(low, node)
    else:
        _several(low.module.helper("robust", "eigenvectors", ROBUST, imports=SCIPYS), {}, (("lower", Number(not upper)),))(low, node)


def _schur(low: Arrays, node: Equation) -> None:
    _several(low.module.helper("schur", "schur_forms", SCHUR, imports=SCIPYS), {})(low, node)


def _sylvester(low: Arrays, node: Equation) -> None:
    helper = low.module.helper("sylvester", "sylvester_solved", SYLVESTER, imports=SCIPYS)
    low.bind(node.outs[0], Invoke(helper, tuple(low.whole(atom) for atom in node.ins)), low.places.reads(*node.ins), view=False)


def _riccati(low: Arrays, node: Equation) -> None:
    helper = low.module.helper("riccati", "riccati_solved", RICCATI, imports=SCIPYS)
    low.bind(node.outs[0], Invoke(helper, tuple(low.whole(atom) for atom in node.ins)), low.places.reads(*node.ins), view=False)


def _of_two(call: str) -> Callable[[Arrays, Equation], None]:
    """A row that is a call of its two operands."""

    def lower(low: Arrays, node: Equation) -> None:
        low.bind(node.outs[0], Invoke(call, tuple(low.whole(atom) for atom in node.ins)), low.places.reads(*node.ins), view=False)

    return lower


def _matrix_power(low: Arrays, node: Equation) -> None:
    helper = low.module.helper("powered", "powered", POWERED, imports=SCIPYS)
    a, t, *direction = (low.whole(atom) for atom in node.ins)
    e = direction[0] if direction else Constant(None)
    low.bind(node.outs[0], Invoke(helper, (a, t, e, Number(node.params["logarithm"]))), low.places.reads(*node.ins), view=False)


def _eigh_part(low: Arrays, node: Equation) -> None:
    helper, params = low.module.helper("part", "some_eigenvectors", PART, imports=SCIPYS), node.params
    _several(helper, {}, (("lower", Number(not params["upper"])), ("first", Number(params["first"])), ("last", Number(params["last"]))))(low, node)


def _sides(low: Arrays) -> str:
    return low.module.helper("sides", "eigen_of_sides", SIDES, imports=SCIPYS)


def _eig_sides(low: Arrays, node: Equation) -> None:
    _several(_sides(low), {}, count=len(node.ins))(low, node)


def _eigvals_pair(low: Arrays, node: Equation) -> None:
    values = Part(Invoke(_sides(low), tuple(low.whole(atom) for atom in node.ins)), (integer(0),))
    low.bind(node.outs[0], values, low.places.reads(*node.ins), view=False)


def _lu_any(low: Arrays, node: Equation) -> None:
    _several(low.module.helper("factored_any", "factored", FACTORED_ANY, imports=SCIPYS), {})(low, node)


def _qr_raw(low: Arrays, node: Equation) -> None:
    _several(low.module.helper("raw", "reflections", RAW, imports=frozenset({"import numpy as np"})), {})(low, node)


LINEAR_ALGEBRA = {
    rows.lu: _lu, rows.lu_solve: _lu_solve, rows.triangular_solve: _triangular_solve, rows.cholesky: _cholesky, rows.cholesky_backward: _cholesky_backward,
    rows.slogdet: _several("np.linalg.slogdet", {}), rows.eigh: _several("np.linalg.eigh", {0: ("np.linalg.eigvalsh", ())}), rows.qr: _several("np.linalg.qr", {1: ("np.linalg.qr", (("mode", Constant("r")),))}),
    rows.eig: _eig, rows.pinv: _pinv, rows.lstsq: _lstsq, rows.svd: _several("np.linalg.svd", {1: ("np.linalg.svd", (("compute_uv", NO),))}, (("full_matrices", NO),)),
    rows.eigh_by: _eigh_by, rows.lu_any: _lu_any, rows.qr_complete: _several("np.linalg.qr", {}, (("mode", Constant("complete")),)), rows.qr_raw: _qr_raw,
    rows.svd_complete: _several("np.linalg.svd", {1: ("np.linalg.svd", (("compute_uv", NO),))}), rows.schur: _schur, rows.sylvester: _sylvester, rows.riccati: _riccati, rows.gemm: _of_two("np.matmul"), rows.gesv: _of_two("np.linalg.solve"), rows.matrix_power: _matrix_power, rows.matrix_power_change: _matrix_power, rows.eigh_part: _eigh_part, rows.eig_sides: _eig_sides, rows.eig_pair: _eig_sides, rows.eigvals_pair: _eigvals_pair,
}  # fmt: skip
"""By the row."""
