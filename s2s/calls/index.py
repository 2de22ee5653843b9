"""The persistent index: has this question been answered before, by this or another process?

A question is everything that the emitted module depends on and that is known before the source is read: the function
(its code and its file), the rewrites, the argument types, the versions. Its answer also depends on what the function
reaches (helpers, global numbers), which only reading finds out: those are stored with the answer as guards, described
by their content, and are described again and compared when the answer is looked up. What can't be described is not stored.
"""
from __future__ import annotations

import functools
import inspect
import platform
import sys
import types
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from s2s import hidden as hidden_inputs
from s2s.calls.leaves import exact_kind, matches
from s2s.calls.places import from_json as places_from_json
from s2s.calls.places import to_json as places_to_json
from s2s.calls.request import Request
from s2s.calls.rewrite import Rewritten
from s2s.calls.specialisation import Facts
from s2s.codegen.modules import cache
from s2s.codegen.modules import compile as compiler
from s2s.codegen.modules.call import Static
from s2s.outside import OF_NAMED_TUPLES, Access, Guard
from s2s.tree_util import PyTreeDef
from s2s.types import SIZE, Array, Var, short_name


class NotDescribable(Exception):
    """A value that can't be recognised in another process."""


# ---- questions and answers ------------------------------------------------------------------------------------------


def question(transformed: Rewritten, request: Request) -> str | None:
    """The hash of everything that is known before reading; None if something in it has no lasting description."""
    try:
        parts = [
            _versions(transformed.target), _describe_root(transformed.root), transformed.public_name, transformed.target,
            [[step.name, sorted((key, repr(value)) for key, value in step.params.items())] for step in (*transformed.chain(), transformed.rewrite)],
            _describe_tree(request.treedef), [_describe_leaf(kind, leaf, request.exact) for kind, leaf in zip(request.kinds, request.leaves, strict=True)],
            request.exact, request.decided, request.elements(), list(request.aliases), request.after,
        ]  # fmt: skip
    except NotDescribable:
        return None
    return cache.digest(repr(parts))


def _describe_root(root: Any) -> Any:
    """The user's callable; what a method or an instance holds is looked at by guards, as what a function reaches is."""
    if isinstance(root, types.MethodType):
        return ["method", describe(root.__func__), describe(type(root.__self__))]
    own_call = inspect.getattr_static(type(root), "__call__", None)
    if isinstance(own_call, types.FunctionType):
        return ["instance", describe(own_call), describe(type(root))]
    return describe(root)


def remember(key: str, path: Path, facts: Facts, injected: dict[str, Any]) -> None:
    """Store the answer, if all of it can be described."""
    try:
        record = {
            "module": path.name,
            "hidden": [[_access_to_json(access), short_name(type_.dtype), [type_.weak, type_.boxed, type_.wide], [dim if isinstance(dim, int) else -1 for dim in type_.shape]]
                       for access, type_ in facts.hidden],
            "guards": [[_access_to_json(guard.access), describe(guard.value)] for guard in facts.guards],
            "mutated": list(facts.mutated), "stretch": facts.stretch, "separate": facts.separate, "distinct": facts.distinct,
            "in_order": list(facts.in_order), "given": list(facts.given), "columns": list(facts.columns), "places": places_to_json(facts.places), "changed": [_access_to_json(access) for access in facts.changed],
            "injected": {name: describe(value) for name, value in injected.items()},
        }  # fmt: skip
    except NotDescribable:
        return
    cache.store_record(key, record)


def lookup(key: str, transformed: Rewritten, request: Request) -> tuple[Path, str, ModuleType, Facts] | None:
    """The module that answers the question, loaded, if everything it was built on is still the same."""
    for record in cache.read_records(key):
        try:
            guards = tuple(_live_guard(transformed.root, steps, wanted) for steps, wanted in record["guards"])
            injected = {name: _find(described) for name, described in record["injected"].items()}
            hidden = tuple((_access_from_json(steps), _type_from_json(dtype, flags, shape)) for steps, dtype, flags, shape in record["hidden"])
            if not all(matches(hidden_inputs.fetch(transformed.root, access), type_) for access, type_ in hidden):
                continue
            separate, distinct = (tuple((one, other) for one, other in record[name]) for name in ("separate", "distinct"))
            orders = tuple(record["in_order"]), tuple(record["given"]), tuple(record["columns"])
            facts = Facts(hidden, guards, tuple(record["mutated"]), bool(record["stretch"]), separate, distinct, *orders, places_from_json(record["places"]), tuple(_access_from_json(steps) for steps in record["changed"]))
        except (NotDescribable, KeyError, TypeError, ValueError):
            continue
        if (text := cache.read_module(record["module"])) is not None:
            path = cache.directory() / record["module"]
            return path, text, compiler.load_text(path, text, injected), facts
    return None


def _live_guard(root: Any, steps: Any, wanted: Any) -> Guard:
    access = _access_from_json(steps)
    value = hidden_inputs.fetch(root, access)
    if describe(value) != wanted:
        raise NotDescribable
    return Guard(access, value)


def _access_to_json(access: Access) -> list[Any]:
    return [[kind, describe(key)] for kind, key in access.steps]


def _access_from_json(steps: Any) -> Access:
    return Access(tuple((kind, _find(key)) for kind, key in steps))


def _type_from_json(dtype: str, flags: list[bool], shape: list[int]) -> Array:
    weak, boxed, wide = flags
    return Array(np.dtype(dtype), tuple(size if size >= 0 else Var("n", SIZE) for size in shape), weak, boxed, wide=wide)


@functools.cache
def _versions(target: str) -> list[str]:
    versions = [cache.package_stamp(), sys.version, platform.machine(), np.__version__]
    if target != "numpy":
        import numba  # it is needed anyway to run the module

        versions.append(numba.__version__)
    return versions


def _describe_leaf(kind: Any, leaf: Any, exact: bool) -> Any:
    if isinstance(kind, Static):
        return ["static", describe(kind.value)]
    return repr(exact_kind(kind, leaf) if exact else kind)


def _describe_tree(treedef: PyTreeDef) -> Any:
    cls = treedef.type
    return [repr(treedef), None if cls is None else describe(cls), [_describe_tree(child) for child in treedef.children()]]


# ---- descriptions: JSON values that are equal when the objects have the same content ----------------------------------


_PLAIN: dict[type, Callable[[Any], Any]] = {
    str: lambda value: value, int: lambda value: ["int", str(value)], float: lambda value: ["float", value.hex()],
    complex: lambda value: ["complex", value.real.hex(), value.imag.hex()],
}  # fmt: skip
"""Numbers and texts, of these very classes."""


def describe(value: Any) -> Any:
    """A JSON value that says what this object is, so that it can be recognised in another process."""
    if value is hidden_inputs.MISSING:
        return ["missing"]
    match value:
        case None | bool():
            return value
        case str() | int() | float() | complex() if type(value) in _PLAIN:
            return _PLAIN[type(value)](value)
        case bytes():
            return ["bytes", value.hex()]
        case tuple() | list() if type(value) in (tuple, list):
            return [type(value).__name__, *(describe(item) for item in value)]
        case dict() if type(value) is dict:
            return ["dict", *([describe(key), describe(item)] for key, item in value.items())]
        case PyTreeDef():
            return ["tree", *_describe_tree(value)]
        case slice():
            return ["slice", describe(value.start), describe(value.stop), describe(value.step)]
        case types.EllipsisType():
            return ["..."]
        case ModuleType():
            return ["module", value.__name__]
        case np.dtype():
            return ["dtype", value.str, repr(value)]
        case functools.partial():
            return ["partial", describe(value.func), describe(value.args), describe(value.keywords)]
        case types.WrapperDescriptorType() | types.MethodDescriptorType() | types.ClassMethodDescriptorType():
            return ["slot", describe(value.__objclass__), value.__name__]
        case CodeType():
            return ["code", _code_hash(value)]
        case staticmethod() | classmethod():
            return [type(value).__name__, describe(value.__func__)]
        case property():
            return ["property", describe(value.fget), describe(value.fset), describe(value.fdel)]
        case types.MethodType():
            raise NotDescribable
        case types.FunctionType():
            return _describe_function(value)
        case type():
            return ["class", *_address(value), _file_hash(_file_of_module(value.__module__)), _package_version(value.__module__)]
    if hasattr(value, "rewrite") and hasattr(value, "chain"):
        steps = [[step.name, sorted((key, repr(option)) for key, option in step.params.items())] for step in value.chain()]
        return ["transformed", value.rewrite.name, value.target, sorted(value.static_names), steps, describe(value.root)]
    if callable(value) and hasattr(value, "__name__") and getattr(value, "__module__", None):
        return ["named", *_address(value), _package_version(value.__module__)]
    if callable(value) and isinstance(value, np.ufunc):
        return ["named", "numpy", value.__name__, np.__version__]
    raise NotDescribable


def _address(value: Any) -> tuple[str, str]:
    """Module and qualified name, checked to lead to this object."""
    module, qualname = value.__module__, getattr(value, "__qualname__", value.__name__)
    found: Any = sys.modules.get(module)
    for part in qualname.split("."):
        found = getattr(found, part, None)
    if found is not value:
        raise NotDescribable
    return module, qualname


def _find(described: Any) -> Any:
    """The object of a description; NotDescribable if it can't be found or has become another."""
    match described:
        case None | bool() | str():
            return described
        case ["int", str(text)]:
            return int(text)
        case ["float", str(text)]:
            return float.fromhex(text)
        case ["tuple", *items]:
            return tuple(_find(item) for item in items)
        case ["module", str(module)] if module in sys.modules:
            return sys.modules[module]
        case ["class", str(module), str(qualname), *_] | ["named", str(module), str(qualname), *_] | ["function", str(module), str(qualname), *_]:
            found: Any = sys.modules.get(module) or import_module(module) if module in ("builtins", "collections") else sys.modules.get(module)
            for part in qualname.split("."):
                found = getattr(found, part, None)
            if found is not None and describe(found) == described:
                return found
    raise NotDescribable


def _describe_function(function: types.FunctionType) -> Any:
    """A Python function by its code, its defaults and its file's content (the reader sees the file, Python the code)."""
    defaults = [describe(value) for value in function.__defaults__ or ()]
    keywords = [[key, describe(value)] for key, value in (function.__kwdefaults__ or {}).items()]
    of_collections = (function.__module__ or "").startswith(OF_NAMED_TUPLES)  # made of the names of a NamedTuple's fields: its code says all
    file = None if of_collections else function.__code__.co_filename
    return ["function", function.__module__, function.__qualname__, _code_hash(function.__code__), _file_hash(file), defaults, keywords]


def _code_hash(code: CodeType) -> str:
    consts = [_code_hash(const) if isinstance(const, CodeType) else _const_text(const) for const in code.co_consts]
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return cache.digest(code.co_code, repr((code.co_name, code.co_firstlineno, code.co_flags, names, consts)))


def _const_text(const: Any) -> str:
    return repr(sorted(map(repr, const))) if isinstance(const, frozenset) else f"{type(const).__name__} {const!r}"


_HASHES: dict[tuple[str, int, int], str] = {}


def _file_hash(file: str | None) -> str:
    """The hash of a source file; NotDescribable where there is none (a prompt, a notebook cell)."""
    try:
        found = Path(file or "").stat()
        key = (str(file), found.st_mtime_ns, found.st_size)
        if key not in _HASHES:
            _HASHES[key] = cache.digest(Path(str(file)).read_bytes())
    except OSError:
        if file is None:
            return "built-in"
        raise NotDescribable from None
    return _HASHES[key]


def _file_of_module(name: str) -> str | None:
    return getattr(sys.modules.get(name), "__file__", None)


def _package_version(module: str) -> str:
    package = sys.modules.get(module.split(".", maxsplit=1)[0])
    return str(getattr(package, "__version__", ""))
