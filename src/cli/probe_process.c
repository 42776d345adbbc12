/* SPDX-License-Identifier: MIT */
/* Asks drivers questions in a process of its own, so that a broken one can neither hang nor end us.
 */
/* For fork, pipe and poll. */
#define _POSIX_C_SOURCE 200809L

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/gpu.h"
#include "cli/probe.h"
#include "port/port.h"

/* What the child does; it fills `answer`. */
typedef void (*probe_question)(uint32_t index, void *answer);

static void copy_info(struct probe_adapter *out, const struct gpu_adapter_info *info)
{
    snprintf(out->name, sizeof out->name, "%s", info->name);
    snprintf(out->driver, sizeof out->driver, "%s", info->driver);
    snprintf(out->backend, sizeof out->backend, "%s", info->backend);
    snprintf(out->kind, sizeof out->kind, "%s", info->kind);
    out->software = info->software;
    out->timestamps = info->timestamps;
    out->inside_passes = info->inside_passes;
}

static void answer_list(uint32_t index, void *answer)
{
    struct probe_list *list = answer;
    struct gpu_system *system = gpu_system_open(GPU_SCOPE_ALL, list->error, sizeof list->error);
    (void)index;
    if (!system)
        return;
    list->count = gpu_system_count(system);
    if (list->count > PROBE_ADAPTERS_MAX)
        list->count = PROBE_ADAPTERS_MAX;
    for (uint32_t i = 0; i < list->count; i++)
        copy_info(&list->adapters[i], gpu_system_adapter(system, i));
    gpu_system_close(system);
}

static void answer_adapter(uint32_t index, void *answer)
{
    struct probe_adapter *out = answer;
    struct gpu_system *system = gpu_system_open(GPU_SCOPE_ALL, out->error, sizeof out->error);
    if (!system)
        return;
    struct gpu *gpu = NULL;
    if (index < gpu_system_count(system))
        gpu = gpu_open(system, index, out->error, sizeof out->error);
    if (gpu) {
        copy_info(out, &gpu->info);
        probe_measure(gpu, out);
    }
    gpu_close(gpu);
    gpu_system_close(system);
}

static bool write_all(int to, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0) {
        ssize_t written = write(to, at, bytes);
        if (written <= 0)
            return false;
        at += written;
        bytes -= (size_t)written;
    }
    return true;
}

/* Reads until all is there, the other end closes or the time is up. */
static bool read_all(int from, void *data, size_t bytes, uint32_t timeout_ms)
{
    uint64_t end_ns = passtime_port_now_ns() + (uint64_t)timeout_ms * 1000000;
    char *at = data;
    while (bytes > 0) {
        uint64_t now_ns = passtime_port_now_ns();
        struct pollfd wait = {.fd = from, .events = POLLIN};
        if (now_ns >= end_ns || poll(&wait, 1, (int)((end_ns - now_ns) / 1000000) + 1) <= 0)
            return false;
        ssize_t got = read(from, at, bytes);
        if (got <= 0)
            return false;
        at += got;
        bytes -= (size_t)got;
    }
    return true;
}

static void explain_end(int status, bool in_time, uint32_t timeout_ms, char *error, size_t bytes)
{
    if (!in_time)
        snprintf(error, bytes, "its driver gave no answer within %.3g s", timeout_ms / 1e3);
    else if (WIFSIGNALED(status))
        snprintf(error, bytes, "its driver crashed (signal %d)", WTERMSIG(status));
    else
        snprintf(error, bytes, "its driver ended the program");
}

/* Runs `question` in a child and fetches the answer. False with a text in `error`: none came. */
static bool ask(probe_question question, uint32_t index, void *answer, size_t bytes,
                uint32_t timeout_ms, char *error, size_t error_bytes)
{
    int ends[2], status = 0;
    uint64_t begun_ns = passtime_port_now_ns();
    snprintf(error, error_bytes, "no process could be started");
    if (pipe(ends) != 0)
        return false;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        question(index, answer);
        _exit(write_all(ends[1], answer, bytes) ? 0 : 1);
    }
    close(ends[1]);
    bool answered = child > 0 && read_all(ends[0], answer, bytes, timeout_ms);
    close(ends[0]);
    if (child < 0)
        return false;
    bool in_time = passtime_port_now_ns() - begun_ns < (uint64_t)timeout_ms * 1000000;
    /* A child that has answered ends by itself; one that has not may hang in its driver. */
    if (!answered && !in_time)
        kill(child, SIGKILL);
    waitpid(child, &status, 0);
    if (!answered)
        explain_end(status, in_time, timeout_ms, error, error_bytes);
    return answered;
}

void probe_list_adapters(struct probe_list *out, uint32_t timeout_ms)
{
    char error[PROBE_TEXT_BYTES];
    memset(out, 0, sizeof *out);
    if (ask(answer_list, 0, out, sizeof *out, timeout_ms, error, sizeof error))
        return;
    memset(out, 0, sizeof *out);
    snprintf(out->error, sizeof out->error,
             "the adapters could not be listed: a driver hangs or fails "
             "(%s)",
             error);
}

void probe_one_adapter(uint32_t index, struct probe_adapter *out, uint32_t timeout_ms)
{
    struct probe_adapter answer = {0};
    char error[PROBE_TEXT_BYTES];
    if (ask(answer_adapter, index, &answer, sizeof answer, timeout_ms, error, sizeof error)) {
        /* The device is of the same list, unless an adapter came or went in between. */
        if (answer.name[0] && strcmp(answer.name, out->name) == 0)
            *out = answer;
        else
            snprintf(out->error, sizeof out->error, "%.255s", answer.error);
        return;
    }
    snprintf(out->error, sizeof out->error, "%.255s", error);
}
