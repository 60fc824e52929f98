//! Walks over modules of LLVM IR.

use llvm_sys::core::{
    LLVMCreateBuilderInContext, LLVMDisposeBuilder, LLVMGetCalledValue, LLVMGetFirstBasicBlock,
    LLVMGetFirstFunction, LLVMGetModuleContext, LLVMGetNextBasicBlock, LLVMGetNextFunction,
    LLVMGetValueName2,
};
use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMBuilderRef, LLVMModuleRef, LLVMValueRef};

/// Shows each block of a module, with a builder; blocks stay as many as they are.
///
/// # Safety
/// `module` is live and well formed, and nobody else uses its context.
pub(crate) unsafe fn each_block(
    module: LLVMModuleRef,
    mut visit: impl FnMut(LLVMBasicBlockRef, LLVMBuilderRef),
) {
    // SAFETY: of a live module; the builder is disposed of.
    unsafe {
        let builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            let mut block = LLVMGetFirstBasicBlock(function);
            while !block.is_null() {
                visit(block, builder);
                block = LLVMGetNextBasicBlock(block);
            }
            function = LLVMGetNextFunction(function);
        }
        LLVMDisposeBuilder(builder);
    }
}

/// The name of what a call calls; empty for an address.
///
/// # Safety
/// `call` is a live call, and the name is used while its module lives.
pub(crate) unsafe fn called_name<'a>(call: LLVMValueRef) -> &'a [u8] {
    // SAFETY: of a live call; the name lives as long as the function that has it.
    unsafe {
        let mut length = 0;
        let name = LLVMGetValueName2(LLVMGetCalledValue(call), &raw mut length);
        std::slice::from_raw_parts(name.cast::<u8>(), length)
    }
}
