"""NumPy's functions on values of the program."""
