//! Values that several steps load.

use super::step::Cut;
use crate::edit::rename::Renames;
use crate::edit::ssa::{Event, construct};
use crate::refs::ref_roots::RefRoots;
use cranelift_entity::SecondaryMap;
use numbra_base::FxHashMap;
use numbra_lir::analysis::{Cfg, Dominators};
use numbra_lir::{Block, Func, Value};

impl Cut<'_> {
    /// Values that are loaded in several steps have several definitions: gives each use the one that reaches it.
    pub(super) fn repair(&mut self) {
        let (func, roots) = (&mut *self.func, &self.roots);
        let cfg = Cfg::new(func);
        func.layout.retain(|block| cfg.is_reachable(block));
        let doms = Dominators::new(&cfg);
        let mut numbers: FxHashMap<Value, u32> = FxHashMap::default();
        let mut types = Vec::new();
        let mut originals = Vec::new();
        for &block in cfg.rpo() {
            for &(value, _) in &self.loads[block] {
                numbers.entry(value).or_insert_with(|| {
                    types.push(func.ty(value));
                    originals.push(value);
                    types.len() as u32 - 1
                });
            }
        }
        let mut events: SecondaryMap<Block, Vec<Event>> = SecondaryMap::new();
        for &block in cfg.rpo() {
            let mut list: Vec<Event> = self.loads[block]
                .iter()
                .map(|(value, now)| Event::Def {
                    var: numbers[value],
                    value: *now,
                })
                .collect();
            let define = |value: Value, list: &mut Vec<Event>| {
                if let Some(&var) = numbers.get(&value) {
                    list.push(Event::Def { var, value });
                }
            };
            for &param in &func.blocks[block].params {
                define(param, &mut list);
            }
            for n in 0..func.blocks[block].insts().len() {
                let inst = func.blocks[block].insts()[n];
                let mut kind = func.insts[inst].kind.clone();
                kind.for_each_operand(|v| stand_in(func, &numbers, roots, v, &mut list));
                func.insts[inst].kind = kind;
                for &result in &func.insts[inst].results {
                    define(result, &mut list);
                }
            }
            if let Some(mut term) = func.blocks[block].term.take() {
                term.for_each_operand(|v| stand_in(func, &numbers, roots, v, &mut list));
                func.blocks[block].term = Some(term);
            }
            events[block] = list;
        }
        let mut renames = Renames::new();
        // Each use was dominated by the definition, or is behind a load now.
        construct(
            func,
            &cfg,
            &doms,
            &types,
            &events,
            &mut renames,
            |_, var| originals[var as usize],
        );
        renames.apply(func);
    }
}

/// Replaces a use of a variable by a value that stands for whatever the variable is there. Where a pointer is needed, so
/// are the references that keep its memory: they become block parameters beside it.
fn stand_in(
    func: &mut Func,
    numbers: &FxHashMap<Value, u32>,
    roots: &RefRoots,
    value: &mut Value,
    list: &mut Vec<Event>,
) {
    let Some(&var) = numbers.get(value) else {
        return;
    };
    let mut stand_in = |value: Value, var: u32| {
        let data = func.values[value];
        let stand_in = func.values.push(data);
        list.push(Event::Use { var, stand_in });
        stand_in
    };
    roots.visit(*value, |root| {
        if let Some(&var) = numbers.get(&root).filter(|_| root != *value) {
            stand_in(root, var);
        }
    });
    *value = stand_in(*value, var);
}
