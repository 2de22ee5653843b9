"""What is in force while functions run (disable_jit, debug_nans, debug_infs, config), and JAX's words for running: barriers, names, traces, dtypes."""
from __future__ import annotations

import json
from functools import partial

import numpy as np
import pytest

import s2s
from s2s.configuration import FLAGS


def logs(x):
    y = np.log(x)
    return np.sum(y * 2.0)


def on_numpy(fun):
    return s2s.jit(fun, target="numpy")


@pytest.fixture(autouse=True)
def restored():
    """No flag outlives its test."""
    yield
    for name in ("jax_disable_jit", "jax_debug_nans", "jax_debug_infs"):
        s2s.config.update(name, False)


pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


# ---- debug_nans, debug_infs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [on_numpy, lambda fun: s2s.grad(on_numpy(fun)), lambda fun: s2s.vmap(on_numpy(fun))])
def test_nan_names_operation_and_line(make):
    fun, good, bad = make(logs), np.full((2, 3), 2.0), np.array([[1.0, 1.0, 1.0], [1.0, np.inf, -1.0]])
    if make is not logs and "vmap" not in fun.public_name:
        good, bad = good[0], bad[1]
    with s2s.debug_nans():
        fun(good)
        if "grad" not in fun.public_name:  # the gradient is 2 / x
            with pytest.raises(FloatingPointError, match="invalid value \\(nan\\) encountered in log") as caught:
                fun(bad)
            assert "y = np.log(x)" in str(caught.value)
            assert "test_running.py" in str(caught.value)
            assert isinstance(caught.value, s2s.NotFiniteError)
        with s2s.debug_nans(False):
            fun(bad)
    fun(bad)


RAISING = [
    (lambda x: 1.0 / x, [1.0, 0.0], "divide by zero encountered in divide"), (np.log, [1.0, -1.0], "invalid value encountered in log"), (np.exp, [1.0, 1000.0], "overflow encountered in exp"),
    (lambda x: x + 1.0, [np.nan, np.inf], None), (lambda x: np.sqrt(x) * 0.0, [1.0, -1.0], "invalid value encountered in sqrt"), (lambda x: x * x, [1.0, 1e200], "overflow encountered in multiply"),
]  # fmt: skip


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize(("fun", "values", "words"), RAISING)
def test_exceptions_of_errstate(fun, values, words, target):
    """np.errstate(…='raise') around a call, of the conditions that it names and no others."""
    f, bad, good = s2s.jit(lambda x: fun(x), target=target), np.array(values), np.ones(2)
    with np.errstate(all="ignore"):
        wanted = fun(bad)
        np.testing.assert_array_equal(f(bad), wanted)
    state = {"divide": "divide by", "invalid": "invalid", "over": "overflow"}
    for name, start in state.items():
        with np.errstate(all="ignore"), np.errstate(**{name: "raise"}):
            np.testing.assert_array_equal(f(good), fun(good))
            if words is not None and words.startswith(start):
                with pytest.raises(FloatingPointError, match=words):
                    f(bad)
            else:
                np.testing.assert_array_equal(f(bad), wanted)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(f(bad), wanted)


def test_a_condition_of_errstate_says_its_line():
    def slope(x):
        return np.sum(1.0 / x)

    with np.errstate(all="raise"), pytest.raises(FloatingPointError, match="divide by zero") as caught:
        s2s.grad(slope)(np.array([1.0, 0.0]))
    assert any(frame.name == "slope" for frame in caught.traceback)


def test_compiled_calls_are_looked_at_too():
    def f(x):
        total = 0.0
        for i in range(len(x)):
            total += 1.0 / x[i]
        return total

    jitted = s2s.jit(f)
    x = np.array([1.0, 0.0])
    assert jitted(x) == np.inf
    assert jitted(np.ones(2)) == 2.0
    with s2s.debug_infs():
        assert jitted(np.ones(2)) == 2.0
        with pytest.raises(FloatingPointError, match=r"\(inf\) encountered in div") as caught:
            jitted(x)
        assert "total += 1.0 / x[i]" in str(caught.value)
    assert jitted(x) == np.inf


def test_arguments_that_are_written_are_looked_at_and_restored_for_the_second_run():
    def f(x):
        x[0] = np.sqrt(x[0] - 3.0)
        x[1] = 5.0

    x = np.array([1.0, 2.0])
    with s2s.debug_nans(), pytest.raises(FloatingPointError, match="encountered in sqrt"):
        on_numpy(f)(x)
    assert x[1] == 5.0


def test_given_nan_is_told_apart():
    with s2s.debug_nans(), pytest.raises(FloatingPointError, match=r"\(nan\) in x, which logs was given"):
        on_numpy(logs)(np.array([np.nan]))
    scale = np.array([np.nan])
    with s2s.debug_nans(), pytest.raises(FloatingPointError, match=r"\(nan\) in scale"):
        on_numpy(lambda x: x * scale)(np.ones(1))


def test_pullbacks_are_looked_at():
    with s2s.disable_jit():
        _, pull = s2s.vjp(lambda x: np.sqrt(x), 0.0)
    with s2s.debug_infs(), pytest.raises(FloatingPointError, match=r"\(inf\) encountered in div") as caught:
        pull(1.0)
    assert "np.sqrt(x)" in str(caught.value)


def roots(d):
    return {"root": np.sqrt(d["a"]) * d["n"], "n": d["n"]}


def test_every_transformation_names_operation_and_line():
    x, none = np.array([-1.0, 0.5]), np.zeros((), s2s.float0)
    tangents = {"a": np.ones(2), "n": none}
    zero = {"a": np.zeros(2), "n": 2}
    calls = [
        (lambda: s2s.jvp(logs, (x,), (np.ones(2),)), "log"), (lambda: s2s.jvp(roots, ({"a": x, "n": 2},), (tangents,)), "sqrt"),
        (lambda: s2s.vjp(logs, x), "log"), (lambda: s2s.linearize(logs, x), "log"), (lambda: s2s.vmap(lambda v: np.log(v) * 2.0)(x), "log"),
        (lambda: s2s.vjp(roots, zero)[1]({"root": np.zeros(2), "n": none}), "div"), (lambda: s2s.linearize(lambda v: np.sqrt(v), np.zeros(2))[1](np.zeros(2)), "div"),
        (lambda: s2s.jacfwd(lambda v: np.sqrt(v) * 0.0)(np.zeros(2)), "div"),
    ]  # fmt: skip
    with s2s.disable_jit(), s2s.debug_nans():
        for call, operation in calls:
            with pytest.raises(FloatingPointError, match=rf"\(nan\) encountered in {operation}\n.*test_running.py"):
                call()


def test_integers_and_bools_are_no_floats():
    with s2s.debug_nans(), s2s.debug_infs():
        assert on_numpy(lambda x: (x > 0.0, np.argmax(x)))(np.array([1.0, 2.0]))[1] == 1


# ---- config ----------------------------------------------------------------------------------------------------------------


def test_flags():
    s2s.config.update("jax_debug_nans", True)
    assert s2s.config.jax_debug_nans
    assert s2s.config.values["jax_debug_nans"]
    with pytest.raises(FloatingPointError):
        on_numpy(logs)(-np.ones(1))
    with s2s.debug_nans(False):
        assert not s2s.config.jax_debug_nans
        on_numpy(logs)(-np.ones(1))
    s2s.config.update("jax_debug_nans", False)
    on_numpy(logs)(-np.ones(1))
    assert s2s.config.jax_enable_x64 is True
    s2s.config.update("jax_enable_x64", True)
    assert set(s2s.config.values) == set(FLAGS)


def test_disable_jit_everywhere():
    ran = []

    def f(x):
        ran.append(x)  # what can't be read
        return x

    s2s.config.update("jax_disable_jit", True)
    assert s2s.jit(f)(2.0) == 2.0
    assert ran == [2.0]
    with s2s.disable_jit(False), pytest.raises(s2s.UnsupportedError):
        s2s.jit(lambda x: ran.append(print) or input(x))(1.0)


@pytest.mark.parametrize(
    ("name", "value", "error", "words"),
    [
        ("jax_enable_x64", False, NotImplementedError, "64 bits unless a dtype says otherwise"),
        ("jax_num_cpu_devices", 0, ValueError, "a positive int"),
        ("jax_platforms", "gpu", NotImplementedError, "host's CPU"),
        ("jax_debug_nans", "yes", ValueError, "True or False"),
        ("jax_nothing", 1, AttributeError, "Unrecognized config option: jax_nothing"),
    ],
)
def test_flags_refused(name, value, error, words):
    with pytest.raises(error, match=words):
        s2s.config.update(name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("jax_compilation_cache_dir", "/tmp/somewhere"), ("jax_persistent_cache_min_compile_time_secs", 0), ("jax_log_compiles", True), ("jax_check_tracer_leaks", True), ("jax_threefry_partitionable", True),
        ("jax_transfer_guard", "disallow"), ("jax_default_device", s2s.devices()[0]), ("jax_default_matmul_precision", "float32"), ("jax_traceback_filtering", "off"), ("jax_default_prng_impl", "threefry2x32"),
    ],
)  # fmt: skip
def test_flags_that_change_no_number_are_taken(name, value):
    before = s2s.config.read(name)
    s2s.config.update(name, value)
    s2s.config.update(name, before)
    assert s2s.config.read(name) == before


@pytest.mark.parametrize(("name", "value"), [("jax_default_prng_impl", "rbg"), ("jax_threefry_partitionable", False), ("jax_debug_key_reuse", True), ("jax_default_device", "gpu"), ("jax_random_seed_offset", 1)])
def test_flags_that_would_change_numbers_are_refused(name, value):
    with pytest.raises(NotImplementedError, match=name):
        s2s.config.update(name, value)


def test_contexts_of_flags():
    with s2s.log_compiles(), s2s.default_device(s2s.devices()[0]), s2s.enable_x64(), s2s.checking_leaks():
        assert s2s.config.jax_log_compiles
    assert not s2s.config.jax_log_compiles
    with pytest.raises(NotImplementedError, match="64 bits unless a dtype says otherwise"):
        s2s.enable_x64(False)
    with s2s.experimental.enable_x64():
        pass

    @s2s.default_matmul_precision("float32")
    def square(x):
        with s2s.default_matmul_precision("highest"), s2s.transfer_guard("disallow"):
            return x @ x

    assert s2s.grad(on_numpy(square))(np.ones(2)).tolist() == [2.0, 2.0]

    def single(x):
        with s2s.enable_x64(False):
            return x @ x

    with pytest.raises(NotImplementedError, match=r"(?s)jax_enable_x64.*test_running.py.*with s2s.enable_x64\(False\)"):
        on_numpy(single)(np.ones(2))


def test_what_is_asked_of_a_process():
    f = on_numpy(lambda x: 2.0 * x)
    f(1.0)
    assert f.emitted()
    s2s.clear_caches()
    assert not f.emitted()
    assert s2s.process_indices() == [0]
    assert "numba:" in s2s.print_environment_info(return_string=True)
    assert s2s.make_array_from_callback((2, 3), None, lambda index: np.arange(6).reshape(2, 3)[index]).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert s2s.make_array_from_process_local_data(None, np.arange(3)).tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match=r"the shape \(3,\)"):
        s2s.make_array_from_callback((2,), None, lambda index: np.arange(3)[index])


def test_typeof():
    assert (s2s.typeof(2.0).shape, s2s.typeof(np.zeros((2, 3), np.float32)).dtype) == ((), np.float32)
    with pytest.raises(TypeError, match="is not a valid JAX type"):
        s2s.typeof("text")

    def like(x):
        asked = s2s.typeof(x)
        return np.ones(asked.shape, asked.dtype) * x

    assert on_numpy(like)(np.arange(3.0)).tolist() == [0.0, 1.0, 2.0]


def test_a_flag_is_no_attribute():
    with pytest.raises(AttributeError, match="config.update"):
        s2s.config.jax_debug_nans = True
    with pytest.raises(AttributeError, match="Unrecognized"):
        _ = s2s.config.jax_nothing


# ---- names, barriers, contexts ---------------------------------------------------------------------------------------------


def test_inside_of_functions_that_are_read():
    def f(x):
        with s2s.named_scope("layer"), s2s.ensure_compile_time_eval():
            y = s2s.block_until_ready(np.sin(x))
        with s2s.profiler.TraceAnnotation("rest"):
            y = y * 2.0
        s2s.effects_barrier()
        return y if isinstance(x, s2s.Array) else -y

    x = np.array([0.5, 1.0])
    np.testing.assert_array_equal(on_numpy(f)(x), f(x))
    assert on_numpy(f)(0.5) == f(0.5)
    np.testing.assert_allclose(s2s.vmap(s2s.grad(on_numpy(f)))(x), 2.0 * np.cos(x))


def test_named():
    def f(x, y=2.0, *, z=3.0):
        return x * y * z

    named = s2s.named_call(f, name="product")
    assert "def product_jit(" in s2s.jit(named, target="numpy").source(1.0)
    assert named(1.0) == s2s.jit(named, target="numpy")(1.0) == 6.0
    assert s2s.named_call(f).__name__ == "f"

    @s2s.named_scope("scope")
    def decorated(x):
        return x

    assert decorated(1.0) == 1.0
    with pytest.raises(TypeError, match="must be a string"), s2s.named_scope(3):
        pass
    with pytest.raises(TypeError, match="named_call of"):
        s2s.named_call(np.sin)


# ---- tracing, lowering ---------------------------------------------------------------------------------------------------


def test_trace(tmp_path):
    with s2s.profiler.trace(tmp_path) as times:
        on_numpy(lambda x: x * 5.25)(2.0)
        with s2s.profiler.StepTraceAnnotation("train", step_num=3):
            s2s.profiler.annotate_function(logs, "logs again")(np.ones(2))
    shown = [(event.name, event.stage) for event in times.events]
    assert ("lambda__jit", "s2s reads and rewrites") in shown
    assert shown[-2:] == [("logs again", "block"), ("train step_num=3", "block")]
    assert all(0.0 <= event.seconds < 60.0 and event.start >= 0.0 for event in times.events)
    assert len(json.loads((tmp_path / "trace.json").read_text())["traceEvents"]) == len(shown)
    assert str(times).count("\n") == len(shown) - 1
    before = len(times.events)
    with s2s.profiler.TraceAnnotation("after"):
        pass
    assert len(times.events) == before


def test_one_trace_at_a_time():
    with s2s.profiler.trace(), pytest.raises(RuntimeError, match="already been started"):
        s2s.profiler.start_trace()
    with pytest.raises(RuntimeError, match="No profile started"):
        s2s.profiler.stop_trace()


def test_xla_computation():
    lowered, shapes = s2s.xla_computation(lambda x, k: {"y": x[k:]}, static_argnums=1, return_shape=True)(np.ones(3, np.float32), 1)
    assert isinstance(lowered, s2s.stages.Lowered)
    assert "def lambda__jit(x, k" in lowered.as_text()
    assert shapes == {"y": s2s.ShapeDtypeStruct((2,), np.float32)}
    assert lowered.as_hlo_text() == lowered.as_text()
    with pytest.raises(NotImplementedError, match="in_parts"):
        s2s.xla_computation(logs, in_parts=(2,))


def test_xla_computation_with_named_axes():
    """What is lowered runs for all examples along the axes; shapes are those of one."""

    def shares(x, k, y=None):
        return {"y": x[k:] * s2s.lax.psum(np.sum(x), "i") + s2s.lax.axis_index("j"), "count": s2s.lax.psum(1, ("i", "j"))}

    lowered, shapes = s2s.xla_computation(shares, static_argnums=1, axis_env=[("i", 4), ("j", 2)], return_shape=True)(np.ones(3, np.float32), 1)
    assert shapes == {"y": s2s.ShapeDtypeStruct((2,), np.float32), "count": s2s.ShapeDtypeStruct((), np.int64)}
    assert lowered.args_info[0][0].shape == (4, 2, 3)
    x = np.random.default_rng(0).standard_normal((4, 2, 3)).astype(np.float32)
    found = lowered.compile()(x)
    np.testing.assert_allclose(found["y"], x[:, :, 1:] * x.sum((0, 2))[None, :, None] + np.arange(2.0, dtype=np.float32)[None, :, None], rtol=1e-5)
    np.testing.assert_array_equal(found["count"], np.full((4, 2), 8))
    totals = s2s.xla_computation(lambda tree: s2s.lax.psum(tree, "i"), axis_env=[("i", 4)])({"a": 1.0, "b": np.ones(2)})
    assert totals.compile()({"a": np.arange(4.0), "b": np.ones((4, 2))})["a"].tolist() == [6.0] * 4
    with pytest.raises(NameError, match="unbound axis name: k"):
        s2s.xla_computation(lambda x: s2s.lax.psum(x, "k"), axis_env=[("i", 2)])(1.0)


# ---- dtypes, typing, test_util -------------------------------------------------------------------------------------------


def test_dtypes():
    assert s2s.dtypes.canonicalize_dtype("float") == np.float64
    assert s2s.dtypes.result_type(np.ones(2, np.float32), 1.0) == np.float32
    assert s2s.dtypes.result_type(np.float32, float) == np.float32
    assert s2s.dtypes.result_type(1, 2.0, return_weak_type_flag=True) == (np.dtype(np.float64), True)
    assert s2s.dtypes.result_type(np.float32(1), 2.0, return_weak_type_flag=True) == (np.dtype(np.float32), False)
    assert s2s.dtypes.promote_types(np.int32, np.float32) == np.float64
    assert s2s.dtypes.finfo(np.float32).eps == np.finfo(np.float32).eps
    assert s2s.dtypes.iinfo(np.int32).max == 2**31 - 1
    assert [s2s.dtypes.scalar_type_of(x) for x in (True, 1, 1.0, np.complex64(1))] == [bool, int, float, complex]
    assert [s2s.dtypes.itemsize_bits(x) for x in (bool, np.float32, complex)] == [8, 32, 128]
    assert s2s.dtypes.float0 == s2s.float0
    for wrong in (lambda: s2s.dtypes.canonicalize_dtype("U3"), lambda: s2s.dtypes.scalar_type_of("x")):
        with pytest.raises(TypeError):
            wrong()


def test_array_is_a_name_for_numpy_s():
    def f(x: s2s.Array, s: s2s.typing.ArrayLike = 1.0) -> s2s.Array:
        return x * s if isinstance(x, s2s.Array) and not isinstance(s, s2s.Array) else x

    assert on_numpy(f)(np.float64(2.0), 3.0) == 6.0
    assert [isinstance(x, s2s.Array) for x in (np.ones(1), np.float32(1), 1, [1.0])] == [True, True, False, False]


def test_check_jvp_and_check_vjp():
    f = on_numpy(lambda x, d: {"product": x * d["a"], "sine": np.sin(x), "count": d["k"]})
    args = (0.7, {"a": np.arange(3.0), "k": np.array([1, 2])})
    s2s.test_util.check_jvp(f, partial(s2s.jvp, f), args)
    s2s.test_util.check_vjp(f, partial(s2s.vjp, f), args)
    with pytest.raises(AssertionError, match="here JVP tangent: .* which differences say"):
        s2s.test_util.check_jvp(np.sin, lambda primals, tangents: (np.sin(*primals), tangents[0]), (0.5,), err_msg="here")
    with pytest.raises(AssertionError, match="VJP cotangent projection"):
        s2s.test_util.check_vjp(np.sin, lambda x: (np.sin(x), lambda bar: (bar,)), (0.5,))


def test_fwd_and_bwd():
    fwd, bwd = s2s.fwd_and_bwd(on_numpy(lambda x, w, k: (np.sum(np.tanh(w @ x)) * k, x)), argnums=(1, 0), has_aux=True)
    x, w = np.arange(3.0), np.eye(3) / 3
    out, residuals, aux = fwd(x, w, 2)
    slopes = s2s.grad(lambda w, x: 2 * np.sum(np.tanh(w @ x)), argnums=(0, 1))
    assert aux.tolist() == x.tolist()
    for one, other in zip(bwd(residuals, np.float64(1.0)), on_numpy(slopes)(w, x), strict=True):
        np.testing.assert_allclose(one, other)
    assert s2s.fwd_and_bwd(on_numpy(lambda x: x * x), 0)[1](s2s.fwd_and_bwd(on_numpy(lambda x: x * x), 0)[0](3.0)[1], 1.0) == (6.0,)
    with pytest.raises(ValueError, match="argnums=2 of a function that was called with 1 arguments"):
        s2s.fwd_and_bwd(np.sin, 2)[0](1.0)


def test_check_grads():
    s2s.test_util.check_grads(lambda x: np.sin(x) * x, (0.5,), order=2, modes=["fwd"], atol=1e-4, rtol=1e-4)

    @s2s.custom_jvp
    def wrong(x):
        return x * x

    wrong.defjvp(lambda primals, tangents: (wrong(*primals), tangents[0]))
    with pytest.raises(AssertionError):
        s2s.test_util.check_grads(wrong, (2.0,), order=1)


def test_dtypes_are_asked_for_in_what_is_read() -> None:
    """A loss that checks what it is given, as libraries write it."""
    def f(x: np.ndarray) -> np.ndarray:
        dtype = s2s.dtypes.result_type(x, 1.0)
        if not s2s.dtypes.issubdtype(s2s.dtypes.result_type(x), np.floating):
            raise TypeError(f"a float is needed, not {dtype}")
        kind = s2s.dtypes.result_type(np.float32, float)
        return x.astype(s2s.dtypes.canonicalize_dtype(dtype)) * np.ones(3, kind) * (1.0 if s2s.typeof(x).sharding is None else 2.0)

    for dtype in (np.float32, np.float64):
        x = np.array([0.5, 1.0, 2.0], dtype)
        found = s2s.jit(f, target="numpy")(x)
        assert found.dtype == f(x).dtype == dtype
        np.testing.assert_array_equal(found, f(x))
    for run in (f, s2s.jit(f, target="numpy")):
        with pytest.raises(TypeError, match="a float is needed, not float64"):
            run(np.arange(3))
