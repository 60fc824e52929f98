//! NVIDIA's library of mathematical functions for devices, which ships as LLVM bitcode.
//!
//! It is read lazily: as `linkonce_odr` definitions, functions that a module does not call are not even parsed, and
//! linking takes one to two milliseconds instead of a hundred.

use crate::engine::LlvmError;
use llvm_sys::LLVMLinkage;
use llvm_sys::bit_reader::LLVMGetBitcodeModuleInContext2;
use llvm_sys::core::{
    LLVMCreateMemoryBufferWithMemoryRange, LLVMGetDataLayoutStr, LLVMGetFirstFunction,
    LLVMGetModuleContext, LLVMGetNextFunction, LLVMGetTarget, LLVMIsDeclaration, LLVMSetDataLayout,
    LLVMSetLinkage, LLVMSetTarget,
};
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::LLVMModuleRef;

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
pub(crate) unsafe fn link(module: LLVMModuleRef) -> Result<(), LlvmError> {
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
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use llvm_sys::LLVMTypeKind;
    use llvm_sys::core::{
        LLVMContextCreate, LLVMContextDispose, LLVMCountParamTypes, LLVMDisposeModule,
        LLVMGetIntTypeWidth, LLVMGetParamTypes, LLVMGetReturnType, LLVMGetTypeKind,
        LLVMGetValueName2, LLVMGlobalGetValueType,
    };
    use llvm_sys::prelude::LLVMTypeRef;
    use numbra_abi::CType;
    use numbra_abi::libdevice::FUNCTIONS;
    use std::collections::BTreeMap;

    /// Functions that read strings and vectors through pointers.
    const READERS: &[&str] = &["nan", "nanf", "norm", "normf", "rnorm", "rnormf"];

    fn c_type(ty: LLVMTypeRef) -> CType {
        // SAFETY: the type belongs to a live context.
        unsafe {
            match LLVMGetTypeKind(ty) {
                LLVMTypeKind::LLVMVoidTypeKind => CType::Void,
                LLVMTypeKind::LLVMFloatTypeKind => CType::F32,
                LLVMTypeKind::LLVMDoubleTypeKind => CType::F64,
                LLVMTypeKind::LLVMPointerTypeKind => CType::Ptr,
                LLVMTypeKind::LLVMIntegerTypeKind => match LLVMGetIntTypeWidth(ty) {
                    16 => CType::I16,
                    32 => CType::I32,
                    64 => CType::I64,
                    other => panic!("an integer of {other} bits"),
                },
                other => panic!("{other:?}"),
            }
        }
    }

    /// Name, result and parameters of each function of the library.
    fn functions() -> BTreeMap<String, (CType, Vec<CType>)> {
        let mut found = BTreeMap::new();
        // SAFETY: the bitcode lives for ever, and nothing of the module outlives it.
        unsafe {
            let context = LLVMContextCreate();
            let buffer = LLVMCreateMemoryBufferWithMemoryRange(
                BITCODE.as_ptr().cast(),
                BITCODE.len(),
                c"libdevice".as_ptr(),
                0,
            );
            let mut library: LLVMModuleRef = std::ptr::null_mut();
            assert_eq!(
                LLVMGetBitcodeModuleInContext2(context, buffer, &raw mut library),
                0
            );
            let mut function = LLVMGetFirstFunction(library);
            while !function.is_null() {
                let mut len = 0;
                let name = LLVMGetValueName2(function, &raw mut len);
                let name = std::slice::from_raw_parts(name.cast::<u8>(), len);
                let name = String::from_utf8_lossy(name).into_owned();
                if let Some(short) = name.strip_prefix("__nv_") {
                    let ty = LLVMGlobalGetValueType(function);
                    let count = LLVMCountParamTypes(ty) as usize;
                    let mut params = vec![std::ptr::null_mut(); count];
                    LLVMGetParamTypes(ty, params.as_mut_ptr());
                    let params = params.into_iter().map(c_type).collect();
                    let ret = c_type(LLVMGetReturnType(ty));
                    found.insert(short.to_owned(), (ret, params));
                }
                function = LLVMGetNextFunction(function);
            }
            LLVMDisposeModule(library);
            LLVMContextDispose(context);
        }
        found
    }

    /// `tools/libdevice_table.py` writes the table.
    #[test]
    fn the_table_is_the_library() {
        let mut library = functions();
        for reader in READERS {
            assert!(library.remove(*reader).is_some(), "{reader}");
        }
        let table: BTreeMap<String, (CType, Vec<CType>)> = FUNCTIONS
            .iter()
            .map(|f| {
                let mut params = f.params.to_vec();
                params.resize(f.params.len() + f.outs.len(), CType::Ptr);
                (f.name.to_owned(), (f.ret, params))
            })
            .collect();
        assert_eq!(table, library);
        assert!(FUNCTIONS.is_sorted_by_key(|f| f.qualified));
    }
}
