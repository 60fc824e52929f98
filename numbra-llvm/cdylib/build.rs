//! Link options of the shared library, and the one function of C in it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=exit.c");
    cc::Build::new()
        .file("exit.c")
        .link_lib_modifier("+whole-archive")
        .compile("numbra_llvm_exit");
    // An archive of LLVM that is missing shows here and not when the library is loaded.
    println!("cargo:rustc-link-arg-cdylib=-Wl,-z,defs");
    println!("cargo:rustc-link-arg-cdylib=-Wl,--strip-all");
}
