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

from collections.abc import Iterator
from typing import Any

from s2s.codegen.language.lines import WIDTH, Line, fold, same_place
from s2s.codegen.lowering.kernel import Buffer, Kernels, KernelText
from s2s.codegen.modules import trees
from s2s.codegen.modules.arguments import Arguments
from s2s.codegen.modules.given import Apart, Given, needed
from s2s.codegen.modules.public_names import LocalNames, Needs
from s2s.codegen.modules.results import Results
from s2s.codegen.modules.signature import docstring, parameter_list
from s2s.records import dataclass
from s2s.transforms.ir.staged import Result

_COPIED = "    # arrays that are written to are copied: the caller's stay as they are"


@dataclass(frozen=True)
class PublicText:
    """The lines of the function, and what they need around them."""

    lines: list[str]
    needs: Needs
    tables: list[str]
    """The lines that make the tables which kernels are handed."""
    kernels: tuple[str, ...]
    """The kernels' lines, without the entry kernel where its body stands in the function."""


def write_public(apart: Apart, kernels: Kernels, *, name: str, names: trees.Names, compiled: bool, alone: bool) -> PublicText:
    """The public function's text; `compiled`: the kernel is Numba's, which wants C-contiguous arrays; `alone`: nobody looks at a call's arrays before it."""
    return _Writer(apart, kernels, name, names, compiled, alone=alone).write()


def write_trusted(apart: Apart, kernels: Kernels, *, name: str, names: trees.Names, needs: Needs) -> list[str]:
    """The same function for who has looked at the arrays' types already: with many of them that takes longer than the call. `needs`: told what it needs."""
    writer = _Writer(apart, kernels, name, names, compiled=True, trusted=True)
    writer.needs = writer.arguments.needs = writer.results.needs = needs
    return [*writer.head(), *writer.called()]


class _Writer:
    """One function's text in the making."""

    def __init__(self, apart: Apart, kernels: Kernels, name: str, names: trees.Names, compiled: bool, *, trusted: bool = False, alone: bool = False) -> None:
        self.apart, self.staged, self.kernels, self.name, self.compiled = apart, apart.staged, kernels, name, compiled
        self.mutated = dict(self.staged.mutated)
        self.needs = Needs()
        self.locals = LocalNames(apart, kernels, names)
        self.arguments = Arguments(self.staged, self.locals, self.needs, compiled=compiled, trusted=trusted, alone=alone)
        self.results = Results(apart, kernels, self.locals, self.needs, compiled=compiled)

    def write(self) -> PublicText:
        """The whole function."""
        if not self.compiled or self.kernels.is_empty:  # the entry kernel's body stands in the function itself: it reads as one function
            self.locals.names.taken |= self.kernels.kernel.identifiers
            self.locals.rename_changed(self.kernels.kernel.identifiers)
            kernels = self.kernels.others
            body = [*self.arguments.unpacked(), *self.arguments.checks(), *self._allocations(), *self._own_body(self.kernels.kernel)]
        else:
            kernels = self.kernels.lines
            body = self.called()
        tables = [line for buffer in self.kernels.buffers if buffer.numbers for line in buffer.table(self.locals.tables[buffer.name])]
        return PublicText([*self.head(), *docstring(self.staged, self.locals.signature), *body], self.needs, tables, kernels)

    def head(self) -> list[str]:
        """def name(parameters):"""
        return fold(f"def {self.name}(", parameter_list(self.staged, self.locals.signature), "):", indent="")

    def called(self) -> list[str]:
        """The body that calls the kernel."""
        return [*self.arguments.unpacked(), *self.arguments.checks(), *self._allocations(), *self._call()]

    # ---- call and results -----------------------------------------------------------------------------------------

    def _allocations(self) -> Iterator[str]:
        if self.kernels.buffers:
            self.needs.numpy()
        groups: dict[Any, list[Buffer]] = {}
        for buffer in (each for each in self.kernels.buffers if not each.numbers):
            groups.setdefault((buffer.shape, buffer.dtype) if self._is_temporary(buffer) else buffer.name, []).append(buffer)
        for group in groups.values():
            yield f"    {', '.join(buffer.name for buffer in group)} = {group[0].allocation if len(group) == 1 else group[0].rows(len(group))}"

    def _numbers(self) -> Iterator[int]:
        """The kernel's results that the public function needs, once for each use."""
        for leaf in trees.leaves(self.staged.result):
            if isinstance(leaf, Given):
                yield from (self.apart.places[number] for number in needed(self.apart, leaf.origin, leaf.own))
            elif isinstance(leaf, Result):
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
        arguments += [self.locals.tables.get(buffer.name, buffer.name) for buffer in self.kernels.buffers]
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
                name = self.locals.fresh_for(number)
                yield same_place(f"    {name} = {text}", kernel.last)
                texts = {other: name if known == text else known for other, known in texts.items()}
        lines = (*self.results.write_back(texts), *self.results.returned(texts))
        yield from (line if isinstance(line, Line) else same_place(line, kernel.last) for line in lines)

    def _bind_returned(self, numbers: list[int], arguments: list[str], copied: bool) -> Iterator[str]:
        """The call with its returned values bound to names, or inside the return statement where it is evaluated first."""
        results = self.kernels.results
        count = 1 + max((result.position for result in results if result.kind == "returned"), default=-1)
        if copied:
            yield _COPIED
        call = fold(f"{self.kernels.entry}(", arguments, ")")
        texts: dict[int, str] = {}
        if count == 1 and not self.mutated and trees.kind_of(self.staged.result) != trees.CHANGING and numbers and not self.apart.atoms and results[numbers[0]].kind == "returned" and len(call) == 1:
            first = results[numbers[0]]
            if sum(results[number] == first for number in numbers) == 1:
                line = f"    return {self.results.packed({numbers[0]: call[0].strip()})}"
                if len(line) <= WIDTH:
                    yield from self._tried([line])
                    return
        targets: dict[int, str] = {}
        for number, result in enumerate(results):
            if result.kind == "returned":
                if result.position not in targets:
                    targets[result.position] = self.locals.fresh_for(number)
                texts[number] = targets[result.position]
        if count:
            call[0] = f"    {', '.join(targets[position] for position in range(count))} = {call[0].strip()}"
        yield from self._tried(call)
        yield from self.results.write_back(texts)
        yield from self.results.returned(texts)

    def _tried(self, call: list[str]) -> list[str]:
        """The call; where compiled code raises (text with {}, values), they are put together here: cheap to compile."""
        kinds, handlers = self.kernels.formatted, []
        words = "(error.args[0].format(*error.args[1:]),)"
        if kinds:
            caught = kinds[0] if len(kinds) == 1 else f"({', '.join(kinds)})"
            kept = f"{words} if error.args else ()" if self.kernels.raises_nothing_said else words
            handlers += [f"    except {caught} as error:", f"        error.args = {kept}", "        raise"]
        if self.kernels.made:
            if any("np." in call for call in self.kernels.made):
                self.needs.numpy()
            self.needs.helpers.add("_made")
            handlers += ["    except Exception as error:", "        raise _made(error) from error.__cause__"]
        return ["    try:", *(f"    {line}" for line in call), *handlers] if handlers else call
