//! Questions and orders to the threads of parallel loops.

use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::raise::Raise;
use numbra_abi::NativeId;
use numbra_library::ThreadOp;
use numbra_lir::{GuardKind, IntCc, Ty, Value};

impl Fx<'_, '_> {
    pub(in super::super) fn thread_operation(
        &mut self,
        op: ThreadOp,
        args: &[Val],
    ) -> Res<Vec<Value>> {
        let words: Vec<Value> = args.iter().flat_map(|a| a.leaves.iter().copied()).collect();
        let symbol = match op {
            ThreadOp::Count => NativeId::GetNumThreads,
            ThreadOp::SetCount => NativeId::SetNumThreads,
            ThreadOp::Id => NativeId::GetThreadId,
            ThreadOp::Chunksize => NativeId::GetParallelChunksize,
            ThreadOp::SetChunksize => {
                let size = *words
                    .first()
                    .ok_or_else(|| Fault::bug("a chunk size without a number"))?;
                let valid = self.icmp_imm(IntCc::Sge, size, 0);
                let raise = Raise::value("chunksize must be greater than or equal to zero");
                self.guard(valid, GuardKind::Check, raise)?;
                NativeId::SetParallelChunksize
            }
        };
        let result = self.native_call(symbol, words)?;
        let sized = matches!(op, ThreadOp::Chunksize | ThreadOp::SetChunksize);
        let result = result.map(|n| {
            if sized {
                self.int_to(n, Ty::I32, false)
            } else {
                n
            }
        });
        Ok(result.into_iter().collect())
    }
}
