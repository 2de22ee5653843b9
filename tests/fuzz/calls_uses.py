"""What a program does with a drawn call's result: hands it to another call, takes part of it, stores it, stores into it."""
from __future__ import annotations

import ast

from .calls_draw import Draw

USES = (
    # other calls
    "return np.sum({call})", "return ({call}) * 2.0", "return {call} + 1", "return np.cumsum({call})", "return np.sort({call}, axis=-1)",
    "return np.reshape({call}, -1)", "return np.ravel({call})[:2]", "return np.stack([{call}, {call}])", "return np.where({call}, 1.5, 0)",
    "return np.add({call}, {call})", "return np.max({call}, axis=0)", "return np.concatenate([np.ravel({call}), np.ones(2)])", "return ({call}).T",
    "return ({call}) == ({call})", "return np.take({call}, 0)", "return np.dot({call}, {call})", "return np.isnan({call}).any()",
    "return ({call}).sum(axis=-1, keepdims=True)", "return np.squeeze({call})", "return np.expand_dims({call}, 0)", "return np.argsort({call}, kind='stable')",
    "return np.mean({call})", "return -({call})", "return abs({call})", "return ({call}) // 2", "return ({call}) ** 2", "return 1.0 / ({call})", "return ({call}) @ ({call})",
    "return np.asarray({call}).astype(float)", "return np.asarray({call}).astype(np.int32, casting='unsafe').ndim", "return len({call})", "return float({call})",
    "return int({call})", "return bool({call})", "return np.shape({call})", "return np.size({call})", "return np.transpose({call})", "return np.array([{call}, {call}])",
    "return ({call}).dtype == np.float64", "return np.outer({call}, [1.0, 2.0])", "return np.flip({call})", "return np.clip({call}, 0, 1)", "return np.exp({call})",
    "return np.nonzero({call})", "return (lambda v: np.sum(v * v))({call})", "return isinstance({call}, np.ndarray)", "return np.diff({call})", "return np.tile({call}, 2)",
    "return np.linalg.norm({call})", "return np.concatenate([{call}, {call}])", "return np.round({call}, 1)", "return np.isclose({call}, {call})",
    # parts
    "return ({call})[0]", "return ({call})[..., -1]", "return ({call})[::-1]", "return ({call})[-1:]", "return ({call})[None]", "return ({call})[()]",
    "y = {call}\n    return y[y > 0]", "return ({call})[[0, -1]]", "a, b = {call}\n    return b, a", "a, *b = {call}\n    return b, a", "return [t * 2 for t in {call}]",
    # names, branches, loops
    "y = {call}\n    return y, y", "y = {call}\n    return np.where(y > 0, y, -y)", "y = {call}\n    return y @ np.transpose(y)", "y = {call}\n    return y * y - y",
    "s = np.float64(0)\n    for t in np.ravel({call}):\n        s = s + t\n    return s", "s = 0.0\n    for i in range(3):\n        s = s + np.sum({call}) * i\n    return s",
    "y = {call}\n    if np.all(y == y):\n        return y * 1\n    return y + 0", "y = {call}\n    for _ in range(2):\n        y = y + ({call})\n    return y",
    "def g(v):\n        return v * 2\n    return g({call})", "y = [{call}, 1.0]\n    return y[0]", "y = {{'a': {call}}}\n    return y['a'] * 3",
    # stores
    "y = np.array({call})\n    y[...] = 5\n    return y", "y = {call}\n    y += 1\n    return y", "y = {call}\n    y[0] = 3\n    return y", "y = {call}\n    y[..., 0] = 2\n    return y",
    "y = {call}\n    z = y\n    z *= 2\n    return y", "y = np.zeros((2, 2))\n    y[0] = {call}\n    return y", "y = np.zeros(3)\n    y[:] = {call}\n    return y",
    "y = np.zeros(3, np.int64)\n    y[1] = {call}\n    return y", "y = np.empty((2, *np.shape({call})))\n    y[0] = {call}\n    y[1] = 1\n    return y",
    "y = np.copy({call})\n    for i in range(len(y)):\n        y[i] = y[i] * 2 + y[0]\n    return y",
)  # fmt: skip
"""Bodies around a call's text."""
OF_ARGUMENT = (
    "x0[...] = {call}\n    return x0", "x0[0] = {call}\n    return x0", "y = {call}\n    x0[...] = 0\n    return y, x0", "y = {call}\n    y[...] = 7\n    return y, x0",
    "y = {call}\n    x0 += 1\n    return y, x0", "x0 = {call}\n    return x0", "y = {call}\n    y *= 2\n    return y, x0", "y = {call}\n    y[:1] = x0[:1]\n    return y",
)  # fmt: skip
"""Those that write into the first argument, or into what may be a view of it."""


def used(draw: Draw, body: str) -> str:
    """The body with the call's result used, where it returned it."""
    if not body.startswith("return ") or "\n" in body:
        return body
    has_array = bool(draw.arguments) and getattr(draw.arguments[0].value, "ndim", 0) > 0
    return draw.pick((*USES, *OF_ARGUMENT * 2) if has_array else USES).format(call=_closed(body.removeprefix("return ")))


def _closed(text: str) -> str:
    """An expression that stands anywhere: operators and conditions in brackets."""
    is_open = isinstance(ast.parse(text, mode="eval").body, ast.IfExp | ast.BoolOp | ast.BinOp | ast.UnaryOp | ast.Compare | ast.Lambda | ast.Tuple)
    return f"({text})" if is_open else text
