//! Bodies that are cut.

use super::{FrameLayout, split_generator};
use crate::HOST;
use numbra_lir::text::{Form, parse, print};
use numbra_lir::verify::{Phase, verify};
use numbra_lir::{Block, Linkage};

/// Cuts the only function of a module at the blocks of these names.
fn cut(text: &str, resumes: &[u32]) -> (String, FrameLayout) {
    let mut module = parse(text).expect("the text is LIR");
    let id = module.functions.keys().next().expect("a function");
    let mut func = module.functions[id].body.take().expect("a body");
    let resumes: Vec<Block> = resumes.iter().map(|&n| Block::from_u32(n)).collect();
    let layout = split_generator(&mut func, &module, &resumes).expect("it is cut");
    module.functions[id].sig = func.sig.clone();
    module.functions[id].body = Some(func);
    module.functions[id].linkage = Linkage::Export;
    verify(&module, Phase::Built).expect("a function as any other");
    let step = print(&module, Form::Plain);
    HOST.run_verified(&mut module).expect("passes keep it so");
    (step, layout)
}

#[test]
fn a_counter_keeps_what_it_needs() {
    let text = "module \"m\"

function export @g(i64) -> (i64, i1, i1) raises {
block0(v0: i64):
  v1: i64 = iconst 0
  jump block1(v1)
block1(v2: i64):
  v3 = icmp slt v2, v0
  brif v3, block2, block4
block2:
  jump block3(v2)
block3(v4: i64):
  v5: i64 = iconst 1
  v6 = iadd v2, v5
  jump block1(v6)
block4:
  v7: i64 = iconst 0
  v8: i1 = iconst 0
  return v7, v8, v8
}
";
    let (step, layout) = cut(text, &[3]);
    assert_eq!((layout.size, layout.refs), (40, 0));
    assert_eq!(layout.params, [24]);
    assert!(step.contains("switch"), "{step}");
    assert_eq!(step.matches("@numbra_rt_frame_clear").count(), 1, "{step}");
    assert!(!step.contains("@numbra_rt_ref_set"), "{step}");
}

#[test]
fn a_pointer_takes_its_reference_along() {
    let text = "module \"m\"

function export @g(i64) -> (i64, i1, i1) raises {
block0(v0: i64):
  v1: i64 = iconst 8
  v2 = call_native @numbra_rt_alloc(v0, v1)
  v3: ptr = ref_to_ptr v2
  v4: ptr = load v3+24 header align 8
  jump block1
block1:
  v5: i64 = load v4 array align 8
  jump block2(v5)
block2(v6: i64):
  jump block1
}
";
    let (step, layout) = cut(text, &[2]);
    // State, step, number of references; the reference, the parameter, the pointer.
    assert_eq!((layout.size, layout.refs), (48, 1));
    assert_eq!(step.matches("@numbra_rt_ref_set").count(), 1, "{step}");
}

#[test]
fn memory_that_is_needed_behind_a_yield_is_in_the_frame() {
    let text = "module \"m\"

function export @g(i64) -> (i64, i1, i1) raises {
  slot0 = slot 16 align 8
  slot1 = slot 8 align 8
block0(v0: i64):
  v1 = slot_addr slot0
  v2 = ptr_add v1, v0
  store v2, v0 stack align 8
  v3 = slot_addr slot1
  v4 = ptr_add v3, v0
  store v4, v0 stack align 8
  v5: i64 = load v4 stack align 8
  jump block1(v5)
block1(v6: i64):
  v7: i64 = load v2 stack align 8
  jump block2(v7)
block2(v8: i64):
  v9: i1 = iconst 0
  v10: i64 = iconst 0
  return v10, v9, v9
}
";
    let (step, layout) = cut(text, &[1, 2]);
    assert!(layout.size >= 24 + 8 + 8 + 16, "{layout:?}");
    assert_eq!(step.matches("slot0 =").count(), 1, "{step}");
    assert_eq!(step.matches("slot1 =").count(), 0, "{step}");
}
