//! Arrays of lists, and lists that need never be: `np.array([f(x) for x in y])` writes its items where they will stay.
//!
//! A list is *gathered* when all that happens to it is that a loop appends to it, and that `np.array` reads it behind the
//! loop. If the number of rounds is known where the loop's iterator is made, the array is made there, and each `append`
//! writes an element. Of the loop is asked:
//!
//! - it iterates a range, an array or a homogeneous tuple, and only its header advances the iterator;
//! - it is left from its header alone, so that every item is there;
//! - each round appends once: the one `append` stands in no inner loop, on every way back to the header;
//! - list, iterator and result are made once for each run of the loop: no loop is around one of them but not the others.
//!
//! Lists that a display makes, and that nothing but `np.array` reads, are in [`display`](super::display).

use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::iterate::STATE;
use super::display::Display;
use super::element::ArrayRef;
use numbra_base::FxHashMap;
use numbra_ir::analysis::{Cfg, Dominators, Loops};
use numbra_ir::{Block, CallArg, Expr, Inst, Rhs, StmtKind, Type, TypeKind, Var};
use numbra_library::{ListOp, Op};
use numbra_lir::Value;

/// What a statement does for a gathered list, which is known by the statement that makes the array of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum Gather {
    /// Nothing: it makes, copies or reads the list itself.
    Skip,
    /// Makes the loop's iterator, and the array.
    Start(Inst),
    /// `list.append(item)`
    Append(Inst, Var),
    /// `np.array(list)`
    Finish,
    /// `np.array([x, ..])`
    Display(Display),
}

/// An array being filled: its parts, and the address of the position of the next item.
#[derive(Clone, Debug)]
pub(in super::super) struct Gathered {
    array: ArrayRef,
    position: Value,
}

/// Where statements stand.
pub(super) struct Places<'a> {
    block: FxHashMap<Inst, (Block, usize)>,
    /// The statement that defines a variable; `None` if there are several.
    pub(super) def: FxHashMap<Var, Option<Inst>>,
    pub(super) uses: FxHashMap<Var, Vec<Inst>>,
    cfg: &'a Cfg,
    doms: &'a Dominators,
    loops: &'a Loops,
}

impl Fx<'_, '_> {
    /// Finds the gathered lists.
    pub(in super::super) fn find_gathered(&self) -> FxHashMap<Inst, Gather> {
        let mut out = FxHashMap::default();
        let func = &self.typed.func;
        let insts = || func.layout.iter().flat_map(|b| &func.blocks[*b].insts);
        let ends: Vec<Inst> = insts()
            .copied()
            .filter(|inst| {
                let op = self.intrinsic_of(*inst);
                matches!(op, Some(Op::ArrayOfList | Op::ArrayOfNested))
            })
            .collect();
        if ends.is_empty() {
            return out;
        }
        let cfg = Cfg::new(func);
        let doms = Dominators::new(&cfg);
        let loops = Loops::new(&cfg, &doms);
        let mut places = Places {
            block: FxHashMap::default(),
            def: FxHashMap::default(),
            uses: FxHashMap::default(),
            cfg: &cfg,
            doms: &doms,
            loops: &loops,
        };
        for &block in &func.layout {
            for (n, &inst) in func.blocks[block].insts.iter().enumerate() {
                places.block.insert(inst, (block, n));
                let kind = &func.insts[inst].kind;
                if let Some(var) = kind.def() {
                    // Two definitions are none.
                    let twice = places.def.contains_key(&var);
                    places.def.insert(var, (!twice).then_some(inst));
                }
                kind.for_each_use(|var| {
                    let uses = places.uses.entry(var).or_default();
                    if uses.last() != Some(&inst) {
                        uses.push(inst);
                    }
                });
            }
        }
        for end in ends {
            let roles = self
                .displayed_by(end, &places)
                .or_else(|| self.gathered_by(end, &places));
            out.extend(roles.into_iter().flatten());
        }
        out
    }

    pub(super) fn value_of(&self, inst: Inst) -> Option<&Rhs> {
        match &self.typed.func.insts[inst].kind {
            StmtKind::Assign { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The roles of all statements that touch the list that `end` makes an array of, if it is gathered.
    fn gathered_by(&self, end: Inst, places: &Places<'_>) -> Option<Vec<(Inst, Gather)>> {
        if self.intrinsic_of(end) != Some(Op::ArrayOfList) {
            return None;
        }
        let CallArg::Var(given) = *self.typed.calls[end].as_ref()?.args.first()? else {
            return None;
        };
        // Back to where the list is made.
        let mut list = given;
        let made = loop {
            let def = (*places.def.get(&list)?)?;
            match self.value_of(def)? {
                Rhs::Var(from) if self.var_type(*from) == self.var_type(list) => list = *from,
                Rhs::Expr(Expr::BuildList(items)) if items.is_empty() => break def,
                _ => return None,
            }
        };
        // Forward to everything that is done with it.
        let mut roles = vec![(made, Gather::Skip)];
        let mut append: Option<(Inst, Var)> = None;
        let mut todo = vec![list];
        while let Some(name) = todo.pop() {
            for &user in places.uses.get(&name).into_iter().flatten() {
                if user == end {
                    continue;
                }
                if let StmtKind::Del(_) = self.typed.func.insts[user].kind {
                    roles.push((user, Gather::Skip));
                    continue;
                }
                let target = self.typed.func.insts[user].kind.def()?;
                match self.value_of(user)? {
                    Rhs::Var(_) if self.var_type(target) == self.var_type(list) => {
                        todo.push(target);
                    }
                    Rhs::Expr(Expr::GetAttr { .. }) => {
                        let method = places.uses.get(&target)?;
                        let calls: Vec<Inst> = method
                            .iter()
                            .copied()
                            .filter(|i| self.value_of(*i).is_some())
                            .collect();
                        let &[call] = calls.as_slice() else {
                            return None;
                        };
                        let is_append = self.intrinsic_of(call) == Some(Op::List(ListOp::Append));
                        let site = self.typed.calls[call].as_ref()?;
                        let (Some(CallArg::Var(of)), Some(CallArg::Var(item))) =
                            (site.args.first(), site.args.get(1))
                        else {
                            return None;
                        };
                        let aliases = *of == name && *item != name;
                        if !is_append || !aliases || append.replace((call, *item)).is_some() {
                            return None;
                        }
                    }
                    _ => return None,
                }
                roles.push((user, Gather::Skip));
            }
        }
        let (append, item) = append?;
        let start = self.gathering_loop(made, append, end, places)?;
        roles.extend([
            (start, Gather::Start(end)),
            (append, Gather::Append(end, item)),
            (end, Gather::Finish),
        ]);
        Some(roles)
    }

    /// The statement that makes the iterator of the loop around an `append`, if the loop is as the module asks.
    fn gathering_loop(
        &self,
        made: Inst,
        append: Inst,
        end: Inst,
        places: &Places<'_>,
    ) -> Option<Inst> {
        let func = &self.typed.func;
        let (append_block, _) = *places.block.get(&append)?;
        let id = places.loops.innermost(append_block)?;
        let inner = places.loops.get(id);
        let header = inner.header;
        let from_header = |exit: &Block| {
            let others = places.cfg.all_preds(*exit);
            others.filter(|&p| inner.contains(p)).all(|p| p == header)
        };
        let whole = inner.exits(places.cfg).iter().all(from_header)
            && inner
                .latches
                .iter()
                .all(|latch| places.doms.dominates(append_block, *latch));
        if !whole {
            return None;
        }
        // The header's test is on a step of an iterator that nothing else uses.
        let StmtKind::Branch { cond, .. } = *func.terminator(header)? else {
            return None;
        };
        let Rhs::Expr(Expr::PairSecond(pair)) = self.value_of((*places.def.get(&cond)?)?)? else {
            return None;
        };
        let step = (*places.def.get(pair)?)?;
        let Rhs::Expr(Expr::IterNext(iterator)) = self.value_of(step)? else {
            return None;
        };
        let users = places.uses.get(iterator)?.iter();
        let advanced = users
            .filter(|i| !matches!(func.insts[**i].kind, StmtKind::Del(_)))
            .count();
        let start = (*places.def.get(iterator)?)?;
        let Rhs::Expr(Expr::GetIter(over)) = self.value_of(start)? else {
            return None;
        };
        let counted = self.intrinsic_of(start) == Some(Op::GetIter) && self.is_counted(*over);
        let at = |inst: Inst| places.block.get(&inst).copied();
        let around = |inst: Inst| Some(places.loops.innermost(at(inst)?.0));
        let one_level = around(made)? == inner.parent
            && around(start)? == inner.parent
            && around(end)? == inner.parent
            && at(step)?.0 == header;
        let before =
            |a: Inst, b: Block| at(a).is_some_and(|(block, _)| places.doms.dominates(block, b));
        let in_order = before(made, header) && before(start, header) && {
            let (last, _) = at(end)?;
            places.doms.dominates(header, last)
        };
        (counted && advanced == 1 && one_level && in_order).then_some(start)
    }

    /// True if the number of items of a value is known and stays so while it is iterated.
    fn is_counted(&self, over: Var) -> bool {
        let Some(ty) = self.var_type(over) else {
            return false;
        };
        match self.types.kind(ty) {
            TypeKind::Range(_) => true,
            TypeKind::Array(array) => array.ndim > 0,
            _ => self.types.uniform_tuple(ty).is_some(),
        }
    }

    /// Does what a statement of a gathered list does; false when it does what it always does, as well.
    pub(in super::super) fn gather(&mut self, inst: Inst, role: Gather) -> Res<bool> {
        match role {
            Gather::Skip => Ok(true),
            Gather::Start(end) => {
                self.start_gathering(inst, end)?;
                Ok(false)
            }
            Gather::Append(end, item) => {
                self.gather_item(end, item)?;
                if let Some(none) = self.typed.func.insts[inst].kind.def() {
                    self.vars[none] = Some(Vec::new());
                }
                Ok(true)
            }
            Gather::Finish => {
                let gathered = self.gathering(inst)?;
                self.define_array(inst, &gathered.array)?;
                Ok(true)
            }
            Gather::Display(display) => {
                let array = self.array_of_display(inst, &display)?;
                self.define_array(inst, &array)?;
                Ok(true)
            }
        }
    }

    /// A new array is what the statement assigns.
    fn define_array(&mut self, inst: Inst, array: &ArrayRef) -> Res<()> {
        let target = self.typed.func.insts[inst].kind.def();
        let ty = target.and_then(|var| self.var_type(var));
        if let (Some(var), Some(ty)) = (target, ty) {
            let ret = self.types.intern(TypeKind::Array(array.ty));
            let leaves = self.cast(&Val::new(ret, array.leaves()), ty)?;
            self.define(var, leaves);
        }
        Ok(())
    }

    fn gathering(&self, end: Inst) -> Res<Gathered> {
        let gathered = self.gathering.get(&end).cloned();
        gathered.ok_or_else(|| Fault::bug("an array that is read before it is made"))
    }

    fn start_gathering(&mut self, start: Inst, end: Inst) -> Res<()> {
        let typed = self.typed;
        let (Some(Rhs::Expr(Expr::GetIter(over))), Some(site)) =
            (self.value_of(start), &typed.calls[end])
        else {
            return Err(Fault::bug("a gathered list without an iterator"));
        };
        let over = self.var(*over)?;
        let count = match self.types.kind(over.ty) {
            TypeKind::Range(_) => self.range_len(&over)?,
            TypeKind::Array(_) => self.array(&over)?.shape[0],
            _ => match self.types.uniform_tuple(over.ty) {
                Some((_, n)) => self.i64(i64::from(n)),
                None => return Err(Fault::bug("a gathered list of unknown length")),
            },
        };
        let ty = self.result_array(site.sig.ret)?;
        let array = self.new_array(ty, vec![count], false)?;
        let zero = self.i64(0);
        let position = self.state(&[zero]);
        self.gathering.insert(end, Gathered { array, position });
        Ok(())
    }

    fn gather_item(&mut self, end: Inst, item: Var) -> Res<()> {
        let Gathered { array, position } = self.gathering(end)?;
        let typed = self.typed;
        let list = typed.calls[end]
            .as_ref()
            .and_then(|site| site.sig.params.first());
        let dtype = list.and_then(|ty| self.types.as_list(*ty)).map(|l| l.0);
        let dtype = dtype.ok_or_else(|| Fault::bug("a gathered value that is no list"))?;
        let value = self.var(item)?;
        let leaves = self.cast(&value, dtype)?;
        let value = Val::new(dtype, leaves);
        let at = self.load(numbra_lir::Ty::I64, position, 0, STATE);
        self.put_item(&array, at, &value)?;
        let one = self.i64(1);
        let next = self.iadd(at, one);
        self.store(position, 0, next, STATE);
        Ok(())
    }

    /// Writes a number as element `at`, in C order, of a new array.
    pub(super) fn put_item(&mut self, array: &ArrayRef, at: Value, value: &Val) -> Res<()> {
        let leaves = self.num_as(value, array.ty.dtype)?.leaves();
        let size = self.i64(array.item_size());
        let offset = self.imul(at, size);
        let place = self.ptr_add(array.data, offset);
        self.store_element(array, place, &leaves);
        Ok(())
    }

    /// `np.array(list)` of a list of numbers.
    pub(in super::super) fn array_of_list(&mut self, value: &Val, ret: Type) -> Res<Vec<Value>> {
        let list = self.list(value)?;
        let count = self.list_len(&list);
        let ty = self.result_array(ret)?;
        let array = self.new_array(ty, vec![count], false)?;
        self.count_loop(count, Vec::new(), |fx, at, _| {
            let place = fx.list_item_addr(&list, at);
            let leaves = fx.load_item_at(&list.item, place);
            fx.put_item(&array, at, &Val::new(list.dtype, leaves))?;
            Ok::<_, Fault>(Vec::new())
        })?;
        self.keep(vec![list.owner]);
        Ok(array.leaves())
    }
}
