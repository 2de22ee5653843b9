"""What an operation on numbers means: Numba says, once for each function and types of operands.

    typed(operator.add, (int64, float64))   ->   float64, and how Numba writes it in LLVM

So a sum, a comparison, a conversion or a function of `math` gives in our kernels, bit for bit, what it gives in Numba's.
"""
from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from numba.core import errors, types
from numba.core.base import builtin_registry
from numba.core.typing.templates import _IntrinsicTemplate

from s2s.codegen.native import plain
from s2s.codegen.native.source import NotCovered
from s2s.codegen.native.starting import begin, begin_mathematics


class Operation(NamedTuple):
    """A function of Numba's for some types of operands: Numba's type of it, or what Numba knows it by."""

    function: Any
    signature: Any

    @property
    def key(self) -> Any:
        """What Numba knows it by."""
        return self.function.typing_key if isinstance(self.function, types.Function) else self.function

    @property
    def result(self) -> types.Type:
        """The type of what it gives."""
        found: types.Type = types.unliteral(self.signature.return_type)
        return found


class Operations:
    """The functions of Numba's typing context, looked up once for each kind of call; Numba learns of all that it can compile when it is first asked."""

    def __init__(self, target_context: Any) -> None:
        self.target, self.context = target_context, target_context.typing_context
        self._found: dict[Any, Operation] = {}

    def typed(self, function: Any, operands: tuple[types.Type, ...]) -> Operation:
        """The operation that a Python function is for operands of these types."""
        key = (type(function), function, operands)
        if key not in self._found:
            known = plain.signature_of(function, operands) if isinstance(function, Hashable) else None
            if known is None:
                self._found[key] = self.of_type(self.type_of(function), operands)
            else:
                if plain.is_mathematical(function, operands):
                    begin_mathematics(self.target)
                self._found[key] = Operation(plain.called(function, operands), known)
        return self._found[key]

    def of_type(self, function: types.Type, operands: tuple[types.Type, ...]) -> Operation:
        """The operation that a function of a Numba type is for operands of these types."""
        begin(self.target)
        try:
            signature = self.context.resolve_function_type(function, operands, {})
        except errors.NumbaError as error:
            raise NotCovered(f"{function} of {operands}") from error
        takes = () if signature is None else signature.args
        if signature is None or len(takes) != len(operands) and not isinstance(takes[-1] if takes else None, types.StarArgTuple | types.StarArgUniTuple):
            raise NotCovered(f"{function} of {operands}")
        if _is_intrinsic(function):
            self.target.install_registry(builtin_registry)  # what it is made of is told Numba while its type is found
        return Operation(function, signature)

    def type_of(self, value: Any) -> types.Type:
        """The Numba type of an object outside of the kernel."""
        known = plain.type_of(value)
        if known is not None:
            return known
        begin(self.target)
        try:
            found: types.Type = self.context.resolve_value_type(value)
        except (errors.NumbaError, ValueError) as error:
            raise NotCovered(repr(value)) from error
        return found

    def attribute(self, of: types.Type, name: str) -> types.Type:
        """The type of an attribute."""
        found = plain.attribute(of, name)
        if found is None:
            begin(self.target)
            found = self.context.resolve_getattr(of, name)
        if found is None:
            raise NotCovered(f"{of}.{name}")
        return found

    def converts(self, given: types.Type, wanted: types.Type) -> bool:
        """Whether a value can be stored as another type."""
        return given == wanted or self.context.can_convert(given, wanted) is not None


def _is_intrinsic(function: types.Type) -> bool:
    """Whether a function's code is written by the module that it stands in."""
    return isinstance(function, types.Function) and any(issubclass(each, _IntrinsicTemplate) for each in function.templates)


def parts_of(type_: types.Type) -> tuple[types.Type, ...]:
    """The types of a tuple's items."""
    return tuple(type_)  # type: ignore[arg-type]


def is_signed(type_: types.Type) -> bool:
    """Whether an integer may be negative."""
    return bool(type_.signed)  # type: ignore[attr-defined]
