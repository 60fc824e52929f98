//! The choice among signatures that are fixed.

use super::state::{Dispatcher, Entry};
use super::value::FunctionRules;
use numbra_ir::lattice::{Conversion, can_convert_with};
use numbra_ir::{Type, Types};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::Arc;

impl Dispatcher {
    /// The entry that frozen signatures give for these argument types: the least conversion, unique.
    pub(super) fn best_match(&self, types: &Types, args: &[Type]) -> PyResult<Arc<Entry>> {
        let entries = self.entries();
        let mut best: Option<([usize; 3], Vec<Arc<Entry>>)> = None;
        for entry in entries {
            if entry.args.len() != args.len() {
                continue;
            }
            let mut cost = [0; 3];
            let fits = args.iter().zip(&entry.args).all(|(from, to)| {
                match can_convert_with(types, &FunctionRules, *from, *to) {
                    Some(Conversion::Exact) => true,
                    Some(Conversion::Promote) => {
                        cost[2] += 1;
                        true
                    }
                    Some(Conversion::Safe) => {
                        cost[1] += 1;
                        true
                    }
                    Some(Conversion::Unsafe) => {
                        cost[0] += 1;
                        true
                    }
                    None => false,
                }
            });
            if !fits {
                continue;
            }
            match &mut best {
                Some((least, found)) if *least == cost => found.push(entry),
                Some((least, _)) if *least < cost => {}
                _ => best = Some((cost, vec![entry])),
            }
        }
        let show = |args: &[Type]| {
            args.iter()
                .map(|t| types.display(*t).to_string())
                .collect::<Vec<_>>()
                .join(", ")
        };
        match best {
            None => Err(PyTypeError::new_err(format!(
                "No matching definition for argument type(s) {}",
                show(args)
            ))),
            Some((_, found)) if found.len() == 1 => Ok(found[0].clone()),
            Some((_, found)) => {
                let list: Vec<String> = found
                    .iter()
                    .map(|e| format!("({}) -> {}", show(&e.args), types.display(e.compiled.ret)))
                    .collect();
                Err(PyTypeError::new_err(format!(
                    "Ambiguous overloading for {} ({}):\n{}",
                    crate::python::enter(|py| self
                        .function
                        .bind(py)
                        .repr()
                        .map(|r| r.to_string()))?,
                    show(args),
                    list.join("\n")
                )))
            }
        }
    }
}
