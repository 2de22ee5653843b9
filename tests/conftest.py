"""Every test compiles into a cache folder of its own session, and checks programs after every step."""
import os
import tempfile

import pytest

_CACHE = tempfile.TemporaryDirectory(prefix="s2s-test-cache-")
os.environ["S2S_CACHE_DIR"] = _CACHE.name  # before s2s is imported; xdist workers have one each
os.environ["S2S_CHECK"] = "1"
os.environ.setdefault("NUMBA_NUM_THREADS", "2")


@pytest.fixture
def rng():
    """A seeded generator."""
    import numpy as np

    return np.random.default_rng(0)
