//! Global value numbering with folding: an expression that is already available is not computed again; a load that must
//! give what a dominating load or store of the same place gave is that value.
//!
//! ```text
//! before                                after
//!   store v0, v1 array align 8            store v0, v1 array align 8
//!   v2: i64 = load v0 array align 8       v3 = iadd v1, v1
//!   v3 = iadd v2, v1
//!   v4 = iadd v1, v2
//! ```
//!
//! Equal calls that are pure are made once, also where their arguments are only known to be equal by adding up constants.
//!
//! Memory has a version per alias class, which writes of that class renew. A block inherits the versions on which all
//! its predecessors agree; a loop header those that its loop does not write. Linear but for a bounded number of
//! candidates per expression.

use crate::analyses::{Analyses, Changed};
use crate::edit::rename::Renames;
use crate::scalar::fold::{Folded, address, constant_kind, fold, integer};
use cranelift_entity::SecondaryMap;
use numbra_base::FxHashMap;
use numbra_lir::analysis::{AliasSet, Cfg, Dominators, InstEffects, effects};
use numbra_lir::interp::ops;
use numbra_lir::{
    AliasClass, BinaryOp, Block, Facts, FastMath, Func, Inst, InstData, InstKind, Module, Ty, Value,
};
use rustc_hash::{FxBuildHasher, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// Classes with versions of their own; higher ones share the last.
const VERSIONED_ALIAS_CLASSES: usize = 8;

/// Version of the memory of each class; that of class `any` renews with every write.
type Versions = [u32; VERSIONED_ALIAS_CLASSES];

/// A value that is available: what an instruction computes, loads or stores.
struct Available {
    inst: Inst,
    block: Block,
    /// Of the memory that it is in.
    version: u32,
    /// The one before it of the same hash.
    next: Option<u32>,
}

/// A piece of memory as a load or store names it: how it is aligned and by which name it is reached does not matter.
type MemoryCell = (Value, i32, AliasClass, Ty);

struct Gvn<'a> {
    func: &'a mut Func,
    doms: &'a Dominators,
    available: Vec<Available>,
    /// The last that is available, by the hash of its expression.
    last: FxHashMap<u64, u32>,
    renames: Renames,
    class_sets: [AliasSet; VERSIONED_ALIAS_CLASSES],
    next_version: u32,
    /// The instructions that the block at hand keeps.
    kept: Vec<Inst>,
    changed: bool,
}

pub(crate) fn gvn(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    let (cfg, doms, loops) = (known.cfg(func), known.doms(func), known.loops(func));
    // What the blocks of each loop write, by header.
    let mut loop_writes: SecondaryMap<Block, AliasSet> = SecondaryMap::new();
    let mut count = 0;
    for &block in cfg.rpo() {
        count += func.blocks[block].insts().len();
        let writes = func.blocks[block]
            .insts()
            .iter()
            .fold(AliasSet::NONE, |set, &inst| {
                set.union(effects_of(&func.insts[inst]).writes)
            });
        let mut at = loops.innermost(block);
        while let Some(id) = at {
            let header = loops.get(id).header;
            loop_writes[header] = loop_writes[header].union(writes);
            at = loops.get(id).parent;
        }
    }
    let mut ends: SecondaryMap<Block, Option<Versions>> = SecondaryMap::new();
    let mut gvn = Gvn {
        func,
        doms: &doms,
        available: Vec::with_capacity(count),
        last: FxHashMap::with_capacity_and_hasher(count, FxBuildHasher),
        renames: Renames::new(),
        class_sets: std::array::from_fn(class_set),
        next_version: 1,
        kept: Vec::new(),
        changed: false,
    };
    for &block in cfg.rpo() {
        let mut versions = gvn.entry_versions(&cfg, block, &ends, loop_writes[block]);
        gvn.block(block, &mut versions);
        ends[block] = Some(versions);
    }
    let Gvn {
        func,
        mut renames,
        changed,
        ..
    } = gvn;
    let changed = changed || !renames.is_empty();
    renames.apply(func);
    Changed::insts(changed)
}

impl Gvn<'_> {
    fn fresh(&mut self) -> u32 {
        self.next_version += 1;
        self.next_version
    }

    fn entry_versions(
        &mut self,
        cfg: &Cfg,
        block: Block,
        ends: &SecondaryMap<Block, Option<Versions>>,
        loop_writes: AliasSet,
    ) -> Versions {
        let preds = cfg.preds(block);
        let known: SmallVec<[Versions; 2]> = preds.iter().filter_map(|&p| ends[p]).collect();
        let mut out = match known.first() {
            Some(&first) => first,
            None => [0; VERSIONED_ALIAS_CLASSES],
        };
        // A predecessor that has not been seen is the source of a back edge; of an irreducible one nothing is known.
        let natural = preds
            .iter()
            .all(|&p| ends[p].is_some() || self.doms.dominates(block, p));
        for class in 0..VERSIONED_ALIAS_CLASSES {
            let agree = known.iter().all(|v| v[class] == out[class]);
            let back_edges = known.len() < preds.len();
            let written = back_edges && (!natural || loop_writes.overlaps(self.class_sets[class]));
            if !agree || written {
                out[class] = self.fresh();
            }
        }
        out
    }

    fn block(&mut self, block: Block, versions: &mut Versions) {
        let mut insts = self.func.take_insts(block);
        let mut kept = std::mem::take(&mut self.kept);
        for &inst in &insts {
            self.func.insts[inst]
                .kind
                .for_each_operand(|v| *v = self.renames.resolve(*v));
            self.simplify(inst, &mut kept);
            if !self.number(block, inst, versions) {
                kept.push(inst);
            }
        }
        insts.clear();
        insts.append(&mut kept);
        self.func.set_insts(block, insts);
        self.kept = kept;
        if let Some(term) = &mut self.func.blocks[block].term {
            term.for_each_operand(|v| *v = self.renames.resolve(*v));
        }
    }

    /// Folds until nothing changes; constants of second results are put before it.
    fn simplify(&mut self, inst: Inst, kept: &mut Vec<Inst>) {
        if let InstKind::Store { addr, offset, .. } = &self.func.insts[inst].kind
            && let Some((base, more)) = address(self.func, *addr, *offset)
        {
            if let InstKind::Store { addr, offset, .. } = &mut self.func.insts[inst].kind {
                (*addr, *offset) = (base, more);
            }
            self.changed = true;
        }
        for _ in 0..8 {
            let Some(folded) = fold(self.func, inst) else {
                return;
            };
            self.changed = true;
            let data = &mut self.func.insts[inst];
            match folded {
                Folded::Value(value) => {
                    let value = self.renames.resolve(value);
                    self.renames.replace(data.results[0], value);
                    return;
                }
                Folded::Exact(value) => {
                    let value = self.renames.resolve(value);
                    let (span, origin) = (data.span, data.origin);
                    let [exact, wraps] = data.results[..] else {
                        return;
                    };
                    let kind = InstKind::IConst(0);
                    let no = self.func.make_inst(kind, &[Ty::I1], span, origin);
                    kept.push(no);
                    self.renames.replace(exact, value);
                    self.renames.replace(wraps, self.func.insts[no].results[0]);
                    return;
                }
                Folded::Kind(kind) => {
                    let exchanged = matches!(
                        (&data.kind, &kind),
                        (InstKind::Binary { op: a, .. }, InstKind::Binary { op: b, .. }) if a == b
                    );
                    data.kind = kind;
                    if !exchanged {
                        data.facts = Facts::empty();
                        data.fast = FastMath::empty();
                    }
                    data.kind
                        .for_each_operand(|v| *v = self.renames.resolve(*v));
                }
                Folded::Constants(values) => {
                    let (span, origin) = (data.span, data.origin);
                    let results = data.results.clone();
                    if let ([_], Some(kind)) = (&results[..], constant_kind(&values[0])) {
                        data.kind = kind;
                        data.facts = Facts::empty();
                        data.fast = FastMath::empty();
                        return;
                    }
                    for (result, value) in results.into_iter().zip(&values) {
                        if let Some(kind) = constant_kind(value) {
                            let new = self.func.make_inst(kind, &[value.ty()], span, origin);
                            kept.push(new);
                            self.renames
                                .replace(result, self.func.insts[new].results[0]);
                        }
                    }
                    return;
                }
            }
        }
    }

    /// True if the instruction's values are available already, and it is not needed.
    fn number(&mut self, block: Block, inst: Inst, versions: &mut Versions) -> bool {
        let data = &self.func.insts[inst];
        let does = effects_of(data);
        if !does.writes.is_empty() {
            self.write(does.writes, versions);
            if let InstKind::Store { flags, .. } = &self.func.insts[inst].kind
                && !flags.volatile
            {
                let version = versions[class_index(flags.alias)];
                let hash = self.hash(inst, version);
                self.add(hash, inst, block, version);
            }
            return false;
        }
        let version = match &data.kind {
            InstKind::Load { flags, .. } if !flags.volatile => {
                let constant = flags.readonly || flags.alias == AliasClass::CONST;
                match constant {
                    true => 0,
                    false => versions[class_index(flags.alias)],
                }
            }
            InstKind::Call { .. } if data.facts.contains(Facts::PURE) => 0,
            _ if does.speculatable && !data.results.is_empty() && !does.convergent => 0,
            _ => return false,
        };
        let hash = self.hash(inst, version);
        match self.find(hash, inst, block, version) {
            Some(found) => {
                for n in 0..self.func.insts[inst].results.len() {
                    let new = match &self.func.insts[found].kind {
                        InstKind::Store { value, .. } => *value,
                        _ => self.func.insts[found].results[n],
                    };
                    self.renames.replace(self.func.insts[inst].results[n], new);
                }
                true
            }
            None => {
                self.add(hash, inst, block, version);
                false
            }
        }
    }

    fn add(&mut self, hash: u64, inst: Inst, block: Block, version: u32) {
        let next = self.last.insert(hash, self.available.len() as u32);
        self.available.push(Available {
            inst,
            block,
            version,
            next,
        });
    }

    /// The last instruction with this value that dominates the block, among the last [`MAX_CANDIDATES`] with this value.
    fn find(&self, hash: u64, inst: Inst, block: Block, version: u32) -> Option<Inst> {
        let mut at = self.last.get(&hash).copied();
        let mut equal = 0;
        while let Some(n) = at
            && equal < MAX_CANDIDATES
        {
            let one = &self.available[n as usize];
            if one.version == version && is_same(self.func, one.inst, inst) {
                if self.doms.dominates(one.block, block) {
                    return Some(one.inst);
                }
                equal += 1;
            }
            at = one.next;
        }
        None
    }

    /// Equal for instructions with equal values.
    fn hash(&self, inst: Inst, version: u32) -> u64 {
        let mut hasher = FxHasher::default();
        let data = &self.func.insts[inst];
        match (place(self.func, inst), &data.kind) {
            (Some((addr, offset, alias, _)), _) => (addr, offset, alias, version).hash(&mut hasher),
            (None, InstKind::Binary { op, lhs, rhs }) => {
                let (lhs, rhs) = ordered(*op, *lhs, *rhs);
                (op, lhs, rhs).hash(&mut hasher);
            }
            (None, InstKind::Call { func, args }) => {
                func.hash(&mut hasher);
                args.iter()
                    .for_each(|&arg| sum(self.func, arg).hash(&mut hasher));
            }
            (None, kind) => kind.hash(&mut hasher),
        }
        hasher.finish()
    }

    fn write(&mut self, set: AliasSet, versions: &mut Versions) {
        for (class, version) in versions.iter_mut().enumerate() {
            if class == 0 || set.overlaps(self.class_sets[class]) {
                self.next_version += 1;
                *version = self.next_version;
            }
        }
    }
}

/// As many instructions with one value are looked at.
const MAX_CANDIDATES: usize = 4;
/// As many additions of constants are looked through.
const MAX_ADD_CHAIN: usize = 16;

fn effects_of(data: &InstData) -> InstEffects {
    match &data.kind {
        // It may not end.
        InstKind::Call { .. } if data.facts.contains(Facts::PURE) => InstEffects {
            removable: false,
            speculatable: false,
            ..InstEffects::PURE
        },
        kind => effects(kind),
    }
}

/// An integer as another one and the constants that are added to it; these wrap as it does.
fn sum(func: &Func, value: Value) -> (Value, i128) {
    let ty = func.ty(value);
    let (mut base, mut added) = (value, 0_i128);
    for _ in 0..MAX_ADD_CHAIN {
        let Some(InstKind::Binary { op, lhs, rhs }) = func.def(base) else {
            break;
        };
        added = match (op, integer(func, *rhs)) {
            (BinaryOp::IAdd, Some(more)) => added.wrapping_add(more),
            (BinaryOp::ISub, Some(more)) => added.wrapping_sub(more),
            _ => break,
        };
        base = *lhs;
    }
    if base == value {
        return (value, 0);
    }
    (base, ops::signed(ty, added as u128))
}

fn class_index(alias: AliasClass) -> usize {
    usize::from(alias.0).min(VERSIONED_ALIAS_CLASSES - 1)
}

/// The classes that share an index; index 0 is `any`.
fn class_set(index: usize) -> AliasSet {
    if index == VERSIONED_ALIAS_CLASSES - 1 {
        let high = |n| AliasSet::of(AliasClass(n));
        (VERSIONED_ALIAS_CLASSES as u16 - 1..64)
            .map(high)
            .fold(AliasSet::NONE, AliasSet::union)
    } else {
        AliasSet::of(AliasClass(index as u16))
    }
}

/// What a load reads or a store writes.
fn place(func: &Func, inst: Inst) -> Option<MemoryCell> {
    let data = &func.insts[inst];
    match &data.kind {
        InstKind::Load {
            addr,
            offset,
            flags,
        } => Some((*addr, *offset, flags.alias, func.ty(data.results[0]))),
        InstKind::Store {
            addr,
            offset,
            value,
            flags,
        } => Some((*addr, *offset, flags.alias, func.ty(*value))),
        _ => None,
    }
}

/// True if two instructions have equal values, those of memory if that has one version.
fn is_same(func: &Func, a: Inst, b: Inst) -> bool {
    if let (Some(a), Some(b)) = (place(func, a), place(func, b)) {
        return a == b;
    }
    let (a, b) = (&func.insts[a], &func.insts[b]);
    let ty = |data: &InstData| data.results.first().map(|&v| func.ty(v));
    let equal = match (&a.kind, &b.kind) {
        (
            InstKind::Binary { op, lhs, rhs },
            InstKind::Binary {
                op: other_op,
                lhs: other_lhs,
                rhs: other_rhs,
            },
        ) => op == other_op && ordered(*op, *lhs, *rhs) == ordered(*op, *other_lhs, *other_rhs),
        (
            InstKind::Call { func: callee, args },
            InstKind::Call {
                func: other_callee,
                args: other_args,
            },
        ) => {
            let sums = args.iter().zip(other_args);
            callee == other_callee
                && args.len() == other_args.len()
                && sums
                    .into_iter()
                    .all(|(&a, &b)| sum(func, a) == sum(func, b))
        }
        (a, b) => a == b,
    };
    equal && a.fast == b.fast && ty(a) == ty(b)
}

/// Operands of commutative operations in one order.
fn ordered(op: BinaryOp, lhs: Value, rhs: Value) -> (Value, Value) {
    match op.is_commutative() && lhs > rhs {
        true => (rhs, lhs),
        false => (lhs, rhs),
    }
}
