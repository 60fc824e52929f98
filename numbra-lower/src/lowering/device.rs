//! What threads of a GPU ask of it.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::number::Num;
use numbra_abi::CacheHint;
use numbra_abi::libdevice::known;
use numbra_ir::{Scalar, Type, TypeKind};
use numbra_library::{Atomic, CmpOp, DeviceFn, FenceScope, Shuffle, Vote, constant_integers};
use numbra_lir::{
    AddrSpace, AtomicOp, BinaryOp, ConvertOp, Data, DeviceOp, FloatCc, InstKind, IntCc, MemOrder,
    MemScope, SlotData, Ty, UnaryOp, Value,
};

/// Alignment of shared and local arrays that ask for none: every element is aligned by it.
const ALIGN: u32 = 16;

impl Fx<'_, '_> {
    /// An operation of the device; the leaves of its result.
    pub(super) fn device_operation(
        &mut self,
        op: DeviceFn,
        args: &[Val],
        ret: Type,
    ) -> Res<Vec<Value>> {
        if !self.mx.options.device {
            return Err(Fault::unsupported(
                "functions of `numbra.cuda` run on GPUs only: call this from a function compiled with `cuda.jit`",
            ));
        }
        match op {
            DeviceFn::ThreadIdx(axis) => Ok(self.ask(DeviceOp::ThreadIdx(axis))),
            DeviceFn::BlockIdx(axis) => Ok(self.ask(DeviceOp::BlockIdx(axis))),
            DeviceFn::BlockDim(axis) => Ok(self.ask(DeviceOp::BlockDim(axis))),
            DeviceFn::GridDim(axis) => Ok(self.ask(DeviceOp::GridDim(axis))),
            DeviceFn::LaneId => Ok(self.ask(DeviceOp::LaneId)),
            DeviceFn::Grid | DeviceFn::GridSize => {
                let axes = self.leaf_count(ret)?.min(3) as u8;
                let place = |fx: &mut Self, axis| match op {
                    DeviceFn::Grid => fx.grid_index(axis),
                    _ => fx.grid_extent(axis),
                };
                Ok((0..axes).map(|axis| place(self, axis)).collect())
            }
            DeviceFn::Barrier => Ok(self.ask(DeviceOp::Barrier)),
            DeviceFn::BarrierCount => self.direct(DeviceOp::BarrierCount, args),
            DeviceFn::BarrierAnd => self.direct(DeviceOp::BarrierAnd, args),
            DeviceFn::BarrierOr => self.direct(DeviceOp::BarrierOr, args),
            DeviceFn::SyncWarp => self.direct(DeviceOp::SyncWarp, args),
            DeviceFn::ThisGrid => Ok(Vec::new()),
            DeviceFn::GridBarrier => {
                self.ask(DeviceOp::GridBarrier);
                Ok(vec![self.iconst(Ty::I32, 0)])
            }
            DeviceFn::Fence(scope) => {
                let scope = match scope {
                    FenceScope::Block => MemScope::Block,
                    FenceScope::Device => MemScope::Device,
                    FenceScope::System => MemScope::System,
                };
                let order = MemOrder::SeqCst;
                Ok(self.inst(InstKind::Fence { order, scope }, &[]))
            }
            DeviceFn::Shuffle(kind) => self.shuffle(kind, args),
            DeviceFn::Vote(kind) => self.direct(
                match kind {
                    Vote::All => DeviceOp::VoteAll,
                    Vote::Any => DeviceOp::VoteAny,
                    Vote::Equal => DeviceOp::VoteEqual,
                    Vote::Ballot => DeviceOp::Ballot,
                },
                args,
            ),
            DeviceFn::MatchAny => self.matching(DeviceOp::MatchAny32, DeviceOp::MatchAny64, args),
            DeviceFn::MatchAll => self.matching(DeviceOp::MatchAll32, DeviceOp::MatchAll64, args),
            DeviceFn::ActiveMask => Ok(self.ask(DeviceOp::ActiveMask)),
            DeviceFn::LanemaskLt => Ok(self.ask(DeviceOp::LanemaskLt)),
            DeviceFn::Nanosleep => self.direct(DeviceOp::Nanosleep, args),
            DeviceFn::Breakpoint => Ok(self.ask(DeviceOp::Breakpoint)),
            DeviceFn::Clock => Ok(self.ask(DeviceOp::Clock)),
            DeviceFn::Clock64 => Ok(self.ask(DeviceOp::Clock64)),
            DeviceFn::GlobalTimer => Ok(self.ask(DeviceOp::GlobalTimer)),
            DeviceFn::Atomic(op) => self.atomic(op, args),
            DeviceFn::SharedArray => self.static_array(args, ret, true),
            DeviceFn::LocalArray => self.static_array(args, ret, false),
            DeviceFn::CachedLoad(hint) => self.cached_load(hint, args, ret),
            DeviceFn::CachedStore(hint) => self.cached_store(hint, args),
            DeviceFn::Vector => self.vector(args, ret),
            DeviceFn::Libdevice(i) => self.direct(DeviceOp::Libdevice(i), args),
            DeviceFn::Bfloat(function) => Ok(vec![self.bfloat_function(function, args, ret)?]),
            DeviceFn::Popc => Ok(vec![self.unary_of(UnaryOp::Popcnt, args)?]),
            DeviceFn::Clz => Ok(vec![self.unary_of(UnaryOp::Clz, args)?]),
            DeviceFn::Brev => self.reversed_bits(args),
            DeviceFn::Ffs => self.first_bit(args),
            DeviceFn::Selp => {
                let truth = self.arg(args, 0)?.clone();
                let truth = self.truth(&truth)?;
                let (a, b) = (self.number(args, 1, ret)?, self.number(args, 2, ret)?);
                Ok(vec![self.select(truth, a.re, b.re)])
            }
        }
    }

    /// The smaller (`op` is `<` or `<=`) or the greater of two floats in code for a GPU, whose instruction it is: a NaN
    /// loses, and -0 is below 0.
    pub(super) fn device_extreme(&mut self, x: Num, y: Num, op: CmpOp) -> Option<Num> {
        let least = matches!(op, CmpOp::Lt | CmpOp::Le);
        let function = match (x.kind, least) {
            _ if !self.mx.options.device => return None,
            (Scalar::Float32, true) => const { known("fminf") },
            (Scalar::Float32, false) => const { known("fmaxf") },
            (Scalar::Float64, true) => const { known("fmin") },
            (Scalar::Float64, false) => const { known("fmax") },
            _ => return None,
        };
        let op = DeviceOp::Libdevice(function);
        let args = vec![x.re, y.re];
        let found = self.inst(InstKind::Device { op, args }, &op.results());
        Some(Num::real(x.kind, found[0]))
    }

    /// An operation without operands.
    fn ask(&mut self, op: DeviceOp) -> Vec<Value> {
        let args = Vec::new();
        self.inst(InstKind::Device { op, args }, &op.results())
    }

    /// An operation whose operands are the leaves of the arguments.
    fn direct(&mut self, op: DeviceOp, args: &[Val]) -> Res<Vec<Value>> {
        let args: Vec<Value> = args.iter().flat_map(|arg| arg.leaves.clone()).collect();
        let types: Vec<Ty> = args.iter().map(|&v| self.ty(v)).collect();
        if types != op.params() {
            return Err(Fault::bug(format!("operands of `{}`", op.name())));
        }
        Ok(self.inst(InstKind::Device { op, args }, &op.results()))
    }

    /// Index of the thread in the grid along an axis.
    fn grid_index(&mut self, axis: u8) -> Value {
        let block = self.wide(DeviceOp::BlockIdx(axis));
        let extent = self.wide(DeviceOp::BlockDim(axis));
        let thread = self.wide(DeviceOp::ThreadIdx(axis));
        let before = self.imul(block, extent);
        self.iadd(before, thread)
    }

    /// Threads of the grid along an axis.
    fn grid_extent(&mut self, axis: u8) -> Value {
        let extent = self.wide(DeviceOp::BlockDim(axis));
        let blocks = self.wide(DeviceOp::GridDim(axis));
        self.imul(extent, blocks)
    }

    /// A place as 64 bits: it is never negative.
    fn wide(&mut self, op: DeviceOp) -> Value {
        let narrow = self.ask(op)[0];
        self.convert(ConvertOp::ZExt, narrow, Ty::I64)
    }

    /// Values of 64 bits go in halves.
    fn shuffle(&mut self, kind: Shuffle, args: &[Val]) -> Res<Vec<Value>> {
        let op = match kind {
            Shuffle::Idx => DeviceOp::ShuffleIdx,
            Shuffle::Up => DeviceOp::ShuffleUp,
            Shuffle::Down => DeviceOp::ShuffleDown,
            Shuffle::Xor => DeviceOp::ShuffleXor,
        };
        let [mask, value, lane] = [0, 1, 2].map(|n| args.get(n).map(|a| a.leaves[0]));
        let (Some(mask), Some(value), Some(lane)) = (mask, value, lane) else {
            return Err(Fault::bug("operands of a shuffle"));
        };
        let ty = self.ty(value);
        let bits = self.as_int(value);
        let exchange = |fx: &mut Self, part: Value| {
            let args = vec![mask, part, lane];
            fx.one(InstKind::Device { op, args }, Ty::I32)
        };
        let got = if ty.size() == 4 {
            exchange(self, bits)
        } else {
            let low = self.convert(ConvertOp::Trunc, bits, Ty::I32);
            let shift = self.i64(32);
            let high = self.ibin(BinaryOp::LShr, bits, shift);
            let high = self.convert(ConvertOp::Trunc, high, Ty::I32);
            let (low, high) = (exchange(self, low), exchange(self, high));
            let low = self.convert(ConvertOp::ZExt, low, Ty::I64);
            let high = self.convert(ConvertOp::ZExt, high, Ty::I64);
            let high = self.ibin(BinaryOp::Shl, high, shift);
            self.or(low, high)
        };
        Ok(vec![self.of_int(got, ty)])
    }

    fn matching(&mut self, narrow: DeviceOp, wide: DeviceOp, args: &[Val]) -> Res<Vec<Value>> {
        let [mask, value] = args else {
            return Err(Fault::bug("operands of a match"));
        };
        let bits = self.as_int(value.leaves[0]);
        let op = if self.ty(bits) == Ty::I32 {
            narrow
        } else {
            wide
        };
        let args = vec![mask.leaves[0], bits];
        Ok(self.inst(InstKind::Device { op, args }, &op.results()))
    }

    /// The bits of a number.
    fn as_int(&mut self, value: Value) -> Value {
        let ty = self.ty(value);
        match (ty.is_int(), ty.size()) {
            (true, _) => value,
            (false, 2) => self.convert(ConvertOp::Bitcast, value, Ty::I16),
            (false, 4) => self.convert(ConvertOp::Bitcast, value, Ty::I32),
            (false, _) => self.convert(ConvertOp::Bitcast, value, Ty::I64),
        }
    }

    /// The number with these bits.
    fn of_int(&mut self, bits: Value, ty: Ty) -> Value {
        if self.ty(bits) == ty {
            bits
        } else {
            self.convert(ConvertOp::Bitcast, bits, ty)
        }
    }

    /// The only leaf of an argument.
    fn single(&self, args: &[Val], index: usize) -> Res<Value> {
        match self.arg(args, index)?.leaves[..] {
            [one] => Ok(one),
            _ => Err(Fault::bug("an operand of several machine values")),
        }
    }

    fn unary_of(&mut self, op: UnaryOp, args: &[Val]) -> Res<Value> {
        let x = self.single(args, 0)?;
        Ok(self.unary(op, x))
    }

    /// The address of an element of an array or behind a pointer, and its type.
    fn element_address(&mut self, args: &[Val]) -> Res<(Value, Type)> {
        let (memory, index) = (self.arg(args, 0)?.clone(), self.arg(args, 1)?.clone());
        if let TypeKind::Pointer(Some(to)) = self.types.kind(memory.ty) {
            return Ok((self.pointed(&memory, &index, *to)?, *to));
        }
        let array = self.array(&memory)?;
        let data = self.view(&array, &index)?.data;
        Ok((data, array.ty.dtype))
    }

    fn cached_load(&mut self, hint: CacheHint, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let (address, _) = self.element_address(args)?;
        let ty = self.leaf_types(ret)?[0];
        let op = DeviceOp::CachedLoad(hint as u8, 8 * ty.size() as u8);
        let args = vec![address];
        let bits = self.inst(InstKind::Device { op, args }, &op.results());
        Ok(vec![self.of_int(bits[0], ty)])
    }

    fn cached_store(&mut self, hint: CacheHint, args: &[Val]) -> Res<Vec<Value>> {
        let (address, _) = self.element_address(args)?;
        let value = self.single(args, 2)?;
        let bits = self.as_int(value);
        let op = DeviceOp::CachedStore(hint as u8, 8 * self.ty(bits).size() as u8);
        let args = vec![address, bits];
        Ok(self.inst(InstKind::Device { op, args }, &[]))
    }

    /// The components of numbers and vectors.
    fn vector(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let base = self
            .types
            .tuple_items(ret)
            .and_then(|items| items.first().copied());
        let base = base.ok_or_else(|| Fault::bug("a vector without components"))?;
        let mut leaves = Vec::new();
        for arg in args {
            let parts = match self.types.tuple_items(arg.ty) {
                Some(_) => self.items(arg)?,
                None => vec![arg.clone()],
            };
            for part in parts {
                leaves.extend(self.element_as(&part, base)?.leaves);
            }
        }
        Ok(leaves)
    }

    /// Bytes in reverse order, and in each of them pairs of bits, quads and halves.
    fn reversed_bits(&mut self, args: &[Val]) -> Res<Vec<Value>> {
        let mut x = self.single(args, 0)?;
        let ty = self.ty(x);
        for (shift, mask) in [(1, 0x55_u8), (2, 0x33), (4, 0x0f)] {
            let mask = self.iconst(ty, i128::from(u64::from_ne_bytes([mask; 8])));
            let by = self.iconst(ty, shift);
            let down = self.ibin(BinaryOp::LShr, x, by);
            let down = self.and(down, mask);
            let kept = self.and(x, mask);
            let up = self.ibin(BinaryOp::Shl, kept, by);
            x = self.or(down, up);
        }
        Ok(vec![self.unary(UnaryOp::Bswap, x)])
    }

    fn first_bit(&mut self, args: &[Val]) -> Res<Vec<Value>> {
        let x = self.single(args, 0)?;
        let ty = self.ty(x);
        let below = self.unary(UnaryOp::Ctz, x);
        let one = self.iconst(ty, 1);
        let position = self.iadd(below, one);
        let zero = self.iconst(ty, 0);
        let none = self.icmp(IntCc::Eq, x, zero);
        let found = self.select(none, zero, position);
        Ok(vec![self.int_to(found, Ty::I32, false)])
    }

    /// An array whose shape the types of the arguments say, in shared memory or of this thread alone.
    fn static_array(&mut self, args: &[Val], ret: Type, shared: bool) -> Res<Vec<Value>> {
        let shape = args
            .first()
            .and_then(|arg| constant_integers(self.types, arg.ty))
            .ok_or_else(|| Fault::bug("a static array without a constant shape"))?;
        let align = args
            .get(2)
            .and_then(|arg| constant_integers(self.types, arg.ty))
            .and_then(|n| u32::try_from(*n.first()?).ok())
            .unwrap_or(ALIGN);
        let dtype = self.result_array(ret)?.dtype;
        let item = self.item_kind(dtype)?.size();
        let bytes = shape.iter().try_fold(u64::from(item), |size, &n| {
            size.checked_mul(u64::try_from(n).ok()?)
        });
        let bytes = bytes
            .and_then(|n| u32::try_from(n).ok())
            .ok_or_else(|| Fault::unsupported("a static array of 4 GiB or more"))?;
        let data = if shared {
            let name = if bytes == 0 {
                "_cudapy_smem".to_owned()
            } else {
                self.mx.unique_name("_cudapy_smem_1")
            };
            self.shared_data(name, bytes, align.max(ALIGN))
        } else {
            let slot = self.func.slots.push(SlotData {
                size: bytes,
                align: align.max(ALIGN),
                refs: Vec::new(),
                undefined: true,
            });
            self.slot_addr(slot)
        };
        let mut extents: Vec<Value> = shape.iter().map(|&n| self.i64(n)).collect();
        if shared && bytes == 0 {
            let given = self.wide(DeviceOp::DynamicShared);
            let size = self.i64(i64::from(item));
            extents = vec![self.ibin(BinaryOp::UDiv, given, size)];
        }
        let mut strides = Vec::with_capacity(shape.len());
        let mut step = i64::from(item);
        for &n in shape.iter().rev() {
            strides.push(self.i64(step));
            step = step.saturating_mul(n);
        }
        strides.reverse();
        let mut leaves = vec![data, self.zero(Ty::Ref)];
        leaves.extend(extents);
        leaves.extend(strides);
        Ok(leaves)
    }

    /// The address of memory that the block shares.
    fn shared_data(&mut self, name: String, bytes: u32, align: u32) -> Value {
        let module = &mut self.mx.module;
        let known = module.data.iter().find(|(_, data)| data.name == name);
        let id = match known.map(|(id, _)| id) {
            Some(id) => {
                let known = &mut module.data[id];
                known.align = known.align.max(align);
                id
            }
            None => module.data.push(Data {
                name,
                bytes: Vec::new(),
                align,
                writable: true,
                space: AddrSpace::Shared,
                zeros: bytes,
                relocs: Vec::new(),
            }),
        };
        self.one(InstKind::DataAddr(id), Ty::PTR)
    }

    fn atomic(&mut self, op: Atomic, args: &[Val]) -> Res<Vec<Value>> {
        let array = self.arg(args, 0)?.clone();
        let array = self.array(&array)?;
        let addr = match op {
            Atomic::CompareAndSwap => array.data,
            _ => {
                let index = self.arg(args, 1)?.clone();
                self.view(&array, &index)?.data
            }
        };
        let value = self.single(args, args.len().saturating_sub(1))?;
        let signed = self
            .mx
            .scalar(array.ty.dtype)
            .is_some_and(|s| s.is_signed_int());
        let is_float = !self.ty(value).is_int();
        let machine = match (op, is_float) {
            (Atomic::Add, false) => AtomicOp::Add,
            (Atomic::Add, true) => AtomicOp::FAdd,
            (Atomic::Sub, false) => AtomicOp::Sub,
            (Atomic::Sub, true) => {
                let negative = self.unary(UnaryOp::FNeg, value);
                return Ok(vec![self.rmw(AtomicOp::FAdd, addr, negative)]);
            }
            (Atomic::Max | Atomic::NanMax, false) if signed => AtomicOp::SMax,
            (Atomic::Max | Atomic::NanMax, false) => AtomicOp::UMax,
            (Atomic::Min | Atomic::NanMin, false) if signed => AtomicOp::SMin,
            (Atomic::Min | Atomic::NanMin, false) => AtomicOp::UMin,
            (Atomic::And, _) => AtomicOp::And,
            (Atomic::Or, _) => AtomicOp::Or,
            (Atomic::Xor, _) => AtomicOp::Xor,
            (Atomic::Exchange, _) => AtomicOp::Exchange,
            (Atomic::Inc, _) => AtomicOp::IncWrap,
            (Atomic::Dec, _) => AtomicOp::DecWrap,
            (Atomic::Max | Atomic::Min | Atomic::NanMax | Atomic::NanMin, true) => {
                return Ok(vec![self.float_extreme(op, addr, value)]);
            }
            (Atomic::Cas | Atomic::CompareAndSwap, _) => {
                let expected = self.single(args, args.len().saturating_sub(2))?;
                return Ok(vec![self.cas(addr, expected, value)]);
            }
        };
        Ok(vec![self.rmw(machine, addr, value)])
    }

    fn rmw(&mut self, op: AtomicOp, addr: Value, value: Value) -> Value {
        let ty = self.ty(value);
        let (order, scope) = (MemOrder::Relaxed, MemScope::System);
        self.one(
            InstKind::AtomicRmw {
                op,
                addr,
                value,
                order,
                scope,
            },
            ty,
        )
    }

    fn cas(&mut self, addr: Value, expected: Value, value: Value) -> Value {
        let ty = self.ty(value);
        let (order, scope) = (MemOrder::Relaxed, MemScope::Device);
        self.one(
            InstKind::AtomicCas {
                addr,
                expected,
                value,
                order,
                scope,
            },
            ty,
        )
    }

    /// Exchanges until nobody was faster, or there is nothing to change.
    fn float_extreme(&mut self, op: Atomic, addr: Value, value: Value) -> Value {
        let ty = self.ty(value);
        let int = if ty == Ty::F32 { Ty::I32 } else { Ty::I64 };
        let (order, scope) = (MemOrder::Relaxed, MemScope::Device);
        let first = self.one(InstKind::AtomicLoad { addr, order, scope }, int);
        let new = self.convert(ConvertOp::Bitcast, value, int);
        let (head, change, done) = (self.new_block(), self.new_block(), self.new_block());
        let bits = self.func.push_param(head, int);
        let old = self.func.push_param(done, int);
        self.jump(head, vec![first]);
        self.enter(head);
        let now = self.convert(ConvertOp::Bitcast, bits, ty);
        let cc = match op {
            Atomic::Max | Atomic::NanMax => FloatCc::Gt,
            _ => FloatCc::Lt,
        };
        let mut better = self.fcmp(cc, value, now);
        if matches!(op, Atomic::NanMax | Atomic::NanMin) {
            let nan = self.fcmp(FloatCc::Uno, now, now);
            let number = self.fcmp(FloatCc::Ord, value, value);
            let replaces = self.and(nan, number);
            better = self.or(better, replaces);
        }
        self.brif(better, (change, Vec::new()), (done, vec![bits]));
        self.enter(change);
        let found = self.cas(addr, bits, new);
        let same = self.icmp(IntCc::Eq, found, bits);
        self.brif(same, (done, vec![found]), (head, vec![found]));
        self.enter(done);
        self.convert(ConvertOp::Bitcast, old, ty)
    }
}
