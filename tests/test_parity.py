"""docs/jax_parity.md is current: each of JAX's names and arguments is there or has its reason. What JAX has is stored, and compared with it where it is installed."""
from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parent.parent / "docs"


@pytest.fixture(scope="module")
def maker():
    spec = importlib.util.spec_from_file_location("make_parity", DOCS / "make_parity.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_page_is_current(maker):
    page = maker.page()  # a KeyError or StopIteration: a name or argument of JAX's has neither a place nor a reason
    assert maker.PAGE.read_text(encoding="utf-8") == page, "run: python docs/make_parity.py"
    assert not any(word in page.lower() for word in ("planned", "todo", "not yet", "soon"))


def test_reasons_are_said(maker):
    assert all(len(why) > 5 for why in (*maker.NAMES.values(), *maker.ARGUMENTS.values()))


def test_stored_signatures_are_those_of_the_installed_jax(maker):
    jax = pytest.importorskip("jax")
    stored = json.loads(maker.SIGNATURES.read_text(encoding="utf-8"))
    if jax.__version__ != stored["version"]:
        pytest.skip(f"stored for {stored['version']}")
    assert stored == maker.by_jax()
