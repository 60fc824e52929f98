//! The table behind [`Types`](crate::Types): every type that somebody holds, once, with the number of its holders.

use crate::types::fixed_kinds;
use crate::{ExtModel, ModelSource, Type, TypeKind};
use elsa::sync::FrozenMap;
use numbra_base::FxHashMap;
use rustc_hash::FxBuildHasher;
use std::collections::hash_map::Entry;
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

/// Types that several views share. A type leaves when the last view that holds it goes.
#[derive(Default)]
pub(crate) struct Table {
    slots: Mutex<Slots>,
    /// What values of types that Python code defines are, by number.
    models: RwLock<FxHashMap<u32, Arc<ExtModel>>>,
    source: OnceLock<ModelSource>,
}

#[derive(Default)]
struct Slots {
    by_number: FxHashMap<u32, Slot>,
    /// The first type with a hash. A kind is kept once, in its slot.
    by_hash: FxHashMap<u64, Type>,
    /// The others, which share a hash with another type.
    colliding: FxHashMap<TypeKind, Type>,
    /// Where the search for a free number goes on. Numbers are used again only after all others.
    next: u32,
}

struct Slot {
    kind: Arc<TypeKind>,
    hash: u64,
    /// Views that hold the type, and types that have it as a part.
    holders: usize,
}

/// The types that one view holds, by number.
pub(crate) type Held = FrozenMap<u32, Arc<TypeKind>>;

impl Table {
    fn slots(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The type of this kind, which `held` holds from now on. The parts of `kind` are held by somebody.
    pub(crate) fn intern(&self, kind: TypeKind, held: &Held) -> Type {
        let hash = FxBuildHasher.hash_one(&kind);
        if let Some(ty) = fixed_kinds().by_hash.get(&hash)
            && fixed_kinds().kinds[ty.index() as usize] == kind
        {
            return *ty;
        }
        let mut slots = self.slots();
        let ty = match slots.find(hash, &kind) {
            Some(ty) => ty,
            None => slots.add(hash, kind),
        };
        slots.hold(ty, held);
        ty
    }

    /// Makes `held` hold a type of this table; false where there is none of this number.
    pub(crate) fn hold(&self, ty: Type, held: &Held) -> bool {
        self.slots().hold(ty, held)
    }

    /// True if somebody holds a type of this number.
    pub(crate) fn contains(&self, index: u32) -> bool {
        self.slots().by_number.contains_key(&index)
    }

    /// Takes back what `held` holds.
    pub(crate) fn release(&self, held: &Held) {
        let mut slots = self.slots();
        for index in held.keys_cloned() {
            slots.release(Type::from_index(index));
        }
    }

    pub(crate) fn set_model_source(&self, source: ModelSource) {
        // Whoever is first stays.
        let _ = self.source.set(source);
    }

    pub(crate) fn model_source(&self) -> Option<ModelSource> {
        self.source.get().copied()
    }

    pub(crate) fn model(&self, ty: Type) -> Option<Arc<ExtModel>> {
        let models = self.models.read().unwrap_or_else(PoisonError::into_inner);
        models.get(&ty.index()).cloned()
    }

    /// The type and the types of the fields are held from now on: a model may be recursive.
    pub(crate) fn define_model(&self, ty: Type, model: Arc<ExtModel>) {
        let mut models = self.models.write().unwrap_or_else(PoisonError::into_inner);
        if models.contains_key(&ty.index()) {
            return;
        }
        let mut slots = self.slots();
        for held in model.fields.iter().map(|field| field.ty).chain([ty]) {
            if let Some(slot) = slots.by_number.get_mut(&held.index()) {
                slot.holders += 1;
            }
        }
        drop(slots);
        models.insert(ty.index(), model);
    }

    /// How many types there are beside the fixed ones.
    pub(crate) fn len(&self) -> usize {
        self.slots().by_number.len()
    }
}

impl Slots {
    fn find(&self, hash: u64, kind: &TypeKind) -> Option<Type> {
        let first = *self.by_hash.get(&hash)?;
        let same = self
            .by_number
            .get(&first.index())
            .is_some_and(|slot| *slot.kind == *kind);
        if same {
            return Some(first);
        }
        self.colliding.get(kind).copied()
    }

    fn add(&mut self, hash: u64, kind: TypeKind) -> Type {
        let fixed = fixed_kinds().kinds.len() as u32;
        self.next = self.next.max(fixed);
        while self.by_number.contains_key(&self.next) {
            self.next = self.next.wrapping_add(1).max(fixed);
        }
        let ty = Type::from_index(self.next);
        self.next = self.next.wrapping_add(1);
        kind.for_each_part(&mut |part| {
            if let Some(slot) = self.by_number.get_mut(&part.index()) {
                slot.holders += 1;
            }
        });
        match self.by_hash.entry(hash) {
            Entry::Occupied(_) => {
                self.colliding.insert(kind.clone(), ty);
            }
            Entry::Vacant(free) => {
                free.insert(ty);
            }
        }
        let slot = Slot {
            kind: Arc::new(kind),
            hash,
            holders: 0,
        };
        self.by_number.insert(ty.index(), slot);
        ty
    }

    fn hold(&mut self, ty: Type, held: &Held) -> bool {
        let Some(slot) = self.by_number.get_mut(&ty.index()) else {
            return false;
        };
        if held.get(&ty.index()).is_none() {
            slot.holders += 1;
            held.insert(ty.index(), Arc::clone(&slot.kind));
        }
        true
    }

    /// One holder less; a type that nobody holds goes, and no longer holds its parts.
    fn release(&mut self, ty: Type) {
        let mut released = vec![ty];
        while let Some(ty) = released.pop() {
            let Some(slot) = self.by_number.get_mut(&ty.index()) else {
                continue;
            };
            slot.holders -= 1;
            if slot.holders > 0 {
                continue;
            }
            let Some(gone) = self.by_number.remove(&ty.index()) else {
                continue;
            };
            if self.by_hash.get(&gone.hash) == Some(&ty) {
                self.by_hash.remove(&gone.hash);
                self.promote(gone.hash);
            } else {
                self.colliding.remove(&*gone.kind);
            }
            gone.kind.for_each_part(&mut |part| released.push(part));
        }
        self.shrink();
    }

    /// Makes another type with this hash the first of them.
    fn promote(&mut self, hash: u64) {
        let same_hash = |kind: &&TypeKind| FxBuildHasher.hash_one(*kind) == hash;
        if let Some(kind) = self.colliding.keys().find(same_hash).cloned()
            && let Some(ty) = self.colliding.remove(&kind)
        {
            self.by_hash.insert(hash, ty);
        }
    }

    /// Gives back the memory of many types that are gone.
    fn shrink(&mut self) {
        if self.by_number.capacity() > 1024 && self.by_number.capacity() / 8 > self.by_number.len()
        {
            self.by_number.shrink_to(self.by_number.len() * 2);
            self.by_hash.shrink_to(self.by_hash.len() * 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Const, Type, TypeKind, Types};

    fn literal(types: &Types, value: i64) -> Type {
        types.intern(TypeKind::Literal(Const::Int(value)))
    }

    #[test]
    fn types_go_with_the_last_view_that_holds_them() {
        let types = Types::new();
        let (first, second) = (types.view(), types.view());
        let ty = literal(&first, 7);
        assert_eq!(literal(&second, 7), ty);
        assert_eq!(types.table_len(), 1);
        drop(first);
        assert_eq!(second.display(ty).to_string(), "Literal[int](7)");
        drop(second);
        assert!(!types.contains(ty.index()));
        assert_eq!(types.table_len(), 0);
    }

    #[test]
    fn a_type_holds_its_parts() {
        let types = Types::new();
        let (first, second) = (types.view(), types.view());
        let parts = [literal(&first, 1), literal(&first, 2), literal(&first, 1)];
        let outer = first.optional(first.tuple(&parts));
        second.hold(outer);
        drop(first);
        assert_eq!(types.table_len(), 4);
        let text = "OptionalType(Tuple(Literal[int](1), Literal[int](2), Literal[int](1)))";
        assert_eq!(second.display(outer).to_string(), text);
        drop(second);
        assert_eq!(types.table_len(), 0);
    }

    #[test]
    fn looking_at_a_type_holds_it() {
        let types = Types::new();
        let (first, second) = (types.view(), types.view());
        let ty = literal(&first, 3);
        assert!(matches!(second.kind(ty), TypeKind::Literal(_)));
        drop(first);
        assert!(second.contains(ty.index()));
        assert_eq!(literal(&types, 3), ty);
    }

    #[test]
    fn a_clone_is_the_same_view() {
        let types = Types::new();
        let first = types.view();
        let ty = literal(&first, 3);
        let clone = first.clone();
        drop(first);
        assert_eq!(literal(&clone, 3), ty);
        drop(clone);
        assert_eq!(types.table_len(), 0);
    }

    #[test]
    fn many_compilations_leave_nothing() {
        let types = Types::new();
        literal(&types, -1);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let types = &types;
                scope.spawn(move || {
                    for round in 0..500 {
                        let view = types.view();
                        let items: Vec<Type> = (0..10)
                            .map(|n| literal(&view, round % 50 + n * thread))
                            .collect();
                        let tuple = view.tuple(&items);
                        assert_eq!(view.tuple_items(tuple), Some(items));
                    }
                });
            }
        });
        assert_eq!(types.table_len(), 1);
    }
}
