"""Errors at run time: NumPy's type and words, and a traceback that ends at the user's line."""
from __future__ import annotations

import itertools
import linecache
import os
import subprocess
import sys
import traceback
import types
from pathlib import Path

import numpy as np
import pytest

import s2s

RNG = np.random.default_rng(5)


def pick(x, i):
    return x[i] * 2.0  # line: pick


def walks(x, i):
    s = 0.0
    for k in range(3):
        s += pick(x, i + k)
    return s


def late(x, i):
    a = x[i]  # line: late
    b = x[0] + 1.0
    return a * b


def refuses(x, i):
    s = np.sum(x)
    if i > 3:
        raise ValueError("too {much}")  # line: refuses
    return s * i


def asserts(x, i):
    assert i < 4, "no"  # line: asserts
    return np.sum(x) * i


def differ(x, i):
    y = x[:i]
    return np.sum(
        y + np.ones(3)  # line: differ
    )


def largest(x, i):
    m = np.max(x[i:])  # line: largest
    return m * x[0]


def stores(x, i):
    y = np.zeros(4)
    y[0] = 1.0
    y[i] = x[0]  # line: stores
    return np.sum(y * y)


def multiplies(x, i):
    y = np.outer(x, x) @ np.outer(x, x)
    return np.sum(y[i] * x)  # line: multiplies


def row(
    x, i
):
    y = x[0] * 2.0
    return np.reshape(x, (2, 2))[i], y  # line: row


def row_on_a_path(x, i):
    rows = x[None]
    if i > 2:
        picked = rows[i]  # line: row_on_a_path
    else:
        picked = rows[0]
    return picked


def first_of(rows, i):
    return rows[i]  # line: first_of


def row_of_a_helper(x, i):
    return first_of(x[:, None], i)


CASES = [(row, "row", 2), (row_on_a_path, "row_on_a_path", 3), (row_of_a_helper, "first_of", 4), (walks, "pick", 2), (late, "late", 4), (late, "late", -7), (refuses, "refuses", 4), (asserts, "asserts", 5), (differ, "differ", 2),
         (largest, "largest", 4), (multiplies, "multiplies", 4), (stores, "stores", 4)]  # fmt: skip

GIVE_BACK = (row, row_on_a_path, row_of_a_helper)
"""Functions whose results are views, which the public function makes."""


def line_of(mark: str) -> int:
    """The line of this file that is marked."""
    return next(number for number, line in enumerate(Path(__file__).read_text().split("\n"), 1) if line.endswith(f"# line: {mark}"))


def error_of(call):
    with pytest.raises(Exception) as caught:  # noqa: PT011
        call()
    return caught.value


def transforms(function, target):
    jitted = s2s.jit(function, target=target)
    yield jitted
    if function in GIVE_BACK:
        return
    yield s2s.grad(jitted)
    yield lambda x, i: s2s.jvp(jitted, (x, i), (np.ones(4), np.zeros((), [("float0", "V")])))
    yield lambda x, i: s2s.vjp(jitted, x, i)[1](1.0)


@pytest.mark.parametrize(("function", "mark", "i"), CASES)
@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_the_traceback_ends_at_the_users_line(function, mark, i, target) -> None:
    wanted = error_of(lambda: function(np.ones(4), i))
    for transformed in itertools.islice(transforms(function, target), 4 if target == "numpy" else 2):
        for _ in range(2):  # the general way in, and the quick one
            found = error_of(lambda transformed=transformed: transformed(np.ones(4), i))
            assert type(found) is type(wanted)
            assert str(found) == str(wanted).split("\n")[0] or mark == "differ"  # pytest adds lines to assertions
            last = traceback.extract_tb(found.__traceback__)[-1]
            assert (last.filename, last.lineno, last.line) == (__file__, line_of(mark), linecache.getline(__file__, line_of(mark)).strip())
            assert last.name == (mark if mark in ("pick", "first_of") else function.__name__)
            assert last.colno > 0 and "^" in "".join(traceback.format_tb(found.__traceback__)[-1:])


def test_a_second_process_knows_the_line_too(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text("import numpy as np\n\n\ndef f(x, i):\n    a = x[i]\n    return a * np.sum(x)\n")
    script = "import sys, numpy as np, user, s2s\ntry:\n    s2s.grad(s2s.jit(user.f, target='numpy'))(np.ones(3), 3)\nexcept IndexError as e:\n    import traceback\n    print('libcst' in sys.modules, *traceback.format_tb(e.__traceback__)[-1:])"
    environment = {**os.environ, "S2S_CACHE_DIR": str(tmp_path / "cache")}
    for read in (True, False):
        done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.startswith(f"{read}   File \"{tmp_path / 'user.py'}\", line 5, in f\n    a = x[i]\n        ~^^^"), done.stdout


def test_the_module_stays_the_same_where_the_users_code_moves(tmp_path: Path) -> None:
    """Only then a comment above a function costs no compilation."""
    import importlib.util

    texts, found = [], []
    for number, above in enumerate(("", "# a comment\n\n")):
        path = tmp_path / f"moved_{number}" / "user.py"
        path.parent.mkdir()
        path.write_text(f"{above}def f(x, i):\n    return x[i]\n")
        spec = importlib.util.spec_from_file_location("user", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        f = s2s.jit(module.f, target="numpy")
        found.append(traceback.extract_tb(error_of(lambda f=f: f(np.ones(3), 3)).__traceback__)[-1])
        texts.append(f.source(np.ones(3), 3))
    assert texts[0] == texts[1]
    assert [(frame.lineno, Path(frame.filename).parent.name) for frame in found] == [(2, "moved_0"), (4, "moved_1")]


def test_modules_that_stand_alone_tell_it_in_the_raising_line(tmp_path: Path) -> None:
    from s2s.calls.standalone import emit_text

    for target in ("cpu", "numpy"):
        name, text = emit_text(refuses, ["grad"], args="f8[:], int", target=target)
        assert text.count(f"  # test_places.py:{line_of('refuses')}\n") == 1
        assert str(tmp_path) not in text and __file__ not in text
        path = tmp_path / f"{name}_{target}.py"
        path.write_text(text.replace("cache=True, ", ""))
        script = f"import numpy as np\nfrom {path.stem} import {name}\n{name}(np.ones(3), 4)"
        done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env={**os.environ, "PYTHONPATH": ""}, capture_output=True, text=True, check=False)
        shown = done.stderr.strip().split("\n")
        assert shown[-1] == "ValueError: too {much}"
        assert f"# test_places.py:{line_of('refuses')}" in done.stderr, done.stderr


def test_a_users_own_words_are_no_stretch() -> None:
    """An error with NumPy's words that the user raises is the user's: nothing is made again for other sizes."""
    def rude(x, y):
        if np.sum(x) > 0.0:
            raise ValueError("operands could not be broadcast together with shapes (2,) (1,)")
        return x[1:] + y

    for target in ("numpy", "cpu"):
        f = s2s.jit(rude, target=target)
        for size in range(3, 8):
            error = error_of(lambda f=f, size=size: f(np.ones(size), np.ones(size - 1)))
            assert str(error) == "operands could not be broadcast together with shapes (2,) (1,)" and type(error) is ValueError
            assert traceback.extract_tb(error.__traceback__)[-1].name == "rude"
        assert len(f.emitted()) == 1
        np.testing.assert_array_equal(f(-np.ones(2), np.ones(4)), np.zeros(4))  # NumPy stretches: made for these sizes
        assert len(f.emitted()) == 2


def test_frames_of_registered_functions_stay_last(monkeypatch) -> None:
    def outside(x):
        raise ValueError("operands could not be broadcast together")

    monkeypatch.setitem(sys.modules, "outside_of_s2s", types.SimpleNamespace(outside=outside))
    s2s.register(outside, result="elementwise", name="outside_of_s2s.outside")

    def calls(x):
        return outside(x) * 2.0

    error = error_of(lambda: s2s.jit(calls, target="numpy")(np.ones(3)))
    assert [frame.name for frame in traceback.extract_tb(error.__traceback__)][-2:] == ["calls", "outside"]


def test_a_users_line_with_letters_of_other_alphabets() -> None:
    def f(größe, i):
        return größe[i] + größe[2 * i]

    for i, text in ((5, "größe[i]"), (2, "größe[2 * i]")):
        error = error_of(lambda i=i: s2s.jit(f, target="numpy")(np.ones(3), i))
        shown, marks = traceback.format_tb(error.__traceback__)[-1].split("\n")[1:3]
        assert "".join(letter for letter, mark in zip(shown, marks, strict=False) if mark != " ") == text
