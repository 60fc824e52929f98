//! LIR -> LLVM IR.

#[cfg(test)]
mod tests {
    #[test]
    fn links() {
        // SAFETY: creates and disposes of one context.
        unsafe {
            let c = llvm_sys::core::LLVMContextCreate();
            llvm_sys::core::LLVMContextDispose(c);
        }
    }
}
