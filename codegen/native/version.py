"""What compiled code depends on beside what is compiled: this code generator, Numba, and what Numba was told."""
from __future__ import annotations

import platform
import sys
from functools import cache as once
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import config

from s2s.codegen.modules import cache
from s2s.tuning import TUNING


@once
def _own() -> str:
    return cache.digest(*(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))))


def generator() -> str:
    """Changes with the text of this package and the versions of what it uses, whoever wrote them when."""
    settings: Any = config
    told = (settings.OPT, settings.LOOP_VECTORIZE, settings.SLP_VECTORIZE, settings.LLVM_REFPRUNE_PASS, TUNING.large_kernel, TUNING.helper_apart, TUNING.long_kernel)
    return cache.digest(_own(), numba.__version__, np.__version__, sys.version, platform.machine(), repr(told))
