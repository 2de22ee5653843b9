"""Which kernel a module's public function calls, and with which types: found by calling it with kernels that only take notes."""
from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from numba import typeof
from numba.core.dispatcher import Dispatcher

from s2s.calls.leaves import like
from s2s.calls.request import Request
from s2s.calls.specialisation import Specialisation
from s2s.codegen.modules.call import Static
from s2s.tree_util import tree_unflatten


class _Called(BaseException):
    """A kernel was called; with what."""

    def __init__(self, kernel: str, args: tuple[Any, ...]) -> None:
        super().__init__()
        self.kernel, self.args_given = kernel, args


def first_kernel(found: Specialisation, request: Request) -> tuple[str, tuple[Any, ...]] | None:
    """The name of the kernel that the public function calls, and the types of what it hands over; None if it calls none."""
    module = _copy(found.module)
    for name, value in vars(found.module).items():
        if isinstance(value, Dispatcher):
            vars(module)[name] = _noting(name)
    hidden = [like(value) for value in found.look() or ()]
    leaves = [leaf.value if isinstance(leaf, Static) else leaf for leaf in request.leaves]
    args, kwargs = tree_unflatten(request.treedef, leaves)
    try:
        vars(module)["_entry"](args, kwargs, hidden, request.statics())
    except _Called as call:
        return call.kernel, tuple(map(typeof, call.args_given))
    except Exception:  # noqa: BLE001 (arguments that the function refuses: the caller's own call says so)
        return None
    return None


def _noting(name: str) -> Callable[..., Any]:
    def kernel(*args: Any) -> Any:
        raise _Called(name, args)

    return kernel


def _copy(module: ModuleType) -> ModuleType:
    """The module with Python functions that look their names up in the copy."""
    new = ModuleType(module.__name__)
    vars(new).update(vars(module))
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__globals__ is vars(module):
            copied = FunctionType(value.__code__, vars(new), value.__name__, value.__defaults__, value.__closure__)
            copied.__kwdefaults__ = value.__kwdefaults__
            vars(new)[name] = copied
    return new
