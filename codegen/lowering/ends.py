"""What a function's parameters and results hold in the end."""
from __future__ import annotations

from s2s.codegen.language.expressions import Expr, Name
from s2s.codegen.language.statements import Body, Store, walk
from s2s.codegen.lowering.lowered import Slot, is_param
from s2s.codegen.lowering.storage import Storage, may_hold_param, sharing
from s2s.types import Atom, Var


def free_sums(low: Storage) -> frozenset[str]:
    """The sums of whole arrays, and every scalar that a derivative accumulates."""
    scalars = {slot.name for slot in low.places.slots if not slot.type.shape and slot.type.dtype.kind in "fc"} if low.function.derived else set()
    return frozenset(low.accumulators | scalars | _arrays_of_sums(tuple(low.out.statements), low.accumulators))


def protected(low: Storage, param: Var) -> Slot:
    """A param whose variable would change hands is worked on in a copy."""
    slot = low.places.env[param]
    assert isinstance(slot, Slot)
    copy = low.copied(param, slot)
    slot.occupant, copy.occupant = None, param
    return copy


def result_of(low: Storage, atom: Atom) -> Expr | Slot:
    """What a function returns for one of its results."""
    if not atom.type.shape:
        return low.scalar(atom)
    binding = low.array(atom)
    slot = binding if isinstance(binding, Slot) else binding.same or low.materialise(binding)
    if not is_param(slot) and may_hold_param(slot):
        assert isinstance(atom, Var)
        copy = low.fresh_copy(atom, slot)  # else the caller would get its own array back under another name
        copy.occupant = atom
        return copy
    return slot


def bring_home(low: Storage, homes: dict[Var, Slot]) -> None:
    """What mutated parameters contain in the end is put into their own arrays."""
    for param, number in low.mutated:
        home, atom = homes[param], low.function.body.results[number]
        assert isinstance(atom, Var)
        if low.places.binding(atom) is home:
            continue
        for other in low.function.body.results:
            binding = low.places.env.get(other)  # type: ignore[arg-type]
            if isinstance(binding, Slot) and binding is not home and other is not atom and home in sharing(binding):
                low.places.occupy(low.fresh_copy(other, binding), other)  # type: ignore[arg-type]
        if home.occupant is not None and low.live.now(home.occupant):
            occupant = home.occupant
            low.places.occupy(low.fresh_copy(occupant, home), occupant)
        for slot in sorted(sharing(home), key=lambda each: each.name):
            low.flush(slot, except_for=(atom,) if slot is home else ())
        low.refill(home, atom)
        low.overwritten(home, atom)


def spread_writes(low: Storage) -> None:
    """A store into a buffer is a store into every variable that may have held it."""
    changed = True
    while changed:
        changed = False
        for slot in low.places.slots:
            for other in slot.aliases:
                if slot.written and not other.written:
                    other.written = changed = True


def _arrays_of_sums(body: Body, accumulators: set[str]) -> set[str]:
    """The arrays that get nothing but finished sums: where one becomes a scalar, the sum takes its name."""
    stored: dict[str, bool] = {}
    for each in walk(body):
        if isinstance(each, Store):
            is_sum = isinstance(each.value, Name) and each.value.id in accumulators and not each.op
            stored[each.array] = stored.get(each.array, True) and is_sum
    return {array for array, only_sums in stored.items() if only_sums}
