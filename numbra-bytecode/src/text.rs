//! Text forms of bytecode.

use crate::decode::{Bytecode, Instr};
use crate::op::Op;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Numba's offsets are CPython's plus this, but for the entry.
pub(crate) const NUMBA_SHIFT: u32 = 2;

impl Bytecode<'_> {
    /// The text that `NUMBA_DUMP_BYTECODE` prints: CPython's instructions, `>` at jump targets.
    pub fn dump(&self) -> String {
        let targets: BTreeSet<u32> = self.instrs.iter().filter_map(|i| i.op.target()).collect();
        let mut out = String::new();
        let mut line = self.code.firstlineno;
        // Numba puts a NOP in front and shifts CPython's offsets.
        let _ = writeln!(
            out,
            "> {:>10}\tNOP(arg=None, lineno={})",
            0, self.code.firstlineno
        );
        for unit in &self.raw {
            let mark = if targets.contains(&unit.start) || targets.contains(&unit.offset) {
                ">"
            } else {
                " "
            };
            if unit.span.is_known() {
                line = unit.span.line;
            }
            let arg = if unit.has_arg {
                unit.arg.to_string()
            } else {
                "None".to_owned()
            };
            let (offset, name) = (unit.offset + NUMBA_SHIFT, unit.opcode.name());
            let _ = writeln!(out, "{mark} {offset:>10}\t{name}(arg={arg}, lineno={line})");
        }
        out
    }

    /// Version-neutral instructions, one a line, with the names that operands stand for.
    pub fn to_text(&self) -> String {
        let targets: BTreeSet<u32> = self.instrs.iter().filter_map(|i| i.op.target()).collect();
        let mut out = String::new();
        for instr in &self.instrs {
            if instr.op == Op::Nop && !targets.contains(&instr.offset) {
                continue;
            }
            let mark = if targets.contains(&instr.offset) {
                ">"
            } else {
                " "
            };
            let _ = writeln!(
                out,
                "{mark}{:>6} {:<28} @{}",
                instr.offset,
                self.describe(instr),
                instr.span
            );
        }
        out
    }

    /// One instruction with names for indices.
    pub fn describe(&self, instr: &Instr) -> String {
        let variable = |i: u32| self.variables[i as usize].name.as_str();
        let name = |i: u32| self.code.names[i as usize].as_str();
        match instr.op {
            Op::LoadConst(i) => format!("LoadConst({})", self.constant(i)),
            Op::KwNames(i) => format!("KwNames({})", self.constant(i)),
            Op::LoadLocal(i) => format!("LoadLocal({})", variable(i)),
            Op::LoadLocalAndClear(i) => format!("LoadLocalAndClear({})", variable(i)),
            Op::StoreLocal(i) => format!("StoreLocal({})", variable(i)),
            Op::DeleteLocal(i) => format!("DeleteLocal({})", variable(i)),
            Op::LoadCell(i) => format!("LoadCell({})", variable(i)),
            Op::LoadGlobal(i) => format!("LoadGlobal({})", name(i)),
            Op::LoadAttr(i) => format!("LoadAttr({})", name(i)),
            Op::StoreAttr(i) => format!("StoreAttr({})", name(i)),
            Op::DeleteAttr(i) => format!("DeleteAttr({})", name(i)),
            op => op.to_string(),
        }
    }

    /// The instructions as JSON: `{"version", "name", "instructions": [{offset, op, span, target}]}`.
    pub fn to_json(&self) -> Value {
        let instructions: Vec<Value> = self
            .instrs
            .iter()
            .map(|i| {
                json!({
                    "offset": i.offset,
                    "op": self.describe(i),
                    "target": i.op.target(),
                    "span": i.span.to_string(),
                })
            })
            .collect();
        json!({ "version": self.version.name(), "name": self.code.name, "instructions": instructions })
    }
}

impl crate::Cfg {
    /// The graph as JSON: blocks by offset with edges, region, immediate dominators and loops.
    pub fn to_json(&self) -> Value {
        let flow = self.flow();
        let (idoms, ipdoms) = (
            flow.immediate_dominators(),
            flow.immediate_post_dominators(),
        );
        let name = |b: usize| self.blocks[b].offset;
        let blocks: Vec<Value> = (0..self.blocks.len())
            .map(|b| {
                let edges: Vec<Value> = self
                    .edges(b)
                    .into_iter()
                    .map(|(to, kind)| json!({ "to": name(to), "kind": kind }))
                    .collect();
                json!({
                    "offset": name(b),
                    "reachable": flow.is_reachable(b),
                    "edges": edges,
                    "region": self.blocks[b].region,
                    "immediate_dominator": idoms[b].map(name),
                    "immediate_post_dominator": ipdoms[b].map(name),
                })
            })
            .collect();
        let offsets = |set: &BTreeSet<usize>| set.iter().map(|&b| name(b)).collect::<Vec<_>>();
        let loops: Vec<Value> = flow
            .loops()
            .values()
            .map(|l| {
                json!({
                    "header": name(l.header),
                    "entries": offsets(&l.entries),
                    "exits": offsets(&l.exits),
                    "body": offsets(&l.body),
                })
            })
            .collect();
        json!({ "blocks": blocks, "regions": self.regions, "loops": loops })
    }
}
