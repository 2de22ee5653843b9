"""The last lines of a public function: results in their exact types and containers, and what it stores into its arguments."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from s2s import tree_util
from s2s.codegen.language.lines import WIDTH, Line, fold
from s2s.codegen.lowering.kernel import KernelResult, Kernels
from s2s.codegen.modules import changes, trees
from s2s.codegen.modules.given import Apart, Given, Texts, bases_of
from s2s.codegen.modules.public_names import LocalNames, Needs
from s2s.errors import Location, UnsupportedError
from s2s.streams import RANDOM, Stream
from s2s.transforms.ir.program import Equation
from s2s.transforms.ir.staged import Changing, Own, Result
from s2s.types import Literal, Var


class Results:
    """One function's."""

    def __init__(self, apart: Apart, kernels: Kernels, locals_: LocalNames, needs: Needs, *, compiled: bool) -> None:
        self.apart, self.staged, self.kernels, self.locals, self.needs, self.compiled = apart, apart.staged, kernels, locals_, needs, compiled
        self.mutated = dict(self.staged.mutated)
        self.spots: dict[str, Location] = {}
        """Where the texts of results that share storage stem from."""
        self.bases: dict[int, str] = {}
        """Results that other results share: their names."""

    def returned(self, texts: dict[int, str]) -> list[str]:
        """The return statement. `texts`: what the kernel returned, by the numbers of the program's results."""
        lines = self._bind_bases(texts)
        returned = self._return_statement(texts)
        if self.spots:  # an index that is out of bounds is the user's line's
            spots = tuple(self.spots.items())
            returned = [Line(line, spots[0][1], spots=spots) for line in returned]
        return [*lines, *returned]

    def write_back(self, returned: dict[int, str]) -> Iterator[str]:
        """What the user's function stores into its arguments, where the kernel has not done so."""
        left_over = self._left_over()
        for var, number in self.staged.mutated:
            if var.type.ndim == 0:
                raise UnsupportedError(f"a store into the array {var.name} without dimensions", instead="return the new value")
            if self.kernels.results[number].name != self.locals.local[var] or self.kernels.results[number].kind != "param":
                yield f"    {self.locals.local[var]}[...] = {self._plain(number, returned)}"
            if var in left_over:
                self.needs.helpers.add("_keep")
                yield f"    _keep({self.locals.local[var]})"

    def _left_over(self) -> set[Var]:
        """The arrays that say which normal number Python's generators have left over: outside they are no memory of theirs."""
        streams = (tree for each in self.staged.parameters for tree in tree_util.tree_leaves(each.tree, is_leaf=lambda part: isinstance(part, Stream)) if isinstance(tree, Stream))
        of_arguments = {tree.parts[1] for tree in streams if tree.cls == RANDOM}
        return of_arguments | {each.param for each in self.staged.hidden if each.access.steps[-1] == ("stream", "gauss_next")}

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
                        self.bases[place] = self.locals.fresh_for(place)
                        lines.append(f"    {self.bases[place]} = {text}")
        return lines

    def _leaf_text(self, leaf: Result | Given | Own, texts: dict[int, str], handed_out: set[str]) -> str:
        if isinstance(leaf, Own):
            return changes.own(leaf, self.staged, self.locals)
        if isinstance(leaf, Result):
            text = self._result_text(leaf.number, texts, handed_out)
            if leaf.options:
                return f"({', '.join(trees.literal_text(option, self.locals.names) for option in leaf.options)}{',' if len(leaf.options) == 1 else ''})[{text}]"
            if leaf.listed == "lists":
                return f"[list(row) for row in {text}]"
            if leaf.listed:
                return f"list({text})" if leaf.listed == "list" else f"{text}.tolist()"
            if not leaf.boxed:
                return text
            self.needs.numpy()
            return f"np.array({text})"
        writer = Texts(self.apart, lambda var: self.locals.given.get(var, self.locals.local[var]), lambda number: self._plain(number, texts), self.bases.__getitem__, self.spots.setdefault)
        text = writer.given(leaf)
        if (made := self.apart.made(leaf)) is not None:
            self.spots.setdefault(text, made.where)
        return text

    def _return_statement(self, texts: dict[int, str]) -> list[str]:
        tree, handed_out, changed = self.staged.result, set[str](), list[str]()
        if isinstance(tree, Changing):
            values = [trees.pack(value, self.locals.names, lambda leaf: self._leaf_text(leaf, texts, handed_out)) for value in tree.values]
            changed = list(changes.statements(tree, values, self.staged, self.locals))
            tree = tree.result
        before = handed_out.copy()
        packed = self._packed(tree, texts, handed_out)
        if len(packed) + 11 <= WIDTH or trees.kind_of(tree) not in (trees.TUPLE, trees.LIST):
            return [*changed, f"    return {packed}"]
        parts = [trees.pack(part, self.locals.names, lambda leaf: self._leaf_text(leaf, texts, before)) for part in tree]
        opening, closing = ("return [", "]") if trees.kind_of(tree) == trees.LIST else ("return (", ")")
        return [*changed, *fold(opening, parts, closing)]

    def packed(self, returned: dict[int, str]) -> str:
        """All results in their containers."""
        return self._packed(self.staged.result, returned, set())

    def _packed(self, tree: Any, returned: dict[int, str], handed_out: set[str]) -> str:
        text = trees.pack(tree, self.locals.names, lambda leaf: self._leaf_text(leaf, returned, handed_out))
        if "np." in text:  # a static value's, too: np.int64(1)
            self.needs.numpy()
        bare = trees.kind_of(tree) == trees.TUPLE and len(tree) > 1
        return text[1:-1] if bare else text

    def _plain(self, number: int, returned: dict[int, str]) -> str:
        result: KernelResult = self.kernels.results[number]
        return returned[number] if result.kind == "returned" else result.name

    def _result_text(self, number: int, returned: dict[int, str], handed_out: set[str]) -> str:
        """A result as the caller gets it: scalars in their exact type; arrays fresh, none handed out twice."""
        if number in self.bases:
            return self.bases[number]
        result, atom = self.kernels.results[number], self.staged.function.body.results[number]
        text = self._plain(number, returned)
        if atom.type.ndim == 0:
            exact = atom.type.weak and isinstance(atom, Literal) or not self.compiled and self._is_numpy_scalar(atom)
            return text if exact else self.needs.converted(text, atom.type)
        mine = [param for param in self.kernels.params if param.name == result.name and result.kind == "param"]
        shared = any(not param.writes or param.var in self.mutated for param in mine)
        if shared or text in handed_out:
            return f"{text}.copy()"
        handed_out.add(text)
        return text


    def _is_numpy_scalar(self, atom: Any) -> bool:
        """Whether NumPy itself makes a scalar of exactly this type: it comes from an array."""
        for node in self.staged.function.body.nodes:
            if atom in node.outs and isinstance(node, Equation):
                return not atom.type.weak and any(part.type.ndim and part.type.dtype == atom.type.dtype for part in node.ins)
        return False
