//! Places `retain` and `release`: each owned reference is released right after its last use, on every path.
//!
//! ```text
//! before                                       after
//!   v1 = call_native @numbra_rt_alloc(v0, v0)    v1 = call_native @numbra_rt_alloc(v0, v0)
//!   v2 = ref_to_ptr v1                           v2 = ref_to_ptr v1
//!   v3: ptr = load v2+24 header align 8          v3: ptr = load v2+24 header align 8
//!   v4: i64 = load v3 array align 8              v4: i64 = load v3 array align 8
//!   return v4                                    release v1
//!                                                return v4
//! ```
//!
//! - Parameters, null, and references in argument blocks or constant memory are borrowed for the whole call.
//! - Results of calls are owned; so are references loaded from memory that may change (retained at the load), selected
//!   ones, and block parameters, unless all they receive is borrowed.
//! - A block parameter that is only there to keep a pointer valid receives null in the place of what is borrowed.
//! - The last use of an owned reference as a block argument, as a result or as the value of a store to a slot's
//!   reference field hands its count over; otherwise the receiver gets a count of its own.
//! - A use of a pointer that is derived from a reference is a use of the reference (see `ref_roots`), and so is `keep`.
//! - A store to a reference field of a slot releases what was there; every exit releases all such fields.
//! - A load from such a field has the field's count where null is stored to the field before anything else happens.
//! - Where a reference dies on one edge only, the release stands on that edge; edges to one block with the same
//!   releases share a block. A failed call returned null references: its own error edge does not release them.
//!
//! Runs last. A function that counts already is left alone. Linear in the live ranges of references.

use crate::analyses::{Analyses, Changed};
use crate::refs::check_refs::check_refs;
use crate::refs::prune_refs::prune_refs;
use crate::refs::ref_roots::{RefRoots, field_of, owned, slot_of};
use cranelift_entity::SecondaryMap;
use numbra_base::{FxHashMap, FxHashSet, Origin, Span};
use numbra_lir::analysis::{Cfg, LivenessBuilder, effects};
use numbra_lir::{
    AliasClass, Align, Block, BlockCall, Func, Inst, InstKind, IntCc, MemFlags, Module, Slot,
    Terminator, Ty, Value, ValueDef,
};

const ORIGIN: Origin = Origin::Pass("place_refs");

/// Position of a use in its block: an instruction's index, or the terminator.
type Position = u32;
const TERM: Position = u32::MAX;

pub(crate) fn place_refs(func: &mut Func, module: &Module, known: &mut Analyses) -> Changed {
    let counts = |kind: &InstKind| matches!(kind, InstKind::Retain(_) | InstKind::Release(_));
    let has_fields = || func.slots.values().any(|slot| !slot.refs.is_empty());
    let any_refs = || func.values.values().any(|v| v.ty == Ty::Ref);
    let is_placed = || {
        let mut insts = func.layout.iter().flat_map(|b| func.blocks[b].insts());
        insts.any(|&inst| counts(&func.insts[inst].kind))
    };
    if !(has_fields() || any_refs()) || is_placed() {
        return Changed::insts(remove_keeps(func));
    }
    let cfg = known.cfg(func);
    let owned = owned(func, &cfg);
    // What is borrowed for the whole call is counted where it is returned.
    let returns = func.sig.results.contains(&Ty::Ref);
    if !has_fields() && !returns && func.values.keys().all(|value| !owned[value]) {
        let before = func.layout.len();
        func.layout.retain(|block| cfg.is_reachable(block));
        let dropped = Changed::flow(func.layout.len() != before);
        return Changed::insts(remove_keeps(func)) | dropped;
    }
    let doms = known.doms(func);
    func.layout.retain(|block| cfg.is_reachable(block));
    let roots = RefRoots::new(func, &cfg, &doms, owned);
    let mut placement = Placement::new(func, module, &cfg, roots);
    for &block in cfg.rpo() {
        placement.block(block);
    }
    let inserted = std::mem::take(&mut placement.at_start);
    for (block, actions) in inserted {
        placement.insert_at_start(block, actions);
    }
    remove_keeps(func);
    prune_refs(func);
    known.check(|| check_refs(func, module));
    Changed::Flow
}

/// Counting to be done in one place: first all retains, then all releases.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Actions {
    retains: Vec<Value>,
    releases: Vec<Value>,
}

struct Placement<'a> {
    func: &'a mut Func,
    module: &'a Module,
    cfg: &'a Cfg,
    roots: RefRoots,
    live_in: SecondaryMap<Block, Vec<Value>>,
    live_out: SecondaryMap<Block, Vec<Value>>,
    /// What no instruction but `keep`, and no end of a block, names: it is owned for the sake of pointers into it.
    unnamed: SecondaryMap<Value, bool>,
    /// Last position in the block being worked on.
    last_use: FxHashMap<Value, Position>,
    split: FxHashMap<(Block, Actions), Block>,
    at_start: Vec<(Block, Actions)>,
    /// Stores of null in the block being worked on, each to a field whose count moved to what was loaded from it before.
    moved: FxHashSet<Inst>,
}

impl<'a> Placement<'a> {
    fn new(func: &'a mut Func, module: &'a Module, cfg: &'a Cfg, roots: RefRoots) -> Placement<'a> {
        let mut uses: SecondaryMap<Value, Vec<Block>> = SecondaryMap::new();
        let mut defs: Vec<(Value, Block)> = Vec::new();
        for &block in cfg.rpo() {
            let data = &func.blocks[block];
            let owned = |v: &Value| roots.is_owned(*v);
            defs.extend(
                data.params
                    .iter()
                    .copied()
                    .filter(owned)
                    .map(|v| (v, block)),
            );
            let mut mark = |value: Value| {
                roots.visit(value, |root| {
                    if uses[root].last() != Some(&block) {
                        uses[root].push(block);
                    }
                });
            };
            for &inst in data.insts() {
                let inst = &func.insts[inst];
                inst.kind.visit_operands(&mut mark);
                defs.extend(
                    inst.results
                        .iter()
                        .copied()
                        .filter(owned)
                        .map(|v| (v, block)),
                );
            }
            if let Some(term) = &data.term {
                term.visit_operands(&mut mark);
            }
        }
        let mut builder = LivenessBuilder::new();
        for (value, def) in defs {
            builder.add(cfg, value, Some(def), uses[value].iter().copied());
        }
        let mut live_in: SecondaryMap<Block, Vec<Value>> = SecondaryMap::new();
        let mut live_out: SecondaryMap<Block, Vec<Value>> = SecondaryMap::new();
        for &block in cfg.rpo() {
            live_in[block] = builder.liveness.live_in(block).to_vec();
            live_out[block] = builder.liveness.live_out(block).to_vec();
            live_in[block].sort();
            live_out[block].sort();
        }
        let mut unnamed: SecondaryMap<Value, bool> = SecondaryMap::with_default(true);
        for &block in cfg.rpo() {
            let data = &func.blocks[block];
            let mut name = |value: Value| unnamed[value] = false;
            let kinds = data.insts().iter().map(|&inst| &func.insts[inst].kind);
            let kinds = kinds.filter(|kind| !is_keep(kind));
            kinds.for_each(|kind| kind.visit_operands(&mut name));
            data.term
                .iter()
                .for_each(|term| term.visit_operands(&mut name));
        }
        Placement {
            func,
            module,
            cfg,
            roots,
            live_in,
            live_out,
            unnamed,
            last_use: FxHashMap::default(),
            split: FxHashMap::default(),
            at_start: Vec::new(),
            moved: FxHashSet::default(),
        }
    }

    fn is_live_in(&self, block: Block, value: Value) -> bool {
        self.live_in[block].binary_search(&value).is_ok()
    }

    fn is_live_out(&self, block: Block, value: Value) -> bool {
        self.live_out[block].binary_search(&value).is_ok()
    }

    fn block(&mut self, block: Block) {
        let insts = self.func.take_insts(block);
        self.find_last_uses(block, &insts);
        let mut out = Vec::with_capacity(insts.len());
        let params = self.func.blocks[block].params.clone();
        for param in params {
            if self.roots.is_owned(param) && self.is_unused(block, param) {
                self.count(&mut out, InstKind::Release(param), Span::NONE);
            }
        }
        let moves = self.moves(&insts);
        self.moved = moves.values().copied().collect();
        for (n, inst) in insts.into_iter().enumerate() {
            let moves = moves.contains_key(&inst);
            self.inst(block, inst, n as Position, moves, &mut out);
        }
        self.func.set_insts(block, out);
        self.end(block);
    }

    /// Loads of owned references from fields, and the stores that put null in their place before anything else can look.
    fn moves(&self, insts: &[Inst]) -> FxHashMap<Inst, Inst> {
        let mut moves = FxHashMap::default();
        let mut loaded: FxHashMap<(Slot, u32), Inst> = FxHashMap::default();
        for &inst in insts {
            let data = &self.func.insts[inst];
            let field = field_of(self.func, &data.kind).flatten();
            match (&data.kind, field) {
                (InstKind::Load { .. }, Some(field)) => {
                    loaded.remove(&field);
                    if self.roots.is_owned(data.results[0]) {
                        loaded.insert(field, inst);
                    }
                }
                (InstKind::Store { value, .. }, Some(field)) if is_null(self.func, *value) => {
                    if let Some(load) = loaded.remove(&field) {
                        moves.insert(load, inst);
                    }
                }
                (kind, _) if effects(kind).writes.is_empty() && !effects(kind).counts => {}
                _ => loaded.clear(),
            }
        }
        moves
    }

    fn find_last_uses(&mut self, block: Block, insts: &[Inst]) {
        self.last_use.clear();
        let (roots, last) = (&self.roots, &mut self.last_use);
        for (n, &inst) in insts.iter().enumerate() {
            self.func.insts[inst].kind.visit_operands(|v| {
                roots.visit(v, |root| {
                    last.insert(root, n as Position);
                });
            });
        }
        if let Some(term) = &self.func.blocks[block].term {
            term.visit_operands(|v| {
                roots.visit(v, |root| {
                    last.insert(root, TERM);
                });
            });
        }
    }

    /// Neither used in its block nor after it.
    fn is_unused(&self, block: Block, value: Value) -> bool {
        !self.last_use.contains_key(&value) && !self.is_live_out(block, value)
    }

    /// True if `value` is owned and this is its last use.
    fn is_last_use(&self, block: Block, value: Value, at: Position) -> bool {
        self.roots.is_owned(value)
            && self.last_use.get(&value) == Some(&at)
            && !self.is_live_out(block, value)
    }

    fn count(&mut self, out: &mut Vec<Inst>, kind: InstKind, span: Span) {
        out.push(self.func.make_inst(kind, &[], span, ORIGIN));
    }

    /// A load that `moves` has the count of the field.
    fn inst(&mut self, block: Block, inst: Inst, at: Position, moves: bool, out: &mut Vec<Inst>) {
        let data = &self.func.insts[inst];
        let (kind, span) = (data.kind.clone(), data.span);
        let results = data.results.clone();
        let mut handed_over = None;
        let mut replaced = None;
        if let InstKind::Store {
            addr,
            offset,
            value,
            ..
        } = kind
            && self.func.ty(value) == Ty::Ref
            && !self.moved.contains(&inst)
            && slot_of(self.func, addr).is_some_and(|s| !self.func.slots[s].refs.is_empty())
        {
            let load = InstKind::Load {
                addr,
                offset,
                flags: field_flags(),
            };
            let old = self.func.make_inst(load, &[Ty::Ref], span, ORIGIN);
            out.push(old);
            replaced = Some(self.func.insts[old].results[0]);
            if self.is_last_use(block, value, at) {
                handed_over = Some(value);
            } else {
                self.count(out, InstKind::Retain(value), span);
            }
        }
        out.push(inst);
        let is_call = matches!(
            kind,
            InstKind::Call { .. } | InstKind::CallIndirect { .. } | InstKind::CallNative { .. }
        );
        let counted_at_birth = is_call || moves;
        let mut unused = Vec::new();
        for result in results {
            if !self.roots.is_owned(result) {
                continue;
            }
            match (self.is_unused(block, result), counted_at_birth) {
                (false, false) => self.count(out, InstKind::Retain(result), span),
                (true, true) => unused.push(result),
                (false, true) | (true, false) => {}
            }
        }
        let mut dying = Vec::new();
        kind.visit_operands(|v| {
            self.roots.visit(v, |root| {
                if self.is_last_use(block, root, at) && !dying.contains(&root) {
                    dying.push(root);
                }
            });
        });
        dying.retain(|&v| Some(v) != handed_over);
        dying.sort();
        for value in unused.into_iter().chain(dying).chain(replaced) {
            self.count(out, InstKind::Release(value), span);
        }
    }

    fn end(&mut self, block: Block) {
        let Some(mut term) = self.func.blocks[block].term.clone() else {
            return;
        };
        let span = self.func.blocks[block].term_span;
        let mut out = self.func.take_insts(block);
        // Owned references that reach the terminator.
        let mut held = self.live_out[block].clone();
        let dying = self
            .last_use
            .iter()
            .filter(|&(&v, &at)| at == TERM && self.is_last_use(block, v, at));
        held.extend(dying.map(|(&v, _)| v));
        held.sort();
        held.dedup();
        match &term {
            Terminator::Return(values) => {
                for &value in values {
                    if self.func.ty(value) != Ty::Ref {
                        continue;
                    }
                    match held.iter().position(|&v| v == value) {
                        Some(n) => {
                            held.remove(n);
                        }
                        None => self.count(&mut out, InstKind::Retain(value), span),
                    }
                }
                for value in held {
                    self.count(&mut out, InstKind::Release(value), span);
                }
                self.release_slots(&mut out, span);
            }
            Terminator::Fail => {
                for value in held {
                    self.count(&mut out, InstKind::Release(value), span);
                }
                self.release_slots(&mut out, span);
            }
            Terminator::Jump(_)
            | Terminator::Brif { .. }
            | Terminator::Switch { .. }
            | Terminator::Guard { .. } => {
                self.hand_null_on(&mut out, &mut term, span);
                let failed = failed_call(self.func, self.module, &term);
                let targets = term.targets().into_iter();
                let mut edges: Vec<Actions> = targets.map(|to| self.edge(to, &held)).collect();
                if let Some((call, n)) = failed {
                    let results = &self.func.insts[call].results;
                    edges[n].releases.retain(|v| !results.contains(v));
                }
                // What dies on every edge dies before the branch.
                let mut common = Actions::default();
                if edges.len() == 1 {
                    common = edges.remove(0);
                } else if edges.iter().all(|e| e.retains.is_empty()) {
                    common.releases = edges[0].releases.clone();
                    common
                        .releases
                        .retain(|v| edges.iter().all(|e| e.releases.contains(v)));
                    for edge in &mut edges {
                        edge.releases.retain(|v| !common.releases.contains(v));
                    }
                }
                self.emit(&mut out, &common, span);
                for (n, actions) in edges.into_iter().enumerate() {
                    if actions != Actions::default() {
                        self.place_on_edge(block, &mut term, n, actions);
                    }
                }
            }
        }
        self.func.set_insts(block, out);
        self.func.blocks[block].term = Some(term);
    }

    /// Edges hand null on in the place of a borrowed reference that the receiver would only count.
    fn hand_null_on(&mut self, out: &mut Vec<Inst>, term: &mut Terminator, span: Span) {
        for target in term.targets_mut() {
            let params = &self.func.blocks[target.block].params;
            let params = params.clone();
            for (param, arg) in params.into_iter().zip(&mut target.args) {
                let counts_only = self.roots.is_owned(param) && self.unnamed[param];
                if counts_only && !self.roots.is_owned(*arg) && !is_null(self.func, *arg) {
                    let null = (self.func).make_inst(InstKind::Null, &[Ty::Ref], span, ORIGIN);
                    out.push(null);
                    *arg = self.func.insts[null].results[0];
                }
            }
        }
    }

    /// What an edge has to count: parameters that own get a count, what is not needed behind the edge loses one.
    fn edge(&self, to: &BlockCall, held: &[Value]) -> Actions {
        let mut actions = Actions::default();
        let mut left: Vec<Value> = held
            .iter()
            .copied()
            .filter(|&v| !self.is_live_in(to.block, v))
            .collect();
        let params = &self.func.blocks[to.block].params;
        for (&param, &arg) in params.iter().zip(&to.args) {
            if !self.roots.is_owned(param) {
                continue;
            }
            match left.iter().position(|&v| v == arg) {
                Some(n) => {
                    left.remove(n);
                }
                None if is_null(self.func, arg) => {}
                None => actions.retains.push(arg),
            }
        }
        actions.releases = left;
        actions
    }

    fn emit(&mut self, out: &mut Vec<Inst>, actions: &Actions, span: Span) {
        for &value in &actions.retains {
            self.count(out, InstKind::Retain(value), span);
        }
        for &value in &actions.releases {
            self.count(out, InstKind::Release(value), span);
        }
    }

    fn place_on_edge(&mut self, from: Block, term: &mut Terminator, n: usize, actions: Actions) {
        let on_error = matches!(term, Terminator::Guard { .. }) && n == 1;
        let mut targets = term.targets_mut();
        let to = &mut targets[n];
        if self.cfg.preds(to.block).len() == 1 {
            self.at_start.push((to.block, actions));
            return;
        }
        let key = (to.block, actions.clone());
        let target = to.block;
        let middle = match self.split.get(&key) {
            Some(&block) => block,
            None => {
                let block = self.func.insert_block_after(from);
                let types: Vec<Ty> = self.func.blocks[target]
                    .params
                    .iter()
                    .map(|&v| self.func.ty(v))
                    .collect();
                let args = types
                    .into_iter()
                    .map(|ty| self.func.push_param(block, ty))
                    .collect();
                let span = self.func.blocks[from].term_span;
                let call = BlockCall {
                    block: target,
                    args,
                };
                self.func
                    .set_term(block, Terminator::Jump(call), span, ORIGIN);
                self.func.blocks[block].cold = on_error || self.func.blocks[target].cold;
                let mut out = Vec::new();
                self.emit(&mut out, &actions, span);
                self.func.set_insts(block, out);
                self.split.insert(key, block);
                block
            }
        };
        to.block = middle;
    }

    fn insert_at_start(&mut self, block: Block, actions: Actions) {
        let mut out = Vec::new();
        self.emit(&mut out, &actions, Span::NONE);
        self.func.insert_insts(block, 0, out);
    }

    /// Releases the reference fields of all slots.
    fn release_slots(&mut self, out: &mut Vec<Inst>, span: Span) {
        let fields: Vec<_> = self
            .func
            .slots
            .iter()
            .flat_map(|(slot, data)| data.refs.iter().map(move |&field| (slot, field)))
            .collect();
        for (slot, field) in fields {
            let addr = self
                .func
                .make_inst(InstKind::SlotAddr(slot), &[Ty::PTR], span, ORIGIN);
            let load = InstKind::Load {
                addr: self.func.insts[addr].results[0],
                offset: field as i32,
                flags: field_flags(),
            };
            let load = self.func.make_inst(load, &[Ty::Ref], span, ORIGIN);
            out.extend([addr, load]);
            let value = self.func.insts[load].results[0];
            self.count(out, InstKind::Release(value), span);
        }
    }
}

/// Others may access the field under any class.
fn field_flags() -> MemFlags {
    MemFlags {
        alias: AliasClass::ANY,
        align: Align(8),
        readonly: false,
        volatile: false,
    }
}

fn is_keep(kind: &InstKind) -> bool {
    matches!(kind, InstKind::Keep(_))
}

pub(super) fn is_null(func: &Func, value: Value) -> bool {
    match func.values[value].def {
        ValueDef::Result(inst, _) => matches!(func.insts[inst].kind, InstKind::Null),
        ValueDef::Param(..) => false,
    }
}

/// The call whose failure a branch finds, and the index of the edge taken then.
pub(super) fn failed_call(
    func: &Func,
    module: &Module,
    term: &Terminator,
) -> Option<(Inst, usize)> {
    let cond = match term {
        Terminator::Guard { cond, .. } | Terminator::Brif { cond, .. } => *cond,
        Terminator::Jump(_)
        | Terminator::Switch { .. }
        | Terminator::Return(_)
        | Terminator::Fail => {
            return None;
        }
    };
    let ValueDef::Result(test, _) = func.values[cond].def else {
        return None;
    };
    let InstKind::Icmp { cc, lhs, rhs } = func.insts[test].kind else {
        return None;
    };
    let ValueDef::Result(call, 0) = func.values[lhs].def else {
        return None;
    };
    let raises = match &func.insts[call].kind {
        InstKind::Call { func, .. } => module.functions[*func].sig.raises,
        InstKind::CallIndirect { sig, .. } => {
            module.signatures.get(*sig).is_some_and(|sig| sig.raises)
        }
        InstKind::CallNative { callee, .. } => callee.row().effects.raises,
        _ => false,
    };
    if !raises || crate::flow::simplify_cfg::constant(func, rhs) != Some(0) {
        return None;
    }
    match cc {
        IntCc::Eq => Some((call, 1)),
        IntCc::Ne => Some((call, 0)),
        _ => None,
    }
}

/// `keep` has done its work.
fn remove_keeps(func: &mut Func) -> bool {
    let mut changed = false;
    let mut walk = func.layout.walk();
    while let Some(block) = walk.next(&func.layout) {
        changed |= func.retain_insts(block, |_, data| !is_keep(&data.kind));
    }
    changed
}
