//! Target descriptions, built once for each set of options.

use crate::cranelift::{CodegenError, OptLevel, Options};
use cranelift_codegen::isa::{self, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use numbra_lir::artifact::CpuLevel;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The target description for these options.
pub(super) fn target(options: &Options) -> Result<OwnedTargetIsa, CodegenError> {
    static BUILT: OnceLock<Mutex<FxHashMap<Options, OwnedTargetIsa>>> = OnceLock::new();
    let built = BUILT.get_or_init(Mutex::default);
    let mut built = built.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(isa) = built.get(options) {
        return Ok(isa.clone());
    }
    let isa = build(options).map_err(|what| CodegenError::Internal {
        function: String::new(),
        what,
    })?;
    built.insert(options.clone(), isa.clone());
    Ok(isa)
}

/// A target description of this machine for what only places code.
pub(crate) fn host_isa() -> Result<OwnedTargetIsa, CodegenError> {
    target(&Options::default())
}

fn build(options: &Options) -> Result<OwnedTargetIsa, String> {
    let mut shared = settings::builder();
    let opt = match options.opt {
        OptLevel::None => "none",
        OptLevel::Speed => "speed",
    };
    let flag = |on: bool| if on { "true" } else { "false" };
    for (name, value) in [
        ("opt_level", opt),
        ("regalloc_algorithm", "backtracking"),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "true"),
        ("enable_verifier", flag(options.verify)),
        ("preserve_frame_pointers", flag(options.frame_pointers)),
        ("enable_llvm_abi_extensions", "true"),
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
        ("machine_code_cfg_info", "true"),
        ("unwind_info", "false"),
    ] {
        shared
            .set(name, value)
            .map_err(|e| format!("{name}: {e}"))?;
    }
    let mut target = isa::lookup_by_name("x86_64-unknown-linux-gnu").map_err(|e| e.to_string())?;
    for level in CpuLevel::ALL.into_iter().filter(|&l| l <= options.cpu) {
        for name in features(level) {
            target.enable(name).map_err(|e| format!("{name}: {e}"))?;
        }
    }
    target
        .finish(settings::Flags::new(shared))
        .map_err(|e| e.to_string())
}

/// What a level adds to the one below.
fn features(level: CpuLevel) -> &'static [&'static str] {
    match level {
        CpuLevel::V1 => &[],
        CpuLevel::V2 => &[
            "has_sse3",
            "has_ssse3",
            "has_cmpxchg16b",
            "has_sse41",
            "has_sse42",
            "has_popcnt",
        ],
        CpuLevel::V3 => &[
            "has_avx",
            "has_avx2",
            "has_fma",
            "has_bmi1",
            "has_bmi2",
            "has_lzcnt",
        ],
        CpuLevel::V4 => &["has_avx512dq", "has_avx512f", "has_avx512vl"],
        CpuLevel::IceLake => &["has_avx512bitalg", "has_avx512vbmi"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_a_target() {
        for cpu in CpuLevel::ALL {
            for opt in [OptLevel::None, OptLevel::Speed] {
                let options = Options {
                    opt,
                    cpu,
                    ..Options::default()
                };
                assert!(target(&options).is_ok(), "{cpu} {opt:?}");
            }
        }
    }
}
