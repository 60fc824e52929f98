//! New variables with unused names.

use crate::{Func, Var};
use numbra_base::{FxHashMap, FxHashSet};

/// Gives out variable names that the function does not use yet.
#[derive(Clone, Debug)]
pub struct FreshNames {
    used: FxHashSet<String>,
    next_temp: usize,
    next_version: FxHashMap<Var, u32>,
}

impl FreshNames {
    /// Linear in variables: make one per pass.
    pub fn new(func: &Func) -> FreshNames {
        FreshNames {
            used: func.vars.values().map(|v| v.name.clone()).collect(),
            next_temp: func.vars.len(),
            next_version: FxHashMap::default(),
        }
    }

    /// A new temporary.
    pub fn temp(&mut self, func: &mut Func) -> Var {
        loop {
            let name = format!("${}", self.next_temp);
            self.next_temp += 1;
            if self.used.insert(name.clone()) {
                return func.push_var(name);
            }
        }
    }

    /// A new variable of this name, else `x$2`, `x$3`, ...
    pub fn named(&mut self, func: &mut Func, base: &str) -> Var {
        let mut name = base.to_owned();
        let mut n = 1;
        while !self.used.insert(name.clone()) {
            n += 1;
            name = format!("{base}${n}");
        }
        func.push_var(name)
    }

    /// A new version `x.n` of the variable that `var` is or is a version of.
    pub fn version(&mut self, func: &mut Func, var: Var) -> Var {
        let base = func.vars[var].version_of.unwrap_or(var);
        let next = self.next_version.entry(base).or_insert(0);
        loop {
            *next += 1;
            let name = format!("{}.{next}", func.vars[base].name);
            if self.used.insert(name.clone()) {
                let new = func.push_var(name);
                func.vars[new].version_of = Some(base);
                return new;
            }
        }
    }
}
