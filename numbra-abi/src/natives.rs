//! The table of runtime symbols: name, C signature, effects. One row a symbol; a function of that name in numbra-runtime
//! implements each.

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
pub struct NativeEffects {
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

impl NativeEffects {
    /// Computes only.
    pub const PURE: NativeEffects = NativeEffects {
        reads: false,
        writes: false,
        allocates: false,
        raises: false,
        python: false,
    };
    /// Reads memory.
    pub const READ: NativeEffects = NativeEffects {
        reads: true,
        ..NativeEffects::PURE
    };
    /// Reads and writes memory.
    pub const WRITE: NativeEffects = NativeEffects {
        reads: true,
        writes: true,
        ..NativeEffects::PURE
    };
    /// Allocates and may fail.
    pub const ALLOC: NativeEffects = NativeEffects {
        allocates: true,
        ..NativeEffects::WRITE
    };
}

/// A runtime symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Native {
    pub name: &'static str,
    pub params: &'static [CType],
    /// `Void` when the only result is the status or nothing.
    pub ret: CType,
    pub effects: NativeEffects,
    /// It keeps all general registers but that of its result and one more: LLVM's convention `preserve_most`.
    pub keeps_registers: bool,
}

impl NativeEffects {
    /// Reads and writes memory; may raise.
    pub const WRITE_OR_RAISE: NativeEffects = NativeEffects {
        raises: true,
        ..NativeEffects::WRITE
    };
    /// Runs signal handlers, which do nothing to the memory of the code that they interrupt; may raise.
    pub const INTERRUPT: NativeEffects = NativeEffects {
        raises: true,
        python: true,
        ..NativeEffects::PURE
    };
    /// As `INTERRUPT`, without a status.
    pub const LEAVE: NativeEffects = NativeEffects {
        python: true,
        ..NativeEffects::PURE
    };
    /// Writes to standard output.
    pub const PRINT: NativeEffects = NativeEffects {
        python: true,
        ..NativeEffects::WRITE
    };
    /// As `PRINT`; may raise.
    pub const PRINT_OR_RAISE: NativeEffects = NativeEffects {
        raises: true,
        ..NativeEffects::PRINT
    };
    /// Does whatever Python code does.
    pub const OBJECT_MODE: NativeEffects = NativeEffects {
        python: true,
        ..NativeEffects::NATIVE_BODY
    };
    /// Reads and writes memory, allocates, raises: the bodies of library functions.
    pub const NATIVE_BODY: NativeEffects = NativeEffects {
        raises: true,
        ..NativeEffects::ALLOC
    };
}

/// What natives work on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NativeArea {
    Memory,
    Lists,
    Sets,
    Random,
}

/// The word that is 0 as long as loops may go on: a 32-bit integer of the runtime, of which code holds the address.
pub const INTERRUPT_WORD: &str = "numbra_rt_interrupt_word";

/// The datum of a module that has the address of [`INTERRUPT_WORD`].
pub const INTERRUPT_CELL: &str = "cell.numbra_rt_interrupt_word";

/// Class and message of what functions that call themselves raise where there is no stack left.
pub const STACK_OVERFLOW: (&str, &str) = (
    "builtins.RecursionError",
    "maximum recursion depth exceeded",
);

/// Gives the table of runtime symbols, all but those of numbra-math, to a macro: [`NativeId`] and [`NATIVES`] are made of it here,
/// the addresses in numbra-runtime. A row is `Id = symbol(parameters) -> result, effects;`. Sorted by symbol.
///
/// Arguments of type `I8` and `I16` are sign-extended by the caller. A symbol that raises and has a result returns it as an
/// `I64`, `F64`, `Ptr` or `Ref` in the second result register, after the status.
#[macro_export]
macro_rules! with_natives {
    ($with:ident) => {
        $with! {
        /// `do_scheduling(task, context, partials, stride, n, chunks)`, which has the name that programs look for in generated
        /// code: runs `task(context, partials + k * stride, start, end)` for each chunk `k` of the iterations, in several
        /// threads; the exception of the first chunk that fails is raised.
        ParallelFor = do_scheduling(Ptr, Ptr, Ptr, I64, I64, I64), NATIVE_BODY;
        /// Makes the exception that an object of `keep_error` holds the last context of the pending one, and the object then
        /// holds it no more; null changes nothing.
        AddContext = numbra_rt_add_context(Ref), WRITE;
        /// `alloc(size, align) -> ref`: a new object with `size` bytes of uninitialised data, count 1; null when memory is
        /// exhausted or the size is negative.
        Alloc = numbra_rt_alloc(I64, I64) -> Ref, ALLOC;
        /// `alloc_zeroed(size, align) -> ref`: as `alloc`, with zeroed data.
        AllocZeroed = numbra_rt_alloc_zeroed(I64, I64) -> Ref, ALLOC;
        /// `(re, im, out*)`: complex `acos`; writes two floats.
        Cacos = numbra_rt_cacos(F64, F64, Ptr), WRITE;
        /// `(re, im, out*)`: complex `acosh`; writes two floats.
        Cacosh = numbra_rt_cacosh(F64, F64, Ptr), WRITE;
        /// `(re, im, out*)`: complex `asin`; writes two floats.
        Casin = numbra_rt_casin(F64, F64, Ptr), WRITE;
        /// `(re, im, out*)`: complex `asinh`; writes two floats.
        Casinh = numbra_rt_casinh(F64, F64, Ptr), WRITE;
        /// `(re, im, out*)`: complex `atan`; writes two floats.
        Catan = numbra_rt_catan(F64, F64, Ptr), WRITE;
        /// `(re, im, out*)`: complex `atanh`; writes two floats.
        Catanh = numbra_rt_catanh(F64, F64, Ptr), WRITE;
        /// `(re, im, out*)`: complex `cos`; writes two floats.
        Ccos = numbra_rt_ccos(F64, F64, Ptr), WRITE;
        /// `(re, im, out*)`: complex `cosh`; writes two floats.
        Ccosh = numbra_rt_ccosh(F64, F64, Ptr), WRITE;
        /// `(re, im, out*)`: complex `expm1`; writes two floats.
        Cexpm1 = numbra_rt_cexpm1(F64, F64, Ptr), WRITE;
        /// `chars_compare(a, length, width, b, length, width) -> order`: below, at or above 0 as the characters at `a` sort
        /// before, with or after those at `b`; code points compare.
        CharsCompare = numbra_rt_chars_compare(Ptr, I64, I64, Ptr, I64, I64) -> I32, READ;
        /// `chars_fill(to, count, width, from, length, from_width)`: writes `count` characters of `width` bytes, the first of
        /// the `length` at `from`, then zeros; a character that does not fit is cut.
        CharsFill = numbra_rt_chars_fill(Ptr, I64, I64, Ptr, I64, I64), WRITE;
        /// `chars_len(data, count, width) -> length`: number of characters up to the last that is not zero.
        CharsLen = numbra_rt_chars_len(Ptr, I64, I64) -> I64, READ;
        /// `(re, im, out*)`: complex `log`; writes two floats.
        Clog = numbra_rt_clog(F64, F64, Ptr), WRITE;
        /// `(re, im, out*)`: complex `log10`; writes two floats.
        Clog10 = numbra_rt_clog10(F64, F64, Ptr), WRITE;
        /// `(re, im, out*)`: complex `log1p`; writes two floats.
        Clog1p = numbra_rt_clog1p(F64, F64, Ptr), WRITE;
        /// `(re, im, out*)`: complex `log2`; writes two floats.
        Clog2 = numbra_rt_clog2(F64, F64, Ptr), WRITE;
        /// `(re, im, re, im, out*)`: complex power; writes two floats.
        Cpow = numbra_rt_cpow(F64, F64, F64, F64, Ptr), WRITE;
        /// `(re, im, out*)`: complex `sin`; writes two floats.
        Csin = numbra_rt_csin(F64, F64, Ptr), WRITE;
        /// `(re, im, out*)`: complex `sinh`; writes two floats.
        Csinh = numbra_rt_csinh(F64, F64, Ptr), WRITE;
        /// `(re, im, out*)`: complex `sqrt`; writes two floats.
        Csqrt = numbra_rt_csqrt(F64, F64, Ptr), WRITE;
        /// `(re, im, out*)`: complex `tan`; writes two floats.
        Ctan = numbra_rt_ctan(F64, F64, Ptr), WRITE;
        /// `(re, im, out*)`: complex `tanh`; writes two floats.
        Ctanh = numbra_rt_ctanh(F64, F64, Ptr), WRITE;
        /// `(thread*, place)`: the lanes that are at this place of the kernel.
        DeviceActiveMask = numbra_rt_device_active_mask(Ptr, I32) -> I32, WRITE;
        /// `(thread*, truth)`: the threads of the block meet; how many there are, above for how many of them it is not 0.
        DeviceBarrier = numbra_rt_device_barrier(Ptr, I32) -> I64, WRITE;
        /// Nanoseconds of a clock that only goes forward.
        DeviceClock = numbra_rt_device_clock() -> I64, WRITE;
        /// `(name)`: a function begins that may call itself, in a kernel on the CPU; ends the launch where its stack is full.
        DeviceEnter = numbra_rt_device_enter(Ptr), LEAVE;
        /// `(thread*)`: the threads of the grid meet.
        DeviceGridBarrier = numbra_rt_device_grid_barrier(Ptr), WRITE;
        /// `(position, operands*, results*)`: a function of `libdevice::NATIVE` at its position in `libdevice::FUNCTIONS`.
        DeviceLibrary = numbra_rt_device_library(I32, Ptr, Ptr), WRITE;
        /// Called by a loop of a kernel on the CPU that finds the word `INTERRUPT_WORD` set: ends the launch if it is to end.
        DeviceLook = numbra_rt_device_look(), LEAVE;
        /// `(thread*, mask, value)`: the mask if its lanes have one value, else 0.
        DeviceMatchAll = numbra_rt_device_match_all(Ptr, I32, I64) -> I32, WRITE;
        /// `(thread*, mask, value)`: the lanes of the mask with the same value.
        DeviceMatchAny = numbra_rt_device_match_any(Ptr, I32, I64) -> I32, WRITE;
        /// `(format, arguments)`: C's `vprintf` for what kernels print.
        DevicePrint = numbra_rt_device_print(Ptr, Ptr) -> I32, PRINT;
        /// `(thread*)`: lets other threads run.
        DeviceRelax = numbra_rt_device_relax(Ptr), WRITE;
        /// `(thread*, mask, value, operand, kind)`: the value of another lane; kinds are index, up, down and xor, from 0.
        DeviceShuffle = numbra_rt_device_shuffle(Ptr, I32, I32, I32, I32) -> I32, WRITE;
        /// `(thread*)`: a round of a loop that waits for another thread; lets it run after many.
        DeviceSpin = numbra_rt_device_spin(Ptr), WRITE;
        /// `(thread*, mask)`: the lanes of the mask meet.
        DeviceSyncWarp = numbra_rt_device_sync_warp(Ptr, I32), WRITE;
        /// The `DeviceThread` that the calling code belongs to.
        DeviceThread = numbra_rt_device_thread() -> Ptr, PURE;
        /// `(thread*, mask, truth)`: the lanes of the mask, above those of them for which it is not 0.
        DeviceVote = numbra_rt_device_vote(Ptr, I32, I32) -> I64, WRITE;
        /// Removes all entries.
        DictClear = numbra_rt_dict_clear(Ref), WRITE;
        /// A new dictionary of the same entries; null when memory is exhausted.
        DictCopy = numbra_rt_dict_copy(Ref) -> Ref, ALLOC;
        /// `(dict, entry*)`: adds an entry whose key is not there, with references of its own; MemoryError.
        DictInsert = numbra_rt_dict_insert(Ref, Ptr), NATIVE_BODY;
        /// `(entry_size, refs, alive, parts*)`: a new empty dictionary, which has the layout of a set in front. `refs`: bit `i`
        /// of word `i` of an entry that is a reference; `alive`: the byte of an entry that is 1; `parts*`: of the key, as for
        /// sets.
        DictNew = numbra_rt_dict_new(I64, I64, I64, Ptr) -> Ref, ALLOC;
        /// `(dict, from)`: position of the first entry that was not removed, or -1.
        DictNext = numbra_rt_dict_next(Ref, I64) -> I64, READ;
        /// `(dict, at, entry*, value)`: the entry at a position takes the value of another one with its key, which begins at
        /// byte `value`.
        DictReplace = numbra_rt_dict_replace(Ref, I64, Ptr, I64), WRITE;
        /// `(dict, at)`: removes the entry at a position.
        DictTake = numbra_rt_dict_take(Ref, I64), WRITE;
        /// `draw(code, generator*, a, b, c) -> bits`: a random number by [`crate::Draw::from_code`]; parameters and result are
        /// bits of floats or integers, `generator` is a `bitgen_t` of NumPy or null. ValueError for parameters out of range.
        Draw = numbra_rt_draw(I32, Ptr, I64, I64, I64) -> I64, WRITE_OR_RAISE;
        /// `(code, generator*, parameters*, data*, count, element)`: fills `count` elements of the type at position `element`
        /// of `Scalar::ALL` as `draw` does; the parameters are three words.
        DrawFill = numbra_rt_draw_fill(I32, Ptr, Ptr, Ptr, I64, I32), WRITE_OR_RAISE;
        /// `a * b + c` of halves, by their bits, with one rounding.
        F16Fma = numbra_rt_f16_fma(I32, I32, I32) -> I32, PURE;
        /// The value of a half, by its bits.
        F16ToF32 = numbra_rt_f16_to_f32(I32) -> F32, PURE;
        /// Bits of the nearest half, ties to even.
        F32ToF16 = numbra_rt_f32_to_f16(F32) -> I32, PURE;
        /// Bits of the nearest half, ties to even.
        F64ToF16 = numbra_rt_f64_to_f16(F64) -> I32, PURE;
        /// `(result*, x)`: toward zero; MIN for NaN and out of range.
        F64ToI128 = numbra_rt_f64_to_i128(Ptr, F64), WRITE;
        /// `(result*, x)`: at and above 2^127 by offset, else as signed.
        F64ToU128 = numbra_rt_f64_to_u128(Ptr, F64), WRITE;
        /// Gives up all references of a generator's frame.
        FrameClear = numbra_rt_frame_clear(Ref), WRITE;
        /// `(size, refs)`: a new frame of a generator, zero but for its number of references; null when memory is exhausted.
        FrameNew = numbra_rt_frame_new(I64, I64) -> Ref, ALLOC;
        /// The count has reached zero: frees the object. The slow path of an inline release; keeps all general registers and
        /// the low 128 bits of vector registers.
        Free = numbra_rt_free(Ref), WRITE;
        /// Threads of this thread's parallel loops.
        GetNumThreads = numbra_rt_get_num_threads() -> I64, READ;
        /// Iterations of a chunk of this thread's parallel loops; 0 leaves it to the runtime.
        GetParallelChunksize = numbra_rt_get_parallel_chunksize() -> I64, READ;
        /// Which of its parallel loop's threads this one is; 0 outside.
        GetThreadId = numbra_rt_get_thread_id() -> I64, READ;
        /// `(result*, lhs*, rhs*)` of 16 bytes each. Signed division toward zero; total as LIR's.
        I128Sdiv = numbra_rt_i128_sdiv(Ptr, Ptr, Ptr), WRITE;
        /// `(result*, lhs*, rhs*) -> overflowed`: signed product of 16 bytes.
        I128SmulOverflow = numbra_rt_i128_smul_overflow(Ptr, Ptr, Ptr) -> I32, WRITE;
        /// `(result*, lhs*, rhs*)` of 16 bytes each. High half of the signed product.
        I128Smulhi = numbra_rt_i128_smulhi(Ptr, Ptr, Ptr), WRITE;
        /// `(result*, lhs*, rhs*)` of 16 bytes each. Signed remainder; total as LIR's.
        I128Srem = numbra_rt_i128_srem(Ptr, Ptr, Ptr), WRITE;
        /// `(x*)`: a signed 128-bit integer as a float, to nearest even.
        I128ToF32 = numbra_rt_i128_to_f32(Ptr) -> F32, READ;
        /// `(x*)`: a signed 128-bit integer as a float, to nearest even.
        I128ToF64 = numbra_rt_i128_to_f64(Ptr) -> F64, READ;
        /// `(result*, lhs*, rhs*)` of 16 bytes each. Unsigned division; total as LIR's.
        I128Udiv = numbra_rt_i128_udiv(Ptr, Ptr, Ptr), WRITE;
        /// `(result*, lhs*, rhs*) -> overflowed`: unsigned product of 16 bytes.
        I128UmulOverflow = numbra_rt_i128_umul_overflow(Ptr, Ptr, Ptr) -> I32, WRITE;
        /// `(result*, lhs*, rhs*)` of 16 bytes each. High half of the unsigned product.
        I128Umulhi = numbra_rt_i128_umulhi(Ptr, Ptr, Ptr), WRITE;
        /// `(result*, lhs*, rhs*)` of 16 bytes each. Unsigned remainder; total as LIR's.
        I128Urem = numbra_rt_i128_urem(Ptr, Ptr, Ptr), WRITE;
        /// Called by a loop that finds the word `INTERRUPT_WORD` set: raises if the thread is to leave the loop, as after
        /// Ctrl-C.
        Interrupt = numbra_rt_interrupt(), INTERRUPT, keeps_registers;
        /// 1 if what is pending is an interrupt, which handlers of compiled code do not see, else 0.
        IsInterrupt = numbra_rt_is_interrupt() -> I32, READ;
        /// `keep_error() -> ref`: a new object that holds the pending exception, which is no longer pending; null, and it still
        /// is, when memory is exhausted.
        KeepError = numbra_rt_keep_error() -> Ref, ALLOC;
        /// `keep_value(number, type, length, kind, leaves) -> number`: Python makes an object of a value, the argument of an
        /// exception, and keeps it under the number until the next exception with such arguments. The rest as for
        /// `print_value`.
        KeepValue = numbra_rt_keep_value(I64, Ptr, I64, I32, Ptr) -> I64, PRINT;
        /// As `interrupt` and `stack_full`, for functions without status: 1 if the thread is to leave, and to come to
        /// `interrupt` without doing anything that can be observed.
        Leave = numbra_rt_leave() -> I32, LEAVE, keeps_registers;
        /// `line_sum(data, n, step) -> sum`: of `n` floats that are `step` bytes apart, in NumPy's order.
        LineSumF32 = numbra_rt_line_sum_f32(Ptr, I64, I64) -> F32, READ;
        /// `line_sum(data, n, step) -> sum`: of `n` doubles that are `step` bytes apart, in NumPy's order.
        LineSumF64 = numbra_rt_line_sum_f64(Ptr, I64, I64) -> F64, READ;
        /// `(list, start, count, step, source)`: `list[start:..:step] = source` for `count` clamped positions; with step 1 the
        /// list grows or shrinks, else another length is a ValueError.
        ListAssign = numbra_rt_list_assign(Ref, I64, I64, I64, Ref), NATIVE_BODY;
        /// Removes all items.
        ListClear = numbra_rt_list_clear(Ref), WRITE;
        /// `a + b` of lists with items of one type: a new list; null when memory is exhausted.
        ListConcat = numbra_rt_list_concat(Ref, Ref) -> Ref, ALLOC;
        /// Appends the items of another list of the same type, which may be the list itself; MemoryError.
        ListExtend = numbra_rt_list_extend(Ref, Ref), NATIVE_BODY;
        /// `(capacity, item_size, refs)`: a new empty list; null when memory is exhausted.
        ListNew = numbra_rt_list_new(I64, I64, I64) -> Ref, ALLOC;
        /// `(list, at)`: makes room for one item at `0 <= at <= length`; its memory is zero; MemoryError.
        ListOpen = numbra_rt_list_open(Ref, I64), NATIVE_BODY;
        /// `(list, at, count)`: removes items, which must be there.
        ListRemove = numbra_rt_list_remove(Ref, I64, I64), WRITE;
        /// `list * n`: a new list, empty for a negative `n`; null when memory is exhausted.
        ListRepeat = numbra_rt_list_repeat(Ref, I64) -> Ref, ALLOC;
        /// `(list, length)`: room for that many items, and for more to come; MemoryError.
        ListReserve = numbra_rt_list_reserve(Ref, I64), NATIVE_BODY;
        /// Turns the order round.
        ListReverse = numbra_rt_list_reverse(Ref), WRITE;
        /// `(list, start, step, count)`: a new list of `count` items, which must be there; null when memory is exhausted.
        ListSlice = numbra_rt_list_slice(Ref, I64, I64, I64) -> Ref, ALLOC;
        /// `(list, order*, reverse)`: sorts stably. `order` points to the number of parts that are compared, then for each its
        /// scalar (position in `Scalar::ALL`) and its byte in the item, a word each. NaN comes last. MemoryError.
        ListSort = numbra_rt_list_sort(Ref, Ptr, I8), NATIVE_BODY;
        /// Objects allocated and not freed in this process.
        LiveObjects = numbra_rt_live_objects() -> I64, READ;
        /// `object_block(handle, outputs, type, length, kind, inputs)`: Python runs the body of a `with objmode` statement on
        /// the values whose leaves are at `inputs` (a tuple; the rest as for `print_value`), and the leaves of what comes out
        /// go to `outputs`, one every 16 bytes, references owned.
        ObjectBlock = numbra_rt_object_block(I64, Ptr, Ptr, I64, I32, Ptr), OBJECT_MODE;
        /// `parallel_chunks(n, weight, room) -> chunks`: into how many chunks a loop of `n` iterations of `weight` instructions
        /// is cut, one for each thread at most where each makes arrays (`room` is the number of their elements plus 1, else 0);
        /// 1 when it is too small to run in parallel.
        ParallelChunks = numbra_rt_parallel_chunks(I64, I64, I64) -> I64, READ;
        /// What is printed from here on is the text that `str_printed` gives, and does not go out.
        PrintBegin = numbra_rt_print_begin(), PRINT;
        /// Prints `True` or `False`. Text goes out at a newline.
        PrintBool = numbra_rt_print_bool(I8), PRINT;
        /// Prints a complex number as `str` writes it.
        PrintComplex = numbra_rt_print_complex(F64, F64), PRINT;
        /// Prints a float as `repr` writes it.
        PrintF64 = numbra_rt_print_f64(F64), PRINT;
        /// Prints a signed integer.
        PrintI64 = numbra_rt_print_i64(I64), PRINT;
        /// As `print_str`, of the last piece of a line; raises what writing it raised.
        PrintLine = numbra_rt_print_line(Ptr, I64, I32), PRINT_OR_RAISE;
        /// As `print_str`, as `repr` writes it.
        PrintRepr = numbra_rt_print_repr(Ptr, I64, I32), PRINT;
        /// `print_str(data, length, kind)`: characters of 1, 2 or 4 bytes each.
        PrintStr = numbra_rt_print_str(Ptr, I64, I32), PRINT;
        /// Prints an unsigned integer.
        PrintU64 = numbra_rt_print_u64(I64), PRINT;
        /// `print_value(inside, type, length, kind, leaves)`: prints a value as Python's `str` writes the object that it
        /// becomes there, or its `repr` inside another. The type is text as for `print_str`; leaves stand every 16 bytes and
        /// are borrowed.
        PrintValue = numbra_rt_print_value(I32, Ptr, I64, I32, Ptr), PRINT;
        /// A reference that may outlive the call: the same object retained, or a heap header for a frame header.
        Promote = numbra_rt_promote(Ref) -> Ref, ALLOC;
        /// `raise(description, line)`: makes the exception pending in the thread's error record.
        Raise = numbra_rt_raise(Ptr, I64), WRITE;
        /// `raise_args(description, line, count, words)`: as `raise`, with up to 64 run-time argument words.
        RaiseArgs = numbra_rt_raise_args(Ptr, I64, I64, Ptr), WRITE;
        /// Makes the exception that an object of `keep_error` holds pending, which then holds it no more; null changes nothing.
        RaiseKept = numbra_rt_raise_kept(Ref), WRITE;
        /// `(words*)`: makes the next words of a stream of this thread, none of which is used; of [`crate::RandomWords`] at the
        /// address that `random_words` gave.
        RandomRefill = numbra_rt_random_refill(Ptr), WRITE;
        /// The [`crate::RandomWords`] of this thread's stream: 0 that of Python's `random`, 1 that of `numpy.random`.
        RandomWords = numbra_rt_random_words(I32) -> Ptr, PURE;
        /// `(place*, new)`: the 8 bytes at `place`, which own a reference or are null, own `new` instead.
        RefSet = numbra_rt_ref_set(Ptr, Ref), WRITE;
        /// Drops one reference; frees at zero. Null is ignored.
        Release = numbra_rt_release(Ref), WRITE;
        /// Adds one reference. Null is ignored.
        Retain = numbra_rt_retain(Ref), WRITE;
        /// `round(x, n)` as CPython: of the exact decimal value, ties to even.
        RoundDigits = numbra_rt_round_digits(F64, I64) -> F64, PURE;
        /// `(set, item*)`: adds an item, if there is none like it; MemoryError.
        SetAdd = numbra_rt_set_add(Ref, Ptr), NATIVE_BODY;
        /// `(set, data*, count, stride)`: adds so many items, which are so many bytes apart; MemoryError.
        SetAddAll = numbra_rt_set_add_all(Ref, Ptr, I64, I64), NATIVE_BODY;
        /// Makes the exception that an object of `keep_error` holds the cause of the pending one; null says that it has none.
        SetCause = numbra_rt_set_cause(Ref), WRITE;
        /// Removes all items.
        SetClear = numbra_rt_set_clear(Ref), WRITE;
        /// A new set of the same items; null when memory is exhausted.
        SetCopy = numbra_rt_set_copy(Ref) -> Ref, ALLOC;
        /// `(set, item*)`: position of the item that equals this one, or -1.
        SetFind = numbra_rt_set_find(Ref, Ptr) -> I64, READ;
        /// `(set, other, has)`: a new set of the items that the other set, of the same type, has, or has not; null when memory
        /// is exhausted.
        SetKept = numbra_rt_set_kept(Ref, Ref, I32) -> Ref, ALLOC;
        /// `(item_size, refs, parts*)`: a new empty set, which has the layout of a list in front; `refs` as for lists. `parts`
        /// points to the number of parts that make items equal, then for each its scalar (position in `Scalar::ALL`, or
        /// [`crate::TEXT_PART`]) and its byte in the item, a word each.
        SetNew = numbra_rt_set_new(I64, I64, Ptr) -> Ref, ALLOC;
        /// Sets the threads of this thread's parallel loops; ValueError unless there are so many.
        SetNumThreads = numbra_rt_set_num_threads(I64), WRITE_OR_RAISE;
        /// Sets the iterations of a chunk of this thread's parallel loops; the old number.
        SetParallelChunksize = numbra_rt_set_parallel_chunksize(I64) -> I64, WRITE;
        /// `(set, at)`: removes the item at a position; the last one moves there.
        SetTake = numbra_rt_set_take(Ref, I64), WRITE;
        /// Called by a function that may call itself, where its stack ends below the limit: raises RecursionError if the stack
        /// of the thread is full.
        StackFull = numbra_rt_stack_full(), INTERRUPT, keeps_registers;
        /// `stack_limit() -> address`: the same for all that a thread calls.
        StackLimit = numbra_rt_stack_limit() -> Ptr, PURE;
        /// `(bytes)`: called where a function would be called that needs so much stack, and the stack ends below the limit with
        /// it: raises RecursionError if the stack of the thread has not so many bytes above the limit.
        StackShort = numbra_rt_stack_short(I64), INTERRUPT;
        /// `(x*)`: a unsigned 128-bit integer as a float, to nearest even.
        U128ToF32 = numbra_rt_u128_to_f32(Ptr) -> F32, READ;
        /// `(x*)`: a unsigned 128-bit integer as a float, to nearest even.
        U128ToF64 = numbra_rt_u128_to_f64(Ptr) -> F64, READ;
        }
    };
}

/// A row's flag for a symbol that keeps registers, where the runtime has one that does: see its module `keeping`.
macro_rules! keeps_registers {
    () => {
        false
    };
    (keeps_registers) => {
        cfg!(target_arch = "x86_64")
    };
}

/// A row's result, `Void` if it has none.
macro_rules! result {
    () => {
        CType::Void
    };
    ($ret:ident) => {
        CType::$ret
    };
}

macro_rules! declare {
    ($(
        $(#[$doc:meta])*
        $id:ident = $symbol:ident($($param:ident),*) $(-> $ret:ident)?, $effects:ident $(, $keeps:ident)?;
    )*) => {
        /// A runtime symbol of the table [`NATIVES`].
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum NativeId {
            $($(#[$doc])* $id,)*
        }

        impl NativeId {
            /// In the order of [`NATIVES`].
            const ALL: &[NativeId] = &[$(NativeId::$id,)*];
        }

        /// All runtime symbols but those of numbra-math, which [`crate::MathLib`] names, and native bodies of library functions,
        /// which [`NATIVE_BODY_PREFIX`] begins. Sorted by name.
        pub const NATIVES: &[Native] = &[$(Native {
            name: stringify!($symbol),
            params: &[$(CType::$param),*],
            ret: result!($($ret)?),
            effects: NativeEffects::$effects,
            keeps_registers: keeps_registers!($($keeps)?),
        },)*];
    };
}

with_natives!(declare);

impl NativeId {
    /// The row of the table.
    pub const fn row(self) -> &'static Native {
        &NATIVES[self as usize]
    }

    /// The symbol.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// What it works on, of what code for GPUs does otherwise.
    pub const fn area(self) -> Option<NativeArea> {
        Some(match self {
            NativeId::Alloc | NativeId::AllocZeroed => NativeArea::Memory,
            NativeId::ListAssign
            | NativeId::ListClear
            | NativeId::ListConcat
            | NativeId::ListExtend
            | NativeId::ListNew
            | NativeId::ListOpen
            | NativeId::ListRemove
            | NativeId::ListRepeat
            | NativeId::ListReserve
            | NativeId::ListReverse
            | NativeId::ListSlice
            | NativeId::ListSort => NativeArea::Lists,
            NativeId::SetAdd
            | NativeId::SetAddAll
            | NativeId::SetClear
            | NativeId::SetCopy
            | NativeId::SetFind
            | NativeId::SetKept
            | NativeId::SetNew
            | NativeId::SetTake => NativeArea::Sets,
            NativeId::Draw
            | NativeId::DrawFill
            | NativeId::RandomRefill
            | NativeId::RandomWords => NativeArea::Random,
            _ => return None,
        })
    }

    /// The row of this symbol.
    pub fn named(symbol: &str) -> Option<NativeId> {
        let at = NATIVES
            .binary_search_by(|native| native.name.cmp(symbol))
            .ok()?;
        NativeId::ALL.get(at).copied()
    }
}

/// How the symbols of native bodies of library functions begin: a row of the library names one, and a table of the runtime.
pub const NATIVE_BODY_PREFIX: &str = "numbra_np_";

/// What every such symbol is.
pub const NATIVE_BODY: Native = Native {
    name: "numbra_np_*",
    params: &[CType::Ptr, CType::Ptr],
    ret: CType::Void,
    effects: NativeEffects::NATIVE_BODY,
    keeps_registers: false,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_sorted_and_found() {
        assert!(NATIVES.is_sorted_by_key(|native| native.name));
        assert!(
            NativeId::ALL
                .iter()
                .all(|id| NativeId::named(id.name()) == Some(*id))
        );
        assert_eq!(NativeId::named("numbra_rt_nothing"), None);
    }
}
