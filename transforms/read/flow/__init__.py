"""Statements and expressions: what each kind of syntax means."""
