//! What a `call_native` calls.

use crate::typing::c_type;
use crate::{InstKind, Signature, Ty, Value};
pub use numbra_abi::NativeId;
use numbra_abi::{NATIVE_BODY_PREFIX, Native};
use serde::{Deserialize, Serialize};

/// A function of the runtime.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum NativeFn {
    /// A symbol of `numbra_abi::NATIVES`.
    Runtime(NativeId),
    /// The native body of a library function, by its symbol, which `numbra_abi::NATIVE_BODY_PREFIX` begins.
    Body(Box<str>),
}

impl NativeFn {
    /// The function of this symbol.
    pub fn named(symbol: &str) -> Option<NativeFn> {
        if symbol.starts_with(NATIVE_BODY_PREFIX) {
            return Some(NativeFn::Body(symbol.into()));
        }
        NativeId::named(symbol).map(NativeFn::Runtime)
    }

    /// The symbol.
    pub fn symbol(&self) -> &str {
        match self {
            NativeFn::Runtime(id) => id.name(),
            NativeFn::Body(symbol) => symbol,
        }
    }

    /// C signature and effects.
    pub fn row(&self) -> &'static Native {
        match self {
            NativeFn::Runtime(id) => id.row(),
            NativeFn::Body(_) => &numbra_abi::NATIVE_BODY,
        }
    }

    /// Its parameters and results.
    pub fn signature(&self) -> Signature {
        let row = self.row();
        let params: Vec<Ty> = row.params.iter().filter_map(|&c| c_type(c)).collect();
        let results: Vec<Ty> = c_type(row.ret).into_iter().collect();
        Signature::new(&params, &results, row.effects.raises)
    }
}

impl From<NativeId> for NativeFn {
    fn from(id: NativeId) -> NativeFn {
        NativeFn::Runtime(id)
    }
}

impl TryFrom<String> for NativeFn {
    type Error = String;

    fn try_from(symbol: String) -> Result<NativeFn, String> {
        NativeFn::named(&symbol).ok_or_else(|| format!("no native `{symbol}`"))
    }
}

impl From<NativeFn> for String {
    fn from(native: NativeFn) -> String {
        native.symbol().to_owned()
    }
}

impl InstKind {
    /// A call of a symbol of the runtime.
    pub fn native(id: NativeId, args: Vec<Value>) -> InstKind {
        InstKind::CallNative {
            callee: id.into(),
            args,
        }
    }

    /// The symbol of the runtime that is called.
    pub fn native_id(&self) -> Option<NativeId> {
        match self {
            InstKind::CallNative {
                callee: NativeFn::Runtime(id),
                ..
            } => Some(*id),
            _ => None,
        }
    }
}
