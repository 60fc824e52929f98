//! The CUDA driver: loading it, and its devices, contexts, memory, streams, events, modules and launches.
//!
//! The one crate that knows cust, whose declarations and types of the driver API it uses. It knows neither Python nor the
//! compiler. Handles are plain values: who made one decides when it goes, because deallocation waits and contexts are
//! reset under the feet of objects that Python still holds. [`Epoch`] tells those from the ones still good.
//!
//! Every function of the driver works on the calling thread's current context unless it says otherwise.

mod call;
mod context;
mod device;
mod driver;
mod epoch;
mod event;
mod host;
mod ipc;
mod launch;
mod link;
mod memory;
mod module;
mod occupancy;
mod read_ahead;
mod stream;

pub use context::{
    Context, current, current_device, enable_peer_access, pop, profiler_start, profiler_stop, push,
    release_primary, reset_primary, retain_primary, set_current, synchronize,
};
pub use device::{
    Device, attribute, can_access_peer, compute_capability, device, device_count, device_name,
    device_uuid, pci_bus_id, total_memory,
};
pub use driver::{DriverError, InitError, Options, error_name, init, is_host, is_loaded, version};
pub use epoch::{Epoch, Kind};
pub use event::{
    Event, create_event, destroy_event, elapsed_time, query_event, record_event, synchronize_event,
};
pub use host::{HostFailure, HostFunction, HostLaunch, HostLimits};
pub use ipc::{IpcMemHandle, close_mem_handle, mem_handle, open_mem_handle};
pub use launch::{Dim3, launch};
pub use link::{Input, InputKind, link};
pub use memory::*;
pub use module::{
    Function, JitOptions, Loaded, Module, ModuleError, allow_dynamic_shared, function,
    function_attribute, global, load_module, set_cache_config, set_function_attribute,
    unload_module,
};
pub use occupancy::{active_blocks_per_multiprocessor, max_potential_block_size};
pub use read_ahead::read_ahead;
pub use stream::{
    Stream, StreamCallback, add_callback, create_stream, destroy_stream, query_stream,
    synchronize_stream, wait_event,
};
