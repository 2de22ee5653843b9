"""`Transformed`: a user's function with a rewrite of its program, called like the function.

    grad(f)   =   Transformed(f, Rewrite(GRAD, …))        jit(f)   =   Transformed(f, Rewrite(JIT, …))

It can show what it runs (`.source`, `.program`), and it can be staged inside another program (`.stage`), so that
transformations nest in any order.
"""
from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Hashable, Mapping
from types import MethodType
from typing import TYPE_CHECKING, Any

import numpy as np

from s2s.calls.array_likes import with_arrays
from s2s.calls.changed import Changing, at, check_distinct, same_containers
from s2s.calls.halves import PAIRING
from s2s.calls.leaves import is_object
from s2s.calls.memory import Named, aliases_of, check_separate, lie_in_order, not_in_order, one_array, ready_leaves, with_callers_arrays
from s2s.calls.request import Made, Request, leaf_names, positional_names, request_of
from s2s.calls.rewrite import Options, Rewrite, Watch
from s2s.calls.signature import code_and_defaults, name_of, names_of_statics, signature_of
from s2s.calls.specialisation import Specialisation
from s2s.calls.specialise import building, specialise, stretched_at_run_time
from s2s.calls.switch import DISABLED, INFS, NANS, is_slow, numpy_raises
from s2s.codegen.modules.call import CallShape, Static
from s2s.errors import AxisBoundsError, BoundsError, InternalError, S2SError, ShapeError, SizesError, UnknownSizeError, UnsupportedError
from s2s.progress import Shown
from s2s.records import dataclass, field, replace
from s2s.transformation import Calling
from s2s.transforms.read import read
from s2s.tree_util import tree_flatten, tree_unflatten

if TYPE_CHECKING:
    from s2s.calls.background import Job
    from s2s.transforms.ir.program import Function
    from s2s.transforms.ir.staged import Staged
    from s2s.types import Var


_LOCK = threading.RLock()
"""One specialisation is made at a time."""
_OF_SIZES = (ShapeError, BoundsError, AxisBoundsError)
"""What is wrong for arrays of any size may stand on a path that a call's own sizes rule out (`if x.size == 1: if x < 0: …`)."""
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
        self.told: Mapping[str, Any] = {}
        """Attributes that jit gave it."""
        self.lasting: Specialisation | None = None
        self._found: dict[Hashable, list[Specialisation]] = {}
        self.stretched: set[Hashable] = set()
        """Keys with exact sizes: calls for which sizes must be known, as checks of theirs failed."""
        self._unstretched: set[Hashable] = set()
        """Keys of requests whose programs failed because more must be known to say what is stretched."""
        self._refused: dict[Hashable, frozenset[tuple[int, int]]] = {}
        """Keys of requests that were refused, while a program that knows more of the call could be made."""
        self._numpy: Transformed | None = None
        self._jobs: dict[Hashable, Job] = {}
        self.name = name_of(self.root)
        self._sign()
        self.static_names = self._all_names_of_statics()
        functools.update_wrapper(self, self.fun, updated=())

    def _sign(self) -> None:
        """Note how the function can be called now: its code and its defaults may be replaced."""
        self.signature = signature_of(self.root)
        self._signed = code_and_defaults(self.root)

    def __copy__(self) -> Transformed:
        return self  # as Python's functions

    def __deepcopy__(self, memo: dict[int, Any]) -> Transformed:
        return self

    # ---- calling ----------------------------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        last = self.lasting
        if last is not None and not is_slow():
            try:
                result = last.enter(args, kwargs)
            except Exception as error:
                if last.explained(error) is error:
                    raise
            else:
                if result is not NotImplemented:
                    return result
        return self.called(args, kwargs)

    def entered(self, last: Specialisation, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a module's fast entry gives; NotImplemented where the call has to go the general way. (`__call__` does the same without a call of this.)"""
        if is_slow():
            return NotImplemented
        try:
            return last.enter(args, kwargs)
        except Exception as error:
            if last.explained(error) is error:
                raise
            return NotImplemented

    def called(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The general way: any container, static values, arrays of any layout, overlapping arguments, a first call."""
        if NANS.get() or INFS.get():
            from s2s.calls import finite  # the interpreter: no call needs it but those that are looked at

            return finite.run_checked(self, args, kwargs)
        if self.target != "numpy" and not DISABLED.get() and numpy_raises():
            from s2s.calls import finite

            return finite.run_raising(self, args, kwargs)
        return self.run(args, kwargs)

    def run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """As `disable_jit` says: compiled, or a jitted function as it is written, anything else by NumPy."""
        if DISABLED.get():
            return self.fun(*args, **kwargs) if self.rewrite.is_jit else self.enabled().run_enabled(args, kwargs)
        return self.run_enabled(args, kwargs)

    def run_enabled(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        self.check_call(args, kwargs)
        request = request_of(self, args, kwargs)
        self._tell(request)
        if self.in_background and not self._is_compiled(request, args):
            return self.on_numpy().run_enabled(args, kwargs)
        found = self.specialisation(request, args)
        try:
            return self._run(found, request, args)
        except SizesError:
            pass
        request.exact = True
        self.stretched.add(request.key())
        return self.exactly(request, lambda: self._run(self.specialisation(request, args), request, args))

    def exactly(self, request: Request, run: Callable[[], Made]) -> Made:
        """What a run with the sizes known gives; where it stops at a check of sizes all the same, one with all that it takes known."""
        told: Exception | None = None
        while True:
            try:
                return run()
            except SizesError as error:
                told = stretched_at_run_time(error.failure)
                before = request.key()
                if told is None or not request.tell_stretched():
                    raise told or error.failure from None
                self._unstretched.add(before)
            except UnsupportedError:
                if told is None:
                    raise
                raise told from None

    def _tell(self, request: Request) -> None:
        """Ask for a program that knows as much of the call as such calls needed before."""
        while self._refused and (key := request.key()) in self._refused:
            if not request.tell_sizes(self._refused[key]):
                request.tell_more()
        request.exact |= bool(self.stretched) and replace(request, exact=True).key() in self.stretched
        while self._unstretched and request.key() in self._unstretched:
            request.tell_stretched()

    def check_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Raise what JAX would raise for unusable arguments."""
        self.rewrite.check(*with_arrays((args, kwargs)))
        self.check_binding(args, kwargs)

    def check_binding(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """TypeError unless the user's function can be called with these arguments."""
        if any(now is not before for now, before in zip(code_and_defaults(self.root), self._signed, strict=True)):
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
        new = self._made(request, leaf_names(self, args, request.treedef))
        self._keep(request, new)
        return new

    def _made(self, request: Request, names: list[str]) -> Specialisation:
        """A specialisation for this request; one that knows more of the call where that must be known, as the request says then."""
        with _LOCK:
            return self.knowing(request, lambda: specialise(self, request, names))

    def knowing(self, request: Request, make: Callable[[], Made]) -> Made:
        """What is made for a request; what is refused there is made for a program that knows more of the call."""
        refused: dict[Hashable, S2SError | RecursionError] = {}
        needed: dict[Hashable, frozenset[tuple[int, int]]] = {}
        while True:
            try:
                made = make()
            except (S2SError, RecursionError) as error:  # a program of all that is known may be too deep for Python
                if not refused and isinstance(error, RecursionError) and self._refused:
                    raise UnsupportedError(f"{self.name}, whose program of all that this call decides is too deep for Python", instead="fewer items, or arrays") from None
                if not refused and not isinstance(error, (UnsupportedError, *_OF_SIZES)):
                    raise
                key = request.key()
                refused[key], needed[key] = error, request.places_of(error)
                if request.tell_sizes(needed[key]):
                    continue
                if not (request.tell_layout() if isinstance(error, _OF_SIZES) else request.tell_more()):
                    told: list[S2SError | RecursionError] = [each for each in refused.values() if isinstance(each, S2SError) and type(each) is not UnknownSizeError]
                    raise (told or [error])[0] from None
            else:
                self._refused.update(needed)
                return made

    def _keep(self, request: Request, new: Specialisation) -> None:
        with _LOCK:
            known = self._found.setdefault(request.key(), [])
            known.insert(0, new)
            del known[_KEPT:]

    @property
    def in_background(self) -> bool:
        """Whether NumPy runs the calls while another process compiles. Of derivatives in two halves both are compiled here."""
        return self.options.background and self.target != "numpy" and self.rewrite.of.calling in (Calling.SAME, Calling.ALONG)

    def _is_compiled(self, request: Request, args: tuple[Any, ...]) -> bool:
        """Whether there is a compiled module for this call; if not, a job that makes one is under way or has failed."""
        if any(found.valid() for found in self._found.get(request.key(), ())):
            return True
        from s2s.calls.background import Job  # what starts processes

        job = self._jobs.get(request.key())
        if job is None or not job.thread.is_alive() and job.error is None:  # none, or what it made does not hold any more
            copied, names = replace(request), leaf_names(self, args, request.treedef)
            self._jobs[request.key()] = Job(lambda: self._made(copied, names), lambda new: self._keep(copied, new), copied, self.public_name)
        else:
            job.tell()
        return False

    def _run(self, found: Specialisation, request: Request, args: tuple[Any, ...]) -> Any:
        """Hand over leaves as the module takes them, and bring back what it wrote into copies."""
        looked = found.look()
        if looked is None:
            raise UnsupportedError(f"{self.name}, which asks of something outside that is not the same from one moment to the next", instead="what it reads there as an argument")
        hidden = list(looked)
        named, leaves = Named(self.name, lambda: leaf_names(self, args, request.treedef)), [*request.leaves, *hidden]
        check_separate(named, found, leaves)
        if (other := self._as_they_lie(found, request, args, leaves, named)) is not None:
            return self._run(other, request, args)
        raw = [leaf.value if isinstance(leaf, Static) else leaf for leaf in request.leaves] + hidden
        values = ready_leaves(raw, found, request.aliases)
        kept = [(values[number], values[number].copy()) for number in found.mutated] if found.stretch else []
        given = [kind.value if isinstance(kind, Static) else value for kind, value in zip(request.kinds, values, strict=False)]  # a np.bool_ that is known stays one
        args, kwargs = tree_unflatten(request.treedef, given)
        if found.changed:
            check_distinct(found.changed, found.others, request.called)
        if (pairing := PAIRING.get()) is not None and pairing.first is self:
            pairing.about_to_run(found, request, args)
        changing = [Changing(at(access, (args, kwargs)), at(access, request.called)) for access in found.changed]
        containers = same_containers((args, kwargs), request.called) if changing else {}
        try:
            result = self._run_first(found, args, kwargs, values[len(request.leaves) :], request)
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
        if found.mutated and not found.stretch and not request.aliases and not found.others and not request.lies_apart:
            self.lasting = found
        own: dict[int, Any] = {id(value): leaf for value, leaf in zip(values, raw, strict=True) if value is not leaf and isinstance(leaf, np.ndarray) and leaf.ndim}
        for each in changing:
            each.carry_over({**containers, **own})
        return with_callers_arrays(result, own) if own else result

    def _as_they_lie(self, found: Specialisation, request: Request, args: tuple[Any, ...], leaves: list[Any], named: Named) -> Specialisation | None:
        """The module for arrays that lie in memory and share it as those of this call; None where it is this one, which is noted if it will serve further calls."""
        if found.distinct:
            request.same |= one_array(named, found, leaves, 0 if self.chain() else len(request.leaves))
        if not lie_in_order(found, leaves):
            if not request.tell_layout():
                raise not_in_order(named, found, leaves)
            self.stretched.add(request.key())
            return self.specialisation(request, args)
        if found.mutated or request.same:
            aliases = aliases_of(named, found, leaves, len(request.leaves), request.same)
            if aliases != request.aliases:
                request.aliases = aliases
                return self.specialisation(request, args)
        elif not is_slow() and not found.others and not request.lies_apart and not (request.exact and found.given):
            self.lasting = found
        return None

    def _run_first(self, found: Specialisation, args: tuple[Any, ...], kwargs: dict[str, Any], hidden: list[Any], request: Request) -> Any:
        """Run a module, which is compiled when it runs for the first time."""
        if found.ran:
            return found.run(args, kwargs, hidden, request.statics())
        with Shown(self.public_name, "Numba compiles"):
            result = found.run(args, kwargs, hidden, request.statics())
        found.ran = True
        return result

    def enabled(self) -> Transformed:
        """This, or under `disable_jit` the same run by NumPy."""
        return self.on_numpy() if DISABLED.get() else self

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

    def clear_cache(self) -> None:
        """Forget the modules made in this process; those on disk stay."""
        with _LOCK:
            self.lasting = None
            self._found.clear()
            self.stretched.clear()
            self._unstretched.clear()
            self._refused.clear()

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
        (['read', 'rows written out'], 'module')
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
        """What `make` makes of a call's arguments; of their exact sizes and whole numbers where those must be known."""
        self.check_call(args, kwargs)
        request = request_of(self, args, kwargs)
        names = leaf_names(self, args, request.treedef)
        return self.knowing(request, lambda: make(request.shape(names)))

    # ---- staging ----------------------------------------------------------------------------------------------------

    def stage(self, params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any], watch: Watch | None = None, *, one_kind: bool = False) -> Staged:
        """The transformed program for containers of Vars and static values: how a transformation nests in another. `one_kind`: as for `read`."""
        if self.rewrite.around is not None:
            result = self.rewrite.around(lambda own_params, own, named: building().checked(self._stage_primal(own_params, own, named, watch, one_kind=True), self.rewrite.name), params, args, kwargs)
        else:
            staged = self._stage_own(params, args, kwargs, watch, one_kind=one_kind or self.rewrite.name != "jit")
            if self.rewrite.apply is None:
                return staged
            result = self.rewrite.apply(staged, args)
        if watch is not None:
            watch(self.rewrite.name, str(result.function))
        return result

    def _stage_own(self, params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any], watch: Watch | None, *, one_kind: bool) -> Staged:
        """The user's function's own program, of those of the arguments that are its own."""
        own_args, kwargs = self.rewrite.staged_arguments(args, kwargs)
        if own_args is not args:
            own = tree_flatten((own_args, kwargs))[0]
            params = tuple(param for param in params if any(param is leaf for leaf in own))
        staged: Staged = building().checked(self._stage_primal(params, own_args, kwargs, watch, one_kind=one_kind), self.rewrite.name)
        return staged

    def _stage_primal(self, params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any], watch: Watch | None, *, one_kind: bool) -> Staged:
        if self.inner is not None:
            return self.inner.stage(params, args, kwargs, watch, one_kind=one_kind)
        staged = read(self.fun, params, args, kwargs, one_kind=one_kind)
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
        return inner | names_of_statics(self.signature, self.options.static_argnums, self.options.static_argnames)

    def statics_of(self, args: tuple[Any, ...]) -> frozenset[str]:
        """The names of a call's static arguments: those that jit was told, and a method's own object, whose attributes are looked up at each call."""
        is_method = self.rewrite.is_jit and args and self.signature is not None and next(iter(self.signature.parameters), None) == "self" and is_object(args[0])
        return self.static_names | {"self"} if is_method else self.static_names

    def mark_static(self, args: tuple[Any, ...], kwargs: dict[str, Any], static: frozenset[str]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments with the static ones wrapped."""
        if not static:
            return args, kwargs
        names = positional_names(self.signature, len(args))
        marked = tuple(Static(arg) if name in static else arg for name, arg in zip(names, args, strict=True))
        return marked, {name: Static(arg) if name in static else arg for name, arg in kwargs.items()}
