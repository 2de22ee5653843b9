"""Container trees as Python text: how a function unpacks its arguments, packs its results, and what their types are called.

    [(Var W, Var b), …]   ->   unpack  `(W, b), … = params`;   types  `[(f8[:,:], f8[:]), …]`

A leaf is a `Var` (of a parameter) or a `Result`; `None` and everything else that is no container is static.
"""
from __future__ import annotations

import ast
import collections
import dataclasses
import math
import re
import string
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from s2s import sparse_parts, streams, tree_nodes
from s2s.codegen.modules.given import Given
from s2s.errors import UnsupportedError
from s2s.f_strings import f_string
from s2s.outside import made, stored
from s2s.transforms.ir.staged import (
    Called,
    Changing,
    Cut,
    Doubtful,
    Joined,
    Made,
    NoTangent,
    Own,
    Picked,
    Queue,
    Result,
    Rows,
    Storing,
    Wording,
)
from s2s.types import FLOAT0, Array, Var, short_name

LEAF, TUPLE, NAMED, LIST, DICT, DATACLASS, NODE, STATIC = "leaf", "tuple", "named", "list", "dict", "dataclass", "node", "static"
NO_TANGENT = "no tangent"
STORING, CHANGING, PICKED, MADE, ROWS, CUT = "storing", "changing", "picked", "made", "rows", "cut"
QUEUE, WORDING, JOINED, DOUBTFUL, CALLED = "queue", "wording", "joined", "doubtful", "called"


def kind_of(tree: Any) -> str:
    """Which of the kinds above a node is."""
    if isinstance(tree, (Var, Result, Given, Own)):
        return LEAF
    if isinstance(tree, NoTangent):
        return NO_TANGENT
    if isinstance(tree, Changing):
        return CHANGING
    if isinstance(tree, Called):
        return CALLED
    if isinstance(tree, Storing | Picked | Made):
        return STORING if isinstance(tree, Storing) else PICKED if isinstance(tree, Picked) else MADE
    if isinstance(tree, Rows | Cut):
        return ROWS if isinstance(tree, Rows) else CUT
    if isinstance(tree, Queue | Wording | Doubtful):
        return QUEUE if isinstance(tree, Queue) else JOINED if isinstance(tree, Joined) else WORDING if isinstance(tree, Wording) else DOUBTFUL
    if tree_nodes.is_node(tree):
        return NODE
    if isinstance(tree, tuple):
        return NAMED if hasattr(tree, "_fields") else TUPLE
    if isinstance(tree, list):
        return LIST
    if isinstance(tree, dict):
        return DICT
    if dataclasses.is_dataclass(tree) and not isinstance(tree, type) and not tree_nodes.is_record(type(tree)):
        return DATACLASS
    return STATIC


def children(tree: Any) -> list[tuple[Any, Any]]:
    """(key, child) in order of flattening: a dict's keys sorted, as optree has them."""
    match kind_of(tree):
        case "tuple" | "list":
            return list(enumerate(tree))
        case "named":
            return list(zip(tree._fields, tree, strict=True))
        case "dict":
            return [(key, tree[key]) for key in sorted_keys(tree)]
        case "dataclass":
            return [(name, getattr(tree, name)) for name in _attributes(tree)]
        case "node":
            return list(enumerate(tree_nodes.parts_of(tree)[0]))
        case "storing" | "changing":
            return [("result", tree.result), ("values", tree.values)]
        case "made":
            return list(zip(tree.names, tree.values, strict=True))
        case "picked":
            return [("place", tree.place), ("options", tree.options)]
        case "rows":
            return list(enumerate(tree.columns))
        case "queue":
            return [("items", tree.items)]
        case "wording" | "joined" | "called":
            return list(enumerate(tree.values))
        case "doubtful":
            return [("flags", tree.flags), ("values", tree.values)]
        case "cut":
            return [("items", tree.items), ("starts", tree.starts), ("ends", tree.ends), *enumerate(tree.sizes)]
        case "no tangent":
            return list(enumerate(tree.shape))
        case _:
            return []


def _attributes(tree: Any) -> Iterable[str]:
    """What an object of a dataclass holds: its fields, and what else the function put there."""
    return dict.fromkeys((*(field.name for field in dataclasses.fields(tree)), *getattr(tree, "__dict__", ())))


def sorted_keys(mapping: dict[Any, Any]) -> list[Any]:
    """The keys sorted; by their types' names where they don't compare, as optree does."""
    try:
        return sorted(mapping)
    except TypeError:
        return sorted(mapping, key=lambda key: (f"{type(key).__module__}.{type(key).__qualname__}", key))


def leaves(tree: Any) -> Iterator[Any]:
    """The Vars or Results in order of flattening."""
    if kind_of(tree) == LEAF:
        yield tree
    for _, child in children(tree):
        yield from leaves(child)


def statics(tree: Any) -> Iterator[Any]:
    """The static values in the tree."""
    if kind_of(tree) == STATIC:
        yield tree
    for _, child in children(tree):
        yield from statics(child)


def has_float0(tree: Any) -> bool:
    """Whether the tree holds tangents of integers, which are arrays of NumPy."""
    return isinstance(tree, np.ndarray | NoTangent) or any(has_float0(child) for _, child in children(tree))


class Names:
    """Python identifiers of one scope, made unique; and objects that have no text, which the loader puts into the module."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = set(taken)
        self.injected: dict[str, Any] = {}

    def fresh(self, hint: str) -> str:
        """A name like hint that nothing else has."""
        name, number = hint, 0
        while name in self.taken:
            number += 1
            name = f"{hint}_{number}"
        self.taken.add(name)
        return name

    def inject(self, hint: str, value: Any) -> str:
        """The name under which the module finds this object."""
        for name, known in self.injected.items():
            if known is value:
                return name
        name = self.fresh(hint)
        self.injected[name] = value
        return name


_CONVERTED = re.compile(r"(?:np\.bool_|bool)\((\w+)\)")
"""A flag as the caller would get it: a test does without."""
Bound = tuple[str, str]
"""An assignment: its target and what it is given."""


def unpack(source: str, tree: Any, names: Names, name_of: Callable[[Var], str]) -> list[Bound]:
    """The assignments that bind the leaves of the container in `source` to their names."""
    if kind_of(tree) in (DICT, DATACLASS):
        return _unpack_fields(source, tree, names, name_of)
    if kind_of(tree) == NODE:
        return unpack(f"{names.inject('parts_of', tree_nodes.parts_of)}({source})[0]", tree_nodes.parts_of(tree)[0], names, name_of)
    later: list[Bound] = []
    target = _target(tree, names, name_of, later, inside=False)
    return [(target, source), *later] if target else []


def _target(tree: Any, names: Names, name_of: Callable[[Var], str], later: list[Bound], *, inside: bool) -> str:
    """An assignment target for the node (`inside` of another one), empty if nothing in it is needed; dicts and dataclasses are taken apart `later`."""
    match kind_of(tree):
        case "leaf":
            return name_of(tree)
        case "tuple" | "list" | "named":
            parts = [_target(child, names, name_of, later, inside=True) for _, child in children(tree)]
            if not any(parts):
                return ""
            items = ", ".join(part or "_" for part in parts)
            return f"({items},)" if len(parts) == 1 else f"({items})" if inside else items
        case "dict" | "dataclass" | "node" if any(True for _ in leaves(tree)):
            whole = names.fresh("fields")
            later.extend(unpack(whole, tree, names, name_of))
            return whole
        case _:
            return ""


def _unpack_fields(source: str, tree: Any, names: Names, name_of: Callable[[Var], str]) -> list[Bound]:
    lines: list[Bound] = []
    for key, child in children(tree):
        part = f"{source}[{literal_text(key, names)}]" if kind_of(tree) == DICT else f"{source}.{key}"
        lines.extend(unpack(part, child, names, name_of))
    return lines


def pack(tree: Any, names: Names, text_of: Callable[[Any], str]) -> str:
    """An expression that builds the container, its leaves' texts given."""
    kind, parts = kind_of(tree), [(key, pack(child, names, text_of)) for key, child in children(tree)]
    match kind:
        case "leaf":
            return text_of(tree)
        case "tuple":
            return f"({parts[0][1]},)" if len(parts) == 1 else f"({', '.join(text for _, text in parts)})"
        case "list":
            return f"[{', '.join(text for _, text in parts)}]"
        case "named":
            items = ", ".join(text for _, text in parts)
            return f"{class_text(type(tree), names)}({items})" if _is_librarys(type(tree).__new__) else f"{class_text(type(tree), names)}._make(({items},))"
        case "dict":
            by_key = dict(parts)  # in the user's own order of keys
            text = "{" + ", ".join(f"{literal_text(key, names)}: {by_key[key]}" for key in tree) + "}"
            return text if type(tree) is dict else _dict_subclass(tree, text, names)
        case "dataclass":
            if not _is_called_with(type(tree), {key for key, _ in parts}):
                return _made(type(tree), tuple(key for key, _ in parts), [text for _, text in parts], names)
            return f"{class_text(type(tree), names)}({', '.join(f'{key}={text}' for key, text in parts)})"
        case "node":
            data = literal_text(tree_nodes.parts_of(tree)[1], names)
            inner = pack(tuple(child for _, child in children(tree)), names, text_of)
            return f"{names.inject('make_node', tree_nodes.make_node)}({class_text(type(tree), names)}, {data}, {inner})"
        case "storing":
            (_, result), (_, values) = parts
            return f"{names.inject('stored', stored)}({result}, {names.inject('places', tree.places)}, {values})"
        case "made":
            return _made(tree.kind, tree.names, [text for _, text in parts], names)
        case "picked":
            return _picked(tree, parts[0][1], names, text_of)
        case "rows":
            return _rows(tree, [text for _, text in parts], names)
        case "queue":
            most = "" if tree.maxlen is None else f", {tree.maxlen}"
            return f"{names.inject('deque', collections.deque)}({parts[0][1]}{most})"
        case "called":
            name = tree.kind.__name__
            if tree.kind is np.dtype:
                name = "np.dtype"
            return f"{names.inject(name, tree.kind) if name in names.taken else name}({', '.join(text for _, text in parts)})"
        case "doubtful":
            return _doubtful(tree, names, text_of)
        case "wording":
            return f_string(tree.template, [ast.parse(text, mode="eval").body for _, text in parts])
        case "joined":
            return f"{quoted(tree.template)}.join({parts[0][1]})"
        case "cut":
            return _cut(tree, [text for _, text in parts], names)
        case "no tangent":
            return f"""np.zeros({pack(tree.shape, names, text_of)}, [("float0", "V")])"""
        case _:
            return literal_text(tree, names)


def _made(kind: type, attributes: tuple[str, ...], values: list[str], names: Names) -> str:
    """An object that holds these, made without its class's `__init__`."""
    held = "".join(f"{text}, " for text in values)
    return f"{names.inject('made', made)}({class_text(kind, names)}, {attributes!r}, ({held}))"


def _is_called_with(kind: Any, attributes: set[str]) -> bool:
    """Whether a call of a dataclass with these makes an object that holds just them: the library has written its `__init__`, and nothing of the user's runs behind it."""
    init = kind.__init__
    if not _is_librarys(init) or hasattr(kind, "__post_init__") or kind.__new__ is not object.__new__:
        return False
    code = init.__code__
    is_set = kind.__setattr__ is object.__setattr__ or _is_librarys(kind.__setattr__)
    return is_set and attributes == set(code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount])


def _is_librarys(function: Any) -> bool:
    """Whether dataclasses or namedtuple has written it."""
    return getattr(getattr(function, "__code__", None), "co_filename", "") == "<string>"


def _picked(tree: Picked, place: str, names: Names, text_of: Callable[[Any], str]) -> str:
    """The option that the run came to; of the others nothing is made: a view of an array that the run never made so long would raise."""
    options = [pack(option, names, text_of) for option in tree.options]
    if not any(True for _ in leaves(tree.options)):
        return f"({', '.join(options)}{',' if len(options) == 1 else ''})[{place}]"
    tests = "".join(f"{option} if {place} == {number} else " for number, option in enumerate(options[:-1]))
    return f"({tests}{options[-1]})"


def _doubtful(tree: Doubtful, names: Names, text_of: Callable[[Any], str]) -> str:
    """A dict with the keys that the run came to: {"a": a, **({"b": b} if b_is_set else {})}."""
    items = [f"{quoted(key)}: {pack(value, names, text_of)}" for key, value in zip(tree.keys, tree.values, strict=True)]
    tests = [None if flag is None else _CONVERTED.sub(r"\1", text_of(flag)) for flag in tree.flags]
    return "{" + ", ".join(item if test is None else f"**({{{item}}} if {test} else {{}})" for item, test in zip(items, tests, strict=True)) + "}"


def _rows(tree: Rows, columns: list[str], names: Names) -> str:
    """A list, set or dict of what the columns hold: [(a, b) for a, b in zip(…, …)]."""
    if tree.kind is list and isinstance(tree.item.tree, Result):
        return columns[0]
    if tree.kind is tuple:
        return f"tuple({columns[0]})"
    pack(tree.item.tree, names, lambda leaf: "_")  # its classes have names
    own = Names(names.taken)
    bound = [own.fresh(letter) for letter in (string.ascii_lowercase * 9)[: len(columns)]]
    over = f"zip({', '.join(columns)})" if len(columns) > 1 else columns[0]
    loop = f"for {', '.join(bound)} in {over}"
    if tree.kind in (list, set):
        item = pack(tree.item.tree, names, lambda leaf: bound[leaf.number])
        return f"[{item} {loop}]" if tree.kind is list else f"{{{item} {loop}}}"
    key, value = (pack(part, names, lambda leaf: bound[leaf.number]) for part in tree.item.tree)
    text = f"{{{key}: {value} {loop}}}"
    if tree.kind is dict:
        return text
    if isinstance(tree.kind, collections.defaultdict):
        return _dict_subclass(tree.kind, text, names)
    return f"{names.inject(tree.kind.__name__, tree.kind)}({text})"


def _cut(tree: Cut, parts: list[str], names: Names) -> str:
    """A list of lists, sets, dicts or arrays: [set(a[b:c]) for a in (items,) for b, c in zip(starts, ends)]."""
    items, starts, ends, *sizes = parts
    own = Names(names.taken)
    a, b, c, *shape = (own.fresh(letter) for letter in string.ascii_lowercase[: len(parts)])
    part = f"{a}[{b}:{c}]"
    if isinstance(tree.kind, collections.defaultdict):
        part = _dict_subclass(tree.kind, part, names)
    elif tree.kind is np.ndarray:
        part = f"{part}.reshape({', '.join(shape)}).copy()" if shape else f"{part}.copy()"
    elif tree.kind in (set, dict):
        part = f"{tree.kind.__name__}({part})"
    elif tree.kind is not list:
        part = f"{names.inject(tree.kind.__name__, tree.kind)}(dict({part}))"
    return f"[{part} for {a} in ({items},) for {', '.join((b, c, *shape))} in zip({', '.join((starts, ends, *sizes))})]"


def _dict_subclass(tree: dict[Any, Any], text: str, names: Names) -> str:
    if type(tree) is collections.OrderedDict:
        return f"{names.inject('OrderedDict', collections.OrderedDict)}({text})"
    if type(tree) is collections.defaultdict:
        return f"{names.inject('defaultdict', collections.defaultdict)}({literal_text(tree.default_factory, names)}, {text})"
    raise UnsupportedError(f"a {type(tree).__name__} as a result", instead="return a dict")


def class_of_node(tree: Any) -> type:
    """The class of what a caller passes: of a random generator's stream and of a sparse matrix's parts that of the whole."""
    if isinstance(tree, streams.Stream):
        return streams.class_of(tree.cls)
    return tree.cls if isinstance(tree, sparse_parts.Matrix) else type(tree)


def class_text(cls: type, names: Names) -> str:
    """The name of a user's class in the module."""
    return names.inject(cls.__name__, cls)


def quoted(text: str) -> str:
    """repr with double quotes where that needs no escapes."""
    plain = repr(text)
    return f'"{plain[1:-1]}"' if plain[0] == "'" and '"' not in plain and "\\" not in plain else plain


def is_literal(value: Any) -> bool:
    """Whether repr gives text that Python reads back as the same value."""
    if type(value) in (float, complex):
        return math.isfinite(abs(value))
    if isinstance(value, np.integer | np.floating):  # np.int64(1)
        return type(value) is not np.longdouble and math.isfinite(value)
    if type(value) is tuple:
        return all(is_literal(item) for item in value)
    return value is None or value is Ellipsis or type(value) in (bool, int, str, bytes)


def literal_text(value: Any, names: Names) -> str:
    """Python text of a static value; a name where it has none."""
    if is_literal(value):
        return "..." if value is Ellipsis else quoted(value) if type(value) is str else repr(value)
    if type(value) is float:
        return f'float("{value}")'
    if isinstance(value, np.ndarray) and value.dtype == FLOAT0:
        return f'np.zeros({value.shape}, [("float0", "V")])'
    own = getattr(value, "__name__", "static").strip("<>").rpartition(".")[2]  # of a module in a package
    return names.inject("function" if own == "lambda" else own, value)


# ---- how types are called -------------------------------------------------------------------------------------------


def type_text(type_: Array, dim_name: Callable[[Any], str] = str) -> str:
    """float64[n, m]: as docstrings have it."""
    name = type_.dtype.name if not type_.weak else {"i": "int", "f": "float", "c": "complex", "b": "bool"}[type_.dtype.kind]
    return name + (f"[{', '.join(dim_name(dim) for dim in type_.shape)}]" if type_.shape else "")


def argument_text(type_: Array) -> str:
    """f8[:,:]: as --args has it; Python numbers by their Python names, sizes that are fixed as numbers."""
    if type_.weak:
        return "wide_int" if type_.wide else {"i": "int", "f": "float", "c": "complex", "b": "bool"}[type_.dtype.kind]
    dims = ",".join(str(dim) if isinstance(dim, int) else ":" for dim in type_.shape)
    return short_name(type_.dtype) + (f"[{dims}]" if dims else "")


def tree_text(tree: Any, leaf: Callable[[Any], str]) -> str:
    """A container's types in Python's brackets, the leaves' texts given: [(f8[:,:], f8[:])]."""
    parts = [(key, tree_text(child, leaf)) for key, child in children(tree)]
    match kind_of(tree):
        case "leaf":
            return leaf(tree)
        case "tuple":
            return f"({', '.join(text for _, text in parts)}{',' if len(parts) == 1 else ''})"
        case "list":
            return f"[{', '.join(text for _, text in parts)}]"
        case "dict":
            by_key = dict(parts)  # in the user's own order of keys
            return "{" + ", ".join(f"{quoted(key) if type(key) is str else repr(key)}: {by_key[key]}" for key in tree) + "}"
        case "named" | "dataclass":
            return f"{type(tree).__name__}({', '.join(f'{key}={text}' for key, text in parts)})"
        case "node":
            return f"{type(tree).__name__}({', '.join(text for _, text in parts)})"
        case "made":
            return f"{tree.kind.__name__}({', '.join(f'{key}={text}' for key, text in parts)})"
        case "storing" | "changing":
            return parts[0][1]
        case "picked":
            return " | ".join(dict.fromkeys(tree_text(option, leaf) for option in tree.options))
        case "rows":
            return f"{'defaultdict' if isinstance(tree.kind, dict) else tree.kind.__name__} of {tree_text(tree.item.tree, lambda item: parts[item.number][1].removeprefix('list of '))}"
        case "cut":
            if tree.kind is np.ndarray:
                return f"list of {parts[0][1].split('[')[0]}[{', '.join(':' for _ in tree.sizes or ' ')}]"
            return f"list of {parts[0][1]}" if tree.kind is list else f"list of {'defaultdict' if isinstance(tree.kind, dict) else tree.kind.__name__} of {parts[0][1].removeprefix('list of ')}"
        case "queue":
            return f"deque({parts[0][1]})"
        case "wording" | "joined":
            return "str"
        case "called":
            return tree.kind.__name__
        case "doubtful":
            held = (f"{quoted(key)}: {'' if flag is None else '?'}{tree_text(value, leaf)}" for key, value, flag in zip(tree.keys, tree.values, tree.flags, strict=True))
            return "{" + ", ".join(held) + "}"
        case "no tangent":
            return f"float0[{', '.join(':' for _ in parts)}]"
        case _ if has_float0(tree):
            return "float0"
        case _:
            return repr(tree) if is_literal(tree) else getattr(tree, "__name__", type(tree).__name__)
