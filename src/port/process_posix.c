/* SPDX-License-Identifier: MIT */
/* Starting and stopping a program on POSIX systems, as its caller sees it; reaper_posix.c is the
 * process between. */
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE
#else
#define _POSIX_C_SOURCE 200809L
#endif

#include "port/process.h"
#include "port/reaper_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STOP_WAIT_MS = 10000 };

struct passtime_process {
    pid_t reaper;
    pid_t program;
    int writer;
    int reader;
    int output;
    int lifeline; /* closing it has the reaper kill what is left */
    int news;
    bool ended;   /* the program's first process */
    bool cleaned; /* the reaper has done its work */
    bool deaf;    /* the reaper is gone */
    int status;   /* as wait gives it */
    char folder[PATH_MAX];
};

/* A pair of pipe ends, [0] to read, or of sockets; both closed on exec. */
static bool open_pair(int pair[2], bool sockets)
{
    if ((sockets ? socketpair(AF_UNIX, SOCK_STREAM, 0, pair) : pipe(pair)) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        (void)fcntl(pair[i], F_SETFD, FD_CLOEXEC);
#if defined(SO_NOSIGPIPE)
        const int on = 1;
        if (sockets)
            (void)setsockopt(pair[i], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    }
    return true;
}

static void close_pair(int pair[2])
{
    for (int i = 0; i < 2; i++) {
        if (pair[i] >= 0)
            (void)close(pair[i]);
        pair[i] = -1;
    }
}

static void not_blocking(int descriptor)
{
    (void)fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

/* Pairs of descriptors between us, the reaper and the program. */
struct pairs {
    int commands[2]; /* sockets, so that writing to a dead program raises no signal */
    int answers[2];
    int output[2];
    int lifeline[2];
    int news[2];
};

static bool open_pairs(struct pairs *pairs)
{
    memset(pairs, 0xff, sizeof *pairs);
    return open_pair(pairs->commands, true) && open_pair(pairs->answers, false) &&
           open_pair(pairs->output, false) && open_pair(pairs->lifeline, false) &&
           open_pair(pairs->news, false);
}

static void close_pairs(struct pairs *pairs)
{
    close_pair(pairs->commands);
    close_pair(pairs->answers);
    close_pair(pairs->output);
    close_pair(pairs->lifeline);
    close_pair(pairs->news);
}

static int keep(int pair[2], int end)
{
    const int kept = pair[end];
    pair[end] = -1;
    return kept;
}

/* Takes one message of the reaper's, waiting at most so long. False: none came, or it is gone. */
static bool take_news(struct passtime_process *process, int wait_ms, struct reaper_news *news)
{
    struct pollfd polled = {.fd = process->news, .events = POLLIN};
    if (process->deaf || poll(&polled, 1, wait_ms) <= 0)
        return false;
    /* A message is far below what a pipe writes in one piece. */
    ssize_t got;
    do {
        got = read(process->news, news, sizeof *news);
    } while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof *news) {
        process->deaf = true;
        return false;
    }
    if (news->kind == REAPER_ENDED) {
        process->ended = true;
        process->status = news->value;
    }
    process->cleaned |= news->kind == REAPER_CLEANED;
    return true;
}

static bool await_start(struct passtime_process *process, const struct passtime_process_desc *desc,
                        char *error, size_t error_bytes)
{
    const char *program = desc->arguments[0];
    const char *folder = desc->folder ? desc->folder : "";
    struct reaper_news news;
    if (!take_news(process, STOP_WAIT_MS, &news)) {
        (void)snprintf(error, error_bytes, "%s: the process that starts it ended", program);
        return false;
    }
    if (news.kind == REAPER_NO_FOLDER)
        (void)snprintf(error, error_bytes, "a temporary folder, %s, can't be made: %s", folder,
                       strerror(news.value));
    else if (news.kind != REAPER_STARTED)
        (void)snprintf(error, error_bytes, "%s can't be run: %s", program, strerror(news.value));
    if (news.kind != REAPER_STARTED)
        return false;
    process->program = (pid_t)news.value;
    /* The reaper has made the folder, so that it is ours to remove; before, it could be anybody's.
     */
    (void)snprintf(process->folder, sizeof process->folder, "%s", folder);
    return true;
}

struct passtime_process *passtime_process_start(const struct passtime_process_desc *desc,
                                                char *error, size_t error_bytes)
{
    struct pairs pairs;
    struct passtime_process *process = calloc(1, sizeof *process);
    if (!process || !open_pairs(&pairs)) {
        (void)snprintf(error, error_bytes, "%s can't be run: %s", desc->arguments[0],
                       strerror(errno));
        if (process)
            close_pairs(&pairs);
        free(process);
        return NULL;
    }
    process->reaper = fork();
    if (process->reaper == 0) {
        const struct reaper reaper = {.desc = desc,
                                      .commands = pairs.commands[1],
                                      .answers = pairs.answers[1],
                                      .output = pairs.output[1],
                                      .lifeline = pairs.lifeline[0],
                                      .news = pairs.news[1]};
        passtime_reaper_run(&reaper);
    }
    process->writer = keep(pairs.commands, 0);
    process->reader = keep(pairs.answers, 0);
    process->output = keep(pairs.output, 0);
    process->lifeline = keep(pairs.lifeline, 1);
    process->news = keep(pairs.news, 0);
    close_pairs(&pairs);
    not_blocking(process->writer);
    not_blocking(process->reader);
    not_blocking(process->output);
    if (process->reaper < 0) {
        process->deaf = true;
        (void)snprintf(error, error_bytes, "%s can't be run: %s", desc->arguments[0],
                       strerror(errno));
    } else if (await_start(process, desc, error, error_bytes)) {
        return process;
    }
    (void)passtime_process_stop(&process);
    return NULL;
}

int passtime_process_writer(const struct passtime_process *process)
{
    return process->writer;
}

int passtime_process_reader(const struct passtime_process *process)
{
    return process->reader;
}

int passtime_process_output(const struct passtime_process *process)
{
    return process->output;
}

int passtime_process_news(const struct passtime_process *process)
{
    return process->deaf || process->ended ? -1 : process->news;
}

int32_t passtime_process_number(const struct passtime_process *process)
{
    return (int32_t)process->program;
}

bool passtime_process_ended(struct passtime_process *process, char *how, size_t how_bytes)
{
    struct reaper_news news;
    while (!process->ended && !process->deaf && take_news(process, 0, &news))
        ;
    if (!process->ended && process->deaf)
        (void)snprintf(how, how_bytes, "lost the process of ours that watches over it");
    else if (process->ended && WIFEXITED(process->status))
        (void)snprintf(how, how_bytes, "ended by itself, with exit code %d",
                       WEXITSTATUS(process->status));
    else if (process->ended)
        (void)snprintf(how, how_bytes, "was ended by signal %d", WTERMSIG(process->status));
    return process->ended || process->deaf;
}

/* What the reaper would have done, where somebody killed that one. */
static bool clean_up_alone(struct passtime_process *process)
{
    if (process->program > 0)
        (void)kill(-process->program, SIGKILL);
    bool removed = process->folder[0] == '\0';
    for (int i = 0; i < 50 && !removed; i++) {
        removed = passtime_folder_remove(process->folder);
        const struct timespec pause = {0, 20000000};
        if (!removed)
            (void)nanosleep(&pause, NULL);
    }
    return removed;
}

bool passtime_process_stop(struct passtime_process **pointer)
{
    struct passtime_process *process = *pointer;
    if (!process)
        return true;
    *pointer = NULL;
    (void)close(process->lifeline);
    (void)close(process->writer);
    (void)close(process->reader);
    (void)close(process->output);
    struct reaper_news news;
    while (!process->cleaned && take_news(process, STOP_WAIT_MS, &news))
        ;
    bool clean = process->cleaned;
    if (!process->cleaned && process->reaper > 0) {
        if (!process->deaf)
            (void)kill(process->reaper, SIGKILL);
        clean = clean_up_alone(process);
    }
    (void)close(process->news);
    if (process->reaper > 0) {
        while (waitpid(process->reaper, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    free(process);
    return clean;
}

static bool is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

static bool absolute_path(const char *path, char *out, size_t out_bytes)
{
    char folder[PATH_MAX];
    int length;
    if (path[0] == '/' || !getcwd(folder, sizeof folder))
        length = snprintf(out, out_bytes, "%s", path);
    else
        length = snprintf(out, out_bytes, "%s/%s", folder, path);
    return length > 0 && (size_t)length < out_bytes;
}

bool passtime_program_find(const char *name, char *path, size_t path_bytes)
{
    if (name[0] == '\0')
        return false;
    if (strchr(name, '/'))
        return is_program(name) && absolute_path(name, path, path_bytes);
    const char *folders = getenv("PATH");
    if (!folders)
        folders = "/usr/local/bin:/usr/bin:/bin";
    while (*folders) {
        const size_t length = strcspn(folders, ":");
        char tried[PATH_MAX];
        const int written = snprintf(tried, sizeof tried, "%.*s%s%s", (int)length, folders,
                                     length > 0 ? "/" : "", name);
        if (written > 0 && (size_t)written < sizeof tried && is_program(tried))
            return absolute_path(tried, path, path_bytes);
        folders += length;
        folders += *folders == ':';
    }
    return false;
}

bool passtime_random(void *bytes, size_t count)
{
    FILE *file = fopen("/dev/urandom", "rb");
    const size_t got = file ? fread(bytes, 1, count, file) : 0;
    if (file)
        (void)fclose(file);
    return got == count;
}

bool passtime_folder_name(char *path, size_t path_bytes)
{
    uint8_t bytes[FOLDER_NAME_DIGITS / 2];
    char name[FOLDER_NAME_DIGITS + 1];
    if (!passtime_random(bytes, sizeof bytes))
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        (void)snprintf(name + 2 * i, 3, "%02x", (unsigned)bytes[i]);
    /* A socket's path takes at most 107 bytes, and Chromium, which makes one some 46 bytes below
     * the folder, is ended by a longer one. */
    enum { PARENT_BYTES_MAX = 107 - 46 - 10 - FOLDER_NAME_DIGITS };
    const char *parent = getenv("TMPDIR");
    if (!parent || parent[0] != '/' || strlen(parent) > PARENT_BYTES_MAX)
        parent = "/tmp";
    const int length = snprintf(path, path_bytes, "%s/passtime-%s", parent, name);
    return length > 0 && (size_t)length < path_bytes;
}

bool passtime_is_root(void)
{
    return geteuid() == 0;
}

bool passtime_has_gpu_device(void)
{
#if defined(__linux__)
    char path[64];
    for (int i = 0; i < 16; i++) {
        (void)snprintf(path, sizeof path, "/dev/dri/renderD%d", 128 + i);
        if (access(path, R_OK | W_OK) == 0)
            return true;
    }
    return access("/dev/nvidiactl", R_OK) == 0 || access("/dev/dxg", R_OK) == 0;
#else
    return true;
#endif
}

bool passtime_shared_memory_is_scarce(void)
{
#if defined(__linux__)
    const uint64_t enough_bytes = (uint64_t)512 << 20;
    struct statvfs info;
    return statvfs("/dev/shm", &info) != 0 ||
           (uint64_t)info.f_frsize * info.f_bavail < enough_bytes;
#else
    return false;
#endif
}

static void ending_signals(sigset_t *set)
{
    (void)sigemptyset(set);
    (void)sigaddset(set, SIGINT);
    (void)sigaddset(set, SIGTERM);
    (void)sigaddset(set, SIGHUP);
}

void passtime_interrupts_hold(void)
{
    sigset_t set;
    ending_signals(&set);
    (void)sigprocmask(SIG_BLOCK, &set, NULL);
}

bool passtime_interrupt_pending(void)
{
    sigset_t pending;
    return sigpending(&pending) == 0 &&
           (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 ||
            sigismember(&pending, SIGHUP) == 1);
}

void passtime_interrupts_release(void)
{
    sigset_t set;
    int taken;
    ending_signals(&set);
    while (passtime_interrupt_pending() && sigwait(&set, &taken) == 0)
        ;
    (void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}
