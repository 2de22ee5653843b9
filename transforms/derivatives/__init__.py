"""Derivatives: program -> program, in every mode."""
