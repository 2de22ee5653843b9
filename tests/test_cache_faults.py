"""Any doubt about a file of the cache is a miss, and a disk that can't be written costs a warning: never an error, never another number."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import types
import warnings
from pathlib import Path

import numpy as np
import pytest

import s2s
from s2s.codegen.modules import compile as compiler
from s2s.errors import CacheError, CacheWarning

X = np.arange(1.0, 5.0)


def square(x):
    s = 0.0
    for k in range(x.shape[0]):
        s += x[k] * x[k]
    return s


def again(function):
    """The function, as a process knows it that has loaded nothing."""
    compiler._LOADED.clear()
    return types.FunctionType(function.__code__, function.__globals__, function.__name__)


def fresh(target: str) -> float:
    return s2s.jit(again(square), target=target)(X)


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def flipped(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 0x40]) + content[at + 1 :]


DAMAGES = {
    "empty": lambda content: b"",
    "cut in the middle": lambda content: content[: len(content) // 2],
    "cut at the end": lambda content: content[:-1],
    "longer": lambda content: content + b"\n1",
    "first byte": lambda content: flipped(content, 0),
    "a byte in the middle": lambda content: flipped(content, len(content) // 2),
    "a byte at three quarters": lambda content: flipped(content, 3 * len(content) // 4),
    "last byte": lambda content: flipped(content, -1 % len(content)),
    "garbage": lambda content: os.urandom(len(content)),
    "another pickle": lambda content: b"\x80\x04N.",
}


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_damaged_files_are_misses(target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("S2S_CACHE_DIR", str(tmp_path))
    assert fresh(target) == 30.0
    made = {path: path.read_bytes() for path in files(tmp_path)}
    assert {path.suffix for path in made} == ({".py", ".json", ".nbc"} if target == "cpu" else {".py", ".json"})
    for path, content in made.items():
        for name, damage in DAMAGES.items():
            path.write_bytes(damage(content))
            assert fresh(target) == 30.0, (path, name)
            assert path.suffix == ".nbc" or path.read_bytes() == content, (path, name)  # made again
        path.unlink()
        assert fresh(target) == 30.0
        assert path.exists()


def test_a_record_with_another_number_is_a_miss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One flipped bit of a digit is still JSON."""
    def fill(x):
        x[0] = 7.0
        return x[1]

    monkeypatch.setenv("S2S_CACHE_DIR", str(tmp_path))

    def run() -> float:
        x = np.zeros(3)
        s2s.jit(again(fill), target="numpy")(x)
        return float(x[0])

    assert run() == 7.0
    (record,) = (tmp_path / "index").glob("*.json")
    text = record.read_text()
    record.write_text(text.replace('"mutated": [0]', '"mutated": []'))
    assert record.read_text() != text
    assert run() == 7.0
    assert record.read_text() == text


def test_bytecode_beside_a_module_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import py_compile

    monkeypatch.setenv("S2S_CACHE_DIR", str(tmp_path))
    assert fresh("numpy") == 30.0
    (module,) = tmp_path.glob("*.py")
    bytecode = Path(py_compile.compile(str(module)))
    bytecode.write_bytes(bytecode.read_bytes()[:40])
    assert fresh("numpy") == 30.0


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("failing", ["mkstemp", "fdopen", "replace"])
def test_what_cant_be_written_is_not_kept(target: str, failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk, a folder that can't be written: one warning, the right numbers, nothing half written."""
    monkeypatch.setenv("S2S_CACHE_DIR", str(tmp_path))

    def full(*args, **keywords):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr({"mkstemp": tempfile, "fdopen": os, "replace": Path}[failing], failing, full)
    with pytest.warns(CacheWarning, match="No space left on device") as caught:
        assert fresh(target) == 30.0
        assert fresh(target) == 30.0
        function = s2s.jit(again(square), target=target)
        assert function(X) == 30.0
        assert "def square_jit(x)" in function.source(X)
    assert len(caught) == 1
    assert not files(tmp_path)


LIMITED = """
import resource, sys, warnings
import numpy as np
import s2s, user
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(float(s2s.grad(user.f)(np.arange(3.0))[2]))
print([each.category.__name__ for each in caught])
"""


@pytest.mark.parametrize("limit", [100, 5000])
def test_a_process_that_may_write_so_many_bytes(limit: int, tmp_path: Path) -> None:
    """The module does not fit; the module fits, its compiled kernels don't."""
    (tmp_path / "user.py").write_text("import numpy as np\n\n\ndef f(x):\n    return np.sum(x * x)\n")
    environment = {**os.environ, "S2S_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", LIMITED, str(limit)], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split("\n")[:2] == ["4.0", "['CacheWarning']"], done.stderr
    assert not [path for path in files(tmp_path / "cache") if path.suffix == ".nbc" or path.name.startswith(".new")]


def test_a_directory_that_goes_away_while_we_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("S2S_CACHE_DIR", str(tmp_path / "cache"))
    kept = s2s.jit(again(square))
    assert kept(X) == 30.0
    shutil.rmtree(tmp_path / "cache")
    assert kept(X) == 30.0
    assert kept(X.astype(np.float32)) == np.float32(30.0)  # compiled, and kept again
    assert {path.suffix for path in files(tmp_path / "cache")} == {".py", ".json", ".nbc"}
    shutil.rmtree(tmp_path / "cache")
    assert "def square_jit(x)" in kept.source(X)


def test_a_directory_that_cant_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("S2S_CACHE_DIR", str(tmp_path / "there" / "cache"))
    make = Path.mkdir

    def read_only(path: Path, *args, **keywords):
        if tmp_path in path.parents:
            raise OSError(30, "Read-only file system")
        make(path, *args, **keywords)

    monkeypatch.setattr(Path, "mkdir", read_only)
    with pytest.warns(CacheWarning, match="Read-only") as caught:
        assert fresh("numpy") == 30.0
        assert fresh("numpy") == 30.0
    assert len(caught) == 1
    monkeypatch.undo()
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("S2S_CACHE_DIR", str(tmp_path / "file"))
    with pytest.raises(CacheError, match="can't be used"):
        fresh("numpy")


def test_compiling_processes_at_once(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text("import numpy as np\n\n\ndef f(x):\n    return np.sum(x * x)\n")
    environment = {**os.environ, "S2S_CACHE_DIR": str(tmp_path / "cache")}
    script = "import numpy as np, s2s, user\nprint(float(s2s.jit(user.f)(np.arange(3.0))))"
    processes = [subprocess.Popen([sys.executable, "-W", "error", "-c", script], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate()[0].strip() for process in processes] == ["5.0", "5.0"]
    assert not [path for path in files(tmp_path / "cache") if path.name.startswith(".new")]


def test_no_warning_where_all_is_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("S2S_CACHE_DIR", str(tmp_path))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fresh("numpy") == 30.0
