"""What the methods of random generators ask for; called as it stands, it is drawn from NumPy's generator."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s import streams
from s2s.transforms.primitives.draws import DRAWS, callable_of
from s2s.transforms.primitives.random import evaluated


def drawn(rng: Any, what: str, shape: tuple[int, ...], *given: Any) -> Any:
    """Numbers of this shape from one of NumPy's random generators; `what` is one of DRAWS."""
    layout = streams.layout_in(rng)
    arrays = tuple(np.broadcast_to(each, shape) if np.ndim(each) else each for each in given)
    return evaluated(streams.parts_of(rng)["state"], shape, DRAWS[what], (layout.first, layout.inner), arrays)


def polar(rng: Any, shape: tuple[int, ...]) -> Any:
    """Normal numbers from a RandomState, as it draws them."""
    layout, parts = streams.layout_in(rng), streams.parts_of(rng)
    out, before = np.empty(int(np.prod(shape))), parts["left_over"].copy()
    callable_of("polar_normals")(parts["state"], layout.first, layout.inner, before, parts["left_over"], out)
    return out.reshape(shape)[()]
