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

#include "cli/egl.h"
#include "cli/gpu.h"
#include "cli/probe.h"
#include "port/port.h"

/* What the child does with what is asked; it fills `answer`. */
typedef void (*probe_question)(const void *asked, void *answer);

static void copy_info(struct probe_adapter *out, const struct gpu_adapter_info *info)
{
    snprintf(out->api, sizeof out->api, "webgpu");
    snprintf(out->name, sizeof out->name, "%s", info->name);
    snprintf(out->driver, sizeof out->driver, "%s", info->driver);
    snprintf(out->backend, sizeof out->backend, "%s", info->backend);
    snprintf(out->kind, sizeof out->kind, "%s", info->kind);
    out->software = info->software;
    out->timestamps = info->timestamps;
    out->inside_passes = info->inside_passes;
}

static void answer_list(const void *asked, void *answer)
{
    struct probe_list *list = answer;
    struct gpu_system *system = gpu_system_open(GPU_SCOPE_ALL, list->error, sizeof list->error);
    (void)asked;
    if (!system)
        return;
    list->count = gpu_system_count(system);
    if (list->count > PROBE_WEBGPU_MAX)
        list->count = PROBE_WEBGPU_MAX;
    for (uint32_t i = 0; i < list->count; i++) {
        copy_info(&list->adapters[i], gpu_system_adapter(system, i));
        list->adapters[i].place = i;
    }
    gpu_system_close(system);
}

static void answer_adapter(const void *asked, void *answer)
{
    const struct probe_adapter *wanted = asked;
    struct probe_adapter *out = answer;
    struct gpu_system *system = gpu_system_open(GPU_SCOPE_ALL, out->error, sizeof out->error);
    if (!system)
        return;
    struct gpu *gpu = NULL;
    if (wanted->place < gpu_system_count(system))
        gpu = gpu_open(system, wanted->place, out->error, sizeof out->error);
    if (gpu) {
        copy_info(out, &gpu->info);
        probe_measure(gpu, out);
        if (wanted->check_wanted) {
            probe_prepare_check(out, gpu->timestamps);
            check_webgpu(gpu, &out->check);
        }
    }
    gpu_close(gpu);
    gpu_system_close(system);
}

/* Names stay those of the devices until a context tells the renderer's. */
static void answer_gl_list(const void *asked, void *answer)
{
    struct probe_list *list = answer;
    struct gl_system *system = gl_system_open(list->error, sizeof list->error);
    (void)asked;
    for (uint32_t i = 0; system && i < gl_system_count(system); i++) {
        for (int api = GL_API_DESKTOP; api <= GL_API_ES; api++) {
            struct probe_adapter *row = &list->adapters[list->count];
            if (list->count == PROBE_ADAPTERS_MAX - PROBE_WEBGPU_MAX)
                break;
            snprintf(row->api, sizeof row->api, "%s", gl_api_name((enum gl_api)api));
            snprintf(row->name, sizeof row->name, "%s", gl_system_name(system, i));
            snprintf(row->backend, sizeof row->backend, "%s", gl_system_name(system, i));
            row->software = gl_system_is_software(system, i);
            snprintf(row->kind, sizeof row->kind, "%s", row->software ? "software" : "unknown");
            row->place = i;
            list->count++;
        }
    }
    gl_system_close(system);
}

static void answer_gl(const void *asked, void *answer)
{
    struct probe_adapter *out = answer;
    *out = *(const struct probe_adapter *)asked;
    const struct gl_want want = {
        .api = strcmp(out->api, gl_api_name(GL_API_ES)) == 0 ? GL_API_ES : GL_API_DESKTOP};
    struct gl_system *system = gl_system_open(out->error, sizeof out->error);
    struct gl *gl = NULL;
    if (system && out->place < gl_system_count(system))
        gl = gl_open(system, out->place, &want, out->error, sizeof out->error);
    if (gl) {
        snprintf(out->name, sizeof out->name, "%s", gl->name);
        snprintf(out->driver, sizeof out->driver, "%s", gl->driver);
        snprintf(out->backend, sizeof out->backend, "%s", gl->device);
        snprintf(out->kind, sizeof out->kind, "%s", gl->software ? "software" : "unknown");
        out->software = gl->software;
        probe_measure_gl(gl, out);
        if (out->check_wanted) {
            probe_prepare_check(out, out->has_gl);
            check_gl(gl, out->gl.boundary == PASSTIME_GL_BOUNDARY_FLUSHED, &out->check);
        }
    }
    gl_close(gl);
    gl_system_close(system);
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
static bool ask(probe_question question, const void *asked, void *answer, size_t bytes,
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
        question(asked, answer);
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

/* The rows of one kind of API, put behind those that are there. */
static void append_list(probe_question question, const char *what, struct probe_list *out,
                        uint32_t timeout_ms)
{
    static const struct probe_list empty;
    struct probe_list list = empty;
    char error[PROBE_TEXT_BYTES];
    if (!ask(question, NULL, &list, sizeof list, timeout_ms, error, sizeof error)) {
        list = empty;
        snprintf(list.error, sizeof list.error,
                 "%s could not be listed: a driver hangs or fails (%s)", what, error);
    }
    for (uint32_t i = 0; i < list.count && out->count < PROBE_ADAPTERS_MAX; i++)
        out->adapters[out->count++] = list.adapters[i];
    if (out->error[0] == '\0')
        snprintf(out->error, sizeof out->error, "%s", list.error);
}

void probe_list_adapters(struct probe_list *out, uint32_t timeout_ms)
{
    memset(out, 0, sizeof *out);
    append_list(answer_list, "the adapters", out, timeout_ms);
    append_list(answer_gl_list, "the EGL devices", out, timeout_ms);
}

void probe_one_adapter(struct probe_adapter *adapter, uint32_t timeout_ms)
{
    struct probe_adapter answer = {0};
    char error[PROBE_TEXT_BYTES];
    bool webgpu = strcmp(adapter->api, "webgpu") == 0;
    if (!ask(webgpu ? answer_adapter : answer_gl, adapter, &answer, sizeof answer, timeout_ms,
             error, sizeof error)) {
        snprintf(adapter->error, sizeof adapter->error, "%.255s", error);
        return;
    }
    /* The device is of the same list, unless an adapter came or went in between. */
    if (!webgpu || (answer.name[0] && strcmp(answer.name, adapter->name) == 0)) {
        answer.place = adapter->place;
        *adapter = answer;
    } else {
        snprintf(adapter->error, sizeof adapter->error, "%.255s", answer.error);
    }
}
