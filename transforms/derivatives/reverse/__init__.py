"""Reverse mode: the adjoint sweep, and where it finds the values of the forward sweep."""
