//! Devices and their attributes.

use core::ffi::{c_char, c_int};

use crate::call::call;
use crate::driver::DriverError;

/// A device of the driver: what it gives for an ordinal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Device(pub i32);

const COMPUTE_CAPABILITY_MAJOR: i32 = 75;
const COMPUTE_CAPABILITY_MINOR: i32 = 76;

/// How many devices this process may use.
pub fn device_count() -> Result<i32, DriverError> {
    let mut count = 0;
    // SAFETY: writes one int.
    unsafe { call!(cuDeviceGetCount(&mut count)) }?;
    Ok(count)
}

/// The device of an ordinal.
pub fn device(ordinal: i32) -> Result<Device, DriverError> {
    let mut device = 0;
    // SAFETY: writes one int.
    unsafe { call!(cuDeviceGet(&mut device, ordinal)) }?;
    Ok(Device(device))
}

/// Its name, "NVIDIA H100 80GB HBM3".
pub fn device_name(device: Device) -> Result<String, DriverError> {
    let mut name = [0u8; 256];
    // SAFETY: writes at most as many bytes, with a NUL at their end.
    unsafe {
        call!(cuDeviceGetName(
            name.as_mut_ptr().cast::<c_char>(),
            name.len() as c_int,
            device.0
        ))
    }?;
    Ok(until_nul(&name))
}

/// Its 16 bytes of identity.
pub fn device_uuid(device: Device) -> Result<[u8; 16], DriverError> {
    let mut uuid = cust::sys::CUuuid { bytes: [0; 16] };
    // SAFETY: writes one uuid.
    unsafe { call!(cuDeviceGetUuid(&mut uuid, device.0)) }?;
    Ok(uuid.bytes.map(|b| b as u8))
}

/// `0000:3b:00.0`
pub fn pci_bus_id(device: Device) -> Result<String, DriverError> {
    let mut id = [0u8; 32];
    // SAFETY: writes at most as many bytes, with a NUL at their end.
    unsafe {
        call!(cuDeviceGetPCIBusId(
            id.as_mut_ptr().cast::<c_char>(),
            id.len() as c_int,
            device.0
        ))
    }?;
    Ok(until_nul(&id))
}

/// Bytes of its memory.
pub fn total_memory(device: Device) -> Result<usize, DriverError> {
    let mut bytes = 0;
    // SAFETY: writes one size.
    unsafe { call!(cuDeviceTotalMem_v2(&mut bytes, device.0)) }?;
    Ok(bytes)
}

/// The value of a `CU_DEVICE_ATTRIBUTE_*`, by its number.
pub fn attribute(device: Device, attribute: i32) -> Result<i32, DriverError> {
    let mut value = 0;
    // SAFETY: writes one int; attributes that the driver does not know are an error.
    unsafe { call!(in sys, cuDeviceGetAttribute(&mut value, attribute, device.0)) }?;
    Ok(value)
}

/// Its compute capability, major and minor.
pub fn compute_capability(device: Device) -> Result<(i32, i32), DriverError> {
    Ok((
        attribute(device, COMPUTE_CAPABILITY_MAJOR)?,
        attribute(device, COMPUTE_CAPABILITY_MINOR)?,
    ))
}

/// Whether kernels on one device can read memory of the other.
pub fn can_access_peer(device: Device, peer: Device) -> Result<bool, DriverError> {
    let mut can = 0;
    // SAFETY: writes one int.
    unsafe { call!(cuDeviceCanAccessPeer(&mut can, device.0, peer.0)) }?;
    Ok(can != 0)
}

fn until_nul(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

mod sys {
    //! cust declares it with an enum for a parameter, and not all attributes are in it.
    use core::ffi::c_int;

    unsafe extern "C" {
        pub(super) fn cuDeviceGetAttribute(
            value: *mut c_int,
            attribute: c_int,
            device: c_int,
        ) -> c_int;
    }
}
