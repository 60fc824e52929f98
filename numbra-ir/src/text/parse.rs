//! Functions from text: the header, blocks and their order. Statements are in `parse_stmt`.

use super::checked::FuncLines;
use super::consts::parse_const;
use super::cursor::{Cursor, MAX_DEPTH, Parse, ParseError};
use super::names::{NoRows, RowNames};
use crate::types::parse_type;
use crate::{
    ArgKind, ArgSpec, Block, BlockData, CallSite, DispatcherId, EntityRef, Func, Handler, Inst,
    ObjDesc, ObjKind, ObjRef, SecondaryMap, TupleClass, Type, TypedFunc, Types, Var,
};
use numbra_base::{FxHashMap, Origin, Span};

/// A function as read, with the types that its text gave.
#[derive(Clone, PartialEq, Debug)]
pub struct ParsedFunc {
    /// The function.
    pub func: Func,
    /// Types of parameters: `f(x: int64)`.
    pub args: Vec<Option<Type>>,
    /// Type after `->`.
    pub ret: Option<Type>,
    /// Types of variables: `x: int64 = ...`.
    pub var_types: SecondaryMap<Var, Option<Type>>,
    /// From `; calls ...`.
    pub calls: SecondaryMap<Inst, Option<CallSite>>,
    /// Where it stands, and then the functions in it.
    pub(super) lines: Vec<FuncLines>,
}

/// Reads an untyped function; types in the text are an error.
pub fn parse_func(text: &str, types: &Types) -> Result<Func, ParseError> {
    untyped(parse_func_with_types(text, types, &NoRows)?)
}

/// The function, if its text says no types.
pub(super) fn untyped(parsed: ParsedFunc) -> Parse<Func> {
    let untyped = parsed.ret.is_none()
        && parsed.args.iter().all(Option::is_none)
        && parsed.var_types.values().all(Option::is_none)
        && parsed.calls.values().all(Option::is_none);
    if !untyped {
        return Cursor::new("", 1).error("types in the text of an untyped function");
    }
    Ok(parsed.func)
}

/// Reads a function whose text may say types anywhere, such as those of parameters only.
pub fn parse_func_with_types(
    text: &str,
    types: &Types,
    rows: &dyn RowNames,
) -> Result<ParsedFunc, ParseError> {
    let mut lines = Lines::new(text);
    let parsed = function(&mut lines, types, rows, 0)?;
    match lines.next() {
        Some(line) => line.error("text after the function"),
        None => Ok(parsed),
    }
}

/// Reads a typed function.
pub fn parse_typed_func(
    text: &str,
    types: &Types,
    rows: &dyn RowNames,
) -> Result<TypedFunc, ParseError> {
    parse_func_with_types(text, types, rows)?.into_typed(1)
}

impl ParsedFunc {
    /// The typed function, if every parameter and the result have a type.
    pub(super) fn into_typed(self, line: u32) -> Parse<TypedFunc> {
        let at = Cursor::new("", line);
        let Some(ret) = self.ret else {
            return at.error("a typed function needs a result type: `-> int64`");
        };
        let mut args = Vec::with_capacity(self.args.len());
        for (ty, arg) in self.args.iter().zip(&self.func.args) {
            match ty {
                Some(ty) => args.push(*ty),
                None => return at.error(format!("parameter `{}` needs a type", arg.name)),
            }
        }
        Ok(TypedFunc {
            func: self.func,
            args,
            ret,
            var_types: self.var_types,
            calls: self.calls,
        })
    }
}

/// The lines that hold more than blanks and comments.
#[derive(Clone)]
pub(super) struct Lines<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    peeked: Option<Cursor<'a>>,
    last: u32,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Lines<'a> {
        Lines {
            lines: text.lines().enumerate(),
            peeked: None,
            last: 1,
        }
    }

    pub(super) fn peek(&mut self) -> Option<&Cursor<'a>> {
        if self.peeked.is_none() {
            self.peeked = self
                .lines
                .by_ref()
                .map(|(i, line)| Cursor::new(line, i as u32 + 1))
                .find(|c| !c.at_end());
        }
        self.peeked.as_ref()
    }

    pub(super) fn next(&mut self) -> Option<Cursor<'a>> {
        self.peek();
        let line = self.peeked.take()?;
        self.last = line.line();
        Some(line)
    }

    /// The next line, if it starts with this word.
    pub(super) fn next_if(&mut self, word: &str) -> Option<Cursor<'a>> {
        if !self.peek()?.clone().eat(word) {
            return None;
        }
        let mut line = self.next()?;
        line.eat(word);
        Some(line)
    }

    pub(super) fn error_at_end<T>(&self, message: &str) -> Parse<T> {
        Cursor::new("", self.last).error(message)
    }
}

/// State while a function is read.
pub(super) struct FuncParser<'a> {
    pub(super) types: &'a Types,
    pub(super) rows: &'a dyn RowNames,
    pub(super) out: ParsedFunc,
    vars: FxHashMap<String, Var>,
    objects: FxHashMap<String, ObjRef>,
    /// Set where `var` lines say which variable is a version of which.
    versions_given: bool,
}

pub(super) fn function(
    lines: &mut Lines<'_>,
    types: &Types,
    rows: &dyn RowNames,
    depth: u32,
) -> Parse<ParsedFunc> {
    let Some(mut line) = lines.next() else {
        return lines.error_at_end("expected a function, found the end of the text");
    };
    if depth >= MAX_DEPTH {
        return line.error("functions nested too deeply");
    }
    line.expect("function")?;
    let name = line.name("a function name")?;
    let mut parser = FuncParser {
        types,
        rows,
        out: ParsedFunc {
            func: Func::new(name, Span::NONE),
            args: Vec::new(),
            ret: None,
            var_types: SecondaryMap::new(),
            calls: SecondaryMap::new(),
            lines: vec![FuncLines {
                line: line.line(),
                ..FuncLines::default()
            }],
        },
        vars: FxHashMap::default(),
        objects: FxHashMap::default(),
        versions_given: false,
    };
    parser.parameters(&mut line)?;
    if line.eat("->") {
        parser.out.ret = Some(parse_type(&mut line, types)?);
    }
    parser.out.func.is_generator = line.eat("generator");
    line.expect(":")?;
    line.end()?;
    parser.header(lines)?;
    parser.body(lines, depth)?;
    if !parser.versions_given {
        parser.find_versions();
    }
    parser.out.lines[0].qualname = parser.out.func.qualname.clone();
    Ok(parser.out)
}

impl FuncParser<'_> {
    fn parameters(&mut self, c: &mut Cursor<'_>) -> Parse<()> {
        c.expect("(")?;
        let mut star = false;
        let parts = c.list(")", |c| {
            if c.eat("/") {
                return Ok(None);
            }
            let kind = if c.eat("**") {
                ArgKind::VarKeyword
            } else if c.eat("*") {
                star = true;
                if c.peek(",") || c.peek(")") {
                    return Ok(Some(None));
                }
                ArgKind::VarPositional
            } else if star {
                ArgKind::KeywordOnly
            } else {
                ArgKind::PositionalOrKeyword
            };
            let name = c.name("a parameter name")?;
            let ty = if c.eat(":") {
                Some(parse_type(c, self.types)?)
            } else {
                None
            };
            let default = if c.eat("=") {
                Some(parse_const(c)?)
            } else {
                None
            };
            Ok(Some(Some((
                ArgSpec {
                    name,
                    kind,
                    default,
                },
                ty,
            ))))
        })?;
        for part in parts {
            match part {
                // `/`: what stands before it is positional only.
                None => {
                    for arg in &mut self.out.func.args {
                        arg.kind = ArgKind::PositionalOnly;
                    }
                }
                // `*`
                Some(None) => {}
                Some(Some((arg, ty))) => {
                    self.out.func.args.push(arg);
                    self.out.args.push(ty);
                }
            }
        }
        Ok(())
    }

    fn header(&mut self, lines: &mut Lines<'_>) -> Parse<()> {
        while let Some(next) = lines.peek() {
            let mut c = next.clone();
            let Some(word) = c.word() else {
                break;
            };
            match word {
                "qualname" => self.out.func.qualname = c.name("a qualified name")?,
                "module" => self.out.func.module = c.name("a module name")?,
                "span" => self.out.func.span = self.span(&mut c)?,
                "var" => self.variable(&mut c)?,
                word if word.starts_with("obj") => {
                    c = next.clone();
                    self.object(&mut c)?;
                }
                _ => break,
            }
            c.end()?;
            lines.next();
        }
        Ok(())
    }

    /// `x.1 of x: int64`
    fn variable(&mut self, c: &mut Cursor<'_>) -> Parse<()> {
        let start = c.clone();
        let name = c.name("a variable")?;
        if self.vars.contains_key(&name) {
            return start.error(format!("variable `{name}` is listed twice"));
        }
        let var = self.var_named(&name);
        if c.eat("of") {
            let of = c.name("a variable")?;
            let Some(&of) = self.vars.get(&of) else {
                return start.error(format!("variable `{of}` is not listed before"));
            };
            self.out.func.vars[var].version_of = Some(of);
        }
        self.versions_given = true;
        if c.eat(":") {
            self.out.var_types[var] = Some(parse_type(c, self.types)?);
        }
        Ok(())
    }

    /// `obj0 = builtins.range function repr "<class 'range'>" digest 3`
    fn object(&mut self, c: &mut Cursor<'_>) -> Parse<()> {
        let start = c.clone();
        let number = c.entity("obj", "an object such as `obj0`")?;
        if number as usize != self.out.func.objects.len() {
            let expected = self.out.func.objects.len();
            return start.error(format!(
                "objects are listed in order: expected `obj{expected}`"
            ));
        }
        c.expect("=")?;
        let name = c.name("a qualified name")?;
        let kind_at = c.clone();
        let kind = match c.word().unwrap_or("") {
            "unresolved" => ObjKind::Unresolved,
            "undefined" => ObjKind::Undefined,
            "module" => ObjKind::Module,
            "function" => ObjKind::Function,
            "class" => ObjKind::Class,
            word @ ("dtype" | "type" | "dispatcher" | "value" | "typed" | "array" | "tuple"
            | "object_block" | "opaque") => {
                c.expect("(")?;
                let kind = match word {
                    "dtype" => ObjKind::DType(parse_type(c, self.types)?),
                    "type" => ObjKind::TypeObject(parse_type(c, self.types)?),
                    "dispatcher" => {
                        ObjKind::Dispatcher(DispatcherId(c.number("a dispatcher number")?))
                    }
                    "object_block" => ObjKind::ObjectBlock(c.number("the number of a block")?),
                    "value" => ObjKind::Value(parse_const(c)?),
                    "typed" => {
                        let ty = parse_type(c, self.types)?;
                        c.expect(",")?;
                        ObjKind::Typed(ty, parse_const(c)?)
                    }
                    "array" => {
                        let ty = parse_type(c, self.types)?;
                        c.expect(",")?;
                        let handle = c.number("a handle")?;
                        ObjKind::Array { ty, handle }
                    }
                    "tuple" => {
                        let mut items = Vec::new();
                        while !c.peek(")") {
                            if !items.is_empty() {
                                c.expect(",")?;
                            }
                            let item = c.entity("obj", "an object such as `obj0`")?;
                            items.push(ObjRef::new(item as usize));
                        }
                        ObjKind::Tuple(items, None)
                    }
                    _ => ObjKind::Opaque {
                        class: c.quoted('"')?,
                    },
                };
                c.expect(")")?;
                match kind {
                    ObjKind::Tuple(items, None) if c.eat("of") => {
                        ObjKind::Tuple(items, Some(tuple_class(c)?))
                    }
                    kind => kind,
                }
            }
            _ => return kind_at.error("expected the kind of an object, such as `function`"),
        };
        let repr = if c.eat("repr") {
            c.quoted('"')?
        } else {
            String::new()
        };
        let digest = if c.eat("digest") {
            Some(c.number("a digest")?)
        } else {
            None
        };
        let obj = self.out.func.objects.push(ObjDesc {
            name: name.clone(),
            kind,
            repr,
            digest,
        });
        // A name that occurs twice stands for none of them.
        self.objects
            .entry(name)
            .and_modify(|o| *o = ObjRef::new(u32::MAX as usize - 1))
            .or_insert(obj);
        Ok(())
    }

    fn body(&mut self, lines: &mut Lines<'_>, depth: u32) -> Parse<()> {
        let mut current = None;
        while let Some(next) = lines.peek() {
            match next.peek_word() {
                Some("end" | "function") => return Ok(()),
                // `fn1 = ...` starts the next function of a program.
                Some(word) if next.clone().entity("fn", "").is_ok() && !word.is_empty() => {
                    return Ok(());
                }
                _ => {}
            }
            if let Some(mut c) = lines.next_if("nested") {
                let code = ObjRef::new(c.entity("obj", "an object such as `obj0`")? as usize);
                c.end()?;
                let nested = function(lines, self.types, self.rows, depth + 1)?;
                self.out.func.nested.push((code, nested.func));
                self.out.lines.extend(nested.lines);
                match lines.next_if("end") {
                    Some(mut line) => line.end()?,
                    None => return lines.error_at_end("expected `end` of a nested function"),
                }
                continue;
            }
            let Some(mut c) = lines.next() else {
                break;
            };
            if c.clone().entity("bb", "").is_ok() {
                current = Some(self.label(&mut c)?);
                continue;
            }
            let Some(block) = current else {
                return c.error("expected a block label such as `bb0:`");
            };
            self.statement(&mut c, block)?;
        }
        Ok(())
    }

    /// `bb1:` or `bb1 handler bb5:`
    fn label(&mut self, c: &mut Cursor<'_>) -> Parse<Block> {
        let start = c.clone();
        let block = self.block(c)?;
        if self.out.func.layout.contains(&block) {
            return start.error(format!("{block} is defined twice"));
        }
        self.out.func.layout.push(block);
        self.out.lines[0].blocks.insert(block, c.line());
        if c.eat("handler") {
            let handler = self.block(c)?;
            self.out.func.blocks[block].handler = Some(Handler { block: handler });
        }
        c.expect(":")?;
        c.end()?;
        Ok(block)
    }

    /// A statement, its provenance and its callee.
    fn statement(&mut self, c: &mut Cursor<'_>, block: Block) -> Parse<()> {
        let kind = self.stmt_kind(c)?;
        let (mut span, mut origin) = (Span::NONE, Origin::Text);
        if c.at_provenance() && c.eat("@") {
            span = self.span(c)?;
            let text = c.take_while(|c| !c.is_whitespace() && c != ';');
            let Ok(parsed) = text.parse();
            origin = parsed;
        }
        let mut after = c.clone();
        let call = if after.eat(";") && after.eat("calls") {
            let site = self.call_site(&mut after, &kind)?;
            after.end()?;
            Some(site)
        } else {
            c.end()?;
            None
        };
        let inst = self.out.func.push_stmt(block, kind, span, origin);
        self.out.lines[0].insts.insert(inst, c.line());
        if call.is_some() {
            self.out.calls[inst] = call;
        }
        Ok(())
    }

    /// `3:4-3:9`, `file2:3:4-3:9` or `?`
    fn span(&mut self, c: &mut Cursor<'_>) -> Parse<Span> {
        c.span(self.out.func.span.file)
    }

    /// A block that is referred to; it need not have been defined yet.
    pub(super) fn block(&mut self, c: &mut Cursor<'_>) -> Parse<Block> {
        let number = c.entity("bb", "a block such as `bb1`")?;
        while self.out.func.blocks.len() <= number as usize {
            self.out.func.blocks.push(BlockData::default());
        }
        Ok(Block::new(number as usize))
    }

    /// A variable, made on first sight.
    pub(super) fn var(&mut self, c: &mut Cursor<'_>) -> Parse<Var> {
        let name = c.name("a variable")?;
        Ok(self.var_named(&name))
    }

    pub(super) fn var_named(&mut self, name: &str) -> Var {
        if let Some(&var) = self.vars.get(name) {
            return var;
        }
        let var = self.out.func.push_var(name);
        self.vars.insert(name.to_owned(), var);
        var
    }

    /// An object by its unique name, or as `obj3`.
    pub(super) fn obj(&mut self, c: &mut Cursor<'_>) -> Parse<ObjRef> {
        let start = c.clone();
        if let Ok(number) = c.entity("obj", "") {
            return Ok(ObjRef::new(number as usize));
        }
        let name = c.name("an object")?;
        match self.objects.get(&name) {
            Some(obj) if self.out.func.objects.is_valid(*obj) => Ok(*obj),
            Some(_) => start.error(format!("several objects are named `{name}`: use `obj0`")),
            None => start.error(format!("object `{name}` is not listed")),
        }
    }

    /// `x.2` is a version of `x`, where there is an `x`.
    fn find_versions(&mut self) {
        for (var, data) in &mut self.out.func.vars {
            let Some((base, number)) = data.name.rsplit_once('.') else {
                continue;
            };
            if !number.is_empty()
                && number.bytes().all(|b| b.is_ascii_digit())
                && let Some(&base) = self.vars.get(base)
                && base != var
            {
                data.version_of = Some(base);
            }
        }
    }
}

/// `P(x, y)`
fn tuple_class(c: &mut Cursor<'_>) -> Parse<TupleClass> {
    let name = c.name("a class name")?;
    let mut fields = Vec::new();
    c.expect("(")?;
    while !c.peek(")") {
        if !fields.is_empty() {
            c.expect(",")?;
        }
        fields.push(c.name("a field")?);
    }
    c.expect(")")?;
    Ok(TupleClass { name, fields })
}
