//! Messages of exceptions that say sizes and indices, which are known at run time only.
//!
//! Code hands the numbers on as words of the error record, and the Python edge puts them into the text: what raises costs a
//! store for each, and what does not raise nothing. Device code has no words, so there the text is without numbers.

use super::error::Res;
use super::function::Fx;
use super::raise::{ERROR_ARGS, python_repr};
use numbra_abi::AXIS_ERROR;
use numbra_lir::{GuardKind, InstKind, TEXT_ARG, Value};

/// A piece of a message.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece<'a> {
    Text(&'a str),
    /// A signed integer, or one without a sign.
    Number(Value, bool),
    /// A shape in NumPy's words for operands, `(2,3)`.
    Shape(&'a [Value]),
    /// A shape as a tuple, `(2, 3)`.
    Tuple(&'a [Value]),
}

impl Fx<'_, '_> {
    /// Goes on when `cond` is true, else raises `class` with a message of these pieces; `plain` is what device code says.
    pub(super) fn guard_message(
        &mut self,
        cond: Value,
        kind: GuardKind,
        class: &str,
        plain: &str,
        pieces: &[Piece<'_>],
    ) -> Res<()> {
        if self.const_of(cond).is_some_and(|c| c != 0) {
            return Ok(());
        }
        let mut words = Vec::new();
        let mut text = String::new();
        for piece in pieces {
            match *piece {
                Piece::Text(said) => text.push_str(said),
                Piece::Number(value, signed) => {
                    self.say_number(value, signed, &mut text, &mut words)
                }
                Piece::Shape(shape) => self.say_shape(shape, ",", &mut text, &mut words),
                Piece::Tuple(shape) => self.say_shape(shape, ", ", &mut text, &mut words),
            }
        }
        if words.is_empty() && !text.is_empty() {
            return self.guard_text(cond, kind, class, Some(&text));
        }
        // Beyond the record's room, as for three operands of more than twenty axes, numbers are left out.
        if self.mx.options.device || words.len() > ERROR_ARGS {
            return self.guard_text(cond, kind, class, Some(plain));
        }
        let args = vec![Some(format!("{TEXT_ARG}{text}"))];
        self.guard_words(cond, kind, format!("builtins.{class}"), args, words)
    }

    /// Goes on when `inside`, else raises NumPy's AxisError: an array of `ndim` axes has no `axis`. Its message starts with
    /// `prefix`.
    pub(super) fn guard_axis(
        &mut self,
        inside: Value,
        axis: Value,
        ndim: usize,
        prefix: Option<&str>,
    ) -> Res<()> {
        let kind = GuardKind::Check;
        let class = AXIS_ERROR.to_owned();
        let known = self.const_of(axis);
        if self.mx.options.device {
            // Kernels put their place in front of the text: the number is in it where it is known.
            let axis = known.map_or("axis".to_owned(), |axis| format!("axis {axis}"));
            let prefix = prefix.map_or(String::new(), |prefix| format!("{prefix}: "));
            let text = format!("{prefix}{axis} is out of bounds for array of dimension {ndim}");
            let args = vec![Some(python_repr(&text))];
            return self.guard_words(inside, kind, class, args, Vec::new());
        }
        let mut args = vec![known.map(|axis| axis.to_string()), Some(ndim.to_string())];
        args.extend(prefix.map(|prefix| Some(python_repr(prefix))));
        let words = match known {
            Some(_) => Vec::new(),
            None => vec![axis],
        };
        self.guard_words(inside, kind, class, args, words)
    }

    /// Goes on when `cond` is true, else raises an exception whose arguments have these words.
    fn guard_words(
        &mut self,
        cond: Value,
        kind: GuardKind,
        class: String,
        args: Vec<Option<String>>,
        words: Vec<Value>,
    ) -> Res<()> {
        if self.const_of(cond).is_some_and(|c| c != 0) {
            return Ok(());
        }
        let exception = self.exception(class, args);
        let block = self.cold_block(|fx| {
            fx.inst(
                InstKind::SetError {
                    exception,
                    args: words,
                },
                &[],
            );
            fx.leave()
        })?;
        self.guard_to(cond, kind, block);
        Ok(())
    }

    fn say_number(
        &mut self,
        value: Value,
        signed: bool,
        text: &mut String,
        words: &mut Vec<Value>,
    ) {
        match self.const_of(value) {
            Some(known) => text.push_str(&known.to_string()),
            None => {
                text.push_str(if signed { "{}" } else { "{u}" });
                words.push(value);
            }
        }
    }

    fn say_shape(
        &mut self,
        shape: &[Value],
        comma: &str,
        text: &mut String,
        words: &mut Vec<Value>,
    ) {
        text.push('(');
        for (axis, extent) in shape.iter().enumerate() {
            if axis > 0 {
                text.push_str(comma);
            }
            self.say_number(*extent, true, text, words);
        }
        text.push_str(if shape.len() == 1 { ",)" } else { ")" });
    }

    /// As [`Fx::guard_message`]: ValueError with `what`, and which shapes do not fit each other.
    pub(super) fn guard_shapes(
        &mut self,
        cond: Value,
        what: &str,
        before: &str,
        shapes: &[Vec<Value>],
    ) -> Res<()> {
        let mut pieces = vec![Piece::Text(what), Piece::Text(before)];
        for shape in shapes {
            pieces.push(Piece::Text(" "));
            pieces.push(Piece::Shape(shape));
        }
        self.guard_message(cond, GuardKind::Check, "ValueError", what, &pieces)
    }
}
