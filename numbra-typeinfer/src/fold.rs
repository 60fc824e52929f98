//! Binding of a call's arguments to formal parameters: keywords, defaults, `*args`.

use numbra_ir::binding::{BindError, Formal, Given, Givens, bind};
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

    /// Which of them each parameter takes. Keywords without a parameter are refused where `**kwargs` would take them.
    fn bind(&self, formals: &[Formal<'_>]) -> Result<Givens, BindError> {
        let names: Vec<&str> = self.keyword.iter().map(|(name, _)| name.as_str()).collect();
        let named: Vec<Formal<'_>> = (formals.iter().copied())
            .filter(|formal| formal.kind != ArgKind::VarKeyword)
            .collect();
        let mut given = bind(&named, self.positional.len(), &names)?;
        given.resize(formals.len(), Given::Default);
        Ok(given)
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

/// Binds to the parameters of a library row. The result has one entry per entry of the signature: parameters left
/// unset have none, `*args` parameters have one for each argument.
pub(crate) fn fold_row(
    types: &Types,
    params: &[Param],
    actuals: &Actuals,
) -> Result<Vec<Actual>, BindError> {
    let formals: Vec<Formal<'_>> = params
        .iter()
        .map(|p| Formal {
            name: p.name,
            kind: match p.kind {
                ParamKind::Normal => ArgKind::PositionalOrKeyword,
                ParamKind::PositionalOnly => ArgKind::PositionalOnly,
                ParamKind::KeywordOnly => ArgKind::KeywordOnly,
                ParamKind::VarArgs => ArgKind::VarPositional,
            },
            has_default: p.default.is_some(),
        })
        .collect();
    let given = actuals.bind(&formals)?;
    // Unset parameters vanish only as a suffix: one that stands before a given argument reads as None.
    let is_given = |given: &Given| matches!(given, Given::Positional(_) | Given::Keyword(_));
    let last_given = given.iter().rposition(is_given);
    let mut folded = Vec::with_capacity(params.len());
    for (i, (param, given)) in params.iter().zip(given).enumerate() {
        match (given, param.default) {
            (Given::Positional(at), _) => folded.push(actuals.positional[at].clone()),
            (Given::Keyword(at), _) => folded.push(actuals.keyword[at].1.clone()),
            (Given::Rest(from), _) => folded.extend_from_slice(&actuals.positional[from..]),
            (Given::Default, Some(DefaultValue::Unset))
                if last_given.is_none_or(|last| i > last) => {}
            (Given::Default, default) => {
                let default = default.expect("`bind` leaves only parameters with defaults open");
                folded.push(omitted(types, &default.to_const()));
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
    let formals: Vec<Formal<'_>> = specs.iter().map(ArgSpec::formal).collect();
    let given = actuals.bind(&formals)?;
    let take = |(spec, given): (&ArgSpec, Given)| match given {
        Given::Positional(at) => actuals.positional[at].clone(),
        Given::Keyword(at) => actuals.keyword[at].1.clone(),
        Given::Rest(from) => {
            let rest = &actuals.positional[from..];
            let items = rest.iter().map(|a| types.unliteral(a.ty)).collect();
            Actual {
                ty: types.intern(TypeKind::StarArgTuple(items)),
                arg: CallArg::Tuple(rest.iter().map(|a| a.arg.clone()).collect()),
            }
        }
        Given::Default => omitted(types, spec.default.as_ref().unwrap_or(&Const::None)),
    };
    Ok(specs.iter().zip(given).map(take).collect())
}

fn omitted(types: &Types, default: &Const) -> Actual {
    Actual {
        ty: types.intern(TypeKind::Omitted(default.clone())),
        arg: CallArg::Default(default.clone()),
    }
}
