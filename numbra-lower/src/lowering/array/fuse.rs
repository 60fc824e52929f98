//! Array expressions: a ufunc call whose result only other ufunc calls of one loop read is computed inside that loop.
//!
//! ```text
//! before                      after
//!   $1 = a * b    a loop        $r = a * b + c    one loop, one array
//!   $r = $1 + c   a loop
//! ```
//!
//! Shapes that do not fit are found where the loop is: of two statements that fail, the later one may be the one that
//! raises, as with Numba's array expressions.

use super::super::error::{Fault, Res};
use super::super::function::Fx;
use super::elementwise::{Node, Operand};
use numbra_base::{FxHashMap, FxHashSet};
use numbra_ir::{CallArg, CallSite, Callee, Inst, Rhs, StmtKind, Var};
use numbra_library::{Effects, Elementwise};

/// Calls in one loop at most: what they read has to stay in registers.
const MOST: usize = 16;

/// An array that may be computed where it is read.
#[derive(Clone, Copy)]
struct Open {
    inst: Inst,
    /// How many calls it stands for.
    calls: usize,
    /// The variable that it is another name of.
    copy_of: Option<Var>,
}

/// What is known of variables before any is fused.
struct Facts {
    /// How often each is read.
    reads: FxHashMap<Var, u32>,
    /// Those that several statements define.
    twice: FxHashSet<Var>,
    /// Those that several statements read that are not parts of one loop.
    apart: FxHashSet<Var>,
}

impl Facts {
    fn may_open(&self, var: Var) -> bool {
        !self.twice.contains(&var) && !self.apart.contains(&var) && self.reads.contains_key(&var)
    }
}

#[derive(Default)]
struct Found {
    fused: FxHashMap<Var, Inst>,
    /// How many reads of each variable are those of loops that compute it.
    taken: FxHashMap<Var, u32>,
    /// The calls that compute the array of a statement.
    readers: FxHashMap<Inst, FxHashSet<Inst>>,
}

impl Found {
    /// Variables that are also read where they are not computed, or in several loops.
    fn misplaced(&self, facts: &Facts, def: impl Fn(Inst) -> Option<Var>) -> Vec<Var> {
        let misplaced = |(var, inst): &(&Var, &Inst)| {
            facts.reads.get(var) != self.taken.get(var) || self.root(**inst, &def).is_none()
        };
        let all = self.fused.iter().filter(misplaced);
        all.map(|(var, _)| *var).collect()
    }

    /// The statement whose loop computes the array of `inst`, if that is one.
    fn root(&self, inst: Inst, def: &impl Fn(Inst) -> Option<Var>) -> Option<Inst> {
        if !def(inst).is_some_and(|var| self.fused.contains_key(&var)) {
            return Some(inst);
        }
        let mut roots = self
            .readers
            .get(&inst)?
            .iter()
            .map(|reader| self.root(*reader, def));
        let first = roots.next()??;
        roots.all(|root| root == Some(first)).then_some(first)
    }
}

impl Fx<'_, '_> {
    /// The variables that are computed where they are read, with the statements that compute them.
    ///
    /// Nothing between the two may write memory, since the operands are read later than the program says; both have the
    /// same rank, so that broadcasting computes no element of a vector again for each row of a matrix. A variable that
    /// several calls read is computed with them if all are parts of one loop.
    pub(in super::super) fn find_fused(&self) -> FxHashMap<Var, Inst> {
        let typed = self.typed;
        let mut reads: FxHashMap<Var, u32> = FxHashMap::default();
        let (mut defs, mut twice) = (FxHashSet::default(), FxHashSet::default());
        let mut any = false;
        for &block in &typed.func.layout {
            for &inst in &typed.func.blocks[block].insts {
                let kind = &typed.func.insts[inst].kind;
                kind.for_each_use(|var| *reads.entry(var).or_default() += 1);
                if let Some(var) = kind.def()
                    && !defs.insert(var)
                {
                    twice.insert(var);
                }
                any |= self.new_array_of_ufunc(inst).is_some();
            }
        }
        if !any {
            return FxHashMap::default();
        }
        let mut facts = Facts {
            reads,
            twice,
            apart: FxHashSet::default(),
        };
        loop {
            let found = self.fused_without(&facts);
            let apart = found.misplaced(&facts, |inst| typed.func.insts[inst].kind.def());
            if apart.is_empty() {
                return found.fused;
            }
            facts.apart.extend(apart);
        }
    }

    /// As [`Fx::find_fused`], if all readers of what several calls read are parts of one loop.
    fn fused_without(&self, facts: &Facts) -> Found {
        let typed = self.typed;
        let mut found = Found::default();
        for &block in &typed.func.layout {
            let mut open: FxHashMap<Var, Open> = FxHashMap::default();
            for &inst in &typed.func.blocks[block].insts {
                let kind = &typed.func.insts[inst].kind;
                if kind.def().is_some_and(|var| facts.twice.contains(&var)) {
                    open.clear();
                }
                // A variable that statements read later, as the array that it is.
                let candidate = kind.def().filter(|var| facts.may_open(*var));
                if let StmtKind::Assign {
                    value: Rhs::Var(from),
                    ..
                } = kind
                {
                    if let (Some(var), Some(of)) = (candidate, open.get(from))
                        && self.var_type(var) == self.var_type(*from)
                    {
                        let copy = Open {
                            copy_of: Some(*from),
                            ..*of
                        };
                        open.insert(var, copy);
                    }
                    continue;
                }
                let Some(site) = self.new_array_of_ufunc(inst) else {
                    if self.may_write(inst, kind) {
                        open.clear();
                    }
                    continue;
                };
                let rank = self.rank(site.sig.ret);
                let mut calls = 1;
                for (arg, ty) in site.args.iter().zip(&site.sig.params) {
                    let CallArg::Var(var) = arg else { continue };
                    let same = self.var_type(*var) == Some(*ty) && self.rank(*ty) == rank;
                    let Some(of) = open.get(var).filter(|of| same && calls + of.calls <= MOST)
                    else {
                        continue;
                    };
                    calls += of.calls;
                    found.readers.entry(of.inst).or_default().insert(inst);
                    let mut read = Some(*var);
                    while let Some(var) = read {
                        *found.taken.entry(var).or_default() += 1;
                        // A copy is one read of what it copies, however often it is read.
                        let first = found.fused.insert(var, of.inst).is_none();
                        read = open.get(&var).and_then(|of| of.copy_of).filter(|_| first);
                    }
                }
                if let Some(var) = candidate.filter(|v| self.var_type(*v) == Some(site.sig.ret)) {
                    open.insert(
                        var,
                        Open {
                            inst,
                            calls,
                            copy_of: None,
                        },
                    );
                }
            }
        }
        found
    }

    fn rank(&self, ty: numbra_ir::Type) -> Option<u8> {
        self.types.as_array(ty).map(|array| array.ndim)
    }

    /// The call of a statement that makes one new array with a ufunc, of the library or of the program.
    fn new_array_of_ufunc(&self, inst: Inst) -> Option<&CallSite> {
        let site = self.typed.calls[inst].as_ref()?;
        let nin = match (self.ufunc_of(site), site.callee) {
            (Some(ufunc), _) => usize::from(ufunc.nin),
            (None, Callee::Map(instance)) => self.mx.program.functions.get(instance)?.1.args.len(),
            (None, _) => return None,
        };
        let one_array = self.rank(site.sig.ret)? > 0;
        (one_array && site.args.len() == nin).then_some(site)
    }

    fn ufunc_of(&self, site: &CallSite) -> Option<&'static Elementwise> {
        let Callee::Row(row, body) = site.callee else {
            return None;
        };
        let row = self.mx.library.row_checked(row)?;
        row.bodies.get(usize::from(body.0))?.code.elementwise()
    }

    /// True unless a statement leaves all memory as it is.
    fn may_write(&self, inst: Inst, kind: &StmtKind) -> bool {
        let quiet = Effects::READ.and(Effects::ALLOC).and(Effects::RAISE);
        match kind {
            StmtKind::Del(_)
            | StmtKind::PopBlock
            | StmtKind::CheckAssigned { .. }
            | StmtKind::SetFreeVar { .. } => false,
            StmtKind::Assign { value, .. } => {
                match self.typed.calls[inst].as_ref().map(|s| s.callee) {
                    Some(Callee::Row(row, _)) => {
                        let row = self.mx.library.row_checked(row);
                        !row.is_some_and(|row| quiet.has(row.effects))
                    }
                    Some(Callee::Instance(_) | Callee::Map(_)) => true,
                    None => matches!(value, Rhs::Yield { .. }),
                }
            }
            StmtKind::SetItem { .. }
            | StmtKind::StaticSetItem { .. }
            | StmtKind::DelItem { .. }
            | StmtKind::SetAttr { .. }
            | StmtKind::DelAttr { .. }
            | StmtKind::StoreMap { .. }
            | StmtKind::Print { .. }
            | StmtKind::EnterWith { .. }
            | StmtKind::Return(_)
            | StmtKind::Jump(_)
            | StmtKind::Branch { .. }
            | StmtKind::Raise(_)
            | StmtKind::StaticRaise { .. }
            | StmtKind::DynamicRaise { .. } => true,
        }
    }

    /// A call of a ufunc whose operands are computed in its loop; `None` where each is there already.
    pub(in super::super) fn array_expression(&mut self, site: &CallSite) -> Res<Option<Node>> {
        let inner = |arg: &CallArg| matches!(arg, CallArg::Var(v) if self.fused.contains_key(v));
        if self.fused.is_empty() || !site.args.iter().any(inner) {
            return Ok(None);
        }
        self.node(site, None).map(Some)
    }

    fn node(&mut self, site: &CallSite, inst: Option<Inst>) -> Res<Node> {
        let typed = self.typed;
        let kernel = match (self.ufunc_of(site), site.callee) {
            (Some(ufunc), _) => self.kernel_of_ufunc(ufunc, &site.sig.params)?,
            (None, Callee::Map(instance)) => self.kernel_of_function(instance)?,
            (None, _) => return Err(Fault::bug("an array expression of another call")),
        };
        let (span, origin) = (self.span, self.origin);
        let mut operands = Vec::with_capacity(site.args.len());
        for ((arg, ty), kind) in site.args.iter().zip(&site.sig.params).zip(&kernel.ins) {
            let inner = match arg {
                CallArg::Var(var) => self.fused.get(var).copied(),
                _ => None,
            };
            match inner.and_then(|inst| Some((inst, typed.calls[inst].as_ref()?))) {
                Some((inst, site)) => {
                    if self.site.is_none() {
                        self.span = typed.func.insts[inst].span;
                        self.origin = typed.func.insts[inst].origin;
                    }
                    let node = self.node(site, Some(inst))?;
                    (self.span, self.origin) = (span, origin);
                    operands.push(Operand::Inner(Box::new(node)));
                }
                None => {
                    let value = self.argument(arg, *ty)?;
                    operands.push(self.operand(&value, *kind)?);
                }
            }
        }
        let dtype = self.types.as_array(site.sig.ret).map(|array| array.dtype);
        Ok(Node {
            kernel,
            operands,
            inst,
            dtype,
            span,
            origin,
        })
    }

    /// Keeps alive what the statements work with that are part of this one.
    pub(in super::super) fn keep_fused(&mut self, kind: &StmtKind) {
        if self.fused.is_empty() {
            return;
        }
        let typed = self.typed;
        let mut inner = Vec::new();
        kind.for_each_use(|var| inner.extend(self.fused.get(&var)));
        while let Some(inst) = inner.pop() {
            let kind = &typed.func.insts[inst].kind;
            self.keep_operands(kind);
            kind.for_each_use(|var| inner.extend(self.fused.get(&var)));
        }
    }
}
