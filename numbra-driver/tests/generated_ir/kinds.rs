//! Types of the variables of generated programs, and arguments of these types.

use crate::oracle::{Array, Memory};
use numbra_lir::interp::{Arg, LirValue};
use numbra_testing::nans::same_nans;
use numbra_testing::random::Random;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// Items of arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Item {
    Bool,
    I8,
    U8,
    I16,
    I32,
    U32,
    I64,
    F32,
    F64,
    C128,
    /// A record: see [`RECORD`].
    Record,
}

/// The type of records: two numbers and an array, with bytes between and behind them that mean nothing.
pub(crate) const RECORD: &str = "Record(a[type=int32;offset=0],b[type=float64;offset=8],c[type=nestedarray(int16, (3,));offset=16];24;True)";

pub(crate) const RECORD_SIZE: usize = 24;

/// The fields of a record, with their items' offset.
pub(crate) const FIELDS: [(&str, Item, usize); 3] = [
    ("a", Item::I32, 0),
    ("b", Item::F64, 8),
    ("c", Item::I16, 16),
];

/// Items of the field `c`.
pub(crate) const INNER: usize = 3;

impl Item {
    /// Numbers and truths.
    pub(crate) const ALL: [Item; 10] = [
        Item::Bool,
        Item::I8,
        Item::U8,
        Item::I16,
        Item::I32,
        Item::U32,
        Item::I64,
        Item::F32,
        Item::F64,
        Item::C128,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Item::Bool => "bool",
            Item::I8 => "int8",
            Item::U8 => "uint8",
            Item::I16 => "int16",
            Item::I32 => "int32",
            Item::U32 => "uint32",
            Item::I64 => "int64",
            Item::F32 => "float32",
            Item::F64 => "float64",
            Item::C128 => "complex128",
            Item::Record => "record",
        }
    }

    pub(crate) fn size(self) -> usize {
        match self {
            Item::Bool | Item::I8 | Item::U8 => 1,
            Item::I16 => 2,
            Item::I32 | Item::U32 | Item::F32 => 4,
            Item::I64 | Item::F64 => 8,
            Item::C128 => 16,
            Item::Record => RECORD_SIZE,
        }
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Item::F32 | Item::F64)
    }

    pub(crate) fn is_int(self) -> bool {
        !matches!(
            self,
            Item::Bool | Item::F32 | Item::F64 | Item::C128 | Item::Record
        )
    }

    /// True if there is arithmetic.
    pub(crate) fn is_number(self) -> bool {
        !matches!(self, Item::Bool | Item::Record)
    }

    /// The name of the type.
    pub(crate) fn type_text(self) -> &'static str {
        match self {
            Item::Record => RECORD,
            item => item.name(),
        }
    }

    /// Of a program's arrays.
    pub(crate) fn draw(random: &mut Random) -> Item {
        match random.below(Item::ALL.len() + 2) {
            n if n < Item::ALL.len() => Item::ALL[n],
            _ => Item::Record,
        }
    }

    /// A small value of the type as memory has it.
    pub(crate) fn bytes(self, n: i64) -> Vec<u8> {
        match self {
            Item::Bool => vec![u8::from(n & 1 == 1)],
            Item::F32 => (n as f32 / 2.0).to_le_bytes().to_vec(),
            Item::F64 => (n as f64 / 2.0).to_le_bytes().to_vec(),
            Item::C128 => [n as f64 / 2.0, 1.0 - n as f64]
                .iter()
                .flat_map(|x| x.to_le_bytes())
                .collect(),
            Item::Record => {
                let mut bytes = vec![0; RECORD_SIZE];
                for (number, (_, item, offset)) in FIELDS.into_iter().enumerate() {
                    let value = item.bytes(n + number as i64);
                    bytes[offset..][..value.len()].copy_from_slice(&value);
                }
                bytes
            }
            _ => n.to_le_bytes()[..self.size()].to_vec(),
        }
    }

    /// Bytes of memory without what is not defined: which NaN an operation gives, what lies between fields.
    pub(crate) fn normal(self, bytes: &mut [u8]) {
        match self {
            Item::Record => {
                for record in bytes.chunks_exact_mut(RECORD_SIZE) {
                    record[4..8].fill(0);
                    Item::F64.normal(&mut record[8..16]);
                    record[22..].fill(0);
                }
            }
            Item::F32 => same_nans(bytes, 4),
            Item::F64 | Item::C128 => same_nans(bytes, 8),
            _ => {}
        }
    }
}

/// Types of variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Int,
    Float,
    Array(Item, usize),
    /// A view of an element.
    Record,
    Text,
    Tuple(Vec<Kind>),
    /// Of arrays of one axis, records or texts.
    List(Box<Kind>),
    /// An integer or None.
    Maybe,
    /// A generator of arrays of one axis.
    Generator(Item),
}

impl Kind {
    pub(crate) fn list(of: Kind) -> Kind {
        Kind::List(Box::new(of))
    }

    /// A list of arrays.
    pub(crate) fn arrays(item: Item) -> Kind {
        Kind::list(Kind::Array(item, 1))
    }

    pub(crate) fn array(random: &mut Random) -> Kind {
        Kind::Array(Item::draw(random), 1 + usize::from(random.once_in(3)))
    }
}

/// Bytes of the buffer that arrays of one item type lie in.
const ROOM: usize = 40;

/// An array argument: a window of its item type's buffer.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    pub(crate) item: Item,
    /// The buffer, by the number of its first leaf among the buffers.
    buffer: usize,
    offset: usize,
    shape: Vec<usize>,
    strides: Vec<i64>,
    layout: char,
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (item, rank, layout) = (self.item.type_text(), self.shape.len(), self.layout);
        write!(f, "array({item}, {rank}d, {layout})")
    }
}

/// The arguments of a program: arrays over few buffers, which overlap, and numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arguments {
    windows: Vec<Window>,
    buffers: Vec<Item>,
}

impl Arguments {
    /// Draws the types of `count` arrays. The first array of an item type is its whole buffer.
    pub(crate) fn draw(random: &mut Random, count: usize) -> Arguments {
        let mut arguments = Arguments::default();
        for _ in 0..count {
            let item = match arguments.buffers.last() {
                Some(&item) if !random.once_in(3) => item,
                _ => Item::draw(random),
            };
            let window = match arguments.buffers.iter().position(|i| *i == item) {
                Some(buffer) => window(random, item, buffer),
                None => {
                    arguments.buffers.push(item);
                    Window {
                        item,
                        buffer: arguments.buffers.len() - 1,
                        offset: 0,
                        shape: vec![ROOM],
                        strides: vec![item.size() as i64],
                        layout: 'C',
                    }
                }
            };
            arguments.windows.push(window);
        }
        arguments
    }

    pub(crate) fn kinds(&self) -> Vec<Kind> {
        let kind = |w: &Window| Kind::Array(w.item, w.shape.len());
        self.windows.iter().map(kind).collect()
    }

    pub(crate) fn types(&self) -> Vec<String> {
        self.windows.iter().map(Window::to_string).collect()
    }

    /// Item types of the buffers, in the order in which outcomes have them.
    pub(crate) fn buffers(&self) -> &[Item] {
        &self.buffers
    }

    /// The leaves of all arrays, with drawn contents.
    pub(crate) fn leaves(&self, random: &mut Random) -> Vec<Arg> {
        let (mut leaves, mut known) = (Vec::new(), 0);
        for window in &self.windows {
            if window.buffer == known {
                let content =
                    (0..ROOM).flat_map(|_| window.item.bytes(random.below(19) as i64 - 6));
                leaves.push(Arg::Buffer(content.collect()));
                known += 1;
            } else {
                leaves.push(Arg::Within(window.buffer, window.offset));
            }
            leaves.push(Arg::Object(Vec::new()));
            let number = |n: i64| Arg::Value(LirValue::i64(n));
            leaves.extend(window.shape.iter().map(|n| number(*n as i64)));
            leaves.extend(window.strides.iter().map(|n| number(*n)));
        }
        leaves
    }
}

impl Arguments {
    /// The arrays of the leaves, as [`Oracle`] has them, and the memory that they share.
    ///
    /// [`Oracle`]: crate::oracle::Oracle
    pub(crate) fn arrays(&self, leaves: &[Arg]) -> (Vec<Array>, Vec<Memory>) {
        let contents = leaves.iter().filter_map(|leaf| match leaf {
            Arg::Buffer(bytes) => Some(Rc::new(RefCell::new(bytes.clone()))),
            _ => None,
        });
        let memories: Vec<Memory> = contents.collect();
        let array = |window: &Window| Array {
            item: window.item,
            memory: Rc::clone(&memories[window.buffer]),
            offset: window.offset as i64,
            shape: window.shape.clone(),
            strides: window.strides.clone(),
        };
        (self.windows.iter().map(array).collect(), memories)
    }
}

/// A view of a buffer, of any layout.
fn window(random: &mut Random, item: Item, buffer: usize) -> Window {
    let size = item.size() as i64;
    let shape: Vec<usize> = match random.below(3) {
        0 => vec![random.below(6)],
        1 => vec![1 + random.below(4)],
        _ => vec![random.below(5), random.below(4)],
    };
    let rows = *shape.first().unwrap_or(&0) as i64;
    let (mut strides, layout) = match (shape.len(), random.below(4)) {
        (1, 0 | 1) => (vec![1], 'C'),
        (1, 2) => (vec![2], 'A'),
        (1, _) => (vec![-1], 'A'),
        (_, 0) => (vec![shape[1] as i64, 1], 'C'),
        (_, 1) => (vec![1, rows], 'F'),
        (_, 2) => (vec![5, -1], 'A'),
        (_, _) => (vec![-4, 1], 'A'),
    };
    // The lowest and highest element lie in the buffer.
    let reach = |negative: bool| -> i64 {
        let far = |(stride, n): (&i64, &usize)| stride * (*n as i64 - 1).max(0);
        let ends = strides.iter().zip(&shape).map(far);
        ends.filter(|n| (*n < 0) == negative).sum()
    };
    let (low, high) = (-reach(true), reach(false));
    let first = low + random.below((ROOM as i64 - low - high).max(1) as usize) as i64;
    for stride in &mut strides {
        *stride *= size;
    }
    Window {
        item,
        buffer,
        offset: (first * size) as usize,
        shape,
        strides,
        layout,
    }
}
