"""Arrays that the entry kernel allocates at its top level become parameters: the public function allocates them.

    def _f(x):                          def _f(x, y):
        y = np.empty(n)                     for i in range(n):
        for i in range(n):        ->            y[i] = 2.0 * x[i]
            y[i] = 2.0 * x[i]

What NumPy allocates is kept from call to call by malloc or backed by huge pages; what compiled code allocates is not.
"""
from __future__ import annotations

from collections import Counter

from s2s.codegen.language.effects import effects_of
from s2s.codegen.language.expressions import Constant, Expr, Length, Load, Name, Number, names_read, size
from s2s.codegen.language.expressions import walk as walk_expression
from s2s.codegen.language.searching import substitute
from s2s.codegen.language.statements import ONE, ZERO, Alloc, Assign, CallKernel, Loop, Raise, Statement, Store, walk
from s2s.codegen.lowering.kernel import Buffer
from s2s.codegen.lowering.lowered import Lowered
from s2s.codegen.passes.tables import tables
from s2s.codegen.passes.tidy import possible
from s2s.records import replace

ZEROS = (Number(0), Number(0.0), Number(False), Name("f4_0"), Name("i4_0"))

LARGEST = 64
"""Operations and operands of a size that the public function computes: sizes made of sizes grow with each, and twice as fast where one is used twice."""
NEGATIVE = (Constant("negative dimensions are not allowed"),)
"""What NumPy says of an allocation of negative length."""


def allocated_outside(kernel: Lowered) -> Lowered:
    """The kernel without the allocations whose sizes its parameters tell; they are its `buffers`."""
    assigned = Counter(target for each in walk(kernel.body) if isinstance(each, Assign) for target in each.targets)
    known: dict[Expr, Expr] = {Name(name): Length(array, axis) for name, (array, axis) in kernel.sizes.items()}
    available = {name for name in kernel.param_names if name not in assigned}

    def is_told(expr: Expr) -> bool:
        return size(expr) <= LARGEST and names_read(expr) <= available and not any(isinstance(part, Load) for part in walk_expression(expr))

    body: list[Statement] = []
    found: list[tuple[Alloc, Alloc]] = []
    ranges = kernel.ranges
    may_fail = False
    for statement in kernel.body:
        may_fail = may_fail or _may_fail(statement)
        ranges.after(statement)
        if isinstance(statement, Assign) and len(statement.targets) == 1 and assigned[statement.targets[0]] == 1:
            value = substitute(statement.values[0], known)
            if is_told(value):
                known[Name(statement.targets[0])] = value
        if isinstance(statement, Alloc):
            shape = tuple(substitute(length, known) for length in (possible(statement, ranges) if may_fail else statement).shape)
            if all(map(is_told, shape)):
                found.append((statement, replace(statement, shape=shape)))
                continue
        body.append(statement)
    buffers: list[Buffer] = []
    first: dict[str, int] = {}
    for number, statement in reversed(list(enumerate(body))):
        first.update(dict.fromkeys(effects_of(statement).touched, number))
    fills: set[int] = set()
    known_tables = tables((*(inside for inside, _ in found), *body), kernel.kept)
    for inside, outside in found:
        table = known_tables.get(inside.name)
        zeroed = table is None and inside.name in first and _is_zero_fill(body[first[inside.name]], inside)
        fills |= {first[inside.name]} if zeroed else {number - len(found) for number in table.stores} if table is not None else set()
        buffers.append(Buffer(outside.name, outside.shape, outside.dtype, zeroed, table.numbers if table is not None else ()))
    return replace(kernel, body=tuple(statement for number, statement in enumerate(body) if number not in fills), buffers=tuple(buffers))


def _may_fail(statement: Statement) -> bool:
    """Whether a statement may raise something else than an allocation of negative length does."""
    return any(isinstance(each, CallKernel) or isinstance(each, Raise) and each.args[:1] != NEGATIVE for each in walk([statement]))


def _is_zero_fill(statement: Statement, array: Alloc) -> bool:
    """Whether a statement is the loop nest that stores 0 in every element of a new array."""
    index: list[Expr] = []
    for length in array.shape:
        if not isinstance(statement, Loop) or (statement.lo, statement.hi, statement.step) != (ZERO, length, ONE) or len(statement.body) != 1:
            return False
        index.append(Name(statement.index))
        statement = statement.body[0]
    return isinstance(statement, Store) and (statement.array, statement.index) == (array.name, tuple(index)) and not statement.op and statement.value in ZEROS
