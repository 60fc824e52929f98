//! The CUDA driver's symbols, defined here: each jumps through a slot that is filled when the driver is loaded.
//!
//! `cust_raw` declares the entry points of libcuda as external functions. Linking against libcuda would make the
//! extension module fail to load on machines without a GPU, so this crate defines them: `cuInit` is one jump through a
//! slot. A slot holds a function that returns an error code until [`fill`] puts the driver's there. The symbols are
//! hidden: no other library in the process sees them.

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
compile_error!(
    "the trampolines are written for x86-64 Linux; add this platform's jump and relocation"
);

use core::arch::global_asm;
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicPtr, Ordering};

/// `CUDA_ERROR_NOT_INITIALIZED`: what every entry returns before the driver is loaded.
const NOT_INITIALIZED: c_int = 3;

/// `CUDA_ERROR_NOT_SUPPORTED`: what an entry returns that the loaded driver does not have.
const NOT_SUPPORTED: c_int = 801;

extern "C" fn not_loaded() -> c_int {
    NOT_INITIALIZED
}

extern "C" fn not_in_driver() -> c_int {
    NOT_SUPPORTED
}

macro_rules! entries {
    ($($name:ident)*) => {
        /// The entry points, in the order of their slots.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        // One slot and one jump for each name; the slots are contiguous, so that Rust sees them as an array.
        global_asm!(
            ".pushsection .data.numbra_cuda_slots,\"aw\"",
            ".balign 8",
            ".hidden numbra_cuda_slots",
            ".globl numbra_cuda_slots",
            "numbra_cuda_slots:",
            $(concat!(".Lslot_", stringify!($name), ": .quad {not_loaded}"),)*
            ".popsection",
            ".pushsection .text.numbra_cuda_entries,\"ax\"",
            $(concat!(
                ".hidden ", stringify!($name), "\n",
                ".globl ", stringify!($name), "\n",
                ".type ", stringify!($name), ",@function\n",
                stringify!($name), ": jmpq *.Lslot_", stringify!($name), "(%rip)\n",
                ".size ", stringify!($name), ", .-", stringify!($name),
            ),)*
            ".popsection",
            not_loaded = sym not_loaded,
            options(att_syntax),
        );
    };
}

// Every function that cust_raw 0.11.3 declares.
entries! {
    cuArray3DCreate_v2 cuArray3DGetDescriptor_v2 cuArrayCreate_v2 cuArrayDestroy cuArrayGetDescriptor_v2
    cuArrayGetPlane cuArrayGetSparseProperties cuCtxAttach cuCtxCreate_v2 cuCtxCreate_v3 cuCtxDestroy_v2
    cuCtxDetach cuCtxDisablePeerAccess cuCtxEnablePeerAccess cuCtxGetApiVersion cuCtxGetCacheConfig
    cuCtxGetCurrent cuCtxGetDevice cuCtxGetExecAffinity cuCtxGetFlags cuCtxGetLimit cuCtxGetSharedMemConfig
    cuCtxGetStreamPriorityRange cuCtxPopCurrent_v2 cuCtxPushCurrent_v2 cuCtxResetPersistingL2Cache
    cuCtxSetCacheConfig cuCtxSetCurrent cuCtxSetLimit cuCtxSetSharedMemConfig cuCtxSynchronize
    cuDestroyExternalMemory cuDestroyExternalSemaphore cuDeviceCanAccessPeer cuDeviceComputeCapability
    cuDeviceGet cuDeviceGetAttribute cuDeviceGetByPCIBusId cuDeviceGetCount cuDeviceGetDefaultMemPool
    cuDeviceGetExecAffinitySupport cuDeviceGetGraphMemAttribute cuDeviceGetLuid cuDeviceGetMemPool
    cuDeviceGetName cuDeviceGetNvSciSyncAttributes cuDeviceGetP2PAttribute cuDeviceGetPCIBusId
    cuDeviceGetProperties cuDeviceGetTexture1DLinearMaxWidth cuDeviceGetUuid cuDeviceGetUuid_v2
    cuDeviceGraphMemTrim cuDevicePrimaryCtxGetState cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxReset_v2
    cuDevicePrimaryCtxRetain cuDevicePrimaryCtxSetFlags_v2 cuDeviceSetGraphMemAttribute cuDeviceSetMemPool
    cuDeviceTotalMem_v2 cuDriverGetVersion cuEventCreate cuEventDestroy_v2 cuEventElapsedTime cuEventQuery
    cuEventRecord cuEventRecordWithFlags cuEventSynchronize cuExternalMemoryGetMappedBuffer
    cuExternalMemoryGetMappedMipmappedArray cuFlushGPUDirectRDMAWrites cuFuncGetAttribute cuFuncGetModule
    cuFuncSetAttribute cuFuncSetBlockShape cuFuncSetCacheConfig cuFuncSetSharedMemConfig cuFuncSetSharedSize
    cuGetErrorName cuGetErrorString cuGetExportTable cuGetProcAddress cuGraphAddChildGraphNode
    cuGraphAddDependencies cuGraphAddEmptyNode cuGraphAddEventRecordNode cuGraphAddEventWaitNode
    cuGraphAddExternalSemaphoresSignalNode cuGraphAddExternalSemaphoresWaitNode cuGraphAddHostNode
    cuGraphAddKernelNode cuGraphAddMemAllocNode cuGraphAddMemFreeNode cuGraphAddMemcpyNode cuGraphAddMemsetNode
    cuGraphChildGraphNodeGetGraph cuGraphClone cuGraphCreate cuGraphDebugDotPrint cuGraphDestroy
    cuGraphDestroyNode cuGraphEventRecordNodeGetEvent cuGraphEventRecordNodeSetEvent
    cuGraphEventWaitNodeGetEvent cuGraphEventWaitNodeSetEvent cuGraphExecChildGraphNodeSetParams
    cuGraphExecDestroy cuGraphExecEventRecordNodeSetEvent cuGraphExecEventWaitNodeSetEvent
    cuGraphExecExternalSemaphoresSignalNodeSetParams cuGraphExecExternalSemaphoresWaitNodeSetParams
    cuGraphExecHostNodeSetParams cuGraphExecKernelNodeSetParams cuGraphExecMemcpyNodeSetParams
    cuGraphExecMemsetNodeSetParams cuGraphExecUpdate cuGraphExternalSemaphoresSignalNodeGetParams
    cuGraphExternalSemaphoresSignalNodeSetParams cuGraphExternalSemaphoresWaitNodeGetParams
    cuGraphExternalSemaphoresWaitNodeSetParams cuGraphGetEdges cuGraphGetNodes cuGraphGetRootNodes
    cuGraphHostNodeGetParams cuGraphHostNodeSetParams cuGraphInstantiateWithFlags cuGraphInstantiate_v2
    cuGraphKernelNodeCopyAttributes cuGraphKernelNodeGetAttribute cuGraphKernelNodeGetParams
    cuGraphKernelNodeSetAttribute cuGraphKernelNodeSetParams cuGraphLaunch cuGraphMemAllocNodeGetParams
    cuGraphMemFreeNodeGetParams cuGraphMemcpyNodeGetParams cuGraphMemcpyNodeSetParams cuGraphMemsetNodeGetParams
    cuGraphMemsetNodeSetParams cuGraphNodeFindInClone cuGraphNodeGetDependencies cuGraphNodeGetDependentNodes
    cuGraphNodeGetType cuGraphReleaseUserObject cuGraphRemoveDependencies cuGraphRetainUserObject cuGraphUpload
    cuGraphicsMapResources cuGraphicsResourceGetMappedMipmappedArray cuGraphicsResourceGetMappedPointer_v2
    cuGraphicsResourceSetMapFlags_v2 cuGraphicsSubResourceGetMappedArray cuGraphicsUnmapResources
    cuGraphicsUnregisterResource cuImportExternalMemory cuImportExternalSemaphore cuInit cuIpcCloseMemHandle
    cuIpcGetEventHandle cuIpcGetMemHandle cuIpcOpenEventHandle cuIpcOpenMemHandle_v2 cuLaunch
    cuLaunchCooperativeKernel cuLaunchCooperativeKernelMultiDevice cuLaunchGrid cuLaunchGridAsync
    cuLaunchHostFunc cuLaunchKernel cuLinkAddData_v2 cuLinkAddFile_v2 cuLinkComplete cuLinkCreate_v2
    cuLinkDestroy cuMemAddressFree cuMemAddressReserve cuMemAdvise cuMemAllocAsync cuMemAllocFromPoolAsync
    cuMemAllocHost_v2 cuMemAllocManaged cuMemAllocPitch_v2 cuMemAlloc_v2 cuMemCreate
    cuMemExportToShareableHandle cuMemFreeAsync cuMemFreeHost cuMemFree_v2 cuMemGetAccess
    cuMemGetAddressRange_v2 cuMemGetAllocationGranularity cuMemGetAllocationPropertiesFromHandle cuMemGetInfo_v2
    cuMemHostAlloc cuMemHostGetDevicePointer_v2 cuMemHostGetFlags cuMemHostRegister_v2 cuMemHostUnregister
    cuMemImportFromShareableHandle cuMemMap cuMemMapArrayAsync cuMemPoolCreate cuMemPoolDestroy
    cuMemPoolExportPointer cuMemPoolExportToShareableHandle cuMemPoolGetAccess cuMemPoolGetAttribute
    cuMemPoolImportFromShareableHandle cuMemPoolImportPointer cuMemPoolSetAccess cuMemPoolSetAttribute
    cuMemPoolTrimTo cuMemPrefetchAsync cuMemRangeGetAttribute cuMemRangeGetAttributes cuMemRelease
    cuMemRetainAllocationHandle cuMemSetAccess cuMemUnmap cuMemcpy cuMemcpy2DAsync_v2 cuMemcpy2DUnaligned_v2
    cuMemcpy2D_v2 cuMemcpy3DAsync_v2 cuMemcpy3DPeer cuMemcpy3DPeerAsync cuMemcpy3D_v2 cuMemcpyAsync
    cuMemcpyAtoA_v2 cuMemcpyAtoD_v2 cuMemcpyAtoHAsync_v2 cuMemcpyAtoH_v2 cuMemcpyDtoA_v2 cuMemcpyDtoDAsync_v2
    cuMemcpyDtoD_v2 cuMemcpyDtoHAsync_v2 cuMemcpyDtoH_v2 cuMemcpyHtoAAsync_v2 cuMemcpyHtoA_v2
    cuMemcpyHtoDAsync_v2 cuMemcpyHtoD_v2 cuMemcpyPeer cuMemcpyPeerAsync cuMemsetD16Async cuMemsetD16_v2
    cuMemsetD2D16Async cuMemsetD2D16_v2 cuMemsetD2D32Async cuMemsetD2D32_v2 cuMemsetD2D8Async cuMemsetD2D8_v2
    cuMemsetD32Async cuMemsetD32_v2 cuMemsetD8Async cuMemsetD8_v2 cuMipmappedArrayCreate cuMipmappedArrayDestroy
    cuMipmappedArrayGetLevel cuMipmappedArrayGetSparseProperties cuModuleGetFunction cuModuleGetGlobal_v2
    cuModuleGetSurfRef cuModuleGetTexRef cuModuleLoad cuModuleLoadData cuModuleLoadDataEx cuModuleLoadFatBinary
    cuModuleUnload cuOccupancyAvailableDynamicSMemPerBlock cuOccupancyMaxActiveBlocksPerMultiprocessor
    cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags cuOccupancyMaxPotentialBlockSize
    cuOccupancyMaxPotentialBlockSizeWithFlags cuParamSetSize cuParamSetTexRef cuParamSetf cuParamSeti
    cuParamSetv cuPointerGetAttribute cuPointerGetAttributes cuPointerSetAttribute cuProfilerInitialize
    cuProfilerStart cuProfilerStop cuSignalExternalSemaphoresAsync cuStreamAddCallback cuStreamAttachMemAsync
    cuStreamBatchMemOp cuStreamBeginCapture_v2 cuStreamCopyAttributes cuStreamCreate cuStreamCreateWithPriority
    cuStreamDestroy_v2 cuStreamEndCapture cuStreamGetAttribute cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v2
    cuStreamGetCtx cuStreamGetFlags cuStreamGetPriority cuStreamIsCapturing cuStreamQuery cuStreamSetAttribute
    cuStreamSynchronize cuStreamUpdateCaptureDependencies cuStreamWaitEvent cuStreamWaitValue32
    cuStreamWaitValue64 cuStreamWriteValue32 cuStreamWriteValue64 cuSurfObjectCreate cuSurfObjectDestroy
    cuSurfObjectGetResourceDesc cuSurfRefGetArray cuSurfRefSetArray cuTexObjectCreate cuTexObjectDestroy
    cuTexObjectGetResourceDesc cuTexObjectGetResourceViewDesc cuTexObjectGetTextureDesc cuTexRefCreate
    cuTexRefDestroy cuTexRefGetAddressMode cuTexRefGetAddress_v2 cuTexRefGetArray cuTexRefGetBorderColor
    cuTexRefGetFilterMode cuTexRefGetFlags cuTexRefGetFormat cuTexRefGetMaxAnisotropy
    cuTexRefGetMipmapFilterMode cuTexRefGetMipmapLevelBias cuTexRefGetMipmapLevelClamp cuTexRefGetMipmappedArray
    cuTexRefSetAddress2D_v3 cuTexRefSetAddressMode cuTexRefSetAddress_v2 cuTexRefSetArray cuTexRefSetBorderColor
    cuTexRefSetFilterMode cuTexRefSetFlags cuTexRefSetFormat cuTexRefSetMaxAnisotropy
    cuTexRefSetMipmapFilterMode cuTexRefSetMipmapLevelBias cuTexRefSetMipmapLevelClamp cuTexRefSetMipmappedArray
    cuThreadExchangeStreamCaptureMode cuUserObjectCreate cuUserObjectRelease cuUserObjectRetain
    cuWaitExternalSemaphoresAsync
}

unsafe extern "C" {
    /// The slots, one for each of [`NAMES`].
    static numbra_cuda_slots: [AtomicPtr<c_void>; NAMES.len()];
}

/// Asks `find` for each entry point's address and puts it in its slot; one that is not found returns an error code from
/// now on. Returns how many were found.
///
/// # Safety
/// What `find` returns is the driver's function of that name, and stays loaded.
pub unsafe fn fill(mut find: impl FnMut(&str) -> Option<*mut c_void>) -> usize {
    // SAFETY: the slots are defined above, as many as there are names; all access to them is atomic, and the jumps load
    // aligned words.
    let slots = unsafe { &numbra_cuda_slots };
    let mut found = 0;
    for (slot, name) in slots.iter().zip(NAMES) {
        let entry = find(name);
        found += usize::from(entry.is_some());
        slot.store(
            entry.unwrap_or(not_in_driver as *mut c_void),
            Ordering::Release,
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" {
        fn cuInit(flags: u32) -> c_int;
        fn cuDriverGetVersion(version: *mut c_int) -> c_int;
    }

    extern "C" fn eleven(flags: u32) -> c_int {
        flags as c_int + 11
    }

    /// One test, because slots are of the process.
    #[test]
    fn an_entry_goes_where_its_slot_says() {
        // SAFETY: the slots hold functions without arguments or with these.
        unsafe {
            assert_eq!(cuInit(0), NOT_INITIALIZED);
            let found = fill(|name| (name == "cuInit").then_some(eleven as *mut c_void));
            assert_eq!(found, 1);
            assert_eq!(cuInit(2), 13);
            assert_eq!(cuDriverGetVersion(core::ptr::null_mut()), NOT_SUPPORTED);
        }
    }
}
