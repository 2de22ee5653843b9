"""`print` of the user's: plain Python on the numpy target, through Python from compiled code.

    print(f"step {i}: {x:.3f}")                     numpy
    _print(i, x)                                    cpu: a helper, with objmode(): print("step {}: {:.3f}".format(i, x))
"""
from __future__ import annotations

import numpy as np

from s2s.codegen.language.expressions import Constant, Expr
from s2s.codegen.language.statements import CallKernel
from s2s.codegen.lowering.external import import_module
from s2s.codegen.lowering.lowered import Module
from s2s.transforms.ir.program import Print
from s2s.types import Atom

PRINTED = "print"
"""What a print writes into: the order of two matters."""
_WRITE = '''
def HELPER(text, end, flush):
    """print(text), with another end."""
    print(text, end=end, flush=flush)
'''.strip("\n")
_BOXED = (np.dtype(np.float64), np.dtype(np.complex128))
"""The floats that compiled code hands to Python as they are; others are Python's floats there, with more digits."""


def print_call(module: Module, shown: Expr, node: Print) -> CallKernel:
    """print(…), where the text is an expression."""
    if node.function:
        _import_logging(module)
        return CallKernel((), node.function, (shown,), node.where, (PRINTED,))
    if node.end == "\n" and not node.flush:
        return CallKernel((), "print", (shown,), node.where, (PRINTED,))
    args = (shown, Constant(node.end), Constant(str(node.flush or "")))
    return CallKernel((), module.helper("print with an end", "print", _WRITE), args, node.where, (PRINTED,))


def effect_call(module: Module, args: tuple[Expr, ...], node: Print) -> CallKernel:
    """A call of a callback by its public name."""
    import_module(module, node.function)
    return CallKernel((), node.function, args, node.where, (PRINTED,))


def printing(module: Module, node: Print) -> str:
    """The name of a compiled function that prints these values."""
    module.numba.add("objmode")
    if node.calls_back:
        return _calling(module, node)
    names = [f"value_{number}" if len(node.values) > 1 else "value" for number in range(len(node.values))]
    shown = ", ".join(_handed_on(name, atom) for name, atom in zip(names, node.values, strict=True))
    ends = ("" if node.end == "\n" else f", end={node.end!r}") + (", flush=True" if node.flush else "")
    if node.function:
        _import_logging(module)
    text = f"@njit(cache=True)\ndef HELPER({', '.join(names)}):\n    with objmode():  # written by Python\n        {node.function or 'print'}({node.text!r}.format({shown}){ends})"
    return module.helper(text, "log" if node.function else "print", text, imports=frozenset({"import numpy as np"} if "np." in shown else ()))


def _import_logging(module: Module) -> None:
    module.imports.add("import logging")
    module.names.add("logging")


def _calling(module: Module, node: Print) -> str:
    """The name of a compiled function that calls a callback with these values."""
    import_module(module, node.function)
    names = ", ".join(f"value_{number}" for number in range(len(node.values)))
    text = f"@njit(cache=True)\ndef HELPER({names}):\n    with objmode():  # a call through Python\n        {node.function}({names})"
    return module.helper(text, node.function.rpartition(".")[2], text)


def _handed_on(name: str, atom: Atom) -> str:
    type_ = atom.type
    return f"np.{type_.dtype}({name})" if type_.dtype.kind in "fc" and not type_.shape and type_.dtype not in _BOXED else name
