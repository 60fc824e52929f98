//! Code of LLVM: one test binary, since linking LLVM is heavy.

mod debug;
mod filetests;
mod golden;
mod ptx;
