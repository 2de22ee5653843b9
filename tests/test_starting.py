"""What Numba loads before the first kernel: what kernels need, and the rest where something else is compiled."""
from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

KERNEL = """
    import sys
    import numpy as np
    import s2s

    def f(x, n):
        for i in range(n):
            x = np.tanh(x) * np.copysign(2.0, x[0])
        return np.sum(x)

    x = np.linspace(0.1, 1.0, 5)
    print(s2s.grad(f)(x, 3).tolist())
"""
LEFT_OUT = ("numpy.ma", "scipy.linalg", "numba.typed.typedlist", "numba.typed.typeddict", "numba.np.random.generator_methods", "numba.np.arraymath")


def run(script: str, folder: Path) -> list[str]:
    """What a script prints, in a process of its own with the cache in this folder."""
    file = folder / "script.py"
    file.write_text(textwrap.dedent(script), encoding="utf-8")
    environment = {**os.environ, "S2S_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_what_kernels_do_without(tmp_path):
    """The first call loads neither lists nor a BLAS; a kernel from the cache doesn't either, and Numba's own functions have all of it afterwards."""
    first, left = run(f"{KERNEL}\n    print([name for name in {LEFT_OUT} if name in sys.modules])", tmp_path)
    assert left == "[]"
    after = """
    print([name for name in {LEFT_OUT} if name in sys.modules])
    from numba import njit

    @njit
    def others(a, text):
        found = [0.5]
        found.append(np.dot(a, a))
        return found[1] + len(text)

    print(others(np.ones(4), "a"), np.isclose(s2s.jit(f)(x, 3), f(x, 3)))
    """
    again, left, others = run(KERNEL + after.replace("{LEFT_OUT}", repr(LEFT_OUT)), tmp_path)
    assert (again, left) == (first, "[]")
    assert others == "5.0 True"


def test_a_blas_without_its_package(tmp_path):
    """Large products and factorisations call SciPy's BLAS and LAPACK without `scipy.linalg`, which is all there where it is imported afterwards."""
    script = """
    import sys
    import numpy as np
    import s2s

    def f(a, b):
        return np.linalg.solve(a, b) @ b, np.linalg.cholesky(a)

    def agrees(dtype):
        a = np.random.default_rng(0).normal(size=(80, 80)).astype(dtype)
        a = a @ a.T + 80 * np.eye(80, dtype=dtype)
        return all(np.allclose(got, wanted, rtol=1e-3) for got, wanted in zip(s2s.jit(f)(a, a), f(a, a)))

    print(agrees(np.float64), [name for name in sys.modules if name.startswith("scipy.linalg")])
    import scipy.linalg.cython_blas
    from scipy.linalg import cython_lapack
    print(len(scipy.linalg.cython_blas.__pyx_capi__) > 100, "dgetrf" in cython_lapack.__pyx_capi__, scipy.linalg.det(np.eye(2)), agrees(np.float32), agrees(np.complex128))
    """
    for _ in range(2):  # the second one finds its kernels in the cache
        assert run(script, tmp_path) == ["True []", "True True 1.0 True True"]


@pytest.mark.parametrize("statement", ["x * (2 + 1j) / x", "n ** n + abs(x)", "np.gcd(n, 12) + np.sign(x)", "np.hypot(x.real, n) + np.cbrt(n)"])
def test_what_numba_wrote_in_python(tmp_path, statement):
    """Operations that Numba compiles itself, in the first kernel of a process: it links them with its memory."""
    script = f"""
    import numpy as np
    import s2s

    def f(xs, n):
        total = 0j
        for k in range(len(xs)):
            x = xs[k]
            total += {statement}
        return total

    xs = np.linspace(0.5, 2.0, 4) * (1 - 2j)
    print(np.isclose(s2s.jit(f)(xs, 3), f(xs, 3)))
    """
    assert run(script, tmp_path) == ["True"]


def test_numba_first(tmp_path):
    """What a user's own function made Numba load changes nothing."""
    own = "\n    from numba import njit\n    njit(lambda x: [x])(1.0)\n"
    assert run(own + KERNEL, tmp_path) == run(KERNEL, tmp_path)


def test_what_is_no_kernel_for_us(tmp_path):
    """Text that Numba's own compiler takes, before anything else was compiled, and from the cache."""
    script = '''
    import textwrap
    from pathlib import Path

    from s2s.codegen.modules.compile import load_text

    text = """
    from numba import njit

    @njit(cache=True, error_model="numpy")
    def several(x):
        found = [x]
        found.append(3.0)
        return found[0] + found[1]
    """
    print(load_text(Path(__file__).parent / "several.py", textwrap.dedent(text), {}).several(1.5))
    '''
    assert run(script, tmp_path) == run(script, tmp_path) == ["4.5"]


def test_listeners_of_others_hear_of_llvm(tmp_path):
    """While a kernel is compiled Numba's own are not told of each call; before and afterwards all are."""
    script = """
        import numba, numpy as np, s2s
        from llvmlite.binding import ffi
        from numba.core.event import install_timer

        heard = []
        ffi.register_lock_callback(lambda: heard.append(1), lambda: None)
        before = list(ffi.lib._lock._cblist)
        s2s.jit(lambda x: x * 2.0)(np.ones(3))
        print(len(heard) > 100, sorted(map(str, before)) == sorted(map(str, ffi.lib._lock._cblist)))
        times = []
        with install_timer("numba:llvm_lock", times.append):
            numba.njit(lambda x: x + 1)(1)
        print(len(times))
    """
    assert run(script, tmp_path) == ["True True", "1"]
