/* SPDX-License-Identifier: MIT */
/* Linux, macOS and other POSIX systems. */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "port/port.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(pthread_mutex_t) <= sizeof(struct passtime_lock),
               "the lock's space is too small");

uint64_t passtime_port_now_ns(void)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int32_t passtime_port_process_id(void)
{
    return (int32_t)getpid();
}

void *passtime_port_allocate(size_t bytes)
{
    return malloc(bytes);
}

void passtime_port_free(void *memory)
{
    free(memory);
}

static pthread_mutex_t *mutex_of(struct passtime_lock *lock)
{
    return (pthread_mutex_t *)(void *)lock->space;
}

bool passtime_lock_init(struct passtime_lock *lock)
{
    return pthread_mutex_init(mutex_of(lock), NULL) == 0;
}

void passtime_lock_finish(struct passtime_lock *lock)
{
    (void)pthread_mutex_destroy(mutex_of(lock));
}

void passtime_lock_take(struct passtime_lock *lock)
{
    (void)pthread_mutex_lock(mutex_of(lock));
}

bool passtime_lock_try(struct passtime_lock *lock)
{
    return pthread_mutex_trylock(mutex_of(lock)) == 0;
}

void passtime_lock_give(struct passtime_lock *lock)
{
    (void)pthread_mutex_unlock(mutex_of(lock));
}
