"""jax.experimental.ode: initial value problems."""
from s2s.transforms.read.composed.initial_values import odeint

__all__ = ["odeint"]
