//! Runs functions of LIR modules as machine code, of any generator.

use crate::cranelift::{THUNK, thunk};
use crate::jit::{LoadedArtifact, SymbolLookup, load};
use numbra_abi::HEADER;
use numbra_lir::artifact::Artifact;
use numbra_lir::interp::{Arg, Executor, LirValue, Outcome, RunError};
use numbra_lir::{FuncRef, Linkage, Module, Signature, Ty};
use std::sync::{Arc, Mutex, PoisonError};

/// What an executor needs of the runtime.
#[derive(Clone, Copy)]
pub struct RuntimeEdge<'a> {
    pub symbols: SymbolLookup<'a>,
    /// Takes the pending exception: description and argument words.
    pub take_error: &'a dyn Fn() -> Option<(Vec<u8>, Vec<u64>)>,
    /// Objects that are alive.
    pub live_objects: &'a dyn Fn() -> i64,
}

/// An executor over a code generator.
///
/// It runs what it is given: machine code of a module that reads wild memory crashes the process.
pub struct CodeExecutor<'a> {
    pub name: &'a str,
    pub generate: &'a dyn Fn(&Module) -> Result<Artifact, RunError>,
    pub runtime: RuntimeEdge<'a>,
}

/// Live objects are counted in the whole process, so runs do not overlap.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Memory aligned to 64 bytes.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line([u8; 64]);

/// An argument or result block, or a buffer.
struct Memory(Vec<Line>);

impl Memory {
    fn new(len: usize) -> Memory {
        Memory(vec![Line([0; 64]); len.div_ceil(64).max(1)])
    }

    fn holding(bytes: &[u8]) -> Memory {
        let mut memory = Memory::new(bytes.len());
        memory.put(0, bytes);
        memory
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        for (index, &byte) in (at..).zip(bytes) {
            self.0[index / 64].0[index % 64] = byte;
        }
    }

    fn bytes(&self, at: usize, len: usize) -> Vec<u8> {
        (at..at + len).map(|i| self.0[i / 64].0[i % 64]).collect()
    }

    fn address(&mut self) -> usize {
        self.0.as_mut_ptr().expose_provenance()
    }
}

impl Executor for CodeExecutor<'_> {
    fn name(&self) -> &str {
        self.name
    }

    fn run(&self, module: &Module, func: FuncRef, args: &[Arg]) -> Result<Outcome, RunError> {
        let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let mut module = module.clone();
        let decl = &mut module.functions[func];
        decl.linkage = Linkage::Export;
        let (name, sig) = (decl.name.clone(), decl.sig.clone());
        let code = self.load(&module, &[])?;
        let caller = Arc::new(self.load(&thunk(&name, &sig), &[Arc::new(code)])?);
        type Thunk = unsafe extern "C" fn(*mut u8, *const u8) -> i32;
        // SAFETY: the thunk has this signature.
        let caller = unsafe { caller.function::<Thunk>(THUNK) };
        let caller = caller.ok_or_else(|| RunError::Failed("no thunk".to_owned()))?;
        let live = (self.runtime.live_objects)();
        let mut call = Call::new(self, &sig, args)?;
        let (results, block) = (call.results.address(), call.block.address());
        // SAFETY: the blocks have room for all leaves; the module is verified LIR.
        let status = unsafe {
            (*caller)(
                std::ptr::with_exposed_provenance_mut(results),
                std::ptr::with_exposed_provenance(block),
            )
        };
        let mut outcome = Outcome {
            buffers: call
                .buffers
                .iter()
                .map(|(m, len)| m.bytes(0, *len))
                .collect(),
            ..Outcome::default()
        };
        if status == 0 {
            outcome.results = call.take_results(&sig);
        } else {
            outcome.raised = Some(self.pending());
        }
        for &object in &call.objects {
            self.release(object)?;
        }
        outcome.leaked = (self.runtime.live_objects)() - live;
        Ok(outcome)
    }
}

impl CodeExecutor<'_> {
    fn load(
        &self,
        module: &Module,
        artifacts: &[Arc<LoadedArtifact>],
    ) -> Result<LoadedArtifact, RunError> {
        let artifact = Arc::new((self.generate)(module)?);
        load(artifact, artifacts, self.runtime.symbols)
            .map_err(|error| RunError::Failed(error.to_string()))
    }

    /// Class and words of the exception that the call left.
    fn pending(&self) -> (String, Vec<u64>) {
        let Some((description, words)) = (self.runtime.take_error)() else {
            return ("nothing".to_owned(), Vec::new());
        };
        let json: serde_json::Value = serde_json::from_slice(&description).unwrap_or_default();
        let class = json["class"].as_str().unwrap_or("described");
        (class.to_owned(), words)
    }

    fn symbol(&self, name: &str) -> Result<*const u8, RunError> {
        (self.runtime.symbols)(name).ok_or_else(|| RunError::Failed(format!("no `{name}`")))
    }

    /// A heap object with this data.
    fn object(&self, data: &[u8]) -> Result<usize, RunError> {
        type Alloc = unsafe extern "C" fn(i64, i64) -> *mut u8;
        let alloc = self.symbol("numbra_rt_alloc")?;
        // SAFETY: `numbra_abi::NATIVES` gives this signature.
        let alloc = unsafe { std::mem::transmute::<*const u8, Alloc>(alloc) };
        // SAFETY: any size is accepted.
        let header = unsafe { alloc(data.len() as i64, 64) };
        if header.is_null() {
            return Err(RunError::Failed("no memory".to_owned()));
        }
        let field = header.wrapping_add(HEADER.offset(3) as usize);
        // SAFETY: the header has the address of its data there.
        let to = unsafe { field.cast::<*mut u8>().read() };
        // SAFETY: the new object has so many bytes.
        unsafe { std::ptr::copy_nonoverlapping(data.as_ptr(), to, data.len()) };
        Ok(header.expose_provenance())
    }

    fn release(&self, object: usize) -> Result<(), RunError> {
        type Release = unsafe extern "C" fn(*mut u8);
        let release = self.symbol("numbra_rt_release")?;
        // SAFETY: `numbra_abi::NATIVES` gives this signature.
        let release = unsafe { std::mem::transmute::<*const u8, Release>(release) };
        // SAFETY: a reference that the executor owns, or null.
        unsafe { release(std::ptr::with_exposed_provenance_mut(object)) };
        Ok(())
    }
}

/// Blocks of one call.
struct Call {
    block: Memory,
    results: Memory,
    buffers: Vec<(Memory, usize)>,
    /// References to give up afterwards.
    objects: Vec<usize>,
}

impl Call {
    fn new(executor: &CodeExecutor<'_>, sig: &Signature, args: &[Arg]) -> Result<Call, RunError> {
        if args.len() != sig.params.len() {
            return Err(RunError::Failed("wrong number of arguments".to_owned()));
        }
        let stride = Signature::BLOCK_STRIDE as usize;
        let mut call = Call {
            block: Memory::new(stride * args.len()),
            results: Memory::new(stride * sig.results.len()),
            buffers: Vec::new(),
            objects: Vec::new(),
        };
        for (leaf, (arg, param)) in args.iter().zip(&sig.params).enumerate() {
            let bytes = match arg {
                Arg::Value(value) if value.ty() == param.ty => bytes_of(value),
                Arg::Value(value) => {
                    let what = format!("argument {leaf} is {}", value.ty());
                    return Err(RunError::Failed(what));
                }
                Arg::Buffer(content) => {
                    let mut memory = Memory::holding(content);
                    let address = memory.address();
                    call.buffers.push((memory, content.len()));
                    address.to_le_bytes().to_vec()
                }
                Arg::Within(buffer, offset) => {
                    let missing = || RunError::Failed(format!("argument {leaf} has no buffer"));
                    let (memory, _) = call.buffers.get_mut(*buffer).ok_or_else(missing)?;
                    (memory.address() + offset).to_le_bytes().to_vec()
                }
                Arg::Object(content) => {
                    let object = executor.object(content)?;
                    call.objects.push(object);
                    object.to_le_bytes().to_vec()
                }
            };
            call.block.put(stride * leaf, &bytes);
        }
        Ok(call)
    }

    fn take_results(&mut self, sig: &Signature) -> Vec<LirValue> {
        let stride = Signature::BLOCK_STRIDE as usize;
        let mut out = Vec::with_capacity(sig.results.len());
        for (leaf, &ty) in sig.results.iter().enumerate() {
            let bytes = self.results.bytes(stride * leaf, ty.size() as usize);
            out.push(match (ty, value_of(ty, &bytes)) {
                (Ty::Ref, LirValue::Scalar(_, header)) => {
                    self.objects.push(header as usize);
                    LirValue::Scalar(Ty::Ref, u128::from(header != 0))
                }
                (_, value) => value,
            });
        }
        out
    }
}

fn bytes_of(value: &LirValue) -> Vec<u8> {
    match value {
        LirValue::Scalar(ty, bits) => bits.to_le_bytes()[..ty.size() as usize].to_vec(),
        LirValue::Vector(lane, lanes) => lanes
            .iter()
            .flat_map(|bits| bits.to_le_bytes()[..lane.ty().size() as usize].to_vec())
            .collect(),
    }
}

fn value_of(ty: Ty, bytes: &[u8]) -> LirValue {
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .rev()
            .fold(0_u128, |n, &b| n << 8 | u128::from(b))
    };
    match ty {
        Ty::Vec(lane, _) => LirValue::Vector(
            lane,
            bytes
                .chunks_exact(lane.ty().size() as usize)
                .map(|bytes| number(bytes) as u64)
                .collect(),
        ),
        _ => LirValue::Scalar(ty, number(bytes)),
    }
}
