"""The numpy target's draws of random numbers: the same functions around NumPy's own as the cpu target's."""
from __future__ import annotations

from s2s.codegen.language.expressions import Expr, Invoke, Name, Type, integer
from s2s.codegen.language.statements import Assign, CallKernel
from s2s.codegen.lowering.draws import draw_helper, old_draw_helper
from s2s.codegen.targets.numpy.target import Arrays
from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives.draws import DRAWS
from s2s.transforms.primitives.random import draw, draw_old
from s2s.types import FLOAT64, Var

EACH = '''
def HELPER(memory, first, inner, out, *given):
    """Fill an array, each number drawn with its own arguments."""
    for place in np.ndindex(out.shape):
        out[place] = DRAW(memory, first, inner, *(each[place] if np.ndim(each) else each for each in given))
'''.strip("\n")


def _draw(low: Arrays, node: Equation) -> None:
    memory, params, what = node.ins[0], node.params, DRAWS[node.params["what"]]
    given = tuple(low.whole(atom) for atom in node.ins[1 + params["ndim"]:])
    after, out = node.outs
    slot = low.own(memory)
    place = (Name(slot.name), integer(params["first"]), integer(params["inner"]))
    if not out.type.shape:
        helper = draw_helper(low.module, what.single, compiled=False)
        number = low.places.scalar_slot(out, consumed=True)
        low.flush(number, except_for=(out,))
        low.out.emit(CallKernel((number.name,), helper, (*place, *given), low.out.where, (slot.name,)))
        low.places.occupy(number, out)
    elif what.filling:
        array = _empty(low, out)
        low.out.emit(CallKernel((), draw_helper(low.module, what.filling, compiled=False), (*place, *given, array), low.out.where, (slot.name, array.id)))
    else:
        array = _empty(low, out)
        one = draw_helper(low.module, what.single, compiled=False)
        each = low.module.helper(f"draw each {one}", f"{one}s", EACH.replace("DRAW", one), needs=(one,))
        low.out.emit(CallKernel((), each, (*place, array, *given), low.out.where, (slot.name, array.id)))
    low.overwritten(slot, after)


def _empty(low: Arrays, out: Var) -> Name:
    slot = low.places.slot(out)
    dtype: tuple[Expr, ...] = () if out.type.dtype == FLOAT64 else (Type(out.type.dtype),)
    low.out.emit(Assign((slot.name,), (Invoke("np.empty", (low.shape(out), *dtype)),), low.out.where))
    low.places.occupy(slot, out)
    return Name(slot.name)


def _draw_old(low: Arrays, node: Equation) -> None:
    memory, before, _, *given = node.ins
    memory_after, after, out = node.outs
    arguments = tuple(low.whole(atom) for atom in given)
    left = low.whole(before)
    slot, kept, array = low.own(memory), _empty(low, after), _empty(low, out)
    helper = old_draw_helper(low.module, DRAWS[node.params["what"]].single, compiled=False)
    args = (Name(slot.name), integer(node.params["first"]), integer(node.params["inner"]), left, kept, array, *arguments)
    low.out.emit(CallKernel((), helper, args, low.out.where, (slot.name, kept.id, array.id)))
    low.overwritten(slot, memory_after)


RANDOM = {draw: _draw, draw_old: _draw_old}
"""By the row."""
