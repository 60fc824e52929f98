#!/usr/bin/env bash
# Cranelift 0.135.8, hoisting in the e-graph pass: which arm of a branch leaves a loop decides whether the loop's invariant
# values are computed in front of it or in each iteration.
#
# The optimiser walks the dominator tree in preorder with a stack of the loops around the block at hand, and puts a value
# whose operands come from outside in front of the loop. A block outside the loop may stand below one of the loop's blocks in
# that tree: the target of a branch that leaves it. Visiting that block takes the loop off the stack, and the siblings that are
# visited after it, which are in the loop, find the stack without it. The order of siblings follows the order of the arms.
#
# Below: `acc += a * b`, where the multiplication belongs in front of the loop in all five forms.
#
# Seen, with Cranelift 0.135.8 (opt_level=speed), for x86-64 and AArch64 alike:
#   test at the end: imul in front of the loop
#   return, first arm of its branch: imul in front of the loop
#   return, second arm of its branch: imul in the loop
#   test at the start, exit first: imul in front of the loop
#   test at the start, exit second: imul in the loop
#
# Fails if that changes. Needs cargo.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src"
cat > "$folder/Cargo.toml" <<'TOML'
[package]
name = "hoists"
version = "0.0.0"
edition = "2024"

[dependencies]
cranelift-codegen = { version = "=0.135.8", features = ["x86", "arm64"] }
cranelift-reader = "=0.135.8"
TOML
cat > "$folder/src/main.rs" <<'RS'
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::Opcode;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{Context, isa};

/// Adds `a * b` until the count is `n`.
fn text(blocks: &str) -> String {
    format!(
        "function %f(i64, i64, i64) -> i64 system_v {{
block0(v0: i64, v1: i64, v2: i64):
    v3 = iconst.i64 0
    jump block1(v3, v3)
{blocks}
block9:
    return v5
}}"
    )
}

const TEST_AT_THE_END: &str = "
block1(v4: i64, v5: i64):
    v8 = imul v0, v1
    v9 = iadd v5, v8
    v10 = iconst.i64 1
    v11 = iadd v4, v10
    v6 = icmp slt v11, v2
    brif v6, block1(v11, v9), block9";

/// With a return from the middle.
const RETURN: &str = "
block1(v4: i64, v5: i64):
    v7 = icmp COND v4, v0
    brif v7, ARMS
block2:
    return v4
block3:
    v8 = imul v0, v1
    v9 = iadd v5, v8
    v10 = iconst.i64 1
    v11 = iadd v4, v10
    v6 = icmp slt v11, v2
    brif v6, block1(v11, v9), block9";

const TEST_AT_THE_START: &str = "
block1(v4: i64, v5: i64):
    v6 = icmp COND v4, v2
    brif v6, ARMS
block2:
    v8 = imul v0, v1
    v9 = iadd v5, v8
    v10 = iconst.i64 1
    v11 = iadd v4, v10
    jump block1(v11, v9)";

/// Where the multiplication stands after Cranelift's optimiser.
fn place(text: &str, target: &str) -> &'static str {
    let mut flags = settings::builder();
    flags.set("opt_level", "speed").unwrap();
    let isa = isa::lookup_by_name(target).unwrap().finish(settings::Flags::new(flags)).unwrap();
    let func = cranelift_reader::parse_functions(text).unwrap().remove(0);
    let mut context = Context::for_function(func);
    context.verify(&*isa).unwrap();
    context.optimize(&*isa, &mut ControlPlane::default()).unwrap();
    let layout = &context.func.layout;
    let is_imul = |&inst: &_| context.func.dfg.insts[inst].opcode() == Opcode::Imul;
    let block = layout.blocks().find(|&block| layout.block_insts(block).any(|inst| is_imul(&inst))).unwrap();
    if layout.entry_block() == Some(block) { "in front of the loop" } else { "in the loop" }
}

fn main() {
    for target in ["x86_64", "aarch64"] {
        let check = |name: &str, text: String, seen: &str| {
            let found = place(&text, target);
            println!("{target}: {name}: imul {found}");
            assert_eq!(found, seen, "the behaviour has changed");
        };
        let with = |blocks: &str, cond, arms| text(&blocks.replace("COND", cond).replace("ARMS", arms));
        check("test at the end", text(TEST_AT_THE_END), "in front of the loop");
        check("return, first arm of its branch", with(RETURN, "eq", "block2, block3"), "in front of the loop");
        check("return, second arm of its branch", with(RETURN, "ne", "block3, block2"), "in the loop");
        check("test at the start, exit first", with(TEST_AT_THE_START, "sge", "block9, block2"), "in front of the loop");
        check("test at the start, exit second", with(TEST_AT_THE_START, "slt", "block2, block9"), "in the loop");
    }
}
RS
cargo run -q --manifest-path "$folder/Cargo.toml"
