"""Functions of NumPy and SciPy that are made of others, as the plain NumPy functions that they are: read like a user's helper, errors at the call."""
