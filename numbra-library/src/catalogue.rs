//! The table of all rows, with lookup by name.

use crate::native::bodies::TEXT_PREFIX;
use crate::pattern::plain;
use crate::{Code, Op, Row, RowKind};
use numbra_ir::{BodyIx, Callee, EntityRef, RowId, RowNames, Scalar, Type, TypeKind, Types};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::OnceLock;

/// All rows, numbered in the order of the tables.
pub struct Library {
    rows: Vec<&'static Row>,
    /// By qualified name, alias and method name.
    by_name: FxHashMap<&'static str, RowId>,
}

impl Library {
    /// The rows that numbra ships. Built at first use, in tens of microseconds.
    pub fn standard() -> &'static Library {
        static STANDARD: OnceLock<Library> = OnceLock::new();
        STANDARD.get_or_init(|| Library::of(crate::rows::TABLES))
    }

    /// A library of these tables. Where two rows have one name the first wins; a test forbids it.
    fn of(tables: &[&'static [Row]]) -> Library {
        let rows: Vec<&'static Row> = tables.iter().flat_map(|table| table.iter()).collect();
        let mut by_name = FxHashMap::default();
        by_name.reserve(rows.len() * 2);
        for (i, row) in rows.iter().enumerate() {
            let id = RowId::new(i);
            for name in [&row.name]
                .into_iter()
                .chain(row.aliases)
                .chain(row.methods)
            {
                by_name.entry(*name).or_insert(id);
            }
        }
        Library { rows, by_name }
    }

    /// The row of a function, class, operator or protocol step by qualified name: `numpy.abs`, `operator.iadd`,
    /// `iteration.getiter`. In-place operators have rows of their own.
    pub fn lookup(&self, name: &str) -> Option<RowId> {
        self.by_name.get(name).copied()
    }

    /// What Python calls a function of our package in its `repr`: see [`python_name`](crate::python_name).
    pub fn python_name<'a>(&self, name: &'a str) -> Option<&'a str> {
        crate::python_name(name)
    }

    /// True if there are functions of a module of this qualified name, or of one within it.
    pub fn has_module(&self, module: &str) -> bool {
        self.by_name.keys().any(|name| {
            name.strip_prefix(module)
                .is_some_and(|rest| rest.starts_with('.'))
        })
    }

    /// The attribute `receiver.name`.
    pub fn attribute(&self, types: &Types, receiver: Type, name: &str) -> Option<RowId> {
        self.member(types, receiver, name, true)
    }

    /// The method `receiver.name(..)`; its first parameter is the receiver.
    pub fn method(&self, types: &Types, receiver: Type, name: &str) -> Option<RowId> {
        self.member(types, receiver, name, false)
    }

    fn member(&self, types: &Types, receiver: Type, name: &str, attribute: bool) -> Option<RowId> {
        let id = match types.kind(receiver) {
            // Objects that programs know by their names.
            TypeKind::Module(object) => self.lookup(&format!("{object}.{name}"))?,
            _ => {
                let family = types.kind(plain(types, receiver)).family()?;
                self.lookup(&format!("{family}.{name}"))?
            }
        };
        if !matches!(self.row(id).kind, RowKind::Attribute | RowKind::Method)
            && matches!(types.kind(receiver), TypeKind::Module(_))
        {
            return None;
        }
        ((self.row(id).kind == RowKind::Attribute) == attribute).then_some(id)
    }

    /// Names of the attributes and methods that a receiver has, sorted: for the help of an error, which names no special method.
    pub fn members(&self, types: &Types, receiver: Type) -> Vec<&'static str> {
        let Some(family) = types.kind(plain(types, receiver)).family() else {
            return Vec::new();
        };
        let mut names: Vec<&'static str> = self
            .names()
            .filter_map(|(name, _)| name.strip_prefix(family)?.strip_prefix('.'))
            .filter(|name| !name.starts_with("__"))
            .collect();
        names.sort_unstable();
        names
    }

    /// The row that a call of a scalar class runs.
    pub fn scalar_class(&self, scalar: Scalar) -> Option<RowId> {
        self.lookup(match scalar {
            Scalar::Bool => "numpy.bool_",
            Scalar::Int8 => "numpy.int8",
            Scalar::Int16 => "numpy.int16",
            Scalar::Int32 => "numpy.int32",
            Scalar::Int64 => "numpy.int64",
            Scalar::UInt8 => "numpy.uint8",
            Scalar::UInt16 => "numpy.uint16",
            Scalar::UInt32 => "numpy.uint32",
            Scalar::UInt64 => "numpy.uint64",
            Scalar::Float16 => "numpy.float16",
            Scalar::Float32 => "numpy.float32",
            Scalar::Float64 => "numpy.float64",
            Scalar::Complex64 => "numpy.complex64",
            Scalar::Complex128 => "numpy.complex128",
            Scalar::BFloat16 => "numbra.cuda.bf16.bfloat16",
        })
    }

    /// A row.
    ///
    /// # Panics
    /// If `id` is not of this library: a bug of the caller.
    pub fn row(&self, id: RowId) -> &'static Row {
        self.rows[id.index()]
    }

    /// A row, if there is one of this number: for ids read from files.
    pub fn row_checked(&self, id: RowId) -> Option<&'static Row> {
        self.rows.get(id.index()).copied()
    }

    /// The operation that a callee is, if it is one: for ids read from files too.
    pub fn operation(&self, callee: Callee) -> Option<Op> {
        let Callee::Row(row, body) = callee else {
            return None;
        };
        match self.row_checked(row)?.bodies.get(usize::from(body.0))?.code {
            Code::Intrinsic(op) => Some(op),
            Code::Native(_)
            | Code::Prelude(_)
            | Code::Elementwise(_)
            | Code::ElementwiseInPlace(_) => None,
        }
    }

    /// What code for GPUs does instead of calling a native body.
    pub fn instead_of(&self, symbol: &str) -> Option<&'static str> {
        if symbol.starts_with(TEXT_PREFIX) {
            return Some("strings in kernels are constants, or elements of arrays of characters");
        }
        let bodies = self.rows.iter().flat_map(|row| row.bodies);
        let natives = bodies.filter_map(|body| body.code.native());
        let same = natives.filter(|native| native.symbol == symbol);
        same.filter_map(|native| native.instead).next()
    }

    /// The qualified name of a row.
    pub fn row_name(&self, id: RowId) -> &'static str {
        self.row(id).name
    }

    /// All rows in order.
    pub fn rows(&self) -> impl Iterator<Item = (RowId, &'static Row)> + '_ {
        self.rows
            .iter()
            .enumerate()
            .map(|(i, row)| (RowId::new(i), *row))
    }

    /// Every name with its row, in row order: own name, aliases, methods.
    pub fn names(&self) -> impl Iterator<Item = (&'static str, RowId)> + '_ {
        self.rows().flat_map(|(id, row)| {
            [row.name]
                .into_iter()
                .chain(row.aliases.iter().copied())
                .chain(row.methods.iter().copied())
                .map(move |name| (name, id))
        })
    }
}

/// For the text of typed programs.
impl RowNames for Library {
    fn row_name(&self, row: RowId) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(self.row_checked(row)?.name))
    }

    fn row_of_name(&self, name: &str) -> Option<RowId> {
        self.lookup(name)
    }

    fn has_body(&self, row: RowId, body: BodyIx) -> bool {
        let row = self.row_checked(row);
        row.is_some_and(|row| usize::from(body.0) < row.bodies.len())
    }
}
