"""jacfwd, jacrev, hessian: what the API makes of them."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s import checks, rewrites
from s2s.transformed import Rewrite, Transformed
from s2s.transforms.requirements import check_forward_dtype, resolve_argnums
from s2s.transforms.staged import Staged
from s2s.tree_util import tree_leaves


def jacobian(fun: Callable[..., Any], name: str, *, argnums: Any, has_aux: bool, holomorphic: bool, allow_int: bool = False) -> Transformed:
    """jacfwd, jacrev or hessian (`name`) of a function."""
    numbers = checks.check_argnums(name, argnums)
    options = {"has_aux": has_aux, "holomorphic": holomorphic} | ({"allow_int": allow_int} if name == "jacrev" else {})

    def check(args: tuple[Any, ...]) -> None:
        resolved = resolve_argnums(numbers, len(args))
        for number in (resolved,) if isinstance(resolved, int) else resolved:
            checks.check_differentiable(name, args[number], allow_int=allow_int or name != "jacrev", holomorphic=holomorphic)
            for leaf in tree_leaves(args[number]) if name != "jacrev" else ():
                check_forward_dtype(name, checks.dtype_of(leaf), holomorphic=holomorphic)

    def apply(staged: Staged, args: tuple[Any, ...]) -> Staged:
        from s2s.transforms import jacobian as programs

        return getattr(programs, name)(staged, argnums=resolve_argnums(numbers, len(args)), **options)

    return rewrites.transformed(fun, Rewrite(name, {"argnums": numbers, **options}, apply, check), rewrites.options(fun))
