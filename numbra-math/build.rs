//! Compiles SLEEF's sources, once for each instruction set.

use std::path::Path;

/// Name in our symbols, name in SLEEF's sources, what the compiler may use.
const SETS: &[(&str, &str, &[&str])] = &[
    ("scalar", "PURECFMA_SCALAR", &["-mavx2", "-mfma"]),
    ("x128", "AVX2128", &["-mavx2", "-mfma"]),
    ("x256", "AVX2", &["-mavx2", "-mfma"]),
    ("x512", "AVX512F", &["-mavx512f", "-mfma"]),
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=sleef");
    // Elsewhere the platform's library is the only one: see `level`.
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() != Ok("x86_64") {
        return;
    }
    for (isa, sleef, flags) in SETS {
        let mut build = compiler();
        build
            .define("NUMBRA_ISA", *isa)
            .define(&format!("ENABLE_{sleef}"), "1")
            .define("ENABLE_BUILTIN_MATH", "1")
            .flag("-include")
            .flag("sleef/numbra/names.h");
        for flag in *flags {
            build.flag(flag);
        }
        build
            .file("sleef/numbra/double.c")
            .file("sleef/numbra/single.c")
            .compile(&format!("numbra_sleef_{isa}"));
    }
    compiler()
        .file("sleef/libm/rempitab.c")
        .file("sleef/common/common.c")
        .compile("numbra_sleef_tables");
}

/// The C compiler with what decides bits: SLEEF asks for `-ffp-contract=off`, and the same code serves all profiles.
fn compiler() -> cc::Build {
    let mut build = cc::Build::new();
    build
        .std("gnu99")
        .opt_level(2)
        .debug(false)
        .warnings(false)
        .flag("-ffp-contract=off")
        .flag("-fno-math-errno")
        .flag("-fno-trapping-math");
    for dir in ["arch", "common", "libm", "numbra"] {
        build.include(Path::new("sleef").join(dir));
    }
    build
}
