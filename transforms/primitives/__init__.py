"""The primitives: one row each (`row.py`), made by families, collected in `table.py`."""
