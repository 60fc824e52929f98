//! Binding of a call's arguments to formal parameters: keywords, defaults, `*args`.

use numbra_ir::{ArgKind, ArgSpec, CallArg, Const, Type, TypeKind, Types};
use numbra_library::{DefaultValue, Param, ParamKind};

/// One argument of a call with its type.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Actual {
    pub(crate) arg: CallArg,
    pub(crate) ty: Type,
}

/// The arguments of a call as written; `*args` are expanded already.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Actuals {
    pub(crate) positional: Vec<Actual>,
    pub(crate) keyword: Vec<(String, Actual)>,
}

impl Actuals {
    pub(crate) fn of_positional(args: Vec<Actual>) -> Actuals {
        Actuals {
            positional: args,
            keyword: Vec::new(),
        }
    }

    /// The same arguments at other types.
    pub(crate) fn map_types(&self, mut f: impl FnMut(Type) -> Type) -> Actuals {
        let mut result = self.clone();
        for actual in &mut result.positional {
            actual.ty = f(actual.ty);
        }
        for (_, actual) in &mut result.keyword {
            actual.ty = f(actual.ty);
        }
        result
    }

    pub(crate) fn positional_types(&self) -> Vec<Type> {
        self.positional.iter().map(|a| a.ty).collect()
    }

    pub(crate) fn keyword_types(&self) -> Vec<(String, Type)> {
        self.keyword
            .iter()
            .map(|(name, a)| (name.clone(), a.ty))
            .collect()
    }
}

/// Why arguments do not bind, in the words of `inspect.Signature.bind`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BindError {
    Missing(String),
    TooMany { expected: usize, got: usize },
    Multiple(String),
    UnexpectedKeyword(String),
    PositionalOnly(String),
}

impl BindError {
    /// CPython's text.
    pub(crate) fn text(&self) -> String {
        match self {
            BindError::Missing(name) => format!("missing a required argument: '{name}'"),
            BindError::TooMany { .. } => "too many positional arguments".to_owned(),
            BindError::Multiple(name) => format!("multiple values for argument '{name}'"),
            BindError::UnexpectedKeyword(name) => {
                format!("got an unexpected keyword argument '{name}'")
            }
            BindError::PositionalOnly(name) => {
                format!("'{name}' parameter is positional only, but was passed as a keyword")
            }
        }
    }

    /// Our text.
    pub(crate) fn message(&self) -> String {
        match self {
            BindError::Missing(name) => format!("missing argument `{name}`"),
            BindError::TooMany { expected, got } => {
                let s = if *expected == 1 { "" } else { "s" };
                format!("takes at most {expected} argument{s}, {got} given")
            }
            BindError::Multiple(name) => format!("`{name}` is given twice"),
            BindError::UnexpectedKeyword(name) => format!("has no parameter `{name}`"),
            BindError::PositionalOnly(name) => format!("`{name}` cannot be passed by name"),
        }
    }
}

/// Binds to the parameters of a library row. The result has one entry per entry of the signature: parameters left
/// unset have none, `*args` parameters have one for each argument.
pub(crate) fn fold_row(
    types: &Types,
    params: &[Param],
    actuals: &Actuals,
) -> Result<Vec<Actual>, BindError> {
    let ways: Vec<(&str, Way)> = params
        .iter()
        .map(|p| {
            let way = match p.kind {
                ParamKind::Normal => Way::Either,
                ParamKind::PositionalOnly => Way::Position,
                ParamKind::KeywordOnly => Way::Keyword,
                ParamKind::VarArgs => Way::Rest,
            };
            (p.name, way)
        })
        .collect();
    let Bound { slots, mut rest } = bind(&ways, actuals)?;
    // Unset parameters vanish only as a suffix: one that stands before a given argument reads as None.
    let last_given = slots.iter().rposition(Option::is_some);
    let mut folded = Vec::with_capacity(params.len());
    for (i, (param, slot)) in params.iter().zip(slots).enumerate() {
        if ways[i].1 == Way::Rest {
            folded.append(&mut rest);
            continue;
        }
        match (slot, param.default) {
            (Some(actual), _) => folded.push(actual),
            (None, None) => return Err(BindError::Missing(param.name.to_owned())),
            (None, Some(DefaultValue::Unset)) if last_given.is_none_or(|last| i > last) => {}
            (None, Some(default)) => {
                let value = default.to_const();
                folded.push(Actual {
                    ty: types.intern(TypeKind::Omitted(value.clone())),
                    arg: CallArg::Default(value),
                });
            }
        }
    }
    Ok(folded)
}

/// Binds to the parameters of a function in IR: one entry per parameter; `*args` becomes a tuple.
pub(crate) fn fold_specs(
    types: &Types,
    specs: &[ArgSpec],
    actuals: &Actuals,
) -> Result<Vec<Actual>, BindError> {
    let ways: Vec<(&str, Way)> = specs
        .iter()
        .map(|s| {
            let way = match s.kind {
                ArgKind::PositionalOnly => Way::Position,
                ArgKind::PositionalOrKeyword => Way::Either,
                ArgKind::KeywordOnly => Way::Keyword,
                ArgKind::VarPositional => Way::Rest,
                ArgKind::VarKeyword => Way::Unnamed,
            };
            (s.name.as_str(), way)
        })
        .collect();
    let Bound { slots, mut rest } = bind(&ways, actuals)?;
    let mut folded = Vec::with_capacity(specs.len());
    for (i, (spec, slot)) in specs.iter().zip(slots).enumerate() {
        if ways[i].1 == Way::Rest {
            let rest = std::mem::take(&mut rest);
            let items = rest.iter().map(|a| types.unliteral(a.ty)).collect();
            folded.push(Actual {
                ty: types.intern(TypeKind::StarArgTuple(items)),
                arg: CallArg::Tuple(rest.into_iter().map(|a| a.arg).collect()),
            });
            continue;
        }
        match (slot, &spec.default) {
            (Some(actual), _) => folded.push(actual),
            (None, Some(default)) => folded.push(omitted(types, default)),
            (None, None) if spec.kind == ArgKind::VarKeyword => {
                folded.push(omitted(types, &Const::None));
            }
            (None, None) => return Err(BindError::Missing(spec.name.clone())),
        }
    }
    Ok(folded)
}

/// How an argument reaches a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Position,
    Either,
    Keyword,
    /// `*args`
    Rest,
    /// `**kwargs`: no argument does.
    Unnamed,
}

/// The arguments by parameter, and those for `*args`.
struct Bound {
    slots: Vec<Option<Actual>>,
    rest: Vec<Actual>,
}

/// Puts each argument at its parameter, as CPython does; parameters may stay empty.
fn bind(params: &[(&str, Way)], actuals: &Actuals) -> Result<Bound, BindError> {
    let mut slots: Vec<Option<Actual>> = vec![None; params.len()];
    let mut rest = Vec::new();
    let star = params.iter().any(|(_, way)| *way == Way::Rest);
    let by_position = params
        .iter()
        .take_while(|(_, way)| matches!(way, Way::Position | Way::Either))
        .count();
    for (i, actual) in actuals.positional.iter().enumerate() {
        if i < by_position {
            slots[i] = Some(actual.clone());
        } else if star {
            rest.push(actual.clone());
        } else {
            return Err(BindError::TooMany {
                expected: by_position,
                got: actuals.positional.len(),
            });
        }
    }
    for (name, actual) in &actuals.keyword {
        let named =
            |(param, way): &(&str, Way)| param == name && !matches!(way, Way::Rest | Way::Unnamed);
        let Some(i) = params.iter().position(named) else {
            return Err(BindError::UnexpectedKeyword(name.clone()));
        };
        if params[i].1 == Way::Position {
            return Err(BindError::PositionalOnly(name.clone()));
        }
        if slots[i].is_some() {
            return Err(BindError::Multiple(name.clone()));
        }
        slots[i] = Some(actual.clone());
    }
    Ok(Bound { slots, rest })
}

fn omitted(types: &Types, default: &Const) -> Actual {
    Actual {
        ty: types.intern(TypeKind::Omitted(default.clone())),
        arg: CallArg::Default(default.clone()),
    }
}
