"""The user's statements in emitted code: each whole, once, on one line."""
from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import s2s
from s2s.codegen.language.comments import comment, first_line
from s2s.errors import Location


def waves(u, v, rho, kappa):
    out = np.zeros(u.shape)
    for t in range(
        1,  # from the second one
        u.shape[0] - 1,
    ):
        out[t:-1] = (rho * u[t + 1:]  # the term of u
                     - kappa * v[t:-1]
                     + np.sin(u[t - 1:-2]))
    if (rho > 1.0 and
            kappa > 1.0):
        out[0] = \
            1.0
    very_long = rho * u[0] + kappa * v[0] + rho * u[1] + kappa * v[1] + rho * u[2] + kappa * v[2] + rho * u[3] + kappa * v[3] + rho * u[4]
    return np.sum(
        out * out
    ) + very_long


WHOLE = [
    "for t in range(1, u.shape[0] - 1,):",
    "out[t:-1] = (rho * u[t + 1:] - kappa * v[t:-1] + np.sin(u[t - 1:-2]))",
    "if (rho > 1.0 and kappa > 1.0):",
    "return np.sum(out * out) + very_long",
]


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("transform", [lambda f: f, s2s.grad])
def test_statements_of_several_lines(target, transform) -> None:
    text = transform(s2s.jit(waves, target=target)).source(np.ones(6), np.ones(6), 2.0, 3.0)
    comments = [line.strip().removeprefix("# ") for line in text.split("\n")[3:] if line.strip().startswith("# ")]
    known = [*WHOLE, "out[0] = 1.0", "out = np.zeros(u.shape)", "arrays that are written to are copied: the caller's stay as they are"]
    assert WHOLE[1] in comments
    for found in comments:
        head, dots, tail = found.partition(" … ")
        assert found in known or dots and head.startswith("very_long = rho * u[0]") and tail.endswith("+ rho * u[4]"), found
        assert len(found) <= 120
    for one, two in zip(comments, comments[1:], strict=False):
        assert one != two or transform is s2s.grad


def test_places_of_one_statement_begin_at_the_same_line() -> None:
    first = next(number for number, line in enumerate(Path(__file__).read_text().split("\n"), 1) if line.strip().startswith("out[t:-1] ="))
    assert {first_line(Location(__file__, first + k, 10)) for k in range(3)} == {(__file__, first)}
    assert re.fullmatch(r"out\[t:-1\] .* … .*\)\)", comment(Location(__file__, first + 2, 10), 40))
    assert comment(Location("<nowhere>", 3, 0)) == ""
