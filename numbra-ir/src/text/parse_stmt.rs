//! Statements, right-hand sides and call sites from text.

use super::consts::parse_const;
use super::cursor::{Cursor, Parse};
use super::parse::FuncParser;
use super::print::natural_args;
use crate::types::parse_type;
use crate::{
    BinOp, BodyIx, CallArg, CallSite, Callee, Const, EntityRef, Expr, Instance, ObjRef, Rhs, RowId,
    Signature, StmtKind, UnaryOp, Var,
};

/// In-place and binary operators, longer texts before their prefixes.
fn operators() -> Vec<(String, BinOp, bool)> {
    let mut all = Vec::new();
    for op in BinOp::ALL {
        all.push((op.symbol().to_owned(), op, false));
        if op.inplace_name().is_some() {
            all.push((format!("{}=", op.symbol()), op, true));
        }
    }
    all.sort_by_key(|(text, _, _)| std::cmp::Reverse(text.len()));
    all
}

impl FuncParser<'_> {
    pub(super) fn stmt_kind(&mut self, c: &mut Cursor<'_>) -> Parse<StmtKind> {
        if c.eat("(") {
            let target = self.var(c)?;
            c.expect(")")?;
            c.expect(".")?;
            let attr = c.name("an attribute")?;
            c.expect("=")?;
            let value = self.var(c)?;
            return Ok(StmtKind::SetAttr {
                target,
                attr,
                value,
            });
        }
        match c.peek_word() {
            Some("del") => {
                c.word();
                self.del(c)
            }
            Some("static_setitem") => {
                c.word();
                let (target, index, index_var) = self.static_subscript(c)?;
                c.expect("=")?;
                let value = self.var(c)?;
                Ok(StmtKind::StaticSetItem {
                    target,
                    index,
                    index_var,
                    value,
                })
            }
            Some("store_map") => {
                c.word();
                c.expect("(")?;
                let dict = self.var(c)?;
                c.expect(",")?;
                let key = self.var(c)?;
                c.expect(")")?;
                c.expect("=")?;
                let value = self.var(c)?;
                Ok(StmtKind::StoreMap { dict, key, value })
            }
            Some("print") => {
                c.word();
                let args = self.vars_in(c, "(", ")")?;
                Ok(StmtKind::Print { args })
            }
            Some("enter_with") => {
                c.word();
                let manager = self.var(c)?;
                c.expect(",")?;
                let begin = self.block(c)?;
                c.expect(",")?;
                let end = self.block(c)?;
                Ok(StmtKind::EnterWith {
                    manager,
                    begin,
                    end,
                })
            }
            Some("pop_block") => {
                c.word();
                Ok(StmtKind::PopBlock)
            }
            Some("check_assigned") => {
                c.word();
                let var = self.var(c)?;
                c.expect(",")?;
                let captured = c.eat("captured");
                if !captured {
                    c.expect("local")?;
                }
                let name = c.name("a variable name")?;
                Ok(StmtKind::CheckAssigned {
                    var,
                    name,
                    captured,
                })
            }
            Some("set_freevar") => {
                c.word();
                let index = c.number("a cell number")?;
                c.expect(",")?;
                let name = c.name("a variable name")?;
                c.expect(",")?;
                let value = self.var(c)?;
                Ok(StmtKind::SetFreeVar { index, name, value })
            }
            Some("return") => {
                c.word();
                Ok(StmtKind::Return(self.var(c)?))
            }
            Some("jump") => {
                c.word();
                Ok(StmtKind::Jump(self.block(c)?))
            }
            Some("branch") => {
                c.word();
                let cond = self.var(c)?;
                c.expect(",")?;
                let then = self.block(c)?;
                c.expect(",")?;
                let other = self.block(c)?;
                Ok(StmtKind::Branch { cond, then, other })
            }
            Some("raise") => {
                c.word();
                self.raise(c)
            }
            Some("dynamic_raise") => {
                c.word();
                let class = self.obj(c)?;
                let args = self.vars_in(c, "(", ")")?;
                Ok(StmtKind::DynamicRaise { class, args })
            }
            _ => self.assignment(c),
        }
    }

    fn raise(&mut self, c: &mut Cursor<'_>) -> Parse<StmtKind> {
        if c.at_end() || c.at_provenance() {
            return Ok(StmtKind::Raise(None));
        }
        // `raise class(constants)`, or the variable that holds the exception.
        let mut ahead = c.clone();
        ahead.name("an exception")?;
        if !ahead.peek("(") {
            return Ok(StmtKind::Raise(Some(self.var(c)?)));
        }
        let class = self.obj(c)?;
        c.expect("(")?;
        let args = c.list(")", parse_const)?;
        Ok(StmtKind::StaticRaise { class, args })
    }

    /// After `del`: `x`, `x[i]` or `(x).a`.
    fn del(&mut self, c: &mut Cursor<'_>) -> Parse<StmtKind> {
        if c.eat("(") {
            let target = self.var(c)?;
            c.expect(")")?;
            c.expect(".")?;
            let attr = c.name("an attribute")?;
            return Ok(StmtKind::DelAttr { target, attr });
        }
        let target = self.var(c)?;
        if c.eat("[") {
            let index = self.var(c)?;
            c.expect("]")?;
            return Ok(StmtKind::DelItem { target, index });
        }
        Ok(StmtKind::Del(target))
    }

    /// `x = ...`, `x: int64 = ...` or `x[i] = v`
    fn assignment(&mut self, c: &mut Cursor<'_>) -> Parse<StmtKind> {
        let start = c.clone();
        let target = self.var(c)?;
        if c.eat("[") {
            let index = self.var(c)?;
            c.expect("]")?;
            c.expect("=")?;
            let value = self.var(c)?;
            return Ok(StmtKind::SetItem {
                target,
                index,
                value,
            });
        }
        if c.eat(":") {
            let ty = parse_type(c, self.types)?;
            match self.out.var_types[target] {
                Some(before) if before != ty => {
                    return start.error(format!(
                        "`{}` has type {} elsewhere",
                        self.out.func.var_name(target),
                        self.types.text(before)
                    ));
                }
                _ => self.out.var_types[target] = Some(ty),
            }
        }
        c.expect("=")?;
        let value = self.rhs(c)?;
        Ok(StmtKind::Assign { target, value })
    }

    fn rhs(&mut self, c: &mut Cursor<'_>) -> Parse<Rhs> {
        for op in UnaryOp::ALL {
            if c.eat(op.symbol()) {
                let value = self.var(c)?;
                return Ok(Rhs::Expr(Expr::Unary { op, value }));
            }
        }
        let start = c.clone();
        let Some(word) = c.peek_word() else {
            return self.operation(c);
        };
        let mut ahead = c.clone();
        ahead.word();
        let next = &mut ahead;
        let expr = match word {
            "undefined" => {
                *c = next.clone();
                return Ok(Rhs::Undefined);
            }
            "null" => {
                *c = next.clone();
                Expr::Null
            }
            "call" => {
                *c = next.clone();
                self.call(c)?
            }
            "inplace" => {
                *c = next.clone();
                match self.operation(c)? {
                    Rhs::Expr(Expr::BinOp {
                        op,
                        lhs,
                        rhs,
                        static_rhs,
                    }) => Expr::InplaceBinOp {
                        op,
                        lhs,
                        rhs,
                        static_rhs,
                    },
                    _ => return start.error("expected a binary operation after `inplace`"),
                }
            }
            "static_getitem" => {
                *c = next.clone();
                let (value, index, index_var) = self.static_subscript(c)?;
                Expr::StaticGetItem {
                    value,
                    index,
                    index_var,
                }
            }
            "build_tuple" | "build_list" | "build_set" | "build_string" => {
                *c = next.clone();
                let items = self.vars_in(c, "(", ")")?;
                match word {
                    "build_tuple" => Expr::BuildTuple(items),
                    "build_list" => Expr::BuildList(items),
                    "build_set" => Expr::BuildSet(items),
                    _ => Expr::BuildString(items),
                }
            }
            "arg" | "const" | "global" | "freevar" | "yield" | "build_map" | "pair_first"
            | "pair_second" | "getiter" | "iternext" | "exhaust_iter" | "getattr" | "getitem"
            | "cast" | "phi" | "make_function" | "exception_match" => {
                *c = next.clone();
                c.expect("(")?;
                let rhs = self.parenthesised(c, word)?;
                c.expect(")")?;
                return Ok(rhs);
            }
            _ => return self.operation(c),
        };
        Ok(Rhs::Expr(expr))
    }

    /// What stands in the parentheses of `word(...)`.
    fn parenthesised(&mut self, c: &mut Cursor<'_>, word: &str) -> Parse<Rhs> {
        let start = c.clone();
        let expr = match word {
            "arg" => {
                let n = c.number("an argument number")?;
                if c.eat(",") {
                    c.expect("name")?;
                    c.expect("=")?;
                    c.name("a parameter name")?;
                }
                return Ok(Rhs::Arg(n));
            }
            "const" => {
                let class = c.name("a type such as `int`")?;
                c.expect(",")?;
                let value = parse_const(c)?;
                if value.type_name() != class {
                    let found = value.type_name();
                    return start.error(format!("`{value}` is a {found}, not a {class}"));
                }
                return Ok(Rhs::Const(value));
            }
            "global" => return Ok(Rhs::Global(self.obj(c)?)),
            "freevar" => {
                let index = c.number("a cell number")?;
                c.expect(",")?;
                let obj = self.obj(c)?;
                return Ok(Rhs::FreeVar { index, obj });
            }
            "yield" => {
                let value = self.var(c)?;
                c.expect(",")?;
                let index = c.number("a yield number")?;
                return Ok(Rhs::Yield { value, index });
            }
            "build_map" => {
                let mut items = Vec::new();
                while !c.peek(")") {
                    if !items.is_empty() {
                        c.expect(",")?;
                    }
                    let key = self.var(c)?;
                    c.expect(":")?;
                    items.push((key, self.var(c)?));
                }
                Expr::BuildMap(items)
            }
            "pair_first" => Expr::PairFirst(self.var(c)?),
            "pair_second" => Expr::PairSecond(self.var(c)?),
            "getiter" => Expr::GetIter(self.var(c)?),
            "iternext" => Expr::IterNext(self.var(c)?),
            "exhaust_iter" => {
                let value = self.var(c)?;
                c.expect(",")?;
                c.expect("count")?;
                c.expect("=")?;
                let count = c.number("a count")?;
                Expr::ExhaustIter { value, count }
            }
            "getattr" => {
                let value = self.var(c)?;
                c.expect(",")?;
                let attr = c.name("an attribute")?;
                Expr::GetAttr { value, attr }
            }
            "getitem" => {
                let value = self.var(c)?;
                c.expect(",")?;
                let index = self.var(c)?;
                Expr::GetItem { value, index }
            }
            "cast" => {
                let value = self.var(c)?;
                let to = if c.eat(",") {
                    c.expect("to")?;
                    c.expect("=")?;
                    Some(parse_type(c, self.types)?)
                } else {
                    None
                };
                Expr::Cast { value, to }
            }
            "phi" => {
                let mut incoming = Vec::new();
                while !c.peek(")") {
                    if !incoming.is_empty() {
                        c.expect(",")?;
                    }
                    let block = self.block(c)?;
                    c.expect(":")?;
                    let value = if c.eat("undef") {
                        None
                    } else {
                        Some(self.var(c)?)
                    };
                    incoming.push((block, value));
                }
                Expr::Phi(incoming)
            }
            "make_function" => return self.make_function(c),
            // `exception_match`
            _ => Expr::ExceptionMatch {
                class: if c.peek(")") {
                    None
                } else {
                    Some(self.var(c)?)
                },
            },
        };
        Ok(Rhs::Expr(expr))
    }

    /// `f.<locals>.g, obj2, closure=[a], defaults=[b], kwdefaults=[k=c]`
    fn make_function(&mut self, c: &mut Cursor<'_>) -> Parse<Rhs> {
        let name = c.name("a function name")?;
        c.expect(",")?;
        let code = ObjRef::new(c.entity("obj", "an object such as `obj0`")? as usize);
        let (mut closure, mut defaults, mut kwdefaults) = (Vec::new(), Vec::new(), Vec::new());
        while c.eat(",") {
            if c.eat("closure") {
                c.expect("=")?;
                closure = self.vars_in(c, "[", "]")?;
            } else if c.eat("defaults") {
                c.expect("=")?;
                defaults = self.vars_in(c, "[", "]")?;
            } else {
                c.expect("kwdefaults")?;
                c.expect("=")?;
                c.expect("[")?;
                kwdefaults = c.list("]", |c| {
                    let key = c.name("a keyword")?;
                    c.expect("=")?;
                    Ok((key, self.var(c)?))
                })?;
            }
        }
        Ok(Rhs::Expr(Expr::MakeFunction {
            name,
            code,
            closure,
            defaults,
            kwdefaults,
        }))
    }

    /// `f(a, k=b, *c)`
    fn call(&mut self, c: &mut Cursor<'_>) -> Parse<Expr> {
        let func = self.var(c)?;
        c.expect("(")?;
        let (mut args, mut kws, mut vararg) = (Vec::new(), Vec::new(), None);
        c.list(")", |c| {
            let start = c.clone();
            if c.eat("*") {
                vararg = Some(self.var(c)?);
                return Ok(());
            }
            let name = c.name("an argument")?;
            if vararg.is_some() {
                start.error("nothing may follow `*`")
            } else if c.eat("=") {
                kws.push((name, self.var(c)?));
                Ok(())
            } else if kws.is_empty() {
                args.push(self.var_named(&name));
                Ok(())
            } else {
                start.error("a positional argument after a keyword")
            }
        })?;
        Ok(Expr::Call {
            func,
            args,
            kws,
            vararg,
        })
    }

    /// `x`, `x + y` or `x += y`
    fn operation(&mut self, c: &mut Cursor<'_>) -> Parse<Rhs> {
        let lhs = self.var(c)?;
        for (text, op, inplace) in operators() {
            if c.at_provenance() || !c.eat(&text) {
                continue;
            }
            let rhs = self.var(c)?;
            let static_rhs = if c.eat("static") {
                Some(parse_const(c)?)
            } else {
                None
            };
            return Ok(Rhs::Expr(if inplace {
                Expr::InplaceBinOp {
                    op,
                    lhs,
                    rhs,
                    static_rhs,
                }
            } else {
                Expr::BinOp {
                    op,
                    lhs,
                    rhs,
                    static_rhs,
                }
            }));
        }
        Ok(Rhs::Var(lhs))
    }

    fn vars_in(&mut self, c: &mut Cursor<'_>, open: &str, close: &str) -> Parse<Vec<Var>> {
        c.expect(open)?;
        c.list(close, |c| self.var(c))
    }

    /// `(x, constant)` or `(x, constant, variable)`
    fn static_subscript(&mut self, c: &mut Cursor<'_>) -> Parse<(Var, Const, Option<Var>)> {
        c.expect("(")?;
        let value = self.var(c)?;
        c.expect(",")?;
        let index = parse_const(c)?;
        let index_var = if c.eat(",") { Some(self.var(c)?) } else { None };
        c.expect(")")?;
        Ok((value, index, index_var))
    }

    /// After `; calls`: `operator.add#0 (int64, int64) -> int64 with (a, static 1)`.
    pub(super) fn call_site(&mut self, c: &mut Cursor<'_>, kind: &StmtKind) -> Parse<CallSite> {
        let callee = self.callee(c)?;
        c.expect("(")?;
        let params = c.list(")", |c| parse_type(c, self.types))?;
        c.expect("->")?;
        let ret = parse_type(c, self.types)?;
        let args = if c.eat("with") {
            c.expect("(")?;
            c.list(")", |c| self.call_arg(c))?
        } else {
            natural_args(kind)
        };
        let sig = Signature { params, ret };
        Ok(CallSite { callee, sig, args })
    }

    fn callee(&mut self, c: &mut Cursor<'_>) -> Parse<Callee> {
        if let Ok(instance) = c.clone().entity("fn", "") {
            c.word();
            return Ok(Callee::Instance(Instance::new(instance as usize)));
        }
        let mut ahead = c.clone();
        if ahead.eat("map")
            && let Ok(instance) = ahead.entity("fn", "")
        {
            *c = ahead;
            c.word();
            return Ok(Callee::Map(Instance::new(instance as usize)));
        }
        let row = self.row(c)?;
        Ok(Callee::Row(row.0, row.1))
    }

    /// `numpy.sin#0` or `row12#0`
    pub(super) fn row(&mut self, c: &mut Cursor<'_>) -> Parse<(RowId, BodyIx)> {
        parse_row(c, self.rows)
    }

    fn call_arg(&mut self, c: &mut Cursor<'_>) -> Parse<CallArg> {
        if c.eat("static") {
            return Ok(CallArg::Default(parse_const(c)?));
        }
        if c.eat("(") {
            return c
                .nested(|c| c.list(")", |c| self.call_arg(c)))
                .map(CallArg::Tuple);
        }
        let var = self.var(c)?;
        if c.eat("[") {
            let item = c.number("an item number")?;
            c.expect("]")?;
            return Ok(CallArg::Item(var, item));
        }
        Ok(CallArg::Var(var))
    }
}

/// `numpy.sin#0` or `row12#0`
pub(super) fn parse_row(
    c: &mut Cursor<'_>,
    rows: &dyn super::names::RowNames,
) -> Parse<(RowId, BodyIx)> {
    let start = c.clone();
    let row = match c.clone().entity("row", "") {
        Ok(number) => {
            c.word();
            RowId::new(number as usize)
        }
        Err(_) => {
            let name = c.name("a callee")?;
            match rows.row_of_name(&name) {
                Some(row) => row,
                None => return start.error(format!("`{name}` is not a row of the library")),
            }
        }
    };
    c.expect("#")?;
    let body = BodyIx(c.number("a body number")?);
    match rows.has_body(row, body) {
        true => Ok((row, body)),
        false => start.error("the library has no such row or body"),
    }
}
