//! What compiled code calls: reference counting, the error record, printing, mathematics, reductions of arrays.
//!
//! Everything is C ABI and in one table, [`symbol`]; `numbra_abi::NATIVES` declares it. No compiler crate is linked and no
//! panic leaves a function that compiled code calls.
#![warn(unreachable_pub)]

#[macro_use]
mod bodies;

mod array;
mod blocks;
mod chars;
mod complex;
mod concatenate;
mod counts;
mod cumulate;
mod device;
mod dict;
mod elements;
mod error;
mod extremes;
mod half;
mod handled;
mod hash;
mod int128;
mod interrupt;
mod item_text;
mod keeping;
mod kept;
mod lines;
mod list;
mod moments;
#[cfg(test)]
mod native_tests;
mod numpy;
mod numpy_version;
mod object;
mod object_mode;
mod pairwise;
mod parallel;
mod print;
mod random;
mod reduce;
mod repr;
mod round;
mod set;
mod simd;
mod small_products;
mod sort;
mod spares;
mod stack;
mod strided;
mod table;
mod text;
mod value;

pub use counts::{allocation_counts, live_objects};
pub use device::{
    DeviceEntry, DeviceKernel, DeviceLaunch, LaunchError, MAX_BLOCK_THREADS, MAX_RESIDENT_THREADS,
    launch_device,
};
pub use dict::{Dict, new_dict};
pub use error::{Cause, Handled, PendingError, is_error_pending, put_error, take_error};
pub use hash::set_hash_of_bytes;
pub use interrupt::{
    INTERRUPT, SignalHooks, ask_again, defer_signals, deliver_signals, interrupted, is_asked,
    is_interrupt, set_signal_hooks, stop_asking,
};
pub use kept::{Kept, set_keep_value_hook, set_kept_hooks};
pub use list::{List, new_list};
pub use numpy_version::set_numpy_version;
pub use object::{
    Header, borrowed_header, new_frame, new_memory, object_header, promote, release, retain,
    set_object_hooks,
};
pub use object_mode::{PYTHON_EXCEPTION, set_object_block_hook};
pub use parallel::{
    available_threads, chunksize, is_started, max_threads, note_start, num_threads, set_chunksize,
    set_max_threads, set_num_threads, set_parallel_hooks, spread, spread_interruptible, thread_id,
};
pub use print::{flush_print, set_print_hook, set_print_value_hook};
pub use random::{
    RandomState, Stream, random_state, seed_random_state, set_random_state, twist_random_state,
};
pub use repr::{complex_str, float_repr};
pub use set::{Set, new_set};
pub use stack::{is_stack_full, stack_left};
pub use table::{symbol, symbol_names};
