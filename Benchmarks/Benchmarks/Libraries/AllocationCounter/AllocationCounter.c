#include "AllocationCounter.h"

// First, because it says which C library this is.
#include <stdlib.h>

#if defined(__linux__) && defined(__GLIBC__)

#include <errno.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Atomic bool is_counting;
static _Atomic long count;

// Costs a load and a branch while nothing is counted, so that peers which allocate are measured as they are.
static void note(void) {
  if (__builtin_expect(__c11_atomic_load(&is_counting, __ATOMIC_RELAXED), 0)) {
    __c11_atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  }
}

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t blocks, size_t size) {
  note();
  return __libc_calloc(blocks, size);
}

void *realloc(void *block, size_t size) {
  note();
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  note();
  void *memory = __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *block = memory;
  return 0;
}

bool allocation_counter_is_available(void) { return true; }

void allocation_counter_start(void) {
  __c11_atomic_store(&count, 0, __ATOMIC_SEQ_CST);
  __c11_atomic_store(&is_counting, true, __ATOMIC_SEQ_CST);
}

long allocation_counter_stop(void) {
  __c11_atomic_store(&is_counting, false, __ATOMIC_SEQ_CST);
  return __c11_atomic_load(&count, __ATOMIC_SEQ_CST);
}

#else

bool allocation_counter_is_available(void) { return false; }

void allocation_counter_start(void) {}

long allocation_counter_stop(void) { return 0; }

#endif
