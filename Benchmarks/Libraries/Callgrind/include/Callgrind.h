#ifndef RASP_CALLGRIND_H
#define RASP_CALLGRIND_H

#include <stdbool.h>

/// Whether requests reach callgrind: the program runs under valgrind, and was built where valgrind's headers are.
bool callgrind_is_counting(void);

/// Forgets what was counted so far.
void callgrind_forget(void);

/// Writes what was counted since `callgrind_forget` to a file of its own, which carries the name.
void callgrind_write(const char *name);

#endif
