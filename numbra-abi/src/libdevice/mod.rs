//! NVIDIA's library of functions for GPUs: what code for a GPU may call.

use crate::CType;

macro_rules! functions {
    ($($name:ident $ret:ident ($($param:ident),*) [$($out:ident),*];)*) => {
        &[$(Function {
            name: stringify!($name),
            qualified: concat!("numbra.cuda.libdevice.", stringify!($name)),
            doc: concat!(
                "`", stringify!($ret), " __nv_", stringify!($name), "(", stringify!($($param),*), ")`",
                $(" and ", stringify!($out),)* " of NVIDIA's libdevice."
            ),
            ret: crate::CType::$ret,
            params: &[$(crate::CType::$param),*],
            outs: &[$(crate::CType::$out),*],
        }),*]
    };
}
mod native;
mod table;

pub use native::NATIVE;
pub use table::FUNCTIONS;

/// A function of the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name in Python, without the `__nv_` of its symbol.
    pub name: &'static str,
    /// The name by which programs call it.
    pub qualified: &'static str,
    /// What it is in C, as one sentence.
    pub doc: &'static str,
    /// Its result in C; `Void` if there is none.
    pub ret: CType,
    /// Its operands.
    pub params: &'static [CType],
    /// What it writes through the pointers behind the operands: in Python these are results too.
    pub outs: &'static [CType],
}

impl Function {
    /// Its symbol.
    pub fn symbol(&self) -> String {
        format!("__nv_{}", self.name)
    }

    /// Types of its results: that of C, and those through pointers.
    pub fn results(&self) -> impl Iterator<Item = CType> {
        let own = (self.ret != CType::Void).then_some(self.ret);
        own.into_iter().chain(self.outs.iter().copied())
    }
}

/// Position of a function in [`FUNCTIONS`] by its name, known while compiling: panics there if it is not in the table.
pub const fn known(name: &str) -> u16 {
    let mut i = 0;
    while i < FUNCTIONS.len() {
        if same(FUNCTIONS[i].name.as_bytes(), name.as_bytes()) {
            return i as u16;
        }
        i += 1;
    }
    panic!("libdevice has no function of this name")
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Position of a function in [`FUNCTIONS`] by its qualified name.
pub fn position(qualified: &str) -> Option<u16> {
    let found = FUNCTIONS.binary_search_by(|f| f.qualified.cmp(qualified));
    found.ok().and_then(|i| u16::try_from(i).ok())
}
