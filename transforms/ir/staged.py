"""`Staged`: a program with what a call of it looks like. `read` makes one, every transformation maps one to one, codegen writes it.

A tree is a real container (tuple, list, dict, NamedTuple, dataclass instance, nested) whose leaves are markers: in
`Parameter.tree` a `Var` of the function's params, in `result` a `Result`. Anything else in it is static: known at transformation time.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from s2s import tree_util
from s2s.errors import Location, UnsupportedError
from s2s.outside import Access, Change, Guard, Place
from s2s.records import dataclass, field
from s2s.transforms.ir.program import Function, Literal, Var
from s2s.transforms.primitives.index import Index


@dataclass(frozen=True)
class Result:
    """Leaf of a result tree: the function's result number `number`. `boxed`: a scalar that is given back as an array without axes. `either`: on
    one path or in some trips only, where the program around must not ask which it is. `listed`: an array that is given back as the list of its items:
    of Python's numbers ('tolist'), of NumPy's scalars and arrays ('list') or of lists of NumPy's scalars ('lists'). `options`: the result says which of these texts, members or other known
    values is given back.
    """

    number: int
    boxed: bool = False
    either: bool = False
    listed: str = ""
    options: tuple[Any, ...] = ()

    def of(self, results: Sequence[Any]) -> Any:
        """What the caller gets of a program's results, as numbers and arrays."""
        found = results[self.number]
        if self.options:
            return self.options[int(found)]
        if self.listed == "lists":
            return [list(row) for row in found]
        return list(found) if self.listed == "list" else found.tolist() if self.listed else found


@dataclass(frozen=True)
class NoTangent:
    """Leaf of a result tree: the tangent of an integer array, which holds nothing (dtype float0) but has a shape of ints and Results."""

    shape: tuple[int | Result, ...]


@dataclass(frozen=True)
class Parameter:
    """One argument of the public function. `tangent`: not the user's, but the tangent of one of those that is."""

    name: str
    tree: Any
    kind: str = "positional"
    """'positional' (also by name), 'keyword' (only by name), 'star' (one of *args), 'starstar' (one of **kwargs)."""
    tangent: bool = False


@dataclass(frozen=True)
class Hidden:
    """A closure's or global's array or float: an extra parameter of the function, read at each call."""

    access: Access
    param: Var


Operand = Literal | Result
"""An integer in a step: known, or the number of the result that it is."""


@dataclass(frozen=True)
class Indexed:
    """A step to array[…], by a basic index and its operands (`primitives/index.py`). `where`: the user's index."""

    index: Index
    operands: tuple[Operand, ...]
    where: Location = field(compare=False)


@dataclass(frozen=True)
class Permuted:
    """A step to array.transpose(axes)."""

    axes: tuple[int, ...]


@dataclass(frozen=True)
class Shaped:
    """A step to array.reshape(dims), which is a view or a copy as NumPy makes it. `ravel`: to array.ravel(), which copies all that is not contiguous."""

    dims: tuple[Operand, ...]
    ravel: bool


@dataclass(frozen=True)
class PartOfNumbers:
    """A step to array.real or array.imag of complex numbers."""

    is_real: bool


SeenStep = Indexed | Permuted | Shaped | PartOfNumbers


@dataclass(frozen=True)
class Seen:
    """What a result is in Python: an array of the caller (or another result, or one of several arrays), seen through steps."""

    base: Var | Result | Chosen
    steps: tuple[SeenStep, ...] = ()


@dataclass(frozen=True)
class Chosen:
    """options[place]; for a bool: options[0] if it holds, else options[1]. None stands for the result itself, a new array."""

    place: Operand
    options: tuple[Seen | None, ...]


Origins = tuple[tuple[int, Seen], ...]


def options_of(origin: Seen) -> Iterator[Seen]:
    """The arrays that it may be, each seen from where no path is chosen any more."""
    if not isinstance(origin.base, Chosen):
        yield origin
        return
    for option in origin.base.options:
        if option is not None:
            yield from options_of(option)


def renumbered(origins: Origins, places: Sequence[int]) -> Origins:
    """The origins where result k is result places[k]."""

    def operand(each: Any) -> Any:
        return Result(places[each.number]) if isinstance(each, Result) else each

    def seen(origin: Seen) -> Seen:
        base = origin.base
        if isinstance(base, Chosen):
            return Seen(Chosen(operand(base.place), tuple(None if option is None else seen(option) for option in base.options)), tuple(map(step, origin.steps)))
        return Seen(operand(base), tuple(map(step, origin.steps)))

    def step(each: Any) -> Any:
        if isinstance(each, Indexed):
            return Indexed(each.index, tuple(map(operand, each.operands)), each.where)
        return Shaped(tuple(map(operand, each.dims)), each.ravel) if isinstance(each, Shaped) else each

    return tuple((places[number], seen(origin)) for number, origin in origins)


@dataclass(frozen=True)
class Staged:
    """`function.params` are the Vars of the parameters' trees in order (optree's flattening), then those of `hidden`.

    `mutated`: (parameter Var, number of the result that holds what the caller's array contains afterwards).
    `result`: the tree of what the user's function returns. Results that stand in neither are dropped by simplify.
    """

    function: Function
    parameters: tuple[Parameter, ...]
    result: Any
    mutated: tuple[tuple[Var, int], ...] = ()
    hidden: tuple[Hidden, ...] = ()
    guards: tuple[Guard, ...] = ()
    target_name: str = ""
    """The public name of the emitted function, e.g. `loss_grad`."""
    aliased: bool = False
    """Whether a result is, or is a view of, an array of the caller: to Python they share storage."""
    separate: tuple[tuple[Var, Var], ...] = ()
    """Of a derivative: pairs of array parameters that must not share memory, as the user's function writes into the first."""
    distinct: tuple[tuple[Var, Var], ...] = ()
    """Pairs of array parameters that must be two objects: the user's function asks by `is`."""
    origins: Origins = ()
    """(result number, what it is) for results that share storage with an argument or with another result. Their values stand in
    the program too: whoever rewrites it may drop this, and gives back arrays of their own.
    """
    in_order: tuple[Var, ...] = ()
    """Array parameters that must lie in C order: a store goes through a reshape of them, which would be a copy otherwise."""
    columns: tuple[Var, ...] = ()
    """Array parameters that are the transposes of what the caller has, which lies in Fortran order."""
    stores: tuple[tuple[Place, Any], ...] = ()
    """What a call stores outside at its end: globals, attributes of objects, items of containers; trees as `result`."""
    changes: tuple[tuple[Change, Any], ...] = ()
    """What it changes of the containers that it was called with; a derivative does not."""


@dataclass(frozen=True, eq=False)
class Storing:
    """The result tree of a program that stores outside: `result`, and the trees of what goes to the `places`."""

    result: Any
    values: tuple[Any, ...]
    places: tuple[Place, ...]


@dataclass(frozen=True, eq=False)
class Changing:
    """The result tree of a program that changes containers of its arguments: `result`, and the trees of what the `changes` put there."""

    result: Any
    values: tuple[Any, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True, eq=False)
class Own:
    """A leaf of the tree of a change: the container of the caller's to which these steps lead when the call begins."""

    steps: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, eq=False)
class Made:
    """The result tree of an object of a plain class: it holds `values` under `names`."""

    kind: type
    names: tuple[str, ...]
    values: tuple[Any, ...]

    def __repr__(self) -> str:
        return f"a {self.kind.__name__}"


@dataclass(frozen=True, eq=False)
class Queue:
    """The result tree of a deque: the tree of the list of its items, and how many there may be."""

    items: Any
    maxlen: int | None


@dataclass(frozen=True, eq=False)
class Called:
    """The result tree of what a class of Python's makes of these values, which the run knows: kind(*values)."""

    kind: type
    values: tuple[Any, ...]

    def __repr__(self) -> str:
        return f"a {self.kind.__name__}"


@dataclass(frozen=True, eq=False)
class Wording:
    """The result tree of a text with numbers of the run in it: template.format(*values)."""

    template: str
    values: tuple[Any, ...]

    def __repr__(self) -> str:
        return "a text with run-time values"


class Joined(Wording):
    """That of the texts of one list, as long as the run makes it, joined: template.join(values[0])."""


@dataclass(frozen=True, eq=False)
class Doubtful:
    """The result tree of a dict of which only the run knows whether it has some keys: those for which a flag is given."""

    keys: tuple[str, ...]
    values: tuple[Any, ...]
    flags: tuple[Result | None, ...]

    def __repr__(self) -> str:
        return "a dict that has some keys on some paths only"


@dataclass(frozen=True, eq=False)
class Picked:
    """A result tree that is one of several: options[place]."""

    place: Result
    options: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Item:
    """What an item of a `Rows` is made of: a tree whose leaves are the numbers of columns, as Results."""

    tree: Any


@dataclass(frozen=True, eq=False)
class Rows:
    """The result tree of a list of tuples, lists, dicts or objects, as long as the run makes it: `columns` are lists, as long as that, of what its
    items hold. `kind`: list, set or the class of a dict, whose items are pairs.
    """

    item: Item
    columns: tuple[Any, ...]
    kind: Any = list


@dataclass(frozen=True, eq=False)
class Cut:
    """The result tree of a list of lists, each as long as the run makes it: the trees of three lists, of all their `items` one behind the other, and of where each list
    `starts` and `ends` among them. `kind`: list, set, np.ndarray, or the class of dicts (an empty defaultdict, which has the factory), whose items are pairs.
    `sizes`: of arrays of more than one axis, a list for each axis of how long each array is there.
    """

    items: Any
    starts: Any
    ends: Any
    kind: Any = list
    sizes: tuple[Any, ...] = ()


def refuse_stores(staged: Staged, what: str) -> None:
    """Refuse a program that stores outside where nobody would do it."""
    if staged.stores:
        raise UnsupportedError(f"{what} that stores into {staged.stores[0][0]}", where=staged.function.where, instead="return the value, and let the caller store it")


def refuse_changes(staged: Staged, what: str) -> None:
    """Refuse a program that changes containers of its arguments where nobody would see it."""
    if staged.changes:
        raise UnsupportedError(f"{what} that changes {staged.changes[0][0]}", where=staged.function.where, instead="make a new container and return it")


def refuse_objects(staged: Staged, what: str) -> None:
    """Refuse a program that gives back what is no container of numbers: objects of other classes, ranges, texts with numbers in them, dicts with keys on some paths only."""
    for leaf in tree_util.tree_leaves(staged.result, is_leaf=lambda node: isinstance(node, Made | Called | Wording | Doubtful)):
        match leaf:
            case Called():
                raise UnsupportedError(f"{what} that returns {leaf!r}", where=staged.function.where, instead="return the numbers that it is made of")
            case Made():
                instead = "return its attributes, make its class a dataclass, or register it (s2s.tree_util.register_pytree_node)"
                raise UnsupportedError(f"{what} that returns a {leaf.kind.__name__}", where=staged.function.where, instead=instead)
            case Wording():
                raise UnsupportedError(f"{what} that returns {leaf!r}", where=staged.function.where, instead="return the numbers, and write the text where it is called")
            case Doubtful():
                raise UnsupportedError(f"{what} that returns {leaf!r}", where=staged.function.where, instead="set the key on both paths")


tree_util.register_pytree_node(Made, lambda node: (node.values, (node.kind, node.names)), lambda data, values: Made(data[0], data[1], tuple(values)))
tree_util.register_pytree_node(Picked, lambda node: ((node.place, node.options), None), lambda _, parts: Picked(parts[0], parts[1]))
tree_util.register_pytree_node(Called, lambda node: (node.values, node.kind), lambda kind, values: Called(kind, tuple(values)))
tree_util.register_pytree_node(Wording, lambda node: (node.values, node.template), lambda template, values: Wording(template, tuple(values)))
tree_util.register_pytree_node(Joined, lambda node: (node.values, node.template), lambda template, values: Joined(template, tuple(values)))
tree_util.register_pytree_node(Doubtful, lambda node: ((node.values, node.flags), node.keys), lambda keys, parts: Doubtful(keys, tuple(parts[0]), tuple(parts[1])))
tree_util.register_pytree_node(Queue, lambda node: ((node.items,), node.maxlen), lambda maxlen, parts: Queue(parts[0], maxlen))
tree_util.register_pytree_node(Rows, lambda node: (node.columns, (node.item, node.kind)), lambda data, columns: Rows(data[0], tuple(columns), data[1]))
tree_util.register_pytree_node(Cut, lambda node: ((node.items, node.starts, node.ends, node.sizes), node.kind), lambda kind, parts: Cut(parts[0], parts[1], parts[2], kind, tuple(parts[3])))
tree_util.register_pytree_node(Changing, lambda node: ((node.result, node.values), node.changes), lambda changes, parts: Changing(parts[0], parts[1], changes))
tree_util.register_pytree_node(Storing, lambda node: ((node.result, node.values), node.places), lambda places, parts: Storing(parts[0], parts[1], places))
