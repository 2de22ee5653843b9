"""What waits for a computation in JAX, or moves arrays: here a call is done when it returns, and all arrays are where they are."""
from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from s2s.placement import check_placed
from s2s.tree_util import tree_map

T = TypeVar("T")


def block_until_ready(x: T) -> T:
    """`x`, which is computed: a call is done when it returns.

    >>> block_until_ready(2.0)
    2.0
    """
    return x


def effects_barrier() -> None:
    """Wait for prints and callbacks: they are done when the call that they belong to is.

    >>> effects_barrier()
    """
    return None  # noqa: RET501 (a function's text reaches as far as its instructions)


def device_put(x: Any, device: Any = None, *, src: Any = None, donate: bool = False, may_alias: bool | None = None) -> Any:
    """`x` with arrays as its leaves: they are where they shall be. `device`: a device, a sharding, or a container of them that begins like `x`.

    >>> device_put([1.0, 2.0])
    [array(1.), array(2.)]
    """
    check_placed("device_put", x, device)
    return tree_map(np.asarray, x)


def with_sharding_constraint(x: T, shardings: Any) -> T:
    """`x`, whose arrays JAX's compiler would lay as the shardings say: here it is whole and in one place.

    >>> with_sharding_constraint(2.0, None)
    2.0
    """
    check_placed("with_sharding_constraint", x, shardings)
    return x


def device_get(x: Any) -> Any:
    """`x` with arrays as its leaves.

    >>> device_get((1.0,))
    (array(1.),)
    """
    return tree_map(np.asarray, x)


EXPORTED = {function.__name__: function for function in (block_until_ready, device_get, device_put, effects_barrier)}
"""By the names that they have in s2s."""
OF_LAX = {"with_sharding_constraint": with_sharding_constraint}
"""And in s2s.lax."""
