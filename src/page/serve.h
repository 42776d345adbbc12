/* SPDX-License-Identifier: MIT */
/* A server of files on the loopback address, for the time of a run: read-only, one folder, in the
 * caller's own poll loop. Names that begin with a point, and what links lead out of the folder, are
 * not served. */
#ifndef PASSTIME_PAGE_SERVE_H
#define PASSTIME_PAGE_SERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "port/io.h"

enum { SERVE_CONNECTIONS_MAX = 32, SERVE_ROOT_BYTES = 4096 };

struct passtime_serve;

/* Serves a folder, and what it lacks from a second one (or ""): absolute paths without links. NULL:
 * no memory or no port. */
struct passtime_serve *passtime_serve_start(const char *root, const char *second, uint16_t *port);
void passtime_serve_stop(struct passtime_serve **serve);

/* Fills what is to be waited for: at most SERVE_CONNECTIONS_MAX + 1 items; returns how many. */
uint32_t passtime_serve_wants(const struct passtime_serve *serve, struct passtime_poll *items);

/* Does what can be done without waiting. */
void passtime_serve_step(struct passtime_serve *serve);

/* What serves a file or folder. */
struct passtime_serve_place {
    char root[SERVE_ROOT_BYTES];   /* of a folder, itself; of a file, the current folder if it holds
                                      the file, else the file's */
    char second[SERVE_ROOT_BYTES]; /* of a file, its folder; else "" */
    char url_path[3 * SERVE_ROOT_BYTES]; /* begins with a slash */
};

/* False: `path` is neither an .html file nor a folder with an index.html, and `error` says so. */
bool passtime_serve_place(const char *path, struct passtime_serve_place *place, char *error,
                          size_t error_bytes);

#endif
