"""The generated page of supported functions is current, and the examples on the other pages are true."""
import doctest
import importlib.util
import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from fuzz.measured import measured

DOCS = Path(__file__).resolve().parent.parent / "docs"
FORMS = json.loads((DOCS / "supported_forms.json").read_text(encoding="utf-8"))


def test_supported_page_is_current():
    spec = importlib.util.spec_from_file_location("make_supported", DOCS / "make_supported.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "run: python docs/make_supported.py"


@pytest.mark.parametrize("page", [path.name for path in sorted(DOCS.glob("*.md")) if "\n>>> " in path.read_text(encoding="utf-8")])
def test_examples(page):
    failed, _ = doctest.testfile(str(DOCS / page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0


def test_what_the_page_says_of_functions_is_so():
    """Some functions, measured anew: more is no fault, less is."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in ("np.hypot", "np.sum", "np.interp", "np.linalg.solve", "np.argsort", "np.where", "scipy.special.gammainc", "np.put"):
            known, now = FORMS[name], measured(name)
            assert set(known["arguments"]) <= set(now["arguments"]), name
            assert set(known["dtypes"]) <= set(now["dtypes"]), name
            assert known["derivative"] == now["derivative"] or known["derivative"].startswith(("by ", "refused")), name
