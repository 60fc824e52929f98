//! Link options of the shared library.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // An archive of LLVM that is missing shows here and not when the library is loaded.
    println!("cargo:rustc-link-arg-cdylib=-Wl,-z,defs");
    println!("cargo:rustc-link-arg-cdylib=-Wl,--strip-all");
}
