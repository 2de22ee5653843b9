"""pmap's and shard_map's programs of JAX's SPMD pages: JAX's numbers, stored (JAX 0.10.2, eight devices, 64-bit numbers), and live where it is installed; JAX's errors.

`XLA_FLAGS=--xla_force_host_platform_device_count=8 python tests/test_spread.py` writes the stored numbers anew; it needs JAX.
"""
from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from fuzz.check import load
from spread_programs import PROGRAMS
from stored_numbers import by_jax, check_found, check_stored

import s2s
import s2s.numpy
from s2s import lax, shard_map
from s2s.experimental.mesh_utils import create_device_mesh
from s2s.sharding import AxisType, Mesh, PartitionSpec, make_mesh

STORED = Path(__file__).parent / "spread_expected.json"
P = PartitionSpec
X = np.arange(8.0)
TABLE = np.arange(32.0).reshape(8, 4)


@pytest.fixture(autouse=True)
def _eight_devices(request):
    s2s.config.update("jax_num_cpu_devices", 8)
    with s2s.disable_jit(disable="compiled" not in request.node.name):
        yield
    s2s.set_mesh(make_mesh((1,), ("alone",)))
    s2s.config.update("jax_num_cpu_devices", -1)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_numbers_are_jax_s(program):
    found = s2s.tree_util.tree_leaves(program(s2s, s2s.numpy, lax))
    check_found(STORED, program, found)


@pytest.mark.slow
def test_stored_numbers_are_those_of_the_installed_jax():
    jax = pytest.importorskip("jax")
    if jax.device_count() < 8:
        pytest.skip("XLA_FLAGS=--xla_force_host_platform_device_count=8")
    check_stored(STORED, PROGRAMS)


# ---- drawn -------------------------------------------------------------------------------------------------------------------


def by_hand(f, mesh, in_specs, out_specs, args):
    """shard_map of a function without collectives, device by device."""
    def part(x, spec, place):
        for axis, names in spec.names.items():
            sizes = [mesh.shape[name] for name in names]
            number = int(np.ravel_multi_index([place[name] for name in names], sizes))
            x = np.split(x, int(np.prod(sizes)), axis)[number]
        return x

    places = [dict(zip(mesh.axis_names, index, strict=True)) for index in np.ndindex(*mesh.axis_sizes)]
    blocks = [(place, f(*(part(x, spec, place) for x, spec in zip(args, in_specs, strict=True)))) for place in places]

    def joined(left, axis, spec, rank):
        if axis == rank:
            return left[0][1]
        names = spec.names.get(axis, ())
        keys = sorted({tuple(place[name] for name in names) for place, _ in left})
        return np.concatenate([joined([each for each in left if tuple(each[0][name] for name in names) == key], axis + 1, spec, rank) for key in keys], axis)

    return joined(blocks, 0, out_specs, blocks[0][1].ndim)


@pytest.mark.parametrize("seed", range(12))
def test_drawn_specs(seed):
    """Any specs of any meshes, sizes that are symbols or numbers: values, and both derivatives."""
    rng = np.random.default_rng(seed)
    names = ("i", "j", "k")[: rng.integers(1, 4)]
    mesh = make_mesh(tuple(int(n) for n in rng.choice([1, 2], len(names))), names)

    def drawn_spec(rank, must=()):
        places = {name: int(rng.integers(rank)) for name in rng.permutation(names) if name in must or rng.uniform() < 0.7}
        return P(*(tuple(name for name, place in places.items() if place == axis) or None for axis in range(rank)))

    ranks = [int(rng.integers(1, 4)) for _ in range(2)]
    specs = tuple(drawn_spec(rank) for rank in ranks)
    used = {name for spec in specs for each in spec.names.values() for name in each}
    outs = drawn_spec(ranks[0], used)
    args = tuple(rng.normal(size=tuple(int(n) * 8 for n in rng.integers(1, 3, rank))) for rank in ranks)

    def f(x, y):
        total = 0.0
        for each in y.ravel():
            if each > 0:
                total += each**2
        return np.sin(x) * total

    spread = shard_map(f, mesh=mesh, in_specs=specs, out_specs=outs)
    np.testing.assert_allclose(spread(*args), by_hand(f, mesh, specs, outs, args), rtol=1e-12)
    np.testing.assert_allclose(s2s.jit(lambda x, y: spread(x, y) * 2, target="numpy")(*args), 2 * by_hand(f, mesh, specs, outs, args), rtol=1e-12)
    s2s.check_grads(spread, args, order=1)


def drawn_loss(rng, depth):
    """The text of a number made of w (the same for all devices), x (their own) and collectives, and whether it differs."""
    if depth == 0:
        return [("w", False), ("np.sum(x)", True), ("x[0] * w", True), ("v", False), ("(1.0 + lax.axis_index('i'))", True)][rng.integers(5)]
    one, differs = drawn_loss(rng, depth - 1)
    other, also = drawn_loss(rng, depth - 1)
    everyone = [("lax.psum({}, 'i')", False), ("lax.pmean({}, 'i')", False), ("np.sum(lax.all_gather({}, 'i'))", True), ("lax.ppermute({}, 'i', [(0, 1), (1, 2), (2, 3), (3, 0)])", True),
                ("lax.pcast({}, 'i', to='varying')", True), ("s2s.checkpoint(lambda t: np.sin(t))({})", None), ("helper({})", None), ("s2s.grad(lambda t: t**3 / 3)({})", None)]  # fmt: skip
    text, answer = everyone[rng.integers(len(everyone))]
    if rng.uniform() < 0.6:
        return text.format(f"np.sin({one})"), differs if answer is None else answer
    return f"({one} {rng.choice(['+', '*', '-'])} {other})", differs or also


MODULE = """import numpy as np
import s2s
from s2s import lax

def helper(t):
    total = 0.0
    for k in range(3):
        total += np.cos(t + k) * t
    return total

"""


def check_drawn_derivative(seed):
    """A derivative inside = the derivative of the whole: of the loss that all share, or of the sum of all devices'; so is that of its square's."""
    rng = np.random.default_rng(seed)
    text, differs = drawn_loss(rng, int(rng.integers(1, 5)))
    x, w, v = rng.normal(size=8), float(rng.normal()), float(rng.normal())
    source = f"{MODULE}def loss(w, v, x):\n    return 1.0 * ({text})\n\ndef total(w, v, x):\n    return {'lax.psum(loss(w, v, x), chr(105))' if differs else 'loss(w, v, x)'}\n"
    module = load(source)
    loss, total = module.loss, module.total
    specs, outs = (P(), P(), P("i")), (P(), P(), P("i"))
    whole = shard_map(total, mesh=mesh1(), in_specs=specs, out_specs=P())
    gradient = shard_map(s2s.grad(loss, (0, 1, 2)), mesh=mesh1(), in_specs=specs, out_specs=outs)
    for one, two in zip(gradient(w, v, x), s2s.grad(whole, (0, 1, 2))(w, v, x), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-9, atol=1e-9 * max(1.0, float(np.max(np.abs(two)))), err_msg=text)
    inside = shard_map(s2s.grad(lambda w, v, x: s2s.grad(loss)(w, v, x) ** 2), mesh=mesh1(), in_specs=specs, out_specs=P())(w, v, x)
    outside = s2s.grad(lambda w: s2s.grad(whole)(w, v, x) ** 2)(w)
    np.testing.assert_allclose(inside, outside, rtol=1e-8, atol=1e-8 * max(1.0, abs(float(outside))), err_msg=text)


@pytest.mark.parametrize("seed", [*range(10), 179])
def test_drawn_derivatives_inside(seed):
    check_drawn_derivative(seed)


# ---- arguments -----------------------------------------------------------------------------------------------------------------


def mesh1():
    return make_mesh((4,), ("i",))


def spread(f=lambda x: x * 2, **given):
    return shard_map(f, **{"mesh": mesh1(), "in_specs": P("i"), "out_specs": P("i"), **given})


def test_compiled():
    f = spread(lambda x, w: lax.psum(np.sum(np.sin(w * x)), "i"), in_specs=(P("i"), P()), out_specs=P())
    np.testing.assert_allclose(f(X, 0.5), np.sum(np.sin(0.5 * X)))
    np.testing.assert_allclose(s2s.grad(f, 1)(X, 0.5), np.sum(X * np.cos(0.5 * X)))
    whole = s2s.jit(lambda x: spread(s2s.grad(lambda x: lax.psum(np.sum(x**2), "i")))(x))
    np.testing.assert_allclose(whole(X), 2 * X)
    with pytest.raises(ValueError, match="4 does not evenly divide 6"):
        whole(np.ones(6))
    with pytest.raises(ValueError, match="4 does not evenly divide 6"):
        f(np.ones(6), 0.5)


def test_how_it_is_called():
    assert spread()(X).tolist() == (2 * X).tolist()
    assert shard_map(mesh=mesh1(), in_specs=P("i"), out_specs=P("i"))(lambda x: x + 1)(X).tolist() == (X + 1).tolist()
    mesh = make_mesh((4, 2), ("i", "j"))
    assert spread(lambda x: x * lax.axis_index("i"), mesh=mesh, axis_names={"i"})(X).tolist() == [0, 0, 2, 3, 8, 10, 18, 21]
    with s2s.set_mesh(mesh1()):
        assert shard_map(lambda x: x * 2, in_specs=P("i"), out_specs=P("i"))(X).tolist() == (2 * X).tolist()
        assert s2s.smap(lambda x, y: x * y, in_axes=(0, None), out_axes=0, axis_name="i")(X, 2.0).tolist() == (2 * X).tolist()
    old = s2s.experimental.shard_map.shard_map
    assert old(lambda x: x * 2, mesh1(), P("i"), P("i"))(X).tolist() == (2 * X).tolist()
    assert old(lambda x: x * 2, mesh1(), in_specs=P("i"), out_specs=P("i"), check_rep=False)(X).tolist() == (2 * X).tolist()
    assert spread(lambda x: x, out_specs=P(), check_vma=False)(X).tolist() == [0.0, 1.0]  # the first device's
    assert spread(lambda x: 1.0, out_specs=P())(X) == 1.0
    assert spread(lambda n, x: x * n, in_specs=(None, P("i")))(3, X).tolist() == (3 * X).tolist()
    assert s2s.eval_shape(spread(lambda x: x[:1]), X).shape == (4,)

    def inside(x):
        here = Mesh(np.array(s2s.devices()).reshape(4, 2), ("i", "j"))
        return shard_map(lambda x: lax.psum(x, "j"), mesh=here, in_specs=P(("i", "j")), out_specs=P("i"))(x)

    assert s2s.jit(inside, target="numpy")(X).tolist() == [1.0, 5.0, 9.0, 13.0]


def test_an_array_of_the_caller_is_changed():
    rows = np.zeros((8, 2))

    def fill(rows, x):
        rows[:] = x[:, None]

    shard_map(fill, mesh=mesh1(), in_specs=(P("i"), P("i")), out_specs=P())(rows, X)
    np.testing.assert_array_equal(rows, np.repeat(X[:, None], 2, axis=1))


def test_meshes_and_specifications():
    mesh = make_mesh((4, 2), ("i", "j"), axis_types=(AxisType.Auto,) * 2)
    assert (repr(mesh), mesh.size, mesh.axis_names, dict(mesh.shape), mesh.empty) == ("Mesh('i': 4, 'j': 2, axis_types=(Auto, Auto))", 8, ("i", "j"), {"i": 4, "j": 2}, False)
    assert mesh == Mesh(create_device_mesh((4, 2)), ("i", "j"))
    assert hash(mesh) == hash(make_mesh((4, 2), ("i", "j")))
    assert Mesh(s2s.devices(), "i").axis_sizes == (8,)
    assert [repr(each) for each in (P(), P("i"), P(None, "i"), P(("i", "j"), None), P(["i", "j"]))] == ["P()", "P('i',)", "P(None, 'i')", "P(('i', 'j'), None)", "P(('i', 'j'),)"]
    assert (P("i") == P("i"), P(("i",)) == P("i"), P("i", None) == P("i"), len(P("i", None)), P("i")[0], tuple(P("i", "j"))) == (True, True, False, 2, "i", ("i", "j"))
    assert (P() + ("a",), ("a",) + P("b"), P("a", "b").index("b"), P("a", None, None).count(None), s2s.P is P) == (P("a"), P("a", "b"), 1, 2, True)
    with mesh as same:
        assert same is mesh


def test_derivatives_inside_that_are_refused():
    @s2s.custom_vjp
    def f(x):
        return x**2

    f.defvjp(lambda x: (f(x), x), lambda x, g: (2 * x * g,))
    inside = partial(spread, s2s.grad(lambda w, x: np.sum(f(w) * x)), in_specs=(P(), P("i")))
    with pytest.raises(s2s.UnsupportedError, match="custom_vjp"):
        inside(out_specs=P())(2.0, X)
    np.testing.assert_allclose(inside(out_specs=P(), check_vma=False)(2.0, X), 4.0)


def test_rules_that_take_derivatives_inside_are_refused():
    cube = s2s.custom_jvp(lambda t: t**3)
    cube.defjvp(lambda primals, tangents: (primals[0] ** 3, s2s.grad(lambda t: t**3)(primals[0]) * tangents[0]))
    with pytest.raises(s2s.UnsupportedError, match="whose derivative rule takes derivatives itself"):
        spread(s2s.grad(lambda w, x: cube(w) * np.sum(x)), in_specs=(P(), P("i")), out_specs=P())(2.0, X)


LONG = r"was given an in_specs entry which is too long to be compatible with the corresponding input value from the function:\n\nin_specs is P\(None, 'i'\) which has length 2, but the passed args\[0\], where args\[0\] is bound to <lambda>'s parameter 'x', has shape float64\[8\], which has rank 1 \(and 1 < 2\)"
UNEVEN = (
    r"was given argument arrays with axis sizes that are not evenly divisible by the corresponding mesh axis sizes:\n\nThe mesh given has shape \(4,\) with corresponding axis names \('i',\)\.\n\n"
    r"the passed args\[0\] of shape float64\[6\], where args\[0\] is bound to <lambda>'s parameter 'x', corresponds to in_specs of value P\('i',\), which maps array axis 0 \(of size 6\) to mesh axis 'i' \(of size 4\), "
    r"but 4 does not evenly divide 6"
)
WRONG = {
    "uneven": (lambda: spread()(np.arange(6.0)), ValueError, UNEVEN),
    "uneven by both": (lambda: spread(mesh=make_mesh((4, 2), ("i", "j")), in_specs=P(("i", "j")))(np.arange(12.0)), ValueError, r"to mesh axes \('i', 'j'\) \(of total size 8\), but 8 does not evenly divide 12"),
    "long": (lambda: spread(in_specs=P(None, "i"))(X), ValueError, LONG),
    "a number": (lambda: spread()(1.0), ValueError, r"has rank 0 \(and 0 < 1\)[\s\S]*For scalar values \(rank 0\), consider using an in_specs entry of `P\(\)`"),
    "long result": (lambda: spread(lambda x: x.sum())(X), ValueError, r"out_specs is P\('i',\) which has length 1, but <lambda>\(\*args\) has shape float64\[\], which has rank 0 \(and 0 < 1\)"),
    "not the same": (lambda: spread(lambda x: x, out_specs=P())(X), ValueError,
                     r"was given out_specs which require replication which can't be statically inferred given the mesh:\n\nThe mesh given has shape \(4,\) with corresponding axis names \('i',\)\.\n\n"
                     r"out_specs is P\(\) which implies that the corresponding output value is replicated across mesh axis 'i', but could not infer replication over any axes"),
    "gathered": (lambda: spread(lambda x: lax.all_gather(x, "i", tiled=True), out_specs=P())(X), ValueError, "could not infer replication over any axes"),
    "in prefix": (lambda: spread(in_specs=(P("i"), P()))(X), ValueError, r"pytree structure error: shard_map in_specs .*; different lengths of tuple at shard_map in_specs"),
    "out prefix": (lambda: spread(lambda x: (x, x), out_specs=(P("i"),) * 3)(X), ValueError, "pytree structure error: shard_map out_specs .*; different lengths of tuple at shard_map out_specs"),
    "no spec": (lambda: spread(in_specs="i")(X), TypeError, r"shard_map in_specs argument must be a pytree of .*PartitionSpec` instances, but:\n\n  in_specs is i of type str"),
    "no out spec": (lambda: spread(out_specs=None)(X), TypeError, "out_specs is None of type NoneType"),
    "another axis": (lambda: spread(in_specs=P("k"))(X), ValueError, r"must refer to an axis marked as manual \(frozenset\(\{'i'\}\)\), but:\n\n  in_specs refers to 'k'"),
    "not mapped": (lambda: spread(mesh=make_mesh((4, 2), ("i", "j")), in_specs=P("j"), axis_names={"i"})(X), ValueError, "in_specs refers to 'j'"),
    "twice": (lambda: spread(in_specs=P("i", "i"))(TABLE), ValueError, "a mesh axis stands twice"),
    "no mesh": (lambda: spread(mesh=3)(X), TypeError, r"but got 3 of type <class 'int'>"),
    "names": (lambda: spread(axis_names={"k"})(X), ValueError, r"requires axis_names=frozenset\(\{'k'\}\) to be a subset of mesh.axis_names=frozenset\(\{'i'\}\)"),
    "a list of names": (lambda: spread(axis_names=["i"])(X), TypeError, "should be of type `frozenset` or `set`. Got type: <class 'list'>"),
    "by name": (lambda: spread()(x=X), TypeError, "unexpected keyword argument 'x'"),
    "no function": (lambda: spread(3), TypeError, "requires a callable for its first argument, but got 3 of type <class 'int'>"),
    "no specs": (lambda: shard_map(lambda x: x, mesh=mesh1(), out_specs=P("i"))(X), TypeError, r"but it was `None` when axis_names=frozenset\(\{'i'\}\) are of type AxisType.Auto"),
    "mesh and names": (lambda: Mesh(np.array(s2s.devices()), ("i", "j")), ValueError, r"but got devices.ndim == 1 and len\(axis_names\) == 2\."),
    "too few devices": (lambda: make_mesh((4, 3), ("i", "j")), ValueError, r"Number of devices 8 must be >= the product of mesh_shape \(4, 3\)"),
    "unreduced": (lambda: P("i", unreduced={"j"}), NotImplementedError, "unreduced"),
    "smap's name": (lambda: s2s.smap(lambda x: x, in_axes=0, out_axes=0, axis_name=("i",)), TypeError, "smap axis_name should be a `str` or a `Hashable`"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_errors(name):
    call, kind, words = WRONG[name]
    with pytest.raises(kind, match=words):
        call()


if __name__ == "__main__":
    STORED.write_text(json.dumps(by_jax(PROGRAMS)) + "\n", encoding="utf-8")
