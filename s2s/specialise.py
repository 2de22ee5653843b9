"""From one call's types to a loaded module: read -> rewrite -> simplify -> emit -> write -> load, or all of it from the cache.

A `Request` is what a call looks like; a `Specialisation` is a loaded module with what must be looked up or checked when
it is called. Sizes are no part of it, unless a check of two sizes failed that NumPy would have stretched.
"""
from __future__ import annotations

import inspect
import itertools
import os
import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from optree import PyTreeKind

from s2s.codegen.entry import CallShape, Static, parameter_pairs
from s2s.codegen.lines import Place
from s2s.errors import ArgumentTypeError, ArgumentValueError, S2SError, SizesError, UnsupportedError
from s2s.guards import look
from s2s.leaves import Kind, exact_kind, kind_of_leaf, make_var, matches, static_key
from s2s.places import explain, place_of
from s2s.transforms.program import Function, free_vars
from s2s.transforms.staged import Access, Guard, Staged
from s2s.tree_util import PyTreeDef, tree_flatten, tree_unflatten
from s2s.types import Array, Var

if TYPE_CHECKING:
    from s2s.transformed import Transformed

Watch = Callable[[str, str], None]
"""Told the name of each step and the text of what it made."""
_DIM_NAMES = "nmkpqrst"


@dataclass
class Request:
    """One call: its leaves (static ones wrapped in `Static`), their kinds and structure. `aliases`: for each leaf the first
    leaf that is the same array, where that matters; `after`: the module whose residuals the one that is asked for takes.
    """

    leaves: list[Any]
    treedef: PyTreeDef
    kinds: list[Kind | Static]
    exact: bool = False
    aliases: tuple[int, ...] = ()
    after: str = ""

    def key(self) -> Hashable:
        """What decides which specialisation serves the call."""
        if self.exact:
            kinds = [exact_kind(kind, leaf) if type(kind) is tuple else kind for kind, leaf in zip(self.kinds, self.leaves, strict=True)]
        else:
            kinds = list(self.kinds)
        return self.treedef, self.exact, self.aliases, self.after, tuple(static_key(kind.value) if type(kind) is Static else kind for kind in kinds)

    def statics(self) -> tuple[Any, ...]:
        """The static leaves' values, in order."""
        return tuple(kind.value for kind in self.kinds if type(kind) is Static)

    def shape(self, names: list[str]) -> CallShape:
        """The call with Vars for its arrays and numbers."""
        dim_name = _dim_names(set(names))
        numbers = itertools.count()
        leaves: list[Any] = []
        for position, (kind, leaf) in enumerate(zip(self.kinds, self.leaves, strict=True)):
            if self.aliases and self.aliases[position] != position:
                leaves.append(leaves[self.aliases[position]])
            elif isinstance(kind, Static):
                leaves.append(Static(kind.value, next(numbers)))
            else:
                leaves.append(make_var(exact_kind(kind, leaf) if self.exact else kind, names[position], dim_name))
        args, kwargs = tree_unflatten(self.treedef, leaves)
        return CallShape(args, kwargs, exact_ones=not self.exact)


def _dim_names(taken: set[str]) -> Callable[[], str]:
    """n, m, k, … then n_1, m_1, …; none that an argument has."""
    series = (f"{letter}_{turn}" if turn else letter for turn in itertools.count() for letter in _DIM_NAMES)
    free = (name for name in series if name not in taken)
    return lambda: next(free)


_TAKE_OBJECTS = frozenset({"grad", "value_and_grad", "jacfwd", "jacrev", "hessian"})
"""What hands arguments without derivatives on as they are, as JAX does: a model that is no container (`grad(loss, argnums=1)(model, x)`)."""


def request_of(transformed: Transformed, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Request:
    """A call's leaves, structure and kinds; raises ArgumentTypeError naming the argument that can't be used."""
    leaves, treedef = tree_flatten(transformed.mark_static(args, kwargs))
    objects = transformed.rewrite.name in _TAKE_OBJECTS
    kinds = _kinds(leaves, objects)
    if kinds is None:
        kinds = [kind_of_leaf(leaf, name, objects=objects) for leaf, name in zip(leaves, leaf_names(transformed, args, treedef), strict=True)]
    for kind in kinds:
        if type(kind) is Static:
            _check_hashable(kind.value)
    return Request(leaves, treedef, kinds)


def _kinds(leaves: list[Any], objects: bool) -> list[Kind | Static] | None:
    """The leaves' kinds; None where one can't be used: the error then needs names, which take time to find."""
    try:
        return [kind_of_leaf(leaf, "", objects=objects) for leaf in leaves]
    except S2SError:
        return None


def _check_hashable(value: Any) -> None:
    try:
        static_key(value)
    except TypeError as error:
        raise ArgumentValueError(
            f"a static argument of type {type(value).__name__} can't be hashed", why=str(error), instead="pass a tuple instead of a list"
        ) from None


def check_containers(treedef: PyTreeDef) -> None:
    """Refuse optree's containers that programs don't have: deques, structseqs."""
    if treedef.kind in (PyTreeKind.DEQUE, PyTreeKind.STRUCTSEQUENCE):
        raise ArgumentTypeError(f"an argument holds a {getattr(treedef.type, '__name__', 'container')}", instead="pass a list, tuple, dict, NamedTuple or dataclass")
    for child in treedef.children():
        check_containers(child)


def leaf_names(transformed: Transformed, args: tuple[Any, ...], treedef: PyTreeDef) -> list[str]:
    """A name for each leaf: the parameter's, with the path behind it where the parameter is a container: params_0_w."""
    positional = positional_names(transformed.signature, len(args))
    names: list[str] = []
    for accessor in treedef.accessors():
        top, first, *rest = accessor
        start = positional[first.entry] if top.entry == 0 else str(first.entry)
        parts = [str(getattr(entry, "field", entry.entry)) for entry in rest]
        name = "_".join([start, *("".join(c if c.isalnum() or c == "_" else "_" for c in part) for part in parts)])
        while name in names:
            name += "_"
        names.append(name)
    return names


def positional_names(signature: inspect.Signature | None, count: int) -> list[str]:
    """The parameters' names of the first `count` positional arguments; those of *rest are rest_0, rest_1, …"""
    names: list[str] = []
    for parameter in signature.parameters.values() if signature else ():
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
        elif parameter.kind is parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}_{number}" for number in range(count - len(names))]
    return [*names, *(f"x{number}" for number in range(len(names), count))][:count]


@dataclass(eq=False, slots=True)
class Specialisation:
    """A loaded module. `run`: its fast entry; `look`: what it reads from outside as it is now, None if that is not what the module
    was made for (but for the types of what it reads, which `run` looks at); `mutated`: numbers of the leaves that a call writes,
    hidden inputs counted after them; `separate`: pairs of them that must not share memory; `in_order`: those that must lie in C
    order; `given`: those that results share, which are handed over as they are; `places`: where the module's lines stem from.
    """

    run: Callable[..., Any]
    module: ModuleType
    path: Path
    statics: tuple[Any, ...]
    look: Callable[[], tuple[Any, ...] | None]
    hidden_types: tuple[Array, ...]
    mutated: tuple[int, ...]
    stretch: bool
    separate: tuple[tuple[int, int], ...]
    in_order: tuple[int, ...]
    given: tuple[int, ...]
    places: dict[int, Place]
    text: str

    def explained(self, error: Exception) -> Exception:
        """An exception that the module raised, with the user's line in its traceback; a SizesError where it stopped at a check of
        two sizes that is marked `stretch`: with the sizes known there may be no such check.
        """
        place = place_of(error, str(self.path), self.places)
        if place is None:
            return error
        explain(error, str(self.path), place)
        return SizesError(error) if place.stretch else error

    def valid(self) -> bool:
        """Whether guards hold and hidden inputs have the types that the module was made for."""
        found = self.look()
        return found is not None and all(map(matches, found, self.hidden_types))

    def source(self) -> str:
        """The module's text, without the part that only serves the call."""
        from s2s.codegen.module import ENTRY_MARK

        return self.text.partition(ENTRY_MARK)[0].rstrip() + "\n"


@dataclass(frozen=True)
class Facts:
    """What a Specialisation needs beside its module; this and the module's name are all that the index remembers."""

    hidden: tuple[tuple[Access, Array], ...]
    guards: tuple[Guard, ...]
    mutated: tuple[int, ...]
    stretch: bool
    separate: tuple[tuple[int, int], ...]
    in_order: tuple[int, ...]
    given: tuple[int, ...]
    places: dict[int, Place]


def specialise(transformed: Transformed, request: Request, names: list[str]) -> Specialisation:
    """The module for this call: from the cache directory, or made."""
    from s2s import index

    check_containers(request.treedef)
    question = index.question(transformed, request)
    if question is not None and (found := index.lookup(question, transformed, request)) is not None:
        path, text, module, facts = found
    else:
        path, text, module, facts, injected = build(transformed, request, names)
        if question is not None:
            index.remember(question, path, facts, injected)
    return _finish(transformed, request, path, text, module, facts)


def _finish(transformed: Transformed, request: Request, path: Path, text: str, module: ModuleType, facts: Facts) -> Specialisation:
    root = transformed.root
    return Specialisation(
        run=module.__dict__["_entry"], module=module, path=path, statics=request.statics(),
        look=look(root, tuple(access for access, _ in facts.hidden), facts.guards),
        hidden_types=tuple(type_ for _, type_ in facts.hidden),
        mutated=facts.mutated, stretch=facts.stretch, separate=facts.separate, in_order=facts.in_order, given=facts.given, places=facts.places, text=text,
    )  # fmt: skip


def build(transformed: Transformed, request: Request, names: list[str]) -> tuple[Path, str, ModuleType, Facts, dict[str, Any]]:
    """Read, rewrite, emit, write and load."""
    from s2s.codegen import cache
    from s2s.codegen import compile as compiler

    shape = request.shape(names)
    staged = stage_call(transformed, shape)
    if transformed.rewrite.takes_residuals:
        shape = CallShape(tuple(parameter.tree for parameter in staged.parameters), {}, exact_ones=False)
    text = module_text(transformed, staged, shape, public_name=transformed.public_name)
    path = cache.store_module(text.name, text.text)
    return path, text.text, compiler.load_text(path, text.text, text.injected), _facts(staged, shape, text.places), text.injected


def stage_call(transformed: Transformed, shape: CallShape, watch: Watch | None = None) -> Staged:
    """The transformed program for a call of this shape, as it is lowered. `watch` is told of each step."""
    from s2s.codegen.emit import prepared

    staged = program_of(transformed, shape, watch)
    staged = replace(staged, function=prepared(staged.function, transformed.target, watch), target_name=transformed.public_name)
    return _without_unread(staged)


def program_of(transformed: Transformed, shape: CallShape, watch: Watch | None = None) -> Staged:
    """The transformed program for a call of this shape, as it is."""
    leaves, treedef = tree_flatten((shape.args, shape.kwargs))
    params = tuple(dict.fromkeys(leaf for leaf in leaves if isinstance(leaf, Var)))
    args, kwargs = tree_unflatten(treedef, [leaf.value if isinstance(leaf, Static) else leaf for leaf in leaves])
    return transformed.stage(params, args, kwargs, watch)


def _without_unread(staged: Staged) -> Staged:
    """The program without hidden inputs that it does not read: they were for derivative rules that nobody asked, or only their types
    mattered, on which guards go on looking.
    """
    read = {*free_vars(staged.function.body), *(param for param, _ in staged.mutated)}
    unread = {item.param for item in staged.hidden if item.param not in read and not any(dim in read for dim in item.param.type.shape)}
    if not unread:
        return staged
    function = replace(staged.function, params=tuple(param for param in staged.function.params if param not in unread))
    return replace(staged, function=function, hidden=tuple(item for item in staged.hidden if item.param not in unread))


def verified(function: Function) -> Function:
    """The function, checked where S2S_CHECK is set."""
    if os.environ.get("S2S_CHECK", "0") not in ("", "0"):
        from s2s.transforms.verify import verify

        verify(function)
    return function


def module_text(
    transformed: Transformed, staged: Staged, shape: CallShape | None, *, public_name: str, watch: Watch | None = None
) -> Any:
    """The ModuleText of a staged program; with `shape` for jit, without for the command line."""
    from s2s.codegen.emit import emit_kernels
    from s2s.codegen.given import taken_apart
    from s2s.codegen.kernel import no_kernel
    from s2s.codegen.module import write_module
    from s2s.describe import describe_module

    target = transformed.target
    apart = taken_apart(staged)
    left = apart.staged
    entry = f"_{public_name}"
    kernels = no_kernel(entry) if apart.is_all else emit_kernels(left.function, name=entry, target=target, mutated=left.mutated, watch=watch)
    return write_module(
        left, kernels, name=public_name, about=describe_module(transformed, left), compiled=target != "numpy", shape=shape, apart=apart
    )


def _facts(staged: Staged, shape: CallShape, places: dict[int, Place]) -> Facts:
    from s2s.codegen.given import params_given

    numbers: dict[Var, int] = {}
    leaves = tree_flatten((shape.args, shape.kwargs))[0]
    first = {leaf: number for number, leaf in reversed(list(enumerate(leaves))) if isinstance(leaf, Var)}
    for mine, theirs in parameter_pairs(staged, shape):
        numbers[theirs] = first[mine]
    numbers |= {hidden.param: len(leaves) + number for number, hidden in enumerate(staged.hidden)}
    return Facts(
        tuple((hidden.access, hidden.param.type) for hidden in staged.hidden), _unread_guards(staged),
        tuple(numbers[var] for var, _ in staged.mutated), any(place.stretch for place in places.values()),
        tuple((numbers[written], numbers[other]) for written, other in staged.separate if {written, other} <= numbers.keys()),
        tuple(numbers[var] for var in staged.in_order if var in numbers),
        tuple(numbers[var] for var in params_given(staged) if var in numbers), places,
    )  # fmt: skip


def _unread_guards(staged: Staged) -> tuple[Guard, ...]:
    """The guards, without those on types of hidden inputs, which are looked at where they are read."""
    read = {(*hidden.access.steps, ("kind", None)) for hidden in staged.hidden}
    return tuple(guard for guard in staged.guards if guard.access.steps not in read)


def stretched_at_run_time(error: Exception) -> UnsupportedError | None:
    """What to raise where NumPy would stretch even with the sizes of the call known: a length is 1 in some trips or on some paths only."""
    message = str(error.args[0]) if error.args else ""
    shapes = [tuple(int(size) for size in text.split(",") if size.strip()) for text in re.findall(r"\(([\d, ]*)\)", message)]
    into = shapes[-1] if "into shape" in message and shapes else None
    try:
        broadcast = np.broadcast_shapes(*shapes)
    except ValueError:
        return None
    if not shapes or into is not None and broadcast != into:
        return None
    shown = " and ".join(map(str, shapes))
    return UnsupportedError(
        f"arrays of shapes {shown} that are broadcast against each other in some trips of a loop or on some paths only",
        why="which axes are stretched is decided when the function is read; an array whose length changes from 1 to another can't be",
        instead="give it its final shape before the loop (np.broadcast_to, np.zeros(shape))",
    )


