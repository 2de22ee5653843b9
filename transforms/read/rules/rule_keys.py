"""Equal keys for calls of functions with rules that one program serves: functions count by their source and what they capture."""
from __future__ import annotations

from typing import Any

from s2s.transforms.ir.named_axes import surroundings
from s2s.transforms.read.bound_names import free_names, is_local_inside
from s2s.transforms.read.callables import Applied, ArrayMethod, Closure, ContainerMethod, Converted, Derived, Method, Ruled
from s2s.transforms.read.calls.hidden import whole
from s2s.transforms.read.calls.signatures import Same, Signature
from s2s.transforms.read.values import Abstract, Missing, Outside


class RuleKey(Signature):
    """As Signature; an object outside is the same however it was reached, so that a rule may call its own function."""

    def of(self, ruled: Ruled, given: tuple[Abstract, ...]) -> Any:
        """The key of a call."""
        return ("ruled", surroundings(), self.key(ruled), *(self.key(arg) for arg in given))

    def key(self, value: Abstract) -> Any:
        match value:
            case Outside():
                return ("outside", Same(whole(self.reader, value)))
            case Closure() | Ruled():
                return self._key_of_function(value)
            case Method():
                return ("method", self.key(value.function), self.key(value.first))
            case Applied() | Derived():
                args = tuple(self.key(arg) for arg in value.args)
                return (type(value), self.key(value.function), args, tuple((name, self.key(arg)) for name, arg in value.kwargs.items()))
            case ArrayMethod():
                return (type(value), value.name, self.key(value.array))
            case ContainerMethod():
                return (type(value), value.name, self.key(value.container))
            case Converted():
                return (type(value), value.count, self.key(value.function))
            case Missing():
                return (type(value), value.what)
        return super().key(value)

    def _key_of_function(self, function: Closure | Ruled) -> Any:
        if function in self.refs:
            return ("again", self.refs[function])
        self.refs[function] = len(self.refs)
        if isinstance(function, Ruled):
            rules = tuple((name, self.key(rule)) for name, rule in function.rules.items())
            return (function.maker.__name__, function.nondiff, function.symbolic, self.key(function.fun), rules)
        names = sorted(name for name in free_names(function.node) if is_local_inside(function.frame, name))
        seen = tuple((name, self.key(function.frame.seen_inside(name))) for name in names)
        return (Same(function.node), seen, tuple((name, self.key(value)) for name, value in function.defaults.items()))
