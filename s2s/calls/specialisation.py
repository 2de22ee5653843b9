"""`Specialisation`: a loaded module, with what must be looked up or checked when it is called."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from s2s.calls.leaves import matches
from s2s.calls.places import examples_in, explain, place_of
from s2s.codegen.language.lines import Place
from s2s.codegen.modules.call import CallShape
from s2s.codegen.modules.text import ENTRY_MARK
from s2s.errors import SizesError, name_example
from s2s.outside import Access, Guard
from s2s.records import dataclass
from s2s.types import Array


@dataclass(eq=False, slots=True)
class Specialisation:
    """A loaded module. `run`: its fast entry; `enter`: that entry with what it reads from outside; `look`: what it reads from outside as it is now, None if that is not what the module
    was made for (but for the types of what it reads, which `run` looks at); `mutated`: numbers of the leaves that a call writes,
    hidden inputs counted after them; `separate`: pairs of them that must not share memory, `distinct`: that must be two objects; `in_order`: those that must lie in C
    order; `given`: those that results share, which are handed over as they are; `columns`: those that are read in Fortran order; `changed`: the steps to the containers of the arguments that it changes; `others`: containers outside that those must not be; `places`: where the module's lines stem from.
    """

    run: Callable[..., Any]
    module: ModuleType
    path: Path
    enter: Callable[[tuple[Any, ...], dict[str, Any]], Any]
    look: Callable[[], tuple[Any, ...] | None]
    hidden_types: tuple[Array, ...]
    mutated: tuple[int, ...]
    stretch: bool
    separate: tuple[tuple[int, int], ...]
    distinct: tuple[tuple[int, int], ...]
    in_order: tuple[int, ...]
    given: tuple[int, ...]
    columns: tuple[int, ...]
    changed: tuple[Access, ...]
    others: tuple[Any, ...]
    places: dict[int, Place]
    text: str
    ran: bool = False
    """Whether it has been run: what it needs is compiled."""
    half: Half | None = None
    """Of the first half of a derivative: the second one."""

    def explained(self, error: Exception) -> Exception:
        """An exception that the module raised, with the user's line in its traceback; a SizesError where it stopped at a check of
        two sizes that is marked `stretch`: with the sizes known there may be no such check.
        """
        place = place_of(error, str(self.path), self.places)
        if place is None:
            return error
        if numbers := examples_in(error, str(self.path), self.places):
            name_example(error, numbers)
        explain(error, str(self.path), place)
        return SizesError(error) if place.stretch else error

    def valid(self) -> bool:
        """Whether guards hold and hidden inputs have the types that the module was made for."""
        found = self.look()
        return found is not None and all(map(matches, found, self.hidden_types))

    def source(self) -> str:
        """The module's text, without the part that only serves the call."""
        return self.text.partition(ENTRY_MARK)[0].rstrip() + "\n"


@dataclass(frozen=True, eq=False)
class Half:
    """The second half for a module of the first one: its module, what that does with (residuals, *arguments), and what it was made for."""

    made: Specialisation
    run: Callable[..., tuple[Any, ...]]
    shape: CallShape


@dataclass(frozen=True)
class Facts:
    """What a Specialisation needs beside its module; this and the module's name are all that the index remembers."""

    hidden: tuple[tuple[Access, Array], ...]
    guards: tuple[Guard, ...]
    mutated: tuple[int, ...]
    stretch: bool
    separate: tuple[tuple[int, int], ...]
    distinct: tuple[tuple[int, int], ...]
    in_order: tuple[int, ...]
    given: tuple[int, ...]
    columns: tuple[int, ...]
    places: dict[int, Place]
    changed: tuple[Access, ...] = ()
