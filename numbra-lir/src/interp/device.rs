//! Device operations of one thread, in a block and a grid of its own.

use super::memory::Memory;
use super::trap::Trap;
use crate::DeviceOp;
use crate::text::device_name;
use numbra_abi::small_floats::{bf16_fma, bf16_from_f32, bf16_from_f64, bf16_to_f32};

/// The results of an operation when no other thread is there. Of libdevice nothing is here.
pub(super) fn alone(op: DeviceOp, args: &[u128], memory: &mut Memory) -> Result<Vec<u128>, Trap> {
    let arg = |n: usize| args.get(n).copied().unwrap_or(0);
    // Lane 0 is the only one; whoever is not in the mask still gets an answer.
    let in_mask = arg(0) & 1;
    Ok(match op {
        DeviceOp::Libdevice(_) => return Err(Trap::Missing(device_name(op))),
        // There are no caches to hint at.
        DeviceOp::CachedLoad(_, bits) => {
            let (address, size) = element(arg(0), bits)?;
            vec![memory.read_scalar(address, size)?]
        }
        DeviceOp::CachedStore(_, bits) => {
            let (address, size) = element(arg(0), bits)?;
            memory.write_scalar(address, size, arg(1))?;
            Vec::new()
        }
        DeviceOp::ThreadIdx(_)
        | DeviceOp::BlockIdx(_)
        | DeviceOp::LaneId
        | DeviceOp::LanemaskLt
        | DeviceOp::DynamicShared
        | DeviceOp::Clock
        | DeviceOp::Clock64
        | DeviceOp::GlobalTimer
        | DeviceOp::Print => vec![0],
        DeviceOp::BlockDim(_) | DeviceOp::GridDim(_) | DeviceOp::ActiveMask => vec![1],
        DeviceOp::WarpSize => vec![32],
        DeviceOp::Nanosleep
        | DeviceOp::Breakpoint
        | DeviceOp::Barrier
        | DeviceOp::SyncWarp
        | DeviceOp::GridBarrier => Vec::new(),
        DeviceOp::BarrierCount | DeviceOp::BarrierAnd | DeviceOp::BarrierOr => {
            vec![u128::from(arg(0) != 0)]
        }
        DeviceOp::ShuffleIdx
        | DeviceOp::ShuffleUp
        | DeviceOp::ShuffleDown
        | DeviceOp::ShuffleXor => vec![arg(1)],
        DeviceOp::Ballot => vec![in_mask & arg(1)],
        DeviceOp::VoteAll | DeviceOp::VoteAny => vec![arg(1) & 1],
        DeviceOp::VoteEqual => vec![1],
        DeviceOp::MatchAny32 | DeviceOp::MatchAny64 => vec![in_mask],
        DeviceOp::MatchAll32 | DeviceOp::MatchAll64 => vec![in_mask, 1],
        DeviceOp::BfloatToFloat => vec![bf16_to_f32(arg(0) as u16).to_bits().into()],
        DeviceOp::BfloatOfFloat => {
            vec![bf16_from_f32(f32::from_bits(arg(0) as u32)).into()]
        }
        DeviceOp::BfloatOfDouble => {
            vec![bf16_from_f64(f64::from_bits(arg(0) as u64)).into()]
        }
        DeviceOp::BfloatFma => {
            vec![bf16_fma(arg(0) as u16, arg(1) as u16, arg(2) as u16).into()]
        }
    })
}

/// The address and bytes of an element, which is aligned.
fn element(address: u128, bits: u8) -> Result<(u64, u32), Trap> {
    let (address, size) = (address as u64, u32::from(bits / 8));
    super::machine::aligned(address, size.into())?;
    Ok((address, size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use numbra_abi::libdevice::known;

    #[test]
    fn libdevice_is_missing_and_not_zero() {
        let sine = DeviceOp::Libdevice(known("sin"));
        let trap = alone(sine, &[0], &mut Memory::default());
        assert!(matches!(trap, Err(Trap::Missing(name)) if name == "libdevice.sin"));
    }
}
