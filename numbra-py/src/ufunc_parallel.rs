//! Inner loops of ufuncs of the target `parallel`: elements are cut into chunks that run in several threads.

use crate::dispatcher::Entry;
use crate::ufunc::{numbra_py_loop_error, numbra_py_loop_leaves};
use numbra_runtime::PendingError;
use std::cell::Cell;
use std::ffi::{c_char, c_void};
use std::sync::{Arc, Mutex, PoisonError};

/// NumPy's `PyUFuncGenericFunction`.
pub(crate) type InnerLoop =
    unsafe extern "C" fn(*mut *mut c_char, *const isize, *const isize, *mut c_void);

/// What NumPy hands to [`spread_loop`] as the loop's data.
pub(crate) struct SpreadLoop {
    /// The compiled signature.
    pub(crate) entry: Arc<Entry>,
    pub(crate) inputs: usize,
    pub(crate) operands: usize,
    /// Distinct core axes; 0 for ufuncs.
    pub(crate) core_axes: usize,
}

/// Instructions of an element, for the choice of chunks: a call of a function, or of a kernel over core axes.
const ELEMENT: i64 = 50;
const KERNEL: i64 = 1000;

/// Where the first exception of a loop goes.
type Sink = Mutex<Option<PendingError>>;

thread_local! {
    static SINK: Cell<*const Sink> = const { Cell::new(std::ptr::null()) };
}

/// Takes this thread's exception for the thread that waits for the loop; false outside of such loops. An interrupt stays
/// pending for the chunk to find.
pub(crate) fn hand_over_error() -> bool {
    let sink = SINK.get();
    if sink.is_null() {
        return false;
    }
    if numbra_runtime::is_interrupt() {
        return true;
    }
    let error = numbra_runtime::take_error();
    // SAFETY: set for the length of a chunk, while `spread_loop` keeps the sink alive.
    let mut first = unsafe { &*sink }
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if first.is_none() {
        *first = error;
    }
    true
}

/// Addresses, numbers and strides of a loop, which any thread may read.
struct Operands {
    args: Vec<usize>,
    dimensions: Vec<isize>,
    steps: *const isize,
}

// SAFETY: NumPy's arrays of numbers outlive the call of the loop, and nobody writes them.
unsafe impl Sync for Operands {}

impl Operands {
    fn step(&self, operand: usize) -> isize {
        // SAFETY: there is a step for each operand.
        unsafe { *self.steps.add(operand) }
    }

    /// First address and the one behind the last element, by steps.
    fn range(&self, operand: usize) -> (usize, usize) {
        let start = self.args[operand];
        let end = start.wrapping_add_signed(self.step(operand) * (self.dimensions[0] - 1));
        (start.min(end), start.max(end))
    }

    /// True if elements of an output depend on the order: reductions and accumulations.
    fn is_ordered(&self, inputs: usize) -> bool {
        (inputs..self.args.len()).any(|out| {
            let (low, high) = self.range(out);
            self.step(out) == 0
                || (0..self.args.len()).any(|other| {
                    let same =
                        self.args[other] == self.args[out] && self.step(other) == self.step(out);
                    let (from, to) = self.range(other);
                    other != out && !same && from <= high && low <= to
                })
        })
    }
}

/// The inner loop of a parallel ufunc.
///
/// # Safety
/// As for `PyUFuncGenericFunction`; `data` is a [`SpreadLoop`].
pub(crate) unsafe extern "C" fn spread_loop(
    args: *mut *mut c_char,
    dimensions: *const isize,
    steps: *const isize,
    data: *mut c_void,
) {
    if numbra_runtime::is_asked() && numbra_py_loop_leaves() != 0 {
        return;
    }
    // SAFETY: the caller's promise.
    let spread = unsafe { &*data.cast::<SpreadLoop>() };
    let operands = Operands {
        // SAFETY: an address for each operand.
        args: (0..spread.operands)
            .map(|k| unsafe { *args.add(k) }.expose_provenance())
            .collect(),
        // SAFETY: the number of elements, then the length of each core axis.
        dimensions: (0..=spread.core_axes)
            .map(|k| unsafe { *dimensions.add(k) })
            .collect(),
        steps,
    };
    let count = operands.dimensions[0];
    let code = spread.entry.inner_loop(count);
    let serial = code.run;
    if count <= 1 || operands.is_ordered(spread.inputs) {
        // SAFETY: the caller's promise.
        return unsafe { serial(args, dimensions, steps, std::ptr::null_mut()) };
    }
    let sink = Sink::default();
    let shared = &raw const sink as usize;
    let weight = if spread.core_axes == 0 {
        ELEMENT
    } else {
        KERNEL
    };
    let finished = numbra_runtime::spread_interruptible(count as i64, weight, &|start, end| {
        let mut part: Vec<*mut c_char> = (0..operands.args.len())
            .map(|k| {
                let at = operands.args[k].wrapping_add_signed(operands.step(k) * start as isize);
                std::ptr::with_exposed_provenance_mut(at)
            })
            .collect();
        let mut dimensions = operands.dimensions.clone();
        dimensions[0] = (end - start) as isize;
        let outer = SINK.replace(shared as *const Sink);
        // SAFETY: a part of the elements that the caller promises.
        unsafe {
            serial(
                part.as_mut_ptr(),
                dimensions.as_ptr(),
                operands.steps,
                std::ptr::null_mut(),
            );
        }
        SINK.set(outer);
        !numbra_runtime::is_interrupt()
    });
    if !finished {
        numbra_py_loop_error();
    } else if let Some(error) = sink.into_inner().unwrap_or_else(PoisonError::into_inner) {
        numbra_runtime::put_error(error);
        numbra_py_loop_error();
    }
}
