"""What ends the reading of a statement, and what is said of it in the end."""
from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from s2s.errors import InternalError, Location, UnknownSizeError, UnsupportedError, UnsupportedErrors
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Steps
from s2s.types import Array, promote


class Suppressed(Exception):
    """A name is used whose assignment failed: the failure was reported already."""


class NeedsInline(Exception):
    """This helper can't be a function of the program (it returns an alias, changes a container, …): read it in place."""


class OtherItems(UnsupportedError):
    """A list that was made of numbers of one type gets a number of another type, or tuples beside None: to be read again with items of the type of both."""

    def __init__(self, origin: Hashable, type_: Any, where: Location) -> None:
        super().__init__(f"items of several types in a list (not only {type_.words})", where=where, instead="one type of items")
        self.types = {origin: type_}


class MoreTexts(UnsupportedError):
    """A list got a text after items of lists of texts were looked at: to be read again with that among what they may be."""

    def __init__(self, where: Location, texts: tuple[str, ...]) -> None:
        super().__init__("a list of texts of which only the run knows which one an item is", where=where, instead="numbers, and a tuple of the texts")
        self.texts = texts


class RunTimeKeys(UnsupportedError):
    """A dict or set of known keys gets one that only the run knows: to be read again, with those made at these places as such (`flow/keyed.py`)."""

    def __init__(self, error: UnsupportedError, places: frozenset[Hashable]) -> None:
        super().__init__(error.what, where=error.where, why=error.why, instead=error.instead)
        self.places = places


class Recorded(UnsupportedError):
    """A dict of which only the run knows whether it has some keys: to be read again, with those made at these places as records, or not as such (`calls/records.py`)."""

    def __init__(self, error: UnsupportedError, places: frozenset[Hashable], *, as_record: bool) -> None:
        super().__init__(error.what, where=error.where, why=error.why, instead=error.instead)
        self.places, self.as_record = places, as_record


class ToBePooled(UnsupportedError):
    """A list or object of which only the run knows which one it is: to be read again with such in a pool (`storage/pools.py`)."""

    def __init__(self, error: UnsupportedError, plans: tuple[Any, ...]) -> None:
        super().__init__(error.what, where=error.where, why=error.why, instead=error.instead)
        self.refusal, self.plans = error, plans


class NotPooledHere(UnsupportedError):
    """A pool is asked where there can be none: in a function that is transformed inside of another one."""


class ChangedMeanwhile(UnsupportedError):
    """A list grows or shrinks while something goes through it: a `for` through it is read again as Python's own iterator does (`flow/own_iterators.py`)."""

    def __init__(self, reader: Reader, of: Any, what: str = "a list that grows or shrinks while a loop goes through it") -> None:
        super().__init__(what, where=reader.builder.where, instead="a loop over a copy of it: for item in items[:]")
        self.of = of


class NoEnd(UnknownSizeError):
    """A function calls itself without an end that is known while reading. `may_be_told`: by a whole number of the call, that another reading knows."""

    may_be_told = False


class CallsItself(UnsupportedError):
    """A function that calls itself without an end that is known: to be read again as a loop with a stack (`calls/recursion.py`)."""

    def __init__(self, error: UnsupportedError, place: Location) -> None:
        super().__init__(error.what, where=error.where, why=error.why, instead=error.instead)
        self.place = place


class MayBeAnother(UnsupportedError):
    """A store into what may or may not be another array: to be read again with those that met at these places kept apart."""

    def __init__(self, error: UnsupportedError, places: frozenset[Hashable]) -> None:
        super().__init__(error.what, where=error.where, why=error.why, instead=error.instead)
        self.refusal, self.places = error, places


Found = tuple[Any, Steps, str | None, bool]
"""A thing outside that is stored into, the steps to it, the name of what is stored, and whether it is a module's globals."""


class StoredOutside(UnsupportedError):
    """A store into what lives outside of the function: to be read again with that taken in. `name`: of the global or attribute. `beside`: what is likely to be stored into as well."""

    def __init__(self, error: UnsupportedError, thing: Any, steps: Steps, name: str | None, *, is_globals: bool = False) -> None:
        super().__init__(error.what, where=error.where, why=error.why, instead=error.instead)
        self.refusal = error
        self.found: list[Found] = [(thing, steps, name, is_globals)]
        self.beside: list[Found] = []


class TakenByTurns(UnsupportedError):
    """An iterator of which only the run knows how many items were taken: to be read again with those made at these places, and what takes from them, as objects (`flow/by_turns.py`)."""

    def __init__(self, error: UnsupportedError, places: frozenset[Location]) -> None:
        super().__init__(error.what, where=error.where, why=error.why, instead=error.instead)
        self.refusal, self.places = error, places


class OtherSizes(UnknownSizeError):
    """Arrays that would stand in one list, if their sizes were known to be equal: no other reading for any sizes knows that, but one for the call's may."""


class StaysRefused(UnsupportedError):
    """What is refused however often it is read, unless it follows from what could not be read before it."""


def fail_if_refused_again(reader: Reader) -> None:
    """Raise what stays refused and was so in an earlier reading, another one from then on: large functions take their time to read."""
    if any(isinstance(error, StoredOutside) for error in reader.errors):
        return
    found = {str(error): error for error in reader.errors if isinstance(error, StaysRefused)}
    again = tuple(error for text, error in found.items() if text in reader.session.refused)
    reader.session.refused.update(found)
    if again:
        raise again[0] if len(again) == 1 else UnsupportedErrors(reader.frame.name, again)


def fail_if_errors(reader: Reader) -> None:
    """Raise what was collected."""
    if not reader.errors:
        return
    reported = [error for error in reader.errors if not isinstance(error, InternalError)]  # the others only follow from these
    outside = [error for error in reported if isinstance(error, StoredOutside)]
    if outside:  # the others may follow from what was not stored
        outside[0].found = [each for error in outside for each in error.found]
        outside[0].beside = [each for error in outside for each in error.beside]
        raise outside[0]
    for error in reported:
        if isinstance(error, CallsItself):
            raise error
    for error in reported:
        if isinstance(error, OtherItems):
            raise _of_all_lists([each for each in reported if isinstance(each, OtherItems)])
        if isinstance(error, MoreTexts):
            error.texts = tuple(dict.fromkeys(text for each in reported if isinstance(each, MoreTexts) for text in each.texts))
        if isinstance(error, UnknownSizeError | MoreTexts | Recorded | TakenByTurns):  # read again, all may be well
            raise error
    keyed = [error for error in reported if isinstance(error, RunTimeKeys)]
    if keyed:
        keyed[0].places = frozenset[Hashable]().union(*(error.places for error in keyed))
        raise keyed[0]
    pooled = [error for error in reported if isinstance(error, ToBePooled)]
    if pooled:
        pooled[0].plans = tuple(plan for error in pooled for plan in error.plans)
        raise pooled[0]
    places = frozenset[Hashable]().union(*(error.places for error in reported if isinstance(error, MayBeAnother)))
    if not places <= reader.session.apart:
        raise MayBeAnother(next(error for error in reported if isinstance(error, MayBeAnother)), places)
    reported = [error.refusal if isinstance(error, MayBeAnother) else error for error in reported]
    first = {str(error): error for error in reported or reader.errors}
    told, *more = first.values()
    errors = (told, *(error for error in more if isinstance(error, UnsupportedError)))  # any other may follow from what could not be read
    if len(errors) == 1 or not isinstance(told, UnsupportedError):
        raise told
    raise UnsupportedErrors(reader.frame.name, errors)


def _of_all_lists(errors: list[OtherItems]) -> OtherItems:
    """The first of these, for all lists: one reading learns what each of them gets."""
    found = errors[0].types
    for error in errors[1:]:
        for origin, type_ in error.types.items():
            known = found.get(origin, type_)
            alike = isinstance(known, Array) and isinstance(type_, Array) and (known.weak or type_.weak or known.dtype == type_.dtype)
            found[origin] = promote([known, type_]) if alike else known
    return errors[0]
