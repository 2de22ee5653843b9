"""Facts of the machine on which s2s was tuned: numbers that decide how quick emitted code is, never what it computes.

Each says its unit, what it decides, and when it was measured last. `python benchmarks/tuning.py` measures whether they still pay
where you are. Limits of another kind (how long the reader unrolls, how many proofs are tried) stand where they are used.
"""
from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

MEASURED = "2026-11-22, AMD EPYC (two busy cores), numba 0.68.1"
UNDECIDED = "2026-11-22: the programs of the benchmark come out the same with any value"
ESTIMATED = "2026-11-22: the sum's and product's measured (as above), the others estimates beside it"


def _fact(value: float, unit: str, decides: str, measured: str = MEASURED) -> Any:
    """A field: its value, the unit, what it decides, when it was measured."""
    return dataclasses.field(default=value, metadata={"unit": unit, "decides": decides, "measured": measured})


@dataclass
class Tuning:
    """The values that are in use; one object, `TUNING`, which only benchmarks and tests change."""

    trips_abreast: int = _fact(4, "trips", "how many trips of a derivative's loop are taken at once (passes/abreast.py): more need more registers than there are")
    body_abreast: int = _fact(16, "statements", "from how many a loop's body is not taken abreast: it would be written out five times")
    fusion_reach: int = _fact(24, "statements", "how many statements back a loop looks for one that it can join (passes/fuse.py)")
    operations_again: int = _fact(4, "operations", "up to which an element of a temporary is computed again where it is read (passes/temporaries.py)")
    terms_again: int = _fact(4, "operations, reads", "of terms, up to which a gathered sum computes them again instead of keeping them (loops/vectorise.py)")
    large_kernel: int = _fact(
        600, "LLVM instructions", "from which a kernel's loops are neither unrolled nor interleaved: half of what LLVM does otherwise (codegen/native/writing.py)",
    )
    long_kernel: int = _fact(
        5000, "LLVM instructions", "from which LLVM does not look for better addresses in a kernel's loops: half of its time for machine code (codegen/native/library.py)",
        "2026-11-30, AMD EPYC (two busy cores), numba 0.68.1: a gradient of 8500 takes 1 % longer then, those of 3600 to 4500 take 2 to 4 %",
    )
    helper_apart: int = _fact(500, "LLVM instructions", "from which a helper with loops stays a function of its own in a large kernel (codegen/native/writing.py)")
    places_in: int = _fact(6, "calls", "up to how many long helpers that are to be written in place of their calls are (codegen/native/writing.py)", "2026-11-28, the same: a product of 3 x 3 takes 11.5 ns instead of 8.8 then, one of 2 x 2 4.7 instead of 5.7")
    falling_elements: int = _fact(
        4, "elements", "from how many the compiler tests a falling loop's arrays for overlaps instead of comparing distances (passes/falling.py)"
    )
    unrolled_trips: int = _fact(8, "trips", "up to which a compiler writes a loop out, so that the loop around it may be vectorised (passes/singles.py)", UNDECIDED)
    lanes: int = _fact(512, "examples", "that run the same loop side by side (loops/lanes.py): their numbers are to stay in the first cache")
    lane_choice: int = _fact(8, "operations", "of one arm of a choice, up to which lanes compute both arms (loops/lanes.py)", UNDECIDED)
    blas_from: int = _fact(10_000, "multiplications", "from which BLAS is worth its call in a function that may be called in a loop, or for one column (targets/cpu/products.py); of a product that is made once it always is")
    blas_in_loops: int = _fact(1_750, "multiplications", "from which BLAS is worth its call for a product within a loop (targets/cpu/products.py)", "2026-11-23, AMD EPYC (two busy cores), numba 0.68.1")
    numpy_product_from: int = _fact(400_000, "multiplications", "from which a product that is all that a function does is NumPy's, whose call takes some µs more (lowering/by_numpy.py)", "2026-11-23, AMD EPYC (two busy cores), numba 0.68.1")
    helper_in_place: int = _fact(16, "equations", "up to which a helper that works element by element is written in place of its calls (simplify/simplification.py)")
    chain_operations: int = _fact(
        160, "linear operations", "in a body above which its partials are not multiplied first: it is bound by their number (loops/preaccumulate.py)"
    )
    chain_tries: int = _fact(24, "tries", "how many of the ways from none to all of the sums put into others are estimated, about (loops/preaccumulate.py)")
    chain_gain: float = _fact(0.9, "ratio", "below which part of what it was the estimated time must fall (loops/preaccumulate.py)")
    latency: float = _fact(3.5, "cycles", "until the next operation can use a sum or a product (loops/linear_sums.py)", ESTIMATED)
    latency_of_division: float = _fact(13.0, "cycles", "the same of a quotient", ESTIMATED)
    latency_of_sign: float = _fact(1.0, "cycles", "the same of a negation", ESTIMATED)
    latency_of_choice: float = _fact(2.0, "cycles", "the same of a choice between two", ESTIMATED)
    latency_of_access: float = _fact(5.0, "cycles", "the same of an element that is read or stored", ESTIMATED)
    latency_of_update: float = _fact(9.0, "cycles", "the same of an element that is added to", ESTIMATED)
    latency_of_branch: float = _fact(6.0, "cycles", "the same of a branch", ESTIMATED)
    latency_of_function: float = _fact(20.0, "cycles", "the same of a function of `math` or of the program; as work it counts twice", ESTIMATED)
    operations_a_cycle: float = _fact(2.5, "operations", "that a machine does in a cycle (loops/linear_sums.py)", ESTIMATED)
    segment_room: int = _fact(1 << 15, "bytes", "that the tapes of a segment may take even if its snapshots take less (checkpoints/snapshot_sweeps.py): the first cache")
    while_snapshots: int = _fact(128, "snapshots", "of a while loop where their number is left to us (checkpoints/snapshot_sweeps.py): two runs reach over 8000 segments")
    tape_entries: int = _fact(16, "entries", "for which a growing tape has room at first (derivatives/reverse/sweep.py)")


TUNING = Tuning()
