//! Compiles C sources, once for each instruction set.

use std::path::Path;

/// Name in our symbols, name in SLEEF's sources, lanes of doubles, what the compiler may use.
const SETS: &[(&str, &str, &str, &[&str])] = &[
    ("scalar", "PURECFMA_SCALAR", "1", &["-mavx2", "-mfma"]),
    ("x128", "AVX2128", "2", &["-mavx2", "-mfma"]),
    ("x256", "AVX2", "4", &["-mavx2", "-mfma"]),
    ("x512", "AVX512F", "8", &["-march=x86-64-v4"]),
];

/// Tables of Arm's Optimized Routines.
const ARM_TABLES: &[&str] = &["exp", "log", "log2", "pow_log"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=sleef");
    println!("cargo:rerun-if-changed=arm");
    println!("cargo:rerun-if-changed=own");
    // Elsewhere the platform's library is the only one: see `level`.
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() != Ok("x86_64") {
        return;
    }
    for (isa, sleef, lanes, flags) in SETS {
        let mut build = compiler();
        for flag in *flags {
            build.flag(flag);
        }
        let mut own = build.clone();
        own.define("NUMBRA_ISA", *isa)
            .define("LANES", *lanes)
            .define("HAVE_FAST_FMA", "1")
            .include("arm")
            .include("own")
            .file("own/double.c")
            .file("own/single.c")
            .file("own/double_circular.c")
            .file("own/double_hyperbolic.c")
            .file("own/single_hyperbolic.c")
            .file("own/double_error.c")
            .file("own/double_inverse.c")
            .file("own/single_error.c")
            .file("own/double_gamma.c")
            .file("own/single_gamma.c")
            .file("own/remainder.c")
            .compile(&format!("numbra_own_{isa}"));
        for dir in ["arch", "common", "libm", "numbra"] {
            build.include(Path::new("sleef").join(dir));
        }
        build
            .define("NUMBRA_ISA", *isa)
            .define(&format!("ENABLE_{sleef}"), "1")
            .define("ENABLE_BUILTIN_MATH", "1")
            .flag("-include")
            .flag("sleef/numbra/names.h");
        build
            .file("sleef/numbra/double.c")
            .file("sleef/numbra/single.c")
            .compile(&format!("numbra_sleef_{isa}"));
    }
    let mut tables = compiler();
    tables.define("HAVE_FAST_FMA", "1").include("arm");
    for name in ARM_TABLES {
        tables.file(format!("arm/{name}_data.c"));
    }
    tables
        .file("own/tables.c")
        .file("own/gamma_tables.c")
        .compile("numbra_own_tables");
    compiler()
        .include("sleef/common")
        .include("sleef/numbra")
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
    build
}
