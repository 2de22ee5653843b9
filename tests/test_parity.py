"""docs/jax_parity.md is current: each of JAX's names and arguments is there or has its reason. What JAX has is stored, and compared with it where it is installed."""
from __future__ import annotations

import importlib
import importlib.util
import json
from pathlib import Path

import pytest

import s2s
from s2s.not_here import REASONS

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
    assert all(len(why) >= 3 for why in (*REASONS.values(), *maker.ARGUMENTS.values()))


@pytest.mark.parametrize("full", sorted(REASONS))
def test_names_that_are_not_here_say_why(full):
    module, _, name = full.rpartition(".")
    with pytest.raises(AttributeError, match=f"has no attribute '{name}': ."):
        getattr(importlib.import_module(module), name)


def test_the_nearest_name_is_found():
    """Python finds it among the module's names, where the exception says what was asked of what."""
    with pytest.raises(AttributeError) as caught:
        s2s.lax.stop_gradeint  # noqa: B018
    assert (caught.value.name, caught.value.obj) == ("stop_gradeint", s2s.lax)


def test_each_name_of_jax_is_here_or_has_its_reason(maker):
    known = json.loads(maker.SIGNATURES.read_text(encoding="utf-8"))["modules"]
    for module, names in known.items():
        for name in names:
            full = f"s2s{module.removeprefix('jax')}.{name}"
            assert (maker.found(module, name) is None and name != "newaxis") == (full in REASONS), full


def test_stored_signatures_are_those_of_the_installed_jax(maker):
    jax = pytest.importorskip("jax")
    stored = json.loads(maker.SIGNATURES.read_text(encoding="utf-8"))
    if jax.__version__ != stored["version"]:
        pytest.skip(f"stored for {stored['version']}")
    assert stored == maker.by_jax()
