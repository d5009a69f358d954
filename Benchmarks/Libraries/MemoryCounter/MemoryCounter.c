#include "MemoryCounter.h"

// First, because it says which C library this is.
#include <stdlib.h>

#if defined(__linux__) && defined(__GLIBC__)

#include <errno.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

extern void __libc_free(void *block);

static _Atomic bool is_counting;

// The blocks that were asked for since the start and not given back, by address: a hash table with open addressing.
enum { places = 1 << 20 };
static struct {
  void *block;
  size_t size;
} live[places];
static void *const left = (void *)1;
static long live_blocks;
static long live_bytes;
static _Atomic bool is_locked;

static void lock(void) {
  while (__c11_atomic_exchange(&is_locked, true, __ATOMIC_ACQUIRE)) {
  }
}

static void unlock(void) { __c11_atomic_store(&is_locked, false, __ATOMIC_RELEASE); }

static size_t place(void *block) { return ((size_t)block >> 4) * 0x9E3779B97F4A7C15u >> 44; }

static void keep(void *block, size_t size) {
  lock();
  // A table that is half full keeps no more, so a search ends.
  if (live_blocks < places / 2) {
    size_t index = place(block);
    while (live[index].block != NULL && live[index].block != left) index = (index + 1) % places;
    live[index].block = block;
    live[index].size = size;
    live_blocks += 1;
    live_bytes += (long)size;
  }
  unlock();
}

static void forget(void *block) {
  lock();
  for (size_t index = place(block); live[index].block != NULL; index = (index + 1) % places) {
    if (live[index].block != block) continue;
    live[index].block = left;
    live_blocks -= 1;
    live_bytes -= (long)live[index].size;
    break;
  }
  unlock();
}

// A load and a branch while nothing is counted, so that peers which allocate are measured as they are.
static bool counts(void *block) {
  return __builtin_expect(__c11_atomic_load(&is_counting, __ATOMIC_RELAXED), 0) && block != NULL;
}

static void *note(void *block, size_t size) {
  if (counts(block)) keep(block, size);
  return block;
}

void *malloc(size_t size) { return note(__libc_malloc(size), size); }

void *calloc(size_t blocks, size_t size) { return note(__libc_calloc(blocks, size), blocks * size); }

void *realloc(void *block, size_t size) {
  if (counts(block)) forget(block);
  return note(__libc_realloc(block, size), size);
}

void *memalign(size_t alignment, size_t size) { return note(__libc_memalign(alignment, size), size); }

void *aligned_alloc(size_t alignment, size_t size) { return note(__libc_memalign(alignment, size), size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  void *memory = note(__libc_memalign(alignment, size), size);
  if (memory == NULL) return ENOMEM;
  *block = memory;
  return 0;
}

void free(void *block) {
  if (counts(block)) forget(block);
  __libc_free(block);
}

bool memory_counter_is_available(void) { return true; }

void memory_counter_start(void) {
  lock();
  for (size_t index = 0; index < places; index += 1) live[index].block = NULL;
  live_blocks = 0;
  live_bytes = 0;
  unlock();
  __c11_atomic_store(&is_counting, true, __ATOMIC_SEQ_CST);
}

long memory_counter_stop(void) {
  __c11_atomic_store(&is_counting, false, __ATOMIC_SEQ_CST);
  return live_bytes;
}

#else

bool memory_counter_is_available(void) { return false; }

void memory_counter_start(void) {}

long memory_counter_stop(void) { return 0; }

#endif
