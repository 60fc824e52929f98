//! Where Cranelift computes pure values. Its optimiser takes them out of their blocks and puts each where it is first
//! needed. Two kinds of values stand badly there ([`far`], [`loops`]): a store of such a value, to memory that nobody
//! reads, keeps it where it was.

mod far;
mod loops;

use cranelift_codegen::Context;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{
    AliasRegionData, Function, Inst, InstBuilder, InstructionData, MemFlagsData, Opcode,
    StackSlotData, StackSlotKind, Value, types,
};
use std::borrow::Cow;

/// The number of the alias region of the stores; those of the LIR have 16 bits.
const REGION: u32 = 1 << 16;
/// Bytes of the largest value.
const WIDTH: u32 = 16;

/// Keeps those values of the context's function in their blocks that would otherwise be computed far behind their
/// operands, or in loops that they do not depend on.
pub(super) fn anchor(context: &mut Context) {
    let mut insts = loops::invariant_values(context);
    insts.extend(far::far_values(&context.func));
    if insts.is_empty() {
        return;
    }
    let func = &mut context.func;
    insts.sort_unstable_by(|&a, &b| func.layout.pp_cmp(a, b));
    insts.dedup();
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
    for (number, inst) in insts.into_iter().enumerate() {
        let value = func.dfg.first_result(inst);
        let mut cursor = FuncCursor::new(func).after_inst(inst);
        cursor.use_srcloc(inst);
        let address = cursor.ins().stack_addr(types::I64, slot, 0);
        let offset = (number % 2) as i32 * WIDTH as i32;
        cursor.ins().store(flags, value, address, offset);
    }
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
    use cranelift_codegen::control::ControlPlane;
    use cranelift_codegen::ir::condcodes::IntCC;
    use cranelift_codegen::ir::{AbiParam, Block, Signature, UserFuncName};
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

    fn anchored(func: Function) -> Function {
        let mut context = Context::for_function(func);
        anchor(&mut context);
        context.func
    }

    #[test]
    fn a_sum_over_many_blocks_is_made_on_the_way() {
        for n in [20, 80] {
            let func = chain(n, 8);
            assert_eq!(most_additions(func.clone()), n as usize, "nothing to mend");
            assert!(most_additions(anchored(func)) <= 4);
        }
    }

    #[test]
    fn what_is_near_its_use_stays_as_it_is() {
        for func in [chain(80, 0), chain(1, 80)] {
            let before = func.dfg.num_insts();
            assert_eq!(anchored(func).dfg.num_insts(), before);
        }
    }

    /// A loop whose limit is a difference; with `leaves` one of its blocks returns.
    fn counted(leaves: bool) -> Function {
        let mut sig = Signature::new(CallConv::SystemV);
        sig.params.extend([AbiParam::new(types::I64); 2]);
        sig.returns.push(AbiParam::new(types::I64));
        let mut func = Function::with_name_signature(UserFuncName::user(0, 0), sig);
        let mut scratch = FunctionBuilderContext::new();
        let mut b = FunctionBuilder::new(&mut func, &mut scratch);
        let [entry, head, inner, left, latch, done] = std::array::from_fn(|_| b.create_block());
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let [n, m] = [b.block_params(entry)[0], b.block_params(entry)[1]];
        let limit = b.ins().isub(n, m);
        let start = b.ins().iconst(types::I64, 0);
        b.ins().jump(head, &[start.into()]);
        let i = b.append_block_param(head, types::I64);
        b.switch_to_block(head);
        let here = b.ins().icmp(IntCC::Equal, i, m);
        b.ins().brif(here, inner, &[], latch, &[]);
        b.switch_to_block(inner);
        let other = if leaves { left } else { latch };
        b.ins().brif(n, other, &[], latch, &[]);
        b.switch_to_block(left);
        b.ins().return_(&[i]);
        b.switch_to_block(latch);
        let next = b.ins().iadd_imm_s(i, 1);
        let again = b.ins().icmp(IntCC::SignedLessThan, next, limit);
        b.ins().brif(again, head, &[next.into()], done, &[]);
        b.switch_to_block(done);
        b.ins().return_(&[m]);
        b.seal_all_blocks();
        b.finalize(isa().frontend_config());
        func
    }

    /// The block in which the only difference of a function is once the function is optimised.
    fn block_of_difference(func: Function) -> Block {
        let mut context = Context::for_function(func);
        context
            .optimize(&*isa(), &mut ControlPlane::default())
            .unwrap();
        let func = &context.func;
        let difference = |&inst: &Inst| func.dfg.insts[inst].opcode() == Opcode::Isub;
        let mut blocks = func.layout.blocks();
        blocks
            .find(|&block| func.layout.block_insts(block).any(|inst| difference(&inst)))
            .unwrap()
    }

    #[test]
    fn the_limit_of_a_loop_that_returns_is_made_in_front_of_it() {
        let func = counted(true);
        let entry = func.layout.entry_block().unwrap();
        assert_ne!(block_of_difference(func.clone()), entry, "nothing to mend");
        assert_eq!(block_of_difference(anchored(func)), entry);
    }

    #[test]
    fn a_loop_that_cranelift_sees_stays_as_it_is() {
        let func = counted(false);
        assert_eq!(
            block_of_difference(func.clone()),
            func.layout.entry_block().unwrap()
        );
        let before = func.dfg.num_insts();
        assert_eq!(anchored(func).dfg.num_insts(), before);
    }
}
