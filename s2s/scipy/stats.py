"""scipy.stats's own functions. A distribution is imported by its own name, too, as JAX's are: `import s2s.scipy.stats.norm as norm`."""
import sys

import scipy.stats as _stats
from scipy.stats import *  # noqa: F403

__all__ = list(_stats.__all__)

for _name in __all__:
    if hasattr(getattr(_stats, _name), "rvs"):
        sys.modules[f"{__name__}.{_name}"] = getattr(_stats, _name)
