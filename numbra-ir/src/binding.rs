//! Which argument of a call a parameter takes: CPython's rules, in CPython's words.

use crate::ArgKind;
use numbra_bytecode::dfg::ParamKind;
use smallvec::SmallVec;

impl From<ParamKind> for ArgKind {
    fn from(kind: ParamKind) -> ArgKind {
        match kind {
            ParamKind::PositionalOnly => ArgKind::PositionalOnly,
            ParamKind::PositionalOrKeyword => ArgKind::PositionalOrKeyword,
            ParamKind::VarPositional => ArgKind::VarPositional,
            ParamKind::KeywordOnly => ArgKind::KeywordOnly,
            ParamKind::VarKeyword => ArgKind::VarKeyword,
        }
    }
}

impl ArgKind {
    /// True if an argument without a name may be the parameter's.
    pub fn takes_position(self) -> bool {
        matches!(self, ArgKind::PositionalOnly | ArgKind::PositionalOrKeyword)
    }

    /// True if an argument with the parameter's name is the parameter's.
    pub fn takes_name(self) -> bool {
        matches!(self, ArgKind::PositionalOrKeyword | ArgKind::KeywordOnly)
    }
}

/// A parameter as binding sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Formal<'a> {
    /// Its name.
    pub name: &'a str,
    /// How it may be passed.
    pub kind: ArgKind,
    /// It may be left out.
    pub has_default: bool,
}

/// What a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// The argument without a name at this position.
    Positional(usize),
    /// The argument with a name at this place in the list of those.
    Keyword(usize),
    /// All arguments without a name from this position on: `*args`.
    Rest(usize),
    /// Nothing: its default, or no arguments of `**kwargs`.
    Default,
}

/// What each parameter of a function takes, in their order.
pub type Givens = SmallVec<[Given; 8]>;

/// Why arguments do not fit parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BindError {
    /// Parameters that may be passed by position, and have neither an argument nor a default.
    Missing(Vec<String>),
    /// Parameters after `*` without an argument or a default.
    MissingKeywordOnly(Vec<String>),
    /// More arguments without a name than parameters for them.
    TooMany {
        /// How many are needed at least.
        least: usize,
        /// How many there may be.
        most: usize,
        /// How many there are.
        given: usize,
        /// How many arguments parameters after `*` got.
        keyword_only: usize,
    },
    /// A parameter has two arguments.
    Multiple(String),
    /// No parameter has this name.
    Unexpected(String),
    /// Parameters before `/` that were named.
    PositionalOnly(Vec<String>),
}

/// Gives each parameter what it takes of `positional` arguments without a name and those named `keywords`, in the order
/// of the parameters. Where several things are wrong, the error is the one that CPython finds first.
pub fn bind(
    formals: &[Formal<'_>],
    positional: usize,
    keywords: &[&str],
) -> Result<Givens, BindError> {
    let by_position = (formals.iter())
        .take_while(|formal| formal.kind.takes_position())
        .count();
    let mut given: Givens = (formals.iter().enumerate())
        .map(|(index, formal)| match formal.kind {
            ArgKind::VarPositional => Given::Rest(by_position.min(positional)),
            _ if index < by_position.min(positional) => Given::Positional(index),
            _ => Given::Default,
        })
        .collect();
    let takes_others = formals.iter().any(|f| f.kind == ArgKind::VarKeyword);
    for (number, name) in keywords.iter().enumerate() {
        let named = |f: &Formal<'_>| f.name == *name && f.kind.takes_name();
        match formals.iter().position(named) {
            Some(index) if given[index] == Given::Default => given[index] = Given::Keyword(number),
            Some(_) => return Err(BindError::Multiple((*name).to_owned())),
            None if takes_others => {}
            None => {
                let only: Vec<String> = (formals.iter())
                    .filter(|f| f.kind == ArgKind::PositionalOnly && keywords.contains(&f.name))
                    .map(|f| f.name.to_owned())
                    .collect();
                return Err(if only.is_empty() {
                    BindError::Unexpected((*name).to_owned())
                } else {
                    BindError::PositionalOnly(only)
                });
            }
        }
    }
    let takes_rest = formals.iter().any(|f| f.kind == ArgKind::VarPositional);
    if positional > by_position && !takes_rest {
        let is_given = |index: &usize| {
            formals[*index].kind == ArgKind::KeywordOnly && given[*index] != Given::Default
        };
        return Err(BindError::TooMany {
            least: formals[..by_position]
                .iter()
                .filter(|f| !f.has_default)
                .count(),
            most: by_position,
            given: positional,
            keyword_only: (0..formals.len()).filter(is_given).count(),
        });
    }
    let missing = |wanted: fn(ArgKind) -> bool| -> Vec<String> {
        let open = |(formal, given): &(&Formal<'_>, &Given)| {
            wanted(formal.kind) && !formal.has_default && **given == Given::Default
        };
        (formals.iter().zip(&given).filter(open))
            .map(|(formal, _)| formal.name.to_owned())
            .collect()
    };
    let positional = missing(ArgKind::takes_position);
    if !positional.is_empty() {
        return Err(BindError::Missing(positional));
    }
    let keyword_only = missing(|kind| kind == ArgKind::KeywordOnly);
    if !keyword_only.is_empty() {
        return Err(BindError::MissingKeywordOnly(keyword_only));
    }
    Ok(given)
}

impl BindError {
    /// CPython's text for a call of the function `name`.
    pub fn text(&self, name: &str) -> String {
        let s = |count: usize| if count == 1 { "" } else { "s" };
        let missing = |kind: &str, names: &[String]| {
            let count = names.len();
            let names = listed(names);
            format!(
                "{name}() missing {count} required {kind} argument{}: {names}",
                s(count)
            )
        };
        match self {
            BindError::Missing(names) => missing("positional", names),
            BindError::MissingKeywordOnly(names) => missing("keyword-only", names),
            BindError::TooMany {
                least,
                most,
                given,
                keyword_only,
            } => {
                let takes = if least < most {
                    format!("from {least} to {most} positional arguments")
                } else {
                    format!("{most} positional argument{}", s(*most))
                };
                let given = match keyword_only {
                    0 if *given == 1 => "1 was given".to_owned(),
                    0 => format!("{given} were given"),
                    named => format!(
                        "{given} positional argument{} (and {named} keyword-only argument{}) were given",
                        s(*given),
                        s(*named)
                    ),
                };
                format!("{name}() takes {takes} but {given}")
            }
            BindError::Multiple(argument) => {
                format!("{name}() got multiple values for argument '{argument}'")
            }
            BindError::Unexpected(argument) => {
                format!("{name}() got an unexpected keyword argument '{argument}'")
            }
            BindError::PositionalOnly(names) => format!(
                "{name}() got some positional-only arguments passed as keyword arguments: '{}'",
                names.join(", ")
            ),
        }
    }

    /// The text of `inspect.Signature.bind`, which Numba's messages hold.
    pub fn signature_text(&self) -> String {
        match self {
            BindError::Missing(names) | BindError::MissingKeywordOnly(names) => {
                format!("missing a required argument: '{}'", names[0])
            }
            BindError::TooMany { .. } => "too many positional arguments".to_owned(),
            BindError::Multiple(name) => format!("multiple values for argument '{name}'"),
            BindError::Unexpected(name) => format!("got an unexpected keyword argument '{name}'"),
            BindError::PositionalOnly(names) => format!(
                "'{}' parameter is positional only, but was passed as a keyword",
                names[0]
            ),
        }
    }
}

/// `'a'`, `'a' and 'b'`, `'a', 'b', and 'c'`
fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first, second] => format!("{first} and {second}"),
        [firsts @ .., last] => format!("{}, and {last}", firsts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parameters from `a b=`: `/` and `*` stand alone as in Python, `=` marks a default.
    fn formals(text: &str) -> Vec<Formal<'_>> {
        let mut found: Vec<Formal<'_>> = Vec::new();
        let mut star = false;
        for word in text.split_whitespace() {
            if word == "/" {
                for formal in &mut found {
                    formal.kind = ArgKind::PositionalOnly;
                }
                continue;
            }
            let bare = word.trim_start_matches('*');
            let kind = match word.len() - bare.len() {
                1 => ArgKind::VarPositional,
                2 => ArgKind::VarKeyword,
                _ if star => ArgKind::KeywordOnly,
                _ => ArgKind::PositionalOrKeyword,
            };
            star |= word.starts_with('*');
            if bare.is_empty() {
                continue;
            }
            found.push(Formal {
                name: bare.trim_end_matches('='),
                kind,
                has_default: bare.ends_with('='),
            });
        }
        found
    }

    #[test]
    fn parameters_take_arguments_as_in_cpython() {
        use Given::*;
        let cases: &[(&str, usize, &[&str], &[Given])] = &[
            ("a b=", 1, &[], &[Positional(0), Default]),
            ("a b=", 1, &["b"], &[Positional(0), Keyword(0)]),
            ("a b", 0, &["b", "a"], &[Keyword(1), Keyword(0)]),
            ("*s k=", 2, &[], &[Rest(0), Default]),
            ("a *s k", 3, &["k"], &[Positional(0), Rest(1), Keyword(0)]),
            ("a= *s", 0, &[], &[Default, Rest(0)]),
            ("a / **kw", 1, &["a"], &[Positional(0), Default]),
        ];
        for (params, positional, keywords, want) in cases {
            let got = bind(&formals(params), *positional, keywords);
            assert_eq!(got.as_deref(), Ok(*want), "({params})");
        }
    }

    #[test]
    fn errors_are_cpythons() {
        let cases: &[(&str, usize, &[&str], &str)] = &[
            (
                "a",
                0,
                &[],
                "f() missing 1 required positional argument: 'a'",
            ),
            (
                "a b",
                0,
                &[],
                "f() missing 2 required positional arguments: 'a' and 'b'",
            ),
            (
                "a b c",
                0,
                &[],
                "f() missing 3 required positional arguments: 'a', 'b', and 'c'",
            ),
            (
                "* k",
                0,
                &[],
                "f() missing 1 required keyword-only argument: 'k'",
            ),
            (
                "a * k",
                0,
                &[],
                "f() missing 1 required positional argument: 'a'",
            ),
            (
                "",
                1,
                &[],
                "f() takes 0 positional arguments but 1 was given",
            ),
            (
                "a",
                2,
                &[],
                "f() takes 1 positional argument but 2 were given",
            ),
            (
                "a b=",
                3,
                &[],
                "f() takes from 1 to 2 positional arguments but 3 were given",
            ),
            (
                "a * k",
                2,
                &["k"],
                "f() takes 1 positional argument but 2 positional arguments (and 1 keyword-only argument) were given",
            ),
            ("a", 1, &["a"], "f() got multiple values for argument 'a'"),
            ("a", 1, &["b"], "f() got an unexpected keyword argument 'b'"),
            (
                "a b / c=",
                0,
                &["b", "a"],
                "f() got some positional-only arguments passed as keyword arguments: 'a, b'",
            ),
        ];
        for (params, positional, keywords, want) in cases {
            let got = bind(&formals(params), *positional, keywords).expect_err(params);
            assert_eq!(got.text("f"), *want);
        }
    }
}
