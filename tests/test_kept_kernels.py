"""Kernels of functions that did not change are found by content: the same text comes out, whatever was kept before."""
from __future__ import annotations

import importlib.util
import itertools
import re
import sys
import traceback
from dataclasses import replace

import numpy as np
import pytest
from programs import CASES
from staging import stage

import s2s
from s2s.codegen import emit
from s2s.codegen.emit import prepared
from s2s.codegen.lowering.kept import Content, NotDescribed
from s2s.transforms.ir.program import Block, Equation, Function, callees
from s2s.types import Literal

HELPERS = """
import numpy as np

def smoothed(u, c):
    out = u.copy()
    for k in range(1, u.shape[0] - 1):
        out[k] = u[k] + c * (u[k - 1] - 2.0 * u[k] + u[k + 1])
    return out

def damped(u, c):
    if c > 5.0:
        raise ValueError(f"too large: {c}")
    return np.tanh(RATE * u) * c

def twice(u, c):
    return smoothed(smoothed(u, c), 0.5 * c)

def loss(u, c):
    v = twice(u, c)
    return np.sum(damped(v, c) ** 2) + np.sum(smoothed(v, c))
"""
_numbers = itertools.count()


@pytest.fixture(autouse=True)
def unchecked(monkeypatch, tmp_path):
    """As users run it: kernels are not kept where each step is checked. Python knows a file's bytecode by its size and whole second: an edit within one would run the old code."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setenv("S2S_CHECK", "0")
    monkeypatch.setenv("S2S_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def lowered(monkeypatch):
    """The names of the kernels that were lowered, not found."""
    found: list[str] = []
    lower = emit.lowered
    monkeypatch.setattr(emit, "lowered", lambda function, name, *rest: found.append(name) or lower(function, name, *rest))
    return found


def module(tmp_path, text):
    """The text as a module, always under one file name, as an edited file is."""
    path = tmp_path / "user_helpers.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(f"user_helpers_{next(_numbers)}", path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    importlib.import_module("linecache").checkcache()
    return made


def emitted(tmp_path, monkeypatch, text, transform=s2s.grad, x=1.0, cache="cache"):
    monkeypatch.setenv("S2S_CACHE_DIR", str(tmp_path / cache))
    return transform(module(tmp_path, text).loss).source(np.linspace(0.1, 1.0, 7) * x, 0.25)


RATED = HELPERS.replace("RATE", "0.5")
EDITS = {
    "a constant": RATED.replace("0.5 * u", "0.75 * u"),
    "lines above": RATED.replace("import numpy as np", "import numpy as np\n\n# moved\n"),
    "a comment inside": RATED.replace("    out = u.copy()", "    # a field\n    out = u.copy()"),
    "another order": RATED.replace("u[k] + c * (", "(c * 1.0) * ("),
    "a name": RATED.replace("out", "new"),
    "an operation": RATED.replace("np.tanh", "np.sinh"),
    "a message": RATED.replace("too large", "too big"),
    "an exception of more": RATED.replace('f"too large: {c}"', '"too large", c'),
    "a caller": RATED.replace("0.5 * c)", "0.25 * c)"),
    "an argument's type": RATED.replace("twice(u, c)\n    return np.sum", "twice(u.astype(np.float32), c)\n    return np.sum"),
}


@pytest.mark.parametrize("transform", [s2s.jit, s2s.grad], ids=["jit", "grad"])
def test_the_same_text_after_each_edit(tmp_path, monkeypatch, transform):
    """Whatever was emitted before, the text is the one that an empty cache gives."""
    for number, text in enumerate((RATED, *EDITS.values(), RATED)):
        assert emitted(tmp_path, monkeypatch, text, transform) == emitted(tmp_path, monkeypatch, text, transform, cache=f"empty{number}")


ALIKE = """
import numpy as np

def scaled(u, c):
    v = np.tanh(u * c) + np.sin(u)
    return v / (1.0 + np.sum(v * v))

def outer(u, c):
    v = scaled(np.full(4, c) + np.arange(4.0), c)
    w = np.cos(u) + v[0]
    return np.sum(v * v) * np.sum(w * w * np.exp(u))

def loss(u, c):
    return np.sum(scaled(np.arange(3.0) + c, c)) * outer(u, c)
"""


def test_one_text_for_arrays_of_several_sizes(tmp_path, monkeypatch):
    """Two functions that are one kernel; once they are not, a caller that is kept calls its own."""
    def transform(function):
        return s2s.jit(function, target="numpy")

    halves = ALIKE.replace("scaled(np.arange(3.0) + c, c)", "scaled((np.arange(3.0) + c).astype(np.float32), np.float32(c))")
    for number, text in enumerate((ALIKE, halves, ALIKE)):
        found = emitted(tmp_path, monkeypatch, text, transform)
        assert found.count("def _scaled") == (2 if text is halves else 1)
        assert found == emitted(tmp_path, monkeypatch, text, transform, cache=f"empty{number}")


def test_what_is_lowered_again(tmp_path, monkeypatch, lowered):
    emitted(tmp_path, monkeypatch, RATED)
    first = set(lowered)
    assert {"_smoothed_fwd", "_smoothed_bwd"} & first
    for edit, again in (("lines above", set()), ("a constant", {each for each in first if "damped" in each})):
        lowered.clear()
        emitted(tmp_path, monkeypatch, EDITS[edit])
        assert set(lowered) - {"_loss_grad"} == again


def test_where_an_error_comes_from(tmp_path, monkeypatch):
    """A function that was moved raises at the line where it is now."""
    emitted(tmp_path, monkeypatch, RATED, s2s.jit)
    moved = module(tmp_path, EDITS["lines above"])
    line = 1 + EDITS["lines above"].splitlines().index('        raise ValueError(f"too large: {c}")')
    for target in ("cpu", "numpy"):
        with pytest.raises(ValueError, match="too large") as caught:
            s2s.jit(moved.loss, target=target)(np.linspace(0.1, 1.0, 7), 6.0)
        assert traceback.extract_tb(caught.value.__traceback__)[-1].lineno == line


def test_a_damaged_kernel_is_made_again(tmp_path, monkeypatch, lowered):
    emitted(tmp_path, monkeypatch, RATED)
    for path in (tmp_path / "cache" / "lowered").iterdir():
        path.write_bytes(path.read_bytes()[:-3])
    lowered.clear()
    assert emitted(tmp_path, monkeypatch, EDITS["lines above"]) == emitted(tmp_path, monkeypatch, EDITS["lines above"], cache="empty")
    assert "_smoothed_fwd" in lowered


def test_what_has_no_lasting_content(tmp_path, monkeypatch, lowered):
    """Classes of the user's, and examples of a batch, of which other kernels are told."""
    own = RATED.replace("import numpy as np", "import numpy as np\nclass TooLarge(ValueError): pass").replace("raise ValueError", "raise TooLarge")
    for text, transform in ((own, s2s.grad), (RATED, lambda f: s2s.vmap(f, in_axes=(None, 0)))):
        for _ in range(2):
            lowered.clear()
            made = transform(module(tmp_path, text).loss)
            made.source(np.linspace(0.1, 1.0, 7), np.array([0.25, 0.5]) if transform is not s2s.grad else 0.25)
            assert any("damped" in name for name in lowered)


def test_an_entry_of_no_lasting_content(tmp_path, monkeypatch, lowered):
    """It is lowered each time anyway; what it calls is found."""
    text = RATED.replace("import numpy as np", "import numpy as np\nclass TooLarge(ValueError): pass")
    text = text.replace("    v = twice(u, c)\n", "    if c > 9.0:\n        raise TooLarge('c')\n    v = twice(u, c)\n")
    emitted(tmp_path, monkeypatch, text)
    lowered.clear()
    again = text.replace("c > 9.0", "c > 8.0")
    found = emitted(tmp_path, monkeypatch, again)
    assert set(lowered) == {"_loss_grad"}
    found, made = (re.sub(r"user_helpers_\d+", "", each) for each in (found, emitted(tmp_path, monkeypatch, again, cache="empty")))
    assert found == made


def content(function):
    return tuple(Content(function, emit._ROWS).words)


def changed(node: Equation):
    """The equation with each of its parts changed."""
    yield replace(node, where=replace(node.where, column=node.where.column + 1))
    yield replace(node, where=replace(node.where, line=node.where.line + 1))
    if len(node.ins) == 2 and node.ins[0] is not node.ins[1]:
        yield replace(node, ins=node.ins[::-1])
    for number, atom in enumerate(node.ins):
        if isinstance(atom, Literal) and isinstance(atom.value, float):
            for value in (-atom.value - 1.0, 2.0 * atom.value + 3.0):
                yield replace(node, ins=(*node.ins[:number], Literal(value, atom.type), *node.ins[number + 1 :]))
            yield replace(node, ins=(*node.ins[:number], Literal(atom.value, replace(atom.type, weak=not atom.type.weak)), *node.ins[number + 1 :]))
    for name, value in node.params.items():
        if isinstance(value, int):
            yield replace(node, params={**node.params, name: value + 1})
        if isinstance(value, tuple):
            yield replace(node, params={**node.params, name: (*value, 0)})


def test_content_tells_functions_apart():
    """Each part of an equation is part of the content, and different programs have different ones."""
    seen: dict[tuple[str, ...], str] = {}
    for case in CASES[::15]:
        program = prepared(stage(case.fun, case.make(np.random.default_rng(0)), case.static).function, "cpu")
        for function in callees(program):
            check(function, seen)
    assert len(seen) > 10


def check(function: Function, seen: dict[tuple[str, ...], str]) -> None:
    try:
        words = content(function)
    except NotDescribed:
        return
    for position, node in enumerate(function.body.nodes):
        if isinstance(node, Equation):
            for other in changed(node):
                nodes = (*function.body.nodes[:position], other, *function.body.nodes[position + 1 :])
                assert content(replace(function, body=Block(nodes, function.body.results))) != words
    text = str(function)
    assert seen.setdefault(words, text) == text
