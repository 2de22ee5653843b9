"""scipy.linalg.orth and null_space: orthonormal bases of a matrix's range and of what it maps to zero, at constant rank.

Which basis of a space LAPACK takes is its choice. Derivatives of `orth` are those of singular vectors; of `null_space`, whose basis nothing determines, those that do not
turn it within its space: what depends on the space alone has its derivative.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import constant, ours
from s2s.transforms.read.composed.matrix_checks import in_lapack
from s2s.transforms.read.names import within


def orth(A, rcond=None):
    """scipy.linalg.orth."""
    a = _checked(A, True)
    if a.ndim > 2:
        return _of_stack(a, rcond, lambda a, u, vh, rank: _range_moved(a, u[:, :rank]))
    u, s, _ = np.linalg.svd(constant(a), full_matrices=False)
    return _range_moved(a, u[:, : _rank(a, s, rcond)])


def null_space(A, rcond=None, *, overwrite_a=False, check_finite=True, lapack_driver="gesdd"):
    """scipy.linalg.null_space."""
    a = _checked(A, check_finite)
    if lapack_driver not in ("gesdd", "gesvd"):
        raise ValueError(f'lapack_driver must be "gesdd" or "gesvd", not "{lapack_driver}"')
    if a.ndim > 2:
        return _of_stack(a, rcond, lambda a, u, vh, rank: _null_moved(a, np.conj(vh[rank:].T)))
    _, s, vh = np.linalg.svd(constant(a))
    return _null_moved(a, np.conj(vh[_rank(a, s, rcond) :].T))


def _of_stack(a, rcond, basis):
    """The bases of a stack's matrices, which must be of one rank: NumPy stacks no others."""
    flat = a.reshape(-1, a.shape[-2], a.shape[-1])
    if flat.shape[0] == 0:
        raise ValueError("scipy.linalg's bases of no matrices: SciPy does not support zero-size batches.")
    u, s, vh = np.linalg.svd(constant(flat))
    ranks = np.array([_rank(flat[0], each, rcond) for each in s])
    if np.any(ranks != ranks[0]):
        raise ValueError("all input arrays must have the same shape")
    rank = ranks[0]
    found = ours("vmap")(lambda a, u, vh: basis(a, u, vh, rank))(flat, u, vh)
    return found.reshape(*a.shape[:-2], *found.shape[1:])


def _checked(a, check_finite):
    a = np.asarray(a)
    if a.ndim < 2:
        raise ValueError("expected matrix")
    if check_finite and not np.all(np.isfinite(a)):
        raise ValueError("array must not contain infs or NaNs")
    return in_lapack(a)


def _rank(a, s, rcond):
    """How many singular values are more than rounding."""
    relative = np.finfo(s.dtype).eps * max(a.shape[0], a.shape[1]) if rcond is None else rcond
    return np.sum(s > np.max(s, initial=0.0) * relative)


def _range_moved(a, basis):
    made = ours("custom_jvp")(lambda a, basis: basis)
    made.defjvp(_range_rule)
    return made(a, basis)


def _null_moved(a, basis):
    made = ours("custom_jvp")(lambda a, basis: basis)
    made.defjvp(_null_rule)
    return made(a, basis)


def _range_rule(primals, tangents):
    """As eigenvectors U of A A^H: U (F * U^H (A_dot A^H + A A_dot^H) U) + (1 - U U^H) A_dot A^+ U, F[i, j] = 1 / (s[j]^2 - s[i]^2)."""
    a, basis = primals
    u, dot = _range_moved(a, basis), tangents[0]
    turned = np.conj(a.T) @ u
    half = np.conj(u.T) @ (dot @ turned)
    squares = np.sum(np.abs(turned) ** 2, axis=0)
    same = np.eye(basis.shape[1], dtype=bool)
    gaps = np.where(same, 1.0, squares[np.newaxis, :] - squares[:, np.newaxis])
    inside = np.where(same, 0.0, (half + np.conj(half.T)) / gaps)
    outside = dot @ (np.linalg.pinv(a) @ u)
    return u, u @ inside + outside - u @ (np.conj(u.T) @ outside)


def _null_rule(primals, tangents):
    """-A^+ A_dot Q."""
    a, basis = primals
    q = _null_moved(a, basis)
    return q, -(np.linalg.pinv(a) @ (tangents[0] @ q))


BASES: dict[str, Any] = within("scipy.linalg", null_space=null_space, orth=orth)
"""By qualified name."""
