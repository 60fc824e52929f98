//! Conversions of floats to integers, as the instructions that x86 has for them.
//!
//! `cvttsd2si` and its kin give MIN where the value is out of range or NaN, which is what LIR means. LLVM's own conversion
//! is undefined there, so it is emitted under a select on the value's size, which LLVM knows how to simplify and to
//! vectorise; x86's instructions it would leave alone. What is left of such selects in the end becomes an instruction.

use crate::walk::{called_name, each_block};
use llvm_sys::core::{
    LLVMBuildCall2, LLVMBuildInsertElement, LLVMBuildTrunc, LLVMConstAllOnes, LLVMConstInt,
    LLVMConstIntGetSExtValue, LLVMConstRealGetDouble, LLVMCountParamTypes, LLVMGetAggregateElement,
    LLVMGetElementType, LLVMGetFCmpPredicate, LLVMGetFirstInstruction, LLVMGetInstructionOpcode,
    LLVMGetIntTypeWidth, LLVMGetIntrinsicDeclaration, LLVMGetModuleContext, LLVMGetNextInstruction,
    LLVMGetOperand, LLVMGetParamTypes, LLVMGetPoison, LLVMGetTypeKind, LLVMGetVectorSize,
    LLVMGlobalGetValueType, LLVMInstructionEraseFromParent, LLVMInt32TypeInContext,
    LLVMIsAConstantFP, LLVMIsAConstantInt, LLVMIsAInstruction, LLVMIsConstant,
    LLVMLookupIntrinsicID, LLVMPositionBuilderBefore, LLVMReplaceAllUsesWith, LLVMTypeOf,
};
use llvm_sys::prelude::{LLVMBuilderRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef};
use llvm_sys::{LLVMOpcode, LLVMRealPredicate, LLVMTypeKind};
use numbra_lir::artifact::CpuLevel;

/// Replaces the selects of conversions of a module for processors of a level.
///
/// # Safety
/// `module` is live and well formed, and nobody else uses its context.
pub(crate) unsafe fn as_instructions(module: LLVMModuleRef, level: CpuLevel) {
    // SAFETY: by contract.
    unsafe {
        each_block(module, |block, builder| {
            let mut next = LLVMGetFirstInstruction(block);
            while !next.is_null() {
                let inst = next;
                next = LLVMGetNextInstruction(inst);
                if let Some(conversion) = Conversion::of(inst) {
                    conversion.replace(module, builder, level);
                }
            }
        });
    }
}

/// `select (|from| < 2^(width - 1)), (trunc (fptosi from)), (trunc MIN)`, with the two ways iteration.
struct Conversion {
    select: LLVMValueRef,
    from: LLVMValueRef,
    /// Bits of the conversion.
    width: u32,
}

impl Conversion {
    unsafe fn of(select: LLVMValueRef) -> Option<Conversion> {
        // SAFETY: of live values; operands are those that the opcodes have.
        unsafe {
            if !is(select, LLVMOpcode::LLVMSelect) {
                return None;
            }
            let truth = LLVMGetOperand(select, 0);
            if !is(truth, LLVMOpcode::LLVMFCmp) {
                return None;
            }
            let (inside, outside) = match LLVMGetFCmpPredicate(truth) {
                LLVMRealPredicate::LLVMRealOLT => (1, 2),
                LLVMRealPredicate::LLVMRealUGE => (2, 1),
                _ => return None,
            };
            let mut value = LLVMGetOperand(select, inside);
            if is(value, LLVMOpcode::LLVMTrunc) {
                value = LLVMGetOperand(value, 0);
            }
            if !is(value, LLVMOpcode::LLVMFPToSI) {
                return None;
            }
            let width = LLVMGetIntTypeWidth(lane(LLVMTypeOf(value)).0);
            let from = LLVMGetOperand(value, 0);
            let whole = (width == 32 || width == 64)
                && is_size(LLVMGetOperand(truth, 0), from)
                && is_power(LLVMGetOperand(truth, 1), width - 1)
                && is_least(LLVMGetOperand(select, outside), width);
            whole.then_some(Conversion {
                select,
                from,
                width,
            })
        }
    }

    /// LLVM's name of the instruction, where processors of the level have one.
    unsafe fn intrinsic(&self, level: CpuLevel) -> Option<&'static str> {
        // SAFETY: of a live value.
        let (item, lanes) = unsafe { lane(LLVMTypeOf(self.from)) };
        // SAFETY: of a live type.
        let single = unsafe { LLVMGetTypeKind(item) } == LLVMTypeKind::LLVMFloatTypeKind;
        let (least, name) = match (single, self.width, lanes) {
            (true, 32, None) => (CpuLevel::V1, "llvm.x86.sse.cvttss2si"),
            (true, 64, None) => (CpuLevel::V1, "llvm.x86.sse.cvttss2si64"),
            (false, 32, None) => (CpuLevel::V1, "llvm.x86.sse2.cvttsd2si"),
            (false, 64, None) => (CpuLevel::V1, "llvm.x86.sse2.cvttsd2si64"),
            (true, 32, Some(4)) => (CpuLevel::V1, "llvm.x86.sse2.cvttps2dq"),
            (true, 32, Some(8)) => (CpuLevel::V3, "llvm.x86.avx.cvtt.ps2dq.256"),
            (false, 32, Some(4)) => (CpuLevel::V3, "llvm.x86.avx.cvtt.pd2dq.256"),
            (true, 32, Some(16)) => (CpuLevel::V4, "llvm.x86.avx512.mask.cvttps2dq.512"),
            (false, 32, Some(8)) => (CpuLevel::V4, "llvm.x86.avx512.mask.cvttpd2dq.512"),
            (true, 64, Some(4)) => (CpuLevel::V4, "llvm.x86.avx512.mask.cvttps2qq.256"),
            (true, 64, Some(8)) => (CpuLevel::V4, "llvm.x86.avx512.mask.cvttps2qq.512"),
            (false, 64, Some(2)) => (CpuLevel::V4, "llvm.x86.avx512.mask.cvttpd2qq.128"),
            (false, 64, Some(4)) => (CpuLevel::V4, "llvm.x86.avx512.mask.cvttpd2qq.256"),
            (false, 64, Some(8)) => (CpuLevel::V4, "llvm.x86.avx512.mask.cvttpd2qq.512"),
            _ => return None,
        };
        (level >= least).then_some(name)
    }

    /// Puts the instruction in the place of the select, if there is one.
    unsafe fn replace(&self, module: LLVMModuleRef, builder: LLVMBuilderRef, level: CpuLevel) {
        // SAFETY: of live values; the arguments have the types of the intrinsic's parameters.
        unsafe {
            let Some(name) = self.intrinsic(level) else {
                return;
            };
            LLVMPositionBuilderBefore(builder, self.select);
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let function = LLVMGetIntrinsicDeclaration(module, id, std::ptr::null_mut(), 0);
            let ty = LLVMGlobalGetValueType(function);
            let mut params = [std::ptr::null_mut(); 4];
            let count = LLVMCountParamTypes(ty);
            LLVMGetParamTypes(ty, params.as_mut_ptr());
            // Where a lane of the mask is off comes from the second argument; the fourth is the rounding of the current mode.
            let [vector, rest, mask, mode] = params;
            let mut args = [self.from; 4];
            if LLVMTypeOf(self.from) != vector {
                // A scalar is the first lane; no other is read.
                let index = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
                let zero = LLVMConstInt(index, 0, 0);
                let none = LLVMGetPoison(vector);
                args[0] = LLVMBuildInsertElement(builder, none, self.from, zero, c"".as_ptr());
            }
            if count > 1 {
                args[1] = LLVMGetPoison(rest);
                args[2] = LLVMConstAllOnes(mask);
            }
            if count > 3 {
                args[3] = LLVMConstInt(mode, CURRENT_DIRECTION, 0);
            }
            let mut value = LLVMBuildCall2(
                builder,
                ty,
                function,
                args.as_mut_ptr(),
                count,
                c"".as_ptr(),
            );
            let narrow = LLVMTypeOf(self.select);
            if LLVMTypeOf(value) != narrow {
                value = LLVMBuildTrunc(builder, value, narrow, c"".as_ptr());
            }
            LLVMReplaceAllUsesWith(self.select, value);
            LLVMInstructionEraseFromParent(self.select);
        }
    }
}

/// `_MM_FROUND_CUR_DIRECTION`: conversions that truncate look at no mode.
const CURRENT_DIRECTION: u64 = 4;

/// The type of a lane, and how many a vector has.
unsafe fn lane(ty: LLVMTypeRef) -> (LLVMTypeRef, Option<u32>) {
    // SAFETY: of a live type.
    unsafe {
        match LLVMGetTypeKind(ty) {
            LLVMTypeKind::LLVMVectorTypeKind => {
                (LLVMGetElementType(ty), Some(LLVMGetVectorSize(ty)))
            }
            _ => (ty, None),
        }
    }
}

unsafe fn is(value: LLVMValueRef, opcode: LLVMOpcode) -> bool {
    // SAFETY: of a live value; only instructions have opcodes.
    unsafe { !LLVMIsAInstruction(value).is_null() && LLVMGetInstructionOpcode(value) == opcode }
}

/// Whether a value is the absolute value of another, or is it: LLVM drops `fabs` of what has no sign.
unsafe fn is_size(size: LLVMValueRef, of: LLVMValueRef) -> bool {
    // SAFETY: of live values, one a call where it is taken for one.
    unsafe {
        let is_fabs =
            is(size, LLVMOpcode::LLVMCall) && called_name(size).starts_with(b"llvm.fabs.");
        size == of || is_fabs && LLVMGetOperand(size, 0) == of
    }
}

/// The constant that a value is, or that all its lanes are.
unsafe fn constant(value: LLVMValueRef) -> Option<LLVMValueRef> {
    // SAFETY: of a live value; constants are equal where their addresses are.
    unsafe {
        if LLVMIsConstant(value) == 0 {
            return None;
        }
        let Some(lanes) = lane(LLVMTypeOf(value)).1 else {
            return Some(value);
        };
        let first = LLVMGetAggregateElement(value, 0);
        let same = (0..lanes).all(|i| LLVMGetAggregateElement(value, i) == first);
        (same && !first.is_null()).then_some(first)
    }
}

unsafe fn is_power(value: LLVMValueRef, exponent: u32) -> bool {
    // SAFETY: of a live value, a constant where it is read.
    unsafe {
        let mut inexact = 0;
        constant(value).is_some_and(|value| {
            !LLVMIsAConstantFP(value).is_null()
                && LLVMConstRealGetDouble(value, &raw mut inexact) == 2_f64.powi(exponent as i32)
        })
    }
}

/// Whether a value is the least integer of so many bits, or what a narrower type keeps of it.
unsafe fn is_least(value: LLVMValueRef, bits: u32) -> bool {
    // SAFETY: of a live value, a constant of at most 64 bits where it is read.
    unsafe {
        constant(value).is_some_and(|value| {
            let least = match LLVMGetIntTypeWidth(LLVMTypeOf(value)) {
                width if width == bits => i64::MIN >> (64 - bits),
                _ => 0,
            };
            !LLVMIsAConstantInt(value).is_null() && LLVMConstIntGetSExtValue(value) == least
        })
    }
}
