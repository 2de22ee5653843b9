"""The rules of functions with custom derivatives: programs that answer where a derivative would look into the body.

    f.rule = CustomJvp(f_jvp)         forward mode calls f_jvp; reverse mode transposes it with respect to the tangents
    f.rule = CustomVjp(f_fwd, f_bwd)  reverse mode calls f_fwd and f_bwd; forward mode is refused, as in JAX
    f.rule = Linear(f, f_t)           f is linear in some parameters: its tangent is f of the tangents, its transpose f_t

The rules are programs that were read with the function (`read/custom.py`), so that they are differentiated again for higher orders.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator

from s2s.errors import ArgumentTypeError, InternalError
from s2s.records import replace
from s2s.transforms.derivatives import forward
from s2s.transforms.derivatives.activity import varied_from, varied_vars
from s2s.transforms.derivatives.halving import cut
from s2s.transforms.derivatives.linearity import check_linear
from s2s.transforms.derivatives.reverse import adjoint as reverse
from s2s.transforms.derivatives.rules import DerivativeRule, Halves, KnownForward, KnownReverse, Mask
from s2s.transforms.derivatives.zero_tangents import without_zeros
from s2s.transforms.ir import rewrite
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Atom, Block, Call, Equation, Function, Node, Rule, Var, bound_inside, free_vars, walk
from s2s.transforms.ir.rewrite import Substitution, bind_params
from s2s.transforms.primitives.opaque import opaque
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.structural import retype
from s2s.transforms.primitives.value import Value, zeros
from s2s.transforms.simplify.simplification import only_live
from s2s.types import Array, dim_atom, is_float

Write = Callable[..., tuple[Function, Mask]]
"""write(program, varied, results, *, at, …): the program for all examples of a batch (`batching/ruled.py`)."""


class Custom(DerivativeRule):
    """What all of them share. `name`: the function's; `fixed`: the parameters with respect to which there is no derivative.

    A rule is filled in when it has been read: it may call its own function. `failure` is what was wrong with it.
    """

    kind = "custom"

    def __init__(self, name: str, fixed: Mask) -> None:
        self.name, self.fixed = name, fixed
        self.failure: Exception | None = None

    def fail(self, error: Exception) -> None:
        """Raise this when the function is differentiated."""
        self.failure = error

    def check(self, function: Function, active: Mask) -> None:
        """Raise what is wrong with the rule, or TypeError for a derivative that it does not give."""
        if self.failure is not None:
            raise self.failure
        for param, on, is_fixed in zip(function.params, active, self.fixed, strict=True):
            if on and is_fixed:
                raise ArgumentTypeError(
                    f"Detected differentiation of a {self.kind} function with respect to a closed-over value, or an argument that nondiff_argnums "
                    f"names: {param.name} of {self.name}.", where=function.where,
                    why=f"the rule only specifies how to differentiate {self.name} with respect to its other arguments",
                    instead="pass the value as an argument, and adapt the rule (see s2s.closure_convert)",
                )  # fmt: skip


def _floats(function: Function) -> Mask:
    return tuple(is_float(result.type.dtype) for result in function.body.results)


def inlined(function: Function, ins: tuple[Atom, ...]) -> Block:
    """A function's body for these operands."""
    return Substitution(bind_params(function.params, ins)).block(function.body)


# ---- custom_jvp -------------------------------------------------------------------------------------------------------


class Transposed(Custom):
    """A rule for forward mode, which is transposed for reverse mode."""

    def __init__(self, name: str, fixed: Mask) -> None:
        super().__init__(name, fixed)
        self.open: set[tuple[Mask, Mask]] = set()
        """What is being transposed just now."""

    def specialised(self, function: Function, active: Mask, known: KnownForward) -> Function:
        """(*the function's own params, *tangents of the active ones) -> (*results, *tangents of the float results)."""
        raise NotImplementedError

    def jvp(self, function: Function, active: Mask, known: KnownForward) -> Function:
        self.check(function, active)
        return rewrite.renewed(self.specialised(function, active, known))

    def halves(self, function: Function, active: Mask, useful: Mask, known: KnownReverse) -> Halves:
        self.check(function, active)
        if (active, useful) in self.open:
            raise self.endless(function)
        self.open.add((active, useful))
        try:
            return self.transposed_halves(function, active, useful, known)
        finally:
            self.open.discard((active, useful))

    def endless(self, function: Function) -> ArgumentTypeError:
        """The error for a rule that needs the transpose of itself."""
        return ArgumentTypeError(
            f"the rule of {self.name} can't be transposed for reverse mode: it calls {self.name} itself with what depends on the tangents",
            where=function.where, instead="s2s.linear_call with the transpose, or a rule for reverse mode (custom_vjp)",
        )

    def transposed_halves(self, function: Function, active: Mask, useful: Mask, known: KnownReverse) -> Halves:
        """The rule's program, differentiated in reverse with respect to the tangents."""
        rule = self.specialised(function, active, {})
        count, dots = len(function.params), rule.params[len(function.params):]
        rule = replace(rule, body=_opened(rule.body, {*dots}))
        self.check_rule(rule, count)
        wanted = tuple(on for on, is_a_float in zip(useful, _floats(function), strict=True) if is_a_float)
        results = len(function.body.results)
        sweeps = reverse.sweep_of(rule, (False,) * count + (True,) * len(dots), (False,) * results + wanted, known)
        names = [getattr(result, "name", "out") for result, on in zip(sweeps.results[:results], useful, strict=True) if on]
        for seed, name in zip(sweeps.seeds, names, strict=True):
            seed.name = f"{name}_bar"
        adjoint = only_live(Block(tuple(sweeps.adjoint), tuple(sweeps.bars)))
        for node in walk(adjoint):  # the cotangent of a parameter's tangent is the parameter's own
            for var in (*node.outs, *bound_inside(node)):
                var.name = var.name.replace("_dot_bar", "_bar")
        parts = cut(function, (*sweeps.primal,), sweeps.results[:results], adjoint, sweeps.seeds, f"{function.name}_bwd")
        parts.forward = replace(parts.forward, body=only_live(_without(only_live(parts.forward.body), {*dots})))
        if {*parts.needed, *free_vars(parts.forward.body)} & varied_from(rule.body.nodes, dots):
            raise InternalError(f"the reverse sweep of {rule.name} needs tangents", where=rule.where)
        return parts

    def check_rule(self, rule: Function, count: int) -> None:
        """TypeError unless the tangents that the rule returns are linear in those that it gets; `count` params stand before these."""


def _as_declared(function: Function, block: Block) -> Block:
    """A rule's block, whose results (and their tangents) name their sizes as the function's own results do, where the parameters say them: a caller knows these."""
    bound = {*function.params, *(dim for param in function.params for dim in param.type.shape)}
    types = [result.type for result in function.body.results]
    types += [type_ for type_ in types if is_float(type_.dtype)]
    builder = new_builder()
    builder.where = function.where
    results = tuple(
        _typed(builder, atom, type_) if all(isinstance(dim, int) or dim in bound for dim in type_.shape) else atom for atom, type_ in zip(block.results, types, strict=True)
    )
    return Block((*block.nodes, *builder.nodes), results)


def _opened(block: Block, dots: set[Var]) -> Block:
    """Helpers that get tangents beside other numbers (`s2s.jvp(g, …)` in a rule) written out: the reverse sweep reads what they compute without tangents.

    A custom_jvp function of tangents is what it computes, without its rule, as in JAX: a linear function needs none, and its own rule may call it so.
    """
    nodes: list[Node] = []
    mapping = rewrite.Substitution(renew=False)
    todo = [*reversed(block.nodes)]
    varied = set(dots)
    while todo:
        node = mapping.node(todo.pop())
        if isinstance(node, Call) and _is_written_out(node, [atom in varied for atom in node.ins]):
            inner, results = rewrite.inline(node)
            todo += reversed(inner)
            mapping.mapping.update({out: results.get(atom, atom) if isinstance(atom, Var) else atom for out, atom in mapping.mapping.items()} | results)
            continue
        varied = varied_from((node,), varied)
        nodes.append(node)
    return Block(tuple(nodes), mapping.atoms(block.results))


def _is_written_out(call: Call, varied: list[bool]) -> bool:
    """Whether a call whose operands depend on tangents as `varied` says is opened; what calls foreign code has no derivative but its rule."""
    if call.function.rule is None:
        return any(varied) and not all(varied)
    return type(call.function.rule) is CustomJvp and any(varied) and not any(isinstance(node, Equation) and node.primitive is opaque for node in walk(call.function.body))


def _without(block: Block, dots: set[Var]) -> Block:
    """The block without what depends on tangents, of which nothing is left but checks."""
    nodes: list[Node] = []
    gone = set(dots)
    for node in block.nodes:
        if gone & {*free_vars(Block((node,), ()))} and not {*node.outs} & {*block.results}:
            gone.update(node.outs)
        else:
            nodes.append(node)
    return Block(tuple(nodes), block.results)


class CustomJvp(Transposed):
    """The rule of a custom_jvp function: `rule` is (*params, *tangents of the floats that are not fixed) -> (*results, *their tangents)."""

    kind = "custom_jvp"

    def fill(self, rule: Function) -> None:
        """Set the rule's program."""
        self.rule = rule

    def programs(self) -> tuple[Function, ...]:
        return (self.rule,) if hasattr(self, "rule") else ()

    def flows(self, function: Function, varied: Mask, results_of: Callable[[Function, Mask], Mask]) -> Iterator[tuple[Function, Mask]]:
        if self.programs():
            yield self.rule, (*varied, *self._tangents(self.rule.params, varied))

    def twin(self, more: int) -> Rule | None:
        made = CustomJvp(self.name, (*self.fixed, *(True,) * more))
        made.failure = self.failure
        return made

    def fill_twin(self, twin: CustomJvp, function: Function, varied: Mask, results: Mask, write: Write) -> None:
        if self.programs():
            count = len(varied)
            both = (*results, *(on for on, is_a_float in zip(results, _floats(function), strict=True) if is_a_float))
            twin.fill(write(self.rule, (*varied, *self._tangents(self.rule.params, varied)), both, at=count)[0])

    def _tangents(self, params: tuple[Var, ...], flags: Mask) -> Mask:
        """Of flags of the function's params those of the params that have a tangent."""
        return tuple(flag for param, is_fixed, flag in zip(params, self.fixed, flags, strict=False) if not is_fixed and is_float(param.type.dtype))

    def specialised(self, function: Function, active: Mask, known: KnownForward) -> Function:
        """The rule for these active parameters; the other tangents are zeros."""
        tangents = {
            param: Var(f"{param.name}_dot", param.type.strong()) for param, is_fixed in zip(function.params, self.fixed, strict=True)
            if not is_fixed and is_float(param.type.dtype)
        }
        on = {param for param, is_on in zip(function.params, active, strict=True) if is_on}
        dots = tuple(dot for param, dot in tangents.items() if param in on)
        zero = tuple(dot for param, dot in tangents.items() if param not in on)
        body = _as_declared(function, without_zeros(inlined(self.rule, (*function.params, *tangents.values())), zero, dots))
        return Function(self.rule.name, (*function.params, *dots), body, self.rule.where, self.rule.doc, None, derived=False)

    def check_rule(self, rule: Function, count: int) -> None:
        dots = len(rule.params) - count
        varied = varied_vars(rule, (False,) * count + (True,) * dots)
        if any(isinstance(node, Call) and node.function.rule is self and any(atom in varied for atom in node.ins) for node in walk(rule.body)):
            raise self.endless(rule)
        self.check_linear(rule, count)

    def check_linear(self, rule: Function, count: int) -> None:
        """TypeError unless the rule's tangents are linear in those that it gets."""
        dots = len(rule.params) - count
        tangents = rule.body.results[len(rule.body.results) - sum(is_float(atom.type.dtype) for atom in rule.body.results) // 2:]
        body = only_live(Block(rule.body.nodes, tangents))
        check_linear(
            replace(rule, body=body), (False,) * count + (True,) * dots,
            f"Custom JVP rule {rule.name} for function {self.name} can't be transposed for reverse mode, because the tangents that it returns are "
            "not linear in those that it gets", "a derivative is linear in the tangents",
        )


# ---- custom_vjp -------------------------------------------------------------------------------------------------------


class CustomVjp(Custom):
    """The rule of a custom_vjp function. `fwd`: (*params) -> (*results, *kept); `bwd`: (*kept, *cotangents of the float results) ->
    cotangents of the parameters whose numbers are `targets`; those of the others are zero.
    """

    kind = "custom_vjp"

    def fill(self, fwd: Function, bwd: Function, targets: tuple[int, ...]) -> None:
        """Set the rules' programs."""
        self.fwd, self.bwd, self.targets = fwd, bwd, targets

    def programs(self) -> tuple[Function, ...]:
        return (self.fwd, self.bwd) if hasattr(self, "fwd") else ()

    def flows(self, function: Function, varied: Mask, results_of: Callable[[Function, Mask], Mask]) -> Iterator[tuple[Function, Mask]]:
        if self.programs():
            yield self.fwd, varied
            yield self.bwd, _given_back(function, results_of(self.fwd, varied))

    def twin(self, more: int) -> Rule | None:
        made = CustomVjp(self.name, (*self.fixed, *(True,) * more))
        made.failure = self.failure
        return made

    def fill_twin(self, twin: CustomVjp, function: Function, varied: Mask, results: Mask, write: Write) -> None:
        if self.programs():
            fwd, found = write(self.fwd, varied, results, at=len(varied), hands_size=True)
            back = _given_back(function, found)
            wanted = tuple(varied[number] for number in self.targets)
            twin.fill(fwd, write(self.bwd, back, wanted, at=len(self.fwd.body.results) - len(results), sums=True)[0], self.targets)

    def useful_params(self, function: Function, active: Mask, useful: Mask) -> Mask:
        """Those that get a cotangent; fixed ones too, so that `check` sees them."""
        if self.failure is not None or not any(useful):
            return super().useful_params(function, active, useful)
        return tuple(on and (is_fixed or k in self.targets) for k, (on, is_fixed) in enumerate(zip(active, self.fixed, strict=True)))

    def jvp(self, function: Function, active: Mask, known: KnownForward) -> Function:
        raise ArgumentTypeError(
            "can't apply forward-mode autodiff (jvp) to a custom_vjp function.", where=function.where,
            why=f"{self.name} has rules for reverse mode only", instead="give it a custom_jvp rule: reverse mode follows from it",
        )

    def halves(self, function: Function, active: Mask, useful: Mask, known: KnownReverse) -> Halves:
        self.check(function, active)
        body = inlined(self.fwd, function.params)
        count = len(function.body.results)
        outs, kept = body.results[:count], body.results[count:]
        builder = new_builder()
        builder.where = self.bwd.where
        seeds, bars = _seeds(builder, function, outs, useful)
        found = _called(builder, self.bwd, kept, bars)
        by_number = dict(zip(self.targets, found, strict=True))
        results = tuple(
            by_number[k] if k in by_number else zeros(builder, param.type.strong()).atom
            for k, (param, on) in enumerate(zip(function.params, active, strict=True)) if on
        )
        parts = cut(function, body.nodes, outs, builder.block(*results), seeds, self.bwd.name)
        parts.forward = replace(parts.forward, name=self.fwd.name, where=self.fwd.where, doc=self.fwd.doc, body=only_live(parts.forward.body))
        parts.backward = replace(parts.backward, where=self.bwd.where, doc=self.bwd.doc, derived=False)
        return parts


def _given_back(function: Function, flags: Mask) -> Mask:
    """Of flags of what fwd returns those of bwd's params: what was kept, and the cotangents of the float results."""
    floats = _floats(function)
    return (*flags[len(floats):], *(flag for flag, is_a_float in zip(flags, floats, strict=False) if is_a_float))


def _seeds(builder: Builder, function: Function, outs: tuple[Atom, ...], useful: Mask) -> tuple[tuple[Var, ...], list[Atom]]:
    """New parameters for the cotangents of the useful results, and the cotangents of all float results: zeros for the others."""
    seeds: list[Var] = []
    bars: list[Atom] = []
    for out, on in zip(outs, useful, strict=True):
        if not is_float(out.type.dtype):
            continue
        if on:
            seeds.append(Var(f"{getattr(out, 'name', function.name)}_bar", reverse.bindable(out.type.strong(), function)))
        bars.append(seeds[-1] if on else zeros(builder, out.type.strong()).atom)
    return tuple(seeds), bars


def _called(builder: Builder, function: Function, kept: tuple[Atom, ...], bars: list[Atom]) -> tuple[Atom, ...]:
    """Append the body of a function of what was kept and of cotangents, whose sizes the callee may know by other Vars."""
    mapping = bind_params(function.params[: len(kept)], kept)
    for param, bar in zip(function.params[len(kept):], bars, strict=True):
        for dim, own in zip(param.type.shape, bar.type.shape, strict=True):
            if isinstance(dim, Var):
                mapping.setdefault(dim, dim_atom(own))
        mapping[param] = _typed(builder, bar, Substitution(mapping).type(param.type))
    block = Substitution(mapping).block(function.body)
    builder.nodes.extend(block.nodes)
    return block.results


def _typed(builder: Builder, atom: Atom, type_: Array) -> Atom:
    """The atom with these dimensions, which are its own by other names."""
    if atom.type.shape == type_.shape:
        return atom
    return retype(Value(builder, atom), *(Value(builder, dim_atom(dim)) for dim in type_.shape)).atom


# ---- custom_transpose, linear_call ------------------------------------------------------------------------------------


class Linear(Transposed):
    """The rule of a function that is linear in its `linear` parameters. `transposed` is its transpose, a function whose own
    transpose is this one; `operands_of(params, cotangents of the float results)` are its operands, `targets` the parameters
    whose cotangents it returns.
    """

    kind = "custom_transpose"

    def fill(self, function: Function, transposed: Function, linear: Mask, targets: tuple[int, ...], sizes: tuple[Var, ...]) -> None:
        """Set the transpose: (*sizes, *residual parameters, *hidden, *cotangents) -> cotangents of `targets`. `sizes` are the function's."""
        count = linear.index(True) if True in linear else len(linear)
        lasting = sum(linear)
        hidden = len(linear) - count - lasting
        back = Linear(transposed.name, (True,) * len(sizes) + (False,) * count + (True,) * hidden + (False,) * sum(_floats(function)))
        other = replace(transposed, rule=back)

        def operands_of(params: tuple[Var, ...], bars: list[Atom], builder: Builder) -> tuple[Atom, ...]:
            own = bind_params(function.params, params)
            return (*(own[size] for size in sizes), *params[:count], *params[count + lasting:], *bars)

        def operands_back(params: tuple[Var, ...], bars: list[Atom], builder: Builder) -> tuple[Atom, ...]:
            given = dict(zip(targets, bars, strict=True))
            start = len(sizes)
            residuals, outside = params[start: start + count], params[start + count: start + count + hidden]
            own = bind_params(transposed.params, params)
            types = Substitution({**{size: own[theirs] for size, theirs in zip(sizes, transposed.params, strict=False)}, **_sizes(function, residuals, count)})
            lin = (given[k] if k in given else zeros(builder, types.type(function.params[k].type)).atom for k in range(count, count + lasting))
            return (*residuals, *lin, *outside)

        self.link(other, linear, targets, operands_of)
        seeds = len(transposed.params) - sum(_floats(function))
        back.link(function, (False,) * seeds + (True,) * sum(_floats(function)), tuple(range(seeds, len(transposed.params))), operands_back)

    def link(
        self, other: Function, linear: Mask, targets: tuple[int, ...], operands_of: Callable[[tuple[Var, ...], list[Atom], Builder], tuple[Atom, ...]]
    ) -> None:
        """Set the transpose."""
        self.other, self.linear, self.targets, self.operands_of = other, linear, targets, operands_of

    def programs(self) -> tuple[Function, ...]:
        return (self.other,) if hasattr(self, "other") else ()

    def linear_params(self) -> Mask | None:
        return None if self.failure is not None else self.linear

    def specialised(self, function: Function, active: Mask, known: KnownForward) -> Function:
        """Results and tangents: the function of the linear tangents, and the derivative of its body by the others."""
        builder = new_builder()
        builder.where = function.where
        dots = {param: Var(f"{param.name}_dot", param.type.strong()) for param, on in zip(function.params, active, strict=True) if on}
        names = tuple(getattr(result, "name", function.name) for result in function.body.results)
        first = rewrite.call(function, function.params, names, function.where)
        builder.add(first)
        floats = [k for k, on in enumerate(_floats(function)) if on]
        totals: dict[int, Value] = {}
        if any(on and is_linear for on, is_linear in zip(active, self.linear, strict=True)):
            ins = tuple(
                param if not is_linear else dots[param] if param in dots else zeros(builder, param.type).atom
                for param, is_linear in zip(function.params, self.linear, strict=True)
            )
            second = rewrite.call(function, ins, tuple(f"{name}_dot" for name in names), function.where)
            builder.add(second)
            totals = {k: Value(builder, second.outs[k]) for k in floats}
        others = tuple(on and not is_linear for on, is_linear in zip(active, self.linear, strict=True))
        if any(others):
            plain = forward.jvp(replace(function, rule=None), others, known)
            ins = (*function.params, *(dots[param] for param, on in zip(function.params, others, strict=True) if on))
            body = inlined(plain, ins)
            builder.nodes.extend(body.nodes)
            varied = [k for k, on in enumerate(forward.varied_results(replace(function, rule=None), others)) if on]
            for k, dot in zip(varied, body.results[len(names):], strict=True):
                share = Value(builder, dot)
                totals[k] = totals[k] + Value(builder, _typed(builder, dot, totals[k].type)) if k in totals else share
        results = tuple((totals[k] if k in totals else zeros(builder, first.outs[k].type.strong())).atom for k in floats)
        return Function(f"{function.name}_jvp", (*function.params, *dots.values()), builder.block(*first.outs, *results), function.where, function.doc, None, derived=False)

    def halves(self, function: Function, active: Mask, useful: Mask, known: KnownReverse) -> Halves:
        self.check(function, active)
        if any(on and not is_linear for on, is_linear in zip(active, self.linear, strict=True)):
            return super().halves(function, active, useful, known)
        return self.turned_halves(function, function.body, active, useful)

    def turned_halves(self, function: Function, body: Block, active: Mask, useful: Mask) -> Halves:
        """`body`, and the transpose called with the cotangents."""
        builder = new_builder()
        builder.where = function.where
        outs = body.results
        seeds, bars = _seeds(builder, function, outs, useful)
        floats = [out for out in outs if is_float(out.type.dtype)]
        bars = [_typed(builder, bar, out.type) for bar, out in zip(bars, floats, strict=True)]
        ins = self.operands_of(function.params, bars, builder)
        made = rewrite.call(self.other, ins, tuple(getattr(result, "name", "bar") for result in self.other.body.results), function.where)
        builder.add(made)
        found = [out for out, on in zip(made.outs, _floats(self.other), strict=True) if on]
        by_number = dict(zip(self.targets, found, strict=True))
        results = tuple(
            by_number[k] if k in by_number else zeros(builder, param.type.strong()).atom
            for k, (param, on) in enumerate(zip(function.params, active, strict=True)) if on
        )
        return cut(function, body.nodes, outs, builder.block(*results), seeds, f"{function.name}_bwd")


class Solving(CustomJvp):
    """The rule of a function that is linear in some parameters and has a rule for forward mode by all of them, which may call the function itself;
    its transpose by the linear ones is given (`turned`).
    """

    kind = "custom_linear_solve"

    def __init__(self, name: str, fixed: Mask) -> None:
        super().__init__(name, fixed)
        self.turned = Linear(name, fixed)
        self.turned.failure = ArgumentTypeError(f"transpose_solve required for backwards mode automatic differentiation of {self.kind}")

    def programs(self) -> tuple[Function, ...]:
        return (*super().programs(), *self.turned.programs())

    def twin(self, more: int) -> Rule | None:
        return None

    def linear_params(self) -> Mask | None:
        return self.turned.linear_params()

    def check_rule(self, rule: Function, count: int) -> None:
        if self.turned.failure is not None:
            raise self.turned.failure
        self.check_linear(rule, count)

    def halves(self, function: Function, active: Mask, useful: Mask, known: KnownReverse) -> Halves:
        self.check(function, active)
        linear = self.linear_params()
        if linear is not None and all(is_linear or not on for on, is_linear in zip(active, linear, strict=True)):
            self.turned.check(function, active)
            own = rewrite.call(function, function.params, tuple(getattr(result, "name", "x") for result in function.body.results), function.where)
            return self.turned.turned_halves(function, Block((own,), own.outs), active, useful)  # the numbers are the function's own: higher orders are its rule's
        return super().halves(function, active, useful, known)


def _sizes(function: Function, ins: tuple[Var, ...], count: int) -> dict[Var, Atom]:
    """The sizes that a function's first parameters bind, for these operands."""
    return bind_params(function.params[:count], ins)

