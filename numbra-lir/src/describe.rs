//! The constant that describes an exception to the runtime and to the Python edge.

use crate::{Exception, Module, Ty};
use crate::{ExceptionId, InstKind};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// What follows the u64 length in a description: the text that the Python edge builds the exception from.
#[derive(Serialize)]
struct Description<'a> {
    class: &'a str,
    /// Python literals; null for those that run-time words fill, in order.
    args: &'a [Option<String>],
    /// LIR types of the run-time words.
    words: Vec<String>,
    function: &'a str,
    file: &'a str,
    line: u32,
    col: u32,
    end_line: u32,
    end_col: u32,
}

/// u64 length, then JSON. `words` are the types of the run-time arguments.
pub fn exception_description(module: &Module, exception: &Exception, words: &[Ty]) -> Vec<u8> {
    let span = exception.span;
    let text = serde_json::to_vec(&Description {
        class: &exception.class,
        args: &exception.args,
        words: words.iter().map(Ty::to_string).collect(),
        function: &exception.function,
        file: module.files.get(span.file.0 as usize).map_or("", |f| f),
        line: span.line,
        col: span.col,
        end_line: span.end_line,
        end_col: span.end_col,
    })
    .unwrap_or_default();
    let mut out = (text.len() as u64).to_le_bytes().to_vec();
    out.extend_from_slice(&text);
    out
}

/// Types of the run-time words of each exception, from the first place that raises it.
pub fn word_types(module: &Module) -> FxHashMap<ExceptionId, Vec<Ty>> {
    let mut types = FxHashMap::default();
    for func in module.functions.values().filter_map(|f| f.body.as_ref()) {
        for block in &func.layout {
            for &inst in func.blocks[block].insts() {
                if let InstKind::SetError { exception, args } = &func.insts[inst].kind {
                    types
                        .entry(*exception)
                        .or_insert_with(|| args.iter().map(|&v| func.ty(v)).collect());
                }
            }
        }
    }
    types
}
