"""The CUDA driver: devices, contexts, memory, streams, modules and device arrays."""
