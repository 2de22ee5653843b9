"""Every example learns what it shall, and its gradient agrees with finite differences."""
import importlib

import pytest

# module -> how much of the loss may be left, and further figures with their bounds
EXAMPLES = {
    "iris": (0.15, {"accuracy": (0.96, 1.0)}),
    "heat": (0.01, {"field_after": (0.0, 1.0)}),
    "orbit": (1e-6, {"velocity_error": (0.0, 1e-3)}),
    "text": (0.75, {}),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name):
    reports = []
    figures = importlib.import_module(name).main(reports.append)
    left, bounds = EXAMPLES[name]
    assert figures["gradient_error"] < 1e-6
    assert figures["after"] < left * figures["before"]
    for key, (low, high) in bounds.items():
        assert low <= figures[key] <= high, key
    assert reports
