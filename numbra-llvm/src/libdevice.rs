//! NVIDIA's library of mathematical functions for devices, which ships as LLVM bitcode.
//!
//! It is read lazily: as `linkonce_odr` definitions, functions that a module does not call are not even parsed, and
//! linking takes one to two milliseconds instead of a hundred.

use crate::engine::LlvmError;
use llvm_sys::bit_reader::LLVMGetBitcodeModuleInContext2;
use llvm_sys::core::{
    LLVMCanValueUseFastMathFlags, LLVMCreateMemoryBufferWithMemoryRange, LLVMGetDataLayoutStr,
    LLVMGetFastMathFlags, LLVMGetFirstBasicBlock, LLVMGetFirstFunction, LLVMGetFirstInstruction,
    LLVMGetModuleContext, LLVMGetNextBasicBlock, LLVMGetNextFunction, LLVMGetNextInstruction,
    LLVMGetTarget, LLVMGetValueName2, LLVMIsDeclaration, LLVMSetDataLayout, LLVMSetFastMathFlags,
    LLVMSetLinkage, LLVMSetTarget,
};
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::LLVMModuleRef;
use llvm_sys::{LLVMFastMathAllowContract, LLVMLinkage};

/// `libdevice.10.bc` of CUDA 13.0, which attachment A of NVIDIA's licence lets programs redistribute.
static BITCODE: &[u8] = include_bytes!("../libdevice/libdevice.10.bc");

/// True if the text of a module declares functions of the library.
pub(crate) fn is_needed(ir: &str) -> bool {
    ir.lines()
        .any(|line| line.starts_with("declare") && line.contains("@__nv_"))
}

/// Adds the library's functions that a module calls.
///
/// # Safety
/// `module` is live, has its target and data layout, and nobody else uses its context.
pub(crate) unsafe fn link(module: LLVMModuleRef, contract: bool) -> Result<(), LlvmError> {
    let mut library: LLVMModuleRef = std::ptr::null_mut();
    // SAFETY: the bitcode lives for ever; the reader takes the buffer; the linker takes the library.
    unsafe {
        let buffer = LLVMCreateMemoryBufferWithMemoryRange(
            BITCODE.as_ptr().cast(),
            BITCODE.len(),
            c"libdevice".as_ptr(),
            0,
        );
        let context = LLVMGetModuleContext(module);
        if LLVMGetBitcodeModuleInContext2(context, buffer, &raw mut library) != 0 {
            return Err(LlvmError("libdevice cannot be read".to_owned()));
        }
        LLVMSetTarget(library, LLVMGetTarget(module));
        LLVMSetDataLayout(library, LLVMGetDataLayoutStr(module));
        let mut function = LLVMGetFirstFunction(library);
        while !function.is_null() {
            if LLVMIsDeclaration(function) == 0 {
                LLVMSetLinkage(function, LLVMLinkage::LLVMLinkOnceODRLinkage);
            }
            function = LLVMGetNextFunction(function);
        }
        if LLVMLinkModules2(module, library) != 0 {
            return Err(LlvmError("libdevice cannot be linked".to_owned()));
        }
        if contract {
            allow_contraction(module);
        }
    }
    Ok(())
}

/// Lets products and sums in the library's functions become one operation, as NVIDIA's compilers do.
///
/// # Safety
/// As for [`link`].
unsafe fn allow_contraction(module: LLVMModuleRef) {
    // SAFETY: functions, blocks and instructions of a live module, which nobody changes meanwhile.
    unsafe {
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            let mut length = 0;
            let name = LLVMGetValueName2(function, &raw mut length);
            let name = std::slice::from_raw_parts(name.cast::<u8>(), length);
            let mut block = if name.starts_with(b"__nv_") {
                LLVMGetFirstBasicBlock(function)
            } else {
                std::ptr::null_mut()
            };
            while !block.is_null() {
                let mut instruction = LLVMGetFirstInstruction(block);
                while !instruction.is_null() {
                    if LLVMCanValueUseFastMathFlags(instruction) != 0 {
                        let flags = LLVMGetFastMathFlags(instruction);
                        LLVMSetFastMathFlags(instruction, flags | LLVMFastMathAllowContract);
                    }
                    instruction = LLVMGetNextInstruction(instruction);
                }
                block = LLVMGetNextBasicBlock(block);
            }
            function = LLVMGetNextFunction(function);
        }
    }
}
