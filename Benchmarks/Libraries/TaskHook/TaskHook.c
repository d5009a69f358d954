#include "TaskHook.h"

#include <stddef.h>

/* What the runtime asks for jobs that belong to no actor, if it is set. */
extern void *swift_task_enqueueGlobal_hook;
__attribute__((swiftcall)) extern void swift_job_run(void *job, void *executor, void *implementation);
extern void _dispatch_main_queue_callback_4CF(void *message);

static void (*take_job)(void *job);

__attribute__((swiftcall)) static void hook(void *job, void *original) { take_job(job); }

void task_hook_take(void (*take)(void *job)) {
  take_job = take;
  swift_task_enqueueGlobal_hook = take ? (void *)hook : NULL;
}

/* The executor is two words, which are zero where no actor is. */
void task_hook_run(void *job) { swift_job_run(job, NULL, NULL); }

void task_hook_drain_main_queue(void) { _dispatch_main_queue_callback_4CF(NULL); }
