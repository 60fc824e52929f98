//! Loops compiled for the vectors that the processor has.

/// Runs a loop as compiled for the widest vectors of this processor. The loop has to be small enough to be inlined.
#[inline(always)]
pub(crate) fn widest<R>(run: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        /// # Safety
        /// The processor has AVX-512.
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        unsafe fn avx512<R>(run: impl FnOnce() -> R) -> R {
            run()
        }
        /// # Safety
        /// The processor has AVX2.
        #[target_feature(enable = "avx2")]
        unsafe fn avx2<R>(run: impl FnOnce() -> R) -> R {
            run()
        }
        if std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512vl")
        {
            // SAFETY: the processor has these.
            return unsafe { avx512(run) };
        }
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { avx2(run) };
        }
    }
    run()
}
