"""x.at[index].set(v) and its like: functions of the array and the index, composed in plain NumPy (`composed/functional_updates.py`)."""
from __future__ import annotations

from s2s.transforms.read.callables import AtPlace
from s2s.transforms.read.calls.composed import call_part
from s2s.transforms.read.composed.functional_updates import UPDATES
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract


def update_of(place: AtPlace, name: str) -> AtPlace:
    """x.at[index].name."""
    if name not in UPDATES or place.name:
        raise AttributeError(f"x.at[…] has no attribute {name!r} (it has {', '.join(UPDATES)})")
    return AtPlace(place.array, place.index, name)


def call_update(reader: Reader, place: AtPlace, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """x.at[index].name(…)."""
    if not place.name:
        raise reader.unsupported("a call of x.at[…]", f"x.at[…].set(…) or another one of {', '.join(UPDATES)}")
    return call_part(reader, UPDATES[place.name], (place.array, place.index, *args), kwargs, f"x.at[…].{place.name}")
