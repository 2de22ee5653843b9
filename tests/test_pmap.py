"""pmap: vmap's numbers, as many examples as there are devices; JAX's contract and words (0.10.2, live where it is installed), jaxprs, derivatives, collectives."""
from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from collective_programs import PROGRAMS

import s2s
import s2s.numpy
from s2s import lax, pmap
from s2s.host_devices import asked_for

STORED = Path(__file__).parent / "collective_expected.json"
X = np.array([0.5, 1.0, 2.0])


@pytest.fixture(autouse=True)
def _eight_devices(request):
    s2s.config.update("jax_num_cpu_devices", 8)
    with s2s.disable_jit(disable="compiled" not in request.node.name):
        yield
    s2s.config.update("jax_num_cpu_devices", -1)


def spread(fun, in_axes=0, out_axes=0, axis_name=None, axis_size=None):
    """pmap, called as vmap is; one without mapped arguments stays a vmap."""
    if axis_size is not None:
        return s2s.vmap(fun, in_axes, out_axes, axis_name, axis_size)
    return pmap(fun, axis_name, in_axes=in_axes, out_axes=out_axes)


# ---- numbers ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs_with_collectives_give_jax_s_numbers(program):
    """Each vmap of them a pmap, those inside of others and of derivatives too."""
    s2s.config.update("jax_num_cpu_devices", 64)
    library = SimpleNamespace(**{**{name: getattr(s2s, name) for name in s2s.__all__}, "vmap": spread})
    found = s2s.tree_util.tree_leaves(program(library, s2s.numpy, lax))
    wanted = json.loads(STORED.read_text(encoding="utf-8"))[program.__name__]
    for number, (one, two) in enumerate(zip(found, wanted, strict=True)):
        np.testing.assert_allclose(one, two, rtol=1e-10, atol=1e-12, err_msg=f"result {number}")


def test_the_documented_calls():
    """Of pmap's docstring, with its numbers."""
    np.testing.assert_array_equal(pmap(lambda x: x**2)(np.arange(8)), np.arange(8) ** 2)
    x = np.arange(3 * 2 * 2.0).reshape((3, 2, 2))
    np.testing.assert_array_equal(pmap(np.dot)(x, x**2), [[[4, 9], [12, 29]], [[244, 345], [348, 493]], [[1412, 1737], [1740, 2141]]])
    sums, doubled = pmap(lambda x, y: (x + y, y * 2.0), in_axes=(0, None))(np.arange(2.0), 4.0)
    assert (sums.tolist(), doubled.tolist()) == ([4.0, 5.0], [8.0, 8.0])
    shares = pmap(lambda x: x / lax.psum(x, axis_name="i"), axis_name="i")(np.arange(4.0))
    np.testing.assert_allclose(shares, np.arange(4.0) / 6)
    first = pmap(lambda x: x / lax.psum(x, "i"), axis_name="i", devices=s2s.devices()[:6])
    second = pmap(lambda x: lax.psum(x**2, "i"), axis_name="i", devices=s2s.devices()[-2:])
    np.testing.assert_allclose(first(np.arange(6.0)), np.arange(6.0) / 15)
    assert second(np.array([2.0, 3.0])).tolist() == [13.0, 13.0]


def test_arguments_and_results():
    assert pmap(lambda x, *, y: x + y)(X, y=X).tolist() == (2 * X).tolist()
    assert pmap(lambda x: x, in_axes=1, out_axes=1)(np.ones((2, 3))).shape == (2, 3)
    assert pmap(lambda x: x, in_axes=-1)(np.ones((2, 3))).shape == (3, 2)
    assert pmap(lambda x: lax.psum(x, "i"), "i", out_axes=None)(X) == 3.5
    found = pmap(lambda p, x: {"y": p["w"] * x, "n": 1}, in_axes=({"w": None}, 0), out_axes={"y": 0, "n": None})({"w": 2.0}, X)
    assert (found["y"].tolist(), found["n"]) == ([1.0, 2.0, 4.0], 1)
    power = pmap(lambda n, x: x**n, static_broadcasted_argnums=0)
    assert (power(3, X).tolist(), power(2, X).tolist()) == ((X**3).tolist(), (X**2).tolist())
    assert pmap(lambda n, x: x * n, in_axes=(None, 0), static_broadcasted_argnums=(0,), donate_argnums=1, backend="cpu", axis_size=3)(2, X).tolist() == (2 * X).tolist()
    assert pmap(lambda name, x: x * 2 if name == "twice" else x, static_broadcasted_argnums=0)("twice", X).tolist() == (2 * X).tolist()
    assert pmap(lambda x: lax.axis_index("i"), "i")(X).tolist() == [0, 1, 2]
    assert s2s.eval_shape(pmap(lambda x: x), X).shape == (3,)
    assert pmap(np.sin).__name__ == "sin"


def test_compiled():
    """On the machine: calls, and what the module checks itself."""
    f = pmap(lambda x: x / lax.psum(x, "i"), "i")
    np.testing.assert_allclose(f(X), X / 3.5)
    with pytest.raises(ValueError, match="requires 9 replicas, but only 8 XLA devices are available"):
        f(np.ones(9))
    assert f.lower(X).compile()(X).tolist() == f(X).tolist()
    whole = s2s.jit(lambda x: pmap(lambda x: np.sin(x) * lax.psum(x, "i"), "i")(x) * s2s.local_device_count())
    np.testing.assert_allclose(whole(X), np.sin(X) * 3.5 * 8)
    s2s.config.update("jax_num_cpu_devices", 2)
    for each in (f, whole):
        with pytest.raises(ValueError, match="requires 3 replicas, but only 2 XLA devices"):
            each(X)
    s2s.config.update("jax_num_cpu_devices", 3)
    np.testing.assert_allclose(whole(X), np.sin(X) * 3.5 * 3)


# ---- with other transformations ----------------------------------------------------------------------------------------------


def loss(x):
    """Each device's own trips."""
    y = x
    while y > 0.3:
        y = 0.5 * np.sin(y) * x
    return y * x**2


def test_derivatives_outside_and_inside():
    slopes = np.array([s2s.grad(loss)(x) for x in X])
    np.testing.assert_allclose(pmap(s2s.grad(loss))(X), slopes, rtol=1e-12)
    np.testing.assert_allclose(s2s.grad(lambda x: np.sum(pmap(loss)(x)))(X), slopes, rtol=1e-12)
    np.testing.assert_allclose(np.diag(s2s.jacrev(pmap(loss))(X)), slopes, rtol=1e-12)
    np.testing.assert_allclose(np.diag(s2s.jacfwd(pmap(loss))(X)), slopes, rtol=1e-12)
    assert s2s.jvp(pmap(loss), (X,), (np.ones(3),))[1] == pytest.approx(slopes, rel=1e-12)
    out, pull = s2s.vjp(pmap(loss), X)
    np.testing.assert_allclose(pull(np.ones_like(out))[0], slopes, rtol=1e-12)
    np.testing.assert_allclose(s2s.linearize(pmap(loss), X)[1](np.ones(3)), slopes, rtol=1e-12)
    s2s.check_grads(pmap(lambda x: np.sum(x * lax.pmean(np.sin(x), "i")), "i"), (np.arange(6.0).reshape(3, 2),), order=2)


def test_nested():
    table = np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(s2s.vmap(pmap(lambda x: x + 1))(table), table + 1)
    np.testing.assert_array_equal(pmap(s2s.vmap(lambda x: x + 1))(table), table + 1)
    assert s2s.vmap(pmap(lambda x: x + 1))(np.ones((12, 3))).shape == (12, 3)  # examples, not devices
    np.testing.assert_array_equal(pmap(pmap(lambda x: x / lax.psum(x, ("i", "j")), "j"), "i")(table), table / 15)
    np.testing.assert_array_equal(s2s.jit(pmap(pmap(lambda x: x + 1)))(table), table + 1)
    with pytest.raises(ValueError, match="requires 9 replicas, but only 8"):
        pmap(pmap(lambda x: x + 1))(np.ones((3, 3)))
    with pytest.raises(ValueError, match="requires 12 replicas, but only 8"):
        pmap(lambda x: s2s.vmap(lambda x: pmap(lambda x: x + 1)(x))(x))(np.ones((3, 5, 4)))


def test_an_error_of_one_device_is_told():
    def root(x):
        if x < 0:
            raise ValueError(f"negative: {x}")
        return np.sqrt(x)

    with pytest.raises(ValueError, match=r"negative: -1\.0 \(example 1 of the batch\)"):
        pmap(root)(np.array([1.0, -1.0]))


def test_an_array_of_the_caller_is_changed():
    rows = np.zeros((3, 2))

    def fill(row, x):
        row[:] = x

    pmap(fill)(rows, X)
    np.testing.assert_array_equal(rows, np.repeat(X[:, None], 2, axis=1))


# ---- errors ----------------------------------------------------------------------------------------------------------------


WRONG = {
    "too many": (lambda: pmap(lambda x: x)(np.ones(9)), ValueError, "requires 9 replicas, but only 8 XLA devices are available"),
    "too many for the devices given": (lambda: pmap(lambda x: x, devices=s2s.devices()[:2])(X), ValueError, "requires 3 replicas, but only 2 XLA devices"),
    "too many inside": (lambda: s2s.jit(lambda x: pmap(lambda x: x)(x))(np.ones(9)), ValueError, "requires 9 replicas, but only 8 XLA devices are available"),
    "another size": (lambda: pmap(lambda x: x, axis_size=4)(X), ValueError, r"Specified axis_size 4 doesn't match received axis_size 3\."),
    "nothing mapped": (lambda: pmap(lambda x: x, in_axes=None, axis_size=4)(X), ValueError, r"pmap requires at least one argument with a mapped axis\."),
    "no arguments": (lambda: pmap(lambda: 1)(), ValueError, r"pmap requires at least one argument with a mapped axis\."),
    "a number": (lambda: pmap(lambda x: x)(1.0), ValueError, "pmap was requested to map its argument along axis 0, which implies that its rank should be at least 1"),
    "sizes": (lambda: pmap(lambda x, y: x)(X, np.ones(4)), ValueError, "pmap got inconsistent sizes for array axes to be mapped"),
    "in_axes": (lambda: pmap(lambda x: x, in_axes="a"), TypeError, "pmap in_axes must be an int, None, or .nested. container with those types as leaves, but got a"),
    "out_axes": (lambda: pmap(lambda x: x, out_axes=0.5), TypeError, "pmap out_axes must be an int, None, or .nested. container"),
    "a list": (lambda: pmap(lambda x: x, in_axes=[0])(X), ValueError, "pmap in_axes specification must be a tree prefix"),
    "no such axis": (lambda: pmap(lambda x: x, out_axes=2)(np.ones((2, 3))), ValueError, "axis 2 is out of bounds for array of dimension 2"),
    "statics": (lambda: pmap(lambda n, x: x, static_broadcasted_argnums=(0, 2))(3, X), ValueError,
                r"pmapped function has static_broadcasted_argnums=\(0, 2\) but was called with only 2 positional arguments\. All static broadcasted arguments must be passed positionally\."),
    "unhashable": (lambda: pmap(lambda n, x: x, static_broadcasted_argnums=0)([3], X), ValueError, "Non-hashable static arguments are not supported, as this can lead to unexpected cache-misses"),
    "no devices": (lambda: pmap(lambda x: x, devices=[])(X), ValueError, "'devices' argument to pmap must be non-empty, or None."),
    "another backend": (lambda: pmap(lambda x: x, backend="gpu")(X), RuntimeError, "Unknown backend: 'gpu' requested"),
    "by position": (lambda: pmap(lambda x: x, "i", 0)(X), TypeError, "takes from 1 to 2 positional arguments but 3 were given"),
    "no function": (lambda: pmap(3), TypeError, "Expected a callable value, got 3"),
    "another name": (lambda: pmap(lambda x: lax.psum(x, "j"), "i")(X), NameError, "unbound axis name: j"),
    "a text": (lambda: pmap(lambda x, y: x)(X, "a"), TypeError, "is not an array"),
    "mapped": (lambda: pmap(lambda x: x, "i", out_axes=None)(X), ValueError, "pmap has mapped output .axis_name=i. but out_axes is None"),
    "a flag": (lambda: s2s.config.update("jax_num_cpu_devices", 0), ValueError, "a number of devices was given 0"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_errors(name):
    call, kind, words = WRONG[name]
    with pytest.raises(kind, match=words):
        call()


# ---- devices -----------------------------------------------------------------------------------------------------------------


def test_devices():
    assert (s2s.device_count(), s2s.local_device_count("cpu"), s2s.process_index(), s2s.process_count()) == (8, 8, 0, 1)
    assert repr(s2s.local_devices()[-1]) == "CpuDevice(id=7)"
    assert s2s.config.jax_num_cpu_devices == 8
    assert asked_for({"XLA_FLAGS": "--a=1 --xla_force_host_platform_device_count=4"}) == asked_for({"JAX_NUM_CPU_DEVICES": "4"}) == 4
    counted = s2s.jit(lambda x: x * s2s.local_device_count(), target="numpy")
    assert counted(1.0) == 8.0
    s2s.config.update("jax_num_cpu_devices", 4)
    assert counted(1.0) == 4.0


# ---- jaxprs --------------------------------------------------------------------------------------------------------------------

TEXT = """{ lambda ; a:f64[3,2] b:f64[2]. let
    c:f64[2,3] d:f64[2] = jit[
      name=_fun
      jaxpr={ lambda ; a:f64[3,2] b:f64[2]. let
          c:f64[2,3] d:f64[2] = shard_map[
            check_vma=False
            in_specs=(P('i',), P())
            jaxpr={ lambda ; e:f64[1,2] f:f64[2]. let
                g:f64[2] = squeeze[dimensions=(0,)] e
                h:f64[2] = add g f
                i:f64[2] = psum[axes=('i',) axis_index_groups=None] f
                j:f64[2,1] = broadcast_in_dim[broadcast_dimensions=(0,)] h
              in (j, i) }
            mesh=Mesh('i': 3, axis_types=(Auto,))
            newly_manual_axes=frozenset({'i'})
            out_specs=(P(None, 'i'), P())
          ] a b
        in (c, d) }
    ] a b
  in (c, d) }"""


def shown(jax, jax_lax):
    """Jaxprs of pmaps: at the top, inside of a function and under jit, with a number that is read from around."""
    scale = np.array([1.0, 2.0, 3.0])
    yield jax.make_jaxpr(jax.pmap(lambda x, y: (x + y, jax_lax.psum(y, "i")), "i", in_axes=(0, None), out_axes=(1, None)))(np.ones((3, 2)), np.ones(2))
    yield jax.make_jaxpr(lambda z: jax.pmap(lambda x: x + 1.0)(z) * 2.0)(scale)
    yield jax.make_jaxpr(lambda z, w: jax.pmap(lambda x: x + w)(z))(np.ones(3), 2.0)
    yield jax.make_jaxpr(jax.jit(jax.pmap(lambda x: x * jax_lax.psum(x, "i"), "i")))(scale)


def test_jaxprs():
    assert str(next(shown(s2s, lax))) == TEXT


def test_jaxprs_are_those_of_the_installed_jax():
    jax = pytest.importorskip("jax")
    if jax.device_count() < 3:
        pytest.skip("XLA_FLAGS=--xla_force_host_platform_device_count=8")
    jax.config.update("jax_enable_x64", True)
    for mine, theirs in zip(shown(s2s, lax), shown(jax, jax.lax), strict=True):
        assert str(mine) == str(theirs)
