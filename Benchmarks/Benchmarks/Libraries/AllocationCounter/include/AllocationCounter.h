#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>

/// Whether this program counts: on Linux with glibc only, where the functions of an executable come before those of the
/// libraries it loads.
bool allocation_counter_is_available(void);

/// Counts from zero, on all threads, until allocation_counter_stop.
void allocation_counter_start(void);

/// The blocks that were asked for since allocation_counter_start: malloc, calloc, realloc and the aligned ones.
long allocation_counter_stop(void);

#endif
