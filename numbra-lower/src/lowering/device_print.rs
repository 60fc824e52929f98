//! `print` on a GPU: one call of `vprintf`, whose output the driver writes when the host synchronises.

use super::emit::flags;
use super::error::{Fault, Res};
use super::function::{Fx, Val};
use numbra_ir::{Const, Scalar, TypeKind};
use numbra_lir::{AliasClass, ConvertOp, DeviceOp, InstKind, SlotData, Ty, Value};

/// Bytes of an argument of `vprintf`.
const WORD: u32 = 8;

/// What is printed: the format, and the arguments that it asks for.
#[derive(Default)]
struct Format {
    text: String,
    args: Vec<Value>,
}

impl Format {
    /// Text that stands for itself.
    fn literal(&mut self, text: &str) {
        self.text.push_str(&text.replace('%', "%%"));
    }

    fn value(&mut self, conversion: &str, value: Value) {
        self.text.push_str(conversion);
        self.args.push(value);
    }
}

impl Fx<'_, '_> {
    pub(super) fn device_print(&mut self, values: &[Val]) -> Res<()> {
        let mut format = Format::default();
        for (i, value) in values.iter().enumerate() {
            if i > 0 {
                format.text.push(' ');
            }
            self.format_value(value, &mut format)?;
        }
        format.text.push('\n');
        let text = self.c_string(&format.text);
        let size = WORD * format.args.len().max(1) as u32;
        let slot = self.func.slots.push(SlotData {
            size,
            align: WORD,
            refs: Vec::new(),
            undefined: true,
        });
        let block = self.slot_addr(slot);
        for (i, &arg) in format.args.iter().enumerate() {
            let offset = WORD as i32 * i as i32;
            self.store(block, offset, arg, flags(AliasClass::STACK, WORD));
        }
        let op = DeviceOp::Print;
        let args = vec![text, block];
        self.inst(InstKind::Device { op, args }, &op.results());
        Ok(())
    }

    /// The address of text that ends in a zero byte.
    fn c_string(&mut self, text: &str) -> Value {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        let id = self.mx.bytes(bytes);
        self.one(InstKind::DataAddr(id), Ty::PTR)
    }

    fn format_value(&mut self, value: &Val, format: &mut Format) -> Res<()> {
        let types = self.types;
        match types.kind(value.ty) {
            TypeKind::None => format.literal("None"),
            TypeKind::Literal(Const::Str(s)) | TypeKind::Omitted(Const::Str(s)) => {
                format.literal(s)
            }
            TypeKind::Literal(constant) | TypeKind::Omitted(constant) => {
                format.literal(&constant.to_string());
            }
            TypeKind::Scalar(..) => self.format_number(value, format)?,
            TypeKind::Module(name) if name.starts_with("numbra.cuda.") => {
                let places: fn(u8) -> DeviceOp = match name.rsplit('.').next() {
                    Some("threadIdx") => DeviceOp::ThreadIdx,
                    Some("blockIdx") => DeviceOp::BlockIdx,
                    Some("blockDim") => DeviceOp::BlockDim,
                    Some("gridDim") => DeviceOp::GridDim,
                    _ => return Err(self.unprintable(value)),
                };
                for axis in 0..3 {
                    format.literal(if axis == 0 { "(" } else { ", " });
                    let (op, args) = (places(axis), Vec::new());
                    let narrow = self.one(InstKind::Device { op, args }, Ty::I32);
                    let wide = self.convert(ConvertOp::ZExt, narrow, Ty::I64);
                    format.value("%lld", wide);
                }
                format.literal(")");
            }
            _ => {
                if types.tuple_items(value.ty).is_none() {
                    return Err(self.unprintable(value));
                }
                let items = self.items(value)?;
                format.literal("(");
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        format.literal(", ");
                    }
                    self.format_value(item, format)?;
                }
                format.literal(if items.len() == 1 { ",)" } else { ")" });
            }
        }
        Ok(())
    }

    fn unprintable(&self, value: &Val) -> Fault {
        Fault::unsupported(format!(
            "printing unimplemented for values of type {}",
            self.show(value.ty)
        ))
    }

    fn format_number(&mut self, value: &Val, format: &mut Format) -> Res<()> {
        let num = self.num(value)?;
        if let Some(im) = num.im {
            let (re, im) = (self.float_to(num.re, Ty::F64), self.float_to(im, Ty::F64));
            format.literal("(");
            format.value("%f", re);
            format.value("%+f", im);
            format.literal("j)");
        } else if num.kind.is_float() || num.kind == Scalar::BFloat16 {
            let wide = self.as_kind(num, Scalar::Float64).re;
            format.value("%f", wide);
        } else if num.kind == Scalar::Bool {
            let (yes, no) = (self.c_string("True"), self.c_string("False"));
            let text = self.select(num.re, yes, no);
            format.value("%s", text);
        } else {
            let wide = self.int_to(num.re, Ty::I64, num.is_signed());
            format.value(if num.is_signed() { "%lld" } else { "%llu" }, wide);
        }
        Ok(())
    }
}
