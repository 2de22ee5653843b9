"""Every test program for a batch: vmap is the loop over the examples, bit for bit; so are batches of derivatives."""
import copy
import functools

import numpy as np
import pytest
from batches import batch_of, is_number, itself, looped, run_batch
from programs import CASES

from s2s import tree_util
from s2s.errors import UnsupportedError
from s2s.transforms.derivatives import derive

SHARED, SIZES = "an array that all examples share", "differs from example to example"
OWN_SIZES = {"lorenz", "histogram", "scatter_add", "sieve", "shapes", "construct", "slices", "slice_negative", "mask_get", "growing", "append_runtime", "doubling"}
"""Programs whose results have sizes that arguments or loops say: refused where those differ."""

OTHER_SUMS = {
    "power_iteration", "conjugate_gradient", "mlp", "lstm", "char_rnn_loss", "logistic_loss", "logistic_loss_f4", "products", "kalman", "skip_connections", "gru_batch",
}  # fmt: skip
"""Programs with products of matrices, which NumPy's BLAS adds up in another order where memory is laid out otherwise. In all others the order of sums is the user's."""


def batches(case, size, axis):
    """Each argument alone, and all together; of no examples: those that one of them is made into. Numbers have their examples along their only axis."""
    examples = [case.make(np.random.default_rng(seed)) for seed in range(max(size, 1))]
    able = tuple(k for k, arg in enumerate(examples[0]) if k not in case.static and any(map(is_number, tree_util.tree_leaves(arg))))
    axes = [0 if axis == 1 and any(np.ndim(leaf) == 0 for leaf in tree_util.tree_leaves(arg)) else axis for arg in examples[0]]
    for mapped in dict.fromkeys([*((k,) for k in able), able]):
        if mapped:
            yield batch_of(examples, tuple(each if k in mapped else None for k, each in enumerate(axes)))


def assert_equal(found, wanted, exactly):
    assert tree_util.tree_structure(found) == tree_util.tree_structure(wanted)
    for one, other in zip(tree_util.tree_leaves(found), tree_util.tree_leaves(wanted), strict=True):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        if exactly or np.asarray(other).dtype.kind not in "fc":
            np.testing.assert_array_equal(one, other)
        else:
            np.testing.assert_allclose(one, other, rtol=1e-4 if np.asarray(other).dtype.itemsize < 8 else 1e-10, atol=1e-6 if np.asarray(other).dtype.itemsize < 8 else 1e-11)


def check(case, size, axis, chosen=slice(None), inside=itself):
    """Run the batches; how many were right, and what was refused."""
    right, refused = 0, []
    for full in list(batches(case, size, axis))[chosen]:
        batch, loop = (full if size else full.without_examples()), copy.deepcopy(full)
        try:
            found = run_batch(case.fun, batch.in_axes, batch.args, case.static, inside)
        except UnsupportedError as error:
            refused.append(error.what)
            continue
        wanted = looped(case.fun, loop, case.static, inside)
        if not size:
            wanted, loop = tree_util.tree_map(lambda leaf: leaf[:0] if is_number(leaf) else leaf, wanted), loop.without_examples()
        exactly = batch.in_front or str(case) not in OTHER_SUMS
        assert_equal(found, wanted, exactly)
        assert_equal(batch.args, loop.args, exactly)
        right += 1
    return right, refused


NUMBERS = {id(case): number for number, case in enumerate(CASES)}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_batch_is_the_loop(case):
    axis = (0, -1)[NUMBERS[id(case)] % 2]
    with np.errstate(all="ignore"):
        _, refused = check(case, 2, axis, slice(NUMBERS[id(case)] % 2 - 2, None))  # all arguments, of every second program the last one alone, too
    assert all(SHARED in what or SIZES in what for what in refused)
    assert str(case) in OWN_SIZES or not any(SIZES in what for what in refused)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize(("size", "axis"), [(3, 0), (3, 1), (3, -1), (1, 0), (1, 1), (1, -1), (0, 0), (0, 1), (0, -1)])
def test_batches_of_other_axes_and_sizes(case, size, axis):
    with np.errstate(all="ignore"):
        _, refused = check(case, size, axis)
    assert all(SHARED in what or SIZES in what for what in refused)


@pytest.mark.parametrize("case", [case for case in CASES if case.wrt], ids=str)
def test_a_batch_of_derivatives_is_the_loop_of_derivatives(case):
    if NUMBERS[id(case)] % 3:
        pytest.skip("the slow test runs it")
    derivatives(case)


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in CASES if case.wrt], ids=str)
def test_batches_of_derivatives(case):
    derivatives(case)


def derivatives(case):
    """vmap of the pullback of all ones."""
    with np.errstate(all="ignore"):
        one = case.fun(*case.make(np.random.default_rng(0)))
        if not (isinstance(one, float | np.floating) or isinstance(one, np.ndarray) and one.ndim == 0 and one.dtype.kind == "f"):
            return
        inside = functools.partial(derive.grad, argnums=case.wrt)
        for batch in batches(case, 2, 0):
            try:
                found = run_batch(case.fun, batch.in_axes, batch.args, case.static, inside)
            except UnsupportedError as error:
                assert SIZES in error.what
                continue
            assert_equal(found, looped(case.fun, batch, case.static, inside), exactly=True)
