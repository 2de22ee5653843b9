"""Where carried values and the outs of branches are: which variables hold them, and how a block's results come there.

    u, v = v, u           x = x0; for …: x = x * a           y = 1.0 if test else 2.0
"""
from __future__ import annotations

from s2s.codegen.language.expressions import Expr, Name, names_read
from s2s.codegen.language.names import legal
from s2s.codegen.language.statements import Assign
from s2s.codegen.lowering.liveness import storage_root
from s2s.codegen.lowering.lowered import Slot, next_version
from s2s.codegen.lowering.places import Lazy
from s2s.codegen.lowering.storage import Storage
from s2s.errors import Location
from s2s.transforms.ir.program import If
from s2s.types import Atom, Var


def enter(low: Storage, carry: tuple[Var, ...], init: tuple[Atom, ...], outs: tuple[Var, ...], pinned: frozenset[Var]) -> list[Slot]:
    """Slots for the carried values, holding their initial values."""
    chosen: list[Slot] = []
    for var, start, out in zip(carry, init, outs, strict=True):
        slot = _shared(low, start, out, pinned, chosen)
        if slot is None:
            slot = _initial(low, var, start, out, chosen)
        slot.type = var.type
        chosen.append(slot)
        low.places.reserved.add(slot)
    for slot in chosen:
        low.flush(slot, except_for=[atom for atom in init if isinstance(atom, Var)])
        slot.occupant = None
    low.places.reserved.difference_update(chosen)
    return chosen


def _named_alike(slot: Slot, var: Var) -> bool:
    """Whether a scalar's variable may hold var too without misleading a reader."""
    return slot.hint == legal(var.name)


def _shared(low: Storage, start: Atom, out: Var, pinned: frozenset[Var], chosen: list[Slot]) -> Slot | None:
    """The initial value's own slot, where nothing else needs what it holds."""
    if not isinstance(start, Var):
        return None
    binding = low.places.binding(start)
    if isinstance(binding, Lazy) and start.type.shape and not low.live.after(start) and start not in pinned:
        binding = low.materialise(binding)
    if isinstance(binding, Lazy) or binding in chosen or low.live.after(start) or start in pinned:
        return None
    if not start.type.shape and not _named_alike(binding, out):
        return None
    if binding.name in low.places.size_slots or low.names.is_index(binding.name):
        return None
    return binding


def _initial(low: Storage, var: Var, start: Atom, out: Var, chosen: list[Slot]) -> Slot:
    """A slot of the carried value's own, with the initial value put in."""
    if start.type.shape:
        assert isinstance(start, Var)
        return low.fresh_copy(start, low.stored(start))
    hint = low.places.hints.get(out)
    slot = hint if hint is not None and hint not in chosen and low.places.takeable(hint, var, consumed=False) else low.places.slot(var)
    value = low.scalar(start)
    low.flush(slot)
    if value != Name(slot.name):
        low.out.emit(Assign((slot.name,), (value,), low.out.where))
    slot.occupant, slot.version = None, next_version()
    return slot


def hold(low: Storage, slots: list[Slot], carry: tuple[Var, ...]) -> None:
    """The variables hold these values from here on."""
    for slot, var in zip(slots, carry, strict=True):
        low.places.occupy(slot, var)
        low.bounds.bind(var)


def hint_results(low: Storage, results: tuple[Atom, ...], slots: list[Slot]) -> None:
    """A block's results are best computed right where they will be carried."""
    for atom, slot in zip(results, slots, strict=True):
        if isinstance(atom, Var) and atom not in low.places.env:
            low.places.hints.setdefault(atom, slot)


def leave(low: Storage, slots: list[Slot], results: tuple[Atom, ...]) -> None:
    """At a block's end: bring its results into the slots."""
    moves: list[tuple[Slot, Atom | Slot, Location]] = []
    for slot, atom in zip(slots, results, strict=True):
        where = low.out.where
        if not atom.type.shape:
            if isinstance(atom, Var) and isinstance(low.places.env.get(atom), Lazy):
                where = low.places.env[atom].where
            moves.append((slot, atom, where))
            continue
        binding = low.array(atom)
        if isinstance(binding, Lazy):
            where = binding.where
            assert isinstance(atom, Var)
            into = slot if slot.occupant is None or not low.live.now(slot.occupant) else None
            binding = low.materialise(binding, into)
        if binding is not slot:
            moves.append((slot, binding, binding.where))
    _move(low, moves, results)


def _move(low: Storage, moves: list[tuple[Slot, Atom | Slot, Location]], results: tuple[Atom, ...]) -> None:
    pairs: list[tuple[Slot, Expr, Location]] = []
    given: set[Slot] = set()
    taken: set[Slot] = set()
    for slot, source, where in sorted(moves, key=lambda move: not isinstance(move[1], Slot)):  # arrays may be copied right away
        if isinstance(source, Slot):
            occupant = source.occupant
            assert occupant is not None
            if low.live.after(occupant) or results.count(occupant) > 1:
                if _replaceable(low, slot, occupant):
                    low.flush(slot)
                    low.copy_into(slot, occupant)
                    slot.occupant, slot.version = None, next_version()
                    continue
                source = low.fresh_copy(occupant, source)
            if low.same_shape(source.type, slot.type):
                low.swaps.append((slot, source))
            source.moved = slot.rebound = True
            slot.aliases.add(source)
            source.aliases.add(slot)
            pairs.append((slot, Name(source.name), where))
            given.add(source)
            taken.add(slot)
        else:
            value = low.scalar(source)
            if value != Name(slot.name):
                pairs.append((slot, value, where))
    for slot in given | taken:
        slot.lost = slot not in taken
    while pairs:
        ready = next((pair for pair in pairs if not any(pair[0].name in names_read(value) for target, value, _ in pairs if target is not pair[0])), None)
        if ready is None:
            low.out.emit(Assign(tuple(slot.name for slot, _, _ in pairs), tuple(value for _, value, _ in pairs), pairs[0][2],
                             move=any(slot.type.shape for slot, _, _ in pairs)))
            return
        low.out.emit(Assign((ready[0].name,), (ready[1],), ready[2], move=bool(ready[0].type.shape)))
        pairs.remove(ready)


def _replaceable(low: Storage, slot: Slot, var: Var) -> bool:
    """Whether a slot's storage can be filled with an array's elements: nothing needs what it holds."""
    if slot.fresh or slot.lost:
        return slot.fresh
    dead = slot.occupant is None or not low.live.now(slot.occupant)
    return dead and low.same_shape(slot.type, var.type)


def targets(low: Storage, node: If) -> list[Slot]:
    """The slots in which an If's outs will be, whichever branch is taken."""
    chosen: list[Slot] = []
    for number, out in enumerate(node.outs):
        slot = low.places.hints.get(out)
        if slot is None or slot in chosen or (slot.occupant is not None and low.live.after(slot.occupant)):
            slot = _root_slot(low, node, number, chosen)
        if slot is None:
            slot = low.places.slot(out)
            slot.fresh = bool(out.type.shape)
        chosen.append(slot)
    return chosen


def _root_slot(low: Storage, node: If, number: int, chosen: list[Slot]) -> Slot | None:
    for block in (node.then, node.orelse):
        root = storage_root(block, block.results[number])
        binding = low.places.env.get(root) if isinstance(root, Var) else None
        if (isinstance(root, Var) and isinstance(binding, Slot) and binding not in chosen and not low.live.after(root)
                and binding.occupant is root and binding in low.places.slots
                and (root.type.shape or _named_alike(binding, node.outs[number]))):
            return binding
    return None
