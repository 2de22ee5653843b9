"""The line on a terminal while something takes long, on a terminal that is made up."""
import io
import time

import pytest

from s2s import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(progress, "AFTER", 0.02)
    monkeypatch.delenv("S2S_PROGRESS", raising=False)


def written_on(stream, monkeypatch, seconds):
    monkeypatch.setattr("sys.stderr", stream)
    with progress.Shown("loss_grad", "Numba compiles"):
        time.sleep(seconds)
    return stream.getvalue()


def test_a_long_stage_is_named_and_erased(quick, monkeypatch):
    text = written_on(Terminal(), monkeypatch, 0.2)
    assert "s2s: loss_grad: Numba compiles, 0 s" in text
    assert text.endswith("\r\x1b[2K")
    assert "\n" not in text


def test_what_is_short_or_not_seen_says_nothing(quick, monkeypatch):
    assert written_on(io.StringIO(), monkeypatch, 0.1) == ""
    monkeypatch.setattr(progress, "AFTER", 60.0)
    assert written_on(Terminal(), monkeypatch, 0.0) == ""


def test_the_setting(quick, monkeypatch):
    monkeypatch.setenv("S2S_PROGRESS", "0")
    assert written_on(Terminal(), monkeypatch, 0.1) == ""
    monkeypatch.setenv("S2S_PROGRESS", "1")
    assert "loss_grad" in written_on(io.StringIO(), monkeypatch, 0.2)


def test_an_error_erases_it_too(quick, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with pytest.raises(ValueError, match="late"), progress.Shown("f", "s2s reads and rewrites"):
        time.sleep(0.1)
        raise ValueError("late")
    assert terminal.getvalue().endswith("\r\x1b[2K")


def test_a_closed_terminal_is_no_error(quick, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with progress.Shown("f", "g"):
        time.sleep(0.05)
        terminal.close()
