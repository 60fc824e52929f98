//! Every filetest of LIR as PTX, assembled by NVIDIA's `ptxas`.

use crate::filetests::{directories, files};
use numbra_lir::text::parse;
use numbra_lir::{FuncRef, InstKind, Module};
use numbra_llvm::{Error, OptLevel, Target, assembly};
use numbra_opt::HOST;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compute capabilities: the oldest that the assembler knows, and one of each generation since.
const GPUS: [u32; 4] = [75, 80, 90, 100];

/// The assembler: `NUMBRA_PTXAS`, else from the wheel that `setup.sh` installs into `.venv`.
pub(crate) fn ptxas() -> PathBuf {
    if let Some(path) = std::env::var_os("NUMBRA_PTXAS") {
        return PathBuf::from(path);
    }
    let lib = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.venv/lib");
    let pythons = std::fs::read_dir(&lib).into_iter().flatten().flatten();
    pythons
        .map(|python| python.path().join("site-packages/nvidia/cu13/bin/ptxas"))
        .find(|path| path.exists())
        .expect("no ptxas: ./setup.sh installs it into .venv, or set NUMBRA_PTXAS to its path")
}

/// The optimised modules of all files but those of verifier and passes, with names that are unique over all of them.
fn modules() -> Vec<(String, Module)> {
    let mut out = Vec::new();
    let gpu = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests/gpu");
    let folders = directories().chain([gpu]);
    for (name, text) in folders.flat_map(|folder| files(&folder)) {
        let (first, source) = text.split_once('\n').unwrap_or_default();
        if first != "test run" && !first.contains("sm_") {
            continue;
        }
        let source = source.split("---- expected").next().unwrap_or_default();
        let mut module = parse(source).unwrap_or_else(|e| panic!("{name}: {e}"));
        HOST.run_verified(&mut module)
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        let stem = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        for decl in module.functions.values_mut() {
            decl.name = format!("{stem}_{}", decl.name);
        }
        for data in module.data.values_mut() {
            data.name = format!("{stem}_{}", data.name);
            for (_, symbol) in &mut data.relocs {
                *symbol = format!("{stem}_{symbol}");
            }
        }
        out.push((name, module));
    }
    out
}

/// The module with the body of one function, if it needs no other.
fn alone(module: &Module, func: FuncRef) -> Option<Module> {
    let mut module = module.clone();
    let body = module.functions[func].body.as_ref()?;
    let calls = body.insts.values().any(|inst| {
        matches!(
            inst.kind,
            InstKind::Call { .. } | InstKind::FuncAddr(_) | InstKind::DataAddr(_)
        )
    });
    let kept = module.functions[func].clone();
    module.functions.clear();
    module.data.clear();
    module.functions.push(kept);
    (!calls).then_some(module)
}

/// One PTX file of all functions that a GPU has.
struct Ptx {
    header: String,
    declared: BTreeSet<String>,
    text: String,
    functions: usize,
    /// Modules and functions that no GPU has, with the reason.
    without: Vec<String>,
}

impl Ptx {
    fn new(modules: &[(String, Module)], sm: u32) -> Ptx {
        let target = Target::gpu(sm).expect("a known compute capability");
        let mut ptx = Ptx {
            header: String::new(),
            declared: BTreeSet::new(),
            text: String::new(),
            functions: 0,
            without: Vec::new(),
        };
        for (name, module) in modules {
            if ptx.add(name, module, &target) {
                continue;
            }
            for func in module.functions.keys() {
                if let Some(module) = alone(module, func) {
                    let what = format!(
                        "{name} @{}",
                        module
                            .functions
                            .values()
                            .next()
                            .map_or("", |f| f.name.as_str())
                    );
                    ptx.add(&what, &module, &target);
                }
            }
        }
        ptx
    }

    fn add(&mut self, name: &str, module: &Module, target: &Target) -> bool {
        let text = match assembly(module, target, OptLevel::O3) {
            Ok(text) => text,
            Err(Error::Unsupported(what)) => {
                self.without.push(format!("{name}: {what}"));
                return false;
            }
            Err(error) => panic!("{name}, {}: {error}", target.cpu()),
        };
        let at = text.find(".address_size").expect("PTX has a header");
        let end = at + text[at..].find('\n').expect("the header has lines");
        text[..end].clone_into(&mut self.header);
        // Device functions that several modules declare are declared once.
        for part in text[end..].split_inclusive(";\n") {
            let declared = part.find(".extern .func").map(|at| &part[at..]);
            match declared {
                Some(declaration) if !self.declared.insert(declaration.to_owned()) => {}
                _ => self.text.push_str(part),
            }
        }
        self.functions += module.functions.len();
        true
    }
}

fn assemble(ptxas: &Path, sm: u32, text: &str) -> Result<(), String> {
    let directory = std::env::temp_dir().join(format!("numbra-ptx-{}-{sm}", std::process::id()));
    std::fs::create_dir_all(&directory).map_err(|e| e.to_string())?;
    let (source, object) = (directory.join("all.ptx"), directory.join("all.o"));
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    // Not linked: mathematical functions are those of libdevice.
    let run = Command::new(ptxas)
        .args(["-c", "-O1", "-arch"])
        .arg(format!("sm_{sm}"))
        .arg(&source)
        .arg("-o")
        .arg(&object)
        .output()
        .map_err(|e| format!("{}: {e}", ptxas.display()))?;
    let made = object.metadata().is_ok_and(|m| m.len() > 0);
    if run.status.success() && made {
        return std::fs::remove_dir_all(&directory).map_err(|e| e.to_string());
    }
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    Err(format!("{}: {said}", source.display()))
}

#[test]
fn filetests_assemble_for_every_generation_of_gpu() {
    let ptxas = ptxas();
    let modules = modules();
    assert!(modules.len() > 50, "{} modules", modules.len());
    let half = |gpus: &[u32]| -> Vec<String> {
        let check = |&sm: &u32| {
            let ptx = Ptx::new(&modules, sm);
            println!(
                "sm_{sm}: {} functions, without {:#?}",
                ptx.functions, ptx.without
            );
            assert!(ptx.functions > 500, "{} functions", ptx.functions);
            assemble(&ptxas, sm, &format!("{}\n{}", ptx.header, ptx.text)).err()
        };
        gpus.iter().filter_map(check).collect()
    };
    let (first, second) = GPUS.split_at(GPUS.len() / 2);
    let failures = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(second));
        let mut failures = half(first);
        failures.extend(other.join().expect("the other half ends"));
        failures
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn what_no_gpu_has_is_named() {
    let source = "
function export @f(i64) -> (ref) {
block0(v0: i64):
  v1 = call_native @numbra_rt_alloc(v0, v0)
  return v1
}
";
    let module = parse(source).unwrap_or_else(|e| panic!("{e}"));
    let target = Target::gpu(80).expect("a known compute capability");
    let error = assembly(&module, &target, OptLevel::O3).expect_err("GPUs have no such function");
    let text = error.to_string();
    assert!(text.contains("numbra_rt_alloc"), "{text}");
    assert_eq!(Target::gpu(70), None);
}
