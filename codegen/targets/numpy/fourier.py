"""The numpy target's Fourier transforms: NumPy's own."""
from __future__ import annotations

from s2s.codegen.language.expressions import Constant, Expr, Invoke, integer
from s2s.codegen.targets.numpy.target import Arrays
from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives.fourier import FORWARD, INVERSE, fft, irfft, rfft


def _lower(low: Arrays, node: Equation) -> None:
    params, backward = node.params, node.primitive is irfft or bool(node.params.get("inverse"))
    norm = (INVERSE if backward else FORWARD)[params["scale"]]
    words: list[tuple[str, Expr]] = []
    if params["axis"] != node.ins[0].type.ndim - 1:
        words.append(("axis", integer(params["axis"])))
    if norm != "backward":
        words.append(("norm", Constant(norm)))
    name = "np.fft.ifft" if backward and node.primitive is fft else f"np.fft.{node.primitive.name}"
    lengths = (low.scalar(node.ins[1]),) if node.primitive is irfft else ()
    low.bind(node.outs[0], Invoke(name, (low.whole(node.ins[0]), *lengths), tuple(words)), low.places.reads(*node.ins), view=False)


FOURIER = {fft: _lower, rfft: _lower, irfft: _lower}
"""By the row."""
