//! Loops over `prange`: in any order, and in several threads, they do what a loop over a range does.

use super::Body;
use crate::kinds::{Item, Kind};

/// Iterations, at most.
const MANY: i64 = 37;

impl Body<'_> {
    /// Iterations read arrays that none writes, write the element of their number in a new array, and add to a sum and to
    /// counters. All else that they use they make.
    pub(super) fn spread(&mut self, depth: usize) {
        let item = match self.var(|k| matches!(k, Kind::Array(item, 1) if item.is_number())) {
            Some((_, Kind::Array(item, _))) => item,
            _ => Item::I64,
        };
        let (bound, many, zero, one) = (
            self.int(1),
            self.number(MANY),
            self.number(0),
            self.number(1),
        );
        let bound = self.temp(&format!("{bound} % {many}"));
        let (out, counts) = (
            self.zeros(item, &bound),
            self.random.once_in(2).then(|| {
                let four = self.number(4);
                self.zeros(Item::I64, &four)
            }),
        );
        let sum = format!("sum{}", self.temps);
        self.line(&format!("{sum} = {zero}"));
        let range = match self.random.below(4) {
            0 => {
                let step = self.number(2);
                self.call("numbra.prange", &[&one, &bound, &step])
            }
            1 => self.call("numbra.prange", &[&zero, &bound]),
            _ => self.call("numbra.prange", &[&bound]),
        };
        let outside = self.vars.clone();
        let generates = self.generates.take();
        self.iterate(&range, 0, |body, number| {
            // `break` is no part of such loops.
            if let Some((head, end, _)) = body.loops.last_mut() {
                *end = *head;
            }
            body.own_variables(number);
            body.statements(depth - 1);
            let value = if item.is_int() {
                body.int(1)
            } else {
                body.float(1)
            };
            body.line(&format!("{out}[{number}] = {value}"));
            if let Some(counts) = counts {
                body.count(&counts);
            }
            let value = body.int(1);
            body.line(&format!("{sum} = {sum} + {value}"));
        });
        self.vars = outside;
        self.generates = generates;
        self.keep(&sum, &Kind::Int);
        self.keep(&out, &Kind::Array(item, 1));
    }

    fn zeros(&mut self, item: Item, size: &str) -> String {
        let numpy = self.temp("global(numpy)");
        let dtype = self.temp(&format!("getattr({numpy}, {})", item.name()));
        self.numpy("zeros", &[size, &dtype])
    }

    /// Assigns a value to a variable of its type, if there is one.
    fn keep(&mut self, value: &str, kind: &Kind) {
        if let Some((name, _)) = self.var(|k| k == kind) {
            self.line(&format!("{name} = {value}"));
        }
    }

    /// `counts[k] += n`
    fn count(&mut self, counts: &str) {
        let (at, by, four) = (self.int(1), self.int(0), self.number(4));
        let at = self.temp(&format!("{at} % {four}"));
        let was = self.temp(&format!("getitem({counts}, {at})"));
        let sum = self.temp(&format!("{was} += {by}"));
        self.line(&format!("{counts}[{at}] = {sum}"));
    }

    /// Variables of one iteration: numbers, texts and copies of arrays.
    fn own_variables(&mut self, number: &str) {
        let at = self.temps;
        let shared = std::mem::take(&mut self.vars);
        let (j, f) = (self.number(3), self.temp("const(float, 0.5)"));
        for (name, kind, value) in [
            ("i", Kind::Int, number),
            ("j", Kind::Int, &j),
            ("f", Kind::Float, &f),
        ] {
            self.declare(&format!("own{at}{name}"), kind, value);
        }
        for (name, kind) in shared {
            let value = match &kind {
                _ if self.random.once_in(3) => continue,
                Kind::Text => name.clone(),
                Kind::Array(item, 1) if item.is_int() && self.random.once_in(2) => {
                    let index = self.index(&name, &kind);
                    let got = self.temp(&format!("getitem({name}, {index})"));
                    let value = self.widened(&got, *item);
                    self.declare(&format!("own{at}{name}"), Kind::Int, &value);
                    continue;
                }
                Kind::Array(..) => self.method(&name, "copy", &[]),
                _ => continue,
            };
            self.declare(&format!("own{at}{name}"), kind, &value);
        }
    }
}
