"""Tables of library functions by their qualified names: "numpy.linalg.norm", "math.exp", "builtins.len", "scipy.special.erf", "numpy.add.reduce".

    FUNCTIONS = Table({"numpy.sum": …, "scipy.special.erf": …})
    FUNCTIONS[np.sum]              asked by the object that the user's code holds, never by what an object says it is called
    FUNCTIONS.name_of(np.sum)      "numpy.sum"

A library is never imported for its entries: they are looked for when the user's code holds a function that is not known yet, in the modules that are loaded by then.
Entries that take long to import come `later`: when one of the library's modules is loaded.
"""
from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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


class _Objects:
    """The objects of all names that tables have, looked for at once: to go through the libraries for each table takes a tenth of what a short function takes to be read."""

    def __init__(self) -> None:
        self._names: dict[Any, list[str]] = {}
        self._sought: dict[str, set[str]] = {}
        """Names whose objects have not been seen yet, by what they are names in ("scipy.stats", "numpy.add")."""
        self._modules = -1
        """How many modules were loaded when they were last looked for; -1: others are sought since."""
        self._waiting: list[tuple[Sequence[str], Callable[[], None]]] = []
        """What adds names, when one of these modules is loaded."""

    def seek(self, names: Iterable[str]) -> None:
        """Look for these names, too."""
        for name in names:
            self._sought.setdefault(name.rpartition(".")[0], set()).add(name)
        self._modules = -1

    def wait(self, modules: Sequence[str], add: Callable[[], None]) -> None:
        """Call `add` when one of the modules is loaded."""
        self._waiting.append((modules, add))

    def _add_waiting(self) -> None:
        with _ADDING:
            for each in tuple(self._waiting):
                modules, add = each
                if any(module in sys.modules for module in modules):
                    add()
                    self._waiting.remove(each)

    def names_of(self, function: Any) -> Sequence[str]:
        """The names under which an object stands in the modules that are loaded."""
        found = self._names.get(function)
        if self._sought and len(sys.modules) != self._modules and self._look():
            found = self._names.get(function)
        return found or ()

    def seen(self) -> Mapping[Any, Sequence[str]]:
        """All objects that are loaded by now, with their names."""
        if len(sys.modules) != self._modules:
            self._look()
        return self._names

    def _look(self) -> bool:
        """Find the objects of names whose modules are loaded by now; whether there were any."""
        if self._waiting:
            self._add_waiting()
        self._modules = len(sys.modules)
        before = len(self._names)
        for space in tuple(self._sought):
            members = _members(space)
            if members is None:
                continue
            start, names = len(space) + 1, self._sought.pop(space)
            missing = set()
            for name in names:
                function = members(name[start:])
                if function is None:
                    missing.add(name)
                elif name not in (known := self._names.setdefault(function, [])):
                    known.append(name)
            if missing:
                self._sought[space] = missing
        return len(self._names) > before


_ADDING = threading.RLock()
"""Held while entries are added that came later: another thread that asks meanwhile waits for them."""
_OBJECTS = _Objects()
"""Of libraries, which live as long as the process."""


class Table(Mapping[Any, Entry], Generic[Entry]):
    """Qualified name -> entry, asked by function. `later`: modules, and what gives further entries when one of them is loaded."""

    def __init__(self, entries: Mapping[str, Entry], *, later: tuple[Sequence[str], Callable[[], Mapping[str, Entry]]] | None = None) -> None:
        self._entries: dict[str, Entry] = {}
        self._add(entries)
        self._later: Callable[[], Mapping[str, Entry]] | None = None
        if later is not None:
            modules, self._later = later
            _OBJECTS.wait(modules, self._complete)

    def _add(self, entries: Mapping[str, Entry]) -> None:
        self._entries.update(entries)
        _OBJECTS.seek(entries)

    def _complete(self) -> None:
        with _ADDING:
            if self._later is not None:
                self._add(self._later())
                self._later = None

    @property
    def entries(self) -> dict[str, Entry]:
        """All of them by name, those included of libraries that are not loaded."""
        self._complete()
        return self._entries

    def name_of(self, function: Any) -> str | None:
        """The name under which a function stands here; None for one that does not."""
        try:
            hash(function)
        except TypeError:  # what can't be hashed is no library's function
            return None
        return self._of(function, _OBJECTS.names_of(function))

    def _of(self, function: Any, names: Sequence[str]) -> str | None:
        """Which of an object's names it has here: of several its own, as np.concat is np.concatenate."""
        here = [name for name in names if name in self._entries]
        if len(here) < 2:
            return here[0] if here else None
        here.sort()
        return next((name for name in reversed(here) if name.endswith(f".{getattr(function, '__name__', '')}")), here[0])

    def __getitem__(self, function: Any) -> Entry:
        name = self.name_of(function)
        if name is None:
            raise KeyError(function)
        return self._entries[name]

    def __contains__(self, function: object) -> bool:
        return self.name_of(function) is not None

    def __iter__(self) -> Iterator[Any]:
        return (function for function, names in tuple(_OBJECTS.seen().items()) if self._of(function, names) is not None)

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
