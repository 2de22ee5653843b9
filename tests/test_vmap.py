"""vmap: the stacked loop over the examples, bit for bit; JAX's specifications of axes and its errors."""
import functools

import numpy as np
import pytest
from click.testing import CliRunner
from numeric import map_leaves

import s2s
from s2s import cli, tree_util
from s2s.transforms.ir.program import Equation, callees, walk
from s2s.transforms.primitives.contract import contract
from s2s.transforms.primitives.structural import retype

RNG = np.random.default_rng(0)


def on_numpy(function):
    return s2s.jit(function, target="numpy")


def stacked(function, in_axes, out_axes, size, *args, **kwargs):
    """The loop over the examples, by Python."""
    def example(arg, axes, number):
        if isinstance(arg, dict):
            return {key: example(item, axes[key] if isinstance(axes, dict) else axes, number) for key, item in arg.items()}
        if isinstance(arg, tuple):
            return tuple(example(item, axes[k] if isinstance(axes, tuple) else axes, number) for k, item in enumerate(arg))
        return arg if axes is None else np.moveaxis(arg, axes, 0)[number]

    axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
    results = [
        function(*(example(arg, axis, number) for arg, axis in zip(args, axes, strict=True)), **{key: arg[number] for key, arg in kwargs.items()})
        for number in range(size)
    ]  # fmt: skip
    return tree_util.tree_map(lambda *leaves: np.moveaxis(np.stack(leaves), 0, out_axes), results[0], *results[1:])


def same(found, wanted):
    assert tree_util.tree_structure(found) == tree_util.tree_structure(wanted)

    def check(one, other):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_array_equal(one, other)

    map_leaves(check, found, wanted)


def close(found, wanted, rtol=1e-10):
    assert tree_util.tree_structure(found) == tree_util.tree_structure(wanted)
    map_leaves(lambda one, other: np.testing.assert_allclose(one, other, rtol=rtol, atol=1e-12), found, wanted)


# ---- each example its own way ------------------------------------------------------------------------------------------


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return x


def branches(x, y):
    if x[0] > 0.0:
        y = y * x[0]
        for i in range(len(x)):
            if x[i] < -0.5:
                break
            y += x[i]
    elif y > 0.0:
        return -1.0, y
    return x.sum(), y


def bounded(x, count):
    s = 0.0
    for i in range(count):
        if i == 3:
            continue
        s = s * 0.5 + x[i]
    return s, count // 2


def in_place(x, shift):
    x = x.copy()
    for i in range(1, len(x)):
        x[i] += x[i - 1] * shift
    x[x > 1.0] = shift
    return x, x[::-1]


def escape(re, im):
    x, y, count = 0.0, 0.0, 0
    while count < 30 and x * x + y * y < 4.0:
        x, y = x * x - y * y + re, 2.0 * x * y + im
        count += 1
    return count


def own_size(x, n):
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[i] * i
    return np.sum(y), y.max() if n > 0 else 0.0


PROGRAMS = [
    (newton, (RNG.uniform(1.0, 9.0, 5),)), (branches, (RNG.normal(size=(5, 3)), RNG.normal(size=5))), (bounded, (RNG.normal(size=(5, 6)), np.array([0, 6, 4, 3, 1]))),
    (in_place, (RNG.normal(size=(5, 4)), RNG.normal(size=5))), (escape, (RNG.uniform(-2, 1, 5), RNG.uniform(-1, 1, 5))),
    (own_size, (RNG.normal(size=(5, 6)), np.array([0, 6, 4, 3, 1]))),
]  # fmt: skip
NAMES = [function.__name__ for function, _ in PROGRAMS]


@pytest.mark.parametrize(("function", "args"), PROGRAMS, ids=NAMES)
@pytest.mark.parametrize("size", [1, 5])
def test_each_example_goes_its_own_way(function, args, size):
    args = tuple(arg[:size] for arg in args)
    batched = s2s.vmap(on_numpy(function))
    same(batched(*args), stacked(function, 0, 0, size, *args))
    empty = batched(*(arg[:0] for arg in args))
    assert all(leaf.shape[0] == 0 for leaf in tree_util.tree_leaves(empty))


@pytest.mark.parametrize(("function", "args"), PROGRAMS, ids=NAMES)
def test_each_argument_alone_and_other_axes(function, args):
    for number, arg in enumerate(args):
        in_axes = tuple(0 if k == number else None for k in range(len(args)))
        given = tuple(each if k == number else each[1] for k, each in enumerate(args))
        same(s2s.vmap(on_numpy(function), in_axes)(*given), stacked(function, in_axes, 0, len(arg), *given))
    last = tuple(np.ascontiguousarray(np.moveaxis(arg, 0, -1)) for arg in args)
    same(s2s.vmap(on_numpy(function), -1, -1)(*last), stacked(function, -1, -1, 5, *last))


def test_compiled_examples_are_those_of_numpy():
    for function, args in PROGRAMS:
        close(s2s.vmap(function)(*args), stacked(function, 0, 0, len(args[0]), *args))


def test_compositions():
    a = RNG.uniform(1.0, 9.0, 4)
    first, second = 0.5 / np.sqrt(a), -0.25 * a**-1.5

    def total(a):
        return np.sum(s2s.vmap(newton)(a))

    def total_slope(a):
        return np.sum(s2s.vmap(s2s.grad(newton))(a))

    def along(x, x_dot):
        return s2s.jvp(newton, (x,), (x_dot,))[1], s2s.vjp(newton, x)[1](x_dot)[0], s2s.linearize(newton, x)[1](x_dot)

    function = on_numpy(newton)
    close(s2s.vmap(s2s.grad(function))(a), first, 1e-6)
    close(s2s.vmap(s2s.value_and_grad(function))(a), (np.sqrt(a), first), 1e-6)
    close(s2s.grad(on_numpy(total))(a), first, 1e-6)
    close(s2s.grad(on_numpy(total_slope))(a), second, 1e-5)
    close(s2s.vmap(s2s.grad(s2s.grad(function)))(a), second, 1e-5)
    close(s2s.hessian(on_numpy(total))(a), np.diag(second), 1e-5)
    for jacobian in (s2s.jacfwd, s2s.jacrev):
        close(jacobian(s2s.vmap(function))(a), np.diag(first), 1e-6)
    close(s2s.jvp(s2s.vmap(function), (a,), (a,)), (np.sqrt(a), first * a), 1e-6)
    close(s2s.vjp(s2s.vmap(function), a)[1](a), (first * a,), 1e-6)
    close(s2s.linearize(s2s.vmap(function), a)[1](a), first * a, 1e-6)
    close(s2s.vmap(on_numpy(along))(a, a), (first * a,) * 3, 1e-6)


def residual(x, y):
    return np.array([x[0] * y, np.sin(x[1]) * y, x[0] * x[1]])


def test_batches_of_jacobians():
    x, y = RNG.normal(size=(3, 2)), RNG.normal(size=3)
    for jacobian in (s2s.jacfwd, s2s.jacrev, s2s.hessian):
        one = jacobian(on_numpy(residual))
        close(s2s.vmap(one)(x, y), stacked(one, 0, 0, 3, x, y))


def test_nested_batches():
    re, im = np.linspace(-2, 1, 5), np.linspace(-1, 1, 4)
    grid = s2s.vmap(s2s.vmap(on_numpy(escape), (0, None)), (None, 0))
    np.testing.assert_array_equal(grid(re, im), [[escape(a, b) for a in re] for b in im])
    np.testing.assert_array_equal(s2s.vmap(s2s.vmap(on_numpy(escape), (None, 0), 0), (0, None), 1)(re, im), grid(re, im))


# ---- rules of functions hold for batches --------------------------------------------------------------------------------


@s2s.custom_jvp
def steep(x):
    return x * x


@steep.defjvp
def _steep_jvp(primals, tangents):
    return steep(*primals), 100.0 * tangents[0]


@s2s.custom_vjp
def pulled(x):
    return x * x


pulled.defvjp(lambda x: (x * x, x), lambda kept, bar: (7.0 * kept * bar,))


@s2s.checkpoint
def waves(x):
    s = x
    for _ in range(5):
        s = np.sin(s) * x
    return s


@pytest.mark.parametrize(("function", "slope"), [(steep, lambda x: 100.0 + 0.0 * x), (pulled, lambda x: 7.0 * x), (waves, None), (s2s.checkpoint(newton, steps=3), None)])
def test_custom_rules_and_checkpoints(function, slope):
    a = RNG.uniform(1.0, 9.0, 4)
    wanted = np.array([s2s.grad(function)(each) for each in a]) if slope is None else slope(a)

    def total(a):
        return np.sum(s2s.vmap(function)(a) * a)

    close(s2s.vmap(s2s.grad(function))(a), wanted, 1e-9)
    close(s2s.grad(on_numpy(total))(a), wanted * a + np.array([function(each) for each in a]), 1e-9)


# ---- specifications -----------------------------------------------------------------------------------------------------


def layers(params, x, *, scale=1.0):
    return {"y": params["w"] * x + params["b"][0], "z": (x * scale, params["b"][1])}


def test_containers_keywords_and_prefixes():
    params = {"w": RNG.normal(size=(2, 5)), "b": (RNG.normal(size=5), 2.0)}
    x = RNG.normal(size=(5, 3))
    in_axes = ({"w": 1, "b": (0, None)}, (0))
    found = s2s.vmap(on_numpy(lambda p, x: layers(p, x[:2])), in_axes)(params, x)
    same(found, stacked(lambda p, x: layers(p, x[:2]), in_axes, 0, 5, params, x))
    found = s2s.vmap(on_numpy(lambda p, x: layers(p, x[:2])), [{"w": 1, "b": (0, None)}, 0], {"y": 1, "z": (0, None)})(params, x)
    np.testing.assert_array_equal(found["y"], (params["w"] * x[:, :2].T + params["b"][0]))
    assert found["z"][1] == 2.0
    found = s2s.vmap(on_numpy(layers), (None, 0))({"w": 2.0, "b": (1.0, 0.0)}, np.arange(3.0), scale=np.array([1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(found["z"][0], [0.0, 2.0, 6.0])
    np.testing.assert_array_equal(found["z"][1], [0.0, 0.0, 0.0])


def test_what_can_be_mapped():
    class Scale:
        def __init__(self, a):
            self.a = a

        def times(self, x):
            return self.a * x

    x = np.array([1.0, 2.0])
    np.testing.assert_array_equal(s2s.vmap(Scale(3.0).times)(x), 3.0 * x)
    np.testing.assert_array_equal(s2s.vmap(functools.partial(lambda a, x: a * x, 2.0))(x), 2.0 * x)
    np.testing.assert_array_equal(s2s.vmap(np.dot, (0, None))(np.eye(2), x), x)
    np.testing.assert_array_equal(s2s.vmap(lambda: 3.0, axis_size=2)(), [3.0, 3.0])
    assert s2s.vmap(lambda x: (x, 1.0), out_axes=(0, None), axis_size=2)(x)[1] == 1.0


def test_an_array_of_the_caller_is_changed_example_by_example():
    def change(x, shift):
        x[0] += shift
        return x.sum()

    x, shift = RNG.normal(size=(3, 2)), np.arange(3.0)
    for axis in (0, 1):
        given = np.ascontiguousarray(np.moveaxis(x, 0, axis))
        expected = given.copy()
        wanted = [change(np.moveaxis(expected, axis, 0)[k], shift[k]) for k in range(3)]
        np.testing.assert_array_equal(s2s.vmap(on_numpy(change), (axis, 0))(given, shift), wanted)
        np.testing.assert_array_equal(given, expected)
    with pytest.raises(s2s.UnsupportedError, match="writes into x, an array that all examples share"):
        s2s.vmap(on_numpy(change), (None, 0))(x[0], shift)
    with pytest.raises(s2s.ArgumentValueError, match="share memory"):
        s2s.vmap(on_numpy(change), (0, 0))(x, x[:, 0])


# ---- errors --------------------------------------------------------------------------------------------------------------

X, SEVEN = np.ones((3, 2)), np.ones(7)
ERRORS = [
    (lambda: s2s.vmap(newton)(3.0), ValueError, "along axis 0, which implies that its rank should be at least 1, but is only 0"),
    (lambda: s2s.vmap(newton, -2)(SEVEN), ValueError, "along axis -2, which implies that its rank should be at least 2, but is only 1"),
    (
        lambda: s2s.vmap(lambda p, x, y: x, (0, 1, 0))({"w": X}, np.ones((2, 3)), SEVEN), ValueError,
        "inconsistent sizes for array axes to be mapped:\n  * most axes (2 of them) had size 3, e.g. axis 0 of argument p['w'] of type float64[3,2];\n"
        "  * one axis had size 7: axis 0 of argument y of type float64[7]",
    ),
    (lambda: s2s.vmap(newton, axis_size=2)(SEVEN), ValueError, "the `axis_size` argument was 2"),
    (lambda: s2s.vmap(newton, None)(SEVEN), ValueError, "must have at least one non-None value in in_axes"),
    (lambda: s2s.vmap(lambda: 1.0)(), ValueError, "must be passed at least one argument"),
    (lambda: s2s.vmap(newton, "x"), TypeError, "in_axes must be an int, None, or a tuple"),
    (lambda: s2s.vmap(newton, ("x",)), TypeError, "in_axes must be an int, None, or (nested) container"),
    (lambda: s2s.vmap(newton, 0, "x"), TypeError, "out_axes must be an int, None, or (nested) container"),
    (lambda: s2s.vmap(newton, (0, 0))(SEVEN), ValueError, "len(in_axes)=2, len(args)=1"),
    (lambda: s2s.vmap(lambda p: p["a"], ({"b": 0},))({"a": X}), ValueError, "in_axes specification must be a tree prefix"),
    (lambda: s2s.vmap(lambda p: p["a"], ({"a": 0},))({"a": X, "b": X}), ValueError, "different numbers of pytree children at vmap in_axes[0]: the keys ['a'], but the value's are ['a', 'b']"),
    (lambda: s2s.vmap(lambda x: x, 0, (0, 0))(X), ValueError, "out_axes specification must be a tree prefix of the corresponding value; different types at vmap out_axes"),
    (lambda: s2s.vmap(lambda x: {"s": (x, x)}, 0, {"s": (0,)})(X), ValueError, "different lengths of tuple at vmap out_axes['s']: 1, but the value's is 2"),
    (lambda: s2s.vmap(lambda x: [x], 0, (0,))(X), ValueError, "a subtree of type tuple, but the value's is list"),
    (lambda: s2s.vmap(lambda x: {"s": [x], "t": x}, 0, {"s": [None], "t": 0})(X), ValueError, "at vmap out_axes['s'][0], got axis spec None"),
    (lambda: s2s.vmap(lambda x, s: x)(X, object()), TypeError, "of type <class 'object'> is not an array or a number"),
    (lambda: s2s.vmap(lambda x: x, axis_name=["a"])(X), TypeError, "unhashable type: 'list'"),
    (lambda: s2s.vmap(lambda x: x)("a"), TypeError, "Argument 'a' of type <class 'str'> is not"),
    (lambda: s2s.vmap(lambda x: "a")(X), TypeError, "Output from batched function 'a' with type <class 'str'> is not"),
    (lambda: s2s.vmap(lambda x: x, 0, None)(X), ValueError, "at vmap out_axes, got axis spec None but output was batched on axis 0"),
    (lambda: s2s.vmap(lambda x: x, 0, 2)(X), ValueError, "axis 2 is out of bounds for array of dimension 2"),
    (lambda: s2s.vmap(lambda n: np.zeros(n))(np.array([1, 2])), NotImplementedError, "returns an array whose size differs from example to example"),
    (lambda: s2s.vmap(lambda x: x[x > 0.0])(X), NotImplementedError, "returns an array whose size differs from example to example"),
    (lambda: on_numpy(lambda x, y: s2s.vmap(lambda a, b: a)(x, y))(X, SEVEN), ValueError, "one axis had size 7: axis 0 of argument b of type float64[7]"),
]


@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_errors(number):
    call, kind, words = ERRORS[number]
    with pytest.raises(kind) as caught:
        call()
    assert words in str(caught.value)


def test_sizes_are_looked_at_again_in_later_calls():
    batched = s2s.vmap(on_numpy(lambda x, y: x * y))
    batched(np.ones(3), np.ones(3))
    with pytest.raises(ValueError, match="one axis had size 4: axis 0 of argument y"):
        batched(np.ones(3), np.ones(4))
    with pytest.raises(ValueError, match="one axis had size 1: axis 0 of argument y"):
        batched(np.ones(3), np.ones(1))


def test_an_example_that_raises_is_named():
    def checked(x):
        if x < 0.0:
            raise ValueError(f"negative: {x}")
        return x

    for function in (checked, on_numpy(checked)):
        with pytest.raises(ValueError, match=r"negative: -1.0 \(example 2 of the batch\)"):
            s2s.vmap(function)(np.array([1.0, 2.0, -1.0]))


def rooted(x):
    if x < 0.0:
        raise ValueError("negative")
    return np.sqrt(x)


def rooted_often(x):
    total = 0.0
    for k in range(3):
        total = total + rooted(x - k)
    return total


def rooted_twice(x):
    return rooted_often(x) + rooted(x + 1.0)


def test_an_example_that_raises_in_a_helper_is_named():
    good, bad = np.array([2.5, 5.0, 9.0]), np.array([2.5, 5.0, 1.0])
    for function in (on_numpy(rooted_twice), s2s.grad(on_numpy(rooted_twice)), rooted_twice):
        np.testing.assert_allclose(s2s.vmap(function)(good), [function(x) for x in good])
        with pytest.raises(ValueError, match=r"^negative \(example 2 of the batch\)"):
            s2s.vmap(function)(bad)
        assert "example" in s2s.vmap(function).source(good)


def together(x, w):
    t, s, rows, most = np.zeros(3), 0.0, 0, 0.0
    for k in range(3):
        t[k] = w * k
        s = s + x * t[k]
        if w > k:
            rows += 1
            s = s * 2.0
        else:
            most = w + k
    return t, s, rows, most


def until(x, w):
    t, count = w, 0
    while t < 9.0:
        y = x
        for _ in range(2):
            t = t + w
            x = x + y * t
        count += 1
    return count, x, t * 2.0


def test_what_loops_compute_for_all_examples_is_no_batch():
    x = np.array([1.0, -2.0, 5.0])
    for fun, own in ((together, 1), (until, 1)):
        axes = tuple(0 if number == own else None for number in range(4 if fun is together else 3))
        for function in (on_numpy(fun), fun):
            found = s2s.vmap(function, in_axes=(0, None), out_axes=axes)(x, 1.5)
            wanted = [fun(each, 1.5) for each in x]
            for number, one in enumerate(found):
                np.testing.assert_allclose(one, wanted[0][number] if number != own else [each[own] for each in wanted])
        with pytest.raises(s2s.errors.ArgumentValueError, match="axis spec None but output was batched"):
            s2s.vmap(on_numpy(fun), in_axes=(None, 0), out_axes=axes)(1.5, x)
        with pytest.raises(s2s.errors.ArgumentValueError, match="axis spec None but output was batched"):
            s2s.vmap(on_numpy(fun), in_axes=(0, None), out_axes=None)(x, 1.5)


def test_the_command_line_and_what_modules_say_of_themselves(tmp_path):
    file = tmp_path / "lines.py"
    file.write_text("import numpy as np\n\n\ndef line(p, x):\n    return np.sum(p) * x\n")
    steps = ["--transform", "grad", "--transform", "vmap", "--in-axes", "(None, 0)", "--out-axes", "1"]
    result = CliRunner().invoke(cli.main, ["emit", f"{file}:line", *steps, "--args", "f8[:], f8[:]", "--stdout", "--target", "numpy"])
    assert result.exit_code == 0, result.output
    assert "s2s emit lines.py:line --transform grad --transform vmap --in-axes '(None, 0)' --out-axes 1 --args" in result.stdout
    assert '"""Batch of gradient of line(p, x).' in result.stdout
    space = {}
    exec(compile(result.stdout, "lines_vmap.py", "exec"), space)  # noqa: S102 - what was emitted
    np.testing.assert_array_equal(space["line_grad_vmap"](np.ones(2), np.arange(3.0)), [[0.0, 1.0, 2.0]] * 2)
    trees = ["--in-axes", "({'a': [0], 2: None}, 0)", "--out-axes", "{'b': (0,)}", "--args", "{'a': [f8[:]], 2: f8}, f8[:]"]
    file.write_text("def line(p, x):\n    return {'b': (p['a'][0] * x + p[2],)}\n")
    result = CliRunner().invoke(cli.main, ["emit", f"{file}:line", "--transform", "vmap", *trees, "--stdout", "--target", "numpy"])
    assert result.exit_code == 0, result.output
    assert """--in-axes '({"a": [0], 2: None}, 0)' --out-axes '{"b": (0,)}' --args""" in result.stdout
    bad = CliRunner().invoke(cli.main, ["emit", f"{file}:line", "--transform", "vmap", "--in-axes", "(None", "--args", "f8[:], f8[:]"])
    assert bad.exit_code == 2
    assert "can't read --in-axes" in bad.stderr


# ---- what is one product for all examples ---------------------------------------------------------------------------------


def dense(p, x):
    return np.tanh(p["w"] @ x + p["b"])


def two_layers(p, x):
    return p["v"] @ dense(p, x) - x[0], np.sum(x * x)


def weights(batch):
    return {"w": RNG.normal(size=(4, 3)), "b": RNG.normal(size=4), "v": RNG.normal(size=(2, 4))}, RNG.normal(size=(batch, 3))


def products(function):
    return [node for node in walk(function.body) if isinstance(node, Equation) and node.primitive is contract]


@pytest.mark.parametrize("axis", [0, 1])
def test_products_with_a_shared_matrix_are_one(axis):
    p, x = weights(5)
    x = np.ascontiguousarray(np.moveaxis(x, 0, axis))
    batched = s2s.vmap(on_numpy(two_layers), (None, axis))
    close(batched(p, x), stacked(two_layers, (None, axis), 0, 5, p, x), 1e-13)
    program = batched.program(p, x)
    assert [node.outs[0].type.ndim for node in program.body.nodes if isinstance(node, Equation) and node.primitive is contract] == [2, 2]


def test_gradients_of_each_example_are_one_loop_without_arrays_of_all():
    p, x = weights(5)
    gradient = s2s.vmap(s2s.grad(on_numpy(lambda p, x: np.sum(two_layers(p, x)[0] ** 2))), (None, 0))
    close(gradient(p, x), stacked(s2s.grad(on_numpy(lambda p, x: np.sum(two_layers(p, x)[0] ** 2))), (None, 0), 0, 5, p, x))
    made = [node for node in gradient.program(p, x).body.nodes if isinstance(node, Equation) and node.primitive is not retype and node.outs[0].type.ndim > 1]
    results = gradient(p, x)
    assert sorted(node.outs[0].type.ndim for node in made) == sorted(np.ndim(leaf) for leaf in tree_util.tree_leaves(results) if np.ndim(leaf) > 1)


def test_the_gradient_of_a_batch_has_products_of_matrices():
    p, x = weights(5)

    def loss(p, x):
        return np.mean(s2s.vmap(two_layers, (None, 0))(p, x)[0] ** 2)

    gradient = s2s.grad(on_numpy(loss))
    slope = gradient(p, x)
    for name in p:
        for place in np.ndindex(p[name].shape):
            moved = [{**p, name: p[name] + sign * 1e-6 * (np.arange(p[name].size).reshape(p[name].shape) == np.ravel_multi_index(place, p[name].shape))} for sign in (1, -1)]
            up, down = (np.mean(np.stack([two_layers(each, row)[0] for row in x]) ** 2) for each in moved)
            np.testing.assert_allclose(slope[name][place], (up - down) / 2e-6, rtol=1e-6, atol=1e-8)
    assert sum(len(products(function)) for function in callees(gradient.program(p, x))) == 5


def test_results_are_arrays_of_their_own():
    x, w = RNG.normal(size=(2, 3)), np.ones(3)
    for target in ("numpy", "cpu"):
        for axis in (0, 1):
            whole, turned, again = s2s.vmap(s2s.jit(lambda x: (x, x[::-1], x), target=target), axis, axis)(x)
            np.testing.assert_array_equal(whole, x)
            np.testing.assert_array_equal(turned, np.flip(x, 1 - axis))
            assert not any(np.shares_memory(one, other) for one, other in ((whole, x), (turned, x), (again, x), (whole, again)))
        shared = s2s.vmap(s2s.jit(lambda x, w: w, target=target), (0, None), None)(x, w)
        assert not np.shares_memory(shared, w)


def test_memory_of_results_that_examples_share():
    """What a fuzzer found: filled memory that a shared result copies is no example's own."""
    def both(x):
        g = np.zeros(3)
        h = np.zeros(3)
        h[0] = x
        return g.copy(), h

    x = np.arange(2.0)
    for found in (s2s.vmap(on_numpy(both))(x), s2s.vmap(on_numpy(both), out_axes=(None, 0))(x)):
        np.testing.assert_array_equal(found[0], np.zeros((2, 3)) if found[0].ndim == 2 else np.zeros(3))
        np.testing.assert_array_equal(found[1], [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])


# ---- checks of users' own --------------------------------------------------------------------------------------------------

def test_check_vmap():
    s2s.check_vmap(layers, ({"w": 2.0, "b": (1.0, 0.0)}, np.arange(3.0)), (None, 0), kwargs={"scale": np.array([1.0, 2.0, 3.0])})
    s2s.check_vmap(in_place, (RNG.normal(size=(4, 3)), RNG.normal(size=3)), -1, 1)

    with pytest.raises(s2s.BatchCheckError, match="differs from the loop over the examples by"):
        s2s.check_vmap(lambda x: 1.0 * x, (np.ones(3, np.float32),), 0, 0, rtol=-1.0, atol=-1.0)


def test_verify_batches(tmp_path):
    file = tmp_path / "roots.py"
    file.write_text("def root(a, n):\n    x = a\n    for _ in range(n):\n        x = 0.5 * (x + a / x)\n    return x\n")
    result = CliRunner().invoke(cli.main, ["verify", f"{file}:root", "--args", "f8, 4", "--modes", "vmap"])
    assert result.exit_code == 0, result.output
    assert "vmap of root" in result.output


def test_names_and_sizes_of_axes_on_the_command_line(tmp_path):
    file = tmp_path / "named_axes_of_users.py"
    file.write_text("from s2s import lax\n\n\ndef centred(x, y):\n    return x - lax.psum(y, ('a', 'b')) + lax.axis_index('a')\n\n\ndef twice(x):\n    return 2.0 * x\n")

    def emit(*arguments):
        result = CliRunner().invoke(cli.main, ["emit", *arguments, "--stdout", "--target", "numpy"])
        assert result.exit_code == 0, result.output
        names = {}
        exec(result.stdout, names)
        return result.stdout, names

    text, names = emit(f"{file}:centred", "--transform", "vmap", "--transform", "vmap", "--axis-name", "a", "--axis-name", "b", "--args", "f8[:,:], f8[:,:]")
    assert "--transform vmap --transform vmap --axis-name a --axis-name b --args" in text
    x, y = RNG.normal(size=(2, 3)), RNG.normal(size=(2, 3))
    np.testing.assert_allclose(names["centred_vmap_vmap"](x, y), x - np.sum(y) + np.arange(3), rtol=1e-14)
    text, names = emit(f"{file}:twice", "--transform", "vmap", "--transform", "vmap", "--in-axes", "None", "--in-axes", "0", "--axis-size", "4", "--axis-size", "-", "--args", "f8[:]")
    assert "--axis-size 4 --axis-size - --args" in text
    np.testing.assert_array_equal(names["twice_vmap_vmap"](np.arange(2.0)), np.array([[0.0] * 4, [2.0] * 4]))
    bad = CliRunner().invoke(cli.main, ["emit", f"{file}:twice", "--transform", "vmap", "--axis-size", "four", "--args", "f8[:]"])
    assert bad.exit_code == 2 and "can't read --axis-size 'four'" in bad.stderr


# ---- pullbacks of batches ----------------------------------------------------------------------------------------------


def part_zero(a, b, P):
    return np.sum(a * np.ones(5)) + np.sum(b * b) + np.sum(P * np.zeros((5, 5)).T)


def pulled_back(args, bar):
    return s2s.vjp(part_zero, *args)[1](bar)


@pytest.mark.parametrize(("in_axes", "bar"), [((None, 0, None), None), ((None, None, None), 0), ((None, None, 0), 0), ((0, None, None), None)])
def test_cotangents_of_what_examples_share(in_axes, bar):
    """Some are the same for all examples, and sizes of the forward half are known by several names."""
    one = tuple(RNG.normal(size=shape) for shape in ((5,), (5,), (5, 5)))
    many = tuple(np.stack([each, 2.0 * each, -each]) for each in one)
    given = tuple(each if axis is None else all_ for each, all_, axis in zip(one, many, in_axes, strict=True))
    found = s2s.vmap(on_numpy(pulled_back), (in_axes, bar))(given, np.arange(3.0) if bar == 0 else 1.5)
    bars = np.arange(3.0) if bar == 0 else np.full(3, 1.5)
    second = many[1] if in_axes[1] == 0 else np.stack([one[1]] * 3)
    np.testing.assert_array_equal(found[0], np.multiply.outer(bars, np.ones(5)))
    np.testing.assert_allclose(found[1], bars[:, None] * 2.0 * second, rtol=1e-15)
    np.testing.assert_array_equal(found[2], np.zeros((3, 5, 5)))


def test_a_product_with_memory_that_examples_share():
    def filled(c):
        return 0.3 * (np.zeros((5, 5)) @ c) + np.ones((5, 5)) @ np.sin(c)

    c = RNG.normal(size=(3, 5))
    np.testing.assert_allclose(s2s.vmap(on_numpy(filled))(c), np.sin(c).sum(axis=1)[:, None] * np.ones(5), rtol=1e-13)
    np.testing.assert_allclose(s2s.vmap(s2s.jacfwd(on_numpy(filled)))(c), np.cos(c)[:, None, :] * np.ones((5, 1)), rtol=1e-13)


def rows_and_arguments(a, P, x, k):
    """What c sees has one length or another; it begins as the argument's."""
    c = a.copy()
    z = 1.0
    for _ in range(k, 4):
        for t in c:
            z = 0.5 * t + x
            c = P[2]
        n = 0
        while n < k:
            n += 1
            x += np.sum(c[:3])
        P *= 0.5
    return x * z + np.sum(a * c)


def rows_and_copies(a, P, x, k):
    return rows_and_arguments(a, P.copy(), x, k)


def test_pullbacks_of_functions_that_carry_a_length():
    rng = np.random.default_rng(3)
    a, P, x, k = rng.normal(size=(3, 5)), rng.normal(size=(3, 5, 5)), rng.normal(size=3), np.array([1, 3, 2])
    with s2s.disable_jit():
        found = s2s.vmap(lambda a, P, x, k: s2s.vjp(lambda *first: rows_and_copies(*first, k), a, P, x)[1](1.0))(a, P, x, k)
    one = on_numpy(s2s.grad(rows_and_copies, argnums=(0, 1, 2)))
    for number in range(3):
        for part, other in zip(found, one(a[number], P[number], x[number], int(k[number])), strict=True):
            np.testing.assert_allclose(part[number], other, rtol=1e-12)


def test_no_size_has_the_name_of_an_argument():
    """Of containers neither: `p, q = x.shape` would hide p."""
    def network(p, n, x):
        return np.tanh(p["w"] @ x + p["b"]).sum() * n["scale"]

    text = s2s.vmap(s2s.grad(network), (None, None, 0)).source({"w": np.ones((2, 3)), "b": np.ones(2)}, {"scale": 2.0}, np.ones((4, 3)))
    assert "x: float64[r, s]" in text
    assert "float64[n" not in text
    assert "float64[p" not in text
