//! Natives that keep registers: what compiled code calls where hardly anything ever happens.

/// A native of no arguments that gives a status or a number, as the function `$body` does, and keeps all general registers but
/// `rax` and `r11`: LLVM's convention `preserve_most`. A loop that may come to call it then holds in registers what it would
/// have to save around another call.
macro_rules! keeping {
    ($(#[$doc:meta])* $name:ident => $body:ident) => {
        $(#[$doc])*
        #[cfg(target_arch = "x86_64")]
        // SAFETY: what is pushed is popped in the opposite order. 7 words and the address of the caller make the stack as even
        // as a call wants it. `$body` is of the C convention, which keeps all other general registers but `rax` and `r11`, and
        // does not unwind.
        #[unsafe(naked)]
        pub(crate) extern "C" fn $name() -> i32 {
            std::arch::naked_asm!(
                ".cfi_startproc",
                "push rcx",
                "push rdx",
                "push rsi",
                "push rdi",
                "push r8",
                "push r9",
                "push r10",
                ".cfi_def_cfa_offset 64",
                "call {body}",
                "pop r10",
                "pop r9",
                "pop r8",
                "pop rdi",
                "pop rsi",
                "pop rdx",
                "pop rcx",
                ".cfi_def_cfa_offset 8",
                "ret",
                ".cfi_endproc",
                body = sym $body,
            )
        }
        $(#[$doc])*
        #[cfg(not(target_arch = "x86_64"))]
        pub(crate) extern "C" fn $name() -> i32 {
            $body()
        }
    };
}
pub(crate) use keeping;
