"""Standalone modules: the text that `s2s emit` writes for a function and its argument types."""
from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2s import tree_util
from s2s.calls import making
from s2s.calls.argtypes import TypeLeaf, annotated_arguments, parse_arguments, request_for
from s2s.calls.building import module_text, stage_call
from s2s.calls.request import leaf_names
from s2s.calls.signature import signature_of
from s2s.calls.transformations import JIT, TABLE, of
from s2s.calls.transformed import Transformed
from s2s.codegen.modules.module import sorted_imports
from s2s.errors import ArgumentTypeError, ArgumentValueError, InternalError
from s2s.transformation import Calling
from s2s.types import Var


def emit_text(
    function: Callable[..., Any], transforms: Sequence[str], *, argnums: Sequence[int | tuple[int, ...]] = (0,), has_aux: bool = False,
    holomorphic: bool = False, allow_int: bool = False, in_axes: Sequence[Any] = (0,), out_axes: Sequence[Any] = (0,),
    axis_name: Sequence[Any] = (None,), axis_size: Sequence[int | None] = (None,), args: str | None = None, target: str = "cpu",
) -> tuple[str, str]:
    """The name and the text of a module that stands alone.

    Parameters
    ----------
    function
        The user's function.
    transforms
        Their names, the innermost first.
    argnums
        For each gradient, Jacobian or Hessian among them; the last one counts for those that follow.
    has_aux
        Whether the function returns (value, aux).
    holomorphic, allow_int
        As for `s2s.grad`, for all gradients and Jacobians among them.
    in_axes, out_axes, axis_name, axis_size
        For each vmap among them, as for argnums.
    args
        The argument types as in `s2s.calls.argtypes`; without it the function's annotations tell them.
    target
        "cpu" or "numpy".
    """
    namespace = getattr(function, "__globals__", {})
    given, named = annotated_arguments(function, namespace) if args is None else parse_arguments(args, namespace)
    each = {"argnums": argnums, "in_axes": in_axes, "out_axes": out_axes, "axis_name": axis_name, "axis_size": axis_size}
    transformed = transform(function, transforms, each, target, has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int)
    text = (_emit_one if transformed.rewrite.of.apart is None else _emit_apart)(transformed, given, named)
    _check_python(text)
    return transformed.public_name.removesuffix("_forward"), text


def transform(function: Callable[..., Any], transforms: Sequence[str], each: dict[str, Sequence[Any]], target: str, *, has_aux: bool, **options: bool) -> Transformed:
    """The transformed function; for vjp and linearize its forward sweep. `each`: options of which every transformation that has them takes the next."""
    result: Any = making.transformed(function, JIT.made(), making.options(function, target))
    left = {option: list(given) for option, given in each.items()}
    signature = signature_of(function)
    for number, name in enumerate(transforms):
        chosen = TABLE.get(name)
        if chosen is None:
            raise ArgumentValueError(f"unknown transformation {name!r}", instead=f"one of {', '.join(TABLE)}")
        if chosen.calling is not Calling.SAME and number != len(transforms) - 1:  # its module is called differently than the function
            raise ArgumentValueError(f"{name} must be the last transformation", instead=f"--transform {name} last")
        if chosen is not JIT:
            given: dict[str, Any] = {"has_aux": has_aux and number == 0, **options, "names": () if signature is None else tuple(signature.parameters)}
            for option in left.keys() & chosen.options:
                given[option] = left[option].pop(0) if len(left[option]) > 1 else left[option][0]
            chosen_options: dict[str, Any] = {option: given.get(option) for option in chosen.options}
            result = of(chosen, result, **chosen_options)
    return result


def _emit_one(transformed: Transformed, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    if transformed.rewrite.of.calling is Calling.ALONG:
        if kwargs:
            raise ArgumentTypeError("jvp takes positional arguments only")
        args = (*args, *(tree_util.tree_map(_tangent_type, arg) for arg in args))
    return module_text(transformed, _stage(transformed, args, kwargs), None, public_name=transformed.public_name).text


def _stage(transformed: Transformed, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    transformed.check_binding(args, kwargs)
    request = request_for(args, kwargs)
    shape = request.shape(leaf_names(transformed, args, request.treedef))
    own = transformed.rewrite.staged_arguments(shape.args, shape.kwargs)
    transformed.rewrite.check(*tree_util.tree_map(_example, own))
    return stage_call(transformed, shape)


def _example(leaf: Any) -> Any:
    """A value of a leaf's dtype and rank, for the checks of arguments."""
    return np.zeros((1,) * leaf.type.ndim, leaf.type.dtype)[()] if isinstance(leaf, Var) else leaf


def _tangent_type(leaf: Any) -> Any:
    return leaf if isinstance(leaf, TypeLeaf) and leaf.kind[0].rstrip("*") in ("f4", "f8", "c8", "c16") else None


def _emit_apart(forward: Transformed, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Forward sweep and pullback (or linear part) in one module, and the function that hands out both."""
    has_aux = bool(forward.rewrite.params["has_aux"])
    is_vjp = forward.rewrite.of.calling is Calling.PULLED
    second = of(forward.rewrite.of, forward.fun, 1, has_aux=has_aux)
    name = forward.public_name.removesuffix("_forward")
    parts = [module_text(each, _stage(each, args, kwargs), None, public_name=each.public_name).text for each in (forward, second)]
    signature = next(line for line in parts[0].split("\n") if line.startswith(f"def {name}_forward("))
    names = signature[signature.index("(") + 1 : signature.rindex(")")]
    inner, given, told = (
        ("pullback", "out_bar", "pullback(out_bar) -> a tuple with a cotangent for each argument") if is_vjp
        else ("f_jvp", "*tangents", "f_jvp(*tangents) -> the tangent of the result")
    )  # fmt: skip
    public = [
        f"def {name}({names}):", f'    """-> (out, {inner}); {told}"""',
        f"    out, residuals{', aux' if has_aux else ''} = {name}_forward({names})", "",
        f"    def {inner}({given}):", f"        return {second.public_name}(residuals, {given})", "", f"    return out, {inner}{', aux' if has_aux else ''}",
    ]  # fmt: skip
    return _joined(parts, "\n".join(public))


def _joined(parts: list[str], public: str) -> str:
    """One module of two: the imports of both, a definition that is in both once."""
    head = parts[0].split('"""', 2)[0]
    imports: set[str] = set()
    definitions: dict[str, str] = {}
    for part in parts:
        top, *rest = part.split("\n\n\n")
        imports |= {line for line in top.split("\n") if line.startswith(("import ", "from "))}
        for text in rest:
            lines = text.split("\n")
            key = next((line for line in lines if line.startswith("def ")), lines[0])
            if definitions.setdefault(key, text.rstrip()) != text.rstrip():
                raise InternalError(f"two definitions of {key}")
    title = parts[0].split('"""', 2)[1]
    first = "\n".join([f'{head}"""{title}"""', *sorted_imports(imports)])
    return "\n\n\n".join([first, public, *definitions.values()]) + "\n"


def _check_python(text: str) -> None:
    try:
        ast.parse(text)
    except SyntaxError as error:
        raise InternalError(f"the emitted module is not Python: {error}\n{text}") from error
