"""Shardings: what they say of blocks, JAX's errors, and programs that lay arrays out, which give the same numbers."""
from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import s2s
from s2s import lax
from s2s.sharding import AxisType, Mesh, NamedSharding, PartitionSpec, Sharding, SingleDeviceSharding
from s2s.sharding import PartitionSpec as P

X = np.arange(32.0).reshape(8, 4)


@pytest.fixture
def mesh():
    s2s.config.update("jax_num_cpu_devices", 8)
    yield s2s.make_mesh((4, 2), ("i", "j"))
    s2s.config.update("jax_num_cpu_devices", -1)


def test_blocks(mesh):
    """As JAX 0.10.2 has them."""
    sharding = NamedSharding(mesh, P("i", "j"))
    assert str(sharding) == "NamedSharding(mesh=Mesh('i': 4, 'j': 2, axis_types=(Auto, Auto)), spec=P('i', 'j'), memory_kind=device)"
    assert (sharding, hash(sharding)) == (NamedSharding(mesh, P("i", "j")), hash(NamedSharding(mesh, P("i", "j"))))
    assert sharding != NamedSharding(mesh, P("i"))
    assert sharding.shard_shape((8, 4)) == (2, 2)
    blocks = sharding.devices_indices_map((8, 4))
    assert [blocks[device] for device in s2s.devices()[:3]] == [(slice(0, 2), slice(0, 2)), (slice(0, 2), slice(2, 4)), (slice(2, 4), slice(0, 2))]
    whole = np.zeros((8, 4))
    for place in blocks.values():
        whole[place] += 1.0
    np.testing.assert_array_equal(whole, 1.0)
    both = NamedSharding(mesh, P(None, ("j", "i")))
    assert both.shard_shape((3, 16)) == (3, 2)
    assert both.devices_indices_map((3, 16))[s2s.devices()[1]] == (slice(None), slice(8, 10))  # j is 1, i is 0
    assert not both.is_fully_replicated
    assert NamedSharding(mesh, P()).is_fully_replicated
    assert sharding.is_equivalent_to(NamedSharding(mesh, P("i", "j", None)), 3)
    assert not sharding.is_equivalent_to(both, 2)
    assert (sharding.num_devices, sharding.device_set, sharding.memory_kind, sharding.is_fully_addressable) == (8, set(s2s.devices()), "device", True)
    assert sharding.update(spec=P("i")) == NamedSharding(mesh, P("i")) == s2s.NamedSharding(mesh, P("i")).with_memory_kind("device")
    single = SingleDeviceSharding(s2s.devices()[0])
    assert (str(single), single.shard_shape((3,)), isinstance(single, Sharding)) == ("SingleDeviceSharding(device=CpuDevice(id=0), memory_kind=device)", (3,), True)


def test_what_shardings_refuse(mesh):
    sharding = NamedSharding(mesh, P("i", "j"))
    for call, kind, words in (
        (lambda: NamedSharding(mesh, P("k")), ValueError, r"Resource axis: k of P\('k',\) is not found in mesh: \('i', 'j'\)"),
        (lambda: NamedSharding(mesh, P("i", "i")), ValueError, "can map every mesh axis to at most one positional dimension"),
        (lambda: NamedSharding(mesh, "i"), TypeError, "a Mesh and a PartitionSpec"),
        (lambda: NamedSharding(mesh, P("i"), memory_kind="pinned_host"), NotImplementedError, "memory_kind='pinned_host'"),
        (lambda: sharding.shard_shape((7, 4)), ValueError, r"implies that array axis 0 is partitioned 4 times, but the dimension size is 7 \(full shape: \(7, 4\), per-dimension tiling factors: \[4, 2\]"),
        (lambda: s2s.device_put(np.ones(8), sharding), ValueError, "One of device_put args is incompatible with its sharding annotation .* is only valid for values of rank at least 2, but was applied to a value of rank 1."),
        (lambda: s2s.device_put(X, P("i")), ValueError, "Please set a mesh"),
        (lambda: s2s.device_put(X, "gpu"), ValueError, "only accepts `None`"),
        (lambda: s2s.device_put({"a": X, "b": X}, {"a": sharding}), ValueError, "different numbers of pytree children"),
        (lambda: s2s.jit(lambda x: x, in_shardings="i"), TypeError, "in_shardings leaf specifications are expected to be PartitionSpec instances or None, but got i"),
        (lambda: s2s.jit(lambda x: x, out_shardings=P("i")), RuntimeError, "non-empty mesh in context"),
    ):
        with pytest.raises(kind, match=words):
            call()


def test_calls_of_jit_are_checked(mesh):
    sharding = NamedSharding(mesh, P("i", "j"))
    product = s2s.jit(lambda x, y: x @ y, in_shardings=(sharding, None), out_shardings=NamedSharding(mesh, P("i")), target="numpy")
    np.testing.assert_array_equal(product(X, np.ones((4, 2))), X @ np.ones((4, 2)))
    inside = s2s.jit(lambda x: product(x, x.T)[0], target="numpy")
    np.testing.assert_array_equal(inside(X), (X @ X.T)[0])
    for call, words in (
        (lambda: product(np.ones((7, 4)), np.ones((4, 2))), "partitioned 4 times, but the dimension size is 7"),
        (lambda: product(X, y=np.ones((4, 2))), "pjit does not support kwargs when in_shardings is specified."),
        (lambda: product.lower(np.ones((7, 4)), np.ones((4, 2))), "partitioned 4 times"),
        (lambda: s2s.jit(lambda x, y: x, in_shardings=(sharding,))(X, X), "got a tuple or list of length 1 for an args tuple of length 2"),
        (lambda: s2s.jit(lambda x: x[:7], out_shardings=sharding, target="numpy")(X), "dimension size is 7"),
        (lambda: s2s.jit(lambda x: x[0], out_shardings=sharding, target="numpy")(X), "One of pjit outputs is incompatible"),
    ):
        with pytest.raises(ValueError, match=words):
            call()
    scaled = s2s.jit(lambda x, n: {"x": x["x"] * n}, in_shardings=sharding, static_argnums=1, target="numpy")
    np.testing.assert_array_equal(scaled({"x": X}, 2)["x"], 2 * X)
    compiled = product.lower(X, np.ones((4, 2))).compile()
    assert compiled.input_shardings == ((sharding, SingleDeviceSharding(s2s.devices()[0])), {})
    assert compiled.output_shardings == NamedSharding(mesh, P("i"))


def test_wishes_inside(mesh):
    sharding = NamedSharding(mesh, P("i", "j"))
    layers = {"w": sharding, "b": None}

    def loss(params, x):
        params = lax.with_sharding_constraint(params, layers)
        hidden = lax.with_sharding_constraint(np.tanh(x @ params["w"]), NamedSharding(mesh, PartitionSpec(None, "j")))
        return np.sum(s2s.device_put(hidden, sharding) * params["b"])

    params, x = {"w": X, "b": 0.5}, np.ones((4, 8))
    plain = lambda params, x: np.sum(np.tanh(x @ params["w"]) * params["b"])  # noqa: E731
    assert loss(params, x) == plain(params, x)
    np.testing.assert_array_equal(s2s.grad(loss)(params, x)["w"], s2s.grad(plain)(params, x)["w"])
    np.testing.assert_array_equal(s2s.vmap(partial(loss, params))(np.ones((3, 4, 8))), [plain(params, x)] * 3)
    with s2s.set_mesh(mesh):
        assert s2s.jit(lambda x: lax.with_sharding_constraint(x, P("i")) * 2.0, in_shardings=P("i"), target="numpy")(X).shape == (8, 4)
    for fun, args in (
        (lambda x: lax.with_sharding_constraint(x, sharding), (np.ones(8),)), (lambda x: s2s.device_put(x[:, 0], sharding), (X,)), (lambda x: lax.with_sharding_constraint({"a": x}, {"b": sharding}), (X,)),
        (lambda x: lax.with_sharding_constraint(x, NamedSharding(mesh, P("k"))), (X,)),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="rank at least 2|different|metadata|not found"):
            s2s.jit(fun, target="numpy")(*args)
    assert s2s.jit(lambda x: lax.with_sharding_constraint(x, sharding) * 2.0, target="numpy")(np.ones((7, 4))).shape == (7, 4)  # a wish, as in JAX


def test_two_jits_of_one_function_are_two():
    f = lambda x: x + 1.0  # noqa: E731
    given, plain, inlined = s2s.jit(f, donate_argnums=0), s2s.jit(f), s2s.jit(f, inline=True)
    assert [each.lower(X).donate_argnums for each in (given, plain, inlined)] == [(0,), (), ()]
    assert [each.inline for each in (given, plain, inlined)] == [False, False, True]
    assert s2s.jit(f) is plain


def test_examples_of_jax_tutorial(mesh):
    """Distributed arrays and automatic parallelization: a sharded matrix product and a layer, with the numbers of one device."""
    x = s2s.device_put(X, NamedSharding(mesh, P("i", "j")))
    w = s2s.device_put(np.ones((4, 6)), NamedSharding(mesh, P("j", None)))
    layer = s2s.jit(lambda x, w: np.maximum(lax.with_sharding_constraint(x @ w, NamedSharding(mesh, P("i", None))), 0.0), target="numpy")
    np.testing.assert_array_equal(layer(x, w), np.maximum(X @ np.ones((4, 6)), 0.0))
    like = s2s.ShapeDtypeStruct((8, 4), np.float32, sharding=NamedSharding(mesh, P("i")))
    assert str(like).endswith("spec=P('i',), memory_kind=device))")
    assert s2s.eval_shape(lambda x: x.T, like).shape == (4, 8)
    assert isinstance(mesh, Mesh)
    assert mesh.axis_types == (AxisType.Auto, AxisType.Auto)
