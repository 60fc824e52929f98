//! Launches: a plan for each loaded kernel, which checks arguments and packs them without making Python objects.

use super::code_of;
use super::cupy;
use super::host;
use crate::cuda::array::DeviceArrayBase;
use crate::cuda::dlpack::{Peeked, peek};
use crate::cuda::stream::StreamBase;
use crate::cuda::{driver_error, unless_callbacks_wait};
use crate::session::session;
use crate::types::from_python;
use numbra_cuda::{Context, DriverError, Epoch, Function, Kind, Stream, launch};
use numbra_ir::{Layout, Scalar, Type, TypeKind};
use numbra_lower::lowering::no_device_argument;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyBool, PyComplex, PyDict, PyFloat, PyInt, PyTuple, PyType};
use std::ffi::c_void;
use std::sync::{Mutex, PoisonError};

/// Sizes, shared memory and stream of a launch.
#[pyclass(frozen, module = "numbra._numbra")]
pub(crate) struct LaunchShape {
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    stream: usize,
    /// The stream is good as long as this runs; `None` for the driver's own and those of others.
    stream_epoch: Option<Epoch>,
}

#[pymethods]
impl LaunchShape {
    /// Sizes in x, y, z; bytes; the stream's handle and, if it is one of ours, the stream.
    #[new]
    #[pyo3(signature = (grid, block, shared, stream, owner = None))]
    fn new(
        grid: [u32; 3],
        block: [u32; 3],
        shared: u32,
        stream: usize,
        owner: Option<&Bound<'_, PyAny>>,
    ) -> LaunchShape {
        let owner = owner.and_then(|owner| owner.cast::<StreamBase>().ok());
        LaunchShape {
            grid,
            block,
            shared,
            stream,
            stream_epoch: owner.and_then(|owner| owner.get().epoch()),
        }
    }
}

/// One argument's type, as launches look at it.
enum Param {
    /// A number, a time or an address: so many bytes.
    Number(Scalar),
    /// A time: its count.
    Count,
    /// An address.
    Pointer,
    /// An array.
    Array(ArrayParam),
    /// A record on the device.
    Record,
    /// A member of an enumeration, by its value.
    Member(Box<Param>),
    /// A tuple.
    Items(Vec<Param>),
    /// What takes no parameter.
    Nothing,
}

/// An array's type, as launches look at it.
pub(super) struct ArrayParam {
    /// The code of the type.
    code: u64,
    pub(super) ndim: usize,
    pub(super) layout: Layout,
    /// Element in DLPack's numbers (kind, bits), if it has any and the array may be written.
    pub(super) element: Option<(u8, u8)>,
}

/// Classes of other libraries' device arrays, by address, whose objects have shown a tensor before.
static TENSORS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// From now on launches ask objects of this class for a DLPack tensor.
#[pyfunction]
pub(crate) fn _tensor_class(class: &Bound<'_, PyType>) {
    let mut known = TENSORS.lock().unwrap_or_else(PoisonError::into_inner);
    let address = class.as_ptr() as usize;
    if !known.contains(&address) {
        // Its address means this class for ever.
        std::mem::forget(class.clone().unbind());
        known.push(address);
    }
}

/// Bytes of dynamic shared memory that every kernel may have.
const SHARED_FOR_ALL: u32 = 48 << 10;

/// A loaded kernel.
#[pyclass(frozen, module = "numbra._numbra")]
pub(crate) struct LaunchPlan {
    types: Vec<Type>,
    params: Vec<Param>,
    function: Function,
    cooperative: bool,
    /// Bytes of dynamic shared memory that launches may have; beyond [`SHARED_FOR_ALL`] a kernel must ask for them.
    shared: Mutex<u32>,
    /// The driver's device is the processor: a launch takes as long as the kernel.
    on_host: bool,
    /// The context that the kernel is loaded in, and how long that is.
    context: Context,
    epoch: Epoch,
}

fn param(ty: Type) -> PyResult<Param> {
    let types = &session().types;
    Ok(match types.kind(ty) {
        TypeKind::Scalar(scalar, _) => Param::Number(*scalar),
        TypeKind::Datetime(_) | TypeKind::Timedelta(_) => Param::Count,
        TypeKind::Pointer(_) => Param::Pointer,
        TypeKind::Array(array) => Param::Array(ArrayParam {
            code: code_of(ty),
            ndim: usize::from(array.ndim),
            layout: array.layout,
            element: types
                .as_scalar(array.dtype)
                .filter(|_| array.mutable && array.aligned)
                .map(element),
        }),
        TypeKind::Record(_) => Param::Record,
        TypeKind::EnumMember { dtype, .. } => Param::Member(Box::new(param(*dtype)?)),
        TypeKind::None | TypeKind::Literal(_) | TypeKind::Omitted(_) => Param::Nothing,
        _ => match types.tuple_items(ty) {
            Some(items) => Param::Items(items.into_iter().map(param).collect::<PyResult<_>>()?),
            None => {
                let text = no_device_argument(types, ty);
                return Err(PyTypeError::new_err(text));
            }
        },
    })
}

#[pymethods]
impl LaunchPlan {
    /// Argument types, the function's handle, and whether its grid synchronises.
    #[new]
    fn new(
        py: Python<'_>,
        args: Vec<Bound<'_, PyAny>>,
        function: usize,
        cooperative: bool,
    ) -> PyResult<LaunchPlan> {
        let failed = |error| driver_error(py, error);
        let device = numbra_cuda::current_device().map_err(failed)?;
        let types = args
            .iter()
            .map(from_python)
            .collect::<PyResult<Vec<Type>>>()?;
        for ty in &types {
            session().types.hold(*ty);
        }
        let params = types.iter().map(|ty| param(*ty)).collect::<PyResult<_>>()?;
        Ok(LaunchPlan {
            types,
            params,
            function: Function(function),
            cooperative,
            shared: Mutex::new(SHARED_FOR_ALL),
            on_host: numbra_cuda::is_host(),
            context: numbra_cuda::current().map_err(failed)?,
            epoch: Epoch::now(device.0 as u32, Kind::Allocations),
        })
    }

    /// Launches if the arguments have exactly the types of this plan, as far as a look at them tells.
    fn try_launch(
        &self,
        py: Python<'_>,
        shape: &LaunchShape,
        args: &Bound<'_, PyTuple>,
    ) -> PyResult<bool> {
        if args.len() != self.params.len() || !self.is_current() {
            return Ok(false);
        }
        let mut words = Words::default();
        for (param, arg) in self.params.iter().zip(args.iter_borrowed()) {
            if !quick(py, param, &arg, shape.stream, &mut words)? {
                return Ok(false);
            }
        }
        self.start(py, shape, &mut words)?;
        Ok(true)
    }

    /// Launches with the arguments converted to the types of this plan.
    fn launch(
        &self,
        py: Python<'_>,
        shape: &LaunchShape,
        args: &Bound<'_, PyTuple>,
    ) -> PyResult<()> {
        if args.len() != self.params.len() {
            return Err(PyTypeError::new_err(format!(
                "the kernel takes {} arguments, not {}",
                self.params.len(),
                args.len()
            )));
        }
        let mut words = Words::default();
        for (param, arg) in self.params.iter().zip(args.iter_borrowed()) {
            convert(py, param, &arg, &mut words)?;
        }
        self.start(py, shape, &mut words)
    }

    /// The argument types.
    #[getter]
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let types = self.types.iter();
        types.map(|ty| crate::types::to_python(py, *ty)).collect()
    }
}

impl LaunchPlan {
    /// Whether the kernel is loaded in the context that is current on this thread.
    fn is_current(&self) -> bool {
        self.epoch.is_running() && numbra_cuda::current().is_ok_and(|now| now == self.context)
    }

    /// Has launches get so much dynamic shared memory.
    fn allow_shared(&self, py: Python<'_>, bytes: u32) -> PyResult<()> {
        if bytes <= SHARED_FOR_ALL {
            return Ok(());
        }
        let mut allowed = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes > *allowed {
            // SAFETY: the plan was made of a loaded kernel, and its context was not reset.
            unsafe { numbra_cuda::allow_dynamic_shared(self.function, bytes) }
                .map_err(|error| driver_error(py, error))?;
            *allowed = bytes;
        }
        Ok(())
    }

    fn start(&self, py: Python<'_>, shape: &LaunchShape, words: &mut Words) -> PyResult<()> {
        let stream_is_gone = shape.stream_epoch.is_some_and(|epoch| !epoch.is_running());
        if stream_is_gone || !self.epoch.is_running() {
            return Err(driver_error(py, DriverError::destroyed("cuLaunchKernel")));
        }
        self.allow_shared(py, shape.shared)?;
        let base = words.values.as_mut_ptr();
        words.pointers.clear();
        for index in 0..words.values.len() {
            // SAFETY: within the buffer, which does not grow any more.
            words
                .pointers
                .push(unsafe { base.add(index) }.cast::<c_void>());
        }
        let stream = Stream(shape.stream);
        let pointers = Pointers(&mut words.pointers);
        let run = || {
            // All of it, not the field alone.
            let Pointers(pointers) = { pointers };
            // SAFETY: the plan was made of a kernel with these parameters, and Python keeps its module loaded; neither
            // its context nor the stream's was reset; each pointer is to eight bytes, of which the driver reads as many
            // as the parameter has.
            unsafe {
                launch(
                    self.function,
                    shape.grid,
                    shape.block,
                    shape.shared,
                    stream,
                    self.cooperative,
                    pointers,
                )
            }
        };
        // On the processor a launch takes as long as the kernel.
        let launched = match self.on_host {
            true => py.detach(run),
            false => unless_callbacks_wait(py, run),
        };
        launched.map_err(|error| {
            let raised = self.on_host.then(|| host::failure(py)).flatten();
            raised.unwrap_or_else(|| driver_error(py, error))
        })
    }
}

/// Pointers to the parameters of a launch.
struct Pointers<'a>(&'a mut [*mut c_void]);

// SAFETY: what they point to is borrowed by this launch alone, and it is one thread that makes it, with or without the GIL.
unsafe impl Send for Pointers<'_> {}

/// Parameters of a kernel, eight bytes each.
#[derive(Default)]
pub(super) struct Words {
    values: smallvec::SmallVec<[u64; 64]>,
    pointers: smallvec::SmallVec<[*mut c_void; 64]>,
    /// Whether CuPy works in the stream of this launch; `None` until an argument asks.
    pub(super) cupy_in_order: Option<bool>,
}

impl Words {
    fn push(&mut self, word: u64) {
        self.values.push(word);
    }

    fn number(&mut self, scalar: Scalar, re: f64, im: f64) {
        match scalar {
            Scalar::Float32 => self.push(u64::from((re as f32).to_bits())),
            Scalar::Complex64 => {
                self.push(u64::from((re as f32).to_bits()));
                self.push(u64::from((im as f32).to_bits()));
            }
            Scalar::Complex128 => {
                self.push(re.to_bits());
                self.push(im.to_bits());
            }
            _ => self.push(re.to_bits()),
        }
    }

    /// A tensor as an array of this type, if it is one.
    pub(super) fn tensor(&mut self, wanted: &ArrayParam, tensor: &Peeked<'_>) -> bool {
        let bytes = i64::from(tensor.element.1) / 8;
        let fits = wanted.element == Some(tensor.element) && tensor.shape.len() == wanted.ndim;
        if !fits || bytes == 0 {
            return false;
        }
        let size: i64 = tensor.shape.iter().product();
        let before = self.values.len();
        self.values
            .extend_from_slice(&[0, 0, size as u64, bytes as u64, tensor.pointer]);
        self.values.extend(tensor.shape.iter().map(|&n| n as u64));
        let first = self.values.len();
        let tight = |shape: &mut dyn Iterator<Item = (usize, i64)>, strides: &[i64]| {
            let mut step = 1;
            let mut all = true;
            for (axis, n) in shape {
                all &= n == 1 || strides[axis] == step;
                step *= n;
            }
            all || size == 0
        };
        let layout = match tensor.strides {
            None => {
                let mut step = bytes;
                self.values.resize(first + wanted.ndim, 0);
                for axis in (0..wanted.ndim).rev() {
                    self.values[first + axis] = step as u64;
                    step = step.wrapping_mul(tensor.shape[axis]);
                }
                Layout::C
            }
            Some(strides) => {
                self.values
                    .extend(strides.iter().map(|&n| n.wrapping_mul(bytes) as u64));
                let axes = || tensor.shape.iter().copied().enumerate();
                if strides.contains(&0) && size != 0 {
                    Layout::A
                } else if tight(&mut axes().rev(), strides) {
                    Layout::C
                } else if tight(&mut axes(), strides) {
                    Layout::F
                } else {
                    Layout::A
                }
            }
        };
        if layout != wanted.layout {
            self.values.truncate(before);
            return false;
        }
        true
    }

    fn array(&mut self, py: Python<'_>, base: &DeviceArrayBase) -> PyResult<()> {
        let array = base.array()?;
        array.check_alive(py)?;
        self.values.extend_from_slice(&[
            0,
            0,
            array.size as u64,
            array.itemsize as u64,
            array.pointer,
        ]);
        self.values.extend(
            array
                .shape()
                .iter()
                .chain(array.strides())
                .map(|&n| n as u64),
        );
        Ok(())
    }
}

/// Kind and bits of an element in DLPack's numbers.
fn element(scalar: Scalar) -> (u8, u8) {
    let kind = match scalar {
        s if s.is_signed_int() => 0,
        Scalar::Bool => 6,
        s if s.is_unsigned_int() => 1,
        s if s.is_complex() => 5,
        Scalar::BFloat16 => 4,
        _ => 2,
    };
    (kind, (8 * scalar.size()) as u8)
}

/// True for scalars of NumPy's class of this type.
fn is_numpy_scalar(py: Python<'_>, scalar: Scalar, arg: &Bound<'_, PyAny>) -> PyResult<bool> {
    static CLASSES: PyOnceLock<Vec<(Scalar, Py<PyAny>)>> = PyOnceLock::new();
    let classes = CLASSES.get_or_try_init(py, || {
        let numpy = py.import("numpy")?;
        let named = Scalar::ALL.iter().filter(|s| **s != Scalar::Bool);
        let class = |s: &Scalar| Ok::<_, PyErr>((*s, numpy.getattr(s.name())?.unbind()));
        named.map(class).collect::<PyResult<Vec<_>>>()
    })?;
    let class = arg.get_type();
    Ok(classes
        .iter()
        .any(|(s, known)| *s == scalar && class.is(known)))
}

/// True for objects of a class that has shown tensors.
fn is_tensor(arg: &Bound<'_, PyAny>) -> bool {
    let class = arg.get_type_ptr() as usize;
    let known = TENSORS.lock().unwrap_or_else(PoisonError::into_inner);
    known.contains(&class)
}

/// Adds an argument if it is of the type, which a look at its class tells.
fn quick(
    py: Python<'_>,
    param: &Param,
    arg: &Bound<'_, PyAny>,
    stream: usize,
    words: &mut Words,
) -> PyResult<bool> {
    match param {
        Param::Array(wanted) if is_tensor(arg) => {
            if let Some(fits) = cupy::array(py, wanted, arg, stream, words)? {
                return Ok(fits);
            }
            let asked = match stream {
                0 => arg.call_method0(intern!(py, "__dlpack__")),
                handle => {
                    let options = PyDict::new(py);
                    options.set_item(intern!(py, "stream"), handle)?;
                    arg.call_method(intern!(py, "__dlpack__"), (), Some(&options))
                }
            };
            // What it does not show, or not so, the long way shows, or says why not.
            let Ok(capsule) = asked else { return Ok(false) };
            Ok(peek(&capsule).is_some_and(|tensor| words.tensor(wanted, &tensor)))
        }
        Param::Array(ArrayParam { code, .. }) => {
            let Ok(array) = arg.cast::<DeviceArrayBase>() else {
                return Ok(false);
            };
            let base = array.get();
            let mut known = base.type_code();
            if known == 0 {
                let ty = from_python(&arg.getattr("_numba_type_")?)?;
                session().types.hold(ty);
                known = code_of(ty);
                base.set_type_code(known);
            }
            if known != *code {
                return Ok(false);
            }
            words.array(py, base)?;
            Ok(true)
        }
        Param::Number(Scalar::Int64) if arg.is_exact_instance_of::<PyInt>() => {
            match arg.extract::<i64>() {
                Ok(value) => {
                    words.push(value as u64);
                    Ok(true)
                }
                Err(_) => Ok(false),
            }
        }
        Param::Number(Scalar::Float64) if arg.is_exact_instance_of::<PyFloat>() => {
            words.push(arg.extract::<f64>()?.to_bits());
            Ok(true)
        }
        Param::Number(Scalar::Bool) if arg.is_exact_instance_of::<PyBool>() => {
            words.push(u64::from(arg.is_truthy()?));
            Ok(true)
        }
        Param::Number(scalar @ Scalar::Complex128) if arg.is_exact_instance_of::<PyComplex>() => {
            let value = arg.cast::<PyComplex>().map_err(PyErr::from)?;
            words.number(*scalar, value.real(), value.imag());
            Ok(true)
        }
        Param::Number(scalar) if is_numpy_scalar(py, *scalar, arg)? => {
            number(py, *scalar, arg, words)?;
            Ok(true)
        }
        Param::Items(items) if arg.is_exact_instance_of::<PyTuple>() => {
            let tuple = arg.cast::<PyTuple>().map_err(PyErr::from)?;
            if tuple.len() != items.len() {
                return Ok(false);
            }
            for (item, value) in items.iter().zip(tuple.iter_borrowed()) {
                if !quick(py, item, &value, stream, words)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Adds an argument as the parameter's type.
fn convert(
    py: Python<'_>,
    param: &Param,
    arg: &Bound<'_, PyAny>,
    words: &mut Words,
) -> PyResult<()> {
    match param {
        Param::Number(scalar) => number(py, *scalar, arg, words)?,
        Param::Count => {
            let count = arg.call_method1("view", ("i8",)).or_else(|_| {
                py.import("numpy")?
                    .getattr("asarray")?
                    .call1((arg,))?
                    .call_method1("view", ("i8",))
            })?;
            words.push(count.call_method0("item")?.extract::<i64>()? as u64);
        }
        Param::Pointer => {
            let value = match arg.getattr("value") {
                Ok(value) if !arg.is_instance_of::<PyInt>() => value,
                _ => arg.clone(),
            };
            words.push(if value.is_none() {
                0
            } else {
                value.extract::<u64>()?
            });
        }
        Param::Array(ArrayParam { ndim, .. }) => {
            let array = arg.cast::<DeviceArrayBase>().map_err(|_| {
                PyTypeError::new_err(format!("expected a device array, got {}", arg.get_type()))
            })?;
            let base = array.get();
            // The dispatcher has checked the type; only the number of axes decides how many parameters there are.
            if base.array()?.shape().len() != *ndim {
                return Err(PyValueError::new_err(format!(
                    "expected an array of {ndim} dimensions"
                )));
            }
            words.array(py, base)?;
        }
        Param::Record => {
            let record = arg.cast::<DeviceArrayBase>().map_err(|_| {
                PyTypeError::new_err(format!("expected a device record, got {}", arg.get_type()))
            })?;
            let array = record.get().array()?;
            array.check_alive(py)?;
            words.push(array.pointer);
        }
        Param::Member(of) => convert(py, of, &arg.getattr("value")?, words)?,
        Param::Items(items) => {
            let given: Vec<Bound<'_, PyAny>> = arg.try_iter()?.collect::<PyResult<_>>()?;
            if given.len() != items.len() {
                return Err(PyTypeError::new_err(format!(
                    "expected a tuple of {} items, got {}",
                    items.len(),
                    given.len()
                )));
            }
            for (item, value) in items.iter().zip(&given) {
                convert(py, item, value, words)?;
            }
        }
        Param::Nothing => {}
    }
    Ok(())
}

fn number(
    py: Python<'_>,
    scalar: Scalar,
    arg: &Bound<'_, PyAny>,
    words: &mut Words,
) -> PyResult<()> {
    match scalar {
        Scalar::Bool => words.push(u64::from(arg.is_truthy()?)),
        Scalar::Float16 => {
            let numpy = py.import("numpy")?;
            let half = numpy.getattr("float16")?.call1((arg,))?;
            let bits: u16 = half
                .call_method1("view", ("u2",))?
                .call_method0("item")?
                .extract()?;
            words.push(u64::from(bits));
        }
        // Of a number that is none, as of a float16: rounded to nearest, ties to even.
        Scalar::BFloat16 => {
            words.push(numbra_abi::small_floats::bf16_from_f64(arg.extract::<f64>()?).into())
        }
        Scalar::Complex64 | Scalar::Complex128 => {
            let value = py.import("builtins")?.getattr("complex")?.call1((arg,))?;
            let value = value.cast::<PyComplex>().map_err(PyErr::from)?;
            words.number(scalar, value.real(), value.imag());
        }
        s if s.is_int() => {
            let whole = py.import("builtins")?.getattr("int")?.call1((arg,))?;
            let word = match whole.extract::<i64>() {
                Ok(value) => value as u64,
                Err(_) => whole.extract::<u64>().map_err(|_| {
                    PyOverflowError::new_err("an integer argument has more than 64 bits")
                })?,
            };
            words.push(word);
        }
        _ => words.number(scalar, arg.extract::<f64>()?, 0.0),
    }
    Ok(())
}
