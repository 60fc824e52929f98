//! The table of instructions: for each one its name, operands, text, results and effects. The enumeration, the visitors of
//! operands, the printer, the parser, the result types and the effects follow from it. Operand types are the verifier's
//! (`verify/rules.rs`); what an instruction computes says `interp`.
//!
//! A row is
//! ```text
//! Name { field: Type, .. } ["text" field ", " field (flag "word")] results: rule, effects: rule;
//! ```
//! - Operands are fields of type [`Value`] or `Vec<Value>`, visited in the order of the fields; other types of fields are
//!   those that implement [`Field`] and [`TextField`].
//! - The text is written as it stands; a field in it by its type, `(flag "word")` as the word where the flag is set. A text
//!   that begins with `{Type field}` is that of an instruction which has a name for each member of the type.
//! - Results: `stated()` where the instruction itself must say its type, else an expression of `Option<Vec<Ty>>` over the fields,
//!   `ty` (of a value) and `module`.
//! - Effects: an expression of [`InstEffects`] over the fields.

use crate::analysis::{AliasSet, InstEffects, native_effects};
use crate::text::{InstText, Parser, TextError, TextField, Word};
use crate::typing::{call_results, comparison_type};
use crate::{
    AliasClass, AtomicOp, BinaryOp, ConvertOp, DataId, DeviceOp, ExceptionId, FloatCc, Func,
    FuncRef, IntCc, MathFnName, MemFlags, MemOrder, MemScope, Module, NativeFn, OverflowOp, SigRef,
    Slot, Ty, UnaryOp, Value,
};
use serde::{Deserialize, Serialize};

/// A field of an instruction: which operands it holds, and whether what it names exists.
pub(crate) trait Field {
    fn visit(&self, _visit: &mut impl FnMut(Value)) {}

    fn visit_mut(&mut self, _visit: &mut impl FnMut(&mut Value)) {}

    fn exists(&self, _module: &Module, _func: &Func) -> bool {
        true
    }
}

impl Field for Value {
    fn visit(&self, visit: &mut impl FnMut(Value)) {
        visit(*self);
    }

    fn visit_mut(&mut self, visit: &mut impl FnMut(&mut Value)) {
        visit(self);
    }
}

impl Field for Vec<Value> {
    fn visit(&self, visit: &mut impl FnMut(Value)) {
        self.iter().for_each(|&v| visit(v));
    }

    fn visit_mut(&mut self, visit: &mut impl FnMut(&mut Value)) {
        self.iter_mut().for_each(visit);
    }
}

impl Field for Slot {
    fn exists(&self, _: &Module, func: &Func) -> bool {
        func.slots.is_valid(*self)
    }
}

/// Fields that name an entity of the module.
macro_rules! entities {
    ($($ty:ty, $table:ident;)*) => {
        $(impl Field for $ty {
            fn exists(&self, module: &Module, _: &Func) -> bool {
                module.$table.is_valid(*self)
            }
        })*
    };
}

entities! {
    DataId, data;
    FuncRef, functions;
    ExceptionId, exceptions;
    SigRef, signatures;
}

/// Fields that hold no operand and name nothing.
macro_rules! plain_fields {
    ($($ty:ty)*) => {
        $(impl Field for $ty {})*
    };
}

plain_fields! {
    i128 u64 i32 u8 bool NativeFn AliasClass MemFlags DeviceOp MathFnName
    BinaryOp UnaryOp ConvertOp OverflowOp IntCc FloatCc AtomicOp MemOrder MemScope
}

/// One result of a type, if that is known.
fn one(ty: Option<Ty>) -> Option<Vec<Ty>> {
    ty.map(|ty| vec![ty])
}

/// The instruction itself says.
fn stated() -> Option<Vec<Ty>> {
    None
}

/// No result.
fn nothing() -> Option<Vec<Ty>> {
    Some(Vec::new())
}

/// True if a text of the table begins with this word.
fn begins(text: &str, word: &str) -> bool {
    text.strip_prefix(word)
        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// True if the text begins with the word.
macro_rules! text_begins {
    ($word:ident; {$ty:ident $field:ident} $($rest:tt)*) => {
        <$ty as Word>::from_word($word).is_some()
    };
    ($word:ident; $text:literal $($rest:tt)*) => {
        begins($text, $word)
    };
}

macro_rules! print_text {
    ($printer:ident;) => {};
    ($printer:ident; {$ty:ident $field:ident} $($rest:tt)*) => {
        $printer.text(&Word::word($field));
        print_text!($printer; $($rest)*);
    };
    ($printer:ident; $text:literal $($rest:tt)*) => {
        $printer.text($text);
        print_text!($printer; $($rest)*);
    };
    ($printer:ident; ($field:ident $word:literal) $($rest:tt)*) => {
        if *$field {
            $printer.text(concat!(" ", $word));
        }
        print_text!($printer; $($rest)*);
    };
    ($printer:ident; $field:ident $($rest:tt)*) => {
        TextField::print($field, $printer);
        print_text!($printer; $($rest)*);
    };
}

macro_rules! parse_text {
    ($parser:ident;) => {};
    ($parser:ident; {$ty:ident $field:ident} $($rest:tt)*) => {
        let $field: $ty = $parser.first_word()?;
        parse_text!($parser; $($rest)*);
    };
    ($parser:ident; $text:literal $($rest:tt)*) => {
        $parser.literal($text)?;
        parse_text!($parser; $($rest)*);
    };
    ($parser:ident; ($field:ident $word:literal) $($rest:tt)*) => {
        let $field = $parser.eat_word($word);
        parse_text!($parser; $($rest)*);
    };
    ($parser:ident; $field:ident $($rest:tt)*) => {
        let $field = TextField::parse($parser)?;
        parse_text!($parser; $($rest)*);
    };
}

macro_rules! instructions {
    ($ty:ident $module:ident; $(
        $(#[$doc:meta])*
        $name:ident
        $(($($place:ident: $place_ty:ty),*))?
        $({$($field:ident: $field_ty:ty),* $(,)?})?
        [$($text:tt)*]
        results: $results:expr,
        effects: $effects:expr;
    )*) => {
        /// What an instruction computes. Operand and result types are the verifier's to check.
        #[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        pub enum InstKind {
            $($(#[$doc])* $name $(($($place_ty),*))? $({$($field: $field_ty),*})?,)*
        }

        impl InstKind {
            /// Visits each operand in order.
            pub fn visit_operands(&self, mut visit: impl FnMut(Value)) {
                let visit = &mut visit;
                match self {
                    $(InstKind::$name $(($($place),*))? $({$($field),*})? => {
                        $($(Field::visit($place, visit);)*)?
                        $($(Field::visit($field, visit);)*)?
                    })*
                }
            }

            /// Visits each operand in order, to be changed.
            pub fn for_each_operand(&mut self, mut visit: impl FnMut(&mut Value)) {
                let visit = &mut visit;
                match self {
                    $(InstKind::$name $(($($place),*))? $({$($field),*})? => {
                        $($(Field::visit_mut($place, visit);)*)?
                        $($(Field::visit_mut($field, visit);)*)?
                    })*
                }
            }

            /// True if everything exists that the instruction names besides values.
            pub(crate) fn names_exist(&self, module: &Module, func: &Func) -> bool {
                match self {
                    $(InstKind::$name $(($($place),*))? $({$($field),*})? => {
                        true
                            $($(&& Field::exists($place, module, func))*)?
                            $($(&& Field::exists($field, module, func))*)?
                    })*
                }
            }

            /// Writes the instruction as text.
            pub(crate) fn print(&self, printer: &mut InstText<'_, '_>) {
                match self {
                    $(InstKind::$name $(($($place),*))? $({$($field),*})? => {
                        print_text!(printer; $($text)*);
                    })*
                }
            }

            /// Reads the instruction whose text begins with `word`, which is next; `None` if there is none.
            pub(crate) fn parse(
                word: &str,
                parser: &mut Parser<'_, '_>,
            ) -> Result<Option<InstKind>, TextError> {
                $(if text_begins!(word; $($text)*) {
                    parse_text!(parser; $($text)*);
                    return Ok(Some(InstKind::$name $(($($place),*))? $({$($field),*})?));
                })*
                Ok(None)
            }
        }

        /// Types of the results of `kind`, or `None` when the instruction itself must say (constants, conversions, loads) or
        /// when an operand makes no sense there.
        pub fn result_types(
            kind: &InstKind,
            $module: &Module,
            $ty: impl Fn(Value) -> Option<Ty>,
        ) -> Option<Vec<Ty>> {
            match kind {
                $(
                    #[allow(unused_variables, reason = "a rule looks at the fields that it needs")]
                    InstKind::$name $(($($place),*))? $({$($field),*})? => $results,
                )*
            }
        }

        /// What an instruction does besides computing.
        pub fn effects(kind: &InstKind) -> InstEffects {
            match kind {
                $(
                    #[allow(unused_variables, reason = "a rule looks at the fields that it needs")]
                    InstKind::$name $(($($place),*))? $({$($field),*})? => $effects,
                )*
            }
        }
    };
}

instructions! {
    ty module;

    /// The integer `value` truncated to the result type.
    IConst(value: i128) ["iconst " value]
        results: stated(), effects: InstEffects::PURE;
    /// The float with these bits (low bits for narrower types).
    FConst(bits: u64) ["fconst " bits]
        results: stated(), effects: InstEffects::PURE;
    /// The null pointer or reference.
    Null ["null"]
        results: stated(), effects: InstEffects::PURE;
    Binary { op: BinaryOp, lhs: Value, rhs: Value } [{BinaryOp op} " " lhs ", " rhs]
        results: one(ty(*lhs)), effects: InstEffects::PURE;
    Unary { op: UnaryOp, arg: Value } [{UnaryOp op} " " arg]
        results: one(ty(*arg)), effects: InstEffects::PURE;
    /// `arg` as the result type.
    Convert { op: ConvertOp, arg: Value } [{ConvertOp op} " " arg]
        results: stated(), effects: InstEffects::PURE;
    /// Result `i1`, or for vectors a lane mask of `i8..i64` lanes as wide as the operands (all ones where true).
    Icmp { cc: IntCc, lhs: Value, rhs: Value } ["icmp " cc " " lhs ", " rhs]
        results: one(ty(*lhs).map(comparison_type)), effects: InstEffects::PURE;
    Fcmp { cc: FloatCc, lhs: Value, rhs: Value } ["fcmp " cc " " lhs ", " rhs]
        results: one(ty(*lhs).map(comparison_type)), effects: InstEffects::PURE;
    /// `cond ? then : other`; both are already computed.
    Select { cond: Value, then: Value, other: Value } ["select " cond ", " then ", " other]
        results: one(ty(*then)), effects: InstEffects::PURE;
    /// `(value, overflowed)`
    Overflow { op: OverflowOp, lhs: Value, rhs: Value } [{OverflowOp op} " " lhs ", " rhs]
        results: ty(*lhs).map(|ty| vec![ty, Ty::I1]), effects: InstEffects::PURE;
    /// `a * b + c` with one rounding.
    Fma { a: Value, b: Value, c: Value } ["fma " a ", " b ", " c]
        results: one(ty(*a)), effects: InstEffects::PURE;
    /// A transcendental; see [`MathFn`](crate::MathFn).
    Math { func: MathFnName, args: Vec<Value> } [{MathFnName func} " " args]
        results: one(args.first().and_then(|&v| ty(v))), effects: InstEffects::PURE;
    /// Address of a stack slot.
    SlotAddr(slot: Slot) ["slot_addr " slot]
        results: Some(vec![Ty::PTR]), effects: InstEffects::PURE;
    /// Where the stack of this activation ends: what it calls lies below. The same wherever a function asks.
    StackPointer ["stack_pointer"]
        results: Some(vec![Ty::PTR]), effects: InstEffects::PURE;
    /// Address of constant data or a cell of the module.
    DataAddr(data: DataId) ["data_addr " data]
        results: Some(vec![Ty::PTR]), effects: InstEffects::PURE;
    /// Address of a function of the module, for indirect calls and callbacks.
    FuncAddr(func: FuncRef) ["func_addr " func]
        results: Some(vec![Ty::PTR]), effects: InstEffects::PURE;
    /// `base + offset` in bytes; keeps the address space.
    PtrAdd { base: Value, offset: Value } ["ptr_add " base ", " offset]
        results: one(ty(*base)), effects: InstEffects::PURE;
    /// Result type bytes at `addr + offset`.
    Load { addr: Value, offset: i32, flags: MemFlags } ["load " addr offset " " flags]
        results: stated(), effects: InstEffects::load(flags);
    Store { addr: Value, offset: i32, value: Value, flags: MemFlags }
        ["store " addr offset ", " value " " flags]
        results: nothing(), effects: InstEffects::memory(AliasSet::NONE, AliasSet::of(flags.alias));
    /// Copies `len` bytes; the ranges do not overlap unless `overlap`.
    MemCopy { dst: Value, src: Value, len: Value, overlap: bool, alias: AliasClass }
        ["memcopy " dst ", " src ", " len (overlap "overlap") " " alias]
        results: nothing(), effects: InstEffects::memory(AliasSet::of(*alias), AliasSet::of(*alias));
    /// Fills `len` bytes with the low byte of `byte`.
    MemSet { dst: Value, byte: Value, len: Value, alias: AliasClass }
        ["memset " dst ", " byte ", " len " " alias]
        results: nothing(), effects: InstEffects::memory(AliasSet::NONE, AliasSet::of(*alias));
    // Atomic operations and fences order all memory.
    AtomicLoad { addr: Value, order: MemOrder, scope: MemScope }
        ["atomic_load " addr " " order " " scope]
        results: stated(), effects: InstEffects::memory(AliasSet::ALL, AliasSet::ALL);
    AtomicStore { addr: Value, value: Value, order: MemOrder, scope: MemScope }
        ["atomic_store " addr ", " value " " order " " scope]
        results: nothing(), effects: InstEffects::memory(AliasSet::ALL, AliasSet::ALL);
    /// The old value.
    AtomicRmw { op: AtomicOp, addr: Value, value: Value, order: MemOrder, scope: MemScope }
        ["atomic_rmw " op " " addr ", " value " " order " " scope]
        results: one(ty(*value)), effects: InstEffects::memory(AliasSet::ALL, AliasSet::ALL);
    /// The old value.
    AtomicCas { addr: Value, expected: Value, value: Value, order: MemOrder, scope: MemScope }
        ["atomic_cas " addr ", " expected ", " value " " order " " scope]
        results: one(ty(*value)), effects: InstEffects::memory(AliasSet::ALL, AliasSet::ALL);
    Fence { order: MemOrder, scope: MemScope } ["fence " order " " scope]
        results: nothing(), effects: InstEffects::memory(AliasSet::ALL, AliasSet::ALL);
    /// One more owner. Null is ignored. Placed by `place_refs`.
    Retain(value: Value) ["retain " value]
        results: nothing(),
        effects: InstEffects { counts: true, ..InstEffects::memory(AliasSet::NONE, AliasSet::of(AliasClass::HEADER)) };
    /// One owner less. Null is ignored. Placed by `place_refs`. The last one runs the object's drop function.
    Release(value: Value) ["release " value]
        results: nothing(), effects: InstEffects::ANY;
    /// Results: an `i32` status first when the callee raises, then its results (zero bits when the status is not 0).
    Call { func: FuncRef, args: Vec<Value> } ["call " func "(" args ")"]
        results: module.functions.get(*func).map(|f| call_results(&f.sig)),
        // The callee may hold barriers.
        effects: InstEffects { convergent: true, ..InstEffects::ANY };
    /// As `Call`, through an address, at the given signature of the module.
    CallIndirect { sig: SigRef, callee: Value, args: Vec<Value> }
        ["call_indirect " sig " " callee "(" args ")"]
        results: module.signatures.get(*sig).map(call_results),
        effects: InstEffects { convergent: true, ..InstEffects::ANY };
    /// A function of the runtime. Results: status first when it raises, then the result.
    CallNative { callee: NativeFn, args: Vec<Value> } ["call_native " callee "(" args ")"]
        results: Some(call_results(&callee.signature())), effects: native_effects(callee);
    /// Makes an exception pending with run-time argument words. Pair with `Terminator::Fail`.
    SetError { exception: ExceptionId, args: Vec<Value> } ["set_error " exception "(" args ")"]
        results: nothing(),
        effects: InstEffects::memory(AliasSet::NONE, AliasSet::of(AliasClass::HEADER));
    /// Is only a use. Lowering writes one where a variable that holds references ends, so that pointers derived from them stay
    /// valid until there.
    Keep(live: Vec<Value>) ["keep " live]
        results: nothing(),
        effects: InstEffects { removable: false, speculatable: false, counts: true, ..InstEffects::PURE };
    Device { op: DeviceOp, args: Vec<Value> } ["device " op "(" args ")"]
        results: Some(op.results()), effects: InstEffects::device(op.effect());
    /// All lanes the same.
    Splat(value: Value) ["splat " value]
        results: stated(), effects: InstEffects::PURE;
    ExtractLane { vector: Value, lane: u8 } ["extract_lane " vector ", " lane]
        results: one(ty(*vector).map(Ty::lane_ty)), effects: InstEffects::PURE;
    InsertLane { vector: Value, lane: u8, value: Value } ["insert_lane " vector ", " lane ", " value]
        results: one(ty(*vector)), effects: InstEffects::PURE;
}
