"""What an emitted module says about itself: the command that makes it again and its docstring's first line."""
from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

from s2s.calls.request import positional_names
from s2s.calls.rewrite import Rewritten
from s2s.codegen.modules import trees
from s2s.codegen.modules.module import Description
from s2s.hidden import innermost
from s2s.transformation import Calling
from s2s.transforms.ir.staged import Staged


def describe_module(transformed: Rewritten, staged: Staged) -> Description:
    """Header and docstring of the module for a staged program."""
    code = getattr(innermost(transformed.root), "__code__", None)
    source = Path(code.co_filename).name if code is not None else transformed.name
    title = _clean(_title(transformed, staged))
    return Description(_clean(source), _clean(_command(transformed, staged, source)), f"{title} " if title.endswith('"') else title)  # of four quotes the first would end the docstring


def _clean(text: str) -> str:
    return " ".join(text.replace('"""', "'''").replace("\\", "/").split())


def _command(transformed: Rewritten, staged: Staged, source: str) -> str:
    chain = transformed.derivatives()
    if any("plan" in step.params for step in chain):
        return f"{transformed.public_name} in Python: the mesh of shard_map is an object"
    steps = " ".join(f"--transform {step.of.name}" for step in chain) or "--transform jit"
    argnums = [step.params["argnums"] for step in chain if "argnums" in step.params]
    wrt = "".join(f" --argnums {_numbers(each)}" for each in argnums) if any(each != 0 for each in argnums) else ""
    for option in ("in_axes", "out_axes"):
        given = [_axes(step.params[option].tree) for step in chain if option in step.params]
        wrt += "".join(f" --{option.replace('_', '-')} {shlex.quote(each)}" for each in given) if any(each != "0" for each in given) else ""
    for option in ("axis_name", "axis_size"):
        told = ["-" if step.params[option] is None else str(step.params[option]) for step in chain if option in step.params]
        wrt += "".join(f" --{option.replace('_', '-')} {shlex.quote(each)}" for each in told) if any(each != "-" for each in told) else ""
    flags = "".join(f" --{name.replace('_', '-')}" for name in ("has_aux", "holomorphic", "allow_int") if any(step.params.get(name) for step in chain))
    types = ", ".join(
        (f"{parameter.name}=" if parameter.kind in ("keyword", "starstar") else "") + trees.tree_text(parameter.tree, lambda var: trees.argument_text(var.type))
        for parameter in staged.parameters
        if not parameter.tangent
    )  # fmt: skip
    if transformed.rewrite.of.calling is Calling.TRANSPOSED:  # its results are what the function's arguments are
        results = staged.function.body.results
        types = ", ".join(trees.tree_text(tree, lambda leaf: trees.argument_text(results[leaf.number].type)) for tree in staged.result)
    return f"s2s emit {shlex.quote(f'{source}:{transformed.name}')} {steps}{wrt}{flags} --args {shlex.quote(types)} --target {transformed.target}"


def _numbers(argnums: int | tuple[int, ...]) -> str:
    return str(argnums) if isinstance(argnums, int) else ",".join(map(str, argnums)) + ("," if len(argnums) == 1 else "")


def _axes(given: Any) -> str:
    """In Python, strings in double quotes: a shell's are single."""
    if type(given) is dict:
        return f"{{{', '.join(f'{json.dumps(key) if isinstance(key, str) else repr(key)}: {_axes(each)}' for key, each in given.items())}}}"
    if type(given) is list:
        return f"[{', '.join(map(_axes, given))}]"
    if type(given) is tuple:
        return f"({', '.join(map(_axes, given))}{',' if len(given) == 1 else ''})"
    return str(given)


def _title(transformed: Rewritten, staged: Staged) -> str:
    """Gradient of relax(u, sweeps) with respect to u."""
    names = [parameter.name for parameter in staged.parameters if not parameter.tangent]
    if transformed.rewrite.of.calling is Calling.TRANSPOSED:
        names = positional_names(transformed.signature, len(staged.result))
    call = f"{transformed.name}({', '.join(names)})"
    chain = transformed.derivatives()
    if not chain:
        return f"{call}: {staged.function.doc}" if staged.function.doc else f"{call}, compiled."
    title = ""
    for step in reversed(chain):
        title += f"{step.title if not title else step.title.lower()} of "
    argnums = chain[-1].params.get("argnums")
    if argnums is None:
        return f"{title}{call}."
    wrt = [names[number] for number in ((argnums,) if isinstance(argnums, int) else argnums) if -len(names) <= number < len(names)]
    return f"{title}{call} with respect to {' and '.join(wrt)}."
