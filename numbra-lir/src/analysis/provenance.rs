//! What memory pointers may be into: allocations of the function itself, or memory that is none of them.

use super::Cfg;
use crate::{AliasClass, ConvertOp, Func, Inst, InstKind, NativeFn, Terminator, Ty, Value};
use cranelift_entity::SecondaryMap;
use numbra_abi::{HEADER, NativeId};
use numbra_base::FxHashMap;

/// Number of the field of a header that points to what it manages.
const HEADER_DATA: usize = 3;

/// A set of places where memory comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Origins(u64);

impl Origins {
    /// Anything.
    const UNKNOWN: Origins = Origins(1);
    /// Memory that was there when the function was entered, its slots, constants: no allocation of the function.
    const OLD: Origins = Origins(2);
    /// Allocations that are told apart; later ones are unknown.
    const MOST: usize = 62;

    fn allocation(number: usize) -> Origins {
        match number {
            0..Origins::MOST => Origins(4 << number),
            _ => Origins::UNKNOWN,
        }
    }

    /// The number of the one allocation that this is.
    pub fn only_allocation(self) -> Option<usize> {
        let number = self.0.trailing_zeros() as usize;
        (self.0.count_ones() == 1 && number >= 2).then(|| number - 2)
    }

    /// True if memory of the allocation may be meant.
    pub fn may_be(self, allocation: usize) -> bool {
        self.0 & (Origins::UNKNOWN.0 | Origins::allocation(allocation).0) != 0
    }

    /// True if memory of one cannot be memory of the other.
    pub fn is_apart_from(self, other: Origins) -> bool {
        let both = self.0 | other.0;
        self.0 & other.0 == 0 && both & Origins::UNKNOWN.0 == 0
    }

    fn union(self, other: Origins) -> Origins {
        Origins(self.0 | other.0)
    }
}

/// Where the memory behind each pointer and reference of a function comes from.
///
/// Two pointers whose origins have nothing in common never point to the same living memory: an allocation is disjoint from
/// all memory that is older, and from other allocations. What is loaded from memory may be anything, for an allocation's
/// address may have been stored there.
pub struct Provenance {
    origins: SecondaryMap<Value, Origins>,
    allocations: usize,
}

/// True for runtime symbols that return new memory.
pub fn returns_new_memory(native: &NativeFn) -> bool {
    *native == NativeId::Alloc.into() || *native == NativeId::AllocZeroed.into()
}

impl Provenance {
    /// `None` if the function allocates nothing.
    pub fn new(func: &Func) -> Option<Provenance> {
        let insts = func.layout.iter().flat_map(|b| func.blocks[b].insts());
        let allocations: FxHashMap<Inst, usize> = insts
            .copied()
            .filter(|&inst| is_allocation(func, inst))
            .enumerate()
            .map(|(number, inst)| (inst, number))
            .collect();
        if allocations.is_empty() {
            return None;
        }
        let mut this = Provenance {
            origins: SecondaryMap::new(),
            allocations: allocations.len().min(Origins::MOST),
        };
        let cfg = Cfg::new(func);
        for &param in &func.blocks[func.entry()].params {
            this.origins[param] = Origins::OLD;
        }
        while this.pass(func, &cfg, &allocations) {}
        Some(this)
    }

    /// Allocations that are told apart.
    pub fn allocations(&self) -> usize {
        self.allocations
    }

    /// Where the memory behind a pointer comes from.
    pub fn of(&self, pointer: Value) -> Origins {
        self.origins[pointer]
    }

    /// Hands origins on once; true if something is new.
    fn pass(&mut self, func: &Func, cfg: &Cfg, allocations: &FxHashMap<Inst, usize>) -> bool {
        let mut changed = false;
        for &block in cfg.rpo() {
            for &inst in func.blocks[block].insts() {
                for &result in &func.insts[inst].results {
                    if is_pointer(func.ty(result)) {
                        let found = self.result(func, inst, allocations);
                        changed |= self.add(result, found);
                    }
                }
            }
            let targets = func.blocks[block].term.iter().flat_map(Terminator::targets);
            for target in targets {
                let params = &func.blocks[target.block].params;
                for (&param, &arg) in params.iter().zip(&target.args) {
                    if is_pointer(func.ty(param)) {
                        changed |= self.add(param, self.origins[arg]);
                    }
                }
            }
        }
        changed
    }

    fn add(&mut self, value: Value, origins: Origins) -> bool {
        let old = self.origins[value];
        self.origins[value] = old.union(origins);
        self.origins[value] != old
    }

    fn result(&self, func: &Func, inst: Inst, allocations: &FxHashMap<Inst, usize>) -> Origins {
        match &func.insts[inst].kind {
            InstKind::PtrAdd { base, .. } => self.origins[*base],
            InstKind::Convert {
                op: ConvertOp::RefToPtr | ConvertOp::AddrSpaceCast | ConvertOp::Bitcast,
                arg,
            } if is_pointer(func.ty(*arg)) => self.origins[*arg],
            InstKind::Select { then, other, .. } => self.origins[*then].union(self.origins[*other]),
            // The data of an array belongs to its header.
            InstKind::Load {
                addr,
                offset,
                flags,
            } if flags.readonly
                && flags.alias == AliasClass::HEADER
                && *offset == HEADER.offset(HEADER_DATA) as i32 =>
            {
                self.origins[*addr]
            }
            InstKind::Null => Origins::default(),
            InstKind::SlotAddr(_) | InstKind::DataAddr(_) | InstKind::FuncAddr(_) => Origins::OLD,
            _ => match allocations.get(&inst) {
                Some(&number) => Origins::allocation(number),
                None => Origins::UNKNOWN,
            },
        }
    }
}

fn is_allocation(func: &Func, inst: Inst) -> bool {
    matches!(&func.insts[inst].kind, InstKind::CallNative { callee, .. } if returns_new_memory(callee))
}

fn is_pointer(ty: Ty) -> bool {
    matches!(ty, Ty::Ptr(_) | Ty::Ref)
}
