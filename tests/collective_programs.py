"""Programs whose examples meet, written for these tests: each takes the library (jax or s2s), its numpy and its lax, and returns a container of numbers."""
from __future__ import annotations

from functools import partial


def drawn(jnp, *shape, seed=0.0):
    size = 1
    for length in shape:
        size *= length
    return jnp.sin(1.7 * jnp.arange(1.0, size + 1.0) + seed).reshape(shape)


def derivatives(jax, jnp, f, x, **named):
    """vmap of f, of its derivatives, and the derivatives of its vmap; f gives a number."""
    def batch(x):
        return jax.vmap(f, axis_name="i")(x)

    def total(x):
        return jnp.sum(jnp.sin(batch(x)))

    def along(x, x_dot):
        return jax.jvp(f, (x,), (x_dot,))

    dots = jnp.cos(x)
    return (
        batch(x), jax.vmap(jax.grad(f), axis_name="i")(x), jax.grad(total)(x), jax.vmap(along, axis_name="i")(x, dots), jax.jvp(batch, (x,), (dots,)),
        jax.grad(lambda x: jnp.sum(jax.vmap(jax.grad(f), axis_name="i")(x) ** 2))(x), jax.vmap(jax.grad(lambda x: jnp.sum(jax.grad(f)(x) ** 2)), axis_name="i")(x),
    )


def sums(jax, jnp, lax):
    f = lambda x: jnp.sum(x * lax.psum(x * x, "i") + lax.pmean(jnp.sin(x), "i"))  # noqa: E731
    return derivatives(jax, jnp, f, drawn(jnp, 4, 3))


def sums_of_numbers(jax, jnp, lax):
    f = lambda x: x * lax.psum(x * x, "i") / lax.psum(1, "i") + lax.axis_size("i") * lax.psum(2.5, "i") * x  # noqa: E731
    return derivatives(jax, jnp, f, drawn(jnp, 5))


def shared_in_a_sum(jax, jnp, lax):
    """What all examples share is added as often as there are examples."""
    def f(x, w):
        return x * lax.psum(w * w, "i") + lax.pmean(w, "i")

    x, w = drawn(jnp, 4), 1.3
    batch = jax.vmap(f, (0, None), axis_name="i")
    slope = jax.vmap(jax.grad(f, 1), (0, None), axis_name="i")
    return batch(x, w), jax.grad(lambda w: jnp.sum(batch(x, w)))(w), slope(x, w), jax.grad(lambda w: jnp.sum(slope(x, w) ** 2))(w)


def gathered(jax, jnp, lax):
    w = drawn(jnp, 4, seed=1.0)
    f = lambda x: jnp.sum(jnp.dot(w, lax.all_gather(x * x, "i")) * x)  # noqa: E731
    return derivatives(jax, jnp, f, drawn(jnp, 4, 3))


def gathered_along_axes(jax, jnp, lax):
    x = drawn(jnp, 3, 2, 2)

    def each(axis, tiled):
        def f(x):
            return lax.all_gather(x, "i", axis=axis, tiled=tiled)

        return jax.vmap(f, axis_name="i")(x), jax.vmap(jax.grad(lambda x: jnp.sum(jnp.sin(f(x)) * lax.axis_index("i"))), axis_name="i")(x)

    return [each(axis, tiled) for axis, tiled in ((0, False), (1, False), (-1, False), (0, True), (1, True), (-1, True))]


def scattered(jax, jnp, lax):
    def each(dimension, tiled, shape):
        def f(x):
            return lax.psum_scatter(x * x, "i", scatter_dimension=dimension, tiled=tiled)

        x = drawn(jnp, 3, *shape)
        slope = jax.vmap(jax.grad(lambda x: jnp.sum(jnp.sin(f(x)) * (1.0 + lax.axis_index("i")))), axis_name="i")
        return jax.vmap(f, axis_name="i")(x), slope(x), jax.grad(lambda x: jnp.sum(slope(x) ** 2))(x)

    return [each(*given) for given in ((0, False, (3,)), (1, False, (2, 3)), (0, True, (6,)), (1, True, (2, 3)), (0, True, (3, 2)))]


def exchanged(jax, jnp, lax):
    def each(split, concat, tiled, shape):
        def f(x):
            return lax.all_to_all(x * x, "i", split, concat, tiled=tiled)

        x = drawn(jnp, 3, *shape)
        values = jax.vmap(f, axis_name="i")(x)
        if not tiled and split != concat:  # JAX 0.10.2 fails to transpose these
            return values
        return values, jax.vmap(jax.grad(lambda x: jnp.sum(jnp.sin(f(x)) * (1.0 + lax.axis_index("i")))), axis_name="i")(x)

    return [
        each(*given)
        for given in (
            (0, 0, False, (3,)), (0, 0, False, (3, 2)), (0, 1, False, (3, 2)), (1, 0, False, (2, 3)), (0, 2, False, (3, 2, 4)), (2, 1, False, (2, 4, 3)), (0, 0, True, (6, 2)),
            (0, 1, True, (6, 2)), (1, 0, True, (2, 6)), (0, 2, True, (3, 2, 4)), (2, 0, True, (1, 2, 9)),
        )
    ]  # fmt: skip


def permuted(jax, jnp, lax):
    def f(x):
        return jnp.sum(x * lax.ppermute(x * x, "i", [(0, 1), (1, 2), (2, 3), (3, 0)]) + lax.pshuffle(jnp.sin(x), "i", [2, 0, 3, 1]))

    return derivatives(jax, jnp, f, drawn(jnp, 4, 2))


def largest(jax, jnp, lax):
    x = drawn(jnp, 5, 2)
    f = lambda x: x - lax.pmax(x, "i") * lax.pmin(x * x, "i")  # noqa: E731
    return jax.vmap(f, axis_name="i")(x), jax.vmap(lambda x: lax.pmax(x, "i"), axis_name="i", out_axes=None)(x)


def of_trees(jax, jnp, lax):
    def f(params):
        total = lax.psum({"w": params["w"], "rest": (params["b"], 2.0)}, "i")
        mean = lax.pmean(params, "i")
        return total, mean, lax.all_gather((params["b"],), "i"), lax.ppermute([params["w"]], "i", [(0, 2), (1, 0), (2, 1)])

    return jax.vmap(f, axis_name="i")({"w": drawn(jnp, 3, 2), "b": drawn(jnp, 3)})


def two_axes(jax, jnp, lax):
    x = drawn(jnp, 2, 3)

    def f(x):
        return x * lax.psum(x * x, ("i", "j")) + lax.pmean(jnp.sin(x), "i") * lax.pmax(jnp.cos(2.0), "j") + lax.axis_index(("i", "j")) * lax.axis_index("j") * x

    def nested(f):
        return jax.vmap(jax.vmap(f, axis_name="j"), axis_name="i")

    sum_ = lambda x: jnp.sum(nested(f)(x))  # noqa: E731
    between = jax.vmap(jax.grad(lambda x: jnp.sum(jax.vmap(f, axis_name="j")(x))), axis_name="i")
    return nested(f)(x), nested(jax.grad(f))(x), jax.grad(sum_)(x), between(x), jax.grad(lambda x: jnp.sum(nested(jax.grad(f))(x)))(x)


def unnamed_inside(jax, jnp, lax):
    x = drawn(jnp, 3, 4)
    f = lambda x: x / (1.0 + lax.psum(x * x, "i"))  # noqa: E731
    inner = jax.vmap(jax.vmap(f), axis_name="i")
    outer = jax.vmap(jax.vmap(f, axis_name="i"))
    return inner(x), outer(x), jax.vmap(jax.grad(lambda x: jnp.sum(jax.vmap(f)(x))), axis_name="i")(x), jax.grad(lambda x: jnp.sum(outer(x) ** 2))(x)


def same_name_inside(jax, jnp, lax):
    x = drawn(jnp, 3, 4)
    f = lambda x: lax.psum(jax.vmap(lambda y: y * lax.psum(y, "i"), axis_name="i")(x), "i") * x  # noqa: E731
    return jax.vmap(f, axis_name="i")(x), jax.vmap(jax.grad(lambda x: jnp.sum(f(x))), axis_name="i")(x)


def along_axes(jax, jnp, lax):
    """in_axes, out_axes, axis_size, keyword arguments."""
    x = drawn(jnp, 2, 3)
    f = lambda x, y=0.0: (x - lax.pmean(x, "i"), lax.psum(x, "i") + y)  # noqa: E731
    return (
        jax.vmap(f, 1, 1, axis_name="i")(x), jax.vmap(f, -1, (0, 0), axis_name="i")(x, y=jnp.arange(3.0)), jax.vmap(f, 1, (-1, None), axis_name="i")(x),
        jax.vmap(lambda: lax.axis_index("i") * lax.axis_size("i"), axis_name="i", axis_size=4)(), jax.vmap(lambda: lax.psum(1.5, "i"), axis_name="i", axis_size=3, out_axes=None)(),
    )  # fmt: skip


def batch_norm(jax, jnp, lax):
    def norm(x, scale, shift):
        mean = lax.pmean(x, "batch")
        var = lax.pmean((x - mean) ** 2, "batch")
        return scale * (x - mean) / jnp.sqrt(var + 1e-5) + shift

    def loss(x, scale, shift):
        return jnp.sum(jax.vmap(norm, (0, None, None), axis_name="batch")(x, scale, shift) ** 3)

    args = drawn(jnp, 6, 3), drawn(jnp, 3, seed=1.0), drawn(jnp, 3, seed=2.0)
    per_example = jax.vmap(jax.grad(lambda *args: jnp.sum(norm(*args) ** 3), (0, 1)), (0, None, None), axis_name="batch")
    return loss(*args), jax.grad(loss, (0, 1, 2))(*args), per_example(*args)


def data_parallel(jax, jnp, lax):
    """One step of training: each example's gradient, their mean."""
    def predict(params, x):
        for w, b in params[:-1]:
            x = jnp.tanh(jnp.dot(w, x) + b)
        w, b = params[-1]
        return jnp.dot(w, x) + b

    def loss(params, x, y):
        return jnp.sum((predict(params, x) - y) ** 2)

    @partial(jax.vmap, in_axes=(None, 0, 0), out_axes=(None, None), axis_name="batch")
    def step(params, x, y):
        value, grads = jax.value_and_grad(loss)(params, x, y)
        grads = lax.pmean(grads, "batch")
        return jax.tree_util.tree_map(lambda p, g: p - 0.1 * g, params, grads), lax.pmean(value, "batch")

    params = [(drawn(jnp, 4, 3), drawn(jnp, 4)), (drawn(jnp, 2, 4), drawn(jnp, 2))]
    x, y = drawn(jnp, 5, 3), drawn(jnp, 5, 2, seed=1.0)
    params, first = step(params, x, y)
    return step(params, x, y), first


def in_loops(jax, jnp, lax):
    def power(x):
        return lax.fori_loop(0, 3, lambda t, x: x * x / (1.0 + lax.psum(x * x, "i")) + 0.1 * lax.axis_index("i"), x)

    def rolled(x):
        def trip(carry, w):
            carry = 0.5 * jnp.sin(w * carry) + 0.25 * lax.ppermute(carry, "i", [(0, 1), (1, 2), (2, 3), (3, 0)])
            return carry, lax.pmean(carry, "i") * carry

        last, means = lax.scan(trip, x, jnp.array([0.5, 1.5, 2.5]))
        return last + jnp.sum(means)

    x = drawn(jnp, 4)
    return derivatives(jax, jnp, rolled, x), jax.vmap(power, axis_name="i")(x)


def in_while_loops(jax, jnp, lax):
    """Until all examples are done."""
    def root(a):
        def body(state):
            y, _, count = state
            new = 0.5 * (y + a / y)
            return new, lax.pmax(jnp.abs(new - y), "i"), count + 1

        return lax.while_loop(lambda state: state[1] > 1e-9, body, (a, 1.0, 0))

    a = jnp.array([1.0, 4.0, 9.0, 100.0])
    return jax.vmap(root, axis_name="i")(a)


def in_branches(jax, jnp, lax):
    """A test that all examples share."""
    def f(x, flag):
        mean = lax.pmean(x, "i")
        return lax.cond(flag, lambda x: x - mean, lambda x: x * lax.psum(x * x, "i"), x)

    x = drawn(jnp, 4)

    def of(flag):
        slope = jax.vmap(jax.grad(f), (0, None), axis_name="i")
        return jax.vmap(f, (0, None), axis_name="i")(x, flag), slope(x, flag), jax.grad(lambda x: jnp.sum(slope(x, flag) ** 2))(x)

    return of(True), of(False)


def by_rule(jax, fun, back):
    """A function with a rule for reverse mode: `back` of the cotangent."""
    made = jax.custom_vjp(fun)
    made.defvjp(lambda x: (fun(x), None), lambda _, bar: (back(bar),))
    return made


def rules_between_devices(jax, jnp, lax):
    """The pair that a network cut among devices needs: a sum on the way back, or on the way there, and others."""
    ways = {
        "same": lambda x: x, "sum": lambda x: lax.psum(x, "i"), "mean": lambda x: lax.pmean(x, "i"), "next": lambda x: lax.ppermute(x, "i", [(0, 1), (1, 2), (2, 0)]),
        "twice": lambda x: 2.0 * x, "place": lambda x: x * (1.0 + lax.axis_index("i")),
    }  # fmt: skip
    pairs = [("same", "sum"), ("sum", "same"), ("next", "place"), ("place", "sum"), ("mean", "twice"), ("next", "next")]

    def each(there, back):
        ruled = by_rule(jax, ways[there], ways[back])
        f = lambda x: jnp.sum(jnp.sin(ruled(x * x)) * x)  # noqa: E731
        x = drawn(jnp, 3, 2)
        batch = lambda x: jax.vmap(f, axis_name="i")(x)  # noqa: E731
        weights = jnp.array([1.0, 10.0, 100.0])
        slopes = jax.vmap(jax.grad(f), axis_name="i")
        return batch(x), slopes(x), jax.grad(lambda x: jnp.sum(batch(x) * weights))(x), jax.grad(lambda x: jnp.sum(slopes(x) ** 2))(x)

    return [each(*pair) for pair in pairs]


def rules_that_meet(jax, jnp, lax):
    """What all examples share gets the sum of their cotangents; residuals are of each example, or of all; the rule calls the function itself."""
    @jax.custom_vjp
    def scaled(x, w):
        return x * w / lax.psum(x * x, "i"), lax.pmean(x, "i")

    def fwd(x, w):
        total = lax.psum(x * x, "i")
        return scaled(x, w), (x, w, total)

    def bwd(kept, bars):
        x, w, total = kept
        bar, mean_bar = bars
        return bar * w / total + mean_bar * lax.axis_index("i"), jnp.sum(bar * x) / total * jnp.ones(2)

    scaled.defvjp(fwd, bwd)

    def f(x, w):
        out, mean = scaled(jnp.sin(x), w)
        return jnp.sum(out * out) + jnp.sum(mean * x)

    x, w = drawn(jnp, 4, 2), drawn(jnp, 2, seed=1.0)
    batch = jax.vmap(f, (0, None), axis_name="i")
    slopes = jax.vmap(jax.grad(f, (0, 1)), (0, None), axis_name="i")
    return batch(x, w), slopes(x, w), jax.grad(lambda *args: jnp.sum(jnp.sin(batch(*args))), (0, 1))(x, w)


def rules_for_tangents(jax, jnp, lax):
    @jax.custom_jvp
    def shifted(x, scale):
        return scale * (x - lax.pmean(x, "i"))

    @shifted.defjvp
    def shifted_jvp(primals, tangents):
        (x, scale), (x_dot, scale_dot) = primals, tangents
        return shifted(x, scale), 3.0 * scale * (x_dot - lax.pmean(x_dot, "i")) + scale_dot * lax.psum(x, "i")

    f = lambda x: jnp.sum(shifted(x * x, 2.0) * jnp.cos(x))  # noqa: E731
    shared = lambda x, scale: jnp.sum(shifted(x, scale) ** 2)  # noqa: E731
    x = drawn(jnp, 4, 3)
    batch = jax.vmap(shared, (0, None), axis_name="i")
    slopes = jax.vmap(jax.grad(shared, (0, 1)), (0, None), axis_name="i")(x, 1.5)
    return derivatives(jax, jnp, f, x), batch(x, 1.5), slopes, jax.grad(lambda s: jnp.sum(batch(x, s)))(1.5), jax.jvp(lambda s: batch(x, s), (1.5,), (1.0,))


def rules_in_loops(jax, jnp, lax):
    layer = by_rule(jax, lambda x: jnp.tanh(x + lax.pmean(x, "i")), lambda bar: bar - 0.5 * lax.pmean(bar, "i"))
    other = by_rule(jax, lambda x: lax.psum(x, ("i", "j")), lambda bar: lax.pmean(bar, "j"))

    def f(x):
        last, _ = lax.scan(lambda x, w: (layer(w * x), None), x, jnp.array([0.5, 1.5, 2.5]))
        return jnp.sum(last * x)

    x = drawn(jnp, 4, 2)
    slopes = jax.vmap(jax.grad(f), axis_name="i")(x)
    two = lambda x: x * other(jnp.sin(x))  # noqa: E731
    nested = jax.vmap(jax.vmap(two, axis_name="j"), axis_name="i")
    return jax.vmap(f, axis_name="i")(x), slopes, nested(x), jax.vmap(jax.vmap(jax.grad(two), axis_name="j"), axis_name="i")(x)


def rules_of_all_kinds(jax, jnp, lax):
    """Arguments without a derivative, containers, arguments of one call that differ and of another that don't, custom_gradient, a rule for each argument, two names."""
    @partial(jax.custom_vjp, nondiff_argnums=(0,))
    def scaled(factor, x):
        return lax.psum(x, "i") * factor

    scaled.defvjp(lambda factor, x: (scaled(factor, x), x), lambda factor, x, bar: (bar * factor * x,))

    @jax.custom_vjp
    def of_trees(p):
        return {"a": p["u"] + lax.pmean(p["v"], "i"), "b": (p["v"],)}

    of_trees.defvjp(lambda p: (of_trees(p), p), lambda p, bar: ({"u": 2.0 * bar["a"], "v": lax.psum(bar["b"][0], "i") / 4.0 + p["u"]},))
    placed = by_rule(jax, lambda x: x + lax.axis_index("i"), lambda bar: 3.0 * bar)
    partly = jax.custom_jvp(lambda x, y: x * lax.psum(y, "i"))
    partly.defjvps(lambda x_dot, ans, x, y: x_dot * lax.pmean(y, "i"), None)

    def pulled(x):
        return jax.custom_gradient(lambda x: (x * lax.pmean(x, "i"), lambda bar: (lax.psum(bar, "i") * x,)))(x)

    x, w = drawn(jnp, 4, 3), drawn(jnp, 3, seed=2.0)

    def of(f):
        batch = jax.vmap(f, axis_name="i")
        return batch(x), jax.grad(lambda x: jnp.sum(jnp.sin(batch(x)) * jnp.arange(1.0, 5.0)[:, None]))(x), jax.vmap(jax.grad(lambda x: jnp.sum(f(x) ** 2)), axis_name="i")(x)

    functions = (
        lambda x: scaled(2.0, x * x), lambda x: of_trees({"u": x, "v": x * x})["a"], lambda x: placed(x) + placed(w) + placed(x * x), pulled, lambda x: partly(x, x * x),
    )  # fmt: skip
    centred = by_rule(jax, lambda x: x - lax.pmean(x, "i"), lambda bar: bar - 2.0 * lax.psum(bar, "j"))
    both = jax.vmap(jax.vmap(lambda x: centred(x * x) * x, axis_name="j"), axis_name="i")
    return [of(f) for f in functions], jax.grad(lambda x: jnp.sum(jnp.sin(both(x))))(x)


PROGRAMS = (
    sums, sums_of_numbers, shared_in_a_sum, gathered, gathered_along_axes, scattered, exchanged, permuted, largest, of_trees, two_axes, unnamed_inside, same_name_inside,
    along_axes, batch_norm, data_parallel, in_loops, in_while_loops, in_branches, rules_between_devices, rules_that_meet, rules_for_tangents, rules_in_loops, rules_of_all_kinds,
)  # fmt: skip
