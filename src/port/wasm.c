/* SPDX-License-Identifier: MIT */
/*
 * WebAssembly without imports: one thread, no clock (the caller's desc gives one), and memory by
 * the page, since a context asks for it once and keeps it.
 */
#include "port/port.h"

enum { PAGE_BYTES = 65536 };

/* Stands before each block; freed blocks form a list through `next`. */
struct block {
    struct block *next;
    size_t bytes;
};

static struct block *free_blocks;

uint64_t passtime_port_now_ns(void)
{
    return 0;
}

int32_t passtime_port_process_id(void)
{
    return 1;
}

static struct block *reuse(size_t bytes)
{
    for (struct block **link = &free_blocks; *link != NULL; link = &(*link)->next) {
        struct block *found = *link;
        if (found->bytes >= bytes) {
            *link = found->next;
            return found;
        }
    }
    return NULL;
}

void *passtime_port_allocate(size_t bytes)
{
    size_t header_bytes = (sizeof(struct block) + 15u) & ~(size_t)15u;
    if (bytes > SIZE_MAX - header_bytes - PAGE_BYTES) {
        return NULL;
    }
    struct block *block = reuse(bytes);
    if (block == NULL) {
        size_t pages = (bytes + header_bytes + PAGE_BYTES - 1) / PAGE_BYTES;
        size_t first = __builtin_wasm_memory_grow(0, pages);
        if (first == SIZE_MAX) {
            return NULL;
        }
        block = (struct block *)(first * PAGE_BYTES);
        block->bytes = pages * PAGE_BYTES - header_bytes;
    }
    block->next = NULL;
    return (unsigned char *)block + header_bytes;
}

void passtime_port_free(void *memory)
{
    if (memory == NULL) {
        return;
    }
    size_t header_bytes = (sizeof(struct block) + 15u) & ~(size_t)15u;
    struct block *block = (struct block *)(void *)((unsigned char *)memory - header_bytes);
    block->next = free_blocks;
    free_blocks = block;
}

bool passtime_lock_init(struct passtime_lock *lock)
{
    (void)lock;
    return true;
}

void passtime_lock_finish(struct passtime_lock *lock)
{
    (void)lock;
}

void passtime_lock_take(struct passtime_lock *lock)
{
    (void)lock;
}

bool passtime_lock_try(struct passtime_lock *lock)
{
    (void)lock;
    return true;
}

void passtime_lock_give(struct passtime_lock *lock)
{
    (void)lock;
}
