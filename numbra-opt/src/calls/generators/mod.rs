//! Cuts the body of a generator into the steps between its yields.
//!
//! The body comes as one function: its parameters are those of the generator, it returns `(item.., more, 0)`, and where
//! it yields it jumps to the block where it goes on, with the leaves of the item as arguments. Such a *resume block* has
//! no other predecessor.
//!
//! ```text
//! before                                   after: one step, with the generator's frame as only parameter
//! block0(v0: i64):                         block9(v20: ref):
//!   v1: i64 = iconst 0                       v21: ptr = the data of v20
//!   jump block1(v1)                          v22: i64 = load v21+0        ; state
//! block1(v2: i64):                           store -1 to v21+0            ; runs; an end leaves it so
//!   v3 = icmp slt v2, v0                     switch v22 [block0, block3], block8
//!   brif v3, block2, block4                block0:
//! block2:                                    v0: i64 = load v21+24        ; a parameter
//!   jump block3(v2)   ; yields v2            ..
//! block3(v4: i64):                         block2:
//!   v5 = iadd v2, 1                          store v2, v21+32             ; needed behind the yield
//!   jump block1(v5)                          store 1, v21+0
//! block4:                                    return v2, 1, 0
//!   return 0, 0, 0                         block3:
//!                                            v2' = load v21+32 ..
//! ```
//!
//! - What is alive at a yield has a field of the frame ([`numbra_abi::FRAME`]) of its own, and so have the parameters,
//!   which are written once, when the generator is made. A pointer takes the references along that keep its memory.
//! - References stand first and are counted; an object dies no earlier than its field is written again, the generator
//!   ends, or the frame goes.
//! - Constants are computed again. A slot whose address is needed behind a yield is a field, too. Other slots stay: code
//!   that comes to them again makes their contents anew, as it does in a loop.
//! - A step that ends the generator, by returning or raising, gives up all references of the frame.
//!
//! The result is an ordinary function: all rules of the verifier hold for it.

mod frame;
mod repair;
mod step;
#[cfg(test)]
mod tests;

use crate::analyses::Analyses;
use crate::refs::ref_roots::{RefRoots, owned};
use crate::scalar::sroa::sroa;
use frame::{Fields, crossing, slots_in_frame};
use numbra_base::Origin;
use numbra_lir::analysis::{Cfg, Dominators};
use numbra_lir::{Block, Func, Module, Terminator};
use step::Cut;

const ORIGIN: Origin = Origin::Pass("generators");

/// The frame of one generator function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrameLayout {
    /// Bytes of the frame.
    pub size: u32,
    /// References behind the fixed fields.
    pub refs: u32,
    /// Where each parameter's leaf stands.
    pub params: Vec<u32>,
}

/// Cuts a body at its yields: `resumes` are the blocks where it goes on. See the documentation of this module.
///
/// # Errors
/// What no frame can hold.
pub fn split_generator(
    func: &mut Func,
    module: &Module,
    resumes: &[Block],
) -> Result<FrameLayout, &'static str> {
    sroa(func, module, &mut Analyses::default());
    let cfg = Cfg::new(func);
    func.layout.retain(|block| cfg.is_reachable(block));
    let params = func.blocks[func.entry()].params.clone();
    let yields = yields(func, &cfg, resumes)?;
    let owned = owned(func, &cfg);
    let roots = RefRoots::new(func, &cfg, &Dominators::new(&cfg), owned);
    let crossing = crossing(func, &cfg, &roots, &params, &yields);
    let kept = slots_in_frame(func, &crossing);
    let fields = Fields::new(func, &params, &crossing, &kept)?;
    Ok(Cut::new(func, fields, params, yields, crossing, roots).run())
}

/// A yield: the block that ends with it, and where it goes on.
struct Yield {
    from: Block,
    resume: Block,
}

fn yields(func: &Func, cfg: &Cfg, resumes: &[Block]) -> Result<Vec<Yield>, &'static str> {
    let mut out = Vec::new();
    for &resume in resumes {
        match cfg.preds(resume) {
            [] => {}
            &[from] if matches!(func.term(from), Terminator::Jump(_)) => {
                out.push(Yield { from, resume });
            }
            _ => return Err("a yield that is entered from elsewhere"),
        }
    }
    Ok(out)
}
