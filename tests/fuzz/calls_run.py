"""Many random calls in one process: `python -m tests.fuzz.run --calls --count 5000 --seed 1`.

Prints what became of them, refusals and faults by function, and for each fault a program that shows it, made as small as it gets.
"""
from __future__ import annotations

import argparse
import sys
import time

import numpy as np


def main(options: argparse.Namespace) -> int:
    from . import calls_draw, calls_known
    from .calls import NAMES, seeds
    from .calls_bounds import exceeded, report
    from .calls_check import OTHERS, Tally, examine, minimise, program_text

    np.seterr(all="ignore")
    if options.half:
        calls_draw.SHARE["half"] = 1
    if options.narrow:
        calls_draw.SHARE["narrow"] = 1
    if options.large:
        calls_draw.SHARE["large"] = 1
    tally, start, count = Tally(), time.perf_counter(), 0
    names = tuple(name for name in NAMES if not options.only or any(part in name for part in options.only.split(",")))
    if not names:
        raise SystemExit(f"no function has {options.only} in its name: they are called {', '.join(NAMES[:3])} …")
    target = options.targets.split(",")[0] or "numpy"
    for number, call in enumerate(seeds(options.seed, options.count, names), 1):
        if time.perf_counter() - start > options.seconds:
            break
        for point, outcome in examine(call, options.points, target=target, derivatives=not options.values, second=number % 10 == 0 and not options.first_order):
            count += 1
            tally.add(call, point, outcome)
            if outcome.kind in ("wrong", "internal"):
                print(f"{outcome.label(call.name)}   (seed {call.seed}, point {point})", file=sys.stderr, flush=True)
        if number % 500 == 0:
            print(f"{number}: {dict(tally.kinds)} {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    print(f"{count} calls in {time.perf_counter() - start:.0f} s")
    known = calls_known.read()
    for label, found in sorted(tally.faults.items()):
        call, point, outcome = found[0]
        if outcome.kind in OTHERS and outcome.kind not in options.show.split(","):
            continue
        known_before = known.get(call.name, {}).get(outcome.kind)
        if known_before and not options.show_known:
            continue
        if not options.no_minimise and outcome.kind not in OTHERS:
            call, point, outcome = minimise(call, point, outcome, target=target)
        print(f"--- {outcome.kind} {len(found)} x {label}   (seed {found[0][0].seed}, point {found[0][1]})\n{program_text(call, point)}\n# {outcome.detail[:600]}", flush=True)
        if options.write_known and outcome.kind == "wrong":
            known.setdefault(call.name, {}).setdefault(outcome.kind, {})[label.partition(" | ")[2]] = program_text(call, point).splitlines()[1:]
    if options.write_known:
        calls_known.write(known)
    if options.refusals:
        for what, n in tally.refused.most_common():
            print(f"{n:6} refused {what}")
    print(report(tally.kinds))
    for broken in (found := exceeded(tally.kinds)):
        print(f"above its bound: {broken}")
    return 1 if found else 0
