"""What the forward sweep of a function keeps, for `print_saved_residuals`."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s import tree_util
from s2s.calls.building import stage_call
from s2s.calls.request import leaf_names, request_of
from s2s.calls.transformations import VJP, of
from s2s.transforms.ir.program import Call, Equation, Function
from s2s.transforms.primitives.structural import checkpoint_name, copy, transpose
from s2s.types import Atom, Var


def saved_residuals(fun: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[tuple[str, str]]:
    """What the forward sweep of fun keeps for these arguments: (type, where it comes from) for each array and number."""
    made = of(VJP, fun, has_aux=False)
    made.check_call(args, kwargs)
    request = request_of(made, args, kwargs)
    request.exact = True
    staged = stage_call(made, request.shape(leaf_names(made, args, request.treedef)))
    kept = [staged.function.body.results[leaf.number] for leaf in tree_util.tree_leaves(staged.result[1])]
    return [(str(atom.type.strong()), _origin(atom, staged.function)) for atom in kept if isinstance(atom, Var)]


def _origin(var: Var, function: Function) -> str:
    """Where a value of a function comes from, in words."""
    if var in function.params:
        return f"from the argument {var.name}"
    maker = next(node for node in function.body.nodes if var in node.outs)
    match maker:
        case Call():
            result = maker.function.body.results[maker.outs.index(var)]
            if isinstance(result, Var) and result in maker.function.params:
                return _origin_of_atom(maker.ins[maker.function.params.index(result)], function)
            return _origin_of_atom(result, maker.function)
        case Equation() if maker.primitive is transpose and maker.where is function.where:  # of an argument in Fortran order (`codegen/modules/columns.py`)
            return f"from the argument {var.name}"
        case Equation() if maker.primitive is copy:
            return _origin_of_atom(maker.ins[0], function)
        case Equation() if maker.primitive is checkpoint_name:
            return f"named {maker.params['name']!r} from {maker.where} ({function.name})"
        case Equation():
            return f"output of {maker.primitive.name} from {maker.where} ({function.name})"
        case _:
            return f"{var.name}, filled by the {type(maker).__name__} from {maker.where} ({function.name})"


def _origin_of_atom(atom: Atom, function: Function) -> str:
    return _origin(atom, function) if isinstance(atom, Var) else f"the number {atom}"
