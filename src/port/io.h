/* SPDX-License-Identifier: MIT */
/*
 * Descriptors, loopback sockets and files for the page driver: non-blocking, for one thread. Not
 * part of the library. Where a platform has none of this, each function fails.
 */
#ifndef PASSTIME_PORT_IO_H
#define PASSTIME_PORT_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct passtime_poll {
    int descriptor; /* below 0: left out */
    bool want_read;
    bool want_write;
    bool ready; /* out: there is something to do, or it is closed */
};

/* Waits at most so long for any of them to be ready. False: none is. */
bool passtime_poll(struct passtime_poll *items, uint32_t count, uint32_t timeout_ms);

/* Reads or writes what can be at once: bytes done, 0 for nothing now, -1 for closed or broken. */
ptrdiff_t passtime_read(int descriptor, void *bytes, size_t count);
ptrdiff_t passtime_write(int descriptor, const void *bytes, size_t count);
/* Writes to a socket only; a closed one raises no signal. */
ptrdiff_t passtime_send(int descriptor, const void *bytes, size_t count);
void passtime_close(int descriptor);

/* Listens on a free port of the loopback address alone. -1: it can't. */
int passtime_loopback_listen(uint16_t *port);
/* The next connection, or -1 for none now. */
int passtime_loopback_accept(int listener);

enum passtime_path_kind {
    PASSTIME_PATH_MISSING = 0,
    PASSTIME_PATH_FILE = 1,
    PASSTIME_PATH_FOLDER = 2,
    PASSTIME_PATH_OUTSIDE = 3, /* it is there, but not below the root */
    PASSTIME_PATH_OTHER = 4    /* a device, a pipe; or it may not be read */
};

/* What a path names, and its absolute form without links, which is of use where it exists. */
enum passtime_path_kind passtime_path_resolve(const char *path, char *absolute, size_t bytes);

/* Opens the file that `relative` names below the absolute path `root`: what links lead out of it is
 * refused. The descriptor (of a file only) is for passtime_read. */
enum passtime_path_kind passtime_open_below(const char *root, const char *relative, int *descriptor,
                                            uint64_t *bytes);

#endif
