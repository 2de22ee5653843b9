"""What holds a run-time value is never evaluated by Python as if it were known: operators, built-ins, methods and library functions
with one at every place and depth give Python's result, raise Python's exception, or are refused at the user's line."""
from __future__ import annotations

import ast
import builtins
import collections
import copy
import importlib.util
import itertools
import json
import math
import operator
import random
import re
import sys
import time
import warnings

import numpy as np
import pytest
from fuzz.bounds import Tally
from reading import check, run, staged

import s2s
from s2s.errors import InternalError, S2SError, UnsupportedError
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.values import View
from s2s.types import FLOAT64, Array, Var

HEAD = """import collections, functools, itertools, math, operator, string
from collections import OrderedDict, Counter, deque, defaultdict
from dataclasses import dataclass
from typing import NamedTuple
import numpy as np


class Pair(NamedTuple):
    a: float
    b: float


class Thing:
    def __init__(self, a):
        self.a = a


"""
NUMBERS = ("x", "k", "u[1]", "k > 1")
DEEP = (
    "u", "(x, 1)", "[k, 2]", "(1, (k, 2))", "[[x], [1.0]]", "{'a': k}", "{1: x, 2: 2.5}", "f'{k}'", "f'w{k}'", "slice(k)", "range(k)", "[u]",
    "Pair(x, 2.0)", "Thing(k)", "(lambda: k)", "zip((k,), (1,))", "{'a': k}.values()", "{1: k}.items()", "functools.partial(max, k)", "(u, 'a')",
    "u.shape", "[*u.shape, k]", "(x, None)", "['a', f'{k}']", "enumerate([k])", "map(abs, (k, -1))",
)  # fmt: skip
KNOWN = (
    "1", "2", "2.5", "'a'", "'w1'", "None", "(1, 2)", "[2, 1]", "{1: 2.0, 2: 3.0}", "{'a': 1}", "{1, 2}", "frozenset([1])", "range(3)", "b'a'", "slice(1)",
    "True", "()", "[]", "'{}'", "'w'", "math.floor", "int", "Thing", "{1: 2}.keys()",
)  # fmt: skip
ANY = (*NUMBERS, *DEEP, *KNOWN)
UNKNOWN = (*NUMBERS, *DEEP)
BINARY = ("+", "-", "*", "//", "%", "**", "@", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or")
UNARY = ("-", "+", "~", "not ", "*")
LEFT_OUT = {"id", "input", "open", "breakpoint", "exit", "quit", "help", "eval", "exec", "compile", "print", "copyright", "credits", "license",
            "globals", "locals", "vars", "__import__", "dir", "hash", "object", "super", "memoryview", "aiter", "anext", "classmethod", "staticmethod",
            "property", "type", "callable", "repr", "ascii", "delattr", "setattr"}  # fmt: skip
BUILTINS = sorted(
    name for name, thing in vars(builtins).items()
    if callable(thing) and name.isidentifier() and name not in LEFT_OUT and not (isinstance(thing, type) and issubclass(thing, BaseException)) and name[0] != "_"
)  # fmt: skip
LIBRARY = [
    *(f"math.{name}" for name in dir(math) if callable(getattr(math, name)) and name[0] != "_"),
    *(f"operator.{name}" for name in dir(operator) if callable(getattr(operator, name)) and name[0] != "_" and name != "call"),
    *(f"itertools.{name}" for name in dir(itertools) if name[0] != "_" and name not in ("count", "cycle")),
    "functools.reduce", "functools.partial", "collections.OrderedDict", "collections.Counter", "collections.deque", "collections.defaultdict",
    "itertools.chain.from_iterable", "dict.fromkeys",
]  # fmt: skip
OWNERS = {
    "list": ("[k, 2]", "[x, k, 1]", "[2, 1]", "[[k], 'a']"), "dict": ("{'a': k}", "{1: x, 2: 2.5}", "{1: 2.0}"), "str": ("f'w{k}'", "'w1'", "'{}-{}'"),
    "tuple": ("(x, k, 1)", "u.shape", "(1, 2)"), "set": ("{1, 2}", "set()"), "frozenset": ("frozenset([1, 2])",), "range": ("range(3)", "range(k)"),
    "slice": ("slice(k)", "slice(1, 3)"), "bytes": ("b'ab'",), "int": ("k", "2"), "float": ("x", "2.5"),
}  # fmt: skip
STATEMENTS = (
    "for i in range(len(u)):\n        if i in {A}: s += 1.0",
    "for i in range(3):\n        if f'w{{i}}' in {A}: s += 1.0",
    "for i in range(k):\n        if f'w{{i}}' == {A}: s += 1.0",
    "q = [0, 1]\n    for n in q:\n        s += n\n        if n < 3: q.append(n + 2)\n        if n in {A}: s += 1.0",
    "d = {{'a': {A}}}\n    for key in d.keys(): s += 1.0 if d[key] == {B} else 2.0",
    "t = {A}\n    t += {B}\n    s = t",
    "t = {A}\n    t |= {B}\n    s = t",
    "t = {A}\n    v = t\n    t *= 2\n    s = (t, v)",
    "t = {A}\n    t[{B}] = 1.0\n    s = t",
    "t = {A}\n    del t[{B}]\n    s = t",
    "if {A}: s = 1.0\n    if not {B}: s += 2.0",
    "a, b = {A}\n    s = [a, b]",
    "s = [i for i in {A} if i != {B}]",
    "s = {{i: 1 for i in {A}}}",
    "s = {{i for i in {A}}}",
    "s = [*{A}, *{B}]",
    "s = '%s-%s' % ({A}, {B})",
    "s = f'{{{A}}}' == f'{{{B}}}'",
    "s = f'{{{A}!r:>9}}'",
    "s = {A} if {B} else 3.0",
    "s = {A}[{B}]",
    "s = {A}[{B}:]",
    "s = {A} < {B} <= 3",
    "s = dict([({A}, 1), ({B}, 2)])",
    "s = max({A}, key=lambda v: v)",
    "s = sorted({A}, key=lambda v: v == {B})",
    "s = list(zip({A}, {B}, strict=True))",
    "s = list(enumerate({A}, {B}))",
    "s = getattr({A}, 'a', {B})",
    "assert {A} != {B}, {A}",
    "for i, v in enumerate({A}): s += v",
)
INTERNAL = re.compile(
    r"View\(|ListRef|DictRef|ObjectRef|SetRef|DictView|\bVar\b|Cell\(|Literal\(|\bIteration\b|RunRange|StandIn|Opaque|Outside|Closure|object at 0x|s2s\.transforms"
)
REFUSALS = (TypeError, ValueError, IndexError, AttributeError)
FAULTY_ARITHMETIC = (ZeroDivisionError, OverflowError)


def expressions(draw):
    """Each a function's body, with the name `s` for its result."""
    for op, turn in itertools.product(BINARY, range(14)):
        pair = [draw(UNKNOWN), draw(ANY)]
        yield f"s = ({pair[turn % 2]}) {op} ({pair[1 - turn % 2]})"
    for op, value in itertools.product(UNARY, UNKNOWN):
        yield f"s = [{op}({value})]"
    for name in (*BUILTINS, *LIBRARY):
        for count in (1, 2, 3):
            args = [draw(UNKNOWN), *(draw(ANY) for _ in range(count - 1))]
            random.Random(len(args)).shuffle(args)
            yield f"s = {name}({', '.join(args)})"
    for kind, owners in OWNERS.items():
        for method in (name for name in dir(getattr(builtins, kind)) if name[0] != "_"):
            for count in (1, 2):
                args = [draw(ANY) for _ in range(count)]
                yield f"t = {draw(owners)}\n    s = [t.{method}({', '.join(args)}), t]"
    for statement in STATEMENTS:
        for _ in range(8):
            yield statement.format(A=draw(ANY), B=draw(ANY))


def module_of(bodies, path):
    path.write_text(HEAD + "\n\n".join(f"def f{n}(x, k, u):\n    s = 0.0\n    {body}\n    return s\n" for n, body in enumerate(bodies)))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic, np.ndarray, range, slice, type)


def comparable(value):
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(comparable, value))
    if isinstance(value, dict):
        return comparable(list(value.values())) and comparable(list(value))
    return isinstance(value, PLAIN) and not (isinstance(value, np.ndarray) and value.dtype == object)


def agree(found, wanted):
    if isinstance(wanted, dict):
        return isinstance(found, dict) and list(found) == list(wanted) and all(agree(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list | tuple):
        return isinstance(found, type(wanted) if type(wanted) in (list, tuple) else tuple) and len(found) == len(wanted) and all(map(agree, found, wanted))
    if isinstance(wanted, set | frozenset):
        return type(found) is type(wanted) and found == wanted
    if isinstance(wanted, slice):
        return isinstance(found, slice) and agree((found.start, found.stop, found.step), (wanted.start, wanted.stop, wanted.step))
    if isinstance(wanted, bool | int | float | complex | np.generic | np.ndarray):
        if isinstance(found, str | list | tuple | dict) or found is None:
            return False
        return np.shape(found) == np.shape(wanted) and np.allclose(found, wanted, rtol=1e-12, atol=1e-12, equal_nan=True)
    return type(found) is type(wanted) and found == wanted


def outcome(function, args):
    """What Python does: (result, None) or (None, its exception)."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*copy.deepcopy(args)), None
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            return None, error


def fault(function, args, tally):
    """What is wrong with how s2s takes a function; None if nothing is."""
    wanted, exception = outcome(function, args)
    if isinstance(exception, FAULTY_ARITHMETIC):
        return None
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found, _ = run(function, *args)
    except InternalError as error:
        return f"internal: {error}"
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told
        text = "\n".join(line for line in str(error).splitlines() if not line.startswith("    "))
        if INTERNAL.search(text):
            return f"an internal name: {type(error).__name__}: {text}"
        if isinstance(error, UnsupportedError):
            own = error.where.file == function.__code__.co_filename and error.where.line >= function.__code__.co_firstlineno
            tally.add("refused", re.sub(r"\b[a-z0-9_]{1,3}\b|'[^']*'|[0-9.]+", "_", error.what))
            return None if own else f"not at the user's line: {error}"
        if type(error) is NotImplementedError and text.startswith("the function returns "):
            tally.add("refused", "a result of one kind on one path and of another one on another: the run says which")
            return None
        if exception is not None and (isinstance(error, type(exception)) or isinstance(error, S2SError) and isinstance(exception, REFUSALS)):
            return None
        if exception is None and not comparable(wanted) and isinstance(error, TypeError | ValueError):
            return None  # an iterator that nobody asks for its items, and that raises when somebody does
        return f"{type(error).__name__}: {error}; Python: {exception!r} {wanted!r:.80}"
    if exception is not None:
        return f"found {found!r:.80}, Python raises {exception!r}"
    if comparable(wanted) and not agree(found, wanted):
        return f"found {found!r:.80}, wanted {wanted!r:.80}"
    return None


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in (1, 2, 3))])
@pytest.mark.parametrize("draw", range(2))
def test_what_holds_a_run_time_value_is_never_taken_for_known(draw, part, tmp_path):
    """A quarter of the programs each, the two draws another one; the others are slow tests."""
    seed = random.Random(20240 + draw)
    bodies = list(dict.fromkeys(expressions(seed.choice)))
    kept = []
    for body in bodies:
        try:
            compile(f"def f(x, k, u):\n    {body}", "<body>", "exec")
        except SyntaxError:
            continue
        kept.append(body)
    kept = kept[(part + 2 * draw) % 4 :: 4]
    module = module_of(kept, tmp_path / f"known_{draw}.py")
    args = ((1.0, 1, np.array([0.5, 1.0, 2.0, -1.0])), (2.5, 2, np.array([2.5, 2.5, 1.0, 1.0])))[draw]
    faults, tally = {}, Tally("knownness")
    for number, body in enumerate(kept):
        found = fault(getattr(module, f"f{number}"), args, tally)
        tally.add("run")
        if found is not None:
            faults[body] = found
    tally.kinds["run"] -= tally.kinds["refused"]
    tally.check()
    assert not faults, f"{len(faults)} of {len(kept)}:\n" + "\n".join(f"{body!r}\n      {found}" for body, found in faults.items())


# ---- what is modelled ------------------------------------------------------------------------------------------------------


def drawn(n=9):
    return np.random.default_rng(n).normal(size=n)


def boundary(u):
    bc = {0: 1.0, 8: 0.5}
    u = np.copy(u)
    for i in range(len(u)):
        if i in bc:
            u[i] = bc[i] * u[i]
    return np.sum(u**2)


def layers(u, x):
    params = {"w0": u[0], "b0": u[1], "w1": u[2], "w2": u[3], "b2": u[4]}
    for i in range(3):
        x = np.tanh(params[f"w{i}"] * x)
        if f"b{i}" in params:
            x = x + params[f"b{i}"]
    return x


def growing_queue(u):
    queue, total = [0], 0.0
    for node in queue:
        total = total + node * u[node]
        if node < 5:
            queue.append(node + 1)
    return total


def selected(u, k):
    items = [u[0], u[1] * 2.0, u[2]]
    return items[k] * (1.0, 2.0, 3.0)[k], {0: u[3], 1: u[4]}.get(k, 7.0), range(2, 8, 2)[k], k in {0, 2}, k in range(0, 9, 2), {0: 2, 1: 5, 2: 6}[k]


def sets_and_dicts(u):
    seen = {1, 2} | {3}
    seen -= {1}
    seen.add(7)
    d = {}
    d.setdefault("a", u[0])
    d.update(b=u[1])
    d |= {"c": 2.0}
    view = d.keys()
    d["z"] = u[2]
    return seen, len(view), view & {"a", "q"}, d.pop("b"), d.popitem(), dict.fromkeys("ab", u[0]), list(d.values()), collections.Counter is not None


def orders(u):
    pairs = [(u[0], 1), (u[1], 2), (u[2], 0)]
    return max(pairs), min(pairs, key=lambda p: p[0] * p[1]), (len(u), u[0]) < (9, 0.5), sum([[u[0]], [u[1]]], []), [u[0], 1] == [u[0], 1]


def counted(shape_of):
    return shape_of.shape.count(9), shape_of.shape.index(9), any(shape_of[k] > 0 for k in range(4)), all([shape_of[0] < 100.0, [1]])


@pytest.mark.parametrize("function", [boundary, growing_queue, sets_and_dicts, orders, counted])
def test_modelled(function):
    for size in (9, 10) if function is not counted else (9,):
        check(function, drawn(size))


@pytest.mark.parametrize("k", [0, 1, 2, -1, -3])
def test_selected_by_a_run_time_number(k):
    if k >= 0:
        check(selected, drawn(), k)
    check(lambda u, k: (u[0], u[1], 2.5)[k], drawn(), k)


LONG = [1.33 + 0.001 * k for k in range(96)]
ROWS = tuple((k, 0.5 * k, k % 3 == 0) for k in range(70))


def from_tables(u, k):
    rows, made = ROWS[k], [u[0] * k for k in range(65)]
    place = 0
    while place < 60 and LONG[place] < LONG[k]:
        place += 1
    return LONG[k], rows, made[k - 1] * rows[1], place


def test_of_many_numbers_by_an_array():
    for k in (3, 60, -2):
        check(from_tables, drawn(), k)
        assert s2s.grad(lambda u, k=k: from_tables(u, k)[2])(drawn())[0] == list(range(65))[k - 1] * ROWS[k][1]
    with pytest.raises(IndexError, match="list index out of range"):
        run(lambda u, k: LONG[k], drawn(), 96)


def sought(u, k):
    """Only the run knows which of many trips over numbers is the last."""
    for row in ROWS:
        if row[1] > u[0] + k:
            found = row[0] * u[1]
            break
    else:
        found = -u[1]
    made, total = [u[0] * j for j in range(65)], 0.0
    for value in made:
        total += value
        if total > 10.0 * k + 20.0:
            return found, total
    return found, -total


def grown_meanwhile(u, k):
    made, total = [u[0] * j for j in range(65)], 0.0
    for value in made:
        if total > k:
            break
        made.append(2.0 * value)
        total += value
    return total, len(made)


def test_trips_over_many_numbers():
    for k in (3, 60, 600, -2):
        check(sought, np.array([1.5, -0.5]), k)
    np.testing.assert_array_equal(s2s.grad(lambda u: sought(u, 3)[0])(np.array([1.5, -0.5])), [0.0, 10.0])
    for k in (3, 60):
        check(grown_meanwhile, np.array([1.5, -0.5]), k)


def test_layers_by_their_names():
    check(layers, drawn(), 0.3)


@pytest.mark.parametrize(
    ("function", "args", "error", "words"),
    [
        (lambda u, k: [u[0], 1.0][k], (drawn(), 2), IndexError, "list index out of range"),
        (lambda u, k: (u[0], 1.0)[k], (drawn(), -3), IndexError, "tuple index out of range"),
        (lambda u, k: {1: u[0], 2: 3.0}[k], (drawn(), 5), KeyError, "5"),
        (lambda u, k: (1, 2).index(k), (drawn(), 5), ValueError, "not in tuple"),
        (lambda u, k: range(3)[k], (drawn(), 5), IndexError, "range object index out of range"),
    ],
)
def test_what_python_raises_is_raised(function, args, error, words):
    with pytest.raises(error, match=re.escape(words)):
        run(function, *args)


def by_unknown_name(u, params=None):
    params = {"w0": 1.0}
    s = 0.0
    for i in range(len(u)):
        if f"w{i}" in params:
            s = s + u[i]
    return s


def test_texts_of_unknown_numbers_are_refused_at_their_line():
    with pytest.raises(UnsupportedError, match="text with run-time values") as caught:
        staged(by_unknown_name, drawn())
    assert caught.value.where.text() == 'if f"w{i}" in params:'


def test_gradients_go_through_what_was_selected():
    u = drawn()
    scale = np.where(np.arange(9) == 0, 1.0, np.where(np.arange(9) == 8, 0.5, 1.0))
    np.testing.assert_allclose(s2s.grad(boundary)(u), 2 * scale**2 * u)


def test_stand_ins_refuse_python():
    var = Var("x", Array(FLOAT64))
    for use in (float, len, iter, abs, operator.index, lambda v: v < 1, lambda v: v + 1, lambda v: 1 in v, math.sin, np.asarray):
        with pytest.raises(InternalError):
            use(var)
    for thing in (View(None), Value(None, var)):
        for use in (bool, hash, len, iter, float, lambda v: v == 1, lambda v: v != 2, lambda v: v in (1, 2), np.asarray):
            with pytest.raises(InternalError):
                use(thing)


@pytest.mark.parametrize(
    "text",
    [
        "np.load(PATH)", "np.loadtxt(PATH)", "np.fromfile(PATH)", "np.genfromtxt(PATH)", "np.memmap(PATH)", "np.seterr(all='raise')", "np.geterr()['over']", "np.get_printoptions()['precision']",
        "datetime.datetime.now().year", "datetime.date.today().day", "float(os.environ.get('HOME_OF_NUMBERS', 3))", "float(os.environ['HOME_OF_NUMBERS'])", "os.getenv('HOME_OF_NUMBERS')", "len(TABLE)",
    ],
)  # fmt: skip
def test_what_may_be_another_tomorrow_is_refused(text, tmp_path, monkeypatch) -> None:
    """Nothing that the reading computed may stand in the program where the next call would find something else."""
    monkeypatch.setenv("HOME_OF_NUMBERS", "2")
    np.arange(3.0).tofile(tmp_path / "numbers")
    source = tmp_path / "tomorrow.py"
    source.write_text(f"""
import collections.abc, datetime, os
import numpy as np
PATH = {str(tmp_path / "numbers")!r}

class Table(collections.abc.Mapping):
    items_of = [1.0]
    def __getitem__(self, key):
        return self.items_of[key]
    def __iter__(self):
        return iter(self.items_of)
    def __len__(self):
        return int(open(PATH).read() == "")

TABLE = Table()

def f(x):
    return x * {text}
""")
    spec = importlib.util.spec_from_file_location("tomorrow", source)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises((UnsupportedError, s2s.errors.SourceError)):
        s2s.jit(module.f, target="numpy")(2.0)


@pytest.mark.parametrize("write", [np.savetxt, np.save, np.savez, np.savez_compressed])
def test_no_file_is_written_by_the_reading(write, tmp_path) -> None:
    """A function is read once and called often: what it writes each time is refused, also where all that it writes is known."""
    path = str(tmp_path / "numbers")

    def f(x):
        write(path, [1.0, 2.0])
        return x

    with pytest.raises(UnsupportedError, match="is not supported"):
        s2s.jit(f, target="numpy")(2.0)
    assert not list(tmp_path.iterdir())


class _Timed:
    def __init__(self, factor, show=False):
        self.factor, self.show, self.made = factor, show, time.time()

    def __call__(self, x):
        start = time.perf_counter()
        for _ in range(2):
            start = time.monotonic()
            x = x * self.factor
        if self.show:
            print(time.time() - start, self.made)  # noqa: T201
        return x


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_the_time_may_be_kept(target) -> None:
    """As programs do that print how long they took where they are asked to."""
    timed = s2s.jit(lambda x: _Timed(3.0)(x), target=target)
    assert timed(2.0) == 18.0 and s2s.grad(timed)(2.0) == 9.0


@pytest.mark.parametrize("function", [lambda x: _Timed(3.0, show=True)(x), lambda x: x * time.time(), lambda x: (x, time.time()), lambda x: x if time.time() > 0 else -x, lambda x: x + _Timed(x).made])
def test_the_time_is_not_used(function) -> None:
    with pytest.raises(UnsupportedError, match=r"what time\.(time|monotonic) gives") as caught:
        s2s.jit(function, target="numpy")(2.0)
    assert caught.value.instead == "the clock around the call" and caught.value.where is not None


def test_texts_that_are_known_are_taken_for_what_they_say() -> None:
    def f(x):
        return x * json.loads('{"a": [1, 2.5]}')["a"][1] + ast.literal_eval("(1, 2)")[1], json.dumps({"b": 1})

    assert s2s.jit(f, target="numpy")(2.0) == f(2.0)
