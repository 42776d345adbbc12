/* SPDX-License-Identifier: MIT */
/* Windows: not available yet. A browser there needs inherited handles and a job object. */
#include "port/io.h"
#include "port/process.h"

#include <stdio.h>
#include <string.h>

struct passtime_process *passtime_process_start(const struct passtime_process_desc *desc,
                                                char *error, size_t error_bytes)
{
    (void)desc;
    (void)snprintf(error, error_bytes,
                   "a browser can't be driven on this system yet; it can on Linux and macOS");
    return NULL;
}

int passtime_process_writer(const struct passtime_process *process)
{
    (void)process;
    return -1;
}

int passtime_process_reader(const struct passtime_process *process)
{
    (void)process;
    return -1;
}

int passtime_process_output(const struct passtime_process *process)
{
    (void)process;
    return -1;
}

int passtime_process_news(const struct passtime_process *process)
{
    (void)process;
    return -1;
}

int32_t passtime_process_number(const struct passtime_process *process)
{
    (void)process;
    return 0;
}

bool passtime_process_ended(struct passtime_process *process, char *how, size_t how_bytes)
{
    (void)process;
    (void)snprintf(how, how_bytes, "was never started");
    return true;
}

bool passtime_process_stop(struct passtime_process **process)
{
    *process = NULL;
    return true;
}

bool passtime_program_find(const char *name, char *path, size_t path_bytes)
{
    (void)name;
    (void)path;
    (void)path_bytes;
    return false;
}

bool passtime_folder_name(char *path, size_t path_bytes)
{
    (void)path;
    (void)path_bytes;
    return false;
}

bool passtime_random(void *bytes, size_t count)
{
    (void)bytes;
    (void)count;
    return false;
}

bool passtime_is_root(void)
{
    return false;
}

bool passtime_has_gpu_device(void)
{
    return true;
}

bool passtime_shared_memory_is_scarce(void)
{
    return false;
}

void passtime_interrupts_hold(void)
{
}

bool passtime_interrupt_pending(void)
{
    return false;
}

void passtime_interrupts_release(void)
{
}

bool passtime_poll(struct passtime_poll *items, uint32_t count, uint32_t timeout_ms)
{
    (void)timeout_ms;
    for (uint32_t i = 0; i < count; i++)
        items[i].ready = false;
    return false;
}

ptrdiff_t passtime_read(int descriptor, void *bytes, size_t count)
{
    (void)descriptor;
    (void)bytes;
    (void)count;
    return -1;
}

ptrdiff_t passtime_write(int descriptor, const void *bytes, size_t count)
{
    (void)descriptor;
    (void)bytes;
    (void)count;
    return -1;
}

ptrdiff_t passtime_send(int descriptor, const void *bytes, size_t count)
{
    return passtime_write(descriptor, bytes, count);
}

void passtime_close(int descriptor)
{
    (void)descriptor;
}

int passtime_loopback_listen(uint16_t *port)
{
    *port = 0;
    return -1;
}

int passtime_loopback_accept(int listener)
{
    (void)listener;
    return -1;
}

enum passtime_path_kind passtime_path_resolve(const char *path, char *absolute, size_t bytes)
{
    (void)path;
    if (bytes > 0)
        absolute[0] = '\0';
    return PASSTIME_PATH_MISSING;
}

enum passtime_path_kind passtime_open_below(const char *root, const char *relative, int *descriptor,
                                            uint64_t *bytes)
{
    (void)root;
    (void)relative;
    *descriptor = -1;
    *bytes = 0;
    return PASSTIME_PATH_MISSING;
}
