"""Which of NumPy's and SciPy's ways a function has that changed between the versions that we read: the installed one's."""
from __future__ import annotations

import sys
from typing import Any

import numpy as np
import scipy

PYTHON_3_13 = sys.version_info[:2] >= (3, 13)
"""What @dataclass writes for == compares field by field, not tuples of them, whose items may be one object."""
NUMPY_2_5 = tuple(int(part) for part in np.__version__.split(".")[:2]) >= (2, 5)
"""svd raises of infinities, too; cond is nan of nan; cross is of vectors in space only; RandomState.multinomial draws for counts that are known, too."""
SCIPY_1_17 = tuple(int(part) for part in scipy.__version__.split(".")[:2]) >= (1, 17)
"""levene and fligner measure all samples from the mean of the trimmed ones; before, the trimmed ones alone."""
SCIPY_1_18 = tuple(int(part) for part in scipy.__version__.split(".")[:2]) >= (1, 18)
"""lstsq gives its rank as an int64, the sum of squares of one vector as an array without axes; other words in cholesky, cho_factor and eig; statistics and waves of float32 are float32."""
NEWER: dict[str, dict[str, Any]] = {
    **{f"scipy.stats.{name}": {"nan_policy": "propagate"} for name in ("boxcox", "boxcox_normmax", "obrientransform", "sigmaclip", "yeojohnson", "yeojohnson_normmax")}, "scipy.stats.ansari": {"method": "auto"},
    "scipy.stats.expectile": {"axis": None, "nan_policy": "propagate", "keepdims": False}, "scipy.interpolate.griddata": {"simplex_tolerance": 1.0},
}  # fmt: skip
"""By qualified name: the words that a function takes since SciPy 1.18, and their defaults, which are all that is read of them."""
