//! JSON dump of modules.

use crate::Module;
use serde::{Deserialize, Serialize};

/// Value of the `schema` field.
pub const SCHEMA: &str = "numbra-lir";
/// Value of the `version` field. Raised when the meaning of a field changes.
pub const SCHEMA_VERSION: u32 = 2;

/// Digest of the definition of LIR: programs in separate files that hand modules to each other compare it, since a
/// version number is easily forgotten.
pub const LIR_DIGEST: u64 = {
    let files: [&[u8]; 7] = [
        include_bytes!("../inst.rs"),
        include_bytes!("../ops.rs"),
        include_bytes!("../func.rs"),
        include_bytes!("../layout.rs"),
        include_bytes!("../module.rs"),
        include_bytes!("../types.rs"),
        include_bytes!("../debug.rs"),
    ];
    // FNV-1a.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut file = 0;
    while file < files.len() {
        let mut at = 0;
        while at < files[file].len() {
            hash = (hash ^ files[file][at] as u64).wrapping_mul(0x0100_0000_01b3);
            at += 1;
        }
        file += 1;
    }
    hash
};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_that_is_none_is_an_error() {
        let text = "module \"m\"\n\nfunction export @f() {\nblock0:\n  return\n}\n";
        let module = crate::text::parse(text).unwrap_or_else(|e| panic!("{e:?}"));
        let json = to_json(&module).expect("modules are plain data");
        assert_eq!(from_json(&json).as_ref(), Ok(&module));
        for (layout, message) in [
            ("[0,0]", "stands twice"),
            ("[4294967295]", "does not exist"),
            ("[]", "no blocks"),
        ] {
            let bad = json.replace("\"layout\":[0]", &format!("\"layout\":{layout}"));
            assert!(from_json(&bad).is_err_and(|e| e.contains(message)), "{bad}");
        }
    }
}
