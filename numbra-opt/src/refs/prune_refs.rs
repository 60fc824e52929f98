//! Removes counting that nothing needs: references whose object others keep alive meanwhile.
//!
//! ```text
//! before                               after
//!   v2: ref = load v1 array align 8      v2: ref = load v1 array align 8
//!   retain v2                            v3: ptr = ref_to_ptr v2
//!   v3: ptr = ref_to_ptr v2              v4: i64 = load v3+64 header align 8
//!   v4: i64 = load v3+64 header          guard v4 bounds, block1, block2
//!   guard v4 bounds, block1, block2    block1:
//! block1:                                return v4
//!   release v2                         block2 cold:
//!   return v4                            fail
//! block2 cold:
//!   release v2
//!   fail
//! ```
//!
//! What a reference was loaded from holds a count of its own, which only a call or a release of something else can end.

use numbra_base::{FxHashMap, FxHashSet};
use numbra_lir::analysis::{Cfg, effects};
use numbra_lir::{Block, Func, Inst, InstKind, Ty, Value, ValueDef};

/// Blocks between a retain and its releases; more are not looked at.
const MOST_BLOCKS: usize = 16;

pub(crate) fn prune_refs(func: &mut Func) {
    within_blocks(func);
    across_blocks(func);
}

/// True for what can neither end an object's life nor take what holds a count of it.
fn is_harmless(func: &Func, kind: &InstKind) -> bool {
    let does = effects(kind);
    match kind {
        InstKind::Store { value, .. } => func.ty(*value) != Ty::Ref,
        _ => !does.counts && does.writes.is_empty(),
    }
}

/// Removes a `retain` and the next `release` of the same value where nothing between them can end an object's life.
fn within_blocks(func: &mut Func) {
    let mut walk = func.layout.walk();
    while let Some(block) = walk.next(&func.layout) {
        let insts = func.take_insts(block);
        let mut out: Vec<Option<Inst>> = Vec::with_capacity(insts.len());
        let mut retains: Vec<(Value, usize)> = Vec::new();
        for inst in insts {
            match func.insts[inst].kind {
                InstKind::Retain(value) => retains.push((value, out.len())),
                InstKind::Release(value) => {
                    if let Some(n) = retains.iter().rposition(|&(v, _)| v == value) {
                        out[retains.remove(n).1] = None;
                        continue;
                    }
                    retains.clear();
                }
                ref kind if !is_harmless(func, kind) => retains.clear(),
                _ => {}
            }
            out.push(Some(inst));
        }
        func.set_insts(block, out.into_iter().flatten().collect());
    }
}

/// Does the same for values that are loaded and retained in one block and released in others.
fn across_blocks(func: &mut Func) {
    // Retains of each value, and how many releases it has.
    let mut retains: FxHashMap<Value, Vec<(Block, usize)>> = FxHashMap::default();
    let mut releases: FxHashMap<Value, usize> = FxHashMap::default();
    for block in &func.layout {
        for (at, &inst) in func.blocks[block].insts().iter().enumerate() {
            match func.insts[inst].kind {
                InstKind::Retain(value) => retains.entry(value).or_default().push((block, at)),
                InstKind::Release(value) => *releases.entry(value).or_default() += 1,
                _ => {}
            }
        }
    }
    let candidates = func.layout.iter().flat_map(|block| {
        let insts = func.blocks[block].insts().iter();
        insts.filter_map(|&inst| match func.insts[inst].kind {
            InstKind::Retain(value) => Some(value),
            _ => None,
        })
    });
    let once = candidates.filter(|value| {
        let loaded = match func.values[*value].def {
            ValueDef::Result(inst, _) => matches!(func.insts[inst].kind, InstKind::Load { .. }),
            ValueDef::Param(..) => false,
        };
        loaded && retains[value].len() == 1 && releases.contains_key(value)
    });
    let once: Vec<Value> = once.collect();
    if once.is_empty() {
        return;
    }
    let cfg = Cfg::new(func);
    let mut needless: FxHashSet<Value> = FxHashSet::default();
    for value in once {
        let (block, at) = retains[&value][0];
        if releases_found(func, &cfg, value, (block, at + 1)) == Some(releases[&value]) {
            needless.insert(value);
        }
    }
    let mut walk = func.layout.walk();
    while let Some(block) = walk.next(&func.layout) {
        func.retain_insts(block, |_, data| match data.kind {
            InstKind::Retain(value) | InstKind::Release(value) => !needless.contains(&value),
            _ => true,
        });
    }
}

/// The releases of a value in which all ways from here end, if the value is harmed and handed on nowhere before.
fn releases_found(func: &Func, cfg: &Cfg, value: Value, from: (Block, usize)) -> Option<usize> {
    let mut seen: FxHashSet<Block> = FxHashSet::default();
    let mut todo = vec![from];
    let mut found = 0;
    while let Some((block, start)) = todo.pop() {
        if releases_in(func, block, start, value)? {
            found += 1;
            continue;
        }
        let mut handed_on = false;
        if let Some(term) = &func.blocks[block].term {
            term.visit_operands(|operand| handed_on |= operand == value);
        }
        let ends = cfg.succs(block).is_empty();
        if handed_on || ends || seen.len() > MOST_BLOCKS {
            return None;
        }
        for &next in cfg.succs(block) {
            if seen.insert(next) {
                todo.push((next, 0));
            }
        }
    }
    Some(found)
}

/// Whether a block releases the value, from an instruction on; `None` if something harms or takes it before.
fn releases_in(func: &Func, block: Block, start: usize, value: Value) -> Option<bool> {
    // Once others are released, the object may be gone, which nobody notices who only counts.
    let mut counting = false;
    for &inst in &func.blocks[block].insts()[start..] {
        let kind = &func.insts[inst].kind;
        match *kind {
            InstKind::Release(released) if released == value => return Some(true),
            InstKind::Release(_) => counting = true,
            InstKind::Retain(_) if !counting => {}
            _ if counting || !is_harmless(func, kind) => return None,
            _ => {}
        }
    }
    (!counting).then_some(false)
}
