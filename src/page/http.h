/* SPDX-License-Identifier: MIT */
/* What the file server reads of a request: pure functions of bytes that may be anything. */
#ifndef PASSTIME_PAGE_HTTP_H
#define PASSTIME_PAGE_HTTP_H

#include <stdbool.h>
#include <stddef.h>

enum { HTTP_REQUEST_BYTES_MAX = 16384, HTTP_PATH_BYTES = 2048 };

enum http_verdict {
    HTTP_INCOMPLETE = 0, /* the head has not ended yet */
    HTTP_OK = 1,
    HTTP_BAD = 2,         /* 400: not HTTP, or a path that no browser sends */
    HTTP_NOT_OURS = 3,    /* 421: for another host, as a page that tricks names would send */
    HTTP_NOT_ALLOWED = 4, /* 405: neither GET nor HEAD */
    HTTP_HIDDEN = 5,      /* 404: above the root, or a file whose name begins with a point */
    HTTP_TOO_LARGE = 6    /* 431 */
};

struct http_request {
    bool head;
    bool folder; /* the path ends with a slash */
    char
        path[HTTP_PATH_BYTES]; /* decoded, normal, without a slash at either end; "" for the root */
    size_t bytes;              /* of the request's head */
};

/* Reads the head of a request for 127.0.0.1 or localhost at this port. */
enum http_verdict passtime_http_read(const char *bytes, size_t count, unsigned port,
                                     struct http_request *request);

/* The type of a file by its name. */
const char *passtime_http_type(const char *path);

#endif
