//! Laws over all small types, and comparison with tables measured on Numba 0.68.1.

use super::*;
use crate::{ArrayType, Const, Flavor, Layout, ListClass, Scalar, Type, TypeKind, Types};

/// The types of the golden files, in their order.
fn small_types(t: &Types) -> Vec<Type> {
    use TypeKind as K;
    let lit = |c| t.intern(K::Literal(c));
    let int = |v| lit(Const::Int(v));
    let text = |s: &str| lit(Const::Str(s.into()));
    let omitted = |c| t.intern(K::Omitted(c));
    let named = |name: &str, items: [Type; 2]| {
        t.intern(K::NamedTuple(
            name.into(),
            vec!["x".into(), "y".into()],
            items.to_vec(),
        ))
    };
    let star = |items: [Type; 2]| t.intern(K::StarArgTuple(items.to_vec()));
    let array = |dtype, ndim, layout, mutable, aligned| {
        t.intern(K::Array(ArrayType {
            dtype,
            ndim,
            layout,
            mutable,
            aligned,
        }))
    };
    let (f8, f4) = (Type::FLOAT64, Type::FLOAT32);
    let (i4, i8) = (Type::INT32, Type::INT64);
    let list = |dtype, class| t.list_of(dtype, class);
    let slice = |step| {
        t.intern(K::SliceLiteral(Box::new([
            Const::Int(1),
            Const::Int(2),
            step,
        ])))
    };
    let mut all: Vec<Type> = Scalar::ALL.iter().map(|s| t.scalar(*s)).collect();
    all.extend([
        Type::NONE,
        Type::UNDEFINED,
        Type::PYOBJECT,
        Type::UNICODE,
        Type::BYTES,
        int(1),
        int(2),
        int(-1),
        lit(Const::Bool(true)),
        lit(Const::Bool(false)),
        text("a"),
        text("b"),
        omitted(Const::Int(1)),
        omitted(Const::None),
        omitted(Const::float(1.5)),
        omitted(Const::Bool(true)),
        t.optional(i4),
        t.optional(i8),
        t.optional(f8),
        t.optional(Type::BOOL),
        t.optional(t.array(f8, 1, Layout::C)),
        t.tuple(&[i4, i4]),
        t.tuple(&[i8, i8]),
        t.tuple(&[f8, f8]),
        t.tuple(&[i8, i8, i8]),
        t.tuple(&[i4, f4]),
        t.tuple(&[i8, Type::UNICODE]),
        t.tuple(&[i8, text("a")]),
        Type::EMPTY_TUPLE,
        t.tuple(&[int(1), int(2)]),
        t.tuple(&[int(1), int(1)]),
        t.tuple(&[i8, Type::NONE]),
        star([i8, f8]),
        star([i8, i8]),
        named("P", [i8, i8]),
        named("P", [i8, f8]),
        named("Q", [i8, i8]),
        array(f8, 1, Layout::C, true, true),
        array(f8, 1, Layout::F, true, true),
        array(f8, 1, Layout::A, true, true),
        array(f8, 1, Layout::C, false, true),
        array(f8, 1, Layout::A, false, true),
        array(f8, 1, Layout::C, true, false),
        array(f4, 1, Layout::C, true, true),
        array(f8, 2, Layout::C, true, true),
        array(f8, 2, Layout::F, true, true),
        array(f8, 2, Layout::A, true, true),
        list(i8, ListClass::Local),
        list(f8, ListClass::Local),
        list(i8, ListClass::Reflected),
        list(i8, ListClass::Typed),
        list(Type::UNDEFINED, ListClass::Local),
        Type::SLICE2,
        Type::SLICE3,
        slice(Const::None),
        slice(Const::Int(3)),
        Type::RANGE_INT64,
        Type::RANGE_ITER_INT64,
        t.intern(K::Range(i4)),
        t.intern(K::DType(f8)),
        t.intern(K::DType(f4)),
        t.intern(K::NumberClass(i8)),
        Type::ELLIPSIS,
        t.intern(K::Pair(i8, Type::BOOL)),
    ]);
    all
}

fn letter(conversion: Option<Conversion>) -> char {
    match conversion {
        Some(Conversion::Exact) => '=',
        Some(Conversion::Promote) => 'p',
        Some(Conversion::Safe) => 's',
        Some(Conversion::Unsafe) => 'u',
        None => '-',
    }
}

#[test]
fn conversions_are_numbas() {
    let t = Types::new();
    let all = small_types(&t);
    let mut ours = String::new();
    for from in &all {
        let row: String = all
            .iter()
            .map(|to| letter(can_convert(&t, *from, *to)))
            .collect();
        ours += &format!("{row} {}\n", t.display(*from));
    }
    for (our, golden) in ours.lines().zip(include_str!("golden_convert.txt").lines()) {
        assert_eq!(our, golden);
    }
    assert_eq!(
        ours.lines().count(),
        include_str!("golden_convert.txt").lines().count()
    );
}

#[test]
fn unifications_are_numbas() {
    let t = Types::new();
    let all = small_types(&t);
    let mut ours = Vec::new();
    for (i, a) in all.iter().enumerate() {
        for b in &all[i + 1..] {
            if *a == Type::UNDEFINED || *b == Type::UNDEFINED {
                assert_eq!(
                    unify(&t, *a, *b),
                    Some(if *a == Type::UNDEFINED { *b } else { *a })
                );
                continue;
            }
            if let Some(joined) = unify(&t, *a, *b) {
                ours.push(format!(
                    "{} | {} | {}",
                    t.display(*a),
                    t.display(*b),
                    t.display(joined)
                ));
            }
        }
    }
    // Numba joins named tuples with tuples of several types, and converts none of them: see `unify_tuples`.
    let is_named = |line: &str| line.contains(" | P(") || line.contains(" | Q(");
    let refused = |line: &&str| {
        is_named(line) && (line.starts_with("Tuple(") || line.starts_with("StarArgTuple("))
    };
    let golden = include_str!("golden_unify.txt").lines();
    let golden: Vec<&str> = golden.filter(|line| !refused(line)).collect();
    let ours: Vec<&str> = ours.iter().map(String::as_str).collect();
    for (our, golden) in ours.iter().zip(&golden) {
        assert_eq!(our, golden);
    }
    assert_eq!(ours.len(), golden.len());
}

#[test]
fn unify_is_commutative_and_idempotent() {
    let t = Types::new();
    let all = small_types(&t);
    for a in &all {
        assert_eq!(unify(&t, *a, *a), Some(*a));
        for b in &all {
            assert_eq!(
                unify(&t, *a, *b),
                unify(&t, *b, *a),
                "{} {}",
                t.display(*a),
                t.display(*b)
            );
        }
    }
}

#[test]
fn named_tuples_and_others_do_not_unify() {
    let t = Types::new();
    let i8 = Type::INT64;
    let named = t.intern(TypeKind::NamedTuple(
        "P".to_owned(),
        vec!["x".to_owned(), "y".to_owned()],
        vec![i8, i8],
    ));
    let one = t.intern(TypeKind::Literal(Const::Int(1)));
    let two = t.intern(TypeKind::Literal(Const::Int(2)));
    for uniform in [
        t.tuple(&[i8, i8]),
        t.tuple(&[one, two]),
        t.tuple(&[one, i8]),
    ] {
        assert_eq!(unify(&t, named, uniform), None);
        assert_eq!(unify(&t, uniform, named), None);
    }
    assert_eq!(unify(&t, named, t.tuple(&[i8, Type::FLOAT64])), None);
}

#[test]
fn unify_is_absorbing() {
    // The common type takes in either side again without changing; named tuples lose their name in Numba and do not.
    let t = Types::new();
    let mut all = small_types(&t);
    all.retain(|ty| !matches!(t.kind(*ty), TypeKind::NamedTuple(..)));
    for a in &all {
        for b in &all {
            if let Some(joined) = unify(&t, *a, *b) {
                assert_eq!(
                    unify(&t, joined, *a),
                    Some(joined),
                    "{} {}",
                    t.display(*a),
                    t.display(*b)
                );
            }
        }
    }
}

#[test]
fn unify_of_scalars_is_associative_up_to_signedness() {
    // Numba's (and NumPy's) promotion is not associative where signed meets unsigned: (i1 | u2) | f4 is i4 | f4,
    // which is f8, while i1 | (u2 | f4) is f4. `unify_all` joins from narrow to wide for that reason.
    let mut broken = 0;
    for a in Scalar::ALL {
        for b in Scalar::ALL {
            for c in Scalar::ALL {
                let left = result_type(result_type(a, b), c);
                let right = result_type(a, result_type(b, c));
                if left != right {
                    broken += 1;
                    let all = [a, b, c];
                    assert!(
                        all.iter().any(|s| s.is_signed_int())
                            && all.iter().any(|s| s.is_unsigned_int())
                            || all.contains(&Scalar::Float16),
                        "{a:?} {b:?} {c:?}"
                    );
                }
            }
        }
    }
    assert_eq!(broken, 28);
}

#[test]
fn optional_and_none_unify_associatively() {
    let t = Types::new();
    let all = [
        Type::NONE,
        Type::INT32,
        Type::INT64,
        Type::FLOAT64,
        Type::COMPLEX128,
        t.optional(Type::INT64),
        t.optional(Type::FLOAT64),
        Type::UNICODE,
    ];
    for a in all {
        for b in all {
            for c in all {
                let left = unify(&t, a, b).and_then(|x| unify(&t, x, c));
                let right = unify(&t, b, c).and_then(|x| unify(&t, a, x));
                assert_eq!(left, right);
            }
        }
    }
}

#[test]
fn lossless_conversion_is_transitive_for_scalars() {
    let t = Types::new();
    let safe = |a: Scalar, b: Scalar| {
        can_convert(&t, t.scalar(a), t.scalar(b)).is_some_and(|c| c <= Conversion::Safe)
    };
    for a in Scalar::ALL {
        for b in Scalar::ALL {
            for c in Scalar::ALL {
                // Numba calls int64 -> float64 safe, but not uint8 -> float16.
                if safe(a, b) && safe(b, c) && a != Scalar::UInt8 {
                    assert!(safe(a, c), "{a:?} {b:?} {c:?}");
                }
            }
        }
    }
}

#[test]
fn overloads_are_ranked_worst_conversion_first() {
    let t = Types::new();
    let rated = |actual: &[Type], formal: &[Type]| rate(&t, &NoExt, actual, formal);
    let (f4, f8, i4) = (Type::FLOAT32, Type::FLOAT64, Type::INT32);
    // float32 + int32: float64 loses nothing, float32 would.
    assert!(rated(&[f4, i4], &[f8, f8]) < rated(&[f4, i4], &[f4, f4]));
    assert_eq!(rated(&[f4], &[f4]), Some(Rating::default()));
    assert_eq!(rated(&[f4], &[f4, f4]), None);
    assert_eq!(rated(&[Type::UNICODE], &[f4]), None);
}

#[test]
fn weak_scalars_follow_nep_50() {
    let weak = |scalar| Operand { scalar, weak: true };
    let strong = |scalar| Operand {
        scalar,
        weak: false,
    };
    use Scalar::*;
    for (operands, expected) in [
        (vec![strong(Int8), weak(Int64)], Int8),
        (vec![strong(UInt8), weak(Int64)], UInt8),
        (vec![strong(Bool), weak(Int64)], Int64),
        (vec![strong(Int8), weak(Float64)], Float64),
        (vec![strong(Float32), weak(Float64)], Float32),
        (vec![strong(Float32), weak(Complex128)], Complex64),
        (vec![strong(Int8), weak(Complex128)], Complex128),
        (vec![weak(Int64), weak(Float64)], Float64),
        (vec![strong(Float16), weak(Int64)], Float16),
        (vec![strong(Int8), strong(UInt8)], Int16),
    ] {
        assert_eq!(weak_result_type(&operands), Some(expected), "{operands:?}");
    }
    assert_eq!(weak_result_type(&[]), None);
}

#[test]
fn casting_is_numpys() {
    use Scalar::*;
    assert!(can_cast_safe(Int32, Float64) && !can_cast_safe(Int32, Float32));
    assert!(can_cast_same_kind(Float64, Float32) && can_cast_same_kind(UInt8, Int8));
    assert!(!can_cast_same_kind(Int8, UInt8) && !can_cast_same_kind(Float32, Int64));
    assert!(ufunc_can_cast(Int64, Float32, true) && !ufunc_can_cast(Int64, Float32, false));
}

#[test]
fn python_scalars_meet_numpy_scalars() {
    let t = Types::new();
    let py = t.intern(TypeKind::Scalar(Scalar::Int64, Flavor::Python));
    assert_eq!(unify(&t, py, Type::INT64), Some(Type::INT64));
    assert_eq!(unify(&t, py, Type::FLOAT64), Some(Type::FLOAT64));
    assert_eq!(can_convert(&t, py, Type::INT64), Some(Conversion::Promote));
}

#[test]
fn bfloat16_is_among_numbers_as_numba_cuda_has_it() {
    use Conversion::{Exact, Safe, Unsafe};
    let t = Types::new();
    let bfloat = Type::BFLOAT16;
    assert_eq!(t.display(bfloat).to_string(), "__nv_bfloat16");
    assert_eq!(can_convert(&t, bfloat, bfloat), Some(Exact));
    for (other, from, to, joined) in [
        (Type::INT8, Some(Safe), Some(Unsafe), Some(bfloat)),
        (Type::UINT8, Some(Safe), Some(Unsafe), Some(bfloat)),
        (Type::INT16, Some(Unsafe), Some(Unsafe), None),
        (Type::UINT64, Some(Unsafe), Some(Unsafe), None),
        (Type::FLOAT16, Some(Unsafe), Some(Unsafe), None),
        (Type::FLOAT32, Some(Unsafe), Some(Safe), Some(Type::FLOAT32)),
        (Type::FLOAT64, Some(Unsafe), Some(Safe), Some(Type::FLOAT64)),
        (Type::BOOL, None, None, None),
        (Type::COMPLEX64, None, None, None),
        (Type::UNICODE, None, None, None),
    ] {
        let name = t.display(other).to_string();
        assert_eq!(can_convert(&t, other, bfloat), from, "{name}");
        assert_eq!(can_convert(&t, bfloat, other), to, "{name}");
        assert_eq!(unify(&t, bfloat, other), joined, "{name}");
        assert_eq!(unify(&t, other, bfloat), joined, "{name}");
    }
    // NumPy does not know it.
    assert!(!can_cast_same_kind(Scalar::BFloat16, Scalar::Float64));
    assert!(!can_cast_same_kind(Scalar::Int8, Scalar::BFloat16));
    assert_eq!(operand(&t, t.array(bfloat, 1, Layout::C)), None);
}
