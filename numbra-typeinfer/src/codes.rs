//! The codes of this crate's diagnostics.

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $code:literal;)*) => {
        $($(#[doc = $doc])+ pub const $name: &str = $code;)*

        /// Every code with its one-line description, in order.
        pub const ALL: &[(&str, &str)] = &[$(($code, concat!($($doc),+))),*];
    };
}

codes! {
    /// No implementation of a function or operator takes these argument types.
    NO_IMPLEMENTATION = "T001";
    /// A type has no such attribute or method.
    UNKNOWN_ATTRIBUTE = "T002";
    /// A NumPy function is not supported.
    UNSUPPORTED_FUNCTION = "T003";
    /// A global or free variable holds an object that has no type.
    UNTYPED_GLOBAL = "T004";
    /// A global name does not exist.
    UNDEFINED_NAME = "T005";
    /// The values assigned to a variable have no common type.
    CANNOT_UNIFY = "T006";
    /// The returned values have no common type.
    CANNOT_UNIFY_RETURN = "T007";
    /// The type of a variable could not be determined.
    UNDETERMINED = "T008";
    /// The type of a variable is known in part only, such as an empty list that is never filled.
    IMPRECISE = "T009";
    /// An argument has no native type.
    NON_PRECISE_ARGUMENT = "T010";
    /// A value cannot be iterated over.
    NOT_ITERABLE = "T011";
    /// A tuple is unpacked into the wrong number of names.
    UNPACK = "T012";
    /// Arguments do not fit the parameters of a function.
    BAD_ARGUMENTS = "T013";
    /// What stands after `*` in a call is not a tuple.
    STAR_ARGS = "T014";
    /// A value that is not callable is called.
    NOT_CALLABLE = "T015";
    /// An item cannot be assigned, as of a tuple or a read-only array.
    BAD_SETITEM = "T016";
    /// An item cannot be deleted.
    BAD_DELITEM = "T017";
    /// An attribute cannot be assigned.
    BAD_SETATTR = "T018";
    /// A recursive function has no path that returns without recursion.
    RUNAWAY_RECURSION = "T019";
    /// A value does not convert to the type that was asked for.
    NO_CONVERSION = "T020";
    /// No statement returns.
    NO_RETURN = "T021";
    /// An argument must be a literal and is not.
    REQUIRE_LITERAL = "T022";
    /// A local function captures a value that is not constant.
    CLOSURE_CAPTURE = "T023";
    /// A construct of the language that inference does not cover.
    UNSUPPORTED_CONSTRUCT = "T024";
    /// What is raised is not an exception.
    BAD_RAISE = "T025";
    /// A called function cannot be compiled at these types.
    CALLEE_FAILED = "T026";
    /// An operation of a library function is wrong for these types, in the function's own words.
    REJECTED = "T027";
    /// The function is malformed or too large: a bug in what produced it.
    INTERNAL = "T028";
    /// A handler of one class of exceptions.
    BAD_EXCEPT = "T029";
    /// Arguments or options of a stencil that do not fit its kernel.
    BAD_STENCIL = "T030";
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn codes_are_numbered_and_described() {
        for (i, (code, doc)) in ALL.iter().enumerate() {
            assert_eq!(*code, format!("T{:03}", i + 1));
            assert!(doc.trim().ends_with('.') && doc.trim().len() > 10, "{code}");
        }
    }
}
