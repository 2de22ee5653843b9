"""The first lines of a public function: arguments are taken out of their containers, checked and converted."""
from __future__ import annotations

from collections.abc import Iterator

from s2s import tree_util
from s2s.codegen.language.lines import WIDTH, fold
from s2s.codegen.modules import changes, trees
from s2s.codegen.modules.public_names import LocalNames, Needs
from s2s.codegen.modules.signature import apart_in_memory
from s2s.transforms.ir.staged import Parameter, Staged
from s2s.types import Var


class Arguments:
    """One function's. `compiled`: the kernel wants C-contiguous arrays; `trusted`: the caller has looked at the types of all of them; `alone`: not even at their memory."""

    def __init__(self, staged: Staged, locals_: LocalNames, needs: Needs, *, compiled: bool, trusted: bool = False, alone: bool = False) -> None:
        self.staged, self.locals, self.needs, self.compiled, self.trusted, self.alone = staged, locals_, needs, compiled, trusted, alone
        self.mutated = dict(staged.mutated)
        self.sources: dict[str, str] = {}
        """Where leaves of dicts and dataclasses stand: params["w"]."""

    def unpacked(self) -> Iterator[str]:
        """Names for the leaves of containers."""
        renamed: list[tuple[str, str]] = []
        yield from changes.checked(self.staged, self.locals, self.needs.helpers)
        apart = self._kept_apart()
        if apart:
            yield f"    {', '.join(apart.values())} = {', '.join(apart)}"
        for name, parameter in zip(self.locals.signature, self.staged.parameters, strict=False):
            source = apart.get(name, name)
            if parameter.tree in self.staged.columns:
                self.sources[self.locals.local[parameter.tree]] = source
            elif isinstance(parameter.tree, Var):
                renamed.append((self.locals.local[parameter.tree], source))
            else:
                yield from self._statics(name, parameter)
                for target, part in trees.unpack(source, parameter.tree, self.locals.names, self.locals.local.__getitem__):
                    if target in self.locals.local.values():
                        self.sources[target] = part  # taken out where it is checked
                    else:
                        yield f"    {target} = {part}"
        for name, hidden in zip(self.locals.signature[len(self.staged.parameters) :], self.staged.hidden, strict=True):
            renamed.append((self.locals.local[hidden.param], apart.get(name, name)))
        renamed = [(new, old) for new, old in renamed if new != old]
        if renamed:
            yield f"    {', '.join(new for new, _ in renamed)} = {', '.join(old for _, old in renamed)}"

    def _kept_apart(self) -> dict[str, str]:
        """Parameters that a leaf of a container is called like, which would be lost when the container is taken apart, and what they are called until then."""
        apart: set[str] = set()
        for name, parameter in zip(self.locals.signature, self.staged.parameters, strict=False):
            if not isinstance(parameter.tree, Var):
                leaves = [self.locals.local[leaf] for leaf in tree_util.tree_leaves(parameter.tree) if isinstance(leaf, Var)]
                by_fields = len(leaves) > 1 and trees.kind_of(parameter.tree) in (trees.DICT, trees.DATACLASS)
                apart |= {leaf for leaf in leaves if leaf != name or by_fields}
        return {name: self.locals.names.fresh(f"{name}_given") for name in self.locals.signature if name in apart}

    def _statics(self, name: str, parameter: Parameter) -> Iterator[str]:
        tree = parameter.tree
        if trees.kind_of(tree) == trees.STATIC and trees.is_literal(tree) or isinstance(tree, tuple) and not tree:
            self.needs.helpers.add("_fixed")
            if "np." in repr(tree):  # np.int64(1)
                self.needs.numpy()
            yield f'    _fixed("{name}", {name}, {tree!r})'

    def checks(self) -> Iterator[str]:
        """Types, dtypes, ranks; known sizes; where nobody else does it, what lies in the same memory."""
        if self.alone:
            yield from self._apart_in_memory()
            yield from self._two_objects()
        for var, name in self.locals.given.items():
            if name != self.locals.local[var]:
                yield f"    {name} = {self._source(var)}"
        pairs = [(self.locals.local[var], self._checked(self.locals.local[var], var)) for var in dict.fromkeys(self.staged.function.params)]
        line = f"    {', '.join(name for name, _ in pairs)} = {', '.join(check for _, check in pairs)}"
        if len(pairs) > 1 and len(line) <= WIDTH:
            yield line
        else:
            yield from (f"    {name} = {check}" for name, check in pairs)
        for var in dict.fromkeys(self.staged.function.params):
            if any(isinstance(dim, int) for dim in var.type.shape):
                self.needs.helpers.add("_shape")
                wanted = ", ".join(str(dim) if isinstance(dim, int) else "-1" for dim in var.type.shape)
                yield f'    _shape("{self.locals.local[var]}", {self.locals.local[var]}, ({wanted}{"," if var.type.ndim == 1 else ""}))'
            if var.type.told is not None:
                self.needs.helpers.add("_fixed")
                yield f'    _fixed("{self.locals.local[var]}", {self.locals.local[var]}.tolist(), {var.type.told!r})'

    def _two_objects(self) -> Iterator[str]:
        """Arrays of which the function asks whether they are one."""
        for one, other in self.staged.distinct:
            if {one, other} <= set(self.staged.function.params):
                self.needs.helpers.add("_two")
                yield f"    _two({self._told(one)}, {self._source(one)}, {self._told(other)}, {self._source(other)})"

    def _apart_in_memory(self) -> Iterator[str]:
        """For each array that is written the others, before any of them is copied."""
        others: dict[Var, list[Var]] = {}
        for one, other in apart_in_memory(self.staged):
            others.setdefault(one, []).append(other)
        for one, apart in others.items():
            self.needs.helpers.add("_apart")
            yield from fold(f"_apart({self._told(one)}, {self._source(one)}, {{", [f"{self._told(other)}: {self._source(other)}" for other in apart], "})")

    def _source(self, var: Var) -> str:
        """What holds an array as the caller gave it."""
        return self.sources.get(self.locals.local[var], self.locals.local[var])

    def _told(self, var: Var) -> str:
        """The text of that, for messages."""
        return trees.quoted(self._source(var)) if '"' not in self._source(var) else repr(self._source(var))

    def _checked(self, name: str, var: Var) -> str:
        type_, source = var.type, self._source(var)
        if type_.ndim == 0:
            # Python's own floats raise where NumPy's and compiled code give inf or nan: 0.0 ** -1.0, 1.0 / 0.0
            is_float = type_.weak and type_.dtype.kind in "fc" and not self.compiled
            return self.needs.converted(source, type_.strong() if is_float else type_)
        helper = "_writable" if var in self.mutated else "_in_order" if var in self.staged.in_order else "_array"
        if var in self.locals.given:
            helper = "_given" if self.locals.given[var] == name else "_contiguous" if self.compiled else "_array"
        if self.trusted and helper == "_array":
            return f"{source}.T" if var in self.staged.columns else source
        self.needs.helpers.add(helper)
        self.needs.numpy()
        told = self._told(var)
        if var in self.staged.columns:
            return f"{helper}({told}, {source}.T, {self.needs.dtype(type_)}, {type_.ndim})"
        return f"{helper}({told}, {source if self.locals.given.get(var, name) == name else self.locals.given[var]}, {self.needs.dtype(type_)}, {type_.ndim})"
