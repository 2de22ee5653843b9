"""More snippets of JAX's documents (front page, quickstart, autodiff cookbook, control flow, custom derivatives, pytrees, state, random numbers, vmap, checkpoint, sharp bits, ahead of time), as they stand there:
each takes the library (jax or s2s), its numpy and its lax, and returns a container of numbers.
"""

# ruff: noqa: ARG001, B007, E731, RET504, RET505, SIM108
from __future__ import annotations

import operator
from functools import partial
from typing import Any, NamedTuple

import numpy as np


class Point(NamedTuple):
    x: Any
    y: Any


def cd_pytree(jax, jnp, lax):
    @jax.custom_jvp
    def f(pt):
        x, y = pt.x, pt.y
        return {"a": x**2, "b": (jnp.sin(x), jnp.cos(y))}

    @f.defjvp
    def f_jvp(primals, tangents):
        (pt,) = primals
        (pt_dot,) = tangents
        ans = f(pt)
        ans_dot = {"a": 2 * pt.x * pt_dot.x, "b": (jnp.cos(pt.x) * pt_dot.x, -jnp.sin(pt.y) * pt_dot.y)}
        return ans, ans_dot

    def fun(pt):
        dct = f(pt)
        return dct["a"] + dct["b"][0]

    pt = Point(1.0, 2.0)

    @jax.custom_vjp
    def fv(pt):
        x, y = pt.x, pt.y
        return {"a": x**2, "b": (jnp.sin(x), jnp.cos(y))}

    def f_fwd(pt):
        return fv(pt), pt

    def f_bwd(pt, g):
        a_bar, (b0_bar, b1_bar) = g["a"], g["b"]
        x_bar = 2 * pt.x * a_bar + jnp.cos(pt.x) * b0_bar
        y_bar = -jnp.sin(pt.y) * b1_bar
        return (Point(x_bar, y_bar),)

    fv.defvjp(f_fwd, f_bwd)

    def funv(pt):
        dct = fv(pt)
        return dct["a"] + dct["b"][0]

    return f(pt), jax.grad(fun)(pt), jax.grad(funv)(pt)


def ad_stopgrad(jax, jnp, lax):
    value_fn = lambda theta, state: jnp.dot(theta, state)
    theta = jnp.array([0.1, -0.1, 0.0])
    s_tm1 = jnp.array([1.0, 2.0, -1.0])
    r_t = jnp.array(1.0)
    s_t = jnp.array([2.0, 1.0, 0.0])

    def td_loss(theta, s_tm1, r_t, s_t):
        v_tm1 = value_fn(theta, s_tm1)
        target = r_t + value_fn(theta, s_t)
        return -0.5 * ((lax.stop_gradient(target) - v_tm1) ** 2)

    def f(x):
        return jnp.round(x)

    def straight_through_f(x):
        zero = x - lax.stop_gradient(x)
        return zero + lax.stop_gradient(f(x))

    per = jax.jit(jax.vmap(jax.grad(td_loss), in_axes=(None, 0, 0, 0)))
    b = lambda a: jnp.stack([a, a])
    return (
        jax.grad(td_loss)(theta, s_tm1, r_t, s_t),
        f(3.2),
        straight_through_f(3.2),
        jax.grad(f)(3.2),
        jax.grad(straight_through_f)(3.2),
        per(theta, b(s_tm1), b(r_t), b(s_t)),
    )


def ad_meta(jax, jnp, lax):
    def loss(theta, x):
        return jnp.sum((theta * x - 1) ** 2)

    def meta_loss_fn(params, data):
        grads = jax.grad(loss)(params, data)
        return loss(params - 0.1 * grads, data)

    return jax.grad(meta_loss_fn)(jnp.array([0.1, 0.2]), jnp.array([1.0, 2.0]))


def pt_basics(jax, jnp, lax):
    example_trees = [[1, "a", object()], (1, (2, 3), ()), [1, {"k1": 2, "k2": (3, 4)}, 5], {"a": 2, "b": (2, 3)}, jnp.array([1, 2, 3])]
    n = [len(jax.tree.leaves(t)) for t in example_trees]
    list_of_lists = [[1, 2, 3], [1, 2], [1, 2, 3, 4]]
    another = list_of_lists
    a = jax.tree.map(lambda x: x * 2, list_of_lists)
    b = jax.tree.map(lambda x, y: x + y, list_of_lists, another)

    def init_mlp_params(layer_widths):
        params = []
        rng = np.random.RandomState(0)
        for n_in, n_out in zip(layer_widths[:-1], layer_widths[1:]):
            params.append(dict(weights=rng.normal(size=(n_in, n_out)) * np.sqrt(2 / n_in), biases=np.ones(shape=(n_out,))))
        return params

    params = init_mlp_params([1, 8, 8, 1])

    def forward(params, x):
        *hidden, last = params
        for layer in hidden:
            x = jax.nn.relu(x @ layer["weights"] + layer["biases"])
        return x @ last["weights"] + last["biases"]

    def loss_fn(params, x, y):
        return jnp.mean((forward(params, x) - y) ** 2)

    @jax.jit
    def update(params, x, y):
        grads = jax.grad(loss_fn)(params, x, y)
        return jax.tree.map(lambda p, g: p - 1e-4 * g, params, grads)

    xs = np.linspace(-1, 1, 16)[:, None]
    ys = xs**2
    for _ in range(5):
        params = update(params, xs, ys)
    return n, a, b, params, jax.tree.map(lambda x: x.shape, params)


def pt_transpose(jax, jnp, lax):
    def tree_transpose(list_of_trees):
        return jax.tree.map(lambda *xs: list(xs), *list_of_trees)

    episode_steps = [dict(t=1, obs=3), dict(t=2, obs=4)]
    t2 = jax.tree.transpose(
        outer_treedef=jax.tree.structure([0 for e in episode_steps]), inner_treedef=jax.tree.structure(episode_steps[0]), pytree_to_transpose=episode_steps
    )
    vv = jax.tree.reduce(operator.add, [1, (2, 3), [4]])
    none = jax.tree.leaves([None, 1, (None, 2)]), len(jax.tree.leaves([None, None, None], is_leaf=lambda x: x is None))
    return tree_transpose(episode_steps), t2, vv, none


def pt_paths(jax, jnp, lax):
    tree = [{"a": (1, 2), "b": 3}]
    flat, _ = jax.tree_util.tree_flatten_with_path(tree)
    return [(len(jax.tree_util.keystr(k)), v) for k, v in flat]


def st_counter(jax, jnp, lax):
    class CounterV2:
        def count(self, n):
            return n + 1, n + 1

        def reset(self):
            return 0

    counter = CounterV2()
    state = counter.reset()
    out = []
    for _ in range(3):
        value, state = counter.count(state)
        out.append(value)
    return out, jax.jit(counter.count)(3)


class Params(NamedTuple):
    weight: Any
    bias: Any


def st_linear(jax, jnp, lax):
    def init(rng):
        weights_key, bias_key = jax.random.split(rng)
        return Params(jax.random.normal(weights_key, ()), jax.random.normal(bias_key, ()))

    def loss(params, x, y):
        pred = params.weight * x + params.bias
        return jnp.mean((pred - y) ** 2)

    @jax.jit
    def update(params, x, y):
        grad = jax.grad(loss)(params, x, y)
        return jax.tree.map(lambda param, g: param - g * 0.005, params, grad)

    rng = jax.random.key(42)
    params = init(rng)
    rng = np.random.RandomState(0)
    xs = rng.normal(size=(128, 1))
    ys = xs * 3 - 1 + rng.normal(size=(128, 1)) * 0.5
    for _ in range(50):
        params = update(params, xs, ys)
    return params


def rn_basics(jax, jnp, lax):
    key = jax.random.key(42)
    key2 = jax.random.PRNGKey(43)
    a = jax.random.normal(key)
    new_key, subkey = jax.random.split(key)
    key, *forty_two_subkeys = jax.random.split(key, num=43)
    subkeys = jax.random.split(subkey, 3)
    return (
        a,
        jax.random.normal(subkey),
        [jax.random.normal(k) for k in forty_two_subkeys[:3]],
        jax.vmap(jax.random.normal)(subkeys),
        jax.random.normal(subkey, shape=(3,)),
        jax.random.uniform(jax.random.fold_in(key, 7), (2,)),
        jax.random.permutation(key, 5),
        jax.random.bernoulli(key, 0.3, (4,)),
        jax.random.choice(key2, jnp.arange(5.0), (3,)),
        jax.random.randint(key, (3,), 0, 10),
        jax.random.categorical(key, jnp.log(jnp.array([0.2, 0.3, 0.5])), shape=(4,)),
        jax.random.truncated_normal(key, -1.0, 1.0, (3,)),
        jax.random.exponential(key, (2,)),
        jax.random.gumbel(key, (2,)),
    )


def rn_jit(jax, jnp, lax):
    @jax.jit
    def step(key, x):
        key, sub = jax.random.split(key)
        return jax.random.normal(sub, x.shape) + x

    def walk(key, n):
        def body(c, k):
            return c + jax.random.normal(k), c

        return lax.scan(body, 0.0, jax.random.split(key, n))

    return step(jax.random.PRNGKey(0), jnp.zeros(3)), walk(jax.random.key(1), 4)


def vm_conv(jax, jnp, lax):
    x = jnp.arange(5)
    w = jnp.array([2.0, 3.0, 4.0])

    def convolve(x, w):
        output = []
        for i in range(1, len(x) - 1):
            output.append(jnp.dot(x[i - 1 : i + 2], w))
        return jnp.array(output)

    xs = jnp.stack([x, x])
    ws = jnp.stack([w, w])
    auto = jax.vmap(convolve)
    auto_v2 = jax.vmap(convolve, in_axes=1, out_axes=1)
    batch3 = jax.vmap(convolve, in_axes=[0, None])
    return convolve(x, w), auto(xs, ws), auto_v2(jnp.transpose(xs), jnp.transpose(ws)), batch3(xs, w), jax.jit(auto)(xs, ws)


def ck_basic(jax, jnp, lax):
    def g(W, x):
        y = jnp.dot(W, x)
        return jnp.sin(y)

    def f(W1, W2, W3, x):
        x = g(W1, x)
        x = g(W2, x)
        x = g(W3, x)
        return x

    def f2(W1, W2, W3, x):
        x = jax.checkpoint(g)(W1, x)
        x = jax.checkpoint(g)(W2, x)
        x = jax.checkpoint(g)(W3, x)
        return x

    f3 = jax.checkpoint(f, policy=jax.checkpoint_policies.dots_with_no_batch_dims_saveable)
    name = jax.ad_checkpoint.checkpoint_name

    def f4(W1, W2, W3, x):
        x = name(g(W1, x), name="a")
        x = name(g(W2, x), name="b")
        x = name(g(W3, x), name="c")
        return x

    f4 = jax.checkpoint(f4, policy=jax.checkpoint_policies.save_only_these_names("a"))
    a = (jnp.ones((5, 4)), jnp.ones((6, 5)), jnp.ones((7, 6)), jnp.ones(4))
    return [jax.grad(lambda *a: jnp.sum(h(*a)), (0, 1, 2, 3))(*a) for h in (f, f2, f3, f4)]


def ck_chain(jax, jnp, lax):
    def chain_compose(funs):
        def f(x):
            for fun in funs:
                x = fun(x)
            return x

        return f

    f = chain_compose([jnp.sin] * 8)

    def recursive_checkpoint(funs):
        if len(funs) == 1:
            return funs[0]
        elif len(funs) == 2:
            f1, f2 = funs
            return lambda x: f1(f2(x))
        else:
            f1 = recursive_checkpoint(funs[: len(funs) // 2])
            f2 = recursive_checkpoint(funs[len(funs) // 2 :])
            return lambda x: f1(jax.checkpoint(f2)(x))

    return jax.grad(f)(3.0), jax.grad(recursive_checkpoint([jnp.sin] * 8))(3.0)


def ck_scan(jax, jnp, lax):
    def net(params, x):
        return lax.scan(jax.checkpoint(lambda x, p: (jnp.tanh(p[0] @ x + p[1]), None)), x, params)[0]

    LayerParam = (jnp.ones((3, 4, 4)) * 0.1, jnp.zeros((3, 4)))

    def all_but_last(params, x):
        *ps, last = params
        for W, b in ps:
            x = jnp.maximum(jnp.dot(x, W) + b, 0.0)
        W, b = last
        return jnp.dot(x, W) + b

    return jax.grad(lambda p: jnp.sum(net(p, jnp.ones(4))))(LayerParam)


def sb_inplace(jax, jnp, lax):
    jax_array = jnp.zeros((3, 3))

    def f(x):
        return x.at[1, :].set(1.0), x.at[::2, 1:].add(7.0)

    return jax.jit(f)(jax_array)


def sb_oob(jax, jnp, lax):
    return jax.jit(lambda x: x.at[11].get(mode="clip"))(jnp.arange(10.0)), jax.jit(lambda x: x.at[11].get(mode="fill", fill_value=jnp.nan))(jnp.arange(10.0))


def sb_sum(jax, jnp, lax):
    def permissive_sum(x):
        return jnp.sum(jnp.array(x))

    return permissive_sum([1.0, 2.0, 3.0]), jnp.sum(jnp.array(list(range(10))))


def sb_nanwhere(jax, jnp, lax):
    def my_log(x):
        return jnp.where(x > 0.0, jnp.log(x), 0.0)

    def safe_for_grad_log(x):
        return jnp.log(jnp.where(x > 0.0, x, 1.0))

    def my_log2(x):
        return jnp.where(x > 0.0, safe_for_grad_log(x), 0.0)

    return my_log(0.0), jax.grad(my_log2)(0.0)


def faq_static(jax, jnp, lax):
    class CustomClass:
        def __init__(self, x, mul):
            self.x = x
            self.mul = mul

        @partial(jax.jit, static_argnums=0)
        def calc(self, y):
            if self.mul:
                return self.x * y
            return y

        def __hash__(self):
            return hash((self.x, self.mul))

        def __eq__(self, o):
            return (self.x, self.mul) == (o.x, o.mul)

    return CustomClass(2, True).calc(3), CustomClass(2, False).calc(3)


def lin(jax, jnp, lax):
    def f(x):
        return 3.0 * jnp.sin(x) + jnp.cos(x / 2.0)

    y, f_jvp = jax.linearize(f, 2.0)
    return y, f_jvp(3.0), f_jvp(4.0), jax.linear_transpose(lambda x: x @ jnp.ones((3, 2)), jnp.ones(3))(jnp.ones(2))


def api_value(jax, jnp, lax):
    def g(x, y):
        return x * y, {"aux": x}

    return (
        jax.grad(g, has_aux=True)(2.0, 3.0),
        jax.value_and_grad(g, has_aux=True)(2.0, 3.0),
        jax.jacfwd(lambda x: (x**2, {"a": x}))(3.0),
        jax.hessian(lambda d: d["a"] ** 2 * d["b"])({"a": 1.0, "b": 2.0}),
        jax.vmap(lambda d, x: d["w"] * x, in_axes=({"w": 0}, None))({"w": jnp.arange(3.0)}, 2.0),
        jax.vmap(lambda x: (x, 2.0), out_axes=(0, None))(jnp.arange(3.0)),
        jax.closure_convert(lambda x: x * 2.0, 1.0)[0](3.0),
    )


def aot(jax, jnp, lax):
    def f(x, y):
        return 2 * x + y

    low = jax.jit(f).lower(3, 4)
    comp = low.compile()
    i = jax.ShapeDtypeStruct((), jnp.dtype("int64"))
    s = jax.jit(lambda x, y: x[0] * y, static_argnums=()).lower(jax.ShapeDtypeStruct((3,), np.float64), 2.0).compile()
    st = jax.jit(lambda x, y: 2 * x + y, static_argnums=0).lower(7, 8).compile()
    return comp(3, 4), jax.jit(f).lower(i, i).compile()(1, 2), s(jnp.ones(3), 2.0), st(5)


def keyconcepts(jax, jnp, lax):
    @jax.jit
    def f(x):
        return x + 1

    params = [1, 2, (jnp.arange(3), jnp.ones(2))]
    return f(jnp.arange(5)), jax.tree.structure(params).num_leaves, jax.tree.leaves(params), jax.eval_shape(f, jnp.ones(3)).shape


def spmd_pi(jax, jnp, lax):
    x = jnp.arange(5)
    w = jnp.array([2.0, 3.0, 4.0])

    def convolve(x, w):
        out = []
        for i in range(1, len(x) - 1):
            out.append(jnp.dot(x[i - 1 : i + 2], w))
        return jnp.array(out)

    def normalized_convolution(x, w):
        output = convolve(x, w)
        return output / lax.psum(output, axis_name="p")

    return jax.vmap(normalized_convolution, axis_name="p")(jnp.stack([x + 1] * 2), jnp.stack([w] * 2))


def whileerr(jax, jnp, lax):
    def newton(f, x0):
        def cond(x):
            return jnp.abs(f(x)) > 1e-8

        def body(x):
            return x - f(x) / jax.grad(f)(x)

        return lax.while_loop(cond, body, x0)

    return newton(lambda x: x**2 - 2.0, 1.0)


def assoc(jax, jnp, lax):
    return (
        lax.associative_scan(jnp.add, jnp.arange(4.0)),
        lax.associative_scan(lambda a, b: a @ b, jnp.ones((3, 2, 2)), reverse=True),
        lax.map(lambda x: x * 2, jnp.arange(3.0)),
        lax.map(lambda x: x * 2, jnp.arange(5.0), batch_size=2),
    )


MORE_SNIPPETS = (
    cd_pytree, ad_stopgrad, ad_meta, pt_basics, pt_transpose, pt_paths, st_counter, st_linear, rn_basics, rn_jit, vm_conv, ck_basic, ck_chain, ck_scan, sb_inplace, sb_oob, sb_sum, sb_nanwhere, faq_static, lin, api_value, aot, keyconcepts, spmd_pi, whileerr, assoc,
)  # fmt: skip
