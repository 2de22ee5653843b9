"""The composed functions by the qualified names of what they stand for. Each has its signature, and is right when it is called as it stands."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.transforms.read.composed import special, statistics
from s2s.transforms.read.names import Table

COMPOSED: Table[Callable[..., Any]] = Table({
    "numpy.cov": statistics.cov, "numpy.corrcoef": statistics.corrcoef,
    "scipy.special.logsumexp": special.logsumexp, "scipy.special.softmax": special.softmax, "scipy.special.log_softmax": special.log_softmax,
})  # fmt: skip
