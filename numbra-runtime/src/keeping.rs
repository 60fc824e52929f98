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

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use std::arch::asm;

    keeping! {
        /// For the test.
        spoils_nothing => spoils_all
    }

    extern "C" fn spoils_all() -> i32 {
        // SAFETY: it writes the registers that it says.
        unsafe {
            asm!(
                "xor ecx, ecx", "xor edx, edx", "xor esi, esi", "xor edi, edi", "xor r8d, r8d", "xor r9d, r9d",
                "xor r10d, r10d", "xor r11d, r11d",
                out("rcx") _, out("rdx") _, out("rsi") _, out("rdi") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _,
            );
        }
        7
    }

    #[test]
    fn registers_are_kept() {
        let (mut c, mut d, mut si, mut di) = (1_u64, 2_u64, 3_u64, 4_u64);
        let (mut r8, mut r9, mut r10, mut a) = (5_u64, 6_u64, 7_u64, 0_u64);
        // SAFETY: a call of the C convention, which may change less than it is said to.
        unsafe {
            asm!(
                "call {f}",
                f = sym spoils_nothing,
                inout("rax") a, inout("rcx") c, inout("rdx") d, inout("rsi") si, inout("rdi") di,
                inout("r8") r8, inout("r9") r9, inout("r10") r10,
                clobber_abi("C"),
            );
        }
        assert_eq!([c, d, si, di, r8, r9, r10], [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(a as u32, 7);
    }
}
