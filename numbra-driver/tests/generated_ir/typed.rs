//! Programs in Numba IR, generated as IR: several functions over arrays that share memory, tuples, lists, optional
//! integers, records, texts, generators, loops over `prange`, exceptions and handlers, in blocks.
//!
//! Every variable has one type and is assigned at the start, so inference accepts every program, and loops are over
//! ranges, arrays and generators that end. Indices are in bounds; all else that can fail raises an exception.

mod expressions;
mod parallel;
mod statements;

use crate::kinds::{Arguments, Item, Kind};
use numbra_testing::random::Random;
use std::fmt::Write;

/// What every function may name.
const OBJECTS: &[(&str, &str)] = &[
    ("builtins.slice", "class repr \"<class 'slice'>\""),
    ("builtins.range", "class repr \"<class 'range'>\""),
    ("builtins.bool", "class repr \"<class 'bool'>\""),
    ("builtins.str", "class repr \"<class 'str'>\""),
    ("builtins.chr", "function repr \"<built-in function chr>\""),
    ("builtins.ord", "function repr \"<built-in function ord>\""),
    ("numbra.prange", "class repr \"<class 'prange'>\""),
    ("builtins.len", "function repr \"<built-in function len>\""),
    ("builtins.int", "class repr \"<class 'int'>\""),
    ("builtins.float", "class repr \"<class 'float'>\""),
    ("builtins.ValueError", "class repr \"<class 'ValueError'>\""),
    ("builtins.KeyError", "class repr \"<class 'KeyError'>\""),
    ("builtins.Exception", "class repr \"<class 'Exception'>\""),
    ("numpy", "module repr \"<module 'numpy'>\""),
];

/// The data type of records.
const RECORD_TYPE: &str = "programs.record";

/// Texts of one, two and four bytes a character.
const TEXTS: [&str; 8] = [
    "",
    "a",
    "ab",
    "b,a",
    "-7",
    "\u{e9}a",
    "\u{20ac}",
    "a\u{1d11e}b",
];

/// Characters of a text that a variable has: what becomes longer in a loop stays short.
const LONGEST: i64 = 20;

/// A function of a program.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) text: String,
    /// Types of parameters; those of the entry are exact in [`Program::arguments`].
    pub(crate) params: Vec<Kind>,
    result: Kind,
}

/// Functions, of which the last is the entry: of the arrays of `arguments` and two integers.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) functions: Vec<Function>,
    pub(crate) arguments: Arguments,
}

pub(crate) fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let mut functions: Vec<Function> = Vec::new();
    // What makes texts the interpreter lacks.
    let texts = random.once_in(3);
    for number in 0..random.below(4) {
        let name = format!("callee{number}");
        let generator = random.once_in(3);
        let params = callee_params(&mut random, texts);
        let body = Body::new(&mut random, &functions, &params, texts);
        let made = body.function(name, params, generator);
        functions.push(made);
    }
    let count = 2 + random.below(3);
    let arguments = Arguments::draw(&mut random, count);
    let mut params = arguments.kinds();
    params.extend([Kind::Int, Kind::Int]);
    let entry = Body::new(&mut random, &functions, &params, texts).entry(params);
    functions.push(entry);
    Program {
        functions,
        arguments,
    }
}

fn callee_params(random: &mut Random, texts: bool) -> Vec<Kind> {
    let mut params = vec![Kind::Array(Item::draw(random), 1), Kind::Int];
    for _ in 0..random.below(3) {
        params.push(match random.below(8) {
            0 => Kind::Float,
            1 => Kind::Tuple(vec![Kind::array(random), Kind::Int]),
            2 => Kind::arrays(random.pick(&[Item::F64, Item::I64, Item::I32])),
            3 if texts => Kind::Text,
            4 => Kind::Record,
            _ => Kind::array(random),
        });
    }
    params
}

/// A function that is being made.
struct Body<'a> {
    random: &'a mut Random,
    callees: &'a [Function],
    /// Whether there are texts.
    texts: bool,
    blocks: Vec<(Option<usize>, String)>,
    at: usize,
    temps: usize,
    vars: Vec<(String, Kind)>,
    /// The handler of what is being made.
    handler: Option<usize>,
    /// Where `continue` and `break` go, and the handler there.
    loops: Vec<(usize, usize, Option<usize>)>,
    /// Statements that may still be made.
    left: usize,
    yields: usize,
    /// What a generator yields.
    generates: Option<Item>,
}

impl<'a> Body<'a> {
    fn new(
        random: &'a mut Random,
        callees: &'a [Function],
        params: &[Kind],
        texts: bool,
    ) -> Body<'a> {
        let mut body = Body {
            random,
            callees,
            texts,
            blocks: vec![(None, String::new())],
            at: 0,
            temps: 0,
            vars: Vec::new(),
            handler: None,
            loops: Vec::new(),
            left: 14,
            yields: 0,
            generates: None,
        };
        for (n, kind) in params.iter().enumerate() {
            body.line(&format!("p{n} = arg({n}, name=p{n})"));
            body.vars.push((format!("p{n}"), kind.clone()));
        }
        body.locals();
        body
    }

    /// Variables beside the parameters: of each type some.
    fn locals(&mut self) {
        for (name, kind) in [("i", Kind::Int), ("j", Kind::Int), ("f", Kind::Float)] {
            let value = self.constant(&kind);
            self.line(&format!("{name} = {value}"));
            self.vars.push((name.to_owned(), kind));
        }
        for n in 0..1 + self.random.below(3) {
            let kind = match self.random.below(3) {
                0 => Kind::array(self.random),
                _ => self.some_array(),
            };
            let value = self.array(&kind, 1);
            self.declare(&format!("a{n}"), kind, &value);
        }
        if !self.random.once_in(3) {
            let kind = self.tuple_kind(2);
            let value = self.value(&kind, 0);
            self.declare("t", kind, &value);
        }
        if self.texts && self.random.once_in(2) {
            let value = self.text(1);
            self.declare("s", Kind::Text, &value);
        }
        if self.random.once_in(3) {
            let value = self.record(1);
            self.declare("r", Kind::Record, &value);
        }
        if self.random.once_in(2) {
            let of = match self.some_array() {
                _ if self.texts && self.random.once_in(2) => Kind::Text,
                Kind::Array(Item::Record, _) if self.random.once_in(2) => Kind::Record,
                Kind::Array(item, _) => Kind::Array(item, 1),
                _ => Kind::Array(Item::F64, 1),
            };
            let value = self.value(&Kind::list(of.clone()), 1);
            self.declare("l", Kind::list(of), &value);
        }
        if self.random.once_in(3) {
            // An integer on one way, None on the other.
            let none = self.temp("const(NoneType, None)");
            self.line(&format!("m = {none}"));
            let (some, after) = (self.block(), self.block());
            let cond = self.condition();
            self.line(&format!("branch {cond}, bb{some}, bb{after}"));
            self.at = some;
            let value = self.int(1);
            self.line(&format!("m = {value}"));
            self.go(after);
            self.vars.push(("m".to_owned(), Kind::Maybe));
        }
    }

    fn declare(&mut self, name: &str, kind: Kind, value: &str) {
        self.line(&format!("{name} = {value}"));
        self.vars.push((name.to_owned(), kind));
    }

    fn tuple_kind(&mut self, depth: usize) -> Kind {
        let items = (0..1 + self.random.below(3)).map(|_| match self.random.below(7) {
            0 => Kind::Int,
            1 => Kind::Float,
            2 if depth > 0 => self.tuple_kind(depth - 1),
            3 if self.texts => Kind::Text,
            4 => Kind::Record,
            _ => self.some_array(),
        });
        Kind::Tuple(items.collect())
    }

    // ------------------------------------------------------------------------------------- text

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.blocks[self.at].1, "  {text}");
    }

    fn temp(&mut self, rhs: &str) -> String {
        let name = format!("${}", self.temps);
        self.temps += 1;
        self.line(&format!("{name} = {rhs}"));
        name
    }

    fn block(&mut self) -> usize {
        self.blocks.push((self.handler, String::new()));
        self.blocks.len() - 1
    }

    fn go(&mut self, to: usize) {
        self.line(&format!("jump bb{to}"));
        self.at = to;
    }

    fn call(&mut self, function: &str, args: &[&str]) -> String {
        let function = self.temp(&format!("global({function})"));
        self.temp(&format!("call {function}({})", args.join(", ")))
    }

    fn numpy(&mut self, name: &str, args: &[&str]) -> String {
        let numpy = self.temp("global(numpy)");
        let function = self.temp(&format!("getattr({numpy}, {name})"));
        self.temp(&format!("call {function}({})", args.join(", ")))
    }

    fn method(&mut self, value: &str, name: &str, args: &[&str]) -> String {
        let method = self.temp(&format!("getattr({value}, {name})"));
        self.temp(&format!("call {method}({})", args.join(", ")))
    }

    fn constant(&mut self, kind: &Kind) -> String {
        match kind {
            Kind::Float => {
                let number = self.random.pick(&["0.0", "0.5", "-1.5", "3.0", "1e10"]);
                self.temp(&format!("const(float, {number})"))
            }
            _ => {
                let n = self.random.pick(&[-7_i64, -1, 0, 1, 2, 3, 5, 64, 1 << 40]);
                self.number(n)
            }
        }
    }

    fn number(&mut self, n: i64) -> String {
        self.temp(&format!("const(int, {n})"))
    }

    /// A variable for which this holds.
    fn var(&mut self, fits: impl Fn(&Kind) -> bool) -> Option<(String, Kind)> {
        let found: Vec<_> = self.vars.iter().filter(|(_, k)| fits(k)).cloned().collect();
        (!found.is_empty()).then(|| self.random.pick(&found))
    }

    fn some_array(&mut self) -> Kind {
        let found = self.var(|kind| matches!(kind, Kind::Array(..)));
        found.map_or(Kind::Array(Item::F64, 1), |(_, kind)| kind)
    }
}
