"""The rules of a function, read for the types of one call; checked as JAX checks them.

    custom_jvp        f_jvp(primals, tangents)                 -> (*params, *tangents) -> (*results, *their tangents)
    custom_vjp        f_fwd(*primals), f_bwd(residuals, bars)  -> (*params) -> (*results, *kept);  (*kept, *bars) -> cotangents
    custom_transpose  f_t(residuals, bars)                     -> (*kept, *bars) -> cotangents of the linear arguments
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.outside import Access
from s2s.records import dataclass
from s2s.transforms.ir.program import Function
from s2s.transforms.ir.staged import Result
from s2s.transforms.primitives.value import zeros
from s2s.transforms.read.callables import FUNCTIONS, Ruled
from s2s.transforms.read.describing import describe
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.operators import binary
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.rules.rule_parts import (
    NO_TANGENT,
    Expected,
    Part,
    as_atom,
    as_type,
    children_of,
    copied,
    filled,
    fits,
    flatten,
    is_nothing,
    mapped,
    shown,
    shown_types,
    side_by_side,
    title,
)
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.values import Abstract, ObjectRef, View, is_atom
from s2s.transforms.read.wrapping import unwrap, wrap
from s2s.types import Array, Atom, Dim, Var, dim_atom, is_float, is_integer, type_text

Sizes = dict[Var, Dim]


@dataclass(frozen=True)
class Found:
    """The parts that were read, and what makes the rule of them once all hidden inputs are known: fill(rule, function, accesses)."""

    parts: tuple[Part, ...]
    fill: Callable[[Any, Function, list[Access]], None]


@dataclass(frozen=True)
class Call:
    """The call whose function has the rules: `body` is the function as read; `fixed`, the parameters without a derivative."""

    reader: Reader
    ruled: Ruled
    given: tuple[Abstract, ...]
    fixed: tuple[bool, ...]
    body: Part
    expected: Expected

    def copied(self, part: Part) -> tuple[Ruled, list[Abstract]]:
        """The function and its arguments as a part's own; parameters are made in this order everywhere."""
        return copied(part, self.ruled, self.given)

    def split(self, args: list[Abstract]) -> tuple[tuple[Abstract, ...], tuple[Abstract, ...]]:
        """The arguments without a derivative, and the others."""
        nondiff = self.ruled.nondiff
        return tuple(args[k] for k in nondiff), tuple(arg for k, arg in enumerate(args) if k not in nondiff)

    def sizes_in(self, part: Part) -> Sizes:
        """The function's sizes -> those of a part that has the same parameters."""
        sizes: Sizes = {}
        for own, theirs in zip(self.body.params, part.params, strict=True):
            if not own.type.shape and is_integer(own.type.dtype):
                sizes[own] = theirs
            sizes.update((a, b) for a, b in zip(own.type.shape, theirs.type.shape, strict=True) if isinstance(a, Var))
        wanted = {dim for type_ in self.expected.types for dim in type_.shape}
        for access, var in self.body.inner.hidden.items():
            if any(dim in wanted for dim in var.type.shape):
                (theirs,) = part.hidden_params([access])
                sizes.update((a, b) for a, b in zip(var.type.shape, theirs.type.shape, strict=True) if isinstance(a, Var))
        return sizes


# ---- results that must be the function's ---------------------------------------------------------------------------------------


def _pair(part: Part, value: Abstract, text: str) -> tuple[Abstract, Abstract]:
    items = None if value is None else children_of(part.inner, value)
    if items is None or len(items) != 2 or isinstance(items[0][0], str):
        raise ArgumentTypeError(f"{text}, but got {describe(part.inner, value)}.", where=part.where)
    return items[0][1], items[1][1]


def _results(call: Call, part: Part, value: Abstract, sizes: Sizes, rule: str) -> list[Atom]:
    """The function's results as the rule returns them; `sizes` learns those that are found in it."""
    expected = call.expected
    leaves, structure = flatten(part.inner, value)
    name = call.ruled.name
    start = (
        f"{rule} {part.name} for function {name} must produce a pair (list or tuple of length two) where the first element represents the "
        f"primal output (equal in value to the output of the {call.ruled.maker.__name__}-decorated function {name}, "
    )
    if structure != expected.structure:
        raise ArgumentTypeError(
            f"{start}and in particular of the same container/pytree structure), but instead the rule output's first element had container/pytree "
            f"structure:\n    {shown(structure)}\nwhile the function {name} had output container/pytree structure:\n    {shown(expected.structure)}.",
            where=part.where,
        )
    atoms = [as_atom(part.inner, leaf) for leaf in leaves]
    results: list[Atom | None] = [None] * len(expected.types)
    for atom, leaf in zip(atoms, expected.leaves, strict=True):
        if not isinstance(leaf, Result):
            continue
        type_ = expected.types[leaf.number]
        if atom is None or not fits(atom.type, type_):
            found = shown_types(structure, ["?" if each is None else type_text(each.type) for each in atoms])
            raise ArgumentTypeError(
                f"{start}and in particular with leaves of the same shape/dtype), but instead the rule output's first element had shapes/dtypes of:\n"
                f"    {found}\nwhile the function {name} had output shapes/dtypes of:\n    {expected.described()}", where=part.where,
            )  # fmt: skip
        shape = tuple(sizes.get(dim) if isinstance(dim, Var) else dim for dim in type_.shape)
        atom = as_type(part.inner, atom, type_, shape, f"{part.name} returned an output of another shape than {name}")
        results[leaf.number] = atom
        for dim, own in zip(type_.shape, atom.type.shape, strict=True):
            if isinstance(dim, Var) and dim in expected.sizes:
                sizes.setdefault(dim, own)
                results[expected.sizes[dim]] = dim_atom(sizes[dim])
    assert all(atom is not None for atom in results)
    return results  # type: ignore[return-value]


# ---- custom_jvp ----------------------------------------------------------------------------------------------------------------------


def read_jvp(call: Call) -> Found:
    """f_jvp(*nondiff, primals, tangents) -> (outputs, tangents)."""
    jvps = call.ruled.rules.get("jvps")
    part = Part(call.reader, f"{call.ruled.name}_jvp" if jvps else title(call.ruled.rules["jvp"]))
    ruled, args = call.copied(part)
    nondiff, primals = call.split(args)
    tangents = tuple(part.seed(primal, "_dot") for primal in primals)
    if jvps:
        pair: Abstract = _from_partials(part, ruled, primals, tangents)
    else:
        pair = part.read(ruled.rules["jvp"], (*nondiff, primals, tangents))
    rule = "Custom JVP rule"
    text = f"{rule} {part.name} for function {ruled.name} must produce a pair (list or tuple of length two) representing primal and tangent outputs"
    out, dots = _pair(part, pair, text)
    sizes = call.sizes_in(part)
    results = _results(call, part, out, sizes, rule)
    tangents_out = _tangents(call, part, out, dots, results)

    def fill(made: Any, function: Function, accesses: list[Access]) -> None:
        params = (*part.params, *part.hidden_params(accesses), *part.seeds)
        made.fill(part.function(params, (*results, *tangents_out)))

    return Found((part,), fill)


def _from_partials(part: Part, ruled: Ruled, primals: tuple[Abstract, ...], tangents: tuple[Abstract, ...]) -> Abstract:
    """What defjvps's rules give: the sum of rule(tangent, output, *primals) over the arguments."""
    inner = part.inner
    out = inner.rules.call(ruled, primals, {})
    total: Abstract = None
    for tangent, rule in zip(tangents, ruled.rules["jvps"], strict=False):
        if rule is None:
            continue
        share = part.read(rule, (tangent, out, *primals))
        total = share if total is None else _added(part, total, share, binary)
    return out, mapped(inner, out, lambda leaf: _zero_like(part, leaf)) if total is None else total


def _added(part: Part, one: Abstract, two: Abstract, plus: Any) -> Abstract:
    """The sum of two containers of tangents."""
    pairs = side_by_side(part.inner, one, part.inner, two)
    if pairs is None:
        raise ArgumentTypeError(f"the rules given to defjvps of {part.name} return containers of different structure", where=part.where)
    others = iter([other for _, other in pairs])

    def add(leaf: Abstract) -> Abstract:
        other = next(others)
        if is_nothing(leaf) or is_nothing(other):
            return NO_TANGENT
        with building(part.inner.builder):
            return unwrap(part.inner, plus("+", wrap(part.inner, leaf), wrap(part.inner, other)))

    return mapped(part.inner, one, add)


def _zero_like(part: Part, leaf: Abstract) -> Abstract:
    atom = as_atom(part.inner, leaf)
    if atom is None or not is_float(atom.type.dtype):
        return NO_TANGENT
    return unwrap(part.inner, zeros(part.inner.builder, atom.type.strong()))


def _tangents(call: Call, part: Part, out: Abstract, dots: Abstract, results: list[Atom]) -> list[Atom]:
    """The tangents of the float results, in their order; TypeError where they don't fit."""
    inner = part.inner
    pairs = side_by_side(inner, out, inner, dots)
    structure, found = flatten(inner, out)[1], flatten(inner, dots)[1]
    if pairs is None or (dots is None and pairs):
        raise ArgumentTypeError(
            f"Custom JVP rule {part.name} for function {call.ruled.name} must produce primal and tangent outputs with equal container (pytree) "
            f"structures, but got {shown(structure)} and {shown(found)} respectively.", where=part.where,
        )  # fmt: skip
    by_number: dict[int, Atom] = {}
    for leaf, (_, dot) in zip(call.expected.leaves, pairs, strict=True):
        if isinstance(leaf, Result):
            primal = results[leaf.number]
            atom = None if dot is None or is_nothing(dot) else as_atom(inner, dot)
            wanted = primal.type.strong()
            if is_float(wanted.dtype) != (atom is not None) or (atom is not None and not fits(atom.type, wanted)):
                raise _unfit_tangent(part, wanted, atom)
            if atom is not None:
                message = f"the tangent that {part.name} returned has another shape than the output"
                by_number[leaf.number] = as_type(inner, atom, wanted, wanted.shape, message)
    return [by_number[number] for number in sorted(by_number)]


def _unfit_tangent(part: Part, wanted: Array, atom: Atom | None) -> ArgumentTypeError:
    expected = type_text(wanted) if is_float(wanted.dtype) else type_text(wanted).replace(str(wanted.dtype), "float0")
    got = "no array or number" if atom is None else type_text(atom.type)
    return ArgumentTypeError(
        f"Custom JVP rule must produce primal and tangent outputs with corresponding shapes and dtypes. Expected {expected} (tangent type of "
        f"{type_text(wanted)}) but got {got}.", where=part.where,
    )  # fmt: skip


# ---- custom_vjp -----------------------------------------------------------------------------------------------------------------------


def read_vjp(call: Call) -> Found:
    """f_fwd(*args) -> (outputs, residuals), f_bwd(*nondiff, residuals, bars) -> a tuple of cotangents."""
    return _read_vjp(call, "fwd", "bwd")


def read_gradient(call: Call) -> Found:
    """fun(*args) -> (outputs, the function that pulls a cotangent back), which is the residual."""
    return _read_vjp(call, "", "")


def _read_vjp(call: Call, fwd_rule: str, bwd_rule: str) -> Found:
    name = call.ruled.name
    fwd = Part(call.reader, title(call.ruled.rules[fwd_rule]) if fwd_rule else f"{name}_fwd")
    ruled, args = call.copied(fwd)
    primals = args if not ruled.symbolic else [arg if k in ruled.nondiff else _with_perturbed(fwd, arg, ruled.maker.primal) for k, arg in enumerate(args)]
    rule = "Custom VJP fwd rule"
    text = (
        f"{rule} {fwd.name} for function {name} must produce a pair (list or tuple of length two) where the first element represents the primal "
        f"output (equal to those of the {ruled.maker.__name__}-decorated function {name}) and the second element represents residuals (i.e. values "
        "stored from the forward pass for use on the backward pass)"
    )
    out, residuals = _pair(fwd, fwd.read(ruled.rules[fwd_rule] if fwd_rule else ruled.fun, tuple(primals)), text)
    sizes = call.sizes_in(fwd)
    results = _results(call, fwd, out, sizes, rule)
    nondiff, _ = call.split(args)

    bwd = Part(fwd.inner, title(ruled.rules[bwd_rule]) if bwd_rule else f"{name}_bwd")
    ruled_bwd = bwd.copy(ruled, name) if bwd_rule else ruled
    own_nondiff = tuple(bwd.copy(arg, "x") for arg in nondiff)
    own_residuals = bwd.copy(residuals, "res")
    _name_after(bwd)

    def seed(number: int) -> Abstract:
        atom = results[number]
        return bwd.new_seed(f"{atom.name if isinstance(atom, Var) else name}_bar", _type_in(bwd, atom.type))

    bars = filled(bwd.inner, call.expected.tree, seed)
    back = bwd.read(ruled_bwd.rules[bwd_rule], (*own_nondiff, own_residuals, bars)) if bwd_rule else bwd.read(own_residuals, (bars,))
    if not bwd_rule and not isinstance(back, tuple):
        back = (back,)
    diff = tuple(k for k in range(len(args)) if k not in ruled.nondiff)
    cotangents = _cotangents(call, bwd, tuple(args[k] for k in diff), back, fwd)

    def fill(made: Any, function: Function, accesses: list[Access]) -> None:
        hidden = list(bwd.inner.hidden)
        outside = dict(zip(accesses, fwd.hidden_params(accesses), strict=True))
        own = (*bwd.params, *bwd.hidden_params(hidden), *bwd.seeds)
        atoms = tuple(cotangents.values())
        sizes_of_bwd = bwd.unbound_sizes(own, atoms)
        kept = (*(_caller_size(bwd, size) for size in sizes_of_bwd), *(_atom_of(fwd.inner, leaf) for leaf in bwd.capture.leaves),
                *(outside[access] for access in hidden))  # fmt: skip
        forward = fwd.function((*fwd.params, *outside.values()), (*results, *kept))
        backward = bwd.function((*sizes_of_bwd, *own), atoms)
        made.fill(forward, backward, tuple(cotangents))

    return Found((fwd, bwd), fill)


def _with_perturbed(part: Part, arg: Abstract, primal: type) -> Abstract:
    """An argument with a CustomVJPPrimal for each leaf."""
    def wrapped(leaf: Abstract) -> Abstract:
        if isinstance(leaf, FUNCTIONS):
            return leaf
        ref = ObjectRef(kind=primal)
        part.inner.heap[ref] = {"value": leaf, "perturbed": True}
        return ref

    return mapped(part.inner, arg, wrapped)


def _name_after(part: Part) -> None:
    """Parameters that have the names of what is passed."""
    for param, cell, leaf in zip(part.params, part.capture.cells, part.capture.leaves, strict=True):
        name = leaf.cell.name if isinstance(leaf, View) else getattr(leaf, "name", "")
        if name:
            param.name = name
            if cell is not None:
                cell.name = name


def _type_in(part: Part, type_: Array) -> Array:
    """A type of the part's caller in the part's own sizes."""
    return Array(type_.dtype, tuple(part.capture.dim(dim) for dim in type_.shape), type_.weak)


def _caller_size(part: Part, size: Var) -> Var:
    return next(dim for dim, own in part.capture.dims.items() if own is size)


def _atom_of(reader: Reader, leaf: Abstract) -> Atom:
    return load(reader, leaf).atom if isinstance(leaf, View) else leaf


def _param_index(part: Part, leaf: Abstract) -> int | None:
    if isinstance(leaf, View):
        return part.capture.cells.index(leaf.cell)
    return part.params.index(leaf) if is_atom(leaf) else None


def _cotangents(
    call: Call, part: Part, primals: tuple[Abstract, ...], back: Abstract, copies: Part
) -> dict[int, Atom]:
    """Parameter number -> cotangent, for those that are not zero; TypeError or ValueError where they don't fit. `primals` are the
    arguments in `copies`.
    """
    inner, like_reader = part.inner, copies.inner
    items = None if back is None or isinstance(back, ObjectRef) else children_of(inner, back)
    value = tuple(item for _, item in items) if items is not None and not isinstance(items[0][0] if items else 0, str) else None
    pairs = None if value is None else side_by_side(like_reader, primals, inner, value)
    if pairs is None:
        raise ArgumentTypeError(
            "Custom VJP bwd rule must produce an output with the same container (pytree) structure as the args tuple of the primal function, and in "
            "particular must produce a tuple of length equal to the number of arguments to the primal function, but got bwd output structure "
            f"{shown(flatten(inner, back)[1])} for primal input structure {shown(flatten(like_reader, primals)[1])}.", where=part.where,
        )  # fmt: skip
    found: dict[int, Atom] = {}
    for leaf, bar in pairs:
        number = _param_index(copies, leaf)
        if number is None or bar is None or is_nothing(bar):
            continue
        own = call.body.params[number].type.strong()
        if not is_float(own.dtype):
            continue
        atom = as_atom(inner, bar)
        wanted = _type_in(part, _type_for(part, copies, number)).strong()
        if atom is None or not fits(atom.type, wanted, any_float=True):  # as JAX: float64 zeros for a float32 argument are converted
            raise ArgumentValueError(
                "Custom VJP bwd rule must produce an output with the same type as the args tuple of the primal function, but at output"
                f"{_path(like_reader, primals, leaf)} the bwd rule produced an output of type "
                f"{describe(inner, bar) if atom is None else type_text(atom.type)} corresponding to an input of type {type_text(own)}", where=part.where,
            )  # fmt: skip
        found[number] = as_type(inner, atom, wanted, wanted.shape, f"{part.name} returned a cotangent of another shape than the argument")
    return found


def _type_for(part: Part, copies: Part, number: int) -> Array:
    """The type of a parameter in the sizes of the part's caller."""
    caller = part.capture.caller
    return copies.params[number].type if caller is copies.inner else _leaf_type(caller, copies.capture.leaves[number])


def _leaf_type(reader: Reader, leaf: Abstract) -> Array:
    return load(reader, leaf).type if isinstance(leaf, View) else leaf.type


def _path(reader: Reader, value: Abstract, leaf: Abstract) -> str:
    """Where a leaf stands in a container: [0]['w']."""
    if value is leaf:
        return ""
    for key, child in () if value is None else children_of(reader, value) or ():
        if any(each is leaf for each in flatten(reader, child)[0]):
            return f"[{key!r}]{_path(reader, child, leaf)}"
    return ""


# ---- custom_transpose, linear_call ----------------------------------------------------------------------------------------------------


def read_transpose(call: Call) -> Found:
    """transpose(residuals, bars) -> cotangents of the linear arguments."""
    part = Part(call.reader, title(call.ruled.rules["transpose"]))
    if len(call.given) != 2:
        raise ArgumentTypeError(f"{call.ruled.name} takes two arguments, residual and linear ones, but got {len(call.given)}", where=part.where)
    ruled = part.copy(call.ruled, call.ruled.name)
    residuals = part.copy(call.given[0], "res")
    count = len(part.params)
    sizes: Sizes = {}
    for own, leaf in zip(call.body.params, call.body.capture.leaves, strict=True):
        theirs = _type_in(part, _leaf_type(call.reader, leaf))
        sizes.update((a, b) for a, b in zip(own.type.shape, theirs.shape, strict=True) if isinstance(a, Var))
    _name_after(part)

    def seed(number: int) -> Abstract:
        type_ = call.expected.types[number]
        shape = tuple(sizes.setdefault(dim, Var(dim.name, dim.type)) if isinstance(dim, Var) else dim for dim in type_.shape)
        return part.new_seed("out_bar", Array(type_.dtype, shape, type_.weak))

    back = part.read(ruled.rules["transpose"], (residuals, filled(part.inner, call.expected.tree, seed)))
    pairs = side_by_side(call.reader, call.given[1], part.inner, back)
    if pairs is None:
        raise ArgumentTypeError(
            "transpose output pytree structure must match that of linear inputs, got output structure "
            f"{shown(flatten(part.inner, back)[1])} and input structure {shown(flatten(call.reader, call.given[1])[1])}.", where=part.where,
        )  # fmt: skip
    scratch = Part(call.reader, ruled.name)
    _, args = call.copied(scratch)
    cotangents = _cotangents(call, part, (args[1],), (back,), scratch)
    linear = tuple(k >= count and is_float(param.type.dtype) for k, param in enumerate(call.body.params))

    def fill(made: Any, function: Function, accesses: list[Access]) -> None:
        own = (*part.params, *part.hidden_params(accesses), *part.seeds)
        atoms = tuple(cotangents.values())
        unbound = part.unbound_sizes(own, atoms)
        transposed = part.function((*unbound, *own), atoms)
        sizes_of_function = tuple(call.body.capture.dims[_caller_size(part, size)] for size in unbound)
        made.fill(function, transposed, (*linear, *(False for _ in accesses)), tuple(cotangents), sizes_of_function)

    return Found((part,), fill)


def read_solver(call: Call) -> Found:
    """Both rules of a function that solves a linear system; the transpose may be missing."""
    forward = read_jvp(call)
    if call.ruled.rules["transpose"] is None:
        return forward
    back = read_transpose(call)

    def fill(made: Any, function: Function, accesses: list[Access]) -> None:
        forward.fill(made, function, accesses)
        made.turned.failure = None
        back.fill(made.turned, function, accesses)

    return Found((*forward.parts, *back.parts), fill)


READERS: dict[str, Callable[[Call], Found]] = {
    "custom_jvp": read_jvp, "custom_vjp": read_vjp, "custom_gradient": read_gradient, "custom_transpose": read_transpose, "linear_call": read_transpose, "custom_solver": read_solver,
}  # fmt: skip
"""What reads the rules of each class's functions."""
