"""Helpers of the codegen tests: run emitted kernels as the public function would, and compare with the interpreter."""
from __future__ import annotations

import importlib.util
import itertools
import re
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from lapack_stand_in import stand_ins

import s2s.codegen.runtime.halves  # noqa: F401 (what kernels without the header of a module need)
from s2s.codegen.emit import emit_kernels, prepared
from s2s.codegen.lowering.kernel import Kernels
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import Function

_FOLDER = Path(tempfile.mkdtemp(prefix="s2s_codegen_"))
_NUMBERS = itertools.count()
PUBLIC = "public"


def load(kernels: Kernels, *, compiled: bool = True) -> ModuleType:
    """Import the kernels' text from a file; `compiled=False`: as plain Python, without Numba."""
    path = _FOLDER / f"kernels_{next(_NUMBERS)}.py"
    text = "\n".join(["import numpy as np", *kernels.imports]) + "\n\n\n" + _definitions(kernels).replace("cache=True, ", "")
    path.write_text(text if compiled else re.sub(r"@njit.*\n", "", text))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    if not compiled:
        vars(module).update(stand_ins(module))
    return module


def _definitions(kernels: Kernels) -> str:
    """The kernels; where the public function has statements of its own instead of the first one's head, they are a function too."""
    if kernels.kernel.head:
        return kernels.text
    names = ", ".join((*(param.name for param in kernels.params), *(buffer.name for buffer in kernels.buffers)))
    return "\n".join([*kernels.others, "", "", f"def {PUBLIC}({names}):", *kernels.kernel.lines]) + "\n"


def run(kernels: Kernels, module: ModuleType, args: tuple[Any, ...], mutated: tuple[int, ...] = ()) -> tuple[Any, ...]:
    """All results of the entry kernel. `mutated`: the numbers of the parameters whose own arrays are handed over."""
    values: dict[str, Any] = {}
    for number, (param, arg) in enumerate(zip(kernels.params, args, strict=True)):
        if param.var.type.shape:
            values[param.name] = arg if number in mutated or not param.writes else np.array(arg)
        else:
            values[param.name] = np.dtype(param.var.type.dtype).type(arg)
    buffers = [eval(buffer.allocation, {"np": np, **values}) for buffer in kernels.buffers]  # noqa: S307
    for buffer, array in zip(kernels.buffers, buffers, strict=True):
        if buffer.numbers:
            array.flat[:] = [number.value for number in buffer.numbers]  # type: ignore[attr-defined]
        elif "np.empty" in buffer.allocation:
            array.fill(77)
    returned = getattr(module, kernels.entry if kernels.kernel.head else PUBLIC)(*values.values(), *buffers)
    bare = len({result.position for result in kernels.results if result.kind == "returned"}) == 1
    items = (returned,) if bare else returned
    by_name = {**values, **{buffer.name: array for buffer, array in zip(kernels.buffers, buffers, strict=True)}}
    return tuple(items[result.position] if result.kind == "returned" else by_name[result.name] for result in kernels.results)


def compare(function: Function, *args: Any, targets: tuple[str, ...] = ("numpy", "cpu"), tol: float = 1e-12, show: bool = False) -> dict[str, Kernels]:
    """Check that each target's kernels give what the interpreter gives, and leave the arguments alone."""
    wanted = interpret(function, *args)
    emitted = {}
    for target in targets:
        kernels = emitted[target] = emit_kernels(prepared(function, target), name="_kernel", target=target)
        if show:
            print(kernels.text)
        kept = [np.array(arg) for arg in args]
        given = tuple(np.array(arg) if np.ndim(arg) else arg for arg in args)
        got = run(kernels, load(kernels), given)
        for before, after in zip(kept, given, strict=True):
            np.testing.assert_array_equal(before, after, err_msg=f"{target}: an argument was written\n{kernels.text}")
        check_results(got, wanted, kernels.text, exact_dtype=target == "numpy", tol=tol)
    return emitted


def check_results(got: tuple[Any, ...], wanted: tuple[Any, ...], text: str, *, exact_dtype: bool, tol: float = 1e-12) -> None:
    """Results equal the interpreter's, in shape and dtype too (Numba returns Python numbers for scalars)."""
    assert len(got) == len(wanted)
    for number, (result, want) in enumerate(zip(got, wanted, strict=True)):
        want = np.asarray(want)
        if want.ndim or exact_dtype:
            assert np.asarray(result).dtype == want.dtype, (number, np.asarray(result).dtype, want.dtype, text)
        assert np.shape(result) == want.shape, (number, np.shape(result), want.shape, text)
        loose = 1e-5 if want.dtype in (np.float32, np.complex64) else tol
        np.testing.assert_allclose(result, want, rtol=loose, atol=loose, err_msg=f"result {number}\n{text}")
