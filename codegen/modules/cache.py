"""The private directory of generated modules, and the index that lets a second process skip reading and rewriting.

    ~/.cache/s2s/relax_grad_3f2ab4c5d6e7.py        a module, named by its function and content
    ~/.cache/s2s/index/9c1e….json                  what was asked for (hashed) -> module, guards, hidden inputs

Compiled kernels lie in `__pycache__` beside the modules (`kernel_cache.py`), parts of them that other modules may hold too in `parts`
(`native/linking.py`), helpers as they were read and kernels before they are text in `lowered` (`kept.py`). Files are written to a temporary name and moved,
so that processes may write the same entry at once. Each tells the hash of its content: any doubt about one is a miss. What
can't be written is not kept, with one warning.
"""
from __future__ import annotations

import hashlib
import json
import os
import stat
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache as once
from pathlib import Path
from typing import Any

from s2s.errors import CacheError, CacheWarning

_CHECKED: dict[str, Path] = {}
"""Directories already found to be safe in this process, by the setting that named them."""


def directory() -> Path:
    """The cache directory: $S2S_CACHE_DIR, or ~/.cache/s2s; made with mode 0700 if it is not there."""
    setting = os.environ.get("S2S_CACHE_DIR", "")
    if setting not in _CHECKED or not _CHECKED[setting].is_dir():
        _CHECKED[setting] = _chosen(Path(setting).expanduser().absolute()) if setting else _default()
    return _CHECKED[setting]


def _chosen(path: Path) -> Path:
    try:
        return _safe(path)
    except CacheError:
        raise
    except (FileExistsError, NotADirectoryError) as error:
        raise CacheError(f"the cache directory {path} can't be used: {error.strerror}", instead="set S2S_CACHE_DIR to a directory of yours") from error
    except OSError as error:
        _warn(path, error)
        return path


def _default() -> Path:
    home = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser().absolute() / "s2s"
    try:
        return _safe(home)
    except CacheError:
        raise
    except OSError:  # no home that can be written: this process gets a directory of its own
        import tempfile

        return Path(tempfile.mkdtemp(prefix="s2s-"))


def _safe(path: Path) -> Path:
    """The directory, made if need be; refused if another user could put code into it."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = path.stat()
    if hasattr(os, "getuid") and found.st_uid != os.getuid():
        raise CacheError(
            f"the cache directory {path} belongs to another user", why="modules in it are run", instead="set S2S_CACHE_DIR to a directory of yours"
        )
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise CacheError(
            f"the cache directory {path} can be written by others", why="modules in it are run", instead=f"chmod 700 {path}, or set S2S_CACHE_DIR"
        )
    return path


_WARNED: set[Path] = set()
"""Directories of which it was said that they can't be written."""


def _warn(folder: Path, error: OSError) -> None:
    if folder not in _WARNED:
        _WARNED.add(folder)
        why = error.strerror or type(error).__name__
        warnings.warn(f"s2s can't write to {folder} ({why}): what it makes is made again in the next process", CacheWarning, stacklevel=2)


def try_write(path: Path, content: str | bytes) -> None:
    """Write a file of the cache directory; a warning where that is not possible."""
    try:
        write_atomic(path, content)
    except OSError as error:
        _warn(directory(), error)


def write_atomic(path: Path, content: str | bytes, *, private: bool = True) -> None:
    """Write a file so that a reader sees all of it or none; `private`: for the user alone."""
    import tempfile  # as slow to import as the rest of this module

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        if not private:
            mask = os.umask(0)
            os.umask(mask)
            Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


_SEAL = hashlib.sha256().digest_size


def write_sealed(path: Path, content: bytes) -> None:
    """Write a file that tells the hash of its content."""
    try_write(path, hashlib.sha256(content).digest() + content)


def read_sealed(path: Path) -> bytes | None:
    """The content of such a file, if it is wholly what was written."""
    try:
        whole = path.read_bytes()
    except OSError:
        return None
    return whole[_SEAL:] if hashlib.sha256(whole[_SEAL:]).digest() == whole[:_SEAL] else None


def used(path: Path) -> None:
    """Let `trim` know that a file is of use."""
    with suppress(OSError):  # a directory that can't be written, or a file that another process has just removed
        os.utime(path)


def trim(folder: Path, limit: int) -> None:
    """Where the files of a folder take more bytes than the limit, remove those that were used longest ago, until half of it is free."""
    with suppress(OSError), os.scandir(folder) as files:
        found = sorted((each.stat().st_mtime_ns, each.stat().st_size, each.path) for each in files if each.is_file())
        size = sum(bytes_ for _, bytes_, _ in found)
        for _, bytes_, path in found if size > limit else ():
            if size <= limit // 2:
                break
            Path(path).unlink(missing_ok=True)
            size -= bytes_


def digest(*parts: str | bytes) -> str:
    """A hash of the parts; where one ends and the next begins counts."""
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        whole.update(len(data).to_bytes(8, "little"))
        whole.update(data)
    return whole.hexdigest()


def store_module(name: str, text: str) -> Path:
    """The module's file, written if it is not there yet (or was touched)."""
    path = directory() / f"{name}_{digest(text)[:12]}.py"
    if read_module(path.name) is None:
        try_write(path, text)
    return path


def read_module(filename: str) -> str | None:
    """A module's text, if the file is there and is what its name says."""
    try:
        text = (directory() / filename).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return text if filename.endswith(f"_{digest(text)[:12]}.py") and Path(filename).name == filename else None


def store_record(key: str, record: dict[str, Any]) -> None:
    """Remember what a question's answer was."""
    text = json.dumps(record, sort_keys=True)
    try_write(directory() / "index" / f"{key}.json", json.dumps({"digest": digest(text), "record": record}))


def read_records(key: str) -> list[dict[str, Any]]:
    """What was remembered for this question."""
    try:
        match json.loads((directory() / "index" / f"{key}.json").read_text(encoding="utf-8")):
            case {"digest": str(wanted), "record": dict(record)} if digest(json.dumps(record, sort_keys=True)) == wanted:
                return [record]
    except (OSError, ValueError, RecursionError):
        pass
    return []


@once
def package_stamp() -> str:
    """Changes when s2s's own files do: another version answers its own questions."""
    stamps, folders = [], [str(Path(__file__).parents[2])]
    while folders:
        folder = folders.pop()
        with _looked_into(folder) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    status = entry.stat()
                    stamps.append(f"{entry.name} {status.st_mtime_ns} {status.st_size}")
                elif entry.name != "__pycache__" and entry.is_dir():
                    folders.append(f"{folder}/{entry.name}")
    return digest("\n".join(sorted(stamps)))


@contextmanager
def _looked_into(folder: str) -> Iterator[Iterator[os.DirEntry[str]]]:
    """What lies in a folder: looked up in it where the system can, which is quicker than along its whole path for each file."""
    handle = os.open(folder, os.O_RDONLY) if os.scandir in os.supports_fd else None
    try:
        with os.scandir(folder if handle is None else handle) as entries:
            yield entries
    finally:
        if handle is not None:
            os.close(handle)
