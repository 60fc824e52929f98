//! Passes the interpreter's version to `cfg`: `Py_3_12` and the like, as pyo3 names them.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
