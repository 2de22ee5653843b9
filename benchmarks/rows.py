"""What each function costs to compile alone: CPU seconds of the first call of a jitted function that does nothing else.

    python benchmarks/rows.py                      # all functions of docs/supported.md that drawn calls know
    python benchmarks/rows.py np.cov np.fft.       # those whose names begin so
    python benchmarks/rows.py --above 0.3          # print those above, instead of the twenty dearest
    python benchmarks/rows.py --grad               # the gradient of the sum of squares of what each gives, where one is defined

Each is the second compilation of a process: one process imports all and compiles a kernel, so that what Numba and s2s load once is
there, and a child made from it by fork compiles the function, with an empty cache. The arguments are simple ones that
`tests/fuzz` draws: floats of up to two axes, nothing given that may be left out. The aim: at most 0.3 s for each.
"""
from __future__ import annotations

import argparse
import importlib.util
import itertools
import json
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from common import machine, note_texts, table

import s2s
from tests.fuzz.calls import NAMES, Call, parameters

AIM = 0.3
"""Seconds, for each function."""
SEEDS = 60
"""How many draws are looked through for simple arguments."""
_TEXTS = Path(tempfile.mkdtemp(prefix="s2s_rows_"))
_NUMBERS = itertools.count()


# ---- simple calls ---------------------------------------------------------------------------------------------------------


def simple_call(name: str) -> tuple[str, Callable[..., Any], list[Any]] | None:
    """A call of the function with arguments as simple as they come, and NumPy's content with them; None where none was drawn."""
    options = frozenset(each.name for each in parameters(name) if not each.required)
    best = None
    for seed in range(SEEDS):
        text, drawn = Call(name, seed, without=options, plain=True, alone=True).point(0)
        arguments = [each.build() for each in drawn]
        cost = _oddness(arguments)
        if best is not None and cost >= best[0]:
            continue
        function = function_of(text)
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                function(*[each.build() for each in drawn])
        except Exception:  # noqa: BLE001 (not a simple call: the next draw)
            continue
        best = cost, text, function, arguments
        if not cost:
            break
    return None if best is None else best[1:]


def _oddness(arguments: list[Any]) -> int:
    """0: arrays of floats with one or two axes and some elements, or numbers."""
    odd = 0 if arguments else 1
    for each in arguments:
        if isinstance(each, np.ndarray):
            odd += (each.dtype != np.float64) + (not 1 <= each.ndim <= 2) + (each.size < 2)
        else:
            odd += not isinstance(each, int | float)
    return odd


def function_of(text: str, name: str = "f") -> Callable[..., Any]:
    """The function of this name of a drawn program, from a file."""
    path = _TEXTS / f"row_{next(_NUMBERS)}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function: Callable[..., Any] = getattr(module, name)
    return function


def gradient_of(function: Callable[..., Any], arguments: list[Any]) -> tuple[Callable[..., Any], list[Any]] | None:
    """The gradient of the sum of the squares of a call's floats with respect to its floats; None where one or the other has none."""
    wanted = tuple(number for number, each in enumerate(arguments) if isinstance(each, float) or isinstance(each, np.ndarray) and each.dtype.kind == "f")
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        result = function(*arguments)
    parts = [("found", result)] if not isinstance(result, tuple) else [(f"found[{number}]", each) for number, each in enumerate(result)]
    terms = [f"np.sum(np.abs({text}) ** 2)" for text, each in parts if getattr(each, "dtype", np.dtype(type(each) if isinstance(each, float | complex) else object)).kind in "fc"]
    if not wanted or not terms:
        return None
    text = Path(function.__code__.co_filename).read_text(encoding="utf-8")
    before, _, call = text.rpartition("    return ")  # not a call of f: products in a function that may be called in a loop are others
    loss = function_of(f"{before}    found = {call.rstrip()}\n    return {' + '.join(terms)}\n")
    return s2s.grad(loss, argnums=wanted), arguments


# ---- measuring ------------------------------------------------------------------------------------------------------------


def first_kernel(*, gradients: bool) -> None:
    """What a process loads once; with what makes derivatives, where those are measured."""

    def first(x: Any) -> Any:
        return np.sum(np.sin(x) * 2.0) + np.linalg.eigvalsh(x)[0]  # LAPACK is looked for

    with tempfile.TemporaryDirectory(prefix="s2s_rows_") as folder:  # nothing that a cache would have spared
        os.environ["S2S_CACHE_DIR"] = folder
        s2s.jit(first)(np.eye(3))
        if gradients:
            s2s.grad(first)(np.eye(3))


def measured(function: Callable[..., Any], arguments: list[Any]) -> dict[str, Any]:
    """Seconds of the first call in a child of this process, of them s2s's own, and how many lines were emitted."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        with os.fdopen(writing, "w") as answer:
            json.dump(_first_call(function, arguments), answer)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    found: dict[str, Any] = json.loads(text) if text else {"error": "the process ended"}
    return found


def _first_call(function: Callable[..., Any], arguments: list[Any]) -> dict[str, Any]:
    written: list[float] = []
    note_texts(written)
    folder = tempfile.mkdtemp(prefix="s2s_rows_")
    os.environ["S2S_CACHE_DIR"] = folder
    call: Any = function if hasattr(function, "source") else s2s.jit(function)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            start = time.process_time()
            call(*arguments)
            end = time.process_time()
            return {"all": end - start, "own": (written[0] if written else end) - start, "lines": len(call.source(*arguments).splitlines())}
    except Exception as error:  # noqa: BLE001 (told in the table)
        return {"error": f"{type(error).__name__}: {str(error).splitlines()[0]}"}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("names", nargs="*", help="what the names of functions begin with")
    options.add_argument("--above", type=float, help="print those above so many seconds")
    options.add_argument("--json", type=Path, help="write all figures there")
    options.add_argument("--grad", action="store_true", help="the gradients")
    given = options.parse_args()
    first_kernel(gradients=given.grad)
    found, refused = {}, {}
    for name in NAMES:
        if given.names and not any(name.startswith(each) for each in given.names):
            continue
        simple = simple_call(name)
        if simple is None:
            refused[name] = "no simple call was drawn"
            continue
        call = gradient_of(*simple[1:]) if given.grad else simple[1:]
        if call is None:
            continue
        result = measured(*call)
        if "error" in result:
            refused[name] = result["error"]
        else:
            found[name] = result
        if given.json:  # as far as it has come
            given.json.write_text(json.dumps(found, indent=1), encoding="utf-8")
    dearest = sorted(found, key=lambda name: -found[name]["all"])
    shown = dearest[:20] if given.above is None else [name for name in dearest if found[name]["all"] > given.above]
    print(machine())
    table(
        "The dearest", ("function", "s2s", "Numba", "all", "lines"),
        [(name, *(f"{each:.2f}" for each in (found[name]["own"], found[name]["all"] - found[name]["own"], found[name]["all"])), found[name]["lines"]) for name in shown],
    )  # fmt: skip
    over = [name for name in dearest if found[name]["all"] > AIM]
    print(f"\n{len(found)} functions; {len(over)} over {AIM} s; median {np.median([each['all'] for each in found.values()] or [0]):.2f} s")
    for name, why in refused.items():
        print(f"not measured: {name}: {why}")
    shutil.rmtree(_TEXTS, ignore_errors=True)


if __name__ == "__main__":
    main()
