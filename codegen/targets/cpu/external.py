"""Calls of functions that s2s can't read.

    _gammaln(x, y)              a helper that calls it through Python, once for the whole array
    y[i] = _fast(x[i])          where Numba can call it
"""
from __future__ import annotations

from s2s.codegen.language.expressions import Expr, Name, Op
from s2s.codegen.language.operations import dtype_name, function
from s2s.codegen.language.statements import CallKernel
from s2s.codegen.lowering.external import PYTHON_NUMBER, checking, import_module, version_comment
from s2s.codegen.lowering.lowered import Module
from s2s.codegen.targets.cpu.elements import Index
from s2s.codegen.targets.cpu.target import Cpu
from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives.opaque import External
from s2s.types import kind_of


def cpu_external(low: Cpu, node: Equation) -> None:
    """An element of a loop nest where Numba can call it, else one call through Python."""
    call: External = node.params["call"]
    operands = node.ins[call.ndim:]
    if call.compiled and call.elementwise:
        _elements(low, node, call)
        return
    (out,) = node.outs
    import_module(low.module, call.compiled or call.name)
    args = tuple(low.array_argument(atom) if atom.type.shape else low.scalar(atom) for atom in operands)
    names = [f"x{number}" for number in range(len(args))] if len(args) > 1 else ["x"]
    helper = (_compiled_helper if call.compiled else _python_helper)(low.module, call, names)
    if not out.type.shape:
        slot = low.places.scalar_slot(out, consumed=True)
        low.flush(slot, except_for=(out,))
        low.out.emit(CallKernel((slot.name,), helper, args, low.out.where))
    else:
        slot = low.allocate(out)
        low.out.emit(CallKernel((), helper, (*args, Name(slot.name)), low.out.where, (slot.name,)))
        slot.written = True
    low.places.occupy(slot, out)


def _elements(low: Cpu, node: Equation, call: External) -> None:
    operands = node.ins[call.ndim:]
    import_module(low.module, call.compiled)
    names = ", ".join("xyzuvw"[: len(operands)])
    text = f'@njit(cache=True, error_model="numpy")\ndef HELPER({names}):{version_comment(call)}\n    return {call.compiled}({names})'
    helper = low.module.helper(f"{call.compiled} of scalars", call.compiled, text)
    (out,) = node.outs
    reads = low.places.reads(*node.ins)
    if not out.type.shape:
        low.define(out, Op(function(helper), tuple(low.scalar(atom) for atom in operands)), reads)
        return
    readers = [low.elements.reader(atom) for atom in operands]

    def element(index: Index) -> Expr:
        return Op(function(helper), tuple(read(index) for read in readers))

    low.lazy(out, element, reads, free=False, heavy=True, cheap=False)


def _compiled_helper(module: Module, call: External, names: list[str]) -> str:
    inner = f"{call.compiled}({', '.join(names)})"
    if not call.ndim:
        text = f"@njit(cache=True)\ndef HELPER({', '.join(names)}):{version_comment(call)}\n    return {inner}"
    else:
        text = (
            f"@njit(cache=True)\ndef HELPER({', '.join([*names, 'out'])}):{version_comment(call)}\n    value = {inner}\n"
            f"    if value.shape != out.shape:\n        raise ValueError('{call.name} returned another shape than it was registered for')\n    out[...] = value"
        )
    return module.helper(f"{call.compiled} of rank {call.ndim}", call.compiled, text)


def _python_helper(module: Module, call: External, names: list[str]) -> str:
    module.numba.add("objmode")
    check = checking(module)
    inner = f"{call.name}({', '.join(names)})"
    dtype = dtype_name(call.dtype)
    if call.ndim:
        text = (
            f"@njit(cache=True)\ndef HELPER({', '.join([*names, 'out'])}):{version_comment(call)}\n    with objmode():  # a call through Python\n"
            f"        out[...] = {check}({call.name!r}, {inner}, {dtype}, out.shape)"
        )
    else:
        text = (
            f"@njit(cache=True)\ndef HELPER({', '.join(names)}):{version_comment(call)}\n    with objmode(out={str(call.dtype)!r}):  # a call through Python\n"
            f"        out = {PYTHON_NUMBER[kind_of(call.dtype)]}({check}({call.name!r}, {inner}, {dtype}, ()))\n    return out"
        )
    return module.helper(f"{call.name} of rank {call.ndim} and {call.dtype}", call.name, text, needs=(check,))
