"""Programs whose first call is measured, each written from its mathematics as a NumPy user writes it.

A module has `loss`, a scalar function, and `arguments()`, what it is called with (small: the first call is measured, not the run).
`ARGNUMS` says what its gradient is of; `STATIC` which arguments JAX must know. `twin(own)` gives JAX's version: `own` is the
same text with `jax.numpy` for NumPy, of which it may replace what JAX can't run (stores, loops of many trips).
"""
