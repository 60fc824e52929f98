//! Where Cranelift computes pure values. Its optimiser takes them out of their blocks and puts each where it is first needed,
//! which for a sum over many loops is the function's end: until there every addend stays alive, in every block between, so
//! time and frame grow with the square of the number of loops. A store of such a value, to memory that nobody reads, keeps
//! it where it was.

use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{
    AliasRegionData, Block, Function, Inst, InstBuilder, InstructionData, MemFlagsData, Opcode,
    StackSlotData, StackSlotKind, Value, types,
};
use cranelift_entity::SecondaryMap;
use std::borrow::Cow;

/// Blocks between a value and its first use from which on it is kept in its place.
const FAR: u32 = 32;
/// The number of the alias region of the stores; those of the LIR have 16 bits.
const REGION: u32 = 1 << 16;
/// Bytes of the largest value.
const WIDTH: u32 = 16;

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

/// Keeps those values of `func` in their blocks that would otherwise be computed far behind their operands.
pub(super) fn anchor(func: &mut Function) {
    if func.dfg.num_blocks() as u32 <= FAR {
        return;
    }
    let far = far_values(func);
    if far.is_empty() {
        return;
    }
    // Cranelift takes a store for dead when the next one in its region overwrites it: neighbours have places of their own.
    let slot = func.create_sized_stack_slot(StackSlotData::new(
        StackSlotKind::ExplicitSlot,
        2 * WIDTH,
        WIDTH.trailing_zeros() as u8,
    ));
    let region = func.dfg.alias_regions.insert(AliasRegionData {
        user_id: REGION,
        description: Cow::Borrowed("anchors"),
    });
    let flags = MemFlagsData::trusted().with_alias_region(Some(region));
    for (number, inst) in far.into_iter().enumerate() {
        let value = func.dfg.first_result(inst);
        let mut cursor = FuncCursor::new(func).after_inst(inst);
        cursor.use_srcloc(inst);
        let address = cursor.ins().stack_addr(types::I64, slot, 0);
        let offset = (number % 2) as i32 * WIDTH as i32;
        cursor.ins().store(flags, value, address, offset);
    }
}

/// Pure instructions with more than one operand that ends with them and whose result is first needed far away.
fn far_values(func: &Function) -> Vec<Inst> {
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

/// The result of an instruction that Cranelift's optimiser takes out of its block.
fn floats(func: &Function, inst: Inst) -> Option<Value> {
    let data = &func.dfg.insts[inst];
    let opcode = data.opcode();
    let stays = opcode.is_call()
        || opcode.is_terminator()
        || opcode.can_trap()
        || opcode.can_store()
        || opcode.other_side_effects();
    let loads = match data {
        InstructionData::Load {
            opcode: Opcode::Load,
            flags,
            ..
        } => {
            let flags = func.dfg.mem_flags[*flags];
            !(flags.readonly() && flags.notrap() && flags.can_move())
        }
        _ => opcode.can_load(),
    };
    match func.dfg.inst_results(inst) {
        [result] if !stays && !loads => Some(*result),
        _ => None,
    }
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

/// Whether a value is made from nothing, where it is used.
fn is_constant(func: &Function, value: Value) -> bool {
    match func.dfg.value_def(value).inst() {
        Some(inst) => floats(func, inst).is_some() && func.dfg.inst_values(inst).next().is_none(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_codegen::Context;
    use cranelift_codegen::control::ControlPlane;
    use cranelift_codegen::ir::{AbiParam, Signature, UserFuncName};
    use cranelift_codegen::isa::CallConv;
    use cranelift_codegen::settings::{Configurable, Flags};
    use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

    /// A sum of `n` values, each loaded in a block of its own behind `gap` blocks with a branch.
    fn chain(n: u32, gap: u32) -> Function {
        let mut sig = Signature::new(CallConv::SystemV);
        sig.params.push(AbiParam::new(types::I64));
        sig.returns.push(AbiParam::new(types::F64));
        let mut func = Function::with_name_signature(UserFuncName::user(0, 0), sig);
        let mut scratch = FunctionBuilderContext::new();
        let mut b = FunctionBuilder::new(&mut func, &mut scratch);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let pointer = b.block_params(entry)[0];
        let mut sum = b.ins().f64const(0.0);
        let flags = MemFlagsData::trusted();
        for number in 0..n {
            let item = b.ins().load(types::F64, flags, pointer, number as i32 * 8);
            sum = b.ins().fadd(sum, item);
            for _ in 0..gap {
                let (one, two) = (b.create_block(), b.create_block());
                b.ins().store(flags, pointer, pointer, 0);
                b.ins().brif(pointer, one, &[], two, &[]);
                b.switch_to_block(one);
                b.ins().store(flags, pointer, pointer, 8);
                b.ins().jump(two, &[]);
                b.switch_to_block(two);
            }
        }
        b.ins().return_(&[sum]);
        b.seal_all_blocks();
        b.finalize(isa().frontend_config());
        func
    }

    fn isa() -> cranelift_codegen::isa::OwnedTargetIsa {
        let mut settings = cranelift_codegen::settings::builder();
        settings.set("opt_level", "speed").unwrap();
        let isa = cranelift_codegen::isa::lookup_by_name("x86_64").unwrap();
        isa.finish(Flags::new(settings)).unwrap()
    }

    /// The most additions in one block once the function is optimised.
    fn most_additions(func: Function) -> usize {
        let mut context = Context::for_function(func);
        context
            .optimize(&*isa(), &mut ControlPlane::default())
            .unwrap();
        let func = &context.func;
        let additions = |block| {
            let insts = func.layout.block_insts(block);
            insts
                .filter(|&inst| func.dfg.insts[inst].opcode() == Opcode::Fadd)
                .count()
        };
        func.layout.blocks().map(additions).max().unwrap()
    }

    #[test]
    fn a_sum_over_many_blocks_is_made_on_the_way() {
        for n in [20, 80] {
            let mut func = chain(n, 8);
            assert_eq!(most_additions(func.clone()), n as usize, "nothing to mend");
            anchor(&mut func);
            assert!(most_additions(func) <= 4);
        }
    }

    #[test]
    fn what_is_near_its_use_stays_as_it_is() {
        let mut func = chain(80, 0);
        let before = func.dfg.num_insts();
        anchor(&mut func);
        assert_eq!(func.dfg.num_insts(), before);
        let mut func = chain(1, 80);
        let before = func.dfg.num_insts();
        anchor(&mut func);
        assert_eq!(func.dfg.num_insts(), before);
    }
}
