"""Calls of scipy.linalg's functions with stacks of matrices (`composed/stacks.py`)."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.transforms.read.calls.composed import call_part
from s2s.transforms.read.composed.stacks import CORES, PAIRS, given_to, over_stacks
from s2s.transforms.read.names import short
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, ListRef, View
from s2s.transforms.read.wrapping import wrap


def call_stacked(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract | None:
    """A call with arrays of more axes than the function's own; None where it has none."""
    if function in PAIRS:
        return _of_pair(reader, function, args, kwargs)
    given = given_to(function, args, kwargs)
    if given is None:
        return None
    arrays, options = given
    cores = CORES[function]
    if not any(_axes(reader, each) > min(cores[name], 2) for name, each in arrays.items()):
        return None
    name, widths = short(str(CORES.name_of(function))), tuple(cores[each] for each in arrays)
    return call_part(reader, over_stacks, (function, name.rpartition(".")[2], widths, reader.new_dict(dict(arrays)), reader.new_dict(dict(options))), {}, name)


def _of_pair(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract | None:
    """The same of those whose first argument is a pair of arrays."""
    pair = args[0] if args else None
    items = reader.heap[pair] if isinstance(pair, ListRef) else pair
    arrays = (*(items if isinstance(items, tuple) else ()), *args[1:2], kwargs.get("b"))
    if not any(_axes(reader, each) > 2 for each in arrays):
        return None
    return call_part(reader, PAIRS[function], args, kwargs, short(str(PAIRS.name_of(function))))


def _axes(reader: Reader, value: Abstract) -> int:
    """An array's axes; of anything else none."""
    if not isinstance(value, View):
        return 0
    with building(reader.builder):
        return int(wrap(reader, value).ndim)
