//! Names of the steps that patterns, starred targets, `with` and `finally` are made of: functions that the builder calls and inference
//! knows.

/// `is_sequence(x)`: do sequence patterns take `x`?
pub const IS_SEQUENCE: &str = "match.is_sequence";
/// `is_mapping(x)`: do mapping patterns take `x`?
pub const IS_MAPPING: &str = "match.is_mapping";
/// `len(x)` of a matched sequence or mapping: a constant where the type tells it.
pub const MATCH_LEN: &str = "match.len";
/// `positional(x, class, i)`: positional attribute `i` of an instance `x` of `class`.
pub const MATCH_POSITIONAL: &str = "match.positional";
/// `sequence(x)`: the items of `x` in a tuple or list.
pub const UNPACK_SEQUENCE: &str = "unpack.sequence";
/// `at_least(x, n)`: `x` itself, which has `n` items or more; ValueError otherwise.
pub const UNPACK_AT_LEAST: &str = "unpack.at_least";
/// `rest(x, whole)`: the items of `x`, a tuple or new list that is a part of `whole`, as a list.
pub const UNPACK_REST: &str = "unpack.rest";
/// `enter(manager, n)` of `with parallel_chunksize(n):`; what was set before.
pub const WITH_CHUNKSIZE: &str = "with.parallel_chunksize";
/// `keep()`: the exception that a handler got, for [`RAISE_KEPT`].
pub const KEEP_EXCEPTION: &str = "exception.keep";
/// `raise_kept(kept)`: makes it pending again.
pub const RAISE_KEPT: &str = "exception.raise_kept";
/// `add_context(kept)`: an exception leaves the handler that handles a kept one.
pub const ADD_CONTEXT: &str = "exception.add_context";
/// `set_cause(kept)`: a kept exception becomes the cause of the pending one.
pub const SET_CAUSE: &str = "exception.set_cause";
/// `no_cause()`: the pending exception hides its context.
pub const NO_CAUSE: &str = "exception.no_cause";
/// `leave(before)`
pub const SET_CHUNKSIZE: &str = "numbra.set_parallel_chunksize";
/// `sizes(first, *others)`: ValueError where an array is smaller along an axis than the first.
pub const STENCIL_SIZES: &str = "stencil.sizes";
/// `out(first, out)`: ValueError where the result of a stencil is smaller along an axis than the first array.
pub const STENCIL_OUT: &str = "stencil.out";
/// `border(out, starts, stops, value)`: sets the elements outside of a box.
pub const STENCIL_BORDER: &str = "stencil.border";
