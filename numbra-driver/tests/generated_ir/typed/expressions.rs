//! Expressions of generated functions in IR.

use super::{Body, Function, RECORD_TYPE, TEXTS};
use crate::kinds::{Item, Kind};

impl Body<'_> {
    pub(super) fn value(&mut self, kind: &Kind, depth: usize) -> String {
        match kind {
            Kind::Int => self.int(depth),
            Kind::Float => self.float(depth),
            Kind::Array(..) => self.array(kind, depth),
            Kind::Record => self.record(depth),
            Kind::Text => self.text(depth),
            Kind::Tuple(items) => {
                let items: Vec<_> = items.iter().map(|item| self.value(item, depth)).collect();
                self.temp(&format!("build_tuple({})", items.join(", ")))
            }
            Kind::List(of) => {
                let count = 1 + self.random.below(3);
                let mut items: Vec<_> = (0..count).map(|_| self.value(of, depth)).collect();
                if !matches!(**of, Kind::Array(..)) {
                    return self.temp(&format!("build_list({})", items.join(", ")));
                }
                // One of any layout, so that lists are of one type.
                let (none, one) = (self.temp("const(NoneType, None)"), self.number(1));
                let all = self.call("builtins.slice", &[&none, &none, &one]);
                items[0] = self.temp(&format!("getitem({}, {all})", items[0]));
                self.temp(&format!("build_list({})", items.join(", ")))
            }
            Kind::Maybe | Kind::Generator(_) => unreachable!("no expression has this type"),
        }
    }

    pub(super) fn int(&mut self, depth: usize) -> String {
        let leaf = depth == 0 || self.random.once_in(3);
        match self.random.below(if leaf { 3 } else { 16 }) {
            0 => self.constant(&Kind::Int),
            1 | 2 => {
                let (name, _) = self.var(|k| *k == Kind::Int).expect("there are integers");
                name
            }
            3 | 4 => {
                let op = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                let (x, y) = (self.int(depth - 1), self.int(depth - 1));
                self.temp(&format!("{x} {op} {y}"))
            }
            5 => {
                let op = self.random.pick(&["//", "%"]);
                let (x, y) = (self.int(depth - 1), self.int(depth - 1));
                self.temp(&format!("{x} {op} {y}"))
            }
            6 => {
                let op = self.random.pick(&["<<", ">>"]);
                let (x, by) = (self.int(depth - 1), self.random.below(70) as i64);
                let by = self.number(by);
                self.temp(&format!("{x} {op} {by}"))
            }
            7 => {
                let x = self.float(depth - 1);
                self.call("builtins.int", &[&x])
            }
            8 => match self.var(|k| matches!(k, Kind::List(_))) {
                Some((list, _)) => self.call("builtins.len", &[&list]),
                None => self.int(depth - 1),
            },
            9 => {
                let kind = self.some_array();
                let array = self.array(&kind, 0);
                self.temp(&format!("getattr({array}, size)"))
            }
            10 => self
                .callee(&Kind::Int)
                .unwrap_or_else(|| self.int(depth - 1)),
            11 if self.var(|k| *k == Kind::Text).is_some() => {
                let (text, part) = (self.text(depth - 1), self.text(0));
                if self.random.once_in(2) {
                    self.call("builtins.len", &[&text])
                } else {
                    self.method(&text, "find", &[&part])
                }
            }
            12 if self.has_records() => self.field("a", depth - 1),
            _ => match self.var(|k| matches!(k, Kind::Array(item, _) if item.is_int())) {
                Some((_, kind)) => self.element(&kind, depth - 1),
                None => self.int(depth - 1),
            },
        }
    }

    pub(super) fn float(&mut self, depth: usize) -> String {
        let leaf = depth == 0 || self.random.once_in(3);
        match self.random.below(if leaf { 3 } else { 10 }) {
            0 => self.constant(&Kind::Float),
            1 | 2 => {
                let (name, _) = self.var(|k| *k == Kind::Float).expect("there are floats");
                name
            }
            3..=5 => {
                let op = self.random.pick(&["+", "-", "*", "/"]);
                let (x, y) = (self.float(depth - 1), self.float(depth - 1));
                self.temp(&format!("{x} {op} {y}"))
            }
            6 => {
                let x = self.int(depth - 1);
                self.call("builtins.float", &[&x])
            }
            7 if self.has_records() => self.field("b", depth - 1),
            _ => match self.var(|k| matches!(k, Kind::Array(item, _) if item.is_float())) {
                Some((_, kind)) => self.element(&kind, depth - 1),
                None => self.float(depth - 1),
            },
        }
    }

    /// An element as an int64 or a float64. It raises where the array is empty.
    pub(super) fn element(&mut self, kind: &Kind, depth: usize) -> String {
        let Kind::Array(item, _) = *kind else {
            unreachable!("only arrays have elements")
        };
        let array = self.array(kind, depth.min(1));
        let index = self.index(&array, kind);
        let got = self.temp(&format!("getitem({array}, {index})"));
        self.widened(&got, item)
    }

    pub(super) fn widened(&mut self, value: &str, item: Item) -> String {
        match item {
            Item::F32 | Item::F64 => self.numpy("float64", &[value]),
            Item::C128 => {
                let parts =
                    ["real", "imag"].map(|part| self.temp(&format!("getattr({value}, {part})")));
                self.temp(&format!("{} + {}", parts[0], parts[1]))
            }
            _ => self.numpy("int64", &[value]),
        }
    }

    /// An index in bounds, or ZeroDivisionError.
    pub(super) fn index(&mut self, array: &str, kind: &Kind) -> String {
        let Kind::Array(_, rank) = *kind else {
            unreachable!("only arrays are indexed")
        };
        let shape = self.temp(&format!("getattr({array}, shape)"));
        let mut numbers = Vec::new();
        for axis in 0..rank {
            let at = self.number(axis as i64);
            let extent = self.temp(&format!("static_getitem({shape}, {axis}, {at})"));
            let wanted = self.int(1);
            let mut number = self.temp(&format!("{wanted} % {extent}"));
            if self.random.once_in(4) {
                number = self.temp(&format!("{number} - {extent}"));
            }
            numbers.push(number);
        }
        match numbers.as_slice() {
            [one] => one.clone(),
            all => self.temp(&format!("build_tuple({})", all.join(", "))),
        }
    }

    pub(super) fn slice(&mut self) -> String {
        let mut parts = Vec::new();
        for _ in 0..2 {
            parts.push(match self.random.below(4) {
                0 => self.temp("const(NoneType, None)"),
                1 => self.int(0),
                _ => {
                    let n = self.random.pick(&[-3, -1, 0, 1, 2, 3]);
                    self.number(n)
                }
            });
        }
        if self.random.once_in(2) {
            let step = self.random.pick(&[-2, -1, 1, 2, 3]);
            parts.push(self.number(step));
        }
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        self.call("builtins.slice", &parts)
    }

    /// An array, new or a view.
    pub(super) fn array(&mut self, kind: &Kind, depth: usize) -> String {
        let Kind::Array(item, rank) = *kind else {
            unreachable!("the type is that of an array")
        };
        let same = self.var(|k| k == kind);
        if depth == 0 || self.random.once_in(4) {
            return match same {
                Some((name, _)) if !self.random.once_in(8) => name,
                _ => self.fresh(item, rank),
            };
        }
        let inner = depth - 1;
        if self.has_records() && self.random.once_in(4) {
            match (item, rank) {
                (Item::I32, _) => return self.fields(rank, "a", inner),
                (Item::F64, _) => return self.fields(rank, "b", inner),
                (Item::I16, 2) => return self.fields(1, "c", inner),
                (Item::I16, _) => {
                    let record = self.record(inner);
                    return self.temp(&format!("getattr({record}, c)"));
                }
                _ => {}
            }
        }
        match self.random.below(13) {
            0..=2 if rank == 1 => {
                let (of, slice) = (self.array(kind, inner), self.slice());
                self.temp(&format!("getitem({of}, {slice})"))
            }
            0..=2 => {
                let of = self.array(kind, inner);
                let (first, second) = (self.slice(), self.slice());
                let both = self.temp(&format!("build_tuple({first}, {second})"));
                self.temp(&format!("getitem({of}, {both})"))
            }
            3 | 4 if rank == 1 => self.line_of(item, inner),
            3 | 4 => {
                let of = self.array(kind, inner);
                self.temp(&format!("getattr({of}, T)"))
            }
            5 => {
                let of = self.array(kind, inner);
                self.method(&of, "copy", &[])
            }
            6 => self.reshaped(item, rank, inner),
            7 if item.is_number() => {
                let op = self.random.pick(&["+", "-", "*"]);
                let (x, y) = (self.array(kind, inner), self.array(kind, inner));
                self.temp(&format!("{x} {op} {y}"))
            }
            8 if matches!(item, Item::F64 | Item::I64) => {
                let scalar = if item == Item::F64 {
                    Kind::Float
                } else {
                    Kind::Int
                };
                let (x, y) = (self.array(kind, inner), self.value(&scalar, inner));
                let op = self.random.pick(&["+", "-", "*"]);
                self.temp(&format!("{x} {op} {y}"))
            }
            9 => self.callee(kind).unwrap_or_else(|| self.array(kind, 0)),
            10 => self
                .out_of_tuple(kind)
                .unwrap_or_else(|| self.array(kind, 0)),
            11 if rank == 1 => match self.var(|k| *k == Kind::arrays(item)) {
                Some((list, _)) => self.item_of_list(&list),
                None => self.array(kind, 0),
            },
            _ => self.array(kind, 0),
        }
    }

    /// Zeros.
    pub(super) fn fresh(&mut self, item: Item, rank: usize) -> String {
        let sizes: Vec<String> = (0..rank)
            .map(|_| {
                let n = self.random.below(5) as i64;
                self.number(n)
            })
            .collect();
        let shape = match sizes.as_slice() {
            [one] => one.clone(),
            all => self.temp(&format!("build_tuple({})", all.join(", "))),
        };
        if item == Item::Record {
            let dtype = self.temp(&format!("global({RECORD_TYPE})"));
            return self.numpy("zeros", &[&shape, &dtype]);
        }
        let numpy = self.temp("global(numpy)");
        let name = if item == Item::Bool {
            "bool_"
        } else {
            item.name()
        };
        let dtype = self.temp(&format!("getattr({numpy}, {name})"));
        let maker = self.random.pick(&["zeros", "ones"]);
        self.numpy(maker, &[&shape, &dtype])
    }

    fn has_records(&self) -> bool {
        let is_record = |kind: &Kind| matches!(kind, Kind::Record | Kind::Array(Item::Record, _));
        self.vars.iter().any(|(_, kind)| is_record(kind))
    }

    /// A record, which is a view of an element.
    pub(super) fn record(&mut self, depth: usize) -> String {
        let same = self.var(|k| *k == Kind::Record);
        match (self.random.below(6), same) {
            (0 | 1, Some((name, _))) => name,
            (2, _) if depth > 0 => self.callee(&Kind::Record).unwrap_or_else(|| self.record(0)),
            (3, _) if depth > 0 => self
                .out_of_tuple(&Kind::Record)
                .unwrap_or_else(|| self.record(0)),
            (4, _) if depth > 0 => match self.var(|k| *k == Kind::list(Kind::Record)) {
                Some((list, _)) => self.item_of_list(&list),
                None => self.record(0),
            },
            _ => {
                let found = self.var(|k| matches!(k, Kind::Array(Item::Record, _)));
                let Some((_, kind)) = found else {
                    let (size, at) = (self.number(3), self.number(1));
                    let dtype = self.temp(&format!("global({RECORD_TYPE})"));
                    let array = self.numpy("zeros", &[&size, &dtype]);
                    return self.temp(&format!("getitem({array}, {at})"));
                };
                let array = self.array(&kind, depth.min(1));
                let index = self.index(&array, &kind);
                self.temp(&format!("getitem({array}, {index})"))
            }
        }
    }

    /// A field of a record, as an int64 or a float64.
    fn field(&mut self, name: &str, depth: usize) -> String {
        let record = self.record(depth);
        let got = if self.random.once_in(2) {
            self.temp(&format!("getattr({record}, {name})"))
        } else {
            let key = self.temp(&format!("const(str, \"{name}\")"));
            self.temp(&format!("static_getitem({record}, \"{name}\", {key})"))
        };
        self.widened(&got, if name == "a" { Item::I32 } else { Item::F64 })
    }

    /// A field of all elements of an array of records.
    fn fields(&mut self, rank: usize, name: &str, depth: usize) -> String {
        let of = self.array(&Kind::Array(Item::Record, rank), depth);
        self.temp(&format!("getattr({of}, {name})"))
    }

    /// An item of a list, or ZeroDivisionError.
    fn item_of_list(&mut self, list: &str) -> String {
        let (at, len) = (self.int(1), self.call("builtins.len", &[list]));
        let at = self.temp(&format!("{at} % {len}"));
        self.temp(&format!("getitem({list}, {at})"))
    }

    pub(super) fn text(&mut self, depth: usize) -> String {
        let leaf = depth == 0 || self.random.once_in(3);
        match self.random.below(if leaf { 3 } else { 13 }) {
            1 | 2 => match self.var(|k| *k == Kind::Text) {
                Some((name, _)) => name,
                None => self.text_constant(),
            },
            3 | 4 => {
                let (x, y) = (self.text(depth - 1), self.text(depth - 1));
                self.temp(&format!("{x} + {y}"))
            }
            5 => {
                let times = self.random.below(4) as i64;
                let (x, times) = (self.text(depth - 1), self.number(times));
                self.temp(&format!("{x} * {times}"))
            }
            6 => {
                let (x, slice) = (self.text(depth - 1), self.slice());
                self.temp(&format!("getitem({x}, {slice})"))
            }
            7 => {
                let x = self.text(depth - 1);
                let (at, len) = (self.int(0), self.call("builtins.len", &[&x]));
                let at = self.temp(&format!("{at} % {len}"));
                self.temp(&format!("getitem({x}, {at})"))
            }
            8 => {
                let x = self.int(depth - 1);
                self.call("builtins.str", &[&x])
            }
            9 => {
                let (x, many) = (self.int(0), self.number(700));
                let x = self.temp(&format!("{x} % {many}"));
                self.call("builtins.chr", &[&x])
            }
            10 => match self.var(|k| *k == Kind::list(Kind::Text)) {
                Some((list, _)) if self.random.once_in(2) => self.item_of_list(&list),
                Some((list, _)) => {
                    let between = self.text_constant();
                    self.method(&between, "join", &[&list])
                }
                None => self.text(0),
            },
            11 => {
                let (x, old, new) = (self.text(depth - 1), self.text(0), self.text(0));
                // An empty text is found everywhere.
                let some = self.temp("const(str, \"a\")");
                let old = self.temp(&format!("{old} + {some}"));
                self.method(&x, "replace", &[&old, &new])
            }
            12 if self.random.once_in(2) => {
                self.callee(&Kind::Text).unwrap_or_else(|| self.text(0))
            }
            12 => self
                .out_of_tuple(&Kind::Text)
                .unwrap_or_else(|| self.text(0)),
            _ => self.text_constant(),
        }
    }

    fn text_constant(&mut self) -> String {
        let text = self.random.pick(&TEXTS);
        self.temp(&format!("const(str, \"{text}\")"))
    }

    /// A row, a column or all elements of an array of two axes.
    pub(super) fn line_of(&mut self, item: Item, depth: usize) -> String {
        let matrix = Kind::Array(item, 2);
        let of = self.array(&matrix, depth);
        let axis = self.random.below(3);
        if axis == 2 {
            return self.method(&of, "ravel", &[]);
        }
        let shape = self.temp(&format!("getattr({of}, shape)"));
        let at = self.number(axis as i64);
        let extent = self.temp(&format!("static_getitem({shape}, {axis}, {at})"));
        let number = self.int(0);
        let number = self.temp(&format!("{number} % {extent}"));
        if axis == 0 {
            return self.temp(&format!("getitem({of}, {number})"));
        }
        let none = self.temp("const(NoneType, None)");
        let all = self.call("builtins.slice", &[&none, &none]);
        let both = self.temp(&format!("build_tuple({all}, {number})"));
        self.temp(&format!("getitem({of}, {both})"))
    }

    pub(super) fn reshaped(&mut self, item: Item, rank: usize, depth: usize) -> String {
        let from = self.random.pick(&[1, 2]);
        let of = self.array(&Kind::Array(item, from), depth);
        let mut of = self.method(&of, "copy", &[]);
        if from == 2 && self.random.once_in(2) {
            // Elements in the order of Fortran.
            of = self.temp(&format!("getattr({of}, T)"));
        }
        let minus = self.number(-1);
        if rank == 1 {
            return self.method(&of, "reshape", &[&minus]);
        }
        let n = self.random.pick(&[1, 2]);
        let n = self.number(n);
        self.method(&of, "reshape", &[&n, &minus])
    }

    /// An array out of a tuple, which may stand in another.
    pub(super) fn out_of_tuple(&mut self, kind: &Kind) -> Option<String> {
        let (mut value, mut of) = self.var(|k| matches!(k, Kind::Tuple(_)))?;
        while let Kind::Tuple(items) = &of {
            let number = self.random.below(items.len());
            let at = self.number(number as i64);
            value = self.temp(&format!("static_getitem({value}, {number}, {at})"));
            of = items[number].clone();
        }
        (of == *kind).then_some(value)
    }

    /// A call of a function that gives this.
    pub(super) fn callee(&mut self, kind: &Kind) -> Option<String> {
        let fits: Vec<_> = self.callees.iter().filter(|f| f.result == *kind).collect();
        if fits.is_empty() {
            return None;
        }
        let function = self.random.pick(&fits).clone();
        Some(self.call_of(&function))
    }

    pub(super) fn call_of(&mut self, function: &Function) -> String {
        let args: Vec<String> = function
            .params
            .iter()
            .map(|kind| self.argument(kind))
            .collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        self.call(&function.name, &args)
    }

    pub(super) fn argument(&mut self, kind: &Kind) -> String {
        match self.var(|k| k == kind) {
            Some((name, _)) if !self.random.once_in(3) => name,
            _ => self.value(kind, 1),
        }
    }

    pub(super) fn condition(&mut self) -> String {
        let op = self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
        if self.random.once_in(5) && self.var(|k| *k == Kind::Text).is_some() {
            let (x, y) = (self.text(1), self.text(0));
            let truth = if self.random.once_in(3) {
                self.method(&x, "startswith", &[&y])
            } else {
                self.temp(&format!("{x} {op} {y}"))
            };
            return self.call("builtins.bool", &[&truth]);
        }
        let (x, y) = if self.random.once_in(4) {
            (self.float(1), self.float(0))
        } else {
            (self.int(1), self.int(0))
        };
        let truth = self.temp(&format!("{x} {op} {y}"));
        self.call("builtins.bool", &[&truth])
    }
}
