"""The table: every primitive there is. Tests, documentation and error hints are generated from it."""
from __future__ import annotations

from types import ModuleType

from s2s.transforms.primitives import (
    arithmetic,
    bessel,
    bessel_integrals,
    bits,
    cholesky,
    contract,
    conversion,
    decompositions,
    eigenvectors,
    elementwise,
    fourier,
    general_matrices,
    hypergeometric,
    indexing,
    joining,
    lapack,
    linear_algebra,
    logic,
    matrix_powers,
    orthogonal_factors,
    probabilities,
    rarer_special,
    reductions,
    riccati,
    special,
    special_of_scipy,
    structural,
    sylvester,
)
from s2s.transforms.primitives.row import Primitive

KINDS: dict[str, ModuleType] = {
    "Arithmetic, comparison, choice, rounding": arithmetic, "Functions of calculus": elementwise, "Special functions": special, "Special functions of SciPy's": special_of_scipy, "Bessel functions and their kin": bessel, "Integrals of Bessel functions": bessel_integrals, "Hypergeometric functions, elliptic integrals, polynomials": hypergeometric, "Distribution functions, Box-Cox, losses": probabilities, "Rarer special functions": rarer_special,
    "Conversion, complex numbers": conversion, "Bits": bits, "Logic": logic, "Shapes": structural, "Putting together": joining, "Indexing": indexing,
    "Reductions, running sums, sorting": reductions, "Products": contract, "Linear algebra": linear_algebra, "QR and singular values": orthogonal_factors, "The Cholesky factor": cholesky, "Linear algebra of any matrices": general_matrices, "Complete decompositions": decompositions, "More eigenvectors": eigenvectors, "Sylvester's equation": sylvester, "Riccati's equation": riccati, "Products and systems by BLAS and LAPACK": lapack, "Powers and logarithms of matrices": matrix_powers, "Fourier transforms": fourier,
}  # fmt: skip
"""The modules of rows, by what is in them."""

TABLE: tuple[Primitive, ...] = tuple(row for module in KINDS.values() for row in module.ROWS)
"""All rows, grouped by kind."""
