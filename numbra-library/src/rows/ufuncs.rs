//! NumPy's universal functions over scalars: loops in NumPy's order, each with its scalar operation.

use crate::loops::{Elementwise, LoopGroup, ScalarCode, fits_output};
use crate::rules::{array, check_mutable};
use crate::{
    CmpOp, ComplexFn, DivModel, FloatClass, MathFn, Mismatch, Op, ResultCx, Rounding, TimeOp,
};
use numbra_ir::{BinOp, Scalar, Signature, Type};

const fn group(types: &'static str, op: Op) -> LoopGroup {
    LoopGroup {
        types,
        code: ScalarCode::Op(op),
    }
}

const fn time(types: &'static str, op: TimeOp) -> LoopGroup {
    group(types, Op::Time(op))
}

const fn unary(loops: &'static [LoopGroup]) -> Elementwise {
    Elementwise {
        nin: 1,
        nout: 1,
        loops,
    }
}

const fn binary(loops: &'static [LoopGroup]) -> Elementwise {
    Elementwise {
        nin: 2,
        nout: 1,
        loops,
    }
}

pub(crate) static ADD: Elementwise = binary(&[
    group("??->?", Op::BitOr),
    group(
        "bb->b BB->B hh->h HH->H ii->i II->I ll->l LL->L ff->f dd->d FF->F DD->D",
        Op::Add,
    ),
    time("mm->m mM->M Mm->M", TimeOp::Add),
]);

pub(crate) static SUBTRACT: Elementwise = binary(&[
    group(
        "bb->b BB->B hh->h HH->H ii->i II->I ll->l LL->L ff->f dd->d FF->F DD->D",
        Op::Sub,
    ),
    time("mm->m MM->m Mm->M", TimeOp::Sub),
]);

pub(crate) static MULTIPLY: Elementwise = binary(&[
    group("??->?", Op::BitAnd),
    group(
        "bb->b BB->B hh->h HH->H ii->i II->I ll->l LL->L ff->f dd->d FF->F DD->D",
        Op::Mul,
    ),
    time("ml->m lm->m", TimeOp::MulInt),
    time("md->m dm->m", TimeOp::MulFloat),
]);

pub(crate) static DIVIDE: Elementwise = binary(&[
    group("ff->f dd->d FF->F DD->D", Op::TrueDiv(DivModel::Numpy)),
    time("ml->m", TimeOp::DivInt),
    time("md->m", TimeOp::DivFloat),
    time("mm->d", TimeOp::Ratio),
]);

pub(crate) static FLOOR_DIVIDE: Elementwise = binary(&[
    group(
        "bb->b BB->B hh->h HH->H ii->i II->I ll->l LL->L ff->f dd->d",
        Op::FloorDiv(DivModel::Numpy),
    ),
    time("ml->m", TimeOp::DivInt),
    time("md->m", TimeOp::DivFloat),
    time("mm->l", TimeOp::FloorDiv),
]);

pub(crate) static REMAINDER: Elementwise = binary(&[
    group(
        "bb->b BB->B hh->h HH->H ii->i II->I ll->l LL->L ff->f dd->d",
        Op::Mod(DivModel::Numpy),
    ),
    time("mm->m", TimeOp::Mod),
]);

pub(crate) static FMOD: Elementwise = binary(&[group(
    "bb->b BB->B hh->h HH->H ii->i II->I ll->l LL->L ff->f dd->d",
    Op::FMod,
)]);

pub(crate) static DIVMOD: Elementwise = Elementwise {
    nin: 2,
    nout: 2,
    loops: &[group(
        "bb->bb BB->BB hh->hh HH->HH ii->ii II->II ll->ll LL->LL ff->ff dd->dd",
        Op::DivMod(DivModel::Numpy),
    )],
};

pub(crate) static POWER: Elementwise = binary(&[group(
    "bb->b BB->B hh->h HH->H ii->i II->I ll->l LL->L ff->f dd->d FF->F DD->D",
    Op::PowElement,
)]);

pub(crate) static FLOAT_POWER: Elementwise =
    binary(&[group("dd->d DD->D", Op::Pow(DivModel::Numpy))]);

pub(crate) static GCD: Elementwise = binary(&[group(
    "bb->b BB->B hh->h HH->H ii->i II->I ll->l LL->L",
    Op::Gcd,
)]);

pub(crate) static LCM: Elementwise = binary(&[group(
    "bb->b BB->B hh->h HH->H ii->i II->I ll->l LL->L",
    Op::Lcm,
)]);

pub(crate) static BITWISE_AND: Elementwise = binary(&[group(
    "??->? bb->b BB->B hh->h HH->H ii->i II->I ll->l LL->L",
    Op::BitAnd,
)]);

pub(crate) static BITWISE_OR: Elementwise = binary(&[group(
    "??->? bb->b BB->B hh->h HH->H ii->i II->I ll->l LL->L",
    Op::BitOr,
)]);

pub(crate) static BITWISE_XOR: Elementwise = binary(&[group(
    "??->? bb->b BB->B hh->h HH->H ii->i II->I ll->l LL->L",
    Op::BitXor,
)]);

pub(crate) static INVERT: Elementwise = unary(&[group(
    "?->? b->b B->B h->h H->H i->i I->I l->l L->L",
    Op::Invert,
)]);

pub(crate) static LEFT_SHIFT: Elementwise = binary(&[group(
    "bb->b BB->B hh->h HH->H ii->i II->I ll->l LL->L",
    Op::ShlClamp,
)]);

pub(crate) static RIGHT_SHIFT: Elementwise = binary(&[group(
    "bb->b BB->B hh->h HH->H ii->i II->I ll->l LL->L",
    Op::ShrClamp,
)]);

pub(crate) static EQUAL: Elementwise = binary(&[
    group(
        "??->? bb->? BB->? hh->? HH->? ii->? II->? ll->? LL->? lL->? Ll->? ff->? dd->? FF->? DD->?",
        Op::Cmp(CmpOp::Eq),
    ),
    time("mm->? MM->?", TimeOp::Cmp(CmpOp::Eq)),
]);

pub(crate) static NOT_EQUAL: Elementwise = binary(&[
    group(
        "??->? bb->? BB->? hh->? HH->? ii->? II->? ll->? LL->? lL->? Ll->? ff->? dd->? FF->? DD->?",
        Op::Cmp(CmpOp::Ne),
    ),
    time("mm->? MM->?", TimeOp::Cmp(CmpOp::Ne)),
]);

pub(crate) static LESS: Elementwise = binary(&[
    group(
        "??->? bb->? BB->? hh->? HH->? ii->? II->? ll->? LL->? lL->? Ll->? ff->? dd->? FF->? DD->?",
        Op::Cmp(CmpOp::Lt),
    ),
    time("mm->? MM->?", TimeOp::Cmp(CmpOp::Lt)),
]);

pub(crate) static LESS_EQUAL: Elementwise = binary(&[
    group(
        "??->? bb->? BB->? hh->? HH->? ii->? II->? ll->? LL->? lL->? Ll->? ff->? dd->? FF->? DD->?",
        Op::Cmp(CmpOp::Le),
    ),
    time("mm->? MM->?", TimeOp::Cmp(CmpOp::Le)),
]);

pub(crate) static GREATER: Elementwise = binary(&[
    group(
        "??->? bb->? BB->? hh->? HH->? ii->? II->? ll->? LL->? lL->? Ll->? ff->? dd->? FF->? DD->?",
        Op::Cmp(CmpOp::Gt),
    ),
    time("mm->? MM->?", TimeOp::Cmp(CmpOp::Gt)),
]);

pub(crate) static GREATER_EQUAL: Elementwise = binary(&[
    group(
        "??->? bb->? BB->? hh->? HH->? ii->? II->? ll->? LL->? lL->? Ll->? ff->? dd->? FF->? DD->?",
        Op::Cmp(CmpOp::Ge),
    ),
    time("mm->? MM->?", TimeOp::Cmp(CmpOp::Ge)),
]);

pub(crate) static LOGICAL_AND: Elementwise = binary(&[group(
    "??->? bb->? BB->? hh->? HH->? ii->? II->? ll->? LL->? ff->? dd->? FF->? DD->?",
    Op::LogicalAnd,
)]);

pub(crate) static LOGICAL_OR: Elementwise = binary(&[group(
    "??->? bb->? BB->? hh->? HH->? ii->? II->? ll->? LL->? ff->? dd->? FF->? DD->?",
    Op::LogicalOr,
)]);

pub(crate) static LOGICAL_XOR: Elementwise = binary(&[group(
    "??->? bb->? BB->? hh->? HH->? ii->? II->? ll->? LL->? ff->? dd->? FF->? DD->?",
    Op::LogicalXor,
)]);

pub(crate) static LOGICAL_NOT: Elementwise = unary(&[group(
    "?->? b->? B->? h->? H->? i->? I->? l->? L->? f->? d->? F->? D->?",
    Op::Not,
)]);

pub(crate) static MAXIMUM: Elementwise = binary(&[
    group(
        "??->? bb->b BB->B hh->h HH->H ii->i II->I ll->l LL->L ff->f dd->d FF->F DD->D",
        Op::NpMaximum,
    ),
    time("mm->m MM->M", TimeOp::Maximum),
]);

pub(crate) static MINIMUM: Elementwise = binary(&[
    group(
        "??->? bb->b BB->B hh->h HH->H ii->i II->I ll->l LL->L ff->f dd->d FF->F DD->D",
        Op::NpMinimum,
    ),
    time("mm->m MM->M", TimeOp::Minimum),
]);

pub(crate) static FMAX: Elementwise = binary(&[
    group(
        "??->? bb->b BB->B hh->h HH->H ii->i II->I ll->l LL->L ff->f dd->d FF->F DD->D",
        Op::FMax,
    ),
    time("mm->m MM->M", TimeOp::FMax),
]);

pub(crate) static FMIN: Elementwise = binary(&[
    group(
        "??->? bb->b BB->B hh->h HH->H ii->i II->I ll->l LL->L ff->f dd->d FF->F DD->D",
        Op::FMin,
    ),
    time("mm->m MM->M", TimeOp::FMin),
]);

pub(crate) static NEGATIVE: Elementwise = unary(&[
    group(
        "b->b B->B h->h H->H i->i I->I l->l L->L f->f d->d F->F D->D",
        Op::Neg,
    ),
    time("m->m", TimeOp::Neg),
]);

pub(crate) static POSITIVE: Elementwise = unary(&[
    group(
        "b->b B->B h->h H->H i->i I->I l->l L->L f->f d->d F->F D->D",
        Op::Identity,
    ),
    group("m->m", Op::Identity),
]);

pub(crate) static ABSOLUTE: Elementwise = unary(&[
    group("?->?", Op::Identity),
    group(
        "b->b B->B h->h H->H i->i I->I l->l L->L f->f d->d F->f D->d",
        Op::Abs,
    ),
    time("m->m", TimeOp::Abs),
]);

pub(crate) static FABS: Elementwise = unary(&[group("f->f d->d", Op::Abs)]);

pub(crate) static SIGN: Elementwise = unary(&[
    group(
        "b->b B->B h->h H->H i->i I->I l->l L->L f->f d->d F->F D->D",
        Op::Sign,
    ),
    time("m->d", TimeOp::Sign),
]);

pub(crate) static SQUARE: Elementwise = unary(&[group(
    "b->b B->B h->h H->H i->i I->I l->l L->L f->f d->d F->F D->D",
    Op::Square,
)]);

pub(crate) static RECIPROCAL: Elementwise = unary(&[group(
    "b->b B->B h->h H->H i->i I->I l->l L->L f->f d->d F->F D->D",
    Op::Reciprocal,
)]);

pub(crate) static CONJUGATE: Elementwise = unary(&[group(
    "b->b B->B h->h H->H i->i I->I l->l L->L f->f d->d F->F D->D",
    Op::Conjugate,
)]);

pub(crate) static SQRT: Elementwise = unary(&[group("f->f d->d F->F D->D", Op::Sqrt)]);

pub(crate) static CBRT: Elementwise = unary(&[group("f->f d->d", Op::Math(MathFn::Cbrt))]);

pub(crate) static EXP: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Exp)),
    group("F->F D->D", Op::Complex(ComplexFn::Exp)),
]);

pub(crate) static EXP2: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Exp2)),
    group("F->F D->D", Op::Complex(ComplexFn::Exp2)),
]);

pub(crate) static EXPM1: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Expm1)),
    group("F->F D->D", Op::Complex(ComplexFn::Expm1)),
]);

pub(crate) static LOG: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Log)),
    group("F->F D->D", Op::Complex(ComplexFn::Log)),
]);

pub(crate) static LOG2: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Log2)),
    group("F->F D->D", Op::Complex(ComplexFn::Log2)),
]);

pub(crate) static LOG10: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Log10)),
    group("F->F D->D", Op::Complex(ComplexFn::Log10)),
]);

pub(crate) static LOG1P: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Log1p)),
    group("F->F D->D", Op::Complex(ComplexFn::Log1p)),
]);

pub(crate) static SIN: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Sin)),
    group("F->F D->D", Op::Complex(ComplexFn::Sin)),
]);

pub(crate) static COS: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Cos)),
    group("F->F D->D", Op::Complex(ComplexFn::Cos)),
]);

pub(crate) static TAN: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Tan)),
    group("F->F D->D", Op::Complex(ComplexFn::Tan)),
]);

pub(crate) static ARCSIN: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Asin)),
    group("F->F D->D", Op::Complex(ComplexFn::Asin)),
]);

pub(crate) static ARCCOS: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Acos)),
    group("F->F D->D", Op::Complex(ComplexFn::Acos)),
]);

pub(crate) static ARCTAN: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Atan)),
    group("F->F D->D", Op::Complex(ComplexFn::Atan)),
]);

pub(crate) static SINH: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Sinh)),
    group("F->F D->D", Op::Complex(ComplexFn::Sinh)),
]);

pub(crate) static COSH: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Cosh)),
    group("F->F D->D", Op::Complex(ComplexFn::Cosh)),
]);

pub(crate) static TANH: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Tanh)),
    group("F->F D->D", Op::Complex(ComplexFn::Tanh)),
]);

pub(crate) static ARCSINH: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Asinh)),
    group("F->F D->D", Op::Complex(ComplexFn::Asinh)),
]);

pub(crate) static ARCCOSH: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Acosh)),
    group("F->F D->D", Op::Complex(ComplexFn::Acosh)),
]);

pub(crate) static ARCTANH: Elementwise = unary(&[
    group("f->f d->d", Op::Math(MathFn::Atanh)),
    group("F->F D->D", Op::Complex(ComplexFn::Atanh)),
]);

pub(crate) static ARCTAN2: Elementwise = binary(&[group("ff->f dd->d", Op::Math(MathFn::Atan2))]);

pub(crate) static HYPOT: Elementwise = binary(&[group("ff->f dd->d", Op::Math(MathFn::Hypot))]);

pub(crate) static NEXTAFTER: Elementwise =
    binary(&[group("ff->f dd->d", Op::Math(MathFn::NextAfter))]);

pub(crate) static COPYSIGN: Elementwise = binary(&[group("ff->f dd->d", Op::CopySign)]);

/// `np.where` of a condition and two numbers of one type.
pub(crate) static WHERE: Elementwise = Elementwise {
    nin: 3,
    nout: 1,
    loops: &[group(
        "???->? ?bb->b ?BB->B ?hh->h ?HH->H ?ii->i ?II->I ?ll->l ?LL->L ?ff->f ?dd->d ?FF->F ?DD->D",
        Op::Choose,
    )],
};

pub(crate) static LOGADDEXP: Elementwise = binary(&[group("ff->f dd->d", Op::LogAddExp)]);

pub(crate) static LOGADDEXP2: Elementwise = binary(&[group("ff->f dd->d", Op::LogAddExp2)]);

pub(crate) static LDEXP: Elementwise = binary(&[group("fi->f fl->f di->d dl->d", Op::Ldexp)]);

pub(crate) static FLOOR: Elementwise = unary(&[
    group("?->? b->b B->B h->h H->H i->i I->I l->l L->L", Op::Identity),
    group("f->f d->d", Op::Round(Rounding::Floor)),
]);

pub(crate) static CEIL: Elementwise = unary(&[
    group("?->? b->b B->B h->h H->H i->i I->I l->l L->L", Op::Identity),
    group("f->f d->d", Op::Round(Rounding::Ceil)),
]);

pub(crate) static TRUNC: Elementwise = unary(&[
    group("?->? b->b B->B h->h H->H i->i I->I l->l L->L", Op::Identity),
    group("f->f d->d", Op::Round(Rounding::Trunc)),
]);

pub(crate) static RINT: Elementwise =
    unary(&[group("f->f d->d F->F D->D", Op::Round(Rounding::Nearest))]);

pub(crate) static ISNAN: Elementwise = unary(&[
    group(
        "?->? b->? B->? h->? H->? i->? I->? l->? L->? f->? d->? F->? D->?",
        Op::Class(FloatClass::IsNan),
    ),
    time("m->? M->?", TimeOp::IsNat),
]);

pub(crate) static ISINF: Elementwise = unary(&[
    group(
        "?->? b->? B->? h->? H->? i->? I->? l->? L->? f->? d->? F->? D->?",
        Op::Class(FloatClass::IsInf),
    ),
    group("m->? M->?", Op::Bool(false)),
]);

pub(crate) static ISFINITE: Elementwise = unary(&[
    group(
        "?->? b->? B->? h->? H->? i->? I->? l->? L->? f->? d->? F->? D->?",
        Op::Class(FloatClass::IsFinite),
    ),
    time("m->? M->?", TimeOp::IsFinite),
]);

pub(crate) static SIGNBIT: Elementwise =
    unary(&[group("f->? d->?", Op::Class(FloatClass::SignBit))]);

pub(crate) static SPACING: Elementwise = unary(&[group("f->f d->d", Op::Spacing)]);

pub(crate) static DEGREES: Elementwise = unary(&[group("f->f d->d", Op::Degrees)]);

pub(crate) static RADIANS: Elementwise = unary(&[group("f->f d->d", Op::Radians)]);

pub(crate) static ISNAT: Elementwise = unary(&[time("m->? M->?", TimeOp::IsNat)]);

/// `a op= b` for an array `a`: the result is `a`, whose dtype takes the computed one by same-kind casting. Nothing else is tried
/// where that does not fit: `a` would become another array, and the one that others hold would stay as it is.
pub(crate) fn in_place(cx: &ResultCx<'_>, ufunc: &Elementwise) -> Result<Signature, Mismatch> {
    let (a, b) = (cx.plain(0), cx.plain(1));
    let target = array(cx, 0)?;
    check_mutable(cx, a)?;
    // An integer has no dtype of its own beside an array of unsigned ones: NumPy computes in the array's.
    let unsigned = |ty| cx.types.as_scalar(ty).is_some_and(Scalar::is_unsigned_int);
    let operand = if b == Type::INT64 && unsigned(target.dtype) {
        target.dtype
    } else {
        b
    };
    let computed = ufunc
        .select(cx.types, &[a, operand])
        .and_then(|chosen| chosen.outs.first().copied());
    let operator = cx.row.rsplit('.').next().unwrap_or(cx.row);
    let named = |op: &BinOp| op.inplace_name() == Some(operator);
    let sign = BinOp::ALL
        .into_iter()
        .find(named)
        .map_or(operator, BinOp::symbol);
    let Some(computed) = computed else {
        return Err(Mismatch::error(format!(
            "no loop of `{sign}` takes {} and {}",
            cx.show(a),
            cx.show(b)
        )));
    };
    check_fits(cx, computed, target.dtype, |computed, dtype| {
        format!(
            "cannot write the result of `{sign}` of {} and {}, {computed}, into an array of {dtype} (casting rule 'same_kind'); \
             `x = x {sign} y` makes a new array",
            cx.show(a),
            cx.show(b),
        )
    })?;
    Ok(Signature {
        params: vec![a, operand],
        ret: a,
    })
}

/// An error with these words, of what is computed and of the array's elements, where NumPy's casting rule `same_kind` does not
/// let the one be written into the other.
fn check_fits(
    cx: &ResultCx<'_>,
    computed: Type,
    dtype: Type,
    words: impl Fn(String, String) -> String,
) -> Result<(), Mismatch> {
    if fits_output(cx.types, computed, dtype) {
        return Ok(());
    }
    Err(Mismatch::error(words(cx.show(computed), cx.show(dtype))))
}

/// Argument `i`, an array that a function writes its result into, of which `computed` are the elements: an error where it may
/// not be written or has no elements of their kind.
pub(crate) fn check_output(cx: &ResultCx<'_>, i: usize, computed: Type) -> Result<(), Mismatch> {
    let out = array(cx, i)?;
    check_mutable(cx, cx.plain(i))?;
    check_fits(cx, computed, out.dtype, |computed, dtype| {
        format!(
            "cannot write the result of `{}`, {computed}, into an array of {dtype} (casting rule 'same_kind')",
            cx.row
        )
    })
}
