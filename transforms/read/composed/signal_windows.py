"""scipy.signal.windows, of lengths that are known only at run time too."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported


def _places(M, sym, xp, device):
    """0, 1, … and the last of them, of a window that is one longer where it is periodic."""
    if xp is not None or device is not None:
        unsupported("a window with xp or device", "leave them out")
    if isinstance(M, (bool, np.bool_)):
        raise TypeError(f"expected a sequence of integers or a single integer, got '{M}'")
    if M < 0 or int(M) != M:
        raise ValueError("Window length M must be a non-negative integer")
    return np.arange(M, dtype=np.float64), np.maximum(M - 1 if sym else M, 1) * 1.0


def _alone(M, w):
    """A window of one number is 1."""
    return np.where(M == 1, 1.0, w)


def _cosines(M, a, sym, xp=None, device=None):
    n, last = _places(M, sym, xp, device)
    turn = -np.pi + 2 * np.pi * n / last
    w = a[0] + 0.0 * turn
    for k in range(1, len(a)):
        w = w + a[k] * np.cos(k * turn)
    return _alone(M, w)


def general_cosine(M, a, sym=True):
    """scipy.signal.windows.general_cosine."""
    return _cosines(M, a, sym)


def general_hamming(M, alpha, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.general_hamming."""
    return _cosines(M, (alpha, 1.0 - alpha), sym, xp, device)


def hann(M, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.hann."""
    return _cosines(M, (0.5, 0.5), sym, xp, device)


def hamming(M, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.hamming."""
    return _cosines(M, (0.54, 1.0 - 0.54), sym, xp, device)


def blackman(M, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.blackman."""
    return _cosines(M, (0.42, 0.50, 0.08), sym, xp, device)


def nuttall(M, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.nuttall."""
    return _cosines(M, (0.3635819, 0.4891775, 0.1365995, 0.0106411), sym, xp, device)


def blackmanharris(M, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.blackmanharris."""
    return _cosines(M, (0.35875, 0.48829, 0.14128, 0.01168), sym, xp, device)


def flattop(M, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.flattop."""
    return _cosines(M, (0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368), sym, xp, device)


def boxcar(M, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.boxcar."""
    n, _ = _places(M, sym, xp, device)
    return np.ones_like(n)


def triang(M, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.triang."""
    n, last = _places(M, sym, xp, device)
    return _alone(M, 1.0 - np.abs(n - last / 2) * 2 / (last + 1 + np.mod(last + 1, 2)))


def bartlett(M, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.bartlett."""
    n, last = _places(M, sym, xp, device)
    return _alone(M, np.where(n <= last / 2, 2.0 * n / last, 2.0 - 2.0 * n / last))


def barthann(M, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.barthann."""
    n, last = _places(M, sym, xp, device)
    away = np.abs(n / last - 0.5)
    return _alone(M, 0.62 - 0.48 * away + 0.38 * np.cos(2 * np.pi * away))


def parzen(M, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.parzen."""
    n, last = _places(M, sym, xp, device)
    away = np.abs(n - last / 2)
    part = away / ((last + 1) / 2)
    return _alone(M, np.where(away <= last / 4, 1 - 6 * part**2 + 6 * part**3, 2 * (1 - part) ** 3))


def bohman(M, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.bohman."""
    n, last = _places(M, sym, xp, device)
    part = np.abs(2 * n / last - 1.0)
    return _alone(M, np.where((n == 0) | (n == last), 0.0, (1 - part) * np.cos(np.pi * part) + 1.0 / np.pi * np.sin(np.pi * part)))


def cosine(M, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.cosine."""
    n, last = _places(M, sym, xp, device)
    return _alone(M, np.sin(np.pi / (last + 1) * (n + 0.5)))


def lanczos(M, *, sym=True, xp=None, device=None):
    """scipy.signal.windows.lanczos."""
    n, last = _places(M, sym, xp, device)
    return _alone(M, np.sinc(2.0 * n / last - 1.0))


def gaussian(M, std, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.gaussian."""
    n, last = _places(M, sym, xp, device)
    return _alone(M, np.exp(-((n - last / 2) ** 2) / (2 * std * std)))


def general_gaussian(M, p, sig, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.general_gaussian."""
    n, last = _places(M, sym, xp, device)
    return _alone(M, np.exp(-0.5 * np.abs((n - last / 2) / sig) ** (2 * p)))


def exponential(M, center=None, tau=1.0, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.exponential."""
    if sym and center is not None:
        raise ValueError("If sym==True, center must be None.")
    n, last = _places(M, sym, xp, device)
    return _alone(M, np.exp(-np.abs(n - (last / 2 if center is None else center)) / tau))


def kaiser(M, beta, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.kaiser."""
    import scipy.special

    n, last = _places(M, sym, xp, device)
    inside = 1 - ((n - last / 2) / (last / 2)) ** 2
    root = np.where(inside > 0, np.sqrt(np.where(inside > 0, inside, 1.0)), 0.0)
    return _alone(M, scipy.special.i0(beta * root) / scipy.special.i0(beta))


def tukey(M, alpha=0.5, sym=True, *, xp=None, device=None):
    """scipy.signal.windows.tukey."""
    if alpha <= 0:
        return boxcar(M, sym, xp=xp, device=device)
    if alpha >= 1.0:
        return hann(M, sym, xp=xp, device=device)
    n, last = _places(M, sym, xp, device)
    width = np.floor(alpha * last / 2.0)
    rising, falling = 0.5 * (1 + np.cos(np.pi * (-1 + 2.0 * n / alpha / last))), 0.5 * (1 + np.cos(np.pi * (-2.0 / alpha + 1 + 2.0 * n / alpha / last)))
    return _alone(M, np.where(n <= width, rising, np.where(n < last - width, 1.0, falling)))


_PLAIN = {
    "hann": hann, "hamming": hamming, "blackman": blackman, "bartlett": bartlett, "boxcar": boxcar, "triang": triang, "parzen": parzen, "bohman": bohman, "nuttall": nuttall,
    "blackmanharris": blackmanharris, "flattop": flattop, "cosine": cosine, "barthann": barthann, "lanczos": lanczos, "exponential": exponential, "tukey": tukey,
}  # fmt: skip
_ALIASES = {
    "hanning": "hann", "han": "hann", "hamm": "hamming", "ham": "hamming", "black": "blackman", "blk": "blackman", "bart": "bartlett", "brt": "bartlett", "box": "boxcar", "ones": "boxcar",
    "rect": "boxcar", "rectangular": "boxcar", "triangle": "triang", "tri": "triang", "parz": "parzen", "par": "parzen", "bman": "bohman", "bmn": "bohman", "nutl": "nuttall", "nut": "nuttall",
    "blackharr": "blackmanharris", "bkh": "blackmanharris", "flat": "flattop", "flt": "flattop", "halfcosine": "cosine", "brthan": "barthann", "bth": "barthann", "sinc": "lanczos",
    "poisson": "exponential", "tuk": "tukey",
}  # fmt: skip
_WITH_PARAMETERS = {
    "kaiser": kaiser, "ksr": kaiser, "gaussian": gaussian, "gauss": gaussian, "gss": gaussian, "general_gaussian": general_gaussian, "general gaussian": general_gaussian, "general gauss": general_gaussian,
    "general_gauss": general_gaussian, "ggs": general_gaussian, "general_hamming": general_hamming, "general hamming": general_hamming, "exponential": exponential, "poisson": exponential, "tukey": tukey, "tuk": tukey,
}  # fmt: skip


def get_window(window, Nx, fftbins=True, *, xp=None, device=None):
    """scipy.signal.get_window of a name, of a name with parameters, or of a number for Kaiser's."""
    if not isinstance(window, (str, tuple)):
        return kaiser(Nx, window, not fftbins, xp=xp, device=device)
    name = window if isinstance(window, str) else window[0]
    sym, short = not fftbins, name
    if name.endswith("_symmetric"):
        sym, short = True, name[:-10]
    elif name.endswith("_periodic"):
        sym, short = False, name[:-9]
    rest = window[1:] if isinstance(window, tuple) else ()
    plain = _ALIASES.get(short, short)
    if not rest and plain in _PLAIN:
        return _PLAIN[plain](Nx, sym=sym, xp=xp, device=device)
    if rest and short in _WITH_PARAMETERS:
        return _WITH_PARAMETERS[short](Nx, *rest, sym=sym, xp=xp, device=device)
    if short in ("kaiser", "ksr", "gaussian", "gauss", "gss"):
        raise ValueError(f"'{short}' must have parameters, but window={window!r}!")
    return unsupported(f"scipy.signal.get_window({window!r}, …) of a length that is known only at run time", "'hann', 'hamming', 'blackman', or ('kaiser', beta)")


WINDOWS: dict[str, Any] = {
    "scipy.signal.get_window": get_window,
    **{
        f"scipy.signal.windows.{function.__name__}": function for function in (
            general_cosine, general_hamming, hann, hamming, blackman, nuttall, blackmanharris, flattop, boxcar, triang, bartlett, barthann, parzen, bohman, cosine, lanczos, gaussian,
            general_gaussian, exponential, kaiser, tukey,
        )
    },
}  # fmt: skip
"""By qualified name."""
