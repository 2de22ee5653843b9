"""`logging` in functions that are read: the records of Python's own run, on both targets and in the interpreter."""
from __future__ import annotations

import logging

import numpy as np
import pytest

import s2s
from s2s.errors import UnsupportedError
from s2s.transforms.ir.interpret import interpret

ALONE = logging.Logger("alone")  # noqa: LOG001 - what is refused
LOG = logging.getLogger("tests.logged")
X = np.array([0.5, 1.5, -2.0])


def measured(x, n):
    own = logging.getLogger("tests.logged.own")
    LOG.info("begins")
    total = 0.0
    for k in range(n):
        LOG.debug("trip %d of %s: %.2f%%", k, {"n": "few"}, x[k])
        total += x[k] * x[k]
        if x[k] < 0.0:
            own.warning(f"{{negative}} {x[k]}")
    logging.error("%(name)s is %(value)8.3f", {"name": "total", "value": total})  # noqa: LOG015 - the root logger
    logging.log(logging.CRITICAL, x)  # noqa: LOG015
    LOG.log(logging.WARNING, "100%", stacklevel=2)
    return total


class Model:
    def __init__(self, rate):
        self.rate, self.log = rate, logging.getLogger(__name__ + ".model")

    def of(self, x):
        self.log.error("rate %s", self.rate)
        return self.rate * x


MODEL = Model(2.0)


def _records(caplog, call):
    caplog.clear()
    result = call()
    return result, [(each.name, each.levelno, each.getMessage()) for each in caplog.records if each.name.startswith(("tests", __name__, "root"))]


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_records_are_python_s(caplog, target):
    caplog.set_level(logging.DEBUG, "tests.logged")
    run = s2s.jit(measured, target=target)
    for n in (0, 2, 3):
        run(X, n)
        assert _records(caplog, lambda n=n: run(X, n)) == _records(caplog, lambda n=n: measured(X, n))


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_whether_a_record_is_wanted_is_asked_when_the_function_runs(caplog, target):
    run = s2s.jit(measured, target=target)
    for level in (logging.ERROR, logging.DEBUG, logging.WARNING):
        LOG.setLevel(level)
        assert _records(caplog, lambda: run(X, 3)) == _records(caplog, lambda: measured(X, 3))
    LOG.setLevel(logging.NOTSET)


def test_a_logger_of_an_object(caplog):
    f = lambda x: MODEL.of(x) + 1.0  # noqa: E731
    assert _records(caplog, lambda: s2s.jit(f, target="numpy")(1.5)) == _records(caplog, lambda: f(1.5))


def test_derivatives_and_batches_log_what_the_function_does_once(caplog):
    caplog.set_level(logging.DEBUG, "tests.logged")
    wanted = _records(caplog, lambda: measured(X, 3))[1]
    gradient, found = _records(caplog, lambda: s2s.jit(s2s.grad(measured), target="numpy")(X, 3))
    np.testing.assert_allclose(gradient, 2.0 * X)
    assert found == wanted
    values, found = _records(caplog, lambda: s2s.vmap(measured, in_axes=(0, None))(np.stack((X, X)), 3))
    np.testing.assert_allclose(values, [measured(X, 3)] * 2)
    assert set(found) == set(wanted)
    assert [found.count(each) for each in wanted if "trip" in each[2]] == [2, 2, 2]


def test_the_interpreter_logs(caplog):
    f = lambda x: (LOG.warning("x = %.1f", x), x * 2.0)[1]  # noqa: E731
    program = s2s.jit(f).program(1.5)
    assert _records(caplog, lambda: interpret(program, 1.5)) == ((3.0,), [("tests.logged", logging.WARNING, "x = 1.5")])


@pytest.mark.parametrize(("log", "words"), [
    (lambda x: LOG.exception("failed"), "traceback of an exception"), (lambda x: LOG.error("failed", exc_info=True), "logged with exc_info"),  # noqa: LOG004, LOG014
    (lambda x: LOG.info("x", extra={"a": 1}), "a record that is logged with extra"), (lambda x: LOG.log(15, "x"), "a level that is none of Python's own"), (lambda x: ALONE.error("x"), "a logger that logging.getLogger does not give"),
])  # fmt: skip
def test_what_is_refused(log, words):
    def f(x):
        log(x)
        return x

    with pytest.raises(UnsupportedError, match=words):
        s2s.jit(f, target="numpy")(1.0)


def test_a_jaxpr_has_no_records():
    with pytest.raises(UnsupportedError, match="a record that is logged, in a jaxpr"):
        s2s.make_jaxpr(measured, static_argnums=1)(X, 3)
