"""What programs about Python's objects (`objects`) do with an object, function or container that is one of several, as the run decides."""
from __future__ import annotations

from typing import Any

HEADER = """
def picked(one, two, t):
    if t > 0.25:
        return one
    return two


def made(t):
    if t > 0.25:
        return Vec(t, 0.5)
    if t > -0.5:
        return Point(t)
    return Node(t, [t])


def found(vec, t):
    for k in range(2):
        if vec.x > t + k:
            return vec
    return None


def adder(t):
    def add(r):
        nonlocal t
        t = t + 0.5
        return r + t

    return add


def listed(t):
    if t > 0.25:
        return [t, 0.5]
    return [t]


"""


def chosen_object(program: Any) -> str:
    """An object of which only the run knows which it is; it has an x."""
    test, number = program.test(1), program.number(1)
    return program.pick((
        f"(v if {test} else o)", f"(v if {test} else w)", f"(node if {test} else v)", f"(Long(x, {number}) if {test} else Point(y))", f"picked(v, w, {number})",
        f"picked(v, p, {number})", f"made({number})", f"(v if {test} else o if {program.test(0)} else node)", f"picked(o, copy.copy(o), {number})",
    ))  # fmt: skip


def statement(program: Any) -> str:
    """Statements that make one, ask it, change it or what it may be, and ask again."""
    number = program.number
    head = f"h = {chosen_object(program)}"
    return program.pick((
        lambda: f"{head}; z = {question(program)}",
        lambda: f"{head}; h.x {program.pick(('=', '+=', '*='))} {number(1)}; z = {question(program)}",
        lambda: f"{head}; {program.pick(('v', 'w', 'o', 'node'))}.x = {number(1)}; z = h.x + {question(program)}",
        lambda: f"{head}; box = [h, v]; z = box[0].x + box[1].x; y = [r.x for r in box][{program.pick(('0', '1'))}]",
        lambda: f"{head}; box = {{'h': h, 'n': None}}; box['h'].x = {number(1)}; z = h.x",
        lambda: f"h = found({program.pick(('v', 'w'))}, {number(1)}); z = {number(1)} if h is None else h.x",
        lambda: f"h = found({program.pick(('v', 'w'))}, {number(1)}); y = h.x if h is not None and {program.test(1)} else {number(0)}",
        lambda: f"g = adder({number(1)}) if {program.test(1)} else adder({number(1)}); y = g({number(0)}) + g(1.0)",
        lambda: f"g = (v if {program.test(1)} else w).__call__; y = g({number(1)})",
        lambda: f"g = adder({number(1)}) if {program.test(1)} else None; y = 0.5 if g is None else g({number(0)})",
        lambda: f"h = listed({number(1)}); y = h[0] + len(h)",
        lambda: f"h = [{number(1)}] if {program.test(1)} else None; y = 0.25 if h is None else h[0]",
        lambda: f"h = Node({number(1)}, [x]) if {program.test(1)} else None; y = 0.25 if h is None else h.kids[0] + h.x",
        lambda: f"h = Bag((Vec(x, {number(1)}), {number(1)})) if {program.test(1)} else Bag(None); y = 0.5 if h.inside is None else h.inside[0].y",
        lambda: f"it = map({program.pick(('abs', 'v', 'activation', 'lambda r: r * node.x', 'items[1].index'))}, [{number(0)}]); {program.pick(('node.x', 'v.x', 'o.x'))} = {number(1)}; z = {number(0)}",
        lambda: f"c = b; b = {program.pick(('a if t else b * 1.0', 'a if x > 0.25 else b.copy()'))}; hold = lambda: c[0]; b[0] = {number(1)}; z = hold()",
        lambda: f"hold = Bag(a) if {program.test(1)} else None; b = a if {program.test(0)} else a.copy(); b[1] = {number(1)}; z = 0.5 if hold is None else hold.inside[1]",
    ))()  # fmt: skip


def question(program: Any) -> str:
    """A number that says something of `h`."""
    return program.pick((
        "h.x", "isinstance(h, Vec) * 1.0", "isinstance(h, (Point, Node)) * 1.0", "(type(h) is Point) * 1.0", "(h == v) * 1.0", "(h in (w, v)) * 1.0", "(h is v) * 1.0", "(h is not o) * 1.0",
        "hasattr(h, 'kids') * 1.0", "getattr(h, 'size', 0.5)", "(abs(h) if isinstance(h, Vec) else h.x)", "(len(h) if isinstance(h, Vec) else 3)", "(h(0.5) if callable(h) else -0.5)",
        "len(type(h).__name__)", "(h in [v]) * 0.5", "filled(h, 0.75).x", "(lambda r: r.x)(h)", "copy.copy(h).x",
    ))  # fmt: skip
