"""A name that is None or a list of which only the run knows which one: what is done with it is Python's, value or exception."""
from __future__ import annotations

import importlib.util

import pytest

import s2s

USES = (
    "return best", "return best, x", "return {'a': best}", "return best is None", "return best or [x]", "return isinstance(best, list)", "return isinstance(best, type(None))",
    "return len(best)", "return best[0]", "best[1] = x; return best", "best.append(x); return best", "return sum(best)", "return best + [1.0]", "best += [1.0]; return best",
    "return x in best", "return [v * 2.0 for v in best]", "first, second = best; return first * second", "return max(best)", "return best.pop()", "best[0] += x; return best",
    "return best[::-1]", "del best[0]; return best", "return sorted(best)", "return list(best)", "return tuple(best)", "return bool(best), not best", "return best * 2",
    "return best[-1] if best is not None else x", "return best < [x]",
)  # fmt: skip
TEXT = """
def f(x, n):
    best = None
    for k in range(n):
        if best is None or k * x > best[0]:
            best = [k * x, 1.0]
        best[1] = x
    {use}
"""


def outcome(function, *args):
    try:
        found = function(*args)
    except Exception as error:  # noqa: BLE001 whatever Python raises
        return next(cls for cls in type(error).__mro__ if not cls.__module__.startswith("s2s"))
    return found


@pytest.mark.parametrize(("use", "target"), [*((use, "numpy") for use in USES), *((use, "cpu") for use in USES[::7])])
def test_as_python(use, target, tmp_path) -> None:
    source = tmp_path / "none_or_list.py"
    source.write_text(TEXT.format(use="\n    ".join(use.split("; "))))
    spec = importlib.util.spec_from_file_location("none_or_list", source)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    read = s2s.jit(module.f, target=target)
    for n in (0, 3, 0, 1):
        assert outcome(read, 2.0, n) == outcome(module.f, 2.0, n), n
