"""checkpoint: the same derivatives from less memory. What policies keep, how often the steps of a loop are run, and what exists of it."""
from __future__ import annotations

import math
from functools import cache, partial

import numpy as np
import pytest
from staging import run, simplified, stage

import s2s
from s2s import checkpoint_policies as policies
from s2s.transforms.checkpoints import checkpoint, snapshot_schedule, snapshots
from s2s.transforms.checkpoints.snapshots import with_snapshots
from s2s.transforms.derivatives import derive
from s2s.transforms.ir import interpret
from s2s.transforms.ir.program import Equation, callees, walk
from s2s.transforms.simplify.simplification import simplify

RANDOM = np.random.default_rng(0)
W, X = RANDOM.normal(size=(3, 3)), RANDOM.normal(size=3)


@pytest.fixture(autouse=True)
def _on_numpy(request):
    if request.node.name.startswith("test_compiled"):
        yield
        return
    with s2s.disable_jit():
        yield


# ---- policies: what is kept -----------------------------------------------------------------------------------------


def affine(w, x):
    return s2s.checkpoint_name(w @ x, "affine")


def network(w, x):
    h = np.tanh(affine(w, x))
    h = s2s.checkpoint_name(np.sin(h) * h, "hidden")
    for _ in range(3):
        h = np.sin(h) * h + x
    if np.sum(h) > 0.0:
        h = np.exp(-h)
    y = np.einsum("ij,j->i", w, h)
    return np.sum(np.einsum("i,i->i", y, h))


def kept(fun, policy, *args):
    """The names of what the reverse sweep gets beside the arguments."""
    staged = checkpoint.checkpointed(stage(fun, args), policy)
    first, second = derive.vjp(staged)
    params = set(staged.function.params)
    residuals = [first.function.body.results[result.number] for result in first.result[1]]
    simplified(first), simplified(second)
    return sorted(residual.name for residual in residuals if residual not in params and residual.type.shape and not is_copy_of(first, residual, params))


def is_copy_of(staged, var, params):
    makers = [node for node in staged.function.body.nodes if var in node.outs]
    return bool(makers) and isinstance(makers[0], Equation) and makers[0].primitive.name == "copy" and makers[0].ins[0] in params


@pytest.mark.parametrize(("policy", "names"), [
    (policies.nothing_saveable, []),
    (policies.dots_saveable, ["contract", "y"]),
    (policies.dots_with_no_batch_dims_saveable, ["contract", "y"]),
    (policies.save_only_these_names("affine"), ["affine"]),
    (policies.save_only_these_names("nobody"), []),
    (policies.save_any_names_but_these("affine"), ["h"]),
    (policies.save_from_both_policies(policies.save_only_these_names("affine"), policies.save_only_these_names("hidden")), ["affine", "h"]),
    (lambda primitive, *types, **params: primitive.name == "tanh", ["h"]),
])  # fmt: skip
def test_policies_keep_what_they_say(policy, names):
    assert kept(network, policy, W, X) == names


def test_everything_but_a_name_computes_it_again():
    def fun(x):
        return np.sum(np.exp(s2s.checkpoint_name(np.sin(x), "wave")))

    assert "wave" not in kept(fun, policies.save_anything_except_these_names("wave"), X)
    assert kept(fun, policies.save_any_names_but_these("other"), X) == ["wave"]


ALL = [
    None, policies.everything_saveable, policies.nothing_saveable, policies.dots_saveable, policies.dots_with_no_batch_dims_saveable,
    policies.save_only_these_names("hidden"), policies.save_any_names_but_these("hidden"), policies.save_anything_except_these_names("affine"),
    lambda primitive, *types, **params: primitive.name in ("sin", "mul"),
]  # fmt: skip


@pytest.mark.parametrize("policy", ALL)
def test_derivatives_are_the_same(policy):
    remade = s2s.checkpoint(network, policy=policy)
    assert remade(W, X) == network(W, X)
    for found, wanted in zip(s2s.grad(remade, (0, 1))(W, X), s2s.grad(network, (0, 1))(W, X), strict=True):
        np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(s2s.jvp(remade, (W, X), (W, X)), s2s.jvp(network, (W, X), (W, X)))
    out, pull = s2s.vjp(remade, W, X)
    np.testing.assert_array_equal(pull(2.0)[1], s2s.vjp(network, W, X)[1](2.0)[1])
    along = partial(s2s.jvp, s2s.grad(remade, 1), (W, X))
    np.testing.assert_allclose(along((W, X))[1], s2s.jvp(s2s.grad(network, 1), (W, X), (W, X))[1], rtol=1e-12)


def test_second_order_in_all_modes():
    remade = s2s.checkpoint(network, policy=policies.dots_saveable)

    def reverse_over_reverse(fun):
        return s2s.vjp(s2s.grad(fun, 1), W, X)[1](X)[0]

    def reverse_over_forward(fun):
        return s2s.grad(lambda w, x: s2s.jvp(fun, (w, x), (w, x))[1])(W, X)

    for mode in (reverse_over_reverse, reverse_over_forward):
        np.testing.assert_allclose(mode(remade), mode(network), rtol=1e-11)
    np.testing.assert_allclose(s2s.hessian(remade, 1)(W, X), s2s.hessian(network, 1)(W, X), rtol=1e-11)


def cell(w, h, x):
    return np.tanh(w @ h + x)


def recurrent(w, h, xs):
    for t in range(len(xs)):
        h = cell(w, h, xs[t])
    for _ in range(len(xs) - 1, -1, -2):
        z = s2s.checkpoint_name(np.sin(h) * h, "z")
        h = np.exp(-z * z) + w @ z
    return np.sum(h * h)


@pytest.mark.parametrize(("policy", "kinds"), [
    (policies.dots_saveable, ["f8[4, 3] contract_kept", "f8[7, 3] contract_kept"]),
    (policies.save_only_these_names("z"), ["f8[4, 3] z_kept"]),
    (lambda primitive, *types, **params: primitive.name == "tanh", ["f8[7, 3] tanh_kept"]),
])  # fmt: skip
def test_values_in_loops_are_kept_for_all_trips(policy, kinds, capsys):
    args = (W, X, RANDOM.normal(size=(7, 3)))
    remade = s2s.checkpoint(recurrent, policy=policy)
    s2s.print_saved_residuals(remade, *args)
    lines = [line for line in capsys.readouterr().out.splitlines() if "from the argument" not in line]
    assert sorted(line.partition(", filled")[0] for line in lines) == kinds
    for found, wanted in zip(s2s.grad(remade, (0, 1, 2))(*args), s2s.grad(recurrent, (0, 1, 2))(*args), strict=True):
        np.testing.assert_array_equal(found, wanted)
    np.testing.assert_allclose(s2s.vjp(s2s.grad(remade, 1), *args)[1](X)[0], s2s.vjp(s2s.grad(recurrent, 1), *args)[1](X)[0], rtol=1e-11)


# ---- inside the user's code -----------------------------------------------------------------------------------------


@s2s.checkpoint
def layer(p, x):
    return {"y": np.tanh(p["w"] @ x) + p["b"], "x": (x,)}


@s2s.remat(policy=policies.dots_saveable, static_argnums=(2,))
def activated(w, x, kind):
    return np.tanh(w @ x) if kind == "tanh" else np.sin(w @ x)


class Net:
    scale = 2.0

    @s2s.checkpoint
    def __call__(self, w, x):
        return np.sin(w @ x) * self.scale

    @s2s.checkpoint
    def twice(self, w, x):
        return self(w, self(w, x))


NET = Net()


def everywhere(w, x):
    for _ in range(2):
        x = layer({"w": w, "b": x}, x)["y"]
    z = activated(w, x, "tanh") + activated(w, x, "sin")
    z = s2s.checkpoint(lambda v: np.cos(w @ v) * v)(z)

    @s2s.checkpoint
    def inner(v):
        return s2s.checkpoint(lambda u: u * u)(v) + np.sum(z)

    return np.sum(NET.twice(w, inner(z)) ** 2)


def plainly(w, x):
    for _ in range(2):
        x = np.tanh(w @ x) + x
    z = np.tanh(w @ x) + np.sin(w @ x)
    z = np.cos(w @ z) * z
    z = z * z + np.sum(z)
    for _ in range(2):
        z = np.sin(w @ z) * 2.0
    return np.sum(z**2)


def test_decorators_methods_closures_and_nesting():
    assert everywhere(W, X) == plainly(W, X)
    assert s2s.jit(everywhere)(W, X) == pytest.approx(plainly(W, X), rel=1e-14)
    for found, wanted in zip(s2s.grad(everywhere, (0, 1))(W, X), s2s.grad(plainly, (0, 1))(W, X), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-11)
    both = [s2s.grad(lambda w, x, f=f: np.sum(s2s.grad(f, 1)(w, x) ** 2))(W, X) for f in (everywhere, plainly)]
    np.testing.assert_allclose(both[0], both[1], rtol=1e-9)


def test_recursively():
    def chain(functions):
        if len(functions) == 1:
            return functions[0]
        first, second = chain(functions[: len(functions) // 2]), chain(functions[len(functions) // 2 :])
        return lambda x: second(s2s.checkpoint(first)(x))

    gradient = s2s.grad(chain([lambda x: np.sin(x), lambda x: np.exp(x), lambda x: np.cos(x)]))
    assert gradient(0.3) == pytest.approx(-math.sin(math.exp(math.sin(0.3))) * math.exp(math.sin(0.3)) * math.cos(0.3), rel=1e-14)


def test_arguments_that_are_updated():
    def smooth(u):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i - 1] + u[i + 1] * u[i])
        return np.sum(u)

    def both(fun):
        def loss(u):
            u = u * 1.0
            return fun(u) + np.sum(u * u)
        return loss

    u = RANDOM.normal(size=6)
    np.testing.assert_allclose(s2s.grad(both(s2s.checkpoint(smooth)))(u), s2s.grad(both(smooth))(u), rtol=1e-14)


def test_called_by_itself_it_is_the_function():
    seen = []
    remade = s2s.checkpoint(lambda x: seen.append(x) or x)
    assert remade("anything") == "anything"
    assert seen == ["anything"]
    assert s2s.checkpoint(policy=policies.dots_saveable)(network)(W, X) == network(W, X)
    assert s2s.remat is s2s.checkpoint
    assert s2s.checkpoint(network) is s2s.checkpoint(network)
    assert s2s.checkpoint_name({"a": 1}, "a") == {"a": 1}


def test_options_are_checked():
    with pytest.raises(TypeError, match="Expected a callable value"):
        s2s.checkpoint(3)
    with pytest.raises(NotImplementedError, match="concrete"):
        s2s.checkpoint(network, concrete=True)
    with pytest.raises(TypeError, match="prevent_cse must be a bool or tuple of bools"):
        s2s.checkpoint(network, prevent_cse=1.0)
    with pytest.raises(TypeError, match="policy must be a callable"):
        s2s.checkpoint(network, policy="dots")
    with pytest.raises(TypeError, match="must be an int or a tuple of ints"):
        s2s.checkpoint(network, static_argnums="w")
    with pytest.raises(ValueError, match="can only take integer values"):
        s2s.checkpoint(lambda x, y=1: x * y, static_argnums=1)(2.0)
    with pytest.raises(ValueError, match="can only take integer values"):
        s2s.checkpoint(network, static_argnums=2)
    with pytest.raises(TypeError, match="steps must be"):
        s2s.checkpoint(network, steps=1.5)
    with pytest.raises(ValueError, match="steps must be at least 1"):
        s2s.checkpoint(network, steps=0)
    with pytest.raises(ValueError, match="should be a boolean"):
        s2s.grad(s2s.checkpoint(network, policy=policies.save_from_both_policies(lambda *_, **__: 1, policies.nothing_saveable)))(W, X)
    with pytest.raises(TypeError, match="must be a str"):
        s2s.grad(lambda x: s2s.checkpoint_name(x, 3) ** 2)(1.0)


def test_a_named_array_is_not_stored_into_while_its_origin_is_used():
    def fun(x):
        y = np.sin(x)
        z = s2s.checkpoint_name(y, "y")
        z[0] = 1.0
        return np.sum(y * z)

    with pytest.raises(s2s.UnsupportedError):
        s2s.grad(fun)(X)


@s2s.checkpoint
def tail(x):
    return x[1:]


def stores_into_its_argument(x):
    x = x * 1.0
    y = tail(x)
    y[0] = 5.0
    return np.sum(x)


def reads_it_only(x):
    x = x * 1.0
    y = tail(x)
    return np.sum(x) + np.sum(y * y)


def test_results_that_share_storage_with_arguments():
    np.testing.assert_array_equal(s2s.grad(stores_into_its_argument)(X), [1.0, 0.0, 1.0])
    np.testing.assert_array_equal(s2s.grad(reads_it_only)(X), 1.0 + 2.0 * X * (np.arange(3) > 0))


def test_print_saved_residuals(capsys):
    s2s.print_saved_residuals(s2s.checkpoint(network, policy=policies.save_only_these_names("hidden")), W, X)
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["f8[3, 3] from the argument w", "f8[3] from the argument x"]
    assert lines[2].startswith("f8[3] named 'hidden' from ") and "test_checkpoint.py" in lines[2]
    assert len(lines) == 3


def test_a_result_whose_size_is_found_inside():
    def evens(x):
        y = x[x > 0.0]
        return np.sin(y) * y

    def loss(fun):
        return lambda x: np.sum(fun(x) ** 2)

    for policy in (None, policies.save_only_these_names("none"), lambda primitive, *types, **params: primitive.name == "sin"):
        np.testing.assert_allclose(s2s.grad(loss(s2s.checkpoint(evens, policy=policy)))(X), s2s.grad(loss(evens))(X), rtol=1e-14)
    np.testing.assert_array_equal(s2s.vjp(s2s.checkpoint(evens), X)[1](np.ones(int(np.sum(X > 0))))[0], s2s.vjp(evens, X)[1](np.ones(int(np.sum(X > 0))))[0])


# ---- schedules ------------------------------------------------------------------------------------------------------


def known_places(segments, count):
    places, done = [], 0
    while done < segments:
        places.append(done)
        done += snapshot_schedule.next_snapshot(segments - done, count - len(places) + 1)
    assert done == segments and len(places) <= count
    return places


def online_places(segments, count):
    levels, slots, at = np.zeros(count, int), np.arange(count), np.zeros(count, int)
    for segment in range(segments):
        at[snapshot_schedule.replaced_snapshot(levels, slots, min(segment, count))] = segment
    return at[slots[: min(segments, count)]].tolist()


def run_again(places, segments, count):
    """How many segments are run to get to each, last first."""
    places, runs = list(places), 0
    for segment in range(segments - 1, -1, -1):
        done = places[-1]
        while done < segment and len(places) < count:
            ahead = snapshot_schedule.next_snapshot(segment + 1 - done, count - len(places) + 1)
            assert 1 <= ahead <= segment - done
            done, runs = done + ahead, runs + ahead
            places.append(done)
        runs += segment - done
        if places[-1] == segment:
            places.pop()
    assert places == []
    return runs


@cache
def fewest(segments, snapshots):
    """The fewest runs of a segment (dynamic programming); the first run up to the last segment counts."""
    if segments <= 1:
        return 0
    if snapshots == 1:
        return segments * (segments - 1) // 2
    return min(ahead + fewest(segments - ahead, snapshots - 1) + fewest(ahead, snapshots) for ahead in range(1, segments))


@pytest.mark.parametrize("count", [2, 3, 5, 10])
@pytest.mark.parametrize("segments", [1, 2, 3, 5, 10, 11, 30, 100])
def test_schedules_are_best_or_nearly(count, segments):
    runs = 0
    while math.comb(count + runs, runs) < segments:
        runs += 1
    again = run_again(known_places(segments, count), segments, count)
    assert again <= fewest(segments, count) - (segments - 1) + runs  # the last segment is reached once more
    places = online_places(segments, count)
    assert places == sorted(set(places)) and places[0] == 0
    assert run_again(places, segments, count) <= fewest(segments, count)


# ---- loops reversed from snapshots ------------------------------------------------------------------------------------


def explicit(x, a, n):
    for _ in range(n):
        x = x + 0.01 * np.sin(a * x)
    return np.sum(x * x)


@pytest.mark.parametrize("count", [1, 2, 3, 10, "auto"])
def test_any_number_of_trips(count):
    x, a = X[:2], W[0, :2]
    gradient, remade = s2s.grad(explicit, (0, 1)), s2s.grad(s2s.checkpoint(explicit, steps=count), (0, 1))
    for trips in (0, 1, 2, 3, 4, 10, 11, 101):
        for found, wanted in zip(remade(x, a, trips), gradient(x, a, trips), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-12)


def until_small(x, tolerance):
    error, k = 1.0, 0
    while error > tolerance:
        y = x - 0.1 * np.sin(x) * x
        error = np.sum(np.abs(y - x))
        x = y
        k += 1
    return np.sum(x * x) * (1.0 + 0.1 * k)


def leaves_early(x, n):
    s = 0.0
    for i in range(n):
        x = x * 1.1
        if np.sum(x) > 50.0:
            break
        if i % 3 == 1:
            continue
        s += np.sum(np.sin(x))
        if s < -5.0:
            return s * 2.0
    return s + np.sum(x)


def in_place(u, n):
    for _ in range(n):
        for i in range(1, len(u) - 1):
            u[i] = u[i] + 0.25 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) / (1.0 + u[i] * u[i])
    return np.sum(u * u)


def trajectory(x, n):
    out = np.zeros(100)
    for i in range(n):
        x = x + 0.1 * np.cos(x)
        out[i] = x * x
    return np.sum(np.sin(out))


def one_step(x, p):
    return x + 0.05 * np.tanh(p @ x)


def backwards_by_two(x, p, n):
    for _ in range(n):
        x = one_step(x, p)
    for i in range(n - 1, -1, -2):
        x = one_step(x, p) * np.cos(0.1 * i)
    return np.sum(x * x)


def by_a_matrix(x, p, n):
    for _ in range(n):
        x = np.tanh(p @ x)
    return np.sum(x * x)


def with_layers(x, p, n):
    for _ in range(n):
        x = layer({"w": p, "b": x}, x)["y"]
    return np.sum(x * x)


def by_steps(x, first, last, step):
    for i in range(first, last, step):
        x = np.sin(x) * (1.0 + 0.1 * i)
    return np.sum(x)


def in_a_branch(x, n):
    if x > 0.0:
        for _ in range(n):
            x = np.sin(x) + 0.1
    else:
        while x < 3.0:
            x = x * x + 0.5
    return x


def solved(x, n):
    for _ in range(n):
        x = x - 0.1 * x**3
    return x


def in_helpers(x, n):
    y = solved(x, n) + solved(2.0 * x, n)
    return y * y


LOOPS = [
    (until_small, (np.abs(X), 1e-2)), (leaves_early, (np.abs(X), 30)), (in_place, (RANDOM.normal(size=5), 11)), (trajectory, (0.3, 50)),
    (backwards_by_two, (X, W, 23)), (by_a_matrix, (X, W, 23)), (with_layers, (X, W, 9)), (by_steps, (X, 20, 0, -3)), (in_a_branch, (0.5, 20)), (in_a_branch, (-0.5, 20)), (in_helpers, (0.7, 20)),
]  # fmt: skip


@pytest.mark.parametrize("count", [1, 3, "auto"])
@pytest.mark.parametrize(("fun", "args"), LOOPS)
def test_loops(fun, args, count):
    remade = s2s.checkpoint(fun, steps=count)
    np.testing.assert_allclose(s2s.grad(remade)(*args), s2s.grad(fun)(*args), rtol=1e-12)


@pytest.mark.parametrize(("fun", "args"), [LOOPS[0], LOOPS[2], LOOPS[3], LOOPS[8]])
def test_loops_in_all_modes(fun, args):
    remade = s2s.checkpoint(fun, steps=2)
    free = np.zeros((), [("float0", np.void, 0)])
    dots = tuple(1.0 if isinstance(arg, float) else free if isinstance(arg, int) else np.ones_like(arg) for arg in args)
    np.testing.assert_allclose(s2s.jvp(remade, args, dots)[1], s2s.jvp(fun, args, dots)[1], rtol=1e-13)
    np.testing.assert_allclose(s2s.jvp(s2s.grad(remade), args, dots)[1], s2s.jvp(s2s.grad(fun), args, dots)[1], rtol=1e-11)
    bar = np.ones_like(args[0])
    np.testing.assert_allclose(s2s.vjp(s2s.grad(remade), *args)[1](bar)[0], s2s.vjp(s2s.grad(fun), *args)[1](bar)[0], rtol=1e-11)


def test_reverse_over_forward_and_with_a_policy():
    def along(fun):
        return s2s.grad(lambda x, n: s2s.jvp(lambda x: fun(x, n), (x,), (x,))[1])(np.abs(X), 12)

    remade = s2s.checkpoint(leaves_early, steps=2, policy=policies.nothing_saveable)
    np.testing.assert_allclose(along(remade), along(leaves_early), rtol=1e-11)
    np.testing.assert_allclose(s2s.grad(remade)(np.abs(X), 12), s2s.grad(leaves_early)(np.abs(X), 12), rtol=1e-12)


def growing(x, n):
    for _ in range(n):
        x = np.concatenate((x, x[:1] * 2.0))
    return np.sum(x * x)


def test_arrays_that_change_their_size_are_refused():
    with pytest.raises(s2s.UnsupportedError, match="changes its size"):
        s2s.grad(s2s.checkpoint(growing, steps=2))(X, 3)


# ---- what exists, and how often steps are run -------------------------------------------------------------------------


def wide(x, n):
    for _ in range(n):
        x = np.sin(x) * x
    return np.sum(x)


def snapshot_gradient(fun, args, count):
    staged = stage(fun, args, exact=True)
    function = with_snapshots(staged.function, count)
    return simplified(derive.grad(type(staged)(**{**vars(staged), "function": function})))


@pytest.mark.parametrize(("count", "trips"), [(2, 20), (3, 10), (5, 50)])
def test_steps_are_run_as_often_as_the_schedule_says(monkeypatch, count, trips):
    args = (np.full(8192, 0.5), trips)
    staged = snapshot_gradient(wide, args, count)
    ran = []
    original = interpret._call

    def counted(function, values):
        if function.name.endswith("_steps"):
            ran.append((int(values[0]), int(values[1])))
        return original(function, values)

    monkeypatch.setattr(interpret, "_call", counted)
    np.testing.assert_allclose(run(wide, staged, args), s2s.grad(wide)(*args), rtol=1e-13)
    length = max(1, count // 2)  # a trip keeps x and its sine, a snapshot x
    segments = -(-trips // length)
    again = run_again(known_places(segments, count), segments, count) * length
    assert sum(last - first for first, last in ran) <= trips + again


def arrays_of(function):
    """The types of all arrays that are allocated."""
    return sorted(
        str(node.outs[0].type) for each in callees(function) for node in walk(each.body) if isinstance(node, Equation) and node.primitive.name == "empty"
    )


def test_only_the_state_is_kept():
    staged = snapshot_gradient(trajectory, (0.3, 50), 4)
    types = arrays_of(staged.function)
    assert "f8[4]" in types and "i8[4]" in types  # x and the places; not out, which nobody reads
    assert not any("4, 100" in type_ for type_ in types)
    staged = snapshot_gradient(in_place, (np.ones(9), 50), 4)
    assert "f8[4, 9]" in arrays_of(staged.function)


def test_loops_whose_reversal_keeps_nothing_are_left_alone():
    def linear(u, n):
        for _ in range(n):
            for i in range(1, len(u) - 1):
                u[i] = 0.5 * (u[i - 1] + u[i + 1])
        return np.sum(u)

    staged = stage(linear, (np.ones(5), 3))
    function = with_snapshots(staged.function, 4)
    assert arrays_of(simplify(derive.grad(type(staged)(**{**vars(staged), "function": function})).function)) == []


def test_functions_with_the_rule_are_seen_in_the_program():
    staged = stage(explicit, (X, X, 3))
    names = [each.name for each in callees(with_snapshots(staged.function, 2))]
    assert names == ["explicit_loop", "explicit"]
    assert isinstance(next(each.rule for each in callees(with_snapshots(staged.function, 2)) if each.rule), snapshots.Snapshots)


# ---- compiled ---------------------------------------------------------------------------------------------------------


def compiled_and_not(remade, plain, *args):
    found = s2s.grad(remade)(*args)
    with s2s.disable_jit():
        np.testing.assert_allclose(found, s2s.grad(plain)(*args), rtol=1e-11)


def test_compiled():
    compiled_and_not(s2s.checkpoint(explicit, steps=3), explicit, X, X, 100)
    compiled_and_not(s2s.checkpoint(network, policy=policies.dots_saveable), network, W, X)


def test_compiled_while():
    compiled_and_not(s2s.checkpoint(until_small, steps=3), until_small, np.abs(X), 1e-3)
