"""scipy.cluster's own modules."""
from s2s.scipy.cluster import vq as vq

__all__ = ["vq"]
