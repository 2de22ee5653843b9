"""What the README shows is what s2s writes, and its code runs. Update: S2S_UPDATE_GOLDEN=1 pytest tests/test_readme.py"""
import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).resolve().parent.parent / "README.md"
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
COMMAND = re.compile(r"`(s2s emit follow\.py:follow .*?)`")


def test_emitted_block_is_current(tmp_path):
    text = README.read_text(encoding="utf-8")
    primal, shown, _ = BLOCK.findall(text)
    (tmp_path / "follow.py").write_text(primal, encoding="utf-8")
    arguments = [*re.findall(r"'([^']*)'|(\S+)", COMMAND.search(text).group(1))][1:]
    command = [sys.executable, "-m", "s2s", *(quoted or bare for quoted, bare in arguments), "--stdout"]
    emitted = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path).stdout
    wanted = emitted[emitted.index('"""Gradient') : emitted.index("def _array")].rstrip() + "\n"
    if os.environ.get("S2S_UPDATE_GOLDEN") and shown != wanted:
        README.write_text(text.replace(shown, wanted), encoding="utf-8")
    else:
        assert shown == wanted, "the README shows another text than s2s emits: S2S_UPDATE_GOLDEN=1 pytest tests/test_readme.py"


def test_usage_runs(tmp_path):
    usage = BLOCK.findall(README.read_text(encoding="utf-8"))[2]
    (tmp_path / "usage.py").write_text(usage, encoding="utf-8")
    printed = subprocess.run([sys.executable, "usage.py"], check=True, capture_output=True, text=True, cwd=tmp_path).stdout
    assert "def misfit_grad(start, measured, steps):" in printed
