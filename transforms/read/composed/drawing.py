"""What the methods of random generators ask for; called as it stands, it is drawn from the generator itself."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s import streams
from s2s.transforms.primitives.draws import DRAWS
from s2s.transforms.primitives.random import evaluated, evaluated_old


def drawn(rng: Any, what: str, shape: tuple[int, ...], *given: Any) -> Any:
    """Numbers of this shape from one of NumPy's random generators; `what` is one of DRAWS."""
    layout = streams.layout_in(rng)
    arrays = tuple(np.broadcast_to(each, shape) if np.ndim(each) else each for each in given)
    return evaluated(streams.parts_of(rng)["state"], shape, DRAWS[what], (layout.first, layout.inner), arrays)


def old_drawn(rng: Any, what: str, shape: tuple[int, ...], *given: Any) -> Any:
    """Numbers from a RandomState that are made of its normal numbers, one of which may be left over."""
    layout, parts, draw = streams.layout_in(rng), streams.parts_of(rng), DRAWS[what]
    arrays = tuple(np.broadcast_to(np.asarray(each, draw_dtype), shape if np.ndim(each) else 1).reshape(-1) for each, draw_dtype in zip(given, draw.given, strict=True))
    before = parts["left_over"].copy()
    return evaluated_old(parts["state"], before, parts["left_over"], int(np.prod(shape)), draw, (layout.first, layout.inner), arrays).reshape(shape)[()]


def seeded(rng: Any, seed: Any) -> None:
    """Begin again, with this seed."""
    rng.seed(seed)


def left_over(rng: Any) -> Any:
    """Whether a random.Random has a normal number left over, and its bits."""
    return streams.parts_of(rng)["gauss_next"]
