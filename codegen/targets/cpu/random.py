"""The cpu target's draws of random numbers: calls of functions around NumPy's own."""
from __future__ import annotations

from collections.abc import Callable

from s2s.codegen.language.expressions import Expr, Name, integer
from s2s.codegen.language.statements import CallKernel, Store
from s2s.codegen.lowering.draws import draw_helper, old_draw_helper
from s2s.codegen.targets.cpu.elements import Index
from s2s.codegen.targets.cpu.target import Cpu
from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives.draws import DRAWS
from s2s.transforms.primitives.random import draw, draw_old
from s2s.types import Atom


def _draw(low: Cpu, node: Equation) -> None:
    memory, params, what = node.ins[0], node.params, DRAWS[node.params["what"]]
    given = [_argument(low, atom) for atom in node.ins[1 + params["ndim"]:]]
    after, out = node.outs
    slot = low.own(memory)
    place = (Name(slot.name), integer(params["first"]), integer(params["inner"]))
    if not out.type.shape:
        helper = draw_helper(low.module, what.single, compiled=True)
        number = low.places.scalar_slot(out, consumed=True)
        low.flush(number, except_for=(out,))
        low.out.emit(CallKernel((number.name,), helper, (*place, *(read(()) for read in given)), low.out.where, (slot.name,)))
        low.places.occupy(number, out)
    elif what.filling:
        array = low.allocate(out)
        helper = draw_helper(low.module, what.filling, compiled=True)
        low.out.emit(CallKernel((), helper, (*place, *(read(()) for read in given), Name(array.name)), low.out.where, (slot.name, array.name)))
        low.overwritten(array, out)
    else:
        array, helper = low.allocate(out), draw_helper(low.module, what.single, compiled=True)
        drawn = low.names.fresh("drawn")

        def one(index: Index) -> None:
            low.out.emit(CallKernel((drawn,), helper, (*place, *(read(index) for read in given)), low.out.where, (slot.name,)))
            low.out.emit(Store(array.name, index, Name(drawn), where=low.out.where))

        low.nest(low.dims(out), one)
        low.overwritten(array, out)
    low.overwritten(slot, after)


def _argument(low: Cpu, atom: Atom) -> Callable[[Index], Expr]:
    """How one number's argument is read."""
    if not atom.type.shape:
        value = low.elements.scalar_name(atom)
        return lambda index: value
    low.stored(atom)
    return low.elements.reader(atom)


def _draw_old(low: Cpu, node: Equation) -> None:
    memory, before, _, *given = node.ins
    memory_after, after, out = node.outs
    arguments = tuple(low.array_argument(atom) for atom in given)
    left = low.array_argument(before)
    slot, kept, array = low.own(memory), low.allocate(after), low.allocate(out)
    helper = old_draw_helper(low.module, DRAWS[node.params["what"]].single, compiled=True)
    args = (Name(slot.name), integer(node.params["first"]), integer(node.params["inner"]), left, Name(kept.name), Name(array.name), *arguments)
    low.out.emit(CallKernel((), helper, args, low.out.where, (slot.name, kept.name, array.name)))
    low.overwritten(kept, after)
    low.overwritten(array, out)
    low.overwritten(slot, memory_after)


RANDOM = {draw: _draw, draw_old: _draw_old}
"""By the row."""
