"""bool(value): known, or a test of run time."""
from __future__ import annotations

from s2s.transforms.read import classes
from s2s.transforms.read.callables import FUNCTIONS
from s2s.transforms.read.calls import special_methods
from s2s.transforms.read.calls.hidden import truth_outside
from s2s.transforms.read.flow.spreading import spreads
from s2s.transforms.read.iterations import Iteration, RunRange
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import truth
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, DictRef, DictView, IteratorRef, ListRef, Outside, Text, is_atom, is_number, is_runtime
from s2s.transforms.read.wrapping import wrap
from s2s.types import Atom


@spreads(0)
def truth_of(reader: Reader, value: Abstract) -> bool | Atom:
    """bool(value): known, or a bool atom."""
    if isinstance(value, (ListRef, DictView, RunRange)):

        length = reader.rules.call(len, (value,))
        return bool(length) if isinstance(length, int) else truth_of(reader, reader.rules.compare("!=", length, 0))
    if isinstance(value, DictRef):
        return bool(reader.heap[value])
    if isinstance(value, (Text, Iteration, IteratorRef, slice, *FUNCTIONS)):
        return True  # a text of numbers is never empty
    if classes.class_of(value) is not None and not is_number(value) or isinstance(value, Outside):
        return special_methods.truth(reader, value)
    if not is_runtime(value):
        return bool(wrap(reader, value))
    if is_atom(value) and (known := truth_outside(reader, value)) is not None:
        return known
    with building(reader.builder):
        result = truth(wrap(reader, value))
    return result if isinstance(result, bool) else result.atom
