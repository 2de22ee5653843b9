"""The table is total: unique names, no field left out, samples for every row, a text for every row that needs one."""
from __future__ import annotations

import ast
import math
from pathlib import Path

import numpy as np
import pytest

from s2s.transforms.primitives import decompositions, eigenvectors, rows
from s2s.transforms.primitives.page import page
from s2s.transforms.primitives.row import Cost, Elementwise, Nothing, NotYet, Primitive, Structural, Written
from s2s.transforms.primitives.scalar_helpers import HELPERS, OF_ARRAYS
from s2s.transforms.primitives.scipy_functions import C_FUNCTIONS
from s2s.transforms.primitives.table import TABLE

each_row = pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)


def test_names_are_unique_identifiers() -> None:
    names = [row.name for row in TABLE]
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() for name in names)


@each_row
def test_no_rule_is_forgotten(row: Primitive) -> None:
    assert isinstance(row.cost, Cost)
    assert isinstance(row.emission, Elementwise | Structural | Written)
    for rule in (row.infer, row.evaluate, row.batch):
        assert callable(rule) or isinstance(rule, NotYet) and rule.why
    assert callable(row.jvp) or isinstance(row.jvp, Nothing) or isinstance(row.jvp, NotYet) and row.jvp.why
    assert callable(row.transpose) or isinstance(row.transpose, Nothing)


@each_row
def test_every_row_has_samples(row: Primitive) -> None:
    assert row.samples
    for sample in row.samples:
        operands = sample.make(np.random.default_rng(0))
        assert all(k < len(operands) for k in sample.wrt)
    if callable(row.jvp) and row not in (decompositions.qr_raw, decompositions.schur, eigenvectors.eig_pair):  # these refuse theirs by name
        assert any(sample.wrt for sample in row.samples), f"{row} is differentiable and no sample differentiates it"


@each_row
def test_emission_texts_name_only_what_codegen_knows(row: Primitive) -> None:
    if not isinstance(row.emission, Elementwise):
        return
    count = len(row.samples[0].make(np.random.default_rng(0)))
    known = {"np", "abs", "complex", *list("abcd")[:count], *row.samples[0].params}
    for text, extra in ((row.emission.array, {"scipy", *HELPERS, *OF_ARRAYS}), (row.emission.scalar, {*dir(math), *HELPERS, *C_FUNCTIONS}), (row.emission.complex or "a", {*dir(math), *HELPERS, *C_FUNCTIONS})):
        names = {node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}
        assert names <= known | extra, text


def test_the_page_of_primitives_is_current() -> None:
    path = Path(__file__).parents[1] / "docs" / "primitives.md"
    assert path.read_text(encoding="utf-8") == page(), "run: python -m s2s.transforms.primitives.page > docs/primitives.md"


def test_every_row_can_be_named() -> None:
    named = {id(value) for value in vars(rows).values()}
    assert [row for row in TABLE if id(row) not in named] == []


def is_name_of_a_row(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "name" and isinstance(node.value, ast.Attribute) and node.value.attr == "primitive"


def looks_up(node: ast.AST) -> bool:
    """Whether a row's name is compared with texts, or is a key."""
    match node:
        case ast.Compare():
            return any(map(is_name_of_a_row, (node.left, *node.comparators)))
        case ast.Match():
            return is_name_of_a_row(node.subject)
        case ast.Subscript():
            return is_name_of_a_row(node.slice)
        case ast.Call(func=ast.Attribute(attr="get")):
            return any(map(is_name_of_a_row, node.args))
    return False


def test_rows_are_named_as_objects_and_not_by_texts() -> None:
    """No row is looked up by its name, nor compared by it: `rows.add`, never "add"."""
    root = Path(__file__).resolve().parent.parent
    for path in (path for folder in ("transforms", "codegen", "s2s") for path in (root / folder).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert not [node.lineno for node in ast.walk(tree) if looks_up(node)], path
        if path.name not in ("page.py", "emit.py", "public_names.py", "adjoint.py", "kept.py"):  # they take names of variables apart from those that rows give; what is kept names rows
            assert not [node.lineno for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and str(node.module).endswith("primitives.table")], path
