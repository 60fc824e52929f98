//! LLVM behind a safe face: text in, optimised text, object bytes or assembly out.
//!
//! Every LLVM object lives and dies inside one call here, in a context of its own, so calls may run on any threads.

use crate::Target;
use llvm_sys::core::{
    LLVMContextCreate, LLVMContextDispose, LLVMCreateMemoryBufferWithMemoryRangeCopy,
    LLVMDisposeMemoryBuffer, LLVMDisposeMessage, LLVMDisposeModule, LLVMGetBufferSize,
    LLVMGetBufferStart, LLVMPrintModuleToString, LLVMSetTarget,
};
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::ir_reader::LLVMParseIRInContext2;
use llvm_sys::prelude::{LLVMContextRef, LLVMMemoryBufferRef, LLVMModuleRef};
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
    LLVMPassBuilderOptionsSetLoopVectorization, LLVMPassBuilderOptionsSetVerifyEach, LLVMRunPasses,
};
use numbra_lower::artifact::CpuLevel;
use std::ffi::{CStr, CString, c_char, c_int};
use std::fmt;
use std::sync::Once;

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

/// Numba's switch for packing straight-line scalars into vectors. Off unless it is set, as there: short vectors of what is at
/// hand often cost more in moving than they gain.
fn packs_scalars() -> bool {
    std::env::var("NUMBA_SLP_VECTORIZE").is_ok_and(|value| !value.is_empty() && value != "0")
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
            if packs_scalars() {
                c"-vectorize-slp=true"
            } else {
                c"-vectorize-slp=false"
            },
        ];
        let arguments = options.map(CStr::as_ptr);
        // SAFETY: strings that live for ever; nobody reads the options meanwhile.
        unsafe {
            LLVMParseCommandLineOptions(
                arguments.len() as c_int,
                arguments.as_ptr(),
                std::ptr::null(),
            );
        }
    });
}

/// A parsed, optimised module with the machine it is for.
struct Optimised {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    machine: LLVMTargetMachineRef,
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
        // SAFETY: a new context, owned by the value below.
        let context = unsafe { LLVMContextCreate() };
        let mut this = Optimised {
            context,
            module: std::ptr::null_mut(),
            machine: std::ptr::null_mut(),
        };
        this.parse(ir)?;
        this.make_machine(target, level)?;
        this.run_passes(level)?;
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

    fn make_machine(&mut self, target: &Target, level: OptLevel) -> Result<(), LlvmError> {
        let triple = c_string(target.triple())?;
        let cpu = c_string(&target.cpu())?;
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
                c"".as_ptr(),
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

    fn run_passes(&mut self, level: OptLevel) -> Result<(), LlvmError> {
        let passes = match level {
            OptLevel::O0 => c"verify,default<O0>",
            OptLevel::O3 => c"verify,default<O3>",
        };
        // SAFETY: module and machine are live; the options are disposed of; an error is turned into text.
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            LLVMPassBuilderOptionsSetVerifyEach(options, 0);
            LLVMPassBuilderOptionsSetLoopVectorization(options, 1);
            LLVMPassBuilderOptionsSetLoopInterleaving(options, 1);
            LLVMPassBuilderOptionsSetLoopUnrolling(options, 1);
            let error = LLVMRunPasses(self.module, passes.as_ptr(), self.machine, options);
            LLVMDisposePassBuilderOptions(options);
            if !error.is_null() {
                let message = LLVMGetErrorMessage(error);
                let text = CStr::from_ptr(message).to_string_lossy().into_owned();
                LLVMDisposeErrorMessage(message);
                return Err(LlvmError(text));
            }
        }
        Ok(())
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
            Ok(bytes)
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
