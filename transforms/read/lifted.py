"""Nested functions given to transformations: what they see of the function around them becomes hidden inputs.

    def train(w, x):
        g = s2s.grad(lambda v: np.sum(v * x))     the lambda is read as a function of v and of x, which is no
        return g(w)                               argument of g: its call gets x at its end
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from s2s.transforms.build import Builder
from s2s.transforms.read.frame import Frame, scope_for
from s2s.transforms.read.functions import Copier, Signature, bind_closure, read_body, signature_of_closure
from s2s.transforms.read.hidden import enter
from s2s.transforms.read.reader import NeedsInline, Reader
from s2s.transforms.read.scope import NONE, Scope, all_names
from s2s.transforms.read.values import Abstract, Applied, ArrayMethod, Cell, Closure, Method, View
from s2s.transforms.staged import Access, Hidden, Staged

if TYPE_CHECKING:
    from s2s.types import Var


class Lifted:
    """A nested function as a Python object; `leaves`: what it captured when it was last read, by access."""

    def __init__(self, reader: Reader, function: Closure) -> None:
        self.reader, self.function = reader, function
        self.__name__ = self.__qualname__ = function.name
        self.__module__ = "s2s.nested"
        self.__doc__ = None
        self.__signature__ = signature_of_closure(function)
        self.leaves: dict[Access, Abstract] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"{self.__name__} is a nested function that is being read: only its transformations can be called")

    def captured_by(self, reader: Reader) -> dict[Access, Abstract]:
        """What a call in `reader`'s block passes; a helper function that can't see it is read in place."""
        if reader is not self.reader:
            raise NeedsInline
        return self.leaves

    def read(self, params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Staged:
        """Its program, of the arguments and of what it captures."""
        from s2s.transforms.read.entry import know_params, staged_of

        outer, tree = self.reader, self.function.tree
        root = self.function.frame.root()
        inner = Reader(outer.session, Builder(), Frame(tree, Scope((), NONE, NONE), self.__name__, root.python, root.steps), is_helper=True)
        inner.builder.where = tree.where(self.function.node)
        know_params(inner, params)
        capture = _Capture(outer, inner)
        function = capture.closure(self.function)
        inner.frame = Frame(tree, scope_for(function.node), function.name, None, None, outer=function.frame)
        entered = tuple(enter(inner, arg, None) for arg in args)
        named = {key: enter(inner, value, None) for key, value in kwargs.items()}
        arguments = dict(inner.heap)
        inner.frame.names.update(bind_closure(inner, function, entered, named))
        result = read_body(inner, function.node)
        inner.fail_if_errors()
        for cell in capture.copier.cells:
            if cell is not None and inner.heap[cell] is not arguments[cell]:
                raise inner.unsupported(f"a store into {cell.name} by a nested function that is transformed", "a function that returns the new array")
        accesses = tuple(Access((("captured", number),)) for number in range(len(capture.copier.params)))
        self.leaves = dict(zip(accesses, capture.signature.leaves, strict=True))
        hidden = tuple(Hidden(access, param) for access, param in zip(accesses, capture.copier.params, strict=True))
        own = {ref: value for ref, value in arguments.items() if isinstance(ref, Cell) and ref not in capture.copier.cells}
        return staged_of(inner, self, self.__name__, tree.where(function.node), params, args, kwargs, result, own, hidden)


class _Capture:
    """Copies closures, and what they see of the frames around them, into another reader."""

    def __init__(self, outer: Reader, inner: Reader) -> None:
        self.outer, self.inner = outer, inner
        self.copier, self.signature = Copier(outer, inner), Signature(outer)
        self.closures: dict[Closure, Closure] = {}
        self.frames: dict[Frame, Frame] = {}

    def closure(self, function: Closure) -> Closure:
        if function not in self.closures:
            root = function.frame.root()
            copied = self.closures[function] = Closure(function.tree, function.node, function.frame, function.name)
            names = {name for name in all_names(function.node) if self._find(function.frame, name)}
            frame = Frame(function.tree, Scope((), frozenset(names), NONE), function.name, root.python, root.steps)
            copied.frame = frame
            for name in sorted(names):
                frame.names[name] = self.value(function.frame.find(name), name)
            copied.defaults = {name: self.value(value, name) for name, value in function.defaults.items()}
        return self.closures[function]

    def _find(self, frame: Frame | None, name: str) -> bool:
        """Whether the name is one of the frames around, not a global."""
        while frame is not None:
            if name in frame.scope.bound:
                return True
            frame = frame.outer
        return False

    def value(self, value: Abstract, name: str) -> Abstract:
        if isinstance(value, Closure):
            return self.closure(value)
        if isinstance(value, Method | Applied | ArrayMethod):
            raise self.outer.unsupported(f"a nested function that is transformed and uses {name}, a method", "call the method outside of it")
        self.signature.key(value)
        return self.copier.copy(value, name)


__all__ = ["Lifted", "View", "cst"]
