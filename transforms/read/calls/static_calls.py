"""Functions outside of the tables: called when the function is read, where all that they are given is known."""
from __future__ import annotations

import enum
import inspect
import numbers
import pathlib
import random
import types
from collections import defaultdict
from collections.abc import MutableMapping, MutableSequence, MutableSet
from copy import copy
from typing import Any

import numpy as np

from s2s.transforms.read.callables import Closure, Method
from s2s.transforms.read.calls.bound_arguments import binding, call_bind
from s2s.transforms.read.calls.hidden import enter
from s2s.transforms.read.calls.library_names import shown_name
from s2s.transforms.read.calls.nearest import nearest
from s2s.transforms.read.failures import StaysRefused
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.binding import signature_of_closure
from s2s.transforms.read.known import entered, is_known, plain
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, Missing, Outside

_ON_TEXTS = ("ast", "inspect", "json", "re", "string", "textwrap", "unicodedata")
"""Modules whose functions are called, not read, though their source is there: they ask of functions and work on texts."""
_OF_PATHS = ("posixpath", "ntpath", "genericpath")
_ON_PATHS = ("basename", "commonpath", "commonprefix", "dirname", "isabs", "join", "normcase", "normpath", "split", "splitdrive", "splitext")
"""What of os.path works on texts too; the rest asks the file system."""
_STATIC_MODULES = ("builtins", "math", "operator", "numpy", "cmath", "_operator", "typing", "enum", "itertools", "collections", "functools", *_ON_TEXTS, *_OF_PATHS)
_STATIC_OF_SCIPY = ("special", "integrate", "linalg", "signal", "fft", "constants", "ndimage", "stats", "sparse")
"""Parts of SciPy whose functions only compute: of known arguments they are known."""
_CHANGING = (MutableSequence, MutableMapping, MutableSet)
"""Containers, of which a copy is handed to Python: what a function does to them would be lost."""
_DRAWS = ("rvs", "rng", "seed", "random_state")
"""Names of functions and parameters by which SciPy draws random numbers."""
_IMPURE = (
    "random", "open", "input", "exec", "eval", "globals", "locals", "id", "vars", "__import__", "load", "loadtxt", "genfromtxt", "fromfile", "fromregex", "memmap", "DataSource",
    "set_printoptions", "get_printoptions", "geterr", "seterrcall", "geterrcall", "setbufsize", "getbufsize",
    "save", "savez", "savez_compressed", "savetxt", "show_config", "show_runtime", "info", "test", "breakpoint", "compile", "help", "exit", "quit",
)  # fmt: skip
"""What gives something else tomorrow, or changes something for others."""
_INSTEAD = {"locals": "the variables by their names", "vars": "its attributes by their names", "get_printoptions": "what it gives, as an argument", "geterr": "what it gives, as an argument"}
"""What to write in place of some of them."""


def is_answered_by_python(function: Any) -> bool:
    """Whether a function of Python's library is called, not read, though its source is there."""
    return getattr(function, "__module__", "") in (*_ON_TEXTS, *_OF_PATHS)


def refuse_random(reader: Reader, owner: Any) -> None:
    """Refuse a method of a class of random generators that is built on Python's own, or the class."""
    thing = owner.object if isinstance(owner, Outside) else owner
    cls = thing if isinstance(thing, type) else type(thing)
    if issubclass(cls, random.Random.__base__) and cls is not random.Random:  # type: ignore[arg-type]
        raise reader.unsupported(f"random numbers of the class {cls.__name__}", "random.Random(seed), as an argument or made inside", "where they come from is not known")


def _signature(reader: Reader, function: Abstract) -> inspect.Signature | None:
    """The signature of a nested function, or of a bound method."""
    if isinstance(function, Method):
        whole = _signature(reader, function.function)
        return None if whole is None else whole.replace(parameters=list(whole.parameters.values())[1:])
    if isinstance(function, Closure):
        own = signature_of_closure(function)
        return own if all(is_known(reader, each.default) for each in own.parameters.values()) else None
    return inspect.signature(function.object) if isinstance(function, Outside) and isinstance(function.object, types.FunctionType) else None


_CLOCKS = frozenset(f"{clock}{unit}" for clock in ("time", "perf_counter", "monotonic", "process_time", "thread_time") for unit in ("", "_ns"))
"""What gives the time: it may be kept, as objects do that count how long they live; it may not be used."""
_OF_TIME = "when and how long something is computed is no part of what a function gives"
_IS_OF_KIND: dict[Any, Any] = {
    inspect.isclass: lambda thing: isinstance(thing, type),
    inspect.isfunction: lambda thing: isinstance(thing, Closure | types.FunctionType),
    inspect.ismethod: lambda thing: isinstance(thing, Method | types.MethodType),
}
"""What is answered of run-time values and of what stands for functions, too."""


@asks_python
def call_static(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A function outside of the tables: called now if everything is known."""
    name = getattr(function, "__name__", type(function).__name__)
    module = getattr(function, "__module__", None) or getattr(type(getattr(function, "__self__", None)), "__module__", "") or ""
    shown = shown_name(function)
    refuse_random(reader, getattr(function, "__self__", None))
    if function is inspect.signature and len(args) == 1 and not kwargs and (own := _signature(reader, args[0])) is not None:
        return entered(reader, own)
    if (found := binding(function, args)) is not None:
        return call_bind(reader, found, kwargs)
    if function is inspect.getfullargspec and len(args) == 1 and isinstance(args[0], Method) and isinstance(args[0].function, Outside) and isinstance(args[0].function.object, types.FunctionType):
        return entered(reader, inspect.getfullargspec(args[0].function.object))
    if function in _IS_OF_KIND and len(args) == 1 and not kwargs:
        return _IS_OF_KIND[function](args[0].object if isinstance(args[0], Outside) else args[0])
    if module.startswith("numpy.random") or name in _IMPURE or ".mtrand" in module:
        raise reader.unsupported(f"{shown} is not supported", _INSTEAD.get(name, "random numbers, as an argument" if "random" in module or name == "random" else "what it gives, as an argument"))
    if module == "time" and name in _CLOCKS:
        return Missing(f"the use of what {shown} gives", _OF_TIME, instead="the clock around the call")
    if module == "time":
        raise reader.unsupported(f"{shown} is not supported", "the clock around the call", _OF_TIME)
    if module in _OF_PATHS and name not in _ON_PATHS:
        raise reader.unsupported(f"os.path.{name} is not supported", "what it gives, as an argument", "the file system may answer otherwise in the next call")
    if not _is_constant(getattr(function, "__self__", None)) or any(isinstance(each, Outside) and not _is_lasting(each.object) for each in (*args, *kwargs.values())):
        raise reader.unsupported(f"{shown} is not supported", "what it gives, as an argument")
    if not all(is_known(reader, each) for each in (*args, *kwargs.values(), getattr(function, "__self__", None))):
        near = nearest(shown)
        raise reader.unsupported(f"{shown} is not supported", f"{near}{'; ' if near else ''}a loop or a formula of your own; s2s.register (what there is: docs/supported.md)")
    of_scipy = module.split(".")[0] == "scipy" and _only_computes(module, name, function, (*args, *kwargs.values()))
    if module.split(".")[0] not in _STATIC_MODULES and not of_scipy:
        raise StaysRefused(f"{shown} is not supported", where=reader.builder.where, instead="a function whose Python source can be read, or s2s.register")
    given = [plain(reader, arg) for arg in (*args, *kwargs.values())]
    before = [copy(each) if isinstance(each, _CHANGING) else each for each in given]
    result = function(*given[: len(args)], **dict(zip(kwargs, given[len(args) :], strict=True)))
    if isinstance(result, type) and result.__module__ == __name__:  # collections.namedtuple and the like look at who calls them
        result.__module__ = _module_of(reader)
    if any(isinstance(each, _CHANGING) and (len(each) != len(was) or repr(each) != repr(was)) for each, was in zip(given, before, strict=True)):
        raise reader.unsupported(f"{shown} of a container that it changes", "the method or statement that does that")
    if of_scipy and not _is_data(result):
        raise reader.unsupported(f"{shown} is not supported", "what it computes, in a function of your own, or s2s.register")
    if isinstance(result, MutableSequence | MutableMapping | MutableSet) and type(result) not in (list, dict, set, defaultdict):
        raise reader.unsupported(f"{shown} is not supported", "a list, dict or set")
    is_data = isinstance(result, np.ndarray | list | tuple | dict | set)
    return entered(reader, result) if is_data or not module.startswith("numpy") else enter(reader, result, ())


def _module_of(reader: Reader) -> str:
    """The name of the module of the user's function that is being read."""
    frame = reader.frame
    while frame.python is None and frame.outer is not None:
        frame = frame.outer
    return "" if frame.python is None else frame.python.__module__


def _is_constant(owner: Any) -> bool:
    """Whether what a method is of is the same in every call: Python's or NumPy's own, not the clock, the environment or an object of the user's."""
    if owner is None or isinstance(owner, types.ModuleType):
        return True
    cls = owner if isinstance(owner, type) else type(owner)
    return (cls.__module__ or "").split(".")[0] in (*_STATIC_MODULES, "scipy")


def _is_lasting(thing: Any) -> bool:
    """Whether an object outside is what it was for as long as it is the same object."""
    return callable(thing) or isinstance(thing, types.ModuleType | enum.Enum | numbers.Number | pathlib.PurePath) or _is_constant(thing)


def _only_computes(module: str, name: str, function: Any, args: tuple[Abstract, ...]) -> bool:
    """Whether it is a function of SciPy that gives the same for the same arguments, and calls nothing of the user's."""
    if module.split(".")[1:2] not in ([part] for part in _STATIC_OF_SCIPY) or name in _DRAWS or any(callable(each) for each in args):
        return False
    try:
        return not any(each in _DRAWS for each in inspect.signature(function).parameters)
    except (TypeError, ValueError):  # written in C
        return True


def _is_data(result: Any) -> bool:
    if isinstance(result, tuple | list):
        return all(_is_data(each) for each in result)
    return isinstance(result, np.ndarray | np.generic | bool | int | float | complex) and np.asarray(result).dtype.kind != "O"
