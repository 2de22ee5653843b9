"""The generated page of supported functions is current, and the examples on the other pages are true."""
import doctest
import importlib.util
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parent.parent / "docs"


def test_supported_page_is_current():
    spec = importlib.util.spec_from_file_location("make_supported", DOCS / "make_supported.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "run: python docs/make_supported.py"


@pytest.mark.parametrize("page", [path.name for path in sorted(DOCS.glob("*.md")) if "\n>>> " in path.read_text(encoding="utf-8")])
def test_examples(page):
    failed, _ = doctest.testfile(str(DOCS / page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0
