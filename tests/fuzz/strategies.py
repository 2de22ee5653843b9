"""Hypothesis draws the programs."""
from __future__ import annotations

from hypothesis import strategies as st

from .grammar import Program
from .loops import KINDS, LoopProgram
from .storage import StorageProgram


class Drawn:
    """Choices of Hypothesis."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def integer(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))


@st.composite
def programs(draw: st.DrawFn, size: int = 12, *, transformed: bool = False) -> str:
    """The text of a random program (`grammar.Program`)."""
    return Program(Drawn(draw), draw(st.integers(1, size)), transformed=transformed).text()


@st.composite
def loop_programs(draw: st.DrawFn, size: int = 6) -> str:
    """The text of a random loop program of one kind of numbers (`loops.LoopProgram`)."""
    return LoopProgram(Drawn(draw), draw(st.integers(1, size)), draw(st.sampled_from(KINDS))).text()


@st.composite
def storage_programs(draw: st.DrawFn, size: int = 4, *, raising: bool = False) -> str:
    """The text of a random program about storage (`storage.StorageProgram`)."""
    return StorageProgram(Drawn(draw), draw(st.integers(1, size)), single=not raising and draw(st.booleans()), raising=raising).text()
