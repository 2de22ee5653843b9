"""Programs as people post them: results, prints and the caller's containers afterwards are Python's, or they are refused at a line of theirs."""
from __future__ import annotations

import copy

import numpy as np
import posted_programs
import pytest
from outcomes import same, shown

import s2s
from s2s.errors import UnsupportedError

REFUSED: set[str] = set()
"""A generator that calls itself, to a depth that only the run knows."""
OTHER_TYPE = {"coin_change", "dijkstra_path", "floyd"}
"""A number is a float where Python's is an int or infinite (docs/design.md)."""
DEAR = {"matrix_chain", "huffman_lengths", "topological", "dijkstra_path", "lru", "trie_of_numbers", "kruskal", "bst", "bst_by_generator", "n_queens", "tic_tac_toe", "pascal"}
"""Those that take seconds to be read."""


def outcome(function, args, capsys):
    """What a call gives or raises and prints, and its arguments afterwards."""
    args = copy.deepcopy(args)
    try:
        result = shown(function(*args))
    except UnsupportedError:
        raise
    except Exception as error:  # noqa: BLE001 - any that Python raises is compared
        result = type(error), str(error)
    return result, shown(args), capsys.readouterr().out


def marked(calls, *, fast):
    return [pytest.param(call, id=call[0].__name__, marks=[] if fast and call[0].__name__ not in DEAR else [pytest.mark.slow]) for call in calls]


@pytest.mark.parametrize("call", marked(posted_programs.CALLS, fast=True))
def test_as_python(call, capsys):
    compared(call, "numpy", capsys)


@pytest.mark.parametrize("call", marked(posted_programs.CALLS, fast=False))
def test_compiled(call, capsys):
    compared(call, "cpu", capsys)


def compared(call, target, capsys):
    program, *arguments = call
    run = s2s.jit(program, target=target)
    for args in arguments:
        if program.__name__ in REFUSED:
            with pytest.raises(UnsupportedError) as caught:
                run(*copy.deepcopy(args))
            assert caught.value.where.file == posted_programs.__file__
            continue
        found, wanted = outcome(run, args, capsys), outcome(program, args, capsys)
        assert found[1:] == wanted[1:]
        assert same(found[0], wanted[0], types=program.__name__ not in OTHER_TYPE), f"{found} instead of {wanted}"


@pytest.mark.parametrize("name", ["n_body", "calculator", "rpn"])
def test_derivatives(name):
    """Of a simulation of objects, and of parsers."""
    of_float = {
        "n_body": lambda m: posted_programs.n_body(m, 3)[0], "calculator": lambda x: posted_programs.calculator(x, 2.0),
        "rpn": lambda x: posted_programs.rpn("3 x * 2 ^ 1 + x /", x),
    }[name]  # fmt: skip
    difference = (of_float(2.0 + 1e-6) - of_float(2.0 - 1e-6)) / 2e-6
    assert np.isclose(s2s.grad(of_float)(2.0), difference, rtol=1e-6)
    assert np.isclose(s2s.jvp(of_float, (2.0,), (1.0,))[1], difference, rtol=1e-6)
