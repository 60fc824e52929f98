//! Text and DOT forms of the data-flow graph.

use super::{Dfg, DfgInst, DfgOp, Edge, Terminator, Test, ValueId, ValueKind};
use crate::cfg::{escape, quote};
use std::fmt::Write as _;

impl Dfg {
    /// The canonical text: no offset, no opcode, no version. Constants stand where they are used.
    pub fn to_text(&self) -> String {
        let mut out = format!("func {}({}):\n", self.name, self.params_text());
        for (i, block) in self.blocks.iter().enumerate() {
            let _ = writeln!(out, "{}:", self.block_head(i));
            for inst in &block.insts {
                let _ = writeln!(out, "  {}", self.inst_text(inst));
            }
            let _ = writeln!(out, "  {}", self.term_text(&block.term));
        }
        out
    }

    fn params_text(&self) -> String {
        use super::ParamKind;
        let mut parts = Vec::new();
        let mut star = false;
        for (i, param) in self.params.iter().enumerate() {
            let next = self.params.get(i + 1).map(|p| p.kind);
            match param.kind {
                ParamKind::PositionalOnly => {
                    parts.push(param.name.clone());
                    if next != Some(ParamKind::PositionalOnly) {
                        parts.push("/".to_owned());
                    }
                }
                ParamKind::PositionalOrKeyword => parts.push(param.name.clone()),
                ParamKind::VarPositional => {
                    star = true;
                    parts.push(format!("*{}", param.name));
                }
                ParamKind::KeywordOnly => {
                    if !std::mem::replace(&mut star, true) {
                        parts.push("*".to_owned());
                    }
                    parts.push(param.name.clone());
                }
                ParamKind::VarKeyword => parts.push(format!("**{}", param.name)),
            }
        }
        parts.join(", ")
    }

    fn block_head(&self, i: usize) -> String {
        let block = &self.blocks[i];
        let mut head = format!("bb{i}");
        if !block.params.is_empty() {
            let _ = write!(head, "({})", self.list(&block.params));
        }
        if let Some(caught) = block.caught {
            let _ = write!(head, " catch {caught}");
        }
        if let Some(handler) = &block.handler {
            let _ = write!(head, " except {}", self.edge(handler));
        }
        head
    }

    fn operand(&self, value: ValueId) -> String {
        match self.value(value).kind {
            ValueKind::Const(id) => self.consts[id.0 as usize].to_string(),
            ValueKind::Result | ValueKind::Param | ValueKind::Caught => value.to_string(),
        }
    }

    fn list(&self, values: &[ValueId]) -> String {
        values
            .iter()
            .map(|&v| self.operand(v))
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn edge(&self, edge: &Edge) -> String {
        if edge.args.is_empty() {
            edge.target.to_string()
        } else {
            format!("{}({})", edge.target, self.list(&edge.args))
        }
    }

    fn inst_text(&self, inst: &DfgInst) -> String {
        let o = |i: usize| {
            inst.operands
                .get(i)
                .map_or_else(|| "?".to_owned(), |&v| self.operand(v))
        };
        let variable = |id: super::VariableId| self.variables[id.0 as usize].name.as_str();
        let starred = |star: &[bool]| {
            let items = inst.operands.iter().enumerate().map(|(i, &v)| {
                let mark = if star.get(i) == Some(&true) { "*" } else { "" };
                format!("{mark}{}", self.operand(v))
            });
            items.collect::<Vec<_>>().join(", ")
        };
        let keywords = |names: &[String], values: &[ValueId]| -> Vec<String> {
            names
                .iter()
                .zip(values)
                .map(|(n, &v)| format!("{n}={}", self.operand(v)))
                .collect()
        };
        let text = match &inst.op {
            DfgOp::LoadVariable(id) => format!("load {}", variable(*id)),
            DfgOp::StoreVariable(id) => format!("store {}, {}", variable(*id), o(0)),
            DfgOp::DeleteVariable(id) => format!("delete {}", variable(*id)),
            DfgOp::CheckVariable {
                variable: id,
                captured,
            } => {
                let how = if *captured { " (captured)" } else { "" };
                format!("check {}{how}", variable(*id))
            }
            DfgOp::LoadCell(id) => format!("cell {}", variable(*id)),
            DfgOp::LoadGlobal(name) => format!("global {name}"),
            DfgOp::LoadBuiltin(builtin) => format!("builtin {}", builtin.name()),
            DfgOp::GetAttr(name) => format!("{}.{name}", o(0)),
            DfgOp::SetAttr(name) => format!("{}.{name} = {}", o(0), o(1)),
            DfgOp::DelAttr(name) => format!("delete {}.{name}", o(0)),
            DfgOp::LoadSpecial(special) => format!("special {}.{}", o(0), special.name()),
            DfgOp::Binary(op) => format!("{} {} {}", o(0), op.symbol(), o(1)),
            DfgOp::InplaceBinary(op) => format!("{} {}= {}", o(0), op.symbol(), o(1)),
            DfgOp::Unary(op) => format!("{} {}", op.symbol(), o(0)),
            DfgOp::Compare(op) => format!("{} {} {}", o(0), op.symbol(), o(1)),
            DfgOp::Is => format!("{} is {}", o(0), o(1)),
            DfgOp::IsNot => format!("{} is not {}", o(0), o(1)),
            DfgOp::In => format!("{} in {}", o(0), o(1)),
            DfgOp::NotIn => format!("{} not in {}", o(0), o(1)),
            DfgOp::GetItem => format!("{}[{}]", o(0), o(1)),
            DfgOp::SetItem => format!("{}[{}] = {}", o(0), o(1), o(2)),
            DfgOp::DelItem => format!("delete {}[{}]", o(0), o(1)),
            DfgOp::BuildTuple { star } => format!("tuple({})", starred(star)),
            DfgOp::BuildList { star } => format!("list({})", starred(star)),
            DfgOp::BuildSet { star } => format!("set({})", starred(star)),
            DfgOp::BuildMap { star } => format!("map({})", self.map_entries(inst, star).join(", ")),
            DfgOp::BuildSlice => format!("slice({})", self.list(&inst.operands)),
            DfgOp::BuildString => format!("string({})", self.list(&inst.operands)),
            DfgOp::Format => format!("format {}", self.list(&inst.operands)),
            DfgOp::Convert { repr: false } => format!("str {}", o(0)),
            DfgOp::Convert { repr: true } => format!("repr {}", o(0)),
            DfgOp::ListAppend => format!("list_append {}, {}", o(0), o(1)),
            DfgOp::ListExtend => format!("list_extend {}, {}", o(0), o(1)),
            DfgOp::SetAdd => format!("set_add {}, {}", o(0), o(1)),
            DfgOp::SetUpdate => format!("set_update {}, {}", o(0), o(1)),
            DfgOp::MapAdd => format!("map_add {}, {}, {}", o(0), o(1), o(2)),
            DfgOp::DictUpdate => format!("dict_update {}, {}", o(0), o(1)),
            DfgOp::DictMerge => format!("dict_merge {}, {}", o(0), o(1)),
            DfgOp::ListToTuple => format!("list_to_tuple {}", o(0)),
            DfgOp::Call { kwnames } => {
                let plain = inst.operands.len().saturating_sub(kwnames.len()).max(1);
                let mut args: Vec<String> = inst.operands[1..plain]
                    .iter()
                    .map(|&v| self.operand(v))
                    .collect();
                args.extend(keywords(kwnames, &inst.operands[plain..]));
                format!("call {}({})", o(0), args.join(", "))
            }
            DfgOp::CallEx { kwnames, kwargs } => {
                let mut args = vec![format!("*{}", o(1))];
                args.extend(keywords(kwnames, inst.operands.get(2..).unwrap_or(&[])));
                if *kwargs {
                    args.push(format!("**{}", o(inst.operands.len() - 1)));
                }
                format!("call {}({})", o(0), args.join(", "))
            }
            DfgOp::ObjectBlock(index) => {
                format!("object_block {index}({})", self.list(&inst.operands))
            }
            DfgOp::GetIter => format!("iter {}", o(0)),
            DfgOp::IterNext => format!("next {}", o(0)),
            DfgOp::Unpack { count } => format!("unpack {count} {}", o(0)),
            DfgOp::UnpackStar { before, after } => format!("unpack {before}+*+{after} {}", o(0)),
            DfgOp::MatchLen => format!("match_len {}", o(0)),
            DfgOp::MatchSequence => format!("match_sequence {}", o(0)),
            DfgOp::MatchMapping => format!("match_mapping {}", o(0)),
            DfgOp::MatchKeys => format!("match_keys {}: {}", o(0), o(1)),
            DfgOp::MatchClass { positional, names } => {
                let mut parts = vec![o(1), positional.to_string()];
                parts.extend(names.iter().map(|name| format!("{name}=")));
                format!("match_class {}: {}", o(0), parts.join(", "))
            }
            DfgOp::MakeFunction {
                code,
                defaults,
                kwdefaults,
                closure,
            } => {
                let mut parts = vec![self.consts[code.0 as usize].to_string()];
                let present = [
                    (*defaults, "defaults"),
                    (*kwdefaults, "kwdefaults"),
                    (*closure, "closure"),
                ];
                let present = present.iter().filter(|(has, _)| *has);
                parts.extend(
                    present
                        .zip(&inst.operands)
                        .map(|((_, n), &v)| format!("{n}={}", self.operand(v))),
                );
                format!("function {}", parts.join(", "))
            }
            DfgOp::Yield => format!("yield {}", o(0)),
            DfgOp::ExceptionMatch => format!("exception_match {}, {}", o(0), o(1)),
            DfgOp::PopExcept => "pop_except".to_owned(),
            DfgOp::WithExceptStart => format!("with_except {}, {}", o(0), o(1)),
        };
        if inst.results.is_empty() {
            text
        } else {
            format!("{} = {text}", self.list(&inst.results))
        }
    }

    fn map_entries(&self, inst: &DfgInst, star: &[bool]) -> Vec<String> {
        let mut entries = Vec::new();
        let mut operands = inst.operands.iter();
        let mut star = star.iter();
        while let Some(&first) = operands.next() {
            if star.next() == Some(&true) {
                entries.push(format!("**{}", self.operand(first)));
            } else if let Some(&value) = operands.next() {
                entries.push(format!("{}: {}", self.operand(first), self.operand(value)));
            }
        }
        entries
    }

    fn term_text(&self, term: &Terminator) -> String {
        match term {
            Terminator::Jump(edge) => format!("jump {}", self.edge(edge)),
            Terminator::Branch {
                cond,
                test,
                then,
                other,
            } => {
                let word = match test {
                    Test::Truth => "branch",
                    Test::HasItem => "branch_item",
                };
                format!(
                    "{word} {}, {}, {}",
                    self.operand(*cond),
                    self.edge(then),
                    self.edge(other)
                )
            }
            Terminator::Return {
                value,
                implicit: false,
            } => format!("return {}", self.operand(*value)),
            Terminator::Return { implicit: true, .. } => "return implicit".to_owned(),
            Terminator::Raise {
                exception: None, ..
            } => "raise".to_owned(),
            Terminator::Raise {
                exception: Some(e),
                cause: None,
            } => format!("raise {}", self.operand(*e)),
            Terminator::Raise {
                exception: Some(e),
                cause: Some(c),
            } => {
                format!("raise {} from {}", self.operand(*e), self.operand(*c))
            }
            Terminator::Reraise {
                exception,
                handled: None,
            } => format!("reraise {}", self.operand(*exception)),
            Terminator::Reraise {
                exception,
                handled: Some(handled),
            } => format!(
                "reraise {} while {}",
                self.operand(*exception),
                self.operand(*handled)
            ),
        }
    }

    /// Graphviz text: one node a block.
    pub fn to_dot(&self) -> String {
        let mut out = format!(
            "digraph {} {{\n  node [shape=box fontname=monospace];\n",
            quote(&self.name)
        );
        for (i, block) in self.blocks.iter().enumerate() {
            let mut label = format!("{}\\l", escape(&self.block_head(i)));
            for inst in &block.insts {
                let _ = write!(label, "  {}\\l", escape(&self.inst_text(inst)));
            }
            let _ = write!(label, "  {}\\l", escape(&self.term_text(&block.term)));
            let _ = writeln!(out, "  b{i} [label=\"{label}\"];");
            for edge in block.term.edges() {
                let _ = writeln!(out, "  b{i} -> b{};", edge.target.0);
            }
            if let Some(handler) = &block.handler {
                let _ = writeln!(out, "  b{i} -> b{} [style=dashed];", handler.target.0);
            }
        }
        out.push_str("}\n");
        out
    }
}
