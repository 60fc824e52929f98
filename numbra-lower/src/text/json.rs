//! JSON dump of modules.

use crate::lir::Module;
use serde::{Deserialize, Serialize};

/// Value of the `schema` field.
pub const SCHEMA: &str = "numbra-lir";
/// Value of the `version` field. Raised when the meaning of a field changes.
pub const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct DumpRef<'a> {
    schema: &'static str,
    version: u32,
    module: &'a Module,
}

#[derive(Deserialize)]
struct Header {
    schema: String,
    version: u32,
}

#[derive(Deserialize)]
struct Body {
    module: Module,
}

/// `{"schema": "numbra-lir", "version": 1, "module": {..}}`
pub fn to_json(module: &Module) -> Result<String, String> {
    let dump = DumpRef {
        schema: SCHEMA,
        version: SCHEMA_VERSION,
        module,
    };
    serde_json::to_string(&dump).map_err(|e| e.to_string())
}

/// Reads what [`to_json`] wrote. The module's ids are all in range; nothing else is checked: see [`crate::verify`].
pub fn from_json(text: &str) -> Result<Module, String> {
    let header: Header = serde_json::from_str(text).map_err(|e| e.to_string())?;
    if header.schema != SCHEMA || header.version != SCHEMA_VERSION {
        return Err(format!(
            "expected {SCHEMA} version {SCHEMA_VERSION}, found {} version {}",
            header.schema, header.version
        ));
    }
    let body: Body = serde_json::from_str(text).map_err(|e| e.to_string())?;
    crate::verify::check_ids(&body.module).map_err(|e| e.to_string())?;
    Ok(body.module)
}
