"""The cache directory: what a second process reuses, what makes it start again, and what it refuses."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from s2s.codegen.modules import cache
from s2s.errors import CacheError

USER = """
import numpy as np
from typing import NamedTuple

RATE = 2.0
STEPS = 2


class Pair(NamedTuple):
    first: object
    second: object


def helper(x):
    return x * {factor}


def f(x):
    for _ in range(STEPS):
        x = helper(x) * RATE
    return Pair(np.sum(x), x)
"""
RUN = """
import sys
import numpy as np
import s2s
import user
user.STEPS, user.RATE = {steps}, {rate}
out = s2s.jit(user.f, target="{target}")(np.arange(3.0))
assert type(out) is user.Pair
print(out.first, "libcst" in sys.modules)
"""


def run(folder: Path, *, factor: float = 3.0, steps: int = 2, rate: float = 2.0, target: str = "numpy") -> tuple[float, bool]:
    """f's sum in a fresh process, and whether source was read."""
    text = USER.replace("{factor}", str(factor))
    if not (folder / "user.py").exists() or (folder / "user.py").read_text() != text:
        (folder / "user.py").write_text(text)
    environment = {**os.environ, "S2S_CACHE_DIR": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    script = RUN.format(steps=steps, rate=rate, target=target)
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    value, read = done.stdout.split()
    return float(value), read == "True"


def test_a_second_process_reads_no_source(tmp_path: Path) -> None:
    assert run(tmp_path) == (108.0, True)
    assert run(tmp_path) == (108.0, False)
    assert run(tmp_path, rate=3.0) == (243.0, False)  # a float is read at each call
    assert run(tmp_path, steps=1) == (18.0, True)  # an int is known while reading
    assert run(tmp_path, factor=5.0) == (300.0, True)  # the helper's source


def test_numba_too(tmp_path: Path) -> None:
    assert run(tmp_path, target="cpu") == (108.0, True)
    compiled = sorted((tmp_path / "cache" / "__pycache__").glob("*.nbc"))
    assert compiled
    assert run(tmp_path, target="cpu") == (108.0, False)
    assert sorted((tmp_path / "cache" / "__pycache__").glob("*.nbc")) == compiled


def test_damaged_entries_are_made_again(tmp_path: Path) -> None:
    run(tmp_path)
    (module,) = (tmp_path / "cache").glob("*.py")
    text = module.read_text()
    module.write_text(text.replace("sum", "prod"))
    assert run(tmp_path) == (108.0, True)
    assert module.read_text() == text
    (record,) = (tmp_path / "cache" / "index").glob("*.json")
    for damaged in ("", "[]", "{}", json.dumps({**json.loads(record.read_text()), "record": {"module": "../other.py"}})):
        record.write_text(damaged)
        assert run(tmp_path) == (108.0, True)


def test_private_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("S2S_CACHE_DIR", str(tmp_path / "new"))
    assert cache.directory().stat().st_mode & 0o777 == 0o700
    monkeypatch.setenv("S2S_CACHE_DIR", str(tmp_path / "open"))
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    with pytest.raises(CacheError, match="can be written by others"):
        cache.directory()


def test_another_users_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("S2S_CACHE_DIR", str(tmp_path / "theirs"))
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    with pytest.raises(CacheError, match="belongs to another user"):
        cache.directory()


def test_writing_is_atomic(tmp_path: Path) -> None:
    cache.write_atomic(tmp_path / "a.txt", "one")
    with pytest.raises(TypeError):
        cache.write_atomic(tmp_path / "a.txt", 3)  # type: ignore[arg-type]
    assert (tmp_path / "a.txt").read_text() == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_processes_at_once(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(USER.replace("{factor}", "3.0"))
    environment = {**os.environ, "S2S_CACHE_DIR": str(tmp_path / "cache")}
    script = RUN.format(steps=2, rate=2.0, target="numpy")
    processes = [subprocess.Popen([sys.executable, "-c", script], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert {process.communicate()[0].split()[0] for process in processes} == {"108.0"}
    assert len(list((tmp_path / "cache").glob("*.py"))) == 1


TWO_FILES = {
    "helpers.py": "FACTOR = 3\n\n\ndef deep(x):\n    return x * FACTOR\n\n\ndef helper(x):\n    return deep(x) + 1.0\n",
    "user.py": "import helpers\n\n\ndef call(h, x):\n    return h(x)\n\n\ndef f(x):\n    return helpers.helper(x)\n",
}


def run_script(folder: Path, script: str) -> str:
    environment = {**os.environ, "S2S_CACHE_DIR": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("call", ["s2s.jit(user.f, target='numpy')(2.0)", "s2s.jit(user.call, target='numpy')(helpers.helper, 2.0)"])
def test_helpers_of_helpers_in_other_files(tmp_path: Path, call: str) -> None:
    for name, text in TWO_FILES.items():
        (tmp_path / name).write_text(text)
    script = f"import sys, helpers, user, s2s\nprint({call}, 'libcst' in sys.modules)"
    assert run_script(tmp_path, script) == "7.0 True"
    assert run_script(tmp_path, script) == "7.0 False"
    (tmp_path / "helpers.py").write_text(TWO_FILES["helpers.py"].replace("x * FACTOR", "x - FACTOR"))
    assert run_script(tmp_path, script) == "0.0 True"
    (tmp_path / "helpers.py").write_text(TWO_FILES["helpers.py"].replace("FACTOR = 3", "FACTOR = 4"))
    assert run_script(tmp_path, script) == "9.0 True"


def test_derivatives_are_kept_too(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text("def f(x, y):\n    return x * x * y\n")
    script = (
        "import sys, user, s2s\ng = s2s.grad(s2s.jit(user.f, target='numpy'), argnums=1)\nout, pull = s2s.vjp(user.f, 2.0, 3.0)\n"
        "print(g(2.0, 3.0), s2s.grad(g, argnums=0)(2.0, 3.0), pull(1.0), s2s.jvp(user.f, (2.0, 3.0), (1.0, 0.0)), 'libcst' in sys.modules)"
    )
    first = run_script(tmp_path, script)
    assert first.endswith("True")
    assert run_script(tmp_path, script) == first.replace("True", "False")
