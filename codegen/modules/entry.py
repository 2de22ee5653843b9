"""The fast entry of a module that `jit` loads: inline checks of one call structure, then the public function.

    def _entry(args, kwargs, hidden, static):
        if len(args) != 2 or kwargs:
            return NotImplemented
        u, sweeps = args
        if not (type(u) is ndarray and u.dtype is float64_dtype and …):
            return NotImplemented
        return relax_grad(u, sweeps)

`NotImplemented` says: not my types; the caller then goes the general way.
"""
from __future__ import annotations

import builtins
from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from s2s import tree_nodes
from s2s.codegen.modules import trees
from s2s.codegen.modules.call import CallShape, Static
from s2s.codegen.modules.public_names import Needs
from s2s.codegen.modules.signature import apart_in_memory, argument_names_in_order, signature_names
from s2s.transforms.ir.staged import Staged
from s2s.types import SMALL, Array, Var, is_integer


def write_entry(staged: Staged, shape: CallShape, *, name: str, names: trees.Names, needs: Needs, given: Collection[Var] = ()) -> list[str]:
    """The lines of `_entry`, the constants that it needs first. `needs`: told what they import; `given`: parameters of any layout."""
    writer = _Entry(staged, shape, name, names, needs, given)
    lines = list(writer.lines())
    constants = [f"_{dtype} = np.dtype(np.{'bool_' if dtype == 'bool' else dtype})" for dtype in sorted(writer.dtypes)]
    return [*constants, *(["", ""] if constants else []), *lines]


class _Entry:
    def __init__(self, staged: Staged, shape: CallShape, name: str, names: trees.Names, needs: Needs, given: Collection[Var]) -> None:
        self.staged, self.shape, self.name, self.needs = staged, shape, name, needs
        self.names = trees.Names(names.taken | {"args", "kwargs", "hidden", "static"})
        self.names.injected = names.injected
        self.columns = {mine for mine, theirs in parameter_pairs(staged, shape) if theirs in staged.columns}
        self.dtypes: set[str] = set()
        self.any_layout = {*given, *(mine for mine, theirs in parameter_pairs(staged, shape) if theirs in given)}
        self.hidden = [self.names.fresh(f"h{number}") for number in range(len(staged.hidden))]
        """The local of each hidden input."""
        self.locals: dict[Var, str] = {}
        """The first local that holds each of the call's Vars."""

    def lines(self) -> Iterator[str]:
        args, kwargs = self.shape.args, self.shape.kwargs
        yield "def _entry(args, kwargs, hidden, static):"
        yield '    """What s2s.jit calls: NotImplemented where the arguments are not those that this module was made for."""'
        wanted = f"len(kwargs) != {len(kwargs)}" if kwargs else "kwargs"
        yield f"    if len(args) != {len(args)} or {wanted}:"
        yield "        return NotImplemented"
        locals_ = [self.names.fresh(f"a{number}") for number in range(len(args))]
        if locals_:
            yield f"    {', '.join(locals_)}{',' if len(locals_) == 1 else ''} = args"
        for local, tree in zip(locals_, args, strict=True):
            yield from self._check(local, tree)
        keywords = {}
        for key, tree in sorted(kwargs.items()):
            keywords[key] = self.names.fresh(f"k_{key}")
            yield f'    {keywords[key]} = kwargs.get("{key}", NotImplemented)'
            if trees.kind_of(tree) == trees.STATIC:
                yield from self._refuse_unless(f"{keywords[key]} is not NotImplemented")
            yield from self._check(keywords[key], tree)
        for number, (local, hidden) in enumerate(zip(self.hidden, self.staged.hidden, strict=True)):
            yield f"    {local} = hidden[{number}]"
            yield from self._check_leaf(local, hidden.param)
        yield from self._overlaps()
        yield f"    return {self.name}({', '.join(self._arguments(locals_, keywords))})"

    def _arguments(self, locals_: list[str], keywords: dict[str, str]) -> Iterator[str]:
        parameters = argument_names_in_order(self.staged)
        for number, local in enumerate(locals_):
            name, kind = parameters[number]
            yield local if kind in ("positional", "star") else f"{name}={local}"
        by_key = {parameter.name: name for parameter, (name, _) in zip(self.staged.parameters, parameters, strict=True)}
        for key, local in keywords.items():
            yield f"{by_key[key]}={local}"
        for name, local in zip(signature_names(self.staged)[len(parameters) :], self.hidden, strict=True):
            yield f"{name}={local}"

    def _refuse_unless(self, test: str) -> Iterator[str]:
        yield f"    if not ({test}):"
        yield "        return NotImplemented"

    def _check(self, local: str, tree: Any) -> Iterator[str]:
        """Checks of one node: its exact type, its length and keys, then its parts."""
        match trees.kind_of(tree):
            case "leaf":
                yield from self._check_leaf(local, tree)
            case "static" if isinstance(tree, Static):
                yield from self._refuse_unless(self._static_test(local, tree))
            case "static":
                yield from self._check_data(local, tree)
            case "node":
                children, data = tree_nodes.parts_of(tree)
                inside, found = self.names.fresh(f"{local}_parts"), self.names.fresh(f"{local}_data")
                yield from self._refuse_unless(f"type({local}) is {trees.class_text(trees.class_of_node(tree), self.names)}")
                yield f"    {inside}, {found} = {self.names.inject('parts_of', tree_nodes.parts_of)}({local})"
                yield from self._check_data(found, data)
                yield from self._check(inside, children)
            case "dict":
                yield from self._check_dict(local, tree)
            case kind:
                cls = kind if kind in ("tuple", "list") else trees.class_text(type(tree), self.names)
                length = f" and len({local}) == {len(tree)}" if kind in ("tuple", "list") else ""
                yield from self._refuse_unless(f"type({local}) is {cls}{length}")
                parts = [self.names.fresh(f"{local}_{key}") for key, _ in trees.children(tree)]
                if kind == "dataclass":
                    for part, (key, _) in zip(parts, trees.children(tree), strict=True):
                        yield f"    {part} = {local}.{key}"
                elif parts:
                    yield f"    {', '.join(parts)}{',' if len(parts) == 1 else ''} = {local}"
                for part, (_, child) in zip(parts, trees.children(tree), strict=True):
                    yield from self._check(part, child)

    def _check_data(self, local: str, value: Any) -> Iterator[str]:
        """A static part of a container's structure (None, a registered class's data) must be the same."""
        if type(value) is tuple:
            yield from self._refuse_unless(f"type({local}) is tuple and len({local}) == {len(value)}")
            for number, item in enumerate(value):
                part = self.names.fresh(f"{local}_{number}")
                yield f"    {part} = {local}[{number}]"
                yield from self._check_data(part, item)
        elif value is None:
            yield from self._refuse_unless(f"{local} is None")
        else:
            text = trees.literal_text(value, self.names)
            cls = type(value).__name__ if getattr(builtins, type(value).__name__, None) is type(value) else trees.class_text(type(value), self.names)
            yield from self._refuse_unless(f"type({local}) is {cls} and {local} == {text}")

    def _check_dict(self, local: str, tree: dict[Any, Any]) -> Iterator[str]:
        cls = "dict" if type(tree) is dict else trees.class_text(type(tree), self.names)
        keys = {key: trees.literal_text(key, self.names) for key in trees.sorted_keys(tree)}
        present = "".join(f" and {text} in {local}" for text in keys.values())
        yield from self._refuse_unless(f"type({local}) is {cls} and len({local}) == {len(tree)}{present}")
        for number, (key, text) in enumerate(keys.items()):
            part = self.names.fresh(f"{local}_{number}")
            yield f"    {part} = {local}[{text}]"
            yield from self._check(part, tree[key])

    def _static_test(self, local: str, leaf: Static) -> str:
        same = f"{local} is static[{leaf.number}]"
        if type(leaf.value) in (str, int):
            return f"{same} or type({local}) is {type(leaf.value).__name__} and {local} == static[{leaf.number}]"
        if isinstance(leaf.value, np.integer | np.bool_):
            return f"{same} or type({local}) is type(static[{leaf.number}]) and {local} == static[{leaf.number}]"
        return same

    def _check_leaf(self, local: str, var: Var) -> Iterator[str]:
        first = self.locals.setdefault(var, local)
        told = "" if var.type.told is None else f" and {local}.tolist() == {var.type.told!r}"
        yield from self._refuse_unless(self._leaf_test(local, var) + told if first == local else f"{local} is {first}")

    def _leaf_test(self, local: str, var: Var) -> str:
        type_ = var.type
        if type_.ndim == 0:
            return self._scalar_test(local, type_)
        self.needs.numpy()
        self.dtypes.add(type_.dtype.name)
        tests = [f"type({local}) is np.ndarray", f"{local}.dtype is _{type_.dtype.name}", f"{local}.ndim == {type_.ndim}"]
        if var not in self.any_layout:
            tests.append(f"{local}.flags.{'farray' if var in self.columns else 'carray'}")
        fixed = [(axis, dim) for axis, dim in enumerate(type_.shape) if isinstance(dim, int)]
        tests += [f"{local}.shape[{axis}] == {dim}" for axis, dim in fixed]
        if self.shape.exact_ones:
            free = [axis for axis, dim in enumerate(type_.shape) if isinstance(dim, Var)]
            tests += [f"1 not in {local}.shape"] if not fixed else [f"{local}.shape[{axis}] != 1" for axis in free]
        return " and ".join(tests)

    def _scalar_test(self, local: str, type_: Array) -> str:
        if type_.boxed:
            self.needs.numpy()
            self.dtypes.add(type_.dtype.name)
            return f"type({local}) is np.ndarray and {local}.dtype is _{type_.dtype.name} and {local}.ndim == 0"
        if type_.dtype.kind == "b":
            return f"type({local}) is bool"
        if not type_.weak:
            self.needs.numpy()
            return f"type({local}) is np.{type_.dtype.name}"
        if is_integer(type_.dtype):
            least, most = (-0x8000000000000000, 0x7FFFFFFFFFFFFFFF) if type_.wide else (-SMALL, SMALL)
            return f"type({local}) is int and {least:#x} <= {local} <= {most:#x}"
        return f"type({local}) is {'float' if type_.dtype.kind == 'f' else 'complex'}"

    def _overlaps(self) -> Iterator[str]:
        """Arrays that the function writes must not lie in another argument's memory."""
        local_of = self._locals_of_parameters()
        pairs = [(local_of[one], local_of[other]) for one, other in apart_in_memory(self.staged) if {one, other} <= local_of.keys()]
        for one, other in dict.fromkeys(pair for pair in pairs if pair[0] != pair[1]):
            yield from self._refuse_unless(f"not np.may_share_memory({one}, {other})")
        objects = [(local_of[one], local_of[other]) for one, other in self.staged.distinct if {one, other} <= local_of.keys()]
        for one, other in dict.fromkeys(pair for pair in objects if pair[0] != pair[1]):
            yield from self._refuse_unless(f"{one} is not {other}")

    def _locals_of_parameters(self) -> dict[Var, str]:
        """For each Var of the function's parameters the local that holds it."""
        found = {each.param: local for each, local in zip(self.staged.hidden, self.hidden, strict=True)}
        return {**{theirs: self.locals[mine] for mine, theirs in parameter_pairs(self.staged, self.shape)}, **found}


def parameter_pairs(staged: Staged, shape: CallShape) -> list[tuple[Var, Var]]:
    """(Var of the call, Var of the function's parameter) for each leaf."""
    by_key = {parameter.name: parameter for parameter in staged.parameters}
    pairs = [*zip(shape.args, staged.parameters, strict=False), *((tree, by_key[key]) for key, tree in shape.kwargs.items())]
    return [both for tree, parameter in pairs for both in zip(trees.leaves(tree), trees.leaves(parameter.tree), strict=True)]
