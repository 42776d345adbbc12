/* SPDX-License-Identifier: MIT */
/*
 * The CPU backend: a clock around recording and submission, for machines and apps without GPU
 * stamps. What it gives is labelled CPU_RECORD or CPU_COMPLETE and is never GPU time.
 */
#ifndef PASSTIME_CPU_H
#define PASSTIME_CPU_H

#include <passtime/passtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a context whose passes are timed by desc->clock: passtime_begin/end give CPU_RECORD
 * samples. `desc` may be NULL for all defaults. On failure *t is NULL. */
PASSTIME_API passtime_result passtime_create_cpu(const passtime_desc *desc, passtime **t);

/* Says that the GPU has finished all that was submitted for frame `number`: adds one CPU_COMPLETE
 * sample, "(submission)", from passtime_frame_end() to now. Optional; call it before the frame is
 * collected, or pass wait_for_completion below. Any thread. */
PASSTIME_API void passtime_cpu_completed(passtime *t, uint64_t number);
/* With true, frames stay in flight until passtime_cpu_completed() is called for them. Default
 * false. */
PASSTIME_API void passtime_cpu_wait_for_completion(passtime *t, bool wait);

#ifdef __cplusplus
}
#endif

#endif
