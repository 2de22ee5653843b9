"""eval_shape: a function's program is read once for each kind of arguments; a call then only works out sizes."""
from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from s2s.calls.guards import enter_and_look
from s2s.calls.leaves import example, has_type
from s2s.calls.request import Request, leaf_names, request_of
from s2s.calls.rewrite import program_of
from s2s.calls.transformations import JIT, of
from s2s.calls.transformed import Transformed
from s2s.errors import SizesError, UnsupportedError
from s2s.records import dataclass, field
from s2s.shape_dtype import ShapeDtypeStruct
from s2s.transforms.ir.one_kind import of_one_kind
from s2s.transforms.ir.program import Function
from s2s.transforms.ir.staged import Called, Doubtful, Result, Staged, Wording
from s2s.transforms.shapes import result_shapes
from s2s.tree_util import tree_flatten, tree_map


@dataclass(eq=False)
class _Known:
    """A program, the leaves of a call that are its parameters, and what it reads from outside as it is now (None: it must be read again)."""

    staged: Staged
    positions: tuple[int, ...]
    look: Callable[[], tuple[Any, ...] | None]
    found: dict[tuple[tuple[int, ...], ...], list[tuple[int, ...]]] = field(default_factory=dict)
    """What was worked out last: the shapes of the parameters -> those of the results."""

    def results(self, given: list[Any]) -> list[tuple[int, ...]]:
        """The results' shapes."""
        shapes = tuple(np.shape(each) for each in given)
        if shapes not in self.found:
            if len(self.found) >= _REMEMBERED:
                self.found.clear()
            self.found[shapes] = result_shapes(self.staged.function, shapes)
        return self.found[shapes]


_REMEMBERED = 64


_KNOWN: WeakKeyDictionary[Any, tuple[Transformed, dict[Hashable, _Known]]] = WeakKeyDictionary()


def eval_shape(fun: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result's container with a ShapeDtypeStruct for each array or number."""
    return _asked(fun, args, kwargs, _shapes)


def program_for(fun: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Function, list[Any]]:
    """The program for a call's arguments, and the values of its parameters."""
    found: tuple[Function, list[Any]] = _asked(fun, args, kwargs, lambda known, given: (known.staged.function, given))
    return found


def _asked(fun: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], answer: Callable[[_Known, list[Any]], Any]) -> Any:
    """What `answer` says of the program and its parameters' values; of exact sizes and whole numbers where those must be known."""
    args, kwargs = tree_map(example, (args, kwargs), is_leaf=has_type)
    transformed, known = _of(fun)
    transformed.check_call(args, kwargs)
    request = request_of(transformed, args, kwargs)

    def asked() -> Any:
        return answer(*_known_for(transformed, known, request, args))

    try:
        return transformed.knowing(request, asked)
    except SizesError:
        request.exact = True
        return transformed.exactly(request, lambda: transformed.knowing(request, asked))


def _of(fun: Any) -> tuple[Transformed, dict[Hashable, _Known]]:
    try:
        return _KNOWN.setdefault(fun, (of(JIT, fun), {}))
    except TypeError:  # what can't be referred to weakly is read each time
        return of(JIT, fun), {}


def _known_for(transformed: Transformed, programs: dict[Hashable, _Known], request: Request, args: tuple[Any, ...]) -> tuple[_Known, list[Any]]:
    key = request.key()
    known = programs.get(key)
    found = None if known is None else known.look()
    if known is None or found is None:
        known = programs[key] = _read(transformed, request, args)
        found = known.look() or ()
    return known, [*(request.leaves[number] for number in known.positions), *found]


def _shapes(known: _Known, given: list[Any]) -> Any:
    staged, shapes = known.staged, known.results(given)
    results = staged.function.body.results

    def struct(leaf: Any) -> Any:
        if isinstance(leaf, Wording | Doubtful | Called):
            raise UnsupportedError(f"the shape of {leaf!r}", where=staged.function.where, instead="call the function")
        if isinstance(leaf, Result) and leaf.options:
            raise UnsupportedError("the shape of a result that is one of several texts or members", where=staged.function.where, instead="call the function")
        if isinstance(leaf, Result):
            return ShapeDtypeStruct(shapes[leaf.number], results[leaf.number].type.dtype)
        return ShapeDtypeStruct((), np.asarray(leaf).dtype) if isinstance(leaf, bool | int | float | complex | np.generic) else leaf

    return tree_map(struct, staged.result, is_leaf=lambda part: isinstance(part, Wording | Doubtful | Called))


def _read(transformed: Transformed, request: Request, args: tuple[Any, ...]) -> _Known:
    shape = request.shape(leaf_names(transformed, args, request.treedef))
    staged = of_one_kind(program_of(transformed, shape))
    leaves = tree_flatten((shape.args, shape.kwargs))[0]
    own = staged.function.params[: len(staged.function.params) - len(staged.hidden)]
    positions = tuple(next(number for number, leaf in enumerate(leaves) if leaf is param) for param in own)
    _, look = enter_and_look(transformed.root, tuple(item.access for item in staged.hidden), staged.guards, _nothing, request.statics())
    return _Known(staged, positions, look)


def _nothing(*_: Any) -> None:
    """What `enter` would call: it is not used."""
