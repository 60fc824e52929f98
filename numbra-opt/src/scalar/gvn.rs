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

use crate::edit::rename::Renames;
use crate::scalar::fold::{Folded, address, constant_kind, def, fold, integer};
use cranelift_entity::SecondaryMap;
use numbra_base::FxHashMap;
use numbra_lir::analysis::{AliasSet, Cfg, Dominators, Effects, Loops, effects};
use numbra_lir::interp::ops;
use numbra_lir::{
    AliasClass, Align, BinaryOp, Block, Facts, FastMath, Func, Inst, InstData, InstKind, MemFlags,
    Module, Ty, Value, Values,
};
use smallvec::{SmallVec, smallvec};

/// Classes with versions of their own; higher ones share the last.
const VERSIONED_ALIAS_CLASSES: usize = 8;

/// Version of the memory of each class; that of class `any` renews with every write.
type Versions = [u32; VERSIONED_ALIAS_CLASSES];

/// An expression: operation, types of its results, for loads the version of their memory.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    kind: InstKind,
    ty: Option<Ty>,
    fast: FastMath,
    version: u32,
    /// What is added to the arguments of a call.
    added: SmallVec<[i128; 1]>,
}

/// Where the expression is available.
#[derive(Clone)]
struct Available {
    block: Block,
    values: Values,
}

struct Gvn<'a> {
    func: &'a mut Func,
    doms: Dominators,
    table: FxHashMap<Key, SmallVec<[Available; 1]>>,
    renames: Renames,
    next_version: u32,
    changed: bool,
}

pub(crate) fn gvn(func: &mut Func, _: &Module) -> bool {
    let cfg = Cfg::new(func);
    let doms = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &doms);
    // What the blocks of each loop write.
    let mut block_writes: SecondaryMap<Block, AliasSet> = SecondaryMap::new();
    let mut loop_writes: SecondaryMap<Block, AliasSet> = SecondaryMap::new();
    for &block in cfg.rpo() {
        let writes = func.blocks[block]
            .insts
            .iter()
            .fold(AliasSet::NONE, |set, &inst| {
                set.union(effects_of(&func.insts[inst]).writes)
            });
        block_writes[block] = writes;
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
        doms,
        table: FxHashMap::default(),
        renames: Renames::new(),
        next_version: 1,
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
    changed
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
            let written = back_edges && (!natural || loop_writes.overlaps(class_set(class)));
            if !agree || written {
                out[class] = self.fresh();
            }
        }
        out
    }

    fn block(&mut self, block: Block, versions: &mut Versions) {
        let insts = std::mem::take(&mut self.func.blocks[block].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            self.func.insts[inst]
                .kind
                .for_each_operand(|v| *v = self.renames.resolve(*v));
            self.simplify(inst, &mut kept);
            if !self.number(block, inst, versions) {
                kept.push(inst);
            }
        }
        self.func.blocks[block].insts = kept;
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
            let data = &self.func.insts[inst];
            if let InstKind::Store {
                addr,
                offset,
                value,
                flags,
            } = &data.kind
                && !flags.volatile
            {
                let value = *value;
                let kind = load_key(*addr, *offset, flags);
                let key = Key {
                    kind,
                    ty: Some(self.func.ty(value)),
                    fast: FastMath::empty(),
                    version: versions[class_index(flags.alias)],
                    added: SmallVec::new(),
                };
                self.table.entry(key).or_default().push(Available {
                    block,
                    values: smallvec![value],
                });
            }
            return false;
        }
        let mut added = SmallVec::new();
        let (kind, version) = match &data.kind {
            InstKind::Load {
                addr,
                offset,
                flags,
            } if !flags.volatile => {
                let constant = flags.readonly || flags.alias == AliasClass::CONST;
                let version = if constant {
                    0
                } else {
                    versions[class_index(flags.alias)]
                };
                (load_key(*addr, *offset, flags), version)
            }
            InstKind::Call { .. } if data.facts.contains(Facts::PURE) => {
                let mut kind = data.kind.clone();
                kind.for_each_operand(|arg| {
                    let (base, more) = sum(self.func, *arg);
                    *arg = base;
                    added.push(more);
                });
                (kind, 0)
            }
            _ if does.speculatable && !data.results.is_empty() && !does.convergent => {
                (ordered(&data.kind), 0)
            }
            _ => return false,
        };
        let key = Key {
            kind,
            ty: data.results.first().map(|&v| self.func.ty(v)),
            fast: data.fast,
            version,
            added,
        };
        let candidates = self.table.entry(key).or_default();
        let found = candidates
            .iter()
            .rev()
            .find(|a| self.doms.dominates(a.block, block));
        if let Some(found) = found {
            for (&old, &new) in data.results.iter().zip(&found.values) {
                self.renames.replace(old, new);
            }
            return true;
        }
        if candidates.len() == 4 {
            candidates.remove(0);
        }
        candidates.push(Available {
            block,
            values: data.results.clone(),
        });
        false
    }

    fn write(&mut self, set: AliasSet, versions: &mut Versions) {
        for (class, version) in versions.iter_mut().enumerate() {
            if class == 0 || set.overlaps(class_set(class)) {
                self.next_version += 1;
                *version = self.next_version;
            }
        }
    }
}

/// As many additions of constants are looked through.
const MAX_ADD_CHAIN: usize = 16;

fn effects_of(data: &InstData) -> Effects {
    match &data.kind {
        // It may not end.
        InstKind::Call { .. } if data.facts.contains(Facts::PURE) => Effects {
            removable: false,
            speculatable: false,
            ..Effects::PURE
        },
        kind => effects(kind),
    }
}

/// An integer as another one and the constants that are added to it; these wrap as it does.
fn sum(func: &Func, value: Value) -> (Value, i128) {
    let ty = func.ty(value);
    let (mut base, mut added) = (value, 0_i128);
    for _ in 0..MAX_ADD_CHAIN {
        let Some(InstKind::Binary { op, lhs, rhs }) = def(func, base) else {
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

/// A load as a place: how it is aligned and by which name it is reached does not matter.
fn load_key(addr: Value, offset: i32, flags: &MemFlags) -> InstKind {
    InstKind::Load {
        addr,
        offset,
        flags: MemFlags {
            alias: flags.alias,
            align: Align(1),
            readonly: false,
            volatile: false,
        },
    }
}

/// Operands of commutative operations in one order.
fn ordered(kind: &InstKind) -> InstKind {
    match kind {
        InstKind::Binary { op, lhs, rhs } if op.is_commutative() && lhs > rhs => InstKind::Binary {
            op: *op,
            lhs: *rhs,
            rhs: *lhs,
        },
        other => other.clone(),
    }
}
