//! The untyped function.

use crate::binding::Formal;
use crate::{Const, ObjDesc, ObjKind, ObjRef, Rhs};
use cranelift_entity::{PrimaryMap, entity_impl};
use numbra_base::{Origin, Span};
use serde::{Deserialize, Serialize};

/// A variable of one [`Func`]. Several assignments may define it until `reconstruct_ssa`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Var(u32);
entity_impl!(Var, "var");

/// A basic block of one [`Func`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Block(u32);
entity_impl!(Block, "bb");

/// A statement of one [`Func`]. Side tables (types of calls, liveness) are keyed by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Inst(u32);
entity_impl!(Inst, "inst");

/// A variable: unique name, and the source variable that it is a version of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VarData {
    /// `x`, `x.1` (an SSA version), or `$3` (a temporary). Unique in its function.
    pub name: String,
    /// The variable before SSA, when this is a version of one.
    pub version_of: Option<Var>,
}

impl VarData {
    /// True for compiler-made temporaries, whose names start with `$`.
    pub fn is_temp(&self) -> bool {
        self.name.starts_with('$')
    }
}

/// Where exceptions raised in a block go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Handler {
    /// First block of the handler.
    pub block: Block,
}

/// Statements in order; the last one is a terminator.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct BlockData {
    /// Order of execution.
    pub insts: Vec<Inst>,
    /// The handler of exceptions raised here; `None` leaves the function.
    pub handler: Option<Handler>,
}

/// A statement and where it came from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Source position; kept by every pass.
    pub span: Span,
    /// The step that made it.
    pub origin: Origin,
}

/// Numba's statements. Terminators are the last group.
#[allow(missing_docs, reason = "each variant's doc comment shows its fields")]
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum StmtKind {
    /// `target = value`
    Assign { target: Var, value: Rhs },
    /// End of a variable's life. Only between `post_proc` and lowering; never in SSA form.
    Del(Var),
    /// `target[index] = value`
    SetItem { target: Var, index: Var, value: Var },
    /// `target[constant] = value`
    StaticSetItem {
        target: Var,
        index: Const,
        index_var: Option<Var>,
        value: Var,
    },
    /// `del target[index]`
    DelItem { target: Var, index: Var },
    /// `target.attr = value`
    SetAttr {
        target: Var,
        attr: String,
        value: Var,
    },
    /// `del target.attr`
    DelAttr { target: Var, attr: String },
    /// `dict[key] = value` in a dict comprehension.
    StoreMap { dict: Var, key: Var, value: Var },
    /// `print(*args)`
    Print { args: Vec<Var> },
    /// `with manager:`; `begin` and `end` delimit its region.
    EnterWith {
        manager: Var,
        begin: Block,
        end: Block,
    },
    /// End of a `with` region.
    PopBlock,
    /// Raises where `var` has no value: UnboundLocalError, or NameError where it is read as a `captured` variable.
    /// `name` is the source's for it. Only before SSA: `check_assigned` leaves tests where they are needed.
    CheckAssigned {
        var: Var,
        name: String,
        captured: bool,
    },
    /// `value` becomes what the closure cell `index` holds: `nonlocal name; name = value`. Only in bodies of inner
    /// functions; inlining makes it an assignment to the variable of the enclosing function.
    SetFreeVar {
        index: u32,
        name: String,
        value: Var,
    },

    // Terminators.
    /// `return value`
    Return(Var),
    /// Unconditional jump.
    Jump(Block),
    /// Two-way branch on a boolean.
    Branch {
        cond: Var,
        then: Block,
        other: Block,
    },
    /// `raise exception`; `None` re-raises.
    Raise(Option<Var>),
    /// `raise class(*constants)`
    StaticRaise { class: ObjRef, args: Vec<Const> },
    /// `raise class(*args)` with run-time arguments.
    DynamicRaise { class: ObjRef, args: Vec<Var> },
}

impl StmtKind {
    /// True for the statements that end a block.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            StmtKind::Return(_)
                | StmtKind::Jump(_)
                | StmtKind::Branch { .. }
                | StmtKind::Raise(_)
                | StmtKind::StaticRaise { .. }
                | StmtKind::DynamicRaise { .. }
        )
    }
}

/// How a parameter may be passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ArgKind {
    /// Before `/`.
    PositionalOnly,
    /// The usual kind.
    PositionalOrKeyword,
    /// `*args`
    VarPositional,
    /// After `*`.
    KeywordOnly,
    /// `**kwargs`
    VarKeyword,
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ArgSpec {
    /// Its name.
    pub name: String,
    /// How it may be passed.
    pub kind: ArgKind,
    /// Its default, where it is a plain constant.
    pub default: Option<Const>,
}

impl ArgSpec {
    /// As binding sees it.
    pub fn formal(&self) -> Formal<'_> {
        Formal {
            name: &self.name,
            kind: self.kind,
            has_default: self.default.is_some(),
        }
    }
}

/// A function in Numba IR: Numba's `FunctionIR`.
///
/// `blocks` are in program order and block 0 is the entry. After the builder every block is reachable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Func {
    /// `__name__`
    pub name: String,
    /// `__qualname__`
    pub qualname: String,
    /// `__module__`
    pub module: String,
    /// Parameters in order.
    pub args: Vec<ArgSpec>,
    /// Where `def` stands.
    pub span: Span,
    /// Contains `yield`.
    pub is_generator: bool,
    /// All variables, in creation order.
    pub vars: PrimaryMap<Var, VarData>,
    /// All statements, in creation order; those in no block are dead.
    pub insts: PrimaryMap<Inst, Stmt>,
    /// All blocks; those not in `layout` are dead.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// Live blocks in program order; the first is the entry.
    pub layout: Vec<Block>,
    /// Python objects referred to.
    pub objects: PrimaryMap<ObjRef, ObjDesc>,
    /// Nested functions, by the `code` of `MakeFunction`; each is a whole [`Func`] whose free variables are the closure.
    pub nested: Vec<(ObjRef, Func)>,
}

impl Func {
    /// An empty function.
    pub fn new(name: impl Into<String>, span: Span) -> Func {
        let name = name.into();
        Func {
            qualname: name.clone(),
            name,
            module: String::new(),
            args: Vec::new(),
            span,
            is_generator: false,
            vars: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            blocks: PrimaryMap::new(),
            layout: Vec::new(),
            objects: PrimaryMap::new(),
            nested: Vec::new(),
        }
    }

    /// The entry block.
    pub fn entry(&self) -> Option<Block> {
        self.layout.first().copied()
    }

    /// Describes each object anew, in order. `describe` may put objects that it needs before its result into the
    /// table that it is given; each reference is translated.
    ///
    /// # Errors
    /// What `describe` answers; the table is then incomplete and the function of no use.
    pub fn describe_objects<E>(
        &mut self,
        mut describe: impl FnMut(&mut PrimaryMap<ObjRef, ObjDesc>, ObjDesc) -> Result<ObjDesc, E>,
    ) -> Result<(), E> {
        let old = std::mem::take(&mut self.objects);
        let mut moved: PrimaryMap<ObjRef, ObjRef> = PrimaryMap::new();
        for (_, mut desc) in old {
            if let ObjKind::Tuple(items, _) = &mut desc.kind {
                items.iter_mut().for_each(|item| *item = moved[*item]);
            }
            let desc = describe(&mut self.objects, desc)?;
            moved.push(self.objects.push(desc));
        }
        for stmt in self.insts.values_mut() {
            stmt.kind.for_each_object_mut(|obj| *obj = moved[*obj]);
        }
        for (code, _) in &mut self.nested {
            *code = moved[*code];
        }
        Ok(())
    }

    /// Appends a new block to the layout.
    pub fn push_block(&mut self) -> Block {
        let block = self.blocks.push(BlockData::default());
        self.layout.push(block);
        block
    }

    /// A new variable of this name; the caller keeps names unique.
    pub fn push_var(&mut self, name: impl Into<String>) -> Var {
        self.vars.push(VarData {
            name: name.into(),
            version_of: None,
        })
    }

    /// A new temporary `$n`.
    pub fn push_temp(&mut self) -> Var {
        let name = format!("${}", self.vars.len());
        self.push_var(name)
    }

    /// Appends a statement to a block.
    pub fn push_stmt(&mut self, block: Block, kind: StmtKind, span: Span, origin: Origin) -> Inst {
        let inst = self.insts.push(Stmt { kind, span, origin });
        self.blocks[block].insts.push(inst);
        inst
    }

    /// The terminator of a block, if it has one.
    pub fn terminator(&self, block: Block) -> Option<&StmtKind> {
        let last = *self.blocks[block].insts.last()?;
        let kind = &self.insts[last].kind;
        kind.is_terminator().then_some(kind)
    }

    /// Successors of a block in branch order; the exception handler is not among them.
    pub fn successors(&self, block: Block) -> Vec<Block> {
        match self.terminator(block) {
            Some(StmtKind::Jump(to)) => vec![*to],
            Some(StmtKind::Branch { then, other, .. }) => {
                if then == other {
                    vec![*then]
                } else {
                    vec![*then, *other]
                }
            }
            _ => Vec::new(),
        }
    }

    /// The name of a variable.
    pub fn var_name(&self, var: Var) -> &str {
        &self.vars[var].name
    }
}
