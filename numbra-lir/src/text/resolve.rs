//! From names to definitions: a function's values and blocks are numbered by order of definition, and the types of
//! results that its text leaves out are filled in.

use super::TextError;
use super::parser::Parser;
use crate::{
    Block, BlockData, Facts, FastMath, Func, FuncDebug, FuncRef, Inst, InstData, InstKind, Module,
    SlotData, Terminator, Ty, Value, ValueData, ValueDef, result_types,
};
use cranelift_entity::EntityRef;
use numbra_base::{Origin, Span};

/// An instruction whose ids are still those of the parser's names.
pub(super) struct RawInst {
    pub(super) kind: InstKind,
    pub(super) results: Vec<(Value, Option<Ty>)>,
    pub(super) fast: FastMath,
    pub(super) facts: Facts,
    pub(super) span: Span,
    pub(super) origin: Origin,
    pub(super) at: usize,
}

/// A block whose ids are still those of the parser's names.
pub(super) struct RawBlock {
    pub(super) name: Block,
    pub(super) params: Vec<(Value, Ty)>,
    pub(super) insts: Vec<RawInst>,
    pub(super) term: Option<(Terminator, Span, Origin)>,
    pub(super) cold: bool,
    pub(super) line: u32,
    pub(super) term_line: u32,
}

/// A function body before result types are known.
pub(super) struct RawFunc {
    pub(super) id: FuncRef,
    pub(super) span: Span,
    pub(super) slots: Vec<SlotData>,
    pub(super) debug: Option<Box<FuncDebug>>,
    pub(super) blocks: Vec<RawBlock>,
    pub(super) names: usize,
    pub(super) block_names: usize,
    pub(super) mentions: Vec<usize>,
    pub(super) block_mentions: Vec<usize>,
}

impl Parser<'_, '_> {
    /// Renumbers by order of definition and fills in result types.
    pub(super) fn finish(&mut self, raw: RawFunc, module: &Module) -> Result<Func, TextError> {
        let mut block_ids: Vec<Option<Block>> = vec![None; raw.block_names];
        for (index, block) in raw.blocks.iter().enumerate() {
            let id = &mut block_ids[block.name.index()];
            if id.is_some() {
                let at = raw.block_mentions[block.name.index()];
                return Err(self.error_at(at, "block defined twice"));
            }
            *id = Some(Block::new(index));
        }
        if let Some(index) = block_ids.iter().position(Option::is_none) {
            return Err(self.error_at(raw.block_mentions[index], "undefined block"));
        }
        let mut ids: Vec<Option<Value>> = vec![None; raw.names];
        let mut next = 0;
        let mut define = |value: Value| -> Result<(), TextError> {
            if ids[value.index()].is_some() {
                return Err(self.error_at(raw.mentions[value.index()], "value defined twice"));
            }
            ids[value.index()] = Some(Value::new(next));
            next += 1;
            Ok(())
        };
        for block in &raw.blocks {
            block.params.iter().try_for_each(|&(v, _)| define(v))?;
            for inst in &block.insts {
                inst.results.iter().try_for_each(|&(v, _)| define(v))?;
            }
        }
        if let Some(index) = ids.iter().position(Option::is_none) {
            return Err(self.error_at(raw.mentions[index], "undefined value"));
        }
        // Every mention is defined now.
        let value_of = |v: Value| ids[v.index()].unwrap_or(v);
        let block_of = |b: Block| block_ids[b.index()].unwrap_or(b);

        let sig = module.functions[raw.id].sig.clone();
        let mut func = Func::without_blocks(sig, raw.span);
        func.slots = raw.slots.into_iter().collect();
        func.debug = raw.debug;
        let mut types: Vec<Option<Ty>> = Vec::with_capacity(raw.names);
        let mut defs: Vec<ValueDef> = Vec::with_capacity(raw.names);
        let mut places = Vec::new();
        let func_id = raw.id;
        for (index, block) in raw.blocks.into_iter().enumerate() {
            let id = Block::new(index);
            self.lines.blocks.insert((func_id, id), block.line);
            self.lines.terms.insert((func_id, id), block.term_line);
            func.blocks.push(BlockData::new());
            let data = &mut func.blocks[id];
            (data.term_origin, data.cold) = (Origin::Text, block.cold);
            for (n, (value, ty)) in block.params.into_iter().enumerate() {
                data.params.push(value_of(value));
                types.push(Some(ty));
                defs.push(ValueDef::Param(id, n as u16));
            }
            for mut raw in block.insts {
                raw.kind.for_each_operand(|v| *v = value_of(*v));
                let inst = Inst::new(func.insts.len());
                let mut results = Vec::new();
                for (n, (value, ty)) in raw.results.into_iter().enumerate() {
                    results.push(value_of(value));
                    types.push(ty);
                    defs.push(ValueDef::Result(inst, n as u16));
                }
                func.insts.push(InstData {
                    kind: raw.kind,
                    results: results.into(),
                    fast: raw.fast,
                    facts: raw.facts,
                    span: raw.span,
                    origin: raw.origin,
                });
                places.push(raw.at);
                self.lines.insts.insert((func_id, inst), self.line(raw.at));
                func.append_inst(id, inst);
            }
            let data = &mut func.blocks[id];
            if let Some((mut term, span, origin)) = block.term {
                term.for_each_operand(|v| *v = value_of(*v));
                for target in term.targets_mut() {
                    target.block = block_of(target.block);
                }
                data.term = Some(term);
                data.term_span = span;
                data.term_origin = origin;
            }
            func.layout.push(id);
        }
        self.infer(&func, &mut types, &defs, &places, module)?;
        for (ty, def) in types.into_iter().zip(defs) {
            // `infer` left no type open.
            func.values.push(ValueData {
                ty: ty.unwrap_or(Ty::I1),
                def,
            });
        }
        Ok(func)
    }

    /// Fills in the types of results from those of operands, operands first.
    fn infer(
        &self,
        func: &Func,
        types: &mut [Option<Ty>],
        defs: &[ValueDef],
        places: &[usize],
        module: &Module,
    ) -> Result<(), TextError> {
        let mut entered = vec![false; func.insts.len()];
        let mut stack = Vec::new();
        for (root, _) in func.insts.iter() {
            stack.push(root);
            while let Some(&inst) = stack.last() {
                let data = &func.insts[inst];
                if data.results.iter().all(|&v| types[v.index()].is_some()) {
                    stack.pop();
                    continue;
                }
                let first = !std::mem::replace(&mut entered[inst.index()], true);
                let before = stack.len();
                if first {
                    data.kind.visit_operands(|v| {
                        if types[v.index()].is_none()
                            && let ValueDef::Result(def, _) = defs[v.index()]
                            && !entered[def.index()]
                        {
                            stack.push(def);
                        }
                    });
                }
                if stack.len() > before {
                    continue;
                }
                stack.pop();
                let found = result_types(&data.kind, module, |v| {
                    types.get(v.index()).copied().flatten()
                });
                let Some(found) = found.filter(|f| f.len() == data.results.len()) else {
                    return Err(
                        self.error_at(places[inst.index()], "write the types of these results")
                    );
                };
                for (&result, ty) in data.results.iter().zip(found) {
                    types[result.index()].get_or_insert(ty);
                }
            }
        }
        Ok(())
    }
}
