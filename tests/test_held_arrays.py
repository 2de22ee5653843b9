"""Arrays that a list of run-time length holds, and that are stored into later: Python's list, its copies and its items see the store.

A program is put together of how the list is made, what is taken of it, and the store; each is right, or refused.
"""
import importlib.util
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fuzz.object_check import differs

import s2s
from s2s.errors import UnsupportedError

MADE = {
    "appended": "held = []\nfor k in range(n):\n    held.append(x)",
    "appended, with others": "held = []\nfor k in range(n):\n    held.append(x if k == 0 else x * k)",
    "a comprehension": "held = [x for k in range(n)]",
    "a comprehension with a condition": "held = [x for k in range(n) if x[k] > -9]",
    "a generator": "def each():\n    for k in range(n):\n        yield x\nheld = list(each())",
    "a map": "held = list(map(lambda k: x, range(n)))",
    "a filter": "held = list(filter(lambda v: v[0] < 99 * n, [x, x * 2]))",
    "known items at first": "held = [x, x * 2]\nif n > 2:\n    held.append(x * 3)",
    "on either path": "if n > 2:\n    held = [x, x * 2, x]\nelse:\n    held = [x]",
    "parts": "held = [x[1:] for k in range(n)]",
    "what may be another": "u = x if n > 2 else x * 2\nheld = [u for k in range(n)]",
    "an exchange": "u, v = x, x * 2\nif n > 2:\n    u, v = v, u\nheld = [u for k in range(n)]",
    "exchanges in a loop": "u, v = x, x * 2\nfor k in range(n):\n    u, v = v, u\nheld = [u for k in range(n)]",
    "of a helper": "held = repeated(x, n)",
    "of an object": "box = Box()\nfor k in range(n):\n    box.put(x)\nheld = box.items",
    "stored": "held = [x * k for k in range(n)]\nheld[0] = x",
    "extended": "held = [x * k for k in range(n)]\nheld.extend([x, x])",
    "joined": "held = [x * 5] + [x for k in range(n)]",
    "in front": "held = [x * k for k in range(n)]\nheld.insert(0, x)",
}
"""How a list of arrays is made."""

WRAPPED = {
    "itself": ("{}", "{}"),
    "tuples": ("(v, k)", "{}[0]"),
    "dicts": ("{{'of': v, 'at': k}}", "{}['of']"),
    "objects": ("Pair(v, k)", "{}.of"),
    "tuples in tuples": ("(k, (v, v))", "{}[1][1]"),
}
"""What the items of another list are that holds them, and how the array is got out of such an item."""

TAKEN = {
    "the list": ("found = held", "found[0]"),
    "a slice": ("found = held[:n]", "found[0]"),
    "a slice with a step": ("found = held[::-1]", "found[-1]"),
    "a copy": ("found = held.copy()", "found[0]"),
    "list()": ("found = list(held)", "found[0]"),
    "a comprehension": ("found = [v for v in held]", "found[0]"),
    "reversed": ("found = list(reversed(held))", "found[-1]"),
    "an item": ("found = held[0]", "found"),
    "the last item": ("found = held.pop()", "found"),
    "the loop's item": ("for found in held:\n    pass", "found"),
    "the item where a loop ends": ("for found in held:\n    if n < 9:\n        break", "found"),
    "an item that may be None": ("found = None\nif n > 1:\n    found = held[0]", "(x if found is None else found)"),
    "a function": ("found = lambda: held[0]", "found()"),
    "an iterator": ("found = iter(held)", "next(found)"),
    "enumerate": ("found = enumerate(held)", "next(found)[1]"),
    "a zip": ("found = zip(held, held)", "next(found)[0]"),
    "in a dict": ("found = {'at': held}", "found['at'][0]"),
    "in an object": ("found = Pair(held, 1)", "found.of[0]"),
    "in another list": ("found = []\nfor k in range(n):\n    found.append(held[0])", "found[-1]"),
}
"""What is taken of it, and how the array is got out of that."""

STORES = ("x[0] = 9.0", "x *= 3.0", "x[:] = x[::-1].copy()", "np.copyto(x, -x)", "for k in range(n):\n    x[k] += 1.0")

PARTS = 4
"""In so many parts the programs are read: 19 things are taken, so each part has each of them."""

HEAD = """import numpy as np
from dataclasses import dataclass


@dataclass
class Pair:
    of: np.ndarray
    at: int


class Box:
    def __init__(self):
        self.items = []

    def put(self, item):
        self.items.append(item)


def repeated(array, n):
    found = []
    for k in range(n):
        found.append(array)
    return found


"""


def program(name: str, made: str, wrapped: str, taken: str, store: str, *, before: bool) -> str:
    """The text of one; `before`: the store comes first, and nothing sees it later."""
    wrap, unwrap = WRAPPED[wrapped]
    take, get = TAKEN[taken]
    lines = MADE[made].split("\n")
    if wrapped != "itself":
        lines.append(f"held = [{wrap.format()} for k, v in enumerate(held)]")
    lines = [*store.split("\n"), *lines, *take.split("\n")] if before else [*lines, *take.split("\n"), *store.split("\n")]
    lines.append(f"return {unwrap.format(get)}.copy(), x")
    return f"def {name}(x, n):\n" + "".join(f"    {line}\n" for line in lines) + "\n\n"


def outcome(fun: Any, read: Any, n: int) -> str:
    """'right', 'refused', or 'wrong'."""
    ours, theirs = np.array([1.0, 2.0, 4.0]), np.array([1.0, 2.0, 4.0])
    wanted = fun(theirs, n)
    try:
        found = read(ours, n)
    except UnsupportedError:
        return "refused"
    return "wrong" if differs(found, wanted, "result") or differs(ours, theirs, "argument") else "right"


def outcomes(path: Path, texts: dict[str, str]) -> dict[str, set[str]]:
    path.write_text(HEAD + "".join(texts.values()), "utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    programs = {name: getattr(module, name) for name in texts}
    compiled = {name: s2s.jit(fun, target="numpy") for name, fun in programs.items()}
    return {name: {outcome(fun, compiled[name], n) for n in (2, 3)} for name, fun in programs.items()}


@pytest.mark.parametrize(("wrapped", "part"), [pytest.param(wrapped, part, marks=[] if part == number % PARTS else [pytest.mark.slow]) for number, wrapped in enumerate(WRAPPED) for part in range(PARTS)])
def test_no_store_goes_astray(wrapped: str, part: int, tmp_path: Path) -> None:
    """Each way to make a list with each thing that is taken of it; a part of them in every run, the others in turn."""
    texts = {}
    stores = itertools.cycle(STORES)
    for number, (made, taken) in enumerate(itertools.product(MADE, TAKEN)):
        store = next(stores)
        if number % PARTS == part:
            texts[f"later_{number}"] = program(f"later_{number}", made, wrapped, taken, store, before=False)
    found = outcomes(tmp_path / f"held_{wrapped.replace(' ', '_')}.py", texts)
    wrong = [texts[name] for name, each in found.items() if "wrong" in each]
    assert not wrong, "\n".join(wrong)


def test_what_nobody_sees_is_not_refused(tmp_path: Path) -> None:
    """A store before the list is made changes nothing that it holds: most of these are read."""
    texts = {}
    for number, (made, taken) in enumerate(itertools.product(MADE, TAKEN)):
        if number % 3 == 0:
            texts[f"sooner_{number}"] = program(f"sooner_{number}", made, "itself", taken, STORES[number % len(STORES)], before=True)
    found = outcomes(tmp_path / "held_sooner.py", texts)
    wrong = [texts[name] for name, each in found.items() if "wrong" in each]
    assert not wrong, "\n".join(wrong)
    refused = [texts[name] for name, each in found.items() if "refused" in each]
    assert len(refused) < len(texts) / 4, "\n".join(refused)
