"""Tables of library functions by their qualified names: "numpy.linalg.norm", "math.exp", "builtins.len", "scipy.special.erf", "numpy.add.reduce".

    FUNCTIONS = Table({"numpy.sum": …, "scipy.special.erf": …})
    FUNCTIONS[np.sum]              asked by the object that the user's code holds, never by what an object says it is called
    FUNCTIONS.name_of(np.sum)      "numpy.sum"

A library is never imported for its entries: they are looked for when the user's code holds a function that is not known yet, in the modules that are loaded by then.
"""
from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Any, Generic, TypeVar

Entry = TypeVar("Entry")
_SHORT = {"numpy": "np", "builtins": ""}
"""What users call a library."""


def resolved(name: str) -> Any:
    """The object of a qualified name in the modules that are loaded; LookupError where there is none."""
    module, _, path = name.rpartition(".")
    while module and module not in sys.modules:
        module, _, last = module.rpartition(".")
        path = f"{last}.{path}"
    if not module:
        raise LookupError(name)
    value: Any = sys.modules[module]
    for part in path.split("."):
        try:  # scipy would import a module that is asked for
            value = vars(value)[part] if isinstance(value, ModuleType) else getattr(value, part)
        except (KeyError, AttributeError):
            raise LookupError(name) from None
    return value


def short(name: str) -> str:
    """A qualified name as it stands in most programs: np.linalg.norm, math.exp, len."""
    library, _, rest = name.partition(".")
    return ".".join(filter(None, (_SHORT.get(library, library), rest)))


def within(space: str, **entries: Entry) -> dict[str, Entry]:
    """Entries with their qualified names: "builtins", len=rule gives {"builtins.len": rule}."""
    return {f"{space}.{name}": entry for name, entry in entries.items()}


def _members(space: str) -> Callable[[str], Any] | None:
    """What asks a module or class for one of its own; None where it is not loaded."""
    owner = sys.modules.get(space)
    if owner is None:
        try:
            owner = resolved(space)
        except LookupError:
            return None
    return vars(owner).get if isinstance(owner, ModuleType) else lambda name: getattr(owner, name, None)


class Table(Mapping[Any, Entry], Generic[Entry]):
    """Qualified name -> entry, asked by function. `entries` has them by name."""

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self.entries = dict(entries)
        self._names: dict[Any, str] = {}
        self._sought: dict[str, list[str]] = {}
        """Names whose objects have not been seen yet, by what they are names in ("scipy.stats", "numpy.add")."""
        self._modules = 0
        """How many modules were loaded when they were last looked for."""
        for name in self.entries:
            self._sought.setdefault(name.rpartition(".")[0], []).append(name)

    def name_of(self, function: Any) -> str | None:
        """The name under which a function stands here; None for one that does not."""
        try:
            found = self._names.get(function)
        except TypeError:  # what can't be hashed is no library's function
            return None
        if found is None and self._sought and self._look():
            found = self._names.get(function)
        return found

    def _look(self) -> bool:
        """Find the objects of names whose modules are loaded by now; whether there were any."""
        modules = len(sys.modules)
        if modules == self._modules:
            return False
        self._modules = modules
        found: dict[str, Any] = {}
        for space, names in tuple(self._sought.items()):
            members = _members(space)
            if members is None:
                continue
            start = len(space) + 1
            found.update((name, function) for name in names if (function := members(name[start:])) is not None)
            self._sought[space] = [name for name in names if name not in found]
            if not self._sought[space]:
                del self._sought[space]
        for name in sorted(found):
            function = found[name]
            if function not in self._names or name.endswith(f".{getattr(function, '__name__', '')}"):  # of several names its own: np.concat is np.concatenate
                self._names[function] = name
        return bool(found)

    def __getitem__(self, function: Any) -> Entry:
        name = self.name_of(function)
        if name is None:
            raise KeyError(function)
        return self.entries[name]

    def __contains__(self, function: object) -> bool:
        return self.name_of(function) is not None

    def __iter__(self) -> Iterator[Any]:
        self._look()
        return iter(tuple(self._names))

    def __len__(self) -> int:
        return len(self.entries)


class Rules(Table[Entry]):
    """A table whose entries are made of the function when it is first asked for: name -> what makes the entry of the library's function."""

    def __init__(self, makers: Mapping[str, Callable[[Any], Entry]]) -> None:
        super().__init__(makers)  # type: ignore[arg-type]
        self._made: dict[str, Entry] = {}

    def __getitem__(self, function: Any) -> Entry:
        name = self.name_of(function)
        if name is None:
            raise KeyError(function)
        if name not in self._made:
            self._made[name] = self.entries[name](function)  # type: ignore[operator]
        return self._made[name]


__all__ = ["Rules", "Table", "resolved", "short", "within"]
