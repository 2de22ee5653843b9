"""What lowering makes of a program's functions: kernels in the loop language, and what they share in their module.

Passes map a `Lowered` to another one; what they need to know of it (which names matter when it ends, what is known of its
integers) it tells itself.
"""
from __future__ import annotations

from itertools import count
from operator import is_

from s2s.codegen.language.expressions import Expr, names_read
from s2s.codegen.language.ranges import Ranges, ranges_of
from s2s.codegen.language.statements import Alloc, Body, Loop, assigned, names_used, of_kind
from s2s.codegen.lowering.kernel import Buffer
from s2s.errors import NOWHERE, Location
from s2s.records import cached_property, dataclass, field, replace
from s2s.transforms.ir.program import Function
from s2s.types import Array, Var

_versions = count(1)


def next_version() -> int:
    """A number that no version had before."""
    return next(_versions)


@dataclass(eq=False)
class Slot:
    """A Python variable. `occupant`: the Var whose value it holds now (None: none that may be read)."""

    name: str
    type: Array
    occupant: Var | None = None
    version: int = field(default_factory=next_version)
    param: bool = False
    written: bool = False
    rebound: bool = False
    moved: bool = False
    fresh: bool = False
    """An array variable that has no storage yet: each branch of an If gives it some."""
    lost: bool = False
    """An array variable whose buffer another variable took over: nothing may be stored through it any more."""
    loop: object = None
    where: Location = NOWHERE
    hint: str = ""
    """What its name was made of: the name is the hint, or the hint with a number."""
    aliases: set[Slot] = field(default_factory=set)
    """Slots whose buffer this one may hold, after buffers changed hands."""


@dataclass(frozen=True)
class Lowered:
    """One function in the loop language. `results`: an expression, or the slot of an array, for each."""

    function: Function
    name: str
    params: tuple[Slot, ...]
    results: tuple[Expr | Slot, ...]
    body: Body
    sizes: dict[str, tuple[str, int]]
    """Names of lengths that the text uses -> (array, axis)."""
    swaps: frozenset[tuple[str, str]]
    """(carried, new): arrays of one type where the loop's `carried = new` may exchange the two instead."""
    accumulators: frozenset[str]
    """Scalars whose sums may be added in another order (`reassociate`)."""
    taken_names: frozenset[str]
    """Names of the module: no variable may be called so."""
    buffers: tuple[Buffer, ...]
    """Arrays that the public function allocates for it: parameters after its own (`buffers.allocated_outside`)."""
    plain: bool = False
    """Whether its statements stand in the public function, and nothing of them is compiled."""

    def with_body(self, body: Body) -> Lowered:
        """The same kernel with other statements; itself where they are the very same, with all that is known of it."""
        is_same = len(body) == len(self.body) and all(map(is_, body, self.body))
        return self if is_same else replace(self, body=body)

    @property
    def returned(self) -> tuple[Expr, ...]:
        """The results that are numbers."""
        return tuple(result for result in self.results if not isinstance(result, Slot))

    @property
    def derived(self) -> bool:
        """Whether it is a derivative: the order of its sums is ours to choose."""
        return self.function.derived

    @property
    def param_names(self) -> frozenset[str]:
        """What its own parameters are called."""
        return frozenset(slot.name for slot in self.params)

    @property
    def size_names(self) -> frozenset[str]:
        """The names of lengths."""
        return frozenset(self.sizes)

    @property
    def ranges(self) -> Ranges:
        """What is known of integers where it starts."""
        return ranges_of(self.body, self.size_names)

    @cached_property
    def kept(self) -> frozenset[str]:
        """The variables whose contents matter when it ends."""
        found = {*self.param_names, *(buffer.name for buffer in self.buffers)}
        for result in self.results:
            found |= {result.name} if isinstance(result, Slot) else names_read(result)
        return frozenset(found)

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name that it uses."""
        bound = {*assigned(self.body), *(each.index for each in of_kind(self.body, Loop)), *(each.name for each in of_kind(self.body, Alloc))}
        return frozenset({*bound, *names_used(self.body), *self.sizes, *self.param_names, *(buffer.name for buffer in self.buffers)})

    @property
    def taken(self) -> frozenset[str]:
        """Names that a new variable can't have."""
        return self.taken_names | self.names


def is_param(result: Expr | Slot) -> bool:
    """Whether a result is what a parameter's own array holds: the caller has it already."""
    return isinstance(result, Slot) and result.param and not result.rebound


@dataclass(frozen=True)
class Helper:
    """A function that is written for a module. `key`: what it is for; `needs`: the others that it calls."""

    key: str
    text: str
    needs: tuple[str, ...]
    imports: frozenset[str]


@dataclass
class Module:
    """What the kernels of one module share: imports, constants, helper functions, names."""

    names: set[str] = field(default_factory=set)
    imports: set[str] = field(default_factory=set)
    constants: dict[tuple[str, str], str] = field(default_factory=dict)
    helpers: dict[str, None] = field(default_factory=dict)
    numba: set[str] = field(default_factory=lambda: {"njit"})
    """What is imported from Numba on the cpu target."""
    texts: dict[str, Helper] = field(default_factory=dict)
    """Helper functions that are written for this module, by name."""
    anonymous: frozenset[str] = frozenset()
    entry: str = ""
    """The kernel that the public function calls, once: what stands outside of its loops is done once in a call."""

    def helper(self, key: str, name: str, text: str, *, needs: tuple[str, ...] = (), imports: frozenset[str] = frozenset()) -> str:
        """The name of a helper function that is written for this module, like `name`; its text (HELPER is its name) is written once for each key.
        `imports`: all that its text needs, NumPy too.
        """
        found = next((written for written, helper in self.texts.items() if helper.key == key), None)
        if found is not None:
            return found
        base = candidate = f"_{name.rpartition('.')[2].strip('_')}"
        number = 0
        while candidate in self.names:
            number += 1
            candidate = f"{base}_{number}"
        self.names.add(candidate)
        self.texts[candidate] = Helper(key, text.replace("HELPER", candidate), needs, imports)
        return candidate

    def called(self, names: set[str]) -> list[Helper]:
        """The helper functions of these names, and what they call."""
        found: dict[str, Helper] = {}
        left = [name for name in self.texts if name in names]
        while left:
            name = left.pop()
            found[name] = self.texts[name]
            left += self.texts[name].needs
        return [helper for name, helper in self.texts.items() if name in found]
