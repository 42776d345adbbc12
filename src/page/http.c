/* SPDX-License-Identifier: MIT */
/* Reads requests of HTTP/1.x: the line, the host, nothing more. */
#include "page/http.h"

#include <stdio.h>
#include <string.h>

struct span {
    const char *begin;
    size_t length;
};

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static bool same_text(struct span span, const char *text)
{
    if (span.length != strlen(text))
        return false;
    for (size_t i = 0; i < span.length; i++) {
        if (lower(span.begin[i]) != lower(text[i]))
            return false;
    }
    return true;
}

static int hex(char digit)
{
    digit = lower(digit);
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* Decodes one segment of a path behind what `out` holds. A slash or NUL that was hidden in it, and
 * a control character, make it no path. */
static bool decode_segment(struct span in, char *out, size_t *used, size_t limit)
{
    for (size_t i = 0; i < in.length; i++) {
        char letter = in.begin[i];
        if (letter == '%') {
            const int high = in.length - i > 2 ? hex(in.begin[i + 1]) : -1;
            const int low = high >= 0 ? hex(in.begin[i + 2]) : -1;
            if (low < 0)
                return false;
            letter = (char)(high * 16 + low);
            i += 2;
        }
        if ((unsigned char)letter < 0x20 || letter == 0x7f || letter == '/' || letter == '\\' ||
            *used + 1 >= limit)
            return false;
        out[(*used)++] = letter;
    }
    return true;
}

/* The path of a request's target, normal and below the root. */
static enum http_verdict read_path(struct span target, struct http_request *request)
{
    size_t used = 0;
    size_t at = 0;
    if (target.length == 0 || target.begin[0] != '/')
        return HTTP_BAD;
    request->folder = true;
    while (at < target.length) {
        const char *begin = target.begin + at + 1;
        size_t length = 0;
        while (at + 1 + length < target.length && begin[length] != '/')
            length++;
        at += 1 + length;
        if (length == 0) {
            request->folder = true;
            continue;
        }
        if (used + 2 >= sizeof request->path)
            return HTTP_BAD;
        if (used > 0)
            request->path[used++] = '/';
        const size_t name = used;
        if (!decode_segment((struct span){begin, length}, request->path, &used,
                            sizeof request->path - 1))
            return HTTP_BAD;
        /* Browsers resolve "." and ".." before they ask; whatever else begins so is not for them.
         */
        if (request->path[name] == '.')
            return HTTP_HIDDEN;
        request->folder = false;
    }
    request->path[used] = '\0';
    return HTTP_OK;
}

static bool is_our_host(struct span host, unsigned port)
{
    char ours[32];
    (void)snprintf(ours, sizeof ours, "127.0.0.1:%u", port);
    if (same_text(host, ours))
        return true;
    (void)snprintf(ours, sizeof ours, "localhost:%u", port);
    return same_text(host, ours);
}

/* The end of the head, behind its empty line; 0: not there yet. */
static size_t head_end(const char *bytes, size_t count)
{
    for (size_t i = 0; i + 3 < count; i++) {
        if (memcmp(bytes + i, "\r\n\r\n", 4) == 0)
            return i + 4;
    }
    return 0;
}

static struct span take_until(struct span *rest, const char *stop)
{
    const size_t stop_length = strlen(stop);
    struct span taken = {rest->begin, 0};
    while (taken.length + stop_length <= rest->length &&
           memcmp(rest->begin + taken.length, stop, stop_length) != 0)
        taken.length++;
    if (taken.length + stop_length > rest->length) {
        taken.length = rest->length;
        *rest = (struct span){rest->begin + rest->length, 0};
        return taken;
    }
    rest->begin += taken.length + stop_length;
    rest->length -= taken.length + stop_length;
    return taken;
}

static struct span trimmed(struct span span)
{
    while (span.length > 0 && (span.begin[0] == ' ' || span.begin[0] == '\t')) {
        span.begin++;
        span.length--;
    }
    while (span.length > 0 &&
           (span.begin[span.length - 1] == ' ' || span.begin[span.length - 1] == '\t'))
        span.length--;
    return span;
}

static bool has_our_host(struct span headers, unsigned port)
{
    bool found = false;
    while (headers.length > 0) {
        struct span line = take_until(&headers, "\r\n");
        const struct span name = take_until(&line, ":");
        if (!same_text(name, "host"))
            continue;
        if (found || !is_our_host(trimmed(line), port))
            return false;
        found = true;
    }
    return found;
}

enum http_verdict passtime_http_read(const char *bytes, size_t count, unsigned port,
                                     struct http_request *request)
{
    memset(request, 0, sizeof *request);
    const size_t end = head_end(bytes, count);
    if (end > HTTP_REQUEST_BYTES_MAX || (end == 0 && count >= HTTP_REQUEST_BYTES_MAX))
        return HTTP_TOO_LARGE;
    if (end == 0)
        return memchr(bytes, 0, count) ? HTTP_BAD : HTTP_INCOMPLETE;
    request->bytes = end;
    struct span rest = {bytes, end - 2};
    struct span line = take_until(&rest, "\r\n");
    const struct span method = take_until(&line, " ");
    struct span target = take_until(&line, " ");
    if (line.length != 8 || memcmp(line.begin, "HTTP/1.", 7) != 0)
        return HTTP_BAD;
    if (!has_our_host(rest, port))
        return HTTP_NOT_OURS;
    request->head = same_text(method, "HEAD");
    if (!request->head && !same_text(method, "GET"))
        return HTTP_NOT_ALLOWED;
    struct span query = target;
    return read_path(take_until(&query, "?"), request);
}

const char *passtime_http_type(const char *path)
{
    static const struct {
        const char *ending;
        const char *type;
    } types[] = {
        {"html", "text/html; charset=utf-8"},
        {"htm", "text/html; charset=utf-8"},
        {"js", "text/javascript; charset=utf-8"},
        {"mjs", "text/javascript; charset=utf-8"},
        {"css", "text/css; charset=utf-8"},
        {"json", "application/json"},
        {"map", "application/json"},
        {"gltf", "model/gltf+json"},
        {"glb", "model/gltf-binary"},
        {"wasm", "application/wasm"},
        {"png", "image/png"},
        {"jpg", "image/jpeg"},
        {"jpeg", "image/jpeg"},
        {"gif", "image/gif"},
        {"webp", "image/webp"},
        {"avif", "image/avif"},
        {"svg", "image/svg+xml"},
        {"ico", "image/x-icon"},
        {"woff", "font/woff"},
        {"woff2", "font/woff2"},
        {"mp4", "video/mp4"},
        {"webm", "video/webm"},
        {"txt", "text/plain; charset=utf-8"},
        {"md", "text/plain; charset=utf-8"},
        {"wgsl", "text/plain; charset=utf-8"},
        {"glsl", "text/plain; charset=utf-8"},
        {"vert", "text/plain; charset=utf-8"},
        {"frag", "text/plain; charset=utf-8"},
        {"xml", "application/xml"},
    };
    const char *name = strrchr(path, '/');
    const char *point = strrchr(name ? name : path, '.');
    for (size_t i = 0; point && i < sizeof types / sizeof types[0]; i++) {
        if (same_text((struct span){point + 1, strlen(point + 1)}, types[i].ending))
            return types[i].type;
    }
    return "application/octet-stream";
}
