"""`Transformed`: a user's function with a rewrite of its program, called like the function.

    grad(f)   =   Transformed(f, Rewrite(GRAD, …))        jit(f)   =   Transformed(f, Rewrite(JIT, …))

It can show what it runs (`.source`, `.program`), and it can be staged inside another program (`.stage`), so that
transformations nest in any order.
"""
from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Hashable
from contextvars import ContextVar, Token
from dataclasses import dataclass, field, replace
from types import MethodType
from typing import TYPE_CHECKING, Any

import numpy as np

from s2s import hidden as hidden_inputs
from s2s.calls.leaves import overlap, ready, ready_as_it_lies, ready_for_entry, same_memory
from s2s.calls.request import Request, leaf_names, positional_names, request_of
from s2s.calls.rewrite import Options, Rewrite, Watch
from s2s.calls.specialisation import Specialisation
from s2s.calls.specialise import building, specialise, stretched_at_run_time
from s2s.codegen.modules.call import CallShape, Static
from s2s.errors import ArgumentValueError, InternalError, SizesError, UnknownSizeError
from s2s.transforms.read import read
from s2s.tree_util import tree_flatten, tree_unflatten

if TYPE_CHECKING:
    from s2s.transforms.ir.program import Function
    from s2s.transforms.ir.staged import Staged
    from s2s.types import Var


class Switch:
    """`disable_jit`, for each context. `used`: whether anyone has turned it on so far, which is asked faster than a context variable."""

    def __init__(self) -> None:
        self.used = False
        self._on: ContextVar[bool] = ContextVar("s2s_disable_jit", default=False)
        self.get = self._on.get

    def set(self, on: bool) -> Token[bool]:
        """As a ContextVar's."""
        self.used |= on
        return self._on.set(on)

    def reset(self, token: Token[bool]) -> None:
        """As a ContextVar's."""
        self._on.reset(token)


DISABLED = Switch()
"""Whether `disable_jit()` is in force."""

_LOCK = threading.RLock()
"""One specialisation is made at a time."""
_KEPT = 8
"""Specialisations kept for one structure of arguments, whose guards or hidden inputs differ."""


@dataclass(eq=False)
class Transformed:
    """A function of the user's with a rewrite. Called, it runs the module that was emitted for the arguments' types."""

    fun: Callable[..., Any]
    rewrite: Rewrite
    options: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        self.inner = self.fun if isinstance(self.fun, Transformed) else None
        self.root: Any = self.inner.root if self.inner else self.fun
        self.target: str = self.inner.target if self.inner and not self.rewrite.is_jit else self.options.target
        self._lasting: Specialisation | None = None
        self._found: dict[Hashable, list[Specialisation]] = {}
        self.stretched: set[Hashable] = set()
        """Keys with exact sizes: calls for which sizes must be known."""
        self._numpy: Transformed | None = None
        self.name = _name_of(self.root)
        self._sign()
        self.static_names = self._all_names_of_statics()
        functools.update_wrapper(self, self.fun, updated=())

    def _sign(self) -> None:
        """Note how the function can be called now: its code and its defaults may be replaced."""
        self.signature = _signature_of(self.root)
        self._signed = _code_and_defaults(self.root)

    # ---- calling ----------------------------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        last = self._lasting
        if last is not None and not (DISABLED.used and DISABLED.get()):
            try:
                result = last.enter(args, kwargs)
            except Exception as error:
                if last.explained(error) is error:
                    raise
            else:
                if result is not NotImplemented:
                    return result
        return self._call(args, kwargs)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The general way: any container, static values, arrays of any layout, overlapping arguments, a first call."""
        if DISABLED.get():
            return self.fun(*args, **kwargs) if self.rewrite.is_jit else self.enabled().run_enabled(args, kwargs)
        return self.run_enabled(args, kwargs)

    def run_enabled(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        self.check_call(args, kwargs)
        request = request_of(self, args, kwargs)
        request.exact = self._needs_sizes(request)
        found = self.specialisation(request, args)
        try:
            return self._run(found, request, args)
        except SizesError:
            pass
        request.exact = True
        self.stretched.add(request.key())
        return self._run_exact(request, args)

    def _run_exact(self, request: Request, args: tuple[Any, ...]) -> Any:
        try:
            return self._run(self.specialisation(request, args), request, args)
        except SizesError as error:
            raise stretched_at_run_time(error.failure) or error.failure from None

    def _needs_sizes(self, request: Request) -> bool:
        """Whether a module for any sizes was tried with these shapes before, and its checks failed."""
        return bool(self.stretched) and replace(request, exact=True).key() in self.stretched

    def check_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Raise what JAX would raise for unusable arguments."""
        self.rewrite.check(args)
        self.check_binding(args, kwargs)

    def check_binding(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """TypeError unless the user's function can be called with these arguments."""
        if any(now is not before for now, before in zip(_code_and_defaults(self.root), self._signed, strict=True)):
            self._sign()
        if self.signature is not None:
            own_args, own_kwargs = self.rewrite.staged_arguments(args, kwargs)
            try:
                self.signature.bind(*own_args, **own_kwargs)
            except TypeError as error:
                raise TypeError(f"{self.name}() {error}") from None

    def specialisation(self, request: Request, args: tuple[Any, ...]) -> Specialisation:
        key = request.key()
        with _LOCK:
            known = self._found.setdefault(key, [])
            for found in known:
                if found.valid():
                    return found
            return self._new(request, args)

    def _new(self, request: Request, args: tuple[Any, ...]) -> Specialisation:
        with _LOCK:
            try:
                new = specialise(self, request, leaf_names(self, args, request.treedef))
            except UnknownSizeError:
                if request.exact:
                    raise
                request.exact = True
                self.stretched.add(request.key())
                return self._new(request, args)
            known = self._found.setdefault(request.key(), [])
            known.insert(0, new)
            del known[_KEPT:]
            return new

    def _run(self, found: Specialisation, request: Request, args: tuple[Any, ...]) -> Any:
        """Hand over leaves as the module takes them, and bring back what it wrote into copies."""
        hidden = list(found.look() or ())
        self._check_separate(found, request, hidden, args)
        self._check_order(found, request, hidden, args)
        if found.mutated:
            aliases = self._aliases(found, request, hidden, args)
            if aliases != request.aliases:
                request.aliases = aliases
                return self._run(self.specialisation(request, args), request, args)
        elif not DISABLED.get():
            self._lasting = found
        raw = [leaf.value if isinstance(leaf, Static) else leaf for leaf in request.leaves] + hidden
        values = _ready_leaves(raw, found.mutated, request.aliases, found.given)
        kept = [(values[number], values[number].copy()) for number in found.mutated] if found.stretch else []
        args, kwargs = tree_unflatten(request.treedef, values[: len(request.leaves)])
        try:
            result = found.run(args, kwargs, values[len(request.leaves) :], request.statics())
        except Exception as error:
            explained = found.explained(error)
            if explained is error:
                raise
            for value, before in kept:
                value[...] = before
            raise explained from error
        finally:
            for number in found.mutated:
                if values[number] is not raw[number]:
                    raw[number][...] = values[number]
        if result is NotImplemented:  # equal keys, but not the same: static data of a user's class that is 1 or True
            new = self._new(request, args)
            if new.path == found.path:
                raise InternalError(f"the module {found.path} refuses the arguments that it was made for")
            return self._run(new, request, args)
        if found.mutated and not found.stretch and not request.aliases:
            self._lasting = found
        own = {id(value): leaf for value, leaf in zip(values, raw, strict=True) if value is not leaf and isinstance(leaf, np.ndarray) and leaf.ndim}
        return _with_callers_arrays(result, own) if own else result

    def _check_separate(self, found: Specialisation, request: Request, hidden: list[Any], args: tuple[Any, ...]) -> None:
        """ArgumentValueError if arrays share memory that a derivative takes for separate variables."""
        leaves = [*request.leaves, *hidden]
        for written, other in found.separate:
            if written != other and all(isinstance(leaves[number], np.ndarray) for number in (written, other)) and overlap(leaves[written], leaves[other]):
                raise ArgumentValueError(
                    f"two arguments of {self.name} share memory, and the function writes into one of them: {self._names_of(request, args, written, other)}",
                    why="the derivative treats them as separate variables", instead="pass a copy of one of them",
                )  # fmt: skip

    def _check_order(self, found: Specialisation, request: Request, hidden: list[Any], args: tuple[Any, ...]) -> None:
        """ArgumentValueError if an array is not in C order through whose reshape the function stores."""
        leaves = [*request.leaves, *hidden]
        for number in found.in_order:
            if isinstance(leaves[number], np.ndarray) and not leaves[number].flags.c_contiguous:
                raise ArgumentValueError(
                    f"{self._names_of(request, args, number)} must be contiguous in memory, because {self.name} stores through a reshape of it",
                    why="NumPy's reshape of it would be a copy", instead="np.ascontiguousarray(…) of it",
                )  # fmt: skip

    def _aliases(self, found: Specialisation, request: Request, hidden: list[Any], args: tuple[Any, ...]) -> tuple[int, ...]:
        """For each leaf the first leaf that is the same array, if one that is written is among them; () if there is none."""
        leaves = [*request.leaves, *hidden]
        arrays = [number for number, leaf in enumerate(leaves) if isinstance(leaf, np.ndarray)]
        aliases = list(range(len(leaves)))
        for written in found.mutated:
            for other in arrays:
                if other != written and overlap(leaves[written], leaves[other]):
                    if not same_memory(leaves[written], leaves[other]) or max(other, written) >= len(request.leaves):
                        raise ArgumentValueError(
                            f"two arguments of {self.name} share memory, and the function writes into one of them: {self._names_of(request, args, written, other)}",
                            why="the program treats them as separate arrays", instead="pass a copy of one of them",
                        )  # fmt: skip
                    aliases[other] = aliases[written] = min(aliases[other], aliases[written])
        return tuple(aliases) if aliases != list(range(len(leaves))) else ()

    def _names_of(self, request: Request, args: tuple[Any, ...], *numbers: int) -> str:
        names = leaf_names(self, args, request.treedef)
        return " and ".join(names[number] if number < len(names) else "a global or closure array" for number in numbers)

    def enabled(self) -> Transformed:
        """This, or under `disable_jit` the same run by NumPy."""
        return self.on_numpy() if DISABLED.get() else self

    def pullback_of(self, forward: Transformed, args: tuple[Any, ...]) -> tuple[Specialisation, Callable[..., tuple[Any, ...]], CallShape]:
        """For the pullback of a forward sweep that was called with args: its module, what that does with (residuals, out_bar), and
        what it was made for.
        """
        request = request_of(self, args, {})
        request.exact = forward._needs_sizes(request)
        request.after = forward.specialisation(request, args).path.name
        found = self.specialisation(request, args)
        public = getattr(found.module, self.public_name)

        def run(*given: Any) -> tuple[Any, ...]:
            leaves, treedef = tree_flatten(given)
            try:
                return public(*tree_unflatten(treedef, [ready(leaf, mutated=False) for leaf in leaves]))
            except Exception as error:
                found.explained(error)
                raise

        return found, run, request.shape(leaf_names(self, args, request.treedef))

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<s2s {self.rewrite.name} of {self.fun!r}>"

    # ---- showing ----------------------------------------------------------------------------------------------------

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The text of the module that is emitted for arguments of these types."""
        self.check_call(args, kwargs)
        return self.enabled().specialisation(request_of(self, args, kwargs), args).source()

    def emitted(self) -> list[str]:
        """The texts of the modules emitted so far in this process."""
        return list(dict.fromkeys(found.source() for known in self._found.values() for found in known))

    def program(self, *args: Any, **kwargs: Any) -> Function:
        """The transformed program for arguments of these types, as it is lowered; print it."""
        program: Function = self._for_call(args, kwargs, lambda shape: building().stage_call(self, shape).function)
        return program

    def stages(self, *args: Any, **kwargs: Any) -> dict[str, str]:
        """What each step from the source to the module made, by the step's name and in order, for arguments of these types.

        Programs first (as they were read, after each transformation, after each of the target's rewrites), then the statements
        of each kernel after lowering and after each pass, the module last.

        >>> import s2s
        >>> def half(x):
        ...     return 0.5 * x
        >>> steps = s2s.jit(half).stages(1.0)
        >>> list(steps)[:2], list(steps)[-1]
        (['read', 'functions without their rules'], 'module')
        >>> print(steps["simplified"])  # doctest: +ELLIPSIS
        def half(x: f8*):...
            mul: f8* = mul(0.5, x)
            return mul
        """
        return self._for_call(args, kwargs, self._stages)

    def _stages(self, shape: CallShape) -> dict[str, str]:
        made: dict[str, str] = {}

        def watch(name: str, text: str) -> None:
            turn = sum(other == name or other.startswith(f"{name}, ") for other in made) + 1
            made[name if turn == 1 else f"{name}, {turn}"] = text

        staged = building().stage_call(self, shape, watch)
        watch("module", building().module_text(self, staged, shape, public_name=self.public_name, watch=watch).text)
        return made

    def _for_call(self, args: tuple[Any, ...], kwargs: dict[str, Any], make: Callable[[CallShape], Any]) -> Any:
        """What `make` makes of a call's arguments; of their exact sizes where those must be known."""
        self.check_call(args, kwargs)
        request = request_of(self, args, kwargs)
        names = leaf_names(self, args, request.treedef)
        try:
            return make(request.shape(names))
        except UnknownSizeError:
            request.exact = True
            return make(request.shape(names))

    # ---- staging ----------------------------------------------------------------------------------------------------

    def stage(self, params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any], watch: Watch | None = None) -> Staged:
        """The transformed program for containers of Vars and static values: how a transformation nests in another."""
        own_args, kwargs = self.rewrite.staged_arguments(args, kwargs)
        if own_args is not args:
            own = tree_flatten((own_args, kwargs))[0]
            params = tuple(param for param in params if any(param is leaf for leaf in own))
        staged = building().checked(self._stage_primal(params, own_args, kwargs, watch))
        if self.rewrite.apply is None:
            return staged
        result = self.rewrite.apply(staged, args)
        if watch is not None:
            watch(self.rewrite.name, str(result.function))
        return result

    def _stage_primal(self, params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any], watch: Watch | None) -> Staged:
        if self.inner is not None:
            return self.inner.stage(params, args, kwargs, watch)
        staged = read(self.fun, params, args, kwargs)
        if watch is not None:
            watch("read", str(staged.function))
        return staged

    def on_numpy(self) -> Transformed:
        """The same transformation run by NumPy, without Numba: what `disable_jit` runs."""
        if self.target == "numpy":
            return self
        if self._numpy is None:
            inner = self.inner.on_numpy() if self.inner else self.fun
            self._numpy = Transformed(inner, self.rewrite, Options("numpy", self.options.static_argnums, self.options.static_argnames))
        return self._numpy

    def chain(self) -> tuple[Rewrite, ...]:
        """The rewrites from the innermost outwards, jit left out."""
        inner = self.inner.chain() if self.inner else ()
        return inner if self.rewrite.is_jit else (*inner, self.rewrite)

    def derivatives(self) -> tuple[Rewrite, ...]:
        """The chain without checkpoints, which change no result: what names and titles speak of."""
        return tuple(step for step in self.chain() if step.title)

    @property
    def public_name(self) -> str:
        """loss_grad, loss_jit: the name of the emitted function."""
        return "_".join([self.name, *([step.name for step in self.derivatives()] or ["jit"])])

    # ---- static arguments -------------------------------------------------------------------------------------------

    def _all_names_of_statics(self) -> frozenset[str]:
        inner = self.inner.static_names if self.inner else frozenset()
        names = set(self.options.static_argnames)
        if self.options.static_argnums:
            positional = positional_names(self.signature, 0 if self.signature is None else len(self.signature.parameters))
            for number in self.options.static_argnums:
                if not -len(positional) <= number < len(positional):
                    raise ArgumentValueError(f"jitted function has static_argnums={self.options.static_argnums}, but only {len(positional)} positional arguments")
                names.add(positional[number])
        known = set(self.signature.parameters) if self.signature else names
        takes_any = self.signature is None or any(p.kind is p.VAR_KEYWORD for p in self.signature.parameters.values())
        if not takes_any and (wrong := names - known):
            raise ArgumentValueError(f"jitted function has no argument named {', '.join(sorted(wrong))} (static_argnames)")
        return inner | names

    def mark_static(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments with the static ones wrapped."""
        if not self.static_names:
            return args, kwargs
        names = positional_names(self.signature, len(args))
        marked = tuple(Static(arg) if name in self.static_names else arg for name, arg in zip(names, args, strict=True))
        return marked, {name: Static(arg) if name in self.static_names else arg for name, arg in kwargs.items()}


def _with_callers_arrays(result: Any, own: dict[int, np.ndarray]) -> Any:
    """The result with the caller's own array wherever it is one that stood for it: a copy in C order, a view of a subclass."""
    leaves, treedef = tree_flatten(result)
    if not any(id(leaf) in own for leaf in leaves):
        return result
    return tree_unflatten(treedef, [own.get(id(leaf), leaf) for leaf in leaves])


def _ready_leaves(raw: list[Any], mutated: tuple[int, ...], aliases: tuple[int, ...], given: tuple[int, ...]) -> list[Any]:
    """Leaves as kernels take them; the same array stays the same. Those that are given back keep their layout."""
    values: list[Any] = []
    for number, leaf in enumerate(raw):
        if aliases and number < len(aliases) and aliases[number] != number:
            values.append(values[aliases[number]])
            continue
        if number in mutated and isinstance(leaf, np.ndarray) and not leaf.flags.writeable:
            raise ValueError("assignment destination is read-only")
        values.append(ready_as_it_lies(leaf) if number in given else ready_for_entry(leaf, mutated=number in mutated))
    return values


def _name_of(function: Any) -> str:
    plain = hidden_inputs.innermost(function)
    name = getattr(plain, "__name__", type(plain).__name__)
    return name if name.isidentifier() else "lambda_" if name == "<lambda>" else "function"


def _code_and_defaults(function: Any) -> tuple[Any, ...]:
    """What a signature is made of."""
    plain = hidden_inputs.innermost(function)
    return tuple(getattr(plain, name, None) for name in ("__code__", "__defaults__", "__kwdefaults__"))


def _signature_of(function: Any) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):  # a built-in without one
        return None
