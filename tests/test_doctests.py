"""The examples in the docstrings of every module are true."""
import doctest
import importlib
import pkgutil

import pytest

import s2s

MODULES = sorted(info.name for info in pkgutil.walk_packages(s2s.__path__, "s2s."))


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    as_users = {"__name__": "example"}  # what an example defines is no function of s2s's
    assert doctest.testmod(importlib.import_module(name), extraglobs=as_users, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0
