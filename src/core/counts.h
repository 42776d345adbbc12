/* SPDX-License-Identifier: MIT */
/*
 * Shader counters on their way from a backend to the app: the counts of every judged frame that
 * waits, and the figures of every series. The wasm build leaves this out: web/wasm/no_counts.c.
 */
#ifndef PASSTIME_CORE_COUNTS_H
#define PASSTIME_CORE_COUNTS_H

#include "core/context.h"

/* Of an entry that is given up: which passes took counters that are now lost. Not under
 * results_lock, as the backend is asked. */
void passtime_counts_ask(passtime *t, uint32_t entry, struct passtime_raw *raw);
/* Enters the counts of a judged frame, whose samples still stand at the numbers of their pairs.
 * Under results_lock. */
void passtime_counts_enter(passtime *t, const struct passtime_raw *raw,
                           const struct passtime_output *output);
/* The context ends: frees what its counters took. */
void passtime_counts_finish(passtime *t);

#endif
