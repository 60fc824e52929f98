//! Statements of generated functions in IR, and whole functions.

use super::{Body, Function, LONGEST, OBJECTS, RECORD_TYPE};
use crate::kinds::{Item, Kind, RECORD};
use std::fmt::Write;

impl Body<'_> {
    pub(super) fn statements(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(4) {
            self.statement(depth);
        }
    }

    pub(super) fn statement(&mut self, depth: usize) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        match self.random.below(if depth == 0 { 13 } else { 23 }) {
            0 | 1 => self.assign(),
            2 | 3 => self.store(),
            4 => self.assign_slice(),
            5 => self.in_place(),
            6 | 7 => self.change_list(),
            8 => self.leave(),
            9 => self.raise(),
            10 => self.yields(),
            11 => self.assign(),
            12 => self.set_field(),
            13..=15 => self.branch(depth),
            16 | 17 => self.counted(depth),
            18 => self.each(depth),
            19 => self.spread(depth),
            _ => self.guarded(depth),
        }
    }

    pub(super) fn assign(&mut self) {
        let Some((name, kind)) = self.var(|_| true) else {
            return;
        };
        let value = match kind {
            Kind::Maybe => {
                if self.random.once_in(2) {
                    self.temp("const(NoneType, None)")
                } else {
                    self.int(1)
                }
            }
            Kind::Generator(_) => return,
            Kind::Text => {
                let value = self.text(2);
                self.first(&value)
            }
            ref kind => self.value(kind, 2),
        };
        self.line(&format!("{name} = {value}"));
    }

    /// The first characters of a text.
    fn first(&mut self, text: &str) -> String {
        let (none, end) = (self.temp("const(NoneType, None)"), self.number(LONGEST));
        let slice = self.call("builtins.slice", &[&none, &end]);
        self.temp(&format!("getitem({text}, {slice})"))
    }

    /// `r.a = x`
    fn set_field(&mut self) {
        let record = self.record(1);
        let (field, value) = match self.random.below(2) {
            0 => ("a", self.int(1)),
            _ => ("b", self.float(1)),
        };
        self.line(&format!("({record}).{field} = {value}"));
    }

    pub(super) fn store(&mut self) {
        let kind = self.some_array();
        let Kind::Array(item, _) = kind else { return };
        let array = self.array(&kind, 1);
        let index = self.index(&array, &kind);
        let value = match item {
            Item::Bool => {
                let (x, y) = (self.int(1), self.int(0));
                self.temp(&format!("{x} < {y}"))
            }
            Item::F32 | Item::F64 | Item::C128 => self.float(2),
            Item::Record => self.record(1),
            _ => self.int(2),
        };
        self.line(&format!("{array}[{index}] = {value}"));
    }

    /// `a[..] = b`, of arrays that may share memory.
    pub(super) fn assign_slice(&mut self) {
        let kind = self.some_array();
        let Kind::Array(item, rank) = kind else {
            return;
        };
        let (array, slice) = (self.array(&kind, 0), self.slice());
        let value = match item {
            Item::F64 if self.random.once_in(3) => self.float(1),
            Item::I64 if self.random.once_in(3) => self.int(1),
            _ if rank == 1 && self.random.once_in(2) => {
                // Of the same extent.
                let mirror = self.number(-1);
                let none = self.temp("const(NoneType, None)");
                let back = self.call("builtins.slice", &[&none, &none, &mirror]);
                let view = self.temp(&format!("getitem({array}, {slice})"));
                self.temp(&format!("getitem({view}, {back})"))
            }
            _ => self.array(&kind, 1),
        };
        self.line(&format!("{array}[{slice}] = {value}"));
    }

    pub(super) fn in_place(&mut self) {
        let Some((name, kind)) =
            self.var(|k| matches!(k, Kind::Array(item, _) if item.is_number()) || *k == Kind::Int)
        else {
            return;
        };
        let op = self.random.pick(&["+", "-", "*"]);
        let value = match kind {
            Kind::Array(Item::F64, _) if self.random.once_in(2) => self.float(1),
            Kind::Array(Item::I64, _) if self.random.once_in(2) => self.int(1),
            ref kind => self.value(kind, 1),
        };
        self.line(&format!("{name} = {name} {op}= {value}"));
    }

    pub(super) fn change_list(&mut self) {
        let Some((list, Kind::List(of))) = self.var(|k| matches!(k, Kind::List(_))) else {
            return self.store();
        };
        match self.random.below(5) {
            0 | 1 => {
                let value = self.value(&of, 1);
                self.method(&list, "append", &[&value]);
            }
            2 => {
                let got = self.method(&list, "pop", &[]);
                if let Some((name, _)) = self.var(|k| *k == *of) {
                    self.line(&format!("{name} = {got}"));
                }
            }
            3 => {
                let (at, len) = (self.int(1), self.call("builtins.len", &[&list]));
                let at = self.temp(&format!("{at} % {len}"));
                let value = self.value(&of, 1);
                self.line(&format!("{list}[{at}] = {value}"));
            }
            _ => {
                let slice = self.slice();
                let part = self.temp(&format!("getitem({list}, {slice})"));
                self.line(&format!("{list} = {part}"));
            }
        }
    }

    /// `break`, `continue` or a return, on a condition.
    pub(super) fn leave(&mut self) {
        let Some(&(next, end, handler)) = self.loops.last() else {
            return;
        };
        if handler != self.handler {
            return;
        }
        let (cond, after) = (self.condition(), self.block());
        let to = self.random.pick(&[next, end]);
        self.line(&format!("branch {cond}, bb{to}, bb{after}"));
        self.at = after;
    }

    pub(super) fn raise(&mut self) {
        let (cond, bad, after) = (self.condition(), self.block(), self.block());
        self.line(&format!("branch {cond}, bb{bad}, bb{after}"));
        self.at = bad;
        let class = self
            .random
            .pick(&["builtins.ValueError", "builtins.KeyError"]);
        let words = if self.texts && self.random.once_in(2) {
            self.text(1)
        } else {
            self.temp("const(str, \"raised\")")
        };
        let number = self.int(1);
        let made = self.call(class, &[&words, &number]);
        self.line(&format!("raise {made}"));
        self.at = after;
    }

    pub(super) fn yields(&mut self) {
        let Some(item) = self.generates else {
            return self.assign();
        };
        let value = self.array(&Kind::Array(item, 1), 1);
        self.yields += 1;
        let number = self.yields;
        self.temp(&format!("yield({value}, {number})"));
    }

    pub(super) fn branch(&mut self, depth: usize) {
        if let (Some((maybe, _)), true) = (self.var(|k| *k == Kind::Maybe), self.random.once_in(2))
        {
            let none = self.temp("const(NoneType, None)");
            let test = self.temp(&format!("{maybe} is {none}"));
            let test = self.call("builtins.bool", &[&test]);
            let (some, after) = (self.block(), self.block());
            self.line(&format!("branch {test}, bb{after}, bb{some}"));
            self.at = some;
            let (name, _) = self.var(|k| *k == Kind::Int).expect("there are integers");
            let sum = self.temp(&format!("{maybe} + {name}"));
            self.line(&format!("{name} = {sum}"));
            return self.go(after);
        }
        let cond = self.condition();
        let (then, other, after) = (self.block(), self.block(), self.block());
        self.line(&format!("branch {cond}, bb{then}, bb{other}"));
        for (block, always) in [(then, true), (other, false)] {
            self.at = block;
            if always || self.random.once_in(2) {
                self.statements(depth - 1);
            }
            self.line(&format!("jump bb{after}"));
        }
        self.at = after;
    }

    /// Iterates: `item` says what becomes of an item.
    pub(super) fn iterate(&mut self, over: &str, depth: usize, item: impl FnOnce(&mut Self, &str)) {
        let iterator = self.temp(&format!("getiter({over})"));
        let (head, body, end) = (self.block(), self.block(), self.block());
        self.go(head);
        let pair = self.temp(&format!("iternext({iterator})"));
        let first = self.temp(&format!("pair_first({pair})"));
        let more = self.temp(&format!("pair_second({pair})"));
        self.line(&format!("branch {more}, bb{body}, bb{end}"));
        self.at = body;
        self.loops.push((head, end, self.handler));
        item(self, &first);
        if depth > 0 {
            self.statements(depth - 1);
        }
        self.loops.pop();
        self.go(head);
        self.at = end;
    }

    pub(super) fn counted(&mut self, depth: usize) {
        let (bound, four) = (self.int(1), self.number(4));
        let bound = self.temp(&format!("{bound} % {four}"));
        let range = if self.random.once_in(3) {
            let (start, step) = (self.number(6), self.number(-2));
            self.call("builtins.range", &[&start, &bound, &step])
        } else {
            self.call("builtins.range", &[&bound])
        };
        let (name, _) = self.var(|k| *k == Kind::Int).expect("there are integers");
        self.iterate(&range, depth, |body, item| {
            body.line(&format!("{name} = {item}"))
        });
    }

    /// Over the arrays of a list or a generator.
    pub(super) fn each(&mut self, depth: usize) {
        let generators: Vec<Function> = self
            .callees
            .iter()
            .filter(|f| matches!(f.result, Kind::Generator(_)))
            .cloned()
            .collect();
        let (over, of) = if generators.is_empty() || self.random.once_in(3) {
            match self
                .var(|k| matches!(k, Kind::List(_) | Kind::Text | Kind::Array(Item::Record, 1)))
            {
                // A list that grows while it is iterated over has no end.
                Some((list, Kind::List(of))) => {
                    let none = self.temp("const(NoneType, None)");
                    let all = self.call("builtins.slice", &[&none, &none]);
                    (self.temp(&format!("getitem({list}, {all})")), *of)
                }
                Some((text, Kind::Text)) => (text, Kind::Text),
                Some((array, _)) => (array, Kind::Record),
                None => return self.counted(depth),
            }
        } else {
            let function = self.random.pick(&generators);
            let Kind::Generator(item) = function.result else {
                return;
            };
            (self.call_of(&function), Kind::Array(item, 1))
        };
        let target = self.var(|k| *k == of);
        let list = self.var(|k| *k == Kind::list(of.clone()));
        self.iterate(&over, depth, |body, got| {
            if let Some((name, _)) = target {
                body.line(&format!("{name} = {got}"));
            }
            if let (Some((list, _)), true) = (list, body.random.once_in(2)) {
                body.method(&list, "append", &[got]);
            }
        });
    }

    /// `try: .. except Exception: ..`
    pub(super) fn guarded(&mut self, depth: usize) {
        if self.generates.is_some() {
            return self.branch(depth); // Numba has no `yield` inside of `try`.
        }
        let outer = self.handler;
        let (caught, after) = (self.block(), self.block());
        self.handler = Some(caught);
        let inside = self.block();
        self.go(inside);
        self.statements(depth - 1);
        if self.random.once_in(2) {
            self.raise();
        }
        self.handler = outer;
        self.line(&format!("jump bb{after}"));
        self.at = caught;
        let class = self.temp("global(builtins.Exception)");
        let matches = self.temp(&format!("exception_match({class})"));
        let matches = self.call("builtins.bool", &[&matches]);
        let (mine, others) = (self.block(), self.block());
        self.line(&format!("branch {matches}, bb{mine}, bb{others}"));
        self.at = others;
        self.line("raise");
        self.at = mine;
        self.statements(depth - 1);
        self.go(after);
    }

    // --------------------------------------------------------------------------------- functions

    pub(super) fn function(mut self, name: String, params: Vec<Kind>, generator: bool) -> Function {
        let item = match self.some_array() {
            Kind::Array(item, _) => item,
            _ => Item::F64,
        };
        let result = match self.random.below(7) {
            _ if generator => Kind::Generator(item),
            0 => Kind::Int,
            1 => self.tuple_kind(1),
            2 if self.texts => Kind::Text,
            3 => Kind::Record,
            _ => self.some_array(),
        };
        self.left = 8;
        if generator {
            self.generates = Some(item);
            self.counted(2);
            self.yields();
            let none = self.temp("const(NoneType, None)");
            let none = self.temp(&format!("cast({none})"));
            self.line(&format!("return {none}"));
        } else {
            self.statements(2);
            let value = self.value(&result, 1);
            let value = self.temp(&format!("cast({value})"));
            self.line(&format!("return {value}"));
        }
        self.finish(name, params, result)
    }

    pub(super) fn entry(mut self, params: Vec<Kind>) -> Function {
        self.left = 18;
        while self.left > 6 {
            self.statement(3);
        }
        // What variables hold goes into two numbers.
        let (int, float) = (self.number(1), self.temp("const(float, 1.0)"));
        self.line(&format!("sum = {int}"));
        self.line(&format!("total = {float}"));
        for (name, kind) in self.vars.clone() {
            self.fold(&name, &kind);
        }
        let result = self.temp("build_tuple(sum, total, i, j, f)");
        let result = self.temp(&format!("cast({result})"));
        self.line(&format!("return {result}"));
        self.finish("entry".to_owned(), params, Kind::Int)
    }

    /// Adds a value to the numbers that the program gives.
    pub(super) fn fold(&mut self, value: &str, kind: &Kind) {
        match kind {
            Kind::Int => {
                let factor = self.number(31);
                let sum = self.temp(&format!("sum * {factor}"));
                self.line(&format!("sum = {sum} + {value}"));
            }
            Kind::Float => {
                let factor = self.temp("const(float, 0.5)");
                let total = self.temp(&format!("total * {factor}"));
                self.line(&format!("total = {total} + {value}"));
            }
            Kind::Record => {
                for (field, kind) in [("a", Kind::Int), ("b", Kind::Float)] {
                    let got = self.temp(&format!("getattr({value}, {field})"));
                    let item = if kind == Kind::Int {
                        Item::I32
                    } else {
                        Item::F64
                    };
                    let got = self.widened(&got, item);
                    self.fold(&got, &kind);
                }
                let inner = self.temp(&format!("getattr({value}, c)"));
                self.fold(&inner, &Kind::Array(Item::I16, 1));
            }
            Kind::Text => {
                let len = self.call("builtins.len", &[value]);
                self.fold(&len, &Kind::Int);
                self.iterate(value, 0, |body, got| {
                    let code = body.call("builtins.ord", &[got]);
                    body.fold(&code, &Kind::Int);
                });
            }
            Kind::Array(Item::Record, 1) => {
                let size = self.temp(&format!("getattr({value}, size)"));
                self.fold(&size, &Kind::Int);
                self.iterate(value, 0, |body, got| body.fold(got, &Kind::Record));
            }
            Kind::Array(item, 1) => {
                let size = self.temp(&format!("getattr({value}, size)"));
                self.fold(&size, &Kind::Int);
                self.iterate(value, 0, |body, got| {
                    let wide = body.widened(got, *item);
                    let is_int = item.is_int() || *item == Item::Bool;
                    body.fold(&wide, if is_int { &Kind::Int } else { &Kind::Float });
                });
            }
            Kind::Array(item, _) => {
                self.iterate(value, 0, |body, row| body.fold(row, &Kind::Array(*item, 1)));
            }
            Kind::Tuple(items) => {
                for (number, kind) in items.iter().enumerate() {
                    let at = self.number(number as i64);
                    let item = self.temp(&format!("static_getitem({value}, {number}, {at})"));
                    self.fold(&item, kind);
                }
            }
            Kind::List(of) => {
                self.iterate(value, 0, |body, got| body.fold(got, of));
            }
            Kind::Maybe | Kind::Generator(_) => {}
        }
    }

    pub(super) fn finish(self, name: String, params: Vec<Kind>, result: Kind) -> Function {
        let names: Vec<String> = (0..params.len()).map(|n| format!("p{n}")).collect();
        let generator = if matches!(result, Kind::Generator(_)) {
            " generator"
        } else {
            ""
        };
        let mut text = format!(
            "function {name}({}){generator}:\n  module programs\n",
            names.join(", ")
        );
        for (number, (object, what)) in OBJECTS.iter().enumerate() {
            let _ = writeln!(text, "  obj{number} = {object} {what}");
        }
        let records = OBJECTS.len();
        let _ = writeln!(text, "  obj{records} = {RECORD_TYPE} dtype({RECORD})");
        for (number, callee) in self.callees.iter().enumerate() {
            let at = records + 1 + number;
            let _ = writeln!(text, "  obj{at} = {} dispatcher({number})", callee.name);
        }
        for (number, (handler, lines)) in self.blocks.iter().enumerate() {
            let handler = handler.map_or(String::new(), |h| format!(" handler bb{h}"));
            let _ = write!(text, "bb{number}{handler}:\n{lines}");
        }
        Function {
            name,
            text,
            params,
            result,
        }
    }
}
