//! JSON dumps of functions and typed programs, complete in themselves.
//!
//! ```json
//! {"numbra": "func", "schema": 2, "types": ["int64", "array(float64, 1d, C)"], "value": {...}}
//! ```
//! Types in `value` are positions in `types`, whose entries are text ([`Types::text`]).

use crate::references::{dangling, dangling_typed, map_types, map_types_typed};
use crate::{Func, ParseError, Type, TypedProgram, Types};
use indexmap::IndexSet;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of the schema; files of another version are refused.
pub const SCHEMA: u32 = 2;

/// What can be dumped.
pub trait Dump: Clone + Serialize + DeserializeOwned {
    /// `func` or `program`, as the header says.
    const KIND: &'static str;
    /// Replaces every type.
    fn map_types(&mut self, map: &mut dyn FnMut(Type) -> Type);
    /// The first reference to something that does not exist.
    fn dangling(&self) -> Option<String>;
}

impl Dump for Func {
    const KIND: &'static str = "func";

    fn map_types(&mut self, map: &mut dyn FnMut(Type) -> Type) {
        map_types(self, map);
    }

    fn dangling(&self) -> Option<String> {
        dangling(self)
    }
}

impl Dump for TypedProgram {
    const KIND: &'static str = "program";

    fn map_types(&mut self, map: &mut dyn FnMut(Type) -> Type) {
        for (_, typed) in self.functions.values_mut() {
            map_types_typed(typed, map);
        }
    }

    fn dangling(&self) -> Option<String> {
        if !self.functions.is_valid(self.root) {
            return Some(format!("no {}", self.root));
        }
        let len = self.functions.len();
        self.functions
            .values()
            .find_map(|(_, typed)| dangling_typed(typed, len))
    }
}

/// Why a dump cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DumpError {
    /// Not JSON of the expected shape.
    Json(String),
    /// A dump of something else, or of another schema version.
    Header {
        /// What the file holds.
        kind: String,
        /// Its schema version.
        schema: u32,
    },
    /// A type that cannot be read.
    Type(ParseError),
    /// A reference to something that does not exist.
    Dangling(String),
}

impl fmt::Display for DumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DumpError::Json(message) => write!(f, "not a dump: {message}"),
            DumpError::Header { kind, schema } => {
                write!(
                    f,
                    "a dump of `{kind}`, schema {schema}, is not what was asked for (schema {SCHEMA})"
                )
            }
            DumpError::Type(error) => write!(f, "type table: {error}"),
            DumpError::Dangling(what) => write!(f, "dangling reference: {what}"),
        }
    }
}

impl std::error::Error for DumpError {}

#[derive(Serialize, Deserialize)]
struct Header {
    numbra: String,
    schema: u32,
}

#[derive(Serialize)]
struct Out<'a, T> {
    numbra: &'a str,
    schema: u32,
    types: Vec<String>,
    value: &'a T,
}

#[derive(Deserialize)]
#[serde(bound = "T: DeserializeOwned")]
struct In<T> {
    types: Vec<String>,
    value: T,
}

/// The dump of a function or program.
pub fn to_json<T: Dump>(value: &T, types: &Types) -> Result<String, DumpError> {
    let mut table: IndexSet<Type> = IndexSet::new();
    let mut value = value.clone();
    value.map_types(&mut |ty| Type::from_u32(table.insert_full(ty).0 as u32));
    let out = Out {
        numbra: T::KIND,
        schema: SCHEMA,
        types: table.iter().map(|ty| types.text(*ty).to_string()).collect(),
        value: &value,
    };
    serde_json::to_string(&out).map_err(|e| DumpError::Json(e.to_string()))
}

/// Reads a dump; its types are interned in `types`. References are checked, the rules of the IR are not:
/// call [`crate::verify::verify`] next.
pub fn from_json<T: Dump>(text: &str, types: &Types) -> Result<T, DumpError> {
    let json = |e: serde_json::Error| DumpError::Json(e.to_string());
    let header: Header = serde_json::from_str(text).map_err(json)?;
    if header.numbra != T::KIND || header.schema != SCHEMA {
        return Err(DumpError::Header {
            kind: header.numbra,
            schema: header.schema,
        });
    }
    let dump: In<T> = serde_json::from_str(text).map_err(json)?;
    let mut table = Vec::with_capacity(dump.types.len());
    for text in &dump.types {
        table.push(types.parse(text).map_err(DumpError::Type)?);
    }
    let mut value = dump.value;
    let mut missing = None;
    value.map_types(&mut |ty| {
        table.get(ty.as_u32() as usize).copied().unwrap_or_else(|| {
            missing = Some(format!("no type {}", ty.as_u32()));
            Type::UNDEFINED
        })
    });
    match missing.or_else(|| value.dangling()) {
        Some(missing) => Err(DumpError::Dangling(missing)),
        None => Ok(value),
    }
}
