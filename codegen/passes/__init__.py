"""Rewrites of statements, one idea a module."""
