"""What a jitted function gives back is what Python gives back: the caller's own arrays, views of them, one array twice.

Each function is called by Python on one copy of the arguments and by s2s on another; then every result is compared with every
argument and every other result: which memory they share, which are one object, what a store into either is seen by.
"""
from __future__ import annotations

import dataclasses
import itertools
import random
from typing import Any, NamedTuple

import numpy as np
import pytest
from reading import loaded

import s2s
from s2s.calls.standalone import emit_text
from s2s.tree_util import tree_leaves


class Pair(NamedTuple):
    one: Any
    two: Any


@dataclasses.dataclass
class State:
    position: np.ndarray
    speed: np.ndarray


TABLE = np.arange(5.0)


# ---- layouts --------------------------------------------------------------------------------------------------------------------


def _plain(array):
    return np.ascontiguousarray(array)


def _read_only(array):
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array


def _strided(array):
    wide = np.zeros(tuple(2 * size for size in array.shape))
    view = wide[tuple(slice(None, None, 2) for _ in array.shape)]
    view[...] = array
    return view


def _unaligned(array):
    raw = np.zeros(array.nbytes + 1, np.uint8)
    view = raw[1:].view(np.float64).reshape(array.shape)
    view[...] = array
    return view


LAYOUTS = {
    "C": _plain, "F": np.asfortranarray, "strided": _strided, "reversed": lambda array: np.ascontiguousarray(array[::-1])[::-1],
    "transposed": lambda array: np.ascontiguousarray(array.T).T, "read-only": _read_only, "unaligned": _unaligned,
}  # fmt: skip
SHAPES = {"matrix": (3, 4), "square": (3, 3), "column": (3, 1), "row": (1, 3), "one": (1, 1), "empty": (0, 3)}


def copy_of(arguments):
    """The arguments with each array lying in new memory as it lay before, shared arrays once."""
    made: dict[int, np.ndarray] = {}

    def one(leaf):
        if not isinstance(leaf, np.ndarray):
            return leaf
        if id(leaf) not in made:
            base = leaf
            while isinstance(base.base, np.ndarray):
                base = base.base
            again = base.copy(order="K")
            offset = leaf.__array_interface__["data"][0] - base.__array_interface__["data"][0]
            view = np.ndarray(leaf.shape, leaf.dtype, again, offset, leaf.strides) if leaf is not base else again
            view.flags.writeable = leaf.flags.writeable
            made[id(leaf)] = view
        return made[id(leaf)]

    return s2s.tree_util.tree_map(one, arguments)


# ---- comparing ------------------------------------------------------------------------------------------------------------------


def arrays(tree):
    return [leaf for leaf in tree_leaves(tree) if isinstance(leaf, np.ndarray) and leaf.ndim]


def sharing(results, arguments):
    """For each two arrays whether they are one object, and which elements of each lie in the other's memory."""
    everything = [*results, *arguments]
    found = []
    for (i, a), (k, b) in itertools.combinations(enumerate(everything), 2):
        if i < len(results):
            found.append((i, k, np.shares_memory(a, b)))
    return found


def same_objects(results, arguments):
    everything = [*results, *arguments]
    return {(i, k) for i, k in itertools.combinations(range(len(everything)), 2) if i < len(results) and everything[i] is everything[k]}


def steps_of(array):
    """The strides, where they mean something: along axes of more than one element."""
    return [stride for size, stride in zip(array.shape, array.strides, strict=True) if size > 1 and array.size]


def seen_through(results, arguments):
    """What all arrays hold after stores into each of the results, then into each argument."""
    for number, array in enumerate([*results, *arguments]):
        if array.flags.writeable and array.size:
            array.flat[array.size // 2] = 100.0 + number
    return [np.array(array) for array in (*results, *arguments)]


def compare(function, arguments, *, made=None):
    """The function's results by Python and by s2s."""
    mine, theirs = copy_of(arguments), copy_of(arguments)
    wanted, found = function(*theirs), (made or s2s.jit(function, target="numpy"))(*mine)
    wanted, found, mine, theirs = arrays(wanted), arrays(found), arrays(mine), arrays(theirs)
    assert len(found) == len(wanted)
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(a, b)
        assert a.dtype == b.dtype
    assert sharing(found, mine) == sharing(wanted, theirs)
    owners = [number for number, array in enumerate([*wanted, *theirs]) if array.base is None]
    assert same_objects(found, mine) >= {pair for pair in same_objects(wanted, theirs) if set(pair) <= {*owners, *range(len(wanted), len(wanted) + len(theirs))}}
    for i, k in same_objects(found, mine) - same_objects(wanted, theirs):  # a view of the whole may be the array itself
        one, two = [*wanted, *theirs][i], [*wanted, *theirs][k]
        assert (one.shape, one.strides, one.ctypes.data) == (two.shape, two.strides, two.ctypes.data)
    for number, (a, b) in enumerate(zip(found, wanted, strict=True)):
        if any(np.shares_memory(b, argument) for argument in theirs):
            assert (number, steps_of(a), a.flags.writeable) == (number, steps_of(b), b.flags.writeable)
    for a, b in zip(seen_through(found, mine), seen_through(wanted, theirs), strict=True):
        np.testing.assert_array_equal(a, b)


# ---- one argument ---------------------------------------------------------------------------------------------------------------

VIEWS = {
    "itself": lambda x: x, "twice": lambda x: (x, x), "tail": lambda x: x[1:], "head": lambda x: x[:-1], "middle": lambda x: x[1:-1], "first two": lambda x: x[:2],
    "one to two": lambda x: x[1:2], "last two": lambda x: x[-2:], "columns": lambda x: x[:, 1:], "both": lambda x: x[1:, :-1], "steps": lambda x: x[::2],
    "odd": lambda x: x[1::2], "three to end": lambda x: x[-3:-1], "backwards": lambda x: x[::-1], "backwards by two": lambda x: x[::-2], "back from": lambda x: x[2:0:-1],
    "both backwards": lambda x: x[::-1, ::-1], "transposed": lambda x: x.T, "transposed tail": lambda x: x.T[1:], "tail transposed": lambda x: x[1:].T,
    "new axis": lambda x: x[None], "new axis between": lambda x: x[:, None], "new axis last": lambda x: x[..., None], "np.transpose": lambda x: np.transpose(x),
    "swapaxes": lambda x: np.swapaxes(x, 0, 1), "moveaxis": lambda x: np.moveaxis(x, 0, 1), "expand_dims": lambda x: np.expand_dims(x, 1), "atleast_3d": lambda x: np.atleast_3d(x),
    "flip": lambda x: np.flip(x), "fliplr": lambda x: np.fliplr(x), "flipud": lambda x: np.flipud(x), "rot90": lambda x: np.rot90(x), "asarray": lambda x: np.asarray(x),
    "real": lambda x: np.real(x), ".real": lambda x: x.real, "asanyarray": lambda x: np.asanyarray(x), "views of views": lambda x: x[1:][::-1].T[:1],
    "with another": lambda x: (x[1:], 2.0 * x), "in a list": lambda x: [x, x[1:], x + 1.0], "in a dict": lambda x: {"a": x.T, "b": [x]}, "in a tuple": lambda x: Pair(x, x[::-1]),
    "in an object": lambda x: State(x, x[1:]), "sum too": lambda x: (x, np.sum(x)), "copy": lambda x: x.copy(), "np.array": lambda x: np.array(x), "plus": lambda x: x + 0.0,
    "ravel": lambda x: x.ravel(), "np.ravel": lambda x: np.ravel(x), "ravel in part": lambda x: x.ravel()[1:], "negative": lambda x: -x, "np.copy": lambda x: np.copy(x), "gathered": lambda x: x[np.array([0, 0])] if len(x) else x.copy(), "tile": lambda x: np.tile(x, 2),
    "one twice": lambda x: [2.0 * x] * 2, "astype": lambda x: x.astype(np.float64, copy=False),
}  # fmt: skip


@pytest.mark.parametrize("name", VIEWS)
def test_views_of_an_argument(name):
    for layout in LAYOUTS.values():
        for shape in SHAPES.values():
            x = layout(np.arange(1.0, 1.0 + np.prod(shape)).reshape(shape))
            compare(VIEWS[name], (x,))


# ---- several arguments, paths, stores --------------------------------------------------------------------------------------------


def on_one_path(x, y, k):
    return x if k > 1 else x * 2.0


def on_two_paths(x, y, k):
    if k > 2:
        return x
    return y


def on_three_paths(x, y, k):
    if k > 2:
        return x[1:]
    elif k > 0:
        return y[:-1].T
    return x[1:] * 2.0


def by_a_name(x, y, k):
    result = y[1:]
    if k > 1:
        result = x[1:]
    return result, 2.0 * result


def in_a_pair(x, y, k):
    one, two = (x, y) if k > 0 else (y, x)
    return one, two, one[0]


def row_at(x, y, k):
    return x[k], y[:, k - 1], x[-1 - k]


def rows_from(x, y, k):
    return x[k : k + 2], y[-k:], x[k:0:-1]


def position_of_largest(x, y, k):
    best = 0
    for i in range(len(x)):
        if x[i, 0] > x[best, 0]:
            best = i
    return x[best], best


def swapped(x, y, k):
    return y, x


def written(x, y, k):
    x[0] = 7.0
    return x


def written_parts(x, y, k):
    x[0] = 7.0
    y[k] = x[0]
    return x[1:], y, x[:, 0], x + y


def exchanged(x, y, k):
    for _ in range(k):
        y[:] = x + 1.0
        x, y = y, x
    return x


def exchanged_both(x, y, k):
    for _ in range(k):
        x[0], x, y = 5.0, y, x
    return x, y[1:], x


def of_a_helper(x, y, k):
    def tail(z):
        return z[1:]

    return tail(x), tail(tail(y))


def in_containers(x, y, k):
    items = [x, y]
    items.append(items[0][1:])
    return items, {"x": items[2], "state": State(y, 2.0 * y)}, Pair(items, None)


def new_arrays(x, y, k):
    a = x * 2.0
    b = a[1:]
    a[0] = 3.0
    return a, b, b.T, y


def parts_of_one(x, y, k):
    a = np.zeros((4, 3))
    return a[0], a[1:], a[:, 1]


def table_itself(x, y, k):
    return TABLE, TABLE[1:], x


def through_jit(x, y, k):
    return s2s.jit(lambda z: (z, z[1:]))(x), s2s.jit(lambda z, w: w.T)(x, y)


def stored_through_jit(x, y, k):
    z = s2s.jit(lambda z: z[1:])(x)
    z[0] = 5.0
    return z, x, s2s.jit(new_arrays)(x, y, k)[:2]


def through_checkpoint(x, y, k):
    return s2s.checkpoint(lambda z: z[1:])(x), s2s.checkpoint(lambda z: 2.0 * z)(y)


def choice_through_jit(x, y, k):
    return s2s.jit(on_two_paths)(x, y, k)[1:] * 1.0, s2s.jit(on_two_paths)(x, y, k)


def given_back_early(x, y, k):
    chosen = x if k > 0 else y
    if k == 1:
        return chosen
    return chosen + 1.0


def one_of_a_list_or_new(x, y, k):
    chosen = [x, y, x[1:]][k]
    if y[0, 0] > 5.0:
        return chosen
    return chosen * 2.0


PROGRAMS = [
    given_back_early, one_of_a_list_or_new, on_one_path, on_two_paths, on_three_paths, by_a_name, in_a_pair, row_at, rows_from, position_of_largest, swapped, written, written_parts, exchanged, exchanged_both,
    of_a_helper, in_containers, new_arrays, parts_of_one, table_itself, through_jit, stored_through_jit, through_checkpoint, choice_through_jit,
]  # fmt: skip
WRITING = {written, written_parts, exchanged, exchanged_both, stored_through_jit}


def drawn(layout):
    rng = np.random.default_rng(3)
    return layout(rng.normal(size=(3, 3))), layout(rng.normal(size=(3, 3)))


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs(program):
    for name, layout in LAYOUTS.items():
        for k in range(3) if name in ("C", "strided") else (1,):
            if program in WRITING and name != "C":
                continue
            compare(program, (*drawn(layout), k))


def drawn_choices(seed):
    """The text of a program that chooses, and chooses of that, a few times over."""
    draw = random.Random(seed)
    names, lines = ["x", "y"], ["def program(x, y, k):"]

    def array():
        return draw.choice([*names, *names, f"{draw.choice(names)}[1:]", f"{draw.choice(names)}.T", f"{draw.choice(names)} * 2.0"])

    def test():
        return draw.choice(["k > 0", "k == 1", "x[0, 0] > y[0, 0]", "k != 2", "x[1, 0] > 0.0"])

    for number in range(draw.randint(1, 4)):
        kind = draw.randrange(4)
        if kind == 0:
            lines += [f"    if {test()}:", f"        return {array()}"]
        elif kind == 1 and len(names) > 2:
            lines += [f"    if {test()}:", f"        {draw.choice(names[2:])} = {array()}"]
        else:
            lines.append(f"    c{number} = {array()} if {test()} else {array()}" + (f" if {test()} else {array()}" if draw.random() < 0.3 else ""))
            names.append(f"c{number}")
    return "\n".join([*lines, f"    return {array()}", ""])


@pytest.mark.parametrize("seed", range(60))
def test_drawn_choices(seed, tmp_path):
    program = loaded(tmp_path / "choices.py", drawn_choices(seed)).program
    for k in range(3):
        compare(program, (*drawn(LAYOUTS["C"]), k))


@pytest.mark.parametrize("program", [written, written_parts, exchanged])
def test_what_is_written_may_lie_anywhere(program):
    for name in ("F", "strided", "reversed"):
        x, y = drawn(LAYOUTS[name])
        again = copy_of((x, y))
        found, wanted = s2s.jit(program, target="numpy")(x, y, 2), program(*again, 2)
        for a, b in zip([*arrays(found), x, y], [*arrays(wanted), *again], strict=True):
            np.testing.assert_array_equal(a, b)
        if program is not written_parts:
            assert (found is x, found is y) == (wanted is again[0], wanted is again[1])


def test_one_array_for_two_arguments():
    x = np.arange(6.0).reshape(2, 3)
    one, two = s2s.jit(swapped, target="numpy")(x, x, 0)
    assert one is x and two is x
    found = s2s.jit(written_parts, target="numpy")(x, x, 1)
    assert found[1] is x and np.shares_memory(found[0], x)


def test_the_callers_own_objects_come_back():
    class Matrix(np.ndarray):
        pass

    x = np.arange(4.0).view(Matrix)
    assert s2s.jit(lambda x: x, target="numpy")(x) is x
    integers = np.arange(4, dtype=np.longlong)
    assert s2s.jit(lambda x: x, target="numpy")(integers) is integers
    assert np.shares_memory(s2s.jit(lambda x: x[1:], target="numpy")(integers), integers)
    table, tail = s2s.jit(lambda x: (TABLE, TABLE[1:], x * 2.0), target="numpy")(1.0)[:2]
    assert table is TABLE and tail.base is TABLE


def test_containers_are_made_anew():
    given = [np.arange(3.0), {"a": np.zeros(2)}]
    found = s2s.jit(lambda x: x, target="numpy")(given)
    assert found is not given and found[0] is given[0] and found[1]["a"] is given[1]["a"]


def test_compiled_functions_give_back_the_same():
    def in_one(x, y, k, table):
        return on_one_path(x, y, k), on_three_paths(x, y, k)[0], row_at(x, y, k), new_arrays(x, y, k), table, x.T[1:], np.flip(y), 2.0 * x

    made = s2s.jit(in_one)
    for name in ("C", "F", "read-only", "unaligned", "C"):
        for k in (0, 2):
            compare(in_one, (*drawn(LAYOUTS[name]), k, np.arange(3.0)), made=made)
    made = s2s.jit(exchanged_both)
    for k in range(3):
        compare(exchanged_both, (*drawn(LAYOUTS["C"]), k), made=made)
    made = s2s.jit(lambda x: (x, x[1:], {"a": x.T}))
    for layout in LAYOUTS.values():
        compare(made.fun, (drawn(layout)[0],), made=made)


# ---- derivatives -----------------------------------------------------------------------------------------------------------------


def loss(x, y):
    return np.sum(x * y), (x, y[1:], TABLE)


def views(x, y):
    return x[1:], y.T, x


DERIVATIVES = {
    "grad": lambda x, y: s2s.grad(lambda x, y: np.sum(x) + np.sum(y), argnums=(0, 1))(x, y),
    "grad of a product": lambda x, y: s2s.grad(lambda x, y: np.sum(x * y), argnums=(0, 1))(x, y),
    "aux": lambda x, y: s2s.value_and_grad(loss, has_aux=True)(x, y), "jvp": lambda x, y: s2s.jvp(views, (x, y), (x, y)),
    "vjp": lambda x, y: [s2s.vjp(views, x, y)[0], s2s.vjp(views, x, y)[1]((x[1:], y.T, x))], "linearize": lambda x, y: [s2s.linearize(views, x, y)[0], s2s.linearize(views, x, y)[1](x, y)],
    "jacfwd": lambda x, y: s2s.jacfwd(views)(x, y), "jacrev": lambda x, y: s2s.jacrev(views)(x, y), "jit of jvp": lambda x, y: s2s.jit(lambda x, y: s2s.jvp(views, (x, y), (x, y)))(x, y),
    "transpose": lambda x, y: s2s.linear_transpose(lambda x: x.T, x)(y), "hessian": lambda x, y: s2s.hessian(lambda x: np.sum(x) * np.sum(x))(x),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(set(DERIVATIVES) - {"jit of jvp"}))
def test_derivatives_return_arrays_of_their_own(name):
    x, y = drawn(LAYOUTS["C"])
    with s2s.disable_jit():
        found = arrays(DERIVATIVES[name](x, y))
        again = arrays(DERIVATIVES[name](x, y))
    for one, two in itertools.combinations([*found, *again, x, y, TABLE], 2):
        assert one is two or not np.shares_memory(one, two)
    assert not any(one is two for one, two in itertools.combinations([*found, *again, x, y, TABLE], 2))


# ---- what is emitted -------------------------------------------------------------------------------------------------------------


def test_the_public_function_takes_the_views():
    x = np.arange(6.0).reshape(2, 3)
    text = s2s.jit(lambda x: (x[1:-1], x[:, 2:], x[-2:], x.T, x[None], x[::-1], x[0]), target="numpy").source(x)
    for part in ("x[1:-1], x[:, 2:], x[-2:]", "x.T", "x[None, :, :]", "x[::-1], x[0]"):
        assert part in text
    assert ".copy()" not in text and "njit" not in s2s.jit(lambda x: x[1:]).source(x)


def test_modules_that_stand_alone():
    for program in (written_parts, row_at, on_three_paths):
        name, text = emit_text(program, ["jit"], args="f8[:,:], f8[:,:], int", target="numpy")
        module = {}
        exec(compile(text, name, "exec"), module)  # noqa: S102 - what was emitted
        compare(program, (*drawn(LAYOUTS["C"]), 1), made=module[f"{program.__name__}_jit"])
        if program is not written_parts:
            compare(program, (*drawn(LAYOUTS["F"]), 1), made=module[f"{program.__name__}_jit"])


def row_out_of_bounds(x, k):
    row = x[k]
    return row, 2.0 * x


def test_an_index_out_of_bounds_is_raised_at_the_users_line():
    for target in ("numpy", "cpu"):
        with pytest.raises(IndexError, match="index 10 is out of bounds for axis 0 with size 3") as caught:
            s2s.jit(row_out_of_bounds, target=target)(np.ones((3, 2)), 10)
        assert any(entry.name == "row_out_of_bounds" for entry in caught.traceback)
