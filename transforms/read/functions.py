"""Calls of the user's functions: as functions of the program, one per signature, or read in place where that is not possible.

In place: lambdas and nested functions (they see the frame around them), functions that return an alias of an argument or
change a container of the caller, and calls where two arguments share storage and one is changed.
"""
from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from types import FunctionType, MappingProxyType
from typing import Any

import libcst as cst

from s2s.errors import S2SError
from s2s.transforms.build import Builder
from s2s.transforms.program import Call, Function
from s2s.transforms.read.expressions import evaluate
from s2s.transforms.read.frame import RESULT, RETURNED, Frame, scope_for
from s2s.transforms.read.hidden import enter
from s2s.transforms.read.numpy_functions_common import building, retyped
from s2s.transforms.read.reader import NeedsInline, Reader, Suppressed
from s2s.transforms.read.scope import orelse_of
from s2s.transforms.read.source import FunctionNode, Tree, statements_of, tree_of
from s2s.transforms.read.statements import unpacked as unpacked_result
from s2s.transforms.read.values import (
    Abstract,
    Applied,
    ArrayMethod,
    Cell,
    Closure,
    DictRef,
    ListRef,
    Method,
    Missing,
    ObjectRef,
    Outside,
    Steps,
    View,
    is_atom,
    is_namedtuple,
    is_number,
    remake,
)
from s2s.transforms.staged import Access, Result
from s2s.types import Array, Atom, Dim, Literal, Var, dim_atom

DEPTH_LIMIT = 50
"""Calls inside calls, before it is called a recursion that does not end."""


# ---- parameters -----------------------------------------------------------------------------------------------------------


def bind_python(reader: Reader, function: FunctionType, steps: Steps | None, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> dict[str, Abstract]:
    """The parameters' values for a call of a Python function; raises TypeError as Python does."""
    bound = inspect.signature(function, follow_wrapped=False).bind(*args, **kwargs)
    given = set(bound.arguments)
    bound.apply_defaults()
    result: dict[str, Abstract] = {}
    for name, value in bound.arguments.items():
        kind = bound.signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            result[name] = reader.new_dict(value)
        elif name in given or kind is inspect.Parameter.VAR_POSITIONAL:
            result[name] = value
        else:
            result[name] = _default(reader, function, steps, name, value)
    return result


def _default(reader: Reader, function: FunctionType, steps: Steps | None, name: str, value: Any) -> Abstract:
    """A default: numbers are constants of the function, arrays are read at each call."""
    if isinstance(value, int | float | complex | str | type(None)):
        return value
    if steps is None:
        return enter(reader, value, None)
    if function.__kwdefaults__ and name in function.__kwdefaults__:
        return enter(reader, value, (*steps, ("attribute", "__kwdefaults__"), ("item", name)))
    names = [each.name for each in inspect.signature(function, follow_wrapped=False).parameters.values() if each.default is not each.empty]
    names = [each for each in names if not function.__kwdefaults__ or each not in function.__kwdefaults__]
    return enter(reader, value, (*steps, ("attribute", "__defaults__"), ("item", names.index(name))))


def signature_of_closure(function: Closure) -> inspect.Signature:
    """The signature of a nested function or lambda."""
    params: cst.Parameters = function.node.params
    kinds = inspect.Parameter
    declared: list[tuple[cst.Param, Any]] = [(param, kinds.POSITIONAL_ONLY) for param in params.posonly_params]
    declared += [(param, kinds.POSITIONAL_OR_KEYWORD) for param in params.params]
    declared += [(params.star_arg, kinds.VAR_POSITIONAL)] if isinstance(params.star_arg, cst.Param) else []
    declared += [(param, kinds.KEYWORD_ONLY) for param in params.kwonly_params]
    declared += [(params.star_kwarg, kinds.VAR_KEYWORD)] if params.star_kwarg is not None else []
    return inspect.Signature([
        inspect.Parameter(param.name.value, kind, default=function.defaults.get(param.name.value, inspect.Parameter.empty))
        for param, kind in declared
    ])


def bind_closure(reader: Reader, function: Closure, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> dict[str, Abstract]:
    """The parameters' values for a call of a nested function or lambda."""
    signature = signature_of_closure(function)
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    return {
        name: reader.new_dict(value) if signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD else value
        for name, value in bound.arguments.items()
    }


# ---- reading a body ------------------------------------------------------------------------------------------------------------


def read_body(reader: Reader, node: FunctionNode) -> Abstract:
    """Read a function's statements in the reader's frame; what it returns."""
    if isinstance(node, cst.Lambda):
        return evaluate(reader, node.body)
    statements = list(statements_of(node.body))
    if node.asynchronous is not None or _yields(statements):
        reader.builder.where = reader.where(node)
        raise reader.unsupported("a generator or coroutine", "a function that returns its results")
    reader.execute(statements)
    returned = reader.frame.names[RETURNED]
    if returned is True:
        result = reader.frame.names.get(RESULT)
        if isinstance(result, Missing):
            raise reader.missing(result)
        return unpacked_result(reader, result)
    if reader.raised or returned is False or reader.errors:
        return None
    raise reader.unsupported("a function that returns a value on some paths and falls off its end on others", "a return at its end")


def _yields(statements: list[Any]) -> bool:
    for statement in statements:
        if isinstance(statement, cst.FunctionDef | cst.ClassDef):
            continue
        if isinstance(statement, cst.Expr | cst.Assign) and isinstance(statement.value, cst.Yield):
            return True
        body = getattr(statement, "body", None)
        inner = list(statements_of(body)) if isinstance(body, cst.BaseSuite) else []
        inner += orelse_of(statement) if isinstance(statement, cst.If | cst.For | cst.While) else []
        if _yields(inner):
            return True
    return False


def call_inline(reader: Reader, frame: Frame, node: FunctionNode, name: str) -> Abstract:
    """Read a call in place: in a new frame, in the caller's block."""
    depth, outer = 0, reader.frame
    caller: Frame | None = outer
    while caller is not None:
        depth, caller = depth + 1, caller.caller
    if depth > DEPTH_LIMIT:
        raise _recursion(reader, name)
    frame.caller = outer
    where = reader.builder.where
    reader.frame = frame
    reader.recursion_guard += 1
    try:
        return read_body(reader, node)
    finally:
        reader.recursion_guard -= 1
        reader.frame = outer
        reader.builder.where = where


def _recursion(reader: Reader, name: str) -> S2SError:
    return reader.unsupported(
        f"{name} calls itself without an end that is known while reading", "a loop", "a recursion whose depth depends on run-time values has no fixed program"
    )


def call_closure(reader: Reader, function: Closure, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A nested function or lambda: in place."""
    names = bind_closure(reader, function, args, kwargs)
    frame = Frame(function.tree, scope_for(function.node), function.name, None, None, outer=function.frame)
    frame.names.update(names)
    return call_inline(reader, frame, function.node, function.name)


def call_user(reader: Reader, function: FunctionType, steps: Steps | None, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A Python function."""
    names = bind_python(reader, function, steps, args, kwargs)
    tree = tree_of(function)
    if function.__name__ != "<lambda>" and _can_be_function(reader, names):
        try:
            return _call_function(reader, function, tree, steps, names)
        except NeedsInline:
            pass
    frame = Frame(tree, scope_for(tree.node), function.__name__, function, steps)
    frame.names.update(names)
    return call_inline(reader, frame, tree.node, function.__name__)


def _can_be_function(reader: Reader, names: dict[str, Abstract]) -> bool:
    """Whether arguments can be passed to a function of the program."""
    leaves = list(_leaves(reader, tuple(names.values())))
    return not any(isinstance(leaf, Closure | Method | Applied | ArrayMethod | Missing) for leaf in leaves) and any(
        is_atom(leaf) or isinstance(leaf, View) for leaf in leaves
    )


def _leaves(reader: Reader, value: Abstract) -> Any:
    if isinstance(value, tuple):
        for item in value:
            yield from _leaves(reader, item)
    elif isinstance(value, ListRef):
        yield from _leaves(reader, tuple(reader.heap[value]))
    elif isinstance(value, DictRef | ObjectRef):
        yield from _leaves(reader, tuple(reader.heap[value].values()))
    else:
        yield value


# ---- functions of the program ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Helper:
    """A user's function as read for one signature. `result` is the tree with Result leaves; `mutated`: (operand, result) numbers;
    `sizes`: results that are the dimensions of other results. None for `function`: it does nothing at run time.
    """

    function: Function | None
    result: Abstract
    mutated: tuple[tuple[int, int], ...]
    hidden: tuple[Access, ...]
    sizes: dict[Var, int]
    params: tuple[Var, ...]
    arrays: int


class Signature:
    """The arguments of a call as leaves; equal keys can be served by the same program function."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.leaves: list[Abstract] = []
        self.numbers: dict[Any, int] = {}
        self.refs: dict[Any, int] = {}

    def key(self, value: Abstract) -> Any:
        if isinstance(value, View):
            type_ = self.reader.load(value).type
            self.leaves.append(value)
            return ("array", type_.dtype.str, tuple(self.dim(dim) for dim in type_.shape))
        if is_atom(value):
            self.leaves.append(value)
            number = self.dim(value) if isinstance(value, Var) and value.type.dtype.kind == "i" else None
            return ("scalar", value.type.dtype.str, value.type.weak, number)
        if isinstance(value, tuple):
            return (type(value), *(self.key(item) for item in value))
        if isinstance(value, ListRef | DictRef | ObjectRef):
            return self._key_of_ref(value)
        if isinstance(value, Outside):
            return ("outside", id(value.object), value.steps)
        if is_number(value):
            return (type(value), repr(value))
        return (type(value), value) if _hashable(value) else (type(value), id(value))

    def dim(self, dim: Dim) -> Any:
        if isinstance(dim, int):
            return ("size", dim)
        if dim not in self.numbers:
            same = next((known for known in self.numbers if self.reader.builder.same_size(known, dim)), None)
            self.numbers[dim] = len(self.numbers) if same is None else self.numbers[same]
        return self.numbers[dim]

    def _key_of_ref(self, ref: Any) -> Any:
        if ref in self.refs:
            return ("again", self.refs[ref])
        self.refs[ref] = len(self.refs)
        content = self.reader.heap[ref]
        if isinstance(ref, ListRef):
            return (ListRef, *(self.key(item) for item in content))
        return (type(ref), ref.kind, *((name, self.key(item)) for name, item in content.items()))


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _call_function(reader: Reader, function: FunctionType, tree: Tree, steps: Steps | None, names: dict[str, Abstract]) -> Abstract:
    signature = Signature(reader)
    key = (function, steps, tuple((name, signature.key(value)) for name, value in names.items()))
    session = reader.session
    if key in session.reading:
        raise _recursion(reader, function.__name__)
    if len(session.reading) > DEPTH_LIMIT:
        raise _recursion(reader, function.__name__)
    if key not in session.functions:
        session.reading.append(key)
        try:
            session.functions[key] = _read_helper(reader, function, tree, steps, names)
        except NeedsInline:
            session.functions[key] = None
        finally:
            session.reading.pop()
    helper = session.functions[key]
    if helper is None or _shares_changed_storage(helper, signature.leaves):
        raise NeedsInline
    return _append_call(reader, helper, signature.leaves)


def _shares_changed_storage(helper: Helper, leaves: list[Abstract]) -> bool:
    """Whether an array that the helper changes is passed twice."""
    cells = [leaf.cell if isinstance(leaf, View) else None for leaf in leaves]
    return any(cells.count(cells[number]) > 1 for number, _ in helper.mutated)


class Copier:
    """Makes a helper's parameters: the caller's arguments with fresh Vars for atoms and dimensions."""

    def __init__(self, caller: Reader, inner: Reader) -> None:
        self.caller, self.inner = caller, inner
        self.params: list[Var] = []
        self.cells: list[Cell | None] = []
        self.dims: dict[Var, Var] = {}
        self.refs: dict[Any, Any] = {}
        self.name = ""

    def copy(self, value: Abstract, name: str) -> Abstract:
        if isinstance(value, View):
            type_ = self.caller.load(value).type
            param = self._param(name, Array(type_.dtype, tuple(self.dim(dim) for dim in type_.shape)))
            cell = Cell(name, owner=f"the argument {name}", contiguous=False)
            self.inner.heap[cell] = param
            self.cells[-1] = cell
            return View(cell)
        if is_atom(value):
            return self._scalar(value, name)
        if isinstance(value, tuple):
            fields = type(value)._fields if is_namedtuple(value) else range(len(value))  # type: ignore[attr-defined]
            return remake(value, [self.copy(item, f"{name}_{field}") for field, item in zip(fields, value, strict=True)])
        if isinstance(value, ListRef | DictRef | ObjectRef):
            return self._ref(value, name)
        return value

    def _scalar(self, value: Atom, name: str) -> Var:
        if isinstance(value, Var) and value in self.dims:
            param = self.dims[value]
            if param not in self.params:
                self.params.append(param)
                self.cells.append(None)
                return param
        param = self._param(name, Array(value.type.dtype, (), value.type.weak))
        if isinstance(value, Var) and value.type.dtype.kind == "i":
            if value in self.dims:
                self.inner.builder.unify(self.dims[value], param)
            else:
                self.dims[value] = param
        return param

    def _param(self, name: str, type_: Array) -> Var:
        param = Var(name, type_)
        self.inner.named.add(param)
        self.params.append(param)
        self.cells.append(None)
        return param

    def dim(self, dim: Dim) -> Dim:
        if isinstance(dim, int):
            return dim
        if dim not in self.dims:
            same = next((known for known in self.dims if self.caller.builder.same_size(known, dim)), None)
            if same is not None:
                self.dims[dim] = self.dims[same]
        if dim not in self.dims:
            self.dims[dim] = Var(dim.name, Array(dim.type.dtype, (), weak=True))
            self.inner.builder.know_size(self.dims[dim])
        return self.dims[dim]

    def _ref(self, value: Any, name: str) -> Any:
        if value in self.refs:
            return self.refs[value]
        content = self.caller.heap[value]
        copy = self.refs[value] = ListRef("the caller") if isinstance(value, ListRef) else type(value)("the caller", value.kind)
        if value.owner is not None:
            copy.owner = value.owner
        if isinstance(value, ListRef):
            self.inner.heap[copy] = tuple(self.copy(item, f"{name}_{number}") for number, item in enumerate(content))
        else:
            self.inner.heap[copy] = {key: self.copy(item, f"{name}_{key}") for key, item in content.items()}
        return copy


def _read_helper(reader: Reader, function: FunctionType, tree: Tree, steps: Steps | None, names: dict[str, Abstract]) -> Helper:
    """Read a helper as a function of its own."""
    frame = Frame(tree, scope_for(tree.node), function.__name__, function, steps)
    inner = Reader(reader.session, Builder(), frame, is_helper=True)
    inner.builder.where = tree.where(tree.node)
    copier = Copier(reader, inner)
    for name, value in names.items():
        frame.names[name] = copier.copy(value, name)
    start = dict(inner.heap)
    try:
        result = read_body(inner, tree.node)
    except S2SError as error:
        inner.errors.append(error)
    if inner.errors:
        for each in inner.errors:
            each.add_note(f"while reading {function.__name__}, called at {reader.builder.where}")
        reader.errors.extend(inner.errors)
        raise Suppressed
    if inner.raised:
        raise NeedsInline
    packer = ResultPacker(inner, set(copier.params) | set(inner.hidden.values()), copier.cells, copier.refs)
    tree_of_result = packer.pack(result)
    mutated = tuple(
        (number, packer.add(inner.heap[cell])) for number, cell in enumerate(copier.cells) if cell is not None and inner.heap[cell] is not start[cell]
    )
    for view in inner.hidden_views.values():
        if isinstance(view, View) and inner.heap[view.cell] not in inner.hidden.values():
            raise NeedsInline
    hidden = tuple(inner.hidden)
    params = (*copier.params, *inner.hidden.values())
    made = None
    if inner.builder.nodes or packer.results:
        body = inner.builder.block(*packer.results)
        made = Function(reader.session.function_name(function.__name__), params, body, tree.where(tree.node), doc_of(function))
    return Helper(made, tree_of_result, mutated, hidden, packer.sizes, params, len(copier.params))


def doc_of(function: Any) -> str:
    """The first line of a docstring."""
    doc = inspect.getdoc(function)
    return doc.splitlines()[0].strip() if doc else ""


class ResultPacker:
    """Turns a returned value into a tree with Result leaves; `results` are the atoms, sizes of arrays before them."""

    def __init__(self, reader: Reader, params: set[Var], cells: list[Cell | None], refs: dict[Any, Any]) -> None:
        self.reader, self.params = reader, params
        self.param_cells = {cell for cell in cells if cell is not None} | {view.cell for view in reader.hidden_views.values() if isinstance(view, View)}
        self.param_refs = set(refs.values())
        self.results: list[Atom] = []
        self.sizes: dict[Var, int] = {}
        self.seen: set[Cell] = set()
        self.known = set(params) | {dim for param in params for dim in param.type.shape if isinstance(dim, Var)}

    def pack(self, value: Abstract) -> Abstract:
        if is_atom(value):
            return Result(self.add(value))
        if isinstance(value, View):
            if value.cell in self.param_cells or value.cell in self.seen:
                raise NeedsInline
            self.seen.add(value.cell)
            return Result(self.add(self.reader.load(value).atom))
        if isinstance(value, tuple):
            return remake(value, [self.pack(item) for item in value])
        if isinstance(value, ListRef | DictRef | ObjectRef):
            return self._pack_ref(value)
        if isinstance(value, Closure | Method | Applied | ArrayMethod | Missing):
            raise NeedsInline
        return value

    def _pack_ref(self, ref: Any) -> Abstract:
        if ref in self.param_refs or ref.owner is not None:
            raise NeedsInline
        content = self.reader.heap[ref]
        if isinstance(ref, ListRef):
            return _Container(ref, [self.pack(item) for item in content])
        return _Container(ref, {key: self.pack(item) for key, item in content.items()})

    def add(self, atom: Atom) -> int:
        for dim in atom.type.shape:
            if isinstance(dim, Var) and dim not in self.known and dim not in self.sizes:
                self.sizes[dim] = len(self.results)
                self.results.append(dim)
        self.results.append(atom)
        return len(self.results) - 1


@dataclass(frozen=True, eq=False)
class _Container:
    """A list, dict or object that a helper returns: `like` it, made anew by each call."""

    like: Any
    content: Any


def _append_call(reader: Reader, helper: Helper, leaves: list[Abstract], captured: Mapping[Access, Abstract] = MappingProxyType({})) -> Abstract:
    from s2s.transforms.read.hidden import hidden_input

    if helper.function is None:
        return helper.result
    atoms: list[Atom] = [reader.load(leaf).atom if isinstance(leaf, View) else leaf for leaf in leaves]
    for access in helper.hidden:
        view = captured[access] if access in captured else hidden_input(reader, access, reader.session.hidden_types[access])
        atoms.append(reader.load(view).atom if isinstance(view, View) else view)
    dims: dict[Var, Dim] = {}
    for param, atom in zip(helper.params, atoms, strict=True):
        if isinstance(param.type.dtype.kind, str) and not param.type.shape and param.type.dtype.kind == "i":
            dims.setdefault(param, int(atom.value) if isinstance(atom, Literal) else atom)  # type: ignore[arg-type]
        for dim, own in zip(param.type.shape, atom.type.shape, strict=True):
            if isinstance(dim, Var):
                dims.setdefault(dim, own)
    atoms = [_with_dims(reader, atom, tuple(dims[dim] if isinstance(dim, Var) else dim for dim in param.type.shape)) for param, atom in zip(helper.params, atoms, strict=True)]
    outs: list[Var] = []
    sizes = {number: dim for dim, number in helper.sizes.items()}
    for number, result in enumerate(helper.function.body.results):
        shape = tuple(dims.get(dim, dim) if isinstance(dim, Var) else dim for dim in result.type.shape)
        out = Var(result.name if isinstance(result, Var) else helper.function.name, Array(result.type.dtype, shape, result.type.weak))
        outs.append(out)
        if number in sizes:
            dims[sizes[number]] = out
            reader.builder.know_size(out)
    reader.builder.add(Call(tuple(outs), helper.function, tuple(atoms), reader.builder.where))
    for operand, number in helper.mutated:
        leaf = leaves[operand]
        assert isinstance(leaf, View)
        reader.store(leaf, reader.value(outs[number]))
    return unpacked(reader, helper.result, outs)


def _with_dims(reader: Reader, atom: Atom, shape: tuple[Dim, ...]) -> Atom:
    """An operand with the dimensions that the callee's signature says are equal."""
    with building(reader.builder):
        return retyped(reader.value(atom), shape).atom


def unpacked(reader: Reader, tree: Any, outs: list[Var]) -> Abstract:
    """A result tree with the call's outs at its leaves."""
    if isinstance(tree, Result):
        return reader.unwrap_atom(outs[tree.number])
    if isinstance(tree, tuple):
        return remake(tree, [unpacked(reader, item, outs) for item in tree])
    if isinstance(tree, _Container):
        if isinstance(tree.like, ListRef):
            return reader.new_list([unpacked(reader, item, outs) for item in tree.content])
        ref = type(tree.like)(None, tree.like.kind)
        reader.heap[ref] = {key: unpacked(reader, item, outs) for key, item in tree.content.items()}
        return ref
    return tree


# ---- transformations ---------------------------------------------------------------------------------------------------------------


def call_staged(reader: Reader, thing: Any, steps: Steps | None, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of jit(f), grad(f), …: its staged program is called."""
    from s2s.transforms.read.lifted import Lifted  # it reads functions too

    signature = Signature(reader)
    key = (_key_of_staged(thing), steps, tuple(signature.key(arg) for arg in args), tuple((name, signature.key(arg)) for name, arg in kwargs.items()))
    lifted = getattr(thing, "root", None)
    if isinstance(lifted, Lifted):
        helper = _staged_helper(reader, thing, steps, args, kwargs, len(signature.leaves))
        return _append_call(reader, helper, signature.leaves, lifted.captured_by(reader))
    functions = reader.session.functions
    if key not in functions:
        functions[key] = _staged_helper(reader, thing, steps, args, kwargs, len(signature.leaves))
    return _append_call(reader, functions[key], signature.leaves)


def _key_of_staged(thing: Any) -> Any:
    """Equal for transformations that do the same to the same function."""
    rewrite = getattr(thing, "rewrite", None)
    if rewrite is None:
        return thing
    return (rewrite.name, repr(sorted(rewrite.params.items())), repr(thing.options), _key_of_staged(thing.fun))


def _staged_helper(
    reader: Reader, thing: Any, steps: Steps | None, args: tuple[Abstract, ...], kwargs: dict[str, Abstract], count: int
) -> Helper:
    inner = Reader(reader.session, Builder(), reader.frame, is_helper=True)
    copier = Copier(reader, inner)
    real_args = tuple(_real(inner, copier.copy(arg, f"x{number}")) for number, arg in enumerate(args))
    real_kwargs = {key: _real(inner, copier.copy(arg, key)) for key, arg in kwargs.items()}
    if count != len(copier.params):
        raise reader.unsupported("an argument that shares sizes with another in a nested transformation", "pass arrays only")
    staged = thing.stage(tuple(copier.params), real_args, real_kwargs)
    for guard in staged.guards:
        reader.session.guard(None if steps is None else (*steps, *guard.access.steps), guard.value)
    accesses = tuple(_access_from(reader, thing, steps, each.access) for each in staged.hidden)
    mutated = tuple((copier.params.index(var), number) for var, number in staged.mutated)
    return Helper(staged.function, _entered(staged.result), mutated, accesses, _sizes_of(staged.function), staged.function.params, len(copier.params))


def _access_from(reader: Reader, thing: Any, steps: Steps | None, access: Access) -> Access:
    """The access from the function that is read, where `thing` was found by `steps`."""
    if access.steps[0][0] == "captured":
        return access
    if steps is None:
        raise reader.unsupported("a nested transformation that reads arrays from outside", "pass them as arguments")
    whole = Access((*steps, *access.steps))
    if whole not in reader.session.hidden_types:
        from s2s.hidden import fetch

        reader.session.hidden_types[whole] = fetch(thing, access)
    return whole


def _sizes_of(function: Function) -> dict[Var, int]:
    """The results that are dimensions of later results."""
    dims = {dim for atom in function.body.results for dim in atom.type.shape if isinstance(dim, Var)}
    known = {dim for param in function.params for dim in (param, *param.type.shape) if isinstance(dim, Var)}
    return {atom: number for number, atom in enumerate(function.body.results) if isinstance(atom, Var) and atom in dims and atom not in known}


def _real(inner: Reader, value: Abstract) -> Any:
    """An abstract value as a real container of Vars."""
    if isinstance(value, View):
        return inner.heap[value.cell]
    if isinstance(value, tuple):
        return remake(value, [_real(inner, item) for item in value])
    if isinstance(value, ListRef):
        return [_real(inner, item) for item in inner.heap[value]]
    if isinstance(value, DictRef):
        return {key: _real(inner, item) for key, item in inner.heap[value].items()}
    if isinstance(value, ObjectRef) and dataclasses.is_dataclass(value.kind):
        return value.kind(**{key: _real(inner, item) for key, item in inner.heap[value].items()})
    return value.object if isinstance(value, Outside) else value


def _entered(tree: Any) -> Abstract:
    """A staged result tree as this module unpacks it."""
    if isinstance(tree, tuple):
        return remake(tree, [_entered(item) for item in tree])
    if isinstance(tree, list):
        return _Container(ListRef(), [_entered(item) for item in tree])
    if isinstance(tree, dict):
        return _Container(DictRef(kind=type(tree)), {key: _entered(item) for key, item in tree.items()})
    if dataclasses.is_dataclass(tree) and not isinstance(tree, type | Result):
        return _Container(ObjectRef(kind=type(tree)), {key: _entered(item) for key, item in vars(tree).items()})
    return tree


__all__ = ["call_closure", "call_staged", "call_user", "dim_atom", "read_body"]
