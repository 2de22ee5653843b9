"""scipy.signal's linear systems as objects: lti, dlti, TransferFunction, ZerosPolesGain, StateSpace. The classes are read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed import discrete_systems, linear_systems
from s2s.transforms.read.composed.filter_forms import tf2zpk, zpk2tf
from s2s.transforms.read.composed.marks import unsupported


class System:
    """A linear system by two, three or four parts: coefficients, zeros and poles and a gain, or matrices."""

    def __init__(self, parts, dt=None):
        self.parts, self.dt = parts, dt

    def __getattr__(self, name):
        unsupported(f"{name} of a linear system of scipy.signal", "its num and den, zeros, poles and gain, or A, B, C and D, and the functions of scipy.signal")

    def _coefficients(self):
        if len(self.parts) == 4:
            num, den = linear_systems.ss2tf(*self.parts)
            if num.shape[0] != 1:
                unsupported("the coefficients of a linear system of several outputs", "scipy.signal.ss2tf")
            return num[0], den
        return zpk2tf(*self.parts) if len(self.parts) == 3 else self.parts

    @property
    def num(self):
        found = self._of(2, self.parts[0], "num")
        if found.shape[0] > 1 and np.abs(found[0]) <= 1e-14:
            raise NotImplementedError("the numerator of a linear system that begins with 0 (SciPy leaves that out) is not supported")
        return found

    @property
    def den(self):
        return self._of(2, self.parts[1], "den")

    @property
    def gain(self):
        return self._of(3, self.parts[2] if len(self.parts) == 3 else 0.0, "gain")

    @property
    def A(self):  # noqa: N802 - SciPy's name
        return self._of(4, self.parts[0], "A")

    @property
    def B(self):  # noqa: N802 - likewise
        return self._of(4, self.parts[1], "B")

    @property
    def C(self):  # noqa: N802 - likewise
        return self._of(4, self.parts[2] if len(self.parts) > 2 else 0.0, "C")

    @property
    def D(self):  # noqa: N802 - likewise
        return self._of(4, self.parts[3] if len(self.parts) > 3 else 0.0, "D")

    def _of(self, count, part, name):
        if len(self.parts) != count:
            raise AttributeError(f"this linear system has no attribute {name!r}: it is made of {len(self.parts)} parts")
        return part

    @property
    def zeros(self):
        return self.parts[0] if len(self.parts) == 3 else tf2zpk(*self._coefficients())[0]

    @property
    def poles(self):
        return self.parts[1] if len(self.parts) == 3 else tf2zpk(*self._coefficients())[1]

    def to_tf(self):
        return self._like(linear_systems._coefficients(*self._coefficients()))

    def to_zpk(self):
        return self if len(self.parts) == 3 else self._like(tf2zpk(*self._coefficients()))

    def to_ss(self):
        return self if len(self.parts) == 4 else self._like(linear_systems.tf2ss(*self._coefficients()))

    def _like(self, parts):
        """A system in the same time."""
        return System(parts)

    def to_discrete(self, dt, method="zoh", alpha=None):
        made = discrete_systems.cont2discrete(self.parts, dt, method, alpha)
        return _made("dlti", made[: len(made) - 1], (len(made) - 1,), made[len(made) - 1])

    def impulse(self, X0=None, T=None, N=None):
        return linear_systems.impulse(self.parts, X0, T, N)

    def step(self, X0=None, T=None, N=None):
        return linear_systems.step(self.parts, X0, T, N)

    def output(self, U, T, X0=None):
        return linear_systems.lsim(self.parts, U, T, X0)

    def freqresp(self, w=None, n=10000):
        return linear_systems.freqresp(self.parts, w, n)

    def bode(self, w=None, n=100):
        return linear_systems.bode(self.parts, w, n)


class DiscreteSystem(System):
    """The same in discrete time."""

    def _like(self, parts):
        return DiscreteSystem(parts, self.dt)

    def to_discrete(self, dt, method="zoh", alpha=None):
        raise NotImplementedError("to_discrete is not implemented for discrete-time systems.")

    def impulse(self, x0=None, t=None, n=None):
        return discrete_systems.dimpulse(self, x0, t, n)

    def step(self, x0=None, t=None, n=None):
        return discrete_systems.dstep(self, x0, t, n)

    def output(self, u, t, x0=None):
        return discrete_systems.dlsim(self, u, t, x0)

    def freqresp(self, w=None, n=10000, whole=False):
        return discrete_systems.dfreqresp(self, w, n, whole)

    def bode(self, w=None, n=100):
        return discrete_systems.dbode(self, w, n)


def _made(name, system, counts, dt):
    """The system of these parts, or the given one in this form."""
    if len(system) == 1 and isinstance(system[0], System):
        given = system[0]
        return given if len(given.parts) in counts else given.to_tf() if 2 in counts else given.to_zpk() if 3 in counts else given.to_ss()
    if len(system) not in counts:
        raise ValueError(f"scipy.signal.{name} needs {' or '.join(str(count) for count in counts)} arguments")
    if len(system) == 2:
        parts = linear_systems._coefficients(system[0], system[1])
    elif len(system) == 3:
        parts = (np.atleast_1d(system[0]), np.atleast_1d(system[1]), system[2])
    else:
        parts = tuple(np.atleast_2d(np.asarray(part) if np.asarray(part).dtype.kind in "fc" else np.asarray(part).astype(np.float64)) for part in system)
    return System(parts) if dt is None else DiscreteSystem(parts, dt)


def lti(*system):
    """scipy.signal.lti."""
    return _made("lti", system, (2, 3, 4), None)


def dlti(*system, dt=True):
    """scipy.signal.dlti."""
    return _made("dlti", system, (2, 3, 4), dt)


def transfer_function(*system, dt=None):
    """scipy.signal.TransferFunction."""
    return _made("TransferFunction", system, (2,), dt)


def zeros_poles_gain(*system, dt=None):
    """scipy.signal.ZerosPolesGain."""
    return _made("ZerosPolesGain", system, (3,), dt)


def state_space(*system, dt=None):
    """scipy.signal.StateSpace."""
    return _made("StateSpace", system, (4,), dt)


SYSTEMS: dict[str, Any] = {"scipy.signal.lti": lti, "scipy.signal.dlti": dlti, "scipy.signal.TransferFunction": transfer_function, "scipy.signal.ZerosPolesGain": zeros_poles_gain, "scipy.signal.StateSpace": state_space}
"""By qualified name."""
