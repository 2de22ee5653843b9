"""The cpu target's Fourier transforms: calls of NumPy's own loops."""
from __future__ import annotations

from s2s.codegen.language.expressions import Name
from s2s.codegen.language.statements import CallKernel
from s2s.codegen.lowering.fourier import transform
from s2s.codegen.targets.cpu.target import Cpu
from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives.fourier import fft, irfft, rfft


def _lower(low: Cpu, node: Equation) -> None:
    x, params = node.ins[0], node.params
    (out,) = node.outs
    name = "ifft" if params.get("inverse") else node.primitive.name
    array = low.array_argument(x)
    slot = low.allocate(out)
    helper = transform(low.module, name, x.type.dtype, x.type.ndim, params["axis"], params["scale"])
    low.out.emit(CallKernel((), helper, (array, Name(slot.name)), low.out.where, (slot.name,)))
    slot.written = True
    low.places.occupy(slot, out)


FOURIER = {fft: _lower, rfft: _lower, irfft: _lower}
"""By the row."""
