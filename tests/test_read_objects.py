"""Objects of the user's classes, enums and identity: what Python gives, or a refusal at the user's line; nothing else."""
from __future__ import annotations

import copy
import dataclasses
import enum
import inspect
import warnings
from collections import namedtuple

import numpy as np
import object_programs
import outcomes
import pytest

import s2s
from s2s.errors import S2SError, UnsupportedError

ARGUMENTS = ((1.5, np.array([1.0, 2.0, 3.0]), 2), (-0.5, np.array([-1.0, 2.0, 3.0]), 5))
PROGRAMS = [value for value in vars(object_programs).values() if inspect.isfunction(value) and list(inspect.signature(value).parameters) == ["x", "a", "n"]]
REFUSED = {
    "of_any_rt",
    "of_getall", "of_is_elem", "of_is_list", "of_is_npbool", "of_is_view2", "of_is_view4", "of_is_view5",
    "of_v_arr_right", "of_v_np_right",
}  # fmt: skip
"""Programs that s2s does not read; the others must be right."""


def outcome(function, args):
    """What a call gives, or raises, and its arguments afterwards."""
    mine = copy.deepcopy(args)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*mine), mine
    except UnsupportedError:
        raise
    except Exception as error:  # noqa: BLE001 whatever Python raises, s2s must raise it too
        kinds = [cls for cls in type(error).__mro__ if not issubclass(cls, S2SError)]
        return kinds[0], getattr(error, "what", str(error))


def same(found, wanted):
    if type(found) is not type(wanted):
        return False
    if isinstance(wanted, list | tuple):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    if type(wanted).__module__ == "object_programs" and hasattr(wanted, "__dict__"):
        return same(list(vars(found).items()), list(vars(wanted).items())) if not isinstance(wanted, object_programs.enum.Enum) else found is wanted
    return np.array_equal(found, wanted) if isinstance(wanted, np.ndarray) else found == wanted


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_right_or_refused(program):
    for args in ARGUMENTS:
        run = s2s.jit(program, target="numpy")
        if program.__name__ in REFUSED:
            with pytest.raises(UnsupportedError) as caught:
                run(*copy.deepcopy(args))
            assert caught.value.where.line
            for name in ("ObjectRef", "ListRef", "Var", "View", "Outside", "Closure", "Literal"):
                assert name not in str(caught.value)
        else:
            found, wanted = outcome(run, args), outcome(program, args)
            assert same(found, wanted), (found, wanted)


LEVEL = object_programs.Level.LOW
COLOR = object_programs.Color.RED


def weighed(x, kind=object_programs.Color.GREEN, *, level=object_programs.Level.LOW):
    return x * kind.value + level if kind is not object_programs.Color.RED else -x


def of_global(x):
    return x * COLOR.value + LEVEL


def of_containers(kinds, x):
    return x * kinds["first"].value if kinds["all"][1] == object_programs.Color.BLUE else x


def test_enums_as_arguments(monkeypatch):
    color, level = object_programs.Color, object_programs.Level
    run, gradient = s2s.jit(weighed, target="numpy"), s2s.grad(s2s.jit(weighed, target="numpy"))
    for kind in (color.GREEN, color.RED, color.BLUE, color.RED):
        assert run(1.5, kind) == weighed(1.5, kind)
        assert run(1.5, kind=kind, level=level.HIGH) == weighed(1.5, kind, level=level.HIGH)
        assert gradient(1.5, kind) == (kind.value if kind is not color.RED else -1.0)
    assert run(1.5) == weighed(1.5)
    run = s2s.jit(of_containers, target="numpy")
    for kinds in ((color.GREEN, color.BLUE), (color.RED, color.RED), (color.RED, color.BLUE)):
        given = {"first": kinds[0], "all": [1.0, kinds[1]]}
        assert run(given, 2.5) == of_containers(given, 2.5)
    run = s2s.jit(of_global, target="numpy")
    for value in (color.RED, color.BLUE, color.RED):
        monkeypatch.setattr("test_read_objects.COLOR", value)
        assert run(2.0) == of_global(2.0)


def has_bias(x, model):
    return x + model.bias if hasattr(model, "bias") else x * getattr(model, "scale", 2.0)


class Plain:
    pass


MODEL = Plain()


def of_model(x):
    return has_bias(x, MODEL)


def test_attributes_that_come_later():
    run, model = s2s.jit(of_model, target="numpy"), MODEL
    assert run(1.5) == 3.0
    model.bias = 10.0
    try:
        assert run(1.5) == 11.5
    finally:
        del model.bias
    assert run(1.5) == 3.0


class Gear(enum.IntEnum):
    LOW = 1
    HIGH = 2


def gear(x):
    return Gear.LOW if x > 0 else Gear.HIGH


def gears(x):
    found = [Gear.LOW]
    if x > 0:
        found.append(Gear.HIGH)
    return found


@pytest.mark.parametrize("use", [lambda x: gear(x).name, lambda x: isinstance(gear(x), Gear), lambda x: type(gear(x)) is Gear, lambda x: max(Gear.LOW, gear(x)).value, lambda x: gears(x)[0].name,
                                 lambda x: gear(x) is Gear.LOW])  # fmt: skip
def test_which_member_only_the_run_knows(use):
    with pytest.raises(UnsupportedError, match=r"member of an enumeration|`is`"):
        s2s.jit(use, target="numpy")(0.5)


def test_a_member_is_its_number():
    def f(x, n):
        state, log = Gear.LOW, []
        for _ in range(n):
            if state == Gear.LOW and x > 0:
                state = Gear.HIGH
            log.append(int(state))
        return state == Gear.HIGH, state + 1, log, {Gear.LOW: 1.0, Gear.HIGH: 2.0}[gear(x)]

    for x, n in ((0.5, 3), (-0.5, 2), (0.5, 0)):
        assert s2s.jit(f, target="numpy")(x, n) == f(x, n)


class Body:
    def __init__(self, mass, path):
        self.mass = mass
        self.path = path

    def __lt__(self, other):
        return self.mass < other.mass

    def __gt__(self, other):
        return self.mass > other.mass


SUN = Body(2.0, [0.5, 1.0])


def copies(x, n):
    one, two = copy.copy(SUN), copy.deepcopy({"sun": SUN, "again": SUN})
    one.mass = x
    two["sun"].path.append(x)
    two["again"].mass += 1.0
    return one.mass, one.path[0], two["sun"].mass, two["sun"].path, SUN.mass, len(SUN.path), hasattr(one, "moons")


def heaviest(x, n):
    bodies = [Body(x, [1.0]), Body(0.25 * n, [2.0]), Body(0.5, [3.0])]
    return max(bodies).path[0], min(bodies).mass, max(bodies[0], bodies[1]).mass, min(bodies[1], bodies[2]).path


@pytest.mark.parametrize("fun", [copies, heaviest])
def test_copies_and_choices_of_objects(fun):
    run = s2s.jit(fun, target="numpy")
    before = vars(SUN).copy()
    try:
        for x, n in ((0.5, 2), (1.5, 1), (0.1, 7), (0.25, 1)):
            assert run(x, n) == fun(x, n)
        SUN.mass, SUN.path = -3.0, [4.0]
        assert run(0.5, 2) == fun(0.5, 2)
        SUN.moons = 3
        assert run(0.5, 2) == fun(0.5, 2)
    finally:
        SUN.__dict__.clear()
        SUN.__dict__.update(before)


def test_a_choice_of_objects_is_changed():
    def f(x):
        one, two = Body(x, []), Body(0.5, [])
        best = max(one, two)
        best.mass = 7.0
        return best.mass, one.mass, two.mass

    for x in (1.0, 0.25):
        assert s2s.jit(f, target="numpy")(x) == f(x)


@pytest.mark.parametrize("base", ["Pair(x, 1.0)", "[x]", "{1: x}", "(x, 1)", "'a'", "f'{x}'"])
def test_attributes_that_containers_lack(base, tmp_path):
    file = tmp_path / "lacking.py"
    file.write_text(f"from typing import NamedTuple\nclass Pair(NamedTuple):\n    a: float\n    b: float\ndef f(x):\n    z = {base}.nothing\n    return x\n", encoding="utf-8")
    namespace = {}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), namespace)  # noqa: S102
    with pytest.raises(AttributeError) as wanted:
        namespace["f"](2.0)
    with pytest.raises(AttributeError) as found:
        s2s.jit(namespace["f"], target="numpy")(2.0)
    assert getattr(found.value, "what", str(found.value)) == str(wanted.value)


class Demanding:
    """Equality that fails for what is not larger than the other."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        if self.value > other.value:
            return True
        raise ValueError("not larger")

    __hash__ = None


def test_later_items_are_compared_where_the_earlier_ones_do_not_decide():
    def equal(x, y):
        return (x, Demanding(y)) == (2.0, Demanding(0.5)), [x, Demanding(y)] != [2.0, Demanding(0.5)]

    def member(x, y):
        return Demanding(x) in [Demanding(y), Demanding(0.5)], x in (y, 2.0, 0.5)

    def place(x, y):
        return [Demanding(x), Demanding(0.5)].index(Demanding(y)) if y > 0.75 else [x, y].index(y)

    for fun in (equal, member, place):
        run = s2s.jit(fun, target="numpy")
        for x, y in ((1.0, 0.0), (2.0, 1.0), (2.0, 0.0), (1.0, 0.25), (0.3, 0.1)):
            try:
                wanted = fun(x, y)
            except ValueError as error:
                with pytest.raises(ValueError, match=str(error)):
                    run(x, y)
            else:
                assert run(x, y) == wanted


def test_an_order_that_arrays_decide_is_refused():
    with pytest.raises(s2s.UnsupportedError, match="containers of arrays"):
        s2s.jit(lambda x, v: (x, v) < (x, v + 1), target="numpy")(1.0, np.ones(1))


class Ring:
    """Something with special methods of which a subclass has others."""

    def __init__(self, size):
        self.size = size

    def __abs__(self):
        return abs(self.size) * 2

    def __len__(self):
        return 3

    def __float__(self):
        return self.size * 1.0

    def __round__(self, digits=0):
        return self.size

    def __iter__(self):
        return iter([self.size, 1.0])


class Wheel(Ring):
    def __abs__(self):
        return self.size * 5

    def __len__(self):
        return 4


def test_builtins_of_an_object_that_is_one_of_two():
    def one_of(x):
        return Ring(x) if x > 1 else Wheel(x)

    def classes(x):
        ring = one_of(x)
        return isinstance(ring, Wheel), isinstance((ring,)[0], Wheel), type(ring).__name__, type(ring) is Wheel, hasattr(ring, "size"), getattr(ring, "other", 9.0), any(isinstance(each, Wheel) for each in (ring,))

    def numbers(x):
        ring = one_of(x)
        return abs(ring), len(ring), float(ring), round(ring), sum(ring), list(ring), {Ring: 1.0, Wheel: 2.0}[type(ring)]

    def kinds(x):
        kind = None if x > 1 else x
        return kind is None, isinstance(kind, float), kind or 5.0

    for fun in (classes, numbers, kinds):
        run = s2s.jit(fun, target="numpy")
        for x in (2.0, 0.5):
            assert repr(run(x)) == repr(fun(x))


def scaled_by_gear(x, gear_now):
    again = Gear(2)
    return x * 2.0 + (1.0 if gear_now is Gear.LOW else 0.0) + (4.0 if again is not Gear.HIGH else 8.0)


@pytest.mark.parametrize("gear_now", list(Gear))
def test_members_that_are_numbers_are_one_object(gear_now):
    assert s2s.jit(scaled_by_gear, target="numpy")(0.5, gear_now) == scaled_by_gear(0.5, gear_now)


class Place:
    def __init__(self, at):
        self.at = at

    def __index__(self):
        return self.at


def test_objects_that_are_indices():
    def read(a, k):
        return a[Place(k)], a[Place(1) : Place(3)].sum(), [1.0, 2.0][Place(1)], sum(range(Place(k))), a.reshape(2, 2)[Place(1), Place(0)], "abc"[Place(2)] == "c"

    def stored(a, k):
        values = [1.0, 2.0, 3.0]
        values[Place(k)] = 9.0
        a[Place(k)] += 5.0
        return values

    for program in (read, stored):
        for k in (0, 2):
            outcomes.check(program, "numpy", ((np.arange(4.0), k),), ())


@dataclasses.dataclass
class Measured:
    value: object
    weight: object = 2


@dataclasses.dataclass(order=True)
class Ranked:
    value: float


def test_what_dataclass_writes_for_equal_is_the_installed_python_s():
    """Tuples of the fields until Python 3.12, which ask first whether their items are one object; since then field by field."""
    def single(x):
        return Measured(x) == Measured(x), Measured(x) != Measured(x), [Measured(x)] == [Measured(x)], Measured(x) in [Measured(x), Measured(0.0)], Measured(Ranked(x)) == Measured(Ranked(x)), Measured((x, 1)) == Measured((x, 1))

    def ordered(x):
        one = other = Ranked(x)
        return Ranked(x) <= Ranked(x), Ranked(x) == Ranked(x), one == other, Ranked(x) == Ranked(x + 1.0), Ranked(x) < Ranked(x + 1.0), Ranked(x) == x

    def of_arrays(x):
        one = np.array([x, 1.0])
        return Ranked(one) == Ranked(one)

    def of_arrays_beside_others(x):
        return Measured(np.array([x, 1.0])) == Measured(np.array([x, 1.0]))

    def of_numpys(x):
        return Ranked(np.float64(x)) == Ranked(np.float64(x) + 0.0)

    for program in (single, ordered, of_arrays, of_arrays_beside_others, of_numpys):
        for x in (1.5, float("nan")):
            outcomes.check(program, "numpy", ((x,),), ())


class Weighed(Measured, Ranked):
    def __init__(self, x, z):
        Measured.__init__(self, x, weight=2 * z)
        Ranked.__init__(self, x + self.value)


HELD_OUTSIDE = Measured(1.0)


@pytest.mark.parametrize("target", ["numpy", pytest.param("cpu", marks=pytest.mark.slow)])
def test_the_init_that_dataclass_writes_by_the_name_of_its_class(target):
    def of_bases(x, n):
        one = Weighed(x, x * x)
        return one.value * one.weight

    def again(x, n):
        some = [Measured(x, 1.0) for _ in range(n)]
        for each in some:
            Measured.__init__(each, each.value + x, n * x)
        for each in some[:2]:
            each.__init__(each.weight, each.value)
        return sum([each.value * x + each.weight for each in some])

    def one_of_two(x, n):
        one = Measured(x) if n > 2 else Weighed(x, x)
        Measured.__init__(one, 3 * x)
        return one.value + one.weight

    def outside(x, n):
        HELD_OUTSIDE.__init__(n * x, x)
        return HELD_OUTSIDE.value - HELD_OUTSIDE.weight

    def too_few(x, n):
        Measured.__init__(Measured(x))

    for x in np.random.default_rng(3).normal(size=2):
        for program in (of_bases, again, one_of_two, outside, too_few):
            outcomes.check(program, target, ((float(x), 3), (float(x), 1)), ())


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_a_namedtuple_that_a_function_makes_is_of_its_module(target):
    def fit(x):
        made = namedtuple("made", "slope, offset")  # noqa: PYI024
        return made(x * 2.0, x + 1.0)

    found, wanted = s2s.jit(fit, target=target)(0.5), fit(0.5)
    assert (type(found).__module__, type(found).__qualname__, found._fields, tuple(found)) == (type(wanted).__module__, type(wanted).__qualname__, wanted._fields, tuple(wanted))
