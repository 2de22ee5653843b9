"""Loops over scalars, for Numba."""
