"""s2s.lax's control flow, as the Python loops and branches that it is.

The bodies are the user's functions; what they carry and give is compared with JAX's rules while it is read (`marks.carried`, `marks.Outputs`).
Method: the functions' contracts are those of JAX's `jax.lax` (documentation of version 0.10); a loop stays a loop, a branch a branch.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed import marks
from s2s.tree_util import tree_flatten, tree_leaves, tree_unflatten


class Unsaid:
    """What stands for an operand that is not said; None is one."""


def cond(pred, true_fun, false_fun, *operands, operand=Unsaid, linear=None):
    """s2s.lax.cond."""
    if not callable(true_fun):  # the old form: cond(pred, true_operand, true_fun, false_operand, false_fun)
        if len(operands) != 2 or not callable(false_fun) or not callable(operands[1]):
            raise TypeError("lax.cond: true_fun and false_fun arguments should be callable.")
        return _cond(pred, false_fun, operands[1], (true_fun,), (operands[0],))
    if not callable(false_fun):
        raise TypeError("lax.cond: true_fun and false_fun arguments should be callable.")
    given = operands if operand is Unsaid else (operand,)
    return _cond(pred, true_fun, false_fun, given, given)


def _cond(pred, true_fun, false_fun, true_operands, false_operands):
    true_operands, false_operands = marks.numbers((true_operands, false_operands))
    outputs = marks.outputs("cond", ("true_fun", "false_fun"), (true_fun, false_fun))
    if marks.predicate("cond", pred):
        out = marks.output(outputs, 0, true_fun(*true_operands))
    else:
        out = marks.output(outputs, 1, false_fun(*false_operands))
    marks.same_outputs(outputs, (true_operands, false_operands))
    return out


def switch(index, branches, *operands, operand=Unsaid):
    """s2s.lax.switch."""
    branches = tuple(branches)
    if any(not callable(branch) for branch in branches):
        raise TypeError("lax.switch: branches argument should be a sequence of callables.")
    if not branches:
        raise ValueError("Empty branch sequence")
    outputs = marks.outputs("switch", tuple([f"branch {number}" if number == 0 else f"branch{number}" for number in range(len(branches))]), branches)
    given = marks.numbers(operands if operand is Unsaid else (operand,))
    index = marks.number("switch", index)
    chosen = _of_branch(outputs, len(branches) - 1, branches[-1], given)
    for number in reversed(range(len(branches) - 1)):
        chosen = _up_to(index, number, _of_branch(outputs, number, branches[number], given), chosen)
    out = chosen()
    marks.same_outputs(outputs, (given,) * len(branches))
    return out


def _of_branch(outputs, number, branch, operands):
    return lambda: marks.output(outputs, number, branch(*operands))


def _up_to(index, number, this, others):
    """What an index of `number` or less chooses, and what all others do."""
    return lambda: this() if index <= number else others()


def while_loop(cond_fun, body_fun, init_val):
    """s2s.lax.while_loop."""
    if not callable(cond_fun) or not callable(body_fun):
        raise TypeError("lax.while_loop: body_fun and cond_fun arguments should be callable.")
    val = marks.numbers(init_val)
    while marks.predicate("while_loop", cond_fun(val)):
        val = marks.carried("while_loop body", body_fun, 0, val, body_fun(val))
    return val


def fori_loop(lower, upper, body_fun, init_val, *, unroll=None):
    """s2s.lax.fori_loop."""
    if not callable(body_fun):
        raise TypeError("lax.fori_loop: body_fun argument should be callable.")
    val = marks.numbers(init_val)
    equal_kinds(np.asarray(lower).dtype, np.asarray(upper).dtype)
    for i in range(marks.number("fori_loop", lower), marks.number("fori_loop", upper)):
        val = marks.carried("fori_loop body", body_fun, 1, val, body_fun(i, val))
    return val


def equal_kinds(lower, upper):
    """Refuse bounds of which one is an integer."""
    if (lower.kind in "iub") != (upper.kind in "iub"):
        raise TypeError(f"lower and upper arguments to fori_loop must have equal types, got {lower} and {upper}")


def scan(f, init, xs=None, length=None, reverse=False, unroll=1, _split_transpose=False):
    """s2s.lax.scan: one loop, in which each row of the results is stored where it belongs."""
    scan_arguments(f, unroll)
    leaves, treedef = tree_flatten(xs)
    n = trips("scan", leaves, length)
    _, like = marks.pair_types(f, init, tree_unflatten(treedef, [marks.struct(x.shape[1:], x.dtype) for x in leaves]))
    likes, out = tree_flatten(like)
    ys = [np.empty((n, *like.shape), like.dtype) for like in likes]
    carry = marks.numbers(init)
    for k in range(n - 1, -1, -1) if reverse else range(n):
        after, y = f(carry, tree_unflatten(treedef, [x[k] for x in leaves]))
        carry = marks.carried("scan body", f, 0, carry, after)
        for rows, item in zip(ys, tree_leaves(y), strict=True):
            rows[k] = item
    return carry, tree_unflatten(out, ys)


def map(f, xs, *, batch_size=None):  # noqa: A001 - its name
    """s2s.lax.map."""
    leaves, treedef = tree_flatten(xs)
    n = trips("scan", leaves, None)
    like = marks.types_of(f, tree_unflatten(treedef, [marks.struct(x.shape[1:], x.dtype) for x in leaves]))
    likes, out = tree_flatten(like)
    ys = [np.empty((n, *like.shape), like.dtype) for like in likes]
    for k in range(n):
        for rows, item in zip(ys, tree_leaves(f(tree_unflatten(treedef, [x[k] for x in leaves]))), strict=True):
            rows[k] = item
    return tree_unflatten(out, ys)


def associative_scan(fn, elems, reverse=False, axis=0):
    """s2s.lax.associative_scan: element by element, in O(n); `fn` sees slices of length 1."""
    if not callable(fn):
        raise TypeError("lax.associative_scan: fn argument should be callable.")
    leaves, treedef = tree_flatten(elems)
    sums = [np.moveaxis(np.array(x), axis, 0) for x in leaves]
    n = len(sums[0])
    for x in sums[1:]:
        if len(x) != n:
            raise ValueError(f"Array inputs to associative_scan must have the same first dimension. (saw: {[x.shape for x in leaves]})")
    for step in range(1, n):
        k = n - 1 - step if reverse else step
        before = k + 1 if reverse else k - 1
        last = tree_unflatten(treedef, [np.moveaxis(x[before : before + 1], 0, axis) for x in sums])
        item = tree_unflatten(treedef, [np.moveaxis(x[k : k + 1], 0, axis) for x in sums])
        for rows, total in zip(sums, tree_leaves(fn(last, item)), strict=True):
            rows[k] = np.moveaxis(total, axis, 0)[0]
    return tree_unflatten(treedef, [np.moveaxis(x, 0, axis) for x in sums])


def scan_arguments(f, unroll):
    """What scan says of its other arguments."""
    if not callable(f):
        raise TypeError("lax.scan: f argument should be a callable.")
    if isinstance(unroll, int) and unroll < 0:
        raise ValueError("`unroll` must be a `bool` or a non-negative `int`.")


def trips(name, leaves, length):
    """How many trips there are: `length`, which the arrays' first axes must have too."""
    if length is None and not leaves:
        raise ValueError(f"{name} got no values to scan over and `length` not provided.")
    for x in leaves:
        if np.ndim(x) == 0:
            raise ValueError(f"{name} got value with no leading axis to scan over: {x}.")
    if length is None:
        for x in leaves[1:]:
            if len(x) != len(leaves[0]):
                raise ValueError(f"{name} got values with different leading axis sizes: {len(leaves[0])}, {len(x)}.")
        return len(leaves[0])
    if length < 0:
        raise ValueError(f"{name} got a negative length, {length}.")
    for x in leaves:
        if len(x) != length:
            raise ValueError(f"{name} got `length` argument of {length} which disagrees with leading axis sizes [{len(x)}].")
    return length


EXPORTED = {function.__name__: function for function in (associative_scan, cond, fori_loop, map, scan, switch, while_loop)}
"""By the names that they have in s2s.lax."""
