"""What importing s2s, and a call that the cache answers, load: neither Numba nor what reads, rewrites and emits."""
import os
import subprocess
import sys

HEAVY = ("numba", "libcst", "scipy", "s2s.transforms.ir.program", "s2s.transforms.primitives", "s2s.transforms.simplify", "s2s.codegen.lowering", "s2s.codegen.emit")


def loaded(script, tmp_path):
    environment = {**os.environ, "S2S_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    script += f"\nprint([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    return done.stdout.splitlines()


def test_importing_s2s_loads_what_a_call_needs_only(tmp_path):
    assert loaded("import sys, s2s", tmp_path) == ["[]"]
    assert loaded("import sys, s2s\nf = s2s.grad(s2s.checkpoint(lambda x: x, policy=s2s.checkpoint_policies.dots_saveable))", tmp_path) == ["[]"]


def test_a_call_that_the_cache_answers_reads_nothing(tmp_path):
    (tmp_path / "user.py").write_text("def f(x):\n    return x * x\n")
    script = "import sys, s2s, user\nprint(s2s.grad(s2s.jit(user.f, target='numpy'))(3.0))"
    first, second = loaded(script, tmp_path), loaded(script, tmp_path)
    assert first[0] == second[0] == "6.0"
    assert "libcst" in first[1]
    assert second[1] in ("[]", "['numba']")  # numba: its version is part of what a compiled module's question is
