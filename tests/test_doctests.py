"""The examples in the docstrings of every module are true."""
import doctest
import importlib
import pkgutil

import pytest

import s2s

MODULES = sorted(info.name for info in pkgutil.walk_packages(s2s.__path__, "s2s."))


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    assert doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0
