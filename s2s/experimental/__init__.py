"""Names of jax.experimental that have a meaning here."""
from s2s.callbacks import io_callback
from s2s.not_here import EXPERIMENTAL, why

__all__ = ["io_callback"]


def __getattr__(name: str) -> object:
    raise AttributeError(why("s2s.experimental", name, EXPERIMENTAL))
