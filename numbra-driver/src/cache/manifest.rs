//! What a compilation asked of the world outside, and digests of the answers.

use super::{Digest, Digester};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A question of the compiler. Functions are numbered in the order in which answers name them; the compiled one is 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Question {
    /// What a global or free variable of a function stands for.
    Name {
        /// Number of the function.
        function: u32,
        /// The variable.
        name: String,
    },
    /// What an attribute of a module or class is.
    Attribute {
        /// Qualified name of the module or class.
        owner: String,
        /// The attribute.
        name: String,
    },
    /// Whether a class is a named tuple, and its fields.
    NamedTuple(String),
    /// Whether a class is an enumeration.
    IsEnum(String),
    /// Whether a class is an exception class.
    IsException(String),
    /// Whether users have registered overloads of a name.
    IsOverloaded {
        /// What kind of name it is.
        target: OverloadTarget,
        /// The name.
        name: String,
    },
    /// Whether a type has a method by an overload of users.
    HasMethod {
        /// Text of the type.
        receiver: String,
        /// The method.
        name: String,
    },
    /// The implementation that users' overloads give for a call.
    Overload {
        /// What is overloaded.
        target: OverloadTarget,
        /// Its name.
        name: String,
        /// Texts of the types of positional arguments.
        args: Vec<String>,
        /// Keyword arguments.
        kws: Vec<(String, String)>,
        /// Implementations before it that did not compile.
        skip: u32,
    },
}

/// What an overload is of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum OverloadTarget {
    /// A function.
    Function,
    /// A method of a type.
    Method,
    /// An attribute of a type.
    Attribute,
}

/// Questions with digests of their answers, in the order in which they are to be asked.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Manifest {
    /// See the type.
    pub answers: Vec<(Question, Digest)>,
}

impl Manifest {
    /// The digest of all questions and answers.
    pub fn digest(&self) -> Digest {
        let bytes = postcard::to_extend(self, Vec::new()).expect("plain data grows in memory");
        let mut digester = Digester::of("manifest");
        digester.bytes(&bytes);
        digester.finish()
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Question::Name { name, .. } => write!(f, "the variable '{name}'"),
            Question::Attribute { owner, name } => write!(f, "'{owner}.{name}'"),
            Question::NamedTuple(name) | Question::IsEnum(name) | Question::IsException(name) => {
                write!(f, "the class '{name}'")
            }
            Question::IsOverloaded { name, .. } => write!(f, "the overloads of '{name}'"),
            Question::HasMethod { receiver, name } => {
                write!(f, "the overloads of the method '{name}' of {receiver}")
            }
            Question::Overload { name, .. } => write!(f, "the overload of '{name}'"),
        }
    }
}
