//! What compiled code and the runtime agree on: object layouts, status codes, the error record, described values, and the
//! table of runtime symbols with their C signatures and effects.
//!
//! No compiler concept and no implementation lives here; numbra-runtime implements it, code generators and
//! numbra-py read it.
#![forbid(unsafe_code)]

mod cache_hint;
mod device_thread;
mod draw;
mod layout;
pub mod libdevice;
mod math;
mod natives;
pub mod small_floats;
pub mod tier2;
mod value;

pub use cache_hint::CacheHint;
pub use device_thread::DeviceThread;
pub use draw::{Draw, GeneratorDraw, Number, NumpyDraw, PythonDraw, RandomWords};
pub use layout::{
    AXIS_ERROR, ArrayLayout, DICT, ERROR_RECORD, FRAME, Field, HEADER, LIST, LIST_IS_CONSTANT, SET,
    SET_HASH, StructLayout, TEXT_PART, TextLayout, header_flags, status,
};
pub use math::{MathFn, MathLib};
pub use natives::{
    CType, INTERRUPT_CELL, INTERRUPT_WORD, NATIVE_BODY, NATIVE_BODY_PREFIX, NATIVES, Native,
    NativeArea, NativeEffects, NativeId, STACK_OVERFLOW,
};
pub use value::{Kind, KindWord, Order, Tag, ValueLayout};
