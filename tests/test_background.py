"""jit(f, compile="background"): NumPy answers until another process has compiled; then the compiled module does."""
import subprocess

import numpy as np
import pytest

import s2s
from s2s.errors import ArgumentValueError, BackgroundWarning


def smooth(x, scale):
    y = x.copy()
    for i in range(1, len(x) - 1):
        y[i] = 0.25 * (x[i - 1] + 2.0 * x[i] + x[i + 1]) * scale
    return np.sum(y * y)


def jobs_of(function):
    for job in function._jobs.values():
        job.thread.join(timeout=120)
        assert not job.thread.is_alive()
    return list(function._jobs.values())


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("S2S_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_the_compiled_module_takes_over(empty_cache):
    gradient = s2s.grad(s2s.jit(smooth, compile="background"))
    x = np.linspace(0.0, 2.0, 9)
    with s2s.disable_jit():
        wanted = s2s.grad(smooth)(x, 0.5)
    np.testing.assert_allclose(gradient(x, 0.5), wanted, rtol=1e-13)
    assert not gradient._found  # NumPy answered: nothing was compiled here
    (job,) = jobs_of(gradient)
    assert job.error is None
    assert list(empty_cache.glob("__pycache__/*.nbc"))
    ((found,),) = gradient._found.values()
    np.testing.assert_allclose(gradient(x, 0.5), wanted, rtol=1e-13)
    assert found.ran
    assert gradient.lasting is found
    np.testing.assert_allclose(gradient(x[::2], 2.0), s2s.grad(s2s.jit(smooth, target="numpy"))(x[::2], 2.0), rtol=1e-13)


def test_a_failure_is_told_once_and_numpy_goes_on(empty_cache, monkeypatch):
    def broken(words, **kwargs):
        return subprocess.CompletedProcess(words, 1, b"", b"Traceback\nMemoryError: no more")

    monkeypatch.setattr(subprocess, "run", broken)
    call = s2s.jit(lambda x: np.sum(np.sin(x)), compile="background")
    x = np.arange(3.0)
    assert call(x) == pytest.approx(np.sum(np.sin(x)))
    jobs_of(call)
    with pytest.warns(BackgroundWarning, match="MemoryError: no more"):
        assert call(x) == pytest.approx(np.sum(np.sin(x)))
    assert call(x) == pytest.approx(np.sum(np.sin(x)))  # a second warning would be an error here


def test_errors_of_the_function_and_what_is_refused_are_the_callers(empty_cache):
    def outside(x):
        return x[5]

    with pytest.raises(IndexError):
        s2s.jit(outside, compile="background")(np.zeros(3))
    with pytest.raises(s2s.UnsupportedError):
        s2s.jit(lambda x: __import__("os").getpid() + x, compile="background")(1.0)


def test_the_setting_and_the_default(monkeypatch):
    assert not s2s.jit(smooth).options.background
    assert s2s.jit(smooth, compile="background").options.background
    assert s2s.hessian(s2s.grad(s2s.jit(smooth, compile="background"))).options.background
    monkeypatch.setenv("S2S_COMPILE", "background")
    assert s2s.grad(smooth).options.background
    assert not s2s.jit(smooth, compile="foreground").options.background
    assert not s2s.jit(smooth, target="numpy").in_background
    with pytest.raises(ArgumentValueError, match="foreground"):
        s2s.jit(smooth, compile="later")
