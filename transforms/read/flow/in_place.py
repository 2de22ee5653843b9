"""Generators that are read in the place of the loop or `with` that goes through them (`syntax/in_place.py`), in its own frame.

    for a, b in pairs(x): …      with timed("step"): …

What such a generator does is done when the loop comes to it, as in Python; its loops may have any length, and no end. What a generator sees outside of
itself stands under new names of the frame. One that calls itself, or yields in the middle of an expression, is read as any other (`generators.py`).
"""
from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, reduce
from types import FunctionType
from typing import Any

import libcst as cst

from s2s.records import dataclass
from s2s.transforms.read.bound_names import is_local_inside
from s2s.transforms.read.callables import Applied, Closure, Method
from s2s.transforms.read.calls.hidden import class_function, enter
from s2s.transforms.read.classes import class_of, users
from s2s.transforms.read.composed import marks
from s2s.transforms.read.flow.binding import bind_closure, bind_python
from s2s.transforms.read.flow.call_arguments import arguments
from s2s.transforms.read.flow.constant_sets import as_gone_through
from s2s.transforms.read.flow.unwinding import refuse_changed_results, returned_so_far
from s2s.transforms.read.iterations import Pulled
from s2s.transforms.read.made_of import effects
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax import nodes
from s2s.transforms.read.syntax.frame import BROKE, CONTINUED, HELD_SIGNALS, RETURNED, Frame, scope_for
from s2s.transforms.read.syntax.in_place import HELD, Written, can_be_written, fresh, is_in_the_open, is_shielded, leaves, written
from s2s.transforms.read.syntax.scope import walruses, widened
from s2s.transforms.read.syntax.source import Tree, statements_of, tree_of
from s2s.transforms.read.values import Abstract, IteratorRef, ObjectRef, Outside, Pooled, Steps

NESTED = 3
"""Loops in loops through one generator."""


@dataclass(frozen=True, eq=False)
class _Generator:
    """A function with yields, and its first arguments."""

    function: Closure | FunctionType
    steps: Steps | None
    tree: Tree
    first: tuple[Abstract, ...]

    @property
    def held(self) -> Abstract:
        """What is called, as it is held."""
        function: Abstract = self.function if isinstance(self.function, Closure) else Outside(self.function, self.steps)
        return reduce(Method, self.first, function)


def for_loop(reader: Reader, node: cst.For) -> bool:
    """Read a loop through the call of a generator, or through an object whose `__iter__` is one; False where it is none of these."""
    call = node.iter
    found = _called(reader, call)
    if found is None or is_shielded(_node(found)) or not _is_new(reader, found):
        return False
    with reader.at(call):
        args, kwargs = arguments(reader, found.held, call)  # type: ignore[arg-type]
    _read(reader, node, found, args, kwargs)
    return True


def for_loop_of_object(reader: Reader, node: cst.For, value: Abstract) -> bool:
    """The same of an object whose `__iter__` is a generator."""
    kind = class_of(value)
    if kind is None or not isinstance(value, ObjectRef | Outside | Pooled) or users(kind, "__iter__") is None:
        return False
    found = _generator(reader, Method(class_function(reader, kind, "__iter__"), value))
    if found is None or is_shielded(_node(found)) or not _is_new(reader, found):
        return False
    _read(reader, node, found, (), {})
    return True


def gone_through(reader: Reader, node: cst.For) -> tuple[Abstract] | None:
    """(what a loop goes through,); None where that is a generator expression whose items change something or may raise, and the loop has been read with it in its place."""
    expression, counted, start = _enumerated(reader, node.iter)
    if counted and isinstance(expression, cst.Name):
        if not _changes(node.body, expression.value):
            return (reader.rules.evaluate(node.iter),)
        _in_its_place(reader, node, _items_of(expression), start, counted=True)
        return None
    if not isinstance(expression, cst.GeneratorExp) or walruses(expression):
        return (as_gone_through(reader, node.iter, reader.rules.evaluate(node.iter)),)
    before = reader.checkpoint()
    with effects(reader, failures=True) as changed:
        over = reader.rules.evaluate(node.iter)
        is_made_later = isinstance(over, IteratorRef) and isinstance(over.source, Pulled)
        if not is_made_later and all(isinstance(each, IteratorRef) for each in changed()):
            return (over,)
    reader.rollback(before)
    _in_its_place(reader, node, expression, start, counted=counted)
    return None


def _in_its_place(reader: Reader, node: cst.For, expression: cst.GeneratorExp, start: Any, *, counted: bool) -> None:
    frame = reader.frame
    function = _as_generator(expression, counted=counted)
    frame.tree.locations.update((each, reader.where(node.iter)) for each in nodes.inside(function) if each not in frame.tree.places)
    found = _Generator(Closure(frame.tree, function, frame, "<genexpr>"), None, frame.tree, ())
    with reader.at(expression.for_in.iter):
        first = reader.rules.evaluate(expression.for_in.iter)
        number = () if not counted else (0,) if start is None else (reader.rules.evaluate(start),)
    _read(reader, node, found, (first, *number), {})


def _enumerated(reader: Reader, node: Any) -> tuple[Any, bool, Any]:
    """What a loop goes through, whether its items are counted, and from what number on, if that is said."""
    if not isinstance(node, cst.Call) or not 1 <= len(node.args) <= 2 or not isinstance(node.args[0].value, cst.GeneratorExp | cst.Name) or _function(reader, node) is not enumerate:
        return node, False, None
    is_plain = all(arg.keyword is None and not arg.star and isinstance(arg.value, cst.Integer | cst.Name) for arg in node.args[1:])
    return (node.args[0].value, True, node.args[1].value if node.args[1:] else None) if is_plain else (node, False, None)


_CHANGING = frozenset({"append", "appendleft", "clear", "extend", "insert", "pop", "popleft", "remove"})


def _changes(body: Any, name: str) -> bool:
    """Whether statements make the list of a name longer or shorter."""
    called = (each.func for each in nodes.inside(body) if isinstance(each, cst.Call))
    return any(isinstance(each, cst.Attribute) and each.attr.value in _CHANGING and isinstance(each.value, cst.Name) and each.value.value == name for each in called)


@lru_cache(maxsize=256)
def _items_of(node: cst.Name) -> cst.GeneratorExp:
    """(item for item in node)"""
    return cst.GeneratorExp(cst.Name("item"), cst.CompFor(cst.Name("item"), node))


@lru_cache(maxsize=256)
def _as_generator(node: cst.GeneratorExp, *, counted: bool) -> cst.FunctionDef:
    """(a for b in c if d)  as  def f(items): for b in items: if d: yield a; `counted`: with the number of each, from a first one on."""
    items, number, loop, loops = fresh("items", nodes.names_inside(node)), fresh("number", nodes.names_inside(node)), node.for_in, []
    while loop is not None:
        loops.append(loop)
        loop = loop.inner_for_in  # type: ignore[assignment]
    body: list[Any] = [cst.Expr(cst.Yield(node.elt))]
    if counted:
        more = cst.AugAssign(cst.Name(number), cst.AddAssign(), cst.Integer("1"))
        body = [cst.Expr(cst.Yield(cst.Tuple([cst.Element(cst.Name(number)), cst.Element(node.elt)]))), more]
    for each in reversed(loops):
        for condition in reversed(each.ifs):
            body = [nodes.branch(condition.test, body, [])]
        body = [cst.For(each.target, each.iter if each is not node.for_in else cst.Name(items), nodes.suite(body))]
    return cst.FunctionDef(cst.Name("genexpr"), cst.Parameters([cst.Param(cst.Name(each)) for each in (items, number)[: 1 + counted]]), nodes.suite(body))


def with_statement(reader: Reader, node: cst.With) -> bool:
    """Read a `with` of what contextlib.contextmanager has made of a generator; False where it is another context, or several."""
    if len(node.items) > 1 and any(_managed(reader, _function(reader, each.item)) is not None for each in node.items):
        inner = _one_in_another(node)
        reader.frame.tree.locations.update(dict.fromkeys(nodes.inside(inner), reader.where(node)) | {each: reader.where(each) for part in (*node.items, node.body) for each in nodes.inside(part)})
        reader.rules.execute([inner])
        return True
    function = None if len(node.items) != 1 else _function(reader, node.items[0].item)
    found = _generator(reader, _managed(reader, function))
    if found is None or not _is_new(reader, found):
        return False
    if leaves(list(statements_of(node.body))) and not is_in_the_open(found.tree.node):  # type: ignore[arg-type]
        raise reader.unsupported("a return, break or continue in a `with` of a contextmanager that yields in a loop or under a test", "a yield that stands alone")
    args, kwargs = arguments(reader, found.held, node.items[0].item)  # type: ignore[arg-type]
    _read(reader, node, found, args, kwargs)
    return True


@lru_cache(maxsize=256)
def _one_in_another(node: cst.With) -> cst.With:
    """with a, b: …  as  with a: with b: …"""
    body: Any = node.body
    for item in reversed(node.items[1:]):
        body = nodes.suite([cst.With([item.with_changes(comma=cst.MaybeSentinel.DEFAULT)], body)])
    return cst.With([node.items[0].with_changes(comma=cst.MaybeSentinel.DEFAULT)], body)


def held_body(reader: Reader, node: cst.With) -> bool:
    """Read the body of such a `with`, which is left when the rest of the generator is done; False where it is another one."""
    context = node.items[0].item
    if not isinstance(context, cst.Name) or context.value != HELD:
        return False
    reader.rules.execute(list(statements_of(node.body)))
    names = reader.frame.names
    names.update({held: names[signal] for signal, held in HELD_SIGNALS.items()})
    names.update(dict.fromkeys(HELD_SIGNALS, False))
    reader.frame.held_results = returned_so_far(reader)
    return True


# ---- which generator -------------------------------------------------------------------------------------------------------------


def _function(reader: Reader, node: Any) -> Abstract:
    """What is called, where looking at it twice does nothing."""
    if not isinstance(node, cst.Call):
        return None
    is_plain = isinstance(node.func, cst.Name) or isinstance(node.func, cst.Attribute) and isinstance(node.func.value, cst.Name)
    return reader.rules.evaluate(node.func) if is_plain else None


def _called(reader: Reader, node: Any) -> _Generator | None:
    return _generator(reader, _function(reader, node))


def _managed(reader: Reader, function: Abstract) -> Abstract:
    """The generator behind what contextlib.contextmanager gives."""
    if isinstance(function, Method):
        inner = _managed(reader, function.function)
        return None if inner is None else Method(inner, function.first)
    if isinstance(function, Applied) and function.function is marks.managed:
        return function.args[0]
    if isinstance(function, Outside) and isinstance(function.object, FunctionType) and function.object.__code__ is _HELPER:
        return enter(reader, vars(function.object)["__wrapped__"], None if function.steps is None else (*function.steps, ("attribute", "__wrapped__")))
    return None


_HELPER = contextlib.contextmanager(lambda: iter(())).__code__
"""The code of what contextlib.contextmanager gives."""


def _generator(reader: Reader, function: Abstract) -> _Generator | None:
    """The generator that can stand in the place of a loop; None for any other function."""
    first: tuple[Abstract, ...] = ()
    while isinstance(function, Method):
        function, first = function.function, (function.first, *first)
    if isinstance(function, Closure) and can_be_written(function.node):
        is_seen = not any(name in frame.scope.shared for frame in _around(function.frame) if frame is not reader.frame for name in nodes.names_inside(function.node))
        return _Generator(function, None, function.tree, first) if is_seen else None
    if isinstance(function, Outside) and isinstance(function.object, FunctionType) and function.object.__code__.co_flags & _YIELDS:
        tree = tree_of(function.object)
        steps = (("object", function.object),) if function.steps is None else function.steps
        return _Generator(function.object, steps, tree, first) if can_be_written(tree.node) else None
    return None


_YIELDS = 0x20
"""inspect.CO_GENERATOR."""


def _around(frame: Frame | None) -> Iterator[Frame]:
    while frame is not None:
        yield frame
        frame = frame.outer


def _node(found: _Generator) -> Any:
    return found.function.node if isinstance(found.function, Closure) else found.tree.node


def _is_new(reader: Reader, found: _Generator) -> bool:
    """Whether it is not being read in place already, in loops around: it might call itself."""
    return reader.in_place.count(_node(found)) < NESTED


# ---- reading it --------------------------------------------------------------------------------------------------------------------


def _read(reader: Reader, node: cst.For | cst.With, found: _Generator, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> None:
    args = (*found.first, *args)
    function, frame, generator = found.function, reader.frame, _node(found)
    bound = bind_closure(reader, function, args, kwargs) if isinstance(function, Closure) else bind_python(reader, function, found.steps, args, kwargs)
    is_ours = isinstance(function, Closure) and function.frame is frame
    kept = nodes.names_inside(generator) - scope_for(generator).bound if is_ours else frozenset[str]()
    made = written(generator, node, nodes.names_inside(frame.tree.node) | frame.scope.bound, kept)
    given = {made.names[name]: value for name, value in bound.items()}
    for name in made.names.keys() - scope_for(generator).bound:
        given.update(_seen(reader, found, generator, name, made))
    frame.tree.locations.update((new, _where(reader, found, old)) for new, old in made.origins.items())
    with _within(reader, made, generator):
        around = {held: reader.frame.names[held] for held in HELD_SIGNALS.values() if held in reader.frame.names}
        reader.frame.names.update(given)
        if isinstance(node, cst.With):
            reader.frame.names.update(dict.fromkeys(HELD_SIGNALS.values(), False))
        results, reader.frame.held_results = reader.frame.held_results, {}
        reader.rules.execute(list(made.statements))
        refuse_changed_results(reader, reader.frame.held_results)
        reader.frame.held_results = results
        _settle_leaving(reader, node, made)
        reader.frame.names.update(around)
        reader.rules.execute(list(made.last))


def _settle_leaving(reader: Reader, node: cst.For | cst.With, made: Written) -> None:
    """What has left the generator has left the loop; a return of the loop's body goes on."""
    names = reader.frame.names
    if isinstance(node, cst.For):
        names[RETURNED] = names[made.returned] if made.returned else False
        names[BROKE] = names[CONTINUED] = False
        return
    for signal, held in HELD_SIGNALS.items():
        names[signal] = names.pop(held)


@contextmanager
def _within(reader: Reader, made: Written, generator: Any) -> Iterator[None]:
    """The frame with the names of what stands in it now."""
    frame, scope, before = reader.frame, reader.frame.scope, reader.in_place
    frame.scope = widened(scope, [*made.statements, *made.last], made.own, frame.live | {made.returned, made.left})
    reader.in_place = (*before, generator)
    try:
        yield
    finally:
        reader.in_place, frame.scope = before, scope
        for name in made.own:
            frame.names.pop(name, None)


def _seen(reader: Reader, found: _Generator, generator: Any, name: str, made: Written) -> dict[str, Abstract]:
    """What a name outside of the generator stands for; nothing for one that names no variable."""
    function, frame = found.function, reader.frame
    if isinstance(function, Closure) and is_local_inside(function.frame, name):
        return {made.names[name]: function.frame.seen_inside(name)}
    if isinstance(function, Closure):
        inner = Frame(found.tree, scope_for(generator), function.name, None, None, outer=function.frame, method_of=function.method_of)
    else:
        inner = Frame(found.tree, scope_for(generator), function.__name__, function, found.steps, module=frame.of_function(function, found.steps))
    if not inner.outside(name)[2]:
        return {}
    reader.frame = inner
    try:
        return {made.names[name]: reader.rules.evaluate(next(each for each in nodes.inside(generator) if isinstance(each, cst.Name) and each.value == name))}
    finally:
        reader.frame = frame


def _where(reader: Reader, found: _Generator, node: Any) -> Any:
    """Where a node stands, in the generator or in the function around the loop."""
    places = found.tree.places
    return found.tree.where(node) if node in places or node in found.tree.locations else reader.where(node)


__all__ = ["for_loop", "for_loop_of_object", "gone_through", "held_body", "with_statement"]
