//! Why loops run serially, and what users must know of those that do not.
//!
//! A reason is data: a word by which texts name it, what it is about, and words for users.

use numbra_base::Span;
use numbra_library::Reduce;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a loop runs serially.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SerialReason {
    /// It runs inside a parallel loop, in its thread.
    Nested,
    /// Its function is a generator.
    Generator,
    /// Control leaves it before its range ends.
    LeftEarly,
    /// An iteration returns from the function.
    Returns,
    /// A `with` block stands in it.
    WithBlock,
    /// A handler around the loop reads what an iteration assigned.
    ReadByHandler {
        /// The variable.
        var: String,
    },
    /// What the last iteration computed is read after the loop.
    LiveOut,
    /// Iterations change an object with a state: a container, an iterator, a generator of random numbers.
    SharedState {
        /// The variable, which may be one that the user did not name.
        var: String,
        /// Its type, in words.
        ty: String,
    },
    /// An iteration needs what the one before left in a variable.
    LoopCarried {
        /// The variable.
        var: String,
    },
    /// A variable is combined by several operators.
    MixedOperators {
        /// The variable.
        var: String,
    },
    /// Its type has no reduction.
    NotReducible {
        /// The variable.
        var: String,
        /// Its type, in words.
        ty: String,
    },
    /// Another name of an array that is reduced is used in the loop.
    AliasOfReduction {
        /// The other name.
        array: String,
        /// The variable that is reduced.
        var: String,
    },
    /// An array is updated by `min(x, a[..])` or `max(x, a[..])`, which forget what was there where `x` is NaN.
    NanReset {
        /// The array.
        array: String,
        /// Which of the two.
        #[serde(with = "crate::text::operator")]
        reduce: Reduce,
    },
    /// Iterations certainly depend on each other through the elements of an array.
    Dependence {
        /// How.
        kind: Dependence,
        /// The array.
        array: String,
    },
}

/// How different iterations of a loop come to the same elements of an array, which one of them changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Dependence {
    /// All iterations write the same elements.
    Invariant,
    /// Several iterations may change the same element: their indices may be equal.
    ManyToOne,
    /// The elements of neighbouring iterations overlap.
    Overlap,
    /// Iterations use elements that others write.
    Carried,
}

/// What may make the results of a parallel loop other than those of a serial one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hazard {
    /// How iterations may depend on each other.
    pub kind: Dependence,
    /// The array.
    pub array: String,
    /// The statement that changes what they may share.
    pub span: Span,
}

impl Dependence {
    /// All of them.
    pub const ALL: [Dependence; 4] = [
        Dependence::Invariant,
        Dependence::ManyToOne,
        Dependence::Overlap,
        Dependence::Carried,
    ];

    /// The word by which texts name it.
    pub fn word(self) -> &'static str {
        match self {
            Dependence::Invariant => "invariant",
            Dependence::ManyToOne => "many_to_one",
            Dependence::Overlap => "overlap",
            Dependence::Carried => "dependence",
        }
    }

    fn of_word(word: &str) -> Option<Dependence> {
        Dependence::ALL.into_iter().find(|one| one.word() == word)
    }

    /// For users, of an array of this name.
    fn says(self, array: &str) -> String {
        match self {
            Dependence::Invariant => {
                format!("all its iterations write the same elements of `{array}`")
            }
            Dependence::ManyToOne => {
                format!("several of its iterations may change the same element of `{array}`")
            }
            Dependence::Overlap => {
                format!("the elements of `{array}` that its iterations use overlap")
            }
            Dependence::Carried => {
                format!("its iterations use elements of `{array}` that others write")
            }
        }
    }
}

impl fmt::Display for Hazard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind.says(&self.array))
    }
}

/// A word and what it is about, in texts.
pub(crate) type Named<'a> = (&'static str, Vec<&'a str>);

impl Hazard {
    pub(crate) fn named(&self) -> Named<'_> {
        (self.kind.word(), vec![&self.array])
    }

    /// A hazard by its word.
    pub(crate) fn of(word: &str, about: Vec<String>, span: Span) -> Option<Hazard> {
        let kind = Dependence::of_word(word)?;
        let [array] = <[String; 1]>::try_from(about).ok()?;
        Some(Hazard { kind, array, span })
    }
}

impl SerialReason {
    pub(crate) fn named(&self) -> Named<'_> {
        use SerialReason as R;
        match self {
            R::Nested => ("nested", Vec::new()),
            R::Generator => ("generator", Vec::new()),
            R::LeftEarly => ("left_early", Vec::new()),
            R::Returns => ("returns", Vec::new()),
            R::WithBlock => ("with_block", Vec::new()),
            R::ReadByHandler { var } => ("read_by_handler", vec![var]),
            R::LiveOut => ("live_out", Vec::new()),
            R::SharedState { var, ty } => ("shared_state", vec![var, ty]),
            R::LoopCarried { var } => ("loop_carried", vec![var]),
            R::MixedOperators { var } => ("mixed_operators", vec![var]),
            R::NotReducible { var, ty } => ("not_reducible", vec![var, ty]),
            R::AliasOfReduction { array, var } => ("alias_of_reduction", vec![array, var]),
            R::NanReset { array, reduce } => ("nan_reset", vec![array, reduce.symbol()]),
            R::Dependence { kind, array } => (kind.word(), vec![array]),
        }
    }

    /// A reason by its word.
    pub(crate) fn of(word: &str, about: Vec<String>) -> Option<SerialReason> {
        use SerialReason as R;
        let mut about = about.into_iter();
        let mut next = || about.next();
        let reason = match word {
            "nested" => R::Nested,
            "generator" => R::Generator,
            "left_early" => R::LeftEarly,
            "returns" => R::Returns,
            "with_block" => R::WithBlock,
            "read_by_handler" => R::ReadByHandler { var: next()? },
            "live_out" => R::LiveOut,
            "shared_state" => R::SharedState {
                var: next()?,
                ty: next()?,
            },
            "loop_carried" => R::LoopCarried { var: next()? },
            "mixed_operators" => R::MixedOperators { var: next()? },
            "not_reducible" => R::NotReducible {
                var: next()?,
                ty: next()?,
            },
            "alias_of_reduction" => R::AliasOfReduction {
                array: next()?,
                var: next()?,
            },
            "nan_reset" => R::NanReset {
                array: next()?,
                reduce: Reduce::of_symbol(&next()?)?,
            },
            other => R::Dependence {
                kind: Dependence::of_word(other)?,
                array: next()?,
            },
        };
        about.next().is_none().then_some(reason)
    }
}

/// For users.
impl fmt::Display for SerialReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use SerialReason as R;
        match self {
            R::Nested => f.write_str("it runs inside a parallel loop"),
            R::Generator => f.write_str("its function is a generator"),
            R::LeftEarly => f.write_str(
                "it is left before its range ends (`break`, `return`, or a handler outside)",
            ),
            R::Returns => f.write_str("it returns"),
            R::WithBlock => f.write_str("there is a `with` block in it"),
            R::ReadByHandler { var } => {
                write!(
                    f,
                    "`{var}` is used where exceptions of the loop are handled"
                )
            }
            R::LiveOut => f.write_str("a value of its last iteration is used after it"),
            R::SharedState { var, ty } if var.starts_with('$') => {
                write!(f, "its iterations change {ty}, which they share")
            }
            R::SharedState { var, .. } => {
                write!(f, "its iterations change `{var}`, which they share")
            }
            R::LoopCarried { var } => {
                write!(f, "`{var}` carries a value from one iteration to the next")
            }
            R::MixedOperators { var } => write!(
                f,
                "`{var}` is combined by several operators, so its value depends on the order of iterations"
            ),
            R::NotReducible { var, ty } => {
                write!(f, "there is no reduction of `{var}`, which is {ty}")
            }
            R::AliasOfReduction { array, var } => {
                write!(f, "`{array}` has the elements of `{var}`, which changes")
            }
            R::NanReset { array, reduce } => {
                let call = reduce.symbol();
                write!(
                    f,
                    "`{call}(x, {array}[..])` forgets what was there where `x` is NaN; `{call}({array}[..], x)` can be combined"
                )
            }
            R::Dependence { kind, array } => f.write_str(&kind.says(array)),
        }
    }
}
