//! The files of the prelude, from `prelude/*.py` by `prelude/generate.py`; do not edit.

use super::PreludeFile;

/// All files.
pub const FILES: &[PreludeFile] = files![
    "cmath",
    "creation",
    "device_order",
    "devices",
    "dicts",
    "elementwise",
    "heaps",
    "iterables",
    "limits",
    "lists",
    "optionals",
    "products",
    "searches",
    "sets",
    "shapes",
    "triangles",
];
