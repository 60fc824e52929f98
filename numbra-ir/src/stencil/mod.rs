//! Stencils: from a kernel, whose subscripts of arrays count from the element that it computes, to loops over the elements.
//!
//! [`stencil_kernel`] makes the kernel a function of the element's place, [`stencil_loops`] the function that calls it for each
//! element whose neighbours all are in the array, and [`stencil_caller`] what a call from Python runs. Inference puts them
//! together, as it knows which parameters are arrays and what the kernel returns.

mod caller;
mod kernel;
mod loops;

pub use caller::{out_parameter, stencil_caller};
pub use kernel::{Kernel, Reach, stencil_kernel};
pub use loops::{StencilLoops, stencil_loops};

use crate::{Const, ObjDesc, ObjKind, Type};
use serde::{Deserialize, Serialize};

/// The function behind `numba.stencil`, by qualified name.
pub const STENCIL: &str = "numbra.stencils.stencil.stencil";
/// What a call of it in compiled code gives.
pub const STENCIL_FUNC: &str = "numbra.stencils.stencil.StencilFunc";
/// The parameter of every stencil beside those of its kernel.
pub const OUT: &str = "out";

/// What a decorator says of a stencil.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Stencil {
    /// How far the kernel reaches along each axis, from the element down and up. `None`: as far as its subscripts say.
    pub neighborhood: Option<Vec<(i64, i64)>>,
    /// Parameters whose subscripts count from the start of the array, as elsewhere.
    pub standard_indexing: Vec<String>,
    /// What the result has where a neighbour is not in the array.
    pub cval: Option<Border>,
}

/// A number at the border of a result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Border {
    /// Its type, where that is not the constant's own: of NumPy's scalars.
    pub ty: Option<Type>,
    /// The number.
    pub value: Const,
}

/// A distance along an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distance {
    /// Known when the loops are made.
    Known(i64),
    /// This one of the distances that the loops are given.
    Given(u32),
}

/// A function that generated code calls, by the name of its row.
fn library(name: &str, kind: ObjKind) -> ObjDesc {
    let short = name.rsplit('.').next().unwrap_or(name);
    let repr = match kind {
        ObjKind::Class => format!("<class '{short}'>"),
        _ => format!("<built-in function {short}>"),
    };
    ObjDesc {
        name: name.to_owned(),
        kind,
        repr,
        digest: None,
    }
}
