//! Slow arithmetic of devices, moved down to where its result is first needed.
//!
//! `ptxas` makes a branch to a slow path of each division and root, and moves no load over a branch: a kernel that takes a
//! root of one element before it loads the next waits for memory twice. LLVM keeps the order of the source here.

use crate::walk::{called_name, each_block};
use llvm_sys::LLVMOpcode;
use llvm_sys::core::{
    LLVMGetInstructionOpcode, LLVMGetLastInstruction, LLVMGetNextInstruction, LLVMGetNumOperands,
    LLVMGetOperand, LLVMGetPreviousInstruction, LLVMInsertIntoBuilder,
    LLVMInstructionRemoveFromParent, LLVMIsATerminatorInst, LLVMPositionBuilderBefore,
};
use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMBuilderRef, LLVMModuleRef, LLVMValueRef};

/// Intrinsics, by how their names begin, that become a fast path and a slow one. None touches memory.
const SLOW: [&[u8]; 4] = [
    b"llvm.sqrt.",
    b"llvm.nvvm.sqrt.",
    b"llvm.nvvm.div.",
    b"llvm.nvvm.rcp.",
];

/// Moves divisions and roots of a module below loads that do not need them.
///
/// # Safety
/// `module` is live and well formed, and nobody else uses its context.
pub(crate) unsafe fn below_loads(module: LLVMModuleRef) {
    // SAFETY: by contract.
    unsafe { each_block(module, |block, builder| in_block(block, builder)) }
}

/// The last first, for what it needs can follow it.
unsafe fn in_block(block: LLVMBasicBlockRef, builder: LLVMBuilderRef) {
    // SAFETY: of a live block; an instruction moves to a place in its own block after which all its uses are.
    unsafe {
        let mut next = LLVMGetLastInstruction(block);
        while !next.is_null() {
            let inst = next;
            next = LLVMGetPreviousInstruction(inst);
            if !is_slow(inst) {
                continue;
            }
            let (mut place, mut loads) = (LLVMGetNextInstruction(inst), false);
            while LLVMIsATerminatorInst(place).is_null() && !uses(place, inst) {
                loads |= LLVMGetInstructionOpcode(place) == LLVMOpcode::LLVMLoad;
                place = LLVMGetNextInstruction(place);
            }
            if loads {
                LLVMInstructionRemoveFromParent(inst);
                LLVMPositionBuilderBefore(builder, place);
                LLVMInsertIntoBuilder(builder, inst);
            }
        }
    }
}

unsafe fn is_slow(inst: LLVMValueRef) -> bool {
    // SAFETY: of a live instruction; the name lives as long as the function that has it.
    unsafe {
        match LLVMGetInstructionOpcode(inst) {
            LLVMOpcode::LLVMFDiv => true,
            LLVMOpcode::LLVMCall => {
                let name = called_name(inst);
                SLOW.iter().any(|begin| name.starts_with(begin))
            }
            _ => false,
        }
    }
}

unsafe fn uses(inst: LLVMValueRef, value: LLVMValueRef) -> bool {
    // SAFETY: of a live instruction, and operands that it has.
    unsafe {
        let count = LLVMGetNumOperands(inst).try_into().unwrap_or(0);
        (0..count).any(|i| LLVMGetOperand(inst, i) == value)
    }
}
