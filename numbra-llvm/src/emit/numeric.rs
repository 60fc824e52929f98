//! Arithmetic: total operations out of LLVM's partial ones.

use super::EmitError;
use super::addresses::{from_the_end, slot_at};
use super::function::FunctionText;
use super::types::{llvm_type, splat, suffix};
use numbra_lir::{
    BinaryOp, ConvertOp, Facts, FastMath, FloatCc, Func, InstData, InstKind, IntCc, MathFnName,
    OverflowOp, Ty, UnaryOp, Value, ValueDef,
};

impl FunctionText<'_> {
    /// Flags of a float operation, with a trailing blank.
    pub(super) fn fast(&self, data: &InstData) -> String {
        let mut out = String::new();
        let mut flags = data.fast;
        if let Some(gpu) = self.target.as_gpu() {
            if gpu.fma {
                flags |= FastMath::CONTRACT;
            }
            let result = data.results.first().map(|&v| self.func.ty(v));
            if gpu.fast && result == Some(Ty::F32) {
                flags |= FastMath::AFN;
            }
        }
        for (flag, name) in [
            (FastMath::NNAN, "nnan"),
            (FastMath::NINF, "ninf"),
            (FastMath::NSZ, "nsz"),
            (FastMath::ARCP, "arcp"),
            (FastMath::CONTRACT, "contract"),
            (FastMath::AFN, "afn"),
            (FastMath::REASSOC, "reassoc"),
        ] {
            if flags.contains(flag) {
                out.push_str(name);
                out.push(' ');
            }
        }
        out
    }

    pub(super) fn binary(
        &mut self,
        data: &InstData,
        op: BinaryOp,
        lhs: Value,
        rhs: Value,
    ) -> Result<(), EmitError> {
        let ty = self.func.ty(lhs);
        let t = self.ty_text(ty);
        let (l, r) = (self.operand(lhs), self.operand(rhs));
        let result = self.name(data.results[0]);
        let fast = self.fast(data);
        let wrap = wrap(data.facts);
        let text = match op {
            BinaryOp::IAdd => format!("add {wrap}{t} {l}, {r}"),
            BinaryOp::ISub => format!("sub {wrap}{t} {l}, {r}"),
            BinaryOp::IMul => format!("mul {wrap}{t} {l}, {r}"),
            BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem => {
                self.division(op, ty, data.facts, &l, &r)
            }
            BinaryOp::SMulHi | BinaryOp::UMulHi => self.multiply_high(op, ty, &l, &r)?,
            BinaryOp::And => format!("and {t} {l}, {r}"),
            BinaryOp::Or => format!("or {t} {l}, {r}"),
            BinaryOp::Xor => format!("xor {t} {l}, {r}"),
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                let bits = ty.lane_ty().int_bits().unwrap_or(64);
                let mask = splat(ty, &(bits - 1).to_string(), self.target);
                let mask = if bits == 1 {
                    splat(ty, "false", self.target)
                } else {
                    mask
                };
                let in_range = |n: i128| (0..i128::from(bits)).contains(&n);
                let count = if r.parse().is_ok_and(in_range) {
                    r.clone()
                } else {
                    self.let_temp(&format!("and {t} {r}, {mask}"))
                };
                match op {
                    BinaryOp::Shl => format!("shl {wrap}{t} {l}, {count}"),
                    BinaryOp::LShr => format!("lshr {t} {l}, {count}"),
                    _ => format!("ashr {t} {l}, {count}"),
                }
            }
            BinaryOp::SMin => self.intrinsic2("", "llvm.smin", ty, &l, &r),
            BinaryOp::SMax => self.intrinsic2("", "llvm.smax", ty, &l, &r),
            BinaryOp::UMin => self.intrinsic2("", "llvm.umin", ty, &l, &r),
            BinaryOp::UMax => self.intrinsic2("", "llvm.umax", ty, &l, &r),
            BinaryOp::FAdd => format!("fadd {fast}{t} {l}, {r}"),
            BinaryOp::FSub => format!("fsub {fast}{t} {l}, {r}"),
            BinaryOp::FMul => format!("fmul {fast}{t} {l}, {r}"),
            BinaryOp::FDiv => format!("fdiv {fast}{t} {l}, {r}"),
            BinaryOp::FMin | BinaryOp::FMax if self.target.is_gpu() => {
                self.float_extremum(op, ty, &l, &r)
            }
            BinaryOp::FMin => self.intrinsic2(&fast, "llvm.minimum", ty, &l, &r),
            BinaryOp::FMax => self.intrinsic2(&fast, "llvm.maximum", ty, &l, &r),
            BinaryOp::FCopysign => self.intrinsic2(&fast, "llvm.copysign", ty, &l, &r),
        };
        self.line(&format!("{result} = {text}"));
        Ok(())
    }

    /// `x / 0 = 0`, `MIN / -1 = MIN`, `x rem 0 = 0`, `MIN rem -1 = 0`; selects fold away behind guards and constants.
    fn division(&mut self, op: BinaryOp, ty: Ty, facts: Facts, l: &str, r: &str) -> String {
        let t = self.ty_text(ty);
        let signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
        let remainder = matches!(op, BinaryOp::SRem | BinaryOp::URem);
        let name = match op {
            BinaryOp::SDiv => "sdiv",
            BinaryOp::UDiv => "udiv",
            BinaryOp::SRem => "srem",
            _ => "urem",
        };
        if !matches!(ty, Ty::Vec(..)) && r.parse::<i128>().is_ok_and(|n| n != 0 && n != -1) {
            return format!("{name} {t} {l}, {r}");
        }
        let cond_ty = self.condition_type(ty);
        let zero = splat(ty, if ty == Ty::I1 { "false" } else { "0" }, self.target);
        let one = splat(ty, if ty == Ty::I1 { "true" } else { "1" }, self.target);
        let is_zero = (!facts.contains(Facts::NONZERO))
            .then(|| self.let_temp(&format!("icmp eq {t} {r}, {zero}")));
        let mut divisor = match &is_zero {
            Some(is_zero) => {
                self.let_temp(&format!("select {cond_ty} {is_zero}, {t} {one}, {t} {r}"))
            }
            None => r.to_owned(),
        };
        let mut is_minus = None;
        if signed && !facts.contains(Facts::NSW) {
            let minus = splat(ty, if ty == Ty::I1 { "true" } else { "-1" }, self.target);
            let test = self.let_temp(&format!("icmp eq {t} {divisor}, {minus}"));
            divisor = self.let_temp(&format!(
                "select {cond_ty} {test}, {t} {one}, {t} {divisor}"
            ));
            is_minus = Some(test);
        }
        let quotient = format!("{name} {t} {l}, {divisor}");
        if is_zero.is_none() && is_minus.is_none() {
            return quotient;
        }
        let mut quotient = self.let_temp(&quotient);
        if let Some(test) = is_minus {
            let special = if remainder {
                zero.clone()
            } else {
                self.let_temp(&format!("sub {t} {zero}, {l}"))
            };
            let chosen = format!("select {cond_ty} {test}, {t} {special}, {t} {quotient}");
            match is_zero {
                Some(_) => quotient = self.let_temp(&chosen),
                None => return chosen,
            }
        }
        match is_zero {
            Some(is_zero) => format!("select {cond_ty} {is_zero}, {t} {zero}, {t} {quotient}"),
            None => quotient,
        }
    }

    fn multiply_high(
        &mut self,
        op: BinaryOp,
        ty: Ty,
        l: &str,
        r: &str,
    ) -> Result<String, EmitError> {
        let Some(bits) = ty.int_bits().filter(|b| *b <= 64) else {
            return Err(EmitError(format!("high multiplication of {ty}")));
        };
        let (t, wide) = (self.ty_text(ty), format!("i{}", 2 * bits));
        let extend = if op == BinaryOp::SMulHi {
            "sext"
        } else {
            "zext"
        };
        let a = self.let_temp(&format!("{extend} {t} {l} to {wide}"));
        let b = self.let_temp(&format!("{extend} {t} {r} to {wide}"));
        let product = self.let_temp(&format!("mul {wide} {a}, {b}"));
        let high = self.let_temp(&format!("lshr {wide} {product}, {bits}"));
        Ok(format!("trunc {wide} {high} to {t}"))
    }

    /// The lesser or greater with NaN and signed zeros as LIR has them, out of compares.
    fn float_extremum(&mut self, op: BinaryOp, ty: Ty, l: &str, r: &str) -> String {
        let t = self.ty_text(ty);
        let c = self.condition_type(ty);
        let bits = llvm_type(integer_like(ty), self.target);
        let unordered = self.let_temp(&format!("fcmp uno {t} {l}, {r}"));
        let sum = self.let_temp(&format!("fadd {t} {l}, {r}"));
        let equal = self.let_temp(&format!("fcmp oeq {t} {l}, {r}"));
        let less = self.let_temp(&format!(
            "fcmp {} {t} {l}, {r}",
            if op == BinaryOp::FMin { "olt" } else { "ogt" }
        ));
        let pick = self.let_temp(&format!("select {c} {less}, {t} {l}, {t} {r}"));
        let a = self.let_temp(&format!("bitcast {t} {l} to {bits}"));
        let b = self.let_temp(&format!("bitcast {t} {r} to {bits}"));
        let merged = self.let_temp(&format!(
            "{} {bits} {a}, {b}",
            if op == BinaryOp::FMin { "or" } else { "and" }
        ));
        let zero = self.let_temp(&format!("bitcast {bits} {merged} to {t}"));
        let ordered = self.let_temp(&format!("select {c} {equal}, {t} {zero}, {t} {pick}"));
        format!("select {c} {unordered}, {t} {sum}, {t} {ordered}")
    }

    pub(super) fn unary(&mut self, data: &InstData, op: UnaryOp, arg: Value) {
        let ty = self.func.ty(arg);
        let t = self.ty_text(ty);
        let a = self.operand(arg);
        let result = self.name(data.results[0]);
        let fast = self.fast(data);
        let zero = splat(ty, if ty == Ty::I1 { "false" } else { "0" }, self.target);
        let text = match op {
            UnaryOp::INeg => format!("sub {}{t} {zero}, {a}", wrap(data.facts)),
            UnaryOp::INot => format!(
                "xor {t} {a}, {}",
                splat(ty, if ty == Ty::I1 { "true" } else { "-1" }, self.target)
            ),
            UnaryOp::IAbs => self.intrinsic_flag("llvm.abs", ty, &a),
            UnaryOp::Clz => self.intrinsic_flag("llvm.ctlz", ty, &a),
            UnaryOp::Ctz => self.intrinsic_flag("llvm.cttz", ty, &a),
            UnaryOp::Popcnt => self.intrinsic1("", "llvm.ctpop", ty, &a),
            UnaryOp::Bswap if ty.lane_ty().size() == 1 => format!("add {t} {a}, {zero}"),
            UnaryOp::Bswap => self.intrinsic1("", "llvm.bswap", ty, &a),
            UnaryOp::FNeg => format!("fneg {fast}{t} {a}"),
            UnaryOp::FAbs => self.intrinsic1(&fast, "llvm.fabs", ty, &a),
            UnaryOp::Sqrt => self.intrinsic1(&fast, "llvm.sqrt", ty, &a),
            UnaryOp::Floor => self.intrinsic1(&fast, "llvm.floor", ty, &a),
            UnaryOp::Ceil => self.intrinsic1(&fast, "llvm.ceil", ty, &a),
            UnaryOp::Trunc => self.intrinsic1(&fast, "llvm.trunc", ty, &a),
            UnaryOp::Nearest => self.intrinsic1(&fast, "llvm.roundeven", ty, &a),
        };
        self.line(&format!("{result} = {text}"));
    }

    fn intrinsic1(&mut self, fast: &str, name: &str, ty: Ty, a: &str) -> String {
        let t = self.ty_text(ty);
        let symbol = format!("{name}.{}", suffix(ty));
        self.declarations
            .function(&symbol, &format!("declare {t} @{symbol}({t})"));
        format!("call {fast}{t} @{symbol}({t} {a})")
    }

    /// Intrinsics with a trailing "poison on the odd case" flag, which is off.
    fn intrinsic_flag(&mut self, name: &str, ty: Ty, a: &str) -> String {
        let t = self.ty_text(ty);
        let symbol = format!("{name}.{}", suffix(ty));
        self.declarations
            .function(&symbol, &format!("declare {t} @{symbol}({t}, i1 immarg)"));
        format!("call {t} @{symbol}({t} {a}, i1 false)")
    }

    fn intrinsic2(&mut self, fast: &str, name: &str, ty: Ty, a: &str, b: &str) -> String {
        let t = self.ty_text(ty);
        let symbol = format!("{name}.{}", suffix(ty));
        self.declarations
            .function(&symbol, &format!("declare {t} @{symbol}({t}, {t})"));
        format!("call {fast}{t} @{symbol}({t} {a}, {t} {b})")
    }

    pub(super) fn fma(&mut self, data: &InstData, a: Value, b: Value, c: Value) {
        let ty = self.func.ty(a);
        let t = self.ty_text(ty);
        let symbol = format!("llvm.fma.{}", suffix(ty));
        self.declarations
            .function(&symbol, &format!("declare {t} @{symbol}({t}, {t}, {t})"));
        let text = format!(
            "{} = call {}{t} @{symbol}({t} {}, {t} {}, {t} {})",
            self.name(data.results[0]),
            self.fast(data),
            self.operand(a),
            self.operand(b),
            self.operand(c)
        );
        self.line(&text);
    }

    pub(super) fn overflow(&mut self, data: &InstData, op: OverflowOp, lhs: Value, rhs: Value) {
        let ty = self.func.ty(lhs);
        let t = self.ty_text(ty);
        let name = match op {
            OverflowOp::SAdd => "sadd",
            OverflowOp::SSub => "ssub",
            OverflowOp::SMul => "smul",
            OverflowOp::UAdd => "uadd",
            OverflowOp::USub => "usub",
            OverflowOp::UMul => "umul",
        };
        let symbol = format!("llvm.{name}.with.overflow.{}", suffix(ty));
        self.declarations.function(
            &symbol,
            &format!("declare {{ {t}, i1 }} @{symbol}({t}, {t})"),
        );
        let (l, r) = (self.operand(lhs), self.operand(rhs));
        let pair = self.let_temp(&format!("call {{ {t}, i1 }} @{symbol}({t} {l}, {t} {r})"));
        for (index, &result) in data.results.iter().enumerate() {
            let name = self.name(result);
            self.line(&format!(
                "{name} = extractvalue {{ {t}, i1 }} {pair}, {index}"
            ));
        }
    }

    pub(super) fn icmp(&mut self, data: &InstData, cc: IntCc, lhs: Value, rhs: Value) {
        let name = match cc {
            IntCc::Eq => "eq",
            IntCc::Ne => "ne",
            IntCc::Slt => "slt",
            IntCc::Sle => "sle",
            IntCc::Sgt => "sgt",
            IntCc::Sge => "sge",
            IntCc::Ult => "ult",
            IntCc::Ule => "ule",
            IntCc::Ugt => "ugt",
            IntCc::Uge => "uge",
        };
        self.compare(data, &format!("icmp {name}"), lhs, rhs);
    }

    pub(super) fn fcmp(&mut self, data: &InstData, cc: FloatCc, lhs: Value, rhs: Value) {
        let name = match cc {
            FloatCc::Eq => "oeq",
            FloatCc::Ne => "une",
            FloatCc::Lt => "olt",
            FloatCc::Le => "ole",
            FloatCc::Gt => "ogt",
            FloatCc::Ge => "oge",
            FloatCc::Ord => "ord",
            FloatCc::Uno => "uno",
        };
        self.compare(data, &format!("fcmp {}{name}", self.fast(data)), lhs, rhs);
    }

    fn compare(&mut self, data: &InstData, op: &str, lhs: Value, rhs: Value) {
        let ty = self.func.ty(lhs);
        let t = self.ty_text(ty);
        let (l, r) = (self.operand(lhs), self.operand(rhs));
        let result = self.name(data.results[0]);
        match ty {
            Ty::Vec(_, n) => {
                let mask = self.ty_text(self.func.ty(data.results[0]));
                let lanes = self.let_temp(&format!("{op} {t} {l}, {r}"));
                self.line(&format!("{result} = sext <{n} x i1> {lanes} to {mask}"));
            }
            _ => self.line(&format!("{result} = {op} {t} {l}, {r}")),
        }
    }

    /// `i1`, or one `i1` a lane.
    fn condition_type(&self, ty: Ty) -> String {
        match ty {
            Ty::Vec(_, n) => format!("<{n} x i1>"),
            _ => "i1".into(),
        }
    }

    pub(super) fn select(&mut self, data: &InstData, cond: Value, then: Value, other: Value) {
        let t = self.ty_text(self.func.ty(then));
        let fast = if self.func.ty(then).lane_ty().is_float() {
            self.fast(data)
        } else {
            String::new()
        };
        let (mut c, a, b) = (self.operand(cond), self.operand(then), self.operand(other));
        let mut cond_ty = "i1".to_owned();
        if let ty @ Ty::Vec(_, n) = self.func.ty(cond) {
            // A lane mask: its sign bit decides.
            let mask = self.ty_text(ty);
            c = self.let_temp(&format!("icmp slt {mask} {c}, zeroinitializer"));
            cond_ty = format!("<{n} x i1>");
        }
        let result = self.name(data.results[0]);
        // A load waits for a select and not for a branch, and most indices count from the start. In the form that LLVM has
        // for this, so that it does not forget.
        let wraps = self.wraps.contains(&data.results[0]);
        if wraps && let Some((extent, index)) = from_the_end(self.func, cond, then, other) {
            let (extent, index) = (self.operand(extent), self.operand(index));
            let added = self.let_temp(&format!("select i1 {c}, {t} {extent}, {t} 0, !prof !81"));
            self.line(&format!("{result} = add {t} {added}, {index}"));
            return;
        }
        let stands_in = |value| {
            let slot = slot_at(self.func, value);
            slot.is_some_and(|slot| self.stand_ins.contains(&slot))
        };
        // The next division of a chain waits for a select and not for a branch.
        let floors = !self.target.is_gpu() && is_floor_correction(self.func, then, other);
        let hint = if wraps || floors {
            ", !prof !81"
        } else if stands_in(then) || stands_in(other) {
            ", !unpredictable !82"
        } else {
            ""
        };
        self.line(&format!(
            "{result} = select {fast}{cond_ty} {c}, {t} {a}, {t} {b}{hint}"
        ));
    }

    pub(super) fn convert(
        &mut self,
        data: &InstData,
        op: ConvertOp,
        arg: Value,
    ) -> Result<(), EmitError> {
        let to = self.func.ty(data.results[0]);
        let from = self.func.ty(arg);
        let wide_float = (from == Ty::I128 && to.is_float()) || (from.is_float() && to == Ty::I128);
        if wide_float && self.target.is_gpu() {
            // LLVM would end the process: it wants a library call that devices do not have.
            return Err(EmitError(format!("conversion of {from} to {to}")));
        }
        let (f, t) = (self.ty_text(from), self.ty_text(to));
        let a = self.operand(arg);
        let name = match op {
            ConvertOp::SExt => "sext",
            ConvertOp::ZExt => "zext",
            ConvertOp::Trunc => "trunc",
            ConvertOp::SiToFp => "sitofp",
            ConvertOp::UiToFp => "uitofp",
            ConvertOp::FpExt => "fpext",
            ConvertOp::FpTrunc => "fptrunc",
            ConvertOp::PtrToInt => "ptrtoint",
            ConvertOp::IntToPtr => "inttoptr",
            ConvertOp::Bitcast | ConvertOp::RefToPtr if f == t => return Ok(()), // `operand` looks through it.
            ConvertOp::Bitcast => match (from.is_address(), to.is_address()) {
                (true, false) => "ptrtoint",
                (false, true) => "inttoptr",
                (true, true) => "addrspacecast",
                (false, false) => "bitcast",
            },
            ConvertOp::RefToPtr | ConvertOp::AddrSpaceCast => {
                if f == t {
                    let text = format!(
                        "{} = getelementptr i8, {f} {a}, i64 0",
                        self.name(data.results[0])
                    );
                    self.line(&text);
                    return Ok(());
                }
                "addrspacecast"
            }
            ConvertOp::FpToSi | ConvertOp::FpToUi => {
                return self.float_to_int(data, op, from, to, &a);
            }
        };
        let text = format!("{} = {name} {f} {a} to {t}", self.name(data.results[0]));
        self.line(&text);
        Ok(())
    }

    /// What x86's truncating conversions give, without poison: see `ConvertOp::FpToSi`.
    fn float_to_int(
        &mut self,
        data: &InstData,
        op: ConvertOp,
        from: Ty,
        to: Ty,
        a: &str,
    ) -> Result<(), EmitError> {
        let Some(bits) = to.lane_ty().int_bits() else {
            return Err(EmitError(format!("conversion of {from} to {to}")));
        };
        let result = self.name(data.results[0]);
        // A half is widened: no limit is among its numbers.
        let (value, from) = match from {
            Ty::F16 => (self.let_temp(&format!("fpext half {a} to float")), Ty::F32),
            _ => (a.to_owned(), from),
        };
        if op == ConvertOp::FpToUi && bits >= 64 {
            // Values from 2^(bits-1) up are offset; everything else, NaN included, converts as signed.
            let (f, t) = (self.ty_text(from), self.ty_text(to));
            let truth = shaped(from, "i1");
            let limit = self.limit(from, bits);
            let big = self.let_temp(&format!("fcmp oge {f} {value}, {limit}"));
            let less = self.let_temp(&format!("fsub {f} {value}, {limit}"));
            let offset = self.let_temp(&format!("select {truth} {big}, {f} {less}, {f} {value}"));
            let signed = self.signed_conversion(from, &offset, bits);
            let signed = self.let_temp(&signed);
            let (min, zero) = (least(from, bits), splat(to, "0", self.target));
            let top = self.let_temp(&format!("select {truth} {big}, {t} {min}, {t} {zero}"));
            self.line(&format!("{result} = xor {t} {signed}, {top}"));
            return Ok(());
        }
        let width = match (op, bits) {
            (ConvertOp::FpToUi, _) => 64,
            (_, 0..=32) => 32,
            (_, 33..=64) => 64,
            _ => 128,
        };
        let mut signed = self.signed_conversion(from, &value, width);
        if bits < width {
            let wide = shaped(from, &format!("i{width}"));
            let value = self.let_temp(&signed);
            signed = format!("trunc {wide} {value} to {}", self.ty_text(to));
        }
        self.line(&format!("{result} = {signed}"));
        Ok(())
    }

    /// A float as a signed integer of so many bits, as an expression; MIN when out of range or NaN.
    ///
    /// A select makes LLVM's conversion total, lane by lane. What stays scalar becomes the one instruction of x86 that means
    /// this, when LLVM has optimised: `conversions`.
    fn signed_conversion(&mut self, from: Ty, value: &str, width: u32) -> String {
        let (f, truth) = (self.ty_text(from), shaped(from, "i1"));
        let t = shaped(from, &format!("i{width}"));
        let size = self.intrinsic1("", "llvm.fabs", from, value);
        let size = self.let_temp(&size);
        let limit = self.limit(from, width);
        let inside = self.let_temp(&format!("fcmp olt {f} {size}, {limit}"));
        let inner = self.let_temp(&format!("fptosi {f} {value} to {t}"));
        let min = least(from, width);
        format!("select {truth} {inside}, {t} {inner}, {t} {min}")
    }

    /// 2^(bits - 1)
    fn limit(&self, from: Ty, bits: u32) -> String {
        let power = 2_f64.powi(bits as i32 - 1).to_bits();
        splat(from, &format!("0x{power:016X}"), self.target)
    }

    /// Defines a vector by its lanes.
    fn gather(&mut self, result: &str, vector: &str, item: &str, items: &[String]) {
        let mut whole = "poison".to_owned();
        for (lane, value) in items.iter().enumerate() {
            let name = if lane + 1 == items.len() {
                result.to_owned()
            } else {
                self.temp()
            };
            self.line(&format!(
                "{name} = insertelement {vector} {whole}, {item} {value}, i32 {lane}"
            ));
            whole = name;
        }
    }

    pub(super) fn math(
        &mut self,
        data: &InstData,
        call: MathFnName,
        args: &[Value],
    ) -> Result<(), EmitError> {
        let ty = self.func.ty(args[0]);
        let (single, scalar) = match ty {
            Ty::F32 => (true, true),
            Ty::F64 => (false, true),
            Ty::Vec(numbra_lir::Lane::F32, _) => (true, false),
            Ty::Vec(numbra_lir::Lane::F64, _) => (false, false),
            other => return Err(EmitError(format!("{call} of {other}"))),
        };
        let symbol = self.declarations.math(call, single, self.target);
        let t = if single { "float" } else { "double" };
        let result = self.name(data.results[0]);
        let fast = self.fast(data);
        if scalar {
            let args: Vec<String> = args
                .iter()
                .map(|&v| format!("{t} {}", self.operand(v)))
                .collect();
            self.line(&format!(
                "{result} = call {fast}{t} @{symbol}({})",
                args.join(", ")
            ));
            return Ok(());
        }
        let Ty::Vec(_, n) = ty else {
            unreachable!("matched above")
        };
        let vector = self.ty_text(ty);
        if self.target.math_lanes(call, single).contains(&u32::from(n)) {
            let args: Vec<String> = args
                .iter()
                .map(|&v| format!("{vector} {}", self.operand(v)))
                .collect();
            let symbol = call.func.vector_symbol(single, u32::from(n));
            self.line(&format!(
                "{result} = call {fast}{vector} @{symbol}({})",
                args.join(", ")
            ));
            return Ok(());
        }
        let mut lanes = Vec::new();
        for lane in 0..n {
            let mut items = Vec::new();
            for &arg in args {
                let operand = self.operand(arg);
                let item = self.let_temp(&format!("extractelement {vector} {operand}, i32 {lane}"));
                items.push(format!("{t} {item}"));
            }
            lanes.push(self.let_temp(&format!("call {fast}{t} @{symbol}({})", items.join(", "))));
        }
        self.gather(&result, &vector, t, &lanes);
        Ok(())
    }
}

/// Proven absence of wraps, with a trailing blank.
fn wrap(facts: Facts) -> String {
    let mut out = String::new();
    for (fact, name) in [(Facts::NUW, "nuw "), (Facts::NSW, "nsw ")] {
        if facts.contains(fact) {
            out.push_str(name);
        }
    }
    out
}

/// The integer type with the same lanes and width.
fn integer_like(ty: Ty) -> Ty {
    use numbra_lir::Lane;
    match ty {
        Ty::F16 => Ty::I16,
        Ty::F32 => Ty::I32,
        Ty::Vec(Lane::F32, n) => Ty::Vec(Lane::I32, n),
        Ty::Vec(Lane::F64, n) => Ty::Vec(Lane::I64, n),
        _ => Ty::I64,
    }
}

/// The scalar type, or that of a vector of as many as `like` has.
fn shaped(like: Ty, scalar: &str) -> String {
    match like {
        Ty::Vec(_, n) => format!("<{n} x {scalar}>"),
        _ => scalar.to_owned(),
    }
}

/// The least signed integer of so many bits, in each lane of the shape of `like`.
fn least(like: Ty, bits: u32) -> String {
    let min = i128::MIN >> (128 - bits);
    match like {
        Ty::Vec(..) => format!("splat (i{bits} {min})"),
        _ => min.to_string(),
    }
}

/// True for what makes a remainder toward zero Python's, `r + y` instead of `r`, where all that is divided is made of such
/// remainders by the same divisor, of constants and of parameters: seldom does its sign change.
fn is_floor_correction(func: &Func, then: Value, other: Value) -> bool {
    let Some((dividend, divisor)) = remainder(func, then, other) else {
        return false;
    };
    let mut seen = Vec::new();
    let mut todo = vec![dividend];
    while let Some(value) = todo.pop() {
        if seen.contains(&value) {
            continue;
        }
        seen.push(value);
        match (func.values[value].def, func.def(value)) {
            (ValueDef::Param(block, _), _) if block == func.entry() => {}
            (ValueDef::Param(block, n), _) => {
                let terms = func.layout.iter().map(|from| func.term(from));
                let edges = terms.flat_map(|term| term.targets());
                let here = edges.filter(|to| to.block == block);
                todo.extend(here.map(|to| to.args[usize::from(n)]));
            }
            (_, Some(&InstKind::Select { then, other, .. }))
                if remainder(func, then, other).is_some_and(|(_, by)| by == divisor) => {}
            (_, Some(InstKind::IConst(_))) => {}
            (
                _,
                Some(&InstKind::Binary {
                    op: BinaryOp::IAdd | BinaryOp::IMul,
                    lhs,
                    rhs,
                }),
            ) => {
                todo.extend([lhs, rhs]);
            }
            _ => return false,
        }
    }
    true
}

/// `x` and `y` where `other` is the remainder `r` of `x` by `y`, and `then` is `r + y`.
fn remainder(func: &Func, then: Value, other: Value) -> Option<(Value, Value)> {
    let binary = |value| match func.def(value) {
        Some(&InstKind::Binary { op, lhs, rhs }) => Some((op, lhs, rhs)),
        _ => None,
    };
    let (BinaryOp::SRem, x, y) = binary(other)? else {
        return None;
    };
    let (BinaryOp::IAdd, lhs, rhs) = binary(then)? else {
        return None;
    };
    let sum = (lhs, rhs) == (other, y) || (rhs, lhs) == (other, y);
    sum.then_some((x, y))
}
