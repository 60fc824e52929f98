//! Rules about modules, functions, blocks and uses.

use super::rules::Types;
use super::{Location, Phase, VerifyError};
use crate::analysis::{Cfg, Dominators};
use crate::{
    Block, Data, Func, FuncRef, Inst, InstKind, Linkage, Module, Terminator, Ty, Value, ValueDef,
};
use cranelift_entity::SecondaryMap;
use numbra_base::FxHashSet;

/// Machine code reaches its data by offsets of 31 bits.
const MOST_DATA: u64 = 1 << 30;

pub(super) fn check_module(module: &Module, errors: &mut Vec<VerifyError>) {
    let mut report = |rule, place, message: String| {
        errors.push(VerifyError {
            rule,
            place,
            message,
        });
    };
    let mut names = FxHashSet::default();
    for (id, decl) in module.functions.iter() {
        if !names.insert(&decl.name) {
            report(
                "names",
                Location::Function(id),
                format!("second function `{}`", decl.name),
            );
        }
    }
    let size = |data: &Data| data.bytes.len() as u64 + u64::from(data.zeros);
    let total: u64 = module.data.values().map(size).sum();
    if total > MOST_DATA {
        report(
            "data",
            Location::Module,
            format!("{total} bytes of data, where a module has at most {MOST_DATA}"),
        );
    }
    let mut names = FxHashSet::default();
    for (_, data) in module.data.iter() {
        if !names.insert(&data.name) {
            report(
                "names",
                Location::Module,
                format!("second data `{}`", data.name),
            );
        }
        if !data.align.is_power_of_two() {
            report(
                "data",
                Location::Module,
                format!("alignment {} of `{}`", data.align, data.name),
            );
        }
        for (offset, symbol) in &data.relocs {
            if u64::from(*offset) + 8 > data.bytes.len() as u64 {
                let message = format!(
                    "address of `{symbol}` at {offset} is outside `{}`",
                    data.name
                );
                report("data", Location::Module, message);
            }
        }
    }
}

pub(super) fn check_function(
    module: &Module,
    id: FuncRef,
    phase: Phase,
    errors: &mut Vec<VerifyError>,
) {
    let decl = &module.functions[id];
    let mut report = |rule, place, message: &str| {
        errors.push(VerifyError {
            rule,
            place,
            message: message.to_owned(),
        });
    };
    let place = Location::Function(id);
    if decl.linkage == Linkage::Kernel && (!decl.sig.results.is_empty() || decl.sig.raises) {
        report(
            "linkage",
            place,
            "a kernel has no results and does not raise",
        );
    }
    let Some(func) = &decl.body else {
        if decl.linkage != Linkage::Import {
            report("linkage", place, "a function without body is an import");
        }
        return;
    };
    if decl.linkage == Linkage::Import {
        report("linkage", place, "an import has no body");
    }
    if func.sig != decl.sig {
        report(
            "entry",
            place,
            "the body's signature differs from the declaration's",
        );
    }
    let entry = &func.blocks[func.entry()];
    let params: Vec<Ty> = entry.params.iter().map(|&v| func.ty(v)).collect();
    if !params.iter().eq(func.sig.params.iter().map(|p| &p.ty)) {
        report(
            "entry",
            Location::Block(id, func.entry()),
            "the entry's parameters differ from the signature's",
        );
    }
    for (slot, data) in func.slots.iter() {
        if !data.align.is_power_of_two() || data.align > 4096 {
            report(
                "slots",
                place,
                &format!("alignment {} of {slot}", data.align),
            );
        }
        let mut seen = FxHashSet::default();
        for &field in &data.refs {
            let inside = field % 8 == 0 && u64::from(field) + 8 <= u64::from(data.size);
            if !inside || !seen.insert(field) || data.align < 8 {
                report(
                    "slots",
                    place,
                    &format!("reference field {field} of {slot}"),
                );
            }
        }
    }
    Checker {
        module,
        func,
        id,
        phase,
        errors,
    }
    .body();
}

struct Checker<'a> {
    module: &'a Module,
    func: &'a Func,
    id: FuncRef,
    phase: Phase,
    errors: &'a mut Vec<VerifyError>,
}

impl Checker<'_> {
    fn report(&mut self, rule: &'static str, place: Location, message: impl Into<String>) {
        self.errors.push(VerifyError {
            rule,
            place,
            message: message.into(),
        });
    }

    fn body(&mut self) {
        for block in &self.func.layout {
            for &inst in self.func.blocks[block].insts() {
                self.inst(inst);
            }
            match &self.func.blocks[block].term {
                Some(term) => self.term(block, term),
                None => self.report(
                    "terminated",
                    Location::Block(self.id, block),
                    "the block has no terminator",
                ),
            }
        }
        self.dominance();
    }

    fn inst(&mut self, inst: Inst) {
        let data = &self.func.insts[inst];
        let place = Location::Inst(self.id, inst);
        let types = Types {
            module: self.module,
            func: self.func,
        };
        if let Err((rule, message)) = types.check(data) {
            self.report(rule, place, message);
        }
        match &data.kind {
            InstKind::Retain(_) | InstKind::Release(_) if self.phase == Phase::Built => {
                self.report("ownership", place, "counts references before place_refs");
            }
            InstKind::Device { op, .. } if op.is_convergent() => {
                let linkage = self.module.functions[self.id].linkage;
                if !matches!(linkage, Linkage::Kernel | Linkage::Device | Linkage::Local) {
                    self.report(
                        "device",
                        place,
                        "convergent operation in a function with unknown callers",
                    );
                }
            }
            _ => {}
        }
    }

    fn term(&mut self, block: Block, term: &Terminator) {
        let place = Location::Term(self.id, block);
        let func = self.func;
        match term {
            Terminator::Jump(_) => {}
            Terminator::Brif { cond, .. } | Terminator::Guard { cond, .. } => {
                if func.ty(*cond) != Ty::I1 {
                    self.report(
                        "types",
                        place,
                        format!("the condition is {}, not i1", func.ty(*cond)),
                    );
                }
            }
            Terminator::Switch { index, .. } => {
                let ty = func.ty(*index);
                if !matches!(ty, Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64) {
                    self.report("types", place, format!("the index is {ty}, not i8 to i64"));
                }
            }
            Terminator::Return(values) => {
                let types: Vec<Ty> = values.iter().map(|&v| func.ty(v)).collect();
                if types != func.sig.results {
                    self.report("return", place, "results differ from the signature's");
                }
            }
            Terminator::Fail => {
                if !func.sig.raises {
                    self.report("return", place, "the function does not raise");
                }
            }
        }
        for target in term.targets() {
            if target.block == func.entry() {
                self.report("entry", place, "branches to the entry");
            }
            let params = &func.blocks[target.block].params;
            let same = params.len() == target.args.len()
                && params
                    .iter()
                    .zip(&target.args)
                    .all(|(&p, &a)| func.ty(p) == func.ty(a));
            if !same {
                self.report(
                    "target",
                    place,
                    format!("arguments differ from the parameters of {}", target.block),
                );
            }
        }
    }

    fn dominance(&mut self) {
        let cfg = Cfg::new(self.func);
        let doms = Dominators::new(&cfg);
        // Where each value is defined: its block, and how many instructions of it come before.
        let mut defs: SecondaryMap<Value, (Option<Block>, u32)> = SecondaryMap::new();
        for block in &self.func.layout {
            let data = &self.func.blocks[block];
            for &param in &data.params {
                defs[param] = (Some(block), 0);
            }
            for (n, &inst) in data.insts().iter().enumerate() {
                for &result in &self.func.insts[inst].results {
                    defs[result] = (Some(block), n as u32 + 1);
                }
            }
        }
        for &block in cfg.rpo() {
            let available = |value: Value, at: u32| match defs[value] {
                (Some(def), n) if def == block => n <= at,
                (Some(def), _) => doms.dominates(def, block),
                (None, _) => false,
            };
            let mut bad = Vec::new();
            let data = &self.func.blocks[block];
            for (n, &inst) in data.insts().iter().enumerate() {
                self.func.insts[inst].kind.visit_operands(|v| {
                    if !available(v, n as u32) {
                        bad.push((Location::Inst(self.id, inst), v));
                    }
                });
            }
            if let Some(term) = &data.term {
                term.visit_operands(|v| {
                    if !available(v, data.insts().len() as u32) {
                        bad.push((Location::Term(self.id, block), v));
                    }
                });
            }
            for (place, value) in bad {
                let defined = match self.func.values[value].def {
                    ValueDef::Result(inst, _) => inst.to_string(),
                    ValueDef::Param(block, _) => block.to_string(),
                };
                self.report(
                    "dominance",
                    place,
                    format!("{value}, defined by {defined}, may be undefined here"),
                );
            }
        }
    }
}
