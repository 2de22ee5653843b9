"""Many random programs in one process, without pytest: `python -m tests.fuzz.run --count 5000 --seed 1`.

Prints what became of them, refusals and faults by kind, and each fault's program, made as small as it gets.
"""
from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from pathlib import Path

os.environ.setdefault("S2S_CHECK", "1")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500, help="how many programs")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no further program after so long")
    parser.add_argument("--seed", type=int, default=1, help="the first program's seed")
    parser.add_argument("--size", type=int, default=0, help="statements in a program; 0: from 3 to 18")
    parser.add_argument("--first-order", action="store_true", help="leave out second derivatives")
    parser.add_argument("--targets", default="numpy", help="modules to emit: numpy, cpu, or both with a comma; none: ''")
    parser.add_argument("--every", type=int, default=4, help="emit modules of each n-th program")
    parser.add_argument("--loops", action="store_true", help="loop programs at any sizes (`loops`), in turn of float64, float32 and complex numbers")
    parser.add_argument("--kind", choices=("real", "single", "complex"), help="loop programs of this kind only")
    parser.add_argument("--storage", action="store_true", help="programs about storage (`storage`), every other one with float32 arrays")
    parser.add_argument("--raising", action="store_true", help="of these, programs that may fail as NumPy does")
    parser.add_argument("--objects", action="store_true", help="programs about Python's objects (`objects`), every fourth of which may fail as Python does")
    parser.add_argument("--data-model", action="store_true", help="programs in Python's data model (`data_model`)")
    parser.add_argument("--classes", action="store_true", help="programs of small classes as engineers write them (`classes`)")
    parser.add_argument("--aliases", action="store_true", help="programs about names that are one array or another (`aliases`)")
    parser.add_argument("--points", type=int, default=2, help="at how many points a program runs")
    parser.add_argument("--transformed", action="store_true", help="programs that use transformations themselves")
    parser.add_argument("--lists", action="store_true", help="programs about lists of run-time length, and who holds what is in them (`lists`)")
    parser.add_argument("--mixed", action="store_true", help="programs about lists whose items differ in type, and that grow on some paths (`mixed`)")
    parser.add_argument("--lengths", action="store_true", help="programs about lists of arrays that are each of a size of their own (`lengths`)")
    parser.add_argument("--flow", action="store_true", help="programs about where the run goes (`flow`)")
    parser.add_argument("--iterators", action="store_true", help="programs about iterators from which several take (`iterators`)")
    parser.add_argument("--keyed", action="store_true", help="programs about dicts and sets of run-time keys (`keyed`)")
    parser.add_argument("--vmap", nargs="*", metavar="MODE", help="the programs as batches (`batches`), in these modes (vmap, grad-of-vmap, …), or all, or without any: the value and another by the seed; --storage, --loops, --aliases, --objects: of these grammars (the last two in modes of their own)")
    parser.add_argument("--calls", action="store_true", help="calls of single functions (`calls`) instead of programs; --points of them each, --targets numpy or cpu")
    parser.add_argument("--only", default="", help="of these, those with this in their names (several with commas)")
    parser.add_argument("--half", action="store_true", help="of these, all with float16 among their arguments")
    parser.add_argument("--large", action="store_true", help="of these, all with sizes 0, 1, 2 and 7, and arrays of up to four axes")
    parser.add_argument("--narrow", action="store_true", help="of these, all with integers of other widths than int32 and int64 among their arguments")
    parser.add_argument("--values", action="store_true", help="of these, without derivatives")
    parser.add_argument("--refusals", action="store_true", help="of these, print what is refused")
    parser.add_argument("--show", default="", help="of these, print also those of other kinds: worded, typed, copied, earlier (several with commas)")
    parser.add_argument("--write-known", action="store_true", help="of these, write the faults found to calls_known.json, and drop those of functions that show none any more")
    parser.add_argument("--show-known", action="store_true", help="of these, print faults on the list, too")
    parser.add_argument("--no-minimise", action="store_true", help="print faulty programs as they are")
    parser.add_argument("--keep", type=Path, default=None, help="folder for the faulty programs")
    options = parser.parse_args()
    if options.calls:
        from .calls_run import main as run_calls

        return run_calls(options)

    from .aliases import AliasProgram, examine_aliases
    from .batches import MODES, examine_batch
    from .bounds import Tally
    from .check import Outcome, examine
    from .classes import ClassProgram
    from .data_model import DataModelProgram
    from .flow import FlowProgram
    from .grammar import Program, Seeded
    from .iterators import IteratorProgram
    from .keyed import KeyedProgram
    from .lengths import LengthProgram
    from .lists import ListProgram
    from .loops import KINDS, LoopProgram
    from .minimise import minimise
    from .mixed import MixedProgram
    from .object_check import examine_objects
    from .objects import ObjectProgram
    from .other_batches import examine_alias_batch, examine_object_batch
    from .storage import StorageProgram

    targets = tuple(target for target in options.targets.split(",") if target)
    modes = None if options.vmap is None else MODES if "all" in options.vmap else tuple(mode.replace("-", " ") for mode in options.vmap)
    if not set(modes or ()) <= set(MODES):
        parser.error(f"--vmap: the modes are {', '.join(mode.replace(' ', '-') for mode in MODES)}")
    if modes is not None and any((options.lists, options.lengths, options.keyed, options.data_model, options.mixed, options.flow, options.iterators, options.classes, options.raising)):
        parser.error("--vmap: of the grammars only --storage, --loops, --aliases and --objects")
    tally = Tally("batches" if modes is not None else "aliases" if options.aliases else "lists" if options.lists else "mixed" if options.mixed else "lengths" if options.lengths else "flow" if options.flow else "by turns" if options.iterators else "keyed" if options.keyed else "classes" if options.classes else "data model" if options.data_model else "objects" if options.objects else "raising" if options.raising else "storage" if options.storage else "loops" if options.loops else "transformed" if options.transformed else "grammar")
    labels: Counter[str] = Counter()
    start = time.perf_counter()
    for number, seed in enumerate(range(options.seed, options.seed + options.count), 1):
        if time.perf_counter() - start > options.seconds:
            break
        size = options.size or 3 + seed % 16
        if options.objects:
            text = ObjectProgram(Seeded(seed), options.size or 1 + seed % 6, raising=seed % 4 == 3).text()
        elif options.data_model:
            text = DataModelProgram(Seeded(seed), options.size or 1 + seed % 5).text()
        elif options.classes:
            text = ClassProgram(Seeded(seed), options.size or 1 + seed % 4).text()
        elif options.aliases:
            text = AliasProgram(Seeded(seed), size).text()
        elif options.lists:
            text = ListProgram(Seeded(seed), options.size or 1 + seed % 5).text()
        elif options.mixed:
            text = MixedProgram(Seeded(seed), options.size or 1 + seed % 4).text()
        elif options.lengths:
            text = LengthProgram(Seeded(seed), options.size or 1 + seed % 4).text()
        elif options.flow:
            text = FlowProgram(Seeded(seed), options.size or 1 + seed % 4).text()
        elif options.iterators:
            text = IteratorProgram(Seeded(seed), options.size or 1 + seed % 4).text()
        elif options.keyed:
            text = KeyedProgram(Seeded(seed), options.size or 1 + seed % 5).text()
        elif options.storage:
            text = StorageProgram(Seeded(seed), size, single=seed % 2 == 1 and not options.raising, transformed=options.transformed, raising=options.raising).text()
        elif options.loops:
            kind = options.kind or KINDS[seed % 3]
            text = LoopProgram(Seeded(seed), size, kind, transformed=options.transformed).text()
        else:
            text = Program(Seeded(seed), size, transformed=options.transformed).text()
        chosen = targets if number % options.every == 0 else ()

        def run(text: str, seed: int = seed, chosen: tuple[str, ...] = chosen) -> Outcome:
            if modes is not None and (options.aliases or options.objects):
                examine_other = examine_alias_batch if options.aliases else examine_object_batch
                return examine_other(text, seed, target=(chosen or ("numpy",))[0], gradient=not options.first_order)
            if modes is not None:
                return examine_batch(text, seed, modes=modes, targets=chosen)
            if options.aliases or options.lists or options.keyed:
                return examine_aliases(text, seed, points=options.points, target=(chosen or ("numpy",))[0], gradient=not options.first_order)
            if options.mixed or options.flow or options.iterators or options.classes or options.lengths:
                return examine_objects(text, seed, targets=chosen or ("numpy",), gradient=False)
            if options.objects or options.data_model:
                return examine_objects(text, seed, targets=chosen or ("numpy",), gradient=not options.first_order)
            return examine(text, seed, second=not options.first_order, targets=chosen, points=options.points)

        outcome = run(text)
        tally.add(outcome.kind, f"{outcome.stage}: {outcome.reason}")
        if outcome.kind != "ok":
            labels[outcome.label()] += 1
        if outcome.kind == "fault" and labels[outcome.label()] <= 3:
            print(f"--- seed {seed}, size {size}: {outcome.label()}", flush=True)
            small = text if options.no_minimise else minimise(text, outcome, run)
            print(small[small.index("def f("):], flush=True)
            print(run(small).detail[-1500:], flush=True)
            if options.keep is not None:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"seed_{seed}.py").write_text(f"# {outcome.label()}\n{small}")
        if number % 100 == 0:
            print(f"{number}: {dict(tally.kinds)} {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    print(f"{time.perf_counter() - start:.0f} s. {tally.report(most=1000)}")
    for label, count in labels.most_common():
        if not label.startswith("refused"):
            print(f"{count:6} {label}")
    if tally.too_many:
        print("more of the programs are refused than `bounds.MOST_REFUSED` allows")
    return 1 if tally.kinds["fault"] or tally.too_many else 0


if __name__ == "__main__":
    sys.exit(main())
