//! Links the LLVM 22 static archives that this crate uses, and nothing else.
//!
//! llvm-sys is built with `no-llvm-linking`: its own link line would bundle every archive of LLVM. The prefix comes from
//! `LLVM_SYS_221_PREFIX`, else from `llvm-config-22` on the PATH.

use std::path::{Path, PathBuf};
use std::process::Command;

/// LLVM components: two targets, optimiser, IR text and bitcode, object reading.
const COMPONENTS: &[&str] = &[
    "x86",
    "nvptx",
    "passes",
    "bitreader",
    "bitwriter",
    "irreader",
    "linker",
    "target",
    "analysis",
    "core",
    "object",
];

fn main() {
    println!("cargo:rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/split.cpp");
    let config = llvm_config();
    let version = run(&config, &["--version"]);
    assert!(
        version.starts_with("22."),
        "numbra-llvm needs LLVM 22, found {version}; set LLVM_SYS_221_PREFIX"
    );
    build_split(&config);
    let mut args = vec!["--link-static", "--libnames"];
    args.extend(COMPONENTS);
    let names = run(&config, &args);
    println!(
        "cargo:rustc-link-search=native={}",
        run(&config, &["--libdir"])
    );
    for name in names.split_whitespace() {
        let name = name
            .strip_prefix("lib")
            .and_then(|n| n.strip_suffix(".a"))
            .unwrap_or(name);
        println!("cargo:rustc-link-lib=static:-bundle={name}");
    }
    // Static where the system has the archive, so that the shared library needs little of the machine it runs on.
    for name in ["stdc++", "z", "zstd"] {
        let archive = run(
            Path::new("g++"),
            &[&format!("-print-file-name=lib{name}.a")],
        );
        match Path::new(&archive).parent() {
            Some(dir) if Path::new(&archive).is_absolute() => {
                println!("cargo:rustc-link-search=native={}", dir.display());
                println!("cargo:rustc-link-lib=static:-bundle={name}");
            }
            _ => println!("cargo:rustc-link-lib={name}"),
        }
    }
    println!("cargo:rustc-link-lib=m");
}

/// The part that is written against LLVM's C++ headers.
fn build_split(config: &Path) {
    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").cpp_link_stdlib(None);
    build.warnings(false).file("src/split.cpp");
    for flag in run(config, &["--cppflags"]).split_whitespace() {
        build.flag(flag);
    }
    // As LLVM itself is built: without exceptions.
    build.flag("-fno-exceptions");
    build.compile("numbra_llvm_split");
}

fn llvm_config() -> PathBuf {
    if let Some(prefix) = std::env::var_os("LLVM_SYS_221_PREFIX") {
        return PathBuf::from(prefix).join("bin/llvm-config");
    }
    ["llvm-config-22", "/usr/lib/llvm-22/bin/llvm-config"]
        .into_iter()
        .map(PathBuf::from)
        .find(|p| {
            Command::new(p)
                .arg("--version")
                .output()
                .is_ok_and(|o| o.status.success())
        })
        .expect("LLVM 22 is needed: install llvm-22-dev or set LLVM_SYS_221_PREFIX")
}

fn run(program: &Path, args: &[&str]) -> String {
    let output = Command::new(program)
        .args(args)
        .output()
        .unwrap_or_else(|e| panic!("cannot run {}: {e}", program.display()));
    assert!(
        output.status.success(),
        "{} {args:?} failed",
        program.display()
    );
    String::from_utf8(output.stdout)
        .expect("llvm-config prints text")
        .trim()
        .to_owned()
}
