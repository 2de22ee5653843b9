"""Positions in a function's text: as libcst's own provider finds them."""
from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from s2s.transforms.read.syntax.positions import positions_of

ROOT = Path(__file__).resolve().parent.parent
ODD = """\
if 1:
\t@decorated(  # a comment
\t\t1,
\t)
\tdef f(a, /, b: int = 2, *, c=3, **rest) -> "x":  # another
\t\tx = (  a
\t\t\t+ b ); y = [ *a , c ]

\t\twhile  not x : pass
\t\treturn lambda u , v = 1 : ( yield ) if u else f"{ x !r:>{ y }}" \\
\t\t\tif v else x[ 1 : , ::2 , ... ]
"""


@pytest.mark.parametrize("text", [ODD, ODD.replace("\n", "\r\n"), *(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests" / "programs").glob("*.py"))[::5])])
def test_positions_are_libcsts(text):
    wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    theirs = {node: ((span.start.line, span.start.column), (span.end.line, span.end.column)) for node, span in wrapper.resolve(PositionProvider).items()}
    assert positions_of(wrapper.module) == theirs
