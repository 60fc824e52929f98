//! Sets of variables, dense.

use crate::{EntityRef, Var};

/// A set of variables of one function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VarSet {
    words: Vec<u64>,
}

impl VarSet {
    /// The empty set, with room for `len` variables.
    pub fn new(len: usize) -> VarSet {
        VarSet {
            words: vec![0; len.div_ceil(64)],
        }
    }

    /// All of the first `len` variables.
    pub fn full(len: usize) -> VarSet {
        let mut set = VarSet::new(len);
        for i in 0..len {
            set.insert(Var::new(i));
        }
        set
    }

    /// Adds a variable; true if it was not in.
    pub fn insert(&mut self, var: Var) -> bool {
        let (word, bit) = (var.index() / 64, 1 << (var.index() % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Takes a variable out.
    pub fn remove(&mut self, var: Var) {
        if let Some(word) = self.words.get_mut(var.index() / 64) {
            *word &= !(1 << (var.index() % 64));
        }
    }

    /// Is the variable in?
    pub fn contains(&self, var: Var) -> bool {
        let word = self.words.get(var.index() / 64).copied().unwrap_or(0);
        word & (1 << (var.index() % 64)) != 0
    }

    /// Adds all of `other`; true if that changed anything.
    pub fn union(&mut self, other: &VarSet) -> bool {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut changed = false;
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            changed |= *b & !*a != 0;
            *a |= b;
        }
        changed
    }

    /// Keeps what is also in `other`; true if that changed anything.
    pub fn intersect(&mut self, other: &VarSet) -> bool {
        let mut changed = false;
        for (i, a) in self.words.iter_mut().enumerate() {
            let b = other.words.get(i).copied().unwrap_or(0);
            changed |= *a & !b != 0;
            *a &= b;
        }
        changed
    }

    /// Members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Var> + '_ {
        self.words.iter().enumerate().flat_map(|(i, word)| {
            (0..64)
                .filter(move |bit| word & (1 << bit) != 0)
                .map(move |bit| Var::new(i * 64 + bit))
        })
    }

    /// True without members.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|w| *w == 0)
    }
}

impl Extend<Var> for VarSet {
    fn extend<I: IntoIterator<Item = Var>>(&mut self, vars: I) {
        for var in vars {
            self.insert(var);
        }
    }
}

impl FromIterator<Var> for VarSet {
    fn from_iter<I: IntoIterator<Item = Var>>(vars: I) -> VarSet {
        let mut set = VarSet::default();
        set.extend(vars);
        set
    }
}
