// A CUDA driver without a GPU: memory of devices is memory of the host, copies are done at once, kernels are recorded.
//
// The tests build it as libcuda.so.1. It checks what a real driver would crash on: a stream, event, module or address that
// is not there ends the process. Settings from the environment:
//
//   FAKE_CUDA_DEVICES=n    number of devices (1)
//   FAKE_CUDA_MEMORY=n     bytes of memory of each (1 GiB)
//   FAKE_CUDA_INIT=code    what cuInit returns (0)
//   FAKE_CUDA_CC=a.b,c.d   compute capability of each device, the last of all further ones (9.0)
//
// Tests also load it themselves and call the fake_* functions.

#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NOT_INITIALIZED = 3,
    NO_DEVICE = 100,
    INVALID_DEVICE = 101,
    INVALID_IMAGE = 200,
    INVALID_CONTEXT = 201,
    INVALID_PTX = 218,
    NOT_FOUND = 500,
    NOT_READY = 600,
    CONTEXT_IS_DESTROYED = 709,
};

// ---- calls: counted, and made to fail

struct call {
    const char *name;
    long count;
    int code;
    long times; // How often it still fails; -1 for always.
};

static struct call calls[128];
static int n_calls;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct call *call_of(const char *name) {
    for (int i = 0; i < n_calls; i++)
        if (!strcmp(calls[i].name, name)) return &calls[i];
    if (n_calls == 128) abort();
    calls[n_calls].name = strdup(name);
    return &calls[n_calls++];
}

static int process;

static int enter(const char *name) {
    pthread_mutex_lock(&lock);
    struct call *call = call_of(name);
    call->count++;
    int code = SUCCESS;
    if (call->times) {
        code = call->code;
        if (call->times > 0) call->times--;
    }
    pthread_mutex_unlock(&lock);
    if (code == SUCCESS && strcmp(name, "cuInit") && strcmp(name, "cuDriverGetVersion") && process != getpid())
        code = NOT_INITIALIZED;
    return code;
}

#define ENTER(name)                    \
    do {                               \
        int code_ = enter(name);       \
        if (code_) return code_;       \
    } while (0)

EXPORT long fake_count(const char *name) { return call_of(name)->count; }

EXPORT void fake_fail(const char *name, int code, long times) {
    call_of(name)->code = code;
    call_of(name)->times = times;
}

static void die(const char *what) {
    fprintf(stderr, "fake driver: %s\n", what);
    abort();
}

static long number(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text && *text ? strtol(text, NULL, 0) : otherwise;
}

// ---- things with handles

enum kind { ALLOCATION, HOST, REGISTERED, STREAM, EVENT, MODULE, FUNCTION, IPC, LINKER };

struct thing {
    enum kind kind;
    int device;
    uintptr_t address;
    size_t size;
    char *name;
    char *log; // Of a linker.
    struct thing *next;
};

static struct thing *things;

static struct thing *add(enum kind kind, int device, void *address, size_t size) {
    struct thing *thing = calloc(1, sizeof *thing);
    thing->kind = kind;
    thing->device = device;
    thing->address = address ? (uintptr_t)address : (uintptr_t)thing;
    thing->size = size;
    pthread_mutex_lock(&lock);
    thing->next = things;
    things = thing;
    pthread_mutex_unlock(&lock);
    return thing;
}

static struct thing *find(enum kind kind, uintptr_t address) {
    for (struct thing *thing = things; thing; thing = thing->next)
        if (thing->kind == kind && thing->address == address) return thing;
    return NULL;
}

static void drop(struct thing *gone) {
    pthread_mutex_lock(&lock);
    for (struct thing **at = &things; *at; at = &(*at)->next)
        if (*at == gone) {
            *at = gone->next;
            break;
        }
    pthread_mutex_unlock(&lock);
    if (gone->kind == ALLOCATION || gone->kind == HOST) free((void *)gone->address);
    free(gone->name);
    // Not freed: its address shall not be a handle again.
}

EXPORT long fake_alive(int kind) {
    long count = 0;
    for (struct thing *thing = things; thing; thing = thing->next) count += thing->kind == (enum kind)kind;
    return count;
}

static int is_memory(uintptr_t address, size_t size) {
    if (size == 0) return 1;
    for (struct thing *thing = things; thing; thing = thing->next)
        if (thing->kind <= REGISTERED && address >= thing->address && address + size <= thing->address + thing->size)
            return 1;
    return 0;
}

static void need(enum kind kind, uintptr_t handle, const char *what) {
    if (kind == STREAM && handle <= 2) return;
    if (!find(kind, handle)) die(what);
}

// ---- devices and contexts

struct context {
    int device;
    int retained;
};

static struct context primary[16];
static __thread struct context *stack[64];
static __thread int depth;

static struct context *current(void) { return depth ? stack[depth - 1] : NULL; }

#define CURRENT()                                       \
    do {                                                \
        if (!current()) return INVALID_CONTEXT;         \
        if (!current()->retained) return CONTEXT_IS_DESTROYED; \
    } while (0)

static int devices(void) { return (int)number("FAKE_CUDA_DEVICES", 1); }

#define DEVICE(device)                                  \
    do {                                                \
        if ((device) < 0 || (device) >= devices()) return INVALID_DEVICE; \
    } while (0)

EXPORT int cuInit(unsigned flags) {
    ENTER("cuInit");
    int code = (int)number("FAKE_CUDA_INIT", flags ? INVALID_VALUE : SUCCESS);
    if (code == SUCCESS && devices() == 0) code = NO_DEVICE;
    if (code == SUCCESS) process = getpid();
    return code;
}

EXPORT int cuDriverGetVersion(int *version) {
    ENTER("cuDriverGetVersion");
    *version = 12080;
    return SUCCESS;
}

EXPORT int cuGetErrorName(int code, const char **name) {
    static const struct {
        int code;
        const char *name;
    } names[] = {
        {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE"},
        {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
        {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED"},
        {NO_DEVICE, "CUDA_ERROR_NO_DEVICE"},
        {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE"},
        {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT"},
        {INVALID_PTX, "CUDA_ERROR_INVALID_PTX"},
        {NOT_FOUND, "CUDA_ERROR_NOT_FOUND"},
        {NOT_READY, "CUDA_ERROR_NOT_READY"},
        {CONTEXT_IS_DESTROYED, "CUDA_ERROR_CONTEXT_IS_DESTROYED"},
        {999, "CUDA_ERROR_UNKNOWN"},
        {4321, "CUDA_ERROR_OF_THE_FUTURE"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].code == code) {
            *name = names[i].name;
            return SUCCESS;
        }
    return INVALID_VALUE;
}

EXPORT int cuDeviceGetCount(int *count) {
    ENTER("cuDeviceGetCount");
    *count = devices();
    return SUCCESS;
}

EXPORT int cuDeviceGet(int *device, int ordinal) {
    ENTER("cuDeviceGet");
    DEVICE(ordinal);
    *device = ordinal;
    return SUCCESS;
}

EXPORT int cuDeviceGetName(char *name, int size, int device) {
    ENTER("cuDeviceGetName");
    DEVICE(device);
    snprintf(name, (size_t)size, "Fake GPU %d", device);
    return SUCCESS;
}

EXPORT int cuDeviceGetUuid(unsigned char *uuid, int device) {
    ENTER("cuDeviceGetUuid");
    DEVICE(device);
    for (int i = 0; i < 16; i++) uuid[i] = (unsigned char)(i * 16 + device);
    return SUCCESS;
}

static int capability(int device, int minor) {
    const char *text = getenv("FAKE_CUDA_CC");
    if (!text || !*text) text = "9.0";
    for (; device > 0 && strchr(text, ','); device--) text = strchr(text, ',') + 1;
    char *end;
    int major = (int)strtol(text, &end, 10);
    return minor ? (int)strtol(end + 1, NULL, 10) : major;
}

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device) {
    ENTER("cuDeviceGetAttribute");
    DEVICE(device);
    switch (attribute) {
    case 75: *value = capability(device, 0); return SUCCESS; // COMPUTE_CAPABILITY_MAJOR
    case 76: *value = capability(device, 1); return SUCCESS; // COMPUTE_CAPABILITY_MINOR
    case 16: *value = 132; return SUCCESS;             // MULTIPROCESSOR_COUNT
    case 10: *value = 32; return SUCCESS;              // WARP_SIZE
    case 1:                                            // MAX_THREADS_PER_BLOCK
    case 2:                                            // MAX_BLOCK_DIM_X
    case 3: *value = 1024; return SUCCESS;             // MAX_BLOCK_DIM_Y
    case 4: *value = 64; return SUCCESS;               // MAX_BLOCK_DIM_Z
    case 5: *value = 0x7fffffff; return SUCCESS;       // MAX_GRID_DIM_X
    case 6:                                            // MAX_GRID_DIM_Y
    case 7: *value = 65535; return SUCCESS;            // MAX_GRID_DIM_Z
    case 97: *value = 232448; return SUCCESS;          // MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
    case 19: *value = 1; return SUCCESS;               // CAN_MAP_HOST_MEMORY
    case 33: *value = device; return SUCCESS;          // PCI_BUS_ID
    case 87: *value = 2; return SUCCESS;               // SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO
    default: *value = 0; return attribute > 0 && attribute < 200 ? SUCCESS : INVALID_VALUE;
    }
}

EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device) {
    ENTER("cuDeviceTotalMem");
    DEVICE(device);
    *bytes = (size_t)number("FAKE_CUDA_MEMORY", 1 << 30);
    return SUCCESS;
}

EXPORT int cuDeviceCanAccessPeer(int *can, int device, int peer) {
    ENTER("cuDeviceCanAccessPeer");
    DEVICE(device);
    DEVICE(peer);
    *can = device != peer;
    return SUCCESS;
}

EXPORT int cuDevicePrimaryCtxRetain(struct context **context, int device) {
    ENTER("cuDevicePrimaryCtxRetain");
    DEVICE(device);
    primary[device].device = device;
    primary[device].retained++;
    *context = &primary[device];
    return SUCCESS;
}

EXPORT int cuDevicePrimaryCtxRelease_v2(int device) {
    ENTER("cuDevicePrimaryCtxRelease");
    DEVICE(device);
    if (!primary[device].retained) return INVALID_CONTEXT;
    primary[device].retained--;
    return SUCCESS;
}

EXPORT int cuDevicePrimaryCtxReset_v2(int device) {
    ENTER("cuDevicePrimaryCtxReset");
    DEVICE(device);
    primary[device].retained = 0;
    for (struct thing *thing = things, *next; thing; thing = next) {
        next = thing->next;
        if (thing->device == device) drop(thing);
    }
    return SUCCESS;
}

EXPORT int cuCtxPushCurrent_v2(struct context *context) {
    ENTER("cuCtxPushCurrent");
    if (context < primary || context >= primary + 16) die("no context of this address");
    if (!context->retained) return CONTEXT_IS_DESTROYED;
    stack[depth++] = context;
    return SUCCESS;
}

EXPORT int cuCtxPopCurrent_v2(struct context **context) {
    ENTER("cuCtxPopCurrent");
    if (!depth) return INVALID_CONTEXT;
    *context = stack[--depth];
    return SUCCESS;
}

EXPORT int cuCtxGetCurrent(struct context **context) {
    ENTER("cuCtxGetCurrent");
    *context = current();
    return SUCCESS;
}

EXPORT int cuCtxGetDevice(int *device) {
    ENTER("cuCtxGetDevice");
    CURRENT();
    *device = current()->device;
    return SUCCESS;
}

static pthread_t callbacks[256];
static int n_callbacks;

static void finish(void) {
    while (n_callbacks) pthread_join(callbacks[--n_callbacks], NULL);
}

EXPORT int cuCtxSynchronize(void) {
    ENTER("cuCtxSynchronize");
    CURRENT();
    finish();
    return SUCCESS;
}

EXPORT int cuCtxEnablePeerAccess(struct context *peer, unsigned flags) {
    ENTER("cuCtxEnablePeerAccess");
    CURRENT();
    return peer == current() || flags ? INVALID_VALUE : SUCCESS;
}

EXPORT int cuProfilerStart(void) {
    ENTER("cuProfilerStart");
    CURRENT();
    return SUCCESS;
}

EXPORT int cuProfilerStop(void) {
    ENTER("cuProfilerStop");
    CURRENT();
    return SUCCESS;
}

// ---- memory

static size_t used(int device) {
    size_t bytes = 0;
    for (struct thing *thing = things; thing; thing = thing->next)
        if (thing->kind == ALLOCATION && thing->device == device) bytes += thing->size;
    return bytes;
}

static int allocate(enum kind kind, uintptr_t *pointer, size_t size) {
    CURRENT();
    if (size == 0) return INVALID_VALUE;
    int device = current()->device;
    if (kind == ALLOCATION && used(device) + size > (size_t)number("FAKE_CUDA_MEMORY", 1 << 30)) return OUT_OF_MEMORY;
    void *memory = aligned_alloc(256, (size + 255) / 256 * 256);
    memset(memory, 0xA5, size);
    *pointer = add(kind, device, memory, size)->address;
    return SUCCESS;
}

static int release(enum kind kind, uintptr_t pointer) {
    CURRENT();
    struct thing *thing = find(kind, pointer);
    if (!thing) return INVALID_VALUE;
    drop(thing);
    return SUCCESS;
}

EXPORT int cuMemAlloc_v2(uintptr_t *pointer, size_t size) {
    ENTER("cuMemAlloc");
    return allocate(ALLOCATION, pointer, size);
}

EXPORT int cuMemAllocManaged(uintptr_t *pointer, size_t size, unsigned flags) {
    ENTER("cuMemAllocManaged");
    return flags == 1 || flags == 2 ? allocate(ALLOCATION, pointer, size) : INVALID_VALUE;
}

EXPORT int cuMemFree_v2(uintptr_t pointer) {
    ENTER("cuMemFree");
    return release(ALLOCATION, pointer);
}

EXPORT int cuMemHostAlloc(uintptr_t *pointer, size_t size, unsigned flags) {
    ENTER("cuMemHostAlloc");
    return flags > 7 ? INVALID_VALUE : allocate(HOST, pointer, size);
}

EXPORT int cuMemFreeHost(uintptr_t pointer) {
    ENTER("cuMemFreeHost");
    return release(HOST, pointer);
}

EXPORT int cuMemHostRegister_v2(uintptr_t pointer, size_t size, unsigned flags) {
    ENTER("cuMemHostRegister");
    CURRENT();
    (void)flags;
    if (find(REGISTERED, pointer)) return 712;
    add(REGISTERED, current()->device, (void *)pointer, size);
    return SUCCESS;
}

EXPORT int cuMemHostUnregister(uintptr_t pointer) {
    ENTER("cuMemHostUnregister");
    return release(REGISTERED, pointer);
}

EXPORT int cuMemHostGetDevicePointer_v2(uintptr_t *device, uintptr_t pointer, unsigned flags) {
    ENTER("cuMemHostGetDevicePointer");
    (void)flags;
    *device = pointer;
    return is_memory(pointer, 1) ? SUCCESS : INVALID_VALUE;
}

EXPORT int cuMemGetInfo_v2(size_t *free_bytes, size_t *total) {
    ENTER("cuMemGetInfo");
    CURRENT();
    *total = (size_t)number("FAKE_CUDA_MEMORY", 1 << 30);
    *free_bytes = *total - used(current()->device);
    return SUCCESS;
}

EXPORT int cuMemGetAddressRange_v2(uintptr_t *base, size_t *size, uintptr_t pointer) {
    ENTER("cuMemGetAddressRange");
    for (struct thing *thing = things; thing; thing = thing->next)
        if (thing->kind <= HOST && pointer >= thing->address && pointer < thing->address + thing->size) {
            *base = thing->address;
            *size = thing->size;
            return SUCCESS;
        }
    return NOT_FOUND;
}

EXPORT int cuPointerGetAttribute(void *data, int attribute, uintptr_t pointer) {
    ENTER("cuPointerGetAttribute");
    if (attribute != 3 || !is_memory(pointer, 1)) return INVALID_VALUE;
    memcpy(data, &pointer, sizeof pointer);
    return SUCCESS;
}

static int copy(uintptr_t to, uintptr_t from, size_t size, int device_to, int device_from) {
    CURRENT();
    if (device_to && !is_memory(to, size)) return INVALID_VALUE;
    if (device_from && !is_memory(from, size)) return INVALID_VALUE;
    memmove((void *)to, (void *)from, size);
    return SUCCESS;
}

#define COPIES(name, symbol, device_to, device_from)                                    \
    EXPORT int symbol##_v2(uintptr_t to, uintptr_t from, size_t size) {                  \
        ENTER(name);                                                                    \
        return copy(to, from, size, device_to, device_from);                            \
    }                                                                                   \
    EXPORT int symbol##Async_v2(uintptr_t to, uintptr_t from, size_t size, uintptr_t stream) { \
        ENTER(name "Async");                                                            \
        need(STREAM, stream, "a copy in a stream that is gone");                        \
        return copy(to, from, size, device_to, device_from);                            \
    }

COPIES("cuMemcpyHtoD", cuMemcpyHtoD, 1, 0)
COPIES("cuMemcpyDtoH", cuMemcpyDtoH, 0, 1)
COPIES("cuMemcpyDtoD", cuMemcpyDtoD, 1, 1)

static int set(uintptr_t to, unsigned char byte, size_t size) {
    CURRENT();
    if (!is_memory(to, size)) return INVALID_VALUE;
    memset((void *)to, byte, size);
    return SUCCESS;
}

EXPORT int cuMemsetD8_v2(uintptr_t to, unsigned char byte, size_t size) {
    ENTER("cuMemsetD8");
    return set(to, byte, size);
}

EXPORT int cuMemsetD8Async(uintptr_t to, unsigned char byte, size_t size, uintptr_t stream) {
    ENTER("cuMemsetD8Async");
    need(STREAM, stream, "a memset in a stream that is gone");
    return set(to, byte, size);
}

struct ipc {
    char bytes[64];
};

EXPORT int cuIpcGetMemHandle(struct ipc *handle, uintptr_t pointer) {
    ENTER("cuIpcGetMemHandle");
    if (!find(ALLOCATION, pointer)) return INVALID_VALUE;
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &pointer, sizeof pointer);
    return SUCCESS;
}

EXPORT int cuIpcOpenMemHandle_v2(uintptr_t *pointer, struct ipc handle, unsigned flags) {
    ENTER("cuIpcOpenMemHandle");
    CURRENT();
    (void)flags;
    memcpy(pointer, &handle, sizeof *pointer);
    if (!find(ALLOCATION, *pointer)) return INVALID_VALUE;
    add(IPC, current()->device, (void *)*pointer, 0);
    return SUCCESS;
}

EXPORT int cuIpcCloseMemHandle(uintptr_t pointer) {
    ENTER("cuIpcCloseMemHandle");
    return release(IPC, pointer);
}

// ---- streams and events

EXPORT int cuStreamCreate(uintptr_t *stream, unsigned flags) {
    ENTER("cuStreamCreate");
    CURRENT();
    if (flags > 1) return INVALID_VALUE;
    *stream = add(STREAM, current()->device, NULL, 0)->address;
    return SUCCESS;
}

EXPORT int cuStreamDestroy_v2(uintptr_t stream) {
    ENTER("cuStreamDestroy");
    CURRENT();
    need(STREAM, stream, "destroying a stream that is gone");
    return release(STREAM, stream);
}

EXPORT int cuStreamSynchronize(uintptr_t stream) {
    ENTER("cuStreamSynchronize");
    CURRENT();
    need(STREAM, stream, "synchronising a stream that is gone");
    finish();
    return SUCCESS;
}

// Of drivers whose default stream is each thread's own.
EXPORT int cuStreamSynchronize_ptsz(uintptr_t stream) {
    enter("cuStreamSynchronize_ptsz");
    return cuStreamSynchronize(stream);
}

EXPORT int cuMemcpyDtoH_v2_ptds(uintptr_t to, uintptr_t from, size_t size) {
    enter("cuMemcpyDtoH_ptds");
    return cuMemcpyDtoH_v2(to, from, size);
}

EXPORT int cuStreamQuery(uintptr_t stream) {
    ENTER("cuStreamQuery");
    need(STREAM, stream, "asking a stream that is gone");
    return SUCCESS;
}

EXPORT int cuStreamWaitEvent(uintptr_t stream, uintptr_t event, unsigned flags) {
    ENTER("cuStreamWaitEvent");
    need(STREAM, stream, "waiting in a stream that is gone");
    need(EVENT, event, "waiting for an event that is gone");
    return flags ? INVALID_VALUE : SUCCESS;
}

typedef void (*stream_callback)(uintptr_t stream, int status, void *data);

struct callback {
    stream_callback function;
    uintptr_t stream;
    void *data;
};

// What the driver holds while it calls back, and needs for launches and events.
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;

static void *run_callback(void *given) {
    struct callback callback = *(struct callback *)given;
    free(given);
    pthread_mutex_lock(&queue);
    callback.function(callback.stream, SUCCESS, callback.data);
    pthread_mutex_unlock(&queue);
    return NULL;
}

static void wait_for_queue(void) {
    pthread_mutex_lock(&queue);
    pthread_mutex_unlock(&queue);
}

EXPORT int cuStreamAddCallback(uintptr_t stream, stream_callback function, void *data, unsigned flags) {
    ENTER("cuStreamAddCallback");
    CURRENT();
    need(STREAM, stream, "a callback in a stream that is gone");
    if (flags || n_callbacks == 256) return INVALID_VALUE;
    struct callback *callback = malloc(sizeof *callback);
    *callback = (struct callback){function, stream, data};
    return pthread_create(&callbacks[n_callbacks++], NULL, run_callback, callback) ? 999 : SUCCESS;
}

EXPORT int cuEventCreate(uintptr_t *event, unsigned flags) {
    ENTER("cuEventCreate");
    CURRENT();
    *event = add(EVENT, current()->device, NULL, flags)->address;
    return SUCCESS;
}

EXPORT int cuEventDestroy_v2(uintptr_t event) {
    ENTER("cuEventDestroy");
    need(EVENT, event, "destroying an event that is gone");
    return release(EVENT, event);
}

EXPORT int cuEventRecord(uintptr_t event, uintptr_t stream) {
    ENTER("cuEventRecord");
    need(EVENT, event, "recording an event that is gone");
    need(STREAM, stream, "recording in a stream that is gone");
    wait_for_queue();
    return SUCCESS;
}

EXPORT int cuEventQuery(uintptr_t event) {
    ENTER("cuEventQuery");
    need(EVENT, event, "asking an event that is gone");
    return SUCCESS;
}

EXPORT int cuEventSynchronize(uintptr_t event) {
    ENTER("cuEventSynchronize");
    need(EVENT, event, "waiting for an event that is gone");
    return SUCCESS;
}

EXPORT int cuEventElapsedTime(float *milliseconds, uintptr_t start, uintptr_t end) {
    ENTER("cuEventElapsedTime");
    need(EVENT, start, "timing an event that is gone");
    need(EVENT, end, "timing an event that is gone");
    *milliseconds = 1.5f;
    return SUCCESS;
}

// ---- modules and launches

EXPORT int cuModuleLoadDataEx(uintptr_t *module, const char *image, unsigned count, int *keys, void **values) {
    ENTER("cuModuleLoadDataEx");
    CURRENT();
    size_t room = 0;
    char *log = NULL;
    for (unsigned i = 0; i < count; i++) {
        if (keys[i] == 5) log = values[i];
        if (keys[i] == 6) room = (size_t)values[i];
    }
    if (!strncmp(image, "wrong", 5)) {
        if (log) snprintf(log, room, "ptxas fatal: wrong is no PTX");
        return INVALID_PTX;
    }
    struct thing *loaded = add(MODULE, current()->device, NULL, 0);
    loaded->name = strdup(image);
    *module = loaded->address;
    return SUCCESS;
}

EXPORT int cuModuleUnload(uintptr_t module) {
    ENTER("cuModuleUnload");
    need(MODULE, module, "unloading a module that is gone");
    return release(MODULE, module);
}

// A function is there if the image has its name.
EXPORT int cuModuleGetFunction(uintptr_t *function, uintptr_t module, const char *name) {
    ENTER("cuModuleGetFunction");
    need(MODULE, module, "a function of a module that is gone");
    if (!strstr(find(MODULE, module)->name, name)) return NOT_FOUND;
    struct thing *found = add(FUNCTION, find(MODULE, module)->device, NULL, 0);
    found->name = strdup(name);
    *function = found->address;
    return SUCCESS;
}

EXPORT int cuModuleGetGlobal_v2(uintptr_t *pointer, size_t *size, uintptr_t module, const char *name) {
    ENTER("cuModuleGetGlobal");
    need(MODULE, module, "a global of a module that is gone");
    if (!strstr(find(MODULE, module)->name, name)) return NOT_FOUND;
    // Zeros, as what a kernel notes its exceptions in.
    *size = 32;
    int code = allocate(ALLOCATION, pointer, *size);
    if (code == SUCCESS) memset((void *)*pointer, 0, *size);
    return code;
}

EXPORT int cuFuncGetAttribute(int *value, int attribute, uintptr_t function) {
    ENTER("cuFuncGetAttribute");
    need(FUNCTION, function, "an attribute of a function that is gone");
    *value = attribute == 0 ? 1024 : attribute * 8;
    return SUCCESS;
}

static int carveout = -2;

EXPORT int fake_carveout(void) { return carveout; }

EXPORT int cuFuncSetAttribute(uintptr_t function, int attribute, int value) {
    ENTER("cuFuncSetAttribute");
    need(FUNCTION, function, "an attribute of a function that is gone");
    if (attribute == 8) { // MAX_DYNAMIC_SHARED_SIZE_BYTES
        if (value < 0 || value > 232448) return INVALID_VALUE;
        find(FUNCTION, function)->size = (size_t)value;
    }
    if (attribute == 9) carveout = value;
    return SUCCESS;
}

EXPORT int cuFuncSetCacheConfig(uintptr_t function, int preference) {
    ENTER("cuFuncSetCacheConfig");
    need(FUNCTION, function, "configuring a function that is gone");
    return preference < 0 || preference > 3 ? INVALID_VALUE : SUCCESS;
}

EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, uintptr_t function, int size, size_t shared,
                                                                unsigned flags) {
    ENTER("cuOccupancyMaxActiveBlocksPerMultiprocessor");
    need(FUNCTION, function, "occupancy of a function that is gone");
    (void)shared, (void)flags;
    *blocks = size > 0 ? 2048 / size : 0;
    return size > 0 ? SUCCESS : INVALID_VALUE;
}

EXPORT int cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, uintptr_t function, void *shared_of,
                                                     size_t shared, int limit, unsigned flags) {
    ENTER("cuOccupancyMaxPotentialBlockSize");
    need(FUNCTION, function, "occupancy of a function that is gone");
    (void)shared_of, (void)shared, (void)flags;
    *grid = 132;
    *block = limit && limit < 256 ? limit : 256;
    return SUCCESS;
}

// What is linked is the pieces, one after the other.
EXPORT int cuLinkCreate_v2(unsigned count, int *keys, void **values, uintptr_t *state) {
    ENTER("cuLinkCreate");
    CURRENT();
    struct thing *linker = add(LINKER, current()->device, NULL, 0);
    linker->name = calloc(1, 1 << 16);
    for (unsigned i = 0; i < count; i++)
        if (keys[i] == 5) linker->log = values[i];
    *state = linker->address;
    return SUCCESS;
}

EXPORT int cuLinkAddData_v2(uintptr_t state, int type, const char *data, size_t size, const char *name, unsigned count,
                            int *keys, void **values) {
    ENTER("cuLinkAddData");
    need(LINKER, state, "adding to a linker that is gone");
    (void)count, (void)keys, (void)values;
    struct thing *linker = find(LINKER, state);
    if (size && !strncmp(data, "wrong", 5)) {
        if (linker->log) sprintf(linker->log, "error: %s is wrong", name);
        return INVALID_PTX;
    }
    if (type == 1 && (!size || data[size - 1])) die("PTX to link that does not end in NUL");
    size_t used = strlen(linker->name);
    snprintf(linker->name + used, (1 << 16) - used, "%d:%s\n", type, data);
    return SUCCESS;
}

EXPORT int cuLinkComplete(uintptr_t state, const char **image, size_t *size) {
    ENTER("cuLinkComplete");
    need(LINKER, state, "completing a linker that is gone");
    *image = find(LINKER, state)->name;
    *size = strlen(*image);
    return SUCCESS;
}

EXPORT int cuLinkDestroy(uintptr_t state) {
    ENTER("cuLinkDestroy");
    need(LINKER, state, "destroying a linker that is gone");
    return release(LINKER, state);
}

static struct launch {
    unsigned grid[3], block[3], shared;
    uintptr_t stream;
    int cooperative;
    char name[64];
} last;

EXPORT struct launch *fake_last_launch(void) { return &last; }

// The first parameters of the next launch, eight bytes each.
static struct {
    int count;
    uint64_t words[32];
} watched;

EXPORT void fake_watch(int count) { watched.count = count; }
EXPORT uint64_t *fake_watched(void) { return watched.words; }

static void watch(void **params) {
    for (int i = 0; i < watched.count; i++) memcpy(&watched.words[i], params[i], 8);
    watched.count = 0;
}

static int launch(uintptr_t function, const unsigned *sizes, unsigned shared, uintptr_t stream, int cooperative) {
    CURRENT();
    need(FUNCTION, function, "launching a function that is gone");
    need(STREAM, stream, "launching in a stream that is gone");
    wait_for_queue();
    for (int i = 0; i < 6; i++)
        if (!sizes[i]) return INVALID_VALUE;
    if (shared > 48 << 10 && shared > find(FUNCTION, function)->size) return INVALID_VALUE;
    memcpy(last.grid, sizes, sizeof last.grid);
    memcpy(last.block, sizes + 3, sizeof last.block);
    last.shared = shared;
    last.stream = stream;
    last.cooperative = cooperative;
    snprintf(last.name, sizeof last.name, "%s", find(FUNCTION, function)->name);
    return SUCCESS;
}

EXPORT int cuLaunchKernel(uintptr_t function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                          unsigned bz, unsigned shared, uintptr_t stream, void **params, void **extra) {
    ENTER("cuLaunchKernel");
    (void)extra;
    watch(params);
    return launch(function, (unsigned[]){gx, gy, gz, bx, by, bz}, shared, stream, 0);
}

EXPORT int cuLaunchCooperativeKernel(uintptr_t function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                     unsigned bz, unsigned shared, uintptr_t stream, void **params) {
    ENTER("cuLaunchCooperativeKernel");
    (void)params;
    return launch(function, (unsigned[]){gx, gy, gz, bx, by, bz}, shared, stream, 1);
}
