//! What debuggers are told about functions: variables in slots of their own, laid out as Numba lays its values out, which
//! the debuggers' printers know.
//!
//! | type | memory |
//! |---|---|
//! | bool, numbers, times, members of enums | as in arrays |
//! | complex | `real`, `imag` |
//! | homogeneous tuples | an array |
//! | other tuples | `f0`, `f1`, ..; named ones have their fields |
//! | `OptionalType(T)` | `data`, `valid` |
//! | arrays | `meminfo`, `parent`, `nitems`, `itemsize`, `data`, `shape`, `strides` |
//! | records, pointers | an address |
//! | ranges | `start`, `stop`, `step` |
//! | everything else, and values of more than 256 words | not shown |
//!
//! Stores into the slots are volatile, so no pass takes them apart or moves one over another.

use super::function::Fx;
use super::model::{self, part};
use numbra_base::FxHashMap;
use numbra_ir::{Rhs, Scalar, StmtKind, Type, TypeKind, Types, Var};
use numbra_lir::{
    AliasClass, Align, DebugInfo, DebugType, Encoding, FuncDebug, MemFlags, Member, Slot, Variable,
};

/// Words of a value, and types inside of each other, beyond which debuggers are not shown a variable.
const MOST_PARTS: usize = 256;
const MOST_LEVELS: usize = 16;

/// What a function's variables are to a debugger.
#[derive(Default)]
pub(super) struct DebugVariables {
    /// By the variable before SSA: the types that its versions have.
    types: FxHashMap<Var, Vec<(Type, Described)>>,
    /// The same: which parameter it is.
    parameters: FxHashMap<Var, u32>,
    /// The same: its slot.
    slots: FxHashMap<Var, Slot>,
}

/// A type in memory, and which of its leaves stand where.
#[derive(Clone, Debug)]
struct Described {
    ty: DebugType,
    parts: Vec<(u32, Part)>,
}

/// What is stored at a place.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// The leaf of this number.
    Leaf(usize),
    /// A constant.
    Constant(i64),
    /// The product of so many leaves from a number on.
    Product(usize, usize),
}

impl Fx<'_, '_> {
    /// Finds what debuggers are to be told about the function.
    pub(super) fn begin_debug(&mut self) {
        let wanted = self.mx.options.debug;
        if wanted == DebugInfo::None || self.site.is_some() {
            return;
        }
        let func = &self.typed.func;
        self.func.debug = Some(Box::new(FuncDebug {
            name: func.name.clone(),
            line: func.span.line,
            variables: Vec::new(),
        }));
        if wanted != DebugInfo::Full || func.is_generator {
            return;
        }
        let mut found = DebugVariables::default();
        for (var, data) in func.vars.iter() {
            if data.is_temp() {
                continue;
            }
            let Some(ty) = self.var_type(var).map(|ty| self.types.unliteral(ty)) else {
                continue;
            };
            let known = found.types.entry(self.before_ssa(var)).or_default();
            if known.iter().all(|(other, _)| *other != ty)
                && let Some(described) = describe(self.types, ty, 0)
                && described.parts.len() <= MOST_PARTS
                && described.ty.depth() <= MOST_LEVELS
            {
                known.push((ty, described));
            }
        }
        for &inst in func.layout.iter().flat_map(|&b| &func.blocks[b].insts) {
            if let StmtKind::Assign {
                target,
                value: Rhs::Arg(n),
            } = func.insts[inst].kind
            {
                found.parameters.insert(self.before_ssa(target), n);
            }
        }
        self.debug = Some(found);
    }

    /// The variable of the source that a version belongs to.
    fn before_ssa(&self, mut var: Var) -> Var {
        while let Some(of) = self.typed.func.vars[var].version_of {
            var = of;
        }
        var
    }

    /// Has a debugger see the value that a variable has now.
    pub(super) fn show_variable(&mut self, var: Var) {
        let Some(debug) = &self.debug else { return };
        if self.typed.func.vars[var].is_temp() {
            return;
        }
        let base = self.before_ssa(var);
        let Some(wanted) = self.var_type(var).map(|ty| self.types.unliteral(ty)) else {
            return;
        };
        let known = debug.types.get(&base).into_iter().flatten();
        let Some((_, described)) = known.into_iter().find(|(ty, _)| *ty == wanted) else {
            return;
        };
        let parts = described.parts.clone();
        let Ok(value) = self.var(var) else { return };
        let Ok(leaves) = self.cast(&value, wanted) else {
            return;
        };
        let slot = self.debug_slot(base);
        let address = self.slot_addr(slot);
        for (offset, part) in parts {
            let value = match part {
                Part::Leaf(n) => leaves[n],
                Part::Constant(n) => self.i64(n),
                Part::Product(first, count) => {
                    let one = self.i64(1);
                    let factors = &leaves[first..first + count];
                    factors.iter().fold(one, |a, &b| self.imul(a, b))
                }
            };
            let flags = MemFlags {
                alias: AliasClass::STACK,
                align: Align(self.ty(value).size() as u8),
                readonly: false,
                volatile: true,
            };
            self.store(address, offset as i32, value, flags);
        }
    }

    /// As [`Fx::show_variable`], for a phi: where versions have one type, the slot has its value already.
    pub(super) fn show_phi(&mut self, var: Var) {
        let base = self.before_ssa(var);
        let types = self.debug.as_ref().and_then(|debug| debug.types.get(&base));
        if types.is_some_and(|types| types.len() > 1) {
            self.show_variable(var);
        }
    }

    /// The slot of a variable, made when it is first defined.
    fn debug_slot(&mut self, base: Var) -> Slot {
        let known = self.debug.as_ref().and_then(|debug| debug.slots.get(&base));
        if let Some(&slot) = known {
            return slot;
        }
        let (name, line) = (self.typed.func.vars[base].name.clone(), self.span.line);
        let (ty, parameter) = match &self.debug {
            Some(debug) => (
                described_together(self.types, &name, &debug.types[&base]),
                debug.parameters.get(&base).copied(),
            ),
            None => (DebugType::structure(name.clone(), Vec::new()), None),
        };
        let slot = self.slot(ty.size().max(1), ty.align(), Vec::new());
        if let Some(debug) = &mut self.debug {
            debug.slots.insert(base, slot);
        }
        if let Some(func) = &mut self.func.debug {
            func.variables.push(Variable {
                // Numba's word: debuggers take a point for an access to a member.
                name: name.replace('.', "$"),
                ty,
                slot,
                parameter,
                line,
            });
        }
        slot
    }
}

/// The type of a variable whose versions have these types.
fn described_together(types: &Types, name: &str, all: &[(Type, Described)]) -> DebugType {
    if let [(_, one)] = all {
        return one.ty.clone();
    }
    let members = all.iter().map(|(ty, described)| Member {
        name: format!("_{}", types.display(*ty)),
        offset: 0,
        ty: described.ty.clone(),
    });
    let mut members: Vec<Member> = members.collect();
    members.sort_by(|a, b| a.name.cmp(&b.name));
    DebugType::Union {
        name: name.to_owned(),
        members,
    }
}

/// A type in memory, whose first leaf has a number; `None` if debuggers are not shown such values.
fn describe(types: &Types, ty: Type, first: usize) -> Option<Described> {
    let name = || types.display(ty).to_string();
    let whole = |ty: DebugType| {
        Some(Described {
            ty,
            parts: vec![(0, Part::Leaf(first))],
        })
    };
    match types.kind(ty) {
        TypeKind::Scalar(scalar, _) if scalar.is_complex() => {
            let described = memory_type(types, ty)?;
            let DebugType::Struct { members, .. } = &described else {
                return None;
            };
            let places = members.iter().map(|member| member.offset);
            let parts = places.zip(first..).map(|(at, leaf)| (at, Part::Leaf(leaf)));
            Some(Described {
                parts: parts.collect(),
                ty: described,
            })
        }
        TypeKind::Scalar(..)
        | TypeKind::Datetime(_)
        | TypeKind::Timedelta(_)
        | TypeKind::Pointer(_) => whole(memory_type(types, ty)?),
        TypeKind::Record(_) => whole(DebugType::Pointer(Box::new(memory_type(types, ty)?))),
        TypeKind::EnumMember { dtype, .. } => {
            let mut described = describe(types, *dtype, first)?;
            if let DebugType::Base { name: known, .. } = &mut described.ty {
                *known = name();
            }
            Some(described)
        }
        TypeKind::Array(array) => {
            let ndim = usize::from(array.ndim);
            let item = memory_type(types, array.dtype)?;
            let itemsize = i64::from(item.size());
            let raw = || DebugType::Pointer(Box::new(byte()));
            let extents = || DebugType::Array {
                name: format!("UniTuple(int64 x {ndim})"),
                item: Box::new(integer("int64", 64)),
                count: ndim as u32,
            };
            let ty = DebugType::structure(
                name(),
                vec![
                    ("meminfo".to_owned(), raw()),
                    ("parent".to_owned(), raw()),
                    ("nitems".to_owned(), integer("int64", 64)),
                    ("itemsize".to_owned(), integer("int64", 64)),
                    ("data".to_owned(), DebugType::Pointer(Box::new(item))),
                    ("shape".to_owned(), extents()),
                    ("strides".to_owned(), extents()),
                ],
            );
            // Owners are not shown: their words stay zero. Leaves are data, owner, shape, strides.
            let shape = first + 2;
            let mut parts = vec![
                (16, Part::Product(shape, ndim)),
                (24, Part::Constant(itemsize)),
                (32, Part::Leaf(first)),
            ];
            parts.extend((0..2 * ndim).map(|n| (40 + 8 * n as u32, Part::Leaf(shape + n))));
            Some(Described { ty, parts })
        }
        TypeKind::UniTuple(item, count) if *count > 0 => {
            let each = model::count(types, *item).ok()?;
            let mut parts = Vec::new();
            let mut item_type = None;
            for n in 0..*count {
                let described = describe(types, *item, first + each * n as usize)?;
                let stride = described.ty.size();
                let moved = described.parts.into_iter();
                parts.extend(moved.map(|(at, part)| (at + n * stride, part)));
                item_type = Some(described.ty);
            }
            let ty = DebugType::Array {
                name: name(),
                item: Box::new(item_type?),
                count: *count,
            };
            Some(Described { ty, parts })
        }
        TypeKind::NamedTuple(_, fields, items) => {
            let fields = fields.iter().map(ToString::to_string);
            members(types, name(), fields.zip(items.iter().copied()), first)
        }
        TypeKind::Tuple(items) | TypeKind::StarArgTuple(items) if !items.is_empty() => {
            let items = items.iter().enumerate();
            let items = items.map(|(n, item)| (format!("f{n}"), *item));
            members(types, name(), items, first)
        }
        TypeKind::Range(item) => {
            let names = ["start", "stop", "step"];
            let items = names.iter().map(|part| ((*part).to_owned(), *item));
            members(types, name(), items, first)
        }
        TypeKind::Optional(inner) => {
            // The leaf of the flag comes first, its byte last.
            let inner = describe(types, *inner, first + 1)?;
            let ty = DebugType::structure(
                name(),
                vec![
                    ("data".to_owned(), inner.ty),
                    ("valid".to_owned(), boolean("bool".to_owned())),
                ],
            );
            let mut parts = inner.parts;
            if let DebugType::Struct { members, .. } = &ty {
                parts.push((members[1].offset, Part::Leaf(first)));
            }
            Some(Described { ty, parts })
        }
        _ => None,
    }
}

/// A struct of items, whose leaves follow each other.
fn members(
    types: &Types,
    name: String,
    items: impl Iterator<Item = (String, Type)>,
    mut first: usize,
) -> Option<Described> {
    let (mut named, mut inner) = (Vec::new(), Vec::new());
    for (member, item) in items {
        let described = describe(types, item, first)?;
        first += model::count(types, item).ok()?;
        named.push((member, described.ty));
        inner.push(described.parts);
    }
    let ty = DebugType::structure(name, named);
    let DebugType::Struct { members, .. } = &ty else {
        return None;
    };
    let mut parts = Vec::new();
    for (member, inner) in members.iter().zip(inner) {
        parts.extend(inner.into_iter().map(|(at, p)| (at + member.offset, p)));
    }
    Some(Described { ty, parts })
}

/// A type as arrays and records hold it.
fn memory_type(types: &Types, ty: Type) -> Option<DebugType> {
    let name = types.display(ty).to_string();
    Some(match types.kind(ty) {
        TypeKind::Scalar(scalar, _) => scalar_type(*scalar, name),
        TypeKind::Datetime(_) | TypeKind::Timedelta(_) => integer(&name, 64),
        TypeKind::EnumMember { dtype, .. } => memory_type(types, *dtype)?,
        TypeKind::Pointer(to) => {
            let to = to.and_then(|to| memory_type(types, to));
            DebugType::Pointer(Box::new(to.unwrap_or_else(byte)))
        }
        TypeKind::Record(record) => {
            let fields = record.fields.iter().filter_map(|field| {
                Some(Member {
                    name: field.name.clone(),
                    offset: field.offset,
                    ty: memory_type(types, field.ty)?,
                })
            });
            DebugType::Struct {
                members: fields.collect(),
                size: record.size,
                name,
            }
        }
        TypeKind::NestedArray { dtype, shape } => DebugType::Array {
            item: Box::new(memory_type(types, *dtype)?),
            count: shape.iter().product(),
            name,
        },
        TypeKind::CharSeq(count) => DebugType::Array {
            item: Box::new(byte()),
            count: *count,
            name,
        },
        TypeKind::UnicodeCharSeq(count) => DebugType::Array {
            item: Box::new(DebugType::Base {
                name: "uint32".to_owned(),
                encoding: Encoding::Unsigned,
                bits: 32,
            }),
            count: *count,
            name,
        },
        _ => return None,
    })
}

fn scalar_type(scalar: Scalar, name: String) -> DebugType {
    let bits = part(scalar).size() * 8;
    let base = |encoding| DebugType::Base {
        name: name.clone(),
        encoding,
        bits,
    };
    match scalar {
        Scalar::Bool => boolean(name),
        Scalar::Int8 | Scalar::Int16 | Scalar::Int32 | Scalar::Int64 => base(Encoding::Signed),
        // DWARF has no bfloat16: its bits.
        Scalar::UInt8 | Scalar::UInt16 | Scalar::UInt32 | Scalar::UInt64 | Scalar::BFloat16 => {
            base(Encoding::Unsigned)
        }
        Scalar::Float16 | Scalar::Float32 | Scalar::Float64 => base(Encoding::Float),
        Scalar::Complex64 | Scalar::Complex128 => {
            let half = DebugType::Base {
                name: if bits == 32 { "float" } else { "double" }.to_owned(),
                encoding: Encoding::Float,
                bits,
            };
            let parts = ["real", "imag"].map(|part| (part.to_owned(), half.clone()));
            DebugType::structure(name, parts.into())
        }
    }
}

fn boolean(name: String) -> DebugType {
    DebugType::Base {
        name,
        encoding: Encoding::Boolean,
        bits: 8,
    }
}

fn integer(name: &str, bits: u32) -> DebugType {
    DebugType::Base {
        name: name.to_owned(),
        encoding: Encoding::Signed,
        bits,
    }
}

fn byte() -> DebugType {
    DebugType::Base {
        name: "i8".to_owned(),
        encoding: Encoding::Unsigned,
        bits: 8,
    }
}
