//! Values whose first use is far: a sum over many loops.

use super::{floats, is_constant};
use cranelift_codegen::ir::{Block, Function, Inst, Value};
use cranelift_entity::SecondaryMap;

/// Blocks between a value and its first use from which on it is kept in its place.
const FAR: u32 = 32;

/// Where a value is needed by instructions that stay in their blocks, as positions of blocks.
#[derive(Clone, Copy)]
struct Need {
    first: u32,
    last: u32,
}

impl Default for Need {
    fn default() -> Need {
        Need {
            first: u32::MAX,
            last: 0,
        }
    }
}

impl Need {
    fn at(&mut self, position: u32) {
        self.first = self.first.min(position);
        self.last = self.last.max(position);
    }
}

/// Pure instructions with more than one operand that ends with them and whose result is first needed far away.
pub(super) fn far_values(func: &Function) -> Vec<Inst> {
    if func.dfg.num_blocks() as u32 <= FAR {
        return Vec::new();
    }
    let mut positions: SecondaryMap<Block, u32> = SecondaryMap::new();
    for (position, block) in func.layout.blocks().enumerate() {
        positions[block] = position as u32;
    }
    let mut needs: SecondaryMap<Value, Need> = SecondaryMap::new();
    let mut far = Vec::new();
    // Definitions stand before uses: backwards, all needs of a value are known at its definition.
    let mut block = func.layout.last_block();
    while let Some(at) = block {
        let here = positions[at];
        let mut next = func.layout.last_inst(at);
        while let Some(inst) = next {
            next = func.layout.prev_inst(inst);
            let mut need = here;
            if let Some(result) = floats(func, inst) {
                let wanted = needs[result];
                if wanted.first == u32::MAX {
                    continue;
                }
                if wanted.first > here + FAR && ends_several(func, inst, wanted, &needs) {
                    far.push(inst);
                } else {
                    need = wanted.first;
                }
            }
            for value in func.dfg.inst_values(inst) {
                needs[func.dfg.resolve_aliases(value)].at(need);
            }
        }
        block = func.layout.prev_block(at);
    }
    far
}

/// Whether several operands of `inst` would be kept alive only until `wanted`.
fn ends_several(
    func: &Function,
    inst: Inst,
    wanted: Need,
    needs: &SecondaryMap<Value, Need>,
) -> bool {
    let mut ending = func
        .dfg
        .inst_values(inst)
        .map(|value| func.dfg.resolve_aliases(value))
        .filter(|&value| needs[value].last < wanted.first && !is_constant(func, value));
    match ending.next() {
        Some(one) => ending.any(|other| other != one),
        None => false,
    }
}
