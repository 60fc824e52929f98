//! The data of one library function.

use crate::loops::Elementwise;
use crate::{Inline, Op, ResultRule, TypePattern};
use numbra_ir::{Const, Type, Types};

/// One function, operator, attribute, method or protocol step.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Qualified name: `numpy.sum`, `operator.add`, `builtins.len`, `array.shape`, `iteration.getiter`.
    pub name: &'static str,
    /// How programs reach it.
    pub kind: RowKind,
    /// Formal parameters. A method's or attribute's first one is the receiver.
    pub params: &'static [Param],
    /// Other qualified names of the same function: `numpy.abs` for `numpy.absolute`.
    pub aliases: &'static [&'static str],
    /// Methods that mean this function with the receiver as first argument: `array.sum`.
    pub methods: &'static [&'static str],
    /// What it does beside computing its result, over all bodies.
    pub effects: Effects,
    /// Where it may run.
    pub targets: Targets,
    /// What to tell about a call that is right but slow, from its argument types: Numba's performance warning.
    pub advice: Option<Advise>,
    /// One or more sentences in Markdown.
    pub doc: &'static str,
    /// Tried in order: the first that [applies](Body::applies) and whose result rule yields a signature is the callee.
    pub bodies: &'static [Body],
}

/// Words about a call at these argument types, if there are any.
pub type Advise = fn(&Types, &[Type]) -> Option<String>;

impl Row {
    /// True if a body computes each element of the result from those of the operands at its place.
    pub fn is_elementwise(&self) -> bool {
        let is_elementwise =
            |code| matches!(code, Code::Elementwise(_) | Code::ElementwiseInPlace(_));
        self.bodies.iter().any(|body| is_elementwise(body.code))
    }

    /// True if the last parameters are `*args`.
    pub fn is_variadic(&self) -> bool {
        self.params.iter().any(|p| p.kind == ParamKind::VarArgs)
    }

    /// False for what a CPU does not know of functions that Python has outside of `numbra.cuda`: those of `math` that are for
    /// GPUs only. What is in `numbra.cuda` has a name everywhere, and an error of its own where it does not run.
    pub fn is_known_on(&self, device: bool) -> bool {
        device || self.targets != Targets::Gpu || self.name.starts_with("numbra.")
    }

    /// The text `sum(a, axis=None, dtype=None)`, without the module: Python's own for its builtin functions.
    pub fn signature_text(&self) -> String {
        if let Some(known) = crate::python_signature(self.name) {
            return known.to_owned();
        }
        let short = self.name.rsplit('.').next().unwrap_or(self.name);
        let mut text = format!("{short}(");
        let mut open = 0;
        for (i, param) in self.params.iter().enumerate() {
            if param.default == Some(DefaultValue::Unset) && param.kind == ParamKind::Normal {
                // Has no value that could be written: `dot(a, b[, out])`.
                text.push_str(if i > 0 { "[, " } else { "[" });
                text.push_str(param.name);
                open += 1;
                continue;
            }
            text.push_str(&"]".repeat(std::mem::take(&mut open)));
            if i > 0 {
                text.push_str(", ");
            }
            match param.kind {
                ParamKind::VarArgs => text.push('*'),
                ParamKind::KeywordOnly
                    if !self.params[..i]
                        .iter()
                        .any(|p| matches!(p.kind, ParamKind::KeywordOnly | ParamKind::VarArgs)) =>
                {
                    text.push_str("*, ");
                }
                ParamKind::Normal | ParamKind::PositionalOnly | ParamKind::KeywordOnly => {}
            }
            text.push_str(param.name);
            match param.default {
                Some(DefaultValue::Unset) => text.push_str("=.."),
                Some(default) => text.push_str(&format!("={}", default.to_const())),
                None => {}
            }
        }
        text.push_str(&"]".repeat(open));
        text.push(')');
        text
    }
}

/// How programs reach a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RowKind {
    /// A call of a global function or class.
    Function,
    /// A Python operator: `operator.*`.
    Operator,
    /// An attribute read `receiver.name`; row names are `family.name`.
    Attribute,
    /// A call `receiver.name(..)` that has no function form; row names are `family.name`.
    Method,
    /// A step of a protocol that has no name in Python: `iteration.getiter`, `iteration.iternext`.
    Protocol,
}

/// A formal parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Param {
    /// Its name, for keyword arguments and messages.
    pub name: &'static str,
    /// Value when the argument is left out.
    pub default: Option<DefaultValue>,
    /// How it may be passed.
    pub kind: ParamKind,
}

/// How a parameter may be passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    /// By position or by keyword.
    Normal,
    /// By position.
    PositionalOnly,
    /// By keyword.
    KeywordOnly,
    /// `*args`: stands for zero or more entries of the signature, one for each argument.
    VarArgs,
}

/// A default value that can stand in a static table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum DefaultValue {
    /// The argument may be left out and then has no entry in the signature at all (`range(stop)`, `out=`).
    /// Only trailing parameters are unset.
    Unset,
    /// `None`
    None,
    /// `True`, `False`
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A string.
    Str(&'static str),
    /// A tuple of integers.
    Ints(&'static [i64]),
}

impl DefaultValue {
    /// As a constant of the IR: the type of the argument is `omitted(default=..)` of it. `Unset` reads as `None`.
    pub fn to_const(self) -> Const {
        match self {
            DefaultValue::Unset | DefaultValue::None => Const::None,
            DefaultValue::Bool(value) => Const::Bool(value),
            DefaultValue::Int(value) => Const::Int(value),
            DefaultValue::Float(value) => Const::float(value),
            DefaultValue::Str(value) => Const::Str(value.to_owned()),
            DefaultValue::Ints(items) => {
                Const::Tuple(items.iter().map(|&item| Const::Int(item)).collect())
            }
        }
    }
}

/// What [`Body::since`] is where all versions of NumPy agree.
pub(crate) const ANY_NUMPY: (u32, u32) = (0, 0);

/// One implementation of a row, for some argument types.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// One pattern per argument; the last one repeats for `*args`. Empty: any arguments.
    pub when: &'static [TypePattern],
    /// Which code it is for. Where native bodies call the runtime of the CPU, another one before them says what a GPU runs.
    pub on: Targets,
    /// The first NumPy that gives these results, as major and minor number; bodies for older ones stand behind it.
    pub since: (u32, u32),
    /// A further condition on the argument types.
    pub guard: Option<fn(&Types, &[Type]) -> bool>,
    /// Parameter and result types.
    pub result: ResultRule,
    /// What runs.
    pub code: Code,
}

impl Body {
    /// True if it is for code of this kind: for a GPU, or the CPU.
    pub fn runs_on(&self, device: bool) -> bool {
        match self.on {
            Targets::All => true,
            Targets::Cpu => !device,
            Targets::Gpu => device,
        }
    }

    /// True if the patterns and the guard accept these argument types (one per entry of the signature).
    pub fn applies(&self, types: &Types, args: &[Type]) -> bool {
        let pattern_at = |i: usize| self.when.get(i).or(self.when.last());
        let matched = args.len() >= self.when.len().saturating_sub(1)
            && args
                .iter()
                .enumerate()
                .all(|(i, ty)| pattern_at(i).is_none_or(|p| p.matches(types, *ty)));
        matched && self.guard.is_none_or(|guard| guard(types, args))
    }
}

/// What runs when a body is called.
#[derive(Clone, Copy, Debug)]
pub enum Code {
    /// One operation of the compiler, at the types of the signature.
    Intrinsic(Op),
    /// A function of numbra-runtime, in the calling convention of [`crate::native`].
    Native(NativeBody),
    /// A function of the prelude, by name: see [`crate::prelude`].
    Prelude(&'static str),
    /// A scalar operation over broadcast operands. With `nin + 1` entries in the signature the last is `out`.
    Elementwise(&'static Elementwise),
    /// As [`Code::Elementwise`], with the first operand as `out`: `a += b` on arrays.
    ElementwiseInPlace(&'static Elementwise),
}

impl Code {
    /// The native body, if that is what runs.
    pub fn native(&self) -> Option<&NativeBody> {
        match self {
            Code::Native(native) => Some(native),
            Code::Intrinsic(_)
            | Code::Prelude(_)
            | Code::Elementwise(_)
            | Code::ElementwiseInPlace(_) => None,
        }
    }

    /// The scalar operation of a body that goes over broadcast operands and makes the result.
    pub fn elementwise(&self) -> Option<&'static Elementwise> {
        match self {
            Code::Elementwise(ufunc) => Some(ufunc),
            Code::Intrinsic(_)
            | Code::Native(_)
            | Code::Prelude(_)
            | Code::ElementwiseInPlace(_) => None,
        }
    }
}

/// A function of numbra-runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NativeBody {
    /// Its symbol.
    pub symbol: &'static str,
    /// Which elements it takes.
    pub takes: Takes,
    /// Whether it takes several threads under `parallel=True`.
    pub threads: Threads,
    /// What runs in its place for arguments that fit.
    pub inline: Option<Inline>,
    /// What code for GPUs, which cannot call it, does instead.
    pub instead: Option<&'static str>,
}

/// The elements that a native body takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// Numbers.
    Numbers,
    /// Numbers and times, which are ordered by their counts, NaT as NaN.
    Ordered,
    /// Any type of fixed size, as the body only moves them: numbers, times, records, char sequences.
    Any,
}

/// How a native body takes several threads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Threads {
    /// It does not.
    One,
    /// For the elements of its result.
    Elements,
    /// For parts of what it reduces.
    Reduction,
    /// As `Reduction`, where it gives a number. (Products of matrices have threads of their own.)
    Number,
}

/// What a call may do beside computing its result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Effects(u8);

impl Effects {
    /// Nothing: equal arguments give equal results, and the call may be removed, moved or merged.
    pub const PURE: Effects = Effects(0);
    /// Reads memory of its arguments.
    pub const READ: Effects = Effects(1);
    /// Writes memory of its arguments.
    pub const WRITE: Effects = Effects(2);
    /// Allocates. Rows without it must compile for every target.
    pub const ALLOC: Effects = Effects(4);
    /// May raise.
    pub const RAISE: Effects = Effects(8);
    /// Input or output: never removed or reordered.
    pub const IO: Effects = Effects(16);
    /// Advances an iterator or other hidden state of an argument.
    pub const STATE: Effects = Effects(32);

    /// Both.
    #[must_use]
    pub const fn and(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }

    /// True if every effect of `other` is in `self`.
    pub const fn has(self, other: Effects) -> bool {
        self.0 & other.0 == other.0
    }

    /// True if a call whose result is unused may be removed: it writes nothing, does no input or output and
    /// advances no state. (As in Numba, an unused call that could raise is still removed only if it cannot.)
    pub const fn is_removable(self) -> bool {
        self.0 & (Effects::WRITE.0 | Effects::RAISE.0 | Effects::IO.0 | Effects::STATE.0) == 0
    }

    /// Names, for tables: `read, alloc`.
    pub fn names(self) -> String {
        let all = [
            (Effects::READ, "read"),
            (Effects::WRITE, "write"),
            (Effects::ALLOC, "alloc"),
            (Effects::RAISE, "raise"),
            (Effects::IO, "io"),
            (Effects::STATE, "state"),
        ];
        let names: Vec<&str> = all
            .iter()
            .filter(|(e, _)| self.has(*e))
            .map(|(_, n)| *n)
            .collect();
        if names.is_empty() {
            "pure".to_owned()
        } else {
            names.join(", ")
        }
    }
}

/// Where a row may run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Targets {
    /// CPU and GPU.
    All,
    /// CPU only: it allocates, prints or calls the runtime.
    Cpu,
    /// GPU only.
    Gpu,
}

/// What Python calls a function of our package in its `repr`, by the qualified name of its row: `shared.array` of
/// `numbra.cuda.shared.array`. `None` for all others.
pub fn python_name(name: &str) -> Option<&str> {
    let inside = name.strip_prefix("numbra.")?;
    Some(inside.strip_prefix("cuda.").unwrap_or(inside))
}
