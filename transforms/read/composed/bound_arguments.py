"""What `inspect.signature(f).bind(…)` gives, read like a user's class: the arguments of a call by the names of the parameters."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import inspect

from s2s.transforms.read.values import STANDS_FOR


class BoundArguments:
    """Of these arguments; `places` says of each parameter its name, what stars it has and whether it is given by name only, `defaults` which have one."""

    def __init__(self, signature, arguments, places, defaults):
        self.signature, self.arguments, self._places, self._defaults = signature, arguments, places, defaults

    @property
    def args(self):
        """Those that are given by position: a parameter without an argument ends them."""
        args = []
        for name, stars, by_name in self._places:
            if by_name or name not in self.arguments:
                break
            if stars == 1:
                args.extend(self.arguments[name])
            else:
                args.append(self.arguments[name])
        return tuple(args)

    @property
    def kwargs(self):
        """Those that are given by name: what stands behind a parameter without an argument, too."""
        kwargs = {}
        started = False
        for name, stars, by_name in self._places:
            started = started or by_name or (name not in self.arguments and stars == 0)
            if started and name in self.arguments:
                if stars == 2:
                    kwargs.update(self.arguments[name])
                else:
                    kwargs[name] = self.arguments[name]
        return kwargs

    def apply_defaults(self):
        """Give the parameters without an argument their defaults, all in their order."""
        arguments = {}
        for name, stars, _ in self._places:
            if name in self.arguments:
                arguments[name] = self.arguments[name]
            elif stars == 1:
                arguments[name] = ()
            elif stars == 2:
                arguments[name] = {}
            elif name in self._defaults:
                arguments[name] = self._defaults[name]
        self.arguments = arguments


setattr(BoundArguments, STANDS_FOR, inspect.BoundArguments)
