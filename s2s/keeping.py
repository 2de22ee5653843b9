"""Where work is kept by content, from call to call and from process to process, for whoever is at work inside of `keeping`."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class Store(Protocol):
    """What is kept. `stamp`: what all of it depends on beside its keys."""

    stamp: str

    def get(self, key: str) -> bytes | None:
        """What was kept under a key."""

    def put(self, key: str, content: bytes) -> None:
        """Keep it."""


class NotDescribed(Exception):
    """Something has no lasting description."""


_STORE: ContextVar[Store | None] = ContextVar("s2s_store", default=None)


@contextmanager
def keeping(store: Store) -> Iterator[None]:
    """Inside, what was read before is taken from this store."""
    token = _STORE.set(store)
    try:
        yield
    finally:
        _STORE.reset(token)


def store_in_use() -> Store | None:
    """The store, if there is one."""
    return _STORE.get()


__all__ = ["NotDescribed", "Store", "keeping", "store_in_use"]
