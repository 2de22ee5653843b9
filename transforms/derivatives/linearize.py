"""linearize and linear_transpose of staged programs.

    linearize:          (x) -> (y, residuals)  and  (residuals, x_dot) -> y_dot
    linear_transpose:   (sizes, y_bar) -> x_bar
"""
from __future__ import annotations

from typing import Any

from s2s import tree_util
from s2s.errors import ArgumentTypeError, UnsupportedError
from s2s.records import replace
from s2s.transforms.derivatives import linear
from s2s.transforms.derivatives.activity import varied_results
from s2s.transforms.derivatives.derive import NO_TANGENT, of_type, restaged
from s2s.transforms.derivatives.linearity import check_linear
from s2s.transforms.derivatives.requirements import described, output_and_aux, refuse_lists
from s2s.transforms.derivatives.shared import with_bounds
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Array, Atom, Function, Var, size_params
from s2s.transforms.ir.staged import Parameter, Result, Staged
from s2s.transforms.primitives.arithmetic import equal
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.structural import copy, same_dims
from s2s.transforms.primitives.traced_order import is_traced_order
from s2s.transforms.primitives.value import Value, zeros
from s2s.transforms.simplify.simplification import simplify
from s2s.types import SIZE, dim_atom, is_float, literal


def linearize(staged: Staged, *, has_aux: bool = False) -> tuple[Staged, Staged]:
    """Two programs: (arguments…) -> (out, residuals) or (out, residuals, aux), and (residuals, one tangent tree for each positional
    argument…) -> out_dot. The second computes nothing again that the first has computed.
    """
    output, aux = output_and_aux("linearize", staged, has_aux)
    staged = replace(staged, function=linear.called(simplify(staged.function)))
    function = staged.function
    active = _visible_floats(staged)
    parts = linear.linearized(function, active)
    count = len(function.body.results)
    varied = [number for number, on in enumerate(varied_results(function, active)) if on]
    still = [leaf.number for leaf in _leaves(output) if leaf.number not in varied and is_float(function.body.results[leaf.number].type.dtype)]

    builder = new_builder()
    builder.where = function.where
    made = linear.outs_of(builder, parts.forward, function.params)
    arrays = [number for number in still if made[number].type.shape]
    kept = [*made[count:], *(zeros(builder, made[number].type).atom for number in arrays)]
    copied = () if is_traced_order() else function.params  # the caller may change them; a jaxpr's values don't change
    kept = [builder.equation(copy, (atom,), name=atom.name)[0] if atom in copied and atom.type.shape else atom for atom in kept]
    residuals = tuple(Result(count + k) for k in range(len(kept)))
    tree = (output, residuals, aux) if has_aux else (output, residuals)
    first = restaged(staged, function.params, builder.block(*made[:count], *kept), tree, f"{function.name}_fwd")
    return first, _linear_program(staged, parts, output, varied, {number: made[number].type for number in still})


def _linear_program(staged: Staged, parts: linear.Parts, output: Any, varied: list[int], still: dict[int, Array]) -> Staged:
    """The second program: the linear part. `still`: results that don't depend on the arguments; zeros for arrays of them are residuals."""
    function, builder = staged.function, new_builder()
    builder.where = function.where
    own, seeds = parts.linear.params[: parts.residuals], parts.linear.params[parts.residuals:]
    zero: dict[int, Atom] = {number: literal(0, type_.dtype) if not type_.shape else _zeros_like(type_) for number, type_ in still.items()}
    nothing = tuple(atom for atom in zero.values() if isinstance(atom, Var))
    builder.nodes.extend(parts.linear.body.nodes)
    numbers = {number: k for k, number in enumerate((*varied, *still))}
    results = [
        of_type(builder, atom, replace(atom.type, weak=function.body.results[number].type.weak))
        for number, atom in zip(numbers, (*parts.linear.body.results, *zero.values()), strict=True)
    ]
    dots = dict(zip((p for p, on in zip(function.params, _visible_floats(staged), strict=True) if on), seeds, strict=True))
    positional = [each for each in staged.parameters if each.kind in ("positional", "star")]
    parameters = (
        Parameter("residuals", (*own, *nothing)),
        *(Parameter(f"{each.name}_dot", tree_util.tree_map(dots.get, each.tree), tangent=True) for each in positional),
    )

    def tangent(leaf: Any) -> Any:
        if not isinstance(leaf, Result):
            return leaf
        return replace(leaf, number=numbers[leaf.number]) if leaf.number in numbers else NO_TANGENT

    params = (*own, *nothing, *seeds)
    second = Function(parts.linear.name, params, builder.block(*results), function.where, "", None, derived=False)
    return Staged(second, parameters, tree_util.tree_map(tangent, output), guards=staged.guards, target_name=second.name)


def _zeros_like(type_: Array) -> Var:
    """A parameter for zeros of this type."""
    return Var("zeros", Array(type_.dtype, tuple(dim if isinstance(dim, int) else Var("n", SIZE) for dim in type_.shape)))


def linear_transpose(staged: Staged) -> Staged:
    """The program (sizes, out_bar) -> one cotangent tree for each argument. `sizes` are those of the arguments, in their order.

    Raises
    ------
    ArgumentTypeError
        The function is not linear in its arguments (at the user's line), or has arguments or results that are no floats.
    """
    staged = replace(staged, function=linear.called(simplify(staged.function)))
    function = staged.function
    if any(var.type.stream for var, _ in staged.mutated):
        raise UnsupportedError("linear_transpose of a function that draws random numbers", where=function.where, instead="numbers that are drawn before, as an argument")
    active = _visible_floats(staged)
    refuse_lists("linear_transpose", staged, staged.result)
    _check_types(staged)
    check_linear(function, active)
    hidden = tuple(item.param for item in staged.hidden)
    own = [param for param in function.params if param not in hidden]
    outputs = list(dict.fromkeys(leaf.number for leaf in _leaves(staged.result)))
    useful = tuple(number in outputs for number in range(len(function.body.results)))
    parts = linear.pullback(with_bounds(function, active, useful), active, useful)
    known = size_params(replace(function, params=tuple(own)))

    builder = new_builder()
    builder.where = function.where
    primals = {param: zeros(builder, param.type).atom for param in own}
    made = linear.outs_of(builder, parts.forward, tuple(primals.get(param, param) for param in function.params))
    results, residuals = made[: len(function.body.results)], made[len(function.body.results):]
    seeds = {number: _seed(function.body.results[number]) for number in sorted(outputs)}
    if isinstance(staged.result, Result):
        seeds[staged.result.number].name = "out_bar"
    bars = [_matched(builder, seed, results[number]) for number, seed in seeds.items()]
    found = linear.outs_of(builder, parts.linear, (*residuals, *bars))
    wanted = [param for param, on in zip(function.params, active, strict=True) if on]
    typed = [of_type(builder, same_dims(Value(builder, atom), Value(builder, param)).atom, param.type) for atom, param in zip(found, wanted, strict=True)]
    places = {param: Result(k) for k, param in enumerate(wanted)}
    parameters = (
        Parameter("sizes", tuple(known)),
        Parameter("out_bar", tree_util.tree_map(lambda leaf: seeds[leaf.number], staged.result)),
    )
    trees = tuple(tree_util.tree_map(places.__getitem__, each.tree) for each in staged.parameters)
    name = f"{function.name}_linear_transpose"
    body = Function(name, (*known, *seeds.values(), *hidden), builder.block(*typed), function.where, function.doc, None, derived=False)
    return replace(staged, function=body, parameters=parameters, result=trees, mutated=(), origins=(), aliased=False, target_name=name)


def _seed(result: Atom) -> Var:
    """A parameter for the cotangent of a result; its sizes are compared with the result's."""
    shape = tuple(dim if isinstance(dim, int) else Var(dim.name, SIZE) for dim in result.type.shape)
    return Var(f"{linear.name_of(result)}_bar", Array(result.type.dtype, shape, result.type.weak))


def _matched(builder: Builder, seed: Var, result: Atom) -> Atom:
    """The cotangent with the result's own sizes, after a check that they are."""
    wanted = "".join(f"[{', '.join('{}' for _ in result.type.shape)}]")
    for dim, own in zip(seed.type.shape, result.type.shape, strict=True):
        if dim is not own and not (isinstance(dim, int) and dim == own):
            (test,) = builder.equation(equal, (dim_atom(dim), dim_atom(own)))
            builder.check(
                test, "TypeError",
                f"cotangent type does not match function output, expected {seed.type.dtype}{wanted} and got {seed.type.dtype}{wanted}",
                *(dim_atom(each) for each in (*result.type.shape, *seed.type.shape)),
            )
    return same_dims(Value(builder, seed), Value(builder, result)).atom


def _check_types(staged: Staged) -> None:
    """ArgumentTypeError unless all arguments and results are floats."""
    types = [leaf.type if isinstance(leaf, Var) else None for each in staged.parameters for leaf in tree_util.tree_leaves(each.tree)]
    results = [staged.function.body.results[leaf.number].type if isinstance(leaf, Result) else None for leaf in tree_util.tree_leaves(staged.result)]
    if all(type_ is not None and is_float(type_.dtype) for type_ in (*types, *results)):
        return
    names = ", ".join("static" if type_ is None else str(type_.dtype) for type_ in types)
    raise ArgumentTypeError(
        f"linear_transpose only supports [float or complex] -> [float or complex] functions, but got [{names}] -> {described(staged, staged.result)}.",
        where=staged.function.where,
    )  # fmt: skip


def _visible_floats(staged: Staged) -> tuple[bool, ...]:
    hidden = {item.param for item in staged.hidden}
    return tuple(is_float(param.type.dtype) and param not in hidden for param in staged.function.params)


def _leaves(tree: Any) -> list[Result]:
    return [leaf for leaf in tree_util.tree_leaves(tree) if isinstance(leaf, Result)]
