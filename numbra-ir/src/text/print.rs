//! Functions as text.

use super::names::{NoRows, RowNames, quote_name};
use crate::{
    ArgKind, Block, CallArg, CallSite, Callee, Const, Expr, Func, Inst, ObjDesc, ObjKind, ObjRef,
    Rhs, StmtKind, TupleClass, Type, TypedFunc, Types, Var,
};
use numbra_base::{FxHashMap, Span};
use std::fmt::{self, Write};

/// What the text shows beside the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PrintOptions {
    /// `@ 3:4-3:9 bc12` after statements: span and origin.
    pub spans: bool,
    /// A `var` line for each variable in order, and digests of objects: what round trips need beside spans.
    pub tables: bool,
}

impl PrintOptions {
    /// Code only; for golden files and reading.
    pub const PLAIN: PrintOptions = PrintOptions {
        spans: false,
        tables: false,
    };
    /// Everything: parses back to an equal function.
    pub const LOSSLESS: PrintOptions = PrintOptions {
        spans: true,
        tables: true,
    };
}

/// The text of a function.
pub fn print_func(func: &Func, types: &Types, options: PrintOptions) -> String {
    let mut out = String::new();
    Printer::new(func, None, types, &NoRows, options).function(&mut out, 0);
    out
}

/// A place in a function that a remark is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Location {
    /// The function as a whole.
    Func,
    /// A block.
    Block(Block),
    /// A statement.
    Inst(Inst),
}

/// Remarks for [`print_func_with_notes`]: each becomes a comment at the end of its line. Nested functions have none.
pub type Notes<'a> = &'a dyn Fn(Location) -> Option<String>;

/// The text of a function, with remarks as comments.
pub fn print_func_with_notes(
    func: &Func,
    types: &Types,
    options: PrintOptions,
    notes: Notes<'_>,
) -> String {
    let mut out = String::new();
    let mut printer = Printer::new(func, None, types, &NoRows, options);
    printer.notes = Some(notes);
    printer.function(&mut out, 0);
    out
}

/// The text of a typed function, with remarks as comments.
pub fn print_typed_func_with_notes(
    typed: &TypedFunc,
    types: &Types,
    rows: &dyn RowNames,
    options: PrintOptions,
    notes: Notes<'_>,
) -> String {
    let mut out = String::new();
    let mut printer = Printer::new(&typed.func, Some(typed), types, rows, options);
    printer.notes = Some(notes);
    printer.function(&mut out, 0);
    out
}

/// The text of a typed function: assignments carry types, resolved calls their callee.
pub fn print_typed_func(
    typed: &TypedFunc,
    types: &Types,
    rows: &dyn RowNames,
    options: PrintOptions,
) -> String {
    let mut out = String::new();
    Printer::new(&typed.func, Some(typed), types, rows, options).function(&mut out, 0);
    out
}

/// One statement, as it stands in the text of its function.
pub fn print_stmt(func: &Func, inst: Inst, types: &Types) -> String {
    let mut out = String::new();
    let printer = Printer::new(func, None, types, &NoRows, PrintOptions::PLAIN);
    // Writing to a string cannot fail.
    let _ = printer.stmt(&mut out, inst);
    out
}

pub(super) struct Printer<'a> {
    func: &'a Func,
    typed: Option<&'a TypedFunc>,
    types: &'a Types,
    rows: &'a dyn RowNames,
    options: PrintOptions,
    /// How often each object name occurs: only unique ones stand for their object.
    name_counts: FxHashMap<&'a str, u32>,
    notes: Option<Notes<'a>>,
}

/// Joins with `, `.
fn join<T>(items: impl IntoIterator<Item = T>, show: impl Fn(T) -> String) -> String {
    items.into_iter().map(show).collect::<Vec<_>>().join(", ")
}

/// `3:4-3:9`, with a file where it is not the function's.
pub fn span_text(span: Span, home: Span) -> String {
    if span.file == home.file || span == Span::NONE {
        span.to_string()
    } else {
        format!("file{}:{span}", span.file.0)
    }
}

impl<'a> Printer<'a> {
    pub(super) fn new(
        func: &'a Func,
        typed: Option<&'a TypedFunc>,
        types: &'a Types,
        rows: &'a dyn RowNames,
        options: PrintOptions,
    ) -> Printer<'a> {
        let mut name_counts = FxHashMap::default();
        for desc in func.objects.values() {
            *name_counts.entry(desc.name.as_str()).or_insert(0) += 1;
        }
        Printer {
            func,
            typed,
            types,
            rows,
            options,
            name_counts,
            notes: None,
        }
    }

    /// The whole function, each line indented by `indent` steps.
    pub(super) fn function(&self, out: &mut String, indent: usize) {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.header(&mut text);
        for &block in &self.func.layout {
            let _ = self.block(&mut text, block);
        }
        for line in text.lines() {
            let _ = writeln!(out, "{:1$}{line}", "", indent * 2);
        }
        for (code, nested) in &self.func.nested {
            let _ = writeln!(out, "{:1$}nested {code}", "", indent * 2);
            Printer::new(nested, None, self.types, self.rows, self.options)
                .function(out, indent + 1);
            let _ = writeln!(out, "{:1$}end", "", indent * 2);
        }
    }

    fn note(&self, out: &mut String, place: Location) {
        if let Some(note) = self.notes.and_then(|notes| notes(place)) {
            out.push_str(" ; ");
            out.push_str(&note);
        }
    }

    fn header(&self, out: &mut String) -> fmt::Result {
        let func = self.func;
        write!(
            out,
            "function {}({})",
            quote_name(&func.name),
            self.parameters()
        )?;
        if let Some(typed) = self.typed {
            write!(out, " -> {}", self.types.text(typed.ret))?;
        }
        if func.is_generator {
            out.push_str(" generator");
        }
        out.push(':');
        self.note(out, Location::Func);
        out.push('\n');
        if func.qualname != func.name {
            writeln!(out, "  qualname {}", quote_name(&func.qualname))?;
        }
        if !func.module.is_empty() {
            writeln!(out, "  module {}", quote_name(&func.module))?;
        }
        if self.options.spans && func.span != Span::NONE {
            writeln!(out, "  span file{}:{}", func.span.file.0, func.span)?;
        }
        for (obj, desc) in &func.objects {
            self.object(out, obj, desc)?;
        }
        self.variables(out)
    }

    /// `a, b=1, /, *args, c, **kw`
    fn parameters(&self) -> String {
        let mut parts = Vec::new();
        let args = &self.func.args;
        let mut star = false;
        for (i, arg) in args.iter().enumerate() {
            if arg.kind == ArgKind::KeywordOnly && !star {
                parts.push("*".to_owned());
                star = true;
            }
            let mut part = match arg.kind {
                ArgKind::VarPositional => {
                    star = true;
                    "*"
                }
                ArgKind::VarKeyword => "**",
                ArgKind::PositionalOnly | ArgKind::PositionalOrKeyword | ArgKind::KeywordOnly => "",
            }
            .to_owned();
            part.push_str(&quote_name(&arg.name));
            if let Some(ty) = self.typed.and_then(|t| t.args.get(i)) {
                part.push_str(&format!(": {}", self.types.text(*ty)));
            }
            if let Some(default) = &arg.default {
                part.push_str(&format!("={default}"));
            }
            parts.push(part);
            let next = args.get(i + 1).map(|a| a.kind);
            if arg.kind == ArgKind::PositionalOnly && next != Some(ArgKind::PositionalOnly) {
                parts.push("/".to_owned());
            }
        }
        parts.join(", ")
    }

    fn object(&self, out: &mut String, obj: ObjRef, desc: &ObjDesc) -> fmt::Result {
        write!(out, "  {obj} = {} ", quote_name(&desc.name))?;
        let ty = |ty: &Type| self.types.text(*ty);
        match &desc.kind {
            ObjKind::Unresolved => out.push_str("unresolved"),
            ObjKind::Undefined => out.push_str("undefined"),
            ObjKind::Module => out.push_str("module"),
            ObjKind::Function => out.push_str("function"),
            ObjKind::Class => out.push_str("class"),
            ObjKind::DType(t) => write!(out, "dtype({})", ty(t))?,
            ObjKind::TypeObject(t) => write!(out, "type({})", ty(t))?,
            ObjKind::Dispatcher(id) => write!(out, "dispatcher({})", id.0)?,
            ObjKind::Value(value) => write!(out, "value({value})")?,
            ObjKind::Typed(t, value) => write!(out, "typed({}, {value})", ty(t))?,
            ObjKind::Array { ty: t, handle } => write!(out, "array({}, {handle})", ty(t))?,
            ObjKind::Tuple(items, class) => {
                write!(out, "tuple({})", join(items, |o| o.to_string()))?;
                if let Some(TupleClass { name, fields }) = class {
                    let fields = join(fields, |field| quote_name(field).into_owned());
                    write!(out, " of {}({fields})", quote_name(name))?;
                }
            }
            ObjKind::ObjectBlock(index) => write!(out, "object_block({index})")?,
            ObjKind::Opaque { class } => write!(out, "opaque({class:?})")?,
        }
        if !desc.repr.is_empty() {
            write!(out, " repr {:?}", desc.repr)?;
        }
        if let (Some(digest), true) = (desc.digest, self.options.tables) {
            write!(out, " digest {digest}")?;
        }
        out.push('\n');
        Ok(())
    }

    /// `var` lines: all variables where asked, else those whose type no assignment shows.
    fn variables(&self, out: &mut String) -> fmt::Result {
        let mut assigned = vec![false; self.func.vars.len()];
        if self.typed.is_some() {
            for &block in &self.func.layout {
                for &inst in &self.func.blocks[block].insts {
                    if let StmtKind::Assign { target, .. } = self.func.insts[inst].kind
                        && let Some(flag) = assigned.get_mut(target.as_u32() as usize)
                    {
                        *flag = true;
                    }
                }
            }
        }
        for (var, data) in &self.func.vars {
            let ty = self.type_of(var);
            let shown = ty.is_none() || assigned[var.as_u32() as usize];
            if !self.options.tables && shown {
                continue;
            }
            write!(out, "  var {}", quote_name(&data.name))?;
            if let Some(of) = data.version_of {
                write!(out, " of {}", self.var(of))?;
            }
            if let (Some(ty), false) = (ty, assigned[var.as_u32() as usize]) {
                write!(out, ": {}", self.types.text(ty))?;
            }
            out.push('\n');
        }
        Ok(())
    }

    fn type_of(&self, var: Var) -> Option<Type> {
        self.typed.and_then(|t| t.var_types[var])
    }

    fn block(&self, out: &mut String, block: Block) -> fmt::Result {
        let Some(data) = self.func.blocks.get(block) else {
            return writeln!(out, "; {block} does not exist");
        };
        write!(out, "{block}")?;
        if let Some(handler) = data.handler {
            write!(out, " handler {}", handler.block)?;
        }
        out.push(':');
        self.note(out, Location::Block(block));
        out.push('\n');
        for &inst in &data.insts {
            out.push_str("  ");
            self.stmt(out, inst)?;
            if self.options.spans {
                let stmt = &self.func.insts[inst];
                let span = span_text(stmt.span, self.func.span);
                write!(out, " @ {span} {}", stmt.origin)?;
            }
            if let Some(call) = self.typed.and_then(|t| t.calls[inst].as_ref()) {
                self.call_site(out, inst, call)?;
            }
            self.note(out, Location::Inst(inst));
            out.push('\n');
        }
        Ok(())
    }

    fn var(&self, var: Var) -> String {
        match self.func.vars.get(var) {
            Some(data) => quote_name(&data.name).into_owned(),
            None => format!("`{var}?`"),
        }
    }

    fn vars(&self, vars: &[Var]) -> String {
        join(vars, |v| self.var(*v))
    }

    fn obj(&self, obj: ObjRef) -> String {
        match self.func.objects.get(obj) {
            Some(desc) if self.name_counts.get(desc.name.as_str()) == Some(&1) => {
                let name = quote_name(&desc.name);
                if name.starts_with('`') {
                    obj.to_string()
                } else {
                    name.into_owned()
                }
            }
            _ => obj.to_string(),
        }
    }

    fn stmt(&self, out: &mut String, inst: Inst) -> fmt::Result {
        let Some(stmt) = self.func.insts.get(inst) else {
            return write!(out, "; {inst} does not exist");
        };
        let v = |var: &Var| self.var(*var);
        match &stmt.kind {
            StmtKind::Assign { target, value } => {
                out.push_str(&v(target));
                if let Some(ty) = self.type_of(*target) {
                    write!(out, ": {}", self.types.text(ty))?;
                }
                out.push_str(" = ");
                self.rhs(out, value)
            }
            StmtKind::Del(var) => write!(out, "del {}", v(var)),
            StmtKind::SetItem {
                target,
                index,
                value,
            } => write!(out, "{}[{}] = {}", v(target), v(index), v(value)),
            StmtKind::StaticSetItem {
                target,
                index,
                index_var,
                value,
            } => {
                write!(out, "static_setitem({}, {index}", v(target))?;
                if let Some(var) = index_var {
                    write!(out, ", {}", v(var))?;
                }
                write!(out, ") = {}", v(value))
            }
            StmtKind::DelItem { target, index } => write!(out, "del {}[{}]", v(target), v(index)),
            StmtKind::SetAttr {
                target,
                attr,
                value,
            } => write!(out, "({}).{} = {}", v(target), quote_name(attr), v(value)),
            StmtKind::DelAttr { target, attr } => {
                write!(out, "del ({}).{}", v(target), quote_name(attr))
            }
            StmtKind::StoreMap { dict, key, value } => {
                write!(out, "store_map({}, {}) = {}", v(dict), v(key), v(value))
            }
            StmtKind::Print { args } => write!(out, "print({})", self.vars(args)),
            StmtKind::EnterWith {
                manager,
                begin,
                end,
            } => write!(out, "enter_with {}, {begin}, {end}", v(manager)),
            StmtKind::PopBlock => out.write_str("pop_block"),
            StmtKind::CheckAssigned {
                var,
                name,
                captured,
            } => {
                let how = if *captured { "captured" } else { "local" };
                write!(out, "check_assigned {}, {how} {}", v(var), quote_name(name))
            }
            StmtKind::SetFreeVar { index, name, value } => {
                write!(
                    out,
                    "set_freevar {index}, {}, {}",
                    quote_name(name),
                    v(value)
                )
            }
            StmtKind::Return(value) => write!(out, "return {}", v(value)),
            StmtKind::Jump(to) => write!(out, "jump {to}"),
            StmtKind::Branch { cond, then, other } => {
                write!(out, "branch {}, {then}, {other}", v(cond))
            }
            StmtKind::Raise(None) => out.write_str("raise"),
            StmtKind::Raise(Some(exception)) => write!(out, "raise {}", v(exception)),
            StmtKind::StaticRaise { class, args } => {
                let args = join(args, |a| a.to_string());
                write!(out, "raise {}({args})", self.obj(*class))
            }
            StmtKind::DynamicRaise { class, args } => {
                write!(
                    out,
                    "dynamic_raise {}({})",
                    self.obj(*class),
                    self.vars(args)
                )
            }
        }
    }

    fn rhs(&self, out: &mut String, rhs: &Rhs) -> fmt::Result {
        match rhs {
            Rhs::Arg(n) => match self.func.args.get(*n as usize) {
                Some(arg) => write!(out, "arg({n}, name={})", quote_name(&arg.name)),
                None => write!(out, "arg({n})"),
            },
            Rhs::Const(value) => write!(out, "const({}, {value})", value.type_name()),
            Rhs::Global(obj) => write!(out, "global({})", self.obj(*obj)),
            Rhs::FreeVar { index, obj } => write!(out, "freevar({index}, {})", self.obj(*obj)),
            Rhs::Var(var) => out.write_str(&self.var(*var)),
            Rhs::Expr(expr) => self.expr(out, expr),
            Rhs::Yield { value, index } => write!(out, "yield({}, {index})", self.var(*value)),
            Rhs::Undefined => out.write_str("undefined"),
        }
    }

    fn expr(&self, out: &mut String, expr: &Expr) -> fmt::Result {
        let v = |var: &Var| self.var(*var);
        let static_part = |out: &mut String, value: &Option<Const>| match value {
            Some(value) => write!(out, " static {value}"),
            None => Ok(()),
        };
        match expr {
            Expr::BinOp {
                op,
                lhs,
                rhs,
                static_rhs,
            } => {
                write!(out, "{} {} {}", v(lhs), op.symbol(), v(rhs))?;
                static_part(out, static_rhs)
            }
            Expr::InplaceBinOp {
                op,
                lhs,
                rhs,
                static_rhs,
            } => {
                if op.inplace_name().is_some() {
                    write!(out, "{} {}= {}", v(lhs), op.symbol(), v(rhs))?;
                } else {
                    write!(out, "inplace {} {} {}", v(lhs), op.symbol(), v(rhs))?;
                }
                static_part(out, static_rhs)
            }
            Expr::Unary { op, value } => {
                let space = if op.symbol() == "not" { " " } else { "" };
                write!(out, "{}{space}{}", op.symbol(), v(value))
            }
            Expr::Call {
                func,
                args,
                kws,
                vararg,
            } => {
                let mut parts: Vec<String> = args.iter().map(v).collect();
                parts.extend(
                    kws.iter()
                        .map(|(k, a)| format!("{}={}", quote_name(k), v(a))),
                );
                parts.extend(vararg.iter().map(|a| format!("*{}", v(a))));
                write!(out, "call {}({})", v(func), parts.join(", "))
            }
            Expr::BuildTuple(items) => write!(out, "build_tuple({})", self.vars(items)),
            Expr::BuildList(items) => write!(out, "build_list({})", self.vars(items)),
            Expr::BuildSet(items) => write!(out, "build_set({})", self.vars(items)),
            Expr::BuildMap(items) => {
                let items = join(items, |(k, a)| format!("{}: {}", v(k), v(a)));
                write!(out, "build_map({items})")
            }
            Expr::BuildString(items) => write!(out, "build_string({})", self.vars(items)),
            Expr::PairFirst(value) => write!(out, "pair_first({})", v(value)),
            Expr::PairSecond(value) => write!(out, "pair_second({})", v(value)),
            Expr::GetIter(value) => write!(out, "getiter({})", v(value)),
            Expr::IterNext(value) => write!(out, "iternext({})", v(value)),
            Expr::ExhaustIter { value, count } => {
                write!(out, "exhaust_iter({}, count={count})", v(value))
            }
            Expr::GetAttr { value, attr } => {
                write!(out, "getattr({}, {})", v(value), quote_name(attr))
            }
            Expr::GetItem { value, index } => write!(out, "getitem({}, {})", v(value), v(index)),
            Expr::StaticGetItem {
                value,
                index,
                index_var,
            } => {
                write!(out, "static_getitem({}, {index}", v(value))?;
                if let Some(var) = index_var {
                    write!(out, ", {}", v(var))?;
                }
                out.write_str(")")
            }
            Expr::Cast { value, to: None } => write!(out, "cast({})", v(value)),
            Expr::Cast {
                value,
                to: Some(to),
            } => write!(out, "cast({}, to={})", v(value), self.types.text(*to)),
            Expr::Phi(incoming) => {
                let incoming = join(incoming, |(block, value)| match value {
                    Some(value) => format!("{block}: {}", v(value)),
                    None => format!("{block}: undef"),
                });
                write!(out, "phi({incoming})")
            }
            Expr::MakeFunction {
                name,
                code,
                closure,
                defaults,
                kwdefaults,
            } => {
                write!(out, "make_function({}, {code}", quote_name(name))?;
                if !closure.is_empty() {
                    write!(out, ", closure=[{}]", self.vars(closure))?;
                }
                if !defaults.is_empty() {
                    write!(out, ", defaults=[{}]", self.vars(defaults))?;
                }
                if !kwdefaults.is_empty() {
                    let pairs = join(kwdefaults, |(k, a)| format!("{}={}", quote_name(k), v(a)));
                    write!(out, ", kwdefaults=[{pairs}]")?;
                }
                out.write_str(")")
            }
            Expr::ExceptionMatch { class: None } => out.write_str("exception_match()"),
            Expr::ExceptionMatch { class: Some(class) } => {
                write!(out, "exception_match({})", v(class))
            }
            Expr::Null => out.write_str("null"),
        }
    }

    /// `; calls operator.add#0 (int64, int64) -> int64 with (a, default 1)`; `with` where it is not the operands.
    fn call_site(&self, out: &mut String, inst: Inst, call: &CallSite) -> fmt::Result {
        write!(
            out,
            " ; calls {} ({}) -> {}",
            callee_text(call.callee, self.rows),
            join(&call.sig.params, |t| self.types.text(*t).to_string()),
            self.types.text(call.sig.ret)
        )?;
        if call.args != natural_args(&self.func.insts[inst].kind) {
            write!(out, " with ({})", join(&call.args, |a| self.call_arg(a)))?;
        }
        Ok(())
    }

    fn call_arg(&self, arg: &CallArg) -> String {
        match arg {
            CallArg::Var(var) => self.var(*var),
            CallArg::Item(var, n) => format!("{}[{n}]", self.var(*var)),
            CallArg::Default(value) => format!("static {value}"),
            CallArg::Tuple(items) => format!("({})", join(items, |a| self.call_arg(a))),
        }
    }
}

/// `numpy.sin#0`, `row12#0`, `fn3`, `map fn3`
pub(super) fn callee_text(callee: Callee, rows: &dyn RowNames) -> String {
    match callee {
        Callee::Row(row, body) => match rows.row_name(row) {
            Some(name) => format!("{}#{}", quote_name(&name), body.0),
            None => format!("{row}#{}", body.0),
        },
        Callee::Instance(instance) => instance.to_string(),
        Callee::Map(instance) => format!("map {instance}"),
    }
}

/// The operands of a statement in order, as a call's arguments where the text names none.
pub(super) fn natural_args(kind: &StmtKind) -> Vec<CallArg> {
    let mut vars = Vec::new();
    if let StmtKind::Assign {
        value: Rhs::Expr(Expr::Call {
            args, kws, vararg, ..
        }),
        ..
    } = kind
    {
        vars.extend(args);
        vars.extend(kws.iter().map(|(_, var)| *var));
        vars.extend(vararg);
    } else {
        kind.for_each_use(|var| vars.push(var));
    }
    vars.into_iter().map(CallArg::Var).collect()
}
