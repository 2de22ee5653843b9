"""The test programs, grouped by subject; `CASES` are all of them."""
from programs import arrays, containers, control_flow, linear_algebra, mixed, networks, oddities, physics, scalars, sizes, statistics, stencils, views
from programs.case import Case

GROUPS = (linear_algebra, stencils, physics, networks, statistics, containers, control_flow, views, scalars, arrays, oddities, mixed, sizes)
CASES: tuple[Case, ...] = tuple(case for group in GROUPS for case in group.CASES)
REFUSED: tuple[Case, ...] = oddities.REFUSED
