//! Plans as JSON.
//!
//! ```json
//! {"numbra": "parallel", "schema": 1, "value": {"functions": []}}
//! ```

use crate::{ParallelPlan, verify};
use numbra_ir::{TypedProgram, Types};
use numbra_library::Library;
use serde::{Deserialize, Serialize};

/// What a dump says that it is.
const KIND: &str = "parallel";
/// The version of the schema; files of another version are refused.
const SCHEMA: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Dump {
    numbra: String,
    schema: u32,
    value: ParallelPlan,
}

/// The dump of a plan.
pub fn to_json(plan: &ParallelPlan) -> Result<String, String> {
    let dump = Dump {
        numbra: KIND.to_owned(),
        schema: SCHEMA,
        value: plan.clone(),
    };
    serde_json::to_string(&dump).map_err(|e| e.to_string())
}

/// Reads a dump of a plan of this program; it is verified.
pub fn from_json(
    text: &str,
    program: &TypedProgram,
    types: &Types,
    library: &Library,
) -> Result<ParallelPlan, String> {
    let dump: Dump = serde_json::from_str(text).map_err(|e| format!("not a dump: {e}"))?;
    if dump.numbra != KIND || dump.schema != SCHEMA {
        let (kind, schema) = (dump.numbra, dump.schema);
        return Err(format!(
            "a dump of `{kind}`, schema {schema}, is not what was asked for (schema {SCHEMA})"
        ));
    }
    match verify(&dump.value, program, types, library) {
        Ok(()) => Ok(dump.value),
        Err(errors) => Err(errors.first().map(ToString::to_string).unwrap_or_default()),
    }
}
