"""The public function of an emitted module: unpacks containers, checks types, allocates, calls the kernel, packs results.

    def relax_grad(u, sweeps):
        \"\"\"u: float64[n], sweeps: int -> u_bar: float64[n]\"\"\"
        u = _array("u", u, np.float64, 1)
        sweeps = index(sweeps)
        u_bar = np.zeros(u.shape[0])
        _relax_grad(u.copy(), sweeps, u_bar)  # …
        return u_bar
"""
from __future__ import annotations

import builtins
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from s2s.codegen.language.lines import WIDTH, Line, fold, same_place
from s2s.codegen.lowering.kernel import Buffer, KernelResult, Kernels, KernelText
from s2s.codegen.modules import trees
from s2s.codegen.modules.given import Apart, Given, Texts, bases_of, needed
from s2s.errors import Location, UnsupportedError
from s2s.transforms.ir.program import Equation
from s2s.transforms.ir.staged import Parameter, Result, Staged
from s2s.transforms.primitives.table import TABLE
from s2s.types import Array, Literal, Var

MODULE_NAMES = frozenset({"np", "scipy", "njit", "prange", "index", "_array", "_given", "_contiguous", "_in_order", "_writable", "_shape", "_fixed", "_entry", *dir(builtins)})
"""Names that the public function uses or that would confuse a reader: no local variable is called so."""

_COPIED = "    # arrays that are written to are copied: the caller's stay as they are"
_UNNAMED = frozenset({*(row.name for row in TABLE), "size"})


@dataclass
class PublicText:
    """The lines of the function, and what they need around them."""

    lines: list[str]
    imports: set[str] = field(default_factory=set)
    helpers: set[str] = field(default_factory=set)
    kernels: tuple[str, ...] = ()
    """The kernels' lines, without the entry kernel where its body stands in the function."""


def signature_names(staged: Staged) -> tuple[str, ...]:
    """The public function's parameter names, one for each Parameter, then one for each hidden input: the user's, but for
    those that would hide a name which the function uses (max, np).
    """
    names = trees.Names(set(MODULE_NAMES))
    return tuple(names.fresh(name) for name in (*(p.name for p in staged.parameters), *(h.param.name for h in staged.hidden)))


def write_public(apart: Apart, kernels: Kernels, *, name: str, names: trees.Names, compiled: bool) -> PublicText:
    """The public function's text; `compiled`: the kernel is Numba's, which wants C-contiguous arrays."""
    return _Writer(apart, kernels, name, names, compiled).write()


class _Writer:
    """One function's text in the making."""

    def __init__(self, apart: Apart, kernels: Kernels, name: str, names: trees.Names, compiled: bool) -> None:
        staged = apart.staged
        self.staged, self.kernels, self.name, self.names, self.compiled = staged, kernels, name, names, compiled
        self.apart = apart
        self.out = PublicText([])
        self.signature = signature_names(staged)
        self.mutated = dict(staged.mutated)
        self.kernel_names = {param.var: param.name for param in kernels.params}
        self.buffers = {buffer.name for buffer in kernels.buffers}
        self.names.taken |= set(self.kernel_names.values()) | self.buffers | set(self.signature)
        self.local = {var: self.kernel_names[var] if var in self.kernel_names else self._unused(var) for var in staged.function.params}
        read = {param.var for param in kernels.params}
        self.given = {var: names.fresh(f"{self.local[var]}_given") if var in read else self.local[var] for var in apart.given}
        """The names of arrays that results share, as the caller has them."""
        self.spots: dict[str, Location] = {}
        """Where the texts of results that share storage stem from."""
        self.bases: dict[int, str] = {}
        """Results that other results share: their names."""
        self.sources: dict[str, str] = {}
        """Where leaves of dicts and dataclasses stand: params["w"]."""

    def _unused(self, var: Var) -> str:
        """The name of a parameter that the kernel does not take."""
        if any(parameter.tree is var for parameter in self.staged.parameters):
            return next(name for name, p in zip(self.signature, self.staged.parameters, strict=False) if p.tree is var)
        return self.names.fresh(var.name)

    def write(self) -> PublicText:
        if not self.compiled or self.kernels.is_empty:  # the entry kernel's body stands in the function itself: it reads as one function
            self.names.taken |= self.kernels.kernel.identifiers
            self.out.kernels = self.kernels.others
            body = [*self._unpack(), *self._checks(), *self._own_body(self.kernels.kernel)]
        else:
            self.out.kernels = self.kernels.lines
            body = [*self._unpack(), *self._checks(), *self._allocations(), *self._call()]
        head = fold(f"def {self.name}(", self._signature(), "):", indent="")
        self.out.lines = [*head, *self._doc(), *body]
        return self.out

    # ---- signature and types --------------------------------------------------------------------------------------

    def _signature(self) -> list[str]:
        items: list[str] = []
        keyword = False
        for name, parameter in zip(self.signature, self.staged.parameters, strict=False):
            if parameter.kind in ("keyword", "starstar") and not keyword:
                items, keyword = [*items, "*"], True
            items.append(name)
        hidden = self.signature[len(self.staged.parameters) :]
        return [*items, *(["*"] if hidden and not keyword else []), *hidden]

    def _doc(self) -> list[str]:
        """The docstring: the arguments' types and the result's, on one line where it fits."""
        dims = _DimNames(self.staged.function.params)

        def var_type(var: Var) -> str:
            return trees.type_text(var.type, dims)

        hidden = [Parameter(h.param.name, h.param) for h in self.staged.hidden]
        arguments = [
            f"{name}: {trees.tree_text(parameter.tree, var_type)}"
            for name, parameter in zip(self.signature, (*self.staged.parameters, *hidden), strict=True)
        ]
        results = trees.tree_text(self.staged.result, lambda result: self._result_doc(result, dims))
        text = [_in_docstring(part) for part in (*arguments, f"-> {results}")]
        line = f'    """{", ".join(text[:-1])} {text[-1]}"""'
        if len(line) <= WIDTH:
            return [line]
        return [f'    """{text[0]}', *(f"    {part}" for part in text[1:]), '    """']

    def _result_doc(self, result: Result | Given, dims: _DimNames) -> str:
        if isinstance(result, Given):
            return trees.type_text(result.type, dims)
        atom = self.staged.function.body.results[result.number]
        text = trees.type_text(atom.type, dims)
        if result.listed:
            return f"list of {trees.type_text(Array(atom.type.dtype, atom.type.shape[1:], result.listed == 'tolist'), dims)}"
        return f"{atom.name}: {text}" if isinstance(atom, Var) and atom.name.endswith(("_bar", "_dot")) else text

    # ---- arguments ------------------------------------------------------------------------------------------------

    def _unpack(self) -> Iterator[str]:
        renamed: list[tuple[str, str]] = []
        for name, parameter in zip(self.signature, self.staged.parameters, strict=False):
            if isinstance(parameter.tree, Var):
                renamed.append((self.local[parameter.tree], name))
            else:
                yield from self._statics(name, parameter)
                for target, source in trees.unpack(name, parameter.tree, self.names, self.local.__getitem__):
                    if target in self.local.values():
                        self.sources[target] = source  # taken out where it is checked
                    else:
                        yield f"    {target} = {source}"
        for name, hidden in zip(self.signature[len(self.staged.parameters) :], self.staged.hidden, strict=True):
            renamed.append((self.local[hidden.param], name))
        renamed = [(new, old) for new, old in renamed if new != old]
        if renamed:
            yield f"    {', '.join(new for new, _ in renamed)} = {', '.join(old for _, old in renamed)}"

    def _statics(self, name: str, parameter: Parameter) -> Iterator[str]:
        tree = parameter.tree
        if trees.kind_of(tree) == trees.STATIC and trees.is_literal(tree) or tree == ():
            self.out.helpers.add("_fixed")
            yield f'    _fixed("{name}", {name}, {tree!r})'

    def _checks(self) -> Iterator[str]:
        for var, name in self.given.items():
            if name != self.local[var]:
                yield f"    {name} = {self.sources.get(self.local[var], self.local[var])}"
        pairs = [(self.local[var], self._checked(self.local[var], var)) for var in dict.fromkeys(self.staged.function.params)]
        line = f"    {', '.join(name for name, _ in pairs)} = {', '.join(check for _, check in pairs)}"
        if len(pairs) > 1 and len(line) <= WIDTH:
            yield line
        else:
            yield from (f"    {name} = {check}" for name, check in pairs)
        for var in dict.fromkeys(self.staged.function.params):
            if any(isinstance(dim, int) for dim in var.type.shape):
                self.out.helpers.add("_shape")
                wanted = ", ".join(str(dim) if isinstance(dim, int) else "-1" for dim in var.type.shape)
                yield f'    _shape("{self.local[var]}", {self.local[var]}, ({wanted}{"," if var.type.ndim == 1 else ""}))'

    def _checked(self, name: str, var: Var) -> str:
        type_, source = var.type, self.sources.get(name, name)
        if type_.ndim == 0:
            # Python's own floats raise where NumPy's and compiled code give inf or nan: 0.0 ** -1.0, 1.0 / 0.0
            is_float = type_.weak and type_.dtype.kind in "fc" and not self.compiled
            return self._converted(source, type_.strong() if is_float else type_)
        helper = "_writable" if var in self.mutated else "_in_order" if var in self.staged.in_order else "_array"
        if var in self.given:
            helper = "_given" if self.given[var] == name else "_contiguous" if self.compiled else "_array"
        self.out.helpers.add(helper)
        self.out.imports.add("import numpy as np")
        told = trees.quoted(source) if '"' not in source else repr(source)
        return f"{helper}({told}, {source if self.given.get(var, name) == name else self.given[var]}, {self._dtype(type_)}, {type_.ndim})"

    def _dtype(self, type_: Array) -> str:
        self.out.imports.add("import numpy as np")
        return "np.bool_" if type_.dtype.kind == "b" else f"np.{type_.dtype.name}"

    def _converted(self, text: str, type_: Array) -> str:
        """A scalar in its exact NumPy type, a weak one as a Python number."""
        if not type_.weak:
            return f"{self._dtype(type_)}({text})"
        if type_.dtype.kind == "i":
            self.out.imports.add("from operator import index")
            return f"index({text})"
        return f"{ {'f': 'float', 'c': 'complex', 'b': 'bool'}[type_.dtype.kind] }({text})"

    # ---- call and results -----------------------------------------------------------------------------------------

    def _allocations(self) -> Iterator[str]:
        if self.kernels.buffers:
            self.out.imports.add("import numpy as np")
        groups: dict[Any, list[Buffer]] = {}
        for buffer in self.kernels.buffers:
            groups.setdefault((buffer.shape, buffer.dtype) if self._is_temporary(buffer) else buffer.name, []).append(buffer)
        for group in groups.values():
            yield f"    {', '.join(buffer.name for buffer in group)} = {group[0].allocation if len(group) == 1 else group[0].rows(len(group))}"

    def _numbers(self) -> Iterator[int]:
        """The kernel's results that the public function needs, once for each use."""
        for leaf in trees.leaves(self.staged.result):
            if isinstance(leaf, Given):
                yield from (self.apart.places[number] for number in needed(self.apart, leaf.origin, leaf.own))
            else:
                yield leaf.number

    def _is_temporary(self, buffer: Buffer) -> bool:
        """Whether an array has one axis, and is neither returned nor may change places with one that is: it may lie in one piece of
        memory with others, which malloc keeps from call to call, where it gives several large pieces back to the system each time.
        """
        function, results = self.staged.function, self.kernels.results
        returned = any(result.kind == "returned" and function.body.results[number].type.shape for number, result in enumerate(results))
        is_row = len(buffer.shape) == 1 and not buffer.zeroed
        return is_row and not returned and all(result.name != buffer.name for result in results)

    def _call(self) -> Iterator[str]:
        numbers = list(dict.fromkeys(self._numbers()))
        wanted = {self.kernels.results[number].name for number in (*numbers, *self.mutated.values())}
        arguments: list[str] = []
        copied = False
        for param in self.kernels.params:
            copy = param.writes and param.var not in self.mutated and param.var.type.ndim > 0
            if copy and param.name in wanted:
                yield f"    {param.name} = {param.name}.copy()"
            copied |= copy
            arguments.append(f"{param.name}.copy()" if copy and param.name not in wanted else param.name)
        arguments += [buffer.name for buffer in self.kernels.buffers]
        yield from self._bind_returned(numbers, arguments, copied)

    def _own_body(self, kernel: KernelText) -> Iterator[str]:
        """The kernel's own body, between the checks and the return."""
        for param in self.kernels.params:
            if param.writes and param.var not in self.mutated and param.var.type.ndim > 0:
                yield f"    {param.name} = {param.name}.copy()  # it is written to; the caller's stays as it is"
        yield from kernel.body
        texts = {
            number: kernel.returned[result.position] for number, result in enumerate(self.kernels.results) if result.kind == "returned"
        }
        wanted = [*self._numbers(), *self.mutated.values()]
        for number, text in texts.items():  # an expression is evaluated once, and before anything is written back
            if not text.isidentifier() and (self.mutated or sum(texts.get(each) == text for each in wanted) > 1):
                name = self.names.fresh(_identifier(self.staged.function.body.results[number]))
                yield same_place(f"    {name} = {text}", kernel.last)
                texts = {other: name if known == text else known for other, known in texts.items()}
        lines = (*self._write_back(texts), *self._return(texts))
        yield from (line if isinstance(line, Line) else same_place(line, kernel.last) for line in lines)

    def _bind_returned(self, numbers: list[int], arguments: list[str], copied: bool) -> Iterator[str]:
        """The call with its returned values bound to names, or inside the return statement where it is evaluated first."""
        results = self.kernels.results
        count = 1 + max((result.position for result in results if result.kind == "returned"), default=-1)
        if copied:
            yield _COPIED
        call = fold(f"{self.kernels.entry}(", arguments, ")")
        texts: dict[int, str] = {}
        if count == 1 and not self.mutated and numbers and not self.apart.atoms and results[numbers[0]].kind == "returned" and len(call) == 1:
            first = results[numbers[0]]
            if sum(results[number] == first for number in numbers) == 1:
                line = f"    return {self._packed({numbers[0]: call[0].strip()})}"
                if len(line) <= WIDTH:
                    yield from self._tried([line])
                    return
        targets: dict[int, str] = {}
        for number, result in enumerate(results):
            if result.kind == "returned":
                if result.position not in targets:
                    targets[result.position] = self.names.fresh(_identifier(self.staged.function.body.results[number]))
                texts[number] = targets[result.position]
        if count:
            call[0] = f"    {', '.join(targets[position] for position in range(count))} = {call[0].strip()}"
        yield from self._tried(call)
        yield from self._write_back(texts)
        yield from self._return(texts)

    def _tried(self, call: list[str]) -> list[str]:
        """The call; where compiled code raises (text with {}, values), they are put together here: cheap to compile."""
        kinds = self.kernels.formatted
        if not kinds:
            return call
        caught = kinds[0] if len(kinds) == 1 else f"({', '.join(kinds)})"
        fill = ["        error.args = (error.args[0].format(*error.args[1:]),)", "        raise"]
        return ["    try:", *(f"    {line}" for line in call), f"    except {caught} as error:", *fill]

    def _return(self, texts: dict[int, str]) -> list[str]:
        lines = self._bind_bases(texts)
        returned = self._returned(texts)
        if self.spots:  # an index that is out of bounds is the user's line's
            spots = tuple(self.spots.items())
            returned = [Line(line, spots[0][1], spots=spots) for line in returned]
        return [*lines, *returned]

    def _bind_bases(self, texts: dict[int, str]) -> list[str]:
        """Names for the arrays that several results share."""
        lines = []
        for leaf in trees.leaves(self.staged.result):
            for number in bases_of(leaf.origin, leaf.own) if isinstance(leaf, Given) else ():
                place = self.apart.places[number]
                if place not in self.bases:
                    text = self._result_text(place, texts, set())
                    self.bases[place] = text
                    if not text.isidentifier():
                        self.bases[place] = self.names.fresh(_identifier(self.staged.function.body.results[place]))
                        lines.append(f"    {self.bases[place]} = {text}")
        return lines

    def _leaf_text(self, leaf: Result | Given, texts: dict[int, str], handed_out: set[str]) -> str:
        if isinstance(leaf, Result):
            text = self._result_text(leaf.number, texts, handed_out)
            if leaf.listed:
                return f"list({text})" if leaf.listed == "list" else f"{text}.tolist()"
            if not leaf.boxed:
                return text
            self.out.imports.add("import numpy as np")
            return f"np.array({text})"
        writer = Texts(self.apart, lambda var: self.given.get(var, self.local[var]), lambda number: self._plain(number, texts), self.bases.__getitem__, self.spots.setdefault)
        text = writer.given(leaf)
        if (made := self.apart.made(leaf)) is not None:
            self.spots.setdefault(text, made.where)
        return text

    def _returned(self, texts: dict[int, str]) -> list[str]:
        packed = self._packed(texts)
        if len(packed) + 11 <= WIDTH or trees.kind_of(self.staged.result) not in (trees.TUPLE, trees.LIST):
            return [f"    return {packed}"]
        handed_out: set[str] = set()
        parts = [trees.pack(part, self.names, lambda leaf: self._leaf_text(leaf, texts, handed_out)) for part in self.staged.result]
        opening, closing = ("return [", "]") if trees.kind_of(self.staged.result) == trees.LIST else ("return (", ")")
        return fold(opening, parts, closing)

    def _write_back(self, returned: dict[int, str]) -> Iterator[str]:
        for var, number in self.staged.mutated:
            if var.type.ndim == 0:
                raise UnsupportedError(f"a store into the array {var.name} without dimensions", instead="return the new value")
            if self.kernels.results[number].name != self.local[var] or self.kernels.results[number].kind != "param":
                yield f"    {self.local[var]}[...] = {self._plain(number, returned)}"

    def _plain(self, number: int, returned: dict[int, str]) -> str:
        result: KernelResult = self.kernels.results[number]
        return returned[number] if result.kind == "returned" else result.name

    def _packed(self, returned: dict[int, str]) -> str:
        handed_out: set[str] = set()
        if trees.has_float0(self.staged.result):
            self.out.imports.add("import numpy as np")
        text = trees.pack(self.staged.result, self.names, lambda leaf: self._leaf_text(leaf, returned, handed_out))
        bare = trees.kind_of(self.staged.result) == trees.TUPLE and len(self.staged.result) > 1
        return text[1:-1] if bare else text

    def _is_numpy_scalar(self, atom: Any) -> bool:
        """Whether NumPy itself makes a scalar of exactly this type: it comes from an array."""
        for node in self.staged.function.body.nodes:
            if atom in node.outs and isinstance(node, Equation):
                return not atom.type.weak and any(part.type.ndim and part.type.dtype == atom.type.dtype for part in node.ins)
        return False

    def _result_text(self, number: int, returned: dict[int, str], handed_out: set[str]) -> str:
        """A result as the caller gets it: scalars in their exact type; arrays fresh, none handed out twice."""
        if number in self.bases:
            return self.bases[number]
        result, atom = self.kernels.results[number], self.staged.function.body.results[number]
        text = self._plain(number, returned)
        if atom.type.ndim == 0:
            exact = atom.type.weak and isinstance(atom, Literal) or not self.compiled and self._is_numpy_scalar(atom)
            return text if exact else self._converted(text, atom.type)
        mine = [param for param in self.kernels.params if param.name == result.name and result.kind == "param"]
        shared = any(not param.writes or param.var in self.mutated for param in mine)
        if shared or text in handed_out:
            return f"{text}.copy()"
        handed_out.add(text)
        return text


def _in_docstring(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', "'''")


def _identifier(atom: Any) -> str:
    """The user's name for a value; `ans` where it is only called like its primitive."""
    if isinstance(atom, Var) and atom.name.isidentifier() and atom.name not in _UNNAMED:
        return atom.name
    return "ans"


class _DimNames:
    """Dimensions' names in a docstring: distinct Vars have distinct names."""

    def __init__(self, params: tuple[Var, ...]) -> None:
        self.names: dict[Var, str] = {}
        self.scope = trees.Names({param.name for param in params if param.type.ndim})

    def __call__(self, dim: int | Var) -> str:
        if isinstance(dim, int):
            return str(dim)
        if dim not in self.names:
            self.names[dim] = self.scope.fresh(dim.name)
        return self.names[dim]


def argument_names_in_order(staged: Staged) -> tuple[tuple[str, str], ...]:
    """(public name, kind) of each Parameter: how a call hands them over."""
    return tuple((name, parameter.kind) for name, parameter in zip(signature_names(staged), staged.parameters, strict=False))
