"""Snippets of JAX's documents (front page, quickstart, autodiff cookbook, control flow, custom derivatives, pytrees, state, random numbers, vmap, checkpoint, sharp bits, ahead of time), as they stand there:
each takes the library (jax or s2s), its numpy and its lax, and returns a container of numbers.
"""

# ruff: noqa: ARG001, B007, E731, RET504, RET505, SIM108
from __future__ import annotations

from functools import partial


def selu(jax, jnp, lax):
    def selu(x, alpha=1.67, lmbda=1.05):
        return lmbda * jnp.where(x > 0, x, alpha * jnp.exp(x) - alpha)

    x = jnp.arange(5.0)
    key = jax.random.key(1701)
    y = jax.random.normal(key, (8,))
    return selu(x), jax.jit(selu)(y), jax.jit(selu)(x)


def qs_sumlogistic(jax, jnp, lax):
    def sum_logistic(x):
        return jnp.sum(1.0 / (1.0 + jnp.exp(-x)))

    x_small = jnp.arange(3.0)

    def first_finite_differences(f, x, eps=1e-3):
        return jnp.array([(f(x + eps * v) - f(x - eps * v)) / (2 * eps) for v in jnp.eye(len(x))])

    return jax.grad(sum_logistic)(x_small), first_finite_differences(sum_logistic, x_small), jax.grad(jax.jit(jax.grad(jax.jit(jax.grad(sum_logistic)))))(1.0)


def qs_hess(jax, jnp, lax):
    def hessian(fun):
        return jax.jit(jax.jacfwd(jax.jacrev(fun)))

    def f(x):
        return x**2

    def sum_logistic(x):
        return jnp.sum(1.0 / (1.0 + jnp.exp(-x)))

    return hessian(sum_logistic)(jnp.arange(3.0)), jax.jacobian(jnp.exp)(jnp.arange(3.0))


def qs_vmap(jax, jnp, lax):
    key1, key2 = jax.random.split(jax.random.key(1701))
    mat = jax.random.normal(key1, (15, 10))
    batched_x = jax.random.normal(key2, (5, 10))

    def apply_matrix(x):
        return jnp.dot(mat, x)

    def naively_batched_apply_matrix(v_batched):
        return jnp.stack([apply_matrix(v) for v in v_batched])

    @jax.jit
    def batched_apply_matrix(batched_x):
        return jnp.dot(batched_x, mat.T)

    @jax.jit
    def vmap_batched_apply_matrix(batched_x):
        return jax.vmap(apply_matrix)(batched_x)

    return naively_batched_apply_matrix(batched_x), batched_apply_matrix(batched_x), vmap_batched_apply_matrix(batched_x)


def front_predict(jax, jnp, lax):
    def predict(params, inputs):
        for W, b in params:
            outputs = jnp.dot(inputs, W) + b
            inputs = jnp.tanh(outputs)
        return outputs

    def loss(params, inputs, targets):
        preds = predict(params, inputs)
        return jnp.sum((preds - targets) ** 2)

    params = [(jnp.ones((3, 4)) * 0.1, jnp.zeros(4)), (jnp.ones((4, 2)) * 0.2, jnp.ones(2))]
    i = jnp.arange(15.0).reshape(5, 3) / 10
    t = jnp.ones((5, 2))
    grad_loss = jax.jit(jax.grad(loss))
    perex_grads = jax.jit(jax.vmap(jax.grad(loss), in_axes=(None, 0, 0)))
    return grad_loss(params, i, t), perex_grads(params, i, t)


def front_abs(jax, jnp, lax):
    def abs_val(x):
        if x > 0:
            return x
        else:
            return -x

    return jax.grad(abs_val)(1.0), jax.grad(abs_val)(-1.0)


def front_fwdrev(jax, jnp, lax):
    def tanh(x):
        y = jnp.exp(-2.0 * x)
        return (1.0 - y) / (1.0 + y)

    return jax.grad(tanh)(1.0), jax.grad(jax.grad(jax.grad(tanh)))(1.0), jax.vmap(jax.grad(tanh))(jnp.arange(3.0))


def front_jit(jax, jnp, lax):
    def slow_f(x):
        return x * x + x * 2.0

    x = jnp.ones((50, 50))
    fast_f = jax.jit(slow_f)
    return jnp.sum(fast_f(x))


def cb_logistic(jax, jnp, lax):
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

    W = jnp.array([0.1, 0.2, 0.3])
    b = 0.5

    def loss2(params_dict):
        preds = predict(params_dict["W"], params_dict["b"], inputs)
        label_probs = preds * targets + (1 - preds) * (1 - targets)
        return -jnp.sum(jnp.log(label_probs))

    eps = 1e-4
    b_grad_numerical = (loss(W, b + eps / 2.0) - loss(W, b - eps / 2.0)) / eps
    unitvec = jnp.array([0.0, 1.0, 0.0])

    def hessian(f):
        return jax.jacfwd(jax.jacrev(f))

    H = hessian(lambda W: jnp.sum(predict(W, b, inputs)))(W)
    J = jax.jacfwd(lambda W: predict(W, b, inputs))(W)

    def predict_dict(params, inputs):
        return predict(params["W"], params["b"], inputs)

    J_dict = jax.jacrev(predict_dict)({"W": W, "b": b}, inputs)
    return (
        jax.grad(loss, argnums=0)(W, b),
        jax.grad(loss, 0)(W, b),
        jax.grad(loss, 1)(W, b),
        jax.grad(loss, (0, 1))(W, b),
        jax.grad(loss2)({"W": W, "b": b}),
        jax.value_and_grad(loss, (0, 1))(W, b),
        b_grad_numerical,
        H,
        J,
        J_dict,
    )


def cb_hvp(jax, jnp, lax):
    def hvp(f, x, v):
        return jax.grad(lambda x: jnp.vdot(jax.grad(f)(x), v))(x)

    def hvp_fwd(f, primals, tangents):
        return jax.jvp(jax.grad(f), primals, tangents)[1]

    def f(X):
        return jnp.sum(jnp.tanh(X) ** 2)

    X = jnp.arange(30.0).reshape(5, 6) / 30
    V = jnp.cos(X)

    def hvp_revfwd(f, primals, tangents):
        g = lambda primals: jax.jvp(f, primals, tangents)[1]
        return jax.grad(g)(primals)

    def hvp_revrev(f, primals, tangents):
        (x,) = primals
        (v,) = tangents
        return jax.grad(lambda x: jnp.vdot(jax.grad(f)(x), v))(x)

    return hvp(f, X, V), hvp_fwd(f, (X,), (V,)), hvp_revfwd(f, (X,), (V,)), hvp_revrev(f, (X,), (V,)), jnp.tensordot(jax.hessian(f)(X), V, 2)


def cb_conj(jax, jnp, lax):
    def f(z):
        x, y = jnp.real(z), jnp.imag(z)
        return x**2 - y * 1j * x

    return jax.grad(lambda z: jnp.conjugate(z), holomorphic=True)(3 - 4j) if False else jax.vjp(jnp.conj, 3 - 4j)[1](1 + 0j), jax.grad(
        lambda z: jnp.abs(z) ** 2
    )(3 - 4j)


def cf_python(jax, jnp, lax):
    @jax.jit
    def f(x):
        for i in range(3):
            x = 2 * x
        return x

    @jax.jit
    def g(x):
        y = 0.0
        for i in range(x.shape[0]):
            y = y + x[i]
        return y

    def f2(x):
        if x < 3:
            return 3.0 * x**2
        else:
            return -4 * x

    f2s = jax.jit(f2, static_argnames="x")

    def f3(x, n):
        y = 0.0
        for i in range(n):
            y = y + x[i]
        return y

    f3 = jax.jit(f3, static_argnames="n")

    def example_fun(length, val):
        return jnp.ones((length,)) * val

    good = jax.jit(example_fun, static_argnames="length")
    return f(3), g(jnp.array([1.0, 2.0, 3.0])), f2s(2.0), f3(jnp.array([2.0, 3.0, 4.0]), 2), good(10, 4), good(5, 4), jax.grad(f2)(2.0), jax.grad(f2)(4.0)


def cf_lax(jax, jnp, lax):
    operand = jnp.array([0.0])
    init_val = 0

    def cond_fun(x):
        return x < 10

    def body_fun(x):
        return x + 1

    return (
        lax.cond(True, lambda x: x + 1, lambda x: x - 1, operand),
        lax.cond(False, lambda x: x + 1, lambda x: x - 1, operand),
        lax.while_loop(cond_fun, body_fun, init_val),
        lax.fori_loop(0, 10, lambda i, x: x + i, 0),
        jnp.select([operand > 1, operand < 1], [operand, -operand], 2.0),
    )


def cf_shortcircuit(jax, jnp, lax):
    def python_check_positive_even(x):
        return x % 2 == 0 and (x > 0)

    @jax.jit
    def jax_check_positive_even(x):
        return jnp.logical_and(x % 2 == 0, x > 0)

    x = jnp.arange(-5, 5)
    return jax_check_positive_even(24), jax_check_positive_even(x)


def cf_pieces(jax, jnp, lax):
    def f(x):
        return jnp.piecewise(x, [x < 0, x >= 2], [-1.0, lambda v: v * 2, 0.5])

    return f(jnp.array([-1.0, 1.0, 3.0]))


def cd_log1pexp(jax, jnp, lax):
    @jax.custom_jvp
    def log1pexp(x):
        return jnp.log(1.0 + jnp.exp(x))

    @log1pexp.defjvp
    def log1pexp_jvp(primals, tangents):
        (x,) = primals
        (x_dot,) = tangents
        ans = log1pexp(x)
        ans_dot = (1 - 1 / (1 + jnp.exp(x))) * x_dot
        return ans, ans_dot

    return (
        jax.grad(log1pexp)(100.0),
        jax.jit(log1pexp)(3.0),
        jax.jit(jax.grad(log1pexp))(3.0),
        jax.vmap(jax.jit(log1pexp))(jnp.arange(3.0)),
        jax.vmap(jax.jit(jax.grad(log1pexp)))(jnp.arange(3.0)),
    )


def cd_fx(jax, jnp, lax):
    @jax.custom_jvp
    def f(x):
        return x / (1 + jnp.sqrt(x))

    @f.defjvp
    def f_jvp(primals, tangents):
        (x,) = primals
        (x_dot,) = tangents
        ans = f(x)
        ans_dot = ((jnp.sqrt(x) + 2) / (2 * (jnp.sqrt(x) + 1) ** 2)) * x_dot
        return ans, ans_dot

    return jax.grad(f)(0.0), jax.grad(f)(1.0)


def cd_defjvps(jax, jnp, lax):
    @jax.custom_jvp
    def f(x):
        return jnp.sin(x)

    f.defjvps(lambda t, ans, x: jnp.cos(x) * t)

    @jax.custom_jvp
    def g(x, y):
        return x**2 * y

    g.defjvps(lambda x_dot, primal_out, x, y: 2 * x * y * x_dot, lambda y_dot, primal_out, x, y: x**2 * y_dot)

    @jax.custom_jvp
    def h(x, y):
        return x**2 * y

    h.defjvps(lambda x_dot, primal_out, x, y: 2 * x * y * x_dot, None)
    return jax.grad(f)(3.0), jax.grad(g)(2.0, 3.0), jax.grad(g, 0)(2.0, 3.0), jax.grad(g, 1)(2.0, 3.0), jax.grad(h)(2.0, 3.0), jax.grad(h, 1)(2.0, 3.0)


def cd_pycf(jax, jnp, lax):
    @jax.custom_jvp
    def f(x):
        if x > 0:
            return jnp.sin(x)
        else:
            return jnp.cos(x)

    @f.defjvp
    def f_jvp(primals, tangents):
        (x,) = primals
        (x_dot,) = tangents
        ans = f(x)
        if x > 0:
            return ans, 2 * x_dot
        else:
            return ans, 3 * x_dot

    return jax.grad(f)(1.0), jax.grad(f)(-1.0)


def cd_clip(jax, jnp, lax):
    @jax.custom_vjp
    def clip_gradient(lo, hi, x):
        return x

    def clip_gradient_fwd(lo, hi, x):
        return x, (lo, hi)

    def clip_gradient_bwd(res, g):
        lo, hi = res
        return (None, None, jnp.clip(g, lo, hi))

    clip_gradient.defvjp(clip_gradient_fwd, clip_gradient_bwd)

    def clip_sin(x):
        x = clip_gradient(-0.75, 0.75, x)
        return jnp.sin(x)

    t = jnp.linspace(0, 10, 20)
    return jax.vmap(jax.grad(clip_sin))(t)


def cd_nondiff(jax, jnp, lax):
    @partial(jax.custom_jvp, nondiff_argnums=(0,))
    def app(f, x):
        return f(x)

    @app.defjvp
    def app_jvp(f, primals, tangents):
        (x,) = primals
        (x_dot,) = tangents
        return f(x), 2.0 * x_dot

    @partial(jax.custom_vjp, nondiff_argnums=(0,))
    def appv(f, x):
        return f(x)

    def app_fwd(f, x):
        return f(x), x

    def app_bwd(f, x, g):
        return (5 * g,)

    appv.defvjp(app_fwd, app_bwd)

    @partial(jax.custom_jvp, nondiff_argnums=(0, 2))
    def app2(f, x, g):
        return f(g(x))

    @app2.defjvp
    def app2_jvp(f, g, primals, tangents):
        (x,) = primals
        (x_dot,) = tangents
        return f(g(x)), 3.0 * x_dot

    f2 = lambda x: x**3
    g = lambda y: 5 * y
    return (
        app(lambda x: x**3, 3.0),
        jax.grad(app, 1)(lambda x: x**3, 3.0),
        jax.grad(appv, argnums=1)(lambda x: x**2, 4.0),
        app2(f2, 3.0, g),
        jax.grad(app2, 1)(f2, 3.0, g),
    )


SNIPPETS = (
    selu, qs_sumlogistic, qs_hess, qs_vmap, front_predict, front_abs, front_fwdrev, front_jit, cb_logistic, cb_hvp, cb_conj, cf_python, cf_lax, cf_shortcircuit, cf_pieces, cd_log1pexp, cd_fx, cd_defjvps, cd_pycf, cd_clip, cd_nondiff,
)  # fmt: skip
