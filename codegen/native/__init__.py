"""Kernels to machine code: Numba's types, scalar operations and calling convention, but our own way from text to LLVM, for the little Python that kernels are written in."""
