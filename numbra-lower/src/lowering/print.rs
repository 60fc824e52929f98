//! `print`, and the text of values that is made of what it writes.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::model::is_object;
use super::raise::python_repr;
use numbra_abi::NativeId;
use numbra_ir::{Const, Type, TypeKind};
use numbra_library::native::bodies;
use numbra_lir::{IntCc, Ty, Value};

impl Fx<'_, '_> {
    /// `print(values..)`: separated by spaces, then a newline. Constant text is joined at compile time.
    pub(super) fn print(&mut self, values: &[Val]) -> Res<()> {
        if self.mx.options.device {
            return self.device_print(values);
        }
        let mut text = String::new();
        for (i, value) in values.iter().enumerate() {
            if i > 0 {
                text.push(' ');
            }
            self.print_value(value, &mut text, false)?;
        }
        text.push('\n');
        let leaves = self.string(&text)?;
        self.native_call(NativeId::PrintLine, leaves[..3].to_vec())
            .map(|_| ())
    }

    /// `str(x)`, or `repr(x)`.
    pub(super) fn text_of(&mut self, value: &Val, repr: bool) -> Res<Vec<Value>> {
        self.native_call(NativeId::PrintBegin, Vec::new())?;
        let mut text = String::new();
        self.print_value(value, &mut text, repr)?;
        self.print_text(&mut text)?;
        self.native(bodies::TEXT_PRINTED, &[], Type::UNICODE)
    }

    /// Prints what has been gathered.
    fn print_text(&mut self, text: &mut String) -> Res<()> {
        if text.is_empty() {
            return Ok(());
        }
        let leaves = self.string(text)?;
        text.clear();
        self.native_call(NativeId::PrintStr, leaves[..3].to_vec())
            .map(|_| ())
    }

    /// `inside` a tuple or a list values print as their `repr`.
    fn print_value(&mut self, value: &Val, text: &mut String, inside: bool) -> Res<()> {
        let types = self.types;
        match types.kind(value.ty) {
            TypeKind::None => text.push_str("None"),
            TypeKind::Literal(Const::Str(s)) | TypeKind::Omitted(Const::Str(s)) => {
                if inside {
                    text.push_str(&python_repr(s));
                } else {
                    text.push_str(s);
                }
            }
            TypeKind::Literal(constant) | TypeKind::Omitted(constant) => {
                text.push_str(&constant.to_string());
            }
            TypeKind::Unicode => {
                self.print_text(text)?;
                let print = match inside {
                    true => NativeId::PrintRepr,
                    false => NativeId::PrintStr,
                };
                self.native_call(print, value.leaves[..3].to_vec())?;
            }
            TypeKind::Scalar(..) => {
                self.print_text(text)?;
                self.print_number(value)?;
            }
            TypeKind::Optional(inner) => {
                self.print_text(text)?;
                let payload = Val::new(*inner, value.leaves[1..].to_vec());
                self.if_else(
                    value.leaves[0],
                    &[],
                    |fx| {
                        let mut text = String::new();
                        fx.print_value(&payload, &mut text, inside)?;
                        fx.print_text(&mut text)?;
                        Ok(Vec::new())
                    },
                    |fx| {
                        fx.print_text(&mut "None".to_owned())?;
                        Ok::<_, Fault>(Vec::new())
                    },
                )?;
            }
            TypeKind::List { .. } => {
                text.push('[');
                self.print_text(text)?;
                self.print_list(value)?;
                text.push(']');
            }
            TypeKind::Tuple(_) | TypeKind::UniTuple(..) | TypeKind::StarArgTuple(_) => {
                let items = self.items(value)?;
                text.push('(');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        text.push_str(", ");
                    }
                    self.print_value(item, text, true)?;
                }
                text.push_str(if items.len() == 1 { ",)" } else { ")" });
            }
            _ if is_object(self.types, value.ty) => {
                self.print_text(text)?;
                let inside = self.iconst(Ty::I32, i128::from(inside));
                self.object_call(NativeId::PrintValue, vec![inside], value)?;
            }
            _ => {
                return Err(Fault::unsupported(format!(
                    "printing a value of type {}",
                    self.show(value.ty)
                )));
            }
        }
        Ok(())
    }

    /// The items of a list, separated by commas.
    fn print_list(&mut self, value: &Val) -> Res<()> {
        let list = self.list(value)?;
        let count = self.list_len(&list);
        let zero = self.i64(0);
        let first = self.list_item_addr(&list, zero);
        let stride = i64::from(list.item.size);
        self.flat_loop(count, &[(first, stride)], &mut |fx, at| {
            let start = fx.icmp(IntCc::Eq, at[0], first);
            fx.if_else(
                start,
                &[],
                |_| Ok(Vec::new()),
                |fx| {
                    fx.print_text(&mut ", ".to_owned())?;
                    Ok::<_, Fault>(Vec::new())
                },
            )?;
            let leaves = fx.load_item_at(&list.item, at[0]);
            let mut text = String::new();
            fx.print_value(&Val::new(list.dtype, leaves), &mut text, true)?;
            fx.print_text(&mut text)
        })
    }

    fn print_number(&mut self, value: &Val) -> Res<()> {
        let num = self.num(value)?;
        if let Some(im) = num.im {
            let parts = vec![self.float_to(num.re, Ty::F64), self.float_to(im, Ty::F64)];
            self.native_call(NativeId::PrintComplex, parts)?;
        } else if num.kind.is_float() {
            let wide = self.float_to(num.re, Ty::F64);
            self.native_call(NativeId::PrintF64, vec![wide])?;
        } else if num.kind == numbra_ir::Scalar::Bool {
            self.native_call(NativeId::PrintBool, vec![num.re])?;
        } else {
            let wide = self.int_to(num.re, Ty::I64, num.is_signed());
            let symbol = if num.is_signed() {
                NativeId::PrintI64
            } else {
                NativeId::PrintU64
            };
            self.native_call(symbol, vec![wide])?;
        }
        Ok(())
    }
}
