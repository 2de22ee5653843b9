"""What calls a kernel from Python: Numba's wrapper, but for arrays, each of which Numba takes apart in some sixty instructions of its own.

    array_of(object, place)             one for all arrays of an itemsize: Numba's unboxing and its tests
    given_back(places, their number)    the references to all of them
"""
from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.callwrapper import PyCallWrapper
from numba.np.numpy_support import as_dtype

from s2s.codegen.native import arrays
from s2s.codegen.native.boxes import BOXED, unboxed

_INT64, _INT32, _POINTER = ir.IntType(64), ir.IntType(32), ir.IntType(8).as_pointer()


class Wrapper(PyCallWrapper):
    """The function that Python calls, in the kernel's own module."""

    def build_wrapper(self, api: Any, builder: ir.IRBuilder, closure: Any, args: Any, kws: Any) -> None:
        """Take the arguments from Python's objects, call, give the arrays back, box the result or raise."""
        given = self.fndesc.argtypes
        objects = [api.alloca_obj() for _ in given]
        taken = api.unpack_tuple(args, self.fndesc.qualname, len(given), len(given), *objects)
        with cgutils.if_unlikely(builder, cgutils.is_null(builder, taken)):
            builder.ret(api.get_null_object())
        environment = self.get_env(api, builder)
        places = _Places(self.context, builder, given)
        failed = builder.append_basic_block("failed")
        with builder.goto_block(failed):
            places.give_back()
            builder.ret(api.get_null_object())
        flat: list[ir.Value] = []
        kinds: list[types.Type] = []
        for number, (place, type_) in enumerate(zip(objects, given, strict=True)):
            held = builder.load(place)
            if isinstance(type_, types.Array):
                flat.extend(places.take(number, type_, held, failed))
                kinds.extend(arrays.flat_types(type_))
                continue
            value, fails = unboxed(api, builder, type_, held)
            _leave_if(builder, fails, failed)
            flat.append(value)
            kinds.append(type_)
        convention = self.context.call_conv
        status, result = convention.call_function(builder, self.func, self.fndesc.restype, kinds, flat, attrs=("noinline",))
        places.give_back()
        with builder.if_then(status.is_ok, likely=True):
            with builder.if_then(status.is_none):
                api.return_none()
            type_ = self._simplified_return_type()
            builder.ret(BOXED[type_](api, result) if type_ in BOXED else api.from_native_return(type_, result, environment))
        convention.raise_error(builder, api, status)
        builder.ret(api.get_null_object())


class _Places:
    """Where the arrays of a call lie, one after the other, each with room for the largest; empty where none was taken yet."""

    def __init__(self, context: Any, builder: ir.IRBuilder, given: tuple[types.Type, ...]) -> None:
        self.context, self.builder = context, builder
        found = [(number, type_) for number, type_ in enumerate(given) if isinstance(type_, types.Array)]
        self.rows = {number: row for row, (number, _) in enumerate(found)}
        words = max((len(arrays.flat_types(type_)) for _, type_ in found), default=0)
        self.shape = ir.ArrayType(ir.ArrayType(_INT64, words), len(found))
        self.start = cgutils.alloca_once(builder, self.shape, zfill=False)
        with builder.goto_entry_block():
            for row in range(len(found)):
                builder.store(_POINTER(None), builder.bitcast(self._at(row), _POINTER.as_pointer()))

    def take(self, number: int, type_: types.Array, held: ir.Value, failed: ir.Block) -> list[ir.Value]:
        """Take an argument apart."""
        builder = self.builder
        place = self._at(self.rows[number])
        taken = builder.call(_array_of(self.context, builder.module, type_), [held, builder.bitcast(place, _POINTER)])
        _leave_if(builder, builder.icmp_signed("!=", taken, _INT32(0)), failed)
        whole = builder.bitcast(place, self.context.get_value_type(type_).as_pointer())
        parts = [builder.load(cgutils.gep_inbounds(builder, whole, 0, field)) for field in range(5)]
        axes = range(type_.ndim)
        return parts + [builder.load(cgutils.gep_inbounds(builder, whole, 0, field, axis)) for field in (5, 6) for axis in axes]

    def give_back(self) -> None:
        """Give up the references to all that were taken."""
        if self.rows:
            words = self.shape.element.count
            function = _given_back(self.context, self.builder.module, words)
            self.builder.call(function, [self.builder.bitcast(self.start, _INT64.as_pointer()), _INT64(len(self.rows))])

    def _at(self, row: int) -> ir.Value:
        return cgutils.gep_inbounds(self.builder, self.start, 0, row)


def _leave_if(builder: ir.IRBuilder, test: ir.Value, to: ir.Block) -> None:
    following = builder.append_basic_block("taken")
    builder.cbranch(test, to, following).set_weights([1, 99])
    builder.position_at_end(following)


def _array_of(context: Any, module: ir.Module, type_: types.Array) -> ir.Function:
    """The function that takes an array apart, and says whether it failed."""
    itemsize = as_dtype(type_.dtype).itemsize
    name = f"array_of.{itemsize}"
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, ir.FunctionType(_INT32, [_POINTER, _POINTER]), name)
    _apart(function)
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    api = context.get_python_api(builder)
    held, place = function.args
    code = api.nrt_adapt_ndarray_from_python(held, place)
    found = builder.load(cgutils.gep_inbounds(builder, builder.bitcast(place, _INT64.as_pointer()), 3))  # the fourth field
    failed = builder.or_(cgutils.is_not_null(builder, code), builder.icmp_unsigned("!=", found, _INT64(itemsize)))
    with builder.if_then(failed, likely=False):
        api.err_set_string("PyExc_TypeError", "can't unbox array from PyObject into native value.  The object maybe of a different type")
    builder.ret(builder.zext(failed, _INT32))
    return function


def _given_back(context: Any, module: ir.Module, words: int) -> ir.Function:
    """The function that gives up the references in so many places, each of so many words."""
    if "given_back" in module.globals:
        return module.globals["given_back"]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [_INT64.as_pointer(), _INT64]), "given_back")
    _apart(function)
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    start, number = function.args
    with cgutils.for_range(builder, number) as loop:
        place = builder.gep(start, [builder.mul(loop.index, _INT64(words))])
        memory = builder.load(builder.bitcast(place, _POINTER.as_pointer()))
        context.nrt.decref(builder, types.MemInfoPointer(types.voidptr), memory)
    builder.ret_void()
    return function


def _apart(function: ir.Function) -> None:
    function.linkage = "internal"
    function.attributes.add("noinline")
