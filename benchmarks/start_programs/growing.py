"""Programs of any size, as text: how the first call grows with a function's statements, nests and helpers."""
from __future__ import annotations


def elementwise(count: int) -> str:
    """`count` array statements in a row, every tenth a mean."""
    lines = ["import numpy as np", "", "", "def loss(x, y):", "    v0 = x * y", "    m = 0.5"]
    for k in range(1, count):
        before, earlier = f"v{k - 1}", f"v{max(k - 3, 0)}"
        if k % 10 == 5:
            lines += [f"    m = np.mean({before})", f"    v{k} = {before} - m"]
        else:
            lines.append(f"    v{k} = " + (f"{before} * {earlier} + m", f"np.sin({before}) - 0.1 * {earlier}", f"0.5 * {before} + y * m", f"np.exp(-{before} ** 2)")[k % 4])
    return "\n".join([*lines, f"    return np.sum(v{count - 1} ** 2)", ""])


def slices(count: int) -> str:
    """`count` statements on slices, stores among them."""
    lines = ["import numpy as np", "", "", "def loss(x, y):", "    u = x.copy()", "    w = y.copy()"]
    for k in range(count - 2):
        lines.append((
            f"    t{k} = u[1:] - u[:-1]",
            f"    w[1:] += 0.1 * t{k - 1}",
            "    u[1:-1] = 0.5 * (w[2:] + w[:-2]) - 0.1 * u[1:-1]",
            f"    t{k} = np.sin(w[1:]) * u[:-1]",
            f"    u[:-1] -= 0.01 * t{k - 1}",
        )[k % 5])  # fmt: skip
    return "\n".join([*lines, "    return np.sum(u * w)", ""])


def scalars(count: int) -> str:
    """`count` statements on numbers in a loop."""
    lines = ["import numpy as np", "", "", "def loss(x, y):", "    s = 0.0", "    for i in range(len(x)):", "        v0 = x[i] * y[i] + s"]
    lines += [f"        v{k} = " + (f"v{k - 1} * v{max(k - 2, 0)}", f"np.sin(v{k - 1}) + v{max(k - 3, 0)}", f"0.5 * v{k - 1} - y[i]")[k % 3] for k in range(1, count)]
    return "\n".join([*lines, f"        s = s + 0.001 * v{count - 1}", "    return s", ""])


def nest(depth: int) -> str:
    """Loops within loops, some statements at each level."""
    lines = ["import numpy as np", "", "", "def loss(x, y):", "    s = 0.0", "    a = x.copy()"]
    for level in range(depth):
        pad = "    " * (level + 1)
        lines += [f"{pad}for i{level} in range(1, 4):", f"{pad}    t{level} = a[i{level}] * y[i{level}] + s", f"{pad}    a[i{level}] = np.sin(t{level}) + 0.1 * a[i{level} - 1]"]
    return "\n".join([*lines, "    " * (depth + 1) + f"s += t{depth - 1} * a[0]", "    return s + np.sum(a)", ""])


def helpers(count: int) -> str:
    """`count` calls of eight helpers."""
    lines = ["import numpy as np", ""]
    for k in range(8):
        lines += ["", f"def layer{k}(x, w):", f"    h = np.tanh(x * w + {0.1 * k:.1f})", "    return h - np.mean(h)", ""]
    lines += ["", "def loss(x, y):"]
    lines += [f"    x = layer{k % 8}(x, y[{k % 4}])" for k in range(count)]
    return "\n".join([*lines, "    return np.sum(x * x)", ""])


KINDS = {
    "elementwise": (elementwise, (25, 50, 100, 200, 400)), "slices": (slices, (25, 50, 100, 200, 400)), "scalars": (scalars, (25, 50, 100, 200, 400)),
    "nest": (nest, (1, 2, 3, 4, 5)), "helpers": (helpers, (5, 10, 20, 40, 80)),
}  # fmt: skip
"""Kind of program -> its text for a size, and the sizes that are measured."""
