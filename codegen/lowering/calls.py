"""Calls of kernels: what is handed over, what is written into, where results are."""
from __future__ import annotations

from s2s.codegen.language.expressions import Expr, Name, Number, names_read
from s2s.codegen.language.statements import CallKernel
from s2s.codegen.lowering.lowered import Lowered, Slot, is_param, next_version
from s2s.codegen.lowering.places import Lazy
from s2s.codegen.lowering.storage import Storage
from s2s.records import dataclass, field
from s2s.transforms.ir.program import Call
from s2s.types import Var


def lower_call(low: Storage, node: Call) -> None:
    """targets = kernel(args): arrays that it writes into are its own from there on."""
    kernel = low.kernels[node.function]
    args, owned = _arguments(low, node, kernel)
    _part(low, node, args, owned)
    _bind_literals(low, node, kernel)
    results = _results(low, node, kernel, owned)
    _flush(low, results.stored)
    for number, atom in enumerate(node.ins):
        if not atom.type.shape:  # what was written out just now is a variable
            args[number] = low.scalar(atom)
    writes = tuple(slot.name for slot in owned.values())
    low.out.emit(CallKernel(tuple(results.targets), kernel.name, tuple(args), node.where, writes))
    for slot in owned.values():
        slot.written, slot.occupant, slot.version = True, None, next_version()
    for out, slot in results.finals.values():
        if out.type.shape:
            slot.moved = True
        low.places.occupy(slot, out)
        low.bounds.bind(out)
    for out, result in results.again:
        first, slot = results.finals[result]
        low.rename_lazily(out, first, slot)


def _arguments(low: Storage, node: Call, kernel: Lowered) -> tuple[list[Expr], dict[int, Slot]]:
    """The arguments as expressions, and the storages that the kernel writes into, by the argument's number."""
    args: list[Expr] = []
    owned: dict[int, Slot] = {}
    for number, (atom, param) in enumerate(zip(node.ins, kernel.params, strict=True)):
        if not atom.type.shape:
            args.append(low.scalar(atom))
        elif param.written:
            later = node.ins[number + 1:].count(atom) or node.ins[:number].count(atom)
            slot = low.fresh_copy(atom, low.stored(atom)) if later else low.own(atom)  # type: ignore[arg-type]
            owned[number] = slot
            args.append(Name(slot.name))
        else:
            args.append(low.array_argument(atom))
    return args, owned


@dataclass
class _Results:
    """Where a call's results are: `targets` are bound, `stored` their storages; `finals`: of each storage of the kernel's the variable that has it and where; `again`: those that are another result too."""

    targets: dict[str, None] = field(default_factory=dict)
    stored: list[Slot] = field(default_factory=list)
    finals: dict[Slot, tuple[Var, Slot]] = field(default_factory=dict)
    again: list[tuple[Var, Slot]] = field(default_factory=list)


def _results(low: Storage, node: Call, kernel: Lowered, owned: dict[int, Slot]) -> _Results:
    """Storage for what the kernel gives back; a result that is an argument is that argument."""
    made = _Results()
    numbers = {slot: number for number, slot in enumerate(kernel.params)}
    for out, result in zip(node.outs, kernel.results, strict=True):
        if isinstance(result, Slot) and result in made.finals:
            made.again.append((out, result))
        elif is_param(result):
            number = numbers[result]  # type: ignore[index]
            if number in owned:
                made.finals[result] = (out, owned[number])  # type: ignore[index]
            else:
                low.rename_lazily(out, node.ins[number], low.stored(node.ins[number]))
        elif not isinstance(result, Number):
            slot = low.places.scalar_slot(out, consumed=True) if not out.type.shape else low.places.slot(out)
            if slot.name in made.targets:
                slot = low.places.slot(out)
            made.targets[slot.name] = None
            made.stored.append(slot)
            made.finals[result if isinstance(result, Slot) else slot] = (out, slot)
    return made


def _flush(low: Storage, slots: list[Slot]) -> None:
    """Write out what is lazy and reads what the call is about to store into; not into any of these."""
    reserved = set(low.places.reserved)
    low.places.reserved.update(slots)
    for slot in slots:
        low.flush(slot)
    low.places.reserved = reserved


def _part(low: Storage, node: Call, args: list[Expr], owned: dict[int, Slot]) -> None:
    """What the function writes into is in no other array that it is given: that may be the same storage under another name."""
    for number, slot in owned.items():
        others = (arg for other, arg in enumerate(args) if other != number and node.ins[other].type.shape)
        if any(slot.name in names_read(arg) for arg in others):
            atom = node.ins[number]
            assert isinstance(atom, Var)
            owned[number] = low.fresh_copy(atom, slot)
            args[number] = Name(owned[number].name)


def _bind_literals(low: Storage, node: Call, kernel: Lowered) -> None:
    for out, result in zip(node.outs, kernel.results, strict=True):
        if isinstance(result, Number):
            low.places.bind_lazily(Lazy(out, node.where, {}, True, expr=result))
