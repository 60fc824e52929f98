//! What a compilation asked of the world outside, and digests of the answers.

use super::codec::{Damage, Reader, Writer};
use super::{Digest, Digester};
use std::fmt;

/// A question of the compiler. Functions are numbered in the order in which answers name them; the compiled one is 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OverloadTarget {
    /// A function.
    Function,
    /// A method of a type.
    Method,
    /// An attribute of a type.
    Attribute,
}

/// Questions with digests of their answers, in the order in which they are to be asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Manifest {
    /// See the type.
    pub answers: Vec<(Question, Digest)>,
}

impl Manifest {
    /// The digest of all questions and answers.
    pub fn digest(&self) -> Digest {
        let mut writer = Writer::default();
        self.write(&mut writer);
        let mut digester = Digester::of("manifest");
        digester.bytes(&writer.0);
        digester.finish()
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        writer.list(&self.answers, |writer, (question, digest)| {
            question.write(writer);
            writer.digest(digest);
        });
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Manifest, Damage> {
        let answers = reader.list(|reader| Ok((Question::read(reader)?, reader.digest()?)))?;
        Ok(Manifest { answers })
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

impl Question {
    fn write(&self, writer: &mut Writer) {
        match self {
            Question::Name { function, name } => {
                writer.number(0);
                writer.number(u64::from(*function));
                writer.text(name);
            }
            Question::Attribute { owner, name } => {
                writer.number(1);
                writer.text(owner);
                writer.text(name);
            }
            Question::NamedTuple(name) => {
                writer.number(2);
                writer.text(name);
            }
            Question::IsEnum(name) => {
                writer.number(3);
                writer.text(name);
            }
            Question::IsException(name) => {
                writer.number(4);
                writer.text(name);
            }
            Question::IsOverloaded { target, name } => {
                writer.number(5);
                target.write(writer);
                writer.text(name);
            }
            Question::HasMethod { receiver, name } => {
                writer.number(6);
                writer.text(receiver);
                writer.text(name);
            }
            Question::Overload {
                target,
                name,
                args,
                kws,
                skip,
            } => {
                writer.number(7);
                target.write(writer);
                writer.text(name);
                writer.number(u64::from(*skip));
                writer.list(args, |writer, text| writer.text(text));
                writer.list(kws, |writer, (name, text)| {
                    writer.text(name);
                    writer.text(text);
                });
            }
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Question, Damage> {
        Ok(match reader.number()? {
            0 => Question::Name {
                function: reader.u32()?,
                name: reader.text()?,
            },
            1 => Question::Attribute {
                owner: reader.text()?,
                name: reader.text()?,
            },
            2 => Question::NamedTuple(reader.text()?),
            3 => Question::IsEnum(reader.text()?),
            4 => Question::IsException(reader.text()?),
            5 => Question::IsOverloaded {
                target: OverloadTarget::read(reader)?,
                name: reader.text()?,
            },
            6 => Question::HasMethod {
                receiver: reader.text()?,
                name: reader.text()?,
            },
            7 => Question::Overload {
                target: OverloadTarget::read(reader)?,
                name: reader.text()?,
                skip: reader.u32()?,
                args: reader.list(Reader::text)?,
                kws: reader.list(|reader| Ok((reader.text()?, reader.text()?)))?,
            },
            _ => return Err(Damage("an unknown question")),
        })
    }
}

impl OverloadTarget {
    fn write(self, writer: &mut Writer) {
        writer.number(match self {
            OverloadTarget::Function => 0,
            OverloadTarget::Method => 1,
            OverloadTarget::Attribute => 2,
        });
    }

    fn read(reader: &mut Reader<'_>) -> Result<OverloadTarget, Damage> {
        Ok(match reader.number()? {
            0 => OverloadTarget::Function,
            1 => OverloadTarget::Method,
            2 => OverloadTarget::Attribute,
            _ => return Err(Damage("an unknown kind of overload")),
        })
    }
}
