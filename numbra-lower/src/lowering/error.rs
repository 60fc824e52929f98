//! Why lowering stops.

use numbra_base::{Diagnostic, ErrorClass, Span};

/// A reason without its place; [`Fault::at`] adds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// A construct that has no lowering.
    Unsupported(String),
    /// A conversion that some values do not have.
    Conversion(String),
    /// The input breaks a rule of the typed IR, or lowering is wrong.
    Bug(String),
    /// Found while lowering a library body: already has its place.
    Inside(Box<Diagnostic>),
}

/// Result of lowering a piece.
pub(super) type Res<T> = Result<T, Fault>;

impl Fault {
    /// `L001`: not supported.
    pub(super) fn unsupported(what: impl Into<String>) -> Fault {
        Fault::Unsupported(what.into())
    }

    /// `L003`: no such conversion.
    pub(super) fn conversion(what: impl Into<String>) -> Fault {
        Fault::Conversion(what.into())
    }

    /// `L002`: inconsistent input.
    pub(super) fn bug(what: impl Into<String>) -> Fault {
        Fault::Bug(what.into())
    }

    /// The diagnostic for a position.
    pub(super) fn at(self, span: Span, function: &str) -> Box<Diagnostic> {
        Box::new(match self {
            Fault::Inside(diagnostic) => return diagnostic,
            Fault::Unsupported(what) => {
                Diagnostic::error("L001", ErrorClass::UnsupportedError, what, span)
                    .with_note(format!("in function `{function}`"))
            }
            Fault::Conversion(what) => {
                Diagnostic::error("L003", ErrorClass::LoweringError, what, span)
                    .with_note(format!("in function `{function}`"))
            }
            Fault::Bug(what) => Diagnostic::error("L002", ErrorClass::LoweringError, what, span)
                .with_note(format!("in function `{function}`"))
                .with_help("this is a defect of the compiler: please report it"),
        })
    }
}
