//! Comparisons of arrays of char sequences, element by element.

use super::Text;
use crate::array::{Axes, View};
use crate::elements::Bool;
use crate::object::Header;
use crate::value::{Arg, Failure, Ret, bad_call, value_error};
use numbra_memory::room;
use std::cmp::Ordering;

/// The bodies of one comparison: of characters, and of bytes.
macro_rules! comparisons {
    ($($symbol:ident $of_bytes:ident $test:ident;)*) => {
        bodies! {
            $($symbol = characters::$test, 2; $of_bytes = of_bytes::$test, 2;)*
        }

        mod characters {
            use super::{Arg, Failure, Ret, Ordering, compared};
            $(pub(super) fn $test(args: &[Arg], ret: Ret) -> Result<(), Failure> {
                compared(args, ret, false, Ordering::$test)
            })*
        }

        mod of_bytes {
            use super::{Arg, Failure, Ret, Ordering, compared};
            $(pub(super) fn $test(args: &[Arg], ret: Ret) -> Result<(), Failure> {
                compared(args, ret, true, Ordering::$test)
            })*
        }
    };
}

comparisons! {
    str_array_eq str_array_of_bytes_eq is_eq;
    str_array_ge str_array_of_bytes_ge is_ge;
    str_array_gt str_array_of_bytes_gt is_gt;
    str_array_le str_array_of_bytes_le is_le;
    str_array_lt str_array_of_bytes_lt is_lt;
    str_array_ne str_array_of_bytes_ne is_ne;
}

/// Elements of an array of char sequences, or one text for all of them.
enum Operand<'a> {
    Array(&'a View, *mut Header),
    Text(Text),
}

impl Operand<'_> {
    fn of(arg: &Arg) -> Result<Operand<'_>, Failure> {
        match arg {
            Arg::Array(view, owner) if Text::of_bytes(view, *owner).is_none() => {
                Ok(Operand::Array(view, *owner))
            }
            _ => {
                let text = arg.characters()?;
                // As an element: zeros at the end do not count.
                let zeros = text.codes().rev().take_while(|code| *code == 0).count();
                Ok(Operand::Text(text.part(0, text.len - zeros)))
            }
        }
    }

    /// The texts in C order; of one text without end.
    fn texts(
        &self,
        shape: &[usize],
        is_bytes: bool,
    ) -> Result<Box<dyn Iterator<Item = Text> + '_>, Failure> {
        match self {
            Operand::Text(text) => Ok(Box::new(std::iter::repeat(*text))),
            Operand::Array(view, owner) => {
                let all = view.broadcast(shape).ok_or_else(bad_call)?;
                let element = move |at| View {
                    kind: view.kind,
                    data: view.data.wrapping_byte_offset(at),
                    shape: Axes::new(),
                    strides: Axes::new(),
                };
                let text = move |at| Text::char_sequence(&element(at), is_bytes, *owner);
                Ok(Box::new(all.offsets().filter_map(text)))
            }
        }
    }

    fn shape(&self) -> &[usize] {
        match self {
            Operand::Array(view, _) => &view.shape,
            Operand::Text(_) => &[],
        }
    }
}

/// `(array or text, array or text) -> array of bool`
fn compared(
    args: &[Arg],
    ret: Ret,
    is_bytes: bool,
    test: fn(Ordering) -> bool,
) -> Result<(), Failure> {
    let [a, b] = args else {
        return Err(bad_call());
    };
    let operands = [Operand::of(a)?, Operand::of(b)?];
    let shapes = operands.each_ref().map(Operand::shape);
    let shape = crate::numpy::broadcast_shape(&shapes).ok_or_else(|| {
        value_error(format!(
            "operands could not be broadcast together with shapes {}",
            crate::numpy::operand_shapes(&shapes)
        ))
    })?;
    let (mut left, mut right) = (
        operands[0].texts(&shape, is_bytes)?,
        operands[1].texts(&shape, is_bytes)?,
    );
    let count: usize = shape.iter().product();
    let mut results = room(count);
    for (x, y) in left.by_ref().zip(right.by_ref()).take(count) {
        results.push(Bool(test(x.codes().cmp(y.codes())).into()));
    }
    ret.array(&shape, &results)
}
