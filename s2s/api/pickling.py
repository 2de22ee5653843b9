"""Transformed functions in another process: a decorated function of a module is found there by its name, any other is made again.

    with multiprocessing.Pool() as pool:
        pool.map(s2s.grad(energy), points)      # `energy` is a function of a module
"""
from __future__ import annotations

import copyreg
import sys
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from s2s.api.jit import Jitted, Placed
from s2s.calls import making
from s2s.calls.checkpointing import CHECKPOINT, Checkpointed
from s2s.calls.rewrite import Options
from s2s.calls.transformations import SHARD_MAP, TABLE
from s2s.calls.transformed import Transformed

_BY_NAME = {each.name: each for each in (*TABLE.values(), SHARD_MAP, CHECKPOINT)}


def _reduced(transformed: Transformed) -> str | tuple[Callable[..., Any], tuple[Any, ...]]:
    name = getattr(transformed, "__qualname__", "")
    if _named(getattr(transformed, "__module__", None), name) is transformed:
        return str(name)
    rewrite, options = transformed.rewrite, transformed.options
    given = {each: getattr(options, each) for each in ("target", "static_argnums", "static_argnames", "background")}
    return _made_again, (transformed.fun, rewrite.of.name, rewrite.part, dict(rewrite.given), given, type(transformed), dict(transformed.told))


def _named(module: str | None, name: str) -> Any:
    """What a module holds under a name."""
    try:
        return attrgetter(name)(sys.modules[module]) if module else None
    except (AttributeError, KeyError):
        return None


def _made_again(fun: Any, of: str, part: int, given: Mapping[str, Any], options: Mapping[str, Any], kind: type[Transformed], told: Mapping[str, Any]) -> Transformed:
    return making.transformed(fun, _BY_NAME[of].made(part, **given), Options(**options), kind, told)


def let_travel() -> None:
    """Tell pickle (and what is made of it: multiprocessing, joblib, cloudpickle) of them."""
    for kind in (Transformed, Jitted, Placed, Checkpointed):
        copyreg.pickle(kind, _reduced)  # a string is a name, as pickle's documents say
