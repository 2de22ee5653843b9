"""A wheel of the project installs the package s2s and nothing else, and works from there."""
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def test_imported_from_one_place():
    import s2s.codegen
    import s2s.transforms.ir.program

    assert Path(s2s.transforms.ir.program.__file__).resolve() == ROOT / "transforms" / "ir" / "program.py"
    assert "transforms" not in sys.modules
    assert "codegen" not in sys.modules


def test_every_package_is_listed():
    """A folder with __init__.py that setup.cfg forgets would be missing from the wheel."""
    listed = (ROOT / "setup.cfg").read_text(encoding="utf-8")
    for folder in ("transforms", "codegen", *(f"s2s/{room}" for room in ("api", "calls", "verification"))):
        for init in (ROOT / folder).rglob("__init__.py"):
            relative = init.parent.relative_to(ROOT)
            name = f"s2s.{'.'.join(relative.parts)}".replace("s2s.s2s.", "s2s.")
            assert f"{name} = {relative.as_posix()}\n" in listed
            assert f"    {name}\n" in listed


@pytest.mark.slow
def test_wheel(tmp_path):
    source = tmp_path / "source"  # a copy: what an earlier build left in build/ would land in the wheel
    shutil.copytree(ROOT, source, symlinks=True, ignore=shutil.ignore_patterns(".*", "build", "*.egg-info", "__pycache__"))
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet", "-w", str(tmp_path), str(source)]
    subprocess.run(build, check=True, timeout=300)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"s2s"}
    assert {"s2s/py.typed", "s2s/cli.py", "s2s/transforms/ir/program.py", "s2s/transforms/read/__init__.py", "s2s/codegen/__init__.py"} <= set(names)

    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    code = (
        "import sys, s2s, s2s.cli, s2s.codegen.emit, s2s.transforms.read, s2s.transforms.ir.program as p\n"
        f"assert p.__file__.startswith({str(site)!r}), p.__file__\n"
        "assert not {'transforms', 'codegen', 'cli'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(site)}, timeout=120)
