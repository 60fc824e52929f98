//! What accesses cannot touch the same memory, as alias scopes: one for each allocation of a function.

use super::names::Declarations;
use numbra_base::FxHashMap;
use numbra_lir::analysis::{Origins, Provenance};
use numbra_lir::{Func, Value};

/// The scopes of one function.
pub(super) struct Scopes {
    provenance: Option<Provenance>,
    /// A metadata node for each allocation.
    nodes: Vec<usize>,
    /// What accesses have beside them, by their origins.
    texts: FxHashMap<Origins, String>,
}

impl Scopes {
    pub(super) fn new(func: &Func, declarations: &mut Declarations) -> Scopes {
        let provenance = Provenance::new(func);
        let count = provenance.as_ref().map_or(0, Provenance::allocations);
        let mut nodes = Vec::new();
        if count > 0 {
            let domain = declarations.metadata(|n| format!("distinct !{{!{n}}}"));
            for _ in 0..count {
                nodes.push(declarations.metadata(|n| format!("distinct !{{!{n}, !{domain}}}")));
            }
        }
        Scopes {
            provenance,
            nodes,
            texts: FxHashMap::default(),
        }
    }

    /// What to write beside an access through `pointer`.
    pub(super) fn beside(&mut self, pointer: Value, declarations: &mut Declarations) -> String {
        let Some(provenance) = &self.provenance else {
            return String::new();
        };
        let origins = provenance.of(pointer);
        let nodes = &self.nodes;
        let text = self.texts.entry(origins).or_insert_with(|| {
            let mut text = String::new();
            if let Some(node) = origins.only_allocation().and_then(|n| nodes.get(n)) {
                let list = declarations.metadata(|_| format!("!{{!{node}}}"));
                text.push_str(&format!(", !alias.scope !{list}"));
            }
            let others: Vec<String> = (nodes.iter().enumerate())
                .filter(|(number, _)| !origins.may_be(*number))
                .map(|(_, node)| format!("!{node}"))
                .collect();
            if !others.is_empty() {
                let list = declarations.metadata(|_| format!("!{{{}}}", others.join(", ")));
                text.push_str(&format!(", !noalias !{list}"));
            }
            text
        });
        text.clone()
    }
}
