//! Overload resolution as far as the tests need it: rank cases by conversion weights, try bodies in order.

use numbra_ir::lattice::{NoExt, rate};
use numbra_ir::{Signature, Type, Types};
use numbra_library::{Code, Mismatch, ParamKind, ResultCx, ResultRule, Row, Takes, plain};

/// The body and signature of a call with these arguments, one per entry of the signature; defaults are filled in here.
pub(crate) fn resolve(
    types: &Types,
    row: &Row,
    given: &[Type],
) -> Result<(usize, Signature), Vec<Mismatch>> {
    let mut args = given.to_vec();
    for param in row.params.iter().skip(given.len()) {
        match param.default {
            Some(numbra_library::DefaultValue::Unset) => break,
            Some(default) => {
                args.push(types.intern(numbra_ir::TypeKind::Omitted(default.to_const())))
            }
            None if param.kind == ParamKind::VarArgs => break,
            None => return Err(vec![Mismatch::rejected("missing argument")]),
        }
    }
    let plain_args: Vec<Type> = args.iter().map(|ty| plain(types, *ty)).collect();
    let mut failures = Vec::new();
    for (i, body) in row.bodies.iter().enumerate() {
        if !body.runs_on(false) || !body.applies(types, &args) {
            failures.push(Mismatch::rejected("patterns do not match"));
            continue;
        }
        let result = match body.result {
            ResultRule::Cases(cases) => cases
                .iter()
                .filter_map(|case| {
                    let params: Vec<Type> = case.params.iter().map(|s| types.scalar(*s)).collect();
                    let rating = rate(types, &NoExt, &plain_args, &params)?;
                    Some((
                        rating,
                        Signature {
                            params,
                            ret: types.scalar(case.ret),
                        },
                    ))
                })
                .min_by_key(|(rating, _)| *rating)
                .map(|(_, signature)| signature)
                .ok_or_else(|| Mismatch::rejected("no case")),
            ResultRule::Loops => match body.code {
                Code::Elementwise(ufunc) => ufunc.signature(types, &args),
                _ => Err(Mismatch::rejected("loops without a ufunc")),
            },
            ResultRule::Fn(rule) => rule(&ResultCx {
                moves: body
                    .code
                    .native()
                    .is_some_and(|native| native.takes == Takes::Any),
                times: body
                    .code
                    .native()
                    .is_some_and(|native| native.takes == Takes::Ordered),
                row: row.name,
                types,
                args: &args,
                ext: &NoExt,
            }),
            ResultRule::Infer => Ok(Signature {
                params: plain_args.clone(),
                ret: Type::UNDEFINED,
            }),
        };
        match result {
            Ok(signature) => return Ok((i, signature)),
            Err(mismatch @ Mismatch::Error(_)) => return Err(vec![mismatch]),
            Err(mismatch) => failures.push(mismatch),
        }
    }
    Err(failures)
}
