//! Why a statement has no type.

use numbra_base::Diagnostic;

/// A failed statement. It stands until the statement is evaluated again at other types.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Failure {
    /// What to tell the user.
    pub(crate) diagnostic: Diagnostic,
    /// Arguments of the enclosing function that would have to be literals.
    pub(crate) force_literal: Vec<usize>,
}

impl Failure {
    pub(crate) fn new(diagnostic: Diagnostic) -> Failure {
        Failure {
            diagnostic,
            force_literal: Vec::new(),
        }
    }
}

impl From<Diagnostic> for Box<Failure> {
    fn from(diagnostic: Diagnostic) -> Box<Failure> {
        Box::new(Failure::new(diagnostic))
    }
}
