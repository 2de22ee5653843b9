"""One quick function for all that a module was built on: it is called at each call of a jitted function, and calls the module.

    def enter(_s2s_args, _s2s_kwargs, _s2s_0=numpy, _s2s_1=layer, _s2s_2=float64, …):       # its globals are those of the user's function
        try:
            if not (np is _s2s_0): return NotImplemented
            if not (layer is _s2s_1): return NotImplemented
            if not ((_s2s_v := COUNT) is _s2s_2 or same_value(_s2s_v, _s2s_2)): return NotImplemented
            _s2s_found = (RATE, TABLE)                                                      # the hidden inputs
        except (NameError, AttributeError, LookupError, TypeError, ValueError):
            return NotImplemented
        return run(_s2s_args, _s2s_kwargs, _s2s_found, statics)

Names are looked up as the user's own code looks them up, which Python does in a few nanoseconds.
"""
from __future__ import annotations

import builtins
import keyword
from collections.abc import Callable, Mapping
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from s2s import hidden
from s2s.outside import Access, Guard, Itself
from s2s.types import SMALL, SUPPORTED_DTYPES, short_name

_PREFIX = "_s2s_"
_VALUE, _FOUND, _ARGS, _KWARGS, _RUN, _STATICS = (f"{_PREFIX}{name}" for name in ("v", "found", "args", "kwargs", "run", "statics"))
_GONE = (NameError, AttributeError, LookupError, TypeError, ValueError)
"""What is raised where a path leads nowhere any more."""
_PYTHON_NUMBERS = {"f8*": float, "i8*": int, "c16*": complex, "b1*": bool}
_DTYPES = {short_name(dtype): dtype for dtype in SUPPORTED_DTYPES}


Run = Callable[..., Any]
"""(args, kwargs, hidden inputs, static values) -> the result, NotImplemented for arguments that the module was not made for."""


def enter_and_look(
    root: Any, inputs: tuple[Access, ...], guards: tuple[Guard, ...], run: Run, statics: tuple[Any, ...]
) -> tuple[Callable[[Any, Any], Any], Callable[[], tuple[Any, ...] | None]]:
    """(args, kwargs) -> what `run` makes of them and of the hidden inputs as they are now, NotImplemented where a guard does not hold;
    and a function that returns those hidden inputs, None where a guard does not hold.
    """
    writer = _Writer(root, guards)
    code = writer.code(inputs, guards)
    found = writer.function(code, lambda _args, _kwargs, hidden_inputs, _statics: hidden_inputs, ())

    def look() -> tuple[Any, ...] | None:
        result = found((), {})
        return None if result is NotImplemented else result

    return writer.function(code, run, statics), look


class _Writer:
    def __init__(self, root: Any, guards: tuple[Guard, ...]) -> None:
        plain = hidden.innermost(root)
        self.root = root
        self.namespace: dict[str, Any] = plain.__globals__ if isinstance(plain, FunctionType) else {}
        self.constants: list[Any] = []
        self.names: dict[int, str] = {}
        self.entries: dict[type, Mapping[str, Any]] = {}
        self.fixed: Mapping[Access, Any] = {guard.access: guard.value for guard in guards if hidden.is_by_identity(guard.value)}
        """Objects that are compared by identity: what they lead to is looked up from them."""

    def code(self, inputs: tuple[Access, ...], guards: tuple[Guard, ...]) -> CodeType:
        """The code of `enter`; its constants, parameters with defaults, are `run` and `statics` at first."""
        refused, gone = self.constant(NotImplemented), self.constant(_GONE)
        tests = [f"  if not ({self.test(guard)}): return {refused}" for guard in guards]
        found = "".join(f"{self.expression(access)}, " for access in inputs)
        looking = [" try:", *tests, f"  {_FOUND} = ({found})", f" except {gone}: return {refused}"] if inputs or guards else [f" {_FOUND} = ()"]
        parameters = ", ".join([_ARGS, _KWARGS, _RUN, _STATICS, *(f"{_PREFIX}{number}" for number in range(len(self.constants)))])
        text = "\n".join([f"def enter({parameters}):", *looking, f" return {_RUN}({_ARGS}, {_KWARGS}, {_FOUND}, {_STATICS})", ""])
        module = compile(text, "<guards>", "exec", dont_inherit=True)
        return next(const for const in module.co_consts if isinstance(const, CodeType))

    def function(self, code: CodeType, run: Run, statics: tuple[Any, ...]) -> Callable[[Any, Any], Any]:
        return FunctionType(code, self.namespace, "enter", (run, statics, *self.constants))

    def constant(self, value: Any) -> str:
        """The name of a parameter that holds an object."""
        if id(value) not in self.names:
            self.names[id(value)] = f"{_PREFIX}{len(self.constants)}"
            self.constants.append(value)
        return self.names[id(value)]

    def test(self, guard: Guard) -> str:
        """An expression that is true while the guard holds."""
        *before, (question, key) = guard.access.steps
        if question == "kind":
            return self._has_kind(self.expression(Access(tuple(before))), guard.value)
        if question == "length":
            return f"{self.expression(guard.access)} == {guard.value!r}"
        if question == "entry" and (test := self._entry(Access(tuple(before)), key, guard.value)) is not None:
            return test
        return self._is_same(self.expression(guard.access), guard.value)

    def _is_same(self, found: str, value: Any) -> str:
        """Whether what is found is still this value, of which a guard holds a copy where it is a container."""
        if value is None or isinstance(value, bool):
            return f"{found} is {value}"
        wanted = self.constant(value)
        if hidden.is_by_identity(value):
            return f"{found} is {wanted}"
        if isinstance(value, list | dict | set):
            return f"{self.constant(hidden.same_value)}({found}, {wanted})"
        return f"(({_VALUE} := {found}) is {wanted} or {self.constant(hidden.same_value)}({_VALUE}, {wanted}))"

    def _has_kind(self, found: str, kind: Any) -> str:
        """Whether what is found has a hidden input's type: the usual arrays and numbers are seen at a glance."""
        name, sizes = kind[:2]
        this, put = self.constant(type), f"({_VALUE} := {found})"
        if name == "i8*":
            return f"{this}{put} is {self.constant(int)} and {-SMALL} <= {_VALUE} <= {SMALL}"
        if name in _PYTHON_NUMBERS:
            return f"{this}({found}) is {self.constant(_PYTHON_NUMBERS[name])}"
        slowly = f"{self.constant(hidden.kind_of)}({_VALUE}) == {self.constant(kind)}"
        if name not in _DTYPES or len(kind) > 2:
            return f"({put}, {slowly})[1]"
        dtype = _DTYPES[name]
        if not sizes:  # a NumPy scalar; of an array without axes another name is told
            return f"{this}{put} is {self.constant(dtype.type)} or {slowly}"
        tests = [f"{this}{put} is {self.constant(np.ndarray)}", f"{_VALUE}.dtype is {self.constant(dtype)}", f"{_VALUE}.ndim == {len(sizes)}"]
        if 1 in sizes:
            tests += [f"{_VALUE}.shape[{axis}] {'==' if size == 1 else '!='} 1" for axis, size in enumerate(sizes)]
        else:
            tests.append(f"1 not in {_VALUE}.shape")
        return f"{' and '.join(tests)} or {slowly}"

    def _entry(self, cls: Access, name: str, wanted: Any) -> str | None:
        """Whether a class's MRO leads to the same entry."""
        kind, owner = self._place(cls)
        if kind != "object" or not isinstance(owner, type):
            return None
        tests = [f"{self.constant(owner)}.__mro__ is {self.constant(owner.__mro__)}"]
        for each in owner.__mro__:
            entries = self.constant(self.entries.setdefault(each, vars(each)))
            if name in vars(each):
                return " and ".join([*tests, self._is_same(f"{entries}[{name!r}]", wanted)])
            tests.append(f"{name!r} not in {entries}")
        return " and ".join(tests) if wanted is hidden.MISSING else None

    def expression(self, access: Access) -> str:
        """An expression for what a path leads to."""
        kind, found = self._step(Access(access.steps[:-1]), *access.steps[-1])
        return self.constant(found) if kind == "object" else found

    def _place(self, access: Access) -> tuple[str, Any]:
        """("object", the object) where it can't be another one without a guard failing, else ("text", an expression)."""
        if not access.steps:
            return "object", self.root
        return ("object", self.fixed[access]) if access in self.fixed else self._step(Access(access.steps[:-1]), *access.steps[-1])

    def _step(self, before: Access, question: str, key: Any) -> tuple[str, Any]:
        if question == "object":
            return "object", key.object if isinstance(key, Itself) else key
        kind, base = self._place(before)
        base = hidden.behind(base) if kind == "object" else base
        if kind == "object" and question in ("global", "closure"):
            return "text", self._name(hidden.innermost(base), question, key)
        text = self.constant(base) if kind == "object" else base
        if question == "attribute" and key.isidentifier() and not keyword.iskeyword(key):
            return "text", f"{text}.{key}"
        if question == "item":
            return "text", f"{text}[{key!r}]" if type(key) in (int, str) else f"{text}[{self.constant(key)}]"
        if question in ("length", "keys"):
            return "text", f"{self.constant(len if question == 'length' else tuple)}({text})"
        return "text", f"{self.constant(hidden.step)}({text}, {question!r}, {self.constant(key)})"

    def _name(self, function: Any, question: str, name: str) -> str:
        if question == "closure" and name in function.__code__.co_freevars:
            return f"{self.constant(hidden.cell_of(function, name))}.cell_contents"
        namespace = getattr(function, "__globals__", {})
        if question == "global" and namespace is self.namespace and name.isidentifier() and not keyword.iskeyword(name) and not name.startswith(_PREFIX):
            return name
        if question == "global" and (name in namespace or not hasattr(builtins, name)):
            return f"{self.constant(namespace)}[{name!r}]"
        return f"{self.constant(hidden.step)}({self.constant(function)}, {question!r}, {name!r})"
