"""Whether a call of SciPy's agrees with the same one read by s2s."""
from __future__ import annotations

import warnings

import numpy as np
import pytest

import s2s


def quietly(function, *args):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return function(*args)


def agree(call, *args, atol, raises=(ValueError,), target="numpy"):
    """The same numbers, dtype and shape, or an exception of the same class, of those that SciPy `raises`."""
    try:
        wanted = quietly(call, *args)
    except raises as error:
        with pytest.raises(type(error)):
            quietly(s2s.jit(call, target=target), *args)
        return
    found = quietly(s2s.jit(call, target=target), *args)
    for one, other in zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]:
        assert (np.asarray(one).dtype, np.shape(one)) == (np.asarray(other).dtype, np.shape(other))
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=atol)
