"""How elements are read: of arrays in storage, of lazy ones, of elementwise equations."""
from __future__ import annotations

from collections.abc import Callable, Sequence

from s2s.codegen.language.expressions import Expr, Load, Name, Number
from s2s.codegen.lowering.elementwise import scalar_element, scalar_operation
from s2s.codegen.lowering.lowered import Slot
from s2s.codegen.lowering.storage import Storage
from s2s.transforms.ir.program import Equation
from s2s.types import Atom, Var

Index = tuple[Expr, ...]


class Elements:
    """Reads the values of one function; what must be written out first is."""

    def __init__(self, low: Storage) -> None:
        self.low = low

    def element(self, atom: Atom, index: Index) -> Expr:
        """One element of a value."""
        if not atom.type.shape:
            return self.low.scalar(atom)
        binding = self.low.array(atom)
        if isinstance(binding, Slot):
            return Load(binding.name, index)
        assert binding.element is not None
        return binding.element(index)

    def reader(self, atom: Atom) -> Callable[[Index], Expr]:
        """How to read elements of one value."""
        if not atom.type.shape:
            expr = self.low.scalar(atom)
            return lambda index: expr
        binding = self.low.array(atom)
        if isinstance(binding, Slot):
            name = binding.name
            return lambda index: Load(name, index)
        assert binding.element is not None
        return binding.element

    def capture(self, atoms: Sequence[Atom]) -> list[Callable[[Index], Expr]]:
        """How to read elements of these values later on, whatever their Vars are bound to by then."""
        return [self.reader(atom) for atom in atoms]

    def is_cheap(self, atom: Atom) -> bool:
        """Whether computing an element twice does no harm."""
        if not atom.type.shape:
            return True
        binding = self.low.array(atom)
        return isinstance(binding, Slot) or (binding.cheap and not binding.heavy)

    def is_view(self, atom: Atom) -> bool:
        """Whether an array is in storage or a free view of what is."""
        binding = self.low.array(atom)
        return isinstance(binding, Slot) or binding.free

    def settled(self, atom: Atom) -> None:
        """Write an array out unless its elements may be computed any number of times."""
        if atom.type.shape and not self.is_cheap(atom):
            self.low.stored(atom)

    def scalar_name(self, atom: Atom) -> Expr:
        """A scalar that loops will read: a name or a number."""
        expr = self.low.scalar(atom)
        if isinstance(expr, Name | Number) or not isinstance(atom, Var):
            return expr
        return Name(self.low.materialise(self.low.places.env[atom]).name)  # type: ignore[arg-type]

    def contiguous(self, array: Atom) -> Name | Load | None:
        """An expression of an array that is in storage, or is a contiguous part of one that is."""
        binding = self.low.array(array)
        if isinstance(binding, Slot):
            return Name(binding.name)
        return Name(binding.same.name) if binding.same is not None else binding.whole

    def of_equation(self, node: Equation, operands: Index) -> Expr:
        """An elementwise equation of these operands; what its text repeats is put into a variable first."""
        again = scalar_operation(node).repeated
        operands = tuple(self.low.simple(operand, atom) if k in again else operand for k, (operand, atom) in enumerate(zip(operands, node.ins, strict=True)))
        return scalar_element(node, operands, self.low.module)
