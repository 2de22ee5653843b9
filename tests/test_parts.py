"""Functions of a kernel that are machine code of their own: found again by what they are, wherever they stand."""
from __future__ import annotations

import os
import textwrap
import traceback

import numpy as np
import pytest
from test_native import HEAD, same, taken  # noqa: F401 (a fixture)

from s2s.codegen.modules import cache, kernel_cache
from s2s.codegen.modules.compile import _LOADED, load_text
from s2s.codegen.native import linking, parts, version, writing

SMOOTHED = """
def smoothed(x, y):
    n = x.shape[0]
    for i in range(1, n - 1):
        y[i] = 0.5 * (x[i - 1] + x[i + 1])
    if n > 6:
        raise IndexError('{} of {}', n, 6)
    if n == 6:
        raise ValueError('six')
"""
SUMMED = """
def summed(x, c):
    total = 0.0
    for i in range(x.shape[0]):
        total += weighted(x[i], c)
    return total
"""
WEIGHTED = """
def weighted(x, c):
    return FACTOR * x + exp(c)
"""
ENTRY = """
def entry(x, y, c):
    smoothed(x, y)
    return summed(y, c) + 1.0
"""


@pytest.fixture(autouse=True)
def everything_apart(monkeypatch, tmp_path):
    monkeypatch.setattr(parts, "WHOLE", 0)
    monkeypatch.setattr(parts, "ONCE", 0)
    monkeypatch.setenv("S2S_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def made(monkeypatch):
    """The names of the parts that were made, not found."""
    found: list[str] = []
    make = writing._Writing._made
    monkeypatch.setattr(writing._Writing, "_made", lambda self, part: found.append(part.root.source.tree.name) or make(self, part))
    return found


def loaded(*functions, factor=2.0, before=0):
    _LOADED.clear()
    text = HEAD + f"FACTOR = {factor}\n" + "\n# a line\n" * before
    text += "".join(f'\n@njit(cache=True, error_model="numpy")\n{textwrap.dedent(each).strip()}\n' for each in functions)
    return load_text(cache.store_module("module", text), text, {})


def arguments(n=5):
    return np.linspace(0.0, 1.0, n), np.zeros(n), 0.25


ALL = (WEIGHTED, SUMMED, SMOOTHED, ENTRY)


def test_only_what_changed_is_made_again(made, taken):  # noqa: F811
    same(loaded(*ALL).entry, *arguments())
    assert sorted(made) == ["entry", "smoothed", "summed"]  # `weighted` has no loop: it is written into `summed`
    for functions, options, changed in (
        (ALL, {"before": 3}, []),
        ((WEIGHTED, SUMMED, SMOOTHED.replace("0.5 *", "0.25 *"), ENTRY), {}, ["smoothed"]),
        ((WEIGHTED.replace("exp(c)", "sqrt(c)"), SUMMED, SMOOTHED, ENTRY), {"before": 1}, ["summed"]),
        ((WEIGHTED, SUMMED, SMOOTHED, ENTRY.replace("1.0", "2.0")), {}, ["entry"]),
        (ALL, {"factor": 3.0}, ["summed"]),
        ((WEIGHTED, SUMMED.replace("return total", "return x.shape[0]"), SMOOTHED, ENTRY), {}, ["entry", "summed"]),  # another type of result
    ):
        made.clear()
        same(loaded(*functions, **options).entry, *arguments())
        assert sorted(made) == changed
    assert not taken.by_numba


def test_other_types_are_other_parts(made):
    module = loaded(*ALL)
    same(module.entry, *arguments())
    made.clear()
    x, y, c = arguments()
    same(module.entry, x.astype(np.float32), y, c)
    assert sorted(made) == ["entry", "smoothed"]


def raised(module, n):
    with pytest.raises((IndexError, ValueError)) as caught:
        module.entry(*arguments(n))
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    return caught.value, last


def test_exceptions_tell_the_lines_of_their_own_module(made):
    modules = [loaded(*ALL, before=before) for before in (0, 4)]
    for module in modules:
        module.entry(*arguments())
    assert len(made) == 3
    for module in (*modules, *modules):
        for n, kind, args in ((6, ValueError, ("six",)), (7, IndexError, ("{} of {}", 7, 6))):
            error, last = raised(module, n)
            assert type(error) is kind
            assert error.args == args
            assert (last.filename, last.name) == (module.__file__, "smoothed")
            assert last.line.startswith(f"raise {kind.__name__}")


def test_a_kernel_from_the_disk_has_its_parts_with_it(made, taken):  # noqa: F811
    same(loaded(*ALL).entry, *arguments())
    for each in (cache.directory() / "parts").iterdir():
        each.unlink()
    made.clear()
    module = loaded(*ALL)
    assert not module.entry.overloads
    same(module.entry, *arguments())
    assert not made
    assert taken.natively.count("entry") == 1
    assert raised(module, 7)[1].line.startswith("raise IndexError")


@pytest.mark.parametrize("damage", [lambda content: b"", lambda content: content[:-1], lambda content: content[:50] + b"x" + content[51:]])
def test_a_part_that_is_not_wholly_there_is_made_again(made, damage):
    loaded(*ALL).entry(*arguments())
    for each in (cache.directory() / "parts").iterdir():
        each.write_bytes(damage(each.read_bytes()))
    made.clear()
    same(loaded(*ALL, before=1).entry, *arguments())
    assert sorted(made) == ["entry", "smoothed", "summed"]


def test_another_code_generator_finds_nothing_of_an_earlier_one(made, monkeypatch):
    module = loaded(*ALL)
    module.entry(*arguments())
    made.clear()
    own = version._own()
    monkeypatch.setattr(version, "_own", lambda: own + "changed")
    module = loaded(*ALL)
    same(module.entry, *arguments())
    assert len(made) == 3
    assert len(list((cache.directory() / "__pycache__").glob("*.entry.*.nbc"))) == 2


def test_kernels_know_the_code_generator(monkeypatch):
    """Each file of it counts."""
    before = version.generator()
    version._own.cache_clear()
    read = version.Path.read_bytes
    monkeypatch.setattr(version.Path, "read_bytes", lambda path: b"another" if path.name == "lowering.py" else read(path))
    try:
        assert version.generator() != before
    finally:
        version._own.cache_clear()
    assert kernel_cache.generator is version.generator


def test_what_has_no_lasting_description_is_compiled_in_one_piece(made, taken):  # noqa: F811
    module = loaded(WEIGHTED.replace("exp(c)", "other(c)"), SUMMED, SMOOTHED, ENTRY)
    from numba import njit

    module.other = njit(lambda c: c + 1.0)
    same(module.entry, *arguments())
    assert not made
    assert taken.natively.count("entry") == 1


def test_a_kernel_that_numba_calls_is_in_one_piece(made):
    """Numba would link it with its caller, and a later process would not find the parts."""
    called = 'def outer(x, y, c):\n    names = ("a", "b")\n    return entry(x, y, c) + len(names)\n'
    same(loaded(*ALL, called).outer, *arguments())
    assert not made


def test_small_kernels_are_in_one_piece(made, monkeypatch):
    monkeypatch.setattr(parts, "WHOLE", 3200)
    same(loaded(*ALL).entry, *arguments())
    assert not made


def test_functions_called_in_loops_are_written_into_their_callers(made):
    same(loaded(WEIGHTED, SUMMED.replace("+= weighted(x[i], c)", "+= more(x, c)"), SUMMED.replace("summed", "more"), SMOOTHED, ENTRY).entry, *arguments())
    assert sorted(made) == ["entry", "smoothed", "summed"]


def test_names_of_parts_are_replaced_in_their_bytes():
    code = linking.Code(b"\0" + linking.NO_MODULE.encode() + b".f\0" + linking.NO_MODULE.encode() + b".g\0", linking.Leaves("f"))
    name = linking.module_name("a", "b")
    assert len(name) == len(linking.NO_MODULE)
    assert code.named(name) == f"\0{name}.f\0{name}.g\0".encode()


def test_parts_that_nobody_asks_for_go_when_there_are_too_many(made, taken, monkeypatch):  # noqa: F811
    same(loaded(*ALL).entry, *arguments())
    folder = cache.directory() / "parts"
    long_ago = {each: number for number, each in enumerate(sorted(folder.iterdir()), 1)}
    for each, when in long_ago.items():
        os.utime(each, (when, when))
    monkeypatch.setattr(linking, "LIMIT", 2)
    monkeypatch.setattr(linking, "_TRIMMED", set())
    made.clear()
    same(loaded(*ALL, before=1).entry, *arguments())  # nothing is written: all are found, and noted as used
    assert not made
    assert all(each.stat().st_mtime > 1000 for each in long_ago)
    same(loaded(WEIGHTED, SUMMED, SMOOTHED.replace("0.5 *", "0.25 *"), ENTRY).entry, *arguments())
    assert set(made) > {"smoothed"}  # what had not been asked for by then was gone


def test_what_was_used_longest_ago_goes_first(tmp_path):
    for number in range(8):
        file = tmp_path / f"{number}.part"
        file.write_bytes(bytes(10))
        os.utime(file, (number, number))
    cache.trim(tmp_path, 80)
    assert len(list(tmp_path.iterdir())) == 8
    cache.used(tmp_path / "0.part")
    cache.trim(tmp_path, 70)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["0.part", "6.part", "7.part"]
    cache.trim(tmp_path / "none", 0)
    cache.used(tmp_path / "none")
