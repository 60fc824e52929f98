//! Operators, subscripts, methods and functions of programs.

use super::arrays::{Array, Element, common, indices};
use super::{Raised, Value};
use crate::kinds::Item;
use numbra_ir::BinOp;
use std::cell::RefCell;
use std::rc::Rc;

fn element_of(value: &Value) -> Element {
    match value {
        Value::Bool(b) => Element::Int(i64::from(*b)),
        Value::Int(n) => Element::Int(*n),
        Value::Float(x) => Element::Float(*x),
        Value::Complex(x, y) => Element::Complex(*x, *y),
        Value::Record(record) => record.read(record.offset),
        _ => unreachable!("programs store numbers and records"),
    }
}

fn number(element: Element) -> Value {
    match element {
        Element::Int(n) => Value::Int(n),
        Element::Float(x) => Value::Float(x),
        Element::Complex(x, y) => Value::Complex(x, y),
        Element::Record(_) => unreachable!("records are views"),
    }
}

pub(super) fn binary(op: BinOp, lhs: &Value, rhs: &Value) -> Result<Value, Raised> {
    Ok(match (lhs, rhs) {
        (Value::Int(a), Value::Int(b)) => integers(op, *a, *b)?,
        (Value::Float(a), Value::Float(b)) => floats(op, *a, *b)?,
        (Value::Text(a), Value::Text(b)) if op == BinOp::Add => Value::Text(a.clone() + b),
        (Value::Text(a), Value::Text(b)) => Value::Bool(ordered(op, Some(a.cmp(b)))),
        (Value::Text(a), Value::Int(n)) => Value::Text(a.repeat((*n).max(0) as usize)),
        (Value::Array(a), Value::Array(b)) => {
            let shape = common(&a.shape, &b.shape)?;
            let (a, b) = (a.broadcast(&shape)?, b.broadcast(&shape)?);
            let pairs = a.elements().into_iter().zip(b.elements());
            let elements: Vec<_> = pairs.map(|(x, y)| elementwise(op, a.item, x, y)).collect();
            Value::Array(Array::from_elements(a.item, &shape, &elements))
        }
        (Value::Array(a), scalar) => {
            let scalar = element_of(scalar);
            let elements: Vec<_> = a
                .elements()
                .into_iter()
                .map(|x| elementwise(op, a.item, x, scalar))
                .collect();
            Value::Array(Array::from_elements(a.item, &a.shape, &elements))
        }
        (value, Value::None) if op == BinOp::Is => Value::Bool(matches!(value, Value::None)),
        _ => unreachable!("no program has {}", op.symbol()),
    })
}

/// Arrays are changed where they are; whoever has them sees it.
pub(super) fn in_place(op: BinOp, lhs: Value, rhs: &Value) -> Result<Value, Raised> {
    if let Value::Array(array) = &lhs {
        if let Value::Array(other) = rhs {
            other.broadcast(&array.shape)?;
        }
        if let Value::Array(result) = binary(op, &lhs, rhs)? {
            array.assign(&result)?;
        }
        return Ok(lhs);
    }
    binary(op, &lhs, rhs)
}

fn integers(op: BinOp, a: i64, b: i64) -> Result<Value, Raised> {
    let zero = || Raised::new("ZeroDivisionError");
    Ok(Value::Int(match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::LShift => a.wrapping_shl(b as u32),
        BinOp::RShift => a.wrapping_shr(b as u32),
        BinOp::FloorDiv if b == 0 => return Err(zero()),
        BinOp::Mod if b == 0 => return Err(zero()),
        BinOp::FloorDiv => {
            let quotient = a.wrapping_div(b);
            quotient - i64::from(a.wrapping_rem(b) != 0 && (a < 0) != (b < 0))
        }
        BinOp::Mod => {
            let rest = a.wrapping_rem(b);
            if rest != 0 && (rest < 0) != (b < 0) {
                rest + b
            } else {
                rest
            }
        }
        op => return Ok(Value::Bool(ordered(op, a.partial_cmp(&b)))),
    }))
}

fn floats(op: BinOp, a: f64, b: f64) -> Result<Value, Raised> {
    Ok(Value::Float(match op {
        BinOp::Add => a + b,
        BinOp::Sub => a - b,
        BinOp::Mul => a * b,
        BinOp::TrueDiv if b == 0.0 => return Err(Raised::new("ZeroDivisionError")),
        BinOp::TrueDiv => a / b,
        op => return Ok(Value::Bool(ordered(op, a.partial_cmp(&b)))),
    }))
}

fn ordered(op: BinOp, order: Option<std::cmp::Ordering>) -> bool {
    match op {
        BinOp::Eq => order.is_some_and(|o| o.is_eq()),
        BinOp::Ne => order.is_none_or(|o| o.is_ne()),
        BinOp::Lt => order.is_some_and(|o| o.is_lt()),
        BinOp::Le => order.is_some_and(|o| o.is_le()),
        BinOp::Gt => order.is_some_and(|o| o.is_gt()),
        BinOp::Ge => order.is_some_and(|o| o.is_ge()),
        op => unreachable!("no program has {}", op.symbol()),
    }
}

/// In the arithmetic of the item type; integers wrap when they are stored.
fn elementwise(op: BinOp, item: Item, x: Element, y: Element) -> Element {
    match (x, y) {
        (Element::Int(a), Element::Int(b)) => match op {
            BinOp::Add => Element::Int(a.wrapping_add(b)),
            BinOp::Sub => Element::Int(a.wrapping_sub(b)),
            BinOp::Mul => Element::Int(a.wrapping_mul(b)),
            op => unreachable!("no program has {}", op.symbol()),
        },
        (Element::Complex(a, b), Element::Complex(c, d)) => match op {
            BinOp::Add => Element::Complex(a + c, b + d),
            BinOp::Sub => Element::Complex(a - c, b - d),
            BinOp::Mul => Element::Complex(a * c - b * d, a * d + b * c),
            op => unreachable!("no program has {}", op.symbol()),
        },
        (Element::Float(a), Element::Float(b)) => {
            // The exact sum or product of two singles rounds to single as if computed in it.
            let _ = item;
            match op {
                BinOp::Add => Element::Float(a + b),
                BinOp::Sub => Element::Float(a - b),
                BinOp::Mul => Element::Float(a * b),
                op => unreachable!("no program has {}", op.symbol()),
            }
        }
        _ => unreachable!("programs combine items of one type"),
    }
}

/// An item of the first axis.
pub(super) fn item(array: &Array, n: i64) -> Value {
    let part = array.at(0, n);
    if part.shape.is_empty() {
        return scalar(&part);
    }
    Value::Array(part)
}

fn scalar(array: &Array) -> Value {
    if array.item == Item::Record {
        return Value::Record(array.clone());
    }
    number(array.read(array.offset))
}

/// What a subscript names: an element or a view.
fn part(array: &Array, index: &Value) -> Array {
    let indices: &[Value] = match index {
        Value::Tuple(items) => items,
        one => std::slice::from_ref(one),
    };
    let (mut view, mut axis) = (array.clone(), 0);
    for index in indices {
        match index {
            Value::Int(n) => view = view.at(axis, *n),
            Value::Slice(parts) => {
                view = view.slice(axis, *parts);
                axis += 1;
            }
            _ => unreachable!("programs index by integers and slices"),
        }
    }
    view
}

pub(super) fn get_item(value: &Value, index: &Value) -> Result<Value, Raised> {
    Ok(match (value, index) {
        (Value::Array(array), index) => {
            let view = part(array, index);
            if view.shape.is_empty() {
                scalar(&view)
            } else {
                Value::Array(view)
            }
        }
        (Value::Tuple(items), Value::Int(n)) => items[*n as usize].clone(),
        (Value::List(list), Value::Int(n)) => {
            let list = list.borrow();
            let n = if *n < 0 { n + list.len() as i64 } else { *n };
            list.get(n as usize)
                .cloned()
                .ok_or(Raised::new("IndexError"))?
        }
        (Value::Text(text), Value::Int(n)) => {
            let text: Vec<char> = text.chars().collect();
            let n = if *n < 0 { n + text.len() as i64 } else { *n };
            let found = text.get(n as usize).ok_or(Raised::new("IndexError"))?;
            Value::Text(found.to_string())
        }
        (Value::Text(text), Value::Slice(parts)) => {
            let text: Vec<char> = text.chars().collect();
            let (start, count, step) = indices(*parts, text.len());
            let at = (0..count as i64).map(|n| (start + n * step) as usize);
            Value::Text(at.map(|n| text[n]).collect())
        }
        (Value::List(list), Value::Slice(parts)) => {
            let list = list.borrow();
            let (start, count, step) = indices(*parts, list.len());
            let at = (0..count as i64).map(|n| (start + n * step) as usize);
            Value::List(Rc::new(RefCell::new(at.map(|n| list[n].clone()).collect())))
        }
        _ => unreachable!("programs index arrays, tuples and lists"),
    })
}

pub(super) fn set_item(target: &Value, index: &Value, value: &Value) -> Result<(), Raised> {
    match target {
        Value::Array(array) => {
            let view = part(array, index);
            match value {
                Value::Array(value) => view.assign(value),
                value => {
                    for place in view.places() {
                        view.write(place, element_of(value));
                    }
                    Ok(())
                }
            }
        }
        Value::List(list) => {
            let Value::Int(n) = index else {
                unreachable!("programs set items of lists")
            };
            let mut list = list.borrow_mut();
            let n = if *n < 0 { n + list.len() as i64 } else { *n };
            let place = list.get_mut(n as usize).ok_or(Raised::new("IndexError"))?;
            *place = value.clone();
            Ok(())
        }
        _ => unreachable!("programs change arrays and lists"),
    }
}

/// `target.attr = value`
pub(super) fn set_attribute(target: &Value, attr: &str, value: &Value) {
    let Value::Record(record) = target else {
        unreachable!("programs set fields of records")
    };
    let field = record.field(attr);
    field.write(field.offset, element_of(value));
}

pub(super) fn attribute(value: Value, attr: &str) -> Value {
    match (&value, attr) {
        (Value::Record(record), "a" | "b") => scalar(&record.field(attr)),
        (Value::Record(record), "c") => Value::Array(record.field(attr)),
        (Value::Array(array), "a" | "b" | "c") => Value::Array(array.field(attr)),
        (Value::Array(array), "size") => Value::Int(array.size() as i64),
        (Value::Array(array), "shape") => {
            Value::Tuple(array.shape.iter().map(|n| Value::Int(*n as i64)).collect())
        }
        (Value::Array(array), "T") => Value::Array(array.transposed()),
        (Value::Complex(x, _), "real") => Value::Float(*x),
        (Value::Complex(_, y), "imag") => Value::Float(*y),
        (Value::Object(module), attr) => {
            let plain = attr.trim_end_matches('_');
            match Item::ALL.into_iter().find(|item| item.name() == plain) {
                Some(item) => Value::Item(item),
                None => Value::Object(format!("{module}.{attr}")),
            }
        }
        _ => Value::Method(Box::new(value), attr.to_owned()),
    }
}

pub(super) fn method(value: &Value, name: &str, args: &[Value]) -> Result<Value, Raised> {
    Ok(match (value, name, args) {
        (Value::Array(array), "copy", _) => Value::Array(array.copy()),
        (Value::Array(array), "ravel", _) => Value::Array(array.ravel()),
        (Value::Array(array), "reshape", extents) => {
            let extents = extents
                .iter()
                .map(|n| if let Value::Int(n) = n { *n } else { 0 });
            Value::Array(array.reshape(&extents.collect::<Vec<_>>())?)
        }
        (Value::Text(text), "find", [Value::Text(part)]) => Value::Int(match text.find(&**part) {
            Some(at) => text[..at].chars().count() as i64,
            None => -1,
        }),
        (Value::Text(text), "startswith", [Value::Text(part)]) => {
            Value::Bool(text.starts_with(&**part))
        }
        (Value::Text(text), "replace", [Value::Text(old), Value::Text(new)]) => {
            Value::Text(text.replace(&**old, new))
        }
        (Value::Text(text), "join", [Value::List(list)]) => {
            let list = list.borrow();
            let parts: Vec<&str> = list.iter().filter_map(Value::as_text).collect();
            Value::Text(parts.join(text))
        }
        (Value::List(list), "append", [item]) => {
            list.borrow_mut().push(item.clone());
            Value::None
        }
        (Value::List(list), "pop", _) => {
            list.borrow_mut().pop().ok_or(Raised::new("IndexError"))?
        }
        _ => unreachable!("no program calls {name}"),
    })
}

/// Functions and classes that are called.
pub(super) fn builtin(name: &str, args: &[Value]) -> Value {
    let int = |n: usize| match args.get(n) {
        Some(Value::Int(n)) => Some(*n),
        _ => None,
    };
    match (name, args) {
        ("builtins.bool", [Value::Bool(b)]) => Value::Bool(*b),
        ("builtins.slice", _) => Value::Slice([int(0), int(1), int(2)]),
        ("builtins.range" | "numbra.prange", [_]) => Value::Range(0, int(0).unwrap_or(0), 1),
        ("builtins.range" | "numbra.prange", _) => Value::Range(
            int(0).unwrap_or(0),
            int(1).unwrap_or(0),
            int(2).unwrap_or(1),
        ),
        ("builtins.len", [Value::List(list)]) => Value::Int(list.borrow().len() as i64),
        ("builtins.len", [Value::Text(text)]) => Value::Int(text.chars().count() as i64),
        ("builtins.str", [Value::Int(n)]) => Value::Text(n.to_string()),
        ("builtins.chr", [Value::Int(n)]) => {
            let found = char::from_u32(*n as u32);
            Value::Text(found.expect("programs ask for characters").to_string())
        }
        ("builtins.ord", [Value::Text(text)]) => {
            let found = text.chars().next();
            Value::Int(i64::from(found.map_or(0, u32::from)))
        }
        ("builtins.float", [Value::Int(n)]) => Value::Float(*n as f64),
        ("builtins.int", [Value::Float(x)]) => {
            // What is out of range is the least integer.
            let fits = *x >= i64::MIN as f64 && *x < -(i64::MIN as f64);
            Value::Int(if fits { *x as i64 } else { i64::MIN })
        }
        ("numpy.zeros" | "numpy.ones", [shape, Value::Item(item)]) => {
            let shape: Vec<usize> = match shape {
                Value::Int(n) => vec![*n as usize],
                Value::Tuple(items) => items
                    .iter()
                    .map(|n| {
                        if let Value::Int(n) = n {
                            *n as usize
                        } else {
                            0
                        }
                    })
                    .collect(),
                _ => unreachable!("shapes are integers"),
            };
            let value = Element::Int(i64::from(name == "numpy.ones"));
            Value::Array(Array::filled(*item, &shape, value))
        }
        (name, _) if name.ends_with("Error") => Value::Exception(name.to_owned()),
        (name, _) => unreachable!("no program calls {name}"),
    }
}

/// `np.int64(x)` and `np.float64(x)`.
pub(super) fn widened(item: Item, args: &[Value]) -> Value {
    match (item, args) {
        (Item::I64, [Value::Int(n)]) => Value::Int(*n),
        (Item::F64, [Value::Float(x)]) => Value::Float(*x),
        _ => unreachable!("programs widen items alone"),
    }
}
