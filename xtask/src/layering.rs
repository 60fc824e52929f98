//! Which crate may depend on which, read from `cargo metadata`.
//!
//! `{base, graph} <- bytecode <- ir <- library <- {typeinfer, parallel}`; `parallel <- lower`;
//! `{base, graph, abi, math} <- lir <- {opt, llvm}`; `graph <- {lower, llvm}`;
//! `opt <- lower`; all of them but llvm `<- driver <- py`; `cuda-shim <- cuda <- py`;
//! `abi <- {library, runtime, lower, llvm, driver, py}`; `abi <- math <- {runtime, lir}`;
//! `memory <- {linalg, fourier} <- runtime`; `memory <- {runtime, py}`; no compiler crate links the runtime, which implements
//! what `abi` declares.
//! An arrow lets a crate use all that stands before it in the chain.
//! A new edge is a design decision, made in its own commit together with this table.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

use crate::source_tree::SourceTree;
use crate::tidy::Findings;

/// What a crate may depend on in the workspace.
struct Layer {
    krate: &'static str,
    /// Normal and build dependencies.
    uses: &'static [&'static str],
    /// Further crates that its tests may use.
    tests_use: &'static [&'static str],
}

/// Crates from outside that the runtime may use: every program loads it. corosensei, a switch of stacks, is for kernels on the
/// CPU; unicode-ident and unicode-properties, tables without a dependency, say what names are made of and what is a letter.
const RUNTIME: &[&str] = &[
    "corosensei",
    "libc",
    "smallvec",
    "unicode-ident",
    "unicode-properties",
];

const LAYERS: &[Layer] = &[
    Layer {
        krate: "numbra-base",
        uses: &[],
        tests_use: &[],
    },
    Layer {
        krate: "numbra-abi",
        uses: &[],
        tests_use: &[],
    },
    Layer {
        krate: "numbra-graph",
        uses: &[],
        tests_use: &[],
    },
    Layer {
        krate: "numbra-math",
        uses: &["numbra-abi"],
        tests_use: &[],
    },
    Layer {
        krate: "numbra-bytecode",
        uses: &["numbra-base", "numbra-graph"],
        tests_use: &[],
    },
    Layer {
        krate: "numbra-ir",
        uses: &["numbra-base", "numbra-graph", "numbra-bytecode"],
        tests_use: &["numbra-testing"],
    },
    Layer {
        krate: "numbra-library",
        uses: &["numbra-base", "numbra-abi", "numbra-bytecode", "numbra-ir"],
        tests_use: &[],
    },
    Layer {
        krate: "numbra-typeinfer",
        uses: &[
            "numbra-base",
            "numbra-bytecode",
            "numbra-ir",
            "numbra-library",
        ],
        tests_use: &["numbra-testing"],
    },
    Layer {
        krate: "numbra-memory",
        uses: &[],
        tests_use: &[],
    },
    Layer {
        krate: "numbra-linalg",
        uses: &["numbra-memory"],
        tests_use: &[],
    },
    Layer {
        krate: "numbra-fourier",
        uses: &["numbra-memory"],
        tests_use: &[],
    },
    Layer {
        krate: "numbra-runtime",
        uses: &[
            "numbra-abi",
            "numbra-math",
            "numbra-memory",
            "numbra-linalg",
            "numbra-fourier",
        ],
        tests_use: &[],
    },
    // Which loops run in parallel is decided on the typed program, before lowering and without LIR.
    Layer {
        krate: "numbra-parallel",
        uses: &["numbra-base", "numbra-ir", "numbra-library"],
        tests_use: &["numbra-testing"],
    },
    // LIR and its passes know nothing of Python, of Numba IR and of the library.
    Layer {
        krate: "numbra-lir",
        uses: &["numbra-base", "numbra-graph", "numbra-abi", "numbra-math"],
        tests_use: &["numbra-testing"],
    },
    Layer {
        krate: "numbra-opt",
        uses: &["numbra-base", "numbra-abi", "numbra-lir"],
        tests_use: &["numbra-testing"],
    },
    Layer {
        krate: "numbra-lower",
        uses: &[
            "numbra-base",
            "numbra-graph",
            "numbra-abi",
            "numbra-bytecode",
            "numbra-ir",
            "numbra-library",
            "numbra-parallel",
            "numbra-lir",
            "numbra-opt",
        ],
        // Compiled code calls the runtime, so running it in a test needs one.
        tests_use: &["numbra-runtime", "numbra-testing"],
    },
    Layer {
        krate: "numbra-llvm",
        uses: &["numbra-base", "numbra-graph", "numbra-abi", "numbra-lir"],
        tests_use: &["numbra-lower", "numbra-opt", "numbra-testing"],
    },
    Layer {
        krate: "numbra-llvm-cdylib",
        uses: &["numbra-llvm", "numbra-abi", "numbra-lir"],
        tests_use: &[],
    },
    // Stands in for a crate of this name from outside; cust alone uses it.
    Layer {
        krate: "find_cuda_helper",
        uses: &[],
        tests_use: &[],
    },
    Layer {
        krate: "numbra-cuda-shim",
        uses: &[],
        tests_use: &[],
    },
    Layer {
        krate: "numbra-cuda",
        uses: &["numbra-base", "numbra-abi", "numbra-cuda-shim"],
        tests_use: &[],
    },
    Layer {
        krate: "numbra-driver",
        uses: BELOW_DRIVER,
        tests_use: &["numbra-llvm", "numbra-testing"],
    },
    Layer {
        krate: "numbra-py",
        uses: BELOW_PY,
        tests_use: &[],
    },
    // Tests alone use it: no layer lists it in `uses`.
    Layer {
        krate: "numbra-testing",
        uses: &[
            "numbra-base",
            "numbra-lir",
            "numbra-opt",
            "numbra-lower",
            "numbra-runtime",
        ],
        tests_use: &[],
    },
    Layer {
        krate: "xtask",
        uses: &[],
        tests_use: &[],
    },
];

/// The driver ties every stage together; LLVM it loads at run time, so it does not link it.
const BELOW_DRIVER: &[&str] = &[
    "numbra-base",
    "numbra-abi",
    "numbra-bytecode",
    "numbra-ir",
    "numbra-library",
    "numbra-typeinfer",
    "numbra-parallel",
    "numbra-lir",
    "numbra-opt",
    "numbra-lower",
    "numbra-runtime",
];

const BELOW_PY: &[&str] = &[
    "numbra-base",
    "numbra-memory",
    "numbra-abi",
    "numbra-bytecode",
    "numbra-ir",
    "numbra-library",
    "numbra-typeinfer",
    "numbra-parallel",
    "numbra-lir",
    "numbra-opt",
    "numbra-lower",
    "numbra-runtime",
    "numbra-cuda",
    "numbra-driver",
];

/// Dependencies from outside that one crate alone may have, by prefix of their name.
const OWNED: &[(&str, &str)] = &[
    ("pyo3", "numbra-py"),
    ("llvm-sys", "numbra-llvm"),
    ("cust", "numbra-cuda"),
    ("faer", "numbra-linalg"),
    ("rustfft", "numbra-fourier"),
    ("realfft", "numbra-fourier"),
    ("cranelift-codegen", "numbra-lower"),
    ("cranelift-frontend", "numbra-lower"),
    ("cranelift-module", "numbra-lower"),
    ("cranelift-jit", "numbra-lower"),
];

/// Dependencies that are there for the features which they choose for others: the workspace's manifest says why.
const FEATURES_ONLY: &[&str] = &[
    "bitflags",
    "once_cell",
    "serde_core",
    "proc-macro2",
    "quote",
    "syn",
];

/// Compares every manifest with the table, and the sources with the manifests.
pub(crate) fn check(tree: &SourceTree) -> Result<Findings, String> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(&tree.root)
        .output()
        .map_err(|e| format!("cargo metadata: {e}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())?;
    let packages = metadata["packages"]
        .as_array()
        .ok_or("cargo metadata lists no packages")?;
    let mut errors = breaches(packages);
    errors.extend(unused(packages, tree));
    errors.extend(machine_side(tree));
    Ok(Findings {
        errors,
        notes: Vec::new(),
    })
}

/// Dependencies that no file of their crate names. What only chooses features of other packages is said to be so.
fn unused(packages: &[Value], tree: &SourceTree) -> Vec<String> {
    let mut found = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let manifest = package["manifest_path"].as_str().unwrap_or_default();
        let root = std::path::Path::new(manifest)
            .parent()
            .and_then(|folder| folder.strip_prefix(&tree.root).ok())
            .map(|folder| format!("{}/", folder.display()))
            .unwrap_or_default();
        let texts = || {
            let files = tree.files.iter().filter(|f| f.path.ends_with(".rs"));
            files.filter(|f| f.path.starts_with(&root)).map(|f| &f.text)
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let on = dependency["name"].as_str().unwrap_or_default();
            let rename = dependency["rename"].as_str().unwrap_or(on);
            if FEATURES_ONLY.contains(&on) {
                continue;
            }
            let word = rename.replace('-', "_");
            if !texts().any(|text| names(text, &word)) {
                found.push(format!("{name} -> {on}: no file of it names this"));
            }
        }
    }
    found
}

/// True if the word stands in the text by itself.
fn names(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(part) && !after.starts_with(part)
    })
}

/// Cranelift and the loader know LIR, and nothing that comes before it.
fn machine_side(tree: &SourceTree) -> Vec<String> {
    let folders = ["numbra-lower/src/cranelift/", "numbra-lower/src/jit/"];
    let before = ["numbra_ir", "numbra_library", "lowering"];
    let mut found = Vec::new();
    for file in &tree.files {
        if folders.iter().any(|folder| file.path.starts_with(folder)) {
            let known = before.iter().filter(|word| {
                let path = format!("{word}::");
                file.text.contains(&path)
            });
            found.extend(known.map(|word| format!("{}: it names {word}", file.path)));
        }
    }
    found
}

fn breaches(packages: &[Value]) -> Vec<String> {
    let layers: BTreeMap<&str, &Layer> = LAYERS.iter().map(|layer| (layer.krate, layer)).collect();
    let mut found = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let Some(layer) = layers.get(name) else {
            found.push(format!(
                "{name}: a new crate; give it a layer in xtask/src/layering.rs"
            ));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let on = dependency["name"].as_str().unwrap_or_default();
            let for_tests = dependency["kind"].as_str() == Some("dev");
            found.extend(breach(layer, on, for_tests));
        }
    }
    found
}

/// What is wrong with one edge, if anything.
fn breach(layer: &Layer, on: &str, for_tests: bool) -> Option<String> {
    let krate = layer.krate;
    if LAYERS.iter().any(|other| other.krate == on) {
        let allowed = layer.uses.contains(&on) || (for_tests && layer.tests_use.contains(&on));
        return (!allowed).then(|| format!("{krate} -> {on}: not an edge of the design"));
    }
    let owner = OWNED
        .iter()
        .find(|(prefix, _)| on.starts_with(prefix))
        .map(|(_, owner)| *owner);
    if let Some(owner) = owner
        && owner != krate
    {
        return Some(format!("{krate} -> {on}: only {owner} may know it"));
    }
    if krate == "numbra-runtime" && !for_tests && !RUNTIME.contains(&on) {
        return Some(format!(
            "{krate} -> {on}: the runtime is loaded by every program; {} only",
            RUNTIME.join(", ")
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(krate: &'static str, on: &str, for_tests: bool) -> bool {
        let layer = LAYERS
            .iter()
            .find(|l| l.krate == krate)
            .expect("a crate of the table");
        breach(layer, on, for_tests).is_none()
    }

    #[test]
    fn the_table_has_no_cycle() {
        // Each crate stands after everything it uses, but for the shared list of the driver.
        for (at, layer) in LAYERS.iter().enumerate() {
            for on in layer.uses {
                let below = LAYERS
                    .iter()
                    .position(|l| l.krate == *on)
                    .expect("a known crate");
                assert!(below < at, "{} -> {on}", layer.krate);
            }
        }
    }

    #[test]
    fn edges() {
        assert!(edge("numbra-ir", "numbra-base", false));
        assert!(!edge("numbra-ir", "numbra-typeinfer", false));
        assert!(!edge("numbra-lower", "numbra-runtime", false));
        assert!(edge("numbra-lower", "numbra-parallel", false));
        assert!(!edge("numbra-parallel", "numbra-lir", false));
        assert!(!edge("numbra-parallel", "numbra-lower", false));
        assert!(edge("numbra-lower", "numbra-runtime", true));
        assert!(!edge("numbra-driver", "pyo3", false));
        assert!(!edge("numbra-runtime", "serde", false));
        assert!(edge("numbra-runtime", "proptest", true));
    }
}
