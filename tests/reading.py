"""Helpers of the reader's tests: a function is read, verified, interpreted and compared with what Python itself does."""
from __future__ import annotations

import copy
import dataclasses
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from s2s.hidden import fetch
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.staged import Called, Cut, Joined, Picked, Result, Rows, Staged, Wording
from s2s.transforms.ir.verify import verify
from s2s.transforms.read import read
from s2s.types import COMPLEX128, FLOAT64, INT64, SIZE, Array, Var


def as_vars(value: Any, name: str, params: list[Var], values: list[Any], *, exact: bool = False) -> Any:
    """A container of arguments with a Var for each array and number."""
    if isinstance(value, bool | int | float | complex | np.generic | np.ndarray):
        params.append(Var(name, type_of(value, exact=exact)))
        values.append(value)
        return params[-1]
    if isinstance(value, dict):
        done = {key: as_vars(item, f"{name}_{key}", params, values, exact=exact) for key, item in sorted(value.items())}
        return type(value)((key, done[key]) for key in value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(as_vars(item, f"{name}_{k}", params, values, exact=exact) for k, item in enumerate(value)))
    if isinstance(value, list | tuple):
        return type(value)(as_vars(item, f"{name}_{k}", params, values, exact=exact) for k, item in enumerate(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.replace(value, **{key: as_vars(item, f"{name}_{key}", params, values, exact=exact) for key, item in vars(value).items()})
    return value


def type_of(value: Any, *, exact: bool = False) -> Array:
    """The type that the api gives an argument."""
    if isinstance(value, bool):
        return Array(np.dtype(bool))
    for python, dtype in ((int, INT64), (float, FLOAT64), (complex, COMPLEX128)):
        if type(value) is python:
            return Array(dtype, (), weak=True)
    return Array(value.dtype, tuple(size if exact or size == 1 else Var(f"n{axis}", SIZE) for axis, size in enumerate(value.shape)))


def staged(fun: Any, *args: Any, exact: bool = False, **kwargs: Any) -> tuple[Staged, list[Any]]:
    """The program of a call, and the values of its parameters."""
    params: list[Var] = []
    values: list[Any] = []
    arguments = tuple(as_vars(arg, f"x{k}", params, values, exact=exact) for k, arg in enumerate(args))
    named = {key: as_vars(kwargs[key], key, params, values, exact=exact) for key in sorted(kwargs)}
    result = read(fun, tuple(params), arguments, named)
    verify(result.function)
    return result, values


def run(fun: Any, *args: Any, exact: bool = False, **kwargs: Any) -> tuple[Any, Staged]:
    """What the program gives, arrays of the arguments changed as the program says."""
    program, values = staged(fun, *args, exact=exact, **kwargs)
    values = [*values, *(fetch(fun, each.access) for each in program.hidden)]
    results = interpret(program.function, *(np.copy(value) if isinstance(value, np.ndarray) else value for value in values))
    for var, number in program.mutated:
        values[program.function.params.index(var)][...] = results[number]
    return fill(program.result, results), program


def parts_of(tree: Cut, results: tuple[Any, ...]) -> list[Any]:
    """The lists, sets, dicts or arrays that are parts of a long one."""
    items, starts, ends, *sizes = (fill(each, results) for each in (tree.items, tree.starts, tree.ends, *tree.sizes))
    parts = [items[start:end] for start, end in zip(starts, ends, strict=True)]
    if tree.kind is np.ndarray:
        return [part.reshape(shape) if shape else part for part, shape in zip(parts, zip(*sizes, strict=True) if sizes else [()] * len(parts), strict=True)]
    if isinstance(tree.kind, dict):
        return [type(tree.kind)(tree.kind.default_factory, part) for part in parts]  # type: ignore[attr-defined]
    return [tree.kind(part) for part in parts]


def fill(tree: Any, results: tuple[Any, ...]) -> Any:
    """A result tree with its values."""
    if isinstance(tree, Result):
        return tree.of(results)
    if isinstance(tree, dict):
        return type(tree)((key, fill(item, results)) for key, item in tree.items())
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(fill(item, results) for item in tree))
    if isinstance(tree, list | tuple):
        return type(tree)(fill(item, results) for item in tree)
    if isinstance(tree, Called):
        return tree.kind(*fill(tree.values, results))
    if isinstance(tree, Picked):
        return fill(tree.options[int(fill(tree.place, results))], results)
    if isinstance(tree, Joined):
        return tree.template.join(fill(tree.values[0], results))
    if isinstance(tree, Wording):
        return tree.template.format(*fill(tree.values, results))
    if isinstance(tree, Cut):
        return parts_of(tree, results)
    if isinstance(tree, Rows):
        columns = [fill(column, results) for column in tree.columns]
        return tree.kind(fill(tree.item.tree, row) for row in zip(*columns, strict=True))
    if dataclasses.is_dataclass(tree) and not isinstance(tree, type):
        return dataclasses.replace(tree, **{key: fill(item, results) for key, item in vars(tree).items()})
    return tree


def same(found: Any, wanted: Any, where: str = "result") -> None:
    """Assert that two results are equal: structure, dtype, shape, values."""
    if isinstance(wanted, dict):
        assert type(found) is type(wanted) and list(found) == list(wanted), where
        for key, item in wanted.items():
            same(found[key], item, f"{where}[{key!r}]")
    elif isinstance(wanted, list | tuple):
        assert type(found) is type(wanted) and len(found) == len(wanted), where
        for k, (a, b) in enumerate(zip(found, wanted, strict=True)):
            same(a, b, f"{where}[{k}]")
    elif dataclasses.is_dataclass(wanted):
        same(vars(found), vars(wanted), where)
    elif isinstance(wanted, bool | int | float | complex | np.generic | np.ndarray):
        assert np.shape(found) == np.shape(wanted), f"{where}: shape {np.shape(found)}, expected {np.shape(wanted)}"
        assert np.asarray(found).dtype == np.asarray(wanted).dtype, f"{where}: {np.asarray(found).dtype}, expected {np.asarray(wanted).dtype}"
        np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=1e-13, err_msg=where)
    else:
        assert found == wanted, where


def loaded(path: Path, text: str) -> ModuleType:
    """A module of this text, written there: s2s reads the source of its functions."""
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check(fun: Any, *args: Any, exact: bool = False, **kwargs: Any) -> Staged:
    """The program does what the function does: results, dtypes, shapes, changed arguments."""
    for_python, for_program = copy.deepcopy((args, kwargs)), copy.deepcopy((args, kwargs))
    with np.errstate(all="ignore"):
        wanted = fun(*for_python[0], **for_python[1])
    found, program = run(fun, *for_program[0], exact=exact, **for_program[1])
    same(found, wanted)
    same(for_program, for_python, "arguments")
    return program
