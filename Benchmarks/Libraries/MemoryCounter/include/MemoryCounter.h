#ifndef MEMORY_COUNTER_H
#define MEMORY_COUNTER_H

#include <stdbool.h>

/// Whether this program counts: on Linux with glibc only, where the functions of an executable come before those of the
/// libraries it loads.
bool memory_counter_is_available(void);

/// Keeps a list of the blocks that are asked for and not given back: malloc, calloc, realloc and the aligned ones.
void memory_counter_start(void);

/// Ends that, and returns what was asked for with the blocks that have not been given back, in bytes. What the C library
/// adds to each block is not counted.
long memory_counter_stop(void);

#endif
