"""Names of jax.experimental that have a meaning here."""
from s2s.callbacks import io_callback

__all__ = ["io_callback"]
