//! Elementwise functions: loops over scalar types, and how a loop is chosen.

use crate::{Mismatch, Op};
use numbra_ir::lattice::{can_cast_same_kind, operand, ufunc_can_cast};
use numbra_ir::{ArrayType, Layout, Scalar, Signature, TimeType, TimeUnit, Type, TypeKind, Types};

/// A function of scalars that is applied to broadcast operands: a ufunc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Elementwise {
    /// Number of operands.
    pub nin: u8,
    /// Number of results.
    pub nout: u8,
    /// In NumPy's order: the first loop that the operands convert to is taken.
    pub loops: &'static [LoopGroup],
}

/// Loops with one scalar code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoopGroup {
    /// Loops by NumPy's type letters, separated by spaces: `"ff->f dd->d"`. Letters: `?` bool, `bhil` int8..int64,
    /// `BHIL` uint8..uint64, `e f d` floats, `F D` complex, `m` durations, `M` dates.
    pub types: &'static str,
    /// What runs for each element, at the types of the loop.
    pub code: ScalarCode,
}

/// The scalar body of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScalarCode {
    /// An operation of the compiler.
    Op(Op),
    /// A prelude function over scalars, by name.
    Prelude(&'static str),
}

/// A loop as a row says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Operand types.
    pub ins: Vec<LoopType>,
    /// Result types.
    pub outs: Vec<LoopType>,
    /// What runs.
    pub code: ScalarCode,
}

/// The type of an operand or result of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopType {
    /// A number.
    Number(Scalar),
    /// A date or duration, in the unit that the operands have in common.
    Time {
        /// `datetime64`, else `timedelta64`.
        is_date: bool,
    },
}

impl LoopType {
    /// The type of a NumPy type letter.
    fn of_letter(letter: u8) -> Option<LoopType> {
        match letter {
            b'M' => Some(LoopType::Time { is_date: true }),
            b'm' => Some(LoopType::Time { is_date: false }),
            _ => scalar_of_letter(letter).map(LoopType::Number),
        }
    }

    /// The type where times have this unit.
    pub fn at(self, types: &Types, unit: TimeUnit) -> Type {
        match self {
            LoopType::Number(scalar) => types.scalar(scalar),
            LoopType::Time { is_date } => types.time(TimeType { is_date, unit }),
        }
    }
}

/// What a ufunc sees of an operand.
#[derive(Clone, Copy)]
enum Element {
    Number(Scalar),
    Time(TimeType),
}

impl Element {
    fn of(types: &Types, ty: Type) -> Option<Element> {
        let plain = match types.kind(ty) {
            TypeKind::Array(array) => array.dtype,
            TypeKind::Optional(inner) => *inner,
            _ => ty,
        };
        match types.as_time(plain) {
            Some(time) => Some(Element::Time(time)),
            None => operand(types, ty).map(|o| Element::Number(o.scalar)),
        }
    }

    fn number(self) -> Option<Scalar> {
        match self {
            Element::Number(scalar) => Some(scalar),
            Element::Time(_) => None,
        }
    }

    fn time(self) -> Option<TimeType> {
        match self {
            Element::Number(_) => None,
            Element::Time(time) => Some(time),
        }
    }

    /// True if a loop takes this operand there. Numbers do not become times.
    fn fits(self, to: LoopType, mixed: bool) -> bool {
        match (self, to) {
            (Element::Number(from), LoopType::Number(to)) => ufunc_can_cast(from, to, mixed),
            (Element::Time(from), LoopType::Time { is_date }) => from.is_date == is_date,
            _ => false,
        }
    }
}

/// A chosen loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopMatch {
    /// Operand types: each element is converted to it.
    pub ins: Vec<Type>,
    /// Result types.
    pub outs: Vec<Type>,
    /// What runs.
    pub code: ScalarCode,
}

impl Elementwise {
    /// All loops, in order.
    pub fn all_loops(&self) -> impl Iterator<Item = Loop> + '_ {
        self.loops.iter().flat_map(|group| {
            group.types.split_ascii_whitespace().filter_map(|text| {
                let (ins, outs) = text.split_once("->")?;
                let all = |letters: &str| -> Option<Vec<LoopType>> {
                    letters.bytes().map(LoopType::of_letter).collect()
                };
                Some(Loop {
                    ins: all(ins)?,
                    outs: all(outs)?,
                    code: group.code,
                })
            })
        })
    }

    /// The loop for operands of these types (arrays or scalars); entries past the operands (`out`) are not looked at.
    pub fn select(&self, types: &Types, args: &[Type]) -> Option<LoopMatch> {
        let operands: Vec<Element> = args
            .get(..usize::from(self.nin))?
            .iter()
            .map(|ty| Element::of(types, *ty))
            .collect::<Option<_>>()?;
        // Numba: integers mixed with inexact operands cast to any inexact type.
        let numbers = || operands.iter().filter_map(|o| o.number());
        let mixed = numbers().any(|s| s.is_float() || s.is_complex())
            && numbers().any(|s| !(s.is_float() || s.is_complex()));
        let chosen = self.all_loops().find(|candidate| {
            operands
                .iter()
                .zip(&candidate.ins)
                .all(|(from, to)| from.fits(*to, mixed))
        })?;
        let times: Vec<TimeType> = operands.iter().filter_map(|o| o.time()).collect();
        let unit = if times.is_empty() {
            TimeUnit::Generic
        } else {
            types.common_unit(&times)?
        };
        Some(LoopMatch {
            ins: chosen.ins.iter().map(|t| t.at(types, unit)).collect(),
            outs: chosen.outs.iter().map(|t| t.at(types, unit)).collect(),
            code: chosen.code,
        })
    }

    /// The signature of a call: parameters as given, unliteraled; the result is that of [`broadcast_result`].
    pub fn signature(&self, types: &Types, args: &[Type]) -> Result<Signature, Mismatch> {
        let nin = usize::from(self.nin);
        if args.len() != nin && args.len() != nin + usize::from(self.nout) {
            return Err(Mismatch::rejected(format!("expected {nin} operands")));
        }
        let params: Vec<Type> = args
            .iter()
            .map(|ty| crate::pattern::plain(types, *ty))
            .collect();
        let Some(chosen) = self.select(types, &params) else {
            return Err(Mismatch::rejected(
                "no loop matches the types of the operands",
            ));
        };
        let ret = broadcast_result(types, &params, nin, &chosen.outs)?;
        Ok(Signature { params, ret })
    }
}

/// The result of a ufunc whose loop gives these types: numbers if all of the first `nin` arguments are numbers or arrays without
/// axes, the further arguments (`out`) if there are any, else new arrays of the broadcast rank (C, or F if every array operand
/// is F).
pub fn broadcast_result(
    types: &Types,
    params: &[Type],
    nin: usize,
    results: &[Type],
) -> Result<Type, Mismatch> {
    let arrays: Vec<ArrayType> = params[..nin]
        .iter()
        .filter_map(|ty| types.as_array(*ty))
        .collect();
    let outs: Vec<Type> = if params.len() > nin {
        for (ty, result) in params[nin..].iter().zip(results) {
            check_output(types, *ty, *result)?;
        }
        params[nin..].to_vec()
    } else if arrays.iter().all(|array| array.ndim == 0) {
        results.to_vec()
    } else {
        let ndim = arrays.iter().map(|a| a.ndim).max().unwrap_or(0);
        let has = |layout| arrays.iter().any(|a| a.layout == layout);
        let layout = if has(Layout::F) && !has(Layout::C) {
            Layout::F
        } else {
            Layout::C
        };
        results
            .iter()
            .map(|ty| types.array(*ty, ndim, layout))
            .collect()
    };
    Ok(types.tuple_or_one(&outs))
}

/// Refuses an output that a result of this type cannot be written to.
fn check_output(types: &Types, ty: Type, result: Type) -> Result<(), Mismatch> {
    let Some(array) = types.as_array(ty) else {
        return Err(Mismatch::rejected("the output must be an array"));
    };
    if !array.mutable {
        return Err(Mismatch::error(
            "ufunc '{name}' called with an explicit output that is read-only",
        ));
    }
    if fits_output(types, result, array.dtype) {
        Ok(())
    } else {
        Err(Mismatch::rejected("the output has the wrong dtype"))
    }
}

/// True if a result of this type can be written to an array of that element type: NumPy's casting rule `same_kind`.
pub(crate) fn fits_output(types: &Types, result: Type, dtype: Type) -> bool {
    match (types.as_scalar(result), types.as_scalar(dtype)) {
        (Some(from), Some(to)) => can_cast_same_kind(from, to),
        // Units are converted where the result is written.
        _ => match (types.as_time(result), types.as_time(dtype)) {
            (Some(from), Some(to)) => from.is_date == to.is_date,
            _ => result == dtype,
        },
    }
}

/// The scalar of a NumPy type letter.
pub fn scalar_of_letter(letter: u8) -> Option<Scalar> {
    Some(match letter {
        b'?' => Scalar::Bool,
        b'b' => Scalar::Int8,
        b'h' => Scalar::Int16,
        b'i' => Scalar::Int32,
        b'l' | b'q' => Scalar::Int64,
        b'B' => Scalar::UInt8,
        b'H' => Scalar::UInt16,
        b'I' => Scalar::UInt32,
        b'L' | b'Q' => Scalar::UInt64,
        b'e' => Scalar::Float16,
        b'f' => Scalar::Float32,
        b'd' => Scalar::Float64,
        b'F' => Scalar::Complex64,
        b'D' => Scalar::Complex128,
        _ => return None,
    })
}
