//! LIR modules: the unit that is compiled into one artifact.

use crate::{AddrSpace, DebugInfo, Func, Ty};
use cranelift_entity::{PrimaryMap, entity_impl};
use numbra_base::Span;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A function that a module defines or refers to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FuncRef(u32);
entity_impl!(FuncRef, "fn");

/// Constant data or a cell of a module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DataId(u32);
entity_impl!(DataId, "data");

/// An exception that a module's code can raise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ExceptionId(u32);
entity_impl!(ExceptionId, "exc");

/// A signature that indirect calls of a module have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SigRef(u32);
entity_impl!(SigRef, "sig");

/// A parameter leaf. References are borrowed from the caller for the length of the call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Param {
    pub ty: Ty,
    /// The memory behind this pointer is reached through no other parameter during the call.
    pub noalias: bool,
    /// For how many elements of an array this is the number along an axis, by the bytes of an element, at least 1: it is not
    /// negative, and so many elements have an address each. 0 for all else.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub extent: u32,
}

/// Of what no dump says.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

impl Param {
    /// A parameter without facts.
    pub fn new(ty: Ty) -> Param {
        Param {
            ty,
            noalias: false,
            extent: 0,
        }
    }

    /// The greatest number that the parameter can be, where it is the extent of an array.
    pub fn most(&self) -> Option<i64> {
        (self.extent > 0).then(|| i64::MAX / i64::from(self.extent))
    }
}

/// Parameters, results and failure. Result references are owned by the caller.
///
/// Internal ABI, the same for every generator (platform C convention on x86-64 System V):
/// - With at most one result leaf (an integer up to 64 bits, `f32`, `f64`, pointer or reference) it is returned in a
///   register; a function that raises returns `{i32 status, leaf}`, i.e. the status in `eax` and the leaf in `rdx` or `xmm0`.
/// - Otherwise the first parameter is a pointer to a caller-owned result block: leaf `i` at byte `16 * i`.
///   The status, if any, is returned in `eax`.
/// - Up to 12 parameter leaves are passed as C parameters (`i1` as `i8`); beyond that one pointer to a caller-owned
///   argument block with leaf `i` at byte `16 * i`.
/// - `i128`, `f16` and vectors count as leaves that do not fit a register: they always travel in blocks; a signature
///   with such a parameter passes all parameters in the argument block.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Signature {
    pub params: Vec<Param>,
    pub results: Vec<Ty>,
    /// Returns a status.
    pub raises: bool,
}

impl Signature {
    /// Largest number of parameter leaves passed as C parameters.
    pub const MAX_REGISTER_PARAMS: usize = 12;
    /// Distance of leaves in argument and result blocks, in bytes.
    pub const BLOCK_STRIDE: u32 = 16;

    /// A signature without aliasing facts.
    pub fn new(params: &[Ty], results: &[Ty], raises: bool) -> Signature {
        Signature {
            params: params.iter().map(|&ty| Param::new(ty)).collect(),
            results: results.to_vec(),
            raises,
        }
    }

    /// True if results go through a result block.
    pub fn has_result_block(&self) -> bool {
        self.results.len() > 1 || self.results.iter().any(|&ty| !fits_register(ty))
    }

    /// True if parameters go through an argument block.
    pub fn has_argument_block(&self) -> bool {
        self.params.len() > Signature::MAX_REGISTER_PARAMS
            || self.params.iter().any(|p| !fits_register(p.ty))
    }
}

fn fits_register(ty: Ty) -> bool {
    match ty {
        Ty::I1
        | Ty::I8
        | Ty::I16
        | Ty::I32
        | Ty::I64
        | Ty::F32
        | Ty::F64
        | Ty::Ptr(_)
        | Ty::Ref => true,
        Ty::I128 | Ty::F16 | Ty::Vec(..) => false,
    }
}

/// Who may call a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Linkage {
    /// This module only; may be inlined away and dropped.
    Local,
    /// Other artifacts and the runtime, by name.
    Export,
    /// Defined in another artifact, found by name.
    Import,
    /// A GPU kernel entry.
    Kernel,
    /// A device function for callers in other languages: each parameter by itself, however many there are.
    Device,
}

/// A function of a module.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FuncDecl {
    /// Unique in the module; the symbol name.
    pub name: String,
    pub linkage: Linkage,
    pub sig: Signature,
    /// `None` for imports.
    pub body: Option<Func>,
    /// Worth inlining at every call.
    pub inline_always: bool,
    /// Never inline.
    pub inline_never: bool,
}

/// Constant data, or a writable cell.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Data {
    pub name: String,
    pub bytes: Vec<u8>,
    /// Power of two.
    pub align: u32,
    /// A cell: patched at load time or written by the runtime.
    pub writable: bool,
    /// Where it lives. Shared data has no bytes: each block of threads has its own, undefined at first.
    pub space: AddrSpace,
    /// Bytes behind `bytes`, zero at first. Shared data without any is as large as the launch says.
    pub zeros: u32,
    /// 8-byte addresses stored in `bytes`: (offset, symbol).
    pub relocs: Vec<(u32, String)>,
}

impl Data {
    /// Constant text that ends in a zero byte; zero bytes of `text` are left out.
    pub fn c_string(name: String, text: &str) -> Data {
        let bytes = text.bytes().filter(|&byte| byte != 0);
        Data {
            name,
            bytes: bytes.chain([0]).collect(),
            align: 1,
            writable: false,
            space: AddrSpace::Generic,
            zeros: 0,
            relocs: Vec::new(),
        }
    }

    /// All its bytes as they are at first.
    pub fn image(&self) -> Cow<'_, [u8]> {
        if self.zeros == 0 {
            return Cow::Borrowed(&self.bytes);
        }
        let mut bytes = self.bytes.clone();
        bytes.resize(bytes.len() + self.zeros as usize, 0);
        Cow::Owned(bytes)
    }
}

/// An argument of an exception that Python keeps as an object: see [`Exception::args`].
pub const KEPT_ARG: &str = "=kept";

/// What comes before a text with places for run-time words: see [`Exception::args`].
pub const TEXT_ARG: &str = "=text:";

/// Fills the places of a [`TEXT_ARG`] text: `{}` is a word as a signed integer, `{u}` as one without a sign.
pub fn fill_text(text: &str, words: &mut dyn Iterator<Item = u64>) -> String {
    let mut pieces = text.split('{');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let word = words.next().unwrap_or_default();
        let rest = match piece.strip_prefix('u') {
            Some(rest) => {
                out.push_str(&word.to_string());
                rest
            }
            None => {
                out.push_str(&word.cast_signed().to_string());
                piece
            }
        };
        out.push_str(rest.strip_prefix('}').unwrap_or(rest));
    }
    out
}

/// An exception that code raises: everything needed to build it later, at the Python edge.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Exception {
    /// Qualified class name: `builtins.ZeroDivisionError`.
    pub class: String,
    /// Each argument: Python literal text (`repr`), `None` for an integer in a run-time word, or `=n:T` for a value of
    /// type `T` whose leaves are the next `n` words, or [`KEPT_ARG`] for an object that Python keeps under a number, which
    /// is the next word, or [`TEXT_ARG`] and a text that [`fill_text`] fills.
    pub args: Vec<Option<String>>,
    /// Function name for the traceback.
    pub function: String,
    pub span: Span,
}

impl Exception {
    /// Run-time words that its arguments take.
    pub fn words(&self) -> usize {
        let words = |arg: &Option<String>| match arg {
            None => 1,
            Some(text) if text == KEPT_ARG => 1,
            Some(text) if text.starts_with(TEXT_ARG) => text.matches('{').count(),
            Some(text) => text
                .strip_prefix('=')
                .and_then(|rest| rest.split_once(':'))
                .and_then(|(count, _)| count.parse().ok())
                .unwrap_or(0),
        };
        self.args.iter().map(words).sum()
    }
}

/// Functions, data and exceptions that are compiled together.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Module {
    pub name: String,
    pub functions: PrimaryMap<FuncRef, FuncDecl>,
    pub data: PrimaryMap<DataId, Data>,
    pub exceptions: PrimaryMap<ExceptionId, Exception>,
    /// Signatures of indirect calls.
    pub signatures: PrimaryMap<SigRef, Signature>,
    /// Source files by `FileId`, for line tables; index 0 is unknown.
    pub files: Vec<String>,
    /// What the code says about its source.
    #[serde(default)]
    pub debug: DebugInfo,
}
