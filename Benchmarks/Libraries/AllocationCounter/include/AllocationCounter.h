#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>

/// Whether this program counts: on Linux with glibc only, where the functions of an executable come before those of the
/// libraries it loads.
bool allocation_counter_is_available(void);

/// From now on, what the thread that calls asks for is not counted.
void allocation_counter_leave_out_this_thread(void);

/// Counts from zero, on all other threads, until allocation_counter_stop.
void allocation_counter_start(void);

/// The blocks that were asked for since allocation_counter_start: malloc, calloc, realloc and the aligned ones.
long allocation_counter_stop(void);

/// As allocation_counter_start, and keeps a list of the blocks that have not been given back, which costs time.
void allocation_counter_start_tracking(void);

/// The blocks that were asked for since allocation_counter_start_tracking and not given back before allocation_counter_stop.
long allocation_counter_live_blocks(void);

/// What was asked for with them, in bytes; what the C library adds to each block is not counted.
long allocation_counter_live_bytes(void);

#endif
