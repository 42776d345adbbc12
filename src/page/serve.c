/* SPDX-License-Identifier: MIT */
/* A server of files on the loopback address. */
#include "page/serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/http.h"
#include "port/port.h"

enum { OUT_BYTES = 65536, IDLE_NS_PER_S = 1000000000, IDLE_S = 30, ROOT_BYTES = SERVE_ROOT_BYTES };

struct connection {
    int descriptor; /* below 0: free */
    int file;       /* below 0: none */
    bool closing;   /* once all is written */
    uint64_t file_left;
    uint64_t active_ns;
    size_t in_used;
    size_t out_begun;
    size_t out_used;
    char in[HTTP_REQUEST_BYTES_MAX];
    char out[OUT_BYTES];
};

struct passtime_serve {
    int listener;
    uint16_t port;
    struct connection *connections[SERVE_CONNECTIONS_MAX];
    char root[ROOT_BYTES];
    char second[ROOT_BYTES];
};

struct passtime_serve *passtime_serve_start(const char *root, const char *second, uint16_t *port)
{
    struct passtime_serve *serve = calloc(1, sizeof *serve);
    if (!serve)
        return NULL;
    serve->listener = passtime_loopback_listen(&serve->port);
    if (serve->listener < 0 || strlen(root) >= ROOT_BYTES || strlen(second) >= ROOT_BYTES) {
        passtime_serve_stop(&serve);
        return NULL;
    }
    (void)snprintf(serve->root, sizeof serve->root, "%s", root);
    (void)snprintf(serve->second, sizeof serve->second, "%s", second);
    *port = serve->port;
    return serve;
}

static void drop(struct connection **slot)
{
    passtime_close((*slot)->descriptor);
    passtime_close((*slot)->file);
    free(*slot);
    *slot = NULL;
}

void passtime_serve_stop(struct passtime_serve **pointer)
{
    struct passtime_serve *serve = *pointer;
    *pointer = NULL;
    if (!serve)
        return;
    for (uint32_t i = 0; i < SERVE_CONNECTIONS_MAX; i++) {
        if (serve->connections[i])
            drop(&serve->connections[i]);
    }
    passtime_close(serve->listener);
    free(serve);
}

uint32_t passtime_serve_wants(const struct passtime_serve *serve, struct passtime_poll *items)
{
    uint32_t count = 0;
    bool room = false;
    for (uint32_t i = 0; i < SERVE_CONNECTIONS_MAX; i++) {
        const struct connection *connection = serve->connections[i];
        room |= !connection;
        if (!connection)
            continue;
        const bool busy = connection->out_used > 0 || connection->file_left > 0;
        items[count++] = (struct passtime_poll){
            .descriptor = connection->descriptor, .want_read = !busy, .want_write = busy};
    }
    if (room)
        items[count++] = (struct passtime_poll){.descriptor = serve->listener, .want_read = true};
    return count;
}

static void put_head(struct connection *connection, const char *status, const char *type,
                     uint64_t bytes, const char *more)
{
    const int length = snprintf(
        connection->out, sizeof connection->out,
        "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %llu\r\nCache-Control: no-store\r\n"
        "X-Content-Type-Options: nosniff\r\n%s%s\r\n",
        status, type, (unsigned long long)bytes, more,
        connection->closing ? "Connection: close\r\n" : "");
    connection->out_begun = 0;
    connection->out_used = length > 0 ? (size_t)length : 0;
}

static void answer_error(struct connection *connection, const char *status, bool head)
{
    const size_t bytes = strlen(status) + 1;
    put_head(connection, status, "text/plain; charset=utf-8", bytes, "");
    if (!head)
        connection->out_used +=
            (size_t)snprintf(connection->out + connection->out_used,
                             sizeof connection->out - connection->out_used, "%s\n", status);
}

/* A folder's pages name their files beside it, so its address must end with a slash. The answer
 * holds the path as it was asked for, which has no line breaks. */
static void answer_redirect(struct connection *connection)
{
    const char *begin = memchr(connection->in, '/', connection->in_used);
    size_t length = 0;
    char more[HTTP_PATH_BYTES + 64];
    while (begin && begin[length] != ' ' && begin[length] != '?' && length < HTTP_PATH_BYTES)
        length++;
    (void)snprintf(more, sizeof more, "Location: %.*s/\r\n", (int)length, begin ? begin : "");
    put_head(connection, "301 Moved Permanently", "text/plain; charset=utf-8", 0, more);
}

static void answer_file(struct passtime_serve *serve, struct connection *connection,
                        const struct http_request *request)
{
    char path[HTTP_PATH_BYTES + 16];
    uint64_t bytes = 0;
    (void)snprintf(path, sizeof path, "%s%s%s", request->path,
                   request->folder && request->path[0] ? "/" : "",
                   request->folder ? "index.html" : "");
    enum passtime_path_kind kind =
        passtime_open_below(serve->root, path, &connection->file, &bytes);
    if (kind == PASSTIME_PATH_MISSING && serve->second[0])
        kind = passtime_open_below(serve->second, path, &connection->file, &bytes);
    if (kind == PASSTIME_PATH_FOLDER && !request->folder) {
        answer_redirect(connection);
        return;
    }
    if (kind != PASSTIME_PATH_FILE) {
        /* Each browser asks for it, and would count its absence as the page's error. */
        if (strcmp(request->path, "favicon.ico") == 0)
            put_head(connection, "204 No Content", "image/x-icon", 0, "");
        else
            answer_error(connection, "404 Not Found", request->head);
        return;
    }
    put_head(connection, "200 OK", passtime_http_type(path), bytes, "");
    connection->file_left = bytes;
    if (request->head || bytes == 0) {
        passtime_close(connection->file);
        connection->file = -1;
        connection->file_left = 0;
    }
}

/* Answers a request if a whole one is there. */
static void answer(struct passtime_serve *serve, struct connection *connection)
{
    struct http_request request;
    const enum http_verdict verdict =
        passtime_http_read(connection->in, connection->in_used, serve->port, &request);
    if (verdict == HTTP_INCOMPLETE)
        return;
    /* What follows a request that is not understood can't be told from its body. */
    connection->closing = verdict != HTTP_OK && verdict != HTTP_HIDDEN;
    switch (verdict) {
    case HTTP_OK:
        answer_file(serve, connection, &request);
        break;
    case HTTP_HIDDEN:
        answer_error(connection, "404 Not Found", request.head);
        break;
    case HTTP_NOT_OURS:
        answer_error(connection, "421 Misdirected Request", false);
        break;
    case HTTP_NOT_ALLOWED:
        answer_error(connection, "405 Method Not Allowed", false);
        break;
    case HTTP_TOO_LARGE:
        answer_error(connection, "431 Request Header Fields Too Large", false);
        break;
    default:
        answer_error(connection, "400 Bad Request", false);
        break;
    }
    const size_t taken = connection->closing ? connection->in_used : request.bytes;
    connection->in_used -= taken;
    memmove(connection->in, connection->in + taken, connection->in_used);
}

/* False: the file ended early, or can't be read; the browser sees that by the length. */
static bool refill(struct connection *connection)
{
    size_t wanted = sizeof connection->out;
    if (wanted > connection->file_left)
        wanted = (size_t)connection->file_left;
    const ptrdiff_t got = passtime_read(connection->file, connection->out, wanted);
    if (got <= 0)
        return false;
    connection->out_begun = 0;
    connection->out_used = (size_t)got;
    connection->file_left -= (uint64_t)got;
    if (connection->file_left == 0) {
        passtime_close(connection->file);
        connection->file = -1;
    }
    return true;
}

/* Writes what can be written. False: the connection is over. */
static bool write_out(struct connection *connection)
{
    while (connection->out_used > 0 || connection->file_left > 0) {
        if (connection->out_used == 0 && !refill(connection))
            return false;
        const ptrdiff_t done =
            passtime_send(connection->descriptor, connection->out + connection->out_begun,
                          connection->out_used - connection->out_begun);
        if (done < 0)
            return false;
        if (done == 0)
            return true;
        connection->active_ns = passtime_port_now_ns();
        connection->out_begun += (size_t)done;
        if (connection->out_begun == connection->out_used)
            connection->out_begun = connection->out_used = 0;
    }
    return !connection->closing;
}

static bool step_connection(struct passtime_serve *serve, struct connection *connection)
{
    const uint64_t now_ns = passtime_port_now_ns();
    if (!write_out(connection))
        return false;
    while (connection->out_used == 0 && connection->file_left == 0) {
        const size_t before = connection->in_used;
        answer(serve, connection);
        if (connection->out_used == 0) {
            const ptrdiff_t got = passtime_read(connection->descriptor, connection->in + before,
                                                sizeof connection->in - before);
            if (got < 0)
                return false;
            if (got == 0)
                return now_ns - connection->active_ns < (uint64_t)IDLE_S * IDLE_NS_PER_S;
            connection->active_ns = now_ns;
            connection->in_used += (size_t)got;
        } else if (!write_out(connection)) {
            return false;
        }
    }
    return now_ns - connection->active_ns < (uint64_t)IDLE_S * IDLE_NS_PER_S;
}

static void accept_all(struct passtime_serve *serve)
{
    for (uint32_t i = 0; i < SERVE_CONNECTIONS_MAX; i++) {
        if (serve->connections[i])
            continue;
        const int descriptor = passtime_loopback_accept(serve->listener);
        if (descriptor < 0)
            return;
        struct connection *connection = malloc(sizeof *connection);
        if (!connection) {
            passtime_close(descriptor);
            return;
        }
        memset(connection, 0, offsetof(struct connection, in));
        connection->descriptor = descriptor;
        connection->file = -1;
        connection->active_ns = passtime_port_now_ns();
        serve->connections[i] = connection;
    }
}

void passtime_serve_step(struct passtime_serve *serve)
{
    accept_all(serve);
    for (uint32_t i = 0; i < SERVE_CONNECTIONS_MAX; i++) {
        if (serve->connections[i] && !step_connection(serve, serve->connections[i]))
            drop(&serve->connections[i]);
    }
}

static bool escape_path(const char *path, char *out, size_t out_bytes)
{
    size_t used = 0;
    for (; *path; path++) {
        const unsigned char letter = (unsigned char)*path;
        const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                           (letter >= '0' && letter <= '9') || strchr("-_.~/", letter);
        if (used + 4 > out_bytes)
            return false;
        used += (size_t)snprintf(out + used, out_bytes - used, plain ? "%c" : "%%%02X", letter);
    }
    out[used] = '\0';
    return true;
}

static bool has_index(const char *folder)
{
    char path[ROOT_BYTES + 16];
    char resolved[ROOT_BYTES];
    (void)snprintf(path, sizeof path, "%s/index.html", folder);
    return passtime_path_resolve(path, resolved, sizeof resolved) == PASSTIME_PATH_FILE;
}

static bool place_error(char *error, size_t error_bytes, const char *path, const char *what)
{
    (void)snprintf(error, error_bytes, "%s%s", path, what);
    return false;
}

/* How much of a file's path is the root: the current folder where it holds the file, for a page may
 * name files above its own folder; else the file's folder. */
static size_t root_length(const char *file)
{
    char current[ROOT_BYTES];
    const char *slash = strrchr(file, '/');
    if (passtime_path_resolve(".", current, sizeof current) == PASSTIME_PATH_FOLDER) {
        const size_t length = strlen(current);
        if (length > 1 && strncmp(file, current, length) == 0 && file[length] == '/' &&
            !strstr(file + length, "/."))
            return length;
    }
    return slash ? (size_t)(slash - file) : 0;
}

bool passtime_serve_place(const char *path, struct passtime_serve_place *place, char *error,
                          size_t error_bytes)
{
    char found[ROOT_BYTES];
    const enum passtime_path_kind kind = passtime_path_resolve(path, found, sizeof found);
    memset(place, 0, sizeof *place);
    if (kind != PASSTIME_PATH_FILE && kind != PASSTIME_PATH_FOLDER)
        return place_error(error, error_bytes, path,
                           ": no such file or folder; give a URL (http://…), an .html file, or a "
                           "folder with an index.html");
    if (kind == PASSTIME_PATH_FOLDER) {
        if (!has_index(found))
            return place_error(error, error_bytes, path,
                               ": the folder has no index.html; name the page's file");
        (void)snprintf(place->root, sizeof place->root, "%s", found);
        (void)snprintf(place->url_path, sizeof place->url_path, "/");
        return true;
    }
    if (strncmp(passtime_http_type(found), "text/html", 9) != 0)
        return place_error(error, error_bytes, path, ": not an .html file");
    const char *name = strrchr(found, '/');
    const size_t length = root_length(found);
    (void)snprintf(place->root, sizeof place->root, "%.*s", (int)length, length ? found : "/");
    (void)snprintf(place->second, sizeof place->second, "%.*s", (int)(name - found), found);
    return escape_path(found + length, place->url_path, sizeof place->url_path) ||
           place_error(error, error_bytes, path, ": its path is too long");
}
