"""A function that calls itself, rewritten as a loop with a stack (`loop.py`): by its steps (`steps.py`), of which `own_calls.py` takes expressions apart."""
