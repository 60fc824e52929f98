//! Arrays as NumPy says: views of memory that others share.

use super::Raised;
use crate::kinds::{FIELDS, INNER, Item, RECORD_SIZE};
use std::cell::RefCell;
use std::rc::Rc;

/// Memory that arrays look at.
pub(crate) type Memory = Rc<RefCell<Vec<u8>>>;

/// An element.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Element {
    /// Also booleans.
    Int(i64),
    Float(f64),
    Complex(f64, f64),
    Record([u8; RECORD_SIZE]),
}

#[derive(Clone, Debug)]
pub(crate) struct Array {
    pub(crate) item: Item,
    pub(crate) memory: Memory,
    /// Bytes from the start of the memory.
    pub(crate) offset: i64,
    pub(crate) shape: Vec<usize>,
    /// In bytes.
    pub(crate) strides: Vec<i64>,
}

/// Strides of new memory in C order.
fn dense(item: Item, shape: &[usize]) -> Vec<i64> {
    let mut strides = vec![0; shape.len()];
    let mut step = item.size() as i64;
    for (stride, extent) in strides.iter_mut().zip(shape).rev() {
        *stride = step;
        step *= *extent as i64;
    }
    strides
}

impl Array {
    pub(crate) fn filled(item: Item, shape: &[usize], value: Element) -> Array {
        let count: usize = shape.iter().product();
        let array = Array {
            item,
            memory: Rc::new(RefCell::new(vec![0; count * item.size()])),
            offset: 0,
            shape: shape.to_vec(),
            strides: dense(item, shape),
        };
        for place in array.places() {
            array.write(place, value);
        }
        array
    }

    pub(crate) fn from_elements(item: Item, shape: &[usize], elements: &[Element]) -> Array {
        let array = Array::filled(item, shape, Element::Int(0));
        for (place, element) in array.places().into_iter().zip(elements) {
            array.write(place, *element);
        }
        array
    }

    pub(crate) fn size(&self) -> usize {
        self.shape.iter().product()
    }

    /// Where the elements are, in C order.
    pub(crate) fn places(&self) -> Vec<i64> {
        let mut places = vec![self.offset];
        for (extent, stride) in self.shape.iter().zip(&self.strides) {
            let axis = 0..*extent as i64;
            places = places
                .iter()
                .flat_map(|place| axis.clone().map(move |n| place + n * stride))
                .collect();
        }
        places
    }

    pub(crate) fn elements(&self) -> Vec<Element> {
        self.places()
            .into_iter()
            .map(|place| self.read(place))
            .collect()
    }

    pub(crate) fn read(&self, place: i64) -> Element {
        let memory = self.memory.borrow();
        let bytes = &memory[place as usize..][..self.item.size()];
        let word = |at: usize| {
            let mut wide = [0; 8];
            let part = &bytes[at..bytes.len().min(at + 8)];
            wide[..part.len()].copy_from_slice(part);
            u64::from_le_bytes(wide)
        };
        match self.item {
            Item::Bool | Item::U8 | Item::U32 => Element::Int(word(0) as i64),
            Item::I8 => Element::Int(i64::from(word(0) as i8)),
            Item::I16 => Element::Int(i64::from(word(0) as i16)),
            Item::I32 => Element::Int(i64::from(word(0) as i32)),
            Item::I64 => Element::Int(word(0) as i64),
            Item::F32 => Element::Float(f64::from(f32::from_bits(word(0) as u32))),
            Item::F64 => Element::Float(f64::from_bits(word(0))),
            Item::C128 => Element::Complex(f64::from_bits(word(0)), f64::from_bits(word(8))),
            Item::Record => Element::Record(std::array::from_fn(|at| bytes[at])),
        }
    }

    pub(crate) fn write(&self, place: i64, element: Element) {
        let mut memory = self.memory.borrow_mut();
        let bytes = &mut memory[place as usize..][..self.item.size()];
        let real = |element: Element| match element {
            Element::Int(n) => n as f64,
            Element::Float(x) | Element::Complex(x, _) => x,
            Element::Record(_) => unreachable!("no program stores that"),
        };
        match (self.item, element) {
            (Item::F32, x) => bytes.copy_from_slice(&(real(x) as f32).to_le_bytes()),
            (Item::F64, x) => bytes.copy_from_slice(&real(x).to_le_bytes()),
            (Item::C128, x) => {
                let imaginary = if let Element::Complex(_, y) = x {
                    y
                } else {
                    0.0
                };
                bytes[..8].copy_from_slice(&real(x).to_le_bytes());
                bytes[8..].copy_from_slice(&imaginary.to_le_bytes());
            }
            (Item::Record, Element::Record(record)) => bytes.copy_from_slice(&record),
            (Item::Record, _) => bytes.fill(0), // what is new
            (Item::Bool, Element::Int(n)) => bytes[0] = u8::from(n != 0),
            (item, Element::Int(n)) => bytes.copy_from_slice(&n.to_le_bytes()[..item.size()]),
            (_, Element::Float(_) | Element::Complex(..) | Element::Record(_)) => {
                unreachable!("no program stores that")
            }
        }
    }

    /// A field of all elements.
    pub(crate) fn field(&self, name: &str) -> Array {
        let known = FIELDS.into_iter().find(|(field, ..)| *field == name);
        let (_, item, offset) = known.expect("programs name fields");
        let mut view = self.clone();
        view.item = item;
        view.offset += offset as i64;
        if name == "c" {
            view.shape.push(INNER);
            view.strides.push(item.size() as i64);
        }
        view
    }

    /// One index less: `a[n]` along an axis.
    pub(crate) fn at(&self, axis: usize, n: i64) -> Array {
        let mut view = self.clone();
        let n = if n < 0 {
            n + self.shape[axis] as i64
        } else {
            n
        };
        view.offset += n * self.strides[axis];
        view.shape.remove(axis);
        view.strides.remove(axis);
        view
    }

    /// `a[slice]` along an axis.
    pub(crate) fn slice(&self, axis: usize, parts: [Option<i64>; 3]) -> Array {
        let (start, count, step) = indices(parts, self.shape[axis]);
        let mut view = self.clone();
        if count > 0 {
            view.offset += start * self.strides[axis];
        }
        view.shape[axis] = count;
        view.strides[axis] *= step;
        view
    }

    pub(crate) fn transposed(&self) -> Array {
        let mut view = self.clone();
        view.shape.reverse();
        view.strides.reverse();
        view
    }

    pub(crate) fn copy(&self) -> Array {
        Array::from_elements(self.item, &self.shape, &self.elements())
    }

    /// True where the elements follow each other in C order; strides of axes of one element do not count.
    fn is_dense(&self) -> bool {
        let expected = dense(self.item, &self.shape);
        let axes = self.shape.iter().zip(self.strides.iter().zip(&expected));
        self.size() == 0
            || axes
                .into_iter()
                .all(|(n, (has, wants))| *n == 1 || has == wants)
    }

    /// A view where elements follow each other in C order, else a copy.
    pub(crate) fn ravel(&self) -> Array {
        let mut view = if self.is_dense() {
            self.clone()
        } else {
            self.copy()
        };
        view.shape = vec![self.size()];
        view.strides = dense(self.item, &view.shape);
        view
    }

    /// Of elements that follow each other; one extent may be -1.
    pub(crate) fn reshape(&self, wanted: &[i64]) -> Result<Array, Raised> {
        let known: i64 = wanted.iter().filter(|n| **n >= 0).product();
        let size = self.size() as i64;
        let unknown = wanted.iter().any(|n| *n < 0);
        if known == 0 || (unknown && size % known != 0) || (!unknown && size != known) {
            return Err(Raised::new("ValueError"));
        }
        let mut view = self.ravel();
        let extent = |n: &i64| if *n < 0 { size / known } else { *n };
        view.shape = wanted.iter().map(|n| extent(n) as usize).collect();
        view.strides = dense(self.item, &view.shape);
        Ok(view)
    }

    /// As an array of another shape; axes of one element are repeated.
    pub(crate) fn broadcast(&self, shape: &[usize]) -> Result<Array, Raised> {
        let mut view = self.clone();
        if self.shape.len() > shape.len() {
            return Err(Raised::new("ValueError"));
        }
        while view.shape.len() < shape.len() {
            view.shape.insert(0, 1);
            view.strides.insert(0, 0);
        }
        for (axis, wanted) in shape.iter().enumerate() {
            if view.shape[axis] != *wanted {
                if view.shape[axis] != 1 {
                    return Err(Raised::new("ValueError"));
                }
                view.shape[axis] = *wanted;
                view.strides[axis] = 0;
            }
        }
        Ok(view)
    }

    /// `a[:] = value`: what is read is read before anything is written.
    pub(crate) fn assign(&self, value: &Array) -> Result<(), Raised> {
        let elements = value.broadcast(&self.shape)?.elements();
        for (place, element) in self.places().into_iter().zip(elements) {
            self.write(place, element);
        }
        Ok(())
    }
}

/// The shape that two have in common.
pub(crate) fn common(a: &[usize], b: &[usize]) -> Result<Vec<usize>, Raised> {
    let rank = a.len().max(b.len());
    let extent = |shape: &[usize], axis: usize| {
        let missing = rank - shape.len();
        axis.checked_sub(missing).map_or(1, |n| shape[n])
    };
    (0..rank)
        .map(|axis| match (extent(a, axis), extent(b, axis)) {
            (n, m) if n == m || m == 1 => Ok(n),
            (1, m) => Ok(m),
            _ => Err(Raised::of_shapes()),
        })
        .collect()
}

/// CPython's `slice.indices`, with the number of items.
pub(crate) fn indices([start, stop, step]: [Option<i64>; 3], extent: usize) -> (i64, usize, i64) {
    let (extent, step) = (extent as i64, step.unwrap_or(1));
    let (low, high) = if step < 0 {
        (-1, extent - 1)
    } else {
        (0, extent)
    };
    let clamp = |n: Option<i64>, otherwise: i64| match n {
        None => otherwise,
        Some(n) if n < 0 => n.saturating_add(extent).max(low),
        Some(n) => n.min(high),
    };
    let (first, last) = if step < 0 { (high, low) } else { (low, high) };
    let (start, stop) = (clamp(start, first), clamp(stop, last));
    let distance = if step < 0 { start - stop } else { stop - start };
    let count = if distance > 0 {
        (distance - 1) / step.abs() + 1
    } else {
        0
    };
    (start, count as usize, step)
}
