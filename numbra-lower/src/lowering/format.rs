//! `%` and `str.format` of formats that are constants: their pieces, one after the other.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use numbra_ir::{Const, Scalar, Type, TypeKind};
use numbra_library::format::{Field, Form, Piece, braces, percent};
use numbra_library::native::bodies;
use numbra_lir::Value;

impl Fx<'_, '_> {
    /// `format % values`, of a tuple or one value.
    pub(super) fn format_percent(&mut self, format: &Val, values: &Val) -> Res<Vec<Value>> {
        let (pieces, _) = percent(self.format_text(format)?).map_err(Fault::bug)?;
        let values = match self.types.tuple_items(values.ty) {
            Some(_) => self.items(values)?,
            None => vec![values.clone()],
        };
        self.written(&pieces, &values)
    }

    /// `format.format(*values)`
    pub(super) fn format_braces(&mut self, args: &[Val]) -> Res<Vec<Value>> {
        let (format, values) = args
            .split_first()
            .ok_or_else(|| Fault::bug("a format without a text"))?;
        let pieces = braces(self.format_text(format)?, values.len(), &[]).map_err(Fault::bug)?;
        self.written(&pieces, values)
    }

    fn format_text(&self, format: &Val) -> Res<&'_ str> {
        match self.types.kind(format.ty) {
            TypeKind::Literal(Const::Str(text)) => Ok(text),
            _ => Err(Fault::bug("a format that is no constant")),
        }
    }

    /// The pieces as one string.
    fn written(&mut self, pieces: &[Piece], values: &[Val]) -> Res<Vec<Value>> {
        let mut leaves = Vec::new();
        for piece in pieces {
            leaves.extend(match piece {
                Piece::Text(text) => self.string(text)?,
                Piece::Field(field) => self.format_field(field, values)?,
            });
        }
        if let [Piece::Field(_)] = pieces {
            return Ok(leaves);
        }
        let all = self.types.tuple(&vec![Type::UNICODE; pieces.len()]);
        self.native(bodies::TEXT_JOINED, &[Val::new(all, leaves)], Type::UNICODE)
    }

    /// The text of a value that a format writes.
    fn format_field(&mut self, field: &Field, values: &[Val]) -> Res<Vec<Value>> {
        let value = self.arg(values, field.arg)?.clone();
        let scalar = self.types.as_scalar(self.types.unliteral(value.ty));
        let spec = match field.spec.is_empty() {
            true => Val::new(Type::NONE, Vec::new()),
            false => Val::new(Type::UNICODE, self.written(&field.spec, values)?),
        };
        let (symbol, value) = match (field.form, scalar) {
            (Form::Number, Some(_)) => (bodies::TEXT_PERCENT, value),
            (Form::Character, Some(_)) => (bodies::TEXT_CHARACTER, value),
            (Form::Format, Some(Scalar::Bool)) => (bodies::TEXT_FORMAT_BOOL, value),
            (Form::Format, Some(Scalar::Float32)) if !field.spec.is_empty() => {
                let wide = self.cast(&value, Type::FLOAT64)?;
                (bodies::TEXT_FORMAT, Val::new(Type::FLOAT64, wide))
            }
            (Form::Format, Some(_)) if !field.spec.is_empty() => (bodies::TEXT_FORMAT, value),
            (form, _) => {
                let text = self.shown(&value, form == Form::Repr)?;
                if field.spec.is_empty() {
                    return Ok(text);
                }
                (bodies::TEXT_FORMAT, Val::new(Type::UNICODE, text))
            }
        };
        self.native(symbol, &[value, spec], Type::UNICODE)
    }

    /// `str(x)`, or `repr(x)`, of a value of any type that has a text.
    fn shown(&mut self, value: &Val, repr: bool) -> Res<Vec<Value>> {
        let ty = self.types.unliteral(value.ty);
        let value = match ty == value.ty {
            true => value.clone(),
            false => Val::new(ty, self.cast(value, ty)?),
        };
        let symbol = match self.types.as_scalar(ty) {
            Some(Scalar::Bool) => bodies::TEXT_OF_BOOL,
            Some(Scalar::Float32 | Scalar::Complex64) => bodies::TEXT_OF_NARROW,
            Some(_) => bodies::TEXT_OF_NUMBER,
            None if ty == Type::UNICODE && !repr => return Ok(value.leaves),
            None => return self.text_of(&value, repr),
        };
        self.native(symbol, &[value], Type::UNICODE)
    }
}
