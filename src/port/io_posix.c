/* SPDX-License-Identifier: MIT */
/* Descriptors, loopback sockets and files on Linux, macOS and other POSIX systems. */
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE /* for SO_NOSIGPIPE */
#else
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE   700 /* for realpath */
#endif

#include "port/io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#if !defined(MSG_NOSIGNAL)
#define MSG_NOSIGNAL 0 /* the socket carries SO_NOSIGPIPE there */
#endif

enum { POLL_MAX = 128 };

bool passtime_poll(struct passtime_poll *items, uint32_t count, uint32_t timeout_ms)
{
    struct pollfd polled[POLL_MAX];
    if (count > POLL_MAX)
        count = POLL_MAX;
    for (uint32_t i = 0; i < count; i++) {
        polled[i] = (struct pollfd){.fd = items[i].descriptor};
        polled[i].events =
            (short)((items[i].want_read ? POLLIN : 0) | (items[i].want_write ? POLLOUT : 0));
        if (polled[i].events == 0)
            polled[i].fd = -1;
        items[i].ready = false;
    }
    const int wait_ms = timeout_ms > INT_MAX ? INT_MAX : (int)timeout_ms;
    if (poll(polled, (nfds_t)count, wait_ms) <= 0)
        return false;
    for (uint32_t i = 0; i < count; i++)
        items[i].ready = polled[i].fd >= 0 && polled[i].revents != 0;
    return true;
}

static ptrdiff_t done_or_not(ssize_t done)
{
    if (done >= 0)
        return (ptrdiff_t)done;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -1;
}

ptrdiff_t passtime_read(int descriptor, void *bytes, size_t count)
{
    const ssize_t done = read(descriptor, bytes, count);
    return done == 0 ? -1 : done_or_not(done);
}

ptrdiff_t passtime_write(int descriptor, const void *bytes, size_t count)
{
    return done_or_not(write(descriptor, bytes, count));
}

ptrdiff_t passtime_send(int descriptor, const void *bytes, size_t count)
{
    return done_or_not(send(descriptor, bytes, count, MSG_NOSIGNAL));
}

void passtime_close(int descriptor)
{
    if (descriptor >= 0)
        (void)close(descriptor);
}

static bool prepare(int descriptor)
{
    const int flags = fcntl(descriptor, F_GETFL);
    bool done = flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0;
#if defined(SO_NOSIGPIPE)
    const int on = 1;
    done = done && setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on) == 0;
#endif
    return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 && done;
}

int passtime_loopback_listen(uint16_t *port)
{
    struct sockaddr_in address;
    socklen_t bytes = sizeof address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0)
        return -1;
    if (!prepare(listener) || bind(listener, (struct sockaddr *)&address, bytes) != 0 ||
        listen(listener, 64) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &bytes) != 0) {
        (void)close(listener);
        return -1;
    }
    *port = ntohs(address.sin_port);
    return listener;
}

int passtime_loopback_accept(int listener)
{
    const int accepted = accept(listener, NULL, NULL);
    if (accepted >= 0 && !prepare(accepted)) {
        (void)close(accepted);
        return -1;
    }
    return accepted;
}

static enum passtime_path_kind kind_of(const struct stat *info)
{
    if (S_ISDIR(info->st_mode))
        return PASSTIME_PATH_FOLDER;
    return S_ISREG(info->st_mode) ? PASSTIME_PATH_FILE : PASSTIME_PATH_OTHER;
}

enum passtime_path_kind passtime_path_resolve(const char *path, char *absolute, size_t bytes)
{
    struct stat info;
    char *resolved = realpath(path, NULL);
    enum passtime_path_kind kind = PASSTIME_PATH_MISSING;
    if (resolved && strlen(resolved) < bytes && stat(resolved, &info) == 0) {
        (void)snprintf(absolute, bytes, "%s", resolved);
        kind = kind_of(&info);
    }
    free(resolved);
    return kind;
}

static bool is_below(const char *root, const char *path)
{
    const size_t length = strlen(root);
    if (strcmp(root, "/") == 0)
        return true;
    return strncmp(root, path, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

enum passtime_path_kind passtime_open_below(const char *root, const char *relative, int *descriptor,
                                            uint64_t *bytes)
{
    char joined[PATH_MAX];
    char absolute[PATH_MAX];
    struct stat info;
    *descriptor = -1;
    const int length = snprintf(joined, sizeof joined, "%s/%s", root, relative);
    if (length < 0 || (size_t)length >= sizeof joined)
        return PASSTIME_PATH_MISSING;
    const enum passtime_path_kind kind = passtime_path_resolve(joined, absolute, sizeof absolute);
    if (kind == PASSTIME_PATH_MISSING)
        return kind;
    if (!is_below(root, absolute))
        return PASSTIME_PATH_OUTSIDE;
    if (kind != PASSTIME_PATH_FILE)
        return kind;
    /* What was resolved holds no link: one that has come since is not followed. */
    const int file = open(absolute, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return PASSTIME_PATH_OTHER;
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        (void)close(file);
        return PASSTIME_PATH_OTHER;
    }
    *descriptor = file;
    *bytes = (uint64_t)info.st_size;
    return PASSTIME_PATH_FILE;
}
