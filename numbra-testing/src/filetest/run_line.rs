//! `; run: f(3, [1, 2]: i64) == 7.5`

use numbra_lir::interp::{Arg, LirValue};
use numbra_lir::text::type_from_name;
use numbra_lir::{FuncRef, Module, Ty};

/// What a run must give.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    Results(Vec<LirValue>),
    /// Class, and argument words if they are written.
    Raises(String, Option<Vec<u64>>),
    /// Part of the trap's message.
    Traps(String),
}

/// One call with its expectation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunLine {
    /// 1-based line in the file.
    pub line: usize,
    pub func: FuncRef,
    pub args: Vec<Arg>,
    pub expected: Expected,
    /// Content of all buffers afterwards.
    pub buffers: Option<Vec<Vec<u8>>>,
}

impl RunLine {
    /// All run lines of a file.
    pub fn parse_all(text: &str, module: &Module) -> Result<Vec<RunLine>, String> {
        let mut out = Vec::new();
        for (n, line) in text.lines().enumerate() {
            if let Some(rest) = line.trim().strip_prefix("; run:") {
                let parsed = RunLine::parse(rest.trim(), n + 1, module);
                out.push(parsed.map_err(|e| format!("line {}: {e}", n + 1))?);
            }
        }
        Ok(out)
    }

    fn parse(text: &str, line: usize, module: &Module) -> Result<RunLine, String> {
        let open = text.find('(').ok_or("expected `name(`")?;
        let name = text[..open].trim().trim_start_matches('@');
        let found = module.functions.iter().find(|(_, f)| f.name == name);
        let (func, decl) = found.ok_or_else(|| format!("no function `{name}`"))?;
        let mut cursor = Cursor(&text[open + 1..]);
        let mut args = Vec::new();
        while !cursor.eat(")") {
            if !args.is_empty() {
                cursor.need(",")?;
            }
            let param = decl
                .sig
                .params
                .get(args.len())
                .ok_or("too many arguments")?;
            args.push(cursor.arg(param.ty)?);
        }
        if args.len() != decl.sig.params.len() {
            return Err("too few arguments".to_owned());
        }
        let expected = if cursor.eat("==") {
            let mut results = Vec::new();
            let many = cursor.eat("(");
            for (n, &ty) in decl.sig.results.iter().enumerate() {
                if n > 0 {
                    cursor.need(",")?;
                }
                results.push(cursor.value(ty)?);
            }
            if many {
                cursor.need(")")?;
            }
            Expected::Results(results)
        } else if cursor.eat("raises") {
            let class = cursor.word().to_owned();
            let mut words = None;
            if cursor.eat("(") {
                let mut list = Vec::new();
                while !cursor.eat(")") {
                    if !list.is_empty() {
                        cursor.need(",")?;
                    }
                    list.push(cursor.value(Ty::I64)?.bits() as u64);
                }
                words = Some(list);
            }
            Expected::Raises(class, words)
        } else if cursor.eat("traps") {
            let message = cursor.rest().trim_matches('"').to_owned();
            Expected::Traps(message)
        } else {
            return Err("expected `==`, `raises` or `traps`".to_owned());
        };
        let mut buffers = None;
        if cursor.eat("buffers") {
            let mut list = Vec::new();
            while !cursor.0.trim().is_empty() {
                if !list.is_empty() {
                    cursor.need(",")?;
                }
                list.push(cursor.bytes()?);
            }
            buffers = Some(list);
        }
        if !cursor.0.trim().is_empty() {
            return Err(format!("unexpected `{}`", cursor.0.trim()));
        }
        Ok(RunLine {
            line,
            func,
            args,
            expected,
            buffers,
        })
    }
}

struct Cursor<'a>(&'a str);

impl<'a> Cursor<'a> {
    fn eat(&mut self, what: &str) -> bool {
        self.0 = self.0.trim_start();
        match self.0.strip_prefix(what) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    fn need(&mut self, what: &str) -> Result<(), String> {
        if self.eat(what) {
            Ok(())
        } else {
            Err(format!("expected `{what}` at `{}`", self.0))
        }
    }

    fn rest(&mut self) -> &'a str {
        std::mem::take(&mut self.0).trim()
    }

    fn word(&mut self) -> &'a str {
        self.0 = self.0.trim_start();
        let good = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let end = self.0.find(|c| !good(c)).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        word
    }

    fn value(&mut self, ty: Ty) -> Result<LirValue, String> {
        self.0 = self.0.trim_start();
        let end = if self.0.starts_with('<') {
            self.0.find('>').map(|n| n + 1)
        } else {
            let from = if self.0.starts_with("bits ") { 5 } else { 0 };
            let good = |c: char| c.is_alphanumeric() || matches!(c, '-' | '+' | '.');
            self.0[from..].find(|c| !good(c)).map(|n| n + from)
        };
        let (text, rest) = self.0.split_at(end.unwrap_or(self.0.len()));
        self.0 = rest;
        LirValue::parse(text, ty).ok_or_else(|| format!("`{text}` is not a value of type {ty}"))
    }

    fn arg(&mut self, ty: Ty) -> Result<Arg, String> {
        if self.eat("object") {
            return Ok(Arg::Object(self.bytes()?));
        }
        self.0 = self.0.trim_start();
        if self.0.starts_with('[') {
            return Ok(Arg::Buffer(self.bytes()?));
        }
        Ok(Arg::Value(self.value(ty)?))
    }

    /// `[1, 2]: i64`
    fn bytes(&mut self) -> Result<Vec<u8>, String> {
        self.need("[")?;
        let end = self.0.find(']').ok_or("expected `]`")?;
        let (inside, rest) = self.0.split_at(end);
        self.0 = &rest[1..];
        self.need(":")?;
        let name = self.word();
        let ty = type_from_name(name).ok_or_else(|| format!("no type `{name}`"))?;
        let mut out = Vec::new();
        for item in inside.split(',').map(str::trim).filter(|s| !s.is_empty()) {
            let value = LirValue::parse(item, ty)
                .ok_or_else(|| format!("`{item}` is not a value of type {ty}"))?;
            let bytes = value.bits().to_le_bytes();
            out.extend_from_slice(&bytes[..(ty.size() as usize).min(16)]);
        }
        Ok(out)
    }
}
