//! Replacement of values by others.

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use numbra_lir::{Func, Value};

/// Which value stands for which, applied to a function at the end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Renames {
    map: SecondaryMap<Value, PackedOption<Value>>,
    any: bool,
}

impl Renames {
    pub(crate) fn new() -> Renames {
        Renames::default()
    }

    /// `new` stands for `old` from now on. They must not stand for each other already.
    pub(crate) fn replace(&mut self, old: Value, new: Value) {
        let new = self.resolve(new);
        if old != new {
            self.map[old] = new.into();
            self.any = true;
        }
    }

    /// What stands for `value`.
    pub(crate) fn resolve(&mut self, value: Value) -> Value {
        let mut end = value;
        while let Some(next) = self.map[end].expand() {
            end = next;
        }
        // Shorten the path for the next question.
        let mut at = value;
        while let Some(next) = self.map[at].expand() {
            if next != end {
                self.map[at] = end.into();
            }
            at = next;
        }
        end
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.any
    }

    /// Renames every operand of the function.
    pub(crate) fn apply(&mut self, func: &mut Func) {
        if !self.any {
            return;
        }
        let mut walk = func.layout.walk();
        while let Some(block) = walk.next(&func.layout) {
            for n in 0..func.blocks[block].insts().len() {
                let inst = func.blocks[block].insts()[n];
                func.insts[inst]
                    .kind
                    .for_each_operand(|v| *v = self.resolve(*v));
            }
            if let Some(term) = &mut func.blocks[block].term {
                term.for_each_operand(|v| *v = self.resolve(*v));
            }
        }
    }
}
