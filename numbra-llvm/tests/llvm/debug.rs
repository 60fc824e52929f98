//! What code says about its source: inlining keeps it, LLVM takes it, and NVIDIA's assembler makes tables of it.

use crate::ptx::ptxas;
use numbra_lir::artifact::CpuLevel;
use numbra_lir::text::{Form, canonical, from_json, parse, print, to_json};
use numbra_lir::verify::{Phase, verify};
use numbra_lir::{DebugInfo, DebugType, Encoding, EntityRef, Member, Module};
use numbra_llvm::{OptLevel, Target, assembly, emit};
use numbra_opt::DEVICE;
use object::{Object, ObjectSection};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A kernel around the code of a function of `/src/a.py`, which calls library code of another file and one more function.
const SOURCE: &str = r#"
module "a"
debug full
file 0 ""
file 1 "/src/a.py"
file 2 "/library/sum.py"

function local @other(i64) -> (i64) inline_never @ file1 10:0-10:0 {
  debug "{\"name\":\"other\",\"line\":11,\"variables\":[]}"
block0(v0: i64):
  v1 = iadd v0, v0 @ file1 12:4-12:9 !bc2
  return v1 @ file1 12:4-12:9 !bc4
}

function local @library(i64) -> (i64) inline_always @ file2 1:0-1:0 {
block0(v0: i64):
  v1 = imul v0, v0 @ file2 2:0-2:9 !prelude
  return v1 @ file2 2:0-2:9 !prelude
}

function local @body(ptr, i64) inline_always @ file1 3:0-3:0 {
  slot0 = slot 8 align 8
  debug "{\"name\":\"f\",\"line\":4,\"variables\":[{\"name\":\"n\",\"ty\":{\"Base\":{\"name\":\"int64\",\"encoding\":\"Signed\",\"bits\":64}},\"slot\":0,\"parameter\":1,\"line\":3}]}"
block0(v0: ptr, v1: i64):
  v2 = slot_addr slot0 @ file1 3:0-3:0 !bc0
  store v2, v1 stack align 8 volatile @ file1 3:0-3:0 !bc0
  v3 = call @library(v1) @ file1 5:8-5:20 !bc2
  v4 = call @other(v3) @ file1 6:8-6:20 !bc4
  store v0, v4 array align 8 @ file1 7:4-7:9 !bc6
  return @ file1 8:4-8:10 !bc8
}

function kernel @entry(ptr, i64) @ file1 3:0-3:0 {
block0(v0: ptr, v1: i64):
  call @body(v0, v1) @ file1 3:0-3:0 !compiler
  return @ file1 3:0-3:0 !compiler
}
"#;

fn module(debug: DebugInfo) -> Module {
    let mut module = parse(SOURCE).unwrap_or_else(|e| panic!("{e}"));
    module.debug = debug;
    DEVICE.run(&mut module);
    verify(&module, Phase::Placed).unwrap_or_else(|e| panic!("{e:?}"));
    module
}

/// The body of the function of a name.
fn described<'a>(module: &'a Module, name: &str) -> Option<&'a str> {
    let decl = module.functions.values().find(|f| f.name == name)?;
    let debug = decl.body.as_ref()?.debug.as_ref()?;
    Some(&debug.name)
}

#[test]
fn entries_are_what_they_inline() {
    let module = module(DebugInfo::Full);
    assert_eq!(described(&module, "entry"), Some("f"));
    assert_eq!(described(&module, "other"), Some("other"));
    let text = emit(&module, &Target::gpu(80).unwrap()).unwrap();
    assert_eq!(text.matches("distinct !DISubprogram").count(), 2, "{text}");
    assert!(text.contains("name: \"f\", scope"), "{text}");
    assert!(text.contains("linkageName: \"entry\""), "{text}");
    assert!(
        text.contains("call void @\"llvm.dbg.declare\"(metadata ptr %slot0, "),
        "{text}"
    );
    // Library code stands at its call, argument set-up at the `def`; neither is in another file.
    let line = |n: u32| format!("line: {n}, scope");
    assert!(text.contains(&line(5)) && text.contains(&line(4)), "{text}");
    assert!(
        !text.contains(&line(3)) && !text.contains("sum.py"),
        "{text}"
    );
}

#[test]
fn texts_carry_what_debuggers_are_told() {
    for debug in [DebugInfo::Lines, DebugInfo::Full] {
        let module = module(debug);
        let read = parse(&print(&module, Form::Lossless)).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(read, canonical(&module));
        assert_eq!(from_json(&to_json(&module).unwrap()).unwrap(), module);
    }
    let wrong = SOURCE.replace("\\\"slot\\\":0", "\\\"slot\\\":1");
    assert!(parse(&wrong).unwrap_err().to_string().contains("slot"));
    assert!(parse(&SOURCE.replace("debug full", "debug some")).is_err());
    assert!(parse(&SOURCE.replace("{\\\"name\\\":\\\"other", "{\\\"nam\\\":\\\"other")).is_err());
}

#[test]
fn variables_are_in_slots_that_exist() {
    let mut module = module(DebugInfo::Full);
    let entry = module.functions.values_mut().find(|f| f.name == "entry");
    let body = entry.unwrap().body.as_mut().unwrap();
    body.debug.as_mut().unwrap().variables[0].slot = EntityRef::new(7);
    let errors = verify(&module, Phase::Placed).unwrap_err();
    assert!(errors[0].to_string().contains("the variable `n`"));
    assert!(from_json(&to_json(&module).unwrap()).is_err());
}

#[test]
fn nothing_is_said_unless_asked_for() {
    for target in ["sm_80", "x86-64-v3"] {
        let target: Target = target.parse().unwrap();
        let text = emit(&module(DebugInfo::None), &target).unwrap();
        assert!(!text.contains("!dbg") && !text.contains("!DI"), "{text}");
    }
}

/// Sizes of the sections of the assembler's output, by name.
fn sections(ptx: &str, sm: u32, flag: &str) -> Vec<(String, u64)> {
    // Tests that run side by side have folders of their own.
    static FOLDERS: AtomicU32 = AtomicU32::new(0);
    let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
    let name = format!("numbra-debug-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let (source, image) = (folder.join("a.ptx"), folder.join("a.cubin"));
    std::fs::write(&source, ptx).unwrap();
    let ran = Command::new(ptxas())
        .args([flag, &format!("-arch=sm_{sm}"), "-o"])
        .args([&image, &source])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success(), "{said}\n{ptx}");
    let bytes = std::fs::read(&image).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let file = object::read::elf::ElfFile64::<object::Endianness>::parse(&*bytes).unwrap();
    let all = file.sections();
    all.map(|s| (s.name().unwrap_or_default().to_owned(), s.size()))
        .collect()
}

#[test]
fn assembled() {
    for sm in [75, 80, 90, 100] {
        for level in [OptLevel::O0, OptLevel::O3] {
            for (debug, flag) in [(DebugInfo::Lines, "-lineinfo"), (DebugInfo::Full, "-g")] {
                let target = Target::gpu(sm).unwrap();
                let ptx = assembly(&module(debug), &target, level).unwrap();
                let full = debug == DebugInfo::Full;
                assert_eq!(
                    ptx.contains(&format!(".target sm_{sm}, debug")),
                    full,
                    "{ptx}"
                );
                assert!(
                    ptx.contains(".file\t1 \"/src/a.py\""),
                    "sm_{sm} {debug:?}\n{ptx}"
                );
                let found = sections(&ptx, sm, flag);
                let size = |name: &str| found.iter().find(|s| s.0 == name).map_or(0, |s| s.1);
                assert!(size(".debug_line") > 40, "{found:?}");
                assert_eq!(size(".debug_info") > 100, full, "{found:?}");
            }
        }
    }
}

#[test]
fn every_kind_of_type() {
    let base = |name: &str, encoding, bits| DebugType::Base {
        name: name.to_owned(),
        encoding,
        bits,
    };
    let number = base("int32", Encoding::Signed, 32);
    let structure = DebugType::structure(
        "pair \"of\" things".to_owned(),
        vec![
            ("a".to_owned(), base("bool", Encoding::Boolean, 8)),
            ("b".to_owned(), base("float64", Encoding::Float, 64)),
            ("c".to_owned(), DebugType::Pointer(Box::new(number.clone()))),
            (
                "d".to_owned(),
                DebugType::Array {
                    name: "three".to_owned(),
                    item: Box::new(base("uint16", Encoding::Unsigned, 16)),
                    count: 3,
                },
            ),
        ],
    );
    assert_eq!((structure.size(), structure.align()), (32, 8));
    let union = DebugType::Union {
        name: "either".to_owned(),
        members: vec![
            Member {
                name: "_number".to_owned(),
                offset: 0,
                ty: number,
            },
            Member {
                name: "_pair".to_owned(),
                offset: 0,
                ty: structure,
            },
        ],
    };
    assert_eq!((union.size(), union.align(), union.depth()), (32, 8, 4));
    let mut module = module(DebugInfo::Full);
    let entry = module.functions.values_mut().find(|f| f.name == "entry");
    let body = entry.unwrap().body.as_mut().unwrap();
    let variable = &mut body.debug.as_mut().unwrap().variables[0];
    body.slots[variable.slot].size = 32;
    variable.ty = union;
    variable.name = "odd \"name\"".to_owned();
    for sm in [75, 90] {
        let target = Target::gpu(sm).unwrap();
        let ptx = assembly(&module, &target, OptLevel::O0).unwrap();
        let found = sections(&ptx, sm, "-g");
        assert!(
            found.iter().any(|s| s.0 == ".debug_info" && s.1 > 200),
            "{found:?}"
        );
    }
    let cpu = Target::level(CpuLevel::V3);
    let text = emit(&module, &cpu).unwrap();
    assert!(text.contains("tag: DW_TAG_union_type"), "{text}");
}
