"""`raise`: of an exception or a class of such, of which it may be known which one it is."""
from __future__ import annotations

from s2s.transforms.read.describing import describe
from s2s.transforms.read.flow.caught import UNTOLD, message_of
from s2s.transforms.read.flow.failing import fail
from s2s.transforms.read.flow.made_exceptions import makes_itself
from s2s.transforms.read.flow.spreading import spreads
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, MadeError


@spreads(0)
def raise_one(reader: Reader, error: Abstract) -> None:
    """raise error: an exception, or a class of such."""
    match error:
        case type() if issubclass(error, BaseException):
            fail(reader, error, None)
        case MadeError():
            fail(reader, error.kind, error.message)
        case BaseException() if message_of(error) is not UNTOLD and not makes_itself(type(error)):
            fail(reader, type(error), message_of(error))
        case _:
            raise reader.unsupported(f"raising {describe(reader, error)}", "raise ValueError(…) with a message")


__all__ = ["raise_one"]
