"""`Frame`: one function being read, with what its names stand for. `Session`: what all functions of one `read` share."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FunctionType
from typing import Any

import libcst as cst

from s2s.errors import Location
from s2s.hidden import MISSING, snapshot, step
from s2s.keeping import Store
from s2s.outside import Access, Guard, Itself
from s2s.records import dataclass, field
from s2s.transforms.ir.named_axes import surroundings
from s2s.transforms.ir.program import Function
from s2s.transforms.read.syntax.scope import Names, Scope, scope_of
from s2s.transforms.read.syntax.source import Tree
from s2s.transforms.read.values import Abstract, DictRef, Missing, Outside, Steps, View, unset_words
from s2s.types import Var

RETURNED, BROKE, CONTINUED, RESULT = "%returned", "%broke", "%continued", "%result"
"""Pseudo-names: whether this path has left by return, break, continue, and with what result."""
RAISED, CODE = "%raised", "%code"
"""Whether this path has raised what a `try` catches, and what: a number of `Session.codes`."""
ERROR = "%error"
"""What was raised, where an except clause looks at it (`Reader.telling`)."""
ERROR_PARTS = "%error_parts"
"""What a loop carries of it."""
VALUE = "%value"
"""What a side of an expression gives, where the side may have raised what a `try` catches."""
YIELDED = "%yielded"
"""The list of what a generator yields that is read as a whole."""
SIGNALS = (RETURNED, BROKE, CONTINUED, RAISED)
HELD_SIGNALS = {signal: f"%held{signal}" for signal in (RETURNED, BROKE, CONTINUED)}
"""How the body of a `with` was left whose context is a generator, until what is behind the generator's `yield` has run."""
_SCOPES: dict[cst.CSTNode, Scope] = {}


def scope_for(node: Any) -> Scope:
    """The scope of a function's tree, worked out once."""
    if node not in _SCOPES:
        _SCOPES[node] = scope_of(node)
    return _SCOPES[node]


@dataclass(eq=False)
class Frame:
    """A function call being read. `outer` is the frame that a nested function sees; `python` the function object at the root."""

    tree: Tree
    scope: Scope
    name: str
    python: FunctionType | None
    steps: Steps | None
    outer: Frame | None = None
    caller: Frame | None = None
    called_at: Location | None = None
    """Of one that is read in place: the call's place."""
    reader: Any = None
    method_of: type | None = None
    """Of a method of a class that is made while reading: that class."""
    box: DictRef | None = None
    """Holds the names that nested functions bind too: as the content of a container, they are followed through loops and branches."""
    module: Steps | None = None
    """Steps to a function of the same module, shorter than `steps`."""
    names: dict[str, Abstract] = field(default_factory=dict)
    live: Names = frozenset()
    """What is live after the statement that is being read."""
    held: tuple[Abstract, ...] = ()
    """Arrays that the loops around the statement go through: seen later too, whatever the names stand for."""

    statement: Any = None
    """The statement that is being read."""
    taken_whole: Any = None
    """A generator expression that is the argument of a function which takes all of its items at once."""
    at_once: list[Any] = field(default_factory=list)
    """Iterators whose items changed something when they were made: the statement must go through them."""
    comprehensions: tuple[Frame, ...] = ()
    """Of the comprehensions that are being read, those whose functions use their names, innermost last: what such a function sees."""
    is_comprehensions: bool = False
    is_open: bool = False
    """Of a comprehension's: whether it is being read, so that its names stand in the frame around."""
    hidden: dict[str, Abstract] = field(default_factory=dict)
    bound_around: Names = frozenset()
    shared_around: Names = frozenset()
    """Of a comprehension's: what names of the same name stand for around it, and which are bound there, and shared with nested functions."""

    regions: int = 0
    """How many regions of run time were open where it was called."""
    place: Location | None = None
    """Where its function stands."""
    is_apart: bool = False
    """Whether it is a first call (`Session.first_calls_apart`)."""
    given: Any = None
    """What a function is given that is read as one of the program: other calls of it may be of other types."""

    began: int = 0
    """When its statements were begun (`values.moment`)."""
    handed_back: list[Any] = field(default_factory=list)
    """The containers and arrays that a `return` on a path has named: behind it the result is a copy of them."""
    held_results: dict[Any, Any] = field(default_factory=dict)
    """What these hold where a `with` of a generator has been left, and the rest of the generator is to be done."""

    def __post_init__(self) -> None:
        self.names.update(self.tree.given)
        self.names.update(dict.fromkeys(SIGNALS, False))
        self.names[CODE] = 0

    @property
    def read_now(self) -> Any:
        """The statement that is being read; of a lambda, which has none, the lambda."""
        return self.tree.node if self.statement is None else self.statement

    @property
    def home(self) -> Steps | None:
        """Steps to a function whose globals are those of this frame: the shortest that are known."""
        return self.steps if self.module is None else self.module

    def of_function(self, python: FunctionType, steps: Steps | None) -> Steps | None:
        """What `module` is in the frame of a function that is called from this one."""
        root = self.root()
        same = root.home is not None and root.python is not None and root.python.__globals__ is python.__globals__
        return root.home if same else steps

    @property
    def namespace(self) -> Any:
        """The globals of the function."""
        return getattr(self.root().python, "__globals__", None)

    def root(self) -> Frame:
        """The frame of the real Python function that this one is nested in."""
        return self.outer.root() if self.outer is not None else self

    def find(self, name: str) -> Abstract:
        """What a name stands for in this frame or those around it; None where it is not theirs."""
        if self.is_open and name in self.scope.bound:
            frame = self
            while frame.is_open and frame.outer is not None:
                frame = frame.outer
            return frame.names.get(name, Missing(unset_words(name), unset=True))
        if name in self.scope.bound:
            if name in self.scope.shared and self.box is not None:
                return self.reader.heap[self.box][name]
            return self.names.get(name, Missing(unset_words(name), unset=True))
        return self.outer.seen_inside(name) if self.outer is not None else None

    def seen_inside(self, name: str) -> Abstract:
        """The same in a function that sees this frame: the name of a comprehension that is being read hides from the comprehension, not from such a function, the one around it."""
        hiding = self.hiding(name)
        if hiding is None:
            return self.find(name)
        if name in hiding.bound_around:
            return self.reader.heap[self.box][name] if name in hiding.shared_around and self.box is not None else hiding.hidden.get(name, Missing(unset_words(name), unset=True))
        return self.outer.seen_inside(name) if self.outer is not None else None

    def hiding(self, name: str) -> Frame | None:
        """The outermost comprehension that is being read inside of this frame, or of the comprehension that it is of, and that binds the name for itself."""
        frame = self
        while frame.is_open and frame.outer is not None:
            frame = frame.outer
        inside = frame.comprehensions
        if self.is_comprehensions:
            inside = inside[inside.index(self) + 1 :] if self in inside else ()
        return next((each for each in inside if name in each.scope.bound), None)

    def cell(self, name: str) -> tuple[Any, Steps] | None:
        """The cell of a variable that the real Python function shares with a function around it, and the steps to it; None of others."""
        frame = self.root()
        if frame.python is None or name not in frame.python.__code__.co_freevars:
            return None
        steps = (("object", frame.python),) if frame.steps is None else frame.steps
        return step(frame.python, "cell", name), (*steps, ("cell", name))

    def outside(self, name: str) -> tuple[Any, Steps, bool]:
        """A closure's, global's or built-in's object, the steps to it, and whether there is one."""
        frame = self.root()
        function, steps, home = frame.python, frame.steps, frame.home
        assert function is not None
        itself = (("object", function),)
        if name in function.__code__.co_freevars:
            found, path = step(function, "closure", name), (*(itself if steps is None else steps), ("closure", name))
        else:  # Python's built-ins too: a global of the name may come
            found, path = step(function, "global", name), (*(itself if home is None else home), ("global", name))
        return found, path, found is not MISSING


@dataclass(eq=False)
class Taken:
    """Something outside that the function stores into: a module's globals, an object, a dict or list (`calls/taken.py`). `names`: what is stored of it, where it is
    known; `before`: what it holds at the start.
    """

    thing: Any
    steps: Steps
    names: frozenset[str]
    is_globals: bool
    ref: Any
    before: Any = None

    @property
    def is_argument(self) -> bool:
        """Whether the call is given it: another one in each call."""
        return bool(self.steps) and self.steps[0][0] in ("argument", "keyword")


ONE_BY_ONE = 4096
"""Trips of loops, and calls of functions inside of themselves, that one reading reads one by one."""


@dataclass(eq=False)
class Remembered:
    """Of a loop: the lists that grew in it, by the ways that lead to them, with the types of their items, and the same of the loops in it, for the next
    reading of what is around it.
    """

    lists: dict[Any, Any] = field(default_factory=dict)
    inner: dict[Any, Remembered] = field(default_factory=dict)
    met: dict[Any, int] = field(default_factory=dict)
    """How often each of these was come to in this reading."""

    def of(self, key: Any) -> Remembered:
        """Of the loop that is come to now."""
        number = self.met[key] = self.met.get(key, 0) + 1
        return self.inner.setdefault((key, number), Remembered())


@dataclass(eq=False)
class Session:
    """What one call of `read` shares between all functions it reads."""

    guards: dict[Access, Guard] = field(default_factory=dict)
    hidden_types: dict[Access, Any] = field(default_factory=dict)
    """The Python object behind each hidden value."""
    helpers: dict[Any, dict[Any, Any]] = field(default_factory=dict)
    """`functions`, by the axes that are bound where they are called."""
    reading: list[Any] = field(default_factory=list)
    """Signatures of the helpers being read, outermost first."""
    not_helpers: dict[Any, int] = field(default_factory=dict)
    """How often a function had to be read in place after it was tried as a helper."""
    endless: set[Any] = field(default_factory=set)
    """Functions that called themselves, as functions of the program, until that was called one without an end."""
    growing: dict[Any, Any] = field(default_factory=dict)
    """Lists that were seen to grow in a run-time loop, with the type of their items."""
    unset: dict[Any, dict[str, None]] = field(default_factory=dict)
    """Objects that were seen to get attributes in a run-time loop, with these."""
    items: dict[Any, Any] = field(default_factory=dict)
    """The type of the items of lists that an earlier reading found to get items of another type, by the place where they are made."""
    apart: frozenset[Any] = frozenset()
    """Where paths and trips meet that an earlier reading found to need to know which storage is which: (place, name)."""
    keyed: frozenset[Any] = frozenset()
    """Where dicts and sets are made that an earlier reading found to get keys which only the run knows."""
    by_turns: frozenset[Location] = frozenset()
    """Where iterators are made that an earlier reading found to have a number of items left that only the run knows (`flow/by_turns.py`)."""
    of_known_keys: set[Any] = field(default_factory=set)
    """Where dicts and sets were made in this reading that are of known keys."""
    on_trial: int = 0
    """How many readings of a part are open for which there is another one, where something is refused in them."""
    records: dict[Any, bool] = field(default_factory=dict)
    """Where dicts of those are made that an earlier reading found to be records (`composed/records.py`), or to be none."""
    pooled: tuple[Any, ...] = ()
    """Which lists and objects stand in pools (`pools.Plan`), as an earlier reading found that they must."""
    looped: frozenset[Location] = frozenset()
    """The functions that call themselves, of which an earlier reading found that they must be loops with a stack."""
    not_looped: dict[Location, Any] = field(default_factory=dict)
    """Those that can't be, with what a reading of them as loops was refused for."""
    refused: set[str] = field(default_factory=set)
    """What earlier readings were refused for that no reading changes (`failures.StaysRefused`)."""
    by_trips: bool = False
    """Whether loops of known trips are read trip by trip: an earlier reading was refused, behind or around loops that were regions."""
    settles: bool = False
    """Whether a whole number that is computed of known ones is read as a known one: the call tells some, or an earlier reading was refused."""
    would_settle: bool = False
    """Whether there was one, while that was not asked for."""
    first_calls_apart: bool = False
    """Whether the first call of a function that calls itself is read as it stands where it is given lists of known items, and only those inside of it as a loop."""
    has_first_calls: bool = False
    """Whether there are such calls."""
    sizes_outside: bool = False
    """Whether the sizes of arrays outside are known, as those of the arguments are: another size there is another program."""
    has_open_sizes: bool = True
    """Whether a size of an argument is not known: where a run needs it, all is read again for the sizes of its call."""
    open_numbers: frozenset[Var] = frozenset()
    """The whole numbers among the arguments that are not known, as they may be in another reading."""
    managed: set[Any] = field(default_factory=set)
    """Generators that contexts go through to their end."""
    told: dict[Var, Any] = field(default_factory=dict)
    """Those, and small arrays of them (`Builder.told`)."""
    has_known_trips: bool = False
    """Whether there is such a loop."""
    as_regions: set[Any] = field(default_factory=set)
    """Those that can't be read trip by trip."""
    trips_left: int = ONE_BY_ONE
    """How many trips are still read one by one because `by_trips` says so."""
    calls_left: int = ONE_BY_ONE
    """How many calls of functions inside of themselves are still read."""
    own_calls: dict[Location, int] = field(default_factory=dict)
    """How often each of those has called itself."""
    kept: set[Any] = field(default_factory=set)
    kept_dicts: set[Any] = field(default_factory=set)
    kept_tables: set[Any] = field(default_factory=set)
    """Where lists, dicts that are records, and other dicts were made that are items of lists of run-time length."""
    texts: dict[str, int] = field(default_factory=dict)
    """Texts that lists of run-time length hold, and their numbers there."""
    texts_told: bool = False
    """Whether one was looked at: what it may be is told then."""
    pools: list[Any] = field(default_factory=list)
    """The pools of this reading."""
    exchanged: set[Any] = field(default_factory=set)
    """Where a loop puts an array in the place of another one that was there before it: (place, name), as in `Cell.merged`."""
    taken: dict[int, Taken] = field(default_factory=dict)
    """What an earlier reading found to be stored into outside, by its id."""
    own_names: dict[Any, Any] = field(default_factory=dict)
    """What composed functions mean by the names of functions and classes, by the function and the name: nobody binds others there, and the way to one is the same from wherever it is called."""
    met: dict[Steps, Any] = field(default_factory=dict)
    """Objects and containers outside, by the steps to them."""
    containers: dict[Any, tuple[Any, Steps]] = field(default_factory=dict)
    """What stands for a dict or list outside, or for a container of the arguments: itself, and the steps to it."""
    entered: dict[Var, View] = field(default_factory=dict)
    """The arrays of the arguments as they are at first."""
    distinct: dict[tuple[Var, Var], None] = field(default_factory=dict)
    """Arrays of which `is` asks whether they are one object: they are two, which each call checks."""
    arguments: dict[int, Steps] = field(default_factory=dict)
    """The steps to each list, dict and object of the arguments, by its id."""
    partials: dict[int, tuple[Any, Any, Steps]] = field(default_factory=dict)
    """For the id of what stands for a partial outside: that, the partial, and the steps to it."""
    bit_generators: list[Any] = field(default_factory=list)
    """NumPy's, made of known seeds while reading, from which no generator draws yet."""
    made_functions: dict[Any, Any] = field(default_factory=dict)
    """Python functions that were made of functions inside of those that are read, by their nodes (`calls/python_functions.py`)."""
    printoptions: int = 0
    """How many `with np.printoptions(…)` are around what is read."""
    float_errors: tuple[str, ...] = ()
    """What `with np.errstate(…="raise")` around what is read makes errors of (`flow/float_errors.py`)."""
    attempts: dict[Any, Any] = field(default_factory=dict)
    """For each loop, what it carried when it was last read (`flow/loops/last_time.py`): it begins with that."""
    remembered: Remembered = field(default_factory=Remembered)
    """What the loops in the innermost loop around have shown of lists in its earlier readings."""

    either: set[Any] = field(default_factory=set)
    """Scalars that are arrays without axes on some paths or in some trips, NumPy scalars in others."""
    members: set[Any] = field(default_factory=set)
    """Numbers that are members of an enumeration on some paths or in some trips (`zero_dim.is_member`)."""

    exceptions: dict[str, type[BaseException]] = field(default_factory=dict)
    """The exception classes of the user's that the program raises, by name."""
    heaps: set[Any] = field(default_factory=set)
    """Lists that heapq keeps in an order of its own (`calls/queues.py`): the places of their items are not Python's."""
    taken_of: dict[Any, Any] = field(default_factory=dict)
    """Of a number that is an item of a list of run-time length: the list's storage, and where it ended then."""
    codes: list[Any] = field(default_factory=list)
    """The exceptions that were caught, by their numbers (`flow/caught.Code`)."""
    looked_at: set[Any] = field(default_factory=set)
    """The functions of the program that raise nothing by themselves of what is caught: with the classes that are."""
    safe: set[Any] = field(default_factory=set)
    """Matrices that surely are such as a function of np.linalg takes (`calls/tested.py`)."""
    made: dict[Any, Any] = field(default_factory=dict)
    """Classes made while reading, and the functions that stand in them for closures (`flow/local_classes.py`)."""
    classes: dict[Any, type] = field(default_factory=dict)
    """Those classes by where they are made, for all readings of a function: what one has learnt of their objects holds for the next (`flow/local_classes.py`)."""
    lasting: set[type] = field(default_factory=set)
    """The classes of these that this reading has made."""
    slots: dict[Any, Any] = field(default_factory=dict)
    """Of those classes, and of closures with attributes, what holds the values that are bound in them (`calls/class_slots.py`)."""
    cached: dict[Any, Any] = field(default_factory=dict)
    """Of functions with a cache (`calls/cached.py`), by their ids: themselves, and what they read when they were first called."""
    left: dict[Any, Any] = field(default_factory=dict)
    """Of a flag that says whether a path has returned, the one that says whether it has raised, where each path has done one of them."""
    tests: dict[Any, tuple[Any, ...]] = field(default_factory=dict)
    """What tests of run time are made of: ("is", place, option), ("not", test), ("and", …), ("or", …) (`flow/options.py`)."""
    sides: dict[Any, tuple[Any, frozenset[int], frozenset[int]]] = field(default_factory=dict)
    """Of the place of a `OneOf` that an If made: its test, and which options it may be where that holds and where it does not."""
    store: Store | None = None
    """Where helpers that did not change are found again as they were read (`calls/kept.py`)."""
    asked: list[Steps] | None = None
    """What a helper that is to be kept asks of the outside, while it is read."""

    @property
    def functions(self) -> dict[Any, Any]:
        """Helpers already read, by signature: a collective is another thing where another axis has its name."""
        return self.helpers.setdefault(surroundings(), {})

    def is_spent(self) -> bool:
        """Count a trip that is read; whether there were too many of them."""
        self.trips_left -= self.by_trips
        return self.trips_left < 0

    def is_made(self, thing: Any) -> bool:
        """Whether it is a class made while reading, or what stands in it."""
        own = thing.object if isinstance(thing, Itself) else thing
        return isinstance(own, (type, FunctionType)) and own in self.made

    def guard(self, steps: Steps | None, value: Any) -> None:
        """Note that the program is right only while the object at `steps` is this one."""
        if steps and steps[0][0] == "object" and self.is_made(steps[0][1]):
            return  # it is made anew whenever the function is read
        if steps and (len(steps) > 1 or steps[0][0] != "object") and not _stays(steps):
            access = Access(steps)
            if self.asked is not None:
                self.asked.append(steps)
            self.guards.setdefault(access, Guard(access, snapshot(value)))

    def function_name(self, name: str) -> str:
        """A name for a program function: the user's, if it is an identifier."""
        clean = "".join(letter if letter.isalnum() or letter == "_" else "" for letter in name) or "function"
        return "function" if clean == "lambda" else clean


_COMPOSED = f"{__name__.rsplit('.', 2)[0]}.composed."
"""The modules whose functions are read where NumPy's are called."""


def is_ours(value: Any) -> bool:
    """Whether it is a composed function."""
    return isinstance(value, FunctionType) and (value.__module__ or "").startswith(_COMPOSED)


def _stays(steps: Steps) -> bool:
    """Whether nobody can bind something else there: a constant's name, a name in our own source."""
    (first, root), (last, name) = steps[0], steps[-1]
    own = root.object if isinstance(root, Itself) else root
    in_composed = first == "object" and is_ours(own)
    return last == "global" and (name in {"None", "True", "False"} or in_composed and len(steps) == 2)


_READING: ContextVar[Session | None] = ContextVar("s2s_reading", default=None)


@contextmanager
def reading(session: Session) -> Iterator[None]:
    """While something is read: where `note` puts what is found."""
    token = _READING.set(session)
    try:
        yield
    finally:
        _READING.reset(token)


def being_read() -> Session | None:
    """What reads now: a function given to a transformation is read within it."""
    return _READING.get()


def note(steps: Steps, value: Any) -> None:
    """`Session.guard` of what is being read now, for questions about classes that are asked where no reader is at hand."""
    session = _READING.get()
    if session is not None:
        session.guard(steps, value)


__all__ = ["BROKE", "CONTINUED", "HELD_SIGNALS", "RESULT", "RETURNED", "SIGNALS", "YIELDED", "Frame", "Function", "Outside", "Session", "being_read", "note", "reading", "scope_for"]
