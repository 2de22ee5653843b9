"""The generated page of supported functions is current."""
import importlib.util
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"


def test_supported_page_is_current():
    spec = importlib.util.spec_from_file_location("make_supported", DOCS / "make_supported.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "run: python docs/make_supported.py"
