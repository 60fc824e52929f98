//! Copies of blocks at the ends of their predecessors, and the repair of values that have several definitions then.
//!
//! Serves `rotate_loops` and `jump_threading`.

use crate::edit::copies::Copied;
use crate::edit::rename::Renames;
use crate::edit::ssa::{Event, construct};
use cranelift_entity::SecondaryMap;
use numbra_base::FxHashMap;
use numbra_lir::analysis::{Cfg, Dominators};
use numbra_lir::{Block, Func, Terminator, Ty, Value};

/// `block` is to stand at the end of `into`, which jumps to it, too.
#[derive(Clone, Copy)]
pub(crate) struct BlockCopy {
    pub(crate) block: Block,
    pub(crate) into: Block,
}

/// Values that have several definitions.
#[derive(Default)]
struct Variables {
    of: FxHashMap<Value, u32>,
    types: Vec<Ty>,
    originals: Vec<Value>,
    /// The block that defined a value first, and still uses it as such.
    home: FxHashMap<Value, Block>,
    /// A pointer may be into what a reference beside it owns, so where the one is needed, so is the other.
    owners: FxHashMap<Value, Vec<Value>>,
    /// What variables are at the end of a block.
    at_end: SecondaryMap<Block, Vec<Event>>,
}

/// Makes the copies. What is copied must not be convergent, and no block may be both copied and copied into.
///
/// `terminator` gets the copy's terminator and returns what to put there.
pub(crate) fn copy_blocks(
    func: &mut Func,
    copies: &[BlockCopy],
    mut terminator: impl FnMut(usize, Terminator) -> Terminator,
) {
    let mut variables = Variables::default();
    let mut copied: SecondaryMap<Block, bool> = SecondaryMap::new();
    for (n, copy) in copies.iter().enumerate() {
        let Some(stand_ins) = copy_block(func, copy, |term| terminator(n, term)) else {
            continue;
        };
        if !std::mem::replace(&mut copied[copy.block], true) {
            variables.declare(func, copy.block);
        }
        let mut defined: Vec<Value> = func.blocks[copy.block].params.clone();
        defined.extend(results(func, copy.block));
        for value in defined {
            let var = variables.of[&value];
            let value = stand_ins.value(value);
            variables.at_end[copy.into].push(Event::Def { var, value });
        }
    }
    variables.repair(func, &copied);
}

/// Copies one block, and says what stands for what in the copy.
fn copy_block(
    func: &mut Func,
    copy: &BlockCopy,
    terminator: impl FnOnce(Terminator) -> Terminator,
) -> Option<Copied> {
    let Some(Terminator::Jump(call)) = func.blocks[copy.into].term.clone() else {
        return None;
    };
    func.blocks[copy.block].term.as_ref()?;
    let copied = Copied::into_block(func, copy.block, copy.into, call.args);
    let term = terminator(copied.term(func, copy.block));
    let data = &func.blocks[copy.block];
    let (span, origin) = (data.term_span, data.term_origin);
    func.set_term(copy.into, term, span, origin);
    Some(copied)
}

fn results(func: &Func, block: Block) -> impl Iterator<Item = Value> {
    let insts = func.blocks[block].insts().iter();
    insts.flat_map(|&i| func.insts[i].results.iter().copied())
}

impl Variables {
    /// Makes variables of what a block defines.
    fn declare(&mut self, func: &Func, block: Block) {
        let mut defined = func.blocks[block].params.clone();
        defined.extend(results(func, block));
        let is_ref = |v: &Value| func.ty(*v) == Ty::Ref;
        let refs: Vec<Value> = defined.iter().copied().filter(is_ref).collect();
        for value in defined {
            if matches!(func.ty(value), Ty::Ptr(_)) && !refs.is_empty() {
                self.owners.insert(value, refs.clone());
            }
            let var = self.types.len() as u32;
            self.types.push(func.ty(value));
            self.of.insert(value, var);
            self.originals.push(value);
            self.home.insert(value, block);
            self.at_end[block].push(Event::Def { var, value });
        }
    }

    /// Gives each use the definition that reaches it.
    fn repair(mut self, func: &mut Func, copied: &SecondaryMap<Block, bool>) {
        let cfg = Cfg::new(func);
        let doms = Dominators::new(&cfg);
        // A block whose every predecessor has a copy is reached no more, and gets no arguments for new parameters.
        func.layout.retain(|block| cfg.is_reachable(block));
        let mut events: SecondaryMap<Block, Vec<Event>> = SecondaryMap::new();
        for &block in cfg.rpo() {
            let mut ends = std::mem::take(&mut self.at_end[block]);
            // One stand-in for each variable that the block uses; all its definitions come after.
            let mut uses = Uses {
                variables: &self,
                block,
                stand_ins: FxHashMap::default(),
                events: Vec::new(),
            };
            for n in 0..func.blocks[block].insts().len() {
                let inst = func.blocks[block].insts()[n];
                let mut kind = func.insts[inst].kind.clone();
                kind.for_each_operand(|v| *v = uses.replaced(func, *v));
                func.insts[inst].kind = kind;
            }
            if let Some(mut term) = func.blocks[block].term.take() {
                term.for_each_operand(|v| *v = uses.replaced(func, *v));
                func.blocks[block].term = Some(term);
            }
            // What a copy starts from may itself be such a variable.
            if !copied[block] {
                for event in &mut ends {
                    if let Event::Def { value, .. } = event {
                        *value = uses.replaced(func, *value);
                    }
                }
            }
            let mut list = uses.events;
            list.append(&mut ends);
            events[block] = list;
        }
        let mut renames = Renames::new();
        let originals = &self.originals;
        // Every use is dominated by the definitions, so no use lacks one.
        construct(
            func,
            &cfg,
            &doms,
            &self.types,
            &events,
            &mut renames,
            |_, var| originals[var as usize],
        );
        renames.apply(func);
    }
}

/// Uses of variables in one block.
struct Uses<'a> {
    variables: &'a Variables,
    block: Block,
    stand_ins: FxHashMap<Value, Value>,
    events: Vec<Event>,
}

impl Uses<'_> {
    fn replaced(&mut self, func: &mut Func, value: Value) -> Value {
        let variables = self.variables;
        if !variables.of.contains_key(&value) || variables.home.get(&value) == Some(&self.block) {
            return value;
        }
        for &owner in variables.owners.get(&value).into_iter().flatten() {
            self.stand_in(func, owner);
        }
        self.stand_in(func, value)
    }

    fn stand_in(&mut self, func: &mut Func, value: Value) -> Value {
        let var = self.variables.of[&value];
        let events = &mut self.events;
        *self.stand_ins.entry(value).or_insert_with(|| {
            let data = func.values[value];
            let stand_in = func.values.push(data);
            events.push(Event::Use { var, stand_in });
            stand_in
        })
    }
}
