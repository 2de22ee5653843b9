"""How long the first call takes: twenty programs with an empty cache, beside JAX's first call of the same in one run.

    python benchmarks/start.py                     # all programs, jit and gradient
    python benchmarks/start.py cavity mlp --grad   # some of them
    python benchmarks/start.py --growth            # straight lines of 25 … 400 statements, nests, helpers: time for each emitted line
    python benchmarks/start.py --growth --own      # the same, s2s's own part only
    python benchmarks/start.py --edits             # after one line of a module of 300 lines changed
    python benchmarks/start.py --second            # imports, and a second process from the warm cache

Each figure is CPU time (both of JAX's threads counted) of the call in a fresh process that has imported what it needs, arguments at
hand; what s2s puts off importing until something must be made is told apart, what Numba and JAX put off counts. The aims (issue of the first
call): geometric mean of s2s / JAX at most 1.5, none over 3, none over 5 s.
"""
from __future__ import annotations

import argparse
import compileall
import gc
import importlib
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from common import jax_or_none, machine, note_texts, table

HERE = Path(__file__).resolve().parent
MEAN, WORST, SECONDS, OWN_SHARE, OWN_A_LINE = 1.5, 3.0, 5.0, 0.25, 2e-3
"""The aims: geometric mean and largest ratio to JAX; seconds of any first call; s2s's own part of it, and for each line of the user's."""


def names() -> list[str]:
    """The programs."""
    return sorted(path.stem for path in (HERE / "start_programs").glob("[a-z]*.py") if path.stem not in {"growing", "editing"})


def program_of(name: str) -> ModuleType:
    """A program's module; the examples lie in their own folder."""
    sys.path.insert(0, str(HERE.parent / "examples"))
    return importlib.import_module(f"start_programs.{name}")


# ---- in a process of its own --------------------------------------------------------------------------------------------


def measured_s2s(program: ModuleType, transform: str) -> dict[str, float]:
    """CPU seconds of the first call, those until the text was made, and what was made."""
    import libcst.native  # noqa: F401 (imports are not counted)
    import numba  # noqa: F401

    import s2s
    from s2s.calls.transformations import programs
    from s2s.collection import uncollected

    began = time.process_time()
    with uncollected():  # as the first call does
        from s2s.calls import building  # noqa: F401 (the code generator)
        from s2s.codegen.modules import kernel_cache  # noqa: F401
        from s2s.codegen.native import writing
        from s2s.transforms.read import entry, wiring  # noqa: F401

        programs()  # the modules of the rewrites
    put_off = time.process_time() - began

    written: list[float] = []
    note_texts(written)
    libraries: list[Any] = []
    optimize = writing.NativeLibrary._optimize_final_module  # noqa: SLF001 (what LLVM made of each is counted)

    def kept(library: Any) -> None:
        libraries.append(library)
        optimize(library)

    writing.NativeLibrary._optimize_final_module = kept  # type: ignore[method-assign]  # noqa: SLF001
    call = s2s.jit(program.loss) if transform == "jit" else s2s.grad(program.loss, argnums=program.ARGNUMS)
    args = program.arguments()
    gc.collect()
    start = time.process_time()
    if transform == "text":
        call.source(*args)
    else:
        call(*args)
    end = time.process_time()
    own = written[0] - start
    lines = sum(bool(line.strip()) for line in call.source(*args).splitlines())
    return {"own": own, "numba": end - start - own, "all": end - start, "lines": lines, "instructions": instructions(libraries), "put off": put_off}


def instructions(libraries: list[Any]) -> int:
    """LLVM instructions of all kernels that were compiled in this process, parts and what Numba itself compiled included, as they were before LLVM's code generation."""
    from numba.core.dispatcher import Dispatcher

    ours = [each for each in gc.get_objects() if isinstance(each, Dispatcher) and each.__module__.startswith("s2s_")]
    by_numba = [made.library for each in ours for made in each.overloads.values() if made.library not in libraries]
    texts = [each.get_llvm_str() for each in (*libraries, *by_numba)]
    return sum(1 for text in texts for line in text.splitlines() if line.startswith("  ") and not line.startswith("  ;"))


def twin_of(program: ModuleType) -> Callable[..., Any]:
    """JAX's version: the same text with its NumPy, or what that text's `twin` makes of it."""
    source = Path(str(program.__file__)).read_text(encoding="utf-8").replace("import numpy as np", "import jax.numpy as np")
    own: dict[str, Any] = {"__name__": program.__name__}
    exec(compile(source, str(program.__file__), "exec"), own)
    made: Callable[..., Any] = own["twin"](own) if "twin" in own else own["loss"]
    return made


def measured_jax(program: ModuleType, transform: str) -> dict[str, float]:
    """CPU seconds of JAX's first call."""
    jax: Any = jax_or_none()
    if jax is None:
        return {}
    import jax.lax
    import jax.numpy

    loss = twin_of(program)
    statics = tuple(program.STATIC)
    call = jax.jit(loss, static_argnums=statics) if transform == "jit" else jax.jit(jax.grad(loss, argnums=program.ARGNUMS), static_argnums=statics)
    args = program.arguments()
    gc.collect()
    start = time.process_time()
    jax.block_until_ready(call(*args))
    return {"all": time.process_time() - start}


def agree(name: str) -> None:
    """Raise unless s2s, JAX and NumPy give the same numbers."""
    import numpy as np

    program = program_of(name)
    jax: Any = jax_or_none()
    loss = twin_of(program)
    args = program.arguments()
    import s2s

    wanted = program.loss(*args)
    np.testing.assert_allclose(jax.jit(loss, static_argnums=tuple(program.STATIC))(*args), wanted, rtol=1e-9)
    with s2s.disable_jit():
        np.testing.assert_allclose(s2s.jit(program.loss, target="numpy")(*args), wanted, rtol=1e-9)
        ours = s2s.grad(program.loss, argnums=program.ARGNUMS)(*args)
    theirs = jax.jit(jax.grad(loss, argnums=program.ARGNUMS), static_argnums=tuple(program.STATIC))(*args)
    for mine, other in zip(jax.tree_util.tree_leaves(ours), jax.tree_util.tree_leaves(theirs), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-7, atol=1e-9)


def measured_growing(kind: str, size: int, own_only: bool) -> dict[str, float]:
    """As `measured_s2s`, for the gradient of a program of some size."""
    from start_programs.growing import KINDS

    folder = tempfile.mkdtemp()
    path = Path(folder) / f"{kind}_{size}.py"
    path.write_text(KINDS[kind][0](size), encoding="utf-8")
    sys.path.insert(0, folder)
    program = importlib.import_module(path.stem)
    x = [0.1 + 0.06 * k for k in range(12)]

    import numpy as np

    program.ARGNUMS, program.arguments = (0, 1), lambda: (np.array(x), np.array(x[::-1]))  # type: ignore[attr-defined]
    return measured_s2s(program, "text" if own_only else "grad")


def measured_edit(folder: str, transform: str) -> dict[str, float]:
    """As `measured_s2s`, for the module that lies in a folder."""
    sys.path.insert(0, folder)
    program = importlib.import_module("edited")

    import numpy as np

    rng = np.random.default_rng(1)
    program.ARGNUMS, program.arguments = (0, 1), lambda: (rng.uniform(0.1, 1.0, 200), rng.uniform(0.1, 1.0, 200))  # type: ignore[attr-defined]
    return measured_s2s(program, transform)


def edits() -> None:
    """Print what a first call costs with an empty cache, and after one line of one helper changed: best of three."""
    from start_programs.editing import HELPERS, module

    rows = []
    for transform in ("jit", "grad"):
        runs: dict[bool, list[dict[str, float]]] = {False: [], True: []}
        for _ in range(3):
            with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
                for changed in (False, True):
                    Path(folder, "edited.py").write_text(module(changed), encoding="utf-8")
                    runs[changed].append(in_process("--edited", folder, transform, cache=cache))
        for changed, title in ((False, "empty cache"), (True, f"one of {HELPERS} helpers changed")):
            best = min(runs[changed], key=lambda run: run["all"])
            rows.append((transform, title, int(best["lines"]), *(f"{best[part]:.2f}" for part in ("own", "numba", "all"))))
    table("After an edit of a module of 300 lines, CPU seconds, best of three", ("call", "what", "emitted lines", "s2s's part, s", "Numba, s", "all, s"), rows)


SECOND = """
import time
start = time.process_time()
import {first}
imported = time.process_time()
{then}
print(imported - start, time.process_time() - imported)
"""


def second_process() -> None:
    """Print what imports cost, and what a call costs in a process that finds it in the cache."""
    call = "import numpy as np, s2s\nsys_path = __import__('sys').path\nsys_path[:0] = [{here!r}]\nfrom start_programs import thirty_lines as p\n"
    call = call.format(here=str(HERE)) + "s2s.{transform}(p.loss)(*p.arguments())"
    rows = []
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "S2S_CACHE_DIR": cache, "OPENBLAS_NUM_THREADS": "1"}
        for title, first, then in (
            ("import s2s", "s2s", ""), ("import numba", "numba", ""), ("jit, warm cache, after import numba", "numba", call.format(transform="jit")),
            ("grad, warm cache, after import numba", "numba", call.format(transform="grad")),
        ):  # fmt: skip
            runs = []
            for _ in range(6):
                words = [sys.executable, "-c", SECOND.format(first=first, then=then)]
                done = subprocess.run(words, check=True, capture_output=True, text=True, env=env)
                runs.append(tuple(map(float, done.stdout.split()[-2:])))
            imported, called = min(run[0] for run in runs), min(run[1] for run in runs[1:])  # the first one fills the cache
            rows.append((title, f"{called if then else imported:.2f} s"))
    table("A second process, CPU seconds, best of five", ("what", "time"), rows)


def growth(own_only: bool) -> None:
    """Print how the time for each emitted line grows with the size of a program."""
    from start_programs.growing import KINDS

    rows = []
    for kind, (_, sizes) in KINDS.items():
        for size in sizes:
            found = in_process("--growing", kind, str(size), *(["--own"] if own_only else []))
            lines = found["lines"]
            rows.append((kind, size, int(lines), f"{found['own']:.2f}", f"{1e3 * found['own'] / lines:.2f}",
                         *(() if own_only else (f"{found['all']:.2f}", f"{1e3 * found['all'] / lines:.2f}"))))  # fmt: skip
            print(f"  {rows[-1]}", file=sys.stderr, flush=True)
    head = ("gradient of", "size", "emitted lines", "s2s's part, s", "ms a line")
    table("Growth, CPU seconds", head if own_only else (*head, "all, s", "ms a line"), rows)


# ---- all of them --------------------------------------------------------------------------------------------------------


def in_process(*words: str, cache: str | None = None) -> dict[str, float]:
    """What this script prints with these words, run in a fresh process with an empty cache (or with the one that is given)."""
    with tempfile.TemporaryDirectory() as empty:
        env = {**os.environ, "S2S_CACHE_DIR": cache or empty, "OPENBLAS_NUM_THREADS": "1", "JAX_PLATFORMS": "cpu"}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        done = subprocess.run([sys.executable, __file__, *words], capture_output=True, text=True, env=env, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)} failed:\n{done.stderr[-3000:]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def user_lines(name: str) -> int:
    """Lines of code of the user's functions, blank ones and comments left out."""
    file = HERE.parent / "examples" / f"{name.removeprefix('example_')}.py" if name.startswith("example_") else HERE / "start_programs" / f"{name}.py"
    text = file.read_text(encoding="utf-8")
    end = re.search(r"^def (arguments|hot_spots|read_data|position)\(", text, re.MULTILINE)
    return sum(bool(line.strip()) and not line.strip().startswith(("#", '"""')) for line in text[: end.start() if end else None].splitlines())


def compared(chosen: list[str], transforms: list[str]) -> None:
    """Print the table, and whether the aims are met."""
    for folder in ("s2s", "transforms", "codegen"):  # as pip does when it installs a package, JAX's too
        compileall.compile_dir(HERE.parent / folder, quiet=2)
    rows, ratios, calls, shares, own_a_line, put_off = [], [], [], [], [], []
    for name in chosen:
        for transform in transforms:
            ours = in_process("--one", name, transform, "s2s")
            theirs = in_process("--one", name, transform, "jax")
            ratio = ours["all"] / theirs["all"] if theirs else math.nan
            lines = user_lines(name)
            ratios.append((ratio, f"{name}, {transform}"))
            calls.append((ours["all"], f"{name}, {transform}"))
            shares.append((ours["own"] / ours["all"], f"{name}, {transform}"))
            own_a_line.append((ours["own"] / lines, f"{name}, {transform}"))
            put_off.append(ours["put off"])
            rows.append((
                name, transform, f"{ours['own']:.2f}", f"{ours['numba']:.2f}", f"{ours['all']:.2f}", f"{theirs['all']:.2f}" if theirs else "",
                f"{ratio:.2f}", lines, int(ours["lines"]), f"{ours['instructions'] / ours['lines']:.1f}", f"{1e3 * ours['own'] / lines:.1f}",
            ))  # fmt: skip
            print(f"  {name} {transform}: {rows[-1][2:7]}", file=sys.stderr, flush=True)
    head = ("program", "call", "s2s's part, s", "Numba, s", "all, s", "JAX, s", "ratio", "user's lines", "emitted lines", "LLVM instructions a line", "s2s's part, ms a user's line")
    table("First calls, empty cache, CPU seconds", head, rows)
    known = [ratio for ratio, _ in ratios if not math.isnan(ratio)]
    mean = math.exp(sum(map(math.log, known)) / len(known)) if known else math.nan
    print(f"\n- geometric mean of the ratios: {mean:.2f} (at most {MEAN})")
    for title, found, most, unit in (
        ("largest ratio", ratios, WORST, ""), ("longest first call", calls, SECONDS, " s"), ("largest share of s2s's part", shares, OWN_SHARE, ""),
        ("longest for a user's line", own_a_line, OWN_A_LINE, " s"),
    ):  # fmt: skip
        value, which = max(found)
        print(f"- {title}: {value:.3g}{unit} ({which}; at most {most:g}{unit}; {sum(each > most for each, _ in found)} of {len(found)} over it)")
    print(f"- not counted, what s2s imports once in a process that makes something: {statistics.median(put_off):.3f} s")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="programs; all of them without")
    parser.add_argument("--jit", action="store_true", help="only the function itself")
    parser.add_argument("--grad", action="store_true", help="only the gradient")
    parser.add_argument("--agree", action="store_true", help="check that s2s, JAX and NumPy agree")
    parser.add_argument("--growth", action="store_true", help="how the time grows with a program's size")
    parser.add_argument("--own", action="store_true", help="with --growth: s2s's own part only")
    parser.add_argument("--second", action="store_true", help="imports, and a second process")
    parser.add_argument("--edits", action="store_true", help="after one line of a module changed")
    parser.add_argument("--edited", nargs=2, metavar=("FOLDER", "TRANSFORM"), help=argparse.SUPPRESS)
    parser.add_argument("--growing", nargs=2, metavar=("KIND", "SIZE"), help=argparse.SUPPRESS)
    parser.add_argument("--one", nargs=3, metavar=("NAME", "TRANSFORM", "WHO"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        name, transform, who = given.one
        measured: Callable[..., dict[str, float]] = {"s2s": measured_s2s, "jax": measured_jax}[who]
        print(json.dumps(measured(program_of(name), transform)))
        return
    if given.growing:
        print(json.dumps(measured_growing(given.growing[0], int(given.growing[1]), given.own)))
        return
    if given.edited:
        print(json.dumps(measured_edit(*given.edited)))
        return
    if given.growth or given.second or given.edits:
        print(machine())
        if given.edits:
            edits()
        if given.second:
            second_process()
        if given.growth:
            growth(given.own)
        return
    chosen = given.names or names()
    if given.agree:
        for name in chosen:
            agree(name)
            print(name, "agrees")
        return
    print(machine())
    compared(chosen, [transform for transform in ("jit", "grad") if getattr(given, transform)] or ["jit", "grad"])


if __name__ == "__main__":
    main()
