"""Helpers that did not change are not read again; what comes of them is what reading them gives, in the same words and at the same places."""
from __future__ import annotations

import traceback

import numpy as np
import pytest
from fuzz.grammar import Program, Seeded
from fuzz.loops import LoopProgram
from fuzz.points import kind_of, points_for
from fuzz.storage import StorageProgram
from test_kept_kernels import EDITS, RATED, emitted, module, unchecked  # noqa: F401 (the fixture: as users run it)

import s2s
from s2s.calls.building import stage_call
from s2s.codegen import emit
from s2s.codegen.lowering.kept import Content
from s2s.keeping import NotDescribed, keeping
from s2s.transforms.ir.program import callees
from s2s.transforms.read.calls import functions


@pytest.fixture
def read(monkeypatch):
    """The names of the helpers that were read, not found."""
    found: list[str] = []
    way = functions._read_helper
    monkeypatch.setattr(functions, "_read_helper", lambda reader, function, *rest: found.append(function.__name__) or way(reader, function, *rest))
    return found


def test_what_is_read_again(tmp_path, monkeypatch, read):
    """What calls another helper is read each time; of the others those that are not what they were."""
    emitted(tmp_path, monkeypatch, RATED)
    assert set(read) == {"smoothed", "damped", "twice"}
    for edit, again in (("lines above", set()), ("a constant", {"damped"}), ("a comment inside", {"smoothed"}), ("an argument's type", {"smoothed", "damped"})):
        read.clear()
        emitted(tmp_path, monkeypatch, EDITS[edit])
        assert set(read) == {"twice", *again}
        read.clear()
        emitted(tmp_path, monkeypatch, EDITS[edit].replace("import numpy as np", "import numpy as np\n\nOTHER = 1"), s2s.jit)
        assert set(read) == {"twice"}


OUTSIDE = """
from math import tanh

import numpy as np

TIMES = 2
TITLE = "sums"

def repeated(u):
    total = 0.0
    for _ in range(TIMES):
        total += tanh(np.sum(u)) + len(TITLE)
    return total

def loss(u):
    return repeated(u) * np.sum(u)
"""


def value(made, x):
    return s2s.jit(made.loss, target="numpy")(x)


def test_what_stands_outside(tmp_path, read):
    """Known numbers and texts are part of it, and looked at again in each call."""
    x = np.linspace(0.1, 0.3, 3)
    for _ in range(2):
        made = module(tmp_path, OUTSIDE)
        for times, title, again in ((2, "sums", False), (3, "sums", True), (3, "texts", True), (2, "sums", False)):
            made.TIMES, made.TITLE = times, title
            np.testing.assert_allclose(value(made, x), made.loss(x))
            assert again or not read or _ == 0
            read.clear()
    for old, new in (("from math import tanh", "from numpy import tanh"), ("from math import tanh", "from math import sin as tanh"), ("TIMES = 2", "TIMES = True"), ('"sums"', '"ab"')):
        made = module(tmp_path, OUTSIDE.replace(old, new))
        np.testing.assert_allclose(value(made, x), made.loss(x))
        assert read == ["repeated"]
        read.clear()


def test_floats_outside(tmp_path, read):
    """They are read in each call: what they are is no part of it, that they are floats is."""
    text = "import numpy as np\n\nRATE, OTHER = 0.5, 2.0\n\ndef helper(u):\n    return np.tanh(RATE * u) / OTHER + RATE\n\ndef loss(u):\n    return np.sum(helper(u) * OTHER)\n"
    x = np.linspace(0.1, 0.3, 3)
    for number, given in enumerate(("0.5, 2.0", "0.75, 3.0", "0.5, 4.0")):
        made = module(tmp_path, text.replace("0.5, 2.0", given) + "\n" * number)
        for transform, wanted in ((s2s.jit, lambda: made.loss(x)), (s2s.grad, lambda: made.RATE * (1.0 - np.tanh(made.RATE * x) ** 2))):
            call = transform(made.loss, target="numpy") if transform is s2s.jit else s2s.jit(transform(made.loss), target="numpy")
            for factor in (1.0, 2.0):
                made.RATE *= factor
                np.testing.assert_allclose(call(x), wanted())
    assert read == ["helper"]
    made = module(tmp_path, text.replace("0.5, 2.0", "0.5, 2"))
    np.testing.assert_allclose(value(made, x), made.loss(x))
    assert read == ["helper", "helper"]


NOT_KEPT = {
    "an array that is read in each call": ("u + RATE", "RATE = np.array([0.5])\n"),
    "a function of the user's": ("own(u)", "def own(u):\n    return np.cos(u)\n"),
    "a module of the user's": ("other.cos(u)", "class other:\n    cos = np.sin\n"),
    "another name for what NumPy has": ("cos(u)", "cos = lambda u: np.sin(u)\n"),
    "a set, whose order is the process's": ("u + sum({1, 2})", ""),
}


@pytest.mark.parametrize("what", NOT_KEPT)
def test_what_is_not_kept(tmp_path, read, what):
    """Any doubt is a miss."""
    expression, above = NOT_KEPT[what]
    text = f"import numpy as np\n{above}\ndef helper(u):\n    return {expression}\n\ndef loss(u):\n    return np.sum(helper(u))\n"
    x = np.linspace(0.1, 0.3, 3)
    for number in range(2):
        read.clear()
        made = module(tmp_path, text + "\n" * number)
        np.testing.assert_allclose(value(made, x), made.loss(x))
        assert "helper" in read


def test_a_registered_function(tmp_path, read):
    """What s2s is told of a library's function may come between."""
    text = "import numpy as np\n\ndef helper(u):\n    return np.cos(u)\n\ndef loss(u):\n    return np.sum(helper(u))\n"
    x = np.linspace(0.1, 0.3, 3)
    for number in range(2):
        np.testing.assert_allclose(value(module(tmp_path, text + "\n" * number), x), np.sum(np.cos(x)))
    assert read == ["helper"]
    made = module(tmp_path, text + "\n\n")
    call = s2s.jit(made.loss, target="numpy")
    np.testing.assert_allclose(call(x), np.sum(np.cos(x)))
    try:
        s2s.register(np.cos, like=lambda u: u * 2.0)
        np.testing.assert_allclose(call(x), np.sum(2.0 * x))
    finally:
        s2s.registry.REGISTERED.clear()


def test_another_function_under_a_librarys_name(tmp_path, monkeypatch, read):
    """As a test puts one there: what was read with NumPy's own is not taken for it."""
    text = "import numpy as np\n\ndef helper(u):\n    return np.cos(u)\n\ndef loss(u):\n    return np.sum(helper(u))\n"
    x = np.linspace(0.1, 0.3, 3)
    np.testing.assert_allclose(value(module(tmp_path, text), x), np.sum(np.cos(x)))
    monkeypatch.setattr(np, "cos", np.sin)
    np.testing.assert_allclose(value(module(tmp_path, text + "\n"), x), np.sum(np.sin(x)))
    assert read == ["helper", "helper"]


def test_where_a_found_helper_raises(tmp_path):
    """At the line where it is now, in the user's words."""
    text = "import numpy as np\n\ndef helper(u, k):\n    return u[k] * 2.0\n\ndef loss(u, k):\n    return helper(u, k)\n"
    x = np.ones(3)
    for lines in range(3):
        made = module(tmp_path, "\n" * lines + text)
        with pytest.raises(IndexError) as caught:
            s2s.jit(made.loss, target="numpy")(x, 5)
        assert traceback.extract_tb(caught.value.__traceback__)[-1].lineno == 4 + lines


class Memory:
    """A store; `hits`: how often something was found."""

    def __init__(self):
        self.stamp, self.kept, self.hits = "", {}, 0

    def get(self, key):
        self.hits += key in self.kept
        return self.kept.get(key)

    def put(self, key, content):
        self.kept[key] = content


def staged(tmp_path, text, args, store):
    """What is lowered of a program: by content, and what must stay true of the outside."""
    call = s2s.jit(module(tmp_path, text).loss)

    def content(shape):
        with keeping(store):
            found = stage_call(call, shape)
        return list(map(told, callees(found.function))), [number for _, number in found.mutated], [(str(guard.access), type(guard.value)) for guard in found.guards]

    try:
        return call._for_call(args, {}, content)
    except (s2s.S2SError, ValueError, ArithmeticError, LookupError, TypeError) as error:
        return str(error)


def told(function):
    try:
        return tuple(Content(function, emit._ROWS).words)
    except NotDescribed:
        return str(function)


def test_drawn_programs(tmp_path):
    """A program with helpers that were found is the one in which all were read, with its places, types and guards."""
    hits = 0
    for seed in (4, 5, 6):
        kind = (Program, lambda *given: LoopProgram(*given, "real"), StorageProgram)[seed % 3]
        text = kind(Seeded(seed), 4).text()
        made = module(tmp_path, text)
        args, store = points_for(kind_of(made), seed, 1)[0], Memory()
        first = staged(tmp_path, text, args, store)
        assert staged(tmp_path, text, args, Memory()) == first
        moved = "# moved\n" + text
        assert staged(tmp_path, moved, args, store) == staged(tmp_path, moved, args, Memory())
        hits += store.hits
    assert hits > 2
