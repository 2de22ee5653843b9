"""Classes that a user registers as containers: as arguments, inside of functions that are read, carried by loops, given by branches and by custom rules."""
from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import s2s
from s2s import lax, tree_util
from s2s.errors import UnsupportedError


@tree_util.register_pytree_node_class
class Pair:
    def __init__(self, x: Any, y: Any, name: str = "n") -> None:
        self.x, self.y, self.name = x, y, name

    def tree_flatten(self) -> tuple[Any, Any]:
        return (self.x, self.y), (self.name.upper(), len(self.name))  # it computes with its data

    @classmethod
    def tree_unflatten(cls, data: Any, children: Any) -> Pair:
        return cls(*children, data[0].lower())

    def product(self) -> Any:
        return self.x * self.y


class Slotted:
    __slots__ = ("x", "y")

    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y

    def product(self) -> Any:
        return self.x * self.y


tree_util.register_pytree_with_keys(Slotted, lambda node: (((tree_util.GetAttrKey("x"), node.x), (tree_util.GetAttrKey("y"), node.y)), None), lambda _, children: Slotted(*children))


@tree_util.register_static
class Power:
    def __init__(self, v: int) -> None:
        self.v = v

    def __hash__(self) -> int:
        return hash(self.v)

    def __eq__(self, other: object) -> bool:
        return self.v == other.v  # type: ignore[attr-defined]  # it is compared with its own kind only


def parts(node: Any) -> list[float]:
    return [np.asarray(leaf).item() for leaf in tree_util.tree_leaves(node)]


@pytest.mark.parametrize("kind", [Pair, Slotted])
def test_rules_of_functions_of_registered_classes(kind: Any) -> None:
    """Their cotangents were zeros."""

    @s2s.custom_vjp
    def product(p: Any) -> Any:
        return p.product()

    product.defvjp(lambda p: (product(p), p), lambda p, bar: (kind(10 * bar * p.y, bar * p.x),))

    @s2s.custom_jvp
    def doubled(p: Any) -> Any:
        return p.product()

    doubled.defjvp(lambda primals, tangents: (doubled(primals[0]), 2.0 * (primals[0].x * tangents[0].y + primals[0].y * tangents[0].x)))
    with s2s.disable_jit():
        assert parts(s2s.grad(product)(kind(2.0, 3.0))) == [30.0, 2.0]
        assert parts(s2s.grad(lambda p: 2.0 * product(p))(kind(2.0, 3.0))) == [60.0, 4.0]
        assert parts(s2s.grad(doubled)(kind(2.0, 3.0))) == [6.0, 4.0]
        assert s2s.jvp(doubled, (kind(2.0, 3.0),), (kind(1.0, 2.0),)) == (6.0, 14.0)
        assert parts(s2s.vmap(s2s.grad(product))(kind(np.full(1, 2.0), np.full(1, 3.0)))) == [30.0, 2.0]


def test_loops_carry_registered_classes() -> None:
    def carried(p: Any) -> Any:
        return lax.fori_loop(0, 3, lambda i, c: Pair(c.x * c.y, c.y + p.x, c.name), p)

    def scanned(p: Any) -> Any:
        return lax.scan(lambda c, _: (Pair(c.x * c.y, c.y + 1, c.name), Pair(c.x, c.y, c.name)), p, None, length=3)

    def until(p: Any) -> Any:
        return lax.while_loop(lambda c: c.x < 10, lambda c: Pair(c.x * 2, c.y, c.name), p)

    def branched(x: Any) -> Any:
        return lax.cond(x > 0, lambda: Pair(x, x), lambda: Pair(-x, 2 * x))

    given = Pair(1.5, 2.0, "own")
    last = s2s.jit(carried, target="numpy")(given)
    assert (parts(last), last.name) == ([52.5, 6.5], "own")
    last, rows = s2s.jit(scanned, target="numpy")(given)
    assert (parts(last), last.name, rows.x.tolist(), rows.y.tolist()) == ([36.0, 5.0], "own", [1.5, 3.0, 9.0], [2.0, 3.0, 4.0])
    assert parts(s2s.jit(until, target="numpy")(given)) == [12.0, 2.0]
    assert parts(s2s.jit(branched, target="numpy")(-2.0)) == [2.0, -4.0]
    with s2s.disable_jit():
        assert s2s.grad(lambda x: lax.fori_loop(0, 3, lambda i, c: Pair(c.x * c.y, c.y + x), Pair(x, 2.0)).x)(1.5) == 71.0
    with pytest.raises(s2s.ArgumentTypeError, match="fori_loop body function carry input and carry output must have the same pytree structure"):
        s2s.jit(lambda p: lax.fori_loop(0, 3, lambda i, c: Pair(c.x, c.y, "another"), p), target="numpy")(given)


def test_static_classes_and_partials_are_arguments() -> None:
    def power(s: Any, x: Any) -> Any:
        return x**s.v

    jitted = s2s.jit(power, target="numpy")
    assert [jitted(Power(v), 3.0) for v in (2, 3, 2)] == [9.0, 27.0, 9.0]
    held = tree_util.Partial(lambda a, b: a * b, 3.0)
    assert s2s.jit(lambda f, x: f(x), target="numpy")(held, 2.0) == 6.0
    with s2s.disable_jit():
        assert s2s.grad(power, argnums=1)(Power(3), 2.0) == 12.0
        assert tree_util.tree_leaves(s2s.grad(lambda f, x: f(x))(held, 2.0)) == [2.0]


@tree_util.register_pytree_node_class
class Powers:
    """A node whose data are numbers."""

    def __init__(self, x: Any, many: Any) -> None:
        self.x, self.many = x, many

    def tree_flatten(self) -> tuple[Any, Any]:
        return (self.x,), (self.many,)

    @classmethod
    def tree_unflatten(cls, data: Any, children: Any) -> Powers:
        return cls(*children, *data)


@dataclass
class Series:
    """The same, a dataclass."""

    x: Any
    y: Any
    many: Any


tree_util.register_dataclass(Series, ["x", "y"], ["many"])


@s2s.custom_jvp
def ruled(x: Any) -> Any:
    return Powers(x * 2.0, 3)


@ruled.defjvp
def _ruled(primals: Any, tangents: Any) -> Any:
    return ruled(*primals), Powers(tangents[0] * 5.0, 3)


@pytest.mark.parametrize("kind", [Powers, Series])
def test_data_of_results_stay_what_they_are(kind: Any) -> None:
    """They were numbers of results: another result in a derivative, an internal error where an argument was given back."""
    x = np.arange(3.0) + 1.0

    def of(first: Any, second: Any, many: Any) -> Any:
        return Powers((first, second), many) if kind is Powers else Series(first, second, many)

    def made(x: Any) -> Any:
        return of(x * 2.0, x.sum(), 3)

    def again(node: Any) -> Any:
        return of(node.x, len(node.x), (node.many + 1, "a", None))

    def check(found: Any, first: Any, second: Any, many: Any = 3) -> None:
        assert type(found) is kind and found.many == many and type(found.many) is type(many)
        for one, other in zip(tree_util.tree_leaves(found), (first, second), strict=True):
            np.testing.assert_array_equal(one, other)

    ones = np.ones((3, 3))
    for function in (made, s2s.jit(made, target="numpy")):
        check(function(x), 2.0 * x, 6.0)
    plain = s2s.jit(made, target="numpy")
    check(s2s.vmap(plain)(ones), 2.0 * ones, [3.0] * 3)
    for part, value in zip(s2s.jvp(plain, (x,), (x,)), (x, x), strict=True):
        check(part, 2.0 * value, value.sum())
    check(s2s.jacfwd(plain)(x), 2.0 * np.eye(3), np.ones(3))
    check(s2s.jacrev(plain)(x), 2.0 * np.eye(3), np.ones(3))
    check(s2s.vjp(plain, x)[0], 2.0 * x, 6.0)
    np.testing.assert_array_equal(s2s.vjp(plain, x)[1](of(x, 1.0, 3))[0], 2.0 * x + 1.0)
    check(s2s.linearize(plain, x)[1](x), 2.0 * x, 6.0)
    (_, aux), _ = s2s.value_and_grad(s2s.jit(lambda x: (x.sum(), made(x)), target="numpy"), has_aux=True)(x)
    check(aux, 2.0 * x, 6.0)
    given = Powers(x, 4) if kind is Powers else Series(x, 1.0, 4)
    check(s2s.jit(again, target="numpy")(given), x, 3, (5, "a", None))
    check(s2s.jit(again)(given), x, 3, (5, "a", None))


def test_data_of_results_through_rules_loops_and_branches() -> None:
    x = np.arange(3.0)

    def repeated(x: Any) -> Any:
        node = Powers(x, 3)
        for _ in range(5):
            node = Powers(node.x * 2.0, node.many)
        return node if x[0] > 0.0 else Powers(-node.x, node.many)

    found = s2s.jit(repeated, target="numpy")(x)
    np.testing.assert_array_equal(found.x, -32.0 * x)
    assert found.many == 3
    for part, scale in zip(s2s.jvp(ruled, (x,), (x,)), (2.0, 5.0), strict=True):
        np.testing.assert_array_equal(part.x, scale * x)
        assert part.many == 3

    def counted(x: Any, k: Any) -> Any:
        return Powers(x, int(k))

    def chosen(x: Any) -> Any:
        return Powers(x, 3 if x[0] > 0.0 else 4)

    def listed(x: Any) -> Any:
        out = []
        for i in range(len(x)):
            if x[i] > 0.0:
                out.append(Powers(x[i], i))
        return out

    for function, args in ((counted, (x, 3.0)), (chosen, (x,)), (listed, (x,))):
        with pytest.raises(NotImplementedError, match="whose data are known only at run time"):
            s2s.jit(function, target="numpy")(*args)


@tree_util.register_pytree_node_class
class Layer:
    def __init__(self, w: Any, act: Any = np.tanh) -> None:
        self.w, self.act = w, act

    def tree_flatten(self) -> tuple[Any, Any]:
        return (self.w,), self.act

    @classmethod
    def tree_unflatten(cls, data: Any, children: Any) -> Layer:
        return cls(*children, data)

    def __call__(self, x: Any) -> Any:
        return self.act(x @ self.w)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("made_inside", [True, False])
def test_derivatives_inside_with_respect_to_registered_classes(target: str, made_inside: bool) -> None:
    """A model that is trained: refused before."""
    rng = np.random.default_rng(3)
    w, v, x, y = rng.normal(size=(3, 4)), rng.normal(size=(4, 1)), rng.normal(size=(5, 3)), rng.normal(size=(5, 1))

    def error(model: Any) -> Any:
        return np.mean((model.y(model.x(x)) - y) ** 2)

    def trained(w: Any, v: Any, model: Any) -> Any:
        model = Pair(Layer(w), Layer(v, np.sin), "net") if made_inside else model
        for _ in range(3):
            loss, slope = s2s.value_and_grad(error)(model)
            model = tree_util.tree_map(lambda p, q: p - 0.1 * q, model, slope)
        return loss, model, slope

    def plain(w: Any, v: Any) -> Any:
        for _ in range(3):
            hidden = np.tanh(x @ w)
            out = np.sin(hidden @ v)
            loss, back = np.mean((out - y) ** 2), 2 * (out - y) / y.size * np.cos(hidden @ v)
            slopes = x.T @ (back @ v.T * (1 - hidden**2)), hidden.T @ back
            w, v = w - 0.1 * slopes[0], v - 0.1 * slopes[1]
        return loss, w, v, slopes

    loss, model, slope = s2s.jit(trained, target=target)(w, v, Pair(Layer(w), Layer(v, np.sin), "net"))
    wanted, new_w, new_v, slopes = plain(w, v)
    assert type(model) is Pair and type(slope.y) is Layer and model.name == slope.name == "net" and slope.y.act is model.y.act is np.sin
    for one, other in ((loss, wanted), (model.x.w, new_w), (model.y.w, new_v), (slope.x.w, slopes[0]), (slope.y.w, slopes[1])):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_transformations_inside_of_slotted_classes() -> None:
    def of(x: Any) -> Any:
        node = Slotted(x, 2.0 * x)
        slope = s2s.grad(lambda node: np.sum(node.product()))(node)
        return slope.x, slope.y, s2s.vmap(lambda node: Slotted(node.product(), node.x))(node)

    x = np.arange(3.0) + 1.0
    first, second, batch = s2s.jit(of, target="numpy")(x)
    assert type(batch) is Slotted
    for one, other in ((first, 2.0 * x), (second, x), (batch.x, 2.0 * x * x), (batch.y, x)):
        np.testing.assert_allclose(one, other, rtol=1e-13)


@tree_util.register_pytree_node_class
class Backwards:
    """Its children stand in another order than its attributes."""

    def __init__(self, a: Any, b: Any, name: str) -> None:
        self.a, self.b, self.name = a, b, name

    def tree_flatten(self) -> tuple[Any, Any]:
        return (self.b, self.a), self.name

    @classmethod
    def tree_unflatten(cls, data: Any, children: Any) -> Backwards:
        return cls(children[1], children[0], data)


def weighed(node: Any) -> Any:
    return np.sum(np.sin(node.a)) + len(node.name) * np.sum(node.b**2 * node.a)


def changed(node: Any) -> Any:
    return Backwards(node.a * 2.0, node.b**2, "other")


@pytest.mark.parametrize("transform", [
    lambda node: s2s.grad(weighed)(node), lambda node: s2s.hessian(weighed)(node).a, lambda node: s2s.hessian(weighed)(node).b, lambda node: s2s.jacfwd(changed)(node).b,
    lambda node: s2s.vmap(lambda each: Backwards(each.a * each.b, each.b, each.name))(node), lambda node: s2s.jit(changed)(node),
])  # fmt: skip
def test_children_in_another_order_than_attributes(transform: Any) -> None:
    node = Backwards(np.arange(3.0) + 1.0, np.array([0.5, -1.0, 2.0]), "name")
    found, wanted = s2s.jit(transform, target="numpy")(node), transform(node)
    made = s2s.jit(lambda a, b: transform(Backwards(a, b, "name")), target="numpy")(node.a, node.b)
    for each in (found, made):
        assert type(each) is type(wanted) is Backwards and each.name == wanted.name
        np.testing.assert_allclose(each.a, wanted.a, rtol=1e-13)
        np.testing.assert_allclose(each.b, wanted.b, rtol=1e-13)


def test_jvp_and_vjp_inside_of_registered_classes_are_refused() -> None:
    node = Backwards(np.arange(3.0), np.arange(3.0), "name")
    for transform in (lambda node: s2s.jvp(weighed, (node,), (node,)), lambda node: s2s.vjp(weighed, node)[1](1.0)):
        with pytest.raises(UnsupportedError, match="as an argument of jvp, vjp"):
            s2s.jit(transform, target="numpy")(node)


@s2s.tree_util.register_pytree_node_class
class Named:
    """A layer whose parts are whatever its `__dict__` holds."""

    def __init__(self, **parts: Any) -> None:
        vars(self).update(parts)

    def __call__(self, x: np.ndarray) -> Any:
        return np.tanh(self.w @ x) + self.b

    def tree_flatten(self) -> tuple[tuple[Any, ...], tuple[str, ...]]:
        return tuple(vars(self).values()), tuple(vars(self))

    @classmethod
    def tree_unflatten(cls, names: tuple[str, ...], parts: tuple[Any, ...]) -> Named:
        return cls(**dict(zip(names, parts, strict=True)))


@dataclasses.dataclass
class Affine:
    w: Any
    b: Any

    def __call__(self, x: np.ndarray) -> Any:
        return np.tanh(self.w @ x) + self.b


@pytest.mark.parametrize("cls", [Named, Affine])
@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_a_container_that_is_called_is_transformed_itself_and_stays_as_it_is(cls: Any, target: str) -> None:
    w, b, xs = np.array([[0.3, -0.2], [0.5, 0.1]]), np.array([0.7, -0.4]), np.array([[0.1, 0.2], [0.3, -0.4], [1.5, 0.6]])
    layer = cls(w=w, b=b)
    np.testing.assert_allclose(s2s.vmap(layer)(xs), np.stack([layer(x) for x in xs]))
    np.testing.assert_allclose(s2s.jit(layer, target=target)(xs[0]), layer(xs[0]))
    slopes = 1 - np.tanh(w @ xs[0]) ** 2
    np.testing.assert_allclose(s2s.jacfwd(s2s.jit(layer, target=target))(xs[0]), slopes[:, None] * w)
    assert s2s.vmap(layer) is s2s.vmap(layer)
    assert list(vars(layer)) == ["w", "b"]
    assert len(s2s.tree_util.tree_leaves(layer)) == 2
