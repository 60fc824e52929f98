//! Operations of GPU threads as intrinsics of LLVM's NVPTX target.
//!
//! Every intrinsic named here exists on all compute capabilities that [`Target::gpu`](crate::Target::gpu) accepts: LLVM
//! ends the process on one that it cannot select, and makes an external function of a name that it does not know.

use super::EmitError;
use super::function::FunctionText;
use numbra_abi::{CType, libdevice};
use numbra_lir::{DeviceOp, EntityRef, ExceptionId, InstData, Value};
use std::fmt::Write as _;

/// All threads of the grid meet, as in the headers of CUDA's cooperative groups: the driver gives a cooperative launch
/// a workspace, whose address is in two registers, with a counter behind the first word. One thread a block adds 1, that of
/// the first block so much that the highest bit flips when the last has come.
const GRID_BARRIER: &str = "\
define internal void @numbra.grid_barrier() nounwind convergent noinline {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) convergent
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tz = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %txy = or i32 %tx, %ty
  %t = or i32 %txy, %tz
  %first_thread = icmp eq i32 %t, 0
  br i1 %first_thread, label %arrive, label %done
arrive:
  %low = call i32 @llvm.nvvm.read.ptx.sreg.envreg2()
  %high = call i32 @llvm.nvvm.read.ptx.sreg.envreg1()
  %low64 = zext i32 %low to i64
  %high64 = zext i32 %high to i64
  %shifted = shl i64 %high64, 32
  %workspace = or i64 %shifted, %low64
  %counter = add i64 %workspace, 4
  %at = inttoptr i64 %counter to ptr
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bz = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %bxy = or i32 %bx, %by
  %b = or i32 %bxy, %bz
  %first_block = icmp eq i32 %b, 0
  %gx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %gy = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %gz = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  %gxy = mul i32 %gx, %gy
  %blocks = mul i32 %gxy, %gz
  %others = sub i32 %blocks, 1
  %flip = sub i32 -2147483648, %others
  %add = select i1 %first_block, i32 %flip, i32 1
  call void @llvm.nvvm.membar.gl()
  %before = atomicrmw add ptr %at, i32 %add monotonic
  br label %wait
wait:
  %now = load volatile i32, ptr %at
  %changed = xor i32 %now, %before
  %still = icmp sge i32 %changed, 0
  br i1 %still, label %wait, label %all
all:
  call void @llvm.nvvm.membar.gl()
  br label %done
done:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) convergent
  ret void
}
";

/// What [`GRID_BARRIER`] calls.
const GRID_BARRIER_NEEDS: &[(&str, &str)] = &[
    (
        "llvm.nvvm.barrier.cta.sync.aligned.all",
        "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent",
    ),
    ("llvm.nvvm.membar.gl", "declare void @llvm.nvvm.membar.gl()"),
];

/// Name of seven words in global memory: 0, or the number of the first exception from 1; and the place of its thread: indices
/// in the block and of the block, x first.
pub const ERROR: &str = "numbra_error";

/// Notes an exception, unless there is one.
const NOTE_ERROR: &str = "\
@numbra_error = addrspace(1) global [7 x i32] zeroinitializer, align 4
define internal void @numbra.note_error(i32 %code) nounwind noinline cold {
  %error = addrspacecast ptr addrspace(1) @numbra_error to ptr
  %pair = cmpxchg ptr %error, i32 0, i32 %code syncscope(\"device\") monotonic monotonic
  %first = extractvalue { i32, i1 } %pair, 1
  br i1 %first, label %note, label %done
note:
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tz = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bz = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %p1 = getelementptr i32, ptr %error, i64 1
  store i32 %tx, ptr %p1
  %p2 = getelementptr i32, ptr %error, i64 2
  store i32 %ty, ptr %p2
  %p3 = getelementptr i32, ptr %error, i64 3
  store i32 %tz, ptr %p3
  %p4 = getelementptr i32, ptr %error, i64 4
  store i32 %bx, ptr %p4
  %p5 = getelementptr i32, ptr %error, i64 5
  store i32 %by, ptr %p5
  %p6 = getelementptr i32, ptr %error, i64 6
  store i32 %bz, ptr %p6
  br label %done
done:
  ret void
}
";

const REGISTERS: &[&str] = &[
    "tid.x", "tid.y", "tid.z", "ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z",
    "envreg1", "envreg2",
];

/// A call as the operation's only meaning.
struct Intrinsic {
    name: &'static str,
    /// `{}` stands for the operands, with types.
    operands: &'static [&'static str],
    result: &'static str,
    convergent: bool,
}

const fn meet(
    name: &'static str,
    operands: &'static [&'static str],
    result: &'static str,
) -> Intrinsic {
    Intrinsic {
        name,
        operands,
        result,
        convergent: true,
    }
}

const fn read(name: &'static str, result: &'static str) -> Intrinsic {
    Intrinsic {
        name,
        operands: &[],
        result,
        convergent: false,
    }
}

/// Lanes that a shuffle takes part in, as its last operand.
const WHOLE_WARP: &str = "i32 31";
/// The same for shuffles from lower lanes.
const FROM_ZERO: &str = "i32 0";

fn intrinsic(op: DeviceOp) -> Option<Intrinsic> {
    Some(match op {
        DeviceOp::LaneId => read("llvm.nvvm.read.ptx.sreg.laneid", "i32"),
        DeviceOp::WarpSize => read("llvm.nvvm.read.ptx.sreg.warpsize", "i32"),
        DeviceOp::LanemaskLt => read("llvm.nvvm.read.ptx.sreg.lanemask.lt", "i32"),
        DeviceOp::DynamicShared => read("llvm.nvvm.read.ptx.sreg.dynamic_smem_size", "i32"),
        DeviceOp::Clock => read("llvm.nvvm.read.ptx.sreg.clock", "i32"),
        DeviceOp::Clock64 => read("llvm.nvvm.read.ptx.sreg.clock64", "i64"),
        DeviceOp::GlobalTimer => read("llvm.nvvm.read.ptx.sreg.globaltimer", "i64"),
        DeviceOp::ActiveMask => meet("llvm.nvvm.activemask", &[], "i32"),
        DeviceOp::Nanosleep => Intrinsic {
            convergent: false,
            ..meet("llvm.nvvm.nanosleep", &["i32"], "void")
        },
        DeviceOp::Breakpoint => Intrinsic {
            convergent: false,
            ..meet("llvm.debugtrap", &[], "void")
        },
        DeviceOp::Print => Intrinsic {
            convergent: false,
            ..meet("vprintf", &["ptr", "ptr"], "i32")
        },
        DeviceOp::Barrier => meet(
            "llvm.nvvm.barrier.cta.sync.aligned.all",
            &["=i32 0"],
            "void",
        ),
        DeviceOp::SyncWarp => meet("llvm.nvvm.bar.warp.sync", &["i32"], "void"),
        DeviceOp::ShuffleIdx => meet(
            "llvm.nvvm.shfl.sync.idx.i32",
            &["i32", "i32", "i32", WHOLE_WARP],
            "i32",
        ),
        DeviceOp::ShuffleUp => meet(
            "llvm.nvvm.shfl.sync.up.i32",
            &["i32", "i32", "i32", FROM_ZERO],
            "i32",
        ),
        DeviceOp::ShuffleDown => meet(
            "llvm.nvvm.shfl.sync.down.i32",
            &["i32", "i32", "i32", WHOLE_WARP],
            "i32",
        ),
        DeviceOp::ShuffleXor => meet(
            "llvm.nvvm.shfl.sync.bfly.i32",
            &["i32", "i32", "i32", WHOLE_WARP],
            "i32",
        ),
        DeviceOp::Ballot => meet("llvm.nvvm.vote.ballot.sync", &["i32", "i1"], "i32"),
        DeviceOp::VoteAll => meet("llvm.nvvm.vote.all.sync", &["i32", "i1"], "i1"),
        DeviceOp::VoteAny => meet("llvm.nvvm.vote.any.sync", &["i32", "i1"], "i1"),
        DeviceOp::VoteEqual => meet("llvm.nvvm.vote.uni.sync", &["i32", "i1"], "i1"),
        DeviceOp::MatchAny32 => meet("llvm.nvvm.match.any.sync.i32", &["i32", "i32"], "i32"),
        DeviceOp::MatchAny64 => meet("llvm.nvvm.match.any.sync.i64", &["i32", "i64"], "i32"),
        DeviceOp::MatchAll32 => meet(
            "llvm.nvvm.match.all.sync.i32p",
            &["i32", "i32"],
            "{ i32, i1 }",
        ),
        DeviceOp::MatchAll64 => meet(
            "llvm.nvvm.match.all.sync.i64p",
            &["i32", "i64"],
            "{ i32, i1 }",
        ),
        DeviceOp::ThreadIdx(_)
        | DeviceOp::BlockIdx(_)
        | DeviceOp::BlockDim(_)
        | DeviceOp::GridDim(_)
        | DeviceOp::Libdevice(_)
        | DeviceOp::CachedLoad(..)
        | DeviceOp::CachedStore(..)
        | DeviceOp::BarrierCount
        | DeviceOp::BarrierAnd
        | DeviceOp::BarrierOr
        | DeviceOp::GridBarrier
        | DeviceOp::BfloatToFloat
        | DeviceOp::BfloatOfFloat
        | DeviceOp::BfloatOfDouble
        | DeviceOp::BfloatFma => return None,
    })
}

/// Functions of libdevice that are an instruction and an intrinsic: for them alone the library is not linked.
const INSTRUCTIONS: [(&str, &str); 4] = [
    ("fmin", "llvm.minnum.f64"),
    ("fminf", "llvm.minnum.f32"),
    ("fmax", "llvm.maxnum.f64"),
    ("fmaxf", "llvm.maxnum.f32"),
];

/// LLVM's name of a type of C.
fn c_name(c: CType) -> &'static str {
    match c {
        CType::Void => "void",
        CType::I8 => "i8",
        CType::I16 => "i16",
        CType::I32 => "i32",
        CType::I64 => "i64",
        CType::F32 => "float",
        CType::F64 => "double",
        CType::Ptr | CType::Ref => "ptr",
    }
}

/// The definition of `wrapper`, which gives what a function of libdevice returns and what it writes through pointers.
fn all_results(function: &libdevice::Function, wrapper: &str, result: &str) -> String {
    let params = function.params.iter().copied().map(c_name).enumerate();
    let params: Vec<String> = params.map(|(i, ty)| format!("{ty} %x{i}")).collect();
    let params = params.join(", ");
    let mut text =
        format!("define internal {result} @{wrapper}({params}) alwaysinline nounwind {{\n");
    let mut operands = vec![params];
    for (i, out) in function.outs.iter().enumerate() {
        let _ = writeln!(text, "  %p{i} = alloca {}", c_name(*out));
        operands.push(format!("ptr %p{i}"));
    }
    let own = c_name(function.ret);
    let call = format!("call {own} @{}({})", function.symbol(), operands.join(", "));
    let mut given = Vec::new();
    if function.ret == CType::Void {
        let _ = writeln!(text, "  {call}");
    } else {
        let _ = writeln!(text, "  %own = {call}");
        given.push(format!("{own} %own"));
    }
    for (i, out) in function.outs.iter().enumerate() {
        let ty = c_name(*out);
        let _ = writeln!(text, "  %o{i} = load {ty}, ptr %p{i}");
        given.push(format!("{ty} %o{i}"));
    }
    let mut before = "poison".to_owned();
    for (i, value) in given.iter().enumerate() {
        let _ = writeln!(
            text,
            "  %r{i} = insertvalue {result} {before}, {value}, {i}"
        );
        before = format!("%r{i}");
    }
    let _ = writeln!(text, "  ret {result} {before}\n}}");
    text
}

impl FunctionText<'_> {
    pub(super) fn device(
        &mut self,
        data: &InstData,
        op: DeviceOp,
        args: &[Value],
    ) -> Result<(), EmitError> {
        if !self.target.is_gpu() {
            return Err(EmitError(format!("device operation {op:?} on a CPU")));
        }
        if let Some(intrinsic) = intrinsic(op) {
            self.intrinsic(data, &intrinsic, args);
            return Ok(());
        }
        match op {
            DeviceOp::ThreadIdx(axis) => self.register(data, "tid", axis),
            DeviceOp::BlockIdx(axis) => self.register(data, "ctaid", axis),
            DeviceOp::BlockDim(axis) => self.register(data, "ntid", axis),
            DeviceOp::GridDim(axis) => self.register(data, "nctaid", axis),
            DeviceOp::BarrierCount => self.barrier_over(data, "popc", "i32", args[0]),
            DeviceOp::BarrierAnd => self.barrier_over(data, "and", "i1", args[0]),
            DeviceOp::BarrierOr => self.barrier_over(data, "or", "i1", args[0]),
            DeviceOp::GridBarrier => self.grid_barrier(),
            DeviceOp::CachedLoad(..) | DeviceOp::CachedStore(..) => self.cached(data, op, args)?,
            DeviceOp::Libdevice(_) => self.library_call(data, op, args)?,
            DeviceOp::BfloatToFloat
            | DeviceOp::BfloatOfFloat
            | DeviceOp::BfloatOfDouble
            | DeviceOp::BfloatFma => self.bfloat(data, op, args),
            _ => return Err(EmitError(format!("device operation {op:?}"))),
        }
        Ok(())
    }

    fn intrinsic(&mut self, data: &InstData, intrinsic: &Intrinsic, args: &[Value]) {
        let mut given = args.iter();
        let mut operands = Vec::new();
        let mut params = Vec::new();
        for &operand in intrinsic.operands {
            let fixed = operand.strip_prefix('=').unwrap_or(operand);
            match fixed.split_once(' ') {
                Some((ty, _)) => {
                    params.push(ty);
                    operands.push(fixed.to_owned());
                }
                None => {
                    params.push(operand);
                    let value = given.next().map(|&v| self.operand(v)).unwrap_or_default();
                    operands.push(format!("{operand} {value}"));
                }
            }
        }
        let convergent = if intrinsic.convergent {
            " convergent"
        } else {
            ""
        };
        let (name, result) = (intrinsic.name, intrinsic.result);
        let declaration = format!(
            "declare {result} @{name}({}){convergent}",
            params.join(", ")
        );
        self.declarations.function(name, &declaration);
        let call = format!("call {result} @{name}({}){convergent}", operands.join(", "));
        match data.results[..] {
            [] => self.line(&call),
            [one] => {
                let text = format!("{} = {call}", self.name(one));
                self.line(&text);
            }
            [first, second, ..] => {
                let pair = self.let_temp(&call);
                for (n, value) in [first, second].into_iter().enumerate() {
                    let text = format!("{} = extractvalue {result} {pair}, {n}", self.name(value));
                    self.line(&text);
                }
            }
        }
    }

    /// An operation of bfloat16, which is LLVM's `bfloat` here alone. LLVM joins what is around it: a sum that is rounded
    /// becomes the instruction that adds two of them, where the device has it.
    fn bfloat(&mut self, data: &InstData, op: DeviceOp, args: &[Value]) {
        let Some(&result) = data.results.first() else {
            return;
        };
        let name = self.name(result);
        let values: Vec<String> = args.iter().map(|&arg| self.operand(arg)).collect();
        let mut float = |value: &String| self.let_temp(&format!("bitcast i16 {value} to bfloat"));
        let made = match op {
            DeviceOp::BfloatToFloat => {
                let value = float(&values[0]);
                self.line(&format!("{name} = fpext bfloat {value} to float"));
                return;
            }
            DeviceOp::BfloatFma => {
                let operands: Vec<String> = values
                    .iter()
                    .map(|value| format!("bfloat {}", float(value)))
                    .collect();
                self.declarations.function(
                    "llvm.fma.bf16",
                    "declare bfloat @llvm.fma.bf16(bfloat, bfloat, bfloat)",
                );
                format!("call bfloat @llvm.fma.bf16({})", operands.join(", "))
            }
            DeviceOp::BfloatOfDouble => format!("fptrunc double {} to bfloat", values[0]),
            _ => format!("fptrunc float {} to bfloat", values[0]),
        };
        let made = self.let_temp(&made);
        self.line(&format!("{name} = bitcast bfloat {made} to i16"));
    }

    /// A load or store with a hint for caches, which LLVM has no instruction for. PTX reads bytes into 16 bits.
    fn cached(&mut self, data: &InstData, op: DeviceOp, args: &[Value]) -> Result<(), EmitError> {
        let Some((hint, bits)) = op.cached() else {
            return Err(EmitError(format!("device operation {op:?}")));
        };
        let (hint, wide) = (hint.name(), bits.max(16));
        let constraint = match wide {
            16 => "h",
            32 => "r",
            _ => "l",
        };
        let address = self.operand(args[0]);
        let global = self.let_temp(&format!("addrspacecast ptr {address} to ptr addrspace(1)"));
        if let [result] = data.results[..] {
            let call = format!(
                "call i{wide} asm sideeffect \"ld.global.{hint}.b{bits} $0, [$1];\", \"={constraint},l,~{{memory}}\"(ptr addrspace(1) {global})"
            );
            let name = self.name(result);
            if wide == bits {
                self.line(&format!("{name} = {call}"));
            } else {
                let loaded = self.let_temp(&call);
                self.line(&format!("{name} = trunc i{wide} {loaded} to i{bits}"));
            }
            return Ok(());
        }
        let mut value = self.operand(args[1]);
        if wide != bits {
            value = self.let_temp(&format!("zext i{bits} {value} to i{wide}"));
        }
        self.line(&format!(
            "call void asm sideeffect \"st.global.{hint}.b{bits} [$0], $1;\", \"l,{constraint},~{{memory}}\"(ptr addrspace(1) {global}, i{wide} {value})"
        ));
        Ok(())
    }

    /// A function of libdevice. One that writes through pointers is called by a function that gives all results.
    fn library_call(
        &mut self,
        data: &InstData,
        op: DeviceOp,
        args: &[Value],
    ) -> Result<(), EmitError> {
        let Some(function) = op.library_function() else {
            return Err(EmitError(format!("device operation {op:?}")));
        };
        let known = INSTRUCTIONS.iter().find(|(name, _)| *name == function.name);
        let symbol = known.map_or_else(|| function.symbol(), |(_, own)| (*own).to_owned());
        let types: Vec<&str> = function.params.iter().copied().map(c_name).collect();
        let mut declared = types.clone();
        declared.resize(types.len() + function.outs.len(), "ptr");
        let own = c_name(function.ret);
        let declaration = format!("declare {own} @{symbol}({})", declared.join(", "));
        self.declarations.function(&symbol, &declaration);
        let operands: Vec<String> = types
            .iter()
            .zip(args)
            .map(|(ty, &v)| format!("{ty} {}", self.operand(v)))
            .collect();
        let operands = operands.join(", ");
        if let ([], [one]) = (function.outs, &data.results[..]) {
            let text = format!("{} = call {own} @{symbol}({operands})", self.name(*one));
            self.line(&text);
            return Ok(());
        }
        let all: Vec<&str> = function.results().map(c_name).collect();
        let result = format!("{{ {} }}", all.join(", "));
        let wrapper = format!("numbra.{symbol}");
        let text = all_results(function, &wrapper, &result);
        self.declarations.function(&wrapper, &text);
        let values = self.let_temp(&format!("call {result} @{wrapper}({operands})"));
        for (n, &value) in data.results.iter().enumerate() {
            let text = format!("{} = extractvalue {result} {values}, {n}", self.name(value));
            self.line(&text);
        }
        Ok(())
    }

    /// One of the registers that say where a thread is.
    fn register(&mut self, data: &InstData, name: &str, axis: u8) {
        let axis = ["x", "y", "z"][usize::from(axis.min(2))];
        let symbol = format!("llvm.nvvm.read.ptx.sreg.{name}.{axis}");
        self.declarations
            .function(&symbol, &format!("declare i32 @{symbol}()"));
        let text = format!("{} = call i32 @{symbol}()", self.name(data.results[0]));
        self.line(&text);
    }

    /// A barrier that combines whether a number is not 0.
    fn barrier_over(&mut self, data: &InstData, how: &str, result: &str, number: Value) {
        let symbol = format!("llvm.nvvm.barrier.cta.red.{how}.aligned.all");
        let declaration = format!("declare {result} @{symbol}(i32, i1) convergent");
        self.declarations.function(&symbol, &declaration);
        let number = self.operand(number);
        let truth = self.let_temp(&format!("icmp ne i32 {number}, 0"));
        let call = format!("call {result} @{symbol}(i32 0, i1 {truth}) convergent");
        let name = self.name(data.results[0]);
        if result == "i32" {
            self.line(&format!("{name} = {call}"));
        } else {
            let answer = self.let_temp(&call);
            self.line(&format!("{name} = zext i1 {answer} to i32"));
        }
    }

    /// Notes what is raised.
    pub(super) fn device_error(&mut self, exception: ExceptionId) {
        self.declare_registers();
        self.declarations.function("numbra.note_error", NOTE_ERROR);
        let code = exception.index() + 1;
        self.line(&format!("call void @numbra.note_error(i32 {code})"));
    }

    fn declare_registers(&mut self) {
        for register in REGISTERS {
            let symbol = format!("llvm.nvvm.read.ptx.sreg.{register}");
            self.declarations
                .function(&symbol, &format!("declare i32 @{symbol}()"));
        }
    }

    fn grid_barrier(&mut self) {
        for (name, text) in GRID_BARRIER_NEEDS {
            self.declarations.function(name, text);
        }
        self.declare_registers();
        self.declarations
            .function("numbra.grid_barrier", GRID_BARRIER);
        self.line("call void @numbra.grid_barrier() convergent");
    }
}
