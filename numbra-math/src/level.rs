//! The math level: what decides the bits of results.

/// True where multiplication and addition with one rounding is an instruction: results are numbra's own.
/// The same question as `CpuLevel::has_fma` in numbra-lower, asked of this machine.
pub fn has_fma() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}
