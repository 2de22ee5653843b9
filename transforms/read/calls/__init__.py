"""Calls: built-in functions, the user's, classes, transformations."""
