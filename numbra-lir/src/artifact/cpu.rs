//! CPU levels: what machine code may assume of the processor.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::OnceLock;

/// A level of the x86-64 psABI. Code made for one level runs on every higher one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum CpuLevel {
    /// SSE2.
    V1,
    /// SSE4.2, POPCNT, CMPXCHG16B.
    V2,
    /// AVX2, BMI1, BMI2, FMA, LZCNT.
    V3,
    /// AVX-512 F, BW, CD, DQ, VL.
    V4,
    /// What Ice Lake, Zen 4 and later ones have besides: BITALG, IFMA, VBMI, VBMI2, VNNI,
    /// VPOPCNTDQ, and GFNI, VAES, VPCLMULQDQ.
    IceLake,
}

/// Another name of the lowest level.
const GENERIC: &str = "generic";

impl CpuLevel {
    pub const ALL: [CpuLevel; 5] = [
        CpuLevel::V1,
        CpuLevel::V2,
        CpuLevel::V3,
        CpuLevel::V4,
        CpuLevel::IceLake,
    ];

    /// The level of machine code that is made and run here: the highest that this machine has, unless the variable
    /// `NUMBA_CPU_NAME` names a lower one (`generic` is the lowest).
    pub fn host() -> CpuLevel {
        static HOST: OnceLock<CpuLevel> = OnceLock::new();
        *HOST.get_or_init(|| {
            let machine = CpuLevel::machine();
            let wanted = std::env::var("NUMBA_CPU_NAME").ok();
            let wanted = wanted.and_then(|name| CpuLevel::from_name(&name));
            wanted.map_or(machine, |wanted| wanted.min(machine))
        })
    }

    /// The level of this name; `generic` is the lowest.
    pub fn from_name(name: &str) -> Option<CpuLevel> {
        let name = name.to_ascii_lowercase();
        if name == GENERIC {
            return Some(CpuLevel::V1);
        }
        CpuLevel::ALL.into_iter().find(|level| level.name() == name)
    }

    /// What [`CpuLevel::from_name`] knows.
    pub fn names() -> Vec<&'static str> {
        let levels = CpuLevel::ALL.into_iter().map(CpuLevel::name);
        [GENERIC].into_iter().chain(levels).collect()
    }

    #[cfg(target_arch = "x86_64")]
    fn machine() -> CpuLevel {
        use std::arch::is_x86_feature_detected as has;
        if !(has!("sse4.2") && has!("popcnt") && has!("cmpxchg16b") && has!("ssse3")) {
            return CpuLevel::V1;
        }
        if !(has!("avx2") && has!("bmi1") && has!("bmi2") && has!("fma") && has!("lzcnt")) {
            return CpuLevel::V2;
        }
        let wide = has!("avx512f")
            && has!("avx512bw")
            && has!("avx512cd")
            && has!("avx512dq")
            && has!("avx512vl");
        if !wide {
            return CpuLevel::V3;
        }
        let all = has!("avx512bitalg")
            && has!("avx512ifma")
            && has!("avx512vbmi")
            && has!("avx512vbmi2")
            && has!("avx512vnni")
            && has!("avx512vpopcntdq")
            && has!("gfni")
            && has!("vaes")
            && has!("vpclmulqdq")
            && has!("sha")
            && has!("adx")
            && has!("rdseed");
        if all { CpuLevel::IceLake } else { CpuLevel::V4 }
    }

    /// The lowest level: no other processor runs x86-64 code.
    #[cfg(not(target_arch = "x86_64"))]
    fn machine() -> CpuLevel {
        CpuLevel::V1
    }

    /// `x86-64-v3`: the name LLVM knows it by.
    pub fn name(self) -> &'static str {
        match self {
            CpuLevel::V1 => "x86-64",
            CpuLevel::V2 => "x86-64-v2",
            CpuLevel::V3 => "x86-64-v3",
            CpuLevel::V4 => "x86-64-v4",
            CpuLevel::IceLake => "icelake-client",
        }
    }

    /// True if `a * b + c` with one rounding is an instruction.
    pub fn has_fma(self) -> bool {
        self >= CpuLevel::V3
    }
}

impl fmt::Display for CpuLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
