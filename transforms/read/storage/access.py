"""Arrays as they are now: what a view sees, and what a store through it changes."""
from __future__ import annotations

import numpy as np

from s2s.errors import ArgumentValueError
from s2s.transforms.ir.program import If
from s2s.transforms.primitives import rows, structural
from s2s.transforms.primitives.indexing import At, getitem, setitem
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.failures import MayBeAnother, NeedsInline, ToBePooled
from s2s.transforms.read.numpy.common import retyped
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.cells import content_of, put_content
from s2s.transforms.read.storage.exchange import may_stand_for, separate
from s2s.transforms.read.storage.plans import array_plans
from s2s.transforms.read.storage.selected import options_of, seen_through, stored_into_each, test_of, version
from s2s.transforms.read.storage.visibility import matters
from s2s.transforms.read.values import Abstract, Cell, Component, ListRef, Part, Reshaped, Selected, Step, Transposed, View, storages_of
from s2s.types import Array, Atom, Dim, Var, dim_atom


def new_array(reader: Reader, atom: Atom, name: str = "") -> View:
    """A new storage cell with this content."""
    cell = Cell(name, contiguous=len(atom.type.shape) < 2)
    reader.heap[cell] = atom
    return View(cell)


def is_zero_dim(reader: Reader, value: Abstract) -> bool:
    """Whether it is an array without axes: a storage that holds a scalar, where a NumPy scalar is an atom."""
    if not isinstance(value, View):
        return False
    steps = tuple(step for step in value.steps if not isinstance(step, Component))
    match steps[-1:]:
        case (Part(index=index),):
            return all(isinstance(item, At) for item in index)
        case (Transposed(axes=each) | Reshaped(dims=each),):
            return not each
    return not reader.heap[value.cell].type.shape


def is_contiguous(reader: Reader, value: Abstract) -> bool:
    """Whether an operand is surely in C order: NumPy's results have their operands' order."""
    if isinstance(value, View):
        return value.cell.contiguous and all(isinstance(step, Reshaped) for step in value.steps)
    if isinstance(value, tuple | ListRef):
        content = value if isinstance(value, tuple) else reader.heap[value]
        return not isinstance(content, tuple) or all(is_contiguous(reader, item) for item in content)
    return True


def ordered(reader: Reader, result: Abstract, *operands: Abstract) -> Abstract:
    """The result, known to be in C order if all operands are, or if arguments are."""
    if isinstance(result, View) and not result.steps and result.cell.owner is None and not result.cell.contiguous:
        followed = _followed(reader, operands)
        result.cell.contiguous = followed == frozenset()
        result.cell.follows = followed or frozenset()
    return result


def of_elements(reader: Reader, result: Abstract, *operands: Abstract, order: str = "K") -> Abstract:
    """The result of an elementwise function, which lies as its operands do."""
    if isinstance(result, View) and not result.steps and result.cell.owner is None and not result.cell.contiguous:
        if order == "C":
            return laid_out(reader, result, order, None)
        result.cell.like = f"ufunc {order}", operands
    return ordered(reader, result, *operands)


def laid_out(reader: Reader, result: Abstract, order: str | None, of: Abstract) -> Abstract:
    """A new array that was asked for in this order: C's, Fortran's, or as another one lies ("K", "A")."""
    if not isinstance(result, View) or result.steps or result.cell.owner is not None or reader.heap[result.cell].type.ndim < 2:
        return result
    cell = result.cell
    cell.contiguous, cell.follows, cell.like = order == "C", frozenset(), None
    if order == "F":
        cell.like = "F", ()
    elif order != "C":
        ordered(reader, result, of)
        if not cell.contiguous and isinstance(of, View):
            cell.like = order or "K", (of,)
    return result


def _followed(reader: Reader, value: Abstract) -> frozenset[Cell] | None:
    """The caller's storages that must be in C order for these operands to be; None where more is asked."""
    if isinstance(value, View):
        if not all(isinstance(step, Reshaped) for step in value.steps):
            return None
        if value.cell.contiguous:
            return frozenset()
        if value.cell.strides is not None:
            return None
        return frozenset((value.cell,)) if value.cell.owner is not None else value.cell.follows or None
    if not isinstance(value, tuple | ListRef):
        return frozenset()
    content = value if isinstance(value, tuple) else reader.heap[value]
    each = [_followed(reader, item) for item in content] if isinstance(content, tuple) else []
    return None if None in each else frozenset().union(*each)  # type: ignore[arg-type]


def load(reader: Reader, view: View) -> Value:
    """What a view sees now."""
    if view.cell.selected is not None:
        return _load_selected(reader, view, view.cell.selected)
    content = content_of(reader, view.cell)
    value = reader.value(content)
    for number, step in enumerate(view.steps):
        key = ("view", content, view.steps[: number + 1])
        if key not in reader.builder.numbered:
            reader.builder.numbered[key] = _forward(reader, value, step).atom
        value = reader.value(reader.builder.numbered[key])
    return value


def _load_selected(reader: Reader, view: View, selected: Selected) -> Value:
    key = ("selected", view.key, version(reader, view.cell))
    if key not in reader.builder.numbered:
        test, type_ = test_of(reader, selected), _type_seen(reader, view)
        out = Var(view.cell.name or "selected", type_)
        reader.named.add(out)
        blocks = []
        for option in options_of(selected):
            branch = reader.fork()
            with reader.inside(branch):
                found = retyped(load(reader, seen_through(option, view)), type_.shape)
                blocks.append(reader.builder.block(found.atom))
        then, orelse = blocks
        reader.builder.add(If((out,), test, then, orelse, reader.builder.where))
        reader.builder.numbered[key] = out
    return reader.value(reader.builder.numbered[key])


def _type_seen(reader: Reader, view: View) -> Array:
    """The type of what a view of a selected storage sees; nothing is built."""
    with reader.inside(reader.fork()):
        value = reader.value(reader.heap[view.cell])
        for step in view.steps:
            value = _forward(reader, value, step)
        return value.type


def shape_of(reader: Reader, view: View) -> tuple[Dim, ...]:
    """The dimensions of a view (nothing is built that stays)."""
    return load(reader, view).shape


def store_view(reader: Reader, view: View, new: Value) -> None:
    """Make a view hold `new` (of its dtype and shape) from here on: every alias sees it."""
    check_writable(reader, view.cell)
    if view.cell.selected is not None:
        stored_into_each(reader, view, lambda option: store_view(reader, option, retyped(reader.value(new.atom), load(reader, option).shape)))
        return
    olds = [reader.value(content_of(reader, view.cell))]
    for number in range(1, len(view.steps)):
        olds.append(load(reader, View(view.cell, view.steps[:number])))
    for old, step in zip(reversed(olds), reversed(view.steps), strict=False):
        new = _back(reader, old, new, step)
    content = reader.heap[view.cell]
    if content.type.shape != new.shape:
        new = structural.retype(new, *(reader.value(dim_atom(dim)) for dim in content.type.shape))
    reader.name_var(new.atom, view.cell.name)
    put_content(reader, view.cell, new.atom)


def check_writable(reader: Reader, cell: Cell) -> None:
    """Refuse to write where it is not known which arrays would change."""
    if cell.selected is not None:
        for each in storages_of(cell):
            _check_selected(reader, each)
        return
    if cell.owner is not None and not content_of(reader, cell).type.shape:
        raise reader.unsupported(f"a store into {cell.owner}, an array without axes", "an array of one element: np.zeros(1)")
    if cell.read_only:
        raise ArgumentValueError("assignment destination is read-only", where=reader.builder.where)
    if cell.frozen:
        error = reader.unsupported(
            "a store into an item of a list whose length is known only at run time",
            "one array (np.zeros((n, m))) instead of a list of arrays or lists, or put a changed copy into a new list",
        )
        plans = () if reader.unrollable else array_plans(View(cell))
        raise ToBePooled(error, plans) if plans else error
    if cell.of_list:
        return
    same = may_stand_for(cell, reader.parked)
    others = {other for each in same for other in reader.aliases.get(each, ())}
    for other in sorted(others, key=lambda other: (other.owner or "", other.name, other.born)):  # the same one is told each time
        if other not in same and other.selected is None and is_reachable(reader, other):
            if reader.can_be_inlined:
                raise NeedsInline  # the caller may know more about its arrays
            one, two = cell.name or "this array", other.owner or other.name or "another array"
            refusal = reader.unsupported(
                f"a store into {one}, which may or may not be the same array as {two}",
                why="which of the two it is depends on the path taken or on the memory layout",
                instead=f"make it an array of its own first, for example {one if one.isidentifier() else 'x'} = np.copy(…)",
            )
            raise MayBeAnother(refusal, cell.merged | other.merged)


def _check_selected(reader: Reader, cell: Cell) -> None:
    """One of the storages that a store may go into."""
    if cell.read_only:
        raise reader.unsupported(
            f"a store into {cell.name or 'an array'}, which is read-only on one path, and not on another", "np.copy(…) of it on the path where it is",
        )
    check_writable(reader, cell)


def may_share(reader: Reader, one: Cell, two: Cell) -> bool:
    """Whether two storages are, or may be, the same."""
    return not separate(one, two, reader.state())


def is_reachable(reader: Reader, cell: Cell) -> bool:
    """Whether anything that is still used later, or the caller, can see this storage."""
    return matters(reader, (cell,), frozenset(), reader.frame.live, (reader.state(),))


def _forward(reader: Reader, value: Value, step: Step) -> Value:
    match step:
        case Part():
            with reader.builder.at(step.where):  # where it was made: the caller's own arrays are looked at as late as they are needed
                return getitem(value, *(reader.value(atom) for atom in step.operands), index=step.index)
        case Transposed():
            return structural.transpose(value, axes=step.axes)
        case Component():
            return rows.real(value) if step.is_real else rows.imag(value)
        case Reshaped() if step.dims == value.shape:
            return value
        case Reshaped():
            return structural.reshape(value, *(reader.value(dim_atom(dim)) for dim in step.dims))


def _back(reader: Reader, old: Value, new: Value, step: Step) -> Value:
    """The array before a step, from the one behind it."""
    match step:
        case Part():
            return setitem(old, new, *(reader.value(atom) for atom in step.operands), index=step.index)
        case Transposed():
            return structural.transpose(new, axes=tuple(int(axis) for axis in np.argsort(step.axes)))
        case Reshaped():
            return structural.reshape(new, *old.dims())
        case Component():
            return rows.complex_(new, rows.imag(old)) if step.is_real else rows.complex_(rows.real(old), new)


def in_pythons_order(reader: Reader, ref: ListRef) -> None:
    """Refuse what would see the places of a heap's items: heapq puts run-time values elsewhere (`calls/queues.py`)."""
    if ref in reader.session.heaps:
        raise reader.unsupported("the items of a heap of run-time values, other than the first", "heapq.heappop, heap[0], len(heap)", "they stand in another order")
