"""The command line: `s2s emit` writes standalone modules, `s2s verify` checks derivatives, `s2s demo` runs the examples."""
from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from s2s.calls.transformations import TABLE
from s2s.codegen.modules.cache import write_atomic
from s2s.codegen.targets import TARGETS
from s2s.errors import S2SError, told

NOTHING = "-"
"""What stands for an option that one of several transformations is not given."""


class UserError(click.ClickException):
    """What the user gave can't be used: the message on stderr, exit code 2, nothing written."""

    exit_code = 2


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="s2s")
def main() -> None:
    """NumPy functions rewritten into their derivatives, as readable Python."""


@main.command(short_help="Write a module with what a transformation makes of FUNCTION.")
@click.argument("function", metavar="FILE.py:FUNCTION")
@click.option("--transform", "transforms", multiple=True, type=click.Choice(list(TABLE)), default=("grad",),
              show_default=True, help="What to emit; repeated: applied one after the other.")  # fmt: skip
@click.option("--argnums", multiple=True, default=("0",), show_default=True, metavar="N[,N…]", help="Arguments to differentiate with respect to.")
@click.option("--has-aux", is_flag=True, help="The function returns (value, aux).")
@click.option("--holomorphic", is_flag=True, help="The function is holomorphic: complex arguments and results, complex derivatives.")
@click.option("--allow-int", is_flag=True, help="Integer arguments may be among --argnums.")
@click.option("--in-axes", multiple=True, default=("0",), show_default=True, metavar="AXES", help="Of vmap: '0', '(0, None)', '({\"w\": None}, 0)'.")
@click.option("--out-axes", multiple=True, default=("0",), show_default=True, metavar="AXES", help="Of vmap.")
@click.option("--axis-name", "axis_names", multiple=True, metavar="NAME", help="Of vmap: what collectives call its axis; - for a vmap without a name.")
@click.option("--axis-size", "axis_sizes", multiple=True, metavar="SIZE", help="Of vmap: how many examples, where arguments don't say; - where they do.")
@click.option("--args", "arguments", default=None, metavar="TYPES", help="Argument types: 'f8[:,:], [(f8[:], float)], {\"w\": f8[:]}'. Default: the annotations.")
@click.option("--target", type=click.Choice(TARGETS), default="cpu", show_default=True, help="Loops for Numba, or NumPy expressions.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), default=None, help="File to write (-: standard output); default: FUNCTION_TRANSFORM.py here.")
@click.option("--stdout", is_flag=True, help="Write to the standard output instead.")
def emit(
    function: str, transforms: tuple[str, ...], argnums: tuple[str, ...], has_aux: bool, holomorphic: bool, allow_int: bool, in_axes: tuple[str, ...],
    out_axes: tuple[str, ...], axis_names: tuple[str, ...], axis_sizes: tuple[str, ...], arguments: str | None, target: str, output: Path | None, stdout: bool,
) -> None:
    """Write a module with the transformed FUNCTION of FILE.py that runs without s2s.

    \b
    s2s emit relax.py:relax --transform grad --args 'f8[:], int'
    """  # noqa: D301 click reads the character
    from s2s.calls.standalone import emit_text

    if output is not None and stdout:
        raise click.UsageError("give -o or --stdout, not both")
    user_function = load_function(function)
    try:
        name, text = emit_text(
            user_function, transforms, argnums=[_argnums(each) for each in argnums], has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int,
            in_axes=[_axes("--in-axes", each) for each in in_axes], out_axes=[_axes("--out-axes", each) for each in out_axes],
            axis_name=[None if each == NOTHING else each for each in axis_names or (NOTHING,)], axis_size=[_axis_size(each) for each in axis_sizes or (NOTHING,)], args=arguments, target=target,
        )
    except Exception as error:
        if not isinstance(error, S2SError | TypeError | ValueError) and not hasattr(error, "read_at"):
            raise
        raise UserError(told(error)) from error  # arguments that don't bind, what Python or NumPy raise for the user's statements
    if stdout or str(output) == "-":
        click.echo(text, nl=False)
        return
    _write(output or Path(f"{name}.py"), text)


def _write(path: Path, text: str) -> None:
    try:
        if not path.parent.is_dir():
            raise UserError(f"no directory {path.parent}")
        write_atomic(path, text, private=False)
    except OSError as error:
        raise UserError(f"can't write {path}: {error.strerror}") from error
    click.echo(f"wrote {path}", err=True)


def _argnums(text: str) -> int | tuple[int, ...]:
    try:
        numbers = tuple(int(part) for part in text.split(",") if part.strip())
    except ValueError:
        numbers = ()
    if not numbers:
        raise UserError(f"can't read --argnums {text!r}: numbers with commas between, for example 0 or 0,2")
    return numbers if "," in text else numbers[0]


def _axes(option: str, text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise UserError(f"can't read {option} {text!r}: an axis, None, or containers of them, for example 0 or '(0, None)'") from None


def _axis_size(text: str) -> int | None:
    if text == NOTHING:
        return None
    try:
        return int(text)
    except ValueError:
        raise UserError(f"can't read --axis-size {text!r}: a number, or {NOTHING}") from None


def load_function(text: str) -> Callable[..., Any]:
    """The function of `path/to/module.py:function`; a method or nested name with dots."""
    file, colon, name = text.rpartition(":")
    if not colon or not file or not name:
        raise UserError(f"can't read {text!r}: path/to/module.py:function is wanted")
    found: Any = _load_module(Path(file))
    for part in name.split("."):
        if not hasattr(found, part):
            raise UserError(f"{file} has no function {name!r}{_did_you_mean(found)}")
        found = getattr(found, part)
    if not callable(found) or isinstance(found, type):
        raise UserError(f"{name} of {file} is not a function but {'a class' if isinstance(found, type) else repr(found)[:60]}")
    return found


def _did_you_mean(module: Any) -> str:
    """The functions of a module, or the methods of one of its classes."""
    home = module.__module__ if isinstance(module, type) else getattr(module, "__name__", "")
    names = [name for name, value in vars(module).items() if callable(value) and not isinstance(value, type) and getattr(value, "__module__", None) == home]
    return f"; there are {', '.join(sorted(names)[:10])}" if names else ""


def _load_module(path: Path) -> ModuleType:
    """Run a user's file as a module under its own name, or that which it has in its package; its folder is where it imports from, and the folder of the package."""
    if not path.is_file():
        raise UserError(f"no file {path}")
    sys.path.insert(0, str(path.resolve().parent))
    try:
        return _imported_from_package(path) if (path.parent / "__init__.py").is_file() else _run(path)
    except UserError:
        raise
    except (Exception, SystemExit) as error:  # whatever the user's file raises is told as it is; a file that ends the process would look like success
        raise UserError(f"{path} can't be imported: {type(error).__name__}: {error}{_line_of(error, path)}") from error


def _imported_from_package(path: Path) -> ModuleType:
    """The module of a package: its `from . import` and those of the package by name find what they do elsewhere."""
    file = path.resolve()
    root, parts = file.parent, [] if file.stem == "__init__" else [file.stem]
    while (root / "__init__.py").is_file():
        root, parts = root.parent, [root.name, *parts]
    sys.path.insert(0, str(root))
    module = importlib.import_module(".".join(parts))
    if getattr(module, "__file__", None) != str(file):
        raise UserError(f"{path} is not the {module.__name__} that is imported here, which is {getattr(module, '__file__', 'another')}")
    return module


def _run(path: Path) -> ModuleType:
    known = sys.modules.get(path.stem)
    name = path.stem if known is None or getattr(known, "__file__", None) == str(path.resolve()) else f"{path.stem}_"
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise UserError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _line_of(error: BaseException, path: Path) -> str:
    """The line of the user's file where it failed, as Python shows it; nothing of a SyntaxError, which says it itself."""
    lines = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path.resolve())]
    return f"\n  at {lines[-1].filename}:{lines[-1].lineno}\n    {lines[-1].line}" if lines else ""


@main.command(short_help="Check derivatives of FUNCTIONs against differences.")
@click.argument("functions", nargs=-1, required=True, metavar="FILE.py:FUNCTION…")
@click.option("--args", "arguments", default=None, metavar="TYPES", help="Argument types as for emit, sizes too: 'f8[3,4], f8[:], 2'. Default: the annotations.")
@click.option("--shapes", default=None, metavar="SHAPES", help="One shape for each array, in order: '(3, 4), (4,)'. Without types: float64 arrays.")
@click.option("--size", type=click.IntRange(min=2), default=4, show_default=True, help="What `:` stands for.")
@click.option("--order", type=click.IntRange(min=1), default=2, show_default=True, help="1: first derivatives; 2: derivatives of those too; …")
@click.option("--modes", default="fwd,rev", show_default=True, metavar="MODES", help="fwd, rev, vmap (a batch against a loop), with commas.")
@click.option("--target", type=click.Choice(TARGETS), default=None, help="Check what is emitted for it, too. Default: programs are interpreted.")
@click.option("--atol", type=float, default=None, help="Allowed absolute difference. Default: 1e-5, 2e-3 for single precision.")
@click.option("--rtol", type=float, default=None, help="Allowed relative difference. Default: as for --atol.")
@click.option("--eps", type=float, default=None, help="The step of plain central differences. Default: extrapolated ones.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random arguments and directions.")
def verify(
    functions: tuple[str, ...], arguments: str | None, shapes: str | None, size: int, order: int, modes: str, target: str | None,
    atol: float | None, rtol: float | None, eps: float | None, seed: int,
) -> None:
    """Check derivatives of FUNCTIONs at random arguments against differences; name the statement that disagrees first.

    \b
    s2s verify relax.py:relax --args 'f8[:], 3'

    Exit code: 0 if all is right, 1 if a derivative is wrong, 2 if a function or its arguments can't be used.
    """  # noqa: D301 click reads the character
    from s2s.verification.checking import BATCHED, MODES, Options, check_modes
    from s2s.verification.verify_command import verify_functions

    loaded = [(text, load_function(text)) for text in functions]
    try:
        options = Options(check_modes([mode.strip() for mode in modes.split(",")], (*MODES, BATCHED)), atol, rtol, eps, target, seed)
        code = verify_functions(loaded, args=arguments, shapes=shapes, size=size, order=order, options=options)
    except Exception as error:
        if not isinstance(error, S2SError | TypeError | ValueError | IndexError | ArithmeticError) and not hasattr(error, "read_at"):
            raise
        raise UserError(told(error)) from error  # the user's own function, called with these arguments
    sys.exit(code)


@main.command(short_help="Run the examples on real data.")
@click.argument("names", nargs=-1, metavar="[EXAMPLE]…")
@click.option("--source/--no-source", default=True, help="Show each function and its emitted gradient.")
def demo(names: tuple[str, ...], source: bool) -> None:
    """Run the examples: real data, a gradient emitted for each, its check and what it learns."""
    from s2s.demo import EXAMPLES, run

    if unknown := sorted(set(names) - set(EXAMPLES)):
        raise UserError(f"no example {', '.join(unknown)}; there are {', '.join(EXAMPLES)}")
    try:
        run(names or EXAMPLES, show_source=source)
    except S2SError as error:
        raise UserError(str(error)) from error


if __name__ == "__main__":
    main(prog_name="s2s")
