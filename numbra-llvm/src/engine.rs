//! LLVM behind a safe face: text in, optimised text, object bytes or assembly out.
//!
//! Every LLVM object lives and dies inside one call here, in a context of its own, so calls may run on any threads.

use crate::Target;
use crate::{conversions, libdevice, poll_inner_loops, sink};
use llvm_sys::LLVMDiagnosticSeverity;
use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::core::{
    LLVMContextCreate, LLVMContextDispose, LLVMContextSetDiagnosticHandler,
    LLVMCreateMemoryBufferWithMemoryRangeCopy, LLVMDisposeMemoryBuffer, LLVMDisposeMessage,
    LLVMDisposeModule, LLVMGetBufferSize, LLVMGetBufferStart, LLVMGetDiagInfoDescription,
    LLVMGetDiagInfoSeverity, LLVMPrintModuleToString, LLVMSetTarget,
};
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::ir_reader::LLVMParseIRInContext2;
use llvm_sys::prelude::{
    LLVMContextRef, LLVMDiagnosticInfoRef, LLVMMemoryBufferRef, LLVMModuleRef,
};
use llvm_sys::support::LLVMParseCommandLineOptions;
use llvm_sys::target::{
    LLVMInitializeNVPTXAsmPrinter, LLVMInitializeNVPTXTarget, LLVMInitializeNVPTXTargetInfo,
    LLVMInitializeNVPTXTargetMC, LLVMInitializeX86AsmParser, LLVMInitializeX86AsmPrinter,
    LLVMInitializeX86Target, LLVMInitializeX86TargetInfo, LLVMInitializeX86TargetMC,
    LLVMSetModuleDataLayout,
};
use llvm_sys::target_machine::{
    LLVMCodeGenFileType, LLVMCodeGenOptLevel, LLVMCodeModel, LLVMCreateTargetDataLayout,
    LLVMCreateTargetMachine, LLVMDisposeTargetMachine, LLVMGetHostCPUName, LLVMGetTargetFromTriple,
    LLVMRelocMode, LLVMTargetMachineEmitToMemoryBuffer, LLVMTargetMachineRef,
};
use llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions,
    LLVMPassBuilderOptionsSetLoopInterleaving, LLVMPassBuilderOptionsSetLoopUnrolling,
    LLVMPassBuilderOptionsSetLoopVectorization, LLVMPassBuilderOptionsSetSLPVectorization,
    LLVMPassBuilderOptionsSetVerifyEach, LLVMRunPasses,
};
use numbra_lir::artifact::CpuLevel;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::fmt;
use std::sync::{Once, OnceLock, RwLock, RwLockReadGuard, TryLockError};
use std::time::{Duration, Instant};

/// How much LLVM optimises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptLevel {
    O0,
    O3,
}

/// What LLVM said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LlvmError(pub String);

impl fmt::Display for LlvmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LLVM: {}", self.0)
    }
}

impl std::error::Error for LlvmError {}

/// An x86-64 ELF object or other binary of the module.
pub(crate) fn object(ir: &str, target: &Target, level: OptLevel) -> Result<Vec<u8>, LlvmError> {
    let module = Optimised::new(ir, target, level)?;
    module.emit(LLVMCodeGenFileType::LLVMObjectFile)
}

/// Assembly text: x86-64, or PTX for a GPU.
pub(crate) fn assembly(ir: &str, target: &Target, level: OptLevel) -> Result<String, LlvmError> {
    let module = Optimised::new(ir, target, level)?;
    let bytes = module.emit(LLVMCodeGenFileType::LLVMAssemblyFile)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The module's text after optimisation.
pub(crate) fn optimised_text(
    ir: &str,
    target: &Target,
    level: OptLevel,
) -> Result<String, LlvmError> {
    Ok(Optimised::new(ir, target, level)?.text())
}

/// What LLVM remarks about loops while it optimises, one message a line: `FILE:LINE:COLUMN: TEXT`.
pub(crate) fn remarks(ir: &str, target: &Target) -> Result<Vec<String>, LlvmError> {
    ask_for_remarks()?;
    let module = Optimised::new(ir, target, OptLevel::O3)?;
    Ok(module.said.take().remarks)
}

impl Target {
    /// This machine's CPU level, tuned for this machine.
    pub fn host() -> Target {
        // SAFETY: the call returns a string that `take_message` frees.
        let tune = unsafe { take_message(LLVMGetHostCPUName()) };
        Target::Cpu {
            level: CpuLevel::host(),
            tune,
        }
    }
}

/// Functions that count four times as much are split, into parts that count about this: an instruction counts 1, a loop 60
/// besides. A plain loop over an array counts some 150 before LLVM optimises it.
const PART_WEIGHT: c_uint = 1500;

unsafe extern "C" {
    /// Splits functions that count more than `long` (`split.cpp`).
    fn numbra_llvm_split(module: LLVMModuleRef, long: c_uint, part: c_uint);
    /// Has the machine take its cheaper passes where a block has more than `long` instructions (`split.cpp`).
    fn numbra_llvm_spare(module: LLVMModuleRef, machine: LLVMTargetMachineRef, long: c_uint);
}

/// Instructions of an optimised block from which on the machine's cheaper passes make its code. Blocks of unrolled kernels have
/// hundreds.
const LONG_BLOCK: c_uint = 2000;

/// [`PART_WEIGHT`], or what `NUMBRA_LLVM_PART` gives: tests split small functions, 0 splits none.
fn part() -> c_uint {
    let given = std::env::var("NUMBRA_LLVM_PART").ok();
    given
        .and_then(|text| text.parse().ok())
        .unwrap_or(PART_WEIGHT)
}

/// Numba's switch for packing straight-line scalars into vectors: on unless it is 0, for processors.
fn is_slp_enabled() -> bool {
    std::env::var("NUMBA_SLP_VECTORIZE").map_or(true, |value| value != "0")
}

fn initialise() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: registration functions; `Once` keeps them from racing.
        unsafe {
            LLVMInitializeX86TargetInfo();
            LLVMInitializeX86Target();
            LLVMInitializeX86TargetMC();
            LLVMInitializeX86AsmPrinter();
            LLVMInitializeX86AsmParser();
            LLVMInitializeNVPTXTargetInfo();
            LLVMInitializeNVPTXTarget();
            LLVMInitializeNVPTXTargetMC();
            LLVMInitializeNVPTXAsmPrinter();
        }
        // Options that the interface of the pass builder has not, or does not heed. Loops whose sums keep their order may be
        // vectorised; asking for that in one loop must not reorder it.
        let options = [
            c"numbra",
            c"-force-ordered-reductions=true",
            c"-hints-allow-reordering=false",
            // Strides are numbers of bytes: loops for a stride of one byte, which is what LLVM makes, never run. The pass
            // `version_strides` makes those for the size of an element.
            c"-enable-mem-access-versioning=false",
            // The iterations that an unrolled loop leaves over are written out, so that each end is a branch of its own, which is
            // predicted. As a loop they were mispredicted once a row of an array: products with rows of 6 took 3 times as long.
            c"-unroll-remainder=true",
            // Short vectors must gain more than their moves cost, and those of few operations must need no moves at all. At 0
            // and 3, LLVM's own, the bodies of `nbody` lost 16 %; the butterflies of an FFT gain 20 % either way.
            c"-slp-threshold=1",
            c"-slp-min-tree-size=6",
            // The pass adds `nuw` to a counter from -3 to 0 whose last step wraps where nobody reads it. Once the loop is rotated
            // scalar evolution takes that for a fact of all steps, and both ways out of the loop are gone (LLVM 22.1.8).
            c"-opt-disable=correlated-propagation",
            // What is rare in a loop stands behind it. LLVM's own way wants counts of a profile.
            c"-force-loop-cold-block=true",
            if is_slp_enabled() {
                c"-vectorize-slp=true"
            } else {
                c"-vectorize-slp=false"
            },
        ];
        // SAFETY: `Once` keeps all others from LLVM until this is done.
        unsafe { set_options(&options) };
    });
}

/// Sets options of LLVM, each at most once in a process.
///
/// # Safety
/// Nobody else uses LLVM meanwhile.
unsafe fn set_options(options: &[&'static CStr]) {
    let arguments: Vec<*const c_char> = options.iter().map(|text| text.as_ptr()).collect();
    // SAFETY: strings that live for ever; by contract, nobody reads the options meanwhile.
    unsafe {
        LLVMParseCommandLineOptions(
            arguments.len() as c_int,
            arguments.as_ptr(),
            std::ptr::null(),
        );
    }
}

/// Held by whoever uses LLVM; alone by who changes its options.
static IN_USE: RwLock<()> = RwLock::new(());

fn in_use() -> RwLockReadGuard<'static, ()> {
    IN_USE.read().unwrap_or_else(|e| e.into_inner())
}

/// Has LLVM make remarks from now on. It makes none before somebody wants them: they cost time in each compilation.
fn ask_for_remarks() -> Result<(), LlvmError> {
    static ASKED: OnceLock<()> = OnceLock::new();
    initialise();
    // In a forked child, a compilation of the parent may seem to go on for ever.
    let patience = Instant::now() + Duration::from_secs(60);
    while ASKED.get().is_none() {
        let alone = match IN_USE.try_write() {
            Ok(alone) => alone,
            Err(TryLockError::Poisoned(alone)) => alone.into_inner(),
            Err(TryLockError::WouldBlock) if Instant::now() > patience => {
                return Err(LlvmError("other compilations do not end".to_owned()));
            }
            Err(TryLockError::WouldBlock) => {
                std::thread::sleep(Duration::from_millis(1));
                continue;
            }
        };
        ASKED.get_or_init(|| {
            // SAFETY: the lock is held alone.
            unsafe {
                set_options(&[
                    c"numbra",
                    c"-pass-remarks=loop-vectorize",
                    c"-pass-remarks-missed=loop-vectorize",
                    c"-pass-remarks-analysis=loop-vectorize",
                ]);
            }
        });
        drop(alone);
    }
    Ok(())
}

/// What LLVM said in one context.
#[derive(Default)]
struct Said {
    remarks: Vec<String>,
    error: Option<String>,
}

/// Takes what LLVM has to say. Without it, LLVM prints it, and ends the process at errors.
extern "C" fn listen(info: LLVMDiagnosticInfoRef, said: *mut c_void) {
    // SAFETY: the diagnostic is live during the call.
    let severity = unsafe { LLVMGetDiagInfoSeverity(info) };
    // SAFETY: as above; the description is ours to free.
    let text = unsafe { take_message(LLVMGetDiagInfoDescription(info)) };
    // SAFETY: `Optimised::new` gave a box that lives as long as the context, which one thread uses.
    let mut said = unsafe { &*said.cast::<RefCell<Said>>() }.borrow_mut();
    match severity {
        LLVMDiagnosticSeverity::LLVMDSRemark => said.remarks.push(text),
        LLVMDiagnosticSeverity::LLVMDSError => {
            said.error.get_or_insert(text);
        }
        LLVMDiagnosticSeverity::LLVMDSWarning | LLVMDiagnosticSeverity::LLVMDSNote => {}
    }
}

/// A parsed, optimised module with the machine it is for.
struct Optimised {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    machine: LLVMTargetMachineRef,
    said: Box<RefCell<Said>>,
    _in_use: RwLockReadGuard<'static, ()>,
}

impl Drop for Optimised {
    fn drop(&mut self) {
        // SAFETY: all three were created by `new`, are owned by `self`, and go in order of use.
        unsafe {
            if !self.module.is_null() {
                LLVMDisposeModule(self.module);
            }
            if !self.machine.is_null() {
                LLVMDisposeTargetMachine(self.machine);
            }
            LLVMContextDispose(self.context);
        }
    }
}

impl Optimised {
    fn new(ir: &str, target: &Target, level: OptLevel) -> Result<Optimised, LlvmError> {
        initialise();
        let in_use = in_use();
        // SAFETY: a new context, owned by the value below.
        let context = unsafe { LLVMContextCreate() };
        let mut this = Optimised {
            context,
            module: std::ptr::null_mut(),
            machine: std::ptr::null_mut(),
            said: Box::default(),
            _in_use: in_use,
        };
        let said = (&raw const *this.said).cast_mut().cast();
        // SAFETY: the box lives as long as the context.
        unsafe { LLVMContextSetDiagnosticHandler(context, Some(listen), said) };
        this.parse(ir)?;
        let debugged = ir.contains("emissionKind: FullDebug");
        this.make_machine(target, level, debugged)?;
        if target.is_gpu() && libdevice::is_needed(ir) {
            // SAFETY: the module is live, and its context is this value's.
            unsafe { libdevice::link(this.module)? };
            this.no_error()?;
        }
        this.run_passes(target, level)?;
        Ok(this)
    }

    fn parse(&mut self, ir: &str) -> Result<(), LlvmError> {
        let mut message: *mut c_char = std::ptr::null_mut();
        // SAFETY: the buffer copies `ir`; the parser takes the buffer and, on success, gives us the module.
        let failed = unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                ir.as_ptr().cast(),
                ir.len(),
                c"numbra".as_ptr(),
            );
            LLVMParseIRInContext2(self.context, buffer, &raw mut self.module, &raw mut message)
        };
        if failed != 0 {
            // SAFETY: a failing parse sets the message.
            return Err(LlvmError(unsafe { take_message(message) }));
        }
        Ok(())
    }

    fn make_machine(
        &mut self,
        target: &Target,
        level: OptLevel,
        debugged: bool,
    ) -> Result<(), LlvmError> {
        let triple = c_string(target.triple())?;
        let cpu = c_string(&target.cpu())?;
        let features = c_string(target.features(debugged))?;
        let mut found = std::ptr::null_mut();
        let mut message: *mut c_char = std::ptr::null_mut();
        // SAFETY: strings live across the calls; outputs are checked.
        unsafe {
            if LLVMGetTargetFromTriple(triple.as_ptr(), &raw mut found, &raw mut message) != 0 {
                return Err(LlvmError(take_message(message)));
            }
            self.machine = LLVMCreateTargetMachine(
                found,
                triple.as_ptr(),
                cpu.as_ptr(),
                features.as_ptr(),
                match level {
                    OptLevel::O0 => LLVMCodeGenOptLevel::LLVMCodeGenLevelNone,
                    OptLevel::O3 => LLVMCodeGenOptLevel::LLVMCodeGenLevelAggressive,
                },
                LLVMRelocMode::LLVMRelocPIC,
                LLVMCodeModel::LLVMCodeModelSmall,
            );
            if self.machine.is_null() {
                return Err(LlvmError(format!("no machine for {}", target.cpu())));
            }
            let layout = LLVMCreateTargetDataLayout(self.machine);
            LLVMSetModuleDataLayout(self.module, layout);
            llvm_sys::target::LLVMDisposeTargetData(layout);
            LLVMSetTarget(self.module, triple.as_ptr());
        }
        Ok(())
    }

    fn run_passes(&mut self, target: &Target, level: OptLevel) -> Result<(), LlvmError> {
        let passes = match (level, target) {
            (OptLevel::O0, Target::Gpu(_)) => c"verify,globaldce,default<O0>",
            (OptLevel::O3, Target::Gpu(_)) => c"verify,globaldce,default<O3>",
            (OptLevel::O0, _) => c"verify,default<O0>",
            (OptLevel::O3, _) => c"function(loop(loop-unroll-full)),default<O3>",
        };
        if level == OptLevel::O3 && !target.is_gpu() {
            self.verify_now()?;
            let part = part();
            if part > 0 {
                // SAFETY: the module is live and verified.
                unsafe { numbra_llvm_split(self.module, part.saturating_mul(4), part) };
            }
        }
        // SAFETY: module and machine are live; the options are disposed of; an error is turned into text.
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            LLVMPassBuilderOptionsSetVerifyEach(options, 0);
            LLVMPassBuilderOptionsSetLoopVectorization(options, 1);
            LLVMPassBuilderOptionsSetLoopInterleaving(options, 1);
            LLVMPassBuilderOptionsSetLoopUnrolling(options, 1);
            let packs = is_slp_enabled() && !target.is_gpu();
            LLVMPassBuilderOptionsSetSLPVectorization(options, packs.into());
            let error = LLVMRunPasses(self.module, passes.as_ptr(), self.machine, options);
            LLVMDisposePassBuilderOptions(options);
            if !error.is_null() {
                let message = LLVMGetErrorMessage(error);
                let text = CStr::from_ptr(message).to_string_lossy().into_owned();
                LLVMDisposeErrorMessage(message);
                return Err(LlvmError(text));
            }
            match (level, target) {
                (OptLevel::O0, _) => {}
                (OptLevel::O3, Target::Gpu(_)) => sink::below_loads(self.module),
                (OptLevel::O3, Target::Cpu { level, .. }) => {
                    conversions::as_instructions(self.module, *level);
                    poll_inner_loops::strip_mine_for_polls(self.module);
                    numbra_llvm_spare(self.module, self.machine, LONG_BLOCK);
                }
            }
        }
        self.verify()?;
        self.no_error()
    }

    /// Verifies what our own passes have made of the module: with `NUMBRA_VERIFY=1`, and always in debug builds.
    fn verify(&self) -> Result<(), LlvmError> {
        let asked = || std::env::var_os("NUMBRA_VERIFY").is_some_and(|v| v == "1");
        if !cfg!(debug_assertions) && !asked() {
            return Ok(());
        }
        self.verify_now()
    }

    fn verify_now(&self) -> Result<(), LlvmError> {
        let mut message: *mut c_char = std::ptr::null_mut();
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        // SAFETY: the module is live; the message is ours to free.
        let (failed, text) = unsafe {
            let failed = LLVMVerifyModule(self.module, action, &raw mut message);
            (failed != 0, take_message(message))
        };
        match failed {
            true => Err(LlvmError(text)),
            false => Ok(()),
        }
    }

    /// What LLVM complained about without failing.
    fn no_error(&self) -> Result<(), LlvmError> {
        match self.said.borrow_mut().error.take() {
            Some(text) => Err(LlvmError(text)),
            None => Ok(()),
        }
    }

    fn emit(&self, kind: LLVMCodeGenFileType) -> Result<Vec<u8>, LlvmError> {
        let mut message: *mut c_char = std::ptr::null_mut();
        let mut buffer: LLVMMemoryBufferRef = std::ptr::null_mut();
        // SAFETY: on success the buffer is ours: copied, then disposed of.
        unsafe {
            if LLVMTargetMachineEmitToMemoryBuffer(
                self.machine,
                self.module,
                kind,
                &raw mut message,
                &raw mut buffer,
            ) != 0
            {
                return Err(LlvmError(take_message(message)));
            }
            let bytes = std::slice::from_raw_parts(
                LLVMGetBufferStart(buffer).cast::<u8>(),
                LLVMGetBufferSize(buffer),
            )
            .to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            self.no_error().map(|()| bytes)
        }
    }

    fn text(&self) -> String {
        // SAFETY: the printed string is ours to free.
        unsafe { take_message(LLVMPrintModuleToString(self.module)) }
    }
}

/// Copies and frees a string that LLVM allocated.
///
/// # Safety
/// `message` is null or a string that LLVM hands over.
unsafe fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: by contract.
    let text = unsafe { CStr::from_ptr(message) }
        .to_string_lossy()
        .into_owned();
    // SAFETY: by contract.
    unsafe { LLVMDisposeMessage(message) };
    text
}

fn c_string(text: &str) -> Result<CString, LlvmError> {
    CString::new(text).map_err(|_| LlvmError("a name holds a NUL byte".to_owned()))
}
