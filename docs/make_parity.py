"""Writes docs/jax_parity.md: JAX's functions and arguments beside s2s's. `tests/test_parity.py` checks that it is current.

    python docs/make_parity.py              from s2s's own signatures and docs/jax_signatures.json
    python docs/make_parity.py --jax        writes docs/jax_signatures.json anew; needs JAX (0.10.2 was taken)
"""
from __future__ import annotations

import importlib
import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from s2s.not_here import REASONS

HERE = Path(__file__).resolve().parent
PAGE, SIGNATURES = HERE / "jax_parity.md", HERE / "jax_signatures.json"
MODULES = (
    "jax", "jax.lax", "jax.lax.linalg", "jax.nn", "jax.nn.initializers", "jax.image", "jax.random", "jax.tree_util", "jax.tree", "jax.flatten_util", "jax.stages", "jax.custom_derivatives",
    "jax.custom_batching", "jax.ad_checkpoint", "jax.checkpoint_policies", "jax.debug", "jax.dtypes", "jax.typing", "jax.test_util", "jax.profiler", "jax.core", "jax.errors", "jax.sharding", "jax.experimental", "jax.numpy",
    "jax.numpy.linalg", "jax.numpy.fft", "jax.scipy.special", "jax.scipy.linalg", "jax.scipy.stats",
)  # fmt: skip
ARRAYS = tuple(name for name in MODULES if name.startswith(("jax.numpy", "jax.scipy")))
"""Their functions are NumPy's and SciPy's own here, with these libraries' arguments and some of JAX's."""

DEVICES = "arrays are whole and in one place, on the host's CPU"
REFS = "arrays can be changed themselves: no references are needed"
ARGUMENTS: dict[str, str] = {
    "out_sharding": DEVICES, "sharding": DEVICES, "manual_axis_type": DEVICES, "accuracy": "functions are correct to the last digits that NumPy's have", "out_dtype": "astype of the result",
    "mode": "JAX's cheaper or dearer bits for the same distribution: the default is made", "allow_negative_indices": "negative indices count from the end, as by default",
    "algorithm": "the variance is NumPy's",
    "sum_match": "a rule of named axes", "weak_type": "types of arrays are strong", "is_ref": REFS, "dimension_numbers": "lax.dot_general", "dtype": "keys are int64 arrays",
    "nodetype": "the class, by position", "drop_fields": "a field that metadata or data names", "flatten_with_keys_func": "register_pytree_with_keys", "f": "fun, by position",
    "m": "n, by position", "propagate_source_info": "errors name the lines of what is read", "a": "SciPy's names, by position", "b": "SciPy's names, by position", "x1": "by position: it is NumPy's ufunc", "x2": "by position: it is NumPy's ufunc", "x": "NumPy's and SciPy's names, by position", "y": "NumPy's and SciPy's names, by position",
    "prim": "a policy is given to s2s.checkpoint, nobody calls it", "*args": "by position", "*_": "a policy is given to s2s.checkpoint, nobody calls it", "**__": "a policy is given to s2s.checkpoint, nobody calls it",
    "operands": "one array", "init_values": "one value", "base_dilation": "lax.pad first", "window_dilation": "lax.conv_general_dilated_patches(rhs_dilation=…)",
    **dict.fromkeys(("create_perfetto_link", "create_perfetto_trace", "profiler_options"), "trace.json is written, which Perfetto shows"), "**decorator_kwargs": "none has a meaning",
}  # fmt: skip
"""Why an argument is not taken, or by which name."""
BY_POSITION = "by position, or by the library's own name"
SIZES = "none: results have as many elements as there are, inside of functions too"
ARRAY_ARGUMENTS: dict[str, str] = {
    **dict.fromkeys(("A", "B", "C", "M", "a", "b", "c", "h", "lmbda", "m", "n", "p", "q", "start", "subscripts", "x", "x1", "x2", "y", "z", "*shapes", "**kwargs", "*args"), BY_POSITION),
    **dict.fromkeys(("size", "fill_value", "length", "total_repeat_length"), SIZES), "out_sharding": DEVICES, "device": DEVICES, "precision": "none: products have all digits of their dtype",
    "preferred_element_type": "astype before", "inplace": "the array is changed in place, as NumPy does", "promote_integers": "dtype=", "descending": "np.flip of the result", "dtype": "astype of the result",
    **dict.fromkeys(("assume_unique_indices", "unique_indices", "indices_are_sorted", "unroll"), "none: it would change nothing"), "wrap_negative_indices": "none: negative indices count from the end",
    "mode": "NumPy's IndexError; x.at[…] with a mode", "method": "none: the library's own method", "strip_zeros": "none: NumPy strips them", "trim_leading_zeros": "none: NumPy trims them", "series_order": "none: the library's digits",
    **dict.fromkeys(("debug", "turbo", "tol", "eps", "max_iterations", "max_squarings", "upper_triangular"), "none: the library's own method"), "eigvals": "subset_by_value", "key": "none: the library's own method",
    "where": "np.where(where, a, -np.inf), or nn.logsumexp", "symmetrize_input": "(a + a.T) / 2", "subset_by_index": "a part of the result", "numpy_resid": "none: NumPy's residuals",
}  # fmt: skip
"""What JAX's functions of arrays take and the libraries' do not."""
BY_PLACE = ("jax.lax.optimization_barrier", "jax.lax.mulhi")
"""JAX's own take their arguments by position only."""
MADE = ("jax.stages", "jax.custom_derivatives.SymbolicZero")
"""Made by s2s, never by a user: how is nobody's concern."""
HEAD = """# JAX's functions and arguments

Made by `python docs/make_parity.py` from the signatures of s2s and of JAX {version}; not edited by hand. Names that end in `_p` are primitives of JAX's tracer, and are not here.
"there" means: same name, and all of JAX's arguments are taken but those that are listed. [from_jax.md](from_jax.md) says what differs in meaning, [supported.md](supported.md) what is read.
"""


REFUSED = ("array_repr", "array_str", "einsum_path", "from_dlpack", "fromfile", "frompyfunc", "get_printoptions", "load", "save", "savez", "ufunc")
"""Functions of arrays that are not read: texts of arrays, files, NumPy's settings."""


def page() -> str:
    """The text of the page."""
    known = json.loads(SIGNATURES.read_text(encoding="utf-8"))
    parts = [HEAD.format(version=known["version"])]
    for module, names in known["modules"].items():
        rows, refused = (_arrays(module, names), {}) if module in ARRAYS else _rows(module, names)
        parts.append(f"## {module}\n")
        parts += rows
        if refused:
            parts.append("\nNot there:\n\n| name | why, or what instead |\n| --- | --- |")
            parts += [f"| {', '.join(f'`{name}`' for name in same)} | {why} |" for why, same in refused.items()]
        parts.append("")
    return "\n".join(parts) + "\n"


def _rows(module: str, names: dict[str, list[str] | None]) -> tuple[list[str], dict[str, list[str]]]:
    there, refused = ["| function | arguments | not taken, and why |", "| --- | --- | --- |"], {}
    for name, arguments in names.items():
        ours = found(module, name)
        if ours is None:
            refused.setdefault(why_not(module, name), []).append(name)
            continue
        taken, without = compared(f"{module}.{name}", ours, arguments)
        there.append(f"| `{name}` | {', '.join(f'`{each}`' for each in taken)} | {'; '.join(f'`{each}`: {ARGUMENTS[each]}' for each in without)} |")
    return there if len(there) > 2 else [], refused


def _arrays(module: str, names: dict[str, list[str] | None]) -> list[str]:
    """NumPy's and SciPy's functions: which are read, and JAX's arguments that they have not."""
    own = module.removeprefix("jax.")
    functions = [name for name in names if names[name] is not None]
    read = [name for name in functions if _is_read(own, name, found(module, name))]
    refused = [name for name in functions if name not in read and name in REFUSED]
    known = [name for name in functions if name not in read and name not in REFUSED]
    without = _missing_arguments(module, names)
    rows = [f"| `{argument}` | {', '.join(f'`{name}`' for name in has)} | {ARRAY_ARGUMENTS[argument]} |" for argument, has in sorted(without.items())]
    return [
        f"`s2s.{own}` is the library's own: names, arguments and results are its; where JAX's take more (but what is listed below), so do these. Read inside of functions ({len(read)}): {', '.join(f'`{name}`' for name in read)}.\n",
        f"Of what is known when the function is read: sizes, dtypes, constants, your functions ({len(known)}): {', '.join(f'`{name}`' for name in known)}.\n" if known else "",
        f"Not read, refused by name at your line ({len(refused)}): {', '.join(f'`{name}`' for name in refused)}.\n" if refused else "",
        *(["JAX's arguments that the library's functions have not, or under another name:\n", "| argument | of | why, or what instead |", "| --- | --- | --- |", *rows] if rows else []),
    ]


def _is_read(own: str, name: str, function: Any) -> bool:
    """Whether a function is read, under whatever name it stands in the tables."""
    from s2s.transforms.read.composed.table import COMPOSED
    from s2s.transforms.read.numpy.table import NUMPY_FUNCTIONS

    return function in NUMPY_FUNCTIONS or function in COMPOSED or any(each.startswith(f"{own}.{name}.") for each in (*NUMPY_FUNCTIONS.entries, *COMPOSED.entries))


def _missing_arguments(module: str, names: dict[str, list[str] | None]) -> dict[str, list[str]]:
    """JAX's argument -> the functions that have it there and not here."""
    without: dict[str, list[str]] = {}
    for name, arguments in names.items():
        ours = found(module, name)
        if arguments is None or ours is None or inspect.isclass(ours) or arguments[:1] == ["*args"]:
            continue
        for argument in compared(f"{module}.{name}", ours, arguments)[1]:
            without.setdefault(argument, []).append(name)
    return without


def found(module: str, name: str) -> Any:
    """s2s's object under a name of JAX's, or None."""
    own = "s2s" + module.removeprefix("jax")
    try:
        return getattr(importlib.import_module(own), name, None)
    except ModuleNotFoundError:
        place: Any = importlib.import_module("s2s")
        for part in own.split(".")[1:]:
            place = getattr(place, part, None)
        return getattr(place, name, None)


def why_not(module: str, name: str) -> str:
    """The reason; KeyError where there is none."""
    return REASONS[f"s2s{module.removeprefix('jax')}.{name}"]


def compared(full: str, ours: Any, arguments: list[str] | None) -> tuple[list[str], list[str]]:
    """JAX's arguments that are taken, and those that are not."""
    if arguments is None or full.startswith(MADE):
        return [], []
    try:
        own = list(inspect.signature(ours).parameters.values())
    except (TypeError, ValueError):  # a class without one
        return list(arguments), []
    by_name = full.startswith("jax.lax.")  # where JAX takes all but a few of them by name, and ufuncs none
    names = {each.name for each in own if not by_name or each.kind is not each.POSITIONAL_ONLY or full in BY_PLACE} | {"**" for each in own if each.kind is each.VAR_KEYWORD} | {"*" for each in own if each.kind is each.VAR_POSITIONAL}
    missing = [each for each in arguments if not names & {each.lstrip("*"), each[: each.count("*")] or "**"}]
    return [each for each in arguments if each not in missing], missing


def by_jax() -> dict[str, Any]:
    """The names and arguments of the installed JAX."""
    import jax

    return {"version": jax.__version__, "modules": {module: dict(_signatures(module)) for module in MODULES}}


def _signatures(module: str) -> Iterator[tuple[str, list[str] | None]]:
    import jax

    place: Any = jax
    try:
        place = importlib.import_module(module)
    except ImportError:
        for part in module.split(".")[1:]:
            place = getattr(place, part)
    for name in sorted(dir(place)):
        if not name.startswith("_") and not name.endswith("_p") and hasattr(place, name) and not inspect.ismodule(getattr(place, name)):
            yield name, _arguments(getattr(place, name))


def _arguments(value: Any) -> list[str] | None:
    if not callable(value) or inspect.isclass(value) and value.__init__ is object.__init__:
        return None
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    return [{"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(each.kind.name, "") + each.name for each in parameters]


if __name__ == "__main__":
    if "--jax" in sys.argv:
        SIGNATURES.write_text(json.dumps(by_jax(), separators=(",", ":")) + "\n", encoding="utf-8")
    else:
        PAGE.write_text(page(), encoding="utf-8")
