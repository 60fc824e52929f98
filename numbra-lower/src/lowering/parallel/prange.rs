//! One `prange` loop as chunks of its range.

use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::region::Chunked;
use numbra_ir::{Rhs, StmtKind, Type, Var};
use numbra_library::Reduce;
use numbra_lir::{BinaryOp, IntCc, Ty, Value};
use numbra_parallel::{Carried, CarriedVar, LoopShape, Region};

/// A loop of the plan that runs in parallel.
#[derive(Clone, Copy)]
pub(in super::super) struct PlannedLoop<'m> {
    pub(in super::super) shape: &'m LoopShape,
    pub(in super::super) region: &'m Region,
}

impl Fx<'_, '_> {
    /// Takes up the loops of the plan that run in parallel.
    pub(in super::super) fn take_plan(&mut self) {
        for plan in self.mx.loops {
            let Some(region) = plan.region() else {
                continue;
            };
            let shape = &plan.shape;
            self.regions
                .insert(shape.header, PlannedLoop { shape, region });
            self.flags
                .extend(region.flagged.iter().map(|var| (*var, None)));
            let resets = region.nan_resets.iter();
            self.nan_resets
                .extend(resets.map(|one| (one.result, one.before)));
        }
    }

    /// Lowers a loop from its header to its exit.
    pub(in super::super) fn parallel_loop(&mut self, planned: PlannedLoop<'_>) -> Res<()> {
        let PlannedLoop { shape, region } = planned;
        let typed = self.typed;
        let head = self.heads[&shape.header];
        self.enter(head);
        self.current = Some(shape.header);
        if self.site.is_none()
            && let Some(inst) = typed.func.blocks[shape.header].insts.first()
        {
            self.span = typed.func.insts[*inst].span;
        }
        let range = self.var(shape.range)?;
        let extents = self.extents(&range);
        let count = match &extents {
            Some(extents) => self.product(extents),
            None => self.range_len(&range)?,
        };
        let mut init: Vec<Value> = self.func.blocks[head].params.clone();
        let carried = init.len();
        let before: Vec<(Var, Vec<Value>)> = region
            .carried
            .iter()
            .map(|one| Ok((one.var, self.var(one.var)?.leaves)))
            .collect::<Res<_>>()?;
        let mut shared = Vec::with_capacity(region.private.len());
        for private in &region.private {
            let array = self.var(private.vars[0])?;
            init.extend(&array.leaves);
            shared.push(array);
        }
        let mut room = None;
        for one in &region.carried {
            let value = self.var(one.var)?;
            room = self.add_room(room, &value)?;
        }
        for array in &shared {
            room = self.add_room(room, array)?;
        }
        let chunked = Chunked {
            count,
            init,
            room,
            inner: None,
            name: format!("{}.parallel", typed.func.name),
        };
        let after = self.chunked(
            chunked,
            |fx, start, end, state| {
                let (state, own) = state.split_at(carried);
                let outer = fx.place_private(region, own)?;
                let mut after = fx.iterations(planned, &range, (start, end), state)?;
                for (var, leaves) in outer {
                    fx.vars[var] = leaves;
                }
                after.extend(own);
                Ok(after)
            },
            |fx| {
                let mut neutral = fx.neutral(region, &before)?;
                for (private, array) in region.private.iter().zip(&shared) {
                    neutral.extend(fx.neutral_array(private.reduce, array)?);
                }
                Ok(neutral)
            },
            |fx, state, partial| {
                let (now, own) = state.split_at(carried);
                let (partial, mut more) = partial.split_at(carried);
                let mut after = fx.combined(region, now, partial)?;
                for (private, array) in region.private.iter().zip(&shared) {
                    let (leaves, rest) = more.split_at(array.leaves.len());
                    let partial = Val::new(array.ty, leaves.to_vec());
                    fx.combine_values(private.reduce, array.clone(), partial)?;
                    more = rest;
                }
                after.extend(own);
                Ok(after)
            },
        )?;
        let mut at = 0;
        for CarriedVar { var, kind } in &region.carried {
            let size = self.carried_size(*var, *kind)?;
            let leaves = self.leaf_count(self.type_of(*var)?)?;
            self.vars[*var] = Some(after[at..at + leaves].to_vec());
            if kind.has_flag() {
                self.flags.insert(*var, Some(after[at + leaves]));
            }
            at += size;
        }
        if at != carried {
            return Err(Fault::bug("a loop that carries other values than its phis"));
        }
        self.current = Some(shape.header);
        self.jump_to(shape.exit)
    }

    /// Adds the number of elements of an array to that of others.
    fn add_room(&mut self, room: Option<Value>, value: &Val) -> Res<Option<Value>> {
        if self.types.as_array(value.ty).is_none() {
            return Ok(room);
        }
        let mut count = self.i64(1);
        for extent in self.array(value)?.shape {
            count = self.imul(count, extent);
        }
        Ok(Some(match room {
            Some(room) => self.iadd(room, count),
            None => count,
        }))
    }

    /// Has the variables of private arrays stand for a chunk's own; what they stood for.
    fn place_private(
        &mut self,
        region: &Region,
        own: &[Value],
    ) -> Res<Vec<(Var, Option<Vec<Value>>)>> {
        let mut outer = Vec::new();
        let mut left = own;
        for private in &region.private {
            let count = self.leaf_count(self.type_of(private.vars[0])?)?;
            let (leaves, rest) = left.split_at(count);
            for &var in &private.vars {
                outer.push((var, self.vars[var].replace(leaves.to_vec())));
            }
            left = rest;
        }
        Ok(outer)
    }

    fn type_of(&self, var: Var) -> Res<Type> {
        self.var_type(var)
            .ok_or_else(|| Fault::bug("a carried variable without a type"))
    }

    /// Leaves of a carried variable in the state: those of its value and its flag.
    fn carried_size(&self, var: Var, kind: Carried) -> Res<usize> {
        let leaves = self.leaf_count(self.type_of(var)?)?;
        Ok(leaves + usize::from(kind.has_flag()))
    }

    /// The iterations of one chunk; the state after them.
    fn iterations(
        &mut self,
        PlannedLoop { shape, region }: PlannedLoop<'_>,
        range: &Val,
        (start, end): (Value, Value),
        state: &[Value],
    ) -> Res<Vec<Value>> {
        let tys: Vec<Ty> = state.iter().map(|v| self.ty(*v)).collect();
        let (head, inside, latch, done) = (
            self.new_block(),
            self.new_block(),
            self.new_block(),
            self.new_block(),
        );
        let index = self.func.push_param(head, Ty::I64);
        let extents = self.extents(range);
        let place = extents
            .as_deref()
            .map(|extents| self.unravel(start, extents));
        let mut axes = Vec::new();
        let params = |fx: &mut Self, block| -> Vec<Value> {
            tys.iter()
                .map(|ty| fx.func.push_param(block, *ty))
                .collect()
        };
        let (now, next) = (params(self, head), params(self, latch));
        let mut first = vec![start];
        first.extend(state);
        for at in place.into_iter().flatten() {
            first.push(at);
            axes.push(self.func.push_param(head, Ty::I64));
        }
        self.jump(head, first);
        self.enter(head);
        let more = self.icmp(IntCc::Slt, index, end);
        self.brif(more, (inside, Vec::new()), (done, Vec::new()));

        self.enter(inside);
        self.place_carried(region, &now)?;
        if let Some(item) = shape.item
            && let Some(ty) = self.var_type(item)
        {
            if extents.is_some() {
                self.vars[item] = Some(axes.clone());
            } else {
                let leaves = &range.leaves;
                let part = self.ty(leaves[0]);
                let steps = self.int_to(index, part, true);
                let offset = self.imul(steps, leaves[2]);
                let value = self.iadd(leaves[0], offset);
                let numbra_ir::TypeKind::Range(own) = *self.types.kind(range.ty) else {
                    return Err(Fault::bug(
                        "a parallel loop over something else than a range",
                    ));
                };
                let leaves = self.cast(&Val::new(own, vec![value]), ty)?;
                self.vars[item] = Some(leaves);
            }
        }
        let outer = self.heads.insert(shape.header, latch);
        self.current = Some(shape.header);
        self.jump_to(shape.first)?;
        for &block in &region.body {
            self.lower_block(block)?;
        }
        if let Some(outer) = outer {
            self.heads.insert(shape.header, outer);
        }

        self.enter(latch);
        let one = self.i64(1);
        let following = self.iadd(index, one);
        let mut args = vec![following];
        args.extend(next);
        if let Some(extents) = &extents {
            args.extend(self.next_place(&axes, extents));
        }
        self.jump(head, args);
        self.enter(done);
        self.current = Some(shape.header);
        Ok(now)
    }

    /// The extents of what `pndindex` goes over.
    fn extents(&self, range: &Val) -> Option<Vec<Value>> {
        if matches!(self.types.kind(range.ty), numbra_ir::TypeKind::Range(_)) {
            return None;
        }
        let axes = (range.leaves.len() - 1) / 2;
        Some(range.leaves[1..=axes].to_vec())
    }

    /// The index along each axis of position `at` in C order.
    fn unravel(&mut self, at: Value, extents: &[Value]) -> Vec<Value> {
        let mut left = at;
        let mut out = Vec::with_capacity(extents.len());
        for &extent in extents.iter().rev() {
            // Empty axes are never gone over, but this runs before the loop knows.
            let one = self.i64(1);
            let by = self.ibin(BinaryOp::SMax, extent, one);
            out.push(self.ibin(BinaryOp::SRem, left, by));
            left = self.ibin(BinaryOp::SDiv, left, by);
        }
        out.reverse();
        out
    }

    /// The index behind another one; the last axis runs fastest.
    fn next_place(&mut self, place: &[Value], extents: &[Value]) -> Vec<Value> {
        let (zero, one) = (self.i64(0), self.i64(1));
        let mut out = place.to_vec();
        let mut carry = None;
        for axis in (0..place.len()).rev() {
            let after = self.iadd(place[axis], one);
            let full = self.icmp(IntCc::Sge, after, extents[axis]);
            let wrapped = self.select(full, zero, after);
            (out[axis], carry) = match carry {
                None => (wrapped, Some(full)),
                Some(carried) => {
                    let next = self.select(carried, wrapped, place[axis]);
                    (next, Some(self.and(carried, full)))
                }
            };
        }
        out
    }

    /// Says which values the phis of the header have.
    fn place_carried(&mut self, region: &Region, state: &[Value]) -> Res<()> {
        let mut at = 0;
        for CarriedVar { var, kind } in &region.carried {
            let leaves = self.leaf_count(self.type_of(*var)?)?;
            self.vars[*var] = Some(state[at..at + leaves].to_vec());
            if kind.has_flag() {
                self.flags.insert(*var, Some(state[at + leaves]));
            }
            at += self.carried_size(*var, *kind)?;
        }
        Ok(())
    }

    /// What chunks but the first start with.
    fn neutral(&mut self, region: &Region, before: &[(Var, Vec<Value>)]) -> Res<Vec<Value>> {
        let mut out = Vec::new();
        for (CarriedVar { var, kind }, (_, leaves)) in region.carried.iter().zip(before) {
            match kind {
                Carried::LastValue => {
                    out.extend(leaves);
                    out.push(self.bool(false));
                }
                Carried::Reduction(reduce) => {
                    let value = Val::new(self.type_of(*var)?, leaves.clone());
                    out.extend(self.neutral_value(*reduce, &value)?);
                }
                Carried::NanReset(_) => {
                    for leaf in leaves {
                        let ty = self.ty(*leaf);
                        out.push(self.fconst(ty, f64::NAN));
                    }
                    out.push(self.bool(false));
                }
            }
        }
        Ok(out)
    }

    /// The value that an operator leaves others unchanged by, like `value` in type and shape.
    fn neutral_value(&mut self, reduce: Reduce, value: &Val) -> Res<Vec<Value>> {
        if self.types.as_array(value.ty).is_some() {
            return self.neutral_array(reduce, value);
        }
        let kind = self.kind_of(value.ty)?;
        let ty = value.leaves.iter().map(|v| self.ty(*v)).collect::<Vec<_>>();
        let part = |fx: &mut Self, ty: Ty, number: f64| match ty.is_float() {
            true => fx.fconst(ty, number),
            false => fx.iconst(ty, number as i128),
        };
        Ok(match reduce {
            // `x + -0.0` is `x`, also for -0.0.
            Reduce::Sum if !kind.is_int() && kind != numbra_ir::Scalar::Bool => {
                ty.into_iter().map(|ty| self.fconst(ty, -0.0)).collect()
            }
            Reduce::Sum | Reduce::Xor => ty.into_iter().map(|ty| part(self, ty, 0.0)).collect(),
            Reduce::Product => ty
                .into_iter()
                .enumerate()
                .map(|(i, ty)| part(self, ty, if i == 0 { 1.0 } else { 0.0 }))
                .collect(),
            // Twice the same changes nothing.
            Reduce::Min | Reduce::Max | Reduce::And | Reduce::Or => value.leaves.clone(),
        })
    }

    fn neutral_array(&mut self, reduce: Reduce, value: &Val) -> Res<Vec<Value>> {
        let array = self.array(value)?;
        let fresh = self.new_array(array.ty, array.shape.clone(), true)?;
        let fresh = Val::new(value.ty, fresh.leaves());
        let (ufunc, operand) = match reduce {
            Reduce::Sum | Reduce::Xor => return Ok(fresh.leaves),
            Reduce::Product => {
                let one = self.i64(1);
                let element = array.ty.dtype;
                let one = Val::new(Type::INT64, vec![one]);
                let one = Val::new(element, self.num_as(&one, element)?.leaves());
                (Reduce::Sum.ufunc(), one)
            }
            Reduce::And | Reduce::Or => (Reduce::Or.ufunc(), value.clone()),
            Reduce::Min | Reduce::Max => (Reduce::Sum.ufunc(), value.clone()),
        };
        self.elementwise(ufunc, &[fresh, operand], value.ty, true)
    }

    /// The state after one more chunk.
    fn combined(&mut self, region: &Region, state: &[Value], partial: &[Value]) -> Res<Vec<Value>> {
        let mut out = Vec::with_capacity(state.len());
        let mut at = 0;
        for CarriedVar { var, kind } in &region.carried {
            let ty = self.type_of(*var)?;
            let leaves = self.leaf_count(ty)?;
            let (a, b) = (&state[at..at + leaves], &partial[at..at + leaves]);
            match kind {
                Carried::LastValue => {
                    let (old, written) = (state[at + leaves], partial[at + leaves]);
                    let tys: Vec<Ty> = a.iter().map(|v| self.ty(*v)).collect();
                    let last = self.if_else(
                        written,
                        &tys,
                        |_| Ok::<_, Fault>(b.to_vec()),
                        |_| Ok(a.to_vec()),
                    )?;
                    out.extend(last);
                    out.push(self.or(old, written));
                }
                Carried::Reduction(reduce) => {
                    let (a, b) = (Val::new(ty, a.to_vec()), Val::new(ty, b.to_vec()));
                    out.extend(self.combine_values(*reduce, a, b)?);
                }
                Carried::NanReset(reduce) => {
                    let (old, forgot) = (state[at + leaves], partial[at + leaves]);
                    let (a, b) = (Val::new(ty, a.to_vec()), Val::new(ty, b.to_vec()));
                    let better = self.intrinsic(reduce.op(), &[b.clone(), a.clone()], ty)?;
                    let b = self.num(&b)?;
                    let none = self.is_nan(b);
                    let better = self.num(&Val::new(ty, better))?;
                    let a = self.num(&a)?;
                    let kept = self.pick(none, a, better);
                    out.extend(self.pick(forgot, b, kept).leaves());
                    out.push(self.or(old, forgot));
                }
            }
            at += self.carried_size(*var, *kind)?;
        }
        Ok(out)
    }

    fn combine_values(&mut self, reduce: Reduce, a: Val, b: Val) -> Res<Vec<Value>> {
        let ty = a.ty;
        if self.types.as_array(ty).is_some() {
            return self.elementwise(reduce.ufunc(), &[a, b], ty, true);
        }
        self.intrinsic(reduce.op(), &[a, b], ty)
    }

    /// The flag of a version of a variable that has one; versions that no iteration carries were just written.
    pub(in super::super) fn flag(&mut self, var: Var) -> Value {
        let typed = self.typed;
        let mut at = var;
        for _ in 0..typed.func.insts.len() {
            if let Some(Some(flag)) = self.flags.get(&at) {
                return *flag;
            }
            let copied = typed.func.layout.iter().find_map(|block| {
                typed.func.blocks[*block].insts.iter().find_map(|inst| {
                    match &typed.func.insts[*inst].kind {
                        StmtKind::Assign {
                            target,
                            value: Rhs::Var(of),
                        } if *target == at => Some(*of),
                        _ => None,
                    }
                })
            });
            match copied {
                Some(of) => at = of,
                None => break,
            }
        }
        self.bool(true)
    }

    /// Sets the flag of a result of `min(x, s)` or `max(x, s)`: if it is NaN, what `s` was is forgotten.
    pub(in super::super) fn note_nan_reset(&mut self, result: Var) -> Res<()> {
        let Some(&before) = self.nan_resets.get(&result) else {
            return Ok(());
        };
        let value = self.var(result)?;
        let value = self.num(&value)?;
        let (forgot, old) = (self.is_nan(value), self.flag(before));
        let flag = self.or(old, forgot);
        self.flags.insert(result, Some(flag));
        Ok(())
    }
}
