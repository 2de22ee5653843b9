"""The pipeline: every step has a name and can be looked at, and what a step makes is checked."""
import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from nodes import Function

import s2s
from s2s.codegen.emit import emit_kernels, prepared
from s2s.codegen.language.expressions import Length, Load, Name, Number
from s2s.codegen.language.statements import Alloc, Assign, Loop, Store
from s2s.codegen.lowering.checks import check_statements
from s2s.codegen.lowering.lowered import Module
from s2s.codegen.pipeline import PIPELINES, Pass
from s2s.errors import InternalError
from s2s.transforms.primitives.elementwise import exp
from s2s.transforms.primitives.operators import new_builder
from s2s.types import FLOAT64, Array, Var


def smooth(u, steps):
    for _ in range(steps):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i - 1] + u[i + 1])
    return np.sum(np.exp(u))


ARGS = np.arange(5.0), 2


@pytest.mark.parametrize("target", PIPELINES)
def test_every_step_is_shown_in_order(target):
    pipeline = PIPELINES[target]
    function = s2s.grad(s2s.jit(smooth, target=target))
    steps = function.stages(*ARGS)
    shown = list(steps)
    rewrites = [step.name for step in pipeline.rewrites]
    assert shown[:2] == ["read", "grad"]
    assert shown[2 : 2 + len(rewrites)] == rewrites
    assert shown[-1] == "module"
    passes = [name.rpartition(" (")[0] for name in shown[2 + len(rewrites) : -1] if name.endswith("(_smooth_grad)")]
    assert passes == ["lowered", *(step.name for step in pipeline.passes)]
    assert steps["module"].startswith(function.source(*ARGS).rstrip()[:200])
    assert "exp" in steps["read"]


@pytest.mark.parametrize("target", PIPELINES)
def test_the_program_is_what_is_lowered(target):
    function = s2s.grad(s2s.jit(smooth, target=target))
    last = [text for name, text in function.stages(*ARGS).items() if name in {step.name for step in PIPELINES[target].rewrites}][-1]
    names = str.maketrans("0123456789", "#" * 10)
    assert str(function.program(*ARGS)).translate(names) == last.translate(names)


def test_nested_transformations_are_steps_of_their_own():
    assert list(s2s.grad(s2s.grad(lambda x: x**3)).stages(2.0))[:3] == ["read", "grad", "grad, 2"]


def lowered_exp():
    x = Var("x", Array(FLOAT64, (Var("n", Array(np.dtype(np.int64), (), weak=True)),)))
    builder = new_builder()
    (y,) = builder.equation(exp, (x,))
    return Function("f", (x,), builder.block(y))


def wrong(kernel):
    n = Length("x", 0)
    return {
        "is read, and nothing above": (Store("x", (Name("nowhere"),), Number(0.0)),),
        "nowhere is used": (Store("nowhere", (Number(0),), Number(0.0)),),
        "has 1 axes, and is indexed along 2": (Assign(("z",), (Load("x", (Number(0), Number(0))),)),),
        "has no axis 1": (Alloc("z", (Length("x", 1),), FLOAT64),),
        "z is allocated with 2 axes": (Alloc("z", (n,), FLOAT64), Alloc("z", (n, n), FLOAT64)),
        "later is read": (Loop("i", Number(0), n, Number(1), (Store("x", (Name("i"),), Name("later")), Assign(("later",), (Number(1.0),)))),),
        "is returned": (),
    }


@pytest.fixture
def kernel():
    made = []
    pipeline = PIPELINES["cpu"]
    watch = Pass("kept", lambda kernel: made.append(kernel) or kernel)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PIPELINES, "cpu", dataclasses.replace(pipeline, passes=(*pipeline.passes, watch)))
        emit_kernels(prepared(lowered_exp(), "cpu"), name="_f", target="cpu")
    return made[0]


@pytest.mark.parametrize("fault", wrong(None))
def test_the_checker_finds(fault, kernel):
    broken = kernel.with_body(wrong(kernel)[fault])
    if fault == "is returned":
        broken = dataclasses.replace(broken, results=(Name("nowhere"),))
    with pytest.raises(InternalError, match=fault) as caught:
        check_statements(broken, Module(), "a pass")
    assert "after 'a pass'" in str(caught.value)


def test_the_checker_finds_nothing_in_what_is_right(kernel):
    check_statements(kernel, Module(), "all")


def test_a_pass_that_breaks_a_kernel_is_named(monkeypatch):
    pipeline = PIPELINES["cpu"]
    broken = Pass("breaking", lambda kernel: kernel.with_body((Assign(("z",), (Name("nowhere"),)),)))
    monkeypatch.setitem(PIPELINES, "cpu", dataclasses.replace(pipeline, passes=(*pipeline.passes[:3], broken, *pipeline.passes[3:])))
    with pytest.raises(InternalError, match="after 'breaking'"):
        emit_kernels(prepared(lowered_exp(), "cpu"), name="_f", target="cpu")


SAME = """
import numpy as np, s2s
from programs import CASES
for case in CASES[200:212]:
    print(s2s.jit(case.fun, static_argnums=case.static).source(*case.make(np.random.default_rng(0))))
"""


def test_the_same_input_gives_the_same_bytes_in_every_process():
    """Whatever the hashes of texts and the addresses of objects are."""
    root = Path(__file__).resolve().parent
    texts = {
        subprocess.run(
            [sys.executable, "-c", f"kept = [object() for _ in range({junk})]\n{SAME}"], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": str(junk), "PYTHONPATH": os.pathsep.join([str(root), str(root.parent), os.environ.get("PYTHONPATH", "")])},
        ).stdout
        for junk in (0, 1001)
    }
    assert len(texts) == 1
    assert "def append_runtime_jit" in texts.pop()
