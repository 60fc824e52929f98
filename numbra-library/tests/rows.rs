//! Laws over all rows.

mod resolver;

use numbra_abi::{Kind, KindWord, NATIVE_BODY_PREFIX, Tag};
use numbra_ir::{Const, Layout, TimeUnit, Type, TypeKind, Types};
use numbra_library::native::kind_word;
use numbra_library::prelude::{FILES, prelude_func, prelude_source};
use numbra_library::{
    Code, Effects, Library, LoopType, ParamKind, ResultRule, Row, RowKind, ScalarCode, Targets,
    render_supported, slice_positions,
};
use resolver::resolve;
use std::collections::BTreeMap;

#[test]
fn names_are_unique_and_resolve() {
    let library = Library::standard();
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    for (name, id) in library.names() {
        let row = library.row_name(id);
        if let Some(other) = seen.insert(name, row) {
            panic!("{name} names {other} and {row}");
        }
        assert_eq!(library.lookup(name), Some(id), "{name}");
    }
}

#[test]
fn rows_are_complete() {
    for (_, row) in Library::standard().rows() {
        assert!(!row.doc.trim().is_empty(), "{} has no doc", row.name);
        assert!(
            row.doc.trim().ends_with(['.', '`']),
            "{}: {}",
            row.name,
            row.doc
        );
        assert!(!row.bodies.is_empty(), "{} has no body", row.name);
        assert!(row.name.contains('.'), "{}", row.name);
        let variadic = row.params.iter().position(|p| p.kind == ParamKind::VarArgs);
        assert!(
            variadic.is_none_or(|at| row.params[at + 1..]
                .iter()
                .all(|p| p.kind == ParamKind::KeywordOnly)),
            "{}: *args come last",
            row.name
        );
        if row.kind == RowKind::Attribute {
            assert_eq!(row.params.len(), 1, "{}", row.name);
        }
        for body in row.bodies {
            if let ResultRule::Cases(cases) = body.result {
                assert!(
                    cases.iter().all(|c| c.params.len() <= row.params.len()),
                    "{}: a case has more operands than the row",
                    row.name
                );
            }
        }
    }
}

/// A row that does not allocate, print or only call the runtime runs everywhere, and says so. Where some bodies call the
/// runtime, the others run everywhere.
#[test]
fn targets_follow_from_bodies() {
    for (_, row) in Library::standard().rows() {
        if row.targets == Targets::Gpu {
            continue;
        }
        let runtime = row.bodies.iter().all(|b| b.code.native().is_some());
        if runtime || row.effects.has(Effects::IO) {
            assert_eq!(row.targets, Targets::Cpu, "{}", row.name);
        }
        // A body for some types only, in front of one that allocates for the rest, may need no memory: a reshape that is a view.
        let always = row.bodies.iter().all(|body| body.guard.is_none());
        if row.effects.has(Effects::ALLOC) && !row.is_elementwise() && always {
            assert_eq!(row.targets, Targets::Cpu, "{}", row.name);
        }
    }
}

#[test]
fn native_bodies_have_the_names_of_such() {
    let bodies = Library::standard().rows().flat_map(|(_, row)| row.bodies);
    for symbol in bodies.filter_map(|body| Some(body.code.native()?.symbol)) {
        assert!(symbol.starts_with(NATIVE_BODY_PREFIX), "{symbol}");
    }
}

#[test]
fn prelude_bodies_have_sources() {
    let names = Library::standard()
        .rows()
        .flat_map(|(_, row)| row.bodies)
        .flat_map(|body| {
            let loops: Vec<&str> = match body.code {
                Code::Prelude(name) => vec![name],
                Code::Elementwise(ufunc) | Code::ElementwiseInPlace(ufunc) => ufunc
                    .loops
                    .iter()
                    .filter_map(|group| match group.code {
                        ScalarCode::Prelude(name) => Some(name),
                        ScalarCode::Op(_) => None,
                    })
                    .collect(),
                Code::Intrinsic(_) | Code::Native(_) => Vec::new(),
            };
            loops
        });
    for name in names {
        let source = prelude_source(name).unwrap_or_else(|| panic!("no source of {name}"));
        assert!(source.text.contains(&format!("def {name}(")), "{name}");
        assert!(source.text.contains("\"\"\""), "{name} has no docstring");
        assert!(
            prelude_func(name, &Types::new()).is_some(),
            "{name} has no IR"
        );
    }
    for numbra_library::prelude::PreludeFile {
        name: file,
        source: text,
        ..
    } in FILES
    {
        assert!(text.starts_with("\"\"\""), "{file} has no docstring");
        for word in [" for ", "yield ", "lambda "] {
            let inside = text
                .lines()
                .any(|line| line.trim_start().starts_with(['[', '{']) && line.contains(word));
            assert!(!inside, "{file}: no comprehensions in prelude code");
        }
    }
}

/// Each loop of each ufunc is well formed and chosen for exactly its own types or an earlier loop's.
#[test]
fn loops_parse_and_select_themselves() {
    let types = Types::new();
    let mut ufuncs = 0;
    for (_, row) in Library::standard().rows() {
        for body in row.bodies {
            let Code::Elementwise(ufunc) = body.code else {
                continue;
            };
            ufuncs += usize::from(row.name.starts_with("numpy."));
            let written: usize = ufunc
                .loops
                .iter()
                .map(|g| g.types.split_ascii_whitespace().count())
                .sum();
            let all: Vec<_> = ufunc.all_loops().collect();
            assert_eq!(written, all.len(), "{}: a loop does not parse", row.name);
            for (i, one) in all.iter().enumerate() {
                assert_eq!(one.ins.len(), usize::from(ufunc.nin), "{}", row.name);
                assert_eq!(one.outs.len(), usize::from(ufunc.nout), "{}", row.name);
                let args: Vec<Type> = one
                    .ins
                    .iter()
                    .map(|t| t.at(&types, TimeUnit::Day))
                    .collect();
                let chosen = ufunc
                    .select(&types, &args)
                    .expect("its own types select a loop");
                let unit = if one.ins.iter().any(|t| matches!(t, LoopType::Time { .. })) {
                    TimeUnit::Day
                } else {
                    TimeUnit::Generic
                };
                let types_of = |all: &[LoopType]| -> Vec<Type> {
                    all.iter().map(|t| t.at(&types, unit)).collect()
                };
                let at = all
                    .iter()
                    .position(|l| {
                        types_of(&l.ins) == chosen.ins
                            && types_of(&l.outs) == chosen.outs
                            && l.code == chosen.code
                    })
                    .expect("a loop of this ufunc");
                assert!(at <= i, "{}: {:?} selects a later loop", row.name, one.ins);
            }
        }
    }
    assert!(ufuncs > 80, "{ufuncs} ufuncs");
}

fn array_type(types: &Types, text: &str) -> Type {
    // `i4 2C`, `ro f8 1A`
    let (mutable, text) = match text.strip_prefix("ro ") {
        Some(rest) => (false, rest),
        None => (true, text),
    };
    let (dtype, shape) = text.split_once(' ').expect("dtype and shape");
    let layout = match &shape[1..] {
        "C" => Layout::C,
        "F" => Layout::F,
        _ => Layout::A,
    };
    let dtype = types.scalar(numbra_library::dtype_text(dtype).expect("a dtype"));
    let ndim = shape[..1].parse().expect("a rank");
    let ty = types.array(dtype, ndim, layout);
    let array = types.as_array(ty).expect("an array");
    types.intern(TypeKind::Array(numbra_ir::ArrayType { mutable, ..array }))
}

fn parse_type(types: &Types, text: &str) -> Type {
    match text {
        "none" => return Type::NONE,
        "int" => return Type::INT64,
        "()" => return Type::EMPTY_TUPLE,
        _ => {}
    }
    if let Some(dtype) = text.strip_prefix("dtype ") {
        let item = types.scalar(numbra_library::dtype_text(dtype).expect("a dtype"));
        return types.intern(TypeKind::DType(item));
    }
    if let Some(value) = text.strip_prefix("lit ") {
        return types.intern(TypeKind::Literal(Const::Int(
            value.parse().expect("an integer"),
        )));
    }
    if let Some(items) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        let items: Vec<Type> = items.split(", ").map(|t| parse_type(types, t)).collect();
        return types.tuple(&items);
    }
    if text.contains(' ') {
        return array_type(types, text);
    }
    types.scalar(numbra_library::dtype_text(text).expect("a scalar"))
}

/// Array functions at the types that Numba gives them: `golden/arrays.txt`.
#[test]
fn array_functions() {
    let types = Types::new();
    let library = Library::standard();
    let mut wrong = String::new();
    let lines = include_str!("golden/arrays.txt")
        .lines()
        .filter(|l| !l.starts_with('#'));
    for line in lines {
        let (call, want) = line.split_once(" -> ").expect("call -> result");
        let (name, args) = call.split_once(": ").expect("name: arguments");
        let args: Vec<Type> = args.split("; ").map(|t| parse_type(&types, t)).collect();
        let row = library.lookup(name).map(|id| library.row(id));
        let got = match row.and_then(|row| resolve(&types, row, &args).ok()) {
            Some((_, signature)) => types.display(signature.ret).to_string(),
            None => "-".to_owned(),
        };
        let want = match want {
            "-" => "-".to_owned(),
            want => types.display(parse_type(&types, want)).to_string(),
        };
        if got != want {
            wrong += &format!("{call}: want {want}, got {got}\n");
        }
    }
    assert_eq!(wrong, "");
}

#[test]
fn slices_of_tuples_pick_what_python_picks() {
    let part = |v: i64| if v == 9 { Const::None } else { Const::Int(v) };
    for (start, stop, step, want) in [
        (9, 9, 9, vec![0, 1, 2, 3]),
        (1, 3, 9, vec![1, 2]),
        (9, 9, -1, vec![3, 2, 1, 0]),
        (-2, 9, 9, vec![2, 3]),
        (9, -1, 2, vec![0, 2]),
        (3, 0, -2, vec![3, 1]),
        (-8, 8, 1, vec![0, 1, 2, 3]),
        (2, 1, 1, vec![]),
    ] {
        let parts = [part(start), part(stop), part(step)];
        assert_eq!(
            slice_positions(&parts, 4),
            Some(want),
            "{start}:{stop}:{step}"
        );
    }
    assert_eq!(slice_positions(&[part(9), part(9), part(0)], 4), None);
}

#[test]
fn kind_words() {
    let types = Types::new();
    let array = types.array(Type::FLOAT64, 2, Layout::F);
    let word = kind_word(&types, array).expect("an array is one");
    assert_eq!((word.tag(), word.ndim()), (Some(Tag::Array), 2));
    assert_eq!(word.element(), Some(Kind::Float64));
    assert!(word.is_fortran());
    let none = KindWord::new(Tag::Nothing, None);
    let int = KindWord::new(Tag::Scalar, Some(Kind::Int64));
    let three = KindWord::new(Tag::Tuple, None).with_length(3);
    let text = KindWord::new(Tag::Text, None);
    assert_eq!(kind_word(&types, Type::INT64), Some(int));
    assert_eq!(kind_word(&types, Type::NONE), Some(none));
    let tuple = types.tuple(&[array, array, array]);
    assert_eq!(kind_word(&types, tuple), Some(three));
    assert_eq!(kind_word(&types, Type::UNICODE), Some(text));
    assert_eq!(kind_word(&types, Type::RANGE_INT64), None);
}

/// Numbers, arrays and tuples have the members that the rows give them, and no attribute is found as a method.
#[test]
fn members() {
    let types = Types::new();
    let library = Library::standard();
    assert_eq!(
        library.members(&types, Type::INT64),
        ["bit_count", "conjugate", "imag", "item", "real", "view"]
    );
    let array = types.array(Type::FLOAT64, 1, Layout::C);
    assert!(library.attribute(&types, array, "shape").is_some());
    assert!(library.method(&types, array, "shape").is_none());
    assert!(library.method(&types, array, "sum").is_some());
    assert!(library.attribute(&types, array, "sum").is_none());
    assert!(library.attribute(&types, Type::NONE, "shape").is_none());
}

#[test]
fn supported_table_lists_every_row() {
    let library = Library::standard();
    let text = render_supported(library);
    let rows = text.lines().filter(|l| l.starts_with("| `")).count();
    assert_eq!(rows, library.rows().count());
    assert!(
        text.contains("| `sum(a, axis=None, dtype=None)` `array.sum` |"),
        "{text}"
    );
}

/// No rule panics, whatever the types.
#[test]
fn rules_are_total() {
    let types = Types::new();
    let array = types.array(Type::FLOAT32, 2, Layout::A);
    let scalar0 = types.array(Type::COMPLEX64, 0, Layout::C);
    let odd = [
        Type::UNDEFINED,
        Type::PYOBJECT,
        Type::NONE,
        Type::ELLIPSIS,
        Type::BOOL,
        Type::INT8,
        Type::UINT64,
        Type::FLOAT64,
        Type::COMPLEX64,
        Type::UNICODE,
        Type::SLICE2,
        Type::EMPTY_TUPLE,
        Type::RANGE_INT64,
        Type::RANGE_ITER_INT64,
        array,
        scalar0,
        types.array(Type::UNICODE, 1, Layout::C),
        types.optional(Type::INT64),
        types.tuple(&[Type::INT64, array]),
        types.tuple(&[array, array]),
        types.tuple(&[scalar0, scalar0]),
        types.intern(TypeKind::Literal(Const::Int(i64::MIN))),
        types.intern(TypeKind::Literal(Const::Int(i64::MAX))),
        types.intern(TypeKind::Literal(Const::Str("f4".to_owned()))),
        types.intern(TypeKind::Omitted(Const::None)),
        types.intern(TypeKind::DType(Type::FLOAT32)),
        types.intern(TypeKind::SliceLiteral(Box::new([
            Const::Int(i64::MIN),
            Const::Int(i64::MAX),
            Const::Int(i64::MAX),
        ]))),
        types.intern(TypeKind::BoundMethod {
            receiver: array,
            method: "flat".to_owned(),
        }),
        types.intern(TypeKind::BoundMethod {
            receiver: Type::NONE,
            method: "flat".to_owned(),
        }),
    ];
    let mut found = 0;
    let rows: Vec<&Row> = Library::standard().rows().map(|(_, row)| row).collect();
    for row in rows {
        found += usize::from(resolve(&types, row, &[]).is_ok());
        for a in odd {
            found += usize::from(resolve(&types, row, &[a]).is_ok());
            for b in odd {
                found += usize::from(resolve(&types, row, &[a, b]).is_ok());
                if row.params.len() > 2 {
                    for c in odd {
                        found += usize::from(resolve(&types, row, &[a, b, c]).is_ok());
                    }
                }
            }
        }
    }
    assert!(found > 1000);
}
