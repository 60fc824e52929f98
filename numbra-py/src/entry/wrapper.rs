//! The wrapper as a whole: count, unbox, call, box, and the two ways out.
//!
//! The cell [`INSIDE`] tells whether a call is in the wrapper while other code runs: another thread that has the GIL, or
//! Python code further up the stack. Where all of a call can be interrupted so, the wrapper counts from its first to its
//! last instruction; where only calls of helpers can, it counts around them, which costs calls with numbers nothing.

use super::builder::Entry;
use numbra_ir::{Type, TypeKind, Types};
use numbra_lir::analysis::is_closed;
use numbra_lir::{
    AddrSpace, AliasClass, Align, BinaryOp, Data, FuncRef, GuardKind, InstBuilder, InstKind, IntCc,
    MemFlags, Module, Signature, Terminator, Ty, Value,
};
use numbra_lower::lowering::leaves;

/// How a wrapper finds its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Protocol {
    /// One after the other, those of `*args` too, as CPython hands over arguments without names.
    Direct,
    /// One object a parameter, a tuple for `*args`, null where the default applies; `None` stands in the place of the
    /// names. Only the slow path of a call does so: for arguments that CPython would have to name.
    Bound,
}

impl Protocol {
    /// The one for parameters of these types, of which arguments without names reach the first `by_position`.
    pub(crate) fn of(types: &Types, params: &[Type], by_position: usize) -> Protocol {
        let is_omitted = |ty: &Type| matches!(types.kind(*ty), TypeKind::Omitted(_));
        let (positional, others) = params.split_at(by_position.min(params.len()));
        let given = positional.iter().take_while(|ty| !is_omitted(ty)).count();
        let has_rest = |ty: &Type| match types.kind(*ty) {
            TypeKind::StarArgTuple(items) => Some(!items.is_empty()),
            _ => None,
        };
        let fits = positional[given..].iter().all(is_omitted)
            && others.iter().all(|ty| match has_rest(ty) {
                Some(any) => !any || given == positional.len(),
                None => is_omitted(ty),
            });
        if fits {
            Protocol::Direct
        } else {
            Protocol::Bound
        }
    }
}

/// Adds the wrapper for `root` to `module` and returns its symbol name.
///
/// `params` are the types of all parameters (`Omitted` for those left to their defaults), `ret` the result type. A `counted`
/// wrapper misses when it has been called as often as the cell [`COUNTDOWN`] says.
#[expect(clippy::too_many_arguments, reason = "what a wrapper depends on")]
pub(crate) fn build(
    types: &Types,
    module: &mut Module,
    root: FuncRef,
    params: &[Type],
    ret: Type,
    protocol: Protocol,
    nogil: bool,
    counted: bool,
) -> Result<String, String> {
    let name = format!("{}.entry", module.functions[root].name);
    let sig = Signature::new(&[Ty::PTR, Ty::PTR, Ty::I64, Ty::PTR], &[Ty::PTR], false);
    let mut b = Entry::new(types, module, sig);
    b.miss = b.func.push_block();
    b.error = b.func.push_block();
    b.func.blocks[b.miss].cold = true;
    b.func.blocks[b.error].cold = true;
    let ps = b.params();
    let (callable, args, nargsf, kwnames) = (ps[0], ps[1], ps[2], ps[3]);

    let open = nogil || !is_closed(b.module, root) || b.makes_references(params, ret)?;
    if open {
        b.step(1);
    } else {
        b.counts_helpers = true;
    }
    if counted {
        b.count_down();
    }
    let places = b.places(params, protocol);
    let count = match protocol {
        Protocol::Direct => places.len(),
        Protocol::Bound => params.len(),
    };
    b.check_count(count, protocol, nargsf, kwnames);
    let mut leaves_in = Vec::new();
    for (index, ty) in places {
        let object = b.load(Ty::PTR, args, 8 * index as i32);
        b.unbox(ty, object, &mut leaves_in)?;
    }

    let thread = if nogil {
        Some(
            b.import_call("PyEval_SaveThread", &[], Some(Ty::PTR))
                .expect("it has a result"),
        )
    } else {
        None
    };
    let (status, results) = b.call_root(root, leaves_in);
    if let Some(thread) = thread {
        b.import_call("PyEval_RestoreThread", &[thread], None);
    }
    b.reflect();
    if let Some(status) = status {
        let ok = b.succeeded(status);
        let error = b.error;
        b.guard(ok, GuardKind::Status, error);
    }
    let mut rest = results.as_slice();
    let boxed = b.box_value(ret, &mut rest)?;
    b.leave(open, boxed);

    let miss = b.miss;
    b.block = miss;
    let answer = b
        .import_call(
            "numbra_py_dispatch",
            &[callable, args, nargsf, kwnames],
            Some(Ty::PTR),
        )
        .expect("it has a result");
    b.leave(open, answer);
    let error = b.error;
    b.block = error;
    let null = b
        .import_call("numbra_py_raise", &[callable], Some(Ty::PTR))
        .expect("it has a result");
    b.leave(open, null);

    b.finish(&name);
    Ok(name)
}

/// Name of the cell that holds how many more calls a counted wrapper takes, an `int64`: for ever at first.
pub(crate) const COUNTDOWN: &str = "cell.countdown";

/// Name of the cell that counts the calls in a wrapper while other code runs, an `int64`. It changes under the GIL only.
pub(crate) const INSIDE: &str = "cell.inside";

impl Entry<'_> {
    /// Misses when the cell is empty.
    fn count_down(&mut self) {
        let cell = self.cell(COUNTDOWN, i64::MAX);
        let left = self.add_to(cell, -1);
        let zero = self.iconst(Ty::I64, 0);
        let hit = self.icmp(IntCc::Sge, left, zero);
        self.guard_hit(hit);
    }

    /// True if references are made for a call, which may run Python code when they go: of everything that is no number
    /// and no array, whose header lives in the frame.
    fn makes_references(&self, params: &[Type], ret: Type) -> Result<bool, String> {
        let arguments =
            (params.iter()).filter(|ty| !matches!(self.types.kind(**ty), TypeKind::Array(_)));
        for &ty in arguments.chain([&ret]) {
            if !self.is_omitted(ty) && leaves(self.types, ty)?.contains(&Ty::Ref) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A way out.
    fn leave(&mut self, open: bool, result: Value) {
        if open {
            self.step(-1);
        }
        let last = self.block;
        self.term(last, Terminator::Return(vec![result]));
    }

    /// One call more, or less, is inside.
    pub(super) fn step(&mut self, by: i64) {
        let inside = self.cell(INSIDE, 0);
        self.add_to(inside, by);
    }

    /// Address of the `int64` of this name, which the loaded code keeps.
    fn cell(&mut self, name: &str, value: i64) -> Value {
        let known = self.module.data.iter().find(|(_, d)| d.name == name);
        let cell = known.map(|(id, _)| id).unwrap_or_else(|| {
            self.module.data.push(Data {
                name: name.to_owned(),
                bytes: value.to_le_bytes().to_vec(),
                align: 8,
                writable: true,
                space: AddrSpace::Generic,
                zeros: 0,
                relocs: Vec::new(),
            })
        });
        self.one(InstKind::DataAddr(cell), Ty::PTR)
    }

    /// Adds to the `int64` at an address; its new value.
    fn add_to(&mut self, cell: Value, by: i64) -> Value {
        // Others read and write it at calls of the wrapper and at calls that it makes only, so it is plain memory.
        let flags = MemFlags {
            alias: AliasClass::ANY,
            align: Align(8),
            readonly: false,
            volatile: false,
        };
        let load = InstKind::Load {
            addr: cell,
            offset: 0,
            flags,
        };
        let old = self.one(load, Ty::I64);
        let by = self.iconst(Ty::I64, by.into());
        let value = self.binary(BinaryOp::IAdd, old, by);
        let store = InstKind::Store {
            addr: cell,
            offset: 0,
            value,
            flags,
        };
        self.inst(store, &[]);
        value
    }

    /// Where each argument stands, and its type.
    fn places(&self, params: &[Type], protocol: Protocol) -> Vec<(usize, Type)> {
        let given = params.iter().copied().filter(|ty| !self.is_omitted(*ty));
        match protocol {
            Protocol::Bound => {
                let all = params.iter().copied().enumerate();
                all.filter(|(_, ty)| !self.is_omitted(*ty)).collect()
            }
            Protocol::Direct => {
                let flat = given.flat_map(|ty| match self.types.kind(ty) {
                    TypeKind::StarArgTuple(items) => items.clone(),
                    _ => vec![ty],
                });
                flat.enumerate().collect()
            }
        }
    }

    /// Misses unless so many arguments were given, in the way of the protocol.
    fn check_count(&mut self, count: usize, protocol: Protocol, nargsf: Value, kwnames: Value) {
        let mask = self.iconst(Ty::I64, i128::from(i64::MAX));
        let given = self.binary(BinaryOp::And, nargsf, mask);
        let expected = self.iconst(Ty::I64, count as i128);
        let same = self.icmp(IntCc::Eq, given, expected);
        let names = match protocol {
            Protocol::Direct => self.one(InstKind::Null, Ty::PTR),
            Protocol::Bound => self.symbol("_Py_NoneStruct"),
        };
        let as_agreed = self.icmp(IntCc::Eq, kwnames, names);
        let hit = self.binary(BinaryOp::And, same, as_agreed);
        self.guard_hit(hit);
    }

    fn is_omitted(&self, ty: Type) -> bool {
        matches!(self.types.kind(ty), TypeKind::Omitted(_))
    }
}
