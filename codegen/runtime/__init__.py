"""Functions that emitted modules bring along."""
