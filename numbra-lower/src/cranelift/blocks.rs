//! Blocks and terminators.

use crate::cranelift::abi::{oversized_leaf, value_types};
use crate::cranelift::emitter::{Emit, EmitError, Emitter, malformed};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, BlockArg, InstBuilder, JumpTableData, types};
use numbra_abi::status;
use numbra_base::Span;
use numbra_lir::{AliasClass, Block, BlockCall, Func, Signature, Terminator, Ty, Value};

impl Emitter<'_, '_> {
    /// Translates the whole function. `spans[i]` is the source of machine code with location `i`.
    pub(super) fn emit_function(&mut self, spans: &mut Vec<Span>) -> Emit<()> {
        if let Some(ty) = oversized_leaf(&self.func.sig) {
            return Err(EmitError::Unsupported(format!("{ty} in a signature")));
        }
        let order = reverse_postorder(self.func)?;
        let cold = cold_blocks(self.func, &order);
        self.create_blocks(&order, &cold);
        self.create_slots();
        self.enter(order[0])?;
        let mut at = Span::NONE;
        for (position, &block) in order.iter().enumerate() {
            let clif = self.block(block)?;
            self.in_cold = cold[position];
            if position > 0 {
                self.b.switch_to_block(clif);
            }
            let data = &self.func.blocks[block];
            for &inst in data.insts() {
                self.set_span(self.func.insts[inst].span, &mut at, spans);
                self.emit_inst(inst)?;
            }
            self.set_span(data.term_span, &mut at, spans);
            let term = data.term.as_ref();
            self.emit_term(term.ok_or_else(|| malformed(format!("{block} has no terminator")))?)?;
        }
        self.b.seal_all_blocks();
        Ok(())
    }

    fn set_span(&mut self, span: Span, at: &mut Span, spans: &mut Vec<Span>) {
        if span != *at {
            *at = span;
            let loc = if span.is_known() {
                spans.push(span);
                ir::SourceLoc::new(spans.len() as u32 - 1)
            } else {
                ir::SourceLoc::default()
            };
            self.b.set_srcloc(loc);
        }
    }

    fn block(&self, block: Block) -> Emit<ir::Block> {
        self.blocks[block].ok_or_else(|| malformed(format!("{block} is not reached")))
    }

    fn create_blocks(&mut self, order: &[Block], cold: &[bool]) {
        for (position, &block) in order.iter().enumerate() {
            let clif = self.b.create_block();
            self.blocks[block] = Some(clif);
            if cold[position] && position > 0 {
                self.b.set_cold_block(clif);
            }
            if position == 0 {
                continue;
            }
            let func = self.func;
            for &param in &func.blocks[block].params {
                let (ty, count) = value_types(func.ty(param));
                let parts: Vec<ir::Value> = (0..count)
                    .map(|_| self.b.append_block_param(clif, ty))
                    .collect();
                self.set_parts(param, &parts);
            }
        }
    }

    fn create_slots(&mut self) {
        for (slot, data) in self.func.slots.iter() {
            let align = data.align.max(8).trailing_zeros() as u8;
            // Whole words, so that zeroing stays inside.
            let size = data.size.next_multiple_of(8);
            let kind = ir::StackSlotKind::ExplicitSlot;
            let data = ir::StackSlotData::new(kind, size, align);
            self.slots[slot] = Some(self.b.create_sized_stack_slot(data));
        }
    }

    /// The entry block: parameters out of registers or the argument block, slots zeroed.
    fn enter(&mut self, entry: Block) -> Emit<()> {
        let clif = self.block(entry)?;
        self.b.append_block_params_for_function_params(clif);
        self.b.switch_to_block(clif);
        let mut incoming = self.b.block_params(clif).to_vec().into_iter();
        let sig = &self.func.sig;
        if sig.has_result_block() {
            self.result_block = incoming.next();
        }
        let params = self.func.blocks[entry].params.clone();
        if params.len() != sig.params.len() {
            return Err(malformed(
                "entry parameters differ from the signature".into(),
            ));
        }
        if sig.has_argument_block() {
            let block = incoming.next();
            let block = block.ok_or_else(|| malformed("no argument block".to_owned()))?;
            for (leaf, &param) in params.iter().enumerate() {
                let offset = leaf as i32 * Signature::BLOCK_STRIDE as i32;
                let flags = self.flags(AliasClass::ARGS).with_readonly().with_can_move();
                let parts = self.load_parts(self.ty(param), block, offset, flags)?;
                self.set_parts(param, &parts);
            }
        } else {
            for &param in &params {
                let value = incoming.next();
                let value = value.ok_or_else(|| malformed("too few parameters".to_owned()))?;
                self.set_parts(param, &[value]);
            }
        }
        self.zero_slots();
        Ok(())
    }

    /// Slots hold zero bytes at entry.
    fn zero_slots(&mut self) {
        /// Above this, a call is shorter.
        const MAX_INLINE: u32 = 256;
        let slots: Vec<(ir::StackSlot, u32)> = self
            .func
            .slots
            .iter()
            .filter_map(|(slot, data)| Some((self.slots[slot]?, data.size.next_multiple_of(8))))
            .collect();
        for (slot, size) in slots {
            if size > MAX_INLINE {
                let address = self.b.ins().stack_addr(types::I64, slot, 0);
                let byte = self.b.ins().iconst(types::I32, 0);
                let len = self.b.ins().iconst(types::I64, i64::from(size));
                self.call_memset(address, byte, len);
                continue;
            }
            let wide = self.zero_of(types::I8X16);
            let word = self.b.ins().iconst(types::I64, 0);
            let mut at = 0;
            while at < size {
                let (value, step) = if size - at >= 16 {
                    (wide, 16)
                } else {
                    (word, 8)
                };
                self.b.ins().stack_store(types::I64, value, slot, at as i32);
                at += step;
            }
        }
    }

    fn emit_term(&mut self, term: &Terminator) -> Emit<()> {
        match term {
            Terminator::Jump(to) => {
                let (block, args) = self.target(to)?;
                self.b.ins().jump(block, &args);
            }
            Terminator::Brif { cond, then, other } => self.branch(*cond, then, other)?,
            Terminator::Guard { cond, ok, err, .. } => self.branch(*cond, ok, err)?,
            Terminator::Switch {
                index,
                cases,
                default,
            } => self.switch(*index, cases, default)?,
            Terminator::Return(values) => self.emit_return(values)?,
            Terminator::Fail => self.emit_fail()?,
        }
        Ok(())
    }

    fn target(&mut self, to: &BlockCall) -> Emit<(ir::Block, Vec<BlockArg>)> {
        let mut args = Vec::with_capacity(to.args.len());
        for &arg in &to.args {
            args.extend(self.parts(arg)?.into_iter().map(BlockArg::Value));
        }
        Ok((self.block(to.block)?, args))
    }

    fn branch(&mut self, cond: Value, then: &BlockCall, other: &BlockCall) -> Emit<()> {
        let cond = self.one(cond)?;
        let (then, then_args) = self.target(then)?;
        let (other, other_args) = self.target(other)?;
        self.b
            .ins()
            .brif(cond, then, &then_args, other, &other_args);
        Ok(())
    }

    fn switch(&mut self, index: Value, cases: &[BlockCall], default: &BlockCall) -> Emit<()> {
        let ty = self.ty(index);
        let index = self.one(index)?;
        // The table takes 32 bits: wider indices are cut to the default case first.
        let index = match ty {
            Ty::I64 | Ty::I128 => {
                let width = self.b.func.dfg.value_type(index);
                let count = self.int_const(ty, cases.len() as i128)?;
                let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, index, count);
                let index = self.b.ins().select(inside, index, count);
                debug_assert!(width.bits() > 32);
                self.b.ins().ireduce(types::I32, index)
            }
            Ty::I32 => index,
            Ty::I1 | Ty::I8 | Ty::I16 => self.b.ins().uextend(types::I32, index),
            Ty::F16 | Ty::F32 | Ty::F64 | Ty::Ptr(_) | Ty::Ref | Ty::Vec(..) => {
                return Err(malformed(format!("switch on {ty}")));
            }
        };
        let mut table = Vec::with_capacity(cases.len());
        for case in cases {
            let (block, args) = self.target(case)?;
            table.push(self.b.func.dfg.block_call(block, &args));
        }
        let (block, args) = self.target(default)?;
        let default = self.b.func.dfg.block_call(block, &args);
        let table = self
            .b
            .create_jump_table(JumpTableData::new(default, &table));
        self.b.ins().br_table(index, table);
        Ok(())
    }

    fn emit_return(&mut self, values: &[Value]) -> Emit<()> {
        let mut returned = Vec::with_capacity(2);
        if self.func.sig.raises {
            let ok = i64::from(status::OK);
            returned.push(self.b.ins().iconst(types::I32, ok));
        }
        match self.result_block {
            Some(block) => {
                for (leaf, &value) in values.iter().enumerate() {
                    let parts = self.parts(value)?;
                    self.store_result(block, leaf, self.ty(value), &parts)?;
                }
            }
            None => {
                for &value in values {
                    returned.push(self.one(value)?);
                }
            }
        }
        self.b.ins().return_(&returned);
        Ok(())
    }

    /// Status and zero bits.
    fn emit_fail(&mut self) -> Emit<()> {
        let sig = &self.func.sig;
        if !sig.raises {
            return Err(malformed("fail in a function that does not raise".into()));
        }
        let raised = i64::from(status::RAISED);
        let mut returned = vec![self.b.ins().iconst(types::I32, raised)];
        let results = sig.results.clone();
        for (leaf, ty) in results.into_iter().enumerate() {
            let zero = self.zero(ty);
            match self.result_block {
                Some(block) => self.store_result(block, leaf, ty, &zero)?,
                None => returned.extend(zero),
            }
        }
        self.b.ins().return_(&returned);
        Ok(())
    }

    fn store_result(
        &mut self,
        block: ir::Value,
        leaf: usize,
        ty: Ty,
        parts: &[ir::Value],
    ) -> Emit<()> {
        let offset = leaf as i32 * Signature::BLOCK_STRIDE as i32;
        let flags = self.flags(AliasClass::ARGS);
        self.store_parts(ty, parts, block, offset, flags)
    }
}

/// Blocks that the entry reaches; each comes after the blocks that dominate it.
fn reverse_postorder(func: &Func) -> Emit<Vec<Block>> {
    let entry = func
        .layout
        .first()
        .ok_or_else(|| malformed("no entry block".to_owned()))?;
    let mut seen = vec![false; func.blocks.len()];
    let mut postorder = Vec::with_capacity(func.layout.len());
    let mut stack = vec![(entry, false)];
    while let Some((block, done)) = stack.pop() {
        if done {
            postorder.push(block);
            continue;
        }
        let Some(seen) = seen.get_mut(block.as_u32() as usize) else {
            return Err(malformed(format!("{block} does not exist")));
        };
        if std::mem::replace(seen, true) {
            continue;
        }
        stack.push((block, true));
        if let Some(term) = &func.blocks[block].term {
            // The last one pushed is visited first and ends up last: pushing in order lays the first target out next.
            stack.extend(term.targets().iter().map(|to| (to.block, false)));
        }
    }
    postorder.reverse();
    Ok(postorder)
}

/// For each block of `order`: marked cold, or reached only by error edges and cold blocks.
fn cold_blocks(func: &Func, order: &[Block]) -> Vec<bool> {
    let mut position = vec![usize::MAX; func.blocks.len()];
    for (at, &block) in order.iter().enumerate() {
        position[block.as_u32() as usize] = at;
    }
    let mut warm_edges = vec![Vec::new(); order.len()];
    for (at, &block) in order.iter().enumerate() {
        let mut warm = |to: &BlockCall| warm_edges[at].push(position[to.block.as_u32() as usize]);
        match &func.blocks[block].term {
            Some(Terminator::Guard { ok, .. }) => warm(ok),
            Some(term) => term.visit_targets(warm),
            None => {}
        }
    }
    let mut cold = vec![true; order.len()];
    let mut work = vec![0];
    while let Some(at) = work.pop() {
        let marked = func.blocks[order[at]].cold && at > 0;
        if cold[at] && !marked {
            cold[at] = false;
            work.extend(warm_edges[at].iter().copied());
        }
    }
    cold
}
