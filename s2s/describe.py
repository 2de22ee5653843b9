"""What an emitted module says about itself: the command that makes it again and its docstring's first line."""
from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from s2s.codegen import trees
from s2s.codegen.module import Description
from s2s.hidden import innermost
from s2s.specialise import positional_names
from s2s.transforms.staged import Staged

if TYPE_CHECKING:
    from s2s.transformed import Transformed

@dataclass(frozen=True)
class Wording:
    """What a rewrite is called: on the command line, and in the title of a module."""

    transform: str
    title: str


WORDINGS = {
    "grad": Wording("grad", "Gradient"),
    "value_and_grad": Wording("value_and_grad", "Value and gradient"),
    "jvp": Wording("jvp", "Value and derivative along tangents (jvp)"),
    "vjp_forward": Wording("vjp", "Value and pullback (vjp)"),
    "vjp_pullback": Wording("vjp", "Pullback (vjp)"),
    "jacfwd": Wording("jacfwd", "Jacobian (forward mode)"),
    "jacrev": Wording("jacrev", "Jacobian (reverse mode)"),
    "hessian": Wording("hessian", "Hessian"),
    "linearize_forward": Wording("linearize", "Value and linear part (linearize)"),
    "linearize_pushforward": Wording("linearize", "Linear part (linearize)"),
    "linear_transpose": Wording("linear_transpose", "Transpose"),
}
"""By the rewrite's name."""


def describe_module(transformed: Transformed, staged: Staged) -> Description:
    """Header and docstring of the module for a staged program."""
    code = getattr(innermost(transformed.root), "__code__", None)
    source = Path(code.co_filename).name if code is not None else transformed.name
    return Description(_clean(source), _clean(_command(transformed, staged, source)), _clean(_title(transformed, staged)))


def _clean(text: str) -> str:
    return " ".join(text.replace('"""', "'''").replace("\\", "/").split())


def _command(transformed: Transformed, staged: Staged, source: str) -> str:
    chain = transformed.derivatives()
    steps = " ".join(f"--transform {WORDINGS[step.name].transform}" for step in chain) or "--transform jit"
    argnums = [step.params["argnums"] for step in chain if "argnums" in step.params]
    wrt = "".join(f" --argnums {_numbers(each)}" for each in argnums) if any(each != 0 for each in argnums) else ""
    flags = "".join(f" --{name.replace('_', '-')}" for name in ("has_aux", "holomorphic", "allow_int") if any(step.params.get(name) for step in chain))
    types = ", ".join(
        (f"{parameter.name}=" if parameter.kind in ("keyword", "starstar") else "") + trees.tree_text(parameter.tree, lambda var: trees.argument_text(var.type))
        for parameter in staged.parameters
        if not parameter.tangent
    )  # fmt: skip
    if transformed.rewrite.name == "linear_transpose":  # its results are what the function's arguments are
        results = staged.function.body.results
        types = ", ".join(trees.tree_text(tree, lambda leaf: trees.argument_text(results[leaf.number].type)) for tree in staged.result)
    return f"s2s emit {shlex.quote(f'{source}:{transformed.name}')} {steps}{wrt}{flags} --args {shlex.quote(types)} --target {transformed.target}"


def _numbers(argnums: int | tuple[int, ...]) -> str:
    return str(argnums) if isinstance(argnums, int) else ",".join(map(str, argnums)) + ("," if len(argnums) == 1 else "")


def _title(transformed: Transformed, staged: Staged) -> str:
    """Gradient of relax(u, sweeps) with respect to u."""
    names = [parameter.name for parameter in staged.parameters if not parameter.tangent]
    if transformed.rewrite.name == "linear_transpose":
        names = positional_names(transformed.signature, len(staged.result))
    call = f"{transformed.name}({', '.join(names)})"
    chain = transformed.derivatives()
    if not chain:
        return f"{call}: {staged.function.doc}" if staged.function.doc else f"{call}, compiled."
    title = ""
    for step in reversed(chain):
        title += f"{WORDINGS[step.name].title if not title else WORDINGS[step.name].title.lower()} of "
    argnums = chain[-1].params.get("argnums")
    if argnums is None:
        return f"{title}{call}."
    wrt = [names[number] for number in ((argnums,) if isinstance(argnums, int) else argnums) if -len(names) <= number < len(names)]
    return f"{title}{call} with respect to {' and '.join(wrt)}."
