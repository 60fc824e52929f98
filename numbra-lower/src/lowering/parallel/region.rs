//! Code that runs once for each chunk of a range, in any thread.
//!
//! ```text
//! chunks = numbra_rt_parallel_chunks(n, weight, room)
//! partials[0] = init; partials[1..chunks] = neutral values
//! if chunks == 1: task(context, partials, 0, n)             ; in this thread
//! else: do_scheduling(task, context, partials, ...) ; task(context, partials + k * stride, start, end) for each k
//! state = partials[0]; for k in 1..chunks: state = combine(state, partials[k])
//! ```
//!
//! The task is lowered in place and made a function by [`outline`]. The first chunk starts from the values before the loop,
//! so that a loop of one chunk computes bit for bit what a serial loop does.

use super::super::emit::flags;
use super::super::error::{Fault, Res};
use super::super::function::Fx;
use super::outline::{STRIDE, captured_flags, outline, weight};
use numbra_abi::{HEADER, NativeId};
use numbra_lir::{
    AliasClass, ConvertOp, FuncDecl, InstKind, IntCc, Linkage, MemFlags, Signature, Ty, Value,
};

/// Field of [`HEADER`] with the address of the data.
const HEADER_DATA: usize = 3;

/// Partial results, which change hands between threads.
fn partial_flags(ty: Ty) -> MemFlags {
    flags(AliasClass::ANY, ty.size().min(16))
}

/// One loop over a range in chunks.
pub(in super::super) struct Chunked {
    /// Iterations, as `i64`.
    pub(in super::super) count: Value,
    /// State before the loop.
    pub(in super::super) init: Vec<Value>,
    /// Elements of the arrays among the partial results: where there are any, chunks are no more than threads.
    pub(in super::super) room: Option<Value>,
    /// Iterations of the loops inside an iteration, where they are known before it starts.
    pub(in super::super) inner: Option<Value>,
    /// Distinguishes the task's name.
    pub(in super::super) name: String,
}

impl Fx<'_, '_> {
    /// Runs `body(fx, start, end, state) -> state` for chunks of a range and combines their states. `neutral` gives what
    /// chunks but the first start with, `combine(fx, state, partial)` the state after one more chunk.
    pub(in super::super) fn chunked(
        &mut self,
        loop_: Chunked,
        body: impl FnOnce(&mut Self, Value, Value, &[Value]) -> Res<Vec<Value>>,
        neutral: impl FnOnce(&mut Self) -> Res<Vec<Value>>,
        combine: impl FnOnce(&mut Self, &[Value], &[Value]) -> Res<Vec<Value>>,
    ) -> Res<Vec<Value>> {
        let Chunked {
            count,
            init,
            room,
            inner,
            name,
        } = loop_;
        let tys: Vec<Ty> = init.iter().map(|v| self.ty(*v)).collect();
        let stride = i64::from(STRIDE) * tys.len() as i64;
        let has_refs = tys.contains(&Ty::Ref);

        // The task.
        let here = self.block;
        let placed = self.placed.len();
        let raise_blocks = std::mem::take(&mut self.raise_blocks);
        let fail_block = self.fail_block.take();
        let can_fail = self.can_fail;
        let first = self.new_block();
        let params: Vec<Value> = [Ty::PTR, Ty::PTR, Ty::I64, Ty::I64]
            .into_iter()
            .map(|ty| self.func.push_param(first, ty))
            .collect();
        self.enter(first);
        let mut state = Vec::with_capacity(tys.len());
        for (i, &ty) in tys.iter().enumerate() {
            state.push(self.load_partial(params[1], i, ty));
        }
        // Iterations count from 0: without this the task could not tell.
        let zero = self.i64(0);
        let start = self.one(
            InstKind::Binary {
                op: numbra_lir::BinaryOp::SMax,
                lhs: params[2],
                rhs: zero,
            },
            Ty::I64,
        );
        let outer = std::mem::replace(&mut self.in_task, true);
        let outer_handler = self.outer_handler;
        self.outer_handler = self.handler().or(outer_handler);
        let done = body(self, start, params[3], &state)?;
        self.in_task = outer;
        self.outer_handler = outer_handler;
        for (i, value) in done.into_iter().enumerate() {
            self.store_partial(params[1], i, value)?;
        }
        self.ret(Vec::new());
        let blocks: Vec<_> = self.placed.drain(placed..).collect();
        self.raise_blocks = raise_blocks;
        self.fail_block = fail_block;
        self.can_fail = can_fail;
        self.block = here;
        let sig = Signature::new(&[Ty::PTR, Ty::PTR, Ty::I64, Ty::I64], &[], true);
        let (task, captured) =
            outline(&mut self.func, &blocks, sig.clone()).map_err(Fault::unsupported)?;
        let weight = weight(&task, inner.is_some());
        let task = FuncDecl {
            name: self.mx.unique_name(&name),
            linkage: Linkage::Local,
            sig,
            body: Some(task),
            inline_always: false,
            // It takes the captured values as memory that nobody writes, which its caller has just written.
            inline_never: true,
        };
        let task = self.mx.module.functions.push(task);
        self.mx.tasks.push(task);

        // Its call.
        let context = self.context(&captured);
        let mut weight = self.i64(weight);
        if let Some(iterations) = inner {
            weight = self.imul(weight, iterations);
        }
        let room = match room {
            // The runtime takes 0 for no array.
            Some(room) => {
                let one = self.i64(1);
                self.iadd(room, one)
            }
            None => self.i64(0),
        };
        let chunks = self.native_value(NativeId::ParallelChunks, vec![count, weight, room])?;
        let single = self.icmp_imm(IntCc::Eq, chunks, 1);
        let (partials, owner) = self.partials(chunks, single, stride)?;
        for (i, value) in init.iter().enumerate() {
            self.store_partial(partials, i, *value)?;
        }
        if !tys.is_empty() {
            let some = self.not(single);
            self.if_else(
                some,
                &[],
                |fx| {
                    let one = fx.i64(1);
                    let rest = fx.isub(chunks, one);
                    fx.count_loop(rest, Vec::new(), |fx, k, _| {
                        let at = fx.chunk(partials, k, 1, stride);
                        let values = neutral(fx)?;
                        for (i, value) in values.into_iter().enumerate() {
                            fx.store_partial(at, i, value)?;
                        }
                        Ok(Vec::new())
                    })
                },
                |_| Ok::<_, Fault>(Vec::new()),
            )?;
        }
        let status = self.if_else(
            single,
            &[Ty::I32],
            |fx| {
                let zero = fx.i64(0);
                let args = vec![context, partials, zero, count];
                Ok::<_, Fault>(fx.inst(InstKind::Call { func: task, args }, &[Ty::I32]))
            },
            |fx| {
                let address = fx.one(InstKind::FuncAddr(task), Ty::PTR);
                let stride = fx.i64(stride);
                let args = vec![address, context, partials, stride, count, chunks];
                Ok(fx.inst(InstKind::native(NativeId::ParallelFor, args), &[Ty::I32]))
            },
        )?[0];
        let mut used: Vec<Value> = captured
            .iter()
            .copied()
            .filter(|v| self.ty(*v).is_address())
            .collect();
        used.push(owner);
        self.keep(used);
        if has_refs {
            // Partial results own references that no slot gives up.
            let failed = self.icmp_imm(IntCc::Ne, status, 0);
            self.if_else(
                failed,
                &[],
                |fx| {
                    fx.clear_partials(partials, chunks, stride, &tys)?;
                    Ok::<_, Fault>(Vec::new())
                },
                |_| Ok(Vec::new()),
            )?;
        }
        self.guard_status(status)?;

        // Its results.
        let mut state = Vec::with_capacity(tys.len());
        for (i, &ty) in tys.iter().enumerate() {
            state.push(self.load_partial(partials, i, ty));
        }
        if !tys.is_empty() {
            let one = self.i64(1);
            let rest = self.isub(chunks, one);
            state = self.count_loop(rest, state, |fx, k, state| {
                let at = fx.chunk(partials, k, 1, stride);
                let mut partial = Vec::with_capacity(tys.len());
                for (i, &ty) in tys.iter().enumerate() {
                    partial.push(fx.load_partial(at, i, ty));
                }
                combine(fx, state, &partial)
            })?;
        }
        if has_refs {
            self.clear_partials(partials, chunks, stride, &tys)?;
        }
        self.keep(vec![owner]);
        Ok(state)
    }

    /// A block with the captured values.
    fn context(&mut self, captured: &[Value]) -> Value {
        if captured.is_empty() {
            return self.zero(Ty::PTR);
        }
        let slot = self.slot(STRIDE * captured.len() as u32, 16, Vec::new());
        let address = self.slot_addr(slot);
        for (i, &value) in captured.iter().enumerate() {
            let stored = match self.ty(value) {
                Ty::I1 => Ty::I8,
                ty => ty,
            };
            let flags = MemFlags {
                readonly: false,
                ..captured_flags(stored)
            };
            self.store(address, (STRIDE as usize * i) as i32, value, flags);
        }
        address
    }

    /// Room for the partial results of all chunks, and what owns it: of one chunk on the stack.
    fn partials(&mut self, chunks: Value, single: Value, stride: i64) -> Res<(Value, Value)> {
        if stride == 0 {
            return Ok((self.zero(Ty::PTR), self.zero(Ty::Ref)));
        }
        let slot = self.slot(stride as u32, 16, Vec::new());
        let own = self.slot_addr(slot);
        let stride = self.i64(stride);
        let room = self.if_else(
            single,
            &[Ty::PTR, Ty::Ref],
            |fx| {
                let none = fx.zero(Ty::Ref);
                Ok(vec![own, none])
            },
            |fx| {
                let bytes = fx.imul(chunks, stride);
                let align = fx.i64(64);
                let owner = fx.native_value(NativeId::AllocZeroed, vec![bytes, align])?;
                let header = fx.convert(ConvertOp::RefToPtr, owner, Ty::PTR);
                fx.guard_allocated(header)?;
                let flags = MemFlags {
                    readonly: true,
                    ..flags(AliasClass::HEADER, 8)
                };
                let data = fx.load(Ty::PTR, header, HEADER.offset(HEADER_DATA) as i32, flags);
                Ok::<_, Fault>(vec![data, owner])
            },
        )?;
        Ok((room[0], room[1]))
    }

    /// Address of the partial results of chunk `k + first`.
    fn chunk(&mut self, partials: Value, k: Value, first: i64, stride: i64) -> Value {
        let first = self.i64(first);
        let k = self.iadd(k, first);
        let stride = self.i64(stride);
        let offset = self.imul(k, stride);
        self.ptr_add(partials, offset)
    }

    fn load_partial(&mut self, at: Value, i: usize, ty: Ty) -> Value {
        let offset = (STRIDE as usize * i) as i32;
        let flags = partial_flags(if ty == Ty::I1 { Ty::I8 } else { ty });
        self.load(ty, at, offset, flags)
    }

    /// References there own a count.
    fn store_partial(&mut self, at: Value, i: usize, value: Value) -> Res<()> {
        let offset = i64::from(STRIDE) * i as i64;
        if self.ty(value) == Ty::Ref {
            let offset = self.i64(offset);
            let place = self.ptr_add(at, offset);
            self.native_call(NativeId::RefSet, vec![place, value])?;
            return Ok(());
        }
        let ty = match self.ty(value) {
            Ty::I1 => Ty::I8,
            ty => ty,
        };
        self.store(at, offset as i32, value, partial_flags(ty));
        Ok(())
    }

    /// Gives up the references of all partial results.
    fn clear_partials(
        &mut self,
        partials: Value,
        chunks: Value,
        stride: i64,
        tys: &[Ty],
    ) -> Res<()> {
        self.count_loop(chunks, Vec::new(), |fx, k, _| {
            let at = fx.chunk(partials, k, 0, stride);
            for (i, ty) in tys.iter().enumerate() {
                if *ty == Ty::Ref {
                    let null = fx.zero(Ty::Ref);
                    fx.store_partial(at, i, null)?;
                }
            }
            Ok::<_, Fault>(Vec::new())
        })?;
        Ok(())
    }
}
