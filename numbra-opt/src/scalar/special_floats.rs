//! Programs that ask about NaN or infinity keep them.
//!
//! ```text
//! before                          after
//!   v1 = fadd v0, v0 nnan ninf      v1 = fadd v0, v0 ninf
//!   v2 = fcmp uno v1, v1            v2 = fcmp uno v1, v1
//! ```
//!
//! `nnan` and `ninf` say that no operand and no result is NaN or infinite, so that a test for one is decided by whatever
//! suits. Where a function of the module tests for NaN or has it as a constant, no operation of the module keeps `nnan`;
//! likewise `ninf` and infinity. The whole module: what one function computes another one tests. One walk, and one more
//! where something is asked.

use numbra_lir::{FastMath, FloatCc, Func, InstData, InstKind, Module, Ty};

pub(crate) fn special_floats(module: &mut Module) -> bool {
    let bodies = || {
        module
            .functions
            .values()
            .filter_map(|decl| decl.body.as_ref())
    };
    let insts = || bodies().flat_map(placed);
    let given = insts().fold(FastMath::empty(), |flags, (_, data)| flags | data.fast);
    let given = given & (FastMath::NNAN | FastMath::NINF);
    if given.is_empty() {
        return false;
    }
    let asked = insts().fold(FastMath::empty(), |flags, (func, data)| {
        flags | asks(func, data)
    });
    if !given.intersects(asked) {
        return false;
    }
    let bodies = module.functions.values_mut();
    for func in bodies.filter_map(|decl| decl.body.as_mut()) {
        for data in func.insts.values_mut() {
            data.fast -= asked;
        }
    }
    true
}

fn placed(func: &Func) -> impl Iterator<Item = (&Func, &InstData)> {
    let blocks = func.layout.iter().map(|block| &func.blocks[block]);
    let insts = blocks.flat_map(|block| block.insts());
    insts.map(move |inst| (func, &func.insts[*inst]))
}

/// The flags that would make an answer of this instruction arbitrary.
fn asks(func: &Func, data: &InstData) -> FastMath {
    match data.kind {
        InstKind::Fcmp { cc, lhs, rhs } => {
            if lhs == rhs || matches!(cc, FloatCc::Uno | FloatCc::Ord) {
                FastMath::NNAN
            } else {
                FastMath::empty()
            }
        }
        InstKind::FConst(bits) => {
            let value = match func.ty(data.results[0]) {
                Ty::F64 => f64::from_bits(bits),
                Ty::F32 => f64::from(f32::from_bits(bits as u32)),
                _ => return FastMath::empty(),
            };
            if value.is_nan() {
                FastMath::NNAN
            } else if value.is_infinite() {
                FastMath::NINF
            } else {
                FastMath::empty()
            }
        }
        _ => FastMath::empty(),
    }
}
