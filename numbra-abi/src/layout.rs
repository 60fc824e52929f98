//! Memory layouts. Offsets and sizes are in bytes, for 64-bit targets.

/// Status that every function which may raise returns, as an `i32`.
pub mod status {
    /// The results are valid.
    pub const OK: i32 = 0;
    /// An exception is pending in the thread's error record; all results are zero bits.
    pub const RAISED: i32 = 1;
}

/// A field of a [`StructLayout`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    pub name: &'static str,
    pub offset: u32,
    pub size: u32,
}

/// A C struct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StructLayout {
    pub name: &'static str,
    pub size: u32,
    pub align: u32,
    pub fields: &'static [Field],
}

impl StructLayout {
    /// Offset of a field.
    ///
    /// # Panics
    /// If there is no such field: the names are written next to the layout.
    pub const fn offset(&self, index: usize) -> u32 {
        self.fields[index].offset
    }
}

/// The header of every reference-counted object; a LIR `ref` points to one.
///
/// - `refs`: atomic count, starts at 1.
/// - `drop`: `void (*)(header*)`, runs when the count reaches zero and frees the object; null for a header that lives
///   in the caller's frame (see [`header_flags::FRAME`]).
/// - `flags`: see [`header_flags`].
/// - `data`, `size`: the memory that the object manages.
/// - `object`: the `PyObject*` that owns `data`, or null.
pub const HEADER: StructLayout = StructLayout {
    name: "Header",
    size: 48,
    align: 8,
    fields: &[
        Field {
            name: "refs",
            offset: 0,
            size: 8,
        },
        Field {
            name: "drop",
            offset: 8,
            size: 8,
        },
        Field {
            name: "flags",
            offset: 16,
            size: 8,
        },
        Field {
            name: "data",
            offset: 24,
            size: 8,
        },
        Field {
            name: "size",
            offset: 32,
            size: 8,
        },
        Field {
            name: "object",
            offset: 40,
            size: 8,
        },
    ],
};

/// A list: an object whose data are the items, one after the other in their memory form.
///
/// - the fields of [`HEADER`]; `data` points to the items, `object` is the Python list that an argument reflects, or null.
/// - `length`, `capacity`: in items. Where items hold references, memory behind the last item is zero.
/// - `item_size`: in bytes.
/// - `refs`: bit `i` says that 8-byte word `i` of an item is a counted reference.
/// - `dirty`: not 0 when the list was changed since it was last compared with `object`; [`LIST_IS_CONSTANT`] in a typed list
///   that may not be changed.
pub const LIST: StructLayout = StructLayout {
    name: "List",
    size: 104,
    align: 8,
    fields: &[
        Field {
            name: "items",
            offset: 24,
            size: 8,
        },
        Field {
            name: "object",
            offset: 40,
            size: 8,
        },
        Field {
            name: "length",
            offset: 64,
            size: 8,
        },
        Field {
            name: "capacity",
            offset: 72,
            size: 8,
        },
        Field {
            name: "item_size",
            offset: 80,
            size: 8,
        },
        Field {
            name: "refs",
            offset: 88,
            size: 8,
        },
        Field {
            name: "dirty",
            offset: 96,
            size: 8,
        },
    ],
};

/// `dirty` of a list that may not be changed.
pub const LIST_IS_CONSTANT: u64 = 2;

/// A set: a [`LIST`] of its items, and behind it where the table of their positions is.
///
/// - `places`: of `u64`, 0 or the upper half of an item's hash with the item's position plus 1 in the lower half. An item is at
///   the place that its hash says, or at one of those behind it up to the first 0; the last place comes before the first.
/// - `shift`: there are `1 << (64 - shift)` places. The place is `hash >> shift`, where `hash = (x ^ x >> 29) * SET_HASH` and
///   `x = key * SET_HASH` modulo 2^64: one product alone gathers the multiples of some numbers at a few places. The key of a
///   `bool` or an integer is its bits, extended by zeros; compiled code computes no others.
/// - `room`: with fewer items than this there is room for one more, among the places as in the list.
pub const SET: StructLayout = StructLayout {
    name: "Set",
    size: 128,
    align: 8,
    fields: &[
        Field {
            name: "places",
            offset: 104,
            size: 8,
        },
        Field {
            name: "shift",
            offset: 112,
            size: 8,
        },
        Field {
            name: "room",
            offset: 120,
            size: 8,
        },
    ],
};

/// A dictionary: a [`SET`] of entries, found by their keys. An entry is the key, the value, and a byte: 1, or 0 where it was
/// removed. Entries stand in the order in which their keys came.
///
/// - `dead`: how many of the entries were removed.
pub const DICT: StructLayout = StructLayout {
    name: "Dict",
    size: 224,
    align: 8,
    fields: &[Field {
        name: "dead",
        offset: 208,
        size: 8,
    }],
};

/// A string among the parts that make the items of sets equal; others are positions in `Scalar::ALL`.
pub const TEXT_PART: u64 = 64;

/// See [`SET`]: the odd number next to 2^64 divided by the golden ratio.
pub const SET_HASH: u64 = 0x9e37_79b9_7f4a_7c15;

/// The frame of a generator: the data of an object, zero bytes when new.
///
/// - `state`: 0 before the first step, `k` while it waits at its `yield` number `k`, -1 while it runs and when it has ended.
/// - `resume`: address of its next step, in the internal ABI: `(frame) -> (item leaves.., more: i8, 0: i8)`, which raises.
/// - `refs`: how many words behind this layout are counted references, which go with the frame.
///
/// What else the step needs to go on stands behind the references.
pub const FRAME: StructLayout = StructLayout {
    name: "Frame",
    size: 24,
    align: 8,
    fields: &[
        Field {
            name: "state",
            offset: 0,
            size: 8,
        },
        Field {
            name: "resume",
            offset: 8,
            size: 8,
        },
        Field {
            name: "refs",
            offset: 16,
            size: 8,
        },
    ],
};

/// Bits of `Header::flags`.
pub mod header_flags {
    /// The header lives in the frame of the entry wrapper that unboxed an argument: arguments are borrowed, so no
    /// allocation is needed. Whoever keeps such a reference beyond the call must first exchange it for a heap header
    /// (`numbra_rt_promote`).
    pub const FRAME: u64 = 1;
    /// The header is data of compiled code, and owns the code's other data. Whoever keeps such a reference exchanges it,
    /// as for [`FRAME`], for a heap header that keeps the code.
    pub const CODE: u64 = 2;
    /// The data are the characters of a string that was made at run time, behind the number of bytes of them that are
    /// written: more may be written behind those, which no string has that others see.
    pub const TEXT: u64 = 4;
}

/// The class of errors of axes: a subclass of ValueError and IndexError. Its arguments are the axis, the number of axes, and
/// perhaps what its message starts with.
pub const AXIS_ERROR: &str = "numpy.exceptions.AxisError";

/// The thread's error record, written by `numbra_rt_raise*` and read at the Python edge.
///
/// - `exception`: address of the exception description (a constant of the artifact: UTF-8 JSON after a u64 length), or null.
/// - `args`, `nargs`: run-time argument words for descriptions with placeholders.
pub const ERROR_RECORD: StructLayout = StructLayout {
    name: "ErrorRecord",
    size: 24 + 8 * 64,
    align: 8,
    fields: &[
        Field {
            name: "exception",
            offset: 0,
            size: 8,
        },
        Field {
            name: "nargs",
            offset: 8,
            size: 8,
        },
        Field {
            name: "line",
            offset: 16,
            size: 8,
        },
        Field {
            name: "args",
            offset: 24,
            size: 512,
        },
    ],
};

/// Memory form of a string, its leaves one after the other: address, number and bytes of its characters, whether all are ASCII
/// (0 where that is not known), hash (-1 where it is not known), owner reference. The places are bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextLayout;

impl TextLayout {
    pub const DATA: usize = 0;
    pub const LENGTH: usize = 8;
    /// 4 bytes, as the next.
    pub const WIDTH: usize = 16;
    pub const ASCII: usize = 20;
    pub const HASH: usize = 24;
    pub const OWNER: usize = 32;
    pub const SIZE: usize = 40;
}

/// Leaves of an array value, in order: data pointer, owner reference, shape (ndim words), strides in bytes (ndim words).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArrayLayout {
    pub ndim: u32,
}

impl ArrayLayout {
    /// Leaf index of the data pointer.
    pub const DATA: usize = 0;
    /// Leaf index of the owner reference.
    pub const OWNER: usize = 1;

    /// Number of leaves.
    pub fn leaves(self) -> usize {
        2 + 2 * self.ndim as usize
    }

    /// Leaf index of `shape[axis]`.
    pub fn shape(self, axis: u32) -> usize {
        2 + axis as usize
    }

    /// Leaf index of `strides[axis]`.
    pub fn stride(self, axis: u32) -> usize {
        2 + (self.ndim + axis) as usize
    }
}
