//! The table of runtime symbols: name, C signature, effects. One row a symbol; numbra-runtime implements each.

/// Type of a parameter or result in the platform C convention.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CType {
    Void,
    I8,
    I16,
    I32,
    I64,
    F32,
    F64,
    /// Any address.
    Ptr,
    /// A counted reference; a parameter is borrowed, a result is owned.
    Ref,
}

/// What a native function does besides computing its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effects {
    /// Reads memory that compiled code can write.
    pub reads: bool,
    /// Writes memory that compiled code can read.
    pub writes: bool,
    /// Allocates; such functions are not available on devices.
    pub allocates: bool,
    /// Returns a status first: see `status`.
    pub raises: bool,
    /// May call into CPython (takes the GIL if needed).
    pub python: bool,
}

impl Effects {
    /// Computes only.
    pub const PURE: Effects = Effects {
        reads: false,
        writes: false,
        allocates: false,
        raises: false,
        python: false,
    };
    /// Reads memory.
    pub const READ: Effects = Effects {
        reads: true,
        ..Effects::PURE
    };
    /// Reads and writes memory.
    pub const WRITE: Effects = Effects {
        reads: true,
        writes: true,
        ..Effects::PURE
    };
    /// Allocates and may fail.
    pub const ALLOC: Effects = Effects {
        allocates: true,
        ..Effects::WRITE
    };
}

/// A runtime symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Native {
    pub name: &'static str,
    pub params: &'static [CType],
    /// `Void` when the only result is the status or nothing.
    pub ret: CType,
    pub effects: Effects,
    /// It keeps all general registers but that of its result and one more: LLVM's convention `preserve_most`.
    pub keeps_registers: bool,
    pub doc: &'static str,
}

const fn row(
    name: &'static str,
    params: &'static [CType],
    ret: CType,
    effects: Effects,
    doc: &'static str,
) -> Native {
    Native {
        name,
        params,
        ret,
        effects,
        keeps_registers: false,
        doc,
    }
}

/// A native that keeps registers, where the runtime has one that does: see its module `keeping`.
const fn keeping(native: Native) -> Native {
    Native {
        keeps_registers: cfg!(target_arch = "x86_64"),
        ..native
    }
}

impl Effects {
    /// Advances a stream of random numbers; may raise.
    pub const DRAW: Effects = Effects {
        raises: true,
        ..Effects::WRITE
    };
    /// Runs signal handlers, which do nothing to the memory of the code that they interrupt; may raise.
    pub const INTERRUPT: Effects = Effects {
        raises: true,
        python: true,
        ..Effects::PURE
    };
    /// As `INTERRUPT`, without a status.
    pub const LEAVE: Effects = Effects {
        python: true,
        ..Effects::PURE
    };
    /// Writes to standard output.
    pub const PRINT: Effects = Effects {
        python: true,
        ..Effects::WRITE
    };
    /// Does whatever Python code does.
    pub const OBJECT_MODE: Effects = Effects {
        python: true,
        ..Effects::NATIVE_BODY
    };
    /// Reads and writes memory, allocates, raises: the bodies of library functions.
    pub const NATIVE_BODY: Effects = Effects {
        raises: true,
        ..Effects::ALLOC
    };
}

use CType::{F32, F64, I8, I32, I64, Ptr, Ref, Void};

/// The word that is 0 as long as loops may go on: a 32-bit integer of the runtime, of which code holds the address.
pub const INTERRUPT_WORD: &str = "numbra_rt_interrupt_word";

/// The datum of a module that has the address of [`INTERRUPT_WORD`].
pub const INTERRUPT_CELL: &str = "cell.numbra_rt_interrupt_word";

/// Class and message of what functions that call themselves raise where there is no stack left.
pub const STACK_OVERFLOW: (&str, &str) = (
    "builtins.RecursionError",
    "maximum recursion depth exceeded",
);

/// All runtime symbols but those of numbra-math, which [`crate::MathLib`] names. Sorted by name.
///
/// Arguments of type `I8` and `I16` are sign-extended by the caller. A symbol that raises and has a result returns it as an
/// `I64`, `F64`, `Ptr` or `Ref` in the second result register, after the status.
pub const NATIVES: &[Native] = &[
    row(
        "numbra_rt_add_context",
        &[Ref],
        Void,
        Effects::WRITE,
        "Makes the exception that an object of `keep_error` holds the last context of the pending one, and the object then holds it no more; null changes nothing.",
    ),
    row(
        "numbra_rt_all",
        &[Ptr, Ptr],
        Void,
        Effects::NATIVE_BODY,
        "`(args*, ret*)`: the native body of `numpy.all`, in the convention of `numbra_library`.",
    ),
    row(
        "numbra_rt_alloc",
        &[I64, I64],
        Ref,
        Effects::ALLOC,
        "`alloc(size, align) -> ref`: a new object with `size` bytes of uninitialised data, count 1; null when memory is exhausted or the size is negative.",
    ),
    row(
        "numbra_rt_alloc_zeroed",
        &[I64, I64],
        Ref,
        Effects::ALLOC,
        "`alloc_zeroed(size, align) -> ref`: as `alloc`, with zeroed data.",
    ),
    row(
        "numbra_rt_any",
        &[Ptr, Ptr],
        Void,
        Effects::NATIVE_BODY,
        "`(args*, ret*)`: the native body of `numpy.any`, in the convention of `numbra_library`.",
    ),
    row(
        "numbra_rt_argmax",
        &[Ptr, Ptr],
        Void,
        Effects::NATIVE_BODY,
        "`(args*, ret*)`: the native body of `numpy.argmax`, in the convention of `numbra_library`.",
    ),
    row(
        "numbra_rt_argmin",
        &[Ptr, Ptr],
        Void,
        Effects::NATIVE_BODY,
        "`(args*, ret*)`: the native body of `numpy.argmin`, in the convention of `numbra_library`.",
    ),
    row(
        "numbra_rt_cacos",
        &[F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, out*)`: complex `acos`; writes two floats.",
    ),
    row(
        "numbra_rt_cacosh",
        &[F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, out*)`: complex `acosh`; writes two floats.",
    ),
    row(
        "numbra_rt_casin",
        &[F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, out*)`: complex `asin`; writes two floats.",
    ),
    row(
        "numbra_rt_casinh",
        &[F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, out*)`: complex `asinh`; writes two floats.",
    ),
    row(
        "numbra_rt_catan",
        &[F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, out*)`: complex `atan`; writes two floats.",
    ),
    row(
        "numbra_rt_catanh",
        &[F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, out*)`: complex `atanh`; writes two floats.",
    ),
    row(
        "numbra_rt_ccos",
        &[F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, out*)`: complex `cos`; writes two floats.",
    ),
    row(
        "numbra_rt_ccosh",
        &[F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, out*)`: complex `cosh`; writes two floats.",
    ),
    row(
        "numbra_rt_cexpm1",
        &[F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, out*)`: complex `expm1`; writes two floats.",
    ),
    row(
        "numbra_rt_chars_compare",
        &[Ptr, I64, I64, Ptr, I64, I64],
        I32,
        Effects::READ,
        "`chars_compare(a, length, width, b, length, width) -> order`: below, at or above 0 as the characters at `a` sort before, with or after those at `b`; code points compare.",
    ),
    row(
        "numbra_rt_chars_fill",
        &[Ptr, I64, I64, Ptr, I64, I64],
        Void,
        Effects::WRITE,
        "`chars_fill(to, count, width, from, length, from_width)`: writes `count` characters of `width` bytes, the first of the `length` at `from`, then zeros; a character that does not fit is cut.",
    ),
    row(
        "numbra_rt_chars_len",
        &[Ptr, I64, I64],
        I64,
        Effects::READ,
        "`chars_len(data, count, width) -> length`: number of characters up to the last that is not zero.",
    ),
    row(
        "numbra_rt_clog",
        &[F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, out*)`: complex `log`; writes two floats.",
    ),
    row(
        "numbra_rt_clog10",
        &[F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, out*)`: complex `log10`; writes two floats.",
    ),
    row(
        "numbra_rt_clog1p",
        &[F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, out*)`: complex `log1p`; writes two floats.",
    ),
    row(
        "numbra_rt_clog2",
        &[F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, out*)`: complex `log2`; writes two floats.",
    ),
    row(
        "numbra_rt_concatenate",
        &[Ptr, Ptr],
        Void,
        Effects::NATIVE_BODY,
        "`(args*, ret*)`: the native body of `numpy.concatenate`, in the convention of `numbra_library`.",
    ),
    row(
        "numbra_rt_count_nonzero",
        &[Ptr, Ptr],
        Void,
        Effects::NATIVE_BODY,
        "`(args*, ret*)`: the native body of `numpy.count_nonzero`, in the convention of `numbra_library`.",
    ),
    row(
        "numbra_rt_cpow",
        &[F64, F64, F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, re, im, out*)`: complex power; writes two floats.",
    ),
    row(
        "numbra_rt_csin",
        &[F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, out*)`: complex `sin`; writes two floats.",
    ),
    row(
        "numbra_rt_csinh",
        &[F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, out*)`: complex `sinh`; writes two floats.",
    ),
    row(
        "numbra_rt_csqrt",
        &[F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, out*)`: complex `sqrt`; writes two floats.",
    ),
    row(
        "numbra_rt_ctan",
        &[F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, out*)`: complex `tan`; writes two floats.",
    ),
    row(
        "numbra_rt_ctanh",
        &[F64, F64, Ptr],
        Void,
        Effects::WRITE,
        "`(re, im, out*)`: complex `tanh`; writes two floats.",
    ),
    row(
        "numbra_rt_cumprod",
        &[Ptr, Ptr],
        Void,
        Effects::NATIVE_BODY,
        "`(args*, ret*)`: the native body of `numpy.cumprod`, in the convention of `numbra_library`.",
    ),
    row(
        "numbra_rt_cumsum",
        &[Ptr, Ptr],
        Void,
        Effects::NATIVE_BODY,
        "`(args*, ret*)`: the native body of `numpy.cumsum`, in the convention of `numbra_library`.",
    ),
    row(
        "numbra_rt_device_active_mask",
        &[Ptr, I32],
        I32,
        Effects::WRITE,
        "`(thread*, place)`: the lanes that are at this place of the kernel.",
    ),
    row(
        "numbra_rt_device_barrier",
        &[Ptr, I32],
        I64,
        Effects::WRITE,
        "`(thread*, truth)`: the threads of the block meet; how many there are, above for how many of them it is not 0.",
    ),
    row(
        "numbra_rt_device_clock",
        &[],
        I64,
        Effects::WRITE,
        "Nanoseconds of a clock that only goes forward.",
    ),
    row(
        "numbra_rt_device_enter",
        &[Ptr],
        Void,
        Effects::LEAVE,
        "`(name)`: a function begins that may call itself, in a kernel on the CPU; ends the launch where its stack is full.",
    ),
    row(
        "numbra_rt_device_grid_barrier",
        &[Ptr],
        Void,
        Effects::WRITE,
        "`(thread*)`: the threads of the grid meet.",
    ),
    row(
        "numbra_rt_device_library",
        &[I32, Ptr, Ptr],
        Void,
        Effects::WRITE,
        "`(position, operands*, results*)`: a function of `libdevice::NATIVE` at its position in `libdevice::FUNCTIONS`.",
    ),
    row(
        "numbra_rt_device_look",
        &[],
        Void,
        Effects::LEAVE,
        "Called by a loop of a kernel on the CPU that finds the word `INTERRUPT_WORD` set: ends the launch if it is to end.",
    ),
    row(
        "numbra_rt_device_match_all",
        &[Ptr, I32, I64],
        I32,
        Effects::WRITE,
        "`(thread*, mask, value)`: the mask if its lanes have one value, else 0.",
    ),
    row(
        "numbra_rt_device_match_any",
        &[Ptr, I32, I64],
        I32,
        Effects::WRITE,
        "`(thread*, mask, value)`: the lanes of the mask with the same value.",
    ),
    row(
        "numbra_rt_device_print",
        &[Ptr, Ptr],
        I32,
        Effects::PRINT,
        "`(format, arguments)`: C's `vprintf` for what kernels print.",
    ),
    row(
        "numbra_rt_device_relax",
        &[Ptr],
        Void,
        Effects::WRITE,
        "`(thread*)`: lets other threads run.",
    ),
    row(
        "numbra_rt_device_shuffle",
        &[Ptr, I32, I32, I32, I32],
        I32,
        Effects::WRITE,
        "`(thread*, mask, value, operand, kind)`: the value of another lane; kinds are index, up, down and xor, from 0.",
    ),
    row(
        "numbra_rt_device_spin",
        &[Ptr],
        Void,
        Effects::WRITE,
        "`(thread*)`: a round of a loop that waits for another thread; lets it run after many.",
    ),
    row(
        "numbra_rt_device_sync_warp",
        &[Ptr, I32],
        Void,
        Effects::WRITE,
        "`(thread*, mask)`: the lanes of the mask meet.",
    ),
    row(
        "numbra_rt_device_thread",
        &[],
        Ptr,
        Effects::PURE,
        "The `DeviceThread` that the calling code belongs to.",
    ),
    row(
        "numbra_rt_device_vote",
        &[Ptr, I32, I32],
        I64,
        Effects::WRITE,
        "`(thread*, mask, truth)`: the lanes of the mask, above those of them for which it is not 0.",
    ),
    row(
        "numbra_rt_dict_clear",
        &[Ref],
        Void,
        Effects::WRITE,
        "Removes all entries.",
    ),
    row(
        "numbra_rt_dict_copy",
        &[Ref],
        Ref,
        Effects::ALLOC,
        "A new dictionary of the same entries; null when memory is exhausted.",
    ),
    row(
        "numbra_rt_dict_insert",
        &[Ref, Ptr],
        Void,
        Effects::NATIVE_BODY,
        "`(dict, entry*)`: adds an entry whose key is not there, with references of its own; MemoryError.",
    ),
    row(
        "numbra_rt_dict_new",
        &[I64, I64, I64, Ptr],
        Ref,
        Effects::ALLOC,
        "`(entry_size, refs, alive, parts*)`: a new empty dictionary, which has the layout of a set in front. `refs`: bit `i` of word `i` of an entry that is a reference; `alive`: the byte of an entry that is 1; `parts*`: of the key, as for sets.",
    ),
    row(
        "numbra_rt_dict_next",
        &[Ref, I64],
        I64,
        Effects::READ,
        "`(dict, from)`: position of the first entry that was not removed, or -1.",
    ),
    row(
        "numbra_rt_dict_replace",
        &[Ref, I64, Ptr, I64],
        Void,
        Effects::WRITE,
        "`(dict, at, entry*, value)`: the entry at a position takes the value of another one with its key, which begins at byte `value`.",
    ),
    row(
        "numbra_rt_dict_take",
        &[Ref, I64],
        Void,
        Effects::WRITE,
        "`(dict, at)`: removes the entry at a position.",
    ),
    row(
        "numbra_rt_draw",
        &[I32, Ptr, I64, I64, I64],
        I64,
        Effects::DRAW,
        "`draw(code, generator*, a, b, c) -> bits`: a random number by [`crate::Draw::from_code`]; parameters and result are bits of floats or integers, `generator` is a `bitgen_t` of NumPy or null. ValueError for parameters out of range.",
    ),
    row(
        "numbra_rt_draw_fill",
        &[I32, Ptr, Ptr, Ptr, I64, I32],
        Void,
        Effects::DRAW,
        "`(code, generator*, parameters*, data*, count, element)`: fills `count` elements of the type at position `element` of `Scalar::ALL` as `draw` does; the parameters are three words.",
    ),
    row(
        "numbra_rt_f16_fma",
        &[I32, I32, I32],
        I32,
        Effects::PURE,
        "`a * b + c` of halves, by their bits, with one rounding.",
    ),
    row(
        "numbra_rt_f16_to_f32",
        &[I32],
        F32,
        Effects::PURE,
        "The value of a half, by its bits.",
    ),
    row(
        "numbra_rt_f32_to_f16",
        &[F32],
        I32,
        Effects::PURE,
        "Bits of the nearest half, ties to even.",
    ),
    row(
        "numbra_rt_f64_to_f16",
        &[F64],
        I32,
        Effects::PURE,
        "Bits of the nearest half, ties to even.",
    ),
    row(
        "numbra_rt_f64_to_i128",
        &[Ptr, F64],
        Void,
        Effects::WRITE,
        "`(result*, x)`: toward zero; MIN for NaN and out of range.",
    ),
    row(
        "numbra_rt_f64_to_u128",
        &[Ptr, F64],
        Void,
        Effects::WRITE,
        "`(result*, x)`: at and above 2^127 by offset, else as signed.",
    ),
    row(
        "numbra_rt_frame_clear",
        &[Ref],
        Void,
        Effects::WRITE,
        "Gives up all references of a generator's frame.",
    ),
    row(
        "numbra_rt_frame_new",
        &[I64, I64],
        Ref,
        Effects::ALLOC,
        "`(size, refs)`: a new frame of a generator, zero but for its number of references; null when memory is exhausted.",
    ),
    row(
        "numbra_rt_free",
        &[Ref],
        Void,
        Effects::WRITE,
        "The count has reached zero: frees the object. The slow path of an inline release; keeps all general registers and \
         the low 128 bits of vector registers.",
    ),
    row(
        "numbra_rt_get_num_threads",
        &[],
        I64,
        Effects::READ,
        "Threads of this thread's parallel loops.",
    ),
    row(
        "numbra_rt_get_parallel_chunksize",
        &[],
        I64,
        Effects::READ,
        "Iterations of a chunk of this thread's parallel loops; 0 leaves it to the runtime.",
    ),
    row(
        "numbra_rt_get_thread_id",
        &[],
        I64,
        Effects::READ,
        "Which of its parallel loop's threads this one is; 0 outside.",
    ),
    row(
        "numbra_rt_hash",
        &[Ptr, Ptr],
        Void,
        Effects::NATIVE_BODY,
        "`(args*, ret*)`: the native body of `builtins.hash`, in the convention of `numbra_library`.",
    ),
    row(
        "numbra_rt_i128_sdiv",
        &[Ptr, Ptr, Ptr],
        Void,
        Effects::WRITE,
        "`(result*, lhs*, rhs*)` of 16 bytes each. Signed division toward zero; total as LIR's.",
    ),
    row(
        "numbra_rt_i128_smul_overflow",
        &[Ptr, Ptr, Ptr],
        I32,
        Effects::WRITE,
        "`(result*, lhs*, rhs*) -> overflowed`: signed product of 16 bytes.",
    ),
    row(
        "numbra_rt_i128_smulhi",
        &[Ptr, Ptr, Ptr],
        Void,
        Effects::WRITE,
        "`(result*, lhs*, rhs*)` of 16 bytes each. High half of the signed product.",
    ),
    row(
        "numbra_rt_i128_srem",
        &[Ptr, Ptr, Ptr],
        Void,
        Effects::WRITE,
        "`(result*, lhs*, rhs*)` of 16 bytes each. Signed remainder; total as LIR's.",
    ),
    row(
        "numbra_rt_i128_to_f32",
        &[Ptr],
        F32,
        Effects::READ,
        "`(x*)`: a signed 128-bit integer as a float, to nearest even.",
    ),
    row(
        "numbra_rt_i128_to_f64",
        &[Ptr],
        F64,
        Effects::READ,
        "`(x*)`: a signed 128-bit integer as a float, to nearest even.",
    ),
    row(
        "numbra_rt_i128_udiv",
        &[Ptr, Ptr, Ptr],
        Void,
        Effects::WRITE,
        "`(result*, lhs*, rhs*)` of 16 bytes each. Unsigned division; total as LIR's.",
    ),
    row(
        "numbra_rt_i128_umul_overflow",
        &[Ptr, Ptr, Ptr],
        I32,
        Effects::WRITE,
        "`(result*, lhs*, rhs*) -> overflowed`: unsigned product of 16 bytes.",
    ),
    row(
        "numbra_rt_i128_umulhi",
        &[Ptr, Ptr, Ptr],
        Void,
        Effects::WRITE,
        "`(result*, lhs*, rhs*)` of 16 bytes each. High half of the unsigned product.",
    ),
    row(
        "numbra_rt_i128_urem",
        &[Ptr, Ptr, Ptr],
        Void,
        Effects::WRITE,
        "`(result*, lhs*, rhs*)` of 16 bytes each. Unsigned remainder; total as LIR's.",
    ),
    keeping(row(
        "numbra_rt_interrupt",
        &[],
        Void,
        Effects::INTERRUPT,
        "Called by a loop that finds the word `INTERRUPT_WORD` set: raises if the thread is to leave the loop, as after \
         Ctrl-C.",
    )),
    row(
        "numbra_rt_is_interrupt",
        &[],
        I32,
        Effects::READ,
        "1 if what is pending is an interrupt, which handlers of compiled code do not see, else 0.",
    ),
    row(
        "numbra_rt_keep_error",
        &[],
        Ref,
        Effects::ALLOC,
        "`keep_error() -> ref`: a new object that holds the pending exception, which is no longer pending; null, and it still is, when memory is exhausted.",
    ),
    row(
        "numbra_rt_keep_value",
        &[I64, Ptr, I64, I32, Ptr],
        I64,
        Effects::PRINT,
        "`keep_value(number, type, length, kind, leaves) -> number`: Python makes an object of a value, the argument of an \
         exception, and keeps it under the number until the next exception with such arguments. The rest as for \
         `print_value`.",
    ),
    keeping(row(
        "numbra_rt_leave",
        &[],
        I32,
        Effects::LEAVE,
        "As `interrupt` and `stack_full`, for functions without status: 1 if the thread is to leave, and to come to \
         `interrupt` without doing anything that can be observed.",
    )),
    row(
        "numbra_rt_line_sum_f32",
        &[Ptr, I64, I64],
        F32,
        Effects::READ,
        "`line_sum(data, n, step) -> sum`: of `n` floats that are `step` bytes apart, in NumPy's order.",
    ),
    row(
        "numbra_rt_line_sum_f64",
        &[Ptr, I64, I64],
        F64,
        Effects::READ,
        "`line_sum(data, n, step) -> sum`: of `n` doubles that are `step` bytes apart, in NumPy's order.",
    ),
    row(
        "numbra_rt_list_assign",
        &[Ref, I64, I64, I64, Ref],
        Void,
        Effects::NATIVE_BODY,
        "`(list, start, count, step, source)`: `list[start:..:step] = source` for `count` clamped positions; with step 1 the list grows or shrinks, else another length is a ValueError.",
    ),
    row(
        "numbra_rt_list_clear",
        &[Ref],
        Void,
        Effects::WRITE,
        "Removes all items.",
    ),
    row(
        "numbra_rt_list_concat",
        &[Ref, Ref],
        Ref,
        Effects::ALLOC,
        "`a + b` of lists with items of one type: a new list; null when memory is exhausted.",
    ),
    row(
        "numbra_rt_list_extend",
        &[Ref, Ref],
        Void,
        Effects::NATIVE_BODY,
        "Appends the items of another list of the same type, which may be the list itself; MemoryError.",
    ),
    row(
        "numbra_rt_list_new",
        &[I64, I64, I64],
        Ref,
        Effects::ALLOC,
        "`(capacity, item_size, refs)`: a new empty list; null when memory is exhausted.",
    ),
    row(
        "numbra_rt_list_open",
        &[Ref, I64],
        Void,
        Effects::NATIVE_BODY,
        "`(list, at)`: makes room for one item at `0 <= at <= length`; its memory is zero; MemoryError.",
    ),
    row(
        "numbra_rt_list_remove",
        &[Ref, I64, I64],
        Void,
        Effects::WRITE,
        "`(list, at, count)`: removes items, which must be there.",
    ),
    row(
        "numbra_rt_list_repeat",
        &[Ref, I64],
        Ref,
        Effects::ALLOC,
        "`list * n`: a new list, empty for a negative `n`; null when memory is exhausted.",
    ),
    row(
        "numbra_rt_list_reserve",
        &[Ref, I64],
        Void,
        Effects::NATIVE_BODY,
        "`(list, length)`: room for that many items, and for more to come; MemoryError.",
    ),
    row(
        "numbra_rt_list_reverse",
        &[Ref],
        Void,
        Effects::WRITE,
        "Turns the order round.",
    ),
    row(
        "numbra_rt_list_slice",
        &[Ref, I64, I64, I64],
        Ref,
        Effects::ALLOC,
        "`(list, start, step, count)`: a new list of `count` items, which must be there; null when memory is exhausted.",
    ),
    row(
        "numbra_rt_list_sort",
        &[Ref, Ptr, I8],
        Void,
        Effects::NATIVE_BODY,
        "`(list, order*, reverse)`: sorts stably. `order` points to the number of parts that are compared, then for each its scalar (position in `Scalar::ALL`) and its byte in the item, a word each. NaN comes last. MemoryError.",
    ),
    row(
        "numbra_rt_live_objects",
        &[],
        I64,
        Effects::READ,
        "Objects allocated and not freed in this process.",
    ),
    row(
        "numbra_rt_max",
        &[Ptr, Ptr],
        Void,
        Effects::NATIVE_BODY,
        "`(args*, ret*)`: the native body of `numpy.max`, in the convention of `numbra_library`.",
    ),
    row(
        "numbra_rt_mean",
        &[Ptr, Ptr],
        Void,
        Effects::NATIVE_BODY,
        "`(args*, ret*)`: the native body of `numpy.mean`, in the convention of `numbra_library`.",
    ),
    row(
        "numbra_rt_min",
        &[Ptr, Ptr],
        Void,
        Effects::NATIVE_BODY,
        "`(args*, ret*)`: the native body of `numpy.min`, in the convention of `numbra_library`.",
    ),
    row(
        "numbra_rt_object_block",
        &[I64, Ptr, Ptr, I64, I32, Ptr],
        Void,
        Effects::OBJECT_MODE,
        "`object_block(handle, outputs, type, length, kind, inputs)`: Python runs the body of a `with objmode` statement on \
         the values whose leaves are at `inputs` (a tuple; the rest as for `print_value`), and the leaves of what comes out go \
         to `outputs`, one every 16 bytes, references owned.",
    ),
    row(
        "numbra_rt_parallel_chunks",
        &[I64, I64, I64],
        I64,
        Effects::READ,
        "`parallel_chunks(n, weight, room) -> chunks`: into how many chunks a loop of `n` iterations of `weight` instructions is cut, one for each thread at most where each makes arrays (`room` is the number of their elements plus 1, else 0); 1 when it is too small to run in parallel.",
    ),
    row(
        "numbra_rt_parallel_for",
        &[Ptr, Ptr, Ptr, I64, I64, I64],
        Void,
        Effects::NATIVE_BODY,
        "`parallel_for(task, context, partials, stride, n, chunks)`: runs `task(context, partials + k * stride, start, end)` for each chunk `k` of the iterations, in several threads; the exception of the first chunk that fails is raised.",
    ),
    row(
        "numbra_rt_print_bool",
        &[I8],
        Void,
        Effects::PRINT,
        "Prints `True` or `False`. Text goes out at a newline.",
    ),
    row(
        "numbra_rt_print_complex",
        &[F64, F64],
        Void,
        Effects::PRINT,
        "Prints a complex number as `str` writes it.",
    ),
    row(
        "numbra_rt_print_f64",
        &[F64],
        Void,
        Effects::PRINT,
        "Prints a float as `repr` writes it.",
    ),
    row(
        "numbra_rt_print_i64",
        &[I64],
        Void,
        Effects::PRINT,
        "Prints a signed integer.",
    ),
    row(
        "numbra_rt_print_line",
        &[Ptr, I64, I32],
        Void,
        Effects {
            raises: true,
            ..Effects::PRINT
        },
        "As `print_str`, of the last piece of a line; raises what writing it raised.",
    ),
    row(
        "numbra_rt_print_str",
        &[Ptr, I64, I32],
        Void,
        Effects::PRINT,
        "`print_str(data, length, kind)`: characters of 1, 2 or 4 bytes each.",
    ),
    row(
        "numbra_rt_print_u64",
        &[I64],
        Void,
        Effects::PRINT,
        "Prints an unsigned integer.",
    ),
    row(
        "numbra_rt_print_value",
        &[I32, Ptr, I64, I32, Ptr],
        Void,
        Effects::PRINT,
        "`print_value(inside, type, length, kind, leaves)`: prints a value as Python's `str` writes the object that it \
         becomes there, or its `repr` inside another. The type is text as for `print_str`; leaves stand every 16 bytes and are borrowed.",
    ),
    row(
        "numbra_rt_prod",
        &[Ptr, Ptr],
        Void,
        Effects::NATIVE_BODY,
        "`(args*, ret*)`: the native body of `numpy.prod`, in the convention of `numbra_library`.",
    ),
    row(
        "numbra_rt_promote",
        &[Ref],
        Ref,
        Effects::ALLOC,
        "A reference that may outlive the call: the same object retained, or a heap header for a frame header.",
    ),
    row(
        "numbra_rt_raise",
        &[Ptr, I64],
        Void,
        Effects::WRITE,
        "`raise(description, line)`: makes the exception pending in the thread's error record.",
    ),
    row(
        "numbra_rt_raise_args",
        &[Ptr, I64, I64, Ptr],
        Void,
        Effects::WRITE,
        "`raise_args(description, line, count, words)`: as `raise`, with up to 64 run-time argument words.",
    ),
    row(
        "numbra_rt_raise_kept",
        &[Ref],
        Void,
        Effects::WRITE,
        "Makes the exception that an object of `keep_error` holds pending, which then holds it no more; null changes nothing.",
    ),
    row(
        "numbra_rt_random_refill",
        &[Ptr],
        Void,
        Effects::WRITE,
        "`(words*)`: makes the next words of a stream of this thread, none of which is used; of [`crate::RandomWords`] at the address that `random_words` gave.",
    ),
    row(
        "numbra_rt_random_words",
        &[I32],
        Ptr,
        Effects::PURE,
        "The [`crate::RandomWords`] of this thread's stream: 0 that of Python's `random`, 1 that of `numpy.random`.",
    ),
    row(
        "numbra_rt_ref_set",
        &[Ptr, Ref],
        Void,
        Effects::WRITE,
        "`(place*, new)`: the 8 bytes at `place`, which own a reference or are null, own `new` instead.",
    ),
    row(
        "numbra_rt_release",
        &[Ref],
        Void,
        Effects::WRITE,
        "Drops one reference; frees at zero. Null is ignored.",
    ),
    row(
        "numbra_rt_retain",
        &[Ref],
        Void,
        Effects::WRITE,
        "Adds one reference. Null is ignored.",
    ),
    row(
        "numbra_rt_round_digits",
        &[F64, I64],
        F64,
        Effects::PURE,
        "`round(x, n)` as CPython: of the exact decimal value, ties to even.",
    ),
    row(
        "numbra_rt_set_add",
        &[Ref, Ptr],
        Void,
        Effects::NATIVE_BODY,
        "`(set, item*)`: adds an item, if there is none like it; MemoryError.",
    ),
    row(
        "numbra_rt_set_add_all",
        &[Ref, Ptr, I64, I64],
        Void,
        Effects::NATIVE_BODY,
        "`(set, data*, count, stride)`: adds so many items, which are so many bytes apart; MemoryError.",
    ),
    row(
        "numbra_rt_set_cause",
        &[Ref],
        Void,
        Effects::WRITE,
        "Makes the exception that an object of `keep_error` holds the cause of the pending one; null says that it has none.",
    ),
    row(
        "numbra_rt_set_clear",
        &[Ref],
        Void,
        Effects::WRITE,
        "Removes all items.",
    ),
    row(
        "numbra_rt_set_copy",
        &[Ref],
        Ref,
        Effects::ALLOC,
        "A new set of the same items; null when memory is exhausted.",
    ),
    row(
        "numbra_rt_set_find",
        &[Ref, Ptr],
        I64,
        Effects::READ,
        "`(set, item*)`: position of the item that equals this one, or -1.",
    ),
    row(
        "numbra_rt_set_kept",
        &[Ref, Ref, I32],
        Ref,
        Effects::ALLOC,
        "`(set, other, has)`: a new set of the items that the other set, of the same type, has, or has not; null when memory is exhausted.",
    ),
    row(
        "numbra_rt_set_new",
        &[I64, Ptr],
        Ref,
        Effects::ALLOC,
        "`(item_size, parts*)`: a new empty set, which has the layout of a list in front. `parts` points to the number of parts that make items equal, then for each its scalar (position in `Scalar::ALL`) and its byte in the item, a word each.",
    ),
    row(
        "numbra_rt_set_num_threads",
        &[I64],
        Void,
        Effects {
            raises: true,
            ..Effects::WRITE
        },
        "Sets the threads of this thread's parallel loops; ValueError unless there are so many.",
    ),
    row(
        "numbra_rt_set_parallel_chunksize",
        &[I64],
        I64,
        Effects::WRITE,
        "Sets the iterations of a chunk of this thread's parallel loops; the old number.",
    ),
    row(
        "numbra_rt_set_take",
        &[Ref, I64],
        Void,
        Effects::WRITE,
        "`(set, at)`: removes the item at a position; the last one moves there.",
    ),
    keeping(row(
        "numbra_rt_stack_full",
        &[],
        Void,
        Effects::INTERRUPT,
        "Called by a function that may call itself, where its stack ends below the limit: raises RecursionError if the stack \
         of the thread is full.",
    )),
    row(
        "numbra_rt_stack_limit",
        &[],
        Ptr,
        Effects::PURE,
        "`stack_limit() -> address`: the same for all that a thread calls.",
    ),
    row(
        "numbra_rt_stack_short",
        &[I64],
        Void,
        Effects::INTERRUPT,
        "`(bytes)`: called where a function would be called that needs so much stack, and the stack ends below the limit with \
         it: raises RecursionError if the stack of the thread has not so many bytes above the limit.",
    ),
    row(
        "numbra_rt_std",
        &[Ptr, Ptr],
        Void,
        Effects::NATIVE_BODY,
        "`(args*, ret*)`: the native body of `numpy.std`, in the convention of `numbra_library`.",
    ),
    row(
        "numbra_rt_sum",
        &[Ptr, Ptr],
        Void,
        Effects::NATIVE_BODY,
        "`(args*, ret*)`: the native body of `numpy.sum`, in the convention of `numbra_library`.",
    ),
    row(
        "numbra_rt_u128_to_f32",
        &[Ptr],
        F32,
        Effects::READ,
        "`(x*)`: a unsigned 128-bit integer as a float, to nearest even.",
    ),
    row(
        "numbra_rt_u128_to_f64",
        &[Ptr],
        F64,
        Effects::READ,
        "`(x*)`: a unsigned 128-bit integer as a float, to nearest even.",
    ),
    row(
        "numbra_rt_var",
        &[Ptr, Ptr],
        Void,
        Effects::NATIVE_BODY,
        "`(args*, ret*)`: the native body of `numpy.var`, in the convention of `numbra_library`.",
    ),
];

/// What every symbol `numbra_np_*` is: the body of an array function, which its library row declares.
const ARRAY_FUNCTION: Native = row(
    "numbra_np_*",
    &[Ptr, Ptr],
    Void,
    Effects::NATIVE_BODY,
    "`(args*, ret*)`: a native body in the convention of `numbra_library`.",
);

/// The row of a symbol.
pub fn native(name: &str) -> Option<&'static Native> {
    if name.starts_with("numbra_np_") {
        return Some(&ARRAY_FUNCTION);
    }
    let at = NATIVES.binary_search_by(|n| n.name.cmp(name)).ok()?;
    NATIVES.get(at)
}
