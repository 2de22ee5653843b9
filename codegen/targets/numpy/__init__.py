"""Array expressions, for NumPy."""
