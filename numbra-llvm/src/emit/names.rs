//! Symbols: quoting, data, declarations of what the module refers to.

use crate::Target;
use numbra_lir::{AddrSpace, Data, Linkage, MathFnName, Module};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Declarations by symbol, each once, in name order.
#[derive(Default)]
pub(super) struct Declarations {
    functions: BTreeMap<String, String>,
    /// Symbols that LLVM keeps although nothing refers to them.
    kept: BTreeSet<String>,
    data: Vec<(String, Vec<u8>)>,
    /// Metadata nodes.
    nodes: Vec<String>,
}

/// Number of the first metadata node of [`Declarations`], which has the odd ones from there on.
const FIRST_NODE: usize = 1001;

impl Declarations {
    /// A function declaration: `text` is all of its line.
    pub(super) fn function(&mut self, name: &str, text: &str) {
        self.functions
            .entry(name.to_owned())
            .or_insert_with(|| text.to_owned());
    }

    /// A mathematical function and its vector variants, by which loops over it vectorise; returns its symbol.
    ///
    /// None is a name that LLVM knows, so `nobuiltin`, which keeps loops from vectorising, has nothing to add.
    /// All are total and without effects, so calls may also be made where the program would not have made them.
    pub(super) fn math(&mut self, call: MathFnName, single: bool, target: &Target) -> String {
        const PURE: &str = "nounwind willreturn nosync speculatable memory(none)";
        let symbol = target.math_symbol(call, single);
        let (t, arity) = (if single { "float" } else { "double" }, call.func.arity());
        let mut variants = Vec::new();
        for &lanes in target.math_lanes(call, single) {
            let vector = call.func.vector_symbol(single, lanes);
            let params = vec![format!("<{lanes} x {t}>"); arity].join(", ");
            let text = format!("declare <{lanes} x {t}> @{vector}({params}) {PURE}");
            self.function(&vector, &text);
            // Mangled as LLVM's vector function ABI asks: no mask, lanes, a vector for each operand.
            variants.push(format!(
                "_ZGV_LLVM_N{lanes}{}_{symbol}({vector})",
                "v".repeat(arity)
            ));
            self.kept.insert(vector);
        }
        let mut text = format!(
            "declare {t} @{symbol}({}) {PURE}",
            vec![t; arity].join(", ")
        );
        if !variants.is_empty() {
            let _ = write!(
                text,
                " \"vector-function-abi-variant\"=\"{}\"",
                variants.join(",")
            );
        }
        self.function(&symbol, &text);
        symbol
    }

    /// True if a function of this name is declared.
    pub(super) fn has_function(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    /// A private constant; returns its symbol.
    pub(super) fn constant(&mut self, bytes: Vec<u8>) -> String {
        if let Some((name, _)) = self.data.iter().find(|(_, b)| *b == bytes) {
            return name.clone();
        }
        let name = format!("numbra.description.{}", self.data.len());
        self.data.push((name.clone(), bytes));
        name
    }

    /// A metadata node, whose text may name its number; returns that.
    pub(super) fn metadata(&mut self, text: impl FnOnce(usize) -> String) -> usize {
        let number = FIRST_NODE + 2 * self.nodes.len();
        self.nodes.push(text(number));
        number
    }

    /// The metadata nodes, behind all else.
    pub(super) fn write_metadata(&self, out: &mut String) {
        for (n, text) in self.nodes.iter().enumerate() {
            let _ = writeln!(out, "!{} = {text}", FIRST_NODE + 2 * n);
        }
    }

    pub(super) fn write(&self, out: &mut String) {
        for (name, bytes) in &self.data {
            let _ = writeln!(
                out,
                "@{} = private unnamed_addr constant [{} x i8] c\"{}\", align 8",
                quote(name),
                bytes.len(),
                bytes_text(bytes)
            );
        }
        for text in self.functions.values() {
            let _ = writeln!(out, "{text}");
        }
        if !self.kept.is_empty() {
            let kept: Vec<String> = self
                .kept
                .iter()
                .map(|name| format!("ptr @{name}"))
                .collect();
            let _ = writeln!(
                out,
                "@llvm.compiler.used = appending global [{} x ptr] [{}], section \"llvm.metadata\"",
                kept.len(),
                kept.join(", ")
            );
        }
    }
}

/// A symbol as LLVM quotes it.
pub(super) fn quote(name: &str) -> String {
    if !name.is_empty()
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"_.$-".contains(&b))
        && !name.as_bytes()[0].is_ascii_digit()
    {
        return name.to_owned();
    }
    format!("\"{}\"", bytes_text(name.as_bytes()))
}

/// Bytes inside quotes.
pub(super) fn bytes_text(bytes: &[u8]) -> String {
    let mut out = String::new();
    for &b in bytes {
        if (0x20..0x7f).contains(&b) && b != b'"' && b != b'\\' {
            out.push(b as char);
        } else {
            let _ = write!(out, "\\{b:02X}");
        }
    }
    out
}

/// A data object of the module. Address fields become a packed struct of bytes and pointers.
///
/// `space_of` says in which memory another one is.
pub(super) fn write_data(
    out: &mut String,
    data: &Data,
    target: &Target,
    space_of: &dyn Fn(&str) -> u32,
) {
    if target.is_gpu() && data.space == AddrSpace::Shared {
        return write_shared(out, data);
    }
    let kind = if data.writable { "global" } else { "constant" };
    let space = if target.is_gpu() {
        format!("addrspace({}) ", data_space(data))
    } else {
        String::new()
    };
    let linkage = if target.is_gpu() {
        "internal "
    } else {
        "hidden "
    };
    let mut relocs = data.relocs.clone();
    relocs.sort();
    let mut types = Vec::new();
    let mut values = Vec::new();
    let mut at = 0_usize;
    for (offset, symbol) in &relocs {
        let offset = *offset as usize;
        if offset < at || offset + 8 > data.bytes.len() {
            continue; // The verifier rejects such data.
        }
        if offset > at {
            types.push(format!("[{} x i8]", offset - at));
            values.push(format!(
                "[{} x i8] c\"{}\"",
                offset - at,
                bytes_text(&data.bytes[at..offset])
            ));
        }
        types.push("ptr".to_owned());
        values.push(match space_of(symbol) {
            0 => format!("ptr @{}", quote(symbol)),
            n => format!(
                "ptr addrspacecast (ptr addrspace({n}) @{} to ptr)",
                quote(symbol)
            ),
        });
        at = offset + 8;
    }
    let rest = &data.bytes[at..];
    if !rest.is_empty() || (types.is_empty() && data.zeros == 0) {
        types.push(format!("[{} x i8]", rest.len()));
        values.push(format!("[{} x i8] c\"{}\"", rest.len(), bytes_text(rest)));
    }
    if data.zeros > 0 {
        types.push(format!("[{} x i8]", data.zeros));
        values.push(format!("[{} x i8] zeroinitializer", data.zeros));
    }
    let _ = writeln!(
        out,
        "@{} = {linkage}{space}{kind} <{{ {} }}> <{{ {} }}>, align {}",
        quote(&data.name),
        types.join(", "),
        values.join(", "),
        data.align.max(1)
    );
}

/// Memory that each block of threads has, undefined at first; without a size it is what the launch asks for.
fn write_shared(out: &mut String, data: &Data) {
    let (name, align) = (quote(&data.name), data.align.max(1));
    let size = data.bytes.len() + data.zeros as usize;
    let _ = if size == 0 {
        writeln!(
            out,
            "@{name} = external addrspace(3) global [0 x i8], align {align}"
        )
    } else {
        writeln!(
            out,
            "@{name} = internal addrspace(3) global [{size} x i8] undef, align {align}"
        )
    };
}

/// Number of the memory of a GPU that data is in: constants that do not ask for another are in global memory.
pub(super) fn data_space(data: &Data) -> u32 {
    match data.space {
        AddrSpace::Generic | AddrSpace::Global | AddrSpace::Local => 1,
        AddrSpace::Shared => 3,
        AddrSpace::Const => 4,
    }
}

/// A name of a function for others that PTX has not: LLVM would end the process. Local ones it changes.
pub(super) fn unfit_for_ptx(module: &Module) -> Option<&str> {
    let fits = |name: &str| {
        let first = name.bytes().next().is_some_and(|b| !b.is_ascii_digit());
        first && (name.bytes()).all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$')
    };
    let seen = (module.functions.values())
        .filter(|f| !matches!(f.linkage, Linkage::Local | Linkage::Import));
    seen.map(|f| f.name.as_str()).find(|name| !fits(name))
}
