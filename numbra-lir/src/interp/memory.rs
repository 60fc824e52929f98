//! The interpreter's address space.

use super::{LirValue, Trap};
use crate::{FuncRef, Ty};

/// First byte of a region within its 4 GiB: accesses a little below it are caught too.
const START: u64 = 4096;

#[derive(Clone, Debug)]
enum Region {
    Bytes(Vec<u8>),
    Function(FuncRef),
    Freed,
}

/// Regions of bytes, each in 4 GiB of addresses of its own; address 0 is in none.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    regions: Vec<Region>,
}

impl Memory {
    fn push(&mut self, region: Region) -> u64 {
        self.regions.push(region);
        (self.regions.len() as u64) << 32 | START
    }

    /// A new region with these bytes; its address, a multiple of 4096.
    pub fn alloc(&mut self, bytes: Vec<u8>) -> u64 {
        self.push(Region::Bytes(bytes))
    }

    /// The address of a function.
    pub fn function(&mut self, id: FuncRef) -> u64 {
        self.push(Region::Function(id))
    }

    /// The function at an address.
    pub fn function_at(&self, address: u64) -> Option<FuncRef> {
        match self.regions.get((address >> 32).checked_sub(1)? as usize)? {
            Region::Function(id) if address & 0xffff_ffff == START => Some(*id),
            _ => None,
        }
    }

    /// Ends the region at this address.
    pub fn free(&mut self, address: u64) -> Result<(), Trap> {
        let index = (address >> 32).wrapping_sub(1) as usize;
        match self.regions.get_mut(index) {
            Some(region @ Region::Bytes(_)) if address & 0xffff_ffff == START => {
                *region = Region::Freed;
            }
            _ => return Err(Trap::BadReference(address)),
        }
        Ok(())
    }

    /// As [`Memory::free`]; a region at the end gives its address to the next one.
    pub(super) fn free_slot(&mut self, address: u64) -> Result<(), Trap> {
        self.free(address)?;
        if address >> 32 == self.regions.len() as u64 {
            self.regions.pop();
        }
        Ok(())
    }

    fn locate(&self, address: u64, size: u64) -> Result<(usize, usize), Trap> {
        let bad = |why| Trap::BadAccess { address, size, why };
        let index = (address >> 32).wrapping_sub(1) as usize;
        let Some(region) = self.regions.get(index) else {
            return Err(bad(if address >> 32 == 0 {
                "null"
            } else {
                "no memory there"
            }));
        };
        let bytes = match region {
            Region::Bytes(bytes) => bytes,
            Region::Function(_) => return Err(bad("code")),
            Region::Freed => return Err(bad("freed")),
        };
        let start = (address & 0xffff_ffff)
            .checked_sub(START)
            .ok_or_else(|| bad("before its region"))?;
        match start.checked_add(size) {
            Some(end) if end <= bytes.len() as u64 => Ok((index, start as usize)),
            _ => Err(bad("behind its region")),
        }
    }

    /// Bytes at an address.
    pub fn read(&self, address: u64, size: u64) -> Result<&[u8], Trap> {
        if size == 0 {
            return Ok(&[]);
        }
        let (index, start) = self.locate(address, size)?;
        match &self.regions[index] {
            Region::Bytes(bytes) => Ok(&bytes[start..start + size as usize]),
            Region::Function(_) | Region::Freed => Ok(&[]),
        }
    }

    /// Bytes at an address, to be written.
    pub fn write(&mut self, address: u64, size: u64) -> Result<&mut [u8], Trap> {
        if size == 0 {
            return Ok(&mut []);
        }
        let (index, start) = self.locate(address, size)?;
        match &mut self.regions[index] {
            Region::Bytes(bytes) => Ok(&mut bytes[start..start + size as usize]),
            Region::Function(_) | Region::Freed => Ok(&mut []),
        }
    }

    /// All bytes of the region that starts at this address.
    pub fn region(&self, address: u64) -> Option<&[u8]> {
        match self.regions.get((address >> 32).checked_sub(1)? as usize)? {
            Region::Bytes(bytes) => Some(bytes),
            Region::Function(_) | Region::Freed => None,
        }
    }

    /// Start and bytes of the region whose addresses an address lies among, if only before its start or behind its end.
    pub fn region_around(&self, address: u64) -> Option<(u64, &[u8])> {
        let base = address & !0xffff_ffff | START;
        self.region(base).map(|bytes| (base, bytes))
    }

    /// The scalar of `ty.size()` bytes at an address, little-endian.
    pub fn read_scalar(&self, address: u64, size: u32) -> Result<u128, Trap> {
        let bytes = self.read(address, size.into())?;
        let mut wide = [0; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        Ok(u128::from_le_bytes(wide))
    }

    pub fn write_scalar(&mut self, address: u64, size: u32, value: u128) -> Result<(), Trap> {
        let bytes = self.write(address, size.into())?;
        let wide = value.to_le_bytes();
        bytes.copy_from_slice(&wide[..bytes.len()]);
        Ok(())
    }

    /// Reads a value of any storable type.
    pub fn load(&self, address: u64, ty: Ty) -> Result<LirValue, Trap> {
        match ty {
            Ty::Vec(lane, n) => {
                let size = lane.ty().size();
                let bytes = self.read(address, ty.size().into())?;
                let lanes = bytes.chunks(size as usize).map(|chunk| {
                    let mut wide = [0; 8];
                    wide[..chunk.len()].copy_from_slice(chunk);
                    u64::from_le_bytes(wide)
                });
                let lanes: Vec<u64> = lanes.collect();
                debug_assert_eq!(
                    lanes.len(),
                    usize::from(n),
                    "the size is lanes times lane size"
                );
                Ok(LirValue::Vector(lane, lanes))
            }
            _ => Ok(LirValue::Scalar(ty, self.read_scalar(address, ty.size())?)),
        }
    }

    /// Writes a value of any storable type.
    pub fn store(&mut self, address: u64, value: &LirValue) -> Result<(), Trap> {
        match value {
            LirValue::Scalar(ty, bits) => self.write_scalar(address, ty.size(), *bits),
            LirValue::Vector(lane, lanes) => {
                let size = lane.ty().size();
                self.write(address, u64::from(size) * lanes.len() as u64)?;
                for (n, &lane) in lanes.iter().enumerate() {
                    self.write_scalar(address + u64::from(size) * n as u64, size, lane.into())?;
                }
                Ok(())
            }
        }
    }
}
