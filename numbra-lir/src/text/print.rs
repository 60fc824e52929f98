//! Canonical printer.

use super::lexer::{escape, is_plain};
use super::names::{FACTS, FAST, Named};
use crate::{
    AddrSpace, Block, BlockCall, DataId, DebugInfo, Func, FuncRef, InstData, Module, Signature,
    Slot, Terminator, Ty, Value,
};
use cranelift_entity::{EntityRef, SecondaryMap};
use numbra_abi::small_floats::{f16_from_f64, f16_to_f64};
use numbra_base::{FileId, Origin, Span};
use std::fmt::Write;

/// How much a text carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Without spans and origins: what goldens hold.
    Plain,
    /// With spans and origins: parses back to the same module.
    Lossless,
}

/// The module as text.
pub fn print(module: &Module, form: Form) -> String {
    let mut out = String::new();
    if !module.name.is_empty() {
        let _ = writeln!(out, "module {}", escape(&module.name));
    }
    if form == Form::Lossless && module.debug != DebugInfo::None {
        let _ = writeln!(out, "debug {}", debug_name(module.debug));
    }
    for (index, file) in module.files.iter().enumerate() {
        let _ = writeln!(out, "file {index} {}", escape(file));
    }
    for (index, sig) in module.signatures.iter() {
        let _ = writeln!(out, "signature {index} = {}", signature(sig));
    }
    for (_, data) in module.data.iter() {
        let _ = write!(out, "data {} align {}", name('$', &data.name), data.align);
        out.push_str(if data.writable { " writable" } else { "" });
        if data.space != AddrSpace::Generic {
            let _ = write!(out, " {}", Ty::Ptr(data.space));
        }
        if data.zeros > 0 {
            let _ = write!(out, " zeros {}", data.zeros);
        }
        out.push_str(" = \"");
        for byte in &data.bytes {
            let _ = write!(out, "{byte:02x}");
        }
        out.push('"');
        for (offset, symbol) in &data.relocs {
            let _ = write!(out, " reloc {offset} {}", name('@', symbol));
        }
        out.push('\n');
    }
    for (id, exception) in module.exceptions.iter() {
        let args: Vec<String> = exception
            .args
            .iter()
            .map(|arg| match arg {
                Some(text) => escape(text),
                None => "_".to_owned(),
            })
            .collect();
        let _ = write!(
            out,
            "exception exc{} = {}({}) in {}",
            id.index(),
            escape(&exception.class),
            args.join(", "),
            escape(&exception.function)
        );
        if form == Form::Lossless && exception.span != Span::NONE {
            let _ = write!(out, " @ {}", span_text(exception.span));
        }
        out.push('\n');
    }
    for (id, _) in module.functions.iter() {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&print_func(module, id, form));
    }
    out
}

/// How much a module tells, as text.
pub(super) fn debug_name(debug: DebugInfo) -> &'static str {
    match debug {
        DebugInfo::None => "none",
        DebugInfo::Lines => "lines",
        DebugInfo::Full => "full",
    }
}

/// One function of a module as text.
pub fn print_func(module: &Module, id: FuncRef, form: Form) -> String {
    let Some(decl) = module.functions.get(id) else {
        return String::new();
    };
    let mut out = format!(
        "function {} {}{}",
        decl.linkage.name(),
        name('@', &decl.name),
        signature(&decl.sig)
    );
    out.push_str(if decl.inline_always {
        " inline_always"
    } else {
        ""
    });
    out.push_str(if decl.inline_never {
        " inline_never"
    } else {
        ""
    });
    match &decl.body {
        None => out.push('\n'),
        Some(func) => {
            if form == Form::Lossless && func.span != Span::NONE {
                let _ = write!(out, " @ {}", span_text(func.span));
            }
            out.push_str(" {\n");
            Printer::new(module, func, form).body(&mut out);
            out.push_str("}\n");
        }
    }
    out
}

/// `(i64 extent 8, ptr noalias) -> (i64) raises`
pub(super) fn signature(sig: &Signature) -> String {
    let params: Vec<String> = sig
        .params
        .iter()
        .map(|p| {
            let noalias = if p.noalias { " noalias" } else { "" };
            match p.extent {
                0 => format!("{}{noalias}", p.ty),
                bytes => format!("{}{noalias} extent {bytes}", p.ty),
            }
        })
        .collect();
    let mut out = format!("({})", params.join(", "));
    if !sig.results.is_empty() {
        let results: Vec<String> = sig.results.iter().map(Ty::to_string).collect();
        let _ = write!(out, " -> ({})", results.join(", "));
    }
    out.push_str(if sig.raises { " raises" } else { "" });
    out
}

fn name(sigil: char, name: &str) -> String {
    if is_plain(name) {
        format!("{sigil}{name}")
    } else {
        format!("{sigil}{}", escape(name))
    }
}

fn span_text(span: Span) -> String {
    let Span {
        file: FileId(file),
        line,
        col,
        end_line,
        end_col,
    } = span;
    let prefix = if file == 0 {
        String::new()
    } else {
        format!("file{file} ")
    };
    if line == 0 && col == 0 && end_line == 0 && end_col == 0 {
        return format!("{prefix}?");
    }
    format!("{prefix}{line}:{col}-{end_line}:{end_col}")
}

struct Printer<'a> {
    module: &'a Module,
    func: &'a Func,
    form: Form,
    numbers: SecondaryMap<Value, Option<u32>>,
    block_numbers: SecondaryMap<Block, Option<u32>>,
}

/// The text of one instruction as it is written.
pub(crate) struct InstText<'p, 'a> {
    printer: &'p Printer<'a>,
    /// The type of the first result.
    pub(super) result: Option<Ty>,
    out: &'p mut String,
}

impl InstText<'_, '_> {
    pub(crate) fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    pub(super) fn value(&mut self, value: Value) {
        self.out.push_str(&self.printer.value(value));
    }

    pub(super) fn values(&mut self, values: &[Value]) {
        self.out.push_str(&self.printer.values(values));
    }

    pub(super) fn function(&mut self, id: FuncRef) {
        self.out.push_str(&self.printer.function(id));
    }

    pub(super) fn data(&mut self, id: DataId) {
        match self.printer.module.data.get(id) {
            Some(data) => self.out.push_str(&name('$', &data.name)),
            None => self.out.push_str("$undefined"),
        }
    }

    pub(super) fn symbol(&mut self, symbol: &str) {
        self.out.push_str(&name('@', symbol));
    }
}

impl<'a> Printer<'a> {
    fn new(module: &'a Module, func: &'a Func, form: Form) -> Printer<'a> {
        let mut numbers = SecondaryMap::new();
        let mut block_numbers = SecondaryMap::new();
        let mut next = 0;
        let mut number = |value: Value| {
            numbers[value] = Some(next);
            next += 1;
        };
        for (index, block) in func.layout.iter().enumerate() {
            block_numbers[block] = Some(index as u32);
            let Some(data) = func.blocks.get(block) else {
                continue;
            };
            data.params.iter().for_each(|&v| number(v));
            for inst in data.insts().iter().filter_map(|&i| func.insts.get(i)) {
                inst.results.iter().for_each(|&v| number(v));
            }
        }
        Printer {
            module,
            func,
            form,
            numbers,
            block_numbers,
        }
    }

    fn body(&self, out: &mut String) {
        for (slot, data) in self.func.slots.iter() {
            let _ = write!(
                out,
                "  {} = slot {} align {}",
                slot_name(slot),
                data.size,
                data.align
            );
            if !data.refs.is_empty() {
                let refs: Vec<String> = data.refs.iter().map(u32::to_string).collect();
                let _ = write!(out, " refs {}", refs.join(", "));
            }
            out.push_str(if data.undefined { " undefined" } else { "" });
            out.push('\n');
        }
        if self.form == Form::Lossless
            && let Some(debug) = &self.func.debug
        {
            let json = serde_json::to_string(debug).unwrap_or_default();
            let _ = writeln!(out, "  debug {}", escape(&json));
        }
        for block in &self.func.layout {
            let Some(data) = self.func.blocks.get(block) else {
                continue;
            };
            out.push_str(&self.block(block));
            if !data.params.is_empty() {
                let params: Vec<String> = data.params.iter().map(|&v| self.typed(v)).collect();
                let _ = write!(out, "({})", params.join(", "));
            }
            out.push_str(if data.cold { " cold:\n" } else { ":\n" });
            for inst in data.insts().iter().filter_map(|&i| self.func.insts.get(i)) {
                out.push_str("  ");
                self.inst(out, inst);
                self.provenance(out, inst.span, inst.origin);
                out.push('\n');
            }
            if let Some(term) = &data.term {
                out.push_str("  ");
                out.push_str(&self.term(term));
                self.provenance(out, data.term_span, data.term_origin);
                out.push('\n');
            }
        }
    }

    fn provenance(&self, out: &mut String, span: Span, origin: Origin) {
        if self.form == Form::Lossless && (span, origin) != (Span::NONE, Origin::Text) {
            let _ = write!(out, " @ {} !{origin}", span_text(span));
        }
    }

    fn value(&self, value: Value) -> String {
        match self.numbers[value] {
            Some(n) => format!("v{n}"),
            None => "undefined".to_owned(),
        }
    }

    fn typed(&self, value: Value) -> String {
        let ty = self
            .func
            .values
            .get(value)
            .map_or("?".to_owned(), |data| data.ty.to_string());
        format!("{}: {ty}", self.value(value))
    }

    fn values(&self, values: &[Value]) -> String {
        let names: Vec<String> = values.iter().map(|&v| self.value(v)).collect();
        names.join(", ")
    }

    fn block(&self, block: Block) -> String {
        match self.block_numbers[block] {
            Some(n) => format!("block{n}"),
            None => "undefined".to_owned(),
        }
    }

    fn target(&self, to: &BlockCall) -> String {
        let block = self.block(to.block);
        if to.args.is_empty() {
            block
        } else {
            format!("{block}({})", self.values(&to.args))
        }
    }

    fn function(&self, id: FuncRef) -> String {
        match self.module.functions.get(id) {
            Some(decl) => name('@', &decl.name),
            None => "@undefined".to_owned(),
        }
    }

    fn inst(&self, out: &mut String, inst: &InstData) {
        if !inst.results.is_empty() {
            let types: Vec<Ty> = inst.results.iter().map(|&v| self.func.ty(v)).collect();
            let implied = self.func.result_types(&inst.kind, self.module);
            let names: Vec<String> = if implied.as_ref() == Some(&types) {
                inst.results.iter().map(|&v| self.value(v)).collect()
            } else {
                inst.results.iter().map(|&v| self.typed(v)).collect()
            };
            let _ = write!(out, "{} = ", names.join(", "));
        }
        let result = inst.results.first().map(|&v| self.func.ty(v));
        let mut text = InstText {
            printer: self,
            result,
            out,
        };
        inst.kind.print(&mut text);
        for (flag, name) in FACTS {
            if inst.facts.contains(*flag) {
                let _ = write!(out, " {name}");
            }
        }
        for (flag, name) in FAST {
            if inst.fast.contains(*flag) {
                let _ = write!(out, " {name}");
            }
        }
    }

    fn term(&self, term: &Terminator) -> String {
        match term {
            Terminator::Jump(to) => format!("jump {}", self.target(to)),
            Terminator::Brif { cond, then, other } => format!(
                "brif {}, {}, {}",
                self.value(*cond),
                self.target(then),
                self.target(other)
            ),
            Terminator::Switch {
                index,
                cases,
                default,
            } => {
                let cases: Vec<String> = cases.iter().map(|to| self.target(to)).collect();
                format!(
                    "switch {}, [{}], {}",
                    self.value(*index),
                    cases.join(", "),
                    self.target(default)
                )
            }
            Terminator::Guard {
                cond,
                kind,
                ok,
                err,
            } => format!(
                "guard {} {}, {}, {}",
                self.value(*cond),
                kind.name(),
                self.target(ok),
                self.target(err)
            ),
            Terminator::Return(values) if values.is_empty() => "return".to_owned(),
            Terminator::Return(values) => format!("return {}", self.values(values)),
            Terminator::Fail => "fail".to_owned(),
        }
    }
}

fn slot_name(slot: Slot) -> String {
    format!("slot{}", slot.index())
}

/// Shortest decimal that reads back to the same bits; `nan` for the usual quiet NaN, else `bits 0x..`.
pub(super) fn float_text(bits: u64, ty: Option<Ty>) -> String {
    let text = match ty {
        Some(Ty::F64) => format!("{:?}", f64::from_bits(bits)),
        Some(Ty::F32) if bits >> 32 == 0 => format!("{:?}", f32::from_bits(bits as u32)),
        Some(Ty::F16) if bits >> 16 == 0 => format!("{:?}", f16_to_f64(bits as u16)),
        _ => String::new(),
    };
    let text = if text == "NaN" {
        "nan".to_owned()
    } else {
        text
    };
    if !text.is_empty() && float_bits(&text, ty) == Some(bits) {
        text
    } else {
        format!("bits 0x{bits:x}")
    }
}

/// Bits of a decimal, `inf`, `-inf` or `nan` at a float type.
pub(super) fn float_bits(text: &str, ty: Option<Ty>) -> Option<u64> {
    match ty? {
        Ty::F64 if text == "nan" => Some(0x7ff8_0000_0000_0000),
        Ty::F32 if text == "nan" => Some(0x7fc0_0000),
        Ty::F16 if text == "nan" => Some(0x7e00),
        Ty::F64 => text.parse().ok().map(f64::to_bits),
        Ty::F32 => text.parse().ok().map(|x: f32| u64::from(x.to_bits())),
        Ty::F16 => text.parse().ok().map(|x: f64| u64::from(f16_from_f64(x))),
        Ty::I1
        | Ty::I8
        | Ty::I16
        | Ty::I32
        | Ty::I64
        | Ty::I128
        | Ty::Ptr(_)
        | Ty::Ref
        | Ty::Vec(..) => None,
    }
}
