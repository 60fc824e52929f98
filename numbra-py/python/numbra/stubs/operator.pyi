"""`operator` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

# The first that fits is taken, as by the compiler; to checkers some of NumPy's scalars and `bfloat16` are one class.
# mypy: disable-error-code="overload-cannot-match, overload-overlap"

from typing import Any, overload

from numpy import complex64, complex128, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64

bfloat16 = Any

@overload
def add(a: float32, b: float32) -> float32:
    r"""`a + b`; tuples are joined."""

@overload
def add(a: float64, b: float64) -> float64:
    r"""`a + b`; tuples are joined."""

@overload
def add(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""`a + b`; tuples are joined."""

@overload
def add(a: int64, b: int64) -> int64:
    r"""`a + b`; tuples are joined."""

@overload
def add(a: int64, b: uint64) -> int64:
    r"""`a + b`; tuples are joined."""

@overload
def add(a: uint64, b: int64) -> int64:
    r"""`a + b`; tuples are joined."""

@overload
def add(a: uint64, b: uint64) -> uint64:
    r"""`a + b`; tuples are joined."""

@overload
def add(a: float32, b: float32) -> float32:
    r"""`a + b`; tuples are joined."""

@overload
def add(a: float64, b: float64) -> float64:
    r"""`a + b`; tuples are joined."""

@overload
def add(a: complex64, b: complex64) -> complex64:
    r"""`a + b`; tuples are joined."""

@overload
def add(a: complex128, b: complex128) -> complex128:
    r"""`a + b`; tuples are joined."""

@overload
def add(a: Any, b: Any) -> Any:
    r"""`a + b`; tuples are joined."""

@overload
def and_(a: bool, b: bool) -> bool:
    r"""`a & b`; of booleans a boolean."""

@overload
def and_(a: int64, b: int64) -> int64:
    r"""`a & b`; of booleans a boolean."""

@overload
def and_(a: int64, b: uint64) -> int64:
    r"""`a & b`; of booleans a boolean."""

@overload
def and_(a: uint64, b: int64) -> int64:
    r"""`a & b`; of booleans a boolean."""

@overload
def and_(a: uint64, b: uint64) -> uint64:
    r"""`a & b`; of booleans a boolean."""

@overload
def and_(a: Any, b: Any) -> Any:
    r"""`a & b`; of booleans a boolean."""

def contains(a: Any, b: Any) -> Any:
    r"""`b in a`; note the order. For ranges, containers and text."""

def delitem(a: Any, b: Any) -> Any:
    r"""`del a[b]` of a list or a dictionary."""

@overload
def eq(a: float32, b: float32) -> bool:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def eq(a: float64, b: float64) -> bool:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def eq(a: bfloat16, b: bfloat16) -> bool:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def eq(a: bool, b: bool) -> bool:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def eq(a: int8, b: int8) -> bool:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def eq(a: int16, b: int16) -> bool:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def eq(a: int32, b: int32) -> bool:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def eq(a: int64, b: int64) -> bool:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def eq(a: uint8, b: uint8) -> bool:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def eq(a: uint16, b: uint16) -> bool:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def eq(a: uint32, b: uint32) -> bool:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def eq(a: uint64, b: uint64) -> bool:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def eq(a: int64, b: uint64) -> bool:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def eq(a: uint64, b: int64) -> bool:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def eq(a: float32, b: float32) -> bool:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def eq(a: float64, b: float64) -> bool:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def eq(a: complex64, b: complex64) -> bool:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def eq(a: complex128, b: complex128) -> bool:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def eq(a: Any, b: Any) -> Any:
    r"""`a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences."""

@overload
def floordiv(a: int64, b: int64) -> int64:
    r"""`a // b`; by zero raises ZeroDivisionError under the `python` error model."""

@overload
def floordiv(a: int64, b: uint64) -> int64:
    r"""`a // b`; by zero raises ZeroDivisionError under the `python` error model."""

@overload
def floordiv(a: uint64, b: int64) -> int64:
    r"""`a // b`; by zero raises ZeroDivisionError under the `python` error model."""

@overload
def floordiv(a: uint64, b: uint64) -> uint64:
    r"""`a // b`; by zero raises ZeroDivisionError under the `python` error model."""

@overload
def floordiv(a: float32, b: float32) -> float32:
    r"""`a // b`; by zero raises ZeroDivisionError under the `python` error model."""

@overload
def floordiv(a: float64, b: float64) -> float64:
    r"""`a // b`; by zero raises ZeroDivisionError under the `python` error model."""

@overload
def floordiv(a: Any, b: Any) -> Any:
    r"""`a // b`; by zero raises ZeroDivisionError under the `python` error model."""

@overload
def ge(a: float32, b: float32) -> bool:
    r"""`a >= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ge(a: float64, b: float64) -> bool:
    r"""`a >= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ge(a: bfloat16, b: bfloat16) -> bool:
    r"""`a >= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ge(a: bool, b: bool) -> bool:
    r"""`a >= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ge(a: int8, b: int8) -> bool:
    r"""`a >= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ge(a: int16, b: int16) -> bool:
    r"""`a >= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ge(a: int32, b: int32) -> bool:
    r"""`a >= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ge(a: int64, b: int64) -> bool:
    r"""`a >= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ge(a: uint8, b: uint8) -> bool:
    r"""`a >= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ge(a: uint16, b: uint16) -> bool:
    r"""`a >= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ge(a: uint32, b: uint32) -> bool:
    r"""`a >= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ge(a: uint64, b: uint64) -> bool:
    r"""`a >= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ge(a: int64, b: uint64) -> bool:
    r"""`a >= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ge(a: uint64, b: int64) -> bool:
    r"""`a >= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ge(a: float32, b: float32) -> bool:
    r"""`a >= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ge(a: float64, b: float64) -> bool:
    r"""`a >= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ge(a: Any, b: Any) -> Any:
    r"""`a >= b`; exact between signed and unsigned integers, lexicographic for tuples."""

def getitem(a: Any, b: Any) -> Any:
    r"""`a[b]`: of a tuple by constant index or slice (of a homogeneous one by any integer); of an array by integers, slices, `None` and `...`, which gives an element or a view; with arrays of integers or masks among these a copy; of a record, or an array of records, by the constant name of a field; of a pointer the value so many values on."""

@overload
def gt(a: float32, b: float32) -> bool:
    r"""`a > b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def gt(a: float64, b: float64) -> bool:
    r"""`a > b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def gt(a: bfloat16, b: bfloat16) -> bool:
    r"""`a > b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def gt(a: bool, b: bool) -> bool:
    r"""`a > b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def gt(a: int8, b: int8) -> bool:
    r"""`a > b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def gt(a: int16, b: int16) -> bool:
    r"""`a > b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def gt(a: int32, b: int32) -> bool:
    r"""`a > b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def gt(a: int64, b: int64) -> bool:
    r"""`a > b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def gt(a: uint8, b: uint8) -> bool:
    r"""`a > b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def gt(a: uint16, b: uint16) -> bool:
    r"""`a > b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def gt(a: uint32, b: uint32) -> bool:
    r"""`a > b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def gt(a: uint64, b: uint64) -> bool:
    r"""`a > b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def gt(a: int64, b: uint64) -> bool:
    r"""`a > b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def gt(a: uint64, b: int64) -> bool:
    r"""`a > b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def gt(a: float32, b: float32) -> bool:
    r"""`a > b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def gt(a: float64, b: float64) -> bool:
    r"""`a > b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def gt(a: Any, b: Any) -> Any:
    r"""`a > b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def iadd(a: float32, b: float32) -> float32:
    r"""`a += b`: writes into `a` if it is an array, else `a + b`."""

@overload
def iadd(a: float64, b: float64) -> float64:
    r"""`a += b`: writes into `a` if it is an array, else `a + b`."""

@overload
def iadd(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""`a += b`: writes into `a` if it is an array, else `a + b`."""

@overload
def iadd(a: int64, b: int64) -> int64:
    r"""`a += b`: writes into `a` if it is an array, else `a + b`."""

@overload
def iadd(a: int64, b: uint64) -> int64:
    r"""`a += b`: writes into `a` if it is an array, else `a + b`."""

@overload
def iadd(a: uint64, b: int64) -> int64:
    r"""`a += b`: writes into `a` if it is an array, else `a + b`."""

@overload
def iadd(a: uint64, b: uint64) -> uint64:
    r"""`a += b`: writes into `a` if it is an array, else `a + b`."""

@overload
def iadd(a: float32, b: float32) -> float32:
    r"""`a += b`: writes into `a` if it is an array, else `a + b`."""

@overload
def iadd(a: float64, b: float64) -> float64:
    r"""`a += b`: writes into `a` if it is an array, else `a + b`."""

@overload
def iadd(a: complex64, b: complex64) -> complex64:
    r"""`a += b`: writes into `a` if it is an array, else `a + b`."""

@overload
def iadd(a: complex128, b: complex128) -> complex128:
    r"""`a += b`: writes into `a` if it is an array, else `a + b`."""

@overload
def iadd(a: Any, b: Any) -> Any:
    r"""`a += b`: writes into `a` if it is an array, else `a + b`."""

@overload
def iand(a: bool, b: bool) -> bool:
    r"""`a &= b`: writes into `a` if it is an array, else `a & b`."""

@overload
def iand(a: int64, b: int64) -> int64:
    r"""`a &= b`: writes into `a` if it is an array, else `a & b`."""

@overload
def iand(a: int64, b: uint64) -> int64:
    r"""`a &= b`: writes into `a` if it is an array, else `a & b`."""

@overload
def iand(a: uint64, b: int64) -> int64:
    r"""`a &= b`: writes into `a` if it is an array, else `a & b`."""

@overload
def iand(a: uint64, b: uint64) -> uint64:
    r"""`a &= b`: writes into `a` if it is an array, else `a & b`."""

@overload
def iand(a: Any, b: Any) -> Any:
    r"""`a &= b`: writes into `a` if it is an array, else `a & b`."""

@overload
def ifloordiv(a: int64, b: int64) -> int64:
    r"""`a //= b`: writes into `a` if it is an array, else `a // b`."""

@overload
def ifloordiv(a: int64, b: uint64) -> int64:
    r"""`a //= b`: writes into `a` if it is an array, else `a // b`."""

@overload
def ifloordiv(a: uint64, b: int64) -> int64:
    r"""`a //= b`: writes into `a` if it is an array, else `a // b`."""

@overload
def ifloordiv(a: uint64, b: uint64) -> uint64:
    r"""`a //= b`: writes into `a` if it is an array, else `a // b`."""

@overload
def ifloordiv(a: float32, b: float32) -> float32:
    r"""`a //= b`: writes into `a` if it is an array, else `a // b`."""

@overload
def ifloordiv(a: float64, b: float64) -> float64:
    r"""`a //= b`: writes into `a` if it is an array, else `a // b`."""

@overload
def ifloordiv(a: Any, b: Any) -> Any:
    r"""`a //= b`: writes into `a` if it is an array, else `a // b`."""

@overload
def ilshift(a: int8, b: int64) -> int64:
    r"""`a <<= b`: writes into `a` if it is an array, else `a << b`."""

@overload
def ilshift(a: int8, b: uint64) -> int64:
    r"""`a <<= b`: writes into `a` if it is an array, else `a << b`."""

@overload
def ilshift(a: int16, b: int64) -> int64:
    r"""`a <<= b`: writes into `a` if it is an array, else `a << b`."""

@overload
def ilshift(a: int16, b: uint64) -> int64:
    r"""`a <<= b`: writes into `a` if it is an array, else `a << b`."""

@overload
def ilshift(a: int32, b: int64) -> int64:
    r"""`a <<= b`: writes into `a` if it is an array, else `a << b`."""

@overload
def ilshift(a: int32, b: uint64) -> int64:
    r"""`a <<= b`: writes into `a` if it is an array, else `a << b`."""

@overload
def ilshift(a: int64, b: int64) -> int64:
    r"""`a <<= b`: writes into `a` if it is an array, else `a << b`."""

@overload
def ilshift(a: int64, b: uint64) -> int64:
    r"""`a <<= b`: writes into `a` if it is an array, else `a << b`."""

@overload
def ilshift(a: uint8, b: int64) -> uint64:
    r"""`a <<= b`: writes into `a` if it is an array, else `a << b`."""

@overload
def ilshift(a: uint8, b: uint64) -> uint64:
    r"""`a <<= b`: writes into `a` if it is an array, else `a << b`."""

@overload
def ilshift(a: uint16, b: int64) -> uint64:
    r"""`a <<= b`: writes into `a` if it is an array, else `a << b`."""

@overload
def ilshift(a: uint16, b: uint64) -> uint64:
    r"""`a <<= b`: writes into `a` if it is an array, else `a << b`."""

@overload
def ilshift(a: uint32, b: int64) -> uint64:
    r"""`a <<= b`: writes into `a` if it is an array, else `a << b`."""

@overload
def ilshift(a: uint32, b: uint64) -> uint64:
    r"""`a <<= b`: writes into `a` if it is an array, else `a << b`."""

@overload
def ilshift(a: uint64, b: int64) -> uint64:
    r"""`a <<= b`: writes into `a` if it is an array, else `a << b`."""

@overload
def ilshift(a: uint64, b: uint64) -> uint64:
    r"""`a <<= b`: writes into `a` if it is an array, else `a << b`."""

@overload
def ilshift(a: Any, b: Any) -> Any:
    r"""`a <<= b`: writes into `a` if it is an array, else `a << b`."""

def imatmul(a: Any, b: Any) -> Any:
    r"""`a @= b`: writes `a @ b` into `a`; ValueError if its shape is another."""

@overload
def imod(a: int64, b: int64) -> int64:
    r"""`a %= b`: writes into `a` if it is an array, else `a % b`."""

@overload
def imod(a: int64, b: uint64) -> int64:
    r"""`a %= b`: writes into `a` if it is an array, else `a % b`."""

@overload
def imod(a: uint64, b: int64) -> int64:
    r"""`a %= b`: writes into `a` if it is an array, else `a % b`."""

@overload
def imod(a: uint64, b: uint64) -> uint64:
    r"""`a %= b`: writes into `a` if it is an array, else `a % b`."""

@overload
def imod(a: float32, b: float32) -> float32:
    r"""`a %= b`: writes into `a` if it is an array, else `a % b`."""

@overload
def imod(a: float64, b: float64) -> float64:
    r"""`a %= b`: writes into `a` if it is an array, else `a % b`."""

@overload
def imod(a: Any, b: Any) -> Any:
    r"""`a %= b`: writes into `a` if it is an array, else `a % b`."""

@overload
def imul(a: float32, b: float32) -> float32:
    r"""`a *= b`: writes into `a` if it is an array, else `a * b`."""

@overload
def imul(a: float64, b: float64) -> float64:
    r"""`a *= b`: writes into `a` if it is an array, else `a * b`."""

@overload
def imul(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""`a *= b`: writes into `a` if it is an array, else `a * b`."""

@overload
def imul(a: int64, b: int64) -> int64:
    r"""`a *= b`: writes into `a` if it is an array, else `a * b`."""

@overload
def imul(a: int64, b: uint64) -> int64:
    r"""`a *= b`: writes into `a` if it is an array, else `a * b`."""

@overload
def imul(a: uint64, b: int64) -> int64:
    r"""`a *= b`: writes into `a` if it is an array, else `a * b`."""

@overload
def imul(a: uint64, b: uint64) -> uint64:
    r"""`a *= b`: writes into `a` if it is an array, else `a * b`."""

@overload
def imul(a: float32, b: float32) -> float32:
    r"""`a *= b`: writes into `a` if it is an array, else `a * b`."""

@overload
def imul(a: float64, b: float64) -> float64:
    r"""`a *= b`: writes into `a` if it is an array, else `a * b`."""

@overload
def imul(a: complex64, b: complex64) -> complex64:
    r"""`a *= b`: writes into `a` if it is an array, else `a * b`."""

@overload
def imul(a: complex128, b: complex128) -> complex128:
    r"""`a *= b`: writes into `a` if it is an array, else `a * b`."""

@overload
def imul(a: Any, b: Any) -> Any:
    r"""`a *= b`: writes into `a` if it is an array, else `a * b`."""

@overload
def invert(a: bool) -> bool:
    r"""`~a`; of a boolean a boolean."""

@overload
def invert(a: int8) -> int64:
    r"""`~a`; of a boolean a boolean."""

@overload
def invert(a: int16) -> int64:
    r"""`~a`; of a boolean a boolean."""

@overload
def invert(a: int32) -> int64:
    r"""`~a`; of a boolean a boolean."""

@overload
def invert(a: int64) -> int64:
    r"""`~a`; of a boolean a boolean."""

@overload
def invert(a: uint8) -> uint64:
    r"""`~a`; of a boolean a boolean."""

@overload
def invert(a: uint16) -> uint64:
    r"""`~a`; of a boolean a boolean."""

@overload
def invert(a: uint32) -> uint64:
    r"""`~a`; of a boolean a boolean."""

@overload
def invert(a: uint64) -> uint64:
    r"""`~a`; of a boolean a boolean."""

@overload
def invert(a: Any) -> Any:
    r"""`~a`; of a boolean a boolean."""

@overload
def ior(a: bool, b: bool) -> bool:
    r"""`a |= b`: writes into `a` if it is an array, else `a | b`."""

@overload
def ior(a: int64, b: int64) -> int64:
    r"""`a |= b`: writes into `a` if it is an array, else `a | b`."""

@overload
def ior(a: int64, b: uint64) -> int64:
    r"""`a |= b`: writes into `a` if it is an array, else `a | b`."""

@overload
def ior(a: uint64, b: int64) -> int64:
    r"""`a |= b`: writes into `a` if it is an array, else `a | b`."""

@overload
def ior(a: uint64, b: uint64) -> uint64:
    r"""`a |= b`: writes into `a` if it is an array, else `a | b`."""

@overload
def ior(a: Any, b: Any) -> Any:
    r"""`a |= b`: writes into `a` if it is an array, else `a | b`."""

@overload
def ipow(a: int64, b: int64) -> int64:
    r"""`a **= b`: writes into `a` if it is an array, else `a ** b`."""

@overload
def ipow(a: int64, b: uint64) -> int64:
    r"""`a **= b`: writes into `a` if it is an array, else `a ** b`."""

@overload
def ipow(a: uint64, b: int64) -> int64:
    r"""`a **= b`: writes into `a` if it is an array, else `a ** b`."""

@overload
def ipow(a: uint64, b: uint64) -> uint64:
    r"""`a **= b`: writes into `a` if it is an array, else `a ** b`."""

@overload
def ipow(a: float32, b: int32) -> float32:
    r"""`a **= b`: writes into `a` if it is an array, else `a ** b`."""

@overload
def ipow(a: float32, b: int64) -> float32:
    r"""`a **= b`: writes into `a` if it is an array, else `a ** b`."""

@overload
def ipow(a: float32, b: uint64) -> float32:
    r"""`a **= b`: writes into `a` if it is an array, else `a ** b`."""

@overload
def ipow(a: float64, b: int32) -> float64:
    r"""`a **= b`: writes into `a` if it is an array, else `a ** b`."""

@overload
def ipow(a: float64, b: int64) -> float64:
    r"""`a **= b`: writes into `a` if it is an array, else `a ** b`."""

@overload
def ipow(a: float64, b: uint64) -> float64:
    r"""`a **= b`: writes into `a` if it is an array, else `a ** b`."""

@overload
def ipow(a: float32, b: float32) -> float32:
    r"""`a **= b`: writes into `a` if it is an array, else `a ** b`."""

@overload
def ipow(a: float64, b: float64) -> float64:
    r"""`a **= b`: writes into `a` if it is an array, else `a ** b`."""

@overload
def ipow(a: complex64, b: complex64) -> complex64:
    r"""`a **= b`: writes into `a` if it is an array, else `a ** b`."""

@overload
def ipow(a: complex128, b: complex128) -> complex128:
    r"""`a **= b`: writes into `a` if it is an array, else `a ** b`."""

@overload
def ipow(a: Any, b: Any) -> Any:
    r"""`a **= b`: writes into `a` if it is an array, else `a ** b`."""

@overload
def irshift(a: int8, b: int64) -> int64:
    r"""`a >>= b`: writes into `a` if it is an array, else `a >> b`."""

@overload
def irshift(a: int8, b: uint64) -> int64:
    r"""`a >>= b`: writes into `a` if it is an array, else `a >> b`."""

@overload
def irshift(a: int16, b: int64) -> int64:
    r"""`a >>= b`: writes into `a` if it is an array, else `a >> b`."""

@overload
def irshift(a: int16, b: uint64) -> int64:
    r"""`a >>= b`: writes into `a` if it is an array, else `a >> b`."""

@overload
def irshift(a: int32, b: int64) -> int64:
    r"""`a >>= b`: writes into `a` if it is an array, else `a >> b`."""

@overload
def irshift(a: int32, b: uint64) -> int64:
    r"""`a >>= b`: writes into `a` if it is an array, else `a >> b`."""

@overload
def irshift(a: int64, b: int64) -> int64:
    r"""`a >>= b`: writes into `a` if it is an array, else `a >> b`."""

@overload
def irshift(a: int64, b: uint64) -> int64:
    r"""`a >>= b`: writes into `a` if it is an array, else `a >> b`."""

@overload
def irshift(a: uint8, b: int64) -> uint64:
    r"""`a >>= b`: writes into `a` if it is an array, else `a >> b`."""

@overload
def irshift(a: uint8, b: uint64) -> uint64:
    r"""`a >>= b`: writes into `a` if it is an array, else `a >> b`."""

@overload
def irshift(a: uint16, b: int64) -> uint64:
    r"""`a >>= b`: writes into `a` if it is an array, else `a >> b`."""

@overload
def irshift(a: uint16, b: uint64) -> uint64:
    r"""`a >>= b`: writes into `a` if it is an array, else `a >> b`."""

@overload
def irshift(a: uint32, b: int64) -> uint64:
    r"""`a >>= b`: writes into `a` if it is an array, else `a >> b`."""

@overload
def irshift(a: uint32, b: uint64) -> uint64:
    r"""`a >>= b`: writes into `a` if it is an array, else `a >> b`."""

@overload
def irshift(a: uint64, b: int64) -> uint64:
    r"""`a >>= b`: writes into `a` if it is an array, else `a >> b`."""

@overload
def irshift(a: uint64, b: uint64) -> uint64:
    r"""`a >>= b`: writes into `a` if it is an array, else `a >> b`."""

@overload
def irshift(a: Any, b: Any) -> Any:
    r"""`a >>= b`: writes into `a` if it is an array, else `a >> b`."""

def is_(a: Any, b: Any) -> Any:
    r"""`a is b`: `None` is known by type; numbers and pointers of one type compare by value, arrays by identity."""

def is_not(a: Any, b: Any) -> Any:
    r"""`a is not b`: `None` is known by type; numbers and pointers of one type compare by value, arrays by identity."""

@overload
def isub(a: float32, b: float32) -> float32:
    r"""`a -= b`: writes into `a` if it is an array, else `a - b`."""

@overload
def isub(a: float64, b: float64) -> float64:
    r"""`a -= b`: writes into `a` if it is an array, else `a - b`."""

@overload
def isub(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""`a -= b`: writes into `a` if it is an array, else `a - b`."""

@overload
def isub(a: int64, b: int64) -> int64:
    r"""`a -= b`: writes into `a` if it is an array, else `a - b`."""

@overload
def isub(a: int64, b: uint64) -> int64:
    r"""`a -= b`: writes into `a` if it is an array, else `a - b`."""

@overload
def isub(a: uint64, b: int64) -> int64:
    r"""`a -= b`: writes into `a` if it is an array, else `a - b`."""

@overload
def isub(a: uint64, b: uint64) -> uint64:
    r"""`a -= b`: writes into `a` if it is an array, else `a - b`."""

@overload
def isub(a: float32, b: float32) -> float32:
    r"""`a -= b`: writes into `a` if it is an array, else `a - b`."""

@overload
def isub(a: float64, b: float64) -> float64:
    r"""`a -= b`: writes into `a` if it is an array, else `a - b`."""

@overload
def isub(a: complex64, b: complex64) -> complex64:
    r"""`a -= b`: writes into `a` if it is an array, else `a - b`."""

@overload
def isub(a: complex128, b: complex128) -> complex128:
    r"""`a -= b`: writes into `a` if it is an array, else `a - b`."""

@overload
def isub(a: Any, b: Any) -> Any:
    r"""`a -= b`: writes into `a` if it is an array, else `a - b`."""

@overload
def itruediv(a: float32, b: float32) -> float32:
    r"""`a /= b`: writes into `a` if it is an array, else `a / b`."""

@overload
def itruediv(a: float64, b: float64) -> float64:
    r"""`a /= b`: writes into `a` if it is an array, else `a / b`."""

@overload
def itruediv(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""`a /= b`: writes into `a` if it is an array, else `a / b`."""

@overload
def itruediv(a: int64, b: int64) -> float64:
    r"""`a /= b`: writes into `a` if it is an array, else `a / b`."""

@overload
def itruediv(a: int64, b: uint64) -> float64:
    r"""`a /= b`: writes into `a` if it is an array, else `a / b`."""

@overload
def itruediv(a: uint64, b: int64) -> float64:
    r"""`a /= b`: writes into `a` if it is an array, else `a / b`."""

@overload
def itruediv(a: uint64, b: uint64) -> float64:
    r"""`a /= b`: writes into `a` if it is an array, else `a / b`."""

@overload
def itruediv(a: float32, b: float32) -> float32:
    r"""`a /= b`: writes into `a` if it is an array, else `a / b`."""

@overload
def itruediv(a: float64, b: float64) -> float64:
    r"""`a /= b`: writes into `a` if it is an array, else `a / b`."""

@overload
def itruediv(a: complex64, b: complex64) -> complex64:
    r"""`a /= b`: writes into `a` if it is an array, else `a / b`."""

@overload
def itruediv(a: complex128, b: complex128) -> complex128:
    r"""`a /= b`: writes into `a` if it is an array, else `a / b`."""

@overload
def itruediv(a: Any, b: Any) -> Any:
    r"""`a /= b`: writes into `a` if it is an array, else `a / b`."""

@overload
def ixor(a: bool, b: bool) -> bool:
    r"""`a ^= b`: writes into `a` if it is an array, else `a ^ b`."""

@overload
def ixor(a: int64, b: int64) -> int64:
    r"""`a ^= b`: writes into `a` if it is an array, else `a ^ b`."""

@overload
def ixor(a: int64, b: uint64) -> int64:
    r"""`a ^= b`: writes into `a` if it is an array, else `a ^ b`."""

@overload
def ixor(a: uint64, b: int64) -> int64:
    r"""`a ^= b`: writes into `a` if it is an array, else `a ^ b`."""

@overload
def ixor(a: uint64, b: uint64) -> uint64:
    r"""`a ^= b`: writes into `a` if it is an array, else `a ^ b`."""

@overload
def ixor(a: Any, b: Any) -> Any:
    r"""`a ^= b`: writes into `a` if it is an array, else `a ^ b`."""

@overload
def le(a: float32, b: float32) -> bool:
    r"""`a <= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def le(a: float64, b: float64) -> bool:
    r"""`a <= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def le(a: bfloat16, b: bfloat16) -> bool:
    r"""`a <= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def le(a: bool, b: bool) -> bool:
    r"""`a <= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def le(a: int8, b: int8) -> bool:
    r"""`a <= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def le(a: int16, b: int16) -> bool:
    r"""`a <= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def le(a: int32, b: int32) -> bool:
    r"""`a <= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def le(a: int64, b: int64) -> bool:
    r"""`a <= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def le(a: uint8, b: uint8) -> bool:
    r"""`a <= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def le(a: uint16, b: uint16) -> bool:
    r"""`a <= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def le(a: uint32, b: uint32) -> bool:
    r"""`a <= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def le(a: uint64, b: uint64) -> bool:
    r"""`a <= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def le(a: int64, b: uint64) -> bool:
    r"""`a <= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def le(a: uint64, b: int64) -> bool:
    r"""`a <= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def le(a: float32, b: float32) -> bool:
    r"""`a <= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def le(a: float64, b: float64) -> bool:
    r"""`a <= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def le(a: Any, b: Any) -> Any:
    r"""`a <= b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def lshift(a: int8, b: int64) -> int64:
    r"""`a << b`; the count is taken modulo 64."""

@overload
def lshift(a: int8, b: uint64) -> int64:
    r"""`a << b`; the count is taken modulo 64."""

@overload
def lshift(a: int16, b: int64) -> int64:
    r"""`a << b`; the count is taken modulo 64."""

@overload
def lshift(a: int16, b: uint64) -> int64:
    r"""`a << b`; the count is taken modulo 64."""

@overload
def lshift(a: int32, b: int64) -> int64:
    r"""`a << b`; the count is taken modulo 64."""

@overload
def lshift(a: int32, b: uint64) -> int64:
    r"""`a << b`; the count is taken modulo 64."""

@overload
def lshift(a: int64, b: int64) -> int64:
    r"""`a << b`; the count is taken modulo 64."""

@overload
def lshift(a: int64, b: uint64) -> int64:
    r"""`a << b`; the count is taken modulo 64."""

@overload
def lshift(a: uint8, b: int64) -> uint64:
    r"""`a << b`; the count is taken modulo 64."""

@overload
def lshift(a: uint8, b: uint64) -> uint64:
    r"""`a << b`; the count is taken modulo 64."""

@overload
def lshift(a: uint16, b: int64) -> uint64:
    r"""`a << b`; the count is taken modulo 64."""

@overload
def lshift(a: uint16, b: uint64) -> uint64:
    r"""`a << b`; the count is taken modulo 64."""

@overload
def lshift(a: uint32, b: int64) -> uint64:
    r"""`a << b`; the count is taken modulo 64."""

@overload
def lshift(a: uint32, b: uint64) -> uint64:
    r"""`a << b`; the count is taken modulo 64."""

@overload
def lshift(a: uint64, b: int64) -> uint64:
    r"""`a << b`; the count is taken modulo 64."""

@overload
def lshift(a: uint64, b: uint64) -> uint64:
    r"""`a << b`; the count is taken modulo 64."""

@overload
def lshift(a: Any, b: Any) -> Any:
    r"""`a << b`; the count is taken modulo 64."""

@overload
def lt(a: float32, b: float32) -> bool:
    r"""`a < b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def lt(a: float64, b: float64) -> bool:
    r"""`a < b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def lt(a: bfloat16, b: bfloat16) -> bool:
    r"""`a < b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def lt(a: bool, b: bool) -> bool:
    r"""`a < b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def lt(a: int8, b: int8) -> bool:
    r"""`a < b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def lt(a: int16, b: int16) -> bool:
    r"""`a < b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def lt(a: int32, b: int32) -> bool:
    r"""`a < b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def lt(a: int64, b: int64) -> bool:
    r"""`a < b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def lt(a: uint8, b: uint8) -> bool:
    r"""`a < b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def lt(a: uint16, b: uint16) -> bool:
    r"""`a < b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def lt(a: uint32, b: uint32) -> bool:
    r"""`a < b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def lt(a: uint64, b: uint64) -> bool:
    r"""`a < b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def lt(a: int64, b: uint64) -> bool:
    r"""`a < b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def lt(a: uint64, b: int64) -> bool:
    r"""`a < b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def lt(a: float32, b: float32) -> bool:
    r"""`a < b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def lt(a: float64, b: float64) -> bool:
    r"""`a < b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def lt(a: Any, b: Any) -> Any:
    r"""`a < b`; exact between signed and unsigned integers, lexicographic for tuples."""

def matmul(a: Any, b: Any) -> Any:
    r"""`a @ b`: product of matrices and vectors of one float or complex type."""

@overload
def mod(a: int64, b: int64) -> int64:
    r"""`a % b`, with the sign of `b`; by zero raises ZeroDivisionError under the `python` error model. A constant text is a format: `"%5.2f" % x`."""

@overload
def mod(a: int64, b: uint64) -> int64:
    r"""`a % b`, with the sign of `b`; by zero raises ZeroDivisionError under the `python` error model. A constant text is a format: `"%5.2f" % x`."""

@overload
def mod(a: uint64, b: int64) -> int64:
    r"""`a % b`, with the sign of `b`; by zero raises ZeroDivisionError under the `python` error model. A constant text is a format: `"%5.2f" % x`."""

@overload
def mod(a: uint64, b: uint64) -> uint64:
    r"""`a % b`, with the sign of `b`; by zero raises ZeroDivisionError under the `python` error model. A constant text is a format: `"%5.2f" % x`."""

@overload
def mod(a: float32, b: float32) -> float32:
    r"""`a % b`, with the sign of `b`; by zero raises ZeroDivisionError under the `python` error model. A constant text is a format: `"%5.2f" % x`."""

@overload
def mod(a: float64, b: float64) -> float64:
    r"""`a % b`, with the sign of `b`; by zero raises ZeroDivisionError under the `python` error model. A constant text is a format: `"%5.2f" % x`."""

@overload
def mod(a: Any, b: Any) -> Any:
    r"""`a % b`, with the sign of `b`; by zero raises ZeroDivisionError under the `python` error model. A constant text is a format: `"%5.2f" % x`."""

@overload
def mul(a: float32, b: float32) -> float32:
    r"""`a * b`; a tuple is repeated."""

@overload
def mul(a: float64, b: float64) -> float64:
    r"""`a * b`; a tuple is repeated."""

@overload
def mul(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""`a * b`; a tuple is repeated."""

@overload
def mul(a: int64, b: int64) -> int64:
    r"""`a * b`; a tuple is repeated."""

@overload
def mul(a: int64, b: uint64) -> int64:
    r"""`a * b`; a tuple is repeated."""

@overload
def mul(a: uint64, b: int64) -> int64:
    r"""`a * b`; a tuple is repeated."""

@overload
def mul(a: uint64, b: uint64) -> uint64:
    r"""`a * b`; a tuple is repeated."""

@overload
def mul(a: float32, b: float32) -> float32:
    r"""`a * b`; a tuple is repeated."""

@overload
def mul(a: float64, b: float64) -> float64:
    r"""`a * b`; a tuple is repeated."""

@overload
def mul(a: complex64, b: complex64) -> complex64:
    r"""`a * b`; a tuple is repeated."""

@overload
def mul(a: complex128, b: complex128) -> complex128:
    r"""`a * b`; a tuple is repeated."""

@overload
def mul(a: Any, b: Any) -> Any:
    r"""`a * b`; a tuple is repeated."""

@overload
def ne(a: float32, b: float32) -> bool:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ne(a: float64, b: float64) -> bool:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ne(a: bfloat16, b: bfloat16) -> bool:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ne(a: bool, b: bool) -> bool:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ne(a: int8, b: int8) -> bool:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ne(a: int16, b: int16) -> bool:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ne(a: int32, b: int32) -> bool:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ne(a: int64, b: int64) -> bool:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ne(a: uint8, b: uint8) -> bool:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ne(a: uint16, b: uint16) -> bool:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ne(a: uint32, b: uint32) -> bool:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ne(a: uint64, b: uint64) -> bool:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ne(a: int64, b: uint64) -> bool:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ne(a: uint64, b: int64) -> bool:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ne(a: float32, b: float32) -> bool:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ne(a: float64, b: float64) -> bool:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ne(a: complex64, b: complex64) -> bool:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ne(a: complex128, b: complex128) -> bool:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def ne(a: Any, b: Any) -> Any:
    r"""`a != b`; exact between signed and unsigned integers, lexicographic for tuples."""

@overload
def neg(a: bfloat16) -> bfloat16:
    r"""`-a`"""

@overload
def neg(a: bool) -> int64:
    r"""`-a`"""

@overload
def neg(a: int8) -> int64:
    r"""`-a`"""

@overload
def neg(a: int16) -> int64:
    r"""`-a`"""

@overload
def neg(a: int32) -> int64:
    r"""`-a`"""

@overload
def neg(a: int64) -> int64:
    r"""`-a`"""

@overload
def neg(a: uint8) -> uint64:
    r"""`-a`"""

@overload
def neg(a: uint16) -> uint64:
    r"""`-a`"""

@overload
def neg(a: uint32) -> uint64:
    r"""`-a`"""

@overload
def neg(a: uint64) -> uint64:
    r"""`-a`"""

@overload
def neg(a: float32) -> float32:
    r"""`-a`"""

@overload
def neg(a: float64) -> float64:
    r"""`-a`"""

@overload
def neg(a: complex64) -> complex64:
    r"""`-a`"""

@overload
def neg(a: complex128) -> complex128:
    r"""`-a`"""

@overload
def neg(a: Any) -> Any:
    r"""`-a`"""

def not_(a: Any) -> Any:
    r"""`not a`"""

@overload
def or_(a: bool, b: bool) -> bool:
    r"""`a | b`; of booleans a boolean."""

@overload
def or_(a: int64, b: int64) -> int64:
    r"""`a | b`; of booleans a boolean."""

@overload
def or_(a: int64, b: uint64) -> int64:
    r"""`a | b`; of booleans a boolean."""

@overload
def or_(a: uint64, b: int64) -> int64:
    r"""`a | b`; of booleans a boolean."""

@overload
def or_(a: uint64, b: uint64) -> uint64:
    r"""`a | b`; of booleans a boolean."""

@overload
def or_(a: Any, b: Any) -> Any:
    r"""`a | b`; of booleans a boolean."""

@overload
def pos(a: bfloat16) -> bfloat16:
    r"""`+a`"""

@overload
def pos(a: bool) -> int64:
    r"""`+a`"""

@overload
def pos(a: int8) -> int64:
    r"""`+a`"""

@overload
def pos(a: int16) -> int64:
    r"""`+a`"""

@overload
def pos(a: int32) -> int64:
    r"""`+a`"""

@overload
def pos(a: int64) -> int64:
    r"""`+a`"""

@overload
def pos(a: uint8) -> uint64:
    r"""`+a`"""

@overload
def pos(a: uint16) -> uint64:
    r"""`+a`"""

@overload
def pos(a: uint32) -> uint64:
    r"""`+a`"""

@overload
def pos(a: uint64) -> uint64:
    r"""`+a`"""

@overload
def pos(a: float32) -> float32:
    r"""`+a`"""

@overload
def pos(a: float64) -> float64:
    r"""`+a`"""

@overload
def pos(a: complex64) -> complex64:
    r"""`+a`"""

@overload
def pos(a: complex128) -> complex128:
    r"""`+a`"""

@overload
def pos(a: Any) -> Any:
    r"""`+a`"""

@overload
def pow(a: int64, b: int64) -> int64:
    r"""`a ** b`. Integers stay integers and wrap; a negative exponent truncates towards zero."""

@overload
def pow(a: int64, b: uint64) -> int64:
    r"""`a ** b`. Integers stay integers and wrap; a negative exponent truncates towards zero."""

@overload
def pow(a: uint64, b: int64) -> int64:
    r"""`a ** b`. Integers stay integers and wrap; a negative exponent truncates towards zero."""

@overload
def pow(a: uint64, b: uint64) -> uint64:
    r"""`a ** b`. Integers stay integers and wrap; a negative exponent truncates towards zero."""

@overload
def pow(a: float32, b: int32) -> float32:
    r"""`a ** b`. Integers stay integers and wrap; a negative exponent truncates towards zero."""

@overload
def pow(a: float32, b: int64) -> float32:
    r"""`a ** b`. Integers stay integers and wrap; a negative exponent truncates towards zero."""

@overload
def pow(a: float32, b: uint64) -> float32:
    r"""`a ** b`. Integers stay integers and wrap; a negative exponent truncates towards zero."""

@overload
def pow(a: float64, b: int32) -> float64:
    r"""`a ** b`. Integers stay integers and wrap; a negative exponent truncates towards zero."""

@overload
def pow(a: float64, b: int64) -> float64:
    r"""`a ** b`. Integers stay integers and wrap; a negative exponent truncates towards zero."""

@overload
def pow(a: float64, b: uint64) -> float64:
    r"""`a ** b`. Integers stay integers and wrap; a negative exponent truncates towards zero."""

@overload
def pow(a: float32, b: float32) -> float32:
    r"""`a ** b`. Integers stay integers and wrap; a negative exponent truncates towards zero."""

@overload
def pow(a: float64, b: float64) -> float64:
    r"""`a ** b`. Integers stay integers and wrap; a negative exponent truncates towards zero."""

@overload
def pow(a: complex64, b: complex64) -> complex64:
    r"""`a ** b`. Integers stay integers and wrap; a negative exponent truncates towards zero."""

@overload
def pow(a: complex128, b: complex128) -> complex128:
    r"""`a ** b`. Integers stay integers and wrap; a negative exponent truncates towards zero."""

@overload
def pow(a: Any, b: Any) -> Any:
    r"""`a ** b`. Integers stay integers and wrap; a negative exponent truncates towards zero."""

@overload
def rshift(a: int8, b: int64) -> int64:
    r"""`a >> b`, arithmetic for signed `a`; the count is taken modulo 64."""

@overload
def rshift(a: int8, b: uint64) -> int64:
    r"""`a >> b`, arithmetic for signed `a`; the count is taken modulo 64."""

@overload
def rshift(a: int16, b: int64) -> int64:
    r"""`a >> b`, arithmetic for signed `a`; the count is taken modulo 64."""

@overload
def rshift(a: int16, b: uint64) -> int64:
    r"""`a >> b`, arithmetic for signed `a`; the count is taken modulo 64."""

@overload
def rshift(a: int32, b: int64) -> int64:
    r"""`a >> b`, arithmetic for signed `a`; the count is taken modulo 64."""

@overload
def rshift(a: int32, b: uint64) -> int64:
    r"""`a >> b`, arithmetic for signed `a`; the count is taken modulo 64."""

@overload
def rshift(a: int64, b: int64) -> int64:
    r"""`a >> b`, arithmetic for signed `a`; the count is taken modulo 64."""

@overload
def rshift(a: int64, b: uint64) -> int64:
    r"""`a >> b`, arithmetic for signed `a`; the count is taken modulo 64."""

@overload
def rshift(a: uint8, b: int64) -> uint64:
    r"""`a >> b`, arithmetic for signed `a`; the count is taken modulo 64."""

@overload
def rshift(a: uint8, b: uint64) -> uint64:
    r"""`a >> b`, arithmetic for signed `a`; the count is taken modulo 64."""

@overload
def rshift(a: uint16, b: int64) -> uint64:
    r"""`a >> b`, arithmetic for signed `a`; the count is taken modulo 64."""

@overload
def rshift(a: uint16, b: uint64) -> uint64:
    r"""`a >> b`, arithmetic for signed `a`; the count is taken modulo 64."""

@overload
def rshift(a: uint32, b: int64) -> uint64:
    r"""`a >> b`, arithmetic for signed `a`; the count is taken modulo 64."""

@overload
def rshift(a: uint32, b: uint64) -> uint64:
    r"""`a >> b`, arithmetic for signed `a`; the count is taken modulo 64."""

@overload
def rshift(a: uint64, b: int64) -> uint64:
    r"""`a >> b`, arithmetic for signed `a`; the count is taken modulo 64."""

@overload
def rshift(a: uint64, b: uint64) -> uint64:
    r"""`a >> b`, arithmetic for signed `a`; the count is taken modulo 64."""

@overload
def rshift(a: Any, b: Any) -> Any:
    r"""`a >> b`, arithmetic for signed `a`; the count is taken modulo 64."""

def setitem(a: Any, b: Any, c: Any) -> Any:
    r"""`a[b] = c`: stores an element or a field, or assigns a scalar or array to the view `a[b]`."""

@overload
def sub(a: float32, b: float32) -> float32:
    r"""`a - b`"""

@overload
def sub(a: float64, b: float64) -> float64:
    r"""`a - b`"""

@overload
def sub(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""`a - b`"""

@overload
def sub(a: int64, b: int64) -> int64:
    r"""`a - b`"""

@overload
def sub(a: int64, b: uint64) -> int64:
    r"""`a - b`"""

@overload
def sub(a: uint64, b: int64) -> int64:
    r"""`a - b`"""

@overload
def sub(a: uint64, b: uint64) -> uint64:
    r"""`a - b`"""

@overload
def sub(a: float32, b: float32) -> float32:
    r"""`a - b`"""

@overload
def sub(a: float64, b: float64) -> float64:
    r"""`a - b`"""

@overload
def sub(a: complex64, b: complex64) -> complex64:
    r"""`a - b`"""

@overload
def sub(a: complex128, b: complex128) -> complex128:
    r"""`a - b`"""

@overload
def sub(a: Any, b: Any) -> Any:
    r"""`a - b`"""

@overload
def truediv(a: float32, b: float32) -> float32:
    r"""`a / b`, a float for integers; by zero raises ZeroDivisionError under the `python` error model."""

@overload
def truediv(a: float64, b: float64) -> float64:
    r"""`a / b`, a float for integers; by zero raises ZeroDivisionError under the `python` error model."""

@overload
def truediv(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""`a / b`, a float for integers; by zero raises ZeroDivisionError under the `python` error model."""

@overload
def truediv(a: int64, b: int64) -> float64:
    r"""`a / b`, a float for integers; by zero raises ZeroDivisionError under the `python` error model."""

@overload
def truediv(a: int64, b: uint64) -> float64:
    r"""`a / b`, a float for integers; by zero raises ZeroDivisionError under the `python` error model."""

@overload
def truediv(a: uint64, b: int64) -> float64:
    r"""`a / b`, a float for integers; by zero raises ZeroDivisionError under the `python` error model."""

@overload
def truediv(a: uint64, b: uint64) -> float64:
    r"""`a / b`, a float for integers; by zero raises ZeroDivisionError under the `python` error model."""

@overload
def truediv(a: float32, b: float32) -> float32:
    r"""`a / b`, a float for integers; by zero raises ZeroDivisionError under the `python` error model."""

@overload
def truediv(a: float64, b: float64) -> float64:
    r"""`a / b`, a float for integers; by zero raises ZeroDivisionError under the `python` error model."""

@overload
def truediv(a: complex64, b: complex64) -> complex64:
    r"""`a / b`, a float for integers; by zero raises ZeroDivisionError under the `python` error model."""

@overload
def truediv(a: complex128, b: complex128) -> complex128:
    r"""`a / b`, a float for integers; by zero raises ZeroDivisionError under the `python` error model."""

@overload
def truediv(a: Any, b: Any) -> Any:
    r"""`a / b`, a float for integers; by zero raises ZeroDivisionError under the `python` error model."""

def truth(a: Any) -> Any:
    r"""`bool(a)`, as conditions take it."""

@overload
def xor(a: bool, b: bool) -> bool:
    r"""`a ^ b`; of booleans a boolean."""

@overload
def xor(a: int64, b: int64) -> int64:
    r"""`a ^ b`; of booleans a boolean."""

@overload
def xor(a: int64, b: uint64) -> int64:
    r"""`a ^ b`; of booleans a boolean."""

@overload
def xor(a: uint64, b: int64) -> int64:
    r"""`a ^ b`; of booleans a boolean."""

@overload
def xor(a: uint64, b: uint64) -> uint64:
    r"""`a ^ b`; of booleans a boolean."""

@overload
def xor(a: Any, b: Any) -> Any:
    r"""`a ^ b`; of booleans a boolean."""

