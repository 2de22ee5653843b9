"""Functions that exist only while reading, given to transformations: what they hold and see becomes hidden inputs.

    def train(w, x):
        g = s2s.grad(lambda v: np.sum(v * x))     the lambda is read as a function of v and of x, which is no
        return g(w)                               argument of g: its call gets x at its end
"""
from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any

from s2s.errors import S2SError
from s2s.outside import Access
from s2s.records import dataclass, replace
from s2s.transforms.ir.staged import Hidden, Staged
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.read.bound_names import free_names, is_local_inside
from s2s.transforms.read.callables import Applied, ArrayMethod, Closure, ContainerMethod, Converted, Derived, Method, Ruled
from s2s.transforms.read.calls.functions import add_note
from s2s.transforms.read.calls.hidden import enter
from s2s.transforms.read.calls.signatures import Copier
from s2s.transforms.read.describing import describe
from s2s.transforms.read.failures import NeedsInline, Suppressed
from s2s.transforms.read.flow.binding import signature_of_closure
from s2s.transforms.read.iterations import Iteration, RunRange
from s2s.transforms.read.program_of import know_params, staged_of
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import pools
from s2s.transforms.read.storage.cells import settle
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.syntax.frame import Frame
from s2s.transforms.read.syntax.scope import NONE, Scope
from s2s.transforms.read.values import Abstract, Cell, IteratorRef, ListRef, Missing, ObjectRef, Outside, Text, View, is_atom, remake

if TYPE_CHECKING:
    from s2s.types import Var


@dataclass(frozen=True, eq=False)
class Passed:
    """A function that holds values of the program, as an argument of a transformed function."""

    value: Abstract


class Lifted:
    """Such a function as a Python object; `leaves`: what it captured when it was last read, by access."""

    def __init__(self, reader: Reader, function: Abstract) -> None:
        self.reader, self.function = reader, function
        self.__name__ = self.__qualname__ = name_of(function)
        self.__module__ = "s2s.nested"
        self.__doc__ = None
        signature = signature_of(function)
        if signature is not None:
            self.__signature__ = signature
        self.leaves: dict[Access, Abstract] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"{self.__name__} is a function that is being read: only its transformations can be called")

    def read(self, params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Staged:
        """Its program, of the arguments and of what it captures."""
        outer, root = self.reader, self.reader.frame.root()
        frame = Frame(root.tree, Scope((), NONE, NONE), self.__name__, root.python, root.steps, module=root.module)
        inner = outer.nested(frame, new_builder())
        inner.builder.where = outer.builder.where
        know_params(inner, params)
        pools.begin_apart(inner)
        capture = Capture(outer, inner)
        function = capture.copy(self.function, self.__name__)
        entered = tuple(_entered(capture, arg) for arg in args)
        named = {key: _entered(capture, value) for key, value in kwargs.items()}
        arguments = dict(inner.heap)
        result = self._called(inner, function, entered, named)
        settle(inner)
        for cell in capture.copier_cells():
            if inner.heap[cell] is not arguments[cell]:
                raise inner.unsupported(f"a store into {cell.name} by a nested function that is transformed", "a function that returns the new array")
        accesses = tuple(Access((("captured", number),)) for number in range(len(capture.params)))
        self.leaves = dict(zip(accesses, capture.leaves, strict=True))
        hidden = tuple(Hidden(access, param) for access, param in zip(accesses, capture.params, strict=True))
        own = {ref: value for ref, value in arguments.items() if isinstance(ref, Cell) and ref not in capture.cells}
        return staged_of(inner, self, self.__name__, inner.builder.where, params, args, kwargs, result, own, hidden)

    def _called(self, inner: Reader, function: Abstract, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
        """What the function returns; its errors go to the function around it."""
        where = inner.builder.where
        try:
            result = inner.rules.call(function, args, kwargs)
        except S2SError as error:
            inner.errors.append(error)
        except Suppressed:
            if not inner.errors:
                raise
        except NeedsInline:
            raise inner.unsupported(
                f"a change of a list, dict or object by {self.__name__}, which is transformed", "a function that returns the new one"
            ) from None
        if inner.errors:
            for each in inner.errors:
                add_note(each, f"while reading {self.__name__}, called at {where}")
            self.reader.errors.extend(inner.errors)
            raise Suppressed
        return result


def _entered(capture: Capture, value: Any) -> Abstract:
    if isinstance(value, Passed):
        return capture.copy(value.value, "function")
    if isinstance(value, tuple):
        return remake(value, [_entered(capture, item) for item in value])
    return enter(capture.inner, value, None)


def name_of(function: Abstract) -> str:
    """A name for a function of any kind."""
    match function:
        case Closure():
            return function.name
        case Method() | Applied() | Derived():
            return name_of(function.function)
        case ArrayMethod() | ContainerMethod():
            return function.name
        case Outside():
            return name_of(function.object)
    name = getattr(function, "__name__", type(function).__name__)
    return name if name.isidentifier() else "function"


def signature_of(function: Abstract) -> inspect.Signature | None:
    """Its signature, where that is known."""
    match function:
        case Closure():
            return signature_of_closure(function)
        case Derived():
            return signature_of(function.function)
        case Method() | Applied():
            whole = signature_of(function.function)
            args, kwargs = ((None,), {}) if isinstance(function, Method) else (function.args, function.kwargs)
            return None if whole is None else _signature_behind(whole, args, kwargs)
    try:
        return inspect.signature(function.object if isinstance(function, Outside) else function)
    except (TypeError, ValueError):  # a built-in without one
        return None


def _signature_behind(whole: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> inspect.Signature:
    """What functools.partial leaves of a signature."""

    def example(*args: Any, **kwargs: Any) -> None:
        """Only its signature is looked at."""

    example.__signature__ = whole  # type: ignore[attr-defined]
    return inspect.signature(functools.partial(example, *args, **kwargs))


class Capture(Copier):
    """Copies functions, and what they see of the frames around them, into another reader; `leaves`: what became parameters."""

    def __init__(self, outer: Reader, inner: Reader) -> None:
        super().__init__(outer, inner)
        self.leaves: list[Abstract] = []
        self.closures: dict[Any, Any] = {}
        """Functions copied already: they may refer to themselves."""

    def copier_cells(self) -> list[Cell]:
        return [cell for cell in self.cells if cell is not None]

    def copy(self, value: Abstract, name: str) -> Abstract:
        if is_atom(value) or isinstance(value, View):
            self.leaves.append(value)
            return super().copy(value, name)
        kind = value if isinstance(value, type) else value.kind if isinstance(value, ObjectRef) else type(value)
        if kind in self.caller.session.made:
            return Missing(f"{name}, of the class {kind.__name__} that is made in the function, which a nested function uses that is transformed", "define the class at module level")
        match value:
            case Closure():
                return self.closure(value)
            case Method():
                return Method(self.copy(value.function, name), self.copy(value.first, "self" if name == "function" else name))
            case Applied() | Derived():
                args = tuple(self.copy(arg, f"{name}_{number}") for number, arg in enumerate(value.args))
                kwargs = {key: self.copy(arg, key) for key, arg in value.kwargs.items()}
                return replace(value, function=self.copy(value.function, name), args=args, kwargs=kwargs)
            case ArrayMethod():
                return replace(value, array=self.copy(value.array, "array"))
            case ContainerMethod():
                return replace(value, container=self.copy(value.container, "container"))
            case Ruled():
                return self.ruled(value)
            case Converted():
                return replace(value, function=self.copy(value.function, name))
            case Missing() if value.test is not None:
                return replace(value, test=self.copy(value.test, f"{name}_is_set"), value=self.copy(value.value, name))
            case RunRange():
                return RunRange(*(self.copy(bound, f"{name}_{end}") for bound, end in zip((value.lo, value.hi, value.step), ("lo", "hi", "step"), strict=True)))
            case Text() | Iteration() | IteratorRef():
                return Missing(f"{name}, {describe(self.caller, value)}, which a nested function uses that is transformed")
            case ListRef() if isinstance(self.caller.heap[value], Grown):
                return Missing(f"{name}, a list whose length is known only at run time, which a nested function uses that is transformed")
        return super().copy(value, name)

    def _ref(self, value: Any, name: str) -> Any:
        copy = super()._ref(value, name)
        copy.owner = f"{name}, which a nested function sees that is transformed"
        return copy

    def ruled(self, function: Ruled) -> Ruled:
        if function not in self.closures:
            copied = self.closures[function] = replace(function)
            copied.fun = self.copy(function.fun, function.name)
            copied.rules = {key: self.copy(rule, key) for key, rule in function.rules.items()}
        return self.closures[function]

    def closure(self, function: Closure) -> Closure:
        if function not in self.closures:
            root = function.frame.root()
            copied = self.closures[function] = Closure(function.tree, function.node, function.frame, function.name)
            names = {name for name in free_names(function.node) if is_local_inside(function.frame, name)}
            frame = Frame(function.tree, Scope((), frozenset(names), NONE), function.name, root.python, root.steps, module=root.module)
            copied.frame = frame
            for name in sorted(names):
                frame.names[name] = self.copy(function.frame.seen_inside(name), name)
            copied.defaults = {name: self.copy(value, name) for name, value in function.defaults.items()}
        return self.closures[function]


__all__ = ["Lifted", "Passed", "name_of"]
