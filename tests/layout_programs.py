"""Programs that ask how an array lies in memory: what is made of what, in which order, and what asks. NumPy itself says what is right."""
from __future__ import annotations

import itertools

BASES = {
    "x": "x", "x.T": "x.T", "x[:, ::2]": "x[:, ::2]", "x[::-1].T": "x[::-1].T", "(x + 1.0)": "(x + 1.0)", "(x + 1.0).T": "(x + 1.0).T", "c": "c", "c.transpose(1, 2, 0)": "c.transpose(1, 2, 0)",
    "c[:, 1]": "c[:, 1]", "c.swapaxes(0, 1)": "c.swapaxes(0, 1)", "np.zeros((2, 3), order='F')": "np.zeros((2, 3), order='F')",
}  # fmt: skip
"""Arrays of the caller (x of two axes, c of three), and what is made of them."""
_ORDERS = ("'C'", "'F'", "'K'", "'A'")
MAKERS = (
    "{}", "np.copy({})", "np.array({})", "{}.copy()", "{}.astype(np.float32)", "np.asarray({})", "np.asfortranarray({})", "np.ascontiguousarray({})", "np.zeros_like({})", "np.asarray({}, dtype=np.float32)", "np.copy({}).T",
    *(maker.replace("ORDER", order) for maker, order in itertools.product((
        "{}.copy(ORDER)", "{}.copy(order=ORDER)", "np.copy({}, ORDER)", "np.copy({}, order=ORDER)", "np.array({}, order=ORDER)", "{}.astype(np.float32, order=ORDER)", "{}.astype(np.float64, ORDER)", "np.asarray({}, order=ORDER)",
        "np.zeros_like({}, order=ORDER)", "np.ones_like({}, None, ORDER)", "np.full_like({}, 2.0, order=ORDER)", "np.empty_like({}, order=ORDER)", "np.zeros_like({}, np.float32, order=ORDER)",
        "{}.copy(ORDER)[1:]", "{}.copy(ORDER).T", "{}.flatten(ORDER)", "{}.ravel(ORDER)", "np.add({}, 1.0, order=ORDER)",
    ), _ORDERS)),
    *(maker.replace("ORDER", order) for maker, order in itertools.product(("{}.reshape(-1, 2, order=ORDER)", "np.reshape({}, -1, ORDER)", "np.zeros_like({}, shape=(3, 2), order=ORDER)"), ("'C'", "'F'", "'A'"))),
)  # fmt: skip
ASKS = {
    "strides": "m.strides", "flags": "(m.flags.c_contiguous, m.flags.f_contiguous)", "K": "m.ravel('K')", "A": "np.ravel(m, 'A')", "reshape A": "m.reshape(-1, order='A')", "flatten K": "m.flatten('K')",
}  # fmt: skip
STORES = ("r = m.reshape(-1)\n    r[:1] = 77.0", "r = m.ravel()\n    r[:1] = 77.0", "r = m.T.reshape(-1)\n    r[1:] *= 3.0", "r = m.ravel(order='F')\n    r[:1] = 77.0", "r = np.asarray(m, order='F')\n    r[:1] = 77.0", "r = np.ascontiguousarray(m)\n    r[:1] = 77.0")


def asking(base, maker, ask):
    return f"def f(x, c):\n    m = {maker.format(base)}\n    return {ASKS[ask]}\n"


def storing(base, maker, store):
    return f"def f(x, c):\n    b = {base}\n    m = {maker.format('b')}\n    {store}\n    return m + 0.0, b + 0.0, x + 0.0, c + 0.0\n"
