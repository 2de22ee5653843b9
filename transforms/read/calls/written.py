"""Functions of Python's own modules that are read as if the user had written them (`composed/searching.py`, `python_library.py`, `python_statistics.py`)."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.transforms.read.calls.managed import manager_of_library
from s2s.transforms.read.composed import array_iterators, python_library, python_statistics, searching, thread_queues
from s2s.transforms.read.known import by_python, is_known
from s2s.transforms.read.names import resolved, within
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract


def _written(function: Callable[..., Any]) -> Callable[..., Abstract]:
    def rule(reader: Reader, *args: Abstract, **kwargs: Abstract) -> Abstract:
        return reader.rules.call(function, args, kwargs)

    return rule


def _unless_known(name: str) -> Callable[..., Abstract]:
    """A function of the module statistics, which Python itself is asked for where all numbers are known."""

    def rule(reader: Reader, *args: Abstract, **kwargs: Abstract) -> Abstract:
        if all(is_known(reader, each) for each in (*args, *kwargs.values())):
            return by_python(reader, resolved(f"statistics.{name}"), *args, **kwargs)
        return reader.rules.call(getattr(python_statistics, name), args, kwargs)

    return rule


_STATISTICS = ("mean", "fmean", "variance", "pvariance", "stdev", "pstdev", "harmonic_mean", "geometric_mean")
_OPERATOR = (
    "attrgetter", "itemgetter", "methodcaller", "setitem", "delitem", "is_", "is_not", "call", "iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "iand", "ior",
    "ixor", "imatmul",
)  # fmt: skip
"""Functions of the module operator that `composed/searching.py` has under the same name."""


WRITTEN: dict[str, Callable[..., Abstract]] = {
    **within(
        "bisect", bisect=_written(searching.bisect_right), bisect_left=_written(searching.bisect_left), bisect_right=_written(searching.bisect_right),
        insort=_written(searching.insort_right), insort_left=_written(searching.insort_left), insort_right=_written(searching.insort_right),
    ),
    **within("functools", wraps=_written(python_library.wraps), update_wrapper=_written(python_library.update_wrapper), cmp_to_key=_written(python_library.cmp_to_key)),
    **within("contextlib", nullcontext=_written(python_library.NullContext), closing=_written(python_library.Closing), ExitStack=_written(python_library.ExitStack), _GeneratorContextManager=manager_of_library),
    **within("types", SimpleNamespace=_written(python_library.Namespace)),
    **within("queue", **{name: _written(getattr(thread_queues, name)) for name in ("Queue", "LifoQueue", "PriorityQueue")}),
    **within("_queue", SimpleQueue=_written(thread_queues.SimpleQueue)),
    **within("_thread", allocate_lock=_written(thread_queues.Lock), RLock=_written(thread_queues.RLock)),
    **within("numpy", nditer=_written(array_iterators.Nditer)),
    **within("statistics", **{name: _unless_known(name) for name in _STATISTICS}),
    **within("operator", countOf=_written(searching.count_of), indexOf=_written(searching.index_of), iconcat=_written(searching.iadd)),
    **within("operator", **{name: _written(getattr(searching, name)) for name in _OPERATOR}),
}  # fmt: skip
"""Qualified name -> rule(reader, *args)."""

__all__ = ["WRITTEN"]
