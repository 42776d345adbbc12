/* SPDX-License-Identifier: MIT */
/* Windows 7 and later. */
#include "port/port.h"

#define WIN32_LEAN_AND_MEAN
#include <stdlib.h>
#include <windows.h>

_Static_assert(sizeof(SRWLOCK) <= sizeof(struct passtime_lock), "the lock's space is too small");

uint64_t passtime_port_now_ns(void)
{
    LARGE_INTEGER frequency;
    LARGE_INTEGER ticks;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&ticks);
    uint64_t hz = (uint64_t)frequency.QuadPart;
    uint64_t count = (uint64_t)ticks.QuadPart;
    /* Seconds and remainder apart, so that the product stays within 64 bits for any uptime. */
    return count / hz * 1000000000u + count % hz * 1000000000u / hz;
}

int32_t passtime_port_process_id(void)
{
    return (int32_t)GetCurrentProcessId();
}

void *passtime_port_allocate(size_t bytes)
{
    return malloc(bytes);
}

void passtime_port_free(void *memory)
{
    free(memory);
}

static SRWLOCK *srw_of(struct passtime_lock *lock)
{
    return (SRWLOCK *)(void *)lock->space;
}

bool passtime_lock_init(struct passtime_lock *lock)
{
    InitializeSRWLock(srw_of(lock));
    return true;
}

void passtime_lock_finish(struct passtime_lock *lock)
{
    (void)lock;
}

void passtime_lock_take(struct passtime_lock *lock)
{
    AcquireSRWLockExclusive(srw_of(lock));
}

bool passtime_lock_try(struct passtime_lock *lock)
{
    return TryAcquireSRWLockExclusive(srw_of(lock)) != 0;
}

void passtime_lock_give(struct passtime_lock *lock)
{
    ReleaseSRWLockExclusive(srw_of(lock));
}
