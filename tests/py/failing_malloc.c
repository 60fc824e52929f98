/* Preloaded: from the nth call on there is no memory. */
#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static long calls_left = -1;

/* The next n calls get memory, those behind them none; n < 0: all do. */
void fail_after(long n) { calls_left = n; }

/* How many of the calls that would have got memory were not made: 0 if there may have been some that did not. */
long stop_failing(void) {
    long left = calls_left;
    calls_left = -1;
    return left;
}

static int fails(void) {
    if (calls_left < 0)
        return 0;
    if (calls_left == 0) {
        errno = ENOMEM;
        return 1;
    }
    calls_left--;
    return 0;
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
