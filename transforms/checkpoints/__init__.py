"""Checkpoints: what is computed again for the reverse sweep."""
