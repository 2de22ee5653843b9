"""Programs in the manner of JAX's documents, written for these tests: each takes the library (jax or s2s), its numpy and its lax, and returns a container of numbers."""
from __future__ import annotations

from functools import partial
from typing import NamedTuple


def front_page(jax, jnp, lax):
    def predict(params, inputs):
        for W, b in params:
            outputs = jnp.dot(inputs, W) + b
            inputs = jnp.tanh(outputs)
        return outputs

    def loss(params, inputs, targets):
        preds = predict(params, inputs)
        return jnp.sum((preds - targets) ** 2)

    grad_loss = jax.jit(jax.grad(loss))
    perex_grads = jax.jit(jax.vmap(grad_loss, in_axes=(None, 0, 0)))
    params = [(jnp.linspace(-1.0, 1.0, 12).reshape(4, 3), jnp.zeros(3)), (jnp.linspace(0.5, -0.5, 6).reshape(3, 2), jnp.ones(2))]
    inputs, targets = jnp.sin(jnp.arange(20.0)).reshape(5, 4), jnp.cos(jnp.arange(10.0)).reshape(5, 2)
    return grad_loss(params, inputs, targets), perex_grads(params, inputs, targets)


def quickstart(jax, jnp, lax):
    @jax.jit
    def selu(x, alpha=1.67, lmbda=1.05):
        return lmbda * jnp.where(x > 0, x, alpha * jnp.exp(x) - alpha)

    def sum_logistic(x):
        return jnp.sum(1.0 / (1.0 + jnp.exp(-x)))

    mat = jnp.cos(jnp.arange(15.0)).reshape(5, 3)
    batch = jnp.sin(jnp.arange(12.0)).reshape(4, 3)

    def apply_matrix(x):
        return jnp.dot(mat, x)

    x_small = jnp.arange(3.0)
    return selu(jnp.arange(5.0) - 2.0), jax.grad(sum_logistic)(x_small), jax.grad(jax.jit(jax.grad(jax.jit(jax.grad(sum_logistic)))))(1.0), jax.vmap(apply_matrix)(batch)


def cookbook(jax, jnp, lax):
    def sigmoid(x):
        return 0.5 * (jnp.tanh(x / 2) + 1)

    def predict(W, b, inputs):
        return sigmoid(jnp.dot(inputs, W) + b)

    inputs = jnp.array([[0.52, 1.12, 0.77], [0.88, -1.08, 0.15], [0.52, 0.06, -1.30], [0.74, -2.49, 1.39]])
    targets = jnp.array([True, True, False, True])

    def loss(W, b):
        preds = predict(W, b, inputs)
        label_probs = preds * targets + (1 - preds) * (1 - targets)
        return -jnp.sum(jnp.log(label_probs))

    W, b = jnp.array([0.3, -0.2, 0.5]), 0.1

    def loss2(params_dict):
        return loss(params_dict["W"], params_dict["b"])

    def f(W):
        return predict(W, b, inputs)

    def hvp(f, primals, tangents):
        return jax.jvp(jax.grad(f), primals, tangents)[1]

    y, vjp_fun = jax.vjp(f, W)
    g = partial(loss, b=b)
    return (
        jax.value_and_grad(loss, (0, 1))(W, b), jax.grad(loss2)({"W": W, "b": b}), jax.jacfwd(f)(W), jax.jacrev(f)(W), jax.hessian(g)(W), hvp(g, (W,), (jnp.ones(3),)),
        y, vjp_fun(jnp.arange(4.0)), jax.jvp(f, (W,), (jnp.array([1.0, 0.0, -1.0]),)),
    )


def control_flow(jax, jnp, lax):
    def f(x):
        return lax.cond(x < 3.0, lambda v: 3.0 * v**2, lambda v: -4 * v, x)

    def factorial_like(n):
        return lax.fori_loop(1, n + 1, lambda i, v: v * i, 1.0)

    def newton(x):
        return lax.while_loop(lambda v: jnp.abs(v * v - x) > 1e-10, lambda v: 0.5 * (v + x / v), x)

    def cumulative(xs):
        return lax.scan(lambda carry, x: (carry + x, carry * x), 0.0, xs)

    xs = jnp.arange(1.0, 6.0)
    return (
        jax.grad(f)(2.0), jax.grad(f)(4.0), factorial_like(5), newton(2.0), cumulative(xs), jax.grad(lambda x: cumulative(x)[1].sum())(xs),
        jax.vmap(f)(xs), lax.switch(2, [lambda v: v, lambda v: v + 1.0, lambda v: v * v], 3.0), lax.map(lambda v: v * v, xs), lax.associative_scan(jnp.add, xs),
    )


def custom_rules(jax, jnp, lax):
    @jax.custom_jvp
    def log1pexp(x):
        return jnp.log(1.0 + jnp.exp(x))

    @log1pexp.defjvp
    def log1pexp_jvp(primals, tangents):
        (x,), (x_dot,) = primals, tangents
        ans = log1pexp(x)
        return ans, (1 - 1 / (1 + jnp.exp(x))) * x_dot

    @jax.custom_vjp
    def clip_gradient(lo, hi, x):
        return x

    def clip_gradient_fwd(lo, hi, x):
        return x, (lo, hi)

    def clip_gradient_bwd(res, g):
        lo, hi = res
        return None, None, jnp.clip(g, lo, hi)

    clip_gradient.defvjp(clip_gradient_fwd, clip_gradient_bwd)

    def clip_sin(x):
        x = clip_gradient(-0.75, 0.75, x)
        return jnp.sin(x)

    t = jnp.linspace(0.0, 10.0, 7)
    return jax.grad(log1pexp)(3.0), jax.grad(log1pexp)(100.0), jax.vmap(jax.grad(clip_sin))(t), jax.vmap(jax.jit(jax.grad(log1pexp)))(t)


def convolving(jax, jnp, lax):
    def convolve(x, w):
        output = []
        for i in range(1, len(x) - 1):
            output.append(jnp.dot(x[i - 1 : i + 2], w))
        return jnp.array(output)

    x, w = jnp.arange(5.0), jnp.array([2.0, 3.0, 4.0])
    xs, ws = jnp.stack([x, x + 1.0]), jnp.stack([w, w * 2.0])
    both = jax.vmap(convolve)
    return convolve(x, w), both(xs, ws), jax.vmap(convolve, in_axes=1, out_axes=1)(xs.T, ws.T), jax.vmap(convolve, in_axes=[0, None])(xs, w), jax.jit(both)(xs, ws)


class Params(NamedTuple):
    weight: object
    bias: object


def pytrees(jax, jnp, lax):
    def update(params, xs, ys):
        def loss(params, x, y):
            return jnp.mean((params.weight * x + params.bias - y) ** 2)

        grad = jax.grad(loss)(params, xs, ys)
        return jax.tree_util.tree_map(lambda param, g: param - 0.05 * g, params, grad)

    params = Params(0.1, 0.2)
    xs = jnp.sin(jnp.arange(8.0))
    ys = 3.0 * xs - 1.0
    step = jax.jit(update)
    for _ in range(20):
        params = step(params, xs, ys)
    tree = {"a": [1.0, (jnp.arange(2.0),)], "b": None}
    flat, treedef = jax.tree_util.tree_flatten(tree)
    return params, jax.tree_util.tree_unflatten(treedef, [leaf * 2 for leaf in flat]), jax.tree_util.tree_reduce(lambda a, b: a + jnp.sum(b), tree, 0.0)


def random_numbers(jax, jnp, lax):
    key = jax.random.key(42)
    draws = []
    for _ in range(3):
        key, subkey = jax.random.split(key)
        draws.append(jax.random.normal(subkey, (2,)))
    keys = jax.random.split(key, 4)
    return draws, jax.vmap(lambda k: jax.random.uniform(k))(keys), jax.random.permutation(key, 6), jax.random.randint(key, (3,), 0, 100)


def networks(jax, jnp, lax):
    sizes = [4, 5, 3]

    def init(key):
        keys = jax.random.split(key, len(sizes) - 1)
        return [{"w": 0.3 * jax.random.normal(k, (m, n)), "b": jnp.zeros(n)} for k, m, n in zip(keys, sizes[:-1], sizes[1:])]

    def predict(params, image):
        activations = image
        for layer in params[:-1]:
            activations = jax.nn.relu(jnp.dot(layer["w"].T, activations) + layer["b"])
        logits = jnp.dot(params[-1]["w"].T, activations) + params[-1]["b"]
        return logits - jax.nn.logsumexp(logits)

    batched_predict = jax.vmap(predict, in_axes=(None, 0))

    def loss(params, images, targets):
        return -jnp.mean(batched_predict(params, images) * targets)

    @jax.jit
    def update(params, x, y):
        grads = jax.grad(loss)(params, x, y)
        return jax.tree_util.tree_map(lambda p, g: p - 0.5 * g, params, grads)

    params = init(jax.random.key(0))
    images = jnp.cos(jnp.arange(24.0)).reshape(6, 4)
    targets = jax.nn.one_hot(jnp.array([0, 1, 2, 0, 1, 2]), 3)
    for _ in range(5):
        params = update(params, images, targets)
    return params, loss(params, images, targets)


def checkpoints(jax, jnp, lax):
    def layer(w, x):
        return jnp.sin(w * x)

    def deep(w, x):
        step = jax.checkpoint(layer)
        for _ in range(4):
            x = step(w, x)
        return x

    return jax.value_and_grad(deep, (0, 1))(1.3, 0.7), jax.grad(jax.grad(deep))(1.3, 0.7)


def thinking(jax, jnp, lax):
    def norm(X):
        X = X - X.mean(0)
        return X / X.std(0)

    norm_compiled = jax.jit(norm)
    X = jnp.sin(jnp.arange(12.0)).reshape(4, 3)

    @partial(jax.jit, static_argnums=(1,))
    def f(x, neg):
        return -x if neg else x

    @partial(jax.jit, static_argnames=("n",))
    def power(x, n):
        y = 1.0
        for _ in range(n):
            y = y * x
        return y

    @jax.jit
    def reshaped(x):
        return x.reshape((x.shape[0] * x.shape[1],))

    return norm_compiled(X), f(1.0, True), f(1.0, False), power(2.0, n=5), reshaped(X), jax.jit(lambda x: lax.fori_loop(0, 4, lambda i, v: v + x[i], 0.0))(X[:, 0])


def more_autodiff(jax, jnp, lax):
    def f(x):
        return jnp.sum(jnp.sin(x) * x**2)

    x = jnp.linspace(0.1, 1.0, 4)
    v = jnp.array([1.0, -1.0, 0.5, 2.0])

    def hvp_revfwd(f, x, v):
        return jax.grad(lambda x: jnp.vdot(jax.grad(f)(x), v))(x)

    def vmap_mjp(f, x, M):
        outs, vjp_fun = jax.vjp(f, x)
        (outs,) = jax.vmap(vjp_fun)(M)
        return outs

    def vmap_jmp(f, W, M):
        return jax.vmap(lambda s: jax.jvp(f, (W,), (s,))[1])(M)

    def g(x):
        return jnp.tanh(jnp.outer(x, x)).sum(1)

    y, f_jvp = jax.linearize(g, x)

    def td(theta, r, s_tm1, s_t):
        return (r + jax.lax.stop_gradient(jnp.dot(theta, s_t)) - jnp.dot(theta, s_tm1)) ** 2

    per_example = jax.vmap(jax.grad(td), in_axes=(None, 0, 0, 0))(v[:3], jnp.ones(2), jnp.arange(6.0).reshape(2, 3), jnp.ones((2, 3)))
    return hvp_revfwd(f, x, v), vmap_mjp(g, x, jnp.eye(4)), vmap_jmp(g, x, jnp.eye(4)), f_jvp(v), y, jax.grad(jax.grad(jax.grad(jnp.tanh)))(2.0), per_example, jax.jacfwd(jax.jacrev(f))(x)


def scans(jax, jnp, lax):
    def rnn(params, xs):
        def cell(h, x):
            h = jnp.tanh(params["W"] @ h + params["U"] @ x + params["b"])
            return h, h

        return lax.scan(cell, jnp.zeros(3), xs)

    params = {"W": jnp.cos(jnp.arange(9.0)).reshape(3, 3), "U": jnp.sin(jnp.arange(6.0)).reshape(3, 2), "b": jnp.ones(3) * 0.1}
    xs = jnp.cos(jnp.arange(10.0)).reshape(5, 2)

    def loss(params):
        return jnp.mean(rnn(params, xs)[1] ** 2)

    def fibonacci(n):
        return lax.scan(lambda carry, _: ((carry[1], carry[0] + carry[1]), carry[0]), (1.0, 1.0), None, length=n)

    def collatz(x):
        def body(state):
            n, steps = state
            return lax.cond(n % 2 == 0, lambda n: n // 2, lambda n: 3 * n + 1, n), steps + 1

        return lax.while_loop(lambda s: s[0] != 1, body, (x, 0))[1]

    return rnn(params, xs), jax.grad(loss)(params), fibonacci(6), jax.vmap(collatz)(jnp.arange(1, 8)), lax.scan(lambda c, x: (c * x, c), 1.0, jnp.arange(1.0, 5.0), reverse=True)


def more_rules(jax, jnp, lax):
    @partial(jax.custom_jvp, nondiff_argnums=(0,))
    def app(f, x):
        return f(x)

    @app.defjvp
    def app_jvp(f, primals, tangents):
        (x,), (t,) = primals, tangents
        return f(x), 2.0 * t

    @jax.custom_jvp
    def f(x, y):
        return jnp.sin(x) * y

    f.defjvps(lambda x_dot, primal_out, x, y: jnp.cos(x) * x_dot * y, lambda y_dot, primal_out, x, y: jnp.sin(x) * y_dot)

    @jax.custom_vjp
    def safe(x):
        return jnp.sqrt(x)

    def safe_fwd(x):
        y = safe(x)
        return y, y

    def safe_bwd(y, g):
        return (jnp.where(y > 0, g / (2 * jnp.where(y > 0, y, 1.0)), 0.0),)

    safe.defvjp(safe_fwd, safe_bwd)

    @partial(jax.custom_vjp, nondiff_argnums=(0,))
    def fixed_point(f, a, x_guess):
        def cond_fun(carry):
            x_prev, x = carry
            return jnp.abs(x_prev - x) > 1e-12

        def body_fun(carry):
            _, x = carry
            return x, f(a, x)

        _, x_star = lax.while_loop(cond_fun, body_fun, (x_guess, f(a, x_guess)))
        return x_star

    def fixed_point_fwd(f, a, x_init):
        x_star = fixed_point(f, a, x_init)
        return x_star, (a, x_star)

    def rev_iter(f, packed, u):
        a, x_star, x_star_bar = packed
        _, vjp_x = jax.vjp(lambda x: f(a, x), x_star)
        return x_star_bar + vjp_x(u)[0]

    def fixed_point_rev(f, res, x_star_bar):
        a, x_star = res
        _, vjp_a = jax.vjp(lambda a: f(a, x_star), a)
        (a_bar,) = vjp_a(fixed_point(partial(rev_iter, f), (a, x_star, x_star_bar), x_star_bar))
        return a_bar, jnp.zeros_like(x_star)

    fixed_point.defvjp(fixed_point_fwd, fixed_point_rev)

    def newton_sqrt(a):
        return fixed_point(lambda a, x: 0.5 * (x + a / x), a, a)

    return jax.grad(lambda x: app(lambda v: v**3, x))(3.0), jax.grad(f, (0, 1))(0.4, 2.0), jax.vmap(jax.grad(safe))(jnp.array([0.0, 1.0, 4.0])), newton_sqrt(2.0), jax.grad(newton_sqrt)(2.0), jax.grad(jax.grad(newton_sqrt))(2.0)


def implicit(jax, jnp, lax):
    def solve(f, x):
        return lax.fori_loop(0, 40, lambda i, v: v - f(v) / jax.grad(f)(v), x)

    def root(a):
        return lax.custom_root(lambda x: x**3 + x - a, 1.0, solve, lambda g, y: y / g(1.0))

    A = jnp.array([[4.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 5.0]])

    def jacobi(matvec, b):
        return lax.fori_loop(0, 200, lambda i, x: x + 0.2 * (b - matvec(x)), jnp.zeros_like(b))

    def system(s, b):
        return lax.custom_linear_solve(lambda x: s * (A @ x), b, jacobi, symmetric=True)

    b = jnp.array([1.0, -2.0, 0.5])
    return root(2.0), jax.grad(root)(2.0), jax.grad(jax.grad(root))(2.0), jax.vmap(jax.grad(root))(jnp.array([1.0, 3.0])), system(0.8, b), jax.jacrev(system, (0, 1))(0.8, b), jax.jacfwd(system)(0.8, b)


class Counter:
    def __init__(self):
        self.n = 0

    def count(self):
        self.n += 1
        return self.n


class State(NamedTuple):
    weights: object
    momentum: object
    step: object


def stateful(jax, jnp, lax):
    counter = Counter()
    counts = [counter.count() for _ in range(3)]

    def loss(w, x, y):
        return jnp.mean((x @ w["w"] + w["b"] - y) ** 2)

    @jax.jit
    def update(state, x, y):
        grads = jax.grad(loss)(state.weights, x, y)
        momentum = jax.tree.map(lambda m, g: 0.9 * m + g, state.momentum, grads)
        weights = jax.tree.map(lambda w, m: w - 0.05 * m, state.weights, momentum)
        return State(weights, momentum, state.step + 1)

    x = jnp.sin(jnp.arange(12.0)).reshape(6, 2)
    y = x @ jnp.array([1.5, -0.5]) + 0.3
    weights = {"w": jnp.zeros(2), "b": jnp.zeros(())}
    state = State(weights, jax.tree.map(jnp.zeros_like, weights), 0)
    for _ in range(10):
        state = update(state, x, y)
    total, each = lax.scan(lambda n, _: (n + 1, n * 2), 0, None, length=4)
    return counts, state.weights, state.step, total, each


def more_trees(jax, jnp, lax):
    @jax.tree_util.register_pytree_node_class
    class Point:
        def __init__(self, x, y):
            self.x, self.y = x, y

        def tree_flatten(self):
            return (self.x, self.y), None

        @classmethod
        def tree_unflatten(cls, aux, children):
            return cls(*children)

    trees = [{"a": jnp.arange(3.0), "b": (1.0, 2.0)}, {"a": jnp.ones(3), "b": (3.0, 4.0)}]
    summed = jax.tree.map(lambda *leaves: sum(leaves), *trees)
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *trees)
    transposed = jax.tree.transpose(jax.tree.structure([0, 0]), jax.tree.structure({"a": 0, "b": 0}), [{"a": 1.0, "b": 2.0}, {"a": 3.0, "b": 4.0}])
    paths = [jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_flatten_with_path(trees[0])[0]]
    flat, unravel = jax.flatten_util.ravel_pytree(trees[0])
    slope = jax.grad(lambda p: p.x * p.y**2)(Point(2.0, 3.0))
    return summed, stacked, transposed, [float(len(path)) for path in paths], flat, unravel(flat * 2), slope.x, slope.y, jax.tree.leaves(jax.tree.map(lambda v: v + 1, Point(1.0, 2.0)))


def more_random(jax, jnp, lax):
    key = jax.random.PRNGKey(1701)
    k1, k2, k3, k4 = jax.random.split(key, 4)
    samples = jax.vmap(lambda k: jax.random.normal(k, (2,)))(jax.random.split(k1, 3))
    params = {"w": jax.nn.initializers.glorot_normal()(k2, (3, 2)), "b": jax.nn.initializers.zeros(k2, (2,))}
    walk = lax.scan(lambda x, k: (x + jax.random.normal(k), x), 0.0, jax.random.split(k3, 5))
    reparametrised = jax.grad(lambda mu, sigma: jnp.mean((mu + sigma * jax.random.normal(k4, (50,))) ** 2), (0, 1))(0.5, 1.5)
    return samples, params, walk, reparametrised, jax.random.gamma(k1, 2.5, (3,)), jax.random.categorical(k2, jnp.log(jnp.array([0.2, 0.3, 0.5])), shape=(4,))


def variational(jax, jnp, lax):
    true = jnp.array([0.7, -1.1])
    features = jnp.sin(jnp.arange(20.0)).reshape(10, 2)
    y = features @ true > 0

    def log_joint(beta):
        return -0.5 * jnp.sum(beta**2) + jnp.sum(-jnp.log(1 + jnp.exp(-(2 * y - 1) * (features @ beta))))

    batched = jax.jit(jax.vmap(log_joint))

    def elbo(beta_loc, beta_log_scale, epsilon):
        beta_sample = beta_loc + jnp.exp(beta_log_scale) * epsilon
        return jnp.mean(batched(beta_sample)) + jnp.sum(beta_log_scale - 0.5 * jnp.log(2 * jnp.pi))

    elbo_val_and_grad = jax.jit(jax.value_and_grad(elbo, argnums=(0, 1)))
    loc, log_scale = jnp.zeros(2), jnp.zeros(2)
    for i in range(4):
        epsilon = jax.random.normal(jax.random.key(i), (6, 2))
        value, (loc_grad, log_scale_grad) = elbo_val_and_grad(loc, log_scale, epsilon)
        loc, log_scale = loc + 0.05 * loc_grad, log_scale + 0.05 * log_scale_grad
    return value, loc, log_scale


def policies(jax, jnp, lax):
    def layer(x, w):
        return jnp.sin(x @ w)

    def net(ws, x):
        for w in ws:
            x = jax.checkpoint(layer, policy=jax.checkpoint_policies.dots_with_no_batch_dims_saveable)(x, w)
        return jnp.sum(x**2)

    def scanned(ws, x):
        body = jax.checkpoint(lambda x, w: (layer(x, w), None))
        return jnp.sum(lax.scan(body, x, ws)[0] ** 2)

    ws = jnp.cos(jnp.arange(27.0)).reshape(3, 3, 3)
    x = jnp.linspace(-1.0, 1.0, 6).reshape(2, 3)
    return jax.grad(lambda ws: net([ws[0], ws[1], ws[2]], x))(ws), jax.value_and_grad(scanned)(ws, x), jax.grad(jax.remat(lambda v: jnp.sum(jnp.exp(jnp.sin(v)))))(x)


PROGRAMS = (front_page, quickstart, cookbook, control_flow, custom_rules, convolving, pytrees, random_numbers, networks, checkpoints, thinking, more_autodiff, scans, more_rules, implicit, stateful, more_trees, more_random, variational, policies)
