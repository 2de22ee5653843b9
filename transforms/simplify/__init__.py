"""Rewrites that change no number: equal values once, what nothing reads gone."""
