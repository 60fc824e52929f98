/* Preloaded: the nth call finds no memory. */
#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static long calls_left = -1;
static int failed = 0;

/* The next n calls get memory, the one behind them does not. */
void fail_after(long n) {
    calls_left = n;
    failed = 0;
}

/* All calls get memory again; whether there was one that did not. */
int stop_failing(void) {
    calls_left = -1;
    return failed;
}

static int fails(void) {
    if (calls_left < 0 || calls_left-- > 0)
        return 0;
    failed = 1;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fails() ? NULL : __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }

int posix_memalign(void **place, size_t alignment, size_t size) {
    if (fails())
        return ENOMEM;
    *place = __libc_memalign(alignment, size);
    return *place ? 0 : ENOMEM;
}
