"""Products of matrices over an axis of one element, and of none: where NumPy's sums begin with 0, none is -0.0."""
import numpy as np
import pytest

import s2s

FORMS = {
    "einsum": (lambda a, b: np.einsum("ijk,k->ij", a, b), (2, 2, 1), (1,)),
    "matmul": (lambda a, b: a @ b, (3, 1), (1, 2)),
    "of a vector": (lambda a, b: a @ b, (3, 1), (1,)),
    "dot": (lambda a, b: np.dot(a, b), (1,), (1,)),
    "dot of matrices": (lambda a, b: np.dot(a, b), (1, 1), (1, 1)),
    "dot of a matrix": (lambda a, b: np.dot(a, b), (2, 1), (1,)),
    "inner of one": (lambda a, b: np.inner(a, b), (1, 1), (1,)),
    "matmul of one": (lambda a, b: a @ b, (1,), (1,)),
    "tensordot of one": (lambda a, b: np.tensordot(a, b, axes=1), (1,), (1,)),
    "inner": (lambda a, b: np.inner(a, b), (2, 1), (3, 1)),
    "tensordot": (lambda a, b: np.tensordot(a, b, axes=1), (2, 1), (1, 3)),
    "of several": (lambda a, b: np.einsum("ij,jk->ik", a, b), (2, 4), (4, 2)),
    "tensordot of none": (lambda a, b: np.tensordot(a, b, axes=0), (2,), (3,)),
    "outer": (lambda a, b: np.outer(a, b), (2,), (3,)),
    "elementwise": (lambda a, b: np.einsum("i,i->i", a, b), (3,), (3,)),
    "kron": (lambda a, b: np.kron(a, b), (2,), (3,)),
    "of three": (lambda a, b: np.einsum("i,j,j->ij", a, b, b), (2,), (3,)),
    "vdot": (lambda a, b: np.vdot(a, b), (1,), (1,)),
    "multi_dot": (lambda a, b: np.linalg.multi_dot([a, b, a]), (1, 1), (1, 1)),
    "of none": (lambda a, b: np.einsum("i,j->ij", a, b), (2,), (3,)),
}


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_zeros_have_numpys_sign(target):
    for name, (fun, one, other) in FORMS.items():
        for dtypes in ((np.float64, np.float64), (np.bool_, np.float64), (np.float32, np.float32), (np.int64, np.float64)):
            a, b = np.zeros(one, dtypes[0]), -np.ones(other, dtypes[1])
            found, wanted = s2s.jit(fun, target=target)(a, b), fun(a, b)
            np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted), err_msg=f"{name} {dtypes}")
