"""What composed functions say to who reads them; called as they stand, they do what they say."""
from __future__ import annotations

from typing import Any, NoReturn

from s2s.errors import UnsupportedError


def unsupported(what: str, instead: str = "", why: str = "") -> NoReturn:
    """Refuse a call; while reading at the user's line."""
    raise UnsupportedError(f"{what} is not supported", instead=instead, why=why)


def constant(x: Any) -> Any:
    """x, of which no derivative is taken."""
    return x
