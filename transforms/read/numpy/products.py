"""Products of arrays: dot, matmul, tensordot, einsum and their kin, all by the row `contract`.

    A @ x   ->   contract(A, x; spec="ab,b->a")
"""
from __future__ import annotations

import string
from typing import Any

from s2s.errors import ArgumentValueError, ShapeError
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.arithmetic import multiply
from s2s.transforms.read.numpy.axes import normal_axis
from s2s.transforms.read.numpy.building import Operand, refuse, unsupported
from s2s.transforms.read.numpy.common import Shape, agreed, cast, lift, product, reshape, result_type, retyped, strong
from s2s.transforms.read.numpy.diagonals import diagonal
from s2s.transforms.read.numpy.reductions import sum_
from s2s.transforms.read.numpy.shapes import ravel
from s2s.types import BOOL, INT64, Array, Dim, Literal, dim_atom, is_float


def _operands(a: Operand, b: Operand) -> tuple[Value, Value]:
    """Two arrays of their common dtype: NumPy makes arrays of Python numbers first, so that they are not weak."""
    x, y = strong(lift(a)), strong(lift(b))
    dtype = result_type(x, y).dtype
    return cast(x, dtype), cast(y, dtype)


def contracted(x: Value, y: Value, first: str, second: str, result: str, *, summed: bool = True) -> Value:
    """Sum of products over named axes; equal letters' sizes are made to agree, letters of one operand alone are summed. `summed`: NumPy adds, beginning with 0.

    Axes whose size is the literal 1 in one operand and another size in the other are stretched (einsum does that).
    """
    of_one = summed and _are_sums_of_one(x, y, first, second, result)
    x, first = _stretched(x, first, second)
    y, second = _stretched(y, second, first)
    x, first = _summed(x, first, second + result)
    y, second = _summed(y, second, first + result)
    sizes: dict[str, Dim] = dict(zip(first, x.shape, strict=True))
    message = "operands could not be broadcast together with remapped shapes: {} and {} differ"
    for letter, dim in zip(second, y.shape, strict=True):
        known = sizes.get(letter, dim)
        sizes[letter] = agreed(x.builder, [known, dim], message, (dim_atom(known), dim_atom(dim)), stretch=True)
    x = retyped(x, tuple(sizes[letter] for letter in first))
    y = retyped(y, tuple(sizes[letter] for letter in second))
    found = _contract(x, y, f"{first},{second}->{result}")
    return found.builder.operators.add(found, found.like(0.0)) if of_one else found  # NumPy's sums begin with 0: no product of them is -0.0


def _are_sums_of_one(x: Value, y: Value, first: str, second: str, result: str) -> bool:
    """Whether each sum is known to be one product of floats."""
    sizes = [size for letters, value in ((first, x), (second, y)) for letter, size in zip(letters, value.shape, strict=True) if letter not in result]
    return all(isinstance(size, int) and size == 1 for size in sizes) and is_float(x.dtype)


def _stretched(x: Value, first: str, second: str) -> tuple[Value, str]:
    """Without the axes of literal length 1 that the other operand has, too."""
    kept = [k for k, letter in enumerate(first) if letter not in second or not (isinstance(x.shape[k], int) and x.shape[k] == 1)]
    return reshape(x, tuple(x.shape[k] for k in kept)), "".join(first[k] for k in kept)


def _summed(x: Value, letters: str, others: str) -> tuple[Value, str]:
    lonely = tuple(k for k, letter in enumerate(letters) if letter not in others)
    if not lonely:
        return x, letters
    if all(x.shape[k] == 1 for k in lonely):  # nothing to add
        return reshape(x, tuple(dim for k, dim in enumerate(x.shape) if k not in lonely)), "".join(letter for k, letter in enumerate(letters) if k not in lonely)
    return rows.reduce_sum(x, axes=lonely), "".join(letter for k, letter in enumerate(letters) if k not in lonely)


def _contract(x: Value, y: Value, spec: str) -> Value:
    if x.dtype == BOOL:
        counted = _contract(cast(x, INT64), cast(y, INT64), spec)
        return rows.not_equal(counted, counted.like(0))
    return rows.contract(x, y, spec=spec)


def matmul(a: Operand, b: Operand) -> Value:
    """a @ b: stacked matrices broadcast, vectors are rows on the left and columns on the right."""
    x, y = _operands(a, b)
    if not x.ndim or not y.ndim:
        raise ShapeError(
            f"matmul: Input operand {0 if not x.ndim else 1} does not have enough dimensions", where=x.builder.where, instead="`*` for scalars"
        )
    letters = string.ascii_lowercase
    stack = letters[3 : 3 + max(x.ndim, y.ndim) - 2] if max(x.ndim, y.ndim) > 2 else ""
    first = (stack[len(stack) - (x.ndim - 2) :] if x.ndim > 2 else "") + ("ab" if x.ndim > 1 else "b")
    second = (stack[len(stack) - (y.ndim - 2) :] if y.ndim > 2 else "") + ("bc" if y.ndim > 1 else "b")
    result = stack + ("a" if x.ndim > 1 else "") + ("c" if y.ndim > 1 else "")
    axis = 0 if y.ndim == 1 else y.ndim - 2
    x, y = _matched(x, y, x.ndim - 1, axis, f"{_MATMUL} (size {{1}} is different from {{0}})")
    return contracted(x, y, first, second, result)


_MATMUL = "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?)"


def _matched(x: Value, y: Value, axis: int, other: int, message: str) -> tuple[Value, Value]:
    """The two operands with the same size along a contracted axis, which is never stretched."""
    a, b = x.shape[axis], y.shape[other]
    dim = agreed(x.builder, [a, b], message, (dim_atom(a), dim_atom(b)))
    x = retyped(x, (*x.shape[:axis], dim, *x.shape[axis + 1 :]))
    return x, retyped(y, (*y.shape[:other], dim, *y.shape[other + 1 :]))


def dot(a: Operand, b: Operand, out: Any = None) -> Value:
    """The sum of products over a's last and b's last but one axis."""
    refuse("np.dot", out=out)
    x, y = _operands(a, b)
    if not x.ndim or not y.ndim:
        return multiply(x, y)
    return _along(x, y, x.ndim - 1, max(y.ndim - 2, 0), y.shape)


def _along(x: Value, y: Value, axis: int, other: int, shown: Shape) -> Value:
    """The contraction of one axis, with np.dot's words for lengths that differ; `shown`: the shape of y that they name."""
    shapes = " and ".join(f"({','.join('{}' for _ in shape)}{',' if len(shape) == 1 else ''})" for shape in (x.shape, shown))
    message = f"shapes {shapes} not aligned: {{}} (dim {axis}) != {{}} (dim {max(y.ndim - 2, 0)})"
    values = tuple(dim_atom(dim) for dim in (*x.shape, *shown, x.shape[axis], y.shape[other]))
    agreed(x.builder, [x.shape[axis], y.shape[other]], message, values)
    return _pairwise(x, y, (axis,), (other,), "shapes not aligned")


def _pairwise(x: Value, y: Value, axes: tuple[int, ...], others: tuple[int, ...], message: str, *, plain: bool = True) -> Value:
    """The contraction of given axes pairwise, all others kept: x's, then y's. `plain`: arrays of one element are multiplied, as np.dot does."""
    for axis, other in zip(axes, others, strict=True):
        x, y = _matched(x, y, axis, other, message)
    letters = iter(string.ascii_lowercase)
    first = [next(letters) for _ in range(x.ndim)]
    second = [first[axes[others.index(k)]] if k in others else next(letters) for k in range(y.ndim)]
    result = [c for k, c in enumerate(first) if k not in axes] + [c for k, c in enumerate(second) if k not in others]
    of_one_element = plain and all(isinstance(size, int) and size == 1 for size in (*x.shape, *y.shape))
    return contracted(x, y, "".join(first), "".join(second), "".join(result), summed=not of_one_element)


def inner(a: Operand, b: Operand) -> Value:
    """The sum of products over the last axes."""
    x, y = _operands(a, b)
    if not x.ndim or not y.ndim:
        return multiply(x, y)
    return _along(x, y, x.ndim - 1, y.ndim - 1, (*y.shape[:-2], *y.shape[-2:][::-1]))  # NumPy transposes it


def vdot(a: Operand, b: Operand) -> Value:
    """The dot product of flattened arrays, the first one conjugated."""
    x, y = _operands(a, b)
    if x.dtype.kind == "c":
        x = rows.conj(x)
    return _pairwise(ravel(x), ravel(y), (0,), (0,), "cannot dot vectors of lengths {} and {}", plain=False)


def outer(a: Operand, b: Operand, out: Any = None) -> Value:
    """All products of an element of a and one of b."""
    refuse("np.outer", out=out)
    x, y = (ravel(value) for value in _operands(a, b))
    return contracted(x, y, "a", "b", "ab", summed=False)


def tensordot(a: Operand, b: Operand, axes: Any = 2) -> Value:
    """The sum of products over the given axes: a number of them, or two lists."""
    x, y = _operands(a, b)
    first, second = (range(-axes, 0), range(axes)) if isinstance(axes, int) else ((each,) if isinstance(each, int) else tuple(each) for each in axes)
    if any(len(set(each)) < len(each) for each in (first, second)):
        raise ArgumentValueError("duplicate axes are not allowed in tensordot", where=x.builder.where)
    if len(first) != len(second):
        raise ShapeError("shape-mismatch for sum", where=x.builder.where)
    pairs: dict[int, int] = {}
    for axis, other in zip(first, second, strict=True):  # NumPy's order: of each pair the positions, then the sizes
        if pairs and not (-x.ndim <= axis < x.ndim and -y.ndim <= other < y.ndim):
            _fail(x, "IndexError", "tuple index out of range")
            break
        k, m = normal_axis(axis, x.ndim), normal_axis(other, y.ndim)
        x, y = _matched(x, y, k, m, "shape-mismatch for sum")
        if k not in pairs and m not in pairs.values():
            pairs[k] = m
    else:
        if len(pairs) < len(first):
            _fail(x, "ValueError", "axes don't match array")
    return _pairwise(x, y, tuple(pairs), tuple(pairs.values()), "shape-mismatch for sum")


def _fail(x: Value, exception: str, message: str) -> None:
    """Raise behind the checks of sizes so far."""
    x.builder.check(Literal(False, Array(BOOL)), exception, message)


def kron(a: Operand, b: Operand) -> Value:
    """The Kronecker product of vectors or of matrices."""
    x, y = _operands(a, b)
    ndim = max(x.ndim, y.ndim)
    x, y = (reshape(value, (*(1,) * (ndim - value.ndim), *value.shape)) for value in (x, y))
    letters = string.ascii_lowercase
    first, second = letters[:ndim], letters[ndim : 2 * ndim]
    pairs = "".join(p + q for p, q in zip(first, second, strict=True))
    found = contracted(x, y, first, second, pairs, summed=False)
    for axis in range(ndim):  # one after the other: a position on an axis is then one of two, whatever the other axes are
        found = reshape(found, (*found.shape[:axis], product(x.builder, found.shape[axis : axis + 2]), *found.shape[axis + 2 :]))
    return found


# ---- einsum ------------------------------------------------------------------------------------------------------------

ELLIPSIS = "..."
_LETTERS = string.ascii_uppercase + string.ascii_lowercase
"""What NumPy calls axes that are told by numbers: in the order of the numbers, which a result without an arrow goes by."""


def einsum(subscripts: Any, *operands: Operand, optimize: Any = False, out: Any = None) -> Value:
    """Sums of products named by letters; several operands are contracted from left to right."""
    refuse("np.einsum", out=out)
    if not isinstance(subscripts, str):
        subscripts, operands = _lettered((subscripts, *operands))
    inputs, result = einsum_letters(subscripts)
    if never := [letter for letter in result if letter.isalpha() and letter not in "".join(inputs)]:
        raise ArgumentValueError(f"einstein sum subscripts string included output subscript '{never[0]}' which never appeared in an input", where=lift(operands[0]).builder.where)
    if len(inputs) != len(operands):
        raise ArgumentValueError("more operands provided to einstein sum function than specified in the subscripts string", where=lift(operands[0]).builder.where)
    values = [strong(lift(operand)) for operand in operands]
    dtype = result_type(*values).dtype
    if optimize is not False and len(values) > 2 and any(value.dtype != dtype for value in values):
        raise unsupported("np.einsum(…, optimize=…) of three or more arrays of several dtypes is not supported", instead="arrays of one dtype: NumPy multiplies the first pair in theirs")
    values, inputs, result = _without_ellipses(values, inputs, result)
    terms = [_without_repeats(cast(value, dtype), letters, number) for number, (value, letters) in enumerate(zip(values, inputs, strict=True))]
    value, letters = terms[0]
    for k, (other, second) in enumerate(terms[1:], 1):
        later = result + "".join(each for _, each in terms[k + 1 :])
        kept = result if k == len(terms) - 1 else "".join(dict.fromkeys(c for c in letters + second if c in later))
        value, letters = contracted(value, other, letters, second, kept), kept
    value, letters = _summed(value, letters, result)
    axes = tuple(letters.index(letter) for letter in result)
    return value if axes == tuple(range(len(axes))) else rows.transpose(value, axes=axes)


def _lettered(given: tuple[Any, ...]) -> tuple[str, tuple[Operand, ...]]:
    """np.einsum(a, [0, 1], b, [1, 2], [0, 2]) as letters and operands."""
    operands, places = given[: len(given) // 2 * 2 : 2], given[1::2]
    result = given[-1:] if len(given) % 2 else ()

    def text(numbers: Any) -> str:
        if not isinstance(numbers, list | tuple) or any(not isinstance(each, int) and each is not ... for each in numbers):
            raise unsupported("np.einsum with places of axes that are no list of known integers is not supported", instead="np.einsum('ij,jk->ik', a, b)")
        if not all(each is ... or 0 <= each < len(_LETTERS) for each in numbers):
            raise ArgumentValueError(f"subscript is not within the valid range [0, {len(_LETTERS)})", where=lift(operands[0]).builder.where)
        return "".join(ELLIPSIS if each is ... else _LETTERS[each] for each in numbers)

    return ",".join(map(text, places)) + "".join(f"->{text(each)}" for each in result), operands


def einsum_letters(subscripts: str) -> tuple[list[str], str]:
    """The letters of each operand and of the result; without an arrow those that stand once, in the alphabet's order."""
    given, arrow, result = subscripts.replace(" ", "").partition("->")
    inputs = given.split(",")
    joined = "".join(inputs).replace(ELLIPSIS, "")
    around = ELLIPSIS if ELLIPSIS in given else ""
    return inputs, result if arrow else around + "".join(sorted(letter for letter in set(joined) if joined.count(letter) == 1))


def _without_ellipses(values: list[Value], inputs: list[str], result: str) -> tuple[list[Value], list[str], str]:
    """Letters for the axes of each ellipsis, the last ones of all operands being the same; where one has size 1 and another has not, it goes."""
    builder = values[0].builder
    counts = [value.ndim - len(letters.replace(ELLIPSIS, "")) if ELLIPSIS in letters else 0 for value, letters in zip(values, inputs, strict=True)]
    if any(letters.count(".") != (3 if ELLIPSIS in letters else 0) for letters in (*inputs, result)) or any(count < 0 for count in counts):
        raise ArgumentValueError("einstein sum subscripts string contains a '.' that is not part of an ellipsis ('...') or does not fit its operand", where=builder.where)
    most = max(counts)
    if most and ELLIPSIS not in result:
        raise ArgumentValueError("output has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to broadcast the extra dimensions.", where=builder.where)
    free = [letter for letter in string.ascii_letters if letter not in "".join((*inputs, result))]
    names = "".join(free[:most])
    texts = [letters.replace(ELLIPSIS, names[most - count :]) for letters, count in zip(inputs, counts, strict=True)]
    done = []
    for number, (value, letters) in enumerate(zip(values, texts, strict=True)):
        gone = [letter for letter in names if letter in letters and value.shape[letters.index(letter)] == 1 and _is_elsewhere(letter, number, values, texts)]
        kept = [axis for axis, letter in enumerate(letters) if letter not in gone]
        done.append((reshape(value, tuple(value.shape[axis] for axis in kept)) if gone else value, "".join(letters[axis] for axis in kept)))
    return [value for value, _ in done], [letters for _, letters in done], result.replace(ELLIPSIS, names)


def _is_elsewhere(letter: str, number: int, values: list[Value], texts: list[str]) -> bool:
    """Whether another operand has the axis with a size that is not 1, or, if none has, an earlier one has it."""
    others = [k for k, letters in enumerate(texts) if letter in letters and k != number]
    return any(values[k].shape[texts[k].index(letter)] != 1 or k < number for k in others)


def _without_repeats(value: Value, letters: str, number: int) -> tuple[Value, str]:
    """Diagonals taken for letters that stand twice in operand `number`; a size of 1 is not stretched here."""
    if len(letters) != value.ndim:
        raise ArgumentValueError(f"einstein sum subscripts string {letters!r} does not fit an operand of {value.ndim} dimensions", where=value.builder.where)
    for letter in letters:
        while letters.count(letter) > 1:
            first = letters.index(letter)
            second = letters.index(letter, first + 1)
            m, n = value.shape[first], value.shape[second]
            agreed(value.builder, [m, n], f"dimensions in operand {number} for collapsing index '{letter}' don't match ({{}} != {{}})", (dim_atom(m), dim_atom(n)))
            value = diagonal(value, 0, first, second)
            letters = letters[:first] + letters[first + 1 : second] + letters[second + 1 :] + letter
    return value, letters


def trace(a: Operand, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Value:
    """The sum of the diagonal."""
    return sum_(diagonal(a, offset, axis1, axis2), axis=-1)


__all__ = ["contracted", "dot", "einsum", "einsum_letters", "inner", "kron", "matmul", "outer", "tensordot", "trace", "vdot"]
