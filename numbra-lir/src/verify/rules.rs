//! Type rules of each instruction.

use crate::{
    AliasClass, AtomicOp, BinaryOp, ConvertOp, DeviceOp, Facts, FloatCc, Func, InstData, InstKind,
    IntCc, Linkage, MemFlags, MemOrder, Module, Signature, Ty, UnaryOp, Value,
};

/// Name of a rule and what breaks it.
type Broken = (&'static str, String);

pub(super) struct Types<'a> {
    pub(super) module: &'a Module,
    pub(super) func: &'a Func,
}

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), Broken> {
    if holds {
        Ok(())
    } else {
        Err(("types", message()))
    }
}

impl Types<'_> {
    fn ty(&self, value: Value) -> Ty {
        self.func.ty(value)
    }

    pub(super) fn check(&self, inst: &InstData) -> Result<(), Broken> {
        self.operands(inst)?;
        self.flags(inst)?;
        let found: Vec<Ty> = inst.results.iter().map(|&v| self.ty(v)).collect();
        match self.func.result_types(&inst.kind, self.module) {
            Some(implied) if implied.len() != found.len() => Err((
                "results",
                format!("{} results, not {}", found.len(), implied.len()),
            )),
            Some(implied) => ensure(implied == found, || {
                let names: Vec<String> = implied.iter().map(Ty::to_string).collect();
                format!("results are {}", names.join(", "))
            }),
            None => Ok(()),
        }
    }

    /// The one result of an instruction that says its type itself.
    fn result(&self, inst: &InstData) -> Result<Ty, Broken> {
        match inst.results[..] {
            [value] => Ok(self.ty(value)),
            _ => Err(("results", format!("{} results, not 1", inst.results.len()))),
        }
    }

    fn flags(&self, inst: &InstData) -> Result<(), Broken> {
        let meaningful = match &inst.kind {
            InstKind::Binary {
                op: BinaryOp::SDiv | BinaryOp::SRem,
                ..
            } => Facts::NONZERO | Facts::NSW,
            InstKind::Binary { op, .. } if op.is_division() => Facts::NONZERO,
            InstKind::Binary {
                op: BinaryOp::IAdd | BinaryOp::ISub | BinaryOp::IMul | BinaryOp::Shl,
                ..
            }
            | InstKind::Unary {
                op: UnaryOp::INeg, ..
            }
            | InstKind::PtrAdd { .. } => Facts::NSW | Facts::NUW,
            InstKind::Call { func, .. } => match self.module.functions.get(*func) {
                Some(callee) if !callee.sig.raises => Facts::PURE,
                _ => Facts::empty(),
            },
            _ => Facts::empty(),
        };
        if !meaningful.contains(inst.facts) {
            return Err(("flags", "a fact that has no meaning here".to_owned()));
        }
        let float_op = match &inst.kind {
            InstKind::Binary { op, .. } => is_float_binary(*op),
            InstKind::Unary { op, .. } => is_float_unary(*op),
            InstKind::Fma { .. } | InstKind::Math { .. } | InstKind::Fcmp { .. } => true,
            InstKind::Select { then, .. } => self.ty(*then).lane_ty().is_float(),
            _ => false,
        };
        if !inst.fast.is_empty() && !float_op {
            return Err(("flags", "fast-math flags have no meaning here".to_owned()));
        }
        Ok(())
    }

    fn operands(&self, inst: &InstData) -> Result<(), Broken> {
        let ty = |v: &Value| self.ty(*v);
        match &inst.kind {
            InstKind::IConst(_) => {
                let result = self.result(inst)?;
                ensure(result.is_int(), || {
                    format!("integer constant of type {result}")
                })
            }
            InstKind::FConst(_) => {
                let result = self.result(inst)?;
                ensure(result.is_float(), || {
                    format!("float constant of type {result}")
                })
            }
            InstKind::Null => {
                let result = self.result(inst)?;
                ensure(result.is_address(), || format!("null of type {result}"))
            }
            InstKind::Binary { op, lhs, rhs } => self.binary(*op, ty(lhs), ty(rhs)),
            InstKind::Unary { op, arg } => unary(*op, ty(arg)),
            InstKind::Convert { op, arg } => convert(*op, ty(arg), self.result(inst)?),
            InstKind::Icmp { cc, lhs, rhs } => {
                same(ty(lhs), ty(rhs))?;
                icmp(*cc, ty(lhs))
            }
            InstKind::Fcmp { cc, lhs, rhs } => {
                same(ty(lhs), ty(rhs))?;
                fcmp(*cc, ty(lhs))
            }
            InstKind::Select { cond, then, other } => {
                same(ty(then), ty(other))?;
                let (cond, then) = (ty(cond), ty(then));
                let mask = match (cond, then) {
                    (Ty::Vec(mask, n), Ty::Vec(lane, m)) => {
                        n == m && mask.ty().is_int() && mask.ty().size() == lane.ty().size()
                    }
                    _ => false,
                };
                ensure(cond == Ty::I1 || mask, || {
                    format!("condition of type {cond} for {then}")
                })
            }
            InstKind::Overflow { lhs, rhs, .. } => {
                same(ty(lhs), ty(rhs))?;
                let bits = ty(lhs).int_bits();
                ensure(bits.is_some_and(|n| (8..=64).contains(&n)), || {
                    format!("overflow operation on {}", ty(lhs))
                })
            }
            InstKind::Fma { a, b, c } => {
                same(ty(a), ty(b))?;
                same(ty(a), ty(c))?;
                float("fma", ty(a))
            }
            InstKind::Math { func, args } => {
                let func = func.func;
                let name = func.name();
                ensure(args.len() == func.arity(), || {
                    format!("{name} takes {} operands", func.arity())
                })?;
                for arg in args {
                    same(ty(&args[0]), ty(arg))?;
                    ensure(matches!(ty(arg).lane_ty(), Ty::F32 | Ty::F64), || {
                        format!("{name} of {}", ty(arg))
                    })?;
                }
                Ok(())
            }
            InstKind::SlotAddr(_)
            | InstKind::StackPointer
            | InstKind::DataAddr(_)
            | InstKind::FuncAddr(_) => Ok(()),
            InstKind::PtrAdd { base, offset } => {
                pointer(ty(base))?;
                ensure(ty(offset) == Ty::I64, || {
                    format!("offset of type {}", ty(offset))
                })
            }
            InstKind::Load { addr, flags, .. } => {
                pointer(ty(addr))?;
                memory_type(self.result(inst)?)?;
                mem_flags(flags)
            }
            InstKind::Store {
                addr, value, flags, ..
            } => {
                pointer(ty(addr))?;
                memory_type(ty(value))?;
                mem_flags(flags)?;
                if flags.readonly || flags.alias == AliasClass::CONST {
                    return Err(("memory", "store to memory that is never written".to_owned()));
                }
                Ok(())
            }
            InstKind::MemCopy {
                dst,
                src,
                len,
                alias,
                ..
            } => {
                pointer(ty(dst))?;
                pointer(ty(src))?;
                writable(*alias)?;
                ensure(ty(len) == Ty::I64, || format!("length of type {}", ty(len)))
            }
            InstKind::MemSet {
                dst,
                byte,
                len,
                alias,
            } => {
                pointer(ty(dst))?;
                writable(*alias)?;
                ensure(ty(byte).is_int() && ty(byte) != Ty::I1, || {
                    format!("byte of type {}", ty(byte))
                })?;
                ensure(ty(len) == Ty::I64, || format!("length of type {}", ty(len)))
            }
            InstKind::AtomicLoad { addr, order, .. } => {
                pointer(ty(addr))?;
                let result = self.result(inst)?;
                atomic(
                    !matches!(order, MemOrder::Release | MemOrder::AcqRel),
                    "order",
                )?;
                atomic(is_atomic(result), "type")
            }
            InstKind::AtomicStore {
                addr, value, order, ..
            } => {
                pointer(ty(addr))?;
                atomic(
                    !matches!(order, MemOrder::Acquire | MemOrder::AcqRel),
                    "order",
                )?;
                atomic(is_atomic(ty(value)), "type")
            }
            InstKind::AtomicRmw {
                op, addr, value, ..
            } => {
                pointer(ty(addr))?;
                let value = ty(value);
                let fits = match op {
                    AtomicOp::FAdd => matches!(value, Ty::F16 | Ty::F32 | Ty::F64),
                    AtomicOp::FMin | AtomicOp::FMax => matches!(value, Ty::F32 | Ty::F64),
                    AtomicOp::Exchange => is_atomic(value),
                    AtomicOp::Add
                    | AtomicOp::IncWrap
                    | AtomicOp::DecWrap
                    | AtomicOp::Sub
                    | AtomicOp::And
                    | AtomicOp::Or
                    | AtomicOp::Xor
                    | AtomicOp::SMin
                    | AtomicOp::SMax
                    | AtomicOp::UMin
                    | AtomicOp::UMax => value.is_int() && is_atomic(value),
                };
                atomic(fits, "type")
            }
            InstKind::AtomicCas {
                addr,
                expected,
                value,
                ..
            } => {
                pointer(ty(addr))?;
                same(ty(expected), ty(value))?;
                atomic(is_atomic(ty(value)), "type")
            }
            InstKind::Fence { order, .. } => atomic(*order != MemOrder::Relaxed, "order"),
            InstKind::Retain(value) | InstKind::Release(value) => {
                ensure(ty(value) == Ty::Ref, || format!("counts {}", ty(value)))
            }
            InstKind::Call { func, args } => {
                let decl = &self.module.functions[*func];
                if decl.linkage == Linkage::Kernel {
                    return Err(("linkage", "calls a kernel".to_owned()));
                }
                self.call(&decl.sig, args)
            }
            InstKind::CallIndirect { sig, callee, args } => {
                pointer(ty(callee))?;
                self.call(&self.module.signatures[*sig], args)
            }
            InstKind::CallNative { callee, args } => self.call(&callee.signature(), args),
            InstKind::SetError { exception, args } => {
                let words = self.module.exceptions[*exception].words();
                let good =
                    args.len() == words && args.iter().all(|v| matches!(ty(v), Ty::I64 | Ty::F64));
                if good {
                    Ok(())
                } else {
                    Err(("exception", format!("takes {words} words of 8 bytes")))
                }
            }
            InstKind::Keep(_) => Ok(()),
            InstKind::Device { op, args } => self.device(*op, args),
            InstKind::Splat(value) => {
                let result = self.result(inst)?;
                let fits = matches!(result, Ty::Vec(lane, _) if lane.ty() == ty(value));
                ensure(fits, || format!("splat of {} as {result}", ty(value)))
            }
            InstKind::ExtractLane { vector, lane } => lane_inside(ty(vector), *lane),
            InstKind::InsertLane {
                vector,
                lane,
                value,
            } => {
                lane_inside(ty(vector), *lane)?;
                same(ty(vector).lane_ty(), ty(value))
            }
        }
    }

    fn binary(&self, op: BinaryOp, lhs: Ty, rhs: Ty) -> Result<(), Broken> {
        same(lhs, rhs)?;
        if is_float_binary(op) {
            return float("float operation", lhs);
        }
        let good = match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => lhs.lane_ty().is_int(),
            BinaryOp::SMulHi | BinaryOp::UMulHi => integer(lhs) && lhs.lane_ty() != Ty::I128,
            _ => integer(lhs),
        };
        ensure(good, || format!("integer operation on {lhs}"))
    }

    fn call(&self, sig: &Signature, args: &[Value]) -> Result<(), Broken> {
        let good = sig.params.len() == args.len()
            && sig
                .params
                .iter()
                .zip(args)
                .all(|(p, &v)| p.ty == self.ty(v));
        if good {
            Ok(())
        } else {
            Err(("calls", "arguments differ from the signature's".to_owned()))
        }
    }

    fn device(&self, op: DeviceOp, args: &[Value]) -> Result<(), Broken> {
        let types: Vec<Ty> = args.iter().map(|&v| self.ty(v)).collect();
        if let Some(axis) = op.axis()
            && axis > 2
        {
            return Err(("device", format!("axis {axis}")));
        }
        let fits_none = matches!(op, DeviceOp::CachedLoad(..) | DeviceOp::CachedStore(..))
            && (op.cached().is_none() || op.params().len() + op.results().len() != 2);
        if fits_none || (matches!(op, DeviceOp::Libdevice(_)) && op.library_function().is_none()) {
            return Err(("device", format!("{op:?}")));
        }
        ensure(types == op.params(), || {
            "operands of a device operation".to_owned()
        })
    }
}

fn same(a: Ty, b: Ty) -> Result<(), Broken> {
    ensure(a == b, || format!("operands of types {a} and {b}"))
}

/// `i8..i128` or a vector of integers.
fn integer(ty: Ty) -> bool {
    ty.lane_ty().is_int() && ty != Ty::I1
}

fn float(what: &str, ty: Ty) -> Result<(), Broken> {
    ensure(ty.lane_ty().is_float(), || format!("{what} on {ty}"))
}

fn pointer(ty: Ty) -> Result<(), Broken> {
    ensure(matches!(ty, Ty::Ptr(_)), || {
        format!("{ty} is not a pointer")
    })
}

fn memory_type(ty: Ty) -> Result<(), Broken> {
    if ty == Ty::I1 {
        return Err(("memory", "i1 has no form in memory".to_owned()));
    }
    Ok(())
}

fn mem_flags(flags: &MemFlags) -> Result<(), Broken> {
    if !flags.align.0.is_power_of_two() {
        return Err(("memory", format!("alignment {}", flags.align.0)));
    }
    if flags.readonly && flags.volatile {
        return Err(("memory", "readonly and volatile".to_owned()));
    }
    Ok(())
}

fn writable(alias: AliasClass) -> Result<(), Broken> {
    if alias == AliasClass::CONST {
        return Err(("memory", "store to memory that is never written".to_owned()));
    }
    Ok(())
}

fn atomic(holds: bool, what: &str) -> Result<(), Broken> {
    if holds {
        Ok(())
    } else {
        Err((
            "atomic",
            format!("{what} that an atomic operation cannot have"),
        ))
    }
}

fn is_atomic(ty: Ty) -> bool {
    matches!(
        ty,
        Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::F32 | Ty::F64 | Ty::Ptr(_)
    )
}

fn lane_inside(ty: Ty, lane: u8) -> Result<(), Broken> {
    match ty {
        Ty::Vec(_, n) if lane < n => Ok(()),
        Ty::Vec(..) => Err(("lanes", format!("lane {lane} of {ty}"))),
        _ => Err(("types", format!("{ty} is not a vector"))),
    }
}

pub(super) fn is_float_binary(op: BinaryOp) -> bool {
    match op {
        BinaryOp::FAdd
        | BinaryOp::FSub
        | BinaryOp::FMul
        | BinaryOp::FDiv
        | BinaryOp::FMin
        | BinaryOp::FMax
        | BinaryOp::FCopysign => true,
        BinaryOp::IAdd
        | BinaryOp::ISub
        | BinaryOp::IMul
        | BinaryOp::SDiv
        | BinaryOp::UDiv
        | BinaryOp::SRem
        | BinaryOp::URem
        | BinaryOp::SMulHi
        | BinaryOp::UMulHi
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::SMin
        | BinaryOp::SMax
        | BinaryOp::UMin
        | BinaryOp::UMax => false,
    }
}

pub(super) fn is_float_unary(op: UnaryOp) -> bool {
    match op {
        UnaryOp::FNeg
        | UnaryOp::FAbs
        | UnaryOp::Sqrt
        | UnaryOp::Floor
        | UnaryOp::Ceil
        | UnaryOp::Trunc
        | UnaryOp::Nearest => true,
        UnaryOp::INeg
        | UnaryOp::INot
        | UnaryOp::IAbs
        | UnaryOp::Clz
        | UnaryOp::Ctz
        | UnaryOp::Popcnt
        | UnaryOp::Bswap => false,
    }
}

fn unary(op: UnaryOp, ty: Ty) -> Result<(), Broken> {
    if is_float_unary(op) {
        return float("float operation", ty);
    }
    let good = match op {
        UnaryOp::INot => ty.lane_ty().is_int(),
        UnaryOp::Bswap => integer(ty) && ty.lane_ty() != Ty::I8,
        _ => integer(ty),
    };
    ensure(good, || format!("integer operation on {ty}"))
}

fn icmp(cc: IntCc, ty: Ty) -> Result<(), Broken> {
    let equality = matches!(cc, IntCc::Eq | IntCc::Ne);
    let unsigned = matches!(cc, IntCc::Ult | IntCc::Ule | IntCc::Ugt | IntCc::Uge);
    let good = match ty {
        Ty::I1 | Ty::Ref => equality,
        Ty::Ptr(_) => equality || unsigned,
        _ => integer(ty),
    };
    ensure(good, || format!("integer comparison of {ty}"))
}

fn fcmp(_: FloatCc, ty: Ty) -> Result<(), Broken> {
    float("float comparison", ty)
}

fn convert(op: ConvertOp, from: Ty, to: Ty) -> Result<(), Broken> {
    let lanes = |ty: Ty| match ty {
        Ty::Vec(_, n) => n,
        _ => 1,
    };
    let same_lanes = lanes(from) == lanes(to);
    let (a, b) = (from.lane_ty(), to.lane_ty());
    let int_widths = a.int_bits().zip(b.int_bits());
    let float_sizes = (a.is_float() && b.is_float()).then(|| (a.size(), b.size()));
    let plain = |ty: Ty| integer(ty) || ty.lane_ty().is_float();
    let good = match op {
        ConvertOp::SExt | ConvertOp::ZExt => same_lanes && int_widths.is_some_and(|(a, b)| a < b),
        ConvertOp::Trunc => same_lanes && int_widths.is_some_and(|(a, b)| a > b),
        ConvertOp::SiToFp => same_lanes && integer(from) && b.is_float(),
        ConvertOp::UiToFp => same_lanes && a.is_int() && b.is_float(),
        ConvertOp::FpToSi | ConvertOp::FpToUi => same_lanes && a.is_float() && integer(to),
        ConvertOp::FpExt => same_lanes && float_sizes.is_some_and(|(a, b)| a < b),
        ConvertOp::FpTrunc => same_lanes && float_sizes.is_some_and(|(a, b)| a > b),
        ConvertOp::Bitcast => {
            (plain(from) && plain(to) && from.size() == to.size())
                || (from == Ty::PTR && to == Ty::Ref)
        }
        ConvertOp::PtrToInt => matches!(from, Ty::Ptr(_)) && to == Ty::I64,
        ConvertOp::IntToPtr => from == Ty::I64 && matches!(to, Ty::Ptr(_)),
        ConvertOp::RefToPtr => from == Ty::Ref && to == Ty::PTR,
        ConvertOp::AddrSpaceCast => {
            matches!((from, to), (Ty::Ptr(a), Ty::Ptr(b)) if a != b)
                && (from == Ty::PTR || to == Ty::PTR)
        }
    };
    ensure(good, || format!("conversion of {from} to {to}"))
}
