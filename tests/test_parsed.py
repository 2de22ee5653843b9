"""Texts as Python's own trees: statements are found without a look at expressions."""
import ast
from pathlib import Path

from s2s.parsed import parsed, statements_in

ROOT = Path(__file__).resolve().parent.parent
EVERY_FORM = """
async def f(x):
    async with x as y, y:
        match x:
            case 1 if x:
                y = (1,
                     2)
            case _:
                class C:
                    def g(self): return lambda: 1
    async for a in x:
        try:
            pass
        except* ValueError:
            x = 1
        else:
            x = 2
        finally:
            x = 3
    while x:
        break
    else:
        del x
    if x: a = 1; b = (
        2)
    elif y:
        return [q for q in y]
    try:
        raise x
    except (A, B) as error:
        pass
"""


def test_statements_are_those_of_a_walk():
    texts = [EVERY_FORM, *(path.read_text(encoding="utf-8") for path in sorted((ROOT / "transforms" / "read").rglob("*.py"))[::8])]
    for text in texts:
        tree = parsed(text)
        found = list(statements_in(tree))
        assert {id(node) for node in found} == {id(node) for node in ast.walk(tree) if isinstance(node, ast.stmt)}
        assert len(found) == len({id(node) for node in found})


def test_the_outer_one_comes_first():
    order = {id(node): number for number, node in enumerate(statements_in(parsed(EVERY_FORM)))}
    for node in ast.walk(parsed(EVERY_FORM)):
        inner = [each for child in ast.iter_child_nodes(node) for each in ast.walk(child) if isinstance(each, ast.stmt)]
        if isinstance(node, ast.stmt):
            assert all(order[id(node)] < order[id(each)] for each in inner)


def test_a_text_is_parsed_once():
    assert parsed("x = 1") is parsed("x = " + "1")
