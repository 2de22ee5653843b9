"""What NumPy makes as quickly as a compiled kernel is NumPy's, where it is large: a first call then compiles nothing.

    def _f(a, b, dot):                                          def f(a, b):
        n, m, k = a.shape                                           …
        if k != b.shape[1]:                                         n, m, k = a.shape
            raise ValueError('…', k, …)                             if k != b.shape[1]:
        for i in range(n):                          ->                  raise ValueError(f'…')
            if r > 8 or m * r * k > 1750:                           if r > 8 or m * r * k > 1750:
                matmul(100, m, k, r, a[i], …, dot[i], False)            product(a, b, dot)
            else:                                                   else:
                small_product(a[i], …, dot[i], …)                       _f(a, b, dot)

The rule: all that the function does, after checks of sizes, is one product of matrices by BLAS, or one for each example of a batch. Both call OpenBLAS. A single product is NumPy's from
`Tuning.numpy_product_from` multiplications on, where a call of NumPy costs nothing beside it, a batch's wherever it is BLAS's. Small products, sums and other loops are compiled, when they are first met.
"""
from __future__ import annotations

from collections.abc import Iterator

from s2s.codegen.language.expressions import Constant, Expr, Formatted, Load, Name, Number, Op, integer, names_read
from s2s.codegen.language.operations import AND, GREATER, MULTIPLY, apply, attribute
from s2s.codegen.language.statements import ONE, ZERO, Body, CallKernel, IfElse, Loop, Raise, Statement
from s2s.codegen.lowering.lowered import Lowered, Slot
from s2s.codegen.runtime.small_products import CALLS
from s2s.records import replace
from s2s.tuning import TUNING

PRODUCT = "product"
_RESULTS = 4096
"""Elements of a product up to which the compiled one adds its terms up in pieces (`helpers.matmul`)."""


def by_numpy(kernel: Lowered) -> tuple[Lowered, Lowered | None] | None:
    """The statements of the public function, and the kernel that is left, if one is; None where the kernel is compiled as it stands."""
    buffers = {buffer.name for buffer in kernel.buffers}
    if not all(isinstance(result, Slot) and result.name in buffers for result in kernel.results) or any(slot.written or slot.rebound for slot in kernel.params):
        return None
    if not kernel.body or not all(map(_is_check, kernel.body[:-1])):
        return None
    last = kernel.body[-1]
    left: Body = (last,)
    if isinstance(last, CallKernel):
        made, test = _product(last, None), _is_large(last)
    elif isinstance(last, Loop) and (last.lo, last.step) == (ZERO, ONE) and len(last.body) == 1:
        large, test, small = _parted(last.body[0], kernel.size_names)
        made = None if large is None else _product(large, Name(last.index))
        left = (replace(last, body=small),)
    else:
        return None
    if made is None:
        return None
    told = tuple(map(_plainly, kernel.body[:-1]))
    if test is None:
        return replace(kernel, body=(*told, made), plain=True), None
    names = (*(slot.name for slot in kernel.params), *(buffer.name for buffer in kernel.buffers))
    compiled = CallKernel((), kernel.name, tuple(map(Name, names)), last.where, made.writes)
    choice = IfElse(test, (made,), (compiled,), last.where)
    return replace(kernel, body=(*told, choice), plain=True), replace(kernel, results=(), body=left)


def _is_check(statement: Statement) -> bool:
    match statement:
        case IfElse(then=(Raise(examples=(), made="", args=(Constant(), *_)),), orelse=()):
            return True
        case _:
            return False


def _plainly(check: Statement) -> Statement:
    """A check with its message as an f-string."""
    assert isinstance(check, IfElse) and isinstance(check.then[0], Raise)
    error = check.then[0]
    message, *values = error.args
    assert isinstance(message, Constant)
    shown = (Formatted(str(message.value), tuple(values)),) if values or set("{}") & set(str(message.value)) else error.args
    return replace(check, then=(replace(error, args=shown),))


def _parted(statement: Statement, sizes: frozenset[str]) -> tuple[CallKernel | None, Expr | None, Body]:
    """What BLAS makes of each example, where it does (None: always), and what stands there for those that are too small for it."""
    match statement:
        case CallKernel():
            return statement, None, ()
        case IfElse(test=test, then=(CallKernel() as large,), orelse=(CallKernel(kernel=kernel),)) if kernel in CALLS and names_read(test) <= sizes:
            return large, test, statement.orelse
        case _:
            return None, None, ()


def _is_large(call: CallKernel) -> Expr | None:
    """Whether a call of NumPy costs nothing beside a product."""
    if call.kernel != "matmul":
        return None
    _kind, rows, inner, columns, *_ = call.args
    results = apply(MULTIPLY, rows, columns)
    return Op(AND, (Op(GREATER, (results, integer(_RESULTS))), Op(GREATER, (apply(MULTIPLY, results, inner), integer(TUNING.numpy_product_from)))))


def _product(call: CallKernel, index: Expr | None) -> CallKernel | None:
    """product(a, b, out) in the place of BLAS's call, for whole matrices, or with `index` for those of all examples."""
    if call.kernel != "matmul" or call.args[-1] != Number(False):
        return None
    _kind, _rows, _inner, _columns, a, a_turned, b, b_turned, out, _more = call.args
    matrices = [*_whole(a, a_turned, index), *_whole(b, b_turned, index)]
    stored = out if index is None else Name(out.array) if isinstance(out, Load) and out.index == (index,) else None
    if len(matrices) != 2 or not isinstance(stored, Name):
        return None
    return CallKernel((), PRODUCT, (*matrices, stored), call.where, (stored.id,))


def _whole(matrix: Expr, turned: Expr, index: Expr | None) -> Iterator[Expr]:
    """A matrix, or all examples' ones."""
    of_all = isinstance(matrix, Load) and index is not None and matrix.index == (index,)
    whole = Name(matrix.array) if isinstance(matrix, Load) and of_all else matrix
    if isinstance(whole, Name) and turned in (Number(False), Number(True)):
        yield apply(attribute("mT" if of_all else "T"), whole) if turned == Number(True) else whole
