//! The data-flow graph: what a function computes, without an operand stack and without a Python version.
//!
//! Blocks have parameters for stack values that differ by path; local variables stay variables.
//! The graph is canonical: what CPython's compiler duplicates (loop tests, small exits) is merged back by source
//! position, empty blocks are gone, and blocks are in reverse post-order. One function gives the same graph on
//! every supported version.

mod branches;
mod canon;
mod comprehension;
mod contexts;
mod exec;
mod generator_expression;
mod params;
mod tails;
mod text;
mod unassigned;

use crate::code::{CodeFlags, CodeObject, Const};
use crate::object_block::ObjectBlock;
use crate::op::{BinaryOp, Builtin, CompareOp, Special, UnaryOp};
use crate::{Bytecode, Cfg, Error};
use comprehension::Captured;
use numbra_base::{FileId, Span};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A value: an instruction's result, a block parameter, a constant, or a caught exception.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ValueId(pub u32);

/// A block, by position in [`Dfg::blocks`]. 0 is the entry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct BlockId(pub u32);

/// A variable, by position in [`Dfg::variables`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct VariableId(pub u32);

/// A constant, by position in [`Dfg::consts`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ConstId(pub u32);

impl ValueId {
    /// The position in [`Dfg::values`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl BlockId {
    /// The position in [`Dfg::blocks`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for ValueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bb{}", self.0)
    }
}

/// How a parameter may be passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ParamKind {
    PositionalOnly,
    PositionalOrKeyword,
    VarPositional,
    KeywordOnly,
    VarKeyword,
}

/// A parameter of the function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Param {
    pub name: String,
    pub kind: ParamKind,
    pub variable: VariableId,
}

/// A variable of the function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Variable {
    /// Unique in the function.
    pub name: String,
    pub kind: VariableKind,
}

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum VariableKind {
    Local,
    /// Shared with inner functions.
    Cell,
    /// Of an enclosing function, by position in `co_freevars`.
    Free(u32),
    /// Of a comprehension that CPython inlined; it hides the local of that name.
    Comprehension,
}

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ValueKind {
    /// Result of an instruction.
    Result,
    /// Parameter of a block.
    Param,
    Const(ConstId),
    /// The exception that a handler block caught.
    Caught,
}

/// A value and where it came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Value {
    pub kind: ValueKind,
    pub span: Span,
    /// Bytecode offset.
    pub offset: u32,
}

/// What an instruction does. Operands are listed in order; results are one unless noted.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum DfgOp {
    /// `x`
    LoadVariable(VariableId),
    /// `x = operand`; no result.
    StoreVariable(VariableId),
    /// `del x`; no result.
    DeleteVariable(VariableId),
    /// Raises where `x` has no value: before each load and deletion that some path reaches without an assignment. No
    /// result. `captured`: the read is that of a comprehension which is a function, on CPython 3.11.
    CheckVariable {
        variable: VariableId,
        captured: bool,
    },
    /// The cell of a variable, for [`DfgOp::MakeFunction`].
    LoadCell(VariableId),
    LoadGlobal(String),
    LoadBuiltin(Builtin),
    /// `operand.name`
    GetAttr(String),
    /// `operand0.name = operand1`; no result.
    SetAttr(String),
    /// `del operand.name`; no result.
    DelAttr(String),
    /// The bound special method of a context manager.
    LoadSpecial(Special),
    Binary(BinaryOp),
    InplaceBinary(BinaryOp),
    Unary(UnaryOp),
    Compare(CompareOp),
    Is,
    IsNot,
    /// `operand0 in operand1`
    In,
    NotIn,
    /// `operand0[operand1]`
    GetItem,
    /// `operand0[operand1] = operand2`; no result.
    SetItem,
    /// `del operand0[operand1]`; no result.
    DelItem,
    /// `star[i]` says that operand `i` is unpacked; empty when none is.
    BuildTuple {
        star: Vec<bool>,
    },
    BuildList {
        star: Vec<bool>,
    },
    BuildSet {
        star: Vec<bool>,
    },
    /// Keys and values in turn; an entry with `star` is one operand, a mapping to merge. Empty when none is.
    BuildMap {
        star: Vec<bool>,
    },
    /// 2 or 3 operands.
    BuildSlice,
    /// Concatenation of strings.
    BuildString,
    /// `format(operands..)` in an f-string: of a value, perhaps with a specification.
    Format,
    /// `str(operand)` in an f-string, or `repr(operand)`.
    Convert {
        repr: bool,
    },
    /// `operand0.append(operand1)` in a comprehension; no result.
    ListAppend,
    /// `operand0.extend(operand1)`; no result.
    ListExtend,
    SetAdd,
    SetUpdate,
    /// `operand0[operand1] = operand2` in a comprehension; no result.
    MapAdd,
    DictUpdate,
    /// As update, but duplicate keys are an error; no result.
    DictMerge,
    ListToTuple,
    /// Function, then arguments; the last `kwnames.len()` are keyword arguments.
    Call {
        kwnames: Vec<String>,
    },
    /// Function, tuple of arguments, keyword arguments, and with `kwargs` a mapping.
    CallEx {
        kwnames: Vec<String>,
        kwargs: bool,
    },
    GetIter,
    /// Two results: the next item, and whether there was one.
    IterNext,
    /// `count` results, first item first.
    Unpack {
        count: u32,
    },
    /// `before` items, a list of those between, `after` items.
    UnpackStar {
        before: u32,
        after: u32,
    },
    /// `len(operand)` of a sequence that is matched.
    MatchLen,
    /// Is the operand a sequence to sequence patterns?
    MatchSequence,
    /// Is the operand a mapping to mapping patterns?
    MatchMapping,
    /// The values of `operand0`, a mapping, under the keys of the tuple `operand1`; `None` unless all are there. Only
    /// [`DfgOp::Is`] with `None` and [`DfgOp::Unpack`] read the result.
    MatchKeys,
    /// The attributes of `operand0`, an instance of class `operand1`: `positional` ones and those named; `None` for
    /// other subjects. Only [`DfgOp::Is`] with `None` and [`DfgOp::Unpack`] read the result.
    MatchClass {
        positional: u32,
        names: Vec<String>,
    },
    /// Operands by what is present: defaults tuple, keyword defaults, cells tuple. Annotations are dropped.
    MakeFunction {
        code: ConstId,
        defaults: bool,
        kwdefaults: bool,
        closure: bool,
    },
    /// Hands out the operand; the result is what `send` passes in.
    Yield,
    /// Does exception operand 0 match class operand 1?
    ExceptionMatch,
    /// End of an exception handler; no operand, no result.
    PopExcept,
    /// `operand0(type(operand1), operand1, traceback)` of a `with` statement; operand 0 is `__exit__`.
    WithExceptStart,
    /// The body of `with objmode(..):`, by position in [`Dfg::object_blocks`]. Operands are the values of its inputs,
    /// results those of its outputs; where it has several exits, the number of the one taken comes first.
    ObjectBlock(u32),
}

impl DfgOp {
    /// False if the operation can neither raise nor be seen by a handler.
    pub fn may_raise(&self) -> bool {
        !matches!(
            self,
            DfgOp::LoadVariable(_)
                | DfgOp::StoreVariable(_)
                | DfgOp::DeleteVariable(_)
                | DfgOp::LoadCell(_)
                | DfgOp::LoadBuiltin(_)
                | DfgOp::PopExcept
                | DfgOp::BuildSlice
        ) && !matches!(self, DfgOp::BuildTuple { star } | DfgOp::BuildList { star } if star.is_empty())
    }

    /// True if the operation may raise an exception of its own: what looks names up, or asks what a handler takes, fails
    /// when the function is compiled, or hands on what is handled.
    pub fn may_raise_anew(&self) -> bool {
        let asks = matches!(
            self,
            DfgOp::LoadGlobal(_)
                | DfgOp::ExceptionMatch
                | DfgOp::LoadSpecial(_)
                | DfgOp::WithExceptStart
        );
        self.may_raise() && !asks
    }

    /// True if the operation may go when its result is not used.
    pub fn is_removable(&self) -> bool {
        matches!(
            self,
            DfgOp::LoadVariable(_)
                | DfgOp::LoadCell(_)
                | DfgOp::LoadBuiltin(_)
                | DfgOp::BuildSlice
                | DfgOp::MakeFunction { .. }
        ) || matches!(self, DfgOp::BuildTuple { star } if star.is_empty())
    }
}

/// An instruction and where it came from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DfgInst {
    pub op: DfgOp,
    pub operands: Vec<ValueId>,
    pub results: Vec<ValueId>,
    pub span: Span,
    /// Bytecode offset.
    pub offset: u32,
}

/// A jump to a block with values for its parameters.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Edge {
    pub target: BlockId,
    pub args: Vec<ValueId>,
}

/// The end of a block.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Terminator {
    Jump(Edge),
    /// `test` says whether `bool()` is to be taken of the condition.
    Branch {
        cond: ValueId,
        test: Test,
        then: Edge,
        other: Edge,
    },
    /// `implicit`: there is no `return` statement in the source.
    Return {
        value: ValueId,
        implicit: bool,
    },
    /// `None`: re-raise the exception being handled.
    Raise {
        exception: Option<ValueId>,
        cause: Option<ValueId>,
    },
    /// End of a handler that did not match, or of `finally`.
    Reraise {
        exception: ValueId,
        /// What a handler was handling when this exception left it: its context.
        handled: Option<ValueId>,
    },
}

/// How a branch reads its condition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Test {
    /// Truth value of any object.
    Truth,
    /// The flag of [`DfgOp::IterNext`].
    HasItem,
}

impl Terminator {
    /// Outgoing edges, the exception edge of the block not included.
    pub fn edges(&self) -> Vec<&Edge> {
        match self {
            Terminator::Jump(edge) => vec![edge],
            Terminator::Branch { then, other, .. } => vec![then, other],
            Terminator::Return { .. } | Terminator::Raise { .. } | Terminator::Reraise { .. } => {
                Vec::new()
            }
        }
    }

    pub(crate) fn edges_mut(&mut self) -> Vec<&mut Edge> {
        match self {
            Terminator::Jump(edge) => vec![edge],
            Terminator::Branch { then, other, .. } => vec![then, other],
            Terminator::Return { .. } | Terminator::Raise { .. } | Terminator::Reraise { .. } => {
                Vec::new()
            }
        }
    }

    /// Values read by the terminator itself, edge arguments not included.
    pub fn operands(&self) -> Vec<ValueId> {
        match self {
            Terminator::Jump(_) => Vec::new(),
            Terminator::Branch { cond, .. } => vec![*cond],
            Terminator::Return { value, .. } => vec![*value],
            Terminator::Raise { exception, cause } => {
                exception.iter().chain(cause).copied().collect()
            }
            Terminator::Reraise { exception, handled } => {
                std::iter::once(exception).chain(handled).copied().collect()
            }
        }
    }

    pub(crate) fn operands_mut(&mut self) -> Vec<&mut ValueId> {
        match self {
            Terminator::Jump(_) => Vec::new(),
            Terminator::Branch { cond, .. } => vec![cond],
            Terminator::Return { value, .. } => vec![value],
            Terminator::Raise { exception, cause } => exception.iter_mut().chain(cause).collect(),
            Terminator::Reraise { exception, handled } => {
                std::iter::once(exception).chain(handled).collect()
            }
        }
    }
}

/// A basic block.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DfgBlock {
    pub params: Vec<ValueId>,
    /// The caught exception, in the first block of a handler.
    pub caught: Option<ValueId>,
    pub insts: Vec<DfgInst>,
    pub term: Terminator,
    /// Position of the terminator.
    pub span: Span,
    pub offset: u32,
    /// Where exceptions raised in this block go; `None` leaves the function.
    pub handler: Option<Edge>,
}

/// The data-flow graph of one function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Dfg {
    pub name: String,
    pub qualname: String,
    pub filename: String,
    /// The line of `def`.
    pub span: Span,
    /// In Python's order: positional-only, ordinary, `*args`, keyword-only, `**kwargs`.
    pub params: Vec<Param>,
    pub is_generator: bool,
    pub variables: Vec<Variable>,
    pub consts: Vec<Const>,
    pub values: Vec<Value>,
    pub blocks: Vec<DfgBlock>,
    /// Bodies that run in object mode.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub object_blocks: Vec<ObjectBlock>,
}

impl Dfg {
    /// Decodes a code object and builds its graph; spans are in `file`.
    pub fn of_code(code: &CodeObject, file: FileId) -> Result<Dfg, Error> {
        Dfg::of_code_at(code, file, 0)
    }

    /// Builds the graph of decoded bytecode.
    pub fn build(bytecode: &Bytecode<'_>, cfg: &Cfg) -> Result<Dfg, Error> {
        Dfg::build_at(bytecode, cfg, 0)
    }

    /// `depth` counts the comprehensions around the code.
    fn of_code_at(code: &CodeObject, file: FileId, depth: u32) -> Result<Dfg, Error> {
        let bytecode = Bytecode::decode(code, file)?;
        let cfg = Cfg::build(&bytecode)?;
        Dfg::build_at(&bytecode, &cfg, depth)
    }

    fn build_at(bytecode: &Bytecode<'_>, cfg: &Cfg, depth: u32) -> Result<Dfg, Error> {
        let mut dfg = exec::execute(bytecode, cfg)?;
        generator_expression::make_iterators(&mut dfg);
        unassigned::insert_checks(&mut dfg, &Captured::default());
        canon::canonicalise(&mut dfg);
        if let Some(captured) = comprehension::inline(&mut dfg, depth)? {
            unassigned::insert_checks(&mut dfg, &captured);
            canon::canonicalise(&mut dfg);
        }
        canon::number(&mut dfg);
        Ok(dfg)
    }

    /// The value's data.
    pub fn value(&self, value: ValueId) -> &Value {
        &self.values[value.index()]
    }

    /// The constant, if the value is one.
    pub fn constant(&self, value: ValueId) -> Option<&Const> {
        match self.value(value).kind {
            ValueKind::Const(id) => Some(&self.consts[id.0 as usize]),
            ValueKind::Result | ValueKind::Param | ValueKind::Caught => None,
        }
    }

    /// Control-flow analyses of the blocks, exception edges included.
    pub fn flow(&self) -> crate::FlowGraph {
        let successors: Vec<Vec<usize>> = self
            .blocks
            .iter()
            .map(|b| {
                b.term
                    .edges()
                    .into_iter()
                    .chain(&b.handler)
                    .map(|e| e.target.index())
                    .collect()
            })
            .collect();
        crate::FlowGraph::new(&successors)
    }

    fn new(code: &CodeObject, bytecode: &Bytecode<'_>) -> Dfg {
        let variables = bytecode
            .variables
            .iter()
            .map(|v| Variable {
                name: v.name.clone(),
                kind: match v.kind {
                    crate::VariableKind::Local => VariableKind::Local,
                    crate::VariableKind::Cell => VariableKind::Cell,
                    crate::VariableKind::Free(index) => VariableKind::Free(index),
                },
            })
            .collect();
        Dfg {
            name: code.name.clone(),
            qualname: code.qualname.clone(),
            filename: code.filename.clone(),
            span: if code.firstlineno == 0 {
                Span::NONE
            } else {
                Span::of_line(bytecode.file, code.firstlineno)
            },
            params: parameters(
                &code.varnames,
                ParamCounts {
                    positional: code.argcount,
                    positional_only: code.posonlyargcount,
                    keyword_only: code.kwonlyargcount,
                    flags: code.flags,
                },
            ),
            is_generator: code.flags.contains(CodeFlags::GENERATOR),
            variables,
            consts: Vec::new(),
            values: Vec::new(),
            blocks: Vec::new(),
            object_blocks: Vec::new(),
        }
    }
}

/// How many parameters of each kind a code object says it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParamCounts {
    /// `co_argcount`, with those before `/`.
    pub positional: u32,
    /// `co_posonlyargcount`
    pub positional_only: u32,
    /// `co_kwonlyargcount`
    pub keyword_only: u32,
    /// `co_flags`
    pub flags: CodeFlags,
}

/// The parameters in the order of a signature, which numbers them everywhere: keyword-only ones stand behind `*args`,
/// before which `varnames` has them.
pub fn parameters(varnames: &[String], counts: ParamCounts) -> Vec<Param> {
    let mut names = varnames.iter().enumerate();
    let mut take = |count: u32, kind: ParamKind| -> Vec<Param> {
        let some = names.by_ref().take(count as usize);
        some.map(|(i, name)| Param {
            name: name.clone(),
            kind,
            variable: VariableId(i as u32),
        })
        .collect()
    };
    let positional_only = counts.positional_only.min(counts.positional);
    let flag = |flag: CodeFlags| u32::from(counts.flags.contains(flag));
    let mut params = take(positional_only, ParamKind::PositionalOnly);
    params.extend(take(
        counts.positional - positional_only,
        ParamKind::PositionalOrKeyword,
    ));
    let keyword_only = take(counts.keyword_only, ParamKind::KeywordOnly);
    params.extend(take(flag(CodeFlags::VARARGS), ParamKind::VarPositional));
    params.extend(keyword_only);
    params.extend(take(flag(CodeFlags::VARKEYWORDS), ParamKind::VarKeyword));
    params
}
