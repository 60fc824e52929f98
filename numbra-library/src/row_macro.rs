//! How rows are written down.
//!
//! ```text
//! library! {
//!     /// Sum of the elements over `axis`.
//!     fn numpy.sum(a, axis = None, dtype = None) method [array.sum] {
//!         effects: Effects::READ,
//!         bodies: &[native(&[Array], sum, "numbra_np_sum").threads(Threads::Reduction).inline(Inline::Few(Few::Sum))],
//!     }
//! }
//! ```
//!
//! The word before the name is the kind: `fn`, `op`, `attr`, `method`, `step`. Parameters are `x`, `x = default`
//! (`Unset`: has no entry in the signature when left out) and `*args`.

use crate::loops::Elementwise;
use crate::result::{Mismatch, ResultCx};
use crate::row::{ANY_NUMPY, Body, Code, DefaultValue, Param, ParamKind, Row, RowKind};
use crate::{
    Case, Effects, Inline, NativeBody, Op, ResultRule, Takes, Targets, Threads, TypePattern,
};
use numbra_ir::{Signature, Type, Types};

pub(crate) use numbra_abi::{GeneratorDraw as Generator, NumpyDraw as Numpy, PythonDraw as Python};

/// A row with nothing in it: what a row leaves out.
pub(crate) const BLANK: Row = Row {
    name: "",
    kind: RowKind::Function,
    params: &[],
    aliases: &[],
    methods: &[],
    effects: Effects::PURE,
    targets: Targets::All,
    advice: None,
    doc: "",
    bodies: &[],
};

/// Result rule as a function.
pub(crate) type Rule = fn(&ResultCx<'_>) -> Result<Signature, Mismatch>;

/// An intrinsic over scalar signatures.
pub(crate) const fn cases(cases: &'static [Case], op: Op) -> Body {
    Body {
        when: &[],
        on: Targets::All,
        since: ANY_NUMPY,
        guard: None,
        result: ResultRule::Cases(cases),
        code: Code::Intrinsic(op),
    }
}

/// An intrinsic over scalar signatures, for arguments of these patterns only.
pub(crate) const fn cases_of(when: &'static [TypePattern], cases: &'static [Case], op: Op) -> Body {
    Body {
        when,
        on: Targets::All,
        since: ANY_NUMPY,
        guard: None,
        result: ResultRule::Cases(cases),
        code: Code::Intrinsic(op),
    }
}

/// An intrinsic with a result rule.
pub(crate) const fn rule(when: &'static [TypePattern], rule: Rule, op: Op) -> Body {
    Body {
        when,
        on: Targets::All,
        since: ANY_NUMPY,
        guard: None,
        result: ResultRule::Fn(rule),
        code: Code::Intrinsic(op),
    }
}

/// An intrinsic with a further condition.
pub(crate) const fn guarded(
    when: &'static [TypePattern],
    guard: fn(&Types, &[Type]) -> bool,
    rule: Rule,
    op: Op,
) -> Body {
    Body {
        when,
        on: Targets::All,
        since: ANY_NUMPY,
        guard: Some(guard),
        result: ResultRule::Fn(rule),
        code: Code::Intrinsic(op),
    }
}

/// A function of the runtime.
pub(crate) const fn native(when: &'static [TypePattern], rule: Rule, symbol: &'static str) -> Body {
    Body {
        when,
        on: Targets::All,
        since: ANY_NUMPY,
        guard: None,
        result: ResultRule::Fn(rule),
        code: Code::Native(NativeBody {
            symbol,
            takes: Takes::Numbers,
            threads: Threads::One,
            inline: None,
            instead: None,
        }),
    }
}

/// A function of the runtime, with a further condition.
pub(crate) const fn guarded_native(
    when: &'static [TypePattern],
    guard: fn(&Types, &[Type]) -> bool,
    rule: Rule,
    symbol: &'static str,
) -> Body {
    Body {
        guard: Some(guard),
        ..native(when, rule, symbol)
    }
}

/// A function of the runtime over numbers or times.
pub(crate) const fn ordered(
    when: &'static [TypePattern],
    rule: Rule,
    symbol: &'static str,
) -> Body {
    native(when, rule, symbol).takes(Takes::Ordered)
}

/// A function of the runtime that only moves elements, of any type.
pub(crate) const fn moving(when: &'static [TypePattern], rule: Rule, symbol: &'static str) -> Body {
    native(when, rule, symbol).takes(Takes::Any)
}

/// A function of the runtime that only moves elements, of any type, with a further condition.
pub(crate) const fn guarded_moving(
    when: &'static [TypePattern],
    guard: fn(&Types, &[Type]) -> bool,
    rule: Rule,
    symbol: &'static str,
) -> Body {
    Body {
        guard: Some(guard),
        ..moving(when, rule, symbol)
    }
}

/// What more a row says of a native body.
impl Body {
    const fn takes(self, takes: Takes) -> Body {
        self.with(NativeBody {
            takes,
            ..self.native()
        })
    }

    /// It takes several threads.
    /// Only where NumPy is of this version or later.
    pub(crate) const fn since(self, numpy: (u32, u32)) -> Body {
        Body {
            since: numpy,
            ..self
        }
    }

    pub(crate) const fn threads(self, threads: Threads) -> Body {
        self.with(NativeBody {
            threads,
            ..self.native()
        })
    }

    /// This may run in its place.
    pub(crate) const fn inline(self, inline: Inline) -> Body {
        self.with(NativeBody {
            inline: Some(inline),
            ..self.native()
        })
    }

    /// Code for GPUs does this instead.
    pub(crate) const fn instead(self, text: &'static str) -> Body {
        self.with(NativeBody {
            instead: Some(text),
            ..self.native()
        })
    }

    const fn with(self, native: NativeBody) -> Body {
        Body {
            code: Code::Native(native),
            ..self
        }
    }

    const fn native(&self) -> NativeBody {
        match self.code {
            Code::Native(native) => native,
            _ => panic!("only native bodies have these"),
        }
    }
}

/// A function of the prelude.
pub(crate) const fn prelude(when: &'static [TypePattern], name: &'static str) -> Body {
    Body {
        when,
        on: Targets::All,
        since: ANY_NUMPY,
        guard: None,
        result: ResultRule::Infer,
        code: Code::Prelude(name),
    }
}

/// A function of the prelude, at the types that a rule gives.
pub(crate) const fn prelude_at(
    when: &'static [TypePattern],
    rule: Rule,
    name: &'static str,
) -> Body {
    Body {
        when,
        on: Targets::All,
        since: ANY_NUMPY,
        guard: None,
        result: ResultRule::Fn(rule),
        code: Code::Prelude(name),
    }
}

/// A function of the prelude, with a further condition.
pub(crate) const fn guarded_prelude(
    when: &'static [TypePattern],
    guard: fn(&Types, &[Type]) -> bool,
    name: &'static str,
) -> Body {
    Body {
        when,
        on: Targets::All,
        since: ANY_NUMPY,
        guard: Some(guard),
        result: ResultRule::Infer,
        code: Code::Prelude(name),
    }
}

/// A function of the prelude for code of a GPU, where the row's native bodies call the runtime of the CPU.
pub(crate) const fn on_gpu(when: &'static [TypePattern], name: &'static str) -> Body {
    Body {
        on: Targets::Gpu,
        ..prelude(when, name)
    }
}

/// An intrinsic for code of a GPU, where the row's native bodies call the runtime of the CPU.
pub(crate) const fn rule_on_gpu(when: &'static [TypePattern], body: Rule, op: Op) -> Body {
    Body {
        on: Targets::Gpu,
        ..rule(when, body, op)
    }
}

/// As [`on_gpu`], with a further condition.
pub(crate) const fn guarded_on_gpu(
    when: &'static [TypePattern],
    guard: fn(&Types, &[Type]) -> bool,
    name: &'static str,
) -> Body {
    Body {
        guard: Some(guard),
        ..on_gpu(when, name)
    }
}

/// Scalars or arrays, through a ufunc.
pub(crate) const fn elementwise(ufunc: &'static Elementwise) -> Body {
    Body {
        when: &[TypePattern::ArrayLike],
        on: Targets::All,
        since: ANY_NUMPY,
        guard: None,
        result: ResultRule::Loops,
        code: Code::Elementwise(ufunc),
    }
}

/// Operands that a guard accepts, through a scalar function for each element, on the CPU.
pub(crate) const fn elementwise_where(
    guard: fn(&Types, &[Type]) -> bool,
    ufunc: &'static Elementwise,
) -> Body {
    Body {
        when: &[TypePattern::Any],
        on: Targets::Cpu,
        since: ANY_NUMPY,
        guard: Some(guard),
        ..elementwise(ufunc)
    }
}

/// Operands of which at least one is an array or a time, through a ufunc: operators.
pub(crate) const fn on_arrays(ufunc: &'static Elementwise) -> Body {
    Body {
        when: &[TypePattern::ArrayLike],
        on: Targets::All,
        since: ANY_NUMPY,
        guard: Some(has_array),
        result: ResultRule::Loops,
        code: Code::Elementwise(ufunc),
    }
}

/// A random number of `numbra_abi::Draw`, or an array of them.
macro_rules! draw {
    ($source:ident $draw:ident) => {{
        const DRAW: numbra_abi::Draw = numbra_abi::Draw::$source($crate::row_macro::$source::$draw);
        $crate::Body {
            when: &[],
            on: $crate::Targets::All,
            since: $crate::row::ANY_NUMPY,
            guard: None,
            result: $crate::ResultRule::Fn(|cx| $crate::rows::random::drawn(cx, DRAW)),
            code: $crate::Code::Intrinsic($crate::Op::Draw(DRAW)),
        }
    }};
}

/// `array op= operand`, through a ufunc of `rows::ufuncs`.
macro_rules! in_place {
    ($ufunc:ident) => {
        $crate::Body {
            when: &[$crate::TypePattern::Array, $crate::TypePattern::ArrayLike],
            on: $crate::Targets::All,
            since: $crate::row::ANY_NUMPY,
            guard: None,
            result: $crate::ResultRule::Fn(|cx| {
                $crate::rows::ufuncs::in_place(cx, &$crate::rows::ufuncs::$ufunc)
            }),
            code: $crate::Code::ElementwiseInPlace(&$crate::rows::ufuncs::$ufunc),
        }
    };
}

fn has_array(types: &Types, args: &[Type]) -> bool {
    args.iter()
        .any(|ty| types.as_array(*ty).is_some() || types.as_time(*ty).is_some())
}

pub(crate) const fn param(name: &'static str) -> Param {
    Param {
        name,
        default: None,
        kind: ParamKind::Normal,
    }
}

pub(crate) const fn defaulted(name: &'static str, default: DefaultValue) -> Param {
    Param {
        name,
        default: Some(default),
        kind: ParamKind::Normal,
    }
}

/// The parameter, given by name only.
pub(crate) const fn keyword_only(param: Param) -> Param {
    Param {
        kind: ParamKind::KeywordOnly,
        ..param
    }
}

pub(crate) const fn varargs(name: &'static str) -> Param {
    Param {
        name,
        default: None,
        kind: ParamKind::VarArgs,
    }
}

macro_rules! row_kind {
    (fn) => {
        $crate::RowKind::Function
    };
    (op) => {
        $crate::RowKind::Operator
    };
    (attr) => {
        $crate::RowKind::Attribute
    };
    (method) => {
        $crate::RowKind::Method
    };
    (step) => {
        $crate::RowKind::Protocol
    };
}

macro_rules! row_name {
    ($first:ident $(. $rest:ident)+) => {
        concat!(stringify!($first) $(, ".", stringify!($rest))+)
    };
}

macro_rules! row_param {
    ($name:ident) => {
        $crate::row_macro::param(stringify!($name))
    };
    ($name:ident = $default:expr) => {
        $crate::row_macro::defaulted(stringify!($name), {
            #[allow(unused_imports, reason = "each default names one variant")]
            use $crate::DefaultValue::*;
            $default
        })
    };
}

macro_rules! row_params {
    (* $args:ident) => {
        &[$crate::row_macro::varargs(stringify!($args))]
    };
    (* $args:ident, $($name:ident = $default:expr),+) => {
        &[$crate::row_macro::varargs(stringify!($args)), $($crate::row_macro::keyword_only(row_param!($name = $default)),)+]
    };
    ($($name:ident $(= $default:expr)?),+ , * $args:ident) => {
        &[$(row_param!($name $(= $default)?),)+ $crate::row_macro::varargs(stringify!($args))]
    };
    ($($name:ident $(= $default:expr)?),*) => {
        &[$(row_param!($name $(= $default)?),)*]
    };
}

/// A static table `ROWS`: see the module's documentation.
macro_rules! library {
    ($(
        $(#[doc = $doc:literal])+
        $kind:ident $first:ident $(. $rest:ident)+ ($($params:tt)*)
        $(alias [$($af:ident $(. $ar:ident)+),* $(,)?])?
        $(method [$($mf:ident $(. $mr:ident)+),* $(,)?])?
        { $($field:ident: $value:expr),* $(,)? }
    )*) => {
        #[allow(clippy::needless_update, reason = "few rows set every field")]
        pub(crate) static ROWS: &[$crate::Row] = &[$($crate::Row {
            name: row_name!($first $(. $rest)+),
            kind: row_kind!($kind),
            params: row_params!($($params)*),
            $(aliases: &[$(row_name!($af $(. $ar)+)),*],)?
            $(methods: &[$(row_name!($mf $(. $mr)+)),*],)?
            doc: concat!($($doc, "\n"),+),
            $($field: $value,)*
            ..$crate::row_macro::BLANK
        }),*];
    };
}
