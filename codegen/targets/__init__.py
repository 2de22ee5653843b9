"""The targets: a folder for each. What all of a new one's steps are, its folder says in `pipeline.py` (PIPELINE); cpu's and numpy's stand in `codegen/pipeline.py`."""
from __future__ import annotations

from pathlib import Path

TARGETS = tuple(sorted(each.name for each in Path(__file__).parent.iterdir() if (each / "__init__.py").exists()))
"""Their names."""
