"""A module of 300 lines, of 20 helpers, as text: what the first call after an edit of one of them costs."""
from __future__ import annotations

HELPERS = 20
"""So many of them, of thirteen lines each."""

_KINDS = (
    '''
def smoothed_{k}(u, c):
    """Diffusion of a field, with a limiter."""
    n = u.shape[0]
    out = u.copy()
    for sweep in range(2):
        flux = out[1:] - out[:-1]
        limit = np.tanh({rate} * flux)
        out[1:-1] += c * (limit[1:] - limit[:-1])
        out[0] = out[1]
        out[n - 1] = out[n - 2]
    return out

''',
    '''
def advected_{k}(u, c):
    """Transport of a field by itself, upwind, number by number."""
    n = u.shape[0]
    out = np.empty(n)
    out[0] = u[0]
    for i in range(1, n):
        speed = {rate} * (u[i] + u[i - 1])
        if speed > 0.0:
            out[i] = u[i] - c * speed * (u[i] - u[i - 1])
        else:
            out[i] = u[i] + c * speed * u[i]
    return out

''',
    '''
def reacted_{k}(u, c):
    """A reaction, and what is left of it."""
    mean = np.mean(u)
    spread = np.sqrt(np.mean((u - mean) ** 2) + 1e-3)
    scaled = (u - mean) / spread
    rate = np.exp(-{rate} * scaled**2)
    gain = rate / np.sum(rate)
    kept = np.where(gain > c, c, gain)
    total = np.sum(kept * scaled)
    out = u + c * kept * (total - scaled)
    return out


''',
    '''
def filtered_{k}(u, c):
    """A recursive filter, forwards and backwards."""
    n = u.shape[0]
    out = u.copy()
    state = 0.0
    for i in range(n):
        state = (1.0 - c) * state + c * out[i]
        out[i] = {rate} * out[i] + 0.5 * state
    for i in range(n - 2, -1, -1):
        out[i] += c * np.sin(out[i + 1])
    return out

''',
)


def module(changed: bool) -> str:
    """Its text. `changed`: one line of the tenth helper is another one, and a line stands before it."""
    lines = ['"""Fields that are smoothed, moved and changed."""', "import numpy as np", "", ""]
    text = "\n".join(lines)
    for k in range(HELPERS):
        own = _KINDS[k % 4].format(k=k, rate=f"{0.30 + 0.01 * k:.2f}")
        if changed and k == 9:
            own = own.replace("out[0] = u[0]\n", "out[0] = 0.5 * u[0] + 0.5 * u[1]\n").replace("    n = u.shape[0]\n", "    # the first one is a mean\n    n = u.shape[0]\n")
        text += own.lstrip("\n") + "\n"
    names = [("smoothed", "advected", "reacted", "filtered")[k % 4] + f"_{k}" for k in range(HELPERS)]
    calls = "".join(f"    u = {name}(u, {0.01 * (k + 1):.2f})\n    kept += np.sum(u * w)\n" for k, name in enumerate(names))
    return text + f'def loss(u, w):\n    """How far all of it is from what was wanted."""\n    kept = 0.0\n{calls}    return kept + np.sum((u - w) ** 2)\n'
