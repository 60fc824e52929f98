//! The one numbering of a module that its text has.

use crate::{Block, Func, Module, Value, ValueData, ValueDef};
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::ReservedValue;

/// The module with each function as [`canonical_func`] makes it.
pub fn canonical(module: &Module) -> Module {
    let mut out = module.clone();
    for (_, decl) in out.functions.iter_mut() {
        decl.body = decl.body.as_ref().map(canonical_func);
    }
    out
}

/// The function without dead entities: blocks in layout order, values and instructions in order of definition there.
/// An operand that nothing in the layout defines becomes the reserved value.
pub fn canonical_func(func: &Func) -> Func {
    let mut out = Func::without_blocks(func.sig.clone(), func.span);
    out.slots = func.slots.clone();
    out.debug = func.debug.clone();
    let mut value_map: SecondaryMap<Value, Value> =
        SecondaryMap::with_default(Value::reserved_value());
    let mut block_map: SecondaryMap<Block, Block> =
        SecondaryMap::with_default(Block::reserved_value());
    for block in &func.layout {
        let Some(old) = func.blocks.get(block) else {
            continue;
        };
        let new = out.push_block();
        block_map[block] = new;
        out.blocks[new].term = old.term.clone();
        out.blocks[new].term_span = old.term_span;
        out.blocks[new].term_origin = old.term_origin;
        out.blocks[new].cold = old.cold;
        for &param in &old.params {
            if let Some(data) = func.values.get(param) {
                value_map[param] = out.push_param(new, data.ty);
            }
        }
        for &inst in old.insts() {
            let Some(data) = func.insts.get(inst) else {
                continue;
            };
            let copy = out.insts.push(data.clone());
            out.append_inst(new, copy);
            out.insts[copy].results.clear();
            for (index, &result) in data.results.iter().enumerate() {
                if let Some(value) = func.values.get(result) {
                    let def = ValueDef::Result(copy, index as u16);
                    let renamed = out.values.push(ValueData { ty: value.ty, def });
                    out.insts[copy].results.push(renamed);
                    value_map[result] = renamed;
                }
            }
        }
    }
    let mut walk = out.layout.walk();
    while let Some(block) = walk.next(&out.layout) {
        for inst in out.blocks[block].insts().to_vec() {
            out.insts[inst]
                .kind
                .for_each_operand(|v| *v = value_map[*v]);
        }
        if let Some(term) = &mut out.blocks[block].term {
            term.for_each_operand(|v| *v = value_map[*v]);
            for target in term.targets_mut() {
                target.block = block_map[target.block];
            }
        }
    }
    out
}
