//! What `place_refs` has to know: which references the function owns, and which of them keep a pointer valid.

use cranelift_entity::SecondaryMap;
use numbra_lir::analysis::{Cfg, Dominators};
use numbra_lir::{AliasClass, ConvertOp, Func, InstKind, Slot, Ty, Value, ValueDef};

/// Ownership of references and provenance of pointers.
pub(crate) struct RefRoots {
    owned: SecondaryMap<Value, bool>,
    roots: SecondaryMap<Value, Vec<Value>>,
}

impl RefRoots {
    /// True for a reference that the function holds a count of.
    pub(crate) fn is_owned(&self, value: Value) -> bool {
        self.owned[value]
    }

    /// Visits the owned references that a use of `value` needs alive.
    pub(crate) fn visit(&self, value: Value, mut visit: impl FnMut(Value)) {
        if self.owned[value] {
            visit(value);
        }
        self.roots[value].iter().for_each(|&v| visit(v));
    }

    /// `owned` is what [`owned`] says.
    pub(crate) fn new(
        func: &Func,
        cfg: &Cfg,
        doms: &Dominators,
        owned: SecondaryMap<Value, bool>,
    ) -> RefRoots {
        let roots = roots(func, cfg, doms, &owned);
        RefRoots { owned, roots }
    }
}

/// The slot that an address points into, if that is plain.
pub(crate) fn slot_of(func: &Func, mut addr: Value) -> Option<Slot> {
    loop {
        let ValueDef::Result(inst, _) = func.values[addr].def else {
            return None;
        };
        match func.insts[inst].kind {
            InstKind::SlotAddr(slot) => return Some(slot),
            InstKind::PtrAdd { base, .. } => addr = base,
            _ => return None,
        }
    }
}

/// The slot's reference field that a load or store of a reference accesses: `None` if it accesses no slot that has such fields,
/// `Some(None)` if its offset is not constant.
pub(super) fn field_of(func: &Func, kind: &InstKind) -> Option<Option<(Slot, u32)>> {
    let (addr, offset) = match *kind {
        InstKind::Load { addr, offset, .. } => (addr, offset),
        InstKind::Store {
            addr,
            offset,
            value,
            ..
        } if func.ty(value) == Ty::Ref => (addr, offset),
        _ => return None,
    };
    let slot = slot_of(func, addr).filter(|&slot| !func.slots[slot].refs.is_empty())?;
    let (mut at, mut sum) = (addr, Some(i128::from(offset)));
    while let Some(&InstKind::PtrAdd { base, offset }) = func.def(at) {
        let by = func.integer(offset);
        (at, sum) = (base, sum.and_then(|sum| sum.checked_add(by?)));
    }
    let offset = sum.and_then(|sum| u32::try_from(sum).ok());
    Some(offset.map(|offset| (slot, offset)))
}

/// References the function owns: what calls return, what it loads from memory that may change, and whatever merges such.
/// The others are borrowed for the whole call: parameters, null, references in argument blocks or constant memory.
pub(crate) fn owned(func: &Func, cfg: &Cfg) -> SecondaryMap<Value, bool> {
    let mut owned: SecondaryMap<Value, bool> = SecondaryMap::new();
    let mut work = Vec::new();
    // Who becomes owned when a value does.
    let mut merged_into: SecondaryMap<Value, Vec<Value>> = SecondaryMap::new();
    for &block in cfg.rpo() {
        let data = &func.blocks[block];
        for &inst in data.insts() {
            let inst = &func.insts[inst];
            for &result in &inst.results {
                if func.ty(result) != Ty::Ref {
                    continue;
                }
                match &inst.kind {
                    InstKind::Null | InstKind::Convert { .. } => {}
                    InstKind::Load { addr, flags, .. } => {
                        let lent = flags.readonly
                            || flags.alias == AliasClass::ARGS
                            || flags.alias == AliasClass::CONST;
                        let field = slot_of(func, *addr)
                            .is_some_and(|slot| !func.slots[slot].refs.is_empty());
                        if field || !lent {
                            work.push(result);
                        }
                    }
                    InstKind::Select { then, other, .. } => {
                        merged_into[*then].push(result);
                        merged_into[*other].push(result);
                    }
                    _ => work.push(result),
                }
            }
        }
        if let Some(term) = &data.term {
            for target in term.targets() {
                let params = &func.blocks[target.block].params;
                for (&param, &arg) in params.iter().zip(&target.args) {
                    if func.ty(param) == Ty::Ref {
                        merged_into[arg].push(param);
                    }
                }
            }
        }
    }
    while let Some(value) = work.pop() {
        if !std::mem::replace(&mut owned[value], true) {
            work.extend_from_slice(&merged_into[value]);
        }
    }
    owned
}

/// Owned references behind each pointer.
fn roots(
    func: &Func,
    cfg: &Cfg,
    doms: &Dominators,
    owned: &SecondaryMap<Value, bool>,
) -> SecondaryMap<Value, Vec<Value>> {
    let mut roots: SecondaryMap<Value, Vec<Value>> = SecondaryMap::new();
    roots.resize(func.values.len());
    loop {
        // In reverse post-order all that a value comes of is settled before it, but for what a back edge brings.
        let mut again = false;
        for &block in cfg.rpo() {
            let data = &func.blocks[block];
            // A pointer parameter may belong to any reference parameter beside it.
            for &param in &data.params {
                if block != func.entry() && matches!(func.ty(param), Ty::Ptr(_)) {
                    for &other in &data.params {
                        if owned[other] {
                            add(&mut roots, param, other);
                        }
                    }
                }
            }
            for &inst in data.insts() {
                inst_roots(func, inst, owned, &mut roots);
            }
            let Some(term) = &data.term else { continue };
            for target in term.targets() {
                let params = &func.blocks[target.block].params;
                let is_back = cfg.rpo_index(target.block) <= cfg.rpo_index(block);
                for (&param, &arg) in params.iter().zip(&target.args) {
                    for n in 0..roots[arg].len() {
                        let root = roots[arg][n];
                        let outlives = func.def_block(root).is_some_and(|def| {
                            def != target.block && doms.dominates(def, target.block)
                        });
                        if outlives {
                            again |= add(&mut roots, param, root) && is_back;
                        }
                    }
                }
            }
        }
        if !again {
            return roots;
        }
    }
}

fn inst_roots(
    func: &Func,
    inst: numbra_lir::Inst,
    owned: &SecondaryMap<Value, bool>,
    roots: &mut SecondaryMap<Value, Vec<Value>>,
) {
    let data = &func.insts[inst];
    let Some(&result) = data.results.first() else {
        return;
    };
    let from = |value: Value, roots: &mut SecondaryMap<Value, Vec<Value>>| {
        for n in 0..roots[value].len() {
            let root = roots[value][n];
            add(roots, result, root);
        }
    };
    match &data.kind {
        InstKind::Convert {
            op: ConvertOp::RefToPtr,
            arg,
        } if owned[*arg] => {
            add(roots, result, *arg);
        }
        InstKind::Convert { arg, .. } => from(*arg, roots),
        InstKind::PtrAdd { base, .. } => from(*base, roots),
        InstKind::Load { addr, .. } if matches!(func.ty(result), Ty::Ptr(_)) => {
            from(*addr, roots);
        }
        InstKind::Select { then, other, .. } if func.ty(result) != Ty::Ref => {
            from(*then, roots);
            from(*other, roots);
        }
        InstKind::Call { .. } | InstKind::CallIndirect { .. } => {
            // A pointer comes with the reference that owns what it points to.
            for &pointer in &data.results {
                if matches!(func.ty(pointer), Ty::Ptr(_)) {
                    for &other in &data.results {
                        if owned[other] {
                            add(roots, pointer, other);
                        }
                    }
                }
            }
        }
        _ => {}
    }
}

fn add(roots: &mut SecondaryMap<Value, Vec<Value>>, value: Value, root: Value) -> bool {
    if roots[value].contains(&root) {
        return false;
    }
    roots[value].push(root);
    true
}
