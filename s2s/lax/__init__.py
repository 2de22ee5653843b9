"""JAX's lower-level functions, under JAX's names.

Inside of transformed functions they are read like any other function: loops stay loops, branches branches. Called outside, they run as the plain Python
that they are.
"""
from __future__ import annotations

from s2s.api.custom import stop_gradient
from s2s.lax.control_flow import associative_scan, cond, fori_loop, map, scan, switch, while_loop  # noqa: A004 - JAX's names

__all__ = ["associative_scan", "cond", "fori_loop", "map", "scan", "stop_gradient", "switch", "while_loop"]
