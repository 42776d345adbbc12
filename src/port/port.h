/* SPDX-License-Identifier: MIT */
/*
 * What Passtime asks of the operating system. Each platform is one file here (posix.c, windows.c,
 * wasm.c), and nothing outside this folder tests for an OS.
 */
#ifndef PASSTIME_PORT_PORT_H
#define PASSTIME_PORT_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Large enough for any platform's mutex, so that a lock needs no memory of its own. */
struct passtime_lock {
    _Alignas(16) unsigned char space[64];
};

/* A monotonic clock in nanoseconds. Never fails; 0 where the platform has none. */
uint64_t passtime_port_now_ns(void);

/* The number of this process; 1 where the platform has none. */
int32_t passtime_port_process_id(void);

/* Memory aligned as malloc's, or NULL. */
void *passtime_port_allocate(size_t bytes);
void passtime_port_free(void *memory);

/* False: the platform could not make a lock. */
bool passtime_lock_init(struct passtime_lock *lock);
void passtime_lock_finish(struct passtime_lock *lock);
/* Waits for the lock. Held briefly by Passtime only; never held while the app's code runs, but for
 * its log function. */
void passtime_lock_take(struct passtime_lock *lock);
/* Takes the lock if it is free. */
bool passtime_lock_try(struct passtime_lock *lock);
void passtime_lock_give(struct passtime_lock *lock);

#endif
