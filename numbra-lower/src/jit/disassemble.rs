//! Text of machine code, whichever generator made it.

use iced_x86::{
    Decoder, DecoderOptions, Formatter, GasFormatter, Instruction, Mnemonic, OpKind,
    SymbolResolver, SymbolResult,
};
use numbra_lir::artifact::{Artifact, Definition};
use std::collections::BTreeMap;
use std::fmt::Write;

/// GNU-style assembly of a defined function, with symbol names, local labels and source lines; `None` if there is no such
/// function. Offsets count from the start of the function.
pub fn disassemble(artifact: &Artifact, function: &str) -> Option<String> {
    let (_, place) = artifact.defined(function)?;
    let code = artifact.code(place);
    let labels = labels(code);
    let resolver = Names {
        relocations: relocations(artifact, place),
        labels: labels.clone(),
    };
    let mut formatter = GasFormatter::with_options(Some(Box::new(resolver)), None);
    formatter.options_mut().set_first_operand_char_index(8);
    formatter.options_mut().set_rip_relative_addresses(true);
    let mut out = format!("{function}:\n");
    let mut line = 0;
    let mut text = String::new();
    for instruction in Decoder::with_ip(64, code, 0, DecoderOptions::NONE).iter() {
        let at = instruction.ip();
        if let Some(label) = labels.get(&at) {
            let _ = writeln!(out, ".L{label}:");
        }
        let span = artifact.span_at(place.section, place.offset + at as u32);
        if let Some(span) = span.filter(|s| s.is_known() && s.line != line) {
            line = span.line;
            let file = artifact.files.get(span.file.0 as usize);
            let _ = writeln!(out, "    # {}:{line}", file.map_or("?", |f| f));
        }
        text.clear();
        formatter.format(&instruction, &mut text);
        let _ = writeln!(out, "{at:6x}:  {text}");
    }
    Some(out)
}

/// Targets of branches inside the function, numbered in order.
fn labels(code: &[u8]) -> BTreeMap<u64, usize> {
    let len = code.len() as u64;
    let targets: BTreeMap<u64, usize> = Decoder::with_ip(64, code, 0, DecoderOptions::NONE)
        .iter()
        .filter(|i| i.op0_kind() == OpKind::NearBranch64 && i.mnemonic() != Mnemonic::Call)
        .map(|i| (i.near_branch_target(), 0))
        .filter(|&(target, _)| target < len)
        .collect();
    targets
        .into_keys()
        .enumerate()
        .map(|(number, target)| (target, number))
        .collect()
}

/// Names by the offset of the relocated bytes in the function.
fn relocations(artifact: &Artifact, place: Definition) -> BTreeMap<u64, String> {
    let range = place.offset..place.offset + place.size;
    artifact
        .relocations
        .iter()
        .filter(|r| r.section == place.section && range.contains(&r.offset))
        .map(|r| {
            let at = u64::from(r.offset - place.offset);
            (at, artifact.symbols[r.symbol].name.clone())
        })
        .collect()
}

struct Names {
    relocations: BTreeMap<u64, String>,
    labels: BTreeMap<u64, usize>,
}

impl SymbolResolver for Names {
    fn symbol(
        &mut self,
        instruction: &Instruction,
        _operand: u32,
        instruction_operand: Option<u32>,
        address: u64,
        _address_size: u32,
    ) -> Option<SymbolResult<'_>> {
        let relocated = self
            .relocations
            .range(instruction.ip()..instruction.next_ip())
            .next();
        if let Some((_, name)) = relocated {
            return Some(SymbolResult::with_str(address, name));
        }
        let kind = instruction_operand.map(|n| instruction.op_kind(n));
        let label = self
            .labels
            .get(&address)
            .filter(|_| matches!(kind, Some(OpKind::NearBranch64)))?;
        Some(SymbolResult::with_string(address, format!(".L{label}")))
    }
}
