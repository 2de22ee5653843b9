"""The rows behind a Value's operators, and the builders that are handed this table."""
from __future__ import annotations

from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives.arithmetic import add, div, equal, greater, greater_equal, less, less_equal, mul, neg, select, sub
from s2s.transforms.primitives.reductions import reduce_sum
from s2s.transforms.primitives.row import Operators
from s2s.transforms.primitives.structural import broadcast, retype

OPERATORS = Operators(
    add=add, sub=sub, mul=mul, div=div, neg=neg, less=less, less_equal=less_equal, greater=greater, greater_equal=greater_equal, equal=equal,
    select=select, broadcast=broadcast, retype=retype, reduce_sum=reduce_sum,
)


def new_builder() -> Builder:
    """A builder for a block that stands in no other."""
    return Builder(OPERATORS)
