"""scipy.sparse's matrices, made inside and outside of the function, and systems of equations with them."""
from __future__ import annotations

import operator

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.csgraph as spg
import scipy.sparse.linalg as spl
from turns import in_turn

import s2s

D = sp.random(5, 4, 0.5, format="csr", random_state=1, dtype=float)
DATA, INDICES, INDPTR = D.data, D.indices, D.indptr
RNG = np.random.default_rng(0)
X = RNG.normal(size=4)


def made(d, kind=sp.csr_array, shape=(5, 4)):
    return kind((d, INDICES, INDPTR), shape=shape)


FORMS = {
    "vector": lambda d, x: made(d) @ x, "matrix": lambda d, x: made(d) @ np.outer(x, x[:2]), "transposed": lambda d, x: made(d).T @ np.append(x, x[0]), "star": lambda d, x: made(d, sp.csr_matrix) * x,
    "scaled": lambda d, x: (2.0 * made(d) / 3.0) @ x, "dense": lambda d, x: made(d).toarray() @ x, "dot": lambda d, x: made(d).dot(x), "columns": lambda d, x: made(d, sp.csc_array, (4, 5)).T @ x,
    "of columns": lambda d, x: made(d, sp.csc_matrix, (4, 5)) @ np.append(x, x[0]), "negative": lambda d, x: (-made(d)) @ x, "kept": lambda d, x: made(d).nnz * made(d).shape[0] * (made(d) @ x), "complex": lambda d, x: made(d) @ (x * (1 + 2j)),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_products(form):
    f = FORMS[form]
    found, wanted = s2s.jit(f, target="numpy")(DATA, X), f(DATA, X)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=1e-14)
    if form != "complex":
        s2s.check_grads(s2s.jit(f, target="numpy"), (DATA, X), order=2)


def residual(data, indices, indptr, b, x):
    a = sp.csr_array((data, indices, indptr), shape=(indptr.shape[0] - 1, x.shape[0]))
    return np.sum((a @ x - b) ** 2)


def test_compiled_batched_and_drawn():
    b = RNG.normal(size=5)
    np.testing.assert_allclose(s2s.jit(residual)(DATA, INDICES, INDPTR, b, X), residual(DATA, INDICES, INDPTR, b, X), rtol=1e-14)
    np.testing.assert_allclose(s2s.grad(residual, argnums=4)(DATA, INDICES, INDPTR, b, X), 2 * D.T @ (D @ X - b), rtol=1e-12)
    many = RNG.normal(size=(3, 4))
    np.testing.assert_allclose(s2s.vmap(lambda x: made(DATA) @ x)(many), (D @ many.T).T, rtol=1e-14)
    f = s2s.jit(lambda d, i, p, x: sp.csr_array((d, i, p), shape=(p.shape[0] - 1, x.shape[0])) @ x, target="numpy")
    slope = s2s.grad(lambda d, i, p, x: np.sum(f(d, i, p, x) ** 2), argnums=(0, 3))
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n, m = rng.integers(1, 9, 2)
        a = sp.random(n, m, rng.uniform(0, 1), format="csr", random_state=seed, dtype=rng.choice([np.float64, np.float32]))
        x = rng.normal(size=m)
        np.testing.assert_allclose(f(a.data, a.indices, a.indptr, x), a @ x, rtol=1e-6, atol=1e-7)
        data_bar, x_bar = slope(a.data, a.indices, a.indptr, x)
        rows = np.repeat(np.arange(n), np.diff(a.indptr))
        np.testing.assert_allclose(data_bar, 2 * (a @ x)[rows] * x[a.indices], rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(x_bar, 2 * a.T @ (a @ x), rtol=1e-4, atol=1e-5)


def test_what_does_not_fit():
    for call in (lambda d, x: made(d) @ x[:2], lambda d, x: made(d, shape=(6, 4)) @ x, lambda d, x: sp.csr_array((d[:2], INDICES, INDPTR), shape=(5, 4)) @ x):
        with pytest.raises(ValueError) as wanted:  # noqa: PT011 - the words are compared
            call(DATA, X)
        with pytest.raises(ValueError) as found:  # noqa: PT011
            s2s.jit(call, target="numpy")(DATA, X)
        assert str(wanted.value).split("(")[0].strip()[:20] in str(found.value)


def test_what_is_refused():
    for call, words in ((lambda d, x: (sp.csr_array(np.outer(x, x)) @ sp.csr_array(np.outer(x, x))).nnz * x, "nnz of a sparse"), (lambda d, x: made(d).max(axis=0), "max of a sparse array"), (lambda d, x: LILS @ x, "lil_array")):
        with pytest.raises(s2s.UnsupportedError, match=words) as found:
            s2s.jit(call, target="numpy")(DATA, X)
        assert "test_sparse.py" in str(found.value)  # the user's line
    with pytest.raises(TypeError, match="neither an array"):
        s2s.jit(lambda a, x: a @ x, target="numpy")(LILS, X)


# ---- of any form, made inside and outside -----------------------------------------------------------------------------------------------

A = sp.random(6, 7, 0.4, format="csr", random_state=1)
CSR, CSC, COO, DIA, DENSE, LILS = sp.csr_array(A), sp.csc_matrix(A), sp.coo_matrix(A), sp.dia_array(A), A.toarray(), sp.lil_array(D)
S = sp.csr_matrix(sp.random(6, 6, 0.4, random_state=2) + 4 * sp.eye(6))
WIDE = sp.diags([-1.0, 2.5, -1.0], [-1, 0, 1], shape=(12, 12)).tocsc()
V, W, Q = RNG.normal(size=12), RNG.normal(size=12), RNG.normal(size=(6, 7))
PLACES = ([0, 1, 1, 2], [0, 2, 2, 1])
OUTSIDE = {
    "csr": lambda v, w, q: A @ v[:7], "array": lambda v, w, q: CSR @ v[:7], "csc": lambda v, w, q: CSC @ v[:7], "coo": lambda v, w, q: COO @ v[:7], "dia": lambda v, w, q: DIA @ v[:7],
    "transposed": lambda v, w, q: A.T @ v[:6], "matrix": lambda v, w, q: A @ q.T, "on the right": lambda v, w, q: v[:6] @ A, "star": lambda v, w, q: A * v[:7], "dot": lambda v, w, q: A.dot(v[:7]),
    "data": lambda v, w, q: np.sum(A.data) * v, "toarray": lambda v, w, q: CSC.toarray() @ v[:7], "todense": lambda v, w, q: np.asarray(A.todense()) @ v[:7], "sum": lambda v, w, q: CSR.sum() * v,
    "sum of columns": lambda v, w, q: CSR.sum(axis=0) * v[:7], "sum of rows": lambda v, w, q: np.asarray(A.sum(axis=1)).ravel() * v[:6], "mean": lambda v, w, q: CSR.mean(axis=1) + CSR.mean(),
    "scaled": lambda v, w, q: (w[0] * A) @ v[:7], "plus": lambda v, w, q: (S + S.T) @ v[:6], "minus": lambda v, w, q: (sp.eye(6) - 0.1 * S) @ v[:6], "squared": lambda v, w, q: (S @ S @ S) @ v[:6],
    "of squares": lambda v, w, q: (A.T @ A) @ v[:7], "diagonal": lambda v, w, q: S.diagonal() * v[:6] + S.trace(), "off diagonal": lambda v, w, q: S.diagonal(1) * v[:5], "multiplied": lambda v, w, q: CSR.multiply(q).sum(axis=0),
    "multiplied sparse": lambda v, w, q: CSR.multiply(CSC.multiply(2.0)).toarray() + (CSR * q).toarray(), "power": lambda v, w, q: CSR.power(2) @ v[:7], "absolute": lambda v, w, q: abs(-A).data,
    "row": lambda v, w, q: CSR[[1], :].toarray() * v[0], "element": lambda v, w, q: A[1, -2] * v[0] + A[0, 0], "rows": lambda v, w, q: A[1:3] @ v[:7], "columns": lambda v, w, q: A[:, [3, 1, 5]].toarray() @ v[:3],
    "part": lambda v, w, q: A[1:5, 2:6].toarray() @ v[:4], "nonzero": lambda v, w, q: A.nonzero()[1] * v[0], "places": lambda v, w, q: v[COO.row] * COO.data + A.indices[0] + CSC.indptr[2],
    "kron": lambda v, w, q: sp.kron(S, sp.eye(2)) @ v, "kronsum": lambda v, w, q: sp.kronsum(sp.diags([1.0, -2.0, 1.0], [-1, 0, 1], shape=(4, 4)), sp.eye(3, k=1)) @ v,
    "blocks": lambda v, w, q: sp.bmat([[S, None], [None, S]]) @ v, "side by side": lambda v, w, q: sp.hstack([S, sp.diags(w[:6])]) @ v, "stacked": lambda v, w, q: sp.vstack([A, sp.csr_matrix(q)]) @ v[:7],
    "block diagonal": lambda v, w, q: sp.block_diag([sp.diags(w[:3]), S]) @ v[:9], "triangles": lambda v, w, q: sp.tril(S) @ v[:6] + sp.triu(S, 1).T @ v[:6], "formats": lambda v, w, q: A.tocsc().data * A.tocsc().tocsr().data + A.tocoo().data,
    "of coordinates": lambda v, w, q: sp.csr_matrix((v[:4], PLACES), shape=(3, 3)) @ w[:3], "twice": lambda v, w, q: sp.csr_array((v[:4], PLACES)).data, "coordinates": lambda v, w, q: sp.coo_array((v[:4], PLACES), shape=(3, 3)).tocsc().toarray(),
    "of an array": lambda v, w, q: sp.csr_matrix(q) @ w[:7], "kept data": lambda v, w, q: sp.csr_array((v[:4], [0, 2, 1, 2], [0, 1, 2, 4])) @ w[:3], "of a shape": lambda v, w, q: sp.dia_array((3, 4), dtype=np.int8).toarray() + sp.dia_matrix((3, 4)).nnz + v[0], "isspmatrix": lambda v, w, q: v if (sp.isspmatrix(sp.csr_matrix(q)), sp.isspmatrix(sp.csr_array(q)), sp.isspmatrix_csr(sp.csr_matrix(q)), sp.isspmatrix_coo(sp.csr_matrix(q)), sp.isspmatrix_csc(v), sp.isspmatrix_dia(q)) == (True, False, True, False, False, False) else w,
    "find": lambda v, w, q: sp.find(sp.coo_array((v[:4], ([1, 0, 1, 0], [0, 1, 0, 2]))))[2], "found places": lambda v, w, q: (sp.find(sp.csr_array(q))[1] * v[0], sp.find(sp.csr_array(q)[:3])[0], sp.find(A)), "issparse": lambda v, w, q: v if sp.issparse(A) and not sp.issparse(v) else w,
    "diagonals": lambda v, w, q: sp.diags([v[:4], w[:5], v[4:8]], [-1, 0, 1]) @ w[:5], "constants": lambda v, w, q: sp.diags([1.0, -2.0, 1.0], [-1, 0, 1], shape=(len(v), len(v))) @ v, "diagonals as array": lambda v, w, q: sp.diags_array([v[:4], w[:5]], offsets=[-1, 0]).toarray(),
    "spdiags": lambda v, w, q: sp.spdiags(np.stack((v[:5], w[:5])), [0, 1], 5, 5) @ v[:5], "dia inside": lambda v, w, q: sp.dia_matrix((np.stack((v[:5], w[:5])), [0, -1]), shape=(5, 5)) @ v[:5], "identity": lambda v, w, q: (sp.identity(12) + sp.eye_array(12, k=-1)) @ v,
    "scaled by rows": lambda v, w, q: (sp.diags(v[:6]) @ A @ sp.diags(w[:7])) @ v[:7], "quadratic": lambda v, w, q: v[:6] @ (S @ v[:6]), "solved": lambda v, w, q: spl.spsolve(S.tocsc(), v[:6]), "solved in a band": lambda v, w, q: spl.spsolve(WIDE, v), "solved for many": lambda v, w, q: spl.spsolve(S.tocsc(), q),
    "solved inside": lambda v, w, q: spl.spsolve(sp.diags([v[:5], np.abs(w[:6]) + 4, v[5:10]], [-1, 0, 1], format="csc"), w[:6]), "factors": lambda v, w, q: spl.splu(S.tocsc()).solve(v[:6]) + spl.factorized(S.tocsc())(w[:6]),
    "triangular": lambda v, w, q: spl.spsolve_triangular(sp.tril(S).tocsr(), v[:6]), "cg": lambda v, w, q: spl.cg(S @ S.T, v[:6], rtol=1e-12), "bicgstab": lambda v, w, q: spl.bicgstab(S, v[:6], rtol=1e-12)[0],
    "cgs": lambda v, w, q: spl.cgs(S @ S.T, v[:6], rtol=1e-12)[0], "bicg": lambda v, w, q: spl.bicg(S, v[:6], rtol=1e-12)[0], "bicg of an array": lambda v, w, q: spl.bicg(q[:6, :6] + 4.0 * np.eye(6), v[:6], rtol=1e-12, M=0.3 * np.eye(6))[0], "cgs and how it ended": lambda v, w, q: spl.cgs(q[:6, :6] + 4.0 * np.eye(6), v[:6], rtol=1e-12),
    "gmres": lambda v, w, q: spl.gmres(S, v[:6], rtol=1e-12)[0], "operator": lambda v, w, q: spl.cg(spl.LinearOperator((12, 12), matvec=lambda x: WIDE @ x), v, rtol=1e-12)[0], "norms": lambda v, w, q: spl.norm(w[0] * A) + spl.norm(A, 1) + spl.norm(A, np.inf),
    "exponential": lambda v, w, q: spl.expm_multiply(S * 0.1, v[:6]), "exponentials": lambda v, w, q: spl.expm_multiply(S * 0.1, v[:6], start=0.5, stop=1.5, num=4, endpoint=True),
    "exponential matrix": lambda v, w, q: spl.expm(S.tocsc() * 0.1).toarray() @ v[:6], "third power": lambda v, w, q: spl.matrix_power(S, 3) @ v[:6], "band": lambda v, w, q: v * (spl.spbandwidth(WIDE)[0] + 2 * spl.is_sptriangular(sp.tril(S, format="csr"))[0]),
    "solved sparse": lambda v, w, q: spl.spsolve(sp.csc_array(S.toarray() * w[0]), sp.csc_array(q)).toarray(), "of ones": lambda v, w, q: spl.spsolve_triangular(sp.csr_array(np.tril(q[:, :6])), v[:6], unit_diagonal=True),
    "triangular made inside": lambda v, w, q: spl.spsolve_triangular(sp.csc_array(np.triu(q[:, :6]) + 4 * np.eye(6)), q, lower=False), "spectral norms": lambda v, w, q: spl.norm(w[0] * A, 2),
    "matrix by an operator": lambda v, w, q: spl.LinearOperator((6, 6), matvec=lambda x: S @ x, rmatvec=lambda x: S.T @ x) @ q, "adjoint operator": lambda v, w, q: spl.LinearOperator((6, 6), matvec=lambda x: S @ x, rmatvec=lambda x: S.T @ x).T @ v[:6],
    "operator of a matrix": lambda v, w, q: spl.aslinearoperator(A).H @ v[:6] @ np.ones(7) + spl.aslinearoperator(A) @ w[:7],
    **{f"eigsh {which}": (lambda which: lambda v, w, q: spl.eigsh(sp.csr_array(q @ q.T), k=3, which=which)[0])(which) for which in ("LM", "SM", "LA", "SA", "BE")},
    "eigsh near": lambda v, w, q: spl.eigsh(sp.csr_array(q @ q.T), k=2, sigma=3.0)[0], "eigenvectors": lambda v, w, q: np.abs(spl.eigsh(q @ q.T, k=2)[1]), "largest": lambda v, w, q: spl.eigsh(q @ q.T, k=2, which="LA", return_eigenvectors=False),
    "svds": lambda v, w, q: spl.svds(sp.csr_array(q), k=2)[1], "svds of vectors": lambda v, w, q: np.abs(spl.svds(q, k=2, which="SM")[0]), "singular values": lambda v, w, q: spl.svds(q, k=3, return_singular_vectors=False),
}  # fmt: skip

MASK = np.array([[0, 1, 0, 0, 1, 0], [0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1], [0, 1, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0]], bool)


def edges(q):
    return np.where(MASK, np.abs(q[:, :6]) + 0.1, 0.0)


OUTSIDE |= {
    "a row of a matrix": lambda v, w, q: (sp.csr_matrix(q)[2].toarray(), sp.csc_matrix(q)[-1, 1:4].toarray(), sp.csr_matrix(q)[1] @ v[: q.shape[1]]), "a column of a matrix": lambda v, w, q: (sp.csr_matrix(q)[:, 1].toarray(), sp.csr_matrix(q)[1:3, -2].toarray()),
    "paths": lambda v, w, q: np.minimum(spg.shortest_path(edges(q)), 99.0), "paths of a sparse matrix": lambda v, w, q: np.minimum(spg.shortest_path(sp.csr_array(edges(q)), directed=False, indices=[0, 3]), 99.0),
    "dijkstra": lambda v, w, q: np.minimum(spg.dijkstra(edges(q), indices=2, limit=2.5), 99.0), "nearest of some": lambda v, w, q: np.minimum(spg.dijkstra(edges(q), indices=[0, 3], min_only=True), 99.0), "floyd_warshall": lambda v, w, q: np.minimum(spg.floyd_warshall(edges(q), unweighted=True), 99.0),
    "bellman_ford": lambda v, w, q: np.minimum(spg.bellman_ford(edges(q), indices=1), 99.0), "johnson": lambda v, w, q: np.minimum(spg.johnson(edges(q)), 99.0), "components": lambda v, w, q: (spg.connected_components(edges(q)), spg.connected_components(sp.csr_array(edges(q)), False, return_labels=False), v),
    "least tree": lambda v, w, q: (spg.minimum_spanning_tree(edges(q)).toarray(), spg.minimum_spanning_tree(sp.csr_array(edges(q) + edges(q).T)) @ v[:6]), "orders of a search": lambda v, w, q: (*spg.breadth_first_order(edges(q), 1), *spg.depth_first_order(sp.csr_array(edges(q)), 2, False), spg.depth_first_order(edges(q), 0, return_predecessors=False), v),
    "trees of a search": lambda v, w, q: (spg.breadth_first_tree(edges(q), 1, False).toarray(), spg.depth_first_tree(sp.csr_matrix(edges(q)), 2) * v[:6], spg.reconstruct_path(edges(q), spg.breadth_first_order(edges(q), 0)[1]).toarray(), spg.csgraph_to_dense(sp.csr_array(edges(q)), 7.0)),
    "laplacian": lambda v, w, q: spg.laplacian(edges(q)), "normed laplacian": lambda v, w, q: spg.laplacian(edges(q), normed=True, return_diag=True), "laplacian of rows": lambda v, w, q: spg.laplacian(edges(q), use_out_degree=True, symmetrized=True, return_diag=True),
    "laplacian of a sparse matrix": lambda v, w, q: (spg.laplacian(sp.csr_array(edges(q))).toarray(), spg.laplacian(sp.coo_array(edges(q)), normed=True) @ v[:6]),
    "what reaches each other": lambda v, w, q: (spg.connected_components(edges(q), connection="strong"), spg.connected_components(sp.csr_array(np.triu(edges(q))), connection="strong"), v), "nodes before": lambda v, w, q: (lambda found: (np.minimum(found[0], 99.0), found[1]))(spg.dijkstra(edges(q), return_predecessors=True)), "laplacian of integers": lambda v, w, q: (spg.laplacian(MASK.astype(int) + MASK.T), v),
}  # fmt: skip


def test_cycles_of_negative_length():
    graph = edges(Q)
    graph[0, 1] = -9.0
    with pytest.raises(spg.NegativeCycleError):
        s2s.jit(lambda g: spg.shortest_path(g), target="numpy")(graph)  # noqa: PLW0108
    with pytest.raises(NotImplementedError, match="negative length"):
        s2s.jit(lambda g: spg.dijkstra(g), target="numpy")(graph)  # noqa: PLW0108
    with pytest.raises(NotImplementedError, match="two paths have the same length"):
        s2s.jit(lambda g: spg.dijkstra(g, return_predecessors=True), target="numpy")(np.array([[0.0, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]]))
    with pytest.raises(NotImplementedError, match="with several"):
        s2s.jit(lambda g: spg.minimum_spanning_tree(g).toarray(), target="numpy")(np.ones((3, 3)))


def compare(found, wanted):
    if isinstance(wanted, tuple):
        for one, other in zip(found, wanted, strict=True):
            compare(one, other)
        return
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("form", OUTSIDE)
def test_forms(form):
    f = OUTSIDE[form]
    compare(s2s.jit(f, target="numpy")(V, W, Q), f(V, W, Q))
    s2s.check_grads(s2s.jit(f, target="numpy"), (V, W, Q), order=1, modes=("fwd", "rev"))


def heat(u, k):
    system = sp.eye(12) - k * WIDE
    for _ in range(3):
        u = spl.spsolve(system, u)
    return np.sum(u**2)


def test_equations_compiled_and_of_second_order():
    np.testing.assert_allclose(s2s.jit(heat)(V, 0.1), heat(V, 0.1), rtol=1e-12)
    with s2s.disable_jit():
        s2s.check_grads(heat, (V, 0.1), order=2)
    many = s2s.vmap(lambda d, v: spl.spsolve(sp.diags([d[1:], d + 5.0], [-1, 0], format="csc"), v))(np.stack((V, W)), np.stack((W, V)))
    np.testing.assert_allclose(many[1], spl.spsolve(sp.diags([W[1:], W + 5.0], [-1, 0], format="csc"), V), rtol=1e-12)


def test_what_is_made_outside_is_read_at_each_call():
    matrix = A.copy()
    f = s2s.jit(lambda v: matrix @ v, target="numpy")
    for scale in (1.0, 3.0):
        matrix.data = A.data * scale
        np.testing.assert_allclose(f(V[:7]), matrix @ V[:7])
    matrix = sp.random(3, 7, 0.9, format="csc", random_state=4)
    np.testing.assert_allclose(f(V[:7]), matrix @ V[:7])


@pytest.mark.parametrize("kind", ["csr_matrix", "csr_array", "csc_matrix", "coo_array", "dia_matrix"])
def test_arguments(kind):
    def f(held, x):
        return held["a"] @ x, held["a"].shape[0] * x[0]

    read, matrix = s2s.jit(f, target="numpy"), getattr(sp, kind)(A)
    for each in (matrix, 2.0 * matrix, getattr(sp, kind)(sp.random(3, 7, 0.9, random_state=4))):
        for found, wanted in zip(read({"a": each}, V[:7]), f({"a": each}, V[:7]), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-13)
    np.testing.assert_allclose(s2s.grad(lambda a, x: np.sum((a @ x) ** 2), argnums=1)(matrix, V[:7]), 2 * A.T @ (A @ V[:7]), rtol=1e-12)


def test_arguments_compiled_batched_and_by_their_numbers():
    many = np.stack((V[:7], W[:7]))
    np.testing.assert_allclose(s2s.vmap(lambda a, x: a @ x, in_axes=(None, 0))(A, many), (A @ many.T).T, rtol=1e-13)
    np.testing.assert_allclose(s2s.jit(lambda a, x: a.T @ (a @ x))(A, V[:7]), A.T @ (A @ V[:7]), rtol=1e-13)
    leaves, structure = s2s.tree_util.tree_flatten(A)
    assert [leaf is part for leaf, part in zip(leaves, (A.data, A.indices, A.indptr), strict=True)] == [True] * 3
    again = s2s.tree_util.tree_unflatten(structure, leaves)
    assert (type(again), (again != A).nnz) == (type(A), 0)
    slopes = s2s.grad(lambda a, x: np.sum((a @ x) ** 2), allow_int=True)(A, V[:7]).parts[0]
    rows = np.repeat(np.arange(6), np.diff(A.indptr))
    np.testing.assert_allclose(slopes, 2 * (A @ V[:7])[rows] * V[:7][A.indices], rtol=1e-12)
    with pytest.raises(TypeError, match="real- or complex-valued"):
        s2s.grad(lambda a, x: np.sum((a @ x) ** 2))(A, V[:7])


def test_drawn_patterns():
    def f(a, b, i, j, k, m):
        one, two = sp.csr_array((a, (i, j)), shape=(4, 5)), sp.coo_array((b, (k, m)), shape=(4, 5))
        return one.data, one.indices, one.indptr, (one + two).toarray(), (one @ two.T).toarray(), one.multiply(two).toarray(), two.tocsc().data, abs(one).data, (one - two).sum(axis=1)

    read = s2s.jit(f, target="numpy")
    for seed in range(30):
        rng = np.random.default_rng(seed)
        n, m = rng.integers(1, 9, 2)
        args = (rng.normal(size=n), rng.normal(size=m), rng.integers(0, 4, n), rng.integers(0, 5, n), rng.integers(0, 4, m), rng.integers(0, 5, m))
        compare(read(*args), f(*args))


def smoothed(y):
    """Eilers' baseline: diagonals are set anew in each trip, in the very array that the matrix was made of."""
    weights = np.ones(y.shape[0])
    bends = sp.csc_matrix(np.diff(np.eye(y.shape[0]), 2))
    rises, w = 10.0 * bends.dot(bends.transpose()), sp.spdiags(weights, 0, y.shape[0], y.shape[0])
    first = weights
    for _ in range(4):
        w.setdiag(weights)
        z = spl.spsolve((w + rises).tocsc(), weights * y)
        weights = 0.1 * (y > z) + 0.9 * (y < z)
    return z, first


def shared_rows(y):
    """What is stored into the array of diagonals is in the matrix; what was made of it before is not."""
    rows = np.array([y, 2 * y])
    a, b = sp.dia_matrix((rows, [0, 1]), shape=(y.shape[0], y.shape[0])), sp.spdiags(rows, [0, -1], y.shape[0], y.shape[0])
    other, copied, turned = sp.dia_array(a), a.copy(), a.T
    rows[0, 0] = 9.0
    before = a @ y, a.tocsr().toarray(), a.nnz, b.nnz
    b.data[1, 1] = y[2]
    b.setdiag(y[1], 2)
    rows[1, 2] = -3.0
    return *before, other.toarray(), copied.toarray(), turned.toarray(), a.toarray(), b.toarray(), b.data, b.offsets, rows


def set_in_rows(y):
    rows = np.array([y, y])
    a, b = sp.dia_matrix((rows, [0, 1]), shape=(y.shape[0], y.shape[0])), sp.diags([y, y[1:]], [0, 1])
    a.setdiag(y[0])
    a.setdiag(y[:2], 1)
    b.setdiag(y[:3], -1)
    c = sp.coo_array(np.outer(y, y))
    c.setdiag(2.0)
    return rows, a.toarray(), b @ y, c.toarray()


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("f", [smoothed, set_in_rows, shared_rows])
def test_diagonals_are_set(f, target):
    for got, want in zip(s2s.jit(f, target=target)(V[:6]), f(V[:6]), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-10)


@pytest.mark.parametrize("width", [np.int32, np.int64])
@pytest.mark.parametrize("kind", [sp.coo_array, sp.coo_matrix, sp.csr_array, sp.csc_array])
def test_places_keep_their_dtype_where_a_diagonal_is_set(kind, width):
    row, column = np.array([0, 2, 3], width), np.array([1, 0, 2], width)

    def f(v):
        a = kind((v, (row, column)), shape=(4, 3))
        a.setdiag(v[1:], 1)
        return a

    got, want = s2s.jit(f, target="numpy")(V[:3]), f(V[:3])
    np.testing.assert_array_equal(got.toarray(), want.toarray())
    assert [places.dtype for places in got.tocoo().coords] == [places.dtype for places in want.tocoo().coords]


def test_a_derivative_by_a_diagonal_that_is_set():
    f = s2s.jit(lambda y: np.sum(smoothed(y)[0] ** 2), target="numpy")
    turn = np.linspace(-1.0, 1.0, 6)
    np.testing.assert_allclose(s2s.grad(f)(V[:6]) @ turn, (f(V[:6] + 1e-6 * turn) - f(V[:6] - 1e-6 * turn)) / 2e-6, rtol=1e-5)


@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.csc_matrix])
def test_parts_have_scipys_format(kind):
    def f(a):
        a = kind(a)
        return a[1:3], a[:, 1:3], a[[2, 0], :], a[1:, :2], a.getrow(1), a.getcol(2), a[1:3].format, a.sum(axis=0), a.mean(axis=1), a + a.toarray()

    given = np.random.default_rng(3).normal(size=(4, 5))
    for got, want in zip(s2s.jit(f, target="numpy")(given), f(given), strict=True):
        assert type(got) is type(want)
        if not isinstance(want, str):
            np.testing.assert_allclose(got.toarray() if sp.issparse(got) else got, want.toarray() if sp.issparse(want) else want, rtol=1e-13)


@pytest.mark.parametrize("kind", ["csr_matrix", "csr_array", "csc_array", "coo_matrix", "dia_array"])
def test_matrices_are_given_back_as_scipys_own(kind):
    make = getattr(sp, kind)

    def f(v):
        return make(np.diag(v)), {"sum": [sp.csr_array(np.diag(v)) + sp.csr_array(np.diag(v[::-1]))]}, make(np.diag(v)).tocsr() * 2.0

    given = np.where(np.arange(5) == 2, 0.0, V[:5])
    for found, expected in zip(s2s.tree_util.tree_leaves(s2s.jit(f, target="numpy")(given), is_leaf=sp.issparse), s2s.tree_util.tree_leaves(f(given), is_leaf=sp.issparse), strict=True):
        assert (type(found), found.shape, found.dtype, found.nnz) == (type(expected), expected.shape, expected.dtype, expected.nnz)
        np.testing.assert_allclose(found.toarray(), expected.toarray())


TALL, SIDE, EVEN = np.random.default_rng(5).normal(size=(12, 5)), np.random.default_rng(6).normal(size=12), np.random.default_rng(7).normal(size=(6, 6))
LEAST = [
    lambda a, b: spl.lsqr(a, b)[:9], lambda a, b: spl.lsqr(a * b[0], b, damp=0.3, calc_var=True), lambda a, b: spl.lsqr(a.T, b[:5], x0=b)[:3], lambda a, b: spl.lsqr(a, b, iter_lim=2)[:5],
    lambda a, b: spl.lsmr(a, b), lambda a, b: spl.lsmr(a * b[0], b, damp=0.3), lambda a, b: spl.lsmr(a.T, b[:5], x0=b)[:3], lambda a, b: spl.lsmr(a, b, maxiter=2)[:5],
    lambda a, b: (spl.lsqr(sp.csr_array(a), b)[0], spl.lsmr(sp.csc_matrix(a), b)[0], spl.lsqr(spl.LinearOperator((12, 5), matvec=lambda v: a @ v, rmatvec=lambda v: a.T @ v), b)[0]),
    lambda a, b: spl.minres(a.T @ a * b[0], b[:5], rtol=1e-12), lambda a, b: spl.minres(EVEN + EVEN.T, b[:6], shift=0.3, rtol=1e-9), lambda a, b: spl.minres(EVEN + EVEN.T, b[:6], b[6:], maxiter=3),
    lambda a, b: spl.minres(sp.csr_array(np.diag(b**2 + 1.0)), b, rtol=1e-12),
]  # fmt: skip


@pytest.mark.parametrize("call", in_turn(LEAST, 2))
def test_least_squares_take_the_library_s_steps(call):
    found, wanted = s2s.jit(call, target="numpy")(TALL, SIDE), call(TALL, SIDE)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("call", in_turn([LEAST[k] for k in (0, 1, 2, 4, 5, 8, 9, 12)], 4))
def test_least_squares_have_derivatives(call):
    s2s.check_grads(s2s.jit(lambda a, b: call(a, b)[0], target="numpy"), (TALL, SIDE), order=1, modes=("fwd", "rev"))


def filled(kind, v, w):
    """A matrix whose elements are set one by one, in loops and parts."""
    n = v.shape[0]
    a = getattr(sp, kind)((n, n))
    for i in range(n):
        a[i, i] = 2.0 + v[i] ** 2
        if i > 0:
            a[i, i - 1] = -w[i]
        if i < n - 1:
            a[i, i + 1] += v[i] * w[i + 1]
            a[i, i + 1] += 0.5
    a[-1, :2] = w[:2]
    a[[0, 1], [3, 2]] = v[:2]
    a.setdiag(w[0], k=-2)
    return a


@pytest.mark.parametrize("kind", in_turn(["lil_matrix", "lil_array", "dok_matrix", "dok_array"], 4, 3))
def test_matrices_whose_elements_are_set(kind):
    def f(v, w):
        a = filled(kind, v, w)
        other = sp.csr_matrix(np.diag(v)).asformat(a.format)
        other[0, 1] = 7
        copied = other.copy()
        copied[0, 1] += w[0]
        numbers = getattr(sp, kind)((3, 2), dtype=np.int32)
        numbers[2, 1] = 3
        return a @ w, a.T @ v, spl.spsolve(a.tocsc(), v), (2 * a - a).toarray(), a[1, 2], a[0, 4], a.nnz, (a.format == kind[:3]) * v, a.diagonal(), other.toarray(), copied.tolil().toarray(), copied.todok().nnz, numbers.toarray(), numbers[2, 1]

    v, w = V[:5], np.cos(V[:5])
    compare(s2s.jit(f, target="numpy")(v, w), f(v, w))
    found, wanted = s2s.jit(lambda v, w: filled(kind, v, w), target="numpy")(v, w), filled(kind, v, w)
    assert (type(found), found.dtype, found.nnz) == (type(wanted), wanted.dtype, wanted.nnz)
    for place in ((5, 0), (0, -6)):
        with pytest.raises(IndexError, match="out of"):
            s2s.jit(lambda v, w, place=place: setting(kind, place, v) @ w, target="numpy")(v, w)


def test_elements_that_are_set_have_derivatives():
    v, w = V[:5], np.cos(V[:5])
    compare(s2s.jit(lambda v, w: filled("lil_matrix", v, w).tocsr() @ w)(v, w), filled("lil_matrix", v, w) @ w)
    s2s.check_grads(s2s.jit(lambda v, w: filled("dok_array", v, w).tocsr() @ np.sin(w), target="numpy"), (v, w), order=1)


def setting(kind, place, v):
    a = getattr(sp, kind)((5, 5))
    a[place] = v[0]
    return a


# ---- element by element -----------------------------------------------------------------------------------------------------------------

COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne}
BY_ELEMENTS = {
    **{f"{name} of matrices": lambda a, b, d, g=g: (g(a, b), g(a, b).nnz) for name, g in COMPARISONS.items()}, **{f"{name} of a number": lambda a, b, d, g=g: (g(a, 1.0), g(a, 0)) for name, g in COMPARISONS.items()},
    **{f"{name} of an array": lambda a, b, d, g=g: np.asarray(g(a, d)) for name, g in COMPARISONS.items()}, "the same": lambda a, b, d: (a != a.copy()).nnz, "largest": lambda a, b, d: (a.maximum(b), a.minimum(b), a.maximum(0)),
    "places": lambda a, b, d: (a.tocsr().argmax(), np.asarray(a.tocsc().argmin(axis=0)), np.asarray(a.tocsr().argmax(axis=1))), "reshaped": lambda a, b, d: (a.reshape((2, 10)), a.reshape(10, -1), a.reshape(5, 4)),
    "diagonals set": lambda a, b, d: (a.setdiag([1.0, 2.0], 1), a.setdiag(7.0), a.setdiag([5.0], -3), a, a @ d[0])[3:], "most": lambda a, b, d: (a.max(), a.min()),
    "powers": lambda a, b, d: a[:4, :4] ** 2, "most of rows": lambda a, b, d: (sp.csr_matrix(a).max(axis=0), sp.csc_matrix(a).min(axis=1)),
}  # fmt: skip


def unpacked(found):
    """Arrays, and the formats and counts of what are matrices."""
    return [each for one in (found if isinstance(found, tuple) else (found,)) for each in ([one.toarray(), one.format, one.nnz] if sp.issparse(one) else [one])]


@pytest.mark.parametrize("kind", ["csr_array", "csc_matrix", "csr_matrix", pytest.param("coo_array", marks=pytest.mark.slow), pytest.param("dia_array", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", BY_ELEMENTS)
@pytest.mark.filterwarnings("ignore")
def test_elements(name, kind):
    made = getattr(sp, kind)
    if name == "powers" and kind[:3] not in ("csr", "csc") or name == "most" and kind == "dia_array":
        pytest.skip("has no parts, or no max")
    for seed in (0, 1):
        rng = np.random.default_rng(seed)
        a, b, d = (np.round(2 * rng.normal(size=(4, 5))) * (rng.uniform(size=(4, 5)) < 0.6) for _ in range(3))
        found, wanted = (f(a, b, d) for f in (s2s.jit(lambda a, b, d: BY_ELEMENTS[name](made(a), made(b), d), target="numpy"), lambda a, b, d: BY_ELEMENTS[name](made(a), made(b), d)))
        for one, other in zip(unpacked(found), unpacked(wanted), strict=True):
            if isinstance(other, str | int):
                assert one == other
            else:
                assert (np.asarray(one).dtype, np.shape(one)) == (np.asarray(other).dtype, np.shape(other))
                np.testing.assert_array_equal(one, other)


@pytest.mark.filterwarnings("ignore")
def test_zeroth_powers_and_what_is_no_power():
    d = np.arange(9.0).reshape(3, 3)
    np.testing.assert_array_equal(s2s.jit(lambda d: (sp.csr_matrix(d) ** 0).toarray(), target="numpy")(d), np.eye(3))
    for call in (lambda d: sp.csr_matrix(d) ** -1, lambda d: sp.csr_matrix(d[:2]) ** 2, lambda d: sp.csr_array(d) < sp.csr_array(d[:2])):
        with pytest.raises((ValueError, TypeError)) as raised:
            call(d)
        with pytest.raises(type(raised.value)):
            s2s.jit(call, target="numpy")(d)
    with pytest.raises(s2s.UnsupportedError, match="outside"):
        s2s.jit(lambda a: a.setdiag(1.0), target="numpy")(sp.csr_array(d))


@pytest.mark.filterwarnings("ignore")
def test_derivatives_of_elements():
    def f(d, e):
        a, b = sp.csr_array(d), sp.csc_array(e)
        a.setdiag(e[0] ** 2)
        return a.maximum(b).toarray(), a.reshape(2, 15) @ e.ravel()[:15], sp.csc_matrix(e).max(axis=0).toarray(), (sp.csr_matrix(d[:, :5]) ** 2).toarray()

    d, e = RNG.normal(size=(2, 5, 6))
    for target in ("numpy", "cpu"):
        s2s.check_grads(s2s.jit(f, target=target), (d, e), order=1, modes=("fwd", "rev"))


@pytest.mark.parametrize("solver", [spl.bicgstab, spl.gmres])
def test_solvers_take_a_matrix_and_a_right_side_of_several_dtypes(solver):
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(4, 4)) + 3 * np.eye(4), rng.normal(size=4)
    for matrix, right in ((a + 0.5j * a[::-1], b), (a, b + 1j), (a, b.astype(np.float32))):
        for held in (lambda m: m, sp.csr_array):
            def f(m, r, held=held):
                return solver(held(m), r, rtol=1e-12)[0]

            found, wanted = s2s.jit(f, target="numpy")(matrix, right), f(matrix, right)
            assert found.dtype == wanted.dtype
            np.testing.assert_allclose(found, wanted, rtol=1e-9)


# ---- what is stored of an array --------------------------------------------------------------------------------------------------------

HOLED = np.where(RNG.random((4, 5)) > 0.5, RNG.normal(size=(4, 5)), 0.0) * np.array([1.0, 1.0, 0.0, 1.0])[:, np.newaxis]
PARTS = {
    "csr": ("indices", "indptr", "data", "nnz"), "csc": ("indices", "indptr", "data", "nnz"), "coo": ("row", "col", "data", "nnz"),
}
STORED = {
    **{f"{kind}_{form}": (lambda x, of=f"{kind}_{form}": getattr(sp, of)(x)) for kind in PARTS for form in ("matrix", "array")},
    "transposed": lambda x: sp.csr_matrix(x).T, "of columns": lambda x: sp.csr_matrix(x).tocsc(), "by coordinates": lambda x: sp.csc_array(x).tocoo(), "of rows": lambda x: sp.coo_matrix(x).T.tocsr(),
    "negative": lambda x: -sp.csr_matrix(x), "copied": lambda x: sp.csr_matrix(x).copy(), "lower": lambda x: sp.tril(sp.csc_matrix(x)).tocsr(), "upper": lambda x: sp.triu(sp.csr_matrix(x)), "integers": lambda x: sp.csr_matrix((x * 4).astype(np.int64)),
    "truths": lambda x: sp.csc_array(x > 0), "complex": lambda x: sp.csr_array(x + 1j * x[::-1]).conj(), "reshaped": lambda x: sp.csr_matrix(x).reshape(5, 4).tocsr(), "zeros left out": lambda x: stripped(sp.csr_matrix(x)),
    "diagonals": lambda x: sp.diags([x[0], x[1, 1:], x[3, 1:]], [0, 1, -1]).tocsr(), "diagonals of columns": lambda x: sp.diags_array([x[0], x[1, 1:]], offsets=[0, -1], format="csc"), "spdiags": lambda x: sp.spdiags(x[:2], [2, 0], 5, 5).tocsr(),
    "of ones": lambda x: sp.eye(4, 5, k=1).tocsc(), "new values": lambda x: revalued(sp.csr_matrix(x)), "again": lambda x: again(sp.csr_array(x)),
}  # fmt: skip
"""Matrices of all elements of an array, of which SciPy stores those that are not zero."""


def stripped(m):
    m.eliminate_zeros()
    m.sort_indices()
    return m


def revalued(m):
    m.data = m.data**2 + 1.0
    return m


def again(m):
    return sp.csr_array((m.data * 2.0, m.indices, m.indptr), shape=m.shape)


@pytest.mark.parametrize("form", in_turn(STORED, 4, first=1, dear=("new values", "diagonals")))
def test_what_is_stored_of_an_array(form):
    def parts(x):
        m = STORED[form](x)
        return tuple([getattr(m, name) for name in PARTS[m.format]]) + ((m.nonzero() if m.format != "dia" else ()) if form != "again" else ())

    for target in ("numpy", "cpu") if form in ("csr_matrix", "csc_array", "coo_array") else ("numpy",):
        for x in (HOLED, np.zeros((4, 5))):
            if target == "numpy" or x is HOLED:
                for found, wanted in zip(s2s.jit(parts, target=target)(x), parts(x), strict=True):
                    assert np.asarray(found).dtype == np.asarray(wanted).dtype
                    np.testing.assert_array_equal(found, wanted)


def rows_one_by_one(x, v):
    m, found = sp.csr_matrix(x), 0.0
    for i in range(m.shape[0]):
        total = 0.0
        for k in range(m.indptr[i], m.indptr[i + 1]):
            total += m.data[k] * v[m.indices[k]]
        found += total**2
    return found


def test_loops_over_what_is_stored():
    v = RNG.normal(size=5)
    for target in ("numpy", "cpu"):
        np.testing.assert_allclose(s2s.jit(rows_one_by_one, target=target)(HOLED, v), rows_one_by_one(HOLED, v), rtol=1e-13)
    slopes = s2s.jit(s2s.grad(rows_one_by_one, argnums=(0, 1)), target="numpy")(HOLED, v)
    np.testing.assert_allclose(slopes[0], np.where(HOLED != 0, 2 * np.outer(HOLED @ v, v), 0.0), rtol=1e-12)
    np.testing.assert_allclose(slopes[1], 2 * HOLED.T @ HOLED @ v, rtol=1e-12)


def test_no_store_into_what_is_shown_of_an_array_is_lost():
    def stored(x):
        m = sp.csr_matrix(x)
        m.data[0] = 5.0
        return m.toarray()

    with pytest.raises(ValueError, match="read-only"):
        s2s.jit(stored, target="numpy")(HOLED)
