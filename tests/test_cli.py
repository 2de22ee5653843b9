"""The command line: what it writes runs without s2s and gives the API's numbers; bad input is told and nothing is written."""
from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import s2s
from s2s.cli import main

SOURCE = '''
from typing import NamedTuple
import numpy as np


class Layer(NamedTuple):
    weights: object
    bias: object


def loss(params, x):
    """Sum of squares."""
    return np.sum((params["w"] * x + params["b"]) ** 2)


def annotated(w: "f8[:]", x: "f8[:]", scale: float = 2.0):
    return np.sum(w * x) * scale


def layered(layers, x):
    for layer in layers:
        x = np.tanh(layer.weights @ x + layer.bias)
    return np.sum(x)


def relax(u, sweeps):
    for t in range(sweeps):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i - 1] + u[i + 1])
    return np.sum(u * u)


def vector(x):
    return x * x


def double(x):
    return x + x


def pair(x, n):
    return np.sum(x) * n, {"n": n}


def unsupported(x):
    with open("file") as file:
        return x


NUMBER = 3
'''


@pytest.fixture(scope="module")
def user_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("user") / "cli_user_module.py"
    path.write_text(SOURCE)
    return path


def emit(path: Path, *arguments: str) -> str:
    result = CliRunner().invoke(main, ["emit", str(path) + arguments[0], *arguments[1:], "--stdout"])
    assert result.exit_code == 0, result.output
    return result.stdout


def load(text: str, tmp_path: Path, path: Path) -> Any:
    """The emitted text as a module; it imports nothing of s2s."""
    modules = {node.module if isinstance(node, ast.ImportFrom) else node.names[0].name for node in ast.walk(ast.parse(text))
               if isinstance(node, ast.Import | ast.ImportFrom)}  # fmt: skip
    assert modules <= {"numpy", "numba", "math", "operator", "scipy", path.stem, "llvmlite", "llvmlite.binding", "numba.core", "numba.extending"}
    file = tmp_path / "emitted.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location(f"emitted_{tmp_path.name}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_gradient_with_a_dictionary(user_file: Path, tmp_path: Path, target: str) -> None:
    text = emit(user_file, ":loss", "--transform", "value_and_grad", "--args", "{'w': f8[:], 'b': float}, f8[:]", "--target", target)
    module = load(text, tmp_path, user_file)
    params, x = {"w": np.arange(3.0), "b": 0.5}, np.array([1.0, 2.0, 4.0])
    value, got = module.loss_value_and_grad(params, x)
    residual = params["w"] * x + params["b"]
    np.testing.assert_allclose(value, np.sum(residual**2))
    np.testing.assert_allclose(got["w"], 2 * residual * x)
    np.testing.assert_allclose(got["b"], np.sum(2 * residual))
    assert f"s2s emit {user_file.name}:loss --transform value_and_grad --args" in text
    assert str(user_file.parent) not in text
    with pytest.raises(TypeError, match="x must be an array of float64 with 1 dimensions"):
        module.loss_value_and_grad(params, np.ones((2, 2)))


def test_the_header_makes_the_file_again(user_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shlex

    text = emit(user_file, ":loss", "--args", "{'w': f8[:], 'b': float}, f8[:]")
    command = shlex.split(text.split("\n")[1].removeprefix("#"))
    monkeypatch.chdir(user_file.parent)
    result = CliRunner().invoke(main, [*command[1:], "-o", str(tmp_path / "again.py")])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "again.py").read_text() == text


def test_annotations(user_file: Path, tmp_path: Path) -> None:
    module = load(emit(user_file, ":annotated", "--argnums", "0,1", "--target", "numpy"), tmp_path, user_file)
    w_bar, x_bar = module.annotated_grad(np.ones(2), np.arange(2.0), 3.0)
    np.testing.assert_allclose(w_bar, 3.0 * np.arange(2.0))
    np.testing.assert_allclose(x_bar, 3.0 * np.ones(2))


def test_classes_are_imported(user_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    types = "[Layer(f8[:,:], f8[:]), Layer(f8[:,:], f8[:])], f8[:]"
    text = emit(user_file, ":layered", "--args", types, "--target", "numpy")
    monkeypatch.syspath_prepend(str(user_file.parent))
    module = load(text, tmp_path, user_file)
    user = sys.modules[user_file.stem]
    rng = np.random.default_rng(0)
    layers, x = [user.Layer(rng.random((3, 2)), rng.random(3)), user.Layer(rng.random((4, 3)), rng.random(4))], rng.random(2)
    got, want = module.layered_grad(layers, x), s2s.grad(s2s.jit(user.layered, target="numpy"))(layers, x)
    assert type(got[0]).__name__ == "Layer"
    for a, b in zip(s2s.tree_util.tree_leaves(list(map(tuple, got))), s2s.tree_util.tree_leaves(list(map(tuple, want))), strict=True):
        np.testing.assert_allclose(a, b)


def test_mutation(user_file: Path, tmp_path: Path) -> None:
    module = load(emit(user_file, ":relax", "--transform", "jit", "--args", "f8[:], int"), tmp_path, user_file)
    u = np.array([0.0, 1.0, 0.0, 5.0])
    module.relax_jit(u, 1)
    np.testing.assert_allclose(u, [0.0, 0.0, 2.5, 5.0])
    with pytest.raises(TypeError):
        module.relax_jit(u, 1.5)
    module = load(emit(user_file, ":relax", "--args", "f8[:], int"), tmp_path, user_file)
    kept = u.copy()
    module.relax_grad(u, 1)
    np.testing.assert_array_equal(u, kept)


def test_jvp_and_vjp(user_file: Path, tmp_path: Path) -> None:
    module = load(emit(user_file, ":vector", "--transform", "jvp", "--args", "f8[:]", "--target", "numpy"), tmp_path, user_file)
    out, out_dot = module.vector_jvp(np.arange(3.0), np.ones(3))
    np.testing.assert_allclose((out, out_dot), ([0.0, 1.0, 4.0], [0.0, 2.0, 4.0]))
    module = load(emit(user_file, ":vector", "--transform", "vjp", "--args", "f8[:]"), tmp_path, user_file)
    out, pullback = module.vector_vjp(np.arange(3.0))
    np.testing.assert_allclose(out, [0.0, 1.0, 4.0])
    for scale in (1.0, 2.0):
        (x_bar,) = pullback(np.full(3, scale))
        np.testing.assert_allclose(x_bar, 2 * scale * np.arange(3.0))


def test_jacobians_and_linear_parts(user_file: Path, tmp_path: Path) -> None:
    x = np.arange(3.0)
    for name in ("jacfwd", "jacrev"):
        module = load(emit(user_file, ":vector", "--transform", name, "--args", "f8[:]", "--target", "numpy"), tmp_path, user_file)
        np.testing.assert_allclose(getattr(module, f"vector_{name}")(x), np.diag(2 * x))
    text = emit(user_file, ":loss", "--transform", "hessian", "--args", "{'w': f8[:], 'b': float}, f8[:]", "--target", "numpy")
    assert f"s2s emit {user_file.name}:loss --transform hessian --args" in text
    module = load(emit(user_file, ":vector", "--transform", "linearize", "--args", "f8[:]", "--target", "numpy"), tmp_path, user_file)
    out, f_jvp = module.vector_linearize(x)
    np.testing.assert_allclose((out, f_jvp(np.ones(3)), f_jvp(x)), (x**2, 2 * x, 2 * x**2))
    text = emit(user_file, ":double", "--transform", "linear_transpose", "--args", "f8[:]", "--target", "numpy")
    assert f"s2s emit {user_file.name}:double --transform linear_transpose --args 'f8[:]'" in text
    module = load(text, tmp_path, user_file)
    np.testing.assert_allclose(module.double_linear_transpose((3,), x)[0], 2 * x)


def test_has_aux_and_nested(user_file: Path, tmp_path: Path) -> None:
    module = load(emit(user_file, ":pair", "--has-aux", "--args", "f8[:], int", "--target", "numpy"), tmp_path, user_file)
    x_bar, aux = module.pair_grad(np.ones(2), 3)
    np.testing.assert_allclose(x_bar, [3.0, 3.0])
    assert aux == {"n": 3}
    text = emit(user_file, ":annotated", "--transform", "grad", "--transform", "jvp", "--args", "f8[:], f8[:], float", "--target", "numpy")
    module = load(text, tmp_path, user_file)
    _, w_bar_dot = module.annotated_grad_jvp(np.ones(2), np.ones(2), 2.0, np.zeros(2), np.ones(2), 0.0)
    np.testing.assert_allclose(w_bar_dot, 2 * np.ones(2))


def test_holomorphic_integers_and_one_argument_in_a_tuple(user_file: Path, tmp_path: Path) -> None:
    text = emit(user_file, ":double", "--holomorphic", "--args", "complex", "--transform", "jacrev", "--target", "numpy")
    assert "--transform jacrev --holomorphic --args complex" in text
    assert load(text, tmp_path, user_file).double_jacrev(1j) == 2.0 + 0j
    text = emit(user_file, ":pair", "--has-aux", "--allow-int", "--argnums", "1,", "--args", "f8[:], int", "--target", "numpy")
    assert "--argnums 1, --has-aux --allow-int" in text
    (n_bar,), aux = load(text, tmp_path, user_file).pair_grad(np.ones(2), 3)
    assert n_bar.dtype == s2s.float0
    assert "(float0,)" in text


def test_default_file_name(user_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["emit", f"{user_file}:annotated", "--target", "numpy"])
    assert result.exit_code == 0, result.output
    assert "def annotated_grad(" in (tmp_path / "annotated_grad.py").read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["annotated_grad.py"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.py:f"], "no file missing.py"),
        (["{user}"], "path/to/module.py:function"),
        (["{user}:nothing", "--args", "f8"], "no function 'nothing'"),
        (["{user}:NUMBER", "--args", "f8"], "not a function but 3"),
        (["{user}:Layer", "--args", "f8"], "not a function but a class"),
        (["{user}:vector", "--args", "f8["], "can't read the argument types"),
        (["{user}:vector", "--args", "q8[:]"], "unknown type 'q8'"),
        (["{user}:vector", "--args", "f8[:2]"], "can't read the size"),
        (["{user}:vector", "--args", "f8[:] + 1"], "can't read"),
        (["{user}:vector", "--args", "f8, f8"], "too many positional arguments"),
        (["{user}:vector"], "no type for the argument x"),
        (["{user}:vector", "--args", "f8[:]"], "scalar-output functions"),
        (["{user}:vector", "--args", "int"], "real- or complex-valued inputs"),
        (["{user}:vector", "--args", "f8", "--argnums", "a"], "can't read --argnums"),
        (["{user}:vector", "--args", "f8", "--argnums", "1"], "at least 2 positional"),
        (["{user}:unsupported", "--args", "f8"], "open is not supported"),
        (["{user}:vector", "--args", "f8", "--transform", "vmap"], "vmap"),
        (["{user}:vector", "--args", "f8", "-o", "no/such/folder/f.py"], "no directory"),
        (["{user}:vector", "--args", "f8", "-o", "f.py", "--stdout"], "not both"),
    ],
)
def test_bad_input(user_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["emit", *(argument.replace("{user}", str(user_file)) for argument in arguments)])
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert list(tmp_path.iterdir()) == []


FAILING = {
    "return no_such_name * x": ("NameError: name 'no_such_name' is not defined", "no_such_name"),
    "return x.no_such_method()": ("AttributeError: 'numpy.ndarray' object has no attribute 'no_such_method'", "x.no_such_method"),
    "return np.linalg.no_such_function(x)": ("AttributeError: module 'numpy.linalg' has no attribute 'no_such_function'", "np.linalg.no_such_function"),
    "return [1, 2][5] * x": ("IndexError: list index out of range", "[1, 2][5]"),
    "return {'a': 1}['b'] * x": ("KeyError: 'b'", "{'a': 1}['b']"),
    "return 1 // 0 * x": ("ZeroDivisionError: integer division or modulo by zero", "1 // 0"),
    "return int('a') * x": ("ValueError: invalid literal for int() with base 10: 'a'", "int('a')"),
    "assert False, 'never'": ("AssertionError: never", "assert False, 'never'"),
    "a, b = (1, 2, 3)": ("ValueError: too many values to unpack (expected 2)", "a, b = (1, 2, 3)"),
}
"""Statements that raise whatever x is: what the command line says of them, and the part of the line under which it draws carets."""


@pytest.mark.parametrize("statement", FAILING)
@pytest.mark.parametrize("command", ["emit", "verify"])
def test_what_python_raises_for_any_call_is_told_at_its_line(tmp_path: Path, command: str, statement: str) -> None:
    (file := tmp_path / "failing_user_module.py").write_text(f"import numpy as np\n\n\ndef f(x):\n    {statement}\n")
    result = CliRunner().invoke(main, [command, f"{file}:f", "--args", "f8[3]"])
    assert result.exit_code == 2, result.output
    words, place = FAILING[statement]
    assert words in result.stderr
    if command == "emit":  # verify runs the function itself first
        assert f"{file}:5:{5 + statement.index(place)}\n        {statement}\n        {' ' * statement.index(place)}{'^' * len(place)}\n" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_module_that_fails(tmp_path: Path) -> None:
    (tmp_path / "broken_user_module.py").write_text("x = 1 / 0\n")
    result = CliRunner().invoke(main, ["emit", f"{tmp_path}/broken_user_module.py:f"])
    assert result.exit_code == 2
    assert f"ZeroDivisionError: division by zero\n  at {(tmp_path / 'broken_user_module.py').resolve()}:1\n    x = 1 / 0\n" in result.stderr


def test_a_module_of_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its relative imports, and those of its package by name, are those that it has elsewhere."""
    monkeypatch.setattr(sys, "path", sys.path.copy())
    inner = tmp_path / "package_of_a_user" / "inner"
    inner.mkdir(parents=True)
    for folder in (inner.parent, inner):
        (folder / "__init__.py").touch()
    (inner.parent / "scales.py").write_text("G = 2\n\n\ndef scaled(x):\n    return x * G\n")
    (inner / "beside.py").write_text("SHIFT = 3\n")
    (inner / "model.py").write_text("from beside import SHIFT\nfrom package_of_a_user.scales import G\n\nfrom ..scales import scaled\n\n\ndef f(x):\n    return scaled(x) ** G + SHIFT\n")
    result = CliRunner().invoke(main, ["emit", f"{inner}/model.py:f", "--args", "float", "--target", "numpy", "--stdout"])
    assert result.exit_code == 0, result.output
    names: dict[str, Any] = {}
    exec(result.stdout, names)
    assert names["f_grad"](1.5) == 12.0


def test_a_module_of_a_package_that_is_another_one_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", sys.path.copy())  # other processes of this one would find no json
    folder = tmp_path / "json"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "decoder.py").write_text("def f(x):\n    return x\n")
    result = CliRunner().invoke(main, ["emit", f"{folder}/decoder.py:f", "--args", "float"])
    assert result.exit_code == 2
    assert "decoder.py is not the json.decoder that is imported here, which is " in result.stderr


@pytest.mark.parametrize("command", ["emit", "verify"])
def test_a_module_that_ends_the_process_is_no_success(tmp_path: Path, command: str) -> None:
    (tmp_path / "ending_user_module.py").write_text("import sys\nsys.exit(0)\n")
    result = CliRunner().invoke(main, [command, f"{tmp_path}/ending_user_module.py:f"])
    assert result.exit_code == 2
    assert "can't be imported: SystemExit: 0" in result.stderr
    assert "ending_user_module.py:2\n    sys.exit(0)" in result.stderr


@pytest.mark.parametrize("module", ["s2s", "s2s.cli"])
def test_python_m_s2s(module: str) -> None:
    result = subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True, text=True, check=True)
    assert "s2s, version" in result.stdout


def test_demo() -> None:
    result = CliRunner().invoke(main, ["demo", "iris"])
    assert result.exit_code == 0, result.output
    assert "iris.py, loss: what you write" in result.output
    assert "def loss_value_and_grad(params, x, species):" in result.output
    assert "0.1442" in result.output
    result = CliRunner().invoke(main, ["demo", "nothing"])
    assert result.exit_code == 2
    assert "no example nothing" in result.stderr


VERIFIED = """
import numpy as np
import s2s


@s2s.custom_jvp
def cube(x):
    return x**3


@cube.defjvp
def cube_jvp(primals, tangents):
    return cube(primals[0]), 2.0 * primals[0] ** 2 * tangents[0]


def right(w: "f8[:]", x: "f8[:,:]"):
    return np.log(x @ w)


def relax(u, n):
    for _ in range(n):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * np.sin(u[i - 1]) + u[i + 1] * u[i]
    return np.sum(u)


def wrong(x: "f8[:]"):
    y = np.sin(x)
    return np.sum(cube(y))
"""


@pytest.fixture(scope="module")
def verified_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("verified") / "verified_user_module.py"
    path.write_text(VERIFIED)
    return path


def verify(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["verify", *arguments])


def test_verify(verified_file: Path) -> None:
    result = verify(f"{verified_file}:right", f"{verified_file}:relax", "--args", "f8[3], f8[2,3]", "--order", "1")
    assert result.exit_code == 2  # relax takes an int
    result = verify(f"{verified_file}:right")
    assert result.exit_code == 0, result.output
    assert "positive" in result.output  # the logarithm of negative numbers is not finite
    for check in ("value of right", "jvp of right", "vjp of right", "jvp = vjp of right", "vjp of jvp of right", "vjp of vjp of right"):
        assert check in result.output
    result = verify(f"{verified_file}:relax", "--args", "f8[:], 3", "--size", "5", "--order", "1", "--modes", "rev", "--target", "numpy", "--seed", "3")
    assert result.exit_code == 0, result.output
    assert "seed 3, float64[5], 3" in result.output
    assert "emitted vjp of relax (numpy)" in result.output
    assert "jvp = vjp" not in result.output
    result = verify(f"{verified_file}:right", "--shapes", "(3,), (2, 3)", "--order", "1")
    assert result.exit_code == 0, result.output


def test_verify_names_the_statement(verified_file: Path) -> None:
    result = verify(f"{verified_file}:wrong", f"{verified_file}:right", "--order", "1")
    assert result.exit_code == 1, result.output
    line = VERIFIED.split("\n").index("    return np.sum(cube(y))") + 1
    assert f"verified_user_module.py:{line}:19" in result.output
    assert "this statement disagrees first: the rule given for cube is not the derivative of cube" in result.output
    assert "1 of 2 functions verified" in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.py:f"], "no file missing.py"),
        (["{user}:relax"], "no type for the argument u"),
        (["{user}:relax", "--shapes", "(3"], "can't read the shapes"),
        (["{user}:right", "--shapes", "(3,)"], "1 shapes for 2 arrays"),
        (["{user}:right", "--shapes", "(3,), (3,)"], "the shape (3,) for an array with 2 axes"),
        (["{user}:right", "--args", "f8[3], f8[2,2]"], "ValueError"),
        (["{user}:right", "--modes", "forward"], "modes must be among"),
        (["{user}:right", "--order", "0"], "--order"),
        (["{user}:relax", "--args", "float, int"], "has no len()"),
        ([], "FILE.py:FUNCTION"),
    ],
)
def test_verify_bad_input(verified_file: Path, arguments: list[str], message: str) -> None:
    result = verify(*(argument.replace("{user}", str(verified_file)) for argument in arguments))
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert "Traceback" not in result.stderr


NAMES = """
import numpy as np


def f(x, x_dot, y_bar, out_bar, z_f, tangent_p):
    return np.sum(x * x_dot) * y_bar + out_bar * z_f * tangent_p
"""


@pytest.mark.parametrize("transform", ["jit", "grad", "jvp", "vjp", "linearize"])
def test_parameters_named_like_derivatives_are_parameters(transform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command that a module prints makes the same module again, whatever the user's names are."""
    import shlex

    (tmp_path / "named.py").write_text(NAMES)
    monkeypatch.chdir(tmp_path)
    types = "f8[:], f8[:], float, float, float, float"
    first = CliRunner().invoke(main, ["emit", "named.py:f", "--transform", transform, "--args", types, "--target", "numpy", "--stdout"])
    assert first.exit_code == 0, first.output
    (command,) = [line for line in first.output.split("\n") if line.startswith("#   s2s emit")]
    words = shlex.split(command.removeprefix("#   "))[1:]
    assert words[words.index("--args") + 1] == types
    assert "f(x, x_dot, y_bar, out_bar, z_f, tangent_p)" in first.output.split('"""')[1]
    again = CliRunner().invoke(main, [*words, "--stdout"])
    assert again.output == first.output


def test_a_static_number_of_numpys_is_written_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "static_module.py"
    path.write_text("import numpy as np\ndef differences(x, n):\n    return np.diff(x, n)\n")
    text = emit(path, ":differences", "--transform", "jit", "--args", "f8[:], np.int64(1)", "--target", "numpy")
    assert "--args 'f8[:], np.int64(1)'" in text
    module = load(text, tmp_path, path)
    np.testing.assert_array_equal(module.differences_jit(np.array([1.0, 3.0, 7.0]), np.int64(1)), [2.0, 4.0])
    with pytest.raises(ValueError, match="made for n=np.int64"):
        module.differences_jit(np.array([1.0, 3.0, 7.0]), 2)
