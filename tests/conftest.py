"""Every test compiles into a cache folder of its own session, and checks programs after every step."""
import json
import os
import resource
import tempfile
import time
import zlib
from pathlib import Path

import pytest
from dear import dear_cases

SHARES = 7
"""Slow tests are run in so many shares, one a day: all within a week."""

_CACHE = tempfile.TemporaryDirectory(prefix="s2s-test-cache-")
os.environ["S2S_CACHE_DIR"] = _CACHE.name  # before s2s is imported; xdist workers have one each
os.environ["S2S_CHECK"] = "1"
os.environ.setdefault("NUMBA_NUM_THREADS", "2")


@pytest.fixture
def rng():
    """A seeded generator."""
    import numpy as np

    return np.random.default_rng(0)


@pytest.fixture
def on_numpy(request):
    """What is not about compiled code runs on NumPy."""
    import s2s

    if "compiled" in request.node.name:
        yield
        return
    with s2s.disable_jit():
        yield


def pytest_addoption(parser):
    parser.addoption("--cpu-times", metavar="FOLDER", help="write how many CPU seconds each test took (dear.py)")
    parser.addoption("--slow-share", type=int, metavar="DAY", help=f"of the slow tests only those of share DAY modulo {SHARES} (use with -m slow)")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    dear = dear_cases()
    for item in items:
        if item.nodeid in dear:
            item.add_marker(pytest.mark.slow)
    day = config.getoption("--slow-share")
    if day is not None:
        today = [("slow" not in item.keywords or share_of(item.nodeid) == day % SHARES, item) for item in items]
        config.hook.pytest_deselected(items=[item for on, item in today if not on])
        items[:] = [item for on, item in today if on]


TIMES = {}
"""CPU seconds of the tests of this process."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    before = _cpu_seconds()
    result = yield
    TIMES[item.nodeid] = _cpu_seconds() - before
    return result


def _cpu_seconds():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def pytest_sessionfinish(session):
    folder = session.config.getoption("--cpu-times")
    if folder and TIMES:
        Path(folder).mkdir(parents=True, exist_ok=True)
        Path(folder, f"{os.getpid()}.json").write_text(json.dumps(TIMES), encoding="utf-8")


def share_of(name):
    """The share that a slow test belongs to: the same in every process and on every machine."""
    return zlib.crc32(name.encode()) % SHARES


@pytest.fixture(autouse=True)
def _registrations_end_with_their_test():
    """What a test, or an example in a docstring, registers is no other test's."""
    from s2s.registry import REGISTERED

    before = dict(REGISTERED)
    yield
    if REGISTERED != before:
        REGISTERED.clear()
        for function, found in before.items():
            REGISTERED[function] = found
