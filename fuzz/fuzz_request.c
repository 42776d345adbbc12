/* SPDX-License-Identifier: MIT */
/* Reads any bytes as a request to the file server of the page driver. No path that it gives may
 * lead out of the server's folder. */
#include "fuzz/fuzz.h"
#include "page/http.h"

#include <stdlib.h>
#include <string.h>

static void demand(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct http_request request;
    const enum http_verdict verdict = passtime_http_read((const char *)data, size, 8080, &request);
    demand(verdict <= HTTP_TOO_LARGE);
    if (verdict != HTTP_OK)
        return 0;
    demand(request.bytes > 0 && request.bytes <= size);
    demand(memchr(request.path, 0, sizeof request.path) != NULL);
    demand(request.path[0] != '/' && request.path[0] != '.');
    demand(strstr(request.path, "/.") == NULL && strstr(request.path, "//") == NULL);
    demand(strpbrk(request.path, "\\\r\n") == NULL);
    demand(passtime_http_type(request.path) != NULL);
    return 0;
}
