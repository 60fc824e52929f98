//! Parser: module items and function bodies. [`super::resolve`] numbers what it read by order of definition.

use super::TextError;
use super::lexer::{Tok, Token, lex, unescape};
use super::names::{Named, type_from_name};
use super::print::debug_name;
use super::resolve::{RawBlock, RawFunc, RawInst};
use crate::{
    AddrSpace, Block, Data, DataId, DebugInfo, Exception, FuncDebug, FuncDecl, FuncRef, Inst,
    Linkage, Module, Param, Signature, SlotData, Ty, Value, Variable,
};
use cranelift_entity::EntityRef;
use numbra_base::{FileId, FxHashMap, Origin, Span};

/// Reads a module. Ids follow the order of definition in the text; see [`super`] for the grammar by example.
pub fn parse(text: &str) -> Result<Module, TextError> {
    parse_with_lines(text).map(|(module, _)| module)
}

/// Lines (1-based) on which the entities of a parsed module stand.
#[derive(Clone, Default, Debug)]
pub struct Lines {
    pub insts: FxHashMap<(FuncRef, Inst), u32>,
    /// Terminators, by their block.
    pub terms: FxHashMap<(FuncRef, Block), u32>,
    /// Block headers.
    pub blocks: FxHashMap<(FuncRef, Block), u32>,
    pub functions: FxHashMap<FuncRef, u32>,
}

/// As [`parse`], with the line of each entity.
pub fn parse_with_lines(text: &str) -> Result<(Module, Lines), TextError> {
    let tokens = lex(text)?;
    let mut parser = Parser::new(&tokens)?;
    let module = parser.module()?;
    Ok((module, parser.lines))
}

/// Ids by name within one function, in order of first mention, with the token of that mention.
#[derive(Default)]
struct Names<'a> {
    ids: FxHashMap<&'a str, u32>,
    mentions: Vec<usize>,
}

impl<'a> Names<'a> {
    fn id(&mut self, name: &'a str, at: usize) -> u32 {
        let next = self.ids.len() as u32;
        let mentions = &mut self.mentions;
        *self.ids.entry(name).or_insert_with(|| {
            mentions.push(at);
            next
        })
    }
}

pub(crate) struct Parser<'t, 'a> {
    tokens: &'t [Token<'a>],
    at: usize,
    functions: FxHashMap<String, FuncRef>,
    data: FxHashMap<String, DataId>,
    values: Names<'a>,
    blocks: Names<'a>,
    pub(super) slots: usize,
    /// Of the instruction that is read: the type of its first result, where the text says it.
    pub(super) result: Option<Ty>,
    pub(super) lines: Lines,
}

impl<'t, 'a> Parser<'t, 'a> {
    fn new(tokens: &'t [Token<'a>]) -> Result<Parser<'t, 'a>, TextError> {
        let mut parser = Parser {
            tokens,
            at: 0,
            functions: FxHashMap::default(),
            data: FxHashMap::default(),
            values: Names::default(),
            blocks: Names::default(),
            slots: 0,
            result: None,
            lines: Lines::default(),
        };
        // Functions and data may be named before they are defined.
        for (at, token) in tokens.iter().enumerate() {
            let starts = at == 0 || tokens[at - 1].tok == Tok::Newline;
            let Tok::Ident(word @ ("function" | "data")) = token.tok else {
                continue;
            };
            if !starts {
                continue;
            }
            for next in tokens[at..].iter().take_while(|t| t.tok != Tok::Newline) {
                parser.at = at;
                match next.tok {
                    Tok::Symbol(name) if word == "function" => {
                        let name = unescape(name).map_err(|e| parser.error(e))?;
                        let id = FuncRef::new(parser.functions.len());
                        if parser.functions.insert(name, id).is_some() {
                            return Err(parser.error("function defined twice"));
                        }
                        break;
                    }
                    Tok::DataName(name) if word == "data" => {
                        let name = unescape(name).map_err(|e| parser.error(e))?;
                        let id = DataId::new(parser.data.len());
                        if parser.data.insert(name, id).is_some() {
                            return Err(parser.error("data defined twice"));
                        }
                        break;
                    }
                    _ => {}
                }
            }
        }
        parser.at = 0;
        Ok(parser)
    }

    pub(super) fn peek(&self) -> Tok<'a> {
        self.tokens[self.at.min(self.tokens.len() - 1)].tok
    }

    pub(super) fn line(&self, at: usize) -> u32 {
        self.tokens[at.min(self.tokens.len() - 1)].line
    }

    pub(super) fn next(&mut self) -> Tok<'a> {
        let tok = self.peek();
        if self.at < self.tokens.len() - 1 {
            self.at += 1;
        }
        tok
    }

    /// An error at the next token.
    pub(super) fn error(&self, message: impl Into<String>) -> TextError {
        self.error_at(self.at, message)
    }

    pub(super) fn error_at(&self, at: usize, message: impl Into<String>) -> TextError {
        let token = &self.tokens[at.min(self.tokens.len() - 1)];
        TextError {
            line: token.line,
            col: token.col,
            message: message.into(),
        }
    }

    pub(super) fn expected<T>(&self, what: &str) -> Result<T, TextError> {
        Err(self.error(format!("expected {what}, found {}", self.peek().describe())))
    }

    pub(super) fn eat(&mut self, tok: Tok<'static>) -> bool {
        let found = self.peek() == tok;
        if found {
            self.next();
        }
        found
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek() == Tok::Ident(word);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn punct(&mut self, c: char) -> Result<(), TextError> {
        if self.eat(Tok::Punct(c)) {
            Ok(())
        } else {
            self.expected(&format!("`{c}`"))
        }
    }

    pub(super) fn word(&mut self, what: &str) -> Result<&'a str, TextError> {
        match self.peek() {
            Tok::Ident(word) => {
                self.next();
                Ok(word)
            }
            _ => self.expected(what),
        }
    }

    pub(super) fn named<T: Named>(&mut self, what: &str) -> Result<T, TextError> {
        let found = match self.peek() {
            Tok::Ident(word) => T::from_name(word),
            _ => None,
        };
        match found {
            Some(member) => {
                self.next();
                Ok(member)
            }
            None => self.expected(what),
        }
    }

    /// An integer that fits `T`.
    pub(super) fn integer<T: TryFrom<i128>>(&mut self, what: &str) -> Result<T, TextError> {
        if let Tok::Number(text) = self.peek() {
            let digits = text.strip_prefix('+').unwrap_or(text);
            let value = match digits.strip_prefix("0x") {
                Some(hex) => u128::from_str_radix(hex, 16).ok().map(|v| v as i128),
                None => digits.parse::<i128>().ok(),
            };
            if let Some(value) = value.and_then(|v| T::try_from(v).ok()) {
                self.next();
                return Ok(value);
            }
        }
        self.expected(what)
    }

    fn string(&mut self, what: &str) -> Result<String, TextError> {
        match self.peek() {
            Tok::Str(text) => {
                let value = unescape(text).map_err(|e| self.error(e))?;
                self.next();
                Ok(value)
            }
            _ => self.expected(what),
        }
    }

    /// `@name`, of any symbol.
    pub(super) fn symbol(&mut self) -> Result<String, TextError> {
        match self.peek() {
            Tok::Symbol(text) => {
                let value = unescape(text).map_err(|e| self.error(e))?;
                self.next();
                Ok(value)
            }
            _ => self.expected("`@name`"),
        }
    }

    /// `@name`, of a function of this module.
    pub(super) fn function_ref(&mut self) -> Result<FuncRef, TextError> {
        let at = self.at;
        let name = self.symbol()?;
        let found = self.functions.get(&name).copied();
        found.ok_or_else(|| self.error_at(at, format!("no function `{name}` in this module")))
    }

    /// `$name`, of data of this module.
    pub(super) fn data_ref(&mut self) -> Result<DataId, TextError> {
        let at = self.at;
        let Tok::DataName(text) = self.next() else {
            self.at = at;
            return self.expected("`$name`");
        };
        let name = unescape(text).map_err(|e| self.error_at(at, e))?;
        let found = self.data.get(&name).copied();
        found.ok_or_else(|| self.error_at(at, format!("no data `{name}` in this module")))
    }

    fn number_behind(&self, prefix: &str) -> Option<u32> {
        match self.peek() {
            Tok::Ident(word) => word.strip_prefix(prefix)?.parse().ok(),
            _ => None,
        }
    }

    /// `sig3`: the number after a prefix.
    pub(super) fn numbered(&mut self, prefix: &str) -> Result<u32, TextError> {
        match self.number_behind(prefix) {
            // The greatest is no id of an entity.
            Some(n) if n < u32::MAX => {
                self.next();
                Ok(n)
            }
            _ => self.expected(&format!("`{prefix}N`")),
        }
    }

    /// A value, as an id of this function's names.
    pub(super) fn value(&mut self) -> Result<Value, TextError> {
        let at = self.at;
        let name = self.word("a value")?;
        Ok(Value::from_u32(self.values.id(name, at)))
    }

    /// A block, as an id of this function's block names.
    pub(super) fn block(&mut self) -> Result<Block, TextError> {
        let at = self.at;
        let name = self.word("a block")?;
        Ok(Block::from_u32(self.blocks.id(name, at)))
    }

    pub(super) fn ty(&mut self) -> Result<Ty, TextError> {
        let found = match self.peek() {
            Tok::Ident(word) => type_from_name(word),
            _ => None,
        };
        match found {
            Some(ty) => {
                self.next();
                Ok(ty)
            }
            None => self.expected("a type"),
        }
    }

    /// `( item, item )`
    pub(super) fn list<T>(
        &mut self,
        open: char,
        close: char,
        mut item: impl FnMut(&mut Self) -> Result<T, TextError>,
    ) -> Result<Vec<T>, TextError> {
        self.punct(open)?;
        let mut out = Vec::new();
        if self.eat(Tok::Punct(close)) {
            return Ok(out);
        }
        loop {
            out.push(item(self)?);
            if self.eat(Tok::Punct(close)) {
                return Ok(out);
            }
            if !self.eat(Tok::Punct(',')) {
                return self.expected(&format!("`,` or `{close}`"));
            }
        }
    }

    fn newline(&mut self) -> Result<(), TextError> {
        if self.eat(Tok::Newline) {
            Ok(())
        } else {
            self.expected("end of line")
        }
    }

    /// What follows `@`: `file2 3:4-3:9` or `?`.
    fn span(&mut self) -> Result<Span, TextError> {
        let file = match self.peek() {
            Tok::Ident(_) => match self.number_behind("file") {
                Some(n) => {
                    self.next();
                    FileId(n)
                }
                None => return self.expected("`fileN`"),
            },
            _ => FileId(0),
        };
        if self.eat(Tok::Punct('?')) {
            return Ok(Span { file, ..Span::NONE });
        }
        let line = self.integer("a line")?;
        self.punct(':')?;
        let col = self.integer("a column")?;
        // The dash of `4-3` reads as the sign of the next number.
        let Tok::Number(text) = self.peek() else {
            return self.expected("`-line:column`");
        };
        let Some(end_line) = text.strip_prefix('-').and_then(|n| n.parse().ok()) else {
            return self.expected("`-line:column`");
        };
        self.next();
        self.punct(':')?;
        let end_col = self.integer("a column")?;
        Ok(Span {
            file,
            line,
            col,
            end_line,
            end_col,
        })
    }

    /// `@ span !origin` or nothing.
    fn provenance(&mut self) -> Result<(Span, Origin), TextError> {
        if !self.eat(Tok::Punct('@')) {
            return Ok((Span::NONE, Origin::Text));
        }
        let span = self.span()?;
        if !self.eat(Tok::Punct('!')) {
            return Ok((span, Origin::Text));
        }
        let Ok(origin) = self.word("an origin")?.parse();
        Ok((span, origin))
    }

    fn module(&mut self) -> Result<Module, TextError> {
        let mut module = Module::default();
        let mut bodies = Vec::new();
        loop {
            while self.eat(Tok::Newline) {}
            match self.peek() {
                Tok::End => break,
                Tok::Ident("module") => {
                    self.next();
                    module.name = self.string("the module's name")?;
                }
                Tok::Ident("debug") => {
                    self.next();
                    module.debug = self.debug_info()?;
                }
                Tok::Ident("file") => {
                    self.next();
                    let expected = module.files.len();
                    if self.integer::<usize>("a file number")? != expected {
                        return Err(self.error(format!("files come in order: expected {expected}")));
                    }
                    module.files.push(self.string("a path")?);
                }
                Tok::Ident("signature") => {
                    self.next();
                    let expected = module.signatures.len();
                    if self.numbered("sig")? as usize != expected {
                        return Err(self.error(format!("expected sig{expected}")));
                    }
                    self.punct('=')?;
                    let sig = self.signature()?;
                    module.signatures.push(sig);
                }
                Tok::Ident("data") => {
                    self.next();
                    let data = self.data_item()?;
                    module.data.push(data);
                }
                Tok::Ident("exception") => {
                    self.next();
                    let expected = module.exceptions.len();
                    if self.numbered("exc")? as usize != expected {
                        return Err(self.error(format!("expected exc{expected}")));
                    }
                    let exception = self.exception()?;
                    module.exceptions.push(exception);
                }
                Tok::Ident("function") => {
                    self.next();
                    let (decl, body) = self.function(FuncRef::new(module.functions.len()))?;
                    module.functions.push(decl);
                    bodies.extend(body);
                    continue;
                }
                _ => {
                    return self.expected(
                        "`module`, `file`, `signature`, `data`, `exception` or `function`",
                    );
                }
            }
            self.newline()?;
        }
        for raw in bodies {
            let id = raw.id;
            let func = self.finish(raw, &module)?;
            module.functions[id].body = Some(func);
        }
        Ok(module)
    }

    fn signature(&mut self) -> Result<Signature, TextError> {
        let params = self.list('(', ')', |p| {
            let ty = p.ty()?;
            let noalias = p.eat_word("noalias");
            let extent = match p.eat_word("extent") {
                true => p.integer("the bytes of an element")?,
                false => 0,
            };
            Ok(Param {
                ty,
                noalias,
                extent,
            })
        })?;
        let results = if self.eat(Tok::Arrow) {
            self.list('(', ')', Parser::ty)?
        } else {
            Vec::new()
        };
        let raises = self.eat_word("raises");
        Ok(Signature {
            params,
            results,
            raises,
        })
    }

    fn data_item(&mut self) -> Result<Data, TextError> {
        let Tok::DataName(text) = self.peek() else {
            return self.expected("`$name`");
        };
        let name = unescape(text).map_err(|e| self.error(e))?;
        self.next();
        if !self.eat_word("align") {
            return self.expected("`align`");
        }
        let align = self.integer("an alignment")?;
        let writable = self.eat_word("writable");
        let space = [
            AddrSpace::Global,
            AddrSpace::Shared,
            AddrSpace::Const,
            AddrSpace::Local,
        ]
        .into_iter()
        .find(|space| self.eat_word(&Ty::Ptr(*space).to_string()))
        .unwrap_or_default();
        let zeros = if self.eat_word("zeros") {
            self.integer("a number of bytes")?
        } else {
            0
        };
        self.punct('=')?;
        let at = self.at;
        let hex = self.string("bytes as hexadecimal digits")?;
        let digits: Option<Vec<u8>> = hex
            .chars()
            .map(|c| c.to_digit(16).map(|d| d as u8))
            .collect();
        let bytes = match digits {
            Some(digits) if digits.len() % 2 == 0 => digits
                .chunks(2)
                .map(|pair| pair[0] << 4 | pair[1])
                .collect(),
            _ => return Err(self.error_at(at, "expected pairs of hexadecimal digits")),
        };
        let mut relocs = Vec::new();
        while self.eat_word("reloc") {
            let offset = self.integer("an offset")?;
            relocs.push((offset, self.symbol()?));
        }
        Ok(Data {
            name,
            bytes,
            align,
            writable,
            space,
            zeros,
            relocs,
        })
    }

    fn exception(&mut self) -> Result<Exception, TextError> {
        self.punct('=')?;
        let class = self.string("a class name")?;
        let args = self.list('(', ')', |p| {
            if p.eat_word("_") {
                Ok(None)
            } else {
                p.string("a literal or `_`").map(Some)
            }
        })?;
        if !self.eat_word("in") {
            return self.expected("`in`");
        }
        let function = self.string("a function name")?;
        let span = if self.eat(Tok::Punct('@')) {
            self.span()?
        } else {
            Span::NONE
        };
        Ok(Exception {
            class,
            args,
            function,
            span,
        })
    }

    fn function(&mut self, id: FuncRef) -> Result<(FuncDecl, Option<RawFunc>), TextError> {
        self.lines.functions.insert(id, self.line(self.at));
        let linkage: Linkage = self.named("`local`, `export`, `import` or `kernel`")?;
        let name = self.symbol()?;
        let sig = self.signature()?;
        let inline_always = self.eat_word("inline_always");
        let inline_never = self.eat_word("inline_never");
        let span = if self.eat(Tok::Punct('@')) {
            self.span()?
        } else {
            Span::NONE
        };
        let decl = FuncDecl {
            name,
            linkage,
            sig,
            body: None,
            inline_always,
            inline_never,
        };
        if !self.eat(Tok::Punct('{')) {
            self.newline()?;
            return Ok((decl, None));
        }
        self.newline()?;
        self.values = Names::default();
        self.blocks = Names::default();
        let mut slots = Vec::new();
        while let Tok::Ident(word) = self.peek()
            && let Some(n) = word
                .strip_prefix("slot")
                .and_then(|n| n.parse::<usize>().ok())
        {
            if n != slots.len() {
                return Err(self.error(format!("expected slot{}", slots.len())));
            }
            self.next();
            slots.push(self.slot()?);
            self.newline()?;
        }
        self.slots = slots.len();
        let debug = self.func_debug(slots.len())?;
        let mut blocks = Vec::new();
        while !self.eat(Tok::Punct('}')) {
            let block = self.raw_block()?;
            blocks.push(block);
        }
        self.newline()?;
        let values = std::mem::take(&mut self.values);
        let block_names = std::mem::take(&mut self.blocks);
        let raw = RawFunc {
            id,
            span,
            slots,
            debug,
            blocks,
            names: values.ids.len(),
            block_names: block_names.ids.len(),
            mentions: values.mentions,
            block_mentions: block_names.mentions,
        };
        Ok((decl, Some(raw)))
    }

    /// How much a module tells about its source.
    fn debug_info(&mut self) -> Result<DebugInfo, TextError> {
        let all = [DebugInfo::None, DebugInfo::Lines, DebugInfo::Full];
        match all.into_iter().find(|one| self.eat_word(debug_name(*one))) {
            Some(one) => Ok(one),
            None => self.expected("`none`, `lines` or `full`"),
        }
    }

    /// What debuggers are told about a function: the JSON form, as a string.
    fn func_debug(&mut self, slots: usize) -> Result<Option<Box<FuncDebug>>, TextError> {
        if !self.eat_word("debug") {
            return Ok(None);
        }
        let at = self.at;
        let json = self.string("a description for debuggers")?;
        self.newline()?;
        let debug: FuncDebug =
            serde_json::from_str(&json).map_err(|e| self.error_at(at, e.to_string()))?;
        let known = |variable: &Variable| variable.slot.index() < slots;
        if !debug.variables.iter().all(known) {
            return Err(self.error_at(at, "a variable in a slot that the function lacks"));
        }
        Ok(Some(Box::new(debug)))
    }

    fn slot(&mut self) -> Result<SlotData, TextError> {
        self.punct('=')?;
        if !self.eat_word("slot") {
            return self.expected("`slot`");
        }
        let size = self.integer("a size")?;
        if !self.eat_word("align") {
            return self.expected("`align`");
        }
        let align = self.integer("an alignment")?;
        let mut refs = Vec::new();
        if self.eat_word("refs") {
            refs.push(self.integer("an offset")?);
            while self.eat(Tok::Punct(',')) {
                refs.push(self.integer("an offset")?);
            }
        }
        let undefined = self.eat_word("undefined");
        Ok(SlotData {
            size,
            align,
            refs,
            undefined,
        })
    }

    fn raw_block(&mut self) -> Result<RawBlock, TextError> {
        let line = self.line(self.at);
        let name = self.block()?;
        let params = if self.peek() == Tok::Punct('(') {
            self.list('(', ')', |p| {
                let value = p.value()?;
                p.punct(':')?;
                Ok((value, p.ty()?))
            })?
        } else {
            Vec::new()
        };
        let cold = self.eat_word("cold");
        self.punct(':')?;
        self.newline()?;
        let mut block = RawBlock {
            name,
            params,
            insts: Vec::new(),
            term: None,
            cold,
            line,
            term_line: line,
        };
        // A block ends at its terminator, at the next header or at the brace.
        while block.term.is_none() && self.peek() != Tok::Punct('}') && !self.at_block_header() {
            let at = self.at;
            if let Some(term) = self.terminator()? {
                let (span, origin) = self.provenance()?;
                block.term = Some((term, span, origin));
                block.term_line = self.line(at);
            } else {
                let results = self.results()?;
                let (kind, facts, fast) = self.instruction(&results)?;
                let (span, origin) = self.provenance()?;
                block.insts.push(RawInst {
                    kind,
                    results,
                    fast,
                    facts,
                    span,
                    origin,
                    at,
                });
            }
            self.newline()?;
        }
        Ok(block)
    }

    /// `name:`, `name cold:` or `name(` at the start of a line; no statement starts so.
    fn at_block_header(&self) -> bool {
        let tok = |n: usize| self.tokens.get(self.at + n).map(|t| t.tok);
        if !matches!(tok(0), Some(Tok::Ident(_))) {
            return false;
        }
        match tok(1) {
            Some(Tok::Punct('(')) => true,
            Some(Tok::Punct(':')) => tok(2) == Some(Tok::Newline),
            Some(Tok::Ident("cold")) => tok(2) == Some(Tok::Punct(':')),
            _ => false,
        }
    }

    /// `v1, v2: i64 =`, or nothing.
    fn results(&mut self) -> Result<Vec<(Value, Option<Ty>)>, TextError> {
        let next = self.tokens.get(self.at + 1).map(|t| t.tok);
        if !matches!(next, Some(Tok::Punct('=' | ':' | ','))) {
            return Ok(Vec::new());
        }
        let mut out = Vec::new();
        loop {
            let value = self.value()?;
            let ty = if self.eat(Tok::Punct(':')) {
                Some(self.ty()?)
            } else {
                None
            };
            out.push((value, ty));
            if self.eat(Tok::Punct('=')) {
                return Ok(out);
            }
            if !self.eat(Tok::Punct(',')) {
                return self.expected("`,` or `=`");
            }
        }
    }
}
