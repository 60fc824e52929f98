//! Generators of compiled code as Python objects.

use crate::captured::User;
use crate::convert::{Words, box_value, pending_error, release_leaves};
use crate::dispatcher::{Entry, Needs};
use crate::objects::{Code, users};
use crate::session::session;
use numbra_abi::FRAME;
use numbra_ir::{Type, TypeKind, Types};
use numbra_lower::jit::{CodeMemory, keep_code};
use numbra_lower::lowering::leaves;
use numbra_runtime::Header;
use pyo3::exceptions::{PySystemError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Instant;

/// A step of a generator: `(results*, frame) -> status`, in the internal ABI of LIR.
type Step = unsafe extern "C" fn(*mut Words, *mut Header) -> i32;

/// An iterator over what a compiled generator yields.
#[pyclass(frozen, name = "generator", module = "numbra")]
pub(crate) struct Generator {
    /// A live frame, of which this object owns one reference.
    frame: *mut Header,
    step: Step,
    ty: Type,
    yields: Type,
    /// Holds the types.
    types: Types,
    running: AtomicBool,
    /// Steps so far, until it is settled who compiles them.
    steps: AtomicU32,
    code: CodeMemory,
    /// What the code refers to.
    _captured: Vec<User>,
}

/// Of so many steps one is measured.
const PERIOD: u32 = 16;

// SAFETY: the frame is counted atomically, and only one thread at a time runs a step (`running`).
unsafe impl Send for Generator {}
// SAFETY: as above.
unsafe impl Sync for Generator {}

impl Drop for Generator {
    fn drop(&mut self) {
        // SAFETY: the reference of this object.
        unsafe { numbra_runtime::release(self.frame) };
    }
}

/// Says that a generator runs no more, however its step ended.
struct Running<'a>(&'a AtomicBool);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Generator {
    /// What a step that is measured counts for: the signature, how many steps, and when it began.
    fn measured(&self) -> Option<(Arc<Entry>, u32, Instant)> {
        let steps = self.steps.load(Ordering::Relaxed);
        if steps == u32::MAX {
            return None;
        }
        self.steps
            .store((steps + 1) % PERIOD + PERIOD, Ordering::Relaxed);
        if !steps.is_multiple_of(PERIOD) {
            return None;
        }
        let needs = self
            .code
            .needs()
            .and_then(|needs| needs.downcast_ref::<Needs>());
        let entry = needs.and_then(|needs| needs.entry.upgrade());
        let Some(entry) = entry.filter(|entry| !entry.is_settled()) else {
            self.steps.store(u32::MAX, Ordering::Relaxed);
            return None;
        };
        // The first step stands for itself alone.
        Some((entry, steps.clamp(1, PERIOD), Instant::now()))
    }
}

#[pymethods]
impl Generator {
    fn __iter__(this: Py<Generator>) -> Py<Generator> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.running.swap(true, Ordering::Acquire) {
            return Err(PyValueError::new_err("generator already executing"));
        }
        let _running = Running(&self.running);
        let shape = leaves(&self.types, self.yields).map_err(PyTypeError::new_err)?;
        let mut block: Vec<Words> = vec![[0, 0]; shape.len() + 2];
        let measured = self.measured();
        // SAFETY: the frame was made with this step, which writes one entry a leaf, and two truth values.
        let status = unsafe { (self.step)(block.as_mut_ptr(), self.frame) };
        if let Some((entry, steps, start)) = measured {
            let took = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
            entry.spent(py, took.saturating_mul(steps.into()));
        }
        if status != 0 {
            return Err(pending_error(py));
        }
        let (item, flags) = block.split_at(shape.len());
        if flags[0][0] as u8 == 0 {
            return Ok(None);
        }
        let boxed = box_value(py, &self.types, self.yields, &mut { item });
        // SAFETY: results are owned by the caller; the object has references of its own.
        unsafe { release_leaves(&shape, item) };
        boxed.map(Some)
    }

    #[getter]
    fn _numba_type_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        crate::types::to_python(py, self.ty)
    }
}

/// The Python object for a generator; takes a reference of its own.
///
/// # Safety
/// `frame` is the frame of a generator of type `ty` that is alive.
pub(crate) unsafe fn box_generator(
    py: Python<'_>,
    ty: Type,
    frame: *mut Header,
) -> PyResult<Bound<'_, PyAny>> {
    let types = session().types.view();
    types.hold(ty);
    let TypeKind::Generator { yields, .. } = *types.kind(ty) else {
        return Err(PySystemError::new_err("no generator"));
    };
    // SAFETY: by contract; frames have data.
    let data = unsafe { (*frame).data_address() };
    // SAFETY: the data of a frame begin with its layout.
    let resume = unsafe {
        data.add(FRAME.offset(1) as usize)
            .cast::<*const u8>()
            .read()
    };
    let Some(code) = keep_code(resume) else {
        return Err(PySystemError::new_err("the code of this generator is gone"));
    };
    // SAFETY: who made the frame put the address of its step there.
    let step = unsafe { std::mem::transmute::<*const u8, Step>(resume) };
    let captured = users(py, &code);
    // SAFETY: by contract.
    unsafe { numbra_runtime::retain(frame) };
    let generator = Generator {
        frame,
        step,
        ty,
        yields,
        types,
        running: AtomicBool::new(false),
        steps: AtomicU32::new(0),
        code,
        _captured: captured,
    };
    Ok(Bound::new(py, generator)?.into_any())
}

/// The frame behind a Python object, borrowed from it, when it is a generator of this type. From now on the frame holds
/// the code of its steps: whoever is given it may keep it longer than this object is there.
pub(crate) fn frame_of(ty: Type, object: &Bound<'_, PyAny>) -> PyResult<Option<*mut Header>> {
    let Ok(generator) = object.cast::<Generator>() else {
        return Ok(None);
    };
    let generator = generator.get();
    if generator.ty != ty {
        return Ok(None);
    }
    // SAFETY: the object has a reference to its frame, whose owner changes under the GIL only.
    let frame = unsafe { &mut *generator.frame };
    if frame.object().is_null() {
        let code = Code::keeping(object.py(), generator.code.clone())?;
        frame.set_object(code.cast());
    }
    Ok(Some(generator.frame))
}
