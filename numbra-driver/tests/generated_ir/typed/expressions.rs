//! Expressions of generated functions in IR.

use super::{Body, Function};
use crate::kinds::{Item, Kind};

impl Body<'_> {
    pub(super) fn value(&mut self, kind: &Kind, depth: usize) -> String {
        match kind {
            Kind::Int => self.int(depth),
            Kind::Float => self.float(depth),
            Kind::Array(..) => self.array(kind, depth),
            Kind::Tuple(items) => {
                let items: Vec<_> = items.iter().map(|item| self.value(item, depth)).collect();
                self.temp(&format!("build_tuple({})", items.join(", ")))
            }
            Kind::List(item) => {
                let of = Kind::Array(*item, 1);
                let count = 1 + self.random.below(3);
                let mut items: Vec<_> = (0..count).map(|_| self.array(&of, depth)).collect();
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
        match self.random.below(if leaf { 3 } else { 13 }) {
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
            _ => match self.var(|k| matches!(k, Kind::Array(item, _) if item.is_int())) {
                Some((_, kind)) => self.element(&kind, depth - 1),
                None => self.int(depth - 1),
            },
        }
    }

    pub(super) fn float(&mut self, depth: usize) -> String {
        let leaf = depth == 0 || self.random.once_in(3);
        match self.random.below(if leaf { 3 } else { 9 }) {
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
            7 if item != Item::Bool => {
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
            11 if rank == 1 => match self.var(|k| *k == Kind::List(item)) {
                Some((list, _)) => {
                    let (at, len) = (self.int(1), self.call("builtins.len", &[&list]));
                    let at = self.temp(&format!("{at} % {len}"));
                    self.temp(&format!("getitem({list}, {at})"))
                }
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
        let (x, y) = if self.random.once_in(4) {
            (self.float(1), self.float(0))
        } else {
            (self.int(1), self.int(0))
        };
        let truth = self.temp(&format!("{x} {op} {y}"));
        self.call("builtins.bool", &[&truth])
    }
}
