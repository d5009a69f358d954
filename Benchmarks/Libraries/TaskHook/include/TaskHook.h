#ifndef RASP_TASK_HOOK_H
#define RASP_TASK_HOOK_H

/// Has all tasks that become ready handed to a function, in the place of the pool of threads; `NULL` ends that.
void task_hook_take(void (*_Nullable take)(void *_Nonnull job));

/// Runs a job on this thread, where no actor is.
void task_hook_run(void *_Nonnull job);

/// Runs what waits for the main actor, as a run loop does.
void task_hook_drain_main_queue(void);

#endif
