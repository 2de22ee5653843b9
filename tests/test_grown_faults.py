"""Lists of run-time length: what would be wrong is refused, in the user's words; sparse matrices from outside by name."""
import numpy as np
import pytest
import scipy.sparse

import s2s
from s2s.errors import ArgumentTypeError, UnsupportedError

X = np.array([0.3, -1.0, 2.0, 0.75])
MATRIX = scipy.sparse.csr_matrix(np.array([[1.0, 0.0, 2.0], [0.0, 0.5, 0.0], [-3.0, 0.0, 0.0]]))


def grows(x):
    items, total = [v for v in x if v < 9.0], 0.0
    for v in items:
        total += v
        if len(items) < 12:
            items.append(v * 0.5)
    return total


def grows_in_pairs(x):
    items, total = [(v, k) for k, v in enumerate(x)], 0.0
    for k, (v, _) in enumerate(items):
        total += v * k
        items.pop()
    return total


def source_changes(x):
    y, total = x.copy(), 0.0
    for v in (u * 2 for u in y):
        total += v
        y[3] = 10.0
    return total


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_an_array_that_changes_while_a_generator_goes_through_it(target):
    assert s2s.jit(source_changes, target=target)(X) == source_changes(X)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_a_list_of_pairs_that_the_loop_through_it_shortens(target):
    assert s2s.jit(grows_in_pairs, target=target)(X) == grows_in_pairs(X)


def test_a_list_of_pairs_is_repeated():
    def repeats(x):
        items = [(v, k) for k, v in enumerate(x)] * 2
        return len(items), items[-1], sum([v * k for v, k in items])

    assert s2s.jit(repeats, target="numpy")(X) == repeats(X)


def test_a_list_grows_while_it_is_gone_through():
    assert s2s.jit(grows, target="numpy")(X) == grows(X)


def test_a_copy_is_gone_through():
    def doubled(x):
        items, total = [v for v in x], 0.0
        for v in items[:]:
            total += v
            items.append(v * 0.5)
        return total + len(items)

    np.testing.assert_allclose(s2s.jit(doubled, target="numpy")(X), doubled(X), rtol=1e-13)


@pytest.mark.parametrize("matrix", [MATRIX, MATRIX.tocsc(), MATRIX.tocoo(), MATRIX.todia(), scipy.sparse.csr_array(MATRIX)], ids=lambda each: type(each).__name__)
def test_sparse_matrices_from_outside(matrix):
    np.testing.assert_allclose(s2s.jit(lambda x: matrix @ x[:3], target="numpy")(X), matrix @ X[:3], rtol=1e-15)
    np.testing.assert_allclose(s2s.jit(lambda a, x: a @ x[:3], target="numpy")(matrix, X), matrix @ X[:3], rtol=1e-15)


@pytest.mark.parametrize("matrix", [MATRIX.tolil(), MATRIX.todok(), MATRIX.tobsr()], ids=lambda each: type(each).__name__)
def test_other_sparse_matrices_from_outside(matrix):
    with pytest.raises(UnsupportedError, match=rf"scipy.sparse {type(matrix).__name__} from outside"):
        s2s.jit(lambda x: matrix @ x[:3], target="numpy")(X)
    with pytest.raises(ArgumentTypeError, match=r"matrix|tocsr"):
        s2s.jit(lambda a, x: a @ x[:3], target="numpy")(matrix, X)


def slices_until(x, n, m):
    out, total = [], 0.0
    for k in range(n):
        if k >= len(x):
            break
        out.append(x[:m] * (k + 1.0))
    for part in out:
        total = total + np.sum(part * part)
    return total


def slices_of_a_computed_length(x, n, m):
    return slices_until(x, n, int(x[2] + 0.5) + m)


def pairs_with_slices(x, n, m):
    out, total = [], 0.0
    for _ in range(n):
        for k in range(n):
            if k >= len(x):
                break
            out.append((x[:m], k))
    for part, k in out:
        total = total + np.sum(part * part) * k
    return total


def slices_of_the_trip(x, n, m):
    out, total = [], 0.0
    for k in range(n):
        if k >= len(x):
            break
        out.append(x[:k])
    for part in out:
        total = total + np.sum(part * m)
    return total


@pytest.mark.parametrize("program", [slices_until, slices_of_a_computed_length, pairs_with_slices, slices_of_the_trip])
@pytest.mark.parametrize("n, m", [(3, 2), (7, -1), (0, 2)])
def test_slices_gathered_until_a_break(program, n, m):
    """The list becomes an array before the loop, where the slices' length must be known."""
    along, step = np.cos(X), 1e-6
    assert s2s.jit(program, target="numpy")(X, n, m) == pytest.approx(program(X, n, m), abs=1e-12)
    gradient = s2s.grad(program)(X, n, m)
    difference = (program(X + step * along, n, m) - program(X - step * along, n, m)) / (2 * step)
    assert gradient @ along == pytest.approx(difference, abs=1e-6)
