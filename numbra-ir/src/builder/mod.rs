//! Numba IR from the data-flow graph of bytecode: Numba's `Interpreter`.
//!
//! Local variables keep their names; values of the operand stack become temporaries `$0`, `$1`, ... in order of
//! appearance, and block parameters become temporaries that each predecessor assigns. Reads of a local use the
//! variable itself where nothing assigns it in between. Globals and free variables are left as
//! [`ObjKind::Unresolved`] descriptions for the Host; what the compiler itself refers to (`bool` of a condition,
//! `slice`, `format` of an f-string, `AssertionError`) names the builtin. The graph is equal on all Python versions,
//! so the text of the result is, too.
//!
//! Handlers see variables as they are at the start of a protected block, so an assignment in front of an
//! operation that may raise ends its block.

mod assigned;
mod calls;
mod caught;
mod contexts;
mod displays;
mod edges;
mod functions;
mod loads;
mod object_mode;
mod ops;
mod patterns;
mod unsupported;

use crate::steps;
use crate::{
    ArgSpec, Block, Const, EntityRef, Func, Handler, ObjDesc, ObjKind, ObjRef, Rhs, StmtKind, Var,
    VarData,
};
use caught::{caught_values, kept_values};
use loads::Loads;
use numbra_base::{Diagnostic, ErrorClass, FileId, FxHashMap, FxHashSet, Origin, Span};
use numbra_bytecode::dfg::{Dfg, DfgInst, ValueId, ValueKind, VariableId, VariableKind};
use numbra_bytecode::{CodeObject, Const as CodeConst};

/// Builds the IR of a function from its code object. `module` is its `__module__`; spans are in `file`.
pub fn build_code(code: &CodeObject, file: FileId, module: &str) -> Result<Func, Box<Diagnostic>> {
    let dfg =
        Dfg::of_code(code, file).map_err(|error| Box::new(error.to_diagnostic(&code.filename)))?;
    build_dfg(&dfg, module)
}

/// Builds the IR of a function from its data-flow graph.
pub fn build_dfg(dfg: &Dfg, module: &str) -> Result<Func, Box<Diagnostic>> {
    build_at(dfg, module, 0)
}

fn build_at(dfg: &Dfg, module: &str, depth: u32) -> Result<Func, Box<Diagnostic>> {
    check_names(dfg)?;
    let mut builder = Builder::new(dfg, module, depth);
    builder.declare_parameters();
    for block in 0..dfg.blocks.len() {
        builder.build_block(block)?;
    }
    let mut func = builder.func;
    crate::compact(&mut func);
    name_temporaries(&mut func);
    assigned::check(&func, dfg)?;
    Ok(func)
}

/// CPython's compiler names variables apart; an edited code object may not.
fn check_names(dfg: &Dfg) -> Result<(), Box<Diagnostic>> {
    let mut names = FxHashSet::default();
    let odd = |name: &str| name.is_empty() || name.starts_with('$');
    match dfg
        .variables
        .iter()
        .find(|v| odd(&v.name) || !names.insert(v.name.as_str()))
    {
        Some(variable) => Err(Box::new(Diagnostic::error(
            "B002",
            ErrorClass::UnsupportedBytecodeError,
            format!(
                "malformed code object: variable name `{}` is used twice, or is none",
                variable.name
            ),
            dfg.span,
        ))),
        None => Ok(()),
    }
}

struct Builder<'a> {
    dfg: &'a Dfg,
    func: Func,
    /// First block of each block of the graph.
    entries: Vec<Block>,
    /// Where statements go.
    block: Block,
    handler: Option<Handler>,
    /// Position of the statements.
    span: Span,
    offset: u32,
    variables: Vec<Option<Var>>,
    values: Vec<Option<Var>>,
    loads: Loads,
    /// The values that are caught exceptions.
    caught: Vec<bool>,
    /// Those of them that have variables.
    kept: Vec<bool>,
    objects: FxHashMap<(String, bool), ObjRef>,
    yields: u32,
    depth: u32,
}

impl<'a> Builder<'a> {
    fn new(dfg: &'a Dfg, module: &str, depth: u32) -> Builder<'a> {
        let mut func = Func::new(&dfg.name, dfg.span);
        func.qualname.clone_from(&dfg.qualname);
        func.module = module.to_owned();
        func.is_generator = dfg.is_generator;
        let entries: Vec<Block> = dfg
            .blocks
            .iter()
            .map(|_| func.blocks.push(Default::default()))
            .collect();
        let caught = caught_values(dfg);
        Builder {
            dfg,
            block: entries[0],
            entries,
            handler: None,
            span: dfg.span,
            offset: 0,
            variables: vec![None; dfg.variables.len()],
            values: vec![None; dfg.values.len()],
            loads: Loads::of(dfg),
            kept: kept_values(dfg, &caught),
            caught,
            objects: FxHashMap::default(),
            yields: 0,
            depth,
            func,
        }
    }

    fn declare_parameters(&mut self) {
        for (index, param) in self.dfg.params.iter().enumerate() {
            self.func.args.push(ArgSpec {
                name: param.name.clone(),
                kind: param.kind.into(),
                default: None,
            });
            let target = self.variable(param.variable);
            self.assign(target, Rhs::Arg(index as u32));
        }
    }

    /// Statements of one block of the graph.
    fn build_block(&mut self, index: usize) -> Result<(), Box<Diagnostic>> {
        let block = &self.dfg.blocks[index];
        self.block = self.entries[index];
        self.handler = None;
        self.func.layout.push(self.block);
        self.at(block
            .insts
            .first()
            .map_or((block.span, block.offset), |i| (i.span, i.offset)));
        let kept = block.caught.filter(|value| self.kept[value.index()]);
        if let Some(exception) = kept {
            let keep = self.step_var(steps::KEEP_EXCEPTION);
            let kept = self.temp(ops::call(keep, Vec::new()));
            self.values[exception.index()] = Some(kept);
        }
        if let Some(edge) = &block.handler {
            let target = self.entries[edge.target.index()];
            let needs_values = !edge.args.is_empty() || kept.is_some();
            self.assign_params(edge)?;
            self.handler = Some(Handler { block: target });
            // Parameters belong to the parameter-less entry: `arg` must not move behind a jump.
            if needs_values || index == 0 {
                let body = self.next_block();
                let jump =
                    self.func
                        .push_stmt(self.block, StmtKind::Jump(body), self.span, self.origin());
                debug_assert!(self.func.insts.is_valid(jump));
                self.start(body);
            } else {
                self.func.blocks[self.block].handler = self.handler;
            }
        }
        // Nothing in the block so far may raise.
        let mut quiet = kept.is_none();
        for (i, inst) in block.insts.iter().enumerate() {
            self.at((inst.span, inst.offset));
            self.build_inst(index, i, inst)?;
            quiet &= !inst.op.may_raise();
            // What a handler may find: a variable, or a value that is read there.
            let is_seen = |value: &ValueId| self.loads.is_read_elsewhere(*value);
            let changes = !inst.op.may_raise()
                && (inst.results.is_empty() || inst.results.iter().any(is_seen));
            if changes && self.handler.is_some() && may_still_raise(&block.insts[i + 1..]) {
                let next = self.next_block();
                self.emit(StmtKind::Jump(next));
                // A handler finds a value only where each of its blocks begins with it.
                if quiet && !inst.results.is_empty() {
                    self.func.blocks[self.block].handler = None;
                }
                self.start(next);
                quiet = true;
            }
        }
        self.at((block.span, block.offset));
        self.build_terminator(&block.term)
    }

    fn at(&mut self, (span, offset): (Span, u32)) {
        (self.span, self.offset) = (span, offset);
    }

    fn origin(&self) -> Origin {
        Origin::Bytecode(self.offset)
    }

    /// A block that is not in the layout yet.
    fn next_block(&mut self) -> Block {
        self.func.blocks.push(Default::default())
    }

    /// Continues in `block`, under the current handler.
    fn start(&mut self, block: Block) {
        self.func.layout.push(block);
        self.func.blocks[block].handler = self.handler;
        self.block = block;
    }

    fn emit(&mut self, kind: StmtKind) {
        self.func
            .push_stmt(self.block, kind, self.span, self.origin());
    }

    fn assign(&mut self, target: Var, value: impl Into<Rhs>) {
        self.emit(StmtKind::Assign {
            target,
            value: value.into(),
        });
    }

    /// `$n = value`
    fn temp(&mut self, value: impl Into<Rhs>) -> Var {
        let target = self.new_temp();
        self.assign(target, value);
        target
    }

    fn new_temp(&mut self) -> Var {
        let name = format!("${}", self.func.vars.len());
        self.func.push_var(name)
    }

    fn variable(&mut self, id: VariableId) -> Var {
        let slot = &mut self.variables[id.0 as usize];
        *slot.get_or_insert_with(|| self.func.push_var(&self.dfg.variables[id.0 as usize].name))
    }

    /// A read of the variable raises here where it has no value.
    fn check_assigned(&mut self, id: VariableId, captured: bool) {
        let var = self.variable(id);
        self.emit(StmtKind::CheckAssigned {
            var,
            name: assigned::name_in_source(self.dfg, id),
            captured,
        });
    }

    fn is_free(&self, id: VariableId) -> Option<u32> {
        match self.dfg.variables[id.0 as usize].kind {
            VariableKind::Free(index) => Some(index),
            VariableKind::Local | VariableKind::Cell | VariableKind::Comprehension => None,
        }
    }

    /// The variable that holds a value; constants are loaded here.
    fn value(&mut self, value: ValueId) -> Result<Var, Box<Diagnostic>> {
        let data = *self.dfg.value(value);
        if self.caught[value.index()] {
            return Err(self.unsupported_exception_value());
        }
        match data.kind {
            ValueKind::Const(id) => {
                let constant = self.constant(&self.dfg.consts[id.0 as usize], data.span)?;
                let target = self.new_temp();
                let kind = StmtKind::Assign {
                    target,
                    value: Rhs::Const(constant),
                };
                self.func
                    .push_stmt(self.block, kind, data.span, Origin::Bytecode(data.offset));
                Ok(target)
            }
            ValueKind::Caught => Err(self.unsupported_exception_value()),
            ValueKind::Param => Ok(self.param(value)),
            ValueKind::Result => match (self.loads.alias(value), self.values[value.index()]) {
                (Some(variable), _) => Ok(self.variable(variable)),
                (None, Some(var)) => Ok(var),
                (None, None) => Err(self.unsupported_cell(data.span)),
            },
        }
    }

    fn values(&mut self, values: &[ValueId]) -> Result<Vec<Var>, Box<Diagnostic>> {
        values.iter().map(|&value| self.value(value)).collect()
    }

    /// The temporary of a block parameter.
    fn param(&mut self, value: ValueId) -> Var {
        match self.values[value.index()] {
            Some(var) => var,
            None => {
                let var = self.new_temp();
                self.values[value.index()] = Some(var);
                var
            }
        }
    }

    /// Gives the instruction's only result its variable.
    fn result(&mut self, inst: &DfgInst, rhs: impl Into<Rhs>) {
        let var = self.temp(rhs);
        if let Some(result) = inst.results.first() {
            self.values[result.index()] = Some(var);
        }
    }

    /// A constant as the IR knows it.
    fn constant(&self, constant: &CodeConst, span: Span) -> Result<Const, Box<Diagnostic>> {
        Ok(match constant {
            CodeConst::None => Const::None,
            CodeConst::Ellipsis => Const::Ellipsis,
            CodeConst::Bool(value) => Const::Bool(*value),
            CodeConst::Int(value) => Const::Int(*value),
            CodeConst::BigInt(digits) => match digits.parse() {
                Ok(value) => Const::BigInt(value),
                Err(_) => return Err(self.unsupported_constant("an integer that is none", span)),
            },
            CodeConst::Float(bits) => Const::Float(bits.0),
            CodeConst::Complex(re, im) => Const::Complex(re.0, im.0),
            CodeConst::Str(text) => Const::Str(text.clone()),
            CodeConst::Bytes(bytes) => Const::Bytes(bytes.clone()),
            // A frozenset constant stands after `in` only, where a tuple means the same.
            CodeConst::Tuple(items) | CodeConst::FrozenSet(items) => Const::Tuple(
                items
                    .iter()
                    .map(|item| self.constant(item, span))
                    .collect::<Result<_, _>>()?,
            ),
            CodeConst::Slice(parts) => {
                let part = |i: usize| self.constant(&parts[i], span);
                Const::Slice(Box::new([part(0)?, part(1)?, part(2)?]))
            }
            CodeConst::Code(_) => return Err(self.unsupported_constant("a code object", span)),
            CodeConst::Opaque(what) => return Err(self.unsupported_constant(what, span)),
        })
    }

    /// A global or free variable by name, for the Host to resolve.
    fn unresolved(&mut self, name: &str) -> ObjRef {
        self.object(name, ObjKind::Unresolved, name)
    }

    /// A class or function of module `builtins` that the compiler itself refers to.
    fn builtin(&mut self, name: &str) -> ObjRef {
        let (kind, repr) = match name {
            "format" | "repr" => (ObjKind::Function, format!("<built-in function {name}>")),
            _ => (ObjKind::Class, format!("<class '{name}'>")),
        };
        self.object(&format!("builtins.{name}"), kind, &repr)
    }

    fn object(&mut self, name: &str, kind: ObjKind, repr: &str) -> ObjRef {
        let key = (name.to_owned(), kind == ObjKind::Unresolved);
        if let Some(&obj) = self.objects.get(&key) {
            return obj;
        }
        let desc = ObjDesc {
            name: name.to_owned(),
            kind,
            repr: repr.to_owned(),
            digest: None,
        };
        let obj = self.func.objects.push(desc);
        self.objects.insert(key, obj);
        obj
    }

    /// A diagnostic for a construct outside the language, with Numba's class and phrase.
    fn unsupported(
        &self,
        class: ErrorClass,
        span: Span,
        message: impl Into<String>,
        numba: &str,
        help: &str,
    ) -> Box<Diagnostic> {
        let phrase = match class {
            ErrorClass::UnsupportedBytecodeError => {
                format!("{numba}. Raised from {} ({})", self.dfg.filename, span.line)
            }
            _ => numba.to_owned(),
        };
        let diagnostic = Diagnostic::error("B003", class, message, span)
            .with_help(help)
            .with_numba_phrase(phrase);
        Box::new(diagnostic)
    }
}

fn may_still_raise(insts: &[DfgInst]) -> bool {
    insts.iter().any(|inst| inst.op.may_raise())
}

/// Names temporaries `$0`, `$1`, ... in order of appearance.
fn name_temporaries(func: &mut Func) {
    let mut named = vec![false; func.vars.len()];
    let mut order: Vec<Var> = Vec::new();
    let mut see = |var: Var, vars: &crate::PrimaryMap<Var, VarData>| {
        if vars[var].is_temp() && !std::mem::replace(&mut named[var.index()], true) {
            order.push(var);
        }
    };
    for stmt in func.insts.values() {
        if let Some(var) = stmt.kind.def() {
            see(var, &func.vars);
        }
        stmt.kind.for_each_use(|var| see(var, &func.vars));
    }
    for (n, var) in order.into_iter().enumerate() {
        func.vars[var].name = format!("${n}");
    }
}
