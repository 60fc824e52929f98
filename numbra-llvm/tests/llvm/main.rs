//! Code of LLVM: one test binary, since linking LLVM is heavy.

mod filetests;
mod golden;
mod ptx;
