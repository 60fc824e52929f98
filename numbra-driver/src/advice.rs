//! What to tell about calls that are right but slow.

use crate::{Compiled, Session};
use numbra_base::Span;
use numbra_ir::{Callee, InstanceOrigin};

/// One call worth another form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// Numba's words.
    pub text: String,
    /// The call.
    pub span: Span,
}

impl Session {
    /// What the library has to say about the calls of a program, in functions that users wrote.
    pub fn advice(&self, compiled: &Compiled) -> Vec<Advice> {
        let mut found = Vec::new();
        for (origin, typed) in compiled.made_from().program.functions.values() {
            if matches!(origin, InstanceOrigin::Prelude(..)) {
                continue;
            }
            let live = typed.func.layout.iter();
            for &inst in live.flat_map(|&block| &typed.func.blocks[block].insts) {
                let Some(call) = &typed.calls[inst] else {
                    continue;
                };
                let Callee::Row(row, _) = call.callee else {
                    continue;
                };
                let advice = self.library.row(row).advice;
                if let Some(text) = advice.and_then(|say| say(&compiled.types, &call.sig.params)) {
                    let span = typed.func.insts[inst].span;
                    found.push(Advice { text, span });
                }
            }
        }
        found
    }
}
