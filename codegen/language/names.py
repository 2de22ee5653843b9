"""Python names for the variables of an emitted function: the user's own, made legal and unique."""
from __future__ import annotations

import builtins
import keyword
import math
import re
from functools import lru_cache
from itertools import chain, count

from s2s.codegen.runtime.helpers import RUNTIME
from s2s.transforms.primitives.scalar_helpers import HELPERS, OF_ARRAYS
from s2s.transforms.primitives.scipy_functions import C_FUNCTIONS

_RESERVED = frozenset({"np", "scipy", "njit", "prange", "types", "index", *HELPERS, *OF_ARRAYS, *C_FUNCTIONS, *RUNTIME, *keyword.kwlist, *keyword.softkwlist, *dir(builtins), *(name for name in dir(math) if len(name) > 1)})
_INDEX_LETTERS = "ijklpqrstuvwxyz"
_ILLEGAL = re.compile(r"\W", re.ASCII)


OWN_FUNCTIONS = frozenset({"_array", "_given", "_contiguous", "_in_order", "_writable", "_apart", "_two", "_shape", "_fixed", "_distinct", "_keep", "_made", "_MADE", "_entry"})
"""What a module may define beside its kernels: no kernel is called so."""


@lru_cache(maxsize=4096)
def legal(hint: str) -> str:
    """A hint as an identifier that does not start with an underscore."""
    name = _ILLEGAL.sub("_", hint).strip("_") or "each"
    if name[0].isdigit():
        name = f"v{name}"
    return name[:40]


class Names:
    """The names of one function. Loop indices may be used again after their loop; other names stand for one variable."""

    def __init__(self, taken: frozenset[str] = frozenset()) -> None:
        self._taken: set[str] = set(_RESERVED | taken)
        self._numbers: dict[str, int] = {}
        """The number that the last name made of a hint has: those before it are taken for good."""
        self._indices: set[str] = set()
        self._active: list[str] = []

    def fresh(self, hint: str) -> str:
        """A name that nothing else has: the hint, numbered if need be."""
        name = base = legal(hint)
        number = self._numbers.get(base, 0)
        if number:
            name = f"{base}_{number}"
        while name in self._taken or name in self._indices:
            number += 1
            name = f"{base}_{number}"
        self._numbers[base] = number
        self._taken.add(name)
        return name

    def open_index(self, hint: str = "") -> str:
        """A name for a loop's index until `close_index`; without hint the first free letter of i, j, k, …"""
        base = legal(hint)
        candidates = chain([base], (f"{base}_{number}" for number in count(1))) if hint else chain(_INDEX_LETTERS, (f"i{number}" for number in count()))
        name = next(name for name in candidates if self._is_free(name))
        self._indices.add(name)
        self._active.append(name)
        return name

    def _is_free(self, name: str) -> bool:
        return name not in self._taken and name not in self._active

    def is_index(self, name: str) -> bool:
        """Whether a loop that is open has this index."""
        return name in self._active

    def close_index(self, name: str) -> None:
        """The loop ends."""
        self._active.remove(name)
