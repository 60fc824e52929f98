//! The closed set of operations that the compiler implements itself: one variant here, one `match` arm in lowering.
//!
//! An operation works at the types of the call's signature, `params -> ret`; the caller has converted the arguments to
//! `params`. In the formulas `x`, `y`, `z` are the operands, `T` is the type of `x`. Unless a doc says otherwise both
//! operands have the same type, and the result too; where they differ from `ret` in arithmetic (`int64 + uint64 -> int64`,
//! `int64 / int64 -> float64`, `int8 << int64 -> int64`) they are converted to `ret` first. Every operation is total: where a formula has no value it says what
//! happens instead. `bool` operands count as 0 and 1; integer arithmetic wraps at the width of `ret`.

use crate::{DeviceFn, DictOp, ListOp, SetOp};
use numbra_abi::{Draw, MathFn};

/// An operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Op {
    // --- constants and conversions
    /// The constant of the literal type: `ret` is `Literal[..](c)`, the operands are not looked at.
    Constant,
    /// This boolean, whatever the operands.
    Bool(bool),
    /// `None`, whatever the operands.
    NoneValue,
    /// AttributeError: `x` has no attribute of the constant name `y`.
    NoAttribute,
    /// `x`, converted to `ret` if the types differ.
    Identity,
    /// `ret(x)` for scalars: to integer truncates and wraps (NaN and out of range give what the LIR conversion defines),
    /// to `bool` is `x != 0`, float to complex has imaginary part 0, complex to real drops the imaginary part.
    Convert,
    /// `bool(x)`: number `x != 0` (complex: either part; NaN is true), `None` false, optional `x is not None and bool(x)`,
    /// tuple, range `len(x) != 0`, array of one element `bool(x.item())`; other sizes raise ValueError.
    Truth,
    /// `not bool(x)`
    Not,
    /// Whether the operand of an optional type is `None`; the other operand, if any, is of type `none`.
    IsNone,
    /// Whether the operand of an optional type is not `None`.
    IsNotNone,
    /// `complex(x, y)` from two floats of the parts' width.
    MakeComplex,

    // --- arithmetic
    /// `x + y`
    Add,
    /// `x - y`
    Sub,
    /// `x * y`; complex by the four-product formula, as NumPy.
    Mul,
    /// `x / y`, float or complex; integers are converted to float64 first.
    TrueDiv(DivModel),
    /// `floor(x / y)` by Python's rules; `INT_MIN // -1 == INT_MIN`.
    FloorDiv(DivModel),
    /// `x - floor(x / y) * y`, sign of `y`; `INT_MIN % -1 == 0`.
    Mod(DivModel),
    /// `(x // y, x % y)`; `ret` is a pair.
    DivMod(DivModel),
    /// C remainder, sign of `x`; an integer by 0 gives 0.
    FMod,
    /// `x ** y`, both of one type, or a float `x` and an integer `y` (by repeated squaring). Integers wrap; a negative exponent gives `1 / x**-y` truncated (0 for `x == 0`).
    /// Floats are C `pow`; complex `exp(y log x)` with exact small integer powers. A negative or complex power of a complex 0 is
    /// ZeroDivisionError where division by zero raises, else NumPy's.
    Pow(DivModel),
    /// `x ** y` of array elements: [`Op::Pow`] by [`DivModel::Numpy`], but as `np.power` where `y` is one constant for all of them: by 2 [`Op::Square`],
    /// of floats by 0.5 [`Op::Sqrt`] and by -1 [`Op::Reciprocal`]; of floats by 3 to 16 a product, as [`Op::PowInt`].
    /// Of integers by a negative one ValueError, but in kernels.
    PowElement,
    /// `x ** n` by repeated squaring, `n` an integer of any type. For a `Literal` `n` the multiplications are unrolled.
    /// A negative `n` is `1 / x**-n`; for integer `x` truncated, and `x == 0` is ZeroDivisionError under the `python` model, else 0.
    PowInt,
    /// `-x`
    Neg,
    /// `x * y + z` of floats with one rounding.
    Fma,
    /// `|x|`; complex gives the part type by `hypot`; `|INT_MIN| == INT_MIN`.
    Abs,
    /// `~x`; `not x` for `bool`.
    Invert,
    /// `x & y`
    BitAnd,
    /// `x | y`
    BitOr,
    /// `x ^ y`
    BitXor,
    /// `x << (y mod width)`; `y` is of any integer type.
    Shl,
    /// `x >> (y mod width)`, arithmetic for signed `x`; `y` is of any integer type.
    Shr,
    /// NumPy's `x << y`: 0 for `y` outside `0 <= y < width`.
    ShlClamp,
    /// NumPy's `x >> y`: sign fill (0 for unsigned or `x >= 0`) for `y` outside `0 <= y < width`.
    ShrClamp,
    /// `x * x`
    Square,
    /// `1 / x`; integers as NumPy: truncated, and what `1 / 0` converts to for 0.
    Reciprocal,
    /// -1, 0, 1 of `x`; NaN for NaN; complex `x / |x|`, 0 for 0.
    Sign,

    // --- comparison
    /// `x <op> y` as `bool`. Operands have one type, or are `int64` and
    /// `uint64` in either order, compared as integers exactly. Complex: `==` and `!=` by parts; the order is by real, then imaginary part, as NumPy.
    Cmp(CmpOp),
    /// `bool(x) and bool(y)` as `bool`, both evaluated.
    LogicalAnd,
    /// `bool(x) or bool(y)` as `bool`, both evaluated.
    LogicalOr,
    /// `bool(x) != bool(y)`
    LogicalXor,
    /// Python's `min` of two or more operands of one type: `m = x1; for x in rest: if x < m: m = x`.
    Min,
    /// Python's `max` of two or more operands of one type: `m = x1; for x in rest: if x > m: m = x`.
    Max,
    /// NumPy's `maximum`: a NaN operand wins (the first of two); complex by lexicographic order.
    NpMaximum,
    /// NumPy's `minimum`.
    NpMinimum,
    /// NumPy's `fmax`: a NaN operand loses.
    FMax,
    /// NumPy's `fmin`.
    FMin,

    /// An operation on dates and durations.
    Time(TimeOp),

    // --- random numbers
    /// A random number, or a new array of them in C order. Operands are the `Generator` if the draw is from one, the
    /// parameters ([`Draw::params`]), and further ones, of which integers and tuples of integers are the shape of an array.
    /// ValueError for parameters that the distribution does not have.
    Draw(Draw),
    /// An element of an array with one axis, or an integer below a number, all of equal chances; ValueError where there is none.
    DrawItem,

    // --- mathematics
    /// A function of floats.
    Math(MathFn),
    /// A function of complex numbers.
    Complex(ComplexFn),
    /// Square root; NaN for negative floats. Complex: the principal branch.
    Sqrt,
    /// `x` if the first operand, a `bool`, is true, else `y`; both are of one type.
    Choose,
    /// `x` with the sign bit of `y`.
    CopySign,
    /// Rounds a float to an integral float.
    Round(Rounding),
    /// Rounds a float and converts it to the integer type `ret`.
    RoundToInt(Rounding),
    /// `round(x, n)` of a float with `n` digits, as CPython rounds (correctly rounded decimal); `n` is `int64`.
    RoundDigits,
    /// A property of a number as `bool`; of an integer a constant; of a complex, of either part (`isfinite`: of both).
    Class(FloatClass),
    /// `m, e` with `x = m * 2**e`, `0.5 <= |m| < 1`; `ret` is a tuple (float, integer).
    Frexp,
    /// `(fraction, whole)`: both with the sign of the float `x`; of an infinity the fraction is 0.
    Modf,
    /// `x` less the nearest multiple of `y`, ties to even multiples, exact. NaN for infinite `x` and for `y = 0`.
    Remainder,
    /// `x * 2**n`, `n` an integer of any type.
    Ldexp,
    /// Greatest common divisor, never negative but for `INT_MIN`; 0 for (0, 0).
    Gcd,
    /// Least common multiple, 0 if either is 0.
    Lcm,
    /// Degrees of radians: `x * (180 / pi)`.
    Degrees,
    /// Radians of degrees: `x * (pi / 180)`.
    Radians,
    /// Distance to the next float away from zero, with the sign of `x`.
    Spacing,
    /// `log(exp(x) + exp(y))`
    LogAddExp,
    /// `log2(exp2(x) + exp2(y))`
    LogAddExp2,
    /// Real part; `x` itself for real numbers. An array gives a view (complex) or itself.
    Real,
    /// Imaginary part; 0 of the same type for real numbers. A complex array gives a view.
    Imag,
    /// Conjugate; `x` itself for real numbers.
    Conjugate,
    /// The bits of the real number `x` as those of `ret`, of the same width.
    Reinterpret,
    /// `atan2(x.imag, x.real)`
    Phase,
    /// `(abs(x), phase(x))`
    Polar,
    /// `complex(r cos phi, r sin phi)`
    Rect,

    /// The limits of the type that the argument is or names: a named tuple of constants, [`crate::limits`].
    Limits,
    // --- ranges, slices, iteration
    /// `range(stop)`, `range(start, stop)`, `range(start, stop, step)` of integers, or floats that lose their fraction; a zero
    /// step is ValueError "range() arg 3 must not be zero".
    RangeNew,
    /// As [`Op::RangeNew`], of a range whose iterations may run in parallel: `prange`.
    ParallelRangeNew,
    /// The pending exception, for [`Op::RaiseKept`]: `bytes` that own it and have none.
    KeepError,
    /// Makes an exception of [`Op::KeepError`] pending.
    RaiseKept,
    /// Makes an exception of [`Op::KeepError`] the last context of the pending one.
    AddContext,
    /// Makes an exception of [`Op::KeepError`] the cause of the pending one, which hides its context; none without it.
    SetCause,
    /// A question or an order to the threads of parallel loops.
    Threads(ThreadOp),
    /// What a thread of a GPU asks of it.
    Device(DeviceFn),
    /// `range.start`, `.stop`, `.step` by position 0, 1, 2.
    RangeField(u8),
    /// Number of items of a range, 0 at least; OverflowError where it is no `int64`.
    RangeLen,
    /// `reversed(range)`: a range, of unsigned items an iterator; OverflowError where the range has no stop of its type.
    RangeReversed,
    /// `y in x` for a range `x` and an integer `y`: operands are (range, integer).
    RangeContains,
    /// `slice(stop)`, `slice(start, stop)`, `slice(start, stop, step)`; operands are integers, floats that lose their
    /// fraction, or `None`.
    SliceNew,
    /// `slice.start`, `.stop`, `.step` by position 0, 1, 2. As in Numba they are integers: a missing start or stop is the
    /// bound of `int64` that means the end in the direction of the step.
    SliceField(u8),
    /// The coefficients, domain or window of a polynomial, by position 0, 1, 2.
    PolynomialPart(u8),
    /// `slice.indices(n)`: a triple.
    SliceIndices,
    /// `iter(x)` of a range, array (axis 0), homogeneous tuple; an iterator is itself.
    GetIter,
    /// Advances an iterator in place: `pair<item, bool>`; the item is zero bits when the bool is false.
    IterNext,
    /// `next(x)`: the item, or StopIteration.
    Next,
    /// `np.ndindex(shape)`: operands are integers or one tuple of them; ValueError "negative dimensions are not allowed".
    NdIndexNew,
    /// As [`Op::NdIndexNew`], of a loop whose iterations may run in parallel: `pndindex`.
    ParallelNdIndexNew,
    /// `np.ndenumerate(x)`: indices and elements in C order.
    NdEnumerateNew,
    /// `np.nditer(x)`: the elements of arrays and numbers (one, or a tuple) that are broadcast together, as arrays without
    /// axes. ValueError "operands could not be broadcast together".
    NdIterNew,
    /// `enumerate(x[, start])` of an iterable; `start` is `int64`, default 0.
    EnumerateNew,
    /// `zip(x, ..)` of iterables: stops at the shortest, advancing from left to right.
    ZipNew,

    // --- tuples
    /// `x[i]` for a literal `i` (the second parameter is `Literal[int]`), in range, negative from the end.
    TupleItem,
    /// `x[k]` of a dictionary whose type says its entries, for one of its keys (the second parameter is `Literal[str]`).
    LiteralDictItem,
    /// `x[i]` of a homogeneous tuple; IndexError "tuple index out of range".
    TupleItemAt,
    /// `x[a:b:c]` for a literal slice (the second parameter is the slice literal).
    TupleSlice,
    /// Number of items.
    TupleLen,
    /// The arguments as the items of a tuple.
    TupleNew,
    /// `x + y`
    TupleConcat,
    /// `x * n` for a literal `n`.
    TupleRepeat,
    /// Lexicographic comparison; items are compared after conversion to their unified type.
    TupleCmp(CmpOp),
    /// `y in x`: operands are (tuple, item); items compare as numbers.
    TupleContains,
    /// Number of items that equal a value.
    TupleCount,
    /// `x.index(y)` of a homogeneous tuple; ValueError "tuple.index(x): x not in tuple".
    TupleIndexOf,
    /// Python's `min`/`max` over the items of a tuple, at their unified type; empty is ValueError.
    TupleMin,
    /// See [`Op::TupleMin`].
    TupleMax,
    /// `sum(x[, start])` from left to right at the type `ret`.
    TupleSum,

    // --- arrays
    /// `x[i]` by basic indexing: `i` is an integer, slice, `None`, `...` or a tuple of these (literal or not).
    /// A scalar `ret` is a load (also with `...` in the index); anything else is a view of `x` with the same owner. Indices are
    /// `int64`, negative ones counting from the end, or `uint64`, which never do. IndexError only under `boundscheck`.
    ArrayGet,
    /// `x[i] = v` by basic indexing: an element store, or a broadcast assignment to the view `x[i]` of a scalar or array `v`,
    /// as if `v` were copied first where it overlaps. ValueError "cannot assign slice of shape .. from input of shape ..".
    ArraySet,
    /// An attribute of an array.
    ArrayAttr(ArrayAttr),
    /// `len(x)`: `x.shape[0]`; TypeError for 0-d.
    ArrayLen,
    /// A new C-contiguous array: operands are the shape (integer or tuple), for [`Fill::Value`] the value (converted to the
    /// element type), and the dtype (a type without a value, or `None`). `ret` gives the element type. ValueError "negative dimensions
    /// are not allowed", "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.",
    /// MemoryError.
    ArrayNew(Fill),
    /// A new array of the shape of `x` (an array, or a scalar: 0-d) in the layout of `ret`: operands are `x`, for
    /// [`Fill::Value`] the value, and the dtype as in [`Op::ArrayNew`], which may be absent.
    ArrayNewLike(Fill),
    /// A new array with the items of `x` converted to the element type and layout of `ret`. Other operands are types.
    /// With `ret` of one dimension and `x` of another, in C order (`flatten`).
    ArrayCopy,
    /// `x` itself if it is contiguous in the layout of `ret` and of its element type, else [`Op::ArrayCopy`].
    ArrayAsLayout,
    /// `x[...] = v`; `ret` is `none`.
    ArrayFill,
    /// The C-contiguous array `x` as a view with one axis.
    ArrayRavel,
    /// A view of the C-contiguous array `x` with another shape: the other operands are one tuple, or integers; one that is
    /// negative is computed.
    /// ValueError "total size of new array must be unchanged".
    ArrayReshape,
    /// As [`Op::ArrayReshape`] for any layout: in C order, a view if there are strides for it, else a copy.
    ArrayReshapeAny,
    /// The axes of `x` permuted by the other operands (one tuple, or integers; negative ones count from the end), or reversed
    /// when they are `None` or absent. ValueError "axes don't match array", "repeated axis in transpose".
    ArrayTranspose,
    /// A view of `x` with the axes `y` and `z` exchanged. ValueError "np.swapaxes: Argument .. out of bounds ..".
    ArraySwapAxes,
    /// A view of `x` with a new axis of one index at the place `y`. AxisError when that is out of range.
    ArrayExpandDims,
    /// A view of `x` in the shape `y`, an integer or a tuple of at least as many axes. ValueError where it does not broadcast.
    ArrayBroadcastTo,
    /// The only element of `x`; ValueError "item(): can only convert an array of size 1 to a Python scalar".
    ArrayItem,
    /// `x[i]` over the elements of an array `x` (bound to the name `flat`) in C order, `i` an integer; negative `i` counts from the end.
    ArrayFlatGet,
    /// `x.flat[i] = v`
    ArrayFlatSet,
    /// `iter(x.flat)`: over a 1-d view of `x` if it is C-contiguous, else over a copy in C order. `ret` is `iter(array(T, 1d, C))`.
    ArrayFlatIter,
    /// Calls the C function at the address `x` with the other operands, each one machine value.
    CallPointer,
    /// The memory at the address `x` as an array of the shape `y`, an integer or a tuple; `ret` says the rest. Nobody of ours
    /// owns the memory.
    ArrayAt,
    /// `p[i]` of a pointer, without checks; `i` may be negative.
    PointerGet,
    /// `p[i] = v`
    PointerSet,
    /// The numbers of a list as a new 1-d array of element type `ret.dtype`.
    ArrayOfList,
    /// The numbers of nested tuples and lists as a new array of the type `ret`; ValueError where neighbours differ in length.
    ArrayOfNested,
    /// The memory of `x` with elements of the type of `ret`. The size of the last axis changes with that of an element. ValueError
    /// where it has none, is not contiguous, or does not hold a whole number of new elements.
    ArrayView,
    /// The bytes of the elements in C order.
    ArrayToBytes,
    /// True if `x` is the array object `y`: same data, shape and strides.
    ArrayIs,
    /// `not` [`Op::ArrayIs`].
    ArrayIsNot,

    /// True if `f` is the function `g`, which has its type.
    FunctionIs,
    /// `not` [`Op::FunctionIs`].
    FunctionIsNot,

    /// `x[m] = v` of an array, a mask of its rank and a number: the elements where `m` holds; IndexError for other shapes.
    ArraySetMask,

    // --- records
    /// `r['name']` for a constant name or position (the second operand): a number, a nested record (the same memory), an array
    /// over a nested one, a copy of a char sequence.
    RecordGet,
    /// `r['name'] = v`: operands are the record, the constant and the value; into a nested array as by [`Op::ArraySet`].
    RecordSet,
    /// `x['name']` of an array of records: a view; the axes of a nested array come last.
    ArrayField,
    /// `x['name'] = v` of an array of records: as by [`Op::ArraySet`] into the view.
    ArrayFieldSet,

    // --- objects with fields
    /// A new object of the type `ret`, whose fields hold zero bits.
    ObjectNew,
    /// Whether two objects of one type, of which either may be None, are the same object, or (false) are not.
    ObjectIs(bool),
    /// `x.name` for a constant name (the second operand). AttributeError where the field was never set and its zero bits are no
    /// value.
    FieldGet,
    /// `x.name = v` for a constant name (the second operand).
    FieldSet,

    // --- char sequences
    /// Number of characters of a string, or of a char sequence up to the last that is not zero.
    CharSeqLen,
    /// `x[i]` of a string or char sequence: a string of one character, of a char sequence of bytes a number. IndexError.
    TextItem,
    /// `x.strip(chars)`, with `None` for blanks: what is left when characters are cut off at the start (the first flag) and the
    /// end (the second).
    TextStrip(bool, bool),
    /// `format % x` of a constant format.
    TextPercent,
    /// `format.format(*x)` of a constant format.
    TextBraces,
    /// `str(x)`, or `repr(x)` if `true`: of containers and of what only Python writes.
    TextOf(bool),
    /// `x <op> y` of strings and char sequences; of the latter the characters up to the last that is not zero.
    CharSeqCmp(CmpOp),

    // --- lists
    /// An operation on a list.
    List(ListOp),
    /// An operation on a set.
    Set(SetOp),
    /// An operation on a dictionary.
    Dict(DictOp),

    // --- output
    /// `print(x, ..)`: operands separated by a space, then a newline. Literal strings print as their text.
    Print,
}

/// An operation on dates and durations, of one unit where there are two. NaT in an operand gives NaT unless a doc says
/// otherwise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TimeOp {
    /// `x + y`
    Add,
    /// `x - y`
    Sub,
    /// `-x`
    Neg,
    /// `|x|`
    Abs,
    /// -1, 0, 1 of `x`, as a duration; -1 for NaT.
    Sign,
    /// A duration and an int64, in either order.
    MulInt,
    /// A duration and a float64, in either order: truncated, NaT where the product is not finite.
    MulFloat,
    /// `x / y`, and also `x // y`, for an int64 `y`: truncated; NaT by 0.
    DivInt,
    /// `x / y` for a float64 `y`, truncated; NaT where the quotient is not finite.
    DivFloat,
    /// `x / y` of durations as float64; NaN for NaT.
    Ratio,
    /// `x // y` of durations as int64; 0 for NaT and by 0.
    FloorDiv,
    /// `x % y` of durations; NaT by 0.
    Mod,
    /// `x <op> y`; with NaT false, but `!=` is true.
    Cmp(CmpOp),
    /// The later one.
    Maximum,
    /// The earlier one.
    Minimum,
    /// The later one; NaT loses.
    FMax,
    /// The earlier one; NaT loses.
    FMin,
    /// `x` is NaT.
    IsNat,
    /// `x` is not NaT.
    IsFinite,
}

/// What a division by zero does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DivModel {
    /// By the function's `error_model`: `python` raises ZeroDivisionError "division by zero" (integer operands of `//`, `%`:
    /// "integer division or modulo by zero"), `numpy` is [`DivModel::Numpy`].
    Python,
    /// Integers give 0; floats follow IEEE 754, with NumPy's signs in `floor_divide` and `remainder`.
    Numpy,
}

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CmpOp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// How to round a float to an integral value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rounding {
    /// Towards minus infinity.
    Floor,
    /// Towards plus infinity.
    Ceil,
    /// Towards zero.
    Trunc,
    /// To nearest, ties to even.
    Nearest,
}

/// A property of a float.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatClass {
    /// Not a number.
    IsNan,
    /// Plus or minus infinity.
    IsInf,
    /// Neither.
    IsFinite,
    /// The sign bit is set, also of -0.0 and NaN; of an integer `x < 0`.
    SignBit,
}

/// What a new array holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fill {
    /// Anything.
    Uninit,
    /// 0
    Zero,
    /// 1
    One,
    /// The last operand.
    Value,
}

/// An attribute of an array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ArrayAttr {
    /// The tuple of extents, `int64` each.
    Shape,
    /// The tuple of byte strides.
    Strides,
    /// Number of axes.
    Ndim,
    /// Number of elements.
    Size,
    /// Bytes of an element.
    ItemSize,
    /// `size * itemsize`
    NBytes,
    /// The axes reversed, a view.
    T,
    /// True if contiguous in C or Fortran order: known from the layout but for `A`, where strides decide.
    FlagsContiguous,
    /// True if contiguous in C order.
    FlagsC,
    /// True if contiguous in Fortran order.
    FlagsF,
    /// `dtype(..)`, a value without content.
    DType,
    /// The address of the first element, as `uint64`.
    Data,
}

/// A function of one complex number with a complex result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ComplexFn {
    /// `e**z`
    Exp,
    /// `2**z`
    Exp2,
    /// `e**z - 1`
    Expm1,
    /// Natural logarithm.
    Log,
    /// Base 2.
    Log2,
    /// Base 10.
    Log10,
    /// `log(1 + z)`
    Log1p,
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
    /// Inverse sine.
    Asin,
    /// Inverse cosine.
    Acos,
    /// Inverse tangent.
    Atan,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Inverse hyperbolic sine.
    Asinh,
    /// Inverse hyperbolic cosine.
    Acosh,
    /// Inverse hyperbolic tangent.
    Atanh,
}

impl ComplexFn {
    /// All of them.
    pub const ALL: [ComplexFn; 19] = [
        ComplexFn::Exp,
        ComplexFn::Exp2,
        ComplexFn::Expm1,
        ComplexFn::Log,
        ComplexFn::Log2,
        ComplexFn::Log10,
        ComplexFn::Log1p,
        ComplexFn::Sin,
        ComplexFn::Cos,
        ComplexFn::Tan,
        ComplexFn::Asin,
        ComplexFn::Acos,
        ComplexFn::Atan,
        ComplexFn::Sinh,
        ComplexFn::Cosh,
        ComplexFn::Tanh,
        ComplexFn::Asinh,
        ComplexFn::Acosh,
        ComplexFn::Atanh,
    ];

    /// C's name.
    pub const fn name(self) -> &'static str {
        match self {
            ComplexFn::Exp => "cexp",
            ComplexFn::Exp2 => "cexp2",
            ComplexFn::Expm1 => "cexpm1",
            ComplexFn::Log => "clog",
            ComplexFn::Log2 => "clog2",
            ComplexFn::Log10 => "clog10",
            ComplexFn::Log1p => "clog1p",
            ComplexFn::Sin => "csin",
            ComplexFn::Cos => "ccos",
            ComplexFn::Tan => "ctan",
            ComplexFn::Asin => "casin",
            ComplexFn::Acos => "cacos",
            ComplexFn::Atan => "catan",
            ComplexFn::Sinh => "csinh",
            ComplexFn::Cosh => "ccosh",
            ComplexFn::Tanh => "ctanh",
            ComplexFn::Asinh => "casinh",
            ComplexFn::Acosh => "cacosh",
            ComplexFn::Atanh => "catanh",
        }
    }

    /// The runtime symbol, `void (double re, double im, double out[2])`: complex64 computes in complex128 and rounds once.
    pub fn symbol(self) -> String {
        format!("numbra_rt_{}", self.name())
    }
}

impl CmpOp {
    /// All of them.
    pub const ALL: [CmpOp; 6] = [
        CmpOp::Eq,
        CmpOp::Ne,
        CmpOp::Lt,
        CmpOp::Le,
        CmpOp::Gt,
        CmpOp::Ge,
    ];
}

/// What compiled code asks of the threads of parallel loops. Numbers are `int64`, sizes of chunks that are given back `uint32`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ThreadOp {
    /// How many threads this thread's loops have.
    Count,
    /// Sets their number; ValueError unless there are so many.
    SetCount,
    /// Which of its loop's threads this one is.
    Id,
    /// Iterations of a chunk, 0 for the runtime's choice.
    Chunksize,
    /// Sets them; the old number.
    SetChunksize,
}
